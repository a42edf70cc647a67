(* SPDX-License-Identifier: Apache-2.0 *)
(** Trees of cases about releases and busy processors: a type of the proof has the processors of a type of the platform
    that are busy until the same time. *)
From Coq Require Import ZArith List Lia Bool.
From Proven Require Import Problem Lists Valid Capacity Prices Available Packing Patterns Limits Leaves Tree Root.
Import ListNotations.
Open Scope Z_scope.

Section Released.
Variable I : instance.
Variable L : Z.
Variable kinds : list (N * Z).               (* of each type of the proof the type of the platform and the time *)
Variable classes : list (list (option Z)).
Variable class_of : N -> option N.           (* the class of a task *)
Variable class_release : list Z.
Variable units : list Z.

Let given := numbers (length (platform I)).

Definition types : nat := length kinds.
Definition busy_times : list Z := map snd kinds.

Fixpoint kind_of (t : N) (f : Z) (l : list (N * Z)) : option N :=
  match l with
  | [] => None
  | k :: l => if (fst k =? t)%N && (snd k =? f) then Some 0%N else option_map N.succ (kind_of t f l)
  end.

Definition is_known (t : N) (f : Z) : bool := match kind_of t f kinds with Some _ => true | None => false end.

Definition processors_known : bool :=
  forallb (fun pair => let x := snd pair in
                       (Z.of_nat (length (busy x)) <=? count x) && forallb (is_known (fst pair)) (busy x) &&
                       ((count x =? Z.of_nat (length (busy x))) || is_known (fst pair) 0))
          (indexed 0 (platform I)).

Definition into (t : N) (q : Z) : N := match kind_of t (busy_until I t q) kinds with Some u => u | None => 0%N end.

(** Processors of a type that are busy until [f]. *)
Definition busy_so (f : Z) (x : ptype) : Z :=
  Z.of_nat (length (filter (Z.eqb f) (busy x))) + if f =? 0 then count x - Z.of_nat (length (busy x)) else 0.

Definition of_kind (k : N * Z) : Z :=
  match item (platform I) (fst k) with Some x => busy_so (snd k) x | None => 0 end.

Definition space_of : space :=
  {| most_time := map (fun u => number units u * (Z.max 0 (L - number busy_times u) / number units u)) (numbers types);
     waits := Some {| deadline := L; releases := class_release; frees := busy_times |} |}.

(** A task of a class is released with it, and has the time of the class where it can end in time. *)
Definition right_class (x : task) (c : N) : bool :=
  (c <? N.of_nat (length classes))%N && (number class_release c =? release x) &&
  forallb (fun k => match item (times x) (fst (snd k)) with
                    | Some (Some p) => (L <? Z.max (release x) (snd (snd k)) + p) ||
                                       match class_time classes c (fst k) with Some r => p =? r | None => false end
                    | _ => true
                    end) (indexed 0 kinds).

Definition right_classes : bool :=
  forallb (fun pair => match class_of (fst pair) with Some c => right_class (snd pair) c | None => true end)
          (indexed 0 (tasks I)).

Definition released_holds (files : list vector_file) (n : node) : bool :=
  let M := model_of types classes space_of (sizes I classes class_of) files in
  (0 <=? L) && processors_known && rows_ok types classes units && right_classes && model_ok M &&
  node_holds M nothing_known (root_with I types classes class_of (map of_kind kinds)) n.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis processors_right : processors_known = true.
Hypothesis rows_right : rows_ok types classes units = true.
Hypothesis tasks_right : right_classes = true.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Lemma kind_of_item t f l : forall u, kind_of t f l = Some u -> item l u = Some (t, f).
Proof.
  induction l as [|k l IH]; simpl; intros u H; [discriminate|].
  destruct ((fst k =? t)%N && (snd k =? f)) eqn:same.
  - inversion H; subst. rewrite andb_true_iff, N.eqb_eq, Z.eqb_eq in same. destruct k, same. simpl in *. congruence.
  - destruct (kind_of t f l) as [e|] eqn:found; [|discriminate]. inversion H; subst.
    destruct (N.eqb_spec (N.succ e) 0); [lia|]. rewrite N.pred_succ. auto.
Qed.

Lemma into_kind t q : 0 <= q < processors I t -> item kinds (into t q) = Some (t, busy_until I t q).
Proof.
  intros range_. apply kind_of_item. unfold into.
  enough (some : is_known t (busy_until I t q) = true).
  { unfold is_known in some. destruct (kind_of t (busy_until I t q) kinds); [reflexivity|discriminate]. }
  unfold processors, busy_until in *. destruct (item (platform I) t) as [x|] eqn:found; [|lia].
  unfold processors_known in processors_right. rewrite forallb_forall in processors_right.
  specialize (processors_right (t, x) (proj2 (indexed_item _ _ _) found)). cbv zeta in processors_right. simpl in processors_right.
  rewrite !andb_true_iff, orb_true_iff, Z.leb_le, Z.eqb_eq, forallb_forall in processors_right.
  destruct processors_right as [[less each] others]. unfold number.
  destruct (item (busy x) (Z.to_N q)) as [f|] eqn:Hf; [apply each; exact (item_in _ _ _ Hf)|].
  destruct others as [all|]; [|assumption]. exfalso. destruct (item_exists (busy x) (Z.to_N q)) as (f & Hf'); [lia|].
  congruence.
Qed.

Lemma into_inside t q : In t given -> 0 <= q < processors I t -> In (into t q) (numbers types).
Proof. intros _ range_. apply in_numbers. eapply item_some. apply into_kind. exact range_. Qed.

Lemma into_busy t q : 0 <= q < processors I t -> number busy_times (into t q) = busy_until I t q.
Proof.
  intros range_. unfold number, busy_times. rewrite item_map, (into_kind t q range_). reflexivity.
Qed.

Lemma run_busy r : In r (runs s) ->
  busy_until I (on r) (proc r) <= start r /\ released I (job r) <= start r /\ start r <= ends I r <= L.
Proof.
  intros Hr. pose proof ok as (_ & _ & _ & free4 & _). destruct (free4 r (in_attempts s r Hr)).
  assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr). pose proof (ends_forward I r times_ok). lia.
Qed.

Lemma run_right r c : In r (runs s) -> class_of (job r) = Some c ->
  In c (cs classes) /\ number class_release c = released I (job r) /\
  class_time classes c (into (on r) (proc r)) = Some (duration I (on r) (job r)).
Proof.
  intros Hr Hc. destruct (job_item I s r ok Hr) as (x & Hx). destruct (run_time I s r ok Hr) as (p & found & _).
  pose proof (proj1 (proj2 (valid_placed I s r ok Hr))) as range_.
  unfold right_classes in tasks_right. rewrite forallb_forall in tasks_right.
  specialize (tasks_right (job r, x) (proj2 (indexed_item _ _ _) Hx)). cbn [fst snd] in tasks_right.
  rewrite Hc in tasks_right. unfold right_class in tasks_right.
  rewrite !andb_true_iff, N.ltb_lt, Z.eqb_eq, forallb_forall in tasks_right.
  destruct tasks_right as [[Hc' same] each]. rewrite (released_item I _ _ Hx).
  split; [apply in_numbers; exact Hc'|]. split; [exact same|].
  specialize (each (into (on r) (proc r), (on r, busy_until I (on r) (proc r)))).
  rewrite indexed_item in each. specialize (each (into_kind _ _ range_)). cbn [fst snd] in each.
  unfold duration. unfold time in *. rewrite Hx in *.
  destruct (item (times x) (on r)) as [[p'|]|] eqn:Hp; try discriminate. inversion found; subst p'.
  destruct (run_busy r Hr) as (busy_ & rel & _ & last). rewrite (released_item I _ _ Hx) in rel.
  unfold ends, time in last. rewrite Hx, Hp in last.
  destruct (Z.ltb_spec L (Z.max (release x) (busy_until I (on r) (proc r)) + p)); [lia|]. simpl in each.
  destruct (class_time classes c (into (on r) (proc r))) as [d|]; [|discriminate]. apply Z.eqb_eq in each. congruence.
Qed.

Lemma run_class r c : In r (runs s) -> class_of (job r) = Some c ->
  In c (cs classes) /\ class_time classes c (into (on r) (proc r)) = Some (duration I (on r) (job r)).
Proof. intros Hr Hc. destruct (run_right r c Hr Hc) as (? & _ & ?). auto. Qed.

(** *** Patterns *)

Notation pattern_of := (pattern_of class_of s).
Notation on_processor := (on_processor s).

Lemma released_work t q member a : a <= L ->
  (forall r, In r (on_processor t q) -> member (job r) = true -> a <= start r) ->
  sum (map (fun r => if member (job r) then duration I (on r) (job r) else 0) (on_processor t q)) <= L - a.
Proof.
  intros less begins. apply (some_on_processor I times_ok); [exact ok|exact less|]. intros r Hr is_on is_proc is_member.
  split; [|apply run_busy; exact Hr]. apply begins; [|exact is_member]. unfold Root.on_processor. apply filter_In.
  rewrite Z.eqb_eq. split; [|exact is_proc]. apply filter_In. rewrite N.eqb_eq. auto.
Qed.

Lemma all_work t q : sum (map (fun r => duration I (on r) (job r)) (on_processor t q))
  <= Z.max 0 (L - busy_until I t q).
Proof.
  destruct (Z_le_gt_dec (busy_until I t q) L) as [less|none].
  - etransitivity; [|apply Z.le_max_r]. apply (released_work t q (fun _ => true)); [exact less|].
    intros r Hr _. apply on_processor_run in Hr. destruct Hr as (Hr & <- & <-). apply run_busy. exact Hr.
  - destruct (on_processor t q) as [|r l] eqn:some; [simpl; lia|exfalso].
    assert (Hr : In r (on_processor t q)) by (rewrite some; left; reflexivity).
    apply on_processor_run in Hr. destruct Hr as (Hr & <- & <-). pose proof (run_busy r Hr). lia.
Qed.

Lemma pattern_timely t q : In t given -> 0 <= q < processors I t ->
  timely classes space_of (into t q) (pattern_of t q) = true.
Proof.
  intros Ht range_. unfold timely, space_of. simpl. apply forallb_forall. intros c Hc. apply orb_true_iff.
  rewrite !Z.leb_le. destruct (Z_le_gt_dec (pattern_of t q c) 0) as [|some]; [auto|right].
  destruct (pattern_run class_of s t q c ltac:(lia)) as (r & Hr & class_).
  destruct (on_processor_run s t q r Hr) as (Hr' & same_on & same_proc).
  destruct (run_right r c Hr' class_) as (_ & rel & _). destruct (run_busy r Hr') as (busy_ & begins & order_ & last).
  rewrite same_on, same_proc in busy_.
  unfold beginning. simpl. rewrite (into_busy t q range_). set (a := Z.max (number class_release c) (busy_until I t q)).
  pose (member := fun d => number class_release c <=? number class_release d).
  pose proof (released_work t q (fun j => match class_of j with Some d => member d | None => false end) a
                ltac:(unfold a; lia)) as work.
  enough (late classes {| deadline := L; releases := class_release; frees := busy_times |} (into t q) (pattern_of t q) c
          = sum (map (fun r => if match class_of (job r) with Some d => member d | None => false end
                               then duration I (on r) (job r) else 0) (on_processor t q))) as total.
  - rewrite total. refine (Z.le_trans _ _ _ (Zplus_le_compat_l _ _ a (work _)) _); [|lia].
    intros x Hx is_member. destruct (on_processor_run s t q x Hx) as (Hx' & same_on' & same_proc').
    destruct (run_busy x Hx') as (busy' & begins' & _). rewrite same_on', same_proc' in busy'.
    destruct (class_of (job x)) as [d|] eqn:Hd; [|discriminate]. destruct (run_right x d Hx' Hd) as (_ & rel' & _).
    unfold member in is_member. apply Z.leb_le in is_member. unfold a. lia.
  - rewrite (sum_map_ext _ (by_class class_of (takes_of classes (into t q) member)) (on_processor t q)).
    2: { intros x Hx. symmetry. apply (run_takes I classes class_of into s run_class t q member x Hx). }
    rewrite <- (pattern_total I classes class_of into s run_class t q). unfold late. simpl.
    apply sum_map_ext. intros d _. unfold takes_of. fold (member d). destruct (Z.eqb_spec (pattern_of t q d) 0) as [->|].
    + lia.
    + destruct (member d); lia.
Qed.

(** *** How many processors are of a type of the proof *)

Lemma count_numbers (f : Z) (l : list Z) (m : nat) :
  Z.of_nat (length (filter (fun i => number l (N.of_nat i) =? f) (seq 0 (length l + m))))
  = Z.of_nat (length (filter (Z.eqb f) l)) + if f =? 0 then Z.of_nat m else 0.
Proof.
  induction l as [|y l IH].
  - assert (none : forall n, Z.of_nat (length (filter (fun i => number [] (N.of_nat i) =? f) (seq n m)))
                             = if f =? 0 then Z.of_nat m else 0).
    { induction m as [|m IHm]; intros n; [destruct (f =? 0); reflexivity|]. cbn [seq filter].
      change (number [] (N.of_nat n)) with 0. specialize (IHm (S n)). rewrite (Z.eqb_sym 0 f).
      destruct (f =? 0); cbn [length]; lia. }
    exact (none 0%nat).
  - cbn [length Nat.add seq filter]. rewrite <- seq_shift.
    assert (next : forall i, number (y :: l) (N.of_nat (S i)) = number l (N.of_nat i)).
    { intros i. unfold number. rewrite !item_nth. replace (N.to_nat (N.of_nat (S i))) with (S i) by lia.
      replace (N.to_nat (N.of_nat i)) with i by lia. reflexivity. }
    assert (rest : length (filter (fun i => number (y :: l) (N.of_nat i) =? f) (map S (seq 0 (length l + m))))
                   = length (filter (fun i => number l (N.of_nat i) =? f) (seq 0 (length l + m)))).
    { clear IH. induction (seq 0 (length l + m)) as [|i r IHr]; [reflexivity|]. cbn [map filter]. rewrite next.
      destruct (number l (N.of_nat i) =? f); cbn [length]; congruence. }
    change (number (y :: l) (N.of_nat 0)) with y. rewrite (Z.eqb_sym f y). destruct (y =? f); cbn [length]; lia.
Qed.

Lemma busy_count t x f : item (platform I) t = Some x -> Z.of_nat (length (busy x)) <= count x ->
  Z.of_nat (length (filter (fun q => busy_until I t q =? f) (range_of I t))) = busy_so f x.
Proof.
  intros found less. unfold busy_so, range_of, processors. rewrite found.
  replace (Z.to_nat (count x)) with (length (busy x) + Z.to_nat (count x - Z.of_nat (length (busy x))))%nat by lia.
  rewrite <- (Z2Nat.id (count x - Z.of_nat (length (busy x)))) by lia.
  rewrite Nat2Z.id. rewrite <- count_numbers. f_equal. unfold busy_until. rewrite found.
  generalize (seq 0 (length (busy x) + Z.to_nat (count x - Z.of_nat (length (busy x))))).
  induction l as [|i l IH]; [reflexivity|]. cbn [map filter]. replace (Z.to_N (Z.of_nat i)) with (N.of_nat i) by lia.
  destruct (number (busy x) (N.of_nat i) =? f); cbn [length]; congruence.
Qed.

Lemma sum_of_one (g : N -> Z) t most : 0 <= most -> g t <= most -> forall l, NoDup l ->
  (forall u, In u l -> u <> t -> g u = 0) -> sum (map g l) <= most.
Proof.
  intros nonneg one l nodup others.
  assert (both : (In t l -> sum (map g l) = g t) /\ (~ In t l -> sum (map g l) = 0)).
  { induction nodup as [|u l fresh nodup IH]; [split; [intros []|reflexivity]|].
    destruct IH as [with_ without_]; [intros v Hv; apply others; right; exact Hv|].
    cbn [map sum fold_right]. fold (sum (map g l)). destruct (N.eq_dec u t) as [->|differs].
    - split; [intros _; rewrite without_ by exact fresh; lia|intros H; destruct H; left; reflexivity].
    - rewrite (others u (or_introl eq_refl) differs). split; intros H.
      + destruct H as [|H]; [contradiction|]. rewrite with_ by exact H. lia.
      + rewrite without_; [lia|]. intros again. apply H. right. exact again. }
  destruct (in_dec N.eq_dec t l) as [there|not]; [rewrite (proj1 both there)|rewrite (proj2 both not)]; assumption.
Qed.

Lemma enough_left u : In u (numbers types) ->
  Z.of_nat (length (of_type u (packing I class_of into s))) <= number (map of_kind kinds) u.
Proof.
  intros Hu. rewrite packing_length. apply in_numbers, item_exists in Hu. destruct Hu as ([t f] & Hk).
  unfold number. rewrite item_map, Hk. cbn [option_map]. unfold of_kind. cbn [fst snd].
  assert (other : forall t', t' <> t -> Z.of_nat (length (filter (fun q => (into t' q =? u)%N) (range_of I t'))) = 0).
  { intros t' differs. replace (filter (fun q => (into t' q =? u)%N) (range_of I t')) with (@nil Z); [reflexivity|].
    symmetry. destruct (filter (fun q => (into t' q =? u)%N) (range_of I t')) as [|q l] eqn:some; [reflexivity|exfalso].
    assert (Hq : In q (filter (fun q => (into t' q =? u)%N) (range_of I t'))) by (rewrite some; left; reflexivity).
    apply filter_In in Hq. destruct Hq as [Hq same]. apply N.eqb_eq in same. apply range_in_type in Hq.
    pose proof (into_kind t' q Hq). congruence. }
  destruct (item (platform I) t) as [x|] eqn:found.
  - assert (less : Z.of_nat (length (busy x)) <= count x).
    { unfold processors_known in processors_right. rewrite forallb_forall in processors_right.
      specialize (processors_right (t, x) (proj2 (indexed_item _ _ _) found)). cbv zeta in processors_right.
      simpl in processors_right. rewrite !andb_true_iff, Z.leb_le in processors_right. apply processors_right. }
    apply (sum_of_one _ t); [| |apply numbers_nodup|intros t' _ differs; apply other; exact differs].
    + unfold busy_so. destruct (f =? 0); lia.
    + rewrite <- (busy_count t x f found less). apply inj_le.
      assert (part : forall l, (forall q, In q l -> 0 <= q < processors I t) ->
                (length (filter (fun q => (into t q =? u)%N) l) <= length (filter (fun q => (busy_until I t q =? f)%Z) l))%nat).
      { induction l as [|q l IH]; intros inside; [simpl; lia|]. cbn [filter].
        pose proof (into_kind t q (inside q (or_introl eq_refl))) as is_.
        specialize (IH (fun x H => inside x (or_intror H))).
        destruct (N.eqb_spec (into t q) u) as [same|]; [|destruct (busy_until I t q =? f); simpl; lia].
        rewrite same, Hk in is_. replace (busy_until I t q) with f by congruence. rewrite Z.eqb_refl. cbn [length]. lia. }
      apply part. intros q Hq. apply range_in_type. exact Hq.
  - apply sum_nonpositive. intros t' Ht'. destruct (N.eq_dec t' t) as [->|differs]; [|rewrite other by exact differs; lia].
    unfold range_of, processors. rewrite found. simpl. lia.
Qed.

Lemma released_packs :
  packs types classes space_of (sizes I classes class_of)
        (root_with I types classes class_of (map of_kind kinds)) (packing I class_of into s).
Proof.
  apply division_packs; try assumption.
  - exact into_inside.
  - intros t q Ht range_. pose proof (into_inside t q Ht range_) as inside.
    split; [|split; [|split; [|split]]]; simpl.
    + intros c. apply pattern_nonnegative.
    + intros c _ nonzero. exact (pattern_modes I types classes class_of units into rows_right s run_class t q c nonzero).
    + unfold room_on, space_of. simpl. rewrite (Packing.number_map types) by exact inside.
      apply (pattern_within I types classes class_of units into times_ok rows_right s run_class t q); [exact inside|].
      rewrite (into_busy t q range_). apply all_work.
    + intros c Hc. apply pattern_few; assumption.
    + apply pattern_timely; assumption.
  - exact enough_left.
Qed.
End Released.

Theorem released_sound I L kinds classes class_of class_release units files n : I1 I -> I2 I ->
  released_holds I L kinds classes class_of class_release units files n = true ->
  forall s, valid I s -> L + 1 <= makespan I s.
Proof.
  intros counts_ok times_ok H s ok. unfold released_holds in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[_ known_] rows_] tasks_] good_] H].
  destruct (Z_le_gt_dec (L + 1) (makespan I s)) as [|short]; [assumption|exfalso].
  refine (node_sound n _ _ _ _ good_ H (released_packs I L kinds classes class_of class_release units times_ok known_
    rows_ tasks_ s ok ltac:(lia)) _).
  split; [intros u l []|]. split; [intros r []|intros j w x []].
Qed.
