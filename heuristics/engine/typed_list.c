// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/typed_list.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/online.h"
#include "heuristics/engine/places.h"

static size_t choose(duet_list *list, size_t kind)
{
    (void)kind;
    const int32_t *type = list->given;
    return (size_t)type[list->task];
}

static const duet_rule rule = {.name = "list", .choose = choose, .fixed = true};

// The places of tasks by their bottom levels, owned by the caller.
static duet_code make_places(const duet_instance *instance, const int32_t *type, int32_t **place,
                             duet_error *error)
{
    duet_rank *weight = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *weight, error);
    DUET_NEED(weight);
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            DUET_ASSERT(duet_allowed(instance, i, (size_t)type[j]));
            weight[j] = (duet_rank)duet_time(instance, i, (size_t)type[j]) << DUET_RANK_BITS;
        }
    }
    duet_code code = duet_places_by_weight(instance, weight, place, error);
    duet_free(weight);
    return code;
}

duet_code duet_schedule_types(const duet_instance *instance, const duet_context *context,
                              const int32_t *type, duet_solution *solution, duet_error *error)
{
    int32_t *place = NULL;
    duet_code code = make_places(instance, type, &place, error);
    if (code == DUET_OK) {
        duet_online how = {.bind = DUET_BIND_IDLE, .place = place, .given = type};
        code = duet_online_run(&rule, instance, context, &how, solution, error);
    }
    duet_free(place);
    return code;
}
