// SPDX-License-Identifier: Apache-2.0
// The ids of an instance that is being built: no two tasks have the same, and an id finds its task.
// The index of kinds grows with them, so that edges can be read between tasks.
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static const char *id_of(const duet_builder *builder, size_t kind)
{
    return builder->ids + builder->instance->id_at[kind];
}

// The slot of an id in the index of kinds.
static size_t *find_slot(const duet_builder *builder, const char *id, size_t length)
{
    duet_texts ids = {builder->ids, builder->instance->id_at};
    return duet_name_index_slot(&builder->index, ids, id, length);
}

// Splits "a#7" into the length of "a" and 7. False where the id has not that form.
static bool split_id(const char *id, size_t length, size_t *stem, int64_t *number)
{
    size_t at = length;
    while (at > 0 && id[at - 1] >= '0' && id[at - 1] <= '9') {
        at--;
    }
    size_t digits = length - at;
    if (digits == 0 || digits > 18 || at < 2 || id[at - 1] != '#' ||
        (id[at] == '0' && digits > 1)) {
        return false;
    }
    *number = 0;
    for (size_t i = at; i < length; i++) {
        *number = *number * 10 + (id[i] - '0');
    }
    *stem = at - 1;
    return true;
}

// "a#7" is also task 7 of a kind "a" of more than 7 tasks.
static bool names_task_of_other_kind(const duet_builder *builder, const char *id)
{
    size_t stem;
    int64_t number;
    if (!split_id(id, strlen(id), &stem, &number)) {
        return false;
    }
    size_t *slot = find_slot(builder, id, stem);
    return *slot != 0 && builder->count[*slot - 1] > 1 && number < builder->count[*slot - 1];
}

static duet_code duplicate(const duet_builder *builder, size_t kind, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                             "duplicate task id '%s': expected every task to have its own, "
                             "and its times on all types in one entry",
                             id_of(builder, kind));
}

// An index with room for all kinds, and for as many more while edges are read between them.
static duet_code grow_index(duet_builder *builder, duet_error *error)
{
    if (builder->index.slots / 2 >= builder->kinds && builder->index.slots > 0) {
        return DUET_OK;
    }
    duet_name_index_free(&builder->index);
    builder->indexed = 0;
    builder->first_next = 0;
    size_t growing = builder->edges > 0 ? 2 : 1; // kinds may follow only while edges are read
    return duet_name_index_create(&builder->index, growing * builder->kinds, error);
}

// Takes the kinds into the index that are not there yet.
static duet_code index_kinds(duet_builder *builder, duet_error *error)
{
    DUET_TRY(grow_index(builder, error));
    DUET_TRY(duet_vec_reserve(builder->first_task, builder->kinds, error));
    for (size_t i = builder->indexed; i < builder->kinds; i++) {
        size_t *slot = find_slot(builder, id_of(builder, i), strlen(id_of(builder, i)));
        if (*slot != 0) {
            return duplicate(builder, i, error);
        }
        *slot = i + 1;
        builder->first_task[i] = builder->first_next;
        int64_t room = INT64_MAX - builder->first_next; // too many tasks are refused later
        builder->first_next += duet_min(builder->count[i], room);
        builder->indexed = i + 1;
    }
    return DUET_OK;
}

duet_code duet_builder_find_task(duet_builder *builder, const char *id, size_t length,
                                 int64_t *task, duet_error *error)
{
    *task = -1;
    DUET_TRY(index_kinds(builder, error));
    size_t *slot = find_slot(builder, id, length);
    if (*slot != 0) {
        *task = builder->count[*slot - 1] > 1 ? -2 : builder->first_task[*slot - 1];
        return DUET_OK;
    }
    size_t stem;
    int64_t number;
    if (split_id(id, length, &stem, &number)) {
        slot = find_slot(builder, id, stem);
        if (*slot != 0 && builder->count[*slot - 1] > 1 && number < builder->count[*slot - 1]) {
            *task = builder->first_task[*slot - 1] + number;
        }
    }
    return DUET_OK;
}

duet_code duet_builder_check_ids(duet_builder *builder, duet_error *error)
{
    DUET_TRY(index_kinds(builder, error));
    for (size_t i = 0; i < builder->kinds; i++) {
        if (builder->count[i] == 1 && names_task_of_other_kind(builder, id_of(builder, i))) {
            DUET_TRY(duplicate(builder, i, error));
        }
    }
    return DUET_OK;
}

duet_code duet_builder_known_task(duet_builder *builder, const char *id, size_t length,
                                  int64_t *task, duet_error *error)
{
    duet_code code = duet_builder_find_task(builder, id, length, task, error);
    *task = *task < 0 ? -1 : *task;
    return code;
}
