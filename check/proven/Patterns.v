(* SPDX-License-Identifier: Apache-2.0 *)
(** All patterns of a processor with at least some price, in the order of the format. *)
From Coq Require Import ZArith List Lia Bool Permutation Sorting.Mergesort Orders.
From Proven Require Import Problem Lists Packing.
Import ListNotations.
Open Scope Z_scope.

(** What a class offers a pattern: a price and a time of each task, at least [few] and at most [many] of them. *)
Record offer := { of_class : N; price : Z; span : Z; few : Z; many : Z }.

(** An offer with what it and those behind it are worth together, and a price and a time such that none of them is worth
    more by its time. *)
Record step := { its : offer; all : Z; rate : Z; per : Z }.

Definition sums (l : list step) : Z := match l with [] => 0 | x :: _ => all x end.

Definition before_it (o : offer) (l : list step) : step :=
  let best := match l with
              | [] => (price o, span o)
              | x :: _ => if price o * per x <=? rate x * span o then (rate x, per x) else (price o, span o)
              end in
  {| its := o; all := price o * many o + sums l; rate := fst best; per := snd best |}.

Definition steps (l : list offer) : list step := fold_right (fun o l => before_it o l :: l) [] l.

Fixpoint counts_down (n : nat) (a : Z) : list Z := match n with O => [] | S n => a :: counts_down n (a - 1) end.

Lemma counts_down_in n : forall a b, a - Z.of_nat n < b <= a -> In b (counts_down n a).
Proof.
  induction n as [|n IH]; intros a b range; [lia|]. simpl. destruct (Z.eq_dec a b); [auto|]. right. apply IH. lia.
Qed.

Definition range (few most : Z) : list Z := counts_down (Z.to_nat (most - few + 1)) most.

Lemma range_in few most a : few <= a <= most -> In a (range few most).
Proof. intros H. apply counts_down_in. lia. Qed.

Lemma range_only few most a : In a (range few most) -> few <= a <= most.
Proof.
  unfold range. intros H. assert (inside : forall n b, In a (counts_down n b) -> b - Z.of_nat n < a <= b).
  { induction n as [|n IH]; intros b; simpl; [tauto|]. intros [->|Ha]; [lia|]. specialize (IH _ Ha). lia. }
  specialize (inside _ _ H). lia.
Qed.

(** Depth first, as long as what follows may make up the price that is needed. *)
Fixpoint enumerate (l : list step) (room need : Z) : list (list (N * Z)) :=
  match l with
  | [] => if need <=? 0 then [[]] else []
  | x :: l =>
      if (all x <? need) || (rate x * room <? need * per x) then [] else
      let o := its x in
      flat_map (fun a => map (cons (of_class o, a)) (enumerate l (room - a * span o) (need - a * price o)))
               (range (few o) (Z.min (many o) (room / span o)))
  end.

Definition fits_offer (a : N -> Z) (o : offer) : Prop :=
  0 <= price o /\ 0 < span o /\ few o <= a (of_class o) <= many o /\ 0 <= a (of_class o).

Definition total_price (a : N -> Z) (l : list offer) : Z := sum (map (fun o => a (of_class o) * price o) l).
Definition total_span (a : N -> Z) (l : list offer) : Z := sum (map (fun o => a (of_class o) * span o) l).

Lemma steps_sums a l : (forall o, In o l -> fits_offer a o) -> total_price a l <= sums (steps l).
Proof.
  induction l as [|o l IH]; intros ok; [reflexivity|].
  pose proof (ok o (or_introl eq_refl)) as (u & p & r & n).
  specialize (IH (fun o H => ok o (or_intror H))). unfold total_price in *. simpl.
  fold (sum (map (fun o => a (of_class o) * price o) l)).
  assert (a (of_class o) * price o <= price o * many o) by (rewrite Z.mul_comm; apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma better_rate u p u1 p1 u2 p2 : 0 < p -> 0 < p1 -> 0 < p2 -> u * p1 <= u1 * p -> u1 * p2 <= u2 * p1 -> u * p2 <=
  u2 * p.
Proof.
  intros. apply (Z.mul_le_mono_pos_r _ _ p1); [assumption|].
  apply Z.le_trans with (u1 * p * p2); [nia|]. replace (u2 * p * p1) with ((u2 * p1) * p) by ring. nia.
Qed.

Lemma steps_rate l : (forall o, In o l -> 0 < span o) -> match steps l with
  | [] => True
  | x :: _ => 0 < per x /\ (forall o, In o l -> price o * per x <= rate x * span o)
  end.
Proof.
  induction l as [|o l IH]; intros pos; [exact Logic.I|].
  specialize (IH (fun o H => pos o (or_intror H))). simpl. unfold before_it. simpl.
  pose proof (pos o (or_introl eq_refl)) as pos_o.
  destruct (steps l) as [|x m] eqn:rest.
  - simpl. split; [assumption|]. intros q [->|Hq]; [lia|]. destruct l; [destruct Hq|discriminate].
  - destruct IH as [per_pos best]. destruct (Z.leb_spec (price o * per x) (rate x * span o)); simpl.
    + split; [assumption|]. intros q [->|Hq]; [assumption|auto].
    + split; [assumption|]. intros q [->|Hq]; [lia|].
      apply (better_rate _ _ (rate x) (per x)); auto; [|lia]. apply pos. right. exact Hq.
Qed.

Lemma enumerate_in a l : forall room need, (forall o, In o l -> fits_offer a o) ->
  total_span a l <= room -> need <= total_price a l ->
  In (map (fun o => (of_class o, a (of_class o))) l) (enumerate (steps l) room need).
Proof.
  induction l as [|o l IH]; intros room need ok short dear.
  - unfold total_price in dear. simpl in *. destruct (Z.leb_spec need 0); [left; reflexivity|lia].
  - pose proof (ok o (or_introl eq_refl)) as (u & p & r & n).
    pose proof (steps_rate (o :: l) (fun q H => proj1 (proj2 (ok q H)))) as best.
    change (steps (o :: l)) with (before_it o (steps l) :: steps l) in *.
    cbn [enumerate]. set (x := before_it o (steps l)) in *. cbv beta iota in best.
    assert (most : total_price a (o :: l) <= all x) by exact (steps_sums a (o :: l) ok).
    destruct best as [per_pos best].
    assert (bound : total_price a (o :: l) * per x <= rate x * total_span a (o :: l)).
    { unfold total_price, total_span. rewrite (Z.mul_comm _ (per x)), <- !sum_map_mul. apply sum_le.
      intros q Hq. specialize (best q Hq). destruct (ok q Hq) as (_ & _ & _ & nonneg). nia. }
    assert (rate_nonneg : 0 <= rate x).
    { pose proof (best o (or_introl eq_refl)). destruct (Z_le_gt_dec 0 (rate x)); [assumption|].
      assert (rate x * span o < 0) by (apply Z.mul_neg_pos; lia).
      assert (0 <= price o * per x) by (apply Z.mul_nonneg_nonneg; lia). lia. }
    destruct (Z.ltb_spec (all x) need); [lia|]. cbn [orb].
    destruct (Z.ltb_spec (rate x * room) (need * per x)); [nia|].
    change (its x) with o. apply in_flat_map. exists (a (of_class o)).
    unfold total_span, total_price in short, dear. simpl in short, dear.
    fold (sum (map (fun o => a (of_class o) * span o) l)) in short.
    fold (sum (map (fun o => a (of_class o) * price o) l)) in dear.
    assert (rest_span : 0 <= sum (map (fun o => a (of_class o) * span o) l)).
    { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (q & <- & Hq).
      destruct (ok q (or_intror Hq)) as (_ & ? & _ & ?). nia. }
    split.
    + apply range_in. split; [lia|]. apply Z.min_glb; [lia|]. apply Z.div_le_lower_bound; lia.
    + cbn [map]. apply in_map. apply IH.
      * intros q Hq. apply ok. right. exact Hq.
      * unfold total_span. lia.
      * unfold total_price. lia.
Qed.

(** The class that must be there first, then by falling price for the time. *)
Module OfferOrder <: TotalLeBool.
  Definition t := offer.
  Definition leb (a b : offer) : bool :=
    if few b <? few a then true else if few a <? few b then false else
    price b * Z.max 1 (span a) <=? price a * Z.max 1 (span b).
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof.
    unfold leb. destruct (Z.ltb_spec (few b) (few a)); [auto|]. destruct (Z.ltb_spec (few a) (few b)); [auto|].
    rewrite !Z.leb_le. lia.
  Qed.
End OfferOrder.
Module OfferSort := Sort OfferOrder.

(** Patterns with their prices: the dearer first, of equal prices the one that is larger as a list. *)
Fixpoint larger (a b : list Z) : bool :=
  match a, b with
  | x :: a, y :: b => if y <? x then true else if x <? y then false else larger a b
  | [], _ :: _ => false
  | _, [] => true
  end.

Lemma larger_total a : forall b, larger a b = true \/ larger b a = true.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; auto.
  destruct (Z.ltb_spec y x); [auto|]. destruct (Z.ltb_spec x y); [auto|]. apply IH.
Qed.

Module PatternOrder <: TotalLeBool.
  Definition t : Type := Z * list Z.
  Definition leb (a b : t) : bool := if fst b <? fst a then true else if fst a <? fst b then false else larger (snd
    a) (snd b).
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof.
    unfold leb. destruct (Z.ltb_spec (fst b) (fst a)); [auto|]. destruct (Z.ltb_spec (fst a) (fst b)); [auto|].
    apply larger_total.
  Qed.
End PatternOrder.
Module PatternSort := Sort PatternOrder.

Fixpoint found (c : N) (l : list (N * Z)) : Z :=
  match l with [] => 0 | (d, a) :: l => if (c =? d)%N then a else found c l end.

Lemma found_map a c l : found c (map (fun o => (of_class o, a (of_class o))) l) =
  if existsb (fun o => (c =? of_class o)%N) l then a c else 0.
Proof.
  induction l as [|o l IH]; simpl; [reflexivity|]. destruct (N.eqb_spec c (of_class o)) as [->|]; simpl; auto.
Qed.

Section Covers.
Variable types : nat.
Variable classes : list (list (option Z)).
Variable rooms : list Z.
Variable vectors : list vector.

(** What the classes offer a processor of type [t], with at least one task of class [must]. *)
Definition offers (S : state) (v : vector) (t must : N) : list offer :=
  flat_map (fun c => match class_time classes c t with
                     | Some p => if 0 <? cell (high S) c t
                                 then [{| of_class := c; price := cell (prices v) c t; span := p;
                                          few := if (c =? must)%N then 1 else 0; many := cell (high S) c t |}]
                                 else []
                     | None => []
                     end) (cs classes).

Definition patterns (S : state) (v : vector) (t must : N) : list (list Z) :=
  if (number (left S) t <=? 0) || (slack types classes S v <? 0) then [] else
  let listed := enumerate (steps (OfferSort.sort (offers S v t must))) (number rooms t)
                          (number (limits v) t - slack types classes S v) in
  let priced l := let a := map (fun c => found c l) (cs classes) in
                  (sum (map (fun c => number a c * cell (prices v) c t) (cs classes)), a) in
  map snd (PatternSort.sort (map priced listed)).

Lemma offers_spec S v t must o : In o (offers S v t must) ->
  In (of_class o) (cs classes) /\ class_time classes (of_class o) t = Some (span o) /\
  price o = cell (prices v) (of_class o) t /\ many o = cell (high S) (of_class o) t /\ 0 < many o /\
  few o = if (of_class o =? must)%N then 1 else 0.
Proof.
  unfold offers. rewrite in_flat_map. intros (c & Hc & H).
  destruct (class_time classes c t) as [p|] eqn:found; [|destruct H].
  destruct (Z.ltb_spec 0 (cell (high S) c t)); [|destruct H]. destruct H as [<-|[]]. simpl.
  repeat split; auto.
Qed.

Lemma offered S v t must c p : In c (cs classes) -> class_time classes c t = Some p -> 0 < cell (high S) c t ->
  exists o, In o (offers S v t must) /\ of_class o = c.
Proof.
  intros Hc found pos. eexists. split; [|shelve]. unfold offers. apply in_flat_map. exists c. split; [assumption|].
  rewrite found. destruct (Z.ltb_spec 0 (cell (high S) c t)); [|lia]. left. reflexivity.
  Unshelve. reflexivity.
Qed.

Lemma offers_sum S v t must (f : N -> Z) : forall l, incl l (cs classes) ->
  (forall c, In c l -> f c <> 0 -> exists p, class_time classes c t = Some p /\ 0 < cell (high S) c t) ->
  sum (map (fun o => f (of_class o))
    (flat_map (fun c => match class_time classes c t with
                     | Some p => if 0 <? cell (high S) c t
                                 then [{| of_class := c; price := cell (prices v) c t; span := p;
                                          few := if (c =? must)%N then 1 else 0; many := cell (high S) c t |}]
                                 else []
                     | None => []
                     end) l)) = sum (map f l).
Proof.
  induction l as [|c l IH]; intros part some; [reflexivity|].
  cbn [flat_map map]. rewrite map_app, sum_app, IH.
  2: { intros d Hd. apply part. right. exact Hd. }
  2: { intros d Hd. apply some. right. exact Hd. }
  cbn [sum fold_right]. fold (sum (map f l)). f_equal.
  destruct (Z.eq_dec (f c) 0) as [zero|nonzero].
  - rewrite zero. destruct (class_time classes c t); [|reflexivity].
    destruct (0 <? cell (high S) c t); [|reflexivity]. simpl. unfold sum. simpl. lia.
  - destruct (some c (or_introl eq_refl) nonzero) as (p & -> & pos).
      destruct (Z.ltb_spec 0 (cell (high S) c t)); [|lia].
    simpl. unfold sum. simpl. lia.
Qed.

(** Every pattern of a packing that has a task of the class is one of them. *)
Lemma patterns_complete S P v x must : types <> 0%nat ->
  (forall c t p, class_time classes c t = Some p -> 0 < p) -> packs types classes rooms vectors S P -> In v vectors ->
  (forall t, In t (ts types) -> 0 <= number (limits v) t) ->
  (forall c t, In c (cs classes) -> In t (ts types) -> 0 <= cell (prices v) c t) ->
  In x P -> 1 <= snd x must ->
  exists a, In a (patterns S v (fst x) must) /\ (forall c, In c (cs classes) -> snd x c = number a c).
Proof.
  intros some positive ok Hv limits_ok prices_ok Hx one. pose proof ok as (goods & counts & _ & ranges).
  destruct (goods x Hx) as [(nonneg & modes & short & _) Ht].
  pose proof (reduced_cost types classes rooms vectors S P v x ok Hv limits_ok Hx) as reduced.
  pose proof (slack_nonnegative types classes rooms vectors S P v some ok Hv limits_ok) as slack_.
  assert (in_type : In x (of_type (fst x) P)) by (apply filter_In; split; [assumption|apply N.eqb_refl]).
  assert (left_ : 0 < number (left S) (fst x)).
  { specialize (counts (fst x) Ht). destruct (of_type (fst x) P); [destruct in_type|simpl in counts; lia]. }
  assert (most : forall c, In c (cs classes) -> snd x c <= cell (high S) c (fst x)).
  { intros c Hc. destruct (ranges c (fst x) Hc Ht) as [_ H]. etransitivity; [|exact H].
    unfold placed_on. apply (in_sum (fun x => snd x c)); [|exact in_type]. intros y Hy. apply filter_In in Hy.
    destruct (goods y (proj1 Hy)) as [(H' & _) _]. apply H'. }
  assert (offers_ok : forall o, In o (offers S v (fst x) must) -> fits_offer (snd x) o).
  { intros o Ho. destruct (offers_spec _ _ _ _ _ Ho) as (Hc & found & price_ & many_ & pos & few_).
    unfold fits_offer. rewrite price_, many_, few_. split; [apply prices_ok; assumption|].
    split; [exact (positive _ _ _ found)|]. specialize (most _ Hc). specialize (nonneg (of_class o)).
    destruct (N.eqb_spec (of_class o) must) as [same|]; [rewrite same in *|]; lia. }
  set (l := OfferSort.sort (offers S v (fst x) must)).
  assert (same : Permutation (offers S v (fst x) must) l) by apply OfferSort.Permuted_sort.
  assert (whole : forall f : N -> Z, (forall c, In c (cs classes) -> f c <> 0 -> snd x c <> 0) ->
            sum (map (fun o => f (of_class o)) l) = sum (map f (cs classes))).
  { intros f zero. rewrite <- (sum_permutation _ _ (Permutation_map (fun o => f (of_class o)) same)).
    apply offers_sum; [apply incl_refl|]. intros c Hc nonzero. specialize (zero c Hc nonzero).
    destruct (modes c Hc zero) as (p & found & _). exists p. split; [assumption|].
    specialize (most c Hc). specialize (nonneg c). lia. }
  assert (in_l : forall o, In o l -> In o (offers S v (fst x) must)).
  { intros o Ho. apply Permutation_sym in same. exact (Permutation_in o same Ho). }
  assert (prices_total : total_price (snd x) l = worth classes v x).
  { unfold total_price, worth. rewrite <- (whole (fun c => snd x c * cell (prices v) c (fst x))).
    - apply sum_map_ext. intros o Ho. destruct (offers_spec _ _ _ _ _ (in_l o Ho)) as (_ & _ & price_ & _).
      rewrite price_. reflexivity.
    - intros c _ nonzero zero. apply nonzero. rewrite zero. reflexivity. }
  assert (spans_total : total_span (snd x) l = sum (map (fun c => snd x c * takes classes (fst x) c) (cs classes))).
  { unfold total_span. rewrite <- (whole (fun c => snd x c * takes classes (fst x) c)).
    - apply sum_map_ext. intros o Ho. destruct (offers_spec _ _ _ _ _ (in_l o Ho)) as (_ & found & _).
      unfold takes. rewrite found. reflexivity.
    - intros c _ nonzero zero. apply nonzero. rewrite zero. reflexivity. }
  pose proof (enumerate_in (snd x) l (number rooms (fst x)) (number (limits v) (fst x) - slack types classes S v)
                (fun o Ho => offers_ok o (in_l o Ho))) as listed.
  rewrite prices_total, spans_total in listed. specialize (listed short ltac:(lia)).
  exists (map (fun c => found c (map (fun o => (of_class o, snd x (of_class o))) l)) (cs classes)). split.
  - unfold patterns. destruct (Z.leb_spec (number (left S) (fst x)) 0); [lia|].
    destruct (Z.ltb_spec (slack types classes S v) 0); [lia|]. simpl.
    apply in_map_iff. eexists. split.
    2: { eapply Permutation_in; [apply PatternSort.Permuted_sort|]. apply in_map_iff. eexists. split; [|exact listed].
         reflexivity. }
    reflexivity.
  - intros c Hc. rewrite number_cs by assumption. rewrite found_map.
    destruct (existsb (fun o => (c =? of_class o)%N) l) eqn:there; [reflexivity|].
    destruct (Z.eq_dec (snd x c) 0) as [->|nonzero]; [reflexivity|exfalso].
    destruct (modes c Hc nonzero) as (p & found_ & _).
    destruct (offered S v (fst x) must c p Hc found_) as (o & Ho & is_c).
    { specialize (most c Hc). specialize (nonneg c). lia. }
    apply (Permutation_in o same) in Ho. apply not_true_iff_false in there. apply there.
    apply existsb_exists. exists o. split; [assumption|]. apply N.eqb_eq. congruence.
Qed.
End Covers.
