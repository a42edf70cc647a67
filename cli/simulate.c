// SPDX-License-Identifier: Apache-2.0
// duet simulate: what happens to a rule or a plan when times are not as planned.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/simulate_bus.h"
#include "cli/simulate_out.h"
#include "console/exit_code.h"
#include "console/load.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/plugin.h"
#include "console/print.h"
#include "console/signals.h"
#include "console/ticker.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct simulate_args {
    duet_cli_args shared;
    const char *algorithm; // NULL: the solution counts
    const char *solution;
    const char *keep;
    const char *csv;
    const char *chart;
    const char *bus;
    const char *output;
    int64_t runs;
    const char *replan; // the algorithm; NULL: not given
    const char *every;  // a time; NULL: not given
    duet_cli_texts noise;
    duet_cli_texts slow;
    duet_cli_texts fail;
} simulate_args;

static bool take(simulate_args *args, const char *option, duet_cli_texts *texts, const char *text)
{
    if (texts->count == DUET_CLI_MOST_DISTURBANCES) {
        return duet_cli_usage(&args->shared, "%s: expected at most %d of them", option,
                              DUET_CLI_MOST_DISTURBANCES);
    }
    texts->text[texts->count++] = text;
    return true;
}

static bool take_noise(void *input, const char *text)
{
    simulate_args *args = input;
    return take(args, "--noise", &args->noise, text);
}

static bool take_slow(void *input, const char *text)
{
    simulate_args *args = input;
    return take(args, "--slow", &args->slow, text);
}

static bool take_fail(void *input, const char *text)
{
    simulate_args *args = input;
    return take(args, "--fail", &args->fail, text);
}

// A rule, or how often: both may be given.
static bool take_replan(void *input, const char *text)
{
    simulate_args *args = input;
    bool every = strncmp(text, "every=", 6) == 0;
    const char **member = every ? &args->every : &args->replan;
    if (*member != NULL) {
        return duet_cli_usage(&args->shared, "--replan: expected %s once",
                              every ? "every=T" : "an algorithm");
    }
    *member = every ? text + 6 : text;
    return true;
}

static const char *const keeps[] = {"order", "allocation", NULL};

static const duet_cli_option options[] = {
    {"algorithm", 'a', "ALGORITHM", DUET_CLI_WORD(simulate_args, algorithm),
     .text = "a rule that decides while tasks run, or the algorithm that makes the plan",
     .registry = "algorithms"},
    {"solution", 0, "FILE", DUET_CLI_PATH(simulate_args, solution),
     .text = "the plan: a solution of 'duet solve', or a table (CSV) with the columns task, type, "
             "processor and start",
     .alias = "plan"},
    {"keep", 0, "WHAT", DUET_CLI_CHOICE(simulate_args, keep, keeps), .fallback = "order",
     .text = "of a plan: the order of the tasks on each processor, or their allocation to the "
             "types alone"},
    {"noise", 0, "KIND:SIZE", DUET_CLI_OWN(take_noise), .fallback = "none",
     .text = "how real times differ from planned ones: lognormal:S, gamma:S (mean 1, standard "
             "deviation S), uniform:A (1-A to 1+A), kind:NAME=FACTOR,..., group:NAME=FACTOR,... "
             "(ids that begin so); may be given several "
             "times, and factors multiply"},
    {"slow", 0, "TYPE:P@T=FACTOR", DUET_CLI_OWN(take_slow),
     .text =
         "from instant T on processor P of a type takes FACTOR times as long, as in gpu:0@10=2"},
    {"fail", 0, "TYPE:P@T", DUET_CLI_OWN(take_fail),
     .text = "from instant T on processor P of a type is gone, as in gpu:0@10; what ran there "
             "starts anew elsewhere"},
    {"replan", 0, "RULE|every=T", DUET_CLI_OWN(take_replan), .fallback = "never",
     .text = "of a plan: plan what has not begun again, by RULE whenever a task ends at another "
             "time than planned, or at T, 2T, ...; both may be given; without RULE it is the "
             "algorithm of -a, or heft for the plan of a file"},
    {"runs", 0, "N", DUET_CLI_WHOLE(simulate_args, runs, 1, 10000000), .preset = "100",
     .text = "how often it is run, each time with other real times"},
    {"csv", 0, "OUT", DUET_CLI_PATH(simulate_args, csv),
     .text = "write a row per run: makespan, lower bound of the real times, their ratio, and how "
             "many runs of tasks were given up"},
    {"chart", 0, "F.svg|pdf|png", DUET_CLI_PATH(simulate_args, chart),
     .text = "draw which makespan how many runs keep to (PDF and PNG need cairo)"},
    {"bus", 0, "FILE", DUET_CLI_PATH(simulate_args, bus),
     .text =
         "carry the plan out once, on a machine with a bus: its memory nodes, links and data, as "
         "JSON or as StarPU's records; -a may name several algorithms then, A,B,C"},
    {"output", 'o', "OUT", DUET_CLI_PATH(simulate_args, output),
     .text = "with --bus: write the plan that takes least there"},
    {0}};
static const duet_cli_syntax syntax = {
    "simulate",
    "FILE",
    1,
    "Runs a rule or a plan while real times differ from planned ones, and says how long it takes. "
    "A rule (eft, er-ls, qa, mixeft, quickest, ratio, list, heteroprio, dualhp) decides while "
    "tasks run: it sees planned times and real completions. The schedule of any other algorithm, "
    "or of a file, is a plan that is carried out. The factor of a task depends on the seed, the "
    "run and the task alone, so that all rules and plans meet the same noise. -t ends it, with the "
    "runs so far; a plan that is searched for takes half of that.\v"
    "Examples:\n"
    "  duet simulate chol.json -a eft --noise lognormal:0.2\n"
    "  duet simulate chol.json -a heft --noise lognormal:0.2 --keep allocation\n"
    "  duet simulate chol.json --solution schedule.json --noise gamma:0.3 --chart real.svg\n"
    "  duet simulate chol.json -a heteroprio --fail gpu:0@100 --runs 1\n"
    "  duet simulate chol.json -a heft --noise lognormal:0.3 --replan heft\n"
    "  duet simulate tasks.csv -m 20 -k 4 -a dualhp --noise kind:gemm=1.3 --csv runs.csv\n"
    "  duet simulate chol.json -a hoft,heft-min,peft --bus bus.json -o best.json\n"
    "\n"
    "Lower bounds are those of the real times of each run, on processors that do as planned.",
    {options, duet_cli_plugin_options, duet_cli_chart_options, duet_cli_platform_options,
     duet_cli_reading_options, duet_cli_limits_options, duet_cli_values_options,
     duet_cli_output_options, NULL}};

// With a bus nothing is noisy, and all plans are carried out in both ways.
static duet_code check_bus_args(const simulate_args *args, duet_error *error)
{
    if (args->bus != NULL && (args->replan != NULL || args->every != NULL)) {
        return duet_error_set(error, DUET_E_USAGE, "--bus: expected no --replan beside it");
    }
    if (args->bus == NULL) {
        return args->output == NULL
                   ? DUET_OK
                   : duet_error_set(error, DUET_E_USAGE, "-o: expected --bus beside it");
    }
    if (args->noise.count + args->slow.count + args->fail.count > 0 || args->keep != NULL ||
        args->csv != NULL || args->chart != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--bus: expected no --noise, --slow, --fail, --keep, --csv or "
                              "--chart beside it");
    }
    if (args->output == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_cli_check_target(args->output, error));
    if (duet_cli_same_file(args->output, args->shared.files[0])) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s' is the instance: expected another file for the output",
                              args->output);
    }
    return DUET_OK;
}

static duet_code check_args(const simulate_args *args, duet_error *error)
{
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "simulate: expected a file, '-' for standard input");
    }
    if ((args->algorithm == NULL) == (args->solution == NULL)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "simulate: expected either -a or --solution to say what is run");
    }
    if (args->solution != NULL && strcmp(args->solution, "-") == 0 &&
        strcmp(args->shared.files[0], "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "simulate: expected at most one '-', standard input is read once");
    }
    if (args->keep != NULL && args->algorithm != NULL && duet_algorithm_is_rule(args->algorithm)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--keep: expected a plan, and '%s' is a rule that decides while "
                              "tasks run",
                              args->algorithm);
    }
    bool replans = args->replan != NULL || args->every != NULL;
    if (replans && args->keep != NULL && strcmp(args->keep, "order") != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--replan: expected a plan whose order is kept, not --keep %s",
                              args->keep);
    }
    DUET_TRY(check_bus_args(args, error));
    const char *const outputs[] = {args->csv, args->chart};
    for (size_t i = 0; i < 2; i++) {
        DUET_TRY(outputs[i] == NULL ? DUET_OK : duet_cli_check_target(outputs[i], error));
        if (outputs[i] != NULL && duet_cli_same_file(outputs[i], args->shared.files[0])) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "'%s' is the instance: expected another file for the output",
                                  outputs[i]);
        }
    }
    DUET_TRY(duet_cli_check_chart(&args->shared, args->chart, error));
    if (args->csv != NULL && args->shared.json && strcmp(args->csv, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "--csv: expected a file beside --json, got '-'");
    }
    return DUET_OK;
}

// Runs until all are done, the time has passed, or a signal has come.
static duet_code run_all(const simulate_args *args, duet_simulator *simulator,
                         duet_cli_simulation *made, duet_error *error)
{
    duet_cli_ticker ticker;
    duet_code code = DUET_OK;
    duet_cli_ticker_start(&ticker, "simulating", args->shared.quiet || args->shared.json);
    for (int64_t i = 0; i < args->runs && code == DUET_OK; i++) {
        duet_simulated run;
        code = duet_simulator_run(simulator, i, &run, error);
        if (code == DUET_OK) {
            made->run[made->runs++] =
                (duet_cli_simulated){run.makespan, run.lower_bound, run.lost, run.kept, run.plans};
            duet_cli_ticker_percent(&ticker, (int)(100 * (i + 1) / args->runs));
        }
    }
    duet_cli_ticker_stop(&ticker);
    bool stopped = code == DUET_E_CANCELLED || code == DUET_E_LIMIT;
    if (stopped && made->runs > 0) {
        duet_cli_print(stderr, "duet: %s: these are the first %lld of %lld runs\n",
                       code == DUET_E_CANCELLED ? "interrupted" : "the time limit came",
                       (long long)made->runs, (long long)args->runs);
        code = DUET_OK;
    }
    return code;
}

static duet_code tell(const simulate_args *args, const duet_cli_simulation *made, duet_error *error)
{
    duet_code code = DUET_OK;
    if (args->shared.json) {
        code = duet_cli_simulation_json(made, error);
    } else if (args->csv == NULL || strcmp(args->csv, "-") != 0) {
        code = duet_cli_simulation_print(made, error);
    }
    if (code == DUET_OK && args->csv != NULL) {
        code = duet_cli_simulation_csv(made, args->csv, error);
    }
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_cli_simulation_chart(made, args->chart, &args->shared.chart_look, error);
    }
    return code;
}

// The time between two plans; 0 ticks: nothing is said.
static duet_code read_every(const simulate_args *args, const duet_instance *instance,
                            duet_cli_given_time *every, duet_error *error)
{
    *every = (duet_cli_given_time){.ticks = 0};
    if (args->every == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_cli_read_given_time("--replan every=", args->every, instance, every, error));
    return every->ticks > 0
               ? DUET_OK
               : duet_error_set(error, DUET_E_USAGE,
                                "--replan every=%s: expected a time of at least a tick",
                                args->every);
}

// What plans again; NULL: nothing does. A file may come from an algorithm that searches for long.
static const char *choose_replan(const simulate_args *args)
{
    const char *of_plan = args->algorithm != NULL ? args->algorithm : "heft";
    return args->replan != NULL || args->every == NULL ? args->replan : of_plan;
}

static duet_code simulate(const simulate_args *args, const duet_instance *instance,
                          const duet_solution *plan, const duet_cancel *cancel, duet_error *error)
{
    if (args->bus != NULL) {
        const duet_cli_bus_run run = {&args->shared, args->bus,    args->algorithm, args->solution,
                                      plan,          args->output, cancel};
        return duet_cli_simulate_bus(&run, instance, error);
    }
    duet_params params = duet_cli_params_left(&args->shared);
    params.cancel = cancel;
    duet_cli_given_time every;
    DUET_TRY(read_every(args, instance, &every, error));
    const char *replan = choose_replan(args);
    bool by_order = args->keep == NULL || strcmp(args->keep, "order") == 0;
    duet_simulation_desc desc = {.struct_size = sizeof desc,
                                 .algorithm = args->algorithm,
                                 .plan = plan,
                                 .keep = by_order ? DUET_KEEP_ORDER : DUET_KEEP_ALLOCATION,
                                 .noise = args->noise.text,
                                 .noises = args->noise.count,
                                 .slow = args->slow.text,
                                 .slows = args->slow.count,
                                 .fail = args->fail.text,
                                 .fails = args->fail.count,
                                 .seed = args->shared.seed,
                                 .params = &params,
                                 .replan = replan,
                                 .replan_every = every.ticks};
    duet_simulator *simulator = NULL;
    DUET_TRY(duet_simulator_create(instance, &desc, &simulator, error));
    duet_cli_simulation made = {.instance = instance,
                                .by = plan == NULL ? args->algorithm : args->solution,
                                .from_file = plan != NULL,
                                .keep = duet_simulator_is_rule(simulator) ? NULL : keeps[desc.keep],
                                .planned = duet_solution_makespan(duet_simulator_plan(simulator)),
                                .noise = args->noise,
                                .slow = args->slow,
                                .fail = args->fail,
                                .seed = args->shared.seed,
                                .replan = replan,
                                .every = args->every == NULL ? NULL : every.text,
                                .asked = (size_t)args->runs,
                                .run = duet_alloc((size_t)args->runs, sizeof *made.run, error)};
    duet_code code = made.run == NULL ? DUET_E_MEMORY : run_all(args, simulator, &made, error);
    DUET_THEN(code, tell(args, &made, error));
    duet_free(made.run);
    duet_simulator_free(simulator);
    return code;
}

static duet_code load(const simulate_args *args, duet_instance **instance, duet_solution **plan,
                      duet_error *error)
{
    enum { stretched = 1024 }; // how many times as long a run may become
    duet_cli_args shared = args->shared;
    shared.read.room = args->noise.count + args->slow.count + args->fail.count > 0 ? stretched : 1;
    duet_code code = check_args(args, error);
    DUET_THEN(code, duet_cli_load(&shared, args->shared.files[0], instance, error));
    if (code == DUET_OK && args->solution != NULL) {
        code = duet_cli_load_schedule(&shared, args->solution, *instance, plan, error);
    }
    // A plan that is no schedule is refused where it is simulated.
    if (code == DUET_OK && *plan != NULL && duet_solution_finer(*plan) > 0) {
        duet_params params = duet_cli_params_left(&args->shared);
        code = duet_check_solution(*instance, *plan, &params, NULL, error);
        if (code == DUET_OK) {
            duet_cli_take_in_ticks(&args->shared, args->solution, *instance, *plan);
        }
        code = code == DUET_E_INPUT ? DUET_OK : code;
    }
    return code == DUET_OK ? duet_cli_require_platform(args->shared.files[0], *instance, error)
                           : code;
}

int duet_cli_simulate(int argc, char **argv)
{
    simulate_args args = {.runs = 0};
    int exit_code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &exit_code)) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_solution *plan = NULL;
    duet_cancel *cancel = NULL;
    duet_code code = load(&args, &instance, &plan, &error);
    if (code == DUET_OK) {
        cancel = duet_cancel_create();
        code = cancel != NULL ? DUET_OK : duet_error_set(&error, DUET_E_MEMORY, "out of memory");
    }
    if (code == DUET_OK) {
        duet_cli_signals_catch(cancel);
        code = simulate(&args, instance, plan, cancel, &error);
        duet_cli_signals_release();
    }
    duet_cancel_free(cancel);
    duet_solution_free(plan);
    duet_instance_free(instance);
    duet_cli_args_free(&args.shared);
    return code == DUET_OK ? DUET_CLI_OK : duet_cli_fail(&error);
}
