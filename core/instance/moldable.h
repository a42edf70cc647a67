// SPDX-License-Identifier: Apache-2.0
// Moldable tasks, for the library's own modules: tables of times, laws, links, data of edges, and
// sets of processors.
#ifndef DUET_CORE_INSTANCE_MOLDABLE_H
#define DUET_CORE_INSTANCE_MOLDABLE_H

#include <duet/moldable.h>

#include "core/instance/instance.h"
#include "core/instance/law.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"

// A table of times, t(1) first, in steps: a time for each of the sizes 1 to `dense`, and behind
// them one for each size at which a shorter time begins. A table that was given is dense, unless it
// has *gaps*, sizes on which the task may not run: then a step is a size that is allowed.
typedef struct duet_moldable_table {
    size_t at;       // in `time`
    int64_t length;  // sizes, at least 1
    int64_t dense;   // at least 1; 0 where there are gaps
    int64_t later;   // steps behind them
    size_t size_at;  // of the first of these, in `step_size`
    size_t given_at; // of a table that was given: in `given_time`, as many as it is long
    int32_t law;     // whose table it is; -1: it was given
    int32_t speed;   // for a law: the class of speed
    bool gaps;
} duet_moldable_table;

// Whether all tables have times above 0 for all sizes. Of two exceptions it is the later one.
typedef enum duet_tables_shape {
    DUET_TABLES_FULL,
    DUET_TABLES_GAPS, // some size is not allowed
    DUET_TABLES_ZEROS // some task takes 0 ticks
} duet_tables_shape;

typedef struct duet_moldable {
    size_t types;

    // Times. A cell is a kind on a type; its entry is the number of a table + 1, or 0 where the
    // instance's times have it all: one time, or forbidden. Kinds share equal tables, and types of
    // equal speed those of laws. Tables that were given come first; that of law l in speed class c
    // is given + l * speeds + c.
    uint32_t *cell; // kinds x types
    size_t given;
    size_t tables;
    duet_moldable_table *table;
    int64_t
        *given_time; // of the tables that were given; DUET_FORBIDDEN where a size is not allowed
    size_t given_times;
    int64_t *time; // of all steps; the given ones come first
    duet_tables_shape shape;
    int32_t *step_size; // the first sizes of later steps

    // Laws.
    size_t laws;
    duet_law *law;

    // Platform.
    duet_decimal speed[DUET_MAX_TYPES];
    bool speed_given;
    size_t speeds; // classes of equal speed
    size_t speed_class[DUET_MAX_TYPES];
    duet_decimal bandwidth[DUET_MAX_TYPES]; // 0: no limit

    // Network.
    bool network;
    duet_decimal read_latency, read_inter_latency; // as given, in units of time
    duet_decimal inter_bandwidth;                  // 0: no limit
    int64_t latency, inter_latency;                // ticks

    // Data of edges: amounts that edges name by number, 0: none. An amount takes move[amount *
    // (types + 1) + i] ticks through one link of type i, and the last entry between types.
    uint32_t *amount_of; // per edge; NULL where no edge has data
    size_t amounts;
    duet_decimal *amount; // bytes; entry 0 is none
    int64_t *edges_of;    // how many edges have that amount
    int64_t *move;

    // Or costs of edges by types, between different sets: tables of types x types ticks, of which
    // an edge names one by number; table 0 is no cost. NULL where no edge costs anything.
    uint32_t *cost_of; // per edge
    int64_t *cost;
} duet_moldable;

void duet_moldable_free(duet_moldable *moldable); // NULL is allowed

// Makes the tables of laws, for as many sizes as there are processors, and what data take; checks
// that all work and all data make at most DUET_MAX_WORK ticks. Call again when counts change. On
// failure the instance is as before, and *kind the kind at fault, or -1. DUET_E_INPUT,
// DUET_E_LIMIT, DUET_E_CANCELLED, DUET_E_MEMORY; `limits` may be NULL: none of time.
// What takes some milliseconds is made whatever the time.
duet_code duet_moldable_fit(duet_instance *instance, const struct duet_context *limits,
                            int64_t *kind, duet_error *error);

// --- times -----------------------------------------------------------------------------------

// On how many processors of a type a kind may run: 1 to this, but for gaps of its table; 0 where it
// cannot run. Tasks that are not moldable have tables of one time. O(1).
static inline int64_t duet_moldable_sizes(const duet_instance *instance, size_t kind, size_t type)
{
    const duet_moldable *m = instance->moldable;
    size_t at = kind * instance->types + type;
    uint32_t cell = m == NULL ? 0 : m->cell[at];
    int64_t length = cell == 0 ? 1 : m->table[cell - 1].length;
    int64_t count = instance->processors[type];
    return instance->times[at] == DUET_FORBIDDEN ? 0 : duet_min(length, count);
}

// t(size) of a table that is not dense there; DUET_FORBIDDEN in a gap.
int64_t duet_moldable_later_time(const duet_moldable *moldable, const duet_moldable_table *table,
                                 int64_t size);

// t(size), 1 <= size <= duet_moldable_sizes(); DUET_FORBIDDEN in a gap. O(1) for the first
// DUET_LAW_DENSE sizes, O(log steps) beyond.
static inline int64_t duet_moldable_time(const duet_instance *instance, size_t kind, size_t type,
                                         int64_t size)
{
    const duet_moldable *m = instance->moldable;
    size_t at = kind * instance->types + type;
    uint32_t cell = m == NULL ? 0 : m->cell[at];
    DUET_ASSERT(size >= 1 && size <= duet_moldable_sizes(instance, kind, type));
    if (cell == 0) {
        return instance->times[at];
    }
    const duet_moldable_table *table = &m->table[cell - 1];
    return size <= table->dense ? m->time[table->at + (size_t)size - 1]
                                : duet_moldable_later_time(m, table, size);
}

// How long the table of a kind on a type is, whatever processors there are: 1 where it has none.
static inline int64_t duet_moldable_length(const duet_instance *instance, size_t kind, size_t type)
{
    const duet_moldable *m = instance->moldable;
    uint32_t cell = m == NULL ? 0 : m->cell[kind * instance->types + type];
    return cell == 0 ? 1 : m->table[cell - 1].length;
}
// t(size) of a table that was given, up to its length, whatever processors there are.
int64_t duet_moldable_table_time(const duet_instance *instance, size_t kind, size_t type,
                                 int64_t size);
// The one number of processors on which a kind may run, on whichever type; 0 where it has several.
int64_t duet_moldable_cores(const duet_instance *instance, size_t kind);
// The size near `size` on which a kind may run: the largest one up to it, else the smallest. It may
// run on that type. O(log steps).
int64_t duet_moldable_near_size(const duet_instance *instance, size_t kind, size_t type,
                                int64_t size);
// Whether a kind has a table on a type or follows a law there: it is not written as one time.
static inline bool duet_moldable_has_table(const duet_instance *instance, size_t kind, size_t type)
{
    return instance->moldable != NULL &&
           instance->moldable->cell[kind * instance->types + type] != 0;
}
// The law that a kind follows on a type; NULL where it follows none.
const duet_law *duet_moldable_law(const duet_instance *instance, size_t kind, size_t type);
// Speed of a type as a fraction; 1 where none is given.
duet_fraction duet_moldable_speed(const duet_instance *instance, size_t type);
// Whether no table of the kind's increases, and no area p t(p) decreases, on any type.
bool duet_moldable_is_monotone(const duet_instance *instance, size_t kind);

// --- sets of processors ----------------------------------------------------------------------

// Ranges in ascending order of type and processor, which neither overlap nor touch. Borrowed.
typedef struct duet_processor_set {
    const duet_processor_range *range;
    size_t count;
} duet_processor_set;

int64_t duet_set_size(duet_processor_set set);
bool duet_set_equal(duet_processor_set a, duet_processor_set b);
// Whether it has processors of several types.
static inline bool duet_set_is_mixed(duet_processor_set set)
{
    return set.range[0].type != set.range[set.count - 1].type;
}

// Ticks of a kind on a set: t(size) on its type. On several types, for a kind that follows one law
// on all of them, the shares are equal and the slowest type decides: the law's table at its speed,
// at the size of the set. DUET_FORBIDDEN where it cannot run there, or a processor does not exist.
// The types exist. O(ranges), and where mixed O(the root of the law's ticks).
int64_t duet_moldable_duration(const duet_instance *instance, size_t kind, duet_processor_set set);
// The least time of a kind over its best mixes: for each type on which it may run, all processors
// of such types that are at least as fast, at the speed of that type. No set is faster, since a
// law's times fall with the size and the speed. Of an instance with mixed sets; DUET_FORBIDDEN
// where the kind may not run at all.
int64_t duet_moldable_best_mix(const duet_instance *instance, size_t kind);

// --- redistribution --------------------------------------------------------------------------

// Ticks to move the data of an edge from p processors of type i to q of type j: to another set.
static inline int64_t duet_moldable_move(const duet_instance *instance, int64_t edge, size_t i,
                                         int64_t p, size_t j, int64_t q)
{
    const duet_moldable *m = instance->moldable;
    if (m != NULL && m->cost_of != NULL) {
        return m->cost[(m->cost_of[edge] * m->types + i) * m->types + j];
    }
    if (m == NULL || m->amount_of == NULL || m->amount_of[edge] == 0) {
        return 0;
    }
    const int64_t *move = m->move + m->amount_of[edge] * (m->types + 1);
    int64_t out = (move[i] + p - 1) / p; // the ceiling of a ceiling's share is that of the share
    int64_t in = (move[j] + q - 1) / q;
    int64_t slowest = duet_max(out, in);
    if (i == j) {
        return m->latency + slowest;
    }
    return m->inter_latency + duet_max(slowest, move[m->types]);
}

// Ticks from one set to another: 0 where they are equal. A set of several types has equal shares,
// so that its slowest link decides; unless both sets are of one and the same type the data pass
// between types. O(ranges).
int64_t duet_moldable_transfer(const duet_instance *instance, int64_t edge, duet_processor_set from,
                               duet_processor_set to);

#endif
