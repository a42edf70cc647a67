(* SPDX-License-Identifier: Apache-2.0 *)
(** Certificate [head-tail] of task graphs: the work of tasks that start late enough, and end early enough, does not fit
    in between. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Available Flow.
Import ListNotations.
Open Scope Z_scope.

Definition value_of (m : M.t Z) (j : N) : Z := match find m j with Some x => x | None => 0 end.

(** The longest way to a task, or what is known of it alone, in whatever order tasks come: what has not come yet counts
    as 0. *)
Definition longest (own : N -> Z) (next : edge ->
  N) (times : M.t Z) (edges_of : M.t (list edge)) (order : list N) : M.t Z :=
  fold_left (fun m j =>
      M.add (key j)
            (fold_right Z.max (own j) (map (fun e => value_of m (next e) + value_of times (next e))
                                          (group edges_of j))) m)
    order (M.empty Z).

Lemma value_add m i x j : value_of (M.add (key i) x m) j = if N.eq_dec i j then x else value_of m j.
Proof.
  unfold value_of, find. destruct (N.eq_dec i j) as [->|differs]; [rewrite M.gss; reflexivity|].
  rewrite M.gso; [reflexivity|]. intros same. apply key_injective in same. congruence.
Qed.

Lemma max_from_le x l m : x <= m -> (forall y, In y l -> y <= m) -> fold_right Z.max x l <= m.
Proof.
  intros less all. induction l as [|y l IH]; [exact less|]. cbn [fold_right].
  pose proof (all y (or_introl eq_refl)). specialize (IH (fun z H => all z (or_intror H))). lia.
Qed.

Lemma longest_below own (next : edge -> N) times edges_of order (most : N -> Z) :
  (forall j, 0 <= most j) -> (forall j, own j <= most j) ->
  (forall j e, In e (group edges_of j) -> most (next e) + value_of times (next e) <= most j) ->
  forall j, value_of (longest own next times edges_of order) j <= most j.
Proof.
  intros nonneg alone along. unfold longest.
  assert (all : forall order m, (forall j, value_of m j <= most j) -> forall j,
            value_of (fold_left (fun m j => M.add (key j) (fold_right Z.max (own j)
              (map (fun e => value_of m (next e) + value_of times (next e)) (group edges_of j))) m) order m) j <=
                most j).
  { clear order. induction order as [|i order IH]; intros m below j; simpl; [apply below|]. apply IH. intros k.
    rewrite value_add. destruct (N.eq_dec i k) as [->|]; [|apply below]. apply max_from_le; [apply alone|].
    intros x Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He).
    specialize (along k e He). specialize (below (next e)). lia. }
  apply all. intros j. unfold value_of, find. rewrite M.gempty. apply nonneg.
Qed.

Section HeadTail.
Variable I : instance.

Definition least_time (x : task) : Z := amount (cheapest snd (modes I x)).

(** When a task can start at the earliest, by its release and the busy processors alone. *)
Definition own_head (x : task) : Z :=
  Z.max (release x) (amount (cheapest (fun mode => free_from I (fst mode)) (modes I x))).

Definition is_member (order : list N) (head tail : Z) : N -> bool :=
  let times := tabled (map least_time (tasks I)) in
  let own := tabled (map own_head (tasks I)) in
  let heads := longest (value_of own) source times (grouped target (edges I)) order in
  let tails := longest (fun _ => 0) target times (grouped source (edges I)) (rev order) in
  fun j => (head <=? value_of heads j) && (tail <=? value_of tails j).

Definition check_head_tail (value : Z) (weights : list Z) (head tail : Z) (order : list N) : bool :=
  let member := is_member order head tail in
  let room := value - 1 - head - tail in
  forallb (Z.leb 0) weights && (0 <=? head) && (0 <=? tail) &&
  existsb (fun pair => 0 <? number weights (fst pair) * count (snd pair)) (indexed 0 (platform I)) &&
  existsb (fun pair => member (fst pair)) (indexed 0 (tasks I)) &&
  ((room <? fold_right Z.max 0 (map (fun pair => if member (fst pair) then least_time (snd pair) else 0)
                                    (indexed 0 (tasks I)))) ||
   (room_of_all I head weights (value - 1 - tail) <?
    sum (map amount (demands I (modes I) (fun j t p => if member j then number weights t * p else 0))))).

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis waits_ok : I4 I.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.

Lemma least_duration r : In r (runs s) ->
  value_of (tabled (map least_time (tasks I))) (job r) <= duration I (on r) (job r).
Proof.
  intros Hr. destruct (job_item I s r ok Hr) as (x & Hx). unfold value_of. rewrite find_tabled, item_map, Hx. simpl.
  destruct (run_mode I s r x ok Hr Hx) as [mode _].
  destruct (cheapest_spec snd (modes I x) _ mode) as (c & found & less). unfold least_time. rewrite found. exact less.
Qed.

(** A task that is none has no edges. *)
Definition start_of (j : N) : Z := if in_dec N.eq_dec j (map job (runs s)) then start (the s j) else 0.
Definition rest_of (j : N) : Z :=
  if in_dec N.eq_dec j (map job (runs s)) then makespan I s - ends I (the s j) else 0.

Lemma a_run j : task_number I j -> In (the s j) (runs s) /\ job (the s j) = j /\ In j (map job (runs s)).
Proof.
  intros Hj. apply in_numbers in Hj. destruct (the_run I s ok j Hj) as [Hr same]. split; [assumption|].
  split; [assumption|]. rewrite <- same. apply in_map. exact Hr.
Qed.

Lemma edge_waits e : In e (edges I) -> ends I (the s (source e)) <= start (the s (target e)).
Proof.
  intros He. destruct (proj1 edges_ok e He) as [Hs Ht].
  destruct (a_run _ Hs) as (Hi & from_ & _). destruct (a_run _ Ht) as (Hj & to_ & _).
  pose proof (proj1 (proj2 (proj2 ok)) e _ _ He Hi (in_attempts s _ Hj) from_ to_) as waits.
  pose proof (cost_nonnegative I edges_ok e (on (the s (source e))) (on (the s (target e))) He).
  unfold arrival in waits. destruct (same_processor _ _); lia.
Qed.

Lemma head_below order j :
  value_of (longest (value_of (tabled (map own_head (tasks I)))) source (tabled (map least_time (tasks I))) (grouped
    target (edges I)) order) j <= start_of j.
Proof.
  apply longest_below.
  - intros i. unfold start_of. destruct (in_dec N.eq_dec i (map job (runs s))) as [Hi|]; [|lia].
    apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). rewrite (the_job I s ok r Hr).
    apply (valid_placed I s r ok Hr).
  - intros i. unfold start_of, value_of. rewrite find_tabled, item_map.
    destruct (in_dec N.eq_dec i (map job (runs s))) as [Hi|none].
    + apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). rewrite (the_job I s ok r Hr).
      destruct (job_item I s r ok Hr) as (x & Hx). rewrite Hx. cbn [option_map].
      pose proof (run_earliest I s r x waits_ok ok Hr Hx) as late. unfold earliest in late.
      destruct (run_mode I s r x ok Hr Hx) as [mode _].
      destruct (cheapest_spec (fun mode => free_from I (fst mode)) (modes I x) _ mode) as (c & found & less).
      cbn [fst] in less. unfold own_head. rewrite found. cbn [amount]. lia.
    + destruct (item (tasks I) i) as [x|] eqn:Hx; [|cbn; lia]. exfalso. apply none.
      destruct (every_job I s i x ok Hx) as (r & Hr & <-). apply in_map. exact Hr.
  - intros i e He. apply group_spec in He. destruct He as [He <-]. destruct (proj1 edges_ok e He) as [Hs Ht].
    destruct (a_run _ Hs) as (Hi & from_ & in_s). destruct (a_run _ Ht) as (Hj & to_ & in_t).
    unfold start_of. destruct (in_dec N.eq_dec (source e) (map job (runs s))); [|contradiction].
    destruct (in_dec N.eq_dec (target e) (map job (runs s))); [|contradiction].
    pose proof (edge_waits e He). pose proof (least_duration _ Hi) as least_. rewrite from_ in least_.
    pose proof (duration_ends I (the s (source e))) as length_. rewrite from_ in length_. lia.
Qed.

Lemma tail_below order j :
  value_of (longest (fun _ => 0) target (tabled (map least_time (tasks I))) (grouped source (edges I)) order) j <=
    rest_of j.
Proof.
  apply longest_below.
  - intros i. unfold rest_of. destruct (in_dec N.eq_dec i (map job (runs s))) as [Hi|]; [|lia].
    apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). rewrite (the_job I s ok r Hr).
    assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr). lia.
  - intros i. unfold rest_of. destruct (in_dec N.eq_dec i (map job (runs s))) as [Hi|]; [|lia].
    apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). rewrite (the_job I s ok r Hr).
    assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr). lia.
  - intros i e He. apply group_spec in He. destruct He as [He <-]. destruct (proj1 edges_ok e He) as [Hs Ht].
    destruct (a_run _ Hs) as (Hi & from_ & in_s). destruct (a_run _ Ht) as (Hj & to_ & in_t).
    unfold rest_of. destruct (in_dec N.eq_dec (source e) (map job (runs s))); [|contradiction].
    destruct (in_dec N.eq_dec (target e) (map job (runs s))); [|contradiction].
    pose proof (edge_waits e He). pose proof (least_duration _ Hj) as least_. rewrite to_ in least_.
    pose proof (duration_ends I (the s (target e))) as length_. rewrite to_ in length_. lia.
Qed.

Lemma member_inside order head tail r : In r (runs s) -> is_member order head tail (job r) = true ->
  head <= start r /\ ends I r <= makespan I s - tail.
Proof.
  intros Hr H. unfold is_member in H. rewrite andb_true_iff, !Z.leb_le in H. destruct H as [late early].
  pose proof (head_below order (job r)) as below. pose proof (tail_below (rev order) (job r)) as above.
  unfold start_of in below. unfold rest_of in above.
  destruct (in_dec N.eq_dec (job r) (map job (runs s))) as [_|none]; [|destruct none; apply in_map; exact Hr].
  rewrite (the_job I s ok r Hr) in *. lia.
Qed.
End Schedule.

Theorem head_tail_sound value weights head tail order : check_head_tail value weights head tail order = true ->
  forall s, valid I s -> value <= makespan I s.
Proof.
  intros H s ok. unfold check_head_tail in H. rewrite !andb_true_iff, !Z.leb_le, orb_true_iff, !Z.ltb_lt in H.
  destruct H as [[[[[weights_ok head_ok] tail_ok] _] some] H].
  destruct (Z_le_gt_dec value (makespan I s)) as [|short]; [assumption|exfalso].
  assert (weights_nonneg : forall t, 0 <= number weights t) by (intros; apply number_nonnegative; exact weights_ok).
  apply existsb_exists in some. destruct some as ([j x] & Hx & is_one). apply indexed_item in Hx. simpl in is_one.
  destruct (every_job I s j x ok Hx) as (r & Hr & <-).
  destruct (member_inside s ok order head tail r Hr is_one) as [late early].
  pose proof (ends_forward I r times_ok).
  destruct H as [H|H].
  { enough (fold_right Z.max 0 (map (fun pair => if is_member order head tail (fst pair) then least_time (snd pair)
      else 0) (indexed 0 (tasks I))) <= makespan I s - tail - head) by lia.
    apply max_le; [lia|]. intros z Hz. apply in_map_iff in Hz. destruct Hz as ([i y] & <- & Hy).
    apply indexed_item in Hy. simpl. destruct (is_member order head tail i) eqn:is_i; [|lia].
    destruct (every_job I s i y ok Hy) as (q & Hq & <-).
    destruct (member_inside s ok order head tail q Hq is_i). destruct (run_mode I s q y ok Hq Hy) as [mode _].
    destruct (cheapest_spec snd (modes I y) _ mode) as (c & found & less). unfold least_time. rewrite found.
    pose proof (duration_ends I q). simpl in *. lia. }
  pose proof (demand_total I s (modes I) (fun j t p => if is_member order head tail j then number weights t * p else 0)
                ok (covers_modes I s ok)) as demand.
  set (end_ := value - 1 - tail) in *. set (member := is_member order head tail) in *.
  enough (work : sum (map (paid I (fun j t p => if member j then number weights t * p else 0)) (runs s))
                 <= room_of_all I head weights end_) by lia.
  unfold room_of_all. rewrite (sum_map_ext (fun pair => number weights (fst pair) * room_of head end_ (snd pair))
    (fun pair => (fun t => number weights t * match item (platform I) t with Some x => room_of head end_ x | None =>
      0 end)
                   (fst pair))).
  2: { intros [t y] Ht. apply indexed_item in Ht. cbn [fst snd]. rewrite Ht. reflexivity. }
  rewrite <- (map_map fst (fun t => number weights t * match item (platform I) t with
    Some x => room_of head end_ x | None => 0 end)), indexed_numbers.
  apply (sum_groups N.eq_dec on).
  - apply numbers_nodup.
  - intros q Hq. apply placed_type. eapply valid_placed; eauto.
  - intros t Ht. rewrite (filter_ext _ (fun q => (on q =? t)%N)) by (intros; apply decide_N).
    apply in_numbers, item_exists in Ht. destruct Ht as (y & found). rewrite found.
    etransitivity; [|apply Z.mul_le_mono_nonneg_l;
                     [apply weights_nonneg|exact (room_total I head end_ counts_ok t y found)]].
    rewrite <- sum_map_mul. apply (sum_groups Z.eq_dec proc).
    + apply FinFun.Injective_map_NoDup; [intros i k; lia|apply seq_NoDup].
    + intros q Hq. apply filter_In in Hq. destruct Hq as [Hq same]. apply N.eqb_eq in same. subst t.
      destruct (valid_placed I s q ok Hq) as (_ & there & _). unfold processors in there. rewrite found in there.
      apply in_map_iff. exists (Z.to_nat (proc q)). rewrite in_seq. lia.
    + intros p _. rewrite (filter_ext _ (fun q => proc q =? p)) by (intros; apply decide_Z).
      rewrite (sum_map_ext _ (fun q => number weights t * (if member (job q) then duration I (on q) (job q) else 0))).
      2: { intros z Hz. apply filter_In in Hz. destruct Hz as [Hz _]. apply filter_In in Hz. destruct Hz as [_ same].
           apply N.eqb_eq in same. unfold paid. rewrite same. destruct (member (job z)); lia. }
      rewrite sum_map_mul. apply Z.mul_le_mono_nonneg_l; [apply weights_nonneg|]. unfold time_left.
      assert (inside : forall q, In q (runs s) -> on q = t -> proc q = p -> member (job q) = true ->
                Z.max head (busy_until I t p) <= start q /\ ends I q <= end_).
      { intros q Hq <- <- is_q. destruct (member_inside s ok order head tail q Hq is_q).
        pose proof ok as (_ & _ & _ & free4 & _). destruct (free4 q (in_attempts s q Hq)). lia. }
      destruct (Z_le_gt_dec (Z.max head (busy_until I t p)) end_) as [fits|none].
      * pose proof (some_on_processor I times_ok s t p member (Z.max head (busy_until I t p)) end_ ok fits inside). lia.
      * etransitivity; [apply sum_nonpositive|lia]. intros q Hq. apply filter_In in Hq. destruct Hq as [Hq same_p].
        apply filter_In in Hq. destruct Hq as [Hq same_t]. apply N.eqb_eq in same_t. apply Z.eqb_eq in same_p.
        destruct (member (job q)) eqn:is_q; [|lia]. destruct (inside q Hq same_t same_p is_q).
        pose proof (ends_forward I q times_ok). lia.
Qed.
End HeadTail.
