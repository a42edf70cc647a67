(* SPDX-License-Identifier: Apache-2.0 *)
(** Facts and nogoods, step by step: what contradicts a rule when its negation is taken for true. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Learned.
Import ListNotations.
Open Scope Z_scope.

Section Steps.
Variable I : instance.
Variable L : Z.
Variable all_edges : M.t edge.
Variable size : N.
Variable sequence : list N.
Variable twin_before : M.t N.

Notation contradicts := (contradicts I L all_edges size sequence twin_before).
Notation take_literal := (take_literal I L size).
Notation literal_ok := (literal_ok size).

(** What is refuted contradicts every rule. *)
Definition refutes (nogoods : M.t (list literal)) (K : option knowledge) (r : rule) : bool :=
  match K with Some K => contradicts nogoods K r | None => true end.

(** *** Steps and lines *)

Definition took (K : option knowledge) (l : literal) : option knowledge :=
  match K with Some K => take_literal K l | None => None end.

(** [None] where a step does not follow. *)
Definition step (nogoods : M.t (list literal)) (K : option knowledge) (x : rule * literal) : option (option knowledge) :=
  match K with
  | None => Some None
  | Some K =>
      if literal_ok (snd x) && refutes nogoods (take_literal K (negation (snd x))) (fst x)
      then Some (take_literal K (snd x)) else None
  end.

Fixpoint steps (nogoods : M.t (list literal)) (K : option knowledge) (l : list (rule * literal)) :
  option (option knowledge) :=
  match l with
  | [] => Some K
  | x :: l => match step nogoods K x with Some K => steps nogoods K l | None => None end
  end.

Fixpoint items (nogoods : M.t (list literal)) (number_ : N) (K : option knowledge) (l : list item_) :
  option (option knowledge) :=
  match l with
  | [] => Some K
  | Fact_item r lit :: l =>
      match step nogoods K (r, lit) with Some K => items nogoods number_ K l | None => None end
  | Nogood_item literals steps_ last :: l =>
      if forallb literal_ok literals &&
         match steps nogoods (fold_left took (map negation literals) K) steps_ with
         | Some K => refutes nogoods K last
         | None => false
         end
      then items (M.add (key number_) literals nogoods) (N.succ number_)
                 (match literals with [] => None | [lit] => took K lit | _ => K end) l
      else None
  end.

Definition learned (W : windows) (l : list item_) : bool :=
  match items (M.empty (list literal)) 0 (Some {| win := W; facts := M.empty (list (fact * bool)) |}) l with
  | Some None => true
  | _ => false
  end.

(** *** Soundness *)

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis size_is : size = N.of_nat (length (tasks I)).
Hypothesis edges_are : all_edges = tabled (edges I).

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis numbered : forall r, In r (runs s) -> proc r < Z.of_N size /\
  (0 < proc r -> exists i, In i (before_task (job r) sequence) /\
     exists q, In q (runs s) /\ job q = i /\ on q = on r /\ proc q = proc r - 1).

Hypothesis twins_hold : forall j i, find twin_before j = Some i -> start (the s i) <= start (the s j).

Notation may_be := (may_be I L s).
Notation literal_holds := (literal_holds I s).
Notation nogoods_hold := (nogoods_hold I s).

Lemma refutes_right nogoods K r : nogoods_hold nogoods -> may_be K -> refutes nogoods K r = true -> False.
Proof.
  intros hold known_ H. destruct K as [K|]; [|exact known_]. exact (contradicts_right I L all_edges size sequence twin_before counts_ok times_ok edges_ok size_is edges_are s ok
    numbered twins_hold
    nogoods K r hold known_ H).
Qed.

Lemma negation_ok l : literal_ok (negation l) = literal_ok l.
Proof. destruct l; reflexivity. Qed.

Lemma step_right nogoods K x K' : nogoods_hold nogoods -> may_be K -> step nogoods K x = Some K' -> may_be K'.
Proof.
  intros hold known_ H. destruct K as [K|]; [|destruct known_]. simpl in H.
  destruct (literal_ok (snd x)) eqn:good_; [|discriminate].
  destruct (refutes nogoods (take_literal K (negation (snd x))) (fst x)) eqn:follows; [|discriminate].
  simpl in H. inversion H; subst. destruct (literal_or I size size_is s (snd x)) as [yes|no]; [apply (take_known I L size size_is s ok); assumption|exfalso].
  eapply refutes_right; [exact hold| |exact follows]. apply (take_known I L size size_is s ok); auto. rewrite negation_ok. exact good_.
Qed.

Lemma steps_right nogoods l : nogoods_hold nogoods -> forall K K', may_be K -> steps nogoods K l = Some K' -> may_be K'.
Proof.
  intros hold. induction l as [|x l IH]; intros K K' known_ H; simpl in H; [inversion H; subst; exact known_|].
  destruct (step nogoods K x) as [K1|] eqn:one; [|discriminate].
  exact (IH K1 K' (step_right nogoods K x K1 hold known_ one) H).
Qed.

Lemma took_all l : forall K, forallb literal_ok l = true -> may_be K -> (forall x, In x l -> literal_holds x) ->
  may_be (fold_left took l K).
Proof.
  induction l as [|x l IH]; intros K good_ known_ holds_; simpl in *; [exact known_|].
  apply andb_true_iff in good_. destruct good_ as [first rest]. apply IH; auto.
  destruct K as [K|]; [|destruct known_]. simpl. apply (take_known I L size size_is s ok); auto.
Qed.

Lemma some_holds l : (exists x, In x l /\ literal_holds x) \/ (forall x, In x (map negation l) -> literal_holds x).
Proof.
  induction l as [|x l IH]; [right; intros x []|]. destruct (literal_or I size size_is s x) as [yes|no]; [left; exists x; simpl; auto|].
  destruct IH as [(y & Hy & yes)|all_]; [left; exists y; simpl; auto|right].
  simpl. intros y [<-|Hy]; auto.
Qed.

Lemma items_right l : forall nogoods number_ K K', nogoods_hold nogoods -> may_be K ->
  items nogoods number_ K l = Some K' -> may_be K'.
Proof.
  induction l as [|x l IH]; intros nogoods number_ K K' hold known_ H; simpl in H; [inversion H; subst; exact known_|].
  destruct x as [r lit|literals steps_ last].
  - destruct (step nogoods K (r, lit)) as [K1|] eqn:one; [|discriminate].
    exact (IH _ _ K1 K' hold (step_right nogoods K _ K1 hold known_ one) H).
  - destruct (forallb literal_ok literals) eqn:good_; [|discriminate].
    destruct (steps nogoods (fold_left took (map negation literals) K) steps_) as [K1|] eqn:all_steps; [|discriminate].
    simpl in H. destruct (refutes nogoods K1 last) eqn:end_; [|discriminate].
    assert (one : exists x, In x literals /\ literal_holds x).
    { destruct (some_holds literals) as [one|none]; [exact one|exfalso].
      assert (negated : forallb literal_ok (map negation literals) = true).
      { rewrite forallb_forall in *. intros y Hy. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz).
        rewrite negation_ok. auto. }
      pose proof (took_all _ K negated known_ none) as all_. 
      exact (refutes_right nogoods K1 last hold (steps_right nogoods steps_ hold _ K1 all_ all_steps) end_). }
    revert H. apply IH.
    + intros k m found. unfold find in found. destruct (N.eq_dec number_ k) as [<-|differs].
      * rewrite M.gss in found. inversion found; subst. exact one.
      * rewrite M.gso in found by (intros same; apply key_injective in same; congruence). exact (hold k m found).
    + destruct literals as [|lit [|y rest]]; [destruct one as (x & [] & _)| |exact known_].
      destruct one as (x & [<-|[]] & holds_). destruct K as [K|]; [|destruct known_]. simpl.
      apply (take_known I L size size_is s ok); auto. simpl in good_. rewrite andb_true_r in good_. exact good_.
Qed.

Theorem learned_right W l : all_fit I L s W -> learned W l = true -> False.
Proof.
  intros all_ H. unfold learned in H.
  destruct (items (M.empty (list literal)) 0 (Some {| win := W; facts := M.empty (list (fact * bool)) |}) l)
    as [[K|]|] eqn:end_; try discriminate.
  refine (items_right l _ _ _ None _ _ end_).
  - intros k m found. unfold find in found. rewrite M.gempty in found. discriminate.
  - split; [exact all_|]. simpl. intros k m x found. unfold find in found. rewrite M.gempty in found. discriminate.
Qed.
End Schedule.
End Steps.
