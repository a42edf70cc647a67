(* SPDX-License-Identifier: Apache-2.0 *)
(** Tasks that are alike may change places, so that the one of smaller number may be taken to start no later. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Least.
Import ListNotations.
Open Scope Z_scope.

Section Twins.
Variable I : instance.
Variable L : Z.
Variable into : M.t (list edge).
Variable out : M.t (list edge).

Fixpoint same_times (l m : list (option Z)) : bool :=
  match l, m with
  | [], [] => true
  | None :: l, None :: m => same_times l m
  | Some p :: l, Some q :: m => (p =? q) && same_times l m
  | _, _ => false
  end.

Definition same_costs (e f : edge) : bool :=
  let all := numbers (length (platform I)) in
  forallb (fun t => forallb (fun u => cost e t u =? cost f t u) all) all.

(** Each edge of [l] has one of [m] with the same task at the other end, and the same costs. *)
Definition same_edges (other : edge -> N) (l m : list edge) : bool :=
  forallb (fun e => existsb (fun f => (other f =? other e)%N && same_costs e f) m) l.

Definition alike (i j : N) : bool :=
  match item (tasks I) i, item (tasks I) j with
  | Some x, Some y =>
      (i <? j)%N && same_times (times x) (times y) && (release x =? release y) &&
      same_edges source (group into i) (group into j) && same_edges source (group into j) (group into i) &&
      same_edges target (group out i) (group out j) && same_edges target (group out j) (group out i)
  | _, _ => false
  end.

(** The twin before a task, and the one behind it, as far as there is one. *)
Record twins := { twin_before : M.t N; twin_behind : M.t N }.

Definition no_twins : twins := {| twin_before := M.empty N; twin_behind := M.empty N |}.

Fixpoint add_twins (l : list N) (T : twins) : option twins :=
  match l with
  | i :: (j :: _) as l' =>
      if alike i j
      then add_twins l' {| twin_before := M.add (key j) i (twin_before T);
        twin_behind := M.add (key i) j (twin_behind T) |}
      else None
  | _ => Some T
  end.

Hypothesis edges_ok : I3 I.
Hypothesis into_is : into = grouped target (edges I).
Hypothesis out_is : out = grouped source (edges I).

Lemma same_times_right l : forall m, same_times l m = true -> l = m.
Proof.
  induction l as [|[p|] l IH]; intros [|[q|] m]; cbn [same_times]; try discriminate; try reflexivity.
  - rewrite andb_true_iff, Z.eqb_eq. intros [-> H]. f_equal. auto.
  - intros H. f_equal. auto.
Qed.

Lemma same_edges_right other l m e : same_edges other l m = true -> In e l ->
  exists f, In f m /\ other f = other e /\ forall t u, In t (numbers (length (platform I))) ->
    In u (numbers (length (platform I))) -> cost e t u = cost f t u.
Proof.
  unfold same_edges, same_costs. rewrite forallb_forall. intros H He. specialize (H e He). apply existsb_exists in H.
  destruct H as (f & Hf & H). rewrite andb_true_iff, N.eqb_eq, forallb_forall in H. destruct H as [same H].
  exists f. split; [exact Hf|]. split; [exact same|]. intros t u Ht Hu. specialize (H t Ht).
  rewrite forallb_forall in H.
  apply Z.eqb_eq. exact (H u Hu).
Qed.

Section Pair.
Variables a b : N.
Hypothesis twins_ok : alike a b = true.

Definition swap (j : N) : N := if (j =? a)%N then b else if (j =? b)%N then a else j.

Lemma twins_differ : (a < b)%N /\ task_number I a /\ task_number I b.
Proof.
  unfold alike in twins_ok. destruct (item (tasks I) a) as [x|] eqn:Ha; [|discriminate].
  destruct (item (tasks I) b) as [y|] eqn:Hb; [|discriminate]. rewrite !andb_true_iff, N.ltb_lt in twins_ok.
  apply item_some in Ha, Hb. unfold task_number. tauto.
Qed.

Lemma swap_swap j : swap (swap j) = j.
Proof.
  pose proof twins_differ. unfold swap. destruct (N.eqb_spec j a) as [->|].
  - destruct (N.eqb_spec b a); [lia|]. rewrite N.eqb_refl. reflexivity.
  - destruct (N.eqb_spec j b) as [->|]; [rewrite N.eqb_refl; reflexivity|].
    destruct (N.eqb_spec j a); [contradiction|]. destruct (N.eqb_spec j b); [contradiction|reflexivity].
Qed.

Lemma swap_time j t : time I (swap j) t = time I j t.
Proof.
  unfold alike in twins_ok. destruct (item (tasks I) a) as [x|] eqn:Ha; [|discriminate].
  destruct (item (tasks I) b) as [y|] eqn:Hb; [|discriminate]. rewrite !andb_true_iff in twins_ok.
  destruct twins_ok as [[[[[[_ same] _] _] _] _] _]. apply same_times_right in same.
  unfold swap, time. destruct (N.eqb_spec j a) as [->|]; [rewrite Ha, Hb, same; reflexivity|].
  destruct (N.eqb_spec j b) as [->|]; [rewrite Ha, Hb, same; reflexivity|reflexivity].
Qed.

Lemma swap_released j : released I (swap j) = released I j.
Proof.
  unfold alike in twins_ok. destruct (item (tasks I) a) as [x|] eqn:Ha; [|discriminate].
  destruct (item (tasks I) b) as [y|] eqn:Hb; [|discriminate]. rewrite !andb_true_iff, Z.eqb_eq in twins_ok.
  destruct twins_ok as [[[[[_ same] _] _] _] _].
  unfold swap, released. destruct (N.eqb_spec j a) as [->|]; [rewrite Ha, Hb; congruence|].
  destruct (N.eqb_spec j b) as [->|]; [rewrite Ha, Hb; congruence|reflexivity].
Qed.

(** An edge at one of the two has its like at the other one. *)
Lemma like_edges e : In e (edges I) -> (source e = a \/ source e = b -> exists f, In f (edges I) /\
    source f = swap (source e) /\ target f = target e /\ forall t u, In t (numbers (length (platform I))) ->
    In u (numbers (length (platform I))) -> cost e t u = cost f t u) /\
  (target e = a \/ target e = b -> exists f, In f (edges I) /\
    target f = swap (target e) /\ source f = source e /\ forall t u, In t (numbers (length (platform I))) ->
    In u (numbers (length (platform I))) -> cost e t u = cost f t u).
Proof.
  intros He. pose proof twins_differ as [less _]. unfold alike in twins_ok.
  destruct (item (tasks I) a) as [x|]; [|discriminate]. destruct (item (tasks I) b) as [y|]; [|discriminate].
  rewrite !andb_true_iff, into_is, out_is in twins_ok. destruct twins_ok as [[[[_ i1] i2] o1] o2].
  assert (other : swap a = b /\ swap b = a).
  { unfold swap. rewrite !N.eqb_refl. destruct (N.eqb_spec b a); [lia|]. auto. }
  destruct other as [swap_a swap_b].
  split; intros [is_|is_].
  - destruct (same_edges_right target _ _ e o1) as (f & Hf & same & costs_); [apply group_spec; auto|].
    apply group_spec in Hf. exists f. rewrite is_, swap_a. tauto.
  - destruct (same_edges_right target _ _ e o2) as (f & Hf & same & costs_); [apply group_spec; auto|].
    apply group_spec in Hf. exists f. rewrite is_, swap_b. tauto.
  - destruct (same_edges_right source _ _ e i1) as (f & Hf & same & costs_); [apply group_spec; auto|].
    apply group_spec in Hf. exists f. rewrite is_, swap_a. tauto.
  - destruct (same_edges_right source _ _ e i2) as (f & Hf & same & costs_); [apply group_spec; auto|].
    apply group_spec in Hf. exists f. rewrite is_, swap_b. tauto.
Qed.

Lemma not_both e : In e (edges I) -> (source e = a \/ source e = b) -> (target e = a \/ target e = b) -> False.
Proof.
  intros He from_ to_. destruct edges_ok as (_ & _ & rank & rises).
  pose proof (rises e He) as up. pose proof twins_differ as [less _].
  destruct (proj1 (like_edges e He) from_) as (f & Hf & source_f & target_f & _).
  pose proof (rises f Hf) as up_f. rewrite source_f, target_f in up_f.
  unfold swap in up_f. destruct from_ as [fr|fr], to_ as [to_|to_]; rewrite fr, to_ in *; try lia;
    rewrite ?N.eqb_refl in up_f; try lia. destruct (N.eqb_spec b a); lia.
Qed.

Section Schedule.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.

Definition swapped (r : run) : run := {| job := swap (job r); on := on r; proc := proc r; start := start r |}.
Definition all_swapped : schedule := {| runs := map swapped (runs s); given_up := [] |}.

Lemma swapped_ends r : ends I (swapped r) = ends I r.
Proof. unfold ends, swapped. simpl. rewrite swap_time. reflexivity. Qed.

Lemma swap_inside j : task_number I j -> task_number I (swap j).
Proof. pose proof twins_differ as (_ & Ha & Hb). unfold swap. destruct (j =? a)%N; [auto|].
destruct (j =? b)%N; auto. Qed.

Lemma swapped_jobs : Permutation (map job (runs all_swapped)) (numbers (length (tasks I))).
Proof.
  unfold all_swapped. cbn [runs]. rewrite map_map. cbn [swapped job].
  rewrite <- (map_map job swap). apply (Permutation_trans (Permutation_map swap (proj1 (proj1 ok)))).
  apply NoDup_Permutation; [|apply numbers_nodup|].
  - apply FinFun.Injective_map_NoDup; [|apply numbers_nodup]. intros i j same.
    rewrite <- (swap_swap i), same. apply swap_swap.
  - intros j. rewrite in_map_iff. split.
    + intros (i & <- & Hi). apply in_numbers, swap_inside, in_numbers. exact Hi.
    + intros Hj. exists (swap j). split; [apply swap_swap|]. apply in_numbers, swap_inside, in_numbers. exact Hj.
Qed.

Lemma swapped_valid : valid I all_swapped.
Proof.
  pose proof ok as ((every & places) & _ & edges3 & free4 & _).
  assert (same : attempts all_swapped = map swapped (runs s)) by (unfold attempts, all_swapped; simpl; apply app_nil_r).
  split; [|split; [|split; [|split]]].
  - split; [exact swapped_jobs|]. intros r Hr. rewrite same in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (valid_placed I s q ok Hq) as (mode & there & zero). unfold placed, swapped. cbn [job on proc start].
    rewrite swap_time. auto.
  - unfold S2, occupied, all_swapped. cbn [runs given_up map]. rewrite app_nil_r, map_map, ForallOrdPairs_map.
    eapply ForallOrdPairs_impl; [|exact (runs_apart I s ok)].
    intros x y _ _ H. unfold apart. cbn [span_on span_proc from until]. rewrite !swapped_ends. exact H.
  - intros e i' j' He Hi Hj from_ to_. rewrite same in Hj. unfold all_swapped in Hi. cbn [runs] in Hi.
    apply in_map_iff in Hi, Hj. destruct Hi as (i & <- & Hi), Hj as (j & <- & Hj). cbn [swapped job] in from_, to_.
    assert (on_i : In (on i) (numbers (length (platform I)))) by (apply placed_type; exact (valid_placed I s i ok Hi)).
    assert (on_j : In (on j) (numbers (length (platform I)))) by (apply placed_type; exact (valid_placed I s j ok Hj)).
    assert (by_like : forall f, In f (edges I) -> job i = source f -> job j = target f ->
              cost e (on i) (on j) = cost f (on i) (on j) -> arrival I e (swapped i) (swapped j) <= start (swapped j)).
    { intros f Hf from_f to_f costs_. pose proof (edges3 f i j Hf Hi (in_attempts s j Hj) from_f to_f) as waits.
      unfold arrival, same_processor in *. rewrite swapped_ends. cbn [swapped on proc start]. rewrite costs_.
      exact waits. }
    assert (plain : forall x y, swap x = y -> y <> a -> y <> b -> x = y).
    { intros x y sw ya yb. rewrite <- (swap_swap x), sw. unfold swap. destruct (N.eqb_spec y a); [contradiction|].
      destruct (N.eqb_spec y b); [contradiction|reflexivity]. }
    assert (back : forall x y, swap x = y -> x = swap y) by (intros x y <-; symmetry; apply swap_swap).
    destruct (N.eq_dec (source e) a) as [sa|sa], (N.eq_dec (source e) b) as [sb|sb];
    destruct (N.eq_dec (target e) a) as [ta|ta], (N.eq_dec (target e) b) as [tb|tb];
      try (exfalso; apply (not_both e He); tauto).
    all: try (destruct (proj1 (like_edges e He) ltac:(tauto)) as (f & Hf & source_f & target_f & costs_);
      apply (by_like f Hf); [rewrite source_f; apply back; exact from_|rewrite target_f; apply plain; auto|
      apply costs_; assumption]).
    all: try (destruct (proj2 (like_edges e He) ltac:(tauto)) as (f & Hf & target_f & source_f & costs_);
      apply (by_like f Hf); [rewrite source_f; apply plain; auto|rewrite target_f; apply back; exact to_|
      apply costs_; assumption]).
    apply (by_like e He); [apply plain; auto|apply plain; auto|reflexivity].
  - intros r Hr. rewrite same in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (free4 q (in_attempts s q Hq)) as [rel _]. rewrite nothing_busy. cbn [swapped job start].
    rewrite swap_released. split; [exact rel|]. apply (valid_placed I s q ok Hq).
  - intros x [].
Qed.

Lemma swapped_in_time behind : (forall j, behind j = 0) -> in_time I L behind s -> in_time I L behind all_swapped.
Proof.
  intros none [short each]. split.
  - unfold makespan, all_swapped in *. cbn [runs]. rewrite map_map, (map_ext _ _ swapped_ends). exact short.
  - intros r Hr. unfold all_swapped in Hr. cbn [runs] in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    rewrite none, swapped_ends. specialize (each q Hq). rewrite none in each. exact each.
Qed.

Lemma sum_at (c : Z) j l : NoDup l -> In j l -> sum (map (fun i => if (i =? j)%N then c else 0) l) = c.
Proof.
  intros nodup Hj. induction nodup as [|i l fresh nodup IH]; [destruct Hj|]. cbn [map sum fold_right].
  fold (sum (map (fun i => if (i =? j)%N then c else 0) l)). destruct (N.eqb_spec i j) as [->|differs].
  - enough (sum (map (fun i => if (i =? j)%N then c else 0) l) = 0) by lia. clear - fresh.
    induction l as [|i l IH]; [reflexivity|]. cbn [map sum fold_right].
    fold (sum (map (fun i => if (i =? j)%N then c else 0) l)). destruct (N.eqb_spec i j) as [->|].
    + destruct fresh. left. reflexivity.
    + rewrite IH; [reflexivity|]. intros H. apply fresh. right. exact H.
  - destruct Hj as [->|Hj]; [congruence|]. rewrite IH by exact Hj. reflexivity.
Qed.

Lemma swapped_weight :
  weight I all_swapped - weight I s = Z.of_N (b - a) * (start (the s b) - start (the s a)).
Proof.
  pose proof twins_differ as (less & Ha & Hb). unfold weight, all_swapped. cbn [runs]. rewrite map_map.
  cbn [swapped job start]. set (n := length (tasks I)).
  assert (by_task : forall f, sum (map (fun r => f (job r) * start r) (runs s))
                              = sum (map (fun j => f j * start (the s j)) (numbers n))).
  { intros f. unfold n. rewrite (sum_by_task I s ok). apply sum_map_ext. intros r Hr.
    rewrite (the_job I s ok r Hr). reflexivity. }
  rewrite (by_task (fun j => weight_of I (swap j))), (by_task (weight_of I)).
  assert (parts : forall j, In j (numbers n) -> weight_of I (swap j) * start (the s j) = weight_of I j * start (the s j)
            + ((if (j =? a)%N then (weight_of I b - weight_of I a) * start (the s a) else 0)
               + (if (j =? b)%N then (weight_of I a - weight_of I b) * start (the s b) else 0))).
  { intros j _. unfold swap. destruct (N.eqb_spec j a) as [->|].
    - destruct (N.eqb_spec a b); [lia|]. lia.
    - destruct (N.eqb_spec j b) as [->|]; lia. }
  rewrite (sum_map_ext _ _ _ parts), !sum_map_add, !sum_at; try apply numbers_nodup; try (apply in_numbers; assumption).
  unfold weight_of. rewrite N2Z.inj_sub by lia. lia.
Qed.

Theorem twin_first behind : (forall j, behind j = 0) -> in_time I L behind s -> least I L behind s ->
  start (the s a) <= start (the s b).
Proof.
  intros none on_time least_. pose proof twins_differ as (less & _ & _).
  pose proof (least_ _ swapped_valid (swapped_in_time behind none on_time)) as more.
  pose proof swapped_weight as change. assert (0 < Z.of_N (b - a)) by lia. nia.
Qed.
End Schedule.
End Pair.

Section Sound.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.

Definition twins_hold (T : twins) : Prop :=
  (forall j i, find (twin_before T) j = Some i ->
    task_number I i /\ task_number I j /\ start (the s i) <= start (the s j)) /\
  (forall i j, find (twin_behind T) i = Some j -> task_number I j /\ start (the s i) <= start (the s j)).

Lemma no_twins_hold : twins_hold no_twins.
Proof. split; intros i j found; unfold find in found; cbn in found; rewrite M.gempty in found; discriminate. Qed.

Lemma add_twins_hold behind : (forall j, behind j = 0) -> in_time I L behind s -> least I L behind s ->
  forall l T T', twins_hold T -> add_twins l T = Some T' -> twins_hold T'.
Proof.
  intros none on_time least_. induction l as [|i l IH]; intros T T' hold H; [inversion H; subst; exact hold|].
  destruct l as [|j l]; [inversion H; subst; exact hold|]. cbn [add_twins] in H.
  destruct (alike i j) eqn:twins_; [|discriminate]. revert H. apply IH.
  pose proof (twin_first i j twins_ s ok nothing_busy behind none on_time least_) as first.
  pose proof (twins_differ i j twins_) as (_ & Hi & Hj). destruct hold as [before_ behind_]. split; cbn.
  - intros k h. unfold find. destruct (N.eq_dec j k) as [->|differs].
    + rewrite M.gss. intros found. inversion found; subst. auto.
    + rewrite M.gso by (intros same; apply key_injective in same; congruence). apply before_.
  - intros k h. unfold find. destruct (N.eq_dec i k) as [->|differs].
    + rewrite M.gss. intros found. inversion found; subst. auto.
    + rewrite M.gso by (intros same; apply key_injective in same; congruence). apply behind_.
Qed.
End Sound.

(** *** What windows take from twins *)

Definition raise_rest (W : windows) (j : N) (x : Z) : state :=
  match find W j with
  | Some w => if w_rest w <? x
              then changed L W j (fun w => {| w_start := w_start w; w_end := w_end w; w_rest := Z.max (w_rest w) x;
                                              w_tail := w_tail w; w_modes := w_modes w |})
              else Some W
  | None => Some W
  end.

Definition then_ (x : state) (f : windows -> state) : state := match x with Some W => f W | None => None end.

Lemma then_possible s x f : possible I L s x -> (forall W, all_fit I L s W -> possible I L s (f W)) ->
  possible I L s (then_ x f).
Proof. destruct x as [W|]; [intros all_ H; exact (H W all_)|intros []]. Qed.

Definition head_twin (T : twins) (W : windows) (j : N) : state :=
  match find (twin_before T) j with
  | Some i => match find W i with Some w => raise_start L W j (w_start w) | None => Some W end
  | None => Some W
  end.

Definition tail_twin (T : twins) (W : windows) (j : N) : state :=
  match find (twin_behind T) j with
  | Some i => match find W i with Some w => raise_rest W j (w_rest w) | None => Some W end
  | None => Some W
  end.

Section Raises.
Variable s : schedule.
Hypothesis ok : valid I s.

Lemma raise_rest_possible W j x : task_number I j -> all_fit I L s W ->
  (forall r, In r (runs s) -> job r = j -> start r + x <= L) -> possible I L s (raise_rest W j x).
Proof.
  intros Hj all_ early. unfold raise_rest. destruct (find W j) as [w|]; [|exact all_].
  destruct (w_rest w <? x); [|exact all_]. apply changed_possible; auto. intros r v Hr same _ (f1 & f2 & f3 & f4 & f5).
  specialize (early r Hr same). unfold fits. simpl. repeat split; auto; lia.
Qed.

Lemma head_twin_possible T W j : twins_hold s T -> task_number I j -> all_fit I L s W ->
  possible I L s (head_twin T W j).
Proof.
  intros [before_ _] Hj all_. unfold head_twin. destruct (find (twin_before T) j) as [i|] eqn:twin; [|exact all_].
  destruct (before_ j i twin) as (Hi & _ & first). destruct (find W i) as [w|] eqn:found; [|exact all_].
  apply in_numbers in Hi. destruct (the_run I s ok i Hi) as [Hr is_i]. destruct (all_ _ Hr) as (w' & found' & fit).
  rewrite is_i, found in found'. inversion found'; subst w'. apply raise_start_possible; auto.
  intros r Hr' same. destruct fit as [f1 _]. rewrite <- (the_job I s ok r Hr'), same. lia.
Qed.

Lemma tail_twin_possible T W j : twins_hold s T -> task_number I j -> all_fit I L s W ->
  possible I L s (tail_twin T W j).
Proof.
  intros [_ behind_] Hj all_. unfold tail_twin. destruct (find (twin_behind T) j) as [i|] eqn:twin; [|exact all_].
  destruct (behind_ j i twin) as [Hi first]. destruct (find W i) as [w|] eqn:found; [|exact all_].
  apply in_numbers in Hi. destruct (the_run I s ok i Hi) as [Hr is_i]. destruct (all_ _ Hr) as (w' & found' & fit).
  rewrite is_i, found in found'. inversion found'; subst w'. apply raise_rest_possible; auto.
  intros r Hr' same. destruct fit as (_ & _ & f3 & _). rewrite <- (the_job I s ok r Hr'), same. lia.
Qed.
End Raises.
End Twins.
