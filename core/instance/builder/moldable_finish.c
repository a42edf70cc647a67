// SPDX-License-Identifier: Apache-2.0
// Moldable tasks of an instance that is being built, once all is read: tables held against the
// platform, and ticks. Times go up to the next tick, never down, so that no schedule promises what
// the tasks do not keep.
#include <stdio.h>
#include <string.h>

#include "core/instance/builder/moldable.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { ALWAYS_EXACT = 9, LAW_PLACES = 6 }; // places that are never rounded; of a tick by default

// --- the platform --------------------------------------------------------------------------------

static void number_speeds(duet_moldable *m)
{
    m->speeds = 0;
    for (size_t t = 0; t < m->types; t++) {
        size_t same = 0;
        while (same < t && (m->speed[same].mantissa != m->speed[t].mantissa ||
                            m->speed[same].places != m->speed[t].places)) {
            same++;
        }
        m->speed_class[t] = same < t ? m->speed_class[same] : m->speeds++;
    }
}

static duet_code refuse_length(const duet_builder *builder, size_t kind, size_t type,
                               int64_t length, duet_error *error)
{
    const duet_instance *instance = builder->instance;
    return duet_error_set_at(
        error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
        "task '%.60s': %lld times on type %.60s; expected at most one for each of its %lld "
        "processors",
        builder->ids + instance->id_at[kind], (long long)length, instance->type_names[type],
        (long long)instance->processors[type]);
}

// A kind follows one law wherever it may run.
static bool follows_one_law(const duet_builder *builder, const uint32_t *cell, size_t kind)
{
    uint32_t law = 0;
    size_t types = builder->times_per_kind;
    for (size_t t = 0; t < types; t++) {
        if (builder->mantissa[kind * types + t] == DUET_FORBIDDEN) {
            continue;
        }
        if ((cell[t] & DUET_BUILDER_LAW) == 0 || (law != 0 && cell[t] != law)) {
            return false;
        }
        law = cell[t];
    }
    return true;
}

static duet_code refuse_mixed_sets(const duet_builder *builder, duet_error *error)
{
    for (size_t i = 0; i < builder->kinds; i++) {
        const uint32_t *cell = builder->moldable == NULL
                                   ? NULL
                                   : builder->moldable->m->cell + i * builder->times_per_kind;
        if (cell == NULL || !builder->moldable->tables || !follows_one_law(builder, cell, i)) {
            return duet_error_set_at(
                error, DUET_E_INPUT, builder->file, builder->line[i], 0,
                "task '%.60s' follows no law, or several: with mixed_sets expected that every task "
                "follows one law (\"work\", \"alpha\") on all types on which it may run",
                builder->ids + builder->instance->id_at[i]);
        }
    }
    return DUET_OK;
}

// Tables keep their numbers, laws get one for each class of speed.
static duet_code number_cells(duet_builder *builder, duet_error *error)
{
    duet_moldable *m = builder->moldable->m;
    const duet_instance *instance = builder->instance;
    m->tables = m->given + m->laws * m->speeds;
    if (m->tables >= (size_t)INT32_MAX) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "too many laws and speeds: expected fewer than 2^31 pairs");
    }
    for (size_t i = 0; i < builder->kinds; i++) {
        uint32_t *cell = m->cell + i * m->types;
        for (size_t t = 0; t < m->types; t++) {
            if ((cell[t] & DUET_BUILDER_LAW) != 0) {
                size_t law = (cell[t] & ~DUET_BUILDER_LAW) - 1;
                cell[t] = (uint32_t)(m->given + law * m->speeds + m->speed_class[t] + 1);
                continue;
            }
            bool rigid = cell[t] > 0 && m->table[cell[t] - 1].gaps; // too wide: it cannot run there
            int64_t length = cell[t] == 0 || rigid ? 1 : m->table[cell[t] - 1].length;
            if (length > 1 && builder->counts_known && length > instance->processors[t]) {
                return refuse_length(builder, i, t, length, error);
            }
        }
    }
    return DUET_OK;
}

duet_code duet_builder_check_tables(duet_builder *builder, duet_error *error)
{
    if (builder->instance->mixed_sets && refuse_mixed_sets(builder, error) != DUET_OK) {
        return DUET_E_INPUT;
    }
    if (!duet_builder_is_moldable(builder)) {
        return duet_builder_drop_moldable(builder, error);
    }
    duet_builder_moldable *made = builder->moldable;
    duet_moldable *m = made->m;
    m->types = builder->instance->types;
    number_speeds(m);
    DUET_TRY(duet_vec_reserve(m->cell, builder->kinds * m->types + 1, error));
    if (!made->tables) {
        memset(m->cell, 0, builder->kinds * m->types * sizeof *m->cell);
    }
    DUET_TRY(number_cells(builder, error));
    duet_moldable_table *table = duet_resize(m->table, m->tables, sizeof *table, error);
    m->table = table == NULL ? m->table : table;
    return table == NULL ? DUET_E_MEMORY : DUET_OK;
}

// --- ticks ---------------------------------------------------------------------------------------

// Time `at` of the tables that were given.
static duet_decimal table_time(const duet_builder_moldable *made, size_t at,
                               duet_decimal_tail *tail)
{
    uint8_t packed = made->places[at];
    *tail = (duet_decimal_tail)(packed / DUET_BUILDER_PLACES);
    return (duet_decimal){made->m->given_time[at], packed % DUET_BUILDER_PLACES};
}

// The decimal places of a tick: as said, or LAW_PLACES for a law, or as many as the times have,
// *most.
static int choose_places(const duet_builder *builder, int most)
{
    const duet_builder_moldable *made = builder->moldable;
    if (made->tick_places >= 0) {
        return made->tick_places;
    }
    if (made->m->laws > 0) {
        return LAW_PLACES;
    }
    for (size_t at = 0; at < made->m->given_times; at++) {
        duet_decimal_tail tail;
        int places = table_time(made, at, &tail).places; // 0 where a size is not allowed
        places = tail == DUET_DECIMAL_NO_TAIL ? places : DUET_MAX_DECIMALS;
        most = duet_max(places, most);
    }
    return duet_min(most, DUET_MAX_DECIMALS);
}

// What came of a scale.
typedef struct scaling {
    int decimals;
    size_t times;
    size_t rounded;
} scaling;

static bool raise_time(scaling *s, duet_decimal value, duet_decimal_tail tail, int64_t *ticks)
{
    bool exact;
    bool fits = duet_decimal_raise(value, tail, s->decimals, ticks, &exact);
    s->times++;
    s->rounded += fits && !exact;
    return fits;
}

// Whether all of the areas, p t(p), make at most DUET_MAX_WORK on a scale.
static bool areas_fit(const duet_builder *builder, int decimals)
{
    const duet_builder_moldable *made = builder->moldable;
    const duet_moldable *m = made->m;
    scaling s = {.decimals = decimals};
    duet_uint128 work = 0;
    int64_t latest;
    if (!duet_builder_cost_work(builder, decimals, &work) ||
        !duet_builder_latest(builder, decimals, &latest)) {
        return false;
    }
    work += (uint64_t)latest;
    for (size_t at = 0; at < builder->kinds * m->types; at++) {
        const duet_moldable_table *table = m->cell[at] == 0 ? NULL : &m->table[m->cell[at] - 1];
        duet_uint128 count = (duet_uint128)builder->count[at / m->types];
        for (int64_t p = 1; p <= (table == NULL ? 1 : table->length); p++) {
            duet_decimal_tail tail;
            duet_decimal value = table == NULL
                                     ? duet_builder_time(builder, at, &tail)
                                     : table_time(made, table->given_at + (size_t)(p - 1), &tail);
            int64_t ticks;
            if (value.mantissa == DUET_FORBIDDEN) {
                continue;
            }
            if (!raise_time(&s, value, tail, &ticks)) {
                return false;
            }
            work += (duet_uint128)p * (duet_uint128)ticks * count;
            if (work > (duet_uint128)DUET_MAX_WORK) {
                return false;
            }
        }
    }
    return true;
}

static duet_code refuse_time(const duet_builder *builder, size_t cell, const char *what, int places,
                             duet_error *error)
{
    size_t kind = cell / builder->times_per_kind;
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                             "task '%.60s': %s, ticks of 10^-%d",
                             builder->ids + builder->instance->id_at[kind], what, places);
}

// Scales the one time of a cell, or its table where that was not done for another kind.
static duet_code scale_cell(duet_builder *builder, size_t cell, scaling *s, bool *done,
                            duet_error *error)
{
    duet_builder_moldable *made = builder->moldable;
    duet_moldable *m = made->m;
    size_t number = m->cell[cell];
    size_t rounded = s->rounded;
    duet_decimal_tail tail;
    bool fits = true;
    if (number > m->given) {
        return DUET_OK; // a law
    }
    if (number == 0) {
        duet_decimal value = duet_builder_time(builder, cell, &tail);
        if (value.mantissa == DUET_FORBIDDEN) {
            return DUET_OK;
        }
        fits = raise_time(s, value, tail, &builder->mantissa[cell]);
    } else if (!done[number - 1]) {
        const duet_moldable_table *table = &m->table[number - 1];
        done[number - 1] = true;
        for (size_t p = 0; p < (size_t)table->length && fits; p++) {
            int64_t *ticks = &m->given_time[table->given_at + p];
            duet_decimal value = table_time(made, table->given_at + p, &tail);
            fits = *ticks == DUET_FORBIDDEN || raise_time(s, value, tail, ticks);
        }
    }
    if (!fits) {
        return refuse_time(builder, cell, "a time too large; expected at most 2^62 ticks",
                           s->decimals, error);
    }
    if (s->rounded > rounded && builder->wants.exact) {
        return refuse_time(builder, cell, "a time cannot be exact; expected one in whole ticks",
                           s->decimals, error);
    }
    return DUET_OK;
}

static duet_code note_rounding(duet_builder *builder, const scaling *s, duet_error *error)
{
    char notice[200];
    size_t numbers = builder->moldable->rounded;
    duet_code code = DUET_OK;
    if (s->rounded > 0) {
        snprintf(notice, sizeof notice, "%zu of %zu times %s rounded up to %d decimal place%s",
                 s->rounded, s->times, s->rounded == 1 ? "is" : "are", s->decimals,
                 s->decimals == 1 ? "" : "s");
        code = duet_builder_add_notice(builder, notice, error);
    }
    if (numbers > 0 && code == DUET_OK) {
        snprintf(notice, sizeof notice,
                 "%zu number%s of laws, links or data %s more digits than are kept, 18, and %s "
                 "rounded",
                 numbers, numbers == 1 ? "" : "s", numbers == 1 ? "has" : "have",
                 numbers == 1 ? "is" : "are");
        code = duet_builder_add_notice(builder, notice, error);
    }
    return code;
}

duet_code duet_builder_scale_moldable(duet_builder *builder, int most_places, duet_error *error)
{
    duet_moldable *m = builder->moldable->m;
    scaling s = {.decimals = choose_places(builder, most_places)};
    bool fixed = builder->moldable->tick_places >= 0 || m->laws > 0;
    while (!fixed && s.decimals > ALWAYS_EXACT && !areas_fit(builder, s.decimals)) {
        s.decimals--;
    }
    if (builder->wants.exact && builder->moldable->rounded > 0) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "a number of a law, a link or data cannot be exact; expected at "
                                 "most %d digits and decimal places",
                                 DUET_MAX_DECIMALS);
    }
    bool *done = duet_alloc(m->given, sizeof *done, error);
    duet_code code = done == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t at = 0; at < builder->kinds * m->types && code == DUET_OK; at++) {
        code = scale_cell(builder, at, &s, done, error);
    }
    duet_free(done);
    builder->instance->decimals = s.decimals;
    duet_builder_rounding costs = {.times = 0};
    DUET_THEN(code, duet_builder_scale_costs(builder, false, &costs, error));
    s.times += costs.times;
    s.rounded += costs.rounded;
    duet_builder_rounding available = {.times = 0};
    DUET_THEN(code, duet_builder_scale_available(builder, DUET_SCALE_RAISED, &available, error));
    s.times += available.times;
    s.rounded += available.rounded;
    return code == DUET_OK ? note_rounding(builder, &s, error) : code;
}

duet_code duet_builder_fit_moldable(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (builder->moldable == NULL) {
        return DUET_OK;
    }
    instance->moldable = builder->moldable->m;
    builder->moldable->m = NULL;
    if (instance->graph != NULL) { // its costs are of tasks on one processor
        instance->moldable->cost_of = instance->graph->transfer;
        instance->moldable->cost = instance->graph->cost;
        instance->graph->transfer = NULL;
        instance->graph->cost = NULL;
        instance->graph->tables = 0;
    }
    int64_t kind;
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_moldable_fit(instance, builder->limits, &kind, &why);
    if (code != DUET_OK) {
        int line = kind < 0 ? 0 : builder->line[kind];
        return duet_error_set_at(error, code, builder->file, line, 0, "%s", why.message);
    }
    return DUET_OK;
}
