// SPDX-License-Identifier: Apache-2.0
// Schedules held as runs of equal tasks: dealing many equal tasks at once against placing them one
// by one, both forms of a schedule through everything that reads one, and the checker's no to every
// fault of a run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/engine/processors.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

enum { MOST_PROCESSORS = 40 };

// Graham's rule as it is told: the least loaded processor, of equal ones the first.
static void place_one_by_one(int64_t *load, size_t processors, int64_t time, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        size_t least = 0;
        for (size_t p = 1; p < processors; p++) {
            least = load[p] < load[least] ? p : least;
        }
        load[least] += time;
    }
}

static int64_t draw(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

// Times of every size, down to none; counts about as many as processors, or many more.
static int64_t draw_time(duet_random *random)
{
    static const int64_t sizes[] = {1, 10, 1000, INT64_C(1) << 40};
    return draw(random, 0, sizes[draw(random, 0, 3)]);
}

static int64_t draw_count(duet_random *random, size_t processors)
{
    static const int64_t per_processor[] = {1, 2, 3, 50};
    return draw(random, 1, (int64_t)processors * per_processor[draw(random, 0, 3)]);
}

// The runs hold tasks 0 .. count - 1 in turn, each where its processor was free.
static void check_runs(const duet_solution *solution, int64_t time, int64_t count,
                       const int64_t *before, uint64_t seed)
{
    int64_t next = 0;
    for (size_t r = 0; r < solution->runs; r++) {
        const duet_task_run *run = &solution->run[r];
        if (run->first != next || run->count < 1 || run->time != time || run->type != 1 ||
            (count > MOST_PROCESSORS && run->start != before[run->processor])) {
            fail_msg("seed %llu: run %zu is wrong", (unsigned long long)seed, r);
        }
        next += run->count;
    }
    assert_int_equal(next, count);
}

static void deal_round(duet_random *random, duet_processors *pool, int64_t *load, uint64_t seed)
{
    int64_t given[MOST_PROCESSORS];
    int64_t before[MOST_PROCESSORS];
    int64_t time = draw_time(random);
    int64_t count = draw_count(random, pool->count);
    duet_solution *solution;
    assert_int_equal(duet_solution_create_blank(count, &solution, NULL), DUET_OK);
    size_t most = (size_t)(count < (int64_t)pool->count ? count : (int64_t)pool->count);
    assert_int_equal(duet_solution_hold_runs(solution, most, NULL), DUET_OK);
    memcpy(before, load, sizeof before);
    place_one_by_one(load, pool->count, time, count);
    duet_processors_start_many(pool, time, 0, count, given, solution);
    assert_true(solution->runs <= most);
    check_runs(solution, time, count, before, seed);
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->heap[i].load != load[pool->heap[i].index]) {
            fail_msg("seed %llu: processor %d: load %lld, one by one %lld",
                     (unsigned long long)seed, pool->heap[i].index, (long long)pool->heap[i].load,
                     (long long)load[pool->heap[i].index]);
        }
    }
    duet_solution_free(solution);
}

static void dealt_as_one_by_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(5000); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t load[MOST_PROCESSORS] = {0};
        duet_processor heap[MOST_PROCESSORS];
        duet_processors pool = {heap, (size_t)draw(&random, 1, MOST_PROCESSORS), 1};
        for (size_t i = 0; i < pool.count; i++) {
            heap[i] = (duet_processor){0, (int32_t)i};
        }
        for (int round = 0; round < 6; round++) {
            deal_round(&random, &pool, load, seed);
        }
    }
}

static void dealt_at_the_limit(void **state)
{
    (void)state;
    // Work that adds up to 2^62 - 1: no sum may overflow.
    duet_processor heap[3] = {{0, 0}, {0, 1}, {0, 2}};
    duet_processors pool = {heap, 3, 0};
    int64_t given[3];
    duet_solution *solution;
    assert_int_equal(duet_solution_create_blank(DUET_MAX_WORK - 1, &solution, NULL), DUET_OK);
    assert_int_equal(duet_solution_hold_runs(solution, 3, NULL), DUET_OK);
    duet_processors_start_many(&pool, 1, 0, DUET_MAX_WORK - 1, given, solution);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(heap[i].load, (DUET_MAX_WORK - 1) / 3);
    }
    duet_solution_free(solution);
}

typedef struct draw_plan {
    duet_instance *instance;
    duet_allocation allocation;
} draw_plan;

// One to five kinds on one to three types, some forbidden, dealt to the types at random; on some
// types one task goes last.
static draw_plan draw_allocation(duet_random *random)
{
    size_t types = (size_t)draw(random, 1, 3);
    size_t kinds = (size_t)draw(random, 1, 5);
    int64_t processors[3];
    int64_t counts[5];
    int64_t times[15];
    for (size_t t = 0; t < types; t++) {
        processors[t] = draw(random, 1, 6);
    }
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = draw(random, 1, draw(random, 0, 1) == 0 ? 20 : 2000);
        for (size_t t = 0; t < types; t++) {
            times[i * types + t] = draw_time(random);
        }
    }
    draw_plan plan = {.instance = duet_test_instance(types, processors, kinds, counts, times)};
    assert_int_equal(duet_allocation_create(plan.instance, &plan.allocation, NULL), DUET_OK);
    for (size_t i = 0; i < kinds; i++) {
        int64_t left = counts[i];
        for (size_t t = 0; t + 1 < types; t++) {
            plan.allocation.share[i * types + t] = draw(random, 0, left);
            left -= plan.allocation.share[i * types + t];
        }
        plan.allocation.share[i * types + types - 1] = left;
    }
    for (size_t t = 0; t < types; t++) {
        size_t kind = (size_t)draw(random, 0, (int64_t)kinds - 1);
        bool some = draw(random, 0, 2) == 0 && plan.allocation.share[kind * types + t] > 0;
        plan.allocation.last[t] = some ? kind : SIZE_MAX;
    }
    return plan;
}

// The loads of a type's processors after Graham's rule on its longest tasks first.
static void expected_loads(const draw_plan *plan, size_t type, int64_t *load)
{
    const duet_instance *instance = plan->instance;
    size_t types = instance->types;
    size_t last = plan->allocation.last[type];
    bool done[5] = {false};
    for (size_t round = 0; round < instance->kinds; round++) {
        size_t longest = SIZE_MAX;
        for (size_t i = 0; i < instance->kinds; i++) {
            if (!done[i] && (longest == SIZE_MAX ||
                             duet_time(instance, i, type) > duet_time(instance, longest, type))) {
                longest = i;
            }
        }
        done[longest] = true;
        place_one_by_one(load, (size_t)instance->processors[type],
                         duet_time(instance, longest, type),
                         plan->allocation.share[longest * types + type] - (longest == last));
    }
    if (last != SIZE_MAX) {
        place_one_by_one(load, (size_t)instance->processors[type], duet_time(instance, last, type),
                         1);
    }
}

static void compare_loads(const draw_plan *plan, const duet_solution *solution, uint64_t seed)
{
    const duet_instance *instance = plan->instance;
    int64_t latest = 0;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t expected[MOST_PROCESSORS] = {0};
        int64_t found[MOST_PROCESSORS] = {0};
        expected_loads(plan, t, expected);
        size_t at = 0;
        for (size_t i = 0; i < instance->kinds; i++) {
            int64_t placed = 0;
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                duet_placement place = duet_solution_place(solution, j, &at);
                found[place.processor] += place.type == (int32_t)t ? duet_time(instance, i, t) : 0;
                placed += place.type == (int32_t)t;
            }
            assert_int_equal(placed, plan->allocation.share[i * instance->types + t]);
        }
        for (int64_t p = 0; p < instance->processors[t]; p++) {
            if (found[p] != expected[p]) {
                fail_msg("seed %llu: type %zu, processor %lld: load %lld, one by one %lld",
                         (unsigned long long)seed, t, (long long)p, (long long)found[p],
                         (long long)expected[p]);
            }
            latest = expected[p] > latest ? expected[p] : latest;
        }
    }
    assert_int_equal(duet_solution_measure(solution, instance), latest);
}

static void check(const duet_instance *instance, const duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    }
}

static void longest_first_in_both_forms(void **state)
{
    (void)state;
    int forms[2] = {0, 0};
    const uint64_t seeds = duet_test_share(3000);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        draw_plan plan = draw_allocation(&random);
        const duet_instance *instance = plan.instance;
        duet_solution *solution;
        assert_int_equal(duet_solution_create_blank(duet_tasks(instance), &solution, NULL),
                         DUET_OK);
        assert_int_equal(duet_schedule_longest_first(instance, &plan.allocation, solution, NULL),
                         DUET_OK);
        duet_solution_finish(solution, instance);
        size_t runs;
        bool compact = duet_solution_runs(solution, &runs) != NULL;
        forms[compact]++;
        assert_true(!compact || runs <= (size_t)duet_tasks(instance) / DUET_TASKS_PER_RUN);
        compare_loads(&plan, solution, seed);
        check(instance, solution, seed);
        int64_t makespan = duet_solution_makespan(solution);
        assert_non_null(duet_solution_placements(solution)); // expands
        compare_loads(&plan, solution, seed);
        check(instance, solution, seed);
        assert_int_equal(duet_solution_measure(solution, instance), makespan);
        duet_solution_free(solution);
        duet_allocation_free(&plan.allocation);
        duet_instance_free(plan.instance);
    }
    assert_true(seeds < 100 || (forms[0] > (int)seeds / 30 && forms[1] > (int)seeds / 30));
}

// A solution that was in one form is filled in the other.
static void forms_change(void **state)
{
    (void)state;
    const int64_t processors[] = {2};
    const int64_t times[] = {3};
    const int64_t many[] = {100};
    duet_instance *instance = duet_test_instance(1, processors, 1, many, times);
    duet_solution *solution;
    assert_int_equal(duet_solution_create(100, &solution, NULL), DUET_OK);
    assert_int_equal(duet_solution_placements(solution)[99].type, -1);
    duet_allocation allocation;
    assert_int_equal(duet_allocation_create(instance, &allocation, NULL), DUET_OK);
    allocation.share[0] = 100;
    assert_int_equal(duet_schedule_longest_first(instance, &allocation, solution, NULL), DUET_OK);
    size_t runs;
    const duet_task_run *run = duet_solution_runs(solution, &runs);
    assert_int_equal(runs, 2);
    assert_int_equal(duet_solution_placements(solution)[49].start, 147);
    assert_int_equal(duet_solution_placements(solution)[99].start, 147);
    assert_ptr_equal(duet_solution_runs(solution, &runs), run); // still there
    assert_int_equal(duet_solution_hold_placements(solution, NULL), DUET_OK);
    assert_null(duet_solution_runs(solution, &runs));
    assert_int_equal(runs, 0);
    assert_int_equal(duet_solution_placements(solution)[99].start, 147);
    duet_allocation_free(&allocation);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

typedef duet_code write_as(const char *path, const duet_instance *instance,
                           const duet_solution *solution, duet_error *error);

static char *written(write_as *function, const char *path, const duet_instance *instance,
                     const duet_solution *solution)
{
    duet_error error = DUET_ERROR_INIT;
    if (function(path, instance, solution, &error) != DUET_OK) {
        fail_msg("%s: %s", path, error.message);
    }
    char *text = duet_file_text(path, NULL);
    unlink(path);
    return text;
}

// Files made from runs are those made from placements.
static void written_alike(void **state)
{
    (void)state;
    const int64_t processors[] = {3, 2};
    const int64_t counts[] = {200, 300, 7};
    const int64_t times[] = {30, 7, 11, 5, 100, DUET_FORBIDDEN};
    duet_instance *instance = duet_test_instance(2, processors, 3, counts, times);
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, "shelf-3-2", NULL, &solution, NULL), DUET_OK);
    size_t runs;
    assert_non_null(duet_solution_runs(solution, &runs));
    static const struct {
        write_as *function;
        const char *path;
    } rows[] = {{duet_write_solution, "runs.json"},
                {duet_write_trace, "runs.trace.json"},
                {duet_write_trace, "runs.paje"}};
    enum { ROWS = sizeof rows / sizeof *rows };
    char *compact[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        compact[i] = written(rows[i].function, rows[i].path, instance, solution);
    }
    assert_null(solution->placement); // nothing expanded it
    assert_non_null(duet_solution_placements(solution));
    for (size_t i = 0; i < ROWS; i++) {
        char *expanded = written(rows[i].function, rows[i].path, instance, solution);
        assert_string_equal(compact[i], expanded);
        free(expanded);
        free(compact[i]);
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// A thousand million tasks: within a megabyte where they are held as runs.
static void many_tasks_in_little_memory(void **state)
{
    (void)state;
    static const char *const compact[] = {"lpt",       "dualhp", "dual-2",
                                          "shelf-3-2", "auto",   "accel-published"};
    const int64_t processors[] = {20, 4};
    const int64_t counts[] = {250000000, 250000000, 250000000, 250000000};
    const int64_t times[] = {330, 156, 880, 81, 950, 36, 1700, 59};
    duet_instance *instance = duet_test_instance(2, processors, 4, counts, times);
    duet_params params = DUET_PARAMS_INIT;
    params.memory_limit = 1 << 20;
    params.time_limit = 5; // for auto, which goes on to search
    duet_solution *solution;
    for (size_t a = 0; a < sizeof compact / sizeof *compact; a++) {
        duet_error error = DUET_ERROR_INIT;
        if (duet_solve(instance, compact[a], &params, &solution, &error) != DUET_OK ||
            duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
            fail_msg("%s: %s", compact[a], error.message);
        }
        size_t runs;
        assert_non_null(duet_solution_runs(solution, &runs));
        assert_true(runs <= 4 * 24 + 2);
        duet_solution_free(solution);
    }
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_solve(instance, "eft", &params, &solution, &error), DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "--memory"));
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dealt_as_one_by_one),
        cmocka_unit_test(dealt_at_the_limit),
        cmocka_unit_test(longest_first_in_both_forms),
        cmocka_unit_test(forms_change),
        cmocka_unit_test(written_alike),
        cmocka_unit_test(many_tasks_in_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
