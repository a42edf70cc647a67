// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/starpu/flows.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct walk {
    const duet_starpu_records *records;
    duet_starpu_flows *flows;
    size_t *writer; // per handle: the task that wrote it last
    duet_error *error;
} walk;

static duet_code read_from(walk *w, size_t task, size_t from, int64_t bytes)
{
    duet_starpu_flows *flows = w->flows;
    flows->first_reads = flows->first_reads || from == DUET_STARPU_NONE;
    for (size_t i = flows->first[task]; i < flows->count; i++) {
        if (flows->flow[i].from == from) {
            flows->flow[i].bytes = duet_min(flows->flow[i].bytes + bytes, DUET_MAX_WORK);
            return DUET_OK;
        }
    }
    const duet_starpu_flow flow = {from, bytes, false};
    return duet_vec_push(flows->flow, flows->count, w->error, flow);
}

static duet_code pass_task(walk *w, size_t task)
{
    const duet_starpu_records *records = w->records;
    const duet_starpu_access *access = records->accesses + records->tasks[task].first_access;
    size_t count = records->tasks[task].accesses;
    duet_starpu_flows *flows = w->flows;
    flows->first[task] = flows->count;
    flows->tile[task] = (duet_starpu_tile){-1, DUET_STARPU_NONE};
    for (size_t i = 0; i < count; i++) {
        size_t from = w->writer[access[i].handle];
        if (access[i].reads && access[i].writes && flows->tile[task].parameter < 0) {
            flows->tile[task] = (duet_starpu_tile){(int)i, from};
        }
        if (access[i].reads && access[i].bytes > 0 && from != task) {
            DUET_TRY(read_from(w, task, from, access[i].bytes));
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (access[i].writes) {
            w->writer[access[i].handle] = task;
        }
    }
    flows->end[task] = flows->count;
    return DUET_OK;
}

static duet_code pass_tasks(walk *w, const duet_starpu_task **sorted)
{
    size_t tasks = w->records->task_count;
    for (size_t i = 0; i < tasks; i++) {
        sorted[i] = &w->records->tasks[i];
    }
    qsort(sorted, tasks, sizeof *sorted, duet_starpu_by_order);
    for (size_t i = 0; i < w->records->handle_names.count; i++) {
        w->writer[i] = DUET_STARPU_NONE;
    }
    for (size_t i = 0; i < tasks; i++) {
        DUET_TRY(pass_task(w, (size_t)(sorted[i] - w->records->tasks)));
    }
    return DUET_OK;
}

duet_code duet_starpu_find_flows(const duet_starpu_records *records, duet_starpu_flows *flows,
                                 duet_error *error)
{
    size_t tasks = records->task_count;
    walk w = {.records = records, .flows = flows, .error = error};
    const duet_starpu_task **sorted = duet_alloc(tasks, sizeof *sorted, error);
    w.writer = duet_alloc(records->handle_names.count, sizeof *w.writer, error);
    flows->first = duet_alloc(tasks, sizeof *flows->first, error);
    flows->end = duet_alloc(tasks, sizeof *flows->end, error);
    flows->tile = duet_alloc(tasks, sizeof *flows->tile, error);
    bool room = sorted != NULL && w.writer != NULL && flows->first != NULL && flows->end != NULL &&
                flows->tile != NULL;
    duet_code code = room ? pass_tasks(&w, sorted) : DUET_E_MEMORY;
    duet_free(w.writer);
    duet_free(sorted);
    return code;
}

void duet_starpu_free_flows(duet_starpu_flows *flows)
{
    duet_free(flows->flow);
    duet_free(flows->first);
    duet_free(flows->end);
    duet_free(flows->tile);
}
