(* SPDX-License-Identifier: Apache-2.0 *)
(** The judgement of instances of which something is given, and what it means that a solution is accepted. *)
From Coq Require Import ZArith List Lia Bool.
From Proven Require Import Problem Lists Between Valid Plan Rest Judge.
Import ListNotations.
Open Scope Z_scope.

Definition pin_ok (x : pin) : bool :=
  match pin_end x with
  | None => true
  | Some b => match pin_on x, pin_proc x, pin_start x with Some _, Some _, Some a => a <=? b | _, _, _ => false end
  end.

Definition plan_ok (P : plan) : bool :=
  forallb pin_ok (pins P) && forallb (fun e => negb (begun P (target e)) || given P (source e)) (edges (whole P)).

Lemma plan_ok_sound P : plan_ok P = true -> well_given P.
Proof.
  unfold plan_ok. rewrite andb_true_iff, !forallb_forall. intros [pins_ edges_]. split.
  - intros x Hx ended. specialize (pins_ x Hx). unfold pin_ok in pins_. destruct x as [[t|] [q|] [a|] [b|]]; cbn in *;
      try discriminate. exists t, q, a, b. split; [reflexivity|]. apply Z.leb_le. exact pins_.
  - intros e He yes. specialize (edges_ e He). rewrite yes in edges_. exact edges_.
Qed.

(** What is known of all schedules by what is given alone, or proven by a certificate of the rest. *)
Definition plan_right (P : plan) (spans : list N) (rest_ranks : list Z) (value : Z) (c : certificate) : bool :=
  (value <=? given_bound P) || (instance_ok (rest P spans) rest_ranks && proves (rest P spans) (value - origin P) c).

Definition of_plan (P : plan) (c : claims certificate) : claims certificate :=
  let bound := rounded_bound (parts c) (claimed_makespan c) (claimed_bound c) in
  {| parts := parts c; claimed_makespan := claimed_makespan c; claimed_bound := claimed_bound c;
     claimed_optimal := claimed_optimal c;
     certified := if (0 <? bound) && (bound <=? parts c * given_bound P) then Some (given_bound P, Longest 0)
                  else match certified c with Some (value, proof) => Some (origin P + value,
                    proof) | None => None end |}.

(** [spans] has the given tasks by their starts, which only makes the rest stronger. *)
Definition judge_plan (P : plan) (spans : list N) (ranks rest_ranks : list Z) (s : schedule) (c : claims certificate)
  : verdict :=
  let S := scaled_plan (parts c) P in
  verdict_of ((0 <? parts c) && instance_ok (whole P) ranks && instance_ok (effective P) ranks && plan_ok P &&
    rest_ok P)
             (valid_plan_schedule S s) (length_of (effective S) s) (plan_right P spans rest_ranks) (of_plan P c).

Lemma plan_right_sound P spans rest_ranks value c : well_formed (effective P) -> well_given P -> rest_ok P = true ->
  plan_right P spans rest_ranks value c = true -> plan_bound P 1 value.
Proof.
  intros (_ & times_ok & edges_ok & _) well good H. apply plan_whole_ticks. intros s ok. unfold plan_right in H.
  rewrite orb_true_iff, andb_true_iff, Z.leb_le in H. destruct H as [less|[ready H]].
  - pose proof (given_bound_right P edges_ok times_ok s ok). lia.
  - replace value with (origin P + (value - origin P)) by lia.
    apply (rest_bound P spans edges_ok times_ok good s ok well).
    exact (proves_ticks _ _ c (instance_ok_sound _ _ ready) H).
Qed.

Theorem judge_plan_sound P spans ranks rest_ranks s c : judge_plan P spans ranks rest_ranks s c = Accepted ->
  well_formed (whole P) /\ well_given P /\ 0 < parts c /\
  valid_plan (scaled_plan (parts c) P) s /\
  makespan (effective (scaled_plan (parts c) P)) s = claimed_makespan c /\
  claimed_bound c <= claimed_makespan c /\
  plan_bound P (parts c) (claimed_bound c) /\
  (claimed_optimal c = true -> plan_bound P (parts c) (claimed_makespan c)).
Proof.
  unfold judge_plan. cbv zeta. intros H.
  assert (pos : 0 < parts c).
  { unfold verdict_of in H. destruct (Z.ltb_spec 0 (parts c)); [assumption|discriminate]. }
  apply verdict_right in H; [|exact pos]. destruct H as (instance_ & valid_ & length_ & less & closed & proven).
  rewrite !andb_true_iff in instance_. destruct instance_ as [[[[_ whole_] effective_] plan_] good].
  apply instance_ok_sound in whole_, effective_. apply plan_ok_sound in plan_.
  apply valid_plan_correct in valid_.
  2: { rewrite effective_scaled. apply scaled_times; [exact pos|apply effective_]. }
  rewrite length_of_spec in length_.
  cbn [of_plan parts claimed_makespan claimed_bound claimed_optimal] in *.
  assert (all : forall bound, (bound <= parts c * 0 \/ exists value proof, bound <= parts c * value /\
            plan_right P spans rest_ranks value proof = true) -> plan_bound P (parts c) bound).
  { intros bound some_ l other lpos other_valid.
    pose proof (max_nonnegative (map (ends (effective (scaled_plan l P))) (runs other))) as nonneg.
    fold (makespan (effective (scaled_plan l P)) other) in nonneg.
    destruct some_ as [|(value & proof & enough & right_)]; [nia|].
    pose proof (plan_right_sound P spans rest_ranks value proof effective_ plan_ good right_ l other lpos
      other_valid). nia. }
  split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|]. split; [assumption|].
  split; [assumption|]. split; [apply all; exact proven|]. intros says. exact (all _ (closed says)).
Qed.

(** The property of docs/problem.md, of any two accepted files about one instance. *)
Theorem plan_property P spans ranks rest_ranks s c spans' ranks' rest_ranks' s' c' :
  judge_plan P spans ranks rest_ranks s c = Accepted -> judge_plan P spans' ranks' rest_ranks' s' c' = Accepted ->
  parts c * claimed_bound c' <= parts c' * claimed_makespan c.
Proof.
  intros one two. apply judge_plan_sound in one, two. destruct one as (_ & _ & pos & ok & <- & _).
  destruct two as (_ & _ & _ & _ & _ & _ & bound & _). exact (bound (parts c) s pos ok).
Qed.
