// SPDX-License-Identifier: Apache-2.0
// How files write edges: lists of predecessors with other separators than the documented ones,
// costs below 0, costs by other names, lines on which everybody waits, records over which tasks
// reach each other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "core/number/random.h"
#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

// The edges as "from>to from>to", in the order of the instance.
static void expect_edges(const char *text, const char *edges)
{
    duet_instance *instance = duet_read_text(text);
    char found[400] = "";
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        duet_edge edge = duet_instance_edge(instance, e);
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%d>%d", e > 0 ? " " : "", (int)edge.from,
                 (int)edge.to);
    }
    if (strcmp(found, edges) != 0) {
        fail_msg("edges %s; expected %s, in:\n%s", found, edges, text);
    }
    duet_instance_free(instance);
}

// --- lists of predecessors -----------------------------------------------------------------------

#define ROWS "id,after,cpu\na,,1\nb,a,1\n"

static void test_separators(void **state)
{
    (void)state;
    static const char *const lists[] = {"a;b", "a; b;", "\"a,b\"", "\" a , b \"", "\"a,b,\"", "a|b",
                                        "a b", "a  b",  "a | b",   "\"a, b\"",    "\"a;,b\""};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[100];
        snprintf(text, sizeof text, ROWS "c,%s,1\n", lists[i]);
        expect_edges(text, "0>1 0>2 1>2");
    }
    expect_edges("id;after;cpu\n1;;1,5\n2;1;1\n3;1,2;2\n", "0>1 0>2 1>2");
    expect_edges("id\tafter\tcpu\na\t\t1\nb\ta\t1\nc\ta, b\t1\n", "0>1 0>2 1>2");
    // Nothing, in the words of tables, unless a task is called so.
    expect_edges("id,after,cpu\na,nan,1\nb,-,1\nc,None,1\nd,a;,1\n", "0>3");
    expect_edges("id,after,cpu\na,,1\nb,none,1\nnone,a,1\n", "2>1 0>2");
    expect_edges("id,after,cpu\na,NA,1\nb,NA,1\n", "");
    // Tasks that come later, in lists of several lists, and a kind of several tasks.
    expect_edges("id,count,after,cpu\ng,2,\"c, b#1 b#2\",1\nc,1,,1\nb,3,c,1\n",
                 "2>0 4>0 5>0 2>1 4>1 5>1 2>3 2>4 2>5");
    // JSON has texts, too, and typed lines may end with a list with blanks.
    expect_edges("{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1], "
                 "\"after\": \"a\"}, {\"id\": \"c\", \"times\": [1], \"after\": \"a, b\"}]}",
                 "0>1 0>2 1>2");
    expect_edges("a 3 1\nb 4 2 a,\nc 5 1 a, b\nd 5 1 a;b\n", "0>1 0>2 1>2 0>3 1>3");
}

// Where a task has the whole text for its id, it is no list.
static void test_ids_with_separators(void **state)
{
    (void)state;
    expect_edges("id,after,cpu\n\"a,b\",,1\na,,1\nb,\"a,b\",1\nc,a b,1\na b,,1\n", "0>2 4>3");
    expect_edges("id,after,cpu\nx y,,1\nb,,1\nc,\"x y, b\",1\n", "0>2 1>2");
    // An array of ids holds no lists.
    static const duet_bad_text bad[] = {
        {"{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]},\n"
         "{\"id\": \"c\", \"times\": [1], \"after\": [\"a,b\"]}]}",
         2, "unknown task 'a,b'"},
        {"{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]}],\n"
         "\"edges\": [[\"a b\", \"b\"]]}",
         2, "unknown task 'a b'"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
}

static void test_lists_refused(void **state)
{
    (void)state;
    static const duet_bad_text bad[] = {
        {ROWS "c,\"a, z\",1\n", 4, "an edge of the unknown task 'z'; expected the id of a task"},
        {ROWS "c,a y z,1\n", 4, "an edge of the unknown task 'y'"},
        {ROWS "c,\",\",1\n", 4, "an edge of the unknown task ','"},
        {ROWS "c,\"a,a\",1\n", 4, "the edge from 'a' to 'c' stands twice"},
        {ROWS "c,\"a,c\",1\n", 4, "task 'c' waits for itself"},
        {"id,after,cpu\na,\"b,c\",1\nb,,1\nc,a b,1\n", 4, "2 tasks wait for each other: "},
        {"id,count,after,cpu\na,1,,1\ng,2,,1\nc,1,\"a,g\",1\n", 4, "one of them, such as 'g#0'"},
        {"a 3 1\nb 4 2 a, z\n", 2, "an edge of the unknown task 'z'"},
        // Where every line waits, the last column holds no times.
        {"a 3 1 b\nb 4 2 a\n", 2, "2 tasks wait for each other: b -> a -> b"},
        {"a 3 1 a\n", 1, "task 'a' waits for itself"},
        {"a 3 1 x\nb 4 2 a\n", 1, "an edge of the unknown task 'x'"},
        {"a 3 1 x\nb 4 2 3\n", 1, "time \"x\": expected a decimal number"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
}

// --- costs ---------------------------------------------------------------------------------------

#define TASKS "{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]}],\n"

// Both tasks are named, also where the cost comes before them.
static void test_negative_costs(void **state)
{
    (void)state;
    static const char expected[] =
        "a cost of -1 on the edge from 'a' to 'b'; expected a number of at least 0";
    const duet_bad_text bad[] = {
        {TASKS "\"edges\": [[\"a\", \"b\",\n-1]]}", 3, expected},
        {TASKS "\"edges\": [{\"cost\": -1, \"from\": \"a\", \"to\": \"b\"}]}", 2, expected},
        {TASKS "\"edges\": [{\"from\": \"a\", \"to\": \"b\", \"costs\": [[-1]]}]}", 2, expected},
        {TASKS "\"edges\": [{\"from\": \"a\", \"data\": -1, \"to\": \"b\"}]}", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1]\na -> b [cost=-1] }", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1]\na -> b [costs=\"-1 -2\"] }", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1] c [cpu=1]\na -> b -> c [data=-1] }", 2, expected},
        {TASKS "\"transfer\": {\"latency\": [[-1]]}}", 2, "time \"-1\": expected a number"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
    duet_instance_free(duet_read_text("digraph { a [cpu=1] {} -> a [cost=-1]; b [cpu=1] a -> b }"));
}

// The notice of what was read; "": none.
static void expect_notice(const char *text, const char *notice)
{
    duet_instance *instance = duet_read_text(text);
    const char *found = duet_instance_notice(instance);
    found = found == NULL ? "" : found;
    if (strcmp(found, notice) != 0) {
        fail_msg("notice: %s; expected %s, in:\n%s", found, notice, text);
    }
    duet_instance_free(instance);
}

// A cost that is not read is told.
static void test_costs_by_other_names(void **state)
{
    (void)state;
#define OTHER "what an edge costs is called cost, costs or data, and --columns cost=NAME picks it"
    expect_notice(TASKS "\"edges\": [{\"from\": \"a\", \"weight\": 3, \"to\": \"b\", \"x\": 1}]}",
                  "member \"x\" of edges is not used (1 value): nothing is known of this name; "
                  "member \"weight\" of edges is not used (1 value): what an edge costs is called "
                  "\"cost\", \"costs\" or \"data\", and --columns picks it");
    expect_notice("digraph { a [cpu=1] b [cpu=1]\na -> b [comm=1, volume=2] }",
                  "attribute \"comm\" of edges is not used (1 value): " OTHER
                  "; attribute \"volume\" of edges is not used (1 value): an amount of data is "
                  "called data, and --columns data=NAME picks it");
    expect_notice("digraph { a [cpu=1] b [cpu=1]; a -> b [label=4, style=bold] }", "");
    expect_notice("digraph { a [cpu=1] b [cpu=1]; a -> b [weight=3] }",
                  "attribute \"weight\" of edges is not used (1 value): to Graphviz it says how to "
                  "draw; where it is a cost, --columns cost=weight says so");
#undef OTHER
    static const duet_bad_text bad[] = {
        {"digraph { edge [size=3]\na [cpu=1] }", 1, "a cost for all that follow"},
        {"strict graph { a [cpu=1] }", 1, "an undirected graph, whose edges do not say what"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
}

// Random records of StarPU against what can be reached over jobs that are no tasks, found by trying
// again and again.
static void test_random_dependencies(void **state)
{
    (void)state;
    enum { JOBS = 8, ROUNDS = 500 };
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        char text[4096] = "";
        bool waits[JOBS][JOBS] = {{false}};
        int number[JOBS];
        int tasks = 0;
        duet_random random;
        duet_random_seed(&random, seed);
        for (int j = 0; j < JOBS; j++) {
            char after[64] = "";
            for (int i = 0; i < j; i++) {
                waits[j][i] = duet_random_between(&random, 0, 2) == 0;
                if (waits[j][i]) {
                    snprintf(after + strlen(after), sizeof after - strlen(after), " %d", i);
                }
            }
            number[j] = j == 0 || duet_random_between(&random, 0, 2) > 0 ? tasks++ : -1;
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "Name: a\nJobId: %d\nDependsOn:%s\n%s\n", j, after,
                     number[j] >= 0 ? "EstimatedTime: 1 2\n" : "");
        }
        for (int round = 0; round < JOBS; round++) {
            for (int through = 0; through < JOBS; through++) {
                for (int j = 0; number[through] < 0 && j < JOBS; j++) {
                    for (int i = 0; i < JOBS && waits[j][through]; i++) {
                        waits[j][i] = waits[j][i] || waits[through][i];
                    }
                }
            }
        }
        duet_instance *instance = duet_read_text(text);
        int64_t edges = 0;
        for (int j = 0; j < JOBS; j++) {
            for (int i = 0; i < JOBS; i++) {
                edges += number[j] >= 0 && number[i] >= 0 && waits[j][i];
            }
        }
        if (duet_instance_edges(instance) != edges) {
            fail_msg("seed %d: %d edges, expected %d", (int)seed,
                     (int)duet_instance_edges(instance), (int)edges);
        }
        for (int64_t e = 0; e < edges; e++) {
            duet_edge edge = duet_instance_edge(instance, e);
            bool found = false;
            for (int j = 0; j < JOBS; j++) {
                for (int i = 0; i < JOBS; i++) {
                    found =
                        found || (waits[j][i] && number[j] == edge.to && number[i] == edge.from);
                }
            }
            assert_true(found);
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators),           cmocka_unit_test(test_ids_with_separators),
        cmocka_unit_test(test_lists_refused),        cmocka_unit_test(test_negative_costs),
        cmocka_unit_test(test_costs_by_other_names), cmocka_unit_test(test_random_dependencies),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
