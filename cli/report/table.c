// SPDX-License-Identifier: Apache-2.0
// Tables of results, as `duet compare --csv` and `duet bench ... --csv` write them, read for a
// report.
#include "cli/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/print.h"
#include "console/texts.h"
#include "core/system/try.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/own_files.h"

// What a column means. Where a table has several of one meaning, the name listed first counts.
typedef enum meaning {
    ALGORITHM,
    OPTIONS,
    SET,
    FILE_NAME,
    INSTANCE,
    SIZE,
    FAMILY,
    TASKS,
    CPUS,
    GPUS,
    PLATFORM,
    SEED,
    THREADS,
    HOW,
    STATUS,
    REASON,
    MAKESPAN,
    BOUND,
    OPTIMUM,
    REFERENCE,
    REFERENCE_KIND,
    RATIO,
    PROVEN,
    RESPECTED,
    SECONDS,
    CELLS,
    BYTES,
    MEANINGS
} meaning;

static const struct {
    const char *name;
    meaning means;
} known_columns[] = {
    {"algorithm", ALGORITHM},
    {"form", ALGORITHM},
    {"options", OPTIONS},
    {"set", SET},
    {"instance", INSTANCE},
    {"file", FILE_NAME},
    {"size", SIZE},
    {"family", FAMILY},
    {"name", FAMILY},
    {"n", TASKS},
    {"tasks", TASKS},
    {"m", CPUS},
    {"k", GPUS},
    {"platform", PLATFORM},
    {"seed", SEED},
    {"threads", THREADS},
    {"how", HOW},
    {"status", STATUS},
    {"reason", REASON},
    {"note", REASON},
    {"makespan", MAKESPAN},
    {"best_bound", BOUND},
    {"lower_bound", BOUND},
    {"bound", BOUND},
    {"optimum", OPTIMUM},
    {"reference", REFERENCE},
    {"reference_kind", REFERENCE_KIND},
    {"ratio", RATIO},
    {"proven", PROVEN},
    {"guarantee", PROVEN},
    {"respected", RESPECTED},
    {"seconds", SECONDS},
    {"cells", CELLS},
    {"bytes", BYTES},
};
enum { KNOWN_COLUMNS = sizeof known_columns / sizeof known_columns[0] };
enum { MAX_COLUMNS = 256 };

typedef struct table {
    duet_csv csv;
    const char *path;
    duet_error *error;
    size_t columns;
    int column[MEANINGS]; // -1: none
    int rank[MEANINGS];   // of the name that has it, in known_columns
    duet_cli_run_names names;
} table;

static duet_code fail(const table *in, size_t column, const char *expected)
{
    const duet_csv_field *field = &in->csv.fields[column];
    return duet_error_set_at(in->error, DUET_E_INPUT, in->csv.input->name, field->line,
                             field->column, "\"%.40s\": expected %s",
                             duet_csv_text(&in->csv, column), expected);
}

// The text of a meaning, "" where the table has no such column.
static const char *text_of(const table *in, meaning which)
{
    return in->column[which] < 0 ? "" : duet_csv_text(&in->csv, (size_t)in->column[which]);
}

static duet_code take_name(table *in, size_t column)
{
    const char *name = duet_csv_text(&in->csv, column);
    for (size_t i = 0; i < column; i++) {
        if (strcmp(duet_csv_text(&in->csv, i), name) == 0) {
            return fail(in, column, "each column once");
        }
    }
    for (int i = 0; i < KNOWN_COLUMNS; i++) {
        meaning means = known_columns[i].means;
        if (strcmp(known_columns[i].name, name) == 0 &&
            (in->column[means] < 0 || i < in->rank[means])) {
            in->column[means] = (int)column;
            in->rank[means] = i;
        }
    }
    return DUET_OK;
}

static duet_code read_header(table *in)
{
    duet_csv_find_separator(&in->csv);
    duet_code code = duet_csv_next(&in->csv);
    in->columns = in->csv.count;
    for (int i = 0; i < MEANINGS; i++) {
        in->column[i] = -1;
    }
    for (size_t i = 0; i < in->columns && code == DUET_OK; i++) {
        code = take_name(in, i);
    }
    if (code == DUET_OK && in->column[RATIO] < 0 && in->column[MAKESPAN] < 0 &&
        in->column[SECONDS] < 0 && in->column[STATUS] < 0) {
        return duet_error_set_at(in->error, DUET_E_INPUT, in->csv.input->name,
                                 in->columns == 0 ? 1 : in->csv.line, 1,
                                 "expected a header with one of the columns ratio, makespan, "
                                 "seconds and status, as 'duet compare --csv' writes it");
    }
    return code;
}

// A finite number >= 0; NAN where the field is empty.
static duet_code take_number(const table *in, meaning which, double *value)
{
    const char *text = text_of(in, which);
    char *end = NULL;
    *value = NAN;
    if (text[0] == '\0') {
        return DUET_OK;
    }
    // strtod() would also take spaces, hexadecimal numbers, infinities and NaN.
    if (strspn(text, "0123456789.eE+-") == strlen(text)) {
        *value = strtod(text, &end);
    }
    if (end == NULL || *end != '\0' || !isfinite(*value) || *value < 0) {
        return fail(in, (size_t)in->column[which], "a number of at least 0, or nothing");
    }
    return DUET_OK;
}

static duet_code take_whole(const table *in, meaning which, int64_t *value)
{
    const char *text = text_of(in, which);
    duet_decimal number;
    *value = -1;
    if (text[0] == '\0') {
        return DUET_OK;
    }
    if (duet_decimal_parse(text, strlen(text), &number) != DUET_DECIMAL_OK || number.places != 0) {
        return fail(in, (size_t)in->column[which], "a whole number of at least 0, or nothing");
    }
    *value = number.mantissa;
    return DUET_OK;
}

static duet_code take_time(const table *in, meaning which, duet_decimal *value)
{
    const char *text = text_of(in, which);
    *value = DUET_NO_TIME;
    if (text[0] == '\0') {
        return DUET_OK;
    }
    duet_decimal_fault fault = duet_decimal_parse(text, strlen(text), value);
    if (fault != DUET_DECIMAL_OK) {
        return fail(in, (size_t)in->column[which], duet_decimal_expected(fault));
    }
    return DUET_OK;
}

// "4/3" and "(1+sqrt(5))/2" count as numbers.
static duet_code take_proven(const table *in, double *value)
{
    const char *text = text_of(in, PROVEN);
    *value = text[0] == '\0' ? NAN : duet_cli_ratio_value(text);
    if (*value < 0) {
        return fail(in, (size_t)in->column[PROVEN], "a ratio such as 1.5, 4/3 or (1+sqrt(5))/2");
    }
    return DUET_OK;
}

// The number of a word in a list that ends in NULL; 0 where the field is empty.
static duet_code take_word(const table *in, meaning which, const char *const *words,
                           const char *expected, int *number)
{
    const char *text = text_of(in, which);
    *number = 0;
    if (text[0] == '\0') {
        return DUET_OK;
    }
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            *number = i + 1;
            return DUET_OK;
        }
    }
    return fail(in, (size_t)in->column[which], expected);
}

static duet_code take_words(const table *in, duet_result *result)
{
    static const char *const states[] = {"optimal",
                                         "bounded",
                                         "feasible",
                                         "stopped",
                                         "time limit reached",
                                         "limit reached",
                                         "interrupted",
                                         "failed",
                                         "fault",
                                         "skipped",
                                         NULL};
    static const duet_run_status meant[] = {DUET_RUN_UNSAID, DUET_RUN_OPTIMAL, DUET_RUN_OPEN,
                                            DUET_RUN_OPEN,   DUET_RUN_OPEN,    DUET_RUN_OPEN,
                                            DUET_RUN_OPEN,   DUET_RUN_OPEN,    DUET_RUN_FAILED,
                                            DUET_RUN_FAILED, DUET_RUN_SKIPPED};
    static const char *const kinds[] = {"bound", "optimum", NULL};
    static const char *const verdicts[] = {"yes", "no", NULL};
    int word = 0;
    duet_code code = take_word(in, STATUS, states,
                               "optimal, bounded, feasible, time limit reached, limit reached, "
                               "interrupted, stopped, failed, fault or skipped",
                               &word);
    result->status = meant[word];
    if (code == DUET_OK) {
        code = take_word(in, REFERENCE_KIND, kinds, "optimum or bound", &word);
        result->reference = (duet_reference)word;
    }
    if (code == DUET_OK) {
        code = take_word(in, RESPECTED, verdicts, "yes or no", &word);
        result->respected = (duet_result_verdict)word;
    }
    return code;
}

// A reference is the optimum or a bound, as the row says.
static duet_code take_times(const table *in, duet_result *result)
{
    duet_decimal reference = DUET_NO_TIME;
    DUET_TRY(take_time(in, MAKESPAN, &result->makespan));
    DUET_TRY(take_time(in, BOUND, &result->bound));
    DUET_TRY(take_time(in, OPTIMUM, &result->optimum));
    DUET_TRY(take_time(in, REFERENCE, &reference));
    if (reference.mantissa >= 0) {
        *(result->reference == DUET_REFERENCE_OPTIMUM ? &result->optimum : &result->bound) =
            reference;
    }
    return DUET_OK;
}

static duet_code take_numbers(const table *in, duet_result *result)
{
    DUET_TRY(take_whole(in, TASKS, &result->n));
    DUET_TRY(take_whole(in, CPUS, &result->m));
    DUET_TRY(take_whole(in, GPUS, &result->k));
    DUET_TRY(take_number(in, RATIO, &result->ratio));
    DUET_TRY(take_proven(in, &result->proven));
    DUET_TRY(take_number(in, SECONDS, &result->seconds));
    DUET_TRY(take_number(in, CELLS, &result->cells));
    return take_number(in, BYTES, &result->bytes);
}

static duet_code take_names(table *in, duet_names *types, duet_result *result)
{
    duet_cli_run_columns columns = {.algorithm = text_of(in, ALGORITHM),
                                    .options = text_of(in, OPTIONS),
                                    .threads = text_of(in, THREADS),
                                    .how = text_of(in, HOW),
                                    .file = text_of(in, FILE_NAME),
                                    .instance = text_of(in, INSTANCE),
                                    .family = text_of(in, FAMILY),
                                    .size = text_of(in, SIZE),
                                    .tasks = text_of(in, TASKS),
                                    .seed = text_of(in, SEED),
                                    .platform = text_of(in, PLATFORM),
                                    .cpus = result->m,
                                    .gpus = result->k};
    result->set = text_of(in, SET);
    result->family = columns.family;
    result->reason = text_of(in, REASON);
    duet_code code = duet_cli_name_run(&columns, types, &in->names, in->error);
    result->series = in->names.series.chars;
    result->platform = in->names.platform.chars;
    result->instance = in->names.instance.chars;
    result->labels = in->names.labels;
    for (size_t i = 0; i < in->names.labels; i++) {
        result->label[i] = in->names.label[i].chars;
    }
    return code;
}

static duet_code take_run(table *in, uint32_t file, duet_results *results)
{
    duet_result result = {.file = file};
    if (in->csv.count != in->columns) {
        return duet_error_set_at(in->error, DUET_E_INPUT, in->csv.input->name, in->csv.line, 0,
                                 "%zu fields; expected %zu, as in the header", in->csv.count,
                                 in->columns);
    }
    DUET_TRY(take_words(in, &result));
    DUET_TRY(take_times(in, &result));
    DUET_TRY(take_numbers(in, &result));
    DUET_TRY(take_names(in, &results->types, &result));
    return duet_results_add(results, &result, in->error);
}

static duet_code read_runs(table *in, duet_results *results)
{
    uint32_t file = 0;
    duet_code code = read_header(in);
    DUET_THEN(code, duet_results_source(results, in->path, &file, in->error));
    in->csv.cut = DUET_CSV_CUT_LEAVES;
    while (code == DUET_OK) {
        code = duet_csv_next(&in->csv);
        if (code != DUET_OK || in->csv.count == 0) {
            break;
        }
        code = take_run(in, file, results);
    }
    return code;
}

duet_code duet_cli_read_results(const char *path, bool quiet, duet_results *results,
                                duet_error *error)
{
    duet_input *input = NULL;
    DUET_TRY(duet_input_open(&input, path, error));
    table in = {.csv = duet_csv_over(input, MAX_COLUMNS, "at most 256 columns", error),
                .path = input->name,
                .error = error};
    duet_code code = duet_refuse_own(input, DUET_OWN_RESULTS, "a table of results", error);
    DUET_THEN(code, read_runs(&in, results));
    if (code == DUET_OK && in.csv.cut == DUET_CSV_CUT_LEFT && !quiet) {
        duet_cli_print(
            stderr,
            "duet: note: %s:%d: left out: the last line has no line break, so it may be cut\n",
            in.path, in.csv.line);
    }
    duet_cli_run_names_free(&in.names);
    duet_csv_free(&in.csv);
    duet_input_close(input);
    return code;
}
