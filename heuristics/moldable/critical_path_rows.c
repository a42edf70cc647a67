// SPDX-License-Identifier: Apache-2.0
// What a critical path is made of: memory, and the edges of the graph as rows of places.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/critical_path.h"

static duet_code allocate(duet_critical_path *path, size_t tasks, size_t edges, duet_error *error)
{
    size_t blocks = duet_path_block((int32_t)tasks) + 1;
    path->id = duet_alloc_raw(tasks, sizeof *path->id, error);
    path->first = duet_alloc(tasks + 1, sizeof *path->first, error);
    path->successor = duet_alloc_raw(edges, sizeof *path->successor, error);
    path->enter_first = duet_alloc(tasks + 1, sizeof *path->enter_first, error);
    path->predecessor = duet_alloc_raw(edges, sizeof *path->predecessor, error);
    path->lowest = duet_alloc_raw(tasks, sizeof *path->lowest, error);
    path->time = duet_alloc_raw(tasks, sizeof *path->time, error);
    path->entry = duet_alloc_raw(tasks, sizeof *path->entry, error);
    path->level = duet_alloc_raw(tasks, sizeof *path->level, error);
    path->live = duet_alloc(tasks, sizeof *path->live, error);
    path->fall = duet_alloc(tasks, sizeof *path->fall, error);
    path->block_fall = duet_alloc(blocks, sizeof *path->block_fall, error);
    path->due = duet_alloc(tasks, sizeof *path->due, error);
    path->block_due = duet_alloc(blocks, sizeof *path->block_due, error);
    path->best = duet_alloc_raw(tasks, sizeof *path->best, error);
    path->known = duet_alloc(tasks, sizeof *path->known, error);
    path->stack = duet_alloc_raw(tasks, sizeof *path->stack, error);
    path->raised = duet_alloc_raw(tasks, sizeof *path->raised, error);
    path->is_raised = duet_alloc(tasks, sizeof *path->is_raised, error);
    path->above = duet_alloc_raw(tasks, sizeof *path->above, error);
    path->on_path = duet_alloc(tasks, sizeof *path->on_path, error);
    bool rows = path->id != NULL && path->first != NULL && path->successor != NULL &&
                path->enter_first != NULL && path->predecessor != NULL && path->lowest != NULL;
    bool bounds = path->time != NULL && path->entry != NULL && path->level != NULL &&
                  path->live != NULL && path->fall != NULL && path->block_fall != NULL &&
                  path->due != NULL && path->block_due != NULL;
    bool rest = path->best != NULL && path->known != NULL && path->stack != NULL &&
                path->raised != NULL && path->is_raised != NULL && path->above != NULL &&
                path->on_path != NULL;
    return rows && bounds && rest ? DUET_OK : DUET_E_MEMORY;
}

// The rows of successors, by places. `place` has that of each task. Tasks are put into the rows in
// order of their ids, so that of a row's highest the first is that of the least id.
static void make_rows(duet_critical_path *path, const duet_graph *graph, const int32_t *place)
{
    size_t count = 0;
    for (int32_t at = 0; at < path->tasks; at++) {
        int32_t task = path->id[at];
        path->first[at] = count;
        count += (size_t)(graph->leave_at[task + 1] - graph->leave_at[task]);
        if (graph->enter_at[task] == graph->enter_at[task + 1]) {
            path->entry[path->entries++].place = at;
        }
    }
    for (int32_t task = 0; task < path->tasks; task++) {
        for (int64_t e = graph->enter_at[task]; e < graph->enter_at[task + 1]; e++) {
            int32_t from = place[graph->tail[graph->entering[e]]];
            path->successor[path->first[from]++] = place[task];
        }
    }
    // Each row's begin has become its end.
    for (int32_t at = path->tasks; at > 0; at--) {
        path->first[at] = path->first[at - 1];
    }
    path->first[0] = 0;
}

static void make_predecessors(duet_critical_path *path)
{
    for (size_t e = 0; e < path->first[path->tasks]; e++) {
        path->enter_first[path->successor[e] + 1]++;
    }
    for (int32_t at = 0; at < path->tasks; at++) {
        path->enter_first[at + 1] += path->enter_first[at];
    }
    for (int32_t at = path->tasks - 1; at >= 0; at--) { // from the end of each row
        for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
            path->predecessor[--path->enter_first[path->successor[e] + 1]] = at;
        }
    }
    for (int32_t at = 0; at < path->tasks; at++) { // the begin of each stands one too far
        path->enter_first[at] = path->enter_first[at + 1];
    }
    path->enter_first[path->tasks] = path->first[path->tasks];
}

static void find_lowest(duet_critical_path *path)
{
    int32_t next = 0; // of all places before, those from here on may have what they pass over
    for (int32_t at = 0; at < path->tasks; at++) {
        path->lowest[at] = at;
    }
    for (int32_t at = 0; at < path->tasks; at++) {
        int32_t last = at;
        for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
            int32_t to = path->successor[e];
            last = duet_path_is_short(at, to) && to - 1 > last ? to - 1 : last;
        }
        for (next = duet_max(next, at + 1); next <= last; next++) {
            path->lowest[next] = at;
        }
    }
}

static duet_code place_tasks(duet_critical_path *path, const duet_graph *graph, duet_error *error)
{
    if (graph == NULL) {
        for (int32_t at = 0; at < path->tasks; at++) {
            path->id[at] = at;
            path->lowest[at] = at;
            path->entry[path->entries++].place = at;
        }
        return DUET_OK;
    }
    int32_t *place = duet_alloc_raw((size_t)path->tasks, sizeof *place, error);
    if (place == NULL) {
        return DUET_E_MEMORY;
    }
    bool sorted = duet_graph_sort(graph, DUET_TOPOLOGICAL_SMALLEST, path->id, error) >= 0;
    for (int32_t at = 0; at < path->tasks && sorted; at++) {
        place[path->id[at]] = at;
    }
    if (sorted) {
        make_rows(path, graph, place);
        make_predecessors(path);
        find_lowest(path);
    }
    duet_free(place);
    return sorted ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_critical_path_create(const duet_graph *graph, int64_t tasks, const int64_t *time,
                                    duet_critical_path *path, duet_error *error)
{
    *path = (duet_critical_path){.tasks = (int32_t)tasks, .head = -1};
    if (tasks > DUET_MAX_GRAPH - 1) {
        return duet_error_set(error, DUET_E_LIMIT, "%lld tasks: expected at most %lld",
                              (long long)tasks, (long long)DUET_MAX_GRAPH - 1);
    }
    size_t edges = graph == NULL ? 0 : (size_t)graph->edges;
    DUET_TRY(allocate(path, (size_t)tasks, edges, error));
    DUET_TRY(place_tasks(path, graph, error));
    for (int32_t at = 0; at < path->tasks; at++) {
        path->time[at] = time[path->id[at]];
    }
    return DUET_OK;
}

void duet_critical_path_free(duet_critical_path *path)
{
    duet_free(path->id);
    duet_free(path->first);
    duet_free(path->successor);
    duet_free(path->enter_first);
    duet_free(path->predecessor);
    duet_free(path->lowest);
    duet_free(path->time);
    duet_free(path->entry);
    duet_free(path->level);
    duet_free(path->live);
    duet_free(path->fall);
    duet_free(path->block_fall);
    duet_free(path->due);
    duet_free(path->block_due);
    duet_free(path->best);
    duet_free(path->known);
    duet_free(path->stack);
    duet_free(path->raised);
    duet_free(path->is_raised);
    duet_free(path->above);
    duet_free(path->on_path);
}
