// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/insertion.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_insertion_create(int64_t processors, int64_t tasks, duet_insertion *insertion,
                                duet_error *error)
{
    *insertion = (duet_insertion){.leaves = 1};
    insertion->count = (size_t)duet_min(processors, tasks);
    while (insertion->leaves < insertion->count) {
        insertion->leaves *= 2;
    }
    insertion->timeline = duet_alloc(insertion->count, sizeof *insertion->timeline, error);
    insertion->tree = duet_alloc_raw(2 * insertion->leaves, sizeof *insertion->tree, error);
    DUET_NEED(insertion->timeline != NULL && insertion->tree != NULL);
    for (size_t i = 0; i < 2 * insertion->leaves; i++) {
        insertion->tree[i] = (duet_idle_span){INT64_MAX, -1};
    }
    for (size_t p = 0; p < insertion->count; p++) {
        for (size_t at = insertion->leaves + p; at > 0; at /= 2) {
            insertion->tree[at].free_from = 0;
        }
    }
    return DUET_OK;
}

void duet_insertion_free(duet_insertion *insertion)
{
    for (size_t p = 0; p < insertion->count && insertion->timeline != NULL; p++) {
        duet_timeline_free(&insertion->timeline[p]);
    }
    duet_free(insertion->timeline);
    duet_free(insertion->tree);
    *insertion = (duet_insertion){.count = 0};
}

// No processor below a node can start the task earlier than this.
static int64_t start_below(const duet_idle_span *span, int64_t from, int64_t time)
{
    bool gap = span->last_gap - from >= time; // otherwise none is long enough
    return gap || span->free_from < from ? from : span->free_from;
}

duet_slot duet_insertion_earliest(const duet_insertion *insertion, int64_t from, int64_t time)
{
    DUET_ASSERT(insertion->count > 0);
    // The first processor that is free for good bounds the start, so that only what is as early is
    // looked at, lower processors first.
    int64_t free_from = insertion->tree[1].free_from;
    duet_slot best = {duet_max(free_from, from) + 1, -1};
    size_t stack[72]; // at most one node of each level waits, and there are at most 64
    size_t waiting = 0;
    size_t at = 1;
    for (;;) {
        bool enters = start_below(&insertion->tree[at], from, time) < best.start;
        if (enters && at < insertion->leaves) {
            stack[waiting++] = 2 * at + 1;
            at = 2 * at;
            continue;
        }
        if (enters) {
            size_t p = at - insertion->leaves;
            int64_t start = duet_timeline_earliest(&insertion->timeline[p], from, time);
            best = start < best.start ? (duet_slot){start, (int32_t)p} : best;
        }
        if (waiting == 0) {
            break;
        }
        at = stack[--waiting];
    }
    DUET_ASSERT(best.processor >= 0);
    return best;
}

// Brings the nodes above a processor up to date.
static void update(duet_insertion *insertion, int32_t processor)
{
    const duet_timeline *timeline = &insertion->timeline[processor];
    size_t at = insertion->leaves + (size_t)processor;
    insertion->tree[at] = (duet_idle_span){
        timeline->free_from, timeline->gaps > 0 ? timeline->gap[timeline->gaps - 1].end : -1};
    for (at /= 2; at > 0; at /= 2) {
        const duet_idle_span *left = &insertion->tree[2 * at];
        const duet_idle_span *right = left + 1;
        insertion->tree[at] = (duet_idle_span){duet_min(left->free_from, right->free_from),
                                               duet_max(left->last_gap, right->last_gap)};
    }
}

duet_code duet_insertion_add(duet_insertion *insertion, duet_slot slot, int64_t time,
                             duet_error *error)
{
    duet_code code =
        duet_timeline_insert(&insertion->timeline[slot.processor], slot.start, time, error);
    if ((size_t)slot.processor >= insertion->used) {
        insertion->used = (size_t)slot.processor + 1;
    }
    update(insertion, slot.processor);
    return code;
}

duet_insertion_change duet_insertion_foresee(const duet_insertion *insertion, duet_slot slot)
{
    return (duet_insertion_change){
        slot.processor, insertion->used,
        duet_timeline_foresee(&insertion->timeline[slot.processor], slot.start)};
}

void duet_insertion_undo(duet_insertion *insertion, const duet_insertion_change *change)
{
    duet_timeline_undo(&insertion->timeline[change->processor], &change->timeline);
    insertion->used = change->used;
    update(insertion, change->processor);
}
