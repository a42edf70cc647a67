// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/shelf_plan.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// What is idle on a processor between shelf 0 or 1 and shelf 2.
typedef struct gap {
    int64_t begin, end;
    int32_t processor;
} gap;

static bool is_longer(const void *unused, gap a, gap b)
{
    (void)unused;
    int64_t length_a = a.end - a.begin;
    int64_t length_b = b.end - b.begin;
    return length_a != length_b ? length_a > length_b : a.processor < b.processor;
}
DUET_HEAP(gaps, gap, void, is_longer)

typedef struct layout {
    // Inputs.
    const duet_shelf_tasks *tasks;
    duet_plan *plan;
    int32_t type;

    // The next processor of each shelf that has no task yet.
    int32_t next[3];
    int32_t *topped; // of each task: how many of its processors that carry others are in use
    gap *gap;        // of each processor
} layout;

// Takes processors of a shelf for a task.
static void take(layout *state, int32_t *set, int32_t count, int shelf)
{
    for (int32_t i = 0; i < count; i++) {
        set[i] = state->next[shelf]++;
    }
}

static duet_code put(layout *state, size_t at, int64_t start, duet_error *error)
{
    const duet_shelf_task *task = &state->tasks->shelves->task[at];
    size_t number = state->tasks->number[at];
    int32_t *set = duet_plan_add(state->plan, number, (int32_t)task->size, error);
    DUET_NEED(set);
    duet_planned *planned = &state->plan->task[number];
    planned->start = start;
    planned->time = duet_shelf_time(task);
    planned->type = state->type;
    if (task->under != SIZE_MAX) {
        size_t below = state->tasks->number[task->under];
        set[0] = duet_plan_set(state->plan, below)[state->topped[task->under]++];
    } else if (task->shelf == 1) {
        int32_t tops = (int32_t)task->tops; // they belong to shelf 0, which has the lower numbers
        take(state, set, tops, 0);
        take(state, set + tops, (int32_t)task->size - tops, 1);
    } else {
        take(state, set, (int32_t)task->size, task->shelf);
    }
    for (int32_t i = 0; i < planned->size; i++) {
        gap *idle = &state->gap[set[i]];
        if (task->shelf == 2) {
            idle->end = start;
        } else {
            idle->begin = start + planned->time;
        }
        DUET_ASSERT(idle->begin <= idle->end);
    }
    return DUET_OK;
}

// Those at the bottom of shelves 0 and 1 first, then those on top of them, then shelf 2.
static duet_code put_shelves(layout *state, duet_error *error)
{
    const duet_shelves *shelves = state->tasks->shelves;
    int64_t end = duet_shelves_end(shelves);
    for (size_t i = 0; i < shelves->count; i++) {
        const duet_shelf_task *task = &shelves->task[i];
        if (task->shelf != 2 && task->under == SIZE_MAX) {
            DUET_TRY(put(state, i, 0, error));
        }
    }
    for (size_t i = 0; i < shelves->count; i++) {
        const duet_shelf_task *task = &shelves->task[i];
        if (task->under != SIZE_MAX) {
            DUET_TRY(put(state, i, duet_shelf_time(&shelves->task[task->under]), error));
        }
    }
    for (size_t i = 0; i < shelves->count; i++) {
        const duet_shelf_task *task = &shelves->task[i];
        if (task->shelf == 2) {
            DUET_TRY(put(state, i, end - duet_shelf_time(task), error));
        }
    }
    return DUET_OK;
}

// Each small task into the longest gap.
static duet_code fill_gaps(layout *state, size_t processors, duet_error *error)
{
    gaps_heapify(NULL, state->gap, processors);
    for (size_t i = 0; i < state->tasks->smalls; i++) {
        const duet_small_task *small = &state->tasks->small[i];
        int32_t *set = duet_plan_add(state->plan, small->task, 1, error);
        DUET_NEED(set);
        gap longest = state->gap[0];
        set[0] = longest.processor;
        duet_planned *planned = &state->plan->task[small->task];
        planned->start = longest.begin;
        planned->time = small->time;
        planned->type = state->type;
        longest.begin += small->time;
        DUET_ASSERT(longest.begin <= longest.end);
        gaps_replace_top(NULL, state->gap, processors, longest);
    }
    return DUET_OK;
}

duet_code duet_shelf_plan(const duet_shelf_tasks *tasks, int32_t type, duet_plan *plan,
                          duet_error *error)
{
    const duet_shelves *shelves = tasks->shelves;
    size_t processors = (size_t)shelves->processors;
    int32_t below = (int32_t)shelves->width[0]; // processors of shelf 0
    layout state = {.tasks = tasks, .plan = plan, .type = type, .next = {0, below, below}};
    state.topped = duet_alloc(shelves->count, sizeof *state.topped, error);
    state.gap = duet_alloc_raw(processors, sizeof *state.gap, error);
    duet_code code = state.topped == NULL || state.gap == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        for (size_t p = 0; p < processors; p++) {
            state.gap[p] = (gap){0, duet_shelves_end(shelves), (int32_t)p};
        }
        code = put_shelves(&state, error);
    }
    DUET_THEN(code, fill_gaps(&state, processors, error));
    DUET_THEN(code, duet_plan_shift_left(plan, type, processors, error));
    duet_free(state.topped);
    duet_free(state.gap);
    return code;
}

static int by_length(const void *left, const void *right)
{
    const duet_small_task *a = left;
    const duet_small_task *b = right;
    int order = duet_order(b->time, a->time);
    return order != 0 ? order : duet_order((duet_int128)a->task, (duet_int128)b->task);
}

void duet_small_sort(duet_small_task *small, size_t count)
{
    qsort(small, count, sizeof *small, by_length);
}
