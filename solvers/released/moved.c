// SPDX-License-Identifier: Apache-2.0
// A task graph with releases and busy processors, searched as one without.
//
// Method:    processors of a type that are busy until different times become types of their own. A
//            task more, the origin, takes one tick on a processor of its own; its data take
//            max(r, f) to a task that is released at r, on a type that is busy until f. Every
//            schedule of one instance is one of the other, a tick later: where the origin starts
//            later than at 0, all tasks can start as much earlier. So the searches for graphs whose
//            data take time (solvers/graph/exact.h) find the optimum of both.
// Guarantee: optimal where it ends.
// Cost:      exponential.
// Memory:    O(tasks + edges + tables of costs x types^2), and that of the search.
#include <stdio.h>

#include "core/instance/graph.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/graph/exact.h"
#include "solvers/released/released.h"

enum { MOST_TASKS = 2000, ORIGIN_TICKS = 1 };

// Processors of one type that are busy until the same time.
typedef struct alike {
    size_t type;
    int64_t until;
    int64_t count;
} alike;

typedef struct moving {
    const duet_instance *from;
    duet_error *error;
    alike class[DUET_MAX_TYPES];
    size_t classes; // the type of the origin is the one behind them
    bool too_many;  // classes
    duet_instance *to;

    // What the other instance is made of.
    int64_t *time;
    int64_t *count;
    duet_edge *edge;
    int64_t *cost;    // tables
    int64_t *release; // of the tables behind those of the edges
    size_t tables;
} moving;

static size_t types_of(const moving *m)
{
    return m->classes + 1;
}

// The class of a processor; `classes` where there is none yet.
static size_t class_of(const moving *m, size_t type, int64_t processor)
{
    int64_t until = duet_busy_until(m->from, type, processor);
    size_t at = 0;
    while (at < m->classes && (m->class[at].type != type || m->class[at].until != until)) {
        at++;
    }
    return at;
}

// The processors of a type behind the first so many are free from the start.
static int64_t listed(const moving *m, size_t type)
{
    return duet_min(m->from->busy_count[type], m->from->processors[type]);
}

static void count_classes(moving *m)
{
    for (size_t t = 0; t < m->from->types; t++) {
        int64_t known = listed(m, t);
        for (int64_t p = 0; p <= known && p < m->from->processors[t] && !m->too_many; p++) {
            size_t at = class_of(m, t, p);
            m->too_many = at + 1 >= DUET_MAX_TYPES;
            if (at == m->classes && !m->too_many) {
                m->class[m->classes++] = (alike){t, duet_busy_until(m->from, t, p), 0};
            }
            if (!m->too_many) { // those behind the last that is busy are free
                m->class[at].count += p == known ? m->from->processors[t] - known : 1;
            }
        }
    }
}

// The tables of the edges, of which the first is of those that cost nothing.
static void expand_tables(moving *m)
{
    const duet_graph *graph = m->from->graph;
    size_t q = types_of(m);
    size_t old = m->from->types;
    for (size_t k = 0; k < graph->tables; k++) {
        for (size_t a = 0; a < m->classes; a++) {
            for (size_t b = 0; b < m->classes; b++) {
                m->cost[((k + 1) * q + a) * q + b] =
                    graph->cost[(k * old + m->class[a].type) * old + m->class[b].type];
            }
        }
    }
    m->tables = graph->tables + 1;
}

// The table of the edges from the origin to tasks of a release.
static size_t table_of(moving *m, int64_t release)
{
    size_t q = types_of(m);
    size_t at = m->from->graph->tables + 1;
    while (at < m->tables && m->release[at] != release) {
        at++;
    }
    if (at == m->tables) {
        m->release[m->tables++] = release;
        for (size_t b = 0; b < m->classes; b++) {
            m->cost[(at * q + m->classes) * q + b] = duet_max(release, m->class[b].until);
        }
    }
    return at;
}

static void fill_edges(moving *m)
{
    const duet_graph *graph = m->from->graph;
    for (int64_t e = 0; e < graph->edges; e++) {
        size_t table = graph->transfer == NULL ? 0 : graph->transfer[e] + (size_t)1;
        m->edge[e] = (duet_edge){graph->tail[e], graph->head[e], table};
    }
    int64_t origin = duet_tasks(m->from);
    for (size_t i = 0; i < m->from->kinds; i++) {
        for (int64_t j = m->from->first[i]; j < m->from->first[i + 1]; j++) {
            size_t table = table_of(m, duet_release(m->from, i));
            m->edge[graph->edges + j] = (duet_edge){origin, j, table};
        }
    }
}

static void fill_kinds(moving *m)
{
    size_t q = types_of(m);
    size_t kinds = m->from->kinds;
    for (size_t i = 0; i <= kinds; i++) {
        m->count[i] = i < kinds ? duet_count(m->from, i) : 1;
        for (size_t t = 0; t < q; t++) {
            bool may = i < kinds && t < m->classes;
            m->time[i * q + t] = may ? duet_time(m->from, i, m->class[t].type) : DUET_FORBIDDEN;
        }
    }
    m->time[(kinds + 1) * q - 1] = ORIGIN_TICKS;
}

static duet_code create(moving *m, size_t kinds, size_t edges)
{
    char name[DUET_MAX_TYPES][8];
    duet_type type[DUET_MAX_TYPES];
    for (size_t t = 0; t < types_of(m); t++) {
        snprintf(name[t], sizeof name[t], "p%u", (unsigned)t);
        type[t] = (duet_type){name[t], t < m->classes ? m->class[t].count : 1};
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = types_of(m),
                                     .platform = type,
                                     .kinds = kinds,
                                     .counts = m->count,
                                     .times = m->time,
                                     .edges = edges,
                                     .edge = m->edge,
                                     .cost_tables = m->tables,
                                     .costs = m->cost};
    return duet_instance_create(&desc, &m->to, m->error);
}

static duet_code make(moving *m)
{
    size_t q = types_of(m);
    size_t kinds = m->from->kinds;
    size_t tasks = (size_t)duet_tasks(m->from);
    size_t edges = (size_t)m->from->graph->edges + tasks;
    size_t most = m->from->graph->tables + 1 + tasks;
    m->time = duet_alloc((kinds + 1) * q, sizeof *m->time, m->error);
    DUET_NEED(m->time);
    m->count = duet_alloc(kinds + 1, sizeof *m->count, m->error);
    DUET_NEED(m->count);
    m->edge = duet_alloc(edges, sizeof *m->edge, m->error);
    DUET_NEED(m->edge);
    m->release = duet_alloc(most, sizeof *m->release, m->error);
    DUET_NEED(m->release);
    m->cost = duet_alloc(most * q * q, sizeof *m->cost, m->error);
    DUET_NEED(m->cost);
    expand_tables(m);
    fill_edges(m);
    fill_kinds(m);
    return create(m, kinds + 1, edges);
}

static void free_moving(moving *m)
{
    duet_free(m->time);
    duet_free(m->count);
    duet_free(m->edge);
    duet_free(m->release);
    duet_free(m->cost);
    duet_instance_free(m->to);
}

// --- schedules -----------------------------------------------------------------------------------

// Whether a processor of the type of a class is of that class.
static bool is_of(const moving *m, size_t class, int64_t processor)
{
    const alike *of = &m->class[class];
    return duet_busy_until(m->from, of->type, processor) == of->until;
}

// The number of a processor among those of its class.
static int32_t within_class(const moving *m, size_t class, int64_t processor)
{
    int64_t known = duet_min(processor, listed(m, m->class[class].type));
    int64_t before = processor - known; // all of the same class
    for (int64_t p = 0; p < known; p++) {
        before += is_of(m, class, p);
    }
    return (int32_t)before;
}

// The processor of its type that has that number in a class.
static int32_t within_type(const moving *m, size_t class, int32_t number)
{
    int64_t known = listed(m, m->class[class].type);
    int64_t left = number;
    int64_t p = 0;
    while (p < known && (left > 0 || !is_of(m, class, p))) {
        left -= is_of(m, class, p);
        p++;
    }
    return (int32_t)(p + left);
}

static duet_code move_there(const moving *m, const duet_solution *from, duet_solution **out,
                            duet_error *error)
{
    int64_t tasks = duet_tasks(m->from);
    size_t at = 0;
    DUET_TRY(duet_solution_create_blank(tasks + 1, out, error));
    DUET_TRY(duet_solution_hold_placements(*out, error));
    for (int64_t j = 0; j < tasks; j++) {
        duet_placement place = duet_solution_place(from, j, &at);
        size_t class = class_of(m, (size_t)place.type, place.processor);
        (*out)->placement[j] =
            (duet_placement){.start = place.start + ORIGIN_TICKS,
                             .processor = within_class(m, class, place.processor),
                             .type = (int32_t) class};
    }
    (*out)->placement[tasks] = (duet_placement){.type = (int32_t)m->classes};
    (*out)->makespan = from->makespan + ORIGIN_TICKS;
    (*out)->lower_bound = from->lower_bound + ORIGIN_TICKS;
    snprintf((*out)->bound_name, sizeof(*out)->bound_name, "%s", from->bound_name);
    return DUET_OK;
}

// Takes what is better: the schedule, all of it as much earlier as the origin starts, and the
// bound.
static duet_code move_back(const moving *m, const duet_solution *from, duet_solution *to,
                           duet_error *error)
{
    int64_t tasks = duet_tasks(m->from);
    int64_t begin = from->placement[tasks].start + ORIGIN_TICKS;
    if (from->makespan - begin < to->makespan) {
        DUET_TRY(duet_solution_hold_placements(to, error));
        for (int64_t j = 0; j < tasks; j++) {
            duet_placement place = from->placement[j];
            to->placement[j] =
                (duet_placement){.start = place.start - begin,
                                 .processor = within_type(m, (size_t)place.type, place.processor),
                                 .type = (int32_t)m->class[place.type].type};
        }
        to->makespan = from->makespan - begin;
        snprintf(to->found_by, sizeof to->found_by, "search");
    }
    const duet_bound bound = {.name = "exact", .value = from->lower_bound - ORIGIN_TICKS};
    if (bound.value > to->lower_bound) {
        duet_solution_offer_bound(to, &bound);
    }
    return DUET_OK;
}

static duet_code search(const moving *m, const duet_context *context, int64_t rounds,
                        duet_solution *solution, duet_error *error)
{
    duet_solution *known = NULL;
    duet_solution *found = NULL;
    duet_context inner = *context;
    inner.options = NULL;
    inner.progress = NULL;
    inner.start_from = NULL;
    inner.due = context->due > 0 ? context->due + ORIGIN_TICKS : 0;
    duet_code code = move_there(m, solution, &known, error);
    inner.known = known;
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(m->to), &found, error));
    DUET_THEN(code, duet_graph_exact(m->to, &inner, rounds, NULL, found, error));
    DUET_THEN(code, move_back(m, found, solution, error));
    duet_solution_free(found);
    duet_solution_free(known);
    return code;
}

duet_code duet_released_moved(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_solution *solution, duet_error *error)
{
    moving m = {.from = instance, .error = error};
    if (instance->graph == NULL || instance->moldable != NULL ||
        duet_tasks(instance) > MOST_TASKS || instance->latest > DUET_MAX_WORK / MOST_TASKS / 4 ||
        instance->work > DUET_MAX_WORK / 4) {
        return DUET_OK;
    }
    count_classes(&m);
    duet_code code = m.too_many ? DUET_OK : make(&m);
    if (code == DUET_OK && m.to != NULL) {
        code = search(&m, context, rounds, solution, error);
    }
    free_moving(&m);
    return code;
}
