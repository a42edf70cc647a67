// SPDX-License-Identifier: Apache-2.0
// Reading and writing instances: recognises the format, names the instance, checks the output.
#include <duet/io.h>

#include <stdio.h>
#include <string.h>

#include <duet/registry.h>

#include "core/output.h"
#include "core/utf8.h"
#include "instances/formats/formats.h"
#include "instances/formats/recutils.h"

typedef struct file_format {
    duet_entry entry;
    duet_read_format *read;   // NULL: not an instance
    duet_write_format *write; // NULL: cannot be written
} file_format;

// The order is that of duet_format_entry(); the first five are told apart by their content.
enum { JSON, CSV, TEXT, REC, RCMAX };

static const file_format *all_formats(size_t *count)
{
    static const file_format formats[] = {
        {{.name = "json",
          .summary = "instance as JSON, the native format: platform, kinds, counts, exact times",
          .reference = ""},
         duet_read_instance_json,
         duet_write_instance_json},
        {{.name = "csv",
          .summary = "instance as CSV with the header id,cpu,gpu or id,count,cpu,gpu",
          .reference = ""},
         duet_read_instance_csv,
         duet_write_instance_csv},
        {{.name = "text",
          .summary = "instance as lines \"id cpu gpu [gpu2] [pred,...]\" in ms; read only",
          .reference = "task sets of Amaris, Lucarelli, Mommessin, Trystram"},
         duet_read_instance_text,
         NULL},
        {{.name = "rec",
          .summary =
              "StarPU's records: tasks.rec and what starpu_perfmodel_recdump prints; read only",
          .reference = ""},
         duet_read_instance_rec,
         NULL},
        {{.name = "rcmax",
          .summary = "R||Cmax as text: tasks, machines, then each task's time on every machine; "
                     "read only",
          .reference = ""},
         duet_read_instance_rcmax,
         NULL},
        {{.name = "solution",
          .summary = "solution as JSON: schedule, bound, certificate",
          .reference = ""},
         NULL,
         NULL},
    };
    *count = sizeof formats / sizeof formats[0];
    return formats;
}

size_t duet_format_count(void)
{
    size_t count;
    (void)all_formats(&count);
    return count;
}

const duet_entry *duet_format_entry(size_t index)
{
    size_t count;
    const file_format *formats = all_formats(&count);
    return index < count ? &formats[index].entry : NULL;
}

duet_code duet_read_time_text(const char *text, size_t length, const char *file, int line,
                              int column, duet_read_time *time, duet_error *error)
{
    duet_decimal_fault fault = duet_decimal_parse(text, length, &time->value);
    if (fault == DUET_DECIMAL_OK) {
        return DUET_OK;
    }
    int shown = length < 40 ? (int)length : 40;
    return duet_error_set_at(error, DUET_E_INPUT, file, line, column,
                             "time \"%.*s%s\": expected %s", shown, text, length > 40 ? "..." : "",
                             duet_decimal_expected(fault));
}

static void skip_blanks(duet_input *input)
{
    for (int byte = duet_input_peek(input);
         byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
         byte = duet_input_peek(input)) {
        duet_input_take(input);
    }
}

// Lines that begin with '#' are comments of typed-task text and of records.
static int recognise_commented(duet_input *input)
{
    while (duet_input_peek(input) == '#') {
        for (int byte = 0; byte >= 0 && byte != '\n';) {
            byte = duet_input_next(input);
        }
        skip_blanks(input);
    }
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    return duet_rec_begins(input->buffer + input->at, input->filled - input->at) ? REC : TEXT;
}

// White space before the first character says nothing in any of the formats.
static int recognise(duet_input *input)
{
    skip_blanks(input);
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    const unsigned char *next = input->buffer + input->at;
    size_t left = input->filled - input->at;
    if (left > 0 && (next[0] == '{' || next[0] == '[')) {
        return JSON;
    }
    if (left > 4 && memcmp(next, "\"id\"", 4) == 0) {
        return CSV;
    }
    size_t at = 2;
    while (at < left && (next[at] == ' ' || next[at] == '\t')) {
        at++;
    }
    if (duet_rcmax_begins(next, left)) {
        return RCMAX;
    }
    bool csv = left > at && memcmp(next, "id", 2) == 0 && next[at] == ',';
    return csv ? CSV : recognise_commented(input);
}

// The path's last part without its ending.
static duet_code set_name(duet_builder *builder, const char *path, duet_error *error)
{
    if (strcmp(path, "-") == 0) {
        return duet_builder_set_name(builder, "stdin", error);
    }
    char name[256];
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    snprintf(name, sizeof name, "%s", base);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    // A file's name may be any bytes; an instance's name is printed and written as text.
    bool text = duet_utf8_valid(name, strlen(name));
    for (char *c = name; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        *c = byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !text) ? '_' : *c;
    }
    return duet_builder_set_name(builder, name, error);
}

static duet_code read_with(duet_builder *builder, const char *path, duet_input *input,
                           duet_instance **out, duet_error *error)
{
    size_t count;
    duet_builder_set_file(builder, input->name);
    duet_code code = set_name(builder, path, error);
    if (code == DUET_OK) {
        code = all_formats(&count)[recognise(input)].read(input, builder, error);
    }
    return code == DUET_OK ? duet_builder_finish(builder, out, error) : code;
}

duet_code duet_read_instance(const char *path, duet_instance **out, duet_error *error)
{
    duet_input *input = NULL;
    duet_builder *builder = NULL;
    *out = NULL;
    duet_code code = duet_input_open(&input, path, error);
    if (code == DUET_OK) {
        code = duet_builder_create(&builder, error);
    }
    if (code == DUET_OK) {
        code = read_with(builder, path, input, out, error);
    }
    duet_builder_free(builder);
    duet_input_close(input);
    return code;
}

// The format of that name, else by the path's ending, else JSON.
static const file_format *choose_format(const char *path, const char *name)
{
    size_t count;
    const file_format *formats = all_formats(&count);
    if (name == NULL) {
        size_t length = strlen(path);
        bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
        return &formats[csv ? CSV : JSON];
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(formats[i].entry.name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

duet_code duet_write_instance(const char *path, const char *name, const duet_instance *instance,
                              duet_error *error)
{
    const file_format *format = choose_format(path, name);
    if (format == NULL || format->write == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "cannot write an instance in format '%s'; expected json or csv",
                              name);
    }
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code != DUET_OK) {
        return code;
    }
    format->write(output.stream, instance);
    return duet_output_commit(&output, error);
}
