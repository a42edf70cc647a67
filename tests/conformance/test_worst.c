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

typedef double ratio_formula(double m, double k);
// How much the rounding of times to whole ticks takes off it.
typedef double rounding_loss(double m, double k, double ticks);

// A family on one platform.
typedef struct worst_case {
    const char *family;
    int64_t n;
    int64_t cpus, gpus; // -1: the family's own
    const char *assignment;
    ratio_formula *formula; // what the ratio tends to; NULL: exactly what the claim says
    double tolerance;       // how far below it stays, at most
    bool any_order;         // the order of the tasks decides nothing
    rounding_loss *loss;    // exactly, instead of a tolerance; then "ticks=..." is the assignment
} worst_case;

static double tau(double m, double k)
{
    return sqrt(m / k);
}

static double golden(double m, double k)
{
    (void)m;
    (void)k;
    return (1 + sqrt(5)) / 2;
}

static double one_gpu(double m, double k)
{
    return (m - 1) / (m + golden(m, k)) + golden(m, k);
}

// x/n + r/3 with n/r + 2n - 1 = n r/3.
static double many_gpus(double m, double n)
{
    (void)m;
    double r = 3 * (2 * n - 1 + sqrt((2 * n - 1) * (2 * n - 1) + 4 * n * n / 3)) / (2 * n);
    return (n - 1) / (n + r) + r / 3;
}

static double qa(double m, double k)
{
    return tau(m, k) + 2 - 1 / k;
}

static double qa_graph(double m, double k)
{
    return 2 * tau(m, k) + 1 - 1 / k;
}

static double er_ls(double m, double k)
{
    return tau(m, k) - 1 / tau(m, k) + 3 - 1 / k;
}

static double online(double m, double k)
{
    return m / k + 2 - 1 / k;
}

static double eft_first_step(double m, double k)
{
    return m / k;
}

static double heft(double m, double k)
{
    (void)k;
    return (m + 1) / 2;
}

static double lpt(double m, double k)
{
    (void)k;
    return 4.0 / 3 - 1 / (3 * m);
}

static double two(double m, double k)
{
    (void)m;
    (void)k;
    return 2;
}

static double dual_2(double m, double k)
{
    (void)m;
    return 2 * k / (k + 1);
}

static double shelf_3_2(double m, double k)
{
    (void)m;
    return 3 * k / (2 * k + 1);
}

static double dual_4_3(double m, double k)
{
    (void)m;
    return 4 * k / (3 * k + 1);
}

static double above_3_2(double m, double k)
{
    (void)m;
    (void)k;
    return 1.5;
}

static double two_and_a_half(double m, double k)
{
    (void)m;
    (void)k;
    return 2.5;
}

// Ticks of a k-th of the optimum: that many by tau rounded up.
static double qa_ticks(double m, double k, double ticks)
{
    return ticks * ceil(tau(m, k));
}

// m k tasks on k GPUs, each less than a tick short of s/tau; the optimum has k s.
static double qa_loss(double m, double k, double ticks)
{
    double s = qa_ticks(m, k, ticks);
    return m / (k * s) * (s / tau(m, k) - (ceil(s / tau(m, k)) - 1));
}

static double er_ls_loss(double m, double k, double ticks)
{
    return (m - k) / m * qa_loss(m, k, ticks);
}

// k - 1 tasks on each CPU and the last are short of m s/k and m^2 s/k by at least 1/k and at most
// one tick.
static double ratio_loss(double m, double k, double ticks)
{
    double p = m * ticks / k - (ceil(m * ticks / k) - 1);
    double r = m * m * ticks / k - (ceil(m * m * ticks / k) - 1);
    return ((k - 1) * p + r) / (m * ticks);
}

// A tick of the k (s+1) of the optimum, for each of m + k - 1 tasks on a GPU.
static double quickest_loss(double m, double k, double ticks)
{
    return (m + k - 1) / (k * (ticks + 1));
}

#define OWN (-1)
static const worst_case cases[] = {
    {"worst-heteroprio-1-1", 1, OWN, OWN, NULL, golden, 0.12, true, NULL},
    {"worst-heteroprio-1-1", 2, OWN, OWN, NULL, golden, 0.02, true, NULL},
    {"worst-heteroprio-1-1", 0, OWN, OWN, NULL, golden, 1e-6, true, NULL},
    {"worst-heteroprio-1-1", 43, OWN, OWN, NULL, golden, 1e-9, true, NULL},
    {"worst-heteroprio-m-1", 2, 2, OWN, NULL, one_gpu, 0.03, true, NULL},
    {"worst-heteroprio-m-1", 3, 3, OWN, NULL, one_gpu, 0.004, true, NULL},
    {"worst-heteroprio-m-1", 0, OWN, OWN, NULL, one_gpu, 1e-3, true, NULL},
    {"worst-heteroprio-m-1", 6, 7, OWN, NULL, one_gpu, 1e-4, true, NULL},
    {"worst-heteroprio-m-1", 4, 50, OWN, NULL, one_gpu, 1e-3, true, NULL},
    {"worst-heteroprio", 1, OWN, OWN, NULL, many_gpus, 2e-3, true, NULL},
    {"worst-heteroprio", 1, OWN, OWN, "ticks=100", many_gpus, 2e-2, true, NULL},
    {"worst-heteroprio", 2, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-heteroprio", 2, OWN, OWN, "ticks=1000000", many_gpus, 2e-6, true, NULL},
    {"worst-heteroprio", 3, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-heteroprio", 4, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-qa", 0, 1, 1, NULL, qa, 1e-3, false, NULL},
    {"worst-qa", 0, 9, 1, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, 7, 3, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, OWN, OWN, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, 64, 4, "ticks=2", qa, 0, false, qa_loss},
    {"worst-qa", 0, 64, 4, "ticks=100000", qa, 0, false, qa_loss},
    {"worst-qa", 0, 65, 4, "ticks=3", qa, 0, false, qa_loss},
    {"worst-qa", 0, 9, 1, "ticks=1000", qa, 0, false, qa_loss},
    {"worst-qa", 0, 50, 50, "ticks=1000000", qa, 1e-5, false, NULL},
    {"worst-qa-graph", 0, 1, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 4, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 3, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 2, 2, "ticks=100000", qa_graph, 1e-4, false, NULL},
    {"worst-heteroprio-graph", 0, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-heteroprio-graph", 1, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-heteroprio-graph", 1000000, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-er-ls", 0, 1, 1, NULL, er_ls, 1e-9, false, NULL},
    {"worst-er-ls", 0, 9, 1, NULL, er_ls, 1e-2, false, NULL},
    {"worst-er-ls", 0, OWN, OWN, NULL, er_ls, 1e-2, false, NULL},
    {"worst-er-ls", 0, 7, 3, "ticks=2", er_ls, 0, false, er_ls_loss},
    {"worst-er-ls", 0, 7, 3, "ticks=100000", er_ls, 0, false, er_ls_loss},
    {"worst-er-ls", 0, 16, 4, "ticks=5", er_ls, 0, false, er_ls_loss},
    {"worst-quickest", 0, 1, 1, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, OWN, OWN, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, 9, 2, "ticks=100000", online, 1e-3, false, NULL},
    {"worst-quickest", 0, 2, 5, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, 9, 2, "ticks=3", online, 0, false, quickest_loss},
    {"worst-ratio", 0, 1, 1, NULL, online, 1e-2, false, NULL},
    {"worst-ratio", 0, OWN, OWN, NULL, online, 1e-3, false, NULL},
    {"worst-ratio", 0, 7, 3, "ticks=1", online, 0, false, ratio_loss},
    {"worst-ratio", 0, 7, 3, "ticks=100000", online, 0, false, ratio_loss},
    {"worst-ratio", 0, 8, 4, "ticks=3", online, 0, false, ratio_loss},
    {"worst-eft", 0, 2, 1, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, 4, 2, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, 6, 3, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, OWN, OWN, NULL, online, 0.05, false, NULL},
    {"worst-eft", 0, 12, 3, "ticks=100000", online, 0.001, false, NULL},
    {"worst-eft", 0, OWN, OWN, "second-step=false", eft_first_step, 0.01, false, NULL},
    {"worst-eft", 0, 15, 5, "second-step=false", eft_first_step, 0.01, false, NULL},
    {"worst-heft", 0, 2, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, 3, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, OWN, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, 32, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-lpt", 0, 2, OWN, NULL, lpt, 1e-12, true, NULL},
    {"worst-lpt", 0, OWN, OWN, NULL, lpt, 1e-12, true, NULL},
    {"worst-lpt", 0, 25, 0, NULL, lpt, 1e-12, true, NULL},
    {"worst-dualhp", 0, OWN, OWN, NULL, two, 0.0011, true, NULL},
    {"worst-dualhp", 0, 3, 2, "ticks=3", two, 0.34, true, NULL},
    {"worst-dualhp", 0, 2, 5, "ticks=1000000", two, 1e-5, true, NULL},
    {"worst-dual-2", 0, OWN, 2, NULL, dual_2, 1e-12, true, NULL},
    {"worst-dual-2", 0, 30, 8, NULL, dual_2, 1e-12, true, NULL},
    {"worst-dual-2", 0, 4, 50, NULL, dual_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, OWN, 2, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, 30, 8, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, 4, 50, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-dual-4-3", 0, OWN, 2, NULL, dual_4_3, 1e-3, true, NULL},
    {"worst-dual-4-3", 0, OWN, OWN, NULL, dual_4_3, 1e-3, true, NULL},
    {"worst-dual-4-3", 0, OWN, 60, "ticks=5", dual_4_3, 1e-2, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, NULL, above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, 2, 1, "factor=1000000000", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, 10, 9, NULL, above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=mixed factor=1", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=mixed factor=1000", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=order factor=10", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=order factor=1000", two_and_a_half, 1e-2, true,
     NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

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

static duet_instance *generate(const worst_case *given)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_options *options = options_from(given->assignment);
    if (duet_generate(given->family, given->n, given->cpus, given->gpus, 0, options, &instance,
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
        duet_check_solution(instance, solution, NULL, &error) != DUET_OK) {
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
static void expect_left(const duet_instance *instance, const worst_case *given, double stated,
                        double reached)
{
    double ticks = strtod(strchr(given->assignment, '=') + 1, NULL);
    double loss = given->loss((double)given->cpus, (double)given->gpus, ticks);
    if (fabs(reached - (stated - loss)) > 1e-9) {
        fail_msg("%s: ratio %.9f, expected %.9f less %.9f of rounding",
                 duet_instance_name(instance), reached, stated, loss);
    }
}

static void expect_ratio(const duet_instance *instance, const worst_case *given)
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
    for (size_t i = 0; i < CASES; i++) {
        const worst_case *given = &cases[i];
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
            worst_case given = {.family = "worst-heft-published",
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
        for (size_t i = 0; i < CASES; i++) {
            tried = tried || strcmp(cases[i].family, entry->name) == 0;
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
    for (size_t i = 0; i < CASES; i += 3) {
        duet_instance *instance = generate(&cases[i]);
        duet_instance *again = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(duet_write_instance(path, "json", instance, &error), DUET_OK);
        if (duet_read_instance(path, &again, &error) != DUET_OK) {
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
        duet_code code =
            duet_generate(row->family, row->n, row->cpus, row->gpus, 0, options, &instance, &error);
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
