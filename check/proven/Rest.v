(* SPDX-License-Identifier: Apache-2.0 *)
(** The rest of an instance of which something is given (docs/problem.md): a schedule of the whole has one of it. *)
From Coq Require Import ZArith List Permutation Lia Bool FMapPositive.
From Proven Require Import Problem Lists Table Valid Capacity Prices Flow Learned Part Plan.
Import ListNotations.
Open Scope Z_scope.

Section Rest.
Variable P : plan.
Variable spans : list N.   (* given tasks, best by their starts *)

Let E := effective P.

(** Where a task runs whose start and processor are given. *)
Definition given_run (j : N) : option run :=
  let x := if (j <? N.of_nat (length (tasks (whole P))))%N then pin_of P j else free in
  match pin_on x, pin_proc x, pin_start x with
  | Some t, Some q, Some a => Some {| job := j; on := t; proc := q; start := a |}
  | _, _, _ => None
  end.

Definition kept_tasks : list N := filter (fun j => negb (some (given_run j))) (numbers (length (tasks E))).

(** When data of given tasks are there on a type. *)
Definition arrives_on (into : M.t (list edge)) (j t : N) : Z :=
  fold_right Z.max 0 (map (fun e => match given_run (source e) with
                                    | Some r => ends E r + if (on r =? t)%N then 0 else cost e (on r) t
                                    | None => 0
                                    end) (group into j)).

Definition own_release (into : M.t (list edge)) (table : M.t task) (j : N) : Z :=
  match find table j with
  | Some x => Z.max (Z.max (release x) match pin_start (pin_of P j) with Some a => a | None => 0 end)
                    (amount (cheapest (fun mode => arrives_on into j (fst mode)) (modes E x)))
  | None => 0
  end.

Definition releases_ : list (N * Z) :=
  let into := grouped target (edges E) in
  let table := tabled (tasks E) in
  map (fun j => (j, own_release into table j)) kept_tasks.

(** Before this nothing of the rest can start. *)
Definition origin : Z := match map snd releases_ with [] => 0 | x :: l => fold_right Z.min x l end.

Definition members : list (N * Z) := map (fun m => (fst m, snd m - origin)) releases_.

(** Some task of the rest may take no time. *)
Definition zeros : bool :=
  existsb (fun j => match item (tasks E) j with Some x => existsb (fun m => snd m =? 0) (modes E x) | None => false end)
          kept_tasks.

Definition lost_of (t : N) : list Z := match item (lost P) t with Some l => l | None => [] end.

(** Until when a processor is busy with what is given. *)
Definition busy_to (t : N) (q : Z) : Z :=
  fold_left (fun f j => match given_run j with
                        | Some r => if (on r =? t)%N && (proc r =? q) &&
                                       ((start r <? origin) || ((start r <=? f) && negb zeros))
                                    then Z.max f (ends E r) else f
                        | None => f
                        end) spans (busy_until (whole P) t q).

Fixpoint kept_from (t : N) (a : Z) (k : nat) : list Z :=
  match k with
  | O => []
  | S k => if existsb (Z.eqb a) (lost_of t) then kept_from t (a + 1) k
           else Z.max 0 (busy_to t a - origin) :: kept_from t (a + 1) k
  end.

(** How many processors of a type may be busy. *)
Definition known_processors (t : N) (x : ptype) : nat :=
  fold_right Nat.max (length (busy x))
    (map (fun j => match given_run j with
                   | Some r => if (on r =? t)%N then S (Z.to_nat (proc r)) else O
                   | None => O
                   end) spans).

Definition rest_type (pair : N * ptype) : ptype :=
  {| count := count (snd pair) - Z.of_nat (length (lost_of (fst pair)));
     busy := kept_from (fst pair) 0 (known_processors (fst pair) (snd pair)) |}.

Definition rest_edge (e : edge) : list edge :=
  match find (place members) (source e), find (place members) (target e) with
  | Some a, Some b => [{| source := a; target := b; costs := costs e |}]
  | _, _ => []
  end.

Definition rest : instance :=
  {| platform := map rest_type (indexed 0 (platform (whole P))); tasks := map (member_task E true) members;
     edges := flat_map rest_edge (edges E) |}.

Fixpoint increasing (l : list Z) : bool :=
  match l with x :: (y :: _) as l' => (x <? y) && increasing l' | _ => true end.

(** I7, and that the tasks of the rest are in their order. *)
Definition rest_ok : bool :=
  rising members &&
  forallb (fun pair => let l := lost_of (fst pair) in
                       increasing l && forallb (fun q => (0 <=? q) && (q <? count (snd pair))) l)
          (indexed 0 (platform (whole P))).

(** The latest end of a given task, and the origin where something is left. *)
Definition given_bound : Z :=
  Z.max (match members with [] => 0 | _ => origin end)
        (fold_right Z.max 0 (map (fun j => match given_run j with Some r => ends E r | None => 0 end)
                                 (numbers (length (tasks E))))).

(** *** Soundness *)

Hypothesis edges_ok : I3 E.
Hypothesis times_ok : I2 E.
Hypothesis good : rest_ok = true.
Variable s : schedule.
Hypothesis ok : valid_plan P s.

Lemma nothing_busy t p : busy_until E t p = 0.
Proof. unfold E, busy_until, effective. cbn [platform]. rewrite item_map.
destruct (item (platform (whole P)) t); reflexivity. Qed.

Lemma valid_E : valid E s. Proof. exact (proj1 ok). Qed.

Lemma size_E : length (tasks E) = length (tasks (whole P)).
Proof.
  unfold E, effective. cbn [tasks]. rewrite map_length.
  transitivity (length (map fst (indexed 0 (tasks (whole P))))); [rewrite map_length; reflexivity|].
  rewrite indexed_numbers. unfold numbers. rewrite map_length, seq_length. reflexivity.
Qed.

Lemma given_task_number j g : given_run j = Some g -> task_number E j.
Proof.
  unfold given_run, task_number. rewrite size_E. destruct (N.ltb_spec j (N.of_nat (length (tasks (whole P))))); [auto|].
  cbn. discriminate.
Qed.

Lemma given_is r j g : In r (runs s) -> job r = j -> given_run j = Some g -> r = g.
Proof.
  intros Hr same given_. destruct ok as (_ & _ & pins_ & _). specialize (pins_ r Hr). rewrite same in pins_.
  unfold given_run in given_. cbv zeta in given_. destruct (_ <? _)%N; [|discriminate].
  destruct (pin_of P j) as [[t|] [q|] [a|] b]; cbn in *; try discriminate.
  inversion given_; subst g. destruct pins_ as (x & y & z). destruct r. cbn in *. subst. reflexivity.
Qed.

Lemma given_in j g : given_run j = Some g -> In g (runs s) /\ job g = j.
Proof.
  intros given_. pose proof (given_task_number j g given_) as Hj. apply in_numbers in Hj.
  destruct (the_run E s valid_E j Hj) as [Hr same].
  rewrite <- (given_is _ j g Hr same given_). auto.
Qed.

Lemma its_release j : In j kept_tasks ->
  own_release (grouped target (edges E)) (tabled (tasks E)) j <= start (the s j).
Proof.
  intros Hj. unfold kept_tasks in Hj. apply filter_In in Hj. destruct Hj as [Hj _].
  destruct (the_run E s valid_E j Hj) as [Hr same]. unfold own_release. rewrite find_tabled.
  destruct (valid_placed E s _ valid_E Hr) as (_ & _ & zero).
  destruct (item (tasks E) j) as [x|] eqn:Hx; [|exact zero].
  pose proof valid_E as (_ & _ & edges3 & free4 & _). destruct (free4 _ (in_attempts s _ Hr)) as [rel _].
  unfold released in rel. rewrite same, Hx in rel.
  destruct ok as (_ & _ & pins_ & _). specialize (pins_ _ Hr). rewrite same in pins_.
  destruct pins_ as (_ & _ & starts_).
  assert (pinned : match pin_start (pin_of P j) with Some a => a | None => 0 end <= start (the s j)).
  { destruct (pin_start (pin_of P j)); cbn in starts_; lia. }
  assert (mode : In (on (the s j), duration E (on (the s j)) (job (the s j))) (modes E x)).
  { apply (run_mode E s (the s j) x valid_E Hr). rewrite same. exact Hx. }
  destruct (cheapest_spec (fun mode => arrives_on (grouped target (edges E)) j (fst mode)) (modes E x) _ mode)
    as (c & -> & less). cbn [amount fst] in *.
  enough (arrives_on (grouped target (edges E)) j (on (the s j)) <= start (the s j)) by lia.
  apply max_le; [exact zero|]. intros y Hy. apply in_map_iff in Hy. destruct Hy as (e & <- & He).
  apply group_spec in He. destruct He as [He to_]. destruct (given_run (source e)) as [g|] eqn:given_; [|exact zero].
  destruct (given_in _ g given_) as [Hg from_].
  pose proof (edges3 e g (the s j) He Hg (in_attempts s _ Hr) from_ ltac:(congruence)) as waits.
  pose proof (cost_nonnegative E edges_ok e (on g) (on (the s j)) He).
  unfold arrival, same_processor in waits. destruct (N.eqb_spec (on g) (on (the s j))); cbn [andb] in waits; [|lia].
  destruct (proc g =? proc (the s j)); lia.
Qed.

Lemma least_of_all x l m : In m (x :: l) -> fold_right Z.min x l <= m.
Proof.
  induction l as [|y l IH]; cbn [fold_right]; intros H; [destruct H as [->|[]]; lia|].
  destruct H as [->|[->|H]]; [specialize (IH (or_introl eq_refl)); lia|lia|specialize (IH (or_intror H)); lia].
Qed.

Lemma member_spec m : In m members -> In (fst m) kept_tasks /\
  snd m = own_release (grouped target (edges E)) (tabled (tasks E)) (fst m) - origin /\ 0 <= snd m.
Proof.
  intros Hm. unfold members in Hm. apply in_map_iff in Hm. destruct Hm as (y & <- & Hy). unfold releases_ in Hy.
  cbv zeta in Hy. apply in_map_iff in Hy. destruct Hy as (j & <- & Hj). cbn [fst snd]. split; [exact Hj|].
  split; [reflexivity|]. enough (origin <= own_release (grouped target (edges E)) (tabled (tasks E)) j) by lia.
  unfold origin. assert (Hin : In (own_release (grouped target (edges E)) (tabled (tasks E)) j) (map snd releases_)).
  { unfold releases_. cbv zeta. rewrite map_map. cbn [snd]. apply (in_map (fun j => own_release _ _ j)). exact Hj. }
  destruct (map snd releases_) as [|x l]; [destruct Hin|]. exact (least_of_all x l _ Hin).
Qed.

Lemma starts_later j : In j (map fst members) -> origin <= start (the s j).
Proof.
  intros Hj. apply in_map_iff in Hj. destruct Hj as (m & <- & Hm). destruct (member_spec m Hm) as (Hk & is_ & pos).
  pose proof (its_release _ Hk). lia.
Qed.

(** A task of the rest starts when its processor is not busy with what is given. *)
Lemma after_busy j : In j (map fst members) -> begun P j = false ->
  busy_to (on (the s j)) (proc (the s j)) <= start (the s j).
Proof.
  intros Hj fresh_. pose proof (starts_later j Hj) as late. apply in_map_iff in Hj. destruct Hj as (m & is_j & Hm).
  destruct (member_spec m Hm) as (Hk & _ & _). rewrite is_j in Hk. clear m is_j Hm.
  assert (Hj : In j (numbers (length (tasks E)))) by (unfold kept_tasks in Hk; apply filter_In in Hk; apply Hk).
  assert (none : given_run j = None).
  { unfold kept_tasks in Hk. apply filter_In in Hk. destruct Hk as [_ H].
  destruct (given_run j); [discriminate|reflexivity]. }
  destruct (the_run E s valid_E j Hj) as [Hr same]. set (r := the s j) in *.
  destruct ok as (_ & busy_ & _ & _). specialize (busy_ r (in_attempts s r Hr)). rewrite same in busy_.
  destruct busy_ as [yes|busy_]; [congruence|].
  assert (longer : zeros = false -> start r < ends E r).
  { intros no. rewrite (duration_ends E r). unfold zeros in no. rewrite <- not_true_iff_false, existsb_exists in no.
    destruct (job_item E s r valid_E Hr) as (x & Hx). destruct (run_mode E s r x valid_E Hr Hx) as [mode _].
    pose proof (duration_nonnegative E (on r) (job r) times_ok).
    destruct (Z.eq_dec (duration E (on r) (job r)) 0) as [zero|]; [exfalso|lia]. apply no. exists j. split; [exact Hk|].
    rewrite <- same, Hx. apply existsb_exists. eexists. split; [exact mode|]. cbn [snd]. apply Z.eqb_eq. exact zero. }
  unfold busy_to. assert (all : forall l f, f <= start r -> fold_left (fun f j => match given_run j with
                        | Some g => if (on g =? on r)%N && (proc g =? proc r) &&
                                       ((start g <? origin) || ((start g <=? f) && negb zeros))
                                    then Z.max f (ends E g) else f
                        | None => f
                        end) l f <= start r).
  { induction l as [|i l IH]; intros f before_; [exact before_|]. cbn [fold_left]. apply IH.
    destruct (given_run i) as [g|] eqn:given_; [|exact before_].
    destruct ((on g =? on r)%N && (proc g =? proc r) && ((start g <? origin) || ((start g <=? f) && negb zeros)))
      eqn:counts;
      [|exact before_].
    rewrite !andb_true_iff, N.eqb_eq, Z.eqb_eq, orb_true_iff, andb_true_iff, Z.ltb_lt, Z.leb_le,
      negb_true_iff in counts.
    destruct counts as [[same_on same_proc] why]. enough (ends E g <= start r) by lia.
    destruct (given_in i g given_) as [Hg is_i].
    destruct (pairs_in _ _ _ _ (runs_apart E s valid_E) Hr Hg) as [equal|[H|H]].
    - exfalso. rewrite <- equal, same in is_i. congruence.
    - destruct (H (eq_sym same_on) (eq_sym same_proc)) as [first|]; [|assumption].
      pose proof (ends_forward E r times_ok). destruct why as [why|[why no]]; [lia|]. specialize (longer no). lia.
    - destruct (H same_on same_proc) as [|first]; [assumption|].
      pose proof (ends_forward E r times_ok). destruct why as [why|[why no]]; [lia|]. specialize (longer no). lia. }
  apply all. exact busy_.
Qed.

(** *** Processors that are not lost *)

Lemma increasing_nodup l : increasing l = true -> NoDup l /\ forall x y,
  In y l -> match l with z :: _ => x = z | [] => False end ->
  x <= y.
Proof.
  induction l as [|x l IH]; intros H; [split; [constructor|intros ? ? []]|].
  destruct l as [|y l]; [split; [repeat constructor; intros []|intros z w [<-|[]] ->; lia]|].
  cbn [increasing] in H. apply andb_true_iff in H. destruct H as [less H]. apply Z.ltb_lt in less.
  destruct (IH H) as [nodup first]. split; [constructor; [|exact nodup]|].
  - intros again. pose proof (first y x again eq_refl). lia.
  - intros z w [<-|Hw] ->; [lia|]. pose proof (first y w Hw eq_refl). lia.
Qed.

Definition below (l : list Z) (q : Z) : Z := Z.of_nat (length (filter (fun x => x <? q) l)).

Lemma few_between l a b : NoDup l -> (forall x, In x l -> a <= x < b) -> a <= b -> Z.of_nat (length l) <= b - a.
Proof.
  intros nodup inside_ ab.
  assert (part : incl l (map (fun i => a + Z.of_nat i) (seq 0 (Z.to_nat (b - a))))).
  { intros x Hx. specialize (inside_ x Hx). apply in_map_iff. exists (Z.to_nat (x - a)). rewrite in_seq. lia. }
  pose proof (NoDup_incl_length nodup part) as few. rewrite map_length, seq_length in few. lia.
Qed.

Lemma below_split l p q : p <= q -> below l q = below l p + Z.of_nat (length (filter (fun x => (p <=? x) && (x <? q))
  l)).
Proof.
  intros pq. unfold below. induction l as [|x l IH]; [reflexivity|]. cbn [filter].
  destruct (Z.ltb_spec x q), (Z.ltb_spec x p), (Z.leb_spec p x); cbn [andb length]; lia.
Qed.

Definition new_proc (t : N) (q : Z) : Z := q - below (lost_of t) q.

Lemma lost_good t x : item (platform (whole P)) t = Some x ->
  NoDup (lost_of t) /\ forall q, In q (lost_of t) -> 0 <= q < count x.
Proof.
  intros found. unfold rest_ok in good. rewrite andb_true_iff, forallb_forall in good. destruct good as [_ all].
  specialize (all (t, x) (proj2 (indexed_item _ _ _) found)). cbv zeta in all. cbn [fst snd] in all.
  rewrite andb_true_iff, forallb_forall in all. destruct all as [inc range_].
  split; [exact (proj1 (increasing_nodup _ inc))|]. intros q Hq. specialize (range_ q Hq).
  rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in range_. exact range_.
Qed.

Lemma not_lost_in t q : is_lost P t q = false -> ~ In q (lost_of t).
Proof.
  intros no Hq. unfold is_lost, lost_of in *. destruct (item (lost P) t) as [l|]; [|destruct Hq].
  apply not_true_iff_false in no. apply no. apply existsb_exists. exists q. rewrite Z.eqb_refl. auto.
Qed.

Lemma some_between l p q : NoDup l -> ~ In p l -> p < q ->
  Z.of_nat (length (filter (fun x => (p <=? x) && (x <? q)) l)) <= q - p - 1.
Proof.
  intros nodup out pq. replace (q - p - 1) with (q - (p + 1)) by lia.
  apply few_between; [apply NoDup_filter; exact nodup| |lia].
  intros x Hx. apply filter_In in Hx. destruct Hx as [Hx range_]. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in range_.
  enough (x <> p) by lia. intros ->. contradiction.
Qed.

Lemma new_proc_less t x p q : item (platform (whole P)) t = Some x -> ~ In p (lost_of t) -> p < q ->
  new_proc t p < new_proc t q.
Proof.
  intros found out pq. destruct (lost_good t x found) as [nodup _]. unfold new_proc.
  rewrite (below_split (lost_of t) p q) by lia. pose proof (some_between _ p q nodup out pq). lia.
Qed.

Lemma new_proc_range t x q : item (platform (whole P)) t = Some x -> ~ In q (lost_of t) -> 0 <= q < count x ->
  0 <= new_proc t q < count x - Z.of_nat (length (lost_of t)).
Proof.
  intros found out range_. destruct (lost_good t x found) as [nodup inside_]. unfold new_proc. split.
  - enough (below (lost_of t) q <= q) by lia. replace q with (q - 0) at 2 by lia. unfold below.
    apply few_between; [apply NoDup_filter; exact nodup| |lia]. intros y Hy. apply filter_In in Hy.
    destruct Hy as [Hy less].
    apply Z.ltb_lt in less. specialize (inside_ y Hy). lia.
  - assert (all : below (lost_of t) (count x) = Z.of_nat (length (lost_of t))).
    { unfold below. f_equal. clear - inside_. induction (lost_of t) as [|y l IH]; [reflexivity|]. cbn [filter].
      destruct (Z.ltb_spec y (count x)); [cbn [length]; f_equal; apply IH; intros z Hz; apply inside_; right;
        exact Hz|].
      specialize (inside_ y (or_introl eq_refl)). lia. }
    rewrite (below_split (lost_of t) q (count x)) in all by lia.
    pose proof (some_between _ q (count x) nodup out ltac:(lia)). lia.
Qed.

Lemma some_between_from t q a : NoDup (lost_of t) -> a <= q ->
  Z.of_nat (length (filter (fun x => (a <=? x) && (x <? q)) (lost_of t))) <= q - a.
Proof.
  intros nodup aq. apply few_between; [apply NoDup_filter; exact nodup| |lia]. intros x Hx. apply filter_In in Hx.
  destruct Hx as [_ range_]. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in range_. exact range_.
Qed.

Lemma between_next l a q : NoDup l -> Z.of_nat (length (filter (fun x => (a <=? x) && (x <? q)) l))
  = (if existsb (Z.eqb a) l && (a <? q) then 1 else 0) + Z.of_nat (length (filter (fun x => (a + 1 <=? x) && (x <?
    q)) l)).
Proof.
  induction l as [|x l IH]; intros nodup; [reflexivity|].
  inversion nodup as [|? ? fresh_ nodup']; subst. specialize (IH nodup'). cbn [filter existsb].
  destruct (Z.eqb_spec a x) as [<-|differs].
  - assert (no : existsb (Z.eqb a) l = false).
    { apply not_true_iff_false. intros yes. apply existsb_exists in yes. destruct yes as (y & Hy & same).
      apply Z.eqb_eq in same. subst y. contradiction. }
    rewrite no in IH. cbn [andb orb] in *. destruct (Z.leb_spec a a), (Z.leb_spec (a + 1) a), (Z.ltb_spec a q);
      cbn [andb length]; lia.
  - cbn [orb]. destruct (Z.leb_spec a x), (Z.leb_spec (a + 1) x), (Z.ltb_spec x q); cbn [andb length]; lia.
Qed.

(** The busy times of the rest are those of the processors that are not lost. *)
Lemma kept_item t q : NoDup (lost_of t) -> ~ In q (lost_of t) -> forall k a, a <= q < a + Z.of_nat k ->
  item (kept_from t a k) (Z.to_N (q - a - Z.of_nat (length (filter (fun x => (a <=? x) && (x <? q)) (lost_of t)))))
  = Some (Z.max 0 (busy_to t q - origin)).
Proof.
  intros nodup out. induction k as [|k IH]; intros a range_; [lia|]. cbn [kept_from].
  rewrite (between_next _ a q nodup). destruct (Z.eq_dec a q) as [->|differs].
  - assert (no : existsb (Z.eqb q) (lost_of t) = false).
    { apply not_true_iff_false. intros yes. apply existsb_exists in yes. destruct yes as (y & Hy & same).
      apply Z.eqb_eq in same. subst y. contradiction. }
    rewrite no. cbn [andb].
    assert (none : filter (fun x => (q + 1 <=? x) && (x <? q)) (lost_of t) = []).
    { clear. induction (lost_of t) as [|x l IH]; [reflexivity|]. cbn [filter].
      destruct (Z.leb_spec (q + 1) x), (Z.ltb_spec x q); cbn [andb]; try exact IH. lia. }
    rewrite none. replace (Z.to_N _) with 0%N by (cbn [length]; lia). reflexivity.
  - specialize (IH (a + 1) ltac:(lia)).
    pose proof (some_between_from t q (a + 1) nodup ltac:(lia)) as few.
    destruct (existsb (Z.eqb a) (lost_of t)) eqn:gone.
    + destruct (Z.ltb_spec a q); [|lia]. cbn [andb]. rewrite <- IH. f_equal. lia.
    + cbn [andb item]. destruct (N.eqb_spec (Z.to_N (q - a - (0 + Z.of_nat (length (filter (fun x => (a + 1 <=? x) &&
      (x <? q)) (lost_of t)))))) 0)
        as [zero|positive]; [lia|]. rewrite <- IH. f_equal. lia.
Qed.

Lemma kept_length t : NoDup (lost_of t) -> forall k a, Z.of_nat (length (kept_from t a k))
  + Z.of_nat (length (filter (fun x => (a <=? x) && (x <? a + Z.of_nat k)) (lost_of t))) = Z.of_nat k.
Proof.
  intros nodup. induction k as [|k IH]; intros a.
  - cbn [kept_from length]. pose proof (some_between_from t (a + Z.of_nat 0) a nodup ltac:(lia)). lia.
  - cbn [kept_from]. specialize (IH (a + 1)). rewrite (between_next _ a) by exact nodup.
    replace (a + Z.of_nat (S k)) with (a + 1 + Z.of_nat k) by lia.
    destruct (existsb (Z.eqb a) (lost_of t)); cbn [andb]; [destruct (Z.ltb_spec a (a + 1 + Z.of_nat k)); lia|].
    cbn [length]. lia.
Qed.

Lemma below_from l q : (forall x, In x l -> 0 <= x) ->
  below l q = Z.of_nat (length (filter (fun x => (0 <=? x) && (x <? q)) l)).
Proof.
  intros pos. unfold below. do 2 f_equal. apply filter_ext_in. intros x Hx. specialize (pos x Hx).
  destruct (Z.leb_spec 0 x); [reflexivity|lia].
Qed.

Lemma item_indexed {A} (l : list A) : forall i j, item (indexed i l) j = option_map (fun x => ((i + j)%N,
  x)) (item l j).
Proof.
  induction l as [|x l IH]; intros i j; [reflexivity|]. cbn [indexed item]. destruct (N.eqb_spec j 0) as [->|].
  - cbn [option_map]. rewrite N.add_0_r. reflexivity.
  - rewrite IH. destruct (item l (N.pred j)); [|reflexivity]. cbn [option_map]. do 2 f_equal. lia.
Qed.

Lemma rest_type_of t x : item (platform (whole P)) t = Some x -> item (platform rest) t = Some (rest_type (t, x)).
Proof. intros found. unfold rest. cbn [platform]. rewrite item_map, item_indexed, found. reflexivity. Qed.

Lemma rest_busy t x q y : item (platform (whole P)) t = Some x -> ~ In q (lost_of t) -> 0 <= q -> 0 <= y ->
  busy_to t q - origin <= y -> busy_until rest t (new_proc t q) <= y.
Proof.
  intros found out pos zero less. unfold busy_until. rewrite (rest_type_of t x found). cbn [rest_type busy fst snd].
  destruct (lost_good t x found) as [nodup inside_].
  assert (nonneg : forall z, In z (lost_of t) -> 0 <= z) by (intros z Hz; apply (inside_ z Hz)).
  set (m := known_processors t x). unfold number, new_proc. destruct (Z_lt_ge_dec q (Z.of_nat m)) as [known_|far].
  - rewrite (below_from _ q nonneg). pose proof (kept_item t q nodup out m 0 ltac:(lia)) as at_.
    rewrite Z.sub_0_r in at_. rewrite at_. lia.
  - rewrite (below_split (lost_of t) (Z.of_nat m) q) by lia.
    pose proof (some_between_from t q (Z.of_nat m) nodup ltac:(lia)) as few.
    pose proof (kept_length t nodup m 0) as long. rewrite Z.add_0_l, <- (below_from _ (Z.of_nat m) nonneg) in long.
    destruct (item (kept_from t 0 m) _) as [z|] eqn:there; [|exact zero]. apply item_some in there. lia.
Qed.

(** *** The schedule of the rest *)

Hypothesis well : well_given P.
Notation J := (part_of E (grouped source (edges E)) true members).

Definition rest_run (r : run) : run :=
  {| job := job r; on := on r; proc := new_proc (on r) (proc r); start := start r |}.
Definition rest_schedule : schedule := {| runs := map rest_run (runs (part_schedule members s origin));
  given_up := [] |}.

Lemma members_rise : rising members = true.
Proof. unfold rest_ok in good. apply andb_true_iff in good. apply good. Qed.

Lemma members_inside m : In m members -> task_number E (fst m).
Proof.
  intros Hm. destruct (member_spec m Hm) as (Hk & _). unfold kept_tasks in Hk. apply filter_In in Hk.
  apply in_numbers, Hk.
Qed.

Lemma members_start m : In m members -> 0 <= start (the s (fst m)) - origin /\ snd m <= start (the s (fst m)) - origin.
Proof.
  intros Hm. destruct (member_spec m Hm) as (Hk & is_ & pos). pose proof (its_release _ Hk). lia.
Qed.

Lemma J_valid : valid J (part_schedule members s origin).
Proof.
  apply part_valid; auto using nothing_busy, members_rise, members_inside, valid_E.
  intros m Hm. exact (members_start m Hm).
Qed.

Lemma begun_given j : begun P j = true -> task_number E j -> some (given_run j) = true.
Proof.
  intros yes Hj. unfold task_number in Hj. rewrite size_E in Hj. unfold begun, pin_of in yes. unfold given_run, pin_of.
  destruct (N.ltb_spec j (N.of_nat (length (tasks (whole P))))); [|lia].
  destruct (item (pins P) j) as [x|] eqn:found; [|discriminate].
  destruct (proj1 well x (item_in _ _ _ found) yes) as (t & q & a & b & -> & _). reflexivity.
Qed.

Lemma rest_place q : In q (runs (part_schedule members s origin)) -> exists j, In j (map fst members) /\
  In (the s j) (runs s) /\ begun P j = false /\ on q = on (the s j) /\ proc q = proc (the s j) /\
  start q = start (the s j) - origin /\ ~ In (proc q) (lost_of (on q)) /\
  exists x, item (platform (whole P)) (on q) = Some x /\ 0 <= proc q < count x.
Proof.
  intros Hq. destruct (run_of_in members s origin q Hq) as (k & j & h & found & ->).
  pose proof (item_in _ _ _ found) as Hm.
  exists j. split; [apply in_map_iff; exists (j, h); auto|].
  pose proof (members_inside _ Hm) as Hj. cbn [fst] in Hj.
  destruct (the_run E s valid_E j (proj2 (in_numbers _ _) Hj)) as [Hr same].
  assert (not_begun : begun P j = false).
  { destruct (begun P j) eqn:yes; [|reflexivity]. pose proof (begun_given j yes Hj) as given_.
    destruct (member_spec _ Hm) as (Hk & _). unfold kept_tasks in Hk. apply filter_In in Hk. cbn [fst] in Hk.
    rewrite given_ in Hk. destruct Hk. discriminate. }
  cbn [run_of fst snd on proc start]. split; [exact Hr|]. split; [exact not_begun|]. do 3 (split; [reflexivity|]).
  destruct ok as (_ & _ & _ & lost_). specialize (lost_ _ Hr). rewrite same in lost_.
  split; [apply not_lost_in; destruct lost_; [congruence|assumption]|].
  destruct (valid_placed E s _ valid_E Hr) as (_ & there & _). unfold processors, E, effective in there.
  cbn [platform] in there.
  rewrite item_map in there. destruct (item (platform (whole P)) (on (the s j))) as [x|]; [|cbn in there; lia].
  exists x. split; [reflexivity|]. exact there.
Qed.

Lemma rest_same r q : In r (runs (part_schedule members s origin)) -> In q (runs (part_schedule members s origin)) ->
  on r = on q -> (new_proc (on r) (proc r) = new_proc (on q) (proc q) <-> proc r = proc q).
Proof.
  intros Hr Hq same. split; [|intros equal; rewrite same, equal; reflexivity]. intros equal. rewrite <- same in equal.
  destruct (rest_place r Hr) as (i & _ & _ & _ & _ & _ & _ & out_r & x & found & _).
  destruct (rest_place q Hq) as (j & _ & _ & _ & _ & _ & _ & out_q & _). rewrite <- same in out_q.
  destruct (Z.lt_trichotomy (proc r) (proc q)) as [less|[one|more]]; [|exact one|].
  - pose proof (new_proc_less _ x _ _ found out_r less). lia.
  - pose proof (new_proc_less _ x _ _ found out_q more). lia.
Qed.

Lemma rest_edges e : In e (edges rest) -> In e (edges J).
Proof.
  unfold rest, part_of. cbn [edges]. intros He. apply in_flat_map in He. destruct He as (f & Hf & He).
  unfold rest_edge in He.
  destruct (find (place members) (source f)) as [a|] eqn:from_; [|destruct He].
  destruct (find (place members) (target f)) as [b|] eqn:to_; [|destruct He]. destruct He as [<-|[]].
  destruct (proj1 (place_spec members members_rise _ _) from_) as (h & found).
  apply in_flat_map. exists (a, (source f, h)). split; [apply indexed_item; exact found|].
  unfold edges_from. apply in_flat_map. exists f. cbn [fst snd]. split; [apply group_spec; auto|].
  rewrite to_. left. reflexivity.
Qed.

Theorem rest_valid : valid rest rest_schedule.
Proof.
  pose proof J_valid as okJ. pose proof okJ as ((every & _) & apart2 & edges3 & free4 & _).
  set (sJ := part_schedule members s origin) in *.
  assert (attempts_ : attempts rest_schedule = map rest_run (runs sJ)) by (unfold attempts, rest_schedule;
    cbn [given_up map runs]; apply app_nil_r).
  assert (ends_ : forall q, ends rest (rest_run q) = ends J q) by (intros q; reflexivity).
  split; [|split; [|split; [|split]]].
  - split.
    + unfold rest_schedule. cbn [runs]. rewrite map_map. exact every.
    + intros r Hr. rewrite attempts_ in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
      destruct (valid_placed J sJ q okJ Hq) as (mode & _ & zero). split; [exact mode|]. split; [|exact zero].
      destruct (rest_place q Hq) as (j & _ & _ & _ & _ & _ & _ & out_ & x & found & range_).
      unfold processors. cbn [rest_run on proc]. rewrite (rest_type_of _ x found). cbn [rest_type count fst snd].
      exact (new_proc_range _ x _ found out_ range_).
  - unfold S2, occupied in *. unfold rest_schedule. cbn [runs given_up map].
  rewrite app_nil_r, map_map, ForallOrdPairs_map.
    eapply ForallOrdPairs_impl; [|exact (runs_apart J sJ okJ)]. intros x y Hx Hy H. unfold apart.
    cbn [span_on span_proc from until]. rewrite !ends_. cbn [rest_run on proc start]. intros same_on same_proc.
    exact (H same_on (proj1 (rest_same x y Hx Hy same_on) same_proc)).
  - intros e i j He Hi Hj from_ to_. rewrite attempts_ in Hj. unfold rest_schedule in Hi. cbn [runs] in Hi.
    apply in_map_iff in Hi, Hj. destruct Hi as (i' & <- & Hi), Hj as (j' & <- & Hj). cbn [rest_run job] in from_, to_.
    pose proof (edges3 e i' j' (rest_edges e He) Hi (in_attempts sJ j' Hj) from_ to_) as waits.
    unfold arrival in *. rewrite ends_. cbn [rest_run on start].
    assert (same : same_processor (rest_run i') (rest_run j') = same_processor i' j').
    { unfold same_processor. cbn [rest_run on proc]. destruct (N.eqb_spec (on i') (on j')) as [same|]; [|reflexivity].
      cbn [andb]. pose proof (rest_same i' j' Hi Hj same).
      destruct (Z.eqb_spec (new_proc (on i') (proc i')) (new_proc (on j') (proc j'))),
        (Z.eqb_spec (proc i') (proc j')); tauto. }
    rewrite same. exact waits.
  - intros r Hr. rewrite attempts_ in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
    destruct (free4 q (in_attempts sJ q Hq)) as [rel _]. split; [exact rel|]. cbn [rest_run on proc start].
    destruct (valid_placed J sJ q okJ Hq) as (_ & _ & zero).
    destruct (rest_place q Hq) as (j & Hj & Hr & fresh_ & on_ & proc_ & start_ & out_ & x & found & range_).
    apply (rest_busy _ x _ _ found out_ (proj1 range_) zero). pose proof (after_busy j Hj fresh_) as free_.
    rewrite on_, proc_, start_. lia.
  - intros a [].
Qed.

Lemma rest_makespan : makespan rest rest_schedule <= Z.max 0 (makespan E s - origin).
Proof.
  unfold makespan at 1. apply max_le; [lia|]. intros y Hy. apply in_map_iff in Hy. destruct Hy as (r & <- & Hr).
  unfold rest_schedule in Hr. cbn [runs] in Hr. apply in_map_iff in Hr. destruct Hr as (q & <- & Hq).
  change (ends rest (rest_run q)) with (ends J q).
  destruct (run_of_in members s origin q Hq) as (k & j & h & found & ->). pose proof (item_in _ _ _ found) as Hm.
  rewrite (run_of_ends E _ true members members_inside s valid_E origin k j h found).
  destruct (the_run E s valid_E j (proj2 (in_numbers _ _) (members_inside _ Hm))) as [Hr _].
  pose proof (max_in (map (ends E) (runs s)) _ (in_map (ends E) _ _ Hr)). unfold makespan. lia.
Qed.

Lemma given_bound_right : given_bound <= makespan E s.
Proof.
  pose proof (max_nonnegative (map (ends E) (runs s))) as nonneg. fold (makespan E s) in nonneg.
  assert (ends_ : forall r, In r (runs s) -> ends E r <= makespan E s) by (intros r Hr; apply max_in, in_map, Hr).
  unfold given_bound. apply Z.max_lub.
  - destruct members as [|m l] eqn:some_; [exact nonneg|].
    assert (Hm : In m members) by (rewrite some_; left; reflexivity). destruct (members_start m Hm) as [late _].
    destruct (the_run E s valid_E _ (proj2 (in_numbers _ _) (members_inside m Hm))) as [Hr _].
    pose proof (ends_ _ Hr). pose proof (ends_forward E (the s (fst m)) times_ok). lia.
  - apply max_le; [exact nonneg|]. intros y Hy. apply in_map_iff in Hy. destruct Hy as (j & <- & _).
    destruct (given_run j) as [g|] eqn:given_; [|exact nonneg]. apply ends_. exact (proj1 (given_in j g given_)).
Qed.

(** A bound of the rest with the origin on top is one of the whole. *)
Theorem rest_bound value : (forall s', valid rest s' -> value <= makespan rest s') -> origin + value <= makespan E s.
Proof.
  intros bounded. pose proof (bounded _ rest_valid). pose proof rest_makespan. pose proof given_bound_right as least_.
  unfold given_bound in least_. pose proof (max_nonnegative (map (ends E) (runs s))) as nonneg.
  fold (makespan E s) in nonneg.
  destruct members as [|m l] eqn:some_; [|lia].
  assert (none : origin = 0).
  { unfold origin. unfold members in some_. apply map_eq_nil in some_. rewrite some_. reflexivity. }
  lia.
Qed.
End Rest.
