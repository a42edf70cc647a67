// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/task_lists.h"

#include <stdlib.h>

#include "core/fraction.h"
#include "core/memory.h"

static int by_value(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

// How many processors of a type are worth a lane.
static size_t useful(const duet_instance *instance, size_t type)
{
    int64_t tasks = duet_tasks(instance);
    int64_t processors = instance->processors[type];
    return (size_t)(processors < tasks ? processors : tasks);
}

uint64_t duet_task_lists_memory(const duet_instance *instance)
{
    // Per task: its number (with room to grow), its kind, two orders. Per lane: itself, a few
    // numbers, the tournament.
    enum { per_task = 80, per_lane = sizeof(duet_task_list) + 16 * sizeof(int64_t) + 64 };
    duet_uint128 bytes = (duet_uint128)duet_tasks(instance) * per_task;
    for (size_t t = 0; t < instance->types; t++) {
        bytes += (duet_uint128)useful(instance, t) * per_lane;
    }
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

// Numbers the lanes of one type. Where it has more processors than there are tasks, the used ones
// (their indices are in `used`) come first, in order, then as many others as there is room for.
// Returns how many are in order.
static size_t number_lanes(bool some, int32_t *used, size_t uses, duet_task_list *lane, size_t room)
{
    size_t named = 0;
    if (some) {
        qsort(used, uses, sizeof *used, by_value);
        for (size_t u = 0; u < uses; u++) {
            if (u == 0 || used[u] != used[u - 1]) {
                lane[named++].index = used[u];
            }
        }
    }
    size_t ordered = some ? named : room;
    int32_t next = 0;
    for (size_t u = 0; named < room; next++) {
        while (u < ordered && some && lane[u].index < next) {
            u++;
        }
        if (!some || u == ordered || lane[u].index != next) {
            lane[named++].index = next;
        }
    }
    return ordered;
}

// The lane of a processor among lane[0 .. ordered-1].
static size_t find_lane(const duet_task_list *lane, size_t ordered, int32_t index)
{
    size_t low = 0;
    size_t high = ordered;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (lane[middle].index <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Gives the tasks of one type to its lanes. `used` has room for all tasks.
static duet_code fill_type(duet_task_lists *lanes, size_t type, const duet_placement *placement,
                           int32_t *used, duet_error *error)
{
    int64_t tasks = duet_tasks(lanes->instance);
    duet_task_list *lane = lanes->at + lanes->begin[type];
    size_t room = lanes->begin[type + 1] - lanes->begin[type];
    size_t uses = 0;
    for (int64_t j = 0; j < tasks; j++) {
        if (placement[j].type == (int32_t)type) {
            used[uses++] = placement[j].processor;
        }
    }
    for (size_t i = 0; i < room; i++) {
        lane[i].type = (int32_t)type;
    }
    bool some = (int64_t)room < lanes->instance->processors[type];
    size_t ordered = number_lanes(some, used, uses, lane, room);
    for (int64_t j = 0; j < tasks; j++) {
        if (placement[j].type != (int32_t)type) {
            continue;
        }
        duet_task_list *to = &lane[find_lane(lane, ordered, placement[j].processor)];
        duet_code code = duet_grow(&to->task, to->count, &to->capacity, sizeof *to->task, error);
        if (code != DUET_OK) {
            return code;
        }
        to->task[to->count++] = j;
        to->load += duet_task_lists_time(lanes, j, type);
    }
    return DUET_OK;
}

static duet_code fill(duet_task_lists *lanes, const duet_placement *placement, duet_error *error)
{
    const duet_instance *instance = lanes->instance;
    int32_t *used = duet_alloc((size_t)duet_tasks(instance), sizeof *used, error);
    duet_code code = used == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            lanes->kind[j] = i;
        }
    }
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        code = fill_type(lanes, t, placement, used, error);
    }
    duet_free(used);
    return code;
}

// The more loaded of two lanes, the first where they are alike; leaves beyond the last lane lose.
static size_t heavier(const duet_task_lists *lanes, size_t a, size_t b)
{
    if (b >= lanes->count) {
        return a;
    }
    return lanes->at[b].load > lanes->at[a].load ? b : a;
}

static void play(duet_task_lists *lanes, size_t node)
{
    lanes->winner[node] = heavier(lanes, lanes->winner[2 * node], lanes->winner[2 * node + 1]);
}

void duet_task_lists_changed(duet_task_lists *lanes, size_t lane)
{
    lanes->at[lane].changed = ++lanes->clock;
    for (size_t node = (lanes->leaves + lane) / 2; node > 0; node /= 2) {
        play(lanes, node);
    }
}

static duet_code start_tournament(duet_task_lists *lanes, duet_error *error)
{
    lanes->leaves = 2;
    while (lanes->leaves < lanes->count) {
        lanes->leaves *= 2;
    }
    lanes->winner = duet_alloc(2 * lanes->leaves, sizeof *lanes->winner, error);
    if (lanes->winner == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < lanes->leaves; i++) {
        lanes->winner[lanes->leaves + i] = i;
    }
    for (size_t node = lanes->leaves - 1; node > 0; node--) {
        play(lanes, node);
    }
    return DUET_OK;
}

duet_code duet_task_lists_create(const duet_instance *instance, const duet_placement *placement,
                                 duet_task_lists *lanes, duet_error *error)
{
    *lanes = (duet_task_lists){.instance = instance};
    for (size_t t = 0; t < instance->types; t++) {
        lanes->begin[t + 1] = lanes->begin[t] + useful(instance, t);
    }
    size_t count = lanes->begin[instance->types];
    lanes->at = duet_alloc(count, sizeof *lanes->at, error);
    lanes->kind = duet_alloc((size_t)duet_tasks(instance), sizeof *lanes->kind, error);
    duet_code code = DUET_E_MEMORY;
    if (lanes->at != NULL && lanes->kind != NULL) {
        lanes->count = count;
        code = fill(lanes, placement, error);
    }
    if (code == DUET_OK) {
        code = start_tournament(lanes, error);
    }
    if (code != DUET_OK) {
        duet_task_lists_free(lanes);
    }
    return code;
}

void duet_task_lists_free(duet_task_lists *lanes)
{
    for (size_t i = 0; lanes->at != NULL && i < lanes->count; i++) {
        duet_free(lanes->at[i].task);
    }
    duet_free(lanes->at);
    duet_free(lanes->kind);
    duet_free(lanes->winner);
    *lanes = (duet_task_lists){.count = 0};
}

void duet_task_lists_place(duet_task_lists *lanes, duet_placement *placement)
{
    // First every task gets the number of its lane in place of its start, then, task by task, the
    // time when the lane is done with those before.
    for (size_t i = 0; i < lanes->count; i++) {
        duet_task_list *lane = &lanes->at[i];
        for (size_t at = 0; at < lane->count; at++) {
            placement[lane->task[at]] = (duet_placement){(int64_t)i, lane->index, lane->type};
        }
        lane->load = 0;
    }
    int64_t tasks = duet_tasks(lanes->instance);
    for (int64_t j = 0; j < tasks; j++) {
        duet_task_list *lane = &lanes->at[placement[j].start];
        placement[j].start = lane->load;
        lane->load += duet_task_lists_time(lanes, j, (size_t)lane->type);
    }
}
