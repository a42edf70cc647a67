// SPDX-License-Identifier: Apache-2.0
// duet convert: an instance of any format that is read, in one that is written.
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "console/deadline.h"
#include "console/exact_names.h"
#include "console/exit_code.h"
#include "console/load.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/print.h"
#include "console/ticker.h"
#include "core/system/try.h"

typedef struct convert_args {
    duet_cli_args shared;
    const char *output; // NULL: standard output
    const char *format; // NULL: by its ending
} convert_args;

static const duet_cli_option options[] = {
    {"output", 'o', "OUT", DUET_CLI_PATH(convert_args, output), .fallback = "standard output",
     .text = "where to write"},
    {"format", 0, "json|csv|dot",
     DUET_CLI_WORD_SUCH_AS(convert_args, format, duet_cli_written_formats),
     .fallback = "by the ending of OUT, else json", .text = "what to write"},
    {"quiet", 'q', NULL, DUET_CLI_FLAG(convert_args, shared.quiet),
     .text = "no progress line and no notes"},
    {0}};
static const duet_cli_syntax syntax = {
    "convert",
    "FILE",
    1,
    "Reads an instance in any known format, as the content of the file says, and writes it as "
    "JSON, CSV or DOT. -O makes a second processor type where the file knows one time of each "
    "task, or leaves edges out.\v"
    "Examples:\n"
    "  duet convert tasks.rec -o tasks.json\n"
    "  duet convert graph.stg -O gpu=gamma:15:15:1 -m 20 -k 2 -o graph.json\n"
    "  duet convert workflow.json --format dot | dot -Tsvg -o workflow.svg\n"
    "  duet convert graph.dot -O edges=false -o tasks.csv\n"
    "\n"
    "'duet list formats -v' lists the formats and the options of reading. A CSV file\n"
    "holds no processor counts and no communication costs; what a file has no place\n"
    "for is refused or noted.",
    {options, duet_cli_platform_options, duet_cli_given_options, duet_cli_reading_options,
     duet_cli_setting_options, duet_cli_bounds_options, duet_cli_help_options, NULL}};

static duet_code convert(const convert_args *args, duet_error *error)
{
    const char *output = args->output == NULL ? "-" : args->output;
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "convert: expected a file, '-' for standard input");
    }
    const char *file = args->shared.files[0];
    duet_code code = args->format == NULL ? duet_cli_check_instance_ending(output, error) : DUET_OK;
    DUET_THEN(code, duet_cli_check_target(output, error));
    if (code == DUET_OK && duet_cli_same_file(output, file)) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "'%s' is the instance: expected another file for the output", output);
    }
    duet_instance *instance = NULL;
    DUET_THEN(code, duet_cli_load(&args->shared, file, &instance, error));
    if (code == DUET_OK) {
        duet_cli_ticker ticker;
        duet_cli_ticker_start(&ticker, "writing", args->shared.quiet || args->output == NULL);
        code = duet_write_instance(output, args->format, instance, error);
        duet_cli_ticker_stop(&ticker);
    }
    if (code == DUET_OK && duet_cli_is_stdout(output)) {
        duet_cli_saw_instance(args->format, instance);
    }
    if (code == DUET_OK && !args->shared.quiet) {
        duet_cli_note_ending(args->output, args->format);
        duet_cli_note_losses(args->output, args->format, instance, true);
    }
    duet_instance_free(instance);
    return code;
}

int duet_cli_convert(int argc, char **argv)
{
    convert_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    duet_cli_end_after(&args.shared, 0);
    duet_error error = DUET_ERROR_INIT;
    if (convert(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
