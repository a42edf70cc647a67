// SPDX-License-Identifier: Apache-2.0
// `duet bench search`: what its parts share.
#ifndef DUET_BENCH_SEARCH_SEARCH_H
#define DUET_BENCH_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/duet.h>

#include "console/options.h"
#include "core/algorithm.h"
#include "core/number/random.h"

enum {
    DUET_SEARCH_MAX_TASKS = 48,
    DUET_SEARCH_MAX_PROCESSORS = 32, // per type
    DUET_SEARCH_MAX_EDGES = DUET_SEARCH_MAX_TASKS * (DUET_SEARCH_MAX_TASKS - 1) / 2,
    DUET_SEARCH_MAX_TIME = 1000000, // so that products of sums stay far below 2^62
    DUET_SEARCH_MOLDABLE_TASKS = 6, // moldable ones, and processors of both types together
    DUET_SEARCH_MOLDABLE_PROCESSORS = 8,
    DUET_SEARCH_HELD = 16 // a processor more does not help at all
};

// A candidate: kinds in the order in which the tasks arrive. Types are CPU and GPU.
typedef struct duet_search_kind {
    int64_t time[2]; // 1 .. DUET_SEARCH_MAX_TIME, or DUET_FORBIDDEN
    int64_t count;
    // Of a moldable kind: where between the least time of a monotone table, 0, and that on one CPU
    // less, DUET_SEARCH_HELD, its time on 2, 3, ... CPUs is. Scales of times do not change it.
    uint8_t held[DUET_SEARCH_MOLDABLE_PROCESSORS - 1];
} duet_search_kind;

typedef struct duet_search_point {
    bool moldable; // kinds have tables on CPUs
    int64_t processors[2];
    size_t kinds;
    duet_search_kind kind[DUET_SEARCH_MAX_TASKS];
    uint64_t before[DUET_SEARCH_MAX_TASKS]; // of a graph: a bit for each kind that a kind waits for
} duet_search_point;

// Where candidates come from.
// What tasks are like.
typedef enum duet_search_shape {
    DUET_SEARCH_INDEPENDENT,
    DUET_SEARCH_GRAPH,   // task graphs: every kind is one task
    DUET_SEARCH_MOLDABLE // moldable tasks on CPUs, sequential on GPUs
} duet_search_shape;

typedef struct duet_search_space {
    int64_t least[2], most[2]; // processors
    int64_t least_tasks, most_tasks;
    int64_t max_time;
    bool accelerated; // no task is slower on the GPU
    bool forbidden;   // tasks may be forbidden on a type
    duet_search_shape shape;
} duet_search_space;

int64_t duet_search_tasks(const duet_search_point *point);
// Whether a kind may run on a type that has processors.
bool duet_search_runs(const duet_search_point *point, size_t kind, size_t type);
// Its time there; DUET_FORBIDDEN where it may not.
int64_t duet_search_time(const duet_search_point *point, size_t kind, size_t type);
// Its times on 1, 2, ... CPUs, as many as there are; returns how many.
size_t duet_search_table(const duet_search_point *point, size_t kind,
                         int64_t table[DUET_SEARCH_MOLDABLE_PROCESSORS]);
void duet_search_remove(duet_search_point *point, size_t kind);
// Inserts a kind that waits for none, there being room for it; exchanges two.
void duet_search_insert(duet_search_point *point, size_t at, duet_search_kind kind);
void duet_search_exchange(duet_search_point *point, size_t a, size_t b);
int64_t duet_search_edges(const duet_search_point *point);
// Whether the candidate lies in the space and every task can run somewhere.
bool duet_search_valid(const duet_search_space *space, const duet_search_point *point);
// The candidate as an instance of the library, owned by the caller; times on a type without
// processors are left out (forbidden).
duet_code duet_search_instance(const duet_search_point *point, const char *name,
                               duet_instance **out, duet_error *error);

// The same in memory that is used again: an instance to look at until the next load.
typedef struct duet_search_scratch {
    duet_instance instance;
    duet_graph graph;
    int32_t tail[DUET_SEARCH_MAX_EDGES];
    int32_t head[DUET_SEARCH_MAX_EDGES];
    int32_t leaving[DUET_SEARCH_MAX_EDGES];
    int32_t entering[DUET_SEARCH_MAX_EDGES];
    int64_t leave_at[DUET_SEARCH_MAX_TASKS + 1];
    int64_t enter_at[DUET_SEARCH_MAX_TASKS + 1];
    int64_t first[DUET_SEARCH_MAX_TASKS + 1];
    int64_t times[2 * DUET_SEARCH_MAX_TASKS];
    size_t id_at[DUET_SEARCH_MAX_TASKS];
    char ids[8 * DUET_SEARCH_MAX_TASKS];
    char names[3][8];
} duet_search_scratch;

void duet_search_scratch_init(duet_search_scratch *scratch);
const duet_instance *duet_search_load(duet_search_scratch *scratch, const duet_search_point *point);

// A random valid candidate.
void duet_search_draw(const duet_search_space *space, duet_random *random,
                      duet_search_point *point);
// Changes a valid candidate into another valid one (now and then the same).
void duet_search_move(const duet_search_space *space, duet_random *random,
                      duet_search_point *point);

// A lower bound on the optimum: the longest task, and the work divided at one price of CPU time in
// GPU time.
int64_t duet_search_lower_bound(const duet_search_point *point);
// The optimum where it is at most `limit`; limit + 1 where it is above; -1 where `effort` nodes of
// the search did not tell. `lower` is a lower bound. Exact integers throughout.
int64_t duet_search_optimum(const duet_search_point *point, int64_t lower, int64_t limit,
                            int64_t effort);

// What is known of a candidate.
typedef enum duet_search_outcome {
    DUET_SEARCH_LOW,      // its ratio is below what was asked for
    DUET_SEARCH_UNKNOWN,  // the optimum took too long, or the algorithm refused
    DUET_SEARCH_RATIO,    // makespan / optimum
    DUET_SEARCH_EXCEEDED, // the same, and it is above the proven ratio
    DUET_SEARCH_FAULT     // a failed call, a schedule shorter than the optimum or refused
} duet_search_outcome;

typedef struct duet_search_value {
    duet_search_outcome outcome;
    int64_t makespan;
    int64_t optimum;
} duet_search_value;

// What judges candidates; one per thread.
typedef struct duet_search_judge {
    const duet_algorithm *algorithm;
    duet_params params;
    duet_context context; // the same
    bool improves;        // the options ask for more than the algorithm
    duet_search_scratch scratch;
    bool audits_all;     // every candidate is audited, not a sample
    int64_t effort;      // nodes per optimum
    int64_t evaluations; // so far
    int64_t unknown;     // of them, without an answer
    char fault[256];     // of the last DUET_SEARCH_FAULT
} duet_search_judge;

// `options` are the algorithm's; borrowed, may be NULL. `memory` in bytes is a run's; 0: 64 MiB.
void duet_search_judge_init(duet_search_judge *judge, const duet_algorithm *algorithm,
                            const duet_options *options, size_t memory);
// Ends a run at the deadline (of duet_clock_ns(); INT64_MAX: none) or where `cancel` (may be NULL)
// is requested: a candidate cut by that is UNKNOWN.
void duet_search_judge_limit(duet_search_judge *judge, int64_t deadline_ns,
                             const duet_cancel *cancel);
// The ratio where it is at least `at_least`. What exceeds the proven ratio is always told. The
// independent checker looks at the schedule of every candidate that has a ratio; of every 64th at
// least, and there no search may find the optimum above the makespan.
duet_search_value duet_search_judge_point(duet_search_judge *judge, const duet_search_point *point,
                                          duet_fraction at_least);
duet_fraction duet_search_ratio(const duet_search_value *value);
// Orders finds: a fault first, then one above the proven ratio, then a larger ratio. -1, 0 or 1.
int duet_search_compare(const duet_search_value *a, const duet_search_value *b);

// A candidate with what is known of it; outcome LOW: none yet.
typedef struct duet_search_find {
    duet_search_point point;
    duet_search_value value;
    int64_t restart; // that found it
    char fault[256];
} duet_search_find;

// Asked before every evaluation: whether to stop.
typedef bool duet_search_stop(void *opaque);

// One restart: where it begins, and how long it may take.
typedef struct duet_search_restart {
    const duet_search_find *from; // without a ratio: a random candidate
    uint64_t seed;
    int64_t evaluations;
} duet_search_restart;

// Anneals once. Leaves the best it saw in best->point, value and fault.
void duet_search_anneal(const duet_search_space *space, duet_search_judge *judge,
                        const duet_search_restart *restart, duet_search_stop *stop, void *opaque,
                        duet_search_find *best);

// Makes the find small: first without giving up any of its ratio, then giving up at most the part
// `loss` of it for smaller and rounder numbers. A find above the proven ratio stays above, a fault
// a fault; what turns out to be either on the way is taken.
void duet_search_shrink(const duet_search_space *space, duet_search_judge *judge,
                        duet_fraction loss, duet_search_stop *stop, void *opaque,
                        duet_search_find *find);

typedef struct duet_search_settings {
    const duet_algorithm *algorithm;
    const duet_options *options;
    duet_search_space space;
    uint64_t seed;
    double seconds;      // <= 0: no limit
    int64_t evaluations; // of all restarts; <= 0: no limit
    int64_t restarts;    // <= 0: no limit
    int64_t loss;        // millionths of the ratio that shrinking may give up
    int threads;
    size_t memory; // bytes of a run; 0: 64 MiB
    bool quiet;
} duet_search_settings;

typedef struct duet_search_result {
    duet_search_find found; // as found
    duet_search_find small; // shrunk
    int64_t evaluations;    // shrinking included
    int64_t unknown;
    int64_t restarts;
    double seconds;
    bool interrupted;
    bool confirmed; // its schedule, by the checker, and its optimum, by `exact`
} duet_search_result;

// Searches until a limit or `cancel` ends it (without a limit, only `cancel`), then shrinks. With
// limits on evaluations or restarts alone the result does not depend on the threads. DUET_E_LIMIT
// where not one candidate had a ratio.
duet_code duet_search_run(const duet_search_settings *settings, const duet_cancel *cancel,
                          duet_search_result *result, duet_error *error);

// Judges the find once more, from outside: duet_solve() on an instance of its own, the independent
// checker and `exact`. A schedule that the checker refuses makes the find a fault. *confirmed:
// whether they settled it in what the settings and `elapsed` seconds leave, but at least one second
// and at most ten, and before `cancel` (may be NULL). DUET_E_INTERNAL where they disagree; whatever
// comes back, the find is there to be shown.
duet_code duet_search_confirm(const duet_search_settings *settings, const duet_cancel *cancel,
                              double elapsed, duet_search_find *find, bool *confirmed,
                              duet_error *error);

// For people, and as a JSON object.
void duet_search_print(const duet_search_settings *settings, const duet_search_result *result,
                       FILE *stream);
duet_code duet_search_json(const duet_search_settings *settings, const duet_search_result *result,
                           FILE *stream, duet_error *error);

// args.c: the command line.
typedef struct duet_search_args {
    duet_cli_args shared;
    duet_search_settings settings;
    const char *algorithm; // as given; NULL: none
    const char *output;    // file of the worst instance; NULL: none
    bool edges;            // the shape of the space, as given
    bool moldable;
} duet_search_args;

extern const duet_cli_syntax duet_search_syntax;
// Completes the settings of a duet_search_args. DUET_E_USAGE, DUET_E_OUTPUT.
duet_code duet_search_args_complete(void *input, duet_error *error);

// search.c: confirms what was found, saves it and shows it on the stream: both whatever the
// confirmation said. Returns the exit code.
int duet_search_finish(const duet_search_args *args, const duet_cancel *cancel,
                       duet_search_result *result, FILE *stream);

#endif
