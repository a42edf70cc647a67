(* SPDX-License-Identifier: Apache-2.0 *)
(* JSON with exact numbers, and nothing but JSON: no member twice, no lone surrogate, no NUL in a string. *)

exception Unreadable of string

type t = Null | Bool of bool | Number of Q.t | String of string | Array of t list | Object of (string * t) list

let fail text = raise (Unreadable text)
let failf format = Printf.ksprintf fail format

type state = { text : string; mutable at : int }

let peek s = if s.at < String.length s.text then s.text.[s.at] else '\000'

let rec skip s =
  match peek s with
  | ' ' | '\t' | '\n' | '\r' -> s.at <- s.at + 1; skip s
  | _ -> ()

let expect s c = if peek s = c && s.at < String.length s.text then s.at <- s.at + 1
  else failf "no JSON: expected '%c' at byte %d" c s.at

let word s w value =
  let n = String.length w in
  if s.at + n <= String.length s.text && String.sub s.text s.at n = w then (s.at <- s.at + n; value)
  else failf "no JSON: expected a value at byte %d" s.at

(* A number as a fraction. Beyond 400 places it is refused. *)
let digits s =
  let first = s.at in
  while (match peek s with '0' .. '9' -> true | _ -> false) do s.at <- s.at + 1 done;
  if s.at = first then failf "no JSON: expected a digit at byte %d" s.at;
  String.sub s.text first (s.at - first)

let number s =
  let negative = peek s = '-' in
  if negative then s.at <- s.at + 1;
  let whole = digits s in
  if String.length whole > 1 && whole.[0] = '0' then fail "no JSON: a number that begins with 0";
  let part = if peek s = '.' then (s.at <- s.at + 1; digits s) else "" in
  let exponent =
    match peek s with
    | 'e' | 'E' ->
      s.at <- s.at + 1;
      let sign = match peek s with '-' -> s.at <- s.at + 1; -1 | '+' -> s.at <- s.at + 1; 1 | _ -> 1 in
      let text = digits s in
      sign * (if String.length text > 9 then 1_000_000_000 else int_of_string text)
    | _ -> 0 in
  if String.length whole + String.length part > 4000 then fail "a number of more than 4000 digits";
  let value = Z.of_string (whole ^ part) in
  let power = exponent - String.length part in
  if Z.equal value Z.zero then Q.zero
  else begin
    if abs power > 4400 then fail "a number out of range";
    let value = if negative then Z.neg value else value in
    if power >= 0 then Q.of_bigint (Z.mul value (Z.pow (Z.of_int 10) power))
    else Q.make value (Z.pow (Z.of_int 10) (-power))
  end

let hex s =
  if s.at + 4 > String.length s.text then fail "no JSON: an escape is cut";
  let text = String.sub s.text s.at 4 in
  String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> fail "no JSON: a wrong escape") text;
  s.at <- s.at + 4;
  int_of_string ("0x" ^ text)

let escaped s buffer =
  let code = hex s in
  if code = 0 then fail "a string with NUL";
  let code =
    if code >= 0xD800 && code < 0xDC00 then begin
      expect s '\\'; expect s 'u';
      let low = hex s in
      if low < 0xDC00 || low > 0xDFFF then fail "a lone surrogate";
      0x10000 + ((code - 0xD800) lsl 10) + (low - 0xDC00)
    end else code in
  if code >= 0xDC00 && code <= 0xDFFF then fail "a lone surrogate";
  Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

let string s =
  expect s '"';
  let buffer = Buffer.create 16 in
  let rec go () =
    if s.at >= String.length s.text then fail "no JSON: an open string";
    let c = s.text.[s.at] in
    s.at <- s.at + 1;
    match c with
    | '"' -> ()
    | '\\' ->
      let e = peek s in
      s.at <- s.at + 1;
      (match e with
       | '"' | '\\' | '/' -> Buffer.add_char buffer e
       | 'b' -> Buffer.add_char buffer '\b'
       | 'f' -> Buffer.add_char buffer '\012'
       | 'n' -> Buffer.add_char buffer '\n'
       | 'r' -> Buffer.add_char buffer '\r'
       | 't' -> Buffer.add_char buffer '\t'
       | 'u' -> escaped s buffer
       | _ -> fail "no JSON: a wrong escape");
      go ()
    | c when Char.code c < 32 -> fail "no JSON: a control character in a string"
    | c -> Buffer.add_char buffer c; go () in
  go ();
  Buffer.contents buffer

(* Items up to a closing bracket, with commas between them. *)
let items s close item =
  skip s;
  if peek s = close then (s.at <- s.at + 1; [])
  else begin
    let rec go found =
      let found = item () :: found in
      skip s;
      if peek s = ',' then (s.at <- s.at + 1; go found) else (expect s close; List.rev found) in
    go []
  end

let distinct members =
  let seen = Hashtbl.create 16 in
  List.iter (fun (name, _) ->
      if Hashtbl.mem seen name then fail "a member is given twice";
      Hashtbl.add seen name ()) members

let rec value s depth =
  if depth > 256 then fail "nested too deeply";
  skip s;
  match peek s with
  | '{' ->
    s.at <- s.at + 1;
    let members = items s '}' (fun () ->
        skip s;
        let name = string s in
        skip s; expect s ':';
        (name, value s (depth + 1))) in
    distinct members;
    Object members
  | '[' -> s.at <- s.at + 1; Array (items s ']' (fun () -> value s (depth + 1)))
  | '"' -> String (string s)
  | 't' -> word s "true" (Bool true)
  | 'f' -> word s "false" (Bool false)
  | 'n' -> word s "null" Null
  | _ -> Number (number s)

let parse text =
  let mark = String.length text >= 3 && String.sub text 0 3 = "\xEF\xBB\xBF" in
  let s = { text; at = if mark then 3 else 0 } in
  let found = value s 0 in
  skip s;
  if s.at <> String.length text then failf "no JSON: more after the end, at byte %d" s.at;
  found

let member name = function Object members -> List.assoc_opt name members | _ -> None

let need name json = match member name json with
  | Some value -> value
  | None -> failf "expected a member \"%s\"" name

let as_number what = function Number q -> q | _ -> failf "%s: expected a number" what
let as_string what = function String s -> s | _ -> failf "%s: expected a string" what
let as_array what = function Array l -> l | _ -> failf "%s: expected an array" what

let as_whole what json =
  let q = as_number what json in
  if not (Z.equal q.Q.den Z.one) then failf "%s: expected a whole number" what;
  q.Q.num
