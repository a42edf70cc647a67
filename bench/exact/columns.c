// SPDX-License-Identifier: Apache-2.0
// A run of `duet bench exact` as a row: the columns of its CSV file, which are the members of the
// JSON, too. Times of tasks are in ticks.
#include <string.h>

#include "bench/exact/exact.h"

bool duet_exact_has_schedule(const duet_exact_row *row)
{
    return row->outcome == DUET_EXACT_OPEN || row->outcome == DUET_EXACT_PROVEN;
}

static bool has_schedule(const void *row)
{
    return duet_exact_has_schedule(row);
}

static double limit(const void *row)
{
    return ((const duet_exact_row *)row)->settings->seconds;
}

// As a fraction; negative where it is unknown.
static double gap(const void *row)
{
    duet_fraction found = duet_exact_gap(row);
    return !has_schedule(row) || found.den == 0 ? -1.0 : (double)found.num / (double)found.den;
}

static const struct {
    const char *name;
    duet_exact_outcome outcome;
} statuses[] = {{"optimal", DUET_EXACT_PROVEN},
                {"bounded", DUET_EXACT_OPEN},
                {"failed", DUET_EXACT_FAILED},
                {"fault", DUET_EXACT_FAILED}}; // with or without a schedule
enum { STATUSES = sizeof statuses / sizeof *statuses, FAULT = STATUSES - 1 };

static void write_status(const void *row, char text[DUET_COLUMN_ROOM])
{
    const duet_exact_row *r = row;
    size_t i = 0;
    while (i < FAULT && (r->faulty || statuses[i].outcome != r->outcome)) {
        i++;
    }
    snprintf(text, DUET_COLUMN_ROOM, "%s", statuses[i].name);
}

static bool read_status(void *row, const char *text)
{
    duet_exact_row *r = row;
    size_t i = 0;
    while (i < STATUSES && strcmp(statuses[i].name, text) != 0) {
        i++;
    }
    r->faulty = i == FAULT;
    r->outcome = i < STATUSES ? statuses[i].outcome : DUET_EXACT_NOT_RUN;
    return i < STATUSES;
}

#define AT(member) .offset = offsetof(duet_exact_row, member)
#define KEY .role = DUET_COLUMN_KEY
#define RESULT .role = DUET_COLUMN_RESULT
#define TEXT .type = DUET_COLUMN_TEXT
#define INTEGER .type = DUET_COLUMN_INTEGER
#define REAL .type = DUET_COLUMN_REAL
#define OWN .type = DUET_COLUMN_OWN
#define WORK DUET_COLUMN_WHERE(duet_exact_row, work, 0)
#define PROOF DUET_COLUMN_WHERE(duet_exact_row, proof_bytes, 0)

const duet_column duet_exact_columns[] = {
    {"set", KEY, TEXT, AT(set), .csv_only = true},
    {"name", KEY, TEXT, AT(origin.name)},
    {"size", KEY, INTEGER, AT(origin.size)},
    {"m", KEY, INTEGER, AT(m)},
    {"k", KEY, INTEGER, AT(k)},
    {"seed", KEY, .type = DUET_COLUMN_NUMBER, AT(origin.seed)},
    {"tasks", KEY, INTEGER, AT(tasks)},
    {"kinds", KEY, INTEGER, AT(kinds)},
    {"decimals", KEY, INTEGER, AT(decimals)},
    {"algorithm", KEY, TEXT, AT(algorithm)},
    {"threads", KEY, INTEGER, AT(threads), .csv_only = true},
    {"limit", KEY, REAL, .value = limit, .format = "%g", .csv_only = true},
    {"platform", KEY, DUET_CHARS_OF(duet_exact_row, platform)},
    {"instance", KEY, DUET_CHARS_OF(duet_exact_row, instance)},
    {"status", RESULT, OWN, .write = write_status, .read = read_status},
    {"makespan", RESULT, INTEGER, AT(makespan), .applies = has_schedule},
    {"bound", RESULT, INTEGER, AT(bound), .applies = has_schedule},
    {"bound_name", RESULT, DUET_CHARS_OF(duet_exact_row, bound_name)},
    {"gap", RESULT, REAL, .value = gap, .applies = has_schedule, .format = "%.3e", .places = 9},
    {"optimum", RESULT, INTEGER, AT(optimum), DUET_COLUMN_WHERE(duet_exact_row, optimum, 0)},
    {"seconds", .role = DUET_COLUMN_SECONDS, REAL, AT(seconds), .format = "%.6f", .places = 6},
    {"work", RESULT, INTEGER, AT(work), WORK},
    {"span", RESULT, INTEGER, AT(span), WORK},
    {"proof_bytes", RESULT, INTEGER, AT(proof_bytes), PROOF},
    {"proof_nodes", RESULT, INTEGER, AT(proof_nodes), PROOF},
    {"proof_seconds", .role = DUET_COLUMN_TIME, REAL, AT(proof_seconds), PROOF, .format = "%.6f",
     .places = 6},
    {"note", RESULT, DUET_CHARS_OF(duet_exact_row, note)},
    {.name = NULL}};
