// SPDX-License-Identifier: Apache-2.0
// Inside of the learning search. A file calls only those before it in this order:
//   engine    lazy clause generation (engine.h, with files of its own)
//   model     the variables of a graph
//   rules     what holds of every schedule: times, edges, orders, processors, twins
//   rows      prices of processors, for the work of intervals
//   energy    energetic reasoning, with explanations
//   capacity  whether the earliest starts are a schedule; a crowd: tasks too many for their type
//   log       what a proof needs of what was learned
//   schedule  the schedule of the earliest starts, and values as in the best one
//   search    decisions, restarts and the guess
#ifndef DUET_SOLVERS_GRAPH_LEARN_LEARN_STATE_H
#define DUET_SOLVERS_GRAPH_LEARN_LEARN_STATE_H

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "lp/graph/network.h"
#include "solvers/graph/learn/engine.h"
#include "solvers/graph/learn/learn.h"
#include "solvers/graph/learn/tuning.h"

// Prices at which the work that must be in an interval is added up: that of all tasks, each on its
// cheapest type, or that of the tasks on one type or one processor.
typedef struct duet_learn_row {
    const int64_t *price; // Per type, the price of a tick of work there; borrowed.
    int64_t supply;       // The sum of the prices of all processors, which a tick offers.
    int32_t type;         // Only this type counts, at price 1; -1: all types count.
    int32_t processor;    // Only this processor counts; -1: all processors count.
} duet_learn_row;

// One of the types on which a task may still run.
typedef struct duet_learn_option {
    int64_t time;  // The time of the task there.
    int64_t price; // The price of a tick of its work there.
    int32_t type;  // The number of the type.
} duet_learn_option;

// A task as a row counts it, with its present window and types.
typedef struct duet_learn_job {
    duet_learn_literal guard; // It counts if this holds (a row of one type); side -1: always.
    size_t options_at;        // The place of its first option in `option`.
    int32_t options;          // The number of its options.
    int32_t task;
    bool counts;  // Its work is added: the guard holds, or work costs something on all its options.
    bool changed; // Its window or types changed since intervals were weighed.
    int64_t earliest; // Its earliest start.
    int64_t latest;   // Its latest end.
    int64_t late;     // Its latest start, on the option of the shortest time.
    size_t ends_at;   // The place of its latest end among the ends of intervals.
} duet_learn_job;

// The least work of a job in intervals [from, to] of one beginning, as a function of `to`.
typedef struct duet_learn_ramp {
    int64_t begin;    // It is 0 while `to` is at most this.
    int64_t full;     // It is `most` once `to` is at least this.
    int64_t most;     // The largest value, priced.
    int64_t price;    // Between the two it grows by this a tick; 0: the job has several options.
    size_t begins_at; // The first end of intervals that is after `begin`.
    size_t full_at;   // The first one that is not before `full`.
} duet_learn_ramp;

// How the sum of ramps with one option changes at an end of intervals: it is `level` plus `slope`
// times the end from there on. Both are modulo 2^64.
typedef struct duet_learn_bend {
    uint64_t level;
    uint64_t slope;
} duet_learn_bend;

// The most that a job could take of an interval beyond the least that it takes there.
typedef struct duet_learn_gain {
    int64_t most;  // This much, priced, at most.
    int64_t until; // It is nothing unless the interval begins before this.
    int64_t since; // It is nothing unless the interval ends after this.
    size_t job;    // The place of the job in `job`.
} duet_learn_gain;

// An interval with the work that must be in it.
typedef struct duet_learn_interval {
    const duet_learn_row *row;
    int64_t from;
    int64_t to;
    int64_t supply; // What the processors can do.
    int64_t demand; // The work of all jobs.
} duet_learn_interval;

// What a variable is.
typedef enum duet_learn_subject {
    DUET_LEARN_SAYS_TRUE,  // The constant 1, which is variable 0.
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
    int32_t a; // The task or the edge; 0: there is none.
    int32_t b; // The type, the processor or the other task; 0: there is none.
} duet_learn_meaning;

// A line of the proof: a fact, which is one step, or a nogood.
typedef struct duet_learn_line {
    size_t literals_at; // The place of a nogood's first literal in `literals`.
    size_t steps_at;    // The place of the line's first step in `steps`.
    int32_t literals;   // The number of literals; 0 for a fact.
    int32_t steps;      // The number of steps. The last step of a nogood is the conflict.
    int64_t nogood;     // The number of the nogood; -1: the line is a fact.
} duet_learn_line;

// What was learned, as far as a proof needs it.
typedef struct duet_learn_log {
    duet_learn_line *line;
    size_t lines;             // The number of lines.
    duet_learn_steps steps;   // The steps of all lines.
    duet_learn_list literals; // The literals of all nogoods.
} duet_learn_log;

// The best schedule: the one to beat, or a shorter one that was found.
typedef struct duet_learn_best {
    duet_placement *placement; // Per task, its placement.
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
    int32_t processors; // The processors of all types, no more of one than there are tasks.
    int32_t begin[DUET_MAX_TYPES + 1]; // Processors of type t: begin[t] .. begin[t + 1] - 1.
    const duet_learn_sizes *sizes;     // What types are of moldable tasks; NULL: sequential ones.
    uint64_t placed; // Bit t is set if data take time between processors of type t: then variables
                     // say on which of them a task is.

    // Variables.
    duet_learn_engine engine;
    duet_arena arena;         // It holds the arrays but for the three by variable or side.
    duet_arena by_variable;   // It holds those: `meaning`, `task_of` and `value`.
    int32_t *start;           // Per task, the variable of its start.
    int32_t *end;             // Per task, the variable of its end.
    duet_learn_literal *on;   // Per task and type, that the task is on the type.
    duet_learn_literal *wide; // Per moldable task and type, that it is on that type or on one of
                              // more processors of the same cluster.
    int32_t *at;     // Per task and processor, the variable that it is there; -1: there is none.
    int32_t *before; // Per two tasks, the variable that the first ends before the second starts;
                     // -1: there is none, as the graph orders them or they share no type.
    int32_t *order;  // The tasks by their number of ancestors, a topological order.
    bool *reaches;   // Per two tasks, whether the first is an ancestor of the second.
    duet_learn_meaning *meaning; // Per variable, what it is.
    int32_t *twin;    // Per task, the interchangeable task that starts no later; -1: none.
    int32_t *crowd;   // The tasks of all crowds, to which rules refer by place and number.
    size_t crowds;    // The length of `crowd`.
    int32_t *task_of; // Per side, the task whose work in intervals depends on its bound; -1: none.

    // Energetic reasoning: the rows, and workspace for one of them.
    duet_learn_row *row;
    size_t rows; // The number of rows.
    // The price vectors of all rows: one for each type (or cluster) alone, then one for all types
    // together.
    int64_t *price;
    bool *changed;    // Per task, whether its window or types changed since intervals were weighed.
    bool any_changed; // Some task changed.
    duet_learn_job *job;
    size_t jobs;               // The number of jobs in the row.
    duet_learn_option *option; // The options of all jobs.
    int32_t *by_start;         // The tasks by their earliest starts, as of the last time.
    int32_t *by_end;           // The tasks by their latest ends, as of the last time.
    int32_t *by_late;          // Per row, the tasks by their latest starts, as of the last time.
    int32_t *by_gain;          // Per row, the tasks by what they may gain, as of the last time.
    int64_t *key;              // Per task, by what tasks are sorted.
    int32_t *job_of;           // Per task, its place in `job`; -1: it has none.
    size_t *live;              // The jobs that may start before some time, and work after it.
    size_t lives;              // The number of these.
    size_t *several;           // The jobs of several options, by `begin` of their ramps.
    size_t several_count;      // The number of these.
    size_t *moved;             // The jobs that have changed and may run after some time.
    size_t moves;              // The number of these.
    int64_t *beginning;        // The beginnings of intervals.
    int64_t *ending;           // The ends of intervals.
    duet_learn_ramp *ramp;     // Per job that counts, its ramp for the present beginning.
    int64_t most;              // The sum of what ramps add at most.
    duet_learn_bend *bend;     // Per end of intervals, the change there.
    size_t *active;            // The jobs of several options whose ramps are under way.
    duet_learn_gain *gain;     // The most that jobs could take beyond that, the largest first.
    size_t gains;              // The number of jobs that could.
    int64_t *share;            // Per job, its priced work in the interval.
    size_t *sorted;            // The jobs with work in the interval, by rising work.
    duet_learn_list why;       // The premises of a conclusion, or the literals of a clause.

    // The search.
    duet_learn_best best;
    int64_t lower;    // A proven lower bound: no schedule is shorter.
    bool *value;      // Per variable, its value in the best schedule (phase saving).
    int32_t *running; // Workspace: some tasks, such as those of a crowd.
    int32_t *as;     // Workspace: per task of a crowd, the type as of which it counts (see `wide`).
    int64_t restart; // The search restarts when engine.conflicts reaches this.
    int64_t restarts;     // The number of restarts so far.
    size_t most_literals; // Some clauses are forgotten when all have more literals than this.
    int64_t glance;       // The clock is looked at when engine.work reaches this.
    bool is_crowded;      // All literals of a crowd's clause are false: engine.conflict has it.
    bool proven;          // No schedule is shorter than the best one.
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

// That a task is on this type or on one of more processors of the same cluster; if tasks are
// sequential, that it is on this type.
static inline duet_learn_literal duet_learn_wide(const duet_learn *s, int32_t task, size_t type)
{
    return (s->sizes != NULL ? s->wide : s->on)[(size_t)task * s->types + type];
}

static inline bool duet_learn_allows(const duet_learn *s, int32_t task, size_t type)
{
    return !duet_learn_fails(&s->engine, duet_learn_on(s, task, type));
}

// Returns the type on which a task is; one of them must hold.
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

// Returns the number of processors of a type, as numbered in `begin`.
static inline int32_t duet_learn_count(const duet_learn *s, size_t type)
{
    return s->begin[type + 1] - s->begin[type];
}

// Returns the variable that task i ends before task j starts; -1: there is none.
static inline int32_t duet_learn_order(const duet_learn *s, int32_t i, int32_t j)
{
    return s->before[(size_t)i * (size_t)s->tasks + (size_t)j];
}

// Returns the variable that a task is on a processor; -1: there is none.
static inline int32_t duet_learn_at(const duet_learn *s, int32_t task, int32_t processor)
{
    return s->at[(size_t)task * (size_t)s->processors + (size_t)processor];
}

// Returns the earliest start of a task.
static inline int64_t duet_learn_earliest(const duet_learn *s, int32_t task)
{
    return s->engine.bound[2 * (size_t)s->start[task]];
}

// Returns the latest end of a task.
static inline int64_t duet_learn_latest(const duet_learn *s, int32_t task)
{
    return -s->engine.bound[2 * s->end[task] + 1];
}

// --- model ---------------------------------------------------------------------------------------

// Makes the variables, and room for all else. Sets `*fits` to whether the graph is not too large;
// if it is, nothing is made. DUET_E_MEMORY.
duet_code duet_learn_make_variables(duet_learn *s, bool *fits, duet_error *error);

// --- rules ---------------------------------------------------------------------------------------

// Adds the clauses and arcs of the model, and what holds at once. DUET_E_MEMORY.
duet_code duet_learn_state_rules(duet_learn *s, duet_error *error);
// Notes a crowd, tasks that are too many for a type, and returns its rule. That is
// DUET_LEARN_BY_NONE if no proof is wanted.
duet_learn_rule duet_learn_forbid(duet_learn *s, size_t type, const int32_t *task, size_t count);

// --- rows ----------------------------------------------------------------------------------------

// Chooses the rows and their prices. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_learn_choose_rows(duet_learn *s, duet_error *error);
// Sorts tasks by s->key, then by number. They are nearly in order.
void duet_learn_sort_again(const duet_learn *s, int32_t *order);
// Lists the jobs of a row in the present state, with their options, in s->job, by rising `late`.
// Returns false if none of them counts.
bool duet_learn_list_jobs(duet_learn *s, const duet_learn_row *row);

// --- needs ---------------------------------------------------------------------------------------

// How much of a time must be in an interval.
static inline int64_t duet_learn_overlap(int64_t time, const duet_learn_job *job, int64_t from,
                                         int64_t to)
{
    int64_t least = duet_min(time, to - from);
    least = duet_min(least, job->earliest + time - from);
    least = duet_min(least, to - job->latest + time);
    return duet_max(least, 0);
}

// A job's work in an interval.
static inline int64_t duet_learn_work_in(const duet_learn *s, const duet_learn_job *job,
                                         int64_t from, int64_t to)
{
    int64_t least = INT64_MAX;
    const duet_learn_option *option = s->option + job->options_at;
    for (int32_t o = 0; o < job->options; o++) {
        int64_t priced = option[o].price * duet_learn_overlap(option[o].time, job, from, to);
        least = duet_min(priced, least);
    }
    return job->counts ? least : 0;
}

// Adds to s->why that a task starts no earlier than `start` and ends no later than `end`.
void duet_learn_need_window(duet_learn *s, int32_t task, int64_t start, int64_t end);
// Sets s->why to why all jobs but one have at least their work in the interval, less `spare` of it
// in all. `but` may be NULL.
void duet_learn_need_others(duet_learn *s, const duet_learn_interval *of, const duet_learn_job *but,
                            int64_t spare);

// --- energy --------------------------------------------------------------------------------------

// Propagates the work of intervals in all rows, if tasks have changed. Returns false if there is a
// conflict.
bool duet_learn_weigh(duet_learn *s);

// --- capacity ------------------------------------------------------------------------------------

// Looks for a crowd if each task starts as early as it may: tasks that are too many for their type
// at one time. All types must be known. Returns the number of its tasks, which are in s->running
// with their types in s->as, and sets `*type`; 0: there is none.
int32_t duet_learn_find_crowd(duet_learn *s, size_t *type);
// Stores the clause that two tasks of the crowd do not overlap, and decides one of its open
// literals. If only one is open, asserts that; if none is, sets s->is_crowded.
void duet_learn_divide_crowd(duet_learn *s, int32_t count, size_t type);

// --- log -----------------------------------------------------------------------------------------

// Adds the new facts to the log, and the last nogood or the contradiction. If that becomes too
// much, or memory runs out, there is no proof.
void duet_learn_log_nogood(duet_learn *s);
void duet_learn_log_free(duet_learn *s);

// --- schedule ------------------------------------------------------------------------------------

// Keeps the schedule in which each task starts as early as it may as the best one.
void duet_learn_keep_schedule(duet_learn *s);
// Sets s->value by the best schedule.
void duet_learn_set_values(duet_learn *s);

#endif
