// SPDX-License-Identifier: Apache-2.0
// Mixing inequalities of task graphs: longest paths between all pairs of tasks, and what the items
// of a row add by them.
// Reference: Guenluek, Pochet, "Mixing mixed-integer inequalities", Mathematical Programming 90,
//            2001.
#include "lp/graph/mixing.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

struct duet_mixing {
    const duet_network *net;
    duet_interval_guess guess; // its arrays are borrowed
    int32_t *place;            // of each task in the topological order
    int64_t *shortest;         // of each task, on the types that are left to it
    int64_t *between; // tasks x tasks: from the end of one to the start of another; -1: no path
};

duet_code duet_mixing_create(const duet_network *network, const duet_context *context,
                             duet_mixing **out, duet_error *error)
{
    *out = NULL;
    size_t tasks = (size_t)network->tasks;
    duet_code code = duet_memory_check((uint64_t)tasks * tasks, sizeof(int64_t),
                                       context->memory_limit, "paths between all tasks", error);
    if (code != DUET_OK) {
        return code;
    }
    duet_mixing *mixing = duet_alloc(1, sizeof *mixing, error);
    if (mixing == NULL) {
        return DUET_E_MEMORY;
    }
    mixing->net = network;
    mixing->place = duet_alloc_raw(tasks, sizeof *mixing->place, error);
    mixing->shortest = duet_alloc_raw(tasks, sizeof *mixing->shortest, error);
    mixing->between = duet_alloc_raw(tasks * tasks, sizeof *mixing->between, error);
    if (mixing->place == NULL || mixing->shortest == NULL || mixing->between == NULL) {
        duet_mixing_free(mixing);
        return DUET_E_MEMORY;
    }
    for (int32_t i = 0; i < network->tasks; i++) {
        mixing->place[network->order[i]] = i;
    }
    *out = mixing;
    return DUET_OK;
}

void duet_mixing_free(duet_mixing *mixing)
{
    if (mixing != NULL) {
        duet_free(mixing->place);
        duet_free(mixing->shortest);
        duet_free(mixing->between);
        duet_free(mixing);
    }
}

// --- longest paths -------------------------------------------------------------------------------

// The least time of a task on the types that are left to it and on which it takes at least so long;
// negative: there is none.
static int64_t least_time(const duet_mixing *mixing, int64_t task, int64_t least)
{
    const duet_network *net = mixing->net;
    int64_t found = -1;
    for (size_t t = 0; t < net->instance->types; t++) {
        if (duet_interval_may_run(net, &mixing->guess, task, t)) {
            int64_t time = duet_time(net->instance, (size_t)net->kind[task], t);
            found = time >= least && (found < 0 || time < found) ? time : found;
        }
    }
    return found;
}

// Paths are cut where they are longer than the guess, so that sums stay small.
static int64_t add(const duet_mixing *mixing, int64_t a, int64_t b)
{
    int64_t most = mixing->guess.guess + 1;
    return a < most - b ? a + b : most;
}

// About the operations it takes.
static int64_t measure_from(duet_mixing *mixing, int32_t from)
{
    const duet_network *net = mixing->net;
    const duet_graph *graph = net->graph;
    int64_t *row = mixing->between + (size_t)from * (size_t)net->tasks;
    memset(row, -1, (size_t)net->tasks * sizeof *row);
    row[from] = 0;
    int64_t work = net->tasks / 8;
    for (int64_t i = mixing->place[from]; i < net->tasks; i++) {
        int32_t task = net->order[i];
        if (row[task] < 0) {
            continue;
        }
        work += graph->leave_at[task + 1] - graph->leave_at[task];
        int64_t end = task == from ? 0 : add(mixing, row[task], mixing->shortest[task]);
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int64_t *next = &row[graph->head[graph->leaving[at]]];
            *next = duet_max(end, *next);
        }
    }
    row[from] = -1;
    return work;
}

int64_t duet_mixing_update(duet_mixing *mixing, const duet_interval_guess *guess)
{
    mixing->guess = *guess;
    for (int32_t j = 0; j < mixing->net->tasks; j++) {
        int64_t least = least_time(mixing, j, 0);
        mixing->shortest[j] = duet_max(least, 0);
    }
    int64_t work = 0;
    for (int32_t j = 0; j < mixing->net->tasks; j++) {
        work += measure_from(mixing, j);
    }
    return work;
}

int64_t duet_mixing_between(const duet_mixing *mixing, int32_t from, int32_t to)
{
    DUET_ASSERT(from != DUET_MIXING_OUTSIDE || to != DUET_MIXING_OUTSIDE);
    if (from == DUET_MIXING_OUTSIDE) {
        return mixing->guess.window[to].start;
    }
    if (to == DUET_MIXING_OUTSIDE) {
        return mixing->guess.window[from].tail;
    }
    return mixing->between[(size_t)from * (size_t)mixing->net->tasks + (size_t)to];
}

// --- rows ----------------------------------------------------------------------------------------

int64_t duet_mixing_sum(const duet_mixing *mixing, int64_t before, int64_t time, int64_t behind)
{
    return add(mixing, add(mixing, before, time), behind);
}

static bool comes_before(const duet_mixing_item *a, const duet_mixing_item *b)
{
    return a->more != b->more ? a->more < b->more : a->task < b->task;
}

// By the lengths of their paths, which are in `more`.
static void sort(duet_mixing_row *row)
{
    for (int32_t i = 1; i < row->items; i++) {
        duet_mixing_item item = row->item[i];
        int32_t at = i;
        for (; at > 0 && comes_before(&item, &row->item[at - 1]); at--) {
            row->item[at] = row->item[at - 1];
        }
        row->item[at] = item;
    }
}

// The length of the longest path through an item; 0 where its task takes less; negative: there is
// no path.
static int64_t length_of(const duet_mixing *mixing, const duet_mixing_row *row,
                         const duet_mixing_item *item)
{
    const duet_network *net = mixing->net;
    int64_t before = duet_mixing_between(mixing, row->from, item->task);
    int64_t behind = duet_mixing_between(mixing, item->task, row->to);
    int64_t time = duet_time(net->instance, (size_t)net->kind[item->task], item->type);
    int64_t least = least_time(mixing, item->task, time);
    if (before < 0 || behind < 0) {
        return -1;
    }
    return least < 0 ? 0 : duet_mixing_sum(mixing, before, least, behind);
}

bool duet_mixing_measure(const duet_mixing *mixing, duet_mixing_row *row)
{
    row->length = duet_mixing_between(mixing, row->from, row->to);
    bool between = row->length >= 0;
    for (int32_t i = 0; i < row->items && between; i++) {
        row->item[i].more = length_of(mixing, row, &row->item[i]);
        between = row->item[i].more >= 0;
    }
    if (!between) {
        return false;
    }
    sort(row);
    int64_t reached = row->length;
    for (int32_t i = 0; i < row->items; i++) {
        int64_t through = row->item[i].more;
        row->item[i].more = through > reached ? through - reached : 0;
        reached = duet_max(through, reached);
    }
    return true;
}
