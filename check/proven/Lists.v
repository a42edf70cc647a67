(* SPDX-License-Identifier: Apache-2.0 *)
(** Lists: sums, items by number, and spans that are apart. Nothing here knows of scheduling. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem.
Import ListNotations.
Open Scope Z_scope.

Definition sum (l : list Z) : Z := fold_right Z.add 0 l.

Lemma sum_app l m : sum (l ++ m) = sum l + sum m.
Proof. induction l; simpl; lia. Qed.

Lemma sum_permutation l m : Permutation l m -> sum l = sum m.
Proof. induction 1; simpl; lia. Qed.

Lemma sum_filter {A} (f : A -> Z) (P : A -> bool) l :
  sum (map f l) = sum (map f (filter P l)) + sum (map f (filter (fun x => negb (P x)) l)).
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (P x); simpl; lia. Qed.

Lemma sum_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> sum (map f l) <= sum (map g l).
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). assert (sum (map f l) <= sum (map g l)) by auto. lia.
Qed.

Lemma sum_nonnegative l : (forall x, In x l -> 0 <= x) -> 0 <= sum l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). assert (0 <= sum l) by auto. lia.
Qed.

Lemma sum_nonpositive {A} (f : A -> Z) l : (forall x, In x l -> f x <= 0) -> sum (map f l) <= 0.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). assert (sum (map f l) <= 0) by auto. lia.
Qed.

Lemma sum_map_add {A} (f g : A -> Z) l : sum (map (fun x => f x + g x) l) = sum (map f l) + sum (map g l).
Proof. induction l; simpl; lia. Qed.

Lemma sum_map_mul {A} (f : A -> Z) c l : sum (map (fun x => c * f x) l) = c * sum (map f l).
Proof. induction l; simpl; lia. Qed.

Lemma sum_map_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> sum (map f l) = sum (map g l).
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|].
  rewrite (H x (or_introl eq_refl)), IH; auto.
Qed.

Lemma sum_if {A} (P : A -> bool) (f : A -> Z) l :
  sum (map (fun x => if P x then f x else 0) l) = sum (map f (filter P l)).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [map filter sum fold_right].
  fold (sum (map (fun x => if P x then f x else 0) l)). rewrite IH. destruct (P x); reflexivity.
Qed.

(** Sums over groups. *)
Lemma sum_groups_equal {A K} (decide : forall a b : K, {a = b} + {a <> b}) (key : A -> K) (f : A -> Z) keys :
  forall l, NoDup keys -> (forall x, In x l -> In (key x) keys) ->
  sum (map f l) =
  sum (map (fun k => sum (map f (filter (fun x => if decide (key x) k then true else false) l))) keys).
Proof.
  induction keys as [|k keys IH]; intros l nodup covered.
  - destruct l as [|x l]; simpl; [lia|]. destruct (covered x (or_introl eq_refl)).
  - inversion nodup as [|? ? fresh nodup']; subst.
    rewrite (sum_filter f (fun x => if decide (key x) k then true else false)).
    cbn [map sum fold_right]. fold sum. f_equal.
    rewrite (IH (filter (fun x => negb (if decide (key x) k then true else false)) l)); [|assumption|].
    + apply sum_map_ext. intros k' Hk'. apply (f_equal sum), (f_equal (map f)). clear - Hk' fresh.
      induction l as [|x l IH]; simpl; auto.
      destruct (decide (key x) k) as [->|differs]; simpl.
      * destruct (decide k k') as [->|]; [contradiction|]. exact IH.
      * destruct (decide (key x) k'); [f_equal|]; exact IH.
    + intros x Hx. apply filter_In in Hx. destruct Hx as [Hx other].
      destruct (decide (key x) k) as [|differs]; [discriminate|].
      destruct (covered x Hx) as [same|known]; [congruence|exact known].
Qed.

(** What each group is at most bounds the whole. *)
Lemma sum_groups {A K} (decide : forall a b : K, {a = b} + {a <> b}) (key : A -> K) (f : A -> Z) (most :
  K -> Z) keys l :
  NoDup keys -> (forall x, In x l -> In (key x) keys) ->
  (forall k, In k keys ->
     sum (map f (filter (fun x => if decide (key x) k then true else false) l)) <= most k) ->
  sum (map f l) <= sum (map most keys).
Proof.
  intros nodup covered bounded. rewrite (sum_groups_equal decide key f keys l nodup covered). apply sum_le, bounded.
Qed.

(** Orders of pairs *)

Lemma ForallOrdPairs_filter {A} (R : A -> A -> Prop) (P : A -> bool) l :
  ForallOrdPairs R l -> ForallOrdPairs R (filter P l).
Proof.
  induction 1 as [|x l all rest IH]; simpl; [constructor|].
  destruct (P x); [|exact IH]. constructor; auto.
  rewrite Forall_forall in *. intros y Hy. apply filter_In in Hy. intuition.
Qed.

Lemma ForallOrdPairs_app {A} (R : A -> A -> Prop) l m : ForallOrdPairs R (l ++ m) -> ForallOrdPairs R l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [constructor|].
  inversion H as [|? ? all rest]; subst. constructor; auto.
  rewrite Forall_forall in *. intros y Hy. apply all, in_or_app. auto.
Qed.

Lemma ForallOrdPairs_map {A B} (R : B -> B -> Prop) (f : A -> B) l :
  ForallOrdPairs R (map f l) <-> ForallOrdPairs (fun x y => R (f x) (f y)) l.
Proof.
  induction l as [|x l IH]; simpl; split; intros H; try constructor;
    inversion H as [|? ? all rest]; subst; try (apply IH; exact rest).
  - rewrite Forall_map in all. exact all.
  - rewrite Forall_map. exact all.
Qed.

Lemma ForallOrdPairs_impl {A} (R S : A -> A -> Prop) l :
  (forall x y, In x l -> In y l -> R x y -> S x y) -> ForallOrdPairs R l -> ForallOrdPairs S l.
Proof.
  intros H pairs. induction pairs as [|x l all rest IH]; constructor.
  - rewrite Forall_forall in *. intros y Hy. apply H; simpl; auto.
  - apply IH. intros y z Hy Hz. apply H; simpl; auto.
Qed.

Lemma filter_no_longer {A} (P : A -> bool) l : (length (filter P l) <= length l)%nat.
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (P x); simpl; lia. Qed.

(** Spans of [a] to [b] that are apart have at most the length between them. *)
Definition follow {A} (lo hi : A -> Z) (x y : A) : Prop := hi x <= lo y \/ hi y <= lo x.

Lemma packed {A} (lo hi : A -> Z) n : forall l a b,
  (length l <= n)%nat -> a <= b ->
  (forall x, In x l -> a <= lo x /\ lo x <= hi x /\ hi x <= b) ->
  ForallOrdPairs (follow lo hi) l ->
  sum (map (fun x => hi x - lo x) l) <= b - a.
Proof.
  induction n as [|n IH]; intros l a b size ab inside pairs; destruct l as [|x l]; simpl in *; try lia.
  inversion pairs as [|? ? all rest]; subst. rewrite Forall_forall in all.
  pose proof (inside x (or_introl eq_refl)) as (ax & xx & xb).
  rewrite (sum_filter _ (fun y => hi y <=? lo x)).
  assert (left : sum (map (fun y => hi y - lo y) (filter (fun y => hi y <=? lo x) l)) <= lo x - a).
  { apply IH; [|lia| |apply ForallOrdPairs_filter; exact rest].
    - pose proof (filter_no_longer (fun y => hi y <=? lo x) l). lia.
    - intros y Hy. apply filter_In in Hy. destruct Hy as [Hy before]. apply Z.leb_le in before.
      pose proof (inside y (or_intror Hy)). lia. }
  assert (right : sum (map (fun y => hi y - lo y) (filter (fun y => negb (hi y <=? lo x)) l)) <= b - hi x).
  { apply IH; [|lia| |apply ForallOrdPairs_filter; exact rest].
    - pose proof (filter_no_longer (fun y => negb (hi y <=? lo x)) l). lia.
    - intros y Hy. apply filter_In in Hy. destruct Hy as [Hy behind].
      apply negb_true_iff, Z.leb_gt in behind.
      pose proof (inside y (or_intror Hy)). destruct (all y Hy) as [order|order]; lia. }
  lia.
Qed.

(** Items by number *)

Lemma item_nth {A} (l : list A) : forall i, item l i = nth_error l (N.to_nat i).
Proof.
  induction l as [|x l IH]; intros i; simpl.
  - destruct (N.to_nat i); reflexivity.
  - destruct (N.eqb_spec i 0) as [->|positive]; [reflexivity|].
    rewrite IH. replace (N.to_nat i) with (S (N.to_nat (N.pred i))) by lia. reflexivity.
Qed.

Fixpoint indexed {A} (i : N) (l : list A) : list (N * A) :=
  match l with [] => [] | x :: l => (i, x) :: indexed (N.succ i) l end.

Lemma indexed_from {A} (l : list A) : forall i j x,
  In (j, x) (indexed i l) <-> (i <= j)%N /\ item l (j - i)%N = Some x.
Proof.
  induction l as [|y l IH]; intros i j x; simpl.
  - split; [tauto|]. intros [_ H]. discriminate.
  - change (if (j - i =? 0)%N then Some y else item l (N.pred (j - i))) with (item (y :: l) (j - i)).
    rewrite IH, !item_nth. split.
    + intros [H|[lower found]].
      * inversion H; subst. rewrite N.sub_diag. split; [lia|reflexivity].
      * split; [lia|]. replace (N.to_nat (j - i)) with (S (N.to_nat (j - N.succ i))) by lia. exact found.
    + intros [lower found]. destruct (N.eq_dec i j) as [->|differs].
      * rewrite N.sub_diag in found. inversion found; subst. auto.
      * right. split; [lia|].
        replace (N.to_nat (j - i)) with (S (N.to_nat (j - N.succ i))) in found by lia. exact found.
Qed.

Lemma indexed_item {A} (l : list A) j x : In (j, x) (indexed 0 l) <-> item l j = Some x.
Proof. rewrite indexed_from, N.sub_0_r. intuition. lia. Qed.

Lemma numbers_from (n : nat) : forall a, map N.of_nat (seq a n) = map (fun i => (N.of_nat a + N.of_nat i)%N) (seq 0 n).
Proof.
  induction n as [|n IH]; intros a; simpl; [reflexivity|].
  f_equal; [lia|]. rewrite <- (seq_shift n 0), map_map, IH. apply map_ext. intros. lia.
Qed.

Lemma indexed_numbers_from {A} (l : list A) : forall i,
  map fst (indexed i l) = map (fun k => (i + N.of_nat k)%N) (seq 0 (length l)).
Proof.
  induction l as [|x l IH]; intros i; simpl; [reflexivity|].
  rewrite IH, <- seq_shift, map_map. f_equal; [lia|]. apply map_ext. intros. lia.
Qed.

Lemma indexed_numbers {A} (l : list A) : map fst (indexed 0 l) = numbers (length l).
Proof. rewrite indexed_numbers_from. apply map_ext. intros. lia. Qed.

Lemma in_numbers n j : In j (numbers n) <-> (j < N.of_nat n)%N.
Proof.
  unfold numbers. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (N.to_nat j). rewrite in_seq. lia.
Qed.

Lemma numbers_nodup n : NoDup (numbers n).
Proof. unfold numbers. apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup]. Qed.

Lemma item_some {A} (l : list A) j x : item l j = Some x -> (j < N.of_nat (length l))%N.
Proof. rewrite item_nth. intros H. assert (nth_error l (N.to_nat j) <> None) by congruence.
  apply nth_error_Some in H0. lia. Qed.

Lemma item_exists {A} (l : list A) j : (j < N.of_nat (length l))%N -> exists x, item l j = Some x.
Proof.
  rewrite item_nth. intros H. destruct (nth_error l (N.to_nat j)) eqn:found; [eauto|].
  apply nth_error_None in found. lia.
Qed.

Lemma item_in {A} (l : list A) j x : item l j = Some x -> In x l.
Proof. rewrite item_nth. apply nth_error_In. Qed.

Lemma item_map {A B} (f : A -> B) l j : item (map f l) j = option_map f (item l j).
Proof. rewrite !item_nth. apply nth_error_map. Qed.

Lemma max_le l m : 0 <= m -> (forall x, In x l -> x <= m) -> fold_right Z.max 0 l <= m.
Proof. intros nonneg. induction l as [|x l IH]; simpl; intros H; [lia|]. apply Z.max_lub; auto. Qed.

Lemma max_in l x : In x l -> x <= fold_right Z.max 0 l.
Proof. induction l as [|y l IH]; simpl; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma max_nonnegative l : 0 <= fold_right Z.max 0 l.
Proof. induction l; simpl; lia. Qed.
