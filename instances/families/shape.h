// SPDX-License-Identifier: Apache-2.0
// The shapes that family mixed gives to times: a distribution and its parameters, and how the times
// on one type follow from those on the first.
#ifndef DUET_INSTANCES_FAMILIES_SHAPE_H
#define DUET_INSTANCES_FAMILIES_SHAPE_H

#include "core/number/fixed.h"

typedef enum duet_shape_kind {
    DUET_SHAPE_UNIFORM,
    DUET_SHAPE_NORMAL,
    DUET_SHAPE_LOGNORMAL,
    DUET_SHAPE_GAMMA, // a sum of exponentials: of one, the exponential distribution
    DUET_SHAPE_PARETO,
    DUET_SHAPE_PEAKS, // a few values, each with a little spread
    DUET_SHAPES
} duet_shape_kind;

// As a user writes them, in the order of the values above.
#define DUET_SHAPE_CHOICES "uniform|normal|lognormal|gamma|pareto|peaks"
extern const char *const duet_shape_names[DUET_SHAPES];

enum { DUET_SHAPE_MOST_PEAKS = 4 };

// A distribution of positive numbers around 1 (peaks: from 1 up).
typedef struct duet_time_shape {
    duet_shape_kind kind;
    // What it means depends on the kind: the least value of a uniform one, deviation of a normal
    // one, deviation of a lognormal one's binary logarithm, exponent of a Pareto one, spread of
    // peaks.
    duet_fixed parameter;
    int64_t count; // exponentials of a gamma one; peaks
    duet_fixed peak[DUET_SHAPE_MOST_PEAKS];
    int64_t weight[DUET_SHAPE_MOST_PEAKS]; // how many of the times are at each peak
} duet_time_shape;

// Draws the parameters of a shape.
duet_time_shape duet_shape_draw(duet_random *random, duet_shape_kind kind);
// Draws a number of that shape: above 0, at most 2^12.
duet_fixed duet_shape_value(const duet_time_shape *shape, duet_random *random);

// How the times on a type follow from those on the first.
typedef enum duet_relation_kind {
    DUET_RELATION_NONE,     // they do not: they have a shape of their own
    DUET_RELATION_EQUAL,    // the same
    DUET_RELATION_CONSTANT, // divided by a constant
    DUET_RELATION_RANGE,    // by a uniform factor
    DUET_RELATION_GAMMA,    // by a gamma factor
    DUET_RELATION_OPPOSED,  // the longest is the shortest, divided by a constant
    DUET_RELATIONS
} duet_relation_kind;

#define DUET_RELATION_CHOICES "none|equal|constant|range|gamma|opposed"
extern const char *const duet_relation_names[DUET_RELATIONS];

typedef struct duet_relation {
    duet_relation_kind kind;
    duet_time_shape shape;  // of the times (none) or of the factor (gamma)
    duet_fixed least, most; // acceleration; equal but for range
} duet_relation;

// Draws the parameters of a relation; `own` is the kind of shape where it is none.
duet_relation duet_relation_draw(duet_random *random, duet_relation_kind kind, duet_shape_kind own);
// The number for a type where the first type's is `first`, of numbers between `shortest` and
// `longest`; at most 2^12.
duet_fixed duet_relation_value(const duet_relation *relation, duet_random *random, duet_fixed first,
                               duet_fixed shortest, duet_fixed longest);

#endif
