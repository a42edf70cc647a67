(* SPDX-License-Identifier: Apache-2.0 *)
(** Lines [gather] and [scatter]: where data take too long, what a task waits for must have run on its processor, one
    after another, and cannot. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Windows Delays.
Import ListNotations.
Open Scope Z_scope.

Section Gather.
Variable I : instance.
Variable L : Z.

(** One direction in time: the other end of an edge, and this one; when a task begins at the earliest, where it takes so
    long, and at the latest, counted in that direction; and what an edge costs from a type there to one here. *)
Variable next prev : edge -> N.
Variable least_at : window -> Z -> Z.
Variable most_at : window -> Z -> Z.
Variable cost_to : edge -> N -> N -> Z.

(** From every other processor the data come too late. *)
Definition only_here (W : windows) (t : N) (by_ : Z) (e : edge) : bool :=
  match find W (next e) with
  | Some w => forallb (fun mode => ((fst mode =? t)%N && (processors I t <=? 1)) ||
                                   (by_ <? least_at w (snd mode) + snd mode + cost_to e (fst mode) t)) (w_modes w)
  | None => false
  end.

(** Tasks that must be on the processor, with when they begin at the latest. *)
Definition ask (W : windows) (t : N) (by_ : Z) (m : M.t Z) (e : edge) : M.t Z :=
  if only_here W t by_ e
  then let own := by_ - duration I t (next e) in
       M.add (key (next e)) (match find m (next e) with Some x => Z.min x own | None => own end) m
  else m.

Definition ask_all (edges_of : M.t (list edge)) (W : windows) (t : N) (m : M.t Z) (x : N) : M.t Z :=
  match find m x with Some by_ => fold_left (ask W t by_) (group edges_of x) m | None => m end.

Definition asked (edges_of : M.t (list edge)) (order : list N) (W : windows) (t j : N) (by_ : Z) : M.t Z :=
  fold_left (ask_all edges_of W t) order (M.add (key j) by_ (M.empty Z)).

(** One of them may not run there, or not so early; or those that begin at some time or later take too long. *)
Definition cannot (W : windows) (t j : N) (by_ : Z) (m : M.t Z) : bool :=
  let all := filter (fun x => negb (x =? j)%N && match find m x with Some _ => true | None => false end)
                    (numbers (length (tasks I))) in
  let at_ x := match find W x with Some w => least_at w (duration I t x) | None => 0 end in
  existsb (fun x => match find W x, find m x with
                    | Some w, Some l => negb (existsb (fun mode => (fst mode =? t)%N) (w_modes w)) || (l <? at_ x)
                    | _, _ => false
                    end) all ||
  existsb (fun x => by_ - at_ x <? sum (map (fun y => if at_ x <=? at_ y then duration I t y else 0) all)) all.

Definition gathers (edges_of : M.t (list edge)) (order : list N) (W : windows) (j : N) (y : Z) : bool :=
  match find W j with
  | Some w => forallb (fun mode => let by_ := Z.min y (most_at w (snd mode)) in
                                   cannot W (fst mode) j by_ (asked edges_of order W (fst mode) j by_)) (w_modes w)
  | None => false
  end.

Hypothesis times_ok : I2 I.
Variable s : schedule.
Hypothesis ok : valid I s.

(** When a run begins, in that direction in time. *)
Variable begins : run -> Z.
Notation length_ r := (duration I (on r) (job r)).
Definition over (r : run) : Z := begins r + length_ r.

Hypothesis prev_run : forall e, In e (edges I) -> exists r, In r (runs s) /\ job r = prev e.
Hypothesis at_least : forall w r, In r (runs s) -> fits I L w r -> least_at w (length_ r) <= begins r <= most_at w (length_ r).
Hypothesis waits : forall e i x, In e (edges I) -> In i (runs s) -> In x (runs s) -> job i = next e -> job x = prev e ->
  over i <= begins x /\ (same_processor i x = false -> over i + cost_to e (on i) (on x) <= begins x).
Hypothesis one_by_one : ForallOrdPairs (fun r q => on r = on q -> proc r = proc q -> follow begins over r q) (runs s).

Section Here.
Variable W : windows.
Hypothesis all_ : all_fit I L s W.
Variable rj : run.
Hypothesis Hj : In rj (runs s).
Variable by_ : Z.
Hypothesis early : begins rj <= by_.

Lemma length_nonnegative r : 0 <= length_ r.
Proof. apply duration_nonnegative. exact times_ok. Qed.

(** What holds of all tasks that have been asked. *)
Definition true_of (m : M.t Z) : Prop := forall r l, In r (runs s) -> find m (job r) = Some l ->
  on r = on rj /\ proc r = proc rj /\ begins r <= l /\ (job r = job rj \/ over r <= by_).

Lemma lookup_add (m : M.t Z) i v j : find (M.add (key i) v m) j = if (i =? j)%N then Some v else find m j.
Proof.
  unfold find. destruct (N.eqb_spec i j) as [->|differs]; [apply M.gss|].
  apply M.gso. intros same. apply key_injective in same. congruence.
Qed.

Lemma ask_true m e x by_x : true_of m -> In e (edges I) -> In x (runs s) -> job x = prev e ->
  on x = on rj -> proc x = proc rj -> begins x <= by_x -> (job x = job rj \/ over x <= by_) ->
  true_of (ask W (on rj) by_x m e).
Proof.
  intros known He Hx from_ same_on same_proc begins_ over_. unfold ask.
  destruct (only_here W (on rj) by_x e) eqn:only; [|exact known]. intros i l Hi found. rewrite lookup_add in found.
  destruct (N.eqb_spec (next e) (job i)) as [is_next|]; [|exact (known i l Hi found)].
  destruct (waits e i x He Hi Hx (eq_sym is_next) from_) as [after_ data].
  assert (here : same_processor i x = true).
  { destruct (same_processor i x) eqn:same; [reflexivity|exfalso]. specialize (data eq_refl).
    destruct (all_ i Hi) as (w & found_w & fit). pose proof fit as (_ & _ & _ & _ & mode).
    unfold only_here in only. rewrite is_next, found_w, forallb_forall in only. specialize (only _ mode).
    cbn [fst snd] in only. rewrite orb_true_iff, andb_true_iff, N.eqb_eq, Z.leb_le, Z.ltb_lt in only.
    destruct only as [[type_ one]|late].
    - destruct (valid_placed I s i ok Hi) as (_ & there_i & _). destruct (valid_placed I s x ok Hx) as (_ & there_x & _).
      unfold same_processor in same. apply andb_false_iff in same. rewrite N.eqb_neq, Z.eqb_neq in same.
      rewrite same_on in there_x. rewrite type_ in there_i. destruct same as [|same]; [congruence|]. lia.
    - pose proof (proj1 (at_least w i Hi fit)). rewrite same_on in data. unfold over in data. lia. }
  unfold same_processor in here. apply andb_true_iff in here. rewrite N.eqb_eq, Z.eqb_eq in here.
  destruct here as [on_i proc_i]. pose proof (length_nonnegative x) as long_x.
  assert (last : over i <= by_). { destruct over_ as [is_j|]; [|unfold over in *; lia].
    assert (x = rj) by (apply (same_run I s ok); auto). subst x. lia. }
  split; [congruence|]. split; [congruence|]. split; [|right; exact last].
  assert (own : begins i <= by_x - duration I (on rj) (next e)).
  { rewrite is_next. replace (on rj) with (on i) by congruence. unfold over in after_. lia. }
  destruct (find m (next e)) as [x0|] eqn:before_; [|inversion found; subst; exact own].
  inversion found; subst l. apply Z.min_glb; [|exact own]. rewrite is_next in before_.
  destruct (known i x0 Hi before_) as (_ & _ & ? & _). assumption.
Qed.

Lemma asked_true order : true_of (asked (grouped prev (edges I)) order W (on rj) (job rj) by_).
Proof.
  unfold asked.
  assert (first_ : true_of (M.add (key (job rj)) by_ (M.empty Z))).
  { intros r l Hr found. rewrite lookup_add in found. destruct (N.eqb_spec (job rj) (job r)) as [same|].
    - inversion found; subst l. assert (r = rj) by (apply (same_run I s ok); auto). subst r. auto.
    - unfold find in found. rewrite M.gempty in found. discriminate. }
  revert first_. generalize (M.add (key (job rj)) by_ (M.empty Z)).
  induction order as [|x order IH]; intros m known; [exact known|]. cbn [fold_left]. apply IH. clear IH. unfold ask_all.
  destruct (find m x) as [by_x|] eqn:found; [|exact known].
  assert (inside : forall e, In e (group (grouped prev (edges I)) x) -> In e (edges I) /\ prev e = x).
  { intros e He. apply group_spec in He. exact He. }
  assert (some : forall l, incl l (group (grouped prev (edges I)) x) -> forall m, true_of m ->
            true_of (fold_left (ask W (on rj) by_x) l m)).
  { (* the run of x has been asked in m *)
    intros l part. assert (there : l = [] \/ exists r, In r (runs s) /\ job r = x).
    { destruct l as [|e l]; [auto|right]. destruct (inside e (part e (or_introl eq_refl))) as [He is_x].
      pose proof (prev_run e He) as (r & Hr & same). exists r. split; [exact Hr|congruence]. }
    destruct there as [->|(r & Hr & is_x)]; [auto|].
    rewrite <- is_x in found. destruct (known r by_x Hr found) as (same_on & same_proc & begins_ & over_).
    induction l as [|e l IH]; intros n known_n; [exact known_n|]. cbn [fold_left].
    apply IH; [intros f Hf; apply part; right; exact Hf|].
    destruct (inside e (part e (or_introl eq_refl))) as [He is_prev].
    apply (ask_true n e r by_x known_n He Hr); auto. congruence. }
  apply some; [apply incl_refl|exact known].
Qed.

Lemma cannot_be order : cannot W (on rj) (job rj) by_ (asked (grouped prev (edges I)) order W (on rj) (job rj) by_) = true ->
  False.
Proof.
  pose proof (asked_true order) as known. set (m := asked _ _ _ _ _ _) in *. unfold cannot.
  set (P := fun x => negb (x =? job rj)%N && match find m x with Some _ => true | None => false end).
  set (at_ := fun x => match find W x with Some w => least_at w (duration I (on rj) x) | None => 0 end).
  assert (each : forall x, In x (filter P (numbers (length (tasks I)))) -> exists r w l, In r (runs s) /\ job r = x /\
            find W x = Some w /\ find m x = Some l /\ fits I L w r /\ on r = on rj /\ proc r = proc rj /\
            at_ x <= begins r <= l /\ over r <= by_).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx is_P]. unfold P in is_P.
    rewrite andb_true_iff, negb_true_iff, N.eqb_neq in is_P. destruct is_P as [other found].
    destruct (find m x) as [l|] eqn:found_l; [|discriminate].
    destruct (the_run I s ok x Hx) as [Hr same]. set (r := the s x) in *. rewrite <- same in found_l.
    destruct (known r l Hr found_l) as (same_on & same_proc & begins_ & [wrong|over_]); [congruence|].
    destruct (all_ r Hr) as (w & found_w & fit). exists r, w, l. rewrite same in found_w, found_l.
    pose proof (proj1 (at_least w r Hr fit)) as least_. unfold at_. rewrite found_w.
    rewrite same_on, same in least_. do 7 (split; [assumption || reflexivity|]). split; [lia|assumption]. }
  intros H. apply orb_true_iff in H. destruct H as [H|H]; apply existsb_exists in H; destruct H as (x & Hx & H).
  - destruct (each x Hx) as (r & w & l & Hr & same & found_w & found_l & fit & same_on & _ & range_ & _).
    rewrite found_w, found_l, orb_true_iff, negb_true_iff, Z.ltb_lt in H. destruct H as [H|H].
    2: { unfold at_ in range_. rewrite found_w in range_. lia. }
    apply not_true_iff_false in H. apply H. apply existsb_exists. destruct fit as (_ & _ & _ & _ & mode).
    eexists. split; [exact mode|]. apply N.eqb_eq. simpl. exact same_on.
  - apply Z.ltb_lt in H.
    change (by_ - at_ x < sum (map (fun y => if at_ x <=? at_ y then duration I (on rj) y else 0)
                                   (filter P (numbers (length (tasks I)))))) in H.
    destruct (each x Hx) as (r0 & w0 & l0 & Hr0 & same0 & _ & _ & _ & _ & _ & range0 & over0).
    set (member := fun y => P y && (at_ x <=? at_ y)).
    set (R := filter (fun r => member (job r)) (filter (fun r => proc r =? proc rj)
                (filter (fun r => (on r =? on rj)%N) (runs s)))).
    assert (in_R : forall r, In r R -> In r (runs s) /\ on r = on rj /\ proc r = proc rj /\ at_ x <= begins r /\ over r <= by_).
    { intros r Hr. unfold R in Hr. apply filter_In in Hr. destruct Hr as [Hr is_member]. apply filter_In in Hr.
      destruct Hr as [Hr p]. apply filter_In in Hr. destruct Hr as [Hr o]. apply N.eqb_eq in o. apply Z.eqb_eq in p.
      unfold member in is_member. rewrite andb_true_iff, Z.leb_le in is_member. destruct is_member as [is_P later].
      destruct (each (job r)) as (q & w & l & Hq & same & _ & _ & _ & _ & _ & range_ & over_).
      { apply filter_In. split; [|exact is_P]. apply (Permutation_in (job r) (proj1 (proj1 ok))), in_map, Hr. }
      assert (q = r) by (apply (same_run I s ok); auto). subst q. do 3 (split; [assumption|]). split; [lia|assumption]. }
    assert (packed_ : sum (map (fun r => over r - begins r) R) <= by_ - at_ x).
    { apply packed with (n := length R); [lia| | |].
      - pose proof (length_nonnegative r0). unfold over in over0. lia.
      - intros r Hr. destruct (in_R r Hr) as (_ & _ & _ & ? & ?). pose proof (length_nonnegative r). unfold over in *. lia.
      - apply ForallOrdPairs_impl with (R := fun r q => on r = on q -> proc r = proc q -> follow begins over r q);
          [|do 3 apply ForallOrdPairs_filter; exact one_by_one].
        intros a b Ha Hb together. destruct (in_R a Ha) as (_ & oa & pa & _), (in_R b Hb) as (_ & ob & pb & _).
        apply together; congruence. }
    enough (sum (map (fun y => if at_ x <=? at_ y then duration I (on rj) y else 0)
                     (filter P (numbers (length (tasks I))))) <= sum (map (fun r => over r - begins r) R)) by lia.
    rewrite <- sum_if. rewrite (sum_by_task I s ok (fun y => if P y then if at_ x <=? at_ y then duration I (on rj) y else 0
      else 0)).
    unfold R. rewrite <- !(sum_if _ (fun r => over r - begins r)), <- !sum_if. apply sum_le. intros r Hr.
    unfold member. destruct (P (job r)) eqn:is_P; cbn [andb].
    2: { destruct (on r =? on rj)%N; [destruct (proc r =? proc rj)|]; lia. }
    destruct (each (job r)) as (q & w & l & Hq & same & _ & _ & _ & same_on & same_proc & _).
    { apply filter_In. split; [|exact is_P]. apply (Permutation_in (job r) (proj1 (proj1 ok))), in_map, Hr. }
    assert (q = r) by (apply (same_run I s ok); auto). subst q. rewrite same_on, N.eqb_refl, same_proc, Z.eqb_refl.
    destruct (at_ x <=? at_ (job r)); [|lia]. unfold over. rewrite same_on. lia.
Qed.
End Here.

(** Where the line holds, a task begins later. *)
Lemma gathers_later W order r y : all_fit I L s W -> In r (runs s) ->
  gathers (grouped prev (edges I)) order W (job r) y = true -> y < begins r.
Proof.
  intros all_ Hr H. destruct (Z_lt_le_dec y (begins r)) as [|early]; [assumption|exfalso].
  destruct (all_ r Hr) as (w & found & fit). unfold gathers in H. rewrite found, forallb_forall in H.
  pose proof fit as (_ & _ & _ & _ & mode). specialize (H _ mode). cbn [fst snd] in H.
  pose proof (proj2 (at_least w r Hr fit)).
  exact (cannot_be W all_ r Hr (Z.min y (most_at w (length_ r))) ltac:(lia) order H).
Qed.
End Gather.

(** *** Forward and backward in time *)

Definition costly (I : instance) : bool := existsb (fun e => existsb (existsb (fun c => negb (c =? 0))) (costs e)) (edges I).

Section Lines.
Variable I : instance.
Variable L : Z.

Definition earliest_start (w : window) (d : Z) : Z := Z.max (w_start w) (w_end w - d).
Definition least_tail (w : window) (d : Z) : Z := Z.max (w_tail w) (w_rest w - d).

Definition gather_holds (into : M.t (list edge)) (order : list N) (W : windows) (j : N) (y : Z) : bool :=
  costly I && gathers I source earliest_start (fun w d => L - (least_tail w d + d)) cost into (rev order) W j y.

Definition scatter_holds (out : M.t (list edge)) (order : list N) (W : windows) (j : N) (y : Z) : bool :=
  costly I && gathers I target least_tail (fun w d => L - (earliest_start w d + d)) (fun e u t => cost e t u) out order
                      W j y.

Hypothesis times_ok : I2 I.
Hypothesis edges_ok : I3 I.
Variable s : schedule.
Hypothesis ok : valid I s.

Lemma along e i j : In e (edges I) -> In i (runs s) -> In j (runs s) -> job i = source e -> job j = target e ->
  ends I i <= start j /\ (same_processor i j = false -> ends I i + cost e (on i) (on j) <= start j).
Proof.
  intros He Hi Hj from_ to_. split; [exact (edge_order I edges_ok s ok e i j He Hi Hj from_ to_)|].
  pose proof (proj1 (proj2 (proj2 ok)) e i j He Hi (in_attempts s j Hj) from_ to_) as waits. unfold arrival in waits.
  intros other. rewrite other in waits. exact waits.
Qed.

Lemma gather_possible order W j y : task_number I j -> all_fit I L s W ->
  gather_holds (grouped target (edges I)) order W j y = true -> possible I L s (raise_start L W j (y + 1)).
Proof.
  intros Hj all_ H. unfold gather_holds in H. apply andb_true_iff in H. destruct H as [_ H].
  apply (raise_start_possible I L s ok W j (y + 1) Hj all_). intros r Hr <-.
  enough (y < start r) by lia.
  refine (gathers_later I L source target earliest_start _ cost times_ok s ok start _ _ _ _ W (rev order) r y all_ Hr H).
  - intros e He. exact (a_run I s ok (target e) (proj2 (proj1 edges_ok e He))).
  - intros w q Hq (f1 & f2 & f3 & f4 & _). pose proof (duration_ends I q). unfold earliest_start, least_tail. lia.
  - intros e i x He Hi Hx from_ to_. destruct (along e i x He Hi Hx from_ to_) as [after_ data].
    unfold over. pose proof (duration_ends I i). split; [lia|]. intros other. specialize (data other). lia.
  - apply (ForallOrdPairs_impl (fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q));
      [|apply runs_apart; exact ok].
    intros x q _ _ H' same_on same_proc. exact (H' same_on same_proc).
Qed.

Lemma scatter_possible order W j y : task_number I j -> all_fit I L s W ->
  scatter_holds (grouped source (edges I)) order W j y = true -> possible I L s (raise_tail L W j (y + 1)).
Proof.
  intros Hj all_ H. unfold scatter_holds in H. apply andb_true_iff in H. destruct H as [_ H].
  apply (raise_tail_possible I L s ok W j (y + 1) Hj all_). intros r Hr <-.
  enough (y < L - ends I r) by lia.
  refine (gathers_later I L target source least_tail _ (fun e u t => cost e t u) times_ok s ok (fun q => L - ends I q)
            _ _ _ _ W order r y all_ Hr H).
  - intros e He. exact (a_run I s ok (source e) (proj1 (proj1 edges_ok e He))).
  - intros w q Hq (f1 & f2 & f3 & f4 & _). pose proof (duration_ends I q). unfold earliest_start, least_tail. lia.
  - intros e i x He Hi Hx to_ from_. destruct (along e x i He Hx Hi from_ to_) as [after_ data].
    unfold over. pose proof (duration_ends I i). split; [lia|]. intros other.
    assert (same_processor x i = false) as other'.
    { unfold same_processor in *. rewrite N.eqb_sym, Z.eqb_sym. exact other. }
    specialize (data other'). lia.
  - apply (ForallOrdPairs_impl (fun r q => on r = on q -> proc r = proc q -> follow start (ends I) r q));
      [|apply runs_apart; exact ok].
    intros x q _ _ H' same_on same_proc. destruct (H' same_on same_proc); unfold follow, over; pose proof (duration_ends I x);
      pose proof (duration_ends I q); [right|left]; lia.
Qed.
End Lines.
