// SPDX-License-Identifier: Apache-2.0
// The learning search of small sets and graphs of moldable tasks; see learning.h.
// Method:    each number of processors of a cluster that makes some task shorter than fewer do is a
//            type of its own (solvers/graph/learn/learn.h). What it finds are starts and types: in
//            the order of the starts each task takes the first processors that are idle, of which
//            there are enough.
// Guarantee: the optimum where it ends; more processors that make no task shorter are no use.
// Cost:      exponential.
// Memory:    that of the search.
// Reference: see the search.
#include "solvers/moldable/learning.h"

#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/moldable/as_types.h"

enum { PRICE = 1000 };

// --- sizes as types ------------------------------------------------------------------------------

// The time of a kind on `size` processors, if fewer take longer; else DUET_FORBIDDEN.
static int64_t useful_time(const duet_instance *instance, size_t kind, size_t type, int64_t size)
{
    if (size > duet_moldable_sizes(instance, kind, type)) {
        return DUET_FORBIDDEN;
    }
    int64_t time = duet_moldable_time(instance, kind, type, size);
    bool shorter = time != DUET_FORBIDDEN;
    for (int64_t p = 1; p < size && shorter; p++) {
        int64_t other = duet_moldable_time(instance, kind, type, p);
        shorter = other == DUET_FORBIDDEN || other > time;
    }
    return shorter ? time : DUET_FORBIDDEN;
}

static bool is_useful(const duet_instance *instance, size_t type, int64_t size)
{
    bool useful = false;
    for (size_t i = 0; i < instance->kinds && !useful; i++) {
        useful = useful_time(instance, i, type, size) != DUET_FORBIDDEN;
    }
    return useful;
}

// Lists the sizes. How many; 0: too many.
static size_t list_sizes(const duet_instance *instance, duet_learn_sizes *sizes)
{
    size_t count = 0;
    sizes->clusters = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t most = instance->processors[t];
        sizes->processors[t] = most;
        sizes->price[t] = PRICE;
        if (most > DUET_MOLDABLE_LEARN_PROCESSORS) {
            return 0;
        }
        for (int64_t p = 1; p <= most; p++) {
            if (!is_useful(instance, t, p)) {
                continue;
            }
            if (count == DUET_MAX_TYPES) {
                return 0;
            }
            sizes->base[count] = (int32_t)t;
            sizes->size[count++] = p;
        }
    }
    return count;
}

// What area costs on each cluster, as the bound of the moldable tasks has it.
static void take_prices(duet_learn_sizes *sizes, const duet_solution *solution)
{
    const duet_certificate *certificate = &solution->certificate;
    int64_t most = 0;
    bool priced = certificate->proof == DUET_PROOF_MOLDABLE_PRICES ||
                  certificate->proof == DUET_PROOF_MOLDABLE_STEPS;
    for (size_t c = 0; c < sizes->clusters && priced; c++) {
        most = duet_max(certificate->weight[c], most);
    }
    for (size_t c = 0; c < sizes->clusters && most > 0; c++) {
        sizes->price[c] = (int64_t)((duet_int128)certificate->weight[c] * PRICE / most);
    }
}

static duet_code make_instance(duet_moldable_learning *l, const duet_instance *instance,
                               size_t types, duet_error *error)
{
    duet_type platform[DUET_MAX_TYPES];
    char name[DUET_MAX_TYPES][8];
    int64_t *times = duet_alloc_raw(instance->kinds * types, sizeof *times, error);
    DUET_NEED(times);
    for (size_t v = 0; v < types; v++) {
        name[v][0] = (char)('a' + v / 26);
        name[v][1] = (char)('a' + v % 26);
        name[v][2] = '\0';
        platform[v] = (duet_type){name[v], 1};
        for (size_t i = 0; i < instance->kinds; i++) {
            times[i * types + v] =
                useful_time(instance, i, (size_t)l->sizes.base[v], l->sizes.size[v]);
        }
    }
    duet_code code = duet_moldable_as_types(instance, types, platform, times, &l->instance, error);
    duet_free(times);
    return code;
}

// --- schedules -----------------------------------------------------------------------------------

// The type of a task that takes no longer with no more processors.
static int32_t find_type(const duet_moldable_learning *l, size_t kind, int32_t cluster,
                         int64_t size)
{
    int32_t found = -1;
    for (size_t v = 0; v < l->instance->types; v++) {
        if (l->sizes.base[v] == cluster && l->sizes.size[v] <= size &&
            duet_allowed(l->instance, kind, v)) {
            found = (int32_t)v;
        }
    }
    DUET_ASSERT(found >= 0);
    return found;
}

static int64_t end_of(const duet_moldable_learning *l, int64_t task)
{
    const duet_placement *placed = &l->best->placement[task];
    size_t kind = duet_instance_kind_of(l->instance, task);
    return placed->start + duet_time(l->instance, kind, (size_t)placed->type);
}

static void take_schedule(duet_moldable_learning *l, const duet_solution *solution)
{
    int64_t makespan = 0;
    for (int64_t j = 0; j < solution->tasks; j++) {
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        size_t kind = duet_instance_kind_of(l->instance, j);
        int32_t type = find_type(l, kind, set.range[0].type, duet_set_size(set));
        l->best->placement[j] = (duet_placement){solution->placement[j].start, 0, type};
        makespan = duet_max(end_of(l, j), makespan);
    }
    l->best->makespan = makespan;
}

// The tasks by start, then by end.
static void sort_tasks(const duet_moldable_learning *l, int32_t *order)
{
    for (int32_t j = 0; j < (int32_t)l->best->tasks; j++) {
        int32_t at = j;
        for (; at > 0; at--) {
            int32_t other = order[at - 1];
            int64_t start = l->best->placement[other].start;
            int64_t own = l->best->placement[j].start;
            if (start < own || (start == own && end_of(l, other) <= end_of(l, j))) {
                break;
            }
            order[at] = other;
        }
        order[at] = j;
    }
}

// The first idle processors of the task's cluster.
static duet_code place_task(const duet_moldable_learning *l, int64_t *idle_from, int32_t task,
                            duet_solution *made, duet_error *error)
{
    const duet_placement *placed = &l->best->placement[task];
    int32_t cluster = l->sizes.base[placed->type];
    duet_processor_range range[DUET_MOLDABLE_LEARN_PROCESSORS];
    size_t count = 0;
    int64_t *idle = idle_from + (size_t)cluster * DUET_MOLDABLE_LEARN_PROCESSORS;
    for (int32_t p = 0; p < l->sizes.processors[cluster]; p++) {
        if (idle[p] <= placed->start && (int64_t)count < l->sizes.size[placed->type]) {
            range[count++] = (duet_processor_range){cluster, p, p};
            idle[p] = end_of(l, task);
        }
    }
    DUET_ASSERT((int64_t)count == l->sizes.size[placed->type]);
    return duet_solution_place_set(made, task, placed->start, (duet_processor_set){range, count},
                                   error);
}

static duet_code give_schedule(const duet_moldable_learning *l, duet_solution *solution,
                               duet_error *error)
{
    size_t tasks = (size_t)solution->tasks;
    duet_solution *made = NULL;
    int32_t *order = duet_alloc_raw(tasks, sizeof *order, error);
    int64_t *idle =
        duet_alloc(l->sizes.clusters * DUET_MOLDABLE_LEARN_PROCESSORS, sizeof *idle, error);
    duet_code code = order == NULL || idle == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code, duet_solution_create_blank(solution->tasks, &made, error));
    DUET_THEN(code, duet_solution_hold_sets(made, error));
    if (code == DUET_OK) {
        sort_tasks(l, order);
    }
    for (size_t i = 0; i < tasks && code == DUET_OK; i++) {
        code = place_task(l, idle, order[i], made, error);
    }
    if (code == DUET_OK) {
        made->makespan = l->best->makespan;
        duet_solution_swap_schedules(solution, made);
    }
    duet_solution_free(made);
    duet_free(order);
    duet_free(idle);
    return code;
}

// --- turns ---------------------------------------------------------------------------------------

static duet_code begin(duet_moldable_learning *l, const duet_instance *instance,
                       const duet_context *context, const duet_solution *solution,
                       duet_error *error)
{
    size_t types = duet_tasks(instance) <= DUET_MOLDABLE_LEARN_TASKS && !instance->mixed_sets
                       ? list_sizes(instance, &l->sizes)
                       : 0;
    if (types == 0) {
        return DUET_OK;
    }
    duet_code code = make_instance(l, instance, types, error);
    if (code == DUET_E_UNSUPPORTED) {
        return DUET_OK;
    }
    take_prices(&l->sizes, solution);
    DUET_THEN(code, duet_solution_create_blank(solution->tasks, &l->best, error));
    DUET_THEN(code, duet_solution_hold_placements(l->best, error));
    if (code == DUET_OK) {
        take_schedule(l, solution);
        code = duet_learn_create_sizes(l->instance, &l->sizes, context, l->best, &l->search, error);
    }
    return code;
}

duet_code duet_moldable_learning_turn(duet_moldable_learning *learning,
                                      const duet_instance *instance, const duet_context *context,
                                      int64_t work, duet_solution *solution, duet_error *error)
{
    duet_moldable_learning *l = learning;
    duet_code code = DUET_OK;
    if (l->over) {
        return DUET_OK;
    }
    if (l->search == NULL) {
        code = begin(l, instance, context, solution, error);
        l->over = l->search == NULL;
    } else if (solution->makespan < l->best->makespan) {
        take_schedule(l, solution);
    }
    if (code == DUET_OK && !l->over) {
        code = duet_learn_run(l->search, solution->lower_bound, work, l->best, error);
        l->over = code != DUET_OK || duet_learn_is_proven(l->search);
    }
    if (l->best != NULL && l->best->makespan < solution->makespan) {
        DUET_THEN(code, give_schedule(l, solution, error));
    }
    if (code == DUET_OK && l->search != NULL && duet_learn_is_proven(l->search)) {
        duet_solution_offer_bound(
            solution, &(const duet_bound){.name = "exact", .value = solution->makespan});
    }
    return code;
}

void duet_moldable_learning_free(duet_moldable_learning *learning)
{
    duet_learn_free(learning->search);
    duet_solution_free(learning->best);
    duet_instance_free(learning->instance);
    *learning = (duet_moldable_learning){.over = false};
}
