// SPDX-License-Identifier: Apache-2.0
// Formats that hold task graphs: what they say, what is refused and where, cut anywhere; the
// options of reading.
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

#include "tests/support/scratch_file.h"

static const char *const path = duet_scratch_path;

// Reads a file with options "key=value key=value"; NULL: none.
static duet_code read_file(const char *file, const char *settings, duet_instance **out,
                           duet_error *error)
{
    duet_read_params params = DUET_READ_PARAMS_INIT;
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    char copy[200];
    snprintf(copy, sizeof copy, "%s", settings == NULL ? "" : settings);
    char *rest = NULL;
    for (char *one = strtok_r(copy, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        assert_int_equal(duet_options_add(options, one, NULL), DUET_OK);
    }
    params.options = options;
    duet_code code = duet_read_instance_with(file, &params, out, error);
    duet_options_free(options);
    return code;
}

static duet_instance *read_with(const char *text, const char *settings)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_scratch_put(text, strlen(text));
    if (read_file(path, settings, &instance, &error) != DUET_OK) {
        fail_msg("line %d: %s, in:\n%s", error.line, error.message, text);
    }
    return instance;
}

static duet_instance *read_good(const char *text)
{
    return read_with(text, NULL);
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
        duet_scratch_put(files[i].text, strlen(files[i].text));
        duet_code code = read_file(path, NULL, &instance, &error);
        if (code != DUET_E_INPUT || error.line != files[i].line ||
            strstr(error.message, files[i].message) == NULL) {
            fail_msg("code %d, line %d: %s; expected line %d: %s, in:\n%s", (int)code, error.line,
                     error.message, files[i].line, files[i].message, files[i].text);
        }
        assert_null(instance);
    }
}

// A text cut anywhere is an error or a smaller instance, never a crash.
static void cut_anywhere(const char *text)
{
    for (size_t length = 0; length < strlen(text); length++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_scratch_put(text, length);
        duet_code code = read_file(path, NULL, &instance, &error);
        assert_true((code == DUET_OK) == (instance != NULL));
        assert_true((code == DUET_OK) == (error.message[0] == '\0'));
        duet_instance_free(instance);
    }
}

static void expect_edge(const duet_instance *instance, int64_t edge, int64_t from, int64_t to)
{
    duet_edge found = duet_instance_edge(instance, edge);
    assert_int_equal(found.from, from);
    assert_int_equal(found.to, to);
}

// The time of a kind as text.
static void expect_time(const duet_instance *instance, size_t kind, size_t type, const char *time)
{
    char buffer[32];
    assert_true(type < duet_instance_types(instance));
    assert_string_equal(
        duet_instance_format_time(instance, duet_instance_time(instance, kind, type), buffer),
        time);
}

// --- Standard Task Graph Set ---------------------------------------------------------------------

#define STG                                                                                        \
    "  4\n0 0 0\n 1 10 1 0\n2 5 1 0 # a comment\n\n3 8.5 2 1 2\n 4 0 2 2 3\n5 0 1 4\n# end\n"

static void test_stg(void **state)
{
    (void)state;
    duet_instance *instance = read_good(STG);
    assert_int_equal(duet_instance_tasks(instance), 4);
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_kind_id(instance, 3), "4");
    expect_time(instance, 0, 0, "10");
    expect_time(instance, 2, 0, "8.5");
    expect_time(instance, 3, 0, "0");
    assert_int_equal(duet_instance_edges(instance), 4);
    expect_edge(instance, 0, 0, 2);
    expect_edge(instance, 1, 1, 2);
    expect_edge(instance, 2, 1, 3);
    expect_edge(instance, 3, 2, 3);
    assert_false(duet_instance_has_platform(instance));
    duet_instance_free(instance);
    cut_anywhere(STG);
    static const bad_file bad[] = {
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
    expect_refused(bad, sizeof bad / sizeof *bad);
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
        if (read_file(file, "gpu=15", &instance, &error) != DUET_OK) {
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
    duet_instance *instance = read_good(DOT);
    assert_int_equal(duet_instance_tasks(instance), 6);
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    assert_string_equal(duet_instance_kind_id(instance, 5), "f");
    expect_time(instance, 1, 0, "0.25");
    expect_time(instance, 2, 1, "12");
    expect_time(instance, 5, 1, "8");
    assert_int_equal(duet_instance_time(instance, 4, 1), DUET_FORBIDDEN);
    assert_int_equal(duet_instance_time(instance, 1, 1), DUET_FORBIDDEN);
    static const int64_t edges[][3] = {{0, 1, 200}, {1, 2, 200}, {3, 4, 100}, {4, 5, 0},
                                       {0, 3, 0},   {0, 4, 0},   {0, 5, 0}};
    assert_int_equal(duet_instance_edges(instance), 7);
    for (int64_t e = 0; e < 7; e++) {
        expect_edge(instance, e, edges[e][0], edges[e][1]);
        assert_int_equal(duet_instance_transfer(instance, e, 0, 1), edges[e][2]);
    }
    assert_int_equal(duet_instance_transfer(instance, 2, 1, 0), 200);
    assert_int_equal(duet_instance_transfer(instance, 2, 1, 1), 300);
    assert_string_equal(duet_instance_notice(instance),
                        "the attribute \"kind\" is no number and left out");
    duet_instance_free(instance);
    instance = read_with(DOT, "per-unit=0.5 latency=1");
    assert_int_equal(duet_instance_transfer(instance, 3, 0, 1), 0);
    assert_int_equal(duet_instance_transfer(instance, 4, 0, 1), 350);
    duet_instance_free(instance);
    cut_anywhere(DOT);
}

// As Graphviz has it, what is said last of an edge counts, and an edge without a cost says nothing.
static void test_dot_strict(void **state)
{
    (void)state;
    duet_instance *instance =
        read_good("strict digraph {\n a [cpu=1,gpu=1]; b [cpu=1,gpu=1]; c [cpu=1,gpu=1]\n"
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
    duet_instance *instance = read_good(daggen);
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    expect_time(instance, 1, 0, "40");
    assert_int_equal(duet_instance_features(instance),
                     DUET_HANDLES_PRECEDENCE | DUET_HANDLES_ANY_TYPES);
    duet_instance_free(instance);
    instance = read_with(daggen, "gpu=2 per-unit=1e-9");
    expect_time(instance, 0, 0, "166");
    expect_time(instance, 0, 1, "83");
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 411041792);
    duet_instance_free(instance);
    // A size beside other times is none. The platform says which attributes are types.
    instance = read_good("digraph{a[size=9 gpu=1 cpu=2]b[cpu=3]}");
    assert_int_equal(duet_instance_types(instance), 2);
    assert_string_equal(duet_instance_type_name(instance, 0), "gpu");
    duet_instance_free(instance);
    instance =
        read_good("DIGRAPH { platform=\"label=2,width=3\" a[width=1,height=7]; a->b;b[label=2] }");
    assert_int_equal(duet_instance_types(instance), 2);
    assert_int_equal(duet_instance_type_count(instance, 1), 3);
    assert_int_equal(duet_instance_time(instance, 0, 0), DUET_FORBIDDEN);
    expect_time(instance, 0, 1, "1");
    expect_time(instance, 1, 0, "2");
    duet_instance_free(instance);
    instance = read_good("digraph {}");
    assert_int_equal(duet_instance_tasks(instance), 0);
    duet_instance_free(instance);
    // Typed text whose first task is called like a graph stays what it is.
    instance = read_good("digraph 1 2\ngraph 2 3 digraph\n");
    assert_int_equal(duet_instance_edges(instance), 1);
    duet_instance_free(instance);
}

static void test_dot_refused(void **state)
{
    (void)state;
    static const bad_file bad[] = {
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
    expect_refused(bad, sizeof bad / sizeof *bad);
    char deep[2000] = "digraph {";
    memset(deep + strlen(deep), '{', 300);
    const bad_file file[] = {{deep, 1, "subgraphs too deep; expected at most 256"}};
    expect_refused(file, 1);
}

// --- WfFormat ------------------------------------------------------------------------------------

#define WORKFLOW                                                                                   \
    "{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {\"execution\": {\"tasks\": [\n"  \
    "{\"id\": \"a\", \"runtimeInSeconds\": 1.5}, {\"runtimeInSeconds\": 2, \"id\": \"b\"},\n"      \
    "{\"id\": \"c\", \"runtimeInSeconds\": 9}, {\"id\": \"c\", \"runtimeInSeconds\": 3}]},\n"      \
    "\"specification\": {\"files\": [{\"id\": \"x\", \"sizeInBytes\": 8}, {\"id\": \"y\", "        \
    "\"sizeInBytes\": 4}],\n\"tasks\": [{\"id\": \"a\", \"name\": \"first\", \"parents\": [], "    \
    "\"children\": [\"b\", \"c\"], \"outputFiles\": [\"x\", \"y\", \"x\"]},\n"                     \
    "{\"id\": \"b\", \"name\": \"next\", \"parents\": [\"a\"], \"children\": null, "               \
    "\"inputFiles\": "                                                                             \
    "[\"x\", \"y\", \"z\"]},\n{\"id\": \"c\", \"name\": \"next\", \"parents\": [\"first\", "       \
    "\"b\"], "                                                                                     \
    "\"inputFiles\": [\"y\"]}]}}}"

static void test_workflow(void **state)
{
    (void)state;
    duet_instance *instance = read_good(WORKFLOW);
    assert_string_equal(duet_instance_name(instance), "w");
    assert_string_equal(duet_instance_time_unit(instance), "s");
    assert_int_equal(duet_instance_types(instance), 1);
    assert_int_equal(duet_instance_tasks(instance), 3);
    expect_time(instance, 0, 0, "1.5");
    expect_time(instance, 2, 0, "3");
    assert_int_equal(duet_instance_edges(instance), 3);
    expect_edge(instance, 0, 0, 1);
    expect_edge(instance, 1, 0, 2);
    expect_edge(instance, 2, 1, 2);
    assert_int_equal(duet_instance_features(instance),
                     DUET_HANDLES_PRECEDENCE | DUET_HANDLES_ANY_TYPES);
    duet_instance_free(instance);
    // Data are what the parent writes and the task reads; the time is the CPU's.
    instance = read_with(WORKFLOW, "latency=1 per-unit=0.5 gpu=2");
    assert_int_equal(duet_instance_decimals(instance), 2);
    expect_time(instance, 0, 1, "0.75");
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 1), 700);
    assert_int_equal(duet_instance_transfer(instance, 1, 1, 0), 300);
    assert_int_equal(duet_instance_transfer(instance, 2, 0, 1), 0); // no file, no transfer
    duet_instance_free(instance);
    cut_anywhere(WORKFLOW);
}

// A link among the files of all tasks is about none of them; files that a parent writes for each of
// its children are told apart.
static void test_workflow_files(void **state)
{
    (void)state;
    duet_instance *instance = read_with(
        "{\"workflow\": {\"specification\": {\"files\": [{\"id\": \"x\", \"sizeInBytes\": 8, "
        "\"link\": \"output\"}, {\"id\": \"y\", \"sizeInBytes\": 4}, {\"id\": \"z\", "
        "\"sizeInBytes\": 2}], \"tasks\": [{\"id\": \"a\", \"children\": [\"b\", \"c\", \"d\"], "
        "\"outputFiles\": [\"z\", \"y\", \"z\"]}, {\"id\": \"b\", \"inputFiles\": [\"x\", \"y\"]}, "
        "{\"id\": \"c\", \"inputFiles\": [\"z\", \"x\", \"y\", \"z\"]}, {\"id\": \"d\", "
        "\"inputFiles\": [\"x\"]}]}, \"execution\": {\"tasks\": [{\"id\": \"a\", "
        "\"runtimeInSeconds\": 1}, {\"id\": \"b\", \"runtimeInSeconds\": 1}, {\"id\": \"c\", "
        "\"runtimeInSeconds\": 1}, {\"id\": \"d\", \"runtimeInSeconds\": 1}]}}}",
        "per-unit=1 gpu=1");
    assert_int_equal(duet_instance_edges(instance), 3);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 1), 4);
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 1), 6);
    assert_int_equal(duet_instance_transfer(instance, 2, 0, 1), 0);
    duet_instance_free(instance);
}

// Without parents and children who reads a file waits for those who write it.
static void test_workflow_by_files(void **state)
{
    (void)state;
#define T(name, link) "{\"name\": \"" name "\", \"runtime\": 1, \"files\": [" link "]}"
#define F(link, name) "{\"link\": \"" link "\", \"name\": \"" name "\", \"size\": 6}"
#define TASKS                                                                                      \
    T("a", F("output", "f") "," F("output", "f"))                                                  \
    "," T("b", F("output", "f") "," F("input", "b")) "," T(                                        \
        "c", F("input", "f") "," F("output", "g") "," F("input", "g"))
    duet_instance *instance = read_with("{\"workflow\": {\"jobs\": [" TASKS "]}}", "per-unit=1");
    assert_int_equal(duet_instance_edges(instance), 2);
    expect_edge(instance, 0, 0, 2);
    expect_edge(instance, 1, 1, 2);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 6);
    assert_string_equal(duet_instance_notice(instance),
                        "no task lists its parents: each waits for those that write the files it "
                        "reads");
    duet_instance_free(instance);
    instance = read_good("{\"workflow\": {\"jobs\": [" TASKS
                         ", {\"name\": \"d\", \"runtime\": 1, \"parents\": []}]}}");
    assert_int_equal(duet_instance_edges(instance), 0);
    assert_null(duet_instance_notice(instance));
    duet_instance_free(instance);
#undef TASKS
#undef F
#undef T
}

// Version 1.4, and what came before.
static void test_old_workflow(void **state)
{
    (void)state;
    duet_instance *instance = read_with(
        "{\"schemaVersion\": \"1.4\", \"workflow\": {\"machines\": [{}], \"tasks\": [{\"name\": "
        "\"a\", "
        "\"runtimeInSeconds\": 2, \"files\": [{\"link\": \"output\", \"name\": \"f\", "
        "\"sizeInBytes\": 6}]}, {\"name\": \"b\", \"id\": \"00002\", \"runtimeInSeconds\": 4, "
        "\"parents\": [\"a\"], \"files\": [{\"sizeInBytes\": 6, \"name\": \"f\", \"link\": "
        "\"input\"}]}, {\"id\": 3, \"name\": \"c\", \"runtime\": 1, \"parents\": [\"b\"]}]}}",
        "per-unit=1");
    assert_string_equal(duet_instance_kind_id(instance, 0), "a");
    assert_string_equal(duet_instance_kind_id(instance, 1), "00002");
    assert_string_equal(duet_instance_kind_id(instance, 2), "3");
    assert_int_equal(duet_instance_edges(instance), 2);
    expect_edge(instance, 1, 1, 2);
    assert_int_equal(duet_instance_transfer(instance, 0, 0, 0), 6);
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 0), 0);
    duet_instance_free(instance);
    instance = read_good("{\"workflow\": {\"jobs\": [{\"name\": \"a\", \"runtime\": 2.5}]}}");
    expect_time(instance, 0, 0, "2.5");
    duet_instance_free(instance);
    // An instance may have a member of that name that is no workflow.
    instance = read_good("{\"workflow\": \"w\", \"tasks\": [{\"id\": \"a\", \"times\": [1]}]}");
    duet_instance_free(instance);
}

static void test_workflow_refused(void **state)
{
    (void)state;
#define W(tasks) "{\"workflow\": {\"tasks\": [\n" tasks "]}}"
#define A "{\"id\": \"a\", \"runtime\": 1}"
    static const bad_file bad[] = {
        {W("{\"id\": \"a\"}"), 2, "no time of task \"a\"; expected its runtimeInSeconds"},
        {W("{\"id\": \"a\", \"runtime\": null}"), 2, "no time of task \"a\""},
        {W("{\"runtime\": 1}"), 2, "the task has no \"id\""},
        {W("{\"id\": \"a\", \"runtime\": \"x\"}"), 2, "the runtime in seconds, a number"},
        {W("{\"id\": \"a\", \"runtime\": -1}"), 2, "a number of at least 0"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": [\"b\"]}"), 2, "unknown task \"b\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": \"b\"}"), 2, "an array of ids of tasks"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"parents\": [true]}"), 2, "the id of a task"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"children\": [\"a\"]}"), 2,
         "task 'a' waits for itself"},
        {W(A ",\n" A), 3, "duplicate task id 'a'"},
        {W("{\"id\": \"a\", \"name\": \"n\", \"runtime\": 1}, {\"id\": \"b\", \"name\": \"n\", "
           "\"runtime\": 1},\n{\"id\": \"c\", \"runtime\": 1, \"parents\": [\"n\"]}"),
         3, "several tasks are called \"n\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"children\": [\"b\"]},\n{\"id\": \"b\", \"runtime\": "
           "1, "
           "\"children\": [\"a\"]}"),
         3, "2 tasks wait for each other"},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"sizeInBytes\": 1}]}"), 2,
         "the file has no \"name\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"name\": \"f\", \"link\": \"both\"}]}"),
         2, "\"input\" or \"output\""},
        {W("{\"id\": \"a\", \"runtime\": 1, \"files\": [{\"name\": \"f\", \"size\": 1.5}]}"), 2,
         "the size of the file in bytes"},
        {W("7"), 2, "a task, {\"id\": ..., \"parents\": [...]}"},
        {"{\"workflow\": {\"tasks\": [" A "],\n\"jobs\": []}}", 2, "a second array of tasks"},
        {"{\"workflow\": {\"tasks\": [" A "]},\n\"tasks\": []}", 2, "tasks beside a workflow"},
        {"{\"workflow\": {\"specification\": {\"tasks\": [" A
         "]},\n\"execution\": {\"tasks\": [{\"id\": "
         "\"b\", \"runtimeInSeconds\": 1}]}}}",
         2, "unknown task \"b\""},
        {"{\"workflow\": {}}", 1, "the instance has no \"tasks\""},
    };
    expect_refused(bad, sizeof bad / sizeof *bad);
}

// Recorded workflows and how many edges they have.
static void test_recorded_workflows(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t tasks, edges;
    } files[] = {{"1000genome-chameleon-2ch-100k-001", 52, 76},
                 {"blast-chameleon-small-005", 43, 120},
                 {"epigenomics-chameleon-hep-1seq-100k-001", 41, 48},
                 {"hic-dirt02-001", 38, 47},
                 {"seismology-chameleon-100p-001", 101, 100}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[400];
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        snprintf(file, sizeof file, "%s/../shared/data/wf/%s.json", DUET_SOURCE_DIR, files[i].name);
        if (access(file, R_OK) != 0) {
            skip();
        }
        if (read_file(file, "gpu=15 latency=0.001 per-unit=1e-9", &instance, &error) != DUET_OK) {
            fail_msg("%s:%d: %s", file, error.line, error.message);
        }
        assert_int_equal(duet_instance_tasks(instance), files[i].tasks);
        assert_int_equal(duet_instance_edges(instance), files[i].edges);
        assert_int_equal(duet_instance_features(instance),
                         DUET_HANDLES_PRECEDENCE | DUET_HANDLES_COMMUNICATION);
        duet_instance_free(instance);
    }
}

// --- options of reading --------------------------------------------------------------------------

static void test_two_types(void **state)
{
    (void)state;
    // The graph set's time is the GPU's.
    duet_instance *instance = read_with(STG, "gpu=1.5");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    expect_time(instance, 0, 0, "15");
    expect_time(instance, 0, 1, "10");
    expect_time(instance, 2, 0, "12.75");
    expect_time(instance, 3, 0, "0");
    assert_int_equal(duet_instance_edges(instance), 4);
    duet_instance_free(instance);
    // Of a table by the name of its type: the CPU's, unless it is called after a GPU.
    instance = read_with("id,time,after\na,3,\nb,0.5,a\n", "gpu=4");
    assert_string_equal(duet_instance_type_name(instance, 0), "time");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    expect_time(instance, 0, 1, "0.75");
    expect_time(instance, 1, 1, "0.125");
    duet_instance_free(instance);
    instance = read_with("{\"platform\": [{\"type\": \"GPU0\", \"count\": 3}], \"tasks\": "
                         "[{\"id\": \"a\", \"count\": 2, \"times\": [3]}], \"claim\": "
                         "{\"algorithm\": \"lpt\", \"optimum\": 3, \"makespan\": 3}}",
                         "gpu=4");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "GPU0");
    expect_time(instance, 0, 0, "12");
    expect_time(instance, 0, 1, "3");
    assert_false(duet_instance_has_platform(instance));
    assert_null(duet_instance_claim(instance));
    duet_instance_free(instance);
    // What does not end is rounded with a note.
    instance = read_with("id,cpu\na,1\n", "gpu=3");
    expect_time(instance, 0, 1, "0.333333333333333333");
    assert_non_null(strstr(duet_instance_notice(instance), "1 of 2 times is rounded"));
    duet_instance_free(instance);
}

static void test_drawn_factors(void **state)
{
    (void)state;
    if (strstr(duet_features(), "gsl") == NULL) {
        skip();
    }
    char text[20000] = "id,gpu\n";
    for (int i = 0; i < 1000; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,1\n", i);
    }
    duet_instance *first = read_with(text, "gpu=gamma:15:15:1");
    duet_instance *again = read_with(text, "gpu=gamma:15:15:1");
    duet_instance *other = read_with(text, "gpu=gamma:15:15:2");
    assert_int_equal(duet_instance_decimals(first), 6);
    double sum = 0;
    double squares = 0;
    int same = 0;
    for (size_t i = 0; i < 1000; i++) {
        double factor = (double)duet_instance_time(first, i, 0) / 1e6;
        sum += factor / 1000;
        squares += factor * factor / 1000;
        assert_int_equal(duet_instance_time(first, i, 0), duet_instance_time(again, i, 0));
        same += duet_instance_time(first, i, 0) == duet_instance_time(other, i, 0);
    }
    assert_true(same < 10);
    assert_true(sum > 13.5 && sum < 16.5);                               // the mean is 15
    assert_true(squares - sum * sum > 160 && squares - sum * sum < 310); // the variance 225
    duet_instance_free(first);
    duet_instance_free(again);
    duet_instance_free(other);
}

static void test_transfer(void **state)
{
    (void)state;
    static const char text[] =
        "{\"tasks\": [{\"id\": \"a\", \"times\": [1, 1]}, {\"id\": \"b\", \"times\": [1, 1], "
        "\"after\": \"c\"}, {\"id\": \"c\", \"times\": [1, 1]}], \"edges\": [{\"from\": \"a\", "
        "\"to\": \"b\", \"data\": 8}, [\"a\", \"c\", 2]]}";
    duet_instance *instance = read_with(text, "latency=1 per-unit=0.5");
    for (size_t from = 0; from < 2; from++) {
        for (size_t to = 0; to < 2; to++) {
            assert_int_equal(duet_instance_transfer(instance, 0, from, to), 0); // plain precedence
            assert_int_equal(duet_instance_transfer(instance, 1, from, to), 5);
            assert_int_equal(duet_instance_transfer(instance, 2, from, to), 2);
        }
    }
    duet_instance_free(instance);
    // It takes the place of the file's own.
    char with[600];
    snprintf(with, sizeof with, "%.*s, \"transfer\": {\"latency\": [[9, 9], [9, 9]]}}",
             (int)strlen(text) - 1, text);
    instance = read_with(with, "per-unit=0.25");
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 1), 2);
    duet_instance_free(instance);
    instance = read_with(text, "edges=false");
    assert_int_equal(duet_instance_edges(instance), 0);
    assert_string_equal(duet_instance_notice(instance),
                        "3 edges are left out: all tasks are taken as independent");
    duet_instance_free(instance);
}

static void test_options_refused(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *message;
    } bad[] = {
        {"gpu=0", "option gpu: expected a number above 0 or gamma:mean:sd:seed, got '0'"},
        {"gpu=", "option gpu"},
        {"gpu=-2", "option gpu"},
        {"gpu=gamma:15:15", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:15:15:", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:0:15:1", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:15:0.1:1", "0.01 to 10 times that"},
        {"gpu=gamma:15:151:1", "0.01 to 10 times that"},
        {"gpu=gamma:15:15:x", "a whole number as seed"},
        {"latency=x", "option latency: expected a number of at least 0, got 'x'"},
        {"per-unit=-1", "option per-unit: expected a number of at least 0, got '-1'"},
        {"edges=no", "option edges: expected true or false, got 'no'"},
        {"edge=true", "unknown option 'edge': expected one of gpu, latency, per-unit, edges"},
    };
    duet_scratch_put("id,cpu\na,1\n", strlen("id,cpu\na,1\n"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(read_file(path, bad[i].settings, &instance, &error), DUET_E_USAGE);
        assert_null(instance);
        if (strstr(error.message, bad[i].message) == NULL) {
            fail_msg("%s: %s", bad[i].settings, error.message);
        }
    }
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_scratch_put("id,a,b\na,1,2\n", strlen("id,a,b\na,1,2\n"));
    assert_int_equal(read_file(path, "gpu=2", &instance, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "the file has times for 2 processor types"));
    duet_error_clear(&error);
    duet_scratch_put("id,gpu\na,1\nb,4e18\n", strlen("id,gpu\na,1\nb,4e18\n"));
    assert_int_equal(read_file(path, "gpu=2", &instance, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "time times its factor is too large"));
    assert_int_equal(error.line, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stg),
        cmocka_unit_test(test_stg_set),
        cmocka_unit_test(test_dot),
        cmocka_unit_test(test_dot_strict),
        cmocka_unit_test(test_dot_forms),
        cmocka_unit_test(test_dot_refused),
        cmocka_unit_test(test_workflow),
        cmocka_unit_test(test_workflow_files),
        cmocka_unit_test(test_workflow_by_files),
        cmocka_unit_test(test_old_workflow),
        cmocka_unit_test(test_workflow_refused),
        cmocka_unit_test(test_recorded_workflows),
        cmocka_unit_test(test_two_types),
        cmocka_unit_test(test_drawn_factors),
        cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_options_refused),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
