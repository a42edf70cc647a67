(* SPDX-License-Identifier: Apache-2.0 *)
(** Proofs about task graphs: lines that narrow the windows of the tasks, and suppositions. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays Rows Multipliers Learned Steps
  Numbering Gather Chains Least Twins Part Timed.
Import ListNotations.
Open Scope Z_scope.

Inductive line :=
| Heads (tasks : list N)
| Tails (tasks : list N)
| Path
| Ancestors (j : N) (a b : Z) (weights : list Z)
| Descendants (j : N) (a b : Z) (weights : list Z)
| Energy (a b : Z) (weights : list Z)
| Lp (edges_ starts tails : list (N * Z)) (intervals : list interval) (mixes : list mix) (crossings : list crossing)
| Suppose (j : N) (x : claim) (lines : list line)
| Learn (sequence : list N) (items : list item_)
| Gather (j : N) (y : Z)
| Scatter (j : N) (y : Z)
| OfChains (t : N) (path : list N) (rows : list row_file) (tree : chain_tree)
| Shift (tasks : list N)
| OverTime (x : timed)
| TwinsAre (tasks : list N)
| PartOf (before : bool) (j : N) (y : Z) (members : list (N * Z)) (lines : list line).

Section LineInduction.
Variable Q : line -> Prop.
Hypothesis heads : forall l, Q (Heads l).
Hypothesis tails : forall l, Q (Tails l).
Hypothesis path : Q Path.
Hypothesis ancestors_ : forall j a b w, Q (Ancestors j a b w).
Hypothesis descendants_ : forall j a b w, Q (Descendants j a b w).
Hypothesis energy : forall a b w, Q (Energy a b w).
Hypothesis lp : forall e a b i m c, Q (Lp e a b i m c).
Hypothesis suppose : forall j x lines, Forall Q lines -> Q (Suppose j x lines).
Hypothesis learn : forall sequence items, Q (Learn sequence items).
Hypothesis gather : forall j y, Q (Gather j y).
Hypothesis scatter : forall j y, Q (Scatter j y).
Hypothesis chains : forall t path rows tree, Q (OfChains t path rows tree).
Hypothesis shift : forall l, Q (Shift l).
Hypothesis over_time : forall x, Q (OverTime x).
Hypothesis twins_ : forall l, Q (TwinsAre l).
Hypothesis part : forall before j y members lines, Q (PartOf before j y members lines).

Fixpoint line_induction (n : line) : Q n :=
  match n with
  | Heads l => heads l
  | Tails l => tails l
  | Path => path
  | Ancestors j a b w => ancestors_ j a b w
  | Descendants j a b w => descendants_ j a b w
  | Energy a b w => energy a b w
  | Lp e a b i m c => lp e a b i m c
  | Suppose j x lines =>
      suppose j x lines
        ((fix every (l : list line) : Forall Q l :=
            match l with [] => Forall_nil Q | n :: l => Forall_cons n (line_induction n) (every l) end) lines)
  | Learn sequence items => learn sequence items
  | Gather j y => gather j y
  | Scatter j y => scatter j y
  | OfChains t path rows tree => chains t path rows tree
  | Shift l => shift l
  | OverTime x => over_time x
  | TwinsAre l => twins_ l
  | PartOf before j y members lines => part before j y members lines
  end.
End LineInduction.

Section Lines.
Variable I : instance.
Variable L : Z.
Variable into : M.t (list edge).
Variable out : M.t (list edge).
Variable all_edges : M.t edge.
Variable order : list N.   (* of the tasks, along the edges *)
Variable size : N.
Variable is_part : bool.     (* whether these are lines of a part, which has no parts and twins *)
Variable part_holds : bool -> N -> Z -> list (N * Z) -> list line -> state -> bool.

Definition is_task (j : N) : bool := (j <? size)%N.

Definition each_of (f : windows -> N -> state) (l : list N) (W : windows) : state :=
  fold_left (fun x j => match x with Some W => f W j | None => None end) l (Some W).

Definition head_line (T : twins) (W : windows) (j : N) : state :=
  then_ (head_of L into W j) (fun W => head_twin L T W j).

Definition tail_line (T : twins) (W : windows) (j : N) : state :=
  then_ (tail_of L out W j) (fun W => tail_twin L T W j).

(** What is asked of a line in a state that is refuted. *)
Fixpoint still (top : bool) (n : line) : bool :=
  match n with
  | TwinsAre l => top && negb is_part && match add_twins I into out l no_twins with Some _ => true | None => false end
  | PartOf before j y members lines => negb is_part && is_task j && part_holds before j y members lines None
  | Suppose _ _ lines => forallb (still false) lines
  | _ => true
  end.

(** What a line makes of the windows; nothing where it does not hold. Where the windows are refuted, all lines hold. *)
Fixpoint line_of (T : twins) (n : line) (W : windows) : option state :=
  match n with
  | Heads l => if forallb is_task l then Some (each_of (head_line T) l W) else None
  | Tails l => if forallb is_task l then Some (each_of (tail_line T) l W) else None
  | Path => Some (then_ (each_of (head_line T) order W) (each_of (tail_line T) (rev order)))
  | Ancestors j a b weights =>
      if is_task j && prices_ok I weights && interval_ok L a b then Some (ancestors I L out order W j a b weights)
      else None
  | Descendants j a b weights =>
      if is_task j && prices_ok I weights && interval_ok L a b then Some (descendants I L into order W j a b weights)
      else None
  | Energy a b weights =>
      if prices_ok I weights && interval_ok L a b &&
         ((L - b - a) * supply I (number weights) <? least_overlaps I L W a (L - b) weights)
      then Some None else None
  | Lp edges_ starts tails intervals mixes crossings =>
      match all_rows (mix_row I L into out order size W) x_price mixes,
            all_rows (crossing_row all_edges W) c_price crossings with
      | Some a, Some b =>
          if (costly I || match crossings with [] => true | _ => false end) &&
             refuted I L all_edges size W edges_ starts tails (a ++ b) intervals
          then Some None else None
      | _, _ => None
      end
  | Suppose j x lines =>
      if is_task j
      then match (fix all (l : list line) (x : state) : option state :=
                    match l with
                    | [] => Some x
                    | n :: l => match x with
                                | None => if forallb (still false) (n :: l) then Some None else None
                                | Some W => match line_of T n W with Some x => all l x | None => None end
                                end
                    end) lines (take L W j x) with
           | Some None => Some (take L W j (opposite x))
           | _ => None
           end
      else None
  | Learn sequence items =>
      if forallb is_task sequence && different sequence && (N.of_nat (length sequence) =? size)%N &&
         learned I L all_edges size sequence (twin_before T) W items
      then Some None else None
  | Gather j y => if is_task j && gather_holds I L into order W j y then Some (raise_start L W j (y + 1)) else None
  | Scatter j y => if is_task j && scatter_holds I L out order W j y then Some (raise_tail L W j (y + 1)) else None
  | OfChains t path rows tree => if chains_hold I L into out order t W path rows tree then Some None else None
  | Shift l => if forallb is_task l then Some (each_of (shift_of I L is_part into) l W) else None
  | OverTime x =>
      match all_rows (mix_row I L into out order size W) x_price (timed_rows x) with
      | Some rows => timed_line I L all_edges x rows W
      | None => None
      end
  | TwinsAre l => None
  | PartOf before j y members lines =>
      if negb is_part && is_task j && part_holds before j y members lines (Some W)
      then Some (if before then raise_start L W j (y + 1) else raise_tail L W j (y + 1)) else None
  end.

Fixpoint lines_of (T : twins) (l : list line) (x : state) : option state :=
  match l with
  | [] => Some x
  | n :: l => match x with
              | None => if forallb (still false) (n :: l) then Some None else None
              | Some W => match line_of T n W with Some x => lines_of T l x | None => None end
              end
  end.

(** Lines outside of suppositions. *)
Fixpoint top_lines (T : twins) (l : list line) (x : state) : option state :=
  match l with
  | [] => Some x
  | n :: l => match x with
              | None => if forallb (still true) (n :: l) then Some None else None
              | Some W => match n with
                          | TwinsAre m =>
                              if is_part then None else
                              match add_twins I into out m T with Some T => top_lines T l x | None => None end
                          | _ => match line_of T n W with Some x => top_lines T l x | None => None end
                          end
              end
  end.

Lemma inner_lines T l : forall x,
  (fix all (l : list line) (x : state) : option state :=
     match l with
     | [] => Some x
     | n :: l => match x with
                 | None => if forallb (still false) (n :: l) then Some None else None
                 | Some W => match line_of T n W with Some x => all l x | None => None end
                 end
     end) l x = lines_of T l x.
Proof.
  induction l as [|n l IH]; intros x; [reflexivity|]. destruct x as [W|]; [|reflexivity]. cbn [lines_of].
  destruct (line_of T n W); auto.
Qed.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis into_is : into = grouped target (edges I).
Hypothesis out_is : out = grouped source (edges I).
Hypothesis edges_are : all_edges = tabled (edges I).
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Hypothesis order_ok : forallb is_task order = true.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis short : makespan I s <= L.
Variable behind : N -> Z.
Hypothesis on_time : in_time I L behind s.
Hypothesis least_s : least I L behind s.
Hypothesis nothing_behind : is_part = false -> forall j, behind j = 0.
Hypothesis nothing_released : is_part = false -> forall q, In q (runs s) -> released I (job q) = 0.
Hypothesis part_right : forall before j y members lines W, all_fit I L s W ->
  part_holds before j y members lines (Some W) = true -> forall r, In r (runs s) -> job r = j ->
  if before then y < start r else ends I r + y < L.

Lemma tasks_are l j : forallb is_task l = true -> In j l -> task_number I j.
Proof. rewrite forallb_forall. intros H Hj. specialize (H j Hj). unfold is_task in H. apply N.ltb_lt in H. red. lia.
Qed.

Lemma each_possible f l : (forall W j, In j l -> all_fit I L s W -> possible I L s (f W j)) -> forall W,
  all_fit I L s W -> possible I L s (each_of f l W).
Proof.
  unfold each_of. intros one.
  assert (all : forall l', incl l' l -> forall x, possible I L s x -> possible I L s (fold_left (fun x j => match x with
            Some W => f W j | None => None end) l' x)).
  { induction l' as [|j l' IH]; intros part x ok_; [exact ok_|]. simpl. apply IH.
    - intros k Hk. apply part. right. exact Hk.
    - destruct x as [W|]; [|destruct ok_]. apply one; [apply part; left; reflexivity|exact ok_]. }
  intros W all_. apply all; [apply incl_refl|exact all_].
Qed.

Section WithTwins.
Variable T : twins.
Hypothesis twins_ok : twins_hold I s T.

Lemma each_head l W : forallb is_task l = true -> all_fit I L s W -> possible I L s (each_of (head_line T) l W).
Proof.
  intros Hl. apply each_possible. intros V j Hj all_. pose proof (tasks_are l j Hl Hj) as Hj'.
  apply then_possible; [rewrite into_is; apply head_possible; auto|]. intros V' all_'.
  apply head_twin_possible; auto.
Qed.

Lemma each_tail l W : forallb is_task l = true -> all_fit I L s W -> possible I L s (each_of (tail_line T) l W).
Proof.
  intros Hl. apply each_possible. intros V j Hj all_. pose proof (tasks_are l j Hl Hj) as Hj'.
  apply then_possible; [rewrite out_is; apply tail_possible; auto|]. intros V' all_'.
  apply tail_twin_possible; auto.
Qed.

Definition sound (n : line) : Prop :=
  forall W x, line_of T n W = Some x -> all_fit I L s W -> possible I L s x.

Lemma lines_sound l : Forall sound l -> forall x y, lines_of T l x = Some y -> possible I L s x -> possible I L s y.
Proof.
  induction 1 as [|n l one _ IH]; intros x y H ok_; simpl in H; [inversion H; subst; exact ok_|].
  destruct x as [W|]; [|destruct ok_]. destruct (line_of T n W) as [z|] eqn:next; [|discriminate].
  exact (IH z y H (one W z next ok_)).
Qed.

Theorem line_sound n : sound n.
Proof.
  induction n as [l|l| |j a b w|j a b w|a b w|e a b i m c|j c lines IH|sequence items|j y|j y|t p r tree|l|prices|l|b
    j y m lines] using line_induction; intros W x H all_; simpl in H.
  - destruct (forallb is_task l) eqn:Hl; [|discriminate]. inversion H as [is_x]. apply each_head; assumption.
  - destruct (forallb is_task l) eqn:Hl; [|discriminate]. inversion H as [is_x]. apply each_tail; assumption.
  - inversion H as [is_x]. apply then_possible; [exact (each_head order W order_ok all_)|]. intros V all_'.
    apply each_tail; [|exact all_']. rewrite forallb_forall in *. intros j Hj. apply order_ok, in_rev, Hj.
  - destruct (is_task j) eqn:Hj; [|discriminate]. destruct (prices_ok I w) eqn:prices_; [|discriminate].
    destruct (interval_ok L a b); [|discriminate]. inversion H as [is_x]. rewrite out_is.
    apply ancestors_possible; auto. apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto].
  - destruct (is_task j) eqn:Hj; [|discriminate]. destruct (prices_ok I w) eqn:prices_; [|discriminate].
    destruct (interval_ok L a b); [|discriminate]. inversion H as [is_x]. rewrite into_is.
    apply descendants_possible; auto. apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto].
  - destruct (prices_ok I w) eqn:prices_; [|discriminate]. destruct (interval_ok L a b) eqn:inside_; [|discriminate].
    simpl in H. destruct (Z.ltb_spec ((L - b - a) * supply I (number w)) (least_overlaps I L W a (L - b) w)) as [more|];
      [|discriminate].
    unfold interval_ok in inside_. rewrite !andb_true_iff, !Z.leb_le in inside_.
    pose proof (overlaps_least I L counts_ok times_ok s ok W a (L - b) w all_ ltac:(lia)
                  (fun t => prices_nonneg I w t prices_)). lia.
  - destruct (all_rows (mix_row I L into out order size W) x_price m) as [mixed|] eqn:mixes; [|discriminate].
    destruct (all_rows (crossing_row all_edges W) c_price c) as [crossed|] eqn:crossings; [|discriminate].
    match type of H with (if ?e then _ else _) = _ => destruct e eqn:both; [|discriminate] end.
    apply andb_true_iff in both. destruct both as [_ refuted_]. exfalso.
    refine (refuted_right I L all_edges size counts_ok times_ok edges_ok edges_are size_is s ok W e a b (mixed ++
      crossed) i
              all_ _ refuted_).
    intros g r Hr. apply in_app_or in Hr. destruct Hr as [Hr|Hr].
    + refine (all_rows_hold I L s _ x_price _ m mixed mixes g r Hr). intros x' row_ is_row.
      exact (mix_row_holds I L into out order size times_ok edges_ok into_is out_is size_is s ok short W x' row_ all_
        is_row).
    + refine (all_rows_hold I L s _ c_price _ c crossed crossings g r Hr). intros x' row_ is_row.
      exact (crossing_row_holds I L all_edges size edges_ok edges_are size_is s ok W x' row_ all_ is_row).
  - destruct (is_task j) eqn:Hj; [|discriminate]. rewrite inner_lines in H.
    assert (Hj' : task_number I j) by (apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto]).
    destruct (lines_of T lines (take L W j c)) as [[V|]|] eqn:refuted_; try discriminate. inversion H as [is_x].
    destruct (a_run I s ok j Hj') as (r & Hr & same). destruct (holds_or I c r) as [yes|no].
    + exfalso. apply (lines_sound lines IH _ _ refuted_). apply take_possible; auto.
      intros q Hq is_q. rewrite (same_run I s ok q r Hq Hr); [exact yes|congruence].
    + apply take_possible; auto. intros q Hq is_q. rewrite (same_run I s ok q r Hq Hr); [exact no|congruence].
  - destruct (forallb is_task sequence) eqn:tasks_; [|discriminate].
    destruct (different sequence) eqn:differ; [|discriminate].
    destruct (N.eqb_spec (N.of_nat (length sequence)) size) as [same|]; [|discriminate].
    destruct (learned I L all_edges size sequence (twin_before T) W items) eqn:learned_; [|discriminate]. exfalso.
    pose proof (fun j => tasks_are sequence j tasks_) as only. apply different_spec in differ.
    assert (all_there : forall j, task_number I j -> In j sequence).
    { intros j Hj. apply in_numbers in Hj. revert j Hj. apply NoDup_length_incl; [exact differ| |].
      - unfold numbers. rewrite map_length, seq_length. lia.
      - intros j Hj. apply in_numbers, only, Hj. }
    assert (no_more : length sequence = length (tasks I)) by lia.
    pose proof (valid_renumbered I sequence nothing_busy all_there no_more s ok only) as ok'.
    pose proof (numbered_all I sequence all_there no_more s ok only) as numbers_. rewrite <- size_is in numbers_.
    refine (learned_right I L all_edges size sequence (twin_before T) counts_ok times_ok edges_ok size_is edges_are
              (renumbered_all sequence s) ok' numbers_ _ W items _ learned_); [|apply fits_renumbered; exact all_].
    intros j i twin. destruct (proj1 twins_ok j i twin) as (Hi & Hj & first).
    rewrite !(the_renumbered I sequence nothing_busy all_there no_more s ok only) by assumption. exact first.
  - destruct (is_task j) eqn:Hj; [|discriminate].
  destruct (gather_holds I L into order W j y) eqn:holds; [|discriminate].
    inversion H as [is_x]. rewrite into_is in holds. apply (gather_possible I L times_ok edges_ok s ok order); auto.
    apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto].
  - destruct (is_task j) eqn:Hj; [|discriminate].
  destruct (scatter_holds I L out order W j y) eqn:holds; [|discriminate].
    inversion H as [is_x]. rewrite out_is in holds. apply (scatter_possible I L times_ok edges_ok s ok order); auto.
    apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto].
  - destruct (chains_hold I L into out order t W p r tree) eqn:holds; [|discriminate]. exfalso.
    exact (chains_right I L into out order t counts_ok times_ok edges_ok into_is out_is s ok short W all_ p r tree
      holds).
  - destruct (forallb is_task l) eqn:Hl; [|discriminate]. inversion H as [is_x]. apply each_possible; [|exact all_].
    intros V j Hj all_'. rewrite into_is.
    apply (shift_possible I L behind s ok times_ok edges_ok nothing_busy on_time least_s is_part V j nothing_released);
      [exact (tasks_are l j Hl Hj)|exact all_'].
  - destruct (all_rows (mix_row I L into out order size W) x_price (timed_rows prices)) as [rows|] eqn:mixes;
    [|discriminate].
    destruct (timed_ok I L all_edges prices rows (all_tables all_edges prices rows)) eqn:good.
    2: { unfold timed_line in H. rewrite good in H. discriminate. }
    refine (timed_possible I L all_edges prices rows size counts_ok times_ok edges_ok edges_are size_is s ok short _
      good W x
              all_ H).
    intros g r Hr. refine (all_rows_hold I L s _ x_price _ (timed_rows prices) rows mixes g r Hr).
    intros x' row_ is_row.
    exact (mix_row_holds I L into out order size times_ok edges_ok into_is out_is size_is s ok short W x' row_ all_
      is_row).
  - discriminate.
  - destruct (negb is_part && is_task j && part_holds b j y m lines (Some W)) eqn:holds; [|discriminate].
    rewrite !andb_true_iff in holds. destruct holds as [[_ Hj] holds]. inversion H as [is_x].
    pose proof (part_right b j y m lines W all_ holds) as late.
    assert (Hj' : task_number I j) by (apply (tasks_are [j]); simpl; [rewrite Hj; reflexivity|auto]).
    destruct b; [apply raise_start_possible|apply raise_tail_possible]; auto; intros r Hr same;
      specialize (late r Hr same); simpl in late; lia.
Qed.
End WithTwins.

Theorem top_sound l : forall T x y, twins_hold I s T -> top_lines T l x = Some y -> possible I L s x ->
  possible I L s y.
Proof.
  induction l as [|n l IH]; intros T x y hold H ok_; [simpl in H; inversion H; subst; exact ok_|].
  destruct x as [W|]; [|destruct ok_].
  assert (one : forall z, line_of T n W = Some z -> top_lines T l z = Some y -> possible I L s y).
  { intros z first rest. exact (IH T z y hold rest (line_sound T hold n W z first ok_)). }
  destruct n; cbn [top_lines] in H;
    try (match type of H with match line_of ?t ?m ?w with _ => _ end = _ => destruct (line_of t m w) as [z|] end;
         [exact (one z eq_refl H)|discriminate H]).
  revert H. destruct is_part eqn:plain; intros H; [discriminate H|].
  destruct (add_twins I into out tasks T) as [T'|] eqn:added; [|discriminate H].
  refine (IH T' (Some W) y _ H ok_).
  exact (add_twins_hold I L into out edges_ok into_is out_is s ok nothing_busy behind (nothing_behind eq_refl) on_time
           least_s _ T T' hold added).
Qed.
End Lines.

