// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench ratios`.
#include "bench/ratios/ratios.h"

#include <string.h>

#include "bench/run/args.h"
#include "console/paths.h"
#include "console/platform.h"
#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/registry.h"

enum { MOST_ROUNDS = 1000 };

static bool take_families(void *input, const char *text)
{
    duet_ratios_args *args = input;
    enum { most = 64 };
    const char *names[most];
    size_t room = most - DUET_RATIOS_SMALL;
    size_t count = duet_min(duet_family_count(), room);
    for (size_t i = 0; i < count; i++) {
        names[i] = duet_family_entry(i)->name;
    }
    memcpy(names + count, duet_ratios_small, sizeof duet_ratios_small);
    return duet_cli_take_names(&args->sweep.shared, "--family", text, names,
                               count + DUET_RATIOS_SMALL, args->settings.family,
                               &args->settings.family_count);
}

// -O: kept as text too, for the column of options.
static bool take_option(void *input, const char *text)
{
    duet_ratios_args *args = input;
    duet_cli_args *shared = &args->sweep.shared;
    size_t used = strlen(args->option_text);
    if (!duet_cli_take_setting(shared, text)) {
        return false;
    }
    if (used + strlen(text) + 2 > sizeof args->option_text) {
        return duet_cli_usage(shared, "-O: expected options of at most %zu letters in all",
                              sizeof args->option_text - 2);
    }
    snprintf(args->option_text + used, sizeof args->option_text - used, "%s%s", used > 0 ? " " : "",
             text);
    return true;
}

// [NAME=]FOLDER: without NAME the folder's own is that of its schedules.
static bool take_folder(void *input, const char *text)
{
    duet_ratios_args *args = input;
    duet_cli_named_path found = duet_cli_name_path(text);
    bool blank = found.length > 0 && strcspn(found.name, ", \"") < (size_t)found.length;
    if (!duet_cli_is_folder(found.path) || args->folders == DUET_CLI_MAX_LIST || blank ||
        found.length == 0 || (size_t)found.length >= sizeof args->folder_name[0]) {
        return duet_cli_usage(
            &args->sweep.shared,
            "--solutions: expected at most %d folders, [NAME=]FOLDER, with a "
            "schedule for each FILE, of names without blanks and commas, got '%s'",
            DUET_CLI_MAX_LIST, text);
    }
    snprintf(args->folder_name[args->folders], sizeof args->folder_name[0], "%.*s", found.length,
             found.name);
    args->folder[args->folders++] = found.path;
    return true;
}

// Counts or ranges of them, from `least` to `most`.
static bool read_count(const char **at, int64_t least, int64_t most, duet_cli_count *count)
{
    return duet_cli_read_count(at, count) && count->first >= least && count->last <= most;
}

// Reads the item of that index from *at on.
typedef bool read_item(duet_ratios_settings *settings, size_t index, const char **at);

// How many items stand in a list, separated by commas; 0: it is none.
static size_t read_list(duet_ratios_settings *settings, const char *text, read_item *read)
{
    size_t count = 0;
    for (const char *at = text; count < DUET_CLI_MAX_LIST && read(settings, count, &at); at++) {
        count++;
        if (*at != ',') {
            return *at == '\0' ? count : 0;
        }
    }
    return 0;
}

enum { MOST_TASKS = 100000000, MOST_PROCESSORS = 100000 };

static bool read_size(duet_ratios_settings *settings, size_t index, const char **at)
{
    return read_count(at, 1, MOST_TASKS, &settings->size[index]);
}

static bool take_sizes(void *input, const char *text)
{
    duet_ratios_args *args = input;
    args->settings.size_count = read_list(&args->settings, text, read_size);
    return args->settings.size_count > 0 ||
           duet_cli_usage(&args->sweep.shared,
                          "-n: expected at most %d numbers from 1 to %d, or ranges such as "
                          "10..100, separated by commas, got '%s'",
                          DUET_CLI_MAX_LIST, MOST_TASKS, text);
}

static bool read_platform(duet_ratios_settings *settings, size_t index, const char **at)
{
    return read_count(at, 1, MOST_PROCESSORS, &settings->m[index]) && *(*at)++ == ':' &&
           read_count(at, 0, MOST_PROCESSORS, &settings->k[index]);
}

static bool take_platforms(void *input, const char *text)
{
    duet_ratios_args *args = input;
    args->settings.platform_count = read_list(&args->settings, text, read_platform);
    return args->settings.platform_count > 0 ||
           duet_cli_usage(&args->sweep.shared,
                          "--platforms: expected at most %d pairs M:K of 1 to %d CPUs and 0 to %d "
                          "GPUs, or ranges of them, such as 20:4,4..64:0, got '%s'",
                          DUET_CLI_MAX_LIST, MOST_PROCESSORS, MOST_PROCESSORS, text);
}

static const char *const by_names[] = {"family", "platform", "n", NULL}; // as duet_ratios_by
static const char *const all_algorithms[] = {"all", NULL};
static const duet_cli_option options[] = {
    {"algorithms", 'a', "A,B|all",
     DUET_CLI_WORD_SUCH_AS(duet_ratios_args, algorithms, all_algorithms),
     .fallback = "all but auto, exact and ilp", .text = "the algorithms to run",
     .registry = "algorithms"},
    {"solutions", 0, "[NAME=]FOLDER", DUET_CLI_OWN(take_folder),
     .text =
         "the schedules of a folder, too, which any software made: of each FILE that of its name "
         "or of its instance's, as JSON or CSV; may be given several times. Without -a nothing "
         "else runs"},
    {"each-option", 0, NULL, DUET_CLI_FLAG(duet_ratios_args, settings.each_option),
     .text = "every algorithm with every other choice of its options, too, one at a time (then all "
             "algorithms where -a is not given)"},
    {"bounds", 0, NULL, DUET_CLI_FLAG(duet_ratios_args, settings.bounds),
     .text = "the bounds, too: how far the best schedule is above them"},
    {"option", 'O', "KEY=VALUE", DUET_CLI_OWN(take_option),
     .text = "an option of the algorithm, where one alone is run"},
    {"family", 0, "F,G", DUET_CLI_OWN(take_families),
     .fallback = "the six random ones, or none where files are given",
     .text =
         "families, and two whose seed decides on tasks and platform: small, instances of every "
         "shape with at most nine tasks, and small-graph, task graphs of at most eight",
     .registry = "families"},
    {"instances", 0, "N", DUET_CLI_WHOLE(duet_ratios_args, settings.instances, 1, 1000000000),
     .preset = "10", .text = "per family, size and platform"},
    {"size", 'n', "LIST", DUET_CLI_OWN(take_sizes), .fallback = "10,20",
     .text = "tasks; for chol, lu and qr the tiles of a side; not for small, small-graph. From a "
             "range such as 10..100 each instance draws, by its seed"},
    {"platforms", 0, "LIST", DUET_CLI_OWN(take_platforms), .fallback = "2:1,4:2",
     .text = "platforms M:K,M:K,...; not for small, small-graph. Ranges as for -n: 4..64:0..2"},
    {"seed", 0, "S", DUET_CLI_WHOLE(duet_ratios_args, settings.first_seed, 0, INT64_MAX),
     .preset = "1", .text = "seed of the first instance of each"},
    {"rounds", 0, "R", DUET_CLI_WHOLE(duet_ratios_args, settings.rounds, 0, MOST_ROUNDS),
     .preset = "4", .fallback = "0: no limit",
     .text = "rounds of exact for the optimum, within -t; of moldable tasks, whose rounds are "
             "longer, one where there is no -t"},
    {"by", 0, "WHAT",
     DUET_CLI_INDEX(duet_ratios_args, settings.by, by_names, DUET_RATIOS_BY_FAMILY),
     .text = "also figures by family, platform or n, as the lists have them: a range is one row"},
    {"save", 0, "FOLDER", DUET_CLI_PATH(duet_ratios_args, save),
     .text = "write the worst instance of every algorithm there"},
    {0}};
const duet_cli_syntax duet_ratios_syntax = {
    "bench ratios",
    "[FILE...]",
    SIZE_MAX,
    "Runs algorithms on many instances, one thread each and -j at once, and compares every "
    "makespan with the optimum: of up to nine tasks by trying every assignment, of more by exact; "
    "where that leaves it open, with its bound, and says so. Task graphs of more than eight tasks "
    "are held against the bound graph, moldable tasks that are more than twelve or left open "
    "against the bound steps (more than 128: prices). What an algorithm does not handle it is not "
    "run on. Every "
    "schedule passes the "
    "independent checker. Exits 1 when a proven ratio is exceeded or a schedule is refused. -t "
    "is a limit of each run and of each reference (default: none); without it every number is the "
    "same on every "
    "machine, and for every number of threads, processes (mpirun) and shards. For the same "
    "reason a run has 256 MiB of memory where --memory does not say otherwise."
    "\vExamples:\n"
    "  duet bench ratios -a lpt,heft --family unif4,acc --instances 100 --by n\n"
    "  duet bench ratios --family small --instances 9999 --csv a.csv --save worst\n"
    "  duet bench ratios --family small --each-option --bounds --instances 20000\n"
    "  duet bench ratios --family small-graph,layered --instances 100 --by family\n"
    "  duet bench ratios -a auto --family amdahl,tables -n 10..12,13..100 --platforms 4..64:0 -t "
    "1\n"
    "  duet bench ratios set/*.json --solutions found -a heft,lpt --csv a.csv\n"
    "  mpirun -n 8 duet bench ratios -n 10,20,50 --csv all.csv --resume\n",
    {options, duet_cli_plugin_options, duet_sweep_options, duet_cli_run_limits_options,
     duet_cli_output_options, NULL}};

static bool is_search(const char *name)
{
    return strcmp(name, "auto") == 0 || strcmp(name, "exact") == 0 || strcmp(name, "ilp") == 0;
}

static duet_code add_all(duet_ratios_settings *s, bool searches, duet_error *error)
{
    for (size_t a = 0; a < duet_cli_algorithm_count(); a++) {
        const char *name = duet_cli_algorithm_entry(a)->name;
        if (searches || !is_search(name)) {
            DUET_TRY(duet_ratios_add(s, name, error));
        }
    }
    return DUET_OK;
}

// The algorithms of args->list, which is cut up in group.
static duet_code add_listed(duet_ratios_args *args, duet_error *error)
{
    char *rest = args->list;
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        const duet_algorithm *found = duet_bench_find_algorithm(name);
        if (found == NULL) {
            return duet_cli_unknown_algorithm(name, "all, or names", error);
        }
        DUET_TRY(duet_ratios_add(&args->settings, found->entry.name, error));
    }
    return DUET_OK;
}

static duet_code add_algorithms(duet_ratios_args *args, duet_error *error)
{
    duet_ratios_settings *s = &args->settings;
    if (args->algorithms == NULL && args->folders > 0) {
        return DUET_OK;
    }
    if (args->algorithms == NULL || strcmp(args->algorithms, "all") == 0) {
        return add_all(s, args->algorithms != NULL || s->each_option, error);
    }
    args->list = duet_copy_string(args->algorithms, error);
    return args->list == NULL ? DUET_E_MEMORY : add_listed(args, error);
}

// Schedules are those of files.
static duet_code add_folders(duet_ratios_args *args, duet_error *error)
{
    duet_code code = DUET_OK;
    if (args->folders > 0 &&
        (args->sweep.shared.file_count == 0 || args->settings.family_count > 0)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--solutions: expected the instances as files, and no --family");
    }
    for (size_t i = 0; i < args->folders && code == DUET_OK; i++) {
        code =
            duet_ratios_add_folder(&args->settings, args->folder[i], args->folder_name[i], error);
    }
    return code;
}

static duet_code check_options(const duet_ratios_args *args, duet_error *error)
{
    const duet_ratios_settings *s = &args->settings;
    if (s->options == NULL) {
        return DUET_OK;
    }
    if (s->each_option) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "-O: expected no --each-option beside it, which gives options itself");
    }
    if (s->algorithm_count != 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-O: expected one algorithm, whose option it is; got %zu (-a)",
                              s->algorithm_count);
    }
    if (duet_cli_option_file(s->algorithm[0].name, s->options) != NULL) {
        return duet_error_set(error, DUET_E_USAGE, "-O: many runs cannot write one file");
    }
    return duet_check_algorithm_options(&duet_bench_find_algorithm(s->algorithm[0].name)->entry,
                                        s->options, error);
}

// Sizes and platforms for which nothing is there: the seed decides over an instance of `small`, and
// a file has its size.
static duet_code check_shapes(const duet_ratios_settings *s, duet_error *error)
{
    bool generated = s->family_count == 0 && s->file_count == 0;
    const char *small = NULL;
    for (size_t i = 0; i < s->family_count; i++) {
        bool is_small = duet_ratios_is_small(s->family[i]);
        small = is_small ? s->family[i] : small;
        generated = generated || !is_small;
    }
    char of[64] = "files";
    if (small != NULL) {
        snprintf(of, sizeof of, "instances of %s, whose seed decides it", small);
    }
    if (s->size_count > 0 && !generated) {
        return duet_error_set(error, DUET_E_USAGE, "-n: expected no number of tasks for %s", of);
    }
    if (s->platform_count > 0 && !generated && s->file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE, "--platforms: expected no platform for %s", of);
    }
    for (size_t i = 0; i < s->platform_count && s->file_count > 0; i++) {
        if (s->m[i].first < s->m[i].last || s->k[i].first < s->k[i].last) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--platforms: expected no range for files, which have no seed");
        }
    }
    return DUET_OK;
}

static void fill_defaults(duet_ratios_settings *s)
{
    static const char *const families[] = {"uniform", "acc", "unif2", "unif4", "corr", "bimod"};
    bool files = s->file_count > 0;
    if (s->family_count == 0 && !files) {
        s->family_count = sizeof families / sizeof *families;
        memcpy(s->family, families, sizeof families);
    }
    s->given |= s->size_count > 0 ? DUET_RATIOS_SIZES : 0U;
    if (s->size_count == 0) {
        s->size[s->size_count++] = (duet_cli_count){10, 10};
        s->size[s->size_count++] = (duet_cli_count){20, 20};
    }
    if (s->platform_count == 0 && (!files || s->family_count > 0)) {
        s->m[0] = (duet_cli_count){2, 2};
        s->k[0] = (duet_cli_count){1, 1};
        s->m[1] = (duet_cli_count){4, 4};
        s->k[1] = (duet_cli_count){2, 2};
        s->platform_count = 2;
    }
}

duet_code duet_ratios_args_complete(void *input, duet_error *error)
{
    duet_ratios_args *args = input;
    static const size_t memory = (size_t)256 << 20; // fixed: what is refused is so everywhere
    duet_ratios_settings *s = &args->settings;
    s->file = args->sweep.shared.files;
    s->file_count = args->sweep.shared.file_count;
    s->options = args->sweep.shared.options;
    s->option_text = args->option_text;
    s->seconds = args->sweep.shared.seconds;
    s->given |= args->sweep.shared.memory > 0 ? DUET_RATIOS_MEMORY : 0U;
    s->memory = args->sweep.shared.memory > 0 ? args->sweep.shared.memory : memory;
    duet_code code = check_shapes(s, error);
    fill_defaults(s);
    DUET_THEN(code, add_algorithms(args, error));
    DUET_THEN(code, check_options(args, error));
    DUET_THEN(code, add_folders(args, error));
    return code == DUET_OK ? duet_ratios_add_variants(s, error) : code;
}

void duet_ratios_args_free(duet_ratios_args *args)
{
    duet_ratios_settings_free(&args->settings);
    duet_free(args->list);
    duet_cli_args_free(&args->sweep.shared);
}
