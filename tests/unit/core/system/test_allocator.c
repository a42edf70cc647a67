// SPDX-License-Identifier: Apache-2.0
// Memory from the caller's own functions: per thread, remembered by every block, and handed on to
// the threads that a call starts. tests/faults has every public call under one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <duet/duet.h>

#include "core/number/random.h"
#include "core/system/allocator.h"
#include "core/system/memory.h"
#include "tests/support/fixtures.h"

// Counts, and has no more than `room` blocks to give.
typedef struct counts {
    _Atomic int64_t live, given, room;
} counts;

static void *give(void *user, size_t bytes)
{
    counts *c = user;
    void *block = --c->room < 0 ? NULL : malloc(bytes);
    c->live += block != NULL;
    c->given += block != NULL;
    return block;
}

static void *change(void *user, void *block, size_t bytes)
{
    counts *c = user;
    return --c->room < 0 ? NULL : realloc(block, bytes);
}

static void take(void *user, void *block)
{
    counts *c = user;
    c->live--;
    free(block);
}

static duet_allocator of(counts *c)
{
    *c = (counts){.room = INT64_MAX};
    return (duet_allocator){.struct_size = sizeof(duet_allocator),
                            .allocate = give,
                            .resize = change,
                            .release = take,
                            .user = c};
}

static void use(const duet_allocator *allocator)
{
    assert_int_equal(duet_use_allocator(allocator, NULL, NULL), DUET_OK);
}

static void test_refused(void **state)
{
    (void)state;
    counts c;
    duet_allocator good = of(&c);
    duet_allocator bad[] = {good, good, good, good};
    bad[0].struct_size = 8;
    bad[1].allocate = NULL;
    bad[2].resize = NULL;
    bad[3].release = NULL;
    use(&good);
    for (size_t i = 0; i < 4; i++) {
        duet_error error = DUET_ERROR_INIT;
        const duet_allocator *before = &bad[i];
        assert_int_equal(duet_use_allocator(&bad[i], &before, &error), DUET_E_USAGE);
        assert_ptr_equal(before, &bad[i]);
        assert_ptr_equal(duet_source_current().allocator, &good);
    }
    const duet_allocator *before = NULL;
    assert_int_equal(duet_use_allocator(NULL, &before, NULL), DUET_OK);
    assert_ptr_equal(before, &good);
    assert_null(duet_source_current().allocator);
}

static bool holds(const unsigned char *memory, size_t bytes, unsigned char value)
{
    size_t same = 0;
    while (same < bytes && memory[same] == value) {
        same++;
    }
    return same == bytes;
}

// Every way to get a block, in random order, under allocators that come and go.
static void test_blocks(void **state)
{
    (void)state;
    enum { SLOTS = 40, STEPS = 20000 };
    counts c[2];
    const duet_allocator allocators[2] = {of(&c[0]), of(&c[1])};
    duet_random random;
    duet_random_seed(&random, 7);
    struct {
        unsigned char *memory;
        size_t size;
        bool lines;
    } slot[SLOTS] = {{NULL, 0, false}};
    for (int step = 0; step < STEPS; step++) {
        int which = (int)duet_random_between(&random, 0, 2);
        use(which == 2 ? NULL : &allocators[which]);
        size_t i = (size_t)duet_random_between(&random, 0, SLOTS - 1);
        size_t size = (size_t)duet_random_between(&random, 0, 300);
        assert_true(holds(slot[i].memory, slot[i].size, (unsigned char)i));
        if (slot[i].memory != NULL && !slot[i].lines && duet_random_between(&random, 0, 1) == 0) {
            slot[i].memory = duet_resize(slot[i].memory, size, 1, NULL);
            size_t kept = size < slot[i].size ? size : slot[i].size;
            assert_true(holds(slot[i].memory, kept, (unsigned char)i));
        } else {
            duet_free(slot[i].memory);
            int way = (int)duet_random_between(&random, 0, 2);
            slot[i].lines = way == 2;
            slot[i].memory = way == 0   ? duet_alloc(size, 1, NULL)
                             : way == 1 ? duet_alloc_raw(1, size, NULL)
                                        : duet_alloc_lines(size, NULL);
            assert_int_equal((uintptr_t)slot[i].memory % (way == 2 ? 64 : sizeof(max_align_t) / 2),
                             0);
            assert_true(way != 0 || holds(slot[i].memory, size, 0));
        }
        assert_non_null(slot[i].memory);
        slot[i].size = size;
        memset(slot[i].memory, (int)i, size);
    }
    use(NULL);
    for (size_t i = 0; i < SLOTS; i++) {
        duet_free(slot[i].memory);
    }
    assert_true(c[0].given > 100 && c[1].given > 100);
    assert_int_equal(c[0].live, 0);
    assert_int_equal(c[1].live, 0);
}

static void test_sizes(void **state)
{
    (void)state;
    counts c;
    duet_allocator allocator = of(&c);
    // The last two only with the size of an element, and only with a line before the block.
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 2, SIZE_MAX - 70};
    for (int own = 0; own < 2; own++) {
        use(own ? &allocator : NULL);
        for (size_t i = 0; i < 4; i++) {
            duet_error error = DUET_ERROR_INIT;
            if (i < 3) {
                size_t element = i == 2 ? 4 : 1;
                assert_null(duet_alloc(sizes[i], element, &error));
                assert_int_equal(error.code, DUET_E_MEMORY);
                assert_null(duet_alloc_raw(sizes[i], element, NULL));
                void *block = duet_alloc(8, 1, NULL);
                assert_null(duet_resize(block, sizes[i], element, NULL));
                duet_free(block);
            }
            if (i != 2) {
                assert_null(duet_alloc_lines(sizes[i], NULL));
            }
        }
    }
    use(NULL);
    assert_int_equal(c.live, 0);
}

// Sixty tasks that keep `exact` and `auto` busy.
static duet_instance *sample(uint64_t seed)
{
    duet_instance *instance;
    assert_int_equal(duet_test_generate("unif2", 60, 6, 2, seed, NULL, &instance, NULL), DUET_OK);
    return instance;
}

static duet_solution *solve(const duet_instance *instance, const char *algorithm, int threads)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.time_limit = 20;
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, algorithm, &params, &solution, NULL), DUET_OK);
    return solution;
}

// A solution that other threads' allocators and the end of the choice do not reach; threads of the
// call take their memory from the same place, and what they leave goes back there.
static void test_solve(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "exact", "dual-4-3", "heteroprio"};
    for (size_t i = 0; i < 4; i++) {
        for (int threads = 1; threads <= 3; threads += 2) {
            counts c;
            duet_allocator allocator = of(&c);
            duet_instance *plain = sample(i);
            duet_solution *expected = solve(plain, names[i], threads);
            use(&allocator);
            duet_instance *instance = sample(i);
            duet_solution *solution = solve(instance, names[i], threads);
            use(NULL);
            assert_true(c.live > 0);
            assert_int_equal(duet_check_solution(instance, solution, NULL, NULL, NULL), DUET_OK);
            assert_int_equal(duet_solution_makespan(solution), duet_solution_makespan(expected));
            assert_non_null(duet_solution_placements(solution));
            duet_solution_free(expected);
            duet_instance_free(plain);
            duet_solution_free(solution);
            duet_instance_free(instance);
            assert_int_equal(c.live, 0);
        }
    }
}

static void test_exhausted(void **state)
{
    (void)state;
    counts c;
    duet_allocator allocator = of(&c);
    duet_instance *instance = sample(1);
    use(&allocator);
    for (int64_t room = 0; room < 40; room++) {
        c.room = room;
        duet_error error = DUET_ERROR_INIT;
        duet_solution *solution;
        duet_code code = duet_solve(instance, "dual-4-3", NULL, &solution, &error);
        assert_true(code == DUET_OK || code == DUET_E_MEMORY);
        assert_true(room > 3 || code == DUET_E_MEMORY);
        duet_solution_free(solution);
        assert_int_equal(c.live, 0);
    }
    use(NULL);
    duet_instance_free(instance);
}

typedef struct worker {
    duet_allocator allocator;
    counts counts;
    duet_instance *instance;
    duet_solution *solution;
} worker;

static void *work(void *data)
{
    worker *w = data;
    const duet_allocator *before = &w->allocator;
    bool fresh = duet_use_allocator(&w->allocator, &before, NULL) == DUET_OK && before == NULL;
    duet_solution *solution;
    for (int i = 0; i < 6 && fresh; i++) {
        fresh = duet_solve(w->instance, "auto", NULL, &solution, NULL) == DUET_OK;
        duet_solution_free(fresh ? w->solution : NULL);
        w->solution = fresh ? solution : w->solution;
    }
    return fresh ? w : NULL;
}

// Threads with allocators of their own, side by side; freed by another one.
static void test_threads(void **state)
{
    (void)state;
    enum { WORKERS = 3 };
    static worker workers[WORKERS];
    pthread_t threads[WORKERS];
    duet_instance *instance = sample(3);
    for (size_t i = 0; i < WORKERS; i++) {
        workers[i].allocator = of(&workers[i].counts);
        workers[i].instance = instance;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        assert_non_null(result);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        assert_true(workers[i].counts.live > 0);
        duet_solution_free(workers[i].solution);
        assert_int_equal(workers[i].counts.live, 0);
    }
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_solve),
        cmocka_unit_test(test_exhausted), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
