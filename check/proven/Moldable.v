(* SPDX-License-Identifier: Apache-2.0 *)
(** The problem of docs/problem.md for moldable and rigid tasks, clause by clause.

    Times are whole ticks; starts are in parts of a tick, [k] of which make one. Types, busy times and items of lists are
    those of Problem.v. Not here: mixed sets (I5), what is given (I6, I7), and aborted runs, which only sequential tasks
    have (S6). *)
From Coq Require Import ZArith List Permutation Bool.
From Proven Require Import Problem.
Import ListNotations.
Open Scope Z_scope.

(** ** Instance *)

(** I2: times on 1, 2, ... processors of a type, [None] where a task has no mode of that size; the last one goes on up to
    the largest size. A rigid task has one mode on each type. *)
Record table := { by_size : list (option Z); largest : Z }.

(** I2, I4: a task has a table for each type, and a release. *)
Record moldable := { tables : list table; released_at : Z }.

(** I3: what data take between different sets: by the types, or by the network. In [grain] parts of a tick the network
    has latencies by types, what all data take through the links of one processor of each type, and through the one link
    between two types. *)
Record network := { grain : Z; latencies : list (list Z); share : list Z; between : Z }.
Inductive transfer := ByTypes (costs : list (list Z)) | ByNetwork (n : network).
Record dependence := { source_of : N; target_of : N; moved : transfer }.

Record moldable_instance := { of_types : list ptype; all_tasks : list moldable; dependences : list dependence }.

Definition time_of (x : table) (q : Z) : option Z :=
  if (1 <=? q) && (q <=? largest x)
  then match item (by_size x) (Z.to_N (Z.min q (Z.of_nat (length (by_size x))) - 1)) with Some p => p | None => None end
  else None.

Definition mode_time (I : moldable_instance) (j t : N) (q : Z) : option Z :=
  match item (all_tasks I) j with
  | Some x => match item (tables x) t with Some y => time_of y q | None => None end
  | None => None
  end.

(** The platform alone, of which Problem.v says how many processors a type has, and until when each is busy. *)
Definition machine (I : moldable_instance) : instance := {| platform := of_types I; tasks := []; edges := [] |}.

Definition release_of (I : moldable_instance) (j : N) : Z :=
  match item (all_tasks I) j with Some x => released_at x | None => 0 end.

Definition two (l : list (list Z)) (t u : N) : Z := match item l t with Some row => number row u | None => 0 end.

(** The least whole number that is at least [a / b]. *)
Definition quotient_up (a b : Z) : Z := - (- a / b).

(** The latency, and the longest of what the data take from [p] processors of type [t], to [q] of type [u], and between
    two types; rounded up to ticks. *)
Definition move (x : transfer) (t : N) (p : Z) (u : N) (q : Z) : Z :=
  match x with
  | ByTypes costs => two costs t u
  | ByNetwork n =>
      Z.max (quotient_up (two (latencies n) t u * p + number (share n) t) (grain n * p))
     (Z.max (quotient_up (two (latencies n) t u * q + number (share n) u) (grain n * q))
            (if (t =? u)%N then 0 else quotient_up (two (latencies n) t u + between n) (grain n)))
  end.

(** A task with several sizes has positive times. *)
Definition several (x : table) : Prop := exists p q a b, p <> q /\ time_of x p = Some a /\ time_of x q = Some b.

Definition M2 (I : moldable_instance) : Prop :=
  forall x y q p, In x (all_tasks I) -> In y (tables x) -> time_of y q = Some p -> 0 <= p /\ (several y -> 0 < p).

Definition no_less (x : transfer) : Prop :=
  match x with
  | ByTypes costs => forall row c, In row costs -> In c row -> 0 <= c
  | ByNetwork n => 0 < grain n /\ 0 <= between n /\ (forall c, In c (share n) -> 0 <= c) /\
                   (forall row c, In row (latencies n) -> In c row -> 0 <= c)
  end.

Definition M3 (I : moldable_instance) : Prop :=
  (forall e, In e (dependences I) -> (source_of e < N.of_nat (length (all_tasks I)))%N /\
                               (target_of e < N.of_nat (length (all_tasks I)))%N) /\
  (forall e, In e (dependences I) -> no_less (moved e)) /\
  (exists rank : N -> Z, forall e, In e (dependences I) -> rank (source_of e) < rank (target_of e)).

Definition M4 (I : moldable_instance) : Prop :=
  (forall x, In x (all_tasks I) -> 0 <= released_at x) /\ I4 (machine I).

Definition moldable_well_formed (I : moldable_instance) : Prop := I1 (machine I) /\ M2 I /\ M3 I /\ M4 I.

(** ** Schedule *)

(** A task runs on a set of processors of a type from its start on. A set is written as ranges that rise, with a gap
    between two of them, so that equal sets are written equally. *)
Record execution := { task_of : N; type_of : N; ranges : list (Z * Z); begins : Z }.

Fixpoint is_set (from most : Z) (l : list (Z * Z)) : Prop :=
  match l with
  | [] => True
  | (a, b) :: l => from <= a <= b /\ b < most /\ is_set (b + 2) most l
  end.

Definition has (r : execution) (q : Z) : Prop := exists a b, In (a, b) (ranges r) /\ a <= q <= b.

Definition size_of (l : list (Z * Z)) : Z := fold_right Z.add 0 (map (fun x => snd x - fst x + 1) l).

Section Schedule.
Variable k : Z.
Variable I : moldable_instance.

Definition lasts (r : execution) : Z :=
  k * match mode_time I (task_of r) (type_of r) (size_of (ranges r)) with Some p => p | None => 0 end.
Definition finish (r : execution) : Z := begins r + lasts r.

(** S1 *)
Definition T1 (s : list execution) : Prop :=
  Permutation (map task_of s) (numbers (length (all_tasks I))) /\
  (forall r, In r s -> is_set 0 (processors (machine I) (type_of r)) (ranges r) /\
     mode_time I (task_of r) (type_of r) (size_of (ranges r)) <> None /\ 0 <= begins r).

(** S2 *)
Definition in_turn (i j : execution) : Prop :=
  type_of i = type_of j -> (exists q, has i q /\ has j q) -> finish i <= begins j \/ finish j <= begins i.

Definition T2 (s : list execution) : Prop := ForallOrdPairs in_turn s.

(** S3 *)
Definition same_set (i j : execution) : Prop := type_of i = type_of j /\ ranges i = ranges j.

Definition data_there (e : dependence) (i j : execution) : Z :=
  finish i + k * move (moved e) (type_of i) (size_of (ranges i)) (type_of j) (size_of (ranges j)).

Definition T3 (s : list execution) : Prop :=
  forall e i j, In e (dependences I) -> In i s -> In j s -> task_of i = source_of e -> task_of j = target_of e ->
  (same_set i j -> finish i <= begins j) /\ (~ same_set i j -> data_there e i j <= begins j).

(** S4 *)
Definition T4 (s : list execution) : Prop :=
  forall r, In r s -> k * release_of I (task_of r) <= begins r /\
  (forall q, has r q -> k * busy_until (machine I) (type_of r) q <= begins r).

Definition moldable_valid (s : list execution) : Prop := T1 s /\ T2 s /\ T3 s /\ T4 s.

(** S5 *)
Definition span_of (s : list execution) : Z := fold_right Z.max 0 (map finish s).
End Schedule.

(** ** Claims *)

(** C1, of schedules in ticks and between ticks. *)
Definition moldable_bound (I : moldable_instance) (L : Z) : Prop :=
  forall k s, 0 < k -> moldable_valid k I s -> k * L <= span_of k I s.

(** C2 *)
Definition moldable_optimal (I : moldable_instance) (k : Z) (s : list execution) : Prop :=
  moldable_valid k I s /\
  (forall l other, 0 < l -> moldable_valid l I other -> l * span_of k I s <= k * span_of l I other).
