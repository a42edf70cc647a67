// SPDX-License-Identifier: Apache-2.0
// N'Takpé, Suter, "Critical path and area based scheduling of parallel task graphs on heterogeneous
// platforms", ICPADS 2006, sections 5 and 6: its instances and runs. rows.c has its metrics,
// figures.c means over them, claims.c what the paper says of them, view.c shows them.
//
// Its 200 platforms and 1,296 graphs make 259,200 pairs, each with five runs: 1,296,000. A smaller
// study takes pairs in steps of a number without a factor in common with theirs, near the golden
// section of it: the first of them, however many, are spread evenly over platforms and graphs, and
// a larger study begins with the pairs of a smaller one, so that its rows can be resumed from. Data
// take the time that the model says; simulated.c has schedules replayed.
#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "core/system/try.h"

#include <inttypes.h>

const duet_paper_run duet_ntakpe_runs[DUET_NTAKPE_RUNS] = {
    {"cpa", ""}, {"hcpa", ""}, {"s-hcpa", ""}, {"m-heft", ""}, {"seq", ""}};
const char *const duet_ntakpe_sets[DUET_NTAKPE_SETS] = {"1-cluster", "2-clusters", "4-clusters",
                                                        "8-clusters"};
static const char *const bounds[] = {"path", "area", NULL};

// The values of the graphs' parameters.
static const char *const costs[] = {"linear", "nlogn", "root", "mixed"};
static const char *const widths[] = {"0.1", "0.2", "0.8"};
static const char *const regularities[] = {"0.2", "0.8"};
static const char *const densities[] = {"0.2", "0.8"};
static const char *const jumps[] = {"1", "2", "4"};
enum { COSTS = 4, WIDTHS = 3, REGULARITIES = 2, DENSITIES = 2, JUMPS = 3 };

// The next digit of a number of mixed radix.
static size_t digit(size_t *number, size_t radix)
{
    size_t value = *number % radix;
    *number /= radix;
    return value;
}

// Which of the family's options the graph `index` has. Returns its number of tasks.
static int64_t graph_options(size_t index, char *text, size_t size)
{
    size_t rest = index / DUET_NTAKPE_GRAPH_SAMPLES;
    size_t jump = digit(&rest, JUMPS);
    size_t density = digit(&rest, DENSITIES);
    size_t regularity = digit(&rest, REGULARITIES);
    size_t width = digit(&rest, WIDTHS);
    size_t cost = digit(&rest, COSTS);
    snprintf(text, size, "cost=%s width=%s regularity=%s density=%s jump=%s", costs[cost],
             widths[width], regularities[regularity], densities[density], jumps[jump]);
    return duet_ntakpe_size[digit(&rest, DUET_NTAKPE_SIZES)];
}

// The number of clusters and the heterogeneity factor of the family's platforms, from 1.
static size_t set_of(int64_t platform)
{
    enum { SINGLE = 4, OF_A_SET = 12 };
    return platform <= SINGLE ? 0 : 1 + (size_t)(platform - SINGLE - 1) / OF_A_SET;
}

static int factor_of(int64_t platform)
{
    enum { SINGLE = 4 };
    return platform <= SINGLE ? 1 : duet_ntakpe_factor[(platform - SINGLE - 1) % 3];
}

duet_code duet_ntakpe_list(duet_paper_study *study, uint64_t count, duet_error *error)
{
    enum { STEP = 160193 };
    for (uint64_t i = 0; i < count; i++) {
        size_t pair = (size_t)(i * STEP % DUET_NTAKPE_PAIRS);
        size_t graph = pair / DUET_NTAKPE_DRAWN_PLATFORMS;
        size_t drawn = pair % DUET_NTAKPE_DRAWN_PLATFORMS;
        int64_t platform = 1 + (int64_t)(drawn / DUET_NTAKPE_PLATFORM_SAMPLES);
        char text[128];
        duet_paper_case c = {.set = set_of(platform),
                             .n = graph_options(graph, text, sizeof text),
                             .m = platform,
                             .k = 1 + (int64_t)(drawn % DUET_NTAKPE_PLATFORM_SAMPLES),
                             .seed = graph + 1,
                             .x = factor_of(platform)};
        snprintf(c.name, sizeof c.name, "platform-%" PRId64 "-%" PRId64 "-graph-%zu", c.m, c.k,
                 graph + 1);
        DUET_TRY(duet_paper_add_case(study, &c, error));
    }
    return DUET_OK;
}

duet_code duet_ntakpe_make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    char graph[128];
    char text[192];
    duet_paper_case own = *c;
    own.n = graph_options((size_t)c->seed - 1, graph, sizeof graph);
    own.m = own.k = -1; // the platform's own
    snprintf(text, sizeof text, "mixed_sets=true number=%" PRId64 " sample=%" PRId64 " %s", c->m,
             c->k, graph);
    return duet_paper_generate("platform", &own, text, out, error);
}

static duet_code list(duet_paper_study *study, duet_error *error)
{
    return duet_ntakpe_list(study, study->settings->instances, error);
}

static void print_options(const duet_paper_settings *settings, FILE *stream)
{
    fprintf(stream, " --instances %" PRIu64, settings->instances);
}

const duet_paper duet_paper_ntakpe2006 = {
    .name = "ntakpe2006",
    .title = "N'Takpe, Suter, ICPADS 2006, figures 2 to 4",
    .runs = duet_ntakpe_runs,
    .run_count = DUET_NTAKPE_RUNS,
    .bounds = bounds,
    .sets = duet_ntakpe_sets,
    .columns = duet_ntakpe_columns,
    .measure = duet_ntakpe_measure,
    .list = list,
    .make = duet_ntakpe_make,
    .moldable = true,
    .print = duet_ntakpe_print,
    .print_options = print_options,
    .write_json = duet_ntakpe_write_json,
    .draw = duet_ntakpe_draw,
    .pictures = duet_ntakpe_pictures,
    .about =
        "Moldable tasks on clusters of clusters: CPA, HCPA, S-HCPA and M-HEFT on the family "
        "[platform](commands.md#generate).\n"
        "The paper's 200 platforms and 1,296 graphs make 259,200 pairs, and with `seq` 1,296,000 "
        "runs; `--instances` takes so\n"
        "many pairs, spread evenly over both. The figures are pictures without numbers; the "
        "statements can be held against\n"
        "ours. What data take is the model's, without contention, where the paper simulated. "
        "Powers are Gflop/s: the *peak*\n"
        "is the largest in use at any time, the *average* the mean over tasks of the power of "
        "their processors.\n"
        "The text speaks of the ratio of makespan and average power, the peak is multiplied: here "
        "are product and ratio.\n"
        "\n"
        "Where the paper is silent: the values that it names make 3 sizes x 4 costs x 3 widths x 3 "
        "regularities x 3 densities x\n"
        "3 jumps = 972 graphs, not the 432 that it counts. Two values of two of these make 432: "
        "here regularity and density\n"
        "are 0.2 or 0.8. The data are 4 Mi to 121 Mi doubles, as a memory of 1 GB says. CPA plans "
        "for one cluster of mean\n"
        "speed, and a set of processors of several clusters is as fast as its slowest allows.\n"};
