// SPDX-License-Identifier: Apache-2.0
// Reading and writing instances: recognises the format, names the instance, checks the output.
#include <duet/io.h>

#include <stdio.h>
#include <string.h>

#include <duet/registry.h>

#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/path.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/fields.h"
#include "instances/formats/foreign.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/given.h"
#include "instances/formats/own_files.h"
#include "instances/formats/reading.h"
#include "instances/formats/starpu/recutils.h"
#include "instances/formats/when.h"

typedef struct file_format {
    duet_entry entry;
    duet_read_format *read;   // NULL: not an instance
    duet_write_format *write; // NULL: cannot be written
    duet_check_format *check; // NULL: every instance can be written
} file_format;

// The order is that of duet_format_entry(); all but the last are told apart by their content.
enum { JSON, CSV, TEXT, REC, RCMAX, STG, DOT, PCMAX, JOBSHOP, FLEXIBLE, DAX, TGFF, DAGMAN };

static const file_format known_formats[] = {
    {{.name = "json",
      .summary = "instance as JSON, the native format: platform, kinds, counts, exact times, "
                 "edges; also WfFormat of WfCommons, which is read only",
      .reference = ""},
     duet_read_instance_json,
     duet_write_instance_json,
     NULL},
    {{.name = "csv",
      .summary = "instance as a table: a header such as id,cpu,gpu or id,count,after,cpu,gpu, "
                 "separated "
                 "by commas, semicolons or tabs",
      .reference = ""},
     duet_read_instance_csv,
     duet_write_instance_csv,
     duet_check_instance_csv},
    {{.name = "text",
      .summary = "instance as lines \"id cpu gpu [gpu2] [pred,...]\" in ms; read only",
      .reference = "task sets of Amaris, Lucarelli, Mommessin, Trystram"},
     duet_read_instance_text,
     NULL,
     NULL},
    {{.name = "rec",
      .summary = "StarPU's records: tasks.rec and what starpu_perfmodel_recdump prints; read only",
      .reference = ""},
     duet_read_instance_rec,
     NULL,
     NULL},
    {{.name = "rcmax",
      .summary = "R||Cmax as text: tasks, machines, then each task's time on every machine; "
                 "read only",
      .reference = ""},
     duet_read_instance_rcmax,
     NULL,
     NULL},
    {{.name = "stg",
      .summary = "graphs of the Standard Task Graph Set, one time per task; read only",
      .reference = "Tobita, Kasahara, J. Scheduling 5, 2002"},
     duet_read_instance_stg,
     NULL,
     NULL},
    {{.name = "dot",
      .summary = "graph in Graphviz's DOT language: a [cpu=3, gpu=1]; a -> b [cost=2]; also as "
                 "daggen writes it",
      .reference = ""},
     duet_read_instance_dot,
     duet_write_instance_dot,
     duet_check_instance_dot},
    {{.name = "pcmax",
      .summary = "P||Cmax as text, a number on each line: machines and jobs, then the time of "
                 "each job; read only",
      .reference = ""},
     duet_read_instance_pcmax,
     NULL,
     NULL},
    {{.name = "jobshop",
      .summary = "job shop as text: jobs and machines, then machine and time of each operation, "
                 "a line per job; read only",
      .reference = "JSPLIB"},
     duet_read_instance_jobshop,
     NULL,
     NULL},
    {{.name = "flexible",
      .summary = "flexible job shop as text: of each operation the machines that can run it, "
                 "with times; read only",
      .reference = "FJSPLIB; Brandimarte, Ann. Oper. Res. 41, 1993"},
     duet_read_instance_flexible,
     NULL,
     NULL},
    {{.name = "dax",
      .summary = "workflow of Pegasus in XML: jobs with a runtime, files, parents; read only",
      .reference = ""},
     duet_read_instance_dax,
     NULL,
     NULL},
    {{.name = "tgff",
      .summary = "task graphs of TGFF: tasks and arcs of types, and tables of what these take; "
                 "read only",
      .reference = "Dick, Rhodes, Wolf, CODES 1998"},
     duet_read_instance_tgff,
     NULL,
     NULL},
    {{.name = "dagman",
      .summary = "graph of HTCondor's DAGMan: lines JOB and PARENT ... CHILD, times by -O time=; "
                 "read only",
      .reference = ""},
     duet_read_instance_dagman,
     NULL,
     NULL},
    {{.name = "solution",
      .summary = "solution as JSON: schedule, bound, certificate; a schedule also as a table",
      .reference = ""},
     NULL,
     NULL,
     NULL},
};

static const file_format *all_formats(size_t *count)
{
    *count = sizeof known_formats / sizeof known_formats[0];
    return known_formats;
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

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

// White space before the first character says nothing in any of the formats, but for tabs that
// begin a header. Skips empty lines, and returns the first byte behind them and their blanks; -1:
// none.
static int skip_empty_lines(duet_input *input)
{
    for (;;) {
        duet_input_fill(input, DUET_INPUT_LINE);
        size_t left = input->filled - input->at;
        size_t blanks = 0;
        size_t line = 0; // where the last line begins
        while (blanks < left && is_blank(input->buffer[input->at + blanks])) {
            line = input->buffer[input->at + blanks++] == '\n' ? blanks : line;
        }
        bool found = blanks < left;
        for (size_t skip = found ? line : blanks; skip > 0; skip--) {
            duet_input_take(input);
        }
        if (found || left == 0) {
            return found ? input->buffer[input->at + blanks - line] : -1;
        }
    }
}

// Lines that begin with '#' before the first one with content are comments of every format but
// JSON.
static void skip_comments(duet_input *input, int first)
{
    while (first == '#') {
        for (int byte = 0; byte >= 0 && byte != '\n';) {
            byte = duet_input_next(input);
        }
        first = skip_empty_lines(input);
    }
}

// Records of StarPU, and the formats whose files begin with numbers; TEXT where it is none of them.
static int recognise_numbers(const unsigned char *next, size_t left)
{
    if (duet_rec_begins(next, duet_min(left, DUET_INPUT_LOOKAHEAD))) {
        return REC;
    }
    if (duet_pcmax_begins(next, left)) {
        return PCMAX;
    }
    if (duet_rcmax_begins(next, left)) {
        return RCMAX;
    }
    if (duet_stg_begins(next, left)) {
        return STG;
    }
    if (duet_jobshop_begins(next, left, false)) {
        return JOBSHOP;
    }
    return duet_jobshop_begins(next, left, true) ? FLEXIBLE : TEXT;
}

// The format of what follows. The order is from the strict to the liberal: each test may assume
// that those above it failed, and takes only what begins as its format must. Typed text takes the
// rest, so the first word of a new format is no longer a task's name there; docs/formats.md says
// so.
static int recognise(duet_input *input)
{
    int first = skip_empty_lines(input);
    if (first == '{' || first == '[') {
        return JSON;
    }
    if (first == '<') {
        return DAX;
    }
    skip_comments(input, first);
    if (duet_input_peek(input) == '@') {
        return TGFF;
    }
    duet_input_fill(input, DUET_INPUT_LINE);
    const unsigned char *next = input->buffer + input->at;
    size_t left = input->filled - input->at;
    if (duet_dot_begins(next, left)) {
        return DOT;
    }
    if (duet_dagman_begins(next, left)) {
        return DAGMAN;
    }
    size_t line = 0;
    char separator = duet_csv_sniff((const char *)next, left, &line);
    for (; left > 0 && is_blank(*next); left--) {
        next++;
    }
    if (left >= 4 && memcmp(next, "\"id\"", 4) == 0) {
        return CSV;
    }
    int format = recognise_numbers(next, left);
    bool column = format == TEXT && duet_csv_is_column((const char *)next, left);
    return format == TEXT && (separator != '\0' || column) ? CSV : format;
}

// The path's last part without its ending.
static duet_code set_name(duet_builder *builder, const char *path, duet_error *error)
{
    if (strcmp(path, "-") == 0) {
        return duet_builder_set_name(builder, "stdin", error);
    }
    if (strncmp(path, "/dev/fd/", 8) == 0) { // what a shell makes of <(...)
        return duet_builder_set_name(builder, "pipe", error);
    }
    char name[256];
    const char *base = duet_path_name(path);
    snprintf(name, sizeof name, "%.*s", (int)duet_path_stem(base), base);
    if (duet_path_ends(base, ".gz .xz .zst")) {
        name[duet_path_stem(name)] = '\0'; // of "tasks.csv.gz"
    }
    // A file's name may be any bytes; an instance's name is printed and written as text.
    bool text = duet_utf8_valid(name, strlen(name));
    for (char *c = name; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        *c = byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !text) ? '_' : *c;
    }
    return duet_builder_set_name(builder, name, error);
}

// What is asked of a reader, beside the columns of a table (NULL: by the header).
typedef struct request {
    const duet_read_params *params;
    const duet_csv_picks *picks;
    duet_reading reading;
    duet_field_uses fields;
    duet_context limits;
    duet_json_given given;
    duet_clock start; // the moment that is time 0
} request;

static duet_code read_content(duet_builder *builder, duet_input *input, request *asked,
                              duet_error *error)
{
    size_t count;
    const duet_csv_picks *picks = asked->picks;
    DUET_TRY(duet_refuse_foreign(input, error));
    // Who names columns of a table has seen what they are.
    DUET_TRY(duet_refuse_own(input, DUET_OWN_INSTANCE | (picks == NULL ? 0 : DUET_OWN_TABLES),
                             "an instance", error));
    int which = recognise(input);
    const file_format *format = &all_formats(&count)[which];
    asked->reading.records = which == REC;
    input->fields->takes_cores = which == JSON || which == CSV || which == DOT || which == DAX;
    if (picks == NULL || which == JSON || which == DOT) {
        return format->read(input, builder, error);
    }
    if (which != CSV) {
        return duet_error_set_at(
            error, DUET_E_USAGE, input->name, 0, 0,
            "--columns picks columns of CSV, members of JSON and attributes of "
            "DOT; this file is read as %s, whose fields have no names",
            format->entry.name);
    }
    return duet_read_instance_columns(input, builder, picks, error);
}

// The edges of a file of their own.
static duet_code read_edges(duet_builder *builder, request *asked, duet_error *error)
{
    duet_input *input = NULL;
    DUET_TRY(duet_input_open(&input, asked->params->edges, error));
    bool ordered = duet_builder_has_edges(builder);
    input->context = &asked->limits;
    input->fields = &asked->fields;
    duet_code code = duet_refuse_foreign(input, error);
    DUET_THEN(code, duet_refuse_own(input, 0, "a table of edges", error));
    DUET_THEN(code, duet_csv_read_edges(input, builder, error));
    if (code == DUET_OK && ordered) {
        duet_builder_merge_edges(builder); // what both say is one edge
        code = duet_builder_add_notice(
            builder, "the file and the table of edges both say the order, and count together",
            error);
    }
    duet_input_close(input);
    return code;
}

// The unit that the caller names, or else, beside dates and a start, which need one, that which is
// in the names of types: "cpu_min".
static duet_code settle_unit(duet_builder *builder, request *asked, const char *file,
                             duet_error *error)
{
    const char *named = duet_field_unit_of_types(&asked->fields);
    const char *unit = duet_builder_time_unit(builder);
    bool open = unit == NULL || unit[0] == '\0';
    bool needed = duet_builder_has_moments(builder) || asked->params->start != NULL;
    named = open && needed ? named : NULL;
    named = asked->params->time_unit != NULL ? asked->params->time_unit : named;
    DUET_TRY(named == NULL ? DUET_OK : duet_builder_default_time_unit(builder, named, error));
    // A unit that the caller names beside picked columns is what these are in.
    bool said = asked->params->time_unit != NULL && asked->picks != NULL;
    return said ? DUET_OK
                : duet_field_check_unit(&asked->fields, duet_builder_time_unit(builder), file,
                                        error);
}

static duet_code read_into(duet_builder *builder, const char *path, request *asked,
                           duet_error *error)
{
    duet_input *input = NULL;
    DUET_TRY(duet_input_open(&input, path, error));
    input->report = asked->params->progress;
    input->user = asked->params->user;
    input->context = &asked->limits;
    input->fields = &asked->fields;
    input->reading = &asked->reading;
    input->given = &asked->given;
    duet_builder_set_file(builder, input->name);
    duet_builder_set_limits(builder, &asked->limits);
    if (asked->params->exact_times) {
        duet_builder_want_exact(builder);
    }
    duet_builder_keep_digits(builder, asked->params->digits);
    duet_builder_leave_room(builder, asked->params->room);
    duet_reading_begin(&asked->reading, builder);
    if (asked->start.known) {
        duet_builder_set_start(builder, &asked->start);
    }
    duet_code code = set_name(builder, path, error);
    DUET_THEN(code, read_content(builder, input, asked, error));
    DUET_THEN(code, settle_unit(builder, asked, input->name, error));
    if (code == DUET_OK && asked->params->edges != NULL) {
        code = read_edges(builder, asked, error);
    }
    DUET_THEN(code, duet_field_note(&asked->fields, builder, error));
    DUET_THEN(code, duet_note_serials(&asked->fields, builder, error));
    DUET_THEN(code, duet_reading_note(&asked->reading, asked->params->options,
                                      asked->fields.met != DUET_DATES_CLEAR, builder, error));
    DUET_THEN(code, duet_reading_end(&asked->reading, builder, error));
    duet_input_close(input);
    return code;
}

// The clock of an instance whose start is given. DUET_E_USAGE: it has no unit of time.
static duet_code set_start(const char *start, duet_instance *instance, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = start == NULL ? DUET_OK : duet_instance_set_start(instance, start, &fault);
    return code == DUET_OK ? code : duet_error_set(error, code, "--start: %s", fault.message);
}

duet_code duet_read_instance(const char *path, const duet_read_params *params, duet_instance **out,
                             duet_error *error)
{
    duet_read_params known;
    duet_csv_picks picks = {0};
    request asked = {.params = &known};
    duet_builder *builder = NULL;
    duet_memory_scope scope;
    duet_code code = duet_reading_limits(params, &known, &asked.limits, &scope, error);
    *out = NULL;
    if (code == DUET_OK && known.columns != NULL) {
        code = duet_csv_picks_parse(known.columns, &picks, error);
        asked.picks = &picks;
    }
    DUET_THEN(code, duet_reading_create(known.options, &asked.reading, error));
    if (code == DUET_OK && known.start != NULL && !duet_clock_read(known.start, &asked.start)) {
        code = duet_error_set(error, DUET_E_USAGE, DUET_CLOCK_EXPECTED, "start ", known.start);
    }
    asked.reading.busy = known.busy;
    asked.fields = (duet_field_uses){.picks = asked.picks,
                                     .types = known.types,
                                     .ignored = asked.reading.ignored,
                                     .strict = known.strict_input,
                                     .time = asked.reading.has_time ? &asked.reading.time : NULL,
                                     .transfer = asked.reading.transfer,
                                     .dates = asked.reading.dates};
    DUET_THEN(code, duet_builder_create(&builder, error));
    DUET_THEN(code, read_into(builder, path, &asked, error));
    DUET_THEN(code, duet_builder_finish(builder, out, error));
    DUET_THEN(code, set_start(known.start, *out, error));
    DUET_THEN(code, duet_json_take_given(&asked.given, path, out, error));
    if (code != DUET_OK) {
        duet_instance_free(*out);
        *out = NULL;
    }
    duet_json_given_free(&asked.given);
    duet_builder_free(builder);
    duet_field_uses_free(&asked.fields);
    duet_csv_picks_free(&picks);
    duet_memory_end(&scope);
    return code;
}

// The format of that name, else by the path's ending, else JSON.
static const file_format *choose_format(const char *path, const char *name)
{
    size_t count;
    const file_format *formats = all_formats(&count);
    if (name == NULL) {
        bool csv = duet_path_ends(path, ".csv");
        bool dot = duet_path_ends(path, ".dot .gv");
        return &formats[csv ? CSV : dot ? DOT : JSON];
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
                              "cannot write an instance in format '%s'; expected json, csv or dot",
                              name);
    }
    duet_output output;
    DUET_TRY(format->check == NULL ? DUET_OK : format->check(instance, error));
    DUET_TRY(duet_output_open(&output, path, error));
    format->write(output.stream, instance);
    return duet_output_commit(&output, error);
}
