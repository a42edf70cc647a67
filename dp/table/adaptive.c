// SPDX-License-Identifier: Apache-2.0
// The same answer with as little table as the guess needs:
//  1. the linear relaxation: infeasible, or above the capacity of V, is NO, with its multipliers as
//     proof; its solution, with the at most three divided kinds rounded some way or two changes
//     from there, may be a YES;
//  2. reduced costs: most tasks can only be where the relaxation has them;
//  3. a list of the states that the others can reach;
//  4. where that grows too long, the collapsed table over the others, staged: bundles of equal
//     tasks instead of single ones, without the forced tasks, ordered by class so that each stage
//     needs only the axes that it moves along (steps.h).
// All conclusions are drawn in integers. Kinds are never expanded into tasks.
#include "dp/table/adaptive.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/table/bundles.h"
#include "dp/table/steps.h"

typedef struct adaptive {
    const duet_table_problem *problem;
    const duet_context *context;
    unsigned parts;
    duet_table_answer *answer;
} adaptive;

static void say_yes(const adaptive *a, duet_settled_by by, const int64_t *on_r)
{
    a->answer->yes = true;
    a->answer->settled_by = by;
    duet_table_allocate(a->problem, on_r, a->answer);
}

// Whether one of the ways to round the divided kinds meets all constraints.
static bool round_divided(const adaptive *a, duet_relaxation *relaxation)
{
    duet_sums base = duet_sums_of(a->problem, relaxation->on_r);
    for (unsigned choice = 0; choice < 1U << relaxation->divided_count; choice++) {
        duet_sums load = base;
        for (size_t i = 0; i < relaxation->divided_count; i++) {
            if ((choice >> i & 1) != 0) {
                const duet_table_item *item = &a->problem->items[relaxation->divided[i]];
                load = duet_sums_add(load, duet_sums_move(item, 1));
            }
        }
        if (duet_sums_fits(a->problem, &load)) {
            for (size_t i = 0; i < relaxation->divided_count; i++) {
                relaxation->on_r[relaxation->divided[i]] += choice >> i & 1;
            }
            return true;
        }
    }
    return false;
}

// 0 for bundles that move along N alone, then those counted on V, on both, and on R: each stage of
// the table has as few axes as it can.
static int stage_of(const duet_table_item *item)
{
    if (item->c == 0) {
        return item->g == 0 ? 0 : 3;
    }
    return item->g == 0 ? 1 : 2;
}

// The bundles as steps of a table, stage by stage; order[j] is the bundle of step j.
static void fill_steps(const duet_table_problem *problem, const duet_core *core, duet_steps *steps,
                       size_t *order)
{
    duet_sums base = core->base; // without the bundles
    size_t at = 0;
    for (int stage = 0; stage < 4; stage++) {
        for (size_t b = 0; b < core->count; b++) {
            const duet_bundle *bundle = &core->bundles[b];
            const duet_table_item *item = &problem->items[bundle->kind];
            if (stage_of(item) != stage) {
                continue;
            }
            int64_t tasks = bundle->tasks < 0 ? -bundle->tasks : bundle->tasks;
            order[at] = b;
            steps->step[at++] = (duet_step){item->value * tasks,
                                            item->weight * tasks,
                                            item->c * tasks,
                                            item->g * tasks,
                                            true,
                                            true};
            steps->total += item->value * tasks;
            if (bundle->tasks < 0) { // stands on R
                base.units -= item->weight * tasks;
                base.g -= item->g * tasks;
            } else {
                base.work -= item->value * tasks;
                base.c -= item->c * tasks;
            }
        }
    }
    steps->c_cap = problem->c_cap - base.c;
    steps->g_cap = problem->g_cap - base.g;
    steps->cap = problem->cap - base.units;
}

// The staged table over the open part; no steps where the fixed tasks alone exceed a capacity.
typedef struct staged {
    duet_steps steps;
    size_t *order;
    int64_t fixed; // work on V that is not open
    bool hopeless;
} staged;

static void staged_free(staged *table)
{
    duet_steps_free(&table->steps);
    duet_free(table->order);
}

static duet_code staged_create(const duet_table_problem *problem, const duet_core *core,
                               staged *table, duet_error *error)
{
    *table = (staged){.fixed = core->base.work};
    DUET_TRY(duet_steps_create(core->count, &table->steps, error));
    table->order = duet_alloc(core->count, sizeof *table->order, error);
    if (table->order == NULL) {
        staged_free(table);
        return DUET_E_MEMORY;
    }
    for (size_t b = 0; b < core->count; b++) {
        table->fixed += core->bundles[b].tasks > 0 ? core->bundles[b].change.work : 0;
    }
    fill_steps(problem, core, &table->steps, table->order);
    table->hopeless = table->steps.c_cap < 0 || table->steps.g_cap < 0 || table->steps.cap < 0;
    if (!table->hopeless) {
        duet_steps_trim(&table->steps);
    }
    return DUET_OK;
}

static void take_decisions(const staged *table, duet_core *core, const bool *on_r)
{
    for (size_t j = 0; j < table->steps.count; j++) {
        const duet_bundle *bundle = &core->bundles[table->order[j]];
        if (on_r[j] != (bundle->tasks < 0)) { // not where it stands
            core->on_r[bundle->kind] += bundle->tasks;
        }
    }
}

static duet_code staged_solve(const adaptive *a, const staged *table, duet_core *core,
                              duet_error *error)
{
    a->answer->settled_by = DUET_SETTLED_TABLE;
    if (table->hopeless) {
        return DUET_OK;
    }
    bool *on_r = NULL;
    if (a->answer->on_gpu != NULL) {
        on_r = duet_alloc(core->count, sizeof *on_r, error);
        DUET_NEED(on_r);
    }
    duet_steps_result result;
    duet_code code = duet_steps_solve(&table->steps, "adaptive", a->context, on_r, &result, error);
    if (code == DUET_OK) {
        size_t bytes = (size_t)result.bytes;
        a->answer->bytes = duet_max(bytes, a->answer->bytes);
        a->answer->cells += result.cells;
        a->answer->stopped = result.stopped;
        // Allocations with less work than the room are not lost by fixing tasks; others may be.
        a->answer->has_work =
            !result.stopped && result.feasible && result.work <= a->problem->limit - table->fixed;
    }
    if (code == DUET_OK && a->answer->has_work) {
        a->answer->work = result.work + table->fixed;
        if (on_r != NULL) {
            take_decisions(table, core, on_r);
        }
        say_yes(a, DUET_SETTLED_TABLE, core->on_r);
    }
    duet_free(on_r);
    return code;
}

// The list may look at as many states as take the time of the table, or at very many where the
// table does not fit.
static duet_state_list_limits list_limits(const adaptive *a, const staged *table)
{
    static const uint64_t cells_per_visit = 32;
    static const uint64_t few = 1 << 12;
    duet_state_list_limits limits = {.visits = few,
                                     .bytes = duet_table_memory(a->context, UINT64_MAX)};
    if (!table->hopeless) {
        duet_table_size size;
        duet_steps_measure(&table->steps, a->answer->on_gpu != NULL, &size);
        limits.visits = size.cells / cells_per_visit;
        limits.visits = duet_max(limits.visits, few);
        if (size.least > limits.bytes) {
            limits.visits = UINT64_MAX / 2;
        }
    }
    return limits;
}

// Returns with *decided false where the list grew too long.
static duet_code list_solve(const adaptive *a, const staged *table, duet_core *core, bool *decided,
                            duet_error *error)
{
    duet_state_list_limits limits = list_limits(a, table);
    duet_state_list_result result;
    duet_code code = duet_state_list_decide(a->problem, core, a->context, &limits, &result, error);
    a->answer->bytes = result.bytes;
    a->answer->cells += result.visits;
    a->answer->settled_by = DUET_SETTLED_LIST;
    if (code != DUET_OK) {
        return code;
    }
    *decided = result.end != DUET_STATE_LIST_FULL;
    a->answer->stopped = result.end == DUET_STATE_LIST_STOPPED;
    if (result.end == DUET_STATE_LIST_YES) {
        say_yes(a, DUET_SETTLED_LIST, core->on_r);
    }
    return DUET_OK;
}

static duet_code decide_core(const adaptive *a, duet_core *core, duet_error *error)
{
    // In the order of the list, so that both speak of the same bundles.
    duet_core_sort(core);
    staged table;
    duet_code code = staged_create(a->problem, core, &table, error);
    if (code != DUET_OK) {
        return code;
    }
    bool decided = false;
    if ((a->parts & DUET_ADAPTIVE_LIST) != 0) {
        code = list_solve(a, &table, core, &decided, error);
    }
    if (code == DUET_OK && !decided) {
        code = staged_solve(a, &table, core, error);
    }
    staged_free(&table);
    return code;
}

// Prices of nothing: no task is fixed.
static duet_code decide_without_relaxation(const adaptive *a, duet_error *error)
{
    duet_multipliers nothing = {0, 0, 0, 0};
    duet_core core;
    duet_code code = duet_core_create(a->problem, &nothing, 0, NULL, &core, error);
    if (code == DUET_OK) {
        code = decide_core(a, &core, error);
        duet_core_free(&core);
    }
    return code;
}

static duet_code decide_relaxed(const adaptive *a, duet_relaxation *relaxation, duet_error *error)
{
    if (relaxation->no) {
        a->answer->settled_by = DUET_SETTLED_LP;
        a->answer->certificate = relaxation->certificate;
        return DUET_OK;
    }
    if (relaxation->solved && round_divided(a, relaxation)) {
        say_yes(a, DUET_SETTLED_ROUNDING, relaxation->on_r);
        return DUET_OK;
    }
    duet_core core;
    DUET_TRY(duet_core_create(a->problem, &relaxation->prices, relaxation->gap,
                              relaxation->solved ? relaxation->on_r : NULL, &core, error));
    bool found = false;
    duet_code code = duet_repair(a->problem, &core, &found, error);
    if (code == DUET_OK && found) {
        say_yes(a, DUET_SETTLED_ROUNDING, core.on_r);
    } else {
        DUET_THEN(code, decide_core(a, &core, error));
    }
    duet_core_free(&core);
    return code;
}

duet_code duet_adaptive_decide(const duet_table_problem *problem, const duet_context *context,
                               unsigned parts, duet_table_answer *answer, duet_error *error)
{
    adaptive a = {problem, context, parts, answer};
    if ((parts & DUET_ADAPTIVE_LP) == 0) {
        return decide_without_relaxation(&a, error);
    }
    duet_relaxation relaxation;
    duet_code code = duet_relaxation_solve(problem, &relaxation, error);
    if (code == DUET_OK) {
        code = decide_relaxed(&a, &relaxation, error);
        duet_relaxation_free(&relaxation);
    }
    return code;
}
