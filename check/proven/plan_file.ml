(* SPDX-License-Identifier: Apache-2.0 *)
(* What is given of tasks, and processors that are lost (docs/formats.md, "What is fixed"), as the kernel takes them.
   Trusted, but for the rest, which the kernel makes. *)

open Json
open Instance_file

let type_number instance name =
  let rec find t = if t = Array.length instance.types then fail "fixed: unknown type"
    else if instance.types.(t) = name then t else find (t + 1) in
  find 0

(* Times of a tick or more: finer ones are rounded by other readers. *)
let ticks instance q =
  let q = Q.mul q (Q.of_bigint (Z.pow ten instance.places)) in
  if Z.equal q.Q.den Z.one then q.Q.num else not_judged "fixed: times finer than a tick"

let entry instance json =
  (match json with Object _ -> () | _ -> fail "fixed: expected an entry");
  let name = as_string "what is fixed" (need "task" json) in
  let task = match instance.number name with Some task -> task | None -> fail "fixed: unknown task" in
  if Array.exists (fun kind -> kind.first <= task && task < kind.first + kind.copies && kind.copies > 1) instance.kinds then
    not_judged "fixed: a task of several";
  if member "processors" json <> None || member "parts" json <> None then not_judged "fixed: processors of one task";
  let type_ = match member "type" json with
    | Some name -> Some (type_number instance (as_string "type" name))
    | None -> if Array.length instance.types = 1 then Some 0 else None in
  let processor = Option.map (as_whole "processor") (member "processor" json) in
  let time name = Option.map (fun value -> ticks instance (waiting name value)) (member name json) in
  let start = time "start" and end_ = time "end" in
  let count t = (List.nth instance.kernel.Kernel.platform t).Kernel.count in
  (match type_, processor with
   | None, Some _ -> fail "fixed: a processor without its type"
   | Some t, Some q when Z.sign q < 0 || Z.geq q (count t) -> fail "fixed: no such processor"
   | _ -> ());
  (match start, processor, end_ with
   | Some start, Some _, Some end_ -> if Z.lt end_ start then fail "fixed: an end before the start"
   | _, _, Some _ -> fail "fixed: an end without start and processor"
   | _ -> ());
  (task, { Kernel.pin_on = Option.map Z.of_int type_; pin_proc = processor; pin_start = start; pin_end = end_ })

(* I7: of each type, the processors that are lost, rising. *)
let lost_of instance json =
  let given = match member "platform" json with None -> [] | Some list -> as_array "platform" list in
  List.mapi (fun t { Kernel.count; _ } ->
      let list = match List.nth_opt given t with
        | None -> []
        | Some type_ -> match member "without" type_ with
          | None -> []
          | Some list -> List.map (as_whole "without") (as_array "without" list) in
      if List.exists (fun q -> Z.sign q < 0 || Z.geq q count) list then fail "without: no such processor";
      List.sort_uniq Z.compare list) instance.kernel.Kernel.platform

let given_times plan instance =
  let effective = Kernel.effective plan in
  List.filter_map (fun j -> Option.map (fun run -> (run.Kernel.start, Kernel.ends effective run, j))
                      (Kernel.given_run plan j)) (List.init instance.size Z.of_int)

(* I6 of tasks that have begun: so have all before them, which have ended. *)
let check_begun plan instance =
  let ended = Hashtbl.create 64 in
  List.iter (fun (_, end_, j) -> Hashtbl.replace ended j end_) (given_times plan instance);
  List.iter (fun { Kernel.source; target; _ } ->
      if Kernel.begun plan target then
        match Hashtbl.find_opt ended source, Kernel.given_run plan target with
        | Some end_, Some run when Z.leq end_ run.Kernel.start -> ()
        | _ -> fail "a task has begun before its predecessor has ended") instance.kernel.Kernel.edges

let read text counted =
  let instance = Moldable_file.read text counted in
  let json = match Json.parse text with Array _ as list -> Object [ ("tasks", list) ] | json -> json in
  let entries = fixed json in
  let says_lost = match member "platform" json with
    | Some (Array list) -> List.exists (fun type_ -> member "without" type_ <> None) list
    | _ -> false in
  if entries = [] && not says_lost then instance
  else if instance.moldable <> None then not_judged "what is given of moldable tasks"
  else begin
    let pins = Array.make instance.size Kernel.free and seen = Hashtbl.create 64 in
    List.iter (fun json ->
        let task, pin = entry instance json in
        if Hashtbl.mem seen task then fail "a task is fixed twice";
        Hashtbl.add seen task ();
        pins.(task) <- pin) entries;
    let plan = { Kernel.whole = instance.kernel; pins = Array.to_list pins; lost = lost_of instance json } in
    check_begun plan instance;
    { instance with plan = Some plan }
  end

(* Given tasks by their starts. *)
let spans plan instance =
  List.map (fun (_, _, j) -> j) (List.sort (fun (a, b, _) (c, d, _) ->
      if Z.equal a c then Z.compare b d else Z.compare a c) (given_times plan instance))

(* The rest as an instance, which certificates and proofs are about. *)
let rest_of plan instance =
  let kernel = Kernel.rest plan (spans plan instance) in
  let kept = Array.of_list (List.map Z.to_int (Kernel.kept_tasks plan)) in
  let releases = Array.of_list (List.map (fun task -> task.Kernel.release) kernel.Kernel.tasks) in
  let kind_of j = List.find (fun kind -> kind.first <= j && j < kind.first + kind.copies) (Array.to_list instance.kinds) in
  let kinds = ref [] in
  Array.iteri (fun k j ->
      let kind = kind_of j in
      match !kinds with
      | (last, own) :: others when own == kind && kept.(k - 1) = j - 1 && Z.equal releases.(k) releases.(k - 1) ->
        kinds := ({ last with copies = last.copies + 1 }, own) :: others
      | all -> kinds := ({ kind with first = k; copies = 1 }, kind) :: all) kept;
  let numbers = Hashtbl.create 64 in
  Array.iteri (fun k j -> Hashtbl.add numbers j k) kept;
  let ranks = Array.of_list instance.ranks in
  { instance with kernel; plan = None; size = Array.length kept; kinds = Array.of_list (List.rev_map fst !kinds);
                  ranks = List.map (fun j -> ranks.(j)) (Array.to_list kept);
                  number = fun name -> Option.bind (instance.number name) (Hashtbl.find_opt numbers) }
