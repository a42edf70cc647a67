// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/critical_path.h"

#include <duet/instance.h>

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
    path->sum = duet_alloc(tasks + 1, sizeof *path->sum, error);
    path->leaves = 1;
    while (path->leaves < tasks) {
        path->leaves *= 2;
    }
    path->least = duet_alloc(2 * path->leaves, sizeof *path->least, error);
    path->added = duet_alloc(2 * path->leaves, sizeof *path->added, error);
    path->on_path = duet_alloc(tasks, sizeof *path->on_path, error);
    bool all = path->id != NULL && path->first != NULL && path->successor != NULL &&
               path->time != NULL && path->entry != NULL && path->level != NULL &&
               path->best != NULL && path->known != NULL && path->stack != NULL &&
               path->sum != NULL && path->least != NULL && path->added != NULL &&
               path->on_path != NULL;
    return all ? DUET_OK : DUET_E_MEMORY;
}

// The rows of successors, by places. `place` has that of each task.
static void make_rows(duet_critical_path *path, const duet_graph *graph, const int32_t *place)
{
    size_t count = 0;
    for (int32_t at = 0; at < path->tasks; at++) {
        int32_t task = path->id[at];
        path->first[at] = count;
        for (int64_t e = graph->leave_at[task]; e < graph->leave_at[task + 1]; e++) {
            path->successor[count++] = place[graph->head[graph->leaving[e]]];
        }
        if (graph->enter_at[task] == graph->enter_at[task + 1]) {
            path->entry[path->entries++] = at;
        }
    }
    path->first[path->tasks] = count;
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
    duet_free(path->sum);
    duet_free(path->least);
    duet_free(path->added);
    duet_free(path->on_path);
}

// The slack of a place where nothing can go on otherwise. What is added to slacks is above -2^62 in
// sum: the path gets no shorter than one tick.
#define NO_OTHER DUET_MAX_WORK

// --- sums of times along the path ----------------------------------------------------------------

static void add_time(duet_critical_path *path, int32_t place, int64_t time)
{
    for (size_t i = (size_t)place + 1; i <= (size_t)path->tasks; i += i & (~i + 1)) {
        path->sum[i] += time;
    }
}

// The times on the path before a place.
static int64_t sum_before(const duet_critical_path *path, int32_t place)
{
    int64_t sum = 0;
    for (size_t i = (size_t)place; i > 0; i &= i - 1) {
        sum += path->sum[i];
    }
    return sum;
}

static int64_t level_of(const duet_critical_path *path, int32_t place)
{
    return path->on_path[place] ? path->length - sum_before(path, place) : path->level[place];
}

// --- slacks --------------------------------------------------------------------------------------

static void refresh_above(duet_critical_path *path, size_t node)
{
    for (node /= 2; node > 0; node /= 2) {
        int64_t left = path->least[2 * node];
        int64_t right = path->least[2 * node + 1];
        path->least[node] = (left < right ? left : right) + path->added[node];
    }
}

// Adds to the slacks of all places before one.
static void add_slack(duet_critical_path *path, int32_t place, int64_t slack)
{
    size_t leaf = path->leaves + (size_t)place;
    for (size_t node = leaf; node > 1; node /= 2) {
        if (node % 2 == 1) { // all that is below the node to its left
            path->least[node - 1] += slack;
            path->added[node - 1] += slack;
        }
    }
    refresh_above(path, leaf);
}

static void set_slack(duet_critical_path *path, int32_t place, int64_t slack)
{
    size_t leaf = path->leaves + (size_t)place;
    path->added[leaf] = 0;
    path->least[leaf] = slack;
    for (size_t node = leaf / 2; node > 0; node /= 2) {
        path->least[leaf] -= path->added[node];
    }
    refresh_above(path, leaf);
}

// The last place whose slack is negative; there is one.
static int32_t last_negative(const duet_critical_path *path)
{
    size_t node = 1;
    int64_t above = 0;
    while (node < path->leaves) {
        above += path->added[node];
        node *= 2;
        node += path->least[node + 1] + above < 0;
    }
    return (int32_t)(node - path->leaves);
}

// --- levels --------------------------------------------------------------------------------------

// The successor that the path would go through by the levels as they are, but for one; -1: none.
static int32_t highest_successor(const duet_critical_path *path, int32_t at, int32_t without)
{
    int32_t best = -1;
    int64_t highest = 0;
    for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
        int32_t next = path->successor[e];
        int64_t level = next == without ? -1 : level_of(path, next);
        if (level > highest || (level == highest && best >= 0 && path->id[next] < path->id[best])) {
            highest = level;
            best = next;
        }
    }
    return best;
}

static bool is_known(const duet_critical_path *path, int32_t at)
{
    return path->on_path[at] || path->known[at] == path->step;
}

static void set_level(duet_critical_path *path, int32_t at, int32_t best)
{
    path->best[at] = best;
    path->level[at] = path->time[at] + (best < 0 ? 0 : level_of(path, best));
    path->known[at] = path->step;
}

// Makes the level of a place off the path exact. The successors of a place are looked at until the
// highest of them is exact: the others cannot be higher.
static void find_level(duet_critical_path *path, int32_t at)
{
    size_t depth = 0;
    path->stack[depth++] = at;
    while (depth > 0) {
        int32_t top = path->stack[depth - 1];
        int32_t best = highest_successor(path, top, -1);
        if (best < 0 || is_known(path, best)) {
            set_level(path, top, best);
            depth--;
        } else {
            path->stack[depth++] = best;
        }
    }
}

// --- the path ------------------------------------------------------------------------------------

static void tell(const duet_critical_path *path, int32_t place, bool joins)
{
    if (path->changed != NULL) {
        path->changed(path->user, place, joins);
    }
}

// Takes places off the path, from one to before another (-1: to the end). Their levels are exact.
static void leave(duet_critical_path *path, int32_t from, int32_t before)
{
    int64_t level = from < 0 ? 0 : level_of(path, from);
    for (; from != before; from = path->best[from]) {
        path->on_path[from] = false;
        path->level[from] = level;
        path->known[from] = path->step;
        level -= path->time[from];
        add_time(path, from, -path->time[from]);
        set_slack(path, from, NO_OTHER);
        tell(path, from, false);
    }
}

// The slack of a place on the path, by the levels as they are. *other: the successor that it is
// about; -1: there is no other than that on the path.
static int64_t find_slack(const duet_critical_path *path, int32_t at, int32_t *other)
{
    int32_t next = path->best[at];
    *other = next < 0 ? -1 : highest_successor(path, at, next);
    if (*other < 0) {
        return NO_OTHER;
    }
    bool wins_ties = path->id[next] < path->id[*other];
    return level_of(path, next) - level_of(path, *other) - !wins_ties;
}

// The path goes from now on through `from`, whose level and those along `best` are exact, where it
// went through `old` (-1: nowhere).
static void reroute(duet_critical_path *path, int32_t from, int32_t old)
{
    int32_t meets = from;
    int64_t gained = level_of(path, from) - (old < 0 ? 0 : level_of(path, old));
    while (meets >= 0 && !path->on_path[meets]) {
        meets = path->best[meets];
    }
    leave(path, old, meets);
    for (int32_t at = from; at != meets; at = path->best[at]) {
        path->on_path[at] = true;
        add_time(path, at, path->time[at]);
        tell(path, at, true);
    }
    path->length += gained;
    for (int32_t at = from; at != meets; at = path->best[at]) {
        int32_t unused;
        set_slack(path, at, find_slack(path, at, &unused));
    }
}

// A slack is negative by old levels: makes them exact, and reroutes the path where it still is.
static void settle(duet_critical_path *path, int32_t at)
{
    int32_t other;
    int64_t slack = find_slack(path, at, &other);
    while (slack < 0 && !is_known(path, other)) {
        find_level(path, other);
        slack = find_slack(path, at, &other);
    }
    if (slack < 0) {
        int32_t old = path->best[at];
        int64_t before = path->length;
        // A successor that is on the path further down may be the other one.
        reroute(path, other, old);
        path->best[at] = other;
        add_slack(path, at, path->length - before);
        slack = find_slack(path, at, &other);
    }
    set_slack(path, at, slack);
}

// Whether the first of the other entries goes before the head of the path.
static bool is_headed_off(const duet_critical_path *path)
{
    if (path->entries == 0) {
        return false;
    }
    int32_t top = path->entry[0];
    return path->head < 0 || path->level[top] > path->length ||
           (path->level[top] == path->length && path->id[top] < path->id[path->head]);
}

// The entry of the highest level begins the path.
static void choose_entry(duet_critical_path *path)
{
    while (is_headed_off(path)) {
        int32_t top = path->entry[0];
        if (!is_known(path, top)) {
            find_level(path, top);
            entries_sift_down(path, path->entry, path->entries, 0);
            continue;
        }
        int32_t old = path->head;
        entries_pop(path, path->entry, &path->entries);
        reroute(path, top, old);
        path->head = top;
        if (old >= 0) {
            entries_push(path, path->entry, &path->entries, old);
        }
    }
}

void duet_critical_path_find(duet_critical_path *path)
{
    path->step++;
    if (path->head >= 0) {
        int32_t old = path->head;
        leave(path, old, -1);
        path->entry[path->entries++] = old;
    }
    path->head = -1;
    path->length = 0;
    for (size_t node = 0; node < 2 * path->leaves; node++) {
        path->least[node] = NO_OTHER;
        path->added[node] = 0;
    }
    for (int32_t at = path->tasks - 1; at >= 0; at--) {
        set_level(path, at, highest_successor(path, at, -1));
    }
    entries_heapify(path, path->entry, path->entries);
    choose_entry(path);
}

void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time)
{
    DUET_ASSERT(path->on_path[place]);
    int64_t less = path->time[place] - time;
    path->step++;
    path->time[place] = time;
    add_time(path, place, -less);
    path->length -= less;
    if (less < 0) {
        duet_critical_path_find(path);
        return;
    }
    add_slack(path, place, -less);
    while (path->least[1] < 0) {
        settle(path, last_negative(path));
    }
    choose_entry(path);
}
