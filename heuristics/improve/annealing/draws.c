// SPDX-License-Identifier: Apache-2.0
// The parameters of a run of annealing: drawn at random, or those of a run that ended well,
// changed.
#include <math.h>

#include "heuristics/improve/annealing/annealing_state.h"

// From where to where a parameter is drawn.
typedef struct range {
    double low;
    double high;
} range;

static const range hot = {0.006, 0.2};
static const range cooling = {500.0, 20000.0};
static const range work = {0.003, 0.4};
static const range bias = {0.01, 1.0};

static double uniform(duet_annealer *annealer, double low, double high)
{
    return low + (high - low) * duet_random_unit(&annealer->random);
}

// So that each power of ten is as likely as another.
static double logarithmic(duet_annealer *annealer, range r)
{
    return exp(uniform(annealer, log(r.low), log(r.high)));
}

// Near a value that helped.
static double near(duet_annealer *annealer, double value, range r)
{
    return fmin(fmax(value * exp(uniform(annealer, -0.5, 0.5)), r.low), r.high);
}

static void draw_moves(duet_annealer *annealer, duet_annealing_draw *draw)
{
    double share[4] = {uniform(annealer, 0.1, 0.4), uniform(annealer, 0.4, 1.0),
                       uniform(annealer, 0.0, 0.2), uniform(annealer, 0.0, 0.2)};
    double sum = share[0] + share[1] + share[2] + share[3];
    for (size_t i = 0; i < 3; i++) {
        draw->kind[i] = share[i] / sum;
    }
}

static duet_annealing_draw fresh(duet_annealer *annealer)
{
    // The weights may mislead, above all where tasks are few: now and then no type is preferred.
    enum { one_in = 8, everywhere = 1000 };
    duet_annealing_draw draw = {.hot = logarithmic(annealer, hot),
                                .cooling = logarithmic(annealer, cooling),
                                .work = logarithmic(annealer, work),
                                .bias = logarithmic(annealer, bias)};
    if (duet_random_between(&annealer->random, 0, one_in - 1) == 0) {
        draw.bias = everywhere;
    }
    draw.tilt = fmax(0.0, uniform(annealer, -1.0, 1.0));
    draw.low = fmax(0.0, uniform(annealer, -0.3, 0.3));
    draw.loaded = fmax(0.0, uniform(annealer, -0.4, 0.4));
    draw_moves(annealer, &draw);
    return draw;
}

duet_annealing_draw duet_annealing_next_draw(duet_annealer *annealer)
{
    enum { first_runs = 3 };
    if (annealer->keeps < first_runs || duet_random_between(&annealer->random, 0, 2) == 0) {
        return fresh(annealer);
    }
    size_t from = (size_t)duet_random_between(&annealer->random, 0, (int64_t)annealer->keeps - 1);
    duet_annealing_draw draw = annealer->kept[from];
    draw.hot = near(annealer, draw.hot, hot);
    draw.cooling = near(annealer, draw.cooling, cooling);
    draw.work = near(annealer, draw.work, work);
    draw.bias = near(annealer, draw.bias, bias);
    if (duet_random_between(&annealer->random, 0, 3) == 0) {
        draw_moves(annealer, &draw);
    }
    return draw;
}

void duet_annealing_keep_draw(duet_annealer *annealer, const duet_annealing_draw *draw)
{
    enum { last = DUET_ANNEALING_KEPT - 1 };
    if (annealer->keeps > last && duet_annealing_is_better(annealer->kept[last].end, draw->end)) {
        return;
    }
    size_t at = annealer->keeps > last ? last : annealer->keeps++;
    while (at > 0 && !duet_annealing_is_better(annealer->kept[at - 1].end, draw->end)) {
        annealer->kept[at] = annealer->kept[at - 1];
        at--;
    }
    annealer->kept[at] = *draw;
}

duet_annealing_values duet_annealing_draw_values(duet_annealer *annealer,
                                                 const duet_annealing_keeps *keeps,
                                                 const double *low, const double *high,
                                                 size_t count)
{
    duet_annealing_values draw = {.end = {0, 0}};
    bool after =
        keeps->count == DUET_ANNEALING_KEPT && duet_random_between(&annealer->random, 0, 2);
    int64_t from = after ? duet_random_between(&annealer->random, 0, DUET_ANNEALING_KEPT - 1) : 0;
    for (size_t i = 0; i < count; i++) {
        double unit = duet_random_unit(&annealer->random);
        double value = after ? keeps->kept[from].value[i] * exp(unit - 0.5)
                             : low[i] * pow(high[i] / low[i], unit);
        draw.value[i] = fmin(fmax(value, low[i]), high[i]);
    }
    return draw;
}

void duet_annealing_keep_values(duet_annealing_keeps *keeps, const duet_annealing_values *draw)
{
    enum { last = DUET_ANNEALING_KEPT - 1 };
    if (keeps->count > last && duet_annealing_is_better(keeps->kept[last].end, draw->end)) {
        return;
    }
    size_t at = keeps->count > last ? last : keeps->count++;
    for (; at > 0 && !duet_annealing_is_better(keeps->kept[at - 1].end, draw->end); at--) {
        keeps->kept[at] = keeps->kept[at - 1];
    }
    keeps->kept[at] = *draw;
}
