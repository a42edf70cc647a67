// SPDX-License-Identifier: Apache-2.0
// Which plan goes to StarPU, and how it is said: judged by what a runtime makes of it on a machine
// with a bus.
#include "cli/outputs.h"

#include <stdio.h>
#include <string.h>

#include <duet/bus.h>
#include <duet/solve.h>

#include "console/deadline.h"
#include "console/print.h"
#include "core/instance/instance.h"
#include "core/instance/part.h"
#include "core/solution/solution.h"
#include "core/system/path.h"
#include "core/system/try.h"

static const char *const rules[] = {"hoft", "heft-min", "peft", "heft"};

typedef struct contest {
    const duet_cli_judge *judge;
    const duet_instance *instance;
    duet_bus *bus;
    duet_solution *best; // NULL: none yet
    int64_t makespan;    // of it, as a runtime carries it out
} contest;

// A plan becomes the best one. Takes it over.
static void take(contest *c, const char *name, bool relocated, duet_solution *plan,
                 duet_sched_form form, int64_t makespan)
{
    char time[32];
    duet_solution_free(c->best);
    snprintf(plan->algorithm, sizeof plan->algorithm, "%.20s%s", name,
             relocated ? ", relocated" : "");
    plan->sched = form;
    snprintf(plan->note, sizeof plan->note, "on the bus by %s: %s %s",
             form == DUET_SCHED_TYPES ? "types" : "nodes",
             duet_instance_format_time(c->instance, makespan, time), c->instance->time_unit);
    c->best = plan;
    c->makespan = makespan;
}

static duet_code copy(const contest *c, const duet_solution *plan, duet_solution **out,
                      duet_error *error)
{
    const duet_placement *placed = duet_solution_placements(plan);
    DUET_TRY(placed == NULL ? duet_error_set(error, DUET_E_MEMORY, "out of memory") : DUET_OK);
    DUET_TRY(duet_solution_create(duet_solution_tasks(plan), out, error));
    memcpy((*out)->placement, placed, (size_t)duet_solution_tasks(plan) * sizeof *placed);
    duet_solution_finish(*out, c->instance);
    return DUET_OK;
}

static duet_code judge_forms(contest *c, const char *name, bool relocated,
                             const duet_solution *plan, duet_error *error)
{
    static const duet_bus_keep keeps[] = {DUET_BUS_PRIORITIES, DUET_BUS_NODES};
    static const duet_sched_form forms[] = {DUET_SCHED_TYPES, DUET_SCHED_NODES};
    for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++) {
        duet_bus_run run;
        duet_solution *own = NULL;
        DUET_TRY(duet_bus_carry_out(c->bus, c->instance, plan, keeps[i], NULL, &run, error));
        if (c->best == NULL || run.makespan < c->makespan) {
            DUET_TRY(copy(c, plan, &own, error));
            take(c, name, relocated, own, forms[i], run.makespan);
        }
    }
    return DUET_OK;
}

static duet_code judge_plan(contest *c, const char *name, const duet_solution *plan,
                            duet_error *error)
{
    duet_solution *relocated = NULL;
    duet_bus_run run;
    duet_code code = judge_forms(c, name, false, plan, error);
    DUET_THEN(code, duet_bus_carry_out(c->bus, c->instance, plan, DUET_BUS_TYPES, &relocated, &run,
                                       error));
    DUET_THEN(code, judge_forms(c, name, true, relocated, error));
    duet_solution_free(relocated);
    return code;
}

// A rule that does not handle the instance, or for which no time is left, is passed over.
static duet_code try_rule(contest *c, const duet_instance *instance, const char *name,
                          duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_solution *plan = NULL;
    duet_params params = duet_cli_params_left(c->judge->args);
    params.options = NULL;
    duet_code code = duet_solve(instance, name, &params, &plan, &why);
    if (code != DUET_OK) {
        return code == DUET_E_MEMORY ? duet_error_set(error, code, "out of memory") : DUET_OK;
    }
    code = judge_plan(c, name, plan, error);
    duet_solution_free(plan);
    return code;
}

static bool has_costs(const contest *c)
{
    return c->instance->graph != NULL && c->instance->graph->tables > 0;
}

static duet_code try_rules(contest *c, duet_error *error)
{
    duet_instance without = {0};
    duet_graph graph;
    bool costs = has_costs(c);
    if (costs) {
        duet_instance_without_costs(c->instance, &without, &graph);
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        DUET_TRY(try_rule(c, c->instance, rules[i], error));
        DUET_TRY(costs ? try_rule(c, &without, rules[i], error) : DUET_OK);
    }
    return DUET_OK;
}

// Whether the file of the instance says what the machine is, and transfers count (-O data=false).
static bool has_machine(const contest *c)
{
    const duet_origin *origin = c->instance->origin;
    return has_costs(c) && origin != NULL && origin->submit_order != NULL &&
           origin->worker != NULL && origin->tile != NULL;
}

static duet_code judge_all(contest *c, const char *file, const duet_solution *solution,
                           duet_error *error)
{
    DUET_TRY(duet_bus_read(file, c->instance, &c->bus, error));
    DUET_TRY(judge_plan(c, duet_solution_algorithm(solution), solution, error));
    return c->judge->rules ? try_rules(c, error) : DUET_OK;
}

duet_code duet_cli_judge_trace(const duet_cli_judge *judge, const char *trace,
                               const duet_instance *instance, const duet_solution *solution,
                               duet_solution **judged, duet_error *error)
{
    contest c = {.judge = judge, .instance = instance};
    const char *file = judge->bus != NULL ? judge->bus : judge->args->files[0];
    *judged = NULL;
    if (trace == NULL || !duet_path_ends(trace, ".rec") || instance->sched != DUET_SCHED_ANY ||
        (judge->bus == NULL && (!has_machine(&c) || strcmp(file, "-") == 0))) {
        return DUET_OK;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code = judge_all(&c, file, solution, &why);
    duet_bus_free(c.bus);
    if (code == DUET_OK) {
        *judged = c.best;
        return DUET_OK;
    }
    duet_solution_free(c.best);
    if (judge->bus != NULL || code == DUET_E_MEMORY || code == DUET_E_CANCELLED) {
        *error = why;
        return code;
    }
    if (!judge->args->quiet) {
        duet_cli_print(stderr, "duet: note: %s: not judged on a machine with a bus: %s\n", trace,
                       why.message);
    }
    return DUET_OK;
}
