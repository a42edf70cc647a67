// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/finish.h"

size_t duet_earliest_finish(const duet_all_processors *pools, const duet_instance *instance,
                            size_t kind, bool later_first)
{
    size_t best = 0;
    int64_t earliest = INT64_MAX;
    for (size_t t = 0; t < pools->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t finish = duet_processors_least(&pools->pool[t]) + duet_time(instance, kind, t);
        if (finish < earliest || (finish == earliest && later_first)) {
            earliest = finish;
            best = t;
        }
    }
    return best;
}

void duet_place_earliest(duet_all_processors *pools, const duet_instance *instance, size_t kind,
                         bool later_first, duet_solution *solution)
{
    for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
        size_t type = duet_earliest_finish(pools, instance, kind, later_first);
        duet_processors_start(&pools->pool[type], duet_time(instance, kind, type),
                              &solution->placement[j]);
    }
}
