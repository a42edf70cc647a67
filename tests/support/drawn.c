// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"

const char *const duet_drawn_kernels[] = {"potrf", "trsm", "syrk", "gemm"};

// `kinds` kinds of `each` tasks with times 1 .. 50 ticks on every type, on types a, b, c, ...;
// `ids` as in duet_instance_desc.
static duet_instance *duet_drawn_instance(size_t types, const int64_t *processors, size_t kinds,
                                          int64_t each, const char *const *ids)
{
    static const char *const names[] = {"cpu", "gpu", "fpga"};
    duet_type platform[3];
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){names[t], processors[t]};
    }
    int64_t *times = calloc(kinds * types + 1, sizeof *times);
    int64_t *counts = calloc(kinds + 1, sizeof *counts);
    assert_non_null(times);
    assert_non_null(counts);
    for (size_t i = 0; i < kinds * types; i++) {
        times[i] = (int64_t)(i * 7919 % 50) + 1;
    }
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = each;
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               "picture <&\"> \xC3\xA9",
                               "ms",
                               1,
                               types,
                               platform,
                               kinds,
                               ids,
                               counts,
                               times,
                               NULL};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    free(times);
    free(counts);
    return instance;
}

// Tasks in turn on all processors, each as early as possible.
static duet_solution *duet_drawn_schedule(const duet_instance *instance)
{
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solution_create(duet_tasks(instance), &solution, &error), DUET_OK);
    int64_t all = 0;
    for (size_t t = 0; t < instance->types; t++) {
        all += instance->processors[t];
    }
    if (all < 1) {
        fail();
        return solution;
    }
    int64_t *free_at = calloc((size_t)all, sizeof *free_at);
    assert_non_null(free_at);
    for (int64_t task = 0; task < duet_tasks(instance); task++) {
        int64_t at = task % all;
        int64_t processor = at;
        size_t type = 0;
        while (processor >= instance->processors[type]) {
            processor -= instance->processors[type++];
        }
        solution->placement[task] =
            (duet_placement){free_at[at], (int32_t)processor, (int32_t)type};
        free_at[at] += duet_time(instance, duet_instance_kind_of(instance, task), type);
    }
    free(free_at);
    snprintf(solution->algorithm, sizeof solution->algorithm, "round-robin");
    solution->makespan = duet_solution_measure(solution, instance);
    solution->lower_bound = solution->makespan / 2;
    solution->status = solution->lower_bound == solution->makespan ? DUET_OPTIMAL : DUET_BOUNDED;
    return solution;
}

void duet_drawn_prepare(duet_drawn *f, size_t types, const int64_t *processors, size_t kinds,
                        int64_t each, const char *const *ids)
{
    f->instance = duet_drawn_instance(types, processors, kinds, each, ids);
    f->solution = duet_drawn_schedule(f->instance);
    snprintf(f->folder, sizeof f->folder, "/tmp/duet-gantt-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
}

void duet_drawn_finish(duet_drawn *f)
{
    duet_instance_free(f->instance);
    duet_solution_free(f->solution);
    assert_int_equal(rmdir(f->folder), 0); // fails where something was left
}
