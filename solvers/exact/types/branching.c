// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/branching.h"

#include <math.h>

static const double WHOLE = 1e-6;       // a number that is so near a whole one is whole
static const double WHOLE_COUNT = 1e-4; // the same of the sum of many

// What a task more or less of a count has changed the relaxation so far, on average; what was not
// tried yet may change it much.
static double gain_of(const duet_types_gain *gain)
{
    return gain->branches > 0 ? gain->sum / (double)gain->branches : 1;
}

bool duet_types_choose_count(const duet_types *s, duet_types_branch *out)
{
    const duet_generation *program = s->program;
    double best = -1;
    for (size_t i = 0; i < duet_generation_counts(program); i++) {
        duet_generation_counted count = duet_generation_count_at(program, i);
        double whole = floor(count.value + WHOLE_COUNT);
        double part = count.value - whole;
        int64_t bound = (int64_t)whole;
        if (fmin(part, 1 - part) <= WHOLE_COUNT || bound < count.low || bound >= count.high) {
            continue;
        }
        double merit =
            fmin(part * gain_of(&s->gain[i].fewer), (1 - part) * gain_of(&s->gain[i].more));
        if (merit > best) {
            best = merit;
            *out = (duet_types_branch){
                .count = i, .bound = bound, .part = part, .more_first = part > 0.5};
        }
    }
    return best >= 0;
}

bool duet_types_choose_class(const duet_types *s, int64_t guess, duet_types_branch *out)
{
    const duet_classes *classes = &s->classes;
    double best = -1;
    for (size_t c = 0; c < classes->count; c++) {
        if (duet_residual_settled(&s->state, c)) {
            continue;
        }
        for (size_t t = 0; t < classes->types; t++) {
            int64_t low = duet_residual_least(&s->state, c, t);
            int64_t high = duet_residual_most(&s->state, c, t);
            if (low == high) {
                continue;
            }
            double value = duet_generation_tasks(s->program, t, c);
            double whole = floor(value + WHOLE);
            double part = fmin(value - whole, whole + 1 - value);
            double share = (double)classes->time[t][c] / (double)guess;
            double merit = part > WHOLE ? part * (0.1 + share) : 0;
            if (merit > best) {
                best = merit;
                int64_t bound = (int64_t)whole;
                bound = bound < low ? low : bound < high ? bound : high - 1;
                *out = (duet_types_branch){c,         t, SIZE_MAX, bound, part, value - whole > 0.5,
                                           merit <= 0};
            }
        }
    }
    return best >= 0;
}

void duet_types_learn_gain(duet_types *s, const duet_types_branch *at, bool more, double growth)
{
    duet_types_gains *gains = &s->gain[at->count];
    duet_types_gain *gain = more ? &gains->more : &gains->fewer;
    gain->sum += fmax(0, growth) / (more ? 1 - at->part : at->part);
    gain->branches++;
}
