(* SPDX-License-Identifier: Apache-2.0 *)
(* The text of a proof: lines of words and numbers (docs/formats.md). *)

open Classes

type state = {
  lines : string list array;
  mutable at : int;
  mutable words : string list;
  mutable bound : Z.t;   (* that is to be proven *)
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

let finish s = if s.words <> [] then refuse "the proof: more words than expected"

let next_line s =
  finish s;
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
