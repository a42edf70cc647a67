(* SPDX-License-Identifier: Apache-2.0 *)
(** What every schedule within [L] satisfies between the end of a task and the start of another one: so many ticks are
    between them, and more where some tasks take longer (mixing), or are on other types (crossings). *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays.
Import ListNotations.
Open Scope Z_scope.

(** A task that adds so much on some types. *)
Record addition := { a_task : N; a_types : list N; a_more : Z }.

(** From the end of a task, or from 0, to the start of another one, or to [L]. *)
Record row := { r_from : option N; r_to : option N; r_length : Z; r_adds : list addition }.

(** As a proof has them: tasks that add so much where they take as long as on a type. *)
Record mixed := { m_task : N; m_type : N; m_more : Z }.
Record mix := { x_from : option N; x_to : option N; x_price : Z; x_length : Z; x_mixed : list mixed }.

(** The data of an edge take so long from the type to all others. *)
Record crossing := { c_edge : N; c_type : N; c_cost : Z; c_price : Z }.

Definition among (t : N) (l : list N) : bool := existsb (N.eqb t) l.

Section Rows.
Variable I : instance.
Variable L : Z.
Variable into : M.t (list edge).
Variable out : M.t (list edge).
Variable all_edges : M.t edge.
Variable order : list N.
Variable size : N.

(** From the end of a task to the start of each one behind it, and from the end of each one before it to its start. *)
Definition ways_from (W : windows) (from : option N) : N -> option Z :=
  match from with
  | Some u => let m := levels source into order W u in fun j => find m j
  | None => fun j => option_map w_start (find W j)
  end.

Definition ways_to (W : windows) (to : option N) : N -> option Z :=
  match to with
  | Some v => let m := levels target out (rev order) W v in fun j => find m j
  | None => fun j => option_map w_tail (find W j)
  end.

Definition is_inside (j : N) : bool := (j <? size)%N.

(** The types left to a task on which it takes at least as long as on [t]. *)
Definition long_modes (W : windows) (j t : N) : option (list (N * Z)) :=
  match time I j t, find W j with
  | Some p, Some w => Some (filter (fun mode => p <=? duration I (fst mode) j) (w_modes w))
  | _, _ => None
  end.

(** The tasks of a row, of which each adds no more to those before it than the longest path through it allows. *)
Fixpoint additions (W : windows) (before behind : N ->
  option Z) (asked : Z) (l : list mixed) : option (list addition) :=
  match l with
  | [] => Some []
  | m :: l =>
      if negb (is_inside (m_task m)) then None else
      match long_modes W (m_task m) (m_type m), before (m_task m), behind (m_task m) with
      | Some modes, Some a, Some b =>
          let longest := match cheapest snd modes with Some d => Z.min (L + 1) (a + d + b) | None => L + 1 end in
          if (0 <=? m_more m) && (asked + m_more m <=? longest)
          then match additions W before behind (asked + m_more m) l with
               | Some rest => Some ({| a_task := m_task m; a_types := map fst modes; a_more := m_more m |} :: rest)
               | None => None
               end
          else None
      | _, _, _ => None
      end
  end.

Definition end_inside (x : option N) : bool := match x with Some j => is_inside j | None => true end.

Definition mix_row (W : windows) (x : mix) : option row :=
  let before := ways_from W (x_from x) in
  let behind := ways_to W (x_to x) in
  let without := match x_to x, x_from x with
                 | Some v, _ => before v
                 | None, Some u => behind u
                 | None, None => None
                 end in
  match without with
  | Some d =>
      if end_inside (x_from x) && end_inside (x_to x) && (x_length x <=? Z.min (L + 1) d)
      then match additions W before behind (x_length x) (x_mixed x) with
           | Some l => Some {| r_from := x_from x; r_to := x_to x; r_length := x_length x; r_adds := l |}
           | None => None
           end
      else None
  | None => None
  end.

Definition crossing_row (W : windows) (x : crossing) : option row :=
  match find all_edges (c_edge x) with
  | Some e =>
      match find W (target e) with
      | Some w =>
          if forallb (fun mode => (fst mode =? c_type x)%N || (c_cost x <=? cost e (c_type x) (fst mode))) (w_modes
            w) &&
             (0 <=? c_cost x) && (c_cost x <? 2 ^ 60)
          then Some {| r_from := Some (source e); r_to := Some (target e); r_length := 0;
                       r_adds := [{| a_task := source e; a_types := [c_type x]; a_more := c_cost x |};
                                  {| a_task := target e; a_types := [c_type x]; a_more := - c_cost x |}] |}
          else None
      | None => None
      end
  | None => None
  end.

(** All rows with their prices; nothing where one does not hold. *)
Fixpoint all_rows {A} (row_of : A -> option row) (price_of : A -> Z) (l : list A) : option (list (Z * row)) :=
  match l with
  | [] => Some []
  | x :: l => match row_of x, all_rows row_of price_of l with
              | Some r, Some rest => Some ((price_of x, r) :: rest)
              | _, _ => None
              end
  end.

(** *** Soundness *)

Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis into_is : into = grouped target (edges I).
Hypothesis out_is : out = grouped source (edges I).
Hypothesis edges_are : all_edges = tabled (edges I).
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Definition added (a : addition) : Z := if among (on (the s (a_task a))) (a_types a) then a_more a else 0.
Definition from_time (x : option N) : Z := match x with Some u => ends I (the s u) | None => 0 end.
Definition to_time (x : option N) : Z := match x with Some v => start (the s v) | None => L end.

Definition end_ok (x : option N) : Prop := match x with Some j => task_number I j | None => True end.

Definition row_holds (r : row) : Prop :=
  end_ok (r_from r) /\ end_ok (r_to r) /\ (forall a, In a (r_adds r) -> task_number I (a_task a)) /\
  from_time (r_from r) + r_length r + sum (map added (r_adds r)) <= to_time (r_to r).

Lemma inside_task j : is_inside j = true -> task_number I j.
Proof. unfold is_inside, task_number. rewrite N.ltb_lt, size_is. auto. Qed.

Lemma its_run j : task_number I j -> In (the s j) (runs s) /\ job (the s j) = j.
Proof. intros Hj. apply (the_run I s ok), in_numbers. exact Hj. Qed.

Lemma ways_from_hold W from : all_fit I L s W -> end_ok from -> forall j d, task_number I j ->
  ways_from W from j = Some d -> from_time from + d <= start (the s j).
Proof.
  intros all_ Hu j d Hj found. destruct (its_run j Hj) as [Hr same].
  destruct from as [u|]; cbn [ways_from from_time] in *.
  - destruct (its_run u Hu) as [Hq is_u]. rewrite into_is in found.
    pose proof (descendant_levels I L edges_ok s ok order W u all_ j d found _ _ Hr Hq same is_u) as far.
    unfold behind_it in far. lia.
  - destruct (all_ _ Hr) as (w & found_w & (f1 & _)). rewrite same in found_w. rewrite found_w in found.
    inversion found. lia.
Qed.

Lemma ways_to_hold W to : all_fit I L s W -> end_ok to -> forall j d, task_number I j ->
  ways_to W to j = Some d -> ends I (the s j) + d <= to_time to.
Proof.
  intros all_ Hv j d Hj found. destruct (its_run j Hj) as [Hr same]. destruct to as [v|]; cbn [ways_to to_time] in *.
  - destruct (its_run v Hv) as [Hq is_v]. rewrite out_is in found.
    pose proof (ancestor_levels I L edges_ok s ok (rev order) W v all_ j d found _ _ Hr Hq same is_v) as far.
    unfold before_it in far. lia.
  - destruct (all_ _ Hr) as (w & found_w & (_ & _ & _ & f4 & _)). rewrite same in found_w. rewrite found_w in found.
    inversion found. lia.
Qed.

Lemma to_time_within to : end_ok to -> to_time to <= L.
Proof.
  intros Hv. destruct to as [v|]; [|cbn; lia]. cbn [to_time]. destruct (its_run v Hv) as [Hr _].
  pose proof (ends_forward I (the s v) times_ok).
  pose proof (max_in (map (ends I) (runs s)) _ (in_map (ends I) _ _ Hr)). unfold makespan in short. lia.
Qed.

Lemma from_time_positive from : end_ok from -> 0 <= from_time from.
Proof.
  intros Hu. destruct from as [u|]; [|cbn; lia]. cbn [from_time]. destruct (its_run u Hu) as [Hr _].
  pose proof (ends_forward I (the s u) times_ok). destruct (valid_placed I s _ ok Hr) as (_ & _ & zero). lia.
Qed.

Lemma additions_hold W from to : all_fit I L s W -> end_ok from -> end_ok to -> forall l asked sofar adds,
  sofar <= asked -> from_time from + sofar <= to_time to ->
  additions W (ways_from W from) (ways_to W to) asked l = Some adds ->
  (forall a, In a adds -> task_number I (a_task a)) /\ from_time from + sofar + sum (map added adds) <= to_time to.
Proof.
  intros all_ Hu Hv. induction l as [|m l IH]; intros asked sofar adds less holds H; cbn [additions] in H.
  - inversion H; subst. split; [intros a []|]. cbn [map sum fold_right]. lia.
  - destruct (is_inside (m_task m)) eqn:in_; [|discriminate]. cbn [negb] in H. pose proof (inside_task _ in_) as Hj.
    destruct (long_modes W (m_task m) (m_type m)) as [modes_|] eqn:modes_are; [|discriminate].
    destruct (ways_from W from (m_task m)) as [a|] eqn:from_; [|discriminate].
    destruct (ways_to W to (m_task m)) as [b|] eqn:to_; [|discriminate]. cbv zeta in H.
    set (longest := match cheapest snd modes_ with Some d => Z.min (L + 1) (a + d + b) | None => L + 1 end) in H.
    destruct ((0 <=? m_more m) && (asked + m_more m <=? longest)) eqn:enough; [|discriminate].
    rewrite andb_true_iff, !Z.leb_le in enough. destruct enough as [nonneg enough].
    destruct (additions W (ways_from W from) (ways_to W to) (asked + m_more m) l) as [rest|] eqn:others;
      [|discriminate].
    inversion H; subst adds. clear H. cbn [map sum fold_right]. fold (sum (map added rest)).
    set (mine := added {| a_task := m_task m; a_types := map fst modes_; a_more := m_more m |}).
    assert (step : mine <= m_more m /\ from_time from + (sofar + mine) <= to_time to).
    { unfold mine, added. cbn [a_task a_types a_more]. destruct (among _ _) eqn:takes; [|lia]. split; [lia|].
      unfold among in takes. apply existsb_exists in takes. destruct takes as (t & Ht & same). apply N.eqb_eq in same.
      apply in_map_iff in Ht. destruct Ht as ([t' d] & is_t & Hmode). cbn [fst] in is_t. subst t'.
      destruct (its_run _ Hj) as [Hr is_j]. unfold long_modes in modes_are.
      destruct (time I (m_task m) (m_type m)) as [p|]; [|discriminate].
      destruct (find W (m_task m)) as [w|] eqn:found; [|discriminate]. inversion modes_are as [is_modes].
      rewrite <- is_modes in Hmode. apply filter_In in Hmode. destruct Hmode as [Hmode long].
      destruct (all_ _ Hr) as (w' & found' & (_ & _ & _ & _ & mode)). rewrite is_j, found in found'.
      inversion found'; subst w'.
      pose proof (ways_from_hold W from all_ Hu _ _ Hj from_). pose proof (ways_to_hold W to all_ Hv _ _ Hj to_).
      assert (here : In (on (the s (m_task m)), duration I (on (the s (m_task m))) (m_task m)) modes_ ->
                from_time from + (sofar + m_more m) <= to_time to).
      { intros Hin. destruct (cheapest_spec snd modes_ _ Hin) as (c & least & cheap). cbn [snd] in cheap.
        unfold longest in enough. rewrite least in enough. pose proof (duration_ends I (the s (m_task m))) as dur.
        rewrite is_j in dur. pose proof (to_time_within to Hv). pose proof (from_time_positive from Hu). lia. }
      rewrite is_j in mode. apply here. rewrite <- is_modes. apply filter_In. split; [exact mode|].
      cbn [fst] in *. rewrite same. exact long. }
    destruct step as [few step].
    destruct (IH (asked + m_more m) (sofar + mine) rest ltac:(lia) step others) as [tasks_ total].
    split; [intros x [<-|Hx]; [exact Hj|exact (tasks_ x Hx)]|]. lia.
Qed.

Lemma mix_row_holds W x r : all_fit I L s W -> mix_row W x = Some r -> row_holds r.
Proof.
  intros all_ H. unfold mix_row in H. cbv zeta in H.
  destruct (match x_to x, x_from x with
            | Some v, _ => ways_from W (x_from x) v
            | None, Some u => ways_to W (x_to x) u
            | None, None => None
            end) as [d|] eqn:without; [|discriminate].
  destruct (end_inside (x_from x) && end_inside (x_to x) && (x_length x <=? Z.min (L + 1) d)) eqn:good; [|discriminate].
  rewrite !andb_true_iff, Z.leb_le in good. destruct good as [[Hu Hv] enough].
  assert (ends_ : forall y, end_inside y = true -> end_ok y) by (intros [j|]; cbn; [apply inside_task|auto]).
  apply ends_ in Hu, Hv.
  destruct (additions W (ways_from W (x_from x)) (ways_to W (x_to x)) (x_length x) (x_mixed x)) as [l|] eqn:adds;
    [|discriminate].
  inversion H; subst r. clear H.
  assert (plain : from_time (x_from x) + d <= to_time (x_to x)).
  { destruct (x_to x) as [v|]; [exact (ways_from_hold W (x_from x) all_ Hu v d Hv without)|].
    destruct (x_from x) as [u|]; [|discriminate]. exact (ways_to_hold W None all_ Hv u d Hu without). }
  destruct (additions_hold W (x_from x) (x_to x) all_ Hu Hv (x_mixed x) (x_length x) (x_length x) l (Z.le_refl _)
              ltac:(lia) adds) as [tasks_ total].
  unfold row_holds. cbn [r_from r_to r_length r_adds]. auto.
Qed.

Lemma crossing_row_holds W x r : all_fit I L s W -> crossing_row W x = Some r -> row_holds r.
Proof.
  intros all_ H. unfold crossing_row in H. rewrite edges_are, find_tabled in H.
  destruct (item (edges I) (c_edge x)) as [e|] eqn:He; [|discriminate]. apply item_in in He.
  destruct (find W (target e)) as [w|] eqn:found; [|discriminate].
  destruct (forallb _ (w_modes w) && (0 <=? c_cost x) && (c_cost x <? 2 ^ 60)) eqn:good; [|discriminate].
  rewrite !andb_true_iff, forallb_forall, Z.leb_le in good. destruct good as [[costs_ nonneg] _].
  inversion H; subst r. clear H. destruct (proj1 edges_ok e He) as [Hs Ht].
  destruct (its_run _ Hs) as [Hi from_]. destruct (its_run _ Ht) as [Hj to_].
  unfold row_holds. cbn [r_from r_to r_length r_adds end_ok]. split; [exact Hs|]. split; [exact Ht|].
  split; [intros a [<-|[<-|[]]]; assumption|]. cbn [map sum fold_right from_time to_time].
  unfold added. cbn [a_task a_types a_more]. unfold among. cbn [existsb]. rewrite !orb_false_r.
  pose proof (proj1 (proj2 (proj2 ok)) e _ _ He Hi (in_attempts s _ Hj) from_ to_) as waits.
  pose proof (cost_nonnegative I edges_ok e (on (the s (source e))) (on (the s (target e))) He) as costs_nonneg.
  unfold arrival, same_processor in waits.
  destruct (N.eqb_spec (on (the s (source e))) (c_type x)) as [at_i|not_i];
    destruct (N.eqb_spec (on (the s (target e))) (c_type x)) as [at_j|not_j];
    try (destruct ((_ =? _)%N && _) in waits; lia).
  destruct (all_ _ Hj) as (w' & found' & (_ & _ & _ & _ & mode)). rewrite to_, found in found'.
  inversion found'; subst w'.
  specialize (costs_ _ mode). cbn [fst] in costs_. rewrite orb_true_iff, N.eqb_eq, Z.leb_le in costs_.
  destruct costs_ as [same|far]; [congruence|]. rewrite at_i in *.
  destruct (N.eqb_spec (c_type x) (on (the s (target e)))) as [same|_]; [congruence|]. cbn [andb] in waits. lia.
Qed.

Lemma all_rows_hold {A} (row_of : A -> option row) price_of : (forall x r,
  row_of x = Some r -> row_holds r) -> forall l rows,
  all_rows row_of price_of l = Some rows -> forall g r, In (g, r) rows -> row_holds r.
Proof.
  intros one. induction l as [|x l IH]; intros rows H g r Hr; cbn [all_rows] in H; [inversion H; subst; destruct Hr|].
  destruct (row_of x) as [r0|] eqn:found; [|discriminate].
  destruct (all_rows row_of price_of l) as [rest|] eqn:others; [|discriminate]. inversion H; subst rows.
  destruct Hr as [same|Hr]; [inversion same; subst; exact (one x r found)|exact (IH rest eq_refl g r Hr)].
Qed.

(** *** What rows add to the costs of the tasks *)

Definition priced (rows : list (Z * row)) : list (addition * Z) :=
  flat_map (fun x => map (fun a => (a, fst x * a_more a)) (r_adds (snd x))) rows.

Definition by_tasks (rows : list (Z * row)) : M.t (list (addition * Z)) := grouped (fun x => a_task (fst x)) (priced
  rows).

Definition adds_on (table : M.t (list (addition * Z))) (j t : N) : Z :=
  sum (map (fun x => if among t (a_types (fst x)) then snd x else 0) (group table j)).

Lemma adds_total rows : (forall g r, In (g, r) rows -> row_holds r) ->
  sum (map (fun j => adds_on (by_tasks rows) j (on (the s j))) (numbers (length (tasks I))))
  = sum (map (fun x => fst x * sum (map added (r_adds (snd x)))) rows).
Proof.
  intros hold. pose (worth := fun x : addition * Z => if among (on (the s (a_task (fst x)))) (a_types (fst x)) then
    snd x else 0).
  transitivity (sum (map worth (priced rows))).
  - rewrite (sum_groups_equal N.eq_dec (fun x => a_task (fst x)) worth (numbers (length (tasks I)))).
    + apply sum_map_ext. intros j Hj. rewrite (filter_ext _ (fun x => (a_task (fst x) =? j)%N)) by (intros;
      apply decide_N).
      unfold adds_on, by_tasks. rewrite group_filter.
      apply sum_map_ext. intros x Hx. apply filter_In in Hx. destruct Hx as [_ same]. apply N.eqb_eq in same.
      unfold worth. rewrite same. reflexivity.
    + apply numbers_nodup.
    + intros x Hx. unfold priced in Hx. apply in_flat_map in Hx. destruct Hx as ([g r] & Hr & Hx).
      apply in_map_iff in Hx. destruct Hx as (a & <- & Ha). cbn [fst snd] in *. apply in_numbers.
      exact (proj1 (proj2 (proj2 (hold g r Hr))) a Ha).
  - clear hold. induction rows as [|[g r] rows IH]; [reflexivity|]. unfold priced. cbn [flat_map map fst snd].
    rewrite map_app, sum_app. fold (priced rows). rewrite IH. cbn [sum fold_right]. f_equal.
    rewrite map_map, <- sum_map_mul. apply sum_map_ext. intros a _. unfold worth, added. cbn [fst snd].
    destruct (among _ _); lia.
Qed.
End Rows.
