// SPDX-License-Identifier: Apache-2.0
// Schedules and bounds of a task graph stage by stage; see series.h.
// Method:    whatever the schedule, a stage begins when the one before it has ended. So the optimum
//            is the sum of the stages' optima, and schedules and bounds add up. A stage of
//            independent tasks is for what solves such sets, which knows far more of them.
// Cost:      that of the stages, and O(tasks) for each that has more than one task.
// Memory:    that of the largest stage.
// Reference: docs/theory/graphs.md.
#include "core/instance/available.h"
#include "core/instance/part.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "solvers/graph/series/series.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

enum {
    // Tasks that are looked at for all stages of more than one task, at most.
    LOOKS = 1 << 28,
    // Smaller graphs are searched as a whole: that proves bounds by lines, and stages do not.
    LEAST_TASKS = 200
};

typedef struct staged {
    const duet_instance *instance;
    const duet_context *context;
    duet_series stages;
    duet_series_area *area; // Of each stage.
    duet_solution *made;    // The schedules so far, one after another.
    int64_t end;            // When they end.
    int64_t lower;          // The sum of the stages' bounds.
} staged;

// Whether edges lead from a task of the stage to another one.
static bool is_independent(const duet_instance *instance, const duet_series *stages, int64_t stage)
{
    const duet_graph *graph = instance->graph;
    const int32_t *task = stages->task + stages->begin[stage];
    int64_t count = stages->begin[stage + 1] - stages->begin[stage];
    int64_t inner = 0;
    // Between two stages the last tasks and the first ones are all joined: an edge is an inner one
    // if its head is a member. Members rise.
    for (int64_t i = 0; i < count && inner == 0; i++) {
        for (int64_t k = graph->leave_at[task[i]]; k < graph->leave_at[task[i] + 1]; k++) {
            int32_t to = graph->head[graph->leaving[k]];
            int64_t low = 0;
            int64_t high = count;
            while (low < high) {
                int64_t middle = low + (high - low) / 2;
                if (task[middle] < to) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            inner += low < count && task[low] == to ? 1 : 0;
        }
    }
    return inner == 0;
}

// Whether the stages are worth it: several of them are graphs or sets, or the only one is a set.
static bool has_series(const duet_instance *instance, const duet_series *stages)
{
    int64_t many = 0;
    int64_t large = 0;
    for (int64_t i = 0; i < stages->count; i++) {
        if (stages->begin[i + 1] - stages->begin[i] > 1) {
            many++;
            large = i;
        }
    }
    bool apart =
        many > 1 || (many == 1 && stages->count > 1 && is_independent(instance, stages, large));
    return apart && many * duet_tasks(instance) <= LOOKS;
}

// The part of the time that a stage has, by its share of the tasks that are left.
static duet_context context_of(const staged *s, int64_t stage)
{
    duet_context part = *s->context;
    double left = duet_context_seconds_left(s->context);
    int64_t tasks = s->stages.begin[stage + 1] - s->stages.begin[stage];
    int64_t rest = s->stages.begin[s->stages.count] - s->stages.begin[stage];
    if (part.deadline_ns != INT64_MAX) {
        part.start_ns = duet_clock_ns();
        part.deadline_ns =
            part.start_ns + (int64_t)(left * 1e9 * (double)tasks / (double)duet_max(rest, 1));
    }
    part.options = NULL;
    part.known = NULL;
    part.start_from = NULL;
    part.progress = NULL;
    part.due = 0;
    return part;
}

static void place_single(staged *s, int64_t stage)
{
    int32_t task = s->stages.task[s->stages.begin[stage]];
    size_t kind = duet_instance_kind_of(s->instance, task);
    size_t type = duet_least_time(s->instance, kind, DUET_TIE_EARLIER);
    s->made->placement[task] = (duet_placement){s->end, 0, (int32_t)type};
    s->end += duet_time(s->instance, kind, type);
    s->lower += duet_time(s->instance, kind, type);
}

static void take_area(staged *s, const duet_instance *part, const duet_context *context,
                      int64_t stage)
{
    duet_bound bound = {.name = NULL};
    if (part->types == 2) {
        if (duet_area_bound(part, context, &bound, NULL) != DUET_OK) {
            return;
        }
    } else {
        bound = duet_area_estimate(part);
    }
    s->area[stage].value = bound.value;
    for (size_t t = 0; t < part->types; t++) {
        s->area[stage].weight[t] = bound.certificate.weight[t];
    }
    duet_bound_release(&bound);
}

static void append(staged *s, int64_t stage, const duet_solution *solution)
{
    const int32_t *task = s->stages.task + s->stages.begin[stage];
    size_t at = 0;
    for (int64_t i = 0; i < solution->tasks; i++) {
        duet_placement placed = duet_solution_place(solution, i, &at);
        placed.start += s->end;
        s->made->placement[task[i]] = placed;
    }
    s->end += solution->makespan;
    s->lower += solution->lower_bound;
}

static duet_code solve_stage(staged *s, int64_t stage, duet_error *error)
{
    int64_t begin = s->stages.begin[stage];
    int64_t count = s->stages.begin[stage + 1] - begin;
    duet_instance *part = NULL;
    duet_solution *solution = NULL;
    if (count == 1) {
        place_single(s, stage);
        return DUET_OK;
    }
    DUET_TRY(duet_instance_part(s->instance, s->stages.task + begin, count, &part, error));
    duet_context context = context_of(s, stage);
    bool ends = context.deadline_ns != INT64_MAX;
    const duet_algorithm *row = part->graph != NULL ? &duet_algorithm_exact
                                : ends              ? &duet_algorithm_auto
                                                    : &duet_algorithm_local_search;
    take_area(s, part, &context, stage);
    duet_code code = duet_run_algorithm(part, row, &context, &solution, error);
    if (code == DUET_OK) {
        append(s, stage, solution);
    }
    duet_solution_free(solution);
    duet_instance_free(part);
    return code;
}

static duet_code offer(staged *s, bool proven, duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    s->made->makespan = s->end;
    if (s->end < solution->makespan) {
        duet_solution_swap_schedules(solution, s->made);
    }
    DUET_TRY(duet_series_certify(s->instance, s->context, &s->stages, s->area, &bound, error));
    if (!proven || bound.certificate.proof == DUET_PROOF_LINES) {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_bound_release(&bound);
    if (!proven) {
        duet_solution_offer_bound(solution,
                                  &(const duet_bound){.name = "series", .value = s->lower});
    }
    return DUET_OK;
}

static bool may_have_series(const duet_instance *instance)
{
    return instance->graph != NULL && instance->graph->transfer == NULL &&
           instance->moldable == NULL && duet_is_available(instance);
}

bool duet_graph_is_series(const duet_instance *instance)
{
    if (instance->graph == NULL || instance->graph->tasks < LEAST_TASKS) {
        return false;
    }
    duet_series stages;
    if (!may_have_series(instance) || duet_series_find(instance, &stages, NULL) != DUET_OK) {
        return false;
    }
    bool worth = has_series(instance, &stages);
    duet_series_free(&stages);
    return worth;
}

duet_code duet_graph_offer_series(const duet_instance *instance, const duet_context *context,
                                  bool proven, duet_solution *solution, duet_error *error)
{
    if (!may_have_series(instance)) {
        return DUET_OK;
    }
    staged s = {.instance = instance, .context = context};
    DUET_TRY(duet_series_find(instance, &s.stages, error));
    duet_code code = DUET_OK;
    if (has_series(instance, &s.stages)) {
        s.area = duet_alloc((size_t)s.stages.count, sizeof *s.area, error);
        code = s.area == NULL ? DUET_E_MEMORY
                              : duet_solution_create_blank(solution->tasks, &s.made, error);
        DUET_THEN(code, duet_solution_hold_placements(s.made, error));
        for (int64_t i = 0; code == DUET_OK && i < s.stages.count; i++) {
            code = solve_stage(&s, i, error);
        }
        DUET_THEN(code, offer(&s, proven, solution, error));
    }
    duet_solution_free(s.made);
    duet_free(s.area);
    duet_series_free(&s.stages);
    return code == DUET_E_LIMIT ? DUET_OK : code; // there are schedules
}
