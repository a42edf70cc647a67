// SPDX-License-Identifier: Apache-2.0
// Proofs written by hand: every kind of node, right and wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "tests/support/proof_rows.h"

#define NO DUET_FORBIDDEN

static void leaves(void **state)
{
    (void)state;
    static const duet_proof_row rows[] = {
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 13\nclasses 1\narea 1 1\nprice 0\nend\n", "the slack is 6:", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 2 1\nprice 0\nend\n", "the slack is 0:", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 0 1\nprice 0\nend\n", "price: by vector 0",
         5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 0 0\nprice 0\nend\n", "expected one above 0",
         4},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 2147483648 1\nprice 0\nend\n", "2^31 - 1",
         4},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 2147483647 2147483647\nprice 0\nend\n", NULL,
         0},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprice 0\narea 1 1\nend\n",
         "expected one of the 0", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nprice 1\nend\n",
         "expected one of the 1", 5},
        // Prices: one task of 6 per processor.
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices area 1 set 1 1 1\nprice 0\nend\n", NULL,
         0},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices area 1 area 1   1\t1 \nprice 0\nend\n",
         NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 0 set 1 1 1\nprice 0\nend\n",
         "CPU limit 0: tasks of 6 ticks are priced above it", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 0 1 1\nprice 0\nend\n",
         "GPU limit 0: tasks of 6 ticks are priced above it", 4},
        {&duet_proof_sixes, "bound 13\nclasses 1\nprices set 1 set 2 1 1\nprice 0\nend\n",
         "CPU limit 1: tasks of 12 ticks are priced above it", 4},
        {&duet_proof_sixes, "bound 13\nclasses 1\nprices area 1 set 2 1 1\nprice 0\nend\n",
         "CPU price 1 of class 0: expected at most", 4},
        {&duet_proof_sixes, "bound 13\nclasses 1\nprices set 2 set 2 1 1\nprice 0\nend\n",
         "the slack is 1:", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 1 1\nprice 0\nend\n",
         "two prices for each class, found the end of the line", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1 1\nprice 0\nend\n",
         "expected the end of the line", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices some 1 set 1 1 1\nend\n",
         "'set', 'here', 'area' or 'listed'", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 67108865 set 1 1 1\nend\n",
         "at most 2^26", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices area 2147483648 set 1 1 1\nend\n",
         "2^31 - 1", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 67108864 set 1 1 1\nprice 0\nend\n",
         "the slack is 67108862:", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 1 -1 1\nend\n", "found '-'", 4},
        // Knapsack.
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nknapsack 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 0\nknapsack 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 13\nclasses 1\narea 1 1\nknapsack 0\nend\n", "can be divided",
         5},
        {&duet_proof_sixes, "bound 12\nclasses 1\nprices set 1 set 1 1 1\nknapsack 0\nend\n",
         "expected an area vector", 5},
        // A time above L is unusable; a task without any is a proof.
        {&duet_proof_longs, "bound 5\nclasses 2\nnowhere 1\nend\n", NULL, 0},
        {&duet_proof_longs, "bound 5\nclasses 2\nnowhere 0\nend\n", "expected no choice for any",
         4},
        {&duet_proof_longs, "bound 6\nclasses 2\nnowhere 1\nend\n", "expected no choice for any",
         4},
        {&duet_proof_longs, "bound 5\nclasses 2\nnowhere 2\nend\n",
         "class 2: expected one of the 2", 4},
        {&duet_proof_longs, "bound 6\nclasses 2\nprices set 1 set 0 0 0 1 0\nprice 0\nend\n", NULL,
         0},
        {&duet_proof_longs, "bound 6\nclasses 2\nprices set 1 set 0 0 0 1 1\nprice 0\nend\n",
         "GPU price 1 of class 1: expected 0", 4},
        // What takes no time somewhere is left out; equal kinds are one class.
        {&duet_proof_zeros, "bound 8\nclasses 1\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_zeros, "bound 9\nclasses 1\narea 1 1\nprice 0\nend\n", "price: by vector 0",
         5},
        {&duet_proof_zeros, "bound 8\nclasses 2\narea 1 1\nprice 0\nend\n",
         "expected 1, as the instance", 3},
        {&duet_proof_zeros, "bound 8\nclasses 4\narea 1 1\nprice 0\nend\n",
         "expected 1, as the instance", 3},
        {&duet_proof_zeros, "bound 1\nclasses 1\nnowhere 0\nend\n", NULL, 0},
        {&duet_proof_no_gpu, "bound 9\nclasses 2\narea 1 0\nprice 0\nend\n", NULL, 0},
        {&duet_proof_no_gpu, "bound 10\nclasses 2\narea 1 0\nprice 0\nend\n", "price: by vector 0",
         5},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

static void branches(void **state)
{
    (void)state;
    static const duet_proof_row rows[] = {
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nbranch 0 1\nprice 0\nprice 0\nend\n",
         NULL, 0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1\nprice 0\nprice 1\nend\n", NULL, 0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1\nprice 1\nprice 0\nend\n",
         "price: by vector 1", 7},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 0 1\nbranch 0 1\nprice 0\narea 1 0\nprice 1\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 3\nprice 0\nprice 0\nend\n",
         "branch at 3: of class 0, 0 to 3 tasks", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nbranch 1 0\nprice 0\nprice 0\nend\n",
         "class 1: expected", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nbranch 0 0\nprice 0\nend\n",
         "branch at 0: of class 0, 0 to 0", 6},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nend\n",
         "expected the next node, 1 levels", 7},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 0\nprice 0\nprice 0\nprice 0\nend\n",
         "a node after the last", 8},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\nbranch 0\nprice 0\nprice 0\nend\n",
         "expected a number of tasks, found the end of the line", 5},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

// One type alone, children in either order, and what vectors and headers say of a state.
static void several_types(void **state)
{
    (void)state;
    static const duet_proof_row rows[] = {
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1 more\nprice 1\nprice 0\nend\n", NULL,
         0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 0 1\narea 1 0\nbranch 0 1 more\nprice 0\nprice 1\nend\n",
         "price: by vector 0", 7},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 0 1\nbranch 0 1 less\nprice 0\nend\n",
         "expected 'more' or the end of the line, found 'less'", 5},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 0\nbranch 0 1\nalone gpu 11\narea 1\nprice 0\nprice 0\nend\n",
         NULL, 0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nbranch 0 1\nalone gpu 11\nprices set 1 0\ncover 0 0 0 1\n"
         "cover 0 0 0 0\nalone cpu 11\narea 1\nprice 0\nend\n",
         NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1\nbranch 0 1\nalone cpu 11\narea 1\nprice 0\nend\n",
         "price: by vector 0", 7},
        {&duet_proof_sixes, "bound 12\nclasses 1\nbranch 0 1\nalone gpu 10\narea 1\nend\n",
         "alone within 10: expected at least 11", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\nbranch 0 1\nalone gpu 11\nalone 0 11\nend\n",
         "'alone' below another one", 6},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nbranch 0 1\nalone gpu 11\narea 1\nprice 0\nprice 0\nend\n",
         "vector 0: expected one of the 0", 8},
        {&duet_proof_sixes, "bound 12\nclasses 1 within 20\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 12\nclasses 1 within 10\narea 1 1\nprice 0\nend\n",
         "classes within 10: expected at least 11", 3},
        {&duet_proof_sixes, "bound 12\ntypes 1 0 0\nclasses 1\narea 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_sixes, "bound 12\ntypes 1 0 1\nclasses 1\narea 1\nprice 0\nend\n",
         "type 1 as 1: expected 0 to 0", 3},
        {&duet_proof_sixes, "bound 12\ntypes 0 0 0\nclasses 1\narea 1\nprice 0\nend\n",
         "0 types: expected 1 to", 3},
        {&duet_proof_mixed, "bound 9\ntypes 1 0 0\nclasses 4\narea 1\nprice 0\nend\n",
         "types: type 1 as type 0: expected the same times", 4},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nbranch 0 1\nprices here 1 set 1 1 1\nprice 0\n"
         "prices set 1 here 1 1 1\nprice 1\nend\n",
         NULL, 0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nbranch 0 1\nprices here 1 set 1 1 1\nprice 0\nprice 0\nend\n",
         "vector 0 has limits of another state", 7},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nbranch 0 1\nprices here 1 set 1 1 1\ncover 0 gpu 0 0\nend\n",
         "cover: vector 0 is for listed patterns or a state", 6},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

// Three tasks of 6 within 11: of two forced onto the GPU, one is a pattern and one is left.
static void covers(void **state)
{
    (void)state;
    static const duet_proof_row rows[] = {
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 0\n"
         "cover 0 cpu 0 0\nend\n",
         NULL, 0},
        // With a slack of 1 there is a pattern, and then one task too many.
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 1\ncover 0 gpu 0 0\ncover 0 cpu 0 1\ncover 0 cpu 0 0\nend\n",
         NULL, 0},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 0\ncover 0 gpu 0 0\nend\n",
         "cover with 0 children: expected at least 1", 6},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 gpu 0 2\ncover 0 gpu 0 0\ncover 0 gpu 0 0\nend\n",
         "cover with 2 children: expected 1", 6},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\nprices set 2 set 2 1 1\nbranch 0 1\n"
         "cover 0 cpu 0 1\ncover 0 gpu 0 0\nend\n",
         "expected one forced onto the type", 6},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 0 1\nend\n",
         "cover: of the 3 tasks left of class 0, 0 to 3 go to GPUs", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 fpga 0 1\nend\n",
         "'cpu' or 'gpu'", 5},
        // An item of its own line, with nothing after it.
        {&duet_proof_longs, "bound 5\nclasses 2\narea 1 1\ncover 0 cpu 1 0 end\n",
         "expected the end of the line, found 'e'", 5},
        {&duet_proof_longs, "bound 5\nclasses 2\nnowhere 1 end\n",
         "expected the end of the line, found 'e'", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1 price 0\nend\n",
         "expected the end of the line, found 'p'", 4},
        {&duet_proof_sixes, "bound 12\nclasses 1 area 1 1\nprice 0\nend\n",
         "expected 'within' or the end of the line, found 'area'", 3},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\ncover 1 gpu 0 1\nend\n",
         "vector 1: expected", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 1 1\nend\n",
         "class 1: expected", 5},
        {&duet_proof_sixes, "bound 12\nclasses 1\narea 1 1\ncover 0 gpu 0\nend\n",
         "the number of children", 5},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 9223372036854775807\n",
         "found a number above 2^62", 6},
        {&duet_proof_sixes,
         "bound 12\nclasses 1\narea 1 1\nbranch 0 1\ncover 0 gpu 0 4611686018427387904\n",
         "expected 0, as many as there are patterns", 6},
        // Types are fixed loosely: one task of class 2 must be on a GPU, wherever the others are.
        // Within 8 the supply is 2 * 8 + 1 * 5 (the CPU's capacity is 5), less than the demand of
        // 4 + 4 + 8 + 5 + 7.
        {&duet_proof_mixed, "bound 9\nclasses 4\narea 1 1\nprice 0\nend\n", NULL, 0},
        {&duet_proof_longs, "bound 5\nclasses 2\narea 1 1\ncover 0 cpu 1 0\nend\n", NULL, 0},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
}

// Children come by decreasing price, ties by more of the lower class: only that order closes.
static void order_of_children(void **state)
{
    (void)state;
    // Within 6 on one GPU and one CPU, all but d on the GPU only: a 2, b 2, c 4, d 6 on a CPU.
    static const duet_proof_problem three = {1, 2, 4, {1, 1, 1, 1}, {NO, 2, NO, 2, NO, 4, 6, 7}, 0};
    static const duet_proof_row rows[] = {
        // Classes a and b are one: two tasks of 2. Everything on the GPUs takes 8 of 12.
        {&three, "bound 5\nclasses 3\nnowhere 2\nend\n", NULL, 0},
        {&three, "bound 6\nclasses 3\nnowhere 2\nend\n", NULL, 0},
        {&three, "bound 7\nclasses 3\nnowhere 2\nend\n", "expected no choice", 4},
    };
    duet_check_proof_rows(rows, sizeof rows / sizeof *rows);
    // Five tasks on two GPUs within 7: 4 4 3 2 2 take 15 of 14. By prices 2 2 1 1 1 the tasks of a
    // GPU have a price of at most 3 (4+3, 4+2, 3+2+2). The demand is 7 and the supply 6, which
    // refutes it at once. With a limit of 4 a cover of the class of 3 has, by decreasing price:
    // {4,3}, {3,2,2}, {3,2}, {3}.
    static const duet_proof_problem five = {1, 2, 3, {2, 1, 2}, {NO, 4, NO, 3, NO, 2}, 0};
    static const duet_proof_row more[] = {
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
    duet_check_proof_rows(more, sizeof more / sizeof *more);
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

static const duet_proof_problem five = {1, 2, 3, {2, 1, 2}, {NO, 4, NO, 3, NO, 2}, 0};
static const duet_proof_row list_rows[] = {
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
    {&duet_proof_sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "price 1\nend\n",
     "expected a list of the CPUs above", 10},
    {&duet_proof_sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "list 0 cpu 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0 of vector 1", 11},
    {&duet_proof_sixes,
     SIXES_HEAD "branch 0 0\nlist 0 cpu 0\nprices listed 0 set 1 1 1\nlist 1 gpu 0\nprice 1\n"
                "list 0 cpu 1\nlist 0 gpu 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0 of vector 1", 12},
    // Listed vectors.
    {&duet_proof_sixes, SIXES "prices listed 1 set 1 1 1\nprice 1\nend\n", NULL, 0},
    {&duet_proof_sixes, SIXES "prices listed 0 set 1 1 1\nprice 1\nend\n",
     "a listed pattern of the CPUs is priced above the limit 0", 7},
    {&duet_proof_sixes, SIXES "prices listed 1 listed 1 1 1\nprice 1\nend\n",
     "expected a list of the GPUs above", 7},
    {&duet_proof_sixes, SIXES "list 0 gpu 1\nprices listed 1 listed 1 1 1\nprice 1\nend\n", NULL,
     0},
    {&duet_proof_sixes, SIXES "list 0 gpu 1\nprices listed 1 listed 0 1 1\nprice 1\nend\n",
     "a listed pattern of the GPUs is priced above the limit 0", 8},
    {&duet_proof_sixes, SIXES_HEAD "prices listed 1 set 1 1 1\nprice 1\nend\n",
     "vector 1 holds for listed patterns: expected a list of the CPUs above", 6},
    {&duet_proof_sixes, SIXES_HEAD "prices listed 1 set 1 1 1\nlist 1 cpu 1\nprice 1\nend\n",
     "expected a list of the CPUs above", 6},
    {&duet_proof_sixes, SIXES "prices listed 2147483648 set 1 1 1\nprice 1\nend\n", "2^31 - 1", 6},
    {&duet_proof_sixes, SIXES "prices listed 1 set 0 1 1\nprice 1\nend\n",
     "GPU limit 0: tasks of 6", 6},
    {&duet_proof_sixes, SIXES "prices listed 2 set 2 1 1\nbranch 0 1\ncover 1 gpu 0 1\nend\n",
     "cover: vector 1 is for listed patterns", 8},
    {&duet_proof_sixes, SIXES "prices listed 1 set 1 1 1\nknapsack 1\nend\n",
     "expected an area vector", 7},
    // What listed patterns are left with: none with a task where none may go to CPUs.
    {&duet_proof_sixes, SIXES "prices listed 0 set 1 1 1\nbranch 0 0\nprice 1\nprice 1\nend\n",
     "above the limit 0 of vector 1", 9},
    {&duet_proof_sixes,
     SIXES "prices listed 0 set 1 1 1\nprices listed 1 set 1 1 1\nbranch 0 0\nprice 1\nprice 2\n"
           "end\n",
     NULL, 0},
    // Below a cover the list is about the processors that are left.
    {&duet_proof_sixes,
     SIXES "branch 0 1\ncover 0 gpu 0 1\nprices listed 1 set 0 1 0\nprice 1\n"
           "prices listed 1 set 1 1 1\nprice 2\nend\n",
     "the slack is 1:", 9},
    {&duet_proof_sixes,
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
    {&duet_proof_sixes,
     SIXES "count cpu 0 0 1 0\nprices listed 0 set 1 1 1 counts 1 1\nprice 1\n"
           "prices listed 1 set 1 1 1 counts 1 0\nprice 2\nend\n",
     NULL, 0},
    // By limits that hold for any set: at most one of the three on the CPU, or at least two.
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "prices set 1 set 0 1 0 counts 1 1\nprice 2\nend\n",
     NULL, 0},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 0\nprice 1\n",
     "the slack is 1:", 7},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "prices set 1 set 0 1 0 counts 1 2\nprice 2\nend\n",
     "the slack is 0:", 9},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices area 0 area 1 0 1 counts 1 1\nprice 1\n"
                "prices area 1 area 0 1 0 counts 1 1\nprice 2\nend\n",
     NULL, 0},
    // What it needs in one child it does not in the other.
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\nprice 1\nend\n",
     "the slack is 2:", 8},
    // Nor below the other child's branches.
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nbranch 0 2\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n"
                "price 1\nbranch 0 2\nprice 1\nprice 1\nend\n",
     "the slack is 0:", 11},
    {&duet_proof_sixes, SIXES_HEAD "count cpu 0 1 0\nprices set 0 set 1 0 1 counts 1 1\nprice 1\n",
     "the slack is 2:", 7},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 1 0 1 0\nprices set 1 set 1 1 1 counts 1 1\nprice 1\n",
     "has a price of count 0: expected 0, as it counts patterns, and its limit is not one of", 7},
    {&duet_proof_sixes, SIXES "count gpu 1 0 1 0\nprices listed 1 set 1 1 1 counts 1 1\nprice 1\n",
     "has a price of count 0: expected 0, as it counts patterns, and its limit is not one of", 8},
    // A list by such prices has the patterns that they leave.
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 1 set 1 1 1 counts 1 1\nlist 1 cpu 1\n"
                "prices set 1 set 1 1 1\nprice 2\nprice 2\nend\n",
     NULL, 0},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 1 1 0\nprices set 2 set 1 1 1 counts 1 1\nlist 1 cpu 0\n"
                "prices set 1 set 1 1 1\nprice 2\nprice 2\nend\n",
     "list of 0 patterns: expected at least 1", 7},
    {&duet_proof_sixes,
     SIXES "count cpu 0 0 1 0\nprices set 1 set 1 1 1 counts 1 0\nbranch 0 0\ncover 1 gpu 0 1\n",
     "cover: vector 1 is for listed patterns", 9},
    // Below a cover a count is about other processors; one that is opened there is not.
    {&duet_proof_sixes,
     SIXES "count cpu 0 0 1 0\nprices listed 0 set 2 1 1 counts 1 1\nbranch 0 1\ncover 0 gpu 0 1\n"
           "price 1\n",
     "has a price of count 0: expected 0, as a cover has come between", 10},
    {&duet_proof_sixes,
     SIXES_HEAD "count cpu 0 0 1 0\nprices set 2 set 2 1 1 counts 1 1\nbranch 0 1\n"
                "cover 0 gpu 0 1\nprice 1\n",
     "has a price of count 0: expected 0, as a cover has come between", 9},
    {&duet_proof_sixes,
     SIXES "branch 0 1\ncover 0 gpu 0 1\ncount cpu 0 0 1 0\n"
           "prices listed 0 set 1 1 1 counts 1 1\nprice 1\nprices listed 1 set 1 1 1\nprice 2\n"
           "price 2\nend\n",
     NULL, 0},
};

static void lists_and_counts(void **state)
{
    (void)state;
    duet_check_proof_rows(list_rows, sizeof list_rows / sizeof *list_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves),
        cmocka_unit_test(branches),
        cmocka_unit_test(covers),
        cmocka_unit_test(several_types),
        cmocka_unit_test(order_of_children),
        cmocka_unit_test(lists_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
