(* SPDX-License-Identifier: Apache-2.0 *)
(** A decision of [valid], equal to its definition, and a check of [well_formed] that is given ranks. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive Sorting.Mergesort Sorting.Sorted Orders
  RelationClasses.
From Proven Require Import Problem Lists Table.
Import ListNotations.
Open Scope Z_scope.

(** ** Spans in the order of their processors *)

Definition span_leb (a b : span) : bool :=
  if (span_on a <? span_on b)%N then true else if (span_on b <? span_on a)%N then false else
  if span_proc a <? span_proc b then true else if span_proc b <? span_proc a then false else
  if from a <? from b then true else if from b <? from a then false else
  until a <=? until b.

Definition before (a b : span) : Prop :=
  (span_on a < span_on b)%N \/ (span_on a = span_on b /\
  (span_proc a < span_proc b \/ (span_proc a = span_proc b /\
  (from a < from b \/ (from a = from b /\ until a <= until b))))).

Lemma span_leb_spec a b : span_leb a b = true <-> before a b.
Proof.
  unfold span_leb, before.
  destruct (N.ltb_spec (span_on a) (span_on b)); [intuition lia|].
  destruct (N.ltb_spec (span_on b) (span_on a)); [split; [discriminate|intuition lia]|].
  destruct (Z.ltb_spec (span_proc a) (span_proc b)); [intuition lia|].
  destruct (Z.ltb_spec (span_proc b) (span_proc a)); [split; [discriminate|intuition lia]|].
  destruct (Z.ltb_spec (from a) (from b)); [intuition lia|].
  destruct (Z.ltb_spec (from b) (from a)); [split; [discriminate|intuition lia]|].
  rewrite Z.leb_le. intuition lia.
Qed.

Module SpanOrder <: TotalLeBool.
  Definition t := span.
  Definition leb := span_leb.
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !span_leb_spec. unfold before. lia. Qed.
End SpanOrder.

Module SpanSort := Sort SpanOrder.

Lemma span_leb_transitive : Transitive (fun a b => is_true (span_leb a b)).
Proof.
  intros a b c. unfold is_true. rewrite !span_leb_spec. unfold before. lia.
Qed.

Definition same_place (a b : span) : bool := (span_on a =? span_on b)%N && (span_proc a =? span_proc b).

Lemma same_place_spec a b : same_place a b = true <-> span_on a = span_on b /\ span_proc a = span_proc b.
Proof. unfold same_place. rewrite andb_true_iff, N.eqb_eq, Z.eqb_eq. reflexivity. Qed.

Fixpoint clear (l : list span) : bool :=
  match l with
  | a :: (b :: _) as l' => (negb (same_place a b) || (until a <=? from b)) && clear l'
  | _ => true
  end.

Lemma clear_cons a b l :
  clear (a :: b :: l) = (negb (same_place a b) || (until a <=? from b)) && clear (b :: l).
Proof. reflexivity. Qed.

Lemma clear_apart l : StronglySorted (fun a b => is_true (span_leb a b)) l -> clear l = true -> ForallOrdPairs apart l.
Proof.
  induction 1 as [|a l sorted IH all]; intros ok; [constructor|].
  destruct l as [|b l]; [constructor; constructor|].
  rewrite clear_cons in ok. apply andb_true_iff in ok. destruct ok as [ok rest].
  constructor; [|apply IH; exact rest].
  rewrite Forall_forall. intros y Hy same_on same_proc. left.
  rewrite Forall_forall in all. pose proof (all b (or_introl eq_refl)) as ab.
  assert (by_ : y = b \/ before b y).
  { destruct Hy as [->|Hy]; [auto|]. right. inversion sorted as [|? ? _ all']; subst.
    rewrite Forall_forall in all'. apply span_leb_spec, all'. exact Hy. }
  apply span_leb_spec in ab.
  assert (same : same_place a b = true).
  { apply same_place_spec. destruct by_ as [->|by_]; [auto|]. unfold before in *. lia. }
  rewrite same in ok. simpl in ok. apply Z.leb_le in ok.
  apply same_place_spec in same. destruct by_ as [->|by_]; [assumption|]. unfold before in by_. lia.
Qed.

Lemma apart_clear l : StronglySorted (fun a b => is_true (span_leb a b)) l ->
  (forall a, In a l -> from a <= until a) -> ForallOrdPairs apart l -> clear l = true.
Proof.
  induction 1 as [|a l sorted IH all]; intros forward pairs; [reflexivity|].
  destruct l as [|b l]; [reflexivity|].
  inversion pairs as [|? ? first rest]; subst.
  rewrite clear_cons. apply andb_true_iff. split; [|apply IH; auto; intros; apply forward; right; assumption].
  apply orb_true_iff. destruct (same_place a b) eqn:same; [right|left; reflexivity].
  apply same_place_spec in same. apply Z.leb_le.
  rewrite Forall_forall in first, all.
  pose proof (all b (or_introl eq_refl)) as ab. apply span_leb_spec in ab. unfold before in ab.
  pose proof (forward a (or_introl eq_refl)). pose proof (forward b (or_intror (or_introl eq_refl))).
  destruct (first b (or_introl eq_refl)); intuition lia.
Qed.

Lemma apart_symmetric a b : apart a b -> apart b a.
Proof. unfold apart. intros H same_on same_proc. destruct H; auto. Qed.

Lemma apart_permutation l m : Permutation l m -> ForallOrdPairs apart l -> ForallOrdPairs apart m.
Proof.
  induction 1 as [|a l m same IH|a b l|l m n _ IH _ IH']; intros pairs; auto.
  - inversion pairs as [|? ? all rest]; subst. constructor; [|auto].
    rewrite Forall_forall in *. intros x Hx. apply all. apply Permutation_sym in same.
    exact (Permutation_in x same Hx).
  - inversion pairs as [|? ? all rest]; subst. inversion rest as [|? ? all' rest']; subst.
    rewrite Forall_forall in *. constructor; [|constructor; [|assumption]]; rewrite Forall_forall.
    + intros x [<-|Hx]; [apply apart_symmetric, all; left; reflexivity|auto].
    + intros x Hx. apply all. right. assumption.
Qed.

Definition no_overlap (l : list span) : bool := clear (SpanSort.sort l).

Lemma no_overlap_spec l : (forall a, In a l -> from a <= until a) -> (no_overlap l = true <-> ForallOrdPairs apart l).
Proof.
  intros forward. unfold no_overlap.
  pose proof (SpanSort.StronglySorted_sort l span_leb_transitive) as sorted.
  pose proof (SpanSort.Permuted_sort l) as same. split; intros H.
  - apply apart_permutation with (l := SpanSort.sort l); [apply Permutation_sym; exact same|].
    apply clear_apart; assumption.
  - apply apart_clear; [exact sorted| |apply apart_permutation with (l := l); assumption].
    intros a Ha. apply forward. apply Permutation_sym in same. exact (Permutation_in a same Ha).
Qed.

(** ** Clauses *)

Section Decision.
Variable I : instance.

(** Tasks by number, so that a time is found at once. *)
Definition time_in (table : M.t task) (j t : N) : option Z :=
  match find table j with
  | Some x => match item (times x) t with Some p => p | None => None end
  | None => None
  end.

Lemma time_in_spec j t : time_in (tabled (tasks I)) j t = time I j t.
Proof. unfold time_in, time. rewrite find_tabled. reflexivity. Qed.

Definition released_in (table : M.t task) (j : N) : Z :=
  match find table j with Some x => release x | None => 0 end.

Lemma released_in_spec j : released_in (tabled (tasks I)) j = released I j.
Proof. unfold released_in, released. rewrite find_tabled. reflexivity. Qed.

Definition ends_in (table : M.t task) (r : run) : Z :=
  start r + match time_in table (job r) (on r) with Some p => p | None => 0 end.

Lemma ends_in_spec r : ends_in (tabled (tasks I)) r = ends I r.
Proof. unfold ends_in, ends. rewrite time_in_spec. reflexivity. Qed.

Definition every_task (size : N) (s : schedule) : bool := every_number size (map job (runs s)).

Lemma every_task_spec s :
  every_task (N.of_nat (length (tasks I))) s = true <->
  Permutation (map job (runs s)) (numbers (length (tasks I))).
Proof. apply every_number_spec. Qed.

Definition places (table : M.t task) (r : run) : bool :=
  match time_in table (job r) (on r) with Some _ => true | None => false end &&
  ((0 <=? proc r) && (proc r <? processors I (on r))) && (0 <=? start r).

Lemma places_spec r : places (tabled (tasks I)) r = true <-> placed I r.
Proof.
  unfold places, placed. rewrite time_in_spec, !andb_true_iff, !Z.leb_le, Z.ltb_lt.
  destruct (time I (job r) (on r)); intuition congruence.
Qed.

Definition spans (table : M.t task) (s : schedule) : list span :=
  map (fun r => {| span_on := on r; span_proc := proc r; from := start r; until := ends_in table r |}) (runs s) ++
  map (fun a => {| span_on := on (attempt a); span_proc := proc (attempt a);
                   from := start (attempt a); until := stop a |}) (given_up s).

Lemma spans_spec s : spans (tabled (tasks I)) s = occupied I s.
Proof.
  unfold spans, occupied. f_equal. apply map_ext. intros r. rewrite ends_in_spec. reflexivity.
Qed.

(** Runs by task. *)
Definition by_task (s : schedule) : M.t run := entries (map (fun r => (job r, r)) (runs s)).

Lemma by_task_spec s j r : NoDup (map job (runs s)) -> (find (by_task s) j = Some r <-> In r (runs s) /\ job r = j).
Proof.
  intros nodup. unfold by_task. rewrite find_entries.
  - rewrite in_map_iff. split; [intros (q & H & Hq); inversion H; subst; auto|].
    intros [Hr <-]. exists r. auto.
  - rewrite map_map. exact nodup.
Qed.

Definition arrives (table : M.t task) (e : edge) (i j : run) : Z :=
  if same_processor i j then ends_in table i else ends_in table i + cost e (on i) (on j).

Definition edges_hold (table : M.t task) (s : schedule) : bool :=
  let done := by_task s in
  let into := grouped target (edges I) in
  forallb (fun j => forallb (fun e => match find done (source e) with
                                      | Some i => arrives table e i j <=? start j
                                      | None => true
                                      end) (group into (job j))) (attempts s).

Lemma edges_hold_spec s : NoDup (map job (runs s)) -> (edges_hold (tabled (tasks I)) s = true <-> S3 I s).
Proof.
  intros nodup. unfold edges_hold, S3. rewrite forallb_forall.
  assert (same : forall e i j, arrives (tabled (tasks I)) e i j = arrival I e i j).
  { intros. unfold arrives, arrival. rewrite ends_in_spec. reflexivity. }
  split.
  - intros H e i j He Hi Hj from_ to_. specialize (H j Hj). rewrite forallb_forall in H.
    specialize (H e (proj2 (group_spec _ _ _ _) (conj He (eq_sym to_)))).
    rewrite (proj2 (by_task_spec s (source e) i nodup) (conj Hi from_)) in H.
    rewrite same in H. apply Z.leb_le. exact H.
  - intros H j Hj. apply forallb_forall. intros e He. apply group_spec in He. destruct He as [He to_].
    destruct (find (by_task s) (source e)) as [i|] eqn:found; [|reflexivity].
    apply by_task_spec in found; [|assumption]. destruct found as [Hi from_].
    apply Z.leb_le. rewrite same. apply H; auto.
Qed.

Definition free_by (table : M.t task) (r : run) : bool :=
  (released_in table (job r) <=? start r) && (busy_until I (on r) (proc r) <=? start r).

Definition stops (table : M.t task) (done : M.t run) (a : aborted) : bool :=
  ((start (attempt a) <=? stop a) && (stop a <? ends_in table (attempt a))) &&
  match find done (job (attempt a)) with Some r => stop a <=? start r | None => true end.

Lemma stops_spec s : NoDup (map job (runs s)) ->
  (forallb (stops (tabled (tasks I)) (by_task s)) (given_up s) = true <-> S6 I s).
Proof.
  intros nodup. rewrite forallb_forall. unfold S6, stops. split; intros H a Ha; specialize (H a Ha).
  - rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, ends_in_spec in H. destruct H as [short again].
    split; [lia|]. intros r Hr same.
    rewrite (proj2 (by_task_spec s _ r nodup) (conj Hr same)) in again. apply Z.leb_le. exact again.
  - rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, ends_in_spec. destruct H as [short again].
    split; [lia|]. destruct (find (by_task s) (job (attempt a))) as [r|] eqn:found; [|reflexivity].
    apply by_task_spec in found; [|assumption]. apply Z.leb_le. apply again; intuition.
Qed.

Definition valid_schedule (s : schedule) : bool :=
  let table := tabled (tasks I) in
  let done := by_task s in
  every_task (N.of_nat (length (tasks I))) s &&
  forallb (places table) (attempts s) &&
  edges_hold table s &&
  forallb (free_by table) (attempts s) &&
  forallb (stops table done) (given_up s) &&
  no_overlap (spans table s).

Lemma time_nonnegative j t p : I2 I -> time I j t = Some p -> 0 <= p.
Proof.
  unfold time. intros ok H. destruct (item (tasks I) j) as [x|] eqn:found; [|discriminate].
  destruct (item (times x) t) as [q|] eqn:found'; [|discriminate]. subst.
  apply item_in in found. apply item_in in found'. exact (ok x p found found').
Qed.

Lemma ends_forward r : I2 I -> start r <= ends I r.
Proof.
  intros ok. unfold ends. destruct (time I (job r) (on r)) as [p|] eqn:found; [|lia].
  pose proof (time_nonnegative _ _ _ ok found). lia.
Qed.

Theorem valid_schedule_correct s : I2 I -> (valid_schedule s = true <-> valid I s).
Proof.
  intros ok. unfold valid_schedule, valid, S1, S2, S4. rewrite !andb_true_iff, !forallb_forall.
  rewrite every_task_spec, spans_spec.
  assert (nodup : Permutation (map job (runs s)) (numbers (length (tasks I))) -> NoDup (map job (runs s))).
  { intros same. apply Permutation_sym in same. apply (Permutation_NoDup same), numbers_nodup. }
  assert (free : (forall r, In r (attempts s) -> free_by (tabled (tasks I)) r = true) <->
                 (forall r, In r (attempts s) ->
                  released I (job r) <= start r /\ busy_until I (on r) (proc r) <= start r)).
  { unfold free_by. split; intros H r Hr; specialize (H r Hr);
      rewrite andb_true_iff, !Z.leb_le, released_in_spec in *; assumption. }
  assert (forward : S6 I s -> forall a, In a (occupied I s) -> from a <= until a).
  { intros stops6 a Ha. apply in_app_or in Ha. destruct Ha as [Ha|Ha]; apply in_map_iff in Ha.
    - destruct Ha as (r & <- & Hr). simpl. apply ends_forward. exact ok.
    - destruct Ha as (b & <- & Hb). simpl. apply (stops6 b Hb). }
  pose proof (fun r => places_spec r) as place. pose proof (stops_spec s) as stop6. rewrite forallb_forall in stop6.
  split.
  - intros [[[[[every where_] edges3] free4] stops6] apart2].
    specialize (nodup every). apply stop6 in stops6; [|assumption].
    split; [|split; [|split; [|split]]]; auto.
    + split; [assumption|]. intros r Hr. apply place. auto.
    + apply no_overlap_spec; auto.
    + apply edges_hold_spec; assumption.
    + apply free. exact free4.
  - intros ([every where_] & apart2 & edges3 & free4 & stops6).
    specialize (nodup every).
    repeat split; auto.
    + intros r Hr. apply place. auto.
    + apply edges_hold_spec; assumption.
    + apply free. exact free4.
    + apply stop6; assumption.
    + apply no_overlap_spec; auto.
Qed.

(** ** The instance *)

Definition instance_ok (ranks : list Z) : bool :=
  let size := N.of_nat (length (tasks I)) in
  let rank := tabled ranks in
  let of j := match find rank j with Some r => r | None => 0 end in
  forallb (fun x => 0 <=? count x) (platform I) &&
  existsb (fun x => 0 <? count x) (platform I) &&
  forallb (fun x => forallb (fun p => match p with Some p => 0 <=? p | None => true end) (times x)) (tasks I) &&
  forallb (fun e => ((source e <? size) && (target e <? size))%N) (edges I) &&
  forallb (fun e => forallb (forallb (Z.leb 0)) (costs e)) (edges I) &&
  forallb (fun e => of (source e) <? of (target e)) (edges I) &&
  forallb (fun x => 0 <=? release x) (tasks I) &&
  forallb (fun x => forallb (Z.leb 0) (busy x)) (platform I).

Theorem instance_ok_sound ranks : instance_ok ranks = true -> well_formed I.
Proof.
  unfold instance_ok. rewrite !andb_true_iff. intros [[[[[[[counts some] times_] ends_] costs_] rank] release_] busy_].
  rewrite forallb_forall in *. apply existsb_exists in some.
  split; [|split; [|split]].
  - split; [intros x Hx; apply Z.leb_le; auto|]. destruct some as (x & Hx & H). exists x. rewrite Z.ltb_lt in H. auto.
  - intros x p Hx Hp. specialize (times_ x Hx). rewrite forallb_forall in times_. specialize (times_ _ Hp).
    apply Z.leb_le. exact times_.
  - split; [|split].
    + intros e He. specialize (ends_ e He). rewrite andb_true_iff, !N.ltb_lt in ends_. exact ends_.
    + intros e row c He Hrow Hc. specialize (costs_ e He). rewrite forallb_forall in costs_.
      specialize (costs_ row Hrow). rewrite forallb_forall in costs_. apply Z.leb_le. auto.
    + exists (fun j => match find (tabled ranks) j with Some r => r | None => 0 end).
      intros e He. apply Z.ltb_lt. exact (rank e He).
  - split; [intros x Hx; apply Z.leb_le; auto|]. intros x f Hx Hf. specialize (busy_ x Hx).
    rewrite forallb_forall in busy_. apply Z.leb_le. auto.
Qed.

(** The makespan, with times found at once. *)
Definition length_of (s : schedule) : Z := fold_right Z.max 0 (map (ends_in (tabled (tasks I))) (runs s)).

Lemma length_of_spec s : length_of s = makespan I s.
Proof. unfold length_of, makespan. f_equal. apply map_ext. apply ends_in_spec. Qed.
End Decision.
