// SPDX-License-Identifier: Apache-2.0
// What moldable tasks take on a platform, in ticks: the tables of laws, as long as there are
// processors, and the data of edges.
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/moldable.h"

// What is made, before it takes the place of what was there.
typedef struct fitted {
    const duet_instance *instance;
    const duet_moldable *m;

    duet_moldable_table *table;
    int64_t *time;
    int32_t *step_size;
    size_t times, later; // how many of both
    int64_t *move;
    int64_t latency, inter_latency;
} fitted;

// --- tables --------------------------------------------------------------------------------------

// Processors of the largest type of a class of speed; at least 1.
static int64_t longest_of(const duet_instance *instance, size_t class)
{
    int64_t longest = 1;
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->moldable->speed_class[t] == class && instance->processors[t] > longest) {
            longest = instance->processors[t];
        }
    }
    return longest;
}

// The law of a table in ticks on a type, one of the speed that the table is for.
static duet_code prepare(const fitted *f, size_t table, size_t type, duet_law_ticks *law,
                         duet_error *error)
{
    const duet_moldable *m = f->m;
    size_t of_law = (table - m->given) / m->speeds;
    if (!duet_law_prepare(&m->law[of_law], duet_decimal_fraction(m->speed[type]),
                          f->instance->decimals, law)) {
        return duet_error_set(error, DUET_E_INPUT,
                              "takes too long on one processor of type %.60s: expected "
                              "at most 2^62 ticks of 10^-%d; give a larger tick",
                              f->instance->type_names[type], f->instance->decimals);
    }
    return DUET_OK;
}

// Lays out a table behind the others.
static duet_code place_table(fitted *f, size_t table, size_t type, duet_error *error)
{
    const duet_moldable *m = f->m;
    size_t class = m->speed_class[type];
    int64_t length = longest_of(f->instance, class);
    duet_law_ticks law;
    duet_code code = prepare(f, table, type, &law, error);
    if (code != DUET_OK) {
        return code;
    }
    // No more is counted than there is room for.
    bool dense = length <= DUET_LAW_DENSE;
    size_t room = dense ? 0 : duet_memory_limit(0) / sizeof *f->time;
    duet_law_steps steps = duet_law_count(&law, length, (int64_t)room);
    f->table[table] =
        (duet_moldable_table){f->times,       length,   steps.dense,
                              steps.later,    f->later, (int32_t)((table - m->given) / m->speeds),
                              (int32_t) class};
    f->times += (size_t)(steps.dense + steps.later);
    f->later += (size_t)steps.later;
    return duet_memory_check(f->times + f->later / 2, sizeof *f->time, 0,
                             "the tables of moldable tasks", error);
}

// Lays out the tables that some kind uses; *kind is the one at fault.
static duet_code lay_out(fitted *f, int64_t *kind, duet_error *error)
{
    const duet_moldable *m = f->m;
    f->table = duet_alloc(m->tables, sizeof *f->table, error);
    if (f->table == NULL) {
        return DUET_E_MEMORY;
    }
    f->times = m->given_times;
    memcpy(f->table, m->table, m->given * sizeof *f->table);
    for (size_t at = 0; at < f->instance->kinds * m->types; at++) {
        uint32_t cell = m->cell[at];
        if (cell <= m->given || f->table[cell - 1].length > 0) {
            continue;
        }
        duet_error why = DUET_ERROR_INIT;
        duet_code code = place_table(f, cell - 1, at % m->types, &why);
        if (code == DUET_E_INPUT) {
            *kind = (int64_t)(at / m->types);
            return duet_error_set(error, code, "task '%.60s' %s",
                                  duet_instance_kind_id(f->instance, (size_t)*kind), why.message);
        }
        if (code != DUET_OK) {
            return duet_error_set(error, code, "%s", why.message);
        }
    }
    return DUET_OK;
}

static duet_code fill_tables(fitted *f, duet_error *error)
{
    const duet_moldable *m = f->m;
    f->time = duet_alloc_raw(f->times, sizeof *f->time, error);
    f->step_size = duet_alloc_raw(f->later, sizeof *f->step_size, error);
    if (f->time == NULL || f->step_size == NULL) {
        return DUET_E_MEMORY;
    }
    if (m->given_times > 0) {
        memcpy(f->time, m->given_time, m->given_times * sizeof *f->time);
    }
    for (size_t i = m->given; i < m->tables; i++) {
        const duet_moldable_table *table = &f->table[i];
        if (table->length == 0) {
            continue; // no kind uses it
        }
        size_t type = 0;
        while (m->speed_class[type] != (size_t)table->speed) {
            type++;
        }
        duet_law_ticks law;
        duet_code code = prepare(f, i, type, &law, error);
        if (code != DUET_OK) {
            return code;
        }
        duet_law_fill(&law, table->length, f->time + table->at, f->step_size + table->size_at);
    }
    return DUET_OK;
}

// --- data ----------------------------------------------------------------------------------------

// Ticks for an amount at a rate per unit of time, rounded up; 0 where the rate is 0, which stands
// for no limit. Negative where it is more than DUET_MAX_WORK.
static int64_t ticks_at_rate(duet_decimal amount, duet_decimal rate, int decimals)
{
    if (rate.mantissa == 0) {
        return 0;
    }
    duet_uint128 scale = duet_decimal_fraction((duet_decimal){1, decimals}).den;
    duet_fraction have = duet_decimal_fraction(amount);
    duet_fraction per_unit = duet_decimal_fraction(rate);
    duet_wide num =
        duet_wide_multiply(duet_wide_multiply(duet_wide_of(have.num), scale), per_unit.den);
    duet_wide den = duet_wide_multiply(duet_wide_of(have.den), per_unit.num);
    duet_wide rest;
    duet_uint128 ticks = duet_wide_divide(num, den, &rest);
    bool more = duet_wide_compare(rest, duet_wide_of(0)) > 0;
    return ticks >= (duet_uint128)DUET_MAX_WORK ? -1 : (int64_t)ticks + more;
}

static duet_code too_slow(duet_error *error)
{
    return duet_error_set(error, DUET_E_INPUT,
                          "data take too long: expected at most 2^62 ticks in total; give a larger "
                          "tick");
}

static duet_code fill_moves(fitted *f, duet_error *error)
{
    const duet_moldable *m = f->m;
    int decimals = f->instance->decimals;
    size_t row = m->types + 1;
    duet_code code = duet_memory_check(m->amounts, row * sizeof *f->move, 0,
                                       "what the data of edges take", error);
    if (code != DUET_OK) {
        return code;
    }
    f->move = duet_alloc(m->amounts, row * sizeof *f->move, error);
    if (f->move == NULL) {
        return DUET_E_MEMORY;
    }
    static const duet_decimal unit = {1, 0};
    f->latency = m->network ? ticks_at_rate(m->read_latency, unit, decimals) : 0;
    f->inter_latency = m->network ? ticks_at_rate(m->read_inter_latency, unit, decimals) : 0;
    if (f->latency < 0 || f->inter_latency < 0) {
        return too_slow(error);
    }
    for (size_t a = 1; a < m->amounts && m->network; a++) {
        for (size_t t = 0; t <= m->types; t++) {
            duet_decimal rate = t < m->types ? m->bandwidth[t] : m->inter_bandwidth;
            int64_t ticks = ticks_at_rate(m->amount[a], rate, decimals);
            if (ticks < 0) {
                return too_slow(error);
            }
            f->move[a * row + t] = ticks;
        }
    }
    return DUET_OK;
}

// --- the whole -----------------------------------------------------------------------------------

// The largest area of a table, for up to as many processors as there are.
static duet_uint128 largest_area(const fitted *f, uint32_t cell)
{
    const duet_moldable_table *table = &f->table[cell - 1];
    const int64_t *time = f->time + table->at;
    if (table->law >= 0) { // areas grow
        return (duet_uint128)table->length * (duet_uint128)time[table->dense + table->later - 1];
    }
    duet_uint128 largest = 0;
    for (int64_t p = 1; p <= table->length; p++) {
        duet_uint128 area = (duet_uint128)p * (duet_uint128)time[p - 1];
        largest = area > largest ? area : largest;
    }
    return largest;
}

static duet_uint128 slowest_move(const fitted *f, size_t amount)
{
    int64_t slowest = 0;
    for (size_t t = 0; t <= f->m->types; t++) {
        int64_t ticks = f->move[amount * (f->m->types + 1) + t];
        slowest = ticks > slowest ? ticks : slowest;
    }
    int64_t latency = f->latency > f->inter_latency ? f->latency : f->inter_latency;
    return (duet_uint128)slowest + (duet_uint128)latency;
}

// All areas and all data together make at most DUET_MAX_WORK ticks.
static duet_code check_work(const fitted *f, int64_t *kind, duet_error *error)
{
    const duet_moldable *m = f->m;
    const duet_instance *instance = f->instance;
    duet_uint128 work = 0;
    for (size_t a = 1; a < m->amounts; a++) {
        work += slowest_move(f, a) * (uint64_t)m->edges_of[a];
        if (work > (duet_uint128)DUET_MAX_WORK) {
            return too_slow(error);
        }
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_uint128 largest = 0;
        for (size_t t = 0; t < m->types; t++) {
            uint32_t cell = m->cell[i * m->types + t];
            int64_t time = duet_time(instance, i, t);
            duet_uint128 area = cell > 0                 ? largest_area(f, cell)
                                : time == DUET_FORBIDDEN ? 0
                                                         : (duet_uint128)time;
            largest = area > largest ? area : largest;
        }
        bool fits = largest <= (duet_uint128)DUET_MAX_WORK;
        work += fits ? largest * (uint64_t)duet_count(instance, i) : largest;
        if (!fits || work > (duet_uint128)DUET_MAX_WORK) {
            *kind = (int64_t)i;
            return duet_error_set(
                error, DUET_E_INPUT,
                "too much work: expected at most 2^62 ticks in total, each task's "
                "the largest of its areas, processors times ticks; give a larger "
                "tick");
        }
    }
    return DUET_OK;
}

static void *swap_in(void *before, void *made)
{
    duet_free(before);
    return made;
}

static void take(duet_instance *instance, fitted *f)
{
    duet_moldable *m = instance->moldable;
    m->table = swap_in(m->table, f->table);
    m->time = swap_in(m->time, f->time);
    m->step_size = swap_in(m->step_size, f->step_size);
    m->move = swap_in(m->move, f->move);
    m->latency = f->latency;
    m->inter_latency = f->inter_latency;
    for (size_t at = 0; at < instance->kinds * m->types; at++) {
        if (m->cell[at] > 0) {
            instance->times[at] = m->time[m->table[m->cell[at] - 1].at];
        }
    }
}

duet_code duet_moldable_fit(duet_instance *instance, int64_t *kind, duet_error *error)
{
    fitted f = {.instance = instance, .m = instance->moldable};
    *kind = -1;
    duet_code code = lay_out(&f, kind, error);
    if (code == DUET_OK) {
        code = fill_tables(&f, error);
    }
    if (code == DUET_OK) {
        code = fill_moves(&f, error);
    }
    if (code == DUET_OK) {
        code = check_work(&f, kind, error);
    }
    if (code == DUET_OK) {
        take(instance, &f);
        return DUET_OK;
    }
    duet_free(f.table);
    duet_free(f.time);
    duet_free(f.step_size);
    duet_free(f.move);
    return code;
}
