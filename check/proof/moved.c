// SPDX-License-Identifier: Apache-2.0
// Whether a moved instance is one of an instance, clause by clause of docs/problem.md.
#include "check/proof/proof.h"

#include "core/instance/graph.h"
#include "core/number/minmax.h"

// Processors of a type that are busy until a time.
static int64_t count_busy_until(const duet_instance *from, size_t type, int64_t until)
{
    int64_t listed = duet_min(from->busy_count[type], from->processors[type]);
    int64_t count = until == 0 ? from->processors[type] - listed : 0;
    for (int64_t p = 0; p < listed; p++) {
        count += duet_busy_until(from, type, p) == until;
    }
    return count;
}

// Each processor is in one class, by its type and the time until which it is busy.
static bool has_processors(const duet_instance *from, const duet_moved *moved)
{
    const duet_instance *to = moved->instance;
    int64_t all = 0;
    int64_t counted = 0;
    if (to->types != moved->classes + 1 || to->processors[moved->classes] != 1) {
        return false;
    }
    for (size_t t = 0; t < to->types; t++) {
        if (to->busy_count[t] != 0) {
            return false;
        }
    }
    for (size_t t = 0; t < from->types; t++) {
        all += from->processors[t];
    }
    for (size_t c = 0; c < moved->classes; c++) {
        const duet_moved_class *class = &moved->class[c];
        for (size_t d = 0; d < c; d++) {
            if (moved->class[d].type == class->type && moved->class[d].until == class->until) {
                return false;
            }
        }
        if (class->type >= from->types || class->until < 0 || class->count != to->processors[c] ||
            class->count != count_busy_until(from, class->type, class->until)) {
            return false;
        }
        counted += class->count;
    }
    return counted == all;
}

// The tasks are those of the instance, with their times, and the source behind them. No one is
// released later than at 0.
static bool has_tasks(const duet_instance *from, const duet_moved *moved)
{
    const duet_instance *to = moved->instance;
    size_t kinds = from->kinds;
    if (to->kinds != kinds + 1 || duet_count(to, kinds) != 1 ||
        duet_time(to, kinds, moved->classes) != DUET_MOVED_TICKS) {
        return false;
    }
    for (size_t i = 0; i <= kinds; i++) {
        if (duet_release(to, i) != 0 || (i < kinds && to->first[i + 1] != from->first[i + 1])) {
            return false;
        }
        for (size_t c = 0; c < moved->classes; c++) {
            size_t type = moved->class[c].type;
            bool may = i < kinds && duet_allowed(from, i, type);
            if (duet_allowed(to, i, c) != may ||
                (may && duet_time(to, i, c) != duet_time(from, i, type))) {
                return false;
            }
        }
        if (i < kinds && duet_allowed(to, i, moved->classes)) {
            return false;
        }
    }
    return true;
}

// An edge of the instance joins the same tasks and costs no more than there.
static bool has_edge(const duet_instance *from, const duet_moved *moved, int64_t e)
{
    const duet_graph *old = from->graph;
    const duet_graph *graph = moved->instance->graph;
    if (graph->tail[e] != old->tail[e] || graph->head[e] != old->head[e]) {
        return false;
    }
    for (size_t a = 0; a < moved->classes; a++) {
        for (size_t b = 0; b < moved->classes; b++) {
            size_t x = moved->class[a].type;
            size_t y = moved->class[b].type;
            if (duet_graph_cost(graph, e, a, b) > duet_graph_cost(old, e, x, y)) {
                return false;
            }
        }
    }
    return true;
}

// An edge of the source asks for no more than the task's release and what the processors are busy.
static bool has_wait(const duet_instance *from, const duet_moved *moved, int64_t e, size_t kind)
{
    const duet_graph *graph = moved->instance->graph;
    for (size_t c = 0; c < moved->classes; c++) {
        int64_t wait = duet_max(duet_release(from, kind), moved->class[c].until);
        if (duet_graph_cost(graph, e, moved->classes, c) > wait) {
            return false;
        }
    }
    return true;
}

static bool has_edges(const duet_instance *from, const duet_moved *moved)
{
    const duet_graph *graph = moved->instance->graph;
    int64_t edges = from->graph == NULL ? 0 : from->graph->edges;
    int64_t source = duet_tasks(from);
    if (graph == NULL || graph->edges != edges + source) {
        return false;
    }
    for (int64_t e = 0; e < edges; e++) {
        if (!has_edge(from, moved, e)) {
            return false;
        }
    }
    size_t kind = 0;
    for (int64_t j = 0; j < source; j++) {
        int64_t e = edges + j;
        while (from->first[kind + 1] <= j) {
            kind++;
        }
        if (graph->tail[e] != source || graph->head[e] != j || !has_wait(from, moved, e, kind)) {
            return false;
        }
    }
    return true;
}

const char *duet_proof_moved_differs(const duet_instance *from, const duet_moved *moved)
{
    if (!has_processors(from, moved)) {
        return "processors";
    }
    if (!has_tasks(from, moved)) {
        return "tasks";
    }
    return has_edges(from, moved) ? NULL : "edges";
}
