// SPDX-License-Identifier: Apache-2.0
// duet size: the smallest, or cheapest, platforms that make a deadline.
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/size_out.h"
#include "console/exit_code.h"
#include "console/load.h"
#include "console/options.h"
#include "console/picture.h"
#include "console/signals.h"
#include "console/ticker.h"
#include "core/instance/available.h"
#include "core/system/try.h"
#include "solvers/registry.h"

typedef struct size_args {
    duet_cli_args shared;
    const char *algorithm; // NULL: auto
    const char *folder;
    const char *csv;
    const char *chart;
} size_args;

static const duet_cli_option options[] = {
    {"deadline", 0, "T", DUET_CLI_WORD(size_args, shared.deadline),
     .text =
         "when all tasks are to have ended: in the unit of the file, as a length (1h20m), or as "
         "a day and a time beside --start"},
    {"price", 0, "TYPE=PRICE,...", DUET_CLI_WORD(size_args, shared.price), .fallback = "none",
     .text = "what a processor of each type costs an hour: the cheapest platforms are looked for"},
    {"algorithm", 'a', "ALGORITHM", DUET_CLI_WORD(size_args, algorithm), .fallback = "auto",
     .text = "the algorithm to run on each platform", .registry = "algorithms"},
    {"output", 'o', "FOLDER", DUET_CLI_PATH(size_args, folder),
     .text = "write the solutions along the border into this folder, 4-1.json for 4 processors of "
             "the first type and 1 of the second: 'duet verify' checks them"},
    {"csv", 0, "OUT", DUET_CLI_PATH(size_args, csv),
     .text = "write what is known of every platform, a line each"},
    {"chart", 0, "F.svg|pdf|png", DUET_CLI_PATH(size_args, chart),
     .text = "draw the border between the platforms that make it and those that do not (PDF and "
             "PNG need cairo)"},
    {0}};
static const duet_cli_syntax syntax = {
    "size",
    "FILE",
    1,
    "Finds the smallest platforms of a range on which all tasks end by a deadline: those of which "
    "no other one that does has at most as many processors of every type; with --price the "
    "cheapest. It takes 30 seconds at most (-t changes that), less where all is known. Exits with "
    "4 where no platform of the range makes it, which is proven, and with 5 where some platform "
    "is not decided that could change the answer.\v"
    "Examples:\n"
    "  duet size tasks.csv --deadline 600 --platform cpu=1..64,gpu=0..8\n"
    "  duet size tasks.csv --deadline 600 --platform cpu=1..64,gpu=0..8 --price cpu=0.04,gpu=2.5\n"
    "  duet size chol.json --deadline 900 -m 1..20 -k 0..4 --chart border.svg -o proofs\n"
    "\n"
    "'duet solve --deadline' asks the same of one platform.",
    {options, duet_cli_chart_options, duet_cli_range_options, duet_cli_reading_options,
     duet_cli_limits_options, duet_cli_values_options, duet_cli_output_options, NULL}};

static duet_code check_args(const size_args *args, duet_error *error)
{
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE, "size: expected a file, '-' for standard input");
    }
    if (args->shared.deadline == NULL) {
        return duet_error_set(error, DUET_E_USAGE, "size: expected --deadline T");
    }
    return duet_cli_check_chart(&args->shared, args->chart, error);
}

// Searches the range.
static duet_code find(const size_args *args, const duet_cli_count *range, duet_cli_sized *found,
                      duet_error *error)
{
    int64_t least[DUET_MAX_TYPES];
    int64_t most[DUET_MAX_TYPES];
    duet_instance *instance = found->instance;
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        least[t] = range[t].first;
        most[t] = range[t].last;
        found->varied[t] = least[t] < most[t];
    }
    duet_cancel *cancel = duet_cancel_create();
    if (cancel == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_cli_ticker ticker;
    duet_params params = duet_cli_params_left(&args->shared);
    params.cancel = cancel;
    const duet_size_desc desc = {.struct_size = sizeof desc,
                                 .deadline = args->shared.due.ticks,
                                 .least = least,
                                 .most = most,
                                 .price = found->price.given ? found->price.each : NULL,
                                 .algorithm = args->algorithm,
                                 .params = &params};
    duet_cli_signals_catch(cancel);
    duet_cli_ticker_start(&ticker, "trying platforms", args->shared.quiet);
    duet_code code = duet_size(instance, &desc, &found->sizing, error);
    duet_cli_ticker_stop(&ticker);
    duet_cli_signals_release();
    if (code == DUET_OK && duet_cancel_requested(cancel)) {
        fputs("duet: interrupted: this is what is known so far\n", stderr);
    }
    duet_cancel_free(cancel);
    return code;
}

// Writes the solutions that are kept.
static duet_code write_solutions(const char *folder, const duet_cli_sized *found, duet_error *error)
{
    size_t types = duet_instance_types(found->instance);
    duet_code code = DUET_OK;
    (void)mkdir(folder, 0777); // where it cannot be made, the first file in it says so
    for (size_t i = 0; i < duet_sizing_platforms(found->sizing) && code == DUET_OK; i++) {
        const duet_solution *solution = duet_sizing_solution(found->sizing, i);
        if (solution == NULL) {
            continue;
        }
        char path[4096];
        duet_sized sized = duet_sizing_platform(found->sizing, i);
        size_t used = (size_t)snprintf(path, sizeof path, "%s/", folder);
        for (size_t t = 0; t < types && used < sizeof path; t++) {
            used += (size_t)snprintf(path + used, sizeof path - used, "%s%" PRId64,
                                     t == 0 ? "" : "-", sized.counts[t]);
        }
        if (used + sizeof ".json" > sizeof path) {
            return duet_error_set(error, DUET_E_USAGE, "-o: the name of a file is too long");
        }
        snprintf(path + used, sizeof path - used, ".json");
        duet_trim_busy(found->instance, sized.counts);
        code = duet_instance_set_counts(found->instance, types, sized.counts, error);
        DUET_THEN(code, duet_write_solution(path, found->instance, solution, error));
    }
    return code;
}

static duet_code write_all(const size_args *args, const duet_cli_sized *found, duet_error *error)
{
    duet_code code = DUET_OK;
    if (args->csv != NULL) {
        code = duet_cli_sized_csv(found, args->csv, error);
    }
    if (args->chart != NULL) {
        DUET_THEN(code, duet_cli_sized_chart(found, args->chart, &args->shared.chart_look, error));
    }
    if (code == DUET_OK && args->shared.json) {
        duet_cli_sized_json(found, stdout);
    } else if (code == DUET_OK) {
        duet_cli_sized_print(found, stdout);
    }
    if (args->folder != NULL) {
        DUET_THEN(code, write_solutions(args->folder, found, error));
    }
    return code;
}

static duet_code size(size_args *args, duet_cli_sized *found, duet_error *error)
{
    duet_cli_count range[DUET_MAX_TYPES];
    DUET_TRY(check_args(args, error));
    DUET_TRY(
        duet_cli_load_range(&args->shared, args->shared.files[0], range, &found->instance, error));
    DUET_TRY(duet_cli_read_given_time("--deadline", args->shared.deadline, found->instance,
                                      &args->shared.due, error));
    DUET_TRY(duet_cli_read_price(args->shared.price, found->instance, &found->price, error));
    found->due = args->shared.due;
    found->searches = duet_searches(args->algorithm);
    DUET_TRY(find(args, range, found, error));
    return write_all(args, found, error);
}

int duet_cli_size_command(int argc, char **argv)
{
    size_args args = {0};
    duet_cli_sized found = {0};
    duet_error error = DUET_ERROR_INIT;
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    if (size(&args, &found, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    } else {
        duet_feasibility answer = duet_sizing_answer(found.sizing);
        code = answer == DUET_YES
                   ? DUET_CLI_OK
                   : duet_cli_exit_code(answer == DUET_NO ? DUET_E_INFEASIBLE : DUET_E_LIMIT);
    }
    duet_sizing_free(found.sizing);
    duet_instance_free(found.instance);
    duet_cli_args_free(&args.shared);
    return code;
}
