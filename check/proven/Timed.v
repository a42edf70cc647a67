(* SPDX-License-Identifier: Apache-2.0 *)
(** Lines of prices over time: the costs of the tasks, and what they say of the windows. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow HeadTail Windows Delays Rows Multipliers Twins
  Cells.
From Proven Require Packing.
Import ListNotations.
Open Scope Z_scope.

(** Prices of ticks of types in cells; prices of edges in cells, in units. *)
Record timed := {
  cell_width : Z;
  cell_unit : Z;
  type_cells : list (N * (Z * Z));
  edge_cells : list (N * (Z * Z));
  timed_rows : list mix
}.

Section Costs.
Variable I : instance.
Variable L : Z.
Variable all_edges : M.t edge.
Variable given : timed.
Variable rows : list (Z * row).

Notation width := (cell_width given).
Notation Cells := (M.t (list (N * (Z * Z)))).

(** What cells of edges cost at their sources, or their targets. *)
Definition edge_prices (side : edge -> N) : list (N * (Z * Z)) :=
  flat_map (fun x => match find all_edges (fst x) with
                     | Some e => [(side e, (fst (snd x), snd (snd x) * cell_unit given))]
                     | None => []
                     end) (edge_cells given).

Definition at_ (m : Cells) (i : N) : list (Z * Z) := map snd (group m i).

(** The price of the ticks of cells from a time on. *)
Definition from_on (cells : list (Z * Z)) (x : Z) : Z :=
  sum (map (fun c => snd c * (cell_length L width (fst c) - before_time L width (fst c) x)) cells).

Record price_tables := { type_prices : Cells; head_prices : Cells; tail_prices : Cells; row_heads : M.t Z;
  row_tails : M.t Z;
                   row_adds : M.t (list (addition * Z)) }.

Definition all_tables : price_tables :=
  {| type_prices := grouped fst (type_cells given);
     head_prices := grouped fst (edge_prices target);
     tail_prices := grouped fst (edge_prices source);
     row_heads := totals (flat_map (end_of_row r_to) rows);
     row_tails := totals (flat_map (end_of_row r_from) rows);
     row_adds := by_tasks rows |}.

(** What a task costs where it starts at [x] on a type that takes [d]. *)
Definition cost_at (T : price_tables) (j t : N) (d x : Z) : Z :=
  adds_on (row_adds T) j t + (spent L width (at_ (type_prices T) t) (x + d) + - 1 * spent L width (at_ (type_prices
    T) t) x) +
  ((from_on (at_ (head_prices T) j) x + value_of (row_heads T) j * (L - x)) +
   - 1 * (from_on (at_ (tail_prices T) j) (x + d) + value_of (row_tails T) j * (L - (x + d)))).

Definition first_of (w : window) (d : Z) : Z := Z.max 0 (Z.max (w_start w) (w_end w - d)).
Definition last_of (w : window) (d : Z) : Z := Z.min (L - d) (L - Z.max (w_rest w) (w_tail w + d)).

(** A place: a type, its time, and stretches of starts with the costs at both ends. *)
Definition stretch : Type := (Z * Z) * (Z * Z).

Definition stretches (T : price_tables) (w : window) (j : N) (mode : N * Z) : option (list stretch) :=
  let d := snd mode in
  let first := first_of w d in
  let last := last_of w d in
  if d <? 0 then None else
  match pieces width (Z.to_nat (2 * ((last - first) / width) + 4)) first d last with
  | Some l => Some (map (fun p => (p, (cost_at T j (fst mode) d (fst p), cost_at T j (fst mode) d (snd p)))) l)
  | None => None
  end.

Fixpoint places (T : price_tables) (w : window) (j : N) (modes : list (N * Z)) : option (list ((N * Z) * list
  stretch)) :=
  match modes with
  | [] => Some []
  | m :: modes => match stretches T w j m, places T w j modes with
                  | Some l, Some rest => Some ((m, l) :: rest)
                  | _, _ => None
                  end
  end.

Definition least_of (l : list Z) : option Z :=
  fold_right (fun x y => Some match y with Some z => Z.min x z | None => x end) None l.
Definition most_of (l : list Z) : option Z :=
  fold_right (fun x y => Some match y with Some z => Z.max x z | None => x end) None l.

Definition least_cost (p : list ((N * Z) * list stretch)) : option Z :=
  least_of (flat_map (fun m => flat_map (fun s : stretch => [fst (snd s); snd (snd s)]) (snd m)) p).

(** Where a task costs at most so much: its types with the first and the last start. *)
Definition affordable (most : Z) (p : list ((N * Z) * list stretch)) : list ((N * Z) * (Z * Z)) :=
  flat_map (fun m => let l := flat_map (fun s : stretch =>
                                match below (fst (snd s)) (snd (snd s)) (fst (fst s)) (snd (fst s)) most with
                                | Some x => [x]
                                | None => []
                                end) (snd m) in
                     match least_of (map fst l), most_of (map snd l) with
                     | Some a, Some b => [(fst m, (a, b))]
                     | _, _ => []
                     end) p.

Definition leave_types (W : windows) (j : N) (types : list N) : state :=
  match find W j with
  | Some w => if forallb (fun mode => among (fst mode) types) (w_modes w) then Some W
              else changed L W j (fun w => {| w_start := w_start w; w_end := w_end w; w_rest := w_rest w;
                w_tail := w_tail w;
                                              w_modes := filter (fun mode => among (fst mode) types) (w_modes w) |})
  | None => Some W
  end.

Definition narrow (slack : Z) (W : windows) (j : N) (p : list ((N * Z) * list stretch)) : state :=
  match least_cost p with
  | None => Some W
  | Some least =>
      let left := affordable (least + slack) p in
      then_ (leave_types W j (map (fun x => fst (fst x)) left)) (fun W =>
      match least_of (map (fun x => fst (snd x)) left), most_of (map (fun x => snd (snd x) + snd (fst x)) left) with
      | Some a, Some b => then_ (raise_start L W j a) (fun W => raise_tail L W j (L - b))
      | _, _ => None
      end)
  end.

Definition no_from (x : Z * row) : Z := match r_from (snd x) with Some _ => 0 | None => fst x end.

Definition fixed : Z := sum (map (fun x => fst x * r_length (snd x)) rows) - sum (map no_from rows) * L.

Definition room_of_types (T : price_tables) (many : Z -> Z) : Z :=
  sum (map (fun t => many (processors I t) * spent L width (at_ (type_prices T) t) L) (numbers (length (platform I)))).

Definition prices_small (T : price_tables) : bool :=
  room_of_types T (Z.max 1) +
  sum (map (fun x => snd (snd x) * cell_unit given * cell_length L width (fst (snd x))) (edge_cells given)) +
  sum (map (fun x => fst x * (L + 1)) rows) <? 2 ^ 60.

Definition cell_ok (c : N * (Z * Z)) : bool :=
  (0 <=? fst (snd c)) && (fst (snd c) * width <? L) && (0 <=? snd (snd c)).

Definition timed_ok (T : price_tables) : bool :=
  (0 <? width) && (0 <? cell_unit given) && (0 <? L) && forallb cell_ok (type_cells given) &&
  forallb cell_ok (edge_cells given) &&
  forallb (fun x => match find all_edges (fst x) with Some _ => true | None => false end) (edge_cells given) &&
  forallb (fun x => 0 <=? fst x) rows && prices_small T.

(** The places of all tasks; nothing where one has none. *)
Fixpoint all_places (T : price_tables) (W : windows) (l : list N) : option (list (N * list ((N * Z) * list stretch))) :=
  match l with
  | [] => Some []
  | j :: l => match find W j with
              | Some w => match places T w j (w_modes w), all_places T W l with
                          | Some p, Some rest => Some ((j, p) :: rest)
                          | _, _ => None
                          end
              | None => None
              end
  end.

Definition timed_line (W : windows) : option state :=
  let T := all_tables in
  if negb (timed_ok T) then None else
  match all_places T W (numbers (length (tasks I))) with
  | None => None
  | Some all =>
      let slack := room_of_types T (fun m => m) - fixed - sum (map (fun x => amount (least_cost (snd x))) all) in
      if slack <? 0 then Some None else
      if slack <? 2 ^ 60
      then Some (fold_left (fun x p => then_ x (fun W => narrow slack W (fst p) (snd p))) all (Some W))
      else Some (Some W)
  end.

(** *** Soundness *)

Variable size : N.
Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis edges_are : all_edges = tabled (edges I).
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.
Hypothesis rows_hold : forall g r, In (g, r) rows -> row_holds I L s r.
Notation T := all_tables.
Hypothesis good : timed_ok T = true.

Definition good_cell (c : Z * Z) : Prop := 0 <= fst c /\ fst c * width < L /\ 0 <= snd c.

Lemma good_parts : 0 < width /\ 0 < cell_unit given /\ 0 < L /\
  (forall x, In x (type_cells given) -> good_cell (snd x)) /\ (forall x,
    In x (edge_cells given) -> good_cell (snd x)) /\
  (forall x, In x (edge_cells given) -> exists e, find all_edges (fst x) = Some e /\ In e (edges I)) /\
  (forall x, In x rows -> 0 <= fst x).
Proof.
  unfold timed_ok in good. rewrite !andb_true_iff, !Z.ltb_lt, !forallb_forall in good.
  destruct good as [[[[[[[w u] l] types_] edges_] known_] rows_] _].
  assert (cell : forall x, cell_ok x = true -> good_cell (snd x)).
  { intros x H. unfold cell_ok in H. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in H. unfold good_cell. tauto. }
  repeat split; auto; try (apply cell; auto).
  - intros x Hx. specialize (known_ x Hx). destruct (find all_edges (fst x)) as [e|] eqn:found; [|discriminate].
    exists e. split; [reflexivity|]. rewrite edges_are, find_tabled in found. exact (item_in _ _ _ found).
  - intros x Hx. apply Z.leb_le. exact (rows_ x Hx).
Qed.

Lemma before_rises k x y : x <= y -> before_time L width k x <= before_time L width k y.
Proof. intros less. unfold before_time. lia. Qed.

Lemma at_in m l i c : m = grouped fst l -> In c (at_ m i) -> exists x, In x l /\ fst x = i /\ snd x = c.
Proof.
  intros -> Hc. unfold at_ in Hc. apply in_map_iff in Hc. destruct Hc as (x & <- & Hx). apply group_spec in Hx.
  exists x. tauto.
Qed.

Lemma type_cells_good t c : In c (at_ (type_prices T) t) -> good_cell c.
Proof.
  intros Hc. destruct (at_in _ _ t c eq_refl Hc) as (x & Hx & _ & <-).
  destruct good_parts as (_ & _ & _ & types_ & _). exact (types_ x Hx).
Qed.

Lemma edge_cells_good side j c : In c (at_ (grouped fst (edge_prices side)) j) -> good_cell c.
Proof.
  intros Hc. destruct (at_in _ _ j c eq_refl Hc) as (x & Hx & _ & <-). unfold edge_prices in Hx.
  apply in_flat_map in Hx. destruct Hx as (y & Hy & Hx). destruct good_parts as (_ & u & _ & _ & edges_ & _).
  destruct (find all_edges (fst y)) as [e|]; [|destruct Hx]. destruct Hx as [<-|[]].
  destruct (edges_ y Hy) as (a & b & c). unfold good_cell. cbn [fst snd]. nia.
Qed.

Lemma spent_rises t x y : x <= y -> spent L width (at_ (type_prices T) t) x <= spent L width (at_ (type_prices T) t) y.
Proof.
  intros less. unfold spent. apply sum_le. intros c Hc. destruct (type_cells_good t c Hc) as (_ & _ & nonneg).
  pose proof (before_rises (fst c) x y less). nia.
Qed.

Lemma spent_none t : spent L width (at_ (type_prices T) t) 0 = 0.
Proof.
  destruct good_parts as (w & _). unfold spent. rewrite (sum_map_ext _ (fun _ => 0)).
  - rewrite (sum_constant). lia.
  - intros c Hc. destruct (type_cells_good t c Hc) as (zero & _ & _). unfold before_time. nia.
Qed.

Lemma run_times r : In r (runs s) -> 0 <= start r /\ start r <= ends I r /\ ends I r <= L.
Proof.
  intros Hr. destruct (valid_placed I s r ok Hr) as (_ & _ & zero). pose proof (ends_forward I r times_ok).
  pose proof (max_in (map (ends I) (runs s)) _ (in_map (ends I) _ _ Hr)). unfold makespan in short. lia.
Qed.

Definition pays (r : run) : Z :=
  spent L width (at_ (type_prices T) (on r)) (ends I r) - spent L width (at_ (type_prices T) (on r)) (start r).

Lemma processor_pays t q : sum (map pays (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))))
  <= spent L width (at_ (type_prices T) t) L.
Proof.
  set (P := spent L width (at_ (type_prices T) t)).
  rewrite (sum_map_ext pays (fun r => P (ends I r) - P (start r))).
  2: { intros r Hr. apply filter_In in Hr. destruct Hr as [Hr _]. apply filter_In in Hr. destruct Hr as [_ same].
       apply N.eqb_eq in same. unfold pays, P. rewrite same. reflexivity. }
  assert (none : P 0 = 0) by apply spent_none.
  destruct good_parts as (_ & _ & pos & _). assert (rises : P 0 <= P L) by (apply spent_rises; lia).
  replace (P L) with (P L - P 0) by lia.
  apply (packed (fun r => P (start r)) (fun r => P (ends I r)) _ _ (P 0) (P L) (le_n _) rises).
  - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr _]. apply filter_In in Hr. destruct Hr as [Hr _].
    destruct (run_times r Hr) as (zero & forward & last). unfold P. repeat split; apply spent_rises; lia.
  - apply ForallOrdPairs_impl with (R := fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q);
      [|do 2 apply ForallOrdPairs_filter; apply runs_apart; exact ok].
    intros x y Hx Hy H. apply filter_In in Hx, Hy. destruct Hx as [Hx px], Hy as [Hy py].
    apply filter_In in Hx, Hy. destruct Hx as [_ ox], Hy as [_ oy]. rewrite N.eqb_eq in *. rewrite Z.eqb_eq in *.
    destruct (H ltac:(congruence) ltac:(congruence)); [left|right]; apply spent_rises; assumption.
Qed.

Lemma types_pay : sum (map pays (runs s)) <= room_of_types T (fun m => m).
Proof.
  unfold room_of_types. apply (sum_groups N.eq_dec on).
  - apply numbers_nodup.
  - intros r Hr. apply placed_type. exact (valid_placed I s r ok Hr).
  - intros t _. rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N).
    pose proof (processors_nonnegative I t counts_ok) as many. set (P := spent L width (at_ (type_prices T) t) L).
    pose (keys := map Z.of_nat (seq 0 (Z.to_nat (processors I t)))).
    assert (keys_sum : sum (map (fun _ : Z => P) keys) = processors I t * P).
    { rewrite sum_constant. unfold keys. rewrite map_length, seq_length, Z2Nat.id by assumption. reflexivity. }
    rewrite <- keys_sum. apply (sum_groups Z.eq_dec proc).
    + unfold keys. apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup].
    + intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
      destruct (valid_placed I s r ok Hr) as (_ & there & _). unfold keys. apply in_map_iff.
      exists (Z.to_nat (proc r)). rewrite in_seq. lia.
    + intros q _. rewrite (filter_ext _ (fun r => proc r =? q)) by (intros; apply decide_Z). apply processor_pays.
Qed.

Let all := numbers (length (tasks I)).
Let S_ := fun j => start (the s j).
Let E_ := fun j => ends I (the s j).

Lemma grouped_total (l : list (N * (Z * Z))) (f : N -> Z * Z -> Z) : (forall x, In x l -> In (fst x) all) ->
  sum (map (fun j => sum (map (f j) (at_ (grouped fst l) j))) all) = sum (map (fun x => f (fst x) (snd x)) l).
Proof.
  intros inside_. rewrite (sum_groups_equal N.eq_dec fst (fun x => f (fst x) (snd x)) all l (numbers_nodup _) inside_).
  apply sum_map_ext. intros j _. rewrite (filter_ext _ (fun x => (fst x =? j)%N)) by (intros; apply decide_N).
  unfold at_. rewrite group_filter, map_map. apply sum_map_ext. intros x Hx. apply filter_In in Hx.
  destruct Hx as [_ same]. apply N.eqb_eq in same. rewrite same. reflexivity.
Qed.

Lemma edge_total side (time_ : N -> Z) : (forall e, In e (edges I) -> task_number I (side e)) ->
  sum (map (fun j => from_on (at_ (grouped fst (edge_prices side)) j) (time_ j)) all)
  = sum (map (fun x => match find all_edges (fst x) with
                       | Some e => snd (snd x) * cell_unit given *
                                   (cell_length L width (fst (snd x)) - before_time L width (fst (snd x)) (time_
                                     (side e)))
                       | None => 0
                       end) (edge_cells given)).
Proof.
  intros tasks_. unfold from_on.
  rewrite (grouped_total (edge_prices side)
             (fun j c => snd c * (cell_length L width (fst c) - before_time L width (fst c) (time_ j)))).
  - unfold edge_prices. induction (edge_cells given) as [|x l IH]; [reflexivity|]. cbn [flat_map map].
    rewrite map_app, sum_app, IH. cbn [sum fold_right]. f_equal.
    destruct (find all_edges (fst x)) as [e|]; [|reflexivity]. exact (Z.add_0_r _).
  - intros y Hy. unfold edge_prices in Hy. apply in_flat_map in Hy. destruct Hy as (x & Hx & Hy).
    destruct good_parts as (_ & _ & _ & _ & _ & known_ & _). destruct (known_ x Hx) as (e & found & He).
    rewrite found in Hy. destruct Hy as [<-|[]]. apply in_numbers. exact (tasks_ e He).
Qed.

Lemma edges_pay : sum (map (fun j => from_on (at_ (head_prices T) j) (S_ j)) all)
  <= sum (map (fun j => from_on (at_ (tail_prices T) j) (E_ j)) all).
Proof.
  cbn [all_tables head_prices tail_prices].
  rewrite !edge_total by (intros e He; apply (proj1 edges_ok e He)).
  apply sum_le. intros x Hx. destruct good_parts as (_ & u & _ & _ & cells_ & known_ & _).
  destruct (known_ x Hx) as (e & -> & He). destruct (cells_ x Hx) as (_ & _ & nonneg).
  destruct (proj1 edges_ok e He) as [Hs Ht]. apply in_numbers in Hs, Ht.
  destruct (the_run I s ok _ Hs) as [Hi from_]. destruct (the_run I s ok _ Ht) as [Hj to_].
  pose proof (edge_order I edges_ok s ok e _ _ He Hi Hj from_ to_) as order_.
  pose proof (before_rises (fst (snd x)) _ _ order_). apply Z.mul_le_mono_nonneg_l; [nia|]. unfold S_, E_. lia.
Qed.

Lemma rows_pay : sum (map (fun j => value_of (row_heads T) j * (L - S_ j)) all)
  + sum (map (fun j => adds_on (row_adds T) j (on (the s j))) all) + fixed
  <= sum (map (fun j => value_of (row_tails T) j * (L - E_ j)) all).
Proof.
  cbn [all_tables row_heads row_tails row_adds].
  assert (inside_ : forall side, (forall g r, In (g, r) rows -> end_ok I (side r)) ->
            forall x, In x (flat_map (end_of_row side) rows) -> In (fst x) (numbers (length (tasks I)))).
  { intros side tasks_ y Hy. apply in_flat_map in Hy. destruct Hy as ([g r] & Hr & Hy). unfold end_of_row in Hy.
    cbn [fst snd] in Hy. specialize (tasks_ g r Hr). destruct (side r) as [j|]; [|destruct Hy].
    destruct Hy as [<-|[]]. apply in_numbers. exact tasks_. }
  unfold all. rewrite (totals_sum I size size_is _ _ (fun j => L - S_ j)) by (apply inside_; intros;
    apply (rows_hold g r H)).
  rewrite (totals_sum I size size_is _ _ (fun j => L - E_ j)) by (apply inside_; intros; apply (rows_hold g r H)).
  rewrite (rows_sum I size size_is r_to rows (fun j => L - S_ j)),
    (rows_sum I size size_is r_from rows (fun j => L - E_ j)).
  rewrite (adds_total I L size size_is s rows rows_hold). unfold fixed.
  rewrite (Z.mul_comm (sum (map no_from rows))), <- sum_map_mul.
  assert (each : forall x, In x rows ->
    (match r_to (snd x) with Some j => fst x * (L - S_ j) | None => 0 end + fst x * sum (map (added s) (r_adds (snd
      x)))) +
    fst x * r_length (snd x) <= match r_from (snd x) with Some j => fst x * (L - E_ j) | None => 0 end + L * no_from x).
  { intros [g r] Hr. destruct (rows_hold g r Hr) as (_ & _ & _ & holds_).
  destruct good_parts as (_ & _ & _ & _ & _ & _ & pos).
    specialize (pos _ Hr). cbn [fst snd] in *. unfold no_from. cbn [fst snd]. unfold from_time, to_time in holds_.
    unfold S_, E_. destruct (r_from r), (r_to r); nia. }
  pose proof (sum_le _ _ rows each) as total. rewrite !sum_map_add in total. lia.
Qed.

(** What a task costs where it is. *)
Definition actual (j : N) : Z := cost_at T j (on (the s j)) (E_ j - S_ j) (S_ j).

Lemma all_pay : sum (map actual all) <= room_of_types T (fun m => m) - fixed.
Proof.
  unfold actual, cost_at. rewrite !sum_map_add, !sum_map_mul, !sum_map_add.
  assert (ends_ : forall j, S_ j + (E_ j - S_ j) = E_ j) by (intros; lia).
  rewrite (sum_map_ext (fun j => spent L width (at_ (type_prices T) (on (the s j))) (S_ j + (E_ j - S_ j)))
             (fun j => spent L width (at_ (type_prices T) (on (the s j))) (E_ j))) by (intros j _; rewrite ends_;
               reflexivity).
  rewrite (sum_map_ext (fun j => from_on (at_ (tail_prices T) j) (S_ j + (E_ j - S_ j)))
             (fun j => from_on (at_ (tail_prices T) j) (E_ j))) by (intros j _; rewrite ends_; reflexivity).
  rewrite (sum_map_ext (fun j => value_of (row_tails T) j * (L - (S_ j + (E_ j - S_ j))))
             (fun j => value_of (row_tails T) j * (L - E_ j))) by (intros j _; rewrite ends_; reflexivity).
  pose proof types_pay as types_. pose proof edges_pay as edges_. pose proof rows_pay as rows_.
  assert (by_run : sum (map (fun j => spent L width (at_ (type_prices T) (on (the s j))) (E_ j)) all)
                   - sum (map (fun j => spent L width (at_ (type_prices T) (on (the s j))) (S_ j)) all) = sum (map
                     pays (runs s))).
  { unfold all. rewrite !(sum_by_task I s ok), <- (sum_map_sub I size size_is). apply sum_map_ext. intros r Hr.
    unfold pays, S_, E_. rewrite (the_job I s ok r Hr). reflexivity. }
  lia.
Qed.

(** *** Costs are straight over a stretch *)

Lemma from_on_straight cells a b : 0 <= a <= b -> (forall c, In c cells -> good_cell c) -> one_cell L width a b ->
  straight (from_on cells) a b.
Proof.
  intros ab cells_ same. unfold from_on.
  apply (straight_sum (fun c x => snd c * (cell_length L width (fst c) - before_time L width (fst c) x))).
  intros c Hc. destruct (cells_ c Hc) as (zero & last & _). destruct good_parts as (w & _).
  apply (straight_ext (fun x => snd c * (cell_length L width (fst c) + - 1 * before_time L width (fst c) x)));
    [intros; lia|].
  apply straight_mul. apply (straight_add (fun _ => _)); [apply straight_constant|]. apply straight_mul.
  apply before_straight; auto.
Qed.

Lemma straight_later f d a b : straight f (a + d) (b + d) -> straight (fun x => f (x + d)) a b.
Proof. intros H x Hx. specialize (H (x + d) ltac:(lia)). nia. Qed.

Lemma straight_rest c a b : straight (fun x => c * (L - x)) a b.
Proof. intros x Hx. ring. Qed.

Lemma cost_straight j t d a b : 0 <= d -> 0 <= a <= b -> one_cell L width a b -> one_cell L width (a + d) (b + d) ->
  straight (cost_at T j t d) a b.
Proof.
  intros pos ab one two. destruct good_parts as (w & _). unfold cost_at.
  apply (straight_add (fun x => _)); [apply (straight_add (fun x => _)); [apply straight_constant|]|].
  - apply (straight_add (fun x => _)).
    + apply (straight_later (spent L width (at_ (type_prices T) t))). apply spent_straight; [exact w|lia| |exact two].
      intros c Hc. destruct (type_cells_good t c Hc) as (? & ? & _). auto.
    + apply straight_mul. apply spent_straight; [exact w|lia| |exact one].
      intros c Hc. destruct (type_cells_good t c Hc) as (? & ? & _). auto.
  - apply (straight_add (fun x => _)).
    + apply (straight_add (fun x => _)); [|apply straight_rest]. apply from_on_straight; [lia| |exact one].
      intros c. apply edge_cells_good.
    + apply straight_mul. apply (straight_later (fun x => from_on (at_ (tail_prices T) j) x + value_of (row_tails T)
      j * (L - x))).
      apply (straight_add (fun x => _)); [|apply straight_rest]. apply from_on_straight; [lia| |exact two].
      intros c. apply edge_cells_good.
Qed.

(** *** Places *)

Lemma places_spec w j modes : forall p, places T w j modes = Some p -> forall m, In m modes ->
  exists l, stretches T w j m = Some l /\ In (m, l) p.
Proof.
  induction modes as [|m' modes IH]; intros p H m Hm; [destruct Hm|]. cbn [places] in H.
  destruct (stretches T w j m') as [l|] eqn:one; [|discriminate].
  destruct (places T w j modes) as [rest|] eqn:others; [|discriminate]. inversion H; subst p.
  destruct Hm as [<-|Hm]; [exists l; split; [exact one|left; reflexivity]|].
  destruct (IH rest eq_refl m Hm) as (l' & found & Hl). exists l'. split; [exact found|right; exact Hl].
Qed.

Lemma stretch_of W j w p : all_fit I L s W -> In j all -> find W j = Some w -> places T w j (w_modes w) = Some p ->
  exists l a b, In ((on (the s j), E_ j - S_ j), l) p /\
    In ((a, b), (cost_at T j (on (the s j)) (E_ j - S_ j) a, cost_at T j (on (the s j)) (E_ j - S_ j) b)) l /\
    a <= S_ j <= b /\ straight (cost_at T j (on (the s j)) (E_ j - S_ j)) a b.
Proof.
  intros all_ Hj found placed_. destruct (the_run I s ok j Hj) as [Hr is_j].
  destruct (all_ _ Hr) as (w' & found' & fit). rewrite is_j, found in found'. inversion found'; subst w'. clear found'.
  pose proof fit as (f1 & f2 & f3 & f4 & mode). destruct (run_times _ Hr) as (zero & forward & last_).
  pose proof (duration_ends I (the s j)) as dur. rewrite is_j in dur, mode.
  assert (is_d : duration I (on (the s j)) j = E_ j - S_ j) by (unfold E_, S_; lia). rewrite is_d in mode.
  destruct (places_spec w j (w_modes w) p placed_ _ mode) as (l & stretches_ & Hl). exists l.
  unfold stretches in stretches_. cbn [fst snd] in stretches_. set (d := E_ j - S_ j) in *.
  destruct (Z.ltb_spec d 0); [discriminate|]. cbv zeta in stretches_.
  destruct (pieces width (Z.to_nat (2 * ((last_of w d - first_of w d) / width) + 4)) (first_of w d) d (last_of w d))
    as [q|] eqn:cut; [|discriminate]. inversion stretches_; subst l.
  destruct good_parts as (w_pos & _).
  destruct (pieces_spec L width w_pos _ _ _ _ _ (S_ j) cut) as (a & b & Hab & first_ & between & end_ & one & two).
  - unfold first_of. lia.
  - assumption.
  - unfold last_of. lia.
  - unfold first_of, last_of, d, E_, S_ in *. lia.
  - exists a, b. split; [exact Hl|]. split; [|split; [exact between|]].
    + apply in_map_iff. exists (a, b). auto.
    + assert (0 <= a) by (unfold first_of in first_; lia). apply cost_straight; auto; lia.
Qed.

Lemma least_of_spec l x : In x l -> exists c, least_of l = Some c /\ c <= x.
Proof.
  induction l as [|y l IH]; intros Hx; [destruct Hx|]. cbn [least_of fold_right]. fold (least_of l).
  destruct Hx as [->|Hx]; [destruct (least_of l); eexists; (split; [reflexivity|lia])|].
  destruct (IH Hx) as (c & -> & less). eexists. split; [reflexivity|lia].
Qed.

Lemma most_of_spec l x : In x l -> exists c, most_of l = Some c /\ x <= c.
Proof.
  induction l as [|y l IH]; intros Hx; [destruct Hx|]. cbn [most_of fold_right]. fold (most_of l).
  destruct Hx as [->|Hx]; [destruct (most_of l); eexists; (split; [reflexivity|lia])|].
  destruct (IH Hx) as (c & -> & less). eexists. split; [reflexivity|lia].
Qed.

Lemma least_actual W j w p : all_fit I L s W -> In j all -> find W j = Some w -> places T w j (w_modes w) = Some p ->
  exists c, least_cost p = Some c /\ c <= actual j.
Proof.
  intros all_ Hj found placed_. destruct (stretch_of W j w p all_ Hj found placed_) as (l & a & b & Hl & Hab &
    between & line).
  pose proof (straight_least _ a b (S_ j) line between) as least. fold (actual j) in least.
  set (ca := cost_at T j (on (the s j)) (E_ j - S_ j) a) in *.
  set (cb := cost_at T j (on (the s j)) (E_ j - S_ j) b) in *.
  assert (there : forall x, x = ca \/ x = cb -> In x (flat_map (fun m =>
            flat_map (fun s : stretch => [fst (snd s); snd (snd s)]) (snd m)) p)).
  { intros x Hx. apply in_flat_map. eexists. split; [exact Hl|]. apply in_flat_map. eexists. split; [exact Hab|].
    cbn [fst snd]. destruct Hx as [-> | ->]; [left|right; left]; reflexivity. }
  unfold least_cost. destruct (Z.min_spec ca cb) as [[_ is_]|[_ is_]]; rewrite is_ in least.
  - destruct (least_of_spec _ ca (there ca (or_introl eq_refl))) as (c & -> & less). exists c. split; [reflexivity|lia].
  - destruct (least_of_spec _ cb (there cb (or_intror eq_refl))) as (c & -> & less). exists c. split; [reflexivity|lia].
Qed.

Lemma affordable_actual W j w p most : all_fit I L s W -> In j all -> find W j = Some w ->
  places T w j (w_modes w) = Some p -> actual j <= most ->
  exists a b, In ((on (the s j), E_ j - S_ j), (a, b)) (affordable most p) /\ a <= S_ j <= b.
Proof.
  intros all_ Hj found placed_ cheap. destruct (stretch_of W j w p all_ Hj found placed_) as (l & a & b & Hl & Hab &
    between & line).
  destruct (below_spec _ a b most (S_ j) line between cheap) as (lo & hi & is_ & inside_).
  set (parts := flat_map (fun s : stretch => match below (fst (snd s)) (snd (snd s)) (fst (fst s)) (snd (fst s)) most
    with
                          | Some x => [x] | None => [] end) l).
  assert (there : In (lo, hi) parts).
  { apply in_flat_map. eexists. split; [exact Hab|]. cbn [fst snd]. rewrite is_. left. reflexivity. }
  destruct (least_of_spec _ lo (in_map fst _ _ there)) as (x & is_x & less).
  destruct (most_of_spec _ hi (in_map snd _ _ there)) as (y & is_y & more). exists x, y. split; [|lia].
  unfold affordable. apply in_flat_map. eexists. split; [exact Hl|]. cbn [fst snd]. cbv zeta. fold parts.
  rewrite is_x, is_y. left. reflexivity.
Qed.

Lemma leave_types_possible W j types_ : task_number I j -> all_fit I L s W ->
  (forall r, In r (runs s) -> job r = j -> among (on r) types_ = true) -> possible I L s (leave_types W j types_).
Proof.
  intros Hj all_ there. unfold leave_types. destruct (find W j) as [w|]; [|exact all_].
  destruct (forallb _ _); [exact all_|]. apply changed_possible; auto.
  intros r v Hr same _ (f1 & f2 & f3 & f4 & f5). unfold fits. cbn. repeat split; auto.
  apply filter_In. split; [exact f5|]. exact (there r Hr same).
Qed.

Lemma narrow_possible W V j w p slack : all_fit I L s W -> all_fit I L s V -> In j all -> find W j = Some w ->
  places T w j (w_modes w) = Some p -> (forall c, least_cost p = Some c -> actual j <= c + slack) ->
  possible I L s (narrow slack V j p).
Proof.
  intros all_W all_V Hj found placed_ cheap. unfold narrow. destruct (least_cost p) as [c|] eqn:least; [|exact all_V].
  destruct (affordable_actual W j w p (c + slack) all_W Hj found placed_ (cheap c eq_refl)) as (a & b & there &
    between).
  pose proof (proj1 (in_numbers _ _) Hj) as Hj'. destruct (the_run I s ok j Hj) as [Hr is_j].
  assert (only : forall r, In r (runs s) -> job r = j -> r = the s j) by (intros r Hr' same; symmetry;
    rewrite <- same; apply (the_job I s ok r Hr')).
  cbv zeta. apply then_possible.
  - apply leave_types_possible; auto. intros r Hr' same. rewrite (only r Hr' same). unfold among. apply existsb_exists.
    exists (on (the s j)). split; [|apply N.eqb_refl].
    apply in_map_iff. eexists. split; [|exact there]. reflexivity.
  - intros V' all_V'.
    destruct (least_of_spec (map (fun x => fst (snd x)) (affordable (c + slack) p)) a
                ltac:(apply in_map_iff; eexists; split; [|exact there]; reflexivity)) as (x & -> & less).
    destruct (most_of_spec (map (fun x => snd (snd x) + snd (fst x)) (affordable (c + slack) p)) (b + (E_ j - S_ j))
                ltac:(apply in_map_iff; eexists; split; [|exact there]; reflexivity)) as (y & -> & more).
    apply then_possible.
    + apply raise_start_possible; auto. intros r Hr' same. rewrite (only r Hr' same). unfold S_ in *. lia.
    + intros V2 all_V2. apply raise_tail_possible; auto. intros r Hr' same. rewrite (only r Hr' same).
      unfold S_, E_ in *. lia.
Qed.

Lemma all_places_spec W l : forall p, all_places T W l = Some p -> map fst p = l /\
  (forall j q, In (j, q) p -> exists w, find W j = Some w /\ places T w j (w_modes w) = Some q).
Proof.
  induction l as [|j l IH]; intros p H; cbn [all_places] in H; [inversion H; split; [reflexivity|intros ? ? []]|].
  destruct (find W j) as [w|] eqn:found; [|discriminate].
  destruct (places T w j (w_modes w)) as [q|] eqn:one; [|discriminate].
  destruct (all_places T W l) as [rest|] eqn:others; [|discriminate]. inversion H; subst p.
  destruct (IH rest eq_refl) as [same each]. split; [cbn [map fst]; congruence|].
  intros i q' [is_|Hi]; [inversion is_; subst; eauto|exact (each i q' Hi)].
Qed.

Theorem timed_possible W x : all_fit I L s W -> timed_line W = Some x -> possible I L s x.
Proof.
  intros all_W H. unfold timed_line in H. cbv zeta in H. rewrite good in H. cbn [negb] in H.
  destruct (all_places T W (numbers (length (tasks I)))) as [ps|] eqn:placed_; [|discriminate].
  destruct (all_places_spec W _ ps placed_) as [is_all each].
  set (slack := room_of_types T (fun m => m) - fixed - sum (map (fun x => amount (least_cost (snd x))) ps)) in H.
  assert (costs_ : forall j q, In (j, q) ps -> In j all /\ amount (least_cost q) <= actual j /\
            exists c, least_cost q = Some c).
  { intros j q Hq. destruct (each j q Hq) as (w & found & placed_j).
    assert (Hj : In j all) by (unfold all; rewrite <- is_all; change j with (fst (j, q)); apply in_map; exact Hq).
    destruct (least_actual W j w q all_W Hj found placed_j) as (c & is_c & less). rewrite is_c. cbn [amount].
    split; [exact Hj|]. split; [exact less|]. eauto. }
  assert (total : sum (map (fun x => actual (fst x) - amount (least_cost (snd x))) ps) <= slack).
  { rewrite (sum_map_sub I size size_is). unfold slack. pose proof all_pay as pay. unfold all in pay.
  rewrite <- is_all, map_map in pay. lia. }
  assert (nonneg : forall l, (forall y, In y l -> In y ps) ->
            0 <= sum (map (fun x => actual (fst x) - amount (least_cost (snd x))) l)).
  { intros l part. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as ([j q] & <- & Hq).
    destruct (costs_ j q (part _ Hq)) as (_ & less & _). cbn [fst snd]. lia. }
  assert (cheap : forall j q, In (j, q) ps -> actual j <= amount (least_cost q) + slack).
  { intros j q Hq. apply in_split in Hq. destruct Hq as (l & m & is_). pose proof total as total'.
    rewrite is_, map_app, sum_app in total'. cbn [map sum fold_right fst snd] in total'.
    fold (sum (map (fun x => actual (fst x) - amount (least_cost (snd x))) m)) in total'.
    pose proof (nonneg l ltac:(intros y Hy; rewrite is_; apply in_or_app; left; exact Hy)).
    pose proof (nonneg m ltac:(intros y Hy; rewrite is_; apply in_or_app; right; right; exact Hy)). lia. }
  destruct (Z.ltb_spec slack 0) as [less|enough]; [exfalso; pose proof (nonneg ps (fun y Hy => Hy)); lia|].
  destruct (slack <? 2 ^ 60); inversion H; [|exact all_W]. clear H x H1.
  assert (fold_ : forall l V, (forall y, In y l -> In y ps) -> possible I L s V ->
            possible I L s (fold_left (fun x p => then_ x (fun W => narrow slack W (fst p) (snd p))) l V)).
  { induction l as [|[j q] l IH]; intros V part possible_; [exact possible_|]. cbn [fold_left]. apply IH.
    - intros y Hy. apply part. right. exact Hy.
    - apply then_possible; [exact possible_|]. intros V' all_V'. cbn [fst snd].
      pose proof (part (j, q) (or_introl eq_refl)) as Hq. destruct (each j q Hq) as (w & found & placed_j).
      destruct (costs_ j q Hq) as (Hj & _ & _).
      apply (narrow_possible W V' j w q slack all_W all_V' Hj found placed_j).
      intros c is_c. pose proof (cheap j q Hq) as H. rewrite is_c in H. exact H. }
  apply fold_; [auto|exact all_W].
Qed.
End Costs.
