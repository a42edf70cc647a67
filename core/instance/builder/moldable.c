// SPDX-License-Identifier: Apache-2.0
// Moldable tasks of an instance that is being built: tables of times, laws, speeds, links. Equal
// tables are kept once, since many kinds may share them.
#include "core/instance/builder/moldable.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static duet_builder_moldable *moldable_of(duet_builder *builder, duet_error *error)
{
    if (builder->moldable == NULL) {
        duet_builder_moldable *made = duet_alloc(1, sizeof *made, error);
        duet_moldable *m = made == NULL ? NULL : duet_alloc(1, sizeof *m, error);
        if (m == NULL) {
            duet_free(made);
            return NULL;
        }
        made->m = m;
        made->tick_places = -1;
        for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
            m->speed[t] = (duet_decimal){1, 0};
        }
        builder->moldable = made;
    }
    return builder->moldable;
}

void duet_builder_free_moldable(duet_builder *builder)
{
    duet_builder_moldable *made = builder->moldable;
    if (made != NULL) {
        duet_moldable_free(made->m);
        duet_free(made->places);
        duet_free(made->slot);
        duet_free(made);
        builder->moldable = NULL;
    }
}

duet_code duet_builder_drop_moldable(duet_builder *builder, duet_error *error)
{
    if (builder->moldable == NULL || duet_builder_is_moldable(builder)) {
        return DUET_OK;
    }
    duet_builder_free_moldable(builder);
    return duet_builder_add_notice(builder,
                                   "speeds, bandwidths and the tick are left out, since no task is "
                                   "moldable",
                                   error);
}

// --- numbers -------------------------------------------------------------------------------------

static bool is_zero(duet_decimal value)
{
    return value.mantissa == 0;
}

static bool above_one(duet_decimal value)
{
    duet_fraction fraction = duet_decimal_fraction(value);
    return fraction.num > fraction.den;
}

// --- platform ------------------------------------------------------------------------------------

duet_code duet_builder_set_links(duet_builder *builder, size_t type, const duet_read_links *links,
                                 duet_error *error)
{
    DUET_ASSERT(type < builder->instance->types);
    if (links->speed == NULL && links->bandwidth == NULL) {
        return DUET_OK;
    }
    duet_builder_moldable *made = moldable_of(builder, error);
    DUET_NEED(made);
    if (links->speed != NULL) {
        made->m->speed[type] = duet_builder_number(builder, links->speed);
        made->m->speed_given = true;
    }
    if (links->bandwidth != NULL) {
        made->m->bandwidth[type] = duet_builder_number(builder, links->bandwidth);
    }
    bool no_speed = is_zero(made->m->speed[type]);
    if (no_speed || (links->bandwidth != NULL && is_zero(made->m->bandwidth[type]))) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, links->line, links->column,
                                 "%s 0 of processor type '%.60s': expected a number above 0",
                                 no_speed ? "speed" : "bandwidth",
                                 builder->instance->type_names[type]);
    }
    return DUET_OK;
}

duet_code duet_builder_set_network(duet_builder *builder, const duet_read_network *network,
                                   duet_error *error)
{
    static const duet_read_time none = {.forbidden = false};
    duet_builder_moldable *made = moldable_of(builder, error);
    DUET_NEED(made);
    duet_moldable *m = made->m;
    const duet_read_time *inner = network->latency == NULL ? &none : network->latency;
    const duet_read_time *inter = network->inter_latency == NULL ? &none : network->inter_latency;
    made->network = true;
    m->network = true;
    m->read_latency = duet_builder_number(builder, inner);
    m->read_inter_latency = duet_builder_number(builder, inter);
    if (network->inter_bandwidth != NULL) {
        m->inter_bandwidth = duet_builder_number(builder, network->inter_bandwidth);
        if (is_zero(m->inter_bandwidth)) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, network->line,
                                     network->column,
                                     "inter_bandwidth 0: expected a number above 0");
        }
    }
    return DUET_OK;
}

duet_code duet_builder_set_tick(duet_builder *builder, const duet_read_time *tick, int line,
                                int column, duet_error *error)
{
    duet_builder_moldable *made = moldable_of(builder, error);
    DUET_NEED(made);
    if (tick->value.mantissa != 1 || tick->tail != DUET_DECIMAL_NO_TAIL ||
        tick->value.places > DUET_MAX_DECIMALS) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                                 "tick: expected a power of ten from 1e-%d to 1, such as 0.001",
                                 DUET_MAX_DECIMALS);
    }
    made->tick_places = tick->value.places;
    return DUET_OK;
}

// --- equal tables --------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_law(const duet_law *law)
{
    uint64_t hash = mix(mix(1, (uint64_t)law->work.mantissa), (uint64_t)law->work.places);
    return mix(mix(hash, (uint64_t)law->alpha.mantissa), (uint64_t)law->alpha.places);
}

static uint64_t hash_table(const duet_builder_moldable *made, const duet_moldable_table *table)
{
    uint64_t hash = (uint64_t)table->length;
    for (int64_t p = 0; p < table->length; p++) {
        size_t at = table->given_at + (size_t)p;
        hash = mix(mix(hash, (uint64_t)made->m->given_time[at]), made->places[at]);
    }
    return hash;
}

static bool same_decimal(duet_decimal a, duet_decimal b)
{
    return a.mantissa == b.mantissa && a.places == b.places;
}

static uint64_t hash_cell(const duet_builder_moldable *made, uint32_t cell)
{
    return (cell & DUET_BUILDER_LAW) != 0 ? hash_law(&made->m->law[(cell & ~DUET_BUILDER_LAW) - 1])
                                          : hash_table(made, &made->m->table[cell - 1]);
}

static bool same_cell(const duet_builder_moldable *made, uint32_t a, uint32_t b)
{
    const duet_moldable *m = made->m;
    if ((a & DUET_BUILDER_LAW) != (b & DUET_BUILDER_LAW)) {
        return false;
    }
    if ((a & DUET_BUILDER_LAW) != 0) {
        const duet_law *one = &m->law[(a & ~DUET_BUILDER_LAW) - 1];
        const duet_law *other = &m->law[(b & ~DUET_BUILDER_LAW) - 1];
        return same_decimal(one->work, other->work) && same_decimal(one->alpha, other->alpha);
    }
    const duet_moldable_table *one = &m->table[a - 1];
    const duet_moldable_table *other = &m->table[b - 1];
    size_t length = (size_t)one->length;
    return one->length == other->length &&
           memcmp(m->given_time + one->given_at, m->given_time + other->given_at,
                  length * sizeof *m->given_time) == 0 &&
           memcmp(made->places + one->given_at, made->places + other->given_at, length) == 0;
}

static size_t find_slot(const duet_builder_moldable *made, uint32_t cell)
{
    size_t at = (size_t)hash_cell(made, cell) & (made->slots - 1);
    while (made->slot[at] != 0 && !same_cell(made, made->slot[at], cell)) {
        at = (at + 1) & (made->slots - 1);
    }
    return at;
}

// At most half of the slots are used.
static duet_code grow_slots(duet_builder_moldable *made, duet_error *error)
{
    enum { first = 64 };
    if (2 * made->used < made->slots) {
        return DUET_OK;
    }
    duet_builder_moldable grown = *made;
    grown.slots = made->slots == 0 ? first : 2 * made->slots;
    grown.slot = duet_alloc(grown.slots, sizeof *grown.slot, error);
    DUET_NEED(grown.slot);
    for (size_t i = 0; i < made->slots; i++) {
        if (made->slot[i] != 0) {
            grown.slot[find_slot(&grown, made->slot[i])] = made->slot[i];
        }
    }
    duet_free(made->slot);
    *made = grown;
    return DUET_OK;
}

// The cell of what was just put behind the tables or laws, or an equal one's; *fresh where it
// stays.
static duet_code share(duet_builder_moldable *made, uint32_t *cell, bool *fresh, duet_error *error)
{
    DUET_TRY(grow_slots(made, error));
    size_t at = find_slot(made, *cell);
    *fresh = made->slot[at] == 0;
    made->used += *fresh;
    made->slot[at] = *fresh ? *cell : made->slot[at];
    *cell = made->slot[at];
    return DUET_OK;
}

// --- kinds ---------------------------------------------------------------------------------------

static duet_code refuse(const duet_builder *builder, const duet_read_kind *kind,
                        const char *expected, duet_error *error)
{
    enum { shown = 60 };
    int length = (int)duet_min(kind->id_length, shown);
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, kind->line, kind->column,
                             "task '%.*s': expected %s", length, kind->id, expected);
}

static duet_code add_law(duet_builder *builder, const duet_read_kind *kind,
                         const duet_read_table *read, uint32_t *cell, duet_error *error)
{
    duet_builder_moldable *made = builder->moldable;
    duet_moldable *m = made->m;
    const duet_law law = {duet_builder_number(builder, &read->work),
                          duet_builder_number(builder, &read->alpha)};
    if (is_zero(law.work)) {
        return refuse(builder, kind, "work above 0", error);
    }
    if (above_one(law.alpha)) {
        return refuse(builder, kind, "alpha, the sequential part of the work, from 0 to 1", error);
    }
    if (m->laws >= (size_t)INT32_MAX - 1) {
        return refuse(builder, kind, "fewer than 2^31 different laws", error);
    }
    bool fresh = false;
    duet_code code = duet_vec_grow(m->law, m->laws, error);
    if (code == DUET_OK) {
        m->law[m->laws] = law;
        *cell = DUET_BUILDER_LAW | (uint32_t)(m->laws + 1);
        code = share(made, cell, &fresh, error);
        m->laws += fresh;
    }
    return code;
}

// Room for one more table of that length. Tables may be long and many.
static duet_code grow_tables(duet_builder_moldable *made, size_t length, duet_error *error)
{
    enum { few = 1 << 16 };
    duet_moldable *m = made->m;
    size_t times = m->given_times + length;
    duet_code code = DUET_OK;
    if (times > duet_vec_room(m->given_time) && times > few) {
        code = duet_memory_check(2 * times, sizeof *m->given_time + 1, 0,
                                 "the tables of moldable tasks", error);
    }
    DUET_THEN(code, duet_vec_grow(m->table, m->given, error));
    DUET_THEN(code, duet_vec_reserve(m->given_time, times, error));
    return code == DUET_OK ? duet_vec_reserve(made->places, times, error) : code;
}

static duet_code add_table(duet_builder *builder, const duet_read_kind *kind,
                           const duet_read_table *read, uint32_t *cell, duet_error *error)
{
    duet_builder_moldable *made = builder->moldable;
    duet_moldable *m = made->m;
    bool fresh = false;
    if (read->length > (size_t)DUET_MAX_PROCESSORS || m->given >= (size_t)INT32_MAX - 1) {
        return refuse(builder, kind, "fewer than 2^31 times and tables", error);
    }
    DUET_TRY(grow_tables(made, read->length, error));
    size_t allowed = 0;
    bool zero = false;
    for (size_t p = 0; p < read->length; p++) {
        const duet_read_time *time = &read->time[p];
        allowed += !time->forbidden;
        zero = zero || (!time->forbidden && is_zero(time->value));
        m->given_time[m->given_times + p] = time->forbidden ? DUET_FORBIDDEN : time->value.mantissa;
        made->places[m->given_times + p] =
            time->forbidden ? 0 : duet_builder_pack_places(time->value.places, time->tail);
    }
    if (allowed == 0 || (zero && allowed > 1)) {
        return refuse(builder, kind,
                      zero ? "times above 0 in a table of several sizes"
                           : "a time on some number of processors",
                      error);
    }
    m->table[m->given] = (duet_moldable_table){.at = m->given_times,
                                               .given_at = m->given_times,
                                               .length = (int64_t)read->length,
                                               .dense = (int64_t)read->length,
                                               .law = -1,
                                               .gaps = allowed < read->length};
    *cell = (uint32_t)(m->given + 1);
    DUET_TRY(share(made, cell, &fresh, error));
    if (fresh) {
        m->given++;
        m->given_times += read->length;
    }
    return DUET_OK;
}

// Makes room for the cells of `kinds` kinds. New ones have no tables.
static duet_code grow_cells(duet_builder *builder, size_t kinds, size_t types, duet_error *error)
{
    duet_builder_moldable *made = moldable_of(builder, error);
    DUET_NEED(made);
    size_t before = made->tables ? made->cells : 0;
    size_t cells = kinds * types;
    DUET_TRY(duet_vec_reserve(made->m->cell, cells, error));
    made->tables = true;
    for (size_t at = before; at < cells; at++) {
        made->m->cell[at] = 0;
    }
    made->cells = cells;
    return DUET_OK;
}

duet_code duet_builder_add_cell(duet_builder *builder, const duet_read_kind *kind, size_t at,
                                const duet_read_table *table, duet_error *error)
{
    size_t types = builder->times_per_kind;
    DUET_TRY(grow_cells(builder, builder->kinds, types, error));
    return add_table(builder, kind, table, &builder->moldable->m->cell[at], error);
}

duet_code duet_builder_add_tables(duet_builder *builder, const duet_read_kind *kind,
                                  const duet_read_table *tables, duet_error *error)
{
    bool any = builder->moldable != NULL && builder->moldable->tables;
    for (size_t t = 0; t < kind->time_count && tables != NULL; t++) {
        any = any || tables[t].law || tables[t].length > 0;
    }
    if (!any) {
        return DUET_OK;
    }
    size_t types = kind->time_count;
    duet_code code = grow_cells(builder, builder->kinds + 1, types, error);
    duet_builder_moldable *made = builder->moldable;
    for (size_t t = 0; t < types && code == DUET_OK && tables != NULL; t++) {
        const duet_read_table *read = &tables[t];
        uint32_t *cell = &made->m->cell[builder->kinds * types + t];
        if (read->length > 0) {
            code = add_table(builder, kind, read, cell, error);
        } else if (read->law) {
            code = add_law(builder, kind, read, cell, error);
        }
    }
    return code;
}
