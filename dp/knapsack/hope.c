// SPDX-License-Identifier: Apache-2.0
// How likely an allocation can be packed: about how many packings of each type end within the
// guess. Loads of random packings are taken as normally distributed around their mean; of these
// vectors of loads, those count that have no more idle time than there is. An estimate, which
// guides the search: of the allocations that fit, one with its idle time where processors have few
// tasks has many times as many schedules as another.
#include <math.h>

#include "dp/knapsack/knapsack_state.h"

// a ln a
static double entropy(double a)
{
    return a > 0 ? a * log(a) : 0;
}

// The logarithm of the ways to divide equal things among others.
static double ways(double things, double among)
{
    return things > 0 && among > 1
               ? entropy(things + among - 1) - entropy(things) - entropy(among - 1)
               : 0;
}

int64_t duet_knapsack_at_first(const duet_knapsack *problem, size_t class)
{
    if (problem->fixed != NULL) {
        return problem->fixed[class];
    }
    return duet_knapsack_cheaper(problem, class) == 0 ? problem->classes->tasks[class] : 0;
}

void duet_knapsack_measure(const duet_knapsack *problem, knapsack_holding of[2])
{
    const duet_classes *classes = problem->classes;
    of[0] = of[1] = (knapsack_holding){0, 0};
    for (size_t c = 0; c < classes->count; c++) {
        double first = (double)duet_knapsack_at_first(problem, c);
        double on[2] = {first, (double)classes->tasks[c] - first};
        for (size_t t = 0; t < 2; t++) {
            double processors = (double)classes->processors[t];
            if (on[t] > 0 && processors > 0) {
                int64_t units = classes->time[t][c] / classes->unit[t];
                double time = (double)units;
                of[t].packings += on[t] > 1 ? ways(on[t], processors) : log(processors);
                of[t].squares += on[t] * time * time;
            }
        }
    }
}

static double hope_of_type(const duet_knapsack *problem, const knapsack_holding *of,
                           const work_state *s, size_t type)
{
    const double pi = 3.14159265358979;
    double processors = (double)problem->classes->processors[type];
    double unit = (double)problem->classes->unit[type];
    double idle = (double)(problem->capacity[type] - s->work[type]) / unit;
    if (processors < 2 || of->squares <= 0) {
        return INFINITY;
    }
    double alike = entropy(processors) - processors; // orders of the processors
    double spread = of->squares / processors * (1 - 1 / processors);
    return of->packings - alike + ways(idle, processors) -
           (processors - 1) / 2 * log(2 * pi * spread);
}

double duet_knapsack_hope(const duet_knapsack *problem, const knapsack_holding of[2],
                          const work_state *s)
{
    return fmin(hope_of_type(problem, &of[0], s, 0), hope_of_type(problem, &of[1], s, 1));
}
