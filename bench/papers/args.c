// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench papers`.
#include "bench/papers/papers.h"

#include <inttypes.h>
#include <string.h>

#include "bench/papers/bag.h"
#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "bench/run/args.h"
#include "core/system/try.h"

static duet_code take_part(duet_paper_settings *settings, const char *text, duet_error *error)
{
    unsigned chosen = strcmp(text, "all") == 0 ? DUET_BAG_ALL : 0;
    for (size_t i = 0; i < DUET_BAG_PARTS; i++) {
        chosen |= strcmp(text, duet_bag_parts[i].name) == 0 ? 1u << i : 0;
    }
    settings->parts |= chosen;
    return chosen != 0 ? DUET_OK
                       : duet_error_set(error, DUET_E_USAGE,
                                        "expected table1, figure3, figure6 or all, got '%s'", text);
}

static const char *const cost_names[] = {"authors", "text", NULL};

// The same as --costs, in the words of options.
static bool take_option(void *input, const char *text)
{
    duet_papers_args *args = input;
    static const char key[] = "costs=";
    bool known = strncmp(text, key, sizeof key - 1) == 0;
    return known ? duet_cli_take_name(&args->sweep.shared, "-O costs", text + sizeof key - 1,
                                      cost_names, 2, &args->settings.costs)
                 : duet_cli_usage(&args->sweep.shared,
                                  "-O: expected costs=authors or costs=text, got '%.60s'", text);
}

static bool take_full(void *input, const char *text)
{
    duet_papers_args *args = input;
    (void)text; // a flag
    args->settings.every = 1;
    return true;
}

// Those about task graphs, then that about independent tasks, which has no name.
enum { BAG = DUET_PAPERS - 1 };
static const char *const paper_names[] = {"canon2018",  "beaumont2017", "mcsweeney2020",
                                          "bleuse2015", "ntakpe2006",   "ntakpe2006-simulated",
                                          NULL};
static const char *const round_names[] = {"none", "nearest", "up", NULL};
static const duet_cli_option options[] = {
    {"paper", 0, "A,B", DUET_CLI_INDICES(duet_papers_args, paper, paper_count, paper_names),
     .text =
         "instead, papers about task graphs: figures 13 to 17 of canon2018, 7 to 9 of "
         "beaumont2017, 1, 2 and table 1 of mcsweeney2020, 4 and table 2 of bleuse2015, 2 to 4 of "
         "ntakpe2006, whose schedules "
         "ntakpe2006-simulated has replayed in SimGrid"},
    {"instances", 0, "I",
     DUET_CLI_WHOLE(duet_papers_args, settings.instances, 1, DUET_NTAKPE_PAIRS), .preset = "2592",
     .text = "ntakpe2006: so many of the 259,200 pairs of a platform and a graph, with five runs "
             "each"},
    {"replay", 0, "PROGRAM", DUET_CLI_PATH(duet_papers_args, settings.replay),
     .text =
         "ntakpe2006-simulated: what simulates a schedule, PROGRAM INSTANCE SOLUTION; the tests "
         "of a build with SimGrid have simgrid_moldable. Without it nothing is simulated"},
    {"replays", 0, "I", DUET_CLI_WHOLE(duet_papers_args, settings.replays, 1, DUET_NTAKPE_PAIRS),
     .preset = "432", .text = "ntakpe2006-simulated: the first I of these pairs"},
    {"stg", 0, "FOLDER", DUET_CLI_PATH(duet_papers_args, settings.stg),
     .text = "--paper: graphs of the Standard Task Graph Set, for canon2018 its 180 of 300 tasks, "
             "for mcsweeney2020 those of 1,002; without them what needs them is left out"},
    {"costs", 0, "HOW", DUET_CLI_CHOICE(duet_papers_args, settings.costs, cost_names),
     .preset = "authors",
     .text = "mcsweeney2020, random graphs: authors, as their program draws times and costs, or "
             "text, by the words of the paper alone"},
    {"option", 'O', "KEY=VALUE", DUET_CLI_OWN(take_option), .text = "the same: costs=HOW"},
    {"every", 0, "E", DUET_CLI_WHOLE(duet_papers_args, settings.every, 1, DUET_BAG_WHOLE),
     .preset = "8", .text = "table1, figure3: one of E instances of the sweep"},
    {"full", 0, NULL, DUET_CLI_OWN(take_full), .text = "all 84,000 of them: --every 1"},
    {"sizes", 0, "LIST",
     DUET_CLI_NUMBERS(duet_papers_args, settings.size, settings.size_count, 10, 1000),
     .text = "table1, figure3: only these numbers of tasks"},
    {"tiles", 0, "LIST",
     DUET_CLI_NUMBERS(duet_papers_args, settings.tile, settings.tile_count, DUET_BAG_FEWEST_TILES,
                      DUET_BAG_MOST_TILES),
     .text = "figure6, --paper: only these numbers of tiles"},
    {"first-seed", 0, "S", DUET_CLI_WHOLE(duet_papers_args, settings.first_seed, 0, UINT64_MAX / 2),
     .preset = "1", .text = "seed of the sweep's first instance"},
    {"parts", 0, "P", DUET_CLI_WHOLE(duet_papers_args, settings.parts_per_unit, 1, 1000000),
     .preset = "1", .text = "CPU times are multiples of 1/P"},
    {"round", 0, "HOW", DUET_CLI_CHOICE(duet_papers_args, settings.round, round_names),
     .preset = "none",
     .text = "GPU times: none, exactly a 15th or a 35th; nearest, up: multiples of 1/P"},
    {"row", 0, "ROW", DUET_CLI_WORD(duet_papers_args, settings.row),
     .fallback = "those of each family", .text = "figure6: kernel timings"},
    {"rounds", 0, "R", DUET_CLI_WHOLE(duet_papers_args, settings.rounds, 0, 1000), .preset = "1",
     .fallback = "0: until -t", .text = "rounds of exact"},
    {"chart", 0, "PREFIX", DUET_CLI_PATH(duet_papers_args, drawing.prefix),
     .text = "also draw PREFIX-figure3.svg, ..."},
    {"chart-format", 0, "FORMAT",
     DUET_CLI_CHOICE(duet_papers_args, drawing.ending, duet_bench_endings), .preset = "svg",
     .text = "svg, pdf or png"},
    {"all", 0, NULL, DUET_CLI_FLAG(duet_papers_args, all),
     .text = "--paper: also table1 and figure3 of bleuse2015, figure6 of beaumont2017; without "
             "--paper all papers"},
    {"results", 0, "FILE", DUET_CLI_PATH(duet_papers_args, results),
     .text = "also write a page with all of it, in Markdown"},
    {0}};
const duet_cli_syntax duet_papers_syntax = {
    "bench papers",
    "[table1|figure3|figure6|all]...",
    SIZE_MAX,
    "Runs what two papers ran and shows it beside what they print: Table 1 and Figure 3 of Bleuse "
    "et al. 2015 (random accelerated tasks), Figure 6 of Beaumont et al. 2017 (the kernels of "
    "factorisations, independent). Without a name: all. With --paper it is papers about task "
    "graphs, and what they say beside what these runs find. Deviations are from the papers' bounds "
    "and "
    "from the optimum. -j is the number of runs at once (default: all processors), -t a limit of "
    "each. Without -t every number is the same on every machine. Exits 1 when a proven ratio is "
    "exceeded, or on a fault."
    "\vExamples:\n"
    "  duet bench papers table1 --sizes 120,160\n"
    "  duet bench papers figure6 --chart f6\n"
    "  duet bench papers --paper mcsweeney2020\n"
    "  duet bench papers --paper ntakpe2006 --instances 259200 --csv runs.csv --shard 1/8\n"
    "  duet bench papers --results results.md --chart images/papers\n",
    {options, duet_sweep_options, duet_cli_study_limits_options, duet_cli_output_options, NULL}};

// What is free differs from machine to machine, and what a search may keep changes what it finds.
static const size_t default_memory = (size_t)1 << 30;

// What the papers of the list say of independent tasks; without a list all papers.
static void add_independent(duet_papers_args *args)
{
    for (size_t i = 0; args->paper_count == 0 && i < BAG; i++) {
        args->paper[i] = i;
        args->paper_count += i + 1 == BAG ? BAG : 0;
    }
    unsigned parts = args->settings.parts;
    for (size_t i = 0; i < args->paper_count; i++) {
        const char *name = paper_names[args->paper[i]];
        parts |= strcmp(name, "bleuse2015") == 0 ? DUET_BAG_TABLE1 | DUET_BAG_FIGURE3 : 0;
        parts |= strcmp(name, "beaumont2017") == 0 ? DUET_BAG_FIGURE6 : 0;
    }
    if (parts != 0) {
        args->paper[args->paper_count++] = BAG;
        args->settings.parts = parts;
    }
}

duet_code duet_papers_args_complete(void *input, duet_error *error)
{
    duet_papers_args *args = input;
    duet_paper_settings *s = &args->settings;
    s->seconds = args->sweep.shared.seconds;
    s->memory_given = args->sweep.shared.memory > 0;
    s->memory = s->memory_given ? args->sweep.shared.memory : default_memory;
    for (size_t i = 0; i < args->sweep.shared.file_count; i++) {
        DUET_TRY(take_part(s, args->sweep.shared.files[i], error));
    }
    if (args->paper_count > 0 && s->parts != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--paper: expected no '%s' beside it: that is of independent tasks",
                              args->sweep.shared.files[0]);
    }
    if (args->paper_count > BAG) {
        return duet_error_set(error, DUET_E_USAGE, "--paper: expected each paper once");
    }
    if (args->all) {
        add_independent(args);
    }
    if (args->paper_count == 0) {
        args->paper[args->paper_count++] = BAG;
    }
    if (args->paper_count > 1 && args->sweep.csv != NULL && strcmp(args->sweep.csv, "-") == 0) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "--csv -: expected one paper: each has rows of its own, and of several "
            "each has a file");
    }
    if (s->rounds > 0) {
        snprintf(s->rounds_option, sizeof s->rounds_option, "rounds=%" PRIu64, s->rounds);
    }
    s->parts = s->parts == 0 ? DUET_BAG_ALL : s->parts;
    if (s->rounds == 0 && s->seconds <= 0) {
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
