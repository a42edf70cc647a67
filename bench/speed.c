// SPDX-License-Identifier: Apache-2.0
// `duet bench speed`: how fast the fast algorithms are, as ratios within one run.
//
// Method: n distinct random tasks; each round times qsort() of n random 16-byte records and then
// every algorithm once, so that a slow minute of the machine slows both; the ratio is that of the
// medians. Memory is the peak of a child process that builds the instance and runs one algorithm,
// less that of a child that runs it on one task. A line times the whole process `duet bound` on a
// file of four kinds of a million tasks each. Last comes how late duet_solve() is within five
// milliseconds (bench/speed_limit.h).
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/run/columns.h"
#include "bench/run/fit.h"
#include "bench/run/measure.h"
#include "bench/speed_graphs.h"
#include "bench/speed_limit.h"
#include "bench/speed_moldable.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "core/context.h"
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
enum {
    CONTENDERS = sizeof contenders / sizeof *contenders,
    SIZES = 3,
    ROWS = CONTENDERS + DUET_SPEED_GRAPHS + DUET_SPEED_MOLDABLE
};

// What came of it.
typedef struct speed_row {
    const char *name;
    int64_t tasks;
    double seconds, sort; // medians
    double factor;        // times qsort
    char growth[16];      // exponent, "-": none was fitted
    double bytes;         // per task
} speed_row;

// It may be negative: the difference of two processes.
static void write_bytes(const void *row, char text[DUET_COLUMN_ROOM])
{
    snprintf(text, DUET_COLUMN_ROOM, "%.0f", ((const speed_row *)row)->bytes);
}

#define COLUMN(member, kind) DUET_COLUMN_OF(speed_row, member, kind)
static const duet_column columns[] = {
    {"name", COLUMN(name, DUET_COLUMN_TEXT)},
    {"tasks", COLUMN(tasks, DUET_COLUMN_INTEGER)},
    {"seconds", COLUMN(seconds, DUET_COLUMN_REAL), .format = "%.6f"},
    {"qsort_seconds", COLUMN(sort, DUET_COLUMN_REAL), .format = "%.6f"},
    {"ratio", COLUMN(factor, DUET_COLUMN_REAL), .format = "%.3f"},
    {"exponent", COLUMN(growth, DUET_COLUMN_CHARS)},
    {"bytes_per_task", .type = DUET_COLUMN_OWN, .write = write_bytes},
    {.name = NULL}};

typedef struct speed_settings {
    duet_cli_args shared;
    long tasks;
    int64_t tiles; // of the task graph
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
static bool time_size(size_t tasks, int rounds, double *sorting, int size,
                      double medians[CONTENDERS][SIZES])
{
    static const uint64_t seed = 1;
    duet_instance *instance = make_instance(tasks, seed);
    double sort[DUET_BENCH_MAX_ROUNDS];
    double seconds[CONTENDERS][DUET_BENCH_MAX_ROUNDS];
    bool ok = instance != NULL;
    for (int round = 0; round < rounds && ok; round++) {
        sort[round] = duet_bench_time_qsort(tasks, seed + (uint64_t)round);
        ok = sort[round] >= 0;
        for (int c = 0; c < CONTENDERS && ok; c++) {
            int64_t start = duet_clock_ns();
            ok = run_contender(&contenders[c], instance);
            seconds[c][round] = duet_bench_since(start);
        }
    }
    duet_instance_free(instance);
    for (int c = 0; c < CONTENDERS && ok; c++) {
        medians[c][size] = duet_bench_median(seconds[c], rounds);
    }
    *sorting = ok ? duet_bench_median(sort, rounds) : 0;
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

// One line of the table; returns whether its limits were kept.
static bool measure_row(const speed_contender *contender, const double *sizes,
                        const double *seconds, double sort, speed_row *row)
{
    static const double memory_limit = 200;
    size_t tasks = (size_t)sizes[SIZES - 1];
    double exponent = 0;
    *row = (speed_row){.name = contender->name,
                       .tasks = (int64_t)tasks,
                       .seconds = seconds[SIZES - 1],
                       .sort = sort,
                       .factor = seconds[SIZES - 1] / sort,
                       .growth = "-"};
    if (duet_fit_exponent(sizes, seconds, SIZES, &exponent)) {
        snprintf(row->growth, sizeof row->growth, "%.2f", exponent);
    }
    row->bytes = (peak_memory(contender, tasks) - peak_memory(contender, 1)) / (double)tasks;
    bool ok = row->factor <= contender->limit && row->bytes < memory_limit;
    printf("%-12s %10.1f %8.2f %6.0f %9s %12.0f  %s\n", row->name, row->seconds * 1e3, row->factor,
           contender->limit, row->growth, row->bytes, ok ? "ok" : "OVER");
    return ok;
}

// The task graph: lines of the table, and rows.
static duet_code measure_graphs(const speed_settings *settings, speed_row *rows, bool *kept,
                                duet_error *error)
{
    duet_speed_graph graphs[DUET_SPEED_GRAPHS];
    int64_t tasks = 0;
    duet_code code =
        duet_bench_time_graphs(settings->tiles, settings->rounds, &tasks, graphs, error);
    if (code != DUET_OK) {
        return code;
    }
    printf("\nCholesky of %lld tiles of a side, %lld tasks, one thread; qsort of as many records: "
           "%.1f ms\n\n%-16s %10s %8s %6s\n",
           (long long)settings->tiles, (long long)tasks, graphs[0].sort * 1e3, "", "ms", "x qsort",
           "limit");
    for (size_t c = 0; c < DUET_SPEED_GRAPHS; c++) {
        rows[c] = (speed_row){.name = graphs[c].name,
                              .tasks = tasks,
                              .seconds = graphs[c].seconds,
                              .sort = graphs[c].sort,
                              .factor = graphs[c].seconds / graphs[c].sort,
                              .growth = "-"};
        bool ok = rows[c].factor <= graphs[c].limit;
        *kept = *kept && ok;
        printf("%-16s %10.1f %8.2f %6.0f  %s\n", rows[c].name, rows[c].seconds * 1e3,
               rows[c].factor, graphs[c].limit, ok ? "ok" : "OVER");
    }
    return DUET_OK;
}

// Moldable tasks: likewise.
static duet_code measure_moldable(const speed_settings *settings, speed_row *rows, bool *kept,
                                  duet_error *error)
{
    enum { PART = 10 }; // of the other tasks
    duet_speed_moldable moldable[DUET_SPEED_MOLDABLE];
    duet_code code =
        duet_bench_time_moldable(settings->tasks / PART, settings->rounds, moldable, error);
    if (code != DUET_OK) {
        return code;
    }
    printf(
        "\nmoldable tasks, one thread; qsort of as many records\n\n%-16s %8s %10s %10s %8s %6s\n",
        "", "tasks", "processors", "ms", "x qsort", "limit");
    for (size_t c = 0; c < DUET_SPEED_MOLDABLE; c++) {
        const duet_speed_moldable *m = &moldable[c];
        rows[c] = (speed_row){.name = m->name,
                              .tasks = m->tasks,
                              .seconds = m->seconds,
                              .sort = m->sort,
                              .factor = m->seconds / m->sort,
                              .growth = "-"};
        bool ok = rows[c].factor <= m->limit;
        *kept = *kept && ok;
        printf("%-16s %8lld %10lld %10.1f %8.1f %6.0f  %s\n", m->name, (long long)m->tasks,
               (long long)m->processors, m->seconds * 1e3, rows[c].factor, m->limit,
               ok ? "ok" : "OVER");
    }
    return DUET_OK;
}

static duet_code measure(const speed_settings *settings, bool *kept, duet_error *error)
{
    double sort = 0;
    double seconds[CONTENDERS][SIZES];
    double sizes[SIZES];
    speed_row rows[ROWS];
    duet_code code = settings->csv != NULL ? duet_cli_check_target(settings->csv, error) : DUET_OK;
    long tasks = settings->tasks / 100;
    for (int i = 0; i < SIZES && code == DUET_OK; i++, tasks *= 10) {
        sizes[i] = (double)tasks;
        if (!time_size((size_t)tasks, settings->rounds, &sort, i, seconds)) {
            code = duet_error_set(error, DUET_E_MEMORY, "bench speed: out of memory");
        }
    }
    if (code != DUET_OK) {
        return code;
    }
    printf("%ld tasks, 20 CPUs + 4 GPUs, %d rounds; qsort of 16-byte records: %.1f ms\n\n",
           settings->tasks, settings->rounds, sort * 1e3);
    printf("%-12s %10s %8s %6s %9s %12s\n", "", "ms", "x qsort", "limit", "exponent", "bytes/task");
    for (int c = 0; c < CONTENDERS; c++) {
        *kept = measure_row(&contenders[c], sizes, seconds[c], sort, &rows[c]) && *kept;
    }
    code = measure_graphs(settings, rows + CONTENDERS, kept, error);
    if (code == DUET_OK) {
        code = measure_moldable(settings, rows + CONTENDERS + DUET_SPEED_GRAPHS, kept, error);
    }
    if (code == DUET_OK) {
        code = duet_columns_save(columns, rows, ROWS, sizeof *rows, settings->csv, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    double bound = time_bound_process(settings->rounds);
    printf(
        "\n'duet bound' on a file of four kinds of 10^6 tasks, whole process: %.1f ms (limit 50)\n",
        bound * 1e3);
    *kept = *kept && bound >= 0 && bound < 0.05;
    return duet_bench_time_limits(settings->rounds, kept, error);
}

static const duet_cli_option options[] = {
    {"tasks", 'n', "N", DUET_CLI_WHOLE(speed_settings, tasks, 1000, 100000000), .preset = "1000000",
     .text = "number of tasks"},
    {"tiles", 0, "N", DUET_CLI_WHOLE(speed_settings, tiles, 2, DUET_SPEED_MOST_TILES),
     .preset = "64",
     .text = "tiles of a side of the task graph; 181 are 1,004,731 tasks and 2,964,780 edges"},
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
    "records in the same run, of those on a task graph likewise, with reading it, and on N/10 "
    "moldable tasks (a deep task graph: N/100); and how much "
    "longer than five milliseconds solving takes where it "
    "has "
    "no more. Exits 1 when a limit is exceeded."
    "\vExample:\n  duet bench speed -n 100000 --rounds 3\n",
    {options, duet_cli_help_options, NULL}};

int duet_bench_speed(int argc, char **argv)
{
    speed_settings settings = {0};
    duet_error error = DUET_ERROR_INIT;
    bool kept = true;
    int exit_code = DUET_CLI_OK;
    if (duet_cli_parse(&syntax, argc, argv, &settings, &exit_code)) {
        duet_code code = measure(&settings, &kept, &error);
        exit_code = code != DUET_OK ? duet_cli_fail(&error) : kept ? DUET_CLI_OK : DUET_CLI_FAULT;
    }
    duet_cli_args_free(&settings.shared);
    return exit_code;
}
