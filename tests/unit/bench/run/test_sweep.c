// SPDX-License-Identifier: Apache-2.0
// The loop of the sweeps, on jobs that cost nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/run/progress.h"
#include "bench/run/study.h"
#include "bench/run/sweep.h"
#include "bench/run/sweep_row.h"
#include "tests/support/jobs.h"
#include "tests/support/scratch_file.h"

static void test_threads(void **state)
{
    duet_jobs *f = *state;
    static char text[DUET_JOBS_TEXT];
    uint64_t digest = 0;
    for (int threads = 1; threads <= 4; threads++) {
        duet_jobs_forget(f);
        duet_sweep_plan plan = {.threads = threads, .csv = f->path};
        duet_file_put(f->path, "", 0);
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_int_equal(summary.finished, DUET_JOBS);
        assert_int_equal(summary.resumed, 0);
        assert_false(summary.interrupted);
        assert_true(digest == 0 || digest == summary.digest);
        digest = summary.digest;
        duet_jobs_read(f->path, text);
        duet_jobs_assert_whole(f, text, 1);
        duet_jobs_assert_taken_once(f);
    }
    // Without a file, too.
    duet_sweep_plan plan = {.threads = 2};
    assert_true(duet_jobs_sweep_well(f, &plan).digest == digest);
    f->family = "two";
    assert_true(duet_jobs_sweep_well(f, &plan).digest != digest);
}

static void test_shards(void **state)
{
    duet_jobs *f = *state;
    static char text[DUET_JOBS_TEXT];
    static char all[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 2};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    for (uint64_t shards = 1; shards <= DUET_JOBS + 2; shards += 21) {
        uint64_t sum = 0;
        size_t jobs = 0;
        size_t used = 0;
        duet_jobs_forget(f);
        for (uint64_t shard = 1; shard <= shards; shard++) {
            plan =
                (duet_sweep_plan){.threads = 2, .csv = f->path, .shard = shard, .shards = shards};
            duet_file_put(f->path, "", 0);
            duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
            sum += summary.digest;
            jobs += summary.jobs;
            assert_int_equal(summary.jobs, summary.finished);
            size_t length = duet_jobs_read(f->path, text);
            memcpy(all + used, text, length);
            used += length;
            // Taking it up again does nothing.
            plan.resume = true;
            summary = duet_jobs_sweep_well(f, &plan);
            assert_int_equal(summary.resumed, summary.jobs);
        }
        assert_true(sum == digest);
        assert_int_equal(jobs, DUET_JOBS);
        all[used] = '\0';
        duet_jobs_assert_whole(f, all, shards);
        // Together they are the whole.
        duet_file_put(f->path, all, used);
        duet_jobs_forget(f);
        plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
        duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
        assert_true(summary.digest == digest);
        assert_int_equal(summary.resumed, DUET_JOBS);
        duet_jobs_assert_taken_once(f);
    }
}

// A named pipe: its reader going away is an error, not a wait without end.
static void test_pipe(void **state)
{
    duet_jobs *f = *state;
    unlink(f->path);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    int reader = open(f->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGPIPE, &ignore, &before);
    f->close_at = 3;
    f->close = reader;
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    duet_jobs_expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");
    sigaction(SIGPIPE, &before, NULL);
    assert_int_equal(f->runs[4], 0);
}

static void test_errors(void **state)
{
    duet_jobs *f = *state;
    static char text[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 2, .csv = f->path};
    duet_sweep_summary summary;
    duet_error error;
    uint64_t digest = 0;
    {
        duet_sweep_plan plain = {.threads = 1};
        digest = duet_jobs_sweep_well(f, &plain).digest;
    }
    // What fails ends the sweep, and it can be resumed.
    f->fail_at = 20;
    duet_jobs_expect_error(f, &plan, DUET_E_LIMIT, 0, "job 20 fails");
    f->fail_at = DUET_JOBS;
    plan.resume = true;
    assert_true(duet_jobs_sweep_well(f, &plan).digest == digest);
    duet_jobs_read(f->path, text);
    duet_jobs_assert_whole(f, text, 1);

    // Places that cannot be written.
    plan = (duet_sweep_plan){.threads = 1, .csv = "/nonexistent/x.csv"};
    duet_jobs_expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");
    plan.csv = "/dev/full";
    duet_jobs_expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");

    // One process at a time.
    int other = open(f->path, O_RDWR);
    assert_int_equal(flock(other, LOCK_EX), 0);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    duet_jobs_expect_error(f, &plan, DUET_E_OUTPUT, 0, "another process");
    close(other);
    assert_int_equal(duet_jobs_sweep(f, &plan, &summary, &error), DUET_OK);
}

static void test_cancel(void **state)
{
    duet_jobs *f = *state;
    static char text[DUET_JOBS_TEXT];
    f->cancel = duet_cancel_create();
    f->cancel_at = 7;
    duet_sweep_plan plan = {.threads = 1, .csv = f->path, .cancel = f->cancel};
    duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
    assert_true(summary.interrupted);
    assert_int_equal(summary.finished, 7); // the one in flight is dropped
    assert_int_equal(f->runs[8], 0);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    f->cancel_at = DUET_JOBS;
    summary = duet_jobs_sweep_well(f, &plan);
    assert_false(summary.interrupted);
    assert_int_equal(summary.resumed, 7);
    assert_int_equal(f->runs[7], 2);
    assert_int_equal(f->runs[6], 1);
    duet_jobs_read(f->path, text);
    duet_jobs_assert_whole(f, text, 1);
}

// A sweep that keeps what was done of a job when it was cut short.
static void test_cut_job(void **state)
{
    duet_jobs *f = *state;
    static char text[DUET_JOBS_TEXT];
    duet_sweep_plan plan = {.threads = 1};
    uint64_t digest = duet_jobs_sweep_well(f, &plan).digest;
    duet_jobs_forget(f);
    f->cuts = true;
    f->cancel = duet_cancel_create();
    f->cancel_at = 7;
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .cancel = f->cancel};
    duet_sweep_summary summary = duet_jobs_sweep_well(f, &plan);
    assert_true(summary.interrupted);
    assert_int_equal(summary.finished, 7);
    assert_int_equal(f->taken[7], 1);
    duet_jobs_read(f->path, text);
    assert_int_equal(duet_jobs_count_lines(text, "", 0),
                     1 + 7 * DUET_JOBS_ROWS + DUET_JOBS_ROWS - 1);
    duet_jobs_forget(f);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    f->cancel_at = DUET_JOBS;
    summary = duet_jobs_sweep_well(f, &plan);
    assert_true(summary.digest == digest);
    assert_int_equal(summary.resumed, 7);
    assert_int_equal(f->runs[7], 1);
    duet_jobs_assert_taken_once(f);
    duet_jobs_read(f->path, text);
    duet_jobs_assert_whole(f, text, 1);
}

// Rows go through a line and back; seconds do not count.
static void test_rows(void **state)
{
    (void)state;
    duet_sweep_row row = {.seconds = 1e300};
    duet_sweep_row back;
    char line[DUET_SWEEP_LINE];
    size_t job = 0;
    duet_fields keys = {.text = row.keys, .size = sizeof row.keys};
    duet_fields results = {.text = row.results, .size = sizeof row.results};
    duet_fields_add(&keys, "");
    duet_fields_add(&keys, "x\"y\"");
    duet_fields_add(&keys, ",");
    duet_fields_add(&results, "");
    duet_fields_add(&results, "");
    assert_string_equal(row.keys, ",\"x\"\"y\"\"\",\",\"");
    assert_string_equal(row.results, ",");
    assert_int_equal(duet_sweep_count_fields(row.keys), 3);
    char stamp[DUET_SWEEP_STAMP];
    char own[DUET_SWEEP_STAMP];
    duet_sweep sweep = {.columns = duet_jobs_columns};
    duet_sweep_stamp(&sweep, own);
    size_t length = duet_sweep_format_row(&sweep, 12, &row, line);
    assert_int_equal(length, strlen(line));
    assert_true(duet_sweep_parse_row(&sweep, line, &job, &back, stamp));
    assert_int_equal(job, 12);
    assert_string_equal(stamp, own);
    assert_string_equal(back.keys, row.keys);
    assert_string_equal(back.results, row.results);
    assert_true(duet_sweep_row_digest(12, &back) == duet_sweep_row_digest(12, &row));
    assert_true(duet_sweep_row_digest(13, &back) != duet_sweep_row_digest(12, &row));
    sweep.columns = &duet_jobs_columns[1]; // one column less
    assert_false(duet_sweep_parse_row(&sweep, line, &job, &back, stamp));

    // What does not fit, or would break the line.
    char small[8] = "";
    duet_fields tight = {.text = small, .size = sizeof small};
    duet_fields_add(&tight, "four");
    assert_true(tight.failed);
    assert_string_equal(small, "");
    duet_fields broken = {.text = row.keys, .size = sizeof row.keys};
    duet_fields_add(&broken, "a\nb");
    assert_true(broken.failed);
}

static void test_progress(void **state)
{
    (void)state;
    char line[80];
    duet_sweep_progress progress = {.total = 1000, .before = 200};
    assert_string_equal(duet_sweep_progress_line(&progress, 500, 10, line),
                        "[############            ] 500/1000  30/s  0:17 left");
    assert_string_equal(duet_sweep_progress_line(&progress, 200, 0, line),
                        "[####                    ] 200/1000  0.00/s  ? left");
    progress.before = 0;
    assert_string_equal(duet_sweep_progress_line(&progress, 1, 10, line),
                        "[                        ] 1/1000  0.10/s  2:46:30 left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_threads, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_shards, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_pipe, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_errors, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_cancel, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_cut_job, duet_jobs_setup, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_threads, duet_jobs_setup_bare, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_shards, duet_jobs_setup_bare, duet_jobs_teardown),
        cmocka_unit_test_setup_teardown(test_cut_job, duet_jobs_setup_bare, duet_jobs_teardown),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
