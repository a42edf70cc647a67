// SPDX-License-Identifier: Apache-2.0
// What a critical path is made of: memory, and the edges of the graph as rows of places.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/critical_path.h"

static duet_code allocate(duet_critical_path *path, size_t tasks, size_t edges, duet_error *error)
{
    size_t blocks = duet_path_block((int32_t)tasks) + 1;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(path->id, tasks),          DUET_ARENA_ARRAY(path->first, tasks + 1),
        DUET_ARENA_ARRAY(path->successor, edges),   DUET_ARENA_ARRAY(path->enter_first, tasks + 1),
        DUET_ARENA_ARRAY(path->predecessor, edges), DUET_ARENA_ARRAY(path->lowest, tasks),
        DUET_ARENA_ARRAY(path->time, tasks),        DUET_ARENA_ARRAY(path->entry, tasks),
        DUET_ARENA_ARRAY(path->level, tasks),       DUET_ARENA_ARRAY(path->live, tasks),
        DUET_ARENA_ARRAY(path->fall, tasks),        DUET_ARENA_ARRAY(path->block_fall, blocks),
        DUET_ARENA_ARRAY(path->due, tasks),         DUET_ARENA_ARRAY(path->block_due, blocks),
        DUET_ARENA_ARRAY(path->best, tasks),        DUET_ARENA_ARRAY(path->known, tasks),
        DUET_ARENA_ARRAY(path->stack, tasks),       DUET_ARENA_ARRAY(path->raised, tasks),
        DUET_ARENA_ARRAY(path->is_raised, tasks),   DUET_ARENA_ARRAY(path->above, tasks),
        DUET_ARENA_ARRAY(path->on_path, tasks)};
    return duet_arena_create(&path->arena, arrays, sizeof arrays / sizeof *arrays, error);
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
    DUET_NEED(place);
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
    duet_arena_free(&path->arena);
}
