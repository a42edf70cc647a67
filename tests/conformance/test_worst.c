// SPDX-License-Identifier: Apache-2.0
// The worst-case families: on each of several instances, the optimum and the makespan are those
// that the file claims, to the tick, and the ratio is at least what theory states. Where a family
// needs no order of tasks, none decides.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "tests/support/fixtures.h"
#include "tests/support/worst_cases.h"

// The family's own.
enum { OWN = -1 };

// Options from "key=value key=value"; `text` may be NULL or empty.
static duet_options *options_from(const char *text)
{
    duet_options *options;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    char words[256];
    snprintf(words, sizeof words, "%s", text == NULL ? "" : text);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_int_equal(duet_options_add(options, word, NULL), DUET_OK);
    }
    return options;
}

static duet_instance *generate(const duet_worst_case *given)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_options *options = options_from(given->assignment);
    if (duet_test_generate(given->family, given->n, given->cpus, given->gpus, 0, options, &instance,
                           &error) != DUET_OK) {
        fail_msg("%s: %s", given->family, error.message);
    }
    duet_options_free(options);
    return instance;
}

static duet_solution *solve(const duet_instance *instance, const char *algorithm,
                            const char *assignments)
{
    duet_error error = DUET_ERROR_INIT;
    duet_options *options = options_from(assignments);
    duet_params params = DUET_PARAMS_INIT;
    params.options = options;
    duet_solution *solution = NULL;
    if (duet_solve(instance, algorithm, &params, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s: %s: %s", duet_instance_name(instance), algorithm, error.message);
    }
    duet_options_free(options);
    return solution;
}

// The same tasks, kinds in reverse order.
static duet_instance *reversed(const duet_instance *instance)
{
    size_t kinds = duet_instance_kinds(instance);
    int64_t *counts = calloc(kinds, sizeof *counts);
    int64_t *times = calloc(kinds * 2, sizeof *times);
    assert_non_null(counts);
    assert_non_null(times);
    for (size_t i = 0; i < kinds; i++) {
        size_t from = kinds - 1 - i;
        counts[i] = duet_instance_kind_count(instance, from);
        times[2 * i] = duet_instance_time(instance, from, 0);
        times[2 * i + 1] = duet_instance_time(instance, from, 1);
    }
    const duet_type platform[2] = {{"cpu", duet_instance_type_count(instance, 0)},
                                   {"gpu", duet_instance_type_count(instance, 1)}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "reversed",
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *copy = NULL;
    assert_int_equal(duet_instance_create(&desc, &copy, NULL), DUET_OK);
    free(counts);
    free(times);
    return copy;
}

static void expect_makespan(const duet_instance *instance, const char *algorithm,
                            const char *options, int64_t makespan)
{
    duet_solution *solution = solve(instance, algorithm, options);
    if (duet_solution_makespan(solution) != makespan) {
        fail_msg("%s: %s %s makes %lld, claimed %lld", duet_instance_name(instance), algorithm,
                 options, (long long)duet_solution_makespan(solution), (long long)makespan);
    }
    duet_solution_free(solution);
}

static void expect_optimum(const duet_instance *instance, int64_t optimum)
{
    if (duet_instance_edges(instance) > 0) {
        assert_int_equal(duet_exhaustive_optimum(instance), optimum);
        return;
    }
    duet_solution *solution = solve(instance, "exact", NULL);
    assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
    if (duet_solution_makespan(solution) != optimum) {
        fail_msg("%s: the optimum is %lld, claimed %lld", duet_instance_name(instance),
                 (long long)duet_solution_makespan(solution), (long long)optimum);
    }
    duet_solution_free(solution);
}

// Where the loss is known, the ratio is what it leaves, no less and no more.
static void expect_left(const duet_instance *instance, const duet_worst_case *given, double stated,
                        double reached)
{
    double ticks = strtod(strchr(given->assignment, '=') + 1, NULL);
    double loss = given->loss((double)given->cpus, (double)given->gpus, ticks);
    if (fabs(reached - (stated - loss)) > 1e-9) {
        fail_msg("%s: ratio %.9f, expected %.9f less %.9f of rounding",
                 duet_instance_name(instance), reached, stated, loss);
    }
}

static void expect_ratio(const duet_instance *instance, const duet_worst_case *given)
{
    const duet_claim *claim = duet_instance_claim(instance);
    if (given->formula == NULL) {
        return;
    }
    double stated = given->formula((double)duet_instance_type_count(instance, 0),
                                   (double)duet_instance_type_count(instance, 1));
    double reached = (double)claim->makespan / (double)claim->optimum;
    if (given->loss != NULL) {
        expect_left(instance, given, stated, reached);
    } else if (reached < stated - given->tolerance - 1e-12) {
        fail_msg("%s: ratio %.6f, expected %.6f less at most %g", duet_instance_name(instance),
                 reached, stated, given->tolerance);
    }
    assert_int_not_equal(duet_instance_guarantee_holds(claim->algorithm, instance, NULL,
                                                       claim->makespan, claim->optimum),
                         0);
}

static void claims_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < duet_worst_case_count; i++) {
        const duet_worst_case *given = &duet_worst_cases[i];
        duet_instance *instance = generate(given);
        const duet_claim *claim = duet_instance_claim(instance);
        assert_non_null(claim);
        assert_false(claim->refuted);
        expect_optimum(instance, claim->optimum);
        expect_makespan(instance, claim->algorithm, claim->options, claim->makespan);
        expect_ratio(instance, given);
        bool has_ties =
            strcmp(claim->algorithm, "eft") == 0 || strcmp(claim->algorithm, "heft") == 0;
        if (has_ties) { // whichever type wins a tie
            expect_makespan(instance, claim->algorithm, "ties=gpu", claim->makespan);
            expect_makespan(instance, claim->algorithm, "ties=cpu", claim->makespan);
        }
        if (given->any_order) {
            duet_instance *other = reversed(instance);
            expect_makespan(other, claim->algorithm, claim->options, claim->makespan);
            duet_instance_free(other);
        }
        duet_instance_free(instance);
    }
}

// HEFT's lemma as printed: the optimum is right, the makespan is not; it is 2 - 1/m optima.
static void published_heft_fails(void **state)
{
    (void)state;
    for (int64_t m = 2; m <= 32; m++) {
        for (int fine = 0; fine < 2; fine++) {
            duet_worst_case given = {.family = "worst-heft-published",
                                     .cpus = m,
                                     .gpus = OWN,
                                     .assignment = fine == 0 ? NULL : "ticks=1000"};
            duet_instance *instance = generate(&given);
            const duet_claim *claim = duet_instance_claim(instance);
            assert_true(claim->refuted);
            int64_t unit = fine == 0 ? 1 : 1000;
            assert_int_equal(claim->optimum, m * m * unit);
            assert_int_equal(2 * m * claim->makespan, (m * m + 3 * m - 2) * claim->optimum);
            expect_optimum(instance, claim->optimum);
            duet_solution *solution = solve(instance, claim->algorithm, claim->options);
            int64_t made = duet_solution_makespan(solution);
            assert_true(made < claim->makespan);
            assert_int_equal(m * made, (2 * m - 1) * claim->optimum); // 2 - 1/m
            duet_solution_free(solution);
            duet_instance_free(instance);
        }
    }
}

// Every family in the table is tried above, and carries a claim about an algorithm there is.
static void every_family_is_tried(void **state)
{
    (void)state;
    size_t worst = 0;
    for (size_t f = 0; f < duet_family_count(); f++) {
        const duet_entry *entry = duet_family_entry(f);
        bool is_worst = strncmp(entry->name, "worst-", 6) == 0;
        assert_int_equal(is_worst, entry->guarantee != NULL);
        bool tried = strcmp(entry->name, "worst-heft-published") == 0;
        for (size_t i = 0; i < duet_worst_case_count; i++) {
            tried = tried || strcmp(duet_worst_cases[i].family, entry->name) == 0;
        }
        assert_int_equal(tried, is_worst);
        worst += is_worst;
    }
    assert_true(worst >= 16);
}

// A claim survives its file, and goes where the platform is another.
static void claims_travel(void **state)
{
    (void)state;
    char path[] = "/tmp/duet-worst-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < duet_worst_case_count; i += 3) {
        duet_instance *instance = generate(&duet_worst_cases[i]);
        duet_instance *again = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(duet_write_instance(path, "json", instance, &error), DUET_OK);
        if (duet_read_instance(path, NULL, &again, &error) != DUET_OK) {
            fail_msg("%s: %s", duet_instance_name(instance), error.message);
        }
        const duet_claim *claim = duet_instance_claim(instance);
        const duet_claim *read = duet_instance_claim(again);
        assert_non_null(read);
        assert_string_equal(read->algorithm, claim->algorithm);
        assert_string_equal(read->options, claim->options);
        assert_string_equal(read->limit, claim->limit);
        assert_string_equal(read->source, claim->source);
        assert_int_equal(read->optimum, claim->optimum);
        assert_int_equal(read->makespan, claim->makespan);
        int64_t counts[2] = {duet_instance_type_count(again, 0),
                             duet_instance_type_count(again, 1)};
        assert_int_equal(duet_instance_set_counts(again, 2, counts, NULL), DUET_OK);
        assert_non_null(duet_instance_claim(again)); // the same platform
        counts[0]++;
        assert_int_equal(duet_instance_set_counts(again, 2, counts, NULL), DUET_OK);
        assert_null(duet_instance_claim(again));
        duet_instance_free(again);
        duet_instance_free(instance);
    }
    unlink(path);
}

typedef struct refusal {
    const char *family;
    int64_t n, cpus, gpus;
    const char *assignment;
    const char *fragment;
} refusal;

static void refused(void **state)
{
    (void)state;
    static const int64_t huge = DUET_MAX_PROCESSORS;
    const refusal rows[] = {
        {"worst-eft", 4, OWN, OWN, NULL, "size 4 of family worst-eft: expected none"},
        {"worst-eft", 0, 8, 3, NULL, "expected a multiple of the GPUs as CPUs"},
        {"worst-eft", 0, 4, 4, NULL, "at least two-fold"},
        {"worst-eft", 0, 8, 0, NULL, "expected at least 1 and 1"},
        {"worst-eft", 0, 64, 1, NULL, "option ticks is 1000: expected at least 4033"},
        {"worst-eft", 0, huge, 1, NULL, "option ticks"},
        {"worst-heteroprio-1-1", 44, OWN, OWN, NULL, "expected 1 to 43"},
        {"worst-heteroprio-1-1", 0, 2, OWN, NULL, "expected 1 CPUs and 1 GPUs"},
        {"worst-heteroprio-m-1", 1, OWN, OWN, NULL, "-n: expected 2 to 22"},
        {"worst-heteroprio-m-1", 2, 1, OWN, NULL, "expected at least 2 and 1"},
        {"worst-heteroprio-m-1", 2, 4, 2, NULL, "-k: expected 1 GPU, got 2"},
        {"worst-heteroprio-m-1", 22, huge, 1, NULL, "too much work"},
        {"worst-heteroprio", 2, 36, 6, NULL, "expected 144 CPUs and 12 GPUs"},
        {"worst-heteroprio", 0, OWN, OWN, "ticks=99", "ticks"},
        {"worst-qa", 0, 2, 4, NULL, "expected at least 4 and 1"},
        {"worst-qa", 0, huge, huge, NULL, "too much work"},
        {"worst-er-ls", 0, huge, huge, NULL, "too much work"},
        {"worst-quickest", 0, huge, huge, NULL, "too much work"},
        {"worst-ratio", 0, huge, 2, NULL, "too much work"},
        {"worst-heft", 0, 1, OWN, NULL, "expected at least 2 and 1"},
        {"worst-heft", 0, 100000, OWN, NULL, "too much work"},
        {"worst-heft-published", 0, 5, 2, NULL, "-k: expected 1 GPU, got 2"},
        {"worst-heft-published", 0, 100000, 1, "ticks=1000000", "too much work"},
        {"worst-lpt", 0, OWN, 1, NULL, "-k: expected no GPU, got 1"},
        {"worst-dualhp", 0, 3, 5, "ticks=5", "expected more than GPUs, 5"},
        {"worst-dual-2", 0, 1, 1, NULL, "expected at least 1 and 2"},
        {"worst-dual-4-3", 0, 2, 5, NULL, "-m: expected 1 CPU, got 2"},
        {"worst-accel-published", 0, OWN, OWN, "factor=3", "expected at least 4"},
        {"worst-accel-published", 0, OWN, OWN, "fault=order factor=2", "expected at least 3"},
        {"worst-accel-published", 0, OWN, OWN, "fault=order factor=1000000000", "too much work"},
        {"worst-accel-published", 0, 1, 1, "fault=mixed", "expected 1 CPUs and 2 GPUs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const refusal *row = &rows[i];
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = NULL;
        duet_options *options = options_from(row->assignment);
        duet_code code = duet_test_generate(row->family, row->n, row->cpus, row->gpus, 0, options,
                                            &instance, &error);
        duet_options_free(options);
        if (code != DUET_E_USAGE || strstr(error.message, row->fragment) == NULL) {
            fail_msg("%s: code %d, \"%s\"; expected \"%s\"", row->family, (int)code, error.message,
                     row->fragment);
        }
        assert_null(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_hold),
        cmocka_unit_test(published_heft_fails),
        cmocka_unit_test(every_family_is_tried),
        cmocka_unit_test(claims_travel),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
