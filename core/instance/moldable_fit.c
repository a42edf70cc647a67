// SPDX-License-Identifier: Apache-2.0
// What moldable tasks take on a platform, in ticks: the tables of laws, as long as there are
// processors, and the data of edges.
#include <string.h>

#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"

// What is made, before it takes the place of what was there.
typedef struct fitted {
    const duet_instance *instance;
    const duet_moldable *m;

    duet_moldable_table *table;
    int64_t *time;
    int32_t *step_size;
    size_t times, room;
    size_t later, later_room;
    int64_t *move;
    int64_t latency, inter_latency;
    int64_t work; // total, at most
    duet_watch watch;
} fitted;

enum { STEP = 16 }; // units of work of a step of a table

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

static duet_code too_much_work(duet_error *error)
{
    return duet_error_set(error, DUET_E_INPUT,
                          "too much work: expected at most 2^62 ticks in total, each task's "
                          "the largest of its areas, processors times ticks; give a larger "
                          "tick");
}

static duet_code no_room(const fitted *f, duet_error *error)
{
    return duet_error_set(error, DUET_E_MEMORY,
                          "the tables of moldable tasks: more than %zu times of %zu bytes do not "
                          "fit into memory, a time for each number of processors that makes a task "
                          "shorter" DUET_MEMORY_RAISE,
                          f->times, sizeof *f->time);
}

// Room for one more, and an eighth: the larger share of what may be kept is of use.
static bool grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    size_t wanted = *room + *room / 8 + 64;
    bool limited = duet_memory_left() < SIZE_MAX; // then the allocation itself is refused
    if (!limited && duet_memory_check(wanted, size, 0, "the tables", NULL) != DUET_OK) {
        return false;
    }
    void *old;
    memcpy(&old, array, sizeof old); // a pointer of any type, as in vec.c
    void *grown = duet_resize(old, wanted, size, NULL);
    if (grown != NULL) {
        memcpy(array, &grown, sizeof grown);
        *room = wanted;
    }
    return grown != NULL;
}

// One more step of a table, behind all others.
static duet_code add_step(fitted *f, duet_moldable_table *table, const duet_law_step *step,
                          duet_error *error)
{
    if (!grow(&f->time, f->times, &f->room, sizeof *f->time) ||
        (!step->dense && !grow(&f->step_size, f->later, &f->later_room, sizeof *f->step_size))) {
        return no_room(f, error);
    }
    f->time[f->times++] = step->ticks;
    if (step->dense) {
        table->dense++;
    } else {
        f->step_size[f->later++] = (int32_t)step->size;
        table->later++;
    }
    return DUET_OK;
}

// The table of the law of a kind, on processors as fast as those of a type.
static duet_code make_table(fitted *f, size_t kind, size_t type, duet_error *error)
{
    const duet_moldable *m = f->m;
    const duet_instance *instance = f->instance;
    size_t number = (size_t)m->cell[kind * m->types + type] - 1;
    size_t of_law = (number - m->given) / m->speeds;
    size_t class = m->speed_class[type];
    duet_law_ticks law;
    if (!duet_law_prepare(&m->law[of_law], duet_decimal_fraction(m->speed[type]),
                          instance->decimals, &law)) {
        return duet_error_set(
            error, DUET_E_INPUT,
            "task '%.60s' takes too long on one processor of type %.60s: expected "
            "at most 2^62 ticks of 10^-%d; give a larger tick",
            instance->ids + instance->id_at[kind], instance->type_names[type], instance->decimals);
    }
    duet_moldable_table *table = &f->table[number];
    *table = (duet_moldable_table){.at = f->times,
                                   .length = longest_of(instance, class),
                                   .size_at = f->later,
                                   .law = (int32_t)of_law,
                                   .speed = (int32_t) class};
    // Where the law's own area on all processors is too much, nobody needs its steps.
    if ((duet_int128)table->length * duet_law_ceil(&law, table->length) > DUET_MAX_WORK) {
        return too_much_work(error);
    }
    duet_law_step step = {.size = 0};
    while (!duet_watch_spend(&f->watch, STEP) && duet_law_advance(&law, table->length, &step)) {
        DUET_TRY(add_step(f, table, &step, error));
    }
    return duet_watch_code(&f->watch, error);
}

// Of a table with gaps: a step for each size that is allowed.
static duet_code make_given(fitted *f, duet_moldable_table *table, duet_error *error)
{
    table->at = f->times;
    table->dense = table->later = 0;
    table->size_at = f->later;
    for (int64_t p = 1; p <= table->length; p++) {
        int64_t ticks = f->m->given_time[table->given_at + (size_t)(p - 1)];
        const duet_law_step step = {.size = p, .ticks = ticks};
        if (ticks != DUET_FORBIDDEN) {
            DUET_TRY(add_step(f, table, &step, error));
        }
    }
    return DUET_OK;
}

// The tables that some kind uses; *kind is the one at fault.
static duet_code make_tables(fitted *f, int64_t *kind, duet_error *error)
{
    const duet_moldable *m = f->m;
    f->table = duet_alloc(m->tables, sizeof *f->table, error);
    f->time = duet_alloc_raw(m->given_times, sizeof *f->time, error);
    DUET_NEED(f->table != NULL && f->time != NULL);
    f->times = f->room = m->given_times;
    if (m->given > 0) {
        memcpy(f->table, m->table, m->given * sizeof *f->table);
        memcpy(f->time, m->given_time, m->given_times * sizeof *f->time);
    }
    for (size_t i = 0; i < m->given; i++) {
        DUET_TRY(m->table[i].gaps ? make_given(f, &f->table[i], error) : DUET_OK);
    }
    for (size_t at = 0; at < f->instance->kinds * m->types; at++) {
        uint32_t cell = m->cell[at];
        if (cell <= m->given || f->table[cell - 1].length > 0) {
            continue;
        }
        duet_code code = make_table(f, at / m->types, at % m->types, error);
        if (code != DUET_OK) {
            *kind = code == DUET_E_INPUT ? (int64_t)(at / m->types) : *kind;
            return code;
        }
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
    DUET_TRY(duet_memory_check(m->amounts, row * sizeof *f->move, 0, "what the data of edges take",
                               error));
    f->move = duet_alloc(m->amounts, row * sizeof *f->move, error);
    DUET_NEED(f->move);
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
    const int32_t *allowed = table->gaps ? f->step_size : NULL;
    for (int64_t i = 0; i < table->dense + table->later; i++) {
        int64_t size = allowed == NULL ? i + 1 : allowed[table->size_at + (size_t)i];
        duet_uint128 area = (duet_uint128)size * (duet_uint128)time[i];
        largest = duet_max(area, largest);
    }
    return largest;
}

static duet_uint128 slowest_move(const fitted *f, size_t amount)
{
    int64_t slowest = 0;
    for (size_t t = 0; t <= f->m->types; t++) {
        int64_t ticks = f->move[amount * (f->m->types + 1) + t];
        slowest = duet_max(ticks, slowest);
    }
    int64_t latency = duet_max(f->latency, f->inter_latency);
    return (duet_uint128)slowest + (duet_uint128)latency;
}

// All areas and all data together make at most DUET_MAX_WORK ticks.
static duet_code check_work(fitted *f, int64_t *kind, duet_error *error)
{
    const duet_moldable *m = f->m;
    const duet_instance *instance = f->instance;
    duet_uint128 work = (uint64_t)instance->latest;
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
            largest = duet_max(area, largest);
        }
        bool fits = largest <= (duet_uint128)DUET_MAX_WORK;
        work += fits ? largest * (uint64_t)duet_count(instance, i) : largest;
        if (!fits || work > (duet_uint128)DUET_MAX_WORK) {
            *kind = (int64_t)i;
            return too_much_work(error);
        }
    }
    f->work = (int64_t)work - instance->latest;
    return DUET_OK;
}

// Says whether a task takes 0 ticks, or a table that is used has gaps.
static void note_rigid(const duet_instance *instance, duet_moldable *m)
{
    bool zeros = false;
    bool gaps = false;
    for (size_t at = 0; at < instance->kinds * m->types; at++) {
        zeros = zeros || instance->times[at] == 0;
        gaps = gaps || (m->cell[at] > 0 && m->table[m->cell[at] - 1].gaps);
    }
    m->shape = zeros ? DUET_TABLES_ZEROS : gaps ? DUET_TABLES_GAPS : DUET_TABLES_FULL;
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
    instance->work = f->work;
    m->inter_latency = f->inter_latency;
    for (size_t at = 0; at < instance->kinds * m->types; at++) {
        if (m->cell[at] > 0) {
            const duet_moldable_table *table = &m->table[m->cell[at] - 1];
            int64_t processors = instance->processors[at % m->types];
            bool wide = table->gaps && processors > 0 && m->step_size[table->size_at] > processors;
            instance->times[at] = wide ? DUET_FORBIDDEN : m->time[table->at];
        }
    }
    note_rigid(instance, m);
}

duet_code duet_moldable_fit(duet_instance *instance, const duet_context *limits, int64_t *kind,
                            duet_error *error)
{
    fitted f = {.instance = instance,
                .m = instance->moldable,
                .watch = {.context = limits, .left = DUET_WATCH_UNITS}};
    *kind = -1;
    if (instance->mixed_sets && duet_all_counts(instance) > DUET_MAX_PROCESSORS) {
        return duet_error_set(
            error, DUET_E_INPUT,
            "mixed sets on %lld processors: expected at most %lld of all types together",
            (long long)duet_all_counts(instance), (long long)DUET_MAX_PROCESSORS);
    }
    duet_code code = make_tables(&f, kind, error);
    DUET_THEN(code, fill_moves(&f, error));
    DUET_THEN(code, check_work(&f, kind, error));
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
