// SPDX-License-Identifier: Apache-2.0
// Family platform: task graphs of moldable tasks on the 40 platforms of a study, clusters of 16 to
// 128 processors.
//
// Platforms: 1 to 4 are one cluster of 0.25, 0.5, 0.75 and 1 Gflop/s. 5 to 16 have two clusters, 17
// to 28 four, 29 to 40 eight: these four least speeds, each with the heterogeneity factors 1, 2 and
// 5, between which and the least speed a cluster's is uniform. Every second cluster has links of
// 100 Mbit/s, the others of 1 Gbit/s; a link's latency is 100 us, the backbone's 50 ms, and
// gateways let 1 Gbit/s pass. `sample` draws processors and speeds, the seed the graph, so that
// graphs may be held fixed while platforms vary.
// Counts that are given, -m 64 -k 32,16, are clusters of these sizes in the place of the
// platform's.
//
// Tasks: the edges of the family daggen. A task handles N doubles, 4 Mi to 121 Mi, takes a N, a N
// log2 N or a N^1.5 operations (a from 2^6 to 2^9), of which up to a fifth are sequential, and
// sends its N doubles along each edge.
//
// Reference: T. N'Takpe, F. Suter, "Critical path and area based scheduling of parallel task graphs
//            on heterogeneous platforms", ICPADS 2006, section 5.
#include <inttypes.h>
#include <stdio.h>

#include "core/number/fixed.h"
#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/families/graph.h"

enum { TASKS = 20, MOST_TASKS = 100000, PLATFORMS = 40, MOST_CLUSTERS = 8 };
enum { COST_LINEAR, COST_LOGARITHM, COST_ROOT, COST_MIXED };

static const duet_option_spec options[] = {
    {"number", DUET_OPTION_INTEGER, "1", 1, PLATFORMS, NULL, "", "which of the platforms"},
    {"sample", DUET_OPTION_INTEGER, "1", 1, 1000000, NULL, "",
     "which draw of its processors and speeds"},
    {"cost", DUET_OPTION_CHOICE, "mixed", 0, 0, "linear|nlogn|root|mixed", "",
     "operations on N doubles: a N, a N log N, a N^1.5, or one of these for each task"},
    {"mixed_sets", DUET_OPTION_BOOLEAN, "false", 0, 0, NULL, "",
     "whether a task may use processors of several clusters at once, as cpa does"},
    DUET_DAGGEN_OPTIONS,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// --- platforms -----------------------------------------------------------------------------------

typedef struct shape {
    int64_t clusters;
    int64_t least;  // speed in Mflop/s
    int64_t factor; // of heterogeneity
} shape;

static shape shape_of(int64_t number)
{
    static const int64_t least[] = {250, 500, 750, 1000};
    static const int64_t factor[] = {1, 2, 5};
    static const int64_t clusters[] = {2, 4, 8};
    if (number <= 4) {
        return (shape){1, least[number - 1], 1};
    }
    int64_t at = number - 5;
    return (shape){clusters[at / 12], least[at % 12 / 3], factor[at % 3]};
}

static duet_code add_cluster(duet_builder *builder, int64_t cluster, int64_t processors,
                             int64_t megaflops, duet_error *error)
{
    char name[40];
    snprintf(name, sizeof name, "cluster%" PRId64, cluster);
    const duet_read_time speed = {.value = {megaflops * 1000000, 0}};
    const duet_read_time bandwidth = {.value = {cluster % 2 == 0 ? 125000000 : 12500000, 0}};
    const duet_read_links links = {.speed = &speed, .bandwidth = &bandwidth};
    DUET_TRY(duet_builder_add_type(builder, name, processors, 0, 0, error));
    return duet_builder_set_links(builder, (size_t)cluster, &links, error);
}

static duet_code add_platform(duet_family_request *request, duet_builder *builder,
                              duet_error *error)
{
    enum { SAMPLES = 1000003 };
    int64_t number = duet_family_integer(request, "number");
    shape platform = shape_of(number);
    const int64_t given[] = {request->cpus, request->gpus};
    platform.clusters = request->types > 0 ? (int64_t)request->types : platform.clusters;
    duet_random random;
    duet_random_seed(&random,
                     (uint64_t)(number * SAMPLES + duet_family_integer(request, "sample")));
    for (int64_t c = 0; c < platform.clusters; c++) {
        int64_t processors = duet_random_between(&random, 16, 128);
        if (request->types > 0) {
            processors = c < 2 ? given[c] : request->further[c - 2];
        }
        int64_t speed =
            duet_random_between(&random, platform.least, platform.least * platform.factor);
        DUET_TRY(add_cluster(builder, c, processors, speed, error));
    }
    // Within a cluster two links and the switch; between two also gateways and the backbone.
    const duet_read_time latency = {.value = {3, 4}};
    const duet_read_time inter_latency = {.value = {506, 4}};
    const duet_read_time inter_bandwidth = {.value = {125000000, 0}};
    const duet_read_network network = {
        .latency = &latency, .inter_latency = &inter_latency, .inter_bandwidth = &inter_bandwidth};
    return duet_builder_set_network(builder, &network, error);
}

// --- tasks ---------------------------------------------------------------------------------------

// Operations on `doubles` doubles, by one of three kinds of cost.
static int64_t draw_work(duet_random *random, int64_t cost, int64_t doubles)
{
    int64_t factor = duet_random_between(random, 64, 512);
    if (cost == COST_ROOT) {
        duet_uint128 n = (uint64_t)doubles;
        return duet_root(n * n * n * (uint64_t)(factor * factor));
    }
    if (cost == COST_LINEAR) {
        return factor * doubles;
    }
    // log2 of a number above 2^31, whose fixed form has no room for it: of its part below 2^20.
    duet_fixed logarithm =
        duet_fixed_log2(duet_fixed_ratio(doubles, 1 << 10)) + 10 * DUET_FIXED_ONE;
    return (int64_t)((duet_int128)(factor * doubles) * logarithm / DUET_FIXED_ONE);
}

static duet_code add_tasks(duet_family_request *request, duet_builder *builder, int64_t *data,
                           duet_error *error)
{
    enum { MEBI = 1 << 20, BYTES = 8 };
    duet_random *random = &request->random;
    int64_t cost = duet_option_choice(request->options, request->table, "cost");
    for (int64_t j = 0; j < request->n; j++) {
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, j);
        int64_t doubles = duet_random_between(random, INT64_C(4) * MEBI, INT64_C(121) * MEBI);
        int64_t own =
            cost == COST_MIXED ? duet_random_between(random, COST_LINEAR, COST_ROOT) : cost;
        const duet_read_table law = {.law = true,
                                     .work = {.value = {draw_work(random, own, doubles), 0}},
                                     .alpha = {.value = {duet_random_between(random, 0, 2000), 4}}};
        const duet_read_kind kind = {id, (size_t)length, 1, NULL, 0, 0, 0};
        data[j] = BYTES * doubles;
        DUET_TRY(duet_builder_add_law_kind(builder, &kind, &law, error));
    }
    return DUET_OK;
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    char name[96];
    snprintf(name, sizeof name, "platform-%" PRId64 "-%" PRId64 "-%" PRIu64,
             duet_family_integer(request, "number"), request->n, request->seed);
    duet_builder_set_mixed_sets(
        builder, duet_option_boolean(request->options, request->table, "mixed_sets"));
    duet_code code = duet_builder_set_name(builder, name, error);
    DUET_THEN(code, duet_builder_set_time_unit(builder, "s", error));
    DUET_THEN(code, add_platform(request, builder, error));
    int64_t *data = code == DUET_OK ? duet_alloc((size_t)request->n, sizeof *data, error) : NULL;
    code = code == DUET_OK && data == NULL ? DUET_E_MEMORY : code;
    DUET_THEN(code, add_tasks(request, builder, data, error));
    if (code == DUET_OK) {
        duet_family_draft draft = duet_family_draft_over(request, builder, error);
        draft.data = data;
        const duet_daggen_shape graph = duet_daggen_chosen(request);
        duet_daggen_join(&draft, &graph);
        code = duet_family_draft_end(&draft);
    }
    duet_free(data);
    return code;
}

// Clusters that the user left open, where others were counted.
static duet_code fill_counts(duet_family_request *request, duet_error *error)
{
    enum { MEAN = 72 };
    (void)error;
    return duet_family_default_platform(request, MEAN, MEAN);
}

const duet_family duet_family_platform_study = {
    {.name = "platform",
     .summary = "task graphs of moldable tasks on 40 platforms of clusters",
     .reference = "N'Takpe, Suter 2006",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION | DUET_FEATURE_MOLDABLE |
                DUET_FEATURE_ANY_TYPES | DUET_FEATURE_MIXED_SETS,
     .options = options},
    TASKS,
    MOST_TASKS,
    generate,
    fill_counts};
