// SPDX-License-Identifier: Apache-2.0
// duet measure: times the kernels of tiled factorisations on this machine.
#include "cli/measure/measure.h"

#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "console/args.h"
#include "console/args_list.h"
#include "core/output.h"

enum {
    KEY_FACTORISATION = DUET_CLI_FIRST_KEY,
    KEY_PRECISION,
    KEY_TILE,
    KEY_INNER,
    KEY_REPEATS,
    KEY_WARMUP,
    KEY_MACHINE,
    KEY_GPU,
    KEY_GPU_FILE
};

enum { TILE = 960, INNER = 64, REPEATS = 10, WARMUP = 2, MAX_INNER = 4096 };

typedef struct measure_args {
    duet_cli_args shared;
    duet_cli_measure_request request;
    char host[DUET_KERNEL_TEXT];
    const char *output;
} measure_args;

static error_t take_factorisations(measure_args *args, const char *text)
{
    // Table names and family names of the factorisations in their order, then all of them.
    static const char *const known[] = {"cholesky", "lu", "qr", "chol", "all"};
    enum { FAMILY = 3, ALL = 4 };
    size_t list[DUET_CLI_MAX_LIST];
    size_t count = 0;
    if (!duet_cli_take_words(&args->shared, "--factorisation", text, known, ALL + 1, list,
                             &count)) {
        return EINVAL;
    }
    memset(args->request.wanted, 0, sizeof args->request.wanted);
    for (size_t i = 0; i < count; i++) {
        for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
            args->request.wanted[f] =
                args->request.wanted[f] || list[i] == ALL || list[i] % FAMILY == f;
        }
    }
    return 0;
}

static error_t take_precisions(measure_args *args, const char *text)
{
    size_t list[DUET_CLI_MAX_LIST];
    size_t count = 0;
    if (!duet_cli_take_words(&args->shared, "--precision", text, duet_cli_precisions,
                             DUET_CLI_PRECISIONS, list, &count)) {
        return EINVAL;
    }
    memset(args->request.precisions, 0, sizeof args->request.precisions);
    for (size_t i = 0; i < count; i++) {
        args->request.precisions[list[i]] = true;
    }
    return 0;
}

static error_t take_tiles(measure_args *args, const char *text)
{
    if (!duet_cli_take_numbers(&args->shared, "--tile", text, 1, DUET_MEASURE_MAX_TILE,
                               args->request.tiles, &args->request.tile_count)) {
        return EINVAL;
    }
    for (size_t i = 0; i < args->request.tile_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (args->request.tiles[i] == args->request.tiles[j]) {
                return duet_cli_usage(&args->shared, "--tile: expected each size once, got '%s'",
                                      text);
            }
        }
    }
    return 0;
}

static error_t take_number(measure_args *args, const char *option, const char *text,
                           uint64_t minimum, uint64_t maximum, uint64_t *number)
{
    return duet_cli_whole(&args->shared, option, text, minimum, maximum, number) ? 0 : EINVAL;
}

// What a table of kernel times takes for a name, without the signs that mean something to a shell.
static bool is_machine(const char *text)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = strlen(text);
    return length > 0 && length < DUET_KERNEL_TEXT && strspn(text, good) == length;
}

static error_t take_machine(measure_args *args, const char *text)
{
    if (!is_machine(text)) {
        return duet_cli_usage(&args->shared,
                              "--machine: expected 1 to %d letters, digits, '.', '_' and '-', "
                              "got '%s'",
                              DUET_KERNEL_TEXT - 1, text);
    }
    args->request.machine = text;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    measure_args *args = state->input;
    duet_cli_args_enter(key, state);
    switch (key) {
    case KEY_FACTORISATION:
        return take_factorisations(args, text);
    case KEY_PRECISION:
        return take_precisions(args, text);
    case KEY_TILE:
        return take_tiles(args, text);
    case KEY_INNER:
        return take_number(args, "--inner", text, 1, MAX_INNER, &args->request.inner);
    case KEY_REPEATS:
        return take_number(args, "--repeats", text, 1, DUET_MEASURE_MAX_REPEATS,
                           &args->request.repeats);
    case KEY_WARMUP:
        return take_number(args, "--warmup", text, 0, DUET_MEASURE_MAX_REPEATS,
                           &args->request.warmup);
    case KEY_MACHINE:
        return take_machine(args, text);
    case KEY_GPU:
        args->request.gpu = text;
        return 0;
    case KEY_GPU_FILE:
        args->request.gpu_file = text;
        return 0;
    case 'o':
        args->output = text;
        return 0;
    case ARGP_KEY_ARG:
        return duet_cli_usage(&args->shared, "unexpected argument '%s'", text);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"factorisation", KEY_FACTORISATION, "LIST", 0,
     "cholesky, lu, qr, separated by commas (default: all)", 0},
    {"factorization", KEY_FACTORISATION, NULL, OPTION_ALIAS, NULL, 0},
    {"precision", KEY_PRECISION, "LIST", 0, "single, double (default: double)", 0},
    {"tile", KEY_TILE, "LIST", 0, "sides of the tiles (default: 960)", 0},
    {"inner", KEY_INNER, "SIDE", 0, "inner block of the QR kernels, at most the tile (default: 64)",
     0},
    {"repeats", KEY_REPEATS, "N", 0, "runs of each kernel (default: 10)", 0},
    {"warmup", KEY_WARMUP, "N", 0, "runs before them that do not count (default: 2)", 0},
    {"machine", KEY_MACHINE, "NAME", 0, "what the rows are called (default: the host's name)", 0},
    {"gpu", KEY_GPU, "NAME", 0,
     "machine or row whose acceleration factors give the GPU times (default: sirocco)", 0},
    {"gpu-file", KEY_GPU_FILE, "FILE", 0,
     "a table of kernel times with that machine (default: the shipped one)", 0},
    {"output", 'o', "OUT", 0, "where the table of kernel times goes (default: standard output)", 0},
    {0}};
static const struct argp_child children[] = {{&duet_cli_output_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    options,
    parse,
    "",
    "Times the kernels of tiled factorisations with OpenBLAS on one core of this machine and "
    "writes "
    "a table of kernel times that 'duet generate chol|lu|qr -O timings=OUT' reads. GPU times are "
    "not "
    "measured: they are the CPU times by the acceleration factors of a machine that was. Where the "
    "table goes to standard output, the figures for people go to standard error.\v"
    "Examples:\n"
    "  duet measure -o mine.csv\n"
    "  duet measure --factorisation lu --tile 320,640,960 --gpu attila -o mine.csv\n"
    "  duet measure --precision single,double --gpu-file gpus.csv --json\n"
    "  duet generate lu -n 20 -O timings=mine.csv -O row=NAME-double-960",
    children,
    duet_cli_help_text,
    NULL};

static measure_args defaults(void)
{
    measure_args args = {.request = {.wanted = {true, true, true},
                                     .precisions = {false, true},
                                     .tiles = {TILE},
                                     .tile_count = 1,
                                     .inner = INNER,
                                     .repeats = REPEATS,
                                     .warmup = WARMUP}};
    return args;
}

// The host's name where it will do and none was given.
static duet_code name_machine(measure_args *args, duet_error *error)
{
    if (args->request.machine != NULL) {
        return DUET_OK;
    }
    if (gethostname(args->host, sizeof args->host) != 0 ||
        memchr(args->host, '\0', sizeof args->host) == NULL || !is_machine(args->host)) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "the host's name will not do for a machine's: expected --machine NAME");
    }
    args->request.machine = args->host;
    return DUET_OK;
}

static duet_code write_table(const char *path, const duet_cli_measurement *measurement,
                             duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code == DUET_OK) {
        duet_cli_measure_csv(measurement, output.stream);
        code = duet_output_commit(&output, error);
    }
    return code;
}

static duet_code check_args(const measure_args *args, duet_error *error)
{
    duet_code code = duet_measure_check(error);
    if (code != DUET_OK || args->output == NULL) {
        return code;
    }
    if (args->shared.json && strcmp(args->output, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "-o: expected a file beside --json, got '-'");
    }
    if (args->request.gpu_file != NULL &&
        duet_cli_same_file(args->output, args->request.gpu_file)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s' is the --gpu-file: expected another file for the output",
                              args->output);
    }
    return duet_cli_check_target(args->output, error);
}

static duet_code measure(measure_args *args, duet_error *error)
{
    bool on_stdout = args->output == NULL || strcmp(args->output, "-") == 0;
    duet_cli_measurement measurement = {0};
    duet_code code = check_args(args, error);
    if (code == DUET_OK) {
        code = name_machine(args, error);
    }
    if (code == DUET_OK) {
        code = duet_cli_measure_run(&args->request, &measurement, error);
    }
    if (code == DUET_OK && args->shared.json) {
        duet_cli_measure_json(&measurement, stdout);
    } else if (code == DUET_OK) {
        duet_cli_measure_text(&measurement, on_stdout ? stderr : stdout);
    }
    if (code == DUET_OK && (args->output != NULL || !args->shared.json)) {
        code = write_table(on_stdout ? "-" : args->output, &measurement, error);
    }
    duet_cli_measure_free(&measurement);
    return code;
}

int duet_cli_measure(int argc, char **argv)
{
    measure_args args = defaults();
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&argp, "measure", argc, argv, &args, &code)) {
        return code;
    }
    duet_error error = DUET_ERROR_INIT;
    if (measure(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
