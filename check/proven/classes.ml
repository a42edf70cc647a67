(* SPDX-License-Identifier: Apache-2.0 *)
(* Classes of kinds with the same usable times, which certificates and proofs count. The kernel checks what it uses. *)

open Instance_file

exception Refused of string

let refuse text = raise (Refused text)

(* Classes: kinds with the same usable times, in the order in which they first appear; kinds with a usable time of 0
   are in none. For each kind its class, all classes, and for each type the greatest common divisor of their times. *)
let classes instance value =
  let limit = Z.pred value in
  let types = Array.of_list instance.kernel.Kernel.platform in
  let tasks = Array.of_list instance.kernel.Kernel.tasks in
  let found = Hashtbl.create 64 and size = ref 0 in
  let units = Array.map (fun _ -> Z.zero) types in
  let class_of kind =
    let times = List.mapi (fun t time -> match time with
        | Some p when Z.sign types.(t).Kernel.count > 0 && Z.leq p limit -> Some p
        | _ -> None) tasks.(kind.first).Kernel.times in
    if List.mem (Some Z.zero) times then None
    else begin
      List.iteri (fun t -> Option.iter (fun p -> units.(t) <- Z.gcd units.(t) p)) times;
      let key = List.map (Option.map Z.to_string) times in
      match Hashtbl.find_opt found key with
      | Some (number, _) -> Some (number, times)
      | None -> let number = !size in
        incr size; Hashtbl.add found key (number, times); Some (number, times)
    end in
  let of_kind = Array.map class_of instance.kinds in
  let all = Array.make !size [] in
  Hashtbl.iter (fun _ (number, times) -> all.(number) <- times) found;
  (of_kind, all, Array.map (fun unit_ -> if Z.equal unit_ Z.zero then Z.one else unit_) units)

let small what z = if Z.sign z < 0 || Z.geq z (Z.shift_left Z.one 31) then refuse (what ^ ": expected below 2^31")

