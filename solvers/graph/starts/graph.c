// SPDX-License-Identifier: Apache-2.0
// What branching on starts knows of the graph before its first node.
// Method:    the windows of the guess just below the best schedule, by propagation and shaving;
//            sets of tasks before and behind each one as bits; weights of the types from the area
//            bound; tasks that are alike.
// Guarantee: windows hold of every schedule that is shorter than the best one.
// Cost:      that of shaving, and O(n^2 x types).
// Memory:    that of a refutation.
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "solvers/graph/refute/node.h"
#include "solvers/graph/starts/state.h"

// --- windows -------------------------------------------------------------------------------------

static void take_windows(duet_start_search *s, const duet_windows *windows)
{
    for (int32_t j = 0; j < s->model->tasks; j++) {
        const duet_window *window = &windows->window[j];
        s->from[j] = window->start;
        s->tail[j] = window->tail;
        s->types[j] = window->types;
    }
}

// What the guess one tick below the best schedule says of the tasks, by propagation and shaving. It
// must hold of every schedule within it, since a node that is left for another one takes any; so
// the windows of the bound's own refutations, which hold of one schedule, cannot serve here.
static duet_code narrow(duet_start_search *s, bool *none, duet_error *error)
{
    duet_refuter refuter;
    duet_refutation result = DUET_NOT_REFUTED;
    duet_code code = duet_refuter_create(&refuter, s->instance, s->context, error);
    if (code == DUET_OK) {
        duet_windows_disable_dominance(&refuter.windows);
        code =
            duet_refute(&refuter, s->upper - 1, &(duet_refute_effort){.nodes = 0}, &result, error);
    }
    if (code == DUET_OK) {
        duet_refute_shave(&refuter, DUET_STARTS_SHAVINGS);
        take_windows(s, &refuter.windows);
        if (refuter.windows.no_memory) {
            code = duet_error_set(error, DUET_E_MEMORY, "out of memory for windows of the tasks");
        }
    }
    *none = code == DUET_OK && refuter.windows.refuted;
    duet_refuter_free(&refuter);
    return code;
}

// --- tasks ---------------------------------------------------------------------------------------

static bool are_alike(const duet_start_search *s, int32_t a, int32_t b)
{
    const duet_graph_search_model *model = s->model;
    if (s->before[a] != s->before[b] || s->behind[a] != s->behind[b]) {
        return false;
    }
    for (size_t t = 0; t < model->types; t++) {
        if (duet_graph_search_model_time(model, a, t) !=
            duet_graph_search_model_time(model, b, t)) {
            return false;
        }
    }
    // With costs their edges would have to be alike, too.
    return !duet_graph_search_model_has_costs(model) || (s->before[a] | s->behind[a]) == 0;
}

static void find_twins(duet_start_search *s)
{
    for (int32_t j = 0; j < s->model->tasks; j++) {
        s->twin[j] = -1;
        for (int32_t i = 0; i < j; i++) {
            s->twin[j] = are_alike(s, i, j) ? i : s->twin[j];
        }
    }
}

static void describe_tasks(duet_start_search *s)
{
    const duet_graph_search_model *model = s->model;
    for (int32_t j = 0; j < model->tasks; j++) {
        s->shortest[j] = INT64_MAX;
        s->weighted[j] = INT64_MAX;
        for (size_t t = 0; t < model->types; t++) {
            if ((s->types[j] >> t & 1U) != 0) {
                int64_t time = duet_graph_search_model_time(model, j, t);
                duet_int128 product = (duet_int128)time * s->weight[t];
                DUET_ASSERT(product < INT64_MAX);
                s->shortest[j] = duet_min(time, s->shortest[j]);
                s->weighted[j] = duet_min((int64_t)product, s->weighted[j]);
            }
        }
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            s->before[j] |= duet_task_bit(model->before[at]);
            s->behind[model->before[at]] |= duet_task_bit(j);
        }
    }
}

// Weights of the types: any are valid, those of the area are the best. They leave room for the sums
// of weighted work.
static void weigh_types(duet_start_search *s)
{
    const duet_graph_search_model *model = s->model;
    double most = 0;
    for (size_t t = 0; t < model->types; t++) {
        most = duet_max(model->weight[t], most);
    }
    duet_int128 longest = 1;
    for (int32_t j = 0; j < model->tasks; j++) {
        for (size_t t = 0; t < model->types; t++) {
            if (duet_graph_search_model_allows(model, j, t)) {
                longest += duet_graph_search_model_time(model, j, t);
            }
        }
    }
    duet_int128 room = INT64_MAX / longest;
    double scale = room < DUET_STARTS_WEIGHT ? (double)room : DUET_STARTS_WEIGHT;
    for (size_t t = 0; t < model->types; t++) {
        s->weight[t] = (int64_t)(scale * model->weight[t] / most);
    }
}

// Times behind tasks, spread evenly over those that there are.
static void choose_thresholds(duet_start_search *s)
{
    const duet_graph_search_model *model = s->model;
    int64_t sorted[DUET_BRANCH_STARTS_TASKS];
    for (int32_t j = 0; j < model->tasks; j++) {
        int32_t at = j;
        for (; at > 0 && sorted[at - 1] > s->tail[j]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = s->tail[j];
    }
    for (size_t i = 0; i < DUET_STARTS_THRESHOLDS && model->tasks > 0; i++) {
        int64_t value = sorted[i * (size_t)model->tasks / DUET_STARTS_THRESHOLDS];
        if (s->thresholds == 0 || value > s->threshold[s->thresholds - 1]) {
            s->threshold[s->thresholds++] = value;
        }
    }
}

static void sort_topologically(duet_start_search *s)
{
    uint64_t sorted = 0;
    for (int32_t count = 0; count < s->model->tasks;) {
        for (int32_t j = 0; j < s->model->tasks; j++) {
            if ((sorted & duet_task_bit(j)) == 0 && (s->before[j] & ~sorted) == 0) {
                s->order[count++] = j;
                sorted |= duet_task_bit(j);
            }
        }
    }
}

duet_code duet_start_search_describe(duet_start_search *s, bool *none, duet_error *error)
{
    duet_code code = narrow(s, none, error);
    if (code != DUET_OK || *none) {
        return code;
    }
    weigh_types(s);
    describe_tasks(s);
    find_twins(s);
    sort_topologically(s);
    choose_thresholds(s);
    return DUET_OK;
}
