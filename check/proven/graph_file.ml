(* SPDX-License-Identifier: Apache-2.0 *)
(* Proofs about task graphs (docs/formats.md): text to lines. Whatever is read here is checked by the kernel; lines that
   it does not know are not judged. *)

open Instance_file
open Classes
open Proof_text

let task s instance = index s instance.size "task"

let type_number s instance = index s (Array.length instance.types) "type"

let type_ s instance =
  if Array.length instance.types <> 2 then type_number s instance
  else match word s with
    | "cpu" -> Z.zero
    | "gpu" -> Z.one
    | _ -> refuse "the proof: expected cpu or gpu"

let tasks s instance =
  let n = number s in
  if Z.gt n (Z.of_int (List.length s.words)) then refuse "the proof: fewer words than expected";
  List.init (Z.to_int n) (fun _ -> task s instance)

let weights s instance = numbers s (Array.length instance.types)

(* "n i p i p ...": numbers with multipliers. In a state that is refuted they may be any. *)
let multipliers s size =
  let n = number s in
  if Z.gt n (Z.of_int (List.length s.words)) then refuse "the proof: fewer words than expected";
  List.init (Z.to_int n) (fun _ ->
      let i = index s size "task or edge" in
      (i, number s))

let several s read =
  let n = number s in
  if Z.gt n (Z.of_int (List.length s.words)) then refuse "the proof: fewer words than expected";
  List.init (Z.to_int n) (fun _ -> read ())

(* "R  u v g h n  j t c ...": rows between two tasks. The number of tasks is the beginning, or the end. *)
let mix s instance =
  let outer () =
    let j = index s (instance.size + 1) "task" in
    if Z.equal j (Z.of_int instance.size) then None else Some j in
  several s (fun () ->
      let x_from = outer () in
      let x_to = outer () in
      let x_price = number s in
      let x_length = number s in
      let x_mixed = several s (fun () ->
          let m_task = task s instance in
          let m_type = type_number s instance in
          { Kernel.m_task; m_type; m_more = number s }) in
      { Kernel.x_from; x_to; x_price; x_length; x_mixed })

let cross s instance =
  several s (fun () ->
      let c_edge = index s (List.length instance.kernel.Kernel.edges) "edge" in
      let c_type = type_number s instance in
      let c_cost = number s in
      { Kernel.c_edge; c_type; c_cost; c_price = number s })

(* What may stand behind the rest of a line. *)
let rec rows_of s instance ~crosses =
  if s.words = [] then ([], [])
  else match word s with
    | "mix" ->
      let some = mix s instance in
      let mixes, crossings = rows_of s instance ~crosses in
      (some @ mixes, crossings)
    | "cross" when crosses ->
      let some = cross s instance in
      let mixes, crossings = rows_of s instance ~crosses in
      (mixes, some @ crossings)
    | _ -> refuse "the proof: expected mix or cross"

(* A claim about a task, with its type read in one way or the other. *)
let claim s instance type_ word =
  let j = task s instance in
  match word with
  | "on" -> Some (j, Kernel.On (type_ s instance))
  | "off" -> Some (j, Kernel.Off (type_ s instance))
  | "start-by" -> Some (j, Kernel.StartBy (number s))
  | "start-after" -> Some (j, Kernel.StartAfter (number s))
  | "end-by" -> Some (j, Kernel.EndBy (number s))
  | "end-after" -> Some (j, Kernel.EndAfter (number s))
  | _ -> None

(* What a search learned *)

(* A processor of a type: of as many as there are, and as there are tasks. *)
let processor s instance =
  let t = type_number s instance in
  let count = (List.nth instance.kernel.Kernel.platform (Z.to_int t)).Kernel.count in
  let q = number s in
  if Z.geq q (Z.min count (Z.of_int instance.size)) then refuse "the proof: no such processor";
  (t, q)

let edge s instance = index s (List.length instance.kernel.Kernel.edges) "edge"

let fact s instance = function
  | "order" ->
    let i = task s instance in
    let j = task s instance in
    if Z.equal i j then refuse "the proof: the order of a task and itself";
    Some (Kernel.Order (i, j))
  | "at" ->
    let j = task s instance in
    let t, q = processor s instance in
    Some (Kernel.At (j, t, q))
  | "same" -> Some (Kernel.Same (edge s instance))
  | _ -> None

let literal s instance =
  match word s with
  | "on" | "off" | "start-by" | "start-after" | "end-by" | "end-after" as word ->
    (match claim s instance type_number word with
     | Some (j, claim) -> Kernel.Claim (j, claim)
     | None -> refuse "the proof: expected a literal")
  | word ->
    let negated = String.length word > 4 && String.sub word 0 4 = "not-" in
    let name = if negated then String.sub word 4 (String.length word - 4) else word in
    match fact s instance name with
    | Some fact -> Kernel.Known (fact, not negated)
    | None -> refuse "the proof: expected a literal"

let rule s instance nogoods =
  match word s with
  | "task" -> Kernel.OfTask (task s instance)
  | "edge" -> Kernel.OfEdge (edge s instance)
  | "order" -> let i = task s instance in Kernel.OfOrder (i, task s instance)
  | "twin" -> Kernel.OfTwin (task s instance)
  | "forbidden" -> let t = type_number s instance in Kernel.Forbidden (t, tasks s instance)
  | "share" ->
    let i = task s instance in
    let j = task s instance in
    let t, q = processor s instance in
    Kernel.Share (i, j, t, q)
  | "same" -> Kernel.OfSame (edge s instance)
  | "number" ->
    let j = task s instance in
    let t, q = processor s instance in
    Kernel.Number (j, t, q)
  | "overload" ->
    let a = number s in
    let b = number s in
    Kernel.Overload (a, b, weights s instance)
  | "load" ->
    let a = number s in
    let b = number s in
    let t, q = processor s instance in
    Kernel.Load (a, b, t, q)
  | "nogood" -> Kernel.Nogood (index s nogoods "nogood")
  | _ -> refuse "the proof: expected a rule"

let step s instance nogoods =
  let rule = rule s instance nogoods in
  (rule, literal s instance)

let rec learned s instance nogoods found =
  match next_line s with
  | "fact" ->
    let rule, literal = step s instance nogoods in
    learned s instance nogoods (Kernel.Fact_item (rule, literal) :: found)
  | "nogood" ->
    let literals = several s (fun () -> literal s instance) in
    let steps = several s (fun () -> step s instance nogoods) in
    let last = rule s instance nogoods in
    learned s instance (nogoods + 1) (Kernel.Nogood_item (literals, steps, last) :: found)
  | "end" -> finish s; List.rev found
  | _ -> refuse "the proof: expected a fact, a nogood or an end"

(* The order by which processors are numbered; without one it is that of the tasks. *)
let sequence s instance =
  match tasks s instance with
  | [] -> List.init instance.size Z.of_int
  | tasks -> tasks

(* Chains *)

(* All tasks that edges lead to from a task, or that lead there. *)
let reach_of instance =
  let out = Array.make instance.size [] and into = Array.make instance.size [] in
  List.iter (fun { Kernel.source; target; _ } ->
      let u = Z.to_int source and v = Z.to_int target in
      out.(u) <- v :: out.(u);
      into.(v) <- u :: into.(v)) instance.kernel.Kernel.edges;
  let from next j =
    let seen = Array.make instance.size false in
    let rec visit x = List.iter (fun y -> if not seen.(y) then begin seen.(y) <- true; visit y end) next.(x) in
    visit j;
    seen in
  (out, from out, from into)

(* Which tasks start at each point or later, and which end by it. What a line says of them is judged in any state. *)
let points_of instance path =
  let out, behind, ahead = reach_of instance in
  let rec in_a_row = function
    | j :: (k :: _ as rest) -> (ahead k).(j) && in_a_row rest
    | _ -> true in
  if List.length (List.sort_uniq compare path) <> List.length path || not (in_a_row path) then
    refuse "chains: expected the tasks of a path in its order";
  let none = Array.make instance.size false and all = Array.make instance.size true in
  let with_ j seen = let copy = Array.copy seen in copy.(j) <- true; copy in
  let two j = let later = behind j and before = ahead j in [ (with_ j later, before); (later, with_ j before) ] in
  (out, Array.of_list (((all, none) :: List.concat_map two path) @ [ (none, all) ]))

let below_2_60 what z = if Z.geq z (Z.shift_left Z.one 60) then refuse (what ^ ": expected below 2^60")

let chains s instance =
  let type_ = type_number s instance in
  let path = tasks s instance in
  let out, points = points_of instance (List.map Z.to_int path) in
  let counts = List.map (fun t -> t.Kernel.count) instance.kernel.Kernel.platform in
  let rows = ref [] and supplies = ref [||] and sets = ref [||] in
  let two_points () =
    let a = index s (Array.length points) "point" in
    let b = index s (Array.length points) "point" in
    if Z.geq a b then refuse "chains: expected a point before another one";
    (a, b) in
  let add row supply =
    rows := row :: !rows;
    supplies := Array.append !supplies [| supply |] in
  let rec connected = function
    | j :: (k :: _ as rest) -> List.mem k out.(j) && connected rest
    | _ -> true in
  let path_row () =
    let a, b = two_points () in
    let row = tasks s instance in
    let numbers = List.map Z.to_int row in
    let after = fst points.(Z.to_int a) and by = snd points.(Z.to_int b) in
    if numbers = [] || not (connected numbers) || not after.(List.hd numbers)
       || not by.(List.nth numbers (List.length numbers - 1)) then refuse "chains: expected a path between the points";
    add (Kernel.Way (a, b, row)) Z.one in
  let work () =
    let a, b = two_points () in
    let prices = weights s instance in
    let supply = List.fold_left2 (fun sum w m -> Z.add sum (Z.mul w m)) Z.zero prices counts in
    below_2_60 "prices" supply;
    add (Kernel.Work (a, b, prices)) supply in
  let price opened =
    let chosen = several s (fun () ->
        let row = index s (Array.length !supplies) "row" in
        (row, number s)) in
    let counts = List.init opened (fun _ -> number s) in
    let of_row (row, y) = Z.mul y (Z.max Z.one !supplies.(Z.to_int row)) in
    below_2_60 "multipliers" (List.fold_left Z.add Z.zero (List.map of_row chosen @ counts));
    Kernel.ByPrices (chosen, counts) in
  let rec node opened = match next_line s with
    | "work" -> work (); node opened
    | "path" -> path_row (); node opened
    | "set" -> sets := Array.append !sets [| tasks s instance |]; node opened
    | "on" ->
      let j = task s instance in
      let off = node opened in
      let on = node opened in
      Kernel.ByTask (j, off, on)
    | "count" ->
      let set = !sets.(Z.to_int (index s (Array.length !sets) "set")) in
      let a = number s in
      below_2_60 "count" a;
      let few = node (opened + 1) in
      let many = node (opened + 1) in
      Kernel.ByCount (set, a, few, many)
    | "price" -> price opened
    | _ -> refuse "the proof: expected a line of chains" in
  let tree = node 0 in
  if next_line s <> "end" then refuse "chains: the tree is complete";
  Kernel.OfChains (type_, path, List.rev !rows, tree)

(* Prices over time. The kernel tries every cell that begins while a task may start or end. *)
let most_cells = Z.of_int 100_000

let timed s instance =
  let cell_width = number s in
  let cell_unit = number s in
  let prices = Hashtbl.create 64 in  (* of a cell that stands twice the last one counts *)
  ignore (several s (fun () ->
      let t = type_number s instance in
      let k = number s in
      Hashtbl.replace prices (t, k) (number s)));
  let type_cells = Hashtbl.fold (fun (t, k) price found -> (t, (k, price)) :: found) prices [] in
  let edge_cells = List.concat (several s (fun () ->
      let e = edge s instance in
      several s (fun () ->
          let k = number s in
          (e, (k, number s))))) in
  let timed_rows, _ = rows_of s instance ~crosses:false in
  if Z.sign cell_width > 0 && Z.gt (Z.div s.bound cell_width) most_cells then not_judged "prices in too many cells";
  { Kernel.cell_width; cell_unit; type_cells; edge_cells; timed_rows }

(* Another graph that lines are about. Its kinds, which only certificates and trees need, are not made. *)
let about instance kernel =
  { instance with kernel; size = List.length kernel.Kernel.tasks;
                  types = Array.make (List.length kernel.Kernel.platform) "" }

(* Some tasks as an instance of their own, where they have numbers that rise. *)
let part_of instance before members =
  let rec rising = function
    | (i, _) :: ((j, _) :: _ as rest) -> Z.lt i j && rising rest
    | _ -> true in
  if not (rising members) then refuse "a part: expected numbers that rise";
  about instance (Kernel.part_of instance.kernel (Kernel.grouped (fun e -> e.Kernel.source) instance.kernel.Kernel.edges)
                    before members)

(* The lines up to the next [end] that closes nothing among them. *)
let rec lines s instance ~part found =
  let next line = lines s instance ~part (line :: found) in
  match next_line s with
  | "end" -> finish s; List.rev found
  | "heads" -> next (Kernel.Heads (tasks s instance))
  | "tails" -> next (Kernel.Tails (tasks s instance))
  | "path" -> next Kernel.Path
  | "ancestors" | "descendants" as word ->
    let j = task s instance in
    let a = number s in
    let b = number s in
    let weights = weights s instance in
    next (if word = "ancestors" then Kernel.Ancestors (j, a, b, weights) else Kernel.Descendants (j, a, b, weights))
  | "energy" ->
    let a = number s in
    let b = number s in
    next (Kernel.Energy (a, b, weights s instance))
  | "lp" ->
    let edges = multipliers s (List.length instance.kernel.Kernel.edges) in
    let starts = multipliers s instance.size in
    let tails = multipliers s instance.size in
    let n = number s in
    if Z.gt n (Z.of_int (List.length s.words)) then refuse "the proof: fewer words than expected";
    let intervals = List.init (Z.to_int n) (fun _ ->
        let from_ = number s in
        let back = number s in
        { Kernel.from_; back; interval_prices = weights s instance }) in
    let mixes, crossings = rows_of s instance ~crosses:true in
    next (Kernel.Lp (edges, starts, tails, intervals, mixes, crossings))
  | "suppose" ->
    (match claim s instance type_ (word s) with
     | None -> refuse "suppose: expected a claim about a task"
     | Some (j, claim) ->
       let inner = lines s instance ~part [] in
       next (Kernel.Suppose (j, claim, inner)))
  | "gather" | "scatter" as word ->
    let j = task s instance in
    let y = number s in
    next (if word = "gather" then Kernel.Gather (j, y) else Kernel.Scatter (j, y))
  | "chains" -> next (chains s instance)
  | "learn" ->
    let sequence = sequence s instance in
    next (Kernel.Learn (sequence, learned s instance 0 []))
  | "shift" -> next (Kernel.Shift (tasks s instance))
  | "twins" -> next (Kernel.TwinsAre (tasks s instance))
  | "before" | "behind" as word ->
    if part then refuse "a part in a part";
    let j = task s instance in
    let y = number s in
    let members = multipliers s instance.size in
    finish s;
    let inner = part_of instance (word = "before") members in
    next (Kernel.PartOf (word = "before", j, y, members, lines s inner ~part:true []))
  | "timed" -> next (Kernel.OverTime (timed s instance))
  | "ideals" -> not_judged "a dynamic program over ideals"
  | _ -> refuse "the proof: expected a line"

(* "n e", and the lines up to the end of the proof; and an order of the tasks along the edges. *)
let read_lines s instance =
  let size = number s in
  let edges = number s in
  if Z.to_int size <> instance.size || Z.to_int edges <> List.length instance.kernel.Kernel.edges then
    refuse "the proof: another graph";
  let lines = lines s instance ~part:false [] in
  if s.at <> Array.length s.lines then refuse "the proof: more after the end";
  let ranked = List.mapi (fun j rank -> (rank, Z.of_int j)) instance.ranks in
  (List.map snd (List.stable_sort (fun (a, _) (b, _) -> Z.compare a b) ranked), lines)

let read s instance =
  let order, lines = read_lines s instance in
  Kernel.Graph (order, lines)

(* The same about the moved instance, whose last task, the source, comes first. *)
let read_moved s instance =
  let kinds = List.map (fun (t, f) -> (Z.of_int t, f)) (released_types instance) in
  let least = List.fold_left Z.min Z.zero instance.ranks in
  let order, lines = read_lines s { (about instance (Kernel.moved_instance instance.kernel kinds)) with
                                    ranks = instance.ranks @ [ Z.pred least ] } in
  Kernel.MovedGraph (kinds, order, lines)
