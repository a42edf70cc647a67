// SPDX-License-Identifier: Apache-2.0
// Schedules between ticks (docs/problem.md): their times in finer ticks, rounded down to whole
// ones, and the same instance in finer ticks.
//
// Rounding every start of a valid schedule down to a tick leaves a valid schedule. Times and costs
// are whole ticks, so that an end or an arrival has the fraction of its start: s_j >= s_i + p + c
// gives floor(s_j) >= floor(s_i) + p + c.
#include <string.h>

#include "core/instance/available.h"
#include "core/instance/clock.h"
#include "core/instance/graph.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/instance/pick.h"
#include "core/instance/pins.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_solution_require_ticks(const duet_solution *solution, duet_error *error)
{
    return solution->finer == 0
               ? DUET_OK
               : duet_error_set(
                     error, DUET_E_USAGE,
                     "the schedule starts tasks between ticks: expected duet_solution_refine() or "
                     "duet_solution_to_ticks() before");
}

int duet_solution_finer(const duet_solution *solution)
{
    return solution->finer;
}

static int64_t round_down(int64_t time, int64_t scale)
{
    return time / scale - (time % scale < 0);
}

// What it claims is about other ticks.
static void drop_claims(duet_solution *solution)
{
    solution->finer = 0;
    duet_solution_drop_bound(solution);
}

void duet_solution_to_ticks(duet_solution *solution, const duet_instance *instance)
{
    int64_t scale = duet_finer_scale(solution->finer);
    if (scale == 1) {
        return;
    }
    for (int64_t j = 0; j < solution->tasks && solution->placement != NULL; j++) {
        solution->placement[j].start = round_down(solution->placement[j].start, scale);
    }
    for (size_t a = 0; a < solution->aborted_count; a++) {
        duet_aborted *run = &solution->aborted[a];
        int64_t time =
            duet_time(instance, duet_instance_kind_of(instance, run->task), (size_t)run->type);
        run->start = round_down(run->start, scale);
        run->end = round_down(run->end, scale);
        if (time != DUET_FORBIDDEN && run->end >= run->start + time) {
            run->end = run->start + time - 1; // shorter than the task itself
        }
    }
    drop_claims(solution);
    duet_solution_finish(solution, instance);
}

// What is copied; each is owned.
typedef struct copied {
    duet_type *platform;
    const char **ids;
    int64_t *counts;
    int64_t *times;
    duet_edge *edge;
    int64_t *costs;
} copied;

static duet_code allocate(const duet_instance *instance, copied *c, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    size_t cells = graph == NULL ? 0 : graph->tables * instance->types * instance->types;
    c->platform = duet_alloc(instance->types, sizeof *c->platform, error);
    c->ids = duet_alloc(instance->kinds, sizeof *c->ids, error);
    c->counts = duet_alloc(instance->kinds, sizeof *c->counts, error);
    c->times = duet_alloc(instance->kinds * instance->types, sizeof *c->times, error);
    c->edge = duet_alloc(graph == NULL ? 0 : (size_t)graph->edges, sizeof *c->edge, error);
    c->costs = duet_alloc(cells, sizeof *c->costs, error);
    bool room = c->platform != NULL && c->ids != NULL && c->counts != NULL && c->times != NULL &&
                c->edge != NULL && c->costs != NULL;
    return room ? DUET_OK : DUET_E_MEMORY;
}

// A time in finer ticks; false where it is too long.
static bool refine(int64_t time, int64_t scale, int64_t *out)
{
    *out = time;
    return time == DUET_FORBIDDEN ||
           (!__builtin_mul_overflow(time, scale, out) && *out <= DUET_MAX_WORK);
}

// A copy of an array of decimals, one for each kind; none where `from` is NULL.
static duet_code copy_decimals(const duet_decimal *from, size_t kinds, duet_decimal **to,
                               duet_error *error)
{
    if (from != NULL) {
        *to = duet_alloc(kinds, sizeof **to, error);
        DUET_NEED(*to);
        memcpy(*to, from, kinds * sizeof **to);
    }
    return DUET_OK;
}

// The tables of finer costs may be numbered otherwise, their edges are not. Where edges with
// different amounts share a table, or one takes no time, the costs alone count.
static duet_code copy_amounts(const duet_graph *from, duet_graph *to, duet_error *error)
{
    if (from == NULL || from->amount == NULL || to->transfer == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_copy_amounts(from, to, error));
    duet_free(to->amount);
    to->amount = duet_alloc(to->tables, sizeof *to->amount, error);
    DUET_NEED(to->amount);
    bool same = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = 0; e < to->edges; e++) {
            uint32_t table = from->transfer[e];
            int64_t amount = table == 0 ? -1 : from->amount[table]; // 0: no data at all
            same = same && (to->transfer[e] != 0 || amount < 0) &&
                   (pass == 0 || to->amount[to->transfer[e]] == amount);
            to->amount[to->transfer[e]] = amount;
        }
    }
    if (!same) {
        duet_graph_forget_amounts(to);
    }
    return DUET_OK;
}

// What is said in units, whatever the ticks, or in none.
static duet_code copy_said(const duet_instance *from, duet_instance *to, duet_error *error)
{
    to->sched = from->sched;
    to->now = from->now;
    duet_copy_watts(from, to);
    DUET_TRY(copy_decimals(from->deadline, from->kinds, &to->deadline, error));
    DUET_TRY(copy_decimals(from->priority, from->kinds, &to->priority, error));
    DUET_TRY(copy_amounts(from->graph, to->graph, error));
    return duet_copy_origin(from, to, error);
}

static duet_code copy_pins(const duet_instance *from, int64_t scale, duet_instance *to,
                           duet_error *error)
{
    DUET_TRY(duet_pins_copy(from, to, error));
    for (size_t i = 0; to->pins != NULL && i < to->kinds; i++) {
        duet_pin *pin = &to->pins->pin[i];
        if (!refine(pin->start, scale, &pin->start) || !refine(pin->end, scale, &pin->end)) {
            return duet_error_set(error, DUET_E_LIMIT, "a fixed time too long for finer ticks");
        }
        to->latest = pin->end == DUET_FORBIDDEN ? to->latest : duet_max(pin->end, to->latest);
    }
    for (size_t i = 0; to->pins != NULL && i < to->pins->given_ups; i++) {
        duet_given_up *run = &to->pins->given_up[i];
        if (!refine(run->start, scale, &run->start) || !refine(run->end, scale, &run->end)) {
            return duet_error_set(error, DUET_E_LIMIT, "a fixed time too long for finer ticks");
        }
    }
    return DUET_OK;
}

static bool copy(const duet_instance *instance, int64_t scale, copied *c)
{
    const duet_graph *graph = instance->graph;
    bool fits = true;
    for (size_t t = 0; t < instance->types; t++) {
        c->platform[t] = (duet_type){instance->type_names[t], instance->processors[t]};
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        c->ids[i] = duet_instance_kind_id(instance, i);
        c->counts[i] = duet_count(instance, i);
    }
    for (size_t at = 0; at < instance->kinds * instance->types; at++) {
        fits = fits && refine(instance->times[at], scale, &c->times[at]);
    }
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        c->edge[e] = (duet_edge){graph->tail[e], graph->head[e],
                                 graph->transfer == NULL ? 0 : graph->transfer[e]};
    }
    size_t cells = graph == NULL ? 0 : graph->tables * instance->types * instance->types;
    for (size_t at = 0; at < cells; at++) {
        fits = fits && refine(graph->cost[at], scale, &c->costs[at]);
    }
    return fits;
}

// What the instance claims; false where that is nothing, or too long.
static bool refine_claim(const duet_instance *instance, int64_t scale, duet_claim *claim)
{
    if (instance->claim == NULL) {
        return false;
    }
    *claim = instance->claim->claim;
    return refine(claim->optimum, scale, &claim->optimum) &&
           refine(claim->makespan, scale, &claim->makespan);
}

// Makes the instance of what was copied.
static duet_code build(const duet_instance *instance, int places, const copied *c,
                       duet_instance **out, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    duet_claim claim;
    bool claims = refine_claim(instance, duet_finer_scale(places), &claim);
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = instance->name,
                                     .time_unit = instance->time_unit,
                                     .decimals = instance->decimals + places,
                                     .types = instance->types,
                                     .platform = c->platform,
                                     .kinds = instance->kinds,
                                     .ids = c->ids,
                                     .counts = c->counts,
                                     .times = c->times,
                                     .edges = graph == NULL ? 0 : (size_t)graph->edges,
                                     .edge = c->edge,
                                     .cost_tables = graph == NULL ? 0 : graph->tables,
                                     .costs = c->costs,
                                     .claim = claims ? &claim : NULL};
    duet_code code = duet_instance_create(&desc, out, error);
    DUET_THEN(code, duet_copy_busy(instance, duet_finer_scale(places), *out, error));
    DUET_THEN(code, duet_copy_labels(instance, *out, error));
    DUET_THEN(code, duet_copy_releases(instance, duet_finer_scale(places), *out, error));
    DUET_THEN(code, copy_said(instance, *out, error));
    DUET_THEN(code, copy_pins(instance, duet_finer_scale(places), *out, error));
    if (code != DUET_OK) {
        duet_instance_free(*out);
        *out = NULL;
    }
    return code;
}

duet_code duet_instance_refine(const duet_instance *instance, int places, duet_instance **out,
                               duet_error *error)
{
    copied c = {.ids = NULL};
    *out = NULL;
    if (instance->moldable != NULL || instance->decimals + places > DUET_MAX_DECIMALS) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "no finer ticks: expected sequential tasks, and at most %d "
                              "decimal places",
                              DUET_MAX_DECIMALS);
    }
    duet_code code = allocate(instance, &c, error);
    if (code == DUET_OK && !copy(instance, duet_finer_scale(places), &c)) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "a time too long for ticks that are finer by %d places", places);
    }
    DUET_THEN(code, build(instance, places, &c, out, error));
    duet_free(c.platform);
    duet_free(c.ids);
    duet_free(c.counts);
    duet_free(c.times);
    duet_free(c.edge);
    duet_free(c.costs);
    return code;
}

duet_code duet_solution_refine(duet_solution *solution, const duet_instance *instance,
                               duet_instance **out, duet_error *error)
{
    DUET_TRY(duet_instance_refine(instance, solution->finer, out, error));
    if (solution->finer > 0) {
        drop_claims(solution);
    }
    return DUET_OK;
}
