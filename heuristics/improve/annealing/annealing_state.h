// SPDX-License-Identifier: Apache-2.0
// The state of the annealing search, and the order of its files: annealing.c calls all others;
// pairs.c and cycles.c call draws.c, starts.c and moves.c, cycles.c also exchange.c; all call
// tables.c.
#ifndef DUET_HEURISTICS_IMPROVE_ANNEALING_ANNEALING_STATE_H
#define DUET_HEURISTICS_IMPROVE_ANNEALING_ANNEALING_STATE_H

#include "core/number/random.h"
#include "core/system/vec.h"
#include "heuristics/improve/annealing/annealing.h"
#include "heuristics/improve/pair_table.h"
#include "heuristics/improve/task_lists.h"

// Entries of a class in the table of types, and of the table of thresholds: powers of two.
enum { DUET_ANNEALING_SLOTS = 32, DUET_ANNEALING_THRESHOLDS = 4096 };

// Bytes that runs over pairs take.
#define DUET_ANNEALING_PAIR_BYTES                                                                  \
    ((size_t)DUET_PAIR_TABLE_CELLS * sizeof(int16_t) +                                             \
     ((size_t)DUET_PAIR_TABLE_MOST + 1) * sizeof(int32_t))

// How a run ended: the makespan of the best schedule by then, and the work that the last one had
// above anything shorter. Runs that begin at the best schedule cannot be told apart by makespans.
typedef struct duet_annealing_end {
    int64_t best;
    int64_t excess;
} duet_annealing_end;

// What a run is drawn with.
typedef struct duet_annealing_draw {
    double hot;     // first temperature, in units of the mean weighted time of a task
    double cooling; // first temperature divided by the last one
    double work;    // what weighted work costs, beside the same work above the limit
    double tilt;    // the cost of work above the limit is changed by up to e^tilt, by type
    double bias;    // how much dearer a type may be that a task is proposed for, as `hot`
    double low;     // the limit is this share of the gap below the best schedule
    double loaded;  // this share of the moves begin at the longer one of two processors
    double kind[3]; // probability of: one task elsewhere; two exchanged; one for two
    duet_annealing_end end;
} duet_annealing_draw;

enum { DUET_ANNEALING_KEPT = 4 };

// A processor, with the tasks that it runs.
typedef struct duet_annealing_processor {
    int64_t load;
    uint32_t *task;
    uint32_t count;
    uint32_t type;
} duet_annealing_processor;

enum {
    DUET_ANNEALING_FIRST_PRICE, // of work above the limit, times the best makespan
    DUET_ANNEALING_RISING,      // the share of the run in which the price rises
    DUET_ANNEALING_HOT,         // the first temperature, in units of the slack of a processor
    DUET_ANNEALING_COOLING,     // the last temperature is this share of the first one
    DUET_ANNEALING_WIDE, // a task stays where it would cost so much of the whole slack elsewhere
    DUET_ANNEALING_PAIR_PARAMETERS
};

enum { DUET_ANNEALING_VALUES = 6 };

// What a run over pairs or of cycles is drawn with, and how it ended.
typedef struct duet_annealing_values {
    double value[DUET_ANNEALING_VALUES];
    duet_annealing_end end;
} duet_annealing_values;

// Those of the runs that ended best, the best first.
typedef struct duet_annealing_keeps {
    duet_annealing_values kept[DUET_ANNEALING_KEPT];
    size_t count;
} duet_annealing_keeps;

// Two processors whose tasks are divided anew, and room for the ways to do so.
typedef struct duet_annealing_pair {
    bool allowed; // there is memory for such runs, and tables for most pairs
    uint32_t processor[2];
    int64_t fixed[2]; // work of the tasks that stay
    size_t tasks;     // of both that may change
    uint32_t task[DUET_PAIR_TABLE_TASKS];
    int64_t time[2][DUET_PAIR_TABLE_TASKS];
    bool first[DUET_PAIR_TABLE_TASKS]; // those that the first processor gets
    duet_pair_table table;
    int32_t *cost;     // by the work on the first processor; from its first use on
    int64_t steps;     // of all runs
    int64_t too_large; // of them: there was no table for the pair
    duet_annealing_keeps keeps;
} duet_annealing_pair;

struct duet_annealer {
    // Inputs.
    const duet_instance *instance;
    uint32_t tasks;
    size_t types;
    uint32_t begin[DUET_MAX_TYPES + 1]; // the processors of type t are begin[t] .. begin[t+1]-1

    // Tables: tasks with equal times share a row.
    size_t classes;
    int64_t *time;      // classes x types
    uint8_t *slot;      // classes x slots: types, each as often as it is to be proposed
    uint32_t *class_of; // task
    double weight[DUET_MAX_TYPES];
    double scale;  // the mean of the tasks' least weighted times
    double spread; // about the mean, if they are uniform from 0; less where they are near-equal
    float threshold[DUET_ANNEALING_THRESHOLDS]; // of an exponential distribution

    // The schedule of the walk.
    duet_annealing_processor *processor;
    uint32_t *processor_of; // task
    uint32_t *position;     // task, among those of its processor
    uint32_t *best_of;      // processor of a task in the best schedule
    int64_t best;           // its makespan
    int64_t target;

    // A run.
    int64_t limit;
    int64_t excess;              // work above the limit
    int64_t least;               // the least excess since the limit was set
    double over[DUET_MAX_TYPES]; // what a tick above the limit costs
    double tick[DUET_MAX_TYPES]; // what any tick costs
    double low;
    uint32_t loaded;   // moves that begin at the longer of two processors, likewise
    uint32_t until[3]; // kinds of moves, as bounds of a random number of 16 bits
    bool failed;       // a list could not grow
    duet_annealing_pair pair;
    bool cycles_allowed;                  // there is memory for runs of cyclic exchanges
    struct duet_annealing_cycles *cycles; // NULL before the first of them

    // What earlier runs have taught.
    duet_random random;
    duet_annealing_draw kept[DUET_ANNEALING_KEPT]; // the best first
    size_t keeps;
    int64_t spent;          // moves
    int64_t spent_on_pairs; // of them in runs over pairs
    int64_t spent_on_cycles;
    duet_annealing_end nearest[2];    // of the other runs and of these, for the best makespan
    duet_annealing_end end_of_cycles; // of the last of these
};

// tables.c

// Classes, weights, scale, spread and thresholds.
duet_code duet_annealing_make_tables(duet_annealer *annealer, duet_error *error);
// The types that tasks are proposed for: those little dearer than the cheapest one, and where the
// time is not above `longest` if there is another one.
void duet_annealing_make_slots(duet_annealer *annealer, const duet_context *context, double bias,
                               int64_t longest);
// What a tick above the limit costs on each type: its weight, but never next to nothing, since
// processors of a type without weight must not be too long either.
void duet_annealing_penalties(const duet_annealer *annealer, double *penalty);

// draws.c

// Parameters of the next run: new ones, or some near those that were kept.
duet_annealing_draw duet_annealing_next_draw(duet_annealer *annealer);
void duet_annealing_keep_draw(duet_annealer *annealer, const duet_annealing_draw *draw);
// Draws the same for `count` values, each within its bounds.
duet_annealing_values duet_annealing_draw_values(duet_annealer *annealer,
                                                 const duet_annealing_keeps *keeps,
                                                 const double *low, const double *high,
                                                 size_t count);
void duet_annealing_keep_values(duet_annealing_keeps *keeps, const duet_annealing_values *draw);

// moves.c

static inline int64_t duet_annealing_time(const duet_annealer *annealer, uint32_t task, size_t type)
{
    return annealer->time[(size_t)annealer->class_of[task] * annealer->types + type];
}

// A random number below `count`, from 32 random bits.
static inline uint32_t duet_annealing_pick(uint32_t bits, uint32_t count)
{
    return (uint32_t)((uint64_t)bits * count >> 32);
}

// Makes room for `tasks` tasks more on a processor. Returns whether there is.
static inline bool duet_annealing_reserve(duet_annealer *annealer, uint32_t processor,
                                          uint32_t tasks)
{
    duet_annealing_processor *to = &annealer->processor[processor];
    annealer->failed = duet_vec_reserve(to->task, to->count + tasks, NULL) != DUET_OK;
    return !annealer->failed;
}

void duet_annealing_remove(duet_annealer *annealer, uint32_t task);
void duet_annealing_add(duet_annealer *annealer, uint32_t task, uint32_t processor);
// How a run ends with the schedule of the walk.
duet_annealing_end duet_annealing_end_of(const duet_annealer *annealer);
static inline bool duet_annealing_is_better(duet_annealing_end one, duet_annealing_end other)
{
    return one.best != other.best ? one.best < other.best : one.excess < other.excess;
}
// The largest load.
int64_t duet_annealing_longest(const duet_annealer *annealer);
// Sets the limit below a makespan, by the run's share of the gap to the target.
void duet_annealing_set_limit(duet_annealer *annealer, int64_t makespan);
// To be called where the excess is below annealer->least, the least so far under this limit: keeps
// the schedule where it is the shortest, and lowers the limit where it is met.
void duet_annealing_take_stock(duet_annealer *annealer);
// Proposes moves at one temperature. Ends early where the target is met.
void duet_annealing_propose(duet_annealer *annealer, int64_t moves, double temperature);

static inline int64_t duet_annealing_above(const duet_annealer *annealer, int64_t load)
{
    return load > annealer->limit ? load - annealer->limit : 0;
}

static inline void duet_annealing_set_load(duet_annealer *annealer, uint32_t processor,
                                           int64_t load)
{
    duet_annealing_processor *p = &annealer->processor[processor];
    annealer->excess +=
        duet_annealing_above(annealer, load) - duet_annealing_above(annealer, p->load);
    p->load = load;
}

// starts.c

// The weights of the types, 1 on average of the processors.
void duet_annealing_mean_weights(const duet_annealer *annealer, double *weight);
// Every task where it is cheapest by such weights. Returns the weighted work.
double duet_annealing_place_all(duet_annealer *annealer, const double *weight);

// pairs.c

// Whether a run over pairs of processors is of use, and fits into `moves` moves.
bool duet_annealing_has_pairs(const duet_annealer *annealer, int64_t moves);
// A run of at most `moves` moves, from a schedule of its own. The walk is then no longer at the
// best schedule.
void duet_annealing_run_pairs(duet_annealer *annealer, const duet_context *context, int64_t moves,
                              duet_annealed *annealed);

// cycles.c (what it shares with exchange.c is in cycles.h)

// Whether a run of cyclic exchanges is of use, and fits into `moves` moves.
bool duet_annealing_has_cycles(const duet_annealer *annealer, int64_t moves);
// The memory that such runs take.
size_t duet_annealing_cycles_bytes(const duet_annealer *annealer);
// A run as over pairs. Its limit is the target or near it.
void duet_annealing_run_cycles(duet_annealer *annealer, const duet_context *context, int64_t moves,
                               duet_annealed *annealed);
void duet_annealing_free_cycles(struct duet_annealing_cycles *cycles); // NULL is allowed

#endif
