// SPDX-License-Identifier: Apache-2.0
// A guess as the knapsack the tables solve: kinds with their value on the minimised type ("V") and
// their units on the rounded type ("R"), and the capacities. All forms start from here.
#ifndef DUET_DP_TABLE_PROBLEM_H
#define DUET_DP_TABLE_PROBLEM_H

#include "core/number/fraction.h"
#include "dp/table/table.h"

// One kind at the guess.
typedef struct duet_table_item {
    int64_t count;
    bool on_v; // whether it can run on that type within lambda
    bool on_r;
    int c;          // 2 large, 1 medium, 0 small: on V
    int g;          // the same on R
    int64_t value;  // time on V
    int64_t weight; // units on R
} duet_table_item;

typedef struct duet_table_problem {
    const duet_table_guess *guess;
    size_t minimised; // V: the type that is not guess->rounded
    duet_table_item *items;
    size_t kinds;
    int64_t tasks;
    int64_t c_cap; // 2 * processors; a type never needs more processors than there are tasks
    int64_t g_cap;
    int64_t cap;        // units of R
    int64_t limit;      // work of V
    int64_t unit_steps; // units per lambda on a grid, 0 on exact work
    int64_t total;      // sum of the values on V
    int64_t misfit;     // a kind that fits nowhere within lambda, or -1
} duet_table_problem;

// O(kinds). DUET_E_LIMIT where the grid has too many steps for 62 bits.
duet_code duet_table_problem_create(const duet_table_guess *guess, duet_table_problem *problem,
                                    duet_error *error);
void duet_table_problem_free(duet_table_problem *problem);

// Whether 32-bit cells hold every sum of values (and infinity above them).
static inline bool duet_table_narrow(int64_t total)
{
    return total < INT64_C(1) << 30;
}

// Writes the answer's allocation from the number of tasks of each kind on R.
void duet_table_allocate(const duet_table_problem *problem, const int64_t *on_r,
                         duet_table_answer *answer);

// The solvers of a problem without misfit; see duet_table_decide().
duet_code duet_published_decide(const duet_table_problem *problem, const duet_context *context,
                                duet_table_answer *answer, duet_error *error);
duet_code duet_collapsed_decide(const duet_table_problem *problem, const duet_context *context,
                                duet_table_answer *answer, duet_error *error);

duet_code duet_published_measure(const duet_table_problem *problem, bool allocation_wanted,
                                 duet_table_size *size);
duet_code duet_collapsed_measure(const duet_table_problem *problem, bool allocation_wanted,
                                 duet_table_size *size, duet_error *error);

// Bytes of memory a table may take: the context's limit, or half of what is free. `wanted` bytes
// that are few are granted without asking the system.
uint64_t duet_table_memory(const duet_context *context, uint64_t wanted);
// DUET_E_LIMIT with a message that names the table, its size, the limit and what to do.
duet_code duet_table_refuse(const char *form, uint64_t least, uint64_t memory, duet_error *error);

#endif
