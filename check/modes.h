// SPDX-License-Identifier: Apache-2.0
// The modes of moldable tasks, for the checks of certificates: on each type the sizes that take
// less time than every smaller one. What another size takes, a smaller one takes as well, with a
// smaller area. Computed from what the instance says, by check/law.h where a task follows a law.
#ifndef DUET_CHECK_MODES_H
#define DUET_CHECK_MODES_H

#include "check/law.h"
#include "check/limits.h"

// The table of a kind on a type. Borrowed.
typedef struct duet_check_table {
    const int64_t *time;
    const int64_t *size; // NULL: every size from 1 on, also one that takes no less time
    int64_t count;
} duet_check_table;

// What was computed last for each type: kinds of one law ask for it again. Zeroed at first, but for
// its watch.
typedef struct duet_check_modes {
    duet_watch *watch;
    struct duet_check_kept {
        const duet_law *law;
        int64_t *time;
        int64_t *size;
        size_t count;
    } kept[DUET_MAX_TYPES];
} duet_check_modes;

void duet_check_modes_free(duet_check_modes *modes);

// No size at all where the kind cannot run there. O(1), or O(the root of a law's ticks). Valid
// until the next call for the same type. DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED.
duet_code duet_check_modes_of(duet_check_modes *modes, const duet_instance *instance, size_t kind,
                              size_t type, duet_check_table *table, duet_error *error);

static inline int64_t duet_check_size(const duet_check_table *table, int64_t mode)
{
    return table->size == NULL ? mode + 1 : table->size[mode];
}

// A mode of a kind, while all of them are passed. Zeroed before the first one.
typedef struct duet_check_mode {
    size_t type;
    int64_t size;
    int64_t time;
    duet_code code;         // DUET_OK unless a failure ended it
    duet_check_table table; // of the type
    int64_t passed;         // modes of the table
    size_t types;           // whose tables were taken
} duet_check_mode;

// Goes on to the next mode of a kind, on one type after another. False: there is none, or as
// mode->code says.
bool duet_check_next_mode(duet_check_modes *modes, const duet_instance *instance, size_t kind,
                          duet_check_mode *mode, duet_error *error);

#endif
