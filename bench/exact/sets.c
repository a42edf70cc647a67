// SPDX-License-Identifier: Apache-2.0
// The named sets of `duet bench exact`, and the list of cases that one stands for.

#include "bench/exact/exact.h"
#include "core/system/memory.h"
#include "core/system/try.h"

const duet_exact_set duet_exact_sets[] = {
    // six families, 10 to 1000 tasks, six platforms, two seeds each.
    {.name = "main",
     .source = DUET_EXACT_FAMILY,
     .families = {"unif4", "unif2", "acc", "corr", "chol", "bimod"},
     .sizes = {10, 20, 50, 100, 200, 500, 1000},
     .platforms = {{2, 1}, {4, 1}, {4, 2}, {8, 2}, {20, 4}, {64, 8}},
     .seeds = 2,
     .seconds = 10},
    // four tasks per processor: n = 100 on (20,4).
    {.name = "hard",
     .source = DUET_EXACT_FAMILY,
     .families = {"unif4", "corr"},
     .sizes = {100},
     .platforms = {{20, 4}},
     .seeds = 6,
     .seconds = 60},
    // n = 200 on (20,4), ten seeds.
    {.name = "medium",
     .source = DUET_EXACT_FAMILY,
     .families = {"unif4", "corr", "acc"},
     .sizes = {200},
     .platforms = {{20, 4}},
     .seeds = 10,
     .seconds = 10},
    // factorisations of 10 to 64 tiles: four kinds, up to 90,000 tasks.
    {.name = "tiles",
     .source = DUET_EXACT_TILES,
     .families = {"chol", "lu"},
     .sizes = {10, 16, 20, 24, 32, 40, 48, 64},
     .platforms = {{20, 4}, {64, 8}},
     .seconds = 10},
    // every file with two types of the folder --data.
    {.name = "real",
     .source = DUET_EXACT_FILE,
     .platforms = {{20, 4}, {9, 3}},
     .types = 2,
     .seconds = 10},
    // what exact was weak on, on the files' own platforms.
    {.name = "unfamiliar", .source = DUET_EXACT_FILE, .types = 2, .seconds = 5},
    // task sets with a second kind of GPU.
    {.name = "three-types",
     .source = DUET_EXACT_FILE,
     .platforms = {{16, 4, 2}, {8, 2, 2}},
     .types = 3,
     .seconds = 10},
    // unrelated machines: one processor of each type, and any other file on its own platform.
    {.name = "rcmax", .source = DUET_EXACT_FILE, .seconds = 10},
    // another family for every seed: 10 to 500 tasks, up to 64 + 8 processors.
    {.name = "mixed", .source = DUET_EXACT_MIXED, .types = 2, .seeds = 2000, .seconds = 5},
    // identical processors: 10 to 60 tasks on 2 to n/2 CPUs.
    {.name = "identical", .source = DUET_EXACT_IDENTICAL, .seeds = 500, .seconds = 10},
    // one CPU and one GPU: 10 to 60 tasks.
    {.name = "pair", .source = DUET_EXACT_PAIR, .seeds = 500, .seconds = 10},
    // task graphs: factorisations by tiles, random layers, wide and narrow, by tenths of tasks.
    {.name = "graphs",
     .source = DUET_EXACT_GRAPH,
     .families = {"chol", "lu", "qr", "layered", "narrow"},
     .sizes = {4, 5, 6, 8, 10, 12, 15, 20, 24, 32, 48, 64},
     .platforms = {{20, 4}, {20, 2}, {7, 1}, {28, 4}},
     .seconds = 10},
    // Cholesky by tiles on nodes of H200s, measured: double and single precision, tiles of 320 to
    // 1920.
    {.name = "hopper",
     .source = DUET_EXACT_GRAPH,
     .families = {"hopper-double-960", "hopper-double-320", "hopper-double-512",
                  "hopper-double-1920", "hopper-single-960", "hopper-single-320",
                  "hopper-single-512", "hopper-single-1920"},
     .sizes = {10, 20, 40},
     .platforms = {{15, 1}, {15, 2}, {15, 4}},
     .seconds = 10},
    // every task graph with two types of the folder --data.
    {.name = "graph-files",
     .source = DUET_EXACT_GRAPH_FILE,
     .platforms = {{20, 2}},
     .types = 2,
     .seconds = 10},
    // another family of task graphs for every seed: 20 to 1000 tasks, up to 64 + 8 processors.
    {.name = "mixed-graphs",
     .source = DUET_EXACT_MIXED_GRAPH,
     .types = 2,
     .seeds = 200,
     .seconds = 10},
    // small public task graphs with communication costs, on their own platforms: the folder --data.
    {.name = "graphs-costs", .source = DUET_EXACT_GRAPH_FILE, .seconds = 10},
    // task graphs of 30 to 50 tasks on (2,1), (4,2) and (8,2), with and without costs in turn.
    {.name = "graphs-small",
     .source = DUET_EXACT_MIXED_GRAPH,
     .types = 2,
     .seeds = 120,
     .seconds = 20},
    // small instances of every shape against the exhaustive optimum.
    {.name = "small", .source = DUET_EXACT_SMALL, .seeds = 5000, .seconds = 10},
    {.name = NULL}};

bool duet_exact_has_files(const duet_exact_set *set)
{
    return set->source == DUET_EXACT_FILE || set->source == DUET_EXACT_GRAPH_FILE;
}

bool duet_exact_has_edges(const duet_exact_set *set)
{
    return set->source == DUET_EXACT_GRAPH || set->source == DUET_EXACT_GRAPH_FILE ||
           set->source == DUET_EXACT_MIXED_GRAPH;
}

void duet_exact_complete(duet_exact_settings *settings)
{
    const duet_exact_set *set = settings->set;
    settings->narrowed =
        settings->family_count + settings->size_count + settings->platform_count > 0 ||
        (settings->seeds > 0 && settings->seeds != set->seeds) ||
        (settings->types > 0 && settings->types != set->types);
    if (settings->family_count == 0) {
        for (size_t i = 0; i < DUET_EXACT_MAX_FAMILIES && set->families[i] != NULL; i++) {
            settings->family[settings->family_count++] = set->families[i];
        }
    }
    if (settings->size_count == 0) {
        for (size_t i = 0; i < DUET_EXACT_MAX_SIZES && set->sizes[i] != 0; i++) {
            settings->size[settings->size_count++] = set->sizes[i];
        }
    }
    if (settings->platform_count == 0) {
        for (size_t i = 0; i < DUET_EXACT_MAX_PLATFORMS && set->platforms[i][0] > 0; i++) {
            settings->m[settings->platform_count] = set->platforms[i][0];
            settings->k[settings->platform_count] = set->platforms[i][1];
            settings->third[settings->platform_count++] = set->platforms[i][2];
        }
    }
    settings->types = settings->types > 0 ? settings->types : set->types;
    settings->seeds = settings->seeds > 0 ? settings->seeds : set->seeds;
    settings->seconds = settings->seconds > 0 ? settings->seconds : set->seconds;
}

static void add_case(duet_exact_plan *plan, duet_exact_case item)
{
    item.source = plan->settings.set->source;
    plan->cases[plan->case_count++] = item;
}

// Families, sizes, platforms and seeds; large sizes last, so that a run that is cut short has seen
// everything small.
static void list_grid(duet_exact_plan *plan)
{
    const duet_exact_settings *s = &plan->settings;
    bool random = s->set->seeds > 0;
    uint64_t seeds = random ? s->seeds : 1;
    for (size_t n = 0; n < s->size_count; n++) {
        for (size_t f = 0; f < s->family_count; f++) {
            for (size_t p = 0; p < s->platform_count; p++) {
                for (uint64_t seed = 1; seed <= seeds; seed++) {
                    add_case(plan, (duet_exact_case){.name = s->family[f],
                                                     .size = s->size[n],
                                                     .m = s->m[p],
                                                     .k = s->k[p],
                                                     .seed = random ? seed : 0});
                }
            }
        }
    }
}

static void list_files(duet_exact_plan *plan)
{
    const duet_exact_settings *s = &plan->settings;
    bool random = s->set->source == DUET_EXACT_GRAPH_FILE; // those of one type: by their places
    for (size_t f = 0; f < plan->files.count; f++) {
        for (size_t p = 0; p < s->platform_count; p++) {
            add_case(plan, (duet_exact_case){.name = plan->files.path[f],
                                             .m = s->m[p],
                                             .k = s->k[p],
                                             .third = s->third[p],
                                             .seed = random ? f + 1 : 0});
        }
        if (s->platform_count == 0) {
            add_case(plan, (duet_exact_case){.name = plan->files.path[f], .m = -1, .k = -1});
        }
    }
}

static void list_seeds(duet_exact_plan *plan)
{
    for (uint64_t seed = 1; seed <= plan->settings.seeds; seed++) {
        add_case(plan, (duet_exact_case){.name = plan->settings.set->name,
                                         .m = -1,
                                         .k = -1,
                                         .seed = seed,
                                         .types = plan->settings.types});
    }
}

// Whether an instance is one of the set: of its number of types, and with a platform where the set
// has none.
static bool belongs(const duet_exact_set *set, const duet_instance *instance)
{
    return (set->types == 0 || duet_instance_types(instance) == set->types) &&
           (set->platforms[0][0] > 0 || duet_instance_has_platform(instance));
}

// Files that are no instance are none of the set.
static duet_code is_of_set(const void *state, const char *path, bool *wanted, duet_error *error)
{
    const duet_exact_set *set = state;
    duet_instance *instance;
    duet_code code = duet_exact_has_edges(set) ? duet_exact_read_graph(path, 1, &instance, NULL)
                                               : duet_exact_read_file(path, &instance, NULL);
    if (code == DUET_E_MEMORY || code == DUET_E_LIMIT) {
        return duet_error_set_at(error, code, path, 0, 0, "out of memory");
    }
    *wanted = code == DUET_OK && belongs(set, instance);
    duet_instance_free(instance);
    return DUET_OK;
}

static duet_code find_files(duet_exact_plan *plan, duet_error *error)
{
    const char *folder = plan->settings.data;
    const duet_exact_set *set = plan->settings.set;
    if (folder == NULL) {
        return duet_error_set(error, DUET_E_USAGE, "--set %s: expected a folder after --data",
                              set->name);
    }
    DUET_TRY(duet_folder_read(folder, is_of_set, set, &plan->files, error));
    if (plan->files.count == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, folder, 0, 0,
                                 "no instance with %s types: expected a folder of instances",
                                 set->types == 2   ? "two"
                                 : set->types == 3 ? "three"
                                                   : "any number of");
    }
    return DUET_OK;
}

duet_code duet_exact_plan_create(duet_exact_plan *plan, duet_error *error)
{
    const duet_exact_settings *s = &plan->settings;
    duet_code code = DUET_OK;
    size_t cases = 0;
    if (duet_exact_has_files(s->set)) {
        code = find_files(plan, error);
        cases = plan->files.count * (s->platform_count > 0 ? s->platform_count : 1);
    } else if (s->family_count > 0) {
        // Lists are short, and seeds at most DUET_EXACT_MAX_SEEDS: the product is no surprise.
        cases = s->family_count * s->size_count * s->platform_count *
                (size_t)(s->set->seeds > 0 ? s->seeds : 1);
    } else {
        cases = (size_t)s->seeds;
    }
    size_t rows = cases * s->algorithm_count;
    DUET_THEN(code, duet_memory_check(rows, sizeof *plan->rows + sizeof *plan->cases, 0,
                                      "the table of runs", error));
    if (code != DUET_OK) {
        return code;
    }
    plan->cases = duet_alloc(cases, sizeof *plan->cases, error);
    plan->rows = duet_alloc(rows, sizeof *plan->rows, error);
    DUET_NEED(plan->cases != NULL && plan->rows != NULL);
    plan->row_count = rows;
    (duet_exact_has_files(s->set) ? list_files
     : s->family_count > 0        ? list_grid
                                  : list_seeds)(plan);
    return DUET_OK;
}

void duet_exact_plan_free(duet_exact_plan *plan)
{
    duet_folder_free(&plan->files);
    duet_free(plan->cases);
    duet_free(plan->rows);
}
