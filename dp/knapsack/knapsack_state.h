// SPDX-License-Identifier: Apache-2.0
// Inside of the integer knapsack over both types (dp/knapsack/knapsack.h): what its parts share.
// Each part calls only those above it in this list.
//
// fixing.c: classes fixed by their reduced cost, and those that stay free. lists.c: dominance lists
// over the free ones. hope.c: how likely a state can be packed. answer.c: the least makespan, and
// the allocation of the most hopeful state. core.c: a random core. knapsack.c: creation, release
// and what is asked of the lists.
#ifndef DUET_DP_KNAPSACK_KNAPSACK_STATE_H
#define DUET_DP_KNAPSACK_KNAPSACK_STATE_H

#include "core/number/fraction.h"
#include "dp/knapsack/knapsack.h"

// An allocation as far as it matters: the work of each type. The free classes that are not decided
// yet are on their cheaper type.
typedef struct work_state {
    int64_t work[2];
} work_state;

// A class that its reduced cost does not fix.
typedef struct free_class {
    size_t class;
    size_t cheaper;           // its cheaper type
    int64_t most;             // tasks that may leave it
    duet_int128 reduced_cost; // of each
    int64_t movable[2];       // work that later classes can still take off a type
} free_class;

// What a type holds while all free classes are where the lists begin.
typedef struct knapsack_holding {
    double packings; // the logarithm of how many ways there are to give it to the processors
    double squares;  // of the times, in the type's unit
} knapsack_holding;

// How many tasks of a class may leave their cheaper type from a state; none: most < least.
typedef struct span {
    int64_t least;
    int64_t most;
} span;

struct duet_knapsack {
    // Inputs.
    const duet_classes *classes;
    const duet_context *context; // When it stops the answer is left open. NULL: never.
    int64_t weight[2];

    // Limits.
    duet_int128 capacity[2]; // of all processors of a type
    duet_int128 limit;       // of the weighted work

    // Classes.
    free_class *free;
    size_t free_count;
    int64_t *fixed; // core only: tasks of each class on the CPUs before a free one leaves

    // Dominance lists, one after another.
    work_state *states;
    size_t count;
    size_t room;
    size_t *begin; // of the list after i free classes

    // Workspace: of the list that is being extended.
    span *spans;
    size_t span_room;
};

// What a task of a class costs on a type at the weights.
static inline duet_int128 duet_knapsack_price(const duet_knapsack *problem, size_t class,
                                              size_t type)
{
    return (duet_int128)problem->weight[type] * problem->classes->time[type][class];
}

// The weighted work of a state.
static inline duet_int128 duet_knapsack_weighted(const duet_knapsack *problem, const work_state *s)
{
    return (duet_int128)problem->weight[0] * s->work[0] +
           (duet_int128)problem->weight[1] * s->work[1];
}

static inline int64_t duet_knapsack_clamp(duet_int128 value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : (int64_t)value;
}

// fixing.c

size_t duet_knapsack_cheaper(const duet_knapsack *problem, size_t class);
// Sets the limits, allocates every class to its cheaper type, and returns the slack that this
// leaves: below 0, nothing fits. `*root` receives the work.
duet_int128 duet_knapsack_allocate_cheapest(duet_knapsack *problem, work_state *root);
// Lists the classes of which a task may leave its cheaper type within the slack.
void duet_knapsack_find_free(duet_knapsack *problem, duet_int128 slack);
// After the list of free classes has changed: what the later ones can take off each type.
void duet_knapsack_set_movable(duet_knapsack *problem);

// lists.c

// The order of a list: by CPU work, then by GPU work. For bsearch().
int duet_knapsack_by_work(const void *left, const void *right);
// All lists from their first state. False in *within where they have too many states.
duet_code duet_knapsack_extend_all(duet_knapsack *problem, const work_state *root, bool *within,
                                   duet_error *error);

// hope.c

// Tasks of a class on the CPUs when none has left its cheaper type.
int64_t duet_knapsack_at_first(const duet_knapsack *problem, size_t class);
void duet_knapsack_measure(const duet_knapsack *problem, knapsack_holding of[2]);
// The logarithm of how many packings are within the guess, for the type that has fewer.
double duet_knapsack_hope(const duet_knapsack *problem, const knapsack_holding of[2],
                          const work_state *s);

// answer.c

// Runs the lists from a first state and answers from the last of them. `on_cpu` as for
// duet_knapsack_decide().
duet_code duet_knapsack_answer_from(duet_knapsack *problem, const work_state *root, int64_t *on_cpu,
                                    duet_knapsack_answer *answer, duet_error *error);

#endif
