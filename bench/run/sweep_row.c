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

uint64_t duet_sweep_row_digest(size_t job, const duet_sweep_row *row)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", job);
    return mix(mix(mix(basis, number), row->keys), row->results);
}

// The end of the field that begins at `at`: its comma, newline or NUL.
static const char *field_end(const char *at)
{
    bool quoted = *at == '"';
    for (at += quoted; quoted && *at != '\0'; at++) {
        if (*at == '"' && at[1] != '"') {
            quoted = false; // what follows goes up to the comma
        } else if (*at == '"') {
            at++;
        }
    }
    return at + strcspn(at, ",\n");
}

// The end of the `count`-th field from `at`; NULL where there are fewer.
static const char *fields_end(const char *at, size_t count)
{
    at = field_end(at);
    for (size_t i = 1; i < count; i++) {
        if (*at != ',') {
            return NULL;
        }
        at = field_end(at + 1);
    }
    return at;
}

size_t duet_sweep_count_fields(const char *text)
{
    size_t count = 1;
    for (const char *at = field_end(text); *at == ','; at = field_end(at + 1)) {
        count++;
    }
    return count;
}

duet_code duet_sweep_check_row(const duet_sweep *sweep, const duet_sweep_row *row,
                               duet_error *error)
{
    if (duet_sweep_count_fields(row->keys) == duet_sweep_count_fields(sweep->key_names) &&
        duet_sweep_count_fields(row->results) == duet_sweep_count_fields(sweep->result_names) &&
        strchr(row->keys, '\n') == NULL && strchr(row->results, '\n') == NULL) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INTERNAL,
                          "a bug in Duet: the row '%.150s,%.150s' has not the columns %.60s,%.60s",
                          row->keys, row->results, sweep->key_names, sweep->result_names);
}

void duet_sweep_stamp(const duet_sweep *sweep, char stamp[DUET_SWEEP_STAMP])
{
    bool glpk = strstr(duet_features(), "glpk") != NULL;
    uint64_t hash = mix(basis, sweep->settings == NULL ? "" : sweep->settings);
    hash = mix(mix(hash, duet_version()), glpk ? "glpk" : "");
    snprintf(stamp, DUET_SWEEP_STAMP, "%08" PRIx32, (uint32_t)(hash >> 32 ^ hash));
}

size_t duet_sweep_format_header(const duet_sweep *sweep, char *line)
{
    int length = snprintf(line, DUET_SWEEP_LINE, "job,%s,%s,seconds,settings\n", sweep->key_names,
                          sweep->result_names);
    return length > 0 ? (size_t)length : 0;
}

size_t duet_sweep_format_row(size_t job, const duet_sweep_row *row, const char *stamp, char *line)
{
    // No clock shows as much, and a number of any length would not fit.
    double seconds = row->seconds >= 0 && row->seconds < 1e12 ? row->seconds : 0;
    int length = snprintf(line, DUET_SWEEP_LINE, "%zu,%s,%s,%.9f,%s\n", job, row->keys,
                          row->results, seconds, stamp);
    return length > 0 ? (size_t)length : 0;
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

// Up to the comma after them.
static bool parse_seconds(const char *text, double *seconds)
{
    size_t length = strspn(text, "0123456789.");
    char *stop = NULL;
    *seconds = length > 0 ? strtod(text, &stop) : 0;
    return length > 0 && stop == text + length && *stop == ',';
}

static bool parse_stamp(const char *text, char stamp[DUET_SWEEP_STAMP])
{
    size_t length = strspn(text, "0123456789abcdef");
    if (length != DUET_SWEEP_STAMP - 1 ||
        (text[length] != '\0' && strcmp(text + length, "\n") != 0)) {
        return false;
    }
    memcpy(stamp, text, length);
    stamp[length] = '\0';
    return true;
}

static bool copy(char *to, size_t size, const char *from, const char *end)
{
    size_t length = (size_t)(end - from);
    if (length >= size) {
        return false;
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

bool duet_sweep_parse_row(const char *line, size_t key_fields, size_t result_fields, size_t *job,
                          duet_sweep_row *row, char stamp[DUET_SWEEP_STAMP])
{
    const char *job_end = field_end(line);
    if (*job_end != ',' || !parse_job(line, job_end, job)) {
        return false;
    }
    const char *keys_end = fields_end(job_end + 1, key_fields);
    if (keys_end == NULL || *keys_end != ',') {
        return false;
    }
    const char *results_end = fields_end(keys_end + 1, result_fields);
    return results_end != NULL && *results_end == ',' &&
           copy(row->keys, sizeof row->keys, job_end + 1, keys_end) &&
           copy(row->results, sizeof row->results, keys_end + 1, results_end) &&
           parse_seconds(results_end + 1, &row->seconds) &&
           parse_stamp(strchr(results_end + 1, ',') + 1, stamp);
}

void duet_sweep_add_field(duet_sweep_fields *fields, const char *field)
{
    bool quotes = strpbrk(field, ",\"") != NULL;
    // At worst a comma, two quotes, every character doubled, and a NUL.
    if (fields->failed || strpbrk(field, "\r\n") != NULL ||
        fields->used + 2 * strlen(field) + 4 > fields->size) {
        fields->failed = true;
        return;
    }
    char *at = fields->text + fields->used;
    if (fields->begun) {
        *at++ = ',';
    }
    if (quotes) {
        *at++ = '"';
    }
    for (; *field != '\0'; field++) {
        if (*field == '"') {
            *at++ = '"';
        }
        *at++ = *field;
    }
    if (quotes) {
        *at++ = '"';
    }
    *at = '\0';
    fields->used = (size_t)(at - fields->text);
    fields->begun = true;
}
