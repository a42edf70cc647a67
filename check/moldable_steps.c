// SPDX-License-Identifier: Apache-2.0
// Checks values of times in integers. Includes no solver header: this is what an outsider trusts.
#include "check/certificates.h"

#include "check/modes.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { MOST_VALUE = 1 << 16, MOST_STEPS = 1 << 12 };

typedef struct step {
    int64_t time;
    int64_t value;
} step;

typedef struct steps_check {
    const duet_instance *instance;
    int64_t guess; // lambda - 1
    const char *text;
    step *step; // of all types
    size_t first[DUET_MAX_TYPES + 1];
    int64_t *least; // time for each sum of values
    duet_check_modes modes;
    duet_watch *watch; // where it says stop, what is found counts for nothing
} steps_check;

// The next whole number of the line, from 1 to 2^62. False if no such number follows.
static bool read_number(const char **text, int64_t *out)
{
    const char *at = *text;
    int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (DUET_MAX_WORK - (*at - '0')) / 10) {
            return false;
        }
        value = value * 10 + (*at - '0');
    }
    bool found = at > *text && value > 0;
    *text = at;
    *out = value;
    return found;
}

// A line of a type: times and values, both rising, by single spaces.
static duet_code read_line(steps_check *check, size_t type, int64_t limit, duet_error *error)
{
    size_t count = check->first[type];
    for (; *check->text != '\n' && *check->text != '\0'; count++) {
        step *now = &check->step[count];
        bool begins = count == check->first[type];
        if (count == MOST_STEPS) {
            return duet_certificate_wrong(error, "expected at most 4096 steps");
        }
        if (!begins && *check->text++ != ' ') {
            return duet_certificate_wrong(error, "expected times and values by single spaces");
        }
        bool read = read_number(&check->text, &now->time) && *check->text == ' ';
        check->text += read;
        if (!read || !read_number(&check->text, &now->value)) {
            return duet_certificate_wrong(
                error, "expected a line of pairs of a time and a value, from 1 on");
        }
        if (!begins && (now->time <= now[-1].time || now->value <= now[-1].value)) {
            return duet_certificate_wrong(error, "expected times and values of a type to rise");
        }
        if (now->value > limit || now->time > check->guess) {
            return duet_certificate_wrong(
                error, "expected times below lambda and values up to the type's limit");
        }
    }
    check->text += *check->text == '\n';
    check->first[type + 1] = count;
    return DUET_OK;
}

// Whether times worth more than the limit exceed the guess, whichever they are. Without the last of
// them they are worth no more than the limit: a sum up to twice the limit is enough.
static bool holds_limit(const steps_check *check, size_t type, int64_t limit)
{
    int64_t beyond = check->guess + 1;
    int64_t *least = check->least;
    least[0] = 0;
    int64_t steps = (int64_t)(check->first[type + 1] - check->first[type]);
    for (int64_t v = 1; v <= 2 * limit && !duet_watch_spend(check->watch, steps + 1); v++) {
        least[v] = beyond;
        for (size_t i = check->first[type]; i < check->first[type + 1]; i++) {
            const step *s = &check->step[i];
            if (s->value > v) {
                break;
            }
            int64_t time = least[v - s->value] + s->time; // below 2^63
            least[v] = duet_min(time, least[v]);
        }
        if (v > limit && least[v] < beyond) {
            return false;
        }
    }
    return true;
}

// What a time is worth on a processor of a type.
static int64_t worth(const steps_check *check, size_t type, int64_t time)
{
    size_t low = check->first[type];
    size_t high = check->first[type + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (check->step[middle].time <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == check->first[type] ? 0 : check->step[low - 1].value;
}

// The least that a task of a kind is worth in a mode within the guess; -1 where it has none.
static duet_code find_least(steps_check *check, size_t kind, duet_int128 *out, duet_error *error)
{
    duet_int128 least = -1;
    duet_check_mode mode = {.size = 0};
    while (duet_check_next_mode(&check->modes, check->instance, kind, &mode, error)) {
        if (mode.time <= check->guess) {
            duet_int128 all = (duet_int128)mode.size * worth(check, mode.type, mode.time);
            least = least < 0 || all < least ? all : least;
        }
    }
    *out = least;
    return mode.code;
}

static duet_code check_sums(steps_check *check, const int64_t *limit, duet_error *error)
{
    const duet_instance *instance = check->instance;
    duet_int128 supply = 0; // below 2^16 * 2^31 * types
    duet_int128 demand = 0; // below 2^16 * 2^31 * 2^62
    for (size_t t = 0; t < instance->types; t++) {
        DUET_TRY(read_line(check, t, limit[t], error));
        if (!holds_limit(check, t, limit[t])) {
            return duet_certificate_wrong(
                error, "times below lambda are worth more than the limit of their type");
        }
        supply += (duet_int128)limit[t] * instance->processors[t];
    }
    if (*check->text != '\0') {
        return duet_certificate_wrong(error, "expected a line for each processor type and no more");
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 least;
        DUET_TRY(find_least(check, i, &least, error));
        if (least < 0) {
            return DUET_OK; // fits nowhere within lambda - 1
        }
        demand += least * duet_count(instance, i);
    }
    return demand > supply
               ? DUET_OK
               : duet_certificate_wrong(error, "the tasks are worth no more than the limits of all "
                                               "processors: expected them to exceed these");
}

duet_code duet_check_moldable_steps(const duet_certificate *certificate,
                                    const duet_instance *instance, duet_watch *watch,
                                    duet_error *error)
{
    if (instance->moldable == NULL) {
        return duet_certificate_wrong(error,
                                      "it is about moldable tasks, and these are sequential");
    }
    if (certificate->types != instance->types || certificate->lines == NULL) {
        return duet_certificate_wrong(error, "expected a limit and a line for each processor type");
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0 || certificate->weight[t] > MOST_VALUE) {
            return duet_certificate_wrong(error, "expected limits of 0 to 65536");
        }
    }
    steps_check check = {.instance = instance,
                         .guess = certificate->lambda - 1,
                         .modes = {.watch = watch},
                         .watch = watch,
                         .text = certificate->lines->text};
    check.step = duet_alloc_raw(MOST_STEPS, sizeof *check.step, error);
    check.least = duet_alloc_raw(2 * MOST_VALUE + 1, sizeof *check.least, error);
    duet_code code = check.step == NULL || check.least == NULL
                         ? DUET_E_MEMORY
                         : check_sums(&check, certificate->weight, error);
    duet_free(check.step);
    duet_free(check.least);
    duet_check_modes_free(&check.modes);
    return code;
}
