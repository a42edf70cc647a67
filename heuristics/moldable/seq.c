// SPDX-License-Identifier: Apache-2.0
// Algorithm: seq.
// Method:    all tasks one after another on one processor of the fastest cluster, in topological
//            order: what the others are held against. Where tasks have tables, the fastest cluster
//            is the one on which that takes the least time.
// Guarantee: none.
// Cost:      O(n log n + e).
// Memory:    O(n + e).
// Reference: N'Takpe, Suter, ICPADS 2006, section 5.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"

// The type on which all tasks may run and take the least time in sum; `types` if no type runs them
// all.
static size_t fastest_type(const duet_instance *instance)
{
    size_t fastest = instance->types;
    duet_int128 least = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 sum = 0;
        bool all = instance->processors[t] > 0;
        for (size_t i = 0; i < instance->kinds && all; i++) {
            all = duet_moldable_sizes(instance, i, t) > 0;
            sum +=
                all ? (duet_int128)duet_moldable_time(instance, i, t, 1) * duet_count(instance, i)
                    : 0;
        }
        if (all && (fastest == instance->types || sum < least)) {
            fastest = t;
            least = sum;
        }
    }
    return fastest;
}

static duet_code place_all(const duet_instance *instance, const int32_t *kind, const int32_t *order,
                           size_t type, duet_solution *solution, duet_error *error)
{
    const duet_processor_range first = {(int32_t)type, 0, 0};
    int64_t start = duet_busy_until(instance, type, 0);
    duet_code code = duet_solution_hold_sets(solution, error);
    for (int64_t i = 0; i < duet_tasks(instance) && code == DUET_OK; i++) {
        int64_t task = order == NULL ? i : order[i];
        start = duet_max(duet_release(instance, (size_t)kind[task]), start);
        code =
            duet_solution_place_set(solution, task, start, (duet_processor_set){&first, 1}, error);
        start += duet_moldable_time(instance, (size_t)kind[task], type, 1);
    }
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    size_t type = fastest_type(instance);
    if (type == instance->types && instance->kinds > 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "seq runs all tasks on one processor, and no type may run all of "
                              "them: hcpa takes such tasks");
    }
    int32_t *kind = duet_kinds_of_tasks(instance, error);
    int32_t *order = NULL;
    duet_code code = kind == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK && instance->graph != NULL) {
        order = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *order, error);
        bool sorted = order != NULL && duet_graph_sort(instance->graph, DUET_TOPOLOGICAL_SMALLEST,
                                                       order, error) >= 0;
        code = sorted ? DUET_OK : DUET_E_MEMORY;
    }
    DUET_THEN(code, place_all(instance, kind, order, type, solution, error));
    duet_free(kind);
    duet_free(order);
    return code;
}

const duet_algorithm duet_algorithm_seq = {
    .entry = {.name = "seq",
              .summary = "moldable tasks one after another on one processor of the fastest cluster",
              .reference = "N'Takpe, Suter, ICPADS 2006",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS |
                         DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS},
    .run = run,
    .makes_runs = true,
};
