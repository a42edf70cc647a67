(* SPDX-License-Identifier: Apache-2.0 *)
(* Proofs by a tree of cases (docs/formats.md): text to vectors and nodes. Whatever is read here is checked by the
   kernel. Those of task graphs are read in graph_file.ml. *)

open Instance_file
open Classes
open Proof_text

(* What a tree is about: the types and classes that its lines count. Of the tree below a node [alone] the kernel finds
   the classes. *)
type level = {
  types : int;
  classes : Z.t option list list option;
  mutable vectors : Kernel.vector_file list;  (* the last one first *)
  mutable count : int;
  mutable counts : int;                       (* nodes [count] that are open *)
}

let type_ s level =
  if level.types = 2 then match word s with
    | "cpu" -> Z.zero
    | "gpu" -> Z.one
    | _ -> refuse "the proof: expected cpu or gpu"
  else index s level.types "type"

(* The word [more] at the end of a line. *)
let more s = s.words = [ "more" ] && (s.words <- []; true)

(* Vectors *)

let add level vector =
  level.vectors <- vector :: level.vectors;
  level.count <- level.count + 1

let area_vector s level =
  let weights = numbers s level.types in
  List.iter (small "weights") weights;
  if List.for_all (Z.equal Z.zero) weights then refuse "weights: expected one above 0";
  add level (Kernel.Area_of weights)

let mode s = match word s with
  | "set" -> Kernel.OfSets
  | "area" -> Kernel.OfTimes
  | "listed" -> Kernel.OfList
  | "here" -> Kernel.OfState
  | _ -> refuse "the proof: expected set, area, listed or here"

(* A row of prices for each class; where these are not known, up to the end of the numbers. *)
let rows_of_prices s level =
  let row times =
    let row = numbers s level.types in
    List.iter (small "prices") row;
    Option.iter (List.iter2 (fun price time ->
        if time = None && Z.sign price <> 0 then refuse "a price where the class has no time") row) times;
    row in
  match level.classes with
  | Some classes -> List.map (fun times -> row (Some times)) classes
  | None ->
    let rec rows found = if s.words = [] || List.hd s.words = "counts" then List.rev found
      else rows (row None :: found) in
    rows []

(* Whether the limits are to hold for the sets of a state. *)
let price_vector s level =
  let modes = List.init level.types (fun _ ->
      let mode = mode s in
      let limit = number s in
      small "limits" limit;
      (mode, limit)) in
  let prices = rows_of_prices s level in
  List.iter (fun (mode, limit) -> match mode with
      | Kernel.OfSets | Kernel.OfState ->
        if Z.gt limit (Z.shift_left Z.one 26)
        || Z.gt (Z.mul limit (Z.of_int (List.length prices))) (Z.shift_left Z.one 36) then
          refuse "a limit of sets that is too large"
      | _ -> ()) modes;
  let count_prices = if s.words = [] then [] else begin
      if word s <> "counts" then refuse "the proof: more words than expected";
      let n = number s in
      if Z.gt n (Z.of_int level.counts) then refuse "prices of more counts than are open";
      let prices = numbers s (Z.to_int n) in
      List.iter (small "prices") prices;
      prices
    end in
  add level (Kernel.Prices_of { Kernel.modes_of = List.map fst modes; limits = List.map snd modes; prices;
                                count_prices });
  List.exists (fun (mode, _) -> mode = Kernel.OfState) modes

(* Nodes, in preorder; [alone]: below a node of this name, and with releases, there is none. *)

let rec node s level limit ~alone =
  let again () = node s level limit ~alone in
  let class_ () = match level.classes with
    | Some classes -> index s (List.length classes) "class"
    | None -> number s in
  let vector () = index s level.count "vector" in
  let two more =
    let first = again () in
    let second = again () in
    if more then (second, first) else (first, second) in
  match next_line s with
  | "area" -> area_vector s level; again ()
  | "prices" ->
    let v = Z.of_int level.count in
    if price_vector s level then Kernel.Held (v, again ()) else again ()
  | "nowhere" -> Kernel.Nowhere (class_ ())
  | "price" -> Kernel.Priced (vector ())
  | "knapsack" ->
    let v = Z.to_int (vector ()) in
    (match List.nth level.vectors (level.count - 1 - v) with
     | Kernel.Area_of [ w0; w1 ] -> Kernel.Divided (w0, w1)
     | _ -> refuse "knapsack: expected two types and a vector of areas")
  | "branch" ->
    let t = if level.types = 2 then Z.zero else type_ s level in
    let c = class_ () in
    let a = number s in
    let below, above = two (more s) in
    Kernel.Branched (t, c, a, below, above)
  | "cover" ->
    let v = vector () in
    let t = type_ s level in
    let c = class_ () in
    let n = number s in
    if Z.gt n (Z.of_int (Array.length s.lines)) then refuse "the proof has no end";
    let rec children n found = if n = 0 then List.rev found else children (n - 1) (again () :: found) in
    Kernel.Covered (v, t, c, children (Z.to_int n) [])
  | "list" ->
    let v = vector () in
    let t = type_ s level in
    let n = number s in
    Kernel.Pooled (v, t, n, again ())
  | "count" ->
    let t = type_ s level in
    let fewest = number s in
    let a = number s in
    let n = number s in
    if Z.gt n (Z.of_int (List.length s.words)) then refuse "the proof: fewer words than expected";
    let members = List.init (Z.to_int n) (fun _ -> class_ ()) in
    let more = more s in
    level.counts <- level.counts + 1;
    let below, above = two more in
    level.counts <- level.counts - 1;
    Kernel.Counted (t, fewest, a, members, below, above)
  | "alone" ->
    if alone then refuse "alone: expected another node here";
    let t = type_ s level in
    let within = number s in
    if Z.lt within limit || Z.equal within most then refuse "alone: a makespan out of range";
    let own = { types = 1; classes = None; vectors = []; count = 0; counts = 0 } in
    let tree = node s own within ~alone:true in
    Kernel.Alone (t, within, List.rev own.vectors, tree)
  | _ -> refuse "the proof: expected a node"

(* Heads *)

(* "types Q a0 a1 ...", or nothing; and the word behind. *)
let types_of s instance = match next_line s with
  | "types" ->
    let types = number s in
    if Z.sign types <= 0 || Z.gt types (Z.of_int 64) then refuse "types: a number out of range";
    let platform = Array.of_list instance.kernel.Kernel.platform in
    let into = Array.map (fun type_ ->
        let u = number s in
        if Z.gt u types || (Z.equal u types && Z.sign type_.Kernel.count > 0) then refuse "types: no such type";
        if Z.equal u types then None else Some (Z.to_int u)) platform in
    ((Z.to_int types, into), next_line s)
  | word -> (all_types instance, word)

(* "N", and perhaps "within G": how many classes, and the times that tell them apart. *)
let head_of_classes s bound =
  let claimed = number s in
  let limit = Z.pred bound in
  let within = match s.words with
    | "within" :: rest ->
      s.words <- rest;
      let within = number s in
      if Z.lt within limit then refuse "classes within less than the bound";
      within
    | _ -> limit in
  finish s;
  (claimed, within)

(* The nodes, and the vectors in their order. *)
let nodes_of s types classes limit claimed ~alone =
  if not (Z.equal claimed (Z.of_int (List.length classes))) then refuse "the proof: another number of classes";
  let level = { types; classes = Some classes; vectors = []; count = 0; counts = 0 } in
  let tree = node s level limit ~alone in
  let rec rest () = match next_line s with
    | "area" -> area_vector s level; rest ()
    | "prices" -> if price_vector s level then not_judged "a limit of a state behind the tree" else rest ()
    | "end" -> if s.words <> [] || s.at <> Array.length s.lines then refuse "the proof: more after the end"
    | _ -> refuse "the proof: a node after the last" in
  rest ();
  (List.rev level.vectors, tree)

(* The class of each task, by those of the kinds. *)
let of_tasks instance of_kind =
  List.concat (List.mapi (fun i kind ->
      let number = Option.map Z.of_int of_kind.(i) in
      List.init kind.copies (fun _ -> number)) (Array.to_list instance.kinds))

(* The classes, and the tree. *)
let tree_of s instance (types, into) bound =
  let claimed, within = head_of_classes s bound in
  let of_kind, all, units = classes_of instance (types, into) within bound in
  let all = Array.to_list all in
  let vectors, tree = nodes_of s types all (Z.pred bound) claimed ~alone:false in
  let into = List.map (function Some u -> Z.of_int u | None -> Z.zero) (Array.to_list into) in
  Kernel.Cases (Z.of_int types, into, all, of_tasks instance (Array.map (Option.map fst) of_kind), Array.to_list units,
                vectors, tree)

(* The same with releases and busy processors. *)
let released_tree_of s instance bound =
  let claimed, within = head_of_classes s bound in
  let types = released_types instance in
  let of_kind, all, releases, units = released_classes instance types within (Z.pred bound) in
  let vectors, tree = nodes_of s (List.length types) all (Z.pred bound) claimed ~alone:true in
  Kernel.ReleasedCases (List.map (fun (t, f) -> (Z.of_int t, f)) types, all, of_tasks instance of_kind, releases, units,
                        vectors, tree)

(* The bound in ticks that a proof is about, and the proof as a certificate. *)
let read instance text =
  let s = { lines = lines_of text; at = 0; words = []; bound = Z.zero } in
  (try
     if next_line s <> "duet-proof" || not (Z.equal (number s) Z.one) then refuse "expected 'duet-proof 1'"
   with Refused text -> Json.fail text);
  if next_line s <> "bound" then refuse "the proof: expected the bound";
  let bound = number s in
  if Z.sign bound <= 0 then not_judged "a proof of a bound of 0";
  s.bound <- bound;
  let (types, into), head = types_of s instance in
  match head with
  | "classes" -> (bound, tree_of s instance (types, into) bound)
  | "graph" -> (bound, Graph_file.read s instance)
  | "released" ->
    (bound, match next_line s with
     | "classes" -> released_tree_of s instance bound
     | "graph" -> Graph_file.read_moved s instance
     | _ -> refuse "the proof: expected classes or graph")
  | _ -> refuse "the proof: expected classes or graph"
