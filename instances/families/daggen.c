// SPDX-License-Identifier: Apache-2.0
// Family daggen: levels whose number and size follow from width and regularity; a task waits for
// some of the level before its own, as many as density says, or of one up to `jump` levels back.
//
// Reference: the program DAGGEN of Suter and Hunold, as used by N'Takpé, Suter, "Critical path and
//            area based scheduling of parallel task graphs on heterogeneous platforms", 2006. The
//            random numbers are our own.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/families/graph.h"

static const duet_option_spec options[] = {DUET_DAGGEN_OPTIONS,
                                           DUET_FAMILY_GRAPH_OPTIONS,
                                           {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct levels {
    int64_t *first; // task of each level, and their number behind the last
    size_t count;
} levels;

// Sizes vary by up to 1 - regularity of the mean to both sides.
static void draw_levels(duet_family_draft *draft, const duet_daggen_shape *shape, levels *l)
{
    int64_t mean = duet_family_power(draft->tasks, shape->width);
    int64_t off = mean * (1000 - shape->regularity) / 1000;
    for (int64_t first = 0; draft->code == DUET_OK; l->count++) {
        draft->code = duet_vec_grow(l->first, l->count, draft->error);
        if (draft->code != DUET_OK) {
            return;
        }
        l->first[l->count] = duet_min(first, draft->tasks);
        if (first >= draft->tasks) {
            return;
        }
        int64_t size = duet_random_between(&draft->request->random, mean - off, mean + off);
        first += duet_max(size, 1);
    }
}

static void join_level(duet_family_draft *draft, const duet_daggen_shape *shape, const levels *l,
                       size_t level)
{
    duet_random *random = &draft->request->random;
    for (int64_t j = l->first[level]; j < l->first[level + 1]; j++) {
        int64_t down = duet_random_between(random, 1, shape->jump);
        size_t above = (int64_t)level > down ? level - (size_t)down : 0;
        int64_t size = l->first[above + 1] - l->first[above];
        int64_t count = 1 + duet_random_between(random, 0, size * shape->density / 1000);
        duet_family_draft_choose(draft, l->first[above], l->first[above + 1] - 1, count, j);
    }
}

void duet_daggen_join(duet_family_draft *draft, const duet_daggen_shape *shape)
{
    levels l = {0};
    draw_levels(draft, shape, &l);
    for (size_t level = 1; level < l.count && draft->code == DUET_OK; level++) {
        join_level(draft, shape, &l, level);
    }
    duet_free(l.first);
}

static int64_t thousandths(const duet_family_request *request, const char *option)
{
    return duet_option_thousandths(request->options, request->table, option);
}

duet_daggen_shape duet_daggen_chosen(const duet_family_request *request)
{
    return (duet_daggen_shape){
        .width = thousandths(request, "width"),
        .regularity = thousandths(request, "regularity"),
        .density = thousandths(request, "density"),
        .jump = duet_family_integer(request, "jump"),
    };
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_family_draft draft = duet_family_draft_begin(request, builder, "daggen", error);
    const duet_daggen_shape shape = duet_daggen_chosen(request);
    duet_daggen_join(&draft, &shape);
    return duet_family_draft_end(&draft);
}

const duet_family duet_family_daggen = {
    {.name = "daggen",
     .summary = "task graphs by width, regularity, density and jump",
     .reference = "DAGGEN (Suter, Hunold); N'Takpe, Suter 2006",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
     .options = options},
    DUET_FAMILY_GRAPH_TASKS,
    DUET_FAMILY_GRAPH_MAX_TASKS,
    generate,
    NULL};
