(* SPDX-License-Identifier: Apache-2.0 *)
(** What the processors have room for: where every set of tasks that fits a processor is priced at most a limit, all
    tasks together are priced at most the limits of all processors. Every bound of independent tasks rests on this. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Valid.
Import ListNotations.
Open Scope Z_scope.

Section Capacity.
Variable I : instance.

(** A price of a task on a type, where it takes so long. *)
Definition pricing := N -> N -> Z -> Z.

Definition duration (t j : N) : Z := match time I j t with Some p => p | None => 0 end.

(** Tasks with a time on [t] that take at most [L] together are priced at most [M]. *)
Definition holds (L : Z) (price : pricing) (t : N) (M : Z) : Prop :=
  forall S, NoDup S -> (forall j, In j S -> exists p, time I j t = Some p /\ p <= L) ->
  sum (map (duration t) S) <= L -> sum (map (fun j => price j t (duration t j)) S) <= M.

Definition supply (limit : N -> Z) : Z :=
  sum (map (fun pair => count (snd pair) * limit (fst pair)) (indexed 0 (platform I))).

Hypothesis times_ok : I2 I.

Lemma holds_less L M price t most : M <= L -> holds L price t most -> holds M price t most.
Proof.
  intros less H S nodup modes short. apply H; auto; [|lia].
  intros j Hj. destruct (modes j Hj) as (p & found & Hp). exists p. split; [assumption|lia].
Qed.

Lemma duration_ends r : ends I r = start r + duration (on r) (job r).
Proof. reflexivity. Qed.

Lemma in_attempts s r : In r (runs s) -> In r (attempts s).
Proof. intros H. apply in_or_app. auto. Qed.

Lemma valid_placed s r : valid I s -> In r (runs s) -> placed I r.
Proof. intros ([_ places] & _) H. apply places, in_attempts, H. Qed.

Lemma run_time s r : valid I s -> In r (runs s) -> exists p, time I (job r) (on r) = Some p /\ p <= makespan I s.
Proof.
  intros ok H. destruct (valid_placed s r ok H) as (mode & _ & zero).
  destruct (time I (job r) (on r)) as [p|] eqn:found; [|congruence].
  exists p. split; [reflexivity|].
  assert (ends I r <= makespan I s) by (apply max_in, in_map, H).
  unfold ends in *. rewrite found in *. lia.
Qed.

Lemma jobs_nodup s : valid I s -> NoDup (map job (runs s)).
Proof. intros ([every _] & _). apply Permutation_sym in every. apply (Permutation_NoDup every), numbers_nodup. Qed.

Lemma nodup_filter {A B} (f : A -> B) P l : NoDup (map f l) -> NoDup (map f (filter P l)).
Proof.
  induction l as [|x l IH]; simpl; intros H; [constructor|].
  inversion H as [|? ? fresh nodup]; subst. destruct (P x); simpl; [|auto]. constructor; [|auto].
  intros again. apply fresh. apply in_map_iff in again. destruct again as (y & same & Hy).
  apply filter_In in Hy. apply in_map_iff. exists y. tauto.
Qed.

Lemma runs_apart s : valid I s ->
  ForallOrdPairs (fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q) (runs s).
Proof.
  intros (_ & apart2 & _). unfold S2, occupied in apart2. apply ForallOrdPairs_app in apart2.
  rewrite ForallOrdPairs_map in apart2. exact apart2.
Qed.

Lemma one_processor s t q :
  valid I s ->
  sum (map (fun r => duration (on r) (job r))
           (filter (fun r => (proc r =? q)) (filter (fun r => (on r =? t)%N) (runs s)))) <= makespan I s.
Proof.
  intros ok.
  assert (H : sum (map (fun r => ends I r - start r)
                (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)))) <= makespan I s - 0).
  { apply packed with (n := length (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)))).
    - lia.
    - apply max_nonnegative.
    - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr _]. apply filter_In in Hr. destruct Hr as [Hr _].
      destruct (valid_placed s r ok Hr) as (_ & _ & zero).
      split; [lia|]. split; [apply ends_forward, times_ok|apply max_in, in_map, Hr].
    - apply ForallOrdPairs_impl with
        (R := fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q);
        [|do 2 apply ForallOrdPairs_filter; apply runs_apart; exact ok].
      intros x y Hx Hy H. apply filter_In in Hx, Hy. destruct Hx as [Hx px], Hy as [Hy py].
      apply filter_In in Hx, Hy. destruct Hx as [_ ox], Hy as [_ oy].
      rewrite N.eqb_eq in *. rewrite Z.eqb_eq in *. apply H; congruence. }
  rewrite Z.sub_0_r in H. etransitivity; [|exact H]. apply Z.eq_le_incl. apply sum_map_ext.
  intros r _. rewrite duration_ends. lia.
Qed.

(** Runs of some tasks on a processor, which are all from [a] to [b]. *)
Lemma some_on_processor s t q (member : N -> bool) a b : valid I s -> a <= b ->
  (forall r, In r (runs s) -> on r = t -> proc r = q -> member (job r) = true -> a <= start r /\ ends I r <= b) ->
  sum (map (fun r => if member (job r) then duration (on r) (job r) else 0)
           (filter (fun r => (proc r =? q)) (filter (fun r => (on r =? t)%N) (runs s)))) <= b - a.
Proof.
  intros ok ab inside.
  set (R := filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))).
  rewrite (sum_filter _ (fun r => member (job r))).
  assert (H : sum (map (fun r => ends I r - start r) (filter (fun r => member (job r)) R)) <= b - a).
  { apply packed with (n := length (filter (fun r => member (job r)) R)); [lia|assumption| |].
    - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr is_member]. apply filter_In in Hr. destruct Hr as [Hr p].
      apply filter_In in Hr. destruct Hr as [Hr o]. apply N.eqb_eq in o. apply Z.eqb_eq in p.
      destruct (inside r Hr o p is_member).
      split; [assumption|]. split; [apply ends_forward, times_ok|assumption].
    - apply ForallOrdPairs_impl with
        (R := fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q);
        [|do 3 apply ForallOrdPairs_filter; apply runs_apart; exact ok].
      intros x y Hx Hy H. apply filter_In in Hx, Hy. destruct Hx as [Hx _], Hy as [Hy _].
      apply filter_In in Hx, Hy. destruct Hx as [Hx px], Hy as [Hy py].
      apply filter_In in Hx, Hy. destruct Hx as [_ ox], Hy as [_ oy].
      rewrite N.eqb_eq in *. rewrite Z.eqb_eq in *. apply H; congruence. }
  rewrite (sum_map_ext _ (fun r => ends I r - start r) (filter (fun r => member (job r)) R)).
  2: { intros r Hr. apply filter_In in Hr. destruct Hr as [_ ->]. rewrite duration_ends. lia. }
  assert (sum (map (fun r => if member (job r) then duration (on r) (job r) else 0)
                   (filter (fun r => negb (member (job r))) R)) <= 0); [|lia].
  apply sum_nonpositive. intros r Hr. apply filter_In in Hr. destruct Hr as [_ out].
  apply negb_true_iff in out. rewrite out. lia.
Qed.

Lemma sum_constant {A} (l : list A) c : sum (map (fun _ => c) l) = Z.of_nat (length l) * c.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map sum fold_right length].
  fold (sum (map (fun _ : A => c) l)). rewrite IH. lia. Qed.

Lemma decide_N a b : (if N.eq_dec a b then true else false) = (a =? b)%N.
Proof. destruct (N.eq_dec a b), (N.eqb_spec a b); congruence. Qed.

Lemma decide_Z a b : (if Z.eq_dec a b then true else false) = (a =? b).
Proof. destruct (Z.eq_dec a b), (Z.eqb_spec a b); congruence. Qed.

Definition paid (price : pricing) (r : run) : Z := price (job r) (on r) (duration (on r) (job r)).

(** What is paid on each processor of a type bounds what is paid on the type. *)
Lemma one_type_by s price t M : valid I s -> 0 <= processors I t ->
  (forall q, sum (map (paid price) (filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s)))) <= M) ->
  sum (map (paid price) (filter (fun r => (on r =? t)%N) (runs s))) <= processors I t * M.
Proof.
  intros ok some each.
  pose (keys := map Z.of_nat (seq 0 (Z.to_nat (processors I t)))).
  assert (keys_sum : sum (map (fun _ : Z => M) keys) = processors I t * M).
  { rewrite sum_constant. unfold keys. rewrite map_length, seq_length, Z2Nat.id by assumption. reflexivity. }
  rewrite <- keys_sum. apply (sum_groups Z.eq_dec proc).
  - unfold keys. apply FinFun.Injective_map_NoDup; [intros a b; lia|apply seq_NoDup].
  - intros r Hr. apply filter_In in Hr. destruct Hr as [Hr same]. apply N.eqb_eq in same. subst t.
    destruct (valid_placed s r ok Hr) as (_ & there & _).
    unfold keys. apply in_map_iff. exists (Z.to_nat (proc r)). rewrite in_seq. lia.
  - intros q _. rewrite (filter_ext _ (fun r => proc r =? q)) by (intros; apply decide_Z). apply each.
Qed.

Lemma one_type s price t M : valid I s -> 0 <= processors I t -> holds (makespan I s) price t M ->
  sum (map (paid price) (filter (fun r => (on r =? t)%N) (runs s))) <= processors I t * M.
Proof.
  intros ok some limit. apply one_type_by; [assumption|assumption|]. intros q.
  set (R := filter (fun r => proc r =? q) (filter (fun r => (on r =? t)%N) (runs s))).
  assert (on_t : forall r, In r R -> In r (runs s) /\ on r = t).
  { intros r Hr. apply filter_In in Hr. destruct Hr as [Hr _]. apply filter_In in Hr. rewrite N.eqb_eq in Hr. exact Hr. }
  assert (H : sum (map (fun j => price j t (duration t j)) (map job R)) <= M).
  { apply limit.
    - unfold R. apply nodup_filter, nodup_filter, jobs_nodup, ok.
    - intros j Hj. apply in_map_iff in Hj. destruct Hj as (r & <- & Hr). destruct (on_t r Hr) as [Hr' same].
      destruct (run_time s r ok Hr') as (p & found & Hp). rewrite same in found. exists p. auto.
    - rewrite map_map. etransitivity; [|apply (one_processor s t q ok)]. apply Z.eq_le_incl, sum_map_ext.
      intros r Hr. destruct (on_t r Hr) as [_ same]. rewrite same. reflexivity. }
  rewrite map_map in H. etransitivity; [|exact H]. apply Z.eq_le_incl, sum_map_ext.
  intros r Hr. destruct (on_t r Hr) as [_ same]. unfold paid. rewrite same. reflexivity.
Qed.

Lemma supply_keys limit : supply limit = sum (map (fun t => processors I t * limit t) (numbers (length (platform I)))).
Proof.
  unfold supply. rewrite <- indexed_numbers, map_map. apply sum_map_ext. intros [t x] H. simpl.
  apply indexed_item in H. unfold processors. rewrite H. reflexivity.
Qed.

Lemma placed_type r : placed I r -> In (on r) (numbers (length (platform I))) /\ 0 < processors I (on r).
Proof.
  intros (_ & there & _). split; [|lia]. apply in_numbers. unfold processors in there.
  destruct (item (platform I) (on r)) as [x|] eqn:found; [|lia]. eapply item_some; eauto.
Qed.

Lemma processors_nonnegative t : I1 I -> 0 <= processors I t.
Proof.
  intros counts_ok. unfold processors. destruct (item (platform I) t) as [x|] eqn:found; [|lia].
  apply counts_ok. eapply item_in; eauto.
Qed.

Lemma capacity_by s price limit : I1 I -> valid I s ->
  (forall t, In t (numbers (length (platform I))) ->
     sum (map (paid price) (filter (fun r => (on r =? t)%N) (runs s))) <= processors I t * limit t) ->
  sum (map (paid price) (runs s)) <= supply limit.
Proof.
  intros counts_ok ok each. rewrite supply_keys. apply (sum_groups N.eq_dec on).
  - apply numbers_nodup.
  - intros r Hr. apply placed_type. eapply valid_placed; eauto.
  - intros t Ht. rewrite (filter_ext _ (fun r => (on r =? t)%N)) by (intros; apply decide_N). apply each. exact Ht.
Qed.

Theorem capacity s price limit : I1 I -> valid I s ->
  (forall t, In t (numbers (length (platform I))) -> holds (makespan I s) price t (limit t)) ->
  sum (map (paid price) (runs s)) <= supply limit.
Proof.
  intros counts_ok ok limits. apply capacity_by; [assumption|assumption|]. intros t Ht.
  apply one_type; auto. apply processors_nonnegative. exact counts_ok.
Qed.
End Capacity.
