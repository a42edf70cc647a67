(* SPDX-License-Identifier: Apache-2.0 *)
(** What the work of the ancestors, or the descendants, of a task says about when it starts, or ends. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows.
Import ListNotations.
Open Scope Z_scope.

Section Delays.
Variable I : instance.
Variable L : Z.

(** The longest way to task [j] over edges, by the shortest times, from tasks in an order in which those behind them
    came before. [next] is the other end of an edge. *)
Definition through (next : edge -> N) (W : windows) (j : N) (m : M.t Z) (e : edge) : list Z :=
  let k := next e in
  if (k =? j)%N then [0] else
  match find m k, find W k with
  | Some l, Some w => [l + shortest (w_modes w)]
  | _, _ => []
  end.

Definition add_level (next : edge -> N) (edges_of : M.t (list edge)) (W : windows) (j : N) (m : M.t Z) (i : N) : M.t Z :=
  match flat_map (through next W j m) (group edges_of i) with
  | [] => m
  | x :: l => M.add (key i) (fold_right Z.max x l) m
  end.

Definition levels (next : edge -> N) (edges_of : M.t (list edge)) (order : list N) (W : windows) (j : N) : M.t Z :=
  fold_left (add_level next edges_of W j) order (M.empty Z).

(** Those of them that are late enough, and far enough. *)
Definition counts_in (own : window -> Z) (W : windows) (m : M.t Z) (a b : Z) (i : N) : bool :=
  match find m i, find W i with Some l, Some w => (a <=? own w) && (b <=? l) | _, _ => false end.

Definition least_work (W : windows) (weights : list Z) (i : N) : Z :=
  match find W i with
  | Some w => amount (cheapest (fun mode => number weights (fst mode) * snd mode) (w_modes w))
  | None => 0
  end.

Definition delay (own : window -> Z) (W : windows) (m : M.t Z) (a b : Z) (weights : list Z) : Z :=
  let all := numbers (length (tasks I)) in
  let member := counts_in own W m a b in
  if existsb member all
  then let work := sum (map (fun i => if member i then least_work W weights i else 0) all) in
       a + b - (- work / supply I (number weights))
  else 0.

Definition ancestors (out : M.t (list edge)) (order : list N) (W : windows) (j : N) (a b : Z) (weights : list Z) : state :=
  raise_start L W j (delay w_start W (levels target out (rev order) W j) a b weights).

Definition descendants (into : M.t (list edge)) (order : list N) (W : windows) (j : N) (a b : Z) (weights : list Z) :
  state :=
  raise_tail L W j (delay w_tail W (levels source into order W j) a b weights).

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Lemma edge_order e i j : In e (edges I) -> In i (runs s) -> In j (runs s) -> job i = source e -> job j = target e ->
  ends I i <= start j.
Proof.
  intros He Hi Hj from_ to_.
  pose proof (proj1 (proj2 (proj2 ok)) e i j He Hi (in_attempts s j Hj) from_ to_) as waits.
  pose proof (cost_nonnegative I edges_ok e (on i) (on j) He). unfold arrival in waits.
  destruct (same_processor i j); lia.
Qed.

Lemma shortest_fits W r w : In r (runs s) -> all_fit I L s W -> find W (job r) = Some w ->
  shortest (w_modes w) <= ends I r - start r.
Proof.
  intros Hr all_ found. destruct (all_ r Hr) as (v & found' & (_ & _ & _ & _ & mode)). rewrite found in found'.
  inversion found'; subst v. pose proof (shortest_least _ _ mode). simpl in *. rewrite duration_ends. lia.
Qed.

(** [apart l i j]: what a level says of the runs of two tasks. *)
Lemma levels_hold (apart : Z -> run -> run -> Prop) next prev edges_of order W j :
  edges_of = grouped prev (edges I) -> all_fit I L s W ->
  (forall e, In e (edges I) -> task_number I (next e)) ->
  (forall l m i r, l <= m -> apart m i r -> apart l i r) ->
  (forall e i r, In e (edges I) -> In i (runs s) -> In r (runs s) -> job i = prev e -> job r = next e -> apart 0 i r) ->
  (forall e i k r l, In e (edges I) -> In i (runs s) -> In k (runs s) -> job i = prev e -> job k = next e ->
     apart l k r -> apart (l + (ends I k - start k)) i r) ->
  forall i l, find (levels next edges_of order W j) i = Some l ->
  forall ri rj, In ri (runs s) -> In rj (runs s) -> job ri = i -> job rj = j -> apart l ri rj.
Proof.
  intros -> all_ ends_ weaker one more. unfold levels.
  assert (all : forall order m,
            (forall i l, find m i = Some l -> forall ri rj, In ri (runs s) -> In rj (runs s) -> job ri = i ->
             job rj = j -> apart l ri rj) ->
            forall i l, find (fold_left (add_level next (grouped prev (edges I)) W j) order m) i = Some l ->
            forall ri rj, In ri (runs s) -> In rj (runs s) -> job ri = i -> job rj = j -> apart l ri rj).
  { clear order. induction order as [|k order IH]; intros m known i l found; [apply known; exact found|].
    simpl in found. revert found. apply IH. clear i l. intros i l found ri rj Hi Hj is_i is_j. unfold add_level in found.
    destruct (flat_map (through next W j m) (group (grouped prev (edges I)) k)) as [|x0 xs] eqn:ways;
      [exact (known i l found ri rj Hi Hj is_i is_j)|].
    unfold find in found. destruct (N.eq_dec k i) as [->|differs].
    2: { rewrite M.gso in found by (intros same; apply key_injective in same; congruence).
         exact (known i l found ri rj Hi Hj is_i is_j). }
    rewrite M.gss in found. inversion found as [is_max]. clear found l is_max.
    assert (each : forall x, In x (flat_map (through next W j m) (group (grouped prev (edges I)) i)) -> apart x ri rj).
    { intros x Hx. apply in_flat_map in Hx. destruct Hx as (e & He & Hx). apply group_spec in He.
      destruct He as [He from_]. unfold through in Hx. destruct (N.eqb_spec (next e) j) as [to_|].
      - destruct Hx as [<-|[]]. apply (one e ri rj He Hi Hj); congruence.
      - destruct (find m (next e)) as [l|] eqn:found_l; [|destruct Hx].
        destruct (find W (next e)) as [w|] eqn:found_w; [|destruct Hx]. destruct Hx as [<-|[]].
        destruct (a_run I s ok (next e) (ends_ e He)) as (k & Hk & is_k).
        pose proof (more e ri k rj l He Hi Hk ltac:(congruence) is_k (known _ l found_l k rj Hk Hj is_k is_j)) as far.
        refine (weaker _ _ _ _ _ far). rewrite <- is_k in found_w. pose proof (shortest_fits W k w Hk all_ found_w). lia. }
    rewrite ways in each. apply each. clear. revert x0. induction xs as [|y ys IH]; intros x0; [left; reflexivity|].
    cbn [fold_right]. destruct (Z.max_spec y (fold_right Z.max x0 ys)) as [[_ ->]|[_ ->]].
    - destruct (IH x0) as [<-|H]; [left; reflexivity|right; right; exact H].
    - right. left. reflexivity. }
  apply all. intros i l found. unfold find in found. rewrite M.gempty in found. discriminate.
Qed.

Definition before_it (l : Z) (i j : run) : Prop := ends I i + l <= start j.
Definition behind_it (l : Z) (i j : run) : Prop := ends I j + l <= start i.

Lemma ancestor_levels order W j : all_fit I L s W -> forall i l,
  find (levels target (grouped source (edges I)) order W j) i = Some l ->
  forall ri rj, In ri (runs s) -> In rj (runs s) -> job ri = i -> job rj = j -> before_it l ri rj.
Proof.
  intros all_. apply (levels_hold before_it target source); auto; unfold before_it.
  - intros e He. apply (proj1 edges_ok e He).
  - intros; lia.
  - intros e i r He Hi Hr from_ to_. pose proof (edge_order e i r He Hi Hr from_ to_). lia.
  - intros e i k r l He Hi Hk from_ to_ far. pose proof (edge_order e i k He Hi Hk from_ to_). lia.
Qed.

Lemma descendant_levels order W j : all_fit I L s W -> forall i l,
  find (levels source (grouped target (edges I)) order W j) i = Some l ->
  forall ri rj, In ri (runs s) -> In rj (runs s) -> job ri = i -> job rj = j -> behind_it l ri rj.
Proof.
  intros all_. apply (levels_hold behind_it source target); auto; unfold behind_it.
  - intros e He. apply (proj1 edges_ok e He).
  - intros; lia.
  - intros e i r He Hi Hr from_ to_. pose proof (edge_order e r i He Hr Hi to_ from_). lia.
  - intros e i k r l He Hi Hk from_ to_ far. pose proof (edge_order e k i He Hk Hi to_ from_). lia.
Qed.

(** The work of members that all run between two times. *)
Lemma members_work W weights (member : N -> bool) a B : all_fit I L s W -> prices_ok I weights = true -> a <= B ->
  (forall r, In r (runs s) -> member (job r) = true -> a <= start r /\ ends I r <= B) ->
  sum (map (fun i => if member i then least_work W weights i else 0) (numbers (length (tasks I))))
  <= (B - a) * supply I (number weights).
Proof.
  intros all_ prices_ aB inside_.
  etransitivity; [|apply (work_between I counts_ok times_ok s ok weights a B aB)].
  2: { intros t. apply (prices_nonneg I). exact prices_. }
  rewrite (sum_by_task I s ok). apply sum_le. intros r Hr. pose proof (prices_nonneg I weights (on r) prices_) as nonneg.
  pose proof (ends_forward I r times_ok). unfold inside.
  destruct (member (job r)) eqn:is_member; [|nia]. destruct (inside_ r Hr is_member).
  unfold least_work. destruct (all_ r Hr) as (w & found & (_ & _ & _ & _ & mode)). rewrite found.
  destruct (cheapest_spec (fun mode => number weights (fst mode) * snd mode) (w_modes w) _ mode) as (c & found' & less).
  rewrite found'. simpl in *. rewrite (duration_ends I r) in *. nia.
Qed.

Lemma delay_spec own W m a b weights j rj (x : Z) : all_fit I L s W -> prices_ok I weights = true -> In rj (runs s) ->
  job rj = j -> 0 <= x ->
  (forall r w, In r (runs s) -> find W (job r) = Some w -> counts_in own W m a b (job r) = true ->
     exists p B, a + b + (B - p) = x /\ p <= start r /\ ends I r <= B /\
     (forall q v, In q (runs s) -> find W (job q) = Some v -> counts_in own W m a b (job q) = true ->
        p <= start q /\ ends I q <= B)) ->
  delay own W m a b weights <= x.
Proof.
  intros all_ prices_ Hrj is_j zero members. unfold delay. set (member := counts_in own W m a b).
  destruct (existsb member (numbers (length (tasks I)))) eqn:any; [|exact zero].
  apply existsb_exists in any. destruct any as (i & Hi & is_member). destruct (the_run I s ok i Hi) as [Hr same].
  set (r := the s i) in *. destruct (all_ r Hr) as (w & found & _).
  destruct (members r w Hr found) as (p & B & is_x & late & early & every); [rewrite same; exact is_member|].
  pose proof (ends_forward I r times_ok).
  pose proof (members_work W weights member p B all_ prices_ ltac:(lia)) as work. cbv zeta.
  set (A := sum (map (fun i => if member i then least_work W weights i else 0) (numbers (length (tasks I))))) in *.
  assert (fits_ : A <= (B - p) * supply I (number weights)).
  { apply work. intros q Hq is_q. destruct (all_ q Hq) as (v & found_q & _). exact (every q v Hq found_q is_q). }
  unfold prices_ok in prices_. rewrite !andb_true_iff, !Z.ltb_lt in prices_. destruct prices_ as [[_ positive] _].
  enough (- (B - p) <= - A / supply I (number weights)) by lia. apply Z.div_le_lower_bound; [exact positive|]. lia.
Qed.

Lemma ancestors_possible order W j a b weights : task_number I j -> all_fit I L s W -> prices_ok I weights = true ->
  possible I L s (ancestors (grouped source (edges I)) order W j a b weights).
Proof.
  intros Hj all_ prices_. apply raise_start_possible; auto. intros r Hr is_j.
  apply (delay_spec _ _ _ _ _ _ j r); auto; [apply (run_within I L times_ok s ok short r Hr)|].
  assert (each : forall q v, In q (runs s) -> find W (job q) = Some v ->
            counts_in w_start W (levels target (grouped source (edges I)) (rev order) W j) a b (job q) = true ->
            a <= start q /\ ends I q <= start r - b).
  { intros q v Hq found H. unfold counts_in in H.
    destruct (find (levels target (grouped source (edges I)) (rev order) W j) (job q)) as [l|] eqn:found_l;
      [|discriminate]. rewrite found, andb_true_iff, !Z.leb_le in H. destruct H as [late far].
    pose proof (ancestor_levels (rev order) W j all_ (job q) l found_l q r Hq Hr eq_refl is_j) as apart_.
    unfold before_it in apart_. destruct (all_ q Hq) as (v' & found' & (f1 & _)). rewrite found in found'.
    inversion found'; subst v'. lia. }
  intros q v Hq found H. exists a, (start r - b). split; [lia|]. destruct (each q v Hq found H).
  split; [assumption|]. split; [assumption|]. exact each.
Qed.

Lemma descendants_possible order W j a b weights : task_number I j -> all_fit I L s W -> prices_ok I weights = true ->
  possible I L s (descendants (grouped target (edges I)) order W j a b weights).
Proof.
  intros Hj all_ prices_. apply raise_tail_possible; auto. intros r Hr is_j.
  pose proof (run_within I L times_ok s ok short r Hr) as (_ & inside_ & _).
  enough (delay w_tail W (levels source (grouped target (edges I)) order W j) a b weights <= L - ends I r) by lia.
  apply (delay_spec _ _ _ _ _ _ j r); auto; [lia|].
  assert (each : forall q v, In q (runs s) -> find W (job q) = Some v ->
            counts_in w_tail W (levels source (grouped target (edges I)) order W j) a b (job q) = true ->
            ends I r + b <= start q /\ ends I q <= L - a).
  { intros q v Hq found H. unfold counts_in in H.
    destruct (find (levels source (grouped target (edges I)) order W j) (job q)) as [l|] eqn:found_l;
      [|discriminate]. rewrite found, andb_true_iff, !Z.leb_le in H. destruct H as [late far].
    pose proof (descendant_levels order W j all_ (job q) l found_l q r Hq Hr eq_refl is_j) as apart_.
    unfold behind_it in apart_. destruct (all_ q Hq) as (v' & found' & (_ & _ & _ & f4 & _)). rewrite found in found'.
    inversion found'; subst v'. lia. }
  intros q v Hq found H. exists (ends I r + b), (L - a). split; [lia|]. destruct (each q v Hq found H).
  split; [assumption|]. split; [assumption|]. exact each.
Qed.
End Schedule.
End Delays.
