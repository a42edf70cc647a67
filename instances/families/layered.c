// SPDX-License-Identifier: Apache-2.0
// Family layered: layers of random width. A task waits for some of the layer before its own, for
// `degree` of them in the mean, as STG's generator layrpred makes them.
//
// Reference: Tobita, Kasahara, "A standard task graph set for fair evaluation of multiprocessor
//            scheduling algorithms", Journal of Scheduling 5(5), 2002.
#include "instances/families/graph.h"

static const duet_option_spec options[] = {
    {"width", DUET_OPTION_INTEGER, "0", 0, DUET_FAMILY_GRAPH_MAX_TASKS, NULL, "",
     "tasks of a layer in the mean; 0: the square root of their number"},
    {"degree", DUET_OPTION_INTEGER, "3", 1, 1000, NULL, "", "predecessors of a task in the mean"},
    DUET_FAMILY_GRAPH_OPTIONS,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

static int64_t square_root(int64_t n)
{
    int64_t root = 1;
    while ((root + 1) * (root + 1) <= n) {
        root++;
    }
    return root;
}

void duet_layered_join(duet_family_draft *draft, int64_t width, int64_t degree)
{
    duet_random *random = &draft->request->random;
    int64_t before = 0; // where the layer before begins
    int64_t first = duet_random_between(random, 1, 2 * width - 1);
    while (first < draft->tasks && draft->code == DUET_OK) {
        int64_t next = first + duet_random_between(random, 1, 2 * width - 1);
        for (int64_t j = first; j < next && j < draft->tasks; j++) {
            int64_t count = duet_random_between(random, 1, 2 * degree - 1);
            duet_family_draft_choose(draft, before, first - 1, count, j);
        }
        before = first;
        first = next;
    }
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_family_draft draft = duet_family_draft_begin(request, builder, "layered", error);
    int64_t width = duet_family_integer(request, "width");
    width = width == 0 ? square_root(draft.tasks) : width;
    duet_layered_join(&draft, width, duet_family_integer(request, "degree"));
    return duet_family_draft_end(&draft);
}

const duet_family duet_family_layered = {
    {.name = "layered",
     .summary = "task graphs: layers, each task after some of the layer before",
     .reference = "Tobita, Kasahara, Journal of Scheduling 5(5), 2002",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
     .options = options},
    DUET_FAMILY_GRAPH_TASKS,
    DUET_FAMILY_GRAPH_MAX_TASKS,
    generate,
    NULL};
