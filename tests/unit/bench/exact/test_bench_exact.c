// SPDX-License-Identifier: Apache-2.0
// The pieces of `duet bench exact`: the sets, the figures, contradictions, targets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/exact/exact.h"
#include "core/instance/instance.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

static const duet_exact_set *find_set(const char *name)
{
    for (const duet_exact_set *set = duet_exact_sets; set->name != NULL; set++) {
        if (strcmp(set->name, name) == 0) {
            return set;
        }
    }
    fail_msg("no set %s", name);
    return NULL;
}

static duet_exact_plan make_plan(const char *set)
{
    duet_exact_plan plan = {
        .settings = {.set = find_set(set), .algorithm = {"a", "b"}, .algorithm_count = 2}};
    duet_exact_complete(&plan.settings);
    assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
    return plan;
}

static void sets_have_their_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t cases;
        double seconds;
    } expected[] = {{"main", 504, 10},        {"hard", 12, 60},          {"medium", 30, 10},
                    {"tiles", 32, 10},        {"identical", 500, 10},    {"pair", 500, 10},
                    {"small", 5000, 10},      {"mixed-graphs", 200, 10}, {"hopper", 72, 10},
                    {"graphs-small", 120, 20}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        duet_exact_plan plan = make_plan(expected[i].name);
        assert_int_equal(plan.case_count, expected[i].cases);
        assert_int_equal(plan.row_count, 2 * expected[i].cases);
        assert_true(plan.settings.seconds == expected[i].seconds);
        assert_false(plan.settings.narrowed);
        duet_exact_plan_free(&plan);
    }
}

static void choices_narrow_a_set(void **state)
{
    (void)state;
    duet_exact_plan plan = {.settings = {.set = find_set("main"),
                                         .algorithm = {"a"},
                                         .algorithm_count = 1,
                                         .size = {10, 20},
                                         .size_count = 2,
                                         .seeds = 3,
                                         .seconds = 7}};
    duet_exact_complete(&plan.settings);
    assert_true(plan.settings.narrowed);
    assert_true(plan.settings.seconds == 7);
    assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
    assert_int_equal(plan.case_count, 6 * 2 * 6 * 3);
    duet_exact_plan_free(&plan);
}

static void set_real_wants_a_folder(void **state)
{
    (void)state;
    duet_exact_plan plan = {.settings = {.set = find_set("real"), .algorithm_count = 1}};
    duet_error error = DUET_ERROR_INIT;
    duet_exact_complete(&plan.settings);
    assert_int_equal(duet_exact_plan_create(&plan, &error), DUET_E_USAGE);
    duet_exact_plan_free(&plan);
    duet_error_clear(&error);
    plan.settings.data = "/nonexistent";
    assert_int_equal(duet_exact_plan_create(&plan, &error), DUET_E_INPUT);
    duet_exact_plan_free(&plan);
    // The bundled instances have two types; the CSV of kernel times beside them is none.
    plan.settings.data = DUET_SOURCE_DIR "/instances/data";
    duet_error_clear(&error);
    assert_int_equal(duet_exact_plan_create(&plan, &error), DUET_OK);
    assert_true(plan.files.count >= 1);
    assert_int_equal(plan.case_count, 2 * plan.files.count);
    duet_exact_plan_free(&plan);
}

// Of a grid that counts tasks, chol takes the nearest number of tiles.
static void tiles_are_nearest(void **state)
{
    (void)state;
    static const int64_t expected[][2] = {{10, 10},   {20, 20},   {50, 56},   {100, 84},
                                          {200, 220}, {500, 455}, {1000, 969}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        duet_exact_case origin = {DUET_EXACT_FAMILY, "chol", expected[i][0], 2, 1, 1, 0, 0};
        duet_instance *instance;
        assert_int_equal(duet_exact_instance(&origin, &instance, NULL), DUET_OK);
        assert_int_equal(duet_instance_tasks(instance), expected[i][1]);
        duet_instance_free(instance);
    }
}

static void random_sets_keep_their_shape(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        duet_instance *instance;
        duet_exact_case origin = {DUET_EXACT_IDENTICAL, "identical", 0, -1, -1, seed, 0, 0};
        assert_int_equal(duet_exact_instance(&origin, &instance, NULL), DUET_OK);
        int64_t tasks = duet_instance_tasks(instance);
        int64_t m = duet_instance_type_count(instance, 0);
        if (tasks < 10 || tasks > 60 || m < 2 || 2 * m > tasks ||
            duet_instance_type_count(instance, 1) != 0) {
            fail_msg("identical, seed %d", (int)seed);
        }
        duet_instance_free(instance);
        origin = (duet_exact_case){DUET_EXACT_PAIR, "pair", 0, -1, -1, seed, 0, 0};
        assert_int_equal(duet_exact_instance(&origin, &instance, NULL), DUET_OK);
        tasks = duet_instance_tasks(instance);
        if (tasks < 10 || tasks > 60 || duet_instance_type_count(instance, 0) != 1 ||
            duet_instance_type_count(instance, 1) != 1) {
            fail_msg("pair, seed %d", (int)seed);
        }
        duet_instance_free(instance);
    }
}

// Family mixed, within the ranges that its targets speak of.
static void mixed_keeps_its_ranges(void **state)
{
    (void)state;
    duet_exact_plan plan = {
        .settings = {.set = find_set("mixed"), .algorithm_count = 1, .seeds = 40, .types = 3}};
    duet_exact_complete(&plan.settings);
    assert_true(plan.settings.narrowed);
    assert_true(plan.settings.seconds == 5);
    assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
    assert_int_equal(plan.case_count, 40);
    for (size_t i = 0; i < plan.case_count; i++) {
        duet_instance *instance;
        assert_int_equal(duet_exact_instance(&plan.cases[i], &instance, NULL), DUET_OK);
        int64_t tasks = duet_instance_tasks(instance);
        assert_int_equal(duet_instance_types(instance), 3);
        assert_true(tasks >= 10 && tasks <= 500);
        assert_true(duet_instance_type_count(instance, 0) <= 64 &&
                    duet_instance_type_count(instance, 1) <= 8);
        duet_instance_free(instance);
    }
    duet_exact_plan_free(&plan);
}

// The set's seeds are those of the family, which has nothing else to choose from.
static void mixed_graphs_are_the_familys(void **state)
{
    (void)state;
    duet_exact_plan plan = {
        .settings = {.set = find_set("mixed-graphs"), .algorithm_count = 1, .seeds = 3}};
    duet_exact_complete(&plan.settings);
    assert_true(plan.settings.narrowed);
    assert_true(duet_exact_has_edges(plan.settings.set));
    assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
    assert_int_equal(plan.case_count, 3);
    for (size_t i = 0; i < plan.case_count; i++) {
        duet_instance *instance;
        duet_instance *expected;
        assert_int_equal(duet_exact_instance(&plan.cases[i], &instance, NULL), DUET_OK);
        assert_int_equal(duet_test_generate("mixed-graph", 0, -1, -1, i + 1, NULL, &expected, NULL),
                         DUET_OK);
        assert_string_equal(duet_instance_name(instance), duet_instance_name(expected));
        assert_int_equal(duet_instance_edges(instance), duet_instance_edges(expected));
        duet_instance_free(instance);
        duet_instance_free(expected);
    }
    duet_exact_plan_free(&plan);
}

// Platforms and costs come in turn.
static void small_graphs_are_of_their_size(void **state)
{
    (void)state;
    enum { seeds = 12, forms = 6 };
    static const int64_t cpus[] = {2, 4, 8};
    duet_exact_plan plan = {
        .settings = {.set = find_set("graphs-small"), .algorithm_count = 1, .seeds = seeds}};
    duet_exact_complete(&plan.settings);
    assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
    for (size_t i = 0; i < plan.case_count; i++) {
        duet_instance *instance;
        size_t form = (i + 1) % forms;
        assert_int_equal(duet_exact_instance(&plan.cases[i], &instance, NULL), DUET_OK);
        assert_in_range(duet_tasks(instance), 30, 56); // a tiled one is the nearest in size
        assert_int_equal(duet_instance_type_count(instance, 0), cpus[form % 3]);
        assert_int_equal(instance->graph->transfer != NULL, form >= 3);
        duet_instance_free(instance);
    }
    duet_exact_plan_free(&plan);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    duet_file_put(path, text, strlen(text));
}

// A set of files takes those with its number of types, and with a platform where it has none.
static void files_fit_their_set(void **state)
{
    (void)state;
    char folder[] = "/tmp/duet-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_file(folder, "two.txt", "a 1 2\n");
    write_file(folder, "three.txt", "a 1 2 3\n");
    write_file(folder, "unrelated.txt", "1\n4\n5 6 7 8\n");
    write_file(folder, "platform.json",
               "{\"format\": \"duet-instance\", \"version\": 1, \"platform\": [{\"type\": "
               "\"cpu\", \"count\": 2}, {\"type\": \"gpu\", \"count\": 1}], \"tasks\": "
               "[{\"id\": \"a\", \"times\": [4, 1]}]}");
    write_file(folder, "table.csv", "file,tasks\nx,3\n");
    static const struct {
        const char *set;
        size_t files, cases;
    } expected[] = {{"real", 2, 4}, {"unfamiliar", 1, 1}, {"three-types", 1, 2}, {"rcmax", 2, 2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        duet_exact_plan plan = {
            .settings = {.set = find_set(expected[i].set), .algorithm_count = 1, .data = folder}};
        duet_exact_complete(&plan.settings);
        assert_int_equal(duet_exact_plan_create(&plan, NULL), DUET_OK);
        assert_int_equal(plan.files.count, expected[i].files);
        assert_int_equal(plan.case_count, expected[i].cases);
        for (size_t c = 0; c < plan.case_count; c++) {
            duet_instance *instance;
            assert_int_equal(duet_exact_instance(&plan.cases[c], &instance, NULL), DUET_OK);
            assert_true(duet_instance_has_platform(instance));
            duet_instance_free(instance);
        }
        duet_exact_plan_free(&plan);
    }
    static const char *const names[] = {"two.txt", "three.txt", "unrelated.txt", "platform.json",
                                        "table.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void limits_are_those_within(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        duet_exact_limits limits;
    } expected[] = {{60, {{1, 10, 60}, 3}},
                    {10, {{1, 10}, 2}},
                    {5, {{1, 5}, 2}},
                    {0.5, {{0.5}, 1}},
                    {100, {{1, 10, 60, 100}, 4}}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        duet_exact_limits found = duet_exact_limits_within(expected[i].seconds);
        assert_int_equal(found.count, expected[i].limits.count);
        for (size_t l = 0; l < found.count; l++) {
            assert_true(found.seconds[l] == expected[i].limits.seconds[l]);
        }
    }
}

static const duet_exact_case any_case = {DUET_EXACT_FAMILY, "unif4", 10, 2, 1, 1, 0, 0};

static duet_exact_row make_row(const char *algorithm, duet_exact_outcome outcome, int64_t makespan,
                               int64_t bound, double seconds)
{
    return (duet_exact_row){.origin = any_case,
                            .algorithm = algorithm,
                            .outcome = outcome,
                            .makespan = makespan,
                            .bound = bound,
                            .optimum = -1,
                            .proof_bytes = -1,
                            .seconds = seconds};
}

static void figures(void **state)
{
    (void)state;
    duet_exact_row rows[] = {make_row("a", DUET_EXACT_PROVEN, 10, 10, 0.5),
                             make_row("a", DUET_EXACT_PROVEN, 10, 10, 1),
                             make_row("a", DUET_EXACT_PROVEN, 10, 10, 10.1),
                             make_row("a", DUET_EXACT_OPEN, 110, 100, 10),
                             make_row("a", DUET_EXACT_OPEN, 101, 100, 10),
                             make_row("a", DUET_EXACT_OPEN, 103, 100, 10),
                             make_row("a", DUET_EXACT_OPEN, 104, 100, 10),
                             make_row("a", DUET_EXACT_FAILED, 0, 0, 10),
                             make_row("a", DUET_EXACT_NOT_RUN, 0, 0, 0),
                             make_row("b", DUET_EXACT_PROVEN, 1, 1, 0),
                             make_row("a", DUET_EXACT_PROVEN, 10, 10, 0.1)};
    rows[10].faulty = true;
    duet_exact_plan plan = {
        .rows = rows, .row_count = sizeof rows / sizeof *rows, .settings = {.seconds = 10}};
    duet_exact_figures found;
    assert_int_equal(duet_exact_figures_of(&plan, duet_exact_is_algorithm, "a", &found, NULL),
                     DUET_OK);
    assert_int_equal(found.runs, 9);
    assert_int_equal(found.proven, 3);
    assert_int_equal(found.within[0], 2);
    assert_int_equal(found.within[1], 2);
    assert_int_equal(found.open, 4);
    assert_int_equal(found.failed, 2);
    char text[48];
    // Of 1, 3, 4 and 10 percent the upper of the middle two.
    assert_string_equal(duet_exact_format_gap(found.median_gap, text), "4.0000 %");
    assert_string_equal(duet_exact_format_gap(found.largest_gap, text), "10.0000 %");
    plan.row_count = 3;
    assert_int_equal(duet_exact_figures_of(&plan, duet_exact_is_algorithm, "a", &found, NULL),
                     DUET_OK);
    assert_int_equal(found.open, 0);
    assert_string_equal(duet_exact_format_gap(found.median_gap, text), "0 %");
}

static void gaps_round_up(void **state)
{
    (void)state;
    char text[48];
    const duet_uint128 huge = (duet_uint128)1 << 62;
    assert_string_equal(duet_exact_format_gap((duet_fraction){1, huge}, text), "0.0001 %");
    assert_string_equal(duet_exact_format_gap((duet_fraction){1, 3}, text), "33.3334 %");
    assert_string_equal(duet_exact_format_gap((duet_fraction){1, 2000}, text), "0.0500 %");
    assert_string_equal(duet_exact_format_gap((duet_fraction){huge, 1}, text), "> 1000000 %");
    assert_string_equal(duet_exact_format_gap((duet_fraction){1, 0}, text), "unknown");
    duet_exact_row row = make_row("a", DUET_EXACT_OPEN, 5, 0, 0);
    assert_true(duet_exact_gap(&row).den == 0);
    row.makespan = 0;
    assert_true(duet_exact_gap(&row).num == 0);
}

static void contradictions_are_found(void **state)
{
    (void)state;
    // A bound above another's schedule is a fault of who claims it.
    duet_exact_row rows[] = {make_row("a", DUET_EXACT_PROVEN, 11, 11, 1),
                             make_row("b", DUET_EXACT_OPEN, 10, 9, 1)};
    duet_exact_cross_check(rows, 2);
    assert_true(rows[0].faulty);
    assert_non_null(strstr(rows[0].note, "b has a schedule of 10"));
    assert_false(rows[1].faulty);
    // Against a known optimum, in both directions.
    duet_exact_row known[] = {make_row("a", DUET_EXACT_OPEN, 12, 11, 1),
                              make_row("b", DUET_EXACT_PROVEN, 10, 10, 1),
                              make_row("c", DUET_EXACT_OPEN, 9, 8, 1)};
    known[0].optimum = known[1].optimum = known[2].optimum = 10;
    duet_exact_cross_check(known, 3);
    assert_true(known[0].faulty && known[2].faulty);
    duet_exact_row good[] = {make_row("a", DUET_EXACT_PROVEN, 10, 10, 1),
                             make_row("b", DUET_EXACT_OPEN, 12, 10, 1),
                             make_row("c", DUET_EXACT_FAILED, 0, 99, 1)};
    good[0].optimum = good[1].optimum = 10;
    duet_exact_cross_check(good, 3);
    assert_false(good[0].faulty || good[1].faulty || good[2].faulty);
}

// Letters: + ok, - missed, ? not judged.
static char sign_of(const duet_claims *targets, size_t i)
{
    const char *verdict = targets->claim[i].verdict;
    return strcmp(verdict, "ok") == 0 ? '+' : strcmp(verdict, "MISSED") == 0 ? '-' : '?';
}

// The verdicts on set main where `open` of the first algorithm's runs stay open with a gap of
// gap/100000, and `slow` take 5 seconds.
static void judge_main(size_t open, int64_t gap, size_t slow, bool narrowed, const char *expected)
{
    duet_exact_plan plan = make_plan("main");
    plan.settings.narrowed = narrowed;
    for (size_t c = 0; c < plan.case_count; c++) {
        duet_exact_row *row = &plan.rows[2 * c];
        *row = make_row("a", DUET_EXACT_PROVEN, 100000, 100000, 0.01);
        row->origin = plan.cases[c];
        plan.rows[2 * c + 1] = *row;
        plan.rows[2 * c + 1].algorithm = "b"; // not judged, however good
        // Large sizes are last.
        size_t from_behind = plan.case_count - c;
        if (from_behind <= open) {
            row->outcome = DUET_EXACT_OPEN;
            row->makespan += gap;
        } else if (from_behind <= open + slow) {
            row->seconds = 5;
        }
    }
    duet_claims targets;
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(targets.count, 4);
    for (size_t i = 0; i < targets.count; i++) {
        if (sign_of(&targets, i) != expected[i]) {
            fail_msg("%zu open, %zu slow: '%s': %s", open, slow, targets.claim[i].what,
                     targets.claim[i].verdict);
        }
    }
    duet_exact_plan_free(&plan);
}

static void targets_of_main(void **state)
{
    (void)state;
    judge_main(0, 0, 0, false, "++++");
    judge_main(14, 50, 50, false, "++++");
    judge_main(15, 50, 50, false, "-+-+");
    judge_main(14, 51, 51, false, "++--");
    // 288 are larger than 50 tasks: one more reaches those that must be proven within 3 s.
    judge_main(0, 0, 289, false, "+--+");
    judge_main(0, 0, 288, false, "++-+");
    judge_main(15, 51, 50, true, "?+??");
}

static void targets_by_gap(void **state)
{
    (void)state;
    duet_exact_plan plan = make_plan("tiles");
    for (size_t c = 0; c < plan.case_count; c++) {
        plan.rows[2 * c] = make_row("a", DUET_EXACT_OPEN, 100009, 100000, 10);
        plan.rows[2 * c].origin = plan.cases[c];
    }
    duet_claims targets;
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(targets.count, 1);
    assert_int_equal(sign_of(&targets, 0), '+');
    plan.rows[10].makespan = 100010; // a gap of 10^-4 is not below 10^-4
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(sign_of(&targets, 0), '-');
    plan.settings.seconds = 20; // what was the gap after 10 s?
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(sign_of(&targets, 0), '?');
    plan.settings.seconds = 10;
    plan.summary.interrupted = true;
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(sign_of(&targets, 0), '?');
    duet_exact_plan_free(&plan);
}

static void targets_of_proofs(void **state)
{
    (void)state;
    duet_exact_plan plan = make_plan("hard");
    plan.settings.proofs = true;
    for (size_t c = 0; c < plan.case_count; c++) {
        plan.rows[2 * c] = make_row("a", DUET_EXACT_PROVEN, 10, 10, 2);
        plan.rows[2 * c].origin = plan.cases[c];
        plan.rows[2 * c].proof_bytes = 100;
        plan.rows[2 * c].proof_seconds = 0.19;
    }
    plan.rows[0].seconds = 0.9; // not over a second: its check may take long
    plan.rows[0].proof_seconds = 5;
    duet_claims targets;
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(targets.count, 3);
    assert_int_equal(sign_of(&targets, 1), '+');
    assert_int_equal(sign_of(&targets, 2), '+');
    plan.rows[2].proof_seconds = 0.2;
    plan.rows[4].faulty = true;
    assert_int_equal(duet_exact_judge(&plan, &targets, NULL), DUET_OK);
    assert_int_equal(sign_of(&targets, 1), '-');
    assert_int_equal(sign_of(&targets, 2), '-');
    duet_exact_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_have_their_sizes),
        cmocka_unit_test(choices_narrow_a_set),
        cmocka_unit_test(set_real_wants_a_folder),
        cmocka_unit_test(tiles_are_nearest),
        cmocka_unit_test(random_sets_keep_their_shape),
        cmocka_unit_test(mixed_keeps_its_ranges),
        cmocka_unit_test(mixed_graphs_are_the_familys),
        cmocka_unit_test(small_graphs_are_of_their_size),
        cmocka_unit_test(files_fit_their_set),
        cmocka_unit_test(limits_are_those_within),
        cmocka_unit_test(figures),
        cmocka_unit_test(gaps_round_up),
        cmocka_unit_test(contradictions_are_found),
        cmocka_unit_test(targets_of_main),
        cmocka_unit_test(targets_by_gap),
        cmocka_unit_test(targets_of_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
