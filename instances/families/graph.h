// SPDX-License-Identifier: Apache-2.0
// Random task graphs: what their families have in common.
//
// Times: on a GPU uniform in gpu-min .. gpu-max, on a CPU `speedup` times as long in the mean, with
// an exponential factor, as RR-9150 has it (gamma with equal mean and deviation). Costs: 0 from CPU
// to CPU, else one of 16 values drawn from 0 .. cost. All of it is integer arithmetic.
#ifndef DUET_INSTANCES_FAMILIES_GRAPH_H
#define DUET_INSTANCES_FAMILIES_GRAPH_H

#include "core/number/fixed.h"
#include "instances/families/family.h"

enum { DUET_FAMILY_GRAPH_TASKS = 100, DUET_FAMILY_GRAPH_MAX_TASKS = 10000000 };

// The rows of these for the table of a family's options.
#define DUET_FAMILY_GRAPH_OPTIONS                                                                  \
    {"gpu-min", DUET_OPTION_INTEGER, "10", 1, 1000000, NULL, "", "shortest time on a GPU"},        \
        {"gpu-max", DUET_OPTION_INTEGER, "100", 1, 1000000, NULL, "", "longest time on a GPU"},    \
        {"speedup", DUET_OPTION_DECIMAL,                                                           \
         "15",      1,                                                                             \
         1000000,   NULL,                                                                          \
         "",        "how many times as long a task takes on a CPU, in the mean"},                  \
    {                                                                                              \
        "cost", DUET_OPTION_INTEGER, "0", 0, 1000000, NULL, "",                                    \
            "highest cost of an edge between processors; 0: plain precedence"                      \
    }

// A graph in the making. The first failure sticks.
typedef struct duet_family_draft {
    duet_family_request *request;
    duet_builder *builder;
    duet_error *error;
    duet_code code;
    int64_t tasks;
    const int64_t *data; // bytes that each task sends along its edges; NULL: edges have costs
    int64_t cost;        // the highest
    duet_random *costs;  // where they are drawn from: the request's numbers where nobody sets it
    int64_t *seen;       // by duet_family_draft_choose(): the draw that a task was last chosen in
    int64_t draws;
} duet_family_draft;

// Names the instance and adds the request's n tasks t0, t1, ... with their times. Freed by
// duet_family_draft_end(), also after a failure; that returns its code.
duet_family_draft duet_family_draft_begin(duet_family_request *request, duet_builder *builder,
                                          const char *family, duet_error *error);
// The same for tasks that are there already, as many as the request has; edges have no costs.
duet_family_draft duet_family_draft_over(duet_family_request *request, duet_builder *builder,
                                         duet_error *error);
duet_code duet_family_draft_end(duet_family_draft *draft);

// Adds an edge of drawn cost.
void duet_family_draft_join(duet_family_draft *draft, int64_t from, int64_t to);
// Adds edges to `to` from `count` different tasks of low .. high, drawn at random; from all of them
// where there are no more.
void duet_family_draft_choose(duet_family_draft *draft, int64_t low, int64_t high, int64_t count,
                              int64_t to);

// The families' edges. Nothing is done after a failure.
void duet_layered_join(duet_family_draft *draft, int64_t width, int64_t degree);
void duet_fork_join(duet_family_draft *draft, int64_t width);
void duet_chains_join(duet_family_draft *draft, int64_t chains);
// `parallel`: in thousandths.
void duet_series_parallel_join(duet_family_draft *draft, int64_t parallel);
typedef struct duet_daggen_shape {
    int64_t width, regularity, density; // in thousandths
    int64_t jump;
} duet_daggen_shape;
void duet_daggen_join(duet_family_draft *draft, const duet_daggen_shape *shape);

// That shape by options for which these are the rows.
#define DUET_DAGGEN_OPTIONS                                                                        \
    {"width", DUET_OPTION_DECIMAL,                                                                 \
     "0.5",   0,                                                                                   \
     1000,    NULL,                                                                                \
     "",      "a level has n^width tasks in the mean: 0 is a chain, 1 independent tasks"},         \
        {"regularity", DUET_OPTION_DECIMAL,                                                        \
         "0.9",        0,                                                                          \
         1000,         NULL,                                                                       \
         "",           "how alike the sizes of levels are: 1 is equal"},                           \
        {"density", DUET_OPTION_DECIMAL,                                                           \
         "0.5",     0,                                                                             \
         1000,      NULL,                                                                          \
         "",        "how many tasks of the level before a task waits for: 1 is up to all"},        \
    {                                                                                              \
        "jump", DUET_OPTION_INTEGER, "1", 1, 1000, NULL, "",                                       \
            "how many levels an edge goes down, at most"                                           \
    }
duet_daggen_shape duet_daggen_chosen(const duet_family_request *request);

// A CPU time: `speedup`, in thousandths, times as long as that on a GPU, times a random factor.
int64_t duet_family_cpu_time(int64_t gpu, int64_t speedup, duet_fixed factor);
// n^power for a power in thousandths, in 1 .. n; 1 where it is 0.
int64_t duet_family_power(int64_t n, int64_t power);

#endif
