// SPDX-License-Identifier: Apache-2.0
// `duet bench ratios --improve`: what the improvement search makes of the schedules of other
// algorithms.
//
// Method: every algorithm on every instance, without and with -O improve=true, and local-search.
// The gap is to the best bound that any of these runs proved for the instance; the table has the
// means over the seeds. Every schedule goes through the checker.
#include <inttypes.h>
#include <stdio.h>

#include "bench/ratios/args.h"
#include "bench/run/measure.h"
#include "bench/run/mpi_world.h"
#include "console/exit_code.h"
#include "console/table.h"
#include "core/output.h"

static const char *const families[] = {"unif4", "corr", "acc", "bimod"};
static const int64_t platforms[][2] = {{20, 4}, {64, 8}};
static const char *const algorithms[] = {"heft", "lpt", "dualhp", "dual-4-3"};
enum {
    FAMILIES = sizeof families / sizeof *families,
    PLATFORMS = sizeof platforms / sizeof *platforms,
    ALGORITHMS = sizeof algorithms / sizeof *algorithms,
    LOCAL_SEARCH = 2 * ALGORITHMS, // after each algorithm's two runs
    RUNS,
    TASKS = 200, // where -n is not given
    MAX_SEEDS = 1000
};

typedef struct improve_plan {
    int64_t tasks;
    int seeds;
    const char *csv; // NULL: none
} improve_plan;

typedef struct run {
    int64_t makespan;
    double seconds;
} run;

static const char *run_name(size_t index)
{
    return index == LOCAL_SEARCH ? "local-search" : algorithms[index / 2];
}

static bool run_improves(size_t index)
{
    return index != LOCAL_SEARCH && index % 2 == 1;
}

// One algorithm on an instance. `*bound` is raised to what it proved.
static duet_code run_one(const duet_instance *instance, size_t index, run *out, int64_t *bound,
                         duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_options *options;
    duet_solution *solution = NULL;
    params.threads = 1;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK && run_improves(index)) {
        code = duet_options_add(options, "improve=true", error);
    }
    params.options = options;
    if (code == DUET_OK) {
        code = duet_solve(instance, run_name(index), &params, &solution, error);
    }
    if (code == DUET_OK) {
        code = duet_check_solution(instance, solution, NULL, error);
    }
    if (code == DUET_OK) {
        int64_t proven = duet_solution_lower_bound(solution);
        *out = (run){duet_solution_makespan(solution), duet_solution_seconds(solution)};
        *bound = proven > *bound ? proven : *bound;
    }
    duet_solution_free(solution);
    duet_options_free(options);
    return code;
}

// Means over the seeds of one family and platform.
typedef struct means {
    double gap[RUNS]; // percent
    double seconds;   // that improving took
} means;

static duet_code run_seed(const improve_plan *plan, size_t family, const int64_t *mk, uint64_t seed,
                          means *sum, FILE *csv, duet_error *error)
{
    duet_instance *instance;
    run runs[RUNS];
    int64_t bound = 0;
    duet_code code =
        duet_bench_instance(families[family], plan->tasks, mk[0], mk[1], seed, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < RUNS && code == DUET_OK; i++) {
        code = run_one(instance, i, &runs[i], &bound, error);
    }
    for (size_t i = 0; i < RUNS && code == DUET_OK; i++) {
        double over = (double)(runs[i].makespan - bound);
        sum->gap[i] += bound > 0 ? 100 * over / (double)bound : 0;
        if (run_improves(i)) {
            double more = runs[i].seconds - runs[i - 1].seconds;
            sum->seconds += more > 0 ? more / ALGORITHMS : 0;
        }
        if (run_improves(i) && runs[i].makespan > runs[i - 1].makespan) {
            code = duet_error_set(error, DUET_E_INTERNAL,
                                  "bench ratios --improve: %s, seed %" PRIu64 ": %s got longer",
                                  families[family], seed, run_name(i));
        }
        if (csv != NULL) {
            fprintf(csv,
                    "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%s,%s,%" PRId64 ",%" PRId64
                    ",%.6f\n",
                    families[family], plan->tasks, mk[0], mk[1], seed, run_name(i),
                    run_improves(i) ? "yes" : "no", runs[i].makespan, bound, runs[i].seconds);
        }
    }
    duet_instance_free(instance);
    return code;
}

static void add_head(duet_cli_table *table)
{
    duet_cli_table_add(table, "family");
    duet_cli_table_add(table, "m,k");
    for (size_t i = 0; i < RUNS; i++) {
        duet_cli_table_add(table, run_improves(i) ? "improved" : run_name(i));
    }
    duet_cli_table_add(table, "ms");
}

static void add_row(duet_cli_table *table, size_t family, const int64_t *mk, const means *mean)
{
    char text[64];
    duet_cli_table_add(table, families[family]);
    snprintf(text, sizeof text, "%" PRId64 ",%" PRId64, mk[0], mk[1]);
    duet_cli_table_add(table, text);
    for (size_t i = 0; i < RUNS; i++) {
        snprintf(text, sizeof text, "%.3f %%", mean->gap[i]);
        duet_cli_table_add(table, text);
    }
    snprintf(text, sizeof text, "%.0f", mean->seconds * 1e3);
    duet_cli_table_add(table, text);
}

static duet_code run_all(const improve_plan *plan, duet_cli_table *table, FILE *csv,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t f = 0; f < FAMILIES; f++) {
        for (size_t p = 0; p < PLATFORMS && code == DUET_OK; p++) {
            means mean = {.seconds = 0};
            for (int seed = 1; seed <= plan->seeds && code == DUET_OK; seed++) {
                code = run_seed(plan, f, platforms[p], (uint64_t)seed, &mean, csv, error);
            }
            for (size_t i = 0; i < RUNS; i++) {
                mean.gap[i] /= plan->seeds;
            }
            mean.seconds /= plan->seeds;
            add_row(table, f, platforms[p], &mean);
        }
    }
    return code;
}

static int measure(const improve_plan *plan)
{
    duet_error error = DUET_ERROR_INIT;
    duet_output csv = {0};
    duet_cli_table table;
    if (plan->csv != NULL && duet_output_open(&csv, plan->csv, &error) != DUET_OK) {
        return duet_cli_fail(&error);
    }
    if (csv.stream != NULL) {
        fprintf(csv.stream, "family,tasks,m,k,seed,algorithm,improved,makespan,bound,seconds\n");
    }
    duet_cli_table_init(&table, "llrrrrrrrrrr");
    add_head(&table);
    duet_code code = run_all(plan, &table, csv.stream, &error);
    if (code == DUET_OK) {
        printf("mean gap over %d seeds, %" PRId64 " tasks; ms: what improving took\n\n",
               plan->seeds, plan->tasks);
        duet_cli_table_print(&table, 0, stdout);
        code = csv.stream != NULL ? duet_output_commit(&csv, &error) : DUET_OK;
    } else if (csv.stream != NULL) {
        duet_output_abandon(&csv);
    }
    duet_cli_table_free(&table);
    return code == DUET_OK ? DUET_CLI_OK : duet_cli_fail(&error);
}

int duet_ratios_improve(const duet_ratios_args *args)
{
    duet_mpi_world world = duet_mpi_world_find();
    duet_error error = DUET_ERROR_INIT;
    if (world.size > 1) {
        duet_error_set(&error, DUET_E_USAGE, "--improve: expected one process, without %s, got %ld",
                       world.starter, world.size);
        return duet_sweep_fail(&error);
    }
    const duet_ratios_settings *s = &args->settings;
    improve_plan plan = {.tasks = s->size_count > 0 ? s->size[0] : TASKS,
                         .seeds = (int)(s->instances < MAX_SEEDS ? s->instances : MAX_SEEDS),
                         .csv = args->sweep.csv};
    return measure(&plan);
}
