// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/modes.h"

bool duet_exact_has_few_classes(const duet_classes *classes)
{
    return classes->count <= DUET_DECIDE_FEW_CLASSES;
}

size_t duet_exact_patterned_type(const duet_classes *classes, const duet_processor_holding of[2])
{
    if (classes->processors[0] == 0 || classes->processors[1] == 0) {
        return classes->processors[0] == 0;
    }
    return of[0].tasks > of[1].tasks && of[1].tasks > 0;
}

// Whether a type may have patterns in the fine relaxation although it has many tasks: few of them
// are long, or its knapsack has a small table.
static bool is_affordable(const duet_classes *classes, const duet_processor_holding *of,
                          size_t type)
{
    double cells =
        (double)classes->capacity[type] / (double)classes->unit[type] * (double)classes->count;
    if (duet_exact_has_few_classes(classes)) {
        return of->tasks <= DUET_DECIDE_FEW_AREA_TASKS;
    }
    return of->long_tasks <= DUET_DECIDE_LONG_TASKS ||
           (of->long_tasks <= DUET_DECIDE_FINE_TASKS && cells <= DUET_DECIDE_FINE_CELLS);
}

// Where all types were divisible by their numbers of tasks, one with few long tasks is not.
void duet_exact_choose_divisible(const duet_classes *classes, const duet_processor_holding of[2],
                                 duet_exact_modes modes, bool divisible[2])
{
    for (size_t t = 0; t < 2; t++) {
        divisible[t] = classes->processors[t] == 0 || of[t].tasks > DUET_DECIDE_AREA_TASKS;
    }
    if (modes == DUET_EXACT_FINE) {
        for (size_t t = 0; t < 2; t++) {
            divisible[t] =
                classes->processors[t] == 0 || (divisible[t] && !is_affordable(classes, &of[t], t));
        }
    } else if (divisible[0] && divisible[1]) {
        size_t type = duet_exact_patterned_type(classes, of);
        divisible[type] = of[type].long_tasks > DUET_DECIDE_AREA_TASKS;
    }
}

bool duet_exact_has_fine(const duet_classes *classes, const duet_processor_holding of[2])
{
    bool coarse[2];
    bool fine[2];
    duet_exact_choose_divisible(classes, of, DUET_EXACT_COARSE, coarse);
    duet_exact_choose_divisible(classes, of, DUET_EXACT_FINE, fine);
    return coarse[0] != fine[0] || coarse[1] != fine[1];
}
