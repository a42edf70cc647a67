// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/critical_path.h"

#include <string.h>

#include "core/heap.h"
#include "core/number/minmax.h"

static int64_t fall_of(const duet_critical_path *path, int32_t at)
{
    return path->fall[at] + path->block_fall[duet_path_block(at)];
}

static int64_t bound_of(const duet_critical_path *path, int32_t at)
{
    return path->level[at] - (path->live[at] ? fall_of(path, at) : 0);
}

// Whether a path goes through the entry `a` rather than `b`: the higher key, then the lower id.
static bool is_above(const duet_critical_path *path, duet_path_entry a, duet_path_entry b)
{
    return a.key != b.key ? a.key > b.key : path->id[a.place] < path->id[b.place];
}
DUET_HEAP(entries, duet_path_entry, duet_critical_path, is_above)

static bool is_later(const void *unused, int32_t a, int32_t b)
{
    (void)unused;
    return a > b;
}
DUET_HEAP(raised, int32_t, void, is_later)

// --- bounds ------------------------------------------------------------------------------------

// A step lowers the live places up to one; with `less` below 0 it raises them.
static void add_fall(duet_critical_path *path, int32_t last, int64_t less)
{
    size_t own = duet_path_block(last);
    for (size_t b = 0; b < own; b++) {
        path->block_fall[b] += less;
    }
    for (int32_t at = (int32_t)(own << DUET_PATH_BLOCK_BITS); at <= last; at++) {
        path->fall[at] += less;
    }
}

// Whether an edge has the same fall at both ends, but for what gets shorter below it. What other
// edges have to spare only their tail's fall takes away.
static bool is_followed(const duet_critical_path *path, int32_t from, int32_t to)
{
    return path->live[to] && duet_path_is_short(from, to);
}

static void set_due(duet_critical_path *path, int32_t at, int64_t due)
{
    int64_t left = due - path->fall[at];
    int64_t *first = &path->block_due[duet_path_block(at)];
    path->due[at] = due;
    *first = duet_min(left, *first);
}

// How far a live place may fall until the edge to a successor has to be looked at.
static int64_t due_of(const duet_critical_path *path, int32_t at, int32_t next)
{
    int64_t spare = bound_of(path, at) - path->time[at] - bound_of(path, next);
    bool tie = path->on_path[at] && spare > 0; // there even a tie may change the path
    return fall_of(path, at) + spare + (tie ? 0 : 1);
}

static void find_due(duet_critical_path *path, int32_t at)
{
    int64_t due = INT64_MAX;
    for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
        int32_t next = path->successor[e];
        bool taken = path->on_path[at] && next == path->best[at];
        if (!taken && !is_followed(path, at, next)) {
            int64_t here = due_of(path, at, next);
            due = duet_min(here, due);
        }
    }
    path->due[at] = due;
    if (due < INT64_MAX) {
        set_due(path, at, due);
    }
}

// The predecessors of a place that no longer falls with them, or not as far.
static void advance_dues(duet_critical_path *path, int32_t at)
{
    for (size_t e = path->enter_first[at]; e < path->enter_first[at + 1]; e++) {
        int32_t from = path->predecessor[e];
        bool taken = path->on_path[from] && path->best[from] == at;
        if (path->live[from] && !taken && !is_followed(path, from, at)) {
            int64_t due = due_of(path, from, at);
            if (due < path->due[from]) {
                set_due(path, from, due);
            }
        }
    }
}

static void set_bound(duet_critical_path *path, int32_t at, int64_t bound, bool live)
{
    bool was_live = path->live[at];
    path->live[at] = live;
    path->level[at] = bound + (live ? fall_of(path, at) : 0);
    if (live) {
        find_due(path, at);
    }
    if (was_live && !live) {
        advance_dues(path, at);
    }
}

// The successor that the path would go through by the bounds; -1: none.
static int32_t highest_successor(const duet_critical_path *path, int32_t at)
{
    int32_t best = -1;
    int64_t level = -1;
    for (size_t e = path->first[at]; e < path->first[at + 1]; e++) {
        int32_t next = path->successor[e];
        int64_t here = bound_of(path, next);
        bool above = here > level;
        level = above ? here : level;
        best = above ? next : best;
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
    set_bound(path, at, path->time[at] + (best < 0 ? 0 : bound_of(path, best)),
              best >= 0 && is_followed(path, at, best));
}

// Makes the level of a place beside the path exact where it is at least `enough`; else its bound is
// below that. The successors of a place are looked at until the highest of them is exact: the
// others cannot be higher.
static void find_level(duet_critical_path *path, int32_t at, int64_t enough)
{
    size_t depth = 0;
    path->stack[depth++] = at;
    while (depth > 0) {
        int32_t top = path->stack[depth - 1];
        int32_t best = highest_successor(path, top);
        bool known = best < 0 || is_known(path, best);
        if (known || path->time[top] + bound_of(path, best) < enough) {
            set_level(path, top, best);
            path->known[top] = known ? path->step : path->known[top];
            depth--;
            enough += depth == 0 ? 0 : path->time[path->stack[depth - 1]];
        } else {
            path->stack[depth++] = best;
            enough -= path->time[top];
        }
    }
}

// --- the path ----------------------------------------------------------------------------------

static void tell(const duet_critical_path *path, int32_t place, bool joins)
{
    if (path->changed != NULL) {
        path->changed(path->user, place, joins);
    }
}

// Takes places off the path, from one to before another (-1: to the end, where nothing below makes
// them fall any more).
static void leave(duet_critical_path *path, int32_t from, int32_t before)
{
    while (from != before) {
        path->on_path[from] = false;
        path->known[from] = path->step; // it was exact as part of the path
        set_bound(path, from, bound_of(path, from), before >= 0);
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
        set_bound(path, at, bound_of(path, at), true);
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
    int64_t length = old < 0 ? 0 : bound_of(path, old);
    duet_path_entry *top = path->entry;
    while (top->key != bound_of(path, top->place) || !is_known(path, top->place)) {
        if (!path->on_path[top->place] && bound_of(path, top->place) >= length) {
            find_level(path, top->place, length);
        }
        top->key = bound_of(path, top->place);
        entries_sift_down(path, path->entry, path->entries, 0);
    }
    if (top->place != old) {
        reroute(path, -1, top->place, old);
    }
    path->length = top->key;
}

static void make_live(duet_critical_path *path)
{
    for (int32_t at = path->tasks - 1; at >= 0; at--) {
        int32_t best = path->best[at];
        path->live[at] = path->on_path[at] || (best >= 0 && is_followed(path, at, best));
    }
    for (int32_t at = path->tasks - 1; at >= 0; at--) {
        if (path->live[at]) {
            find_due(path, at);
        }
    }
}

void duet_critical_path_find(duet_critical_path *path)
{
    size_t blocks = duet_path_block(path->tasks) + 1;
    path->step++;
    if (path->tasks == 0) {
        return;
    }
    if (path->head >= 0) {
        leave(path, path->head, -1);
        path->head = -1;
    }
    memset(path->live, 0, (size_t)path->tasks * sizeof *path->live);
    memset(path->fall, 0, (size_t)path->tasks * sizeof *path->fall);
    memset(path->block_fall, 0, blocks * sizeof *path->block_fall);
    for (size_t b = 0; b < blocks; b++) {
        path->block_due[b] = INT64_MAX;
    }
    for (int32_t at = path->tasks - 1; at >= 0; at--) {
        path->best[at] = highest_successor(path, at);
        path->level[at] = path->time[at] + (path->best[at] < 0 ? 0 : path->level[path->best[at]]);
        path->known[at] = path->step;
    }
    for (size_t i = 0; i < path->entries; i++) {
        path->entry[i].key = path->level[path->entry[i].place];
    }
    entries_heapify(path, path->entry, path->entries);
    choose_entry(path);
    make_live(path);
}

// --- a task gets shorter -----------------------------------------------------------------------

static void raise_later(duet_critical_path *path, int32_t at)
{
    if (!path->is_raised[at]) {
        path->is_raised[at] = true;
        raised_push(NULL, path->raised, &path->raises, at);
    }
}

// Whether an edge is tense or, on the path, may lead it elsewhere.
static bool is_tense(const duet_critical_path *path, int32_t from, int32_t to)
{
    int64_t spare = bound_of(path, from) - path->time[from] - bound_of(path, to);
    return path->on_path[from] ? spare <= 0 && path->best[from] != to : spare < 0;
}

// Places before one that got shorter whose short edges pass over it.
static void look_near(duet_critical_path *path, int32_t place)
{
    for (int32_t at = path->lowest[place]; at < place; at++) {
        for (size_t e = path->first[at]; e < path->first[at + 1] && path->live[at]; e++) {
            int32_t next = path->successor[e];
            if (next > place && is_tense(path, at, next)) {
                raise_later(path, at);
                break;
            }
        }
    }
}

// The live places of a block that are due.
static void look_at_block(duet_critical_path *path, size_t block)
{
    int32_t begin = (int32_t)(block << DUET_PATH_BLOCK_BITS);
    int32_t end = duet_min(begin + (1 << DUET_PATH_BLOCK_BITS), path->tasks);
    path->block_due[block] = INT64_MAX;
    for (int32_t at = begin; at < end; at++) {
        if (!path->live[at] || path->due[at] == INT64_MAX) {
            continue;
        }
        if (path->due[at] <= fall_of(path, at)) {
            raise_later(path, at);
        } else {
            set_due(path, at, path->due[at]);
        }
    }
}

static void look_at_due(duet_critical_path *path, int32_t place)
{
    size_t own = duet_path_block(place);
    for (size_t b = 0; b < own; b++) {
        if (path->block_due[b] <= path->block_fall[b]) {
            look_at_block(path, b);
        }
    }
    look_at_block(path, own);
}

// A place of the path from which it may now go elsewhere.
static void check_path(duet_critical_path *path, int32_t at)
{
    int32_t old = path->best[at];
    int64_t level = bound_of(path, old);
    int32_t best = highest_successor(path, at);
    while (!is_known(path, best)) {
        find_level(path, best, level);
        best = highest_successor(path, at);
    }
    if (best != old) { // what is above falls less than what the path had below
        add_fall(path, at, level - bound_of(path, best));
        path->best[at] = best;
        reroute(path, at, best, old);
    }
    find_due(path, at);
}

// A place beside the path is raised as far as its successors ask.
static void raise_place(duet_critical_path *path, int32_t at)
{
    int32_t best = highest_successor(path, at);
    int64_t wanted = path->time[at] + (best < 0 ? 0 : bound_of(path, best));
    if (wanted <= bound_of(path, at)) {
        find_due(path, at);
        return;
    }
    set_level(path, at, best);
    advance_dues(path, at);
    for (size_t e = path->enter_first[at]; e < path->enter_first[at + 1]; e++) {
        int32_t from = path->predecessor[e];
        if (path->live[from] && is_tense(path, from, at)) {
            raise_later(path, from);
        }
    }
}

void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time)
{
    DUET_ASSERT(path->on_path[place]);
    int64_t less = path->time[place] - time;
    path->time[place] = time;
    if (less < 0) {
        duet_critical_path_find(path);
        return;
    }
    path->step++;
    add_fall(path, place, less);
    look_near(path, place);
    look_at_due(path, place);
    while (path->raises > 0) {
        int32_t at = raised_pop(NULL, path->raised, &path->raises);
        path->is_raised[at] = false;
        if (path->on_path[at]) {
            check_path(path, at);
        } else if (path->live[at]) {
            raise_place(path, at);
        }
    }
    choose_entry(path);
}
