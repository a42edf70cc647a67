(* SPDX-License-Identifier: Apache-2.0 *)
(* Solutions in JSON (docs/formats.md): schedule, claims and certificate, as the kernel takes them. *)

open Json
open Instance_file
open Classes

let most = Z.shift_left Z.one 62

(* A task, a type, and ranges of processors. *)
type entry = { run : int * int * (Z.t * Z.t) list; start : Q.t; end_ : Q.t option }

(* What the kernel judges. *)
type judged =
  | Sequential of Kernel.schedule * Kernel.certificate Kernel.claims
  | Planned of Kernel.plan * Kernel.schedule * Kernel.certificate Kernel.claims
  | Moldable of Kernel.moldable_instance * Kernel.execution list * Kernel.moldable_certificate Kernel.claims

type t = {
  judged : judged;
  about : Instance_file.t;          (* what certificates are about: the instance, or its rest *)
  says_optimal : bool;
  proof : string option;            (* the kind of the certificate *)
  unknown : bool;                   (* it is of a kind that is not proven here *)
  makespan : Q.t;
  bound : Q.t;
}

let counts json = match member "platform" json with None | Some Null -> [] | Some _ -> platform json

let parse text =
  match Json.parse text with
  | Object _ as json ->
    (match member "format" json with
     | None -> not_judged "a solution that does not call itself a duet-solution; `duet show -o` makes one of it"
     | Some (String "duet-solution") -> ()
     | Some _ -> fail "expected the format \"duet-solution\"");
    (match member "version" json with
     | Some (Number q) when Q.equal q Q.one -> ()
     | _ -> fail "expected version 1");
    json
  | _ -> fail "expected a solution, an object"

let time what json =
  let q = as_number what json in
  if Q.gt q (Q.of_bigint most) then failf "%s: too large" what;
  q

(* Without mixed sets processors of several types are no schedule. Those of one type are written without parts. *)
let refuse_parts instance parts =
  let types = List.sort_uniq compare (List.map (fun part -> as_string "type" (need "type" part)) parts) in
  match types with
  | _ :: _ :: _ when List.for_all (fun name -> Array.mem name instance.types) types ->
    refuse "processors of several types, without mixed sets"
  | _ -> not_judged "an entry with parts"

let entry instance aborted json =
  (match json with Object _ -> () | _ -> fail "schedule: expected an entry");
  let task = as_string "task" (need "task" json) in
  let sets = instance.moldable <> None && not aborted in
  (match member "parts" json with
   | None -> ()
   | Some _ when not sets -> fail "an entry: expected one way to say the processors"
   | Some parts -> refuse_parts instance (as_array "parts" parts));
  let type_ = as_string "type" (need "type" json) in
  let ranges = match member "processor" json, member "processors" json with
    | Some processor, None -> let q = as_whole "processor" processor in [ (q, q) ]
    | None, Some _ when sets -> Moldable_file.ranges (need "processors" json)
    | _ -> fail "an entry: expected one way to say the processors" in
  let start = time "start" (need "start" json) in
  let end_ = Option.map (time "end") (member "end" json) in
  if aborted && end_ = None then fail "an aborted run without an end";
  let task = match instance.number task with Some task -> task | None -> refuse "an unknown task" in
  let rec type_number t = if t = Array.length instance.types then refuse "an unknown type"
    else if instance.types.(t) = type_ then t else type_number (t + 1) in
  { run = (task, type_number 0, ranges); start; end_ }

let entries instance aborted name json = match member name json with
  | None -> []
  | Some list -> List.map (entry instance aborted) (as_array name list)

(* Certificates *)

let whole_in what json =
  let z = as_whole what json in
  if Z.gt (Z.abs z) most then refuse (what ^ ": out of range");
  z

let by_type instance name json =
  let list = List.map (whole_in name) (as_array name (need name json)) in
  if List.length list <> Array.length instance.types then failf "%s: expected one for each type" name;
  list

let ticks_of instance name json =
  let q = Q.mul (as_number name json) (Q.of_bigint (Z.pow ten instance.places)) in
  if Z.equal q.Q.den Z.one then q.Q.num else refuse (name ^ ": expected whole ticks")

let digits = String.for_all (function '0' .. '9' | '-' -> true | _ -> false)

let large what = function
  | String s when s <> "" && String.length s <= 40 && digits s ->
    (try Z.of_string s with Invalid_argument _ -> failf "%s: expected a number" what)
  | json -> as_whole what json

let pairs name size needed json =
  let list = match member name json with
    | None when needed -> failf "the certificate has no \"%s\"" name
    | None -> []
    | Some list -> as_array name list in
  let found = Hashtbl.create 64 in
  List.iter (function
      | Array [ index; value ] ->
        let index = as_whole name index in
        if Z.sign index < 0 || Z.geq index (Z.of_int size) || Hashtbl.mem found (Z.to_int index) then
          refuse (name ^ ": an index that is none, or stands twice");
        Hashtbl.add found (Z.to_int index) (whole_in name value)
      | _ -> failf "%s: expected pairs" name) list;
  found

let of_pairs found size otherwise =
  List.init size (fun i -> match Hashtbl.find_opt found i with Some v -> v | None -> otherwise i)

(* Flows of edges, what passes each task, and what edges charge. What passes a task is the more of what flows in and out
   where the certificate does not say it. *)
let flows instance ends json =
  let ends = Array.of_list ends in
  let edges = Array.length ends in
  let flow = pairs "flow" edges true json in
  let tasks = pairs "tasks" instance.size false json in
  let cross = pairs "cross" edges false json in
  let into = Array.make instance.size Z.zero and out = Array.make instance.size Z.zero in
  Hashtbl.iter (fun e f ->
      let u, v = ends.(e) in
      out.(Z.to_int u) <- Z.add out.(Z.to_int u) f;
      into.(Z.to_int v) <- Z.add into.(Z.to_int v) f) flow;
  let zero _ = Z.zero in
  (of_pairs flow edges zero, of_pairs tasks instance.size (fun j -> Z.max into.(j) out.(j)),
   of_pairs cross edges zero)

let flow_certificate instance json =
  let ends = List.map (fun e -> (e.Kernel.source, e.Kernel.target)) instance.kernel.Kernel.edges in
  let flow, through, cross = flows instance ends json in
  Kernel.Flow (by_type instance "weights" json, flow, through, cross)

let moldable_flow instance json = match instance.moldable with
  | None -> refuse "flow: of sequential tasks"
  | Some moldable ->
    let ends = List.map (fun e -> (e.Kernel.source_of, e.Kernel.target_of)) moldable.Kernel.dependences in
    let flow, through, cross = flows instance ends json in
    if member "cross" json <> Some (Array []) && member "cross" json <> None && cross <> [] then
      refuse "cross: expected two types, and no moldable tasks";
    Kernel.MoldableFlow (by_type instance "weights" json, flow, through)

let prices_certificate instance value json =
  let of_kind, all_classes, units = classes instance value in
  let size = Array.length all_classes in
  let limits = by_type instance "limits" json in
  List.iter (small "limits") limits;
  let kinds = List.mapi (fun t mode -> match as_string "modes" mode with
      | "set" ->
        if Z.gt (List.nth limits t) (Z.shift_left Z.one 26) then refuse "a limit of sets that is too large";
        Kernel.BySets
      | "area" -> Kernel.ByDensity units.(t)
      | _ -> fail "modes: expected set or area") (as_array "modes" (need "modes" json)) in
  if List.length kinds <> Array.length instance.types then fail "modes: expected one for each type";
  let rows = Array.of_list (List.map (fun row ->
      let row = List.map (whole_in "prices") (as_array "prices" row) in
      if List.length row <> Array.length instance.types then fail "prices: expected one for each type";
      List.iter (small "prices") row;
      row) (as_array "prices" (need "prices" json))) in
  if Array.length rows <> size then refuse "prices: expected a row for each class";
  let none = List.map (fun _ -> Z.zero) limits in
  let row = function
    | None -> none
    | Some (number, times) ->
      List.iter2 (fun time price ->
          if time = None && Z.sign price <> 0 then refuse "a price where the class has no time") times rows.(number);
      rows.(number) in
  let all = List.concat (List.mapi (fun i kind -> let row = row of_kind.(i) in List.init kind.copies (fun _ -> row))
                           (Array.to_list instance.kinds)) in
  Kernel.Prices (kinds, limits, all)

let knapsack_certificate instance value json =
  let weights = by_type instance "weights" json in
  if List.length weights <> 2 then refuse "knapsack: expected two types";
  List.iter (small "weights") weights;
  if List.for_all (Z.equal Z.zero) weights then refuse "weights: expected one above 0";
  let _, _, units = classes instance value in
  Kernel.Knapsack (weights, units.(0), units.(1))

(* Whether tasks are released, or processors busy, later than at 0; what `knapsack`, and `flow` of moldable tasks,
   say of them is not proven here. *)
let waits instance =
  let late f = Z.sign f > 0 in
  let busy platform = List.exists (fun type_ -> List.exists late type_.Kernel.busy) platform in
  match instance.moldable with
  | Some { Kernel.of_types; all_tasks; _ } ->
    busy of_types || List.exists (fun task -> late task.Kernel.released_at) all_tasks
  | None ->
    busy instance.kernel.Kernel.platform || List.exists (fun task -> late task.Kernel.release) instance.kernel.Kernel.tasks

(* Tasks in an order along the edges, of which the kernel believes nothing. *)
let head_tail_certificate instance json =
  let ticks name = ticks_of instance name (need name json) in
  let head = ticks "head" and tail = ticks "tail" in
  let ranked = List.mapi (fun j rank -> (rank, Z.of_int j)) instance.ranks in
  let order = List.map snd (List.stable_sort (fun (a, _) (b, _) -> Z.compare a b) ranked) in
  Kernel.HeadTail (by_type instance "weights" json, head, tail, order)

let certificate instance value proof json =
  match proof with
  | "longest" ->
    (match instance.number (as_string "task" (need "task" json)) with
     | Some task -> Some (value, Kernel.Longest (Z.of_int task))
     | None -> refuse "the certificate's task is unknown")
  | "area" ->
    let from = match member "from" json with None -> Z.zero | Some from -> ticks_of instance "from" from in
    if Z.sign from < 0 then refuse "from: below 0";
    Some (value, Kernel.Area (from, by_type instance "weights" json))
  | "shelf" ->
    let counts = List.map (large "counts") (as_array "counts" (need "counts" json)) in
    if List.length counts <> Array.length instance.types then fail "counts: expected one for each type";
    Some (value, Kernel.Shelf (by_type instance "weights" json, counts, as_whole "parts" (need "parts" json)))
  | "flow" -> Some (value, flow_certificate instance json)
  | "lines" ->
    let lines = List.map (as_string "lines") (as_array "lines" (need "lines" json)) in
    let bound, cases = Proof_file.read instance (String.concat "\n" lines) in
    if Z.lt bound value then refuse "the lines prove less than they should";
    Some (bound, cases)
  | "prices" -> Some (value, prices_certificate instance value json)
  | "knapsack" -> if waits instance then None else Some (value, knapsack_certificate instance value json)
  | "head-tail" -> Some (value, head_tail_certificate instance json)
  | "table" -> None
  | "moldable-prices" | "moldable-knapsack" | "moldable-steps" -> refuse (proof ^ ": of moldable tasks alone")
  | _ -> fail "the certificate's proof: unknown"

(* Of moldable tasks: two multipliers for each type, for areas and for processors of long tasks. *)
let multipliers instance json =
  let types = Array.length instance.types in
  let all = List.map (whole_in "multipliers") (as_array "multipliers" (need "multipliers" json)) in
  if List.length all <> max 4 (2 * types) then fail "multipliers: expected two for each type";
  let used = Array.sub (Array.of_list all) 0 (2 * types) in
  let part k = List.init types (fun t -> used.((2 * t) + k)) in
  Kernel.MoldablePrices (part 0, part 1)

(* "time value time value ...", by single blanks, of which the kernel takes the longest first. *)
let steps_of line =
  let whole word =
    if word = "" || String.length word > 19 || not (String.for_all (function '0' .. '9' -> true | _ -> false) word) then
      refuse "lines: expected pairs of whole numbers";
    Z.of_string word in
  let rec pairs found = function
    | time :: value :: rest -> pairs ((whole time, whole value) :: found) rest
    | [] -> found
    | [ _ ] -> refuse "lines: expected pairs of whole numbers" in
  if line = "" then [] else pairs [] (String.split_on_char ' ' line)

(* The kernel tries each step as often as it fits. *)
let most_items = Z.of_int 100_000

let moldable_steps instance value json =
  let limits = by_type instance "weights" json in
  let out_of_range z = Z.sign z < 0 || Z.gt z (Z.of_int 65536) in
  if List.exists out_of_range limits then refuse "weights: expected limits up to 65536";
  let lines = List.map (as_string "lines") (as_array "lines" (need "lines" json)) in
  if List.length lines <> Array.length instance.types then fail "lines: expected one for each type";
  let steps = List.map steps_of lines in
  let all = List.concat steps in
  if List.length all > 4096 then refuse "lines: expected at most 4096 pairs";
  if List.exists (fun (time, _) -> Z.sign time = 0) all then refuse "lines: a time of 0";
  let items = List.fold_left (fun sum (time, _) -> Z.add sum (Z.div (Z.pred value) time)) Z.zero all in
  if Z.gt items most_items then not_judged "steps that are too short";
  Kernel.MoldableSteps (limits, steps)

let moldable_certificate instance value proof json =
  match proof with
  | "longest" ->
    (match instance.number (as_string "task" (need "task" json)) with
     | Some task -> Some (value, Kernel.MoldableLongest (Z.of_int task))
     | None -> refuse "the certificate's task is unknown")
  | "moldable-prices" -> Some (value, multipliers instance json)
  | "flow" -> if waits instance then None else Some (value, moldable_flow instance json)
  | "moldable-steps" -> Some (value, moldable_steps instance value json)
  | "moldable-knapsack" -> None
  | "area" | "shelf" | "table" | "knapsack" | "prices" | "head-tail" | "lines" ->
    refuse (proof ^ ": not of moldable tasks")
  | _ -> fail "the certificate's proof: unknown"

(* Everything in parts of a tick: ticks, or nine more places where some time is between ticks. *)

let kernel_runs places parts entries =
  let scaled q = in_ticks places (Q.mul q (Q.of_bigint parts)) in
  List.map (fun { run = (task, type_, ranges); start; _ } ->
      { Kernel.job = Z.of_int task; on = Z.of_int type_; proc = fst (List.hd ranges); start = scaled start }) entries

let executions places parts entries =
  let scaled q = in_ticks places (Q.mul q (Q.of_bigint parts)) in
  List.map (fun { run = (task, type_, ranges); start; _ } ->
      { Kernel.task_of = Z.of_int task; type_of = Z.of_int type_; ranges; begins = scaled start }) entries

(* What a task takes where it runs. *)
let time_at instance = match instance.moldable with
  | Some moldable ->
    let tasks = Array.of_list moldable.Kernel.all_tasks in
    fun (task, type_, ranges) ->
      let size = List.fold_left (fun sum (a, b) -> Z.add sum (Z.succ (Z.sub b a))) Z.zero ranges in
      Kernel.time_of (List.nth tasks.(task).Kernel.tables type_) size
  | None ->
    let kernel = Option.fold ~none:instance.kernel ~some:Kernel.effective instance.plan in
    let tasks = Array.of_list kernel.Kernel.tasks in
    fun (task, type_, _) -> List.nth tasks.(task).Kernel.times type_

let is_whole places q = Z.equal (Q.mul q (Q.of_bigint (Z.pow ten places))).Q.den Z.one

let status json = match member "status" json with
  | None -> false
  | Some (String "optimal") -> true
  | Some (String ("bounded" | "feasible")) -> false
  | Some _ -> fail "status: expected optimal, bounded or feasible"

(* Members that say nothing about the schedule are of the types that the page gives them. *)
let check_rest json =
  let each names good = List.iter (fun name -> match member name json with
      | Some value when not (good value) -> failf "%s: of another type than expected" name
      | _ -> ()) names in
  each [ "interrupted" ] (function Bool _ -> true | _ -> false);
  each [ "ending"; "algorithm"; "found_by" ] (function String _ -> true | _ -> false);
  each [ "guarantee"; "bound" ] (function String _ | Null -> true | _ -> false);
  each [ "seconds" ] (function Number q -> Q.sign q >= 0 | _ -> false)

(* The kind of the certificate, and its value with what [reader] makes of it; 0 needs no proof. *)
let certified_by reader nothing instance json bound =
  let proof_json = match member "certificate" json with
    | None -> Object []
    | Some (Object _ as c) -> c
    | Some _ -> fail "certificate: expected an object" in
  match proof_json with
  | Object [] -> (None, None)
  | _ ->
    let proof = as_string "proof" (need "proof" proof_json) in
    let lambda = as_number "lambda" (need "lambda" proof_json) in
    let value =
      let q = Q.mul lambda (Q.of_bigint (Z.pow ten instance.places)) in
      if Z.equal q.Q.den Z.one then q.Q.num else refuse "lambda: expected whole ticks" in
    if Q.lt lambda bound then refuse "the certificate proves less than the lower bound";
    let nothing = Some (value, nothing) in
    let certificate =
      try reader instance value proof proof_json with
      | Refused _ when Z.sign value <= 0 && proof <> "longest" -> nothing
      | Not_judged _ -> None in
    (Some proof, if certificate <> None && Z.sign value <= 0 then nothing else certificate)

(* An end that the file says is the start and the task's time; the schedule itself does not need it. *)
let check_ends instance scaled parts runs =
  let time_at = time_at instance in
  List.iter (fun { run; start; end_ } ->
      match end_, time_at run with
      | Some end_, Some p ->
        if not (Z.equal (scaled end_) (Z.add (scaled start) (Z.mul parts p))) then refuse "a task ends at a wrong time"
      | _ -> ()) runs

let read instance json =
  check_rest json;
  let runs = entries instance false "schedule" json and given_up = entries instance true "aborted" json in
  if member "schedule" json = None then fail "expected a member \"schedule\"";
  (match member "time_unit" json with
   | Some (String unit_) when instance.unit_ <> "" && unit_ <> instance.unit_ -> fail "times in another unit"
   | None | Some (String _) -> ()
   | Some _ -> fail "time_unit: expected a string");
  let says_optimal = status json in
  let makespan = time "makespan" (need "makespan" json) in
  let bound = match member "lower_bound" json with None -> Q.zero | Some v -> time "lower_bound" v in
  let places = instance.places in
  let times = makespan :: bound ::
              List.concat_map (fun e -> e.start :: Option.to_list e.end_) (runs @ given_up) in
  let parts = if List.for_all (is_whole places) times then Z.one else Z.of_int 1_000_000_000 in
  let scaled q = in_ticks places (Q.mul q (Q.of_bigint parts)) in
  let claims certified = { Kernel.parts; claimed_makespan = scaled makespan; claimed_bound = scaled bound;
                           claimed_optimal = says_optimal; certified } in
  let about = Option.fold ~none:instance ~some:(fun plan -> Plan_file.rest_of plan instance) instance.plan in
  (* Of an instance of which something is given a certificate proves what is left above that. *)
  let left = match instance.plan with
    | None -> Some bound
    | Some plan ->
      let in_unit z = Q.div (Q.of_bigint z) (Q.of_bigint (Z.pow ten places)) in
      if Q.sign bound > 0 && Q.leq bound (in_unit (Kernel.given_bound plan)) then None
      else Some (Q.sub bound (in_unit (Kernel.origin plan))) in
  let judged, proof, unknown = match instance.moldable with
    | None ->
      let proof, certified = match left with
        | None -> (Some "given", Some (Z.zero, Kernel.Area (Z.zero, [])))
        | Some left -> certified_by certificate (Kernel.Area (Z.zero, [])) about json left in
      let aborted = List.map2 (fun run { end_; _ } -> { Kernel.attempt = run; stop = scaled (Option.get end_) })
          (kernel_runs places parts given_up) given_up in
      let schedule = { Kernel.runs = kernel_runs places parts runs; given_up = aborted } in
      let claims = claims certified in
      (Option.fold ~none:(Sequential (schedule, claims)) ~some:(fun plan -> Planned (plan, schedule, claims)) instance.plan,
       proof, certified = None)
    | Some moldable ->
      if given_up <> [] then refuse "an aborted run of a moldable task";
      let proof, certified = certified_by moldable_certificate (Kernel.MoldableLongest Z.zero) instance json bound in
      (Moldable (moldable, executions places parts runs, claims certified), proof, certified = None) in
  check_ends instance scaled parts runs;
  { judged; about; says_optimal; proof; unknown = (proof <> None && unknown); makespan; bound }
