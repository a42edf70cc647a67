(* SPDX-License-Identifier: Apache-2.0 *)
(** States of a tree of cases: processors of each type that are left, tasks of each class that are left, and between
    how many of them go to each type. A packing of a state is a pattern, so many tasks of each class, for some of its
    processors. *)
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

(** A vector gives a price to each class on each type, and a limit to each type. *)
Record vector := { limits : list Z; prices : list (list Z) }.

Record state := { left : list Z; remaining : list Z; low : list (list Z); high : list (list Z) }.

Section Packing.
Variable types : nat.
Variable classes : list (list (option Z)).  (* the usable times of each class *)
Variable rooms : list Z.                    (* what times on a processor of each type add up to at most *)
Variable vectors : list vector.

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

(** What patterns of schedules have in common. *)
Definition good (x : pattern) : Prop :=
  (forall c, 0 <= snd x c) /\
  (forall c, In c cs -> snd x c <> 0 -> exists p, class_time c (fst x) = Some p /\ 0 < p) /\
  sum (map (fun c => snd x c * takes (fst x) c) cs) <= number rooms (fst x) /\
  (forall v, In v vectors -> worth v x <= number (limits v) (fst x)).

Definition of_type (t : N) (P : list pattern) : list pattern := filter (fun x => (fst x =? t)%N) P.
Definition placed_on (P : list pattern) (t c : N) : Z := sum (map (fun x => snd x c) (of_type t P)).

Definition packs (S : state) (P : list pattern) : Prop :=
  (forall x, In x P -> good x /\ In (fst x) ts) /\
  (forall t, In t ts -> Z.of_nat (length (of_type t P)) <= number (left S) t) /\
  (forall c, In c cs -> sum (map (fun t => placed_on P t c) ts) = number (remaining S) c) /\
  (forall c t, In c cs -> In t ts -> cell (low S) c t <= placed_on P t c <= cell (high S) c t).

(** *** Prices at a state *)

Definition supply (S : state) (v : vector) : Z := sum (map (fun t => number (left S) t * number (limits v) t) ts).

Definition impossible (S : state) (c : N) : bool :=
  (0 <? number (remaining S) c) && existsb (fun t => cell (high S) c t <? cell (low S) c t) ts.

(** Tasks of a class cost at least what they would at a common price, and what each type is above or below it. *)
Definition at_price (S : state) (v : vector) (c : N) (common : Z) : Z :=
  common * number (remaining S) c +
  sum (map (fun t => let u := cell (prices v) c t in
                     (if common <=? u then cell (low S) c t else cell (high S) c t) * (u - common)) ts).

Definition demand_of_class (S : state) (v : vector) (c : N) : Z :=
  if impossible S c then 0 else
  match map (fun t => at_price S v c (cell (prices v) c t)) ts with
  | [] => 0
  | x :: l => fold_right Z.max x l
  end.

Definition demand (S : state) (v : vector) : Z := sum (map (demand_of_class S v) cs).
Definition slack (S : state) (v : vector) : Z := supply S v - demand S v.

Lemma not_impossible S P c : packs S P -> In c cs -> impossible S c = false.
Proof.
  intros (_ & _ & _ & range) Hc. apply not_true_is_false. intros H. apply andb_true_iff in H. destruct H as [_ H].
  apply existsb_exists in H. destruct H as (t & Ht & H). apply Z.ltb_lt in H. specialize (range c t Hc Ht). lia.
Qed.

Lemma at_price_least S P v c common : packs S P -> In c cs ->
  at_price S v c common <= sum (map (fun t => placed_on P t c * cell (prices v) c t) ts).
Proof.
  intros (_ & _ & whole & range) Hc. unfold at_price. rewrite <- (whole c Hc), <- sum_map_mul, <- sum_map_add.
  apply sum_le. intros t Ht. specialize (range c t Hc Ht). cbv zeta.
  destruct (Z.leb_spec common (cell (prices v) c t)); nia.
Qed.

Lemma max_reached l x m : (forall y, In y (x :: l) -> y <= m) -> fold_right Z.max x l <= m.
Proof.
  induction l as [|y l IH]; simpl; intros H; [apply H; auto|]. apply Z.max_lub; [apply H; auto|].
  apply IH. intros z [->|Hz]; apply H; auto.
Qed.

Lemma demand_least S P v : packs S P ->
  demand S v <= sum (map (fun c => sum (map (fun t => placed_on P t c * cell (prices v) c t) ts)) cs) \/ ts = [].
Proof.
  intros ok. destruct ts as [|t0 ts'] eqn:types_; [right; reflexivity|left]. rewrite <- types_.
  apply sum_le. intros c Hc. unfold demand_of_class. rewrite (not_impossible S P c ok Hc).
  destruct (map (fun t => at_price S v c (cell (prices v) c t)) ts) as [|x l] eqn:all.
  - rewrite types_ in all. discriminate.
  - apply max_reached. intros y Hy. rewrite <- all in Hy. apply in_map_iff in Hy. destruct Hy as (t & <- & _).
    apply at_price_least; assumption.
Qed.

Lemma worth_total S P v : packs S P ->
  sum (map (fun c => sum (map (fun t => placed_on P t c * cell (prices v) c t) ts)) cs) = sum (map (worth v) P).
Proof.
  intros (ok & _). rewrite sum_swap.
  rewrite (sum_groups_equal N.eq_dec (fun x : pattern => fst x) (worth v) ts P (numbers_nodup _)) by (intros x Hx;
    apply ok, Hx).
  apply sum_map_ext. intros t _. cbv beta.
  rewrite (filter_ext _ (fun x => (fst x =? t)%N)).
  2: { intros x. destruct (N.eq_dec (fst x) t), (N.eqb_spec (fst x) t); congruence. }
  fold (of_type t P). unfold worth, placed_on. rewrite <- (sum_swap (fun c x => snd x c * cell (prices v) c (fst x))).
  apply sum_map_ext. intros c _. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros x Hx.
  apply filter_In in Hx. destruct Hx as [_ same]. apply N.eqb_eq in same. rewrite same. lia.
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

(** Every pattern of a packing has a reduced cost of at most the slack. *)
Lemma reduced_cost S P v x : packs S P -> In v vectors -> (forall t, In t ts -> 0 <= number (limits v) t) -> In x P ->
  number (limits v) (fst x) - worth v x <= slack S v.
Proof.
  intros ok Hv nonneg Hx. destruct (demand_least S P v ok) as [demand_|none].
  2: { destruct ok as (ok & _). destruct (ok x Hx) as [_ H]. rewrite none in H. destruct H. }
  rewrite (worth_total S P v ok) in demand_. pose proof (limit_total S P v ok nonneg) as supply_.
  assert (H : number (limits v) (fst x) - worth v x <= sum (map (fun x => number (limits v) (fst x) - worth v x) P)).
  { apply (in_sum (fun x => number (limits v) (fst x) - worth v x)); [|exact Hx]. intros y Hy.
    destruct ok as (ok & _). destruct (ok y Hy) as [(_ & _ & _ & worths) _]. specialize (worths v Hv). lia. }
  rewrite (sum_map_ext _ (fun x => number (limits v) (fst x) + (-1) * worth v x)), sum_map_add, sum_map_mul in H
    by (intros; lia).
  unfold slack. lia.
Qed.

Lemma slack_nonnegative S P v : types <> 0%nat -> packs S P -> In v vectors -> (forall t,
  In t ts -> 0 <= number (limits v) t) -> 0 <= slack S v.
Proof.
  intros some ok Hv nonneg. destruct (demand_least S P v ok) as [demand_|none].
  2: { exfalso. unfold ts, numbers in none. destruct types; [congruence|discriminate]. }
  rewrite (worth_total S P v ok) in demand_. pose proof (limit_total S P v ok nonneg) as supply_.
  assert (H : sum (map (worth v) P) <= sum (map (fun x => number (limits v) (fst x)) P)).
  { apply sum_le. intros y Hy. destruct ok as (ok & _). destruct (ok y Hy) as [(_ & _ & _ & worths) _]. auto. }
  unfold slack. lia.
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
