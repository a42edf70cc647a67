// SPDX-License-Identifier: Apache-2.0
// What is fixed and contradicts itself: a smallest part of it that no schedule keeps.
//
// Method:    the deletion filter. One fixed task after another, the latest first, is set free;
//            where there still is no schedule it stays free. Those that are left contradict each
//            other. Tasks that have begun to run are facts, and stay.
// Cost:      a branch and bound of at most NODES nodes for each fixed task.
// Reference: Chinneck, Dravnieks, "Locating minimal infeasible constraint sets in linear programs",
//            ORSA J. on Computing 3(2), 1991.
#include <inttypes.h>
#include <stdio.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/fixed/fixed.h"

enum { NODES = 20000, MOST_FIXED = 200, MOST_NAMED = 6 };

typedef struct conflict {
    duet_instance whole; // with some of its tasks set free; only its pins are its own
    const duet_context *context;
    duet_error *error;
} conflict;

// *possible: false only where no schedule keeps what is fixed. Where that cannot be tried, such as
// where the rest of moldable tasks does not fit, it may be true.
static duet_code try_all(const conflict *c, bool *possible)
{
    duet_rest rest = {.instance = NULL};
    duet_fixed_model model = {.span = NULL};
    duet_carry carry = {.kept = NULL};
    duet_solution *solution = NULL;
    bool found = false;
    bool proven = false;
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_rest_create(&c->whole, &rest, &why);
    DUET_THEN(code, duet_fixed_model_create(&c->whole, &rest, &model, &why));
    carry.m = &model;
    DUET_THEN(code, duet_carry_create(&model, &carry, &why));
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(&c->whole), &solution, &why));
    DUET_THEN(code, duet_fixed_branch(&model, &carry, c->context, NODES, solution, &found, &proven,
                                      &why));
    *possible = code != DUET_OK || found || !proven;
    duet_solution_free(solution);
    duet_carry_free(&carry);
    duet_fixed_model_free(&model);
    duet_rest_free(&rest);
    return code == DUET_E_MEMORY ? duet_error_set(c->error, code, "%s", why.message) : DUET_OK;
}

// What is fixed of a task that has not begun; NULL: nothing.
static const duet_pin *wish_of(const duet_instance *whole, size_t kind)
{
    const duet_pin *pin = duet_pin_of(whole, kind);
    return duet_is_run(pin) ? NULL : pin;
}

// The fixed tasks, those that start latest first, and before them those fixed to processors alone:
// what an early instant contradicts needs few nodes to show. Returns how many there are, also where
// there are more than MOST_FIXED.
static size_t find_fixed(const duet_instance *whole, size_t kind[MOST_FIXED])
{
    size_t count = 0;
    for (size_t i = 0; i < whole->kinds; i++) {
        const duet_pin *pin = wish_of(whole, i);
        if (pin == NULL || count++ >= MOST_FIXED) {
            continue;
        }
        size_t to = count - 1;
        for (; to > 0 && whole->pins->pin[kind[to - 1]].start < pin->start; to--) {
            kind[to] = kind[to - 1];
        }
        kind[to] = i;
    }
    return count;
}

// Sets tasks free one by one. *count: of those that are left.
static duet_code filter(conflict *c, size_t *count)
{
    duet_pin *pin = c->whole.pins->pin;
    size_t kind[MOST_FIXED];
    size_t fixed = find_fixed(&c->whole, kind);
    *count = fixed;
    for (size_t i = 0; i < fixed && fixed <= MOST_FIXED; i++) {
        const duet_pin kept = pin[kind[i]];
        bool possible = true;
        pin[kind[i]] = (duet_pin){.start = DUET_FORBIDDEN, .end = DUET_FORBIDDEN};
        DUET_TRY(try_all(c, &possible));
        if (possible) {
            pin[kind[i]] = kept;
        } else {
            --*count;
        }
    }
    return DUET_OK;
}

// Appends where a task is fixed to: its processor, or the type of all of them.
static void name_set(const duet_instance *whole, duet_processor_set set, char *text, size_t size,
                     size_t *used)
{
    const duet_processor_range *range = &set.range[0];
    bool one_type = true;
    for (size_t r = 1; r < set.count; r++) {
        one_type = one_type && set.range[r].type == range->type;
    }
    *used += (size_t)snprintf(text + *used, size - *used, "on %s",
                              one_type ? whole->type_names[range->type] : "several types");
    if (set.count == 1 && range->first == range->last && *used < size) {
        *used += (size_t)snprintf(text + *used, size - *used, " %" PRId32, range->first);
    }
}

// Appends what is fixed of a task: 'a' (start 3 on cpu 0).
static void name_pin(const duet_instance *whole, size_t kind, char *text, size_t size, size_t *used)
{
    char id[128];
    char start[32];
    const duet_pin *pin = duet_pin_of(whole, kind);
    duet_instance_task_id(whole, whole->first[kind], id, sizeof id);
    *used += (size_t)snprintf(text + *used, size - *used, "%s'%s' (", *used == 0 ? "" : ", ", id);
    if (pin->start != DUET_FORBIDDEN && *used < size) {
        *used += (size_t)snprintf(text + *used, size - *used, "start %s%s",
                                  duet_instance_format_time(whole, pin->start, start),
                                  pin->set_count > 0 ? " " : "");
    }
    if (pin->set_count > 0 && *used < size) {
        name_set(whole, duet_pin_set(whole, pin), text, size, used);
    }
    if (*used < size) {
        *used += (size_t)snprintf(text + *used, size - *used, ")");
    }
}

duet_code duet_fixed_conflict(const duet_instance *whole, const duet_context *context, char *text,
                              size_t size, size_t *count, duet_error *error)
{
    conflict c = {.whole = *whole, .context = context, .error = error};
    size_t used = 0;
    c.whole.pins = NULL;
    duet_code code = duet_pins_copy(whole, &c.whole, error);
    DUET_THEN(code, filter(&c, count));
    for (size_t i = 0; i < whole->kinds && code == DUET_OK && *count <= MOST_NAMED; i++) {
        if (wish_of(&c.whole, i) != NULL && used < size) {
            name_pin(&c.whole, i, text, size, &used);
        }
    }
    duet_pins_free(c.whole.pins);
    *count = *count > MOST_NAMED || used >= size ? 0 : *count; // as much names nothing
    return code;
}
