// SPDX-License-Identifier: Apache-2.0
// `duet bench dp-scaling`: how the three forms of the 4/3 table grow with tasks, processors and
// threads, and how close the collapsed one comes to what the machine can do.
//
// Method: for every family, size and platform the guesses around the best cheap bound (see
// dp_scaling/guesses.h) are answered by every form; a form that would take longer than --whole
// seconds for one guess is run on a smaller case of the same family and platform, and its time is
// the exact number of its cells by that cell rate ("by rate"). Rounds take turns among the forms
// and a min-plus triad on as many bytes as the collapsed table has; medians count.
#include "bench/dp_scaling/dp_scaling.h"

#include <string.h>

#include "bench/bench.h"
#include "bench/run/args.h"
#include "bench/run/measure.h"
#include "bench/run/triad.h"
#include "console/args.h"
#include "console/args_list.h"
#include "core/memory.h"

typedef struct scaling_args {
    duet_cli_args shared;
    duet_scaling_settings settings;
    const char *csv;
    const char *chart;
    const char *ending;
} scaling_args;

enum {
    KEY_N = DUET_CLI_FIRST_KEY,
    KEY_MK,
    KEY_FAMILIES,
    KEY_FORMS,
    KEY_THREADS,
    KEY_ROUNDS,
    KEY_SEED,
    KEY_WHOLE,
    KEY_CSV,
    KEY_CHART,
    KEY_ENDING,
    KEY_QUICK
};

// Ends within about two minutes on two cores.
static void set_defaults(duet_scaling_settings *settings)
{
    static const char *const families[] = {"unif4", "acc", "corr"};
    static const int64_t n[] = {50, 100, 200};
    static const int64_t m[] = {4, 8, 16, 8, 8, 20};
    static const int64_t k[] = {2, 2, 2, 1, 4, 4};
    memcpy(settings->family, families, sizeof families);
    memcpy(settings->n, n, sizeof n);
    memcpy(settings->m, m, sizeof m);
    memcpy(settings->k, k, sizeof k);
    settings->family_count = sizeof families / sizeof *families;
    settings->n_count = sizeof n / sizeof *n;
    settings->mk_count = sizeof m / sizeof *m;
    settings->rounds = 3;
    settings->whole = 1;
    settings->triad_cells = DUET_TRIAD_CELLS;
    settings->form_count = DUET_BENCH_FORMS;
    for (size_t i = 0; i < DUET_BENCH_FORMS; i++) {
        settings->form[i] = i;
    }
    settings->thread_count = 1;
    settings->threads[0] = 1;
    if (duet_bench_processors() > 1) {
        settings->threads[settings->thread_count++] = 2;
    }
}

// A few seconds: to see that everything works.
static void set_quick(duet_scaling_settings *settings)
{
    static const int64_t n[] = {10, 20};
    static const int64_t m[] = {2, 4, 4};
    static const int64_t k[] = {1, 1, 2};
    memcpy(settings->n, n, sizeof n);
    memcpy(settings->m, m, sizeof m);
    memcpy(settings->k, k, sizeof k);
    settings->n_count = sizeof n / sizeof *n;
    settings->mk_count = sizeof m / sizeof *m;
    settings->rounds = 1;
    settings->family_count = 1;
    settings->triad_cells = DUET_TRIAD_FEW_CELLS;
    settings->thread_count = 1;
    settings->threads[0] = 1;
}

static bool take_platforms(scaling_args *args, const char *text)
{
    duet_scaling_settings *settings = &args->settings;
    settings->mk_count = 0;
    for (const char *at = text; settings->mk_count < DUET_CLI_MAX_LIST; at++) {
        char pair[32];
        int64_t counts[DUET_CLI_MAX_LIST];
        size_t given = 0;
        size_t length = strcspn(at, ":");
        if (length == 0 || length >= sizeof pair) {
            break;
        }
        memcpy(pair, at, length);
        pair[length] = '\0';
        if (!duet_cli_take_numbers(&args->shared, "--mk", pair, 0, 100000, counts, &given)) {
            return false;
        }
        if (given != 2 || counts[0] + counts[1] == 0) {
            break;
        }
        settings->m[settings->mk_count] = counts[0];
        settings->k[settings->mk_count++] = counts[1];
        at += length;
        if (*at == '\0') {
            return true;
        }
    }
    duet_cli_usage(&args->shared, "--mk: expected at most %d pairs such as 20,4:64,8, got '%s'",
                   DUET_CLI_MAX_LIST, text);
    return false;
}

static bool take_whole(scaling_args *args, const char *text)
{
    uint64_t seconds = 0;
    bool good = duet_cli_whole(&args->shared, "--whole", text, 0, 1000000, &seconds);
    args->settings.whole = (double)seconds;
    return good;
}

static bool take_list(scaling_args *args, int key, const char *text)
{
    duet_scaling_settings *settings = &args->settings;
    switch (key) {
    case KEY_N:
        return duet_cli_take_numbers(&args->shared, "--n", text, 1, 100000, settings->n,
                                     &settings->n_count);
    case KEY_MK:
        return take_platforms(args, text);
    case KEY_FAMILIES:
        return duet_bench_take_families(&args->shared, text, settings->family,
                                        &settings->family_count);
    case KEY_FORMS:
        return duet_cli_take_words(&args->shared, "--forms", text, duet_bench_form_names,
                                   DUET_BENCH_FORMS, settings->form, &settings->form_count);
    default:
        return duet_cli_take_numbers(&args->shared, "--threads", text, 1, 4096, settings->threads,
                                     &settings->thread_count);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    scaling_args *args = state->input;
    uint64_t number = 0;
    bool good = true;
    duet_cli_args_enter(key, state);
    switch (key) {
    case KEY_N:
    case KEY_MK:
    case KEY_FAMILIES:
    case KEY_FORMS:
    case KEY_THREADS:
        good = take_list(args, key, argument);
        break;
    case KEY_ROUNDS:
        good =
            duet_cli_whole(&args->shared, "--rounds", argument, 1, DUET_BENCH_MAX_ROUNDS, &number);
        args->settings.rounds = (int)number;
        break;
    case KEY_SEED:
        good =
            duet_cli_whole(&args->shared, "--seed", argument, 0, UINT64_MAX, &args->settings.seed);
        break;
    case KEY_WHOLE:
        good = take_whole(args, argument);
        break;
    case KEY_CSV:
        args->csv = argument;
        break;
    case KEY_CHART:
        args->chart = argument;
        break;
    case KEY_ENDING:
        good = duet_bench_take_ending(&args->shared, argument, &args->ending);
        break;
    case KEY_QUICK:
        set_quick(&args->settings);
        break;
    case ARGP_KEY_ARG:
        return duet_cli_usage(&args->shared, "unexpected argument '%s'", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

static const struct argp_option options[] = {
    {"n", KEY_N, "LIST", 0, "numbers of tasks (default: 50,100,200)", 0},
    {"mk", KEY_MK, "LIST", 0, "platforms M,K:M,K:... (default: 4,2:8,2:16,2:8,1:8,4:20,4)", 0},
    {"families", KEY_FAMILIES, "LIST", 0, "instance families (default: unif4,acc,corr)", 0},
    {"forms", KEY_FORMS, "LIST", 0, "forms of the table (default: all three)", 0},
    {"threads", KEY_THREADS, "LIST", 0, "threads of the collapsed form (default: 1,2)", 0},
    {"rounds", KEY_ROUNDS, "R", 0, "rounds of which the median counts (default: 3)", 0},
    {"seed", KEY_SEED, "S", 0, "seed of the instances (default: 0)", 0},
    {"whole", KEY_WHOLE, "SECONDS", 0,
     "time a guess whole up to so many seconds, else by cell rate (default: 1)", 0},
    {"csv", KEY_CSV, "FILE", 0, "also write the figures to FILE", 0},
    {"chart", KEY_CHART, "PREFIX", 0, "also draw PREFIX-n.svg and so on with gnuplot", 0},
    {"chart-format", KEY_ENDING, "FORMAT", 0, "svg, pdf or png (default: svg)", 0},
    {"quick", KEY_QUICK, NULL, 0, "small sizes that take a moment; options behind it refine", 0},
    {0}};
static const struct argp_child children[] = {{&duet_cli_help_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    options,
    parse,
    NULL,
    "Times the three forms of the 4/3 table, per guess, over tasks, processors, threads and "
    "families, beside a min-plus triad on the same memory, and fits powers to the times. Exits 1 "
    "when two forms answer a guess differently."
    "\vExamples:\n"
    "  duet bench dp-scaling --csv dp.csv --chart dp\n"
    "  duet bench dp-scaling --n 100,200,400 --mk 20,4:64,8 --forms collapsed,adaptive\n",
    children,
    duet_cli_help_text,
    NULL};

// A chart that cannot be drawn for want of gnuplot is a note, not a failure.
static duet_code draw(const scaling_args *args, const duet_scaling *scaling, duet_error *error)
{
    duet_code code = duet_scaling_charts(scaling, args->chart, args->ending, error);
    if (code == DUET_E_UNSUPPORTED) {
        fprintf(stderr, "duet: note: %s\n", error->message);
        duet_error_clear(error);
        return DUET_OK;
    }
    return code;
}

static duet_code measure(const scaling_args *args, duet_scaling *scaling, duet_error *error)
{
    // A place that cannot be written is refused before the first run.
    duet_code code = args->csv == NULL ? DUET_OK : duet_cli_check_target(args->csv, error);
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_bench_check_prefix(args->chart, error);
    }
    if (code == DUET_OK) {
        code = duet_scaling_run(scaling, error);
    }
    if (code == DUET_OK) {
        printf("One guess of the 4/3 table; the GPUs' work on the paper's grid; medians of %d "
               "round%s\n\n",
               scaling->settings.rounds, scaling->settings.rounds == 1 ? "" : "s");
        duet_scaling_print(scaling, stdout);
        printf("\n");
        duet_scaling_print_fits(scaling, stdout);
    }
    if (code == DUET_OK && args->csv != NULL) {
        code = duet_scaling_csv(scaling, args->csv, error);
    }
    if (code == DUET_OK && args->chart != NULL) {
        code = draw(args, scaling, error);
    }
    return code;
}

int duet_bench_dp_scaling(int argc, char **argv)
{
    scaling_args args = {.ending = "svg"};
    int exit_code = DUET_CLI_OK;
    set_defaults(&args.settings);
    if (!duet_cli_parse(&argp, "bench dp-scaling", argc, argv, &args, &exit_code)) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_scaling scaling = {.settings = args.settings};
    duet_code code = measure(&args, &scaling, &error);
    duet_free(scaling.rows);
    duet_cli_args_free(&args.shared);
    if (code != DUET_OK) {
        return duet_cli_fail(&error);
    }
    if (scaling.disagree) {
        printf("\nFAULT: two forms answered a guess differently\n");
        return DUET_CLI_FAULT;
    }
    return DUET_CLI_OK;
}
