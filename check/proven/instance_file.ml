(* SPDX-License-Identifier: Apache-2.0 *)
(* Instances in JSON (docs/formats.md), as the kernel takes them. Trusted: what is wrong here is a statement about
   another instance. What moldable tasks have in ticks is in moldable_file.ml. *)

open Json

exception Not_judged of string
exception Limit of string

let not_judged format = Printf.ksprintf (fun text -> raise (Not_judged text)) format

let most_tasks = 2_000_000

(* What a task takes on a type: nothing, a time, times by the number of processors, or a law: work and alpha. *)
type raw = Never | Time of Q.t | Table of Q.t option list | Law of Q.t * Q.t

type kind = { id : string; copies : int; first : int; raw : raw array; release : Q.t; after : string list }

type edge = { tail : int; head : int; costs : Q.t list list; data : Q.t option }

(* Speeds and bandwidths of the types; latency, and latency and bandwidth between types. *)
type links = { speeds : Q.t list; bandwidths : Q.t option list; network : (Q.t * Q.t * Q.t option) option }

type t = {
  kernel : Kernel.instance;   (* of moldable tasks the platform alone *)
  moldable : Kernel.moldable_instance option;
  plan : Kernel.plan option;  (* where something is given; read in plan_file.ml *)
  ranks : Z.t list;
  places : int;               (* decimal places of a tick *)
  unit_ : string;
  types : string array;
  kinds : kind array;
  number : string -> int option;   (* of a task, by its name *)
  size : int;                 (* number of tasks *)
}

(* Types *)

let refuse_members json names =
  List.iter (fun name -> match member name json with
      | None | Some Null -> ()
      | Some _ -> not_judged "\"%s\" is not in the definition that is proven" name) names

(* Other members may mean something to other readers. *)
let allow_members json names =
  match json with
  | Object members -> List.iter (fun (name, _) ->
      if not (List.mem name names) then not_judged "a member that this reader does not know") members
  | _ -> ()

let type_of_platform json =
  allow_members json [ "type"; "count"; "speed"; "bandwidth"; "busy"; "names"; "without" ];
  let name = as_string "type" (need "type" json) in
  let count = match need "count" json with
    | Null -> None
    | value ->
      let count = as_whole "count" value in
      if Z.sign count < 0 || Z.geq count (Z.shift_left Z.one 31) then fail "count: out of range";
      Some count in
  (name, count)

(* I4: until when the processors of a type are busy, and when a task is released. *)
let waiting what value =
  let q = as_number what value in
  if Q.sign q < 0 then failf "%s: below 0" what;
  q

let busy json = match member "platform" json with
  | None -> []
  | Some list -> List.map (fun type_ -> match member "busy" type_ with
      | None -> []
      | Some list -> List.map (waiting "busy") (as_array "busy" list)) (as_array "platform" list)

(* Numbers of more than 18 digits, or more than 18 decimal places, are rounded by other readers. *)
let exact what q =
  if String.length (Z.to_string q.Q.num) > 18 || Z.gt q.Q.den (Z.pow (Z.of_int 10) 18) then
    not_judged "%s of more than 18 digits" what;
  q

let above_zero what json =
  let q = exact what (as_number what json) in
  if Q.sign q <= 0 then failf "%s: expected above 0" what;
  q

let speed type_ = match member "speed" type_ with None -> Q.one | Some value -> above_zero "speed" value

let bandwidth name json = match member name json with
  | None | Some Null -> None
  | Some value -> Some (above_zero name value)

let network json = match member "network" json with
  | None -> None
  | Some (Object _ as network) ->
    allow_members network [ "latency"; "inter_latency"; "inter_bandwidth" ];
    let latency = match member "latency" network with None -> Q.zero | Some value -> waiting "latency" value in
    let inter = match member "inter_latency" network with
      | None | Some Null -> latency
      | Some value -> waiting "inter_latency" value in
    Some (latency, inter, bandwidth "inter_bandwidth" network)
  | Some _ -> fail "network: expected an object"

let links json names =
  let given = match member "platform" json with None -> [] | Some list -> as_array "platform" list in
  let of_type name = List.find_opt (fun type_ -> member "type" type_ = Some (String name)) given in
  { speeds = List.map (fun name -> Option.fold ~none:Q.one ~some:speed (of_type name)) names;
    bandwidths = List.map (fun name -> Option.bind (of_type name) (bandwidth "bandwidth")) names;
    network = network json }

let release json = match member "release" json with
  | None | Some Null -> Q.zero
  | Some value -> waiting "release" value

let platform json = match member "platform" json with
  | None -> []
  | Some list ->
    let types = List.map type_of_platform (as_array "platform" list) in
    if types = [] then fail "platform: expected types";
    distinct (List.map (fun (name, _) -> (name, Null)) types);
    types

(* Tasks *)

let no_times =
  [ "id"; "task"; "name"; "index"; "count"; "after"; "times"; "work"; "alpha"; "release"; "size"; "cores" ]

let law json =
  allow_members json [ "work"; "alpha"; "id"; "count"; "after"; "release"; "size"; "cores" ];
  let work = above_zero "work" (need "work" json) in
  let alpha = match member "alpha" json with None -> Q.zero | Some value -> exact "alpha" (as_number "alpha" value) in
  if Q.sign alpha < 0 || Q.gt alpha Q.one then fail "alpha: expected 0 to 1";
  Law (work, alpha)

let plain = function
  | Number q -> if Q.sign q < 0 then fail "a time below 0" else q
  | _ -> fail "a time: expected a number or null"

let time = function
  | Null -> Never
  | Array list ->
    let times = List.map (function Null -> None | value -> Some (plain value)) list in
    if List.for_all (fun time -> time = None) times then fail "an empty table of times";
    Table times
  | Object _ as json -> law json
  | value -> Time (plain value)

(* Of a task of one size: a table with that size alone. *)
let sized json raw =
  let size = match member "size" json, member "cores" json with
    | Some size, _ | None, Some size -> Z.to_int (as_whole "size" size)
    | None, None -> 1 in
  if size < 1 then fail "size: expected at least 1";
  if size > most_tasks then raise (Limit "a size of more processors than this checker takes");
  let of_size = function
    | Never -> Never
    | Time q when size = 1 -> Time q
    | Time q -> Table (List.init size (fun i -> if i = size - 1 then Some q else None))
    | _ -> fail "a size beside a table or a law" in
  if member "size" json = None && member "cores" json = None then raw else List.map of_size raw

(* A task's times in the order of the types, which the first task may name. *)
let times_of json types known index =
  match member "times" json with
  | None when member "work" json <> None ->
    if !types = [] then types := [ ("cpu", None) ];
    let law = law json in
    (List.map (fun _ -> law) !types, false)
  | Some (Array list) ->
    if !types = [] then fail "times before a platform: expected it first, or times by name";
    if List.length list <> List.length !types then fail "times: expected one for each type";
    (List.map time list, false)
  | other ->
    let named = match other, json with
      | Some (Object members), _ -> members
      | None, Object members -> List.filter (fun (name, _) -> not (List.mem name no_times)) members
      | _ -> fail "times: expected an array or an object" in
    if not known && index = 0 then
      List.iter (fun (name, _) ->
          if not (List.mem_assoc name !types) then types := !types @ [ (name, None) ]) named;
    if other <> None && List.exists (fun (name, _) -> not (List.mem_assoc name !types)) named then
      fail "times of a type that the platform does not have";
    (List.map (fun (name, _) -> match List.assoc_opt name named with Some v -> time v | None -> Never) !types, true)

let name_of json named index =
  let given = List.find_map (fun word -> match member word json with
      | Some Null | None -> None
      | Some value -> Some value) [ "id"; "task"; "name"; "index" ] in
  match given with
  | Some (String "") -> fail "a task's id: expected a string"
  | Some (String text) -> text
  | Some (Number q) when named && Z.equal q.Q.den Z.one -> Z.to_string q.Q.num
  | None when named -> Printf.sprintf "t%d" index
  | _ -> fail "a task's id: expected a string"

let known_members = [ "id"; "count"; "times"; "work"; "alpha"; "after"; "release"; "size"; "cores" ]

let after_of json = match member "after" json with
  | None -> []
  | Some (String text) -> [ text ]
  | Some list -> List.map (as_string "after") (as_array "after" list)

let tasks json types known =
  let first = ref 0 in
  List.mapi (fun index task ->
      (match task with Object _ -> () | _ -> fail "tasks: expected a task");
      allow_members task known_members;
      if member "work" task <> None && member "times" task <> None then fail "work beside times";
      let raw, named = times_of task types known index in
      let count = match member "count" task with
        | None -> Z.one
        | Some value -> as_whole "count" value in
      if Z.sign count <= 0 then fail "count: expected at least 1";
      if Z.gt count (Z.of_int most_tasks) || !first + Z.to_int count > most_tasks then
        raise (Limit "more tasks than this checker takes");
      let kind = { id = name_of task named index; copies = Z.to_int count; first = !first;
                   raw = Array.of_list (sized task raw); release = release task; after = after_of task } in
      first := !first + kind.copies;
      kind) json

(* Names: a kind of several stands for id#0, id#1, ... *)
let names_of kinds =
  let found = Hashtbl.create 1024 in
  let add name task =
    if Hashtbl.mem found name then fail "a task's id stands twice";
    Hashtbl.add found name task in
  Array.iter (fun kind ->
      if kind.copies = 1 then add kind.id (Some kind.first)
      else begin
        add kind.id None;
        for i = 0 to kind.copies - 1 do add (Printf.sprintf "%s#%d" kind.id i) (Some (kind.first + i)) done
      end) kinds;
  fun name -> Option.join (Hashtbl.find_opt found name)

(* Edges, in the order of the file, with costs in the file's unit. *)

let square types what json =
  let size = List.length types in
  let rows = as_array what json in
  if List.length rows <> size then fail "expected a row for each type";
  List.map (fun row ->
      let row = List.map (as_number what) (as_array what row) in
      if List.length row <> size then fail "expected a column for each type";
      List.iter (fun q -> if Q.sign q < 0 then fail "a cost below 0") row;
      row) rows

let transfer types json = match member "transfer" json with
  | None | Some Null -> None
  | Some (Object _ as table) ->
    let of_name name = match member name table with
      | None | Some Null -> List.map (fun _ -> List.map (fun _ -> Q.zero) types) types
      | Some rows -> square types name rows in
    Some (of_name "latency", of_name "per_unit")
  | Some _ -> fail "transfer: expected an object"

let constant types q =
  if Q.sign q < 0 then fail "a cost below 0";
  List.map (fun _ -> List.map (fun _ -> q) types) types

(* Costs by types, and data: these become costs where a table says how long they take. *)
let costs_of types moved json =
  let given name = match member name json with Some Null -> None | other -> other in
  match given "cost", given "costs", given "data" with
  | None, None, None -> ([], None)
  | Some cost, None, None -> (constant types (as_number "cost" cost), None)
  | None, Some rows, None -> (square types "costs" rows, None)
  | None, None, Some data ->
    let data = as_number "data" data in
    if Q.sign data < 0 then fail "data below 0";
    let data = exact "data" data in
    (match moved with
     | None -> ([], Some data)
     | Some (latency, per_unit) ->
       (List.map2 (List.map2 (fun l p -> Q.add l (Q.mul data p))) latency per_unit, Some data))
  | _ -> fail "an edge: expected one of cost, costs and data"

let edge types moved task json = match json with
  | Array [ u; v ] | Array [ u; v; Null ] -> { tail = task u; head = task v; costs = []; data = None }
  | Array [ u; v; cost ] ->
    { tail = task u; head = task v; costs = constant types (as_number "cost" cost); data = None }
  | Object _ ->
    allow_members json [ "from"; "to"; "cost"; "costs"; "data" ];
    let costs, data = costs_of types moved json in
    { tail = task (need "from" json); head = task (need "to" json); costs; data }
  | _ -> fail "an edge: expected two tasks and perhaps a cost"

let nothing = [ ""; "nan"; "na"; "n/a"; "null"; "none"; "-" ]

(* The tasks that `after` names: ids between semicolons; what is no id is a list with commas, bars or blanks. *)
let predecessors number words =
  let is_nothing word = List.mem (String.lowercase_ascii word) nothing in
  let known word = match number word with
    | Some task -> [ task ]
    | None -> if is_nothing word then [] else fail "after: an unknown task" in
  let blank = function ',' | '|' | ' ' | '\t' | '\n' | '\r' -> ' ' | c -> c in
  List.concat_map (fun text ->
      List.concat_map (fun word ->
          let word = String.trim word in
          if number word <> None || is_nothing word then known word
          else List.concat_map (fun part -> if part = "" then [] else known part)
              (String.split_on_char ' ' (String.map blank word)))
        (String.split_on_char ';' text)) words

let edges json types number kinds moved =
  let task value = match number (as_string "an edge" value) with
    | Some task -> task
    | None -> fail "an edge names an unknown task" in
  let listed = match member "edges" json with
    | None -> []
    | Some list -> List.map (edge types moved task) (as_array "edges" list) in
  let total = ref 0 in
  let waiting = List.concat_map (fun kind ->
      List.concat_map (fun u ->
          total := !total + kind.copies;
          if !total > most_tasks then raise (Limit "more edges than this checker takes");
          List.init kind.copies (fun i -> { tail = u; head = kind.first + i; costs = []; data = None }))
        (predecessors number kind.after)) (Array.to_list kinds) in
  let rec order = function
    | ("edges", _) :: _ -> true
    | ("tasks", _) :: _ -> false
    | _ :: rest -> order rest
    | [] -> false in
  let edges_first = match json with Object members -> order members | _ -> false in
  if edges_first then listed @ waiting else waiting @ listed

(* Ranks that rise along edges: the longest path of edges before a task. *)
let ranks_of size edges =
  let behind = Array.make size [] and left = Array.make size 0 and rank = Array.make size 0 in
  let seen = Hashtbl.create 1024 in
  List.iter (fun { tail = u; head = v; _ } ->
      if u = v then fail "an edge from a task to itself";
      if Hashtbl.mem seen (u, v) then fail "an edge stands twice";
      Hashtbl.add seen (u, v) ();
      behind.(u) <- v :: behind.(u);
      left.(v) <- left.(v) + 1) edges;
  let queue = Queue.create () in
  Array.iteri (fun j n -> if n = 0 then Queue.add j queue) left;
  let passed = ref 0 in
  while not (Queue.is_empty queue) do
    let u = Queue.take queue in
    incr passed;
    List.iter (fun v ->
        rank.(v) <- max rank.(v) (rank.(u) + 1);
        left.(v) <- left.(v) - 1;
        if left.(v) = 0 then Queue.add v queue) behind.(u)
  done;
  if !passed <> size then fail "the edges have a cycle";
  Array.to_list (Array.map Z.of_int rank)

(* Ticks *)

let ten = Z.of_int 10

(* Decimal places of a fraction; 99 where it is no decimal number of at most 18. *)
let places_of q =
  let rec go places power = if places > 18 then 99
    else if Z.divisible power q.Q.den then places else go (places + 1) (Z.mul power ten) in
  go 0 Z.one

let in_ticks places q =
  let scaled = Q.mul q (Q.of_bigint (Z.pow ten places)) in
  if Z.equal scaled.Q.den Z.one then scaled.Q.num else not_judged "times that are rounded to ticks"

let is_law = function Law _ -> true | _ -> false
let is_moldable = function Table _ | Law _ -> true | _ -> false
let any_raw test kinds = Array.exists (fun kind -> Array.exists test kind.raw) kinds

let see_times see = function
  | Never | Law _ -> ()
  | Time q -> see q
  | Table times -> List.iter (Option.iter see) times

(* I6: times that are given of tasks. *)
let fixed json = match member "fixed" json with None -> [] | Some list -> as_array "fixed" list

let fixed_times json =
  List.concat_map (fun entry -> List.filter_map (fun name -> Option.map (waiting name) (member name entry)) [ "start"; "end" ])
    (fixed json)

let find_places json kinds edges busy =
  match member "tick" json with
  | Some value ->
    let tick = as_number "tick" value in
    let places = places_of tick in
    if places > 18 || not (Q.equal (Q.mul tick (Q.of_bigint (Z.pow ten places))) Q.one) then
      fail "tick: expected a power of ten up to 1";
    places
  | None when any_raw is_law kinds -> 6
  | None ->
    let claim = match member "claim" json with
      | Some (Object _ as claim) ->
        List.map (fun name -> match member name claim with Some v -> as_number name v | None -> Q.zero)
          [ "optimum"; "makespan" ]
      | Some _ -> fail "claim: expected an object"
      | None -> [] in
    let most = ref 0 in
    let see q = most := max !most (places_of q) in
    Array.iter (fun kind -> Array.iter (see_times see) kind.raw; see kind.release) kinds;
    List.iter (List.iter see) busy;
    List.iter (fun edge -> List.iter (List.iter see) edge.costs) edges;
    List.iter see claim;
    if !most > 9 then not_judged "times of more than nine decimal places";
    !most

(* All work, with the latest release or end of a busy time, is at most 2^62 ticks. *)
let check_work places kinds edges busy work_of =
  let longest list = List.fold_left Z.max Z.zero (List.map (in_ticks places) list) in
  let total = Array.fold_left (fun sum kind -> Z.add sum (Z.mul (Z.of_int kind.copies) (work_of kind))) Z.zero kinds in
  let total = List.fold_left (fun sum edge -> Z.add sum (longest (List.concat edge.costs))) total edges in
  let waits = List.concat busy @ List.map (fun kind -> kind.release) (Array.to_list kinds) in
  let total = Z.add total (longest waits) in
  if Z.gt total (Z.shift_left Z.one 62) then fail "more than 2^62 ticks of work"

(* Of a sequential task: its longest time. *)
let longest_of places kind =
  Array.fold_left (fun most raw -> match raw with Time q -> Z.max most (in_ticks places q) | _ -> most) Z.zero kind.raw

let refuse_other_problems json =
  allow_members json [ "format"; "version"; "name"; "time_unit"; "platform"; "tasks"; "tick"; "network"; "transfer";
                       "edges"; "claim"; "mixed_sets"; "starpu"; "workflow"; "fixed" ];
  (match member "mixed_sets" json with
   | None | Some (Bool false) -> ()
   | Some (Bool true) -> not_judged "mixed sets are not in the definition that is proven"
   | Some _ -> fail "mixed_sets: expected true or false");
  if member "workflow" json <> None then not_judged "a workflow; `duet convert` makes a duet-instance of it"

let check_format json =
  (match member "format" json with
   | None | Some (String "duet-instance") -> ()
   | _ -> fail "expected the format \"duet-instance\"");
  match member "version" json with
  | None -> ()
  | Some (Number q) when Q.equal q Q.one -> ()
  | _ -> fail "expected version 1"

(* Names of types and the kinds of tasks, which may name the types. *)
let types_and_kinds json =
  let types = ref (platform json) in
  let rec platform_first = function
    | ("platform", _) :: _ -> true
    | ("tasks", _) :: _ | [] -> false
    | _ :: rest -> platform_first rest in
  let known = match json with Object members -> platform_first members | _ -> false in
  let kinds = Array.of_list (tasks (as_array "tasks" (need "tasks" json)) types known) in
  Array.iter (fun kind -> if Array.for_all (fun t -> t = Never) kind.raw then fail "a task has nowhere to run") kinds;
  (!types, kinds)

(* [counted] has counts of processors of the solution, where the instance has none. *)
let counts_of types counted busy =
  let count (name, count) = match count, List.assoc_opt name counted with
    | Some count, _ | None, Some (Some count) -> count
    | None, _ -> fail "the number of processors is nowhere given" in
  let counts = List.map count types in
  if List.for_all (fun c -> Z.sign c = 0) counts then fail "the platform has no processors";
  List.iter2 (fun count busy ->
      if Z.lt count (Z.of_int (List.length busy)) then fail "more busy processors than there are") counts busy;
  counts

(* Of each kind what [of_kind] makes of it, once for each task. *)
let all_tasks kinds of_kind =
  List.concat_map (fun kind -> let task = of_kind kind in List.init kind.copies (fun _ -> task)) (Array.to_list kinds)

let sequential places kinds edges waits platform =
  check_work places kinds edges waits (longest_of places);
  let ticks = in_ticks places in
  let time = function Time q -> Some (ticks q) | _ -> None in
  let task kind = { Kernel.times = List.map time (Array.to_list kind.raw); release = ticks kind.release } in
  let edge { tail; head; costs; _ } =
    { Kernel.source = Z.of_int tail; target = Z.of_int head; costs = List.map (List.map ticks) costs } in
  { Kernel.platform; tasks = all_tasks kinds task; edges = List.map edge edges }

(* [moldable] makes an instance of moldable tasks. *)
let read_with moldable text counted =
  let json = match Json.parse text with Array _ as list -> Object [ ("tasks", list) ] | json -> json in
  check_format json;
  refuse_other_problems json;
  let types, kinds = types_and_kinds json in
  let names = List.map fst types in
  let size = Array.fold_left (fun sum kind -> sum + kind.copies) 0 kinds in
  let number = names_of kinds in
  let moved = transfer types json in
  let edges = edges json types number kinds moved in
  let busy = match busy json with [] -> List.map (fun _ -> []) types | busy -> busy in
  let links = links json names in
  let waits = fixed_times json :: busy in
  let places = find_places json kinds edges waits in
  let counts = counts_of types counted busy in
  let platform = List.map2 (fun count busy -> { Kernel.count; busy = List.map (in_ticks places) busy }) counts busy in
  let is_moldable = any_raw is_moldable kinds || links.network <> None in
  let given = List.for_all (fun (_, count) -> count <> None) types in
  if not is_moldable && moved = None && List.exists (fun edge -> edge.data <> None) edges then
    fail "an edge with data, and no word how long they take";
  let nothing = { Kernel.platform; tasks = []; edges = [] } in
  { kernel = if is_moldable then nothing else sequential places kinds edges waits platform; plan = None;
    moldable = if is_moldable then Some (moldable places kinds edges busy platform links moved given) else None;
    ranks = ranks_of size edges; places;
    unit_ = (match member "time_unit" json with None -> "" | Some v -> as_string "time_unit" v);
    types = Array.of_list names; kinds; number; size }
