// SPDX-License-Identifier: Apache-2.0
// When the tasks and the processors of an instance that is being built are there: releases and busy
// processors.
#include <inttypes.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static bool is_zero(const duet_read_time *time)
{
    return time->value.mantissa == 0 && time->tail == DUET_DECIMAL_NO_TAIL;
}

duet_code duet_builder_set_release(duet_builder *builder, const duet_read_time *release,
                                   duet_error *error)
{
    static const duet_read_time zero = {.forbidden = false};
    if (is_zero(release)) {
        return DUET_OK;
    }
    while (builder->released < builder->kinds) {
        DUET_TRY(duet_vec_push(builder->release, builder->released, error, zero));
    }
    builder->release[builder->kinds - 1] = *release;
    return DUET_OK;
}

duet_code duet_builder_add_busy(duet_builder *builder, size_t type, const duet_read_time *until,
                                duet_error *error)
{
    return duet_vec_push(builder->busy, builder->busy_count, error,
                         (duet_builder_busy){type, *until});
}

void duet_builder_clear_busy(duet_builder *builder, size_t type)
{
    size_t kept = 0;
    for (size_t i = 0; i < builder->busy_count; i++) {
        if (builder->busy[i].type != type) {
            builder->busy[kept++] = builder->busy[i];
        }
    }
    builder->busy_count = kept;
}

duet_code duet_builder_check_busy(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    for (size_t i = 0; i < builder->busy_count; i++) {
        size_t type = builder->busy[i].type;
        instance->busy_count[type]++;
        if (builder->counts_known && instance->busy_count[type] > instance->processors[type]) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                     "more busy processors of type %.60s than there are: expected "
                                     "at most %" PRId64,
                                     instance->type_names[type], instance->processors[type]);
        }
    }
    return DUET_OK;
}

static int places_of(const duet_read_time *time, int most)
{
    int places = time->tail == DUET_DECIMAL_NO_TAIL ? time->value.places : DUET_MAX_DECIMALS;
    return duet_max(places, most);
}

int duet_builder_available_places(const duet_builder *builder, int most)
{
    for (size_t i = 0; i < builder->released; i++) {
        most = places_of(&builder->release[i], most);
    }
    for (size_t i = 0; i < builder->busy_count; i++) {
        most = places_of(&builder->busy[i].until, most);
    }
    return most;
}

bool duet_builder_latest(const duet_builder *builder, int decimals, int64_t *latest)
{
    size_t all = builder->released + builder->busy_count;
    *latest = 0;
    for (size_t i = 0; i < all; i++) {
        const duet_read_time *time = i < builder->released
                                         ? &builder->release[i]
                                         : &builder->busy[i - builder->released].until;
        int64_t ticks;
        bool exact;
        if (!duet_decimal_raise(time->value, time->tail, decimals, &ticks, &exact)) {
            return false;
        }
        *latest = duet_max(ticks, *latest);
    }
    return true;
}

// A time in ticks of the instance.
static duet_code scale(const duet_builder *builder, const duet_read_time *time,
                       duet_builder_scale how, duet_builder_rounding *rounding, int64_t *ticks,
                       duet_error *error)
{
    int decimals = builder->instance->decimals;
    duet_uint128 off = 0;
    bool exact = true;
    bool fits = how == DUET_SCALE_RAISED
                    ? duet_decimal_raise(time->value, time->tail, decimals, ticks, &exact)
                : how == DUET_SCALE_ROUNDED
                    ? duet_decimal_round(time->value, time->tail, decimals, ticks, &off)
                    : duet_decimal_scale(time->value, decimals, ticks);
    if (!fits) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "a release or busy time is too large: expected at most 2^62 ticks "
                                 "of 10^-%d",
                                 decimals);
    }
    exact = exact && off == 0;
    if (!exact && builder->wants.exact) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "a release or busy time cannot be exact: expected at most %d "
                                 "decimal places; round it, or let times be rounded",
                                 decimals);
    }
    rounding->times++;
    rounding->rounded += !exact;
    rounding->largest = duet_max(off, rounding->largest);
    return DUET_OK;
}

static duet_code scale_releases(duet_builder *builder, duet_builder_scale how,
                                duet_builder_rounding *rounding, duet_error *error)
{
    duet_instance *instance = builder->instance;
    if (builder->released == 0) {
        return DUET_OK;
    }
    instance->release = duet_alloc(builder->kinds, sizeof *instance->release, error);
    DUET_NEED(instance->release);
    for (size_t i = 0; i < builder->released; i++) {
        DUET_TRY(scale(builder, &builder->release[i], how, rounding, &instance->release[i], error));
        instance->latest = duet_max(instance->release[i], instance->latest);
    }
    return DUET_OK;
}

duet_code duet_builder_scale_available(duet_builder *builder, duet_builder_scale how,
                                       duet_builder_rounding *rounding, duet_error *error)
{
    duet_instance *instance = builder->instance;
    int64_t next[DUET_MAX_TYPES] = {0};
    DUET_TRY(scale_releases(builder, how, rounding, error));
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->busy_count[t] > 0) {
            instance->busy[t] =
                duet_alloc((size_t)instance->busy_count[t], sizeof *instance->busy[t], error);
            DUET_NEED(instance->busy[t]);
        }
    }
    for (size_t i = 0; i < builder->busy_count; i++) {
        const duet_builder_busy *busy = &builder->busy[i];
        int64_t *until = &instance->busy[busy->type][next[busy->type]++];
        DUET_TRY(scale(builder, &busy->until, how, rounding, until, error));
        instance->latest = duet_max(*until, instance->latest);
    }
    return DUET_OK;
}
