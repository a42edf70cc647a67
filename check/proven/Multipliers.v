(* SPDX-License-Identifier: Apache-2.0 *)
(** Multipliers of what every schedule within [L] satisfies, edges, windows and work in intervals, whose sum is a
    contradiction. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow HeadTail Windows Delays Rows.
From Proven Require Packing.
Import ListNotations.
Open Scope Z_scope.

(** From [from_] ticks on to [back] ticks before the end, with a price for each type. *)
Record interval := { from_ : Z; back : Z; interval_prices : list Z }.

Section Multipliers.
Variable I : instance.
Variable L : Z.
Variable all_edges : M.t edge.
Variable size : N.

(** Numbers with multipliers, added up by number. *)
Definition totals (l : list (N * Z)) : M.t Z :=
  fold_right (fun x m => M.add (key (fst x)) (value_of m (fst x) + snd x) m) (M.empty Z) l.

Definition end_of (side : edge -> N) (x : N * Z) : list (N * Z) :=
  match find all_edges (fst x) with Some e => [(side e, snd x)] | None => [] end.

Definition end_of_row (side : row -> option N) (x : Z * row) : list (N * Z) :=
  match side (snd x) with Some j => [(j, fst x)] | None => [] end.

Definition to_the_end (x : Z * row) : Z := match r_to (snd x) with Some _ => 0 | None => fst x end.

Definition supply_of (i : interval) : Z := supply I (number (interval_prices i)).

Definition cost_of (flow : M.t Z) (adds : M.t (list (addition * Z))) (intervals : list interval) (w : window) (j : N)
  (mode : N * Z) : Z :=
  value_of flow j * snd mode + adds_on adds j (fst mode) +
  sum (map (fun i => number (interval_prices i) (fst mode) * overlap L w (from_ i) (L - back i) (snd mode)) intervals).

Definition of_window (W : windows) (f : window -> Z) (x : N * Z) : Z :=
  match find W (fst x) with Some w => snd x * f w | None => 0 end.

Definition refuted (W : windows) (edges_ starts tails : list (N * Z)) (rows : list (Z * row)) (intervals : list
  interval) :
  bool :=
  let into := totals (flat_map (end_of target) edges_ ++ starts ++ flat_map (end_of_row r_to) rows) in
  let out := totals (flat_map (end_of source) edges_ ++ tails ++ flat_map (end_of_row r_from) rows) in
  let adds := by_tasks rows in
  let all := numbers (length (tasks I)) in
  let priced l := forallb (fun x => 0 <=? snd x) l in
  let inside_ l := forallb (fun x => (fst x <? size)%N) l in
  let total := sum (map snd edges_) + sum (map snd starts) + sum (map snd tails) + sum (map supply_of intervals) +
               sum (map fst rows) in
  forallb (fun x => 0 <=? fst x) rows && priced edges_ && priced starts && priced tails && inside_ starts && inside_
    tails &&
  forallb (fun x => match find all_edges (fst x) with Some _ => true | None => false end) edges_ &&
  forallb (fun i => forallb (Z.leb 0) (interval_prices i) && interval_ok L (from_ i) (back i)) intervals &&
  (total <? 2 ^ 60) &&
  forallb (fun j => value_of into j =? value_of out j) all &&
  ((sum (map snd tails) + sum (map supply_of intervals) + sum (map to_the_end rows)) * L <?
   sum (map (fun x => fst x * r_length (snd x)) rows) + sum (map (of_window W w_start) starts) + sum (map (of_window
     W w_tail) tails) +
   sum (map (fun i => supply_of i * (from_ i + back i)) intervals) +
   sum (map (fun j => match find W j with
                      | Some w => amount (cheapest (cost_of into adds intervals w j) (w_modes w))
                      | None => 0
                      end) all)).

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis edges_are : all_edges = tabled (edges I).
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.

Lemma value_totals l j : value_of (totals l) j = sum (map (fun x => if (fst x =? j)%N then snd x else 0) l).
Proof.
  induction l as [|x l IH]; simpl; [unfold value_of, find; rewrite M.gempty; reflexivity|].
  rewrite value_add. fold (totals l). destruct (N.eq_dec (fst x) j) as [->|differs].
  - rewrite N.eqb_refl, IH. fold (sum (map (fun x => if (fst x =? j)%N then snd x else 0) l)). lia.
  - destruct (N.eqb_spec (fst x) j); [contradiction|]. rewrite IH. reflexivity.
Qed.

Lemma totals_sum n l (g : N -> Z) : (forall x, In x l -> In (fst x) (numbers n)) ->
  sum (map (fun j => value_of (totals l) j * g j) (numbers n)) = sum (map (fun x => snd x * g (fst x)) l).
Proof.
  intros inside_.
  rewrite (sum_map_ext _ (fun j => sum (map (fun x => (if (fst x =? j)%N then snd x else 0) * g j) l))).
  2: { intros j _. rewrite value_totals, Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros; lia. }
  rewrite Packing.sum_swap. apply sum_map_ext. intros x Hx. specialize (inside_ x Hx). revert inside_.
  generalize (numbers_nodup n). induction (numbers n) as [|j m IH]; intros nodup Hj; [destruct Hj|].
  inversion nodup as [|? ? fresh nodup']; subst. cbn [map sum fold_right].
  fold (sum (map (fun j => (if (fst x =? j)%N then snd x else 0) * g j) m)).
  destruct (N.eqb_spec (fst x) j) as [<-|differs].
  - assert (sum (map (fun j => (if (fst x =? j)%N then snd x else 0) * g j) m) = 0); [|lia].
    clear - fresh. induction m as [|j m IH]; [reflexivity|]. cbn [map sum fold_right].
    fold (sum (map (fun j => (if (fst x =? j)%N then snd x else 0) * g j) m)).
    rewrite IH by (intros H; apply fresh; right; exact H).
    destruct (N.eqb_spec (fst x) j) as [<-|]; [destruct fresh; left; reflexivity|lia].
  - destruct Hj as [->|Hj]; [congruence|]. rewrite IH; auto.
Qed.

Lemma edges_sum side l (g : N -> Z) : sum (map (fun x => snd x * g (fst x)) (flat_map (end_of side) l))
  = sum (map (fun x => match find all_edges (fst x) with Some e => snd x * g (side e) | None => 0 end) l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [flat_map map]. rewrite map_app, sum_app, IH. cbn [sum fold_right].
  fold (sum (map (fun x => match find all_edges (fst x) with Some e => snd x * g (side e) | None => 0 end) l)).
  f_equal. unfold end_of. destruct (find all_edges (fst x)); simpl; unfold sum; simpl; lia.
Qed.

Lemma sum_nonneg_map {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum (map f l).
Proof. intros H. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (x & <- & Hx). auto. Qed.

Lemma sum_map_sub {A} (f g : A -> Z) l : sum (map (fun x => f x - g x) l) = sum (map f l) - sum (map g l).
Proof. rewrite (sum_map_ext _ (fun x => f x + (-1) * g x)), sum_map_add, sum_map_mul by (intros; lia). lia. Qed.

Lemma rows_sum side rows (g : N -> Z) : sum (map (fun x => snd x * g (fst x)) (flat_map (end_of_row side) rows))
  = sum (map (fun x => match side (snd x) with Some j => fst x * g j | None => 0 end) rows).
Proof.
  induction rows as [|x l IH]; [reflexivity|]. cbn [flat_map map]. rewrite map_app, sum_app, IH. cbn [sum fold_right].
  fold (sum (map (fun x => match side (snd x) with Some j => fst x * g j | None => 0 end) l)).
  f_equal. unfold end_of_row. destruct (side (snd x)); simpl; unfold sum; simpl; lia.
Qed.

Theorem refuted_right W edges_ starts tails rows intervals : all_fit I L s W ->
  (forall g r, In (g, r) rows -> row_holds I L s r) -> refuted W edges_ starts tails rows intervals = true -> False.
Proof.
  intros all_ rows_hold H. unfold refuted in H. rewrite !andb_true_iff, !forallb_forall, !Z.ltb_lt in H.
  destruct H as [[[[[[[[[[price_r price_e] price_s] price_t] in_s] in_t] known_e] good_i] _] balanced] more].
  set (all := numbers (length (tasks I))) in *.
  set (ins := flat_map (end_of target) edges_ ++ starts ++ flat_map (end_of_row r_to) rows) in *.
  set (outs := flat_map (end_of source) edges_ ++ tails ++ flat_map (end_of_row r_from) rows) in *.
  assert (the_task : forall j, In j all -> In (the s j) (runs s) /\ job (the s j) = j) by (intros;
    apply (the_run I s ok); auto).
  assert (in_all : forall j, (j <? size)%N = true -> In j all).
  { intros j Hj. apply N.ltb_lt in Hj. apply in_numbers. lia. }
  assert (edge_of : forall x, In x edges_ -> exists e, find all_edges (fst x) = Some e /\ In e (edges I)).
  { intros x Hx. specialize (known_e x Hx). destruct (find all_edges (fst x)) as [e|] eqn:found; [|discriminate].
    exists e. split; [reflexivity|]. rewrite edges_are, find_tabled in found. exact (item_in _ _ _ found). }
  assert (ends_in : forall side l, (forall e, In e (edges I) -> task_number I (side e)) -> incl l edges_ ->
            forall y, In y (flat_map (end_of side) l) -> In (fst y) all).
  { intros side l tasks_ part y Hy. apply in_flat_map in Hy. destruct Hy as (x & Hx & Hy).
    destruct (edge_of x (part x Hx)) as (e & found & He). unfold end_of in Hy. rewrite found in Hy.
    destruct Hy as [<-|[]]. apply in_numbers. exact (tasks_ e He). }
  assert (rows_in : forall side, (forall g r, In (g, r) rows -> end_ok I (side r)) ->
            forall y, In y (flat_map (end_of_row side) rows) -> In (fst y) all).
  { intros side tasks_ y Hy. apply in_flat_map in Hy. destruct Hy as ([g r] & Hr & Hy). unfold end_of_row in Hy.
    cbn [fst snd] in Hy. specialize (tasks_ g r Hr). destruct (side r) as [j|]; [|destruct Hy].
    destruct Hy as [<-|[]]. apply in_numbers. exact tasks_. }
  assert (ins_in : forall x, In x ins -> In (fst x) all).
  { intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|Hx].
    2: { apply in_app_or in Hx. destruct Hx as [Hx|Hx]; [apply in_all, in_s, Hx|].
         refine (rows_in r_to _ x Hx). intros g r Hr. apply (rows_hold g r Hr). }
    refine (ends_in target edges_ _ (incl_refl _) x Hx). intros e He. apply (proj1 edges_ok e He). }
  assert (outs_in : forall x, In x outs -> In (fst x) all).
  { intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|Hx].
    2: { apply in_app_or in Hx. destruct Hx as [Hx|Hx]; [apply in_all, in_t, Hx|].
         refine (rows_in r_from _ x Hx). intros g r Hr. apply (rows_hold g r Hr). }
    refine (ends_in source edges_ _ (incl_refl _) x Hx). intros e He. apply (proj1 edges_ok e He). }
  pose (S_ := fun j => start (the s j)). pose (E_ := fun j => ends I (the s j)).
  (* what flows in is paid at starts, what flows out at ends *)
  assert (flows : sum (map (fun x => snd x * S_ (fst x)) ins) - sum (map (fun x => snd x * E_ (fst x)) outs)
                  = - sum (map (fun j => value_of (totals ins) j * (E_ j - S_ j)) all)).
  { rewrite <- (totals_sum (length (tasks I)) ins S_ ins_in), <- (totals_sum (length (tasks I)) outs E_ outs_in).
    fold all. rewrite <- sum_map_sub.
    rewrite (sum_map_ext _ (fun j => (-1) * (value_of (totals ins) j * (E_ j - S_ j)))), sum_map_mul; [lia|].
    intros j Hj. specialize (balanced j Hj). apply Z.eqb_eq in balanced. rewrite balanced. lia. }
  unfold ins, outs in flows. rewrite !map_app, !sum_app, !edges_sum, !rows_sum in flows. fold ins outs in flows.
  (* each multiplier is of something that is not below 0 *)
  assert (edges_pay : sum (map (fun x => match find all_edges (fst x) with Some e => snd x * E_ (source e) | None => 0
                        end) edges_)
                      <= sum (map (fun x => match find all_edges (fst x) with Some e => snd x * S_ (target e) | None
                        => 0
                        end) edges_)).
  { apply sum_le. intros x Hx. destruct (edge_of x Hx) as (e & found & He). rewrite found.
    specialize (price_e x Hx). apply Z.leb_le in price_e. destruct (proj1 edges_ok e He) as [Hs Ht].
    apply in_numbers in Hs, Ht. destruct (the_task _ Hs) as [Hi from__]. destruct (the_task _ Ht) as [Hj to_].
    pose proof (edge_order I edges_ok s ok e _ _ He Hi Hj from__ to_). unfold E_, S_. nia. }
  assert (starts_pay : sum (map (of_window W w_start) starts) <= sum (map (fun x => snd x * S_ (fst x)) starts)).
  { apply sum_le. intros x Hx. destruct (the_task _ (in_all _ (in_s x Hx))) as [Hr same].
    destruct (all_ _ Hr) as (w & found & (f1 & _)). rewrite same in found. unfold of_window. rewrite found.
    specialize (price_s x Hx). apply Z.leb_le in price_s. unfold S_. nia. }
  assert (tails_pay : sum (map (of_window W w_tail) tails) + sum (map (fun x => snd x * E_ (fst x)) tails)
                      <= sum (map snd tails) * L).
  { rewrite <- sum_map_add, Z.mul_comm, <- sum_map_mul. apply sum_le. intros x Hx.
    destruct (the_task _ (in_all _ (in_t x Hx))) as [Hr same].
    destruct (all_ _ Hr) as (w & found & (_ & _ & _ & f4 & _)). rewrite same in found. unfold of_window. rewrite found.
    specialize (price_t x Hx). apply Z.leb_le in price_t. unfold E_. nia. }
  assert (rows_pay : sum (map (fun x => fst x * r_length (snd x)) rows)
                     + sum (map (fun x => fst x * sum (map (added s) (r_adds (snd x)))) rows)
                     + sum (map (fun x => match r_from (snd x) with Some j => fst x * E_ j | None => 0 end) rows)
                     <= sum (map (fun x => match r_to (snd x) with Some j => fst x * S_ j | None => 0 end) rows)
                        + sum (map to_the_end rows) * L).
  { rewrite (Z.mul_comm (sum (map to_the_end rows))), <- sum_map_mul, <- !sum_map_add. apply sum_le.
    intros [g r] Hr. destruct (rows_hold g r Hr) as (_ & _ & _ & holds_).
    specialize (price_r (g, r) Hr). apply Z.leb_le in price_r. cbn [fst snd] in *. unfold to_the_end. cbn [fst snd].
    unfold from_time, to_time in holds_. fold (E_ : N -> Z) in holds_. unfold E_, S_.
    destruct (r_from r), (r_to r); nia. }
  pose proof (adds_total I L size size_is s rows rows_hold) as adds_pay.
  fold all in adds_pay.
  pose (work := fun i r => number (interval_prices i) (on r) * inside I (from_ i) (L - back i) r).
  assert (work_pays : sum (map (fun r => sum (map (fun i => work i r) intervals)) (runs s))
                      + sum (map (fun i => supply_of i * (from_ i + back i)) intervals)
                      <= sum (map supply_of intervals) * L).
  { rewrite Packing.sum_swap, <- sum_map_add, Z.mul_comm, <- sum_map_mul. apply sum_le. intros i Hi.
  specialize (good_i i Hi).
    unfold interval_ok in good_i. rewrite !andb_true_iff, !Z.leb_le in good_i. destruct good_i as [nonneg inside_].
    pose proof (work_between I counts_ok times_ok s ok (interval_prices i) (from_ i) (L - back i) ltac:(lia)
                  (fun t => number_nonnegative _ t nonneg)) as fits_. unfold work, supply_of. lia. }
  assert (tasks_pay : sum (map (fun j => match find W j with
                        | Some w => amount (cheapest (cost_of (totals ins) (by_tasks rows) intervals w j) (w_modes w))
                        | None => 0
                        end) all)
                      <= sum (map (fun j => value_of (totals ins) j * (E_ j - S_ j)) all)
                         + sum (map (fun j => adds_on (by_tasks rows) j (on (the s j))) all)
                         + sum (map (fun r => sum (map (fun i => work i r) intervals)) (runs s))).
  { unfold all. rewrite !(sum_by_task I s ok), <- !sum_map_add. apply sum_le. intros r Hr.
    destruct (all_ r Hr) as (w & found & fit). rewrite found. pose proof fit as (_ & _ & _ & _ & mode).
    destruct (cheapest_spec (cost_of (totals ins) (by_tasks rows) intervals w (job r)) (w_modes w) _ mode) as (c &
      found' & less).
    rewrite found'. unfold E_, S_. rewrite (the_job I s ok r Hr), (duration_ends I r).
    etransitivity; [exact less|]. unfold cost_of. cbn [fst snd]. apply Z.add_le_mono; [apply Z.eq_le_incl; lia|].
    apply sum_le. intros i Hi. specialize (good_i i Hi). unfold interval_ok in good_i.
    rewrite !andb_true_iff, !Z.leb_le in good_i. destruct good_i as [nonneg inside_].
    pose proof (number_nonnegative _ (on r) nonneg).
    pose proof (overlap_inside I L times_ok w r (from_ i) (L - back i) ltac:(lia) fit). unfold work. nia. }
  lia.
Qed.
End Multipliers.
