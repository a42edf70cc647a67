// SPDX-License-Identifier: Apache-2.0
// Limits of memory: what a call holds of its caller's allocator stays below the limit at any time,
// whatever the limit, and the call says so where that is not enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "core/system/allocator.h"
#include "core/system/memory.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

// An allocator that knows the sizes of its blocks.
typedef struct ledger {
    _Atomic size_t held, most;
} ledger;

enum { HEAD = 64 };

static void *open_block(ledger *l, char *whole, size_t bytes)
{
    if (whole == NULL) {
        return NULL;
    }
    memcpy(whole, &bytes, sizeof bytes);
    size_t held = atomic_fetch_add(&l->held, bytes) + bytes;
    size_t most = l->most;
    while (held > most && !atomic_compare_exchange_weak(&l->most, &most, held)) {
    }
    return whole + HEAD;
}

static void close_block(ledger *l, const void *block)
{
    size_t bytes;
    memcpy(&bytes, (const char *)block - HEAD, sizeof bytes);
    atomic_fetch_sub(&l->held, bytes);
}

static void *give(void *user, size_t bytes)
{
    return open_block(user, malloc(HEAD + bytes), bytes);
}

static void *change(void *user, void *block, size_t bytes)
{
    close_block(user, block);
    return open_block(user, realloc((char *)block - HEAD, HEAD + bytes), bytes);
}

static void take(void *user, void *block)
{
    close_block(user, block);
    free((char *)block - HEAD);
}

static duet_allocator of(ledger *l)
{
    *l = (ledger){.held = 0};
    return (duet_allocator){.struct_size = sizeof(duet_allocator),
                            .allocate = give,
                            .resize = change,
                            .release = take,
                            .user = l};
}

static void use(const duet_allocator *allocator)
{
    assert_int_equal(duet_use_allocator(allocator, NULL, NULL), DUET_OK);
}

// --- scopes --------------------------------------------------------------------------------------

static void scopes_count(void **state)
{
    (void)state;
    duet_memory_scope outer;
    duet_memory_scope inner;
    duet_error error = DUET_ERROR_INIT;
    assert_true(duet_memory_left() == SIZE_MAX);
    assert_int_equal(duet_memory_begin(&outer, 10000, NULL), DUET_OK);
    char *kept = duet_alloc(3000, 1, NULL);
    assert_non_null(kept);
    assert_true(duet_memory_left() < 7000);
    assert_null(duet_alloc(7000, 1, &error));
    assert_int_equal(error.code, DUET_E_MEMORY);
    assert_non_null(strstr(error.message, "--memory"));
    assert_null(duet_alloc(SIZE_MAX / 2, 1, NULL));

    // One within it takes from both.
    assert_int_equal(duet_memory_begin(&inner, 2000, NULL), DUET_OK);
    assert_null(duet_alloc_raw(2000, 1, NULL));
    char *block = duet_alloc_raw(1000, 1, NULL);
    assert_non_null(block);
    assert_null(duet_resize(block, 2000, 1, NULL)); // the block is as it was
    block = duet_resize(block, 1500, 1, NULL);
    assert_non_null(block);
    assert_null(duet_alloc_lines(500, NULL));
    block = duet_resize(block, 10, 1, NULL);
    assert_non_null(block);
    char *line = duet_alloc_lines(500, NULL);
    assert_non_null(line);
    duet_error_clear(&error);
    assert_int_equal(duet_memory_check(1500, 1, 0, "a test", &error), DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "--memory"));
    assert_int_equal(duet_memory_check(1000, 1, 0, "a test", NULL), DUET_OK);
    duet_memory_end(&inner);

    // What is left of it counts in the outer one; what is resized there, there alone.
    size_t left = duet_memory_left();
    duet_free(line);
    assert_true(duet_memory_left() >= left + 500);
    kept = duet_resize(kept, 6000, 1, NULL);
    assert_non_null(kept);
    duet_free(kept);
    assert_int_equal(duet_memory_begin(&inner, 0, NULL), DUET_OK); // the one there is
    assert_null(duet_alloc(10000, 1, NULL));
    duet_memory_end(&inner);
    duet_memory_end(&outer);
    assert_true(duet_memory_left() == SIZE_MAX);
    duet_free(block); // the last of both
}

// What is held changes what is left, but not the limit of a search, until a sixteenth is gone.
static void steady_limits(void **state)
{
    (void)state;
    enum { limit = 160000, part = limit / 16 };
    duet_memory_scope scope;
    assert_true(duet_memory_steady(limit) == limit && duet_memory_steady(10) == 10);
    assert_int_equal(duet_memory_begin(&scope, limit, NULL), DUET_OK);
    char *first = duet_alloc(100, 1, NULL);
    size_t left = duet_memory_limit(limit);
    assert_true(left < limit && duet_memory_steady(limit) == limit - part);
    char *second = duet_alloc(part / 2, 1, NULL);
    assert_true(duet_memory_limit(limit) < left);
    assert_true(duet_memory_steady(limit) == limit - part);
    char *third = duet_alloc(part, 1, NULL);
    assert_true(first != NULL && second != NULL && third != NULL);
    assert_true(duet_memory_steady(limit) == limit - 2 * part);
    char *fourth = duet_alloc(duet_memory_limit(limit) - part / 2, 1, NULL);
    assert_true(fourth != NULL && duet_memory_limit(limit) > 0);
    assert_true(duet_memory_steady(limit) == duet_memory_limit(limit)); // not nothing
    duet_free(fourth);
    duet_free(first);
    duet_free(second);
    duet_free(third);
    duet_memory_end(&scope);
}

static void input_raises_the_default(void **state)
{
    (void)state;
    duet_memory_scope scope;
    assert_int_equal(duet_memory_begin(&scope, 0, NULL), DUET_OK);
    assert_in_range(duet_memory_left(), DUET_MEMORY_DEFAULT - 100, DUET_MEMORY_DEFAULT);
    duet_memory_read(1000);
    assert_in_range(duet_memory_left(), DUET_MEMORY_DEFAULT - 100, DUET_MEMORY_DEFAULT);
    duet_memory_read(9999000);
    assert_in_range(duet_memory_left(), 9999999900u, 10000000000u);
    duet_memory_end(&scope);
    assert_int_equal(duet_memory_begin(&scope, 5000, NULL), DUET_OK);
    duet_memory_read(10000000);
    assert_in_range(duet_memory_left(), 4900, 5000);
    duet_memory_end(&scope);
}

// --- calls ---------------------------------------------------------------------------------------

enum { SLACK = 512 }; // what counts the rest

// A limit that was enough, or was not and is named.
static void judge(duet_code code, const duet_error *error, size_t limit, const ledger *l)
{
    assert_true(l->most <= limit + SLACK);
    if (code != DUET_OK && code != DUET_E_MEMORY && code != DUET_E_LIMIT) {
        fail_msg("limit %zu: %d, %s", limit, (int)code, error->message);
    }
    assert_true(code == DUET_OK || error->message[0] != '\0');
}

// Reads the scratch file within ever larger limits, until it is read.
static void read_within(void)
{
    size_t limit = 1;
    for (bool read = false; !read; limit += limit / 2 + 100) {
        ledger l;
        duet_allocator allocator = of(&l);
        duet_read_params params = DUET_READ_PARAMS_INIT;
        params.memory_limit = limit;
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        use(&allocator);
        duet_code code = duet_read_instance(duet_scratch_path, &params, &instance, &error);
        use(NULL);
        judge(code, &error, limit, &l);
        read = code == DUET_OK;
        assert_true(read == (instance != NULL));
        duet_instance_free(instance);
        assert_int_equal(l.held, 0);
        assert_true(limit < (size_t)1 << 28);
    }
    assert_true(limit > 10000); // some limits were not enough
}

static void readers_stay_within(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id,count,cpu,gpu,after\na,1,5,2,\nb,200,7,3,a\nc,100,1,,a\nd,1,2,2,\"b#3;c#7\"\n",
        "{\"platform\": [{\"type\": \"c\", \"count\": 300000000}], \"tasks\": [{\"id\": \"a\", "
        "\"work\": 1000, \"alpha\": 0}, {\"id\": \"b\", \"work\": 20, \"alpha\": 0.25}]}",
        "{\"platform\": [{\"type\": \"c\", \"count\": 3}, {\"type\": \"g\", \"count\": 1}], "
        "\"tasks\": [{\"id\": \"a\", \"count\": 100, \"times\": {\"c\": 3, \"g\": 1}}, {\"id\": "
        "\"b\", \"times\": {\"c\": 1}}], \"edges\": [[\"a#7\", \"b\"]]}",
        "digraph g { a [cpu=3, gpu=1]; b [cpu=2, gpu=9]; a -> b [cost=2]; }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        duet_scratch_put(texts[i], strlen(texts[i]));
        read_within();
    }
}

static void numbers_take_no_memory(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id,count,cpu,after\na,1,1,\nb,100000000,1,a\n",
        "id,count,cpu,after\na,100000,1,\nb,100000,1,a\n",
        ("{\"platform\": [{\"type\": \"c\", \"count\": 2147483647}], \"tasks\": [{\"id\": "
         "\"a\", \"work\": 1000000000000, \"alpha\": 0}]}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ledger l;
        duet_allocator allocator = of(&l);
        duet_read_params params = DUET_READ_PARAMS_INIT;
        params.memory_limit = (size_t)4 << 20;
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_scratch_put(texts[i], strlen(texts[i]));
        use(&allocator);
        duet_code code = duet_read_instance(duet_scratch_path, &params, &instance, &error);
        use(NULL);
        assert_true(code == DUET_E_LIMIT || code == DUET_E_MEMORY);
        assert_non_null(strstr(error.message, "--memory"));
        judge(code, &error, params.memory_limit, &l);
    }
}

static void solutions_stay_within(void **state)
{
    (void)state;
    enum { TASKS = 5000 };
    static const int64_t counts[] = {TASKS};
    static const int64_t times[] = {3, 1};
    duet_instance *instance = duet_test_pair(2, 1, 1, counts, times);
    duet_solution *made = duet_test_schedule(instance, "lpt", NULL);
    assert_int_equal(duet_write_solution(duet_scratch_path, instance, made, NULL), DUET_OK);
    duet_solution_free(made);
    size_t limit = 1;
    for (bool read = false; !read; limit += limit / 2 + 100) {
        ledger l;
        duet_allocator allocator = of(&l);
        duet_read_params params = DUET_READ_PARAMS_INIT;
        params.memory_limit = limit;
        duet_solution *solution = NULL;
        duet_error error = DUET_ERROR_INIT;
        use(&allocator);
        duet_code code =
            duet_read_solution(duet_scratch_path, &params, instance, &solution, &error);
        use(NULL);
        judge(code, &error, limit, &l);
        read = code == DUET_OK;
        assert_true(!read || duet_check_solution(instance, solution, NULL, NULL, NULL) == DUET_OK);
        duet_solution_free(solution);
        assert_int_equal(l.held, 0);
    }
    assert_true(limit > 10000);
    duet_instance_free(instance);
}

// A schedule of no task is judged without room for all tasks.
static void short_schedules_are_judged(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\": \"duet-solution\", \"version\": 1, \"instance\": \"v\", \"algorithm\": "
        "\"x\", \"platform\": [{\"type\": \"cpu\", \"count\": 1}, {\"type\": \"gpu\", \"count\": "
        "0}], \"status\": \"feasible\", \"makespan\": 1, \"lower_bound\": 0, \"schedule\": "
        "[{\"task\": \"0#5\", \"type\": \"cpu\", \"processor\": 0, \"start\": 0, \"end\": 1}], "
        "\"certificate\": {}}";
    static const int64_t counts[] = {100000000};
    static const int64_t times[] = {1, 1};
    duet_instance *instance = duet_test_pair(1, 0, 1, counts, times);
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.memory_limit = (size_t)1 << 20;
    duet_scratch_put(text, strlen(text));
    duet_solution *solution;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_read_solution(duet_scratch_path, &params, instance, &solution, &error),
                     DUET_OK);
    assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, &error), DUET_E_INPUT);
    assert_int_not_equal(error.message[0], '\0');
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// Algorithms and bounds within ever smaller limits: a schedule that holds, or the limit.
static void calls_stay_within(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"dualhp", "heft", "exact", "dual-4-3", "auto"};
    duet_random random;
    duet_instance *instance = duet_test_graph(&random, 3, 20, 30, 2);
    duet_instance *flat = duet_test_pair(3, 2, 6, (const int64_t[]){40, 30, 20, 10, 5, 1},
                                         (const int64_t[]){9, 2, 8, 7, 5, 5, 30, 9, 11, 4, 3, 1});
    int refused = 0;
    for (size_t limit = (size_t)8 << 20; limit > 0; limit /= 4) {
        for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
            ledger l;
            duet_allocator allocator = of(&l);
            duet_params params = DUET_PARAMS_INIT;
            params.memory_limit = limit;
            params.threads = 2;
            params.time_limit = 0.2;
            duet_solution *solution = NULL;
            duet_bound bound;
            duet_error error = DUET_ERROR_INIT;
            const duet_instance *on = a % 2 == 1 && a < 3 ? instance : flat;
            use(&allocator);
            duet_code code = duet_solve(on, algorithms[a], &params, &solution, &error);
            judge(code, &error, limit, &l);
            assert_true(code != DUET_OK ||
                        duet_check_solution(on, solution, NULL, NULL, NULL) == DUET_OK);
            duet_solution_free(solution);
            refused += code != DUET_OK;
            l.most = 0;
            duet_error_clear(&error);
            code = duet_test_bound(on, "area", &params, &bound, &error);
            use(NULL);
            judge(code, &error, limit, &l);
            duet_bound_release(&bound);
            assert_int_equal(l.held, 0);
        }
    }
    assert_true(refused > 0);
    duet_instance_free(instance);
    duet_instance_free(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_count),
        cmocka_unit_test(steady_limits),
        cmocka_unit_test(input_raises_the_default),
        cmocka_unit_test(readers_stay_within),
        cmocka_unit_test(numbers_take_no_memory),
        cmocka_unit_test(solutions_stay_within),
        cmocka_unit_test(short_schedules_are_judged),
        cmocka_unit_test(calls_stay_within),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
