// SPDX-License-Identifier: Apache-2.0
// Growing arrays: what was pushed stays, room grows by half, and a failure leaves all as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/system/memory.h"
#include "core/system/vec.h"

typedef struct pair {
    int32_t key;
    int64_t value;
} pair;

static void test_push(void **state)
{
    (void)state;
    pair *array = NULL;
    size_t count = 0;
    assert_int_equal(duet_vec_room(array), 0);
    for (int32_t i = 0; i < 1000; i++) {
        size_t before = duet_vec_room(array);
        assert_int_equal(duet_vec_push(array, count, NULL, (pair){i, -i}), DUET_OK);
        assert_int_equal(count, i + 1);
        size_t room = duet_vec_room(array);
        assert_int_equal(room, count <= before ? before : before < 16 ? 16 : before + before / 2);
    }
    for (int32_t i = 0; i < 1000; i++) {
        assert_true(array[i].key == i && array[i].value == -i);
    }
    duet_free(array);
}

// In as many elements as were asked for, in the steps of the same array that is pushed to.
static void test_reserve(void **state)
{
    (void)state;
    char *text = NULL;
    assert_int_equal(duet_vec_reserve(text, 0, NULL), DUET_OK);
    assert_null(text);
    assert_int_equal(duet_vec_reserve(text, 17, NULL), DUET_OK);
    assert_int_equal(duet_vec_room(text), 24);
    assert_int_equal(duet_vec_bytes(text), 24);
    assert_int_equal(duet_vec_reserve(text, 24, NULL), DUET_OK);
    assert_int_equal(duet_vec_room(text), 24);
    assert_int_equal(duet_vec_grow(text, 24, NULL), DUET_OK);
    assert_int_equal(duet_vec_room(text), 36);
    duet_free(text);
    // An array that was allocated for so many has room for so many.
    int64_t *numbers = duet_alloc(5, sizeof *numbers, NULL);
    assert_int_equal(duet_vec_room(numbers), 5);
    assert_int_equal(duet_vec_grow(numbers, 4, NULL), DUET_OK);
    assert_int_equal(duet_vec_room(numbers), 5);
    duet_free(numbers);
}

static void test_failure(void **state)
{
    (void)state;
    pair *array = NULL;
    size_t count = 0;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_vec_push(array, count, &error, (pair){1, 2}), DUET_OK);
    const pair *before = array;
    const size_t many[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof *array + 1};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        duet_error_clear(&error);
        assert_int_equal(duet_vec_reserve(array, many[i], &error), DUET_E_MEMORY);
        assert_int_equal(error.code, DUET_E_MEMORY);
        assert_ptr_equal(array, before);
    }
    assert_true(count == 1 && array[0].value == 2 && duet_vec_room(array) == 16);
    duet_free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_push), cmocka_unit_test(test_reserve),
                                       cmocka_unit_test(test_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
