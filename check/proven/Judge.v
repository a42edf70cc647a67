(* SPDX-License-Identifier: Apache-2.0 *)
(** The whole judgement of an instance and a solution, and what it means that they are accepted. *)
From Coq Require Import ZArith List Lia Bool.
From Proven Require Import Problem Lists Table Between Valid Capacity Prices Available Flow HeadTail Sets Allocation
  Tree Root Released Windows Delays Lines Graph Moved Moldable MoldableValid MoldableBounds
  MoldableFlow.
Import ListNotations.
Open Scope Z_scope.

(** A certificate as the file has it. Of [flow] there is a number for each edge, or each task; of [prices] a row for
    each task. A unit is a number of which all times that count on a type are multiples; the reader finds it, and the
    classes of a tree of cases, and where it speaks of releases also the types. *)
Inductive certificate :=
| Longest (task : N)
| Area (start_ : Z) (weights : list Z)
| Shelf (weights counts : list Z) (parts : Z)
| Flow (weights flow through cross : list Z)
| HeadTail (weights : list Z) (head tail : Z) (order : list N)
| Prices (kinds : list limit_kind) (limits : list Z) (prices : list (list Z))
| Knapsack (weights : list Z) (unit0 unit1 : Z)
| Cases (types : N) (into : list N) (classes : list (list (option Z))) (class_of : list (option N)) (units : list Z)
        (vectors : list vector_file) (tree : node)
| ReleasedCases (kinds : list (N * Z)) (classes : list (list (option Z))) (class_of : list (option N))
                (class_release units : list Z) (vectors : list vector_file) (tree : node)
| Graph (order : list N) (lines : list line)
| MovedGraph (kinds : list (N * Z)) (order : list N) (lines : list line).

(** The class of a task, by a table. *)
Definition class_in (table : M.t (option N)) (j : N) : option N := match find table j with Some c => c | None => None
  end.

Definition proves (I : instance) (value : Z) (c : certificate) : bool :=
  match c with
  | Longest j => check_longest I value j
  | Area start_ weights => check_area I value start_ weights
  | Shelf weights counts parts => check_shelf I value weights counts parts
  | Flow weights flow through cross => check_flow I value weights flow through cross
  | HeadTail weights head tail order => check_head_tail I value weights head tail order
  | Prices kinds limits prices => check_prices I value kinds limits prices
  | Knapsack weights unit0 unit1 => check_allocation I (value - 1) weights unit0 unit1
  | Cases types into classes class_of units vectors tree =>
      let table := tabled class_of in
      tree_holds I (value - 1) (N.to_nat types) (fun t => match item into t with Some u => u | None => 0%N end) classes
        (class_in table) units vectors tree
  | ReleasedCases kinds classes class_of class_release units vectors tree =>
      let table := tabled class_of in
      released_holds I (value - 1) kinds classes (class_in table) class_release units vectors tree
  | Graph order lines => graph_holds I (value - 1) order lines
  | MovedGraph kinds order lines => moved_holds I value kinds order lines
  end.

(** Every certificate that is accepted proves its value of all schedules, also between ticks. *)
Theorem proves_ticks I value c : well_formed I -> proves I value c = true -> forall s,
  valid I s -> value <= makespan I s.
Proof.
  intros (one & two & three & four) H s ok.
  destruct c; simpl in H.
  - eapply longest_sound; eauto.
  - eapply area_sound; eauto.
  - eapply shelf_sound; eauto.
  - eapply flow_sound; eauto.
  - eapply head_tail_sound; eauto.
  - eapply prices_sound; eauto.
  - replace value with (value - 1 + 1) by lia. eapply allocation_sound; eauto.
  - replace value with (value - 1 + 1) by lia. eapply tree_sound; eauto.
  - replace value with (value - 1 + 1) by lia. eapply released_sound; eauto.
  - replace value with (value - 1 + 1) by lia. eapply graph_sound; eauto.
  - eapply moved_sound; eauto.
Qed.

Theorem proves_sound I value c : well_formed I -> proves I value c = true -> is_bound I value.
Proof. intros well H. apply whole_ticks. exact (proves_ticks I value c well H). Qed.

(** What a solution claims: makespan and lower bound in parts of a tick, as starts are, [parts] of which make one; the
    value of the certificate in ticks. *)
Record claims (C : Type) := {
  parts : Z;
  claimed_makespan : Z;
  claimed_bound : Z;
  claimed_optimal : bool;
  certified : option (Z * C)
}.
Arguments parts {C}.
Arguments claimed_makespan {C}.
Arguments claimed_bound {C}.
Arguments claimed_optimal {C}.
Arguments certified {C}.

Inductive verdict := Accepted | NotCertified | WrongInstance | WrongSchedule | WrongMakespan | WrongBound | NotOptimal
                   | WrongCertificate.

(** A bound between ticks says what the next tick above says, unless it is the makespan. *)
Definition rounded_bound (k makespan_ bound : Z) : Z :=
  if bound =? makespan_ then bound else k * (- (- bound / k)).

(** The verdict by whether instance and schedule are right, the makespan, and what a certificate proves. *)
Definition verdict_of {C} (instance_right schedule_right : bool) (length : Z) (right : Z -> C -> bool) (c : claims C) :=
  let k := parts c in
  if negb instance_right then WrongInstance else
  if negb schedule_right then WrongSchedule else
  if negb (length =? claimed_makespan c) then WrongMakespan else
  let bound := rounded_bound k (claimed_makespan c) (claimed_bound c) in
  if negb ((0 <=? bound) && (bound <=? claimed_makespan c)) then WrongBound else
  if claimed_optimal c && negb (bound =? claimed_makespan c) then NotOptimal else
  match certified c with
  | None => if bound =? 0 then Accepted else NotCertified
  | Some (value, proof) =>
      if k * value <? bound then WrongCertificate
      else if (value <=? 0) || right value proof then Accepted else WrongCertificate
  end.

Lemma verdict_right {C} instance_right schedule_right length right (c : claims C) : 0 < parts c ->
  verdict_of instance_right schedule_right length right c = Accepted ->
  instance_right = true /\ schedule_right = true /\ length = claimed_makespan c /\
  claimed_bound c <= claimed_makespan c /\ (claimed_optimal c = true -> claimed_makespan c <= parts c * 0 \/
    exists value proof, claimed_makespan c <= parts c * value /\ right value proof = true) /\
  (claimed_bound c <= parts c * 0 \/ exists value proof,
    claimed_bound c <= parts c * value /\ right value proof = true).
Proof.
  unfold verdict_of. set (k := parts c). set (bound := rounded_bound k (claimed_makespan c) (claimed_bound c)).
  intros pos. destruct instance_right; [|discriminate]. destruct schedule_right; [|discriminate]. cbn [negb].
  destruct (Z.eqb_spec length (claimed_makespan c)) as [length_|]; [|discriminate]. cbn [negb].
  destruct ((0 <=? bound) && (bound <=? claimed_makespan c)) eqn:range; [|discriminate]. cbn [negb].
  rewrite andb_true_iff, !Z.leb_le in range.
  assert (above : claimed_bound c <= bound).
  { unfold bound, rounded_bound. destruct (Z.eqb_spec (claimed_bound c) (claimed_makespan c)); [lia|].
    pose proof (Z.mul_div_le (- claimed_bound c) k pos). lia. }
  destruct (claimed_optimal c && negb (bound =? claimed_makespan c)) eqn:closed; [discriminate|].
  intros H.
  assert (proven : bound <= k * 0 \/ exists value proof, bound <= k * value /\ right value proof = true).
  { destruct (certified c) as [[value proof]|].
    - destruct (Z.ltb_spec (k * value) bound) as [|enough]; [discriminate|].
      destruct (Z.leb_spec value 0) as [|more]; [left; nia|]. right. exists value, proof.
      destruct (right value proof); [auto|discriminate].
    - left. destruct (Z.eqb_spec bound 0); [lia|discriminate]. }
  split; [reflexivity|]. split; [reflexivity|]. split; [exact length_|]. split; [lia|]. split.
  - intros says. rewrite says in closed. simpl in closed. apply negb_false_iff, Z.eqb_eq in closed.
    rewrite <- closed. exact proven.
  - destruct proven as [|(value & proof & enough & right_)]; [left; lia|right]. exists value, proof.
  split; [lia|assumption].
Qed.

(** *** Sequential tasks *)

Definition judge (I : instance) (ranks : list Z) (s : schedule) (c : claims certificate) : verdict :=
  let J := scaled (parts c) I in
  verdict_of ((0 <? parts c) && instance_ok I ranks) (valid_schedule J s) (length_of J s) (proves I) c.

Lemma scaled_times k I : 0 < k -> I2 I -> I2 (scaled k I).
Proof.
  intros pos ok x p Hx Hp. simpl in Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). simpl in Hp.
  apply in_map_iff in Hp. destruct Hp as ([q|] & same & Hq); simpl in same; inversion same; subst.
  pose proof (ok y q Hy Hq). lia.
Qed.

(** A number in parts of a tick is a bound of all schedules, in whatever parts. *)
Definition bounds_all (I : instance) (k bound : Z) : Prop :=
  forall l other, 0 < l -> valid (scaled l I) other -> l * bound <= k * makespan (scaled l I) other.

(** What an accepted solution says is true: the instance is one, the schedule is valid and as long as it says, no
    schedule is shorter than its bound, and where it claims to be optimal none is shorter than it. *)
Theorem judge_sound I ranks s c : judge I ranks s c = Accepted ->
  well_formed I /\ 0 < parts c /\
  valid (scaled (parts c) I) s /\
  makespan (scaled (parts c) I) s = claimed_makespan c /\
  claimed_bound c <= claimed_makespan c /\
  bounds_all I (parts c) (claimed_bound c) /\
  (claimed_optimal c = true -> optimal I (parts c) s).
Proof.
  unfold judge. intros H.
  assert (pos : 0 < parts c).
  { unfold verdict_of in H. destruct (Z.ltb_spec 0 (parts c)); [assumption|discriminate]. }
  apply verdict_right in H; [|exact pos]. destruct H as (instance_ & valid_ & length_ & less & closed & proven).
  apply andb_true_iff in instance_. destruct instance_ as [_ instance_]. apply instance_ok_sound in instance_.
  apply valid_schedule_correct in valid_; [|apply scaled_times; [assumption|apply instance_]].
  rewrite length_of_spec in length_.
  assert (all : forall bound, (bound <= parts c * 0 \/ exists value proof, bound <= parts c * value /\
            proves I value proof = true) -> bounds_all I (parts c) bound).
  { intros bound some l other lpos other_valid.
  pose proof (max_nonnegative (map (ends (scaled l I)) (runs other))) as nonneg.
    fold (makespan (scaled l I) other) in nonneg. destruct some as [|(value & proof & enough & right_)]; [nia|].
    pose proof (proves_sound I value proof instance_ right_ l other lpos other_valid). nia. }
  split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|].
  split; [apply all; exact proven|].
  intros says. split; [assumption|]. intros l other lpos other_valid. rewrite length_.
  exact (all (claimed_makespan c) (closed says) l other lpos other_valid).
Qed.

(** The property of docs/problem.md, of any two accepted files about one instance. *)
Theorem property I ranks s c ranks' s' c' :
  judge I ranks s c = Accepted -> judge I ranks' s' c' = Accepted ->
  parts c * claimed_bound c' <= parts c' * claimed_makespan c.
Proof.
  intros first second. apply judge_sound in first, second.
  destruct first as (_ & pos & ok & same & _). destruct second as (_ & pos' & _ & _ & _ & all & _).
  rewrite <- same. apply all; assumption.
Qed.

(** *** Moldable and rigid tasks *)

Inductive moldable_certificate :=
| MoldableLongest (task : N)
| MoldablePrices (areas longs : list Z)
| MoldableFlow (weights flow through : list Z)
| MoldableSteps (limits : list Z) (steps : list (list (Z * Z))).

Definition moldable_proves (I : moldable_instance) (value : Z) (c : moldable_certificate) : bool :=
  match c with
  | MoldableLongest j => check_moldable_longest I value j
  | MoldablePrices areas longs => check_moldable_prices I value areas longs
  | MoldableFlow weights flow through => check_moldable_flow I value weights flow through
  | MoldableSteps limits steps => check_moldable_steps I value limits steps
  end.

Theorem moldable_proves_sound I value c : moldable_well_formed I -> moldable_proves I value c = true ->
  moldable_bound I value.
Proof.
  intros (one & two & three & four) H. apply moldable_whole_ticks. intros s ok. destruct c; simpl in H.
  - eapply longest_right; eauto.
  - eapply moldable_prices_right; eauto.
  - eapply moldable_flow_right; eauto.
  - eapply moldable_steps_right; eauto.
Qed.

Definition judge_moldable (I : moldable_instance) (ranks : list Z) (s : list execution)
  (c : claims moldable_certificate) : verdict :=
  verdict_of ((0 <? parts c) && moldable_instance_ok I ranks) (moldable_ok I (parts c) s) (span_in I (parts c) s)
             (moldable_proves I) c.

Theorem judge_moldable_sound I ranks s c : judge_moldable I ranks s c = Accepted ->
  moldable_well_formed I /\ 0 < parts c /\
  moldable_valid (parts c) I s /\
  span_of (parts c) I s = claimed_makespan c /\
  claimed_bound c <= claimed_makespan c /\
  (forall l other, 0 < l -> moldable_valid l I other -> l * claimed_bound c <= parts c * span_of l I other) /\
  (claimed_optimal c = true -> moldable_optimal I (parts c) s).
Proof.
  unfold judge_moldable. intros H.
  assert (pos : 0 < parts c).
  { unfold verdict_of in H. destruct (Z.ltb_spec 0 (parts c)); [assumption|discriminate]. }
  apply verdict_right in H; [|exact pos]. destruct H as (instance_ & valid_ & length_ & less & closed & proven).
  apply andb_true_iff in instance_. destruct instance_ as [_ instance_]. apply moldable_instance_ok_sound in instance_.
  apply moldable_ok_correct in valid_. rewrite span_in_spec in length_.
  assert (all : forall bound, (bound <= parts c * 0 \/ exists value proof, bound <= parts c * value /\
            moldable_proves I value proof = true) ->
            forall l other, 0 < l -> moldable_valid l I other -> l * bound <= parts c * span_of l I other).
  { intros bound some l other lpos other_valid. pose proof (max_nonnegative (map (finish l I) other)) as nonneg.
    fold (span_of l I other) in nonneg. destruct some as [|(value & proof & enough & right_)]; [nia|].
    pose proof (moldable_proves_sound I value proof instance_ right_ l other lpos other_valid). nia. }
  split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|].
  split; [apply all; exact proven|].
  intros says. split; [assumption|]. intros l other lpos other_valid. rewrite length_.
  exact (all (claimed_makespan c) (closed says) l other lpos other_valid).
Qed.

Theorem moldable_property I ranks s c ranks' s' c' :
  judge_moldable I ranks s c = Accepted -> judge_moldable I ranks' s' c' = Accepted ->
  parts c * claimed_bound c' <= parts c' * claimed_makespan c.
Proof.
  intros first second. apply judge_moldable_sound in first, second.
  destruct first as (_ & pos & ok & same & _). destruct second as (_ & pos' & _ & _ & _ & all & _).
  rewrite <- same. apply all; assumption.
Qed.
