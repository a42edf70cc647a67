// SPDX-License-Identifier: Apache-2.0
// Resuming a sweep: whatever stands in its file, it is taken up or refused. What is refused stays
// as it is, byte for byte. Of what is taken up only a torn line is cut off, and the rows of a job
// that a kill left without the others; the rest is as it was, can be gone on with to the end, and
// is whole then.
//
// The first bytes draw a sweep. The rest is the file, as it is, or with single bytes for what no
// mutation finds: the first line, the stamp, whole rows. Or it says where a file that is whole is
// cut: that must be taken up.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/run/ledger.h"
#include "tests/fuzz/fuzz.h"

enum { ROOM = 1 << 16, MOST_JOBS = 12, MOST_ROWS = 3, HEADER = 0x80, STAMP = 0x81, ROWS = 0x82 };

static const duet_column columns[] = {
    {.name = "job", .role = DUET_COLUMN_JOB},
    {.name = "name", .role = DUET_COLUMN_KEY},
    {.name = "number", .role = DUET_COLUMN_KEY},
    {.name = "value", .role = DUET_COLUMN_RESULT},
    {.name = "note", .role = DUET_COLUMN_RESULT},
    {.name = "seconds", .role = DUET_COLUMN_SECONDS, .format = "%.9f"},
    {.name = "settings", .role = DUET_COLUMN_STAMP},
    {.name = NULL}};

typedef struct text {
    char bytes[ROOM];
    size_t length;
} text;

typedef struct fixture {
    duet_sweep sweep;
    duet_sweep_plan plan;
    char stamp[DUET_SWEEP_STAMP];
    int taken[MOST_JOBS]; // since the ledger was opened
    bool present[MOST_JOBS * MOST_ROWS];
    bool ours;    // all whole lines are as this sweep writes them, seconds and all
    size_t whole; // where the last line ends
    size_t end;   // the same, without some rows of a job that has no others
} fixture;

// One of the names needs quotes.
static duet_code describe(const void *state, size_t job, duet_sweep_row *rows, duet_error *error)
{
    const fixture *f = state;
    (void)error;
    for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
        snprintf(rows[r].keys, sizeof rows[r].keys, "%s,%zu", r == 1 ? "\"a \"\"b\"\", c\"" : "a",
                 10 * job + r);
    }
    return DUET_OK;
}

static void run(const fixture *f, size_t job, duet_sweep_row *rows)
{
    for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
        snprintf(rows[r].results, sizeof rows[r].results, "%zu,%s", job * job + r,
                 r == 2 ? "\"x, y\"" : "");
        rows[r].times[0] = '\0';
        rows[r].seconds = 0.25;
        rows[r].cut = false;
    }
}

static duet_code take(void *state, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    fixture *f = state;
    (void)rows;
    (void)error;
    fuzz_check(job < f->sweep.jobs && f->taken[job] == 0, "a job is taken once");
    f->taken[job]++;
    return DUET_OK;
}

static fixture draw_sweep(fuzz_input *input)
{
    static const char *const settings[] = {NULL, "", "--rounds 1", "a,b"};
    fixture f = {.plan = {.threads = 1, .resume = true, .quiet = true}};
    f.sweep = (duet_sweep){.columns = columns,
                           .settings = settings[fuzz_between(input, 0, 3)],
                           .jobs = (size_t)fuzz_between(input, 0, MOST_JOBS),
                           .rows_per_job = (size_t)fuzz_between(input, 1, MOST_ROWS),
                           .describe = describe,
                           .take = take};
    f.plan.shards = (uint64_t)fuzz_between(input, 0, 3);
    f.plan.shard = f.plan.shards == 0 ? 0 : (uint64_t)fuzz_between(input, 1, (int)f.plan.shards);
    duet_sweep_stamp(&f.sweep, f.stamp);
    return f;
}

static void add(text *file, const char *bytes, size_t length)
{
    length = length < ROOM - file->length ? length : ROOM - file->length;
    memcpy(file->bytes + file->length, bytes, length);
    file->length += length;
}

static size_t write_row(const fixture *f, size_t job, size_t row, char line[DUET_SWEEP_LINE])
{
    duet_sweep_row rows[MOST_ROWS];
    describe(f, job, rows, NULL);
    run(f, job, rows);
    return duet_sweep_format_row(&f->sweep, job, &rows[row], line);
}

static void expand(const fixture *f, fuzz_input *input, text *file)
{
    char line[DUET_SWEEP_LINE];
    for (; input->left > 0; input->at++, input->left--) {
        size_t byte = *input->at;
        if (byte == HEADER) {
            add(file, line, duet_sweep_format_header(&f->sweep, line));
        } else if (byte == STAMP) {
            add(file, f->stamp, strlen(f->stamp));
        } else if (byte >= ROWS) {
            size_t rows = f->sweep.rows_per_job;
            add(file, line, write_row(f, (byte - ROWS) / rows, (byte - ROWS) % rows, line));
        } else {
            add(file, (const char *)input->at, 1);
        }
    }
}

static void read_back(const char *path, text *file)
{
    int descriptor = open(path, O_RDONLY);
    ssize_t length = descriptor < 0 ? -1 : read(descriptor, file->bytes, ROOM);
    fuzz_check(length >= 0 && length < ROOM, "the file can be read");
    file->length = (size_t)length;
    close(descriptor);
}

static bool is_same(const text *a, const text *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

// The number of the row that a line begins as, over all jobs of the shard; SIZE_MAX: of none.
static size_t find_row(const fixture *f, const char *line, size_t length, bool *exact)
{
    duet_sweep_row rows[MOST_ROWS];
    for (size_t i = 0; i < duet_sweep_share(&f->sweep, &f->plan); i++) {
        size_t job = duet_sweep_job(&f->plan, i);
        describe(f, job, rows, NULL);
        for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
            char begin[DUET_SWEEP_LINE];
            char whole[DUET_SWEEP_LINE];
            size_t size = (size_t)snprintf(begin, sizeof begin, "%zu,%s,", job, rows[r].keys);
            if (length > size && memcmp(line, begin, size) == 0) {
                *exact = write_row(f, job, r, whole) == length && memcmp(line, whole, length) == 0;
                return job * f->sweep.rows_per_job + r;
            }
        }
    }
    return SIZE_MAX;
}

// Whether what stands after the last newline is the beginning of a line that this sweep could
// write.
static bool begins_line(const fixture *f, const text *file)
{
    char line[DUET_SWEEP_LINE];
    const char *tail = file->bytes + f->whole;
    size_t length = file->length - f->whole;
    bool begins =
        length <= duet_sweep_format_header(&f->sweep, line) && memcmp(tail, line, length) == 0;
    for (size_t i = 0; i < duet_sweep_share(&f->sweep, &f->plan) && f->whole > 0; i++) {
        for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
            begins = begins || (length <= write_row(f, duet_sweep_job(&f->plan, i), r, line) &&
                                memcmp(tail, line, length) == 0);
        }
    }
    return begins;
}

static bool is_stamped(const fixture *f, const char *line, size_t length)
{
    size_t tail = strlen(f->stamp) + 2; // with its comma and the newline
    return length > tail && line[length - tail] == ',' &&
           memcmp(line + length - tail + 1, f->stamp, tail - 2) == 0;
}

// Takes the last rows of a file away where they are some of a job that has no others.
static void leave_job(fixture *f, size_t job, size_t rows, size_t begin)
{
    size_t count = f->sweep.rows_per_job;
    size_t present = 0;
    for (size_t r = 0; r < count && job != SIZE_MAX; r++) {
        present += f->present[job * count + r];
    }
    f->end = f->whole;
    if (present < count && present == rows && rows > 0) {
        memset(&f->present[job * count], 0, count * sizeof f->present[0]);
        f->end = begin;
    }
}

// Goes through the whole lines: which rows are there, each once and stamped, after a header. False
// where the file is none of this sweep's.
static bool look(fixture *f, const text *file)
{
    char header[DUET_SWEEP_LINE];
    size_t head = duet_sweep_format_header(&f->sweep, header);
    bool good = true;
    size_t job = SIZE_MAX;
    size_t begin = 0;
    size_t rows = 0;
    size_t at = 0;
    memset(f->present, 0, sizeof f->present);
    f->ours = true;
    for (const char *end; (end = memchr(file->bytes + at, '\n', file->length - at)) != NULL;
         at = (size_t)(end + 1 - file->bytes)) {
        const char *line = file->bytes + at;
        size_t length = (size_t)(end + 1 - line);
        if (length == head && memcmp(line, header, head) == 0) {
            continue;
        }
        bool exact = false;
        size_t row = find_row(f, line, length, &exact);
        good = good && at > 0 && row != SIZE_MAX && !f->present[row] && is_stamped(f, line, length);
        f->ours = f->ours && good && exact;
        if (good) {
            begin = row / f->sweep.rows_per_job == job ? begin : at;
            rows = row / f->sweep.rows_per_job == job ? rows + 1 : 1;
            job = row / f->sweep.rows_per_job;
            f->present[row] = true;
        }
    }
    f->whole = at;
    leave_job(f, job, rows, begin);
    return good;
}

static duet_code open_ledger(fixture *f, duet_sweep_ledger *ledger, duet_sweep_summary *summary)
{
    duet_error error = DUET_ERROR_INIT;
    memset(f->taken, 0, sizeof f->taken);
    f->sweep.state = f;
    *summary = (duet_sweep_summary){.jobs = duet_sweep_share(&f->sweep, &f->plan)};
    duet_code code = duet_sweep_ledger_open(ledger, &f->sweep, &f->plan, summary, &error);
    fuzz_check_error(code, &error);
    return code;
}

static void close_ledger(duet_sweep_ledger *ledger)
{
    fuzz_check(duet_sweep_ledger_close(ledger, NULL) == DUET_OK, "the file can be closed");
}

// Does what is left, as one thread does.
static void finish(fixture *f, duet_sweep_ledger *ledger)
{
    duet_sweep_row rows[MOST_ROWS];
    duet_error error = DUET_ERROR_INIT;
    for (size_t i = 0; i < ledger->share; i++) {
        if (!duet_sweep_bit(ledger->done, i)) {
            size_t job = duet_sweep_job(&f->plan, i);
            describe(f, job, rows, NULL);
            run(f, job, rows);
            duet_code code = duet_sweep_ledger_enter(ledger, job, rows, &error);
            fuzz_check(code == DUET_OK, error.message);
        }
    }
    fuzz_check(ledger->summary->finished == ledger->share, "every job is finished");
}

// The digest of all rows as this sweep makes them.
static uint64_t digest(const fixture *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < duet_sweep_share(&f->sweep, &f->plan); i++) {
        duet_sweep_row rows[MOST_ROWS];
        size_t job = duet_sweep_job(&f->plan, i);
        describe(f, job, rows, NULL);
        run(f, job, rows);
        for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
            sum += duet_sweep_row_digest(job, &rows[r]);
        }
    }
    return sum;
}

// What the ledger knows is what the file has.
static void check_ledger(const fixture *f, const duet_sweep_ledger *ledger)
{
    size_t rows = f->sweep.rows_per_job;
    for (size_t i = 0; i < f->sweep.jobs * rows; i++) {
        fuzz_check(duet_sweep_bit(ledger->have, i) == f->present[i], "the rows that are there");
    }
    for (size_t i = 0; i < ledger->share; i++) {
        size_t job = duet_sweep_job(&f->plan, i);
        bool done = duet_sweep_bit(ledger->done, i);
        fuzz_check(done == (f->taken[job] > 0), "jobs that are done were taken");
        for (size_t r = 0; r < rows && done; r++) {
            fuzz_check(f->present[job * rows + r], "jobs that are done have their rows");
        }
    }
}

static void check_whole(const fixture *f)
{
    for (size_t i = 0; i < duet_sweep_share(&f->sweep, &f->plan); i++) {
        for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
            fuzz_check(f->present[duet_sweep_job(&f->plan, i) * f->sweep.rows_per_job + r],
                       "every row is there in the end");
        }
    }
}

// Taken up again when it is whole: nothing is written. Jobs whose rows lie apart are run again.
static void resume_whole(fixture *f, const text *file, bool together)
{
    static text after;
    duet_sweep_ledger ledger;
    duet_sweep_summary summary;
    fuzz_check(open_ledger(f, &ledger, &summary) == DUET_OK, "a file that is whole is refused");
    check_ledger(f, &ledger);
    fuzz_check(!together || summary.resumed == ledger.share, "nothing is left to do");
    finish(f, &ledger);
    fuzz_check(!f->ours || summary.digest == digest(f), "the digest of a file that is whole");
    close_ledger(&ledger);
    read_back(f->plan.csv, &after);
    fuzz_check(is_same(file, &after), "a file that is whole is not written to");
}

// Resumes the sweep from a file; false where it is refused.
static bool resume(fixture *f, const text *before, bool together)
{
    static text file;
    duet_sweep_ledger ledger;
    duet_sweep_summary summary;
    f->plan.csv = fuzz_file(0, (const uint8_t *)before->bytes, before->length);
    duet_code code = open_ledger(f, &ledger, &summary);
    fuzz_check(code == DUET_OK || code == DUET_E_INPUT, "taken up, or none of this sweep");
    bool good = look(f, before);
    read_back(f->plan.csv, &file);
    if (code != DUET_OK) {
        close_ledger(&ledger);
        fuzz_check(is_same(before, &file), "a file that is refused is changed");
        fuzz_check(!good || !f->ours || !begins_line(f, before), "a file of this sweep is refused");
        return false;
    }
    fuzz_check(good, "a file of another sweep is taken up");
    size_t kept = f->end;
    fuzz_check(file.length >= kept && memcmp(before->bytes, file.bytes, kept) == 0,
               "what is whole is kept");
    fuzz_check(f->whole == 0 || file.length == kept, "only what is torn is cut off");
    fuzz_check(ledger.file.size == (int64_t)file.length, "the size of the file");
    check_ledger(f, &ledger);
    finish(f, &ledger);
    fuzz_check(!f->ours || summary.digest == digest(f), "the digest of a file that was resumed");
    close_ledger(&ledger);
    read_back(f->plan.csv, &file);
    fuzz_check(memcmp(before->bytes, file.bytes, kept) == 0, "what was there is kept");
    good = look(f, &file);
    fuzz_check(good && f->end == file.length, "a file that is whole has rows alone");
    check_whole(f);
    resume_whole(f, &file, together);
    return true;
}

// A whole file, its jobs in another order, cut anywhere.
static void cut(fixture *f, fuzz_input *input, text *file)
{
    char line[DUET_SWEEP_LINE];
    size_t share = duet_sweep_share(&f->sweep, &f->plan);
    size_t turn = (size_t)fuzz_between(input, 0, MOST_JOBS);
    add(file, line, duet_sweep_format_header(&f->sweep, line));
    for (size_t i = 0; i < share; i++) {
        for (size_t r = 0; r < f->sweep.rows_per_job; r++) {
            size_t job = duet_sweep_job(&f->plan, (i + turn) % share);
            add(file, line, write_row(f, job, r, line));
        }
    }
    file->length = (size_t)fuzz_take(input, 2) % (file->length + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { AS_IT_IS, EXPANDED, CUT };
    static text file;
    fuzz_input input = {data, size};
    int64_t kind = fuzz_between(&input, AS_IT_IS, CUT);
    fixture f = draw_sweep(&input);
    file.length = 0;
    if (kind == CUT) {
        cut(&f, &input, &file);
    } else if (kind == EXPANDED) {
        expand(&f, &input, &file);
    } else {
        add(&file, (const char *)input.at, input.left);
    }
    if (file.length > ROOM / 2) {
        return 0; // room to go on
    }
    bool taken = resume(&f, &file, kind == CUT);
    fuzz_check(taken || kind != CUT, "a file that was cut is refused");
    return 0;
}
