// SPDX-License-Identifier: Apache-2.0
// Family series-parallel: a graph is one task, or two graphs one after the other, or two beside
// each other between a first and a last task. Sizes of the two and which way they are joined are
// drawn.
#include "core/system/memory.h"
#include "instances/families/graph.h"

static const duet_option_spec options[] = {
    {"parallel", DUET_OPTION_DECIMAL, "0.7", 0, 1000, NULL, "",
     "how often two parts are beside each other where both ways are possible"},
    DUET_FAMILY_GRAPH_OPTIONS,
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// Tasks low .. high, still to be joined among themselves; their first and last one are source and
// sink.
typedef struct part {
    int64_t low, high;
} part;

// Divides a part in two, which are pushed on the stack.
static void divide(duet_family_draft *draft, int64_t often, part whole, part *stack, size_t *count)
{
    duet_random *random = &draft->request->random;
    int64_t tasks = whole.high - whole.low + 1;
    bool parallel = tasks >= 4 && duet_random_between(random, 1, 1000) <= often;
    if (parallel) {
        int64_t middle = duet_random_between(random, whole.low + 1, whole.high - 2);
        const part both[2] = {{whole.low + 1, middle}, {middle + 1, whole.high - 1}};
        for (int i = 0; i < 2; i++) {
            duet_family_draft_join(draft, whole.low, both[i].low);
            duet_family_draft_join(draft, both[i].high, whole.high);
            stack[(*count)++] = both[i];
        }
    } else if (tasks >= 2) {
        int64_t middle = duet_random_between(random, whole.low, whole.high - 1);
        duet_family_draft_join(draft, middle, middle + 1);
        stack[(*count)++] = (part){whole.low, middle};
        stack[(*count)++] = (part){middle + 1, whole.high};
    }
}

void duet_series_parallel_join(duet_family_draft *draft, int64_t parallel)
{
    if (draft->code != DUET_OK) {
        return;
    }
    // Parts that wait share no task.
    part *stack = duet_alloc((size_t)draft->tasks + 1, sizeof *stack, draft->error);
    if (stack == NULL) {
        draft->code = DUET_E_MEMORY;
        return;
    }
    size_t count = 0;
    stack[count++] = (part){0, draft->tasks - 1};
    while (count > 0 && draft->code == DUET_OK) {
        part whole = stack[--count];
        divide(draft, parallel, whole, stack, &count);
    }
    duet_free(stack);
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_family_draft draft = duet_family_draft_begin(request, builder, "series-parallel", error);
    duet_series_parallel_join(
        &draft, duet_option_thousandths(request->options, request->table, "parallel"));
    return duet_family_draft_end(&draft);
}

const duet_family duet_family_series_parallel = {
    {.name = "series-parallel",
     .summary = "task graphs: parts one after the other or beside each other, at random",
     .reference = "Valdes, Tarjan, Lawler, SIAM J. Computing 11(2), 1982",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
     .options = options},
    DUET_FAMILY_GRAPH_TASKS,
    DUET_FAMILY_GRAPH_MAX_TASKS,
    generate,
    NULL};
