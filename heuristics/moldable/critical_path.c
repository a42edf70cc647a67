// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/critical_path.h"

#include "core/heap.h"
#include "core/memory.h"

// Whether a path goes through `a` rather than `b`: the higher level, then the lower id.
static bool is_above(const duet_critical_path *path, int32_t a, int32_t b)
{
    return path->level[a] != path->level[b] ? path->level[a] > path->level[b]
                                            : path->id[a] < path->id[b];
}
DUET_HEAP(entries, int32_t, duet_critical_path, is_above)

static duet_code allocate(duet_critical_path *path, size_t tasks, size_t edges, duet_error *error)
{
    path->id = duet_alloc_raw(tasks, sizeof *path->id, error);
    path->first = duet_alloc(tasks + 1, sizeof *path->first, error);
    path->successor = duet_alloc_raw(edges, sizeof *path->successor, error);
    path->time = duet_alloc_raw(tasks, sizeof *path->time, error);
    path->entry = duet_alloc_raw(tasks, sizeof *path->entry, error);
    path->level = duet_alloc_raw(tasks, sizeof *path->level, error);
    path->best = duet_alloc_raw(tasks, sizeof *path->best, error);
    path->known = duet_alloc(tasks, sizeof *path->known, error);
    path->stack = duet_alloc_raw(tasks, sizeof *path->stack, error);
    path->above = duet_alloc_raw(tasks, sizeof *path->above, error);
    path->rival = duet_alloc_raw(tasks, sizeof *path->rival, error);
    path->on_path = duet_alloc(tasks, sizeof *path->on_path, error);
    bool all = path->id != NULL && path->first != NULL && path->successor != NULL &&
               path->time != NULL && path->entry != NULL && path->level != NULL &&
               path->best != NULL && path->known != NULL && path->stack != NULL &&
               path->above != NULL && path->rival != NULL && path->on_path != NULL;
    return all ? DUET_OK : DUET_E_MEMORY;
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
            path->entry[path->entries++] = at;
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

static duet_code place_tasks(duet_critical_path *path, const duet_graph *graph, duet_error *error)
{
    if (graph == NULL) {
        for (int32_t at = 0; at < path->tasks; at++) {
            path->id[at] = at;
            path->entry[path->entries++] = at;
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
    duet_code code = allocate(path, (size_t)tasks, edges, error);
    if (code == DUET_OK) {
        code = place_tasks(path, graph, error);
    }
    for (int32_t at = 0; at < path->tasks && code == DUET_OK; at++) {
        path->time[at] = time[path->id[at]];
    }
    return code;
}

void duet_critical_path_free(duet_critical_path *path)
{
    duet_free(path->id);
    duet_free(path->first);
    duet_free(path->successor);
    duet_free(path->time);
    duet_free(path->entry);
    duet_free(path->level);
    duet_free(path->best);
    duet_free(path->known);
    duet_free(path->stack);
    duet_free(path->above);
    duet_free(path->rival);
    duet_free(path->on_path);
}

// The successor that the path would go through by the levels as they are; -1: none. Without
// branches in its loop: which successor is the highest cannot be foretold.
static int32_t highest_successor(const duet_critical_path *path, int32_t at)
{
    int32_t best = -1;
    int64_t level = -1;
    for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
        int32_t next = path->successor[e];
        int64_t here = path->level[next];
        bool above = here > level;
        level = above ? here : level;
        best = above ? next : best;
    }
    return best;
}

// The highest level of the successors that the path does not go through, as they are; -1: none.
static int64_t highest_other(const duet_critical_path *path, int32_t at)
{
    int64_t highest = -1;
    for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
        int32_t next = path->successor[e];
        highest =
            next != path->best[at] && path->level[next] > highest ? path->level[next] : highest;
    }
    return highest;
}

static bool is_known(const duet_critical_path *path, int32_t at)
{
    return path->on_path[at] || path->known[at] == path->step;
}

static void set_level(duet_critical_path *path, int32_t at, int32_t best)
{
    path->best[at] = best;
    path->level[at] = path->time[at] + (best < 0 ? 0 : path->level[best]);
    path->known[at] = path->step;
}

// Makes the level of a place exact. The successors of a place are looked at until the highest of
// them is exact: the others cannot be higher.
static void find_level(duet_critical_path *path, int32_t at)
{
    size_t depth = 0;
    path->stack[depth++] = at;
    while (depth > 0) {
        int32_t top = path->stack[depth - 1];
        int32_t best = highest_successor(path, top);
        if (best < 0 || is_known(path, best)) {
            set_level(path, top, best);
            depth--;
        } else {
            path->stack[depth++] = best;
        }
    }
}

static void tell(const duet_critical_path *path, int32_t place, bool joins)
{
    if (path->changed != NULL) {
        path->changed(path->user, place, joins);
    }
}

// Takes places off the path, from one to before another (-1: to the end).
static void leave(duet_critical_path *path, int32_t from, int32_t before)
{
    while (from != before) {
        path->on_path[from] = false;
        path->known[from] = path->step; // it was exact as part of the path
        tell(path, from, false);
        from = path->best[from];
    }
}

// From here on the path goes below `above` (-1: it begins) through `from`, until it meets itself.
// `old`: where it went before (-1: nowhere).
static void reroute(duet_critical_path *path, int32_t above, int32_t from, int32_t old)
{
    int32_t meets = from;
    while (meets >= 0 && !path->on_path[meets]) {
        meets = path->best[meets];
    }
    leave(path, old, meets);
    for (int32_t at = from;; at = path->best[at]) {
        if (at >= 0) {
            path->above[at] = above;
        }
        if (at == meets) {
            break;
        }
        path->on_path[at] = true;
        path->rival[at] = INT64_MAX; // not known yet
        tell(path, at, true);
        above = at;
    }
    if (path->above[from] < 0) {
        path->head = from;
    }
}

// The entry of the highest level begins the path.
static void choose_entry(duet_critical_path *path)
{
    int32_t old = path->head;
    for (int32_t top = path->entry[0]; !is_known(path, top); top = path->entry[0]) {
        find_level(path, top);
        entries_sift_down(path, path->entry, path->entries, 0);
    }
    if (path->entry[0] != old) {
        reroute(path, -1, path->entry[0], old);
    }
    path->length = path->level[path->head];
}

void duet_critical_path_find(duet_critical_path *path)
{
    path->step++;
    if (path->tasks == 0) {
        return;
    }
    if (path->head >= 0) {
        leave(path, path->head, -1);
        path->head = -1;
    }
    for (int32_t at = path->tasks - 1; at >= 0; at--) {
        set_level(path, at, highest_successor(path, at));
    }
    entries_heapify(path, path->entry, path->entries);
    choose_entry(path);
}

void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time)
{
    DUET_ASSERT(path->on_path[place]);
    bool longer = time > path->time[place];
    path->time[place] = time;
    if (longer) {
        duet_critical_path_find(path);
        return;
    }
    path->step++;
    set_level(path, place, path->best[place]);
    for (int32_t at = path->above[place]; at >= 0; at = path->above[at]) {
        int32_t old = path->best[at];
        if (path->level[old] > path->rival[at]) {
            path->level[at] = path->time[at] + path->level[old];
            continue;
        }
        find_level(path, at);
        if (path->best[at] != old) {
            reroute(path, at, path->best[at], old);
        }
        path->rival[at] = highest_other(path, at);
    }
    entries_sift_down(path, path->entry, path->entries, 0);
    choose_entry(path);
}
