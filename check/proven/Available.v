(* SPDX-License-Identifier: Apache-2.0 *)
(** Certificates that speak of releases and busy processors: [longest] and [area]. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Valid Capacity Prices.
Import ListNotations.
Open Scope Z_scope.

Section Available.
Variable I : instance.

(** When the first processor of a type is not busy any more. *)
Definition first_free (x : ptype) : Z :=
  if Z.of_nat (length (busy x)) <? count x then 0
  else match busy x with [] => 0 | f :: l => fold_right Z.min f l end.

Definition free_from (t : N) : Z := match item (platform I) t with Some x => first_free x | None => 0 end.

Definition earliest (x : task) (t : N) : Z := Z.max (release x) (free_from t).

Lemma least_min f l x : In x (f :: l) -> fold_right Z.min f l <= x.
Proof.
  induction l as [|y l IH]; simpl; intros H; [destruct H as [->|[]]; lia|].
  destruct H as [->|[->|H]]; [specialize (IH (or_introl eq_refl)); lia|lia|specialize (IH (or_intror H)); lia].
Qed.

Lemma free_from_least t q : I4 I -> 0 <= q < processors I t -> free_from t <= busy_until I t q.
Proof.
  intros [_ busy_ok]. unfold free_from, busy_until, processors, first_free.
  destruct (item (platform I) t) as [x|] eqn:found; [|lia]. intros range.
  assert (nonneg : 0 <= number (busy x) (Z.to_N q)).
  { unfold number. destruct (item (busy x) (Z.to_N q)) as [f|] eqn:Hf; [|lia].
    exact (busy_ok x f (item_in _ _ _ found) (item_in _ _ _ Hf)). }
  destruct (Z.ltb_spec (Z.of_nat (length (busy x))) (count x)); [exact nonneg|].
  unfold number. destruct (item_exists (busy x) (Z.to_N q)) as (f & Hf); [lia|]. rewrite Hf.
  apply item_in in Hf. destruct (busy x) as [|g l]; [destruct Hf|]. apply least_min. exact Hf.
Qed.

Lemma released_item j x : item (tasks I) j = Some x -> released I j = release x.
Proof. unfold released. intros ->. reflexivity. Qed.

Lemma run_earliest s r x : I4 I -> valid I s -> In r (runs s) -> item (tasks I) (job r) = Some x ->
  earliest x (on r) <= start r.
Proof.
  intros ok4 ok Hr Hx. pose proof ok as (_ & _ & _ & free4 & _). destruct (free4 r (in_attempts s r Hr)) as [rel busy_].
  rewrite (released_item _ _ Hx) in rel. destruct (valid_placed I s r ok Hr) as (_ & there & _).
  pose proof (free_from_least (on r) (proc r) ok4 there). unfold earliest. lia.
Qed.

(** *** longest *)

Definition check_longest (value : Z) (j : N) : bool :=
  match item (tasks I) j with
  | Some x => forallb (fun mode => value <=? earliest x (fst mode) + snd mode) (modes I x)
  | None => false
  end.

Theorem longest_sound value j : I4 I -> check_longest value j = true -> forall s, valid I s -> value <= makespan I s.
Proof.
  unfold check_longest. intros ok4. destruct (item (tasks I) j) as [x|] eqn:Hx; [|discriminate]. intros H s ok.
  destruct (every_job I s j x ok Hx) as (r & Hr & same). subst j.
  destruct (run_mode I s r x ok Hr Hx) as [mode _]. pose proof (run_earliest s r x ok4 ok Hr Hx).
  rewrite forallb_forall in H. specialize (H _ mode). apply Z.leb_le in H. simpl in H.
  assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr). rewrite duration_ends in *. lia.
Qed.

(** *** area: weighted work that is released at [start_] or later, in the time from there on *)

Section Area.
Variable start_ : Z.
Variable weights : list Z.
Variable L : Z.

Definition in_time (x : task) : list (N * Z) :=
  filter (fun mode => earliest x (fst mode) + snd mode <=? L) (modes I x).

Definition least_work (x : task) : option Z :=
  if release x <? start_ then Some 0 else cheapest (fun mode => number weights (fst mode) * snd mode) (in_time x).

Definition time_left (f : Z) : Z := Z.max 0 (L - Z.max start_ f).

Definition room_of (x : ptype) : Z :=
  if Z.of_nat (length (busy x)) <=? count x
  then sum (map time_left (busy x)) + (count x - Z.of_nat (length (busy x))) * Z.max 0 (L - start_)
  else count x * Z.max 0 (L - start_).

Definition room_of_all : Z :=
  sum (map (fun pair => number weights (fst pair) * room_of (snd pair)) (indexed 0 (platform I))).

Definition work_exceeds : bool :=
  let all := map least_work (tasks I) in
  existsb nothing all || (room_of_all <? sum (map amount all)).

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis ok4 : I4 I.
Hypothesis weights_ok : forallb (Z.leb 0) weights = true.

Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Definition counted (r : run) : bool := start_ <=? released I (job r).
Definition paid_for (r : run) : Z :=
  if counted r then number weights (on r) * duration I (on r) (job r) else 0.

Lemma run_least r x : In r (runs s) -> item (tasks I) (job r) = Some x ->
  exists c, least_work x = Some c /\ c <= paid_for r.
Proof.
  intros Hr Hx. unfold least_work, paid_for, counted. rewrite (released_item _ _ Hx).
  destruct (Z.ltb_spec (release x) start_), (Z.leb_spec start_ (release x)); try lia; [eexists; split; eauto; lia|].
  destruct (run_mode I s r x ok Hr Hx) as [mode _].
  apply (cheapest_spec (fun mode => number weights (fst mode) * snd mode) (in_time x)
           (on r, duration I (on r) (job r))).
  apply filter_In. split; [exact mode|]. apply Z.leb_le. simpl. pose proof (run_earliest s r x ok4 ok Hr Hx).
  assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr). rewrite duration_ends in *. lia.
Qed.

Lemma one_room t q :
  sum (map paid_for (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))))
  <= number weights t * time_left (busy_until I t q).
Proof.
  set (R := filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))).
  set (a := Z.max start_ (busy_until I t q)). pose proof (number_nonnegative weights t weights_ok) as nonneg.
  assert (in_R : forall r, In r R -> In r (runs s) /\ on r = t /\ proc r = q).
  { intros r Hr. unfold R in Hr. apply filter_In in Hr. destruct Hr as [Hr p]. apply filter_In in Hr.
    destruct Hr as [Hr o]. apply N.eqb_eq in o. apply Z.eqb_eq in p. auto. }
  assert (inside : forall r, In r R -> counted r = true -> a <= start r /\ ends I r <= L).
  { intros r Hr is_counted. destruct (in_R r Hr) as (Hr' & <- & <-). unfold counted in is_counted.
    apply Z.leb_le in is_counted. pose proof ok as (_ & _ & _ & free4 & _).
    destruct (free4 r (in_attempts s r Hr')) as [rel busy_].
    assert (ends I r <= makespan I s) by (apply max_in, in_map, Hr'). unfold a. lia. }
  assert (H : sum (map (fun r => ends I r - start r) (filter counted R)) <= time_left (busy_until I t q)).
  { unfold time_left. fold a. destruct (Z_le_gt_dec a L) as [fits|none].
    - etransitivity; [apply packed with (n := length (filter counted R)) (a := a) (b := L); [lia|assumption| |]|lia].
      + intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_counted]. destruct (inside r Hr is_counted).
        split; [assumption|]. split; [apply ends_forward, times_ok|assumption].
      + apply ForallOrdPairs_impl with
          (R := fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q);
          [|do 3 apply ForallOrdPairs_filter; apply runs_apart; exact ok].
        intros x y Hx Hy H. apply filter_In in Hx, Hy. destruct (in_R x (proj1 Hx)) as (_ & ox & px).
        destruct (in_R y (proj1 Hy)) as (_ & oy & py). apply H; congruence.
    - replace (filter counted R) with (@nil run); [simpl; lia|]. symmetry.
      destruct (filter counted R) as [|r l] eqn:some; [reflexivity|exfalso].
      assert (Hr : In r (filter counted R)) by (rewrite some; left; reflexivity). apply filter_In in Hr.
      destruct Hr as [Hr is_counted]. destruct (inside r Hr is_counted). pose proof (ends_forward I r times_ok). lia. }
  rewrite (sum_filter _ counted).
  rewrite (sum_map_ext paid_for (fun r => number weights t * (ends I r - start r)) (filter counted R)).
  2: { intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_counted]. destruct (in_R r Hr) as (_ & <- & _).
       unfold paid_for. rewrite is_counted, duration_ends. f_equal. lia. }
  rewrite sum_map_mul.
  assert (sum (map paid_for (filter (fun r => negb (counted r)) R)) <= 0); [|nia].
  apply sum_nonpositive. intros r Hr. apply filter_In in Hr. destruct Hr as [_ out].
  apply negb_true_iff in out. unfold paid_for. rewrite out. lia.
Qed.

Lemma room_total t x : item (platform I) t = Some x ->
  sum (map (fun q => time_left (busy_until I t q)) (map Z.of_nat (seq 0 (Z.to_nat (count x))))) <= room_of x.
Proof.
  intros found. unfold room_of, busy_until. rewrite found.
  assert (each : forall q, time_left (number (busy x) (Z.to_N q)) <= Z.max 0 (L - start_)).
  { intros q. unfold time_left. lia. }
  pose proof (proj1 counts_ok x (item_in _ _ _ found)).
  assert (constant : forall l : list Z, sum (map (fun q => time_left (number (busy x) (Z.to_N q))) l)
                     <= Z.of_nat (length l) * Z.max 0 (L - start_)).
  { intros l. rewrite <- sum_constant. apply sum_le. intros q _. apply each. }
  destruct (Z.leb_spec (Z.of_nat (length (busy x))) (count x)) as [few|].
  - set (n := length (busy x)). replace (Z.to_nat (count x)) with (n + (Z.to_nat (count x) - n))%nat by lia.
    rewrite seq_app, map_app, map_app, sum_app. apply Z.add_le_mono.
    + apply Z.eq_le_incl. rewrite map_map. unfold n. rewrite (sum_map_ext _ (fun i => time_left (nth i (busy x) 0))).
      * clear. induction (busy x) as [|f l IH]; [reflexivity|]. cbn [length seq map sum fold_right nth].
        fold (sum (map time_left l)). rewrite <- seq_shift, map_map. f_equal. exact IH.
      * intros i Hi. apply in_seq in Hi. f_equal. unfold number. rewrite item_nth.
        replace (N.to_nat (Z.to_N (Z.of_nat i))) with i by lia.
        rewrite (nth_error_nth' _ 0) by lia. reflexivity.
    + etransitivity; [apply constant|]. rewrite map_length, seq_length. apply Z.eq_le_incl. f_equal. lia.
  - etransitivity; [apply constant|]. rewrite map_length, seq_length. apply Z.eq_le_incl. f_equal. lia.
Qed.

Lemma all_paid : sum (map paid_for (runs s)) <= room_of_all.
Proof.
  unfold room_of_all.
  assert (by_type : sum (map (fun pair => number weights (fst pair) * room_of (snd pair)) (indexed 0 (platform I)))
            = sum (map (fun t => number weights t * match item (platform I) t with Some x => room_of x | None => 0 end)
                       (numbers (length (platform I))))).
  { rewrite <- indexed_numbers, map_map. apply sum_map_ext. intros [t x] H. apply indexed_item in H. simpl.
    rewrite H. reflexivity. }
  rewrite by_type. apply (sum_groups N.eq_dec on).
  - apply numbers_nodup.
  - intros r Hr. apply placed_type. eapply valid_placed; eauto.
  - intros t Ht. rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N).
    apply in_numbers, item_exists in Ht. destruct Ht as (x & found). rewrite found.
    pose proof (number_nonnegative weights t weights_ok).
    etransitivity; [|apply Z.mul_le_mono_nonneg_l; [assumption|exact (room_total t x found)]].
    rewrite <- sum_map_mul. apply (sum_groups Z.eq_dec proc).
    + apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup].
    + intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
      destruct (valid_placed I s r ok Hr) as (_ & there & _). unfold processors in there. rewrite found in there.
      apply in_map_iff. exists (Z.to_nat (proc r)). rewrite in_seq. lia.
    + intros q _. rewrite (filter_ext _ (fun r => proc r =? q)) by (intros; apply decide_Z). apply one_room.
Qed.

Lemma work_does_not_exceed : work_exceeds = false.
Proof.
  assert (each : forall j x, item (tasks I) j = Some x -> exists r, In r (runs s) /\ job r = j /\
            exists c, least_work x = Some c /\ c <= paid_for r).
  { intros j x Hx. destruct (every_job I s j x ok Hx) as (r & Hr & <-). exists r. split; [assumption|].
    split; [reflexivity|]. exact (run_least r x Hr Hx). }
  unfold work_exceeds. apply orb_false_iff. split.
  - apply not_true_is_false. rewrite existsb_exists. intros (d & Hd & none). apply in_map_iff in Hd.
    destruct Hd as (x & <- & Hx). apply In_nth_error in Hx. destruct Hx as (n & Hx).
    destruct (each (N.of_nat n) x) as (r & _ & _ & c & found & _); [rewrite item_nth; replace (N.to_nat (N.of_nat n)) with n by lia; exact Hx|].
    rewrite found in none. discriminate.
  - apply Z.ltb_ge. etransitivity; [|exact all_paid]. rewrite map_map.
    assert (by_job : sum (map (fun x => amount (least_work x)) (tasks I))
              = sum (map (fun j => match item (tasks I) j with Some x => amount (least_work x) | None => 0 end)
                         (numbers (length (tasks I))))).
    { rewrite <- indexed_numbers, map_map.
      rewrite (sum_map_ext _ (fun pair => amount (least_work (snd pair)))).
      2: { intros [j x] H. apply indexed_item in H. simpl. rewrite H. reflexivity. }
      clear each. generalize 0%N. induction (tasks I) as [|x l IH]; intros i; [reflexivity|]. cbn [indexed map sum fold_right snd].
      fold (sum (map (fun x => amount (least_work x)) l)). rewrite (IH (N.succ i)). reflexivity. }
    rewrite by_job.
    rewrite <- (sum_permutation _ _ (Permutation_map (fun j => match item (tasks I) j with
      Some x => amount (least_work x) | None => 0 end) (proj1 (proj1 ok)))).
    rewrite map_map. apply sum_le. intros r Hr. destruct (job_item I s r ok Hr) as (x & Hx). rewrite Hx.
    destruct (run_least r x Hr Hx) as (c & found & less). rewrite found. exact less.
Qed.
End Area.

Definition check_area (value start_ : Z) (weights : list Z) : bool :=
  forallb (Z.leb 0) weights && existsb (Z.ltb 0) weights && work_exceeds start_ weights (value - 1).

Theorem area_sound value start_ weights : I1 I -> I2 I -> I4 I -> check_area value start_ weights = true ->
  forall s, valid I s -> value <= makespan I s.
Proof.
  intros counts_ok times_ok ok4 H s ok. unfold check_area in H. rewrite !andb_true_iff in H.
  destruct H as [[weights_ok _] H]. destruct (Z_le_gt_dec value (makespan I s)) as [|short]; [assumption|exfalso].
  rewrite (work_does_not_exceed start_ weights (value - 1) counts_ok times_ok ok4 weights_ok s ok ltac:(lia)) in H.
  discriminate.
Qed.
End Available.
