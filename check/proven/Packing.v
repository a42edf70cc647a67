(* SPDX-License-Identifier: Apache-2.0 *)
(** States of a tree of cases: processors of each type that are left, tasks of each class that are left, and between
    how many of them go to each type. A packing of a state is a pattern, so many tasks of each class, for some of its
    processors. Counts add up over the patterns of a type what each holds of some classes. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Proven Require Import Problem Lists.
Import ListNotations.
Open Scope Z_scope.

(** Tables by class and type *)

Definition cell (m : list (list Z)) (c t : N) : Z := match item m c with Some row => number row t | None => 0 end.

Lemma item_numbers n c : (c < N.of_nat n)%N -> item (numbers n) c = Some c.
Proof.
  intros H. rewrite item_nth. unfold numbers. rewrite nth_error_map.
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. f_equal. lia.
Qed.

Lemma number_map n (f : N -> Z) c : In c (numbers n) -> number (map f (numbers n)) c = f c.
Proof. intros H. apply in_numbers in H. unfold number. rewrite item_map, item_numbers by assumption. reflexivity. Qed.

Definition tabulate (classes types : nat) (f : N -> N -> Z) : list (list Z) :=
  map (fun c => map (f c) (numbers types)) (numbers classes).

Lemma cell_tabulate classes types f c t : In c (numbers classes) -> In t (numbers types) ->
  cell (tabulate classes types f) c t = f c t.
Proof.
  intros Hc Ht. unfold cell, tabulate. rewrite item_map, item_numbers by (apply in_numbers; exact Hc). simpl.
  apply number_map. exact Ht.
Qed.

Lemma sum_swap {A B} (f : A -> B -> Z) l m :
  sum (map (fun x => sum (map (f x) m)) l) = sum (map (fun y => sum (map (fun x => f x y) l)) m).
Proof.
  induction l as [|x l IH]; simpl.
  - induction m; simpl; [reflexivity|]. unfold sum in *. simpl. rewrite <- IHm. reflexivity.
  - fold (sum (map (fun x => sum (map (f x) m)) l)). rewrite IH, <- sum_map_add. reflexivity.
Qed.

Lemma in_sum {A} (f : A -> Z) l x : (forall y, In y l -> 0 <= f y) -> In x l -> f x <= sum (map f l).
Proof.
  induction l as [|y l IH]; simpl; intros nonneg [].
  - subst. assert (0 <= sum (map f l)) by (apply sum_nonnegative; intros z Hz; apply in_map_iff in Hz;
      destruct Hz as (w & <- & Hw); auto). unfold sum in *. lia.
  - specialize (IH (fun z Hz => nonneg z (or_intror Hz)) H). specialize (nonneg y (or_introl eq_refl)).
    unfold sum in *. lia.
Qed.

Lemma some_positive {A} (f : A -> Z) l : 1 <= sum (map f l) -> exists x, In x l /\ 1 <= f x.
Proof.
  induction l as [|y l IH]; simpl; intros H; [lia|]. fold (sum (map f l)) in H.
  destruct (Z_lt_le_dec (f y) 1); [|exists y; auto]. destruct IH as (x & Hx & one); [lia|]. exists x. auto.
Qed.

(** How the limit of a vector is shown to hold on a type: by sets of tasks, by their times, for the patterns of the
    innermost list, or for the sets of a state. *)
Inductive mode := OfSets | OfTimes | OfList | OfState.

(** A vector gives a price to each class on each type, a limit to each type, and prices to the first of the counts. *)
Record vector := { modes_of : list mode; limits : list Z; prices : list (list Z); count_prices : list Z }.

Definition mode_on (v : vector) (t : N) : mode := match item (modes_of v) t with Some m => m | None => OfSets end.
Definition is_listed (v : vector) (t : N) : bool := match mode_on v t with OfList => true | _ => false end.

(** A count says that over the patterns of a type the tasks of some classes, which are marked 1, are at most or at least
    so many; or, where [fewest] is above 0, the patterns with at least so many of them. *)
Record row := { row_type : N; fewest : Z; marks : list Z; at_least : bool; bound : Z }.

Record state := { left : list Z; remaining : list Z; low : list (list Z); high : list (list Z) }.

(** What times on a processor of each type add up to at most. Where tasks or processors are not there from the beginning
    on, also when the tasks of each class and the processors of each type are, and when all has to have ended. *)
Record waiting := { deadline : Z; releases : list Z; frees : list Z }.
Record space := { most_time : list Z; waits : option waiting }.

Definition room_on (rooms : space) (t : N) : Z := number (most_time rooms) t.
Definition beginning (w : waiting) (t c : N) : Z := Z.max (number (releases w) c) (number (frees w) t).

Section Packing.
Variable types : nat.
Variable classes : list (list (option Z)).  (* the usable times of each class *)
Variable rooms : space.
Variable most : list Z.                     (* tasks of each class *)

Definition size := length classes.
Definition cs : list N := numbers size.
Definition ts : list N := numbers types.

Lemma number_ts f t : In t ts -> number (map f ts) t = f t.
Proof. apply number_map. Qed.

Lemma number_cs f c : In c cs -> number (map f cs) c = f c.
Proof. apply number_map. Qed.

Definition class_time (c t : N) : option Z :=
  match item classes c with
  | Some row => match item row t with Some p => p | None => None end
  | None => None
  end.

Definition takes (t c : N) : Z := match class_time c t with Some p => p | None => 0 end.

Notation pattern := (N * (N -> Z))%type.

Definition worth (v : vector) (x : pattern) : Z := sum (map (fun c => snd x c * cell (prices v) c (fst x)) cs).

(** What a pattern has of tasks that are released with those of a class, or later. *)
Definition late (w : waiting) (t : N) (a : N -> Z) (c : N) : Z :=
  sum (map (fun d => if a d =? 0 then 0
                     else if number (releases w) c <=? number (releases w) d then a d * takes t d else 0) cs).

Definition timely (t : N) (a : N -> Z) : bool :=
  match waits rooms with
  | None => true
  | Some w => forallb (fun c => (a c <=? 0) || (beginning w t c + late w t a c <=? deadline w)) cs
  end.

Lemma forallb_same {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> forallb f l = forallb g l.
Proof.
  induction l as [|x l IH]; simpl; intros same; [reflexivity|]. rewrite (same x (or_introl eq_refl)), IH; auto.
Qed.

Lemma timely_same t a b : (forall c, In c cs -> a c = b c) -> timely t a = timely t b.
Proof.
  intros same. unfold timely. destruct (waits rooms) as [w|]; [|reflexivity]. apply forallb_same. intros c Hc.
  rewrite (same c Hc). f_equal. f_equal. f_equal. apply sum_map_ext. intros d Hd. rewrite (same d Hd). reflexivity.
Qed.

(** What patterns of schedules have in common. *)
Definition good (x : pattern) : Prop :=
  (forall c, 0 <= snd x c) /\
  (forall c, In c cs -> snd x c <> 0 -> exists p, class_time c (fst x) = Some p /\ 0 < p) /\
  sum (map (fun c => snd x c * takes (fst x) c) cs) <= room_on rooms (fst x) /\
  (forall c, In c cs -> snd x c <= number most c) /\ timely (fst x) (snd x) = true.

Definition of_type (t : N) (P : list pattern) : list pattern := filter (fun x => (fst x =? t)%N) P.
Definition placed_on (P : list pattern) (t c : N) : Z := sum (map (fun x => snd x c) (of_type t P)).

Definition packs (S : state) (P : list pattern) : Prop :=
  (forall x, In x P -> good x /\ In (fst x) ts) /\
  (forall t, In t ts -> Z.of_nat (length (of_type t P)) <= number (left S) t) /\
  (forall c, In c cs -> sum (map (fun t => placed_on P t c) ts) = number (remaining S) c) /\
  (forall c t, In c cs -> In t ts -> cell (low S) c t <= placed_on P t c <= cell (high S) c t).

(** *** Counts *)

Definition tallied (r : row) (a : N -> Z) : Z :=
  let tasks := sum (map (fun c => number (marks r) c * a c) cs) in
  if fewest r <=? 0 then tasks else if fewest r <=? tasks then 1 else 0.

Definition tally (r : row) (P : list pattern) : Z := sum (map (fun x => tallied r (snd x)) (of_type (row_type r) P)).

Definition row_holds (P : list pattern) (r : row) : Prop :=
  if at_least r then bound r <= tally r P else tally r P <= bound r.

(** Prices of counts that are not 0, positive where the count says at most. A count is lost where a pattern has been
    taken out of the packing since. *)
Definition signed (x : Z * row) : Z := if at_least (snd x) then - fst x else fst x.

Definition active (v : vector) (rows : list (option row)) : list (Z * row) :=
  flat_map (fun x => match snd x with Some r => if fst x <=? 0 then [] else [(fst x, r)] | None => [] end)
           (combine (count_prices v) rows).

Lemma active_spec v rows x : In x (active v rows) -> 0 < fst x /\ In (Some (snd x)) rows.
Proof.
  unfold active. rewrite in_flat_map. intros ([g [r|]] & Hx & H); [|destruct H]. simpl in H.
  destruct (Z.leb_spec g 0); [destruct H|]. destruct H as [<-|[]]. simpl. split; [assumption|].
  exact (in_combine_r _ _ _ _ Hx).
Qed.

Lemma signed_tally P x : 0 < fst x -> row_holds P (snd x) ->
  signed x * tally (snd x) P <= signed x * bound (snd x).
Proof. unfold row_holds, signed. destruct (at_least (snd x)); intros; nia. Qed.

(** What counts add to the price of a pattern where it is one of a list, and to that of a task where it is not. *)
Definition on_pattern (A : list (Z * row)) (t : N) (a : N -> Z) : Z :=
  sum (map (fun x => if (row_type (snd x) =? t)%N then signed x * tallied (snd x) a else 0) A).

Definition on_task (A : list (Z * row)) (t c : N) : Z :=
  sum (map (fun x => if (row_type (snd x) =? t)%N then signed x * number (marks (snd x)) c else 0) A).

Definition pattern_price (v : vector) (A : list (Z * row)) (t : N) (a : N -> Z) : Z :=
  worth v (t, a) - if is_listed v t then on_pattern A t a else 0.

Definition task_price (v : vector) (A : list (Z * row)) (c t : N) : Z :=
  cell (prices v) c t + if is_listed v t then 0 else on_task A t c.

(** Only counts of tasks have prices of tasks. *)
Definition priceable (v : vector) (A : list (Z * row)) : Prop :=
  forall x, In x A -> is_listed v (row_type (snd x)) = true \/ fewest (snd x) <= 0.

(** *** Prices at a state *)

Definition row_terms (A : list (Z * row)) : Z := sum (map (fun x => signed x * bound (snd x)) A).

Definition supply (S : state) (v : vector) : Z := sum (map (fun t => number (left S) t * number (limits v) t) ts).

Definition impossible (S : state) (c : N) : bool :=
  (0 <? number (remaining S) c) && existsb (fun t => cell (high S) c t <? cell (low S) c t) ts.

(** Tasks of a class cost at least what they would at a common price, and what each type is above or below it. *)
Definition at_price (S : state) (c : N) (row_ : list Z) (common : Z) : Z :=
  common * number (remaining S) c +
  sum (map (fun t => let u := number row_ t in
                     (if common <=? u then cell (low S) c t else cell (high S) c t) * (u - common)) ts).

Definition demand_of_class (S : state) (v : vector) (A : list (Z * row)) (c : N) : Z :=
  if impossible S c then 0 else
  let row_ := map (task_price v A c) ts in
  match map (at_price S c row_) row_ with
  | [] => 0
  | x :: l => fold_right Z.max x l
  end.

Definition demand (S : state) (v : vector) (A : list (Z * row)) : Z := sum (map (demand_of_class S v A) cs).
Definition slack (S : state) (v : vector) (A : list (Z * row)) : Z := supply S v + row_terms A - demand S v A.

Lemma not_impossible S P c : packs S P -> In c cs -> impossible S c = false.
Proof.
  intros (_ & _ & _ & range) Hc. apply not_true_is_false. intros H. apply andb_true_iff in H. destruct H as [_ H].
  apply existsb_exists in H. destruct H as (t & Ht & H). apply Z.ltb_lt in H. specialize (range c t Hc Ht). lia.
Qed.

Lemma at_price_least S P (f : N -> Z) c common : packs S P -> In c cs ->
  at_price S c (map f ts) common <= sum (map (fun t => placed_on P t c * f t) ts).
Proof.
  intros (_ & _ & whole & range) Hc. unfold at_price. rewrite <- (whole c Hc), <- sum_map_mul, <- sum_map_add.
  apply sum_le. intros t Ht. rewrite number_ts by assumption. specialize (range c t Hc Ht). cbv zeta.
  destruct (Z.leb_spec common (f t)); nia.
Qed.

Lemma max_reached l x m : (forall y, In y (x :: l) -> y <= m) -> fold_right Z.max x l <= m.
Proof.
  induction l as [|y l IH]; simpl; intros H; [apply H; auto|]. apply Z.max_lub; [apply H; auto|].
  apply IH. intros z [->|Hz]; apply H; auto.
Qed.

Lemma demand_least S P v A : packs S P ->
  demand S v A <= sum (map (fun c => sum (map (fun t => placed_on P t c * task_price v A c t) ts)) cs) \/ ts = [].
Proof.
  intros ok. destruct ts as [|t0 ts'] eqn:types_; [right; reflexivity|left]. rewrite <- types_.
  apply sum_le. intros c Hc. unfold demand_of_class. rewrite (not_impossible S P c ok Hc). cbv zeta.
  destruct (map (at_price S c (map (task_price v A c) ts)) (map (task_price v A c) ts)) as [|x l] eqn:all.
  - rewrite types_ in all. discriminate.
  - apply max_reached. intros y Hy. rewrite <- all in Hy. apply in_map_iff in Hy. destruct Hy as (t & <- & _).
    apply at_price_least; assumption.
Qed.

(** Sums over classes and types, and over patterns. *)
Lemma by_patterns S P (f : N -> N -> Z) : packs S P ->
  sum (map (fun c => sum (map (fun t => placed_on P t c * f c t) ts)) cs)
  = sum (map (fun x => sum (map (fun c => snd x c * f c (fst x)) cs)) P).
Proof.
  intros (ok & _). rewrite sum_swap.
  rewrite (sum_groups_equal N.eq_dec (fun x : pattern => fst x) (fun x => sum (map (fun c => snd x c * f c (fst x)) cs))
    ts P (numbers_nodup _)) by (intros x Hx; apply ok, Hx).
  apply sum_map_ext. intros t _. cbv beta.
  rewrite (filter_ext _ (fun x => (fst x =? t)%N)).
  2: { intros x. destruct (N.eq_dec (fst x) t), (N.eqb_spec (fst x) t); congruence. }
  fold (of_type t P). unfold placed_on. rewrite <- (sum_swap (fun c x => snd x c * f c (fst x))).
  apply sum_map_ext. intros c _. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros x Hx.
  apply filter_In in Hx. destruct Hx as [_ same]. apply N.eqb_eq in same. rewrite same. lia.
Qed.

Lemma sum_of_type P t (f : pattern -> Z) :
  sum (map (fun x => if (t =? fst x)%N then f x else 0) P) = sum (map f (of_type t P)).
Proof.
  induction P as [|x P IH]; [reflexivity|]. cbn [map]. unfold of_type in *. cbn [filter]. rewrite (N.eqb_sym (fst x)).
  destruct (t =? fst x)%N; cbn [map sum fold_right]; fold (sum (map f (filter (fun x => (fst x =? t)%N) P)));
    fold (sum (map (fun x => if (t =? fst x)%N then f x else 0) P)); lia.
Qed.

(** What tasks and patterns are priced, with counts, differs by what the counts say. *)
Lemma prices_with_counts P v A : priceable v A ->
  sum (map (fun x => sum (map (fun c => snd x c * task_price v A c (fst x)) cs)) P)
  = sum (map (fun x => pattern_price v A (fst x) (snd x)) P) + sum (map (fun x => signed x * tally (snd x) P) A).
Proof.
  intros able.
  assert (counts : sum (map (fun x => signed x * tally (snd x) P) A)
                   = sum (map (fun x => on_pattern A (fst x) (snd x)) P)).
  { unfold on_pattern. rewrite (sum_swap (fun x y =>
      if (row_type (snd y) =? fst x)%N then signed y * tallied (snd y) (snd x) else 0)).
    apply sum_map_ext. intros y _. unfold tally. rewrite <- sum_map_mul.
    rewrite <- (sum_of_type P (row_type (snd y)) (fun x => signed y * tallied (snd y) (snd x))). reflexivity. }
  rewrite counts, <- sum_map_add. apply sum_map_ext. intros x _. unfold pattern_price, task_price, worth. simpl.
  destruct (is_listed v (fst x)) eqn:listed.
  - rewrite (sum_map_ext _ (fun c => snd x c * cell (prices v) c (fst x))); intros; lia.
  - rewrite (sum_map_ext _ (fun c => snd x c * cell (prices v) c (fst x) + snd x c * on_task A (fst x) c))
      by (intros; lia).
    rewrite sum_map_add. enough (sum (map (fun c => snd x c * on_task A (fst x) c) cs) = on_pattern A (fst x) (snd x))
      by lia.
    unfold on_task, on_pattern.
    rewrite (sum_map_ext _ (fun c => sum (map (fun y => snd x c * (if (row_type (snd y) =? fst x)%N
      then signed y * number (marks (snd y)) c else 0)) A))) by (intros; symmetry; apply sum_map_mul).
    rewrite sum_swap. apply sum_map_ext. intros y Hy. destruct (N.eqb_spec (row_type (snd y)) (fst x)) as [same|].
    + destruct (able y Hy) as [wrong|tasks]; [rewrite same, listed in wrong; discriminate|].
      unfold tallied. destruct (Z.leb_spec (fewest (snd y)) 0); [|lia]. rewrite <- sum_map_mul. apply sum_map_ext. intros; lia.
    + apply Z.le_antisymm; [apply sum_nonpositive; intros; lia|].
      apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (c & <- & _). lia.
Qed.

Lemma limit_total S P v : packs S P -> (forall t, In t ts -> 0 <= number (limits v) t) ->
  sum (map (fun x => number (limits v) (fst x)) P) <= supply S v.
Proof.
  intros (ok & counts & _) nonneg.
  rewrite (sum_groups_equal N.eq_dec (fun x : pattern => fst x) (fun x => number (limits v) (fst x)) ts P
    (numbers_nodup _))
    by (intros x Hx; apply ok, Hx).
  apply sum_le. intros t Ht. cbv beta.
  rewrite (filter_ext _ (fun x => (fst x =? t)%N)).
  2: { intros x. destruct (N.eq_dec (fst x) t), (N.eqb_spec (fst x) t); congruence. }
  fold (of_type t P). specialize (counts t Ht). specialize (nonneg t Ht).
  rewrite (sum_map_ext _ (fun _ => number (limits v) t)).
  2: { intros x Hx. apply filter_In in Hx. destruct Hx as [_ same]. apply N.eqb_eq in same. rewrite same. reflexivity. }
  assert (constant : forall l : list pattern, sum (map (fun _ => number (limits v) t) l) = Z.of_nat (length l) *
    number (limits v) t).
  { induction l as [|x l IH]; [reflexivity|]. cbn [map sum fold_right length].
    fold (sum (map (fun _ : pattern => number (limits v) t) l)). rewrite IH. lia. }
  rewrite constant. nia.
Qed.

(** The limits of a vector hold for a packing, with the prices of counts. *)
Definition limits_hold (v : vector) (A : list (Z * row)) (P : list pattern) : Prop :=
  (forall t, In t ts -> 0 <= number (limits v) t) /\ priceable v A /\ (forall x, In x A -> 0 < fst x) /\
  (forall x, In x A -> row_holds P (snd x)) /\
  (forall x, In x P -> pattern_price v A (fst x) (snd x) <= number (limits v) (fst x)).

Lemma total_slack S P v A : packs S P -> limits_hold v A P ->
  sum (map (fun x => number (limits v) (fst x) - pattern_price v A (fst x) (snd x)) P) <= slack S v A \/ ts = [].
Proof.
  intros ok (nonneg & able & positive & rows_ok & _).
  destruct (demand_least S P v A ok) as [demand_|none]; [left|right; assumption].
  rewrite (by_patterns S P (task_price v A) ok), (prices_with_counts P v A able) in demand_.
  pose proof (limit_total S P v ok nonneg) as supply_.
  assert (terms : sum (map (fun x => signed x * tally (snd x) P) A) <= row_terms A).
  { apply sum_le. intros x Hx. apply signed_tally; auto. }
  rewrite (sum_map_ext _ (fun x => number (limits v) (fst x) + (-1) * pattern_price v A (fst x) (snd x))), sum_map_add,
    sum_map_mul by (intros; lia).
  unfold slack. lia.
Qed.

(** Every pattern of a packing has a reduced cost of at most the slack. *)
Lemma reduced_cost S P v A x : packs S P -> limits_hold v A P -> In x P ->
  number (limits v) (fst x) - pattern_price v A (fst x) (snd x) <= slack S v A.
Proof.
  intros ok holds Hx. destruct (total_slack S P v A ok holds) as [total|none].
  2: { destruct ok as (ok & _). destruct (ok x Hx) as [_ H]. rewrite none in H. destruct H. }
  etransitivity; [|exact total].
  apply (in_sum (fun x => number (limits v) (fst x) - pattern_price v A (fst x) (snd x))); [|exact Hx].
  intros y Hy. destruct holds as (_ & _ & _ & _ & each). specialize (each y Hy). lia.
Qed.

Lemma slack_nonnegative S P v A : types <> 0%nat -> packs S P -> limits_hold v A P -> 0 <= slack S v A.
Proof.
  intros some ok holds. destruct (total_slack S P v A ok holds) as [total|none].
  2: { exfalso. unfold ts, numbers in none. destruct types; [congruence|discriminate]. }
  etransitivity; [|exact total]. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz.
  destruct Hz as (y & <- & Hy). destruct holds as (_ & _ & _ & _ & each). specialize (each y Hy). lia.
Qed.

(** *** Narrower ranges *)

Definition narrow (changed : N -> bool) (S : state) : state :=
  let lows := tabulate size types (fun c t =>
      if changed c
      then Z.max 0 (Z.max (cell (low S) c t)
                          (number (remaining S) c - (sum (map (cell (high S) c) ts) - cell (high S) c t)))
      else cell (low S) c t) in
  {| left := left S; remaining := remaining S; low := lows;
     high := tabulate size types (fun c t =>
       if changed c
       then Z.min (cell (high S) c t) (number (remaining S) c - (sum (map (cell lows c) ts) - cell lows c t))
       else cell (high S) c t) |}.

Lemma placed_nonnegative S P t c : packs S P -> 0 <= placed_on P t c.
Proof.
  intros (ok & _). apply sum_nonnegative. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx).
  apply filter_In in Hx. destruct Hx as [Hx _]. destruct (ok x Hx) as [(H & _) _]. apply H.
Qed.

Lemma sum_others (f g : N -> Z) t : forall l, NoDup l -> In t l -> (forall u, In u l -> f u <= g u) ->
  sum (map f l) - f t <= sum (map g l) - g t.
Proof.
  induction l as [|u l IH]; simpl; intros nodup Ht less; [destruct Ht|].
  inversion nodup as [|? ? fresh nodup']; subst. fold (sum (map f l)) (sum (map g l)).
  destruct Ht as [->|Ht].
  - assert (sum (map f l) <= sum (map g l)) by (apply sum_le; intros; apply less; right; assumption). lia.
  - pose proof (less u (or_introl eq_refl)). specialize (IH nodup' Ht (fun v Hv => less v (or_intror Hv))). lia.
Qed.

Lemma narrow_packs changed S P : packs S P -> packs (narrow changed S) P.
Proof.
  intros ok. pose proof ok as (patterns_ & counts & whole & range).
  split; [assumption|]. split; [assumption|]. split; [assumption|].
  assert (lows : forall c t, In c cs -> In t ts -> cell (low (narrow changed S)) c t <= placed_on P t c).
  { intros c t Hc Ht. simpl. rewrite cell_tabulate by assumption. pose proof (range c t Hc Ht).
    destruct (changed c); [|lia]. pose proof (placed_nonnegative S P t c ok).
    pose proof (sum_others (fun t => placed_on P t c) (cell (high S) c) t ts (numbers_nodup _) Ht
                  (fun u Hu => proj2 (range c u Hc Hu))) as others.
    rewrite (whole c Hc) in others. lia. }
  intros c t Hc Ht. split; [apply lows; assumption|]. simpl. rewrite cell_tabulate by assumption.
  pose proof (range c t Hc Ht). destruct (changed c) eqn:is_changed; [|lia].
  pose proof (sum_others (cell (low (narrow changed S)) c) (fun t => placed_on P t c) t ts (numbers_nodup _) Ht
                (fun u Hu => lows c u Hc Hu)) as others.
  rewrite (whole c Hc) in others. simpl in others. lia.
Qed.

(** *** Branches *)

Definition with_high (S : state) (c t : N) (a : Z) : state :=
  {| left := left S; remaining := remaining S; low := low S;
     high := tabulate size types (fun d u => if ((d =? c) && (u =? t))%N then a else cell (high S) d u) |}.

Definition with_low (S : state) (c t : N) (a : Z) : state :=
  {| left := left S; remaining := remaining S; high := high S;
     low := tabulate size types (fun d u => if ((d =? c) && (u =? t))%N then a else cell (low S) d u) |}.

Lemma branch_packs S P c t a : packs S P -> packs (with_high S c t a) P \/ packs (with_low S c t (a + 1)) P.
Proof.
  intros (patterns_ & counts & whole & range). destruct (Z_le_gt_dec (placed_on P t c) a); [left|right].
  - repeat (split; [assumption|]). intros d u Hd Hu. specialize (range d u Hd Hu). simpl.
    rewrite cell_tabulate by assumption. destruct (N.eqb_spec d c), (N.eqb_spec u t); simpl; subst; lia.
  - repeat (split; [assumption|]). intros d u Hd Hu. specialize (range d u Hd Hu). simpl.
    rewrite cell_tabulate by assumption. destruct (N.eqb_spec d c), (N.eqb_spec u t); simpl; subst; lia.
Qed.

(** *** A processor with a pattern is taken out *)

Definition without (S : state) (t : N) (a : list Z) : state :=
  {| left := map (fun u => if (u =? t)%N then number (left S) u - 1 else number (left S) u) ts;
     remaining := map (fun c => number (remaining S) c - number a c) cs;
     low := tabulate size types (fun c u => if (u =? t)%N then Z.max 0 (cell (low S) c u - number a c) else cell (low
       S) c u);
     high := tabulate size types (fun c u => if (u =? t)%N then cell (high S) c u - number a c else cell (high S) c
       u) |}.

Lemma without_packs S P Q x a : packs S (P ++ x :: Q) -> (forall c, In c cs -> snd x c = number a c) ->
  packs (without S (fst x) a) (P ++ Q).
Proof.
  intros ok same. pose proof ok as (patterns_ & counts & whole & range).
  assert (x_type : In (fst x) ts) by (apply patterns_; apply in_or_app; right; left; reflexivity).
  assert (parts : forall t c, placed_on (P ++ x :: Q) t c
                  = placed_on (P ++ Q) t c + if (fst x =? t)%N then snd x c else 0).
  { intros t c. unfold placed_on, of_type. rewrite !filter_app, !map_app, !sum_app. simpl.
    destruct (fst x =? t)%N; simpl; unfold sum; simpl; lia. }
  assert (ok' : forall y, In y (P ++ Q) -> good y /\ In (fst y) ts).
  { intros y Hy. apply patterns_. apply in_app_or in Hy. apply in_or_app. simpl. tauto. }
  assert (nonneg : forall t c, 0 <= placed_on (P ++ Q) t c).
  { intros t c. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (y & <- & Hy).
    apply filter_In in Hy. destruct (ok' y (proj1 Hy)) as [(H & _) _]. apply H. }
  split; [exact ok'|]. split; [|split].
  - intros t Ht. simpl. rewrite number_ts by assumption. specialize (counts t Ht).
    unfold of_type in *. rewrite filter_app, app_length in *. simpl in counts. rewrite N.eqb_sym.
    destruct (fst x =? t)%N; simpl in counts; lia.
  - intros c Hc. simpl. rewrite number_cs by assumption. rewrite <- (whole c Hc), <- (same c Hc).
    rewrite (sum_map_ext (fun t => placed_on (P ++ x :: Q) t c)
               (fun t => placed_on (P ++ Q) t c + if (fst x =? t)%N then snd x c else 0)) by (intros; apply parts).
    rewrite sum_map_add.
    assert (one : forall l, NoDup l -> In (fst x) l -> sum (map (fun t => if (fst x =? t)%N then snd x c else 0) l) =
      snd x c).
    { induction l as [|t l IH]; intros nodup H; [destruct H|]. inversion nodup as [|? ? fresh nodup']; subst.
      cbn [map sum fold_right]. fold (sum (map (fun t => if (fst x =? t)%N then snd x c else 0) l)).
      destruct (N.eqb_spec (fst x) t) as [->|differs].
      - assert (sum (map (fun u => if (t =? u)%N then snd x c else 0) l) = 0); [|lia].
        clear - fresh. induction l as [|u l IH]; [reflexivity|]. cbn [map sum fold_right].
        fold (sum (map (fun u => if (t =? u)%N then snd x c else 0) l)).
        rewrite IH by (intros H; apply fresh; right; exact H).
        destruct (N.eqb_spec t u) as [->|]; [destruct fresh; left; reflexivity|reflexivity].
      - destruct H as [->|H]; [congruence|]. rewrite IH; auto. }
    rewrite one; [lia|apply numbers_nodup|assumption].
  - intros c t Hc Ht. specialize (range c t Hc Ht). rewrite parts in range. simpl. rewrite !cell_tabulate by assumption.
    rewrite <- (same c Hc), (N.eqb_sym t). specialize (nonneg t c). destruct (fst x =? t)%N; lia.
Qed.
End Packing.
