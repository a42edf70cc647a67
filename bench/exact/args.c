// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench exact`.
#include "bench/exact/exact.h"

#include <string.h>

#include "bench/run/args.h"
#include "bench/run/measure.h"
#include "console/args_list.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/registry.h"

static bool take_set(void *input, const char *text)
{
    duet_exact_args *args = input;
    enum { MOST = 32 };
    const char *known[MOST] = {NULL};
    const char *name = NULL;
    size_t count = 0;
    for (; duet_exact_sets[count].name != NULL; count++) {
        known[count] = duet_exact_sets[count].name;
    }
    bool taken = duet_cli_take_name(&args->sweep.shared, "--set", text, known, count, &name);
    for (size_t i = 0; taken && i < count; i++) {
        args->plan.settings.set = name == known[i] ? &duet_exact_sets[i] : args->plan.settings.set;
    }
    return taken;
}

// The families of set graphs that have no independent tasks.
static const char *const task_graphs[] = {"layered",           "narrow",
                                          "hopper-double-960", "hopper-double-320",
                                          "hopper-double-512", "hopper-double-1920",
                                          "hopper-single-960", "hopper-single-320",
                                          "hopper-single-512", "hopper-single-1920"};
enum { TASK_GRAPHS = sizeof task_graphs / sizeof *task_graphs };

static bool take_families(void *input, const char *text)
{
    duet_exact_args *args = input;
    enum { MOST = 64 };
    const char *known[MOST];
    size_t count = duet_bench_families(known, MOST - TASK_GRAPHS);
    for (size_t i = 0; i < TASK_GRAPHS; i++) {
        known[count++] = task_graphs[i]; // check_choices() knows of which set
    }
    return duet_cli_take_names(&args->sweep.shared, "--families", text, known, count,
                               args->plan.settings.family, &args->plan.settings.family_count);
}

static const duet_cli_option options[] = {
    {"set", 0, "SET", DUET_CLI_OWN(take_set), .preset = "main",
     .text =
         "main, hard, medium, tiles, real, unfamiliar, three-types, rcmax, mixed, identical, "
         "pair, graphs, graph-files, hopper, mixed-graphs, graphs-costs, graphs-small or small"},
    {"families", 0, "LIST", DUET_CLI_OWN(take_families), .text = "only these families",
     .registry = "families"},
    {"sizes", 0, "LIST",
     DUET_CLI_NUMBERS(duet_exact_args, plan.settings.size, plan.settings.size_count, 1, 1000000),
     .text = "numbers of tasks (sets tiles, graphs: of tiles)"},
    {"platforms", 0, "LIST",
     DUET_CLI_PLATFORMS(duet_exact_args, plan.settings.m, plan.settings.k,
                        plan.settings.platform_count),
     .text = "platforms M:K,M:K,..."},
    {"seeds", 0, "N", DUET_CLI_WHOLE(duet_exact_args, plan.settings.seeds, 1, DUET_EXACT_MAX_SEEDS),
     .text = "seeds 1 to N"},
    {"types", 0, "Q", DUET_CLI_WHOLE(duet_exact_args, types, 2, DUET_EXACT_MAX_TYPES),
     .fallback = "2", .text = "processor types of set mixed"},
    {"algorithms", 'a', "LIST", DUET_CLI_WORD(duet_exact_args, algorithms), .preset = "exact",
     .text = "the algorithms to run; the first is judged", .registry = "algorithms"},
    {"data", 0, "FOLDER", DUET_CLI_PATH(duet_exact_args, plan.settings.data),
     .text = "the folder of real, unfamiliar, three-types, rcmax, graph-files and graphs-costs"},
    {"proofs", 0, NULL, DUET_CLI_FLAG(duet_exact_args, plan.settings.proofs),
     .text = "have every proof written and checked, and time the check"},
    {"chart", 0, "PREFIX", DUET_CLI_PATH(duet_exact_args, drawing.prefix),
     .text = "also draw PREFIX-cactus.svg"},
    {"chart-format", 0, "FORMAT",
     DUET_CLI_CHOICE(duet_exact_args, drawing.ending, duet_bench_endings), .preset = "svg",
     .text = "svg, pdf or png"},
    {0}};
const duet_cli_syntax duet_exact_syntax = {
    "bench exact",
    NULL,
    0,
    "Runs algorithms on a named set of instances and counts how many each solves to proven "
    "optimality within 1, 10 and 60 seconds. -t is the limit of a run (default: the set's, 10 "
    "seconds for most), -j its threads (1 where it is not given). Every schedule passes the "
    "independent checker, and bounds are held against the other algorithms' schedules. Exits 1 "
    "when something promised of the set is missed, or on a fault. Ctrl-C shows what is there so "
    "far. With --resume, the set, its choices, -t, -j and --proofs must be those of the file; "
    "--memory should be, too. Processes that mpirun started share the instances; each does one run "
    "at a time."
    "\vExamples:\n"
    "  duet bench exact --csv main.csv --chart main\n"
    "  duet bench exact --csv main.csv --resume\n"
    "  duet bench exact -a exact,ilp --sizes 10,20 --platforms 4:2,20:4 -t 60\n"
    "  duet bench exact --set real --data ../shared/data/amaris\n"
    "  duet bench exact --set mixed --seeds 100 --types 3 -t 10\n"
    "  duet bench exact --set graphs -a exact,heft,heteroprio --chart graphs\n"
    "  duet bench exact --set graph-files --data stg/300 -a exact,heft\n"
    "  duet bench exact --set mixed-graphs -a exact,heft,heteroprio --shard 1/20\n"
    "  duet bench exact --set rcmax --data ../shared/data/rcmax -a exact\n",
    {options, duet_sweep_options, duet_cli_run_limits_options, duet_cli_output_options, NULL}};

// The name of what can be run; NULL with a note for what other builds have; else a usage error.
static duet_code take_algorithm(const char *name, const char **found, duet_error *error)
{
    const duet_algorithm *algorithm = duet_find_algorithm(name);
    *found = algorithm == NULL ? NULL : algorithm->entry.name;
    if (algorithm == NULL && strcmp(name, "exact") != 0 && strcmp(name, "ilp") != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-a: unknown algorithm '%s'; expected names separated by commas "
                              "alone; 'duet list algorithms' lists them",
                              name);
    }
    if (algorithm == NULL) {
        duet_cli_print(stderr, "duet: note: this build has no algorithm %s: left out\n", name);
    }
    return DUET_OK;
}

// Takes the algorithms of `list`, which is cut up in place.
static duet_code take_algorithms(char *list, duet_exact_settings *settings, duet_error *error)
{
    settings->algorithm_count = 0;
    for (char *name; (name = strsep(&list, ",")) != NULL;) {
        const char *found = NULL;
        DUET_TRY(take_algorithm(name, &found, error));
        if (found != NULL) {
            DUET_TRY(duet_bench_add_algorithm(found, settings->algorithm,
                                              &settings->algorithm_count, DUET_EXACT_MAX_ALGORITHMS,
                                              error));
        }
    }
    if (settings->algorithm_count == 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "none of these algorithms is there: choose others with -a");
    }
    return DUET_OK;
}

// Whether a family can be one of the set's.
static bool may_have(const duet_exact_set *set, const char *family)
{
    bool listed = false;
    for (size_t i = 0; i < DUET_EXACT_MAX_FAMILIES && set->families[i] != NULL; i++) {
        listed = listed || strcmp(family, set->families[i]) == 0;
    }
    bool edges = false;
    for (size_t i = 0; i < TASK_GRAPHS; i++) {
        edges = edges || strcmp(family, task_graphs[i]) == 0;
    }
    return listed || (set->source != DUET_EXACT_GRAPH && !edges);
}

// Sets are no grids in what they have no list of.
static duet_code check_choices(const duet_exact_settings *s, duet_error *error)
{
    const duet_exact_set *set = s->set;
    const struct {
        const char *option;
        bool given;
        bool known;
    } choices[] = {
        {"--families", s->family_count > 0, set->families[0] != NULL},
        {"--sizes", s->size_count > 0, set->sizes[0] > 0},
        {"--platforms", s->platform_count > 0, set->platforms[0][0] > 0 && set->types != 3},
        {"--types", s->types > 0, set->source == DUET_EXACT_MIXED},
        {"--seeds", s->seeds > 0, set->seeds > 0},
        {"--data", s->data != NULL, duet_exact_has_files(set)},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (choices[i].given && !choices[i].known) {
            return duet_error_set(error, DUET_E_USAGE, "%s: set %s has no such choice",
                                  choices[i].option, set->name);
        }
    }
    for (size_t i = 0; i < s->family_count && set->source == DUET_EXACT_TILES; i++) {
        if (duet_bench_kernels(s->family[i], 1) == 0) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--families: set tiles knows chol, lu and qr, got '%s'",
                                  s->family[i]);
        }
    }
    for (size_t i = 0; i < s->family_count; i++) {
        if (!may_have(set, s->family[i])) {
            return duet_error_set(error, DUET_E_USAGE, "--families: set %s has no family %s",
                                  set->name, s->family[i]);
        }
    }
    return DUET_OK;
}

duet_code duet_exact_args_complete(void *input, duet_error *error)
{
    duet_exact_args *args = input;
    duet_exact_settings *s = &args->plan.settings;
    s->types = (size_t)args->types;
    DUET_TRY(check_choices(s, error));
    args->list = duet_copy_string(args->algorithms, error);
    DUET_NEED(args->list);
    s->seconds = args->sweep.shared.seconds;
    s->threads = args->sweep.shared.threads > 0 ? args->sweep.shared.threads : 1;
    s->memory = args->sweep.shared.memory;
    duet_exact_complete(s);
    return take_algorithms(args->list, s, error);
}

void duet_exact_args_free(duet_exact_args *args)
{
    duet_free(args->list);
    duet_cli_args_free(&args->sweep.shared);
}
