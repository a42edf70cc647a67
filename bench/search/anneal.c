// SPDX-License-Identifier: Apache-2.0
// One restart of the adversarial search.
//
// Method: simulated annealing on the ratio. How much of the ratio a change may cost is drawn before
// the change is judged, so that most changes are turned down by a lower bound on the optimum,
// without searching for it. All in integers: the same seed goes the same way on every machine.
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#include "bench/search/search.h"

// The part of the ratio that an average change may cost, in units of 2^-30. It is halved step by
// step, from either start to about 0.0005.
static const int64_t unit = INT64_C(1) << 30;
static const int64_t hot = (INT64_C(1) << 30) * 3 / 10; // from a random candidate
static const int64_t warm = (INT64_C(1) << 30) / 20;    // from one that is good already
enum { HOT_HALVINGS = 9, WARM_HALVINGS = 7 };

// Between two halvings it falls in a straight line.
static int64_t temperature_at(bool fresh, int64_t evaluation, int64_t evaluations)
{
    int64_t scaled = evaluation * (fresh ? HOT_HALVINGS : WARM_HALVINGS);
    int64_t upper = (fresh ? hot : warm) >> (scaled / evaluations);
    int64_t within = scaled % evaluations;
    // evaluations may be large: 20 bits of the position are enough.
    int64_t position = (int64_t)(((duet_int128)within << 20) / evaluations);
    return upper - ((upper / 2 * position) >> 20);
}

// Exponentially distributed with mean 1, about, in units of 2^-20: the logarithm by the leading
// zeros of a random word, in straight lines between powers of two.
static int64_t draw_exponential(duet_random *random)
{
    uint64_t word = duet_random_next(random) | 1;
    int64_t zeros = 0;
    while (word >> 63 == 0) {
        word <<= 1;
        zeros++;
    }
    int64_t fraction = (int64_t)(word << 1 >> 44);
    int64_t log2 = ((zeros + 1) << 20) - fraction;
    return log2 * 693 / 1000;
}

// The current ratio, less what this change may cost.
static duet_fraction threshold(const duet_search_value *current, int64_t temperature,
                               duet_random *random)
{
    int64_t cost = (temperature * draw_exponential(random)) >> 20;
    if (current->outcome < DUET_SEARCH_RATIO) {
        return (duet_fraction){0, 1};
    }
    return (duet_fraction){(duet_uint128)current->makespan * (uint64_t)unit,
                           (duet_uint128)current->optimum * (uint64_t)(unit + cost)};
}

static void keep(duet_search_find *best, const duet_search_point *point,
                 const duet_search_value *value, const duet_search_judge *judge)
{
    best->point = *point;
    best->value = *value;
    snprintf(best->fault, sizeof best->fault, "%s",
             value->outcome == DUET_SEARCH_FAULT ? judge->fault : "");
}

void duet_search_anneal(const duet_search_space *space, duet_search_judge *judge,
                        const duet_search_restart *restart, duet_search_stop *stop, void *opaque,
                        duet_search_find *best)
{
    const duet_search_find *from = restart->from;
    int64_t evaluations = restart->evaluations;
    duet_random random;
    duet_random_seed(&random, restart->seed);
    bool fresh = from->value.outcome < DUET_SEARCH_RATIO;
    duet_search_point current = from->point;
    duet_search_value value = from->value;
    best->value = (duet_search_value){.outcome = DUET_SEARCH_LOW};
    if (fresh) {
        duet_search_draw(space, &random, &current);
    }
    for (int64_t e = 0; e < evaluations && !stop(opaque); e++) {
        duet_search_point next = current;
        if (e > 0) { // the first is judged as it is
            duet_search_move(space, &random, &next);
        }
        int64_t temperature = temperature_at(fresh, e, evaluations);
        duet_search_value judged =
            duet_search_judge_point(judge, &next, threshold(&value, temperature, &random));
        if (judged.outcome >= DUET_SEARCH_RATIO) {
            current = next;
            value = judged;
        } else if (value.outcome < DUET_SEARCH_RATIO) {
            duet_search_draw(space, &random, &current); // no ratio yet: elsewhere
        }
        if (duet_search_compare(&judged, &best->value) > 0) {
            keep(best, &next, &judged, judge);
        }
        if (judged.outcome > DUET_SEARCH_RATIO) {
            return; // what was never to be seen
        }
    }
}
