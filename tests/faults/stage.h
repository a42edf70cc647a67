// SPDX-License-Identifier: Apache-2.0
// Scenarios with each of their allocations failing in turn.
#ifndef DUET_TESTS_FAULTS_STAGE_H
#define DUET_TESTS_FAULTS_STAGE_H

#include <stdint.h>

#include <duet/duet.h>

// What a scenario runs on, made before anything fails.
typedef struct stage {
    const char *name; // of the algorithm, bound, family or format
    duet_instance *instance;
    duet_solution *solution;
    char path[256]; // of a file to read or write
    int64_t guess;  // that is asked for
} stage;

typedef duet_code scenario(const stage *on, duet_error *error);

// Runs a scenario until no allocation is left to fail; of a long search's allocations, which repeat
// themselves round by round, every `stride`-th.
void stage_in_turn(const char *what, scenario *run, const stage *on, int64_t stride);
// The last ones of a scenario, which make what it hands out: that many, each alone.
void stage_last_in_turn(const char *what, scenario *run, const stage *on, int64_t last);
// With an allocator of the caller's, a scenario asks the C library for nothing.
void stage_from_another(const char *what, scenario *run, const stage *on);
// Every one, and with an allocator of the caller's.
void stage_each_in_turn(const char *what, scenario *run, const stage *on);
// What was answered without the memory must be right all the same. Frees the solution.
duet_code stage_check_answer(const stage *on, duet_code code, duet_solution *solution);

duet_params stage_params(int threads);
duet_code stage_solve_on_two(const stage *on, duet_error *error);
// searches.c: the tree on types; the same where one type has patterns: on lists of them.
duet_code stage_search_types(const stage *on, duet_error *error);
duet_code stage_search_lists(const stage *on, duet_error *error);
// On types of one processor each.
duet_code stage_exchange_in_cycles(const stage *on, duet_error *error);
// The bound of a search over ideals.
duet_code stage_certify_ideals(const stage *on, duet_error *error);
// Processors that are filled in ticks.
duet_code stage_fill(const stage *on, duet_error *error);
// Bounds of lower guesses of a graph whose optimum is the guess.
duet_code stage_lift(const stage *on, duet_error *error);
// readers.c: a test of all readers of instances.
void stage_readers(void **state);

// machines.c: a machine with a bus; a plan on it, as it is and relocated; a run of StarPU's.
duet_code stage_read_bus(const stage *on, duet_error *error);
duet_code stage_carry_out(const stage *on, duet_error *error);
duet_code stage_read_run(const stage *on, duet_error *error);

// A small instance of two types with a schedule; to be closed.
stage stage_open(void);
void stage_close(stage *on);
// A file of that name in the temporary folder, and with a text; then its instance with a schedule.
void stage_path(stage *on, const char *name);
void stage_put_file(stage *on, const char *name, const char *text);
void stage_load(stage *on);

#endif
