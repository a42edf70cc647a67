// SPDX-License-Identifier: Apache-2.0
// Each round sorts, runs every algorithm once, without a bound, and reads the graph from a file of
// JSON; medians count, as in bench/speed.c.
#include "bench/speed_graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/run/measure.h"
#include "core/context.h"
#include "solvers/registry.h"

static const struct {
    const char *name;
    const char *algorithm; // NULL: reading
    double limit;
} contenders[DUET_SPEED_GRAPHS] = {{"graph-eft", "eft", 3},
                                   {"graph-qa", "qa", 3},
                                   {"graph-heft", "heft", 6},
                                   {"graph-heteroprio", "heteroprio", 5},
                                   {"graph-read", NULL, 24}};

static duet_code make_graph(int64_t tiles, duet_instance **out, duet_error *error)
{
    enum { cpus = 20, gpus = 4 };
    duet_options *options = NULL;
    *out = NULL;
    duet_code code = duet_options_create(&options, error);
    code = code == DUET_OK ? duet_options_add(options, "edges=true", error) : code;
    code =
        code == DUET_OK ? duet_generate("chol", tiles, cpus, gpus, 0, options, out, error) : code;
    duet_options_free(options);
    return code;
}

// The graph as a file of JSON; `path` of 4096 bytes receives its name.
static duet_code write_graph(const duet_instance *graph, char *path, duet_error *error)
{
    snprintf(path, 4096, "%.4000s/duet-speed-XXXXXX", duet_bench_temporary_folder());
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot be made");
    }
    close(descriptor);
    return duet_write_instance(path, "json", graph, error);
}

static duet_code run_algorithm(const duet_instance *graph, const char *name, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    duet_context context;
    duet_solution *solution = NULL;
    params.threads = 1;
    duet_context_init(&context, &params, NULL);
    duet_code code =
        duet_run_algorithm(graph, duet_find_algorithm(name), &context, &solution, error);
    if (code == DUET_OK) {
        duet_solution_free(solution);
    }
    return code;
}

static duet_code run_contender(const duet_instance *graph, const char *path, size_t c,
                               duet_error *error)
{
    if (contenders[c].algorithm != NULL) {
        return run_algorithm(graph, contenders[c].algorithm, error);
    }
    duet_instance *read = NULL;
    duet_code code = duet_read_instance(path, &read, error);
    duet_instance_free(read);
    return code;
}

static duet_code time_rounds(const duet_instance *graph, const char *path, int rounds,
                             duet_speed_graph rows[DUET_SPEED_GRAPHS], duet_error *error)
{
    double sort[DUET_BENCH_MAX_ROUNDS];
    double seconds[DUET_SPEED_GRAPHS][DUET_BENCH_MAX_ROUNDS];
    duet_code code = DUET_OK;
    for (int round = 0; round < rounds && code == DUET_OK; round++) {
        sort[round] =
            duet_bench_time_qsort((size_t)duet_instance_tasks(graph), (uint64_t)round + 1);
        if (sort[round] < 0) {
            return duet_error_set(error, DUET_E_MEMORY, "bench speed: out of memory");
        }
        for (size_t c = 0; c < DUET_SPEED_GRAPHS && code == DUET_OK; c++) {
            int64_t start = duet_clock_ns();
            code = run_contender(graph, path, c, error);
            seconds[c][round] = duet_bench_since(start);
        }
    }
    double median = code == DUET_OK ? duet_bench_median(sort, rounds) : 0;
    for (size_t c = 0; c < DUET_SPEED_GRAPHS && code == DUET_OK; c++) {
        rows[c] = (duet_speed_graph){.name = contenders[c].name,
                                     .limit = contenders[c].limit,
                                     .seconds = duet_bench_median(seconds[c], rounds),
                                     .sort = median};
    }
    return code;
}

duet_code duet_bench_time_graphs(int64_t tiles, int rounds, int64_t *tasks,
                                 duet_speed_graph rows[DUET_SPEED_GRAPHS], duet_error *error)
{
    char path[4096] = "";
    duet_instance *graph = NULL;
    duet_code code = make_graph(tiles, &graph, error);
    if (code == DUET_OK) {
        *tasks = duet_instance_tasks(graph);
        code = write_graph(graph, path, error);
    }
    if (code == DUET_OK) {
        code = time_rounds(graph, path, rounds, rows, error);
    }
    if (path[0] != '\0') {
        unlink(path);
    }
    duet_instance_free(graph);
    return code;
}
