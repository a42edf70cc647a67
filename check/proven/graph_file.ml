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

(* The lines up to the next [end] that closes nothing among them. *)
let rec lines s instance found =
  let next line = lines s instance (line :: found) in
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
  | "suppose" ->
    (match claim s instance type_ (word s) with
     | None -> refuse "suppose: expected a claim about a task"
     | Some (j, claim) ->
       let inner = lines s instance [] in
       next (Kernel.Suppose (j, claim, inner)))
  | "gather" | "scatter" | "lp" | "timed" | "twins" | "shift" | "before" | "behind" | "learn" | "chains" as word ->
    not_judged "a proof with lines '%s'" word
  | _ -> refuse "the proof: expected a line"

(* "n e", and the lines up to the end of the proof. *)
let read s instance =
  let size = number s in
  let edges = number s in
  if Z.to_int size <> instance.size || Z.to_int edges <> List.length instance.kernel.Kernel.edges then
    refuse "the proof: another graph";
  let lines = lines s instance [] in
  if s.at <> Array.length s.lines then refuse "the proof: more after the end";
  let ranked = List.mapi (fun j rank -> (rank, Z.of_int j)) instance.ranks in
  let order = List.map snd (List.stable_sort (fun (a, _) (b, _) -> Z.compare a b) ranked) in
  Kernel.Graph (order, lines)
