// SPDX-License-Identifier: Apache-2.0
// `duet bench`: picks the measurement.
#include "bench/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct measurement {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    bool shared; // a sweep: the processes that mpirun starts share it
} measurement;

static const measurement measurements[] = {
    {"speed", "time and memory per task against qsort of 16-byte records", duet_bench_speed, false},
    {"improve", "schedules before and after the improvement search", duet_bench_improve, false},
    {"dp-scaling", "the 4/3 table in three forms over tasks, processors and threads",
     duet_bench_dp_scaling, false},
    {"tables", "what is promised of the tables and of shelf-3-2, with its limits",
     duet_bench_tables_main, false},
    {"ratios", "algorithms against the optimum: how far from it, and whether as proven",
     duet_bench_ratios_main, true},
    {"small-ratios", "every algorithm against the exhaustive optimum of small instances",
     duet_bench_small_ratios, false},
    {"exact", "how many instances are solved to proven optimality, and how fast", duet_bench_exact,
     false},
    {"search", "the instance on which an algorithm is farthest from the optimum", duet_bench_search,
     false},
    {"papers", "tables and figures of two papers, run again", duet_bench_papers, true},
};
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

static void usage(FILE *stream)
{
    fprintf(stream, "Usage: duet bench MEASUREMENT [OPTION...]\n\nMeasurements:\n");
    for (size_t i = 0; i < MEASUREMENTS; i++) {
        fprintf(stream, "  %-13s %s\n", measurements[i].name, measurements[i].summary);
    }
    fprintf(stream, "\n'duet bench MEASUREMENT --help' shows the options of one.\n");
}

// Processes that mpirun started would all run the same and write the same files. Rank 0 says so.
static bool refuse_company(const measurement *m)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (m->shared || size == NULL || strtol(size, NULL, 10) <= 1) {
        return false;
    }
    if (rank == NULL || strcmp(rank, "0") == 0) {
        fprintf(stderr,
                "duet: bench: '%s' cannot be shared between %s processes: expected one, without "
                "mpirun, or a measurement that can be, ratios or papers\n",
                m->name, size);
    }
    return true;
}

int duet_bench_main(int argc, char **argv)
{
    enum { wrong_usage = 2 };
    if (argc < 2) {
        fprintf(stderr, "duet: bench: expected a measurement (duet bench --help)\n");
        return wrong_usage;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < MEASUREMENTS; i++) {
        if (strcmp(argv[1], measurements[i].name) == 0) {
            return refuse_company(&measurements[i]) ? wrong_usage
                                                    : measurements[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "duet: bench: unknown measurement '%s' (duet bench --help)\n", argv[1]);
    return wrong_usage;
}
