// SPDX-License-Identifier: Apache-2.0
// Task graphs: reading and writing them, what is refused, rows and orders.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "tests/support/fixtures.h"
#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

enum { GRAPHS = 2000 };

static const char *const path = duet_scratch_path;

static void put_file(const char *text)
{
    duet_scratch_put(text, strlen(text));
}

// --- reading -------------------------------------------------------------------------------------

static void test_forms(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "{\"edges\": [[\"c\", \"a\"], {\"to\": \"b#1\", \"note\": 1, \"from\": \"a\", \"cost\": "
        "2.5},\n"
        "[\"a\", \"b#0\", 0.5], {\"from\": \"b#0\", \"to\": \"d\", \"costs\": [[0, 3], [4, 0]]},\n"
        "{\"from\": \"b#1\", \"to\": \"d\", \"data\": 8}],\n"
        "\"transfer\": {\"per_unit\": [[0, 0.25], [0.5, 0]], \"latency\": [[0, 1], [2, 0]]},\n"
        "\"tasks\": [{\"id\": \"a\", \"times\": [1, 1]}, {\"id\": \"b\", \"count\": 2, \"times\": "
        "[1, 1]}, {\"id\": \"c\", \"times\": [1, 1]}, {\"id\": \"d\", \"times\": [1, 2], "
        "\"after\": "
        "[\"c\"]}]}");
    assert_int_equal(duet_instance_decimals(instance), 1);
    assert_int_equal(duet_instance_edges(instance), 6);
    duet_expect_edge(instance, 0, 3, 0);
    duet_expect_edge(instance, 1, 0, 2);
    duet_expect_edge(instance, 2, 0, 1);
    duet_expect_edge(instance, 5, 3, 4);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 1), 0);
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 0), 25);
    assert_int_equal(duet_instance_transfer(instance, 2, 1, 0), 5);
    assert_int_equal(duet_instance_transfer(instance, 3, 0, 1), 30);
    assert_int_equal(duet_instance_transfer(instance, 3, 1, 0), 40);
    assert_int_equal(duet_instance_transfer(instance, 4, 0, 1), 10 + 20);
    assert_int_equal(duet_instance_transfer(instance, 4, 1, 0), 20 + 40);
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION);
    size_t count;
    const int32_t *edges = duet_instance_edges_to(instance, 4, &count);
    assert_int_equal(count, 3);
    assert_int_equal(edges[0], 3);
    edges = duet_instance_edges_from(instance, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(edges[1], 2);
    duet_instance_free(instance);

    instance = duet_read_text("id,count,cpu,gpu,after\nd,2,1,1,b; c#1\nb,1,2,1,\nc,2,1,1,b;\n");
    assert_int_equal(duet_instance_edges(instance), 6);
    duet_expect_edge(instance, 0, 2, 0);
    duet_expect_edge(instance, 3, 4, 1);
    assert_int_equal(duet_instance_features(instance), DUET_FEATURE_PRECEDENCE);
    duet_instance_free(instance);

    // "a#0" is a task of its own where a is one task, also if it comes later.
    instance = duet_read_text("id,cpu,gpu,after\na,1,1,\nb,1,1,a#0\na#0,5,5,\n");
    duet_expect_edge(instance, 0, 2, 1);
    duet_instance_free(instance);

    // Blanks around the ids of a list are none of theirs, in JSON as in CSV.
    instance =
        duet_read_text("{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b c\", \"times\": "
                       "[1]}, {\"id\": \"d\", \"times\": [1], \"after\": \" a;\\tb c ;; \"}]}");
    assert_int_equal(duet_instance_edges(instance), 2);
    duet_expect_edge(instance, 1, 1, 2);
    duet_instance_free(instance);

    // What a task waits for has many names. What two of them say counts together.
    instance = duet_read_text(
        "{\"tasks\": [{\"id\": \"a\", \"times\": [1]},\n{\"id\": \"c\", \"times\": [1]}, {\"id\": "
        "\"b\", \"times\": [1], \"dependsOn\": [\"a\"], \"parents\": [\"c\"]}], \"links\": []}");
    assert_int_equal(duet_instance_edges(instance), 2);
    duet_expect_edge(instance, 0, 0, 2);
    duet_expect_edge(instance, 1, 1, 2);
    duet_instance_free(instance);

    // Costs of 0 cost nothing. Ids may be numbers.
    instance =
        duet_read_text("{\"tasks\": [{\"id\": \"1\", \"times\": [1]}, {\"id\": \"2\", \"times\": "
                       "[1]}, {\"id\": \"3\", \"times\": [1], \"after\": \"1;2\"}], \"edges\": "
                       "[[2, 1, 0]]}");
    assert_int_equal(duet_instance_edges(instance), 3);
    duet_expect_edge(instance, 2, 1, 0);
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_PRECEDENCE | DUET_FEATURE_ANY_TYPES);
    duet_instance_free(instance);

    // Long costs are rounded as long times are, with a note; short ones share the scale.
    instance = duet_read_text("{\"tasks\": [{\"id\": \"a\", \"times\": [1, 2]}, {\"id\": \"b\", "
                              "\"times\": [1, 2]}], \"edges\": [[\"a\", \"b\", "
                              "0.3333333333333333333333333]]}");
    assert_non_null(duet_instance_notice(instance));
    assert_non_null(strstr(duet_instance_notice(instance), "4 of 12 times are rounded"));
    duet_instance_free(instance);
}

static void test_refused(void **state)
{
    (void)state;
#define TASKS                                                                                      \
    "{\"tasks\": [{\"id\": \"a\", \"times\": [1, 1]}, {\"id\": \"b\", \"count\": 3, "              \
    "\"times\": [1, 1]}],\n\"edges\": "
    static const struct {
        const char *text;
        int line;
        const char *message;
    } bad[] = {
        {TASKS "[[\"a\", \"b#3\"]]}", 2, "unknown task 'b#3'"},
        {TASKS "[[\"x\", \"a\"]]}", 2, "unknown task 'x'"},
        {TASKS "[[\"a\", \"b\"]]}", 2, "'b', which are several tasks"},
        {TASKS "[[\"a\", \"a\"]]}", 2, "task 'a' waits for itself"},
        {TASKS "[[\"a\", \"b#1\"],\n[\"a\", \"b#1\"]]}", 3, "'a' to 'b#1' stands twice"},
        {TASKS "[[\"a\", \"b#1\"], [\"b#1\", \"b#0\"],\n[\"b#0\", \"a\"]]}", 3,
         "3 tasks wait for each other"},
        {TASKS "[[\"a\", \"b#1\", -1]]}", 2, "a number of at least 0"},
        {TASKS "[[\"a\", \"b#1\", \"x\"]]}", 2, "a number of at least 0"},
        {TASKS "[[\"a\"]]}", 2, "fewer than two tasks"},
        {TASKS "[[\"a\", \"b#1\", 2, 3]]}", 2, "more than three values"},
        {TASKS "[{\"from\": \"a\"}]}", 2, "the edge has no \"to\""},
        {TASKS "[{\"from\": \"a\", \"to\": \"b#0\", \"cost\": 1, \"data\": 2}]}", 2,
         "a second cost"},
        {TASKS "[{\"from\": \"a\", \"to\": \"b#0\", \"data\": 2}]}", 2, "\"transfer\""},
        {TASKS "[{\"from\": \"a\", \"to\": \"b#0\", \"costs\": [[1, 2]]}]}", 2, "expected 4"},
        {TASKS "[{\"from\": \"a\", \"to\": \"b#0\", \"data\": 2}],\n \"transfer\": {\"latency\": "
               "[[1]]}}",
         3, "1 latencies"},
        {TASKS "\"a\"}", 2, "an array of edges"},
        {TASKS "[[\"a\", \"b#0\", 4611686018427387904]]}", 1, "too much work"},
        {"id,cpu,after\na,1,\nb,1,c\n", 3, "unknown task 'c'"},
        {"id,cpu,after\na,1,b\nb,1,a\n", 3, "wait for each other"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        put_file(bad[i].text);
        assert_int_equal(duet_read_instance(path, NULL, &instance, &error), DUET_E_INPUT);
        assert_null(instance);
        if (error.line != bad[i].line || strstr(error.message, bad[i].message) == NULL) {
            fail_msg("line %d: %s, expected line %d: %s", error.line, error.message, bad[i].line,
                     bad[i].message);
        }
    }
    // A long cycle is named by its ends.
    put_file("id,cpu,after\na,1,g\nb,1,a\nc,1,b\nd,1,c\ne,1,d\nf,1,e\ng,1,f\n");
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_read_instance(path, NULL, &instance, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "7 tasks wait for each other"));
    assert_non_null(strstr(error.message, " -> ... -> "));
}

// --- random graphs -------------------------------------------------------------------------------

static size_t types_of(uint64_t seed)
{
    return seed % 3 == 0 ? 1 + seed % 4 : 2;
}

static bool same_edges(const duet_instance *a, const duet_instance *b, bool costs)
{
    bool same = duet_instance_edges(a) == duet_instance_edges(b);
    size_t types = duet_instance_types(a);
    for (int64_t e = 0; e < duet_instance_edges(a) && same; e++) {
        duet_edge first = duet_instance_edge(a, e);
        duet_edge second = duet_instance_edge(b, e);
        same = first.from == second.from && first.to == second.to;
        for (size_t i = 0; i < types * types && same && costs; i++) {
            same = duet_instance_transfer(a, e, i / types, i % types) ==
                   duet_instance_transfer(b, e, i / types, i % types);
        }
    }
    return same;
}

// What is written is read again as it was.
static void test_round_trip(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS / 4; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 12, types_of(seed));
        duet_instance *again = NULL;
        assert_int_equal(duet_write_instance(path, "json", instance, NULL), DUET_OK);
        assert_int_equal(duet_read_instance(path, NULL, &again, NULL), DUET_OK);
        if (!same_edges(instance, again, true) ||
            duet_instance_features(instance) != duet_instance_features(again)) {
            duet_fail_instance(instance, "graph-json", seed, "other edges are read than written");
        }
        duet_instance_free(again);
        duet_instance_free(instance);
    }
}

// The same task by task: formats that have no kinds of several tasks make one of each.
static bool same_tasks(const duet_instance *a, const duet_instance *b)
{
    bool same = duet_instance_tasks(a) == duet_instance_tasks(b) &&
                duet_instance_types(a) == duet_instance_types(b) &&
                duet_instance_decimals(a) == duet_instance_decimals(b);
    for (int64_t j = 0; same && j < duet_instance_tasks(a); j++) {
        char ids[2][100];
        duet_instance_task_id(a, j, ids[0], sizeof ids[0]);
        duet_instance_task_id(b, j, ids[1], sizeof ids[1]);
        same = strcmp(ids[0], ids[1]) == 0;
        for (size_t t = 0; t < duet_instance_types(a) && same; t++) {
            same = duet_instance_time(a, duet_instance_kind_of(a, j), t) ==
                   duet_instance_time(b, duet_instance_kind_of(b, j), t);
        }
    }
    for (size_t t = 0; same && t < duet_instance_types(a); t++) {
        same = strcmp(duet_instance_type_name(a, t), duet_instance_type_name(b, t)) == 0;
    }
    return same;
}

// DOT holds all but kinds; CSV has no costs and no platform, and refuses the one.
static void test_other_formats(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS / 4; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 12, types_of(seed));
        duet_instance *again = NULL;
        assert_int_equal(duet_write_instance(path, "dot", instance, NULL), DUET_OK);
        assert_int_equal(duet_read_instance(path, NULL, &again, NULL), DUET_OK);
        if (!same_edges(instance, again, true) || !same_tasks(instance, again)) {
            duet_fail_instance(instance, "graph-dot", seed, "another graph is read than written");
        }
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            assert_int_equal(duet_instance_type_count(instance, t),
                             duet_instance_type_count(again, t));
        }
        duet_instance_free(again);
        bool costs = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
        duet_code code = duet_write_instance(path, "csv", instance, NULL);
        assert_int_equal(code, costs ? DUET_E_USAGE : DUET_OK);
        if (code == DUET_OK) {
            assert_int_equal(duet_read_instance(path, NULL, &again, NULL), DUET_OK);
            assert_int_equal(duet_instance_edges(instance), duet_instance_edges(again));
            assert_true(same_tasks(instance, again));
            duet_instance_free(again);
        }
        duet_instance_free(instance);
    }
}

// An instance of two tasks, the second after the first.
static duet_instance *make_pair(const char *first, const char *type)
{
    const char *const ids[] = {first, "b"};
    const duet_type platform[] = {{type, 2}, {"gpu", 1}};
    const int64_t times[] = {3, 4, DUET_FORBIDDEN, 2};
    const duet_edge edge = {.from = 0, .to = 1};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .name = "a \"name\"",
                                     .types = 2,
                                     .platform = platform,
                                     .kinds = 2,
                                     .ids = ids,
                                     .times = times,
                                     .edges = 1,
                                     .edge = &edge};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

// Names that mean something to a format come back, or are refused.
static void test_odd_names(void **state)
{
    (void)state;
    static const struct {
        const char *id, *type, *format;
        const char *refused; // NULL: it comes back
    } cases[] = {
        {"a \"b\" \\n [cpu=1]; // -> c", "cpu", "dot", NULL},
        {"digraph", "node", "dot", NULL},
        {"<x>", "3 GHz", "dot", NULL},
        {"-", "label", "dot", NULL},
        {"a\nb\r\tc", "cpu", "dot", NULL},
        {"\\\\", "cpu", "dot", NULL},
        {"\\\\\"", "cpu", "dot", NULL},
        {"a\\", "cpu", "dot", "the task 'a\\' cannot be written as DOT: a backslash stands"},
        {"a\\\"", "cpu", "dot", "cannot be written as DOT"},
        {"a\\\n", "cpu", "dot", "cannot be written as DOT"},
        {"a", "c,d", "dot", "the type 'c,d' cannot be written as DOT: it has a comma"},
        {"a", "c=d", "dot", "the type 'c=d' cannot be written as DOT"},
        {"a", "c\\", "dot", "the type 'c\\' cannot be written as DOT: a backslash"},
        {"a,\"b\"", "cpu", "csv", NULL},
        {"#a", "after", "csv", NULL},
        {"a;b", "cpu", "csv", "the task 'a;b' cannot be a predecessor in CSV"},
        {" a", "cpu", "csv", "cannot be a predecessor in CSV"},
        {"a ", "cpu", "csv", "cannot be a predecessor in CSV"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_instance *instance = make_pair(cases[i].id, cases[i].type);
        duet_instance *again = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = duet_write_instance(path, cases[i].format, instance, &error);
        assert_int_equal(code, cases[i].refused == NULL ? DUET_OK : DUET_E_USAGE);
        if (code == DUET_OK) {
            if (duet_read_instance(path, NULL, &again, &error) != DUET_OK) {
                fail_msg("%s: line %d: %s", cases[i].id, error.line, error.message);
            }
            assert_true(same_tasks(instance, again));
            assert_true(same_edges(instance, again, true));
        } else if (strstr(error.message, cases[i].refused) == NULL) {
            fail_msg("%s: %s", cases[i].id, error.message);
        }
        duet_instance_free(again);
        duet_instance_free(instance);
    }
}

static bool reaches(const duet_graph *graph, int64_t from, int64_t to)
{
    bool found = from == to;
    for (int64_t at = graph->leave_at[from]; at < graph->leave_at[from + 1] && !found; at++) {
        found = reaches(graph, graph->head[graph->leaving[at]], to);
    }
    return found;
}

// Rows hold every edge once, by its ends; both topological orders respect all edges, and the first
// is the smallest of all.
static void test_rows_and_orders(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 12, types_of(seed));
        const duet_graph *graph = instance->graph;
        int32_t order[12];
        int64_t position[12];
        for (int which = 0; which < 2 && graph != NULL; which++) {
            assert_int_equal(duet_graph_sort(graph, (duet_topological)which, order, NULL),
                             graph->tasks);
            for (int64_t i = 0; i < graph->tasks; i++) {
                position[order[i]] = i;
            }
            for (int64_t e = 0; e < graph->edges; e++) {
                if (position[graph->tail[e]] >= position[graph->head[e]]) {
                    duet_fail_instance(instance, "graph-order", seed, "an edge runs backwards");
                }
            }
        }
        assert_true(graph == NULL || duet_graph_find_cycle(graph, order, NULL) == 0);
        for (int64_t j = 0; graph != NULL && j < graph->tasks; j++) {
            for (int64_t at = graph->leave_at[j]; at < graph->leave_at[j + 1]; at++) {
                assert_int_equal(graph->tail[graph->leaving[at]], j);
                assert_true(at == graph->leave_at[j] ||
                            graph->leaving[at - 1] < graph->leaving[at]);
            }
            for (int64_t at = graph->enter_at[j]; at < graph->enter_at[j + 1]; at++) {
                assert_int_equal(graph->head[graph->entering[at]], j);
            }
        }
        duet_instance_free(instance);
    }
}

// One more edge, against the others: it closes a cycle exactly where a path leads back, and the
// cycle that is found consists of edges.
static void test_cycles(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        duet_random random;
        duet_instance *instance = duet_test_graph(&random, seed, 1, 10, types_of(seed));
        const duet_graph *graph = instance->graph;
        int64_t from = duet_random_between(&random, 0, duet_tasks(instance) - 1);
        int64_t to = duet_random_between(&random, 0, duet_tasks(instance) - 1);
        if (graph == NULL || from == to) {
            duet_instance_free(instance);
            continue;
        }
        bool expected = reaches(graph, to, from);
        duet_graph more = {.tasks = graph->tasks, .edges = graph->edges + 1};
        int32_t tail[64];
        int32_t head[64];
        assert_true(more.edges <= 64);
        memcpy(tail, graph->tail, (size_t)graph->edges * sizeof *tail);
        memcpy(head, graph->head, (size_t)graph->edges * sizeof *head);
        tail[graph->edges] = (int32_t)from;
        head[graph->edges] = (int32_t)to;
        more.tail = tail;
        more.head = head;
        assert_int_equal(duet_graph_make_rows(&more, NULL), DUET_OK);
        int32_t cycle[10];
        int64_t length = duet_graph_find_cycle(&more, cycle, NULL);
        if ((length > 0) != expected) {
            duet_fail_instance(instance, "graph-cycle", seed,
                               "a cycle that is none, or was missed");
        }
        for (int64_t i = 0; i < length; i++) {
            bool joined = false;
            for (int64_t e = 0; e < more.edges; e++) {
                joined = joined || (tail[e] == cycle[i] && head[e] == cycle[(i + 1) % length]);
            }
            assert_true(joined);
        }
        found += length > 0;
        duet_free(more.leave_at);
        duet_free(more.leaving);
        duet_free(more.enter_at);
        duet_free(more.entering);
        duet_instance_free(instance);
    }
    assert_true(found > GRAPHS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_other_formats),
        cmocka_unit_test(test_odd_names),  cmocka_unit_test(test_rows_and_orders),
        cmocka_unit_test(test_cycles),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
