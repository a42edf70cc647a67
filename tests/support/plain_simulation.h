// SPDX-License-Identifier: Apache-2.0
// A plain simulation where real times differ from planned ones: it looks at every task and every
// processor at every instant and keeps lists as arrays. Rules eft and qa, with queues and on idle
// processors; plans by order and by allocation; one slow and one lost processor.
#ifndef DUET_TESTS_SUPPORT_PLAIN_SIMULATION_H
#define DUET_TESTS_SUPPORT_PLAIN_SIMULATION_H

#include <duet/instance.h>
#include <duet/solution.h>

enum { PLAIN_TASKS = 40, PLAIN_PROCESSORS = 3, PLAIN_TYPES = 3 };

typedef enum plain_way {
    PLAIN_EFT,      // with queues
    PLAIN_QA,       // the same
    PLAIN_EFT_IDLE, // on idle processors
    PLAIN_ORDER,
    PLAIN_ALLOCATION,
    PLAIN_WAYS
} plain_way;

typedef enum plain_stage {
    PLAIN_HIDDEN,
    PLAIN_READY,
    PLAIN_BOUND,
    PLAIN_STARTED,
    PLAIN_DONE
} plain_stage;

typedef struct plain_simulation {
    const duet_instance *instance;
    plain_way way;
    int64_t tasks;
    int64_t now;
    int64_t real[PLAIN_TASKS * PLAIN_TYPES];
    plain_stage stage[PLAIN_TASKS];
    duet_placement at[PLAIN_TASKS];
    int64_t end[PLAIN_TASKS]; // real
    int64_t line[PLAIN_TYPES][PLAIN_PROCESSORS][PLAIN_TASKS];
    int64_t length[PLAIN_TYPES][PLAIN_PROCESSORS];
    bool gone[PLAIN_TYPES][PLAIN_PROCESSORS];
    int64_t left[PLAIN_TYPES]; // processors that are not gone
    int64_t lost;              // runs
    // Disturbances.
    size_t slow_type, fail_type;
    int64_t slow_processor, slow_at, slow_factor, fail_processor, fail_at;
    bool slow, fail;
    // The plan: the task at each place, and the place of each task.
    int64_t order[PLAIN_TASKS];
    int64_t place[PLAIN_TASKS];
    int32_t planned_type[PLAIN_TASKS];
} plain_simulation;

// Prepares a simulation: the processors of the instance, and nothing has run.
void plain_simulation_begin(plain_simulation *s, const duet_instance *instance, plain_way way);
// Takes a plan, and its lines where the order is kept.
void plain_simulation_plan(plain_simulation *s, const duet_solution *plan);
// Runs with s->real, the real time of every task on every type, and the disturbances of `s`. Then
// `at` says where each task ran, and `lost` how many runs were given up.
void plain_simulation_run(plain_simulation *s);

#endif
