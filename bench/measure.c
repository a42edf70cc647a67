// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/args.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/random.h"

double duet_bench_since(int64_t start)
{
    return (double)(duet_clock_ns() - start) * 1e-9;
}

static int compare_doubles(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (*a > *b) - (*a < *b);
}

double duet_bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

typedef struct record {
    uint64_t key;
    uint64_t value;
} record;

static int compare_records(const void *left, const void *right)
{
    const record *a = left;
    const record *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

double duet_bench_time_qsort(size_t count, uint64_t seed)
{
    record *records = duet_alloc(count, sizeof *records, NULL);
    if (records == NULL) {
        return -1;
    }
    duet_random random;
    duet_random_seed(&random, seed);
    for (size_t i = 0; i < count; i++) {
        records[i] = (record){duet_random_next(&random), i};
    }
    int64_t start = duet_clock_ns();
    qsort(records, count, sizeof *records, compare_records);
    double seconds = duet_bench_since(start);
    duet_free(records);
    return seconds;
}

size_t duet_bench_families(const char **names, size_t room)
{
    size_t count = 0;
    while (count < room && count < duet_family_count() &&
           duet_family_entry(count)->guarantee == NULL) {
        names[count] = duet_family_entry(count)->name;
        count++;
    }
    return count;
}

// Tiles per side for at least `tasks` tasks of a factorisation; 0 where the family counts tasks.
static int64_t tiles_for(const char *family, int64_t tasks)
{
    bool cholesky = strcmp(family, "chol") == 0;
    if (!cholesky && strcmp(family, "lu") != 0 && strcmp(family, "qr") != 0) {
        return 0;
    }
    for (int64_t n = 1;; n++) {
        int64_t kernels = cholesky ? n * (n + 1) * (n + 2) / 6 : n * (n + 1) * (2 * n + 1) / 6;
        if (kernels >= tasks) {
            return n;
        }
    }
}

duet_code duet_bench_instance(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                              uint64_t seed, duet_instance **out, duet_error *error)
{
    int64_t tiles = tiles_for(family, tasks);
    return duet_generate(family, tiles > 0 ? tiles : tasks, cpus, gpus, seed, NULL, out, error);
}

double duet_bench_peak_memory(bool (*work)(void *state), void *state)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(work(state) ? 0 : 1);
    }
    int status = 1;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        return -1;
    }
    return (double)usage.ru_maxrss * 1024;
}

int duet_bench_processors(void)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    return context.threads;
}

// Copies the item before the next comma; false at the end of the list or where it does not fit.
static bool next_item(const char **at, char *item, size_t size)
{
    size_t length = strcspn(*at, ",");
    if (length == 0 || length >= size) {
        return false;
    }
    memcpy(item, *at, length);
    item[length] = '\0';
    *at += length;
    return true;
}

bool duet_bench_take_numbers(duet_cli_args *args, const char *option, const char *text,
                             uint64_t minimum, uint64_t maximum, int64_t *list, size_t *count)
{
    char item[32];
    *count = 0;
    for (const char *at = text; *count < DUET_BENCH_MAX_LIST && next_item(&at, item, sizeof item);
         at++) {
        uint64_t number = 0;
        if (!duet_cli_whole(args, option, item, minimum, maximum, &number)) {
            return false;
        }
        list[(*count)++] = (int64_t)number;
        if (*at == '\0') {
            return true;
        }
    }
    duet_cli_usage(args, "%s: expected at most %d whole numbers separated by commas, got '%s'",
                   option, DUET_BENCH_MAX_LIST, text);
    return false;
}

bool duet_bench_take_words(duet_cli_args *args, const char *option, const char *text,
                           const char *const *known, size_t known_count, size_t *list,
                           size_t *count)
{
    char item[64];
    *count = 0;
    for (const char *at = text; *count < DUET_BENCH_MAX_LIST && next_item(&at, item, sizeof item);
         at++) {
        size_t found = 0;
        while (found < known_count && strcmp(known[found], item) != 0) {
            found++;
        }
        if (found == known_count) {
            break;
        }
        list[(*count)++] = found;
        if (*at == '\0') {
            return true;
        }
    }
    char names[256] = "";
    for (size_t i = 0, used = 0; i < known_count && used < sizeof names; i++) {
        used +=
            (size_t)snprintf(names + used, sizeof names - used, i == 0 ? "%s" : ", %s", known[i]);
    }
    duet_cli_usage(args, "%s: expected a list such as A,B of %s; got '%s'", option, names, text);
    return false;
}

bool duet_bench_take_platforms(duet_cli_args *args, const char *option, const char *text,
                               int64_t *m, int64_t *k, size_t *count)
{
    const char *at = text;
    for (*count = 0; *count < DUET_BENCH_MAX_LIST; at++) {
        char *end = NULL;
        // strtol() would take spaces and signs too.
        if (strspn(at, "0123456789:,") != strlen(at) || *at == ':' || *at == ',') {
            break;
        }
        m[*count] = strtol(at, &end, 10);
        if (end == at || *end != ':' || end[1] < '0' || end[1] > '9') {
            break;
        }
        k[*count] = strtol(end + 1, &end, 10);
        if (m[*count] < 1 || m[*count] > 100000 || k[*count] > 100000) {
            break;
        }
        (*count)++;
        at = end;
        if (*at == '\0') {
            return true;
        }
        if (*at != ',') {
            break;
        }
    }
    duet_cli_usage(args,
                   "%s: expected at most %d pairs M:K of 1 to 100000 CPUs and 0 to 100000 GPUs "
                   "such as 20:4,64:8, got '%s'",
                   option, DUET_BENCH_MAX_LIST, text);
    return false;
}

char *duet_bench_format_bytes(double bytes, char *buffer)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, 32, "%.3g %s", bytes, units[unit]);
    return buffer;
}

char *duet_bench_format_seconds(double seconds, char *buffer)
{
    if (seconds >= 100) {
        snprintf(buffer, 32, "%.0f s", seconds);
    } else if (seconds >= 1) {
        snprintf(buffer, 32, "%.3g s", seconds);
    } else if (seconds >= 1e-3) {
        snprintf(buffer, 32, "%.3g ms", seconds * 1e3);
    } else {
        snprintf(buffer, 32, "%.3g us", seconds * 1e6);
    }
    return buffer;
}

duet_code duet_bench_make_folder(const char *path, duet_error *error)
{
    struct stat status;
    int failed = mkdir(path, 0777);
    if (failed != 0 && errno == EEXIST) {
        failed = stat(path, &status);
        if (failed == 0 && !S_ISDIR(status.st_mode)) {
            return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                     "cannot write: it is a file, expected a folder");
        }
        failed = failed != 0 ? failed : access(path, W_OK | X_OK);
    }
    return failed == 0 ? DUET_OK
                       : duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0,
                                           "cannot write to the folder: %s", strerror(errno));
}

duet_code duet_bench_check_prefix(const char *prefix, duet_error *error)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s-", prefix);
    if (length < 0 || (size_t)length >= sizeof path) {
        return duet_error_set(error, DUET_E_OUTPUT, "%.200s: the name is too long", prefix);
    }
    struct stat status; // a folder "prefix-" is in nobody's way
    return stat(path, &status) == 0 ? DUET_OK : duet_cli_check_target(path, error);
}
