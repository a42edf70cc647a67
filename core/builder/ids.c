// SPDX-License-Identifier: Apache-2.0
// No two tasks of an instance have the same id: a table of all ids.
#include <string.h>

#include "core/builder/state.h"
#include "core/memory.h"

// An open-addressing table of kind indices, keyed by id.
typedef struct id_table {
    size_t *slot; // kind + 1, or 0
    size_t mask;
} id_table;

static uint64_t hash_bytes(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static const char *id_of(const duet_builder *builder, size_t kind)
{
    return builder->ids + builder->instance->id_at[kind];
}

// The slot of an id: its kind's, or the empty one where it would go.
static size_t *find_slot(const duet_builder *builder, const id_table *table, const char *id,
                         size_t length)
{
    for (size_t at = (size_t)hash_bytes(id, length) & table->mask;; at = (at + 1) & table->mask) {
        size_t *slot = &table->slot[at];
        if (*slot == 0) {
            return slot;
        }
        const char *known = id_of(builder, *slot - 1);
        if (strncmp(known, id, length) == 0 && known[length] == '\0') {
            return slot;
        }
    }
}

// "a#7" is also task 7 of a kind "a" of more than 7 tasks.
static bool names_task_of_other_kind(const duet_builder *builder, const id_table *table,
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
    size_t *slot = find_slot(builder, table, id, (size_t)(hash - id));
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
    id_table table = {NULL, 0};
    size_t slots = 16;
    while (slots < builder->kinds * 2) {
        slots *= 2;
    }
    table.mask = slots - 1;
    table.slot = duet_alloc(slots, sizeof *table.slot, error);
    if (table.slot == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = DUET_OK;
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        size_t *slot = find_slot(builder, &table, id_of(builder, i), strlen(id_of(builder, i)));
        if (*slot != 0) {
            code = duplicate(builder, i, error);
        }
        *slot = i + 1;
    }
    for (size_t i = 0; i < builder->kinds && code == DUET_OK; i++) {
        if (builder->count[i] == 1 &&
            names_task_of_other_kind(builder, &table, id_of(builder, i))) {
            code = duplicate(builder, i, error);
        }
    }
    duet_free(table.slot);
    return code;
}
