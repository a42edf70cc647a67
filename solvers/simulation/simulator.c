// SPDX-License-Identifier: Apache-2.0
// Simulation of rules and plans (duet/simulate.h): what is the same in all runs is made once; a run
// draws the real times, lets the rule decide (context->reality) or carries the plan out
// (heuristics/engine/replay.h), and bounds the real times from below.
#include <duet/check.h>
#include <duet/simulate.h>

#include <inttypes.h>

#include "core/instance/noise.h"
#include "core/instance/pins.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "core/system/watch.h"
#include "heuristics/engine/replay.h"
#include "lp/graph/graph.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"
#include "solvers/registry.h"
#include "solvers/run.h"
#include "solvers/simulation/disturbances.h"
#include "solvers/simulation/replanning.h"

struct duet_simulator {
    // Inputs.
    const duet_instance *instance;
    duet_keep keep;
    uint64_t seed;
    duet_context context;
    duet_algorithm row; // of a rule
    bool is_rule;
    // What really happens.
    duet_noises noises;
    duet_disturbance *disturbance;
    size_t disturbances;
    int64_t most_work; // that real times may have in sum
    duet_reality reality;
    // The plan.
    const duet_solution *plan;
    duet_solution *own_plan;    // NULL where it is the caller's
    duet_replanning replanning; // its row is NULL where the plan is kept
    // The last run.
    duet_solution *schedule;
};

bool duet_algorithm_is_rule(const char *name)
{
    const duet_algorithm *row = duet_find_algorithm(name);
    return row != NULL && row->online;
}

// --- one run -------------------------------------------------------------------------------------

// Real times and costs are below 2^62 each, and so ends below 2^63. Slow processors stretch times,
// and lost ones make tasks run again: there is room for both.
static int64_t most_work(const duet_simulator *s)
{
    int64_t slowest = 1;
    int64_t lost = 1;
    for (size_t i = 0; i < s->disturbances; i++) {
        int64_t factor = s->disturbance[i].thousandths / 1000 + 1;
        slowest = duet_max(factor, slowest);
        lost += s->disturbance[i].thousandths == 0;
    }
    return slowest == 1 && lost == 1 ? DUET_MAX_WORK : DUET_MAX_WORK / 4 / slowest / lost;
}

// The schedule of what `reality` holds.
static duet_code carry_out(duet_simulator *s, duet_solution **out, duet_error *error)
{
    s->context.reality = &s->reality;
    duet_reality_reset(&s->reality, s->instance);
    if (s->is_rule) {
        return duet_run_online(s->instance, &s->row, &s->context, out, error);
    }
    DUET_TRY(duet_solution_create_blank(duet_tasks(s->instance), out, error));
    DUET_TRY(duet_solution_hold_placements(*out, error));
    return duet_replay(&s->context, s->plan, s->keep, *out, error);
}

// The best of longest path, area and longest task.
static duet_code bound_below(const duet_simulator *s, int64_t *value, duet_error *error)
{
    const duet_instance *real = &s->reality.real;
    duet_bound path = {.name = NULL};
    duet_code code = duet_cheap_bound(real, value, error);
    if (code == DUET_OK && real->graph != NULL) {
        code = duet_path_bound(real, &s->context, &path, error);
        *value = code == DUET_OK && path.value > *value ? path.value : *value;
        duet_bound_release(&path);
    }
    return code;
}

// Says of a run that was stopped what it was.
static duet_code stopped(const duet_simulator *s, duet_code code, duet_error *error)
{
    if (!duet_context_stop(&s->context)) {
        return code; // another limit
    }
    return duet_error_set(error, code,
                          code == DUET_E_CANCELLED
                              ? "cancelled before the run had ended"
                              : "the time limit came before the run had ended");
}

duet_code duet_simulator_run(duet_simulator *simulator, int64_t run, duet_simulated *out,
                             duet_error *error)
{
    duet_simulator *s = simulator;
    *out = (duet_simulated){.makespan = 0};
    if (run < 0) {
        return duet_error_set(error, DUET_E_USAGE, "run %" PRId64 ": expected one from 0", run);
    }
    duet_solution_free(s->schedule);
    s->schedule = NULL;
    duet_watch watch = {.context = &s->context};
    duet_code code = duet_watch_look(&watch) ? duet_watch_code(&watch, error) : DUET_OK;
    DUET_THEN(code, duet_noises_apply(&s->noises, s->instance, s->seed, (uint64_t)run, s->most_work,
                                      s->reality.real.times, &watch, error));
    DUET_THEN(code, bound_below(s, &out->lower_bound, error));
    DUET_THEN(code, carry_out(s, &s->schedule, error));
    if (code != DUET_OK) {
        return code == DUET_E_LIMIT || code == DUET_E_CANCELLED ? stopped(s, code, error) : code;
    }
    duet_solution_finish(s->schedule, &s->reality.executed);
    out->kept = s->schedule->makespan;
    if (s->replanning.row != NULL) {
        duet_reality_reset(&s->reality, s->instance);
        DUET_TRY(duet_replan_along(s->instance, &s->context, s->plan, &s->replanning, s->schedule,
                                   &out->plans, error));
        duet_solution_finish(s->schedule, &s->reality.executed);
    }
    out->makespan = s->schedule->makespan;
    out->lost = (int64_t)s->schedule->aborted_count;
    out->instance = &s->reality.executed;
    out->schedule = s->schedule;
    return DUET_OK;
}

// --- beginning and end ---------------------------------------------------------------------------

static duet_code check_plan(const duet_instance *instance, const duet_solution *plan,
                            const duet_params *params, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, plan, params, NULL, &fault);
    if (code != DUET_OK && code != DUET_E_INPUT) {
        return duet_error_set(error, code, "the plan was not checked: %s", fault.message);
    }
    if (code != DUET_OK) {
        return duet_error_set_at(error, code, fault.file, fault.line, fault.column,
                                 "the plan is no valid schedule: %s", fault.message);
    }
    return duet_solution_require_ticks(plan, error);
}

// What a rule does if all times are as planned and all processors stay.
static duet_code plan_by_rule(duet_simulator *s, duet_error *error)
{
    DUET_TRY(carry_out(s, &s->own_plan, error));
    duet_solution_finish(s->own_plan, s->instance);
    return DUET_OK;
}

// A plan takes half of the time: the rest is for the runs.
static duet_code plan_by_algorithm(duet_simulator *s, const duet_simulation_desc *desc,
                                   duet_error *error)
{
    const duet_params none = DUET_PARAMS_INIT;
    duet_params params = none;
    duet_code code = desc->params == NULL ? DUET_OK
                                          : duet_struct_take(&params, sizeof params,
                                                             DUET_SIZE_UNTIL(duet_params, registry),
                                                             desc->params, "duet_params", error);
    params.time_limit /= 2;
    return code == DUET_OK ? duet_solve(s->instance, desc->algorithm, &params, &s->own_plan, error)
                           : code;
}

static duet_code make_plan(duet_simulator *s, const duet_simulation_desc *desc, duet_error *error)
{
    duet_code code = DUET_OK;
    if ((desc->algorithm == NULL) == (desc->plan == NULL)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "expected either an algorithm or a plan to simulate");
    }
    if (desc->plan != NULL) {
        s->plan = desc->plan;
        return check_plan(s->instance, desc->plan, desc->params, error);
    }
    DUET_TRY(duet_pick_algorithm(desc->algorithm, &s->context, &s->row, error));
    s->is_rule = s->row.online;
    code = s->is_rule ? plan_by_rule(s, error) : plan_by_algorithm(s, desc, error);
    s->plan = s->own_plan;
    return code;
}

// The processors that a plan uses are simulated, whatever their number.
static duet_code count_used(duet_simulator *s, duet_error *error)
{
    size_t at = 0;
    int64_t *used = s->reality.used;
    uint64_t processors = 0;
    for (int64_t j = 0; j < duet_tasks(s->instance); j++) {
        duet_placement placed = duet_solution_place(s->plan, j, &at);
        int64_t needed = placed.processor + 1;
        used[placed.type] = duet_max(needed, used[placed.type]);
    }
    for (size_t t = 0; t < s->instance->types; t++) {
        processors += (uint64_t)used[t];
    }
    enum { per_processor = 128 };
    return duet_memory_check(processors, per_processor, s->context.memory_limit,
                             "the simulation of all processors", error);
}

// Plans are made again by rows that take the time that they take.
static duet_code set_replanning(duet_simulator *s, const duet_simulation_desc *desc,
                                duet_error *error)
{
    bool fails = false;
    if (desc->replan == NULL) {
        return DUET_OK;
    }
    for (size_t i = 0; i < s->disturbances; i++) {
        fails = fails || s->disturbance[i].thousandths == 0;
    }
    const duet_algorithm *row = duet_find_algorithm(desc->replan);
    const duet_demand demand = {.features =
                                    duet_instance_features(s->instance) | DUET_FEATURE_WAITS,
                                .types = s->instance->types};
    const duet_rows rows = {"algorithm", duet_algorithm_entry, NULL};
    if (row == NULL || row->pace.searches) {
        return duet_error_set(error, DUET_E_USAGE,
                              "replanning by '%.40s': expected an algorithm that does not search, "
                              "such as heft or eft",
                              desc->replan);
    }
    if (s->is_rule || fails || desc->replan_every < 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              s->is_rule ? "replanning: expected a plan, and this is a rule that "
                                           "decides while tasks run"
                              : fails    ? "replanning: expected processors that stay (no --fail)"
                                         : "replanning: expected a time above 0");
    }
    s->replanning = (duet_replanning){row, desc->replan_every};
    return duet_require_handled(&row->entry, demand, &rows, error);
}

static bool pins_any_task(const duet_instance *instance)
{
    bool any = false;
    for (size_t kind = 0; kind < instance->kinds && !any; kind++) {
        any = duet_pin_of(instance, kind) != NULL;
    }
    return any;
}

static duet_code create(duet_simulator *s, const duet_simulation_desc *desc, duet_error *error)
{
    duet_code code = duet_context_init(&s->context, desc->params, error);
    duet_watch watch = {.context = &s->context};
    DUET_THEN(code, duet_instance_ready(s->instance, error));
    if (code == DUET_OK && s->instance->pins != NULL) {
        code = duet_error_set(
            error, DUET_E_UNSUPPORTED, "simulations do not handle what this instance has: %s",
            pins_any_task(s->instance) ? "fixed tasks" : "processors that are left out");
    }
    if (code == DUET_OK && (duet_instance_features(s->instance) & DUET_FEATURE_MOLDABLE) != 0) {
        code = duet_error_set(error, DUET_E_UNSUPPORTED,
                              "simulations are of tasks on one processor each, and these are "
                              "moldable");
    }
    if (code == DUET_OK && duet_tasks(s->instance) > DUET_MAX_GRAPH) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "%" PRId64 " tasks: a simulation expects at most %" PRId64,
                              duet_tasks(s->instance), DUET_MAX_GRAPH);
    }
    for (size_t i = 0; i < desc->noises && code == DUET_OK; i++) {
        code = duet_noises_add(&s->noises, s->instance, desc->noise[i], error);
    }
    DUET_THEN(code,
              duet_read_disturbances(s->instance, desc, &s->disturbance, &s->disturbances, error));
    if (code == DUET_OK) {
        enum { per_task = 96 }; // of a run, besides its times
        code = duet_memory_check((uint64_t)duet_tasks(s->instance),
                                 per_task + 3 * s->instance->types * sizeof(int64_t),
                                 s->context.memory_limit, "the simulation of all tasks", error);
    }
    DUET_THEN(code, duet_reality_create(s->instance, &s->reality, &watch, error));
    DUET_THEN(code, make_plan(s, desc, error));
    if (code == DUET_OK && !s->is_rule) {
        code = count_used(s, error);
    }
    DUET_THEN(code, set_replanning(s, desc, error));
    s->most_work = most_work(s);
    s->reality.disturbance = s->disturbance;
    s->reality.disturbances = s->disturbances;
    return code;
}

duet_code duet_simulator_create(const duet_instance *instance, const duet_simulation_desc *desc,
                                duet_simulator **out, duet_error *error)
{
    duet_simulation_desc given = {.struct_size = sizeof given};
    *out = NULL;
    duet_code code =
        duet_struct_take(&given, sizeof given, DUET_SIZE_UNTIL(duet_simulation_desc, params), desc,
                         "duet_simulation_desc", error);
    duet_simulator *s = code == DUET_OK ? duet_alloc(1, sizeof *s, error) : NULL;
    if (s == NULL) {
        return code == DUET_OK ? DUET_E_MEMORY : code;
    }
    s->instance = instance;
    s->keep = given.keep;
    s->seed = given.seed;
    duet_memory_scope scope;
    code = duet_context_limit_memory(&scope, given.params, error);
    if (code == DUET_OK) {
        code = create(s, &given, error);
        duet_memory_end(&scope);
    }
    if (code != DUET_OK) {
        duet_simulator_free(s);
        return code;
    }
    *out = s;
    return DUET_OK;
}

void duet_simulator_free(duet_simulator *simulator)
{
    if (simulator != NULL) {
        duet_noises_free(&simulator->noises);
        duet_free(simulator->disturbance);
        duet_reality_free(&simulator->reality);
        duet_solution_free(simulator->own_plan);
        duet_solution_free(simulator->schedule);
        duet_free(simulator);
    }
}

const duet_solution *duet_simulator_plan(const duet_simulator *simulator)
{
    return simulator->plan;
}

bool duet_simulator_is_rule(const duet_simulator *simulator)
{
    return simulator->is_rule;
}
