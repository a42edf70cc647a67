// SPDX-License-Identifier: Apache-2.0
// Proofs written by hand: every kind of node, right and wrong, and what a file may do to its
// reader.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "tests/support/proof_file.h"

typedef struct problem {
    int64_t cpus, gpus;
    size_t kinds;
    int64_t counts[4];
    int64_t times[8];
    int64_t npus; // above 0 on three types
} problem;

#define NO DUET_FORBIDDEN

// Three tasks of 6 on one CPU and one GPU: the optimum is 12.
static const problem sixes = {1, 1, 1, {3}, {6, 6}, 0};
// Optimum 9: five tasks of 3, 4, 5 on one CPU or two GPUs; c and d only on the GPUs.
static const problem mixed = {1, 2, 4, {2, 1, 1, 1}, {5, 4, 9, 8, NO, 5, NO, 7}, 0};
// Nothing runs anywhere within 4 but the first.
static const problem longs = {1, 1, 2, {1, 2}, {3, 3, 5, 7}, 0};
// A task that takes no time on the GPU, and two kinds of equal times.
static const problem zeros = {1, 1, 4, {5, 1, 1, 1}, {3, 0, 4, 4, 4, 4, 4, 4}, 0};
// No GPU at all.
static const problem no_gpu = {2, 0, 2, {3, 2}, {4, 1, 3, 1}, 0};

static duet_instance *make(const problem *p)
{
    const duet_type platform[] = {{"cpu", p->cpus}, {"gpu", p->gpus}, {"npu", p->npus}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = p->npus > 0 ? 3 : 2,
                               .platform = platform,
                               .kinds = p->kinds,
                               .counts = p->counts,
                               .times = p->times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// `fault` is part of the message, or NULL where the proof holds.
typedef struct row {
    const problem *problem;
    const char *text; // after the first line
    const char *fault;
    int line;
} row;

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        char place[700];
        int length = snprintf(text, sizeof text, "duet-proof 1\n%s", rows[i].text);
        duet_instance *instance = make(rows[i].problem);
        duet_error error = DUET_ERROR_INIT;
        duet_proof_stats stats;
        duet_code code = duet_verify_text(instance, text, (size_t)length, 1, &stats, &error);
        duet_error_format(&error, place, sizeof place);
        if (rows[i].fault == NULL) {
            if (code != DUET_OK) {
                fail_msg("row %zu: %s\n%s", i, place, text);
            }
            assert_true(stats.bound <= duet_exhaustive_optimum(instance));
        } else if (code != DUET_E_INPUT || strstr(error.message, rows[i].fault) == NULL) {
            fail_msg("row %zu: expected '%s', got code %d '%s'\n%s", i, rows[i].fault, (int)code,
                     place, text);
        } else if (rows[i].line != error.line) {
            fail_msg("row %zu: expected line %d: %s", i, rows[i].line, place);
        }
        assert_true(stats.is_proof);
        duet_instance_free(instance);
    }
}

static void leaves(void **state)
{
    (void)state;
    static const row rows[] = {
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&sixes, "bound 13\nclasses 1\narea 1 1\nprice 0\nend\n", "the slack is 6:", 5},
        {&sixes, "bound 12\nclasses 1\narea 2 1\nprice 0\nend\n", "the slack is 0:", 5},
        {&sixes, "bound 12\nclasses 1\narea 0 1\nprice 0\nend\n", "price: by vector 0", 5},
        {&sixes, "bound 12\nclasses 1\narea 0 0\nprice 0\nend\n", "expected one above 0", 4},
        {&sixes, "bound 12\nclasses 1\narea 2147483648 1\nprice 0\nend\n", "2^31 - 1", 4},
        {&sixes, "bound 12\nclasses 1\narea 2147483647 2147483647\nprice 0\nend\n", NULL, 0},
        {&sixes, "bound 12\nclasses 1\nprice 0\narea 1 1\nend\n", "expected one of the 0", 4},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 1\nend\n", "expected one of the 1", 5},
        // Prices: one task of 6 per processor.
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1\nprice 0\nend\n", NULL, 0},
        {&sixes, "bound 12\nclasses 1\nprices area 1 set 1 1 1\nprice 0\nend\n", NULL, 0},
        {&sixes, "bound 12\nclasses 1\nprices area 1 area 1   1\t1 \nprice 0\nend\n", NULL, 0},
        {&sixes, "bound 12\nclasses 1\nprices set 0 set 1 1 1\nprice 0\nend\n",
         "CPU limit 0: tasks of 6 ticks are priced above it", 4},
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 0 1 1\nprice 0\nend\n",
         "GPU limit 0: tasks of 6 ticks are priced above it", 4},
        {&sixes, "bound 13\nclasses 1\nprices set 1 set 2 1 1\nprice 0\nend\n",
         "CPU limit 1: tasks of 12 ticks are priced above it", 4},
        {&sixes, "bound 13\nclasses 1\nprices area 1 set 2 1 1\nprice 0\nend\n",
         "CPU price 1 of class 0: expected at most", 4},
        {&sixes, "bound 13\nclasses 1\nprices set 2 set 2 1 1\nprice 0\nend\n",
         "the slack is 1:", 5},
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 1 1\nprice 0\nend\n",
         "two prices for each class, found the end of the line", 4},
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1 1\nprice 0\nend\n",
         "expected the end of the line", 4},
        {&sixes, "bound 12\nclasses 1\nprices some 1 set 1 1 1\nend\n", "'set', 'area' or 'listed'",
         4},
        {&sixes, "bound 12\nclasses 1\nprices set 67108865 set 1 1 1\nend\n", "at most 2^26", 4},
        {&sixes, "bound 12\nclasses 1\nprices area 2147483648 set 1 1 1\nend\n", "2^31 - 1", 4},
        {&sixes, "bound 12\nclasses 1\nprices set 67108864 set 1 1 1\nprice 0\nend\n",
         "the slack is 67108862:", 5},
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 1 -1 1\nend\n", "found '-'", 4},
        // Knapsack.
        {&sixes, "bound 12\nclasses 1\narea 1 1\nknapsack 0\nend\n", NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 1 0\nknapsack 0\nend\n", NULL, 0},
        {&sixes, "bound 13\nclasses 1\narea 1 1\nknapsack 0\nend\n", "can be divided", 5},
        {&sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1\nknapsack 0\nend\n",
         "expected an area vector", 5},
        // A time above L is unusable; a task without any is a proof.
        {&longs, "bound 5\nclasses 2\nnowhere 1\nend\n", NULL, 0},
        {&longs, "bound 5\nclasses 2\nnowhere 0\nend\n", "expected no choice for any", 4},
        {&longs, "bound 6\nclasses 2\nnowhere 1\nend\n", "expected no choice for any", 4},
        {&longs, "bound 5\nclasses 2\nnowhere 2\nend\n", "class 2: expected one of the 2", 4},
        {&longs, "bound 6\nclasses 2\nprices set 1 set 0 0 0 1 0\nprice 0\nend\n", NULL, 0},
        {&longs, "bound 6\nclasses 2\nprices set 1 set 0 0 0 1 1\nprice 0\nend\n",
         "GPU price 1 of class 1: expected 0", 4},
        // What takes no time somewhere is left out; equal kinds are one class.
        {&zeros, "bound 8\nclasses 1\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&zeros, "bound 9\nclasses 1\narea 1 1\nprice 0\nend\n", "price: by vector 0", 5},
        {&zeros, "bound 8\nclasses 2\narea 1 1\nprice 0\nend\n", "expected 1, as the instance", 3},
        {&zeros, "bound 8\nclasses 4\narea 1 1\nprice 0\nend\n", "expected 1, as the instance", 3},
        {&zeros, "bound 1\nclasses 1\nnowhere 0\nend\n", NULL, 0},
        {&no_gpu, "bound 9\nclasses 2\narea 1 0\nprice 0\nend\n", NULL, 0},
        {&no_gpu, "bound 10\nclasses 2\narea 1 0\nprice 0\nend\n", "price: by vector 0", 5},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

static void branches(void **state)
{
    (void)state;
    static const row rows[] = {
        {&sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nbranch 0 1\nprice 0\nprice 0\nend\n",
         NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1\nprice 0\nprice 1\nend\n",
         NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1\nprice 1\nprice 0\nend\n",
         "price: by vector 1", 7},
        {&sixes, "bound 12\nclasses 1\narea 0 1\nbranch 0 1\nprice 0\narea 1 0\nprice 1\nend\n",
         NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 3\nprice 0\nprice 0\nend\n",
         "branch at 3: of class 0, 0 to 3 tasks", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 1 0\nprice 0\nprice 0\nend\n",
         "class 1: expected", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nbranch 0 0\nprice 0\nend\n",
         "branch at 0: of class 0, 0 to 0", 6},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nend\n",
         "expected the next node, 1 levels", 7},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nprice 0\nprice 0\nend\n",
         "a node after the last", 8},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0\nprice 0\nprice 0\nend\n",
         "expected a number of tasks, found the end of the line", 5},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

// Three tasks of 6 within 11: of two forced onto the GPU, one is a pattern and one is left.
static void covers(void **state)
{
    (void)state;
    static const row rows[] = {
        {&sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 0\n"
         "cover 0 cpu 0 0\nend\n",
         NULL, 0},
        // With a slack of 1 there is a pattern, and then one task too many.
        {&sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 1\ncover 0 gpu 0 0\ncover 0 cpu 0 1\ncover 0 cpu 0 0\nend\n",
         NULL, 0},
        {&sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 0\ncover 0 gpu 0 0\nend\n",
         "cover with 0 children: expected at least 1", 6},
        {&sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 2\ncover 0 gpu 0 0\ncover 0 gpu 0 0\nend\n",
         "cover with 2 children: expected 1", 6},
        {&sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 cpu 0 1\ncover 0 gpu 0 0\nend\n",
         "expected one forced onto the type", 6},
        {&sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 0 1\nend\n",
         "cover: of the 3 tasks left of class 0, 0 to 3 go to GPUs", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 fpga 0 1\nend\n", "'cpu' or 'gpu'", 5},
        // An item of its own line, with nothing after it.
        {&longs, "bound 5\nclasses 2\narea 1 1\ncover 0 cpu 1 0 end\n",
         "expected the end of the line, found 'e'", 5},
        {&longs, "bound 5\nclasses 2\nnowhere 1 end\n", "expected the end of the line, found 'e'",
         4},
        {&sixes, "bound 12\nclasses 1\narea 1 1 price 0\nend\n",
         "expected the end of the line, found 'p'", 4},
        {&sixes, "bound 12\nclasses 1 area 1 1\nprice 0\nend\n",
         "expected the end of the line, found 'a'", 3},
        {&sixes, "bound 12\nclasses 1\narea 1 1\ncover 1 gpu 0 1\nend\n", "vector 1: expected", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 1 1\nend\n", "class 1: expected", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 0\nend\n", "the number of children",
         5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 9223372036854775807\n",
         "found a number above 2^62", 6},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 4611686018427387904\n",
         "expected 0, as many as there are patterns", 6},
        // Types are fixed loosely: one task of class 2 must be on a GPU, wherever the others are.
        // Within 8 the supply is 2 * 8 + 1 * 5 (the CPU's capacity is 5), less than the demand of
        // 4 + 4 + 8 + 5 + 7.
        {&mixed, "bound 9\nclasses 4\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&longs, "bound 5\nclasses 2\narea 1 1\ncover 0 cpu 1 0\nend\n", NULL, 0},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

// Children come by decreasing price, ties by more of the lower class: only that order closes.
static void order_of_children(void **state)
{
    (void)state;
    // Within 6 on one GPU and one CPU, all but d on the GPU only: a 2, b 2, c 4, d 6 on a CPU.
    static const problem three = {1, 2, 4, {1, 1, 1, 1}, {NO, 2, NO, 2, NO, 4, 6, 7}, 0};
    static const row rows[] = {
        // Classes a and b are one: two tasks of 2. Everything on the GPUs takes 8 of 12.
        {&three, "bound 5\nclasses 3\nnowhere 2\nend\n", NULL, 0},
        {&three, "bound 6\nclasses 3\nnowhere 2\nend\n", NULL, 0},
        {&three, "bound 7\nclasses 3\nnowhere 2\nend\n", "expected no choice", 4},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
    // Five tasks on two GPUs within 7: 4 4 3 2 2 take 15 of 14. By prices 2 2 1 1 1 the tasks of a
    // GPU have a price of at most 3 (4+3, 4+2, 3+2+2). The demand is 7 and the supply 6, which
    // refutes it at once. With a limit of 4 a cover of the class of 3 has, by decreasing price:
    // {4,3}, {3,2,2}, {3,2}, {3}.
    static const problem five = {1, 2, 3, {2, 1, 2}, {NO, 4, NO, 3, NO, 2}, 0};
    static const row more[] = {
        {&five, "bound 8\nclasses 3\nprices set 0 set 3 0 2 0 1 0 1\nprice 0\nend\n", NULL, 0},
        {&five,
         "bound 8\nclasses 3\nprices set 0 set 3 0 2 0 1 0 1\nprices set 0 set 4 0 2 0 1 0 1\n"
         "cover 1 gpu 1 2\nprice 0\nprice 0\nend\n",
         NULL, 0},
        {&five,
         "bound 8\nclasses 3\narea 0 1\nprices set 0 set 5 0 2 0 1 0 1\n"
         "cover 1 gpu 1 3\nprice 0\nprice 0\nprice 0\nend\n",
         NULL, 0},
        // The first child has 4 2 2 left, of which no set of price 4 fits; the second has 4 4.
        {&five,
         "bound 8\nclasses 3\narea 0 1\nprices set 0 set 5 0 2 0 1 0 1\n"
         "cover 1 gpu 1 3\ncover 1 gpu 2 0\nprice 0\nprice 0\nend\n",
         NULL, 0},
        {&five,
         "bound 8\nclasses 3\narea 0 1\nprices set 0 set 5 0 2 0 1 0 1\n"
         "cover 1 gpu 1 3\nprice 0\ncover 1 gpu 2 0\nprice 0\nend\n",
         "expected one forced onto the type", 8},
    };
    check_rows(more, sizeof more / sizeof *more);
}

// Five tasks of 4, 4, 3, 2, 2 on two GPUs within 7. By its vector 0 a GPU holds 4+3, 4+2 or 3+2+2:
// those of price 3, where the limit says 4.
#define FIVE_HEAD "bound 8\nclasses 3\nprices set 0 set 4 0 2 0 1 0 1\n"
#define FIVE FIVE_HEAD "list 0 gpu 3\n"
#define CLOSE "prices set 0 listed 3 0 2 0 1 0 1\nprice 1\nend\n"
// The two children of a count of GPUs with a 4: at most one, at least two.
#define AT_MOST "prices set 0 listed 0 0 1 0 0 0 0 counts 1 1\n"
#define AT_LEAST "prices set 0 listed 3 0 0 0 1 0 1 counts 1 2\n"
// Three tasks of 6 on one CPU and one GPU within 11, by limits of 2 where 1 would do.
#define SIXES_HEAD "bound 12\nclasses 1\nprices set 2 set 2 1 1\n"
#define SIXES SIXES_HEAD "list 0 cpu 1\n"

static const problem five = {1, 2, 3, {2, 1, 2}, {NO, 4, NO, 3, NO, 2}, 0};
static const row list_rows[] = {
    // Lists.
    {&five, FIVE CLOSE, NULL, 0},
    {&five, FIVE_HEAD "list 0 gpu 2\n" CLOSE, "list of 2 patterns: expected at least 3", 5},
    {&five, FIVE_HEAD "list 0 gpu 0\n" CLOSE, "list of 0 patterns: expected at least 1", 5},
    {&five, FIVE_HEAD "list 0 gpu 4\n" CLOSE, "list of 4 patterns: expected 3", 5},
    {&five, FIVE_HEAD "list 0 gpu 4611686018427387904\n" CLOSE, "patterns: expected 3", 5},
    {&five, FIVE_HEAD "list 1 gpu 3\n" CLOSE, "expected one of the 1", 5},
    {&five, FIVE_HEAD "list 0 fpga 3\n" CLOSE, "'cpu' or 'gpu'", 5},
    {&five, FIVE_HEAD "list 0 gpu\n" CLOSE, "the number of patterns", 5},
    {&five, FIVE_HEAD "list 0 gpu 3 3\n" CLOSE, "the end of the line", 5},
    {&five, FIVE CLOSE "price 1\n", "nothing after 'end'", 9},
    {&five, FIVE "price 0\nend\n", "the slack is 1:", 6},
    {&five, FIVE "list 0 gpu 3\nlist 0 gpu 3\n" CLOSE, NULL, 0},
    {&five, FIVE "list 0 gpu 2\n" CLOSE, "list of 2 patterns: expected 3", 6},
    {&five, FIVE "list 0 gpu 4\n" CLOSE, "list of 4 patterns: expected 3", 6},
    {&five, FIVE "list 0 cpu 0\n" CLOSE, NULL, 0},
    // What closes above a list does so below it, and then there are no patterns.
    {&five, "bound 8\nclasses 3\narea 0 1\nlist 0 gpu 0\nprice 0\nend\n", NULL, 0},
    {&five, "bound 8\nclasses 3\narea 0 1\nlist 0 gpu 1\nprice 0\nend\n", "expected 0", 5},
    {&five, FIVE "area 0 1\nlist 1 gpu 0\nprices set 0 listed 0 0 9 0 1 0 0\nprice 2\nend\n", NULL,
     0},
    {&five, FIVE "area 0 1\nlist 1 gpu 1\nprice 1\nend\n", "list of 1 patterns: expected 0", 7},
    // In the list of the GPUs with a 4, each has one other task: of three that is not enough.
    {&five,
     FIVE "prices set 0 set 1 0 1 0 0 0 0\nlist 1 gpu 2\n"
          "prices set 0 listed 1 0 0 0 1 0 1\nprice 2\nend\n",
     NULL, 0},
    {&five,
     FIVE "prices set 0 set 1 0 1 0 0 0 0\nlist 1 gpu 2\n"
          "prices set 0 set 1 0 0 0 1 0 1\nprice 2\nend\n",
     "GPU limit 1: tasks of", 8},
    {&five,
     FIVE "prices set 0 listed 1 0 0 0 1 0 1\nprices set 0 set 1 0 1 0 0 0 0\nprice 1\nend\n",
     "a listed pattern of the GPUs is priced above the limit 1 of vector 1", 8},
    // Without the list above there would be more of them: 4+3, 4+2+.., each 4 with anything.
    {&five, "bound 8\nclasses 3\nprices set 0 set 1 0 1 0 0 0 0\nlist 0 gpu 3\nprice 0\nend\n",
     "the slack is 0:", 6},
    // A vector that was held below a list is not held beside it.
    {&sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "price 1\nend\n",
     "expected a list of the CPUs above", 10},
    {&sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "list 0 cpu 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0 of vector 1", 11},
    {&sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "list 0 cpu 1\nlist 0 gpu 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0 of vector 1", 12},
    // Listed vectors.
    {&sixes, SIXES "prices listed 1 set 1 1 1\nprice 1\nend\n", NULL, 0},
    {&sixes, SIXES "prices listed 0 set 1 1 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0", 7},
    {&sixes, SIXES "prices listed 1 listed 1 1 1\nprice 1\nend\n",
     "expected a list of the GPUs above", 7},
    {&sixes, SIXES "list 0 gpu 1\nprices listed 1 listed 1 1 1\nprice 1\nend\n", NULL, 0},
    {&sixes, SIXES "list 0 gpu 1\nprices listed 1 listed 0 1 1\nprice 1\nend\n",
     "a listed pattern of the GPUs is priced above the limit 0", 8},
    {&sixes, SIXES_HEAD "prices listed 1 set 1 1 1\nprice 1\nend\n",
     "vector 1 holds for listed patterns: expected a list of the CPUs above", 6},
    {&sixes, SIXES_HEAD "prices listed 1 set 1 1 1\nlist 1 cpu 1\nprice 1\nend\n",
     "expected a list of the CPUs above", 6},
    {&sixes, SIXES "prices listed 2147483648 set 1 1 1\nprice 1\nend\n", "2^31 - 1", 6},
    {&sixes, SIXES "prices listed 1 set 0 1 1\nprice 1\nend\n", "GPU limit 0: tasks of 6", 6},
    {&sixes, SIXES "prices listed 2 set 2 1 1\nbranch 0 1\ncover 1 gpu 0 1\nend\n",
     "cover: vector 1 is for listed patterns", 8},
    {&sixes, SIXES "prices listed 1 set 1 1 1\nknapsack 1\nend\n", "expected an area vector", 7},
    // What listed patterns are left with: none with a task where none may go to CPUs.
    {&sixes, SIXES "prices listed 0 set 1 1 1\nbranch 0 0\nprice 1\nprice 1\nend\n",
     "above the limit 0 of vector 1", 9},
    {&sixes,
     SIXES "prices listed 0 set 1 1 1\nprices listed 1 set 1 1 1\nbranch 0 0\nprice 1\nprice 2\n"
           "end\n",
     NULL, 0},
    // Below a cover the list is about the processors that are left.
    {&sixes,
     SIXES "branch 0 1\ncover 0 gpu 0 1\nprices listed 1 set 0 1 0\nprice 1\n"
           "prices listed 1 set 1 1 1\nprice 2\nend\n",
     "the slack is 1:", 9},
    {&sixes,
     SIXES "branch 0 1\ncover 0 gpu 0 1\nprices listed 1 set 1 1 1\nprice 1\nprice 1\nend\n", NULL,
     0},
    // Counts of GPUs with a 4.
    {&five, FIVE "count gpu 1 1 1 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n", NULL, 0},
    {&five,
     FIVE_HEAD "count gpu 1 1 1 0\nlist 0 gpu 3\n" AT_MOST "price 1\nlist 0 gpu 3\n" AT_LEAST
               "price 2\nend\n",
     NULL, 0},
    {&five, FIVE "count gpu 0 1 1 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n", NULL, 0},
    // Twice the same class is one; and of no class there is nothing to count.
    {&five, FIVE "count gpu 0 1 2 0 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n", NULL, 0},
    {&five, FIVE "count gpu 0 0 0\n" CLOSE, "expected the next node, 2 levels", 9},
    {&five,
     FIVE "count gpu 0 0 0\nprices set 0 listed 3 0 2 0 1 0 1\nprice 1\nprices set 0 listed 0 "
          "0 0 0 0 0 "
          "0 counts 1 1\nprice 2\nend\n",
     NULL, 0},
    // The other child's vector.
    {&five, FIVE "count gpu 1 1 1 0\n" AT_LEAST "price 1\n" AT_MOST "price 2\nend\n",
     "the slack is 5:", 8},
    {&five, FIVE "count gpu 1 1 1 0\n" AT_MOST "price 1\nprice 1\nend\n",
     "a listed pattern of the GPUs is priced above the limit 0 of vector 1", 9},
    // At most two, at least three: of two GPUs.
    {&five, FIVE "count gpu 1 2 1 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n",
     "the slack is 0:", 8},
    {&five, FIVE "count gpu 1 0 1 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n",
     "the slack is 1:", 10},
    // By two tasks of at least 2: all 4s are out. By tasks of class 2: two of 3+2+2.
    {&five, FIVE "count gpu 2 1 1 0\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n",
     "is priced above the limit 0", 8},
    {&five, FIVE "count gpu 1 1 1 2\n" AT_MOST "price 1\n" AT_LEAST "price 2\nend\n",
     "is priced above the limit 0", 8},
    // Limits held above a count are not those below it.
    {&five, FIVE "prices set 0 listed 3 0 2 0 1 0 1\nlist 1 gpu 0\n" AT_MOST "price 1\nend\n",
     "prices of 1 counts: expected at most the 0 that are open", 8},
    {&five,
     FIVE
     "count gpu 1 1 1 0\nprices set 0 listed 3 0 2 0 1 0 1 counts 1 0\nprice 1\nprice 1\nend\n",
     NULL, 0},
    {&five,
     FIVE "count gpu 1 1 1 0\ncount gpu 1 1 1 1\n"
          "prices set 0 listed 0 0 1 0 0 0 0 counts 2 1 0\nprice 1\nprice 1\n" AT_LEAST
          "price 2\nend\n",
     NULL, 0},
    {&five,
     FIVE "count gpu 1 1 1 0\ncount gpu 1 1 1 1\n"
          "prices set 0 listed 0 0 1 0 0 0 0 counts 2 0 1\nprice 1\nprice 1\n" AT_LEAST
          "price 2\nend\n",
     "is priced above the limit 0", 9},
    {&five,
     FIVE "count gpu 1 1 1 0\ncount gpu 1 1 1 1\n"
          "prices set 0 listed 0 0 1 0 0 0 0 counts 2 1 0\nprice 1\nprice 1\nprice 1\nend\n",
     "vector 1 has prices of 2 counts: expected at most the 1", 11},
    // Beyond any number of processors.
    {&five,
     FIVE "count gpu 1 4611686018427387904 1 0\nprices set 0 listed 3 0 2 0 1 0 1\nprice 1\n"
          "prices set 0 listed 2147483647 0 0 0 0 0 0 counts 1 2147483647\nprice 2\nend\n",
     NULL, 0},
    {&five,
     FIVE "count gpu 1 4611686018427387904 1 0\n"
          "prices set 0 listed 3 0 9 0 9 0 9 counts 1 2147483647\nprice 1\nprice 1\nend\n",
     "above the limit 3 of vector 1", 8},
    {&five, FIVE "count gpu 1 4611686018427387905 1 0\n",
     "count at 4611686018427387905: expected at most 2^62", 6},
    {&five, FIVE "count gpu 1 9223372036854775799 1 0\n",
     "count at 9223372036854775799: expected at most 2^62", 6},
    {&five, FIVE "count gpu 1 9223372036854775800 1 0\n", "found a number above 2^62", 6},
    {&five, FIVE "count gpu 9223372036854775807 1 1 0\n", "above 2^62", 6},
    // What is wrong with a line.
    {&five, FIVE "count gpu 1 1 1 3\n", "class 3: expected one of the 3", 6},
    {&five, FIVE "count gpu 1 1 4 0 1 2 0\n", "4 classes: expected at most the 3", 6},
    {&five, FIVE "count gpu 1 1 2 0\n", "the number of a class, found the end of the line", 6},
    {&five, FIVE "count gpu 1 1 1 0 1\n", "the end of the line", 6},
    {&five, FIVE "count fpga 1 1 1 0\n", "'cpu' or 'gpu'", 6},
    {&five, FIVE "count gpu 1 1\n", "the number of classes", 6},
    {&five, FIVE "count gpu 1\n", "a number of patterns", 6},
    {&five, FIVE "count gpu\n", "a number of tasks", 6},
    {&five, FIVE "count gpu 1 1 1 0\nprice 0\n", "the slack is 1:", 7},
    {&five, FIVE "prices set 0 listed 3 0 2 0 1 0 1 counts 1 1\n",
     "prices of 1 counts: expected at most the 0 that are open", 6},
    {&five, FIVE "prices set 0 listed 3 0 2 0 1 0 1 counts 0\nprice 1\nend\n", NULL, 0},
    {&five, FIVE "prices set 0 listed 3 0 2 0 1 0 1 counts\n", "the number of counts", 6},
    {&five, FIVE "prices set 0 listed 3 0 2 0 1 0 1 count 0\n", "'counts' or the end", 6},
    {&five, FIVE "count gpu 1 1 1 0\nprices set 0 listed 3 0 2 0 1 0 1 counts 1\n",
     "a price for each count", 7},
    {&five, FIVE "count gpu 1 1 1 0\nprices set 0 listed 3 0 2 0 1 0 1 counts 1 1 1\n",
     "the end of the line", 7},
    {&five, FIVE "count gpu 1 1 1 0\nprices set 0 listed 3 0 2 0 1 0 1 counts 1 2147483648\n",
     "price 2147483648 of count 0: expected 0 to 2^31 - 1", 7},
    {&five, FIVE "count gpu 1 1 1 0\narea 0 1 counts 1 1\n", "the end of the line", 7},
    // Counts on the CPU: none, or one.
    {&sixes,
     SIXES "count cpu 0 0 1 0\nprices listed 0 set 1 1 1 counts 1 1\nprice 1\n"
           "prices listed 1 set 1 1 1 counts 1 0\nprice 2\nend\n",
     NULL, 0},
    // By limits that hold for any set: at most one of the three on the CPU, or at least two.
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "prices set 1 set 0 1 0 counts 1 1\nprice 2\nend\n",
     NULL, 0},
    {&sixes, SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 0\nprice 1\n",
     "the slack is 1:", 7},
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "prices set 1 set 0 1 0 counts 1 2\nprice 2\nend\n",
     "the slack is 0:", 9},
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices area 0 area 1 0 1 counts 1 1\nprice 1\n"
                "prices area 1 area 0 1 0 counts 1 1\nprice 2\nend\n",
     NULL, 0},
    // What it needs in one child it does not in the other.
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\nprice 1\nend\n",
     "the slack is 2:", 8},
    // Nor below the other child's branches.
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nbranch 0 2\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "price 1\nbranch 0 2\nprice 1\nprice 1\nend\n",
     "the slack is 0:", 11},
    {&sixes, SIXES_HEAD "count cpu 0 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n",
     "the slack is 2:", 7},
    {&sixes, SIXES_HEAD "count cpu 1 0 1 0\nprices set 1 set 1 1 1 counts 1 1\nprice 1\n",
     "has a price of count 0: expected 0, as it counts patterns, and its limit is not one of", 7},
    {&sixes, SIXES "count gpu 1 0 1 0\nprices listed 1 set 1 1 1 counts 1 1\nprice 1\n",
     "has a price of count 0: expected 0, as it counts patterns, and its limit is not one of", 8},
    // A list by such prices has the patterns that they leave.
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 1 set 1 1 1 counts 1 1\nlist 1 cpu 1\n"
                "prices set 1 set 1 1 1\nprice 2\nprice 2\nend\n",
     NULL, 0},
    {&sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 2 set 1 1 1 counts 1 1\nlist 1 cpu 0\n"
                "prices set 1 set 1 1 1\nprice 2\nprice 2\nend\n",
     "list of 0 patterns: expected at least 1", 7},
    {&sixes,
     SIXES "count cpu 0 0 1 0\nprices set 1 set 1 1 1 counts 1 0\nbranch 0 0\ncover 1 gpu 0 1\n",
     "cover: vector 1 is for listed patterns", 9},
    // Below a cover a count is about other processors; one that is opened there is not.
    {&sixes,
     SIXES "count cpu 0 0 1 0\nprices listed 0 set 2 1 1 counts 1 1\nbranch 0 1\ncover 0 gpu 0 1\n"
           "price 1\n",
     "has a price of count 0: expected 0, as a cover has come between", 10},
    {&sixes,
     SIXES_HEAD "count cpu 0 0 1 0\nprices set 2 set 2 1 1 counts 1 1\nbranch 0 1\n"
                "cover 0 gpu 0 1\nprice 1\n",
     "has a price of count 0: expected 0, as a cover has come between", 9},
    {&sixes,
     SIXES "branch 0 1\ncover 0 gpu 0 1\ncount cpu 0 0 1 0\n"
           "prices listed 0 set 1 1 1 counts 1 1\nprice 1\nprices listed 1 set 1 1 1\nprice 2\n"
           "price 2\nend\n",
     NULL, 0},
};

static void lists_and_counts(void **state)
{
    (void)state;
    check_rows(list_rows, sizeof list_rows / sizeof *list_rows);
}

static void files(void **state)
{
    (void)state;
    static const row rows[] = {
        {&sixes,
         "# a comment\n\n  bound 12\n\t# another\nclasses 1\r\narea 1 1\r\nprice 0\nend\n\n# and\n",
         NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend", NULL, 0},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\n", "'end', found the end of the file", 6},
        {&sixes, "bound 12\nclasses 1\narea 1 1\n", "the next node, found the end of the file", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nend\n", "expected the next node, 0 levels", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend\nend\n", "nothing after 'end'", 7},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend 1\n", "the end of the line", 6},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0 0\nend\n", "the end of the line", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprices\nend\n", "'set', 'area' or 'listed'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nPrice 0\nend\n", "found 'P'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprize 0\nend\n", "found 'prize'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\npriceless-and-more-than-that 0\nend\n",
         "a node, a vector or 'end', found 'p'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0x0\nend\n", "found 'x'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 0.0\nend\n", "found '.'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice -0\nend\n", "found '-'", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice\nend\n", "found the end of the line", 5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 99999999999999999999\nend\n", "above 2^62",
         5},
        {&sixes, "bound 12\nclasses 1\narea 1 1\nprice 4611686018427387904\nend\n", "vector", 5},
        {&sixes, "bound 0\nclasses 1\narea 1 1\nprice 0\nend\n", "expected one of at least 1", 2},
        {&sixes, "bound 4611686018427387905\nclasses 1\nend\n", "at most 2^62", 2},
        {&sixes, "bound 4611686018427387904\nclasses 1\narea 1 1\nprice 0\nend\n", "price: by", 5},
        {&sixes,
         "bound 4611686018427387904\nclasses 1\narea 2147483647 2147483647\nknapsack 0\nend\n",
         "can be divided", 5},
        {&sixes, "classes 1\nbound 12\nend\n", "expected 'bound'", 2},
        {&sixes, "bound 12\narea 1 1\nend\n", "expected 'classes'", 3},
        {&sixes, "", "found the end of the file", 2},
    };
    check_rows(rows, sizeof rows / sizeof *rows);
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
    duet_instance *instance = make(&sixes);
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
    static const problem many = {1, 1, 1, {N}, {1, 1}, 0};
    duet_instance *instance = make(&many);
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

// As check_rows(), where the optimum is out of reach.
static void check_text(const row *expected, size_t index)
{
    char text[512];
    int length = snprintf(text, sizeof text, "duet-proof 1\n%s", expected->text);
    duet_instance *instance = make(expected->problem);
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_verify_text(instance, text, (size_t)length, 1, NULL, &error);
    bool as_expected = code == DUET_OK ? expected->fault == NULL
                                       : expected->fault != NULL && error.line == expected->line &&
                                             strstr(error.message, expected->fault) != NULL;
    if (!as_expected) {
        fail_msg("row %zu: line %d: %s", index, error.line, error.message);
    }
    duet_instance_free(instance);
}

// Many tasks of one class: counts beyond any list, within the tick that is left.
static void large_counts(void **state)
{
    (void)state;
    static const problem many = {2, 3, 2, {1000000007, 3}, {5, 3, NO, 1000000009}, 0};
    static const row rows[] = {
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
    static const problem full = {1, 2, 2, {20, 15}, {NO, 3, NO, 2}, 0};
    static const row full_rows[] = {
        {&full, "bound 46\nclasses 2\narea 0 1\ncover 0 gpu 0 6\nprice 0\nend\n",
         "the slack is 0:", 6},
        {&full, "bound 46\nclasses 2\narea 0 1\ncover 0 gpu 1 5\nprice 0\nend\n",
         "the slack is 0:", 6},
        {&full, "bound 45\nclasses 2\narea 0 1\ncover 0 gpu 0 0\nend\n", NULL, 0},
    };
    for (size_t i = 0; i < sizeof full_rows / sizeof *full_rows; i++) {
        check_text(&full_rows[i], i);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_text(&rows[i], i);
    }
}

// Other than two types are named by their numbers.
static void three_types(void **state)
{
    (void)state;
    // Three tasks of 6, 6 and 9, and one of 5 and 7 that the second type cannot run: 11 at least.
    static const problem three = {1, 1, 2, {3, 1}, {6, 6, 9, 5, NO, 7}, .npus = 1};
#define ONES "bound 11\nclasses 2\nprices set 1 set 1 set 1  1 1 1  1 0 1\n"
    static const row rows[] = {
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
    check_rows(rows, sizeof rows / sizeof *rows);
}

// The call's own errors.
static void calls(void **state)
{
    (void)state;
    const char text[] = "duet-proof 1\nbound 12\nclasses 1\narea 1 1\nprice 0\nend\n";
    duet_instance *instance = make(&sixes);
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
    duet_instance *instance = make(&sixes);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves),
                                       cmocka_unit_test(branches),
                                       cmocka_unit_test(covers),
                                       cmocka_unit_test(order_of_children),
                                       cmocka_unit_test(lists_and_counts),
                                       cmocka_unit_test(files),
                                       cmocka_unit_test(no_proofs),
                                       cmocka_unit_test(deep_and_wide),
                                       cmocka_unit_test(large_counts),
                                       cmocka_unit_test(three_types),
                                       cmocka_unit_test(calls),
                                       cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
