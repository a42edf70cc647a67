// SPDX-License-Identifier: Apache-2.0
// Writing and reading back: random instances through JSON and CSV, random solutions through JSON;
// jansson must agree with every JSON text we write.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/io.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "tests/support/scratch_file.h"

enum { MAX_KINDS = 12 };

static char folder[40];
static char json_path[64];
static char csv_path[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/duet-write-XXXXXX", duet_scratch_root());
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(json_path, sizeof json_path, "%s/i.json", folder);
    snprintf(csv_path, sizeof csv_path, "%s/i.csv", folder);
    return 0;
}

// Nothing but the two files may be there: no temporary left behind.
static int remove_folder(void **state)
{
    (void)state;
    unlink(json_path);
    unlink(csv_path);
    return rmdir(folder);
}

static int64_t between(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

// Names with everything that needs care in one of the formats; distinct through the number.
static void random_name(duet_random *random, size_t number, char *buffer, size_t size)
{
    static const char *const parts[] = {
        "t",  "a,b",      "\"q\"", " lead", "trail ", "\\back", "\n", "\t",
        "#1", "\xc3\xa9", "count", "id",    "\x7f",   "x\r\n",  "'",  "\xf0\x9f\x98\x80"};
    snprintf(buffer, size, "%s%zu%s", parts[between(random, 0, 15)], number,
             parts[between(random, 0, 15)]);
}

static duet_instance *random_instance(duet_random *random)
{
    char names[MAX_KINDS][40];
    char type_names[4][40];
    const char *ids[MAX_KINDS];
    int64_t counts[MAX_KINDS];
    int64_t times[MAX_KINDS * 4];
    duet_type platform[4];
    size_t types = (size_t)between(random, 1, 4);
    size_t kinds = (size_t)between(random, 0, MAX_KINDS);
    for (size_t t = 0; t < types; t++) {
        random_name(random, t, type_names[t], sizeof type_names[t]);
        platform[t] = (duet_type){type_names[t], between(random, t == 0, 5)};
    }
    int64_t longest = between(random, 0, 1) == 0 ? 1000 : INT64_C(1000000000000000);
    for (size_t i = 0; i < kinds; i++) {
        random_name(random, i, names[i], sizeof names[i]);
        ids[i] = names[i];
        counts[i] = between(random, 0, 2) == 0 ? between(random, 1, 5) : 1;
        size_t allowed = (size_t)between(random, 0, (int64_t)types - 1);
        for (size_t t = 0; t < types; t++) {
            bool forbidden = t != allowed && between(random, 0, 3) == 0;
            times[i * types + t] = forbidden ? DUET_FORBIDDEN : between(random, 0, longest);
        }
    }
    int64_t optimum = between(random, 1, longest);
    duet_claim claim = {.algorithm = "h\"eft",
                        .options = between(random, 0, 1) == 0 ? NULL : "ties=gpu x=1",
                        .optimum = optimum,
                        .makespan = between(random, optimum, 2 * longest),
                        .limit = between(random, 0, 1) == 0 ? NULL : "(m+1)/2",
                        .source = between(random, 0, 1) == 0 ? NULL : "\xc3\xa9\n\\",
                        .refuted = between(random, 0, 1) == 0};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "random \"name\"\n",
                               .time_unit = between(random, 0, 1) == 0 ? "ms" : NULL,
                               .decimals = (int)between(random, 0, 9),
                               .types = types,
                               .platform = platform,
                               .kinds = kinds,
                               .ids = ids,
                               .counts = counts,
                               .times = times,
                               .claim = between(random, 0, 2) == 0 ? &claim : NULL};
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_instance_create(&desc, &instance, &error);
    if (code == DUET_E_INPUT && strstr(error.message, "duplicate") != NULL) {
        return NULL; // such as "a#1" beside "a" of several tasks
    }
    assert_int_equal(code, DUET_OK);
    return instance;
}

static void expect_equal_claims(const duet_instance *a, const duet_instance *b)
{
    const duet_claim *claim = duet_instance_claim(a);
    const duet_claim *other = duet_instance_claim(b);
    assert_int_equal(claim == NULL, other == NULL);
    if (claim == NULL) {
        return;
    }
    char left[32];
    char right[32];
    assert_string_equal(claim->algorithm, other->algorithm);
    assert_string_equal(claim->options, other->options);
    assert_string_equal(claim->limit, other->limit);
    assert_string_equal(claim->source, other->source);
    assert_int_equal(claim->refuted, other->refuted);
    assert_string_equal(duet_instance_format_time(a, claim->optimum, left),
                        duet_instance_format_time(b, other->optimum, right));
    assert_string_equal(duet_instance_format_time(a, claim->makespan, left),
                        duet_instance_format_time(b, other->makespan, right));
}

// Times are compared as text: the scale may have become smaller.
static void expect_equal(const duet_instance *a, const duet_instance *b)
{
    assert_int_equal(duet_instance_types(a), duet_instance_types(b));
    assert_int_equal(duet_instance_kinds(a), duet_instance_kinds(b));
    for (size_t t = 0; t < duet_instance_types(a); t++) {
        assert_string_equal(duet_instance_type_name(a, t), duet_instance_type_name(b, t));
    }
    for (size_t i = 0; i < duet_instance_kinds(a); i++) {
        assert_string_equal(duet_instance_kind_id(a, i), duet_instance_kind_id(b, i));
        assert_int_equal(duet_instance_kind_count(a, i), duet_instance_kind_count(b, i));
        for (size_t t = 0; t < duet_instance_types(a); t++) {
            int64_t time_a = duet_instance_time(a, i, t);
            int64_t time_b = duet_instance_time(b, i, t);
            assert_true((time_a == DUET_FORBIDDEN) == (time_b == DUET_FORBIDDEN));
            if (time_a != DUET_FORBIDDEN) {
                char text_a[32];
                char text_b[32];
                assert_string_equal(duet_instance_format_time(a, time_a, text_a),
                                    duet_instance_format_time(b, time_b, text_b));
            }
        }
    }
}

static void expect_jansson(const char *file)
{
    json_error_t reason;
    json_t *value = json_load_file(file, JSON_REJECT_DUPLICATES, &reason);
    if (value == NULL) {
        fail_msg("jansson refuses what we wrote: line %d: %s", reason.line, reason.text);
    }
    json_decref(value);
}

static duet_instance *read_back(const char *file)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_read_instance(file, NULL, &instance, &error) != DUET_OK) {
        fail_msg("line %d column %d: %s", error.line, error.column, error.message);
    }
    return instance;
}

static void test_instances(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 7);
    int tried = 0;
    for (int round = 0; round < 1500; round++) {
        duet_instance *instance = random_instance(&random);
        if (instance == NULL) {
            continue;
        }
        tried++;
        assert_int_equal(duet_write_instance(json_path, NULL, instance, NULL), DUET_OK);
        expect_jansson(json_path);
        duet_instance *json = read_back(json_path);
        expect_equal(instance, json);
        expect_equal_claims(instance, json);
        assert_string_equal(duet_instance_name(instance), duet_instance_name(json));
        assert_string_equal(duet_instance_time_unit(instance), duet_instance_time_unit(json));
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            assert_int_equal(duet_instance_type_count(instance, t),
                             duet_instance_type_count(json, t));
        }
        assert_int_equal(duet_write_instance(csv_path, NULL, instance, NULL), DUET_OK);
        duet_instance *csv = read_back(csv_path);
        expect_equal(instance, csv);
        // An instance without counts, through JSON.
        assert_false(duet_instance_has_platform(csv));
        assert_int_equal(duet_write_instance(json_path, "json", csv, NULL), DUET_OK);
        expect_jansson(json_path);
        duet_instance *again = read_back(json_path);
        expect_equal(csv, again);
        assert_false(duet_instance_has_platform(again));
        duet_instance_free(again);
        duet_instance_free(csv);
        duet_instance_free(json);
        duet_instance_free(instance);
    }
    assert_true(tried > 1000);
}

// Numbers of any size, also below 0: what is wrong is for the checker to say.
static void random_prices(duet_random *random, duet_certificate *certificate, size_t classes,
                          size_t types)
{
    duet_price_mode modes[DUET_MAX_TYPES];
    int64_t limits[DUET_MAX_TYPES];
    int64_t prices[DUET_MAX_TYPES * 64];
    for (size_t t = 0; t < types; t++) {
        modes[t] = between(random, 0, 1) == 0 ? DUET_PRICE_SET : DUET_PRICE_AREA;
        limits[t] = between(random, -1, INT64_C(1) << between(random, 0, 62));
    }
    assert_true(classes <= 64);
    for (size_t i = 0; i < types * classes; i++) {
        prices[i] = between(random, -1, INT64_C(1) << between(random, 0, 62));
    }
    assert_int_equal(
        duet_price_list_create(types, classes, modes, limits, prices, &certificate->prices, NULL),
        DUET_OK);
}

// A solution with random content: writing and reading do not ask whether it is right.
// Counts of any size up to the largest.
static void random_shelf_or_table(duet_random *random, duet_certificate *certificate, int64_t types)
{
    static const int64_t most = (INT64_C(1) << 62) - 1;
    if (certificate->proof == DUET_PROOF_TABLE) {
        certificate->rounded = (size_t)between(random, 0, types - 1);
        certificate->grid = between(random, 0, 5);
    } else if (certificate->proof == DUET_PROOF_SHELF) {
        certificate->types = (size_t)types;
        certificate->parts = (int)between(random, 2, 3);
        for (int64_t t = 0; t < types; t++) {
            certificate->weight[t] = between(random, 0, INT64_C(1) << 62);
            certificate->count_weight[t] = most - between(random, 0, most);
            certificate->count_weight_high[t] = between(random, 0, 2) == 0
                                                    ? most - between(random, 0, most)
                                                    : between(random, 0, 1);
        }
    }
}

static duet_solution *random_solution(duet_random *random, const duet_instance *instance)
{
    duet_solution *solution = NULL;
    int64_t n = duet_instance_tasks(instance);
    int64_t types = (int64_t)duet_instance_types(instance);
    assert_int_equal(duet_solution_create(n, &solution, NULL), DUET_OK);
    for (int64_t j = 0; j < n; j++) {
        if (between(random, 0, 9) > 0) {
            solution->placement[j] =
                (duet_placement){between(random, 0, 1000000), (int32_t)between(random, 0, 9),
                                 (int32_t)between(random, 0, types - 1)};
        }
    }
    for (int64_t i = between(random, 0, 2); n > 0 && i > 0; i--) {
        duet_aborted run = {between(random, 0, n - 1), between(random, 0, 50),
                            between(random, 50, 100), (int32_t)between(random, 0, 3),
                            (int32_t)between(random, 0, types - 1)};
        assert_int_equal(duet_solution_add_aborted(solution, run, NULL), DUET_OK);
    }
    solution->makespan = between(random, 0, INT64_C(1) << 61);
    solution->lower_bound = between(random, 0, solution->makespan);
    solution->status = (duet_status)between(random, 0, 2);
    solution->seconds = (double)between(random, 0, 1000000) / 1000.0;
    solution->interrupted = between(random, 0, 1) == 1;
    solution->ending = solution->interrupted        ? (duet_ending)between(random, 0, 2)
                       : between(random, 0, 3) == 0 ? DUET_ENDED_BY_GAP
                                                    : DUET_ENDED_BY_TIME;
    snprintf(solution->algorithm, sizeof solution->algorithm, "algorithm");
    snprintf(solution->bound_name, sizeof solution->bound_name, "%s",
             between(random, 0, 1) == 0 ? "" : "area");
    snprintf(solution->guarantee, sizeof solution->guarantee, "%s",
             between(random, 0, 1) == 0 ? "" : "(1+sqrt(5))/2");
    duet_certificate *certificate = &solution->certificate;
    certificate->proof = (duet_proof)between(random, 0, n > 0 ? 6 : 0);
    if (certificate->proof != DUET_PROOF_NONE) {
        certificate->lambda = solution->lower_bound;
    }
    if (certificate->proof == DUET_PROOF_LONGEST) {
        certificate->task = between(random, 0, n - 1);
    } else if (certificate->proof == DUET_PROOF_PRICES) {
        random_prices(random, certificate,
                      (size_t)between(random, 0, (int64_t)duet_instance_kinds(instance)),
                      (size_t)types);
    } else if (certificate->proof == DUET_PROOF_AREA ||
               (certificate->proof == DUET_PROOF_KNAPSACK && types == 2)) {
        certificate->types = (size_t)types;
        for (int64_t t = 0; t < types; t++) {
            certificate->weight[t] = between(random, 0, INT64_C(1) << 62);
        }
    }
    if (certificate->proof == DUET_PROOF_KNAPSACK && types != 2) {
        certificate->proof = DUET_PROOF_NONE; // there is no such thing
        certificate->lambda = 0;
    }
    random_shelf_or_table(random, certificate, types);
    duet_solution_count(solution, "guesses", between(random, 0, 100));
    return solution;
}

static void expect_same_prices(const duet_price_list *a, const duet_price_list *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a == NULL) {
        return;
    }
    size_t types = a->types;
    assert_int_equal(types, b->types);
    assert_int_equal(a->classes, b->classes);
    for (size_t t = 0; t < types; t++) {
        assert_int_equal(a->mode[t], b->mode[t]);
        assert_int_equal(a->limit[t], b->limit[t]);
    }
    for (size_t i = 0; i < types * a->classes; i++) {
        assert_int_equal(a->price[i], b->price[i]);
    }
}

static void expect_same_solution(const duet_solution *a, const duet_solution *b)
{
    assert_int_equal(a->tasks, b->tasks);
    for (int64_t j = 0; j < a->tasks; j++) {
        assert_int_equal(a->placement[j].type, b->placement[j].type);
        assert_int_equal(a->placement[j].start, b->placement[j].start);
        assert_int_equal(a->placement[j].processor, b->placement[j].processor);
    }
    assert_int_equal(a->aborted_count, b->aborted_count);
    for (size_t i = 0; i < a->aborted_count; i++) {
        assert_int_equal(a->aborted[i].task, b->aborted[i].task);
        assert_int_equal(a->aborted[i].start, b->aborted[i].start);
        assert_int_equal(a->aborted[i].end, b->aborted[i].end);
        assert_int_equal(a->aborted[i].processor, b->aborted[i].processor);
        assert_int_equal(a->aborted[i].type, b->aborted[i].type);
    }
    assert_int_equal(a->makespan, b->makespan);
    assert_int_equal(a->lower_bound, b->lower_bound);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->interrupted, b->interrupted);
    assert_int_equal(a->ending, b->ending);
    assert_true(a->seconds - b->seconds < 1e-6 && b->seconds - a->seconds < 1e-6);
    assert_string_equal(a->algorithm, b->algorithm);
    assert_string_equal(a->bound_name, b->bound_name);
    assert_string_equal(a->guarantee, b->guarantee);
    assert_int_equal(a->certificate.proof, b->certificate.proof);
    assert_int_equal(a->certificate.lambda, b->certificate.lambda);
    assert_int_equal(a->certificate.task, b->certificate.task);
    assert_true(a->certificate.types == 0 || a->certificate.types == b->certificate.types);
    assert_int_equal(a->certificate.parts, b->certificate.parts);
    assert_int_equal(a->certificate.rounded, b->certificate.rounded);
    assert_int_equal(a->certificate.grid, b->certificate.grid);
    for (size_t t = 0; t < a->certificate.types; t++) {
        assert_int_equal(a->certificate.weight[t], b->certificate.weight[t]);
        assert_int_equal(a->certificate.count_weight[t], b->certificate.count_weight[t]);
        assert_int_equal(a->certificate.count_weight_high[t], b->certificate.count_weight_high[t]);
    }
    expect_same_prices(a->certificate.prices, b->certificate.prices);
}

static void test_solutions(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 11);
    for (int round = 0; round < 1000; round++) {
        duet_instance *instance = random_instance(&random);
        if (instance == NULL) {
            continue;
        }
        duet_solution *solution = random_solution(&random, instance);
        assert_int_equal(duet_write_solution(json_path, instance, solution, NULL), DUET_OK);
        expect_jansson(json_path);
        duet_solution *back = NULL;
        duet_error error = DUET_ERROR_INIT;
        if (duet_read_solution(json_path, NULL, instance, &back, &error) != DUET_OK) {
            fail_msg("line %d column %d: %s", error.line, error.column, error.message);
        }
        expect_same_solution(solution, back);
        duet_solution_free(back);
        // An instance that has no counts takes the solution's.
        assert_int_equal(duet_write_instance(csv_path, NULL, instance, NULL), DUET_OK);
        duet_instance *csv = read_back(csv_path);
        if (csv->decimals == instance->decimals) {
            assert_int_equal(duet_read_solution(json_path, NULL, csv, &back, NULL), DUET_OK);
            for (size_t t = 0; t < csv->types; t++) {
                assert_int_equal(csv->processors[t], instance->processors[t]);
            }
            duet_solution_free(back);
        }
        duet_instance_free(csv);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

static void test_refused(void **state)
{
    (void)state;
    const int64_t times[2] = {1, 2};
    const duet_type platform[2] = {{"cpu", 1}, {"gpu", 1}};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 2, .platform = platform, .kinds = 1, .times = times};
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    assert_int_equal(duet_write_instance(json_path, "text", instance, &error), DUET_E_USAGE);
    duet_error_clear(&error);
    assert_int_equal(duet_write_instance(json_path, "none", instance, &error), DUET_E_USAGE);
    duet_error_clear(&error);
    assert_int_equal(duet_write_instance("/nowhere/at/all.json", NULL, instance, &error),
                     DUET_E_OUTPUT);
    assert_int_equal(duet_write_instance("/dev/full", "json", instance, NULL), DUET_E_OUTPUT);
    assert_int_equal(duet_solution_create(2, &solution, NULL), DUET_OK);
    assert_int_equal(duet_write_solution(json_path, instance, solution, NULL), DUET_E_USAGE);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
