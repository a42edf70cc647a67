// SPDX-License-Identifier: Apache-2.0
// Proofs written by hand: what a file may do to its reader, and limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "tests/support/proof_file.h"
#include "tests/support/proof_rows.h"

#define NO DUET_FORBIDDEN

static void files(void **state)
{
    (void)state;
    static const duet_proof_row rows[] = {
        {&duet_proof_sixes,
         "# a comment\n\n  bound 12\n\t# another\nclasses 1\r\narea 1 1\r\nprice 0\nend\n\n# and\n",
         NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend", NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\n",
         "'end', found the end of the file", 6},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\n",
         "the next node, found the end of the file", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nend\n",
         "expected the next node, 0 levels", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend\nend\n",
         "nothing after 'end'", 7},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend 1\n",
         "the end of the line", 6},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0 0\nend\n",
         "the end of the line", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprices\nend\n",
         "'set', 'here', 'area' or 'listed'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nPrice 0\nend\n", "found 'P'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprize 0\nend\n", "found 'prize'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\npriceless-and-more-than-that 0\nend\n",
         "a node, a vector or 'end', found 'p'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0x0\nend\n", "found 'x'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0.0\nend\n", "found '.'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice -0\nend\n", "found '-'", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice\nend\n",
         "found the end of the line", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 99999999999999999999\nend\n",
         "above 2^62", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 4611686018427387904\nend\n",
         "vector", 5},
        {&duet_proof_sixes, "bound 0\nclasses 1\narea 1 1\nprice 0\nend\n",
         "expected one of at least 1", 2},
        {&duet_proof_sixes, "bound 4611686018427387905\nclasses 1\nend\n", "at most 2^62", 2},
        {&duet_proof_sixes, "bound 4611686018427387904\nclasses 1\narea 1 1\nprice 0\nend\n",
         "price: by", 5},
        {&duet_proof_sixes,
         "bound 4611686018427387904\nclasses 1\narea 2147483647 2147483647\nknapsack 0\nend\n",
         "can be divided", 5},
        {&duet_proof_sixes, "classes 1\nbound 12\nend\n", "expected 'bound'", 2},
        {&duet_proof_sixes, "bound 12\narea 1 1\nend\n", "expected 'classes'", 3},
        {&duet_proof_sixes, "", "found the end of the file", 2},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

static void refuse_bytes(const duet_instance *instance, const char *text, size_t length)
{
    duet_error error = DUET_ERROR_INIT;
    duet_proof_stats stats;
    assert_int_equal(duet_verify_text(instance, text, length, 1, &stats, &error), DUET_E_INPUT);
    assert_false(stats.is_proof);
    assert_int_equal(error.line, 1);
}

// What is no proof at all is told from a proof that is wrong.
static void no_proofs(void **state)
{
    (void)state;
    duet_instance *instance = duet_proof_problem_instance(&duet_proof_sixes);
    static const char *const texts[] = {"",
                                        "duet-proof 2\nbound 12\n",
                                        "duet-proof\n",
                                        "duet-proof 1 1\n",
                                        "duet_proof 1\n",
                                        "{\"format\": \"duet-solution\"}\n",
                                        "bound 12\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        refuse_bytes(instance, texts[i], strlen(texts[i]));
    }
    const char nul[] = "duet\0proof 1\nbound";
    refuse_bytes(instance, nul, sizeof nul);
    const char text[] = "duet-proof ";
    char *binary = malloc(1 << 21);
    assert_non_null(binary);
    for (size_t i = 0; i < 1 << 21; i++) {
        binary[i] = (char)(i * 2654435761U >> 7 | 0x80);
    }
    refuse_bytes(instance, binary, 1 << 21);
    memset(binary, '0', 1 << 21);
    for (size_t i = 0; text[i] != '\0'; i++) {
        binary[i] = text[i];
    }
    refuse_bytes(instance, binary, 1 << 21); // a version of two million digits
    free(binary);
    duet_proof_stats stats;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_verify_proof(instance, "/tmp", 1, NULL, &stats, &error), DUET_E_INPUT);
    assert_false(stats.is_proof);
    error = (duet_error)DUET_ERROR_INIT;
    assert_int_equal(duet_verify_proof(instance, "/no/such", 1, NULL, &stats, &error),
                     DUET_E_INPUT);
    assert_string_equal(error.file, "/no/such");
    assert_false(stats.is_proof);
    duet_instance_free(instance);
}

// A proof whose tree is as deep as its class is large, and one whose prices end behind a megabyte.
static void deep_and_wide(void **state)
{
    (void)state;
    enum { N = 100000 };
    static const duet_proof_problem many = {1, 1, 1, {N}, {1, 1}, 0};
    duet_instance *instance = duet_proof_problem_instance(&many);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fprintf(stream, "duet-proof 1\nbound %d\nclasses 1\narea 1 1\n", N / 2);
    for (int i = N - 1; i >= 0; i--) {
        fprintf(stream, "branch 0 %d\n", i);
    }
    for (int i = 0; i <= N; i++) {
        fputs("price 0\n", stream);
    }
    fputs("end\n", stream);
    fclose(stream);
    duet_proof_stats stats;
    duet_error error = DUET_ERROR_INIT;
    if (duet_verify_text(instance, text, length, N / 2, &stats, &error) != DUET_OK) {
        fail_msg("line %d: %s", error.line, error.message);
    }
    assert_int_equal(stats.nodes, 2 * N + 1);
    assert_int_equal(stats.depth, N + 1);
    assert_int_equal(stats.vectors, 1);
    assert_int_equal(duet_verify_text(instance, text, length - 12, 1, NULL, NULL), DUET_E_INPUT);
    assert_int_equal(duet_verify_text(instance, text, length / 2, 1, NULL, NULL), DUET_E_INPUT);
    free(text);
    duet_instance_free(instance);
}

// Many tasks of one class: counts beyond any list, within the tick that is left.
static void large_counts(void **state)
{
    (void)state;
    static const duet_proof_problem many = {2, 3, 2, {1000000007, 3}, {5, 3, NO, 1000000009}, 0};
    static const duet_proof_row rows[] = {
        // By weights 3 and 5 the demand is 15 * 1000000007 + 5 * 3000000027 = 30000000240, and the
        // supply at most 21 L.
        {&many, "bound 1428571440\nclasses 2\narea 3 5\nprice 0\nend\n", NULL, 0},
        {&many, "bound 1428571441\nclasses 2\narea 3 5\nprice 0\nend\n", "the slack is 0:", 5},
        {&many, "bound 1428571440\nclasses 2\narea 3 5\nknapsack 0\nend\n", NULL, 0},
        {&many, "bound 1428571441\nclasses 2\narea 3 5\nknapsack 0\nend\n", "divided", 5},
        {&many,
         "bound 1428571440\nclasses 2\narea 3 5\nbranch 0 500000000\nknapsack 0\nprice 0\nend\n",
         NULL, 0},
        // Nothing to spare: a GPU with a task of class 1 would be full to the tick, but what that
        // leaves is no multiple of 3. One tick more, and 3 ticks may be lost on a GPU: two
        // patterns.
        {&many, "bound 1428571441\nclasses 2\narea 3 5\ncover 0 gpu 1 0\nend\n", NULL, 0},
        {&many, "bound 1428571441\nclasses 2\narea 3 5\ncover 0 gpu 1 1\nend\n", "expected 0", 5},
        {&many, "bound 1428571442\nclasses 2\narea 3 5\ncover 0 gpu 1 3\nend\n", "expected 2", 5},
        {&many, "bound 1428571442\nclasses 2\narea 3 5\ncover 0 gpu 1 1\nend\n", "at least 2", 5},
        {&many, "bound 1428571442\nclasses 2\narea 3 5\ncover 0 gpu 1 2\nprice 0\nend\n",
         "price: by vector 0 the slack is 15", 6},
    };
    // 90 ticks of work on two GPUs within 45: each is full, 3 a + 2 b = 45 with a = 5, 7, .. 15.
    static const duet_proof_problem full = {1, 2, 2, {20, 15}, {NO, 3, NO, 2}, 0};
    static const duet_proof_row full_rows[] = {
        {&full, "bound 46\nclasses 2\narea 0 1\ncover 0 gpu 0 6\nprice 0\nend\n",
         "the slack is 0:", 6},
        {&full, "bound 46\nclasses 2\narea 0 1\ncover 0 gpu 1 5\nprice 0\nend\n",
         "the slack is 0:", 6},
        {&full, "bound 45\nclasses 2\narea 0 1\ncover 0 gpu 0 0\nend\n", NULL, 0},
    };
    for (size_t i = 0; i < sizeof full_rows / sizeof *full_rows; i++) {
        duet_check_proof_row(&full_rows[i], i);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_check_proof_row(&rows[i], i);
    }
}

// Other than two types are named by their numbers.
static void three_types(void **state)
{
    (void)state;
    // Three tasks of 6, 6 and 9, and one of 5 and 7 that the second type cannot run: 11 at least.
    static const duet_proof_problem three = {1, 1, 2, {3, 1}, {6, 6, 9, 5, NO, 7}, .npus = 1};
#define ONES "bound 11\nclasses 2\nprices set 1 set 1 set 1  1 1 1  1 0 1\n"
    static const duet_proof_row rows[] = {
        {&three, ONES "price 0\nend\n", NULL, 0},
        {&three, ONES "branch 2 0 1\nprice 0\nbranch 0 1 0\nprice 0\nprice 0\nend\n", NULL, 0},
        {&three, ONES "list 0 2 0\nprice 0\nend\n", NULL, 0},
        {&three, ONES "count 1 0 0 1 0\nprice 0\nprice 0\nend\n", NULL, 0},
        {&three, ONES "branch 0 0 0\ncover 0 0 0 0\n", "0 to 0 go to type 0", 6},
        {&three, ONES "branch 0 0 1\nprice 0\ncover 0 0 0 0\nend\n", NULL, 0},
        {&three, ONES "branch 0 0 0\nbranch 1 0 0\ncover 0 2 0 0\nprice 0\nprice 0\nend\n", NULL,
         0},
        {&three, ONES "branch 3 0 0\n", "type 3: expected 0 to 2", 5},
        {&three, ONES "branch 0 0 3\n", "of class 0, 0 to 3 tasks go to type 0", 5},
        {&three, ONES "branch 1 1 0\n", "of class 1, 0 to 0 tasks go to type 1", 5},
        {&three, ONES "branch 0 0\n", "expected a number of tasks", 5},
        {&three, ONES "cover 0 cpu 0 0\n", "expected the number of a type, found 'c'", 5},
        {&three, ONES "cover 0 1 0 0\n", "0 to 3 go to type 1: expected one forced", 5},
        {&three, ONES "nowhere 0\n", "0 to 3 go to type 0: expected no choice", 5},
        {&three, "bound 11\nclasses 2\narea 1 1\n", "expected the type 2 weight", 4},
        {&three, "bound 11\nclasses 2\narea 0 0 0\n", "all weights are 0", 4},
        {&three, "bound 11\nclasses 2\nprices set 1 set 1 set 0  1 1 1  1 0 1\n",
         "type 2 limit 0: tasks of", 4},
        {&three, "bound 11\nclasses 2\nprices set 1 set 1 set 1  1 1 1  1 1 1\n",
         "type 1 price 1 of class 1: expected 0", 4},
        {&three, "bound 11\nclasses 2\nprices set 1 set 1 set 1  1 1 1  1 0\n",
         "expected a price per type for each class", 4},
        {&three, "bound 11\nclasses 2\nprices set 1 set 1 listed 1  1 1 1  1 0 1\nprice 0\n",
         "expected a list of the type 2 above", 5},
        {&three, "bound 12\nclasses 2\nprices set 2 set 1 set 1  1 1 1  1 0 1\nprice 0\n",
         "the slack is 0", 5},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

// The call's own errors.
static void calls(void **state)
{
    (void)state;
    const char text[] = "duet-proof 1\nbound 12\nclasses 1\narea 1 1\nprice 0\nend\n";
    duet_instance *instance = duet_proof_problem_instance(&duet_proof_sixes);
    assert_int_equal(duet_verify_text(instance, text, strlen(text), 12, NULL, NULL), DUET_OK);
    assert_int_equal(duet_verify_text(instance, text, strlen(text), 0, NULL, NULL), DUET_OK);
    assert_int_equal(duet_verify_text(instance, text, strlen(text), 13, NULL, NULL), DUET_E_INPUT);
    duet_instance_free(instance);
    const int64_t times[] = {1, 2, 3};
    const duet_type three[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    duet_instance_desc desc = {
        .struct_size = sizeof desc, .types = 3, .platform = three, .kinds = 1, .times = times};
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_verify_text(instance, text, strlen(text), 1, NULL, NULL), DUET_E_INPUT);
    const char knapsack[] = "duet-proof 1\nbound 2\nclasses 1\narea 1 1 1\nknapsack 0\nend\n";
    assert_int_equal(duet_verify_text(instance, knapsack, strlen(knapsack), 1, NULL, NULL),
                     DUET_E_UNSUPPORTED);
    duet_instance_free(instance);
}

// A proof without nodes, of vectors or comments alone, keeps to the caller's limits as any other.
static void limits(void **state)
{
    (void)state;
    enum { bytes = 3 << 20 };
    static const char header[] = "duet-proof 1\nbound 12\nclasses 1\n";
    static const struct {
        const char *line;
        size_t memory;
        bool cancelled;
        duet_code code;
    } cases[] = {{"area 1 1\n", 1 << 20, false, DUET_E_LIMIT},
                 {"area 1 1\n", 0, true, DUET_E_CANCELLED},
                 {"# nothing\n", 0, true, DUET_E_CANCELLED}};
    duet_instance *instance = duet_proof_problem_instance(&duet_proof_sixes);
    char *text = malloc(bytes);
    duet_cancel *cancel = duet_cancel_create();
    assert_non_null(text);
    duet_cancel_request(cancel);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = sizeof header - 1;
        memcpy(text, header, length);
        for (size_t line = strlen(cases[i].line); length + line <= bytes; length += line) {
            memcpy(text + length, cases[i].line, line);
        }
        duet_params params = DUET_PARAMS_INIT;
        params.memory_limit = cases[i].memory;
        params.cancel = cases[i].cancelled ? cancel : NULL;
        assert_int_equal(duet_verify_text_within(instance, text, length, 1, &params, NULL, NULL),
                         cases[i].code);
    }
    duet_cancel_free(cancel);
    free(text);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),         cmocka_unit_test(no_proofs),
        cmocka_unit_test(deep_and_wide), cmocka_unit_test(large_counts),
        cmocka_unit_test(three_types),   cmocka_unit_test(calls),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
