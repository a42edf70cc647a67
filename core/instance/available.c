// SPDX-License-Identifier: Apache-2.0
// When tasks and processors are there: releases and busy times of an instance that exists.
#include "core/instance/available.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

bool duet_has_busy(const duet_instance *instance)
{
    bool busy = false;
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < instance->busy_count[t]; p++) {
            busy = busy || instance->busy[t][p] > 0;
        }
    }
    return busy;
}

void duet_trim_busy(duet_instance *instance, const int64_t *counts)
{
    for (size_t t = 0; t < instance->types; t++) {
        int64_t listed = instance->busy_count[t] + instance->busy_beyond[t];
        instance->busy_count[t] = duet_min(listed, counts[t]);
        instance->busy_beyond[t] = listed - instance->busy_count[t];
    }
}

int64_t duet_first_free(const duet_instance *instance, size_t type)
{
    int64_t processors = instance->processors[type];
    int64_t first = processors > 0 ? duet_busy_until(instance, type, 0) : 0;
    for (int64_t p = 1; p < processors && first > 0; p++) {
        first = duet_min(duet_busy_until(instance, type, p), first);
    }
    return first;
}

int64_t duet_earliest_start(const duet_instance *instance, size_t kind)
{
    int64_t earliest = INT64_MAX;
    for (size_t t = 0; t < instance->types && earliest > 0; t++) {
        int64_t first = duet_allowed(instance, kind, t) ? duet_first_free(instance, t) : INT64_MAX;
        earliest = duet_min(first, earliest);
    }
    return duet_max(duet_release(instance, kind), earliest == INT64_MAX ? 0 : earliest);
}

static int64_t find_latest(const duet_instance *instance)
{
    int64_t latest = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        latest = duet_max(duet_release(instance, i), latest);
    }
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < instance->busy_count[t]; p++) {
            latest = duet_max(instance->busy[t][p], latest);
        }
    }
    return latest;
}

duet_code duet_instance_set_busy(duet_instance *instance, size_t type, size_t count,
                                 const int64_t *until, duet_error *error)
{
    if (type >= instance->types) {
        return duet_error_set(error, DUET_E_USAGE, "expected one of %zu processor types",
                              instance->types);
    }
    if (instance->pins != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "tasks are fixed where processors are free: expected busy processors "
                              "before");
    }
    int64_t most = instance->has_platform ? instance->processors[type] : DUET_MAX_PROCESSORS;
    if (count > (size_t)most) {
        return duet_error_set(error, DUET_E_USAGE,
                              "more busy processors of type %s than there are: expected at most "
                              "%" PRId64 ", got %zu",
                              instance->type_names[type], most, count);
    }
    int64_t *copy = duet_alloc(count, sizeof *copy, error);
    DUET_NEED(copy);
    for (size_t p = 0; p < count; p++) {
        copy[p] = until[p];
        if (until[p] < 0 || until[p] > DUET_MAX_WORK - instance->work) {
            duet_free(copy);
            return duet_error_set(error, DUET_E_USAGE,
                                  "processors of type %s: expected to be busy until 0 to 2^62 "
                                  "ticks, with all work",
                                  instance->type_names[type]);
        }
    }
    duet_free(instance->busy[type]);
    instance->busy[type] = copy;
    instance->busy_count[type] = (int64_t)count;
    instance->busy_beyond[type] = 0;
    instance->latest = find_latest(instance);
    duet_claim_free(instance->claim);
    instance->claim = NULL;
    return DUET_OK;
}

bool duet_is_available(const duet_instance *instance)
{
    return instance->release == NULL && !duet_has_busy(instance);
}

static bool scale_time(int64_t time, int64_t scale, int64_t *out)
{
    return !__builtin_mul_overflow(time, scale, out) && *out <= DUET_MAX_WORK;
}

static duet_code copy_busy(const duet_instance *from, size_t type, int64_t scale, duet_instance *to,
                           duet_error *error)
{
    size_t count = (size_t)from->busy_count[type];
    int64_t *until = duet_alloc(count, sizeof *until, error);
    DUET_NEED(until);
    duet_code code = DUET_OK;
    for (size_t p = 0; p < count && code == DUET_OK; p++) {
        if (!scale_time(from->busy[type][p], scale, &until[p])) {
            code = duet_error_set(error, DUET_E_LIMIT, "a busy time too long for finer ticks");
        }
    }
    DUET_THEN(code, duet_instance_set_busy(to, type, count, until, error));
    duet_free(until);
    return code;
}

duet_code duet_copy_busy(const duet_instance *from, int64_t scale, duet_instance *to,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < from->types && code == DUET_OK; t++) {
        if (from->busy_count[t] > 0) {
            code = copy_busy(from, t, scale, to, error);
        }
    }
    return code;
}

duet_code duet_copy_releases(const duet_instance *from, int64_t scale, duet_instance *to,
                             duet_error *error)
{
    if (from->release == NULL) {
        return DUET_OK;
    }
    to->release = duet_alloc(from->kinds, sizeof *to->release, error);
    DUET_NEED(to->release);
    for (size_t i = 0; i < from->kinds; i++) {
        if (!scale_time(from->release[i], scale, &to->release[i]) ||
            to->release[i] > DUET_MAX_WORK - to->work) {
            return duet_error_set(error, DUET_E_LIMIT, "a release too long for finer ticks");
        }
    }
    to->latest = duet_max(find_latest(to), to->latest);
    return DUET_OK;
}
