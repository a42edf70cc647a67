// SPDX-License-Identifier: Apache-2.0
#include "solvers/dual/ready_set.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/acceleration.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { TYPES = 2, ID = 24 };

// The arrays of a duet_instance_desc.
typedef struct part {
    char (*text)[ID];
    const char **id;
    int64_t *count;
    int64_t *times;
    size_t kinds;
} part;

static void add(part *p, int64_t count, int64_t cpu, int64_t gpu)
{
    size_t at = p->kinds++;
    snprintf(p->text[at], ID, "%zu", at);
    p->id[at] = p->text[at];
    p->count[at] = count;
    p->times[TYPES * at + DUET_CPU] = cpu;
    p->times[TYPES * at + DUET_GPU] = gpu;
}

// The kinds of the set, then what is left of each running task.
static void fill(const duet_ready_set *set, part *p)
{
    const duet_workers *workers = set->workers;
    const duet_instance *instance = workers->instance;
    for (size_t i = 0; i < set->kinds; i++) {
        add(p, set->count[i], duet_time(instance, set->kind[i], DUET_CPU),
            duet_time(instance, set->kind[i], DUET_GPU));
    }
    for (size_t w = 0; w < workers->count; w++) {
        const duet_worker *held = &workers->worker[w];
        int64_t left = held->end - workers->now;
        if (held->busy && left > 0) {
            bool on_cpu = held->type == DUET_CPU;
            add(p, 1, on_cpu ? left : DUET_FORBIDDEN, on_cpu ? DUET_FORBIDDEN : left);
        }
    }
}

static duet_code make_instance(const duet_ready_set *set, duet_instance **out, duet_error *error)
{
    const duet_instance *instance = set->workers->instance;
    size_t most = set->kinds + set->workers->count;
    const duet_type platform[TYPES] = {{"cpu", instance->processors[DUET_CPU]},
                                       {"gpu", instance->processors[DUET_GPU]}};
    part p = {.text = duet_alloc_raw(most, sizeof *p.text, error),
              .id = duet_alloc_raw(most, sizeof *p.id, error),
              .count = duet_alloc_raw(most, sizeof *p.count, error),
              .times = duet_alloc_raw(most, TYPES * sizeof *p.times, error)};
    duet_code code = DUET_E_MEMORY;
    if (p.text != NULL && p.id != NULL && p.count != NULL && p.times != NULL) {
        fill(set, &p);
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = TYPES,
                                         .platform = platform,
                                         .kinds = p.kinds,
                                         .ids = p.id,
                                         .counts = p.count,
                                         .times = p.times};
        code = duet_instance_create(&desc, out, error);
    }
    duet_free(p.text);
    duet_free(p.id);
    duet_free(p.count);
    duet_free(p.times);
    return code;
}

duet_code duet_ready_set_divide(const duet_ready_set *set, duet_run_function *run,
                                const duet_context *context, int64_t *on_gpu, int64_t *cells,
                                duet_error *error)
{
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_code code = make_instance(set, &instance, error);
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(instance), &solution, error));
    DUET_THEN(code, run(instance, context, solution, error));
    size_t at = 0;
    for (size_t i = 0; i < set->kinds && code == DUET_OK; i++) {
        on_gpu[i] = 0;
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            on_gpu[i] += duet_solution_place(solution, j, &at).type == DUET_GPU;
        }
    }
    for (size_t i = 0; code == DUET_OK && i < solution->counters; i++) {
        bool is_cells = strcmp(solution->counter[i].name, "cells") == 0;
        *cells += is_cells ? solution->counter[i].value : 0;
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}
