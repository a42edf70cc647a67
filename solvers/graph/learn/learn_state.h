// SPDX-License-Identifier: Apache-2.0
// Inside of the learning search. A file calls only those before it in this order:
//   engine    what learns (engine.h, with files of its own)
//   model     the variables of a graph
//   rules     what holds of every schedule: times, edges, orders, processors, twins
//   rows      prices of processors, for the work of intervals
//   energy    what the work of intervals says
//   capacity  whether the earliest starts are a schedule; a set of tasks too large for its type
//   log       what a proof needs of what was learned
//   schedule  the schedule of the earliest starts, and values as in the best one
//   search    decisions, restarts and the guess
#ifndef DUET_SOLVERS_GRAPH_LEARN_LEARN_STATE_H
#define DUET_SOLVERS_GRAPH_LEARN_LEARN_STATE_H

#include "core/system/assert.h"
#include "lp/graph/network.h"
#include "solvers/graph/learn/engine.h"
#include "solvers/graph/learn/learn.h"
#include "solvers/graph/learn/tuning.h"

// Work that is added up for all intervals: of all tasks by the least price over their types, or of
// the tasks that must be on one type or one processor.
typedef struct duet_learn_row {
    const int64_t *price; // Per type.
    int64_t supply;       // Of a tick: the prices of all processors.
    int32_t type;         // The only one with a price; -1: all have one.
    int32_t processor;    // The only one that counts; -1: all of the types.
} duet_learn_row;

// What a task may take on a type.
typedef struct duet_learn_option {
    int64_t time;
    int64_t price;
    int32_t type;
} duet_learn_option;

// A task in a row, in the state that is looked at.
typedef struct duet_learn_job {
    duet_learn_literal guard; // If it counts by that alone; else its side is -1.
    size_t options_at;        // Its options.
    int32_t options;
    int32_t task;
    bool counts;      // Its work counts wherever it is. Else it may count on its only option.
    int64_t earliest; // Its start.
    int64_t latest;   // Its end.
    int64_t late;     // Behind that its work begins, wherever it runs, if it ends late.
    size_t ends_at;   // The place of its end among the ends of intervals.
} duet_learn_job;

// What a job adds to the intervals with some beginning.
typedef struct duet_learn_ramp {
    int64_t begin; // It adds nothing to those that end by then.
    int64_t full;  // It adds `most` to those that end there or behind that.
    int64_t most;
    int64_t price; // In between it grows by so much a tick; 0: it has several options.
    size_t job;
} duet_learn_ramp;

// How the work of ramps with one option changes at an end of intervals: so much, and so much for
// each tick since 0. Modulo 2^64.
typedef struct duet_learn_bend {
    uint64_t level;
    uint64_t slope;
} duet_learn_bend;

// The most that a job could take of an interval.
typedef struct duet_learn_gain {
    int64_t most;
    size_t job;
} duet_learn_gain;

// What a variable says.
typedef enum duet_learn_subject {
    DUET_LEARN_SAYS_TRUE,
    DUET_LEARN_SAYS_START, // When task a starts.
    DUET_LEARN_SAYS_END,   // When task a ends.
    DUET_LEARN_SAYS_ON,    // Whether task a is on type b.
    DUET_LEARN_SAYS_AT,    // Whether task a is on processor b.
    DUET_LEARN_SAYS_ORDER, // Whether task a ends before task b starts.
    DUET_LEARN_SAYS_WIDE,  // Whether moldable task a is on type b, or on more processors.
    DUET_LEARN_SAYS_SAME   // Whether both tasks of edge a are on the same processor.
} duet_learn_subject;

typedef struct duet_learn_meaning {
    duet_learn_subject subject;
    int32_t a;
    int32_t b;
} duet_learn_meaning;

// A line of the proof: a fact, which is one step, or a nogood.
typedef struct duet_learn_line {
    size_t literals_at;
    size_t steps_at;
    int32_t literals;
    int32_t steps;  // Of a nogood the last one has no literal.
    int64_t nogood; // Its number; -1: it is a fact.
} duet_learn_line;

// What was learned, as far as a proof needs it.
typedef struct duet_learn_log {
    duet_learn_line *line;
    size_t lines;
    duet_learn_steps steps;
    duet_learn_list literals;
} duet_learn_log;

// What the schedule to beat, or a shorter one, is.
typedef struct duet_learn_best {
    duet_placement *placement; // Per task.
    int64_t makespan;
    bool own; // The search found it.
} duet_learn_best;

struct duet_learn {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    duet_network network;
    int32_t tasks;
    size_t types;
    int32_t processors;
    int32_t begin[DUET_MAX_TYPES + 1]; // Processors of type t: begin[t] .. begin[t + 1] - 1.
    const duet_learn_sizes *sizes;     // What types are of moldable tasks; NULL: sequential ones.
    uint64_t placed;                   // Types of which tasks have a processor each, as bits.

    // Variables.
    duet_learn_engine engine;
    duet_arena arena;
    duet_arena by_variable;
    int32_t *start;           // Per task.
    int32_t *end;             // Per task.
    duet_learn_literal *on;   // Per task and type.
    duet_learn_literal *wide; // Of moldable tasks, per task and type: on it, or on more processors.
    int32_t *at;              // Per task and processor: of types that are placed; else -1.
    int32_t *before;          // Per two tasks: the first ends before the second starts; -1: known.
    int32_t *order;           // The tasks by how many are before each in the graph.
    bool *reaches;            // Per two tasks: the first is before the second in the graph.
    duet_learn_meaning *meaning; // Per variable.
    int32_t *twin;               // Per task: the task like it that starts no later; -1: none.
    int32_t *crowd;              // Tasks that are too many for their type, of all rules.
    size_t crowds;
    int32_t *task_of; // Per side: the task of whose work it says something; -1: none.

    // Energy.
    duet_learn_row *row;
    size_t rows;
    int64_t *price; // Of the row of all types.
    bool *changed;  // Per task: since the rows were looked at.
    bool any_changed;
    duet_learn_job *job;
    size_t jobs;
    duet_learn_option *option;
    int64_t *beginning; // Of intervals.
    int64_t *ending;
    duet_learn_ramp *ramp;
    duet_learn_bend *bend; // Per end of intervals.
    size_t *active;        // Ramps that have begun and not ended.
    duet_learn_gain *gain; // Per job, the largest first.
    int64_t *share;        // Per job: its work in the interval.
    size_t *sorted;        // Jobs with work in it, by their work.
    duet_learn_list why;

    // The search.
    duet_learn_best best;
    int64_t lower;
    bool *value;      // Per variable: as in the best schedule.
    int32_t *running; // Room for tasks.
    int32_t *as;      // And for a type of each: it is on that, or on more processors.
    int64_t restart;  // Conflicts until the next restart.
    int64_t restarts;
    size_t most_literals; // Of all clauses, before some are forgotten.
    int64_t glance;       // The work at which the clock is looked at next.
    bool conflicts;       // The earliest starts violate capacity for good.
    bool proven;
    duet_learn_log log;
};

static inline int64_t duet_learn_time(const duet_learn *s, int32_t task, size_t type)
{
    return s->instance->times[(size_t)s->network.kind[task] * s->types + type];
}

static inline duet_learn_literal duet_learn_on(const duet_learn *s, int32_t task, size_t type)
{
    return s->on[(size_t)task * s->types + type];
}

// That a task takes at least as much of its processors as on this type.
static inline duet_learn_literal duet_learn_wide(const duet_learn *s, int32_t task, size_t type)
{
    return (s->sizes != NULL ? s->wide : s->on)[(size_t)task * s->types + type];
}

static inline bool duet_learn_allows(const duet_learn *s, int32_t task, size_t type)
{
    return !duet_learn_fails(&s->engine, duet_learn_on(s, task, type));
}

// The type that a task is on, if it is known to be on one.
static inline size_t duet_learn_type(const duet_learn *s, int32_t task)
{
    size_t t = 0;
    while (!duet_learn_holds(&s->engine, duet_learn_on(s, task, t))) {
        t++;
        DUET_ASSERT(t < s->types);
    }
    return t;
}

static inline bool duet_learn_is_placed(const duet_learn *s, size_t type)
{
    return (s->placed >> type & 1U) != 0;
}

static inline int32_t duet_learn_count(const duet_learn *s, size_t type)
{
    return s->begin[type + 1] - s->begin[type];
}

static inline int32_t duet_learn_order(const duet_learn *s, int32_t i, int32_t j)
{
    return s->before[(size_t)i * (size_t)s->tasks + (size_t)j];
}

static inline int32_t duet_learn_at(const duet_learn *s, int32_t task, int32_t processor)
{
    return s->at[(size_t)task * (size_t)s->processors + (size_t)processor];
}

static inline int64_t duet_learn_earliest(const duet_learn *s, int32_t task)
{
    return s->engine.bound[2 * (size_t)s->start[task]];
}

static inline int64_t duet_learn_latest(const duet_learn *s, int32_t task)
{
    return -s->engine.bound[2 * s->end[task] + 1];
}

// --- model ---------------------------------------------------------------------------------------

// The variables, and room for all else. *fits: it is not too large. DUET_E_MEMORY.
duet_code duet_learn_make_variables(duet_learn *s, bool *fits, duet_error *error);

// --- rules ---------------------------------------------------------------------------------------

// Clauses and arcs, and what follows. DUET_E_MEMORY.
duet_code duet_learn_state_rules(duet_learn *s, duet_error *error);
// The rule of a set of tasks that is too large for a type.
duet_learn_rule duet_learn_forbid(duet_learn *s, size_t type, const int32_t *task, size_t count);

// --- rows ----------------------------------------------------------------------------------------

// DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_learn_choose_rows(duet_learn *s, duet_error *error);
// The tasks in a row, as they are now, with their options: s->job, sorted by `late`. False: none
// counts.
bool duet_learn_list_jobs(duet_learn *s, const duet_learn_row *row);

// --- energy --------------------------------------------------------------------------------------

// What the work of intervals says where tasks have changed. False: a conflict.
bool duet_learn_weigh(duet_learn *s);

// --- capacity ------------------------------------------------------------------------------------

// Where all types are known: a set of tasks that are too many for their type at some time of the
// earliest starts, in s->running, with what each is on, or on more processors, in s->as. How many;
// 0: there is none.
int32_t duet_learn_find_crowd(duet_learn *s, size_t *type);
// States that two of them do not overlap, and supposes how, or concludes it; or that is a conflict:
// s->conflicts.
void duet_learn_divide_crowd(duet_learn *s, int32_t count, size_t type);

// --- log -----------------------------------------------------------------------------------------

// Notes the facts that are new, and the nogood that was learned last or, where there is a
// contradiction, that. Too much of it, or no memory, and there is no proof.
void duet_learn_log_nogood(duet_learn *s);
void duet_learn_log_free(duet_learn *s);

// --- schedule ------------------------------------------------------------------------------------

// The earliest starts, which are a schedule, become the best one.
void duet_learn_keep_schedule(duet_learn *s);
// The values of the best schedule.
void duet_learn_set_values(duet_learn *s);

#endif
