// SPDX-License-Identifier: Apache-2.0
// `duet bench ratios --improve`: what the improvement search makes of the schedules of other
// algorithms.
//
// Method: every algorithm on every instance, without and with -O improve=true, and local-search.
// The gap is to the best bound that any of these runs proved for the instance; the table has the
// means over the seeds. Every schedule goes through the checker.
#include <inttypes.h>
#include <stdio.h>

#include "bench/ratios/ratios.h"
#include "bench/run/cells.h"
#include "bench/run/columns.h"
#include "bench/run/measure.h"
#include "bench/run/mpi_world.h"
#include "console/exit_code.h"
#include "console/paths.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"

static const char *const families[] = {"unif4", "corr", "acc", "bimod"};
static const int64_t platforms[][2] = {{20, 4}, {64, 8}};
static const char *const algorithms[] = {"heft", "lpt", "dualhp", "dual-4-3"};
enum {
    FAMILIES = sizeof families / sizeof *families,
    PLATFORMS = sizeof platforms / sizeof *platforms,
    CASES = FAMILIES * PLATFORMS,
    ALGORITHMS = sizeof algorithms / sizeof *algorithms,
    LOCAL_SEARCH = 2 * ALGORITHMS, // after each algorithm's two runs
    RUNS,
    TASKS = 200, // where -n is not given
    MAX_SEEDS = 1000
};

// One algorithm on one instance.
typedef struct improve_row {
    const char *family;
    int64_t tasks, m, k;
    uint64_t seed;
    const char *algorithm;
    const char *improved; // yes, no
    int64_t makespan;
    int64_t bound; // the best of the instance's runs
    double seconds;
} improve_row;

#define COLUMN(member, kind) #member, DUET_COLUMN_OF(improve_row, member, DUET_COLUMN_##kind)
static const duet_column columns[] = {{COLUMN(family, TEXT)},
                                      {COLUMN(tasks, INTEGER)},
                                      {COLUMN(m, INTEGER)},
                                      {COLUMN(k, INTEGER)},
                                      {COLUMN(seed, NUMBER)},
                                      {COLUMN(algorithm, TEXT)},
                                      {COLUMN(improved, TEXT)},
                                      {COLUMN(makespan, INTEGER)},
                                      {COLUMN(bound, INTEGER)},
                                      {COLUMN(seconds, REAL), .format = "%.6f"},
                                      {.name = NULL}};

static bool run_improves(size_t index)
{
    return index != LOCAL_SEARCH && index % 2 == 1;
}

static duet_code run_one(const duet_instance *instance, size_t index, improve_row *row,
                         int64_t *bound, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_options *options = NULL;
    duet_solution *solution = NULL;
    params.threads = 1;
    row->algorithm = index == LOCAL_SEARCH ? "local-search" : algorithms[index / 2];
    row->improved = run_improves(index) ? "yes" : "no";
    duet_code code = duet_bench_options(run_improves(index) ? "improve=true" : "", &options, error);
    params.options = options;
    if (code == DUET_OK) {
        code = duet_solve(instance, row->algorithm, &params, &solution, error);
    }
    if (code == DUET_OK) {
        code = duet_check_solution(instance, solution, NULL, NULL, error);
    }
    if (code == DUET_OK) {
        int64_t proven = duet_solution_lower_bound(solution);
        row->makespan = duet_solution_makespan(solution);
        row->seconds = duet_solution_seconds(solution);
        *bound = duet_max(proven, *bound);
    }
    duet_solution_free(solution);
    duet_options_free(options);
    return code;
}

// Sums over the seeds of one family and platform.
typedef struct sums {
    double gap[RUNS]; // percent
    double seconds;   // that improving took
} sums;

// Runs everything on the instance that `origin` says, into RUNS rows.
static duet_code run_seed(const improve_row *origin, improve_row *rows, sums *sum,
                          duet_error *error)
{
    duet_instance *instance;
    int64_t bound = 0;
    duet_code code = duet_bench_instance(origin->family, origin->tasks, origin->m, origin->k,
                                         origin->seed, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < RUNS && code == DUET_OK; i++) {
        rows[i] = *origin;
        code = run_one(instance, i, &rows[i], &bound, error);
    }
    for (size_t i = 0; i < RUNS && code == DUET_OK; i++) {
        double over = (double)(rows[i].makespan - bound);
        rows[i].bound = bound;
        sum->gap[i] += bound > 0 ? 100 * over / (double)bound : 0;
        if (run_improves(i)) {
            double more = rows[i].seconds - rows[i - 1].seconds;
            sum->seconds += more > 0 ? more / ALGORITHMS : 0;
        }
        if (run_improves(i) && rows[i].makespan > rows[i - 1].makespan) {
            code = duet_error_set(error, DUET_E_INTERNAL,
                                  "bench ratios --improve: %s, seed %" PRIu64 ": %s got longer",
                                  origin->family, origin->seed, rows[i].algorithm);
        }
    }
    duet_instance_free(instance);
    return code;
}

static void add_row(duet_cli_table *table, const improve_row *origin, int seeds, const sums *sum)
{
    duet_cells_addf(table, "%s\t%" PRId64 ",%" PRId64, origin->family, origin->m, origin->k);
    for (size_t i = 0; i < RUNS; i++) {
        duet_cells_add_number(table, "%.3f %%", sum->gap[i] / seeds);
    }
    duet_cells_add_number(table, "%.0f", sum->seconds / seeds * 1e3);
}

static duet_code run_all(int64_t tasks, int seeds, improve_row *rows, duet_cli_table *table,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t c = 0; c < CASES && code == DUET_OK; c++) {
        const int64_t *mk = platforms[c % PLATFORMS];
        improve_row origin = {
            .family = families[c / PLATFORMS], .tasks = tasks, .m = mk[0], .k = mk[1]};
        sums sum = {.seconds = 0};
        for (int seed = 0; seed < seeds && code == DUET_OK; seed++, rows += RUNS) {
            origin.seed = (uint64_t)seed + 1;
            code = run_seed(&origin, rows, &sum, error);
        }
        add_row(table, &origin, seeds, &sum);
    }
    return code;
}

static duet_code measure(int64_t tasks, int seeds, const char *csv, duet_error *error)
{
    size_t count = (size_t)CASES * RUNS * (size_t)seeds;
    duet_code code = duet_cli_check_target(csv, error);
    improve_row *rows = code == DUET_OK ? duet_alloc(count, sizeof *rows, error) : NULL;
    if (rows == NULL) {
        return code != DUET_OK ? code : DUET_E_MEMORY;
    }
    duet_cli_table table;
    duet_cells_begin(&table, "llrrrrrrrrrr",
                     "family\tm,k\theft\timproved\tlpt\timproved\tdualhp\timproved\tdual-4-"
                     "3\timproved\tlocal-search\tms");
    code = run_all(tasks, seeds, rows, &table, error);
    if (code == DUET_OK) {
        printf("mean gap over %d seeds, %" PRId64 " tasks; ms: what improving took\n\n", seeds,
               tasks);
        duet_cli_table_print(&table, 0, stdout);
        code = duet_columns_save(columns, rows, count, sizeof *rows, csv, error);
    }
    duet_cli_table_free(&table);
    duet_free(rows);
    return code;
}

int duet_ratios_improve(const duet_ratios_args *args)
{
    const duet_ratios_settings *s = &args->settings;
    duet_mpi_world world = duet_mpi_world_find();
    duet_error error = DUET_ERROR_INIT;
    if (world.size > 1) {
        duet_error_set(&error, DUET_E_USAGE, "--improve: expected one process, without %s, got %ld",
                       world.starter, world.size);
        return duet_sweep_fail(&error);
    }
    int seeds = (int)duet_min(s->instances, MAX_SEEDS);
    int64_t tasks = s->size_count > 0 ? s->size[0].first : TASKS;
    return measure(tasks, seeds, args->sweep.csv, &error) == DUET_OK ? DUET_CLI_OK
                                                                     : duet_cli_fail(&error);
}
