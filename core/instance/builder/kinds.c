// SPDX-License-Identifier: Apache-2.0
// Kinds of tasks of an instance that is being built: each is checked by itself and kept as read.
#include <inttypes.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// As many times as there are types or, before those are known, as the first kind has.
static duet_code check_times(const duet_builder *builder, const duet_read_kind *kind,
                             duet_error *error)
{
    size_t expected = builder->instance->types;
    const char *why = "one per processor type";
    if (expected == 0 && builder->kinds > 0) {
        expected = builder->times_per_kind;
        why = "as for the first task";
    }
    if (kind->time_count == 0 || kind->time_count > DUET_MAX_TYPES ||
        (expected != 0 && kind->time_count != expected)) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, kind->line, kind->column,
                                 "%zu times: expected %zu, %s", kind->time_count,
                                 expected == 0 ? (size_t)1 : expected, why);
    }
    return DUET_OK;
}

static bool is_allowed_somewhere(const duet_read_kind *kind)
{
    bool somewhere = false;
    for (size_t t = 0; t < kind->time_count; t++) {
        somewhere = somewhere || !kind->times[t].forbidden;
    }
    return somewhere;
}

static duet_code check_kind(const duet_builder *builder, const duet_read_kind *kind,
                            duet_error *error)
{
    enum { shown = 60 }; // bytes of an id in a message
    int length = (int)duet_min(kind->id_length, shown);
    if (kind->id_length == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, kind->line, kind->column,
                                 "empty task id: expected a name");
    }
    DUET_TRY(check_times(builder, kind, error));
    if (kind->count < 1 || kind->count > DUET_MAX_WORK) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, kind->line, kind->column,
                                 "task '%.*s': count %" PRId64
                                 ": expected a whole number from 1 to 2^62",
                                 length, kind->id, kind->count);
    }
    if (!is_allowed_somewhere(kind)) {
        return duet_error_set_at(error, DUET_E_INFEASIBLE, builder->file, kind->line, kind->column,
                                 "task '%.*s' is forbidden on every processor type: expected a "
                                 "time on at least one",
                                 length, kind->id);
    }
    return DUET_OK;
}

// Room for one more kind in all arrays.
static duet_code grow(duet_builder *builder, const duet_read_kind *kind, duet_error *error)
{
    duet_instance *instance = builder->instance;
    size_t kinds = builder->kinds + 1;
    size_t cells = kinds * kind->time_count;
    return duet_vec_reserve(builder->count, kinds, error) == DUET_OK &&
                   duet_vec_reserve(builder->line, kinds, error) == DUET_OK &&
                   duet_vec_reserve(instance->id_at, kinds, error) == DUET_OK &&
                   duet_vec_reserve(builder->mantissa, cells, error) == DUET_OK &&
                   duet_vec_reserve(builder->places, cells, error) == DUET_OK
               ? duet_vec_reserve(builder->ids, builder->ids_used + kind->id_length + 1, error)
               : DUET_E_MEMORY;
}

duet_code duet_builder_add_kind(duet_builder *builder, const duet_read_kind *kind,
                                duet_error *error)
{
    return duet_builder_add_moldable_kind(builder, kind, NULL, error);
}

duet_code duet_builder_add_moldable_kind(duet_builder *builder, const duet_read_kind *kind,
                                         const duet_read_table *tables, duet_error *error)
{
    size_t types = builder->instance->types;
    duet_code code = DUET_OK;
    if (types > 0 || kind->time_count > 1) {
        code = duet_builder_widen(builder, types > 0 ? types : kind->time_count, error);
    }
    DUET_THEN(code, check_kind(builder, kind, error));
    DUET_THEN(code, duet_builder_add_tables(builder, kind, tables, error));
    DUET_THEN(code, grow(builder, kind, error));
    if (code != DUET_OK) {
        return code;
    }
    size_t n = builder->kinds++;
    DUET_ASSERT(n == 0 || builder->times_per_kind == kind->time_count);
    builder->times_per_kind = kind->time_count;
    builder->count[n] = kind->count;
    int64_t room = INT64_MAX - builder->tasks; // too many tasks are refused later
    builder->tasks += duet_min(kind->count, room);
    builder->line[n] = kind->line;
    builder->instance->id_at[n] = builder->ids_used;
    memcpy(builder->ids + builder->ids_used, kind->id, kind->id_length);
    builder->ids[builder->ids_used + kind->id_length] = '\0';
    builder->ids_used += kind->id_length + 1;
    for (size_t t = 0; t < kind->time_count; t++) {
        size_t at = n * kind->time_count + t;
        const duet_read_time *time = &kind->times[t];
        builder->mantissa[at] = time->forbidden ? DUET_FORBIDDEN : time->value.mantissa;
        builder->places[at] =
            time->forbidden ? 0 : duet_builder_pack_places(time->value.places, time->tail);
    }
    return DUET_OK;
}

size_t duet_builder_kinds(const duet_builder *builder)
{
    return builder->kinds;
}

int64_t duet_builder_tasks(const duet_builder *builder)
{
    return builder->tasks;
}
