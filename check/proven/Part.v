(* SPDX-License-Identifier: Apache-2.0 *)
(** Some tasks before, or behind, a task as an instance of their own: a schedule of all has one of them in it. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays Learned Least.
Import ListNotations.
Open Scope Z_scope.

Section Part.
Variable I : instance.
Variable out : M.t (list edge).
Variable order : list N.
Variable before : bool.
Variable members : list (N * Z).   (* rising; what is known of the start of each, or of what is behind it *)

Definition place : M.t N := entries (map (fun p => (fst (snd p), fst p)) (indexed 0 members)).

Definition member_task (m : N * Z) : task :=
  {| times := match item (tasks I) (fst m) with Some x => times x | None => [] end;
     release := if before then snd m else 0 |}.

Definition edges_from (p : N * (N * Z)) : list edge :=
  flat_map (fun e => match find place (target e) with
                     | Some k => [{| source := fst p; target := k; costs := costs e |}]
                     | None => []
                     end) (group out (fst (snd p))).

Definition part_of : instance :=
  {| platform := platform I; tasks := map member_task members; edges := flat_map edges_from (indexed 0 members) |}.

Definition part_order : list N := flat_map (fun j => match find place j with Some k => [k] | None => [] end) order.

Definition behind_member (k : N) : Z := if before then 0 else match item members k with Some m => snd m | None => 0 end.

Fixpoint rising (l : list (N * Z)) : bool :=
  match l with
  | m :: (n :: _) as l' => (fst m <? fst n)%N && rising l'
  | _ => true
  end.

(** They are before task [j], or behind it, and what is said of them is known;
  in a state that is refuted everything is. *)
Definition members_ok (into : M.t (list edge)) (x : state) (W : windows) (j : N) : bool :=
  let m := if before then levels target out (rev order) W j else levels source into order W j in
  negb (match members with [] => true | _ => false end) && rising members &&
  forallb (fun p => (fst p <? N.of_nat (length (tasks I)))%N &&
                    match find m (fst p) with Some l => 0 <=? l | None => false end &&
                    match x with
                    | Some W => match find W (fst p) with
                                | Some w => snd p <=? if before then w_start w else w_tail w
                                | None => false
                                end
                    | None => true
                    end) members.

Hypothesis counts_ok : I1 I.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis out_is : out = grouped source (edges I).
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.
Hypothesis rises : rising members = true.
Hypothesis inside_ : forall p, In p members -> task_number I (fst p).

Lemma rising_nodup l : rising l = true -> NoDup (map fst l) /\ forall n m,
  In m l -> match l with n' :: _ => n = n' | [] => False end ->
  (fst n <= fst m)%N.
Proof.
  induction l as [|n l IH]; intros H; [split; [constructor|intros ? ? []]|].
  destruct l as [|m l]; [split; [repeat constructor; intros []|intros ? k [<-|[]] ->; lia]|].
  cbn [rising] in H. apply andb_true_iff in H. destruct H as [less H]. apply N.ltb_lt in less.
  destruct (IH H) as [nodup first]. split.
  - cbn [map]. constructor; [|exact nodup]. intros again. change (fst m :: map fst l) with (map fst (m :: l)) in again.
    apply in_map_iff in again. destruct again as (k & same & Hk). pose proof (first m k Hk eq_refl). lia.
  - intros n' k [<-|Hk] ->; [lia|]. pose proof (first m k Hk eq_refl). lia.
Qed.

Lemma members_nodup : NoDup (map fst members).
Proof. exact (proj1 (rising_nodup members rises)). Qed.

Lemma place_spec j k : find place j = Some k <-> exists h, item members k = Some (j, h).
Proof.
  unfold place. rewrite find_entries.
  - rewrite in_map_iff. split.
    + intros ([k' [j' h]] & same & H). cbn [fst snd] in same. inversion same; subst. exists h. apply indexed_item.
    exact H.
    + intros (h & H). exists (k, (j, h)). split; [reflexivity|]. apply indexed_item. exact H.
  - rewrite map_map. cbn [fst snd]. rewrite <- (map_map snd fst).
    assert (all : forall (l : list (N * Z)) i, map snd (indexed i l) = l).
    { induction l as [|x l IH]; intros i; [reflexivity|]. cbn [indexed map snd]. f_equal. apply IH. }
    rewrite all. exact members_nodup.
Qed.

Lemma part_time k j h t : item members k = Some (j, h) -> time part_of k t = time I j t.
Proof.
  intros found. unfold time, part_of. cbn [tasks]. rewrite item_map, found. cbn [option_map member_task fst times].
  destruct (item (tasks I) j); reflexivity.
Qed.

Lemma part_released k j h : item members k = Some (j, h) -> released part_of k = if before then h else 0.
Proof. intros found. unfold released, part_of. cbn [tasks]. rewrite item_map, found. reflexivity. Qed.

Lemma part_edge e : In e (edges part_of) -> exists f i j, In f (edges I) /\ item members (source e) = Some (source f,
  i) /\
  item members (target e) = Some (target f, j) /\ costs e = costs f.
Proof.
  unfold part_of. cbn [edges]. intros He. apply in_flat_map in He. destruct He as ([k [j h]] & Hk & He).
  apply indexed_item in Hk. unfold edges_from in He. apply in_flat_map in He. destruct He as (f & Hf & He).
  cbn [fst snd] in *. rewrite out_is in Hf. apply group_spec in Hf. destruct Hf as [Hf from_].
  destruct (find place (target f)) as [l|] eqn:found; [|destruct He]. destruct He as [<-|[]].
  apply place_spec in found. destruct found as (h' & found). exists f, h, h'. cbn [source target costs]. subst j. auto.
Qed.

Lemma part_counts : I1 part_of. Proof. exact counts_ok. Qed.

Lemma part_times : I2 part_of.
Proof.
  intros x p Hx Hp. unfold part_of in Hx. cbn [tasks] in Hx. apply in_map_iff in Hx. destruct Hx as (m & <- & Hm).
  cbn [member_task times] in Hp. destruct (item (tasks I) (fst m)) as [y|] eqn:found; [|destruct Hp].
  exact (times_ok y p (item_in _ _ _ found) Hp).
Qed.

Lemma part_edges : I3 part_of.
Proof.
  destruct edges_ok as (_ & costs_ & rank & up). split; [|split].
  - intros e He. destruct (part_edge e He) as (f & i & j & _ & from_ & to_ & _). unfold task_number, part_of.
    cbn [tasks]. rewrite map_length. apply item_some in from_, to_. auto.
  - intros e row c He Hrow Hc. destruct (part_edge e He) as (f & _ & _ & Hf & _ & _ & same). rewrite same in Hrow.
    exact (costs_ f row c Hf Hrow Hc).
  - exists (fun k => match item members k with Some m => rank (fst m) | None => 0 end). intros e He.
    destruct (part_edge e He) as (f & i & j & Hf & from_ & to_ & _). rewrite from_, to_. exact (up f Hf).
Qed.

Lemma part_busy t p : busy_until part_of t p = 0. Proof. exact (nothing_busy t p). Qed.

(** *** The schedule of the part *)

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Variable origin : Z.

Definition run_of (p : N * (N * Z)) : run :=
  let r := the s (fst (snd p)) in {| job := fst p; on := on r; proc := proc r; start := start r - origin |}.

Definition part_schedule : schedule := {| runs := map run_of (indexed 0 members); given_up := [] |}.

Hypothesis starts_ok : forall p, In p members -> 0 <= start (the s (fst p)) - origin /\
  (if before then snd p else 0) <= start (the s (fst p)) - origin.

Lemma run_of_ends k j h : item members k = Some (j, h) -> ends part_of (run_of (k, (j, h))) = ends I (the s j) - origin.
Proof.
  intros found. unfold ends, run_of. cbn [fst snd job on start]. rewrite (part_time k j h _ found).
  pose proof (inside_ (j, h) (item_in _ _ _ found)) as Hj. apply in_numbers in Hj.
  destruct (the_run I s ok j Hj) as [_ same]. cbn [fst] in same. rewrite same. lia.
Qed.

Lemma member_run p : In p members -> In (the s (fst p)) (runs s) /\ job (the s (fst p)) = fst p.
Proof. intros Hp. apply (the_run I s ok), in_numbers, inside_, Hp. Qed.

Lemma run_of_in q : In q (runs part_schedule) -> exists k j h, item members k = Some (j, h) /\ q = run_of (k, (j, h)).
Proof.
  intros Hq. unfold part_schedule in Hq. cbn [runs] in Hq. apply in_map_iff in Hq. destruct Hq as ([k [j h]] & <- & Hk).
  apply indexed_item in Hk. exists k, j, h. auto.
Qed.

Lemma all_pairs {A} (R : A -> A -> Prop) l : NoDup l -> (forall x y, In x l -> In y l -> x <> y -> R x y) ->
  ForallOrdPairs R l.
Proof.
  induction 1 as [|x l fresh nodup IH]; intros all_; constructor.
  - apply Forall_forall. intros y Hy. apply all_; [left; reflexivity|right; exact Hy|]. intros ->. contradiction.
  - apply IH. intros y z Hy Hz. apply all_; right; assumption.
Qed.

Lemma indexed_nodup {A} (l : list A) : NoDup (indexed 0 l).
Proof. apply (NoDup_map_inv fst). rewrite indexed_numbers. apply numbers_nodup. Qed.

Lemma part_valid : valid part_of part_schedule.
Proof.
  pose proof ok as (_ & _ & edges3 & _ & _).
  assert (attempts_ : attempts part_schedule = runs part_schedule) by (unfold attempts, part_schedule;
    cbn [given_up map]; apply app_nil_r).
  split; [|split; [|split; [|split]]].
  - split.
    + unfold part_schedule, part_of. cbn [runs tasks]. rewrite map_map, map_length. cbn [run_of job].
      rewrite (map_ext _ fst) by reflexivity. rewrite indexed_numbers. apply Permutation_refl.
    + intros q Hq. rewrite attempts_ in Hq. destruct (run_of_in q Hq) as (k & j & h & found & ->).
      pose proof (item_in _ _ _ found) as Hm. destruct (member_run _ Hm) as [Hr same]. cbn [fst] in *.
      destruct (valid_placed I s _ ok Hr) as (mode & there & _). unfold placed, run_of. cbn [fst snd job on proc start].
      rewrite (part_time k j h _ found). rewrite same in mode. split; [exact mode|]. split; [exact there|].
      exact (proj1 (starts_ok _ Hm)).
  - unfold S2, occupied, part_schedule. cbn [runs given_up map]. rewrite app_nil_r, map_map, ForallOrdPairs_map.
    apply all_pairs; [apply indexed_nodup|]. intros [k [j h]] [l [i g]] Hk Hl differ. apply indexed_item in Hk, Hl.
    unfold apart. cbn [span_on span_proc from until]. rewrite (run_of_ends k j h Hk), (run_of_ends l i g Hl).
    cbn [run_of fst snd on proc start]. intros same_on same_proc.
    destruct (member_run _ (item_in _ _ _ Hk)) as [Hr is_j]. destruct (member_run _ (item_in _ _ _ Hl)) as [Hq is_i].
    cbn [fst] in *.
    destruct (pairs_in _ _ _ _ (runs_apart I s ok) Hr Hq) as [same|[H|H]].
    + exfalso. apply differ. assert (j = i) by congruence. subst i.
      assert (at_k : find place j = Some k) by (apply place_spec; eauto).
      assert (at_l : find place j = Some l) by (apply place_spec; eauto). congruence.
    + destruct (H same_on same_proc); [left|right]; lia.
    + destruct (H (eq_sym same_on) (eq_sym same_proc)); [right|left]; lia.
  - intros e qi qj He Hi Hj from_ to_. rewrite attempts_ in Hj.
    destruct (run_of_in qi Hi) as (k & i & g & found_i & ->). destruct (run_of_in qj Hj) as (l & j & h & found_j & ->).
    cbn [run_of fst job] in from_, to_. subst k l.
    destruct (part_edge e He) as (f & g' & h' & Hf & from_f & to_f & same_costs). rewrite found_i in from_f.
    rewrite found_j in to_f. inversion from_f; subst i g'. inversion to_f; subst j h'.
    destruct (member_run _ (item_in _ _ _ found_i)) as [Hri is_i].
    destruct (member_run _ (item_in _ _ _ found_j)) as [Hrj is_j].
    cbn [fst] in *. pose proof (edges3 f _ _ Hf Hri (in_attempts s _ Hrj) is_i is_j) as waits.
    unfold arrival, same_processor in *. rewrite (run_of_ends _ _ _ found_i). cbn [run_of fst snd on proc start].
    assert (same : cost e (on (the s (source f))) (on (the s (target f))) = cost f (on (the s (source f))) (on (the s
      (target f))))
      by (unfold cost; rewrite same_costs; reflexivity).
    rewrite same. destruct ((_ =? _)%N && _); lia.
  - intros q Hq. rewrite attempts_ in Hq. destruct (run_of_in q Hq) as (k & j & h & found & ->).
    pose proof (starts_ok _ (item_in _ _ _ found)) as [zero late]. cbn [run_of fst snd job on proc start] in *.
    rewrite part_busy, (part_released k j h found). auto.
  - intros a [].
Qed.

Lemma part_in_time y : 0 <= y -> (forall p, In p members ->
    ends I (the s (fst p)) - origin + (if before then 0 else snd p) <= y /\ ends I (the s (fst p)) - origin <= y) ->
  in_time part_of y behind_member part_schedule.
Proof.
  intros pos each. split.
  - unfold makespan. apply max_le; [exact pos|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (q & <- & Hq).
    destruct (run_of_in q Hq) as (k & j & h & found & ->). rewrite (run_of_ends k j h found).
    exact (proj2 (each _ (item_in _ _ _ found))).
  - intros q Hq. destruct (run_of_in q Hq) as (k & j & h & found & ->). rewrite (run_of_ends k j h found).
    pose proof (proj1 (each _ (item_in _ _ _ found))) as H. cbn [fst snd] in H. unfold behind_member, run_of.
    cbn [fst job]. rewrite found. cbn [snd]. exact H.
Qed.
End Schedule.

Lemma part_order_inside : forallb (fun k => (k <? N.of_nat (length (tasks part_of)))%N) part_order = true.
Proof.
  apply forallb_forall. intros k Hk. unfold part_order in Hk. apply in_flat_map in Hk. destruct Hk as (j & _ & Hk).
  destruct (find place j) as [l|] eqn:found; [|destruct Hk]. destruct Hk as [<-|[]]. apply place_spec in found.
  destruct found as (h & found). apply N.ltb_lt. unfold part_of. cbn [tasks]. rewrite map_length.
  eapply item_some; eauto.
Qed.
End Part.
