// SPDX-License-Identifier: Apache-2.0
// duet generate: makes an instance of a family.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "console/deadline.h"
#include "console/exact_names.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/platform.h"
#include "console/ticker.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/try.h"

enum { NOT_GIVEN = -1 };

typedef struct generate_args {
    duet_cli_args shared;
    int64_t size;
    const char *output;
    const char *format;
} generate_args;

static const duet_cli_option options[] = {
    {"size", 'n', "N", DUET_CLI_WHOLE(generate_args, size, 1, INT64_MAX),
     .fallback = "the family's",
     .text = "tasks; for chol, lu and qr the tiles of a side; for worst-... what the list says"},
    {"output", 'o', "OUT", DUET_CLI_PATH(generate_args, output), .fallback = "standard output",
     .text = "where to write"},
    {"format", 0, "json|csv|dot",
     DUET_CLI_WORD_SUCH_AS(generate_args, format, duet_cli_written_formats),
     .fallback = "by the ending of OUT, else json", .text = "what to write"},
    {0}};
static const duet_cli_syntax syntax = {
    "generate",
    "FAMILY",
    1,
    "Makes an instance of a family, by default for 20 CPUs and 4 GPUs; mixed-graph draws "
    "them, worst-... families have platforms of their own. The same command line gives the same "
    "instance on every machine.\v"
    "Examples:\n"
    "  duet generate chol -n 10 -m 20 -k 4 -o chol.json\n"
    "  duet generate uniform -n 1000 --seed 7 -O cpu-max=500 | duet solve -\n"
    "  duet generate bimod -n 50 -o bimod.csv\n"
    "  duet generate mixed --seed 7 -m 16 -k 4,2 | duet solve -\n"
    "  duet generate worst-eft -m 8 -k 2 | duet compare - -a eft,exact\n"
    "\n"
    "'duet list families -v' lists the families and their options. A CSV file holds\n"
    "no processor counts and no claim.",
    {options, duet_cli_platform_options, duet_cli_values_options, duet_cli_bounds_options,
     duet_cli_help_options, NULL}};

// The type of a family's platform that has this name: cpu, gpu, gpu2, gpu3, ...; DUET_MAX_TYPES:
// none.
static size_t find_type(const char *name)
{
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        char known[16];
        snprintf(known, sizeof known, t < 2 ? "%s" : "%s%zu", t == 0 ? "cpu" : "gpu", t);
        if (strcmp(known, name) == 0) {
            return t;
        }
    }
    return DUET_MAX_TYPES;
}

// The platform of --platform; *types is one more than the last type it names.
static duet_code take_named(const duet_cli_args *shared, int64_t counts[DUET_MAX_TYPES],
                            size_t *types, duet_error *error)
{
    duet_cli_named_count item;
    *types = 2;
    for (const char *at = shared->platform; duet_cli_next_named(&at, &item);) {
        size_t type = find_type(item.name);
        if (type == DUET_MAX_TYPES || counts[type] != NOT_GIVEN) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--platform: '%.60s': expected cpu, gpu, gpu2, gpu3 and so on, "
                                  "the types of a family, each once",
                                  item.name);
        }
        counts[type] = item.count.first;
        *types = duet_max(type + 1, *types);
    }
    for (size_t t = 0; t<*types && * types> 2; t++) {
        if (counts[t] == NOT_GIVEN) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--platform: expected a count of each type up to gpu%zu",
                                  *types - 1);
        }
    }
    return DUET_OK;
}

// The platform that is asked for; *types receives how many types it has, 0 if none is asked for.
static duet_code take_counts(const duet_cli_args *shared, int64_t counts[DUET_MAX_TYPES],
                             size_t *types, duet_error *error)
{
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        counts[t] = NOT_GIVEN;
    }
    *types = 0;
    bool lettered = shared->cpu_types + shared->gpu_types > 0;
    if (shared->platform != NULL && lettered) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--platform counts every type: expected no -m and no -k beside it");
    }
    if (shared->platform != NULL) {
        return take_named(shared, counts, types, error);
    }
    if (!lettered) {
        return DUET_OK;
    }
    counts[0] = shared->cpu_types > 0 ? shared->cpus.first : NOT_GIVEN;
    size_t gpu_types = shared->gpu_types < DUET_MAX_TYPES ? shared->gpu_types : DUET_MAX_TYPES - 1;
    for (size_t t = 0; t < gpu_types; t++) {
        counts[t + 1] = shared->gpus[t].first;
    }
    *types = gpu_types > 1 ? gpu_types + 1 : 2;
    return DUET_OK;
}

static duet_code generate(const generate_args *args, duet_error *error)
{
    const duet_cli_args *shared = &args->shared;
    int64_t counts[DUET_MAX_TYPES];
    size_t types = 0;
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "generate: expected a family; 'duet list families' lists them");
    }
    DUET_TRY(take_counts(shared, counts, &types, error));
    if (types == 2 && counts[0] == 0 && counts[1] == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-m and -k: expected at least one processor, got none");
    }
    const char *output = args->output == NULL ? "-" : args->output;
    duet_code code = args->format == NULL ? duet_cli_check_instance_ending(output, error) : DUET_OK;
    DUET_THEN(code, duet_cli_check_target(output, error));
    if (code == DUET_OK &&
        duet_cli_same_file(output, duet_option_text(shared->options, NULL, "timings"))) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "'%s' holds the kernel times: expected another file for the output",
                              output);
    }
    duet_instance *instance = NULL;
    duet_cli_ticker ticker;
    if (code == DUET_OK) {
        duet_cli_ticker_start(&ticker, "generating", false);
        const duet_generate_params params = {sizeof params, args->size,   types,
                                             counts,        shared->seed, shared->options};
        code = duet_generate(args->shared.files[0], &params, &instance, error);
        duet_cli_ticker_stop(&ticker);
    }
    if (code == DUET_OK) {
        duet_cli_ticker_start(&ticker, "writing", strcmp(output, "-") == 0);
        code = duet_write_instance(output, args->format, instance, error);
        duet_cli_ticker_stop(&ticker);
    }
    if (code == DUET_OK && duet_cli_is_stdout(output)) {
        duet_cli_saw_instance(args->format, instance);
    }
    // The platform that nobody asked for is no loss.
    bool asked = shared->platform != NULL || shared->cpu_types + shared->gpu_types > 0;
    if (code == DUET_OK) {
        duet_cli_note_losses(args->output, args->format, instance,
                             asked || duet_instance_time_unit(instance)[0] != '\0');
        duet_cli_note_ending(args->output, args->format);
    }
    duet_instance_free(instance);
    return code;
}

int duet_cli_generate(int argc, char **argv)
{
    generate_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    duet_cli_end_after(&args.shared, 0);
    duet_error error = DUET_ERROR_INIT;
    if (generate(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
