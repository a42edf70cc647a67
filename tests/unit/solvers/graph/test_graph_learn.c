// SPDX-License-Identifier: Apache-2.0
// The learning search of task graphs: against exhaustive optima, with and without data that take
// time, on one to four types, with forbidden types and tasks that take no time; its proofs hold,
// and changed ones prove no more; slices do not change what it does; it takes shorter schedules;
// what it learns is true of schedules within its guess. The search over ideals has the same optima,
// and bounds of lower guesses are none above them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/measure.h"
#include "bench/run/random_instance.h"
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/graph/ideals/ideals.h"
#include "solvers/graph/learn/learn_state.h"
#include "solvers/graph/learning.h"
#include "tests/support/fixtures.h"

static duet_instance *draw(uint64_t seed, int least_tasks, int most_tasks)
{
    duet_random random;
    duet_random_seed(&random, seed);
    size_t types = seed % 4 != 0 ? 1 + seed / 4 % 2 : 1 + seed / 4 % 4;
    duet_graph_shape shape = {.tasks = {.min_tasks = least_tasks,
                                        .max_tasks = types > 2 && most_tasks < 10 ? 6 : most_tasks,
                                        .min_processors = seed % 5 == 0 ? 0 : 1,
                                        .max_processors = types > 2 ? 2 : 3,
                                        .types = types},
                              .cost = seed % 3 == 0   ? 20
                                      : seed % 3 == 1 ? 5
                                                      : 0};
    duet_instance *instance = duet_random_graph(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static void check(const duet_instance *instance, duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution_finish(solution, instance);
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, "graph-learn", seed, error.message);
    }
}

// Whether a changed proof is taken for one of a bound.
static bool is_taken(const duet_instance *instance, const char *text, int64_t bound)
{
    duet_error error = DUET_ERROR_INIT;
    duet_certificate certificate = {.proof = DUET_PROOF_LINES, .lambda = bound};
    assert_int_equal(duet_proof_lines_create(text, strlen(text), &certificate.lines, &error),
                     DUET_OK);
    bool taken = duet_certificate_check(&certificate, instance, NULL, &error) == DUET_OK;
    duet_certificate_release(&certificate);
    return taken;
}

// The same lines do not prove one tick more, whatever digit is another one, or line is left out.
static void check_changed(const duet_instance *instance, const char *lines, int64_t bound,
                          uint64_t seed)
{
    enum { changes = 6, headers = 64 };
    duet_random random;
    duet_random_seed(&random, seed);
    const char *body = strstr(lines, "graph");
    size_t room = strlen(body) + headers;
    char *text = malloc(room);
    assert_non_null(text);
    for (int i = 0; i < changes; i++) {
        int begin = snprintf(text, room, "duet-proof 1\nbound %lld\n", (long long)bound + 1);
        strcpy(text + begin, body);
        char *at = text + begin + duet_random_between(&random, 0, (int64_t)strlen(body) - 1);
        if (i % 2 == 0) {
            at = at[0] >= '0' && at[0] <= '9' ? at : strpbrk(text + begin, "0123456789");
            *at = i == 0 ? *at : (char)('0' + duet_random_between(&random, 0, 9));
        } else {
            char *end = strchr(at, '\n');
            char *next = end[1] == '\0' ? end : strchr(end + 1, '\n');
            memmove(end, next, strlen(next) + 1);
        }
        if (is_taken(instance, text, bound + 1)) {
            fputs(text, stderr);
            duet_fail_instance(instance, "graph-learn", seed, "a changed proof is taken");
        }
    }
    free(text);
}

// The proof holds, and does not prove one tick more.
static void check_proof(const duet_instance *instance, const duet_learn *learn, uint64_t seed)
{
    enum { most = 1 << 24 };
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (!duet_learn_has_proof(learn)) {
        duet_fail_instance(instance, "graph-learn", seed, "no proof");
    }
    assert_int_equal(duet_learn_certify(learn, "learn", most, &bound, &error), DUET_OK);
    if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        fputs(bound.certificate.lines->text, stderr);
        duet_fail_instance(instance, "graph-learn", seed, error.message);
    }
    check_changed(instance, bound.certificate.lines->text, bound.value, seed);
    duet_bound_release(&bound);
}

// Its line proves the optimum, and nothing above it.
static void check_line(const duet_instance *instance, const duet_ideals *ideals, int64_t optimum,
                       uint64_t seed)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_ideals_certify(ideals, "ideals", &bound, &error), DUET_OK);
    const char *text = bound.certificate.lines->text;
    assert_non_null(strstr(text, "\nideals "));
    assert_int_equal(bound.value, optimum);
    if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        fputs(text, stderr);
        duet_fail_instance(instance, "graph-ideals", seed, error.message);
    }
    check_changed(instance, text, optimum, seed);
    duet_bound_release(&bound);
}

// The search over ideals ends with the same optimum, in slices as well.
static void check_ideals(const duet_instance *instance, const duet_context *context,
                         int64_t optimum, uint64_t seed)
{
    enum { slice = 200 };
    duet_error error = DUET_ERROR_INIT;
    duet_ideals *ideals;
    duet_solution *solution = duet_test_solve(instance, "quickest", NULL, NULL);
    assert_int_equal(duet_solution_hold_placements(solution, &error), DUET_OK);
    assert_int_equal(duet_ideals_create(instance, context, solution->makespan, &ideals, &error),
                     DUET_OK);
    assert_non_null(ideals);
    while (!duet_ideals_is_proven(ideals)) {
        int64_t work = seed % 2 == 0 ? slice : INT64_MAX / 2;
        assert_int_equal(duet_ideals_run(ideals, work, solution, &error), DUET_OK);
    }
    if (duet_solution_measure(solution, instance) != optimum) {
        duet_fail_instance(instance, "graph-ideals", seed, "not the optimum");
    }
    check(instance, solution, seed);
    if (optimum > 0) {
        check_line(instance, ideals, optimum, seed);
    }
    duet_solution_free(solution);
    duet_ideals_free(ideals);
}

static void truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 1000);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        duet_instance *instance = draw(seed, 5, seed % 16 == 1 ? 9 : 7);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_solution *solution = duet_test_solve(instance, "quickest", NULL, NULL);
        duet_error error = DUET_ERROR_INIT;
        duet_learn *learn;
        assert_int_equal(duet_learn_create(instance, &context, solution, &learn, &error), DUET_OK);
        assert_non_null(learn);
        assert_int_equal(duet_learn_run(learn, 0, INT64_MAX / 2, solution, &error), DUET_OK);
        if (!duet_learn_is_proven(learn) || duet_solution_measure(solution, instance) != optimum) {
            duet_fail_instance(instance, "graph-learn", seed, "not the optimum");
        }
        check(instance, solution, seed);
        if (optimum > 0) {
            check_proof(instance, learn, seed);
        }
        check_ideals(instance, &context, optimum, seed);
        duet_learn_free(learn);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// Few operations prove nothing wrong, and what is found is a schedule no longer than before. In
// slices or at once the same is found.
static void slices(void **state)
{
    (void)state;
    enum { operations = 200000, parts = 10 };
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        duet_instance *instance = draw(seed, 30, 60);
        int64_t makespan[2];
        int64_t conflicts[2];
        for (int run = 0; run < 2; run++) {
            duet_solution *solution = duet_test_solve(instance, "quickest", NULL, NULL);
            int64_t before = duet_solution_makespan(solution);
            duet_error error = DUET_ERROR_INIT;
            duet_learn *learn;
            assert_int_equal(duet_learn_create(instance, &context, solution, &learn, &error),
                             DUET_OK);
            while (duet_learn_work(learn) < operations && !duet_learn_is_proven(learn)) {
                int64_t end = run == 0 ? operations : duet_learn_work(learn) + operations / parts;
                int64_t work = duet_min(end, operations) - duet_learn_work(learn);
                assert_int_equal(duet_learn_run(learn, 0, work, solution, &error), DUET_OK);
            }
            check(instance, solution, seed);
            assert_true(duet_solution_makespan(solution) <= before);
            makespan[run] = duet_solution_makespan(solution);
            conflicts[run] = duet_learn_conflicts(learn);
            duet_learn_free(learn);
            duet_solution_free(solution);
        }
        assert_int_equal(makespan[0], makespan[1]);
        assert_int_equal(conflicts[0], conflicts[1]);
        duet_instance_free(instance);
    }
}

// A shorter schedule from elsewhere is taken: with the optimum nothing is found, and it is proven.
static void offered(void **state)
{
    (void)state;
    enum { little = 50 };
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 100);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = draw(seed, 5, 7);
        duet_solution *first = duet_test_solve(instance, "quickest", NULL, NULL);
        duet_solution *best = duet_test_solve(instance, "exact", NULL, NULL);
        int64_t optimum = duet_solution_makespan(best);
        duet_error error = DUET_ERROR_INIT;
        duet_learn *learn;
        assert_int_equal(duet_learn_create(instance, &context, first, &learn, &error), DUET_OK);
        assert_int_equal(duet_learn_run(learn, 0, little, first, &error), DUET_OK);
        assert_int_equal(duet_learn_run(learn, 0, INT64_MAX / 2, best, &error), DUET_OK);
        if (!duet_learn_is_proven(learn) || duet_solution_measure(best, instance) != optimum) {
            duet_fail_instance(instance, "graph-learn", seed, "not the optimum");
        }
        duet_learn_free(learn);
        duet_solution_free(first);
        duet_solution_free(best);
        duet_instance_free(instance);
    }
}

// Shorter lengths from elsewhere where a schedule's tasks are one too many for their processors:
// nothing is proven while they are longer than the optimum.
static void offered_in_crowds(void **state)
{
    (void)state;
    enum { most_slices = 3000 };
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 60);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = draw(seed, 8, 12);
        duet_solution *best = duet_test_solve(instance, "exact", NULL, NULL);
        duet_solution *given = duet_test_solve(instance, "quickest", NULL, NULL);
        duet_error error = DUET_ERROR_INIT;
        given->makespan = 2 * duet_solution_makespan(given);
        duet_learn *learn;
        assert_int_equal(duet_learn_create(instance, &context, given, &learn, &error), DUET_OK);
        for (int slice = 0; slice < most_slices; slice++) {
            given->makespan = learn->best.makespan - (learn->is_crowded ? 1 : 0);
            if (given->makespan <= duet_solution_makespan(best)) {
                break;
            }
            assert_int_equal(duet_learn_run(learn, 0, 1, given, &error), DUET_OK);
            if (duet_learn_is_proven(learn) &&
                learn->best.makespan > duet_solution_makespan(best)) {
                duet_fail_instance(instance, "graph-learn", seed,
                                   "more than the optimum is proven");
            }
        }
        duet_learn_free(learn);
        duet_solution_free(given);
        duet_solution_free(best);
        duet_instance_free(instance);
    }
}

// --- lower guesses -------------------------------------------------------------------------------

static void check_lift(const duet_instance *instance, const duet_lift *lift, uint64_t seed)
{
    enum { most = 1 << 24 };
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (!duet_lift_has_proof(lift, lift->lower)) {
        duet_fail_instance(instance, "graph-lift", seed, "no proof");
    }
    assert_int_equal(duet_learn_certify(lift->refuted, "lift", most, &bound, &error), DUET_OK);
    assert_int_equal(bound.value, lift->lower);
    if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, "graph-lift", seed, error.message);
    }
    duet_bound_release(&bound);
}

// A schedule without a bound.
static duet_solution *begin_lift(const duet_instance *instance)
{
    duet_solution *solution = duet_test_solve(instance, "quickest", NULL, NULL);
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solution_hold_placements(solution, &error), DUET_OK);
    solution->lower_bound = 0;
    duet_certificate_release(&solution->certificate);
    solution->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    return solution;
}

// Bound and schedule meet but for one tick, however little each guess is allowed at first.
static void lift_one(uint64_t seed, const duet_context *context)
{
    enum { little = 40 };
    duet_instance *instance = draw(seed, 5, 7);
    int64_t optimum = duet_exhaustive_optimum(instance);
    duet_solution *solution = begin_lift(instance);
    duet_lift lift = {.allowance = seed % 2 == 0 ? little : 0};
    while (solution->lower_bound < solution->makespan - 1) {
        duet_lift_run(&lift, instance, context, little, solution);
        assert_false(lift.over);
    }
    if (solution->lower_bound > optimum || solution->makespan < optimum) {
        duet_fail_instance(instance, "graph-lift", seed, "not about the optimum");
    }
    check(instance, solution, seed);
    if (lift.lower > 0) {
        check_lift(instance, &lift, seed);
    }
    duet_lift_free(&lift);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void lifted(void **state)
{
    (void)state;
    enum { SHORT = 701356 }; // a graph whose first guess is 0, which is allowed too little
    uint64_t first = duet_test_seed();
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 300);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    lift_one(SHORT, &context);
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        lift_one(seed, &context);
    }
}

// A search that finds a shorter schedule and proves it the optimum keeps that proof.
static void met(void **state)
{
    (void)state;
    enum { work = 100000000 };
    int64_t graphs = duet_test_number("DUET_TEST_INSTANCES", 200);
    int64_t longer = 0;
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = 1; seed <= (uint64_t)graphs; seed++) {
        duet_instance *instance = draw(seed, 5, 7);
        duet_solution *solution = begin_lift(instance);
        duet_lift lift = {.allowance = work};
        solution->lower_bound = duet_exhaustive_optimum(instance);
        if (solution->lower_bound <= solution->makespan - 2) {
            longer++;
            duet_lift_run(&lift, instance, &context, work, solution);
            if (solution->makespan != solution->lower_bound || lift.lower != solution->makespan) {
                duet_fail_instance(instance, "graph-lift", seed, "the proof is lost");
            }
            check(instance, solution, seed);
            check_lift(instance, &lift, seed);
        }
        duet_lift_free(&lift);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(longer > graphs / 10);
}

// A bound without lines is not claimed if a proof is asked for.
static void asked_for(void **state)
{
    (void)state;
    enum { work = 100000000 };
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_instance *instance = draw(1, 5, 7);
    duet_error error = DUET_ERROR_INIT;
    for (int asked = 0; asked < 2; asked++) {
        duet_solution *solution = duet_test_solve(instance, "exact", NULL, NULL);
        duet_learning learning = {.lift = {.allowance = work}};
        assert_int_equal(duet_learning_take(&learning, solution, &error), DUET_OK);
        int64_t before = learning.own->lower_bound = solution->makespan - 2;
        duet_lift_run(&learning.lift, instance, &context, work, learning.own);
        assert_true(learning.lift.lower > before);
        solution->lower_bound = before;
        learning.lift.refuted->engine.explains = false; // as if its lines were too many
        duet_learning_give(&learning, solution, asked != 0);
        assert_int_equal(solution->lower_bound, asked != 0 ? before : learning.lift.lower);
        duet_learning_free(&learning);
        duet_solution_free(solution);
    }
    duet_instance_free(instance);
}

// --- what is learned -----------------------------------------------------------------------------

// Of tasks that are alike, the one with the smaller number starts first: their places are
// exchanged.
static void sort_twins(const duet_learn *s, duet_placement *place)
{
    for (int32_t i = 0; i < s->tasks; i++) {
        for (int32_t j = s->tasks - 1; j >= 0; j--) {
            int32_t k = s->twin[j];
            if (k >= 0 && place[k].start > place[j].start) {
                duet_placement other = place[k];
                place[k] = place[j];
                place[j] = other;
            }
        }
    }
}

// Processors of a type are numbered in the order of their first tasks.
static void number_processors(const duet_learn *s, duet_placement *place)
{
    enum { most = 64 };
    int32_t number[DUET_MAX_TYPES][most];
    int32_t used[DUET_MAX_TYPES] = {0};
    memset(number, -1, sizeof number);
    for (int32_t i = 0; i < s->tasks; i++) {
        duet_placement *at = &place[s->order[i]];
        assert_in_range(at->processor, 0, most - 1);
        int32_t *to = &number[at->type][at->processor];
        *to = *to < 0 ? used[at->type]++ : *to;
        at->processor = *to;
    }
}

// What a variable is in a schedule.
static int64_t value_of(const duet_learn *s, const duet_placement *place, int32_t variable)
{
    const duet_learn_meaning *says = &s->meaning[variable];
    const duet_placement *a = &place[says->a];
    const duet_graph *graph = s->instance->graph;
    switch (says->subject) {
    case DUET_LEARN_SAYS_START:
        return a->start;
    case DUET_LEARN_SAYS_END:
        return a->start + duet_learn_time(s, says->a, (size_t)a->type);
    case DUET_LEARN_SAYS_ON:
        return a->type == says->b;
    case DUET_LEARN_SAYS_AT:
        return s->begin[a->type] + a->processor == says->b;
    case DUET_LEARN_SAYS_ORDER:
        return a->start + duet_learn_time(s, says->a, (size_t)a->type) <= place[says->b].start;
    case DUET_LEARN_SAYS_SAME: {
        const duet_placement *tail = &place[graph->tail[says->a]];
        const duet_placement *head = &place[graph->head[says->a]];
        return tail->type == head->type && tail->processor == head->processor;
    }
    default:
        return 1;
    }
}

static bool is_true(const duet_learn *s, const duet_placement *place, duet_learn_literal a)
{
    int64_t value = value_of(s, place, a.side / 2);
    return (a.side % 2 == 0 ? value : -value) >= a.value;
}

// All clauses, those of the model and those that were learned, and all that holds everywhere are
// true of a schedule within the guess. Returns how many were learned.
static int64_t check_facts(const duet_learn *s, const duet_placement *place, uint64_t seed)
{
    const duet_learn_engine *e = &s->engine;
    int64_t learned = 0;
    for (size_t c = 0; c < e->clauses; c++) {
        bool holds = false;
        for (int32_t i = 0; i < e->clause[c].count; i++) {
            holds = holds || is_true(s, place, e->literals.literal[e->clause[c].at + (size_t)i]);
        }
        if (!holds) {
            duet_fail_instance(s->instance, "graph-learn", seed, "a clause is false");
        }
        learned += e->clause[c].levels > 0;
    }
    size_t roots = e->levels > 0 ? e->level_at[0] : e->entries;
    for (size_t i = 0; i < roots; i++) {
        if (!is_true(s, place, (duet_learn_literal){e->trail[i].now, e->trail[i].side})) {
            duet_fail_instance(s->instance, "graph-learn", seed, "a fact is false");
        }
    }
    return learned;
}

// What is learned under a guess is true of a schedule of at most that length, once its processors
// and tasks that are alike have their numbers.
static void facts(void **state)
{
    (void)state;
    enum { little = 400, most_slices = 400 };
    uint64_t graphs = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 150);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    int64_t checked = 0;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance = draw(seed, 8, 12);
        duet_solution *best = duet_test_solve(instance, "exact", NULL, NULL);
        duet_solution *found = duet_test_solve(instance, "quickest", NULL, NULL);
        int64_t optimum = duet_solution_makespan(best);
        duet_error error = DUET_ERROR_INIT;
        duet_learn *learn;
        assert_int_equal(duet_learn_create(instance, &context, found, &learn, &error), DUET_OK);
        assert_int_equal(duet_solution_hold_placements(best, &error), DUET_OK);
        sort_twins(learn, best->placement);
        number_processors(learn, best->placement);
        for (int slice = 0; slice < most_slices && learn->best.makespan > optimum; slice++) {
            checked += check_facts(learn, best->placement, seed);
            assert_int_equal(duet_learn_run(learn, 0, little, found, &error), DUET_OK);
        }
        check_ideals(instance, &context, optimum, seed);
        duet_learn_free(learn);
        duet_solution_free(found);
        duet_solution_free(best);
        duet_instance_free(instance);
    }
    assert_true(graphs < 100 || checked > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth),     cmocka_unit_test(slices),
        cmocka_unit_test(offered),   cmocka_unit_test(offered_in_crowds),
        cmocka_unit_test(lifted),    cmocka_unit_test(met),
        cmocka_unit_test(asked_for), cmocka_unit_test(facts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
