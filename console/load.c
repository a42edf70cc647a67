// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // strcasestr
#include "console/load.h"

#include <stdio.h>
#include <string.h>

#include "console/given.h"
#include "console/platform.h"
#include "console/print.h"
#include "console/ticker.h"
#include "core/system/try.h"

// -m counts the first type, whatever its name: says so where the names suggest the other one.
static void note_order(const duet_cli_args *args, const duet_instance *instance)
{
    if (args->cpu_types == 0 || args->gpu_types == 0 || duet_instance_types(instance) != 2 ||
        args->quiet) {
        return;
    }
    const char *first = duet_instance_type_name(instance, 0);
    const char *second = duet_instance_type_name(instance, 1);
    if (strcasestr(first, "gpu") != NULL && strcasestr(second, "cpu") != NULL) {
        duet_cli_print(
            stderr,
            "duet: note: -m counts '%s', the first type, and -k '%s': --columns turns them\n",
            first, second);
    }
}

static void report(void *user, const duet_read_progress *progress)
{
    if (progress->total > 0) {
        duet_cli_ticker_percent(user, (int)(100 * progress->bytes / progress->total));
    }
}

static duet_code read_file(const duet_cli_args *args, const char *path, duet_instance **out,
                           duet_error *error)
{
    duet_cli_ticker ticker;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.columns = args->read.columns;
    params.digits = args->read.digits;
    params.room = args->read.room;
    params.exact_times = args->read.exact_times;
    params.time_unit = args->read.unit;
    params.strict_input = args->read.strict_input;
    params.types = args->platform;
    params.edges = args->read.edges;
    params.busy = args->busy;
    params.start = args->start;
    params.options = args->reading;
    params.progress = report;
    params.user = &ticker;
    params.time_limit = duet_cli_params_left(args).time_limit;
    duet_cli_ticker_start(&ticker, "reading", args->quiet);
    duet_code code = duet_read_instance(path, &params, out, error);
    duet_cli_ticker_stop(&ticker);
    return code;
}

// Hands out an instance that was read, after what its reader has to say.
static duet_code hand_out(const duet_cli_args *args, duet_code code, duet_instance *instance,
                          duet_instance **out)
{
    *out = NULL;
    if (code != DUET_OK) {
        duet_instance_free(instance);
        return code;
    }
    note_order(args, instance);
    const char *notice = duet_instance_notice(instance);
    if (notice != NULL && !args->quiet) {
        duet_cli_print(stderr, "duet: note: %s\n", notice);
    }
    *out = instance;
    return DUET_OK;
}

duet_code duet_cli_load_with_plan(const duet_cli_args *args, const char *path, duet_instance **out,
                                  duet_solution **plan, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_code code = read_file(args, path, &instance, error);
    DUET_THEN(code, duet_cli_apply_platform(args, path, instance, 0, error));
    DUET_THEN(code, duet_cli_give(args, plan != NULL, &instance, plan, error));
    return hand_out(args, code, instance, out);
}

duet_code duet_cli_load(const duet_cli_args *args, const char *path, duet_instance **out,
                        duet_error *error)
{
    return duet_cli_load_with_plan(args, path, out, NULL, error);
}

duet_code duet_cli_load_range(const duet_cli_args *args, const char *path,
                              duet_cli_count range[DUET_MAX_TYPES], duet_instance **out,
                              duet_error *error)
{
    duet_instance *instance = NULL;
    duet_code code = read_file(args, path, &instance, error);
    DUET_THEN(code, duet_cli_platform_range(args, path, instance, range, error));
    return hand_out(args, code, instance, out);
}

duet_code duet_cli_load_schedule(const duet_cli_args *args, const char *path,
                                 duet_instance *instance, duet_solution **out, duet_error *error)
{
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.time_limit = duet_cli_params_left(args).time_limit;
    params.room = args->read.room;
    return duet_read_solution(path, &params, instance, out, error);
}

void duet_cli_take_in_ticks(const duet_cli_args *args, const char *path,
                            const duet_instance *instance, duet_solution *solution)
{
    if (duet_solution_finer(solution) > 0 && !args->quiet) {
        duet_cli_print(
            stderr,
            "duet: note: %s: tasks start between ticks: every start is rounded down to a tick, "
            "which makes no schedule "
            "longer\n",
            path);
    }
    duet_solution_to_ticks(solution, instance);
}
