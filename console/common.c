// SPDX-License-Identifier: Apache-2.0
// Messages, instances and small texts that every command needs.
#include "console/common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "console/ticker.h"
#include "core/options.h"

const duet_cli_exit duet_cli_exits[] = {{0, "done"},
                                        {1, "a check said no"},
                                        {2, "wrong usage"},
                                        {3, "unreadable or invalid input"},
                                        {4, "no schedule exists"},
                                        {5, "a limit (time, memory, disk) came before the result"},
                                        {70, "a bug in Duet"},
                                        {0, NULL}};

int duet_cli_exit_code(duet_code code)
{
    switch (code) {
    case DUET_OK:
        return DUET_CLI_OK;
    case DUET_E_USAGE:
    case DUET_E_UNSUPPORTED:
        return 2;
    case DUET_E_INPUT:
        return 3;
    case DUET_E_INFEASIBLE:
        return 4;
    case DUET_E_LIMIT:
    case DUET_E_MEMORY:
    case DUET_E_OUTPUT:
    case DUET_E_CANCELLED:
        return 5;
    case DUET_E_INTERNAL:
        break;
    }
    return 70;
}

int duet_cli_fail(const duet_error *error)
{
    char text[sizeof error->file + sizeof error->message + 32];
    duet_error_format(error, text, sizeof text);
    // One line is promised, whatever a file is called.
    for (char *c = text; *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    }
    fprintf(stderr, "duet: %s\n", text);
    return duet_cli_exit_code(error->code);
}

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
        return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                 "%zu processor types: expected %zu count%s after -k, got %zu",
                                 types, types - 1, types == 2 ? "" : "s, as in -k 4,2,",
                                 args->gpu_types);
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

duet_code duet_cli_load(const duet_cli_args *args, const char *path, duet_instance **out,
                        duet_error *error)
{
    duet_instance *instance = NULL;
    *out = NULL;
    duet_cli_ticker ticker;
    duet_cli_ticker_start(&ticker, "reading", args->quiet);
    duet_code code = duet_read_instance(path, &instance, error);
    duet_cli_ticker_stop(&ticker);
    if (code == DUET_OK) {
        code = apply_platform(args, path, instance, error);
    }
    if (code != DUET_OK) {
        duet_instance_free(instance);
        return code;
    }
    const char *notice = duet_instance_notice(instance);
    if (notice != NULL && !args->quiet) {
        fprintf(stderr, "duet: note: %s\n", notice);
    }
    *out = instance;
    return DUET_OK;
}

duet_code duet_cli_check_ending(const char *option, const char *path, const char *endings,
                                duet_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');
    size_t length = dot == NULL ? 0 : strlen(dot);
    for (const char *at = endings; length > 0 && *at != '\0';) {
        size_t size = strcspn(at, " ");
        if (size == length && strncasecmp(at, dot, size) == 0) {
            return DUET_OK;
        }
        at += size + strspn(at + size, " ");
    }
    return duet_error_set(error, DUET_E_USAGE,
                          "%s: expected a file that ends in one of %s, got '%s'", option, endings,
                          path);
}

duet_code duet_cli_check_target(const char *path, duet_error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        return DUET_OK;
    }
    if (stat(path, &status) == 0) {
        return !S_ISDIR(status.st_mode)
                   ? DUET_OK
                   : duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                       "cannot write: it is a folder, expected a file");
    }
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
        return DUET_OK;
    }
    char folder[4096];
    size_t length = (size_t)(slash - path);
    if (length >= sizeof folder) {
        return DUET_OK;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                             "cannot write: there is no folder '%s'", folder);
}

bool duet_cli_same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

const char *duet_cli_option_file(const char *algorithm, const duet_options *options)
{
    const duet_option_spec *spec = NULL;
    for (size_t i = 0; i < duet_algorithm_count(); i++) {
        const duet_entry *entry = duet_algorithm_entry(i);
        spec = strcmp(entry->name, algorithm) == 0 ? entry->options : spec;
    }
    for (const duet_option_spec *s = spec; options != NULL && s != NULL && s->name != NULL; s++) {
        if (s->type == DUET_OPTION_TEXT && strcmp(s->unit, "file") == 0) {
            const char *path = duet_option_text(options, spec, s->name);
            return path[0] == '\0' ? NULL : path;
        }
    }
    return NULL;
}

char *duet_cli_time(const duet_instance *instance, int64_t ticks, char *buffer)
{
    char digits[64];
    const char *unit = duet_instance_time_unit(instance);
    snprintf(buffer, DUET_CLI_TEXT, "%s%s%s", duet_instance_format_time(instance, ticks, digits),
             unit[0] == '\0' ? "" : " ", unit);
    return buffer;
}

char *duet_cli_platform(const duet_instance *instance, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t t = 0; t < duet_instance_types(instance) && used < size; t++) {
        int more = snprintf(buffer + used, size - used, "%s%lld %s", t == 0 ? "" : " + ",
                            (long long)duet_instance_type_count(instance, t),
                            duet_instance_type_name(instance, t));
        used += more > 0 ? (size_t)more : 0;
    }
    return buffer;
}

double duet_cli_gap(int64_t value, int64_t bound)
{
    if (value == bound) {
        return 0.0;
    }
    return bound <= 0 ? -1.0 : 100.0 * (double)(value - bound) / (double)bound;
}

double duet_cli_round_up(double percent)
{
    return percent <= 0.0 ? 0.0 : ceil(percent * 100.0 - 1e-9) / 100.0;
}

char *duet_cli_gap_text(int64_t value, int64_t bound, char *buffer)
{
    double gap = duet_cli_gap(value, bound);
    if (gap < 0) {
        snprintf(buffer, DUET_CLI_TEXT, "unknown");
    } else if (value == bound) {
        snprintf(buffer, DUET_CLI_TEXT, "0 %%");
    } else {
        snprintf(buffer, DUET_CLI_TEXT, "%.2f %%", duet_cli_round_up(gap));
    }
    return buffer;
}
