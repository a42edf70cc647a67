(* SPDX-License-Identifier: Apache-2.0 *)
(** The judgement as an OCaml program with Zarith's integers, and what its theorems rest on. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Proven Require Import Table Judge JudgePlan Rest Moved Part Plan Valid MoldableValid.

Set Warnings "-extraction-opaque-accessed".

Print Assumptions valid_schedule_correct.
Print Assumptions judge_sound.
Print Assumptions property.
Print Assumptions valid_plan_correct.
Print Assumptions judge_plan_sound.
Print Assumptions plan_property.
Print Assumptions moldable_ok_correct.
Print Assumptions judge_moldable_sound.
Print Assumptions moldable_property.

Extraction "kernel.ml" judge proves judge_plan effective begun free origin given_bound given_run kept_tasks rest judge_moldable moved_instance part_of grouped.
