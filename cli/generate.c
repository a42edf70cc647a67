// SPDX-License-Identifier: Apache-2.0
// duet generate: makes an instance of a family.
#include <stddef.h>
#include <string.h>

#include "cli/commands.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/ticker.h"
#include "core/options.h"

enum { NOT_GIVEN = -1 };

typedef struct generate_args {
    duet_cli_args shared;
    int64_t size;
    const char *output;
    const char *format;
} generate_args;

static const char *const format_names[] = {"json", "csv", NULL};
static const duet_cli_option options[] = {
    {"size", 'n', "N", DUET_CLI_WHOLE(generate_args, size, 1, INT64_MAX),
     .fallback = "the family's",
     .text = "tasks; for chol, lu and qr the tiles of a side; for worst-... what the list says"},
    {"output", 'o', "OUT", DUET_CLI_PATH(generate_args, output), .fallback = "standard output",
     .text = "where to write"},
    {"format", 0, "json|csv", DUET_CLI_WORD_SUCH_AS(generate_args, format, format_names),
     .fallback = "by the ending of OUT, else json", .text = "what to write"},
    {0}};
static const duet_cli_syntax syntax = {
    "generate",
    "FAMILY",
    1,
    "Makes an instance of a family, by default for 20 CPUs and 4 GPUs; worst-... families have "
    "platforms of their own. The same command line gives the same instance on every machine.\v"
    "Examples:\n"
    "  duet generate chol -n 10 -m 20 -k 4 -o chol.json\n"
    "  duet generate uniform -n 1000 --seed 7 -O cpu-max=500 | duet solve -\n"
    "  duet generate bimod -n 50 -o bimod.csv\n"
    "  duet generate mixed --seed 7 -m 16 -k 4,2 | duet solve -\n"
    "  duet generate worst-eft -m 8 -k 2 | duet compare - -a eft,exact\n"
    "\n"
    "'duet list families -v' lists the families and their options. A CSV file holds\n"
    "no processor counts and no claim.",
    {options, duet_cli_platform_options, duet_cli_values_options, duet_cli_help_options, NULL}};

// The platform of -m and -k; returns how many types it has, 0 where neither is given.
static size_t take_counts(const duet_cli_args *shared, int64_t counts[DUET_MAX_TYPES])
{
    if (!shared->has_cpus && shared->gpu_types == 0) {
        return 0;
    }
    counts[0] = shared->has_cpus ? shared->cpus : NOT_GIVEN;
    counts[1] = NOT_GIVEN;
    size_t gpu_types = shared->gpu_types < DUET_MAX_TYPES ? shared->gpu_types : DUET_MAX_TYPES - 1;
    for (size_t t = 0; t < gpu_types; t++) {
        counts[t + 1] = shared->gpus[t];
    }
    return gpu_types > 1 ? gpu_types + 1 : 2;
}

static duet_code generate(const generate_args *args, duet_error *error)
{
    const duet_cli_args *shared = &args->shared;
    int64_t counts[DUET_MAX_TYPES];
    size_t types = take_counts(shared, counts);
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "generate: expected a family; 'duet list families' lists them");
    }
    if (types == 2 && counts[0] == 0 && counts[1] == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-m and -k: expected at least one processor, got none");
    }
    const char *output = args->output == NULL ? "-" : args->output;
    duet_code code = duet_cli_check_target(output, error);
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
        code = duet_generate_on(args->shared.files[0], args->size, types, counts, shared->seed,
                                shared->options, &instance, error);
        duet_cli_ticker_stop(&ticker);
    }
    if (code == DUET_OK) {
        duet_cli_ticker_start(&ticker, "writing", strcmp(output, "-") == 0);
        code = duet_write_instance(output, args->format, instance, error);
        duet_cli_ticker_stop(&ticker);
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
    duet_error error = DUET_ERROR_INIT;
    if (generate(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
