// SPDX-License-Identifier: Apache-2.0
// Each round sorts, runs every algorithm once, without a bound, and reads the graph from a file of
// JSON; medians count, as in bench/speed.c.
#include "bench/speed.h"

#include <unistd.h>

#include "bench/run/measure.h"
#include "bench/run/process.h"

static const struct {
    const char *name;
    const char *algorithm; // NULL: reading
    double limit;
} contenders[DUET_SPEED_GRAPHS] = {{"graph-eft", "eft", 3},
                                   {"graph-qa", "qa", 3},
                                   {"graph-heft", "heft", 6},
                                   {"graph-heteroprio", "heteroprio", 5},
                                   {"graph-read", NULL, 24}};

// The graph, and the file that it is read from.
typedef struct graph_turn {
    const duet_instance *graph;
    char path[4096];
} graph_turn;

static duet_code run_turn(const void *state, size_t index, duet_error *error)
{
    const graph_turn *turn = state;
    double seconds;
    if (contenders[index].algorithm != NULL) {
        return duet_bench_run(turn->graph, contenders[index].algorithm, 0, &seconds, NULL, error);
    }
    duet_instance *read = NULL;
    duet_code code = duet_read_instance(turn->path, NULL, &read, error);
    duet_instance_free(read);
    return code;
}

duet_code duet_speed_time_graphs(int64_t tiles, int rounds, duet_speed_row rows[DUET_SPEED_GRAPHS],
                                 duet_error *error)
{
    enum { cpus = 20, gpus = 4 };
    graph_turn turn = {.path = ""};
    duet_instance *graph = NULL;
    for (size_t c = 0; c < DUET_SPEED_GRAPHS; c++) {
        rows[c] = (duet_speed_row){.name = contenders[c].name, .limit = contenders[c].limit};
    }
    duet_code code = duet_bench_generate("chol", tiles, cpus, gpus, 0, "edges=true", &graph, error);
    if (code == DUET_OK) {
        code = duet_process_file("speed", turn.path, sizeof turn.path, error);
    }
    if (code == DUET_OK) {
        code = duet_write_instance(turn.path, "json", graph, error);
    }
    if (code == DUET_OK) {
        turn.graph = graph;
        code = duet_speed_rounds(duet_instance_tasks(graph), rounds, run_turn, &turn,
                                 DUET_SPEED_GRAPHS, rows, error);
    }
    if (turn.path[0] != '\0') {
        unlink(turn.path);
    }
    duet_instance_free(graph);
    return code;
}
