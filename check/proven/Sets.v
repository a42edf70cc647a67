(* SPDX-License-Identifier: Apache-2.0 *)
(** Certificates [prices] and [knapsack]: sets of tasks by dynamic programs that keep the best pairs of two numbers. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices.
Import ListNotations.
Open Scope Z_scope.

(** ** Pairs of a value, the more the better, and a size, the less the better *)

Notation pair_ := (Z * Z)%type.
Definition better (y x : pair_) : Prop := fst x <= fst y /\ snd y <= snd x.

Lemma better_refl x : better x x.
Proof. unfold better. lia. Qed.

Lemma better_trans x y z : better z y -> better y x -> better z x.
Proof. unfold better. lia. Qed.

Definition covered (l : list pair_) (x : pair_) : Prop := exists y, In y l /\ better y x.

(** Two lists by rising size as one. *)
Fixpoint merge (l : list pair_) : list pair_ -> list pair_ :=
  match l with
  | [] => fun m => m
  | x :: l' =>
      fix merge_x (m : list pair_) : list pair_ :=
        match m with
        | [] => x :: l'
        | y :: m' => if snd x <=? snd y then x :: merge l' m else y :: merge_x m'
        end
  end.

Lemma merge_in l : forall m x, In x l \/ In x m -> In x (merge l m).
Proof.
  induction l as [|a l IH]; intros m x H; [destruct H as [[]|H]; exact H|].
  induction m as [|b m IHm]; simpl.
  - destruct H as [H|[]]. exact H.
  - destruct (snd a <=? snd b).
    + destruct H as [[->|H]|H]; [left; reflexivity| |]; right; apply IH; auto.
    + destruct H as [H|[->|H]]; [right; apply IHm; auto|left; reflexivity|right; apply IHm; auto].
Qed.

(** Leaves out pairs than which the last one kept is better. *)
Fixpoint prune (kept : pair_) (l : list pair_) : list pair_ :=
  match l with
  | [] => [kept]
  | x :: l => if (fst x <=? fst kept) && (snd kept <=? snd x) then prune kept l else kept :: prune x l
  end.

Definition pruned (l : list pair_) : list pair_ := match l with [] => [] | x :: l => prune x l end.

Lemma prune_covered l : forall kept x, In x (kept :: l) -> covered (prune kept l) x.
Proof.
  induction l as [|a l IH]; intros kept x H; simpl.
  - destruct H as [->|[]]. exists x. split; [left; reflexivity|apply better_refl].
  - destruct ((fst a <=? fst kept) && (snd kept <=? snd a)) eqn:worse.
    + rewrite andb_true_iff, !Z.leb_le in worse. destruct H as [->|[->|H]].
      * apply IH. left. reflexivity.
      * destruct (IH kept kept (or_introl eq_refl)) as (y & Hy & best). exists y. split; [assumption|].
        apply better_trans with kept; [assumption|]. unfold better. lia.
      * apply IH. right. exact H.
    + destruct H as [->|H].
      * exists x. split; [left; reflexivity|apply better_refl].
      * destruct (IH a x H) as (y & Hy & best). exists y. split; [right; assumption|assumption].
Qed.

Lemma pruned_covered l x : In x l -> covered (pruned l) x.
Proof. destruct l as [|a l]; [intros []|]. apply prune_covered. Qed.

Lemma covered_pruned l x : covered l x -> covered (pruned l) x.
Proof.
  intros (y & Hy & best). destruct (pruned_covered l y Hy) as (z & Hz & best'). exists z. split; [assumption|].
  eapply better_trans; eauto.
Qed.

Definition shifted (by_ : pair_) (l : list pair_) : list pair_ :=
  map (fun x => (fst x + fst by_, snd x + snd by_)) l.

Lemma covered_shifted by_ l x : covered l x -> covered (shifted by_ l) (fst x + fst by_, snd x + snd by_).
Proof.
  intros (y & Hy & best). exists (fst y + fst by_, snd y + snd by_). split.
  - apply in_map_iff. exists y. auto.
  - unfold better in *. simpl. lia.
Qed.

Lemma covered_merge l m x : covered l x \/ covered m x -> covered (merge l m) x.
Proof. intros [(y & Hy & best)|(y & Hy & best)]; exists y; (split; [apply merge_in; auto|assumption]). Qed.

(** ** Limits of sets: no items that fit are worth more than the limit *)

Definition worth (it : N * pair_) : Z := fst (snd it).
Definition size (it : N * pair_) : Z := snd (snd it).

(** Pairs are of sets of the items passed; one is left out once it can no longer become worth more than the limit. All
    that is taken up to an item has to fit the item's room. *)
Fixpoint small (room : N -> Z) (most : Z) (items : list (N * pair_)) (rest : Z) (front : list pair_) : bool :=
  match items with
  | [] => forallb (fun x => fst x <=? most) front
  | it :: items =>
      let rest := rest - worth it in
      let taken := filter (fun x => snd x <=? room (fst it)) (shifted (snd it) front) in
      small room most items rest (filter (fun x => most <? fst x + rest) (pruned (merge front taken)))
  end.

(** Some items of a list, in its order. *)
Inductive part {A} : list A -> list A -> Prop :=
| part_nil : part [] []
| part_in x l m : part l m -> part (x :: l) (x :: m)
| part_out x l m : part l m -> part l (x :: m).

Lemma part_filter {A} (P : A -> bool) l : part (filter P l) l.
Proof. induction l as [|x l IH]; simpl; [constructor|]. destruct (P x); constructor; exact IH. Qed.

Lemma part_app {A} (l m l' m' : list A) : part l l' -> part m m' -> part (l ++ m) (l' ++ m').
Proof. induction 1; simpl; intros; auto; constructor; auto. Qed.

Lemma part_repeat {A} (x : A) n : forall a, (a <= n)%nat -> part (repeat x a) (repeat x n).
Proof.
  induction n as [|n IH]; intros [|a] less; simpl; [constructor|lia|constructor; apply (IH 0%nat); lia|].
  constructor. apply IH. lia.
Qed.

Lemma part_incl {A} (l m : list A) : part l m -> incl l m.
Proof.
  induction 1 as [|x l m _ IH|x l m _ IH]; intros y Hy; simpl in *; [exact Hy| |right; auto].
  destruct Hy as [->|Hy]; auto.
Qed.

Fixpoint in_rooms (room : N -> Z) (load : Z) (l : list (N * pair_)) : Prop :=
  match l with
  | [] => True
  | it :: l => load + size it <= room (fst it) /\ in_rooms room (load + size it) l
  end.

Lemma one_room L l : forall load, (forall it, In it l -> 0 <= size it) -> load + sum (map size l) <= L ->
  in_rooms (fun _ => L) load l.
Proof.
  induction l as [|it l IH]; intros load nonneg short; [exact Logic.I|]. cbn [map sum fold_right] in short.
  fold (sum (map size l)) in short.
  assert (0 <= sum (map size l)).
  { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (y & <- & Hy). apply nonneg. simpl. auto. }
  split; [lia|]. apply IH; [|lia]. intros y Hy. apply nonneg. simpl. auto.
Qed.

Lemma small_spec room most items : forall rest front,
  (forall it, In it items -> 0 <= worth it /\ 0 <= size it) -> rest = sum (map worth items) ->
  small room most items rest front = true ->
  forall x taken, part taken items -> (covered front x \/ fst x + rest <= most) ->
  in_rooms room (snd x) taken -> fst x + sum (map worth taken) <= most.
Proof.
  induction items as [|it items IH]; intros rest front nonneg rest_is ok x taken is_part start fits.
  - inversion is_part; subst. simpl in *. destruct start as [(y & Hy & best)|less]; [|lia].
    rewrite forallb_forall in ok. specialize (ok y Hy). apply Z.leb_le in ok. unfold better in best. lia.
  - assert (items_nonneg : forall i, In i items -> 0 <= worth i /\ 0 <= size i) by (intros; apply nonneg; right;
      assumption).
    destruct (nonneg it (or_introl eq_refl)) as [worth_nonneg size_nonneg].
    simpl in rest_is, ok. fold (sum (map worth items)) in rest_is.
    assert (rest_less : rest - worth it = sum (map worth items)) by lia.
    specialize (IH (rest - worth it) _ items_nonneg rest_less ok).
    assert (step : forall y, covered (pruned (merge front (filter (fun x => snd x <=? room (fst it)) (shifted (snd it) front))))
      y ->
                   covered (filter (fun x => most <? fst x + (rest - worth it))
                             (pruned (merge front (filter (fun x => snd x <=? room (fst it)) (shifted (snd it) front))))) y \/
                   fst y + (rest - worth it) <= most).
    { intros y (z & Hz & best). destruct (Z_lt_le_dec most (fst z + (rest - worth it))) as [more|less].
      - left. exists z. split; [|assumption]. apply filter_In. split; [assumption|]. apply Z.ltb_lt. exact more.
      - right. unfold better in best. lia. }
    inversion is_part as [|i l m is_part' first second|i l m is_part' first second]; subst.
    + simpl in fits |- *. destruct fits as [here fits]. fold (sum (map worth l)).
      assert (H : fst (fst x + worth it, snd x + size it) + sum (map worth l) <= most).
      { apply (IH _ l is_part'); [|exact fits]. destruct start as [start|less]; [|simpl; right; lia].
        apply step, covered_pruned, covered_merge. right.
        destruct (covered_shifted (snd it) front x start) as (y & Hy & best).
        exists y. split; [|exact best]. apply filter_In. split; [assumption|].
        apply Z.leb_le. unfold better in best. simpl in best. unfold size in *. lia. }
      simpl in H. lia.
    + apply (IH x taken is_part'); [|assumption]. destruct start as [start|less]; [|right; lia].
      apply step, covered_pruned, covered_merge. left. exact start.
Qed.

(** ** prices *)

Inductive limit_kind := BySets | ByDensity (unit : Z).

Section Prices.
Variable I : instance.
Variable L : Z.
Variable price : N -> N -> Z.
Let pricing_ : pricing := fun j t _ => price j t.

(** The tasks with a price above 0 on a type: number, price and time. *)
Definition priced (t : N) (pair : N * task) : list (N * pair_) :=
  match item (times (snd pair)) t with
  | Some (Some p) => if (p <=? L) && (0 <? price (fst pair) t) then [(fst pair, (price (fst pair) t, p))] else []
  | _ => []
  end.

Definition items_of (t : N) : list (N * pair_) := flat_map (priced t) (indexed 0 (tasks I)).

Lemma items_spec t j v p : In (j, (v, p)) (items_of t) <->
  time I j t = Some p /\ p <= L /\ v = price j t /\ 0 < v.
Proof.
  unfold items_of. rewrite in_flat_map. unfold time. split.
  - intros ([i x] & Hx & H). apply indexed_item in Hx. unfold priced in H. simpl in H.
    destruct (item (times x) t) as [[q|]|] eqn:found; try contradiction.
    destruct ((q <=? L) && (0 <? price i t)) eqn:good; [|contradiction].
    rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in good. destruct H as [H|[]]. inversion H; subst.
    rewrite Hx, found. tauto.
  - intros (found & short & -> & pos). destruct (item (tasks I) j) as [x|] eqn:Hx; [|discriminate].
    exists (j, x). split; [apply indexed_item; exact Hx|]. unfold priced. simpl.
    destruct (item (times x) t) as [[q|]|]; try discriminate. inversion found; subst.
    replace ((p <=? L) && (0 <? price j t)) with true; [left; reflexivity|].
    symmetry. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia.
Qed.

Lemma nodup_flat {A B} (f : N * A -> list (N * B)) l :
  (forall x y, In y (f x) -> fst y = fst x) -> (forall x, (length (f x) <= 1)%nat) ->
  NoDup (map fst l) -> NoDup (map fst (flat_map f l)).
Proof.
  intros keeps one. induction l as [|x l IH]; simpl; intros nodup; [constructor|].
  inversion nodup as [|? ? fresh nodup']; subst. rewrite map_app. specialize (one x). specialize (keeps x) as keep_x.
  destruct (f x) as [|y [|z r]]; simpl in *; [auto| |lia]. constructor; [|auto].
  intros again. apply fresh. rewrite <- (keep_x y (or_introl eq_refl)).
  apply in_map_iff in again. destruct again as (z & same & Hz). apply in_flat_map in Hz.
  destruct Hz as (w & Hw & Hz). rewrite <- same, (keeps w z Hz). apply in_map. exact Hw.
Qed.

Lemma items_nodup t : NoDup (map fst (items_of t)).
Proof.
  apply nodup_flat; [| |rewrite indexed_numbers; apply numbers_nodup].
  - intros [i x] y H. unfold priced in H. simpl in *. destruct (item (times x) t) as [[q|]|]; try contradiction.
    destruct ((q <=? L) && (0 <? price i t)); [|contradiction]. destruct H as [<-|[]]. reflexivity.
  - intros [i x]. unfold priced. simpl. destruct (item (times x) t) as [[q|]|]; simpl; try lia.
    destruct ((q <=? L) && (0 <? price i t)); simpl; lia.
Qed.

Hypothesis times_ok : I2 I.

Definition by_sets (t : N) (most : Z) : bool :=
  let items := items_of t in (0 <=? L) && small (fun _ => L) most items (sum (map worth items)) [(0, 0)].

Lemma by_sets_holds t most : by_sets t most = true -> holds I L pricing_ t most.
Proof.
  unfold by_sets. rewrite andb_true_iff, Z.leb_le. intros [some ok] S nodup modes_ short. unfold pricing_.
  pose (chosen := fun it : N * pair_ => if in_dec N.eq_dec (fst it) S then true else false).
  pose (taken := filter chosen (items_of t)).
  assert (taken_spec : forall j v p, In (j, (v, p)) taken <->
            In j S /\ time I j t = Some p /\ p <= L /\ v = price j t /\ 0 < v).
  { intros j v p. unfold taken. rewrite filter_In, items_spec. unfold chosen. simpl.
    destruct (in_dec N.eq_dec j S); intuition discriminate. }
  pose (paid_ := filter (fun j => 0 <? price j t) S).
  assert (same : Permutation paid_ (map fst taken)).
  { apply NoDup_Permutation.
    - apply NoDup_filter. exact nodup.
    - apply nodup_filter, items_nodup.
    - intros j. unfold paid_. rewrite filter_In, Z.ltb_lt, in_map_iff. split.
      + intros [Hj pos]. destruct (modes_ j Hj) as (p & found & Hp).
        exists (j, (price j t, p)). split; [reflexivity|]. apply taken_spec. auto.
      + intros ([i [v p]] & <- & H). apply taken_spec in H. simpl. intuition subst; auto. }
  assert (worths : sum (map (fun j => price j t) paid_) = sum (map worth taken)).
  { rewrite (sum_permutation _ _ (Permutation_map (fun j => price j t) same)), map_map. apply sum_map_ext.
    intros [j [v p]] H. apply taken_spec in H. unfold worth. simpl. intuition. }
  assert (sizes : sum (map (duration I t) paid_) = sum (map size taken)).
  { rewrite (sum_permutation _ _ (Permutation_map (duration I t) same)), map_map. apply sum_map_ext.
    intros [j [v p]] H. apply taken_spec in H. unfold size, duration. simpl. destruct H as (_ & -> & _). reflexivity. }
  assert (less : sum (map (fun j => price j t) S) <= sum (map (fun j => price j t) paid_)).
  { rewrite (sum_filter (fun j => price j t) (fun j => 0 <? price j t) S). fold paid_.
    assert (sum (map (fun j => price j t) (filter (fun j => negb (0 <? price j t)) S)) <= 0); [|lia].
    apply sum_nonpositive. intros j Hj. apply filter_In in Hj. destruct Hj as [_ none].
    apply negb_true_iff, Z.ltb_ge in none. lia. }
  assert (shorter : sum (map (duration I t) paid_) <= sum (map (duration I t) S)).
  { rewrite (sum_filter (duration I t) (fun j => 0 <? price j t) S). fold paid_.
    assert (0 <= sum (map (duration I t) (filter (fun j => negb (0 <? price j t)) S))); [|lia].
    apply sum_nonnegative. intros d Hd. apply in_map_iff in Hd. destruct Hd as (j & <- & _).
    apply duration_nonnegative. exact times_ok. }
  rewrite worths in less. rewrite sizes in shorter. etransitivity; [exact less|].
  assert (nonneg : forall it, In it (items_of t) -> 0 <= worth it /\ 0 <= size it).
  { intros [j [v p]] H. apply items_spec in H. unfold worth, size. simpl. split; [lia|].
    eapply time_nonnegative; [exact times_ok|apply H]. }
  apply (small_spec _ most (items_of t) _ [(0, 0)]) with (x := (0, 0)) (taken := taken) in ok; auto.
  - apply part_filter.
  - left. exists (0, 0). split; [left; reflexivity|apply better_refl].
  - apply one_room; [|simpl; lia]. intros it Hit. apply nonneg. apply filter_In in Hit. apply Hit.
Qed.

(** Times that are multiples of a unit fill at most the multiple of it that is within [L]. *)
Definition by_density (t : N) (unit most : Z) : bool :=
  let room := unit * (L / unit) in
  (0 <? unit) && (0 <=? most) &&
  forallb (fun pair => match item (times (snd pair)) t with
                       | Some (Some p) =>
                           (L <? p) || (price (fst pair) t =? 0) ||
                           ((0 <? p) && (p mod unit =? 0) && (price (fst pair) t * room <=? most * p))
                       | _ => true
                       end) (indexed 0 (tasks I)).

Lemma by_density_holds t unit most : by_density t unit most = true -> holds I L pricing_ t most.
Proof.
  unfold by_density. set (room := unit * (L / unit)). rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le, forallb_forall.
  intros [[unit_pos most_nonneg] ok] S _ modes_ short. unfold pricing_.
  pose (counted := fun j => if price j t =? 0 then 0 else duration I t j).
  assert (each : forall j, In j S -> 0 <= counted j <= duration I t j /\
            (price j t = 0 \/ 0 < counted j) /\ (unit | counted j) /\ price j t * room <= most * counted j).
  { intros j Hj. destruct (modes_ j Hj) as (p & found & Hp). unfold counted, duration. rewrite found.
    pose proof (time_nonnegative I j t p times_ok found).
    assert (good : (L <? p) || (price j t =? 0) || ((0 <? p) && (p mod unit =? 0) && (price j t * room <=? most * p))
      = true).
    { unfold time in found. destruct (item (tasks I) j) as [x|] eqn:Hx; [|discriminate].
      specialize (ok (j, x) (proj2 (indexed_item _ _ _) Hx)). simpl in ok.
      destruct (item (times x) t) as [[q|]|]; try discriminate. inversion found; subst. exact ok. }
    destruct (Z.ltb_spec L p); [lia|]. simpl in good. destruct (Z.eqb_spec (price j t) 0) as [->|].
    - simpl. split; [lia|]. split; [auto|]. split; [apply Z.divide_0_r|lia].
    - simpl in good. rewrite !andb_true_iff, Z.ltb_lt, Z.eqb_eq, Z.leb_le in good.
      destruct good as [[pos divides] dense]. split; [lia|]. split; [auto|]. split; [|exact dense].
      apply Z.mod_divide; [lia|exact divides]. }
  assert (total : forall T, (forall j, In j T -> In j S) ->
            0 <= sum (map counted T) <= sum (map (duration I t) T) /\ (unit | sum (map counted T)) /\
            (sum (map counted T) = 0 -> sum (map (fun j => price j t) T) = 0) /\
            sum (map (fun j => price j t) T) * room <= most * sum (map counted T)).
  { induction T as [|j T IH]; intros part; simpl.
    - split; [lia|]. split; [apply Z.divide_0_r|]. split; [auto|lia].
    - destruct (IH (fun i Hi => part i (or_intror Hi))) as (range & divides & zero & dense).
      destruct (each j (part j (or_introl eq_refl))) as (range' & zero' & divides' & dense').
      fold (sum (map counted T)) (sum (map (duration I t) T)) (sum (map (fun j => price j t) T)).
      split; [lia|]. split; [apply Z.divide_add_r; assumption|]. split; [|lia].
      intros none. destruct zero' as [->|]; [|lia]. rewrite zero; lia. }
  destruct (total S (fun j Hj => Hj)) as (range & (k & divides) & zero & dense).
  destruct (Z.eq_dec (sum (map counted S)) 0) as [none|some]; [rewrite zero; assumption|].
  assert (k <= L / unit) by (apply Z.div_le_lower_bound; nia).
  assert (sum (map counted S) <= room) by (unfold room; nia). nia.
Qed.

Definition limit_holds (t : N) (kind : limit_kind) (most : Z) : bool :=
  match kind with BySets => by_sets t most | ByDensity unit => by_density t unit most end.
End Prices.

Fixpoint every_limit (I : instance) (L : Z) (price : N -> N -> Z) (t : N) (kinds : list limit_kind) (limits :
  list Z) : bool :=
  match kinds, limits with
  | kind :: kinds, most :: limits => limit_holds I L price t kind most && every_limit I L price (N.succ t) kinds limits
  | [], [] => true
  | _, _ => false
  end.

Lemma every_limit_holds I L price kinds : forall limits t u, I2 I ->
  every_limit I L price t kinds limits = true -> (t <= u < t + N.of_nat (length kinds))%N ->
  holds I L (fun j t _ => price j t) u (number limits (u - t)).
Proof.
  induction kinds as [|kind kinds IH]; intros limits t u times_ok ok range; simpl in range; [lia|].
  destruct limits as [|most limits]; [discriminate|]. simpl in ok. apply andb_true_iff in ok. destruct ok as [one rest].
  destruct (N.eq_dec t u) as [->|differs].
  - replace (u - u)%N with 0%N by lia. destruct kind; simpl in one;
      [apply by_sets_holds|eapply by_density_holds]; eauto.
  - replace (number (most :: limits) (u - t)) with (number limits (u - N.succ t)).
    + apply IH; auto. lia.
    + unfold number. simpl. destruct (N.eqb_spec (u - t) 0); [lia|].
      replace (N.pred (u - t)) with (u - N.succ t)%N by lia. reflexivity.
Qed.

(** Prices of the tasks in their order, each with a number for each type. *)
Definition check_prices (I : instance) (value : Z) (kinds : list limit_kind) (limits : list Z) (prices :
  list (list Z)) : bool :=
  let table := tabled prices in
  let price j t := match find table j with Some row => number row t | None => 0 end in
  let L := value - 1 in
  (length kinds =? length (platform I))%nat && every_limit I L price 0 kinds limits &&
  exceeds I false L (fun j t _ => price j t) (number limits).

Theorem prices_sound I value kinds limits prices : I1 I -> I2 I -> check_prices I value kinds limits prices = true ->
  forall s, valid I s -> value <= makespan I s.
Proof.
  intros counts_ok times_ok H s ok. unfold check_prices in H. rewrite !andb_true_iff in H.
  destruct H as [[all limits_] H]. apply Nat.eqb_eq in all. replace value with (value - 1 + 1) by lia.
  revert s ok. eapply exceeds_sound; eauto. intros t Ht. apply in_numbers in Ht.
  pose proof (every_limit_holds I (value - 1) _ kinds limits 0 t times_ok limits_) as each.
  rewrite N.sub_0_r in each. apply each. rewrite all. lia.
Qed.
