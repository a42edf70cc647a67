// SPDX-License-Identifier: Apache-2.0
// Partitions the tasks of two processors anew, whether they are of one type or of two: moves, swaps
// and exchanges of several tasks are one step.
//
// Method:    of the tasks that may run on both processors at most 16 are chosen (all, or a random
//            sample). For each half of them the assignments to the two processors are listed as
//            (work on the first, work on the second), without those that another one beats on both.
//            A walk through both lists finds the best pair of assignments. Where there are many
//            tasks of few kinds, groups of 1, 2, 4, ... tasks of a kind take their place: the
//            tasks of groups for which there is no room, random ones, stay where they are. Where
//            ticks are so coarse that a table has room for all tasks of both, it is these
//            (improve/pair_table.h).
// Guarantee: the best repartition of the chosen tasks, or of the chosen groups.
// Cost:      O(2^8) time and memory for a pair, far less where tasks are few or alike; and up to
//            256 tasks are drawn for groups.
// Reference: Horowitz, Sahni, "Computing partitions with applications to the knapsack problem",
//            J. ACM 21(2), 1974.
#ifndef DUET_HEURISTICS_IMPROVE_PAIR_REPARTITION_H
#define DUET_HEURISTICS_IMPROVE_PAIR_REPARTITION_H

#include "core/number/random.h"
#include "heuristics/improve/task_lists.h"

// Where the search for one pair works. Free with duet_pair_repartitioner_free().
typedef struct duet_pair_repartitioner duet_pair_repartitioner;

// Tasks, or groups of tasks, that are chosen at most; where fine ticks leave loads a little above a
// target, that takes the many sums of more tasks.
enum { DUET_PAIR_REPARTITION_TASKS = 16, DUET_PAIR_REPARTITION_FINE = 32 };

// For pairs of which at most `tasks` tasks are chosen, or as many groups. `tasks` is even and at
// most DUET_PAIR_REPARTITION_FINE.
duet_code duet_pair_repartitioner_create(size_t tasks, duet_pair_repartitioner **out,
                                         duet_error *error);
void duet_pair_repartitioner_free(duet_pair_repartitioner *repartitioner);

// What a repartition is for.
typedef struct duet_pair_repartition_goal {
    bool fill;    // true: `a` as full as `cap` lets it, `b` with as little as can be
                  // false: the larger of the two loads as small as can be
    int64_t cap;  // of a
    int64_t most; // of both; kept only if neither load is above it
} duet_pair_repartition_goal;

// Returns whether the tasks were partitioned anew. Both orders of a pair are the same but for
// `fill`.
bool duet_pair_repartition(duet_pair_repartitioner *repartitioner, duet_task_lists *lists, size_t a,
                           size_t b, duet_pair_repartition_goal goal, duet_random *random);

// The tasks, or groups of them, that are chosen at most.
size_t duet_pair_repartitioner_tasks(const duet_pair_repartitioner *repartitioner);

// Assignments listed so far: what the effort of a search is counted in.
int64_t duet_pair_repartitioner_work(const duet_pair_repartitioner *repartitioner);

// type_exchange.c
// Exchanges tasks between two types that have lists, if the largest load of both falls by it.
// `*moved`: how many tasks changed their type; 0 where it did not pay. On an error the lists hold
// no schedule any more.
duet_code duet_type_exchange(duet_task_lists *lists, size_t a, size_t b, int64_t *moved,
                             duet_error *error);

#endif
