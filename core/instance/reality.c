// SPDX-License-Identifier: Apache-2.0
#include "core/instance/reality.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { NAME = 128 }; // units of work

// The ids of all tasks, one kind each.
static duet_code name_tasks(const duet_instance *instance, duet_instance *real, duet_watch *watch,
                            duet_error *error)
{
    size_t bytes = 0;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        if (duet_watch_spend(watch, NAME)) {
            return duet_watch_code(watch, error);
        }
        real->id_at[j] = bytes;
        bytes += duet_instance_task_id(instance, j, NULL, 0) + 1;
    }
    real->ids = duet_alloc_raw(bytes, 1, error);
    DUET_NEED(real->ids);
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        if (duet_watch_spend(watch, NAME)) {
            return duet_watch_code(watch, error);
        }
        size_t end = j + 1 < duet_tasks(instance) ? real->id_at[j + 1] : bytes;
        duet_instance_task_id(instance, j, real->ids + real->id_at[j], end - real->id_at[j]);
    }
    return DUET_OK;
}

static duet_code split_kinds(const duet_instance *instance, duet_instance *real, duet_watch *watch,
                             duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(instance);
    DUET_TRY(duet_memory_check(tasks, instance->types * sizeof *real->times, 0,
                               "the real times of all tasks", error));
    real->kinds = tasks;
    real->first = duet_alloc_raw(tasks + 1, sizeof *real->first, error);
    real->id_at = duet_alloc_raw(tasks, sizeof *real->id_at, error);
    real->times = duet_alloc_raw(tasks * instance->types, sizeof *real->times, error);
    DUET_NEED(real->first != NULL && real->id_at != NULL && real->times != NULL);
    for (size_t j = 0; j <= tasks; j++) {
        real->first[j] = (int64_t)j;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            memcpy(real->times + (size_t)j * instance->types, instance->times + i * instance->types,
                   instance->types * sizeof *real->times);
        }
    }
    return name_tasks(instance, real, watch, error);
}

duet_code duet_reality_create(const duet_instance *instance, duet_reality *reality,
                              duet_watch *watch, duet_error *error)
{
    *reality = (duet_reality){.platform = *instance};
    duet_instance *real = &reality->real;
    *real = *instance;
    real->notice = NULL;
    real->origin = NULL;
    real->claim = NULL;
    real->first = NULL;
    real->times = NULL;
    real->ids = NULL;
    real->id_at = NULL;
    duet_code code = split_kinds(instance, real, watch, error);
    reality->executed = *real;
    reality->executed.times = NULL;
    if (code == DUET_OK) {
        reality->executed.times =
            duet_alloc_raw(real->kinds * real->types, sizeof *real->times, error);
        code = reality->executed.times == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

void duet_reality_free(duet_reality *reality)
{
    duet_free(reality->real.first);
    duet_free(reality->real.times);
    duet_free(reality->real.ids);
    duet_free(reality->real.id_at);
    duet_free(reality->executed.times);
    *reality = (duet_reality){.disturbances = 0};
}

void duet_reality_reset(duet_reality *reality, const duet_instance *instance)
{
    const duet_instance *real = &reality->real;
    memcpy(reality->executed.times, real->times, real->kinds * real->types * sizeof *real->times);
    memcpy(reality->platform.processors, instance->processors, sizeof reality->platform.processors);
}

static bool is_at(const duet_disturbance *disturbance, size_t type, int64_t processor)
{
    return disturbance->type == type && disturbance->processor == processor;
}

static int64_t rounded_up(int64_t work, int64_t thousandths)
{
    return (int64_t)(((duet_int128)work * thousandths + 999) / 1000);
}

int64_t duet_reality_run(duet_reality *reality, int64_t task, size_t type, int64_t processor,
                         int64_t start)
{
    int64_t work = duet_time(&reality->real, (size_t)task, type);
    int64_t thousandths = 1000;
    int64_t now = start;
    for (size_t i = 0; i < reality->disturbances; i++) {
        const duet_disturbance *next = &reality->disturbance[i];
        if (next->thousandths == 0 || !is_at(next, type, processor)) {
            continue;
        }
        if (next->at > now) {
            if (next->at - now >= rounded_up(work, thousandths)) {
                break;
            }
            work -= (int64_t)((duet_int128)(next->at - now) * 1000 / thousandths);
            now = next->at;
        }
        thousandths = next->thousandths;
    }
    int64_t end = now + rounded_up(work, thousandths);
    reality->executed.times[(size_t)task * reality->executed.types + type] = end - start;
    return end;
}

size_t duet_useful_processors(const duet_instance *instance, const duet_reality *reality,
                              size_t type)
{
    int64_t most = duet_tasks(instance) + instance->busy_count[type]; // beside those that are busy
    for (size_t i = 0; reality != NULL && i < reality->disturbances; i++) {
        const duet_disturbance *gone = &reality->disturbance[i];
        most += gone->thousandths == 0 && gone->type == type;
    }
    if (reality != NULL && reality->used[type] > most) {
        most = reality->used[type];
    }
    int64_t count = instance->processors[type];
    return (size_t)duet_min(count, most);
}

duet_code duet_reality_lose(duet_reality *reality, const duet_disturbance *gone,
                            const bool *completed, duet_error *error)
{
    duet_instance *platform = &reality->platform;
    if (--platform->processors[gone->type] > 0) {
        return DUET_OK;
    }
    for (size_t i = 0; i < platform->kinds; i++) {
        bool needed = false;
        for (int64_t j = platform->first[i]; j < platform->first[i + 1]; j++) {
            needed = needed || !completed[j];
        }
        if (needed && duet_shortest_time(platform, i) == DUET_FORBIDDEN) {
            char at[32];
            return duet_error_set(error, DUET_E_INFEASIBLE,
                                  "no schedule exists: task '%s' may run on no processor that is "
                                  "left when the last one of type %s is gone at %s",
                                  duet_instance_kind_id(platform, i),
                                  platform->type_names[gone->type],
                                  duet_instance_format_time(platform, gone->at, at));
        }
    }
    return DUET_OK;
}

size_t duet_reality_refuge(const duet_reality *reality, size_t kind)
{
    const duet_instance *platform = &reality->platform;
    int64_t shortest = duet_shortest_time(platform, kind);
    size_t type = 0;
    while (!duet_allowed(platform, kind, type) || duet_time(platform, kind, type) > shortest) {
        type++;
    }
    return type;
}
