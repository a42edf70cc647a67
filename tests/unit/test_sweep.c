// SPDX-License-Identifier: Apache-2.0
// The loop of the sweeps and its file, on jobs that cost nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/run/progress.h"
#include "bench/run/sweep.h"
#include "bench/run/sweep_args.h"
#include "bench/run/sweep_row.h"

enum { JOBS = 41, ROWS = 3, MOST = 1 << 16 };

static const duet_column columns[] = {
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

// Counts what was done. `run` is called by several threads: it writes only to its job's place.
typedef struct fixture {
    char path[64];
    size_t jobs;
    int runs[JOBS];
    int taken[JOBS];
    int64_t sum;     // of what the rows say
    size_t close_at; // a job, and what it closes
    int close;
    size_t fail_at;
    duet_cancel *cancel;
    size_t cancel_at;
    const char *family;
    const char *settings;
    const duet_column *columns;
    bool cuts; // the job that cancels leaves its last row out
} fixture;

static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const fixture *f = state;
    (void)error;
    for (size_t r = 0; r < ROWS; r++) {
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
    fixture *f = (fixture *)state;
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
    for (size_t r = 0; r < ROWS; r++) {
        snprintf(rows[r].results, sizeof rows[r].results, "%zu,", job * job + r);
        rows[r].seconds = 0.25 * (double)f->runs[job];
        if (f->columns != columns) {
            snprintf(rows[r].times, sizeof rows[r].times, "%d.5", f->runs[job]);
        }
        rows[r].cut = f->cuts && job == f->cancel_at && r == ROWS - 1;
    }
    return DUET_OK;
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    fixture *f = state;
    (void)error;
    f->taken[job]++;
    for (size_t r = 0; r < ROWS && !rows[r].cut; r++) {
        f->sum += strtoll(rows[r].results, NULL, 10);
    }
    return DUET_OK;
}

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "sweep-XXXXXX");
    int descriptor = mkstemp(f->path);
    close(descriptor);
    f->jobs = f->fail_at = f->cancel_at = f->close_at = JOBS;
    f->family = "one";
    f->columns = columns;
    *state = f;
    return descriptor < 0;
}

// For a study whose rows have neither number nor stamp.
static int setup_bare(void **state)
{
    int failed = setup(state);
    ((fixture *)*state)->columns = bare_columns;
    return failed;
}

static int teardown(void **state)
{
    fixture *f = *state;
    unlink(f->path);
    duet_cancel_free(f->cancel);
    free(f);
    return 0;
}

static void forget(fixture *f)
{
    memset(f->runs, 0, sizeof f->runs);
    memset(f->taken, 0, sizeof f->taken);
    f->sum = 0;
}

static duet_sweep sweep_of(fixture *f)
{
    return (duet_sweep){.columns = f->columns,
                        .keeps_cut_jobs = f->cuts,
                        .settings = f->settings,
                        .jobs = f->jobs,
                        .rows_per_job = ROWS,
                        .describe = describe,
                        .run = run,
                        .take = take,
                        .state = f};
}

static duet_code sweep(fixture *f, const duet_sweep_plan *plan, duet_sweep_summary *summary,
                       duet_error *error)
{
    duet_sweep it = sweep_of(f);
    *error = (duet_error)DUET_ERROR_INIT;
    return duet_sweep_run(&it, plan, summary, error);
}

static duet_sweep_summary sweep_well(fixture *f, const duet_sweep_plan *plan)
{
    duet_sweep_summary summary;
    duet_error error;
    if (sweep(f, plan, &summary, &error) != DUET_OK) {
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    }
    assert_true(summary.writer);
    return summary;
}

static size_t read_file(const char *path, char *text)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, MOST - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static size_t count_lines(const char *text, const char *line, size_t length)
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
static void assert_whole(const fixture *f, const char *text, size_t headers)
{
    size_t lines = count_lines(text, "", 0);
    assert_int_equal(lines, headers + f->jobs * ROWS);
    for (size_t job = 0; job < f->jobs; job++) {
        for (size_t r = 0; r < ROWS; r++) {
            char line[128];
            char number[32] = "";
            if (f->columns == columns) {
                snprintf(number, sizeof number, "%zu,", job);
            }
            int length =
                snprintf(line, sizeof line, "%s%s,one,%zu,%zu,", number,
                         r == 1 ? "\"a \"\"b\"\", c\"" : "plain", 10 * job + r, job * job + r);
            assert_int_equal(count_lines(text, line, (size_t)length), 1);
        }
    }
}

static void assert_taken_once(const fixture *f)
{
    for (size_t job = 0; job < f->jobs; job++) {
        assert_int_equal(f->taken[job], 1);
    }
}

static void test_threads(void **state)
{
    fixture *f = *state;
    static char text[MOST];
    uint64_t digest = 0;
    for (int threads = 1; threads <= 4; threads++) {
        forget(f);
        duet_sweep_plan plan = {.threads = threads, .csv = f->path};
        write_file(f->path, "", 0);
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_int_equal(summary.finished, JOBS);
        assert_int_equal(summary.resumed, 0);
        assert_false(summary.interrupted);
        assert_true(digest == 0 || digest == summary.digest);
        digest = summary.digest;
        read_file(f->path, text);
        assert_whole(f, text, 1);
        assert_taken_once(f);
    }
    // Without a file, too.
    duet_sweep_plan plan = {.threads = 2};
    assert_true(sweep_well(f, &plan).digest == digest);
    f->family = "two";
    assert_true(sweep_well(f, &plan).digest != digest);
}

// Cut at every byte: what is whole is not run again, nothing is there twice.
static void test_torn(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    static char text[MOST];
    f->jobs = 4; // every cut flushes the file to the disk
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    int64_t sum = f->sum;
    size_t length = read_file(f->path, whole);
    plan.resume = true;
    for (size_t cut = 0; cut <= length; cut++) {
        forget(f);
        write_file(f->path, whole, cut);
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_true(summary.digest == digest);
        assert_true(f->sum == sum);
        assert_int_equal(summary.finished, f->jobs);
        assert_taken_once(f);
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
        assert_int_equal(summary.resumed, lines == 0 ? 0 : (lines - 1) / ROWS);
        read_file(f->path, text);
        assert_whole(f, text, 1);
    }
}

// Threads finish jobs in any order: one that was cut is the last in the file, and not the first
// that is left to do. Its rows do not end up apart.
static void test_torn_job(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    f->jobs = 4;
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    read_file(f->path, whole);
    const char *last = strstr(whole, "\n3,") + 1;
    size_t header = strcspn(whole, "\n") + 1;
    memmove(whole + header, last, strlen(last) + 1); // what is left: the last job's rows
    size_t length = strlen(whole);
    plan.resume = true;
    for (size_t cut = header; cut <= length; cut++) {
        forget(f);
        write_file(f->path, whole, cut);
        assert_true(sweep_well(f, &plan).digest == digest);
        assert_taken_once(f);
        forget(f);
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_int_equal(summary.resumed, f->jobs);
        assert_true(summary.digest == digest);
    }
}

// Lines in another order: jobs torn apart are run again, and nothing is written.
static void test_scattered(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    static char text[MOST];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    size_t length = read_file(f->path, whole);
    // The first row of the first job goes to the end.
    char *first = strchr(whole, '\n') + 1;
    size_t row = strcspn(first, "\n") + 1;
    char moved[256];
    memcpy(moved, first, row);
    memmove(first, first + row, length - row - (size_t)(first - whole));
    memcpy(whole + length - row, moved, row);
    write_file(f->path, whole, length);
    forget(f);
    plan.resume = true;
    duet_sweep_summary summary = sweep_well(f, &plan);
    assert_true(summary.digest == digest);
    assert_int_equal(summary.resumed, JOBS - 1);
    assert_int_equal(f->runs[0], 1);
    assert_taken_once(f);
    assert_int_equal(read_file(f->path, text), length);
    assert_string_equal(text, whole);
}

static void test_shards(void **state)
{
    fixture *f = *state;
    static char text[MOST];
    static char all[MOST];
    duet_sweep_plan plan = {.threads = 2};
    uint64_t digest = sweep_well(f, &plan).digest;
    for (uint64_t shards = 1; shards <= JOBS + 2; shards += 21) {
        uint64_t sum = 0;
        size_t jobs = 0;
        size_t used = 0;
        forget(f);
        for (uint64_t shard = 1; shard <= shards; shard++) {
            plan =
                (duet_sweep_plan){.threads = 2, .csv = f->path, .shard = shard, .shards = shards};
            write_file(f->path, "", 0);
            duet_sweep_summary summary = sweep_well(f, &plan);
            sum += summary.digest;
            jobs += summary.jobs;
            assert_int_equal(summary.jobs, summary.finished);
            size_t length = read_file(f->path, text);
            memcpy(all + used, text, length);
            used += length;
            // Taking it up again does nothing.
            plan.resume = true;
            summary = sweep_well(f, &plan);
            assert_int_equal(summary.resumed, summary.jobs);
        }
        assert_true(sum == digest);
        assert_int_equal(jobs, JOBS);
        all[used] = '\0';
        assert_whole(f, all, shards);
        // Together they are the whole.
        write_file(f->path, all, used);
        forget(f);
        plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_true(summary.digest == digest);
        assert_int_equal(summary.resumed, JOBS);
        assert_taken_once(f);
    }
}

static void expect_error(fixture *f, const duet_sweep_plan *plan, duet_code code, int line,
                         const char *part)
{
    duet_sweep_summary summary;
    duet_error error;
    assert_int_equal(sweep(f, plan, &summary, &error), code);
    assert_int_equal(error.code, code);
    assert_int_equal(error.line, line);
    if (strstr(error.message, part) == NULL) {
        fail_msg("'%s' has no '%s'", error.message, part);
    }
}

static void test_foreign(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    sweep_well(f, &plan);
    size_t length = read_file(f->path, whole);

    // Work is not lost: a file is not written over.
    expect_error(f, &plan, DUET_E_USAGE, 0, "--resume");
    plan.resume = true;
    f->family = "two";
    expect_error(f, &plan, DUET_E_INPUT, 2, "belongs to another sweep");
    f->family = "one";
    plan.shard = 1;
    plan.shards = 2;
    expect_error(f, &plan, DUET_E_INPUT, 2 + ROWS, "none of shard 1/2");
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
        expect_error(f, &plan, DUET_E_INPUT, 2 + JOBS * ROWS, lines[i].part);
    }
    // A NUL, and a line that does not end.
    FILE *file = fopen(f->path, "w");
    fwrite(whole, 1, length, file);
    fwrite("1,\0plain\n", 1, 9, file);
    fclose(file);
    expect_error(f, &plan, DUET_E_INPUT, 2 + JOBS * ROWS, "expected a row");
    file = fopen(f->path, "w");
    for (int i = 0; i < 5000; i++) {
        fputc('x', file);
    }
    fclose(file);
    expect_error(f, &plan, DUET_E_INPUT, 1, "belongs to another sweep");
    write_file(f->path, "job,other\n", 10);
    expect_error(f, &plan, DUET_E_INPUT, 1, "expected the columns job,name,family,number");
}

// What has no newline at its end is cut off only where it is a line of this sweep.
static void test_foreign_tail(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    static char text[MOST];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    size_t length = read_file(f->path, whole);
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
        write_file(f->path, firsts[i].text, size);
        expect_error(f, &plan, DUET_E_INPUT, 1, "expected the columns job,name,family,number");
        assert_int_equal(read_file(f->path, text), size);
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
        write_file(f->path, text, length + size);
        expect_error(f, &plan, DUET_E_INPUT, 2 + JOBS * ROWS, "the file belongs to another sweep");
        assert_int_equal(read_file(f->path, text), length + size);
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
        write_file(f->path, text, length + size);
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_int_equal(summary.resumed, JOBS);
        assert_true(summary.digest == digest);
        assert_int_equal(read_file(f->path, text), length);
        assert_string_equal(text, whole);
    }
    // A job of another shard is none of ours, however it ends.
    plan.shard = 2;
    plan.shards = 2;
    size_t head = strcspn(whole, "\n") + 1;
    memcpy(text, whole, head);
    snprintf(text + head, sizeof text - head, "2,pl");
    write_file(f->path, text, head + 4);
    expect_error(f, &plan, DUET_E_INPUT, 2, "none of shard 2/2");
}

// Rows of other settings are not gone on with, and settings do not change the digest.
static void test_settings(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    static char text[MOST];
    f->settings = "--rounds 1";
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    size_t length = read_file(f->path, whole);
    plan.resume = true;
    static const char *const others[] = {"--rounds 2", "", NULL, "--rounds 1 "};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        f->settings = others[i];
        expect_error(f, &plan, DUET_E_INPUT, 2, "made with other settings than");
        assert_int_equal(read_file(f->path, text), length);
        assert_string_equal(text, whole);
        duet_sweep_plan plain = {.threads = 1};
        assert_true(sweep_well(f, &plain).digest == digest);
    }
    f->settings = "--rounds 1";
    assert_int_equal(sweep_well(f, &plan).resumed, JOBS);
    // Nor mixed by hand: a row in the middle.
    char *last = whole + length - 2;
    *last = *last == '0' ? '1' : '0';
    write_file(f->path, whole, length);
    expect_error(f, &plan, DUET_E_INPUT, 1 + JOBS * ROWS, "other settings than --rounds 1, Duet");
}

// A named pipe: its reader going away is an error, not a wait without end.
static void test_pipe(void **state)
{
    fixture *f = *state;
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
    expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");
    sigaction(SIGPIPE, &before, NULL);
    assert_int_equal(f->runs[4], 0);
}

static void test_errors(void **state)
{
    fixture *f = *state;
    static char text[MOST];
    duet_sweep_plan plan = {.threads = 2, .csv = f->path};
    duet_sweep_summary summary;
    duet_error error;
    uint64_t digest = 0;
    {
        duet_sweep_plan plain = {.threads = 1};
        digest = sweep_well(f, &plain).digest;
    }
    // What fails ends the sweep, and it can be resumed.
    f->fail_at = 20;
    expect_error(f, &plan, DUET_E_LIMIT, 0, "job 20 fails");
    f->fail_at = JOBS;
    plan.resume = true;
    assert_true(sweep_well(f, &plan).digest == digest);
    read_file(f->path, text);
    assert_whole(f, text, 1);

    // Places that cannot be written.
    plan = (duet_sweep_plan){.threads = 1, .csv = "/nonexistent/x.csv"};
    expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");
    plan.csv = "/dev/full";
    expect_error(f, &plan, DUET_E_OUTPUT, 0, "cannot write");

    // One process at a time.
    int other = open(f->path, O_RDWR);
    assert_int_equal(flock(other, LOCK_EX), 0);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    expect_error(f, &plan, DUET_E_OUTPUT, 0, "another process");
    close(other);
    assert_int_equal(sweep(f, &plan, &summary, &error), DUET_OK);
}

static void test_cancel(void **state)
{
    fixture *f = *state;
    static char text[MOST];
    f->cancel = duet_cancel_create();
    f->cancel_at = 7;
    duet_sweep_plan plan = {.threads = 1, .csv = f->path, .cancel = f->cancel};
    duet_sweep_summary summary = sweep_well(f, &plan);
    assert_true(summary.interrupted);
    assert_int_equal(summary.finished, 7); // the one in flight is dropped
    assert_int_equal(f->runs[8], 0);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    f->cancel_at = JOBS;
    summary = sweep_well(f, &plan);
    assert_false(summary.interrupted);
    assert_int_equal(summary.resumed, 7);
    assert_int_equal(f->runs[7], 2);
    assert_int_equal(f->runs[6], 1);
    read_file(f->path, text);
    assert_whole(f, text, 1);
}

// A sweep that keeps what was done of a job when it was cut short.
static void test_cut_job(void **state)
{
    fixture *f = *state;
    static char text[MOST];
    duet_sweep_plan plan = {.threads = 1};
    uint64_t digest = sweep_well(f, &plan).digest;
    forget(f);
    f->cuts = true;
    f->cancel = duet_cancel_create();
    f->cancel_at = 7;
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .cancel = f->cancel};
    duet_sweep_summary summary = sweep_well(f, &plan);
    assert_true(summary.interrupted);
    assert_int_equal(summary.finished, 7);
    assert_int_equal(f->taken[7], 1);
    read_file(f->path, text);
    assert_int_equal(count_lines(text, "", 0), 1 + 7 * ROWS + ROWS - 1);
    forget(f);
    plan = (duet_sweep_plan){.threads = 1, .csv = f->path, .resume = true};
    f->cancel_at = JOBS;
    summary = sweep_well(f, &plan);
    assert_true(summary.digest == digest);
    assert_int_equal(summary.resumed, 7);
    assert_int_equal(f->runs[7], 1);
    assert_taken_once(f);
    read_file(f->path, text);
    assert_whole(f, text, 1);
}

// What is refused of rows that are known by their keys.
static void test_bare_rows(void **state)
{
    fixture *f = *state;
    static char whole[MOST];
    static char text[MOST];
    duet_sweep_plan plan = {.threads = 1, .csv = f->path};
    uint64_t digest = sweep_well(f, &plan).digest;
    size_t length = read_file(f->path, whole);
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
        write_file(f->path, text, length + (size_t)size);
        expect_error(f, &plan, DUET_E_INPUT, 2 + JOBS * ROWS, lines[i].part);
    }
    static const char *const tails[] = {"my notes", "0", "plain,two", "plain,one,411",
                                        "plain,one,0 "};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        memcpy(text, whole, length);
        memcpy(text + length, tails[i], strlen(tails[i]));
        write_file(f->path, text, length + strlen(tails[i]));
        expect_error(f, &plan, DUET_E_INPUT, 2 + JOBS * ROWS, "the file belongs to another sweep");
        assert_int_equal(read_file(f->path, text), length + strlen(tails[i]));
    }
    static const char *const cuts[] = {"p", "plain", "plain,one,4", "plain,one,40,what", "name,fa"};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        memcpy(text, whole, length);
        memcpy(text + length, cuts[i], strlen(cuts[i]));
        write_file(f->path, text, length + strlen(cuts[i]));
        duet_sweep_summary summary = sweep_well(f, &plan);
        assert_int_equal(summary.resumed, JOBS);
        assert_true(summary.digest == digest);
        assert_int_equal(read_file(f->path, text), length);
    }
    // The beginning of a row of another shard is none of ours.
    plan.shard = plan.shards = 2;
    size_t head = strcspn(whole, "\n") + 1;
    memcpy(text, whole, head);
    memcpy(text + head, "plain,one,20,", 13);
    write_file(f->path, text, head + 13);
    expect_error(f, &plan, DUET_E_INPUT, 2, "the file belongs to another sweep");
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
    duet_sweep sweep = {.columns = columns};
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
    sweep.columns = &columns[1]; // one column less
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
        cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_torn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_torn_job, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scattered, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shards, setup, teardown),
        cmocka_unit_test_setup_teardown(test_foreign, setup, teardown),
        cmocka_unit_test_setup_teardown(test_foreign_tail, setup, teardown),
        cmocka_unit_test_setup_teardown(test_settings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pipe, setup, teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cancel, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_job, setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads, setup_bare, teardown),
        cmocka_unit_test_setup_teardown(test_torn, setup_bare, teardown),
        cmocka_unit_test_setup_teardown(test_scattered, setup_bare, teardown),
        cmocka_unit_test_setup_teardown(test_shards, setup_bare, teardown),
        cmocka_unit_test_setup_teardown(test_cut_job, setup_bare, teardown),
        cmocka_unit_test_setup_teardown(test_bare_rows, setup_bare, teardown),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
