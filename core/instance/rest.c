// SPDX-License-Identifier: Apache-2.0
// The rest of an instance in which some tasks are given.
#include "core/instance/rest.h"

#include <stdlib.h>
#include <string.h>

#include "core/instance/graph.h"
#include "core/instance/pick.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// When a processor works on a given task.
typedef struct span {
    int64_t start, end;
    int32_t type;
    int32_t processor;
} span;

typedef struct making {
    const duet_instance *whole;
    duet_rest *rest;
    duet_error *error;
    duet_pick *pick;
    int64_t *release; // of each pick, in ticks of the whole
    size_t picks;
    span *span;
    size_t spans;
    bool zeros; // a task of the rest takes no time
} making;

// --- tasks ---------------------------------------------------------------------------------------

// What the data of an edge take at least, and at most, from a given task to a type.
typedef struct costs {
    int64_t least, most;
} costs;

static costs cost_of(const duet_instance *whole, int64_t edge, duet_processor_set from, size_t type)
{
    const duet_moldable *m = whole->moldable;
    if (m != NULL) { // the same set costs nothing
        bool data = (m->cost_of != NULL && m->cost_of[edge] != 0) ||
                    (m->amount_of != NULL && m->amount_of[edge] != 0 && m->network);
        return (costs){0, data ? INT64_MAX : 0};
    }
    size_t source = (size_t)from.range[0].type;
    int64_t cost = duet_graph_cost(whole->graph, edge, source, type);
    return (costs){source == type ? 0 : cost, cost};
}

// When a task of the rest can start on a type at the earliest, as far as the given tasks before it
// are concerned, and when at the latest they are no more concerned.
static costs arrivals(const duet_instance *whole, int64_t task, size_t type)
{
    const duet_graph *graph = whole->graph;
    costs there = {0, 0};
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        size_t before = duet_instance_kind_of(whole, graph->tail[edge]);
        const duet_pin *pin = duet_pin_of(whole, before);
        if (!duet_is_given(pin)) {
            continue;
        }
        int64_t end = duet_pin_end(whole, before);
        costs cost = cost_of(whole, edge, duet_pin_set(whole, pin), type);
        int64_t most = cost.most > INT64_MAX - end ? INT64_MAX : end + cost.most;
        there.least = duet_max(end + cost.least, there.least);
        there.most = duet_max(most, there.most);
    }
    return there;
}

// The release of a task of the rest; notes where that does not say all.
static int64_t release_of(making *m, int64_t task, size_t kind)
{
    const duet_instance *whole = m->whole;
    const duet_pin *pin = duet_pin_of(whole, kind);
    int64_t release = duet_release(whole, kind);
    if (pin != NULL) {
        m->rest->exact = false;
        release = pin->start != DUET_FORBIDDEN ? duet_max(pin->start, release) : release;
    }
    if (whole->graph == NULL) {
        return release;
    }
    costs all = {INT64_MAX, 0};
    for (size_t t = 0; t < whole->types; t++) {
        if (duet_allowed(whole, kind, t)) {
            costs there = arrivals(whole, task, t);
            all.least = duet_min(there.least, all.least);
            all.most = duet_max(there.most, all.most);
        }
    }
    release = all.least == INT64_MAX ? release : duet_max(all.least, release);
    m->rest->exact = m->rest->exact && all.most <= release;
    return release;
}

static duet_code add_task(making *m, int64_t task, int64_t count, size_t kind)
{
    int64_t release = release_of(m, task, kind);
    const duet_pick *last = m->picks == 0 ? NULL : &m->pick[m->picks - 1];
    if (last != NULL && last->first + last->count == task &&
        duet_instance_kind_of(m->whole, last->first) == kind &&
        m->release[m->picks - 1] == release) {
        m->pick[m->picks - 1].count += count;
        return DUET_OK;
    }
    size_t at = m->picks;
    DUET_TRY(duet_vec_reserve(m->release, at + 1, m->error));
    DUET_TRY(duet_vec_push(m->pick, m->picks, m->error, (duet_pick){task, count}));
    m->release[at] = release;
    return DUET_OK;
}

static duet_code add_spans(making *m, size_t kind)
{
    const duet_pin *pin = duet_pin_of(m->whole, kind);
    duet_processor_set set = duet_pin_set(m->whole, pin);
    int64_t end = duet_pin_end(m->whole, kind);
    m->rest->end = duet_max(end, m->rest->end);
    for (size_t i = 0; i < set.count; i++) {
        for (int32_t p = set.range[i].first; p <= set.range[i].last; p++) {
            const span one = {pin->start, end, set.range[i].type, p};
            DUET_TRY(duet_vec_push(m->span, m->spans, m->error, one));
        }
    }
    return DUET_OK;
}

// Whether a given task has a predecessor of the rest, which must end in time.
static bool awaits_rest(const duet_instance *whole, int64_t task)
{
    const duet_graph *graph = whole->graph;
    bool awaits = false;
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && at < graph->enter_at[task + 1] && !awaits; at++) {
        size_t before = duet_instance_kind_of(whole, graph->tail[graph->entering[at]]);
        awaits = !duet_is_given(duet_pin_of(whole, before));
    }
    return awaits;
}

static duet_code list_tasks(making *m)
{
    const duet_instance *whole = m->whole;
    for (size_t i = 0; i < whole->kinds; i++) {
        int64_t first = whole->first[i];
        if (duet_is_given(duet_pin_of(whole, i))) {
            m->rest->exact = m->rest->exact && !awaits_rest(whole, first);
            DUET_TRY(add_spans(m, i));
            continue;
        }
        m->zeros = m->zeros || duet_shortest_time(whole, i) == 0;
        int64_t step = whole->graph == NULL ? duet_count(whole, i) : 1;
        for (int64_t j = first; j < whole->first[i + 1]; j += step) {
            DUET_TRY(add_task(m, j, step, i));
        }
    }
    return DUET_OK;
}

// --- processors ----------------------------------------------------------------------------------

static int by_processor(const void *left, const void *right)
{
    const span *a = left;
    const span *b = right;
    return 8 * duet_order(a->type, b->type) + 4 * duet_order(a->processor, b->processor) +
           2 * duet_order(a->start, b->start) + duet_order(a->end, b->end);
}

// Until when the processors of a type are busy, in ticks of the whole. *count has room for all that
// are known to be.
static duet_code find_busy(making *m, size_t type, int64_t **until, int64_t *count)
{
    const duet_instance *whole = m->whole;
    *count = whole->busy_count[type];
    for (size_t i = 0; i < m->spans; i++) {
        bool more = m->span[i].type == (int32_t)type && m->span[i].processor >= *count;
        *count = more ? m->span[i].processor + 1 : *count;
    }
    *until = duet_alloc((size_t)*count, sizeof **until, m->error);
    DUET_NEED(*until);
    for (int64_t p = 0; p < whole->busy_count[type]; p++) {
        (*until)[p] = whole->busy[type][p];
    }
    for (size_t i = 0; i < m->spans; i++) {
        const span *at = &m->span[i];
        if (at->type != (int32_t)type) {
            continue;
        }
        int64_t *busy = &(*until)[at->processor];
        bool before = at->start < m->rest->origin || (at->start <= *busy && !m->zeros);
        if (before || at->end <= *busy) {
            *busy = duet_max(at->end, *busy);
        } else {
            m->rest->exact = m->rest->exact && duet_is_lost(whole, type, at->processor);
        }
    }
    return DUET_OK;
}

// The processors of the rest: without those that are lost.
static duet_code set_platform(making *m, size_t type)
{
    const duet_instance *whole = m->whole;
    duet_instance *to = m->rest->instance;
    int64_t *until = NULL;
    int64_t count = 0;
    duet_code code = find_busy(m, type, &until, &count);
    int64_t kept = 0;
    int64_t used = 0;
    for (int64_t p = 0; p < count && code == DUET_OK; p++) {
        if (!duet_is_lost(whole, type, p)) {
            int64_t left = until[p] - m->rest->origin;
            until[kept++] = duet_max(left, 0);
            used = left > 0 ? kept : used;
        }
    }
    duet_free(to->busy[type]);
    to->busy[type] = until;
    to->busy_count[type] = used;
    for (int64_t p = 0; p < used; p++) {
        to->latest = duet_max(until[p], to->latest);
    }
    size_t lost = whole->pins == NULL ? 0 : whole->pins->lost_count[type];
    to->processors[type] -= (int64_t)lost;
    if (lost > 0) {
        duet_names_free(&to->names[type]);
        to->names[type] = (duet_names){.count = 0};
    }
    return code;
}

// --- the rest ------------------------------------------------------------------------------------

static duet_code set_releases(making *m)
{
    duet_instance *to = m->rest->instance;
    bool some = false;
    for (size_t i = 0; i < m->picks; i++) {
        m->release[i] -= m->rest->origin;
        some = some || m->release[i] > 0;
    }
    duet_free(to->release);
    to->release = NULL;
    if (some) {
        to->release = duet_alloc(m->picks, sizeof *to->release, m->error);
        DUET_NEED(to->release);
        memcpy(to->release, m->release, m->picks * sizeof *to->release);
    }
    for (size_t i = 0; i < m->picks; i++) {
        to->latest = duet_max(m->release[i], to->latest);
    }
    return DUET_OK;
}

static duet_code number_tasks(making *m)
{
    duet_rest *rest = m->rest;
    for (size_t i = 0; i < m->picks; i++) {
        rest->tasks += m->pick[i].count;
        rest->origin = i == 0 ? m->release[i] : duet_min(m->release[i], rest->origin);
    }
    rest->task = duet_alloc_raw((size_t)rest->tasks, sizeof *rest->task, m->error);
    DUET_NEED(rest->task);
    int64_t next = 0;
    for (size_t i = 0; i < m->picks; i++) {
        for (int64_t j = 0; j < m->pick[i].count; j++) {
            rest->task[next++] = m->pick[i].first + j;
        }
    }
    return DUET_OK;
}

static duet_code make(making *m)
{
    duet_rest *rest = m->rest;
    DUET_TRY(list_tasks(m));
    DUET_TRY(number_tasks(m));
    if (m->spans > 0) {
        qsort(m->span, m->spans, sizeof *m->span, by_processor);
    }
    DUET_TRY(duet_instance_pick(m->whole, m->pick, m->picks, &rest->instance, m->error));
    rest->instance->latest = 0;
    for (size_t t = 0; t < m->whole->types; t++) {
        DUET_TRY(set_platform(m, t));
    }
    DUET_TRY(set_releases(m));
    int64_t unused;
    return rest->instance->moldable == NULL || duet_all_counts(rest->instance) == 0
               ? DUET_OK
               : duet_moldable_fit(rest->instance, NULL, &unused, m->error);
}

duet_code duet_rest_create(const duet_instance *instance, duet_rest *rest, duet_error *error)
{
    *rest = (duet_rest){.exact = true};
    making m = {.whole = instance, .rest = rest, .error = error};
    duet_code code = make(&m);
    duet_free(m.pick);
    duet_free(m.release);
    duet_free(m.span);
    return code;
}

void duet_rest_free(duet_rest *rest)
{
    duet_instance_free(rest->instance);
    duet_free(rest->task);
    *rest = (duet_rest){.instance = NULL};
}

int64_t duet_rest_number(const duet_rest *rest, int64_t task)
{
    int64_t low = 0;
    int64_t high = rest->tasks;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool below = rest->task[middle] < task;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low < rest->tasks && rest->task[low] == task ? low : -1;
}
