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

static char path[] = "/tmp/duet-graphs-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put_file(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

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
    put_file(text, strlen(text));
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
        put_file(files[i].text, strlen(files[i].text));
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
        put_file(text, length);
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
        {"1\n0 0 0\n1 3 2 0\n2 0 1 1\n", 3, "1 predecessors; expected 2, as the line says"},
        {"1\n0 0 0\n1 3\n2 0 1 1\n", 3, "the line ends before the number of predecessors"},
        {"1\n0 0 0\n1\n2 0 1 1\n", 3, "time \"\": expected a decimal number"},
        {"1\n0 0 0\n1 -3 1 0\n2 0 1 1\n", 3, "a number of at least 0"},
        {"1\n0 0 0\n2 3 1 0\n2 0 1 1\n", 3, "task 2: expected task 1"},
        {"1\n0 0 0\n1 3 1 2\n2 0 1 1\n", 3, "predecessor \"2\": expected the id of a task, 0 to 1"},
        {"1\n0 0 0\n1 3 1 x\n2 0 1 1\n", 3, "predecessor \"x\""},
        {"1\n0 0 0\n1 3 1 1\n2 0 1 1\n", 3, "task '1' waits for itself"},
        {"2\n0 0 0\n1 3 2 2 2\n2 0 0\n3 0 0\n", 3, "the edge from '2' to '1' stands twice"},
        {"2\n0 0 0\n1 3 1 2\n2 0 1 1\n3 0 0\n", 0, "2 tasks wait for each other"},
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
    put_file("id,cpu\na,1\n", strlen("id,cpu\na,1\n"));
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
    put_file("id,a,b\na,1,2\n", strlen("id,a,b\na,1,2\n"));
    assert_int_equal(read_file(path, "gpu=2", &instance, &error), DUET_E_USAGE);
    assert_non_null(strstr(error.message, "the file has times for 2 processor types"));
    duet_error_clear(&error);
    put_file("id,gpu\na,1\nb,4e18\n", strlen("id,gpu\na,1\nb,4e18\n"));
    assert_int_equal(read_file(path, "gpu=2", &instance, &error), DUET_E_INPUT);
    assert_non_null(strstr(error.message, "time times its factor is too large"));
    assert_int_equal(error.line, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stg),       cmocka_unit_test(test_stg_set),
        cmocka_unit_test(test_two_types), cmocka_unit_test(test_drawn_factors),
        cmocka_unit_test(test_transfer),  cmocka_unit_test(test_options_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
