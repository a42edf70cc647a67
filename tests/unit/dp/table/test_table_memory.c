// SPDX-License-Identifier: Apache-2.0
// The tables under limits: checkpoints where memory is short, a refusal where nothing fits,
// threads, wide cells, a deadline. The answer and the allocation are the same every time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "dp/table/table.h"
#include "tests/support/fixtures.h"

enum { MAX_KINDS = 200 };

static duet_instance *generate(const char *family, int64_t tasks, int64_t cpus, int64_t gpus)
{
    duet_instance *instance;
    duet_error error = DUET_ERROR_INIT;
    if (duet_test_generate(family, tasks, cpus, gpus, 3, NULL, &instance, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(duet_instance_kinds(instance) <= MAX_KINDS);
    return instance;
}

// A guess a little above the area bound: YES, with some room for choice.
static duet_table_guess guess_for(const duet_instance *instance)
{
    duet_bound bound;
    assert_int_equal(duet_test_bound(instance, "area", NULL, &bound, NULL), DUET_OK);
    duet_bound_release(&bound);
    return (duet_table_guess){.instance = instance,
                              .lambda = bound.value + bound.value / 20,
                              .rounded = DUET_GPU,
                              .grid = 1};
}

static duet_code decide(duet_table_form form, const duet_table_guess *guess, int threads,
                        size_t memory, duet_table_answer *answer, int64_t *on_gpu,
                        duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.memory_limit = memory;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    memset(answer, 0, sizeof *answer);
    answer->on_gpu = on_gpu;
    return duet_table_decide(form, guess, &context, answer, error);
}

// The unlimited answer, to compare with.
static void reference(const duet_table_guess *guess, duet_table_answer *answer, int64_t *on_gpu)
{
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(decide(DUET_TABLE_COLLAPSED, guess, 1, 0, answer, on_gpu, &error), DUET_OK);
    assert_true(answer->yes);
    assert_true(answer->has_work);
}

static void checkpoints(void **state)
{
    (void)state;
    duet_instance *instance = generate("unif4", 150, 3, 2);
    duet_table_guess guess = guess_for(instance);
    int64_t expected[MAX_KINDS];
    int64_t on_gpu[MAX_KINDS];
    duet_table_answer whole;
    duet_table_answer answer;
    duet_error error = DUET_ERROR_INIT;
    reference(&guess, &whole, expected);
    duet_table_size size;
    assert_int_equal(duet_table_measure(DUET_TABLE_COLLAPSED, &guess, true, &size, NULL), DUET_OK);
    assert_int_equal(whole.cells, size.cells);
    assert_true(whole.bytes <= size.bytes && size.least < size.bytes);
    uint64_t step = (size.bytes - size.least) / 9 + 1;
    uint64_t cells = whole.cells;
    for (uint64_t memory = size.bytes; memory >= size.least; memory -= step) {
        assert_int_equal(
            decide(DUET_TABLE_COLLAPSED, &guess, 2, (size_t)memory, &answer, on_gpu, &error),
            DUET_OK);
        assert_true(answer.bytes <= memory);
        assert_int_equal(answer.work, whole.work);
        assert_memory_equal(on_gpu, expected, duet_instance_kinds(instance) * sizeof *on_gpu);
        cells = answer.cells > cells ? answer.cells : cells;
    }
    assert_int_equal(
        decide(DUET_TABLE_COLLAPSED, &guess, 1, (size_t)size.least, &answer, on_gpu, &error),
        DUET_OK);
    assert_memory_equal(on_gpu, expected, duet_instance_kinds(instance) * sizeof *on_gpu);
    assert_true(cells > whole.cells); // something was computed again
    duet_instance_free(instance);
}

static void refusal(void **state)
{
    (void)state;
    duet_instance *instance = generate("unif4", 100, 4, 2);
    duet_table_guess guess = guess_for(instance);
    int64_t on_gpu[MAX_KINDS];
    duet_table_answer answer;
    for (int form = DUET_TABLE_PUBLISHED; form <= DUET_TABLE_COLLAPSED; form++) {
        duet_table_size size;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(duet_table_measure((duet_table_form)form, &guess, true, &size, NULL),
                         DUET_OK);
        assert_int_equal(decide((duet_table_form)form, &guess, 1, (size_t)size.least - 1, &answer,
                                on_gpu, &error),
                         DUET_E_LIMIT);
        assert_non_null(strstr(error.message, "MiB"));
        assert_non_null(strstr(error.message, "--memory"));
        assert_int_equal(answer.bytes, 0);
    }
    duet_instance_free(instance);
}

static void beyond_any_memory(void **state)
{
    (void)state;
    const duet_type platform[] = {{"cpu", 1000000}, {"gpu", 1000000}};
    const int64_t counts[] = {1000000, 3};
    const int64_t times[] = {5, 4, 7, 9};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 2,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_table_guess guess = {.instance = instance, .lambda = 9, .rounded = DUET_GPU, .grid = 1};
    int64_t on_gpu[2];
    duet_table_answer answer;
    for (int form = DUET_TABLE_PUBLISHED; form <= DUET_TABLE_COLLAPSED; form++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(decide((duet_table_form)form, &guess, 1, 0, &answer, on_gpu, &error),
                         DUET_E_LIMIT);
    }
    assert_int_equal(decide(DUET_TABLE_ADAPTIVE, &guess, 1, 0, &answer, on_gpu, NULL), DUET_OK);
    assert_true(answer.yes);
    duet_instance_free(instance);
}

// Steps take memory for every task, table or not: refused before they are allocated.
static void many_equal_tasks(void **state)
{
    (void)state;
    const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    const int64_t counts[] = {INT64_C(1) << 33};
    const int64_t times[] = {5, 4};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = 1,
                               .counts = counts,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_table_guess guess = {.instance = instance,
                              .lambda = INT64_C(1) << 34,
                              .rounded = DUET_GPU,
                              .grid = 1,
                              .relaxed = true};
    int64_t on_gpu[1];
    duet_table_answer answer;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(
        decide(DUET_TABLE_COLLAPSED, &guess, 1, (size_t)1 << 30, &answer, on_gpu, &error),
        DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "collapsed table takes at least"));
    duet_instance_free(instance);
}

static void threads(void **state)
{
    (void)state;
    duet_instance *instance = generate("corr", 100, 8, 2);
    duet_table_guess guess = guess_for(instance);
    int64_t expected[MAX_KINDS];
    int64_t on_gpu[MAX_KINDS];
    duet_table_answer one;
    duet_table_answer many;
    reference(&guess, &one, expected);
    for (int count = 2; count <= 5; count++) {
        assert_int_equal(decide(DUET_TABLE_COLLAPSED, &guess, count, 0, &many, on_gpu, NULL),
                         DUET_OK);
        assert_int_equal(many.work, one.work);
        assert_memory_equal(on_gpu, expected, duet_instance_kinds(instance) * sizeof *on_gpu);
    }
    duet_instance_free(instance);
}

// The same instance with all times multiplied; the cells are 64 bits wide then.
static duet_instance *scaled(const duet_instance *instance, int64_t factor)
{
    int64_t times[2 * MAX_KINDS];
    int64_t counts[MAX_KINDS];
    size_t kinds = duet_instance_kinds(instance);
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = duet_instance_kind_count(instance, i);
        for (size_t t = 0; t < 2; t++) {
            times[2 * i + t] = duet_instance_time(instance, i, t) * factor;
        }
    }
    const duet_type platform[] = {{"cpu", duet_instance_type_count(instance, 0)},
                                  {"gpu", duet_instance_type_count(instance, 1)}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *out;
    assert_int_equal(duet_instance_create(&desc, &out, NULL), DUET_OK);
    return out;
}

static void wide_cells(void **state)
{
    (void)state;
    const int64_t factor = INT64_C(1) << 40; // work up to nearly 2^62
    duet_instance *instance = generate("unif4", 100, 3, 2);
    duet_instance *large = scaled(instance, factor);
    duet_table_guess guess = guess_for(instance);
    duet_table_guess large_guess = guess;
    large_guess.instance = large;
    large_guess.lambda *= factor;
    int64_t expected[MAX_KINDS];
    int64_t on_gpu[MAX_KINDS];
    duet_table_answer narrow;
    duet_table_answer wide;
    reference(&guess, &narrow, expected);
    duet_table_size size;
    assert_int_equal(duet_table_measure(DUET_TABLE_COLLAPSED, &guess, true, &size, NULL), DUET_OK);
    assert_int_equal(size.cell_bytes, 4);
    assert_int_equal(duet_table_measure(DUET_TABLE_COLLAPSED, &large_guess, true, &size, NULL),
                     DUET_OK);
    assert_int_equal(size.cell_bytes, 8);
    for (int pass = 0; pass < 2; pass++) {
        size_t memory = pass == 0 ? 0 : (size_t)size.least;
        assert_int_equal(decide(DUET_TABLE_COLLAPSED, &large_guess, 1, memory, &wide, on_gpu, NULL),
                         DUET_OK);
        assert_int_equal(wide.work, narrow.work * factor);
        assert_memory_equal(on_gpu, expected, duet_instance_kinds(instance) * sizeof *on_gpu);
    }
    assert_int_equal(decide(DUET_TABLE_ADAPTIVE, &large_guess, 1, 0, &wide, on_gpu, NULL), DUET_OK);
    assert_true(wide.yes);
    duet_instance_free(instance);
    duet_instance_free(large);
}

static void cancelled(void **state)
{
    (void)state;
    duet_instance *instance = generate("unif4", 100, 3, 2);
    duet_table_guess guess = guess_for(instance);
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(cancel);
    duet_cancel_request(cancel);
    duet_params params = DUET_PARAMS_INIT;
    params.cancel = cancel;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    int64_t on_gpu[MAX_KINDS];
    for (int form = DUET_TABLE_PUBLISHED; form <= DUET_TABLE_COLLAPSED; form++) {
        duet_table_answer answer = {.on_gpu = on_gpu};
        assert_int_equal(duet_table_decide((duet_table_form)form, &guess, &context, &answer, NULL),
                         DUET_OK);
        assert_true(answer.stopped);
        assert_false(answer.yes);
        assert_int_equal(answer.certificate.proof, DUET_PROOF_NONE);
    }
    duet_cancel_free(cancel);
    duet_instance_free(instance);
}

static void grid_too_fine(void **state)
{
    (void)state;
    duet_instance *instance = generate("unif4", 100, 3, 2);
    duet_table_guess guess = guess_for(instance);
    guess.grid = INT64_C(1) << 57;
    duet_table_answer answer = {.yes = false};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(decide(DUET_TABLE_ADAPTIVE, &guess, 1, 0, &answer, NULL, &error),
                     DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "too fine"));
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoints),       cmocka_unit_test(refusal),
        cmocka_unit_test(beyond_any_memory), cmocka_unit_test(many_equal_tasks),
        cmocka_unit_test(threads),           cmocka_unit_test(wide_cells),
        cmocka_unit_test(cancelled),         cmocka_unit_test(grid_too_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
