(* SPDX-License-Identifier: Apache-2.0 *)
(** The certificate [flow] of moldable tasks, of which the longest path is the case without weights. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Moldable MoldableValid MoldableBounds.
Import ListNotations.
Open Scope Z_scope.

Section MoldableFlow.
Variable I : moldable_instance.

(** Without data, and where every task has a processor of its own, ends and starts are those of a schedule of sequential
    tasks. Of that Flow.v says what flows wait for. *)
Definition plain_edge (e : dependence) : edge := {| source := source_of e; target := target_of e; costs := [] |}.

Definition alone (k : N) (times_ : N -> Z) : instance :=
  {| platform := [{| count := Z.of_N k; busy := [] |}];
     tasks := map (fun j => {| times := [Some (times_ j)]; release := 0 |}) (numbers (N.to_nat k));
     edges := map plain_edge (dependences I) |}.

Definition flow_links (flows : list Z) : list link := links (alone 0 (fun _ => 0)) flows (map (fun _ => 0) flows).

Definition passing_cost (weights : list Z) (through : Z) (x : moldable) : option Z :=
  least (fun m => snd (snd m) * (fst (snd m) * number weights (fst m) + through)) (all_modes I x).

Definition check_moldable_flow (value : Z) (weights flows passing : list Z) : bool :=
  let table := tabled passing in
  let through j := match find table j with Some x => x | None => 0 end in
  let all := flow_links flows in
  let into := grouped link_target all in
  let out := grouped link_source all in
  let each := indexed 0 (all_tasks I) in
  forallb (Z.leb 0) weights && forallb (fun l => 0 <=? flow l) all &&
  forallb (fun pair => (flow_in into (fst pair) <=? through (fst pair)) &&
                       (flow_in out (fst pair) <=? through (fst pair))) each &&
  let right := of_all I (fun t x => count x * number weights t) +
               sum (map (fun pair => through (fst pair) - flow_in into (fst pair)) each) in
  ((value - 1) * right <? sum (map (fun pair => amount (passing_cost weights (through (fst pair)) (snd pair))) each)).

Hypothesis counts_ok : I1 (machine I).
Hypothesis times_ok : M2 I.
Hypothesis edges_ok : M3 I.
Variable s : list execution.
Hypothesis ok : moldable_valid 1 I s.

Let n := N.of_nat (length (all_tasks I)).

Definition lasting (j : N) : Z :=
  match List.find (fun r => (task_of r =? j)%N) s with Some r => lasts 1 I r | None => 0 end.

Definition as_run (r : execution) : run := {| job := task_of r; on := 0; proc := Z.of_N (task_of r); start := begins r |}.
Definition as_schedule : schedule := {| runs := map as_run s; given_up := [] |}.
Let J := alone n lasting.

Lemma tasks_different : NoDup (map task_of s).
Proof. destruct ok as ((once & _) & _). apply Permutation_sym in once. apply (Permutation_NoDup once), numbers_nodup. Qed.

Lemma lasting_run r : In r s -> lasting (task_of r) = lasts 1 I r.
Proof.
  intros Hr. unfold lasting. pose proof tasks_different as nodup.
  destruct (List.find (fun r0 => (task_of r0 =? task_of r)%N) s) as [q|] eqn:found.
  - apply find_some in found. destruct found as [Hq same]. apply N.eqb_eq in same. f_equal.
    apply in_split in Hr. destruct Hr as (l & m & ->). rewrite map_app in nodup. cbn [map] in nodup.
    apply NoDup_remove_2 in nodup. apply in_app_or in Hq. destruct Hq as [Hq|[->|Hq]]; [exfalso|reflexivity|exfalso];
      apply nodup; rewrite <- same; apply in_or_app; [left|right]; apply in_map; exact Hq.
  - exfalso. pose proof (find_none _ _ found r Hr) as none. cbv beta in none. rewrite N.eqb_refl in none.
    discriminate.
Qed.

Lemma run_number r : In r s -> (task_of r < n)%N.
Proof. intros Hr. destruct (run_task I s ok r Hr) as (x & Hx). unfold n. eapply item_some; eauto. Qed.

Lemma alone_time j : (j < n)%N -> time J j 0 = Some (lasting j).
Proof.
  intros Hj. unfold time, J, alone. cbn [tasks]. rewrite item_map, Packing.item_numbers by lia. reflexivity.
Qed.

Lemma ends_same r : In r s -> ends J (as_run r) = finish 1 I r.
Proof.
  intros Hr. unfold ends, finish. cbn [as_run start job on]. rewrite alone_time, lasting_run by (auto using run_number).
  reflexivity.
Qed.

Lemma as_valid : valid J as_schedule.
Proof.
  destruct ok as ((once & places) & pairs & edges3 & there).
  split; [|split; [|split; [|split]]].
  - split.
    + unfold as_schedule, J, alone. cbn [runs tasks]. rewrite map_map, map_length. unfold numbers at 2.
      rewrite map_length, seq_length. unfold n. replace (N.to_nat (N.of_nat (length (all_tasks I)))) with
        (length (all_tasks I)) by lia. exact once.
    + intros q Hq. unfold attempts in Hq. cbn [as_schedule runs given_up map] in Hq. rewrite app_nil_r in Hq.
      apply in_map_iff in Hq. destruct Hq as (r & <- & Hr). destruct (places r Hr) as (_ & _ & zero).
      pose proof (run_number r Hr). split; [|split; [|exact zero]]; cbn [as_run job on proc].
      * rewrite alone_time by assumption. discriminate.
      * unfold processors, J, alone. simpl. lia.
  - unfold S2, occupied. cbn [as_schedule runs given_up map]. rewrite app_nil_r, map_map, ForallOrdPairs_map.
    pose proof tasks_different as nodup. clear - nodup. induction s as [|r l IH]; [constructor|].
    inversion nodup as [|? ? fresh nodup']; subst. constructor; [|auto]. rewrite Forall_forall. intros q Hq _ same.
    exfalso. apply fresh. simpl in same. apply N2Z.inj in same. rewrite same. apply in_map. exact Hq.
  - intros e i j He Hi Hj from_ to_. cbn [J alone edges] in He. apply in_map_iff in He. destruct He as (f & <- & He).
    unfold attempts in Hj. cbn [as_schedule runs given_up map] in Hi, Hj. rewrite app_nil_r in Hj.
    apply in_map_iff in Hi. destruct Hi as (i' & <- & Hi). apply in_map_iff in Hj. destruct Hj as (j' & <- & Hj).
    cbn [plain_edge source target as_run job] in from_, to_. destruct (edges3 f i' j' He Hi Hj from_ to_) as [equal other].
    enough (H : finish 1 I i' <= begins j').
    { unfold arrival. rewrite (ends_same i' Hi). unfold cost. cbn [plain_edge costs item as_run start].
      destruct (same_processor _ _); lia. }
    destruct (equal_set i' j') eqn:sets; [apply equal, equal_set_spec, sets|].
    assert (differ : ~ same_set i' j') by (intros again; apply equal_set_spec in again; congruence).
    specialize (other differ). unfold data_there in other. rewrite Z.mul_1_l in other.
    enough (0 <= move (moved f) (type_of i') (size_of (ranges i')) (type_of j') (size_of (ranges j'))) by lia.
    assert (some : forall r, In r s -> 0 < size_of (ranges r)).
    { intros r Hr. destruct (run_task I s ok r Hr) as (x & Hx). destruct (run_mode I times_ok s ok r x Hr Hx) as (q & _ & ? & _).
      lia. }
    pose proof (some i' Hi). pose proof (some j' Hj).
    pose proof (proj1 (proj2 edges_ok) f He) as numbers_. unfold no_less in numbers_. unfold move.
    assert (two_ : forall l t u, (forall row c, In row l -> In c row -> 0 <= c) -> 0 <= two l t u).
    { intros l t u H'. unfold two. destruct (item l t) as [row|] eqn:Hrow; [|lia]. unfold number.
      destruct (item row u) as [c|] eqn:Hc; [|lia]. exact (H' row c (item_in _ _ _ Hrow) (item_in _ _ _ Hc)). }
    destruct (moved f) as [costs|net]; [apply two_; exact numbers_|].
    destruct numbers_ as (grain_ & _ & share_ & delays_).
    apply Z.le_trans with (quotient_up (two (latencies net) (type_of i') (type_of j') * size_of (ranges i') +
      number (share net) (type_of i')) (grain net * size_of (ranges i'))); [|apply Z.le_max_l].
    unfold quotient_up. specialize (two_ (latencies net) (type_of i') (type_of j') delays_).
    assert (0 <= number (share net) (type_of i')).
    { unfold number. destruct (item (share net) (type_of i')) as [c|] eqn:Hc; [|lia]. exact (share_ c (item_in _ _ _ Hc)). }
    assert (- (two (latencies net) (type_of i') (type_of j') * size_of (ranges i') + number (share net) (type_of i')) /
            (grain net * size_of (ranges i')) <= 0); [|lia].
    apply Z.div_le_upper_bound; nia.
  - intros q Hq. unfold attempts in Hq. cbn [as_schedule runs given_up map] in Hq. rewrite app_nil_r in Hq.
    apply in_map_iff in Hq. destruct Hq as (r & <- & Hr). destruct (places r Hr) as (_ & _ & zero).
    unfold released, busy_until, J, alone. cbn [as_run job on proc start tasks platform]. rewrite item_map.
    split; [destruct (item _ (task_of r)); exact zero|]. cbn [item]. simpl. unfold number. destruct (Z.to_N _); exact zero.
  - intros a [].
Qed.

Lemma flow_within flows through :
  (forall l, In l (flow_links flows) -> 0 <= flow l) ->
  (forall j, In j (numbers (length (all_tasks I))) ->
     flow_in (grouped link_target (flow_links flows)) j <= through j /\
     flow_in (grouped link_source (flow_links flows)) j <= through j) ->
  sum (map (fun r => through (task_of r) * lasts 1 I r) s) <=
  span_of 1 I s * sum (map (fun j => through j - flow_in (grouped link_target (flow_links flows)) j)
                           (numbers (length (all_tasks I)))).
Proof.
  intros nonneg passes.
  assert (size_ : length (tasks J) = length (all_tasks I)).
  { unfold J, alone. cbn [tasks]. rewrite map_length. unfold numbers. rewrite map_length, seq_length. unfold n. lia. }
  assert (span_ : makespan J as_schedule = span_of 1 I s).
  { unfold makespan, span_of. cbn [as_schedule runs]. rewrite map_map. f_equal. apply map_ext_in. apply ends_same. }
  assert (edges3 : I3 J).
  { destruct edges_ok as (ends_ & _ & rank & rises). split; [|split].
    - intros e He. cbn [J alone edges] in He. apply in_map_iff in He. destruct He as (f & <- & Hf).
      unfold task_number. rewrite size_. exact (ends_ f Hf).
    - intros e row c He. cbn [J alone edges] in He. apply in_map_iff in He. destruct He as (f & <- & _). intros [].
    - exists rank. intros e He. cbn [J alone edges] in He. apply in_map_iff in He. destruct He as (f & <- & Hf).
      exact (rises f Hf). }
  assert (no_cross : forall l, In l (flow_links flows) -> In (along l) (edges J) /\ cross l = 0).
  { intros l Hl. unfold flow_links, links in Hl. apply in_map_iff in Hl. destruct Hl as ([e [f g]] & <- & He).
    cbn [along cross fst snd]. split; [eapply in_combine_l; exact He|]. apply in_combine_r, in_combine_r, in_map_iff in He.
    destruct He as (z & <- & _). reflexivity. }
  assert (no_charge : forall j, charge (grouped link_target (flow_links flows)) (grouped link_source (flow_links flows)) j
                                = 0).
  { intros j. unfold charge. assert (zero : forall l, incl l (flow_links flows) -> sum (map cross l) = 0).
    { intros l inside. rewrite (sum_map_ext _ (fun _ => 0)) by (intros x Hx; apply no_cross, inside, Hx).
      rewrite sum_constant. lia. }
    rewrite !zero; [lia| |]; intros l Hl; apply group_spec in Hl; apply Hl. }
  pose proof (flow_total J (flow_links flows) through edges3 (fun l Hl => proj1 (no_cross l Hl)) as_schedule as_valid) as H.
  rewrite size_, span_ in H. etransitivity; [|apply H].
  - apply Z.eq_le_incl.
    transitivity (sum (map (fun r => through (job r) * (ends J r - start r)) (runs as_schedule))).
    + cbn [as_schedule runs]. rewrite map_map. apply sum_map_ext. intros r Hr. rewrite (ends_same r Hr).
      cbn [as_run job start]. unfold finish. lia.
    + rewrite (sum_runs J as_schedule as_valid), size_. apply sum_map_ext. intros j Hj.
      rewrite <- size_ in Hj. destruct (the_run J as_schedule as_valid j Hj) as [_ ->]. rewrite no_charge. lia.
  - intros l Hl. unfold link_ok. rewrite (proj2 (no_cross l Hl)), Z.eqb_refl. cbn [orb].
    rewrite andb_true_r. apply Z.leb_le. auto.
  - exact passes.
Qed.

Theorem moldable_flow_right value weights flows passing : check_moldable_flow value weights flows passing = true ->
  value <= span_of 1 I s.
Proof.
  unfold check_moldable_flow. cbv zeta.
  set (through := fun j => match find (tabled passing) j with Some x => x | None => 0 end).
  set (into := grouped link_target (flow_links flows)). set (out := grouped link_source (flow_links flows)).
  rewrite !andb_true_iff, !forallb_forall. intros [[[weights_ok good] passes] H]. apply Z.ltb_lt in H.
  assert (weights_nonneg : forall t, 0 <= number weights t).
  { intros t. apply number_nonnegative. apply forallb_forall. exact weights_ok. }
  assert (passes' : forall j, In j (numbers (length (all_tasks I))) ->
            flow_in into j <= through j /\ flow_in out j <= through j).
  { intros j Hj. apply in_numbers, item_exists in Hj. destruct Hj as (x & Hx).
    specialize (passes (j, x) (proj2 (indexed_item _ _ _) Hx)). rewrite andb_true_iff, !Z.leb_le in passes. exact passes. }
  destruct (Z_le_gt_dec value (span_of 1 I s)) as [|short]; [assumption|exfalso].
  pose proof (flow_within flows through (fun l Hl => proj1 (Z.leb_le _ _) (good l Hl)) passes') as flows_.
  fold into in flows_.
  assert (span_nonneg : 0 <= span_of 1 I s) by apply max_nonnegative.
  assert (work : sum (map (fun r => size_of (ranges r) * (number weights (type_of r) * lasts 1 I r)) s)
                 <= of_all I (fun t x => count x * (number weights t * span_of 1 I s))).
  { apply (by_processors I times_ok s ok (fun r => number weights (type_of r) * lasts 1 I r)
             (fun t x => count x * (number weights t * span_of 1 I s))). intros t x found.
    transitivity (sum (map (fun _ => number weights t * span_of 1 I s) (upto (count x)))).
    - apply sum_le. intros q _.
      transitivity (on_one s (fun r => number weights t * lasts 1 I r) t q).
      { apply no_more. intros r _ <- _. lia. }
      rewrite on_one_mul. apply Z.mul_le_mono_nonneg_l; [apply weights_nonneg|].
      apply (all_fit I times_ok s ok t q); [exact span_nonneg|lia].
    - rewrite sum_constant. unfold upto. rewrite map_length, seq_length.
      pose proof (proj1 counts_ok x (item_in _ _ _ found)). apply Z.eq_le_incl. f_equal. lia. }
  assert (supply_ : of_all I (fun t x => count x * (number weights t * span_of 1 I s))
                    = span_of 1 I s * of_all I (fun t x => count x * number weights t)).
  { unfold of_all. rewrite <- sum_map_mul. apply sum_map_ext. intros. lia. }
  assert (some : 0 <= of_all I (fun t x => count x * number weights t)).
  { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as ([t x] & <- & Hx).
    apply indexed_item, item_in in Hx. pose proof (proj1 counts_ok x Hx). pose proof (weights_nonneg t). simpl. nia. }
  assert (by_number : forall F : N -> Z, sum (map (fun pair => F (fst pair)) (indexed 0 (all_tasks I)))
                      = sum (map F (numbers (length (all_tasks I))))).
  { intros F. rewrite <- indexed_numbers, map_map. reflexivity. }
  assert (more : (value - 1) * (of_all I (fun t x => count x * number weights t) +
                                sum (map (fun j => through j - flow_in into j) (numbers (length (all_tasks I)))))
                 < sum (map (fun pair => amount (passing_cost weights (through (fst pair)) (snd pair)))
                            (indexed 0 (all_tasks I)))).
  { rewrite <- (by_number (fun j => through j - flow_in into j)). exact H. }
  clear H. rename more into H.
  pose (of j := match item (all_tasks I) j with Some x => amount (passing_cost weights (through j) x) | None => 0 end).
  rewrite (sum_map_ext _ (fun pair => of (fst pair)) (indexed 0 (all_tasks I))) in H.
  2: { intros [j x] Hx. apply indexed_item in Hx. unfold of. cbn [fst snd]. rewrite Hx. reflexivity. }
  rewrite (by_number of) in H. destruct ok as ((once & _) & _).
  rewrite <- (sum_permutation _ _ (Permutation_map of once)), map_map in H.
  assert (demand : sum (map (fun r => of (task_of r)) s)
            <= sum (map (fun r => size_of (ranges r) * (number weights (type_of r) * lasts 1 I r)) s)
               + sum (map (fun r => through (task_of r) * lasts 1 I r) s)).
  { rewrite <- sum_map_add. apply sum_le. intros r Hr. destruct (run_task I s ok r Hr) as (x & Hx).
    destruct (run_mode I times_ok s ok r x Hr Hx) as (q & mode_ & size_ & long). unfold of. rewrite Hx.
    destruct (least_spec (fun m => snd (snd m) * (fst (snd m) * number weights (fst m) + through (task_of r)))
                (all_modes I x) _ mode_) as (c & found & less). unfold passing_cost. rewrite found. cbn [amount fst snd] in *.
    pose proof (weights_nonneg (type_of r)). etransitivity; [exact less|]. nia. }
  assert (0 <= sum (map (fun j => through j - flow_in into j) (numbers (length (all_tasks I))))).
  { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (j & <- & Hj).
    destruct (passes' j Hj). lia. }
  rewrite supply_ in work. nia.
Qed.
End MoldableFlow.
