// SPDX-License-Identifier: Apache-2.0
#include "console/platform.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/available.h"
#include "core/system/memory.h"
#include "core/system/shell_word.h"
#include "core/system/try.h"

// Most platforms of one table.
enum { MOST_PLATFORMS = 1000 };

// Digits of at most DUET_MAX_PROCESSORS from *at on, which moves behind them.
static bool read_number(const char **at, int64_t *number)
{
    const char *start = *at;
    for (*number = 0; **at >= '0' && **at <= '9' && *number <= DUET_MAX_PROCESSORS; ++*at) {
        *number = 10 * *number + (**at - '0');
    }
    return *at != start && *number <= DUET_MAX_PROCESSORS;
}

bool duet_cli_read_count(const char **at, duet_cli_count *count)
{
    if (!read_number(at, &count->first)) {
        return false;
    }
    count->last = count->first;
    if (strncmp(*at, "..", 2) == 0) {
        *at += 2;
        return read_number(at, &count->last) && count->first <= count->last;
    }
    return true;
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

// What the first count of a text that looks like a range has against it, "" where nothing: the end
// of the message that refuses it.
static const char *range_hint(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        size_t first = at == text || strchr(",= ", at[-1]) != NULL ? digits_at(at) : 0;
        if (first > 0 && at[first] == '-' && digits_at(at + first + 1) > 0) {
            return ": a range is written 1..4";
        }
        duet_cli_count count;
        const char *end = at;
        if (first > 0 && !duet_cli_read_count(&end, &count) && digits_at(end) == 0 &&
            strncmp(at + first, "..", 2) == 0 && digits_at(at + first + 2) > 0) {
            return ": a range goes from the smaller to the larger, as in 1..4";
        }
    }
    return "";
}

static bool refuse_range(duet_cli_args *args, const char *option, const char *text)
{
    return duet_cli_usage(args,
                          "%s: expected one count, for ranges are for solve, bound and "
                          "compare; got '%s'",
                          option, text);
}

bool duet_cli_take_cpus_range(void *input, const char *text)
{
    duet_cli_args *args = input;
    const char *at = text;
    uint64_t number = 0;
    args->cpu_types = 1;
    if (strstr(text, "..") == NULL && range_hint(text)[0] == '\0') {
        bool good = duet_cli_whole(args, "-m", text, 0, DUET_MAX_PROCESSORS, &number);
        args->cpus = (duet_cli_count){(int64_t)number, (int64_t)number};
        return good;
    }
    return (duet_cli_read_count(&at, &args->cpus) && *at == '\0') ||
           duet_cli_usage(args, "-m: expected a whole number or a range such as 1..4, got '%s'%s",
                          text, range_hint(text));
}

bool duet_cli_take_gpus_range(void *input, const char *text)
{
    duet_cli_args *args = input;
    const char *at = text;
    bool good = true;
    for (args->gpu_types = 0; good;) {
        good = args->gpu_types < DUET_MAX_TYPES - 1 &&
               duet_cli_read_count(&at, &args->gpus[args->gpu_types]) &&
               (*at == ',' || *at == '\0');
        args->gpu_types += good;
        if (good && *at++ == '\0') {
            return true;
        }
    }
    return duet_cli_usage(args,
                          "-k: expected a whole number from 0 to %lld, a range such as 1..4, or at "
                          "most %d of them as in 4,2, got '%s'%s",
                          (long long)DUET_MAX_PROCESSORS, DUET_MAX_TYPES - 1, text,
                          range_hint(text));
}

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
}

// A name, in double quotes where it holds '=' or ','; two of them stand for one. Blanks around it
// are none of it.
static bool read_name(const char **at, char *name, size_t size)
{
    skip_blanks(at);
    bool quoted = **at == '"';
    size_t used = 0;
    for (*at += quoted; **at != '\0' && (quoted || (**at != '=' && **at != ',')); ++*at) {
        if (quoted && **at == '"' && *++*at != '"') {
            break;
        }
        if (used + 1 == size) {
            return false;
        }
        name[used++] = **at;
    }
    while (!quoted && used > 0 && (name[used - 1] == ' ' || name[used - 1] == '\t')) {
        used--;
    }
    name[used] = '\0';
    skip_blanks(at);
    return used > 0;
}

bool duet_cli_next_named(const char **at, duet_cli_named_count *item)
{
    if (*at == NULL || **at == '\0') {
        return false;
    }
    bool good = read_name(at, item->name, sizeof item->name) && *(*at)++ == '=';
    if (good) {
        skip_blanks(at);
        good = duet_cli_read_count(at, &item->count);
        skip_blanks(at);
        good = good && (**at == ',' || **at == '\0');
    }
    if (good && **at == ',') {
        good = *++*at != '\0';
    }
    *at = good ? *at : NULL;
    return good;
}

// What is given several times adds up.
static bool add_named(duet_cli_args *args, char **list, const char *text)
{
    size_t before = *list == NULL ? 0 : strlen(*list);
    char *all = duet_alloc(before + strlen(text) + 2, 1, &args->error);
    if (all == NULL) {
        return false;
    }
    snprintf(all, before + strlen(text) + 2, "%s%s%s", before == 0 ? "" : *list,
             before == 0 ? "" : ",", text);
    duet_free(*list);
    *list = all;
    return true;
}

bool duet_cli_take_platform_range(void *input, const char *text)
{
    duet_cli_args *args = input;
    const char *at = text;
    duet_cli_named_count item;
    while (duet_cli_next_named(&at, &item)) {
    }
    if (at == NULL || text[0] == '\0') {
        return duet_cli_usage(args,
                              "--platform: expected counts by type such as cpu=16,gpu=4, or ranges "
                              "such as gpu=1..4, got '%s'%s",
                              text, range_hint(text));
    }
    return add_named(args, &args->platform, text);
}

bool duet_cli_take_busy(void *input, const char *text)
{
    duet_cli_args *args = input;
    if (strchr(text, '=') == NULL) {
        return duet_cli_usage(args, "--busy: expected times by type such as gpu=3,0, got '%s'",
                              text);
    }
    return add_named(args, &args->busy, text);
}

bool duet_cli_take_cpus(void *input, const char *text)
{
    const duet_cli_args *args = input;
    return duet_cli_take_cpus_range(input, text) &&
           (args->cpus.first == args->cpus.last || refuse_range(input, "-m", text));
}

bool duet_cli_take_gpus(void *input, const char *text)
{
    const duet_cli_args *args = input;
    bool good = duet_cli_take_gpus_range(input, text);
    for (size_t i = 0; i < args->gpu_types && good; i++) {
        good = args->gpus[i].first == args->gpus[i].last || refuse_range(input, "-k", text);
    }
    return good;
}

bool duet_cli_take_platform(void *input, const char *text)
{
    bool good = duet_cli_take_platform_range(input, text);
    const char *at = text;
    duet_cli_named_count item;
    while (good && duet_cli_next_named(&at, &item)) {
        good = item.count.first == item.count.last || refuse_range(input, "--platform", text);
    }
    return good;
}

// Counts of each type; those that are not given keep the file's own.
typedef struct counts {
    size_t types;
    bool given[DUET_MAX_TYPES];
    duet_cli_count count[DUET_MAX_TYPES];
} counts;

const char *duet_cli_type_names(const duet_instance *instance, char *buffer, size_t size)
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

// "cpu=N,gpu=N" as a shell takes it, or with the `own` counts of the instance; NAME=N,... where
// that is too long.
static const char *write_counts(const duet_instance *instance, bool own,
                                char buffer[DUET_SHELL_WORD])
{
    char list[DUET_SHELL_WORD] = "";
    char name[DUET_SHELL_WORD];
    size_t used = 0;
    for (size_t t = 0; t < duet_instance_types(instance) && used < sizeof list; t++) {
        char count[24] = "N";
        if (own) {
            snprintf(count, sizeof count, "%lld", (long long)duet_instance_type_count(instance, t));
        }
        used += (size_t)snprintf(
            list + used, sizeof list - used, "%s%s=%s", t == 0 ? "" : ",",
            duet_listed_name(duet_instance_type_name(instance, t), name, sizeof name), count);
    }
    return duet_shell_word(used < sizeof list ? list : "", "NAME=N,...", buffer, DUET_SHELL_WORD);
}

static const char *counts_of(const duet_instance *instance, char buffer[DUET_SHELL_WORD])
{
    return write_counts(instance, false, buffer);
}

const char *duet_cli_counts(const duet_instance *instance, char buffer[DUET_SHELL_WORD])
{
    return write_counts(instance, true, buffer);
}

static duet_code take_named(const char *text, const char *path, const duet_instance *instance,
                            counts *taken, duet_error *error)
{
    duet_cli_named_count item;
    for (const char *at = text; duet_cli_next_named(&at, &item);) {
        char names[200];
        size_t type = 0;
        while (type < taken->types &&
               strcmp(duet_instance_type_name(instance, type), item.name) != 0) {
            type++;
        }
        if (type == taken->types) {
            return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                     "--platform: no processor type '%.60s': expected one of %s",
                                     item.name, duet_cli_type_names(instance, names, sizeof names));
        }
        if (taken->given[type]) {
            return duet_error_set(error, DUET_E_USAGE, "--platform: '%.60s' is counted twice",
                                  item.name);
        }
        taken->given[type] = true;
        taken->count[type] = item.count;
    }
    return DUET_OK;
}

static duet_code take_lettered(const duet_cli_args *args, const char *path,
                               const duet_instance *instance, counts *taken, duet_error *error)
{
    size_t types = taken->types;
    char names[160];
    char example[DUET_SHELL_WORD];
    if (args->gpu_types > 0 && types == 1) {
        return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                                 "one processor type only, %s: expected -m without -k; or -O "
                                 "gpu=F, with which a GPU takes an F-th of a CPU's time; or "
                                 "--platform with the name of each type, as in nodes=2,gpu=1, "
                                 "where a field is one of what tasks have by its name",
                                 duet_instance_type_name(instance, 0));
    }
    if (args->gpu_types > 0 && args->gpu_types != types - 1) {
        return duet_error_set_at(
            error, DUET_E_USAGE, path, 0, 0,
            "%zu processor types (%s): expected %zu count%s after -k, got %zu; "
            "--columns picks those that are meant, --platform %s counts by name",
            types, duet_cli_type_names(instance, names, sizeof names), types - 1,
            types == 2 ? "" : "s, as in -k 4,2,", args->gpu_types, counts_of(instance, example));
    }
    taken->given[0] = args->cpu_types > 0;
    taken->count[0] = args->cpus;
    for (size_t t = 1; t < types && args->gpu_types > 0; t++) {
        taken->given[t] = true;
        taken->count[t] = args->gpus[t - 1];
    }
    return DUET_OK;
}

// The counts that are left open are the file's own.
static duet_code fill_rest(const duet_cli_args *args, const char *path,
                           const duet_instance *instance, counts *taken, duet_error *error)
{
    for (size_t t = 0; t < taken->types; t++) {
        if (!taken->given[t] && !duet_instance_has_platform(instance)) {
            char example[DUET_SHELL_WORD];
            const char *beside = args->platform != NULL ? ""
                                 : t == 0               ? "-k needs -m beside it, "
                                 : taken->types == 2    ? "-m needs -k beside it, "
                                                        : "-m needs -k K,L beside it, ";
            return duet_error_set_at(
                error, DUET_E_USAGE, path, 0, 0,
                "no processor counts in the file: %sthe type '%.60s' has none; "
                "expected --platform %s%s",
                beside, duet_instance_type_name(instance, t), counts_of(instance, example),
                taken->types != 2 || strcmp(duet_instance_type_name(instance, 1), "gpu") != 0
                    ? "; where some are no processor types, --columns NAME,... picks those that are"
                    : "");
        }
        if (!taken->given[t]) {
            int64_t own = duet_instance_type_count(instance, t);
            taken->count[t] = (duet_cli_count){own, own};
        }
    }
    return DUET_OK;
}

static duet_code take_counts(const duet_cli_args *args, const char *path,
                             const duet_instance *instance, counts *taken, duet_error *error)
{
    *taken = (counts){.types = duet_instance_types(instance)};
    if (args->platform != NULL && args->cpu_types + args->gpu_types > 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--platform counts every type: expected no -m and no -k beside it");
    }
    DUET_TRY(args->platform != NULL ? take_named(args->platform, path, instance, taken, error)
                                    : take_lettered(args, path, instance, taken, error));
    return fill_rest(args, path, instance, taken, error);
}

static int64_t length_of(duet_cli_count count)
{
    return count.last - count.first + 1;
}

// Products stay below MOST_PLATFORMS times the longest range.
static int64_t times(int64_t product, duet_cli_count count)
{
    return product > MOST_PLATFORMS ? product : product * length_of(count);
}

int64_t duet_cli_platform_count(const duet_cli_args *args)
{
    int64_t product = args->cpu_types > 0 ? length_of(args->cpus) : 1;
    for (size_t t = 0; t < args->gpu_types; t++) {
        product = times(product, args->gpus[t]);
    }
    duet_cli_named_count item;
    for (const char *at = args->platform; duet_cli_next_named(&at, &item);) {
        product = times(product, item.count);
    }
    return product;
}

static bool asks(const duet_cli_args *args)
{
    return args->cpu_types + args->gpu_types > 0 || args->platform != NULL;
}

duet_code duet_cli_apply_platform(const duet_cli_args *args, const char *path,
                                  duet_instance *instance, int64_t index, duet_error *error)
{
    counts taken;
    int64_t chosen[DUET_MAX_TYPES];
    int64_t total = 0;
    if (!asks(args)) {
        return DUET_OK;
    }
    if (duet_cli_platform_count(args) > MOST_PLATFORMS) {
        return duet_error_set(error, DUET_E_USAGE, "expected at most %d platforms in a range",
                              MOST_PLATFORMS);
    }
    DUET_TRY(take_counts(args, path, instance, &taken, error));
    for (size_t t = taken.types; t-- > 0;) {
        chosen[t] = taken.count[t].first + index % length_of(taken.count[t]);
        index /= length_of(taken.count[t]);
        total += chosen[t];
    }
    if (total == 0) {
        return duet_error_set(error, DUET_E_USAGE, "%s: expected at least one processor, got none",
                              args->platform != NULL ? "--platform" : "-m and -k");
    }
    if (duet_cli_platform_count(args) > 1) { // a smaller platform has the first busy processors
        duet_trim_busy(instance, chosen);
    }
    return duet_instance_set_counts(instance, taken.types, chosen, error);
}

duet_code duet_cli_platform_range(const duet_cli_args *args, const char *path,
                                  const duet_instance *instance,
                                  duet_cli_count range[DUET_MAX_TYPES], duet_error *error)
{
    counts taken;
    DUET_TRY(asks(args) ? DUET_OK : duet_cli_require_platform(path, instance, error));
    DUET_TRY(take_counts(args, path, instance, &taken, error));
    for (size_t t = 0; t < taken.types; t++) {
        range[t] = taken.count[t];
    }
    return DUET_OK;
}

duet_code duet_cli_varied_types(const duet_cli_args *args, const char *path,
                                const duet_instance *instance, bool varied[DUET_MAX_TYPES],
                                duet_error *error)
{
    counts taken = {.types = 0};
    duet_code code = asks(args) ? take_counts(args, path, instance, &taken, error) : DUET_OK;
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        varied[t] = code == DUET_OK && t < taken.types && length_of(taken.count[t]) > 1;
    }
    return code;
}

bool duet_cli_take_without(void *input, const char *text)
{
    duet_cli_args *args = input;
    if (strchr(text, '=') == NULL) {
        return duet_cli_usage(args,
                              "--without: expected processors by type, counted from 0, such as "
                              "gpu=1, got '%s'",
                              text);
    }
    return add_named(args, &args->without, text);
}

duet_code duet_cli_require_platform(const char *path, const duet_instance *instance,
                                    duet_error *error)
{
    if (duet_instance_has_platform(instance)) {
        return DUET_OK;
    }
    size_t types = duet_instance_types(instance);
    char names[DUET_SHELL_WORD];
    const char *hint = types == 1 ? "-m M" : types == 2 ? "-m M -k K" : "-m M -k K,L";
    return duet_error_set_at(error, DUET_E_USAGE, path, 0, 0,
                             "no processor counts in the file: expected %s, or --platform %s%s",
                             hint, counts_of(instance, names),
                             types > 2 ? "; where some are no processor types, --columns "
                                         "NAME,... picks those that are"
                                       : "");
}
