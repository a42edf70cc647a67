// SPDX-License-Identifier: Apache-2.0
// Whether what is given of an instance can be part of a schedule at all.
#include "core/instance/given.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/instance/graph.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// A given task on a processor.
typedef struct span {
    int64_t start, end;
    int32_t type;
    int32_t processor;
    int64_t task;
} span;

static duet_code early(const duet_instance *instance, int64_t task, int64_t start, int64_t ready,
                       const char *why, duet_error *error)
{
    char id[128];
    char started[32];
    char expected[32];
    duet_instance_task_id(instance, task, id, sizeof id);
    return duet_error_set(error, DUET_E_INPUT,
                          "task '%s' is fixed at %s, before %s, when %s; give its end, too, where "
                          "it has begun to run",
                          id, duet_instance_format_time(instance, start, started),
                          duet_instance_format_time(instance, ready, expected), why);
}

// S1, S4 and I7 of a task that has not begun.
static duet_code check_free(const duet_instance *instance, size_t kind, const duet_pin *pin,
                            duet_error *error)
{
    int64_t task = instance->first[kind];
    char id[128];
    duet_instance_task_id(instance, task, id, sizeof id);
    duet_processor_set set = duet_pin_set(instance, pin);
    int64_t busy = 0;
    for (size_t r = 0; r < set.count; r++) {
        for (int64_t p = set.range[r].first; p <= set.range[r].last; p++) {
            size_t type = (size_t)set.range[r].type;
            int64_t until = duet_busy_until(instance, type, p);
            busy = duet_max(until, busy);
            if (duet_is_lost(instance, type, p)) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "task '%s' is fixed on processor %" PRId64
                                      " of type %s, which is left out",
                                      id, p, instance->type_names[type]);
            }
        }
    }
    int64_t time = set.count == 0 ? 0
                   : instance->moldable == NULL
                       ? duet_time(instance, kind, (size_t)set.range[0].type)
                       : duet_moldable_duration(instance, kind, set);
    if (time == DUET_FORBIDDEN) {
        return duet_error_set(error, DUET_E_INPUT, "task '%s' has no time where it is fixed", id);
    }
    int64_t release = duet_release(instance, kind);
    if (pin->start == DUET_FORBIDDEN) {
        return DUET_OK;
    }
    if (pin->start < release) {
        return early(instance, task, pin->start, release, "it may start at the earliest", error);
    }
    return pin->start < busy
               ? early(instance, task, pin->start, busy, "its processor is no more busy", error)
               : DUET_OK;
}

static int by_processor(const void *left, const void *right)
{
    const span *a = left;
    const span *b = right;
    return 8 * duet_order(a->type, b->type) + 4 * duet_order(a->processor, b->processor) +
           2 * duet_order(a->start, b->start) + duet_order(a->end, b->end);
}

// S2.
static duet_code check_overlap(const duet_instance *instance, const span *list, size_t count,
                               duet_error *error)
{
    for (size_t i = 1; i < count; i++) {
        const span *a = &list[i - 1];
        const span *b = &list[i];
        if (a->type == b->type && a->processor == b->processor && a->end > b->start) {
            char first[128];
            char second[128];
            duet_instance_task_id(instance, a->task, first, sizeof first);
            duet_instance_task_id(instance, b->task, second, sizeof second);
            return duet_error_set(error, DUET_E_INPUT,
                                  "tasks '%s' and '%s' are fixed on processor %" PRId32
                                  " of type %s at the same time",
                                  first, second, a->processor, instance->type_names[a->type]);
        }
    }
    return DUET_OK;
}

static duet_code check_spans(const duet_instance *instance, duet_error *error)
{
    span *list = NULL;
    size_t count = 0;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        const duet_pin *pin = duet_pin_of(instance, i);
        for (size_t r = 0; duet_is_given(pin) && r < pin->set_count && code == DUET_OK; r++) {
            duet_processor_range range = duet_pin_set(instance, pin).range[r];
            for (int32_t p = range.first; p <= range.last && code == DUET_OK; p++) {
                const span one = {pin->start, duet_pin_end(instance, i), range.type, p,
                                  instance->first[i]};
                code = duet_vec_push(list, count, error, one);
            }
        }
    }
    if (code == DUET_OK && count > 0) {
        qsort(list, count, sizeof *list, by_processor);
    }
    DUET_THEN(code, check_overlap(instance, list, count, error));
    duet_free(list);
    return code;
}

// S3 between given tasks; of one that has begun all predecessors have ended.
static duet_code check_edge(const duet_instance *instance, int32_t edge, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    size_t before = duet_instance_kind_of(instance, graph->tail[edge]);
    size_t after = duet_instance_kind_of(instance, graph->head[edge]);
    const duet_pin *from = duet_pin_of(instance, before);
    const duet_pin *to = duet_pin_of(instance, after);
    char first[128];
    char second[128];
    if (!duet_is_given(to)) {
        return DUET_OK;
    }
    duet_instance_task_id(instance, graph->tail[edge], first, sizeof first);
    duet_instance_task_id(instance, graph->head[edge], second, sizeof second);
    if (!duet_is_given(from)) {
        return !duet_is_run(to)
                   ? DUET_OK
                   : duet_error_set(error, DUET_E_INPUT,
                                    "task '%s' has begun, and its predecessor '%s' has not ended",
                                    second, first);
    }
    int64_t ready = duet_pin_end(instance, before);
    duet_processor_set here = duet_pin_set(instance, from);
    duet_processor_set there = duet_pin_set(instance, to);
    if (!duet_is_run(to) && !duet_set_equal(here, there)) {
        ready += instance->moldable == NULL
                     ? duet_graph_cost(graph, edge, (size_t)here.range[0].type,
                                       (size_t)there.range[0].type)
                     : duet_moldable_transfer(instance, edge, here, there);
    }
    if (to->start >= ready) {
        return DUET_OK;
    }
    char started[32];
    char expected[32];
    return duet_error_set(error, DUET_E_INPUT,
                          "task '%s' is fixed at %s: the data of its predecessor '%s' arrive at %s",
                          second, duet_instance_format_time(instance, to->start, started), first,
                          duet_instance_format_time(instance, ready, expected));
}

duet_code duet_pins_check(const duet_instance *instance, duet_error *error)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        const duet_pin *pin = duet_pin_of(instance, i);
        if (pin != NULL && !duet_is_run(pin)) {
            DUET_TRY(check_free(instance, i, pin, error));
        }
    }
    DUET_TRY(check_spans(instance, error));
    for (int64_t e = 0; instance->graph != NULL && e < instance->graph->edges; e++) {
        DUET_TRY(check_edge(instance, (int32_t)e, error));
    }
    return DUET_OK;
}
