// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/crew.h"

#include "core/memory.h"
#include "heuristics/engine/queues.h"

duet_code duet_crew_create(const duet_instance *instance, duet_solution *solution, duet_crew *crew,
                           duet_error *error)
{
    DUET_ASSERT(instance->graph != NULL && instance->types == 2);
    *crew = (duet_crew){.kind = duet_kinds_of_tasks(instance, error)};
    duet_code code = crew->kind == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        code = duet_workers_create(instance, solution, &crew->workers, error);
    }
    if (code == DUET_OK) {
        code = duet_waits_create(instance->graph, &crew->waits, error);
    }
    size_t count[2] = {0, 0};
    for (size_t w = 0; w < crew->workers.count; w++) {
        count[duet_workers_type(&crew->workers, w)]++;
    }
    crew->worker_at[0] = count[1]; // the last type's workers come first
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_tournament_create(count[t], &crew->busy[t], error);
    }
    return code;
}

void duet_crew_free(duet_crew *crew)
{
    duet_free(crew->kind);
    duet_workers_free(&crew->workers);
    duet_waits_free(&crew->waits);
    duet_tournament_free(&crew->busy[0]);
    duet_tournament_free(&crew->busy[1]);
}

static void set_busy(duet_crew *crew, size_t worker, bool busy)
{
    size_t type = duet_workers_type(&crew->workers, worker);
    duet_tournament_set(&crew->busy[type], worker - crew->worker_at[type], busy);
}

duet_code duet_crew_start(duet_crew *crew, size_t type, int64_t task, duet_error *error)
{
    size_t worker = crew->worker_at[type] + duet_tournament_first(&crew->busy[type], 0);
    set_busy(crew, worker, true);
    duet_waits_expect(&crew->waits, task);
    return duet_workers_start(&crew->workers, worker, (size_t)crew->kind[task], task, error);
}

duet_code duet_crew_abort(duet_crew *crew, size_t worker, duet_error *error)
{
    set_busy(crew, worker, false);
    return duet_workers_abort(&crew->workers, worker, error);
}

// Those that wait no longer join.
static duet_code release(duet_crew *crew, int64_t done, const duet_crew_rule *functions, void *rule,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t at = crew->waits.graph->leave_at[done];
    for (int64_t task; (task = duet_waits_next(&crew->waits, done, &at)) >= 0;) {
        code = code == DUET_OK ? functions->join(rule, task, error) : code;
    }
    return code;
}

static duet_code begin(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                       duet_error *error)
{
    duet_code code = DUET_OK;
    for (int64_t j = 0; j < crew->waits.graph->tasks && code == DUET_OK; j++) {
        if (crew->waits.left[j] == 0) {
            code = functions->join(rule, j, error);
        }
    }
    return code == DUET_OK ? functions->act(rule, error) : code;
}

duet_code duet_crew_run(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                        duet_error *error)
{
    duet_code code = begin(crew, functions, rule, error);
    while (code == DUET_OK) {
        size_t worker = duet_workers_complete(&crew->workers, INT64_MAX);
        if (worker == SIZE_MAX) {
            return DUET_OK;
        }
        while (worker != SIZE_MAX && code == DUET_OK) {
            set_busy(crew, worker, false);
            if (functions->complete != NULL) {
                functions->complete(rule, worker);
            }
            code = release(crew, crew->workers.worker[worker].task, functions, rule, error);
            worker = duet_workers_complete(&crew->workers, crew->workers.now);
        }
        code = code == DUET_OK ? functions->act(rule, error) : code;
    }
    return code;
}
