(* SPDX-License-Identifier: Apache-2.0 *)
(* What moldable and rigid tasks, their data and schedules are in ticks (docs/formats.md). Trusted, as instance_file.ml
   is. *)

open Json
open Instance_file

let ceiling q = Z.cdiv q.Q.num q.Q.den

(* I2: in ticks a law is the least table at or above it that never increases and whose area never decreases. Once there
   are as many processors as ticks, or only the part that nobody shares is left, it stays as it is. *)
let law_table unit_ (work, alpha) speed count =
  let ticks = Q.mul (Q.div work speed) unit_ in
  let base = Q.mul alpha ticks in
  let rest = Q.sub ticks base in
  let least = ceiling base in
  let rec sizes q before found =
    let own = ceiling (Q.add base (Q.div rest (Q.of_int q))) in
    let value = match before with
      | None -> own
      | Some before -> Z.max own (Z.cdiv (Z.mul (Z.of_int (q - 1)) before) (Z.of_int q)) in
    let found = Some value :: found in
    if Z.geq (Z.of_int q) count || Z.leq value (Z.max (Z.of_int q) least) then List.rev found
    else if q >= most_tasks then raise (Limit "a law on too many processors for this checker")
    else sizes (q + 1) (Some value) found in
  { Kernel.by_size = sizes 1 None []; largest = count }

let no_table = { Kernel.by_size = []; largest = Z.zero }

let rec first n = function x :: rest when n > 0 -> x :: first (n - 1) rest | _ -> []

let table places raw speed count =
  let of_list times =
    let times = first (Z.to_int count) (List.map (Option.map (in_ticks places)) times) in
    if List.for_all (fun time -> time = None) times then no_table
    else { Kernel.by_size = times; largest = Z.of_int (List.length times) } in
  if Z.sign count = 0 then no_table
  else match raw with
    | Never -> no_table
    | Time q -> of_list [ Some q ]
    | Table times -> of_list times
    | Law (work, alpha) -> law_table (Q.of_bigint (Z.pow ten places)) (work, alpha) speed count

(* Work counts with the largest area; on a type without processors a table with its longest time. *)
let largest_area places kind tables =
  let area raw { Kernel.by_size; largest } =
    if by_size = [] then begin
      let most = ref Z.zero in
      see_times (fun q -> most := Z.max !most (in_ticks places q)) raw;
      !most
    end else begin
      let sized = List.mapi (fun i time -> Z.mul (Z.of_int (i + 1)) (Option.value time ~default:Z.zero)) by_size in
      let last = Option.value (List.nth by_size (List.length by_size - 1)) ~default:Z.zero in
      List.fold_left Z.max (Z.mul largest last) sized
    end in
  List.fold_left Z.max Z.zero (List.map2 area (Array.to_list kind.raw) tables)

(* S3: what the data of an edge take, in parts of a tick such that all is whole. *)
let by_network places links data (latency, inter, inter_bandwidth) =
  let ticks q = Q.mul q (Q.of_bigint (Z.pow ten places)) in
  let through = function None -> Q.zero | Some bandwidth -> ticks (Q.div data bandwidth) in
  let share = List.map through links.bandwidths and between = through inter_bandwidth in
  let latency = ticks latency and inter = ticks inter in
  let grain = List.fold_left (fun grain q -> Z.lcm grain q.Q.den) Z.one (latency :: inter :: between :: share) in
  let whole q = (Q.mul q (Q.of_bigint grain)).Q.num in
  let types = List.mapi (fun t _ -> t) links.bandwidths in
  let latencies = List.map (fun t -> List.map (fun u -> whole (if t = u then latency else inter)) types) types in
  Kernel.ByNetwork { Kernel.grain; latencies; share = List.map whole share; between = whole between }

let instance places kinds edges busy platform links moved given =
  let priced = moved <> None || List.exists (fun edge -> edge.costs <> []) edges in
  if priced && links.network <> None then fail "a cost or a transfer beside a network";
  let counts = List.map (fun type_ -> type_.Kernel.count) platform in
  let check_raw count = function
    | Table times ->
      let some = List.filter_map Fun.id times in
      if List.length some > 1 && List.exists (fun q -> Q.sign q = 0) some then fail "a time of 0 in a table";
      if given && List.length some = List.length times && Z.gt (Z.of_int (List.length times)) (Z.max Z.one count) then
        fail "more times than processors"
    | _ -> () in
  Array.iter (fun kind -> List.iter2 check_raw counts (Array.to_list kind.raw)) kinds;
  let tables kind = List.map2 (fun raw (speed, count) -> table places raw speed count) (Array.to_list kind.raw)
      (List.combine links.speeds counts) in
  let made = Array.map tables kinds in
  let work = Hashtbl.create 64 in
  Array.iteri (fun i kind -> Hashtbl.add work kind.first (largest_area places kind made.(i))) kinds;
  check_work places kinds edges busy (fun kind -> Hashtbl.find work kind.first);
  let of_first = Hashtbl.create 64 in
  Array.iteri (fun i kind -> Hashtbl.add of_first kind.first made.(i)) kinds;
  let task kind = { Kernel.tables = Hashtbl.find of_first kind.first; released_at = in_ticks places kind.release } in
  let moves edge = match edge.data, links.network with
    | _ when priced -> Kernel.ByTypes (List.map (List.map (in_ticks places)) edge.costs)
    | Some data, Some network -> by_network places links data network
    | _ -> Kernel.ByTypes [] in
  let link edge = { Kernel.source_of = Z.of_int edge.tail; target_of = Z.of_int edge.head; moved = moves edge } in
  { Kernel.of_types = platform; all_tasks = all_tasks kinds task; dependences = List.map link edges }

let read text counted = read_with instance text counted

(* Sets of processors: ranges that rise, without a common processor. *)
let ranges json =
  let range = function
    | Array [ a; b ] -> (as_whole "a processor" a, as_whole "a processor" b)
    | _ -> fail "processors: expected pairs" in
  let list = List.map range (as_array "processors" json) in
  if list = [] then fail "processors: expected at least one range";
  let rec joined = function
    | (a, b) :: (c, d) :: rest when Z.equal (Z.succ b) c && Z.leq c d -> joined ((a, d) :: rest)
    | (a, b) :: ((c, _) :: _ as rest) ->
      if Z.lt b a || Z.leq c b then Classes.refuse "processors that are not disjoint and ascending";
      (a, b) :: joined rest
    | [ (a, b) ] -> if Z.lt b a then Classes.refuse "processors that are not ascending"; [ (a, b) ]
    | [] -> [] in
  joined list
