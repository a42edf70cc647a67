// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/seed.h"

#include <stdio.h>

#include "core/instance/classes.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

// Processors of a type of the instance that are busy until the same time.
typedef struct group {
    size_t type;
    int64_t from;
    size_t first; // of the model's processors
    int64_t count;
} group;

// Returns how many groups there are; more than DUET_MAX_TYPES are not listed.
static size_t list_groups(const duet_released_model *m, group *groups)
{
    size_t count = 0;
    for (size_t p = 0; p < m->processors; p++) {
        size_t type = (size_t)m->processor[p].type;
        int64_t from = m->processor[p].from;
        group *last = count > 0 && count <= DUET_MAX_TYPES ? &groups[count - 1] : NULL;
        if (last != NULL && last->type == type && last->from == from) {
            last->count++;
            continue;
        }
        if (count < DUET_MAX_TYPES) {
            groups[count] = (group){type, from, p, 1};
        }
        count++;
    }
    return count;
}

// The instance without releases.
static duet_code create_instance(const duet_released_model *m, const group *groups, size_t count,
                                 duet_instance **out, duet_error *error)
{
    const duet_instance *instance = m->instance;
    size_t kinds = instance->kinds + count;
    char names[DUET_MAX_TYPES][16];
    duet_type platform[DUET_MAX_TYPES];
    int64_t *times = duet_alloc(kinds * count, sizeof *times, error);
    int64_t *counts = duet_alloc(kinds, sizeof *counts, error);
    duet_code code = times == NULL || counts == NULL ? DUET_E_MEMORY : DUET_OK;
    size_t used = instance->kinds;
    for (size_t g = 0; g < count; g++) {
        snprintf(names[g], sizeof names[g], "t%zu", g);
        platform[g] = (duet_type){names[g], groups[g].count};
    }
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        counts[i] = duet_count(instance, i);
        for (size_t g = 0; g < count; g++) {
            times[i * count + g] = duet_time(instance, i, groups[g].type);
        }
    }
    for (size_t g = 0; g < count && code == DUET_OK; g++) {
        if (groups[g].from > 0) {
            for (size_t t = 0; t < count; t++) {
                times[used * count + t] = t == g ? groups[g].from : DUET_FORBIDDEN;
            }
            counts[used++] = groups[g].count;
        }
    }
    if (code == DUET_OK) {
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = count,
                                         .platform = platform,
                                         .kinds = used,
                                         .counts = counts,
                                         .times = times};
        code = duet_instance_create(&desc, out, error);
    }
    duet_free(times);
    duet_free(counts);
    return code;
}

duet_code duet_released_seed(const duet_released_model *model, const duet_context *context,
                             int32_t *on, bool *any, duet_error *error)
{
    group groups[DUET_MAX_TYPES];
    size_t count = list_groups(model, groups);
    duet_instance *free_of = NULL;
    duet_solution *solution = NULL;
    duet_context inner = *context;
    duet_error why = DUET_ERROR_INIT;
    *any = false;
    if (count > DUET_MAX_TYPES || model->tasks == 0) {
        return DUET_OK;
    }
    inner.options = NULL;
    inner.progress = NULL;
    inner.known = NULL;
    duet_code code = create_instance(model, groups, count, &free_of, &why);
    DUET_THEN(code,
              duet_run_algorithm(free_of, &duet_algorithm_local_search, &inner, &solution, &why));
    size_t at = 0;
    for (size_t j = 0; j < model->tasks && code == DUET_OK; j++) {
        duet_placement placed = duet_solution_place(solution, (int64_t)j, &at);
        *any = placed.type >= 0;
        on[j] = *any ? (int32_t)groups[placed.type].first + placed.processor : 0;
        if (!*any) {
            break;
        }
    }
    duet_solution_free(solution);
    duet_instance_free(free_of);
    // What is too long or too much with the busy times as tasks has no such schedule.
    return code == DUET_E_MEMORY ? duet_error_set(error, code, "%s", why.message) : DUET_OK;
}
