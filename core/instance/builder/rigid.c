// SPDX-License-Identifier: Apache-2.0
// Tasks that say on how many processors they run: their one time on a type becomes a table with
// that size alone.
#include <string.h>

#include "core/instance/builder/moldable.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_builder_set_cores(duet_builder *builder, int64_t cores, duet_error *error)
{
    if (cores <= 1) {
        return DUET_OK;
    }
    while (builder->sized < builder->kinds) {
        DUET_TRY(duet_vec_push(builder->cores, builder->sized, error, 1));
    }
    builder->cores[builder->kinds - 1] = cores;
    return DUET_OK;
}

static duet_code make_cell(duet_builder *builder, size_t kind, size_t type, duet_read_time *sizes,
                           duet_error *error)
{
    size_t at = kind * builder->times_per_kind + type;
    size_t cores = (size_t)builder->cores[kind];
    const char *id = builder->ids + builder->instance->id_at[kind];
    duet_decimal_tail tail;
    duet_decimal time = duet_builder_time(builder, at, &tail);
    const duet_read_kind read = {.id = id, .id_length = strlen(id), .line = builder->line[kind]};
    const duet_read_table table = {.time = sizes, .length = cores};
    if (time.mantissa == DUET_FORBIDDEN) {
        return DUET_OK;
    }
    if (builder->moldable != NULL && builder->moldable->tables &&
        builder->moldable->m->cell[at] != 0) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                                 "task '%.60s' says that it runs on %zu processors, and has a "
                                 "table or a law: expected one of both",
                                 id, cores);
    }
    sizes[cores - 1] = (duet_read_time){.value = time, .tail = tail};
    duet_code code = duet_builder_add_cell(builder, &read, at, &table, error);
    sizes[cores - 1] = (duet_read_time){.forbidden = true};
    return code;
}

duet_code duet_builder_make_rigid(duet_builder *builder, duet_error *error)
{
    int64_t most = 0;
    for (size_t i = 0; i < builder->sized; i++) {
        most = duet_max(builder->cores[i], most);
    }
    if (most == 0) {
        return DUET_OK;
    }
    DUET_TRY(
        duet_memory_check((size_t)most, sizeof(duet_read_time), 0, "the size of a task", error));
    duet_read_time *sizes = duet_alloc_raw((size_t)most, sizeof *sizes, error);
    duet_code code = sizes == NULL ? DUET_E_MEMORY : DUET_OK;
    for (int64_t p = 0; p < most && code == DUET_OK; p++) {
        sizes[p] = (duet_read_time){.forbidden = true};
    }
    for (size_t i = 0; i < builder->sized; i++) {
        for (size_t t = 0; t < builder->times_per_kind && builder->cores[i] > 1; t++) {
            DUET_THEN(code, make_cell(builder, i, t, sizes, error));
        }
    }
    duet_free(sizes);
    return code;
}
