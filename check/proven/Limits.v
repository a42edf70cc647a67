(* SPDX-License-Identifier: Apache-2.0 *)
(** Whether the limits of vectors hold: for all sets of tasks of the classes that fit a processor, or by density. *)
From Coq Require Import ZArith List Lia Bool.
From Proven Require Import Problem Lists Sets Packing.
Import ListNotations.
Open Scope Z_scope.

Section Limits.
Variable types : nat.
Variable classes : list (list (option Z)).
Variable rooms : list Z.
Variable most : list Z.
Hypothesis positive : forall c t p, class_time classes c t = Some p -> 0 < p.

Notation pattern := (N * (N -> Z))%type.

(** So many tasks of a class as some number says, and as fit. *)
Definition copies (v : vector) (t : N) (many : N -> Z) (c : N) : list (N * (Z * Z)) :=
  match class_time classes c t with
  | Some p => if 0 <? cell (prices v) c t
              then repeat (c, (cell (prices v) c t, p)) (Z.to_nat (Z.min (many c) (number rooms t / p)))
              else []
  | None => []
  end.

Definition sets_within (v : vector) (t : N) (many : N -> Z) : bool :=
  let items := flat_map (copies v t many) (cs classes) in
  (0 <=? number (limits v) t) &&
  small (number rooms t) (number (limits v) t) items (sum (map Sets.worth items)) [(0, 0)].

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

Lemma sets_within_holds v t many (x : pattern) : good classes rooms most x -> fst x = t ->
  (forall c, In c (cs classes) -> snd x c <= many c) -> sets_within v t many = true ->
  worth classes v x <= number (limits v) t.
Proof.
  intros (nonneg & modes & short & _) same few H. unfold sets_within in H. rewrite andb_true_iff in H.
  destruct H as [_ H]. rewrite same in short. destruct x as [u a]. simpl in *. subst u.
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
  destruct (parts (cs classes) (incl_refl _)) as (is_part & sizes & worths).
  apply (small_spec _ _ _ _ [(0, 0)]) with (x := (0, 0)) (taken := flat_map own (cs classes)) in H; auto.
  - unfold worth. simpl in *. lia.
  - intros it Hit. apply in_flat_map in Hit. destruct Hit as (c & _ & Hit). unfold copies in Hit.
    destruct (class_time classes c t) as [p|] eqn:found; [|destruct Hit].
    destruct (Z.ltb_spec 0 (cell (prices v) c t)); [|destruct Hit]. apply repeat_spec in Hit. subst.
    unfold Sets.worth, Sets.size. simpl. pose proof (positive _ _ _ found). lia.
  - left. exists (0, 0). split; [left; reflexivity|apply better_refl].
  - simpl. lia.
Qed.

(** No class has a higher price for its time than the limit has for the room. *)
Definition times_within (v : vector) (t : N) : bool :=
  (0 <=? number (limits v) t) &&
  forallb (fun c => match class_time classes c t with
                    | Some p => cell (prices v) c t * number rooms t <=? number (limits v) t * p
                    | None => true
                    end) (cs classes).

Lemma times_within_holds v t (x : pattern) : good classes rooms most x -> fst x = t -> times_within v t = true ->
  worth classes v x <= number (limits v) t.
Proof.
  intros (nonneg & modes & short & _) same H. unfold times_within in H. rewrite andb_true_iff, Z.leb_le in H.
  destruct H as [limit_ H]. rewrite forallb_forall in H. rewrite same in short. destruct x as [u a].
  simpl in *. subst u. unfold worth. simpl.
  assert (each : forall c, In c (cs classes) ->
            a c * cell (prices v) c t * number rooms t <= number (limits v) t * (a c * takes classes t c)).
  { intros c Hc. destruct (Z.eq_dec (a c) 0) as [->|nonzero]; [lia|].
    destruct (modes c Hc nonzero) as (p & found & pos). specialize (H c Hc). rewrite found in H.
    apply Z.leb_le in H. rewrite (takes_time t c p found). pose proof (nonneg c). nia. }
  set (work := sum (map (fun c => a c * takes classes t c) (cs classes))) in *.
  set (total := sum (map (fun c => a c * cell (prices v) c t) (cs classes))).
  assert (sums : total * number rooms t <= number (limits v) t * work).
  { unfold total, work. rewrite (Z.mul_comm _ (number rooms t)), <- !sum_map_mul. apply sum_le. intros c Hc.
    specialize (each c Hc). lia. }
  destruct (Z_lt_le_dec 0 (number rooms t)) as [room|none]; [nia|].
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
