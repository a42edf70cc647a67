(* SPDX-License-Identifier: Apache-2.0 *)
(* duet-proven INSTANCE SOLUTION: judges a solution by the proven kernel. *)

let usage = "usage: duet-proven INSTANCE SOLUTION [--proof PROOF]

Judges a schedule and what it claims by a program that is proven correct (docs/proven.md).
INSTANCE is JSON (duet-instance; `duet convert` makes one of other formats), SOLUTION is a duet-solution.
Ends with 0 where all holds and the lower bound is proven, 1 where something is wrong, 2 for wrong usage, 3 where a
file is unreadable, 5 where it is too large, 6 where a part of it is not judged.
"

let finish code format = Printf.ksprintf (fun text -> prerr_endline ("duet-proven: " ^ text); exit code) format

let contents path =
  try
    let channel = open_in_bin path in
    Fun.protect ~finally:(fun () -> close_in channel)
      (fun () -> really_input_string channel (in_channel_length channel))
  with Sys_error text -> finish 3 "%s" text
     | End_of_file -> finish 3 "%s: cannot be read whole" path

let decimal q =
  let rec places power n =
    if n > 40 || Z.divisible power q.Q.den then n else places (Z.mul power (Z.of_int 10)) (n + 1) in
  let n = places Z.one 0 in
  let scaled = Z.to_string (Q.mul q (Q.of_bigint (Z.pow (Z.of_int 10) n))).Q.num in
  let sign, digits = if scaled.[0] = '-' then "-", String.sub scaled 1 (String.length scaled - 1) else "", scaled in
  if n = 0 then sign ^ digits
  else begin
    let digits = String.make (max 0 (n + 1 - String.length digits)) '0' ^ digits in
    let at = String.length digits - n in
    sign ^ String.sub digits 0 at ^ "." ^ String.sub digits at n
  end

let say instance solution =
  let proof = match solution.Solution_file.proof with
    | Some "" -> "the proof"
    | Some "given" -> "what is given"
    | Some proof -> "its " ^ proof ^ " certificate"
    | None -> "" in
  Printf.printf "schedule     ok: %d tasks\n" instance.Instance_file.size;
  Printf.printf "makespan     ok: %s\n" (decimal solution.Solution_file.makespan);
  if Q.sign solution.Solution_file.bound = 0 then Printf.printf "lower bound  none claimed\n"
  else Printf.printf "lower bound  ok: %s, proven by %s\n" (decimal solution.Solution_file.bound) proof;
  Printf.printf "status       %s\n"
    (if solution.Solution_file.says_optimal then "ok: optimal, no schedule is shorter" else "not claimed to be optimal")

(* With a proof in a file all else is judged first, and then the proof in the place of the certificate. *)
let rec judge instance solution proof =
  let open Solution_file in
  let { Instance_file.kernel; ranks; _ } = instance in
  let with_proof claims verdict again = match verdict, proof with
    | (Kernel.Accepted | Kernel.NotCertified), Some text when not solution.unknown ->
      let proven, cases = Proof_file.read solution.about text in
      judge instance { solution with judged = again { claims with Kernel.certified = Some (proven, cases) };
                                     proof = Some "" } None
    | _ -> said instance solution verdict in
  match solution.judged with
  | Sequential (schedule, claims) ->
    with_proof claims (Kernel.judge kernel ranks schedule claims) (fun claims -> Sequential (schedule, claims))
  | Planned (plan, schedule, claims) ->
    (* What is given may be bound enough; a proof is to hold all the same. *)
    Option.iter (fun text ->
        let value, cases = Proof_file.read solution.about text in
        if not (Kernel.proves solution.about.kernel value cases) then
          raise (Classes.Refused "the proof does not hold")) proof;
    let verdict = Kernel.judge_plan plan (Plan_file.spans plan instance) ranks solution.about.ranks schedule claims in
    with_proof claims verdict (fun claims -> Planned (plan, schedule, claims))
  | Moldable (moldable, schedule, claims) ->
    if proof <> None then raise (Classes.Refused "a proof of moldable tasks");
    said instance solution (Kernel.judge_moldable moldable ranks schedule claims)

and said instance solution verdict =
  let open Solution_file in
  match verdict with
  | Kernel.Accepted when solution.unknown -> finish 6 "not judged: a certificate of a kind that is not proven here"
  | Kernel.Accepted -> say instance solution
  | Kernel.NotCertified when solution.unknown ->
    finish 6 "not judged: the schedule is valid; its certificate is of a kind that is not proven here"
  | Kernel.NotCertified -> finish 6 "not judged: the schedule is valid; its lower bound has no certificate"
  | Kernel.WrongInstance -> finish 1 "the instance is not well formed"
  | Kernel.WrongSchedule -> finish 1 "the schedule is not valid"
  | Kernel.WrongMakespan -> finish 1 "the makespan is another one"
  | Kernel.WrongBound -> finish 1 "the lower bound is not between 0 and the makespan"
  | Kernel.NotOptimal -> finish 1 "claimed optimal: the lower bound is below the makespan"
  | Kernel.WrongCertificate -> finish 1 "the certificate does not prove the lower bound"

let main instance_path solution_path proof_path =
  let solution = Solution_file.parse (contents solution_path) in
  let instance = Plan_file.read (contents instance_path) (Solution_file.counts solution) in
  judge instance (Solution_file.read instance solution) (Option.map contents proof_path)

let () =
  match Array.to_list Sys.argv with
  | [ _; ("--help" | "-h") ] -> print_string usage
  | _ :: instance :: solution :: ([] | [ "--proof"; _ ] as rest) ->
    (try main instance solution (match rest with [ _; proof ] -> Some proof | _ -> None) with
     | Json.Unreadable text -> finish 3 "%s" text
     | Instance_file.Not_judged text -> finish 6 "not judged: %s" text
     | Instance_file.Limit text -> finish 5 "%s" text
     | Classes.Refused text -> finish 1 "%s" text
     | Stack_overflow | Out_of_memory -> finish 5 "the memory is not enough")
  | _ -> prerr_string usage; exit 2
