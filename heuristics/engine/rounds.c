// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/rounds.h"

#include "core/fraction.h"
#include "core/memory.h"

#define MAX_LOOKS INT64_C(4000000000)

void duet_rounds_place(duet_rounds *scan, size_t kind, size_t type, duet_solution *solution)
{
    const duet_instance *instance = scan->instance;
    int64_t task = instance->first[kind + 1] - scan->left[kind]--;
    duet_processors_start(&scan->all.of[type], duet_time(instance, kind, type),
                          &solution->placement[task]);
}

static duet_code place_all(duet_rounds *scan, const duet_context *context, duet_rounds_round *round,
                           bool later_first, duet_solution *solution, duet_error *error)
{
    int64_t tasks = duet_tasks(scan->instance);
    for (int64_t placed = 0; placed < tasks;) {
        if (duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        placed += (int64_t)round(scan, later_first, solution);
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
    duet_rounds scan = {.instance = instance};
    duet_code code = duet_all_processors_create(instance, &scan.all, error);
    if (code != DUET_OK) {
        return code;
    }
    scan.left = duet_alloc(instance->kinds, sizeof *scan.left, error);
    for (size_t i = 0; scan.left != NULL && i < instance->kinds; i++) {
        scan.left[i] = duet_count(instance, i);
    }
    code = scan.left == NULL ? DUET_E_MEMORY
                             : place_all(&scan, context, round, later_first, solution, error);
    duet_free(scan.left);
    duet_all_processors_free(&scan.all);
    return code;
}
