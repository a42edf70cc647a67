(* SPDX-License-Identifier: Apache-2.0 *)
(** Proofs by a tree of cases, of independent tasks: the nodes, and that no packing is left where they hold. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Proven Require Import Problem Lists Sets Allocation Packing Patterns Limits Leaves.
Import ListNotations.
Open Scope Z_scope.

(** A vector as the file has it: the weights of an area, or prices. *)
Inductive vector_file := Area_of (weights : list Z) | Prices_of (v : vector).

Inductive node :=
| Nowhere (c : N)
| Priced (v : N)
| Divided (weight0 weight1 : Z)
| Branched (t c : N) (a : Z) (below above : node)
| Covered (v t c : N) (children : list node)
| Pooled (v t : N) (patterns : Z) (child : node)
| Counted (t : N) (fewest a : Z) (members : list N) (below above : node)
| Held (v : N) (child : node)
| Alone (t : N) (within : Z) (files : list vector_file) (tree : node).

Section NodeInduction.
Variable Q : node -> Prop.
Hypothesis nowhere : forall c, Q (Nowhere c).
Hypothesis priced : forall v, Q (Priced v).
Hypothesis divided : forall w0 w1, Q (Divided w0 w1).
Hypothesis branched : forall t c a below above, Q below -> Q above -> Q (Branched t c a below above).
Hypothesis covered_ : forall v t c children, Forall Q children -> Q (Covered v t c children).
Hypothesis pooled : forall v t n child, Q child -> Q (Pooled v t n child).
Hypothesis counted : forall t h a members below above, Q below -> Q above -> Q (Counted t h a members below above).
Hypothesis held : forall v child, Q child -> Q (Held v child).
Hypothesis alone : forall t G files tree, Q tree -> Q (Alone t G files tree).

Fixpoint node_induction (n : node) : Q n :=
  match n with
  | Nowhere c => nowhere c
  | Priced v => priced v
  | Divided w0 w1 => divided w0 w1
  | Branched t c a below above => branched t c a below above (node_induction below) (node_induction above)
  | Covered v t c children =>
      covered_ v t c children
        ((fix every (l : list node) : Forall Q l :=
            match l with [] => Forall_nil Q | n :: l => Forall_cons n (node_induction n) (every l) end) children)
  | Pooled v t n child => pooled v t n child (node_induction child)
  | Counted t h a members below above =>
      counted t h a members below above (node_induction below) (node_induction above)
  | Held v child => held v child (node_induction child)
  | Alone t G files tree => alone t G files tree (node_induction tree)
  end.
End NodeInduction.

(** What a tree is about: classes of tasks on some types. *)
Record model := { types : nat; classes : list (list (option Z)); rooms : space; most : list Z; vectors : list vector }.

Definition area_vector (types : nat) (classes : list (list (option Z))) (rooms : space) (weights : list Z) : vector :=
  {| modes_of := map (fun _ => OfTimes) (ts types);
     limits := map (fun t => number weights t * room_on rooms t) (ts types);
     prices := tabulate (size classes) types (fun c t => number weights t * takes classes t c); count_prices := [] |}.

Definition vector_in types classes rooms (file : vector_file) : vector :=
  match file with Area_of weights => area_vector types classes rooms weights | Prices_of v => v end.

Definition model_of types classes rooms most (files : list vector_file) : model :=
  {| types := types; classes := classes; rooms := rooms; most := most;
     vectors := map (vector_in types classes rooms) files |}.

Definition model_ok (M : model) : bool :=
  negb (types M =? 0)%nat &&
  forallb (forallb (fun p => match p with Some p => 0 <? p | None => true end)) (classes M) &&
  forallb (fun t => 0 <=? room_on (rooms M) t) (ts (types M)) &&
  forallb (vector_ok (types M) (classes M) (rooms M) (most M)) (vectors M).

Definition packs_in (M : model) : state -> list pattern -> Prop := packs (types M) (classes M) (rooms M) (most M).

(** What is known at a node: the lists of patterns that are open, the innermost first, with their types; the counts,
    the outermost first; and the vectors whose limits hold for the sets of a state. *)
Record known := { lists : list (N * list (list Z)); counts : list (option row); helds : list N }.

Definition holds_for (M : model) (K : known) (P : list pattern) : Prop :=
  (forall t l, In (t, l) (lists K) -> in_list (classes M) P t l) /\
  (forall r, In (Some r) (counts K) -> row_holds (classes M) P r) /\
  (forall i v x, In i (helds K) -> item (vectors M) i = Some v -> In x P -> mode_on v (fst x) = OfState ->
     worth (classes M) v x <= number (limits v) (fst x)).

Fixpoint list_of (t : N) (l : list (N * list (list Z))) : option (list (list Z)) :=
  match l with [] => None | (u, patterns_) :: l => if (u =? t)%N then Some patterns_ else list_of t l end.

Lemma list_of_in t l m : list_of t l = Some m -> In (t, m) l.
Proof.
  induction l as [|[u n] l IH]; simpl; [discriminate|]. destruct (N.eqb_spec u t) as [->|]; [|auto].
  intros H. inversion H; subst. auto.
Qed.

(** Prices of counts that are open, and that the vector may have. *)
Definition counts_ok (v : vector) (K : known) : bool :=
  (length (count_prices v) <=? length (counts K))%nat &&
  forallb (fun x => (0 <=? fst x) && ((fst x =? 0) || match snd x with
                                                      | Some r => is_listed v (row_type r) || (fewest r <=? 0)
                                                      | None => false
                                                      end)) (combine (count_prices v) (counts K)).

(** Whether the limits of a vector hold here. *)
Definition usable (M : model) (K : known) (S : state) (i : N) (v : vector) : bool :=
  counts_ok v K &&
  forallb (fun t => match mode_on v t with
                    | OfList => match list_of t (lists K) with
                                | Some l => list_within (classes M) S v (active v (counts K)) t l
                                | None => false
                                end
                    | OfState => existsb (N.eqb i) (helds K)
                    | _ => true
                    end) (ts (types M)).

Definition plain (M : model) (v : vector) : bool :=
  forallb (is_plain v) (ts (types M)) && match count_prices v with [] => true | _ => false end.

Definition no_state (M : model) (v : vector) : bool :=
  forallb (fun t => match mode_on v t with OfState => false | _ => true end) (ts (types M)).

Definition opened (M : model) (t : N) (h : Z) (members : list N) (least_ : bool) (b : Z) : row :=
  {| row_type := t; fewest := h; bound := b; at_least := least_;
     marks := map (fun c => if existsb (N.eqb c) members then 1 else 0) (cs (classes M)) |}.

Definition with_count (K : known) (r : row) : known :=
  {| lists := lists K; counts := counts K ++ [Some r]; helds := helds K |}.

Definition with_list (K : known) (t : N) (l : list (list Z)) : known :=
  {| lists := (t, l) :: lists K; counts := counts K; helds := helds K |}.

Definition with_held (K : known) (i : N) : known :=
  {| lists := lists K; counts := counts K; helds := i :: helds K |}.

(** Once a pattern has been taken out, counts are lost. *)
Definition without_counts (K : known) : known :=
  {| lists := lists K; counts := map (fun _ => None) (counts K); helds := helds K |}.

Definition listed_here (M : model) (K : known) (S : state) (v : vector) (t : N) : list (list Z) :=
  let A := active v (counts K) in
  match list_of t (lists K) with
  | Some l => narrowed (types M) (classes M) S v A t l
  | None => pool (types M) (classes M) (rooms M) S v A t
  end.

Definition held_here (M : model) (S : state) (v : vector) : bool :=
  forallb (fun t => match mode_on v t with
                    | OfState => sets_within (classes M) (rooms M) v t (fun c => cell (high S) c t)
                    | _ => true
                    end) (ts (types M)).

Definition inside (M : model) (t : N) : bool := (t <? N.of_nat (types M))%N.
Definition class_in (M : model) (c : N) : bool := (c <? N.of_nat (size (classes M)))%N.

Definition own_model (M : model) (S : state) (t : N) (G : Z) (files : list vector_file) : model :=
  model_of 1 (own_classes (classes M) S t) (own_space (classes M) S t G) (own_sizes (classes M) S t) files.

Definition nothing_known : known := {| lists := []; counts := []; helds := [] |}.

Fixpoint node_holds (M : model) (K : known) (S : state) (n : node) : bool :=
  match n with
  | Nowhere c => class_in M c && impossible (types M) S c
  | Priced i =>
      match item (vectors M) i with
      | Some v => usable M K S i v && (slack (types M) (classes M) S v (active v (counts K)) <? 0)
      | None => false
      end
  | Divided w0 w1 => divided (types M) (classes M) (rooms M) S w0 w1
  | Branched t c a below above =>
      class_in M c && inside M t && (cell (low S) c t <=? a) && (a <? cell (high S) c t) &&
      node_holds M K (narrow (types M) (classes M) (N.eqb c) (with_high (types M) (classes M) S c t a)) below &&
      node_holds M K (narrow (types M) (classes M) (N.eqb c) (with_low (types M) (classes M) S c t (a + 1))) above
  | Covered i t c children =>
      match item (vectors M) i with
      | None => false
      | Some v =>
          plain M v && class_in M c && inside M t && (1 <=? cell (low S) c t) &&
          (fix every (l : list node) (all : list (list Z)) : bool :=
             match l, all with
             | [], [] => true
             | n :: l, a :: all =>
                 node_holds M (without_counts K)
                   (narrow (types M) (classes M) (fun c => negb (number a c =? 0))
                           (without (types M) (classes M) S t a)) n && every l all
             | _, _ => false
             end) children (patterns (types M) (classes M) (rooms M) S v t c)
      end
  | Pooled i t patterns_ child =>
      match item (vectors M) i with
      | None => false
      | Some v =>
          let l := listed_here M K S v t in
          no_state M v && inside M t && usable M K S i v && (Z.of_nat (length l) =? patterns_) &&
          node_holds M (with_list K t l) S child
      end
  | Counted t h a members below above =>
      inside M t && (length members <=? size (classes M))%nat && forallb (class_in M) members &&
      node_holds M (with_count K (opened M t h members false a)) S below &&
      node_holds M (with_count K (opened M t h members true (a + 1))) S above
  | Held i child =>
      match item (vectors M) i with
      | Some v => held_here M S v && node_holds M (with_held K i) S child
      | None => false
      end
  | Alone t G files tree =>
      let own := own_model M S t G files in
      alone_ok (types M) (classes M) (rooms M) S t G && model_ok own &&
      node_holds own nothing_known (own_state (classes M) S t) tree
  end.

Lemma model_some M : model_ok M = true -> types M <> 0%nat.
Proof. unfold model_ok. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq. tauto. Qed.

Lemma model_positive M : model_ok M = true -> forall c t p, class_time (classes M) c t = Some p -> 0 < p.
Proof.
  unfold model_ok. rewrite !andb_true_iff, !forallb_forall. intros [[[_ times_] _] _] c t p. unfold class_time.
  destruct (item (classes M) c) as [row_|] eqn:Hrow; [|discriminate].
  destruct (item row_ t) as [[q|]|] eqn:Hq; try discriminate. intros H. inversion H; subst.
  specialize (times_ row_ (item_in _ _ _ Hrow)). rewrite forallb_forall in times_.
  apply Z.ltb_lt. exact (times_ _ (item_in _ _ _ Hq)).
Qed.

Lemma model_rooms M : model_ok M = true -> forall t, In t (ts (types M)) -> 0 <= room_on (rooms M) t.
Proof.
  unfold model_ok. rewrite !andb_true_iff, !forallb_forall. intros [[_ rooms_] _] t Ht. apply Z.leb_le. auto.
Qed.

Lemma model_vector M i v : model_ok M = true -> item (vectors M) i = Some v ->
  vector_ok (types M) (classes M) (rooms M) (most M) v = true.
Proof.
  unfold model_ok. rewrite !andb_true_iff, !forallb_forall. intros [_ H] found. apply H, (item_in _ _ _ found).
Qed.

Lemma active_ok M K P v : holds_for M K P -> counts_ok v K = true ->
  priceable v (active v (counts K)) /\ (forall x, In x (active v (counts K)) -> 0 < fst x) /\
  (forall x, In x (active v (counts K)) -> row_holds (classes M) P (snd x)).
Proof.
  intros (_ & rows_ & _) ok. unfold counts_ok in ok. rewrite andb_true_iff, forallb_forall in ok.
  destruct ok as [_ ok]. split; [|split; intros x Hx; apply active_spec in Hx; [tauto|apply rows_; tauto]].
  intros x Hx. unfold active in Hx. apply in_flat_map in Hx. destruct Hx as ([g [r|]] & Hx & H); [|destruct H].
  specialize (ok _ Hx). simpl in H, ok. destruct (Z.leb_spec g 0); [destruct H|]. destruct H as [<-|[]]. simpl.
  rewrite andb_true_iff, !orb_true_iff, Z.eqb_eq, !Z.leb_le in ok. destruct ok as [_ [|[|]]]; [lia|auto|].
  right. assumption.
Qed.

Lemma usable_holds M K S P i v : model_ok M = true -> packs_in M S P -> holds_for M K P ->
  item (vectors M) i = Some v -> usable M K S i v = true ->
  limits_hold (types M) (classes M) v (active v (counts K)) P.
Proof.
  intros good_ ok known_ found H. unfold usable in H. rewrite andb_true_iff, forallb_forall in H.
  destruct H as [counts_ each]. destruct (active_ok M K P v known_ counts_) as (able & positive_ & rows_).
  pose proof (model_vector M i v good_ found) as vector_.
  split; [intros t Ht; eapply vector_limits; eauto|]. split; [exact able|]. split; [exact positive_|].
  split; [exact rows_|]. intros x Hx. pose proof ok as (goods & _). destruct (goods x Hx) as [x_good Ht].
  specialize (each (fst x) Ht).
  assert (as_worth : is_listed v (fst x) = false ->
            pattern_price (classes M) v (active v (counts K)) (fst x) (snd x) = worth (classes M) v x).
  { intros not_listed. unfold pattern_price. rewrite not_listed. destruct x. simpl. lia. }
  destruct (mode_on v (fst x)) eqn:mode_.
  1, 2: rewrite as_worth by (unfold is_listed; rewrite mode_; reflexivity);
    apply (vector_plain (types M) (classes M) (rooms M) (most M) (model_positive M good_) v (fst x) x); auto;
    unfold is_plain; rewrite mode_; reflexivity.
  - destruct (list_of (fst x) (lists K)) as [l|] eqn:Hl; [|discriminate]. destruct known_ as (lists_ & _ & _).
    apply list_of_in in Hl.
    exact (list_within_holds (types M) (classes M) (rooms M) (most M) (model_some M good_) S P v _ (fst x) l x ok
             (lists_ _ _ Hl) each Hx eq_refl).
  - rewrite as_worth by (unfold is_listed; rewrite mode_; reflexivity). apply existsb_exists in each.
    destruct each as (k & Hk & same). apply N.eqb_eq in same. subst k. destruct known_ as (_ & _ & helds_).
    exact (helds_ i v x Hk found Hx mode_).
Qed.

Lemma plain_holds M S P i v : model_ok M = true -> packs_in M S P -> item (vectors M) i = Some v ->
  plain M v = true -> limits_hold (types M) (classes M) v [] P.
Proof.
  intros good_ ok found H. unfold plain in H. rewrite andb_true_iff, forallb_forall in H. destruct H as [each none].
  pose proof (usable_holds M nothing_known S P i v good_ ok) as H.
  assert (no_counts : active v (counts nothing_known) = []) by (unfold active; simpl; destruct (count_prices v); auto).
  rewrite no_counts in H. apply H; [|exact found|].
  - split; [intros t l []|]. split; [intros r []|intros j w x []].
  - unfold usable, counts_ok. destruct (count_prices v); [|discriminate]. simpl. apply forallb_forall. intros t Ht.
    specialize (each t Ht). unfold is_plain in each. destruct (mode_on v t); congruence.
Qed.

Lemma plain_listed M v t : plain M v = true -> In t (ts (types M)) -> is_listed v t = false.
Proof.
  unfold plain. rewrite andb_true_iff, forallb_forall. intros [each _] Ht. specialize (each t Ht).
  unfold is_plain, is_listed in *. destruct (mode_on v t); congruence.
Qed.

(** A part of a packing. *)
Lemma less_known M K P1 P2 x : holds_for M K (P1 ++ x :: P2) -> holds_for M (without_counts K) (P1 ++ P2).
Proof.
  intros (lists_ & _ & helds_).
  assert (less : forall y, In y (P1 ++ P2) -> In y (P1 ++ x :: P2)).
  { intros y Hy. apply in_app_or in Hy. apply in_or_app. simpl. tauto. }
  split; [|split]; simpl.
  - intros t l Hl y Hy. apply (lists_ t l Hl). auto.
  - intros r Hr. apply in_map_iff in Hr. destruct Hr as (y & H & _). discriminate.
  - intros i v y Hi found Hy. apply (helds_ i v y Hi found). auto.
Qed.

Lemma count_known M K P r : holds_for M K P -> row_holds (classes M) P r -> holds_for M (with_count K r) P.
Proof.
  intros (lists_ & rows_ & helds_) one. split; [exact lists_|]. split; [|exact helds_]. simpl. intros q Hq.
  apply in_app_or in Hq. destruct Hq as [Hq|[Hq|[]]]; [auto|]. inversion Hq; subst. exact one.
Qed.

Lemma list_known M K P t l : holds_for M K P -> in_list (classes M) P t l -> holds_for M (with_list K t l) P.
Proof.
  intros (lists_ & rows_ & helds_) one. split; [|split; assumption]. simpl. intros u m [H|H]; [|auto].
  inversion H; subst. exact one.
Qed.

Lemma held_known M K S P i v : model_ok M = true -> packs_in M S P -> holds_for M K P ->
  item (vectors M) i = Some v -> held_here M S v = true -> holds_for M (with_held K i) P.
Proof.
  intros good_ ok (lists_ & rows_ & helds_) found H. split; [exact lists_|]. split; [exact rows_|]. simpl.
  intros j w x [<-|Hj] found' Hx mode_; [|eauto]. rewrite found in found'. inversion found'; subst w.
  unfold held_here in H. rewrite forallb_forall in H. pose proof ok as (goods & _).
  destruct (goods x Hx) as [x_good Ht]. specialize (H (fst x) Ht). rewrite mode_ in H.
  apply (sets_within_holds (classes M) (rooms M) (most M) (model_positive M good_) v (fst x)
           (fun c => cell (high S) c (fst x)) x x_good eq_refl); [|exact H].
  exact (most_high (types M) (classes M) (rooms M) (most M) S P x ok Hx).
Qed.

Lemma listed_known M K S P i v t : model_ok M = true -> packs_in M S P -> holds_for M K P ->
  item (vectors M) i = Some v -> usable M K S i v = true -> inside M t = true ->
  in_list (classes M) P t (listed_here M K S v t).
Proof.
  intros good_ ok known_ found use Ht. apply N.ltb_lt, in_numbers in Ht.
  pose proof (usable_holds M K S P i v good_ ok known_ found use) as limits_. unfold listed_here.
  destruct (list_of t (lists K)) as [l|] eqn:Hl.
  - apply (narrowed_complete (types M) (classes M) (rooms M) (most M)); auto; [exact (model_some M good_)|].
    apply known_, list_of_in, Hl.
  - apply (pool_complete (types M) (classes M) (rooms M) (most M)); auto.
    + exact (model_some M good_).
    + exact (model_positive M good_).
    + unfold usable in use. rewrite andb_true_iff, forallb_forall in use. destruct use as [_ use].
      specialize (use t Ht). unfold is_listed. destruct (mode_on v t); auto. rewrite Hl in use. discriminate.
    + intros c u _ _. eapply vector_prices. eapply model_vector; eauto.
Qed.

Lemma count_either M P t h members a : row_holds (classes M) P (opened M t h members false a) \/
  row_holds (classes M) P (opened M t h members true (a + 1)).
Proof.
  unfold row_holds, opened. simpl. change (tally (classes M) ?r P) with (tally (classes M) r P).
  match goal with |- ?x <= a \/ a + 1 <= ?y => assert (x = y) by reflexivity; destruct (Z_le_gt_dec x a) end;
    [left|right]; lia.
Qed.

Theorem node_sound : forall n M K S P, model_ok M = true -> node_holds M K S n = true -> packs_in M S P ->
  holds_for M K P -> False.
Proof.
  intros n. induction n as [c|i|w0 w1|t c a below above IHb IHa|i t c children IH|i t k child IH
    |t h a members below above IHb IHa|i child IH|t G files tree IH] using node_induction;
    intros M K S P good_ H ok known_; simpl in H.
  - apply andb_true_iff in H. destruct H as [Hc H]. apply N.ltb_lt, in_numbers in Hc.
    rewrite (not_impossible (types M) (classes M) (rooms M) (most M) S P c ok Hc) in H. discriminate.
  - destruct (item (vectors M) i) as [v|] eqn:Hv; [|discriminate]. apply andb_true_iff in H. destruct H as [use H].
    apply Z.ltb_lt in H.
    pose proof (slack_nonnegative (types M) (classes M) (rooms M) (most M) S P v _ (model_some M good_) ok
                  (usable_holds M K S P i v good_ ok known_ Hv use)). lia.
  - exact (divided_sound (types M) (classes M) (rooms M) (most M) (model_positive M good_) S P w0 w1
             (model_rooms M good_) ok H).
  - rewrite !andb_true_iff in H. destruct H as [[_ Hb] Ha].
    destruct (branch_packs (types M) (classes M) (rooms M) (most M) S P c t a ok) as [less|more].
    + apply (IHb M K _ P good_ Hb); [|exact known_]. apply narrow_packs. exact less.
    + apply (IHa M K _ P good_ Ha); [|exact known_]. apply narrow_packs. exact more.
  - destruct (item (vectors M) i) as [v|] eqn:Hv; [|discriminate].
    rewrite !andb_true_iff, Z.leb_le in H. destruct H as [[[[is_plain_ Hc] Ht] must] every].
    apply N.ltb_lt, in_numbers in Hc, Ht. pose proof ok as (_ & _ & _ & ranges).
    pose proof (proj1 (ranges c t Hc Ht)) as lo. assert (one : 1 <= placed_on P t c) by lia.
    apply some_positive in one. destruct one as (x & Hx & one). apply filter_In in Hx. destruct Hx as [Hx same].
    apply N.eqb_eq in same.
    destruct (patterns_complete (types M) (classes M) (rooms M) (most M) (model_some M good_) (model_positive M good_)
                S P v x c ok (plain_holds M S P i v good_ ok Hv is_plain_)) as (a & Ha & is_a); auto.
    { rewrite same. exact (plain_listed M v t is_plain_ Ht). }
    { intros d u _ _. eapply vector_prices. eapply model_vector; eauto. }
    rewrite same in Ha. apply in_split in Hx. destruct Hx as (P1 & P2 & ->).
    pose proof (without_packs (types M) (classes M) (rooms M) (most M) S P1 P2 x a ok is_a) as child.
    rewrite same in child.
    apply (narrow_packs (types M) (classes M) (rooms M) (most M) (fun c => negb (number a c =? 0))) in child.
    pose proof (less_known M K P1 P2 x known_) as known'.
    revert every Ha. generalize (patterns (types M) (classes M) (rooms M) S v t c) as all.
    clear - IH child known' good_.
    induction IH as [|n l holds_n _ IHl]; intros [|b all] every Ha; try discriminate; [destruct Ha|].
    apply andb_true_iff in every. destruct every as [first every]. destruct Ha as [->|Ha].
    + exact (holds_n M _ _ _ good_ first child known').
    + exact (IHl all every Ha).
  - destruct (item (vectors M) i) as [v|] eqn:Hv; [|discriminate]. rewrite !andb_true_iff in H.
    destruct H as [[[[_ Ht] use] _] H]. apply (IH M _ S P good_ H ok). apply list_known; [exact known_|].
    eapply listed_known; eauto.
  - rewrite !andb_true_iff in H. destruct H as [[_ Hb] Ha].
    destruct (count_either M P t h members a) as [less|more].
    + apply (IHb M _ S P good_ Hb ok). apply count_known; assumption.
    + apply (IHa M _ S P good_ Ha ok). apply count_known; assumption.
  - destruct (item (vectors M) i) as [v|] eqn:Hv; [|discriminate]. apply andb_true_iff in H. destruct H as [here H].
    apply (IH M _ S P good_ H ok). eapply held_known; eauto.
  - rewrite !andb_true_iff in H. destruct H as [[fits good'] H].
    pose proof (alone_packs (types M) (classes M) (rooms M) (most M) (model_positive M good_) S P t G ok fits) as own.
    apply (IH _ nothing_known _ _ good' H own). split; [intros u l []|]. split; [intros r []|intros j w x []].
Qed.
