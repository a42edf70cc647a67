// SPDX-License-Identifier: Apache-2.0
// duet measure: times the kernels of tiled factorisations on this machine.
#include "cli/measure/measure.h"

#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "console/args_list.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "core/system/output.h"
#include "core/system/try.h"

enum { MAX_INNER = 4096 };

typedef struct measure_args {
    duet_cli_args shared;
    duet_cli_measure_request request;
    char host[DUET_KERNEL_TEXT];
    const char *output;
} measure_args;

static bool take_factorisations(void *input, const char *text)
{
    measure_args *args = input;
    // Table names and family names of the factorisations in their order, then all of them.
    static const char *const known[] = {"cholesky", "lu", "qr", "chol", "all"};
    enum { FAMILY = 3, ALL = 4 };
    size_t list[DUET_CLI_MAX_LIST];
    size_t count = 0;
    if (!duet_cli_take_words(&args->shared, "--factorisation", text, known, ALL + 1, list,
                             &count)) {
        return false;
    }
    memset(args->request.wanted, 0, sizeof args->request.wanted);
    for (size_t i = 0; i < count; i++) {
        for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
            args->request.wanted[f] =
                args->request.wanted[f] || list[i] == ALL || list[i] % FAMILY == f;
        }
    }
    return true;
}

static bool take_precisions(void *input, const char *text)
{
    measure_args *args = input;
    size_t list[DUET_CLI_MAX_LIST];
    size_t count = 0;
    if (!duet_cli_take_words(&args->shared, "--precision", text, duet_cli_precisions,
                             DUET_CLI_PRECISIONS, list, &count)) {
        return false;
    }
    memset(args->request.precisions, 0, sizeof args->request.precisions);
    for (size_t i = 0; i < count; i++) {
        args->request.precisions[list[i]] = true;
    }
    return true;
}

static bool take_tiles(void *input, const char *text)
{
    measure_args *args = input;
    if (!duet_cli_take_numbers(&args->shared, "--tile", text, 1, DUET_MEASURE_MAX_TILE,
                               args->request.tiles, &args->request.tile_count)) {
        return false;
    }
    for (size_t i = 0; i < args->request.tile_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (args->request.tiles[i] == args->request.tiles[j]) {
                return duet_cli_usage(&args->shared, "--tile: expected each size once, got '%s'",
                                      text);
            }
        }
    }
    return true;
}

// What a table of kernel times takes for a name, without the signs that mean something to a shell.
static bool is_machine(const char *text)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = strlen(text);
    return length > 0 && length < DUET_KERNEL_TEXT && strspn(text, good) == length;
}

static bool take_machine(void *input, const char *text)
{
    measure_args *args = input;
    if (!is_machine(text)) {
        return duet_cli_usage(&args->shared,
                              "--machine: expected 1 to %d letters, digits, '.', '_' and '-', "
                              "got '%s'",
                              DUET_KERNEL_TEXT - 1, text);
    }
    args->request.machine = text;
    return true;
}

static const duet_cli_option options[] = {
    {"factorisation", 0, "LIST", DUET_CLI_OWN(take_factorisations), .preset = "all",
     .text = "cholesky, lu, qr, separated by commas", .alias = "factorization"},
    {"precision", 0, "LIST", DUET_CLI_OWN(take_precisions), .preset = "double",
     .text = "single, double"},
    {"tile", 0, "LIST", DUET_CLI_OWN(take_tiles), .preset = "960", .text = "sides of the tiles"},
    {"inner", 0, "SIDE", DUET_CLI_WHOLE(measure_args, request.inner, 1, MAX_INNER), .preset = "64",
     .text = "inner block of the QR kernels, at most the tile"},
    {"repeats", 0, "N", DUET_CLI_WHOLE(measure_args, request.repeats, 1, DUET_MEASURE_MAX_REPEATS),
     .preset = "10", .text = "runs of each kernel"},
    {"warmup", 0, "N", DUET_CLI_WHOLE(measure_args, request.warmup, 0, DUET_MEASURE_MAX_REPEATS),
     .preset = "2", .text = "runs before them that do not count"},
    {"machine", 0, "NAME", DUET_CLI_OWN(take_machine), .fallback = "the host's name",
     .text = "what the rows are called"},
    {"gpu", 0, "NAME", DUET_CLI_WORD(measure_args, request.gpu),
     .fallback = "this machine's GPU, else sirocco",
     .text = "machine or row whose acceleration factors give the GPU times"},
    {"gpu-file", 0, "FILE", DUET_CLI_PATH(measure_args, request.gpu_file),
     .fallback = "the shipped one", .text = "a table of kernel times with that machine"},
    {"output", 'o', "OUT", DUET_CLI_PATH(measure_args, output), .fallback = "standard output",
     .text = "where the table of kernel times goes"},
    {0}};
static const duet_cli_syntax syntax = {
    "measure",
    "",
    0,
    "Times the kernels of tiled factorisations on one core of this machine, with the BLAS and "
    "LAPACK that it has (libblas.so.3, liblapack.so.3; best OpenBLAS, in one thread), and writes "
    "a table of kernel times that 'duet generate chol|lu|qr -O timings=OUT' reads. Where the "
    "machine "
    "has an NVIDIA GPU and CUDA (libcudart, libcublas, libcusolver), the kernels of Cholesky and "
    "LU "
    "are timed on it, too, and the transfers of tiles. Other GPU times are the CPU times by the "
    "acceleration factors of a machine that was measured. Where the table goes to standard output, "
    "the figures for people go to standard error.\v"
    "Examples:\n"
    "  duet measure -o mine.csv\n"
    "  duet measure --factorisation lu --tile 320,640,960 --gpu attila -o mine.csv\n"
    "  duet measure --precision single,double --gpu-file gpus.csv --json\n"
    "  duet generate lu -n 20 -O timings=mine.csv -O row=NAME-double-960",
    {options, duet_cli_output_options, NULL}};

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
    DUET_TRY(duet_output_open(&output, path, error));
    duet_cli_measure_csv(measurement, output.stream);
    return duet_output_commit(&output, error);
}

// Opens what is measured first: without it nothing else matters.
static duet_code check_args(measure_args *args, duet_error *error)
{
    duet_code code = duet_measure_open(&args->request.blas, error);
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
    DUET_THEN(code, name_machine(args, error));
    DUET_THEN(code, duet_cli_measure_run(&args->request, &measurement, error));
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
    measure_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    duet_error error = DUET_ERROR_INIT;
    if (measure(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
