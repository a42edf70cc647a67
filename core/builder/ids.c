// SPDX-License-Identifier: Apache-2.0
// No two tasks of an instance have the same id: an index of all ids shows a second one.
#include <string.h>

#include "core/builder/state.h"
#include "core/names.h"

static const char *id_of(const duet_builder *builder, size_t kind)
{
    return builder->ids + builder->instance->id_at[kind];
}

// The slot of an id in an index of kinds.
static size_t *find_slot(const duet_builder *builder, const duet_name_index *kinds, const char *id,
                         size_t length)
{
    duet_texts ids = {builder->ids, builder->instance->id_at};
    return duet_name_index_slot(kinds, ids, id, length);
}

// "a#7" is also task 7 of a kind "a" of more than 7 tasks.
static bool names_task_of_other_kind(const duet_builder *builder, const duet_name_index *kinds,
                                     const char *id)
{
    const char *hash = strrchr(id, '#');
    if (hash == NULL || hash == id || hash[1] == '\0' || (hash[1] == '0' && hash[2] != '\0')) {
        return false;
    }
    int64_t number = 0;
    for (const char *c = hash + 1; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || number > (INT64_MAX - 9) / 10) {
            return false;
        }
        number = number * 10 + (*c - '0');
    }
    size_t *slot = find_slot(builder, kinds, id, (size_t)(hash - id));
    return *slot != 0 && builder->count[*slot - 1] > 1 && number < builder->count[*slot - 1];
}

static duet_code duplicate(const duet_builder *builder, size_t kind, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[kind], 0,
                             "duplicate task id '%s': expected every task to have its own",
                             id_of(builder, kind));
}

duet_code duet_builder_check_ids(const duet_builder *builder, duet_error *error)
{
    duet_name_index kinds;
    duet_code code = duet_name_index_create(&kinds, builder->kinds, error);
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        size_t *slot = find_slot(builder, &kinds, id_of(builder, i), strlen(id_of(builder, i)));
        if (*slot != 0) {
            code = duplicate(builder, i, error);
        }
        *slot = i + 1;
    }
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        if (builder->count[i] == 1 &&
            names_task_of_other_kind(builder, &kinds, id_of(builder, i))) {
            code = duplicate(builder, i, error);
        }
    }
    duet_name_index_free(&kinds);
    return code;
}
