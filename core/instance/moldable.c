// SPDX-License-Identifier: Apache-2.0
// Moldable tasks: what they say of themselves. fit.c makes their tables.
#include "core/instance/moldable.h"

#include <string.h>

#include "core/instance/pins.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"

void duet_moldable_free(duet_moldable *moldable)
{
    if (moldable == NULL) {
        return;
    }
    duet_free(moldable->cell);
    duet_free(moldable->table);
    duet_free(moldable->given_time);
    duet_free(moldable->time);
    duet_free(moldable->step_size);
    duet_free(moldable->law);
    duet_free(moldable->amount_of);
    duet_free(moldable->amount);
    duet_free(moldable->edges_of);
    duet_free(moldable->move);
    duet_free(moldable->cost_of);
    duet_free(moldable->cost);
    duet_free(moldable);
}

// --- times ---------------------------------------------------------------------------------------

const duet_law *duet_moldable_law(const duet_instance *instance, size_t kind, size_t type)
{
    const duet_moldable *m = instance->moldable;
    uint32_t cell = m == NULL ? 0 : m->cell[kind * instance->types + type];
    return cell == 0 || m->table[cell - 1].law < 0 ? NULL : &m->law[m->table[cell - 1].law];
}

duet_fraction duet_moldable_speed(const duet_instance *instance, size_t type)
{
    const duet_moldable *m = instance->moldable;
    return m == NULL ? (duet_fraction){1, 1} : duet_decimal_fraction(m->speed[type]);
}

int64_t duet_moldable_later_time(const duet_moldable *moldable, const duet_moldable_table *table,
                                 int64_t size)
{
    const int32_t *first = moldable->step_size + table->size_at;
    int64_t steps = duet_steps_within(first, table->later, size);
    if (table->gaps && (steps == 0 || first[steps - 1] != size)) {
        return DUET_FORBIDDEN;
    }
    return moldable->time[table->at + (size_t)(table->dense + steps - 1)];
}

int64_t duet_moldable_table_time(const duet_instance *instance, size_t kind, size_t type,
                                 int64_t size)
{
    const duet_moldable *m = instance->moldable;
    uint32_t cell = m->cell[kind * instance->types + type];
    DUET_ASSERT(cell > 0 && cell <= m->given && size <= m->table[cell - 1].length);
    return m->given_time[m->table[cell - 1].given_at + (size_t)(size - 1)];
}

// The number of processors of a cell that has one; 0 where it has several.
static int64_t cores_of_cell(const duet_moldable *m, uint32_t cell)
{
    const duet_moldable_table *table = cell == 0 ? NULL : &m->table[cell - 1];
    bool one = table == NULL || (table->law < 0 && table->dense + table->later == 1);
    return !one ? 0 : table == NULL || !table->gaps ? 1 : m->step_size[table->size_at];
}

int64_t duet_moldable_cores(const duet_instance *instance, size_t kind)
{
    const duet_moldable *m = instance->moldable;
    int64_t cores = -1;
    for (size_t t = 0; t < instance->types; t++) {
        uint32_t cell = m == NULL ? 0 : m->cell[kind * instance->types + t];
        if (cell > 0 || duet_time(instance, kind, t) != DUET_FORBIDDEN) {
            int64_t one = m == NULL ? 1 : cores_of_cell(m, cell);
            cores = cores < 0 || cores == one ? one : 0;
        }
    }
    return duet_max(cores, 0);
}

int64_t duet_moldable_near_size(const duet_instance *instance, size_t kind, size_t type,
                                int64_t size)
{
    duet_time_table table = duet_table_of(instance, kind, type);
    if (!duet_has_gaps(table) || table.first == NULL) {
        return size;
    }
    int64_t steps = duet_steps_within(table.first, table.steps, size);
    return table.first[duet_max(steps, 1) - 1];
}

bool duet_moldable_is_monotone(const duet_instance *instance, size_t kind)
{
    for (size_t t = 0; t < instance->types; t++) {
        duet_time_table table = duet_table_of(instance, kind, t);
        if (duet_has_gaps(table)) {
            return false;
        }
        for (int64_t p = 2; p <= table.sizes && !table.by_law; p++) {
            if (duet_time_at(table, p) > duet_time_at(table, p - 1) ||
                duet_area_at(table, p) < duet_area_at(table, p - 1)) {
                return false;
            }
        }
    }
    return true;
}

// --- sets of processors --------------------------------------------------------------------------

int64_t duet_set_size(duet_processor_set set)
{
    int64_t size = 0;
    for (size_t i = 0; i < set.count; i++) {
        size += (int64_t)set.range[i].last - set.range[i].first + 1;
    }
    return size;
}

bool duet_set_equal(duet_processor_set a, duet_processor_set b)
{
    return a.count == b.count && memcmp(a.range, b.range, a.count * sizeof *a.range) == 0;
}

// The type of the set on which the kind is slowest; the number of types where it cannot run on one
// of them, or follows another law there.
static size_t slowest_type(const duet_instance *instance, size_t kind, duet_processor_set set)
{
    size_t slowest = (size_t)set.range[0].type;
    const duet_law *law = duet_moldable_law(instance, kind, slowest);
    for (size_t i = 0; i < set.count; i++) {
        size_t type = (size_t)set.range[i].type;
        const duet_law *other = duet_moldable_law(instance, kind, type);
        if (law == NULL || other != law) {
            return instance->types;
        }
        bool slower = duet_fraction_compare(duet_moldable_speed(instance, type),
                                            duet_moldable_speed(instance, slowest)) < 0;
        slowest = slower ? type : slowest;
    }
    return slowest;
}

static bool exists(const duet_instance *instance, duet_processor_set set)
{
    bool good = set.count > 0;
    for (size_t i = 0; i < set.count && good; i++) {
        const duet_processor_range *range = &set.range[i];
        good = range->first >= 0 && range->first <= range->last &&
               range->last < instance->processors[range->type];
    }
    return good;
}

// What the law of a kind says of `size` processors of a type's speed, however many it has;
// DUET_FORBIDDEN where one would take more than DUET_MAX_WORK ticks.
static int64_t law_time(const duet_instance *instance, size_t kind, size_t type, int64_t size)
{
    duet_law_ticks law;
    if (!duet_law_prepare(duet_moldable_law(instance, kind, type),
                          duet_moldable_speed(instance, type), instance->decimals, &law)) {
        return DUET_FORBIDDEN;
    }
    return duet_law_at(&law, size);
}

int64_t duet_moldable_duration(const duet_instance *instance, size_t kind, duet_processor_set set)
{
    if (!exists(instance, set)) {
        return DUET_FORBIDDEN;
    }
    const duet_pin *pin = duet_pin_of(instance, kind);
    if (duet_is_run(pin)) {
        return pin->end - pin->start;
    }
    int64_t size = duet_set_size(set);
    size_t type = (size_t)set.range[0].type;
    if (!duet_set_is_mixed(set)) {
        bool runs = size <= duet_moldable_sizes(instance, kind, type);
        return runs ? duet_moldable_time(instance, kind, type, size) : DUET_FORBIDDEN;
    }
    type = slowest_type(instance, kind, set);
    return !instance->mixed_sets || type == instance->types ? DUET_FORBIDDEN
                                                            : law_time(instance, kind, type, size);
}

int64_t duet_moldable_best_mix(const duet_instance *instance, size_t kind)
{
    int64_t best = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t size = 0;
        for (size_t u = 0; u < instance->types && duet_allowed(instance, kind, t); u++) {
            bool fast = duet_fraction_compare(duet_moldable_speed(instance, u),
                                              duet_moldable_speed(instance, t)) >= 0;
            size += fast && duet_allowed(instance, kind, u) ? instance->processors[u] : 0;
        }
        int64_t time = size == 0 ? DUET_FORBIDDEN : law_time(instance, kind, t, size);
        best = duet_min(time, best);
    }
    return best;
}

// --- redistribution ------------------------------------------------------------------------------

// Ticks through the links of a set, each with its share of the data.
static int64_t through_links(const int64_t *move, duet_processor_set set)
{
    int64_t slowest = 0;
    int64_t size = duet_set_size(set);
    for (size_t i = 0; i < set.count; i++) {
        int64_t ticks = (move[set.range[i].type] + size - 1) / size;
        slowest = duet_max(ticks, slowest);
    }
    return slowest;
}

int64_t duet_moldable_transfer(const duet_instance *instance, int64_t edge, duet_processor_set from,
                               duet_processor_set to)
{
    const duet_moldable *m = instance->moldable;
    if (m != NULL && m->cost_of != NULL && !duet_set_equal(from, to)) { // no set is mixed
        return duet_moldable_move(instance, edge, (size_t)from.range[0].type, 1,
                                  (size_t)to.range[0].type, 1);
    }
    if (m == NULL || m->amount_of == NULL || m->amount_of[edge] == 0 || duet_set_equal(from, to)) {
        return 0;
    }
    const int64_t *move = m->move + m->amount_of[edge] * (m->types + 1);
    int64_t out = through_links(move, from);
    int64_t in = through_links(move, to);
    int64_t slowest = duet_max(out, in);
    bool one_type = !duet_set_is_mixed(from) && !duet_set_is_mixed(to) &&
                    from.range[0].type == to.range[0].type;
    if (one_type) {
        return m->latency + slowest;
    }
    return m->inter_latency + duet_max(slowest, move[m->types]);
}

// --- public --------------------------------------------------------------------------------------

int64_t duet_instance_sizes(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_moldable_sizes(instance, kind, type);
}

int64_t duet_instance_moldable_time(const duet_instance *instance, size_t kind, size_t type,
                                    int64_t size)
{
    bool runs = size >= 1 && size <= duet_moldable_sizes(instance, kind, type);
    return runs ? duet_moldable_time(instance, kind, type, size) : DUET_FORBIDDEN;
}

bool duet_instance_law(const duet_instance *instance, size_t kind, size_t type, duet_number *work,
                       duet_number *alpha)
{
    const duet_law *law = duet_moldable_law(instance, kind, type);
    if (law != NULL) {
        *work = (duet_number){law->work.mantissa, law->work.places};
        *alpha = (duet_number){law->alpha.mantissa, law->alpha.places};
    }
    return law != NULL;
}

duet_number duet_instance_speed(const duet_instance *instance, size_t type)
{
    const duet_moldable *m = instance->moldable;
    return m == NULL ? (duet_number){1, 0}
                     : (duet_number){m->speed[type].mantissa, m->speed[type].places};
}

int64_t duet_instance_redistribution(const duet_instance *instance, int64_t edge, size_t i,
                                     int64_t p, size_t j, int64_t q)
{
    return duet_moldable_move(instance, edge, i, p, j, q);
}
