(* SPDX-License-Identifier: Apache-2.0 *)
(** The problem of docs/problem.md, clause by clause, for sequential tasks.

    Times are whole ticks. Tasks and types count from 0 in the order of the instance, processors from 0 within their
    type. Not here: moldable tasks (modes of several processors, Moldable.v), mixed sets (I5), and what is given (I6,
      I7,
    Plan.v). *)
From Coq Require Import ZArith List Permutation.
Import ListNotations.
Open Scope Z_scope.

(** The item of a list by its number, and a number of a list, 0 where there is none. *)
Fixpoint item {A} (l : list A) (i : N) : option A :=
  match l with
  | [] => None
  | x :: l => if (i =? 0)%N then Some x else item l (N.pred i)
  end.
Definition number (l : list Z) (i : N) : Z := match item l i with Some x => x | None => 0 end.
Definition numbers (n : nat) : list N := map N.of_nat (seq 0 n).

(** ** Instance *)

(** I1, I4: a type has processors; processor [p] is busy until the [p]-th time, or 0 where there is none. *)
Record ptype := { count : Z; busy : list Z }.

(** I2, I4: a task has a time on each type, [None] where it has no mode, and a release. *)
Record task := { times : list (option Z); release : Z }.

(** I3: an edge has a table of costs, by the types of its tasks; all are 0 where there is none. *)
Record edge := { source : N; target : N; costs : list (list Z) }.

Record instance := { platform : list ptype; tasks : list task; edges : list edge }.

Definition time (I : instance) (j t : N) : option Z :=
  match item (tasks I) j with
  | Some x => match item (times x) t with Some p => p | None => None end
  | None => None
  end.

Definition processors (I : instance) (t : N) : Z :=
  match item (platform I) t with Some x => count x | None => 0 end.

Definition busy_until (I : instance) (t : N) (p : Z) : Z :=
  match item (platform I) t with Some x => number (busy x) (Z.to_N p) | None => 0 end.

Definition released (I : instance) (j : N) : Z :=
  match item (tasks I) j with Some x => release x | None => 0 end.

Definition cost (e : edge) (t u : N) : Z :=
  match item (costs e) t with Some row => number row u | None => 0 end.

Definition task_number (I : instance) (j : N) : Prop := (j < N.of_nat (length (tasks I)))%N.

Definition I1 (I : instance) : Prop :=
  (forall x, In x (platform I) -> 0 <= count x) /\ (exists x, In x (platform I) /\ 0 < count x).

Definition I2 (I : instance) : Prop :=
  forall x p, In x (tasks I) -> In (Some p) (times x) -> 0 <= p.

(** No cycle: along every edge the rank rises. *)
Definition I3 (I : instance) : Prop :=
  (forall e, In e (edges I) -> task_number I (source e) /\ task_number I (target e)) /\
  (forall e row c, In e (edges I) -> In row (costs e) -> In c row -> 0 <= c) /\
  (exists rank : N -> Z, forall e, In e (edges I) -> rank (source e) < rank (target e)).

Definition I4 (I : instance) : Prop :=
  (forall x, In x (tasks I) -> 0 <= release x) /\
  (forall x f, In x (platform I) -> In f (busy x) -> 0 <= f).

Definition well_formed (I : instance) : Prop := I1 I /\ I2 I /\ I3 I /\ I4 I.

(** ** Schedule *)

(** A task runs on a processor of a type from its start on. An aborted run stops before its time. *)
Record run := { job : N; on : N; proc : Z; start : Z }.
Record aborted := { attempt : run; stop : Z }.
Record schedule := { runs : list run; given_up : list aborted }.

Definition ends (I : instance) (r : run) : Z :=
  start r + match time I (job r) (on r) with Some p => p | None => 0 end.

(** What holds for runs that ended and for aborted ones is said of all attempts. *)
Definition attempts (s : schedule) : list run := runs s ++ map attempt (given_up s).

(** From when to when which processor is occupied. *)
Record span := { span_on : N; span_proc : Z; from : Z; until : Z }.

Definition occupied (I : instance) (s : schedule) : list span :=
  map (fun r => {| span_on := on r; span_proc := proc r; from := start r; until := ends I r |}) (runs s) ++
  map (fun a => {| span_on := on (attempt a); span_proc := proc (attempt a);
                   from := start (attempt a); until := stop a |}) (given_up s).

(** S1: every task has one run, and each attempt is on a processor on which its task may run, from 0 on. *)
Definition placed (I : instance) (r : run) : Prop :=
  time I (job r) (on r) <> None /\ 0 <= proc r < processors I (on r) /\ 0 <= start r.

Definition S1 (I : instance) (s : schedule) : Prop :=
  Permutation (map job (runs s)) (numbers (length (tasks I))) /\
  (forall r, In r (attempts s) -> placed I r).

(** S2: of two that share a processor one ends before the other starts. *)
Definition apart (a b : span) : Prop :=
  span_on a = span_on b -> span_proc a = span_proc b -> until a <= from b \/ until b <= from a.

Definition S2 (I : instance) (s : schedule) : Prop := ForallOrdPairs apart (occupied I s).

(** S3: along an edge a run starts when the one before it has ended and, on another processor, its data are there. *)
Definition same_processor (i j : run) : bool := (on i =? on j)%N && (proc i =? proc j).

Definition arrival (I : instance) (e : edge) (i j : run) : Z :=
  if same_processor i j then ends I i else ends I i + cost e (on i) (on j).

Definition S3 (I : instance) (s : schedule) : Prop :=
  forall e i j, In e (edges I) -> In i (runs s) -> In j (attempts s) ->
  job i = source e -> job j = target e -> arrival I e i j <= start j.

Definition S4 (I : instance) (s : schedule) : Prop :=
  forall r, In r (attempts s) -> released I (job r) <= start r /\ busy_until I (on r) (proc r) <= start r.

(** S5 *)
Definition makespan (I : instance) (s : schedule) : Z := fold_right Z.max 0 (map (ends I) (runs s)).

(** S6: an aborted run is shorter than its task takes there, and ends before the task starts again. *)
Definition S6 (I : instance) (s : schedule) : Prop :=
  forall a, In a (given_up s) ->
  start (attempt a) <= stop a < ends I (attempt a) /\
  (forall r, In r (runs s) -> job r = job (attempt a) -> stop a <= start r).

Definition valid (I : instance) (s : schedule) : Prop := S1 I s /\ S2 I s /\ S3 I s /\ S4 I s /\ S6 I s.

(** ** Between ticks: all times of the instance in parts of a tick, [k] of which make one *)

Definition scaled (k : Z) (I : instance) : instance :=
  {| platform := map (fun x => {| count := count x; busy := map (Z.mul k) (busy x) |}) (platform I);
     tasks := map (fun x => {| times := map (option_map (Z.mul k)) (times x); release := k * release x |}) (tasks I);
     edges := map (fun e => {| source := source e; target := target e; costs := map (map (Z.mul k)) (costs e) |})
                  (edges I) |}.

(** ** Claims *)

(** C1, of schedules in ticks and between ticks. *)
Definition is_bound (I : instance) (L : Z) : Prop :=
  forall k s, 0 < k -> valid (scaled k I) s -> k * L <= makespan (scaled k I) s.

(** C2: no schedule is shorter than this one, which is in parts of a tick. *)
Definition optimal (I : instance) (k : Z) (s : schedule) : Prop :=
  valid (scaled k I) s /\
  (forall l other, 0 < l -> valid (scaled l I) other -> l * makespan (scaled k I) s <= k * makespan (scaled l I) other).
