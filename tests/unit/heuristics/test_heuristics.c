// SPDX-License-Identifier: Apache-2.0
// Each heuristic against schedules worked out by hand, from the papers' small examples where they
// print one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "tests/support/fixtures.h"

typedef struct row {
    int64_t p, q;
} row;

// Where a task must run: type, processor, start.
typedef struct expected {
    int32_t type, processor;
    int64_t start;
} expected;

enum { CPU, GPU };

static duet_instance *make(int64_t m, int64_t k, size_t kinds, const row *rows)
{
    return duet_test_pair(m, k, kinds, NULL, &rows[0].p);
}

static void check(int64_t m, int64_t k, size_t tasks, const row *rows, const char *name,
                  const char *option, const expected *places, int64_t makespan)
{
    duet_instance *instance = make(m, k, tasks, rows);
    duet_solution *solution = duet_test_solve(instance, name, option, NULL);
    const duet_placement *placed = duet_solution_placements(solution);
    for (size_t j = 0; places != NULL && j < tasks; j++) {
        if (placed[j].type != places[j].type || placed[j].processor != places[j].processor ||
            placed[j].start != places[j].start) {
            fail_msg("%s: task %zu on type %d processor %d at %lld, expected %d %d %lld", name, j,
                     placed[j].type, placed[j].processor, (long long)placed[j].start,
                     places[j].type, places[j].processor, (long long)places[j].start);
        }
    }
    assert_int_equal(duet_solution_makespan(solution), makespan);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// RR-9150, lemma 2 (first part), m = 4, k = 2, epsilon = 1/100: EFT reaches m/k where 1 + epsilon
// is possible.
static const row lemma2[] = {{101, 100}, {101, 100}, {100, 1}, {100, 1}, {100, 1}, {100, 1},
                             {101, 100}, {101, 100}, {100, 1}, {100, 1}, {100, 1}, {100, 1}};

static void eft(void **state)
{
    (void)state;
    static const expected places[] = {{GPU, 0, 0},   {GPU, 1, 0},   {CPU, 0, 0},   {CPU, 1, 0},
                                      {CPU, 2, 0},   {CPU, 3, 0},   {GPU, 0, 100}, {GPU, 1, 100},
                                      {CPU, 0, 100}, {CPU, 1, 100}, {CPU, 2, 100}, {CPU, 3, 100}};
    check(4, 2, 12, lemma2, "eft", NULL, places, 200);
}

static void eft_ties(void **state)
{
    (void)state;
    static const row rows[] = {{5, 5}, {5, 5}};
    static const expected gpu[] = {{GPU, 0, 0}, {CPU, 0, 0}};
    static const expected cpu[] = {{CPU, 0, 0}, {GPU, 0, 0}};
    check(1, 1, 2, rows, "eft", NULL, gpu, 5);
    check(1, 1, 2, rows, "eft", "ties=cpu", cpu, 5);
}

// A task that suits both types equally well: by its time, its share of the processors, or the
// square root of that. Each rule's default is how ties fall in its paper.
static void allocation_ties(void **state)
{
    (void)state;
    static const expected cpu[] = {{CPU, 0, 0}};
    static const expected gpu[] = {{GPU, 0, 0}};
    static const row same[] = {{5, 5}};
    static const row share[] = {{16, 4}};
    static const row root[] = {{8, 4}}; // p/q = sqrt(4/1)
    check(1, 1, 1, same, "quickest", NULL, gpu, 5);
    check(1, 1, 1, same, "quickest", "ties=cpu", cpu, 5);
    check(1, 1, 1, same, "list", NULL, gpu, 5);
    check(1, 1, 1, same, "list", "ties=cpu", cpu, 5);
    check(4, 1, 1, share, "ratio", NULL, gpu, 4);
    check(4, 1, 1, share, "ratio", "ties=cpu", cpu, 16);
    check(4, 1, 1, root, "qa", NULL, cpu, 8);
    check(4, 1, 1, root, "qa", "ties=gpu", gpu, 4);
    // er-ls asks qa for the third task: a GPU would end it after its time on a CPU.
    static const row queue[] = {{8, 4}, {8, 4}, {8, 4}};
    static const expected last_cpu[] = {{GPU, 0, 0}, {GPU, 0, 4}, {CPU, 0, 0}};
    static const expected last_gpu[] = {{GPU, 0, 0}, {GPU, 0, 4}, {GPU, 0, 8}};
    check(4, 1, 3, queue, "er-ls", NULL, last_cpu, 8);
    check(4, 1, 3, queue, "er-ls", "ties=gpu", last_gpu, 12);
}

// The corrected worst case of HEFT for m = 2, one GPU: (m + 1)/2 times the optimum 4.
static void heft(void **state)
{
    (void)state;
    static const row rows[] = {{4, 4}, {4, 1}, {4, 1}, {2, 2}, {2, 1}, {2, 1}};
    static const expected places[] = {{GPU, 0, 0}, {CPU, 0, 0}, {CPU, 1, 0},
                                      {GPU, 0, 4}, {CPU, 0, 4}, {CPU, 1, 4}};
    check(2, 1, 6, rows, "heft", NULL, places, 6);
}

// The order is by (m p + k q)/(m + k): 17/3, 18/3, 20/3 for 2 + 1 processors.
static void heft_order(void **state)
{
    (void)state;
    static const row rows[] = {{8, 1}, {4, 10}, {5, 10}};
    static const expected places[] = {{GPU, 0, 0}, {CPU, 1, 0}, {CPU, 0, 0}};
    check(2, 1, 3, rows, "heft", NULL, places, 5);
}

static void quickest(void **state)
{
    (void)state;
    static const row rows[] = {{10, 4}, {3, 4}, {4, 4}};
    static const expected places[] = {{GPU, 0, 0}, {CPU, 0, 0}, {GPU, 0, 4}};
    check(2, 1, 3, rows, "quickest", NULL, places, 8);
}

// m/k = 4: exactly 4 goes to the GPU.
static void ratio(void **state)
{
    (void)state;
    static const row rows[] = {{10, 4}, {16, 4}, {15, 4}};
    static const expected places[] = {{CPU, 0, 0}, {GPU, 0, 0}, {CPU, 1, 0}};
    check(4, 1, 3, rows, "ratio", NULL, places, 15);
}

// tau = 2: exactly 2 goes to the CPU.
static void qa(void **state)
{
    (void)state;
    static const row rows[] = {{10, 4}, {3, 4}, {9, 4}, {9, 4}, {8, 4}};
    static const expected places[] = {
        {GPU, 0, 0}, {CPU, 0, 0}, {GPU, 0, 4}, {GPU, 0, 8}, {CPU, 1, 0}};
    check(4, 1, 5, rows, "qa", NULL, places, 12);
}

// tau^2 = 3 is no square: 2^62-scale times on both sides of sqrt(3) need the wide product.
static void qa_exact(void **state)
{
    (void)state;
    static const row rows[] = {{INT64_C(1732050807568877293), INT64_C(1000000000000000000)},
                               {INT64_C(1732050807568877294), INT64_C(1000000000000000000)}};
    static const expected places[] = {{CPU, 0, 0}, {GPU, 0, 0}};
    check(3, 1, 2, rows, "qa", NULL, places, INT64_C(1732050807568877293));
}

static void er_ls(void **state)
{
    (void)state;
    static const row rows[] = {{10, 4}, {3, 4}, {9, 4}, {9, 4}, {8, 4}};
    static const expected places[] = {
        {GPU, 0, 0}, {CPU, 0, 0}, {GPU, 0, 4}, {GPU, 0, 8}, {CPU, 1, 0}};
    check(4, 1, 5, rows, "er-ls", NULL, places, 12);
    // The first rule wins over an acceleration below tau.
    static const row slow[] = {{4, 3}};
    static const expected gpu[] = {{GPU, 0, 0}};
    check(4, 1, 1, slow, "er-ls", NULL, gpu, 3);
}

// On the instance of lemma 2, QA ends at 101: with lambda = 2 EFT is followed to the end (200 <=
// 202), with lambda = 1 the seventh task would bring it to 200 > 101, and QA decides from there on.
static void mixeft(void **state)
{
    (void)state;
    check(4, 2, 12, lemma2, "mixeft", NULL, NULL, 200);
    static const expected places[] = {{GPU, 0, 0},   {GPU, 1, 0},   {CPU, 0, 0},   {CPU, 1, 0},
                                      {CPU, 2, 0},   {CPU, 3, 0},   {CPU, 0, 100}, {CPU, 1, 100},
                                      {GPU, 0, 100}, {GPU, 1, 100}, {GPU, 0, 101}, {GPU, 1, 101}};
    check(4, 2, 12, lemma2, "mixeft", "lambda=1", places, 201);
}

// HeteroPrio paper, theorem 8, with phi as 8/5: the GPU cannot improve on X, so it ends at 8 where
// 5 is possible.
static void heteroprio(void **state)
{
    (void)state;
    static const row rows[] = {{8, 5}, {5, 3}};
    static const expected places[] = {{CPU, 0, 0}, {GPU, 0, 0}};
    check(1, 1, 2, rows, "heteroprio", NULL, places, 8);
}

static void heteroprio_spoliates(void **state)
{
    (void)state;
    static const row rows[] = {{10, 1}, {100, 2}};
    duet_instance *instance = make(1, 1, 2, rows);
    duet_solution *solution = duet_test_solve(instance, "heteroprio", NULL, NULL);
    size_t count;
    const duet_aborted *aborted = duet_solution_aborted(solution, &count);
    assert_int_equal(count, 1);
    assert_int_equal(aborted[0].task, 0);
    assert_int_equal(aborted[0].type, CPU);
    assert_int_equal(aborted[0].start, 0);
    assert_int_equal(aborted[0].end, 2);
    assert_int_equal(duet_solution_placements(solution)[0].type, GPU);
    assert_int_equal(duet_solution_placements(solution)[0].start, 2);
    assert_int_equal(duet_solution_makespan(solution), 3);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// Two CPUs hold tasks that end at 20 and 30; the GPU is free at 1 and takes the later one first.
static void heteroprio_latest_first(void **state)
{
    (void)state;
    static const row rows[] = {{20, 9}, {30, 9}, {90, 1}};
    static const expected places[] = {{GPU, 0, 10}, {GPU, 0, 1}, {GPU, 0, 0}};
    check(2, 1, 3, rows, "heteroprio", NULL, places, 19);
}

// Graham's example: 7 where 6 is possible.
static void lpt(void **state)
{
    (void)state;
    static const row rows[] = {{3, DUET_FORBIDDEN},
                               {3, DUET_FORBIDDEN},
                               {2, DUET_FORBIDDEN},
                               {2, DUET_FORBIDDEN},
                               {2, DUET_FORBIDDEN}};
    static const expected places[] = {
        {CPU, 0, 0}, {CPU, 1, 0}, {CPU, 0, 3}, {CPU, 1, 3}, {CPU, 0, 5}};
    check(2, 0, 5, rows, "lpt", NULL, places, 7);
}

static void lpt_allocations(void **state)
{
    (void)state;
    // Balance: the area bound's split, 12 on each side; quickest piles all on the GPU.
    static const row rows[] = {{12, 11}, {24, 12}};
    check(1, 1, 2, rows, "lpt", "allocation=balance", NULL, 12);
    check(1, 1, 2, rows, "lpt", "allocation=quickest", NULL, 23);
    check(1, 1, 2, rows, "lpt", NULL, NULL, 12);
}

static void dualhp(void **state)
{
    (void)state;
    static const row rows[] = {{4, 1}, {4, 1}, {2, 3}};
    duet_instance *instance = make(1, 1, 3, rows);
    duet_solution *solution = duet_test_solve(instance, "dualhp", NULL, NULL);
    assert_int_equal(duet_solution_makespan(solution), 2);
    assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
    assert_string_equal(duet_solution_guarantee(solution), "2");
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// A guess that leaves no room on the GPUs must still put tasks that take no time there: found as a
// wrong NO at 5.
static void dualhp_free_tasks(void **state)
{
    (void)state;
    static const row rows[] = {{DUET_FORBIDDEN, 5}, {6, 0}, {5, DUET_FORBIDDEN}};
    check(1, 1, 3, rows, "dualhp", NULL, NULL, 5);
}

// Three types: 4 CPUs (sqrt(m) = 2), one GPU, one GPU of another kind.
static void check_three(size_t tasks, const int64_t *times, const char *name,
                        const expected *places)
{
    const duet_type platform[] = {{"cpu", 4}, {"gpu", 1}, {"gpu2", 1}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 3,
                               .platform = platform,
                               .kinds = tasks,
                               .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_solution *solution = duet_test_solve(instance, name, NULL, NULL);
    const duet_placement *placed = duet_solution_placements(solution);
    for (size_t j = 0; j < tasks; j++) {
        if (placed[j].type != places[j].type || placed[j].processor != places[j].processor ||
            placed[j].start != places[j].start) {
            fail_msg("%s: task %zu on type %d processor %d at %lld, expected %d %d %lld", name, j,
                     placed[j].type, placed[j].processor, (long long)placed[j].start,
                     places[j].type, places[j].processor, (long long)places[j].start);
        }
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void three_types(void **state)
{
    (void)state;
    enum { GPU2 = 2 };
    // By p / sqrt(m): 3.5 4 9; 4.5 4 9; 4 4 4 (the earlier type).
    static const int64_t qa_times[] = {7, 4, 9, 9, 4, 9, 8, 4, 4};
    static const expected qa_places[] = {{CPU, 0, 0}, {GPU, 0, 0}, {CPU, 1, 0}};
    check_three(3, qa_times, "qa", qa_places);
    static const int64_t quickest_times[] = {5, 5, 9, 5, 9, 9, 5, 4, 3};
    static const expected quickest_places[] = {{GPU, 0, 0}, {CPU, 0, 0}, {GPU2, 0, 0}};
    check_three(3, quickest_times, "quickest", quickest_places);
    static const int64_t eft_times[] = {4, 3, 3, 4, 3, 3, 4, 3, 3};
    static const expected eft_places[] = {{GPU2, 0, 0}, {GPU, 0, 0}, {CPU, 0, 0}};
    check_three(3, eft_times, "eft", eft_places);
    // Means (4 p + q + r)/6: 2, then 7: the second task goes first.
    static const int64_t heft_times[] = {2, 2, 2, 9, 3, 3};
    static const expected heft_places[] = {{GPU, 0, 0}, {GPU2, 0, 0}};
    check_three(2, heft_times, "heft", heft_places);
    // All quickest on the GPU, longest first there.
    static const int64_t lpt_times[] = {9, 1, 2, 9, 3, 4, 9, 2, 3};
    static const expected lpt_places[] = {{GPU, 0, 5}, {GPU, 0, 0}, {GPU, 0, 3}};
    check_three(3, lpt_times, "lpt", lpt_places);
}

static void guarantees(void **state)
{
    (void)state;
    char text[96];
    const int64_t one_one[] = {1, 1};
    const int64_t four_one[] = {4, 1};
    const int64_t twenty_four[] = {20, 4};
    const int64_t three_none[] = {3, 0};
    assert_string_equal(duet_guarantee("heteroprio", 2, one_one, NULL, text), "(1+sqrt(5))/2");
    assert_string_equal(duet_guarantee("heteroprio", 2, four_one, NULL, text), "(3+sqrt(5))/2");
    assert_string_equal(duet_guarantee("heteroprio", 2, twenty_four, NULL, text), "2+sqrt(2)");
    assert_string_equal(duet_guarantee("heteroprio", 2, three_none, NULL, text), "5/3");
    assert_string_equal(duet_guarantee("lpt", 2, three_none, NULL, text), "11/9");
    assert_string_equal(duet_guarantee("qa", 2, four_one, NULL, text), "9/2"); // 4 + 1 - 1/2
    assert_string_equal(duet_guarantee("er-ls", 2, four_one, NULL, text), "8");
    assert_string_equal(duet_guarantee("mixeft", 2, four_one, NULL, text), "15");
    assert_null(duet_guarantee("eft", 2, twenty_four, NULL, text));
    // phi = 1.6180339887...: 1618034 exceeds it by a hair, 1618033 does not.
    assert_int_equal(duet_guarantee_holds("heteroprio", 2, one_one, NULL, 1618033, 1000000), 1);
    assert_int_equal(duet_guarantee_holds("heteroprio", 2, one_one, NULL, 1618034, 1000000), 0);
    assert_int_equal(duet_guarantee_holds("eft", 2, twenty_four, NULL, 1, 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eft),
        cmocka_unit_test(eft_ties),
        cmocka_unit_test(allocation_ties),
        cmocka_unit_test(heft),
        cmocka_unit_test(heft_order),
        cmocka_unit_test(quickest),
        cmocka_unit_test(ratio),
        cmocka_unit_test(qa),
        cmocka_unit_test(qa_exact),
        cmocka_unit_test(er_ls),
        cmocka_unit_test(mixeft),
        cmocka_unit_test(heteroprio),
        cmocka_unit_test(heteroprio_spoliates),
        cmocka_unit_test(heteroprio_latest_first),
        cmocka_unit_test(lpt),
        cmocka_unit_test(lpt_allocations),
        cmocka_unit_test(dualhp),
        cmocka_unit_test(dualhp_free_tasks),
        cmocka_unit_test(three_types),
        cmocka_unit_test(guarantees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
