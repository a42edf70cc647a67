// SPDX-License-Identifier: Apache-2.0
// Scenarios of searches that whole solves of a test's size do not come to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "heuristics/improve/annealing/annealing_state.h"
#include "heuristics/packing/packing.h"
#include "lp/lp.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "solvers/graph/ideals/ideals.h"
#include "solvers/graph/lift.h"

#include "core/system/try.h"
#include "tests/faults/stage.h"

// The tree on types, which whole searches of a test's size do not come to.
static duet_code search_modes(const stage *on, const bool area[2], duet_error *error)
{
    duet_context context;
    duet_classes classes;
    duet_code code = duet_context_init(&context, NULL, error);
    context.memory_limit = (size_t)256 << 20;
    assert_int_equal(code, DUET_OK);
    DUET_TRY(duet_classes_create(on->instance, on->guess, &classes, error));
    duet_random random;
    duet_random_seed(&random, 1);
    duet_column_store store = {.columns = 0};
    duet_log log = {.out.text = NULL};
    duet_loads loads = {.loads = 0};
    duet_search_stats counts = {.nodes = 0};
    duet_tree_stats stats = {0, 0, 0, false};
    duet_residual state = {.left = NULL};
    duet_search search = {
        .classes = &classes,
        .state = &state,
        .divisible = {area[0], area[1]},
        .pooled = {true, true},
        .context = &context,
        .random = &random,
        .store = &store,
        .limits = {.nodes = 3, .patterns = 50, .pack_effort = 1, .complete = true, .pool = 10000},
        .log = &log,
        .loads = &loads,
        .stats = &counts};
    duet_log_start(&log, &classes, 1 << 24);
    code = duet_residual_create(&classes, &state, error);
    DUET_THEN(code, duet_branch_and_price(&search, 40, &stats, error));
    assert_true(code != DUET_OK || stats.nodes > 1);
    assert_true(code != DUET_OK || (stats.pooled > 0) == (area[0] != area[1]));
    duet_log_free(&log);
    duet_loads_free(&loads);
    duet_column_store_free(&store);
    duet_residual_free(&state);
    duet_classes_free(&classes);
    return code;
}

duet_code stage_search_types(const stage *on, duet_error *error)
{
    static const bool area[2] = {false, false};
    return search_modes(on, area, error);
}

// The same where one type has patterns: on lists of them.
duet_code stage_search_lists(const stage *on, duet_error *error)
{
    static const bool area[2] = {false, true};
    return search_modes(on, area, error);
}

// A run of cyclic exchanges, whose turn comes after many single moves.
duet_code stage_exchange_in_cycles(const stage *on, duet_error *error)
{
    enum { many = 1 << 20, moves = 200000 };
    duet_context context;
    duet_annealer *annealer = NULL;
    duet_annealed annealed;
    assert_int_equal(duet_context_init(&context, NULL, error), DUET_OK);
    context.memory_limit = (size_t)256 << 20;
    duet_code code = duet_annealer_create(on->instance, &context, &annealer, error);
    if (code == DUET_OK) {
        annealer->spent = many;
        code = duet_annealer_run(annealer, &context, 0, moves, on->solution, &annealed, error);
        // Lack of memory forbids them.
        assert_true(code != DUET_OK || !annealer->cycles_allowed || annealer->spent_on_cycles > 0);
    }
    duet_annealer_free(annealer);
    return code;
}

// The bound that a search over ideals proves: where memory ends it is not half there.
duet_code stage_certify_ideals(const stage *on, duet_error *error)
{
    duet_context context;
    duet_ideals *ideals = NULL;
    duet_solution *own = NULL;
    duet_bound bound = {.value = 0};
    assert_int_equal(duet_context_init(&context, NULL, error), DUET_OK);
    context.memory_limit = (size_t)256 << 20;
    duet_code code = duet_solve(on->instance, "heft", NULL, &own, error);
    DUET_THEN(code, duet_ideals_create(on->instance, &context, own->makespan, &ideals, error));
    while (code == DUET_OK && !duet_ideals_is_proven(ideals)) {
        code = duet_ideals_run(ideals, INT64_MAX / 2, own, error);
    }
    DUET_THEN(code, duet_ideals_certify(ideals, "exact", &bound, error));
    assert_true(code == DUET_OK || (bound.value == 0 && bound.certificate.lines == NULL));
    duet_bound_release(&bound);
    duet_ideals_free(ideals);
    duet_solution_free(own);
    return code;
}

// Guesses below a schedule: where memory ends the bound and the schedule are as far as they came.
duet_code stage_lift(const stage *on, duet_error *error)
{
    enum { part = 200, allowed = 1000 };
    duet_context context;
    duet_solution *own = NULL;
    duet_lift lift = {.allowance = allowed};
    assert_int_equal(duet_context_init(&context, NULL, error), DUET_OK);
    context.memory_limit = (size_t)256 << 20;
    duet_code code = duet_solve(on->instance, "quickest", NULL, &own, error);
    DUET_THEN(code, duet_solution_hold_placements(own, error));
    if (code != DUET_OK) {
        duet_solution_free(own);
        return code;
    }
    duet_certificate_release(&own->certificate);
    own->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    own->lower_bound = 0;
    while (!lift.over && own->lower_bound < own->makespan - 1) { // the next one is not asked
        duet_lift_run(&lift, on->instance, &context, part, own);
    }
    assert_true(own->lower_bound <= on->guess && own->makespan >= on->guess);
    assert_true(!lift.over || lift.search == NULL);
    duet_lift_free(&lift);
    duet_solution_finish(own, on->instance);
    return stage_check_answer(on, DUET_OK, own);
}

// Items of long times, which are filled in ticks and not in units.
duet_code stage_fill(const stage *on, duet_error *error)
{
    enum { items = 40, processors = 8, apart = 7919, effort = 30 };
    (void)on;
    static const int64_t least = INT64_C(1) << 20;
    duet_context context;
    duet_random random;
    duet_packing packing;
    bool fits = false;
    assert_int_equal(duet_context_init(&context, NULL, error), DUET_OK);
    context.memory_limit = (size_t)256 << 20;
    duet_random_seed(&random, 1);
    DUET_TRY(duet_packing_create(items, processors, &packing, error));
    int64_t all = 0;
    for (size_t i = 0; i < items; i++) {
        packing.time[i] = least + (int64_t)i * apart;
        packing.processor[i] = i % processors;
        all += packing.time[i];
    }
    duet_packing_link(&packing);
    duet_code code = duet_packing_fill(&packing, all / processors + least / 4, effort, &random,
                                       &context, &fits, error);
    assert_true(code != DUET_OK || fits);
    duet_packing_free(&packing);
    return code;
}
