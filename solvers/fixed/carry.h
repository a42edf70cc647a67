// SPDX-License-Identifier: Apache-2.0
// Carrying out an order: the tasks that are left, one after another, each as early as what is given
// and what was placed before it allow.
#ifndef DUET_SOLVERS_FIXED_CARRY_H
#define DUET_SOLVERS_FIXED_CARRY_H

#include "core/solution/solution.h"
#include "core/system/vec.h"
#include "solvers/fixed/model.h"

// Where a task is.
typedef struct duet_fixed_place {
    int64_t start, end;
    duet_processor_set set; // of the whole; borrowed, or one range in `own`
    duet_processor_range own;
} duet_fixed_place;

// What is wanted of a task: a type and a size, and processors.
typedef struct duet_fixed_choice {
    int32_t type;
    int64_t size;           // 1 where tasks are sequential
    duet_processor_set set; // borrowed; no range: any
} duet_fixed_choice;

typedef struct duet_carry {
    const duet_fixed_model *m;
    duet_error *error;
    duet_arena arena;
    duet_fixed_place *place; // of each task of the whole; those that are given stay
    int64_t *free_at;        // of each processor
    // Sets that were chosen.
    duet_processor_range **kept; // of each task of the rest: a block of its own
    int64_t *sorted;             // work space, an entry per processor
    int32_t *chosen;             // work space, an entry per processor
} duet_carry;

// Where a task goes of which `choice` names processors or a type.
typedef enum duet_carry_way {
    DUET_CARRY_PLACES, // on these processors
    DUET_CARRY_TYPES,  // on those of the type where it starts first
    DUET_CARRY_ENDS,   // where it ends first, on any type; moldable tasks go as by types
} duet_carry_way;

// Free it whatever comes back. DUET_E_MEMORY.
duet_code duet_carry_create(const duet_fixed_model *model, duet_carry *carry, duet_error *error);
void duet_carry_free(duet_carry *carry);

// Places the tasks in an order in which predecessors come first, each where `choice` and `way` have
// it. Sets *makespan: of these and the given tasks, DUET_FORBIDDEN where a task has no place there;
// any number above `limit` where it is more than that. DUET_E_MEMORY.
duet_code duet_carry_out(duet_carry *carry, const int32_t *order, const duet_fixed_choice *choice,
                         duet_carry_way way, int64_t limit, int64_t *makespan);

// What a task of the rest takes on a set; DUET_FORBIDDEN where it cannot run there.
int64_t duet_carry_time(const duet_carry *carry, int64_t task, duet_processor_set set);
// Its start there at the earliest, not before `from` and after what was placed before;
// DUET_FORBIDDEN where it cannot start, or not at the start that is given.
int64_t duet_carry_earliest(const duet_carry *carry, int64_t task, duet_processor_set set,
                            int64_t from);
// Puts it there.
void duet_carry_put(duet_carry *carry, int64_t task, duet_processor_set set, int64_t start);

// Puts what was placed, and what is given, into the place of the schedule of a solution of the
// whole. DUET_E_MEMORY.
duet_code duet_carry_write(const duet_carry *carry, duet_solution *solution, duet_error *error);

#endif
