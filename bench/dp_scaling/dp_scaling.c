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
#include "bench/run/study.h"
#include "bench/run/triad.h"
#include "console/args_list.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct scaling_args {
    duet_cli_args shared;
    duet_scaling_settings settings;
    const char *csv;
} scaling_args;

// What no preset can say. With the presets it ends within about two minutes on two cores.
static void set_defaults(duet_scaling_settings *settings)
{
    settings->triad_cells = DUET_TRIAD_CELLS;
    settings->thread_count = 1;
    settings->threads[0] = 1;
    if (duet_bench_processors() > 1) {
        settings->threads[settings->thread_count++] = 2;
    }
}

// A few seconds: to see that everything works.
static bool take_quick(void *input, const char *text)
{
    duet_scaling_settings *settings = &((scaling_args *)input)->settings;
    (void)text; // a flag
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
    return true;
}

static bool take_platforms(void *input, const char *text)
{
    scaling_args *args = input;
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
    return duet_cli_usage(&args->shared,
                          "--mk: expected at most %d pairs such as 20,4:64,8, got '%s'",
                          DUET_CLI_MAX_LIST, text);
}

static bool take_families(void *input, const char *text)
{
    scaling_args *args = input;
    return duet_bench_take_families(&args->shared, text, args->settings.family,
                                    &args->settings.family_count);
}

static const duet_cli_option options[] = {
    {"n", 0, "LIST", DUET_CLI_NUMBERS(scaling_args, settings.n, settings.n_count, 1, 100000),
     .preset = "50,100,200", .text = "numbers of tasks"},
    {"mk", 0, "LIST", DUET_CLI_OWN(take_platforms), .preset = "4,2:8,2:16,2:8,1:8,4:20,4",
     .text = "platforms M,K:M,K:..."},
    {"families", 0, "LIST", DUET_CLI_OWN(take_families), .preset = "unif4,acc,corr",
     .text = "instance families", .registry = "families"},
    {"forms", 0, "LIST",
     DUET_CLI_INDICES(scaling_args, settings.form, settings.form_count, duet_bench_form_names),
     .preset = "published,collapsed,adaptive", .text = "forms of the table"},
    {"threads", 0, "LIST",
     DUET_CLI_NUMBERS(scaling_args, settings.threads, settings.thread_count, 1, 4096),
     .fallback = "1,2", .text = "threads of the collapsed form"},
    {"rounds", 0, "R", DUET_CLI_WHOLE(scaling_args, settings.rounds, 1, DUET_BENCH_MAX_ROUNDS),
     .preset = "3", .text = "rounds of which the median counts"},
    {"seed", 0, "S", DUET_CLI_WHOLE(scaling_args, settings.seed, 0, UINT64_MAX), .preset = "0",
     .text = "seed of the instances"},
    {"whole", 0, "SECONDS", DUET_CLI_WHOLE(scaling_args, settings.whole, 0, 1000000), .preset = "1",
     .text = "time a guess whole up to so many seconds, else by cell rate"},
    {"csv", 0, "FILE", DUET_CLI_PATH(scaling_args, csv), .text = "also write the figures to FILE"},
    {"quick", 0, NULL, DUET_CLI_OWN(take_quick),
     .text = "small sizes that take a moment; options behind it refine"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench dp-scaling",
    NULL,
    0,
    "Times the three forms of the 4/3 table, per guess, over tasks, processors, threads and "
    "families, beside a min-plus triad on the same memory, and fits powers to the times. Exits "
    "1 "
    "when two forms answer a guess differently."
    "\vExamples:\n"
    "  duet bench dp-scaling --csv dp.csv\n"
    "  duet bench dp-scaling --n 100,200 --mk 20,4:64,8 --forms collapsed,adaptive\n",
    {options, duet_cli_help_options, NULL}};

static duet_code measure(const scaling_args *args, duet_scaling *scaling, duet_error *error)
{
    // A file that cannot be written is refused before the first run.
    duet_code code = duet_cli_check_target(args->csv, error);
    DUET_THEN(code, duet_scaling_run(scaling, error));
    if (code != DUET_OK) {
        return code;
    }
    duet_cli_print(stdout,
                   "One guess of the 4/3 table; the GPUs' work on the paper's grid; medians of %d "
                   "round%s\n\n",
                   scaling->settings.rounds, scaling->settings.rounds == 1 ? "" : "s");
    duet_scaling_print(scaling, stdout);
    printf("\n");
    duet_scaling_print_fits(scaling, stdout);
    code = duet_scaling_csv(scaling, args->csv, error);
    if (code == DUET_OK && scaling->disagree) {
        printf("\nFAULT: two forms answered a guess differently\n");
    }
    return code;
}

static duet_code run(void *input, bool *good, duet_error *error)
{
    const scaling_args *args = input;
    duet_scaling scaling = {.settings = args->settings};
    duet_code code = measure(args, &scaling, error);
    *good = !scaling.disagree;
    duet_free(scaling.rows);
    return code;
}

int duet_bench_dp_scaling(int argc, char **argv)
{
    scaling_args args = {0};
    set_defaults(&args.settings);
    return duet_study_measure(&syntax, argc, argv, &args, run);
}
