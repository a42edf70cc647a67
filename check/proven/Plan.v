(* SPDX-License-Identifier: Apache-2.0 *)
(** Instances of which something is given, of docs/problem.md I6 and I7, for sequential tasks: what tasks have of their
    schedule, and processors that are lost; and what remains true between ticks. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Between Valid Capacity.
Import ListNotations.
Open Scope Z_scope.

(** I6: a task's type, processor, start, and, where it has begun, its end, as far as they are given. *)
Record pin := { pin_on : option N; pin_proc : option Z; pin_start : option Z; pin_end : option Z }.
Definition free : pin := {| pin_on := None; pin_proc := None; pin_start := None; pin_end := None |}.

(** I7: processors of each type that are lost. *)
Record plan := { whole : instance; pins : list pin; lost : list (list Z) }.

Definition pin_of (P : plan) (j : N) : pin := match item (pins P) j with Some x => x | None => free end.

Definition some {A} (x : option A) : bool := match x with Some _ => true | None => false end.

Definition begun (P : plan) (j : N) : bool := some (pin_end (pin_of P j)).

Definition given (P : plan) (j : N) : bool :=
  some (pin_on (pin_of P j)) && some (pin_proc (pin_of P j)) && some (pin_start (pin_of P j)).

Definition is_lost (P : plan) (t : N) (q : Z) : bool :=
  match item (lost P) t with Some l => existsb (Z.eqb q) l | None => false end.

(** A task has its times on the given type alone; one that has begun takes what it really takes. *)
Definition given_time (x : pin) (t : N) (p : option Z) : option Z :=
  match pin_on x with
  | None => p
  | Some u => if (u =? t)%N
              then match pin_start x, pin_end x with Some a, Some b => Some (b - a) | _, _ => p end
              else None
  end.

Definition given_task (P : plan) (j : N) (x : task) : task :=
  {| times := map (fun pair => given_time (pin_of P j) (fst pair) (snd pair)) (indexed 0 (times x));
     release := if begun P j then 0 else release x |}.

(** Data do not hold up what has begun, but the ends of its predecessors do. *)
Definition given_edge (P : plan) (e : edge) : edge :=
  {| source := source e; target := target e; costs := if begun P (target e) then [] else costs e |}.

(** The instance with what is given, but without the busy processors. *)
Definition effective (P : plan) : instance :=
  {| platform := map (fun x => {| count := count x; busy := [] |}) (platform (whole P));
     tasks := map (fun pair => given_task P (fst pair) (snd pair)) (indexed 0 (tasks (whole P)));
     edges := map (given_edge P) (edges (whole P)) |}.

Definition is_so {A} (said : option A) (found : A) : Prop := match said with Some x => found = x | None => True end.

(** What has begun is held neither to busy processors nor to lost ones: it is what happened. *)
Definition valid_plan (P : plan) (s : schedule) : Prop :=
  valid (effective P) s /\
  (forall r, In r (attempts s) -> begun P (job r) = true \/ busy_until (whole P) (on r) (proc r) <= start r) /\
  (forall r, In r (runs s) -> is_so (pin_on (pin_of P (job r))) (on r) /\ is_so (pin_proc (pin_of P (job r))) (proc
    r) /\
                              is_so (pin_start (pin_of P (job r))) (start r)) /\
  (forall r, In r (runs s) -> begun P (job r) = true \/ is_lost P (on r) (proc r) = false).

(** I6 of one task, and of edges. *)
Definition well_given (P : plan) : Prop :=
  (forall x, In x (pins P) -> some (pin_end x) = true ->
     exists t q a b, x = {| pin_on := Some t; pin_proc := Some q; pin_start := Some a;
       pin_end := Some b |} /\ a <= b) /\
  (forall e, In e (edges (whole P)) -> begun P (target e) = true -> given P (source e) = true).

Definition scaled_pin (k : Z) (x : pin) : pin :=
  {| pin_on := pin_on x; pin_proc := pin_proc x; pin_start := option_map (Z.mul k) (pin_start x);
     pin_end := option_map (Z.mul k) (pin_end x) |}.

Definition scaled_plan (k : Z) (P : plan) : plan :=
  {| whole := scaled k (whole P); pins := map (scaled_pin k) (pins P); lost := lost P |}.

(** C1, C2, of schedules in ticks and between ticks. *)
Definition plan_bound (P : plan) (k bound : Z) : Prop :=
  forall l s, 0 < l -> valid_plan (scaled_plan l P) s -> l * bound <= k * makespan (effective (scaled_plan l P)) s.

(** ** A decision *)

Definition is_so_number (said : option N) (found : N) : bool := match said with Some x => (found =? x)%N | None =>
  true end.
Definition is_so_time (said : option Z) (found : Z) : bool := match said with Some x => found =? x | None => true end.

Definition valid_plan_schedule (P : plan) (s : schedule) : bool :=
  valid_schedule (effective P) s &&
  forallb (fun r => begun P (job r) || (busy_until (whole P) (on r) (proc r) <=? start r)) (attempts s) &&
  forallb (fun r => let x := pin_of P (job r) in
                    is_so_number (pin_on x) (on r) && is_so_time (pin_proc x) (proc r) && is_so_time (pin_start x)
                      (start r) &&
                    (begun P (job r) || negb (is_lost P (on r) (proc r)))) (runs s).

Lemma is_so_number_spec x n : is_so_number x n = true <-> is_so x n.
Proof. destruct x; cbn; [apply N.eqb_eq|tauto]. Qed.

Lemma is_so_time_spec x n : is_so_time x n = true <-> is_so x n.
Proof. destruct x; cbn; [apply Z.eqb_eq|tauto]. Qed.

Theorem valid_plan_correct P s : I2 (effective P) -> (valid_plan_schedule P s = true <-> valid_plan P s).
Proof.
  intros times_ok. unfold valid_plan_schedule, valid_plan.
  rewrite !andb_true_iff, !forallb_forall, (valid_schedule_correct (effective P) s times_ok). split.
  - intros [[valid_ busy_] pins_]. split; [exact valid_|]. split; [|split].
    + intros r Hr. specialize (busy_ r Hr). rewrite orb_true_iff, Z.leb_le in busy_. exact busy_.
    + intros r Hr. specialize (pins_ r Hr). cbv zeta in pins_.
      rewrite !andb_true_iff, is_so_number_spec, !is_so_time_spec in pins_. tauto.
    + intros r Hr. specialize (pins_ r Hr). cbv zeta in pins_.
    rewrite !andb_true_iff, orb_true_iff, negb_true_iff in pins_.
      tauto.
  - intros (valid_ & busy_ & pins_ & lost_). split; [split; [exact valid_|]|].
    + intros r Hr. rewrite orb_true_iff, Z.leb_le. exact (busy_ r Hr).
    + intros r Hr. cbv zeta. rewrite !andb_true_iff, orb_true_iff, negb_true_iff, is_so_number_spec, !is_so_time_spec.
      specialize (pins_ r Hr). specialize (lost_ r Hr). tauto.
Qed.

(** ** Between ticks *)

Lemma pin_of_scaled k P j : pin_of (scaled_plan k P) j = scaled_pin k (pin_of P j).
Proof. unfold pin_of, scaled_plan. cbn [pins]. rewrite item_map. destruct (item (pins P) j); reflexivity. Qed.

Lemma begun_scaled k P j : begun (scaled_plan k P) j = begun P j.
Proof. unfold begun. rewrite pin_of_scaled. cbn. destruct (pin_end (pin_of P j)); reflexivity. Qed.

Lemma indexed_map {A B} (f : A -> B) l : forall i, indexed i (map f l) = map (fun p => (fst p,
  f (snd p))) (indexed i l).
Proof. induction l as [|x l IH]; intros i; [reflexivity|]. cbn [map indexed fst snd]. rewrite IH. reflexivity. Qed.

Lemma effective_scaled k P : effective (scaled_plan k P) = scaled k (effective P).
Proof.
  unfold effective. change (whole (scaled_plan k P)) with (scaled k (whole P)). unfold scaled at 4.
  cbn [scaled platform tasks edges]. f_equal.
  - rewrite !map_map. apply map_ext. reflexivity.
  - rewrite indexed_map, !map_map. apply map_ext. intros [j x]. cbn [fst snd]. unfold given_task. cbn [times release].
    rewrite begun_scaled, pin_of_scaled. f_equal; [|destruct (begun P j); lia].
    rewrite indexed_map, !map_map. apply map_ext. intros [t p]. cbn [fst snd]. unfold given_time.
    cbn [scaled_pin pin_on pin_start pin_end].
    destruct (pin_on (pin_of P j)) as [u|]; [|reflexivity]. destruct (u =? t)%N; [|reflexivity].
    destruct (pin_start (pin_of P j)) as [a|], (pin_end (pin_of P j)) as [b|]; cbn [option_map]; try reflexivity.
    f_equal. lia.
  - rewrite !map_map. apply map_ext. intros e. unfold given_edge. cbn [source target costs]. rewrite begun_scaled.
    destruct (begun P (target e)); reflexivity.
Qed.

Lemma plan_floored k P s : 0 < k -> valid_plan (scaled_plan k P) s -> valid_plan P (floored_all k s).
Proof.
  intros pos (valid_ & busy_ & pins_ & lost_). rewrite effective_scaled in valid_.
  pose proof (valid_floored k (effective P) s pos valid_) as floored_valid.
  assert (origin : forall r, In r (attempts (floored_all k s)) -> exists q, In q (runs s) /\ r = floored k q).
  { intros r Hr. rewrite attempts_floored in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq). eauto. }
  assert (all : forall r, In r (runs (floored_all k s)) -> exists q, In q (runs s) /\ r = floored k q).
  { intros r Hr. apply origin. apply in_or_app. left. exact Hr. }
  split; [exact floored_valid|]. split; [|split].
  - intros r Hr. destruct (origin r Hr) as (q & Hq & ->). cbn [floored job on proc start].
    destruct (busy_ q (in_or_app _ _ _ (or_introl Hq))) as [yes|free_]; [left; rewrite begun_scaled in yes;
      exact yes|right].
    cbn [scaled_plan whole] in free_. rewrite busy_scaled in free_. apply down; assumption.
  - intros r Hr. destruct (all r Hr) as (q & Hq & ->). cbn [floored job on proc start].
    specialize (pins_ q Hq). rewrite pin_of_scaled in pins_. cbn [scaled_pin pin_on pin_proc pin_start] in pins_.
    destruct pins_ as (a & b & c). split; [exact a|]. split; [exact b|].
    destruct (pin_start (pin_of P (job q))) as [x|]; [|exact I]. cbn in *. rewrite c, Z.mul_comm. apply Z.div_mul. lia.
  - intros r Hr. destruct (all r Hr) as (q & Hq & ->). cbn [floored job on proc]. specialize (lost_ q Hq).
    rewrite begun_scaled in lost_. exact lost_.
Qed.

Theorem plan_whole_ticks P L : (forall s, valid_plan P s -> L <= makespan (effective P) s) -> plan_bound P 1 L.
Proof.
  intros bounded k s pos ok. pose proof (bounded _ (plan_floored k P s pos ok)).
  rewrite effective_scaled. pose proof (makespan_floored k (effective P) s pos). nia.
Qed.
