// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench search`.
#include "bench/search/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run/measure.h"
#include "console/args.h"
#include "solvers/registry.h"

enum {
    KEY_EVALUATIONS = DUET_CLI_FIRST_KEY,
    KEY_RESTARTS,
    KEY_MAX_TIME,
    KEY_ACCELERATED,
    KEY_FORBIDDEN,
    KEY_LOSS
};

static const double default_seconds = 10;

// "4" or "2:8".
static bool take_range(duet_search_args *args, const char *option, const char *text,
                       uint64_t minimum, uint64_t maximum, int64_t *least, int64_t *most)
{
    char first[24];
    size_t length = strcspn(text, ":");
    const char *second = text[length] == ':' ? text + length + 1 : text;
    uint64_t low = 0;
    uint64_t high = 0;
    if (length < sizeof first) {
        memcpy(first, text, length);
        first[length] = '\0';
        if (!duet_cli_whole(&args->shared, option, first, minimum, maximum, &low) ||
            !duet_cli_whole(&args->shared, option, second, minimum, maximum, &high)) {
            return false;
        }
        if (low <= high) {
            *least = (int64_t)low;
            *most = (int64_t)high;
            return true;
        }
    }
    duet_cli_usage(&args->shared, "%s: expected a number or a range A:B with A <= B, got '%s'",
                   option, text);
    return false;
}

static bool take_limit(duet_search_args *args, const char *option, const char *text, int64_t *limit)
{
    uint64_t number = 0;
    bool good = duet_cli_whole(&args->shared, option, text, 1, INT64_C(1) << 50, &number);
    *limit = (int64_t)number;
    return good;
}

// Percent with up to four decimals, as millionths.
static bool take_loss(duet_search_args *args, const char *text)
{
    char *end = NULL;
    double percent = -1;
    if (text[0] != '\0' && strspn(text, "0123456789.") == strlen(text)) {
        percent = strtod(text, &end);
    }
    if (end == NULL || *end != '\0' || percent < 0 || percent > 50) {
        duet_cli_usage(&args->shared, "--loss: expected 0 to 50 percent, got '%s'", text);
        return false;
    }
    args->settings.loss = (int64_t)(percent * 1e4 + 0.5);
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    duet_search_args *args = state->input;
    duet_search_settings *settings = &args->settings;
    duet_search_space *space = &settings->space;
    uint64_t number = 0;
    bool good = true;
    duet_cli_args_enter(key, state);
    switch (key) {
    case 'a':
        args->algorithm = argument;
        break;
    case 'm':
        good = take_range(args, "-m", argument, 0, DUET_SEARCH_MAX_PROCESSORS, &space->least[0],
                          &space->most[0]);
        break;
    case 'k':
        good = take_range(args, "-k", argument, 0, DUET_SEARCH_MAX_PROCESSORS, &space->least[1],
                          &space->most[1]);
        break;
    case 'n':
        good = take_range(args, "-n", argument, 1, DUET_SEARCH_MAX_TASKS, &space->least_tasks,
                          &space->most_tasks);
        break;
    case KEY_MAX_TIME:
        good =
            duet_cli_whole(&args->shared, "--max-time", argument, 1, DUET_SEARCH_MAX_TIME, &number);
        space->max_time = (int64_t)number;
        break;
    case KEY_ACCELERATED:
        space->accelerated = true;
        break;
    case KEY_FORBIDDEN:
        space->forbidden = true;
        break;
    case KEY_EVALUATIONS:
        good = take_limit(args, "--evaluations", argument, &settings->evaluations);
        break;
    case KEY_RESTARTS:
        good = take_limit(args, "--restarts", argument, &settings->restarts);
        break;
    case KEY_LOSS:
        good = take_loss(args, argument);
        break;
    case 'o':
        args->output = argument;
        break;
    case ARGP_KEY_ARG:
        return duet_cli_usage(&args->shared, "unexpected argument '%s'", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

static const struct argp_option options[] = {
    {"algorithm", 'a', "ALGORITHM", 0, "the algorithm to find a worst case of", 0},
    {"cpus", 'm', "M|A:B", 0, "CPUs (default: 1:4)", 0},
    {"gpus", 'k', "K|A:B", 0, "GPUs (default: 1:4)", 0},
    {"tasks", 'n', "N|A:B", 0, "number of tasks (default: 1:10)", 0},
    {"max-time", KEY_MAX_TIME, "T", 0, "longest time, in ticks (default: 100)", 0},
    {"accelerated", KEY_ACCELERATED, NULL, 0,
     "no task slower on the GPU (always so for accel-published)", 0},
    {"forbidden", KEY_FORBIDDEN, NULL, 0, "tasks may be forbidden on a type", 0},
    {"evaluations", KEY_EVALUATIONS, "N", 0, "stop after so many candidates", 0},
    {"restarts", KEY_RESTARTS, "N", 0, "stop after so many restarts", 0},
    {"loss", KEY_LOSS, "PERCENT", 0,
     "of the ratio, to be given up for rounder numbers (default: 0.5)", 0},
    {"output", 'o', "FILE", 0, "write the worst instance to FILE", 0},
    {0}};
static const struct argp_child children[] = {{&duet_cli_limits_argp, 0, NULL, 0},
                                             {&duet_cli_values_argp, 0, NULL, 0},
                                             {&duet_cli_output_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {
    options,
    parse,
    NULL,
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
    "  duet bench search -a lpt -m 2:4 -k 0 --evaluations 100000 --json\n",
    children,
    duet_cli_help_text,
    NULL};

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
    return args->output == NULL ? DUET_OK : duet_cli_check_target(args->output, error);
}

static duet_code complete(duet_search_args *args, duet_error *error)
{
    duet_search_settings *settings = &args->settings;
    duet_code code = check(args, error);
    if (code != DUET_OK) {
        return code;
    }
    if (args->algorithm == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "expected an algorithm (-a); 'duet list algorithms' lists them");
    }
    settings->algorithm = duet_find_algorithm(args->algorithm);
    if (settings->algorithm == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-a: expected an algorithm, got '%.40s'; 'duet list algorithms' "
                              "lists them",
                              args->algorithm);
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

bool duet_search_args_parse(int argc, char **argv, duet_search_args *args, int *exit_code)
{
    enum { default_loss = 5000, default_processors = 4, default_tasks = 10, default_time = 100 };
    *args =
        (duet_search_args){.settings = {.space = {.least = {1, 1},
                                                  .most = {default_processors, default_processors},
                                                  .least_tasks = 1,
                                                  .most_tasks = default_tasks,
                                                  .max_time = default_time},
                                        .loss = default_loss}};
    if (!duet_cli_parse(&argp, "bench search", argc, argv, args, exit_code)) {
        return false;
    }
    duet_error error = DUET_ERROR_INIT;
    if (complete(args, &error) == DUET_OK) {
        return true;
    }
    *exit_code = duet_cli_fail(&error);
    duet_search_args_free(args);
    return false;
}

void duet_search_args_free(duet_search_args *args)
{
    duet_cli_args_free(&args->shared);
}
