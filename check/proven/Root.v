(* SPDX-License-Identifier: Apache-2.0 *)
(** The root of a tree of cases: what schedules within a makespan are as packings. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Proven Require Import Problem Lists Valid Capacity Prices Sets Packing Patterns Limits Leaves Tree.
Import ListNotations.
Open Scope Z_scope.

(** *** Of any division of the processors into types *)

Section Division.
Variable I : instance.
Variable types : nat.                        (* of the proof *)
Variable classes : list (list (option Z)).
Variable class_of : N -> option N.           (* the class of a task *)
Variable units : list Z.                     (* of which the classes' times on a type are multiples *)
Variable into : N -> Z -> N.                 (* the type of the proof of each processor of a type of the platform *)
Variable rooms : space.

Let given := numbers (length (platform I)).

(** The times of classes are above 0, and multiples of the units. *)
Definition rows_ok : bool :=
  forallb (fun t => 0 <? number units t) (numbers types) &&
  forallb (fun row => forallb (fun x => match snd x with
                                        | Some p => (0 <? p) && ((fst x <? N.of_nat types)%N && (p mod number units
                                          (fst x) =? 0))
                                        | None => true
                                        end) (indexed 0 row)) classes.

Definition is_in (c j : N) : Z := match class_of j with Some d => if (d =? c)%N then 1 else 0 | None => 0 end.

Definition sizes : list Z := map (fun c => sum (map (is_in c) (map fst (indexed 0 (tasks I))))) (cs classes).

Definition root_with (lefts : list Z) : state :=
  narrow types classes (fun _ => true)
    {| left := lefts; remaining := sizes;
       low := tabulate (size classes) types (fun _ _ => 0);
       high := tabulate (size classes) types (fun c t => match class_time classes c t with Some _ => number sizes c |
         None => 0 end) |}.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis classes_right : rows_ok = true.

Lemma class_times c t p : class_time classes c t = Some p -> In t (numbers types) /\ 0 < p /\ (number units t | p).
Proof.
  unfold class_time. intros H. destruct (item classes c) as [row|] eqn:Hrow; [|discriminate].
  destruct (item row t) as [[q|]|] eqn:Hq; try discriminate. inversion H; subst q.
  unfold rows_ok in classes_right. rewrite andb_true_iff, !forallb_forall in classes_right.
  destruct classes_right as [units_ rows]. apply item_in in Hrow. specialize (rows row Hrow).
    rewrite forallb_forall in rows.
  specialize (rows (t, Some p) (proj2 (indexed_item _ _ _) Hq)). simpl in rows.
  rewrite !andb_true_iff, N.ltb_lt, Z.ltb_lt, Z.eqb_eq in rows. destruct rows as (pos & range_ & divides).
  assert (Ht : In t (numbers types)) by (apply in_numbers; exact range_).
  split; [assumption|]. split; [assumption|]. apply Z.mod_divide; [|assumption].
  specialize (units_ t Ht). apply Z.ltb_lt in units_. lia.
Qed.

Lemma unit_positive t : In t (numbers types) -> 0 < number units t.
Proof.
  unfold rows_ok in classes_right. rewrite andb_true_iff, !forallb_forall in classes_right.
  destruct classes_right as [units_ _]. intros Ht. apply Z.ltb_lt. auto.
Qed.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.

Definition on_processor (t : N) (q : Z) : list run :=
  filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)).

Definition pattern_of (t : N) (q : Z) (c : N) : Z := sum (map (fun r => is_in c (job r)) (on_processor t q)).

Definition range_of (t : N) : list Z := map Z.of_nat (seq 0 (Z.to_nat (processors I t))).

Definition packing : list (N * (N -> Z)) :=
  flat_map (fun t => map (fun q => (into t q, pattern_of t q)) (range_of t)) given.

Hypothesis run_class : forall r c, In r (runs s) -> class_of (job r) = Some c ->
  In c (cs classes) /\ class_time classes c (into (on r) (proc r)) = Some (duration I (on r) (job r)).
Hypothesis into_inside : forall t q, In t given -> 0 <= q < processors I t -> In (into t q) (numbers types).

Lemma range_in_type t q : In q (range_of t) <-> 0 <= q < processors I t.
Proof.
  unfold range_of. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros range_. exists (Z.to_nat q). rewrite in_seq. lia.
Qed.

Lemma on_processor_run t q r : In r (on_processor t q) -> In r (runs s) /\ on r = t /\ proc r = q.
Proof.
  intros H. apply filter_In in H. destruct H as [H same]. apply filter_In in H. rewrite N.eqb_eq in H.
  apply Z.eqb_eq in same. tauto.
Qed.

Definition by_class (f : N -> Z) (r : run) : Z := match class_of (job r) with Some d => f d | None => 0 end.

Lemma one_class (f : N -> Z) r : (forall d, class_of (job r) = Some d -> In d (cs classes)) ->
  sum (map (fun c => is_in c (job r) * f c) (cs classes)) = by_class f r.
Proof.
  intros inside. unfold is_in, by_class. destruct (class_of (job r)) as [d|].
  - specialize (inside d eq_refl). clear run_class. revert inside. generalize (numbers_nodup (size classes) : NoDup (cs classes)).
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
  destruct (on_processor_run t q r Hr) as (Hr' & _). apply (run_class r d Hr' Hd).
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

Lemma pattern_nonnegative t q c : 0 <= pattern_of t q c.
Proof.
  apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (r & <- & _). apply is_in_nonnegative.
Qed.

(** Where a pattern has a task of a class, there is a run of one. *)
Lemma pattern_run t q c : pattern_of t q c <> 0 -> exists r, In r (on_processor t q) /\ class_of (job r) = Some c.
Proof.
  intros nonzero. pose proof (pattern_nonnegative t q c). assert (one : 1 <= pattern_of t q c) by lia.
  apply some_positive in one. destruct one as (r & Hr & one). exists r. split; [exact Hr|]. unfold is_in in one.
  destruct (class_of (job r)) as [e|]; [|lia]. destruct (N.eqb_spec e c); [congruence|lia].
Qed.

Lemma pattern_modes t q c : pattern_of t q c <> 0 ->
  exists p, class_time classes c (into t q) = Some p /\ 0 < p.
Proof.
  intros nonzero. destruct (pattern_run t q c nonzero) as (r & Hr & Hc).
  destruct (on_processor_run t q r Hr) as (Hr' & same_on & same_proc).
  destruct (run_class r c Hr' Hc) as [_ found]. rewrite same_on, same_proc in found.
  eexists. split; [exact found|]. apply (class_times _ _ _ found).
Qed.

(** What a class takes on a type, of some classes. *)
Definition takes_of (u : N) (some : N -> bool) (c : N) : Z := if some c then takes classes u c else 0.

Lemma run_takes t q some r : In r (on_processor t q) ->
  by_class (takes_of (into t q) some) r =
  if match class_of (job r) with Some d => some d | None => false end then duration I (on r) (job r) else 0.
Proof.
  intros Hr. destruct (on_processor_run t q r Hr) as (Hr' & same_on & same_proc). unfold by_class, takes_of, takes.
  destruct (class_of (job r)) as [d|] eqn:Hd; [|reflexivity].
  destruct (run_class r d Hr' Hd) as [_ found]. rewrite same_on, same_proc in found. rewrite found, same_on.
  reflexivity.
Qed.

(** Times on a processor add up to a multiple of the unit. *)
Lemma pattern_within t q most_ : In (into t q) (numbers types) ->
  sum (map (fun r => duration I (on r) (job r)) (on_processor t q)) <= most_ ->
  sum (map (fun c => pattern_of t q c * takes classes (into t q) c) (cs classes))
  <= number units (into t q) * (most_ / number units (into t q)).
Proof.
  intros Ht within_. rewrite (pattern_total t q (takes classes (into t q))). pose proof (unit_positive _ Ht) as pos.
  assert (parts : forall l, incl l (on_processor t q) ->
            sum (map (by_class (takes classes (into t q))) l) <= sum (map (fun r => duration I (on r) (job r)) l) /\
            (number units (into t q) | sum (map (by_class (takes classes (into t q))) l))).
  { induction l as [|r l IH]; intros inside; cbn [map sum fold_right]; [split; [lia|apply Z.divide_0_r]|].
    destruct (IH (fun x H => inside x (or_intror H))) as [less divides].
    fold (sum (map (fun r => duration I (on r) (job r)) l)).
    fold (sum (map (by_class (takes classes (into t q))) l)).
    assert (Hr : In r (on_processor t q)) by (apply inside; left; reflexivity).
    destruct (on_processor_run t q r Hr) as (Hr' & same_on & same_proc).
    pose proof (duration_nonnegative I (on r) (job r) times_ok) as nonneg.
    assert (same : by_class (takes classes (into t q)) r =
                   if match class_of (job r) with Some _ => true | None => false end
                   then duration I (on r) (job r) else 0).
    { etransitivity; [|exact (run_takes t q (fun _ => true) r Hr)]. reflexivity. }
    rewrite same. destruct (class_of (job r)) as [d|] eqn:Hd; [|split; [lia|rewrite Z.add_0_l; exact divides]].
    destruct (run_class r d Hr' Hd) as [_ found]. rewrite same_on, same_proc in found.
    split; [lia|]. apply Z.divide_add_r; [|exact divides]. rewrite same_on. apply (class_times _ _ _ found). }
  destruct (parts (on_processor t q) (incl_refl _)) as [less (k & whole)].
  assert (k <= most_ / number units (into t q)) by (apply Z.div_le_lower_bound; nia). nia.
Qed.

Lemma flat_sum {A B} (f : B -> Z) (g : A -> list B) l :
  sum (map f (flat_map g l)) = sum (map (fun x => sum (map f (g x))) l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [flat_map map]. rewrite map_app, sum_app, IH. reflexivity.
Qed.

Lemma all_patterns c : sum (map (fun x => snd x c) packing) = sum (map (fun r => is_in c (job r)) (runs s)).
Proof.
  rewrite (sum_groups_equal N.eq_dec on (fun r => is_in c (job r)) given).
  - unfold packing. rewrite flat_sum. apply sum_map_ext. intros t _. rewrite map_map. cbn [snd].
    rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N).
    rewrite (sum_groups_equal Z.eq_dec proc (fun r => is_in c (job r)) (range_of t)).
    + apply sum_map_ext. intros q _. unfold pattern_of, on_processor. f_equal. f_equal. apply filter_ext. intros r.
      symmetry. apply decide_Z.
    + apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup].
    + intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
      apply range_in_type. apply (valid_placed I s r ok Hr).
  - apply numbers_nodup.
  - intros r Hr. apply (placed_type I r (valid_placed I s r ok Hr)).
Qed.

Lemma in_packing x : In x packing -> exists t q, In t given /\ 0 <= q < processors I t /\ x = (into t q, pattern_of t q).
Proof.
  unfold packing. rewrite in_flat_map. intros (t & Ht & Hx). apply in_map_iff in Hx. destruct Hx as (q & <- & Hq).
  exists t, q. apply range_in_type in Hq. auto.
Qed.

Theorem division_packs lefts :
  (forall t q, In t given -> 0 <= q < processors I t -> good classes rooms sizes (into t q, pattern_of t q)) ->
  (forall u, In u (numbers types) -> Z.of_nat (length (of_type u packing)) <= number lefts u) ->
  packs types classes rooms sizes (root_with lefts) packing.
Proof.
  intros each enough. apply narrow_packs.
  assert (goods : forall x, In x packing -> good classes rooms sizes x /\ In (fst x) (ts types)).
  { intros x Hx. apply in_packing in Hx. destruct Hx as (t & q & Ht & Hq & ->). split; [apply each; assumption|].
    apply into_inside; assumption. }
  assert (total : forall c, In c (cs classes) ->
            sum (map (fun u => placed_on packing u c) (ts types)) = number sizes c).
  { intros c Hc. rewrite (size_total c Hc), <- (all_patterns c).
    rewrite (sum_groups_equal N.eq_dec (fun x : N * (N -> Z) => fst x) (fun x => snd x c) (ts types) packing
      (numbers_nodup _)) by (intros x Hx; apply goods, Hx).
    apply sum_map_ext. intros u _. unfold placed_on, of_type. f_equal. f_equal. apply filter_ext. intros x. symmetry.
    apply decide_N. }
  assert (nonneg : forall t c, 0 <= placed_on packing t c).
  { intros t c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (x & <- & Hx).
    apply filter_In in Hx. destruct (goods x (proj1 Hx)) as [(H & _) _]. apply H. }
  split; [exact goods|]. split; [exact enough|]. split.
  - intros c Hc. exact (total c Hc).
  - intros c t Hc Ht. simpl. rewrite !cell_tabulate by assumption. split; [apply nonneg|].
    destruct (class_time classes c t) as [p|] eqn:found.
    + rewrite <- (total c Hc). apply (in_sum (fun t => placed_on packing t c)); [intros; apply nonneg|exact Ht].
    + apply sum_nonpositive. intros x Hx. apply filter_In in Hx. destruct Hx as [Hx same]. apply N.eqb_eq in same.
      destruct (goods x Hx) as [(_ & modes_ & _) _].
      destruct (Z.eq_dec (snd x c) 0) as [->|nonzero]; [lia|]. destruct (modes_ c Hc nonzero) as (p & found' & _).
      rewrite same in found'. congruence.
Qed.

(** How many processors are of a type of the proof. *)
Lemma packing_length u : Z.of_nat (length (of_type u packing)) =
  sum (map (fun t => Z.of_nat (length (filter (fun q => (into t q =? u)%N) (range_of t)))) given).
Proof.
  assert (one : forall t, length (filter (fun x => (fst x =? u)%N) (map (fun q => (into t q, pattern_of t q)) (range_of t)))
                        = length (filter (fun q => (into t q =? u)%N) (range_of t))).
  { intros t. induction (range_of t) as [|q m IHm]; [reflexivity|]. cbn [map filter fst].
    destruct (into t q =? u)%N; cbn [length]; congruence. }
  unfold packing, of_type. generalize given as all. induction all as [|t l IH]; [reflexivity|]. cbn [flat_map map].
  rewrite filter_app, app_length, Nat2Z.inj_add, IH, one. reflexivity.
Qed.
End Schedule.
End Division.

(** *** Of types of the platform, some of which may be one *)

Section Root.
Variable I : instance.
Variable L : Z.
Variable types : nat.
Variable into : N -> N.                      (* which type of the proof a type of the platform is *)
Variable classes : list (list (option Z)).
Variable class_of : N -> option N.
Variable units : list Z.

Let given := numbers (length (platform I)).

Definition rooms_of : space :=
  {| most_time := map (fun t => number units t * (L / number units t)) (numbers types); waits := None |}.

Definition classes_ok : bool :=
  forallb (fun t => (into t <? N.of_nat types)%N) given &&
  rows_ok types classes units &&
  forallb (fun pair => match class_of (fst pair) with
                       | Some c => (c <? N.of_nat (length classes))%N &&
                                   forallb (fun mode => match class_time classes c (into (fst mode)) with
                                                        | Some p => p =? snd mode
                                                        | None => false
                                                        end) (within I L (snd pair))
                       | None => true
                       end) (indexed 0 (tasks I)).

Definition of_one (u : N) : list N := filter (fun t => (into t =? u)%N) given.

Definition root : state :=
  root_with I types classes class_of (map (fun u => sum (map (processors I) (of_one u))) (numbers types)).

Definition tree_holds (files : list vector_file) (n : node) : bool :=
  let M := model_of types classes rooms_of (sizes I classes class_of) files in
  (0 <=? L) && classes_ok && model_ok M && node_holds M nothing_known root n.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis L_ok : 0 <= L.
Hypothesis all_ok : classes_ok = true.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Lemma classes_right : rows_ok types classes units = true.
Proof. unfold classes_ok in all_ok. rewrite !andb_true_iff in all_ok. apply all_ok. Qed.

Lemma into_inside t : In t given -> In (into t) (numbers types).
Proof.
  intros Ht. unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok.
  destruct all_ok as [[into_ _] _]. apply in_numbers, N.ltb_lt. auto.
Qed.

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

Lemma root_packs : packs types classes rooms_of (sizes I classes class_of) root
                         (packing I class_of (fun t _ => into t) s).
Proof.
  apply division_packs; try assumption.
  - intros t q Ht _. apply into_inside. exact Ht.
  - intros t q Ht _. pose proof (into_inside t Ht) as inside. split; [|split; [|split; [|split]]]; simpl.
    + intros c. apply pattern_nonnegative.
    + intros c _ nonzero.
      exact (pattern_modes I types classes class_of units (fun t _ => into t) classes_right s run_class t q c nonzero).
    + unfold room_on, rooms_of. simpl. rewrite (Packing.number_map types) by exact inside.
      apply (pattern_within I types classes class_of units (fun t _ => into t) times_ok classes_right s run_class t q);
        [exact inside|].
      etransitivity; [apply (one_processor I times_ok s t q ok)|exact short].
    + intros c Hc. apply pattern_few; assumption.
    + reflexivity.
  - intros u Hu. rewrite packing_length, (Packing.number_map types) by exact Hu. apply Z.eq_le_incl. unfold of_one.
    fold given. induction given as [|t l IH]; [reflexivity|]. cbn [map sum fold_right filter].
    match goal with |- context [fold_right Z.add 0 (map ?f l)] => fold (sum (map f l)) end. rewrite IH.
    destruct (into t =? u)%N.
    + cbn [map sum fold_right]. unfold sum. f_equal.
      replace (filter (fun _ : Z => true) (range_of I t)) with (range_of I t).
      * unfold range_of. rewrite map_length, seq_length. pose proof (processors_nonnegative I t counts_ok). lia.
      * induction (range_of I t) as [|q m IHm]; [reflexivity|]. simpl. congruence.
    + replace (filter (fun _ : Z => false) (range_of I t)) with (@nil Z); [reflexivity|].
      induction (range_of I t) as [|q m IHm]; [reflexivity|]. exact IHm.
Qed.
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
