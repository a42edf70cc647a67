// SPDX-License-Identifier: Apache-2.0
// What the two files of cyclic exchanges share: cycles.c has the runs, exchange.c finds and makes
// one exchange.
#ifndef DUET_HEURISTICS_IMPROVE_ANNEALING_CYCLES_H
#define DUET_HEURISTICS_IMPROVE_ANNEALING_CYCLES_H

#include <math.h>

#include "heuristics/improve/annealing/annealing_state.h"

enum {
    DUET_CYCLES_PROCESSORS = 64, // at most: bits of a word
    DUET_CYCLES_TASKS = 6        // of one cycle at most
};

// A task in the order of times on its processor.
typedef struct duet_cycles_entry {
    int64_t time;
    uint32_t task;
} duet_cycles_entry;

typedef struct duet_cycles_row {
    duet_cycles_entry *entry;
    uint32_t count;
} duet_cycles_row;

// A type that a task may go to, and what it costs there.
typedef struct duet_cycles_place {
    float cost;
    uint32_t type;
} duet_cycles_place;

struct duet_annealing_cycles {
    uint32_t processors;
    duet_cycles_row row[DUET_CYCLES_PROCESSORS]; // tasks that have several types to run on
    duet_cycles_entry *entries;                  // of all rows
    uint32_t *candidate;                         // tasks that have several types
    uint32_t candidates;
    uint32_t *first;          // task: where its types begin
    duet_cycles_place *place; // types that are little dearer than the cheapest one, that first
    int64_t steps;            // of all runs
    duet_annealing_keeps keeps;
};

// A run, as it was drawn and as it stands.
typedef struct duet_cycles_run {
    duet_annealer *annealer;
    duet_annealing_values draw;
    double weight[DUET_MAX_TYPES]; // 1 on average of the processors
    double over[DUET_MAX_TYPES];   // what a tick above the limit costs
    double work;                   // what weighted work costs
    double wide;                   // how much dearer than where it is cheapest a task may be
    double hot;
    int64_t window;   // how much shorter than the limit a processor may become
    uint32_t longest; // tasks of a cycle
    int64_t steps;

    // The cycle that a step builds.
    uint32_t start; // its first processor
    int64_t left;   // the load there without the first task
    double relief;  // what the start costs above the limit before the step
    double bound;   // of what the exchange may cost
    uint64_t used;  // bits of processors
    uint32_t length;
    uint32_t task[DUET_CYCLES_TASKS];
    uint32_t to[DUET_CYCLES_TASKS];
    int looks; // at tasks and their types
} duet_cycles_run;

// What a task costs on a type; INFINITY where it may not run or ends beyond the limit.
static inline double duet_cycles_cost(const duet_cycles_run *run, uint32_t task, size_t type)
{
    int64_t time = duet_annealing_time(run->annealer, task, type);
    bool usable = time != DUET_FORBIDDEN && time <= run->annealer->limit;
    return usable ? run->weight[type] * (double)time : INFINITY;
}

// The task enters the order of its processor.
void duet_cycles_insert(const duet_cycles_run *run, uint32_t task, uint32_t processor);
// One step: looks for an exchange that begins with a random task, and makes it where the cost does
// not rise by more than a random amount, by the temperature. Returns what it cost, in moves.
int64_t duet_cycles_step(duet_cycles_run *run, double temperature);

#endif
