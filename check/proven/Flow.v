(* SPDX-License-Identifier: Apache-2.0 *)
(** Certificates of task graphs: [flow], of which the longest path is the case without weights. What begins to flow at a
    task waits for its release and for the first processor that may run it; what processors are busy they do not give. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Available.
Import ListNotations.
Open Scope Z_scope.

(** An edge with its flow [f] and with [g], what it charges its source for being on the first type. *)
Record link := { along : edge; flow : Z; cross : Z }.
Definition link_source (l : link) : N := source (along l).
Definition link_target (l : link) : N := target (along l).

Definition links (I : instance) (flows crosses : list Z) : list link :=
  map (fun x => {| along := fst x; flow := fst (snd x); cross := snd (snd x) |})
      (combine (edges I) (combine flows crosses)).

Section Flow.
Variable I : instance.
Variable all : list link.      (* the links, one for an edge *)
Variable through : N -> Z.     (* what passes a task *)
Variable weights : list Z.

Definition flow_in (into : M.t (list link)) (j : N) : Z := sum (map flow (group into j)).
Definition charge (into out : M.t (list link)) (j : N) : Z :=
  sum (map cross (group out j)) - sum (map cross (group into j)).

Definition link_ok (l : link) : bool :=
  (0 <=? flow l) &&
  ((cross l =? 0) ||
   ((length (platform I) =? 2)%nat &&
    (- (flow l * cost (along l) 1 0) <=? cross l) && (cross l <=? flow l * cost (along l) 0 1))).

Definition start_on (j t : N) : Z := match item (tasks I) j with Some x => earliest I x t | None => 0 end.

Definition price_of (into out : M.t (list link)) : pricing :=
  fun j t p => p * (number weights t + through j) + (if (t =? 0)%N then charge into out j else 0)
               + (through j - flow_in into j) * start_on j t.

Definition check_links (value : Z) : bool :=
  let into := grouped link_target all in
  let out := grouped link_source all in
  let tasks_ := map fst (indexed 0 (tasks I)) in
  forallb (Z.leb 0) weights &&
  forallb link_ok all &&
  forallb (fun j => (flow_in into j <=? through j) && (flow_in out j <=? through j)) tasks_ &&
  let begins := sum (map (fun j => through j - flow_in into j) tasks_) in
  (room_of_all I 0 weights (value - 1) + (value - 1) * begins
   <? sum (map amount (demands I (modes I) (price_of into out)))).

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis links_edges : forall l, In l all -> In (along l) (edges I).

Let tasks_ := numbers (length (tasks I)).
Let into := grouped link_target all.
Let out := grouped link_source all.

Lemma sum_by_target (F : link -> Z) :
  sum (map F all) = sum (map (fun j => sum (map F (group into j))) tasks_).
Proof.
  rewrite (sum_groups_equal N.eq_dec link_target F tasks_); [|apply numbers_nodup|].
  - apply sum_map_ext. intros j _. unfold into. rewrite group_filter.
    rewrite (filter_ext _ (fun x => (link_target x =? j)%N)) by (intros; apply decide_N). reflexivity.
  - intros l Hl. apply in_numbers. apply (proj1 edges_ok). apply links_edges. exact Hl.
Qed.

Lemma sum_by_source (F : link -> Z) :
  sum (map F all) = sum (map (fun j => sum (map F (group out j))) tasks_).
Proof.
  rewrite (sum_groups_equal N.eq_dec link_source F tasks_); [|apply numbers_nodup|].
  - apply sum_map_ext. intros j _. unfold out. rewrite group_filter.
    rewrite (filter_ext _ (fun x => (link_source x =? j)%N)) by (intros; apply decide_N). reflexivity.
  - intros l Hl. apply in_numbers. apply (proj1 edges_ok). apply links_edges. exact Hl.
Qed.

Lemma cost_nonnegative e t u : In e (edges I) -> 0 <= cost e t u.
Proof.
  intros He. unfold cost. destruct (item (costs e) t) as [row|] eqn:found; [|lia].
  unfold number. destruct (item row u) as [c|] eqn:found'; [|lia].
  apply item_in in found. apply item_in in found'. exact (proj1 (proj2 edges_ok) e row c He found found').
Qed.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.

Definition nobody : run := {| job := 0; on := 0; proc := 0; start := 0 |}.
Definition the (j : N) : run := match find (by_task s) j with Some r => r | None => nobody end.

Lemma the_run j : In j tasks_ -> In (the j) (runs s) /\ job (the j) = j.
Proof.
  intros Hj. apply in_numbers, item_exists in Hj. destruct Hj as (x & Hx).
  destruct (every_job I s j x ok Hx) as (r & Hr & same). unfold the.
  rewrite (proj2 (by_task_spec s j r (jobs_nodup I s ok)) (conj Hr same)). auto.
Qed.

Lemma the_job r : In r (runs s) -> the (job r) = r.
Proof.
  intros Hr. unfold the. rewrite (proj2 (by_task_spec s (job r) r (jobs_nodup I s ok)) (conj Hr eq_refl)). reflexivity.
Qed.

Lemma sum_runs (F : run -> Z) : sum (map F (runs s)) = sum (map (fun j => F (the j)) tasks_).
Proof.
  unfold tasks_. rewrite <- (sum_permutation _ _ (Permutation_map (fun j => F (the j)) (proj1 (proj1 ok)))), map_map.
  apply sum_map_ext. intros r Hr. rewrite the_job by assumption. reflexivity.
Qed.

Definition first (j : N) : Z := if (on (the j) =? 0)%N then 1 else 0.

Lemma type_of_two r : length (platform I) = 2%nat -> In r (runs s) -> on r = 0%N \/ on r = 1%N.
Proof.
  intros two Hr. destruct (placed_type I r (valid_placed I s r ok Hr)) as [H _]. apply in_numbers in H.
  rewrite two in H. lia.
Qed.

(** Along a link the flow waits at least for what is charged. *)
Lemma link_waits l : In l all -> link_ok l = true ->
  cross l * (first (link_source l) - first (link_target l))
  <= flow l * (start (the (link_target l)) - ends I (the (link_source l))).
Proof.
  intros Hl good. pose proof (links_edges l Hl) as He.
  destruct (proj1 edges_ok _ He) as [Hs Ht].
  destruct (the_run (link_source l) (proj2 (in_numbers _ _) Hs)) as [Hi from_].
  destruct (the_run (link_target l) (proj2 (in_numbers _ _) Ht)) as [Hj to_].
  pose proof (proj1 (proj2 (proj2 ok)) (along l) _ _ He Hi (in_attempts s _ Hj) from_ to_) as waits.
  set (i := the (link_source l)) in *. set (j := the (link_target l)) in *.
  pose proof (cost_nonnegative (along l) (on i) (on j) He) as nonneg.
  unfold link_ok in good. rewrite andb_true_iff, Z.leb_le in good. destruct good as [pos good].
  assert (gap : 0 <= start j - ends I i).
  { unfold arrival in waits. destruct (same_processor i j); lia. }
  apply orb_true_iff in good. destruct good as [zero|good].
  - apply Z.eqb_eq in zero. rewrite zero. nia.
  - rewrite !andb_true_iff, !Z.leb_le, Nat.eqb_eq in good. destruct good as [[two low] high].
    unfold first. fold i j. unfold arrival, same_processor in waits.
    destruct (type_of_two i two Hi) as [ti|ti], (type_of_two j two Hj) as [tj|tj]; rewrite ti, tj in *; simpl in *; nia.
Qed.

Lemma flow_begins : (forall l, In l all -> link_ok l = true) ->
  (forall j, In j tasks_ -> flow_in into j <= through j /\ flow_in out j <= through j) ->
  sum (map (fun j => through j * (ends I (the j) - start (the j)) + charge into out j * first j
                     + (through j - flow_in into j) * start (the j)) tasks_)
  <= makespan I s * sum (map (fun j => through j - flow_in into j) tasks_).
Proof.
  intros good passes.
  assert (waits : sum (map (fun l => cross l * (first (link_source l) - first (link_target l))) all)
                  <= sum (map (fun l => flow l * (start (the (link_target l)) - ends I (the (link_source l)))) all)).
  { apply sum_le. intros l Hl. apply link_waits; auto. }
  assert (charges : sum (map (fun l => cross l * (first (link_source l) - first (link_target l))) all)
                    = sum (map (fun j => charge into out j * first j) tasks_)).
  { rewrite (sum_map_ext _ (fun l => cross l * first (link_source l) + (-1) * (cross l * first (link_target l))))
      by (intros; lia).
    rewrite sum_map_add, sum_map_mul, (sum_by_source (fun l => cross l * first (link_source l))),
      (sum_by_target (fun l => cross l * first (link_target l))), <- sum_map_mul, <- sum_map_add.
    apply sum_map_ext. intros j _. unfold charge.
    rewrite (sum_map_ext (fun l => cross l * first (link_source l)) (fun l => first j * cross l)).
    2: { intros l Hl. apply group_spec in Hl. destruct Hl as [_ <-]. lia. }
    rewrite (sum_map_ext (fun l => cross l * first (link_target l)) (fun l => first j * cross l)).
    2: { intros l Hl. apply group_spec in Hl. destruct Hl as [_ <-]. lia. }
    rewrite !sum_map_mul. lia. }
  assert (gaps : sum (map (fun l => flow l * (start (the (link_target l)) - ends I (the (link_source l)))) all)
                 = sum (map (fun j => flow_in into j * start (the j) - flow_in out j * ends I (the j)) tasks_)).
  { rewrite (sum_map_ext _ (fun l => flow l * start (the (link_target l))
                                     + (-1) * (flow l * ends I (the (link_source l))))) by (intros; lia).
    rewrite sum_map_add, sum_map_mul, (sum_by_target (fun l => flow l * start (the (link_target l)))),
      (sum_by_source (fun l => flow l * ends I (the (link_source l)))), <- sum_map_mul, <- sum_map_add.
    apply sum_map_ext. intros j _. unfold flow_in.
    rewrite (sum_map_ext (fun l => flow l * start (the (link_target l))) (fun l => start (the j) * flow l)).
    2: { intros l Hl. apply group_spec in Hl. destruct Hl as [_ <-]. lia. }
    rewrite (sum_map_ext (fun l => flow l * ends I (the (link_source l))) (fun l => ends I (the j) * flow l)).
    2: { intros l Hl. apply group_spec in Hl. destruct Hl as [_ <-]. lia. }
    rewrite !sum_map_mul. lia. }
  assert (same : sum (map (flow_in into) tasks_) = sum (map (flow_in out) tasks_)).
  { unfold flow_in. rewrite <- (sum_by_target flow), <- (sum_by_source flow). reflexivity. }
  rewrite charges, gaps in waits.
  assert (each : sum (map (fun j => through j * (ends I (the j) - start (the j))
                                    + (flow_in into j * start (the j) - flow_in out j * ends I (the j))
                                    + (through j - flow_in into j) * start (the j)) tasks_)
                 <= sum (map (fun j => makespan I s * (through j - flow_in out j)) tasks_)).
  { apply sum_le. intros j Hj. destruct (passes j Hj) as [pass_in pass_out].
    destruct (the_run j Hj) as [Hr _]. destruct (valid_placed I s _ ok Hr) as (_ & _ & zero).
    assert (ends I (the j) <= makespan I s) by (apply max_in, in_map, Hr). nia. }
  rewrite !sum_map_add in each. rewrite !sum_map_add. rewrite <- sum_map_mul.
  rewrite (sum_map_ext (fun j => makespan I s * (through j - flow_in out j))
                       (fun j => makespan I s * through j + - makespan I s * flow_in out j)) in each by (intros; lia).
  rewrite (sum_map_ext (fun j => makespan I s * (through j - flow_in into j))
                       (fun j => makespan I s * through j + - makespan I s * flow_in into j)) by (intros; lia).
  rewrite sum_map_add, !sum_map_mul in *. change (fun x : N => flow_in out x) with (flow_in out) in each.
  change (fun x : N => flow_in into x) with (flow_in into). rewrite <- same in each. lia.
Qed.

Lemma flow_total : (forall l, In l all -> link_ok l = true) ->
  (forall j, In j tasks_ -> flow_in into j <= through j /\ flow_in out j <= through j) ->
  sum (map (fun j => through j * (ends I (the j) - start (the j)) + charge into out j * first j) tasks_)
  <= makespan I s * sum (map (fun j => through j - flow_in into j) tasks_).
Proof.
  intros good passes. etransitivity; [|exact (flow_begins good passes)]. apply sum_le. intros j Hj.
  destruct (passes j Hj) as [pass_in _]. destruct (the_run j Hj) as [Hr _].
  destruct (valid_placed I s _ ok Hr) as (_ & _ & zero). nia.
Qed.
End Schedule.

Lemma supply_linear c limit : supply I (fun t => limit t * c) = c * supply I limit.
Proof. unfold supply. rewrite <- sum_map_mul. apply sum_map_ext. intros. lia. Qed.

Lemma supply_nonnegative limit : (forall t, 0 <= limit t) -> 0 <= supply I limit.
Proof.
  intros H. apply sum_nonnegative. intros x Hx. apply in_map_iff in Hx. destruct Hx as ([t y] & <- & Hy). simpl.
  apply indexed_item, item_in in Hy. pose proof (proj1 counts_ok y Hy). pose proof (H t). nia.
Qed.

Hypothesis waits_ok : I4 I.

Theorem links_sound value : check_links value = true -> forall s, valid I s -> value <= makespan I s.
Proof.
  unfold check_links. rewrite indexed_numbers. fold into out tasks_. rewrite !andb_true_iff, !forallb_forall.
  intros [[[weights_ok good] passes] H] s ok. apply Z.ltb_lt in H.
  assert (passes' : forall j, In j tasks_ -> flow_in into j <= through j /\ flow_in out j <= through j).
  { intros j Hj. specialize (passes j Hj). rewrite andb_true_iff, !Z.leb_le in passes. exact passes. }
  destruct (Z_le_gt_dec value (makespan I s)) as [|short]; [assumption|exfalso].
  pose proof (demand_total I s (modes I) (price_of into out) ok (covers_modes I s ok)) as demand.
  pose proof (flow_begins s ok good passes') as flows.
  assert (work : sum (map (fun r => number weights (on r) * duration I (on r) (job r)) (runs s))
                 <= room_of_all I 0 weights (value - 1)).
  { etransitivity; [|apply (all_paid I 0 weights (value - 1) counts_ok times_ok) with (s := s); auto; [|lia]].
    - apply Z.eq_le_incl, sum_map_ext. intros r Hr. unfold paid_for, counted.
      destruct (job_item I s r ok Hr) as (x & Hx). rewrite (released_item I _ _ Hx).
      destruct (Z.leb_spec 0 (release x)) as [|late]; [reflexivity|].
      pose proof (proj1 waits_ok x (item_in _ _ _ Hx)). lia.
    - apply forallb_forall. exact weights_ok. }
  assert (parts : sum (map (paid I (price_of into out)) (runs s)) <=
                  sum (map (fun r => number weights (on r) * duration I (on r) (job r)) (runs s)) +
                  sum (map (fun j => through j * (ends I (the s j) - start (the s j))
                                     + charge into out j * first s j
                                     + (through j - flow_in into j) * start (the s j)) tasks_)).
  { rewrite !(sum_runs s ok), <- sum_map_add. apply sum_le. intros j Hj.
    destruct (the_run s ok j Hj) as [Hr same]. unfold paid, price_of, first, start_on.
    rewrite (duration_ends I (the s j)), same. destruct (passes' j Hj) as [pass_in _].
    apply in_numbers, item_exists in Hj. destruct Hj as (x & Hx). rewrite Hx. rewrite <- same in Hx.
    pose proof (run_earliest I s (the s j) x waits_ok ok Hr Hx). destruct (on (the s j) =? 0)%N; nia. }
  assert (0 <= sum (map (fun j => through j - flow_in into j) tasks_)).
  { apply sum_nonnegative. intros x Hx. apply in_map_iff in Hx. destruct Hx as (j & <- & Hj).
    destruct (passes' j Hj). lia. }
  nia.
Qed.
End Flow.

Definition check_flow (I : instance) (value : Z) (weights flows through crosses : list Z) : bool :=
  let table := tabled through in
  check_links I (links I flows crosses) (fun j => match find table j with Some x => x | None => 0 end) weights value.

Theorem flow_sound I value weights flows through crosses : I1 I -> I2 I -> I3 I -> I4 I ->
  check_flow I value weights flows through crosses = true -> forall s, valid I s -> value <= makespan I s.
Proof.
  intros one two three four H s ok. eapply links_sound; eauto. intros l Hl. unfold links in Hl.
  apply in_map_iff in Hl. destruct Hl as ([e x] & <- & He). simpl. eapply in_combine_l; eauto.
Qed.
