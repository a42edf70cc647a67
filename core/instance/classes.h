// SPDX-License-Identifier: Apache-2.0
// An instance at a guess (λ): is there a schedule of at most this makespan? Tasks with equal times
// are one class, times above the guess are forbidden, and tasks that take no time on some type are
// left out. Any number of types; an array per type is as long as the platform has types.
//
// Releases and busy processors are dropped (docs/problem.md, C4), unless the classes are made with
// them: then processors of a type that are busy until different times are types of their own, and
// tasks of different releases are different classes. A set of tasks fits on a processor where for
// each release r of a task of the set what is released at r or later fits between the later one of
// r and the end of the busy time, and the guess: earliest release first is best on one processor.
//
// The checker of proofs derives the same classes by its own code: docs/formats.md has the rule.
#ifndef DUET_CORE_INSTANCE_CLASSES_H
#define DUET_CORE_INSTANCE_CLASSES_H

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/context.h"

typedef struct duet_classes {
    int64_t guess;
    int64_t valid; // up to this guess the classes are the same

    // Platform.
    size_t types;
    int64_t *processors; // of each type
    int64_t *unit;       // the common divisor of the type's times; 1 where there are none, and with
                         // releases
    int64_t *capacity;   // of a processor: the largest multiple of the unit within the guess

    // Classes.
    size_t count;
    int64_t *tasks;  // how many tasks a class has
    int64_t **time;  // per type and class: DUET_FORBIDDEN where it cannot run within the guess
    int64_t total;   // tasks of all classes
    size_t nowhere;  // a class that fits nowhere within the guess; SIZE_MAX: there is none
    size_t *of_kind; // the class of a kind; SIZE_MAX: it takes no time on some type

    // With releases and busy processors, else NULL.
    int64_t *from;    // per type: its processors are busy until then
    int64_t *first;   // per type: before then none of its processors can begin a task
    size_t *origin;   // per type: the type of the platform
    int64_t *release; // per class
} duet_classes;

// Classes are numbered in the order of their first kind. O(kinds) expected time.
duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error);
// The same with releases and busy processors. DUET_E_UNSUPPORTED where the types become more than
// DUET_MAX_TYPES.
duet_code duet_classes_create_released(const duet_instance *instance, int64_t guess,
                                       duet_classes *classes, duet_error *error);
void duet_classes_free(duet_classes *classes);

static inline bool duet_class_fits(const duet_classes *classes, size_t class, size_t type)
{
    return classes->time[type][class] != DUET_FORBIDDEN;
}

// When a processor of a type can start the tasks of a class.
static inline int64_t duet_class_start(const duet_classes *classes, size_t class, size_t type)
{
    if (classes->release == NULL) {
        return 0;
    }
    int64_t release = classes->release[class];
    int64_t from = classes->from[type];
    return duet_max(release, from);
}

// Tasks of a class in a set.
typedef struct duet_class_part {
    size_t class;
    int64_t tasks;
} duet_class_part;

// Whether a set of tasks, whose times add up to what a processor of the type has, fits on it within
// a guess, releases and all. Quadratic in the number of parts.
bool duet_classes_fit_released(const duet_classes *classes, size_t type, int64_t guess,
                               const duet_class_part *part, size_t parts);

// A weight for each type below 2^31, not all 0, at which the area bound is about reached. A proof
// may use any weights; these are good ones. With two types O(classes log classes), else some
// hundred passes over classes and types.
duet_code duet_classes_weights(const duet_classes *classes, int64_t *weight, duet_error *error);
// The same with fewer passes where the context stops it: the best weights by then.
duet_code duet_classes_weights_in_time(const duet_classes *classes, const duet_context *context,
                                       int64_t *weight, duet_error *error);

#endif
