// SPDX-License-Identifier: Apache-2.0
#include "check/modes.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct duet_check_kept kept_table;

enum { ENTRY = 64, MODE = 8 }; // units of work

void duet_check_modes_free(duet_check_modes *modes)
{
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_free(modes->kept[t].time);
        duet_free(modes->kept[t].size);
    }
}

static duet_code add(kept_table *kept, int64_t size, int64_t time, duet_error *error)
{
    if (kept->count > 0 && time >= kept->time[kept->count - 1]) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_grow(kept->time, kept->count, error));
    DUET_TRY(duet_vec_grow(kept->size, kept->count, error));
    kept->time[kept->count] = time;
    kept->size[kept->count++] = size;
    return DUET_OK;
}

// Entry by entry as long as each needs the one before it; then from one time to the next.
static duet_code compute(kept_table *kept, const duet_check_law *law, int64_t sizes,
                         duet_watch *watch, duet_error *error)
{
    int64_t p = 1;
    int64_t ticks = duet_check_law_next(law, 1, 0);
    DUET_TRY(add(kept, 1, ticks, error));
    while (p < sizes && !duet_check_law_is_plain(law, p, ticks)) {
        p++;
        ticks = duet_check_law_next(law, p, ticks);
        DUET_TRY(add(kept, p, ticks, error));
        DUET_TRY(duet_check_spend(watch, ENTRY, error));
    }
    while (p < sizes && ticks > p) {
        int64_t last = duet_min(ticks, sizes);
        p = duet_check_law_below(law, p, ticks, last);
        if (p > last) {
            break;
        }
        ticks = duet_check_law_ticks(law, p);
        DUET_TRY(add(kept, p, ticks, error));
        DUET_TRY(duet_check_spend(watch, ENTRY, error));
    }
    return DUET_OK;
}

duet_code duet_check_modes_of(duet_check_modes *modes, const duet_instance *instance, size_t kind,
                              size_t type, duet_check_table *table, duet_error *error)
{
    const duet_moldable *m = instance->moldable;
    size_t at = kind * instance->types + type;
    int64_t count = instance->processors[type];
    uint32_t cell = m == NULL ? 0 : m->cell[at];
    *table = (duet_check_table){.time = &instance->times[at], .count = 1};
    if (instance->times[at] == DUET_FORBIDDEN || count == 0) {
        table->count = 0;
        return DUET_OK;
    }
    const duet_law *law = m == NULL ? NULL : duet_moldable_law(instance, kind, type);
    if (law == NULL) {
        if (cell > 0) {
            int64_t length = m->table[cell - 1].length;
            table->time = m->given_time + m->table[cell - 1].given_at;
            table->count = duet_min(length, count);
        }
        return DUET_OK;
    }
    kept_table *kept = &modes->kept[type];
    if (kept->law != law) {
        duet_check_law on = duet_check_law_on(law, m->speed[type], instance->decimals);
        kept->law = NULL;
        kept->count = 0;
        DUET_TRY(compute(kept, &on, count, modes->watch, error));
        kept->law = law;
    }
    *table = (duet_check_table){kept->time, kept->size, (int64_t)kept->count};
    return DUET_OK;
}

bool duet_check_next_mode(duet_check_modes *modes, const duet_instance *instance, size_t kind,
                          duet_check_mode *mode, duet_error *error)
{
    while (mode->code == DUET_OK && (mode->passed == mode->table.count ||
                                     mode->table.time[mode->passed] == DUET_FORBIDDEN)) {
        if (mode->passed < mode->table.count) {
            mode->passed++; // a size that is not allowed
            continue;
        }
        if (mode->types == instance->types) {
            return false;
        }
        mode->type = mode->types++;
        mode->passed = 0;
        mode->code = duet_check_modes_of(modes, instance, kind, mode->type, &mode->table, error);
    }
    DUET_THEN(mode->code, duet_check_spend(modes->watch, MODE, error));
    if (mode->code != DUET_OK) {
        return false;
    }
    mode->time = mode->table.time[mode->passed];
    mode->size = duet_check_size(&mode->table, mode->passed++);
    return true;
}
