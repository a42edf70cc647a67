// SPDX-License-Identifier: Apache-2.0
// Which types are divisible in the configuration relaxation: an estimate of what a processor holds
// when every class goes to its cheaper type. It decides how strong the bound is, never whether it
// holds, so floating point will do.
// Cost:      O(n log n) for n classes.
#include <math.h>
#include <stdlib.h>

#include "core/instance/order.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/configuration/configuration.h"

// How much cheaper a class is on one type than on the other, in millionths of the sum; 2^30 where
// it fits on one type only.
static uint64_t preference(const duet_classes *classes, const int64_t weight[2], size_t class,
                           bool *on_gpu)
{
    const double alone = 1 << 30;
    double cost[2];
    for (size_t t = 0; t < 2; t++) {
        bool fits = duet_class_fits(classes, class, t);
        cost[t] = fits ? (double)weight[t] * (double)classes->time[t][class] : INFINITY;
    }
    *on_gpu = cost[1] < cost[0];
    bool both = isfinite(cost[0] + cost[1]) && cost[0] + cost[1] > 0;
    return both ? (uint64_t)(1e6 * fabs(cost[0] - cost[1]) / (cost[0] + cost[1])) : (uint64_t)alone;
}

// What a type holds.
typedef struct holding {
    double tasks, work, squares; // of their times
} holding;

static void hold(const duet_classes *classes, size_t class, size_t type, double tasks,
                 holding held[2])
{
    double time = (double)classes->time[type][class];
    if (tasks > 0) {
        held[type].tasks += tasks;
        held[type].work += tasks * time;
        held[type].squares += tasks * time * time;
    }
}

// What each type holds when every class goes to its cheaper type until that is full, those with the
// strongest preference first.
static void fill_types(const duet_classes *classes, const int64_t weight[2],
                       const duet_ordered *order, holding held[2])
{
    double room[2];
    for (size_t t = 0; t < 2; t++) {
        room[t] = (double)classes->processors[t] * (double)classes->capacity[t];
    }
    for (size_t i = 0; i < classes->count; i++) {
        size_t c = order[i].kind;
        bool on_gpu;
        preference(classes, weight, c, &on_gpu);
        double tasks = (double)classes->tasks[c];
        double most = fmax(0, floor(room[on_gpu] / (double)classes->time[on_gpu][c]));
        bool both = duet_class_fits(classes, c, 0) && duet_class_fits(classes, c, 1);
        double there = both ? fmin(tasks, most) : tasks;
        hold(classes, c, on_gpu, there, held);
        hold(classes, c, !on_gpu, tasks - there, held);
        room[on_gpu] -= there * (double)classes->time[on_gpu][c];
        room[!on_gpu] -= both ? (tasks - there) * (double)classes->time[!on_gpu][c] : 0;
    }
}

duet_code duet_configuration_measure(const duet_classes *classes, const int64_t weight[2],
                                     duet_processor_holding of[2], duet_error *error)
{
    holding held[2] = {{0, 0, 0}, {0, 0, 0}};
    duet_ordered *order = duet_alloc(classes->count, sizeof *order, error);
    duet_code code = order == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        bool on_gpu;
        order[c] = (duet_ordered){preference(classes, weight, c, &on_gpu), c};
    }
    DUET_THEN(code, duet_order_by_key(order, classes->count, error));
    if (code == DUET_OK) {
        fill_types(classes, weight, order, held);
    }
    duet_free(order);
    for (size_t t = 0; t < 2; t++) {
        double processors = (double)classes->processors[t];
        double even = held[t].squares > 0 ? held[t].work * held[t].work / held[t].squares : 0;
        of[t].tasks = processors > 0 ? held[t].tasks / processors : 0;
        of[t].long_tasks = processors > 0 ? even / processors : 0;
    }
    return code;
}

duet_code duet_configuration_modes(const duet_classes *classes, const int64_t weight[2],
                                   double most, bool divisible[2], duet_error *error)
{
    duet_processor_holding of[2];
    duet_code code = duet_configuration_measure(classes, weight, of, error);
    for (size_t t = 0; t < 2; t++) {
        divisible[t] = classes->processors[t] == 0 || of[t].tasks > most;
    }
    return code;
}
