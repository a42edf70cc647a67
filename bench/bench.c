// SPDX-License-Identifier: Apache-2.0
// `duet bench`: picks the study.
#include "bench/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/mpi_world.h"
#include "console/print.h"

const duet_cli_command duet_bench_studies[] = {
    {"speed", "time and memory per task against qsort of 16-byte records", duet_bench_speed},
    {"dp-scaling", "the 4/3 table in three forms over tasks, processors and threads",
     duet_bench_dp_scaling},
    {"tables", "what is promised of the tables and of shelf-3-2, with its limits",
     duet_bench_tables_main},
    {"ratios", "algorithms against the optimum: how far from it, and whether as proven",
     duet_bench_ratios_main},
    {"exact", "how many instances are solved to proven optimality, and how fast", duet_bench_exact},
    {"parts", "auto against each of its parts in the same time", duet_bench_parts},
    {"search", "the instance on which an algorithm is farthest from the optimum",
     duet_bench_search},
    {"adversaries", "online rules against adversaries that build the graph while they run",
     duet_bench_adversaries},
    {"papers", "tables and figures of the papers, run again", duet_bench_papers},
    {"peers", "Duet beside CP-SAT, HiGHS, SCIP and others, every answer judged", duet_bench_peers},
    {NULL, NULL, NULL}};

static void usage(FILE *stream)
{
    fprintf(stream, "Usage: duet bench STUDY [OPTION...]\n\nStudies:\n");
    for (const duet_cli_command *m = duet_bench_studies; m->name != NULL; m++) {
        duet_cli_print(stream, "  %-11s %s\n", m->name, m->summary);
    }
    fprintf(stream, "\n'duet bench STUDY --help' shows the options of one.\n");
}

// Processes that are started together share a sweep.
static bool is_sweep(const duet_cli_command *m)
{
    return m->run == duet_bench_ratios_main || m->run == duet_bench_exact ||
           m->run == duet_bench_papers;
}

// Anything else they would all run the same, writing the same files. Rank 0 says so.
static bool refuse_world(const duet_cli_command *m)
{
    duet_mpi_world world = duet_mpi_world_find();
    if (is_sweep(m) || world.size == 1) {
        return false;
    }
    if (world.is_first) {
        duet_cli_print(
            stderr,
            "duet: bench: '%s' cannot be shared between %ld processes: expected one, without "
            "%s, or a study that can be, ratios, exact or papers\n",
            m->name, world.size, world.starter);
    } else {
        duet_mpi_world_wait();
    }
    return true;
}

// The end of a message that names all of them.
static void print_names(FILE *stream)
{
    for (const duet_cli_command *m = duet_bench_studies; m->name != NULL; m++) {
        duet_cli_print(stream, "%s%s", m == duet_bench_studies ? " " : ", ", m->name);
    }
    fprintf(stream, " (duet bench --help)\n");
}

int duet_bench_main(int argc, char **argv)
{
    enum { wrong_usage = 2 };
    if (argc < 2) {
        fprintf(stderr, "duet: bench: expected a study, one of");
        print_names(stderr);
        return wrong_usage;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage(stdout);
        return 0;
    }
    const duet_cli_command *found = duet_cli_find_command(duet_bench_studies, argv[1]);
    if (found != NULL) {
        return refuse_world(found) ? wrong_usage : found->run(argc - 1, argv + 1);
    }
    duet_cli_print(stderr, "duet: bench: unknown study '%s': expected one of", argv[1]);
    print_names(stderr);
    return wrong_usage;
}
