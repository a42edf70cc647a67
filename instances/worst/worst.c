// SPDX-License-Identifier: Apache-2.0
#include "instances/worst/worst.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"

duet_worst duet_worst_begin(duet_builder *builder, duet_error *error, const char *format, ...)
{
    duet_worst worst = {builder, error, 0, DUET_OK, 2};
    char name[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    worst.code = duet_builder_set_name(builder, name, error);
    return worst;
}

void duet_worst_reserve(duet_worst *worst, duet_int128 kinds)
{
    enum { BYTES_PER_KIND = 160 }; // times, id, count, with room for growing and for ids
    if (worst->code == DUET_OK && kinds > 1000) {
        worst->code = duet_memory_check((uint64_t)kinds, BYTES_PER_KIND, 0, "the generated tasks",
                                        worst->error);
    }
}

static duet_code too_large(duet_worst *worst)
{
    return duet_error_set(worst->error, DUET_E_USAGE,
                          "too much work: expected at most 2^62 ticks in total; smaller "
                          "parameters take less");
}

void duet_worst_add(duet_worst *worst, const char *id, int64_t number, duet_int128 count,
                    duet_int128 cpu, duet_int128 gpu)
{
    if (worst->code != DUET_OK || count == 0) {
        return;
    }
    duet_int128 longest = duet_max(cpu, gpu);
    if (count > DUET_MAX_WORK || longest > DUET_MAX_WORK ||
        count * longest > DUET_MAX_WORK - worst->work) {
        worst->code = too_large(worst);
        return;
    }
    worst->work += count * longest;
    char numbered[64];
    int length = number < 0 ? snprintf(numbered, sizeof numbered, "%s", id)
                            : snprintf(numbered, sizeof numbered, "%s%" PRId64, id, number);
    duet_read_time times[DUET_MAX_TYPES];
    for (size_t t = 0; t < worst->types; t++) {
        duet_int128 time = t + 1 < worst->types ? cpu : gpu;
        bool forbidden = time == DUET_WORST_FORBIDDEN;
        times[t] =
            (duet_read_time){.forbidden = forbidden, .value = {forbidden ? 0 : (int64_t)time, 0}};
    }
    const duet_read_kind kind = {numbered, (size_t)length, (int64_t)count, times, worst->types, 0,
                                 0};
    worst->code = duet_builder_add_kind(worst->builder, &kind, worst->error);
}

duet_code duet_worst_end(duet_worst *worst, const duet_read_claim *claim, duet_int128 optimum,
                         duet_int128 makespan)
{
    if (worst->code == DUET_OK && makespan > DUET_MAX_WORK) {
        worst->code = too_large(worst);
    }
    if (worst->code != DUET_OK) {
        return worst->code;
    }
    duet_read_claim complete = *claim;
    complete.optimum = (duet_decimal){(int64_t)optimum, 0};
    complete.makespan = (duet_decimal){(int64_t)makespan, 0};
    return duet_builder_set_claim(worst->builder, &complete, worst->error);
}

duet_code duet_worst_fixed_platform(duet_family_request *request, int64_t cpus, int64_t gpus,
                                    duet_error *error)
{
    if ((request->cpus >= 0 && request->cpus != cpus) ||
        (request->gpus >= 0 && request->gpus != gpus)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-m and -k: expected %" PRId64 " CPUs and %" PRId64
                              " GPUs, which follow from its size and options, or none given",
                              cpus, gpus);
    }
    return duet_family_default_platform(request, cpus, gpus);
}

duet_code duet_worst_least_platform(const duet_family_request *request, int64_t cpus, int64_t gpus,
                                    duet_error *error)
{
    if (request->cpus >= cpus && request->gpus >= gpus) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_USAGE,
                          "%" PRId64 " CPUs and %" PRId64 " GPUs: expected at least %" PRId64
                          " and %" PRId64,
                          request->cpus, request->gpus, cpus, gpus);
}

duet_code duet_worst_more_cpus(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, 16, 4);
    return duet_worst_least_platform(request, request->gpus, 1, error);
}

duet_int128 duet_worst_root(duet_int128 value)
{
    duet_int128 root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        duet_int128 tried = root + ((duet_int128)1 << bit);
        root = tried * tried <= value ? tried : root;
    }
    return root;
}

void duet_worst_lure(const duet_family_request *request, duet_int128 *s, duet_int128 *q)
{
    duet_int128 m = request->cpus;
    duet_int128 k = request->gpus;
    *s = duet_family_integer(request, "ticks") * (duet_worst_root((m - 1) / k) + 1);
    *q = duet_worst_root((*s * *s * k - 1) / m);
}

int64_t duet_worst_fibonacci(int64_t index)
{
    int64_t last = 0;
    int64_t next = 1;
    for (int64_t i = 0; i < index; i++) {
        int64_t sum = last + next;
        last = next;
        next = sum;
    }
    return last;
}
