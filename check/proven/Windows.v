(* SPDX-License-Identifier: Apache-2.0 *)
(** Windows of the tasks of a graph: what every schedule within [L] has in common. Paths and work narrow them until they
    contradict each other. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow.
Import ListNotations.
Open Scope Z_scope.

(** A task starts and ends no earlier than this; from its start, and from its end, it is at least so long to the end of
    the schedule; and it has these types left, with its times there. *)
Record window := { w_start : Z; w_end : Z; w_rest : Z; w_tail : Z; w_modes : list (N * Z) }.

(** Windows by task; [None] where they contradict each other. *)
Definition windows := M.t window.
Definition state := option windows.

(** A claim about one task. *)
Inductive claim := On (t : N) | Off (t : N) | StartBy (y : Z) | StartAfter (y : Z) | EndBy (y : Z) | EndAfter (y : Z).

Definition opposite (x : claim) : claim :=
  match x with
  | On t => Off t
  | Off t => On t
  | StartBy y => StartAfter y
  | StartAfter y => StartBy y
  | EndBy y => EndAfter y
  | EndAfter y => EndBy y
  end.

Section Windows.
Variable I : instance.
Variable L : Z.

(** *** What follows for the task alone *)

Definition fits_in (w : window) (mode : N * Z) : bool :=
  Z.max (w_start w) (w_end w - snd mode) + Z.max (w_rest w) (w_tail w + snd mode) <=? L.

Definition shortest (modes : list (N * Z)) : Z := amount (cheapest snd modes).
Definition longest_time (modes : list (N * Z)) : Z := fold_right Z.max 0 (map snd modes).

Definition narrowed (w : window) (modes : list (N * Z)) : window :=
  let p := shortest modes in
  let q := longest_time modes in
  let final := Z.max (w_end w) (w_start w + p) in
  let rest := Z.max (w_rest w) (w_tail w + p) in
  {| w_end := final; w_start := Z.max (w_start w) (final - q); w_rest := rest; w_tail := Z.max (w_tail w) (rest - q);
     w_modes := modes |}.

Fixpoint settle (fuel : nat) (w : window) : option window :=
  match filter (fits_in w) (w_modes w) with
  | [] => None
  | modes =>
      let w' := narrowed w modes in
      match fuel with
      | O => Some w'
      | S fuel => if (length modes =? length (w_modes w))%nat then Some w' else settle fuel w'
      end
  end.

Definition settled (w : window) : option window := settle (length (w_modes w)) w.

Definition changed (W : windows) (j : N) (f : window -> window) : state :=
  match find W j with
  | Some w => match settled (f w) with Some w' => Some (M.add (key j) w' W) | None => None end
  | None => Some W
  end.

Definition raise_start (W : windows) (j : N) (x : Z) : state :=
  match find W j with
  | Some w => if w_start w <? x
              then changed W j (fun w => {| w_start := Z.max (w_start w) x; w_end := w_end w; w_rest := w_rest w;
                                            w_tail := w_tail w; w_modes := w_modes w |})
              else Some W
  | None => Some W
  end.

Definition raise_tail (W : windows) (j : N) (x : Z) : state :=
  match find W j with
  | Some w => if w_tail w <? x
              then changed W j (fun w => {| w_start := w_start w; w_end := w_end w; w_rest := w_rest w;
                                            w_tail := Z.max (w_tail w) x; w_modes := w_modes w |})
              else Some W
  | None => Some W
  end.

Definition claimed (x : claim) (w : window) : window :=
  match x with
  | On t => {| w_start := w_start w; w_end := w_end w; w_rest := w_rest w; w_tail := w_tail w;
               w_modes := filter (fun mode => (fst mode =? t)%N) (w_modes w) |}
  | Off t => {| w_start := w_start w; w_end := w_end w; w_rest := w_rest w; w_tail := w_tail w;
                w_modes := filter (fun mode => negb (fst mode =? t)%N) (w_modes w) |}
  | StartBy y => {| w_start := w_start w; w_end := w_end w; w_rest := Z.max (w_rest w) (L - y); w_tail := w_tail w;
                    w_modes := w_modes w |}
  | StartAfter y => {| w_start := Z.max (w_start w) (y + 1); w_end := w_end w; w_rest := w_rest w;
                       w_tail := w_tail w; w_modes := w_modes w |}
  | EndBy y => {| w_start := w_start w; w_end := w_end w; w_rest := w_rest w; w_tail := Z.max (w_tail w) (L - y);
                  w_modes := w_modes w |}
  | EndAfter y => {| w_start := w_start w; w_end := Z.max (w_end w) (y + 1); w_rest := w_rest w; w_tail := w_tail w;
                     w_modes := w_modes w |}
  end.

Definition take (W : windows) (j : N) (x : claim) : state := changed W j (claimed x).

(** At first nothing is known but the times. *)
Definition fresh_window (x : task) : window :=
  {| w_start := 0; w_end := 0; w_rest := 0; w_tail := 0; w_modes := modes I x |}.

Fixpoint all_settled (l : list (N * task)) : state :=
  match l with
  | [] => Some (M.empty window)
  | (j, x) :: l => match all_settled l, settled (fresh_window x) with
                   | Some W, Some w => Some (M.add (key j) w W)
                   | _, _ => None
                   end
  end.

Definition first_state : state := all_settled (indexed 0 (tasks I)).

(** *** Paths *)

Definition least_cost (cost_to : N -> Z) (t : N) (modes : list (N * Z)) : Z :=
  if existsb (fun mode => (fst mode =? t)%N) modes then 0 else amount (cheapest (fun mode => cost_to (fst mode)) modes).

(** When what the source of an edge leaves can be used at its target at the earliest. *)
Definition earliest_arrival (W : windows) (e : edge) : Z :=
  match find W (source e), find W (target e) with
  | Some i, Some j =>
      amount (cheapest (fun mode => Z.max (w_end i) (w_start i + snd mode)
                                    + least_cost (cost e (fst mode)) (fst mode) (w_modes j)) (w_modes i))
  | _, _ => 0
  end.

(** How long it is at least from the end of its source to the end of the schedule. *)
Definition least_departure (W : windows) (e : edge) : Z :=
  match find W (source e), find W (target e) with
  | Some i, Some j =>
      amount (cheapest (fun mode => Z.max (w_rest j) (w_tail j + snd mode)
                                    + least_cost (fun t => cost e t (fst mode)) (fst mode) (w_modes i)) (w_modes j))
  | _, _ => 0
  end.

Definition head_of (into : M.t (list edge)) (W : windows) (j : N) : state :=
  raise_start W j (fold_right Z.max 0 (map (earliest_arrival W) (group into j))).

Definition tail_of (out : M.t (list edge)) (W : windows) (j : N) : state :=
  raise_tail W j (fold_right Z.max 0 (map (least_departure W) (group out j))).

(** *** Work *)

Definition prices_ok (weights : list Z) : bool :=
  forallb (Z.leb 0) weights && (0 <? supply I (number weights)) && (supply I (number weights) <? 2 ^ 60).

Definition interval_ok (a b : Z) : bool := (0 <=? a) && (0 <=? b) && (a + b <=? L).

(** What a task has at least between [a] and [B] on a type. *)
Definition overlap (w : window) (a B : Z) (d : Z) : Z :=
  Z.max 0 (Z.min (Z.min d (B - a)) (Z.min (Z.max (w_start w) (w_end w - d) + d - a)
                                          (Z.max (w_rest w) (w_tail w + d) - (L - B)))).

Definition least_overlaps (W : windows) (a B : Z) (weights : list Z) : Z :=
  sum (map (fun j => match find W j with
                     | Some w => amount (cheapest (fun mode => number weights (fst mode) * overlap w a B (snd mode))
                                                  (w_modes w))
                     | None => 0
                     end) (numbers (length (tasks I)))).

(** *** Soundness *)

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Notation length_ r := (duration I (on r) (job r)).

Definition fits (w : window) (r : run) : Prop :=
  w_start w <= start r /\ w_end w <= ends I r /\ start r + w_rest w <= L /\ ends I r + w_tail w <= L /\
  In (on r, length_ r) (w_modes w).

Definition all_fit (W : windows) : Prop :=
  forall r, In r (runs s) -> exists w, find W (job r) = Some w /\ fits w r.

Definition possible (x : state) : Prop := match x with Some W => all_fit W | None => False end.

Lemma find_add (W : windows) i w j : find (M.add (key i) w W) j = if (i =? j)%N then Some w else find W j.
Proof.
  unfold find. destruct (N.eqb_spec i j) as [->|differs]; [apply M.gss|].
  apply M.gso. intros same. apply key_injective in same. congruence.
Qed.

Lemma shortest_least modes mode : In mode modes -> shortest modes <= snd mode.
Proof. intros H. destruct (cheapest_spec snd modes mode H) as (c & found & less). unfold shortest. rewrite found. exact less. Qed.

Lemma longest_most modes mode : In mode modes -> snd mode <= longest_time modes.
Proof. intros H. apply max_in, in_map, H. Qed.

Lemma settle_fits fuel : forall w r, fits w r -> exists w', settle fuel w = Some w' /\ fits w' r.
Proof.
  induction fuel as [|fuel IH]; intros w r fit.
  all: pose proof fit as (f1 & f2 & f3 & f4 & mode); pose proof (duration_ends I r) as ends_.
  all: assert (kept : In (on r, length_ r) (filter (fits_in w) (w_modes w)))
    by (apply filter_In; split; [exact mode|]; apply Z.leb_le; simpl; lia).
  all: assert (fit' : fits (narrowed w (filter (fits_in w) (w_modes w))) r).
  1, 3: pose proof (shortest_least _ _ kept) as least; pose proof (longest_most _ _ kept) as most_; simpl in least, most_;
    unfold fits, narrowed; simpl; repeat split; try lia; exact kept.
  all: cbn [settle]; destruct (filter (fits_in w) (w_modes w)) as [|m l] eqn:all_; [destruct kept|].
  - eexists. split; [reflexivity|]. exact fit'.
  - destruct (length (m :: l) =? length (w_modes w))%nat; [eexists; split; [reflexivity|]; exact fit'|].
    apply IH. exact fit'.
Qed.

Lemma a_run j : task_number I j -> exists r, In r (runs s) /\ job r = j.
Proof.
  intros Hj. apply in_numbers in Hj. destruct (the_run I s ok j Hj) as [Hr same]. eauto.
Qed.

Lemma same_run r q : In r (runs s) -> In q (runs s) -> job r = job q -> r = q.
Proof. intros Hr Hq same. rewrite <- (the_job I s ok r Hr), <- (the_job I s ok q Hq), same. reflexivity. Qed.

Lemma changed_possible W j f : task_number I j -> all_fit W ->
  (forall r w, In r (runs s) -> job r = j -> find W j = Some w -> fits w r -> fits (f w) r) ->
  possible (changed W j f).
Proof.
  intros Hj all_ keeps. unfold changed. destruct (find W j) as [w|] eqn:found; [|exact all_].
  destruct (a_run j Hj) as (r & Hr & same).
  destruct (all_ r Hr) as (v & found' & fit). rewrite same, found in found'. inversion found'; subst v.
  destruct (settle_fits (length (w_modes (f w))) (f w) r (keeps r w Hr same eq_refl fit)) as (w' & set_ & fit').
  unfold settled. rewrite set_. simpl. intros q Hq. rewrite find_add. destruct (N.eqb_spec j (job q)) as [is_j|].
  - exists w'. split; [reflexivity|]. rewrite (same_run q r Hq Hr); [exact fit'|congruence].
  - exact (all_ q Hq).
Qed.

Lemma raise_start_possible W j x : task_number I j -> all_fit W ->
  (forall r, In r (runs s) -> job r = j -> x <= start r) -> possible (raise_start W j x).
Proof.
  intros Hj all_ late. unfold raise_start. destruct (find W j) as [w|]; [|exact all_].
  destruct (w_start w <? x); [|exact all_]. apply changed_possible; auto. intros r v Hr same _ (f1 & f2 & f3 & f4 & f5).
  specialize (late r Hr same). unfold fits. simpl. repeat split; auto; lia.
Qed.

Lemma raise_tail_possible W j x : task_number I j -> all_fit W ->
  (forall r, In r (runs s) -> job r = j -> ends I r + x <= L) -> possible (raise_tail W j x).
Proof.
  intros Hj all_ early. unfold raise_tail. destruct (find W j) as [w|]; [|exact all_].
  destruct (w_tail w <? x); [|exact all_]. apply changed_possible; auto. intros r v Hr same _ (f1 & f2 & f3 & f4 & f5).
  specialize (early r Hr same). unfold fits. simpl. repeat split; auto; lia.
Qed.

Definition holds_of (x : claim) (r : run) : Prop :=
  match x with
  | On t => on r = t
  | Off t => on r <> t
  | StartBy y => start r <= y
  | StartAfter y => y < start r
  | EndBy y => ends I r <= y
  | EndAfter y => y < ends I r
  end.

Lemma holds_or x r : holds_of x r \/ holds_of (opposite x) r.
Proof. destruct x; simpl; try lia; destruct (N.eq_dec (on r) t); auto. Qed.

Lemma take_possible W j x : task_number I j -> all_fit W ->
  (forall r, In r (runs s) -> job r = j -> holds_of x r) -> possible (take W j x).
Proof.
  intros Hj all_ holds_. apply changed_possible; auto. intros r w Hr same _ (f1 & f2 & f3 & f4 & f5).
  specialize (holds_ r Hr same).
  destruct x; simpl in holds_; unfold fits; simpl; repeat split; auto; try lia; apply filter_In; (split; [exact f5|]);
    simpl; [apply N.eqb_eq|apply negb_true_iff, N.eqb_neq]; assumption.
Qed.

Lemma run_within r : In r (runs s) -> 0 <= start r /\ ends I r <= L /\ 0 <= length_ r.
Proof.
  intros Hr. destruct (valid_placed I s r ok Hr) as (_ & _ & zero).
  assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr).
  pose proof (duration_nonnegative I (on r) (job r) times_ok). lia.
Qed.

Lemma first_possible : possible first_state.
Proof.
  assert (each : forall l, (forall j x, In (j, x) l -> item (tasks I) j = Some x) ->
            exists W, all_settled l = Some W /\
            forall r, In r (runs s) -> In (job r) (map fst l) -> exists w, find W (job r) = Some w /\ fits w r).
  { induction l as [|[j x] l IH]; intros items.
    - exists (M.empty window). split; [reflexivity|]. intros r _ [].
    - destruct IH as (W & set_ & fit); [intros; apply items; right; assumption|].
      pose proof (items j x (or_introl eq_refl)) as Hx. simpl. rewrite set_.
      assert (Hj : In j (numbers (length (tasks I)))) by (apply in_numbers; eapply item_some; eauto).
      destruct (the_run I s ok j Hj) as [Hr same]. set (r := the s j) in *.
      assert (fit_r : fits (fresh_window x) r).
      { destruct (run_within r Hr) as (zero & end_ & nonneg). pose proof (duration_ends I r). unfold fits. simpl.
        repeat split; try lia. apply (run_mode I s r x ok Hr). rewrite same. exact Hx. }
      destruct (settle_fits (length (w_modes (fresh_window x))) _ r fit_r) as (w & set_w & fit_w).
      unfold settled. rewrite set_w. eexists. split; [reflexivity|]. intros q Hq there. rewrite find_add.
      destruct (N.eqb_spec j (job q)) as [is_j|differs].
      + exists w. split; [reflexivity|]. rewrite (same_run q r Hq Hr); [exact fit_w|congruence].
      + apply fit; [assumption|]. destruct there as [wrong|there]; [simpl in wrong; congruence|exact there]. }
  unfold first_state. destruct (each (indexed 0 (tasks I))) as (W & set_ & fit).
  { intros j x H. apply indexed_item. exact H. }
  rewrite set_. intros r Hr. apply fit; [assumption|]. rewrite indexed_numbers.
  apply (Permutation_in (job r) (proj1 (proj1 ok))). apply in_map. exact Hr.
Qed.

(** *** Edges *)

Lemma least_cost_spec cost_to t modes mode : In mode modes -> 0 <= cost_to (fst mode) ->
  least_cost cost_to t modes <= (if (fst mode =? t)%N then 0 else cost_to (fst mode)).
Proof.
  intros H nonneg. unfold least_cost. destruct (existsb (fun mode => (fst mode =? t)%N) modes) eqn:there.
  - destruct (fst mode =? t)%N; lia.
  - destruct (N.eqb_spec (fst mode) t) as [same|].
    + exfalso. apply not_true_iff_false in there. apply there. apply existsb_exists. exists mode.
      split; [assumption|]. apply N.eqb_eq. exact same.
    + destruct (cheapest_spec (fun mode => cost_to (fst mode)) modes mode H) as (c & found & less). rewrite found.
      exact less.
Qed.

Lemma along_edge W e i j : all_fit W -> In e (edges I) -> In i (runs s) -> In j (runs s) ->
  job i = source e -> job j = target e ->
  earliest_arrival W e <= start j /\ ends I i + least_departure W e <= L.
Proof.
  intros all_ He Hi Hj from_ to_.
  destruct (all_ i Hi) as (wi & found_i & (i1 & i2 & i3 & i4 & i5)).
  destruct (all_ j Hj) as (wj & found_j & (j1 & j2 & j3 & j4 & j5)).
  rewrite from_ in found_i. rewrite to_ in found_j.
  pose proof (proj1 (proj2 (proj2 ok)) e i j He Hi (in_attempts s j Hj) from_ to_) as waits.
  pose proof (cost_nonnegative I edges_ok e (on i) (on j) He) as nonneg.
  pose proof (duration_ends I i). pose proof (duration_ends I j).
  assert (arrives : ends I i + (if (on j =? on i)%N then 0 else cost e (on i) (on j)) <= start j).
  { unfold arrival, same_processor in waits. rewrite (N.eqb_sym (on j)).
    destruct (on i =? on j)%N; simpl in waits; [destruct (proc i =? proc j)|]; lia. }
  unfold earliest_arrival, least_departure. rewrite found_i, found_j. split.
  - destruct (cheapest_spec (fun mode => Z.max (w_end wi) (w_start wi + snd mode)
      + least_cost (cost e (fst mode)) (fst mode) (w_modes wj)) (w_modes wi) _ i5) as (c & found & less).
    rewrite found. simpl in *. pose proof (least_cost_spec (cost e (on i)) (on i) (w_modes wj) _ j5 nonneg) as least.
    simpl in least. lia.
  - destruct (cheapest_spec (fun mode => Z.max (w_rest wj) (w_tail wj + snd mode)
      + least_cost (fun t => cost e t (fst mode)) (fst mode) (w_modes wi)) (w_modes wj) _ j5) as (c & found & less).
    rewrite found. simpl in *.
    pose proof (least_cost_spec (fun t => cost e t (on j)) (on j) (w_modes wi) _ i5 nonneg) as least.
    simpl in least. rewrite (N.eqb_sym (on i)) in least. lia.
Qed.

Lemma head_possible W j : task_number I j -> all_fit W -> possible (head_of (grouped target (edges I)) W j).
Proof.
  intros Hj all_. apply raise_start_possible; auto. intros r Hr same. apply max_le; [apply run_within; exact Hr|].
  intros x Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply group_spec in He. destruct He as [He to_].
  destruct (a_run (source e) (proj1 (proj1 edges_ok e He))) as (i & Hi & from_).
  apply (along_edge W e i r); auto. congruence.
Qed.

Lemma tail_possible W j : task_number I j -> all_fit W -> possible (tail_of (grouped source (edges I)) W j).
Proof.
  intros Hj all_. apply raise_tail_possible; auto. intros r Hr same.
  enough (fold_right Z.max 0 (map (least_departure W) (group (grouped source (edges I)) j)) <= L - ends I r) by lia.
  pose proof (run_within r Hr). apply max_le; [lia|].
  intros x Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply group_spec in He. destruct He as [He from_].
  destruct (a_run (target e) (proj2 (proj1 edges_ok e He))) as (i & Hi & to_).
  pose proof (proj2 (along_edge W e r i all_ He Hr Hi ltac:(congruence) to_)). lia.
Qed.

(** *** Work between two times *)

Lemma prices_nonneg weights t : prices_ok weights = true -> 0 <= number weights t.
Proof. unfold prices_ok. rewrite !andb_true_iff. intros [[H _] _]. apply number_nonnegative. exact H. Qed.

(** Of each run the part between [a] and [b], at the prices of the types. *)
Definition inside (a b : Z) (r : run) : Z := Z.max a (Z.min b (ends I r)) - Z.max a (Z.min b (start r)).

Lemma part_of_processor t q a b : a <= b ->
  sum (map (inside a b) (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)))) <= b - a.
Proof.
  intros ab. unfold inside.
  apply (packed (fun r => Z.max a (Z.min b (start r))) (fun r => Z.max a (Z.min b (ends I r))) _ _ a b (le_n _) ab).
  - intros r Hr. pose proof (ends_forward I r times_ok). lia.
  - apply ForallOrdPairs_impl with (R := fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q);
      [|do 2 apply ForallOrdPairs_filter; apply runs_apart; exact ok].
    intros x y Hx Hy H. apply filter_In in Hx, Hy. destruct Hx as [Hx px], Hy as [Hy py].
    apply filter_In in Hx, Hy. destruct Hx as [_ ox], Hy as [_ oy].
    rewrite N.eqb_eq in *. rewrite Z.eqb_eq in *. destruct (H ltac:(congruence) ltac:(congruence)); [left|right]; lia.
Qed.

Lemma part_of_type t a b : a <= b -> 0 <= processors I t ->
  sum (map (inside a b) (filter (fun r => (on r =? t)%N) (runs s))) <= processors I t * (b - a).
Proof.
  intros ab many. pose (keys := map Z.of_nat (seq 0 (Z.to_nat (processors I t)))).
  assert (keys_sum : sum (map (fun _ : Z => b - a) keys) = processors I t * (b - a)).
  { rewrite sum_constant. unfold keys. rewrite map_length, seq_length, Z2Nat.id by assumption. reflexivity. }
  rewrite <- keys_sum. apply (sum_groups Z.eq_dec proc).
  - unfold keys. apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup].
  - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
    destruct (valid_placed I s r ok Hr) as (_ & there & _).
    unfold keys. apply in_map_iff. exists (Z.to_nat (proc r)). rewrite in_seq. lia.
  - intros q _. rewrite (filter_ext _ (fun r => proc r =? q)) by (intros; apply decide_Z). apply part_of_processor.
    exact ab.
Qed.

Lemma work_between weights a b : a <= b -> (forall t, 0 <= number weights t) ->
  sum (map (fun r => number weights (on r) * inside a b r) (runs s)) <= (b - a) * supply I (number weights).
Proof.
  intros ab nonneg. rewrite <- (supply_linear I (b - a) (number weights)), supply_keys.
  apply (sum_groups N.eq_dec on).
  - apply numbers_nodup.
  - intros r Hr. apply placed_type. eapply valid_placed; eauto.
  - intros t Ht. rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N).
    pose proof (processors_nonnegative I t counts_ok) as many.
    rewrite (sum_map_ext _ (fun r => number weights t * inside a b r)).
    2: { intros r Hr. apply filter_In in Hr. destruct Hr as [_ same]. apply N.eqb_eq in same. rewrite same. reflexivity. }
    rewrite sum_map_mul.
    pose proof (part_of_type t a b ab many). specialize (nonneg t). nia.
Qed.

Lemma sum_by_task (f : N -> Z) : sum (map f (numbers (length (tasks I)))) = sum (map (fun r => f (job r)) (runs s)).
Proof.
  rewrite <- (sum_permutation _ _ (Permutation_map f (proj1 (proj1 ok)))), map_map. reflexivity.
Qed.

Lemma overlap_inside w r a b : a <= b -> fits w r -> overlap w a b (length_ r) <= inside a b r.
Proof.
  intros ab (f1 & f2 & f3 & f4 & _). pose proof (duration_ends I r).
  pose proof (duration_nonnegative I (on r) (job r) times_ok). unfold overlap, inside. lia.
Qed.

Lemma overlaps_least W a b weights : all_fit W -> a <= b -> (forall t, 0 <= number weights t) ->
  least_overlaps W a b weights <= (b - a) * supply I (number weights).
Proof.
  intros all_ ab nonneg. etransitivity; [|apply (work_between weights a b ab nonneg)]. unfold least_overlaps.
  rewrite sum_by_task. apply sum_le. intros r Hr. destruct (all_ r Hr) as (w & found & fit). rewrite found.
  pose proof fit as (_ & _ & _ & _ & mode).
  destruct (cheapest_spec (fun mode => number weights (fst mode) * overlap w a b (snd mode)) (w_modes w) _ mode)
    as (c & found' & less).
  rewrite found'. simpl in *. pose proof (overlap_inside w r a b ab fit). specialize (nonneg (on r)). nia.
Qed.
End Schedule.
End Windows.
