// SPDX-License-Identifier: Apache-2.0
#include "report/reasons.h"

#include <stdio.h>

#include <duet/graph.h>

#include "core/instance.h"
#include "core/memory.h"
#include "report/clean_text.h"

// The interval of each task; intervals->count: none.
static void index_tasks(const duet_intervals *intervals, size_t tasks, size_t *of_task)
{
    for (size_t j = 0; j < tasks; j++) {
        of_task[j] = intervals->count;
    }
    for (size_t i = 0; i < intervals->count; i++) {
        if (!intervals->interval[i].aborted) {
            of_task[intervals->interval[i].task] = i;
        }
    }
}

static bool same_processor(const duet_interval *a, const duet_interval *b)
{
    return a->type == b->type && a->processor == b->processor;
}

// Whether the data of an edge from `before` come just when `now` starts. What starts at the same
// instant decides nothing, so that a path ends.
static bool arrives(const duet_instance *instance, const duet_interval *before,
                    const duet_interval *now, int32_t edge)
{
    int64_t transfer =
        same_processor(before, now)
            ? 0
            : duet_instance_transfer(instance, edge, (size_t)before->type, (size_t)now->type);
    return before->start < now->start && now->start - before->end == transfer;
}

// `first`: the first interval that starts then on that processor; those between take no time.
static duet_reason find_reason(const duet_instance *instance, const duet_intervals *intervals,
                               const size_t *of_task, size_t at, size_t first)
{
    const duet_interval *now = &intervals->interval[at];
    const duet_interval *last = &intervals->interval[first > 0 ? first - 1 : 0];
    if (first > 0 && same_processor(last, now) && last->end == now->start) {
        return (duet_reason){.form = DUET_REASON_PROCESSOR, .other = first - 1};
    }
    size_t count = 0;
    const int32_t *edges =
        now->aborted ? NULL : duet_instance_edges_to(instance, now->task, &count);
    for (size_t e = 0; e < count && edges != NULL; e++) {
        size_t from = of_task[duet_instance_edge(instance, edges[e]).from];
        if (from < intervals->count &&
            arrives(instance, &intervals->interval[from], now, edges[e])) {
            return (duet_reason){.form = DUET_REASON_DATA, .other = from, .edge = edges[e]};
        }
    }
    return (duet_reason){.form = now->start == 0 ? DUET_REASON_START : DUET_REASON_PAUSE};
}

// The first interval that ends last; intervals->count: there is none.
static size_t find_last(const duet_intervals *intervals)
{
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        if (!interval->aborted && interval->end == intervals->end) {
            return i;
        }
    }
    return intervals->count;
}

// From the makespan back until nothing decides.
static duet_code find_path(const duet_intervals *intervals, duet_reasons *reasons,
                           duet_error *error)
{
    size_t capacity = 0;
    duet_code code = DUET_OK;
    bool goes_on = true;
    for (size_t at = find_last(intervals); at < intervals->count && goes_on && code == DUET_OK;
         at = reasons->of[at].other) {
        duet_reason *reason = &reasons->of[at];
        reason->critical = true;
        goes_on = reason->form == DUET_REASON_PROCESSOR || reason->form == DUET_REASON_DATA;
        code = duet_grow(&reasons->path, reasons->length, &capacity, sizeof *reasons->path, error);
        if (code == DUET_OK) {
            reasons->path[reasons->length++] = at;
        }
    }
    for (size_t i = 0; i < reasons->length / 2; i++) {
        size_t other = reasons->path[i];
        reasons->path[i] = reasons->path[reasons->length - 1 - i];
        reasons->path[reasons->length - 1 - i] = other;
    }
    return code;
}

duet_code duet_reasons_create(const duet_instance *instance, const duet_intervals *intervals,
                              duet_reasons *reasons, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(instance);
    *reasons = (duet_reasons){.of = duet_alloc(intervals->count, sizeof *reasons->of, error)};
    size_t *of_task = duet_alloc_raw(tasks, sizeof *of_task, error);
    duet_code code = reasons->of == NULL || of_task == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        index_tasks(intervals, tasks, of_task);
    }
    size_t first = 0;
    for (size_t i = 0; i < intervals->count && code == DUET_OK; i++) {
        const duet_interval *now = &intervals->interval[i];
        first = i > 0 && same_processor(now - 1, now) && now[-1].start == now->start ? first : i;
        reasons->of[i] = find_reason(instance, intervals, of_task, i, first);
    }
    duet_free(of_task);
    return code == DUET_OK ? find_path(intervals, reasons, error) : code;
}

void duet_reasons_free(duet_reasons *reasons)
{
    duet_free(reasons->of);
    duet_free(reasons->path);
    *reasons = (duet_reasons){.length = 0};
}

void duet_reason_text(const duet_instance *instance, const duet_intervals *intervals,
                      const duet_reason *reason, char *text, size_t size)
{
    char id[128];
    char clean[96];
    text[0] = '\0';
    if (reason->form == DUET_REASON_START) {
        snprintf(text, size, "starts at once");
    }
    if (reason->form != DUET_REASON_PROCESSOR && reason->form != DUET_REASON_DATA) {
        return;
    }
    const duet_interval *other = &intervals->interval[reason->other];
    duet_instance_task_id(instance, other->task, id, sizeof id);
    duet_clean_text(id, sizeof id, clean, sizeof clean);
    if (reason->form == DUET_REASON_PROCESSOR) {
        snprintf(text, size, "starts as %s ends on its processor", clean);
    } else if ((duet_instance_features(instance) & DUET_HANDLES_COMMUNICATION) != 0) {
        snprintf(text, size, "starts as the data of %s are there", clean);
    } else {
        snprintf(text, size, "starts as %s ends", clean);
    }
}
