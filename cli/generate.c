// SPDX-License-Identifier: Apache-2.0
// duet generate: makes an instance of a family.
#include <stddef.h>
#include <string.h>

#include "cli/commands.h"
#include "console/args.h"
#include "console/ticker.h"
#include "core/options.h"

enum { KEY_FORMAT = DUET_CLI_FIRST_KEY, NOT_GIVEN = -1 };

typedef struct generate_args {
    duet_cli_args shared;
    const char *files[1]; // the family
    size_t file_count;
    int64_t size;
    const char *output;
    const char *format;
} generate_args;

static error_t parse(int key, char *text, struct argp_state *state)
{
    generate_args *args = state->input;
    uint64_t number = 0;
    duet_cli_args_enter(key, state);
    switch (key) {
    case 'n':
        if (!duet_cli_whole(&args->shared, "-n", text, 1, INT64_MAX, &number)) {
            return EINVAL;
        }
        args->size = (int64_t)number;
        return 0;
    case 'o':
        args->output = text;
        return 0;
    case KEY_FORMAT:
        args->format = text;
        return 0;
    case ARGP_KEY_ARG:
        return duet_cli_take_file(&args->shared, text, args->files, &args->file_count, 1);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"size", 'n', "N", 0,
     "tasks; for chol, lu and qr the tiles of a side; for worst-... what the list says (default: "
     "the "
     "family's)",
     0},
    {"output", 'o', "OUT", 0, "where to write (default: standard output)", 0},
    {"format", KEY_FORMAT, "json|csv", 0,
     "what to write (default: by the ending of OUT, else json)", 0},
    {0}};
static const struct argp_child children[] = {{&duet_cli_platform_argp, 0, NULL, 0},
                                             {&duet_cli_values_argp, 0, NULL, 0},
                                             {&duet_cli_help_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {
    options,
    parse,
    "FAMILY",
    "Makes an instance of a family, by default for 20 CPUs and 4 GPUs; worst-... families have "
    "platforms of their own. The same command line gives the same instance on every machine.\v"
    "Examples:\n"
    "  duet generate chol -n 10 -m 20 -k 4 -o chol.json\n"
    "  duet generate uniform -n 1000 --seed 7 -O cpu-max=500 | duet solve -\n"
    "  duet generate bimod -n 50 -o bimod.csv\n"
    "  duet generate worst-eft -m 8 -k 2 | duet compare - -a eft,exact\n"
    "\n"
    "'duet list families -v' lists the families and their options. A CSV file holds\n"
    "no processor counts and no claim.",
    children,
    duet_cli_help_text,
    NULL};

static duet_code generate(const generate_args *args, duet_error *error)
{
    const duet_cli_args *shared = &args->shared;
    int64_t cpus = shared->has_cpus ? shared->cpus : NOT_GIVEN;
    int64_t gpus = shared->gpu_types > 0 ? shared->gpus[0] : NOT_GIVEN;
    if (args->file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "generate: expected a family; 'duet list families' lists them");
    }
    if (shared->gpu_types > 1) {
        return duet_error_set(error, DUET_E_USAGE, "-k: expected one count, got %zu",
                              shared->gpu_types);
    }
    if (cpus == 0 && gpus == 0) {
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
        code = duet_generate(args->files[0], args->size, cpus, gpus, shared->seed, shared->options,
                             &instance, error);
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
    if (!duet_cli_parse(&argp, "generate", argc, argv, &args, &code)) {
        return code;
    }
    duet_error error = DUET_ERROR_INIT;
    if (generate(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
