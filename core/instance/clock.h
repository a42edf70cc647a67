// SPDX-License-Identifier: Apache-2.0
// What people read in place of numbers: the time of day at an instant of a schedule, and the names
// of processors.
#ifndef DUET_CORE_INSTANCE_CLOCK_H
#define DUET_CORE_INSTANCE_CLOCK_H

#include "core/instance/instance.h"

// What is said of a text that is no moment, behind what it is for.
#define DUET_CLOCK_EXPECTED                                                                        \
    "%s'%.60s': expected a day and a time such as 2026-11-27T09:00, with seconds, Z or +01:00 "    \
    "behind or not"

enum {
    DUET_CLOCK_TEXT = 64, // bytes of the longest time that is written
    DUET_CLOCK_DAY = 86400
};

// Reads a day and a time of it as duet_moment_read() does, of whole seconds. False where it is
// none, no day of the calendar, or one of two.
bool duet_clock_read(const char *text, duet_clock *clock);
// The seconds from a moment to another one, which is in the zone of the first where it names none.
int64_t duet_clock_between(const duet_clock *from, const duet_clock *to);
// Whether times of day are known.
bool duet_clock_is_known(const duet_instance *instance);
// The seconds from midnight of the first day to an instant, rounded down, and what is left of it in
// billionths; times of day must be known. `ticks` is at least 0.
duet_int128 duet_clock_seconds(const duet_instance *instance, int64_t ticks, uint32_t *billionths);
// The least whole number of ticks that takes whole seconds, and these; 0 where that is no tick.
int64_t duet_clock_ticks(const duet_instance *instance, int64_t seconds);
// "2026-11-27T21:00:00.5+01:00" at an instant, into `text` of DUET_CLOCK_TEXT bytes, which it
// returns. Digits beyond nine places are left out.
char *duet_clock_format(const duet_instance *instance, int64_t ticks, char *text);
// The same for people: to six significant digits of the time since the start.
char *duet_clock_tell(const duet_instance *instance, int64_t ticks, char *text);
// The same for a reader who knows the day: "21:00" or "21:00:05", and "11-27 21:00" with the day.
char *duet_clock_short(const duet_instance *instance, int64_t ticks, bool with_day, char *text);
// Copies these, the names of processors and the groups to an instance with the same types, and the
// same kinds or the same tasks as kinds. DUET_E_MEMORY.
duet_code duet_copy_labels(const duet_instance *from, duet_instance *to, duet_error *error);

// The name of a processor; NULL where it has none.
static inline const char *duet_processor_name(const duet_instance *instance, size_t type,
                                              int64_t processor)
{
    const duet_names *names = &instance->names[type];
    return processor >= 0 && processor < (int64_t)names->count
               ? duet_names_text(names, (size_t)processor)
               : NULL;
}

#endif
