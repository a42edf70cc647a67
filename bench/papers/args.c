// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench papers`.
#include "bench/papers/args.h"

#include <errno.h>
#include <string.h>

#include "bench/run/args.h"
#include "console/args.h"
#include "console/args_list.h"

enum {
    KEY_EVERY = DUET_CLI_FIRST_KEY,
    KEY_FULL,
    KEY_SIZES,
    KEY_TILES,
    KEY_FIRST_SEED,
    KEY_PARTS,
    KEY_ROUND,
    KEY_ROW,
    KEY_ROUNDS,
    KEY_CHART,
    KEY_ENDING,
    KEY_RESULTS
};

static bool take_part(duet_papers_args *args, const char *text)
{
    unsigned chosen = strcmp(text, "all") == 0 ? DUET_PAPERS_ALL : 0;
    for (size_t i = 0; i < DUET_PAPERS_PARTS; i++) {
        const duet_paper *paper = NULL;
        if (strcmp(duet_papers_part_at(i, &paper)->name, text) == 0) {
            chosen = 1u << i;
        }
    }
    args->settings.parts |= chosen;
    if (chosen != 0) {
        return true;
    }
    duet_cli_usage(&args->sweep.shared, "expected table1, figure3, figure6 or all, got '%s'", text);
    return false;
}

static bool take_generator(duet_papers_args *args, int key, const char *text)
{
    static const char *const rounds[] = {"none", "nearest", "up"};
    duet_papers_settings *s = &args->settings;
    switch (key) {
    case KEY_PARTS:
        return duet_cli_whole(&args->sweep.shared, "--parts", text, 1, 1000000, &s->parts_per_unit);
    case KEY_ROUND:
        return duet_cli_take_name(&args->sweep.shared, "--round", text, rounds, 3, &s->round);
    case KEY_FIRST_SEED:
        return duet_cli_whole(&args->sweep.shared, "--first-seed", text, 0, UINT64_MAX / 2,
                              &s->first_seed);
    default:
        return duet_bench_take_ending(&args->sweep.shared, text, &args->ending);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    duet_papers_args *args = state->input;
    duet_papers_settings *s = &args->settings;
    bool good = true;
    duet_cli_args_enter(key, state);
    switch (key) {
    case KEY_EVERY:
        good = duet_cli_whole(&args->sweep.shared, "--every", argument, 1, DUET_PAPERS_WHOLE,
                              &s->every);
        break;
    case KEY_FULL:
        s->every = 1;
        break;
    case KEY_SIZES:
        good = duet_cli_take_numbers(&args->sweep.shared, "--sizes", argument, 10, 1000, s->size,
                                     &s->size_count);
        break;
    case KEY_TILES:
        good = duet_cli_take_numbers(&args->sweep.shared, "--tiles", argument,
                                     DUET_PAPERS_FEWEST_TILES, DUET_PAPERS_MOST_TILES, s->tile,
                                     &s->tile_count);
        break;
    case KEY_PARTS:
    case KEY_ROUND:
    case KEY_FIRST_SEED:
    case KEY_ENDING:
        good = take_generator(args, key, argument);
        break;
    case KEY_ROW:
        s->row = argument;
        break;
    case KEY_ROUNDS:
        good = duet_cli_whole(&args->sweep.shared, "--rounds", argument, 0, 1000, &s->rounds);
        break;
    case KEY_CHART:
        args->chart = argument;
        break;
    case KEY_RESULTS:
        args->results = argument;
        break;
    case ARGP_KEY_ARG:
        good = take_part(args, argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return good ? 0 : EINVAL;
}

static const struct argp_option options[] = {
    {"every", KEY_EVERY, "E", 0, "table1, figure3: one of E instances of the sweep (default: 8)",
     0},
    {"full", KEY_FULL, NULL, 0, "all 84,000 of them: --every 1", 0},
    {"sizes", KEY_SIZES, "LIST", 0, "table1, figure3: only these numbers of tasks", 0},
    {"tiles", KEY_TILES, "LIST", 0, "figure6: only these numbers of tiles", 0},
    {"first-seed", KEY_FIRST_SEED, "S", 0, "seed of the sweep's first instance (default: 1)", 0},
    {"parts", KEY_PARTS, "P", 0, "CPU times are multiples of 1/P (default: 1)", 0},
    {"round", KEY_ROUND, "HOW", 0,
     "GPU times: none, exactly a 15th or a 35th (default); nearest, up: multiples of 1/P", 0},
    {"row", KEY_ROW, "ROW", 0, "figure6: kernel timings (default: those of each family)", 0},
    {"rounds", KEY_ROUNDS, "R", 0, "rounds of exact (default: 1; 0: until -t)", 0},
    {"chart", KEY_CHART, "PREFIX", 0, "also draw PREFIX-figure3.svg, ... with gnuplot", 0},
    {"chart-format", KEY_ENDING, "FORMAT", 0, "svg, pdf or png (default: svg)", 0},
    {"results", KEY_RESULTS, "FILE", 0, "also write a page with all of it, in Markdown", 0},
    {0}};
static const struct argp_child children[] = {{&duet_sweep_argp, 0, NULL, 0},
                                             {&duet_cli_limits_argp, 0, NULL, 0},
                                             {&duet_cli_output_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {
    options,
    parse,
    "[table1|figure3|figure6|all]...",
    "Runs what two papers ran and shows it beside what they print: Table 1 and Figure 3 of Bleuse "
    "et al. 2015 (random accelerated tasks), Figure 6 of Beaumont et al. 2017 (the kernels of "
    "factorisations, independent). Without a name: all. Deviations are from the papers' bounds and "
    "from the optimum. -j is the number of runs at once (default: all processors), -t a limit of "
    "each. Without -t every number is the same on every machine. Exits 1 when a proven ratio is "
    "exceeded, or on a fault."
    "\vExamples:\n"
    "  duet bench papers table1 --sizes 120,160\n"
    "  duet bench papers figure6 --chart f6\n"
    "  duet bench papers --results results.md --chart images/papers\n",
    children,
    duet_cli_help_text,
    NULL};

// What is free differs from machine to machine, and what a search may keep changes what it finds.
static const size_t default_memory = (size_t)1 << 30;

static duet_code check(const duet_papers_args *args, duet_error *error)
{
    if (args->settings.rounds == 0 && args->settings.seconds <= 0) {
        return duet_error_set(error, DUET_E_USAGE, "--rounds 0: expected a limit -t, too");
    }
    if (args->results != NULL && args->sweep.shards > 0) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "--results: expected no --shard beside it: the page is about all runs "
            "(put the shards' files together, then --csv and --resume)");
    }
    return DUET_OK;
}

bool duet_papers_args_parse(int argc, char **argv, duet_papers_args *args, int *exit_code)
{
    *args = (duet_papers_args){.settings = {.every = DUET_PAPERS_EVERY,
                                            .first_seed = 1,
                                            .parts_per_unit = 1,
                                            .round = "none",
                                            .rounds = 1},
                               .ending = "svg"};
    if (!duet_cli_parse(&argp, "bench papers", argc, argv, args, exit_code)) {
        return false;
    }
    duet_papers_settings *s = &args->settings;
    s->parts = s->parts == 0 ? DUET_PAPERS_ALL : s->parts;
    s->seconds = args->sweep.shared.seconds;
    s->memory = args->sweep.shared.memory > 0 ? args->sweep.shared.memory : default_memory;
    s->memory_given = args->sweep.shared.memory > 0;
    duet_error error = DUET_ERROR_INIT;
    if (check(args, &error) != DUET_OK) {
        *exit_code = duet_cli_fail(&error);
        duet_cli_args_free(&args->sweep.shared);
        return false;
    }
    return true;
}
