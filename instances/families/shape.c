// SPDX-License-Identifier: Apache-2.0
#include "instances/families/shape.h"

#include "core/number/minmax.h"

#define ONE DUET_FIXED_ONE
#define LEAST (ONE / 256)
#define MOST (4096 * ONE)

const char *const duet_shape_names[DUET_SHAPES] = {"uniform", "normal", "lognormal",
                                                   "gamma",   "pareto", "peaks"};
const char *const duet_relation_names[DUET_RELATIONS] = {"none",  "equal", "constant",
                                                         "range", "gamma", "opposed"};

static void draw_peaks(duet_time_shape *shape, duet_random *random)
{
    shape->count = duet_random_between(random, 2, DUET_SHAPE_MOST_PEAKS);
    for (int64_t i = 0; i < shape->count; i++) {
        shape->peak[i] = duet_fixed_log_uniform(random, 0, 6 * ONE);
        shape->weight[i] = duet_random_between(random, 1, 20);
    }
}

duet_time_shape duet_shape_draw(duet_random *random, duet_shape_kind kind)
{
    // Of the parameter, in hundredths: from near-equal numbers to wide ones.
    static const int64_t range[DUET_SHAPES][2] = {{0, 95},    {1, 33},    {15, 200},
                                                  {100, 100}, {110, 310}, {0, 10}};
    duet_time_shape shape = {.kind = kind, .count = 1};
    shape.parameter = duet_fixed_uniform(random, duet_fixed_ratio(range[kind][0], 100),
                                         duet_fixed_ratio(range[kind][1], 100));
    if (kind == DUET_SHAPE_GAMMA) {
        shape.count = duet_random_between(random, 1, 6);
    } else if (kind == DUET_SHAPE_PEAKS) {
        draw_peaks(&shape, random);
    }
    return shape;
}

static duet_fixed gamma_value(int64_t count, duet_random *random)
{
    duet_fixed sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += duet_fixed_exponential(random);
    }
    return sum / count;
}

// x^(-1/a) of a uniform x, by logarithms.
static duet_fixed pareto_value(duet_fixed exponent, duet_random *random)
{
    duet_fixed x = duet_fixed_uniform(random, 1, ONE);
    return duet_fixed_exp2(duet_fixed_over(-duet_fixed_log2(x), exponent));
}

static duet_fixed peak_value(const duet_time_shape *shape, duet_random *random)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < shape->count; i++) {
        sum += shape->weight[i];
    }
    int64_t drawn = duet_random_between(random, 1, sum);
    int64_t at = 0;
    while (drawn > shape->weight[at]) {
        drawn -= shape->weight[at++];
    }
    duet_fixed factor = ONE + duet_fixed_uniform(random, -shape->parameter, shape->parameter);
    return duet_fixed_times(shape->peak[at], factor);
}

static duet_fixed raw_value(const duet_time_shape *shape, duet_random *random)
{
    duet_fixed parameter = shape->parameter;
    switch (shape->kind) {
    case DUET_SHAPE_UNIFORM:
        return duet_fixed_uniform(random, parameter, 2 * ONE - parameter);
    case DUET_SHAPE_NORMAL:
        return ONE + duet_fixed_times(parameter, duet_fixed_normal(random));
    case DUET_SHAPE_LOGNORMAL:
        return duet_fixed_exp2(duet_fixed_times(parameter, duet_fixed_normal(random)));
    case DUET_SHAPE_GAMMA:
        return gamma_value(shape->count, random);
    case DUET_SHAPE_PARETO:
        return pareto_value(parameter, random);
    default:
        return peak_value(shape, random);
    }
}

static duet_fixed clamped(duet_fixed value)
{
    value = duet_max(value, LEAST);
    return duet_min(value, MOST);
}

duet_fixed duet_shape_value(const duet_time_shape *shape, duet_random *random)
{
    return clamped(raw_value(shape, random));
}

duet_relation duet_relation_draw(duet_random *random, duet_relation_kind kind, duet_shape_kind own)
{
    duet_relation relation = {.kind = kind};
    relation.shape = duet_shape_draw(random, kind == DUET_RELATION_GAMMA ? DUET_SHAPE_GAMMA : own);
    // From four times slower to 32 times faster; a range reaches up to four times as far.
    relation.least = relation.most = duet_fixed_log_uniform(random, -2 * ONE, 5 * ONE);
    if (kind == DUET_RELATION_RANGE) {
        relation.most =
            duet_fixed_times(relation.least, duet_fixed_log_uniform(random, 0, 2 * ONE));
    }
    return relation;
}

duet_fixed duet_relation_value(const duet_relation *relation, duet_random *random, duet_fixed first,
                               duet_fixed shortest, duet_fixed longest)
{
    duet_fixed factor = relation->least;
    switch (relation->kind) {
    case DUET_RELATION_EQUAL:
        return first;
    case DUET_RELATION_NONE:
        first = duet_shape_value(&relation->shape, random);
        break;
    case DUET_RELATION_RANGE:
        factor = duet_fixed_uniform(random, relation->least, relation->most);
        break;
    case DUET_RELATION_GAMMA:
        factor = duet_fixed_times(factor, duet_shape_value(&relation->shape, random));
        break;
    case DUET_RELATION_OPPOSED:
        first = shortest + longest - first;
        break;
    default:
        break;
    }
    return clamped(duet_fixed_over(first, factor));
}
