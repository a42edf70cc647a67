// SPDX-License-Identifier: Apache-2.0
// Arenas: arrays that do not overlap, aligned and zeroed, and none of them where one does not fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/system/arena.h"

static void test_arrays(void **state)
{
    (void)state;
    duet_arena arena;
    char *bytes = NULL;
    int64_t *numbers = NULL;
    double *none = NULL;
    int32_t *last = NULL;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(bytes, 3), DUET_ARENA_ARRAY(numbers, 5),
                                       DUET_ARENA_ARRAY(none, 0), DUET_ARENA_ARRAY(last, 7)};
    assert_int_equal(duet_arena_create(&arena, arrays, sizeof arrays / sizeof *arrays, NULL),
                     DUET_OK);
    assert_true(bytes != NULL && numbers != NULL && none != NULL && last != NULL);
    assert_int_equal((uintptr_t)numbers % _Alignof(max_align_t), 0);
    assert_int_equal((uintptr_t)last % _Alignof(max_align_t), 0);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(numbers[i], 0);
    }
    memset(bytes, 1, 3);
    memset(last, 2, 7 * sizeof *last);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(numbers[i], 0);
        numbers[i] = -1;
    }
    assert_int_equal(bytes[2], 1);
    assert_int_equal(last[0], 0x02020202);
    duet_arena_free(&arena);
    assert_null(arena.block);
    duet_arena_free(&arena);
}

// Sizes are checked one by one and in sum: nothing is allocated, and no pointer is set.
static void test_overflow(void **state)
{
    (void)state;
    static const size_t counts[][2] = {
        {SIZE_MAX / 4, 1}, {SIZE_MAX / 16, SIZE_MAX / 16}, {SIZE_MAX / 8 - 1, 1}, {1, SIZE_MAX}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        duet_arena arena;
        int64_t *one = NULL;
        int64_t *other = NULL;
        const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(one, counts[i][0]),
                                           DUET_ARENA_ARRAY(other, counts[i][1])};
        assert_int_equal(duet_arena_create(&arena, arrays, 2, NULL), DUET_E_MEMORY);
        assert_true(arena.block == NULL && one == NULL && other == NULL);
        duet_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
