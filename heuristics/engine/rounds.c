// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/rounds.h"

#include "core/number/fraction.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

#define MAX_LOOKS INT64_C(4000000000)

void duet_rounds_start(duet_rounds *rounds, size_t kind, size_t type, duet_solution *solution)
{
    const duet_instance *instance = rounds->list.instance;
    DUET_ASSERT(rounds->left[kind] > 0 && duet_allowed(instance, kind, type));
    int64_t task = instance->first[kind + 1] - rounds->left[kind]--;
    duet_processors_start(&rounds->list.all.of[type], duet_time(instance, kind, type),
                          &solution->placement[task]);
}

static duet_code place_all(duet_rounds *rounds, const duet_context *context,
                           duet_rounds_round *round, bool later_first, duet_solution *solution,
                           duet_error *error)
{
    int64_t tasks = duet_tasks(rounds->list.instance);
    for (int64_t placed = 0; placed < tasks;) {
        if (duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        placed += (int64_t)round(rounds, later_first, solution);
    }
    return DUET_OK;
}

duet_code duet_rounds_run(const duet_instance *instance, const duet_context *context,
                          const char *algorithm, duet_rounds_round *round, bool later_first,
                          duet_solution *solution, duet_error *error)
{
    duet_int128 looks = (duet_int128)duet_tasks(instance) * (int64_t)instance->kinds;
    if (looks * (int64_t)instance->types > MAX_LOOKS) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%s on %zu types takes tasks times kinds times types steps: expected "
                              "at most %lld of them",
                              algorithm, instance->types, (long long)MAX_LOOKS);
    }
    duet_rounds rounds = {.list = {.instance = instance}};
    DUET_TRY(duet_all_processors_create(instance, &rounds.list.all, error));
    rounds.left = duet_alloc(instance->kinds, sizeof *rounds.left, error);
    for (size_t i = 0; rounds.left != NULL && i < instance->kinds; i++) {
        rounds.left[i] = duet_count(instance, i);
    }
    duet_code code = rounds.left == NULL
                         ? DUET_E_MEMORY
                         : place_all(&rounds, context, round, later_first, solution, error);
    duet_free(rounds.left);
    duet_all_processors_free(&rounds.list.all);
    return code;
}
