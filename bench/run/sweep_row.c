// SPDX-License-Identifier: Apache-2.0
#include "bench/run/sweep_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a, a comma after each text.
static const uint64_t basis = UINT64_C(14695981039346656037);

static uint64_t mix(uint64_t hash, const char *text)
{
    static const uint64_t prime = UINT64_C(1099511628211);
    for (const char *at = text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * prime;
    }
    return (hash ^ ',') * prime;
}

uint64_t duet_sweep_hash(const char *text)
{
    return mix(basis, text);
}

uint64_t duet_sweep_row_digest(size_t job, const duet_sweep_row *row)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", job);
    return mix(mix(mix(basis, number), row->keys), row->results);
}

size_t duet_sweep_count_fields(const char *text)
{
    size_t count = 1;
    for (const char *at = duet_field_end(text); *at == ','; at = duet_field_end(at + 1)) {
        count++;
    }
    return count;
}

// Whether `text` has a field for every column of the role, and is one line.
static bool has_fields(const duet_sweep *sweep, duet_column_role role, const char *text)
{
    size_t count = duet_columns_count(sweep->columns, role);
    return strchr(text, '\n') == NULL &&
           (count == 0 ? text[0] == '\0' : duet_sweep_count_fields(text) == count);
}

duet_code duet_sweep_check_row(const duet_sweep *sweep, const duet_sweep_row *row,
                               duet_error *error)
{
    if (has_fields(sweep, DUET_COLUMN_KEY, row->keys) &&
        has_fields(sweep, DUET_COLUMN_RESULT, row->results) &&
        has_fields(sweep, DUET_COLUMN_TIME, row->times)) {
        return DUET_OK;
    }
    char names[DUET_SWEEP_LINE];
    duet_columns_header(sweep->columns, names, sizeof names);
    return duet_error_set(error, DUET_E_INTERNAL,
                          "a bug in Duet: the row '%.150s,%.150s' has not the columns %.120s",
                          row->keys, row->results, names);
}

void duet_sweep_stamp(const duet_sweep *sweep, char stamp[DUET_SWEEP_STAMP])
{
    bool glpk = strstr(duet_features(), "glpk") != NULL;
    uint64_t hash = mix(basis, sweep->settings == NULL ? "" : sweep->settings);
    hash = mix(mix(hash, duet_version()), glpk ? "glpk" : "");
    stamp[0] = '\0';
    if (duet_columns_count(sweep->columns, DUET_COLUMN_STAMP) > 0) {
        snprintf(stamp, DUET_SWEEP_STAMP, "%08" PRIx32, (uint32_t)(hash >> 32 ^ hash));
    }
}

size_t duet_sweep_format_header(const duet_sweep *sweep, char *line)
{
    size_t length = duet_columns_header(sweep->columns, line, DUET_SWEEP_LINE - 1);
    return length + (size_t)snprintf(line + length, 2, "\n");
}

// Appends the field at *from as it stands, and moves *from behind its comma.
static size_t move_field(const char **from, char *line)
{
    const char *end = duet_field_end(*from);
    size_t length = (size_t)(end - *from);
    memcpy(line, *from, length);
    *from = *end == ',' ? end + 1 : end;
    return length;
}

size_t duet_sweep_format_row(const duet_sweep *sweep, size_t job, const duet_sweep_row *row,
                             char *line)
{
    // The parts of a row have room in DUET_SWEEP_LINE, and 64 bytes are left for job, seconds and
    // stamp. No clock shows a trillion seconds, and a number of any length would not fit.
    double seconds = row->seconds >= 0 && row->seconds < 1e12 ? row->seconds : 0;
    const char *keys = row->keys;
    const char *results = row->results;
    const char *times = row->times;
    char *at = line;
    for (const duet_column *c = sweep->columns; c->name != NULL; c++) {
        switch (c->role) {
        case DUET_COLUMN_KEY:
            at += move_field(&keys, at);
            break;
        case DUET_COLUMN_RESULT:
            at += move_field(&results, at);
            break;
        case DUET_COLUMN_TIME:
            at += move_field(&times, at);
            break;
        case DUET_COLUMN_JOB:
            at += sprintf(at, "%zu", job);
            break;
        case DUET_COLUMN_SECONDS:
            at += sprintf(at, c->format, seconds);
            break;
        case DUET_COLUMN_STAMP:
            duet_sweep_stamp(sweep, at);
            at += strlen(at);
        }
        *at++ = c[1].name == NULL ? '\n' : ',';
    }
    *at = '\0';
    return (size_t)(at - line);
}

// A number as duet_sweep_format_row() writes it: digits alone, none before the first that counts.
static bool parse_job(const char *text, const char *end, size_t *job)
{
    char *stop = NULL;
    char again[32];
    if (end - text >= (ptrdiff_t)sizeof again || *text < '0' || *text > '9') {
        return false;
    }
    *job = (size_t)strtoull(text, &stop, 10);
    return stop == end && snprintf(again, sizeof again, "%zu", *job) == end - text;
}

static bool parse_seconds(const char *text, const char *end, double *seconds)
{
    size_t length = strspn(text, "0123456789.");
    char *stop = NULL;
    *seconds = length > 0 ? strtod(text, &stop) : 0;
    return length > 0 && stop == text + length && stop == end;
}

static bool parse_stamp(const char *text, const char *end, char stamp[DUET_SWEEP_STAMP])
{
    size_t length = strspn(text, "0123456789abcdef");
    if (length != DUET_SWEEP_STAMP - 1 || text + length != end) {
        return false;
    }
    memcpy(stamp, text, length);
    stamp[length] = '\0';
    return true;
}

// Appends a field as it stands to a part of a row, after a comma unless it is the first.
static bool append(char *part, size_t size, bool first, const char *at, const char *end)
{
    size_t used = strlen(part);
    size_t length = (size_t)(end - at);
    if (used + length + 2 > size) {
        return false;
    }
    if (!first) {
        part[used++] = ',';
    }
    memcpy(part + used, at, length);
    part[used + length] = '\0';
    return true;
}

bool duet_sweep_parse_row(const duet_sweep *sweep, const char *line, size_t *job,
                          duet_sweep_row *row, char stamp[DUET_SWEEP_STAMP])
{
    bool begun[DUET_COLUMN_STAMP + 1] = {false};
    row->keys[0] = row->results[0] = row->times[0] = stamp[0] = '\0';
    row->seconds = 0;
    row->cut = false;
    *job = SIZE_MAX;
    for (const duet_column *c = sweep->columns; c->name != NULL; c++) {
        const char *end = duet_field_end(line);
        bool first = !begun[c->role];
        bool good = true;
        begun[c->role] = true;
        switch (c->role) {
        case DUET_COLUMN_KEY:
            good = append(row->keys, sizeof row->keys, first, line, end);
            break;
        case DUET_COLUMN_RESULT:
            good = append(row->results, sizeof row->results, first, line, end);
            break;
        case DUET_COLUMN_TIME:
            good = strspn(line, "0123456789.") == (size_t)(end - line) &&
                   append(row->times, sizeof row->times, first, line, end);
            break;
        case DUET_COLUMN_JOB:
            good = parse_job(line, end, job);
            break;
        case DUET_COLUMN_SECONDS:
            good = parse_seconds(line, end, &row->seconds);
            break;
        case DUET_COLUMN_STAMP:
            good = parse_stamp(line, end, stamp);
        }
        bool last = c[1].name == NULL;
        if (!good || (*end == ',') == last) {
            return false;
        }
        line = end + (*end == ',');
    }
    return true;
}
