(* SPDX-License-Identifier: Apache-2.0 *)
(** Of all schedules within [L] one may be taken whose starts are least: nothing in it can start earlier, and of tasks
    that are alike the one of smaller number starts no later. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows.
Import ListNotations.
Open Scope Z_scope.

Section Least.
Variable I : instance.
Variable L : Z.
Variable behind : N -> Z.   (* what is behind each task at least *)

Definition in_time (s : schedule) : Prop :=
  makespan I s <= L /\ (forall r, In r (runs s) -> ends I r + behind (job r) <= L).

(** A start counts more where the number of its task is smaller. *)
Definition weight_of (j : N) : Z := 2 * Z.of_nat (length (tasks I)) - Z.of_N j.
Definition weight (s : schedule) : Z := sum (map (fun r => weight_of (job r) * start r) (runs s)).

Definition least (s : schedule) : Prop :=
  forall other, valid I other -> in_time other -> weight s <= weight other.

Lemma weight_positive s r : valid I s -> In r (runs s) -> 0 < weight_of (job r).
Proof.
  intros ok Hr. destruct (job_item I s r ok Hr) as (x & found). apply item_some in found. unfold weight_of. lia.
Qed.

(** What cannot be a schedule whose starts are least can be none. *)
Theorem least_enough : (forall s, valid I s -> in_time s -> least s -> False) ->
  forall s, valid I s -> in_time s -> False.
Proof.
  intros none. assert (all : forall n s, weight s < Z.of_nat n -> valid I s -> in_time s -> False).
  { induction n as [|n IH]; intros s small ok short.
    - enough (0 <= weight s) by lia. unfold weight. apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz.
      destruct Hz as (r & <- & Hr). pose proof (weight_positive s r ok Hr).
      destruct (valid_placed I s r ok Hr) as (_ & _ & zero). nia.
    - apply (none s ok short). intros other ok' short'.
      destruct (Z_le_gt_dec (weight s) (weight other)) as [|less]; [assumption|exfalso].
      apply (IH other); auto; lia. }
  intros s ok short. apply (all (Z.to_nat (weight s + 1)) s); auto; lia.
Qed.

(** *** Tasks that start a tick earlier *)

Section Earlier.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis times_ok : I2 I.
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.
Variable some : run -> bool.

Definition earlier (r : run) : run :=
  if some r then {| job := job r; on := on r; proc := proc r; start := start r - 1 |} else r.
Definition all_earlier : schedule := {| runs := map earlier (runs s); given_up := [] |}.

Lemma earlier_job r : job (earlier r) = job r. Proof. unfold earlier. destruct (some r); reflexivity. Qed.
Lemma earlier_on r : on (earlier r) = on r. Proof. unfold earlier. destruct (some r); reflexivity. Qed.
Lemma earlier_proc r : proc (earlier r) = proc r. Proof. unfold earlier. destruct (some r); reflexivity. Qed.
Lemma earlier_start r : start (earlier r) = start r - (if some r then 1 else 0).
Proof. unfold earlier. destruct (some r); simpl; lia. Qed.
Lemma earlier_ends r : ends I (earlier r) = ends I r - (if some r then 1 else 0).
Proof. unfold ends. rewrite earlier_job, earlier_on, earlier_start. lia. Qed.

Hypothesis room : forall r, In r (runs s) -> some r = true -> 0 < start r /\ released I (job r) < start r.
Hypothesis processor_free : forall r q, In r (runs s) -> In q (runs s) -> some r = true -> some q = false ->
  on q = on r -> proc q = proc r -> ends I q <> start r.
Hypothesis data_there : forall e i j, In e (edges I) -> In i (runs s) -> In j (runs s) -> job i = source e ->
  job j = target e -> some i = false -> some j = true -> arrival I e i j <> start j.

Lemma earlier_valid : valid I all_earlier.
Proof.
  pose proof ok as ((every & places) & _ & edges3 & free4 & _).
  assert (same : attempts all_earlier = map earlier (runs s)) by (unfold attempts, all_earlier; simpl; apply app_nil_r).
  split; [|split; [|split; [|split]]].
  - split.
    + unfold all_earlier. cbn [runs]. rewrite map_map. erewrite map_ext; [exact every|]. apply earlier_job.
    + intros r Hr. rewrite same in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
      destruct (valid_placed I s q ok Hq) as (mode & there & zero). unfold placed.
      rewrite earlier_job, earlier_on, earlier_proc, earlier_start. split; [exact mode|]. split; [exact there|].
      destruct (some q) eqn:moves; [pose proof (room q Hq moves)|]; lia.
  - unfold S2, occupied, all_earlier. cbn [runs given_up map]. rewrite app_nil_r, map_map, ForallOrdPairs_map.
    eapply ForallOrdPairs_impl; [|exact (runs_apart I s ok)].
    intros x y Hx Hy H. unfold apart. cbn [span_on span_proc from until].
    rewrite !earlier_on, !earlier_proc, !earlier_start, !earlier_ends. intros same_on same_proc.
    specialize (H same_on same_proc). unfold follow in H.
    destruct (some x) eqn:mx, (some y) eqn:my; try lia.
    + pose proof (processor_free x y Hx Hy mx my (eq_sym same_on) (eq_sym same_proc)). lia.
    + pose proof (processor_free y x Hy Hx my mx same_on same_proc). lia.
  - intros e i j He Hi Hj from_ to_. rewrite same in Hj. unfold all_earlier in Hi. cbn [runs] in Hi.
    apply in_map_iff in Hi, Hj. destruct Hi as (i' & <- & Hi), Hj as (j' & <- & Hj).
    rewrite earlier_job in from_, to_. pose proof (edges3 e i' j' He Hi (in_attempts s j' Hj) from_ to_) as waits.
    assert (less : arrival I e (earlier i') (earlier j') = arrival I e i' j' - (if some i' then 1 else 0)).
    { unfold arrival, same_processor. rewrite !earlier_on, !earlier_proc, earlier_ends.
      destruct ((on i' =? on j')%N && (proc i' =? proc j')); lia. }
    rewrite less, earlier_start. destruct (some i') eqn:mi, (some j') eqn:mj; try lia.
    pose proof (data_there e i' j' He Hi Hj from_ to_ mi mj). lia.
  - intros r Hr. rewrite same in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (free4 q (in_attempts s q Hq)) as [rel _]. rewrite nothing_busy, earlier_job, earlier_start.
    destruct (valid_placed I s q ok Hq) as (_ & _ & zero).
    destruct (some q) eqn:moves; [pose proof (room q Hq moves)|]; lia.
  - intros a [].
Qed.

Lemma earlier_makespan : makespan I all_earlier <= makespan I s.
Proof.
  unfold makespan, all_earlier. cbn [runs]. rewrite map_map. apply max_le; [apply max_nonnegative|].
  intros x Hx. apply in_map_iff in Hx. destruct Hx as (r & <- & Hr). rewrite earlier_ends.
  pose proof (max_in (map (ends I) (runs s)) (ends I r) (in_map _ _ _ Hr)). destruct (some r); lia.
Qed.

Lemma earlier_in_time : in_time s -> in_time all_earlier.
Proof.
  intros [short each]. split.
  - etransitivity; [|exact short]. exact earlier_makespan.
  - intros r Hr. unfold all_earlier in Hr. cbn [runs] in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    rewrite earlier_job, earlier_ends. specialize (each q Hq). destruct (some q); lia.
Qed.

Lemma earlier_weight r : In r (runs s) -> some r = true -> weight all_earlier < weight s.
Proof.
  intros Hr moves. unfold weight, all_earlier. cbn [runs]. rewrite map_map.
  assert (each : forall q, In q (runs s) -> weight_of (job (earlier q)) * start (earlier q)
                  <= weight_of (job q) * start q - (if some q then 1 else 0)).
  { intros q Hq. rewrite earlier_job, earlier_start. pose proof (weight_positive s q ok Hq). destruct (some q); nia. }
  assert (total : sum (map (fun q => weight_of (job (earlier q)) * start (earlier q)) (runs s))
                  <= sum (map (fun q => weight_of (job q) * start q) (runs s))
                     - sum (map (fun q => if some q then 1 else 0) (runs s))).
  { clear Hr room processor_free data_there. revert each.
  induction (runs s) as [|q l IH]; intros each; [reflexivity|]. cbn [map sum fold_right].
    pose proof (each q (or_introl eq_refl)). specialize (IH (fun x H => each x (or_intror H))). unfold sum in *. lia. }
  enough (0 < sum (map (fun q => if some q then 1 else 0) (runs s))) by lia.
  clear total each room processor_free data_there. revert Hr.
  induction (runs s) as [|q l IH]; intros Hr; [destruct Hr|]. cbn [map sum fold_right].
  assert (0 <= sum (map (fun q => if some q then 1 else 0) l)).
  { apply sum_nonnegative. intros z Hz. apply in_map_iff in Hz. destruct Hz as (x & <- & _). destruct (some x); lia. }
  unfold sum in *. destruct Hr as [->|Hr]; [rewrite moves; lia|]. specialize (IH Hr). destruct (some q); lia.
Qed.
End Earlier.

(** *** Times at which a task may start *)

Definition shares (v w : window) : bool :=
  existsb (fun m => existsb (fun u => (fst m =? fst u)%N) (w_modes w)) (w_modes v).

(** From when to when a task may end; from when to when data of an edge may arrive that take time. *)
Definition ends_between (v : window) : Z * Z := (w_end v, L - w_tail v).

Definition journeys (W : windows) (e : edge) : list (Z * Z) :=
  match find W (source e), find W (target e) with
  | Some v, Some w =>
      flat_map (fun m => flat_map (fun u => let c := cost e (fst m) (fst u) in
                                            if 0 <? c then [(w_end v + c, L - w_tail v + c)] else [])
                                  (w_modes w)) (w_modes v)
  | _, _ => []
  end.

(** The least time of at least [x] in an interval. *)
Definition next_of (x : Z) (l : list (Z * Z)) : option Z :=
  fold_right (fun i least_ => let y := Z.max (fst i) x in
                              if y <=? snd i then Some match least_ with Some z => Z.min y z | None => y end else
                                least_)
             None l.

Lemma next_of_spec x l i T : In i l -> fst i <= T <= snd i -> x <= T -> exists y, next_of x l = Some y /\ y <= T.
Proof.
  induction l as [|k l IH]; intros Hi within_ from_; [destruct Hi|]. cbn [next_of fold_right].
  fold (next_of x l). destruct Hi as [->|Hi].
  - destruct (Z.leb_spec (Z.max (fst i) x) (snd i)); [|lia].
    destruct (next_of x l); eexists; (split; [reflexivity|]); lia.
  - destruct (IH Hi within_ from_) as (y & -> & less). destruct (Z.max (fst k) x <=? snd k); eexists;
      (split; [reflexivity|]); lia.
Qed.

(** Some task takes no time on some type. *)
Definition timeless : bool := existsb (fun x => existsb (fun m => snd m =? 0) (modes I x)) (tasks I).

Definition reasons (into : M.t (list edge)) (W : windows) (j : N) (w : window) : list (Z * Z) :=
  flat_map (fun i => if (i =? j)%N then [] else match find W i with
                     | Some v => if shares v w then [ends_between v] else []
                     | None => []
                     end) (numbers (length (tasks I))) ++
  flat_map (fun e => journeys W e ++ match find W (source e) with Some v => [ends_between v] | None => [] end)
           (group into j).

Definition events (W : windows) (j : N) : list (Z * Z) :=
  flat_map (fun i => if (i =? j)%N then [] else match find W i with
                     | Some v => if 0 <? longest_time (w_modes v) then [ends_between v] else []
                     | None => []
                     end) (numbers (length (tasks I))) ++
  flat_map (fun e => if (source e =? j)%N then [] else journeys W e) (edges I).

(** A task starts at 0, when it is released, or when there is a reason.
[part]: tasks may be released later than at 0. *)
Definition shift_of (part : bool) (into : M.t (list edge)) (W : windows) (j : N) : state :=
  match find W j with
  | Some w =>
      if (w_start w <=? Z.max 0 (if part then released I j else 0)) || (part && timeless) then Some W else
      match next_of (w_start w) (reasons into W j w) with
      | None => raise_start L W j (L + 1)
      | Some x => if timeless
                  then match next_of x (events W j) with
                       | None => raise_start L W j (L + 1)
                       | Some y => raise_start L W j y
                       end
                  else raise_start L W j x
      end
  | None => Some W
  end.

(** *** Soundness *)

Section Sound.
Variable s : schedule.
Hypothesis ok : valid I s.
Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Hypothesis nothing_busy : forall t p, busy_until I t p = 0.
Hypothesis on_time : in_time s.
Hypothesis least_s : least s.

Lemma not_earlier some r : In r (runs s) -> some r = true ->
  (forall r, In r (runs s) -> some r = true -> 0 < start r /\ released I (job r) < start r) ->
  (forall r q, In r (runs s) -> In q (runs s) -> some r = true -> some q = false ->
     on q = on r -> proc q = proc r -> ends I q <> start r) ->
  (forall e i j, In e (edges I) -> In i (runs s) -> In j (runs s) -> job i = source e ->
     job j = target e -> some i = false -> some j = true -> arrival I e i j <> start j) -> False.
Proof.
  intros Hr moves room free_ data.
  pose proof (least_s _ (earlier_valid s ok nothing_busy some room free_ data) (earlier_in_time s some on_time)) as
    more.
  pose proof (earlier_weight s ok some r Hr moves). lia.
Qed.

(** What ends when the run starts, on its processor; what arrives then. *)
Definition ends_there (r q : run) : bool :=
  negb (job q =? job r)%N && (on q =? on r)%N && (proc q =? proc r) && (ends I q =? start r).
Definition arrives_there (r : run) (pair : edge * run) : bool :=
  (target (fst pair) =? job r)%N && (source (fst pair) =? job (snd pair))%N &&
  (arrival I (fst pair) (snd pair) r =? start r).

Lemma a_reason r : In r (runs s) -> 0 < start r -> released I (job r) < start r ->
  (exists q, In q (runs s) /\ job q <> job r /\ on q = on r /\ proc q = proc r /\ ends I q = start r) \/
  (exists e i, In e (edges I) /\ In i (runs s) /\ job i = source e /\ job r = target e /\ arrival I e i r = start r).
Proof.
  intros Hr pos rel. destruct (existsb (ends_there r) (runs s)) eqn:one.
  - left. apply existsb_exists in one. destruct one as (q & Hq & one). unfold ends_there in one.
    rewrite !andb_true_iff, negb_true_iff, N.eqb_neq, N.eqb_eq, !Z.eqb_eq in one. exists q. tauto.
  - destruct (existsb (arrives_there r) (list_prod (edges I) (runs s))) eqn:two.
    + right. apply existsb_exists in two. destruct two as ([e i] & both & two). apply in_prod_iff in both.
      unfold arrives_there in two. cbn [fst snd] in two. rewrite !andb_true_iff, !N.eqb_eq, Z.eqb_eq in two.
      destruct two as [[to_ from_] same]. exists e, i. intuition congruence.
    + exfalso. apply (not_earlier (fun q => (job q =? job r)%N) r Hr (N.eqb_refl _)).
      * intros q Hq same. apply N.eqb_eq in same. rewrite (same_run I s ok q r Hq Hr same). auto.
      * intros x q Hx Hq same differs same_on same_proc ends_. apply N.eqb_eq in same.
        rewrite (same_run I s ok x r Hx Hr same) in *. apply not_true_iff_false in one. apply one.
        apply existsb_exists. exists q. split; [exact Hq|]. unfold ends_there.
        rewrite differs, same_on, same_proc, ends_, N.eqb_refl, !Z.eqb_refl. reflexivity.
      * intros e i x He Hi Hx from_ to_ _ same arrives. apply N.eqb_eq in same.
        rewrite (same_run I s ok x r Hx Hr same) in *. apply not_true_iff_false in two. apply two.
        apply existsb_exists. exists (e, i). split; [apply in_prod; assumption|]. unfold arrives_there. cbn [fst snd].
        rewrite <- to_, <- from_, arrives, !N.eqb_refl, Z.eqb_refl. reflexivity.
Qed.

(** All tasks that start at one time could start earlier, if nothing that takes time ended or arrived then. *)
Lemma an_event r : In r (runs s) -> 0 < start r -> (forall q, In q (runs s) -> released I (job q) = 0) ->
  (exists q, In q (runs s) /\ start q < ends I q /\ ends I q = start r) \/
  (exists e i j, In e (edges I) /\ In i (runs s) /\ In j (runs s) /\ job i = source e /\ job j = target e /\
     ends I i < arrival I e i j /\ arrival I e i j = start r).
Proof.
  intros Hr pos rel.
  destruct (existsb (fun q => (start q <? ends I q) && (ends I q =? start r)) (runs s)) eqn:one.
  - left. apply existsb_exists in one. destruct one as (q & Hq & one). rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq in one.
    exists q. tauto.
  - pose (event := fun x : edge * (run * run) => let e := fst x in let i := fst (snd x) in let j := snd (snd x) in
      (source e =? job i)%N && (target e =? job j)%N && (ends I i <? arrival I e i j) && (arrival I e i j =? start r)).
    destruct (existsb event (list_prod (edges I) (list_prod (runs s) (runs s)))) eqn:two.
    + right. apply existsb_exists in two. destruct two as ((e & i & j) & all_ & two).
      apply in_prod_iff in all_. destruct all_ as [He both]. apply in_prod_iff in both.
      unfold event in two. cbn [fst snd] in two. rewrite !andb_true_iff, !N.eqb_eq, Z.ltb_lt, Z.eqb_eq in two.
      destruct two as [[[from_ to_] takes] same]. exists e, i, j. intuition congruence.
    + exfalso. apply (not_earlier (fun q => start q =? start r) r Hr (Z.eqb_refl _)).
      * intros q Hq same. apply Z.eqb_eq in same. rewrite (rel q Hq). lia.
      * intros x q Hx Hq same differs _ _ ends_. apply Z.eqb_eq in same. apply Z.eqb_neq in differs.
        apply not_true_iff_false in one. apply one. apply existsb_exists. exists q. split; [exact Hq|].
        pose proof (ends_forward I q times_ok). rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq. lia.
      * intros e i x He Hi Hx from_ to_ differs same arrives. apply Z.eqb_eq in same. apply Z.eqb_neq in differs.
        pose proof (ends_forward I i times_ok) as forward.
        pose proof (cost_nonnegative I edges_ok e (on i) (on x) He) as nonneg.
        assert (reaches : ends I i <= arrival I e i x) by (unfold arrival; destruct (same_processor i x); lia).
        destruct (Z.eq_dec (ends I i) (start r)) as [now|sooner].
        -- apply not_true_iff_false in one. apply one. apply existsb_exists. exists i. split; [exact Hi|].
           rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq. lia.
        -- apply not_true_iff_false in two. apply two. apply existsb_exists. exists (e, (i, x)).
           split; [repeat apply in_prod; assumption|]. unfold event. cbn [fst snd].
           rewrite <- from_, <- to_, !N.eqb_refl, arrives. cbn [andb]. rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq. lia.
Qed.

Lemma journey_between W e i j : all_fit I L s W -> In i (runs s) -> In j (runs s) -> job i = source e ->
  job j = target e -> 0 < cost e (on i) (on j) ->
  exists k, In k (journeys W e) /\ fst k <= ends I i + cost e (on i) (on j) <= snd k.
Proof.
  intros all_ Hi Hj from_ to_ takes. destruct (all_ i Hi) as (v & found_v & (_ & v2 & _ & v4 & v5)).
  destruct (all_ j Hj) as (w & found_w & (_ & _ & _ & _ & w5)). rewrite from_ in found_v. rewrite to_ in found_w.
  exists (w_end v + cost e (on i) (on j), L - w_tail v + cost e (on i) (on j)). split; [|cbn [fst snd]; lia].
  unfold journeys. rewrite found_v, found_w. apply in_flat_map. eexists. split; [exact v5|]. apply in_flat_map.
  eexists. split; [exact w5|]. cbv zeta. cbn [fst snd].
  destruct (Z.ltb_spec 0 (cost e (on i) (on j))); [left; reflexivity|lia].
Qed.

Lemma arrival_cases e i j : arrival I e i j = ends I i \/
  (arrival I e i j = ends I i + cost e (on i) (on j) /\ 0 < cost e (on i) (on j)) \/ cost e (on i) (on j) < 0.
Proof. unfold arrival. destruct (same_processor i j); [left; reflexivity|].
destruct (Z.lt_trichotomy 0 (cost e (on i) (on j))) as [|[|]]; lia. Qed.

Lemma between_ends W r : all_fit I L s W -> In r (runs s) -> exists v, find W (job r) = Some v /\
  fst (ends_between v) <= ends I r <= snd (ends_between v) /\ ends I r - start r <= longest_time (w_modes v) /\
  (exists d, In (on r, d) (w_modes v)).
Proof.
  intros all_ Hr. destruct (all_ r Hr) as (v & found & (f1 & f2 & f3 & f4 & f5)). exists v. split; [exact found|].
  cbn [ends_between fst snd]. split; [lia|]. split; [|eauto]. pose proof (longest_most _ _ f5) as most.
  cbn [snd] in most.
  rewrite duration_ends. lia.
Qed.

Lemma reason_in W r w : all_fit I L s W -> In r (runs s) -> find W (job r) = Some w ->
  0 < start r -> released I (job r) < start r ->
  exists k, In k (reasons (grouped target (edges I)) W (job r) w) /\ fst k <= start r <= snd k.
Proof.
  intros all_ Hr found pos rel. unfold reasons.
  destruct (a_reason r Hr pos rel) as [(q & Hq & differ & same_on & _ & same)|(e & i & He & Hi & from_ & to_ & same)].
  - destruct (between_ends W q all_ Hq) as (v & found_v & between & _ & d & mode). rewrite same in between.
    exists (ends_between v). split; [|exact between]. apply in_or_app. left. apply in_flat_map. exists (job q).
    split; [apply (Permutation_in _ (proj1 (proj1 ok))); apply in_map; exact Hq|].
    apply N.eqb_neq in differ. rewrite differ, found_v.
    destruct (all_ r Hr) as (w' & found' & (_ & _ & _ & _ & mode_r)). rewrite found in found'.
    inversion found'; subst w'.
    assert (yes : shares v w = true); [|rewrite yes; left; reflexivity].
    apply existsb_exists. eexists. split; [exact mode|]. apply existsb_exists. eexists. split; [exact mode_r|].
    cbn [fst]. apply N.eqb_eq. exact same_on.
  - assert (He' : In e (group (grouped target (edges I)) (job r))) by (apply group_spec; auto).
    pose proof (cost_nonnegative I edges_ok e (on i) (on r) He) as nonneg.
    destruct (arrival_cases e i r) as [plain|[[late takes]|]]; [| |lia].
    + destruct (between_ends W i all_ Hi) as (v & found_v & between & _). rewrite from_ in found_v.
      exists (ends_between v). split; [|lia]. apply in_or_app. right. apply in_flat_map. exists e. split; [exact He'|].
      apply in_or_app. right. rewrite found_v. left. reflexivity.
    + destruct (journey_between W e i r all_ Hi Hr from_ to_ takes) as (k & Hk & between).
      exists k. split; [|lia]. apply in_or_app. right. apply in_flat_map. exists e. split; [exact He'|].
      apply in_or_app. left. exact Hk.
Qed.

Lemma event_in W r : all_fit I L s W -> In r (runs s) -> 0 < start r ->
  (forall q, In q (runs s) -> released I (job q) = 0) ->
  exists k, In k (events W (job r)) /\ fst k <= start r <= snd k.
Proof.
  intros all_ Hr pos rel. unfold events.
  destruct (an_event r Hr pos rel) as [(q & Hq & takes & same)|(e & i & j & He & Hi & Hj & from_ & to_ & takes & same)].
  - destruct (between_ends W q all_ Hq) as (v & found_v & between & longest_ & _). exists (ends_between v).
    split; [|lia]. apply in_or_app. left. apply in_flat_map. exists (job q).
    split; [apply (Permutation_in _ (proj1 (proj1 ok))); apply in_map; exact Hq|].
    destruct (N.eqb_spec (job q) (job r)) as [one|_]; [rewrite (same_run I s ok q r Hq Hr one) in *; lia|].
    rewrite found_v. destruct (Z.ltb_spec 0 (longest_time (w_modes v))); [left; reflexivity|lia].
  - destruct (arrival_cases e i j) as [plain|[[late costs_]|]];
    [lia| |pose proof (cost_nonnegative I edges_ok e (on i) (on j) He); lia].
    destruct (journey_between W e i j all_ Hi Hj from_ to_ costs_) as (k & Hk & between).
    exists k. split; [|lia]. apply in_or_app. right. apply in_flat_map. exists e. split; [exact He|].
    destruct (N.eqb_spec (source e) (job r)) as [one|_]; [|exact Hk]. exfalso.
    rewrite (same_run I s ok i r Hi Hr ltac:(congruence)) in *. pose proof (ends_forward I r times_ok). lia.
Qed.

Lemma shift_possible part W j :
  (part = false -> forall q, In q (runs s) -> released I (job q) = 0) ->
  task_number I j -> all_fit I L s W -> possible I L s (shift_of part (grouped target (edges I)) W j).
Proof.
  intros rel Hj all_. destruct (a_run I s ok j Hj) as (r & Hr & is_j). subst j.
  unfold shift_of. destruct (find W (job r)) as [w|] eqn:found; [|exact all_].
  destruct ((w_start w <=? Z.max 0 (if part then released I (job r) else 0)) || (part && timeless)) eqn:early;
    [exact all_|].
  apply orb_false_iff in early. destruct early as [early plain]. apply Z.leb_gt in early.
  destruct (all_ r Hr) as (w' & found' & fit). rewrite found in found'. inversion found'; subst w'.
  pose proof fit as (f1 & _).
  assert (released_ : released I (job r) < start r).
  { destruct part; [lia|]. rewrite (rel eq_refl r Hr). lia. }
  destruct (reason_in W r w all_ Hr found ltac:(lia) released_) as (k & Hk & between).
  destruct (next_of_spec (w_start w) _ k (start r) Hk between f1) as (x & -> & less).
  assert (raise : forall y, y <= start r -> possible I L s (raise_start L W (job r) y)).
  { intros y Hy. apply raise_start_possible; auto. intros q Hq same. rewrite (same_run I s ok q r Hq Hr same).
  exact Hy. }
  destruct timeless; [|apply raise; exact less].
  assert (none : forall q, In q (runs s) -> released I (job q) = 0).
  { destruct part; [discriminate|]. exact (rel eq_refl). }
  destruct (event_in W r all_ Hr ltac:(lia) none) as (k' & Hk' & between').
  destruct (next_of_spec x _ k' (start r) Hk' between' less) as (y & -> & less'). apply raise. exact less'.
Qed.
End Sound.
End Least.
