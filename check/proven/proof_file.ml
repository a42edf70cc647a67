(* SPDX-License-Identifier: Apache-2.0 *)
(* Proofs by a tree of cases (docs/formats.md): text to vectors and nodes. Whatever is read here is checked by the
   kernel; a proof of a task graph, and nodes and limits that the kernel does not know, are not judged. *)

open Instance_file
open Classes

type state = {
  instance : Instance_file.t;
  lines : string list array;
  mutable at : int;
  mutable words : string list;
  mutable vectors : (Kernel.vector_file * Z.t list option) list;  (* the last one first, with the weights of an area *)
  mutable count : int;
}

let lines_of text =
  let words line = List.filter (fun word -> word <> "") (String.split_on_char ' '
      (String.map (function '\t' | '\r' | '\011' | '\012' -> ' ' | c -> c) line)) in
  let kept line = line <> "" && line.[0] <> '#' && words line <> [] in
  Array.of_list (List.filter_map (fun line -> if kept line then Some (words line) else None)
                   (String.split_on_char '\n' text))

let word s = match s.words with
  | word :: rest -> s.words <- rest; word
  | [] -> refuse "the proof: fewer words than expected"

let next_line s =
  if s.words <> [] then refuse "the proof: more words than expected";
  if s.at >= Array.length s.lines then refuse "the proof has no end";
  s.words <- s.lines.(s.at);
  s.at <- s.at + 1;
  word s

let most = Z.shift_left Z.one 62

let number s =
  let word = word s in
  if String.length word > 40 || not (String.for_all (function '0' .. '9' -> true | _ -> false) word) then
    refuse "the proof: expected a whole number";
  let z = Z.of_string word in
  if Z.gt z most then refuse "the proof: a number out of range";
  z

let numbers s n = List.init n (fun _ -> number s)

let index s size what =
  let z = number s in
  if Z.geq z (Z.of_int size) then refuse ("the proof: no such " ^ what);
  z

let type_ s =
  let types = Array.length s.instance.types in
  if types = 2 then match word s with
    | "cpu" -> Z.zero
    | "gpu" -> Z.one
    | _ -> refuse "the proof: expected cpu or gpu"
  else index s types "type"

(* Vectors *)

let add s vector weights =
  s.vectors <- (vector, weights) :: s.vectors;
  s.count <- s.count + 1

let area_vector s classes units limit =
  let weights = numbers s (Array.length s.instance.types) in
  List.iter (small "weights") weights;
  if List.for_all (Z.equal Z.zero) weights then refuse "weights: expected one above 0";
  let prices = List.map (List.map2 (fun w -> function Some p -> Z.mul w p | None -> Z.zero) weights) classes in
  let limits = List.mapi (fun t w -> Z.mul w (Z.mul units.(t) (Z.div limit units.(t)))) weights in
  let kinds = List.mapi (fun t _ -> Kernel.ByDensity units.(t)) weights in
  add s { Kernel.kinds; vector_of = { Kernel.limits; prices } } (Some weights)

let price_vector s classes units =
  let types = Array.length s.instance.types in
  let modes = List.init types (fun t ->
      let mode = word s in
      let limit = number s in
      small "limits" limit;
      let kind = match mode with
        | "set" ->
          if Z.gt limit (Z.shift_left Z.one 26) then refuse "a limit of sets that is too large";
          Kernel.BySets
        | "area" -> Kernel.ByDensity units.(t)
        | "listed" | "here" -> not_judged "a limit that holds at some nodes"
        | _ -> refuse "the proof: expected set, area or listed" in
      (kind, limit)) in
  let prices = List.map (fun times ->
      let row = numbers s types in
      List.iter2 (fun time price ->
          small "prices" price;
          if time = None && Z.sign price <> 0 then refuse "a price where the class has no time") times row;
      row) classes in
  if s.words <> [] then begin
    if word s <> "counts" then refuse "the proof: more words than expected";
    if Z.sign (number s) > 0 then not_judged "prices of counts"
  end;
  add s { Kernel.kinds = List.map fst modes; vector_of = { Kernel.limits = List.map snd modes; prices } } None

(* Nodes, in preorder *)

let rec node s classes units limit =
  let size = List.length classes in
  let again () = node s classes units limit in
  let vector () = index s s.count "vector" in
  match next_line s with
  | "area" -> area_vector s classes units limit; again ()
  | "prices" -> price_vector s classes units; again ()
  | "nowhere" -> Kernel.Nowhere (index s size "class")
  | "price" -> Kernel.Priced (vector ())
  | "knapsack" ->
    let v = Z.to_int (vector ()) in
    (match snd (List.nth s.vectors (s.count - 1 - v)) with
     | Some [ w0; w1 ] -> Kernel.Divided (w0, w1)
     | _ -> refuse "knapsack: expected two types and a vector of areas")
  | "branch" ->
    let t = if Array.length s.instance.types = 2 then Z.zero else type_ s in
    let c = index s size "class" in
    let a = number s in
    let more = s.words = [ "more" ] in
    if more then s.words <- [];
    let first = again () in
    let second = again () in
    if more then Kernel.Branched (t, c, a, second, first) else Kernel.Branched (t, c, a, first, second)
  | "cover" ->
    let v = vector () in
    let t = type_ s in
    let c = index s size "class" in
    let n = number s in
    if Z.gt n (Z.of_int (Array.length s.lines)) then refuse "the proof has no end";
    let rec children n found = if n = 0 then List.rev found else children (n - 1) (again () :: found) in
    Kernel.Covered (v, t, c, children (Z.to_int n) [])
  | "list" | "count" | "alone" -> not_judged "a node of the kinds list, count and alone"
  | _ -> refuse "the proof: expected a node"

(* The bound in ticks that a proof is about, and the proof as a certificate. *)
let read instance text =
  let s = { instance; lines = lines_of text; at = 0; words = []; vectors = []; count = 0 } in
  (try
     if next_line s <> "duet-proof" || not (Z.equal (number s) Z.one) then refuse "expected 'duet-proof 1'"
   with Refused text -> Json.fail text);
  if next_line s <> "bound" then refuse "the proof: expected the bound";
  let bound = number s in
  if Z.sign bound <= 0 then not_judged "a proof of a bound of 0";
  (match next_line s with
   | "classes" -> ()
   | "graph" -> not_judged "a proof of a task graph"
   | "types" -> not_judged "a proof in which types are one"
   | _ -> refuse "the proof: expected classes or graph");
  let of_kind, all, units = classes instance bound in
  let claimed = number s in
  if s.words <> [] then not_judged "classes by larger times";
  if not (Z.equal claimed (Z.of_int (Array.length all))) then refuse "the proof: another number of classes";
  let classes = Array.to_list all in
  let limit = Z.pred bound in
  let tree = node s classes units limit in
  let rec rest () = match next_line s with
    | "area" -> area_vector s classes units limit; rest ()
    | "prices" -> price_vector s classes units; rest ()
    | "end" -> if s.words <> [] || s.at <> Array.length s.lines then refuse "the proof: more after the end"
    | _ -> refuse "the proof: a node after the last" in
  rest ();
  let class_of = List.concat (List.mapi (fun i kind ->
      let number = Option.map (fun (number, _) -> Z.of_int number) of_kind.(i) in
      List.init kind.copies (fun _ -> number)) (Array.to_list instance.kinds)) in
  (bound, Kernel.Cases (classes, class_of, Array.to_list units, List.rev_map fst s.vectors, tree))
