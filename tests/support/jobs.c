// SPDX-License-Identifier: Apache-2.0
#include "tests/support/jobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/scratch_file.h"

const duet_column duet_jobs_columns[] = {
    {.name = "job", .role = DUET_COLUMN_JOB},
    {.name = "name", .role = DUET_COLUMN_KEY},
    {.name = "family", .role = DUET_COLUMN_KEY},
    {.name = "number", .role = DUET_COLUMN_KEY},
    {.name = "value", .role = DUET_COLUMN_RESULT},
    {.name = "empty", .role = DUET_COLUMN_RESULT},
    {.name = "seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {.name = "settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

static const duet_column bare_columns[] = {
    {.name = "name", .role = DUET_COLUMN_KEY},
    {.name = "family", .role = DUET_COLUMN_KEY},
    {.name = "number", .role = DUET_COLUMN_KEY},
    {.name = "value", .role = DUET_COLUMN_RESULT},
    {.name = "seconds", .role = DUET_COLUMN_SECONDS, .format = "%.6f"},
    {.name = "more", .role = DUET_COLUMN_TIME},
    {.name = "empty", .role = DUET_COLUMN_RESULT},
    {.name = NULL}};

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const duet_jobs *f = state;
    (void)error;
    for (size_t r = 0; r < DUET_JOBS_ROWS; r++) {
        duet_fields keys = {.text = rows[r].keys, .size = sizeof rows[r].keys};
        char number[32];
        duet_fields_add(&keys, r == 1 ? "a \"b\", c" : "plain");
        duet_fields_add(&keys, f->family);
        snprintf(number, sizeof number, "%zu", 10 * job + r);
        duet_fields_add(&keys, number);
        assert_false(keys.failed);
    }
    return DUET_OK;
}

static duet_code run(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error)
{
    duet_jobs *f = (duet_jobs *)state;
    (void)cancel;
    f->runs[job]++;
    if (job == f->fail_at) {
        return duet_error_set(error, DUET_E_LIMIT, "job %zu fails", job);
    }
    if (job == f->close_at) {
        close(f->close);
    }
    if (f->cancel != NULL && job == f->cancel_at) {
        duet_cancel_request(f->cancel);
    }
    for (size_t r = 0; r < DUET_JOBS_ROWS; r++) {
        snprintf(rows[r].results, sizeof rows[r].results, "%zu,", job * job + r);
        rows[r].seconds = 0.25 * (double)f->runs[job];
        if (f->columns != duet_jobs_columns) {
            snprintf(rows[r].times, sizeof rows[r].times, "%d.5", f->runs[job]);
        }
        rows[r].cut = f->cuts && job == f->cancel_at && r == DUET_JOBS_ROWS - 1;
    }
    return DUET_OK;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    duet_jobs *f = state;
    (void)error;
    f->taken[job]++;
    for (size_t r = 0; r < DUET_JOBS_ROWS && !rows[r].cut; r++) {
        f->sum += strtoll(rows[r].results, NULL, 10);
    }
    return DUET_OK;
}

int duet_jobs_setup(void **state)
{
    duet_jobs *f = calloc(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "sweep-XXXXXX");
    int descriptor = mkstemp(f->path);
    close(descriptor);
    f->jobs = f->fail_at = f->cancel_at = f->close_at = DUET_JOBS;
    f->family = "one";
    f->columns = duet_jobs_columns;
    *state = f;
    return descriptor < 0;
}

// For a study whose rows have neither number nor stamp.
int duet_jobs_setup_bare(void **state)
{
    int failed = duet_jobs_setup(state);
    ((duet_jobs *)*state)->columns = bare_columns;
    return failed;
}

int duet_jobs_teardown(void **state)
{
    duet_jobs *f = *state;
    unlink(f->path);
    duet_cancel_free(f->cancel);
    free(f);
    return 0;
}

void duet_jobs_forget(duet_jobs *f)
{
    memset(f->runs, 0, sizeof f->runs);
    memset(f->taken, 0, sizeof f->taken);
    f->sum = 0;
}

duet_sweep duet_jobs_sweep_of(duet_jobs *f)
{
    return (duet_sweep){.columns = f->columns,
                        .keeps_cut_jobs = f->cuts,
                        .settings = f->settings,
                        .jobs = f->jobs,
                        .rows_per_job = DUET_JOBS_ROWS,
                        .describe = describe,
                        .run = run,
                        .take = take,
                        .state = f};
}

duet_code duet_jobs_sweep(duet_jobs *f, const duet_sweep_plan *plan, duet_sweep_summary *summary,
                          duet_error *error)
{
    duet_sweep it = duet_jobs_sweep_of(f);
    *error = (duet_error)DUET_ERROR_INIT;
    return duet_sweep_run(&it, plan, summary, error);
}

duet_sweep_summary duet_jobs_sweep_well(duet_jobs *f, const duet_sweep_plan *plan)
{
    duet_sweep_summary summary;
    duet_error error;
    if (duet_jobs_sweep(f, plan, &summary, &error) != DUET_OK) {
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    }
    assert_true(summary.writer);
    return summary;
}

size_t duet_jobs_read(const char *path, char text[DUET_JOBS_TEXT])
{
    size_t length = 0;
    char *read = duet_file_text(path, &length);
    assert_true(length < DUET_JOBS_TEXT);
    memcpy(text, read, length + 1);
    free(read);
    return length;
}

size_t duet_jobs_count_lines(const char *text, const char *line, size_t length)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        count += strncmp(at, line, length) == 0;
        if (strchr(at, '\n') == NULL) {
            break;
        }
    }
    return count;
}

// Every row of every job is in the file once, apart from the seconds.
void duet_jobs_assert_whole(const duet_jobs *f, const char *text, size_t headers)
{
    size_t lines = duet_jobs_count_lines(text, "", 0);
    assert_int_equal(lines, headers + f->jobs * DUET_JOBS_ROWS);
    for (size_t job = 0; job < f->jobs; job++) {
        for (size_t r = 0; r < DUET_JOBS_ROWS; r++) {
            char line[128];
            char number[32] = "";
            if (f->columns == duet_jobs_columns) {
                snprintf(number, sizeof number, "%zu,", job);
            }
            int length =
                snprintf(line, sizeof line, "%s%s,one,%zu,%zu,", number,
                         r == 1 ? "\"a \"\"b\"\", c\"" : "plain", 10 * job + r, job * job + r);
            assert_int_equal(duet_jobs_count_lines(text, line, (size_t)length), 1);
        }
    }
}

void duet_jobs_assert_taken_once(const duet_jobs *f)
{
    for (size_t job = 0; job < f->jobs; job++) {
        assert_int_equal(f->taken[job], 1);
    }
}

void duet_jobs_expect_error(duet_jobs *f, const duet_sweep_plan *plan, duet_code code, int line,
                            const char *part)
{
    duet_sweep_summary summary;
    duet_error error;
    assert_int_equal(duet_jobs_sweep(f, plan, &summary, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.line, line);
    if (strstr(error.message, part) == NULL) {
        fail_msg("'%s' has no '%s'", error.message, part);
    }
}
