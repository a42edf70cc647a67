// SPDX-License-Identifier: Apache-2.0
// `duet bench speed`: how fast the fast algorithms are, as ratios within one run.
//
// Method: n distinct random tasks; each round times qsort() of n random 16-byte records and then
// every algorithm once, so that a slow minute of the machine slows both; the ratio is that of the
// medians. Memory is the peak of a child process that builds the instance and runs one algorithm,
// less that of a child that runs it on one task. A line times the whole process `duet bound` on a
// file of four kinds of a million tasks each. Last comes how late duet_solve() is within five
// milliseconds (speed_limit.c).
#include <stdio.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/run/columns.h"
#include "bench/run/fit.h"
#include "bench/run/measure.h"
#include "bench/run/process.h"
#include "bench/run/study.h"
#include "bench/speed.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/try.h"

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

static double factor(const void *row)
{
    const duet_speed_row *r = row;
    return r->seconds / r->sort;
}

// It may be negative: the difference of two processes.
static void write_bytes(const void *row, char text[DUET_COLUMN_ROOM])
{
    snprintf(text, DUET_COLUMN_ROOM, "%.0f", ((const duet_speed_row *)row)->bytes);
}

#define COLUMN(member, kind) DUET_COLUMN_OF(duet_speed_row, member, kind)
static const duet_column columns[] = {
    {"name", COLUMN(name, DUET_COLUMN_TEXT)},
    {"tasks", COLUMN(tasks, DUET_COLUMN_INTEGER)},
    {"seconds", COLUMN(seconds, DUET_COLUMN_REAL), .format = "%.6f"},
    {"qsort_seconds", COLUMN(sort, DUET_COLUMN_REAL), .format = "%.6f"},
    {"ratio", .type = DUET_COLUMN_REAL, .value = factor, .format = "%.3f"},
    {"exponent", COLUMN(growth, DUET_COLUMN_CHARS)},
    {"bytes_per_task", .type = DUET_COLUMN_OWN, .write = write_bytes},
    {.name = NULL}};

typedef struct speed_settings {
    duet_cli_args shared;
    long tasks;
    int64_t tiles; // of the task graph
    int rounds;
    const char *csv;
    bool threads; // what more threads give, and nothing else
} speed_settings;

static duet_code run_contender(const speed_contender *contender, const duet_instance *instance,
                               duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_bound *bound = NULL;
    double seconds;
    params.threads = 1;
    if (!contender->is_bound) {
        return duet_bench_run(instance, contender->name, 0, &seconds, NULL, error);
    }
    duet_code code = duet_compute_bound(instance, contender->name, &params, &bound, error);
    duet_bound_free(bound);
    return code;
}

static duet_code run_turn(const void *state, size_t index, duet_error *error)
{
    return run_contender(&contenders[index], state, error);
}

// What the child whose memory is measured does: builds an instance and runs one contender.
typedef struct memory_work {
    const speed_contender *contender;
    size_t tasks;
} memory_work;

static bool build_and_run(void *state)
{
    const memory_work *work = state;
    duet_instance *instance;
    return duet_bench_distinct_tasks(work->tasks, 1, &instance, NULL) == DUET_OK &&
           run_contender(work->contender, instance, NULL) == DUET_OK;
}

static double peak_memory(const speed_contender *contender, size_t tasks)
{
    memory_work work = {contender, tasks};
    return duet_bench_peak_memory(build_and_run, &work);
}

// A file of four kinds with a million tasks each; false when it cannot be written.
static bool write_four_kinds(const char *path)
{
    FILE *file = fopen(path, "w");
    bool written =
        file != NULL &&
        fputs("{\"format\": \"duet-instance\", \"version\": 1, \"name\": \"four-kinds\", "
              "\"time_unit\": "
              "\"ms\",\n"
              " \"platform\": [{\"type\": \"cpu\", \"count\": 20}, {\"type\": \"gpu\", \"count\": "
              "4}],\n"
              " \"tasks\": [{\"id\": \"potrf\", \"count\": 1000000, \"times\": [33, 15.6]},\n"
              "           {\"id\": \"trsm\", \"count\": 1000000, \"times\": [88, 8.11]},\n"
              "           {\"id\": \"syrk\", \"count\": 1000000, \"times\": [95, 3.65]},\n"
              "           {\"id\": \"gemm\", \"count\": 1000000, \"times\": [170, 5.95]}]}\n",
              file) >= 0;
    return file != NULL && fclose(file) == 0 && written;
}

// Median seconds of the whole process `duet bound FILE --json`; negative on failure.
static double time_bound_process(int rounds)
{
    char path[4096];
    double seconds[DUET_BENCH_MAX_ROUNDS];
    const char *const words[] = {"/proc/self/exe", "bound", path, NULL};
    bool ok =
        duet_process_file("speed", path, sizeof path, NULL) == DUET_OK && write_four_kinds(path);
    for (int round = 0; round < rounds && ok; round++) {
        duet_process process = {.words = words, .output = "/dev/null"};
        ok = duet_process_run(&process, NULL) == DUET_OK && process.well;
        seconds[round] = process.took;
    }
    if (path[0] != '\0') {
        unlink(path);
    }
    return ok ? duet_bench_median(seconds, rounds) : -1;
}

// One line of the table; returns whether its limits were kept.
static bool finish_row(const speed_contender *contender, const double *sizes, const double *seconds,
                       duet_speed_row *row)
{
    static const double memory_limit = 200;
    size_t tasks = (size_t)row->tasks;
    double exponent = 0;
    if (duet_fit_exponent(sizes, seconds, SIZES, &exponent)) {
        snprintf(row->growth, sizeof row->growth, "%.2f", exponent);
    }
    row->bytes = (peak_memory(contender, tasks) - peak_memory(contender, 1)) / (double)tasks;
    bool ok = factor(row) <= contender->limit && row->bytes < memory_limit;
    duet_cli_print(stdout, "%-12s %10.1f %8.2f %6.0f %9s %12.0f  %s\n", row->name,
                   row->seconds * 1e3, factor(row), contender->limit, row->growth, row->bytes,
                   ok ? "ok" : "OVER");
    return ok;
}

// Distinct tasks of several sizes: lines of the table, and rows of the largest.
static duet_code measure_tasks(const speed_settings *settings, duet_speed_row *rows, bool *kept,
                               duet_error *error)
{
    double sizes[SIZES];
    double seconds[CONTENDERS][SIZES];
    duet_code code = DUET_OK;
    long tasks = settings->tasks / 100;
    for (int i = 0; i < SIZES && code == DUET_OK; i++, tasks *= 10) {
        duet_instance *instance = NULL;
        sizes[i] = (double)tasks;
        code = duet_bench_distinct_tasks((size_t)tasks, 1, &instance, error);
        DUET_THEN(code, duet_speed_rounds(tasks, settings->rounds, run_turn, instance, CONTENDERS,
                                          rows, error));
        duet_instance_free(instance);
        for (size_t c = 0; c < CONTENDERS && code == DUET_OK; c++) {
            seconds[c][i] = rows[c].seconds;
        }
    }
    if (code != DUET_OK) {
        return code;
    }
    printf("%ld tasks, 20 CPUs + 4 GPUs, %d rounds; qsort of 16-byte records: %.1f ms\n\n",
           settings->tasks, settings->rounds, rows[0].sort * 1e3);
    duet_cli_print(stdout, "%-12s %10s %8s %6s %9s %12s\n", "", "ms", "x qsort", "limit",
                   "exponent", "bytes/task");
    for (size_t c = 0; c < CONTENDERS; c++) {
        rows[c].name = contenders[c].name;
        *kept = finish_row(&contenders[c], sizes, seconds[c], &rows[c]) && *kept;
    }
    return DUET_OK;
}

// "ok" within the limit.
static const char *judge(const duet_speed_row *row, bool *kept)
{
    bool ok = factor(row) <= row->limit;
    *kept = *kept && ok;
    return ok ? "ok" : "OVER";
}

static duet_code measure_graphs(const speed_settings *settings, duet_speed_row *rows, bool *kept,
                                duet_error *error)
{
    DUET_TRY(duet_speed_time_graphs(settings->tiles, settings->rounds, rows, error));
    duet_cli_print(
        stdout,
        "\nCholesky of %lld tiles of a side, %lld tasks, one thread; qsort of as many records: "
        "%.1f ms\n\n%-16s %10s %8s %6s\n",
        (long long)settings->tiles, (long long)rows[0].tasks, rows[0].sort * 1e3, "", "ms",
        "x qsort", "limit");
    for (size_t c = 0; c < DUET_SPEED_GRAPHS; c++) {
        duet_cli_print(stdout, "%-16s %10.1f %8.2f %6.0f  %s\n", rows[c].name,
                       rows[c].seconds * 1e3, factor(&rows[c]), rows[c].limit,
                       judge(&rows[c], kept));
    }
    return DUET_OK;
}

static duet_code measure_moldable(const speed_settings *settings, duet_speed_row *rows, bool *kept,
                                  duet_error *error)
{
    enum { PART = 10 }; // of the other tasks
    DUET_TRY(duet_speed_time_moldable(settings->tasks / PART, settings->rounds, rows, error));
    duet_cli_print(
        stdout,
        "\nmoldable tasks, one thread; qsort of as many records\n\n%-16s %8s %10s %10s %8s %6s\n",
        "", "tasks", "processors", "ms", "x qsort", "limit");
    for (size_t c = 0; c < DUET_SPEED_MOLDABLE; c++) {
        duet_cli_print(stdout, "%-16s %8lld %10lld %10.1f %8.1f %6.0f  %s\n", rows[c].name,
                       (long long)rows[c].tasks, (long long)rows[c].processors,
                       rows[c].seconds * 1e3, factor(&rows[c]), rows[c].limit,
                       judge(&rows[c], kept));
    }
    return DUET_OK;
}

static duet_code measure(void *args, bool *kept, duet_error *error)
{
    const speed_settings *settings = args;
    duet_speed_row rows[ROWS] = {{.name = NULL}};
    DUET_TRY(duet_cli_check_target(settings->csv, error));
    if (settings->threads) {
        enum { TILES = 15 };
        int most = duet_bench_processors();
        DUET_TRY(duet_speed_time_threads(TILES, duet_max(most, 2), error));
        return duet_speed_time_span(error);
    }
    DUET_TRY(measure_tasks(settings, rows, kept, error));
    DUET_TRY(measure_graphs(settings, rows + CONTENDERS, kept, error));
    DUET_TRY(measure_moldable(settings, rows + CONTENDERS + DUET_SPEED_GRAPHS, kept, error));
    DUET_TRY(duet_columns_save(columns, rows, ROWS, sizeof *rows, settings->csv, error));
    double bound = time_bound_process(settings->rounds);
    printf(
        "\n'duet bound' on a file of four kinds of 10^6 tasks, whole process: %.1f ms (limit 50)\n",
        bound * 1e3);
    *kept = *kept && bound >= 0 && bound < 0.05;
    return duet_speed_time_limits(settings->rounds, kept, error);
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
    {"threads", 0, NULL, DUET_CLI_FLAG(speed_settings, threads),
     .text = "instead, what 1, 2, 4, ... threads give the search for schedules of a task graph: "
             "its gap over time, work and span, and work by span of exact on twenty graphs"},
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
    return duet_study_measure(&syntax, argc, argv, &settings, measure);
}
