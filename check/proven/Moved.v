(* SPDX-License-Identifier: Apache-2.0 *)
(** Releases and busy processors as costs of edges: the moved instance of docs/problem.md, and proofs about it. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Valid Capacity Available Root Released Lines Graph.
Import ListNotations.
Open Scope Z_scope.

(** Of each type of the moved instance, but the last one, [kinds] has the old type and the time until which its
    processors are busy. *)
Definition moved_task (kinds : list (N * Z)) (x : task) : task :=
  {| times := map (fun k => match item (times x) (fst k) with Some p => p | None => None end) kinds; release := 0 |}.

Definition moved_edge (kinds : list (N * Z)) (e : edge) : edge :=
  {| source := source e; target := target e;
     costs := match costs e with
              | [] => []
              | _ => map (fun k => map (fun l => cost e (fst k) (fst l)) kinds) kinds
              end |}.

(** From the source, whose type is the last one, to a task. *)
Definition source_edge (kinds : list (N * Z)) (n : N) (pair : N * task) : edge :=
  {| source := n; target := fst pair;
     costs := map (fun _ => []) kinds ++ [map (fun k => Z.max (release (snd pair)) (snd k)) kinds] |}.

Definition moved_instance (I : instance) (kinds : list (N * Z)) : instance :=
  {| platform := map (fun k => {| count := of_kind I k; busy := [] |}) kinds ++ [{| count := 1; busy := [] |}];
     tasks := map (moved_task kinds) (tasks I) ++ [{| times := map (fun _ => None) kinds ++ [Some 1]; release := 0 |}];
     edges := map (moved_edge kinds) (edges I) ++
              map (source_edge kinds (N.of_nat (length (tasks I)))) (indexed 0 (tasks I)) |}.

Definition moved_holds (I : instance) (L : Z) (kinds : list (N * Z)) (order : list N) (lines : list line) : bool :=
  processors_known I kinds && graph_holds (moved_instance I kinds) L order lines.

Section Moved.
Variable I : instance.
Variable kinds : list (N * Z).
Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis waits_ok : I4 I.
Hypothesis known_ : processors_known I kinds = true.

Let n : N := N.of_nat (length (tasks I)).
Let Q : N := N.of_nat (length kinds).
Notation J := (moved_instance I kinds).

Lemma item_front {A} (l m : list A) i : (i < N.of_nat (length l))%N -> item (l ++ m) i = item l i.
Proof. intros H. rewrite !item_nth. apply nth_error_app1. lia. Qed.

Lemma item_last {A} (l : list A) x : item (l ++ [x]) (N.of_nat (length l)) = Some x.
Proof. rewrite item_nth, nth_error_app2 by lia.
replace (N.to_nat (N.of_nat (length l)) - length l)%nat with 0%nat by lia. reflexivity. Qed.

Lemma moved_time j t q : task_number I j -> 0 <= q < processors I t -> time J j (into I kinds t q) = time I j t.
Proof.
  intros Hj range_. unfold time, moved_instance. cbn [tasks]. rewrite item_front by (rewrite map_length; exact Hj).
  rewrite item_map. destruct (item (tasks I) j) as [x|]; [|reflexivity]. cbn [option_map moved_task times].
  rewrite item_map, (into_kind I kinds known_ t q range_). reflexivity.
Qed.

Lemma source_time : time J n Q = Some 1.
Proof.
  unfold time, moved_instance. cbn [tasks]. unfold n. rewrite <- (map_length (moved_task kinds) (tasks I)), item_last.
  cbn [times]. unfold Q. rewrite <- (map_length (fun _ : N * Z => @None Z) kinds), item_last. reflexivity.
Qed.

Lemma inside_types t q : 0 <= q < processors I t -> (into I kinds t q < Q)%N.
Proof. intros range_. eapply item_some. apply (into_kind I kinds known_ t q range_). Qed.

Lemma moved_processors t q : 0 <= q < processors I t -> processors J (into I kinds t q) = of_kind I (t,
  busy_until I t q).
Proof.
  intros range_. unfold processors, moved_instance. cbn [platform].
  rewrite item_front by (rewrite map_length; exact (inside_types t q range_)).
  rewrite item_map, (into_kind I kinds known_ t q range_). reflexivity.
Qed.

Lemma not_busy t p : busy_until J t p = 0.
Proof.
  unfold busy_until, moved_instance. cbn [platform]. rewrite item_nth.
  destruct (nth_error _ _) as [x|] eqn:found; [|reflexivity]. apply nth_error_In in found.
  apply in_app_or in found. destruct found as [found|[<-|[]]]; [|reflexivity].
  apply in_map_iff in found. destruct found as (k & <- & _). reflexivity.
Qed.

Lemma not_released j : released J j = 0.
Proof.
  unfold released, moved_instance. cbn [tasks]. rewrite item_nth.
  destruct (nth_error _ _) as [x|] eqn:found; [|reflexivity]. apply nth_error_In in found.
  apply in_app_or in found. destruct found as [found|[<-|[]]]; [|reflexivity].
  apply in_map_iff in found. destruct found as (k & <- & _). reflexivity.
Qed.

(** *** The number of a processor among those of its type that are busy until the same time *)

Definition up_to (t : N) (f : Z) (q : nat) : nat :=
  length (filter (fun p => busy_until I t p =? f) (map Z.of_nat (seq 0 q))).

Definition rank_of (t : N) (q : Z) : Z := Z.of_nat (up_to t (busy_until I t q) (Z.to_nat q)).

Lemma up_to_more t f a b : (a < b)%nat -> busy_until I t (Z.of_nat a) = f -> (up_to t f a < up_to t f b)%nat.
Proof.
  intros less same. unfold up_to. replace b with (a + S (b - S a))%nat by lia.
  rewrite seq_app, map_app, filter_app, app_length. cbn [Nat.add seq map filter].
  rewrite same, Z.eqb_refl. cbn [length]. lia.
Qed.

Lemma rank_injective t q p : 0 <= q -> 0 <= p -> busy_until I t q = busy_until I t p -> rank_of t q = rank_of t p ->
  q = p.
Proof.
  intros Hq Hp same ranks. unfold rank_of in ranks. rewrite same in ranks. apply Nat2Z.inj in ranks.
  destruct (Z.lt_trichotomy q p) as [less|[equal|less]]; [exfalso|exact equal|exfalso].
  - pose proof (up_to_more t (busy_until I t p) (Z.to_nat q) (Z.to_nat p) ltac:(lia)
                  ltac:(rewrite Z2Nat.id by lia; exact same)). lia.
  - pose proof (up_to_more t (busy_until I t p) (Z.to_nat p) (Z.to_nat q) ltac:(lia)
                  ltac:(rewrite Z2Nat.id by lia; reflexivity)). lia.
Qed.

Lemma rank_range t q : 0 <= q < processors I t -> 0 <= rank_of t q < of_kind I (t, busy_until I t q).
Proof.
  intros range_. split; [unfold rank_of; lia|]. unfold of_kind. cbn [fst snd].
  destruct (item (platform I) t) as [x|] eqn:found; [|unfold processors in range_; rewrite found in range_; lia].
  assert (less : Z.of_nat (length (busy x)) <= count x).
  { pose proof known_ as H. unfold processors_known in H. rewrite forallb_forall in H.
    specialize (H (t, x) (proj2 (indexed_item _ _ _) found)). cbv zeta in H.
    cbn [fst snd] in H. rewrite !andb_true_iff, Z.leb_le in H. apply H. }
  rewrite <- (busy_count I t x (busy_until I t q) found less). unfold rank_of, range_of.
  pose proof (up_to_more t (busy_until I t q) (Z.to_nat q) (Z.to_nat (processors I t)) ltac:(lia)
                ltac:(rewrite Z2Nat.id by lia; reflexivity)). unfold up_to in *. lia.
Qed.

(** *** Schedules *)

Variable s : schedule.
Hypothesis ok : valid I s.

Definition move (r : run) : run :=
  {| job := job r; on := into I kinds (on r) (proc r); proc := rank_of (on r) (proc r); start := start r + 1 |}.
Definition source_run : run := {| job := n; on := Q; proc := 0; start := 0 |}.
Definition moved_schedule : schedule := {| runs := map move (runs s) ++ [source_run]; given_up := [] |}.

Lemma run_inside r : In r (runs s) -> task_number I (job r) /\ 0 <= proc r < processors I (on r).
Proof.
  intros Hr. split; [|apply (valid_placed I s r ok Hr)]. apply in_numbers.
  apply (Permutation_in _ (proj1 (proj1 ok))). apply in_map. exact Hr.
Qed.

Lemma move_ends r : In r (runs s) -> ends J (move r) = ends I r + 1.
Proof.
  intros Hr. destruct (run_inside r Hr) as [Hj range_]. unfold ends, move. cbn [job on start].
  rewrite (moved_time _ _ _ Hj range_). lia.
Qed.

Lemma source_ends : ends J source_run = 1.
Proof. unfold ends, source_run. cbn [job on start]. rewrite source_time. reflexivity. Qed.

Lemma move_same r q : In r (runs s) -> In q (runs s) -> on (move r) = on (move q) -> proc (move r) = proc (move q) ->
  on r = on q /\ proc r = proc q.
Proof.
  intros Hr Hq same_on same_proc. cbn [move on proc] in *.
  destruct (run_inside r Hr) as [_ range_r]. destruct (run_inside q Hq) as [_ range_q].
  pose proof (into_kind I kinds known_ _ _ range_r) as kind_r.
  pose proof (into_kind I kinds known_ _ _ range_q) as kind_q.
  rewrite same_on, kind_q in kind_r. inversion kind_r as [[on_ busy_]].
  split; [congruence|]. rewrite <- on_ in *. apply (rank_injective (on q)); try lia; congruence.
Qed.

Lemma move_cost e r q : In r (runs s) -> In q (runs s) ->
  cost (moved_edge kinds e) (on (move r)) (on (move q)) = cost e (on r) (on q).
Proof.
  intros Hr Hq. destruct (run_inside r Hr) as [_ range_r]. destruct (run_inside q Hq) as [_ range_q].
  unfold cost at 1, moved_edge. cbn [costs move on]. destruct (costs e) as [|row rows] eqn:some.
  - unfold cost. rewrite some. reflexivity.
  - rewrite item_map, (into_kind I kinds known_ _ _ range_r). cbn [option_map fst].
    unfold number. rewrite item_map, (into_kind I kinds known_ _ _ range_q). reflexivity.
Qed.

Lemma moved_jobs : Permutation (map job (runs moved_schedule)) (numbers (length (tasks J))).
Proof.
  unfold moved_schedule, moved_instance. cbn [runs tasks]. rewrite map_app, map_map, app_length, map_length.
  cbn [move job map length]. unfold numbers. rewrite Nat.add_1_r, seq_S, map_app. cbn [map Nat.add].
  apply Permutation_app; [exact (proj1 (proj1 ok))|]. apply Permutation_refl.
Qed.

Lemma moved_runs r : In r (runs moved_schedule) -> r = source_run \/ exists q, In q (runs s) /\ r = move q.
Proof.
  unfold moved_schedule. cbn [runs]. intros Hr. apply in_app_or in Hr. destruct Hr as [Hr|[<-|[]]]; [right|auto].
  apply in_map_iff in Hr. destruct Hr as (q & <- & Hq). eauto.
Qed.

Lemma pairs_app_one {A} (R : A -> A -> Prop) l x : ForallOrdPairs R l -> (forall y, In y l -> R y x) ->
  ForallOrdPairs R (l ++ [x]).
Proof.
  induction 1 as [|y l all rest IH]; intros last; cbn [app]; constructor.
  - constructor.
  - constructor.
  - apply Forall_app. split; [exact all|]. constructor; [apply last; left; reflexivity|constructor].
  - apply IH. intros z Hz. apply last. right. exact Hz.
Qed.

Lemma source_edge_cost r x : In r (runs s) -> item (tasks I) (job r) = Some x ->
  cost (source_edge kinds n (job r, x)) Q (on (move r)) = Z.max (release x) (busy_until I (on r) (proc r)).
Proof.
  intros Hr Hx. destruct (run_inside r Hr) as [_ range_]. unfold cost, source_edge. cbn [costs snd]. unfold Q.
  rewrite <- (map_length (fun _ : N * Z => @nil Z) kinds), item_last. unfold number. cbn [move on].
  rewrite item_map, (into_kind I kinds known_ _ _ range_). reflexivity.
Qed.

Lemma moved_valid : valid J moved_schedule.
Proof.
  pose proof ok as (_ & _ & edges3 & free4 & _).
  assert (attempts_ : attempts moved_schedule = runs moved_schedule)
    by (unfold attempts, moved_schedule; cbn [given_up map]; apply app_nil_r).
  split; [|split; [|split; [|split]]].
  - split; [exact moved_jobs|]. intros r Hr. rewrite attempts_ in Hr. destruct (moved_runs r Hr) as [->|(q & Hq & ->)].
    + unfold placed, source_run. cbn [job on proc start]. rewrite source_time. split; [discriminate|]. split; [|lia].
      unfold processors, moved_instance. cbn [platform]. unfold Q.
      rewrite <- (map_length (fun k => {| count := of_kind I k; busy := [] |}) kinds), item_last. cbn [count]. lia.
    + destruct (run_inside q Hq) as [Hj range_]. destruct (valid_placed I s q ok Hq) as (mode & _ & zero).
      unfold placed. cbn [move job on proc start]. rewrite (moved_time _ _ _ Hj range_). split; [exact mode|].
      rewrite (moved_processors _ _ range_). split; [exact (rank_range _ _ range_)|lia].
  - unfold S2, occupied, moved_schedule. cbn [runs given_up map]. rewrite app_nil_r, map_app. cbn [map].
    apply pairs_app_one.
    + rewrite map_map, ForallOrdPairs_map. eapply ForallOrdPairs_impl; [|exact (runs_apart I s ok)].
      intros x y Hx Hy H. unfold apart. cbn [span_on span_proc from until].
      rewrite (move_ends x Hx), (move_ends y Hy). intros same_on same_proc.
      destruct (move_same x y Hx Hy same_on same_proc) as [on_ proc_]. specialize (H on_ proc_). unfold follow in H.
      cbn [move start]. lia.
    + intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). apply in_map_iff in Hx.
      destruct Hx as (r & <- & Hr). unfold apart. cbn [span_on source_run on move]. intros same.
      destruct (run_inside r Hr) as [_ range_]. pose proof (inside_types _ _ range_). lia.
  - intros e i j He Hi Hj from_ to_. rewrite attempts_ in Hj. unfold moved_instance in He. cbn [edges] in He.
    apply in_app_or in He. destruct He as [He|He]; apply in_map_iff in He.
    + destruct He as (f & <- & Hf). cbn [moved_edge source target] in from_, to_.
      destruct (proj1 edges_ok f Hf) as [Hs Ht]. unfold task_number in Hs, Ht. fold n in Hs, Ht.
      destruct (moved_runs i Hi) as [->|(a & Ha & ->)]; [cbn [source_run job] in from_; lia|].
      destruct (moved_runs j Hj) as [->|(b & Hb & ->)]; [cbn [source_run job] in to_; lia|].
      cbn [move job] in from_, to_. pose proof (edges3 f a b Hf Ha (in_attempts s b Hb) from_ to_) as waits.
      unfold arrival in *. rewrite (move_ends a Ha), (move_cost f a b Ha Hb). cbn [move start].
      destruct (same_processor (move a) (move b)) eqn:same.
      * unfold same_processor in same. rewrite andb_true_iff, N.eqb_eq, Z.eqb_eq in same. destruct same as [o p].
        destruct (move_same a b Ha Hb o p) as [o' p']. unfold same_processor in waits.
        rewrite o', p', N.eqb_refl, Z.eqb_refl in waits. cbn [andb] in waits. lia.
      * destruct (same_processor a b) eqn:one; [|lia]. exfalso. unfold same_processor in one, same.
        rewrite andb_true_iff, N.eqb_eq, Z.eqb_eq in one. destruct one as [o p]. cbn [move on proc] in same.
        rewrite o, p, N.eqb_refl, Z.eqb_refl in same. discriminate.
    + destruct He as ([k x] & <- & Hk). apply indexed_item in Hk. cbn [source_edge source target fst] in from_, to_.
      destruct (moved_runs i Hi) as [->|(a & Ha & ->)].
      2: { destruct (run_inside a Ha) as [Hja _]. unfold task_number in Hja. fold n in Hja. cbn [move job] in from_.
      lia. }
      destruct (moved_runs j Hj) as [->|(b & Hb & ->)].
      { apply item_some in Hk. fold n in Hk. cbn [source_run job] in to_. lia. }
      cbn [move job] in to_. subst k. unfold arrival. rewrite source_ends.
      destruct (free4 b (in_attempts s b Hb)) as [rel busy_]. rewrite (released_item I _ _ Hk) in rel.
      change (on source_run) with Q. fold n. rewrite (source_edge_cost b x Hb Hk). cbn [move start].
      destruct (same_processor source_run (move b)); [|lia]. destruct (valid_placed I s b ok Hb) as (_ & _ & zero). lia.
  - intros r Hr. rewrite attempts_ in Hr. rewrite not_busy, not_released.
    destruct (moved_runs r Hr) as [->|(q & Hq & ->)]; [cbn [source_run start]; lia|].
    destruct (valid_placed I s q ok Hq) as (_ & _ & zero). cbn [move start]. lia.
  - intros a [].
Qed.

Lemma moved_makespan : makespan J moved_schedule <= makespan I s + 1.
Proof.
  pose proof (max_nonnegative (map (ends I) (runs s))) as nonneg. fold (makespan I s) in nonneg.
  unfold makespan at 1. apply max_le; [lia|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (r & <- & Hr).
  destruct (moved_runs r Hr) as [->|(q & Hq & ->)]; [rewrite source_ends; lia|]. rewrite (move_ends q Hq).
  pose proof (max_in (map (ends I) (runs s)) _ (in_map (ends I) _ _ Hq)). unfold makespan. lia.
Qed.

Lemma moved_counts : I1 J.
Proof.
  split; [|exists {| count := 1; busy := [] |}; split; [apply in_or_app; right; left; reflexivity|reflexivity]].
  intros x Hx. unfold moved_instance in Hx. cbn [platform] in Hx. apply in_app_or in Hx.
  destruct Hx as [Hx|[<-|[]]]; [|cbn; lia].
  apply in_map_iff in Hx. destruct Hx as ([t f] & <- & _). cbn [count]. unfold of_kind. cbn [fst snd].
  destruct (item (platform I) t) as [x|] eqn:found; [|lia]. pose proof known_ as H. unfold processors_known in H.
  rewrite forallb_forall in H. specialize (H (t, x) (proj2 (indexed_item _ _ _) found)).
  cbv zeta in H. cbn [fst snd] in H. rewrite !andb_true_iff, Z.leb_le in H. unfold busy_so. destruct (f =? 0); lia.
Qed.

Lemma moved_times : I2 J.
Proof.
  intros x p Hx Hp. unfold moved_instance in Hx. cbn [tasks] in Hx. apply in_app_or in Hx. destruct Hx as [Hx|[<-|[]]].
  - apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). cbn [moved_task times] in Hp. apply in_map_iff in Hp.
    destruct Hp as (k & same & _). destruct (item (times y) (fst k)) as [q|] eqn:found; [|discriminate]. subst q.
    exact (times_ok y p Hy (item_in _ _ _ found)).
  - cbn [times] in Hp. apply in_app_or in Hp. destruct Hp as [Hp|[Hp|[]]]; [|inversion Hp; lia].
    apply in_map_iff in Hp. destruct Hp as (? & none & _). discriminate.
Qed.

Lemma moved_edges : I3 J.
Proof.
  destruct edges_ok as (ends_ & costs_ & rank & rises).
  assert (size : length (tasks J) = S (length (tasks I))) by (unfold moved_instance; cbn [tasks];
    rewrite app_length, map_length; cbn; lia).
  split; [|split].
  - intros e He. unfold task_number. rewrite size. unfold moved_instance in He. cbn [edges] in He.
  apply in_app_or in He.
    destruct He as [He|He]; apply in_map_iff in He.
    + destruct He as (f & <- & Hf). destruct (ends_ f Hf). unfold task_number in *. cbn [moved_edge source target]. lia.
    + destruct He as ([k x] & <- & Hk). apply indexed_item, item_some in Hk. cbn [source_edge source target fst]. lia.
  - intros e row c He Hrow Hc. unfold moved_instance in He. cbn [edges] in He. apply in_app_or in He.
    destruct He as [He|He]; apply in_map_iff in He.
    + destruct He as (f & <- & Hf). cbn [moved_edge costs] in Hrow.
    destruct (costs f) as [|r rs] eqn:some; [destruct Hrow|].
      apply in_map_iff in Hrow. destruct Hrow as (k & <- & _). apply in_map_iff in Hc.
      destruct Hc as (l & <- & _). unfold cost. destruct (item (costs f) (fst k)) as [row'|] eqn:found; [|lia].
      unfold number. destruct (item row' (fst l)) as [c'|] eqn:found'; [|lia].
      exact (costs_ f row' c' Hf (item_in _ _ _ found) (item_in _ _ _ found')).
    + destruct He as ([k x] & <- & Hk). apply indexed_item in Hk. cbn [source_edge costs snd] in Hrow.
    apply in_app_or in Hrow.
      destruct Hrow as [Hrow|[<-|[]]].
      * apply in_map_iff in Hrow. destruct Hrow as (? & <- & _). destruct Hc.
      * apply in_map_iff in Hc. destruct Hc as (l & <- & _). pose proof (proj1 waits_ok x (item_in _ _ _ Hk)). lia.
  - exists (fun j => if (j =? n)%N then fold_right Z.min 0 (map rank (numbers (length (tasks I)))) - 1 else rank j).
    intros e He. unfold moved_instance in He. cbn [edges] in He. apply in_app_or in He.
    destruct He as [He|He]; apply in_map_iff in He.
    + destruct He as (f & <- & Hf). cbn [moved_edge source target]. destruct (ends_ f Hf) as [Hs Ht].
      unfold task_number in Hs, Ht. fold n in Hs, Ht. destruct (N.eqb_spec (source f) n); [lia|].
      destruct (N.eqb_spec (target f) n); [lia|]. exact (rises f Hf).
    + destruct He as ([k x] & <- & Hk). apply indexed_item, item_some in Hk. cbn [source_edge source target fst].
      destruct (N.eqb_spec (N.of_nat (length (tasks I))) n) as [_|differs]; [|destruct differs; reflexivity].
      destruct (N.eqb_spec k n); [unfold n in *; lia|].
      pose proof (least_min 0 (map rank (numbers (length (tasks I)))) (rank k)
                    (or_intror (in_map rank _ _ (proj2 (in_numbers _ _) Hk)))). lia.
Qed.
End Moved.

Theorem moved_sound I L kinds order lines : I1 I -> I2 I -> I3 I -> I4 I -> moved_holds I L kinds order lines = true ->
  forall s, valid I s -> L <= makespan I s.
Proof.
  intros counts_ok times_ok edges_ok waits_ok H s ok. unfold moved_holds in H. apply andb_true_iff in H.
  destruct H as [known_ H].
  pose proof (graph_sound (moved_instance I kinds) L order lines (moved_counts I kinds known_) (moved_times I kinds
    times_ok)
                (moved_edges I kinds edges_ok waits_ok) H _ (moved_valid I kinds edges_ok known_ s ok)) as more.
  pose proof (moved_makespan I kinds known_ s ok). lia.
Qed.
