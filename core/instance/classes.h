// SPDX-License-Identifier: Apache-2.0
// An instance at a guess (λ): is there a schedule of at most this makespan? Tasks with equal times
// are one class, times above the guess are forbidden, and tasks that take no time on some type are
// left out. Any number of types; an array per type is as long as the platform has types.
//
// The checker of proofs derives the same classes by its own code: docs/formats.md has the rule.
#ifndef DUET_CORE_INSTANCE_CLASSES_H
#define DUET_CORE_INSTANCE_CLASSES_H

#include "core/instance/instance.h"
#include "core/system/context.h"

typedef struct duet_classes {
    int64_t guess;
    int64_t valid; // up to this guess the classes are the same

    // Platform.
    size_t types;
    int64_t *processors; // of each type
    int64_t *unit;       // the common divisor of the type's times; 1 where there are none
    int64_t *capacity;   // of a processor: the largest multiple of the unit within the guess

    // Classes.
    size_t count;
    int64_t *tasks;  // how many tasks a class has
    int64_t **time;  // per type and class: DUET_FORBIDDEN where it cannot run within the guess
    int64_t total;   // tasks of all classes
    size_t nowhere;  // a class that fits nowhere within the guess; SIZE_MAX: there is none
    size_t *of_kind; // the class of a kind; SIZE_MAX: it takes no time on some type
} duet_classes;

// Classes are numbered in the order of their first kind. O(kinds) expected time.
duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error);
void duet_classes_free(duet_classes *classes);

static inline bool duet_class_fits(const duet_classes *classes, size_t class, size_t type)
{
    return classes->time[type][class] != DUET_FORBIDDEN;
}

// A weight for each type below 2^31, not all 0, at which the area bound is about reached. A proof
// may use any weights; these are good ones. With two types O(classes log classes), else some
// hundred passes over classes and types.
duet_code duet_classes_weights(const duet_classes *classes, int64_t *weight, duet_error *error);
// The same with fewer passes where the context stops it: the best weights by then.
duet_code duet_classes_weights_in_time(const duet_classes *classes, const duet_context *context,
                                       int64_t *weight, duet_error *error);

#endif
