// SPDX-License-Identifier: Apache-2.0
#include "starpu/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct contest {
    const duet_starpu_snapshot *snapshot;
    const duet_starpu_settings *settings;
    const duet_cancel *cancel;
    duet_instance *instance[2]; // without costs, with them
    duet_bus *bus;              // for both: tasks are the same
    duet_solution *best;        // as it was carried out
    int64_t makespan;
    int64_t score; // what it is judged by
    int64_t bound;
    double until; // of seconds_now()
    char algorithm[48];
    bool relocated;
    char *left_out; // of DUET_STARPU_LEFT_OUT bytes
} contest;

void duet_starpu_plan_free(duet_starpu_plan *plan)
{
    free(plan->place);
    *plan = (duet_starpu_plan){.place = NULL};
}

// --- candidates ----------------------------------------------------------------------------------

// Transfers share links more or less at random, and what waits for them waits longer than on the
// bus, where they come in the order of the plan. So a plan that waits much is worth less than its
// makespan says: by what it waits in the mean of the nodes.
static int64_t score_of(const duet_bus_run *run)
{
    return run->makespan + run->waiting / (int64_t)starpu_memory_nodes_get_count();
}

static duet_code judge(contest *c, const char *name, const duet_solution *planned, bool relocated,
                       duet_error *error)
{
    duet_bus_run run;
    duet_solution *carried = NULL;
    duet_code code =
        duet_bus_carry_out(c->bus, c->instance[0], planned,
                           relocated ? DUET_BUS_TYPES : DUET_BUS_PLACES, &carried, &run, error);
    if (code != DUET_OK) {
        return code;
    }
    if (c->best != NULL && score_of(&run) >= c->score) {
        duet_solution_free(carried);
        return DUET_OK;
    }
    duet_solution_free(c->best);
    c->best = carried;
    c->makespan = run.makespan;
    c->score = score_of(&run);
    c->relocated = relocated;
    snprintf(c->algorithm, sizeof c->algorithm, "%s", name);
    return DUET_OK;
}

static duet_code try_on(contest *c, const char *name, bool costs, double seconds, duet_error *error)
{
    duet_solution *planned = NULL;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1; // the other processors compute
    params.time_limit = seconds;
    params.cancel = c->cancel;
    duet_code code = duet_solve(c->instance[costs], name, &params, &planned, error);
    if (code != DUET_OK) {
        return code;
    }
    if (!costs && duet_solution_lower_bound(planned) > c->bound) {
        c->bound = duet_solution_lower_bound(planned);
    }
    code = judge(c, name, planned, false, error);
    if (code == DUET_OK && c->settings->relocate) {
        code = judge(c, name, planned, true, error);
    }
    duet_solution_free(planned);
    return code;
}

static int count_names(const char *list)
{
    int names = 0;
    size_t length;
    for (const char *at = list; (at = duet_starpu_next_name(at, &length)) != NULL; at += length) {
        names++;
    }
    return names;
}

// Real time: StarPU's own clock may be a simulated one.
static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Each has its part of the time that is left: what quick rules leave is for searches behind them.
// An algorithm that fails is left out, but for one that was stopped.
static duet_code try_all(contest *c, duet_error *error)
{
    const char *list = c->settings->algorithms;
    int runs = 2 * count_names(list);
    duet_code last = DUET_OK;
    size_t length;
    for (const char *at = list; (at = duet_starpu_next_name(at, &length)) != NULL; at += length) {
        char name[48];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        for (int costs = 0; costs < 2; costs++) {
            double left = (c->until - seconds_now()) / runs--;
            duet_code code = try_on(c, name, costs == 1, left > 0.001 ? left : 0.001, error);
            last = code == DUET_OK ? last : code;
            if (code == DUET_E_CANCELLED) {
                return code;
            }
            if (code != DUET_OK && c->left_out[0] == '\0') {
                snprintf(c->left_out, DUET_STARPU_LEFT_OUT, "%s: %s", name, error->message);
            }
        }
    }
    return c->best == NULL && last != DUET_OK ? last : DUET_OK;
}

// --- the plan ------------------------------------------------------------------------------------

static int compare(const void *x, const void *y)
{
    const duet_starpu_place *a = x;
    const duet_starpu_place *b = y;
    int by_start = (a->start > b->start) - (a->start < b->start);
    int by_end = (a->end > b->end) - (a->end < b->end);
    return by_start != 0 ? by_start
           : by_end != 0 ? by_end
                         : (a->task > b->task) - (a->task < b->task);
}

static duet_code hand_over(const contest *c, duet_starpu_plan *plan, duet_error *error)
{
    const duet_starpu_snapshot *s = c->snapshot;
    const duet_placement *placed = duet_solution_placements(c->best);
    plan->place = calloc(s->tasks + 1, sizeof *plan->place);
    if (plan->place == NULL || placed == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < s->tasks; i++) {
        size_t type = (size_t)placed[i].type;
        int64_t time = duet_instance_time(c->instance[0], i, type);
        plan->place[i] = (duet_starpu_place){
            (int32_t)i, s->worker[s->worker_at[type] + (size_t)placed[i].processor],
            (double)placed[i].start / 1000, (double)(placed[i].start + time) / 1000};
    }
    qsort(plan->place, s->tasks, sizeof *plan->place, compare);
    plan->makespan = (double)c->makespan / 1000;
    plan->bound = (double)c->bound / 1000;
    plan->relocated = c->relocated;
    snprintf(plan->algorithm, sizeof plan->algorithm, "%s", c->algorithm);
    return DUET_OK;
}

duet_code duet_starpu_make_plan(const duet_starpu_snapshot *snapshot,
                                const duet_starpu_settings *settings, const duet_cancel *cancel,
                                duet_starpu_plan *plan, duet_error *error)
{
    *plan = (duet_starpu_plan){.place = NULL};
    contest c = {
        .snapshot = snapshot, .settings = settings, .cancel = cancel, .left_out = plan->left_out};
    double began = seconds_now();
    c.until = began + settings->seconds;
    duet_code code = duet_starpu_snapshot_instance(snapshot, false, &c.instance[0], error);
    if (code == DUET_OK) {
        code = duet_starpu_snapshot_instance(snapshot, true, &c.instance[1], error);
    }
    if (code == DUET_OK) {
        code = duet_starpu_snapshot_bus(snapshot, c.instance[0], &c.bus, error);
    }
    if (code == DUET_OK) {
        code = try_all(&c, error);
    }
    if (code == DUET_OK) {
        code = hand_over(&c, plan, error);
    }
    duet_solution_free(c.best);
    duet_bus_free(c.bus);
    duet_instance_free(c.instance[0]);
    duet_instance_free(c.instance[1]);
    plan->seconds = seconds_now() - began;
    if (code != DUET_OK) {
        duet_starpu_plan_free(plan);
    }
    return code;
}
