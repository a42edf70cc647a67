(* SPDX-License-Identifier: Apache-2.0 *)
(* Classes of kinds with the same usable times, which certificates and proofs count. The kernel checks what it uses. *)

open Instance_file

exception Refused of string

let refuse text = raise (Refused text)

(* Types of a proof: how many, and which of them a type of the platform is, [None] where it has no processors. *)
let all_types instance =
  let types = Array.length instance.types in
  (types, Array.init types (fun t -> Some t))

(* Classes: kinds with the same times of at most [within], in the order in which they first appear; kinds with a usable
   time of 0 are in none. For each kind its class, all classes with their usable times, and for each type the greatest
   common divisor of these. *)
let classes_of instance (types, into) within value =
  let limit = Z.pred value in
  let platform = Array.of_list instance.kernel.Kernel.platform in
  let tasks = Array.of_list instance.kernel.Kernel.tasks in
  let found = Hashtbl.create 64 and size = ref 0 in
  let units = Array.make types Z.zero in
  let times kind most =
    let merged = Array.make types None and seen = Array.make types false in
    List.iteri (fun t time ->
        let time = match time with Some p when Z.leq p most -> Some p | _ -> None in
        match into.(t) with
        | Some u when Z.sign platform.(t).Kernel.count > 0 ->
          if seen.(u) && merged.(u) <> time then refuse "types: expected the same times of types that are one";
          merged.(u) <- time; seen.(u) <- true
        | _ -> ()) tasks.(kind.first).Kernel.times;
    Array.to_list merged in
  let class_of kind =
    let usable = times kind limit and known = times kind within in
    if List.mem (Some Z.zero) usable then None
    else begin
      List.iteri (fun t -> Option.iter (fun p -> units.(t) <- Z.gcd units.(t) p)) usable;
      let key = List.map (Option.map Z.to_string) known in
      match Hashtbl.find_opt found key with
      | Some (number, _) -> Some (number, usable)
      | None -> let number = !size in
        incr size; Hashtbl.add found key (number, usable); Some (number, usable)
    end in
  let of_kind = Array.map class_of instance.kinds in
  let all = Array.make !size [] in
  Hashtbl.iter (fun _ (number, times) -> all.(number) <- times) found;
  (of_kind, all, Array.map (fun unit_ -> if Z.equal unit_ Z.zero then Z.one else unit_) units)

let classes instance value = classes_of instance (all_types instance) (Z.pred value) value

(* With releases and busy processors: the types of a proof, each one of the platform with a time until which some of its
   processors are busy, by type and time. *)
let released_types instance =
  let of_type t { Kernel.count; busy } =
    let free = Z.gt count (Z.of_int (List.length busy)) in
    let times = List.sort_uniq Z.compare (if free then Z.zero :: busy else busy) in
    List.map (fun f -> (t, f)) times in
  let types = List.concat (List.mapi of_type instance.kernel.Kernel.platform) in
  if List.length types > 64 then refuse "with busy processors there are more than 64 types";
  types

(* Classes of kinds with one release, and the same times where they can end by [within]; a kind with such a time of 0 is
   in none. For each kind its class; of all classes the times within [limit], and the releases; and for
   each type the greatest common divisor of these times. *)
let released_classes instance types within limit =
  let tasks = Array.of_list instance.kernel.Kernel.tasks in
  let found = Hashtbl.create 64 and all = ref [] in
  let units = Array.make (List.length types) Z.zero in
  let times kind most =
    let task = tasks.(kind.first) in
    List.map (fun (t, f) -> match List.nth task.Kernel.times t with
        | Some p when Z.leq (Z.add (Z.max task.Kernel.release f) p) most -> Some p
        | _ -> None) types in
  let class_of kind =
    let known = times kind within in
    if List.mem (Some Z.zero) known then None
    else begin
      let release = tasks.(kind.first).Kernel.release and usable = times kind limit in
      List.iteri (fun u -> Option.iter (fun p -> units.(u) <- Z.gcd units.(u) p)) usable;
      let key = (Z.to_string release, List.map (Option.map Z.to_string) known) in
      match Hashtbl.find_opt found key with
      | Some number -> Some number
      | None -> let number = Hashtbl.length found in
        Hashtbl.add found key number; all := (usable, release) :: !all; Some number
    end in
  let of_kind = Array.map class_of instance.kinds in
  let all = List.rev !all in
  (of_kind, List.map fst all, List.map snd all,
   List.map (fun unit_ -> if Z.equal unit_ Z.zero then Z.one else unit_) (Array.to_list units))

let small what z = if Z.sign z < 0 || Z.geq z (Z.shift_left Z.one 31) then refuse (what ^ ": expected below 2^31")

