// SPDX-License-Identifier: Apache-2.0
// Standard Task Graph Set and DOT: what a file says, what is refused and where, cut anywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/duet.h>

#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

#define STG                                                                                        \
    "  4\n0 0 0\n 1 10 1 0\n2 5 1 0 # a comment\n\n3 8.5 2 1 2\n 4 0 2 2 3\n5 0 1 4\n# end\n"

static void test_stg(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(STG);
    assert_int_equal(duet_instance_tasks(instance), 4);
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_kind_id(instance, 3), "4");
    duet_expect_time(instance, 0, 0, "10");
    duet_expect_time(instance, 2, 0, "8.5");
    duet_expect_time(instance, 3, 0, "0");
    assert_int_equal(duet_instance_edges(instance), 4);
    duet_expect_edge(instance, 0, 0, 2);
    duet_expect_edge(instance, 1, 1, 2);
    duet_expect_edge(instance, 2, 1, 3);
    duet_expect_edge(instance, 3, 2, 3);
    assert_false(duet_instance_has_platform(instance));
    duet_instance_free(instance);
    duet_cut_anywhere(STG);
    static const duet_bad_text bad[] = {
        {"2\n0 0 0\n1 3 1 0\n2 4 1 1\n", 5, "the file ends after 3 rows; expected 4"},
        {"1\n0 0 0\n1 3 1 0\n2 0 1 1\n3 0 0\n", 5, "more rows than tasks; expected 3"},
        {"1\n0 0 0\n1 3 2 0\n2 0 1 1\n", 3,
         "task 1 has 1 predecessor; expected 2, as the line says"},
        {"1\n0 0 0\n1 3\n2 0 1 1\n", 3, "the line ends before the number of predecessors"},
        {"1\n0 0 0\n1\n2 0 1 1\n", 3, "time \"\": expected a decimal number"},
        {"1\n0 0 0\n1 -3 1 0\n2 0 1 1\n", 3, "a number of at least 0"},
        {"1\n0 0 0\n2 3 1 0\n2 0 1 1\n", 3, "task 2: expected task 1"},
        {"1\n0 0 0\n1 3 1 2\n2 0 1 1\n", 3,
         "predecessor \"2\" of task 1: expected the id of a task, 0 to 1"},
        {"1\n0 0 0\n1 3 1 x\n2 0 1 1\n", 3, "predecessor \"x\""},
        {"1\n0 0 0\n1 3 1 1\n2 0 1 1\n", 3, "task '1' waits for itself"},
        {"2\n0 0 0\n1 3 2 2 2\n2 0 0\n3 0 0\n", 3, "the edge from '2' to '1' stands twice"},
        {"2\n0 0 0\n1 3 1 2\n2 0 1 1\n3 0 0\n", 4, "2 tasks wait for each other"},
        {"1\n0 1 0\n1 3 1 0\n2 0 1 1\n", 2, "task 0 takes time; expected a dummy of time 0"},
        {"1\n0 0 0\n1 3 1 0\n2 1 1 1\n", 4, "task 2 takes time"},
        {"0\n0 0 0\n1 0 1 0\n", 1, "expected the number of tasks"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
}

// The number behind a word in a comment of a file; -1: there is none.
static int64_t number_behind(const char *file, const char *word)
{
    char line[4096];
    int64_t number = -1;
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream) != NULL) {
        const char *at = line[0] == '#' ? strstr(line, word) : NULL;
        number = at == NULL ? number : strtoll(at + strlen(word), NULL, 10);
    }
    fclose(stream);
    return number;
}

// All graphs of the set, which says itself how many edges they have.
static void test_stg_set(void **state)
{
    (void)state;
    static const char archive[] = DUET_SOURCE_DIR "/../shared/data/stg/stg-300.tar.xz";
    char folder[] = "/tmp/duet-stg-XXXXXX";
    char command[400];
    if (access(archive, R_OK) != 0) {
        skip();
    }
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "tar -xf %s -C %s --strip-components=1", archive, folder);
    assert_int_equal(system(command), 0); // NOLINT(*-env33-c): a test's own words
    DIR *files = opendir(folder);
    assert_non_null(files);
    int graphs = 0;
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        char file[400];
        snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.') {
            continue;
        }
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        if (duet_read_scratch_file(file, "gpu=15", &instance, &error) != DUET_OK) {
            fail_msg("%s:%d: %s", file, error.line, error.message);
        }
        assert_int_equal(duet_instance_tasks(instance), 300);
        assert_int_equal(duet_instance_types(instance), 2);
        assert_int_equal(duet_instance_edges(instance),
                         number_behind(file, " Edges             : "));
        duet_instance_free(instance);
        unlink(file);
        graphs++;
    }
    closedir(files);
    assert_int_equal(graphs, 180);
    assert_int_equal(rmdir(folder), 0);
}

// --- DOT -----------------------------------------------------------------------------------------

#define DOT                                                                                        \
    "/* a\n comment */ // and another\n# and one\nstrict digraph \"my \\\"g\\\"\" {\n"             \
    "  graph [rankdir=LR, time_unit=\"ms\"]; node [shape=box]; splines=false\n"                    \
    "  a [cpu=3, gpu=1, label=<<b>A</b>>]; b [cpu=2.5e-1];\n  c:n:s [gpu=\"1\" + \"2\", "          \
    "kind=potrf]\n"                                                                                \
    "  a -> b -> c [cost=2, color=red]\n"                                                          \
    "  subgraph cluster0 { label=x d [cpu=1]; e [cpu=4, gpu=inf] d -> e [costs=\"0 1; 2 3\"] }\n"  \
    "  {a a} -> { d; e -> f } [data=5]\n a -> b; f[gpu=7][cpu=1,gpu=8]\n}\n"

static void test_dot(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(DOT);
    assert_int_equal(duet_instance_tasks(instance), 6);
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    assert_string_equal(duet_instance_kind_id(instance, 5), "f");
    duet_expect_time(instance, 1, 0, "0.25");
    duet_expect_time(instance, 2, 1, "12");
    duet_expect_time(instance, 5, 1, "8");
    assert_int_equal(duet_instance_time(instance, 4, 1), DUET_FORBIDDEN);
    assert_int_equal(duet_instance_time(instance, 1, 1), DUET_FORBIDDEN);
    static const int64_t edges[][3] = {{0, 1, 200}, {1, 2, 200}, {3, 4, 100}, {4, 5, 0},
                                       {0, 3, 0},   {0, 4, 0},   {0, 5, 0}};
    assert_int_equal(duet_instance_edges(instance), 7);
    for (int64_t e = 0; e < 7; e++) {
        duet_expect_edge(instance, e, edges[e][0], edges[e][1]);
        assert_int_equal(duet_instance_transfer(instance, e, 0, 1), edges[e][2]);
    }
    assert_int_equal(duet_instance_transfer(instance, 2, 1, 0), 200);
    assert_int_equal(duet_instance_transfer(instance, 2, 1, 1), 300);
    assert_non_null(strstr(duet_instance_notice(instance), "data take no time"));
    assert_string_equal(duet_instance_group(instance, 2), "potrf");
    duet_instance_free(instance);
    instance = duet_read_text_with(DOT, "per-unit=0.5 latency=1");
    assert_int_equal(duet_instance_transfer(instance, 3, 0, 1), 0);
    assert_int_equal(duet_instance_transfer(instance, 4, 0, 1), 350);
    duet_instance_free(instance);
    duet_cut_anywhere(DOT);
}

// As Graphviz has it, what is said last of an edge counts, and an edge without a cost says nothing.
static void test_dot_strict(void **state)
{
    (void)state;
    duet_instance *instance =
        duet_read_text("strict digraph {\n a [cpu=1,gpu=1]; b [cpu=1,gpu=1]; c [cpu=1,gpu=1]\n"
                       " a -> b [cost=2]; a -> c; a -> b [cost=5]; b -> c [cost=3]; b -> c\n"
                       " a -> c [costs=\"0 1; 2 3\"] }\n");
    static const int64_t costs[] = {5, 1, 3};
    assert_int_equal(duet_instance_edges(instance), 3);
    for (int64_t e = 0; e < 3; e++) {
        assert_int_equal(duet_instance_transfer(instance, e, 0, 1), costs[e]);
    }
    assert_int_equal(duet_instance_transfer(instance, 1, 1, 0), 2);
    duet_instance_free(instance);
}

static void test_dot_forms(void **state)
{
    (void)state;
    // daggen: one time, the GPU's where two are asked for; the amount of data on the edges is free.
    static const char daggen[] =
        "digraph G {\n  1 [size=\"83\", alpha=\"0.17\"]\n  2 [size=\"40\", "
        "alpha=\"0.11\"]\n  1 -> 2 [size =\"411041792\"]\n}\n";
    duet_instance *instance = duet_read_text(daggen);
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    duet_expect_time(instance, 1, 0, "40");
    assert_int_equal(duet_instance_features(instance),
                     DUET_FEATURE_PRECEDENCE | DUET_FEATURE_ANY_TYPES);
    duet_instance_free(instance);
    instance = duet_read_text_with(daggen, "gpu=2 per-unit=1e-9");
    duet_expect_time(instance, 0, 0, "166");
    duet_expect_time(instance, 0, 1, "83");
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 411041792);
    duet_instance_free(instance);
    // A size beside other times is none. The platform says which attributes are types.
    instance = duet_read_text("digraph{a[size=9 gpu=1 cpu=2]b[cpu=3]}");
    assert_int_equal(duet_instance_types(instance), 2);
    assert_string_equal(duet_instance_type_name(instance, 0), "gpu");
    duet_instance_free(instance);
    instance = duet_read_text(
        "DIGRAPH { platform=\"label=2,width=3\" a[width=1,height=7]; a->b;b[label=2] }");
    assert_int_equal(duet_instance_types(instance), 2);
    assert_int_equal(duet_instance_type_count(instance, 1), 3);
    assert_int_equal(duet_instance_time(instance, 0, 0), DUET_FORBIDDEN);
    duet_expect_time(instance, 0, 1, "1");
    duet_expect_time(instance, 1, 0, "2");
    duet_instance_free(instance);
    instance = duet_read_text("digraph {}");
    assert_int_equal(duet_instance_tasks(instance), 0);
    duet_instance_free(instance);
    // Typed text whose first task is called like a graph stays what it is.
    instance = duet_read_text("digraph 1 2\ngraph 2 3 digraph\n");
    assert_int_equal(duet_instance_edges(instance), 1);
    duet_instance_free(instance);
}

static void test_dot_refused(void **state)
{
    (void)state;
    static const duet_bad_text bad[] = {
        {"graph { a [cpu=1] }", 1, "an undirected graph, whose edges do not say what comes first"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -- b }", 2, "an edge without a direction"},
        {"digraph {\n a [cpu=1];\n", 3,
         "expected a node, an edge or '}', found the end of the file"},
        {"digraph { a [cpu=1] }\ndigraph { }", 2, "the end of the file behind the graph's '}'"},
        {"digraph {\n a [cpu=1]; b\n c [cpu=2] }", 2, "node \"b\" has no time"},
        {"digraph {\n a -> b }", 2, "node \"a\" has no time"},
        {"digraph {\n a [cpu=1]\n b [cpu=x] }", 3, "cpu \"x\": expected a decimal number"},
        {"digraph {\n a [cpu=-1] }", 2, "cpu \"-1\": expected a number of at least 0"},
        {"digraph {\n a [cpu=inf] }", 2, "node \"a\" has no time"},
        {"digraph {\n a [cpu] }", 2, "expected \"=\" and the value of the attribute, found ']'"},
        {"digraph {\n a [cpu=] }", 2, "expected \"=\" and the value of the attribute, found ']'"},
        {"digraph {\n a [=1] }", 2, "expected the name of an attribute or ']', found '='"},
        {"digraph {\n a [cpu=1", 2, "found the end of the file"},
        {"digraph {\n a [cpu=\"1] }", 2, "a text that does not end; expected '\"'"},
        {"digraph {\n a [label=<1] }", 2, "a text that does not end; expected '>'"},
        {"digraph {\n /* a }", 2, "a comment that does not end"},
        {"digraph {\n a [cpu=1]; a -> ; }", 2, "expected a node behind '->', found ';'"},
        {"digraph {\n a [cpu=1]; a -> a }", 2, "task 'a' waits for itself"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b\n a -> b }", 3, "'a' to 'b' stands twice"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b -> a }", 2, "2 tasks wait for each other"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b [cost=x] }", 2, "expected a decimal number"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b [cost=\"1 2\"] }", 2, "expected one number"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b [costs=\"1 2\"] }", 2, "expected 1, a row of 1"},
        {"digraph {\n a [cpu=1]; b [cpu=1]; a -> b [cost=1, data=2] }", 2, "a second cost"},
        {"digraph {\n node [cpu=1]; a; b }", 2, "a time for all that follow"},
        {"digraph {\n edge [cost=1]; a; b }", 2, "a cost for all that follow"},
        {"digraph {\n a [cpu=1]; platform=\"cpu\" }", 2, "the platform comes behind attributes"},
        {"digraph {\n platform=\"cpu=x\" }", 2, "expected a platform such as"},
        {"digraph {\n platform=\"cpu,cpu\" }", 2, "duplicate processor type 'cpu'"},
        {"digraph {\n platform=\"\" }", 2, "empty processor type"},
        {"digraph {\n a [cpu=1] ! }", 2, "expected a name, a number or one of"},
        {"digraph {\n a [cpu=1, label=\"\xff\"] }", 2, "invalid UTF-8"},
        {"digraph {\n subgraph x; }", 2, "expected '{', found ';'"},
        {"digraph {\n a [cpu=1, label=\"x\" + y] }", 2, "a text in quotes behind '+'"},
    };
    duet_expect_refused(bad, sizeof bad / sizeof *bad);
    char deep[2000] = "digraph {";
    memset(deep + strlen(deep), '{', 300);
    const duet_bad_text file[] = {{deep, 1, "subgraphs too deep; expected at most 256"}};
    duet_expect_refused(file, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stg),       cmocka_unit_test(test_stg_set),
        cmocka_unit_test(test_dot),       cmocka_unit_test(test_dot_strict),
        cmocka_unit_test(test_dot_forms), cmocka_unit_test(test_dot_refused),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
