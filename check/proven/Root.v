(* SPDX-License-Identifier: Apache-2.0 *)
(** The root of a tree of cases: what schedules within a makespan are as packings. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Proven Require Import Problem Lists Table Valid Capacity Prices Sets Allocation Packing Patterns Limits Leaves Tree.
Import ListNotations.
Open Scope Z_scope.

Section Root.
Variable I : instance.
Variable L : Z.
Variable types : nat.                        (* of the proof; some of the platform may be one *)
Variable into : N -> N.                      (* which of these a type of the platform is *)
Variable classes : list (list (option Z)).
Variable class_of : N -> option N.           (* the class of a task *)
Variable units : list Z.                     (* of which the classes' times on a type are multiples *)

Let given := numbers (length (platform I)).

Definition rooms_of : list Z := map (fun t => number units t * (L / number units t)) (numbers types).

Definition classes_ok : bool :=
  forallb (fun t => (into t <? N.of_nat types)%N) given &&
  forallb (fun t => 0 <? number units t) (numbers types) &&
  forallb (fun row => forallb (fun x => match snd x with
                                        | Some p => (0 <? p) && ((fst x <? N.of_nat types)%N && (p mod number units
                                          (fst x) =? 0))
                                        | None => true
                                        end) (indexed 0 row)) classes &&
  forallb (fun pair => match class_of (fst pair) with
                       | Some c => (c <? N.of_nat (length classes))%N &&
                                   forallb (fun mode => match class_time classes c (into (fst mode)) with
                                                        | Some p => p =? snd mode
                                                        | None => false
                                                        end) (within I L (snd pair))
                       | None => true
                       end) (indexed 0 (tasks I)).

Definition is_in (c j : N) : Z := match class_of j with Some d => if (d =? c)%N then 1 else 0 | None => 0 end.

Definition sizes : list Z := map (fun c => sum (map (is_in c) (map fst (indexed 0 (tasks I))))) (cs classes).

Definition of_one (u : N) : list N := filter (fun t => (into t =? u)%N) given.

Definition root : state :=
  narrow types classes (fun _ => true)
    {| left := map (fun u => sum (map (processors I) (of_one u))) (numbers types); remaining := sizes;
       low := tabulate (size classes) types (fun _ _ => 0);
       high := tabulate (size classes) types (fun c t => match class_time classes c t with Some _ => number sizes c |
         None => 0 end) |}.

Definition tree_holds (files : list vector_file) (n : node) : bool :=
  let M := model_of types classes rooms_of sizes files in
  (0 <=? L) && classes_ok && model_ok M && node_holds M nothing_known root n.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis L_ok : 0 <= L.
Hypothesis all_ok : classes_ok = true.

Lemma into_inside t : In t given -> In (into t) (numbers types).
Proof.
  intros Ht. unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok.
  destruct all_ok as [[[into_ _] _] _]. apply in_numbers, N.ltb_lt. auto.
Qed.

Lemma class_times c t p : class_time classes c t = Some p -> In t (numbers types) /\ 0 < p /\ (number units t | p).
Proof.
  unfold class_time. intros H. destruct (item classes c) as [row|] eqn:Hrow; [|discriminate].
  destruct (item row t) as [[q|]|] eqn:Hq; try discriminate. inversion H; subst q.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok.
  destruct all_ok as [[[_ units_] rows] _]. apply item_in in Hrow. specialize (rows row Hrow).
    rewrite forallb_forall in rows.
  specialize (rows (t, Some p) (proj2 (indexed_item _ _ _) Hq)). simpl in rows.
  rewrite !andb_true_iff, N.ltb_lt, Z.ltb_lt, Z.eqb_eq in rows. destruct rows as (pos & range_ & divides).
  assert (Ht : In t (numbers types)) by (apply in_numbers; exact range_).
  split; [assumption|]. split; [assumption|]. apply Z.mod_divide; [|assumption].
  specialize (units_ t Ht). apply Z.ltb_lt in units_. lia.
Qed.

Lemma unit_positive t : In t (numbers types) -> 0 < number units t.
Proof.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok. destruct all_ok as [[[_ units_] _] _].
  intros Ht. apply Z.ltb_lt. auto.
Qed.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Definition on_processor (t : N) (q : Z) : list run :=
  filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)).

Definition pattern_of (t : N) (q : Z) (c : N) : Z := sum (map (fun r => is_in c (job r)) (on_processor t q)).

Definition range_of (t : N) : list Z := map Z.of_nat (seq 0 (Z.to_nat (processors I t))).

Definition packing : list (N * (N -> Z)) :=
  flat_map (fun t => map (fun q => (into t, pattern_of t q)) (range_of t)) given.

Lemma run_class r c : In r (runs s) -> class_of (job r) = Some c ->
  In c (cs classes) /\ class_time classes c (into (on r)) = Some (duration I (on r) (job r)).
Proof.
  intros Hr Hc. destruct (job_item I s r ok Hr) as (x & Hx).
  pose proof (covers_within I s L ok short r x Hr Hx) as mode.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok. destruct all_ok as [_ each].
  specialize (each (job r, x) (proj2 (indexed_item _ _ _) Hx)). simpl in each. rewrite Hc in each.
  rewrite andb_true_iff, N.ltb_lt, forallb_forall in each. destruct each as [Hc' each].
  split; [apply in_numbers; exact Hc'|]. specialize (each _ mode). simpl in each.
  destruct (class_time classes c (into (on r))) as [p|]; [|discriminate]. apply Z.eqb_eq in each. congruence.
Qed.

Lemma on_processor_run t q r : In r (on_processor t q) -> In r (runs s) /\ on r = t.
Proof.
  intros H. apply filter_In in H. destruct H as [H _]. apply filter_In in H. rewrite N.eqb_eq in H. exact H.
Qed.

Definition by_class (f : N -> Z) (r : run) : Z := match class_of (job r) with Some d => f d | None => 0 end.

Lemma one_class (f : N -> Z) r : (forall d, class_of (job r) = Some d -> In d (cs classes)) ->
  sum (map (fun c => is_in c (job r) * f c) (cs classes)) = by_class f r.
Proof.
  intros inside. unfold is_in, by_class. destruct (class_of (job r)) as [d|].
  - specialize (inside d eq_refl). revert inside. generalize (numbers_nodup (size classes) : NoDup (cs classes)).
    induction (cs classes) as [|c l IH]; intros nodup H; [destruct H|]. inversion nodup as [|? ? fresh nodup']; subst.
    cbn [map sum fold_right]. fold (sum (map (fun c => (if (d =? c)%N then 1 else 0) * f c) l)).
    destruct (N.eqb_spec d c) as [->|differs].
    + assert (sum (map (fun e => (if (c =? e)%N then 1 else 0) * f e) l) = 0); [|lia].
      clear - fresh. induction l as [|e l IH]; [reflexivity|]. cbn [map sum fold_right].
      fold (sum (map (fun e => (if (c =? e)%N then 1 else 0) * f e) l)).
      rewrite IH by (intros H; apply fresh; right; exact H).
      destruct (N.eqb_spec c e) as [->|]; [destruct fresh; left; reflexivity|reflexivity].
    + destruct H as [->|H]; [congruence|]. rewrite IH; auto.
  - apply Z.le_antisymm; [apply sum_nonpositive; intros; lia|].
    apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (c & <- & _). lia.
Qed.

Lemma pattern_total t q (f : N -> Z) :
  sum (map (fun c => pattern_of t q c * f c) (cs classes)) = sum (map (by_class f) (on_processor t q)).
Proof.
  rewrite (sum_map_ext _ (fun c => sum (map (fun r => is_in c (job r) * f c) (on_processor t q)))).
  2: { intros c _. unfold pattern_of. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros. lia. }
  rewrite sum_swap. apply sum_map_ext. intros r Hr. apply one_class. intros d Hd.
  destruct (on_processor_run t q r Hr) as [Hr' _]. apply (run_class r d Hr' Hd).
Qed.

Lemma is_in_nonnegative c j : 0 <= is_in c j.
Proof. unfold is_in. destruct (class_of j) as [d|]; [destruct (d =? c)%N|]; lia. Qed.

Lemma size_total c : In c (cs classes) -> number sizes c = sum (map (fun r => is_in c (job r)) (runs s)).
Proof.
  intros Hc. unfold sizes. rewrite number_cs by assumption. rewrite indexed_numbers.
  rewrite <- (sum_permutation _ _ (Permutation_map (is_in c) (proj1 (proj1 ok)))), map_map. reflexivity.
Qed.

Lemma pattern_few t q c : In c (cs classes) -> pattern_of t q c <= number sizes c.
Proof.
  intros Hc. rewrite (size_total c Hc). unfold pattern_of, on_processor.
  rewrite (sum_filter _ (fun r => (on r =? t)%N) (runs s)), (sum_filter _ (fun r => proc r =? q) (filter _ (runs s))).
  assert (nonneg : forall l, 0 <= sum (map (fun r => is_in c (job r)) l)).
  { intros l. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (r & <- & _).
    apply is_in_nonnegative. }
  pose proof (nonneg (filter (fun r => negb (on r =? t)%N) (runs s))).
  pose proof (nonneg (filter (fun r => negb (proc r =? q)) (filter (fun r => (on r =? t)%N) (runs s)))). lia.
Qed.

Lemma pattern_good t q : In t given -> good classes rooms_of sizes (into t, pattern_of t q).
Proof.
  intros Hg. pose proof (into_inside t Hg) as Ht. split; [|split; [|split]]; simpl.
  - intros c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (r & <- & _).
    apply is_in_nonnegative.
  - intros c Hc nonzero. assert (one : 1 <= pattern_of t q c).
    { assert (0 <= pattern_of t q c); [|lia]. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz.
      destruct Hz as (r & <- & _). apply is_in_nonnegative. }
    apply some_positive in one. destruct one as (r & Hr & one). destruct (on_processor_run t q r Hr) as [Hr' same].
    unfold is_in in one. destruct (class_of (job r)) as [d|] eqn:Hd; [|lia].
    destruct (N.eqb_spec d c) as [->|]; [|lia]. destruct (run_class r c Hr' Hd) as [_ found]. rewrite same in found.
    eexists. split; [exact found|]. apply (class_times _ _ _ found).
  - unfold takes. rewrite (pattern_total t q (fun c => match class_time classes c (into t) with Some p => p | None => 0
      end)).
    unfold rooms_of. rewrite (Packing.number_map types) by exact Ht. pose proof (unit_positive (into t) Ht) as pos.
    assert (parts : forall l, (forall r, In r l -> In r (runs s) /\ on r = t) ->
              let total := sum (map (by_class (fun c => match class_time classes c (into t) with Some p => p | None => 0
                end)) l) in
              total <= sum (map (fun r => duration I (on r) (job r)) l) /\ (number units (into t) | total)).
    { induction l as [|r l IH]; intros inside; cbn [map sum fold_right]; [split; [lia|apply Z.divide_0_r]|].
      destruct (IH (fun x H => inside x (or_intror H))) as [less divides].
      destruct (inside r (or_introl eq_refl)) as [Hr same].
      fold (sum (map (fun r => duration I (on r) (job r)) l)).
      fold (sum (map (by_class (fun c => match class_time classes c (into t) with Some p => p | None => 0 end)) l)).
      assert (one : by_class (fun c => match class_time classes c (into t) with Some p => p | None => 0 end) r
                    <= duration I (on r) (job r) /\
                    (number units (into t) | by_class (fun c => match class_time classes c (into t) with Some p => p |
                      None => 0 end) r)).
      { unfold by_class. destruct (class_of (job r)) as [d|] eqn:Hd.
        - destruct (run_class r d Hr Hd) as [_ found]. rewrite same in found. rewrite found.
          split; [rewrite same; lia|apply (class_times _ _ _ found)].
        - split; [apply duration_nonnegative; exact times_ok|apply Z.divide_0_r]. }
      cbv zeta in *. split; [lia|]. apply Z.divide_add_r; tauto. }
    destruct (parts (on_processor t q) (on_processor_run t q)) as [less (k & whole)]. cbv zeta in *.
    pose proof (one_processor I times_ok s t q ok) as fits_. fold (on_processor t q) in fits_.
    assert (k <= L / number units (into t)) by (apply Z.div_le_lower_bound; nia). nia.
  - intros c Hc. apply pattern_few. exact Hc.
Qed.

Lemma packing_type u :
  of_type u packing = flat_map (fun t => map (fun q => (into t, pattern_of t q)) (range_of t)) (of_one u).
Proof.
  unfold packing, of_one. induction given as [|t l IH]; [reflexivity|]. cbn [flat_map filter]. unfold of_type in *.
  rewrite filter_app, IH. destruct (N.eqb_spec (into t) u) as [same|differs].
  - cbn [flat_map]. f_equal. clear IH. induction (range_of t) as [|q m IHm]; [reflexivity|]. cbn [map filter fst].
    destruct (N.eqb_spec (into t) u); [f_equal; exact IHm|contradiction].
  - clear IH. replace (filter _ (map _ (range_of t))) with (@nil (N * (N -> Z))); [reflexivity|].
    induction (range_of t) as [|q m IHm]; [reflexivity|]. cbn [map filter fst].
    destruct (N.eqb_spec (into t) u); [contradiction|exact IHm].
Qed.

Definition on_type (c t : N) : Z := sum (map (fun r => is_in c (job r)) (filter (fun r => (on r =? t)%N) (runs s))).

Lemma packing_placed u c : placed_on packing u c = sum (map (on_type c) (of_one u)).
Proof.
  unfold placed_on. rewrite packing_type. induction (of_one u) as [|t l IH]; [reflexivity|].
  cbn [flat_map map]. rewrite map_app, sum_app, IH, map_map. cbn [sum fold_right]. fold (sum (map (on_type c) l)).
  f_equal. unfold on_type.
  rewrite (sum_groups_equal Z.eq_dec proc (fun r => is_in c (job r)) (range_of t)).
  - apply sum_map_ext. intros q _. unfold pattern_of, on_processor. simpl. f_equal. f_equal. apply filter_ext. intros r.
    symmetry. apply decide_Z.
  - apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup].
  - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
    destruct (valid_placed I s r ok Hr) as (_ & there & _). unfold range_of. apply in_map_iff.
    exists (Z.to_nat (proc r)). rewrite in_seq. lia.
Qed.

Lemma packing_length u : Z.of_nat (length (of_type u packing)) = sum (map (processors I) (of_one u)).
Proof.
  rewrite packing_type. induction (of_one u) as [|t l IH]; [reflexivity|]. cbn [flat_map map sum fold_right].
  fold (sum (map (processors I) l)). rewrite app_length, map_length. unfold range_of at 1.
  rewrite map_length, seq_length. pose proof (processors_nonnegative I t counts_ok). lia.
Qed.

Lemma root_packs : packs types classes rooms_of sizes root packing.
Proof.
  apply narrow_packs.
  assert (total : forall c, In c (cs classes) -> sum (map (fun u => placed_on packing u c) (ts types)) = number sizes
    c).
  { intros c Hc. rewrite (size_total c Hc).
    rewrite (sum_groups_equal N.eq_dec on (fun r => is_in c (job r)) given).
    - rewrite (sum_groups_equal N.eq_dec into (fun t => sum (map (fun r => is_in c (job r)) (filter (fun r =>
        if N.eq_dec (on r) t then true else false) (runs s)))) (numbers types) given (numbers_nodup _) into_inside).
      apply sum_map_ext. intros u _. rewrite packing_placed. unfold of_one.
      rewrite (filter_ext _ (fun t => if N.eq_dec (into t) u then true else false)) by (intros; symmetry; apply
        decide_N).
      apply sum_map_ext. intros t _. unfold on_type. f_equal. f_equal. apply filter_ext. intros r. symmetry.
      apply decide_N.
    - apply numbers_nodup.
    - intros r Hr. apply (placed_type I r (valid_placed I s r ok Hr)). }
  assert (goods : forall x, In x packing -> good classes rooms_of sizes x /\ In (fst x) (ts types)).
  { intros x Hx. unfold packing in Hx. apply in_flat_map in Hx. destruct Hx as (t & Ht & Hx).
    apply in_map_iff in Hx. destruct Hx as (q & <- & _). split; [apply pattern_good; exact Ht|].
    apply into_inside. exact Ht. }
  assert (nonneg : forall t c, 0 <= placed_on packing t c).
  { intros t c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (x & <- & Hx).
    apply filter_In in Hx. destruct (goods x (proj1 Hx)) as [(H & _) _]. apply H. }
  split; [exact goods|]. split; [|split].
  - intros t Ht. simpl. rewrite (Packing.number_map types) by exact Ht. rewrite packing_length. lia.
  - intros c Hc. exact (total c Hc).
  - intros c t Hc Ht. simpl. rewrite !cell_tabulate by assumption. split; [apply nonneg|].
    destruct (class_time classes c t) as [p|] eqn:found.
    + rewrite <- (total c Hc). apply (in_sum (fun t => placed_on packing t c)); [intros; apply nonneg|exact Ht].
    + apply sum_nonpositive. intros x Hx. apply filter_In in Hx. destruct Hx as [Hx same]. apply N.eqb_eq in same.
      destruct (goods x Hx) as [(_ & modes_ & _) _].
      destruct (Z.eq_dec (snd x c) 0) as [->|nonzero]; [lia|]. destruct (modes_ c Hc nonzero) as (p & found' & _).
      rewrite same in found'. congruence.
Qed.
End Schedule.
End Root.

Theorem tree_sound I L types into classes class_of units files n : I1 I -> I2 I ->
  tree_holds I L types into classes class_of units files n = true -> forall s, valid I s -> L + 1 <= makespan I s.
Proof.
  intros counts_ok times_ok H s ok. unfold tree_holds in H. rewrite !andb_true_iff in H.
  destruct H as [[[L_ok all] good_] H]. apply Z.leb_le in L_ok.
  destruct (Z_le_gt_dec (L + 1) (makespan I s)) as [|short]; [assumption|exfalso].
  refine (node_sound n _ _ _ _ good_ H (root_packs I L types into classes class_of units counts_ok times_ok all s ok
    ltac:(lia)) _).
  split; [intros u l []|]. split; [intros r []|intros j w x []].
Qed.
