// SPDX-License-Identifier: Apache-2.0
#include "instances/families/moldable.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_moldable_platform(duet_family_request *request, duet_error *error)
{
    duet_family_default_platform(request, DUET_MOLDABLE_PROCESSORS, 0);
    if (request->cpus == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "moldable tasks without CPUs: expected at least one");
    }
    return DUET_OK;
}

static duet_code add_types(const duet_family_request *request, duet_builder *builder,
                           duet_error *error)
{
    DUET_TRY(duet_builder_add_type(builder, "cpu", request->cpus, 0, 0, error));
    if (request->gpus > 0) {
        return duet_builder_add_type(builder, "gpu", request->gpus, 0, 0, error);
    }
    return DUET_OK;
}

duet_code duet_moldable_draw(duet_family_request *request, duet_builder *builder,
                             const char *family, duet_draw_table *draw, duet_error *error)
{
    char name[96];
    size_t cpus = (size_t)request->cpus;
    int64_t low = duet_family_integer(request, "work-min");
    int64_t high = duet_family_integer(request, "work-max");
    duet_code code = duet_family_check_range(request, "work-min", "work-max", error);
    DUET_THEN(code, duet_memory_check(cpus, (size_t)request->n * sizeof(int64_t), 0,
                                      "the generated tables", error));
    duet_read_time *values = code == DUET_OK ? duet_alloc(cpus, sizeof *values, error) : NULL;
    code = code == DUET_OK && values == NULL ? DUET_E_MEMORY : code;
    snprintf(name, sizeof name, "%s-%" PRId64 "-%" PRIu64, family, request->n, request->seed);
    DUET_THEN(code, duet_builder_set_name(builder, name, error));
    DUET_THEN(code, add_types(request, builder, error));
    for (int64_t j = 0; j < request->n && code == DUET_OK; j++) {
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, j);
        int64_t work = duet_random_between(&request->random, low, high);
        duet_read_table tables[2] = {{.time = values}, {.law = false}};
        draw(request, work, values, &tables[0]);
        int64_t least = work / duet_family_integer(request, "speedup");
        int64_t gpu = duet_random_between(&request->random, duet_max(least, 1), work);
        const duet_read_time times[2] = {{.value = {work, 0}}, {.value = {gpu, 0}}};
        const duet_read_kind kind = {id, (size_t)length, 1, times, request->gpus > 0 ? 2 : 1, 0, 0};
        code = duet_builder_add_moldable_kind(builder, &kind, tables, error);
    }
    duet_free(values);
    return code;
}

duet_monotone_style duet_monotone_draw(duet_random *random)
{
    return (duet_monotone_style)duet_random_between(random, DUET_MONOTONE_ANY, DUET_MONOTONE_FAST);
}

int64_t duet_monotone_next(duet_random *random, duet_monotone_style style, int64_t p,
                           int64_t before)
{
    int64_t least = before - before / p; // ceil((p - 1) before / p)
    bool extreme = duet_random_between(random, 0, 1) == 0;
    int64_t low = style == DUET_MONOTONE_SLOW && extreme ? before : least;
    int64_t high = style == DUET_MONOTONE_FAST && extreme ? least : before;
    return duet_random_between(random, low, high);
}
