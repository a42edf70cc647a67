// SPDX-License-Identifier: Apache-2.0
// The pieces of `duet bench search`: schedules are checked, one evaluation can be ended, what is
// above a proven ratio is never passed over, threads change nothing, shrinking loses nothing that
// it may not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/search/search.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/registry.h"
#include "tests/support/fixtures.h"

// 3 3 2 2 2 on two CPUs, in other units: LPT takes 7, the optimum is 6.
static duet_search_point graham(int64_t unit)
{
    return (duet_search_point){
        .processors = {2, 0},
        .kinds = 2,
        .kind = {{{3 * unit, 1}, 2, {0}}, {{2 * unit, 1}, 3, {0}}},
    };
}

static duet_search_value judge(const duet_algorithm *algorithm, const duet_search_point *point,
                               duet_fraction at_least)
{
    duet_search_judge judge;
    duet_search_judge_init(&judge, algorithm, NULL, 0);
    return duet_search_judge_point(&judge, point, at_least);
}

static void ratios_are_judged(void **state)
{
    (void)state;
    const duet_algorithm *lpt = duet_find_algorithm("lpt");
    duet_search_point point = graham(20);
    duet_search_value value = judge(lpt, &point, (duet_fraction){0, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_RATIO);
    assert_int_equal(value.makespan, 140);
    assert_int_equal(value.optimum, 120);
    assert_int_equal(judge(lpt, &point, (duet_fraction){7, 6}).outcome, DUET_SEARCH_RATIO);
    assert_int_equal(judge(lpt, &point, (duet_fraction){7001, 6000}).outcome, DUET_SEARCH_LOW);
    duet_search_value low = {.outcome = DUET_SEARCH_LOW};
    duet_search_value equal = {DUET_SEARCH_RATIO, 7, 6};
    duet_search_value exceeded = {DUET_SEARCH_EXCEEDED, 7, 7};
    assert_int_equal(duet_search_compare(&value, &equal), 0);
    assert_int_equal(duet_search_compare(&value, &low), 1);
    assert_int_equal(duet_search_compare(&value, &exceeded), -1);
}

// What LPT does not keep.
static bool claim(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    (void)types;
    (void)counts;
    (void)options;
    *out = (duet_ratio){8, 0, 0, 7};
    return true;
}

static duet_code fail_run(const duet_instance *instance, const duet_context *context,
                          duet_solution *solution, duet_error *error)
{
    (void)instance;
    (void)context;
    (void)solution;
    return duet_error_set(error, DUET_E_INTERNAL, "made to fail");
}

static void what_exceeds_is_told(void **state)
{
    (void)state;
    duet_algorithm boaster = *duet_find_algorithm("lpt");
    boaster.ratio = claim;
    duet_search_point point = graham(1);
    // However high the ratio asked for.
    duet_search_value value = judge(&boaster, &point, (duet_fraction){100, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_EXCEEDED);
    assert_int_equal(value.makespan, 7);
    assert_int_equal(value.optimum, 6);
    duet_algorithm failing = *duet_find_algorithm("lpt");
    failing.run = fail_run;
    assert_int_equal(judge(&failing, &point, (duet_fraction){0, 1}).outcome, DUET_SEARCH_FAULT);
}

static duet_search_settings settings_for(const duet_algorithm *algorithm)
{
    return (duet_search_settings){.algorithm = algorithm,
                                  .space = {.least = {1, 1},
                                            .most = {3, 3},
                                            .least_tasks = 1,
                                            .most_tasks = 8,
                                            .max_time = 50},
                                  .seed = duet_test_seed(),
                                  .evaluations = 20000,
                                  .loss = 5000,
                                  .threads = 1,
                                  .quiet = true};
}

static duet_search_result run(const duet_search_settings *settings)
{
    duet_search_result result;
    duet_error error = DUET_ERROR_INIT;
    if (duet_search_run(settings, NULL, &result, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)settings->seed, error.message);
    }
    assert_true(duet_search_valid(&settings->space, &result.small.point));
    return result;
}

static void exceeded_ratios_end_the_search(void **state)
{
    (void)state;
    duet_algorithm boaster = *duet_find_algorithm("lpt");
    boaster.ratio = claim;
    duet_search_settings settings = settings_for(&boaster);
    duet_search_result result = run(&settings);
    assert_int_equal(result.small.value.outcome, DUET_SEARCH_EXCEEDED);
    assert_true(7 * result.small.value.makespan > 8 * result.small.value.optimum);
    assert_true(duet_search_tasks(&result.small.point) <= duet_search_tasks(&result.found.point));
    // The same with threads, although some restarts of the round are then cut off.
    settings.threads = 3;
    duet_search_result other = run(&settings);
    assert_int_equal(other.found.restart, result.found.restart);
    assert_int_equal(duet_search_compare(&other.small.value, &result.small.value), 0);
    duet_algorithm failing = *duet_find_algorithm("lpt");
    failing.run = fail_run;
    settings.algorithm = &failing;
    result = run(&settings);
    assert_int_equal(result.small.value.outcome, DUET_SEARCH_FAULT);
    assert_non_null(strstr(result.small.fault, "made to fail"));
    assert_int_equal(duet_search_tasks(&result.small.point), 1);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"accel-published", "eft", "shelf-3-2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        duet_search_settings settings = settings_for(duet_find_algorithm(names[i]));
        settings.evaluations = (i == 0 ? 50000 : 10000) / (duet_test_share(5) < 5 ? 5 : 1);
        settings.restarts = i == 2 ? 2 : 0;
        duet_search_result one = run(&settings);
        settings.threads = 4;
        duet_search_result four = run(&settings);
        assert_int_equal(one.evaluations, four.evaluations);
        assert_int_equal(one.restarts, four.restarts);
        assert_int_equal(one.found.restart, four.found.restart);
        assert_int_equal(one.small.point.kinds, four.small.point.kinds);
        assert_memory_equal(one.small.point.kind, four.small.point.kind,
                            one.small.point.kinds * sizeof *one.small.point.kind);
        assert_int_equal(duet_search_compare(&one.small.value, &four.small.value), 0);
    }
}

static void published_ratio_is_refuted(void **state)
{
    (void)state;
    duet_search_settings settings = settings_for(duet_find_algorithm("accel-published"));
    settings.space.accelerated = true;
    duet_search_result result = run(&settings);
    assert_int_equal(result.small.value.outcome, DUET_SEARCH_RATIO);
    assert_true(2 * result.small.value.makespan > 3 * result.small.value.optimum);
    bool confirmed = false;
    assert_int_equal(duet_search_confirm(&settings, NULL, 0, &result.small, &confirmed, NULL),
                     DUET_OK);
    assert_true(confirmed);
    // Shrinking may give up half a percent.
    duet_fraction least = duet_search_ratio(&result.found.value);
    least.num *= 995;
    least.den *= 1000;
    assert_true(duet_fraction_compare(duet_search_ratio(&result.small.value), least) >= 0);
}

// What is claimed wrongly does not pass.
static void confirmation_refuses(void **state)
{
    (void)state;
    duet_search_settings settings = settings_for(duet_find_algorithm("lpt"));
    bool confirmed = true;
    duet_search_find find = {.point = graham(1), .value = {DUET_SEARCH_RATIO, 7, 6}};
    assert_int_equal(duet_search_confirm(&settings, NULL, 0, &find, &confirmed, NULL), DUET_OK);
    assert_true(confirmed);
    find.value.optimum = 5;
    assert_int_equal(duet_search_confirm(&settings, NULL, 0, &find, &confirmed, NULL),
                     DUET_E_INTERNAL);
    find.value = (duet_search_value){DUET_SEARCH_RATIO, 8, 6};
    assert_int_equal(duet_search_confirm(&settings, NULL, 0, &find, &confirmed, NULL),
                     DUET_E_INTERNAL);
}

// LPT, but what ends last begins a tick too early: one shorter than it is.
static duet_code overlap_run(const duet_instance *instance, const duet_context *context,
                             duet_solution *solution, duet_error *error)
{
    duet_code code = duet_find_algorithm("lpt")->run(instance, context, solution, error);
    duet_solution_finish(solution, instance);
    if (code != DUET_OK || solution->placement == NULL) {
        return code;
    }
    for (int64_t j = 0; j < solution->tasks; j++) {
        duet_placement *at = &solution->placement[j];
        size_t kind = duet_instance_kind_of(instance, j);
        if (at->start > 0 &&
            at->start + duet_time(instance, kind, (size_t)at->type) == solution->makespan) {
            at->start--;
        }
    }
    return code;
}

static void overlaps_are_found(void **state)
{
    (void)state;
    duet_algorithm overlapping = *duet_find_algorithm("lpt");
    overlapping.run = overlap_run;
    duet_search_point point = graham(1);
    duet_search_judge judge;
    duet_search_judge_init(&judge, &overlapping, NULL, 0);
    // As short as the optimum, so that the makespan alone says nothing.
    duet_search_value value = duet_search_judge_point(&judge, &point, (duet_fraction){0, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_FAULT);
    assert_int_equal(value.makespan, 6);
    assert_non_null(strstr(judge.fault, "overlap"));
    // What has too low a ratio is looked at now and then.
    int64_t faults = 0;
    for (int i = 0; i < 640; i++) {
        value = duet_search_judge_point(&judge, &point, (duet_fraction){7, 6});
        faults += value.outcome == DUET_SEARCH_FAULT;
    }
    assert_int_equal(faults, 10);
    // And by the whole search, which makes it small.
    duet_search_settings settings = settings_for(&overlapping);
    duet_search_result result = run(&settings);
    assert_int_equal(result.small.value.outcome, DUET_SEARCH_FAULT);
    assert_true(duet_search_tasks(&result.small.point) <= duet_search_tasks(&result.found.point));
    assert_true(result.evaluations < settings.evaluations);
}

// Makes the first task shorter for itself and for the checker, which looks at the same instance.
static duet_code cheat_run(const duet_instance *instance, const duet_context *context,
                           duet_solution *solution, duet_error *error)
{
    ((int64_t *)instance->times)[0] = 1;
    return duet_find_algorithm("lpt")->run(instance, context, solution, error);
}

// 2 2 2 on two CPUs takes 4, and no lower bound says so; with 1 2 2 it takes 3.
static void optima_above_the_makespan_are_faults(void **state)
{
    (void)state;
    duet_algorithm cheating = *duet_find_algorithm("lpt");
    cheating.run = cheat_run;
    duet_search_point point = {
        .processors = {2, 0}, .kinds = 2, .kind = {{{2, 1}, 1, {0}}, {{2, 1}, 2, {0}}}};
    duet_search_judge judge;
    duet_search_judge_init(&judge, &cheating, NULL, 0);
    judge.audits_all = true;
    duet_search_value value = duet_search_judge_point(&judge, &point, (duet_fraction){0, 1});
    assert_int_equal(value.makespan, 3);
    assert_int_equal(value.outcome, DUET_SEARCH_FAULT);
    assert_non_null(strstr(judge.fault, "optimum"));
    duet_search_judge_init(&judge, duet_find_algorithm("lpt"), NULL, 0);
    judge.audits_all = true;
    value = duet_search_judge_point(&judge, &point, (duet_fraction){0, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_RATIO);
    assert_int_equal(value.optimum, 4);
}

// Ends when it is told to and not before, with LPT's schedule and without a word about it.
static duet_code wait_run(const duet_instance *instance, const duet_context *context,
                          duet_solution *solution, duet_error *error)
{
    while (!duet_context_stop(context)) {
    }
    return duet_find_algorithm("lpt")->run(instance, context, solution, error);
}

static void one_evaluation_can_be_ended(void **state)
{
    (void)state;
    duet_algorithm waiting = *duet_find_algorithm("lpt");
    waiting.run = wait_run;
    duet_search_point point = graham(1);
    duet_search_judge judge;
    duet_search_judge_init(&judge, &waiting, NULL, 0);
    duet_search_judge_limit(&judge, duet_clock_ns() + 1000000, NULL);
    duet_search_value value = duet_search_judge_point(&judge, &point, (duet_fraction){0, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_UNKNOWN);
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    duet_search_judge_limit(&judge, INT64_MAX, cancel);
    value = duet_search_judge_point(&judge, &point, (duet_fraction){0, 1});
    assert_int_equal(value.outcome, DUET_SEARCH_UNKNOWN);
    assert_int_equal(judge.unknown, 2);
    duet_cancel_free(cancel);
    // What was cut has no ratio, so that there is nothing to find.
    duet_search_settings settings = settings_for(&waiting);
    settings.seconds = 0.05;
    duet_search_result result;
    assert_int_equal(duet_search_run(&settings, NULL, &result, NULL), DUET_E_LIMIT);
    assert_true(result.evaluations > 0);
    assert_int_equal(result.unknown, result.evaluations);
}

static duet_code give_up_run(const duet_instance *instance, const duet_context *context,
                             duet_solution *solution, duet_error *error)
{
    solution->ratio_void = true;
    return duet_find_algorithm("lpt")->run(instance, context, solution, error);
}

// A ratio that a run does not claim is not exceeded by it.
static void void_ratios_are_not_exceeded(void **state)
{
    (void)state;
    duet_algorithm boaster = *duet_find_algorithm("lpt");
    boaster.ratio = claim;
    duet_search_point point = graham(1);
    assert_int_equal(judge(&boaster, &point, (duet_fraction){0, 1}).outcome, DUET_SEARCH_EXCEEDED);
    boaster.run = give_up_run;
    assert_int_equal(judge(&boaster, &point, (duet_fraction){0, 1}).outcome, DUET_SEARCH_RATIO);
}

static int finish(duet_search_args *args, const duet_cancel *cancel, duet_search_result *result,
                  char **text)
{
    size_t length = 0;
    FILE *stream = open_memstream(text, &length);
    assert_non_null(stream);
    int exit_code = duet_search_finish(args, cancel, result, stream);
    fclose(stream);
    FILE *saved = fopen(args->output, "r");
    assert_non_null(saved);
    fclose(saved);
    remove(args->output);
    return exit_code;
}

// Neither a disagreement nor Ctrl-C during the confirmation loses what was found.
static void what_was_found_is_shown(void **state)
{
    (void)state;
    char path[] = "/tmp/test_bench_search.XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    remove(path);
    duet_search_find find = {.point = graham(1), .value = {DUET_SEARCH_RATIO, 7, 6}};
    duet_search_args args = {.settings = settings_for(duet_find_algorithm("lpt")), .output = path};
    args.settings.seconds = 1;
    // A second remains to the confirmation, however long the search took.
    duet_search_result result = {.found = find, .small = find, .seconds = 5};
    char *text = NULL;
    assert_int_equal(finish(&args, NULL, &result, &text), 0);
    assert_true(result.confirmed);
    assert_non_null(strstr(text, "1.1667"));
    assert_null(strstr(text, "unconfirmed"));
    free(text);
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    assert_int_equal(finish(&args, cancel, &result, &text), 0);
    assert_true(result.interrupted);
    assert_false(result.confirmed);
    assert_non_null(strstr(text, "1.1667"));
    assert_non_null(strstr(text, "unconfirmed"));
    free(text);
    duet_cancel_free(cancel);
    result.small.value.optimum = 5;
    assert_int_equal(finish(&args, NULL, &result, &text), 70);
    assert_non_null(strstr(text, "1.4000"));
    assert_non_null(strstr(text, "unconfirmed"));
    free(text);
}

static bool never(void *opaque)
{
    (void)opaque;
    return false;
}

static void shrinking_makes_small(void **state)
{
    (void)state;
    duet_search_settings settings = settings_for(duet_find_algorithm("lpt"));
    settings.space.least[1] = 0;
    settings.space.max_time = 1000;
    duet_search_judge judge;
    duet_search_judge_init(&judge, settings.algorithm, NULL, 0);
    duet_search_find find = {.point = graham(137)};
    find.value = duet_search_judge_point(&judge, &find.point, (duet_fraction){0, 1});
    duet_search_shrink(&settings.space, &judge, (duet_fraction){0, 1}, never, NULL, &find);
    assert_int_equal(find.value.makespan, 7);
    assert_int_equal(find.value.optimum, 6);
    assert_int_equal(duet_search_tasks(&find.point), 5);
    // A find that turns out to be more than one stays so.
    duet_algorithm boaster = *settings.algorithm;
    boaster.ratio = claim;
    duet_search_judge strict;
    duet_search_judge_init(&strict, &boaster, NULL, 0);
    duet_search_find more = {.point = graham(137), .value = {DUET_SEARCH_RATIO, 7, 6}};
    duet_search_shrink(&settings.space, &strict, (duet_fraction){0, 1}, never, NULL, &more);
    assert_int_equal(more.value.outcome, DUET_SEARCH_EXCEEDED);
    assert_int_equal(more.value.optimum, 6);
    // For a hundredth of the ratio the numbers become round.
    duet_search_find rough = {.point = graham(1)};
    rough.point.kind[0].time[0] = 301;
    rough.point.kind[1].time[0] = 200;
    rough.value = duet_search_judge_point(&judge, &rough.point, (duet_fraction){0, 1});
    duet_fraction before = duet_search_ratio(&rough.value);
    duet_search_shrink(&settings.space, &judge, (duet_fraction){1, 100}, never, NULL, &rough);
    assert_int_equal(rough.value.makespan, 7);
    assert_int_equal(rough.value.optimum, 6);
    before.num *= 99;
    before.den *= 100;
    assert_true(duet_fraction_compare(duet_search_ratio(&rough.value), before) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_judged),
        cmocka_unit_test(what_exceeds_is_told),
        cmocka_unit_test(exceeded_ratios_end_the_search),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(published_ratio_is_refuted),
        cmocka_unit_test(confirmation_refuses),
        cmocka_unit_test(shrinking_makes_small),
        cmocka_unit_test(overlaps_are_found),
        cmocka_unit_test(optima_above_the_makespan_are_faults),
        cmocka_unit_test(one_evaluation_can_be_ended),
        cmocka_unit_test(void_ratios_are_not_exceeded),
        cmocka_unit_test(what_was_found_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
