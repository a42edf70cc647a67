// SPDX-License-Identifier: Apache-2.0
// `duet bench speed`: how fast the fast algorithms are, as ratios within one run.
//
// Method: n distinct random tasks; each round times qsort() of n random 16-byte records and then
// every algorithm once, so that a slow minute of the machine slows both; the ratio is that of the
// medians. Memory is the peak of a child process that builds the instance and runs one algorithm,
// less that of a child that runs it on one task. A last line times the whole process `duet bound`
// on a file of four kinds of a million tasks each.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/run/fit.h"
#include "bench/run/measure.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/output.h"
#include "core/random.h"
#include "solvers/registry.h"

// An algorithm or a bound that is timed.
typedef struct speed_contender {
    const char *name;
    bool is_bound;
    double limit; // times qsort
} speed_contender;

static const speed_contender contenders[] = {
    {"area", true, 4},    {"lpt", false, 4},   {"eft", false, 4},
    {"heft", false, 4},   {"qa", false, 4},    {"heteroprio", false, 8},
    {"dualhp", false, 8}, {"shelf", true, 15}, {"shelf-3-2", false, 15},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders, SIZES = 3 };

typedef struct speed_settings {
    duet_cli_args shared;
    long tasks;
    int rounds;
    const char *csv;
} speed_settings;

static duet_instance *make_instance(size_t tasks, uint64_t seed)
{
    duet_instance *instance = NULL;
    return duet_bench_distinct_tasks(tasks, seed, &instance, NULL) == DUET_OK ? instance : NULL;
}

static bool run_contender(const speed_contender *contender, const duet_instance *instance)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    if (contender->is_bound) {
        duet_bound bound;
        bool ok = duet_compute_bound(instance, contender->name, &params, &bound, NULL) == DUET_OK;
        duet_bound_release(&bound);
        return ok;
    }
    duet_context context;
    duet_context_init(&context, &params, NULL);
    duet_solution *solution;
    const duet_algorithm *algorithm = duet_find_algorithm(contender->name);
    bool ok = duet_run_algorithm(instance, algorithm, &context, &solution, NULL) == DUET_OK;
    duet_solution_free(ok ? solution : NULL);
    return ok;
}

// Medians of one size: of qsort, and of every contender.
typedef struct timing {
    double sort;
    double contender[CONTENDERS];
} timing;

static bool time_size(size_t tasks, int rounds, timing *result)
{
    static const uint64_t seed = 1;
    duet_instance *instance = make_instance(tasks, seed);
    if (instance == NULL) {
        return false;
    }
    double sort[DUET_BENCH_MAX_ROUNDS];
    double seconds[CONTENDERS][DUET_BENCH_MAX_ROUNDS];
    bool ok = true;
    for (int round = 0; round < rounds && ok; round++) {
        sort[round] = duet_bench_time_qsort(tasks, seed + (uint64_t)round);
        ok = sort[round] >= 0;
        for (int s = 0; s < CONTENDERS && ok; s++) {
            int64_t start = duet_clock_ns();
            ok = run_contender(&contenders[s], instance);
            seconds[s][round] = duet_bench_since(start);
        }
    }
    duet_instance_free(instance);
    if (ok) {
        result->sort = duet_bench_median(sort, rounds);
        for (int s = 0; s < CONTENDERS; s++) {
            result->contender[s] = duet_bench_median(seconds[s], rounds);
        }
    }
    return ok;
}

// What the child whose memory is measured does: builds an instance and runs one contender.
typedef struct memory_work {
    const speed_contender *contender;
    size_t tasks;
} memory_work;

static bool build_and_run(void *state)
{
    const memory_work *work = state;
    duet_instance *instance = make_instance(work->tasks, 1);
    return instance != NULL && run_contender(work->contender, instance);
}

static double peak_memory(const speed_contender *contender, size_t tasks)
{
    memory_work work = {contender, tasks};
    return duet_bench_peak_memory(build_and_run, &work);
}

// A file of four kinds with a million tasks each; false when it cannot be written.
static bool write_four_kinds(int descriptor)
{
    static const char text[] =
        "{\"format\": \"duet-instance\", \"version\": 1, \"name\": \"four-kinds\", \"time_unit\": "
        "\"ms\",\n"
        " \"platform\": [{\"type\": \"cpu\", \"count\": 20}, {\"type\": \"gpu\", \"count\": 4}],\n"
        " \"tasks\": [{\"id\": \"potrf\", \"count\": 1000000, \"times\": [33, 15.6]},\n"
        "           {\"id\": \"trsm\", \"count\": 1000000, \"times\": [88, 8.11]},\n"
        "           {\"id\": \"syrk\", \"count\": 1000000, \"times\": [95, 3.65]},\n"
        "           {\"id\": \"gemm\", \"count\": 1000000, \"times\": [170, 5.95]}]}\n";
    size_t length = sizeof text - 1;
    return write(descriptor, text, length) == (ssize_t)length;
}

// Median seconds of the whole process `duet bound FILE --json`; negative on failure.
static double time_bound_process(int rounds)
{
    char path[] = "/tmp/duet-speed-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        return -1;
    }
    bool ok = write_four_kinds(descriptor);
    close(descriptor);
    double seconds[DUET_BENCH_MAX_ROUNDS];
    for (int round = 0; round < rounds && ok; round++) {
        char self[] = "/proc/self/exe";
        char bound[] = "bound";
        char *arguments[] = {self, bound, path, NULL};
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
        pid_t child;
        int status = 1;
        int64_t start = duet_clock_ns();
        ok = posix_spawn(&child, self, &actions, NULL, arguments, environ) == 0 &&
             waitpid(child, &status, 0) == child && status == 0;
        seconds[round] = duet_bench_since(start);
        posix_spawn_file_actions_destroy(&actions);
    }
    unlink(path);
    return ok ? duet_bench_median(seconds, rounds) : -1;
}

// Prints the table; returns whether every limit was kept.
static bool print_table(const speed_settings *settings, const timing *timings, const double *sizes,
                        FILE *csv)
{
    static const double memory_limit = 200;
    const timing *largest = &timings[SIZES - 1];
    bool all = true;
    printf("%ld tasks, 20 CPUs + 4 GPUs, %d rounds; qsort of 16-byte records: %.1f ms\n\n",
           settings->tasks, settings->rounds, largest->sort * 1e3);
    printf("%-12s %10s %8s %6s %9s %12s\n", "", "ms", "x qsort", "limit", "exponent", "bytes/task");
    for (int s = 0; s < CONTENDERS; s++) {
        double y[SIZES];
        for (int i = 0; i < SIZES; i++) {
            y[i] = timings[i].contender[s];
        }
        double factor = largest->contender[s] / largest->sort;
        double exponent = 0;
        char growth[16] = "-";
        if (duet_fit_exponent(sizes, y, SIZES, &exponent)) {
            snprintf(growth, sizeof growth, "%.2f", exponent);
        }
        double bytes = (peak_memory(&contenders[s], (size_t)settings->tasks) -
                        peak_memory(&contenders[s], 1)) /
                       (double)settings->tasks;
        bool ok = factor <= contenders[s].limit && bytes < memory_limit;
        all = all && ok;
        printf("%-12s %10.1f %8.2f %6.0f %9s %12.0f  %s\n", contenders[s].name,
               largest->contender[s] * 1e3, factor, contenders[s].limit, growth, bytes,
               ok ? "ok" : "OVER");
        if (csv != NULL) {
            fprintf(csv, "%s,%ld,%.6f,%.6f,%.3f,%s,%.0f\n", contenders[s].name, settings->tasks,
                    largest->contender[s], largest->sort, factor, growth, bytes);
        }
    }
    return all;
}

static int measure(const speed_settings *settings)
{
    timing timings[SIZES];
    double sizes[SIZES];
    long tasks = settings->tasks / 100;
    for (int i = 0; i < SIZES; i++, tasks *= 10) {
        sizes[i] = (double)tasks;
        if (!time_size((size_t)tasks, settings->rounds, &timings[i])) {
            duet_error memory = DUET_ERROR_INIT;
            duet_error_set(&memory, DUET_E_MEMORY, "bench speed: out of memory");
            return duet_cli_fail(&memory);
        }
    }
    duet_error error = DUET_ERROR_INIT;
    duet_output csv = {0};
    if (settings->csv != NULL) {
        if (duet_output_open(&csv, settings->csv, &error) != DUET_OK) {
            return duet_cli_fail(&error);
        }
        fprintf(csv.stream, "name,tasks,seconds,qsort_seconds,ratio,exponent,bytes_per_task\n");
    }
    bool all = print_table(settings, timings, sizes, csv.stream);
    if (csv.stream != NULL && duet_output_commit(&csv, &error) != DUET_OK) {
        return duet_cli_fail(&error);
    }
    double bound = time_bound_process(settings->rounds);
    printf(
        "\n'duet bound' on a file of four kinds of 10^6 tasks, whole process: %.1f ms (limit 50)\n",
        bound * 1e3);
    all = all && bound >= 0 && bound < 0.05;
    return all ? 0 : 1;
}

static const duet_cli_option options[] = {
    {"tasks", 'n', "N", DUET_CLI_WHOLE(speed_settings, tasks, 1000, 100000000), .preset = "1000000",
     .text = "number of tasks"},
    {"rounds", 0, "R", DUET_CLI_WHOLE(speed_settings, rounds, 1, DUET_BENCH_MAX_ROUNDS),
     .preset = "5", .text = "rounds of which the median counts"},
    {"csv", 0, "FILE", DUET_CLI_PATH(speed_settings, csv),
     .text = "also write the figures to FILE"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench speed",
    NULL,
    0,
    "Time and memory of the fast algorithms on N distinct tasks, against qsort of N 16-byte "
    "records in the same run. Exits 1 when a limit is exceeded."
    "\vExample:\n  duet bench speed -n 100000 --rounds 3\n",
    {options, duet_cli_help_options, NULL}};

int duet_bench_speed(int argc, char **argv)
{
    speed_settings settings = {0};
    int exit_code = DUET_CLI_OK;
    if (duet_cli_parse(&syntax, argc, argv, &settings, &exit_code)) {
        exit_code = measure(&settings);
    }
    duet_cli_args_free(&settings.shared);
    return exit_code;
}
