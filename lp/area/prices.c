// SPDX-License-Identifier: Apache-2.0
// Prices of the processor types of nearly the largest area bound: the start of an area program.
// Method:    prices for the area bound
//                L(w) = sum_j min_t w_t p_jt / sum_t w_t m_t.
//            The prices of a set of types are multiplied by the factor that makes L largest, for
//            one set after another, until a pass over the sets gains next to nothing. L rises and
//            then falls with the factor, as a concave function by a linear one. Sets of several
//            types are needed where many tasks cost the same on two types: a change of one price
//            alone would move all of them.
//            Where kinds are many a sample stands for them, each drawn in proportion to its work.
// Guarantee: L of these prices is a bound; it is mostly within 10^-4 of the area bound, and within
//            some 10^-3 by a sample.
// Cost:      O(kinds x types), and O(sample x types) for each set in a pass: of up to five types
//            all sets are tried, of more the single types. The sample is of as many kinds as take
//            some hundredths of a second in a pass.
// Reference: ours; the dual of the area program as in lp.c.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "lp/area/weights.h"

// FACTORS: those that one look compares. LOOKS narrow the range of them to less than 10^-4.
enum { FACTORS = 16, LOOKS = 7, PASSES = 6, ALL_SETS = 5 };
// What a pass over a sample takes: PASS_WORK comparisons, and for each set as many as LOOK_TYPES
// more types would take, those of the looks.
enum { MOST_SAMPLES = 1 << 16, PASS_WORK = 30000000, LOOK_TYPES = 24 };

// The range of factors at first, as powers of two to both sides, and when a pass is the last.
#define FIRST_RANGE 12.0
#define LEAST_GAIN 1e-5

size_t duet_area_cheapest(const duet_instance *instance, size_t kind, const double *price)
{
    size_t best = instance->types;
    double least = INFINITY;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            double cost = price[t] * (double)duet_time(instance, kind, t);
            if (best == instance->types || cost < least) {
                best = t;
                least = cost;
            }
        }
    }
    return best;
}

// What all processors cost.
static double capacity(const duet_instance *instance, const double *price)
{
    double all = 0.0;
    for (size_t t = 0; t < instance->types; t++) {
        all += price[t] * (double)instance->processors[t];
    }
    return all;
}

// A kind of the sample, and what its tasks cost at least outside and within a set of types.
typedef struct one_kind {
    size_t kind;
    double tasks; // for which it stands
    double beside, within;
} one_kind;

typedef struct sample {
    const duet_instance *instance;
    one_kind *kind;
    size_t count;
} sample;

// The work of all tasks of a kind where they take least.
static double least_work(const duet_instance *instance, size_t kind)
{
    double least = INFINITY;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            least = fmin((double)duet_time(instance, kind, t), least);
        }
    }
    return least < INFINITY ? least * (double)duet_count(instance, kind) : 0.0;
}

// All kinds, or of so many one for each equal part of the work.
static void draw(sample *s, size_t most)
{
    const duet_instance *instance = s->instance;
    double all = 0.0;
    for (size_t i = 0; i < instance->kinds && most < instance->kinds; i++) {
        all += least_work(instance, i);
    }
    double part = all / (double)most;
    double passed = 0.0;
    for (size_t i = 0; i < instance->kinds && s->count < most; i++) {
        double work = part > 0.0 ? least_work(instance, i) : 0.0;
        double parts = part > 0.0 ? floor((passed + work) / part) - floor(passed / part) : 1.0;
        passed += work;
        if (parts > 0.0) {
            double share = part > 0.0 ? parts * part / work : 1.0;
            s->kind[s->count++] =
                (one_kind){.kind = i, .tasks = share * (double)duet_count(instance, i)};
        }
    }
}

// Without memory it is empty.
static sample make_sample(const duet_instance *instance)
{
    size_t types = instance->types;
    size_t sets = types <= ALL_SETS ? ((size_t)1 << types) / 2 + 1 : types;
    size_t most = duet_min(PASS_WORK / (sets * (types + LOOK_TYPES)), (size_t)MOST_SAMPLES);
    most = duet_min(most, instance->kinds);
    sample made = {.instance = instance};
    made.kind = duet_alloc(most, sizeof *made.kind, NULL);
    if (made.kind != NULL) {
        draw(&made, most);
    }
    return made;
}

// Finds the least costs outside and within a set of types.
static void split(const sample *s, const double *price, uint64_t set)
{
    const duet_instance *instance = s->instance;
    for (size_t k = 0; k < s->count; k++) {
        one_kind *own = &s->kind[k];
        double least[2] = {INFINITY, INFINITY}; // outside, within
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, own->kind, t)) {
                double one = own->tasks * price[t] * (double)duet_time(instance, own->kind, t);
                double *side = &least[set >> t & 1];
                *side = duet_min(one, *side);
            }
        }
        own->beside = least[0];
        own->within = least[1];
    }
}

// Costs of all tasks for each factor of the prices of the set.
static void price_with(const sample *s, const double *factor, double *cost)
{
    memset(cost, 0, FACTORS * sizeof *cost);
    for (size_t k = 0; k < s->count; k++) {
        const one_kind *own = &s->kind[k];
        for (size_t f = 0; f < FACTORS; f++) {
            double within = own->within * factor[f];
            cost[f] += duet_min(within, own->beside);
        }
    }
}

// Multiplies the prices of a set of types by the best factor. Returns L, which was `value`.
static double scale(const sample *s, uint64_t set, double value, double *price)
{
    const duet_instance *instance = s->instance;
    double part[DUET_MAX_TYPES] = {0.0};
    for (size_t t = 0; t < instance->types; t++) {
        part[t] = set >> t & 1 ? price[t] : 0.0;
    }
    double within = capacity(instance, part);
    double beside = capacity(instance, price) - within;
    double middle = 0.0; // of the exponents
    double range = FIRST_RANGE;
    double best = value;
    double by = 1.0;
    split(s, price, set);
    for (int look = 0; look < LOOKS; look++) {
        double factor[FACTORS];
        double cost[FACTORS];
        size_t at = 0;
        double most = -1.0;
        for (size_t f = 0; f < FACTORS; f++) {
            double place = 2.0 * (double)f / (FACTORS - 1) - 1.0;
            factor[f] = exp2(middle + range * place);
        }
        price_with(s, factor, cost);
        for (size_t f = 0; f < FACTORS; f++) {
            double found = cost[f] / (within * factor[f] + beside);
            at = found > most ? f : at;
            most = fmax(most, found);
        }
        by = most > best ? factor[at] : by;
        best = fmax(most, best);
        middle = log2(factor[at]);
        range *= 2.0 / (FACTORS - 1);
    }
    for (size_t t = 0; t < instance->types; t++) {
        price[t] *= set >> t & 1 ? by : 1.0;
    }
    return best;
}

// Whether the prices of a set of types are multiplied by themselves. The first type in use stays: a
// factor for it would say the same as one for all others.
static bool is_tried(uint64_t set, uint64_t used)
{
    return (set & ~used) == 0 && (set & used & ~(used - 1)) == 0;
}

// Multiplies the prices of one set after another. Returns L, which was `value`.
static double pass(const sample *s, double value, double *price)
{
    const duet_instance *instance = s->instance;
    size_t types = instance->types;
    bool all = types <= ALL_SETS;
    uint64_t used = 0;
    for (size_t t = 0; t < types; t++) {
        used |= (uint64_t)(instance->processors[t] > 0) << t;
    }
    size_t sets = all ? (size_t)1 << types : types;
    for (size_t i = all; i < sets; i++) {
        uint64_t set = all ? i : (uint64_t)1 << i;
        value = is_tried(set, used) ? scale(s, set, value, price) : value;
    }
    return value;
}

void duet_area_prices(const duet_instance *instance, double *price)
{
    for (size_t t = 0; t < instance->types; t++) {
        price[t] = 1.0;
    }
    const sample s = make_sample(instance);
    double value = -1.0;
    bool gains = s.count > 0;
    for (int i = 0; i < PASSES && gains; i++) {
        double before = value;
        value = pass(&s, value, price);
        gains = value > before + LEAST_GAIN * fabs(before);
    }
    duet_free(s.kind);
}
