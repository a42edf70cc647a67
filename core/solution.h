// SPDX-License-Identifier: Apache-2.0
// Inside of a solution, for the library's own modules.
#ifndef DUET_CORE_SOLUTION_H
#define DUET_CORE_SOLUTION_H

#include <duet/solution.h>

enum { DUET_MAX_COUNTERS = 16 };

struct duet_solution {
    int64_t tasks;
    duet_placement *placement; // `tasks` entries
    duet_aborted *aborted;
    size_t aborted_count;
    size_t aborted_capacity;
    int64_t makespan;
    int64_t lower_bound;
    duet_status status;
    double seconds;
    bool interrupted;
    bool ratio_void; // it stopped before the algorithm's proven ratio held
    char algorithm[32];
    char found_by[32]; // where an algorithm ran others: the one whose schedule this is; else ""
    char bound_name[32];
    char guarantee[96]; // "" where there is none
    duet_counter counter[DUET_MAX_COUNTERS];
    size_t counters;
    duet_certificate certificate;
    // The first thing in a file that no schedule can be (an unknown task, one placed twice, ...):
    // the reader goes on and the checker reports it. Code DUET_OK where there is none.
    duet_error fault;
};

duet_code duet_solution_add_aborted(duet_solution *solution, duet_aborted run, duet_error *error);
// Sets a counter; the name is a static string. Beyond DUET_MAX_COUNTERS it is dropped.
void duet_solution_count(duet_solution *solution, const char *name, int64_t value);
// Takes a bound if it is better than what the solution has.
void duet_solution_offer_bound(duet_solution *solution, const duet_bound *bound);
// The latest completion of the placements, from the instance's times.
int64_t duet_solution_measure(const duet_solution *solution, const duet_instance *instance);
// Sets makespan and status from the placements and the bound.
void duet_solution_settle(duet_solution *solution, const duet_instance *instance);
// Exchanges two solutions' contents.
void duet_solution_swap(duet_solution *a, duet_solution *b);

#endif
