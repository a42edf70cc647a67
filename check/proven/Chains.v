(* SPDX-License-Identifier: Apache-2.0 *)
(** The line [chains]: work and paths between the tasks of a path, and a tree of cases by tasks on a type. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive Sorting.Sorted.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays.
From Proven Require Packing.
Import ListNotations.
Open Scope Z_scope.

(** Of a point of the path: which tasks start at it or later, which end by it, and its earliest and its latest time. *)
Record point := { p_after : N -> bool; p_by : N -> bool; p_first : Z; p_last : Z }.

(** A row as the file has it, and with what it is about: the tasks' weights and times are at most the supply in the time
    between two points. *)
Inductive row_file := Work (a b : N) (weights : list Z) | Way (a b : N) (tasks : list N).
Record chain_row := { r_from : N; r_to : N; r_supply : Z; r_weight : N -> Z; r_tasks : list N }.

(** A task is on the type, or not; of a list of tasks more than [a] are on it, or not. *)
Inductive case := OnType (j : N) (yes : bool) | Counted (set : list N) (a : Z) (many : bool).

Inductive chain_tree :=
| ByPrices (rows : list (N * Z)) (counts : list Z)
| ByTask (j : N) (off on_ : chain_tree)
| ByCount (set : list N) (a : Z) (few many : chain_tree).

Section Chains.
Variable I : instance.
Variable L : Z.
Variable into out : M.t (list edge).
Variable order : list N.

Definition is_in (m : M.t unit) (x : N) : bool := match find m x with Some _ => true | None => false end.

(** The tasks behind a task, or before it, over edges. *)
Definition grow (next : edge -> N) (edges_of : M.t (list edge)) (j : N) (m : M.t unit) (x : N) : M.t unit :=
  if existsb (fun e => (next e =? j)%N || is_in m (next e)) (group edges_of x) then M.add (key x) tt m else m.

Definition behind (j : N) : M.t unit := fold_left (grow source into j) order (M.empty unit).
Definition ahead (j : N) : M.t unit := fold_left (grow target out j) (rev order) (M.empty unit).

Definition two_points (W : windows) (j : N) : list point :=
  let later := behind j in
  let before_ := ahead j in
  match find W j with
  | Some w => [{| p_after := fun x => (x =? j)%N || is_in later x; p_by := is_in before_; p_first := w_start w;
                  p_last := L - w_rest w |};
               {| p_after := is_in later; p_by := fun x => (x =? j)%N || is_in before_ x; p_first := w_end w;
                  p_last := L - w_tail w |}]
  | None => []
  end.

Definition points (W : windows) (path : list N) : list point :=
  {| p_after := fun _ => true; p_by := fun _ => false; p_first := 0; p_last := 0 |} ::
  flat_map (two_points W) path ++ [{| p_after := fun _ => false; p_by := fun _ => true; p_first := L; p_last := L |}].

Definition task_in (j : N) : bool := (j <? N.of_nat (length (tasks I)))%N.

Fixpoint in_a_row (path : list N) : bool :=
  match path with
  | j :: (k :: _) as path' => is_in (ahead k) j && in_a_row path'
  | _ => true
  end.

Definition path_ok (path : list N) : bool := forallb task_in path && different path && in_a_row path.

Fixpoint connected (path : list N) : bool :=
  match path with
  | j :: (k :: _) as path' => existsb (fun e => (target e =? k)%N) (group out j) && connected path'
  | _ => true
  end.

Fixpoint last_of (j : N) (l : list N) : N := match l with [] => j | k :: l => last_of k l end.

Definition row_of (P : list point) (x : row_file) : option chain_row :=
  match x with
  | Work a b weights =>
      match item P a, item P b with
      | Some p, Some q =>
          if (a <? b)%N && forallb (Z.leb 0) weights
          then Some {| r_from := a; r_to := b; r_supply := supply I (number weights); r_weight := number weights;
                       r_tasks := filter (fun j => p_after p j && p_by q j) (numbers (length (tasks I))) |}
          else None
      | _, _ => None
      end
  | Way a b (j :: l) =>
      match item P a, item P b with
      | Some p, Some q =>
          if (a <? b)%N && forallb task_in (j :: l) && connected (j :: l) && p_after p j && p_by q (last_of j l)
          then Some {| r_from := a; r_to := b; r_supply := 1; r_weight := fun _ => 1; r_tasks := j :: l |}
          else None
      | _, _ => None
      end
  | Way _ _ [] => None
  end.

Fixpoint rows_of (P : list point) (l : list row_file) : option (list chain_row) :=
  match l with
  | [] => Some []
  | x :: l => match row_of P x, rows_of P l with Some r, Some m => Some (r :: m) | _, _ => None end
  end.

Definition times_in (j : N) (l : list N) : Z := sum (map (fun x => if (x =? j)%N then 1 else 0) l).

(** Rows with their multipliers, and counts with theirs, negative where they say more. *)
Definition chosen (rows : list chain_row) (ys : list (N * Z)) : list (chain_row * Z) :=
  flat_map (fun x => match item rows (fst x) with Some r => [(r, snd x)] | None => [] end) ys.

Definition counted (cases : list case) : list (list N * (Z * bool)) :=
  flat_map (fun c => match c with Counted set a many => [(set, (a, many))] | _ => [] end) cases.

Definition signed (x : (list N * (Z * bool)) * Z) : Z := if snd (snd (fst x)) then - snd x else snd x.
Definition allowed_of (x : (list N * (Z * bool)) * Z) : Z :=
  signed x * (fst (snd (fst x)) + if snd (snd (fst x)) then 1 else 0).

Definition passes (chosen_ : list (chain_row * Z)) (i : N) : Z :=
  sum (map (fun x => snd x * r_supply (fst x) * ((if (r_to (fst x) =? i)%N then 1 else 0)
                                                 - if (r_from (fst x) =? i)%N then 1 else 0)) chosen_).

Variable type_ : N.   (* the one that cases are about *)

Definition chain_cost (chosen_ : list (chain_row * Z)) (counts : list ((list N * (Z * bool)) * Z)) (j : N)
  (mode : N * Z) : Z :=
  sum (map (fun x => snd x * (times_in j (r_tasks (fst x)) * (r_weight (fst x) (fst mode) * snd mode))) chosen_) +
  if (fst mode =? type_)%N then sum (map (fun x => signed x * times_in j (fst (fst x))) counts) else 0.

Definition allows (j : N) (mode : N * Z) (c : case) : bool :=
  match c with
  | OnType i yes => negb (i =? j)%N || Bool.eqb (fst mode =? type_)%N yes
  | Counted _ _ _ => true
  end.

Definition left_to (W : windows) (cases : list case) (j : N) : list (N * Z) :=
  match find W j with
  | Some w => filter (fun mode => forallb (allows j mode) cases) (w_modes w)
  | None => []
  end.

Definition leaf_ok (W : windows) (P : list point) (rows : list chain_row) (cases : list case) (ys : list (N * Z))
  (hs : list Z) : bool :=
  let chosen_ := chosen rows ys in
  let counts := combine (counted cases) hs in
  let all := numbers (length (tasks I)) in
  forallb (fun x => (fst x <? N.of_nat (length rows))%N && (0 <=? snd x)) ys && forallb (Z.leb 0) hs &&
  (length hs =? length (counted cases))%nat &&
  (existsb (fun j => match left_to W cases j with [] => true | _ => false end) all ||
   (sum (map (fun x => let f := passes chosen_ (fst x) in f * if 0 <? f then p_last (snd x) else p_first (snd x))
             (indexed 0 P)) + sum (map allowed_of counts)
    <? sum (map (fun j => amount (cheapest (chain_cost chosen_ counts j) (left_to W cases j))) all))).

Fixpoint tree_ok (W : windows) (P : list point) (rows : list chain_row) (cases : list case) (n : chain_tree) : bool :=
  match n with
  | ByPrices ys hs => leaf_ok W P rows cases ys hs
  | ByTask j off on_ => task_in j && tree_ok W P rows (cases ++ [OnType j false]) off &&
                        tree_ok W P rows (cases ++ [OnType j true]) on_
  | ByCount set a few many => forallb task_in set && tree_ok W P rows (cases ++ [Counted set a false]) few &&
                              tree_ok W P rows (cases ++ [Counted set a true]) many
  end.

Definition chains_hold (W : windows) (path : list N) (rows : list row_file) (n : chain_tree) : bool :=
  let P := points W path in
  path_ok path && match rows_of P rows with Some rows => tree_ok W P rows [] n | None => false end.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis into_is : into = grouped target (edges I).
Hypothesis out_is : out = grouped source (edges I).
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.
Variable W : windows.
Hypothesis all_ : all_fit I L s W.

Notation the := (the s).

Lemma task_run_of j : task_in j = true -> In (the j) (runs s) /\ job (the j) = j.
Proof. intros H. apply (the_run I s ok). apply in_numbers, N.ltb_lt. exact H. Qed.

Lemma reach_holds (rel : run -> run -> Prop) next prev edges_of l j : edges_of = grouped prev (edges I) ->
  (forall e, In e (edges I) -> task_number I (next e)) ->
  (forall e i r, In e (edges I) -> In i (runs s) -> In r (runs s) -> job i = prev e -> job r = next e -> rel i r) ->
  (forall i k r, In k (runs s) -> rel i k -> rel k r -> rel i r) ->
  forall i r, In i (runs s) -> In r (runs s) -> job r = j ->
  is_in (fold_left (grow next edges_of j) l (M.empty unit)) (job i) = true -> rel i r.
Proof.
  intros -> ends_ one more i r Hi Hr is_j.
  assert (all : forall l m, (forall q, In q (runs s) -> is_in m (job q) = true -> rel q r) ->
            forall q, In q (runs s) -> is_in (fold_left (grow next (grouped prev (edges I)) j) l m) (job q) = true -> rel q r).
  { clear l. induction l as [|x l IH]; intros m known; [exact known|]. cbn [fold_left]. apply IH. clear IH.
    intros q Hq found. unfold grow in found. destruct (existsb _ _) eqn:some; [|exact (known q Hq found)].
    unfold is_in, find in found. destruct (N.eq_dec x (job q)) as [->|differs].
    2: { rewrite M.gso in found by (intros same; apply key_injective in same; congruence).
         apply known; [exact Hq|]. exact found. }
    apply existsb_exists in some. destruct some as (e & He & way). apply group_spec in He. destruct He as [He from_].
    apply orb_true_iff in way. destruct way as [to_|to_].
    - apply N.eqb_eq in to_. apply (one e q r He Hq Hr); congruence.
    - destruct (a_run I s ok (next e) (ends_ e He)) as (k & Hk & is_k). rewrite <- is_k in to_.
      apply (more q k r Hk); [apply (one e q k He Hq Hk); congruence|exact (known k Hk to_)]. }
  intros found. apply (all l (M.empty unit)); [|exact Hi|exact found].
  intros q _ wrong. unfold is_in, find in wrong. rewrite M.gempty in wrong. discriminate.
Qed.

Lemma behind_right i r : In i (runs s) -> In r (runs s) -> is_in (behind (job r)) (job i) = true -> ends I r <= start i.
Proof.
  intros Hi Hr. apply (reach_holds (fun i r => ends I r <= start i) source target into order (job r)); auto.
  - intros e He. apply (proj1 edges_ok e He).
  - intros e q k He Hq Hk to_ from_. exact (edge_order I edges_ok s ok e k q He Hk Hq from_ to_).
  - intros q k v Hk. pose proof (ends_forward I k times_ok). lia.
Qed.

Lemma ahead_right i r : In i (runs s) -> In r (runs s) -> is_in (ahead (job r)) (job i) = true -> ends I i <= start r.
Proof.
  intros Hi Hr. apply (reach_holds (fun i r => ends I i <= start r) target source out (rev order) (job r)); auto.
  - intros e He. apply (proj1 edges_ok e He).
  - intros e q k He Hq Hk from_ to_. exact (edge_order I edges_ok s ok e q k He Hq Hk from_ to_).
  - intros q k v Hk. pose proof (ends_forward I k times_ok). lia.
Qed.

(** When the points are. *)
Definition instants (path : list N) : list Z := 0 :: flat_map (fun j => [start (the j); ends I (the j)]) path ++ [L].

Definition point_right (p : point) (x : Z) : Prop :=
  (forall r, In r (runs s) -> p_after p (job r) = true -> x <= start r) /\
  (forall r, In r (runs s) -> p_by p (job r) = true -> ends I r <= x) /\ p_first p <= x <= p_last p.

Lemma points_right path : forallb task_in path = true -> Forall2 point_right (points W path) (instants path).
Proof.
  intros inside. unfold points, instants. constructor.
  { split; [|split; [discriminate|simpl; lia]]. intros r Hr _. apply (run_within I L times_ok s ok short r Hr). }
  induction path as [|j path IH]; cbn [flat_map app].
  { constructor; [|constructor]. split; [discriminate|]. split; [|simpl; lia]. intros r Hr _.
    apply (run_within I L times_ok s ok short r Hr). }
  cbn [forallb] in inside. apply andb_true_iff in inside. destruct inside as [Hj inside].
  destruct (task_run_of j Hj) as [Hr same]. destruct (all_ (the j) Hr) as (w & found & (f1 & f2 & f3 & f4 & _)).
  rewrite same in found. unfold two_points at 1. rewrite found. cbn [app].
  pose proof (ends_forward I (the j) times_ok).
  assert (is_it : forall r, In r (runs s) -> (job r =? j)%N = true -> r = the j).
  { intros r Hr' H'. apply N.eqb_eq in H'. apply (same_run I s ok); auto. congruence. }
  constructor; [|constructor; [|apply IH; exact inside]].
  - split; [|split; [|simpl; lia]]; intros r Hr' after_; cbn [p_after p_by] in after_.
    + apply orb_true_iff in after_. destruct after_ as [it|later]; [rewrite (is_it r Hr' it); lia|].
      rewrite <- same in later. pose proof (behind_right r (the j) Hr' Hr later). lia.
    + rewrite <- same in after_. exact (ahead_right r (the j) Hr' Hr after_).
  - split; [|split; [|simpl; lia]]; intros r Hr' after_; cbn [p_after p_by] in after_.
    + rewrite <- same in after_. exact (behind_right r (the j) Hr' Hr after_).
    + apply orb_true_iff in after_. destruct after_ as [it|before_]; [rewrite (is_it r Hr' it); lia|].
      rewrite <- same in before_. pose proof (ahead_right r (the j) Hr' Hr before_). lia.
Qed.

Lemma instants_rise path : forallb task_in path = true -> in_a_row path = true ->
  StronglySorted Z.le (instants path).
Proof.
  intros inside chain_. apply Sorted_StronglySorted; [intros x y z; lia|]. unfold instants.
  assert (all : forall path x, forallb task_in path = true -> in_a_row path = true ->
            match path with j :: _ => x <= start (the j) | [] => x <= L end ->
            Sorted Z.le (x :: flat_map (fun j => [start (the j); ends I (the j)]) path ++ [L])).
  { clear path inside chain_. induction path as [|j path IH]; intros x inside chain_ less; cbn [flat_map app].
    - constructor; [constructor; constructor|constructor; exact less].
    - cbn [forallb] in inside. apply andb_true_iff in inside. destruct inside as [Hj inside].
      destruct (task_run_of j Hj) as [Hr same]. pose proof (ends_forward I (the j) times_ok).
      constructor; [|constructor; exact less]. constructor; [|constructor; assumption].
      destruct path as [|k path].
      + apply IH; [reflexivity|reflexivity|]. apply (run_within I L times_ok s ok short _ Hr).
      + assert (chain' : is_in (ahead k) j = true /\ in_a_row (k :: path) = true).
        { apply andb_true_iff. exact chain_. }
        destruct chain' as [before_ chain']. apply IH; [exact inside|exact chain'|].
        cbn [forallb] in inside. apply andb_true_iff in inside. destruct (task_run_of k (proj1 inside)) as [Hk same_k].
        apply (ahead_right (the j) (the k) Hr Hk). rewrite same, same_k. exact before_. }
  apply all; [exact inside|exact chain_|]. destruct path as [|j path].
  - pose proof (max_nonnegative (map (ends I) (runs s))) as nonneg. fold (makespan I s) in nonneg. lia.
  - cbn [forallb] in inside. apply andb_true_iff in inside. destruct (task_run_of j (proj1 inside)) as [Hr _].
    apply (run_within I L times_ok s ok short _ Hr).
Qed.

Lemma rising_items l : StronglySorted Z.le l -> forall a b x y, item l a = Some x -> item l b = Some y -> (a < b)%N ->
  x <= y.
Proof.
  induction 1 as [|z l _ IH first]; intros a b x y Ha Hb less; simpl in *; [discriminate|].
  rewrite Forall_forall in first. destruct (N.eqb_spec a 0), (N.eqb_spec b 0); try lia.
  - inversion Ha; subst. apply first. exact (item_in _ _ _ Hb).
  - apply (IH (N.pred a) (N.pred b) x y Ha Hb). lia.
Qed.

Lemma item_pairs {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> forall i x, item l i = Some x ->
  exists y, item m i = Some y /\ R x y.
Proof.
  induction 1 as [|a b l m one _ IH]; intros i x H; simpl in *; [discriminate|].
  destruct (i =? 0)%N; [inversion H; subst; eauto|]. apply IH. exact H.
Qed.

Definition taking (j : N) : Z := duration I (on (the j)) j.

Lemma taking_ends j : task_in j = true -> ends I (the j) = start (the j) + taking j.
Proof. intros Hj. destruct (task_run_of j Hj) as [_ same]. unfold taking. rewrite duration_ends, same. reflexivity. Qed.

Lemma way_right l : forall j, forallb task_in (j :: l) = true -> connected (j :: l) = true ->
  start (the j) + sum (map taking (j :: l)) <= ends I (the (last_of j l)).
Proof.
  induction l as [|k l IH]; intros j inside way; cbn [forallb] in inside; apply andb_true_iff in inside;
    destruct inside as [Hj inside].
  - simpl. rewrite (taking_ends j Hj). lia.
  - assert (split_ : existsb (fun e => (target e =? k)%N) (group out j) = true /\ connected (k :: l) = true).
    { apply andb_true_iff. exact way. }
    destruct split_ as [edge_ way']. specialize (IH k inside way'). cbn [last_of]. rewrite map_cons in *.
    change (sum (taking j :: map taking (k :: l))) with (taking j + sum (map taking (k :: l))). rewrite map_cons in *.
    apply existsb_exists in edge_. destruct edge_ as (e & He & to_). rewrite out_is in He. apply group_spec in He.
    destruct He as [He from_]. apply N.eqb_eq in to_. cbn [forallb] in inside. apply andb_true_iff in inside.
    destruct (task_run_of j Hj) as [Hr same], (task_run_of k (proj1 inside)) as [Hk same_k].
    pose proof (edge_order I edges_ok s ok e (the j) (the k) He Hr Hk ltac:(congruence) ltac:(congruence)).
    rewrite (taking_ends j Hj) in *. lia.
Qed.

Section Path.
Variable path : list N.
Hypothesis path_right : path_ok path = true.
Let P := points W path.

Definition at_ (i : N) : Z := number (instants path) i.

Lemma path_inside : forallb task_in path = true.
Proof. unfold path_ok in path_right. rewrite !andb_true_iff in path_right. tauto. Qed.

Lemma point_at i p : item P i = Some p -> point_right p (at_ i) /\ item (instants path) i = Some (at_ i).
Proof.
  intros H. destruct (item_pairs _ _ _ (points_right path path_inside) i p H) as (x & Hx & right_).
  unfold at_, number. rewrite Hx. auto.
Qed.

Definition row_right (r : chain_row) : Prop :=
  (r_from r < N.of_nat (length P))%N /\ (r_to r < N.of_nat (length P))%N /\ forallb task_in (r_tasks r) = true /\
  sum (map (fun j => r_weight r (on (the j)) * taking j) (r_tasks r)) <= r_supply r * (at_ (r_to r) - at_ (r_from r)).

Lemma row_of_right x r : row_of P x = Some r -> row_right r.
Proof.
  destruct x as [a b weights|a b l]; cbn [row_of].
  - destruct (item P a) as [p|] eqn:Ha; [|discriminate]. destruct (item P b) as [q|] eqn:Hb; [|discriminate].
    destruct ((a <? b)%N && forallb (Z.leb 0) weights) eqn:good; [|discriminate]. intros H. inversion H; subst r. clear H.
    apply andb_true_iff in good. destruct good as [less weights_ok]. apply N.ltb_lt in less.
    destruct (point_at a p Ha) as [(after_ & _ & _) at_a], (point_at b q Hb) as [(_ & by_ & _) at_b].
    unfold path_ok in path_right. rewrite !andb_true_iff in path_right. destruct path_right as [[inside _] chain_].
    pose proof (rising_items _ (instants_rise path inside chain_) a b _ _ at_a at_b less) as ab.
    pose proof (fun t => number_nonnegative weights t weights_ok) as nonneg.
    unfold row_right. cbn [r_from r_to r_tasks r_weight r_supply].
    split; [eapply item_some; eauto|]. split; [eapply item_some; eauto|]. split.
    + apply forallb_forall. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj _]. apply N.ltb_lt, in_numbers. exact Hj.
    + rewrite Z.mul_comm. etransitivity; [|exact (work_between I counts_ok times_ok s ok weights _ _ ab nonneg)].
      rewrite <- sum_if. rewrite (sum_by_task I s ok (fun j => if p_after p j && p_by q j
        then number weights (on (the j)) * taking j else 0)).
      apply sum_le. intros r Hr. unfold taking. rewrite (the_job I s ok r Hr). pose proof (nonneg (on r)).
      pose proof (ends_forward I r times_ok). pose proof (duration_ends I r). unfold Windows.inside.
      destruct (p_after p (job r)) eqn:is_after; [|cbn [andb]; nia].
      destruct (p_by q (job r)) eqn:is_by; [|cbn [andb]; nia]. cbn [andb].
      pose proof (after_ r Hr is_after). pose proof (by_ r Hr is_by). nia.
  - destruct l as [|j l]; [discriminate|]. destruct (item P a) as [p|] eqn:Ha; [|discriminate].
    destruct (item P b) as [q|] eqn:Hb; [|discriminate].
    destruct ((a <? b)%N && forallb task_in (j :: l) && connected (j :: l) && p_after p j && p_by q (last_of j l)) eqn:good;
      [|discriminate].
    intros H. inversion H; subst r. clear H. rewrite !andb_true_iff in good.
    destruct good as [[[[_ inside] way] is_after] is_by].
    destruct (point_at a p Ha) as [(after_ & _ & _) _], (point_at b q Hb) as [(_ & by_ & _) _].
    unfold row_right. cbn [r_from r_to r_tasks r_weight r_supply].
    split; [eapply item_some; eauto|]. split; [eapply item_some; eauto|]. split; [exact inside|].
    pose proof (way_right l j inside way) as long. rewrite !Z.mul_1_l.
    rewrite (sum_map_ext _ taking) by (intros; lia).
    assert (last_in : task_in (last_of j l) = true).
    { rewrite forallb_forall in inside. apply inside. clear. revert j. induction l as [|k l IH]; intros j; [left; reflexivity|].
      right. apply IH. }
    cbn [forallb] in inside. apply andb_true_iff in inside.
    destruct (task_run_of j (proj1 inside)) as [Hr same], (task_run_of _ last_in) as [Hl same_l].
    pose proof (after_ (the j) Hr ltac:(rewrite same; exact is_after)).
    pose proof (by_ (the (last_of j l)) Hl ltac:(rewrite same_l; exact is_by)). lia.
Qed.

Lemma rows_of_right l : forall rows, rows_of P l = Some rows -> Forall row_right rows.
Proof.
  induction l as [|x l IH]; intros rows H; simpl in H; [inversion H; constructor|].
  destruct (row_of P x) as [r|] eqn:one; [|discriminate]. destruct (rows_of P l) as [m|]; [|discriminate].
  inversion H; subst. constructor; [exact (row_of_right x r one)|apply IH; reflexivity].
Qed.

(** *** Cases *)

Definition on_type (l : list N) : Z := sum (map (fun x => if (on (the x) =? type_)%N then 1 else 0) l).

Definition case_right (c : case) : Prop :=
  match c with
  | OnType j yes => (on (the j) =? type_)%N = yes
  | Counted set a many => forallb task_in set = true /\ if many then a + 1 <= on_type set else on_type set <= a
  end.

Lemma sum_times (F : N -> Z) l : forallb task_in l = true ->
  sum (map (fun j => times_in j l * F j) (numbers (length (tasks I)))) = sum (map F l).
Proof.
  assert (one : forall x m, NoDup m -> In x m -> sum (map (fun j => (if (x =? j)%N then 1 else 0) * F j) m) = F x).
  { intros x. induction m as [|j m IH]; intros nodup Hx; [destruct Hx|]. inversion nodup as [|? ? fresh nodup']; subst.
    cbn [map sum fold_right]. fold (sum (map (fun j => (if (x =? j)%N then 1 else 0) * F j) m)).
    destruct (N.eqb_spec x j) as [->|differs].
    - rewrite (sum_map_ext _ (fun _ => 0)); [rewrite sum_constant; lia|]. intros i Hi.
      destruct (N.eqb_spec j i) as [->|]; [contradiction|lia].
    - destruct Hx as [->|Hx]; [congruence|]. rewrite IH; auto. }
  induction l as [|x l IH]; intros inside.
  - rewrite (sum_map_ext _ (fun _ => 0)); [rewrite sum_constant; simpl; lia|]. intros j _. reflexivity.
  - cbn [forallb] in inside. apply andb_true_iff in inside. destruct inside as [Hx inside].
    rewrite (sum_map_ext _ (fun j => (if (x =? j)%N then 1 else 0) * F j + times_in j l * F j)).
    2: { intros j _. unfold times_in. cbn [map sum fold_right]. fold (sum (map (fun x => if (x =? j)%N then 1 else 0) l)).
         lia. }
    rewrite sum_map_add, one, IH; [reflexivity|exact inside|apply numbers_nodup|].
    apply in_numbers, N.ltb_lt. exact Hx.
Qed.

Lemma left_right cases j : task_in j = true -> Forall case_right cases -> In (on (the j), taking j) (left_to W cases j).
Proof.
  intros Hj right_. destruct (task_run_of j Hj) as [Hr same]. destruct (all_ (the j) Hr) as (w & found & (_ & _ & _ & _ & mode)).
  rewrite same in found, mode. unfold left_to. rewrite found. apply filter_In. split; [exact mode|].
  apply forallb_forall. intros c Hc. rewrite Forall_forall in right_. specialize (right_ c Hc).
  destruct c as [i yes|]; [|reflexivity]. cbn [allows fst]. destruct (N.eqb_spec i j) as [->|]; [|reflexivity]. cbn [negb orb].
  simpl in right_. rewrite right_. apply eqb_reflx.
Qed.

Lemma leaf_right rows cases ys hs : Forall row_right rows -> Forall case_right cases ->
  leaf_ok W P rows cases ys hs = true -> False.
Proof.
  intros rows_right cases_right H. unfold leaf_ok in H. set (chosen_ := chosen rows ys) in *.
  set (counts := combine (counted cases) hs) in *. cbv zeta in H. rewrite !andb_true_iff in H.
  destruct H as [[[ys_ok hs_ok] _] H]. rewrite forallb_forall in ys_ok, hs_ok.
  assert (inside : forall j, In j (numbers (length (tasks I))) -> task_in j = true).
  { intros j Hj. apply N.ltb_lt, in_numbers. exact Hj. }
  apply orb_true_iff in H. destruct H as [H|H].
  { apply existsb_exists in H. destruct H as (j & Hj & none). pose proof (left_right cases j (inside j Hj) cases_right) as mode.
    destruct (left_to W cases j); [destruct mode|discriminate]. }
  apply Z.ltb_lt in H.
  assert (rows_ok : forall x, In x chosen_ -> row_right (fst x) /\ 0 <= snd x).
  { intros x Hx. unfold chosen_, chosen in Hx. apply in_flat_map in Hx. destruct Hx as (y & Hy & Hx).
    destruct (item rows (fst y)) as [r|] eqn:Hrow; [|destruct Hx]. destruct Hx as [<-|[]]. cbn [fst snd].
    rewrite Forall_forall in rows_right. split; [apply rows_right; exact (item_in _ _ _ Hrow)|].
    specialize (ys_ok y Hy). rewrite andb_true_iff, Z.leb_le in ys_ok. apply ys_ok. }
  assert (counts_right : forall x, In x counts -> forallb task_in (fst (fst x)) = true /\
            signed x * on_type (fst (fst x)) <= allowed_of x).
  { intros [[set [a many]] h] Hx. pose proof (in_combine_l _ _ _ _ Hx) as Hc. pose proof (in_combine_r _ _ _ _ Hx) as Hh.
    specialize (hs_ok h Hh). apply Z.leb_le in hs_ok. unfold counted in Hc. apply in_flat_map in Hc.
    destruct Hc as (c & Hc & same). rewrite Forall_forall in cases_right. specialize (cases_right c Hc).
    destruct c as [|set' a' many']; [destruct same|]. destruct same as [same|[]]. inversion same; subst. simpl in cases_right.
    destruct cases_right as [tasks_ bound_]. unfold allowed_of, signed. cbn [fst snd]. split; [exact tasks_|].
    destruct many; nia. }
  (* what the tasks cost *)
  assert (demand : sum (map (fun j => amount (cheapest (chain_cost chosen_ counts j) (left_to W cases j)))
                            (numbers (length (tasks I))))
            <= sum (map (fun j => chain_cost chosen_ counts j (on (the j), taking j)) (numbers (length (tasks I))))).
  { apply sum_le. intros j Hj.
    destruct (cheapest_spec (chain_cost chosen_ counts j) _ _ (left_right cases j (inside j Hj) cases_right)) as (c & -> & less).
    exact less. }
  assert (cost_ : sum (map (fun j => chain_cost chosen_ counts j (on (the j), taking j)) (numbers (length (tasks I))))
            = sum (map (fun x => snd x * sum (map (fun j => r_weight (fst x) (on (the j)) * taking j) (r_tasks (fst x)))) chosen_)
              + sum (map (fun x => signed x * on_type (fst (fst x))) counts)).
  { unfold chain_cost. cbn [fst snd]. rewrite sum_map_add. f_equal.
    - rewrite Packing.sum_swap. apply sum_map_ext. intros x Hx. rewrite sum_map_mul. f_equal. apply sum_times.
      apply (rows_ok x Hx).
    - rewrite (sum_map_ext _ (fun j => sum (map (fun x => signed x * (times_in j (fst (fst x)) *
        if (on (the j) =? type_)%N then 1 else 0)) counts))).
      2: { intros j _. destruct (on (the j) =? type_)%N; [apply sum_map_ext; intros; lia|].
           rewrite (sum_map_ext _ (fun _ => 0)) by (intros; lia). rewrite sum_constant. lia. }
      rewrite Packing.sum_swap. apply sum_map_ext. intros x Hx. rewrite sum_map_mul. f_equal. unfold on_type.
      apply sum_times. apply (counts_right x Hx). }
  assert (rows_most : sum (map (fun x => snd x * sum (map (fun j => r_weight (fst x) (on (the j)) * taking j) (r_tasks (fst x)))) chosen_)
            <= sum (map (fun x => snd x * r_supply (fst x) * (at_ (r_to (fst x)) - at_ (r_from (fst x)))) chosen_)).
  { apply sum_le. intros x Hx. destruct (rows_ok x Hx) as [(_ & _ & _ & most_) nonneg]. nia. }
  assert (counts_most : sum (map (fun x => signed x * on_type (fst (fst x))) counts) <= sum (map allowed_of counts)).
  { apply sum_le. intros x Hx. apply counts_right. exact Hx. }
  assert (pick : forall i, (i < N.of_nat (length P))%N ->
            sum (map (fun k => (if (i =? k)%N then 1 else 0) * at_ k) (numbers (length P))) = at_ i).
  { intros i Hi. apply in_numbers in Hi. revert Hi. generalize (numbers_nodup (length P)).
    induction (numbers (length P)) as [|k m IH]; intros nodup Hi; [destruct Hi|]. inversion nodup as [|? ? fresh nodup']; subst.
    cbn [map sum fold_right]. fold (sum (map (fun k => (if (i =? k)%N then 1 else 0) * at_ k) m)).
    destruct (N.eqb_spec i k) as [->|differs].
    - rewrite (sum_map_ext _ (fun _ => 0)); [rewrite sum_constant; lia|]. intros j Hj.
      destruct (N.eqb_spec k j) as [->|]; [contradiction|lia].
    - destruct Hi as [->|Hi]; [congruence|]. rewrite IH; auto. }
  assert (through_ : sum (map (fun x => snd x * r_supply (fst x) * (at_ (r_to (fst x)) - at_ (r_from (fst x)))) chosen_)
            = sum (map (fun i => passes chosen_ i * at_ i) (numbers (length P)))).
  { unfold passes. rewrite (sum_map_ext (fun i => _ * at_ i) (fun i => sum (map (fun x => snd x * r_supply (fst x) *
      ((if (r_to (fst x) =? i)%N then 1 else 0) * at_ i + (-1) * ((if (r_from (fst x) =? i)%N then 1 else 0) * at_ i))) chosen_))).
    2: { intros i _. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros; lia. }
    rewrite <- (Packing.sum_swap (fun x i => snd x * r_supply (fst x) * ((if (r_to (fst x) =? i)%N then 1 else 0) * at_ i
      + (-1) * ((if (r_from (fst x) =? i)%N then 1 else 0) * at_ i)))).
    apply sum_map_ext. intros x Hx. destruct (rows_ok x Hx) as [(from_ & to_ & _) _].
    rewrite sum_map_mul, sum_map_add, sum_map_mul, (pick _ to_), (pick _ from_). lia. }
  assert (points_most : sum (map (fun i => passes chosen_ i * at_ i) (numbers (length P)))
            <= sum (map (fun x => passes chosen_ (fst x) * if 0 <? passes chosen_ (fst x) then p_last (snd x)
                                                           else p_first (snd x)) (indexed 0 P))).
  { rewrite <- indexed_numbers, map_map. apply sum_le. intros [i p] Hp. apply indexed_item in Hp. cbn [fst snd].
    destruct (point_at i p Hp) as [(_ & _ & range_) _]. destruct (Z.ltb_spec 0 (passes chosen_ i)); nia. }
  lia.
Qed.

Lemma tree_right n : forall rows cases, Forall row_right rows -> Forall case_right cases ->
  tree_ok W P rows cases n = true -> False.
Proof.
  induction n as [ys hs|j off IHo on_ IHn|set a few IHf many IHm]; intros rows cases rows_right cases_right H; cbn [tree_ok] in H.
  - exact (leaf_right rows cases ys hs rows_right cases_right H).
  - rewrite !andb_true_iff in H. destruct H as [[_ Ho] Hn]. destruct (on (the j) =? type_)%N eqn:is_on.
    + apply (IHn rows _ rows_right) in Hn; [exact Hn|]. apply Forall_app. split; [exact cases_right|]. constructor; [|constructor].
      exact is_on.
    + apply (IHo rows _ rows_right) in Ho; [exact Ho|]. apply Forall_app. split; [exact cases_right|]. constructor; [|constructor].
      exact is_on.
  - rewrite !andb_true_iff in H. destruct H as [[tasks_ Hf] Hm]. destruct (Z_le_gt_dec (on_type set) a) as [less|more].
    + apply (IHf rows _ rows_right) in Hf; [exact Hf|]. apply Forall_app. split; [exact cases_right|]. constructor; [|constructor].
      split; [exact tasks_|exact less].
    + apply (IHm rows _ rows_right) in Hm; [exact Hm|]. apply Forall_app. split; [exact cases_right|]. constructor; [|constructor].
      split; [exact tasks_|lia].
Qed.
End Path.

Theorem chains_right path rows n : chains_hold W path rows n = true -> False.
Proof.
  unfold chains_hold. cbv zeta. rewrite andb_true_iff. intros [path_ H].
  destruct (rows_of (points W path) rows) as [l|] eqn:some; [|discriminate].
  exact (tree_right path path_ n l [] (rows_of_right path path_ rows l some) (Forall_nil _) H).
Qed.
End Chains.
