// SPDX-License-Identifier: Apache-2.0
// Whole runs: dual-4-3 against the collapsed table on every family, and shelf-3-2 against qsort.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/dp_scaling/dp_scaling.h"
#include "bench/run/measure.h"
#include "bench/tables/tables.h"
#include "core/system/try.h"
#include "solvers/registry.h"

// A run that takes longer has failed anyway.
static const double most_seconds = 300;

static duet_code run_algorithm(const duet_instance *instance, const char *name, double *seconds,
                               int64_t *guesses, duet_error *error)
{
    duet_solution *solution;
    DUET_TRY(duet_bench_run(instance, name, most_seconds, seconds, &solution, error));
    size_t count = 0;
    const duet_counter *counters = duet_solution_counters(solution, &count);
    *guesses = 0;
    for (size_t i = 0; i < count; i++) {
        *guesses = strcmp(counters[i].name, "guesses") == 0 ? counters[i].value : *guesses;
    }
    duet_solution_free(solution);
    return DUET_OK;
}

typedef struct memory_job {
    const duet_instance *instance;
    const char *name;
} memory_job;

static bool run_in_child(void *state)
{
    const memory_job *job = state;
    double seconds;
    int64_t guesses;
    return run_algorithm(job->instance, job->name, &seconds, &guesses, NULL) == DUET_OK;
}

typedef struct whole_run {
    double seconds;   // of dual-4-3
    double collapsed; // of the same guesses by the collapsed table
    int64_t guesses;
    bool by_rate; // the collapsed table
} whole_run;

static duet_code time_run(const duet_bench_tables *tables, const duet_bench_guesses *guesses,
                          whole_run *found, duet_error *error)
{
    double seconds[DUET_BENCH_MAX_ROUNDS];
    double per_guess[DUET_BENCH_MAX_ROUNDS];
    duet_bench_how how = {.form = DUET_TABLE_COLLAPSED, .count = 1, .threads = 1};
    duet_code code = DUET_OK;
    for (int round = 0; round < tables->rounds && code == DUET_OK; round++) {
        duet_bench_decided decided = {.seconds = 0};
        code =
            run_algorithm(guesses->instance, "dual-4-3", &seconds[round], &found->guesses, error);
        DUET_THEN(code, duet_bench_by_rate(guesses, &how, 0, &found->by_rate, &decided, error));
        if (code == DUET_OK && !found->by_rate) {
            code = duet_bench_decide(guesses, &how, &decided, error);
        }
        per_guess[round] = decided.seconds;
    }
    if (code == DUET_OK) {
        found->seconds = duet_bench_median(seconds, tables->rounds);
        found->collapsed = duet_bench_median(per_guess, tables->rounds) *
                           (double)(found->guesses > 0 ? found->guesses : 1);
    }
    return code;
}

static void add_run(duet_bench_tables *tables, const char *family, const whole_run *found,
                    double memory)
{
    char slow[32];
    char fast[32];
    duet_bench_add_check(tables, "dual-4-3 / collapsed", family, found->seconds / found->collapsed,
                         0.01, "%s / %s; %" PRId64 " guesses, collapsed %s",
                         duet_bench_format_seconds(found->seconds, fast),
                         duet_bench_format_seconds(found->collapsed, slow), found->guesses,
                         found->by_rate ? "by rate" : "measured");
    if (memory < 0) {
        duet_bench_add_check(tables, "memory", NULL, NAN, NAN,
                             "not measured: the child process failed");
        return;
    }
    duet_bench_add_check(tables, "memory / GiB", family, memory / 1073741824.0, 1,
                         "peak of a process of its own: %s", duet_bench_format_bytes(memory, slow));
}

static duet_code family_run(duet_bench_tables *tables, const char *family, duet_error *error)
{
    duet_bench_guesses guesses;
    DUET_TRY(duet_bench_guesses_create(family, tables->quick ? 30 : 1000, tables->quick ? 4 : 64,
                                       tables->quick ? 2 : 8, tables->seed, &guesses, error));
    memory_job job = {guesses.instance, "dual-4-3"};
    double memory = duet_bench_peak_memory(run_in_child, &job);
    whole_run found = {.seconds = 0};
    duet_code code = time_run(tables, &guesses, &found, error);
    duet_bench_guesses_free(&guesses);
    if (code == DUET_OK) {
        add_run(tables, family, &found, memory);
    }
    return code;
}

duet_code duet_bench_table_runs(duet_bench_tables *tables, duet_error *error)
{
    if (duet_find_algorithm("dual-4-3") == NULL) {
        duet_bench_add_check(tables, "dual-4-3", NULL, NAN, NAN,
                             "not measured: this build has no dual-4-3");
        return DUET_OK;
    }
    const char *names[64];
    size_t count = duet_bench_families(names, 64);
    for (size_t f = 0; f < count; f++) {
        DUET_TRY(family_run(tables, names[f], error));
    }
    return DUET_OK;
}

static duet_code shelf_against_qsort(duet_bench_tables *tables, duet_error *error)
{
    const size_t tasks = tables->quick ? 1000 : 1000000;
    duet_instance *instance;
    duet_code code = duet_bench_distinct_tasks(tasks, tables->seed, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    double sort[DUET_BENCH_MAX_ROUNDS];
    double run[DUET_BENCH_MAX_ROUNDS];
    int64_t guesses = 0;
    for (int round = 0; round < tables->rounds && code == DUET_OK; round++) {
        sort[round] = duet_bench_time_qsort(tasks, tables->seed + (uint64_t)round);
        if (sort[round] < 0) {
            code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
        } else {
            code = run_algorithm(instance, "shelf-3-2", &run[round], &guesses, error);
        }
    }
    duet_instance_free(instance);
    if (code != DUET_OK) {
        return code;
    }
    char slow[32];
    char fast[32];
    double sorting = duet_bench_median(sort, tables->rounds);
    double running = duet_bench_median(run, tables->rounds);
    duet_bench_add_check(tables, "shelf-3-2 / qsort",
                         tables->quick ? "1000 tasks" : "1000000 tasks", running / sorting, 15,
                         "%s / %s; %" PRId64 " guesses", duet_bench_format_seconds(running, slow),
                         duet_bench_format_seconds(sorting, fast), guesses);
    return DUET_OK;
}

static duet_code time_four_kinds(const duet_instance *instance, int rounds, double *bounding,
                                 double *running, size_t *runs, duet_error *error)
{
    double bound_seconds[DUET_BENCH_MAX_ROUNDS];
    double run_seconds[DUET_BENCH_MAX_ROUNDS];
    duet_code code = DUET_OK;
    for (int round = 0; round < rounds && code == DUET_OK; round++) {
        duet_bound *bound = NULL;
        int64_t start = duet_clock_ns();
        code = duet_compute_bound(instance, "shelf", NULL, &bound, error);
        bound_seconds[round] = duet_bench_since(start);
        duet_bound_free(bound);
        duet_solution *solution = NULL;
        if (code == DUET_OK) {
            start = duet_clock_ns();
            code = duet_solve(instance, "shelf-3-2", NULL, &solution, error);
            run_seconds[round] = duet_bench_since(start);
        }
        if (code == DUET_OK) {
            duet_solution_runs(solution, runs);
            code = duet_check_solution(instance, solution, NULL, NULL, error);
        }
        duet_solution_free(solution);
    }
    if (code == DUET_OK) {
        *bounding = duet_bench_median(bound_seconds, rounds);
        *running = duet_bench_median(run_seconds, rounds);
    }
    return code;
}

// Kinds are never expanded: the schedule is held as runs of equal tasks.
static duet_code four_kinds(duet_bench_tables *tables, duet_error *error)
{
    static const int64_t counts[] = {2500000, 2500000, 2500000, 2500000};
    static const int64_t times[] = {330, 156, 880, 81, 950, 36, 1700, 59};
    const duet_type platform[2] = {{"cpu", 20}, {"gpu", 4}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 4,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    DUET_TRY(duet_instance_create(&desc, &instance, error));
    double bounding = 0;
    double running = 0;
    size_t runs = 0;
    duet_code code = time_four_kinds(instance, tables->rounds, &bounding, &running, &runs, error);
    duet_instance_free(instance);
    if (code != DUET_OK) {
        return code;
    }
    static const char kinds[] = "10^7 tasks in 4 kinds";
    char text[32];
    duet_bench_add_check(tables, "shelf bound / 20 ms", kinds, bounding / 20e-3, 1, "%s",
                         duet_bench_format_seconds(bounding, text));
    duet_bench_add_check(tables, "shelf-3-2 / 20 ms", kinds, running / 20e-3, 1,
                         "%s, the whole call; checked schedule of %zu runs",
                         duet_bench_format_seconds(running, text), runs);
    return DUET_OK;
}

duet_code duet_bench_table_shelf(duet_bench_tables *tables, duet_error *error)
{
    if (duet_find_algorithm("shelf-3-2") == NULL || duet_find_bound("shelf") == NULL) {
        duet_bench_add_check(tables, "shelf-3-2", NULL, NAN, NAN,
                             "not measured: this build has no shelf-3-2");
        return DUET_OK;
    }
    DUET_TRY(shelf_against_qsort(tables, error));
    return four_kinds(tables, error);
}
