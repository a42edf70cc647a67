// SPDX-License-Identifier: Apache-2.0
// CBC as a process of its own, for comparison: it gets the assignment program as an MPS file and
// its answer is read back from its solution file. exact/cbc.c runs it, exact/cbc_read.c reads.
#ifndef DUET_BENCH_EXACT_CBC_H
#define DUET_BENCH_EXACT_CBC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "instances/formats/text/program.h"

// How a run of CBC ended.
typedef struct duet_cbc_answer {
    bool optimal;            // what CBC claims
    double objective;        // of its schedule, as it says
    double claimed;          // its last lower bound, as it says; negative: none
    int64_t bound;           // what it claims, lowered by a millionth, or what it started from
    duet_solution *solution; // its schedule, measured by us; NULL: none. Owned by the caller
    double seconds;          // of its process
    bool killed;             // it did not end by itself, or `cancel` was requested
} duet_cbc_answer;

// Whether there is a program `cbc` in the PATH.
bool duet_cbc_available(void);

// Runs CBC with relative and absolute gap 0. It is told the time limit, and killed where it goes on
// long after it, or at once where `cancel` is requested. Without a schedule the call succeeds with
// answer->solution NULL. Errors: DUET_E_LIMIT (the program is too large), DUET_E_OUTPUT (temporary
// files, or the process cannot be started), DUET_E_INPUT (an answer that is no schedule),
// DUET_E_MEMORY, DUET_E_INFEASIBLE.
duet_code duet_cbc_run(const duet_instance *instance, double seconds, int threads,
                       const duet_cancel *cancel, duet_cbc_answer *answer, duet_error *error);

// Reads CBC's solution file: its first line into answer->optimal and objective, its columns into
// answer->solution. Every task must be in it once, in columns of the program. A file that says
// that there is no solution gives NULL. Errors: DUET_E_INPUT with the line, DUET_E_MEMORY.
duet_code duet_cbc_read_solution(const char *path, const duet_program *program,
                                 duet_cbc_answer *answer, duet_error *error);
// Reads the last "Lower bound:" of CBC's own messages into answer->claimed, if there is one.
duet_code duet_cbc_read_log(const char *path, duet_cbc_answer *answer, duet_error *error);

#endif
