// SPDX-License-Identifier: Apache-2.0
// List scheduling of independent tasks by a rule: the fast path.
//
// Method:    all tasks are ready at time 0 and no processor is ever idle before its last task ends.
//            So the kinds are taken in the order of the rule, and each task starts on the least
//            loaded processor of its type (lowest index where loads are equal).
// Cost:      O(kinds log kinds + n log m) time beside the rule's own, O(kinds + m) memory.
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.
#ifndef DUET_HEURISTICS_ENGINE_LIST_H
#define DUET_HEURISTICS_ENGINE_LIST_H

#include "core/system/assert.h"
#include "heuristics/engine/rule.h"

static inline void duet_list_place_kind(const duet_rule *rule, duet_list *list, size_t kind,
                                        duet_solution *solution)
{
    const duet_instance *instance = list->instance;
    if (rule->choose == NULL) {
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a rule has one of the two
        size_t type = rule->allocate(instance, kind);
        duet_processors_start_kind(&list->all.of[type], instance, kind, solution);
        return;
    }
    for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
        size_t type = rule->choose(list, kind);
        DUET_ASSERT(duet_allowed(instance, kind, type));
        duet_processors_start(&list->all.of[type], duet_time(instance, kind, type),
                              &solution->placement[j]);
    }
}

// Inline, so that with a rule that is a constant of the caller's file the choice is a direct call.
static inline duet_code duet_list_run(const duet_rule *rule, const duet_instance *instance,
                                      const duet_context *context, duet_solution *solution,
                                      duet_error *error)
{
    duet_list list = {.instance = instance};
    duet_ordered *order = NULL;
    DUET_ASSERT((rule->allocate == NULL) != (rule->choose == NULL));
    duet_code code = duet_all_processors_create(instance, &list.all, error);
    if (code == DUET_OK && rule->begin != NULL) {
        code = rule->begin(&list, context, error);
    }
    if (code == DUET_OK && rule->priority != NULL) {
        order = duet_order_by_value(instance, rule->priority, error);
        code = order == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        size_t kind = order != NULL ? order[i].kind : i;
        duet_list_place_kind(rule, &list, kind, solution);
    }
    duet_free(order);
    if (rule->end != NULL) {
        rule->end(&list, solution);
    }
    duet_all_processors_free(&list.all);
    return code;
}

#endif
