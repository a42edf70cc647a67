// SPDX-License-Identifier: Apache-2.0
// One restart of the adversarial search.
//
// Method: simulated annealing on the logarithm of the ratio. How much of the ratio a change may
// cost is drawn before it is judged, so that most changes are turned down by a lower bound on the
// optimum, without searching for it. Floating point only proposes what to turn down; what is the
// best is decided in integers.
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
#include <math.h>

#include "bench/search.h"

// The part of the ratio that an average change may cost, at the start and the end.
static const double hot = 0.3;   // from a random candidate
static const double warm = 0.05; // from one that is good already
static const double cold = 0.0005;

// `current` as little smaller as the temperature and luck allow, in units of 2^-30.
static duet_fraction threshold(const duet_search_value *current, double temperature,
                               duet_random *random)
{
    static const uint64_t unit = UINT64_C(1) << 30;
    if (current->outcome < DUET_SEARCH_RATIO) {
        return (duet_fraction){0, 1};
    }
    double ratio = (double)current->makespan / (double)current->optimum;
    double accepted = ratio * exp(temperature * log(duet_random_unit(random)));
    return (duet_fraction){(uint64_t)(accepted * (double)unit), unit};
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
                        const duet_search_find *from, uint64_t seed, int64_t evaluations,
                        duet_search_stop *stop, void *opaque, duet_search_find *best)
{
    duet_random random;
    duet_random_seed(&random, seed);
    bool fresh = from->value.outcome < DUET_SEARCH_RATIO;
    duet_search_point current = from->point;
    duet_search_value value = from->value;
    best->value = (duet_search_value){.outcome = DUET_SEARCH_LOW};
    if (fresh) {
        duet_search_draw(space, &random, &current);
    }
    double temperature = fresh ? hot : warm;
    double cooling = pow(cold / temperature, 1.0 / (double)evaluations);
    for (int64_t e = 0; e < evaluations && !stop(opaque); e++, temperature *= cooling) {
        duet_search_point next = current;
        if (e > 0) {
            duet_search_move(space, &random, &next);
        }
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
