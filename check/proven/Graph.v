(* SPDX-License-Identifier: Apache-2.0 *)
(** A whole proof about a task graph, with parts. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays Numbering Least Twins Part
  Lines.
Import ListNotations.
Open Scope Z_scope.

Definition no_part (before : bool) (j : N) (y : Z) (members : list (N * Z)) (lines : list line) (x : state) : bool :=
  false.

(** What is known of the members of a part at first. *)
Definition part_state (before : bool) (y : Z) (members : list (N * Z)) (J : instance) : state :=
  then_ (first_state J y)
        (each_of (fun W k => match item members k with
                             | Some m => if before then raise_start y W k (snd m) else raise_tail y W k (snd m)
                             | None => Some W
                             end) (numbers (length members))).

Section Parts.
Variable I : instance.
Variable L : Z.
Variable into : M.t (list edge).
Variable out : M.t (list edge).
Variable order : list N.

Definition fresh_windows : windows := entries (map (fun p => (fst p, fresh_window I (snd p))) (indexed 0 (tasks I))).

Definition part_holds (before : bool) (j : N) (y : Z) (members : list (N * Z)) (lines : list line) (x : state) : bool :=
  let J := part_of I out before members in
  (0 <=? y) && (y <? 2 ^ 62) &&
  members_ok I out order before members into x (match x with Some W => W | None => fresh_windows end) j &&
  match top_lines J y (grouped target (edges J)) (grouped source (edges J)) (tabled (edges J)) (part_order order
    members)
                  (N.of_nat (length (tasks J))) true no_part no_twins lines (part_state before y members J) with
  | Some None => true
  | _ => false
  end.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis into_is : into = grouped target (edges I).
Hypothesis out_is : out = grouped source (edges I).
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.

(** The lines of a part refute its schedules. *)
Lemma part_refuted before y members lines :
  rising members = true -> (forall p, In p members -> task_number I (fst p)) ->
  let J := part_of I out before members in
  top_lines J y (grouped target (edges J)) (grouped source (edges J)) (tabled (edges J)) (part_order order members)
            (N.of_nat (length (tasks J))) true no_part no_twins lines (part_state before y members J) = Some None ->
  forall s, valid J s -> in_time J y (behind_member before members) s -> False.
Proof.
  intros rises inside_ J H. apply least_enough. intros s ok on_time least_.
  pose proof (part_times I out before members times_ok) as times_J.
  pose proof (part_edges I out before members edges_ok out_is rises) as edges_J.
  assert (start_ : possible J y s (part_state before y members J)).
  { apply then_possible.
    - exact (first_possible J y times_J s ok (proj1 on_time)).
    - intros W all_. apply each_possible; [|exact all_]. intros V k Hk all_V. apply in_numbers in Hk.
      assert (Hk' : task_number J k) by (unfold task_number, J, part_of; cbn [tasks]; rewrite map_length; exact Hk).
      destruct (item members k) as [[j h]|] eqn:found; [|exact all_V]. destruct before eqn:side.
      + apply raise_start_possible; auto. intros r Hr same. pose proof ok as (_ & _ & _ & free4 & _).
        destruct (free4 r (in_attempts s r Hr)) as [rel _]. rewrite same in rel. unfold J in rel.
        rewrite (part_released I out true members k j h found) in rel. exact rel.
      + apply raise_tail_possible; auto. intros r Hr same. pose proof (proj2 on_time r Hr) as late.
        rewrite same in late. unfold behind_member in late. rewrite found in late. exact late. }
  refine (top_sound J y _ _ _ (part_order order members) _ true no_part (part_counts I out before members counts_ok)
            times_J edges_J eq_refl eq_refl eq_refl (part_busy I out before members nothing_busy) eq_refl
            (part_order_inside I out order before members rises) s ok (proj1 on_time) _ on_time least_
            _ _ _ lines no_twins _ None (no_twins_hold J s) H start_).
  - discriminate.
  - discriminate.
  - discriminate.
Qed.

Lemma part_right s : valid I s -> makespan I s <= L -> forall before j y members lines W, all_fit I L s W ->
  part_holds before j y members lines (Some W) = true -> forall r, In r (runs s) -> job r = j ->
  if before then y < start r else ends I r + y < L.
Proof.
  intros ok short before j y members lines W all_ H r Hr is_j. unfold part_holds in H.
  rewrite !andb_true_iff, Z.leb_le in H. destruct H as [[[pos _] members_] H].
  unfold members_ok in members_. rewrite !andb_true_iff, forallb_forall in members_.
  destruct members_ as [[_ rises] each].
  assert (inside_ : forall p, In p members -> task_number I (fst p)).
  { intros p Hp. specialize (each p Hp). rewrite !andb_true_iff, N.ltb_lt in each. exact (proj1 (proj1 each)). }
  match type of H with match ?e with _ => _ end = _ => destruct e as [[?|]|] eqn:lines_; try discriminate end.
  pose proof (part_refuted before y members lines rises inside_ lines_) as none. clear lines_ H.
  assert (the_member : forall p, In p members -> In (the s (fst p)) (runs s) /\ job (the s (fst p)) = fst p).
  { intros p Hp. apply (the_run I s ok), in_numbers, inside_, Hp. }
  destruct before.
  - destruct (Z_lt_ge_dec y (start r)) as [|early]; [assumption|exfalso].
    assert (facts : forall p, In p members -> snd p <= start (the s (fst p)) /\ ends I (the s (fst p)) <= start r).
    { intros p Hp. specialize (each p Hp). rewrite !andb_true_iff in each. destruct each as [[_ level] late].
      destruct (the_member p Hp) as [Hi is_i].
      destruct (find (levels target out (rev order) W j) (fst p)) as [l|] eqn:found; [|discriminate].
      rewrite out_is in found. apply Z.leb_le in level.
      pose proof (ancestor_levels I L edges_ok s ok (rev order) W j all_ (fst p) l found _ r Hi Hr is_i is_j) as far.
      unfold before_it in far. destruct (all_ _ Hi) as (w & found_w & (f1 & _)). rewrite is_i in found_w.
      rewrite found_w in late. apply Z.leb_le in late. lia. }
    apply (none (part_schedule members s 0)).
    + apply part_valid; auto. intros p Hp. destruct (facts p Hp). destruct (the_member p Hp) as [Hi _].
      destruct (valid_placed I s _ ok Hi) as (_ & _ & zero). lia.
    + apply part_in_time; auto. intros p Hp. destruct (facts p Hp). lia.
  - destruct (Z_lt_ge_dec (ends I r + y) L) as [|early]; [assumption|exfalso].
    assert (facts : forall p, In p members -> ends I (the s (fst p)) + snd p <= L /\ ends I r <= start (the s (fst p))).
    { intros p Hp. specialize (each p Hp). rewrite !andb_true_iff in each. destruct each as [[_ level] late].
      destruct (the_member p Hp) as [Hi is_i].
      destruct (find (levels source into order W j) (fst p)) as [l|] eqn:found; [|discriminate].
      rewrite into_is in found. apply Z.leb_le in level.
      pose proof (descendant_levels I L edges_ok s ok order W j all_ (fst p) l found _ r Hi Hr is_i is_j) as far.
      unfold behind_it in far. destruct (all_ _ Hi) as (w & found_w & (_ & _ & _ & f4 & _)). rewrite is_i in found_w.
      rewrite found_w in late. apply Z.leb_le in late. lia. }
    assert (within_ : forall p, In p members -> ends I (the s (fst p)) <= L).
    { intros p Hp. destruct (the_member p Hp) as [Hi _].
      pose proof (max_in (map (ends I) (runs s)) _ (in_map (ends I) _ _ Hi)). unfold makespan in short. lia. }
    apply (none (part_schedule members s (ends I r))).
    + apply part_valid; auto. intros p Hp. destruct (facts p Hp). lia.
    + apply part_in_time; auto. intros p Hp. destruct (facts p Hp). pose proof (within_ p Hp). lia.
Qed.
End Parts.

(** The lines refute that a schedule is within [L], also where no processor is busy and no task released. *)
Definition graph_holds (given : instance) (L : Z) (order : list N) (lines : list line) : bool :=
  let I := bare given in
  let size := N.of_nat (length (tasks I)) in
  let into := grouped target (edges I) in
  let out := grouped source (edges I) in
  forallb (is_task size) order &&
  match top_lines I L into out (tabled (edges I)) order size false (part_holds I into out order) no_twins lines
                  (first_state I L) with
  | Some None => true
  | _ => false
  end.

Theorem graph_sound given L order lines : I1 given -> I2 given -> I3 given -> graph_holds given L order lines = true ->
  forall s, valid given s -> L + 1 <= makespan given s.
Proof.
  intros counts_given times_given edges_given H s ok_given. unfold graph_holds in H. rewrite andb_true_iff in H.
  destruct H as [order_ok H]. set (I := bare given) in *.
  pose proof (bare_counts given counts_given) as counts_ok. pose proof (bare_times given times_given) as times_ok.
  pose proof (bare_edges given edges_given) as edges_ok. fold I in counts_ok, times_ok, edges_ok.
  destruct (Z_le_gt_dec (L + 1) (makespan given s)) as [|short]; [assumption|exfalso].
  match type of H with match ?e with _ => _ end = _ => destruct e as [[?|]|] eqn:all_; try discriminate end. clear H.
  assert (none : forall s, valid I s -> in_time I L (fun _ => 0) s -> False).
  { apply least_enough. clear s ok_given short. intros s ok on_time least_.
    refine (top_sound I L _ _ _ order _ false _ counts_ok times_ok edges_ok eq_refl eq_refl eq_refl
              (bare_nothing given) eq_refl order_ok s ok (proj1 on_time) _ on_time least_ (fun _ _ => eq_refl)
              (fun _ q _ => bare_released given (job q)) _ lines no_twins _ None (no_twins_hold I s) all_
              (first_possible I L times_ok s ok (proj1 on_time))).
    intros before j y members ls W all_W holds r Hr same.
    exact (part_right I L _ _ order counts_ok times_ok edges_ok eq_refl eq_refl (bare_nothing given) s ok
             (proj1 on_time) before j y members ls W all_W holds r Hr same). }
  apply (none s (bare_valid given s ok_given)).
  assert (within_ : makespan I s <= L) by (unfold I; rewrite bare_makespan; lia).
  split; [exact within_|]. intros r Hr.
  pose proof (max_in (map (ends I) (runs s)) _ (in_map (ends I) _ _ Hr)). unfold makespan in within_. lia.
Qed.
