(* SPDX-License-Identifier: Apache-2.0 *)
(** Where no processor is busy, the processors of a type may be numbered in the order of their first tasks. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Learned.
Import ListNotations.
Open Scope Z_scope.

(** The numbers of a list, each once, in the order in which they come. *)
Fixpoint firsts (seen l : list Z) : list Z :=
  match l with [] => seen | x :: l => firsts (if existsb (Z.eqb x) seen then seen else seen ++ [x]) l end.

Fixpoint index_of (x : Z) (l : list Z) : nat :=
  match l with [] => O | y :: l => if x =? y then O else S (index_of x l) end.

Lemma firsts_app l : forall seen m, firsts seen (l ++ m) = firsts (firsts seen l) m.
Proof. induction l as [|x l IH]; intros seen m; simpl; [reflexivity|apply IH]. Qed.

Lemma firsts_more l : forall seen, exists m, firsts seen l = seen ++ m.
Proof.
  induction l as [|x l IH]; intros seen; simpl; [exists []; rewrite app_nil_r; reflexivity|].
  destruct (IH (if existsb (Z.eqb x) seen then seen else seen ++ [x])) as (m & ->).
  destruct (existsb (Z.eqb x) seen); [exists m; reflexivity|]. exists (x :: m). rewrite <- app_assoc. reflexivity.
Qed.

Lemma known_in x l : existsb (Z.eqb x) l = true <-> In x l.
Proof.
  rewrite existsb_exists. split; [intros (y & Hy & same); apply Z.eqb_eq in same; subst; exact Hy|].
  intros H. exists x. rewrite Z.eqb_refl. auto.
Qed.

Lemma firsts_in l : forall seen x, In x (firsts seen l) <-> In x seen \/ In x l.
Proof.
  induction l as [|y l IH]; intros seen x; simpl; [tauto|]. rewrite IH.
  destruct (existsb (Z.eqb y) seen) eqn:known.
  - apply known_in in known. split; [tauto|]. intros [H|[->|H]]; auto.
  - rewrite in_app_iff. simpl. tauto.
Qed.

Lemma firsts_nodup l : forall seen, NoDup seen -> NoDup (firsts seen l).
Proof.
  induction l as [|y l IH]; intros seen nodup; simpl; [exact nodup|]. apply IH.
  destruct (existsb (Z.eqb y) seen) eqn:known; [exact nodup|].
  apply (Permutation_NoDup (Permutation_cons_append seen y)). constructor; [|exact nodup].
  intros again. apply known_in in again. congruence.
Qed.

Lemma firsts_length l : forall seen, (length (firsts seen l) <= length seen + length l)%nat.
Proof.
  induction l as [|y l IH]; intros seen; simpl; [lia|]. specialize (IH (if existsb (Z.eqb y) seen then seen else
    seen ++ [y])). destruct (existsb (Z.eqb y) seen); [lia|]. rewrite app_length in IH. simpl in IH. lia.
Qed.

Lemma index_nth x l : In x l -> nth_error l (index_of x l) = Some x.
Proof.
  induction l as [|y l IH]; simpl; [tauto|]. intros H. destruct (Z.eqb_spec x y) as [->|]; [reflexivity|].
  apply IH. destruct H as [->|H]; [congruence|exact H].
Qed.

Lemma index_less x l : In x l -> (index_of x l < length l)%nat.
Proof. intros H. apply nth_error_Some. rewrite (index_nth x l H). discriminate. Qed.

Lemma index_injective x y l : In x l -> In y l -> index_of x l = index_of y l -> x = y.
Proof. intros Hx Hy same. pose proof (index_nth x l Hx). pose proof (index_nth y l Hy). congruence. Qed.

Lemma index_app x l m : In x l -> index_of x (l ++ m) = index_of x l.
Proof.
  induction l as [|y l IH]; simpl; [tauto|]. intros H. destruct (Z.eqb_spec x y); [reflexivity|].
  rewrite IH; [reflexivity|]. destruct H as [->|H]; [congruence|exact H].
Qed.

Lemma index_fresh x l m : ~ In x l -> index_of x (l ++ x :: m) = length l.
Proof.
  induction l as [|y l IH]; simpl; intros H; [rewrite Z.eqb_refl; reflexivity|].
  destruct (Z.eqb_spec x y) as [->|]; [tauto|]. rewrite IH; tauto.
Qed.

(** The number before that of an item is that of an item which comes before it. *)
Lemma before_index x l m : (0 < index_of x (firsts [] (l ++ x :: m)))%nat ->
  exists y, In y l /\ S (index_of y (firsts [] (l ++ x :: m))) = index_of x (firsts [] (l ++ x :: m)).
Proof.
  rewrite firsts_app. set (a := firsts [] l). cbn [firsts].
  assert (in_a : forall y, In y a <-> In y l) by (intros y; unfold a; rewrite firsts_in; simpl; tauto).
  assert (nodup : NoDup a) by (apply firsts_nodup; constructor).
  destruct (firsts_more m (if existsb (Z.eqb x) a then a else a ++ [x])) as (rest & ->).
  assert (less : (index_of x ((if existsb (Z.eqb x) a then a else a ++ [x]) ++ rest) <= length a)%nat).
  { destruct (existsb (Z.eqb x) a) eqn:known.
    - apply known_in in known. rewrite index_app by exact known. pose proof (index_less x a known). lia.
    - assert (~ In x a) by (intros H; apply known_in in H; congruence). rewrite <- app_assoc. simpl.
      rewrite index_fresh by assumption. lia. }
  intros pos. set (k := index_of x ((if existsb (Z.eqb x) a then a else a ++ [x]) ++ rest)) in *.
  destruct (nth_error a (pred k)) as [y|] eqn:found.
  2: { apply nth_error_None in found. lia. }
  assert (Hy : In y a) by (eapply nth_error_In; eauto). exists y. split; [apply in_a; exact Hy|].
  assert (same : index_of y a = pred k).
  { pose proof (index_nth y a Hy) as at_y. apply (proj1 (NoDup_nth_error a) nodup); [exact (index_less y a Hy)|].
    congruence. }
  assert (index_of y ((if existsb (Z.eqb x) a then a else a ++ [x]) ++ rest) = index_of y a) as ->; [|lia].
  destruct (existsb (Z.eqb x) a); [apply index_app; exact Hy|].
  rewrite <- app_assoc. apply index_app. exact Hy.
Qed.

Lemma before_split j l : In j l -> exists m, l = before_task j l ++ j :: m.
Proof.
  induction l as [|i l IH]; simpl; [tauto|]. intros H. destruct (N.eqb_spec i j) as [->|differs]; [exists l; reflexivity|].
  destruct H as [->|H]; [congruence|]. destruct (IH H) as (m & same). exists m. simpl. rewrite <- same. reflexivity.
Qed.

Section Numbering.
Variable I : instance.
Variable L : Z.
Variable sequence : list N.
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.
Hypothesis all_there : forall j, task_number I j -> In j sequence.
Hypothesis no_more : length sequence = length (tasks I).
Variable s : schedule.
Hypothesis ok : valid I s.

Definition used (t : N) : list Z := map proc (filter (fun r => (on r =? t)%N) (map (the s) sequence)).

Definition new_proc (r : run) : Z := Z.of_nat (index_of (proc r) (firsts [] (used (on r)))).

Definition renumbered (r : run) : run := {| job := job r; on := on r; proc := new_proc r; start := start r |}.

Definition renumbered_all : schedule := {| runs := map renumbered (runs s); given_up := [] |}.

Lemma run_task r : In r (runs s) -> task_number I (job r).
Proof.
  intros Hr. apply in_numbers. apply (Permutation_in (job r) (proj1 (proj1 ok))). apply in_map. exact Hr.
Qed.

Lemma used_in r : In r (runs s) -> In (proc r) (firsts [] (used (on r))).
Proof.
  intros Hr. apply firsts_in. right. unfold used. apply in_map. apply filter_In. split; [|apply N.eqb_refl].
  apply in_map_iff. exists (job r). split; [apply (the_job I s ok r Hr)|]. apply all_there, run_task, Hr.
Qed.

Lemma used_only t q : (forall j, In j sequence -> task_number I j) -> In q (firsts [] (used t)) ->
  0 <= q < processors I t.
Proof.
  intros tasks_ H. apply firsts_in in H. destruct H as [[]|H]. unfold used in H. apply in_map_iff in H.
  destruct H as (r & <- & Hr). apply filter_In in Hr. destruct Hr as [Hr is_t]. apply N.eqb_eq in is_t. subst t.
  apply in_map_iff in Hr. destruct Hr as (j & <- & Hj).
  destruct (the_run I s ok j) as [Hr _]; [apply in_numbers, tasks_, Hj|]. apply (valid_placed I s _ ok Hr).
Qed.

Hypothesis only_tasks : forall j, In j sequence -> task_number I j.

Lemma new_proc_range r : In r (runs s) -> 0 <= new_proc r < processors I (on r) /\
  new_proc r < Z.of_nat (length (tasks I)).
Proof.
  intros Hr. unfold new_proc. pose proof (index_less _ _ (used_in r Hr)) as less.
  assert (few : (length (firsts [] (used (on r))) <= Z.to_nat (processors I (on r)))%nat).
  { pose proof (firsts_nodup (used (on r)) [] (NoDup_nil _)) as nodup.
    assert (inside_ : incl (firsts [] (used (on r))) (map Z.of_nat (seq 0 (Z.to_nat (processors I (on r)))))).
    { intros q Hq. pose proof (used_only (on r) q only_tasks Hq). apply in_map_iff. exists (Z.to_nat q).
      rewrite in_seq. lia. }
    pose proof (NoDup_incl_length nodup inside_) as H. rewrite map_length, seq_length in H. exact H. }
  pose proof (firsts_length (used (on r)) []) as short_. unfold used in short_ at 2. rewrite map_length in short_.
  pose proof (filter_no_longer (fun q => (on q =? on r)%N) (map (the s) sequence)) as shorter.
  rewrite map_length in shorter. simpl in short_. destruct (valid_placed I s r ok Hr) as (_ & there & _). lia.
Qed.

Lemma new_proc_same r q : In r (runs s) -> In q (runs s) -> on r = on q ->
  (new_proc r = new_proc q <-> proc r = proc q).
Proof.
  intros Hr Hq same. unfold new_proc. rewrite <- same. split; [|intros ->; reflexivity]. intros H.
  apply (index_injective _ _ (firsts [] (used (on r)))); [apply used_in, Hr|rewrite same; apply used_in, Hq|lia].
Qed.

Lemma attempts_renumbered : attempts renumbered_all = map renumbered (runs s).
Proof. unfold attempts, renumbered_all. simpl. apply app_nil_r. Qed.

Lemma valid_renumbered : valid I renumbered_all.
Proof.
  pose proof ok as ((every & places) & apart2 & edges3 & free4 & _).
  split; [|split; [|split; [|split]]].
  - split.
    + cbn [renumbered_all runs]. rewrite map_map. exact every.
    + intros r Hr. rewrite attempts_renumbered in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
      destruct (valid_placed I s q ok Hq) as (mode & _ & zero). split; [exact mode|]. split; [|exact zero].
      apply (new_proc_range q Hq).
  - unfold S2, occupied in *. apply ForallOrdPairs_app in apart2. rewrite app_nil_r. simpl. rewrite map_map. simpl.
    rewrite ForallOrdPairs_map in *. revert apart2. apply ForallOrdPairs_impl.
    intros x y Hx Hy H. unfold apart in *. simpl in *. intros same_on same_proc. apply H; [assumption|].
    apply (new_proc_same x y Hx Hy same_on). exact same_proc.
  - intros e i j He Hi Hj from_ to_. rewrite attempts_renumbered in Hj. unfold renumbered_all, runs in Hi.
    apply in_map_iff in Hi. destruct Hi as (i' & <- & Hi). apply in_map_iff in Hj. destruct Hj as (j' & <- & Hj).
    pose proof (edges3 e i' j' He Hi (in_attempts s j' Hj) from_ to_) as waits. unfold arrival in *.
    change (ends I (renumbered i')) with (ends I i'). change (start (renumbered j')) with (start j').
    assert (same : same_processor (renumbered i') (renumbered j') = same_processor i' j').
    { unfold same_processor. simpl. destruct (N.eqb_spec (on i') (on j')) as [same|]; [|reflexivity]. simpl.
      pose proof (new_proc_same i' j' Hi Hj same).
      destruct (Z.eqb_spec (new_proc i') (new_proc j')), (Z.eqb_spec (proc i') (proc j')); tauto. }
    rewrite same. exact waits.
  - intros r Hr. rewrite attempts_renumbered in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (free4 q (in_attempts s q Hq)) as [rel _]. simpl. rewrite nothing_busy. split; [exact rel|].
    apply (valid_placed I s q ok Hq).
  - intros a [].
Qed.

Lemma the_renumbered j : task_number I j -> the renumbered_all j = renumbered (the s j).
Proof.
  intros Hj. apply in_numbers in Hj. destruct (the_run I s ok j Hj) as [Hr same].
  rewrite <- (the_job I renumbered_all valid_renumbered (renumbered (the s j))) by (apply in_map; exact Hr).
  cbn [renumbered job]. rewrite same. reflexivity.
Qed.

Lemma makespan_renumbered : makespan I renumbered_all = makespan I s.
Proof. unfold makespan, renumbered_all. simpl. rewrite map_map. reflexivity. Qed.

Lemma fits_renumbered W : all_fit I L s W -> all_fit I L renumbered_all W.
Proof.
  intros all_ r Hr. unfold renumbered_all in Hr. simpl in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
  exact (all_ q Hq).
Qed.

Lemma numbered_all : forall r, In r (runs renumbered_all) -> proc r < Z.of_N (N.of_nat (length (tasks I))) /\
  (0 < proc r -> exists i, In i (before_task (job r) sequence) /\
     exists q, In q (runs renumbered_all) /\ job q = i /\ on q = on r /\ proc q = proc r - 1).
Proof.
  intros r' Hr'. simpl in Hr'. apply in_map_iff in Hr'. destruct Hr' as (r & <- & Hr). simpl.
  split; [pose proof (new_proc_range r Hr); lia|]. intros pos.
  destruct (before_split (job r) sequence (all_there _ (run_task r Hr))) as (m & split_).
  assert (used_split : forall l m, sequence = l ++ job r :: m -> exists rest, used (on r) =
            map proc (filter (fun q => (on q =? on r)%N) (map (the s) l)) ++ proc r :: rest).
  { intros l m' same. unfold used. rewrite same, map_app, filter_app, map_app. simpl. rewrite (the_job I s ok r Hr).
    rewrite N.eqb_refl. simpl. eexists. reflexivity. }
  destruct (used_split _ m split_) as (rest & is_used). unfold new_proc in pos |- *. rewrite is_used in pos |- *.
  destruct (before_index (proc r) (map proc (filter (fun q => (on q =? on r)%N) (map (the s)
    (before_task (job r) sequence)))) rest ltac:(lia)) as (y & Hy & one_less).
  apply in_map_iff in Hy. destruct Hy as (q & <- & Hq). apply filter_In in Hq. destruct Hq as [Hq same].
  apply N.eqb_eq in same. apply in_map_iff in Hq. destruct Hq as (i & <- & Hi).
  assert (Hi' : task_number I i) by (apply only_tasks; rewrite split_; apply in_or_app; left; exact Hi).
  apply in_numbers in Hi'. destruct (the_run I s ok i Hi') as [Hq is_i].
  exists i. split; [exact Hi|]. exists (renumbered (the s i)). split; [apply in_map; exact Hq|].
  split; [exact is_i|]. split; [exact same|]. simpl. unfold new_proc. rewrite same, is_used. lia.
Qed.
End Numbering.

(** The instance without busy processors and releases. *)
Definition bare (I : instance) : instance :=
  {| platform := map (fun x => {| count := count x; busy := [] |}) (platform I);
     tasks := map (fun x => {| times := times x; release := 0 |}) (tasks I); edges := edges I |}.

Lemma bare_processors I t : processors (bare I) t = processors I t.
Proof. unfold processors, bare. simpl. rewrite item_map. destruct (item (platform I) t); reflexivity. Qed.

Lemma bare_nothing I t p : busy_until (bare I) t p = 0.
Proof. unfold busy_until, bare. simpl. rewrite item_map. destruct (item (platform I) t); reflexivity. Qed.

Lemma bare_released I j : released (bare I) j = 0.
Proof. unfold released, bare. simpl. rewrite item_map. destruct (item (tasks I) j); reflexivity. Qed.

Lemma bare_time I j t : time (bare I) j t = time I j t.
Proof. unfold time, bare. simpl. rewrite item_map. destruct (item (tasks I) j); reflexivity. Qed.

Lemma bare_ends I r : ends (bare I) r = ends I r.
Proof. unfold ends. rewrite bare_time. reflexivity. Qed.

Lemma bare_makespan I s : makespan (bare I) s = makespan I s.
Proof. unfold makespan. rewrite (map_ext _ _ (bare_ends I)). reflexivity. Qed.

Lemma bare_valid I s : valid I s -> valid (bare I) s.
Proof.
  intros ([every places] & apart2 & edges3 & free4 & stops6). split; [|split; [|split; [|split]]].
  - split; [unfold bare; cbn [tasks]; rewrite map_length; exact every|]. intros r Hr.
    destruct (places r Hr) as (mode & there & zero). unfold placed. rewrite bare_time, bare_processors. auto.
  - unfold S2, occupied in *. erewrite (map_ext _ _ (fun r => _)). exact apart2. Unshelve.
    cbn beta. rewrite bare_ends. reflexivity.
  - intros e i j He Hi Hj from_ to_. unfold arrival. rewrite bare_ends. exact (edges3 e i j He Hi Hj from_ to_).
  - intros r Hr. rewrite bare_released, bare_nothing. destruct (places r Hr) as (_ & _ & zero). auto.
  - intros a Ha. rewrite bare_ends. exact (stops6 a Ha).
Qed.

Lemma bare_counts I : I1 I -> I1 (bare I).
Proof.
  intros [nonneg (x & Hx & pos)]. split.
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz). exact (nonneg z Hz).
  - exists {| count := count x; busy := [] |}. split; [|exact pos].
    apply (in_map (fun x => {| count := count x; busy := [] |})). exact Hx.
Qed.

Lemma bare_times I : I2 I -> I2 (bare I).
Proof.
  intros ok x p Hx. unfold bare in Hx. cbn [tasks] in Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy).
  exact (ok y p Hy).
Qed.

Lemma bare_edges I : I3 I -> I3 (bare I).
Proof.
  intros (inside_ & costs_ & rank). split; [|auto]. intros e He. unfold task_number, bare. cbn [tasks].
  rewrite map_length. exact (inside_ e He).
Qed.
