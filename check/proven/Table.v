(* SPDX-License-Identifier: Apache-2.0 *)
(** Tables: lists that are asked by number, and sets of numbers, as trees. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists.
Import ListNotations.

Module M := PositiveMap.

Definition key (i : N) : positive := N.succ_pos i.

Lemma key_injective i j : key i = key j -> i = j.
Proof. unfold key. intros H. rewrite <- (N.pos_pred_succ i), <- (N.pos_pred_succ j), H. reflexivity. Qed.

Definition entries {A} (l : list (N * A)) : M.t A :=
  fold_right (fun pair m => M.add (key (fst pair)) (snd pair) m) (M.empty A) l.

Definition find {A} (m : M.t A) (i : N) : option A := M.find (key i) m.

Lemma find_entries {A} (l : list (N * A)) i x :
  NoDup (map fst l) -> (find (entries l) i = Some x <-> In (i, x) l).
Proof.
  unfold find. induction l as [|[j y] l IH]; simpl; intros nodup.
  - rewrite M.gempty. split; [discriminate|tauto].
  - inversion nodup as [|? ? fresh nodup']; subst.
    destruct (N.eq_dec j i) as [->|differs].
    + rewrite M.gss. split.
      * intros H. inversion H; subst. auto.
      * intros [H|H]; [congruence|]. destruct fresh. apply in_map_iff. exists (i, x). auto.
    + rewrite M.gso by (intros same; apply key_injective in same; congruence).
      rewrite IH by assumption. split; [auto|]. intros [H|H]; [congruence|assumption].
Qed.

(** A list by number. *)
Definition tabled {A} (l : list A) : M.t A := entries (indexed 0 l).

Lemma find_tabled {A} (l : list A) i : find (tabled l) i = item l i.
Proof.
  assert (nodup : NoDup (map fst (indexed 0 l))) by (rewrite indexed_numbers; apply numbers_nodup).
  unfold tabled. destruct (item l i) as [x|] eqn:found.
  - apply find_entries; [assumption|]. apply indexed_item. exact found.
  - destruct (find (entries (indexed 0 l)) i) as [x|] eqn:wrong; [|reflexivity].
    apply find_entries in wrong; [|assumption]. apply indexed_item in wrong. congruence.
Qed.

(** Whether numbers are different from each other. *)
Fixpoint fresh (seen : M.t unit) (l : list N) : bool :=
  match l with
  | [] => true
  | i :: l => match find seen i with Some _ => false | None => fresh (M.add (key i) tt seen) l end
  end.

Lemma fresh_spec l : forall seen,
  fresh seen l = true <-> NoDup l /\ (forall i, In i l -> find seen i = None).
Proof.
  unfold find. induction l as [|i l IH]; simpl; intros seen.
  - split; [|reflexivity]. split; [constructor|tauto].
  - unfold find at 1. destruct (M.find (key i) seen) eqn:known.
    + split; [discriminate|]. intros [_ H]. rewrite (H i) in known by auto. discriminate.
    + rewrite IH. split.
      * intros [nodup unseen]. split.
        -- constructor; [|assumption]. intros Hi. specialize (unseen i Hi). rewrite M.gss in unseen. discriminate.
        -- intros j [<-|Hj]; [assumption|]. specialize (unseen j Hj).
           destruct (N.eq_dec i j) as [->|differs]; [rewrite M.gss in unseen; discriminate|].
           rewrite M.gso in unseen by (intros same; apply key_injective in same; congruence). exact unseen.
      * intros [nodup unseen]. inversion nodup; subst. split; [assumption|]. intros j Hj.
        rewrite M.gso; [auto|]. intros same. apply key_injective in same. subst. contradiction.
Qed.

Definition different (l : list N) : bool := fresh (M.empty unit) l.

Lemma different_spec l : different l = true <-> NoDup l.
Proof.
  unfold different. rewrite fresh_spec. split; [intros [H _]; exact H|].
  intros H. split; [exact H|]. intros i _. unfold find. apply M.gempty.
Qed.

(** Each number below `size` once, and no other. *)
Definition every_number (size : N) (l : list N) : bool :=
  (N.of_nat (length l) =? size)%N && forallb (fun j => (j <? size)%N) l && different l.

Lemma every_number_spec n l : every_number (N.of_nat n) l = true <-> Permutation l (numbers n).
Proof.
  unfold every_number. rewrite !andb_true_iff, forallb_forall, different_spec, N.eqb_eq. split.
  - intros [[size range] nodup]. apply NoDup_Permutation_bis; [assumption| |].
    + unfold numbers. rewrite map_length, seq_length. lia.
    + intros j Hj. apply in_numbers. apply N.ltb_lt. auto.
  - intros same. split; [split|].
    + apply Permutation_length in same. rewrite same. unfold numbers. rewrite map_length, seq_length. reflexivity.
    + intros j Hj. apply N.ltb_lt, in_numbers. exact (Permutation_in j same Hj).
    + apply Permutation_sym in same. apply (Permutation_NoDup same), numbers_nodup.
Qed.

(** Items grouped by a number. *)
Definition grouped {A} (number_of : A -> N) (l : list A) : M.t (list A) :=
  fold_right (fun x m => M.add (key (number_of x))
                               (x :: match find m (number_of x) with Some l => l | None => [] end) m)
             (M.empty (list A)) l.

Definition group {A} (m : M.t (list A)) (i : N) : list A := match find m i with Some l => l | None => [] end.

Lemma group_filter {A} (number_of : A -> N) l i :
  group (grouped number_of l) i = filter (fun x => (number_of x =? i)%N) l.
Proof.
  unfold group, find. induction l as [|y l IH]; simpl.
  - rewrite M.gempty. reflexivity.
  - destruct (N.eqb_spec (number_of y) i) as [same|differs].
    + rewrite same, M.gss. unfold find. rewrite IH. reflexivity.
    + rewrite M.gso by (intros same; apply key_injective in same; congruence). exact IH.
Qed.

Lemma group_spec {A} (number_of : A -> N) l i x :
  In x (group (grouped number_of l) i) <-> In x l /\ number_of x = i.
Proof. rewrite group_filter, filter_In, N.eqb_eq. reflexivity. Qed.
