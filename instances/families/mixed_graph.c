// SPDX-License-Identifier: Apache-2.0
// Family mixed-graph: every seed is a family of task graphs of its own.
//
// Method: from the seed are drawn the structure, which is that of another family, its parameters,
// how many tasks there are, the platform, the times, and what edges cost. Options fix any of these
// and leave the others, and the numbers behind times and edges, as they were (drawn.h). All of it
// is integer arithmetic (fixed.h): the same on every machine.
//
// Times: of tiled factorisations, 30 to 340 for each kernel on a CPU, a GPU being 1.3 to 37 times
// as fast. Else 10 to 100 for each task on a GPU, and on a CPU a gamma factor, whose mean is the
// speedup, times as long.
#include <inttypes.h>

#include "core/number/fixed.h"
#include "core/system/try.h"
#include "instances/families/drawn.h"
#include "instances/families/factorization_graph.h"
#include "instances/families/shape.h"

enum { MOST_TASKS = 1000000, MOST_COST = 1000000, DRAWN = -1 };

// The first ones are tiled factorisations, as duet_factorisation_id.
enum { LAYERED = DUET_FACTORISATIONS, DAGGEN, SERIES_PARALLEL, FORK_JOIN, CHAINS, STRUCTURES };
static const char *const structures[STRUCTURES] = {
    "chol", "lu", "qr", "layered", "daggen", "series-parallel", "fork-join", "chains"};
#define STRUCTURE_CHOICES "chol|lu|qr|layered|daggen|series-parallel|fork-join|chains"

// What a structure, or the times of its tasks, depend on.
typedef enum parameter_id {
    WIDTH,
    DEGREE,
    REGULARITY,
    DENSITY,
    JUMP,
    PARALLEL,
    SPEEDUP,
    GAMMA,
    PARAMETERS
} parameter_id;

#define OF(structure) (1U << (structure))
#define NOT_TILED (OF(LAYERED) | OF(DAGGEN) | OF(SERIES_PARALLEL) | OF(FORK_JOIN) | OF(CHAINS))
static const struct {
    const char *option;
    bool decimal;      // in thousandths
    bool logarithmic;  // how it is drawn
    int64_t low, high; // of what is drawn
    unsigned of;       // structures
} parameters[PARAMETERS] = {
    [WIDTH] = {"width", true, false, 200, 800, NOT_TILED & ~OF(SERIES_PARALLEL)},
    [DEGREE] = {"degree", false, false, 1, 6, OF(LAYERED)},
    [REGULARITY] = {"regularity", true, false, 100, 1000, OF(DAGGEN)},
    [DENSITY] = {"density", true, true, 10, 800, OF(DAGGEN)},
    [JUMP] = {"jump", false, false, 1, 4, OF(DAGGEN)},
    [PARALLEL] = {"parallel", true, false, 300, 950, OF(SERIES_PARALLEL)},
    [SPEEDUP] = {"speedup", true, true, 2000, 32000, NOT_TILED},
    [GAMMA] = {"gamma", false, false, 1, 6, NOT_TILED},
};

static const duet_option_spec options[] = {
    {"structure", DUET_OPTION_CHOICE, "drawn", 0, 0, "drawn|" STRUCTURE_CHOICES, "",
     "what the edges are like: as those of the family of this name"},
    {"n-min", DUET_OPTION_INTEGER, "20", 1, MOST_TASKS, NULL, "", "fewest tasks that are drawn"},
    {"n-max", DUET_OPTION_INTEGER, "1000", 1, MOST_TASKS, NULL, "",
     "most tasks that are drawn; tiled graphs are the nearest in size"},
    {"width", DUET_OPTION_DECIMAL, "0", 0, 1000, NULL, "",
     "an exponent, for n tasks: n^width in a layer, level or fork in the mean, or n^width chains; "
     "0: drawn, 0.2 to 0.8"},
    {"degree", DUET_OPTION_INTEGER, "0", 0, 1000, NULL, "",
     "layered: predecessors of a task in the mean; 0: drawn, 1 to 6"},
    {"regularity", DUET_OPTION_DECIMAL, "0", 0, 1000, NULL, "",
     "daggen: how alike the sizes of levels are; 0: drawn, 0.1 to 1"},
    {"density", DUET_OPTION_DECIMAL, "0", 0, 1000, NULL, "",
     "daggen: how many tasks of the level before a task waits for; 0: drawn, 0.01 to 0.8"},
    {"jump", DUET_OPTION_INTEGER, "0", 0, 1000, NULL, "",
     "daggen: how many levels an edge goes down, at most; 0: drawn, 1 to 4"},
    {"parallel", DUET_OPTION_DECIMAL, "0", 0, 1000, NULL, "",
     "series-parallel: how often two parts are beside each other; 0: drawn, 0.3 to 0.95"},
    {"speedup", DUET_OPTION_DECIMAL, "0", 0, 1000000, NULL, "",
     "all but tiled graphs: how many times as long as on a GPU a task takes on a CPU, in the mean; "
     "0: drawn, 2 to 32"},
    {"gamma", DUET_OPTION_INTEGER, "0", 0, 100, NULL, "",
     "all but tiled graphs: shape of the gamma factor of CPU times, 1: exponential; 0: drawn, 1 to "
     "6"},
    {"cost", DUET_OPTION_INTEGER, "-1", DRAWN, MOST_COST, NULL, "",
     "highest cost of an edge between processors; -1: drawn, none for three quarters of the seeds"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// What has a stream of random numbers of its own; the last is the first of the parameters'.
enum { CPUS, GPUS, STRUCTURE, TASKS, TIMES, FACTORS, EDGES, COST, COSTS, PARAMETER };

// A family, drawn.
typedef struct mixed_graph {
    duet_family_request *request;
    int structure;
    int64_t tiles; // 0: it is not tiled
    int64_t cost;  // the highest
    int64_t value[PARAMETERS];
    duet_time_shape factor; // of CPU times
    duet_random factors;    // where it is drawn from
} mixed_graph;

static duet_code draw_platform(duet_family_request *request, duet_error *error)
{
    enum { FEWEST_CPUS = 2, MOST_CPUS = 64, MOST_GPUS = 8 };
    (void)error;
    duet_random cpus = duet_drawn_stream(request, CPUS);
    duet_random gpus = duet_drawn_stream(request, GPUS);
    return duet_family_default_platform(request,
                                        duet_drawn_magnitude(&cpus, FEWEST_CPUS, MOST_CPUS),
                                        duet_drawn_magnitude(&gpus, 1, MOST_GPUS));
}

static int64_t draw_parameter(const duet_family_request *request, parameter_id id)
{
    duet_random random = duet_drawn_stream(request, PARAMETER + id);
    const char *option = parameters[id].option;
    int64_t given = parameters[id].decimal
                        ? duet_option_thousandths(request->options, request->table, option)
                        : duet_family_integer(request, option);
    if (given > 0) {
        return given;
    }
    return parameters[id].logarithmic
               ? duet_drawn_magnitude(&random, parameters[id].low, parameters[id].high)
               : duet_random_between(&random, parameters[id].low, parameters[id].high);
}

static int64_t draw_cost(const duet_family_request *request)
{
    enum { LEAST = 2, MOST = 200, QUARTERS = 4 };
    duet_random random = duet_drawn_stream(request, COST);
    bool some = duet_random_between(&random, 1, QUARTERS) == 1;
    int64_t drawn = duet_drawn_magnitude(&random, LEAST, MOST);
    int64_t given = duet_family_integer(request, "cost");
    return given != DRAWN ? given : some ? drawn : 0;
}

// The tiles a side whose number of tasks is nearest to `tasks`. Where this was drawn they are
// within the range that it was drawn from, or below where there are none.
static int64_t choose_tiles(const duet_factorisation *factorisation,
                            const duet_family_request *request, int64_t tasks)
{
    int64_t tiles = duet_factorisation_tiles(factorisation, tasks);
    if (request->n == 0) {
        int64_t least = duet_family_integer(request, "n-min");
        int64_t most = duet_family_integer(request, "n-max");
        tiles += duet_factorisation_tasks(factorisation, tiles) < least;
        tiles -= tiles > 1 && duet_factorisation_tasks(factorisation, tiles) > most;
    }
    return tiles;
}

static duet_code draw_choices(mixed_graph *g, duet_error *error)
{
    duet_family_request *request = g->request;
    DUET_TRY(duet_family_check_range(request, "n-min", "n-max", error));
    duet_random random = duet_drawn_stream(request, STRUCTURE);
    g->structure = duet_drawn_word(request, "structure", &random, STRUCTURES);
    random = duet_drawn_stream(request, TASKS);
    int64_t tasks = duet_drawn_tasks(request, &random);
    if (g->structure < DUET_FACTORISATIONS) {
        const duet_factorisation *factorisation = &duet_factorisations[g->structure];
        g->tiles = choose_tiles(factorisation, request, tasks);
        tasks = duet_factorisation_tasks(factorisation, g->tiles);
    }
    request->n = tasks;
    for (parameter_id id = 0; id < PARAMETERS; id++) {
        g->value[id] = draw_parameter(request, id);
    }
    g->factor = (duet_time_shape){.kind = DUET_SHAPE_GAMMA, .count = g->value[GAMMA]};
    g->cost = draw_cost(request);
    return DUET_OK;
}

// "mixed-graph-300-7-layered-w0.437-d3-s15.210-g2-cost40": tasks, seed, structure; its tiles, or
// each parameter by its first letter; the highest cost of an edge where there are any.
static duet_code set_name(const mixed_graph *g, duet_builder *builder, duet_error *error)
{
    char name[160] = "";
    duet_drawn_add_words(name, sizeof name, "mixed-graph-%" PRId64 "-%" PRIu64 "-%s", g->request->n,
                         g->request->seed, structures[g->structure]);
    if (g->tiles > 0) {
        duet_drawn_add_words(name, sizeof name, "-t%" PRId64, g->tiles);
    }
    for (parameter_id id = 0; id < PARAMETERS; id++) {
        if ((parameters[id].of & OF(g->structure)) == 0) {
            continue;
        }
        int64_t value = g->value[id];
        duet_drawn_add_words(name, sizeof name, "-%c%" PRId64, parameters[id].option[0],
                             parameters[id].decimal ? value / 1000 : value);
        if (parameters[id].decimal) {
            duet_drawn_add_words(name, sizeof name, ".%03" PRId64, value % 1000);
        }
    }
    if (g->cost > 0) {
        duet_drawn_add_words(name, sizeof name, "-cost%" PRId64, g->cost);
    }
    return duet_builder_set_name(builder, name, error);
}

// In tenths.
static duet_code add_kernels(const mixed_graph *g, duet_builder *builder, duet_error *error)
{
    enum { SHORTEST = 300, LONGEST = 3400, TENTHS = 10, LEAST = 3, MOST = 36 };
    duet_random *random = &g->request->random;
    for (int i = 0; i < DUET_KERNELS; i++) {
        const duet_tile_kernel *kernel = &duet_factorisations[g->structure].kernels[i];
        int64_t cpu = duet_random_between(random, SHORTEST, LONGEST);
        duet_fixed speedup = duet_fixed_exp(duet_fixed_uniform(
            random, duet_fixed_ratio(LEAST, TENTHS), duet_fixed_ratio(MOST, TENTHS)));
        duet_fixed gpu = duet_fixed_over(cpu * DUET_FIXED_ONE, speedup) + DUET_FIXED_ONE / 2;
        const duet_read_time times[2] = {{.value = {cpu, 1}}, {.value = {gpu / DUET_FIXED_ONE, 1}}};
        DUET_TRY(duet_factorisation_kind(kernel, g->tiles, times, builder, error));
    }
    return DUET_OK;
}

static void draw_times(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    enum { SHORTEST = 10, LONGEST = 100 };
    mixed_graph *g = state;
    *gpu = duet_random_between(&request->random, SHORTEST, LONGEST);
    *cpu = duet_family_cpu_time(*gpu, g->value[SPEEDUP], duet_shape_value(&g->factor, &g->factors));
}

static void join(const mixed_graph *g, duet_family_draft *draft)
{
    const int64_t *value = g->value;
    int64_t width = duet_family_power(draft->tasks, value[WIDTH]);
    const duet_daggen_shape levels = {.width = value[WIDTH],
                                      .regularity = value[REGULARITY],
                                      .density = value[DENSITY],
                                      .jump = value[JUMP]};
    switch (g->structure) {
    case LAYERED:
        duet_layered_join(draft, width, value[DEGREE]);
        break;
    case DAGGEN:
        duet_daggen_join(draft, &levels);
        break;
    case SERIES_PARALLEL:
        duet_series_parallel_join(draft, value[PARALLEL]);
        break;
    case FORK_JOIN:
        duet_fork_join(draft, width);
        break;
    case CHAINS:
        duet_chains_join(draft, width);
        break;
    default:
        duet_factorisation_join(&duet_factorisations[g->structure], g->tiles, draft);
    }
}

static duet_code add_edges(const mixed_graph *g, duet_builder *builder, duet_error *error)
{
    duet_random costs = duet_drawn_stream(g->request, COSTS);
    g->request->random = duet_drawn_stream(g->request, EDGES);
    duet_family_draft draft = duet_family_draft_over(g->request, builder, error);
    draft.cost = g->cost;
    draft.costs = &costs;
    join(g, &draft);
    return duet_family_draft_end(&draft);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    mixed_graph g = {.request = request, .factors = duet_drawn_stream(request, FACTORS)};
    request->random = duet_drawn_stream(request, TIMES);
    DUET_TRY(draw_choices(&g, error));
    DUET_TRY(g.tiles > 0
                 ? add_kernels(&g, builder, error)
                 : duet_family_draw(request, builder, "mixed-graph", draw_times, &g, error));
    DUET_TRY(set_name(&g, builder, error));
    return add_edges(&g, builder, error);
}

const duet_family duet_family_mixed_graph = {
    .entry = {.name = "mixed-graph",
              .summary = "task graphs, another family for every seed: structure, its parameters, "
                         "times, costs, size and platform are drawn",
              .reference = "",
              .options = options,
              .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION},
    .fallback = 0,
    .maximum = MOST_TASKS,
    .generate = generate,
    .platform = draw_platform};
