// SPDX-License-Identifier: Apache-2.0
// What is given of tasks beforehand, and processors that are lost (problem.md, I6 and I7).
//
// A kind of which something is given has one task. Where its type is given, the others are
// forbidden. A task whose start and processors are given is a *given* task; one with a real end
// besides is a *run*, which has begun: a sequential one takes, in its instance, what it really
// takes.
#ifndef DUET_CORE_INSTANCE_PINS_H
#define DUET_CORE_INSTANCE_PINS_H

#include "core/instance/moldable.h"

// What is given of a task.
typedef struct duet_pin {
    int64_t start;    // ticks; DUET_FORBIDDEN: not given
    int64_t end;      // of a run; DUET_FORBIDDEN: it is none
    size_t set_at;    // where its processors begin in `range`
    size_t set_count; // ranges; 0: not given
} duet_pin;

// What ran on lost processors, and starts anew elsewhere. Pictures show it; no schedule depends on
// it.
typedef struct duet_given_up {
    int64_t task;
    int64_t start;
    int64_t end; // when it was given up
    duet_processor_range range;
} duet_given_up;

typedef struct duet_pins {
    duet_pin *pin; // per kind
    duet_processor_range *range;
    size_t ranges;
    int64_t *lost[DUET_MAX_TYPES]; // processors that take no more tasks, rising
    size_t lost_count[DUET_MAX_TYPES];
    duet_given_up *given_up;
    size_t given_ups;
} duet_pins;

// Nothing is given, and no processor is lost. DUET_E_MEMORY.
duet_code duet_pins_create(size_t kinds, duet_pins **out, duet_error *error);
void duet_pins_free(duet_pins *pins); // NULL is allowed
// Copies what is given to an instance with the same kinds. DUET_E_MEMORY.
duet_code duet_pins_copy(const duet_instance *from, duet_instance *to, duet_error *error);

// What is given of a kind; NULL: nothing.
static inline const duet_pin *duet_pin_of(const duet_instance *instance, size_t kind)
{
    const duet_pin *pin = instance->pins == NULL ? NULL : &instance->pins->pin[kind];
    bool some = pin != NULL && (pin->start != DUET_FORBIDDEN || pin->set_count > 0);
    return some ? pin : NULL;
}

// Whether start and processors of a kind are given.
static inline bool duet_is_given(const duet_pin *pin)
{
    return pin != NULL && pin->start != DUET_FORBIDDEN && pin->set_count > 0;
}

// Whether a kind has begun to run, so that its end is given as well.
static inline bool duet_is_run(const duet_pin *pin)
{
    return duet_is_given(pin) && pin->end != DUET_FORBIDDEN;
}

// The processors that are given; no range where there are none.
static inline duet_processor_set duet_pin_set(const duet_instance *instance, const duet_pin *pin)
{
    return (duet_processor_set){instance->pins->range + pin->set_at, pin->set_count};
}

// When a given task ends.
int64_t duet_pin_end(const duet_instance *instance, size_t kind);
// How many processors of a type below `processor` are lost, and whether that one is.
int64_t duet_lost_below(const duet_instance *instance, size_t type, int64_t processor);
bool duet_is_lost(const duet_instance *instance, size_t type, int64_t processor);
// The processor of that number among those of a type that are not lost.
int64_t duet_kept_processor(const duet_instance *instance, size_t type, int64_t number);

#endif
