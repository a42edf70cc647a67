// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/modes.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_modes_create(const duet_instance *instance, duet_modes *modes, duet_error *error)
{
    *modes = (duet_modes){.instance = instance};
    modes->monotone = duet_alloc_raw(instance->kinds, sizeof *modes->monotone, error);
    modes->first = duet_alloc_raw(instance->kinds + 1, sizeof *modes->first, error);
    DUET_NEED(modes->monotone != NULL && modes->first != NULL);
    for (size_t i = 0; i < instance->kinds; i++) {
        modes->monotone[i] = duet_moldable_is_monotone(instance, i);
    }
    return DUET_OK;
}

void duet_modes_free(duet_modes *modes)
{
    duet_free(modes->monotone);
    duet_free(modes->first);
    duet_free(modes->mode);
    *modes = (duet_modes){.instance = NULL};
}

// Whether a time is longer than half the guess.
static bool is_long(int64_t time, int64_t guess)
{
    return 2 * (duet_int128)time > guess;
}

// Where the table is monotone: as few processors as the guess allows, and as half of it does.
static size_t list_monotone(duet_time_table table, size_t type, int64_t guess, duet_mode *mode)
{
    size_t count = 0;
    int64_t size = duet_least_size(table, guess, 1);
    if (size > 0 && is_long(duet_time_at(table, size), guess)) {
        mode[count++] = (duet_mode){duet_area_at(table, size), size, type};
        size = duet_least_size(table, guess, 2);
    }
    if (size > 0) {
        mode[count++] = (duet_mode){duet_area_at(table, size), 0, type};
    }
    return count;
}

// By rising width, each of less area than those before it.
static size_t list_any(duet_time_table table, size_t type, int64_t guess, duet_mode *mode)
{
    size_t count = 0;
    int64_t least = INT64_MAX; // area of a mode that is not long
    for (int64_t i = 0; i < table.steps; i++) {
        int64_t area = duet_step_size(table, i) * table.time[i];
        least = !is_long(table.time[i], guess) && area < least ? area : least;
    }
    if (least < INT64_MAX) {
        mode[count++] = (duet_mode){least, 0, type};
    }
    for (int64_t i = 0; i < table.steps; i++) {
        int64_t time = table.time[i];
        int64_t size = duet_step_size(table, i);
        if (time <= guess && is_long(time, guess) && size * time < least) {
            least = size * time;
            mode[count++] = (duet_mode){least, size, type};
        }
    }
    for (size_t i = 0; i < count / 2; i++) {
        duet_mode kept = mode[i];
        mode[i] = mode[count - 1 - i];
        mode[count - 1 - i] = kept;
    }
    return count;
}

duet_code duet_modes_list(duet_modes *modes, int64_t guess, duet_error *error)
{
    const duet_instance *instance = modes->instance;
    size_t count = 0;
    modes->guess = guess;
    modes->nowhere = SIZE_MAX;
    for (size_t i = 0; i < instance->kinds; i++) {
        modes->first[i] = count;
        for (size_t t = 0; t < instance->types; t++) {
            duet_time_table table = duet_table_of(instance, i, t);
            size_t most = modes->monotone[i] ? 2 : (size_t)table.steps + 1;
            if (duet_vec_reserve(modes->mode, count + most, error) != DUET_OK) {
                return DUET_E_MEMORY;
            }
            count += modes->monotone[i] ? list_monotone(table, t, guess, modes->mode + count)
                                        : list_any(table, t, guess, modes->mode + count);
        }
        if (count == modes->first[i]) {
            modes->nowhere = i;
        }
    }
    modes->first[instance->kinds] = count;
    return DUET_OK;
}
