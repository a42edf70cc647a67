// SPDX-License-Identifier: Apache-2.0
// Algorithm: ilp, the assignment program, any number of processor types.
// Method:    minimise C over whole numbers x[kind][processor] of tasks,
//                sum over processors of x = count of the kind,
//                sum over kinds of time * x <= C   for every processor,
//            by branch and bound over the linear relaxation (GLPK). The search starts from the
//            schedule of earliest finish by decreasing time and from the bounds longest and
//            area-lp. It asks only for schedules that are better than the best so far.
// Exactness: the solver computes in floating point. Every schedule is rebuilt and measured in
//            integers; a bound of the solver is lowered by a millionth before it is claimed. Where
//            that may hide a tick, a depth-first search in integers tries to close the gap. If it
//            gives up, the status stays "bounded".
// Guarantee: 1 where it ends as "optimal"; with a limit, its best schedule and bound.
// Cost:      exponential. Kinds x processors columns, at most 200,000 (DUET_E_LIMIT beyond).
// Memory:    O(tasks + kinds x processors) and the solver's tree.
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27 (2015), section 2.
#include "solvers/ilp/ilp.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/area/lp.h"
#include "solvers/solvers.h"

static const duet_option_spec options_table[] = {
    {.name = "warm",
     .type = DUET_OPTION_BOOLEAN,
     .fallback = "true",
     .choices = "",
     .unit = "",
     .text = "use a greedy schedule and the area bound to start with, and end where they meet"},
    {.name = NULL},
};

static void find_unit(duet_ilp *s)
{
    duet_uint128 unit = 0;
    for (size_t i = 0; i < s->instance->kinds; i++) {
        for (size_t t = 0; t < s->instance->types; t++) {
            if (duet_allowed(s->instance, i, t)) {
                unit = duet_gcd(unit, (duet_uint128)duet_time(s->instance, i, t));
            }
        }
    }
    s->unit = unit > 0 ? (int64_t)unit : 1;
}

static duet_code find_slots(duet_ilp *s, duet_error *error)
{
    for (size_t t = 0; t < s->instance->types; t++) {
        int64_t able = 0;
        for (size_t i = 0; i < s->instance->kinds; i++) {
            able += duet_allowed(s->instance, i, t) ? duet_count(s->instance, i) : 0;
        }
        int64_t processors = s->instance->processors[t];
        int64_t useful = duet_min(processors, able);
        s->first_slot[t + 1] = s->first_slot[t] + (size_t)useful;
    }
    s->slots = s->first_slot[s->instance->types];
    if (s->slots > INT32_MAX) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "ilp: %zu processors, expected at most 2147483647", s->slots);
    }
    return DUET_OK;
}

static duet_code find_order(duet_ilp *s, duet_error *error)
{
    const duet_instance *instance = s->instance;
    s->order = duet_alloc(instance->kinds, sizeof *s->order, error);
    DUET_NEED(s->order);
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t shortest = duet_shortest_time(instance, i);
        s->order[i] = (duet_ordered){(uint64_t)shortest, i};
    }
    return duet_order_by_key(s->order, instance->kinds, error);
}

// A processor in a heap of one type's, least loaded on top.
typedef struct entry {
    int64_t load;
    int32_t slot;
} entry;

static bool less_loaded(const void *none, entry a, entry b)
{
    (void)none;
    return a.load != b.load ? a.load < b.load : a.slot < b.slot;
}

DUET_HEAP(slots, entry, void, less_loaded)

// Assigns a task to the slot where it ends first.
static void assign_earliest(duet_ilp *s, entry *heap, size_t kind, int64_t task)
{
    size_t best = 0;
    int64_t finish = INT64_MAX;
    for (size_t t = 0; t < s->instance->types; t++) {
        if (duet_allowed(s->instance, kind, t)) {
            int64_t end = heap[s->first_slot[t]].load + duet_ilp_units(s, kind, t);
            if (end < finish) {
                finish = end;
                best = t;
            }
        }
    }
    DUET_ASSERT(finish < INT64_MAX); // every kind may run somewhere
    entry *top = &heap[s->first_slot[best]];
    top->load = finish;
    s->slot[task] = top->slot;
    s->best = duet_max(finish, s->best);
    slots_sift_down(NULL, top, s->first_slot[best + 1] - s->first_slot[best], 0);
}

// Tasks by decreasing shortest time, each where it finishes first.
static duet_code greedy(duet_ilp *s, duet_error *error)
{
    entry *heap = duet_alloc(s->slots, sizeof *heap, error);
    DUET_NEED(heap);
    for (size_t i = 0; i < s->slots; i++) {
        heap[i] = (entry){0, (int32_t)i};
    }
    for (size_t i = 0; i < s->instance->kinds; i++) {
        size_t kind = s->order[i].kind;
        for (int64_t j = s->instance->first[kind]; j < s->instance->first[kind + 1]; j++) {
            assign_earliest(s, heap, kind, j);
        }
    }
    duet_free(heap);
    return DUET_OK;
}

// Takes a bound over, rounded up to whole units.
static void take_bound(duet_ilp *s, duet_solution *solution, const duet_bound *bound)
{
    duet_solution_offer_bound(solution, bound);
    int64_t whole = bound->value / s->unit + (bound->value % s->unit != 0);
    s->bound = duet_max(whole, s->bound);
}

static duet_code cheap_bounds(duet_ilp *s, duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    DUET_TRY(duet_longest_bound(s->instance, s->context, &bound, error));
    take_bound(s, solution, &bound);
    duet_error own = DUET_ERROR_INIT;
    duet_code code = duet_area_lp_bound(s->instance, s->context, &bound, &own);
    if (code == DUET_OK) {
        take_bound(s, solution, &bound);
    } else if (code != DUET_E_LIMIT && code != DUET_E_CANCELLED) {
        return duet_error_set(error, code, "%s", own.message);
    }
    return DUET_OK;
}

// Fills the solution: each slot runs its tasks in the order of their numbers, without a gap.
static duet_code fill(const duet_ilp *s, duet_solution *solution, duet_error *error)
{
    int64_t *end = duet_alloc(s->slots, sizeof *end, error);
    DUET_NEED(end);
    for (size_t i = 0; i < s->instance->kinds; i++) {
        for (int64_t j = s->instance->first[i]; j < s->instance->first[i + 1]; j++) {
            size_t slot = (size_t)s->slot[j];
            size_t type = 0;
            while (s->first_slot[type + 1] <= slot) {
                type++;
            }
            solution->placement[j] =
                (duet_placement){.start = end[slot],
                                 .processor = (int32_t)(slot - s->first_slot[type]),
                                 .type = (int32_t)type};
            end[slot] += duet_time(s->instance, i, type);
        }
    }
    duet_free(end);
    duet_bound bound = {.name = "ilp", .value = s->bound * s->unit};
    if (bound.value > solution->lower_bound) {
        duet_solution_offer_bound(solution, &bound);
    }
    solution->interrupted = s->interrupted && !duet_ilp_near(s);
    solution->ratio_void = !duet_ilp_closed(s); // 1 is proven only where the search closed the gap
    duet_solution_count(solution, "nodes", s->nodes);
    duet_solution_count(solution, "columns", s->columns);
    duet_solution_count(solution, "rows", s->rows);
    if (s->integer_nodes > 0) {
        duet_solution_count(solution, "integer nodes", s->integer_nodes);
    }
    return DUET_OK;
}

// Units, slots, order, and what the search starts from: a schedule and, where it is asked for,
// bounds.
static duet_code prepare(duet_ilp *s, duet_solution *solution, duet_error *error)
{
    find_unit(s);
    duet_code code = find_slots(s, error);
    DUET_THEN(code, find_order(s, error));
    DUET_THEN(code, greedy(s, error));
    return code == DUET_OK && s->warm ? cheap_bounds(s, solution, error) : code;
}

static duet_code search(duet_ilp *s, duet_solution *solution, duet_error *error)
{
    DUET_TRY(prepare(s, solution, error));
    if (!duet_ilp_near(s)) {
        duet_ilp_report(s, true);
        DUET_TRY(duet_ilp_branch(s, error));
    }
    if (!duet_ilp_near(s) && !s->interrupted) {
        DUET_TRY(duet_ilp_finish(s, error));
    }
    return fill(s, solution, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_context own = *context;
    duet_cancel *halt = duet_cancel_create();
    own.halt = halt;
    if (halt == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "ilp: out of memory");
    }
    duet_ilp s = {.instance = instance,
                  .context = &own,
                  .halt = halt,
                  .warm = duet_option_boolean(context->options, options_table, "warm")};
    s.slot = duet_alloc((size_t)duet_tasks(instance), sizeof *s.slot, error);
    duet_code code = s.slot == NULL ? DUET_E_MEMORY : search(&s, solution, error);
    duet_free(s.slot);
    duet_free(s.order);
    duet_cancel_free(halt);
    return code;
}

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    (void)types;
    (void)counts;
    (void)options;
    *out = (duet_ratio){.a = 1, .b = 0, .c = 0, .d = 1};
    return true;
}

const duet_algorithm duet_algorithm_ilp = {
    .entry = {.name = "ilp",
              .summary = "the assignment program by branch and bound: optimal where it ends",
              .guarantee = "1",
              .reference = "Bleuse et al., CCPE 27 (2015), section 2",
              .handles = DUET_FEATURE_ANY_TYPES,
              .needs = DUET_NEEDS_GLPK,
              .options = options_table},
    .ratio = ratio,
    .run = run,
    .pace = {.searches = true},
};
