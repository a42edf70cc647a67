// SPDX-License-Identifier: Apache-2.0
// The shelves of figure 1: how an allocation that answers a guess of dual-4-3 is placed in the
// paper.
//
// Method:    a type's schedule ends at 4 lambda/3, or at 4 lambda/3 + lambda/(3rs) where its work
//            is counted on a grid of s steps on r processors. Large tasks begin at 0 (shelves S1,
//            S5), and beside each the longest of the small ones ends last (S2, S6). Medium tasks
//            are two to a processor, at 0 (S3, S7) and at the end (S4, S8). Each other small task,
//            longest first, goes to the least loaded processor at the latest date (lemmas 1, 2).
// Guarantee: every task fits: the least loaded processor has room of lambda/3, in one piece.
// Cost:      O(n log(n + processors)) time, O(n + processors) memory.
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27(6), 2015, section 3.2.
#ifndef DUET_SOLVERS_DUAL_SHELVES_H
#define DUET_SOLVERS_DUAL_SHELVES_H

#include "dp/table/table.h"
#include "heuristics/engine/longest_first.h"

// Places the allocation that the table found for `guess`, on two types.
duet_code duet_schedule_shelves(const duet_table_guess *guess, const duet_allocation *allocation,
                                duet_solution *solution, duet_error *error);

#endif
