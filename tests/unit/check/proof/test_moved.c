// SPDX-License-Identifier: Apache-2.0
// What the checker says of a moved instance: nothing where it is the right one, and the part that
// differs after each change of one number that would make it ask for more than the instance does.
// What stands in the way of one is known before it is made.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "check/proof/proof.h"
#include "core/instance/graph.h"

enum { TYPES = 2, KINDS = 2, CLASSES = 3 };

// Two CPUs, one of them busy until 3, and a GPU; three tasks, of which the first two are released
// at 5, and an edge between them that costs something.
static duet_instance *make(void)
{
    static const duet_type platform[TYPES] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t counts[KINDS] = {2, 1};
    static const int64_t times[KINDS * TYPES] = {4, 2, 6, DUET_FORBIDDEN};
    static const int64_t releases[KINDS] = {5, 0};
    static const duet_busy busy[] = {{0, 1, 3}};
    static const int64_t costs[TYPES * TYPES] = {0, 7, 8, 0};
    static const duet_edge edge[] = {{0, 1, 0}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = TYPES,
                                     .platform = platform,
                                     .kinds = KINDS,
                                     .counts = counts,
                                     .times = times,
                                     .releases = releases,
                                     .busy_count = 1,
                                     .busy = busy,
                                     .edges = 1,
                                     .edge = edge,
                                     .cost_tables = 1,
                                     .costs = costs};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// Says what differs while a number is another, and puts it back.
static void expect(const duet_instance *from, const duet_moved *moved, int64_t *number,
                   int64_t other, const char *part)
{
    int64_t before = *number;
    *number = other;
    const char *differs = duet_proof_moved_differs(from, moved);
    *number = before;
    if (part == NULL) {
        assert_null(differs);
    } else {
        assert_non_null(differs);
        assert_string_equal(differs, part);
    }
}

static void test_differs(void **state)
{
    (void)state;
    duet_instance *from = make();
    duet_moved moved;
    assert_int_equal(duet_moved_create(from, 0, &moved, NULL), DUET_OK);
    duet_instance *to = moved.instance;
    duet_graph *graph = to->graph;
    assert_int_equal(moved.classes, CLASSES);
    assert_null(duet_proof_moved_differs(from, &moved));

    for (size_t c = 0; c < CLASSES; c++) {
        expect(from, &moved, &moved.class[c].until, 4, "processors");
        expect(from, &moved, &moved.class[c].count, 2, "processors");
        expect(from, &moved, &to->processors[c], 2, "processors");
    }
    expect(from, &moved, &to->processors[CLASSES], 2, "processors");
    for (size_t i = 0; i <= KINDS; i++) {
        for (size_t t = 0; t <= CLASSES; t++) {
            expect(from, &moved, &to->times[i * (CLASSES + 1) + t], 3, "tasks");
        }
        expect(from, &moved, &to->first[i + 1], to->first[i + 1] + 1, "tasks");
    }
    // Lower costs than those of the instance ask for less, which is allowed; higher ones are not.
    for (int64_t e = 0; e < graph->edges; e++) {
        for (size_t a = 0; a <= CLASSES; a++) {
            for (size_t b = 0; b < CLASSES; b++) {
                bool counts = (e == 0) == (a < CLASSES);
                int64_t *cost =
                    &graph->cost[(graph->transfer[e] * graph->types + a) * graph->types + b];
                expect(from, &moved, cost, *cost + 1, counts ? "edges" : NULL);
                expect(from, &moved, cost, 0, NULL);
            }
        }
        int32_t tail = graph->tail[e];
        graph->tail[e] = 2;
        assert_string_equal(duet_proof_moved_differs(from, &moved), "edges");
        graph->tail[e] = tail;
        graph->head[e]++;
        assert_string_equal(duet_proof_moved_differs(from, &moved), "edges");
        graph->head[e]--;
    }
    assert_null(duet_proof_moved_differs(from, &moved));
    duet_moved_free(&moved);
    duet_instance_free(from);
}

// So many processors that are busy until different times, and tasks that are released at multiples
// of `apart`.
static void expect_obstacle(size_t processors, size_t tasks, int64_t apart,
                            duet_moved_obstacle expected)
{
    enum { MOST = 1100, MOST_PROCESSORS = DUET_MAX_TYPES };
    const duet_type platform = {"cpu", (int64_t)processors};
    static int64_t times[MOST];
    static int64_t releases[MOST];
    duet_busy busy[MOST_PROCESSORS];
    for (size_t j = 0; j < tasks; j++) {
        times[j] = 1;
        releases[j] = (int64_t)j * apart;
    }
    for (size_t p = 0; p < processors; p++) {
        busy[p] = (duet_busy){.processor = (int64_t)p, .until = (int64_t)p + 1};
    }
    static const duet_edge edge[] = {{0, 1, 0}};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = &platform,
                                     .kinds = tasks,
                                     .times = times,
                                     .releases = releases,
                                     .busy_count = processors,
                                     .busy = busy,
                                     .edges = 1,
                                     .edge = edge};
    duet_instance *instance = NULL;
    duet_moved moved;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_moved_obstacle_of(instance), expected);
    if (expected != DUET_MOVED_TIMES) {
        assert_int_equal(duet_moved_create(instance, 0, &moved, NULL),
                         expected == DUET_MOVED_FREE ? DUET_OK : DUET_E_LIMIT);
        duet_moved_free(&moved);
    }
    duet_instance_free(instance);
}

static void test_obstacles(void **state)
{
    (void)state;
    enum { TYPES_LEFT = DUET_MAX_TYPES - 1, COSTS = 1 << 22 };
    size_t tasks = COSTS / DUET_MAX_TYPES / DUET_MAX_TYPES; // a table each, and one of the edges
    expect_obstacle(TYPES_LEFT, tasks - 1, 1, DUET_MOVED_FREE);
    expect_obstacle(TYPES_LEFT, tasks, 1, DUET_MOVED_COSTS);
    expect_obstacle(TYPES_LEFT, tasks, 0, DUET_MOVED_FREE);
    expect_obstacle(TYPES_LEFT + 1, 2, 1, DUET_MOVED_CLASSES);
    expect_obstacle(2, 4, INT64_C(1) << 58, DUET_MOVED_TIMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differs),
                                       cmocka_unit_test(test_obstacles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
