// SPDX-License-Identifier: Apache-2.0
// Taking up the file of a sweep: torn, scattered, foreign.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "bench/run/study.h"
#include "bench/run/sweep.h"
#include "tests/support/jobs.h"
#include "tests/support/scratch_file.h"

// Cut at every byte: what is whole is not run again, nothing is there twice.
static void test_torn(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    static char text[DUET_JOBS_TEXT];
    f->jobs = 4; // every cut flushes the file to the disk
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    int64_t sum = f->sum;
    size_t length = duet_jobs_read(f->path, whole);
    plan.resume = true;
    for (size_t cut = 0; cut <= length; cut++) {
        duet_jobs_forget(f);
        duet_file_put(f->path, whole, cut);
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_true(summary.digest == digest);
        assert_true(f->sum == sum);
        assert_int_equal(summary.finished, f->jobs);
        duet_jobs_assert_taken_once(f);
        size_t runs = 0;
        for (size_t job = 0; job < f->jobs; job++) {
            runs += (size_t)f->runs[job];
        }
        assert_int_equal(runs + summary.resumed, f->jobs);
        // Whole rows are kept: a job is run again where one of its rows is missing.
        size_t lines = 0;
        for (size_t i = 0; i < cut; i++) {
            lines += whole[i] == '\n';
        }
        assert_int_equal(summary.resumed, lines == 0 ? 0 : (lines - 1) / DUET_JOBS_ROWS);
        duet_jobs_read(f->path, text);
        duet_jobs_assert_whole(f, text, 1);
    }
}

// Threads finish jobs in any order: one that was cut is the last in the file, and not the first
// that is left to do. Its rows do not end up apart.
static void test_torn_job(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    f->jobs = 4;
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    duet_jobs_read(f->path, whole);
    const char *last = strstr(whole, "\n3,") + 1;
    size_t header = strcspn(whole, "\n") + 1;
    memmove(whole + header, last, strlen(last) + 1); // what is left: the last job's rows
    size_t length = strlen(whole);
    plan.resume = true;
    for (size_t cut = header; cut <= length; cut++) {
        duet_jobs_forget(f);
        duet_file_put(f->path, whole, cut);
        assert_true(duet_jobs_sweep_well(f, &plan).digest == digest);
        duet_jobs_assert_taken_once(f);
        duet_jobs_forget(f);
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_int_equal(summary.resumed, f->jobs);
        assert_true(summary.digest == digest);
    }
}

// Lines in another order: jobs torn apart are run again, and nothing is written.
static void test_scattered(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    static char text[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    size_t length = duet_jobs_read(f->path, whole);
    // The first row of the first job goes to the end.
    char *first = strchr(whole, '\n') + 1;
    size_t row = strcspn(first, "\n") + 1;
    char moved[256];
    memcpy(moved, first, row);
    memmove(first, first + row, length - row - (size_t)(first - whole));
    memcpy(whole + length - row, moved, row);
    duet_file_put(f->path, whole, length);
    duet_jobs_forget(f);
    plan.resume = true;
    duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
    assert_true(summary.digest == digest);
    assert_int_equal(summary.resumed, DUET_JOBS - 1);
    assert_int_equal(f->runs[0], 1);
    duet_jobs_assert_taken_once(f);
    assert_int_equal(duet_jobs_read(f->path, text), length);
    assert_string_equal(text, whole);
}

static void test_foreign(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    duet_jobs_sweep_well(f, &plan);
    size_t length = duet_jobs_read(f->path, whole);

    // Work is not lost: a file is not written over.
    duet_jobs_expect_error(f, &plan, DUET_E_USAGE, 0, "--resume");
    plan.resume = true;
    f->family = "two";
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2, "belongs to another sweep");
    f->family = "one";
    plan.shard = 1;
    plan.shards = 2;
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS_ROWS, "none of shard 1/2");
    plan.shards = 0;

    static const struct {
        const char *line;
        const char *part;
    } lines[] = {
        {"", "expected a row"},
        {"job", "expected a row"},
        {"41,plain,one,410,0,,0.25,01234567", "expected a job below 41"},
        {"-1,plain,one,410,0,,0.25,01234567", "expected a row"},
        {"01,plain,one,10,1,,0.25,01234567", "expected a row"},
        {"99999999999999999999999,plain,one,10,1,,0.25,01234567", "expected a row"},
        {"1,plain,one,10,1,0.25,01234567", "expected a row"},
        {"1,plain,one,10,1,,,0.25,01234567", "expected a row"},
        {"1,plain,one,10,1,,fast,01234567", "expected a row"},
        {"1,plain,one,10,1,,0.25 ,01234567", "expected a row"},
        {"1,plain,one,10,1,,nan,01234567", "expected a row"},
        {"1,plain,one,10,1,,0.25", "expected a row"},
        {"1,plain,one,10,1,,0.25,0123456", "expected a row"},
        {"1,plain,one,10,1,,0.25,012345678", "expected a row"},
        {"1,plain,one,10,1,,0.25,0123456x", "expected a row"},
        {"1,plain,one,10,1,,0.25,01234567,", "expected a row"},
        {"1,\"plain,one,10,1,,0.25,01234567", "expected a row"},
        {"1,plain,one,11,1,,0.25,01234567", "expected a run of job 1 such as plain,one,10"},
        {"0,plain,one,0,0,,0.25,01234567", "there twice"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FILE *file = fopen(f->path, "w");
        fwrite(whole, 1, length, file);
        fprintf(file, "%s\n", lines[i].line);
        fclose(file);
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS * DUET_JOBS_ROWS,
                               lines[i].part);
    }
    // A NUL, and a line that does not end.
    FILE *file = fopen(f->path, "w");
    fwrite(whole, 1, length, file);
    fwrite("1,\0plain\n", 1, 9, file);
    fclose(file);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS * DUET_JOBS_ROWS,
                           "expected a row");
    file = fopen(f->path, "w");
    for (int i = 0; i < 5000; i++) {
        fputc('x', file);
    }
    fclose(file);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 1, "belongs to another sweep");
    duet_file_put(f->path, "job,other\n", 10);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 1,
                           "expected the columns job,name,family,number");
}

// What has no newline at its end is cut off only where it is a line of this sweep.
static void test_foreign_tail(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    static char text[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    size_t length = duet_jobs_read(f->path, whole);
    plan.resume = true;

    static const struct {
        const char *text;
        size_t length; // 0: of the string
    } firsts[] = {{"my notes, no newline", 0},
                  {"job,name,other", 0},
                  {"j\0b", 3},
                  {"\0", 1},
                  {"0,plain,one,0", 0}};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        size_t size = firsts[i].length > 0 ? firsts[i].length : strlen(firsts[i].text);
        duet_file_put(f->path, firsts[i].text, size);
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 1,
                               "expected the columns job,name,family,number");
        assert_int_equal(duet_jobs_read(f->path, text), size);
        assert_memory_equal(text, firsts[i].text, size);
    }

    static const char *const tails[] = {"my notes",
                                        "41",
                                        "041",
                                        "-1,plain,one",
                                        "99999999999999999999",
                                        "1,plane",
                                        "1,plain,two",
                                        "1,plain,one,101",
                                        "1,plain,one,11,",
                                        " 1,plain",
                                        "1 ",
                                        "job,x"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t size = strlen(tails[i]);
        memcpy(text, whole, length);
        memcpy(text + length, tails[i], size);
        duet_file_put(f->path, text, length + size);
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS * DUET_JOBS_ROWS,
                               "the file belongs to another sweep");
        assert_int_equal(duet_jobs_read(f->path, text), length + size);
        assert_memory_equal(text, whole, length);
        assert_string_equal(text + length, tails[i]);
    }

    static const char *const cuts[] = {
        "4",     "0", "40", "40,", "1,pl", "1,\"a \"\"b\"\", c\",one,11", "1,plain,one,10,what",
        "job,na"};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        size_t size = strlen(cuts[i]);
        memcpy(text, whole, length);
        memcpy(text + length, cuts[i], size);
        duet_file_put(f->path, text, length + size);
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_int_equal(summary.resumed, DUET_JOBS);
        assert_true(summary.digest == digest);
        assert_int_equal(duet_jobs_read(f->path, text), length);
        assert_string_equal(text, whole);
    }
    // A job of another shard is none of ours, however it ends.
    plan.shard = 2;
    plan.shards = 2;
    size_t head = strcspn(whole, "\n") + 1;
    memcpy(text, whole, head);
    snprintf(text + head, sizeof text - head, "2,pl");
    duet_file_put(f->path, text, head + 4);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2, "none of shard 2/2");
}

// Rows of other settings are not gone on with, and settings do not change the digest.
static void test_settings(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    static char text[DUET_JOBS_TEXT];
    f->settings = "--rounds 1";
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    size_t length = duet_jobs_read(f->path, whole);
    plan.resume = true;
    static const char *const others[] = {"--rounds 2", "", NULL, "--rounds 1 "};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        f->settings = others[i];
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2, "made with other settings than");
        assert_int_equal(duet_jobs_read(f->path, text), length);
        assert_string_equal(text, whole);
        duet_sweep_plan plain = {.threads = 1};
        assert_true(duet_jobs_sweep_well(f, &plain).digest == digest);
    }
    f->settings = "--rounds 1";
    assert_int_equal(duet_jobs_sweep_well(f, &plan).resumed, DUET_JOBS);
    // Nor mixed by hand: a row in the middle.
    char *last = whole + length - 2;
    *last = *last == '0' ? '1' : '0';
    duet_file_put(f->path, whole, length);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 1 + DUET_JOBS * DUET_JOBS_ROWS,
                           "other settings than --rounds 1, Duet");
}

// What is refused of rows that are known by their keys.
static void test_bare_rows(void **state)
{
    duet_jobs *f = *state;
    static char whole[DUET_JOBS_TEXT];
    static char text[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    size_t length = duet_jobs_read(f->path, whole);
    assert_int_equal(
        strncmp(whole, "name,family,number,value,seconds,more,empty\nplain,one,0,0,", 58), 0);
    plan.resume = true;
    static const struct {
        const char *line;
        const char *part;
    } lines[] = {{"plain,one,411,1,0.25,1.5,", "expected one of its runs, such as plain,one,0"},
                 {"plain,two,0,0,0.25,1.5,", "expected one of its runs"},
                 {"plain,one,0,0,0.25,1.5,", "there twice"},
                 {"plain,one,0,0,0.25,fast,", "expected a row"},
                 {"plain,one,0,0,fast,1.5,", "expected a row"},
                 {"plain,one,0,0,0.25,1.5", "expected a row"},
                 {"plain,one,0,0,0.25,1.5,,", "expected a row"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        memcpy(text, whole, length);
        int size = snprintf(text + length, sizeof text - length, "%s\n", lines[i].line);
        duet_file_put(f->path, text, length + (size_t)size);
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS * DUET_JOBS_ROWS,
                               lines[i].part);
    }
    static const char *const tails[] = {"my notes", "0", "plain,two", "plain,one,411",
                                        "plain,one,0 "};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        memcpy(text, whole, length);
        memcpy(text + length, tails[i], strlen(tails[i]));
        duet_file_put(f->path, text, length + strlen(tails[i]));
        duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2 + DUET_JOBS * DUET_JOBS_ROWS,
                               "the file belongs to another sweep");
        assert_int_equal(duet_jobs_read(f->path, text), length + strlen(tails[i]));
    }
    static const char *const cuts[] = {"p", "plain", "plain,one,4", "plain,one,40,what", "name,fa"};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        memcpy(text, whole, length);
        memcpy(text + length, cuts[i], strlen(cuts[i]));
        duet_file_put(f->path, text, length + strlen(cuts[i]));
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_int_equal(summary.resumed, DUET_JOBS);
        assert_true(summary.digest == digest);
        assert_int_equal(duet_jobs_read(f->path, text), length);
    }
    // The beginning of a row of another shard is none of ours.
    plan.shard = plan.shards = 2;
    size_t head = strcspn(whole, "\n") + 1;
    memcpy(text, whole, head);
    memcpy(text + head, "plain,one,20,", 13);
    duet_file_put(f->path, text, head + 13);
    duet_jobs_expect_error(f, &plan, DUET_E_INPUT, 2, "the file belongs to another sweep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_torn, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_torn_job, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_scattered, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_foreign, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_foreign_tail, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_settings, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_torn, duet_jobs_setup_bare, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_scattered, duet_jobs_setup_bare, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_bare_rows, duet_jobs_setup_bare, duet_jobs_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
