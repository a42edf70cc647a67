(* SPDX-License-Identifier: Apache-2.0 *)
(** Whether the limits of vectors hold: for all sets of tasks of the classes that fit a processor, or by density. *)
From Coq Require Import ZArith List Lia Bool Permutation Sorting.Mergesort Sorting.Sorted Orders.
From Proven Require Import Problem Lists Sets Packing.
Import ListNotations.
Open Scope Z_scope.

(** The latest release first. *)
Module ReleaseOrder <: TotalLeBool.
  Definition t : Type := Z * N.
  Definition leb (a b : t) : bool := fst b <=? fst a.
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !Z.leb_le. lia. Qed.
End ReleaseOrder.
Module ReleaseSort := Sort ReleaseOrder.

Lemma release_transitive : Relations_1.Transitive (fun a b => is_true (ReleaseOrder.leb a b)).
Proof. unfold ReleaseOrder.leb, is_true. intros a b c. rewrite !Z.leb_le. lia. Qed.

Section Limits.
Variable types : nat.
Variable classes : list (list (option Z)).
Variable rooms : space.
Variable most : list Z.
Hypothesis positive : forall c t p, class_time classes c t = Some p -> 0 < p.

Notation pattern := (N * (N -> Z))%type.

(** So many tasks of a class as some number says, and as fit. *)
Definition copies (v : vector) (t : N) (many : N -> Z) (c : N) : list (N * (Z * Z)) :=
  match class_time classes c t with
  | Some p => if 0 <? cell (prices v) c t
              then repeat (c, (cell (prices v) c t, p)) (Z.to_nat (Z.min (many c) (room_on rooms t / p)))
              else []
  | None => []
  end.

(** With releases the latest come first: the tasks that are released with one or later fit between its start and the
    deadline. *)
Definition in_turn : list N :=
  match waits rooms with
  | None => cs classes
  | Some w => map snd (ReleaseSort.sort (map (fun c => (number (releases w) c, c)) (cs classes)))
  end.

Definition room_at (t c : N) : Z :=
  match waits rooms with None => room_on rooms t | Some w => deadline w - beginning w t c end.

Definition sets_within (v : vector) (t : N) (many : N -> Z) : bool :=
  let items := flat_map (copies v t many) in_turn in
  (0 <=? number (limits v) t) &&
  small (room_at t) (number (limits v) t) items (sum (map Sets.worth items)) [(0, 0)].

Lemma sum_repeat {A} (f : A -> Z) x n : sum (map f (repeat x n)) = Z.of_nat n * f x.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [repeat map sum fold_right]. fold (sum (map f (repeat x n))). lia.
Qed.

Lemma takes_time t c p : class_time classes c t = Some p -> takes classes t c = p.
Proof. unfold takes. intros ->. reflexivity. Qed.

Lemma takes_nonneg t c : 0 <= takes classes t c.
Proof.
  unfold takes. destruct (class_time classes c t) as [p|] eqn:found; [|lia]. pose proof (positive _ _ _ found). lia.
Qed.

Lemma in_turn_all : Permutation (cs classes) in_turn.
Proof.
  unfold in_turn. destruct (waits rooms) as [w|]; [|reflexivity].
  etransitivity; [|apply Permutation_map, ReleaseSort.Permuted_sort]. rewrite map_map. cbn [snd]. rewrite map_id.
  reflexivity.
Qed.

Lemma in_turn_falls w l m : waits rooms = Some w -> in_turn = l ++ m -> forall d c, In d l -> In c m ->
  number (releases w) c <= number (releases w) d.
Proof.
  unfold in_turn. intros ->. set (pairs := ReleaseSort.sort (map (fun c => (number (releases w) c, c)) (cs classes))).
  assert (own : forall x, In x pairs -> fst x = number (releases w) (snd x)).
  { intros x Hx. apply (Permutation_in x (Permutation_sym (ReleaseSort.Permuted_sort _))) in Hx.
    apply in_map_iff in Hx. destruct Hx as (c & <- & _). reflexivity. }
  pose proof (ReleaseSort.StronglySorted_sort (map (fun c => (number (releases w) c, c)) (cs classes))
                release_transitive : StronglySorted _ pairs) as sorted.
  revert l. induction sorted as [|x pairs' _ IH first]; intros [|y l] same d c Hd Hc; try destruct Hd;
    cbn [map app] in same; try discriminate; injection same as head tail.
  - rewrite Forall_forall in first. subst y.
    assert (Hc' : In c (map snd pairs')) by (rewrite tail; apply in_or_app; auto).
    apply in_map_iff in Hc'. destruct Hc' as (z & <- & Hz). specialize (first z Hz).
    unfold ReleaseOrder.leb, is_true in first. apply Z.leb_le in first.
    rewrite (own x (or_introl eq_refl)), (own z (or_intror Hz)) in first. subst. exact first.
  - apply (IH (fun x Hx => own x (or_intror Hx)) l tail); assumption.
Qed.

(** Copies of a class. *)
Lemma in_rooms_repeat room_of it n l : forall load, 0 <= Sets.size it ->
  (n = O \/ load + Z.of_nat n * Sets.size it <= room_of (fst it)) -> in_rooms room_of (load + Z.of_nat n * Sets.size it) l ->
  in_rooms room_of load (repeat it n ++ l).
Proof.
  induction n as [|n IH]; intros load nonneg here rest.
  - simpl in *. replace (load + 0) with load in rest by lia. exact rest.
  - destruct here as [|here]; [discriminate|]. cbn [repeat app in_rooms]. split; [nia|].
    apply IH; [assumption|right; nia|]. replace (load + Sets.size it + Z.of_nat n * Sets.size it)
      with (load + Z.of_nat (S n) * Sets.size it) by nia. exact rest.
Qed.

Lemma sets_within_holds v t many (x : pattern) : good classes rooms most x -> fst x = t ->
  (forall c, In c (cs classes) -> snd x c <= many c) -> sets_within v t many = true ->
  worth classes v x <= number (limits v) t.
Proof.
  intros (nonneg & modes & short & _ & in_time) same few H. unfold sets_within in H. rewrite andb_true_iff in H.
  destruct H as [_ H]. rewrite same in short, in_time. destruct x as [u a]. simpl in *. subst u.
  pose (own := fun c => match class_time classes c t with
                        | Some p => if 0 <? cell (prices v) c t
                                    then repeat (c, (cell (prices v) c t, p)) (Z.to_nat (a c)) else []
                        | None => [] end).
  assert (parts : forall l, incl l (cs classes) -> part (flat_map own l) (flat_map (copies v t many) l) /\
            sum (map Sets.size (flat_map own l)) <= sum (map (fun c => a c * takes classes t c) l) /\
            sum (map (fun c => a c * cell (prices v) c t) l) <= sum (map Sets.worth (flat_map own l))).
  { induction l as [|c l IH]; intros inside; [simpl; split; [constructor|split; lia]|].
    destruct IH as (is_part & sizes & worths); [intros d Hd; apply inside; right; exact Hd|].
    assert (Hc : In c (cs classes)) by (apply inside; left; reflexivity).
    cbn [flat_map]. rewrite !map_app, !sum_app. cbn [map sum fold_right].
    fold (sum (map (fun c => a c * takes classes t c) l)). fold (sum (map (fun c => a c * cell (prices v) c t) l)).
    specialize (nonneg c) as some_. specialize (few c Hc).
    assert (one : part (own c) (copies v t many c) /\ sum (map Sets.size (own c)) <= a c * takes classes t c /\
                  a c * cell (prices v) c t <= sum (map Sets.worth (own c))).
    { unfold own, copies. destruct (class_time classes c t) as [p|] eqn:found.
      - pose proof (positive _ _ _ found) as pos. rewrite (takes_time t c p found).
        destruct (Z.ltb_spec 0 (cell (prices v) c t)).
        + split; [|rewrite !sum_repeat; unfold Sets.size, Sets.worth; simpl; rewrite Z2Nat.id by lia; lia].
          apply part_repeat. apply Z2Nat.inj_le; [lia| |].
          * apply Z.min_glb; [lia|]. apply Z.div_pos; [|lia]. etransitivity; [|exact short].
            apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (d & <- & _).
            pose proof (nonneg d). pose proof (takes_nonneg t d). nia.
          * apply Z.min_glb; [lia|]. apply Z.div_le_lower_bound; [lia|]. etransitivity; [|exact short].
            rewrite <- (takes_time t c p found). rewrite Z.mul_comm.
            apply (in_sum (fun c => a c * takes classes t c)); [|exact Hc].
            intros d _. pose proof (nonneg d). pose proof (takes_nonneg t d). nia.
        + split; [constructor|]. simpl. split; nia.
      - split; [constructor|]. simpl. pose proof (takes_nonneg t c). split; [nia|].
        destruct (Z.eq_dec (a c) 0) as [->|nonzero]; [lia|].
        destruct (modes c Hc nonzero) as (p & found' & _). congruence. }
    destruct one as (one_part & one_size & one_worth). split; [apply part_app; assumption|lia]. }
  pose proof in_turn_all as all.
  assert (inside : incl in_turn (cs classes)).
  { intros c Hc. exact (Permutation_in c (Permutation_sym all) Hc). }
  destruct (parts in_turn inside) as (is_part & sizes & worths).
  rewrite <- (sum_permutation _ _ (Permutation_map (fun c => a c * takes classes t c) all)) in sizes.
  rewrite <- (sum_permutation _ _ (Permutation_map (fun c => a c * cell (prices v) c t) all)) in worths.
  assert (own_nonneg : forall it, In it (flat_map own in_turn) -> 0 <= Sets.size it).
  { intros it Hit. apply in_flat_map in Hit. destruct Hit as (c & _ & Hit). unfold own in Hit.
    destruct (class_time classes c t) as [p|] eqn:found; [|destruct Hit].
    destruct (0 <? cell (prices v) c t); [|destruct Hit]. apply repeat_spec in Hit. subst. unfold Sets.size. simpl.
    pose proof (positive _ _ _ found). lia. }
  apply (small_spec _ _ _ _ [(0, 0)]) with (x := (0, 0)) (taken := flat_map own in_turn) in H; auto.
  - unfold worth. simpl in *. lia.
  - intros it Hit. apply in_flat_map in Hit. destruct Hit as (c & _ & Hit). unfold copies in Hit.
    destruct (class_time classes c t) as [p|] eqn:found; [|destruct Hit].
    destruct (Z.ltb_spec 0 (cell (prices v) c t)); [|destruct Hit]. apply repeat_spec in Hit. subst.
    unfold Sets.worth, Sets.size. simpl. pose proof (positive _ _ _ found). lia.
  - left. exists (0, 0). split; [left; reflexivity|apply better_refl].
  - simpl. unfold room_at. unfold timely in in_time. destruct (waits rooms) as [w|] eqn:waiting_.
    2: { apply one_room; [exact own_nonneg|]. lia. }
    rewrite forallb_forall in in_time.
    assert (turns : forall m l load, in_turn = l ++ m -> load <= sum (map (fun c => a c * takes classes t c) l) ->
              in_rooms (fun c => deadline w - beginning w t c) load (flat_map own m)).
    { induction m as [|c m IH]; intros l load split_ less; [exact Logic.I|]. cbn [flat_map].
      assert (Hc : In c (cs classes)) by (apply inside; rewrite split_; apply in_or_app; right; left; reflexivity).
      assert (next : forall load', load' <= load + a c * takes classes t c ->
                in_rooms (fun c => deadline w - beginning w t c) load' (flat_map own m)).
      { intros load' less'. apply (IH (l ++ [c])); [rewrite <- app_assoc; exact split_|].
        rewrite map_app, sum_app. cbn [map sum fold_right].
        fold (sum (map (fun c => a c * takes classes t c) l)). lia. }
      pose proof (nonneg c) as some_. pose proof (takes_nonneg t c) as long.
      unfold own at 1. destruct (class_time classes c t) as [p|] eqn:found; [|apply next; nia].
      pose proof (positive _ _ _ found) as pos. rewrite (takes_time t c p found) in *.
      destruct (0 <? cell (prices v) c t); [|apply next; nia].
      apply in_rooms_repeat; unfold Sets.size; cbn [fst snd]; rewrite ?Z2Nat.id by lia; [lia| |apply next; lia].
      destruct (Z.eq_dec (a c) 0) as [->|nonzero]; [left; reflexivity|right].
      specialize (in_time c Hc). apply orb_true_iff in in_time. rewrite !Z.leb_le in in_time.
      destruct in_time as [|in_time]; [lia|].
      enough (load + a c * p <= late classes w t a c) by lia. unfold late.
      rewrite (sum_permutation _ _ (Permutation_map _ all)), split_, map_app, sum_app. cbn [map sum fold_right].
      destruct (Z.eqb_spec (a c) 0); [lia|]. destruct (Z.leb_spec (number (releases w) c) (number (releases w) c)); [|lia].
      rewrite (takes_time t c p found).
      match goal with |- _ <= sum (map ?f l) + (_ + ?rest) =>
        assert (sum (map (fun d => a d * takes classes t d) l) <= sum (map f l)); [|assert (0 <= rest)] end.
      - apply sum_le. intros d Hd. destruct (Z.eqb_spec (a d) 0) as [->|]; [lia|].
        pose proof (in_turn_falls w l (c :: m) waiting_ split_ d c Hd (or_introl eq_refl)).
        destruct (Z.leb_spec (number (releases w) c) (number (releases w) d)); lia.
      - apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (d & <- & _).
        pose proof (nonneg d). pose proof (takes_nonneg t d).
        destruct (a d =? 0); [lia|]. destruct (number (releases w) c <=? number (releases w) d); nia.
      - lia. }
    apply (turns in_turn []); [reflexivity|]. simpl. lia.
Qed.

(** No class has a higher price for its time than the limit has for the room. *)
Definition times_within (v : vector) (t : N) : bool :=
  (0 <=? number (limits v) t) &&
  forallb (fun c => match class_time classes c t with
                    | Some p => cell (prices v) c t * room_on rooms t <=? number (limits v) t * p
                    | None => true
                    end) (cs classes).

Lemma times_within_holds v t (x : pattern) : good classes rooms most x -> fst x = t -> times_within v t = true ->
  worth classes v x <= number (limits v) t.
Proof.
  intros (nonneg & modes & short & _) same H. unfold times_within in H. rewrite andb_true_iff, Z.leb_le in H.
  destruct H as [limit_ H]. rewrite forallb_forall in H. rewrite same in short. destruct x as [u a].
  simpl in *. subst u. unfold worth. simpl.
  assert (each : forall c, In c (cs classes) ->
            a c * cell (prices v) c t * room_on rooms t <= number (limits v) t * (a c * takes classes t c)).
  { intros c Hc. destruct (Z.eq_dec (a c) 0) as [->|nonzero]; [lia|].
    destruct (modes c Hc nonzero) as (p & found & pos). specialize (H c Hc). rewrite found in H.
    apply Z.leb_le in H. rewrite (takes_time t c p found). pose proof (nonneg c). nia. }
  set (work := sum (map (fun c => a c * takes classes t c) (cs classes))) in *.
  set (total := sum (map (fun c => a c * cell (prices v) c t) (cs classes))).
  assert (sums : total * room_on rooms t <= number (limits v) t * work).
  { unfold total, work. rewrite (Z.mul_comm _ (room_on rooms t)), <- !sum_map_mul. apply sum_le. intros c Hc.
    specialize (each c Hc). lia. }
  destruct (Z_lt_le_dec 0 (room_on rooms t)) as [room|none]; [nia|].
  enough (total <= 0) by lia. apply sum_nonpositive. intros c Hc.
  destruct (Z.eq_dec (a c) 0) as [->|nonzero]; [lia|exfalso].
  destruct (modes c Hc nonzero) as (p & found & pos).
  assert (a c * takes classes t c <= work).
  { apply (in_sum (fun c => a c * takes classes t c)); [|exact Hc]. intros d _. pose proof (nonneg d).
    pose proof (takes_nonneg t d). nia. }
  rewrite (takes_time t c p found) in *. specialize (nonneg c). nia.
Qed.

(** What is checked of a vector before any node. *)
Definition vector_ok (v : vector) : bool :=
  (length (prices v) =? size classes)%nat &&
  forallb (fun row => (length row =? types)%nat && forallb (Z.leb 0) row) (prices v) &&
  forallb (fun t => (0 <=? number (limits v) t) &&
                    match mode_on v t with
                    | OfSets => sets_within v t (number most)
                    | OfTimes => times_within v t
                    | _ => true
                    end) (ts types).

Definition is_plain (v : vector) (t : N) : bool := match mode_on v t with OfSets | OfTimes => true | _ => false end.

Lemma vector_limits v t : vector_ok v = true -> In t (ts types) -> 0 <= number (limits v) t.
Proof.
  intros H Ht. unfold vector_ok in H. rewrite !andb_true_iff, !forallb_forall in H. destruct H as [_ H].
  specialize (H t Ht). rewrite andb_true_iff, Z.leb_le in H. apply H.
Qed.

Lemma vector_prices v c t : vector_ok v = true -> 0 <= cell (prices v) c t.
Proof.
  intros H. unfold vector_ok in H. rewrite !andb_true_iff, !forallb_forall in H. destruct H as [[_ H] _].
  unfold cell. destruct (item (prices v) c) as [row_|] eqn:Hrow; [|lia]. specialize (H row_ (item_in _ _ _ Hrow)).
  rewrite andb_true_iff, forallb_forall in H. destruct H as [_ H]. unfold number.
  destruct (item row_ t) as [z|] eqn:Hz; [|lia]. apply Z.leb_le, H. exact (item_in _ _ _ Hz).
Qed.

Lemma vector_plain v t x : vector_ok v = true -> In t (ts types) -> is_plain v t = true ->
  good classes rooms most x -> fst x = t -> worth classes v x <= number (limits v) t.
Proof.
  intros H Ht plain x_good same. unfold vector_ok in H. rewrite !andb_true_iff, !forallb_forall in H.
  destruct H as [_ H]. specialize (H t Ht). apply andb_true_iff in H. destruct H as [_ H]. unfold is_plain in plain.
  destruct (mode_on v t); try discriminate.
  - apply (sets_within_holds v t (number most) x x_good same); [|exact H]. intros c Hc. apply x_good. exact Hc.
  - exact (times_within_holds v t x x_good same H).
Qed.
End Limits.
