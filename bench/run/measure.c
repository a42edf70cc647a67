// SPDX-License-Identifier: Apache-2.0
#include "bench/run/measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/number/random.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/kernels/factorisation.h"
#include "solvers/registry.h"
#include "solvers/run.h"

double duet_bench_since(int64_t start)
{
    return (double)(duet_clock_ns() - start) * 1e-9;
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
    for (size_t i = 0; i < duet_family_count() && count < room; i++) {
        const duet_entry *family = duet_family_entry(i);
        bool independent =
            (family->handles & (DUET_FEATURE_PRECEDENCE | DUET_FEATURE_MOLDABLE)) == 0;
        if (family->guarantee == NULL && independent) {
            names[count++] = family->name;
        }
    }
    return count;
}

int64_t duet_bench_kernels(const char *family, int64_t n)
{
    const duet_factorisation *factorisation = duet_factorisation_of_family(family);
    return factorisation == NULL ? 0 : duet_factorisation_tasks(factorisation, n);
}

const char *duet_bench_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

duet_code duet_bench_instance(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                              uint64_t seed, duet_instance **out, duet_error *error)
{
    int64_t size = tasks;
    if (duet_bench_kernels(family, 1) > 0) {
        for (size = 1; duet_bench_kernels(family, size) < tasks;) {
            size++;
        }
    }
    return duet_bench_generate(family, size, cpus, gpus, seed, "", out, error);
}

duet_code duet_bench_add_options(const char *text, duet_options *options, duet_error *error)
{
    duet_code code = DUET_OK;
    while (*text != '\0' && code == DUET_OK) {
        char word[80];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        code = duet_options_add(options, word, error);
        text += length + (text[length] == ' ');
    }
    return code;
}

duet_code duet_bench_options(const char *text, duet_options **out, duet_error *error)
{
    *out = NULL;
    DUET_TRY(duet_options_create(out, error));
    return duet_bench_add_options(text, *out, error);
}

duet_code duet_bench_generate(const char *family, int64_t n, int64_t m, int64_t k, uint64_t seed,
                              const char *options, duet_instance **out, duet_error *error)
{
    const int64_t counts[2] = {m, k};
    duet_options *added;
    *out = NULL;
    duet_code code = duet_bench_options(options, &added, error);
    size_t types = m == -1 && k == -1 ? 0 : 2;
    const duet_generate_params params = {sizeof params, n, types, counts, seed, added};
    DUET_THEN(code, duet_generate(family, &params, out, error));
    duet_options_free(added);
    return code;
}

duet_code duet_bench_read(const char *path, const char *options, duet_instance **out,
                          duet_error *error)
{
    duet_read_params params = DUET_READ_PARAMS_INIT;
    duet_options *added;
    *out = NULL;
    duet_code code = duet_bench_options(options, &added, error);
    params.options = added;
    DUET_THEN(code, duet_read_instance(path, &params, out, error));
    duet_options_free(added);
    return code;
}

duet_code duet_bench_run(const duet_instance *instance, const char *algorithm, double limit,
                         double *seconds, duet_solution **solution, duet_error *error)
{
    return duet_bench_run_drawn(instance, algorithm, limit, 0, seconds, solution, error);
}

duet_code duet_bench_run_drawn(const duet_instance *instance, const char *algorithm, double limit,
                               uint64_t seed, double *seconds, duet_solution **solution,
                               duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_context context;
    duet_solution *own = NULL;
    params.threads = 1;
    params.time_limit = limit;
    params.seed = seed;
    duet_context_init(&context, &params, NULL);
    int64_t start = duet_clock_ns();
    duet_code code =
        duet_run_algorithm(instance, duet_find_algorithm(algorithm), &context, &own, error);
    *seconds = duet_bench_since(start);
    if (code == DUET_OK && solution != NULL) {
        *solution = own;
    } else if (code == DUET_OK) {
        duet_solution_free(own);
    }
    return code;
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

void duet_bench_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
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

duet_code duet_bench_distinct_tasks(size_t tasks, uint64_t seed, duet_instance **out,
                                    duet_error *error)
{
    int64_t *times = duet_alloc(tasks * 2, sizeof *times, error);
    DUET_NEED(times);
    duet_random random;
    duet_random_seed(&random, seed);
    for (size_t i = 0; i < tasks * 2; i++) {
        times[i] = duet_random_between(&random, 1, 1000000000);
    }
    const duet_type platform[2] = {{"cpu", 20}, {"gpu", 4}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = tasks,
                               .times = times};
    duet_code code = duet_instance_create(&desc, out, error);
    duet_free(times);
    return code;
}
