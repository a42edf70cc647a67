// SPDX-License-Identifier: Apache-2.0
#include "cli/show_run.h"

#include <stdio.h>

#include "console/print.h"
#include "console/texts.h"
#include "core/instance/clock.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/path.h"
#include "core/system/try.h"
#include "instances/formats/solution/run.h"

duet_code duet_cli_find_run(duet_cli_args *args, duet_cli_run *run, duet_error *error)
{
    if (args->file_count < 2) {
        return DUET_OK;
    }
    run->given = duet_is_run(args->files[1]);
    if (run->given) {
        DUET_TRY(duet_options_imply(&args->reading, "data=false", error));
        DUET_TRY(duet_options_imply(&args->reading, "merge=0", error));
    }
    return DUET_OK;
}

// --- times ---------------------------------------------------------------------------------------

// Whether a task took what the models say, but for a hundredth.
static bool is_as_modelled(const duet_instance *instance, const duet_ran_task *ran)
{
    enum { hundred = 100 };
    size_t kind = duet_instance_kind_of(instance, ran->task);
    int64_t time = duet_time(instance, kind, (size_t)ran->type);
    int64_t off = time - (ran->end - ran->start);
    return time != DUET_FORBIDDEN && (off < 0 ? -off : off) <= time / hundred;
}

static duet_code describe_tasks(const duet_instance *instance, const duet_ran *ran, int64_t *times,
                                char *names, char **ids, duet_edge *edges)
{
    enum { most = DUET_CLI_TEXT };
    int64_t tasks = duet_tasks(instance);
    for (int64_t i = 0; i < tasks; i++) {
        ids[i] = names + i * most;
        duet_instance_task_id(instance, i, ids[i], most);
        for (size_t t = 0; t < instance->types; t++) {
            times[(size_t)i * instance->types + t] =
                instance->origin->submit_order[i] == 0 && t == 0 ? 0 : DUET_FORBIDDEN;
        }
    }
    for (size_t i = 0; i < ran->count; i++) {
        const duet_ran_task *task = &ran->task[i];
        times[(size_t)task->task * instance->types + (size_t)task->type] =
            duet_max(task->end - task->start, INT64_C(0));
    }
    for (int64_t e = 0; instance->graph != NULL && e < instance->graph->edges; e++) {
        edges[e] = (duet_edge){.from = instance->graph->tail[e], .to = instance->graph->head[e]};
    }
    return DUET_OK;
}

// The instance in which each task takes what it took, for pictures.
static duet_code make_timed(const duet_instance *instance, const duet_ran *ran,
                            duet_instance **timed, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(instance);
    size_t edges = (size_t)duet_instance_edges(instance);
    duet_type platform[DUET_MAX_TYPES];
    int64_t *times = duet_alloc(tasks * instance->types, sizeof *times, error);
    char *names = duet_alloc(tasks, DUET_CLI_TEXT, error);
    char **ids = duet_alloc(tasks, sizeof *ids, error);
    duet_edge *edge = duet_alloc(edges, sizeof *edge, error);
    bool room = times != NULL && names != NULL && ids != NULL && edge != NULL;
    duet_code code = room ? describe_tasks(instance, ran, times, names, ids, edge) : DUET_E_MEMORY;
    for (size_t t = 0; t < instance->types; t++) {
        platform[t] = (duet_type){instance->type_names[t], instance->processors[t]};
    }
    if (code == DUET_OK) {
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .name = instance->name,
                                         .time_unit = instance->time_unit,
                                         .decimals = instance->decimals,
                                         .types = instance->types,
                                         .platform = platform,
                                         .kinds = tasks,
                                         .ids = (const char *const *)ids,
                                         .times = times,
                                         .edges = edges,
                                         .edge = edge};
        code = duet_instance_create(&desc, timed, error);
        DUET_THEN(code, duet_copy_labels(instance, *timed, error));
    }
    duet_free(times);
    duet_free(names);
    duet_free(ids);
    duet_free(edge);
    return code;
}

// --- reading -------------------------------------------------------------------------------------

static duet_code make_real(const duet_instance *instance, const duet_ran *ran, duet_cli_run *run,
                           duet_error *error)
{
    bool modelled = true;
    DUET_TRY(duet_solution_create(duet_tasks(instance), &run->real, error));
    for (int64_t i = 0; i < duet_tasks(instance); i++) {
        if (instance->origin->submit_order[i] == 0) {
            run->real->placement[i] = (duet_placement){.type = 0, .processor = 0, .start = 0};
        }
    }
    for (size_t i = 0; i < ran->count; i++) {
        const duet_ran_task *task = &ran->task[i];
        modelled = modelled && is_as_modelled(instance, task);
        run->real->placement[task->task] = (duet_placement){
            .type = task->type, .processor = task->processor, .start = task->start};
    }
    run->span = ran->span;
    run->real->makespan = ran->span;
    snprintf(run->real->algorithm, sizeof run->real->algorithm, "StarPU");
    return modelled ? DUET_OK : make_timed(instance, ran, &run->timed, error);
}

duet_code duet_cli_load_run(const duet_cli_args *args, duet_instance *instance, duet_cli_run *run,
                            duet_solution **order, duet_error *error)
{
    duet_ran ran;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.time_limit = duet_cli_params_left(args).time_limit;
    DUET_TRY(duet_read_run(args->files[1], &params, instance, &ran, error));
    duet_code code = make_real(instance, &ran, run, error);
    DUET_THEN(code, duet_run_order(instance, &ran, order, error));
    duet_free(ran.task);
    return code;
}

void duet_cli_free_run(duet_cli_run *run)
{
    duet_solution_free(run->real);
    duet_instance_free(run->timed);
}

// --- telling -------------------------------------------------------------------------------------

static double percent_of(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

void duet_cli_print_run(const duet_cli_run *run, const duet_instance *instance,
                        const duet_solution *order)
{
    char text[DUET_CLI_TEXT];
    int64_t makespan = duet_solution_makespan(order);
    int64_t waits = run->span - makespan;
    int64_t policy = makespan - duet_solution_lower_bound(order);
    duet_cli_print(stdout,
                   "run          %s: what StarPU took; makespan is the same order by the "
                   "models\n",
                   duet_cli_time(instance, run->span, text));
    duet_cli_print(stdout,
                   "waiting      %s%s, %.1f %% of the run: for data and launches, and what "
                   "tasks took beyond the models\n",
                   waits < 0 ? "-" : "", duet_cli_time(instance, waits < 0 ? -waits : waits, text),
                   percent_of(waits, run->span));
    duet_cli_print(stdout,
                   "policy       %s, %.1f %% of the run: the order above the bound, at "
                   "most\n",
                   duet_cli_time(instance, policy, text), percent_of(policy, run->span));
}

static void put_time(duet_cli_json *json, const char *name, const duet_instance *instance,
                     int64_t time)
{
    char digits[64];
    digits[0] = '-';
    (void)duet_instance_format_time(instance, time < 0 ? -time : time, digits + 1);
    duet_cli_json_number(json, name, time < 0 ? digits : digits + 1);
}

void duet_cli_run_json(duet_cli_json *json, const duet_cli_run *run, const duet_instance *instance,
                       const duet_solution *order)
{
    enum { places = 6 };
    int64_t makespan = duet_solution_makespan(order);
    int64_t bound = duet_solution_lower_bound(order);
    duet_cli_json_open(json, "run", '{');
    put_time(json, "real", instance, run->span);
    put_time(json, "order", instance, makespan);
    put_time(json, "bound", instance, bound);
    put_time(json, "waiting", instance, run->span - makespan);
    duet_cli_json_decimal(json, "waiting_percent", percent_of(run->span - makespan, run->span),
                          places);
    put_time(json, "policy", instance, makespan - bound);
    duet_cli_json_decimal(json, "policy_percent", percent_of(makespan - bound, run->span), places);
    duet_cli_json_close(json, '}');
}

int duet_cli_write_run(const duet_cli_args *args, const duet_cli_outputs *outputs,
                       const duet_cli_run *run, const duet_instance *instance,
                       const duet_solution *order)
{
    duet_cli_args plain = *args;
    duet_cli_outputs schedule = *outputs;
    duet_cli_outputs drawn = {.beside = outputs->beside};
    plain.picture.path = NULL;
    if (outputs->trace != NULL && !duet_path_ends(outputs->trace, ".rec")) {
        schedule.trace = NULL;
        drawn.trace = outputs->trace;
    }
    int code =
        duet_cli_write_outputs(args, &drawn, run->timed == NULL ? instance : run->timed, run->real);
    int written = duet_cli_write_outputs(&plain, &schedule, instance, order);
    return code == 0 ? written : code;
}
