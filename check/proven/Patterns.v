(* SPDX-License-Identifier: Apache-2.0 *)
(** All patterns of a processor with at least some price, in the order of the format; and the pattern pools of [list]. *)
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
Variable rooms : space.
Variable most : list Z.

(** What the classes offer a processor of type [t], with at least one task of class [must], if any. *)
Definition is_must (must : option N) (c : N) : bool := match must with Some d => (c =? d)%N | None => false end.

Definition offers (S : state) (v : vector) (t : N) (must : option N) : list offer :=
  flat_map (fun c => match class_time classes c t with
                     | Some p => if 0 <? cell (high S) c t
                                 then [{| of_class := c; price := cell (prices v) c t; span := p;
                                          few := if is_must must c then 1 else 0; many := cell (high S) c t |}]
                                 else []
                     | None => []
                     end) (cs classes).

(** Patterns with a reduced cost of at most the slack, of tasks that are released early enough. *)
Definition enumerated (S : state) (v : vector) (A : list (Z * row)) (t : N) (must : option N) : list (list Z) :=
  filter (fun a => timely classes rooms t (number a))
    (map (fun l => map (fun c => found c l) (cs classes))
       (enumerate (steps (OfferSort.sort (offers S v t must))) (room_on rooms t)
                  (number (limits v) t - slack types classes S v A))).

(** Those of a cover: with a task of a class, in the order of the format. *)
Definition patterns (S : state) (v : vector) (t must : N) : list (list Z) :=
  if (number (left S) t <=? 0) || (slack types classes S v [] <? 0) then [] else
  let priced a := (sum (map (fun c => number a c * cell (prices v) c t) (cs classes)), a) in
  map snd (PatternSort.sort (map priced (enumerated S v [] t (Some must)))).

(** Those of the first list of a type: any that are not empty. *)
Definition pool (S : state) (v : vector) (A : list (Z * row)) (t : N) : list (list Z) :=
  if slack types classes S v A <? 0 then [] else
  filter (fun a => existsb (fun n => negb (n =? 0)) a) (enumerated S v A t None).

(** Those of a list below another one: with tasks that the state has, and a reduced cost of at most the slack. *)
Definition possible (S : state) (t : N) (a : list Z) : bool :=
  forallb (fun c => (number a c =? 0) || (number a c <=? cell (high S) c t)) (cs classes).

Definition narrowed (S : state) (v : vector) (A : list (Z * row)) (t : N) (l : list (list Z)) : list (list Z) :=
  let least_ := number (limits v) t - slack types classes S v A in
  filter (fun a => possible S t a && (least_ <=? pattern_price classes v A t (number a))) l.

Lemma offers_spec S v t must o : In o (offers S v t must) ->
  In (of_class o) (cs classes) /\ class_time classes (of_class o) t = Some (span o) /\
  price o = cell (prices v) (of_class o) t /\ many o = cell (high S) (of_class o) t /\ 0 < many o /\
  few o = if is_must must (of_class o) then 1 else 0.
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
                                          few := if is_must must c then 1 else 0; many := cell (high S) c t |}]
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

(** A pattern as a list of numbers. *)
Definition is_list (x : N * (N -> Z)) (a : list Z) : Prop := forall c, In c (cs classes) -> snd x c = number a c.

Lemma most_high S P x : packs types classes rooms most S P -> In x P ->
  forall c, In c (cs classes) -> snd x c <= cell (high S) c (fst x).
Proof.
  intros (goods & _ & _ & ranges) Hx c Hc. destruct (goods x Hx) as [_ Ht].
  destruct (ranges c (fst x) Hc Ht) as [_ H]. etransitivity; [|exact H].
  unfold placed_on. apply (in_sum (fun x => snd x c)); [|apply filter_In; split; [assumption|apply N.eqb_refl]].
  intros y Hy. apply filter_In in Hy. destruct (goods y (proj1 Hy)) as [(H' & _) _]. apply H'.
Qed.

(** Every pattern of a packing is one of them, if it has a task of the class. *)
Lemma enumerated_complete S P v A x must :
  (forall c t p, class_time classes c t = Some p -> 0 < p) -> packs types classes rooms most S P ->
  limits_hold types classes v A P -> is_listed v (fst x) = false ->
  (forall c t, In c (cs classes) -> In t (ts types) -> 0 <= cell (prices v) c t) ->
  In x P -> (forall c, must = Some c -> 1 <= snd x c) ->
  exists a, In a (enumerated S v A (fst x) must) /\ is_list x a.
Proof.
  intros positive ok holds plain prices_ok Hx one. pose proof ok as (goods & counts & _ & ranges).
  destruct (goods x Hx) as [(nonneg & modes & short & _ & in_time) Ht].
  pose proof (reduced_cost types classes rooms most S P v A x ok holds Hx) as reduced.
  assert (price_ : pattern_price classes v A (fst x) (snd x) = worth classes v x).
  { unfold pattern_price. rewrite plain. destruct x. simpl. lia. }
  rewrite price_ in reduced. pose proof (most_high S P x ok Hx) as most_.
  assert (offers_ok : forall o, In o (offers S v (fst x) must) -> fits_offer (snd x) o).
  { intros o Ho. destruct (offers_spec _ _ _ _ _ Ho) as (Hc & found & price__ & many_ & pos & few_).
    unfold fits_offer. rewrite price__, many_, few_. split; [apply prices_ok; assumption|].
    split; [exact (positive _ _ _ found)|]. specialize (most_ _ Hc). specialize (nonneg (of_class o)).
    destruct must as [d|]; simpl; [|lia]. specialize (one d eq_refl).
    destruct (N.eqb_spec (of_class o) d) as [same|]; [rewrite same in *|]; lia. }
  set (l := OfferSort.sort (offers S v (fst x) must)).
  assert (same : Permutation (offers S v (fst x) must) l) by apply OfferSort.Permuted_sort.
  assert (whole : forall f : N -> Z, (forall c, In c (cs classes) -> f c <> 0 -> snd x c <> 0) ->
            sum (map (fun o => f (of_class o)) l) = sum (map f (cs classes))).
  { intros f zero. rewrite <- (sum_permutation _ _ (Permutation_map (fun o => f (of_class o)) same)).
    apply offers_sum; [apply incl_refl|]. intros c Hc nonzero. specialize (zero c Hc nonzero).
    destruct (modes c Hc zero) as (p & found & _). exists p. split; [assumption|].
    specialize (most_ c Hc). specialize (nonneg c). lia. }
  assert (in_l : forall o, In o l -> In o (offers S v (fst x) must)).
  { intros o Ho. apply Permutation_sym in same. exact (Permutation_in o same Ho). }
  assert (prices_total : total_price (snd x) l = worth classes v x).
  { unfold total_price, worth. rewrite <- (whole (fun c => snd x c * cell (prices v) c (fst x))).
    - apply sum_map_ext. intros o Ho. destruct (offers_spec _ _ _ _ _ (in_l o Ho)) as (_ & _ & price__ & _).
      rewrite price__. reflexivity.
    - intros c _ nonzero zero. apply nonzero. rewrite zero. reflexivity. }
  assert (spans_total : total_span (snd x) l = sum (map (fun c => snd x c * takes classes (fst x) c) (cs classes))).
  { unfold total_span. rewrite <- (whole (fun c => snd x c * takes classes (fst x) c)).
    - apply sum_map_ext. intros o Ho. destruct (offers_spec _ _ _ _ _ (in_l o Ho)) as (_ & found & _).
      unfold takes. rewrite found. reflexivity.
    - intros c _ nonzero zero. apply nonzero. rewrite zero. reflexivity. }
  pose proof (enumerate_in (snd x) l (room_on rooms (fst x)) (number (limits v) (fst x) - slack types classes S v A)
                (fun o Ho => offers_ok o (in_l o Ho))) as listed.
  rewrite prices_total, spans_total in listed. specialize (listed short ltac:(lia)).
  set (a := map (fun c => found c (map (fun o => (of_class o, snd x (of_class o))) l)) (cs classes)).
  assert (is_a : is_list x a).
  { intros c Hc. unfold a. rewrite number_cs by assumption. rewrite found_map.
    destruct (existsb (fun o => (c =? of_class o)%N) l) eqn:there; [reflexivity|].
    destruct (Z.eq_dec (snd x c) 0) as [->|nonzero]; [reflexivity|exfalso].
    destruct (modes c Hc nonzero) as (p & found_ & _).
    destruct (offered S v (fst x) must c p Hc found_) as (o & Ho & is_c).
    { specialize (most_ c Hc). specialize (nonneg c). lia. }
    apply (Permutation_in o same) in Ho. apply not_true_iff_false in there. apply there.
    apply existsb_exists. exists o. split; [assumption|]. apply N.eqb_eq. congruence. }
  exists a. split; [|exact is_a]. unfold enumerated. apply filter_In. split.
  - apply in_map_iff. eexists. split; [|exact listed]. reflexivity.
  - rewrite <- in_time. symmetry. apply timely_same. exact is_a.
Qed.

Hypothesis some : types <> 0%nat.
Hypothesis positive : forall c t p, class_time classes c t = Some p -> 0 < p.

Lemma patterns_complete S P v x must : packs types classes rooms most S P ->
  limits_hold types classes v [] P -> is_listed v (fst x) = false ->
  (forall c t, In c (cs classes) -> In t (ts types) -> 0 <= cell (prices v) c t) ->
  In x P -> 1 <= snd x must -> exists a, In a (patterns S v (fst x) must) /\ is_list x a.
Proof.
  intros ok holds plain prices_ok Hx one.
  destruct (enumerated_complete S P v [] x (Some must) positive ok holds plain prices_ok Hx) as (a & Ha & is_a).
  { intros c same. inversion same; subst. exact one. }
  exists a. split; [|exact is_a]. pose proof (slack_nonnegative types classes rooms most S P v [] some ok holds).
  pose proof ok as (goods & counts & _). destruct (goods x Hx) as [_ Ht]. specialize (counts (fst x) Ht).
  assert (in_type : In x (of_type (fst x) P)) by (apply filter_In; split; [assumption|apply N.eqb_refl]).
  unfold patterns. destruct (Z.leb_spec (number (left S) (fst x)) 0).
  { destruct (of_type (fst x) P); [destruct in_type|simpl in counts; lia]. }
  destruct (Z.ltb_spec (slack types classes S v []) 0); [lia|]. cbn [orb].
  apply in_map_iff. eexists. split; [|eapply Permutation_in; [apply PatternSort.Permuted_sort|]].
  2: { apply in_map_iff. exists a. split; [reflexivity|exact Ha]. }
  reflexivity.
Qed.

Definition is_empty (x : N * (N -> Z)) : Prop := forall c, In c (cs classes) -> snd x c = 0.

Lemma empty_or x : is_empty x \/ exists c, In c (cs classes) /\ snd x c <> 0.
Proof.
  unfold is_empty. induction (cs classes) as [|c l IH]; [left; intros c []|].
  destruct (Z.eq_dec (snd x c) 0) as [zero|nonzero]; [|right; exists c; simpl; auto].
  destruct IH as [all|(d & Hd & nonzero)]; [left|right; exists d; simpl; auto].
  intros d [<-|Hd]; auto.
Qed.

(** The patterns of a type are empty or in a list. *)
Definition in_list (P : list (N * (N -> Z))) (t : N) (l : list (list Z)) : Prop :=
  forall x, In x P -> fst x = t -> is_empty x \/ exists a, In a l /\ is_list x a.

Lemma pool_complete S P v A t : packs types classes rooms most S P -> limits_hold types classes v A P ->
  is_listed v t = false -> (forall c t, In c (cs classes) -> In t (ts types) -> 0 <= cell (prices v) c t) ->
  in_list P t (pool S v A t).
Proof.
  intros ok holds plain prices_ok x Hx same. destruct (empty_or x) as [|(c & Hc & nonzero)]; [auto|right].
  rewrite <- same in plain.
  destruct (enumerated_complete S P v A x None positive ok holds plain prices_ok Hx) as (a & Ha & is_a); [discriminate|].
  exists a. split; [|exact is_a]. pose proof (slack_nonnegative types classes rooms most S P v A some ok holds).
  unfold pool. destruct (Z.ltb_spec (slack types classes S v A) 0); [lia|]. rewrite <- same. apply filter_In.
  split; [exact Ha|]. apply existsb_exists. rewrite (is_a c Hc) in nonzero. exists (number a c).
  split; [|apply negb_true_iff, Z.eqb_neq; exact nonzero].
  unfold number in *. destruct (item a c) as [z|] eqn:found_; [|lia]. exact (item_in _ _ _ found_).
Qed.

Lemma same_price v A t a b : (forall c, In c (cs classes) -> a c = b c) ->
  pattern_price classes v A t a = pattern_price classes v A t b.
Proof.
  intros same. unfold pattern_price, worth, on_pattern, tallied. simpl. f_equal.
  - apply sum_map_ext. intros c Hc. rewrite (same c Hc). reflexivity.
  - destruct (is_listed v t); [|reflexivity]. apply sum_map_ext. intros y _.
    rewrite (sum_map_ext (fun c => number (marks (snd y)) c * a c) (fun c => number (marks (snd y)) c * b c)).
    + reflexivity.
    + intros c Hc. rewrite (same c Hc). reflexivity.
Qed.

Lemma narrowed_complete S P v A t l : packs types classes rooms most S P -> limits_hold types classes v A P ->
  in_list P t l -> in_list P t (narrowed S v A t l).
Proof.
  intros ok holds all x Hx same. destruct (all x Hx same) as [|(a & Ha & is_a)]; [auto|right].
  exists a. split; [|exact is_a]. apply filter_In. split; [assumption|].
  pose proof (reduced_cost types classes rooms most S P v A x ok holds Hx) as reduced.
  rewrite (same_price v A (fst x) (snd x) (number a) is_a), same in reduced.
  apply andb_true_iff. split; [|apply Z.leb_le; lia].
  apply forallb_forall. intros c Hc. apply orb_true_iff. right. apply Z.leb_le. rewrite <- (is_a c Hc), <- same.
  exact (most_high S P x ok Hx c Hc).
Qed.

(** A limit that holds for the patterns of a list holds for a packing. *)
Definition list_within (S : state) (v : vector) (A : list (Z * row)) (t : N) (l : list (list Z)) : bool :=
  (0 <=? number (limits v) t) &&
  forallb (fun a => negb (possible S t a) || (pattern_price classes v A t (number a) <=? number (limits v) t)) l.

Lemma list_within_holds S P v A t l x : packs types classes rooms most S P -> in_list P t l ->
  list_within S v A t l = true -> In x P -> fst x = t ->
  pattern_price classes v A t (snd x) <= number (limits v) t.
Proof.
  intros ok all H Hx same. unfold list_within in H. rewrite andb_true_iff, Z.leb_le, forallb_forall in H.
  destruct H as [nonneg each]. destruct (all x Hx same) as [empty|(a & Ha & is_a)].
  - assert (zero : forall f : N -> Z, sum (map (fun c => f c * snd x c) (cs classes)) = 0).
    { intros f. rewrite (sum_map_ext _ (fun c => 0 * f c)); [rewrite sum_map_mul; lia|].
      intros c Hc. rewrite (empty c Hc). lia. }
    assert (none : worth classes v (t, snd x) = 0).
    { unfold worth. simpl. rewrite <- (zero (fun c => cell (prices v) c t)). apply sum_map_ext. intros; lia. }
    unfold pattern_price. rewrite none. destruct (is_listed v t); [|lia].
    enough (0 <= on_pattern classes A t (snd x)) by lia. unfold on_pattern.
    apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (y & <- & _).
    destruct (row_type (snd y) =? t)%N; [|lia]. unfold tallied. rewrite zero.
    destruct (Z.leb_spec (fewest (snd y)) 0); [lia|]. destruct (Z.leb_spec (fewest (snd y)) 0); lia.
  - specialize (each a Ha). rewrite (same_price v A t (snd x) (number a) is_a).
    apply orb_true_iff in each. destruct each as [impossible_|]; [|apply Z.leb_le; assumption].
    apply negb_true_iff in impossible_. exfalso. apply not_true_iff_false in impossible_. apply impossible_.
    apply forallb_forall. intros c Hc. apply orb_true_iff. right. apply Z.leb_le. rewrite <- (is_a c Hc), <- same.
    exact (most_high S P x ok Hx c Hc).
Qed.
End Covers.
