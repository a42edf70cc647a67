// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // strcasestr
#include "console/load.h"

#include <stdio.h>
#include <string.h>

#include "console/ticker.h"

// The counts -m and -k leave open are the file's own.
static duet_code missing_count(const duet_cli_args *args, const char *path,
                               const duet_instance *instance, duet_error *error)
{
    if (duet_instance_has_platform(instance)) {
        return DUET_OK;
    }
    if (!args->has_cpus) {
        return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                 "no processor counts in the file: -k needs -m beside it");
    }
    if (args->gpu_types == 0 && duet_instance_types(instance) > 1) {
        return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                 "no processor counts in the file: -m needs -k beside it");
    }
    return DUET_OK;
}

// "cpu, gpu, npu" into `buffer`, cut to `size`.
static const char *list_names(const duet_instance *instance, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t t = 0; t < duet_instance_types(instance) && used < size; t++) {
        int more = snprintf(buffer + used, size - used, "%s%s", t == 0 ? "" : ", ",
                            duet_instance_type_name(instance, t));
        used += more > 0 ? (size_t)more : 0;
    }
    return buffer;
}

// -m counts the first type, whatever its name: says so where the names suggest the other one.
static void note_order(const duet_cli_args *args, const duet_instance *instance)
{
    if (!args->has_cpus || args->gpu_types == 0 || duet_instance_types(instance) != 2 ||
        args->quiet) {
        return;
    }
    const char *first = duet_instance_type_name(instance, 0);
    const char *second = duet_instance_type_name(instance, 1);
    if (strcasestr(first, "gpu") != NULL && strcasestr(second, "cpu") != NULL) {
        fprintf(stderr,
                "duet: note: -m counts '%s', the first type, and -k '%s': --columns turns them\n",
                first, second);
    }
}

// Applies -m and -k. DUET_E_USAGE where they do not fit the instance's types.
static duet_code apply_platform(const duet_cli_args *args, const char *path,
                                duet_instance *instance, duet_error *error)
{
    size_t types = duet_instance_types(instance);
    if (!args->has_cpus && args->gpu_types == 0) {
        return DUET_OK;
    }
    if (args->gpu_types > 0 && types == 1) {
        return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                 "one processor type only: expected -m without -k");
    }
    if (args->gpu_types > 0 && args->gpu_types != types - 1) {
        char names[120];
        return duet_error_set_at(
            error, DUET_E_USAGE, path, 0, 0,
            "%zu processor types (%s): expected %zu count%s after -k, got %zu; "
            "--columns picks those of a CSV file that are meant",
            types, list_names(instance, names, sizeof names), types - 1,
            types == 2 ? "" : "s, as in -k 4,2,", args->gpu_types);
    }
    duet_code code = missing_count(args, path, instance, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t counts[DUET_MAX_TYPES] = {0};
    int64_t total = 0;
    for (size_t t = 0; t < types; t++) {
        bool given = t == 0 ? args->has_cpus : args->gpu_types > 0;
        counts[t] = given ? (t == 0 ? args->cpus : args->gpus[t - 1])
                          : duet_instance_type_count(instance, t);
        total += counts[t];
    }
    if (total == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-m and -k: expected at least one processor, got none");
    }
    return duet_instance_set_counts(instance, types, counts, error);
}

duet_code duet_cli_require_platform(const char *path, const duet_instance *instance,
                                    duet_error *error)
{
    if (duet_instance_has_platform(instance)) {
        return DUET_OK;
    }
    size_t types = duet_instance_types(instance);
    const char *hint = types == 1 ? "-m M" : types == 2 ? "-m M -k K" : "-m M -k K,L";
    return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                             "no processor counts in the file: expected %s", hint);
}

static void report(void *user, const duet_read_progress *progress)
{
    if (progress->total > 0) {
        duet_cli_ticker_percent(user, (int)(100 * progress->bytes / progress->total));
    }
}

duet_code duet_cli_load(const duet_cli_args *args, const char *path, duet_instance **out,
                        duet_error *error)
{
    duet_instance *instance = NULL;
    *out = NULL;
    duet_cli_ticker ticker;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.columns = args->columns;
    params.exact_times = args->exact_times;
    params.options = args->reading;
    params.progress = report;
    params.user = &ticker;
    duet_cli_ticker_start(&ticker, "reading", args->quiet);
    duet_code code = duet_read_instance_with(path, &params, &instance, error);
    duet_cli_ticker_stop(&ticker);
    if (code == DUET_OK) {
        code = apply_platform(args, path, instance, error);
    }
    if (code != DUET_OK) {
        duet_instance_free(instance);
        return code;
    }
    note_order(args, instance);
    const char *notice = duet_instance_notice(instance);
    if (notice != NULL && !args->quiet) {
        fprintf(stderr, "duet: note: %s\n", notice);
    }
    *out = instance;
    return DUET_OK;
}
