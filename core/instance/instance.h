// SPDX-License-Identifier: Apache-2.0
// Inside of an instance, for the library's own modules, and how readers build one.
#ifndef DUET_CORE_INSTANCE_INSTANCE_H
#define DUET_CORE_INSTANCE_INSTANCE_H

#include <duet/instance.h>

#include "core/instance/graph.h"
#include "core/names.h"
#include "core/number/decimal.h"

// claim.c
// A claim as read: times not yet in ticks.
typedef struct duet_read_claim {
    const char *algorithm;
    const char *options; // NULL: none
    const char *limit;   // NULL: none
    const char *source;  // NULL: none
    const char *ratio;   // NULL: not stated; else it must be that of the times
    duet_decimal optimum;
    duet_decimal makespan;
    bool refuted;
    const char *file; // place for an error; NULL and 0: none
    int line, column;
} duet_read_claim;

enum { DUET_CLAIM_TEXTS = 4 };

// A claim with the texts it points to.
typedef struct duet_kept_claim {
    duet_claim claim;
    char *text[DUET_CLAIM_TEXTS];
} duet_kept_claim;

// Checks a claim and copies it: an algorithm is named, 0 < optimum <= makespan, the ratio is
// theirs. Its times are mantissas of *places decimal places until duet_claim_scale().
duet_code duet_claim_create(const duet_read_claim *read, duet_kept_claim **out, int *places,
                            duet_error *error);
// Times of `places` decimal places become ticks of `decimals`; false where they are too large.
bool duet_claim_scale(duet_kept_claim *kept, int places, int decimals);
void duet_claim_free(duet_kept_claim *kept); // NULL is allowed

// Makespan / optimum, reduced ("2584/1597", "4"), into `buffer` of at least 80 bytes; returns it.
char *duet_claim_ratio(const duet_claim *claim, char *buffer);

// instance.c
struct duet_context; // core/system/context.h
struct duet_pins;    // core/instance/pins.h

// What a task reads and writes back: which of its parameters, and the task that wrote it before.
typedef struct duet_origin_tile {
    int parameter; // from 0; -1: there is none
    int64_t from;  // -1: main memory
} duet_origin_tile;

// What a task runtime's record said beyond the problem: what a schedule needs that goes back there.
typedef struct duet_origin {
    int64_t *submit_order; // per task, 0 where it had none; NULL where the file had no tasks
    size_t worker_rank[DUET_MAX_TYPES]; // the types' order in the runtime's numbering of workers
    bool dependent;                     // tasks wait for others that the instance leaves out
    // The runtime's workers: those of type t are worker[worker_first[t]], ..., node[] says which
    // memory each of them uses (-1: not known). NULL: they are numbered type by type.
    int64_t *worker;
    int64_t *node;
    size_t worker_first[DUET_MAX_TYPES + 1];
    duet_origin_tile *tile; // per task; NULL where the file says nothing of data
} duet_origin;

void duet_origin_free(duet_origin *origin); // NULL is allowed

// What a schedule that goes to a runtime says of a task.
typedef enum duet_sched_form {
    DUET_SCHED_ANY,    // whatever serves best, the next one where nobody knows
    DUET_SCHED_TYPES,  // all processors of its type, and a priority
    DUET_SCHED_NODES,  // those of the type on its processor's memory node, and a priority
    DUET_SCHED_STRICT, // its processor, and its place in the order there
    DUET_SCHED_FORMS
} duet_sched_form;

// The time of day at time 0 of an instance.
typedef struct duet_clock {
    bool known;
    int64_t day;  // from the first of March of the year 0
    int second;   // of that day
    char zone[8]; // "", "Z" or "+01:00"
} duet_clock;

struct duet_instance {
    char *name;
    char *time_unit;
    char *notice;        // NULL: the reader had nothing to say
    duet_origin *origin; // NULL where it came from no runtime
    int decimals;
    size_t types;
    char *type_names[DUET_MAX_TYPES];
    int64_t processors[DUET_MAX_TYPES];
    bool has_platform;
    duet_sched_form sched; // of what goes to a runtime
    bool mixed_sets;       // a task may use processors of several types at once: all follow laws
    size_t kinds;
    int64_t *first;    // kinds + 1 entries: tasks first[i] .. first[i+1]-1 are of kind i
    int64_t *times;    // kinds x types
    char *ids;         // all ids, each with its final NUL
    size_t *id_at;     // where the id of kind i begins in `ids`
    duet_graph *graph; // NULL where tasks are independent
    struct duet_moldable
        *moldable;          // core/instance/moldable.h; NULL where every task is on one processor
    duet_kept_claim *claim; // NULL: the input claims nothing
    duet_names group_names; // of the groups that the input names (groups.h)
    uint32_t *group;        // per kind, 1 + the number of its name, 0: none; NULL: none has one

    // When tasks and processors are there (problem.md, I4).
    duet_decimal *deadline;        // per kind, in units, DUET_FORBIDDEN: none; NULL: none has one
    duet_decimal *priority;        // per kind, also below 0; NULL: none has one, else 0 is none
    int64_t *release;              // per kind; NULL: all 0
    int64_t *busy[DUET_MAX_TYPES]; // per type: until when its first processors are busy
    int64_t busy_count[DUET_MAX_TYPES];  // of these; the others are free from 0
    int64_t busy_beyond[DUET_MAX_TYPES]; // behind them, of processors that the platform lacks
    int64_t work;                        // total, at most; with `latest` at most DUET_MAX_WORK
    int64_t latest;         // the largest release, end of a busy time, or end of what is given
    struct duet_pins *pins; // what is given of tasks, and lost processors; NULL: nothing is
    duet_decimal now;       // from where a plan that is under way goes on, for pictures; 0: none is

    // Power of a processor of each type in watts, while it works (0) and while it is idle (1), for
    // figures of schedules. The first watts_given[i] types have one.
    duet_decimal watts[2][DUET_MAX_TYPES];
    size_t watts_given[2];

    // What people read in place of numbers (clock.h).
    duet_names names[DUET_MAX_TYPES]; // of the first processors of each type
    duet_clock clock;
};

// Time of a kind on a type.
static inline int64_t duet_time(const duet_instance *instance, size_t kind, size_t type)
{
    return instance->times[kind * instance->types + type];
}

static inline int64_t duet_count(const duet_instance *instance, size_t kind)
{
    return instance->first[kind + 1] - instance->first[kind];
}

// Whether a kind may run on a type that has processors.
static inline bool duet_allowed(const duet_instance *instance, size_t kind, size_t type)
{
    return instance->processors[type] > 0 && duet_time(instance, kind, type) != DUET_FORBIDDEN;
}

// The time before which no task of a kind starts.
static inline int64_t duet_release(const duet_instance *instance, size_t kind)
{
    return instance->release == NULL ? 0 : instance->release[kind];
}

// The time until which a processor is busy.
static inline int64_t duet_busy_until(const duet_instance *instance, size_t type, int64_t processor)
{
    return processor < instance->busy_count[type] ? instance->busy[type][processor] : 0;
}

static inline int64_t duet_tasks(const duet_instance *instance)
{
    return instance->first[instance->kinds];
}

// The processors of all types together.
static inline int64_t duet_all_counts(const duet_instance *instance)
{
    int64_t sum = 0;
    for (size_t t = 0; t < instance->types; t++) {
        sum += instance->processors[t];
    }
    return sum;
}

// The shortest time of a kind where it may run, on however many processors, of several types where
// sets may be mixed; DUET_FORBIDDEN where it may not run at all. O(types and lengths of its
// tables).
int64_t duet_shortest_time(const duet_instance *instance, size_t kind);
// The kind of every task; owned by the caller. NULL with DUET_E_MEMORY recorded. O(tasks).
int32_t *duet_kinds_of_tasks(const duet_instance *instance, duet_error *error);

// DUET_OK where the platform is known and every kind has somewhere to run on it; else DUET_E_USAGE
// or DUET_E_INFEASIBLE, naming the kind.
duet_code duet_instance_ready(const duet_instance *instance, duet_error *error);

// Builds an instance line by line. Times come as decimals; the common scale is found at the end:
// exact up to nine places, beyond that the finest that the total work allows. Everything a file can
// do wrong is checked here, once, for all formats.
typedef struct duet_builder duet_builder;

duet_code duet_builder_create(duet_builder **out, duet_error *error);
void duet_builder_free(duet_builder *builder);
// File name for messages. Borrowed: must outlive the builder.
void duet_builder_set_file(duet_builder *builder, const char *file);
duet_code duet_builder_set_name(duet_builder *builder, const char *name, duet_error *error);
duet_code duet_builder_set_time_unit(duet_builder *builder, const char *unit, duet_error *error);
// The unit where none was set, or one whose length is unknown; DUET_E_USAGE where another was.
duet_code duet_builder_default_time_unit(duet_builder *builder, const char *unit,
                                         duet_error *error);
// The same for the seconds of a file that has lengths of time. DUET_E_INPUT: it names another unit.
duet_code duet_builder_take_lengths(duet_builder *builder, duet_error *error);
// The unit so far; NULL or "": none.
const char *duet_builder_time_unit(const duet_builder *builder);
// One more thing that the user should know, behind those that there are.
duet_code duet_builder_add_notice(duet_builder *builder, const char *notice, duet_error *error);
// Times that must be rounded are refused.
void duet_builder_want_exact(duet_builder *builder);
// Rounds every time to the nearest number of `digits` significant digits, 1 to 18; 0: keeps all.
void duet_builder_keep_digits(duet_builder *builder, int digits);
// Times that have to be rounded are rounded so far that all of them may become `room` times as
// long; 0: 1. Those of up to nine places stay exact.
void duet_builder_leave_room(duet_builder *builder, int room);
// What takes long ends with the time of a context, which stays until the instance is finished.
void duet_builder_set_limits(duet_builder *builder, const struct duet_context *limits);
// Edges are counted and forgotten: all tasks are independent, and a notice says so.
void duet_builder_drop_edges(duet_builder *builder);
// A schedule for a runtime fixes the processor of each task and its place there.
void duet_builder_set_sched(duet_builder *builder, duet_sched_form form);
// Takes the origin over.
void duet_builder_set_origin(duet_builder *builder, duet_origin *origin);
// What a runtime said of an instance that was written and is read again: the numbers in its order
// of submission, those of a kind's tasks one after another behind the kind, and the workers of each
// type likewise. DUET_E_INPUT: a kind comes twice. Others than there are tasks are refused in the
// end.
duet_code duet_builder_begin_orders(duet_builder *builder, const char *kind, duet_error *error);
duet_code duet_builder_add_order(duet_builder *builder, int64_t order, duet_error *error);
void duet_builder_begin_workers(duet_builder *builder);
duet_code duet_builder_add_worker(duet_builder *builder, int64_t worker, duet_error *error);
void duet_builder_set_dependent(duet_builder *builder);
// About the platform as given; one without processor counts cannot have a claim.
duet_code duet_builder_set_claim(duet_builder *builder, const duet_read_claim *claim,
                                 duet_error *error);
// One more processor type. count < 0: unknown yet. `line` and `column` place an error (0: none).
duet_code duet_builder_add_type(duet_builder *builder, const char *name, int64_t count, int line,
                                int column, duet_error *error);
// How many processors a type has, where tasks named it before their platform; -1: not known. The
// counts are known where all of them are from the `first` on.
void duet_builder_set_count(duet_builder *builder, size_t type, int64_t count, bool first);
// The time of a kind on one type, as read.
typedef struct duet_read_time {
    duet_decimal value;
    duet_decimal_tail tail;
    bool forbidden;
} duet_read_time;
// A kind, as read. `line` and `column` place an error (0: none).
typedef struct duet_read_kind {
    const char *id; // need not end in NUL
    size_t id_length;
    int64_t count; // of tasks
    const duet_read_time *times;
    size_t time_count;
    int line, column;
} duet_read_kind;
// The times of a kind on one type where it is moldable, as read: a table, or Amdahl's law, or
// neither.
typedef struct duet_read_table {
    const duet_read_time *time; // t(1), t(2), ...
    size_t length;              // 0: no table, the kind's one time counts
    bool law;
    duet_read_time work, alpha; // of the law
} duet_read_table;
// One more kind. The number of times may be given before the types are known (JSON with "tasks"
// before "platform"); it must be the same for all kinds.
duet_code duet_builder_add_kind(duet_builder *builder, const duet_read_kind *kind,
                                duet_error *error);
// The same for tasks that may be moldable: a table for each time.
duet_code duet_builder_add_moldable_kind(duet_builder *builder, const duet_read_kind *kind,
                                         const duet_read_table *tables, duet_error *error);
// And for tasks that follow one law on all types: the kind has no times. The types may come later.
duet_code duet_builder_add_law_kind(duet_builder *builder, const duet_read_kind *kind,
                                    const duet_read_table *law, duet_error *error);
// Each task of the kind that was added last runs on `cores` processors at once, of whichever type.
duet_code duet_builder_set_cores(duet_builder *builder, int64_t cores, duet_error *error);
size_t duet_builder_kinds(const duet_builder *builder);
// The time before which no task of the kind that was added last starts. DUET_E_MEMORY.
duet_code duet_builder_set_release(duet_builder *builder, const duet_read_time *release,
                                   duet_error *error);
// When the tasks of that kind are to have ended; forbidden: there is no such time. DUET_E_MEMORY.
duet_code duet_builder_set_deadline(duet_builder *builder, const duet_read_time *deadline,
                                    duet_error *error);
// The priority of the tasks of that kind. DUET_E_MEMORY.
duet_code duet_builder_set_priority(duet_builder *builder, duet_decimal priority,
                                    duet_error *error);
// The watts of a processor of the type that was added last, while it works or is idle.
void duet_builder_set_watts(duet_builder *builder, bool idle, duet_decimal watts);
// The group of that kind; a text without length says nothing. DUET_E_MEMORY.
duet_code duet_builder_set_group(duet_builder *builder, const char *group, size_t length,
                                 duet_error *error);
// Until when one more processor of a type is busy, from the first on. DUET_E_MEMORY.
duet_code duet_builder_add_busy(duet_builder *builder, size_t type, const duet_read_time *until,
                                duet_error *error);
// The name of one more processor of a type, from the first on. DUET_E_INPUT where it is empty,
// another one's, or there are no more processors, if that is known; DUET_E_MEMORY.
duet_code duet_builder_add_processor_name(duet_builder *builder, size_t type, const char *name,
                                          int line, int column, duet_error *error);
// Forgets what was said of the processors of a type.
void duet_builder_clear_busy(duet_builder *builder, size_t type);

// An end of an edge: a task's id as files write it, or its number.
typedef struct duet_read_end {
    const char *id; // need not end in NUL; NULL: `task` counts
    size_t length;
    int64_t task;
    bool list; // of one end, beside a number: where no task has that id, they are several, with
               // commas, bars or semicolons between them, or else blanks; or none, where it is nan,
               // none or so
} duet_read_end;
// What an edge costs, as read.
typedef enum duet_read_cost_form {
    DUET_COST_NONE,
    DUET_COST_SAME,  // one value between any two processors
    DUET_COST_TABLE, // types x types values
    DUET_COST_DATA   // one value: so much data, whose times duet_builder_set_transfer() gives
} duet_read_cost_form;
typedef struct duet_read_edge {
    duet_read_end from, to;
    duet_read_cost_form form;
    const duet_read_time *cost;
    size_t cost_count; // values
    int line, column;
} duet_read_edge;
// One more edge. Its tasks may come later.
duet_code duet_builder_add_edge(duet_builder *builder, const duet_read_edge *edge,
                                duet_error *error);
// Edges without a cost may stand twice, for what comes before and what waits is both said: they are
// one.
void duet_builder_merge_edges(duet_builder *builder);
// Any edges may stand twice: the input is a multigraph. Of several the largest cost counts, since
// data of all of them have to be there; a notice says so.
void duet_builder_merge_parallel(duet_builder *builder);
// Another cost of an edge that is there: its number among those added. DUET_E_MEMORY.
duet_code duet_builder_change_cost(duet_builder *builder, size_t number, const duet_read_edge *edge,
                                   duet_error *error);
// The task of that id among those so far; -1: there is none, or a kind of several tasks has it.
duet_code duet_builder_known_task(duet_builder *builder, const char *id, size_t length,
                                  int64_t *task, duet_error *error);
// Asks before `count` edges are added that one place of the file stands for, few bytes for many:
// DUET_E_LIMIT where there is no memory for them, DUET_E_INPUT where no graph has as many.
duet_code duet_builder_announce_edges(const duet_builder *builder, duet_uint128 count, int line,
                                      int column, duet_error *error);
// What a message says it expected in the place of an unknown task. Borrowed; NULL: its id.
void duet_builder_expect_ends(duet_builder *builder, const char *expected);
// Data take latency[a][b] + data * per_unit[a][b] from type a to type b, `count` values each: types
// x types, row by row. Either may be NULL: zeros.
typedef struct duet_read_transfer {
    const duet_read_time *latency;
    size_t latency_count;
    const duet_read_time *per_unit;
    size_t per_unit_count;
    int line, column;
} duet_read_transfer;
duet_code duet_builder_set_transfer(duet_builder *builder, const duet_read_transfer *transfer,
                                    duet_error *error);
// The same latency and time per unit between any two processors, whatever the file says.
void duet_builder_set_uniform_transfer(duet_builder *builder, const duet_read_time *latency,
                                       const duet_read_time *per_unit);
// What moldable tasks need to know of a type.
typedef struct duet_read_links {
    const duet_read_time *speed;     // work per unit of time; NULL: not given
    const duet_read_time *bandwidth; // data per unit of time; NULL: no limit
    int line, column;
} duet_read_links;
duet_code duet_builder_set_links(duet_builder *builder, size_t type, const duet_read_links *links,
                                 duet_error *error);
// The network between processors and types: a NULL is 0, and no limit for the bandwidth.
typedef struct duet_read_network {
    const duet_read_time *latency;
    const duet_read_time *inter_latency;
    const duet_read_time *inter_bandwidth;
    int line, column;
} duet_read_network;
duet_code duet_builder_set_network(duet_builder *builder, const duet_read_network *network,
                                   duet_error *error);
// The size of a tick where tasks are moldable: a power of ten, from 10^-DUET_MAX_DECIMALS to 1.
duet_code duet_builder_set_tick(duet_builder *builder, const duet_read_time *tick, int line,
                                int column, duet_error *error);
// The one time of each kind is that of a GPU, whatever its type is called.
void duet_builder_set_gpu_time(duet_builder *builder);
// Whether tasks may use processors of several types at once. duet_builder_finish() refuses that
// where some task follows no law, or several.
void duet_builder_set_mixed_sets(duet_builder *builder, bool mixed_sets);
// How many times longer the next kind takes on a CPU than on a GPU; above 0.
typedef duet_long_decimal duet_next_factor(void *user);
// Gives each kind, which has one time, the other of a CPU and a GPU. DUET_E_USAGE where kinds have
// more times, DUET_E_INPUT where one becomes too long.
duet_code duet_builder_add_other_time(duet_builder *builder, duet_next_factor *next, void *user,
                                      duet_error *error);
// Whether there are edges so far, be they left out, such with amounts of data among those that are
// kept, and moldable tasks.
bool duet_builder_has_edges(const duet_builder *builder);
bool duet_builder_has_data(const duet_builder *builder);
bool duet_builder_is_moldable(const duet_builder *builder);
// Tasks of all kinds so far: the number of the first task of the next one.
int64_t duet_builder_tasks(const duet_builder *builder);
// Types so far, and which of them has that name (duet_builder_types(): none).
size_t duet_builder_types(const duet_builder *builder);
size_t duet_builder_find_type(const duet_builder *builder, const char *name);
const char *duet_builder_type_name(const duet_builder *builder, size_t type);
// Scales the times, checks the whole, and hands the instance over to the caller.
duet_code duet_builder_finish(duet_builder *builder, duet_instance **out, duet_error *error);

#endif
