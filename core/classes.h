// SPDX-License-Identifier: Apache-2.0
// An instance of two types as seen by a question "is there a schedule of makespan at most L?":
// equal tasks merged into classes, times above L forbidden, tasks that cost nothing left out.
//
// The checker of proofs derives the same classes by its own code: docs/formats.md has the rule.
#ifndef DUET_CORE_CLASSES_H
#define DUET_CORE_CLASSES_H

#include "core/instance.h"

typedef struct duet_classes {
    size_t count;
    int64_t guess;         // L
    int64_t processors[2]; // of each type
    int64_t capacity[2];   // the largest multiple of the type's times' common divisor up to L
    int64_t unit[2];       // that divisor; 1 where there are no times
    int64_t valid;         // up to this length the classes are the same
    int64_t total;         // tasks in all classes
    int64_t *tasks;        // how many tasks a class has
    int64_t *time[2];      // DUET_FORBIDDEN where they cannot run, or not within L
    size_t *of_kind;       // the class of a kind; SIZE_MAX: it takes no time on some type
    size_t nowhere;        // a class that fits nowhere within L; SIZE_MAX: there is none
} duet_classes;

// Classes are numbered in the order of their first kind. O(kinds) expected time.
duet_code duet_classes_create(const duet_instance *instance, int64_t guess, duet_classes *classes,
                              duet_error *error);
void duet_classes_free(duet_classes *classes);

static inline bool duet_class_fits(const duet_classes *classes, size_t class, size_t type)
{
    return classes->time[type][class] != DUET_FORBIDDEN;
}

// Weights below 2^31 of the types, at which the area bound is about reached: any weights are valid
// in a proof, these are good ones. Not both 0.
duet_code duet_classes_weights(const duet_classes *classes, int64_t weight[2], duet_error *error);

#endif
