(* SPDX-License-Identifier: Apache-2.0 *)
(** Bounds of moldable tasks: what the processors have room for, and the certificates [longest],
    [moldable-prices] and [moldable-steps]. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Valid Capacity Prices Available Sets Packing Moldable MoldableValid.
From Proven Require Limits.
Import ListNotations.
Open Scope Z_scope.

(** The least of some costs; nothing where there are none. *)
Definition least {A} (f : A -> Z) (l : list A) : option Z :=
  fold_right (fun x m => match m with None => Some (f x) | Some c => Some (Z.min (f x) c) end) None l.

Lemma least_spec {A} (f : A -> Z) l x : In x l -> exists c, least f l = Some c /\ c <= f x.
Proof.
  induction l as [|y l IH]; simpl; [tauto|]. intros [->|H].
  - destruct (least f l) as [c|]; eexists; split; try reflexivity; lia.
  - destruct (IH H) as (c & found & less). rewrite found. eexists; split; [reflexivity|]. lia.
Qed.

(** *** How many processors a set has *)

Definition has_one (l : list (Z * Z)) (q : Z) : bool := existsb (fun y => (fst y <=? q) && (q <=? snd y)) l.

Definition upto (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Lemma upto_in n q : In q (upto n) <-> 0 <= q < n.
Proof.
  unfold upto. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros range_. exists (Z.to_nat q). rewrite in_seq. lia.
Qed.

Lemma has_one_spec r q : has_one (ranges r) q = true <-> has r q.
Proof.
  unfold has_one, has. rewrite existsb_exists. split.
  - intros ([a b] & H & range_). rewrite andb_true_iff, !Z.leb_le in range_. exists a, b. auto.
  - intros (a & b & H & range_). exists (a, b). rewrite andb_true_iff, !Z.leb_le. auto.
Qed.

Lemma count_range a b : 0 <= a <= b + 1 -> forall n,
  sum (map (fun q => if (a <=? q) && (q <=? b) then 1 else 0) (map Z.of_nat (seq 0 n)))
  = Z.max 0 (Z.min (b + 1) (Z.of_nat n) - a).
Proof.
  intros range_ n. induction n as [|n IH]; [simpl; lia|]. rewrite seq_S, !map_app, sum_app, IH. simpl.
  destruct (Z.leb_spec a (Z.of_nat n)), (Z.leb_spec (Z.of_nat n) b); unfold sum; cbn [andb fold_right]; lia.
Qed.

Lemma count_set most l : forall from, 0 <= from -> is_set from most l ->
  sum (map (fun q => if has_one l q then 1 else 0) (upto most)) = size_of l.
Proof.
  induction l as [|[a b] l IH]; intros from zero ok.
  - apply Z.le_antisymm; [apply sum_nonpositive; intros; simpl; lia|].
    apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (q & <- & _). simpl. lia.
  - destruct ok as (one & last & rest).
    rewrite (sum_map_ext _ (fun q => (if (a <=? q) && (q <=? b) then 1 else 0) + if has_one l q then 1 else 0)).
    + rewrite sum_map_add, (IH (b + 2) ltac:(lia) rest). unfold upto. rewrite count_range by lia.
      unfold size_of. simpl. lia.
    + intros q _. unfold has_one. cbn [existsb fst snd]. fold (has_one l q).
      destruct ((a <=? q) && (q <=? b)) eqn:here; [|reflexivity]. cbn [orb].
      rewrite andb_true_iff, !Z.leb_le in here.
      destruct (has_one l q) eqn:there; [exfalso|reflexivity]. unfold has_one in there. apply existsb_exists in there.
      destruct there as ([c d] & H & range_). rewrite andb_true_iff, !Z.leb_le in range_. simpl in range_.
      pose proof (is_set_forward _ _ _ _ _ rest H). lia.
Qed.

Lemma size_within most l : forall from, is_set from most l -> size_of l <= Z.max 0 (most - from).
Proof.
  induction l as [|[a b] l IH]; intros from ok; [unfold size_of; simpl; lia|]. destruct ok as (one & last & rest).
  specialize (IH _ rest). unfold size_of in *. simpl. lia.
Qed.

(** *** What times are worth by steps, pairs of a time and a value, the longest first *)

Fixpoint value_at (steps : list (Z * Z)) (p : Z) : Z :=
  match steps with
  | [] => 0
  | (time, value) :: steps => if time <=? p then value else value_at steps p
  end.

Fixpoint falling (steps : list (Z * Z)) : bool :=
  match steps with
  | x :: (y :: _) as steps' => (fst y <? fst x) && (snd y <? snd x) && falling steps'
  | _ => true
  end.

(** Each step as often as it fits. *)
Definition step_items (L : Z) (steps : list (Z * Z)) : list (N * (Z * Z)) :=
  flat_map (fun x => repeat (0%N, (snd x, fst x)) (Z.to_nat (L / fst x))) steps.

Definition steps_ok (L most : Z) (steps : list (Z * Z)) : bool :=
  falling steps && forallb (fun x => (0 <? fst x) && (fst x <=? L) && (0 <? snd x) && (snd x <=? most)) steps &&
  small (fun _ => L) most (step_items L steps) (sum (map Sets.worth (step_items L steps))) [(0, 0)].

Lemma taken_steps L steps : (forall x, In x steps -> 0 < fst x) -> forall times_,
  (forall p, In p times_ -> 0 <= p) -> sum times_ <= L ->
  exists taken, part taken (step_items L steps) /\ sum (map Sets.size taken) <= sum times_ /\
                sum (map Sets.worth taken) = sum (map (value_at steps) times_).
Proof.
  induction steps as [|[time value] steps IH]; intros positive times_ nonneg fits.
  - exists []. split; [constructor|]. split.
    + simpl. apply sum_nonnegative. exact nonneg.
    + clear. induction times_ as [|p l IH]; [reflexivity|]. exact IH.
  - set (P := fun p => time <=? p). pose proof (positive _ (or_introl eq_refl)) as pos. simpl in pos.
    pose proof (sum_filter (fun p => p) P times_) as split_. rewrite !map_id in split_.
    assert (rest_nonneg : forall Q p, In p (filter Q times_) -> 0 <= p).
    { intros Q p Hp. apply filter_In in Hp. apply nonneg. apply Hp. }
    pose proof (sum_nonnegative _ (rest_nonneg P)). pose proof (sum_nonnegative _ (rest_nonneg (fun p => negb (P p)))).
    destruct (IH (fun x H => positive x (or_intror H)) (filter (fun p => negb (P p)) times_) (rest_nonneg _) ltac:(lia))
      as (taken & is_part & sizes_ & worths).
    assert (many : Z.of_nat (length (filter P times_)) * time <= sum (filter P times_)).
    { rewrite <- sum_constant. rewrite <- (map_id (filter P times_)) at 2. apply sum_le. intros p Hp.
      apply filter_In in Hp. apply Z.leb_le. apply Hp. }
    exists (repeat (0%N, (value, time)) (length (filter P times_)) ++ taken). split; [|split].
    + cbn [step_items flat_map fst snd]. apply part_app; [|exact is_part]. apply part_repeat.
      apply Nat2Z.inj_le. rewrite Z2Nat.id by (apply Z.div_pos; lia). apply Z.div_le_lower_bound; lia.
    + rewrite map_app, sum_app. rewrite Limits.sum_repeat. unfold Sets.size at 1. cbn [fst snd]. lia.
    + rewrite map_app, sum_app, Limits.sum_repeat, worths. unfold Sets.worth at 1. cbn [fst snd].
      rewrite (sum_filter (value_at ((time, value) :: steps)) P times_). f_equal.
      * rewrite <- sum_constant. apply sum_map_ext. intros p Hp. apply filter_In in Hp. simpl. unfold P in Hp.
        rewrite (proj2 Hp). reflexivity.
      * apply sum_map_ext. intros p Hp. apply filter_In in Hp. simpl. unfold P in Hp.
        rewrite (proj1 (negb_true_iff _) (proj2 Hp)). reflexivity.
Qed.

Section Bounds.
Variable I : moldable_instance.

(** The modes of a task: type, processors, and time. Of sizes that go on with one time the first is the least. *)
Notation mode := (N * (Z * Z))%type.

Definition modes_on (t : N) (y : table) : list mode :=
  flat_map (fun pair => match snd pair with
                        | Some p => let q := Z.of_N (fst pair) + 1 in
                                    if q <=? Z.min (largest y) (processors (machine I) t) then [(t, (q, p))] else []
                        | None => []
                        end) (indexed 0 (by_size y)).

Definition all_modes (x : moldable) : list mode :=
  flat_map (fun pair => modes_on (fst pair) (snd pair)) (indexed 0 (tables x)).

Definition starts_on (x : moldable) (t : N) : Z := Z.max (released_at x) (free_from (machine I) t).

(** Whether all tasks need more than there is; nothing where a task fits nowhere. *)
Definition exceeds (demand : moldable -> option Z) (right : Z) : bool :=
  let all := map demand (all_tasks I) in existsb nothing all || (right <? sum (map amount all)).

(** The same for every processor of a type. *)
Definition of_all (f : N -> ptype -> Z) : Z := sum (map (fun pair => f (fst pair) (snd pair)) (indexed 0 (of_types I))).

Definition check_moldable_longest (value : Z) (j : N) : bool :=
  match item (all_tasks I) j with
  | Some x => forallb (fun m => value <=? starts_on x (fst m) + snd (snd m)) (all_modes x)
  | None => false
  end.

(** What a processor pays for a time, of which only one can be longer than half of [L]. *)
Definition worth_of (areas longs : list Z) (L : Z) (t : N) (p : Z) : Z :=
  number areas t * p + if L <? 2 * p then number longs t else 0.

Definition least_worth (worth : N -> Z -> Z) (L : Z) (x : moldable) : option Z :=
  least (fun m => fst (snd m) * worth (fst m) (snd (snd m))) (filter (fun m => snd (snd m) <=? L) (all_modes x)).

Definition check_moldable_prices (value : Z) (areas longs : list Z) : bool :=
  let L := value - 1 in
  forallb (Z.leb 0) areas && forallb (Z.leb 0) longs && (0 <=? L) &&
  exceeds (least_worth (worth_of areas longs L) L)
          (of_all (fun t x => count x * (number areas t * L + number longs t))).

Definition steps_on (steps : list (list (Z * Z))) (t : N) : list (Z * Z) :=
  match item steps t with Some l => l | None => [] end.

Definition check_moldable_steps (value : Z) (limits_ : list Z) (steps : list (list (Z * Z))) : bool :=
  let L := value - 1 in
  forallb (Z.leb 0) limits_ && (0 <=? L) && (length steps =? length limits_)%nat &&
  forallb (fun pair => steps_ok L (number limits_ (fst pair)) (snd pair)) (indexed 0 steps) &&
  exceeds (least_worth (fun t p => value_at (steps_on steps t) p) L) (of_all (fun t x => count x * number limits_ t)).

Hypothesis counts_ok : I1 (machine I).
Hypothesis times_ok : M2 I.
Hypothesis waits_ok : M4 I.
Variable s : list execution.
Hypothesis ok : moldable_valid 1 I s.

Lemma placed_set r : In r s -> is_set 0 (processors (machine I) (type_of r)) (ranges r).
Proof. intros Hr. destruct ok as ((_ & places) & _). apply places. exact Hr. Qed.

Lemma in_span r : In r s -> finish 1 I r <= span_of 1 I s.
Proof. intros Hr. apply max_in, in_map, Hr. Qed.

(** What a run takes, and that it is one of the modes, but for processors that are left idle. *)
Lemma run_mode r x : In r s -> item (all_tasks I) (task_of r) = Some x -> exists q,
  In (type_of r, (q, lasts 1 I r)) (all_modes x) /\ 1 <= q <= size_of (ranges r) /\ 0 <= lasts 1 I r.
Proof.
  intros Hr Hx. destruct ok as ((_ & places) & _). destruct (places r Hr) as (set_ & mode_ & _).
  unfold lasts. rewrite Z.mul_1_l.
  destruct (mode_time I (task_of r) (type_of r) (size_of (ranges r))) as [p|] eqn:found; [|congruence].
  unfold mode_time in found. rewrite Hx in found. destruct (item (tables x) (type_of r)) as [y|] eqn:Hy; [|discriminate].
  pose proof (times_ok x y _ p (item_in _ _ _ Hx) (item_in _ _ _ Hy) found) as [nonneg _].
  apply time_item in found. destruct found as [range_ found].
  pose proof (item_some _ _ _ found) as inside. pose proof (size_within _ _ _ set_) as size_.
  exists (Z.min (size_of (ranges r)) (Z.of_nat (length (by_size y)))). split; [|lia].
  unfold all_modes. apply in_flat_map. exists (type_of r, y). split; [apply indexed_item; exact Hy|].
  unfold modes_on. apply in_flat_map. eexists. split; [apply indexed_item; exact found|]. cbn [fst snd].
  rewrite Z2N.id by lia.
  replace (Z.min (size_of (ranges r)) (Z.of_nat (length (by_size y))) - 1 + 1)
    with (Z.min (size_of (ranges r)) (Z.of_nat (length (by_size y)))) by lia.
  destruct (Z.leb_spec (Z.min (size_of (ranges r)) (Z.of_nat (length (by_size y))))
              (Z.min (largest y) (processors (machine I) (type_of r)))); [left; reflexivity|lia].
Qed.

Lemma run_task r : In r s -> exists x, item (all_tasks I) (task_of r) = Some x.
Proof.
  intros Hr. destruct ok as ((_ & places) & _). destruct (places r Hr) as (_ & mode_ & _). unfold mode_time in mode_.
  destruct (item (all_tasks I) (task_of r)) as [x|]; [eauto|congruence].
Qed.

Lemma task_run j x : item (all_tasks I) j = Some x -> exists r, In r s /\ task_of r = j.
Proof.
  intros Hx. destruct ok as ((once & _) & _). apply item_some, in_numbers in Hx. apply Permutation_sym in once.
  apply (Permutation_in j once), in_map_iff in Hx. destruct Hx as (r & <- & Hr). eauto.
Qed.

Lemma run_begins r x q : In r s -> item (all_tasks I) (task_of r) = Some x -> has r q ->
  released_at x <= begins r /\ busy_until (machine I) (type_of r) q <= begins r /\
  0 <= q < processors (machine I) (type_of r) /\ 0 <= begins r.
Proof.
  intros Hr Hx Hq. destruct ok as ((_ & places) & _ & _ & there). destruct (there r Hr) as [release_ busy_].
  destruct (places r Hr) as (set_ & _ & zero). specialize (busy_ q Hq). rewrite Z.mul_1_l in *.
  unfold release_of in release_. rewrite Hx in release_. destruct Hq as (a & b & H & range_).
  pose proof (is_set_forward _ _ _ _ _ set_ H). lia.
Qed.

Lemma run_starts r x : In r s -> item (all_tasks I) (task_of r) = Some x -> starts_on x (type_of r) <= begins r.
Proof.
  intros Hr Hx. destruct (run_mode r x Hr Hx) as (q & _ & size_ & _).
  destruct (ranges r) as [|[a b] l] eqn:Hl; [unfold size_of in size_; simpl in size_; lia|].
  pose proof (placed_set r Hr) as set_. rewrite Hl in set_. destruct set_ as (forward & _ & _).
  assert (Ha : has r a) by (exists a, b; rewrite Hl; split; [left; reflexivity|lia]).
  destruct (run_begins r x a Hr Hx Ha) as (release_ & busy_ & range_ & _).
  pose proof (free_from_least (machine I) (type_of r) a (proj2 waits_ok) range_). unfold starts_on. lia.
Qed.

Theorem longest_right value j : check_moldable_longest value j = true -> value <= span_of 1 I s.
Proof.
  unfold check_moldable_longest. destruct (item (all_tasks I) j) as [x|] eqn:Hx; [|discriminate]. intros H.
  destruct (task_run j x Hx) as (r & Hr & <-). destruct (run_mode r x Hr Hx) as (q & mode_ & _).
  rewrite forallb_forall in H. specialize (H _ mode_). apply Z.leb_le in H. cbn [fst snd] in H.
  pose proof (run_starts r x Hr Hx). pose proof (in_span r Hr). unfold finish in *. lia.
Qed.

(** *** All tasks need no more than there is *)

Lemma not_exceeded demand (paid_for : execution -> Z) right :
  (forall r x, In r s -> item (all_tasks I) (task_of r) = Some x -> exists c, demand x = Some c /\ c <= paid_for r) ->
  sum (map paid_for s) <= right -> exceeds demand right = false.
Proof.
  intros each all. unfold exceeds. apply orb_false_iff. split.
  - apply not_true_is_false. rewrite existsb_exists. intros (d & Hd & none). apply in_map_iff in Hd.
    destruct Hd as (x & <- & Hx). apply In_nth_error in Hx. destruct Hx as (n & Hx).
    assert (Hi : item (all_tasks I) (N.of_nat n) = Some x).
    { rewrite item_nth. replace (N.to_nat (N.of_nat n)) with n by lia. exact Hx. }
    destruct (task_run _ x Hi) as (r & Hr & same). rewrite <- same in Hi. destruct (each r x Hr Hi) as (c & found & _).
    rewrite found in none. discriminate.
  - apply Z.ltb_ge. etransitivity; [|exact all]. rewrite map_map.
    pose (of j := match item (all_tasks I) j with Some x => amount (demand x) | None => 0 end).
    assert (by_task : sum (map (fun x => amount (demand x)) (all_tasks I))
                      = sum (map of (numbers (length (all_tasks I))))).
    { rewrite <- indexed_numbers, map_map. rewrite (sum_map_ext _ (fun pair => amount (demand (snd pair)))).
      2: { intros [j x] H. apply indexed_item in H. unfold of. simpl. rewrite H. reflexivity. }
      clear. generalize 0%N. induction (all_tasks I) as [|x l IH]; intros i; [reflexivity|].
      cbn [indexed map sum fold_right snd]. fold (sum (map (fun x => amount (demand x)) l)). rewrite (IH (N.succ i)).
      reflexivity. }
    rewrite by_task. destruct ok as ((once & _) & _).
    rewrite <- (sum_permutation _ _ (Permutation_map of once)), map_map. apply sum_le. intros r Hr.
    destruct (run_task r Hr) as (x & Hx). unfold of. rewrite Hx. destruct (each r x Hr Hx) as (c & -> & less). exact less.
Qed.

(** *** What is paid on each processor of a type bounds what all runs are paid, by their processors *)

Definition on_type (t : N) : list execution := filter (fun r => (type_of r =? t)%N) s.
Definition on_one (v : execution -> Z) (t : N) (q : Z) : Z :=
  sum (map (fun r => if has_one (ranges r) q then v r else 0) (on_type t)).

Lemma by_processors v (f : N -> ptype -> Z) :
  (forall t x, item (of_types I) t = Some x -> sum (map (on_one v t) (upto (count x))) <= f t x) ->
  sum (map (fun r => size_of (ranges r) * v r) s) <= of_all f.
Proof.
  intros each. unfold of_all.
  assert (same : sum (map (fun pair => f (fst pair) (snd pair)) (indexed 0 (of_types I)))
                 = sum (map (fun t => match item (of_types I) t with Some x => f t x | None => 0 end)
                            (numbers (length (of_types I))))).
  { rewrite <- indexed_numbers, map_map. apply sum_map_ext. intros [t x] H. apply indexed_item in H. simpl.
    rewrite H. reflexivity. }
  rewrite same. apply (sum_groups N.eq_dec type_of).
  - apply numbers_nodup.
  - intros r Hr. destruct (run_task r Hr) as (x & Hx). destruct (run_mode r x Hr Hx) as (q & _ & size_ & _).
    pose proof (size_within _ _ _ (placed_set r Hr)) as within_. unfold processors in within_. simpl in within_.
    apply in_numbers. destruct (item (of_types I) (type_of r)) as [y|] eqn:found; [|lia]. eapply item_some; eauto.
  - intros t Ht. apply in_numbers, item_exists in Ht. destruct Ht as (x & found). rewrite found.
    rewrite (filter_ext _ (fun r => (type_of r =? t)%N)) by (intros; apply decide_N). fold (on_type t).
    etransitivity; [|exact (each t x found)]. apply Z.eq_le_incl. unfold on_one. rewrite <- sum_swap.
    apply sum_map_ext. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_on]. apply N.eqb_eq in is_on.
    pose proof (placed_set r Hr) as set_. rewrite is_on in set_. unfold processors in set_. simpl in set_.
    rewrite found in set_. rewrite <- (count_set _ _ 0 ltac:(lia) set_), Z.mul_comm, <- sum_map_mul. apply sum_map_ext.
    intros q _. destruct (has_one (ranges r) q); lia.
Qed.

(** Runs on a processor that are from [a] to [b]. *)
Lemma one_after_another t q (chosen : execution -> bool) a b : a <= b ->
  (forall r, In r s -> type_of r = t -> has r q -> chosen r = true -> a <= begins r /\ finish 1 I r <= b) ->
  on_one (fun r => if chosen r then lasts 1 I r else 0) t q <= b - a.
Proof.
  intros ab inside. unfold on_one. set (P := fun r => has_one (ranges r) q && chosen r).
  rewrite (sum_map_ext _ (fun r => if P r then finish 1 I r - begins r else 0)).
  2: { intros r _. unfold P, finish. destruct (has_one (ranges r) q), (chosen r); simpl; lia. }
  rewrite sum_if.
  assert (in_P : forall r, In r (filter P (on_type t)) -> In r s /\ type_of r = t /\ has r q /\ chosen r = true).
  { intros r Hr. apply filter_In in Hr. destruct Hr as [Hr both]. apply filter_In in Hr. destruct Hr as [Hr is_on].
    apply N.eqb_eq in is_on. unfold P in both. apply andb_true_iff in both. destruct both as [here is_chosen].
    apply has_one_spec in here. auto. }
  apply packed with (n := length (filter P (on_type t))); [lia|assumption| |].
  - intros r Hr. destruct (in_P r Hr) as (Hr' & is_on & here & is_chosen). destruct (inside r Hr' is_on here is_chosen).
    destruct (run_task r Hr') as (x & Hx). destruct (run_mode r x Hr' Hx) as (_ & _ & _ & nonneg).
    split; [assumption|]. split; [unfold finish; lia|assumption].
  - destruct ok as (_ & pairs & _). apply (ForallOrdPairs_impl (in_turn 1 I)); [|do 2 apply ForallOrdPairs_filter; exact pairs].
    intros x y Hx Hy H. destruct (in_P x Hx) as (_ & ox & hx & _), (in_P y Hy) as (_ & oy & hy & _).
    apply H; [congruence|]. exists q. auto.
Qed.

Lemma no_more v w t q : (forall r, In r s -> type_of r = t -> has r q -> v r <= w r) -> on_one v t q <= on_one w t q.
Proof.
  intros less. unfold on_one. apply sum_le. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_on].
  apply N.eqb_eq in is_on. destruct (has_one (ranges r) q) eqn:here; [|lia]. apply has_one_spec in here. auto.
Qed.

Lemma on_one_mul c v t q : on_one (fun r => c * v r) t q = c * on_one v t q.
Proof. unfold on_one. rewrite <- sum_map_mul. apply sum_map_ext. intros r _. destruct (has_one (ranges r) q); lia. Qed.

Lemma on_one_add v w t q : on_one (fun r => v r + w r) t q = on_one v t q + on_one w t q.
Proof. unfold on_one. rewrite <- sum_map_add. apply sum_map_ext. intros r _. destruct (has_one (ranges r) q); lia. Qed.

(** *** moldable-prices *)

(** What a processor pays for times that fit bounds what the tasks pay. *)
Lemma worth_does_not_exceed worth (limit : N -> Z) L : 0 <= L -> span_of 1 I s <= L ->
  (forall t p, 0 <= p -> 0 <= worth t p) ->
  (forall t q, on_one (fun r => worth (type_of r) (lasts 1 I r)) t q <= limit t) ->
  exceeds (least_worth worth L) (of_all (fun t x => count x * limit t)) = false.
Proof.
  intros L_ok short nonneg each. apply (not_exceeded _ (fun r => size_of (ranges r) * worth (type_of r) (lasts 1 I r))).
  - intros r x Hr Hx. destruct (run_mode r x Hr Hx) as (q & mode_ & size_ & long). unfold least_worth.
    destruct (least_spec (fun m => fst (snd m) * worth (fst m) (snd (snd m)))
                (filter (fun m => snd (snd m) <=? L) (all_modes x)) (type_of r, (q, lasts 1 I r))) as (c & found & less).
    { apply filter_In. split; [exact mode_|]. apply Z.leb_le. cbn [fst snd]. pose proof (in_span r Hr).
      destruct ok as ((_ & places) & _). destruct (places r Hr) as (_ & _ & zero). unfold finish in *. lia. }
    exists c. split; [exact found|]. etransitivity; [exact less|]. cbn [fst snd].
    specialize (nonneg (type_of r) (lasts 1 I r) long). nia.
  - apply by_processors. intros t x found. transitivity (sum (map (fun _ => limit t) (upto (count x)))).
    + apply sum_le. intros q _. apply each.
    + rewrite sum_constant. unfold upto. rewrite map_length, seq_length.
      pose proof (proj1 counts_ok x (item_in _ _ _ found)). apply Z.eq_le_incl. f_equal. lia.
Qed.

Lemma all_fit t q L : 0 <= L -> span_of 1 I s <= L -> on_one (lasts 1 I) t q <= L.
Proof.
  intros L_ok short. pose proof (one_after_another t q (fun _ => true) 0 L L_ok) as H. rewrite Z.sub_0_r in H. apply H.
  intros r Hr _ _ _. destruct ok as ((_ & places) & _). destruct (places r Hr) as (_ & _ & zero).
  pose proof (in_span r Hr). lia.
Qed.

Theorem moldable_prices_right value areas longs : check_moldable_prices value areas longs = true ->
  value <= span_of 1 I s.
Proof.
  unfold check_moldable_prices. set (L := value - 1). rewrite !andb_true_iff, Z.leb_le. intros [[[areas_ok longs_ok] L_ok] H].
  destruct (Z_le_gt_dec value (span_of 1 I s)) as [|short]; [assumption|exfalso].
  pose proof (fun t => number_nonnegative areas t areas_ok) as areas_.
  pose proof (fun t => number_nonnegative longs t longs_ok) as longs_.
  rewrite (worth_does_not_exceed (worth_of areas longs L) (fun t => number areas t * L + number longs t) L) in H;
    [discriminate|exact L_ok|unfold L; lia| |].
  - intros t p nonneg. unfold worth_of. specialize (areas_ t). specialize (longs_ t). destruct (L <? 2 * p); nia.
  - intros t q. pose proof (all_fit t q L L_ok ltac:(unfold L; lia)) as fits.
    pose (long := fun r => if L <? 2 * lasts 1 I r then 1 else 0).
    transitivity (on_one (fun r => number areas t * lasts 1 I r + number longs t * long r) t q).
    { apply no_more. intros r _ <- _. unfold worth_of, long. destruct (L <? 2 * lasts 1 I r); lia. }
    rewrite on_one_add, !on_one_mul. enough (on_one long t q <= 1).
    { specialize (areas_ t). specialize (longs_ t). nia. }
    assert (each : on_one (fun r => (L + 1) * long r) t q <= on_one (fun r => 2 * lasts 1 I r) t q).
    { apply no_more. intros r Hr _ _. destruct (run_task r Hr) as (x & Hx).
      destruct (run_mode r x Hr Hx) as (_ & _ & _ & nonneg). unfold long. destruct (Z.ltb_spec L (2 * lasts 1 I r)); lia. }
    rewrite !on_one_mul in each. nia.
Qed.

(** *** moldable-steps *)

Theorem moldable_steps_right value limits_ steps : check_moldable_steps value limits_ steps = true ->
  value <= span_of 1 I s.
Proof.
  unfold check_moldable_steps. set (L := value - 1). rewrite !andb_true_iff, Z.leb_le.
  intros [[[[limits_ok L_ok] _] each] H].
  destruct (Z_le_gt_dec value (span_of 1 I s)) as [|short]; [assumption|exfalso].
  assert (on_t : forall t, steps_ok L (number limits_ t) (steps_on steps t) = true \/ steps_on steps t = []).
  { intros t. unfold steps_on. destruct (item steps t) as [l|] eqn:found; [left|auto].
    rewrite forallb_forall in each. exact (each (t, l) (proj2 (indexed_item _ _ _) found)). }
  assert (positive : forall t x, In x (steps_on steps t) -> 0 < fst x /\ 0 < snd x).
  { intros t x Hx. destruct (on_t t) as [good|none]; [|rewrite none in Hx; destruct Hx]. unfold steps_ok in good.
    rewrite !andb_true_iff, forallb_forall in good. destruct good as [[_ good] _]. specialize (good x Hx).
    rewrite !andb_true_iff, !Z.ltb_lt in good. tauto. }
  assert (nonneg : forall t p, 0 <= value_at (steps_on steps t) p).
  { intros t p. specialize (positive t). induction (steps_on steps t) as [|[time v] l IH]; simpl; [lia|].
    pose proof (positive _ (or_introl eq_refl)) as pos. simpl in pos. destruct (time <=? p); [lia|]. apply IH.
    intros x Hx. apply positive. right. exact Hx. }
  rewrite (worth_does_not_exceed (fun t p => value_at (steps_on steps t) p) (number limits_) L) in H;
    [discriminate|exact L_ok|unfold L; lia|intros; apply nonneg|].
  intros t q. pose proof (all_fit t q L L_ok ltac:(unfold L; lia)) as fits_.
  set (R := filter (fun r => has_one (ranges r) q) (on_type t)).
  assert (by_times : on_one (fun r => value_at (steps_on steps (type_of r)) (lasts 1 I r)) t q
                     = sum (map (value_at (steps_on steps t)) (map (lasts 1 I) R))).
  { unfold on_one. rewrite sum_if. fold R. rewrite map_map. apply sum_map_ext. intros r Hr. unfold R in Hr.
    apply filter_In in Hr. destruct Hr as [Hr _]. apply filter_In in Hr. destruct Hr as [_ is_on]. apply N.eqb_eq in is_on.
    rewrite is_on. reflexivity. }
  rewrite by_times. unfold on_one in fits_. rewrite sum_if in fits_. fold R in fits_.
  destruct (on_t t) as [good|none].
  2: { rewrite none. rewrite (sum_map_ext _ (fun _ => 0)) by reflexivity. rewrite sum_constant.
       pose proof (number_nonnegative limits_ t limits_ok). lia. }
  assert (long : forall p, In p (map (lasts 1 I) R) -> 0 <= p).
  { intros p Hp. apply in_map_iff in Hp. destruct Hp as (r & <- & Hr). unfold R in Hr. apply filter_In in Hr.
    destruct Hr as [Hr _]. apply filter_In in Hr. destruct Hr as [Hr _]. destruct (run_task r Hr) as (x & Hx).
    destruct (run_mode r x Hr Hx) as (_ & _ & _ & ?). assumption. }
  destruct (taken_steps L (steps_on steps t) (fun x Hx => proj1 (positive t x Hx)) (map (lasts 1 I) R) long fits_)
    as (taken & is_part & sizes_ & worths).
  assert (items_nonneg : forall it, In it (step_items L (steps_on steps t)) -> 0 <= Sets.worth it /\ 0 <= Sets.size it).
  { intros it Hit. unfold step_items in Hit. apply in_flat_map in Hit. destruct Hit as (x & Hx & Hit).
    apply repeat_spec in Hit. subst it. unfold Sets.worth, Sets.size. cbn [fst snd]. specialize (positive t x Hx). lia. }
  unfold steps_ok in good. rewrite andb_true_iff in good. destruct good as [_ good].
  pose proof (small_spec _ _ _ _ [(0, 0)] items_nonneg eq_refl good (0, 0) taken is_part) as small_.
  rewrite <- worths. apply small_.
  - left. exists (0, 0). split; [left; reflexivity|apply better_refl].
  - apply one_room; [|simpl; lia]. intros it Hit. apply items_nonneg. exact (part_incl _ _ is_part it Hit).
Qed.
End Bounds.
