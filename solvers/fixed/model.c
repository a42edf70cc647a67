// SPDX-License-Identifier: Apache-2.0
#include "solvers/fixed/model.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// --- tasks ---------------------------------------------------------------------------------------

static void describe_tasks(duet_fixed_model *m)
{
    const duet_instance *whole = m->whole;
    for (int64_t j = 0; j < duet_tasks(whole); j++) {
        m->number[j] = -1;
    }
    for (int64_t i = 0; i < m->tasks; i++) {
        size_t kind = duet_instance_kind_of(whole, m->rest->task[i]);
        const duet_pin *pin = duet_pin_of(whole, kind);
        m->number[m->rest->task[i]] = i;
        m->kind[i] = (int32_t)kind;
        m->release[i] = duet_release(whole, kind);
        if (pin != NULL && pin->start != DUET_FORBIDDEN) {
            m->release[i] = duet_max(pin->start, m->release[i]);
        }
        m->shortest[i] = duet_shortest_time(whole, kind);
        m->order[i] = (int32_t)i;
    }
}

static duet_code find_tails(duet_fixed_model *m, duet_error *error)
{
    const duet_graph *graph = m->rest->instance->graph;
    if (graph == NULL) {
        return DUET_OK;
    }
    if (duet_graph_sort(graph, DUET_TOPOLOGICAL_SMALLEST, m->order, error) < 0) {
        return DUET_E_MEMORY;
    }
    for (int64_t i = m->tasks; i-- > 0;) {
        int32_t j = m->order[i];
        for (int64_t at = graph->leave_at[j]; at < graph->leave_at[j + 1]; at++) {
            int32_t behind = graph->head[graph->leaving[at]];
            int64_t way = m->tail[behind] + m->shortest[behind];
            m->tail[j] = duet_max(way, m->tail[j]);
        }
    }
    return DUET_OK;
}

// --- processors ----------------------------------------------------------------------------------

// How many processors of a type, by number, can be of use: those that something is known of, and as
// many more as the tasks can use.
static int64_t useful(const duet_fixed_model *m, size_t type)
{
    const duet_instance *whole = m->whole;
    duet_int128 most = whole->busy_count[type];
    int64_t size = 1;
    for (size_t i = 0; i < whole->kinds; i++) {
        const duet_pin *pin = duet_pin_of(whole, i);
        int64_t sizes = duet_moldable_sizes(whole, i, type);
        size = duet_max(sizes, size);
        for (size_t r = 0; pin != NULL && r < pin->set_count; r++) {
            duet_processor_range range = whole->pins->range[pin->set_at + r];
            most = range.type == (int32_t)type && range.last >= most ? range.last + 1 : most;
        }
    }
    size_t lost = whole->pins == NULL ? 0 : whole->pins->lost_count[type];
    most = lost > 0 && whole->pins->lost[type][lost - 1] >= most
               ? whole->pins->lost[type][lost - 1] + 1
               : most;
    most += (duet_int128)m->tasks * size;
    return most < whole->processors[type] ? (int64_t)most : whole->processors[type];
}

// Counts the spans of each processor, then writes them, rising.
static void fill_spans(duet_fixed_model *m, bool write)
{
    const duet_instance *whole = m->whole;
    for (size_t i = 0; i < whole->kinds; i++) {
        const duet_pin *pin = duet_pin_of(whole, i);
        for (size_t r = 0; pin != NULL && r < pin->set_count; r++) {
            duet_processor_range range = whole->pins->range[pin->set_at + r];
            for (int64_t n = range.first; n <= range.last; n++) {
                size_t p = duet_fixed_find(m, (size_t)range.type, n);
                if (p == SIZE_MAX) {
                    continue;
                }
                duet_fixed_processor *at = &m->processor[p];
                bool before = duet_is_given(pin) && pin->start < m->rest->origin;
                if (before) {
                    at->from = duet_max(duet_pin_end(whole, i), at->from);
                }
                at->special = at->special || !before;
                if (before || !duet_is_given(pin)) {
                    continue;
                }
                size_t to = at->span_at + at->spans++;
                const duet_fixed_span span = {pin->start, duet_pin_end(whole, i)};
                for (; write && to > at->span_at && m->span[to - 1].start > span.start; to--) {
                    m->span[to] = m->span[to - 1];
                }
                if (write) {
                    m->span[to] = span;
                }
            }
        }
    }
}

static duet_code list_processors(duet_fixed_model *m, const int64_t *count, duet_error *error)
{
    size_t at = 0;
    for (size_t t = 0; t < m->whole->types; t++) {
        for (int64_t n = 0; n < count[t]; n++) {
            if (!duet_is_lost(m->whole, t, n)) {
                m->processor[at++] = (duet_fixed_processor){
                    duet_busy_until(m->whole, t, n), (int32_t)t, (int32_t)n, 0, 0, false};
            }
        }
    }
    fill_spans(m, false);
    size_t spans = 0;
    for (size_t p = 0; p < m->processors; p++) {
        m->processor[p].span_at = spans;
        spans += m->processor[p].spans;
        m->processor[p].spans = 0;
    }
    m->span = duet_alloc(spans, sizeof *m->span, error);
    DUET_NEED(m->span);
    fill_spans(m, true);
    return DUET_OK;
}

size_t duet_fixed_find(const duet_fixed_model *model, size_t type, int64_t number)
{
    if (duet_is_lost(model->whole, type, number)) {
        return SIZE_MAX;
    }
    size_t at = model->first[type] + (size_t)(number - duet_lost_below(model->whole, type, number));
    return at < model->first[type + 1] ? at : SIZE_MAX;
}

int64_t duet_fixed_fit(const duet_fixed_model *model, size_t processor, int64_t from, int64_t time)
{
    const duet_fixed_processor *p = &model->processor[processor];
    for (size_t i = 0; i < p->spans; i++) {
        const duet_fixed_span *span = &model->span[p->span_at + i];
        if (from + time <= span->start) {
            break;
        }
        from = duet_max(span->end, from);
    }
    return from;
}

duet_code duet_fixed_model_create(const duet_instance *whole, const duet_rest *rest,
                                  duet_fixed_model *model, duet_error *error)
{
    *model = (duet_fixed_model){
        .whole = whole, .rest = rest, .graph = whole->graph, .tasks = rest->tasks};
    duet_fixed_model *m = model;
    int64_t count[DUET_MAX_TYPES];
    m->costs = (duet_instance_features(whole) & DUET_FEATURE_COMMUNICATION) != 0;
    for (size_t t = 0; t < whole->types; t++) {
        count[t] = useful(m, t);
        m->first[t + 1] = m->first[t] + (size_t)(count[t] - duet_lost_below(whole, t, count[t]));
    }
    m->processors = m->first[whole->types];
    size_t tasks = (size_t)m->tasks;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(m->kind, tasks),
                                       DUET_ARENA_ARRAY(m->release, tasks),
                                       DUET_ARENA_ARRAY(m->shortest, tasks),
                                       DUET_ARENA_ARRAY(m->tail, tasks),
                                       DUET_ARENA_ARRAY(m->order, tasks),
                                       DUET_ARENA_ARRAY(m->number, (size_t)duet_tasks(whole)),
                                       DUET_ARENA_ARRAY(m->processor, m->processors)};
    DUET_TRY(duet_arena_create(&m->arena, arrays, sizeof arrays / sizeof *arrays, error));
    describe_tasks(m);
    DUET_TRY(find_tails(m, error));
    return list_processors(m, count, error);
}

void duet_fixed_model_free(duet_fixed_model *model)
{
    duet_free(model->span);
    duet_arena_free(&model->arena);
}
