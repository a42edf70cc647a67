// SPDX-License-Identifier: Apache-2.0
// What the generators of families have in common: options, a run of kinds, the platform by default.
#include "instances/families/family.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/system/try.h"

int64_t duet_family_integer(const duet_family_request *request, const char *option)
{
    return duet_option_integer(request->options, request->table, option);
}

duet_code duet_family_check_range(const duet_family_request *request, const char *low,
                                  const char *high, duet_error *error)
{
    int64_t from = duet_family_integer(request, low);
    int64_t to = duet_family_integer(request, high);
    if (from <= to) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_USAGE,
                          "option %s is %" PRId64 " and %s is %" PRId64
                          ": expected %s to be at most %s",
                          low, from, high, to, low, high);
}

duet_code duet_family_draw(duet_family_request *request, duet_builder *builder, const char *family,
                           duet_draw_function *draw, void *state, duet_error *error)
{
    char name[96];
    snprintf(name, sizeof name, "%s-%" PRId64 "-%" PRIu64, family, request->n, request->seed);
    DUET_TRY(duet_builder_set_name(builder, name, error));
    for (int64_t j = 0; j < request->n; j++) {
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, j);
        int64_t cpu = 0;
        int64_t gpu = 0;
        draw(request, state, &cpu, &gpu);
        duet_read_time times[2] = {{.value = {cpu, 0}}, {.value = {gpu, 0}}};
        const duet_read_kind kind = {id, (size_t)length, 1, times, 2, 0, 0};
        DUET_TRY(duet_builder_add_kind(builder, &kind, error));
    }
    return DUET_OK;
}

duet_code duet_family_default_platform(duet_family_request *request, int64_t cpus, int64_t gpus)
{
    request->cpus = request->cpus < 0 ? cpus : request->cpus;
    request->gpus = request->gpus < 0 ? gpus : request->gpus;
    return DUET_OK;
}
