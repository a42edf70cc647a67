// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench search`.
#include "bench/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "bench/run/args.h"
#include "bench/run/exhaustive.h"
#include "bench/run/measure.h"
#include "console/paths.h"
#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

static const double default_seconds = 10;

// Percent with up to four decimals, as millionths.
static bool take_loss(void *input, const char *text)
{
    duet_search_args *args = input;
    char *end = NULL;
    double percent = -1;
    if (text[0] != '\0' && strspn(text, "0123456789.") == strlen(text)) {
        percent = strtod(text, &end);
    }
    if (end == NULL || *end != '\0' || percent < 0 || percent > 50) {
        return duet_cli_usage(&args->shared, "--loss: expected 0 to 50 percent, got '%s'", text);
    }
    args->settings.loss = (int64_t)(percent * 1e4 + 0.5);
    return true;
}

// Candidates or restarts of one search.
#define MOST_STEPS (UINT64_C(1) << 50)

static const duet_cli_option options[] = {
    {"algorithm", 'a', "ALGORITHM", DUET_CLI_WORD(duet_search_args, algorithm),
     .text = "the algorithm to find a worst case of", .registry = "algorithms"},
    {"cpus", 'm', "M|A:B",
     DUET_CLI_RANGE(duet_search_args, settings.space.least[0], settings.space.most[0], 0,
                    DUET_SEARCH_MAX_PROCESSORS),
     .preset = "1:4", .text = "CPUs"},
    {"gpus", 'k', "K|A:B",
     DUET_CLI_RANGE(duet_search_args, settings.space.least[1], settings.space.most[1], 0,
                    DUET_SEARCH_MAX_PROCESSORS),
     .preset = "1:4", .text = "GPUs"},
    {"tasks", 'n', "N|A:B",
     DUET_CLI_RANGE(duet_search_args, settings.space.least_tasks, settings.space.most_tasks, 1,
                    DUET_SEARCH_MAX_TASKS),
     .preset = "1:10", .text = "number of tasks"},
    {"max-time", 0, "T",
     DUET_CLI_WHOLE(duet_search_args, settings.space.max_time, 1, DUET_SEARCH_MAX_TIME),
     .preset = "100", .text = "longest time, in ticks"},
    {"accelerated", 0, NULL, DUET_CLI_FLAG(duet_search_args, settings.space.accelerated),
     .text = "no task slower on the GPU (always so for accel-published)"},
    {"forbidden", 0, NULL, DUET_CLI_FLAG(duet_search_args, settings.space.forbidden),
     .text = "tasks may be forbidden on a type"},
    {"edges", 0, NULL, DUET_CLI_FLAG(duet_search_args, edges),
     .text = "task graphs: edges are changed, too (at most 12 tasks)"},
    {"moldable", 0, NULL, DUET_CLI_FLAG(duet_search_args, moldable),
     .text = "moldable tasks with monotone tables on CPUs (always so for algorithms that need "
             "them; up to 6 tasks on 8 processors: larger ranges end there)"},
    {"evaluations", 0, "N", DUET_CLI_WHOLE(duet_search_args, settings.evaluations, 1, MOST_STEPS),
     .text = "stop after so many candidates"},
    {"restarts", 0, "N", DUET_CLI_WHOLE(duet_search_args, settings.restarts, 1, MOST_STEPS),
     .text = "stop after so many restarts"},
    {"loss", 0, "PERCENT", DUET_CLI_OWN(take_loss), .preset = "0.5",
     .text = "of the ratio, to be given up for rounder numbers"},
    {"output", 'o', "FILE", DUET_CLI_PATH(duet_search_args, output),
     .text = "write the worst instance to FILE"},
    {0}};
const duet_cli_syntax duet_search_syntax = {
    "bench search",
    NULL,
    0,
    "Searches for an instance on which ALGORITHM is as far from the optimum as can be: simulated "
    "annealing over times, counts, order and platform, restarted from random instances, each "
    "judged by the exact optimum; what is found is made small and round. -t limits the search "
    "(default: 10 seconds, none where --evaluations or --restarts is given); the last second of "
    "confirmation may come on top. With those two alone "
    "the result depends on the seed and not on the threads. Exits 1 when a proven ratio is "
    "exceeded or a schedule is wrong. Ctrl-C shows the worst so far, unconfirmed."
    "\vExamples:\n"
    "  duet bench search -a accel-published -t 10 --seed 1\n"
    "  duet bench search -a heteroprio -m 1 -k 1 -o worst.json\n"
    "  duet bench search -a heteroprio --edges -m 1 -k 1 -n 3:6 --max-time 1000\n"
    "  duet bench search -a moldable-3-2 -m 2:4 -k 0 -n 2:5 --max-time 20\n"
    "  duet bench search -a lpt -m 2:4 -k 0 --evaluations 100000 --json\n",
    {options, duet_cli_plugin_options, duet_cli_study_limits_options, duet_cli_values_options,
     duet_cli_output_options, NULL}};

// All schedules are tried of each candidate: ranges end where that takes too long.
static void bound_moldable(duet_search_space *space)
{
    int64_t *tasks[] = {&space->least_tasks, &space->most_tasks};
    for (int i = 0; i < 2; i++) {
        *tasks[i] = duet_min(*tasks[i], DUET_SEARCH_MOLDABLE_TASKS);
    }
    int64_t left = DUET_SEARCH_MOLDABLE_PROCESSORS;
    for (int t = 0; t < 2; t++) {
        space->least[t] = duet_min(space->least[t], left);
        space->most[t] = duet_min(space->most[t], left);
        left -= space->most[t];
    }
}

static duet_code check(const duet_search_args *args, duet_error *error)
{
    const duet_search_space *space = &args->settings.space;
    if (space->most[0] + space->most[1] == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the platform has no processors: expected at least one (-m, -k)");
    }
    if (args->output != NULL && strcmp(args->output, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-o: expected a file; --json prints the instance");
    }
    if (args->edges && space->most_tasks > DUET_EXHAUSTIVE_GRAPH_TASKS) {
        return duet_error_set(error, DUET_E_USAGE, "--edges: expected at most %d tasks (-n)",
                              DUET_EXHAUSTIVE_GRAPH_TASKS);
    }
    DUET_TRY(duet_cli_refuse_ending(args->output, ".svg .pdf .png",
                                    "expected F.json for the instance, of which 'duet solve F.json "
                                    "--gantt' draws a schedule",
                                    error));
    return duet_cli_check_target(args->output, error);
}

duet_code duet_search_args_complete(void *input, duet_error *error)
{
    duet_search_args *args = input;
    duet_search_settings *settings = &args->settings;
    DUET_TRY(check(args, error));
    if (args->algorithm == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "expected an algorithm (-a); 'duet list algorithms' lists them");
    }
    settings->algorithm = duet_bench_find_algorithm(args->algorithm);
    if (settings->algorithm == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-a: expected an algorithm, got '%.40s'; 'duet list algorithms' "
                              "lists them",
                              args->algorithm);
    }
    if (args->edges && (settings->algorithm->entry.handles & DUET_FEATURE_PRECEDENCE) == 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "--edges: %s does not handle precedence between tasks",
                              args->algorithm);
    }
    bool moldable = args->moldable || (settings->algorithm->entry.needs & DUET_NEEDS_MOLDABLE) != 0;
    if (moldable && args->edges) {
        return duet_error_set(error, DUET_E_USAGE, "--edges: expected no moldable tasks beside it");
    }
    if (moldable && (settings->algorithm->entry.handles & DUET_FEATURE_MOLDABLE) == 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "--moldable: %s does not handle moldable tasks", args->algorithm);
    }
    settings->space.shape = args->edges ? DUET_SEARCH_GRAPH
                            : moldable  ? DUET_SEARCH_MOLDABLE
                                        : DUET_SEARCH_INDEPENDENT;
    if (moldable) {
        bound_moldable(&settings->space);
    }
    // Published for accelerated tasks alone: that is where it must be refuted.
    settings->space.accelerated =
        settings->space.accelerated || strcmp(args->algorithm, "accel-published") == 0;
    settings->options = args->shared.options;
    settings->seed = args->shared.seed;
    settings->quiet = args->shared.quiet;
    settings->memory = args->shared.memory;
    settings->threads = args->shared.threads > 0 ? args->shared.threads : duet_bench_processors();
    settings->seconds = args->shared.seconds;
    if (settings->seconds <= 0 && settings->evaluations == 0 && settings->restarts == 0) {
        settings->seconds = default_seconds;
    }
    return duet_check_algorithm_options(&settings->algorithm->entry, settings->options, error);
}
