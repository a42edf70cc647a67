// SPDX-License-Identifier: Apache-2.0
// Weights of the types at which the area bound of some classes is about reached. Floating point
// only proposes them: whoever uses them proves in integers what they show.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/classes.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A class with its acceleration factor, for sorting; floating point only proposes an order.
typedef struct ranked {
    double factor;
    size_t class;
} ranked;

static int by_factor(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    if (a->factor != b->factor) {
        return a->factor > b->factor ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

// Divides the weights so that they are below 2^31 and weighted times below 2^62. Those above 0
// stay above 0.
static void shrink(int64_t *weight, size_t types, int64_t guess)
{
    int64_t limit = DUET_MAX_WORK / (guess + 1);
    limit = limit < (INT64_C(1) << 31) ? limit : (INT64_C(1) << 31) - 1;
    limit = limit > 0 ? limit : 1;
    duet_uint128 divisor = 0;
    int64_t largest = 0;
    for (size_t t = 0; t < types; t++) {
        divisor = duet_gcd(divisor, (duet_uint128)weight[t]);
    }
    for (size_t t = 0; t < types; t++) {
        weight[t] = divisor == 0 ? 1 : weight[t] / (int64_t)divisor;
        largest = duet_max(weight[t], largest);
    }
    for (; largest > limit; largest /= 2) {
        for (size_t t = 0; t < types; t++) {
            weight[t] = weight[t] > 1 ? weight[t] / 2 : weight[t];
        }
    }
}

// Moves work to the GPUs by decreasing acceleration factor until they are as loaded as the CPUs.
// The weights are those at which the class that is divided there costs the same on both types.
static void balance(const duet_classes *classes, const ranked *order, size_t flexible, double *work,
                    int64_t *weight)
{
    double processors[2] = {(double)classes->processors[0], (double)classes->processors[1]};
    weight[0] = 1; // with all of it on the GPUs the CPUs are still more loaded
    weight[1] = 0;
    for (size_t i = 0; i < flexible; i++) {
        size_t class = order[i].class;
        double tasks = (double)classes->tasks[class];
        double cpu = work[0] - (double)classes->time[0][class] * tasks;
        double gpu = work[1] + (double)classes->time[1][class] * tasks;
        if (gpu * processors[0] >= cpu * processors[1]) {
            weight[0] = classes->time[1][class];
            weight[1] = classes->time[0][class];
            if (i == 0 && work[1] * processors[0] >= work[0] * processors[1]) {
                weight[0] = 0; // the forced work alone loads the GPUs more
                weight[1] = 1;
            }
            return;
        }
        work[0] = cpu;
        work[1] = gpu;
    }
    if (work[1] * processors[0] >= work[0] * processors[1]) {
        weight[0] = 0;
        weight[1] = 1;
    }
}

// The weights of two types.
static duet_code weigh_two(const duet_classes *classes, int64_t *weight, duet_error *error)
{
    ranked *order = duet_alloc(classes->count, sizeof *order, error);
    DUET_NEED(order);
    double work[2] = {0, 0};
    size_t flexible = 0;
    for (size_t c = 0; c < classes->count; c++) {
        bool on_cpu = duet_class_fits(classes, c, 0);
        bool on_gpu = duet_class_fits(classes, c, 1);
        if (on_cpu && on_gpu) {
            double factor = (double)classes->time[0][c] / (double)classes->time[1][c];
            order[flexible++] = (ranked){factor, c};
        }
        if (on_cpu) {
            work[0] += (double)classes->time[0][c] * (double)classes->tasks[c];
        } else if (on_gpu) {
            work[1] += (double)classes->time[1][c] * (double)classes->tasks[c];
        }
    }
    qsort(order, flexible, sizeof *order, by_factor);
    balance(classes, order, flexible, work, weight);
    duet_free(order);
    return DUET_OK;
}

// The weights of any number of types while they are sought.
typedef struct balancing {
    const duet_classes *classes;
    double *weight; // per type, as the next three
    double *best;   // those with the highest area bound so far
    double *load;   // per processor, where every class takes its cheapest type
    double most;    // the bound by `best`
} balancing;

// Loads the types at the weights under way; returns the area bound that these prove.
static double load_types(balancing *s)
{
    const duet_classes *classes = s->classes;
    double work = 0;
    double room = 0;
    for (size_t t = 0; t < classes->types; t++) {
        s->load[t] = 0;
        room += s->weight[t] * (double)classes->processors[t];
    }
    for (size_t c = 0; c < classes->count; c++) {
        size_t cheapest = SIZE_MAX;
        double least = INFINITY;
        for (size_t t = 0; t < classes->types; t++) {
            double price = s->weight[t] * (double)classes->time[t][c];
            if (duet_class_fits(classes, c, t) && price < least) {
                least = price;
                cheapest = t;
            }
        }
        if (cheapest != SIZE_MAX) {
            work += least * (double)classes->tasks[c];
            s->load[cheapest] += (double)classes->time[cheapest][c] * (double)classes->tasks[c] /
                                 (double)classes->processors[cheapest];
        }
    }
    return room > 0 ? work / room : 0;
}

// Multiplies the weight of each type by a power of its load, and scales all: what is loaded more
// becomes dearer. The step shrinks from pass to pass.
static void move_weights(balancing *s, int pass)
{
    double step = 1.0 / (2 + 0.3 * pass);
    double mean = 0;
    double highest = 0;
    for (size_t t = 0; t < s->classes->types; t++) {
        mean += s->load[t] / (double)s->classes->types;
    }
    for (size_t t = 0; t < s->classes->types; t++) {
        if (s->weight[t] > 0) {
            s->weight[t] *= pow(fmax(s->load[t] / mean, 0.1), step);
            highest = fmax(highest, s->weight[t]);
        }
    }
    for (size_t t = 0; t < s->classes->types; t++) {
        s->weight[t] /= highest;
    }
}

// Passes of the updates: fewer where each of them takes long.
static int passes_for(const duet_classes *classes)
{
    enum { passes = 150, fewest = 10, steps = 1 << 27 };
    size_t each = classes->types * classes->count + 1;
    return each < steps / passes ? passes : each < steps / fewest ? (int)(steps / each) : fewest;
}

// The weights of any number of types: passes of multiplicative updates, the best of them kept.
static duet_code weigh_all(const duet_classes *classes, const duet_context *context,
                           int64_t *weight, duet_error *error)
{
    size_t types = classes->types;
    balancing s = {.classes = classes};
    s.weight = duet_alloc(3 * types, sizeof *s.weight, error);
    DUET_NEED(s.weight);
    s.best = s.weight + types;
    s.load = s.best + types;
    for (size_t t = 0; t < types; t++) {
        s.weight[t] = classes->processors[t] > 0 ? 1 : 0;
    }
    int passes = passes_for(classes);
    for (int pass = 0; pass < passes; pass++) {
        double value = load_types(&s);
        if (pass == 0 || value > s.most) {
            s.most = value;
            memcpy(s.best, s.weight, types * sizeof *s.best);
        }
        if (value <= 0 || (context != NULL && duet_context_stop(context))) {
            break; // no class fits anywhere, or no time
        }
        move_weights(&s, pass);
    }
    for (size_t t = 0; t < types; t++) {
        int64_t rounded = (int64_t)(s.best[t] * 0x1p30);
        weight[t] = classes->processors[t] > 0 && rounded < 1 ? 1 : rounded;
    }
    duet_free(s.weight);
    return DUET_OK;
}

duet_code duet_classes_weights(const duet_classes *classes, int64_t *weight, duet_error *error)
{
    return duet_classes_weights_in_time(classes, NULL, weight, error);
}

duet_code duet_classes_weights_in_time(const duet_classes *classes, const duet_context *context,
                                       int64_t *weight, duet_error *error)
{
    DUET_TRY(classes->types == 2 ? weigh_two(classes, weight, error)
                                 : weigh_all(classes, context, weight, error));
    shrink(weight, classes->types, classes->guess);
    return DUET_OK;
}
