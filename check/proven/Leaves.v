(* SPDX-License-Identifier: Apache-2.0 *)
(** Leaves of a tree of cases by numbers of tasks: the knapsack of two types, and what one type alone has to run. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Proven Require Import Problem Lists Capacity Sets Allocation Packing Patterns.
Import ListNotations.
Open Scope Z_scope.

Notation pattern := (N * (N -> Z))%type.

Section Leaves.
Variable types : nat.
Variable classes : list (list (option Z)).
Variable rooms : space.
Variable most : list Z.

(** What a class may take of two types. *)
Definition shares (S : state) (c : N) : list (Z * Z) :=
  map (fun x => (- ((number (remaining S) c - x) * takes classes 1 c), x * takes classes 0 c))
      (range (Z.max 0 (cell (low S) c 0)) (Z.min (cell (high S) c 0) (number (remaining S) c))).

Definition divided (S : state) (w0 w1 : Z) : bool :=
  let items := map (shares S) (cs classes) in
  (types =? 2)%nat && (0 <=? w0) && (0 <=? w1) &&
  fails (number (left S) 0 * room_on rooms 0) (number (left S) 1 * room_on rooms 1) w0 w1 items
        (sum (map (least w0 w1) items)) [(0, 0)].

Hypothesis positive : forall c t p, class_time classes c t = Some p -> 0 < p.

Let packed_ := packs types classes rooms most.

Lemma takes_nonnegative t c : 0 <= takes classes t c.
Proof. unfold takes. destruct (class_time classes c t) as [p|] eqn:found; [|lia]. pose proof (positive _ _ _ found).
  lia. Qed.

(** The work on a type is within the processors' rooms. *)
Lemma work_fits S P t : packed_ S P -> In t (ts types) -> 0 <= room_on rooms t ->
  sum (map (fun c => placed_on P t c * takes classes t c) (cs classes)) <= number (left S) t * room_on rooms t.
Proof.
  intros (goods & counts & _ & _) Ht room. specialize (counts t Ht).
  assert (H : sum (map (fun x => sum (map (fun c => snd x c * takes classes t c) (cs classes))) (of_type t P))
              <= sum (map (fun _ => room_on rooms t) (of_type t P))).
  { apply sum_le. intros x Hx. apply filter_In in Hx. destruct Hx as [Hx same]. apply N.eqb_eq in same.
    destruct (goods x Hx) as [(_ & _ & short & _) _]. rewrite same in short. exact short. }
  rewrite sum_constant in H. rewrite <- (sum_swap (fun c x => snd x c * takes classes t c)) in H.
  rewrite (sum_map_ext _ (fun c => sum (map (fun x => snd x c * takes classes t c) (of_type t P)))).
  2: { intros c _. unfold placed_on. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros. lia. }
  nia.
Qed.

Lemma divided_sound S P w0 w1 : (forall t, In t (ts types) -> 0 <= room_on rooms t) -> packed_ S P ->
  divided S w0 w1 = true -> False.
Proof.
  intros room ok H. unfold divided in H. rewrite !andb_true_iff, !Z.leb_le, Nat.eqb_eq in H.
  destruct H as [[[two nonneg0] nonneg1] H]. pose proof ok as (_ & _ & whole & ranges).
  assert (H0 : In 0%N (ts types)) by (apply in_numbers; lia).
  assert (H1 : In 1%N (ts types)) by (apply in_numbers; lia).
  pose proof (work_fits S P 0 ok H0 (room 0%N H0)) as work0. pose proof (work_fits S P 1 ok H1 (room 1%N H1)) as work1.
  assert (rest : forall c, In c (cs classes) -> number (remaining S) c - placed_on P 0 c = placed_on P 1 c).
  { intros c Hc. rewrite <- (whole c Hc). unfold ts. rewrite two. unfold numbers, sum. simpl. lia. }
  pose (chosen := fun c => (- ((number (remaining S) c - placed_on P 0 c) * takes classes 1 c),
    placed_on P 0 c * takes classes 0 c)).
  apply (fails_spec (number (left S) 0 * room_on rooms 0) (number (left S) 1 * room_on rooms 1) w0 w1 (conj nonneg0
    nonneg1)
           (map (shares S) (cs classes)) _ [(0, 0)] (0, 0) (map chosen (cs classes))) in H; auto.
  - intros choices x Hchoices Hx. apply in_map_iff in Hchoices. destruct Hchoices as (c & <- & _).
    unfold shares in Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha). apply range_only in Ha. simpl.
    pose proof (takes_nonnegative 0 c). pose proof (takes_nonnegative 1 c). nia.
  - exists (0, 0). split; [left; reflexivity|apply better_refl].
  - assert (each : forall c, In c (cs classes) -> In (chosen c) (shares S c)).
    { intros c Hc. unfold shares. apply in_map_iff. exists (placed_on P 0 c). split; [reflexivity|].
      apply range_in. pose proof (ranges c 0%N Hc H0). pose proof (rest c Hc).
      pose proof (placed_nonnegative types classes rooms most S P 0 c ok).
      pose proof (placed_nonnegative types classes rooms most S P 1 c ok). lia. }
    clear - each. induction (cs classes) as [|c l IH]; simpl; constructor; [apply each; left; reflexivity|].
    apply IH. intros d Hd. apply each. right. exact Hd.
  - unfold total. rewrite map_map. simpl. exact work0.
  - unfold total. rewrite map_map. simpl. etransitivity; [|exact work1]. apply Z.eq_le_incl.
    assert (opposite : forall l f g, (forall c : N, In c l -> f c = - g c) -> - sum (map f l) = sum (map g l)).
    { induction l as [|c l IH]; intros f g same; [reflexivity|]. cbn [map sum fold_right].
      fold (sum (map f l)) (sum (map g l)).
      rewrite <- (IH f g) by (intros d Hd; apply same; right; exact Hd). rewrite (same c) by (left; reflexivity). lia. }
    apply opposite. intros c Hc. simpl. rewrite (rest c Hc). reflexivity.
Qed.

(** *** One type alone: the tasks that must go there are packed there, and no more *)

Definition bound_for (S : state) (t c : N) : Z := Z.max 0 (cell (low S) c t).

(** Times of these tasks, each once, in the order of the classes. *)
Fixpoint distinct (l : list Z) (seen : list Z) : list Z :=
  match l with
  | [] => rev seen
  | x :: l => distinct l (if existsb (Z.eqb x) seen then seen else x :: seen)
  end.

Fixpoint position (x : Z) (l : list Z) : option N :=
  match l with
  | [] => None
  | y :: l => if x =? y then Some 0%N else option_map N.succ (position x l)
  end.

Definition time_where (S : state) (t c : N) : list Z :=
  if 0 <? bound_for S t c then match class_time classes c t with Some p => [p] | None => [] end else [].

Definition own_times (S : state) (t : N) : list Z := distinct (flat_map (time_where S t) (cs classes)) [].

Definition merged (S : state) (t c : N) : option N :=
  if 0 <? bound_for S t c
  then match class_time classes c t with Some p => position p (own_times S t) | None => None end
  else None.

Definition is_merged (S : state) (t d c : N) : bool :=
  match merged S t c with Some e => (e =? d)%N | None => false end.

Definition own_sizes (S : state) (t : N) : list Z :=
  map (fun d => sum (map (fun c => if is_merged S t d c then bound_for S t c else 0) (cs classes)))
      (numbers (length (own_times S t))).

Definition own_classes (S : state) (t : N) : list (list (option Z)) := map (fun p => [Some p]) (own_times S t).

Definition own_unit (S : state) (t : N) : Z :=
  let unit_ := fold_right Z.gcd 0 (own_times S t) in if unit_ =? 0 then 1 else unit_.

Definition own_room (S : state) (t : N) (G : Z) : Z := own_unit S t * (G / own_unit S t).

Definition own_space (S : state) (t : N) (G : Z) : space := {| most_time := [own_room S t G]; waits := None |}.

Definition own_state (S : state) (t : N) : state :=
  let all := map (fun n => [n]) (own_sizes S t) in
  {| left := [number (left S) t]; remaining := own_sizes S t; low := all; high := all |}.

Definition alone_ok (S : state) (t : N) (G : Z) : bool :=
  (t <? N.of_nat types)%N && (room_on rooms t <=? G) && (0 <? own_unit S t) &&
  forallb (fun p => (0 <? p) && (p mod own_unit S t =? 0)) (own_times S t).

Lemma distinct_in l : forall seen x, In x (distinct l seen) <-> In x l \/ In x seen.
Proof.
  induction l as [|y l IH]; intros seen x; simpl.
  - rewrite <- in_rev. tauto.
  - rewrite IH. destruct (existsb (Z.eqb y) seen) eqn:known; simpl; [|tauto].
    apply existsb_exists in known. destruct known as (z & Hz & same). apply Z.eqb_eq in same. subst. split; [tauto|].
    intros [[->|H]|H]; auto.
Qed.

Lemma position_some x l : In x l -> exists d, position x l = Some d.
Proof.
  induction l as [|y l IH]; simpl; [tauto|]. intros H. destruct (Z.eqb_spec x y); [eauto|].
  destruct H as [->|H]; [congruence|]. destruct (IH H) as (d & ->). simpl. eauto.
Qed.

Lemma position_item x l : forall d, position x l = Some d -> item l d = Some x.
Proof.
  induction l as [|y l IH]; simpl; intros d H; [discriminate|]. destruct (Z.eqb_spec x y) as [->|].
  - inversion H; subst. reflexivity.
  - destruct (position x l) as [e|] eqn:found; [|discriminate]. inversion H; subst.
    destruct (N.eqb_spec (N.succ e) 0); [lia|]. rewrite N.pred_succ. auto.
Qed.

Lemma merged_time S t c d : merged S t c = Some d ->
  (d < N.of_nat (length (own_times S t)))%N /\ exists p, class_time classes c t = Some p /\
  item (own_times S t) d = Some p.
Proof.
  unfold merged. destruct (0 <? bound_for S t c); [|discriminate].
  destruct (class_time classes c t) as [p|] eqn:found; [|discriminate]. intros H. apply position_item in H.
  split; [eapply item_some; eauto|]. exists p. auto.
Qed.

Lemma own_class_time S t d u : class_time (own_classes S t) d u =
  match item (own_times S t) d with Some p => if (u =? 0)%N then Some p else None | None => None end.
Proof.
  unfold class_time, own_classes. rewrite item_map. destruct (item (own_times S t) d) as [p|]; [|reflexivity]. simpl.
  destruct (u =? 0)%N; reflexivity.
Qed.

(** Tasks are taken away until as many of each class are left as are needed. *)
Fixpoint trimmed (need : N -> Z) (l : list (N -> Z)) : list (N -> Z) :=
  match l with
  | [] => []
  | a :: l => (fun c => Z.min (a c) (need c)) :: trimmed (fun c => need c - Z.min (a c) (need c)) l
  end.

Lemma trimmed_length l : forall need, length (trimmed need l) = length l.
Proof. induction l as [|a l IH]; intros need; simpl; auto. Qed.

Lemma trimmed_sum c l : forall need, (forall a, In a l -> 0 <= a c) -> 0 <= need c <= sum (map (fun a => a c) l) ->
  sum (map (fun b => b c) (trimmed need l)) = need c.
Proof.
  induction l as [|a l IH]; intros need nonneg enough; simpl in *; [lia|].
  fold (sum (map (fun a => a c) l)) in enough.
  pose proof (nonneg a (or_introl eq_refl)).
  assert (0 <= sum (map (fun a => a c) l)).
  { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (b & <- & Hb). auto. }
  rewrite IH; [lia|intros; apply nonneg; auto|]. lia.
Qed.

Lemma trimmed_in l : forall need b, (forall c a, In a l -> 0 <= a c) -> (forall c, 0 <= need c) ->
  In b (trimmed need l) -> exists a, In a l /\ forall c, 0 <= b c <= a c /\ b c <= need c.
Proof.
  induction l as [|a l IH]; intros need b nonneg needs H; simpl in H; [destruct H|].
  destruct H as [<-|H].
  - exists a. split; [left; reflexivity|]. intros c. specialize (nonneg c a (or_introl eq_refl)).
    specialize (needs c). lia.
  - destruct (IH (fun c => need c - Z.min (a c) (need c)) b) as (x & Hx & less); auto.
    + intros c y Hy. apply nonneg. right. exact Hy.
    + intros c. specialize (needs c). lia.
    + exists x. split; [right; exact Hx|]. intros c. specialize (less c). specialize (nonneg c a (or_introl eq_refl)).
      specialize (needs c). lia.
Qed.

Definition merge_pattern (S : state) (t : N) (b : N -> Z) : pattern :=
  (0%N, fun d => sum (map (fun c => if is_merged S t d c then b c else 0) (cs classes))).

Definition own_packing (S : state) (t : N) (P : list pattern) : list pattern :=
  map (merge_pattern S t) (trimmed (bound_for S t) (map snd (of_type t P))).

(** Each class is in one of the merged ones. *)
Lemma merged_sum S t (f : N -> Z) (w : N -> Z) :
  (forall c, In c (cs classes) -> f c <> 0 -> exists d, merged S t c = Some d /\ w d = takes classes t c) ->
  sum (map (fun d => sum (map (fun c => if is_merged S t d c then f c else 0) (cs classes)) * w d)
           (numbers (length (own_times S t))))
  = sum (map (fun c => f c * takes classes t c) (cs classes)).
Proof.
  intros inside.
  rewrite (sum_map_ext _ (fun d => sum (map (fun c => (if is_merged S t d c then f c else 0) * w d) (cs classes)))).
  2: { intros d _. rewrite Z.mul_comm, <- sum_map_mul. apply sum_map_ext. intros; lia. }
  rewrite sum_swap. apply sum_map_ext. intros c Hc. unfold is_merged.
  destruct (Z.eq_dec (f c) 0) as [->|nonzero].
  - rewrite (sum_map_ext _ (fun _ => 0 * 0)); [rewrite sum_map_mul; lia|].
    intros d _. destruct (merged S t c); [destruct (_ =? d)%N|]; lia.
  - destruct (inside c Hc nonzero) as (e & found & weight). rewrite found. rewrite <- weight.
    destruct (merged_time S t c e found) as [He _]. apply in_numbers in He.
    assert (one : forall l, NoDup l -> In e l ->
              sum (map (fun d => (if (e =? d)%N then f c else 0) * w d) l) = f c * w e).
    { induction l as [|d l IH]; intros nodup Hd; [destruct Hd|]. inversion nodup as [|? ? fresh nodup']; subst.
      cbn [map sum fold_right]. fold (sum (map (fun d => (if (e =? d)%N then f c else 0) * w d) l)).
      destruct (N.eqb_spec e d) as [->|differs].
      - assert (sum (map (fun x => (if (d =? x)%N then f c else 0) * w x) l) = 0); [|lia].
        clear - fresh. induction l as [|x l IH]; [reflexivity|]. cbn [map sum fold_right].
        fold (sum (map (fun x => (if (d =? x)%N then f c else 0) * w x) l)).
        rewrite IH by (intros H; apply fresh; right; exact H).
        destruct (N.eqb_spec d x) as [->|]; [destruct fresh; left; reflexivity|lia].
      - destruct Hd as [->|Hd]; [congruence|]. rewrite IH; auto. }
    apply one; [apply numbers_nodup|exact He].
Qed.

Theorem alone_packs S P t G : packed_ S P -> alone_ok S t G = true ->
  packs 1 (own_classes S t) (own_space S t G) (own_sizes S t) (own_state S t) (own_packing S t P).
Proof.
  intros ok H. unfold alone_ok in H. rewrite !andb_true_iff, N.ltb_lt, Z.leb_le, Z.ltb_lt, forallb_forall in H.
  destruct H as [[[Ht room] unit_pos] times_ok]. apply in_numbers in Ht.
  pose proof ok as (goods & counts & whole & ranges).
  assert (nonneg : forall c a, In a (map snd (of_type t P)) -> 0 <= a c).
  { intros c a Ha. apply in_map_iff in Ha. destruct Ha as (x & <- & Hx). apply filter_In in Hx.
    destruct (goods x (proj1 Hx)) as [(H & _) _]. apply H. }
  assert (needs : forall c, 0 <= bound_for S t c) by (intros; unfold bound_for; lia).
  assert (enough : forall c, In c (cs classes) -> bound_for S t c <= placed_on P t c).
  { intros c Hc. pose proof (ranges c t Hc Ht). pose proof (placed_nonnegative types classes rooms most S P t c ok).
    unfold bound_for. lia. }
  assert (sums : forall c, In c (cs classes) ->
            sum (map (fun b => b c) (trimmed (bound_for S t) (map snd (of_type t P)))) = bound_for S t c).
  { intros c Hc. apply trimmed_sum; [auto|]. split; [apply needs|]. rewrite map_map. exact (enough c Hc). }
  assert (known : forall c, In c (cs classes) -> 0 < bound_for S t c -> exists d, merged S t c = Some d).
  { intros c Hc pos. specialize (enough c Hc). assert (one : 1 <= placed_on P t c) by lia.
    apply some_positive in one. destruct one as (x & Hx & one). apply filter_In in Hx. destruct Hx as [Hx same].
    apply N.eqb_eq in same. destruct (goods x Hx) as [(_ & modes & _) _].
    destruct (modes c Hc ltac:(lia)) as (p & found & _). rewrite same in found. unfold merged.
    destruct (Z.ltb_spec 0 (bound_for S t c)); [|lia]. rewrite found. apply position_some, distinct_in. left.
    apply in_flat_map. exists c. split; [assumption|]. unfold time_where.
    destruct (Z.ltb_spec 0 (bound_for S t c)); [|lia]. rewrite found. left. reflexivity. }
  assert (sizes_ : forall d, In d (numbers (length (own_times S t))) -> number (own_sizes S t) d =
            sum (map (fun c => if is_merged S t d c then bound_for S t c else 0) (cs classes))).
  { intros d Hd. unfold own_sizes. rewrite (Packing.number_map (length (own_times S t))) by exact Hd. reflexivity. }
  assert (size_ : cs (own_classes S t) = numbers (length (own_times S t))).
  { unfold cs, size, own_classes. rewrite map_length. reflexivity. }
  assert (total : forall d, In d (cs (own_classes S t)) ->
            placed_on (own_packing S t P) 0 d = number (own_sizes S t) d).
  { intros d Hd. rewrite size_ in Hd. rewrite (sizes_ d Hd). unfold placed_on, own_packing.
    assert (all : forall l, of_type 0 (map (merge_pattern S t) l) = map (merge_pattern S t) l).
    { induction l as [|b l IH]; [reflexivity|]. cbn [map]. unfold of_type in *. cbn [filter]. rewrite IH. reflexivity. }
    rewrite all, map_map. simpl. rewrite sum_swap. apply sum_map_ext. intros c Hc. rewrite <- (sums c Hc).
    destruct (is_merged S t d c); [reflexivity|].
    rewrite (sum_map_ext _ (fun _ : N -> Z => 0 * 0)); [rewrite sum_map_mul; lia|intros; lia]. }
  assert (merged_nonneg : forall d b, (forall c, 0 <= b c) ->
            0 <= sum (map (fun c => if is_merged S t d c then b c else 0) (cs classes))).
  { intros d b all. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (c & <- & _).
    destruct (is_merged S t d c); [apply all|lia]. }
  split; [|split; [|split]].
  - intros x Hx. unfold own_packing in Hx. apply in_map_iff in Hx. destruct Hx as (b & <- & Hb).
    destruct (trimmed_in _ _ _ nonneg needs Hb) as (a & Ha & less).
    split; [|left; reflexivity]. apply in_map_iff in Ha. destruct Ha as (x & <- & Hx). apply filter_In in Hx.
    destruct Hx as [Hx same]. apply N.eqb_eq in same. destruct (goods x Hx) as [(_ & _ & short & _) _].
    rewrite same in short. split; [|split; [|split; [|split]]]; simpl.
    + intros d. apply merged_nonneg. intros c. apply less.
    + intros d Hd _. rewrite size_ in Hd. apply in_numbers in Hd. rewrite own_class_time.
      destruct (item_exists _ _ Hd) as (p & found). rewrite found. exists p. split; [reflexivity|].
      specialize (times_ok p (item_in _ _ _ found)). apply andb_true_iff in times_ok. apply Z.ltb_lt, times_ok.
    + rewrite size_.
      assert (inside : forall c, In c (cs classes) -> b c <> 0 -> exists d, merged S t c = Some d /\
                takes (own_classes S t) 0 d = takes classes t c).
      { intros c Hc nonzero. specialize (less c). destruct (known c Hc) as (d & found); [lia|].
        exists d. split; [assumption|]. destruct (merged_time S t c d found) as (_ & p & is_p & found').
        unfold takes. rewrite own_class_time, found', is_p. reflexivity. }
      rewrite (merged_sum S t b (takes (own_classes S t) 0) inside). unfold room_on, number. simpl. unfold own_room.
      assert (work : sum (map (fun c => b c * takes classes t c) (cs classes)) <= G).
      { etransitivity; [|exact room]. etransitivity; [|exact short]. apply sum_le. intros c Hc. specialize (less c).
        pose proof (takes_nonnegative t c). nia. }
      assert (divides : (own_unit S t | sum (map (fun c => b c * takes classes t c) (cs classes)))).
      { revert inside. generalize (cs classes). induction l as [|c l IH]; intros inside; [apply Z.divide_0_r|].
        cbn [map sum fold_right]. apply Z.divide_add_r; [|apply IH; intros d Hd; apply inside; right; exact Hd].
        destruct (Z.eq_dec (b c) 0) as [->|nonzero]; [apply Z.divide_0_r|].
        destruct (inside c (or_introl eq_refl) nonzero) as (d & found & _).
        destruct (merged_time S t c d found) as (_ & p & is_p & found'). unfold takes. rewrite is_p.
        apply Z.divide_mul_r. specialize (times_ok p (item_in _ _ _ found')). rewrite andb_true_iff, Z.eqb_eq in times_ok.
        apply Z.mod_divide; [lia|apply times_ok]. }
      destruct divides as (k & multiple). rewrite multiple in *.
      assert (k <= G / own_unit S t) by (apply Z.div_le_lower_bound; lia). nia.
    + intros d Hd. rewrite size_ in Hd. rewrite (sizes_ d Hd). apply sum_le. intros c Hc.
      destruct (is_merged S t d c); [apply less|lia].
    + reflexivity.
  - intros u Hu. destruct Hu as [<-|[]]. unfold of_type. etransitivity.
    { apply inj_le, filter_no_longer. }
    unfold own_packing. rewrite map_length, trimmed_length, map_length. exact (counts t Ht).
  - intros d Hd. change (placed_on (own_packing S t P) 0 d + 0 = number (own_sizes S t) d). rewrite (total d Hd). lia.
  - intros d u Hd Hu. destruct Hu as [<-|[]]. rewrite total by exact Hd. rewrite size_ in Hd. apply in_numbers in Hd.
    unfold cell. simpl. rewrite item_map. unfold number.
    destruct (item (own_sizes S t) d) as [n|]; simpl; unfold number; simpl; lia.
Qed.
End Leaves.
