// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/task_lists.h"

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// How many processors of a type get a list: no more than there are tasks.
static size_t useful(const duet_instance *instance, size_t type)
{
    int64_t tasks = duet_tasks(instance);
    int64_t processors = instance->processors[type];
    return (size_t)duet_min(processors, tasks);
}

uint64_t duet_task_lists_memory(const duet_instance *instance)
{
    // Per task: its number (with room to grow), its kind, two orders. Per list: itself, a few
    // numbers, its part of the tournament.
    enum { per_task = 80, per_list = sizeof(duet_task_list) + 16 * sizeof(int64_t) + 64 };
    duet_uint128 bytes = (duet_uint128)duet_tasks(instance) * per_task;
    for (size_t t = 0; t < instance->types; t++) {
        bytes += (duet_uint128)useful(instance, t) * per_list;
    }
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

// Gives the lists of one type their processors. Where the type has more processors than there are
// tasks (`some`), the used ones, whose indices are in `used`, come first in order, then as many
// others as there is room for. Returns how many lists are in order of their processors.
static size_t name_processors(bool some, int32_t *used, size_t uses, duet_task_list *list,
                              size_t room)
{
    size_t named = 0;
    if (some) {
        duet_sort_tasks(used, uses);
        for (size_t u = 0; u < uses; u++) {
            if (u == 0 || used[u] != used[u - 1]) {
                list[named++].index = used[u];
            }
        }
    }
    size_t ordered = some ? named : room;
    int32_t next = 0;
    for (size_t u = 0; named < room; next++) {
        while (u < ordered && some && list[u].index < next) {
            u++;
        }
        if (!some || u == ordered || list[u].index != next) {
            list[named++].index = next;
        }
    }
    return ordered;
}

// The list of a processor among list[0 .. ordered-1].
static size_t find_list(const duet_task_list *list, size_t ordered, int32_t index)
{
    size_t low = 0;
    size_t high = ordered;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].index <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Gives the tasks of one type to its lists. `used` has room for all tasks.
static duet_code fill_type(duet_task_lists *lists, size_t type, const duet_placement *placement,
                           int32_t *used, duet_error *error)
{
    int64_t tasks = duet_tasks(lists->instance);
    duet_task_list *list = lists->at + lists->begin[type];
    size_t room = lists->begin[type + 1] - lists->begin[type];
    size_t uses = 0;
    for (int64_t j = 0; j < tasks; j++) {
        if (placement[j].type == (int32_t)type) {
            used[uses++] = placement[j].processor;
        }
    }
    for (size_t i = 0; i < room; i++) {
        list[i].type = (int32_t)type;
    }
    bool some = (int64_t)room < lists->instance->processors[type];
    size_t ordered = name_processors(some, used, uses, list, room);
    for (int64_t j = 0; j < tasks; j++) {
        if (placement[j].type != (int32_t)type) {
            continue;
        }
        duet_task_list *to = &list[find_list(list, ordered, placement[j].processor)];
        DUET_TRY(duet_vec_push(to->task, to->count, error, j));
        to->load += duet_task_lists_time(lists, j, type);
    }
    return DUET_OK;
}

static duet_code fill(duet_task_lists *lists, const duet_placement *placement, duet_error *error)
{
    const duet_instance *instance = lists->instance;
    int32_t *used = duet_alloc((size_t)duet_tasks(instance), sizeof *used, error);
    duet_code code = used == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            lists->kind[j] = i;
        }
    }
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        code = fill_type(lists, t, placement, used, error);
    }
    duet_free(used);
    return code;
}

// The more loaded of two lists, the first where they are alike; leaves beyond the last list lose.
static size_t heavier(const duet_task_lists *lists, size_t a, size_t b)
{
    if (b >= lists->count) {
        return a;
    }
    return lists->at[b].load > lists->at[a].load ? b : a;
}

static void play(duet_task_lists *lists, size_t node)
{
    lists->winner[node] = heavier(lists, lists->winner[2 * node], lists->winner[2 * node + 1]);
}

void duet_task_lists_changed(duet_task_lists *lists, size_t list)
{
    lists->at[list].changed = ++lists->clock;
    for (size_t node = (lists->leaves + list) / 2; node > 0; node /= 2) {
        play(lists, node);
    }
}

static duet_code start_tournament(duet_task_lists *lists, duet_error *error)
{
    lists->leaves = 2;
    while (lists->leaves < lists->count) {
        lists->leaves *= 2;
    }
    lists->winner = duet_alloc(2 * lists->leaves, sizeof *lists->winner, error);
    DUET_NEED(lists->winner);
    for (size_t i = 0; i < lists->leaves; i++) {
        lists->winner[lists->leaves + i] = i;
    }
    for (size_t node = lists->leaves - 1; node > 0; node--) {
        play(lists, node);
    }
    return DUET_OK;
}

duet_code duet_task_lists_create(const duet_instance *instance, const duet_placement *placement,
                                 duet_task_lists *lists, duet_error *error)
{
    *lists = (duet_task_lists){.instance = instance};
    for (size_t t = 0; t < instance->types; t++) {
        lists->begin[t + 1] = lists->begin[t] + useful(instance, t);
    }
    size_t count = lists->begin[instance->types];
    lists->at = duet_alloc(count, sizeof *lists->at, error);
    lists->kind = duet_alloc((size_t)duet_tasks(instance), sizeof *lists->kind, error);
    duet_code code = DUET_E_MEMORY;
    if (lists->at != NULL && lists->kind != NULL) {
        lists->count = count;
        code = fill(lists, placement, error);
    }
    DUET_THEN(code, start_tournament(lists, error));
    if (code != DUET_OK) {
        duet_task_lists_free(lists);
    }
    return code;
}

void duet_task_lists_free(duet_task_lists *lists)
{
    for (size_t i = 0; lists->at != NULL && i < lists->count; i++) {
        duet_free(lists->at[i].task);
    }
    duet_free(lists->at);
    duet_free(lists->kind);
    duet_free(lists->winner);
    *lists = (duet_task_lists){.count = 0};
}

void duet_task_lists_place(duet_task_lists *lists, duet_placement *placement)
{
    // First the start of every task is the number of its list; then, task by task, the time at
    // which its processor has run those before.
    for (size_t i = 0; i < lists->count; i++) {
        duet_task_list *list = &lists->at[i];
        for (size_t at = 0; at < list->count; at++) {
            placement[list->task[at]] = (duet_placement){(int64_t)i, list->index, list->type};
        }
        list->load = 0;
    }
    int64_t tasks = duet_tasks(lists->instance);
    for (int64_t j = 0; j < tasks; j++) {
        duet_task_list *list = &lists->at[placement[j].start];
        placement[j].start = list->load;
        list->load += duet_task_lists_time(lists, j, (size_t)list->type);
    }
}
