(* SPDX-License-Identifier: Apache-2.0 *)
(** Prices of tasks beside what the processors supply, and the certificate [shelf]. *)
From Coq Require Import ZArith List Permutation Lia Bool.
From Proven Require Import Problem Lists Table Valid Capacity.
Import ListNotations.
Open Scope Z_scope.

Section Prices.
Variable I : instance.

(** The types with processors on which a task may run, with its times there. *)
Definition modes (x : task) : list (N * Z) :=
  flat_map (fun type => if 0 <? count (snd type)
                        then match item (times x) (fst type) with Some (Some p) => [(fst type, p)] | _ => [] end
                        else [])
           (indexed 0 (platform I)).

Lemma modes_spec j x t p : item (tasks I) j = Some x ->
  (In (t, p) (modes x) <-> 0 < processors I t /\ time I j t = Some p).
Proof.
  intros Hx. unfold modes, processors, time. rewrite Hx, in_flat_map. split.
  - intros ([u y] & Hy & H). apply indexed_item in Hy. simpl in H.
    destruct (Z.ltb_spec 0 (count y)) as [pos|]; [|contradiction].
    destruct (item (times x) u) as [[q|]|] eqn:found; try contradiction.
    destruct H as [H|[]]. inversion H; subst. rewrite Hy, found. auto.
  - intros [pos found]. destruct (item (platform I) t) as [y|] eqn:Hy; [|lia].
    exists (t, y). split; [apply indexed_item; exact Hy|]. simpl.
    destruct (Z.ltb_spec 0 (count y)); [|lia].
    destruct (item (times x) t) as [[q|]|] eqn:found'; try discriminate. inversion found; subst. left. reflexivity.
Qed.

Lemma run_mode s r x : valid I s -> In r (runs s) -> item (tasks I) (job r) = Some x ->
  In (on r, duration I (on r) (job r)) (modes x) /\ duration I (on r) (job r) <= makespan I s.
Proof.
  intros ok Hr Hx. destruct (run_time I s r ok Hr) as (p & found & Hp).
  unfold duration. rewrite found. split; [|assumption]. apply (modes_spec (job r)); [assumption|].
  split; [|assumption]. apply placed_type. eapply valid_placed; eauto.
Qed.

Lemma job_item s r : valid I s -> In r (runs s) -> exists x, item (tasks I) (job r) = Some x.
Proof.
  intros ok Hr. destruct (run_time I s r ok Hr) as (p & found & _). unfold time in found.
  destruct (item (tasks I) (job r)); [eauto|discriminate].
Qed.

Lemma every_job s j x : valid I s -> item (tasks I) j = Some x -> exists r, In r (runs s) /\ job r = j.
Proof.
  intros ([every _] & _) Hx. apply item_some, in_numbers in Hx. apply Permutation_sym in every.
  apply (Permutation_in j every) in Hx. apply in_map_iff in Hx. destruct Hx as (r & <- & Hr). eauto.
Qed.

(** *** The least prices of all tasks, beside what the processors supply *)

Definition within (L : Z) (x : task) : list (N * Z) := filter (fun mode => snd mode <=? L) (modes x).

(** The least of some costs of modes; nothing where there is no mode. *)
Definition cheapest (cost_of : N * Z -> Z) (l : list (N * Z)) : option Z :=
  fold_right (fun mode least => match least with
                                | None => Some (cost_of mode)
                                | Some c => Some (Z.min (cost_of mode) c)
                                end) None l.

Lemma cheapest_spec cost_of l mode : In mode l -> exists c, cheapest cost_of l = Some c /\ c <= cost_of mode.
Proof.
  induction l as [|m l IH]; simpl; [tauto|]. intros [->|H].
  - destruct (cheapest cost_of l) as [c|]; eexists; split; try reflexivity; lia.
  - destruct (IH H) as (c & found & less). rewrite found. eexists; split; [reflexivity|]. lia.
Qed.

Definition amount (x : option Z) : Z := match x with Some c => c | None => 0 end.
Definition nothing (x : option Z) : bool := match x with Some _ => false | None => true end.

(** What each task must cost, where it takes one of the modes that are chosen. *)
Definition demands (choose : task -> list (N * Z)) (price : pricing) : list (option Z) :=
  map (fun pair => cheapest (fun mode => price (fst pair) (fst mode) (snd mode)) (choose (snd pair)))
      (indexed 0 (tasks I)).

Definition demand_of (choose : task -> list (N * Z)) (price : pricing) (j : N) : option Z :=
  match item (tasks I) j with
  | Some x => cheapest (fun mode => price j (fst mode) (snd mode)) (choose x)
  | None => None
  end.

Lemma demands_numbers choose price : demands choose price = map (demand_of choose price) (numbers (length (tasks I))).
Proof.
  unfold demands. rewrite <- indexed_numbers, map_map. apply map_ext_in. intros [j x] H.
  apply indexed_item in H. unfold demand_of. simpl. rewrite H. reflexivity.
Qed.

(** Every run of the schedule takes one of these modes. *)
Definition covers (choose : task -> list (N * Z)) (s : schedule) : Prop :=
  forall r x, In r (runs s) -> item (tasks I) (job r) = Some x -> In (on r, duration I (on r) (job r)) (choose x).

Lemma covers_modes s : valid I s -> covers modes s.
Proof. intros ok r x Hr Hx. apply (run_mode s); assumption. Qed.

Lemma covers_within s L : valid I s -> makespan I s <= L -> covers (within L) s.
Proof.
  intros ok short r x Hr Hx. destruct (run_mode s r x ok Hr Hx) as [mode less].
  apply filter_In. split; [assumption|]. apply Z.leb_le. simpl. lia.
Qed.

Lemma run_demand s choose price r : valid I s -> covers choose s -> In r (runs s) ->
  exists c, demand_of choose price (job r) = Some c /\ c <= paid I price r.
Proof.
  intros ok cover Hr. destruct (job_item s r ok Hr) as (x & Hx). unfold demand_of. rewrite Hx.
  apply (cheapest_spec (fun mode => price (job r) (fst mode) (snd mode))
                       (choose x) (on r, duration I (on r) (job r))).
  apply cover; assumption.
Qed.

Lemma demand_total s choose price : valid I s -> covers choose s ->
  sum (map amount (demands choose price)) <= sum (map (paid I price) (runs s)).
Proof.
  intros ok cover. rewrite demands_numbers, map_map.
  rewrite <- (sum_permutation _ _ (Permutation_map (fun j => amount (demand_of choose price j)) (proj1 (proj1 ok)))).
  rewrite map_map. apply sum_le. intros r Hr.
  destruct (run_demand s choose price r ok cover Hr) as (c & found & less). rewrite found. exact less.
Qed.

Lemma demand_exists s choose price : valid I s -> covers choose s -> existsb nothing (demands choose price) = false.
Proof.
  intros ok cover. apply not_true_is_false. rewrite demands_numbers, existsb_exists. intros (d & Hd & none).
  apply in_map_iff in Hd. destruct Hd as (j & <- & Hj). apply in_numbers, item_exists in Hj. destruct Hj as (x & Hx).
  destruct (every_job s j x ok Hx) as (r & Hr & <-).
  destruct (run_demand s choose price r ok cover Hr) as (c & found & _). rewrite found in none. discriminate.
Qed.

(** Whether the tasks demand more than there is, or one of them fits nowhere. *)
Definition exceeds (nowhere : bool) (L : Z) (price : pricing) (limit : N -> Z) : bool :=
  let all := demands (within L) price in
  (nowhere && existsb nothing all) || (supply I limit <? sum (map amount all)).

Theorem exceeds_sound nowhere L price limit : I1 I -> I2 I ->
  (forall t, In t (numbers (length (platform I))) -> holds I L price t (limit t)) ->
  exceeds nowhere L price limit = true -> forall s, valid I s -> L + 1 <= makespan I s.
Proof.
  intros counts_ok times_ok limits H s ok.
  destruct (Z_le_gt_dec (L + 1) (makespan I s)) as [|short]; [assumption|exfalso].
  assert (makespan I s <= L) as less by lia. clear short.
  pose proof (covers_within s L ok less) as cover.
  apply orb_true_iff in H. destruct H as [H|H].
  - rewrite (demand_exists s (within L) price ok cover), andb_false_r in H. discriminate.
  - apply Z.ltb_lt in H. pose proof (demand_total s (within L) price ok cover).
    assert (sum (map (paid I price) (runs s)) <= supply I limit); [|lia].
    apply capacity; auto. intros t Ht. apply (holds_less I L); auto.
Qed.

Lemma number_nonnegative weights t : forallb (Z.leb 0) weights = true -> 0 <= number weights t.
Proof.
  intros H. unfold number. destruct (item weights t) as [w|] eqn:found; [|lia].
  rewrite forallb_forall in H. apply Z.leb_le, H. eapply item_in; eauto.
Qed.

(** *** shelf: weighted work, and a price of long tasks, of which a processor has room for few *)

(** With two parts a task is long above half of [L]; with three it counts once above a third, twice above two thirds. *)
Definition long (parts L p : Z) : Z :=
  if parts =? 2 then (if L <? 2 * p then 1 else 0)
  else if 2 * L <? 3 * p then 2 else if L <? 3 * p then 1 else 0.

Lemma long_nonnegative parts L p : 0 <= long parts L p.
Proof. unfold long. repeat match goal with |- context [if ?c then _ else _] => destruct c end; lia. Qed.

Lemma long_two L p : 0 <= p -> 0 <= L -> (L + 1) * long 2 L p <= 2 * p.
Proof. intros. unfold long. rewrite Z.eqb_refl. destruct (Z.ltb_spec L (2 * p)); lia. Qed.

Lemma long_three parts L p : parts <> 2 -> 0 <= p -> 0 <= L -> (2 * L + 1) * long parts L p <= 6 * p.
Proof.
  intros. unfold long. destruct (Z.eqb_spec parts 2); [contradiction|].
  destruct (Z.ltb_spec (2 * L) (3 * p)); [lia|]. destruct (Z.ltb_spec L (3 * p)); lia.
Qed.

Lemma few_long parts L l : parts = 2 \/ parts = 3 -> 0 <= L -> (forall p, In p l -> 0 <= p) -> sum l <= L ->
  sum (map (long parts L) l) <= parts - 1.
Proof.
  intros which some nonneg short. destruct which; subst parts.
  - assert (H : sum (map (fun p => (L + 1) * long 2 L p) l) <= sum (map (fun p => 2 * p) l)).
    { apply sum_le. intros p Hp. apply long_two; auto. }
    rewrite !sum_map_mul, map_id in H. nia.
  - assert (H : sum (map (fun p => (2 * L + 1) * long 3 L p) l) <= sum (map (fun p => 6 * p) l)).
    { apply sum_le. intros p Hp. apply long_three; auto. lia. }
    rewrite !sum_map_mul, map_id in H. nia.
Qed.

Definition check_shelf (value : Z) (weights counts : list Z) (parts : Z) : bool :=
  let L := value - 1 in
  (0 <=? L) && forallb (Z.leb 0) weights && forallb (Z.leb 0) counts && ((parts =? 2) || (parts =? 3)) &&
  exceeds true L (fun _ t p => number weights t * p + number counts t * long parts L p)
          (fun t => number weights t * L + number counts t * (parts - 1)).

Lemma duration_nonnegative t j : I2 I -> 0 <= duration I t j.
Proof.
  intros ok. unfold duration. destruct (time I j t) as [p|] eqn:found; [|lia].
  eapply time_nonnegative; eauto.
Qed.

Theorem shelf_sound value weights counts parts : I1 I -> I2 I -> check_shelf value weights counts parts = true ->
  forall s, valid I s -> value <= makespan I s.
Proof.
  intros counts_ok times_ok H s ok. unfold check_shelf in H. rewrite !andb_true_iff in H.
  destruct H as [[[[some weights_ok] numbers_ok] parts_ok] H]. replace value with (value - 1 + 1) by lia.
  apply Z.leb_le in some. rewrite orb_true_iff, !Z.eqb_eq in parts_ok.
  revert s ok. eapply exceeds_sound; eauto. intros t _ S nodup modes_ short.
  rewrite sum_map_add, !sum_map_mul.
  pose proof (number_nonnegative _ t weights_ok). pose proof (number_nonnegative _ t numbers_ok).
  assert (few : sum (map (long parts (value - 1)) (map (duration I t) S)) <= parts - 1).
  { apply few_long; auto. intros p Hp. apply in_map_iff in Hp. destruct Hp as (j & <- & _).
    apply duration_nonnegative, times_ok. }
  rewrite map_map in few.
  apply Z.add_le_mono; apply Z.mul_le_mono_nonneg_l; assumption.
Qed.
End Prices.
