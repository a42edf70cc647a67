// SPDX-License-Identifier: Apache-2.0
// Family daggen: levels whose number and size follow from width and regularity; a task waits for
// some of the level before its own, as many as density says, or of one up to `jump` levels back.
//
// Reference: the program DAGGEN of Suter and Hunold, as used by N'Takpé, Suter, "Critical path and
//            area based scheduling of parallel task graphs on heterogeneous platforms", 2006. The
//            random numbers are our own.
#include "core/memory.h"
#include "core/fixed.h"
#include "instances/families/graph.h"

static const duet_option_spec options[] = {
    {"width", DUET_OPTION_DECIMAL, "0.5", 0, 1000, NULL, "",
     "a level has n^width tasks in the mean: 0 is a chain, 1 independent tasks"},
    {"regularity", DUET_OPTION_DECIMAL, "0.9", 0, 1000, NULL, "",
     "how alike the sizes of levels are: 1 is equal"},
    {"density", DUET_OPTION_DECIMAL, "0.5", 0, 1000, NULL, "",
     "how many tasks of the level before a task waits for: 1 is up to all"},
    {"jump", DUET_OPTION_INTEGER, "1", 1, 1000, NULL, "",
     "how many levels an edge goes down, at most"},
    DUET_GRAPH_OPTIONS,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

typedef struct levels {
    int64_t *first; // task of each level, and their number behind the last
    size_t count;
    size_t capacity;
} levels;

// n^width for width in thousandths, at least 1.
static int64_t mean_size(int64_t n, int64_t width)
{
    if (n == 1 || width == 0) {
        return 1;
    }
    duet_fixed logarithm = 0; // of n, which may be beyond what a fixed number holds
    int64_t rest = n;
    for (; rest >= INT64_C(1) << 30; rest /= 2) {
        logarithm += DUET_FIXED_ONE;
    }
    logarithm += duet_fixed_log2(rest * DUET_FIXED_ONE);
    duet_fixed power = duet_fixed_exp2(duet_fixed_times(logarithm, duet_fixed_ratio(width, 1000)));
    int64_t size = (power + DUET_FIXED_ONE / 2) / DUET_FIXED_ONE;
    return size < 1 ? 1 : size < n ? size : n;
}

// Sizes vary by up to 1 - regularity of the mean to both sides.
static void draw_levels(duet_graph_draft *draft, levels *l)
{
    int64_t mean = mean_size(draft->tasks, duet_graph_thousandths(draft, "width"));
    int64_t off = mean * (1000 - duet_graph_thousandths(draft, "regularity")) / 1000;
    for (int64_t first = 0; draft->code == DUET_OK; l->count++) {
        draft->code = duet_grow(&l->first, l->count, &l->capacity, sizeof *l->first, draft->error);
        if (draft->code != DUET_OK) {
            return;
        }
        l->first[l->count] = first < draft->tasks ? first : draft->tasks;
        if (first >= draft->tasks) {
            return;
        }
        int64_t size = duet_random_between(&draft->request->random, mean - off, mean + off);
        first += size < 1 ? 1 : size;
    }
}

static void join_level(duet_graph_draft *draft, const levels *l, size_t level)
{
    duet_random *random = &draft->request->random;
    int64_t density = duet_graph_thousandths(draft, "density");
    int64_t jump = duet_family_integer(draft->request, "jump");
    for (int64_t j = l->first[level]; j < l->first[level + 1]; j++) {
        int64_t down = duet_random_between(random, 1, jump);
        size_t above = (int64_t)level > down ? level - (size_t)down : 0;
        int64_t size = l->first[above + 1] - l->first[above];
        int64_t count = 1 + duet_random_between(random, 0, size * density / 1000);
        duet_graph_draft_choose(draft, l->first[above], l->first[above + 1] - 1, count, j);
    }
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_graph_draft draft = duet_graph_draft_begin(request, builder, "daggen", error);
    levels l = {0};
    draw_levels(&draft, &l);
    for (size_t level = 1; level < l.count && draft.code == DUET_OK; level++) {
        join_level(&draft, &l, level);
    }
    duet_free(l.first);
    return duet_graph_draft_end(&draft);
}

const duet_family duet_family_daggen = {
    {.name = "daggen",
     .summary = "task graphs by width, regularity, density and jump",
     .reference = "DAGGEN (Suter, Hunold); N'Takpe, Suter 2006",
     .handles = DUET_HANDLES_PRECEDENCE | DUET_HANDLES_COMMUNICATION,
     .options = options},
    DUET_GRAPH_TASKS,
    DUET_GRAPH_MAX_TASKS,
    generate,
    NULL};
