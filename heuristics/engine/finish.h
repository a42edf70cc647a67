// SPDX-License-Identifier: Apache-2.0
// Earliest finish time: where eft, heft, mixeft and others would put a task.
#ifndef DUET_HEURISTICS_ENGINE_FINISH_H
#define DUET_HEURISTICS_ENGINE_FINISH_H

#include "heuristics/engine/rule.h"

// The type where a task of `kind` would end first; at equal times the later type if `later_first`
// (GPU before CPU), else the earlier.
static inline size_t duet_earliest_finish(const duet_list *list, size_t kind, bool later_first)
{
    const duet_instance *instance = list->instance;
    size_t best = 0;
    int64_t earliest = INT64_MAX;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t finish = duet_list_start(list, t) + duet_time(instance, kind, t);
        if (finish < earliest || (finish == earliest && later_first)) {
            earliest = finish;
            best = t;
        }
    }
    return best;
}

// Of the types other than `reference` where a task of `kind` would end by its time on `reference`,
// the one where it would end first, the later type at equal times; `types` if no type does, or it
// may not run on `reference`.
static inline size_t duet_finish_in_time(const duet_list *list, size_t kind, size_t reference)
{
    const duet_instance *instance = list->instance;
    size_t best = instance->types;
    if (!duet_allowed(instance, kind, reference)) {
        return best;
    }
    int64_t earliest = duet_time(instance, kind, reference);
    for (size_t t = 0; t < instance->types; t++) {
        if (t == reference || !duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t finish = duet_list_start(list, t) + duet_time(instance, kind, t);
        if (finish <= earliest) {
            earliest = finish;
            best = t;
        }
    }
    return best;
}

// The option "ties" of algorithms that compare finish times, for their tables.
#define DUET_OPTION_TIES                                                                           \
    {                                                                                              \
        .name = "ties", .type = DUET_OPTION_CHOICE, .fallback = "gpu", .choices = "gpu|cpu",       \
        .unit = "", .text = "type that wins when a task would finish at the same time on several"  \
    }
// The same of rules that choose a type by times alone; `preset` is how ties fall in their paper.
#define DUET_OPTION_ALLOCATION_TIES(preset)                                                        \
    {                                                                                              \
        .name = "ties", .type = DUET_OPTION_CHOICE, .fallback = (preset), .choices = "gpu|cpu",    \
        .unit = "", .text = "type that wins when a task suits several equally well"                \
    }
enum { DUET_TIES_GPU = 0 };

#endif
