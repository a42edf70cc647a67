// SPDX-License-Identifier: Apache-2.0
// One instance of `duet bench exact`.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "bench/ratios/ratios.h"
#include "core/number/random.h"
#include "core/system/path.h"
#include "instances/kernels/factorisation.h"

enum { FEWEST = 10, MOST = 60 }; // tasks of the random sets

static duet_code family_instance(const duet_exact_case *origin, duet_instance **out,
                                 duet_error *error)
{
    const duet_factorisation *factorisation = duet_factorisation_of_family(origin->name);
    bool tiled = origin->source == DUET_EXACT_FAMILY && factorisation != NULL;
    int64_t size = tiled ? duet_factorisation_tiles(factorisation, origin->size) : origin->size;
    return duet_bench_generate(origin->name, size, origin->m, origin->k, origin->seed, "", out,
                               error);
}

// The rows of kernel times: those of RR-9150 for Cholesky, as in most of what is published on it.
static const char *kernel_times(const char *family)
{
    if (strcmp(family, "chol") == 0) {
        return "edges=true row=canon2018-960";
    }
    return strcmp(family, "qr") == 0 ? "edges=true row=assumed-960" : "edges=true";
}

// A family that is a row of measured times is Cholesky with these.
// Layers are seeded by the size, so that they are different ones. Narrow ones have four tasks in
// the mean, others the square root of all.
static duet_code graph_instance(const duet_exact_case *origin, duet_instance **out,
                                duet_error *error)
{
    enum { tasks_a_tile = 10 };
    bool narrow = strcmp(origin->name, "narrow") == 0;
    if (narrow || strcmp(origin->name, "layered") == 0) {
        return duet_bench_generate("layered", origin->size * tasks_a_tile, origin->m, origin->k,
                                   (uint64_t)origin->size, narrow ? "width=4" : "", out, error);
    }
    char row[96];
    if (strncmp(origin->name, "hopper-", strlen("hopper-")) == 0) {
        snprintf(row, sizeof row, "edges=true row=%s", origin->name);
        return duet_bench_generate("chol", origin->size, origin->m, origin->k, 0, row, out, error);
    }
    return duet_bench_generate(origin->name, origin->size, origin->m, origin->k, 0,
                               kernel_times(origin->name), out, error);
}

duet_code duet_exact_read_file(const char *path, duet_instance **out, duet_error *error)
{
    return duet_bench_read(path, "edges=false", out, error);
}

duet_code duet_exact_read_graph(const char *path, uint64_t seed, duet_instance **out,
                                duet_error *error)
{
    char gpu[64] = "";
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcmp(dot, ".stg") == 0) {
        snprintf(gpu, sizeof gpu, "gpu=gamma:15:15:%" PRIu64, seed);
    }
    return duet_bench_read(path, gpu, out, error);
}

static duet_code file_instance(const duet_exact_case *origin, duet_instance **out,
                               duet_error *error)
{
    const int64_t counts[3] = {origin->m, origin->k, origin->third};
    duet_code code = origin->source == DUET_EXACT_GRAPH_FILE
                         ? duet_exact_read_graph(origin->name, origin->seed, out, error)
                         : duet_exact_read_file(origin->name, out, error);
    if (code == DUET_OK && origin->m >= 0) {
        code = duet_instance_set_counts(*out, origin->third > 0 ? 3 : 2, counts, error);
    }
    if (code != DUET_OK) {
        duet_instance_free(*out);
        *out = NULL;
    }
    return code;
}

static duet_code mixed_instance(const duet_exact_case *origin, duet_instance **out,
                                duet_error *error)
{
    char options[64];
    snprintf(options, sizeof options, "types=%zu n-min=10 n-max=500", origin->types);
    return duet_bench_generate("mixed", 0, -1, -1, origin->seed, options, out, error);
}

// Of set graphs-small, platforms and costs come in turn, and all else is drawn.
static duet_code small_graph_instance(const duet_exact_case *origin, duet_instance **out,
                                      duet_error *error)
{
    static const int64_t platforms[][2] = {{2, 1}, {4, 2}, {8, 2}};
    enum { PLATFORMS = sizeof platforms / sizeof *platforms };
    const int64_t *counts = platforms[origin->seed % PLATFORMS];
    bool costs = origin->seed / PLATFORMS % 2 != 0;
    return duet_bench_generate("mixed-graph", 0, counts[0], counts[1], origin->seed,
                               costs ? "n-min=30 n-max=50 cost=50" : "n-min=30 n-max=50 cost=0",
                               out, error);
}

static duet_code mixed_graph_instance(const duet_exact_case *origin, duet_instance **out,
                                      duet_error *error)
{
    return strcmp(origin->name, "graphs-small") == 0
               ? small_graph_instance(origin, out, error)
               : duet_bench_generate("mixed-graph", 0, -1, -1, origin->seed, "", out, error);
}

// The classes of times of the literature on P||Cmax (Dell'Amico and Martello 1995; Franca,
// Gendreau, Laporte, Muller 1994): wide, narrow, and large numbers, where ties are rare.
static const int64_t ranges[][2] = {{1, 100}, {20, 100}, {50, 100}, {1, 1000}, {1, 10000}};
enum { RANGES = sizeof ranges / sizeof *ranges };

// Tasks that are all of their own kind: on CPUs alone, or on a pair of processors, where both times
// are drawn alone, or the GPU's 0.1 to 1.2 times the CPU's.
static duet_code drawn_instance(const duet_exact_case *origin, duet_instance **out,
                                duet_error *error)
{
    bool pair = origin->source == DUET_EXACT_PAIR;
    int64_t times[2 * MOST];
    duet_random random;
    duet_random_seed(&random, origin->seed);
    size_t tasks = (size_t)duet_random_between(&random, FEWEST, MOST);
    int64_t m = pair ? 1 : duet_random_between(&random, 2, (int64_t)tasks / 2);
    const int64_t *range = ranges[duet_random_between(&random, 0, RANGES - 1)];
    bool correlated = pair && duet_random_between(&random, 0, 1) == 1;
    for (size_t j = 0; j < tasks; j++) {
        int64_t cpu = duet_random_between(&random, range[0], range[1]);
        int64_t gpu = !pair        ? DUET_FORBIDDEN
                      : correlated ? (cpu * duet_random_between(&random, 100, 1200) + 500) / 1000
                                   : duet_random_between(&random, range[0], range[1]);
        times[2 * j] = cpu;
        times[2 * j + 1] = gpu > 0 ? gpu : 1;
    }
    char full[64];
    snprintf(full, sizeof full, "%s-%" PRIu64, origin->name, origin->seed);
    const duet_type platform[2] = {{"cpu", m}, {"gpu", pair}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = full,
                               .types = 2,
                               .platform = platform,
                               .kinds = tasks,
                               .times = times};
    return duet_instance_create(&desc, out, error);
}

static duet_code small_instance(const duet_exact_case *origin, duet_instance **out,
                                duet_error *error)
{
    *out = duet_ratios_small_instance(origin->seed);
    return *out == NULL ? duet_error_set(error, DUET_E_MEMORY, "out of memory") : DUET_OK;
}

duet_code duet_exact_instance(const duet_exact_case *origin, duet_instance **out, duet_error *error)
{
    static duet_code (*const make[])(const duet_exact_case *, duet_instance **, duet_error *) = {
        [DUET_EXACT_FAMILY] = family_instance,   [DUET_EXACT_TILES] = family_instance,
        [DUET_EXACT_FILE] = file_instance,       [DUET_EXACT_GRAPH_FILE] = file_instance,
        [DUET_EXACT_IDENTICAL] = drawn_instance, [DUET_EXACT_PAIR] = drawn_instance,
        [DUET_EXACT_MIXED] = mixed_instance,     [DUET_EXACT_GRAPH] = graph_instance,
        [DUET_EXACT_SMALL] = small_instance,     [DUET_EXACT_MIXED_GRAPH] = mixed_graph_instance,
    };
    *out = NULL;
    return make[origin->source](origin, out, error);
}

char *duet_exact_format_platform(const duet_exact_row *row, char *buffer)
{
    size_t at = 0;
    for (; row->platform[at] != '\0'; at++) {
        buffer[at] = row->platform[at];
        buffer[at] = (char)(buffer[at] == ':' ? ',' : buffer[at]);
    }
    buffer[at] = '\0';
    return buffer;
}

char *duet_exact_label(const duet_exact_row *row, char *buffer, size_t size)
{
    const duet_exact_case *origin = &row->origin;
    const char *name = duet_path_name(origin->name);
    bool mixed = origin->source == DUET_EXACT_MIXED || origin->source == DUET_EXACT_MIXED_GRAPH;
    if (mixed && row->instance[0] != '\0') {
        char platform[sizeof row->platform];
        snprintf(buffer, size, "%s (%s)", row->instance, duet_exact_format_platform(row, platform));
        return buffer;
    }
    char length[32] = "";
    char seed[40] = "";
    if (origin->size > 0) {
        snprintf(length, sizeof length, "-%" PRId64, origin->size);
    }
    if (origin->seed > 0) {
        snprintf(seed, sizeof seed, " seed %" PRIu64, origin->seed);
    }
    char platform[sizeof row->platform];
    duet_exact_format_platform(row, platform);
    snprintf(buffer, size, "%s%s (%s)%s", name, length, platform, seed);
    return buffer;
}
