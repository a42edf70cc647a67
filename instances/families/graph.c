// SPDX-License-Identifier: Apache-2.0
#include "instances/families/graph.h"

#include "core/assert.h"
#include "core/memory.h"
#include "core/fixed.h"

enum { COSTS = 16 };

static void draw_times(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const int64_t *thousandths = state;
    *gpu = duet_random_between(&request->random, duet_family_integer(request, "gpu-min"),
                               duet_family_integer(request, "gpu-max"));
    duet_fixed factor = duet_fixed_exponential(&request->random);
    duet_int128 time = (duet_int128)*gpu * *thousandths * factor / 1000;
    *cpu = (int64_t)(time >> 32) + ((time >> 31) & 1);
    *cpu = *cpu < 1 ? 1 : *cpu;
}

duet_graph_draft duet_graph_draft_begin(duet_family_request *request, duet_builder *builder,
                                        const char *family, duet_error *error)
{
    enum { BYTES_PER_TASK = 400 }; // with some three edges, while they are read
    duet_graph_draft draft = {
        .request = request, .builder = builder, .error = error, .tasks = request->n};
    int64_t speedup = duet_graph_thousandths(&draft, "speedup");
    draft.code = duet_family_check_range(request, "gpu-min", "gpu-max", error);
    if (draft.code == DUET_OK) {
        draft.code = duet_memory_check((uint64_t)request->n, BYTES_PER_TASK, 0,
                                       "the generated graph", error);
    }
    if (draft.code == DUET_OK) {
        draft.code = duet_family_draw(request, builder, family, draw_times, &speedup, error);
    }
    if (draft.code == DUET_OK) {
        draft.seen = duet_alloc((size_t)draft.tasks, sizeof *draft.seen, error);
        draft.code = draft.seen == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return draft;
}

duet_code duet_graph_draft_end(duet_graph_draft *draft)
{
    duet_free(draft->seen);
    return draft->code;
}

int64_t duet_graph_thousandths(const duet_graph_draft *draft, const char *option)
{
    return duet_option_thousandths(draft->request->options, draft->request->table, option);
}

void duet_graph_draft_join(duet_graph_draft *draft, int64_t from, int64_t to)
{
    int64_t highest = duet_family_integer(draft->request, "cost");
    if (draft->code != DUET_OK) {
        return;
    }
    int64_t cost = 0;
    if (highest > 0) { // one of a few values: edges of the same cost share a table
        cost = highest * duet_random_between(&draft->request->random, 0, COSTS - 1) / (COSTS - 1);
    }
    duet_read_time table[4] = {{.forbidden = false}};
    for (size_t i = 1; i < 4; i++) {
        table[i].value = (duet_decimal){cost, 0};
    }
    const duet_read_edge edge = {.from = {.task = from},
                                 .to = {.task = to},
                                 .form = cost > 0 ? DUET_COST_TABLE : DUET_COST_NONE,
                                 .cost = table,
                                 .cost_count = cost > 0 ? 4 : 0};
    draft->code = duet_builder_add_edge(draft->builder, &edge, draft->error);
}

// Floyd's method: every set of that size is as likely as any other, and each draw finds a new task.
void duet_graph_draft_choose(duet_graph_draft *draft, int64_t low, int64_t high, int64_t count,
                             int64_t to)
{
    DUET_ASSERT(low >= 0 && high < draft->tasks);
    count = count < high - low + 1 ? count : high - low + 1;
    draft->draws++;
    for (int64_t i = high - count + 1; i <= high && draft->code == DUET_OK; i++) {
        int64_t task = duet_random_between(&draft->request->random, low, i);
        task = draft->seen[task] == draft->draws ? i : task;
        draft->seen[task] = draft->draws;
        duet_graph_draft_join(draft, task, to);
    }
}
