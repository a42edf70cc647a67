// SPDX-License-Identifier: Apache-2.0
// How files write edges: lists of predecessors with other separators than the documented ones,
// costs below 0, costs by other names, lines on which everybody waits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <duet/duet.h>

#include "tests/support/scratch_file.h"

static duet_code read_text(const char *text, duet_instance **out, duet_error *error)
{
    duet_scratch_put(text, strlen(text));
    return duet_read_instance(duet_scratch_path, out, error);
}

static duet_instance *read_good(const char *text)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (read_text(text, &instance, &error) != DUET_OK) {
        fail_msg("line %d: %s, in:\n%s", error.line, error.message, text);
    }
    return instance;
}

typedef struct bad_file {
    const char *text;
    int line;
    const char *message;
} bad_file;

static void expect_refused(const bad_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = read_text(files[i].text, &instance, &error);
        if (code != DUET_E_INPUT || error.line != files[i].line ||
            strstr(error.message, files[i].message) == NULL) {
            fail_msg("code %d, line %d: %s; expected line %d: %s, in:\n%s", (int)code, error.line,
                     error.message, files[i].line, files[i].message, files[i].text);
        }
    }
}

// The edges as "from>to from>to", in the order of the instance.
static void expect_edges(const char *text, const char *edges)
{
    duet_instance *instance = read_good(text);
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
    static const bad_file bad[] = {
        {"{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]},\n"
         "{\"id\": \"c\", \"times\": [1], \"after\": [\"a,b\"]}]}",
         2, "unknown task 'a,b'"},
        {"{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]}],\n"
         "\"edges\": [[\"a b\", \"b\"]]}",
         2, "unknown task 'a b'"},
    };
    expect_refused(bad, sizeof bad / sizeof *bad);
}

static void test_lists_refused(void **state)
{
    (void)state;
    static const bad_file bad[] = {
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
    expect_refused(bad, sizeof bad / sizeof *bad);
}

// --- costs ---------------------------------------------------------------------------------------

#define TASKS "{\"tasks\": [{\"id\": \"a\", \"times\": [1]}, {\"id\": \"b\", \"times\": [1]}],\n"

// Both tasks are named, also where the cost comes before them.
static void test_negative_costs(void **state)
{
    (void)state;
    static const char expected[] =
        "a cost of -1 on the edge from 'a' to 'b'; expected a number of at least 0";
    const bad_file bad[] = {
        {TASKS "\"edges\": [[\"a\", \"b\",\n-1]]}", 3, expected},
        {TASKS "\"edges\": [{\"cost\": -1, \"from\": \"a\", \"to\": \"b\"}]}", 2, expected},
        {TASKS "\"edges\": [{\"from\": \"a\", \"to\": \"b\", \"costs\": [[-1]]}]}", 2, expected},
        {TASKS "\"edges\": [{\"from\": \"a\", \"data\": -1, \"to\": \"b\"}]}", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1]\na -> b [cost=-1] }", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1]\na -> b [costs=\"-1 -2\"] }", 2, expected},
        {"digraph { a [cpu=1] b [cpu=1] c [cpu=1]\na -> b -> c [data=-1] }", 2, expected},
        {TASKS "\"transfer\": {\"latency\": [[-1]]}}", 2, "time \"-1\": expected a number"},
    };
    expect_refused(bad, sizeof bad / sizeof *bad);
    duet_instance_free(read_good("digraph { a [cpu=1] {} -> a [cost=-1]; b [cpu=1] a -> b }"));
}

// The notice of what was read; "": none.
static void expect_notice(const char *text, const char *notice)
{
    duet_instance *instance = read_good(text);
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
    expect_notice(TASKS "\"edges\": [{\"from\": \"a\", \"weight\": 3, \"to\": \"b\", \"x\": 1}]}",
                  "\"weight\" of an edge in line 2 is not read: what it costs is called \"cost\", "
                  "\"costs\" or \"data\"");
    expect_notice(TASKS "\"edges\": [{\"from\": \"a\", \"label\": 3, \"to\": \"b\"}]}", "");
    expect_notice("digraph { a [cpu=1] b [cpu=1]\na -> b [comm=1, volume=2] }",
                  "\"comm\" of an edge in line 2 is not read: what it costs is called \"cost\", "
                  "\"costs\" or \"data\"");
    expect_notice("digraph { a [cpu=1] b [cpu=1]; a -> b [weight=3, label=4, style=bold] }", "");
    static const bad_file bad[] = {
        {"digraph { edge [size=3]\na [cpu=1] }", 1, "a cost for all that follow"},
        {"strict graph { a [cpu=1] }", 1, "an undirected graph, whose edges do not say what"},
    };
    expect_refused(bad, sizeof bad / sizeof *bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators),           cmocka_unit_test(test_ids_with_separators),
        cmocka_unit_test(test_lists_refused),        cmocka_unit_test(test_negative_costs),
        cmocka_unit_test(test_costs_by_other_names),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
