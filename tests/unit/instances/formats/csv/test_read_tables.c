// SPDX-License-Identifier: Apache-2.0
// Tables of tasks in the spellings of people's programs: a random instance is the same instance in
// each of them, and what cannot be meant in one way alone is refused. Rounding of long times is
// checked against decimal arithmetic done by hand, digit by digit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/io.h>

#include "core/number/random.h"
#include "tests/support/scratch_file.h"

enum { MOST_TASKS = 8, TYPES = 3 };

static const char *const path = duet_scratch_path;

static int64_t between(duet_random *random, int64_t low, int64_t high)
{
    return duet_random_between(random, low, high);
}

static void put_file(const char *text)
{
    duet_scratch_put(text, strlen(text));
}

static duet_instance *read_good(const char *text, const duet_read_params *params)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    put_file(text);
    if (duet_read_instance(path, params, &instance, &error) != DUET_OK) {
        fail_msg("line %d column %d: %s, in:\n%s", error.line, error.column, error.message, text);
    }
    return instance;
}

static void expect_refused(const char *text, const char *columns, duet_code code, int line,
                           const char *message)
{
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.columns = columns;
    put_file(text);
    assert_int_equal(duet_read_instance(path, &params, &instance, &error), code);
    assert_null(instance);
    if (error.line != line || strstr(error.message, message) == NULL) {
        fail_msg("line %d: %s, expected line %d: %s", error.line, error.message, line, message);
    }
}

// A random set of tasks, and how a table of it is spelled.
typedef struct spelled {
    size_t tasks;
    int64_t count[MOST_TASKS];
    int64_t time[MOST_TASKS][TYPES]; // in thousandths; -1: forbidden
    char separator;
    bool decimal_comma, quotes, carriage_returns, mark, trailing, comments, ids, counts, index,
        exponents;
} spelled;

static spelled random_table(duet_random *random)
{
    spelled s = {.tasks = (size_t)between(random, 1, MOST_TASKS)};
    for (size_t i = 0; i < s.tasks; i++) {
        s.count[i] = between(random, 0, 1) == 0 ? 1 : between(random, 1, 5);
        size_t allowed = (size_t)between(random, 0, TYPES - 1);
        for (size_t t = 0; t < TYPES; t++) {
            bool forbidden = t != allowed && between(random, 0, 3) == 0;
            s.time[i][t] = forbidden ? -1 : between(random, 0, 5000000);
        }
    }
    // One comma that separates no thousands, for tables with tabs.
    s.time[0][0] = 500;
    s.separator = ",;\t"[between(random, 0, 2)];
    s.decimal_comma = s.separator != ',' && between(random, 0, 1) == 1;
    bool *const switches[] = {&s.quotes, &s.carriage_returns, &s.mark,  &s.trailing, &s.comments,
                              &s.ids,    &s.counts,           &s.index, &s.exponents};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        *switches[i] = between(random, 0, 1) == 1;
    }
    return s;
}

// A line is written field by field into `text`.
typedef struct page {
    char text[4096];
    size_t used;
    const spelled *how;
    bool begun; // the line has a field
} page;

static void put(page *p, const char *text)
{
    size_t length = strlen(text);
    assert_true(p->used + length < sizeof p->text);
    memcpy(p->text + p->used, text, length + 1);
    p->used += length;
}

static void put_field(page *p, const char *text)
{
    const char separator[2] = {p->how->separator, '\0'};
    put(p, p->begun ? separator : "");
    put(p, p->how->quotes ? "\"" : "");
    put(p, text);
    put(p, p->how->quotes ? "\"" : "");
    p->begun = true;
}

static void end_line(page *p)
{
    const char separator[2] = {p->how->separator, '\0'};
    put(p, p->how->trailing ? separator : "");
    put(p, p->how->carriage_returns ? "\r\n" : "\n");
    p->begun = false;
}

static void put_time(page *p, int64_t time, duet_random *random)
{
    static const char *const words[] = {"", "nan", "NaN", "NA", "inf", "null", "None", "<NA>"};
    char text[64];
    if (time < 0) {
        put_field(p, words[between(random, 0, 7)]);
        return;
    }
    if (p->how->exponents && between(random, 0, 1) == 0) {
        snprintf(text, sizeof text, "%" PRId64 "e-3", time);
    } else if (p->how->exponents) {
        snprintf(text, sizeof text, "0.%07" PRId64 "E+04", time);
    } else {
        snprintf(text, sizeof text, "%" PRId64 ".%03" PRId64 "%s", time / 1000, time % 1000,
                 between(random, 0, 1) == 0 ? "" : "0000000000000000");
    }
    char *point = strchr(text, '.');
    if (p->how->decimal_comma && point != NULL) {
        *point = ',';
    }
    put_field(p, text);
}

static void write_table(page *p, const spelled *s, duet_random *random)
{
    static const char *const id_names[] = {"id", "Task", "NAME", "ID"};
    static const char *const types[TYPES] = {"cpu", "gpu", "npu"};
    *p = (page){.how = s};
    put(p, s->mark ? "\xef\xbb\xbf" : "");
    put(p, s->comments ? "# of a program\n" : "");
    if (s->index) {
        put_field(p, "");
    }
    if (s->ids) {
        put_field(p, id_names[between(random, 0, 3)]);
    }
    if (s->counts) {
        put_field(p, "count");
    }
    for (size_t t = 0; t < TYPES; t++) {
        put_field(p, types[t]);
    }
    end_line(p);
    for (size_t i = 0; i < s->tasks; i++) {
        char text[32];
        snprintf(text, sizeof text, "%zu", i);
        if (s->index) {
            put_field(p, text);
        }
        snprintf(text, sizeof text, "t%zu", i);
        if (s->ids) {
            put_field(p, text);
        }
        snprintf(text, sizeof text, "%" PRId64, s->count[i]);
        if (s->counts) {
            put_field(p, text);
        }
        for (size_t t = 0; t < TYPES; t++) {
            put_time(p, s->time[i][t], random);
        }
        end_line(p);
    }
    put(p, s->trailing ? "\n\n" : "");
}

static void expect_same(const duet_instance *instance, const spelled *s, const char *text)
{
    char wanted[32];
    char found[32];
    assert_int_equal(duet_instance_types(instance), TYPES);
    assert_string_equal(duet_instance_type_name(instance, 2), "npu");
    assert_int_equal(duet_instance_kinds(instance), s->tasks);
    assert_null(duet_instance_notice(instance));
    for (size_t i = 0; i < s->tasks; i++) {
        snprintf(wanted, sizeof wanted, s->index && !s->ids ? "%zu" : "t%zu", i);
        assert_string_equal(duet_instance_kind_id(instance, i), wanted);
        assert_int_equal(duet_instance_kind_count(instance, i), s->counts ? s->count[i] : 1);
        for (size_t t = 0; t < TYPES; t++) {
            int64_t ticks = duet_instance_time(instance, i, t);
            int64_t time = s->time[i][t];
            assert_true((ticks == DUET_FORBIDDEN) == (time < 0));
            if (time < 0) {
                continue;
            }
            int64_t scale = 1000;
            for (int d = 0; d < duet_instance_decimals(instance); d++) {
                scale /= 10;
            }
            if (ticks * scale != time) {
                duet_instance_format_time(instance, ticks, found);
                fail_msg("task %zu type %zu: %s, expected %" PRId64 "/1000, in:\n%s", i, t, found,
                         time, text);
            }
        }
    }
}

static void test_spellings(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 18);
    for (int round = 0; round < 3000; round++) {
        spelled s = random_table(&random);
        page *p = malloc(sizeof *p);
        assert_non_null(p);
        write_table(p, &s, &random);
        duet_instance *instance = read_good(p->text, NULL);
        expect_same(instance, &s, p->text);
        duet_instance_free(instance);
        free(p);
    }
}

static void test_columns(void **state)
{
    (void)state;
    static const char text[] = "job,\"a, b\",count,t=1,note\nx,1,2,3.5,first\ny,,1,4,second\n";
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.columns = "id=job,gpu=\"t=1\",cpu=\"a, b\"";
    duet_instance *instance = read_good(text, &params);
    assert_int_equal(duet_instance_types(instance), 2);
    assert_string_equal(duet_instance_type_name(instance, 0), "gpu");
    assert_string_equal(duet_instance_kind_id(instance, 1), "y");
    assert_int_equal(duet_instance_tasks(instance), 3);
    assert_int_equal(duet_instance_time(instance, 0, 0), 35);
    assert_true(duet_instance_time(instance, 1, 1) == DUET_FORBIDDEN);
    duet_instance_free(instance);
    // Other letters; a column called count that is a type; ids by their name.
    params.columns = "NOTE2=T=1";
    expect_refused(text, "count,\"T=1\",x=none", DUET_E_INPUT, 1, "no column \"none\"");
    params.columns = "count=count,\"T=1\"";
    instance = read_good(text, &params);
    assert_string_equal(duet_instance_type_name(instance, 0), "T=1");
    assert_string_equal(duet_instance_kind_id(instance, 0), "x");
    duet_instance_free(instance);
    static const char *const bad[] = {"", ",", "a=", "=a", "a,", "a,a", "a=b=c", "a=\"b\"c"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused(text, bad[i], DUET_E_USAGE, 0, "expected NAME=COLUMN or NAME");
    }
    expect_refused("a 1 2\n", "a", DUET_E_USAGE, 0, "whose fields have no names");
}

static void test_headers(void **state)
{
    (void)state;
    // A separator of a spreadsheet's own; comments among the tasks; a task that looks like one.
    duet_instance *instance =
        read_good("sep=;\r\nTask;CPU, ms;GPU, ms\r\n#1;2;3\r\n# end\r\n", NULL);
    assert_string_equal(duet_instance_type_name(instance, 1), "GPU, ms");
    assert_string_equal(duet_instance_kind_id(instance, 0), "#1");
    assert_string_equal(duet_instance_notice(instance),
                        "1 line begins with '#' and is taken for a task, not for a comment");
    duet_instance_free(instance);
    // Of R, of a matrix of pandas, and of a table whose ids come last.
    instance = read_good("\"\",\"cpu\",\"gpu\"\n\"r1\",1,NA\n", NULL);
    assert_string_equal(duet_instance_kind_id(instance, 0), "r1");
    duet_instance_free(instance);
    instance = read_good(",0,1\n7,1,2\n", NULL);
    assert_string_equal(duet_instance_type_name(instance, 1), "1");
    assert_string_equal(duet_instance_kind_id(instance, 0), "7");
    duet_instance_free(instance);
    instance = read_good("cpu,gpu,name,count\n1,2,a,3\n", NULL);
    assert_int_equal(duet_instance_tasks(instance), 3);
    assert_string_equal(duet_instance_kind_id(instance, 0), "a");
    duet_instance_free(instance);
    // An index beside ids; an empty column of predecessors; typed-task text with tabs stays that.
    instance = read_good("\tid\tcpu\tafter\n0\ta\t1\t\n", NULL);
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_kind_id(instance, 0), "a");
    duet_instance_free(instance);
    instance = read_good("id\t1\t2\nb\t3\t4\tid\n", NULL);
    assert_string_equal(duet_instance_time_unit(instance), "ms");
    duet_instance_free(instance);
    expect_refused("a,1,2\nb,3,4\n", NULL, DUET_E_INPUT, 1, "expected a header");
    expect_refused("cpu,gpu\n", NULL, DUET_E_INPUT, 1, "a header and no task");
    expect_refused("id,cpu,\na,1,2\n", NULL, DUET_E_INPUT, 1, "empty processor type");
    expect_refused("id\tcpu\na\t1,250\n", NULL, DUET_E_INPUT, 2, "may separate thousands");
    expect_refused("id;cpu\na;1,5\nb;1.5\n", NULL, DUET_E_INPUT, 3, "line 2 has a comma");
    expect_refused("id;cpu\na;1.5\nb;1,5\n", NULL, DUET_E_INPUT, 3, "line 2 has a point");
    expect_refused("id,cpu\na,1\xc2\xa0"
                   "000\n",
                   NULL, DUET_E_INPUT, 2, "between its digits");
    expect_refused("id,cpu,after\na,1,\nb,1,c\n", NULL, DUET_E_INPUT, 3, "unknown task 'c'");
    expect_refused("\xff\xfei\0", NULL, DUET_E_INPUT, 0, "UTF-16 that ends within a character");
}

// A table that must say what it holds to be read as it was written.
static void test_confusing_types(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"after", 1}, {"Count", 1}, {"id", 1}, {"index", 1}};
    static const int64_t times[] = {1, 2, 3, DUET_FORBIDDEN};
    static const char *const ids[] = {"#x"};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 4,
                               .platform = platform,
                               .kinds = 1,
                               .ids = ids,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    assert_int_equal(duet_write_instance(path, "csv", instance, NULL), DUET_OK);
    duet_instance_free(instance);
    assert_int_equal(duet_read_instance(path, NULL, &instance, NULL), DUET_OK);
    assert_int_equal(duet_instance_types(instance), 4);
    for (size_t t = 0; t < 4; t++) {
        assert_string_equal(duet_instance_type_name(instance, t), platform[t].name);
        assert_true(duet_instance_time(instance, 0, t) == times[t]);
    }
    assert_string_equal(duet_instance_kind_id(instance, 0), "#x");
    assert_non_null(strstr(duet_instance_notice(instance), "\"index\" is taken for a processor"));
    duet_instance_free(instance);
}

// The number of `digits` with `places` of them behind the point, to `decimals` places: half up.
static int64_t round_by_hand(const char *digits, int places, int decimals)
{
    int length = (int)strlen(digits);
    int keep = length - places + decimals; // digits before the cut
    int64_t value = 0;
    for (int i = 0; i < keep; i++) {
        value = value * 10 + (i < length ? digits[i] - '0' : 0);
    }
    return value + (keep < length && digits[keep] >= '5');
}

static void test_rounding(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, 62);
    for (int round = 0; round < 3000; round++) {
        char digits[2][32];
        int places[2];
        char text[256];
        size_t used = (size_t)snprintf(text, sizeof text, "cpu,gpu\n");
        for (int t = 0; t < 2; t++) {
            int length = (int)between(&random, 12, 30);
            places[t] = (int)between(&random, length > 18 ? length - 18 : 10, length - 1);
            for (int i = 0; i < length; i++) {
                int64_t least = i == 0 || i == length - 1; // neither end is a zero
                digits[t][i] = (char)('0' + between(&random, least, 9));
            }
            digits[t][length] = '\0';
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%.*s.%s%s", length - places[t],
                                 digits[t], digits[t] + length - places[t], t == 0 ? "," : "\n");
        }
        duet_instance *instance = read_good(text, NULL);
        int decimals = duet_instance_decimals(instance);
        int most = places[0] > places[1] ? places[0] : places[1];
        int64_t longest = 0;
        for (size_t t = 0; t < 2; t++) {
            int64_t ticks = duet_instance_time(instance, 0, t);
            if (ticks != round_by_hand(digits[t], places[t], decimals)) {
                fail_msg("%" PRId64 " ticks of %d decimals in %s", ticks, decimals, text);
            }
            longest = ticks > longest ? ticks : longest;
        }
        // No finer tick fits, and what is rounded is said.
        bool finest = decimals == (most < DUET_MAX_DECIMALS ? most : DUET_MAX_DECIMALS);
        assert_true(finest || longest > (DUET_MAX_WORK - 5) / 10);
        assert_true((duet_instance_notice(instance) != NULL) == (decimals < most));
        duet_instance_free(instance);
    }
}

static void test_exact(void **state)
{
    (void)state;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.exact_times = true;
    // More than nine places that fit are exact.
    duet_instance *instance = read_good("cpu,gpu\n0.1234567890123456,2\n", &params);
    assert_int_equal(duet_instance_decimals(instance), 16);
    assert_null(duet_instance_notice(instance));
    duet_instance_free(instance);
    put_file("cpu,gpu\n1,2\n1000.1234567890123456,2\n");
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_read_instance(path, &params, &instance, &error), DUET_E_INPUT);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(
        error.message, "time 1 of task 't1' cannot be exact: expected at most 15 decimal places"));
    // The note names the largest error in the file's unit, rounded up: of long times 18 digits are
    // kept.
    instance = read_good("{\"time_unit\": \"ms\", \"tasks\": [{\"id\": \"a\", \"count\": 9, "
                         "\"times\": [100.12345678901234567, 1e-17, 1e-300]}]}",
                         NULL);
    assert_string_equal(duet_instance_notice(instance),
                        "3 of 3 times are rounded to 15 decimal places, the finest that fit; the "
                        "largest error is 5e-16 ms");
    duet_instance_free(instance);
}

// Tables as they become JSON record by record, and what such records may say besides.
static void test_records(void **state)
{
    (void)state;
    duet_instance *instance =
        read_good("[{\"id\": \"a\", \"cpu\": 3.5, \"gpu\": null, \"note\": \"x\"},\n"
                  " {\"gpu\": 1e-1, \"count\": 2, \"cpu\": 2, \"note\": {\"y\": [1]}, \"id\": 7},\n"
                  " {\"name\": \"c\", \"gpu\": 4}]",
                  NULL);
    assert_int_equal(duet_instance_types(instance), 2);
    assert_int_equal(duet_instance_tasks(instance), 4);
    assert_int_equal(duet_instance_time(instance, 0, 0), 35);
    assert_true(duet_instance_time(instance, 0, 1) == DUET_FORBIDDEN);
    assert_int_equal(duet_instance_time(instance, 1, 1), 1);
    assert_string_equal(duet_instance_kind_id(instance, 1), "7");
    assert_true(duet_instance_time(instance, 2, 0) == DUET_FORBIDDEN);
    duet_instance_free(instance);
    // In the order of a platform; without ids; beside an index.
    instance = read_good("{\"platform\": [{\"type\": \"gpu\", \"count\": 1}, {\"type\": \"cpu\", "
                         "\"count\": 2}], \"edges\": [],\n \"tasks\": [{\"times\": {\"cpu\": 3, "
                         "\"gpu\": 2}, \"weight\": 9}, {\"index\": 5, \"cpu\": 1}]}",
                         NULL);
    assert_string_equal(duet_instance_kind_id(instance, 0), "t0");
    assert_string_equal(duet_instance_kind_id(instance, 1), "5");
    assert_int_equal(duet_instance_time(instance, 0, 0), 2);
    assert_int_equal(duet_instance_time(instance, 0, 1), 3);
    duet_instance_free(instance);
    static const struct {
        const char *text;
        const char *message;
    } bad[] = {
        {"[{\"id\": \"a\", \"cpu\": 4}, {\"id\": \"b\", \"npu\": 4}]", "unknown type \"npu\""},
        {"[{\"id\": \"a\", \"cpu\": 4}, {\"id\": \"b\", \"cpu\": 4, \"cpu\": 5}]", "a second time"},
        {"[{\"id\": \"a\", \"cpu\": -4}]", "time of \"cpu\": expected a number of at least 0"},
        {"[{\"id\": \"a\", \"times\": {\"cpu\": true}}]", "expected a time"},
        {"[{\"id\": \"a\", \"times\": [4]}, {\"id\": \"b\", \"cpu\": 4}]", "times by name"},
        {"[{\"id\": \"a\", \"times\": [4], \"after\": [\"b\"]}]", "unknown task 'b'"},
        {"[{\"id\": 4, \"times\": [4]}]", "expected the task's id, a string, found 4"},
        {"[{\"id\": [4], \"cpu\": 4}]", "expected the task's id, a string, found an array"},
        {"[{\"note\": \"a\"}]", "the task has no \"id\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused(bad[i].text, NULL, DUET_E_INPUT, 1, bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_headers),   cmocka_unit_test(test_confusing_types),
        cmocka_unit_test(test_rounding),  cmocka_unit_test(test_exact),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
