(* SPDX-License-Identifier: Apache-2.0 *)
(** Between ticks: a bound of all schedules in whole ticks is one of those between ticks, since rounding every start
    down to a tick, and leaving out aborted runs, keeps a schedule valid. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists.
Import ListNotations.
Open Scope Z_scope.

Lemma number_map k l i : number (map (Z.mul k) l) i = k * number l i.
Proof. unfold number. rewrite item_map. destruct (item l i); simpl; lia. Qed.

Lemma time_scaled k I j t : time (scaled k I) j t = option_map (Z.mul k) (time I j t).
Proof.
  unfold time; simpl. rewrite item_map. destruct (item (tasks I) j) as [x|]; simpl; auto.
  rewrite item_map. destruct (item (times x) t) as [[p|]|]; reflexivity.
Qed.

Lemma processors_scaled k I t : processors (scaled k I) t = processors I t.
Proof. unfold processors; simpl. rewrite item_map. destruct (item (platform I) t); reflexivity. Qed.

Lemma busy_scaled k I t p : busy_until (scaled k I) t p = k * busy_until I t p.
Proof.
  unfold busy_until; simpl. rewrite item_map. destruct (item (platform I) t); simpl; [apply number_map|lia].
Qed.

Lemma released_scaled k I j : released (scaled k I) j = k * released I j.
Proof. unfold released; simpl. rewrite item_map. destruct (item (tasks I) j); simpl; lia. Qed.

Definition scaled_edge k e := {| source := source e; target := target e; costs := map (map (Z.mul k)) (costs e) |}.

Lemma cost_scaled k e t u : cost (scaled_edge k e) t u = k * cost e t u.
Proof.
  unfold cost; simpl. rewrite item_map. destruct (item (costs e) t); simpl; [apply number_map|lia].
Qed.

Definition floored (k : Z) (r : run) : run := {| job := job r; on := on r; proc := proc r; start := start r / k |}.
Definition floored_all (k : Z) (s : schedule) : schedule := {| runs := map (floored k) (runs s); given_up := [] |}.

Lemma ends_floored k I r : 0 < k -> ends I (floored k r) = ends (scaled k I) r / k.
Proof.
  intros pos. unfold ends; simpl. rewrite time_scaled. destruct (time I (job r) (on r)) as [p|]; simpl.
  - rewrite (Z.mul_comm k p), Z.div_add by lia. reflexivity.
  - rewrite !Z.add_0_r. reflexivity.
Qed.

Lemma attempts_floored k s : attempts (floored_all k s) = map (floored k) (runs s).
Proof. unfold attempts; simpl. apply app_nil_r. Qed.

Lemma down k a b : 0 < k -> k * a <= b -> a <= b / k.
Proof. intros pos H. apply Z.div_le_lower_bound; lia. Qed.

Lemma arrival_floored k I e i j : 0 < k ->
  arrival I e (floored k i) (floored k j) = arrival (scaled k I) (scaled_edge k e) i j / k.
Proof.
  intros pos. unfold arrival. rewrite ends_floored by assumption.
  change (same_processor (floored k i) (floored k j)) with (same_processor i j).
  destruct (same_processor i j); [reflexivity|].
  change (on (floored k i)) with (on i). change (on (floored k j)) with (on j).
  rewrite cost_scaled, (Z.mul_comm k), Z.div_add by lia. reflexivity.
Qed.

Lemma valid_floored k I s : 0 < k -> valid (scaled k I) s -> valid I (floored_all k s).
Proof.
  intros pos (every & apart2 & edges3 & free4 & _).
  destruct every as [every places].
  assert (in_attempts : forall r, In r (runs s) -> In r (attempts s)).
  { intros r Hr. apply in_or_app. auto. }
  split; [|split; [|split; [|split]]].
  - split.
    + unfold floored_all, runs. rewrite map_map. simpl in every. rewrite map_length in every. exact every.
    + intros r Hr. rewrite attempts_floored in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
      destruct (places q (in_attempts q Hq)) as (mode & there & zero).
      rewrite time_scaled in mode. rewrite processors_scaled in there.
      split; [|split; [exact there|]].
      * simpl. intros none. rewrite none in mode. apply mode. reflexivity.
      * simpl. apply Z.div_pos; lia.
  - unfold S2, occupied in *. apply ForallOrdPairs_app in apart2.
    rewrite app_nil_r. simpl. rewrite map_map. simpl.
    rewrite ForallOrdPairs_map in *. revert apart2. apply ForallOrdPairs_impl.
    intros x y _ _ H. unfold apart in *. simpl in *. intros same_on same_proc.
    rewrite !ends_floored by assumption.
    destruct (H same_on same_proc) as [order|order]; [left|right]; apply Z.div_le_mono; lia.
  - intros e i j He Hi Hj from_ to_. rewrite attempts_floored in Hj. unfold floored_all, runs in Hi.
    apply in_map_iff in Hi. destruct Hi as (i' & <- & Hi). apply in_map_iff in Hj. destruct Hj as (j' & <- & Hj).
    rewrite arrival_floored by assumption.
    change (start (floored k j')) with (start j' / k). apply Z.div_le_mono; [assumption|].
    apply edges3; auto. simpl. apply in_map_iff. exists e. auto.
  - intros r Hr. rewrite attempts_floored in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (free4 q (in_attempts q Hq)) as (release_ & busy_).
    rewrite released_scaled in release_. rewrite busy_scaled in busy_. simpl. split; apply down; assumption.
  - intros a [].
Qed.

Lemma makespan_floored k I s : 0 < k -> k * makespan I (floored_all k s) <= makespan (scaled k I) s.
Proof.
  intros pos. rewrite (Z.mul_comm k).
  assert (makespan I (floored_all k s) <= makespan (scaled k I) s / k);
    [|pose proof (Z.mul_div_le (makespan (scaled k I) s) k pos); nia].
  unfold makespan at 1. apply max_le.
  - apply Z.div_pos; [apply max_nonnegative|assumption].
  - intros x Hx. unfold floored_all, runs in Hx. rewrite map_map in Hx. apply in_map_iff in Hx.
    destruct Hx as (r & <- & Hr). rewrite ends_floored by assumption. apply Z.div_le_mono; [assumption|].
    apply max_in. apply in_map. exact Hr.
Qed.

Theorem whole_ticks I L : (forall s, valid I s -> L <= makespan I s) -> is_bound I L.
Proof.
  intros bounded k s pos ok. pose proof (bounded _ (valid_floored k I s pos ok)).
  pose proof (makespan_floored k I s pos). nia.
Qed.
