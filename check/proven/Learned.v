(* SPDX-License-Identifier: Apache-2.0 *)
(** What a search that learned has found out: facts about orders and processors beside the windows, the rules that they
    may contradict, and nogoods. It is about schedules whose processors are numbered in the order of some tasks. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows.
Import ListNotations.
Open Scope Z_scope.

(** Task [i] ends before [j] starts, or when it does; a task is on a processor; both tasks of an edge are on one. *)
Inductive fact := Order (i j : N) | At (j t : N) (q : Z) | Same (e : N).

Inductive literal := Claim (j : N) (x : claim) | Known (f : fact) (yes : bool).

Definition negation (l : literal) : literal :=
  match l with Claim j x => Claim j (opposite x) | Known f b => Known f (negb b) end.

Definition fact_eqb (f g : fact) : bool :=
  match f, g with
  | Order i j, Order k l => (i =? k)%N && (j =? l)%N
  | At j t q, At k u p => (j =? k)%N && (t =? u)%N && (q =? p)
  | Same e, Same d => (e =? d)%N
  | _, _ => false
  end.

Lemma fact_eqb_eq f g : fact_eqb f g = true -> f = g.
Proof.
  destruct f, g; simpl; try discriminate; rewrite ?andb_true_iff, ?N.eqb_eq, ?Z.eqb_eq; intuition congruence.
Qed.

Inductive rule :=
| OfTask (j : N)
| OfEdge (e : N)
| OfOrder (i j : N)
| OfTwin (j : N)
| Forbidden (t : N) (tasks : list N)
| Share (i j t : N) (q : Z)
| OfSame (e : N)
| Number (j t : N) (q : Z)
| Overload (a b : Z) (weights : list Z)
| Load (a b : Z) (t : N) (q : Z)
| Nogood (k : N).

Inductive item_ :=
| Fact_item (r : rule) (l : literal)
| Nogood_item (literals : list literal) (steps : list (rule * literal)) (last : rule).

(** Facts are kept by some number of theirs; what is found there is compared. *)
Record knowledge := { win : windows; facts : M.t (list (fact * bool)) }.

Fixpoint before_task (j : N) (l : list N) : list N :=
  match l with [] => [] | i :: l => if (i =? j)%N then [] else i :: before_task j l end.

Section Learned.
Variable I : instance.
Variable L : Z.
Variable all_edges : M.t edge.
Variable size : N.            (* of the tasks *)
Variable sequence : list N.   (* the tasks in the order by which processors are numbered *)
Variable twin_before : M.t N.

Definition place_of (f : fact) : N :=
  match f with
  | Order i j => i * size + j
  | At j t q => (size + j * N.of_nat (length (platform I)) + t) * size + Z.to_N q
  | Same e => size * size * (2 + N.of_nat (length (platform I))) + e
  end%N.

Definition found_at (K : knowledge) (f : fact) : list (fact * bool) :=
  match find (facts K) (place_of f) with Some l => l | None => [] end.

Definition is_known (K : knowledge) (f : fact) (b : bool) : bool :=
  existsb (fun x => fact_eqb (fst x) f && Bool.eqb (snd x) b) (found_at K f).

Definition inside_tasks (j : N) : bool := (j <? size)%N.

Definition take_literal (K : knowledge) (l : literal) : option knowledge :=
  match l with
  | Claim j x => match take L (win K) j x with Some W => Some {| win := W; facts := facts K |} | None => None end
  | Known f b =>
      if is_known K f b then Some K else if is_known K f (negb b) then None else
      Some {| win := win K; facts := M.add (key (place_of f)) ((f, b) :: found_at K f) (facts K) |}
  end.

(** *** Rules *)

Definition counted (t : N) : Z := Z.min (processors I t) (Z.of_N size).
Definition procs (t : N) : list Z := map Z.of_nat (seq 0 (Z.to_nat (counted t))).
Definition all_types : list N := numbers (length (platform I)).

Definition has (w : window) (t : N) : bool := existsb (fun mode => (fst mode =? t)%N) (w_modes w).
Definition alone (w : window) (t : N) : bool := forallb (fun mode => (fst mode =? t)%N) (w_modes w).

Definition with_window (K : knowledge) (j : N) (f : window -> bool) : bool :=
  inside_tasks j && match find (win K) j with Some w => f w | None => false end.

Definition task_wrong (K : knowledge) (j : N) : bool :=
  with_window K j (fun w =>
    match flat_map (fun t => flat_map (fun q => if is_known K (At j t q) true then [(t, q)] else []) (procs t)) all_types
    with
    | [] => false
    | [(t, _)] => negb (has w t)
    | x :: y :: _ => negb ((fst x =? fst y)%N && (snd x =? snd y))
    end ||
    existsb (fun t => alone w t && forallb (fun q => is_known K (At j t q) false) (procs t)) all_types).

Definition least_end (w : window) (d : Z) : Z := Z.max (w_start w) (w_end w - d) + d.
Definition last_start (w : window) (d : Z) : Z := L - Z.max (w_rest w) (w_tail w + d).

Definition edge_wrong (K : knowledge) (e : N) : bool :=
  match find all_edges e with
  | Some x =>
      let apart_ := is_known K (Same e) false in
      with_window K (source x) (fun i => with_window K (target x) (fun j =>
        forallb (fun m => forallb (fun u =>
          let moves := negb (fst m =? fst u)%N || (apart_ && (1 <? processors I (fst m))) in
          last_start j (snd u) <? least_end i (snd m) + if moves then cost x (fst m) (fst u) else 0)
          (w_modes j)) (w_modes i)))
  | None => false
  end.

Definition order_wrong (K : knowledge) (i j : N) : bool :=
  is_known K (Order i j) true &&
  with_window K i (fun wi => with_window K j (fun wj =>
    (L - w_rest wj <? w_end wi) ||
    (is_known K (Order j i) true && ((0 <? shortest (w_modes wi)) || (0 <? shortest (w_modes wj)))))).

Definition twin_wrong (K : knowledge) (j : N) : bool :=
  match find twin_before j with
  | Some i => with_window K i (fun wi => with_window K j (fun wj => L - w_rest wj <? w_start wi))
  | None => false
  end.

Definition overlapping (K : knowledge) (i j : N) : bool :=
  inside_tasks i && inside_tasks j && negb (i =? j)%N && is_known K (Order i j) false && is_known K (Order j i) false.

Fixpoint all_overlap (K : knowledge) (l : list N) : bool :=
  match l with [] => true | i :: l => forallb (overlapping K i) l && all_overlap K l end.

Definition forbidden_wrong (K : knowledge) (t : N) (l : list N) : bool :=
  (processors I t <? Z.of_nat (length l)) && forallb (fun j => with_window K j (fun w => alone w t)) l &&
  all_overlap K l.

Definition share_wrong (K : knowledge) (i j t : N) (q : Z) : bool :=
  is_known K (At i t q) true && is_known K (At j t q) true && overlapping K i j.

Definition same_wrong (K : knowledge) (e : N) : bool :=
  match find all_edges e with
  | Some x =>
      let yes := is_known K (Same e) true in
      let no := is_known K (Same e) false in
      existsb (fun t => existsb (fun q =>
        let i b := is_known K (At (source x) t q) b in
        let j b := is_known K (At (target x) t q) b in
        (yes && ((i true && j false) || (i false && j true))) || (no && i true && j true)) (procs t)) all_types
  | None => false
  end.

Definition number_wrong (K : knowledge) (j t : N) (q : Z) : bool :=
  (0 <? q) && is_known K (At j t q) true && inside_tasks j &&
  forallb (fun i => is_known K (At i t (q - 1)) false || with_window K i (fun w => negb (has w t)))
          (before_task j sequence).

Definition counted_supply (weights : list Z) : Z := sum (map (fun t => number weights t * counted t) all_types).

Definition overload_wrong (K : knowledge) (a b : Z) (weights : list Z) : bool :=
  let supply_ := counted_supply weights in
  (a <? b) && forallb (Z.leb 0) weights && (0 <? supply_) && (supply_ <? 2 ^ 60) &&
  ((b - a) * supply_ <? least_overlaps I L (win K) a b weights).

Definition load_of (K : knowledge) (a b : Z) (t : N) (q : Z) (j : N) : Z :=
  if is_known K (At j t q) true
  then match find (win K) j with
       | Some w => amount (cheapest (fun mode => overlap L w a b (snd mode))
                                    (filter (fun mode => (fst mode =? t)%N) (w_modes w)))
       | None => 0
       end
  else 0.

Definition load_wrong (K : knowledge) (a b : Z) (t : N) (q : Z) : bool :=
  let all := numbers (length (tasks I)) in
  (a <? b) &&
  (existsb (fun j => is_known K (At j t q) true && with_window K j (fun w => negb (has w t))) all ||
   (b - a <? sum (map (load_of K a b t q) all))).

Definition is_false (K : knowledge) (l : literal) : bool :=
  match l with
  | Known f b => is_known K f (negb b)
  | Claim j x =>
      with_window K j (fun w => match x with
                                | On t => negb (has w t)
                                | Off t => alone w t
                                | StartBy y => y <? w_start w
                                | StartAfter y => L - w_rest w <=? y
                                | EndBy y => y <? w_end w
                                | EndAfter y => L - w_tail w <=? y
                                end)
  end.

Definition contradicts (nogoods : M.t (list literal)) (K : knowledge) (r : rule) : bool :=
  match r with
  | OfTask j => task_wrong K j
  | OfEdge e => edge_wrong K e
  | OfOrder i j => order_wrong K i j
  | OfTwin j => twin_wrong K j
  | Forbidden t l => forbidden_wrong K t l
  | Share i j t q => share_wrong K i j t q
  | OfSame e => same_wrong K e
  | Number j t q => number_wrong K j t q
  | Overload a b weights => overload_wrong K a b weights
  | Load a b t q => load_wrong K a b t q
  | Nogood k => match find nogoods k with Some l => forallb (is_false K) l | None => false end
  end.

Definition literal_ok (l : literal) : bool := match l with Claim j _ => inside_tasks j | Known _ _ => true end.

(** *** Soundness *)

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Hypothesis edges_are : all_edges = tabled (edges I).

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

(** The processors of a type are numbered in the order of their first tasks. *)
Hypothesis numbered : forall r, In r (runs s) -> proc r < Z.of_N size /\
  (0 < proc r -> exists i, In i (before_task (job r) sequence) /\
     exists q, In q (runs s) /\ job q = i /\ on q = on r /\ proc q = proc r - 1).

Hypothesis twins_hold : forall j i, find twin_before j = Some i -> start (the s i) <= start (the s j).

Definition fact_holds (f : fact) : Prop :=
  match f with
  | Order i j => ends I (the s i) <= start (the s j)
  | At j t q => on (the s j) = t /\ proc (the s j) = q
  | Same e => match item (edges I) e with
              | Some x => on (the s (source x)) = on (the s (target x)) /\
                          proc (the s (source x)) = proc (the s (target x))
              | None => True
              end
  end.

Definition literal_holds (l : literal) : Prop :=
  match l with
  | Claim j x => holds_of I x (the s j)
  | Known f b => if b then fact_holds f else ~ fact_holds f
  end.

Lemma fact_or f : fact_holds f \/ ~ fact_holds f.
Proof.
  destruct f as [i j|j t q|e]; simpl.
  - destruct (Z_le_gt_dec (ends I (the s i)) (start (the s j))); [left|right]; lia.
  - destruct (N.eq_dec (on (the s j)) t), (Z.eq_dec (proc (the s j)) q); [left; auto|right; tauto..].
  - destruct (item (edges I) e) as [x|]; [|auto].
    destruct (N.eq_dec (on (the s (source x))) (on (the s (target x)))),
      (Z.eq_dec (proc (the s (source x))) (proc (the s (target x)))); [left; auto|right; tauto..].
Qed.

Lemma literal_or l : literal_holds l \/ literal_holds (negation l).
Proof. destruct l as [j x|f [|]]; simpl; [apply holds_or|apply fact_or|destruct (fact_or f); auto]. Qed.

Definition all_known (K : knowledge) : Prop :=
  all_fit I L s (win K) /\
  (forall k l x, find (facts K) k = Some l -> In x l -> literal_holds (Known (fst x) (snd x))).

Definition may_be (K : option knowledge) : Prop := match K with Some K => all_known K | None => False end.

Lemma known_holds K f b : all_known K -> is_known K f b = true -> literal_holds (Known f b).
Proof.
  intros [_ facts_] H. unfold is_known, found_at in H. apply existsb_exists in H. destruct H as ([g c] & Hx & same).
  simpl in same. apply andb_true_iff in same. destruct same as [same_f same_b]. apply fact_eqb_eq in same_f.
  apply eqb_prop in same_b. subst g c.
  destruct (find (facts K) (place_of f)) as [l|] eqn:found; [|destruct Hx]. exact (facts_ _ l (f, b) found Hx).
Qed.

Lemma task_inside j : inside_tasks j = true -> task_number I j.
Proof. unfold inside_tasks. rewrite N.ltb_lt. intros H. red. lia. Qed.

Lemma the_inside j : inside_tasks j = true -> In (the s j) (runs s) /\ job (the s j) = j.
Proof. intros H. apply (the_run I s ok), in_numbers, task_inside, H. Qed.

Lemma take_known K l : literal_ok l = true -> all_known K -> literal_holds l -> may_be (take_literal K l).
Proof.
  intros good_ known_ holds_. destruct l as [j x|f b]; simpl in *.
  - destruct known_ as [all_ facts_]. destruct (the_inside j good_) as [Hr same].
    pose proof (take_possible I L s ok (win K) j x (task_inside j good_) all_) as H.
    destruct (take L (win K) j x) as [W|]; simpl.
    + split; [|exact facts_]. apply H. intros r Hr' is_j. rewrite (same_run I s ok r (the s j)); auto. congruence.
    + apply H. intros r Hr' is_j. rewrite (same_run I s ok r (the s j)); auto. congruence.
  - destruct (is_known K f b); [exact known_|]. destruct (is_known K f (negb b)) eqn:other.
    + pose proof (known_holds K f (negb b) known_ other) as no. destruct b; simpl in *; tauto.
    + destruct known_ as [all_ facts_]. split; [exact all_|]. simpl. intros k l x found Hx. unfold find in found.
      destruct (N.eq_dec (place_of f) k) as [<-|differs].
      * rewrite M.gss in found. inversion found; subst l. destruct Hx as [<-|Hx]; [exact holds_|].
        unfold found_at in Hx. destruct (find (facts K) (place_of f)) as [l|] eqn:old; [|destruct Hx].
        exact (facts_ _ l x old Hx).
      * rewrite M.gso in found by (intros same; apply key_injective in same; congruence).
        exact (facts_ k l x found Hx).
Qed.

(** The window of a task, and what its run is. *)
Lemma with_window_fits K j f : all_known K -> with_window K j f = true ->
  exists w, find (win K) j = Some w /\ fits I L w (the s j) /\ f w = true /\
  In (the s j) (runs s) /\ job (the s j) = j.
Proof.
  intros [all_ _] H. unfold with_window in H. apply andb_true_iff in H. destruct H as [Hj H].
  destruct (the_inside j Hj) as [Hr same]. destruct (all_ _ Hr) as (w & found & fit). rewrite same in found.
  rewrite found in H. exists w. auto.
Qed.

Lemma has_type w r t : fits I L w r -> has w t = false -> on r <> t.
Proof.
  intros (_ & _ & _ & _ & mode) none same. apply not_true_iff_false in none. apply none. apply existsb_exists.
  eexists. split; [exact mode|]. apply N.eqb_eq. exact same.
Qed.

Lemma alone_type w r t : fits I L w r -> alone w t = true -> on r = t.
Proof.
  intros (_ & _ & _ & _ & mode) all_. unfold alone in all_. rewrite forallb_forall in all_. specialize (all_ _ mode).
  apply N.eqb_eq in all_. exact all_.
Qed.

Lemma proc_counted r : In r (runs s) -> In (proc r) (procs (on r)) /\ In (on r) all_types.
Proof.
  intros Hr. pose proof (valid_placed I s r ok Hr) as place. pose proof place as (_ & there & _).
  destruct (numbered r Hr) as [few _]. split; [|apply (placed_type I r place)].
  unfold procs, counted. apply in_map_iff. exists (Z.to_nat (proc r)). rewrite in_seq. lia.
Qed.

Lemma task_right K j : all_known K -> task_wrong K j = true -> False.
Proof.
  intros known_ H. destruct (with_window_fits K j _ known_ H) as (w & _ & fit & H' & Hr & same).
  apply orb_true_iff in H'. destruct H' as [H'|H'].
  - assert (each : forall x, In x (flat_map (fun t => flat_map (fun q => if is_known K (At j t q) true
              then [(t, q)] else []) (procs t)) all_types) -> on (the s j) = fst x /\ proc (the s j) = snd x).
    { intros x Hx. apply in_flat_map in Hx. destruct Hx as (t & _ & Hx). apply in_flat_map in Hx.
      destruct Hx as (q & _ & Hx). destruct (is_known K (At j t q) true) eqn:yes; [|destruct Hx].
      destruct Hx as [<-|[]]. exact (known_holds K _ true known_ yes). }
    destruct (flat_map _ all_types) as [|[t q] [|y l]]; [discriminate| |].
    + destruct (each (t, q) (or_introl eq_refl)) as [is_t _]. apply negb_true_iff in H'.
      exact (has_type w (the s j) t fit H' is_t).
    + destruct (each (t, q) (or_introl eq_refl)) as [x1 x2].
      destruct (each y (or_intror (or_introl eq_refl))) as [y1 y2]. simpl in *.
      apply negb_true_iff, andb_false_iff in H'. rewrite N.eqb_neq, Z.eqb_neq in H'. destruct H'; congruence.
  - apply existsb_exists in H'. destruct H' as (t & _ & H'). apply andb_true_iff in H'. destruct H' as [is_alone none].
    pose proof (alone_type w _ t fit is_alone) as is_t. rewrite forallb_forall in none.
    destruct (proc_counted _ Hr) as [Hq _]. rewrite is_t in Hq. specialize (none _ Hq).
    pose proof (known_holds K _ false known_ none) as no. apply no. simpl. auto.
Qed.

Lemma ends_least w r : fits I L w r -> least_end w (duration I (on r) (job r)) <= ends I r.
Proof. intros (f1 & f2 & _). unfold least_end. pose proof (duration_ends I r). lia. Qed.

Lemma starts_last w r : fits I L w r -> start r <= last_start w (duration I (on r) (job r)).
Proof. intros (_ & _ & f3 & f4 & _). unfold last_start. pose proof (duration_ends I r). lia. Qed.

Lemma edge_right K e : all_known K -> edge_wrong K e = true -> False.
Proof.
  intros known_ H. unfold edge_wrong in H. rewrite edges_are, find_tabled in H.
  destruct (item (edges I) e) as [x|] eqn:Hx; [|discriminate]. pose proof (item_in _ _ _ Hx) as He.
  destruct (with_window_fits K _ _ known_ H) as (wi & _ & fit_i & H' & Hi & is_i). clear H.
  destruct (with_window_fits K _ _ known_ H') as (wj & _ & fit_j & H & Hj & is_j). clear H'.
  rewrite forallb_forall in H. pose proof fit_i as (_ & _ & _ & _ & mode_i). pose proof fit_j as (_ & _ & _ & _ & mode_j).
  specialize (H _ mode_i). rewrite forallb_forall in H. specialize (H _ mode_j). cbn [fst snd] in H. apply Z.ltb_lt in H.
  pose proof (proj1 (proj2 (proj2 ok)) x _ _ He Hi (in_attempts s _ Hj) is_i is_j) as waits.
  pose proof (cost_nonnegative I edges_ok x (on (the s (source x))) (on (the s (target x))) He).
  pose proof (ends_least wi _ fit_i). pose proof (starts_last wj _ fit_j).
  unfold arrival in waits. destruct (same_processor (the s (source x)) (the s (target x))) eqn:one.
  - unfold same_processor in one. rewrite andb_true_iff, Z.eqb_eq in one. destruct one as [one_type_ one_proc].
    rewrite one_type_ in H. cbn [negb orb] in H. apply N.eqb_eq in one_type_.
    destruct (is_known K (Same e) false) eqn:no; [|simpl in H; lia].
    pose proof (known_holds K _ false known_ no) as differ. simpl in differ. rewrite Hx in differ. tauto.
  - destruct (negb _ || _) in H; lia.
Qed.

Lemma the_duration r w : In r (runs s) -> fits I L w r -> shortest (w_modes w) <= ends I r - start r.
Proof.
  intros Hr (_ & _ & _ & _ & mode). pose proof (shortest_least _ _ mode). simpl in *. rewrite duration_ends. lia.
Qed.

Lemma order_right K i j : all_known K -> order_wrong K i j = true -> False.
Proof.
  intros known_ H. unfold order_wrong in H. apply andb_true_iff in H. destruct H as [yes H].
  pose proof (known_holds K _ true known_ yes) as before. simpl in before.
  destruct (with_window_fits K _ _ known_ H) as (wi & _ & fit_i & H' & Hi & is_i). clear H.
  destruct (with_window_fits K _ _ known_ H') as (wj & _ & fit_j & H & Hj & is_j). clear H'.
  pose proof fit_i as (_ & i2 & _). pose proof fit_j as (_ & _ & j3 & _).
  rewrite orb_true_iff, Z.ltb_lt, andb_true_iff, orb_true_iff, !Z.ltb_lt in H. destruct H as [H|[back H]]; [lia|].
  pose proof (known_holds K _ true known_ back) as behind. simpl in behind.
  pose proof (the_duration _ wi Hi fit_i). pose proof (the_duration _ wj Hj fit_j).
  pose proof (ends_forward I (the s i) times_ok). pose proof (ends_forward I (the s j) times_ok). lia.
Qed.

Lemma twin_right K j : all_known K -> twin_wrong K j = true -> False.
Proof.
  intros known_ H. unfold twin_wrong in H. destruct (find twin_before j) as [i|] eqn:twin; [|discriminate].
  pose proof (twins_hold j i twin) as first.
  destruct (with_window_fits K _ _ known_ H) as (wi & _ & (i1 & _) & H' & _). clear H.
  destruct (with_window_fits K _ _ known_ H') as (wj & _ & (_ & _ & j3 & _) & H & _). apply Z.ltb_lt in H. lia.
Qed.

Lemma pairs_in {A} (R : A -> A -> Prop) l x y : ForallOrdPairs R l -> In x l -> In y l -> x = y \/ R x y \/ R y x.
Proof.
  induction 1 as [|a l all rest IH]; intros Hx Hy; [destruct Hx|]. rewrite Forall_forall in all.
  destruct Hx as [->|Hx], Hy as [->|Hy]; auto.
Qed.

Lemma overlap_apart K i j : all_known K -> overlapping K i j = true -> on (the s i) = on (the s j) ->
  proc (the s i) = proc (the s j) -> False.
Proof.
  intros known_ H same_on same_proc. unfold overlapping in H. rewrite !andb_true_iff, negb_true_iff, N.eqb_neq in H.
  destruct H as [[[[Hi Hj] differ] no_ij] no_ji].
  pose proof (known_holds K _ false known_ no_ij) as first. pose proof (known_holds K _ false known_ no_ji) as second.
  simpl in first, second. destruct (the_inside i Hi) as [Hri is_i]. destruct (the_inside j Hj) as [Hrj is_j].
  destruct (pairs_in _ _ _ _ (runs_apart I s ok) Hri Hrj) as [same|[H|H]].
  - apply differ. congruence.
  - destruct (H same_on same_proc); lia.
  - destruct (H (eq_sym same_on) (eq_sym same_proc)); lia.
Qed.

Lemma forbidden_right K t l : all_known K -> forbidden_wrong K t l = true -> False.
Proof.
  intros known_ H. unfold forbidden_wrong in H. rewrite !andb_true_iff, Z.ltb_lt, forallb_forall in H.
  destruct H as [[many alone_] overlap_].
  assert (on_t : forall j, In j l -> In (the s j) (runs s) /\ on (the s j) = t).
  { intros j Hj. destruct (with_window_fits K j _ known_ (alone_ j Hj)) as (w & _ & fit & is_alone & Hr & _).
    split; [assumption|]. exact (alone_type w _ t fit is_alone). }
  assert (nodup : NoDup (map (fun j => proc (the s j)) l)).
  { clear many alone_. induction l as [|i l IH]; simpl; [constructor|]. simpl in overlap_.
    apply andb_true_iff in overlap_. destruct overlap_ as [first rest]. constructor.
    - intros again. apply in_map_iff in again. destruct again as (j & same & Hj). rewrite forallb_forall in first.
      apply (overlap_apart K i j known_ (first j Hj)); [|congruence].
      rewrite (proj2 (on_t i (or_introl eq_refl))), (proj2 (on_t j (or_intror Hj))). reflexivity.
    - apply IH; [exact rest|]. intros j Hj. apply on_t. right. exact Hj. }
  assert (incl (map (fun j => proc (the s j)) l) (map Z.of_nat (seq 0 (Z.to_nat (processors I t))))) as inside_.
  { intros q Hq. apply in_map_iff in Hq. destruct Hq as (j & <- & Hj). destruct (on_t j Hj) as [Hr <-].
    destruct (valid_placed I s _ ok Hr) as (_ & there & _). apply in_map_iff. exists (Z.to_nat (proc (the s j))).
    rewrite in_seq. lia. }
  pose proof (NoDup_incl_length nodup inside_) as few. rewrite !map_length, seq_length in few.
  pose proof (processors_nonnegative I t counts_ok). lia.
Qed.

Lemma share_right K i j t q : all_known K -> share_wrong K i j t q = true -> False.
Proof.
  intros known_ H. unfold share_wrong in H. rewrite !andb_true_iff in H. destruct H as [[at_i at_j] overlap_].
  destruct (known_holds K _ true known_ at_i) as [i1 i2]. destruct (known_holds K _ true known_ at_j) as [j1 j2].
  apply (overlap_apart K i j known_ overlap_); congruence.
Qed.

Lemma same_right K e : all_known K -> same_wrong K e = true -> False.
Proof.
  intros known_ H. unfold same_wrong in H. rewrite edges_are, find_tabled in H.
  destruct (item (edges I) e) as [x|] eqn:Hx; [|discriminate].
  apply existsb_exists in H. destruct H as (t & _ & H). apply existsb_exists in H. destruct H as (q & _ & H).
  rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !andb_true_iff in H.
  assert (yes : forall f, is_known K f true = true -> fact_holds f) by (intros f; apply (known_holds K f true known_)).
  assert (no : forall f, is_known K f false = true -> ~ fact_holds f) by (intros f; apply (known_holds K f false known_)).
  destruct H as [[same [[a b]|[a b]]]|[[differ a] b]].
  - apply yes in same, a. apply no in b. simpl in *. rewrite Hx in same. destruct same, a. apply b. split; congruence.
  - apply yes in same, b. apply no in a. simpl in *. rewrite Hx in same. destruct same, b. apply a. split; congruence.
  - apply yes in a, b. apply no in differ. simpl in *. rewrite Hx in differ. destruct a, b. apply differ.
    split; congruence.
Qed.

Lemma number_right K j t q : all_known K -> number_wrong K j t q = true -> False.
Proof.
  intros known_ H. unfold number_wrong in H. rewrite !andb_true_iff, Z.ltb_lt, forallb_forall in H.
  destruct H as [[[pos at_] Hj] none]. destruct (known_holds K _ true known_ at_) as [is_t is_q].
  destruct (the_inside j Hj) as [Hr is_j]. destruct (numbered _ Hr) as [_ first].
  destruct first as (i & Hi & r & Hr' & is_i & same_on & one_less); [lia|]. rewrite is_j in Hi.
  specialize (none i Hi). assert (is_r : the s i = r) by (rewrite <- is_i; apply (the_job I s ok r Hr')).
  apply orb_true_iff in none. destruct none as [no|other].
  - apply (known_holds K _ false known_ no). simpl. rewrite is_r. split; congruence.
  - destruct (with_window_fits K i _ known_ other) as (w & _ & fit & H & _). apply negb_true_iff in H.
    apply (has_type w _ t fit H). rewrite is_r. congruence.
Qed.

Lemma overload_right K a b weights : all_known K -> overload_wrong K a b weights = true -> False.
Proof.
  intros [all_ _] H. unfold overload_wrong in H. rewrite !andb_true_iff, !Z.ltb_lt in H.
  destruct H as [[[[ab weights_ok] _] _] more].
  assert (nonneg : forall t, 0 <= number weights t) by (intros; apply number_nonnegative; exact weights_ok).
  enough (least_overlaps I L (win K) a b weights <= (b - a) * counted_supply weights) by lia.
  transitivity (sum (map (fun r => number weights (on r) * inside I a b r) (runs s))).
  - unfold least_overlaps. rewrite (sum_by_task I s ok). apply sum_le. intros r Hr.
    destruct (all_ r Hr) as (w & found & fit). rewrite found. pose proof fit as (_ & _ & _ & _ & mode).
    destruct (cheapest_spec (fun mode => number weights (fst mode) * overlap L w a b (snd mode)) (w_modes w) _ mode)
      as (c & found' & less).
    rewrite found'. simpl in *. pose proof (overlap_inside I L times_ok w r a b ltac:(lia) fit).
    specialize (nonneg (on r)). nia.
  - unfold counted_supply. rewrite <- sum_map_mul. apply (sum_groups N.eq_dec on).
    + apply numbers_nodup.
    + intros r Hr. apply placed_type. eapply valid_placed; eauto.
    + intros t _. rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N).
      rewrite (sum_map_ext _ (fun r => number weights t * inside I a b r)).
      2: { intros r Hr. apply filter_In in Hr. destruct Hr as [_ same]. apply N.eqb_eq in same. rewrite same.
           reflexivity. }
      rewrite sum_map_mul.
      pose proof (part_of_type I times_ok s ok t a b ltac:(lia) (processors_nonnegative I t counts_ok)) as by_procs.
      assert (by_tasks : sum (map (inside I a b) (filter (fun r => (on r =? t)%N) (runs s))) <= Z.of_N size * (b - a)).
      { etransitivity; [apply (sum_le _ (fun _ => b - a))|].
        - intros r _. unfold inside. lia.
        - rewrite sum_constant. pose proof (filter_no_longer (fun r => (on r =? t)%N) (runs s)) as few.
          pose proof (Permutation_length (proj1 (proj1 ok))) as all_tasks. unfold numbers in all_tasks.
          rewrite !map_length, seq_length in all_tasks. nia. }
      specialize (nonneg t). unfold counted. destruct (Z.min_spec (processors I t) (Z.of_N size)) as [[_ ->]|[_ ->]]; nia.
Qed.

Lemma load_right K a b t q : all_known K -> load_wrong K a b t q = true -> False.
Proof.
  intros known_ H. unfold load_wrong in H. rewrite andb_true_iff, Z.ltb_lt, orb_true_iff, Z.ltb_lt in H.
  destruct H as [ab [H|H]].
  - apply existsb_exists in H. destruct H as (j & _ & H). apply andb_true_iff in H. destruct H as [at_ other].
    destruct (known_holds K _ true known_ at_) as [is_t _].
    destruct (with_window_fits K j _ known_ other) as (w & _ & fit & none & _). apply negb_true_iff in none.
    exact (has_type w _ t fit none is_t).
  - rewrite (sum_by_task I s ok) in H.
    enough (sum (map (fun r => load_of K a b t q (job r)) (runs s)) <= b - a) by lia.
    etransitivity; [|apply (part_of_processor I times_ok s ok t q a b ltac:(lia))].
    set (here := fun r => (on r =? t)%N && (proc r =? q)).
    assert (same_filter : filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))
                          = filter here (runs s)).
    { clear. induction (runs s) as [|r l IH]; [reflexivity|]. unfold here in *. cbn [filter].
      destruct (on r =? t)%N; cbn [filter andb]; [|exact IH]. destruct (proc r =? q); [f_equal|]; exact IH. }
    rewrite same_filter, (sum_filter _ here).
    assert (elsewhere : sum (map (fun r => load_of K a b t q (job r)) (filter (fun r => negb (here r)) (runs s))) <= 0).
    { apply sum_nonpositive. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr out]. unfold load_of.
      destruct (is_known K (At (job r) t q) true) eqn:at_; [|lia]. exfalso.
      destruct (known_holds K _ true known_ at_) as [is_t is_q]. rewrite (the_job I s ok r Hr) in is_t, is_q.
      apply negb_true_iff in out. unfold here in out. rewrite is_t, is_q, N.eqb_refl, Z.eqb_refl in out. discriminate. }
    assert (inside_ : sum (map (fun r => load_of K a b t q (job r)) (filter here (runs s)))
                      <= sum (map (inside I a b) (filter here (runs s)))); [|lia].
    apply sum_le. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_here]. unfold here in is_here.
    apply andb_true_iff in is_here. destruct is_here as [is_t _]. apply N.eqb_eq in is_t.
    pose proof (ends_forward I r times_ok). assert (0 <= inside I a b r) by (unfold inside; lia).
    unfold load_of. destruct (is_known K (At (job r) t q) true); [|assumption].
    destruct known_ as [all_ _]. destruct (all_ r Hr) as (w & found & fit). rewrite found.
    pose proof fit as (_ & _ & _ & _ & mode).
    assert (kept : In (on r, duration I (on r) (job r)) (filter (fun mode => (fst mode =? t)%N) (w_modes w))).
    { apply filter_In. split; [exact mode|]. apply N.eqb_eq. exact is_t. }
    destruct (cheapest_spec (fun mode => overlap L w a b (snd mode)) _ _ kept) as (c & found' & less). rewrite found'.
    simpl in *. pose proof (overlap_inside I L times_ok w r a b ltac:(lia) fit). lia.
Qed.

Lemma is_false_right K l : all_known K -> is_false K l = true -> ~ literal_holds l.
Proof.
  intros known_ H. destruct l as [j x|f b]; simpl in *.
  - destruct (with_window_fits K j _ known_ H) as (w & _ & fit & H' & Hr & _).
    pose proof fit as (f1 & f2 & f3 & f4 & _). destruct x; simpl; try apply Z.ltb_lt in H'; try apply Z.leb_le in H';
      try lia.
    + apply negb_true_iff in H'. exact (has_type w _ t fit H').
    + intros differ. exact (differ (alone_type w _ t fit H')).
  - pose proof (known_holds K f (negb b) known_ H) as other. destruct b; simpl in *; tauto.
Qed.

Definition nogoods_hold (nogoods : M.t (list literal)) : Prop :=
  forall k l, find nogoods k = Some l -> exists lit, In lit l /\ literal_holds lit.

Lemma contradicts_right nogoods K r : nogoods_hold nogoods -> all_known K -> contradicts nogoods K r = true -> False.
Proof.
  intros hold known_ H. destruct r; simpl in H.
  - eapply task_right; eauto.
  - eapply edge_right; eauto.
  - eapply order_right; eauto.
  - eapply twin_right; eauto.
  - eapply forbidden_right; eauto.
  - eapply share_right; eauto.
  - eapply same_right; eauto.
  - eapply number_right; eauto.
  - eapply overload_right; eauto.
  - eapply load_right; eauto.
  - destruct (find nogoods k) as [l|] eqn:found; [|discriminate]. destruct (hold k l found) as (lit & Hlit & holds_).
    rewrite forallb_forall in H. exact (is_false_right K lit known_ (H lit Hlit) holds_).
Qed.

End Schedule.
End Learned.
