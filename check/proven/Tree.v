(* SPDX-License-Identifier: Apache-2.0 *)
(** Proofs by a tree of cases, of independent tasks: vectors, and the nodes [nowhere], [price], [knapsack], [branch] and
    [cover]. *)
From Coq Require Import ZArith List Lia Bool Permutation FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Sets Allocation Packing Patterns.
Import ListNotations.
Open Scope Z_scope.

Inductive node :=
| Nowhere (c : N)
| Priced (v : N)
| Divided (weight0 weight1 : Z)
| Branched (t c : N) (a : Z) (below above : node)
| Covered (v t c : N) (children : list node).

Section NodeInduction.
Variable Q : node -> Prop.
Hypothesis nowhere : forall c, Q (Nowhere c).
Hypothesis priced : forall v, Q (Priced v).
Hypothesis divided : forall w0 w1, Q (Divided w0 w1).
Hypothesis branched : forall t c a below above, Q below -> Q above -> Q (Branched t c a below above).
Hypothesis covered_ : forall v t c children, Forall Q children -> Q (Covered v t c children).

Fixpoint node_induction (n : node) : Q n :=
  match n with
  | Nowhere c => nowhere c
  | Priced v => priced v
  | Divided w0 w1 => divided w0 w1
  | Branched t c a below above => branched t c a below above (node_induction below) (node_induction above)
  | Covered v t c children =>
      covered_ v t c children
        ((fix every (l : list node) : Forall Q l :=
            match l with [] => Forall_nil Q | n :: l => Forall_cons n (node_induction n) (every l) end) children)
  end.
End NodeInduction.

Section Nodes.
Variable types : nat.
Variable classes : list (list (option Z)).
Variable rooms : list Z.
Variable vectors : list vector.

(** What a class may take of two types. *)
Definition shares (S : state) (c : N) : list (Z * Z) :=
  map (fun x => (- ((number (remaining S) c - x) * takes classes 1 c), x * takes classes 0 c))
      (range (Z.max 0 (cell (low S) c 0)) (Z.min (cell (high S) c 0) (number (remaining S) c))).

Definition divided (S : state) (w0 w1 : Z) : bool :=
  let items := map (shares S) (cs classes) in
  (types =? 2)%nat && (0 <=? w0) && (0 <=? w1) &&
  fails (number (left S) 0 * number rooms 0) (number (left S) 1 * number rooms 1) w0 w1 items
        (sum (map (least w0 w1) items)) [(0, 0)].

Fixpoint node_holds (S : state) (n : node) : bool :=
  match n with
  | Nowhere c => (c <? N.of_nat (size classes))%N && impossible types S c
  | Priced v => match item vectors v with Some v => slack types classes S v <? 0 | None => false end
  | Divided w0 w1 => divided S w0 w1
  | Branched t c a below above =>
      (c <? N.of_nat (size classes))%N && (t <? N.of_nat types)%N &&
      (cell (low S) c t <=? a) && (a <? cell (high S) c t) &&
      node_holds (narrow types classes (N.eqb c) (with_high types classes S c t a)) below &&
      node_holds (narrow types classes (N.eqb c) (with_low types classes S c t (a + 1))) above
  | Covered v t c children =>
      match item vectors v with
      | None => false
      | Some v =>
          (c <? N.of_nat (size classes))%N && (t <? N.of_nat types)%N && (1 <=? cell (low S) c t) &&
          (fix every (l : list node) (all : list (list Z)) : bool :=
             match l, all with
             | [], [] => true
             | n :: l, a :: all =>
                 node_holds (narrow types classes (fun c => negb (number a c =? 0)) (without types classes S t a)) n &&
                 every l all
             | _, _ => false
             end) children (patterns types classes rooms S v t c)
      end
  end.

Hypothesis some : types <> 0%nat.
Hypothesis positive : forall c t p, class_time classes c t = Some p -> 0 < p.
Hypothesis vectors_ok : forall v, In v vectors ->
  (forall t, In t (ts types) -> 0 <= number (limits v) t) /\
  (forall c t, In c (cs classes) -> In t (ts types) -> 0 <= cell (prices v) c t).

Let packed_ := packs types classes rooms vectors.

Lemma takes_nonnegative t c : 0 <= takes classes t c.
Proof. unfold takes. destruct (class_time classes c t) as [p|] eqn:found; [|lia]. pose proof (positive _ _ _ found).
  lia. Qed.

(** The work on a type is within the processors' rooms. *)
Lemma work_fits S P t : packed_ S P -> In t (ts types) -> 0 <= number rooms t ->
  sum (map (fun c => placed_on P t c * takes classes t c) (cs classes)) <= number (left S) t * number rooms t.
Proof.
  intros (goods & counts & _ & _) Ht room. specialize (counts t Ht).
  assert (H : sum (map (fun x => sum (map (fun c => snd x c * takes classes t c) (cs classes))) (of_type t P))
              <= sum (map (fun _ => number rooms t) (of_type t P))).
  { apply sum_le. intros x Hx. apply filter_In in Hx. destruct Hx as [Hx same]. apply N.eqb_eq in same.
    destruct (goods x Hx) as [(_ & _ & short & _) _]. rewrite same in short. exact short. }
  rewrite sum_constant in H. rewrite <- (sum_swap (fun c x => snd x c * takes classes t c)) in H.
  rewrite (sum_map_ext _ (fun c => sum (map (fun x => snd x c * takes classes t c) (of_type t P)))).
  2: { intros c _. unfold placed_on. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros. lia. }
  nia.
Qed.

Lemma divided_sound S P w0 w1 : (forall t, In t (ts types) -> 0 <= number rooms t) -> packed_ S P ->
  divided S w0 w1 = true -> False.
Proof.
  intros room ok H. unfold divided in H. rewrite !andb_true_iff, !Z.leb_le, Nat.eqb_eq in H.
  destruct H as [[[two nonneg0] nonneg1] H]. pose proof ok as (_ & _ & whole & ranges).
  assert (H0 : In 0%N (ts types)) by (apply in_numbers; lia).
  assert (H1 : In 1%N (ts types)) by (apply in_numbers; lia).
  pose proof (work_fits S P 0 ok H0 (room 0%N H0)) as work0. pose proof (work_fits S P 1 ok H1 (room 1%N H1)) as work1.
  assert (rest : forall c, In c (cs classes) -> number (remaining S) c - placed_on P 0 c = placed_on P 1 c).
  { intros c Hc. rewrite <- (whole c Hc). unfold ts. rewrite two. unfold numbers, sum. simpl. lia. }
  pose (chosen := fun c => (- ((number (remaining S) c - placed_on P 0 c) * takes classes 1 c),
    placed_on P 0 c * takes classes 0 c)).
  apply (fails_spec (number (left S) 0 * number rooms 0) (number (left S) 1 * number rooms 1) w0 w1 (conj nonneg0
    nonneg1)
           (map (shares S) (cs classes)) _ [(0, 0)] (0, 0) (map chosen (cs classes))) in H; auto.
  - intros choices x Hchoices Hx. apply in_map_iff in Hchoices. destruct Hchoices as (c & <- & _).
    unfold shares in Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha). apply range_only in Ha. simpl.
    pose proof (takes_nonnegative 0 c). pose proof (takes_nonnegative 1 c). nia.
  - exists (0, 0). split; [left; reflexivity|apply better_refl].
  - assert (each : forall c, In c (cs classes) -> In (chosen c) (shares S c)).
    { intros c Hc. unfold shares. apply in_map_iff. exists (placed_on P 0 c). split; [reflexivity|].
      apply range_in. pose proof (ranges c 0%N Hc H0). pose proof (rest c Hc).
      pose proof (placed_nonnegative types classes rooms vectors S P 0 c ok).
      pose proof (placed_nonnegative types classes rooms vectors S P 1 c ok). lia. }
    clear - each. induction (cs classes) as [|c l IH]; simpl; constructor; [apply each; left; reflexivity|].
    apply IH. intros d Hd. apply each. right. exact Hd.
  - unfold total. rewrite map_map. simpl. exact work0.
  - unfold total. rewrite map_map. simpl. etransitivity; [|exact work1]. apply Z.eq_le_incl.
    assert (opposite : forall l f g, (forall c : N, In c l -> f c = - g c) -> - sum (map f l) = sum (map g l)).
    { induction l as [|c l IH]; intros f g same; [reflexivity|]. cbn [map sum fold_right].
      fold (sum (map f l)) (sum (map g l)).
      rewrite <- (IH f g) by (intros d Hd; apply same; right; exact Hd). rewrite (same c) by (left; reflexivity). lia. }
    apply opposite. intros c Hc. simpl. rewrite (rest c Hc). reflexivity.
Qed.

Theorem node_sound : (forall t, In t (ts types) -> 0 <= number rooms t) ->
  forall n S P, node_holds S n = true -> packed_ S P -> False.
Proof.
  intros room n. induction n as [c|v|w0 w1|t c a below above IHb IHa|v t c children IH] using node_induction;
    intros S P H ok; simpl in H.
  - apply andb_true_iff in H. destruct H as [Hc H]. apply N.ltb_lt, in_numbers in Hc.
    rewrite (not_impossible types classes rooms vectors S P c ok Hc) in H. discriminate.
  - destruct (item vectors v) as [u|] eqn:Hu; [|discriminate]. apply Z.ltb_lt in H. apply item_in in Hu.
    pose proof (slack_nonnegative types classes rooms vectors S P u some ok Hu (proj1 (vectors_ok u Hu))). lia.
  - eapply divided_sound; eauto.
  - rewrite !andb_true_iff in H. destruct H as [[_ Hb] Ha].
    destruct (branch_packs types classes rooms vectors S P c t a ok) as [less|more].
    + apply (IHb _ P Hb). apply narrow_packs. exact less.
    + apply (IHa _ P Ha). apply narrow_packs. exact more.
  - destruct (item vectors v) as [u|] eqn:Hu; [|discriminate]. apply item_in in Hu.
    rewrite !andb_true_iff, !N.ltb_lt, Z.leb_le in H. destruct H as [[[Hc Ht] must] every].
    apply in_numbers in Hc, Ht. pose proof ok as (_ & _ & _ & ranges).
    pose proof (proj1 (ranges c t Hc Ht)) as lo. assert (one : 1 <= placed_on P t c) by lia.
    apply some_positive in one. destruct one as (x & Hx & one). apply filter_In in Hx. destruct Hx as [Hx same].
    apply N.eqb_eq in same.
    destruct (patterns_complete types classes rooms vectors S P u x c some positive ok Hu
                (proj1 (vectors_ok u Hu)) (proj2 (vectors_ok u Hu)) Hx one) as (a & Ha & is_a).
    rewrite same in Ha. apply in_split in Hx. destruct Hx as (P1 & P2 & ->).
    pose proof (without_packs types classes rooms vectors S P1 P2 x a ok is_a) as child. rewrite same in child.
    apply (narrow_packs types classes rooms vectors (fun c => negb (number a c =? 0))) in child.
    revert every Ha. generalize (patterns types classes rooms S u t c) as all. clear - IH child.
    induction IH as [|n l holds_n _ IHl]; intros [|b all] every Ha; try discriminate; [destruct Ha|].
    apply andb_true_iff in every. destruct every as [first every]. destruct Ha as [->|Ha].
    + exact (holds_n _ _ first child).
    + exact (IHl all every Ha).
Qed.
End Nodes.

(** ** The root: what schedules within [L] are as packings *)

Record vector_file := { kinds : list limit_kind; vector_of : vector }.

Section Root.
Variable I : instance.
Variable L : Z.
Variable classes : list (list (option Z)).
Variable class_of : N -> option N.           (* the class of a task *)
Variable units : list Z.                     (* of which the classes' times on a type are multiples *)
Variable files : list vector_file.

Let types := length (platform I).
Let vectors := map vector_of files.
Definition rooms_of : list Z := map (fun t => number units t * (L / number units t)) (numbers types).

Definition price_by (v : vector) (j t : N) : Z := match class_of j with Some c => cell (prices v) c t | None => 0 end.

Definition vector_ok (f : vector_file) : bool :=
  forallb (fun t => 0 <=? number (limits (vector_of f)) t) (numbers types) &&
  forallb (fun c => forallb (fun t => 0 <=? cell (prices (vector_of f)) c t) (numbers types)) (cs classes) &&
  (length (kinds f) =? types)%nat &&
  every_limit I L (price_by (vector_of f)) 0 (kinds f) (limits (vector_of f)).

Definition classes_ok : bool :=
  forallb (fun t => 0 <? number units t) (numbers types) &&
  forallb (fun row => forallb (fun x => match snd x with
                                        | Some p => (0 <? p) && ((fst x <? N.of_nat types)%N && (p mod number units
                                          (fst x) =? 0))
                                        | None => true
                                        end) (indexed 0 row)) classes &&
  forallb (fun pair => match class_of (fst pair) with
                       | Some c => (c <? N.of_nat (length classes))%N &&
                                   forallb (fun mode => match class_time classes c (fst mode) with
                                                        | Some p => p =? snd mode
                                                        | None => false
                                                        end) (within I L (snd pair))
                       | None => true
                       end) (indexed 0 (tasks I)).

Definition is_in (c j : N) : Z := match class_of j with Some d => if (d =? c)%N then 1 else 0 | None => 0 end.

Definition sizes : list Z := map (fun c => sum (map (is_in c) (map fst (indexed 0 (tasks I))))) (cs classes).

Definition root : state :=
  narrow types classes (fun _ => true)
    {| left := map (processors I) (numbers types); remaining := sizes;
       low := tabulate (size classes) types (fun _ _ => 0);
       high := tabulate (size classes) types (fun c t => match class_time classes c t with Some _ => number sizes c |
         None => 0 end) |}.

Definition tree_holds (n : node) : bool :=
  (0 <=? L) && negb (types =? 0)%nat && classes_ok && forallb vector_ok files &&
  node_holds types classes rooms_of vectors root n.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis L_ok : 0 <= L.
Hypothesis all_ok : classes_ok = true.

Lemma class_times c t p : class_time classes c t = Some p -> In t (numbers types) /\ 0 < p /\ (number units t | p).
Proof.
  unfold class_time. intros H. destruct (item classes c) as [row|] eqn:Hrow; [|discriminate].
  destruct (item row t) as [[q|]|] eqn:Hq; try discriminate. inversion H; subst q.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok.
  destruct all_ok as [[units_ rows] _]. apply item_in in Hrow. specialize (rows row Hrow).
    rewrite forallb_forall in rows.
  specialize (rows (t, Some p) (proj2 (indexed_item _ _ _) Hq)). simpl in rows.
  rewrite !andb_true_iff, N.ltb_lt, Z.ltb_lt, Z.eqb_eq in rows. destruct rows as (pos & range_ & divides).
  assert (Ht : In t (numbers types)) by (apply in_numbers; exact range_).
  split; [assumption|]. split; [assumption|]. apply Z.mod_divide; [|assumption].
  specialize (units_ t Ht). apply Z.ltb_lt in units_. lia.
Qed.

Lemma unit_positive t : In t (numbers types) -> 0 < number units t.
Proof.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok. destruct all_ok as [[units_ _] _].
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
  flat_map (fun t => map (fun q => (t, pattern_of t q)) (range_of t)) (numbers types).

Lemma run_class r c : In r (runs s) -> class_of (job r) = Some c ->
  In c (cs classes) /\ class_time classes c (on r) = Some (duration I (on r) (job r)).
Proof.
  intros Hr Hc. destruct (job_item I s r ok Hr) as (x & Hx).
  pose proof (covers_within I s L ok short r x Hr Hx) as mode.
  unfold classes_ok in all_ok. rewrite !andb_true_iff, !forallb_forall in all_ok. destruct all_ok as [_ each].
  specialize (each (job r, x) (proj2 (indexed_item _ _ _) Hx)). simpl in each. rewrite Hc in each.
  rewrite andb_true_iff, N.ltb_lt, forallb_forall in each. destruct each as [Hc' each].
  split; [apply in_numbers; exact Hc'|]. specialize (each _ mode). simpl in each.
  destruct (class_time classes c (on r)) as [p|]; [|discriminate]. apply Z.eqb_eq in each. congruence.
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

Lemma pattern_good t q : In t (numbers types) -> (forall f, In f files -> vector_ok f = true) ->
  good classes rooms_of vectors (t, pattern_of t q).
Proof.
  intros Ht vectors_good. split; [|split; [|split]]; simpl.
  - intros c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (r & <- & _).
    apply is_in_nonnegative.
  - intros c Hc nonzero. assert (one : 1 <= pattern_of t q c).
    { assert (0 <= pattern_of t q c); [|lia]. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz.
      destruct Hz as (r & <- & _). apply is_in_nonnegative. }
    apply some_positive in one. destruct one as (r & Hr & one). destruct (on_processor_run t q r Hr) as [Hr' same].
    unfold is_in in one. destruct (class_of (job r)) as [d|] eqn:Hd; [|lia].
    destruct (N.eqb_spec d c) as [->|]; [|lia]. destruct (run_class r c Hr' Hd) as [_ found]. rewrite same in found.
    eexists. split; [exact found|]. apply (class_times _ _ _ found).
  - unfold takes. rewrite (pattern_total t q (fun c => match class_time classes c t with Some p => p | None => 0 end)).
    unfold rooms_of. rewrite (Packing.number_map types) by exact Ht. pose proof (unit_positive t Ht) as pos.
    assert (parts : forall l, (forall r, In r l -> In r (runs s) /\ on r = t) ->
              let total := sum (map (by_class (fun c => match class_time classes c t with Some p => p | None => 0
                end)) l) in
              total <= sum (map (fun r => duration I (on r) (job r)) l) /\ (number units t | total)).
    { induction l as [|r l IH]; intros inside; cbn [map sum fold_right]; [split; [lia|apply Z.divide_0_r]|].
      destruct (IH (fun x H => inside x (or_intror H))) as [less divides].
      destruct (inside r (or_introl eq_refl)) as [Hr same].
      fold (sum (map (fun r => duration I (on r) (job r)) l)).
      fold (sum (map (by_class (fun c => match class_time classes c t with Some p => p | None => 0 end)) l)).
      assert (one : by_class (fun c => match class_time classes c t with Some p => p | None => 0 end) r
                    <= duration I (on r) (job r) /\
                    (number units t | by_class (fun c => match class_time classes c t with Some p => p | None => 0
                      end) r)).
      { unfold by_class. destruct (class_of (job r)) as [d|] eqn:Hd.
        - destruct (run_class r d Hr Hd) as [_ found]. rewrite same in found. rewrite found.
          split; [rewrite same; lia|apply (class_times _ _ _ found)].
        - split; [apply duration_nonnegative; exact times_ok|apply Z.divide_0_r]. }
      cbv zeta in *. split; [lia|]. apply Z.divide_add_r; tauto. }
    destruct (parts (on_processor t q) (on_processor_run t q)) as [less (k & whole)]. cbv zeta in *.
    pose proof (one_processor I times_ok s t q ok) as fits_. fold (on_processor t q) in fits_.
    assert (k <= L / number units t) by (apply Z.div_le_lower_bound; nia). nia.
  - intros v Hv. unfold vectors in Hv. apply in_map_iff in Hv. destruct Hv as (f & <- & Hf).
    specialize (vectors_good f Hf). unfold vector_ok in vectors_good. rewrite !andb_true_iff in vectors_good.
    destruct vectors_good as [[[_ _] all] limits_]. apply Nat.eqb_eq in all.
    pose proof (every_limit_holds I L _ _ _ 0 t times_ok limits_) as each. rewrite N.sub_0_r in each.
    apply in_numbers in Ht. specialize (each ltac:(rewrite all; lia)).
    unfold worth. simpl. rewrite (pattern_total t q (fun c => cell (prices (vector_of f)) c t)).
    specialize (each (map job (on_processor t q))).
    rewrite !map_map in each. etransitivity; [|apply each].
    + apply Z.eq_le_incl, sum_map_ext. reflexivity.
    + unfold on_processor. apply nodup_filter, nodup_filter, (jobs_nodup I s ok).
    + intros j Hj. apply in_map_iff in Hj. destruct Hj as (r & <- & Hr).
        destruct (on_processor_run t q r Hr) as [Hr' same].
      destruct (run_time I s r ok Hr') as (p & found & Hp). rewrite same in found. exists p. split; [assumption|lia].
    + etransitivity; [|exact short]. etransitivity; [|apply (one_processor I times_ok s t q ok)].
      apply Z.eq_le_incl, sum_map_ext. intros r Hr. destruct (on_processor_run t q r Hr) as [_ same].
      rewrite same. reflexivity.
Qed.

Lemma packing_type t : In t (numbers types) ->
  of_type t packing = map (fun q => (t, pattern_of t q)) (range_of t).
Proof.
  unfold packing. generalize (numbers_nodup types). generalize (numbers types) as l.
  assert (none : forall l, ~ In t l -> of_type t (flat_map (fun t => map (fun q => (t,
    pattern_of t q)) (range_of t)) l) = []).
  { induction l as [|u l IH]; intros fresh; [reflexivity|]. cbn [flat_map]. unfold of_type. rewrite filter_app.
    fold (of_type t (flat_map (fun t => map (fun q => (t, pattern_of t q)) (range_of t)) l)).
    rewrite IH by (intros H; apply fresh; right; exact H). rewrite app_nil_r.
    assert (differs : u <> t) by (intros ->; apply fresh; left; reflexivity).
    induction (range_of u) as [|q m IHm]; simpl; [reflexivity|]. destruct (N.eqb_spec u t); [contradiction|exact IHm]. }
  induction l as [|u l IH]; intros nodup Ht; [destruct Ht|]. inversion nodup as [|? ? fresh nodup']; subst.
  cbn [flat_map]. unfold of_type. rewrite filter_app.
  fold (of_type t (flat_map (fun t => map (fun q => (t, pattern_of t q)) (range_of t)) l)).
  destruct (N.eq_dec u t) as [->|differs].
  - rewrite none by assumption. rewrite app_nil_r.
    clear IH. induction (range_of t) as [|q m IHm]; simpl; [reflexivity|]. rewrite N.eqb_refl. f_equal. exact IHm.
  - destruct Ht as [->|Ht]; [contradiction|]. rewrite (IH nodup' Ht).
    replace (filter _ (map _ (range_of u))) with (@nil (N * (N -> Z))); [reflexivity|].
    clear IH. induction (range_of u) as [|q m IHm]; simpl; [reflexivity|].
      destruct (N.eqb_spec u t); [contradiction|exact IHm].
Qed.

Lemma packing_placed t c : In t (numbers types) ->
  placed_on packing t c = sum (map (fun r => is_in c (job r)) (filter (fun r => (on r =? t)%N) (runs s))).
Proof.
  intros Ht. unfold placed_on. rewrite packing_type by assumption. rewrite map_map. simpl.
  rewrite (sum_groups_equal Z.eq_dec proc (fun r => is_in c (job r)) (range_of t)).
  - apply sum_map_ext. intros q _. unfold pattern_of, on_processor. f_equal. f_equal. apply filter_ext. intros r.
    symmetry. apply decide_Z.
  - apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup].
  - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
    destruct (valid_placed I s r ok Hr) as (_ & there & _). unfold range_of. apply in_map_iff.
    exists (Z.to_nat (proc r)). rewrite in_seq. lia.
Qed.

Lemma size_total c : In c (cs classes) -> number sizes c = sum (map (fun r => is_in c (job r)) (runs s)).
Proof.
  intros Hc. unfold sizes. rewrite number_cs by assumption. rewrite indexed_numbers.
  rewrite <- (sum_permutation _ _ (Permutation_map (is_in c) (proj1 (proj1 ok)))), map_map. reflexivity.
Qed.

Lemma root_packs : (forall f, In f files -> vector_ok f = true) -> packs types classes rooms_of vectors root packing.
Proof.
  intros vectors_good. apply narrow_packs.
  assert (total : forall c, In c (cs classes) -> sum (map (fun t => placed_on packing t c) (ts types)) = number sizes
    c).
  { intros c Hc. rewrite (size_total c Hc).
    rewrite (sum_groups_equal N.eq_dec on (fun r => is_in c (job r)) (numbers types)).
    - apply sum_map_ext. intros t Ht. rewrite packing_placed by exact Ht. f_equal. f_equal. apply filter_ext.
      intros r. symmetry. apply decide_N.
    - apply numbers_nodup.
    - intros r Hr. apply (placed_type I r (valid_placed I s r ok Hr)). }
  assert (goods : forall x, In x packing -> good classes rooms_of vectors x /\ In (fst x) (ts types)).
  { intros x Hx. unfold packing in Hx. apply in_flat_map in Hx. destruct Hx as (t & Ht & Hx).
    apply in_map_iff in Hx. destruct Hx as (q & <- & _). split; [apply pattern_good; assumption|exact Ht]. }
  assert (nonneg : forall t c, 0 <= placed_on packing t c).
  { intros t c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (x & <- & Hx).
    apply filter_In in Hx. destruct (goods x (proj1 Hx)) as [(H & _) _]. apply H. }
  split; [exact goods|]. split; [|split].
  - intros t Ht. simpl. rewrite (Packing.number_map types) by exact Ht. rewrite packing_type by exact Ht.
    rewrite map_length. unfold range_of. rewrite map_length, seq_length.
    assert (0 <= processors I t); [|lia]. unfold processors.
    destruct (item (platform I) t) as [y|] eqn:found; [|lia]. apply counts_ok. eapply item_in; eauto.
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

Theorem tree_sound I L classes class_of units files n : I1 I -> I2 I ->
  tree_holds I L classes class_of units files n = true -> forall s, valid I s -> L + 1 <= makespan I s.
Proof.
  intros counts_ok times_ok H s ok. unfold tree_holds in H. rewrite !andb_true_iff, forallb_forall in H.
  destruct H as [[[[L_ok some] all] vectors_good] H]. apply Z.leb_le in L_ok. apply negb_true_iff, Nat.eqb_neq in some.
  destruct (Z_le_gt_dec (L + 1) (makespan I s)) as [|short]; [assumption|exfalso].
  refine (node_sound _ _ _ _ some _ _ _ n _ _ H (root_packs I L classes class_of units files counts_ok times_ok all s
    ok ltac:(lia) vectors_good)).
  - intros c t p found. apply (class_times I L classes class_of units all c t p found).
  - intros v Hv. apply in_map_iff in Hv. destruct Hv as (f & <- & Hf). specialize (vectors_good f Hf).
    unfold vector_ok in vectors_good. rewrite !andb_true_iff, !forallb_forall in vectors_good.
    destruct vectors_good as [[[limits_ prices_] _] _]. split.
    + intros t Ht. apply Z.leb_le. exact (limits_ t Ht).
    + intros c t Hc Ht. specialize (prices_ c Hc). rewrite forallb_forall in prices_. apply Z.leb_le.
        exact (prices_ t Ht).
  - intros t Ht. unfold rooms_of. rewrite (Packing.number_map (length (platform I))) by exact Ht.
    pose proof (unit_positive I L classes class_of units all t Ht).
      pose proof (Z.div_pos L (number units t) L_ok ltac:(lia)). nia.
Qed.
