// SPDX-License-Identifier: Apache-2.0
#include "instances/families/graph.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { COSTS = 16 };

int64_t duet_family_cpu_time(int64_t gpu, int64_t speedup, duet_fixed factor)
{
    duet_int128 time = (duet_int128)gpu * speedup * factor / 1000;
    int64_t rounded = (int64_t)(time >> 32) + ((time >> 31) & 1);
    return duet_max(rounded, 1);
}

int64_t duet_family_power(int64_t n, int64_t power)
{
    if (n == 1 || power == 0) {
        return 1;
    }
    duet_fixed logarithm = 0; // of n, which may be beyond what a fixed number holds
    int64_t rest = n;
    for (; rest >= INT64_C(1) << 30; rest /= 2) {
        logarithm += DUET_FIXED_ONE;
    }
    logarithm += duet_fixed_log2(rest * DUET_FIXED_ONE);
    duet_fixed raised = duet_fixed_exp2(duet_fixed_times(logarithm, duet_fixed_ratio(power, 1000)));
    int64_t whole = (raised + DUET_FIXED_ONE / 2) / DUET_FIXED_ONE;
    return whole < 1 ? 1 : duet_min(whole, n);
}

static void draw_times(duet_family_request *request, void *state, int64_t *cpu, int64_t *gpu)
{
    const int64_t *thousandths = state;
    *gpu = duet_random_between(&request->random, duet_family_integer(request, "gpu-min"),
                               duet_family_integer(request, "gpu-max"));
    *cpu = duet_family_cpu_time(*gpu, *thousandths, duet_fixed_exponential(&request->random));
}

duet_family_draft duet_family_draft_begin(duet_family_request *request, duet_builder *builder,
                                          const char *family, duet_error *error)
{
    enum { BYTES_PER_TASK = 400 }; // with some three edges, while they are read
    duet_family_draft draft = {
        .request = request, .builder = builder, .error = error, .tasks = request->n};
    int64_t speedup = duet_option_thousandths(request->options, request->table, "speedup");
    draft.code = duet_family_check_range(request, "gpu-min", "gpu-max", error);
    DUET_THEN(draft.code, duet_memory_check((uint64_t)request->n, BYTES_PER_TASK, 0,
                                            "the generated graph", error));
    DUET_THEN(draft.code, duet_family_draw(request, builder, family, draw_times, &speedup, error));
    if (draft.code == DUET_OK) {
        draft = duet_family_draft_over(request, builder, error);
        draft.cost = duet_family_integer(request, "cost");
    }
    return draft;
}

duet_family_draft duet_family_draft_over(duet_family_request *request, duet_builder *builder,
                                         duet_error *error)
{
    duet_family_draft draft = {.request = request,
                               .builder = builder,
                               .error = error,
                               .tasks = request->n,
                               .costs = &request->random};
    draft.seen = duet_alloc((size_t)draft.tasks, sizeof *draft.seen, error);
    draft.code = draft.seen == NULL ? DUET_E_MEMORY : DUET_OK;
    return draft;
}

duet_code duet_family_draft_end(duet_family_draft *draft)
{
    duet_free(draft->seen);
    return draft->code;
}

static void join_with_data(duet_family_draft *draft, int64_t from, int64_t to)
{
    const duet_read_time data = {.value = {draft->data[from], 0}};
    const duet_read_edge edge = {.from = {.task = from},
                                 .to = {.task = to},
                                 .form = DUET_COST_DATA,
                                 .cost = &data,
                                 .cost_count = 1};
    draft->code = duet_builder_add_edge(draft->builder, &edge, draft->error);
}

void duet_family_draft_join(duet_family_draft *draft, int64_t from, int64_t to)
{
    if (draft->code != DUET_OK) {
        return;
    }
    if (draft->data != NULL) {
        join_with_data(draft, from, to);
        return;
    }
    int64_t cost = 0;
    if (draft->cost > 0) { // one of a few values: edges of the same cost share a table
        cost = draft->cost * duet_random_between(draft->costs, 0, COSTS - 1) / (COSTS - 1);
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
void duet_family_draft_choose(duet_family_draft *draft, int64_t low, int64_t high, int64_t count,
                              int64_t to)
{
    DUET_ASSERT(low >= 0 && high < draft->tasks);
    count = duet_min(count, high - low + 1);
    draft->draws++;
    for (int64_t i = high - count + 1; i <= high && draft->code == DUET_OK; i++) {
        int64_t task = duet_random_between(&draft->request->random, low, i);
        task = draft->seen[task] == draft->draws ? i : task;
        draft->seen[task] = draft->draws;
        duet_family_draft_join(draft, task, to);
    }
}
