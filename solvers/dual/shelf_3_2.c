// SPDX-License-Identifier: Apache-2.0
// Algorithm: shelf-3-2.
// Method:    dual approximation by the shelf relaxation (lp/shelf/shelf.h): divisible tasks, at
//            most one longer than half the guess per processor. Its optimal solution divides at
//            most two tasks. Each pattern of them is rounded so that long tasks still have a
//            processor of their own and at most one short task per type exceeds the room of that
//            type:
//              divided               rounded to
//              A, or B               GPU, last there
//              D                     CPU, last there
//              C                     CPU if x >= 1/2, else GPU
//              two of B, two of C    smaller p to the CPU, the other to the GPU (a B last there)
//              two of D              smaller q to the GPU, the other to the CPU, last there
//              B and C               C to the CPU, B to the GPU, last there
//              C and D               C to the GPU, D to the CPU, last there
//            Then long tasks go one to a processor, short ones each to the least loaded; the task
//            that is last there goes last.
// Guarantee: 3/2 on every instance. The load before the last short task is at most (processors)
//            lambda, or exceeds it by at most lambda/2, and a short task t ends by lambda +
//            lambda/(2 processors) + t (1 - 1/processors). On identical processors the schedule is
//            LPT: 4/3 - 1/(3m).
// Cost:      O(kinds log kinds) and the guesses of bound `shelf`, then one schedule in
//            O(kinds + min(n, runs) log(m + k)).
// Memory:    O(kinds + min(n, runs)).
// Reference: ours; repairs section 4 of Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling
//            independent tasks on multi-cores with GPU accelerators", CCPE 27(6), 2015, and needs
//            no acceleration.
#include "core/system/assert.h"
#include "core/system/try.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "lp/shelf/shelf.h"
#include "solvers/dual/dual.h"
#include "solvers/solvers.h"

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_lpt(types, counts, options, out)) {
        return true;
    }
    *out = (duet_ratio){3, 0, 0, 2};
    return types == 2;
}

typedef struct shelf_3_2 {
    const duet_instance *instance;
    const duet_context *context;
    duet_shelf *shelf;
    duet_shelf_answer answer;
    int64_t lambda; // of the answer
    duet_allocation allocation;
} shelf_3_2;

// Allocates a divided task to a type whole; `last`: it is to run last there.
static void put(shelf_3_2 *state, const duet_shelf_part *part, size_t type, bool last)
{
    size_t from = part->to_cpu ? DUET_GPU : DUET_CPU;
    state->allocation.share[2 * part->kind + from]--;
    state->allocation.share[2 * part->kind + type]++;
    if (last) {
        state->allocation.last[type] = part->kind;
    }
}

// Whether the share x of a divided task on the CPUs is at least one half.
static bool at_least_half(const duet_shelf_answer *answer, const duet_shelf_part *part)
{
    return part->to_cpu ? 2 * answer->fraction.num >= answer->fraction.den
                        : 2 * answer->fraction.num <= answer->fraction.den;
}

static void round_one(shelf_3_2 *state, const duet_shelf_part *part)
{
    if (part->class == DUET_SHELF_C) {
        put(state, part, at_least_half(&state->answer, part) ? DUET_CPU : DUET_GPU, false);
    } else if (part->class == DUET_SHELF_D) {
        put(state, part, DUET_CPU, true);
    } else {
        put(state, part, DUET_GPU, true);
    }
}

// Rounds two divided tasks of one class.
static void round_pair(shelf_3_2 *state, const duet_shelf_part *a, const duet_shelf_part *b)
{
    duet_shelf_class class = a->class;
    size_t by = class == DUET_SHELF_D ? DUET_GPU : DUET_CPU; // where the smaller one goes
    bool swap = duet_time(state->instance, b->kind, by) < duet_time(state->instance, a->kind, by);
    const duet_shelf_part *smaller = swap ? b : a;
    const duet_shelf_part *larger = swap ? a : b;
    put(state, smaller, by, false);
    put(state, larger, by == DUET_CPU ? DUET_GPU : DUET_CPU, class != DUET_SHELF_C);
}

static void round_parts(shelf_3_2 *state)
{
    DUET_ASSERT(state->answer.parts <= 2);
    const duet_shelf_part *part = state->answer.part;
    state->allocation.last[DUET_CPU] = SIZE_MAX;
    state->allocation.last[DUET_GPU] = SIZE_MAX;
    if (state->answer.parts == 1) {
        round_one(state, part);
    } else if (state->answer.parts == 2 && part[0].class == part[1].class) {
        round_pair(state, &part[0], &part[1]);
    } else if (state->answer.parts == 2 && part[0].class == DUET_SHELF_B) {
        put(state, &part[0], DUET_GPU, true);
        put(state, &part[1], DUET_CPU, false);
    } else if (state->answer.parts == 2) {
        put(state, &part[0], DUET_GPU, false);
        put(state, &part[1], DUET_CPU, true);
    }
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    (void)error;
    shelf_3_2 *state = opaque;
    if (state->lambda != lambda) {
        duet_shelf_solve(state->shelf, lambda, &state->answer);
        state->lambda = lambda;
    }
    answer->yes = state->answer.yes;
    answer->certificate = state->answer.certificate;
    return DUET_OK;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    shelf_3_2 *state = opaque;
    duet_shelf_shares(state->shelf, state->allocation.share);
    round_parts(state);
    return duet_schedule_longest_first(state->instance, &state->allocation, solution, error);
}

// The relaxation, and the bound to start from. Both need the order, which goes with them.
static duet_code prepare(shelf_3_2 *state, duet_bound *bound, duet_error *error)
{
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(state->instance, &order, error));
    duet_code code = duet_shelf_create(state->instance, &order, &state->shelf, error);
    DUET_THEN(code, duet_first_bound(state->instance, &order, state->context, bound, error));
    duet_acceleration_order_free(&order);
    return code;
}

// Searches for the smallest YES first, so that the only schedule that is built is the one there.
static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    shelf_3_2 state = {.instance = instance, .context = context};
    duet_bound bound;
    duet_code code = prepare(&state, &bound, error);
    DUET_THEN(code, duet_allocation_create(instance, &state.allocation, error));
    if (code == DUET_OK) {
        duet_shelf_search(state.shelf, context, &bound, &state.answer);
        state.lambda = state.answer.yes ? bound.value : -1;
        duet_dual dual = {"shelf-3-2", &state, guess, build};
        code = duet_dual_run(instance, context, &dual, &bound, solution, error);
    }
    duet_shelf_free(state.shelf);
    duet_allocation_free(&state.allocation);
    return code;
}

const duet_algorithm duet_algorithm_shelf_3_2 = {
    .entry = {.name = "shelf-3-2",
              .summary = "dual approximation: one long task per processor, without an LP solver",
              .guarantee = "3/2",
              .reference = "after Bleuse et al., CCPE 27(6), 2015, section 4"},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
};
