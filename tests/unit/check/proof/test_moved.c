// SPDX-License-Identifier: Apache-2.0
// What the checker says of a moved instance: nothing where it is the right one, and the part that
// differs after each change of one number that would make it ask for more than the instance does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "check/proof/moved.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
