// SPDX-License-Identifier: Apache-2.0
// Taking up the rows of an earlier sweep. Every row must be one that this sweep would write; a line
// that a kill left without its end is cut off, once it is known to be the beginning of such a row:
// whatever else the file is, it is not ours to cut.
//
// The rows of a job were appended at once, so they stand together: such a job is taken from the
// file. Where the file ends with some of a job's rows, a kill came between: they are cut off, too,
// since jobs that end earlier would come between them and the rest. Where somebody tore them apart,
// the job is run again, and only rows that are missing are appended. That takes a bit per row,
// however long the file is. A study without a column for the job's number takes 16 bytes per row
// more: the job of a row is found by a hash of its keys.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run/ledger.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Of a job's number that a file may have.
enum { MOST_DIGITS = 19 };

// A row, by its keys.
typedef struct row_of_keys {
    uint64_t hash;
    size_t row; // of all: job * rows_per_job + its number there
} row_of_keys;

typedef struct reader {
    duet_sweep_ledger *ledger;
    // Of the study without a column for the job's number; else NULL.
    row_of_keys *index; // by increasing hash, then row
    // The line that is being read.
    FILE *stream;
    int line;
    int64_t offset;
    char header[DUET_SWEEP_LINE];
    char text[DUET_SWEEP_LINE];
    // The job whose rows are being read.
    duet_sweep_row *rows;
    size_t job;    // SIZE_MAX: none yet
    size_t found;  // of its rows, one after another
    int64_t begun; // where they begin
} reader;

static duet_code foreign(const reader *in, duet_error *error, const char *format, ...)
    DUET_PRINTF(3, 4);
static duet_code foreign(const reader *in, duet_error *error, const char *format, ...)
{
    char why[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return duet_error_set_at(error, DUET_E_INPUT, in->ledger->file.path, in->line, 0,
                             "the file belongs to another sweep: %s", why);
}

static duet_code wrong_columns(const reader *in, duet_error *error)
{
    return foreign(in, error, "expected the columns %.*s", (int)strcspn(in->header, "\n"),
                   in->header);
}

static duet_code other_settings(const reader *in, duet_error *error)
{
    const char *settings = in->ledger->sweep->settings;
    return duet_error_set_at(
        error, DUET_E_INPUT, in->ledger->file.path, in->line, 0,
        "the file was made with other settings than %.200s%sDuet %s%s: "
        "expected %s in the last column",
        settings == NULL ? "" : settings, settings == NULL ? "" : ", ", duet_version(),
        strstr(duet_features(), "glpk") == NULL ? "" : " with GLPK", in->ledger->stamp);
}

static duet_code end_job(reader *in, duet_error *error)
{
    bool whole = in->job != SIZE_MAX && in->found == in->ledger->sweep->rows_per_job;
    return whole ? duet_sweep_ledger_take(in->ledger, in->job, in->rows, error) : DUET_OK;
}

static duet_code begin_job(reader *in, size_t job, duet_error *error)
{
    const duet_sweep *sweep = in->ledger->sweep;
    const duet_sweep_plan *plan = in->ledger->plan;
    duet_code code = end_job(in, error);
    in->job = job;
    in->found = 0;
    in->begun = in->offset;
    if (code != DUET_OK) {
        return code;
    }
    if (job >= sweep->jobs) {
        return foreign(in, error, "expected a job below %zu, got %zu", sweep->jobs, job);
    }
    if (plan->shards > 0 && job % plan->shards != plan->shard - 1) {
        return foreign(in, error, "job %zu is none of shard %llu/%llu", job,
                       (unsigned long long)plan->shard, (unsigned long long)plan->shards);
    }
    return sweep->describe(sweep->state, job, in->rows, error);
}

static int by_hash(const void *left, const void *right)
{
    const row_of_keys *a = left;
    const row_of_keys *b = right;
    int order = (a->hash > b->hash) - (a->hash < b->hash);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static duet_code make_index(reader *in, duet_error *error)
{
    const duet_sweep *sweep = in->ledger->sweep;
    size_t count = sweep->rows_per_job;
    duet_code code = DUET_OK;
    in->index = duet_alloc(sweep->jobs * count, sizeof *in->index, error);
    for (size_t job = 0; job < sweep->jobs && in->index != NULL && code == DUET_OK; job++) {
        code = sweep->describe(sweep->state, job, in->rows, error);
        for (size_t r = 0; r < count; r++) {
            in->index[job * count + r] =
                (row_of_keys){duet_sweep_hash(in->rows[r].keys), job * count + r};
        }
    }
    DUET_NEED(in->index);
    qsort(in->index, sweep->jobs * count, sizeof *in->index, by_hash);
    return code;
}

// The job that has a row with these keys; the number of jobs if none has. Where choices of a study
// were given twice, several have it: the first whose row has not been read.
static size_t find_job(const reader *in, const char *keys)
{
    const duet_sweep_ledger *ledger = in->ledger;
    size_t count = ledger->sweep->rows_per_job;
    size_t rows = ledger->sweep->jobs * count;
    uint64_t hash = duet_sweep_hash(keys);
    size_t low = 0;
    size_t high = rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (in->index[middle].hash < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t found = low;
    while (found < rows && in->index[found].hash == hash &&
           duet_sweep_bit(ledger->have, in->index[found].row)) {
        found++;
    }
    found = found < rows && in->index[found].hash == hash ? found : low;
    bool there = found < rows && in->index[found].hash == hash;
    return there ? in->index[found].row / count : ledger->sweep->jobs;
}

static duet_code take_row(reader *in, size_t job, const duet_sweep_row *row, duet_error *error)
{
    duet_sweep_ledger *ledger = in->ledger;
    size_t count = ledger->sweep->rows_per_job;
    DUET_TRY(job == in->job ? DUET_OK : begin_job(in, job, error));
    size_t r = 0;
    while (r < count && strcmp(in->rows[r].keys, row->keys) != 0) {
        r++;
    }
    if (r == count) {
        return foreign(in, error, "expected a run of job %zu such as %.140s; got %.140s", job,
                       in->rows[0].keys, row->keys);
    }
    size_t bit = job * count + r;
    if (duet_sweep_bit(ledger->have, bit)) {
        return duet_error_set_at(error, DUET_E_INPUT, ledger->file.path, in->line, 0,
                                 "the row of job %zu for %.200s is there twice: remove one", job,
                                 row->keys);
    }
    duet_sweep_set_bit(ledger->have, bit, true);
    in->rows[r] = *row;
    in->found++;
    return DUET_OK;
}

// No job has a row with these keys.
static duet_code no_such_row(reader *in, const char *keys, duet_error *error)
{
    const duet_sweep *sweep = in->ledger->sweep;
    duet_code code = sweep->jobs == 0 ? DUET_OK : sweep->describe(sweep->state, 0, in->rows, error);
    return code != DUET_OK
               ? code
               : foreign(in, error, "expected one of its runs, such as %.140s; got %.140s",
                         in->rows[0].keys, keys);
}

static duet_code take_line(reader *in, duet_error *error)
{
    duet_sweep_row row;
    char stamp[DUET_SWEEP_STAMP];
    size_t job = 0;
    if (strcmp(in->text, in->header) == 0) {
        return DUET_OK; // again where files were put together
    }
    if (in->line == 1) {
        return wrong_columns(in, error);
    }
    if (!duet_sweep_parse_row(in->ledger->sweep, in->text, &job, &row, stamp)) {
        return foreign(in, error, "expected a row with the columns of the first line");
    }
    if (in->index != NULL) {
        job = find_job(in, row.keys);
        if (job == in->ledger->sweep->jobs) {
            return no_such_row(in, row.keys, error);
        }
    }
    duet_code code = take_row(in, job, &row, error);
    return code == DUET_OK && strcmp(stamp, in->ledger->stamp) != 0 ? other_settings(in, error)
                                                                    : code;
}

// Whether `text`, without a newline, begins as one of the job's rows, from their keys on.
static bool begins_as_row(const reader *in, const char *text)
{
    size_t length = strlen(text);
    for (size_t r = 0; r < in->ledger->sweep->rows_per_job; r++) {
        const char *keys = in->rows[r].keys;
        size_t whole = strlen(keys);
        if (strncmp(keys, text, duet_min(length, whole)) == 0 &&
            (length <= whole || text[whole] == ',')) {
            return true;
        }
    }
    return false;
}

// Whether a text without a newline begins as a row of some job of the shard does.
static bool begins_as_any_row(reader *in, duet_error *error)
{
    const duet_sweep *sweep = in->ledger->sweep;
    bool begins = false;
    for (size_t i = 0; i < in->ledger->share && !begins; i++) {
        size_t job = duet_sweep_job(in->ledger->plan, i);
        begins = sweep->describe(sweep->state, job, in->rows, error) == DUET_OK &&
                 begins_as_row(in, in->text);
    }
    return begins;
}

// The same where the text begins with the job's number.
static duet_code check_torn_job(reader *in, const char *why, duet_error *error)
{
    size_t digits = strspn(in->text, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS || (in->text[0] == '0' && digits > 1) ||
        (in->text[digits] != '\0' && in->text[digits] != ',')) {
        return foreign(in, error, "%s", why);
    }
    size_t job = (size_t)strtoull(in->text, NULL, 10);
    if (job < in->ledger->sweep->jobs && in->text[digits] == '\0') {
        return DUET_OK; // perhaps not all of the number
    }
    DUET_TRY(begin_job(in, job, error));
    if (!begins_as_row(in, in->text + digits + 1)) {
        return foreign(in, error, "%s", why);
    }
    return DUET_OK;
}

// What stands after the last newline: DUET_OK where it is what a cut left of a line of this sweep.
// The rows of the job before it have been taken.
static duet_code check_torn(reader *in, duet_error *error)
{
    static const char why[] = "expected the beginning of one of its rows after the last newline";
    size_t length = strlen(in->text);
    bool text = in->ledger->file.size - in->offset == (int64_t)length; // a NUL is no part of a line
    if (text && strncmp(in->header, in->text, length) == 0) {
        return DUET_OK;
    }
    if (in->line == 1) {
        return wrong_columns(in, error);
    }
    duet_code code = DUET_OK;
    if (!text) {
        code = foreign(in, error, "%s", why);
    } else if (in->index == NULL) {
        code = check_torn_job(in, why, error);
    } else if (!begins_as_any_row(in, error)) {
        code = foreign(in, error, "%s", why);
    }
    in->job = SIZE_MAX;
    return code;
}

// Reads a line; false at the end of what is whole.
static bool next_line(reader *in, bool *torn, duet_code *code, duet_error *error)
{
    // A NUL is no part of a row: without it in the way, the length is that of the text.
    *torn = false;
    if (fgets(in->text, sizeof in->text, in->stream) == NULL) {
        return false;
    }
    size_t length = strlen(in->text);
    in->line++;
    if (length > 0 && in->text[length - 1] == '\n') {
        return true;
    }
    *torn = feof(in->stream) != 0;
    if (!*torn) {
        *code = foreign(in, error, "expected a row with the columns of the first line");
    }
    return false;
}

// Where the file goes on: behind its last line, but not behind some of the rows of a job that has
// none elsewhere.
static int64_t end_of_jobs(const reader *in)
{
    const duet_sweep_ledger *ledger = in->ledger;
    size_t count = ledger->sweep->rows_per_job;
    size_t rows = 0;
    for (size_t r = 0; r < count && in->job != SIZE_MAX; r++) {
        rows += duet_sweep_bit(ledger->have, in->job * count + r);
    }
    return in->found < count && in->found == rows && rows > 0 ? in->begun : in->offset;
}

static void forget_rows(const duet_sweep_ledger *ledger, size_t job)
{
    size_t count = ledger->sweep->rows_per_job;
    for (size_t bit = job * count; bit < (job + 1) * count; bit++) {
        duet_sweep_set_bit(ledger->have, bit, false);
    }
}

static duet_code read_all(reader *in, duet_error *error)
{
    bool torn = false;
    duet_code code = DUET_OK;
    while (code == DUET_OK && next_line(in, &torn, &code, error)) {
        code = take_line(in, error);
        in->offset += (int64_t)strlen(in->text);
    }
    if (code == DUET_OK && ferror(in->stream)) {
        code = duet_error_set_at(error, DUET_E_INPUT, in->ledger->file.path, 0, 0, "cannot read");
    }
    int64_t end = code == DUET_OK ? end_of_jobs(in) : in->offset;
    size_t last = in->job;
    if (code == DUET_OK) {
        code = end_job(in, error);
        in->job = SIZE_MAX;
    }
    if (code == DUET_OK && torn) {
        code = check_torn(in, error);
    }
    if (code == DUET_OK && end < in->offset) {
        forget_rows(in->ledger, last);
    }
    return code == DUET_OK && end < in->ledger->file.size
               ? duet_sweep_file_cut(&in->ledger->file, end, error)
               : code;
}

duet_code duet_sweep_resume(duet_sweep_ledger *ledger, duet_error *error)
{
    const duet_sweep *sweep = ledger->sweep;
    reader in = {.ledger = ledger, .job = SIZE_MAX};
    duet_sweep_format_header(sweep, in.header);
    in.rows = duet_alloc(sweep->rows_per_job, sizeof *in.rows, error);
    in.stream = in.rows == NULL ? NULL : duet_sweep_file_read(&ledger->file, error);
    duet_code code = in.rows == NULL ? DUET_E_MEMORY : DUET_E_INPUT;
    if (in.stream != NULL) {
        bool numbered = duet_columns_count(sweep->columns, DUET_COLUMN_JOB) > 0;
        code = numbered ? DUET_OK : make_index(&in, error);
        DUET_THEN(code, read_all(&in, error));
        fclose(in.stream);
    }
    duet_free(in.index);
    duet_free(in.rows);
    return code;
}
