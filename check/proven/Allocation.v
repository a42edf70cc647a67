(* SPDX-License-Identifier: Apache-2.0 *)
(** Certificate [knapsack]: no allocation of whole tasks to two types fits the work that each type has room for. *)
From Coq Require Import ZArith NArith List Permutation Lia Bool Nnat.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Sets.
Import ListNotations.
Open Scope Z_scope.

(** Pairs are of the work on the second type, negative, and of the work on the first. *)
Section Rooms.
Variables room0 room1 weight0 weight1 : Z.

Definition weighted (x : pair_) : Z := weight0 * snd x + weight1 * - fst x.

Definition least (choices : list pair_) : Z :=
  match choices with [] => 0 | x :: l => fold_right (fun y m => Z.min (weighted y) m) (weighted x) l end.

Definition fits (rest : Z) (x : pair_) : bool :=
  (snd x <=? room0) && (- fst x <=? room1) && (weighted x + rest <=? weight0 * room0 + weight1 * room1).

Definition extend (choices front : list pair_) : list pair_ :=
  pruned (fold_right (fun choice l => merge (shifted choice front) l) [] choices).

(** Whether no choice of one pair from each list fits both rooms. *)
Fixpoint fails (items : list (list pair_)) (rest : Z) (front : list pair_) : bool :=
  match items with
  | [] => match front with [] => true | _ => false end
  | choices :: items =>
      let rest := rest - least choices in
      match filter (fits rest) (extend choices front) with
      | [] => true
      | front => fails items rest front
      end
  end.

Hypothesis weights_ok : 0 <= weight0 /\ 0 <= weight1.

Lemma least_spec choices x : In x choices -> least choices <= weighted x.
Proof.
  destruct choices as [|y l]; [intros []|]. simpl. induction l as [|z l IH]; simpl.
  - intros [->|[]]. lia.
  - intros [->|[->|H]].
    + specialize (IH (or_introl eq_refl)). lia.
    + lia.
    + specialize (IH (or_intror H)). lia.
Qed.

Lemma extend_covered choices front x choice : In choice choices -> covered front x ->
  covered (extend choices front) (fst x + fst choice, snd x + snd choice).
Proof.
  intros H cover. apply covered_pruned. induction choices as [|c choices IH]; [destruct H|].
  simpl. apply covered_merge. destruct H as [->|H]; [left; apply covered_shifted; exact cover|right; auto].
Qed.

Definition total (f : pair_ -> Z) (l : list pair_) : Z := sum (map f l).

Lemma fails_spec items : forall rest front x chosen,
  (forall choices c, In choices items -> In c choices -> fst c <= 0 <= snd c) ->
  rest = sum (map least items) ->
  fails items rest front = true -> covered front x -> Forall2 (fun c choices => In c choices) chosen items ->
  snd x + total snd chosen <= room0 -> - (fst x + total fst chosen) <= room1 -> False.
Proof.
  induction items as [|choices items IH]; intros rest front x chosen signs rest_is ok cover each first second.
  - simpl in ok. destruct cover as (y & Hy & _). destruct front; [destruct Hy|discriminate].
  - inversion each as [|c ? chosen' ? Hc each']; subst chosen. subst.
    unfold total in first, second. simpl in first, second, ok.
    fold (sum (map snd chosen')) in first. fold (sum (map fst chosen')) in second.
    fold (sum (map least items)) in ok.
    replace (least choices + sum (map least items) - least choices) with (sum (map least items)) in ok by lia.
    assert (signs' : forall choices' c', In choices' items -> In c' choices' -> fst c' <= 0 <= snd c').
    { intros ? ? H. apply signs. right. exact H. }
    assert (rest_less : sum (map least items) <= weight0 * sum (map snd chosen') + weight1 * - sum (map fst chosen')
                        /\ 0 <= sum (map snd chosen') /\ sum (map fst chosen') <= 0).
    { clear - each' signs'. revert signs'. induction each' as [|d choices'' chosen'' items'' Hd each'' IHe];
      intros signs'; simpl.
      - lia.
      - destruct IHe as (less & pos & neg); [intros ? ? H; apply signs'; right; exact H|].
        pose proof (least_spec _ _ Hd) as one. unfold weighted in one.
        pose proof (signs' _ _ (or_introl eq_refl) Hd).
        fold (sum (map snd chosen'')) (sum (map fst chosen'')) (sum (map least items'')). lia. }
    destruct (extend_covered choices front x c Hc cover) as (y & Hy & best). unfold better in best. simpl in best.
    assert (Hy' : In y (filter (fits (sum (map least items))) (extend choices front))).
    { apply filter_In. split; [assumption|]. unfold fits, weighted. rewrite !andb_true_iff, !Z.leb_le.
      assert (weight0 * (snd y + sum (map snd chosen')) <= weight0 * room0) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (weight1 * (- fst y - sum (map fst chosen')) <= weight1 * room1) by (apply Z.mul_le_mono_nonneg_l; lia).
      split; [split; lia|lia]. }
    destruct (filter (fits (sum (map least items))) (extend choices front)) as [|z l] eqn:front_is; [destruct Hy'|].
    rewrite <- front_is in ok, Hy'.
    apply (IH (sum (map least items)) _ (fst x + fst c, snd x + snd c) chosen' signs' eq_refl ok); simpl; auto.
    + exists y. split; [assumption|]. unfold better. simpl. lia.
    + unfold total. lia.
    + unfold total. lia.
Qed.
End Rooms.

Lemma indexed_tasks {A} (l : list A) : forall i, map snd (indexed i l) = l.
Proof. induction l as [|x l IH]; intros i; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Section Allocation.
Variable I : instance.
Variable L : Z.

(** A task with a usable time of 0 counts for nothing. *)
Definition counts_of (x : task) (p : Z) : Z := if existsb (fun mode => snd mode =? 0) (within I L x) then 0 else p.

Definition choices_of (x : task) : list pair_ :=
  map (fun mode => if (fst mode =? 0)%N then (0, counts_of x (snd mode)) else (- counts_of x (snd mode),
    0)) (within I L x).

Definition room (unit : Z) : Z := unit * (L / unit).

Definition units_hold (unit0 unit1 : Z) : bool :=
  (0 <? unit0) && (0 <? unit1) &&
  forallb (fun x => forallb (fun mode => counts_of x (snd mode) mod (if (fst mode =? 0)%N then unit0 else unit1) =? 0)
                            (within I L x)) (tasks I).

Definition counted : pricing := fun j _ p => match item (tasks I) j with Some x => counts_of x p | None => 0 end.

Hypothesis times_ok : I2 I.

Lemma counts_range x p : 0 <= p -> 0 <= counts_of x p <= p.
Proof. unfold counts_of. destruct (existsb _ _); lia. Qed.

Lemma room_holds t unit : 0 < processors I t -> 0 < unit ->
  (forall x mode, In x (tasks I) -> In mode (within I L x) -> fst mode = t -> (unit | counts_of x (snd mode))) ->
  holds I L counted t (room unit).
Proof.
  intros some pos divides S _ modes_ short.
  assert (total : forall T, (forall j, In j T -> In j S) ->
            0 <= sum (map (fun j => counted j t (duration I t j)) T) <= sum (map (duration I t) T) /\
            (unit | sum (map (fun j => counted j t (duration I t j)) T))).
  { induction T as [|j T IH]; intros part; simpl; [split; [lia|apply Z.divide_0_r]|].
    destruct (IH (fun i Hi => part i (or_intror Hi))) as [range whole].
    fold (sum (map (duration I t) T)) (sum (map (fun j => counted j t (duration I t j)) T)).
    destruct (modes_ j (part j (or_introl eq_refl))) as (p & found & Hp).
    assert (duration I t j = p) as -> by (unfold duration; rewrite found; reflexivity).
    pose proof (time_nonnegative I j t p times_ok found) as nonneg.
    assert (one : 0 <= counted j t p <= p /\ (unit | counted j t p)).
    { unfold counted. destruct (item (tasks I) j) as [x|] eqn:Hx; [|unfold time in found; rewrite Hx in found;
      discriminate].
      split; [apply counts_range; assumption|].
      apply (divides x (t, p)); [eapply item_in; eauto| |reflexivity].
      apply filter_In. split; [apply (modes_spec I j); auto|apply Z.leb_le; exact Hp]. }
    split; [lia|]. apply Z.divide_add_r; tauto. }
  destruct (total S (fun j Hj => Hj)) as [range (k & whole)]. unfold room.
  assert (k <= L / unit) by (apply Z.div_le_lower_bound; nia). nia.
Qed.

Definition check_allocation (weights : list Z) (unit0 unit1 : Z) : bool :=
  let items := map choices_of (tasks I) in
  let w0 := number weights 0 in
  let w1 := number weights 1 in
  (length (platform I) =? 2)%nat && (0 <=? w0) && (0 <=? w1) && units_hold unit0 unit1 &&
  fails (processors I 0 * room unit0) (processors I 1 * room unit1) w0 w1 items (sum (map (least w0 w1) items)) [(0,
    0)].

Theorem allocation_sound weights unit0 unit1 : I1 I -> check_allocation weights unit0 unit1 = true ->
  forall s, valid I s -> L + 1 <= makespan I s.
Proof.
  intros counts_ok H s ok. unfold check_allocation in H. rewrite !andb_true_iff, !Z.leb_le, Nat.eqb_eq in H.
  destruct H as [[[[two w0] w1] units] H]. unfold units_hold in units. rewrite !andb_true_iff, !Z.ltb_lt in units.
  destruct units as [[pos0 pos1] units]. rewrite forallb_forall in units.
  destruct (Z_le_gt_dec (L + 1) (makespan I s)) as [|short]; [assumption|exfalso].
  assert (makespan I s <= L) as less by lia. clear short.
  pose proof (covers_within I s L ok less) as cover.
  assert (divides : forall x mode, In x (tasks I) -> In mode (within I L x) ->
            ((if (fst mode =? 0)%N then unit0 else unit1) | counts_of x (snd mode))).
  { intros x mode Hx Hmode. specialize (units x Hx). rewrite forallb_forall in units. specialize (units mode Hmode).
    apply Z.eqb_eq in units. apply Z.mod_divide; [|exact units]. destruct (fst mode =? 0)%N; lia. }
  assert (work : forall t unit, unit = (if (t =? 0)%N then unit0 else unit1) ->
            sum (map (paid I counted) (filter (fun r => (on r =? t)%N) (runs s))) <= processors I t * room unit).
  { intros t unit unit_is.
    assert (exists_ : 0 <= processors I t).
    { unfold processors. destruct (item (platform I) t) as [y|] eqn:found; [|lia].
      apply counts_ok. eapply item_in; eauto. }
    destruct (Z.eq_dec (processors I t) 0) as [none|some].
    - rewrite none. simpl. apply sum_nonpositive. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same].
      apply N.eqb_eq in same. subst t. destruct (valid_placed I s r ok Hr) as (_ & there & _). lia.
    - apply one_type; auto. apply (holds_less I L); [assumption|]. apply room_holds; [lia| |].
      + rewrite unit_is. destruct (t =? 0)%N; assumption.
      + intros x mode Hx Hmode same. specialize (divides x mode Hx Hmode). rewrite same in divides. rewrite unit_is.
          exact divides. }
  pose (choice := fun j => let r := the s j in
          match item (tasks I) j with
          | Some x => if (on r =? 0)%N then (0, counts_of x (duration I (on r) j)) else (- counts_of x (duration I
            (on r) j), 0)
          | None => (0, 0)
          end).
  assert (types_ : forall r, In r (runs s) -> on r = 0%N \/ on r = 1%N).
  { intros r Hr. destruct (placed_type I r (valid_placed I s r ok Hr)) as [H' _]. apply in_numbers in H'.
    rewrite two in H'. lia. }
  assert (sums : forall t, sum (map (paid I counted) (filter (fun r => (on r =? t)%N) (runs s))) =
            sum (map (fun j => if (on (the s j) =? t)%N then counted j t (duration I (on (the s j)) j) else 0)
                     (numbers (length (tasks I))))).
  { intros t. transitivity (sum (map (fun r => if (on r =? t)%N then paid I counted r else 0) (runs s))).
    - clear. induction (runs s) as [|r l IH]; [reflexivity|].
      cbn [filter map]. destruct (on r =? t)%N; cbn [map sum fold_right];
        fold (sum (map (fun r => if (on r =? t)%N then paid I counted r else 0) l));
        fold (sum (map (paid I counted) (filter (fun r => (on r =? t)%N) l))); lia.
    - rewrite (sum_runs I s ok). apply sum_map_ext. intros j Hj. destruct (the_run I s ok j Hj) as [_ same].
      destruct (on (the s j) =? t)%N; [|reflexivity]. unfold paid, counted. rewrite same. reflexivity. }
  apply (fails_spec (processors I 0 * room unit0) (processors I 1 * room unit1) (number weights 0) (number weights 1)
           (conj w0 w1) (map choices_of (tasks I)) _ [(0, 0)] (0, 0)
           (map choice (numbers (length (tasks I))))) in H; auto.
  - intros choices c Hchoices Hc. apply in_map_iff in Hchoices. destruct Hchoices as (x & <- & Hx).
    unfold choices_of in Hc. apply in_map_iff in Hc. destruct Hc as ([t p] & <- & Hmode).
    apply filter_In in Hmode. destruct Hmode as [Hmode _]. simpl.
    apply In_nth_error in Hx. destruct Hx as (n & Hx).
    assert (Hx' : item (tasks I) (N.of_nat n) = Some x) by (rewrite item_nth, Nat2N.id; exact Hx).
    apply (modes_spec I (N.of_nat n)) in Hmode; [|exact Hx'].
    pose proof (time_nonnegative I _ _ _ times_ok (proj2 Hmode)). pose proof (counts_range x p H0).
    destruct (t =? 0)%N; simpl; lia.
  - exists (0, 0). split; [left; reflexivity|apply better_refl].
  - rewrite <- (indexed_numbers (tasks I)), map_map.
    assert (all : forall j x, In (j, x) (indexed 0 (tasks I)) -> In (choice j) (choices_of x)).
    { intros j x Hx. apply indexed_item in Hx. unfold choice. rewrite Hx.
      destruct (the_run I s ok j) as [Hr same]; [apply in_numbers; eapply item_some; eauto|].
      unfold choices_of. apply in_map_iff. exists (on (the s j), duration I (on (the s j)) j). split; [reflexivity|].
      pose proof (cover (the s j) x Hr) as mode. rewrite same in mode. apply mode. exact Hx. }
    replace (map choices_of (tasks I)) with (map (fun pair => choices_of (snd pair)) (indexed 0 (tasks I)))
      by (rewrite <- map_map, indexed_tasks; reflexivity). clear - all.
        induction (indexed 0 (tasks I)) as [|[j x] l IH]; simpl.
    + constructor.
    + constructor; [apply all; left; reflexivity|]. apply IH. intros i y Hy. apply all. right. exact Hy.
  - unfold total. rewrite map_map. simpl. etransitivity; [|apply (work 0%N unit0 eq_refl)]. rewrite sums.
    apply Z.eq_le_incl, sum_map_ext. intros j Hj. unfold choice, counted.
    destruct (item (tasks I) j); destruct (on (the s j) =? 0)%N; reflexivity.
  - unfold total. rewrite map_map. simpl. etransitivity; [|apply (work 1%N unit1 eq_refl)]. rewrite sums.
    rewrite <- (Z.mul_1_l (sum (map (fun x => fst (choice x)) _))), <- Z.mul_opp_l, <- sum_map_mul.
    apply Z.eq_le_incl, sum_map_ext. intros j Hj. unfold choice, counted.
    destruct (the_run I s ok j Hj) as [Hr _]. destruct (types_ _ Hr) as [-> | ->]; destruct (item (tasks I) j);
      cbn [N.eqb fst Pos.eqb]; lia.
Qed.
End Allocation.
