(* SPDX-License-Identifier: Apache-2.0 *)
(** Prices over time, in cells of some ticks: what they cost is straight while no other cell begins. *)
From Coq Require Import ZArith List Lia Bool.
From Proven Require Import Lists.
Import ListNotations.
Open Scope Z_scope.

(** *** Functions that are straight between two times *)

Definition straight (f : Z -> Z) (a b : Z) : Prop :=
  forall x, a <= x <= b -> (b - a) * (f x - f a) = (x - a) * (f b - f a).

Lemma straight_add f g a b : straight f a b -> straight g a b -> straight (fun x => f x + g x) a b.
Proof. intros Hf Hg x Hx. specialize (Hf x Hx). specialize (Hg x Hx). nia. Qed.

Lemma straight_mul c f a b : straight f a b -> straight (fun x => c * f x) a b.
Proof.
  intros Hf x Hx. specialize (Hf x Hx). replace ((b - a) * (c * f x - c * f a)) with (c * ((b - a) * (f x - f a))) by
    ring.
  rewrite Hf. ring.
Qed.

Lemma straight_constant c a b : straight (fun _ => c) a b.
Proof. intros x Hx. ring. Qed.

Lemma straight_sum {A} (f : A -> Z -> Z) l a b : (forall y, In y l -> straight (f y) a b) ->
  straight (fun x => sum (map (fun y => f y x) l)) a b.
Proof.
  induction l as [|y l IH]; intros each; [exact (straight_constant 0 a b)|]. cbn [map sum fold_right].
  apply (straight_add (f y)); [apply each; left; reflexivity|]. apply IH. intros z Hz. apply each. right. exact Hz.
Qed.

Lemma straight_ext f g a b : (forall x, f x = g x) -> straight f a b -> straight g a b.
Proof. intros same Hf x Hx. rewrite <- !same. exact (Hf x Hx). Qed.

Lemma straight_least f a b x : straight f a b -> a <= x <= b -> Z.min (f a) (f b) <= f x.
Proof. intros H Hx. specialize (H x Hx). destruct (Z.eq_dec a b) as [->|]; [replace x with b by lia; lia|]. nia. Qed.

(** Where a straight line is at most so high: between two of its points. *)
Definition below (fa fb a b most : Z) : option (Z * Z) :=
  if (most <? fa) && (most <? fb) then None else
  if (most <? fa) then Some (a - (- ((fa - most) * (b - a)) / (fa - fb)), b) else
  if (most <? fb) then Some (a, a + ((most - fa) * (b - a)) / (fb - fa)) else
  Some (a, b).

Lemma below_spec f a b most x : straight f a b -> a <= x <= b -> f x <= most ->
  exists lo hi, below (f a) (f b) a b most = Some (lo, hi) /\ lo <= x <= hi.
Proof.
  intros H Hx less. pose proof (straight_least f a b x H Hx) as least. specialize (H x Hx). unfold below.
  destruct (Z.ltb_spec most (f a)), (Z.ltb_spec most (f b)); cbn [andb]; try lia.
  - eexists _, _. split; [reflexivity|]. split; [|lia].
    enough (- (x - a) <= - ((f a - most) * (b - a)) / (f a - f b)) by lia. apply Z.div_le_lower_bound; nia.
  - eexists _, _. split; [reflexivity|]. split; [lia|].
    enough (x - a <= (most - f a) * (b - a) / (f b - f a)) by lia. apply Z.div_le_lower_bound; nia.
  - eexists _, _. split; [reflexivity|]. lia.
Qed.

Section Cells.
Variable L : Z.
Variable width : Z.
Hypothesis width_ok : 0 < width.

Definition cell_length (k : Z) : Z := Z.min width (L - k * width).

(** How much of a cell is before a time. *)
Definition before_time (k x : Z) : Z := Z.max 0 (Z.min (cell_length k) (x - k * width)).

Definition spent (cells : list (Z * Z)) (x : Z) : Z := sum (map (fun c => snd c * before_time (fst c) x) cells).

(** Times between which no other cell begins. *)
Definition one_cell (a b : Z) : Prop := b <= a - a mod width + width /\ b <= L.

Lemma before_straight k a b : 0 <= a <= b -> 0 <= k -> k * width < L -> one_cell a b -> straight (before_time k) a b.
Proof.
  intros ab Hk inside_ [same last] x Hx.
  pose proof (Z.div_mod a width ltac:(lia)) as parts. pose proof (Z.mod_pos_bound a width width_ok) as bound.
  set (c := a / width) in *. set (r := a mod width) in *.
  assert (begin : a - r = width * c) by lia. unfold before_time, cell_length.
  destruct (Z.lt_trichotomy c k) as [less|[equal|more]].
  - assert (width * c + width <= k * width) by nia. nia.
  - subst k. nia.
  - assert (k * width + width <= width * c) by nia. nia.
Qed.

Lemma spent_straight cells a b : 0 <= a <= b -> (forall c, In c cells -> 0 <= fst c /\ fst c * width < L) ->
  one_cell a b -> straight (spent cells) a b.
Proof.
  intros ab good same. unfold spent. apply (straight_sum (fun c x => snd c * before_time (fst c) x)).
  intros c Hc. destruct (good c Hc). apply straight_mul. apply before_straight; auto.
Qed.

(** The last start behind one up to which neither start nor end pass to another cell. *)
Definition next_start (a d last : Z) : Z :=
  Z.min last (a + Z.min (width - a mod width) (width - (a + d) mod width)).

Fixpoint pieces (fuel : nat) (a d last : Z) : option (list (Z * Z)) :=
  if last <? a then Some [] else
  if a =? last then Some [(a, a)] else
  match fuel with
  | O => None
  | S fuel => let b := next_start a d last in
              match pieces fuel b d last with Some l => Some ((a, b) :: l) | None => None end
  end.

Lemma pieces_spec fuel : forall a d last l x, pieces fuel a d last = Some l -> 0 <= a -> 0 <= d -> last + d <= L ->
  a <= x <= last ->
  exists u v, In (u, v) l /\ a <= u /\ u <= x <= v /\ v <= last /\ one_cell u v /\ one_cell (u + d) (v + d).
Proof.
  induction fuel as [|fuel IH]; intros a d last l x H zero pos inside_ Hx; cbn [pieces] in H;
    (destruct (Z.ltb_spec last a); [lia|]); pose proof (Z.mod_pos_bound a width width_ok);
    pose proof (Z.mod_pos_bound (a + d) width width_ok);
    (destruct (Z.eqb_spec a last) as [->|];
     [inversion H; subst; exists last, last; split; [left; reflexivity|]; unfold one_cell; lia|]); [discriminate|].
  cbv zeta in H. destruct (pieces fuel (next_start a d last) d last) as [rest|] eqn:others; [|discriminate].
  inversion H; subst l. unfold next_start in *.
  destruct (Z_le_gt_dec x (Z.min last (a + Z.min (width - a mod width) (width - (a + d) mod width)))).
  - exists a, (Z.min last (a + Z.min (width - a mod width) (width - (a + d) mod width))).
    split; [left; reflexivity|]. unfold one_cell. lia.
  - destruct (IH _ d last rest x others ltac:(lia) pos inside_ ltac:(lia)) as (u & v & Huv & first & within_ & end_ &
    one & two).
    exists u, v. split; [right; exact Huv|]. repeat split; try tauto; try lia; try apply one; try apply two.
Qed.
End Cells.
