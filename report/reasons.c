// SPDX-License-Identifier: Apache-2.0
#include "report/reasons.h"

#include <stdio.h>

#include <duet/graph.h>

#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "report/texts.h"

// What is searched for what an interval waited for. A task that is not moldable has one interval.
typedef struct history {
    const duet_instance *instance;
    const duet_solution *solution;
    const duet_intervals *intervals;
    size_t *of_task; // an interval of each task, intervals->count: none
    size_t *beside;  // of each interval: another one of the same task, intervals->count: none
    size_t *first;   // of each interval: the first that starts at its instant on its processor
} history;

static bool same_processor(const duet_interval *a, const duet_interval *b)
{
    return a->type == b->type && a->processor == b->processor;
}

// What lies between the first interval of an instant and another one of it takes no time.
static void index_intervals(history *h)
{
    size_t none = h->intervals->count;
    for (size_t j = 0; j < (size_t)duet_tasks(h->instance); j++) {
        h->of_task[j] = none;
    }
    for (size_t i = 0; i < none; i++) {
        const duet_interval *now = &h->intervals->interval[i];
        bool follows = i > 0 && same_processor(now - 1, now) && now[-1].start == now->start;
        h->first[i] = follows ? h->first[i - 1] : i;
        h->beside[i] = none;
        if (!now->aborted) {
            h->beside[i] = h->of_task[now->task];
            h->of_task[now->task] = i;
        }
    }
}

// The interval that stands for an interval's task.
static size_t head_of(const history *h, size_t at)
{
    const duet_interval *interval = &h->intervals->interval[at];
    return interval->aborted ? at : h->of_task[interval->task];
}

static int64_t transfer_of(const history *h, int32_t edge, const duet_interval *from,
                           const duet_interval *to)
{
    if (h->instance->moldable != NULL) {
        duet_processor_range one;
        duet_processor_range other;
        return duet_moldable_transfer(h->instance, edge,
                                      duet_solution_set(h->solution, from->task, &one),
                                      duet_solution_set(h->solution, to->task, &other));
    }
    return same_processor(from, to)
               ? 0
               : duet_instance_transfer(h->instance, edge, (size_t)from->type, (size_t)to->type);
}

// Whether the data of an edge from `before` come just when `now` starts. What starts at the same
// instant decides nothing, so that a path ends.
static bool arrives(const history *h, const duet_interval *before, const duet_interval *now,
                    int32_t edge)
{
    return before->start < now->start &&
           now->start - before->end == transfer_of(h, edge, before, now);
}

// The interval that ends on the processor of `at` as it starts; intervals->count: none.
static size_t ends_before(const history *h, size_t at)
{
    size_t first = h->first[at];
    const duet_interval *now = &h->intervals->interval[at];
    const duet_interval *last = &h->intervals->interval[first > 0 ? first - 1 : 0];
    bool ends = first > 0 && same_processor(last, now) && last->end == now->start;
    return ends ? first - 1 : h->intervals->count;
}

static duet_reason find_reason(const history *h, size_t at)
{
    size_t none = h->intervals->count;
    const duet_interval *now = &h->intervals->interval[at];
    for (size_t row = at; row != none; row = h->beside[row]) {
        size_t before = ends_before(h, row);
        if (before != none) {
            return (duet_reason){.form = DUET_REASON_PROCESSOR, .other = head_of(h, before)};
        }
    }
    size_t count = 0;
    const int32_t *edges =
        now->aborted ? NULL : duet_instance_edges_to(h->instance, now->task, &count);
    for (size_t e = 0; e < count && edges != NULL; e++) {
        size_t from = h->of_task[duet_instance_edge(h->instance, edges[e]).from];
        if (from != none && arrives(h, &h->intervals->interval[from], now, edges[e])) {
            return (duet_reason){.form = DUET_REASON_DATA, .other = from, .edge = edges[e]};
        }
    }
    return (duet_reason){.form = now->start == 0 ? DUET_REASON_START : DUET_REASON_PAUSE};
}

// The first interval that ends last; intervals->count: there is none.
static size_t find_last(const history *h)
{
    for (size_t i = 0; i < h->intervals->count; i++) {
        const duet_interval *interval = &h->intervals->interval[i];
        if (!interval->aborted && interval->end == h->intervals->end) {
            return head_of(h, i);
        }
    }
    return h->intervals->count;
}

// From the makespan back until nothing decides.
static duet_code find_path(const history *h, duet_reasons *reasons, duet_error *error)
{
    duet_code code = DUET_OK;
    bool goes_on = true;
    for (size_t at = find_last(h); at < h->intervals->count && goes_on && code == DUET_OK;
         at = reasons->of[at].other) {
        duet_reason *reason = &reasons->of[at];
        reason->critical = true;
        goes_on = reason->form == DUET_REASON_PROCESSOR || reason->form == DUET_REASON_DATA;
        code = duet_vec_push(reasons->path, reasons->length, error, at);
    }
    for (size_t i = 0; i < reasons->length / 2; i++) {
        size_t other = reasons->path[i];
        reasons->path[i] = reasons->path[reasons->length - 1 - i];
        reasons->path[reasons->length - 1 - i] = other;
    }
    return code;
}

static duet_code find_all(const history *h, duet_reasons *reasons, duet_error *error)
{
    for (size_t i = 0; i < h->intervals->count; i++) {
        if (head_of(h, i) == i) {
            reasons->of[i] = find_reason(h, i);
        }
    }
    duet_code code = find_path(h, reasons, error);
    for (size_t i = 0; i < h->intervals->count; i++) {
        reasons->of[i] = reasons->of[head_of(h, i)];
    }
    return code;
}

duet_code duet_reasons_create(const duet_instance *instance, const duet_solution *solution,
                              const duet_intervals *intervals, duet_reasons *reasons,
                              duet_error *error)
{
    history h = {.instance = instance, .solution = solution, .intervals = intervals};
    *reasons = (duet_reasons){.of = duet_alloc(intervals->count, sizeof *reasons->of, error)};
    h.of_task = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *h.of_task, error);
    h.beside = duet_alloc_raw(intervals->count, sizeof *h.beside, error);
    h.first = duet_alloc_raw(intervals->count, sizeof *h.first, error);
    duet_code code = DUET_E_MEMORY;
    if (reasons->of != NULL && h.of_task != NULL && h.beside != NULL && h.first != NULL) {
        index_intervals(&h);
        code = find_all(&h, reasons, error);
    }
    duet_free(h.of_task);
    duet_free(h.beside);
    duet_free(h.first);
    return code;
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
    } else if ((duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0) {
        snprintf(text, size, "starts as the data of %s are there", clean);
    } else {
        snprintf(text, size, "starts as %s ends", clean);
    }
}
