(* SPDX-License-Identifier: Apache-2.0 *)
(** Whether a schedule of moldable tasks is valid, decided; and that rounding starts down to ticks keeps it so. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Table Moldable.
Import ListNotations.
Open Scope Z_scope.

(** *** Sets of processors *)

Fixpoint set_ok (from most : Z) (l : list (Z * Z)) : bool :=
  match l with
  | [] => true
  | (a, b) :: l => (from <=? a) && (a <=? b) && (b <? most) && set_ok (b + 2) most l
  end.

Lemma set_ok_spec most l : forall from, set_ok from most l = true <-> is_set from most l.
Proof.
  induction l as [|[a b] l IH]; intros from; simpl; [tauto|].
  rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt, IH. tauto.
Qed.

Definition shared (i j : execution) : bool :=
  existsb (fun x => existsb (fun y => (fst x <=? snd y) && (fst y <=? snd x)) (ranges j)) (ranges i).

Lemma is_set_forward most l : forall from a b, is_set from most l -> In (a, b) l -> from <= a <= b /\ b < most.
Proof.
  induction l as [|[c d] l IH]; intros from a b ok H; [destruct H|]. destruct ok as (one & last & rest).
  destruct H as [H|H]; [inversion H; subst; lia|]. specialize (IH _ a b rest H). lia.
Qed.

Lemma shared_spec most i j : is_set 0 most (ranges i) -> is_set 0 most (ranges j) ->
  (shared i j = true <-> exists q, has i q /\ has j q).
Proof.
  intros ok_i ok_j. unfold shared. rewrite existsb_exists. split.
  - intros ([a b] & Hi & H). apply existsb_exists in H. destruct H as ([c d] & Hj & H).
    rewrite andb_true_iff, !Z.leb_le in H. simpl in H.
    pose proof (is_set_forward _ _ _ _ _ ok_i Hi). pose proof (is_set_forward _ _ _ _ _ ok_j Hj).
    exists (Z.max a c). split; [exists a, b|exists c, d]; (split; [assumption|lia]).
  - intros (q & (a & b & Hi & in_i) & (c & d & Hj & in_j)). exists (a, b). split; [assumption|].
    apply existsb_exists. exists (c, d). split; [assumption|]. rewrite andb_true_iff, !Z.leb_le. simpl. lia.
Qed.

Fixpoint equal_ranges (l m : list (Z * Z)) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => (fst x =? fst y) && (snd x =? snd y) && equal_ranges l m
  | _, _ => false
  end.

Lemma equal_ranges_spec l : forall m, equal_ranges l m = true <-> l = m.
Proof.
  induction l as [|[a b] l IH]; intros [|[c d] m]; simpl; try (split; [discriminate|congruence]); [tauto|].
  rewrite !andb_true_iff, !Z.eqb_eq, IH. split; [intros [[-> ->] ->]; reflexivity|intros H; inversion H; auto].
Qed.

(** *** Ordered pairs *)

Fixpoint every_pair {A} (f : A -> A -> bool) (l : list A) : bool :=
  match l with [] => true | x :: l => forallb (f x) l && every_pair f l end.

Lemma every_pair_spec {A} (f : A -> A -> bool) l : every_pair f l = true <-> ForallOrdPairs (fun x y => f x y = true) l.
Proof.
  induction l as [|x l IH]; simpl; [split; [constructor|reflexivity]|]. rewrite andb_true_iff, IH, forallb_forall. split.
  - intros [first rest]. constructor; [|assumption]. rewrite Forall_forall. exact first.
  - intros H. inversion H as [|? ? first rest]; subst. rewrite Forall_forall in first. auto.
Qed.

Section Decision.
Variable I : moldable_instance.

Definition mode_in (table : M.t moldable) (j t : N) (q : Z) : option Z :=
  match find table j with
  | Some x => match item (tables x) t with Some y => time_of y q | None => None end
  | None => None
  end.

Definition lasts_in (table : M.t moldable) (k : Z) (r : execution) : Z :=
  k * match mode_in table (task_of r) (type_of r) (size_of (ranges r)) with Some p => p | None => 0 end.

Lemma mode_in_spec j t q : mode_in (tabled (all_tasks I)) j t q = mode_time I j t q.
Proof. unfold mode_in, mode_time. rewrite find_tabled. reflexivity. Qed.

Lemma lasts_in_spec k r : lasts_in (tabled (all_tasks I)) k r = lasts k I r.
Proof. unfold lasts_in, lasts. rewrite mode_in_spec. reflexivity. Qed.

Definition release_in (table : M.t moldable) (j : N) : Z :=
  match find table j with Some x => released_at x | None => 0 end.

Lemma release_in_spec j : release_in (tabled (all_tasks I)) j = release_of I j.
Proof. unfold release_in, release_of. rewrite find_tabled. reflexivity. Qed.

(** An execution with when it ends, which is asked often. *)
Notation ended := (execution * Z)%type.

Definition each_once (s : list execution) : bool :=
  every_number (N.of_nat (length (all_tasks I))) (map task_of s).

Definition placed_well (table : M.t moldable) (r : execution) : bool :=
  set_ok 0 (processors (machine I) (type_of r)) (ranges r) &&
  match mode_in table (task_of r) (type_of r) (size_of (ranges r)) with Some _ => true | None => false end &&
  (0 <=? begins r).

Definition pair_ok (x y : ended) : bool :=
  (snd x <=? begins (fst y)) || (snd y <=? begins (fst x)) ||
  negb ((type_of (fst x) =? type_of (fst y))%N && shared (fst x) (fst y)).

Definition equal_set (i j : execution) : bool :=
  (type_of i =? type_of j)%N && equal_ranges (ranges i) (ranges j).

Definition links_hold (k : Z) (l : list ended) : bool :=
  let done := entries (map (fun x => (task_of (fst x), x)) l) in
  forallb (fun e => match find done (source_of e), find done (target_of e) with
                    | Some (i, end_), Some (j, _) =>
                        (if equal_set i j then end_
                         else end_ + k * move (moved e) (type_of i) (size_of (ranges i)) (type_of j)
                                              (size_of (ranges j))) <=? begins j
                    | _, _ => true
                    end) (dependences I).

Definition there_in_time (table : M.t moldable) (k : Z) (r : execution) : bool :=
  (k * release_in table (task_of r) <=? begins r) &&
  match item (of_types I) (type_of r) with
  | Some x => forallb (fun pair => (k * snd pair <=? begins r) ||
                                   negb (existsb (fun y => (fst y <=? Z.of_N (fst pair)) && (Z.of_N (fst pair) <=? snd y))
                                                 (ranges r))) (indexed 0 (busy x))
  | None => true
  end.

Definition moldable_ok (k : Z) (s : list execution) : bool :=
  let table := tabled (all_tasks I) in
  let l := map (fun r => (r, begins r + lasts_in table k r)) s in
  each_once s && forallb (placed_well table) s && every_pair pair_ok l && links_hold k l &&
  forallb (there_in_time table k) s.

Definition span_in (k : Z) (s : list execution) : Z :=
  let table := tabled (all_tasks I) in fold_right Z.max 0 (map (fun r => begins r + lasts_in table k r) s).

Lemma span_in_spec k s : span_in k s = span_of k I s.
Proof. unfold span_in, span_of. f_equal. apply map_ext. intros r. rewrite lasts_in_spec. reflexivity. Qed.

Lemma each_once_spec s : each_once s = true <-> Permutation (map task_of s) (numbers (length (all_tasks I))).
Proof. apply every_number_spec. Qed.

Lemma placed_well_spec r : placed_well (tabled (all_tasks I)) r = true <->
  is_set 0 (processors (machine I) (type_of r)) (ranges r) /\
  mode_time I (task_of r) (type_of r) (size_of (ranges r)) <> None /\ 0 <= begins r.
Proof.
  unfold placed_well. rewrite !andb_true_iff, set_ok_spec, mode_in_spec, Z.leb_le.
  destruct (mode_time I (task_of r) (type_of r) (size_of (ranges r))); intuition congruence.
Qed.

Lemma pair_ok_spec most k i j : is_set 0 most (ranges i) -> is_set 0 most (ranges j) \/ type_of i <> type_of j ->
  (pair_ok (i, finish k I i) (j, finish k I j) = true <-> in_turn k I i j).
Proof.
  intros ok_i ok_j. unfold pair_ok, in_turn. cbn [fst snd].
  rewrite !orb_true_iff, negb_true_iff, andb_false_iff, !Z.leb_le, N.eqb_neq.
  destruct (N.eq_dec (type_of i) (type_of j)) as [same|differs]; [|intuition congruence].
  destruct ok_j as [ok_j|]; [|contradiction]. pose proof (shared_spec most i j ok_i ok_j) as both.
  destruct (shared i j).
  - split; [intros [H|[]] _ _; [tauto|contradiction|discriminate]|]. intros H. left. apply H; [assumption|]. apply both.
    reflexivity.
  - split; [intros _ _ H; apply both in H; discriminate|]. intros _. right. right. reflexivity.
Qed.

Lemma equal_set_spec i j : equal_set i j = true <-> same_set i j.
Proof. unfold equal_set, same_set. rewrite andb_true_iff, N.eqb_eq, equal_ranges_spec. reflexivity. Qed.

Lemma there_in_time_spec k r : is_set 0 (processors (machine I) (type_of r)) (ranges r) -> 0 <= begins r ->
  (there_in_time (tabled (all_tasks I)) k r = true <->
   k * release_of I (task_of r) <= begins r /\ (forall q, has r q -> k * busy_until (machine I) (type_of r) q <= begins r)).
Proof.
  intros ok_ zero. unfold there_in_time. rewrite andb_true_iff, release_in_spec, Z.leb_le.
  unfold busy_until. cbn [platform machine]. destruct (item (of_types I) (type_of r)) as [x|] eqn:found.
  2: { split; [|tauto]. intros [release_ _]. split; [assumption|]. intros q _. rewrite Z.mul_0_r. exact zero. }
  rewrite forallb_forall. split; intros [release_ H]; (split; [assumption|]).
  - intros q (a & b & Hr & range_). pose proof (is_set_forward _ _ _ _ _ ok_ Hr). unfold number.
    destruct (item (busy x) (Z.to_N q)) as [f|] eqn:Hf; [|lia].
    specialize (H (Z.to_N q, f) (proj2 (indexed_item _ _ _) Hf)). cbn [fst snd] in H.
    apply orb_true_iff in H. rewrite Z.leb_le in H. destruct H as [|H]; [assumption|exfalso].
    apply negb_true_iff, not_true_iff_false in H. apply H. apply existsb_exists. exists (a, b). split; [assumption|].
    rewrite andb_true_iff, !Z.leb_le, Z2N.id by lia. simpl. lia.
  - intros [i f] Hf. apply indexed_item in Hf. cbn [fst snd]. apply orb_true_iff. rewrite Z.leb_le.
    destruct (existsb (fun y => (fst y <=? Z.of_N i) && (Z.of_N i <=? snd y)) (ranges r)) eqn:there; [left|auto].
    apply existsb_exists in there. destruct there as ([a b] & Hr & range_). rewrite andb_true_iff, !Z.leb_le in range_.
    simpl in range_. specialize (H (Z.of_N i)). rewrite N2Z.id in H. unfold number in H. rewrite Hf in H. apply H.
    exists a, b. auto.
Qed.

Theorem moldable_ok_correct k s : moldable_ok k s = true <-> moldable_valid k I s.
Proof.
  unfold moldable_ok, moldable_valid, T1, T2, T4.
  assert (same : map (fun r => (r, begins r + lasts_in (tabled (all_tasks I)) k r)) s
                 = map (fun r => (r, finish k I r)) s).
  { apply map_ext. intros r. rewrite lasts_in_spec. reflexivity. }
  cbv zeta. rewrite same, !andb_true_iff, each_once_spec, !forallb_forall, every_pair_spec, ForallOrdPairs_map.
  assert (edges_ : Permutation (map task_of s) (numbers (length (all_tasks I))) ->
            (links_hold k (map (fun r => (r, finish k I r)) s) = true <-> T3 k I s)).
  { intros once. assert (nodup : NoDup (map task_of s)).
    { apply Permutation_sym in once. apply (Permutation_NoDup once), numbers_nodup. }
    assert (asked : forall j x, find (entries (map (fun x => (task_of (fst x), x)) (map (fun r => (r, finish k I r)) s))) j
                                = Some x <-> In (fst x) s /\ snd x = finish k I (fst x) /\ task_of (fst x) = j).
    { intros j x. rewrite find_entries; [|rewrite !map_map; exact nodup]. rewrite map_map, in_map_iff. cbn [fst]. split.
      - intros (r & H & Hr). inversion H; subst. auto.
      - intros (Hr & end_ & <-). exists (fst x). split; [|assumption]. destruct x. simpl in *. congruence. }
    unfold links_hold, T3. rewrite forallb_forall. split.
    - intros H e i j He Hi Hj from_ to_. specialize (H e He).
      rewrite (proj2 (asked (source_of e) (i, finish k I i))) in H by auto.
      rewrite (proj2 (asked (target_of e) (j, finish k I j))) in H by auto. apply Z.leb_le in H.
      pose proof (equal_set_spec i j) as sets. unfold data_there. destruct (equal_set i j); split; intros is_same.
      + exact H.
      + destruct is_same. apply sets. reflexivity.
      + apply sets in is_same. discriminate.
      + exact H.
    - intros H e He.
      destruct (find _ (source_of e)) as [[i end_]|] eqn:Hi; [|reflexivity].
      destruct (find _ (target_of e)) as [[j end']|] eqn:Hj; [|reflexivity].
      apply asked in Hi, Hj. cbn [fst snd] in Hi, Hj. destruct Hi as (Hi & -> & from_), Hj as (Hj & _ & to_).
      apply Z.leb_le. destruct (H e i j He Hi Hj from_ to_) as [equal other].
      destruct (equal_set i j) eqn:sets; [apply equal, equal_set_spec, sets|]. apply other. intros again.
      apply equal_set_spec in again. congruence. }
  assert (turns : (forall r, In r s -> is_set 0 (processors (machine I) (type_of r)) (ranges r)) ->
            (ForallOrdPairs (fun x y => pair_ok (x, finish k I x) (y, finish k I y) = true) s <->
             ForallOrdPairs (in_turn k I) s)).
  { intros sets. split; apply ForallOrdPairs_impl; intros x y Hx Hy H;
      (apply (pair_ok_spec (processors (machine I) (type_of x)) k x y) in H; [exact H|exact (sets x Hx)|]);
      (destruct (N.eq_dec (type_of x) (type_of y)) as [same_type|]; [left; rewrite same_type; exact (sets y Hy)|auto]). }
  split.
  - intros [[[[once places] pairs] edges3] there].
    assert (places' := fun r Hr => proj1 (placed_well_spec r) (places r Hr)).
    split; [|split; [|split]].
    + split; [assumption|]. exact places'.
    + apply turns; [intros r Hr; apply places'; exact Hr|exact pairs].
    + apply edges_; assumption.
    + intros r Hr. destruct (places' r Hr) as (set_ & _ & zero). apply there_in_time_spec; auto.
  - intros ((once & places) & pairs & edges3 & there). split; [split; [split; [split|]|]|].
    + assumption.
    + intros r Hr. apply placed_well_spec. auto.
    + apply turns; [intros r Hr; apply places; exact Hr|exact pairs].
    + apply edges_; assumption.
    + intros r Hr. destruct (places r Hr) as (set_ & _ & zero). apply there_in_time_spec; auto.
Qed.

(** *** Between ticks *)

Definition rounded (k : Z) (r : execution) : execution :=
  {| task_of := task_of r; type_of := type_of r; ranges := ranges r; begins := begins r / k |}.

Lemma finish_rounded k r : 0 < k -> finish 1 I (rounded k r) = finish k I r / k.
Proof.
  intros pos. unfold finish, lasts. rewrite Z.mul_1_l, (Z.mul_comm k), Z.div_add by lia. reflexivity.
Qed.

Lemma valid_rounded k s : 0 < k -> moldable_valid k I s -> moldable_valid 1 I (map (rounded k) s).
Proof.
  intros pos ((once & places) & pairs & edges3 & there). split; [|split; [|split]].
  - split; [rewrite map_map; exact once|]. intros r Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (places q Hq) as (set_ & mode & zero). simpl. split; [assumption|]. split; [assumption|].
    apply Z.div_pos; lia.
  - unfold T2 in *. rewrite ForallOrdPairs_map. revert pairs. apply ForallOrdPairs_impl.
    intros x y _ _ H same both. rewrite !finish_rounded by assumption.
    destruct (H same both); [left|right]; simpl; apply Z.div_le_mono; lia.
  - intros e i j He Hi Hj from_ to_. apply in_map_iff in Hi. destruct Hi as (i' & <- & Hi).
    apply in_map_iff in Hj. destruct Hj as (j' & <- & Hj). destruct (edges3 e i' j' He Hi Hj from_ to_) as [equal other].
    unfold data_there. rewrite finish_rounded by assumption. cbn [type_of ranges begins rounded]. split; intros same.
    + apply Z.div_le_mono; [assumption|]. apply equal. exact same.
    + specialize (other same). unfold data_there in other. apply Z.div_le_lower_bound; [assumption|].
      set (c := move _ _ _ _ _) in *. pose proof (Z.mul_div_le (finish k I i') k pos).
      rewrite Z.mul_1_l, Z.mul_add_distr_l. lia.
  - intros r Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq). destruct (there q Hq) as (release_ & busy_).
    cbn [task_of type_of begins rounded]. split; [|intros p Hp; specialize (busy_ p Hp)];
      rewrite Z.mul_1_l; apply Z.div_le_lower_bound; assumption.
Qed.

Lemma span_rounded k s : 0 < k -> k * span_of 1 I (map (rounded k) s) <= span_of k I s.
Proof.
  intros pos. assert (span_of 1 I (map (rounded k) s) <= span_of k I s / k).
  2: { pose proof (Z.mul_div_le (span_of k I s) k pos). nia. }
  unfold span_of at 1. apply max_le; [apply Z.div_pos; [apply max_nonnegative|assumption]|].
  intros x Hx. rewrite map_map in Hx. apply in_map_iff in Hx. destruct Hx as (r & <- & Hr).
  rewrite finish_rounded by assumption. apply Z.div_le_mono; [assumption|]. apply max_in, in_map, Hr.
Qed.

Theorem moldable_whole_ticks L : (forall s, moldable_valid 1 I s -> L <= span_of 1 I s) -> moldable_bound I L.
Proof.
  intros bounded k s pos ok. pose proof (bounded _ (valid_rounded k s pos ok)). pose proof (span_rounded k s pos). nia.
Qed.

(** *** The instance *)

Definition is_mode (x : option Z) : bool := match x with Some _ => true | None => false end.

Definition table_ok (y : table) : bool :=
  forallb (fun x => match x with Some p => 0 <=? p | None => true end) (by_size y) &&
  (forallb (fun x => match x with Some p => 0 <? p | None => true end) (by_size y) ||
   ((largest y <=? Z.of_nat (length (by_size y))) && (length (filter is_mode (by_size y)) <=? 1)%nat)).

Definition transfer_ok (x : transfer) : bool :=
  match x with
  | ByTypes costs => forallb (forallb (Z.leb 0)) costs
  | ByNetwork n => (0 <? grain n) && (0 <=? between n) && forallb (Z.leb 0) (share n) &&
                   forallb (forallb (Z.leb 0)) (latencies n)
  end.

Definition moldable_instance_ok (ranks : list Z) : bool :=
  let size := N.of_nat (length (all_tasks I)) in
  let rank := tabled ranks in
  let of j := match find rank j with Some r => r | None => 0 end in
  forallb (fun x => 0 <=? count x) (of_types I) && existsb (fun x => 0 <? count x) (of_types I) &&
  forallb (fun x => forallb table_ok (tables x)) (all_tasks I) &&
  forallb (fun e => ((source_of e <? size) && (target_of e <? size))%N) (dependences I) &&
  forallb (fun e => transfer_ok (moved e)) (dependences I) &&
  forallb (fun e => of (source_of e) <? of (target_of e)) (dependences I) &&
  forallb (fun x => 0 <=? released_at x) (all_tasks I) && forallb (fun x => forallb (Z.leb 0) (busy x)) (of_types I).

Lemma one_mode l : (length (filter is_mode l) <= 1)%nat -> forall i j a b,
  item l i = Some (Some a) -> item l j = Some (Some b) -> i = j.
Proof.
  assert (none : forall l i a, item l i = Some (Some a) -> (1 <= length (filter is_mode l))%nat).
  { intros m i a H. apply item_in in H. assert (Hf : In (Some a) (filter is_mode m)) by (apply filter_In; auto).
    destruct (filter is_mode m); [destruct Hf|simpl; lia]. }
  induction l as [|x l IH]; simpl; intros few i j a b Hi Hj; [discriminate|].
  destruct (N.eqb_spec i 0) as [->|i_pos], (N.eqb_spec j 0) as [->|j_pos].
  - reflexivity.
  - inversion Hi; subst. simpl in few. specialize (none l _ _ Hj). lia.
  - inversion Hj; subst. simpl in few. specialize (none l _ _ Hi). lia.
  - assert (same : N.pred i = N.pred j).
    { apply (IH ltac:(destruct (is_mode x); simpl in few; lia) _ _ a b Hi Hj). }
    lia.
Qed.

Lemma time_item y q p : time_of y q = Some p -> 1 <= q <= largest y /\
  item (by_size y) (Z.to_N (Z.min q (Z.of_nat (length (by_size y))) - 1)) = Some (Some p).
Proof.
  unfold time_of. destruct (Z.leb_spec 1 q); [|discriminate]. destruct (Z.leb_spec q (largest y)); [|discriminate].
  cbn [andb]. destruct (item (by_size y) _) as [[x|]|]; intros H'; inversion H'; subst. split; [lia|reflexivity].
Qed.

Lemma table_ok_sound y q p : table_ok y = true -> time_of y q = Some p -> 0 <= p /\ (several y -> 0 < p).
Proof.
  intros ok H. apply time_item in H. destruct H as [range_ H]. unfold table_ok in ok.
  rewrite andb_true_iff, orb_true_iff, andb_true_iff, !forallb_forall, Z.leb_le, Nat.leb_le in ok.
  destruct ok as [nonneg ok]. pose proof (nonneg _ (item_in _ _ _ H)) as zero. simpl in zero. apply Z.leb_le in zero.
  split; [assumption|]. intros (u & v & a & b & differ & Hu & Hv). destruct ok as [positive|[whole few]].
  - specialize (positive _ (item_in _ _ _ H)). simpl in positive. apply Z.ltb_lt. exact positive.
  - exfalso. apply time_item in Hu, Hv. destruct Hu as [range_u Hu], Hv as [range_v Hv].
    pose proof (one_mode _ few _ _ _ _ Hu Hv) as same. lia.
Qed.

Theorem moldable_instance_ok_sound ranks : moldable_instance_ok ranks = true -> moldable_well_formed I.
Proof.
  unfold moldable_instance_ok. rewrite !andb_true_iff.
  intros [[[[[[[counts some] tables_] ends_] costs_] rank] release_] busy_].
  rewrite forallb_forall in *. apply existsb_exists in some. split; [|split; [|split]].
  - split; [intros x Hx; apply Z.leb_le; auto|]. destruct some as (x & Hx & H). exists x. rewrite Z.ltb_lt in H. auto.
  - intros x y q p Hx Hy H. specialize (tables_ x Hx). rewrite forallb_forall in tables_.
    exact (table_ok_sound y q p (tables_ y Hy) H).
  - split; [|split].
    + intros e He. specialize (ends_ e He). rewrite andb_true_iff, !N.ltb_lt in ends_. exact ends_.
    + intros e He. specialize (costs_ e He). unfold transfer_ok in costs_. unfold no_less.
      assert (rows : forall l : list (list Z), forallb (forallb (Z.leb 0)) l = true ->
                forall row c, In row l -> In c row -> 0 <= c).
      { intros l H row c Hrow Hc. rewrite forallb_forall in H. specialize (H row Hrow). rewrite forallb_forall in H.
        apply Z.leb_le. auto. }
      destruct (moved e) as [costs|n]; [exact (rows costs costs_)|].
      rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le in costs_. destruct costs_ as [[[pos least] shares] delays].
      split; [assumption|]. split; [assumption|]. split; [|exact (rows _ delays)].
      intros c Hc. rewrite forallb_forall in shares. apply Z.leb_le. auto.
    + exists (fun j => match find (tabled ranks) j with Some r => r | None => 0 end).
      intros e He. apply Z.ltb_lt. exact (rank e He).
  - split; [intros x Hx; apply Z.leb_le; auto|]. split; [intros x []|].
    intros x f Hx Hf. specialize (busy_ x Hx). rewrite forallb_forall in busy_. apply Z.leb_le. auto.
Qed.
End Decision.
