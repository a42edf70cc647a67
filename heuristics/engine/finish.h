// SPDX-License-Identifier: Apache-2.0
// Earliest finish time: the rule that eft, heft and mixeft share.
#ifndef DUET_HEURISTICS_ENGINE_FINISH_H
#define DUET_HEURISTICS_ENGINE_FINISH_H

#include "heuristics/engine/processors.h"

// The type where a task of `kind` would finish first; at equal times the later type if
// `later_first` (GPU before CPU), else the earlier.
size_t duet_earliest_finish(const duet_all_processors *pools, const duet_instance *instance,
                            size_t kind, bool later_first);

// Places all tasks of a kind by earliest finish.
void duet_place_earliest(duet_all_processors *pools, const duet_instance *instance, size_t kind,
                         bool later_first, duet_solution *solution);

// The option "ties" of algorithms that use the rule, for their tables.
#define DUET_OPTION_TIES                                                                           \
    {                                                                                              \
        .name = "ties", .type = DUET_OPTION_CHOICE, .fallback = "gpu", .choices = "gpu|cpu",       \
        .unit = "", .text = "type that wins when a task would finish at the same time on several"  \
    }
enum { DUET_TIES_GPU = 0 };

#endif
