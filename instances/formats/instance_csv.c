// SPDX-License-Identifier: Apache-2.0
// Instances as CSV (RFC 4180): a header "id,TYPE,..." or "id,count,TYPE,...", then one kind a
// record. An empty time means that the kind cannot run there. The platform's counts are unknown.
#include <inttypes.h>
#include <string.h>

#include "instances/formats/csv.h"
#include "instances/formats/formats.h"

// An id, a count, one time per type; one more is read so that a surplus shows.
enum { MAX_FIELDS = DUET_MAX_TYPES + 3 };

// Checks the header and adds the types; `*first` is the column of the first type.
static duet_code read_header(duet_csv *csv, duet_builder *builder, size_t *first)
{
    static const char what[] = "expected the header id,cpu,gpu or id,count,cpu,gpu";
    duet_code code = duet_csv_next(csv);
    if (code != DUET_OK) {
        return code;
    }
    if (csv->count == 0 || strcmp(duet_csv_text(csv, 0), "id") != 0) {
        return duet_csv_fail(csv, 1, 1, what);
    }
    *first = csv->count > 1 && strcmp(duet_csv_text(csv, 1), "count") == 0 ? 2 : 1;
    if (csv->count == *first) {
        return duet_csv_fail(csv, csv->line, 0,
                             "the header names no processor type; expected id,cpu,gpu or "
                             "id,count,cpu,gpu");
    }
    for (size_t i = *first; i < csv->count && code == DUET_OK; i++) {
        if (*first == 1 && strcmp(duet_csv_text(csv, i), "count") == 0) {
            return duet_csv_fail(csv, csv->fields[i].line, csv->fields[i].column,
                                 "the column count stands behind a processor type; expected it "
                                 "right after id");
        }
        code = duet_builder_add_type(builder, duet_csv_text(csv, i), -1, csv->fields[i].line,
                                     csv->fields[i].column, csv->error);
    }
    return code;
}

static duet_code read_count(const duet_csv *csv, int64_t *count)
{
    const duet_csv_field *field = &csv->fields[1];
    duet_decimal number;
    if (duet_decimal_parse(duet_csv_text(csv, 1), field->length, &number) != DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa < 1) {
        return duet_error_set_at(
            csv->error, DUET_E_INPUT, csv->input->name, field->line, field->column,
            "count \"%.40s\": expected a whole number of at least 1", duet_csv_text(csv, 1));
    }
    *count = number.mantissa;
    return DUET_OK;
}

static duet_code read_kind(const duet_csv *csv, duet_builder *builder, size_t columns, size_t first)
{
    duet_read_time times[DUET_MAX_TYPES];
    int64_t count = 1;
    if (csv->count != columns) {
        return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->line, 0,
                                 "%zu fields; expected %zu, as in the header", csv->count, columns);
    }
    duet_code code = first == 2 ? read_count(csv, &count) : DUET_OK;
    for (size_t i = first; i < columns && code == DUET_OK; i++) {
        const duet_csv_field *field = &csv->fields[i];
        times[i - first] = (duet_read_time){field->length == 0, {0, 0}};
        if (field->length > 0) {
            code = duet_read_time_text(duet_csv_text(csv, i), field->length, csv->input->name,
                                       field->line, field->column, &times[i - first], csv->error);
        }
    }
    if (code != DUET_OK) {
        return code;
    }
    const duet_read_kind kind = {.id = duet_csv_text(csv, 0),
                                 .id_length = csv->fields[0].length,
                                 .count = count,
                                 .times = times,
                                 .time_count = columns - first,
                                 .line = csv->line,
                                 .column = 1};
    return duet_builder_add_kind(builder, &kind, csv->error);
}

duet_code duet_read_instance_csv(duet_input *input, duet_builder *builder, duet_error *error)
{
    duet_csv csv = duet_csv_over(input, MAX_FIELDS, "at most 64 processor types", error);
    size_t first = 1;
    duet_code code = read_header(&csv, builder, &first);
    size_t columns = csv.count;
    while (code == DUET_OK) {
        code = duet_csv_next(&csv);
        if (code != DUET_OK || csv.count == 0) {
            break;
        }
        code = read_kind(&csv, builder, columns, first);
    }
    duet_csv_free(&csv);
    return code;
}

static void write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 0 && strpbrk(text, ",\"\r\n\t") == NULL && text[0] != ' ' &&
                 text[length - 1] != ' ';
    for (const char *c = text; plain && *c != '\0'; c++) {
        plain = (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    if (plain) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

// A type called "count" would pass for the column of counts, so that is then written too.
static bool needs_counts(const duet_instance *instance)
{
    bool confusing = false;
    for (size_t t = 0; t < instance->types; t++) {
        confusing = confusing || strcmp(instance->type_names[t], "count") == 0;
    }
    return confusing || duet_tasks(instance) != (int64_t)instance->kinds;
}

void duet_write_instance_csv(FILE *stream, const duet_instance *instance)
{
    bool counts = needs_counts(instance);
    char buffer[32];
    fputs(counts ? "id,count" : "id", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputc(',', stream);
        write_field(stream, instance->type_names[t]);
    }
    fputc('\n', stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        write_field(stream, duet_instance_kind_id(instance, kind));
        if (counts) {
            fprintf(stream, ",%" PRId64, duet_count(instance, kind));
        }
        for (size_t t = 0; t < instance->types; t++) {
            int64_t time = duet_time(instance, kind, t);
            fputc(',', stream);
            fputs(time == DUET_FORBIDDEN ? "" : duet_instance_format_time(instance, time, buffer),
                  stream);
        }
        fputc('\n', stream);
    }
}
