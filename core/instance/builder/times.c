// SPDX-License-Identifier: Apache-2.0
// The times of an instance that is being built, in ticks of one scale.
//
// Up to nine decimal places every time is a whole number of ticks, or the instance is refused.
// Where a time has more, as floating-point numbers that a program prints have, the tick is the
// finest of which all of the work makes at most 2^62, and what is finer than that is rounded to it.
// The notice names the largest error.
#include <stdio.h>

#include "core/instance/builder/builder_state.h"
#include "core/instance/builder/moldable.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

enum { ALWAYS_EXACT = 9 }; // places that are never rounded

// The most decimal places that a time has, or the claim. One with more digits than fit has too
// many.
static int most_places(const duet_builder *builder)
{
    int most = builder->instance->claim == NULL ? 0 : builder->claim_places;
    size_t cells = builder->kinds * builder->times_per_kind;
    for (size_t i = 0; i < cells; i++) {
        duet_decimal_tail tail;
        int places = duet_builder_time(builder, i, &tail).places;
        places = tail == DUET_DECIMAL_NO_TAIL ? places : DUET_MAX_DECIMALS;
        most = duet_max(places, most);
    }
    most = duet_builder_cost_places(builder, most);
    most = duet_builder_available_places(builder, most);
    return duet_min(most, DUET_MAX_DECIMALS);
}

static duet_code too_large(const duet_builder *builder, size_t at, int decimals, duet_error *error)
{
    return duet_error_set_at(
        error, DUET_E_INPUT, builder->file, builder->line[at / builder->times_per_kind], 0,
        "time too large: expected at most 2^62 ticks of 10^-%d; write times in a larger unit or "
        "with fewer decimal places",
        decimals);
}

static duet_code scale_exactly(duet_builder *builder, duet_error *error)
{
    int decimals = builder->instance->decimals;
    size_t cells = builder->kinds * builder->times_per_kind;
    for (size_t i = 0; i < cells; i++) {
        duet_decimal_tail tail;
        duet_decimal value = duet_builder_time(builder, i, &tail);
        if (value.mantissa != DUET_FORBIDDEN &&
            !duet_decimal_scale(value, decimals, &builder->mantissa[i])) {
            return too_large(builder, i, decimals, error);
        }
    }
    return DUET_OK;
}

// Whether all of the work, times the room that is wanted, is at most DUET_MAX_WORK in ticks of that
// many places. Where the scale is much too fine, the first tasks show it.
static bool work_fits(const duet_builder *builder, int decimals)
{
    duet_uint128 most = (duet_uint128)DUET_MAX_WORK / (uint64_t)duet_max(builder->room, 1);
    duet_uint128 work;
    int64_t latest;
    if (!duet_builder_cost_work(builder, decimals, &work) ||
        !duet_builder_latest(builder, decimals, &latest)) {
        return false;
    }
    work += (uint64_t)latest;
    for (size_t kind = 0; kind < builder->kinds; kind++) {
        int64_t longest = 0;
        for (size_t t = 0; t < builder->times_per_kind; t++) {
            duet_decimal_tail tail;
            duet_uint128 off;
            int64_t ticks;
            duet_decimal value =
                duet_builder_time(builder, kind * builder->times_per_kind + t, &tail);
            if (value.mantissa == DUET_FORBIDDEN) {
                continue;
            }
            if (!duet_decimal_round(value, tail, decimals, &ticks, &off)) {
                return false;
            }
            longest = duet_max(ticks, longest);
        }
        work += (duet_uint128)longest * (duet_uint128)builder->count[kind];
        if (work > most) {
            return false;
        }
    }
    return work <= most;
}

// An error in units of 10^-DUET_DECIMAL_MOST_PLACES as "4.9e-15": two digits, rounded up.
static void write_error(duet_uint128 error, char *text, size_t size)
{
    int exponent = -DUET_DECIMAL_MOST_PLACES;
    bool cut = false;
    while (error >= 100) {
        cut = cut || error % 10 != 0;
        error /= 10;
        exponent++;
    }
    int two = (int)error + cut;
    if (two < 10) {
        snprintf(text, size, "%de%d", two, exponent);
    } else if (two % 10 == 0) {
        snprintf(text, size, "%de%d", two / 10 >= 10 ? 1 : two / 10,
                 exponent + (two / 10 >= 10 ? 2 : 1));
    } else {
        snprintf(text, size, "%d.%de%d", two / 10, two % 10, exponent + 1);
    }
}

static duet_code note_rounding(duet_builder *builder, const duet_builder_rounding *rounding,
                               duet_error *error)
{
    char notice[256];
    char off[32];
    int decimals = builder->instance->decimals;
    const char *unit = builder->instance->time_unit;
    bool named = unit != NULL && unit[0] != '\0';
    write_error(rounding->largest, off, sizeof off);
    snprintf(notice, sizeof notice,
             "%zu of %zu times %s rounded to %d decimal place%s, the finest that fit%s; the "
             "largest error is %s%s%.20s",
             rounding->rounded, rounding->times, rounding->rounded == 1 ? "is" : "are", decimals,
             decimals == 1 ? "" : "s", decimals == 1 ? "s" : "", off, named ? " " : "",
             named ? unit : "");
    DUET_TRY(duet_builder_add_notice(builder, notice, error));
    return duet_builder_drop_claim(builder, error);
}

static duet_code refuse_rounding(const duet_builder *builder, size_t at, int decimals,
                                 duet_error *error)
{
    size_t kind = at / builder->times_per_kind;
    return duet_error_set_at(
        error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
        "time %zu of task '%.60s' cannot be exact: expected at most %d decimal place%s, since the "
        "total work is at most 2^62 ticks; round it, or let times be rounded",
        at % builder->times_per_kind + 1, builder->ids + builder->instance->id_at[kind], decimals,
        decimals == 1 ? "" : "s");
}

static duet_code scale_roundly(duet_builder *builder, duet_builder_rounding *rounding,
                               duet_error *error)
{
    int decimals = builder->instance->decimals;
    size_t cells = builder->kinds * builder->times_per_kind;
    for (size_t i = 0; i < cells; i++) {
        duet_decimal_tail tail;
        duet_uint128 off;
        duet_decimal value = duet_builder_time(builder, i, &tail);
        if (value.mantissa == DUET_FORBIDDEN) {
            continue;
        }
        if (!duet_decimal_round(value, tail, decimals, &builder->mantissa[i], &off)) {
            return too_large(builder, i, decimals, error);
        }
        if (off != 0 && builder->wants.exact) {
            return refuse_rounding(builder, i, decimals, error);
        }
        rounding->times++;
        rounding->rounded += off != 0;
        rounding->largest = duet_max(off, rounding->largest);
    }
    return DUET_OK;
}

duet_code duet_builder_scale_times(duet_builder *builder, duet_error *error)
{
    int decimals = most_places(builder);
    if (builder->moldable != NULL) {
        duet_code raised = duet_builder_scale_moldable(builder, decimals, error);
        decimals = builder->instance->decimals;
        return raised == DUET_OK ? duet_builder_scale_claim(builder, decimals, error) : raised;
    }
    bool exact = decimals <= ALWAYS_EXACT;
    while (!exact && decimals > 0 && !work_fits(builder, decimals)) {
        decimals--;
    }
    builder->instance->decimals = decimals;
    duet_builder_rounding rounding = {.times = 0};
    DUET_TRY(exact ? scale_exactly(builder, error) : scale_roundly(builder, &rounding, error));
    DUET_TRY(duet_builder_scale_costs(builder, exact, &rounding, error));
    DUET_TRY(duet_builder_scale_available(builder, exact ? DUET_SCALE_EXACTLY : DUET_SCALE_ROUNDED,
                                          &rounding, error));
    if (rounding.rounded > 0) {
        DUET_TRY(note_rounding(builder, &rounding, error));
    }
    return duet_builder_scale_claim(builder, decimals, error);
}

// Whether a table says the times, whose areas are counted where tables meet the platform; the one
// time of the cell is then as it was read, in no ticks.
static bool has_table(const duet_builder *builder, size_t cell)
{
    const duet_builder_moldable *made = builder->moldable;
    return made != NULL && made->m != NULL && made->m->cell[cell] != 0;
}

duet_code duet_builder_check_work(duet_builder *builder, duet_error *error)
{
    duet_uint128 work;
    duet_uint128 tasks = 0;
    duet_uint128 latest = (uint64_t)builder->instance->latest;
    if (!duet_builder_cost_work(builder, builder->instance->decimals, &work) ||
        work > (duet_uint128)DUET_MAX_WORK) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "too much communication: expected at most 2^62 ticks in total");
    }
    for (size_t i = 0; i < builder->kinds; i++) {
        int64_t longest = 0;
        for (size_t t = 0; t < builder->times_per_kind; t++) {
            size_t cell = i * builder->times_per_kind + t;
            int64_t time = has_table(builder, cell) ? 0 : builder->mantissa[cell];
            longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
        }
        work += (duet_uint128)longest * (duet_uint128)builder->count[i];
        tasks += (uint64_t)builder->count[i];
        bool late = work + latest > (duet_uint128)DUET_MAX_WORK;
        if (late || tasks > (duet_uint128)DUET_MAX_WORK) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[i], 0,
                                     "too much %s: expected at most 2^62 %s in total",
                                     late ? "work" : "to do", late ? "ticks" : "tasks");
        }
    }
    builder->instance->work = (int64_t)work;
    return DUET_OK;
}
