// SPDX-License-Identifier: Apache-2.0
// The certificate of a solution, in JSON. One table has the members, how each is read and written;
// another says which of them a kind of proof has. Whether it proves anything is for the checker to
// say.
#include <inttypes.h>
#include <string.h>

#include <duet/graph.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "instances/formats/solution/reader.h"
#include "instances/formats/solution/writer.h"

// A list of a flow.
typedef struct flow_list {
    duet_flow_term *term;
    size_t count;
    size_t capacity;
} flow_list;

// A text that grows.
typedef struct lines_text {
    char *byte;
    size_t length;
    size_t room;
} lines_text;

// A certificate as its members come, in any order.
typedef struct certificate_parts {
    duet_certificate_desc desc; // without the lists that grow
    int64_t weight[DUET_MAX_TYPES];
    int64_t count_weight[DUET_MAX_TYPES];
    int64_t count_weight_high[DUET_MAX_TYPES];
    duet_price_mode mode[DUET_MAX_TYPES];
    int64_t limit[DUET_MAX_TYPES];
    int64_t *price; // a row of one per type for each class
    size_t rows;
    size_t capacity;
    flow_list edges, tasks, crosses;
    lines_text lines;
} certificate_parts;

// Each of the functions read_X() reads the value of a member X, and write_X() writes it.

// The names of all kinds, for a message.
static void list_proofs(char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "the proof ");
    for (duet_proof proof = DUET_PROOF_LONGEST; proof <= DUET_PROOF_MOLDABLE_STEPS; proof++) {
        const char *before = proof == DUET_PROOF_LONGEST          ? ""
                             : proof == DUET_PROOF_MOLDABLE_STEPS ? " or "
                                                                  : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s\"%s\"", before,
                                   duet_proof_name(proof));
    }
}

static void read_proof(duet_solution_reader *reader, certificate_parts *parts)
{
    char what[256];
    list_proofs(what, sizeof what);
    if (!duet_json_want(&reader->json, DUET_JSON_STRING, what)) {
        return;
    }
    for (duet_proof proof = DUET_PROOF_LONGEST; proof <= DUET_PROOF_MOLDABLE_STEPS; proof++) {
        if (strcmp(reader->json.text, duet_proof_name(proof)) == 0) {
            parts->desc.proof = proof;
            return;
        }
    }
    duet_json_expected(&reader->json, what);
}

static void write_proof(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fprintf(writer->stream, "\"%s\"", duet_proof_name(desc->proof));
}

static void read_lambda(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_solution_time(reader, "the certificate's lambda", &parts->desc.lambda);
}

static void write_lambda(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    duet_solution_write_time(writer, "", desc->lambda);
}

static void read_task(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_solution_read_task(reader, &parts->desc.task);
}

static void write_task(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    duet_solution_write_task(writer, "", desc->task);
}

// A row of numbers, one per type.
static void write_row(FILE *stream, const int64_t *row, size_t types)
{
    fputc('[', stream);
    for (size_t t = 0; t < types; t++) {
        fprintf(stream, "%s%" PRId64, t == 0 ? "" : ", ", row[t]);
    }
    fputc(']', stream);
}

static void read_weights(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of weights");
    for (size_t t = 0; t < reader->instance->types; t++) {
        (void)duet_json_whole(json, "a weight for each processor type", -DUET_MAX_WORK,
                              DUET_MAX_WORK, &parts->weight[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more weights than types");
}

static void write_weights(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    write_row(writer->stream, desc->weight, desc->types);
}

// A whole number up to 2^124 - 1 (as a string where it is beyond 64 bits), in two parts as the
// certificate has it.
static void read_count(duet_json *json, int64_t *low, int64_t *high)
{
    static const char what[] = "a count for each processor type, a whole number below 2^124";
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token != DUET_JSON_NUMBER && json->token != DUET_JSON_STRING) {
        duet_json_expected(json, what);
        return;
    }
    bool negative = json->text[0] == '-';
    const char *digits = json->text + negative;
    size_t length = strlen(digits);
    if (length == 0 || length > 38 || strspn(digits, "0123456789") != length) {
        duet_json_expected(json, what);
        return;
    }
    duet_uint128 value = 0; // below 10^38 < 2^127
    for (; *digits != '\0'; digits++) {
        value = value * 10U + (unsigned)(*digits - '0');
    }
    if (value >> 124 != 0) {
        duet_json_expected(json, what);
        return;
    }
    *low = (int64_t)(value & (((duet_uint128)1 << 62) - 1));
    *high = (int64_t)(value >> 62);
    *low = negative ? -*low : *low; // the checker refuses it
    *high = negative ? -*high : *high;
}

static void read_counts(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of counts");
    for (size_t t = 0; t < reader->instance->types; t++) {
        read_count(json, &parts->count_weight[t], &parts->count_weight_high[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more counts than types");
}

static void write_counts(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fputc('[', writer->stream);
    for (size_t t = 0; t < desc->types; t++) {
        char digits[40];
        duet_uint128 count =
            ((duet_uint128)desc->count_weight_high[t] << 62) + (duet_uint128)desc->count_weight[t];
        // Readers that stop at 64 bits get what is larger as a string.
        const char *quote = desc->count_weight_high[t] == 0 ? "" : "\"";
        fprintf(writer->stream, "%s%s%s%s", t == 0 ? "" : ", ", quote,
                duet_uint128_format(count, digits), quote);
    }
    fputc(']', writer->stream);
}

static void read_parts(duet_solution_reader *reader, certificate_parts *parts)
{
    int64_t value;
    (void)duet_json_whole(&reader->json, "the number of parts", 2, 3, &value);
    parts->desc.parts = (int)value;
}

static void write_parts(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fprintf(writer->stream, "%d", desc->parts);
}

// A type that is unknown is noted, so what is stored does not matter.
static void read_rounded(duet_solution_reader *reader, certificate_parts *parts)
{
    int32_t type = -1;
    duet_solution_read_type(reader, &type);
    parts->desc.rounded = type < 0 ? 0 : (size_t)type;
}

static void write_rounded(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    duet_solution_write_name(writer, "", writer->instance->type_names[desc->rounded]);
}

static void read_grid(duet_solution_reader *reader, certificate_parts *parts)
{
    (void)duet_json_whole(&reader->json, "the grid", 0, DUET_MAX_WORK, &parts->desc.grid);
}

static void write_grid(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fprintf(writer->stream, "%" PRId64, desc->grid);
}

static void read_mode(duet_json *json, duet_price_mode *mode)
{
    static const char what[] = "the mode \"set\" or \"area\"";
    if (!duet_json_want(json, DUET_JSON_STRING, what)) {
        return;
    }
    bool area = strcmp(json->text, "area") == 0;
    if (!area && strcmp(json->text, "set") != 0) {
        duet_json_expected(json, what);
    }
    *mode = area ? DUET_PRICE_AREA : DUET_PRICE_SET;
}

// Whether the instance has two types, for whose numbers messages have other words.
static bool is_pair(const duet_solution_reader *reader)
{
    return reader->instance->types == 2;
}

static void read_modes(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY,
                         is_pair(reader) ? "an array of two modes" : "an array of modes");
    for (size_t t = 0; t < reader->instance->types; t++) {
        read_mode(json, &parts->mode[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END,
                         is_pair(reader) ? "no more than two modes" : "no more modes than types");
}

static void write_modes(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fputc('[', writer->stream);
    for (size_t t = 0; t < desc->types; t++) {
        fprintf(writer->stream, "%s\"%s\"", t == 0 ? "" : ", ",
                desc->mode[t] == DUET_PRICE_AREA ? "area" : "set");
    }
    fputc(']', writer->stream);
}

// The rest of an array of a number for each type. What is out of range is for the checker to
// refuse.
static void read_row(duet_solution_reader *reader, const char *what, int64_t *row)
{
    duet_json *json = &reader->json;
    for (size_t t = 0; t < reader->instance->types; t++) {
        (void)duet_json_whole(json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &row[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END,
                         is_pair(reader) ? "no more than two numbers"
                                         : "no more numbers than types");
}

static void read_limits(duet_solution_reader *reader, certificate_parts *parts)
{
    (void)duet_json_want(&reader->json, DUET_JSON_ARRAY,
                         is_pair(reader) ? "an array of two limits" : "an array of limits");
    read_row(reader, "a limit for each type", parts->limit);
}

static void write_limits(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    write_row(writer->stream, desc->limit, desc->types);
}

static void read_price(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    const char *rows = is_pair(reader) ? "pairs" : "rows";
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, is_pair(reader) ? "a pair of prices" : "a row of prices");
        return;
    }
    if (parts->rows == reader->instance->kinds) {
        duet_json_fail(json,
                       "more than %zu %s of prices; expected one for each class of equal tasks",
                       parts->rows, rows);
        return;
    }
    duet_json_note(json, duet_grow(&parts->price, parts->rows, &parts->capacity,
                                   types * sizeof *parts->price, json->error));
    if (json->code == DUET_OK) {
        read_row(reader, "a price for each type", parts->price + types * parts->rows++);
    }
}

static void read_prices(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_ARRAY,
                        is_pair(reader) ? "an array of pairs of prices"
                                        : "an array of rows of prices")) {
        return;
    }
    while (duet_json_element(json)) {
        read_price(reader, parts);
    }
}

// What stands before an element of a long array, ten of which make a line.
static const char *before(size_t index)
{
    return index == 0 ? "" : index % 10 == 0 ? ",\n   " : ", ";
}

static void write_prices(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fputc('[', writer->stream);
    for (size_t c = 0; c < desc->classes; c++) {
        fputs(before(c), writer->stream);
        write_row(writer->stream, desc->price + desc->types * c, desc->types);
    }
    fputc(']', writer->stream);
}

// The rest of a pair [index, number].
static void read_term(duet_json *json, duet_flow_term *term)
{
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "a pair of an index and a number");
        return;
    }
    (void)duet_json_whole(json, "an index", 0, DUET_MAX_GRAPH, &term->at);
    (void)duet_json_whole(json, "a whole number", -DUET_MAX_WORK, DUET_MAX_WORK, &term->value);
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more than two numbers");
}

// At most `most` pairs: one for each edge, or task, of the instance.
static void read_terms(duet_json *json, flow_list *list, int64_t most)
{
    if (!duet_json_want(json, DUET_JSON_ARRAY, "an array of pairs")) {
        return;
    }
    while (duet_json_element(json)) {
        if ((int64_t)list->count == most) {
            duet_json_fail(json, "more than %zu pairs; expected at most one for each", list->count);
            return;
        }
        duet_json_note(json, duet_grow(&list->term, list->count, &list->capacity,
                                       sizeof *list->term, json->error));
        if (json->code == DUET_OK) {
            read_term(json, &list->term[list->count++]);
        }
    }
}

static void write_terms(const duet_solution_writer *writer, const duet_flow_term *term,
                        size_t count)
{
    fputc('[', writer->stream);
    for (size_t i = 0; i < count; i++) {
        fprintf(writer->stream, "%s[%" PRId64 ", %" PRId64 "]", before(i), term[i].at,
                term[i].value);
    }
    fputc(']', writer->stream);
}

static void read_flow(duet_solution_reader *reader, certificate_parts *parts)
{
    read_terms(&reader->json, &parts->edges, duet_instance_edges(reader->instance));
}

static void write_flow(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    write_terms(writer, desc->flow, desc->flows);
}

static void read_tasks(duet_solution_reader *reader, certificate_parts *parts)
{
    read_terms(&reader->json, &parts->tasks, duet_instance_tasks(reader->instance));
}

static void write_tasks(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    write_terms(writer, desc->flow_task, desc->flow_tasks);
}

static void read_cross(duet_solution_reader *reader, certificate_parts *parts)
{
    read_terms(&reader->json, &parts->crosses, duet_instance_edges(reader->instance));
}

static void write_cross(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    write_terms(writer, desc->charge, desc->charges);
}

static void read_head(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_solution_time(reader, "the certificate's head", &parts->desc.head);
}

static void write_head(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    duet_solution_write_time(writer, "", desc->head);
}

static void read_tail(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_solution_time(reader, "the certificate's tail", &parts->desc.tail);
}

static void write_tail(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    duet_solution_write_time(writer, "", desc->tail);
}

// An array of strings, one a line.
static void read_lines(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    lines_text *lines = &parts->lines;
    if (!duet_json_want(json, DUET_JSON_ARRAY, "an array of lines")) {
        return;
    }
    while (duet_json_element(json)) {
        if (json->token != DUET_JSON_STRING) {
            duet_json_expected(json, "a line, a string");
            return;
        }
        size_t length = lines->length + json->length + 1;
        duet_json_note(json, duet_reserve(&lines->byte, length, &lines->room, 1, json->error));
        if (json->code == DUET_OK) {
            memcpy(lines->byte + lines->length, json->text, json->length);
            lines->byte[length - 1] = '\n';
            lines->length = length;
        }
    }
}

// A proof is made of words and numbers, its comments of anything.
static void write_lines(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    fputs("[\"", writer->stream);
    for (size_t i = 0; i < desc->length; i++) {
        unsigned char byte = (unsigned char)desc->lines[i];
        if (byte == '\n') {
            fputs(i + 1 < desc->length ? "\",\n   \"" : "", writer->stream);
        } else if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\') {
            fputc(byte, writer->stream);
        } else {
            fprintf(writer->stream, "\\u%04x", byte);
        }
    }
    fputs("\"]", writer->stream);
}

// Two for each type, of area and of long tasks; four where there are fewer than two types.
static void read_multipliers(duet_solution_reader *reader, certificate_parts *parts)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    int64_t unused;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of multipliers");
    for (size_t i = 0; i < 2 * types || i < 4; i++) {
        int64_t *multiplier = i >= 2 * types ? &unused
                              : i % 2 == 0   ? &parts->weight[i / 2]
                                             : &parts->count_weight[i / 2];
        (void)duet_json_whole(json, "two multipliers for each processor type, at least four",
                              -DUET_MAX_WORK, DUET_MAX_WORK, multiplier);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more than two multipliers for each type");
}

static void write_multipliers(const duet_solution_writer *writer, const duet_certificate_desc *desc)
{
    for (size_t t = 0; t < desc->types || t < 2; t++) {
        bool there = t < desc->types;
        fprintf(writer->stream, "%s%" PRId64 ", %" PRId64, t == 0 ? "[" : ", ",
                there ? desc->weight[t] : 0, there ? desc->count_weight[t] : 0);
    }
    fputc(']', writer->stream);
}

// The members, in the order in which they are written.
enum {
    PROOF,
    LAMBDA,
    TASK,
    WEIGHTS,
    COUNTS,
    PARTS,
    ROUNDED,
    GRID,
    MODES,
    LIMITS,
    PRICES,
    FLOW,
    TASKS,
    CROSS,
    HEAD,
    TAIL,
    LINES,
    MULTIPLIERS,
    MEMBERS
};

static const struct {
    const char *name;
    const char *before; // what separates it from the member before
    void (*read)(duet_solution_reader *reader, certificate_parts *parts);
    void (*write)(const duet_solution_writer *writer, const duet_certificate_desc *desc);
} members[MEMBERS] = {
    [PROOF] = {"proof", "", read_proof, write_proof},
    [LAMBDA] = {"lambda", ", ", read_lambda, write_lambda},
    [TASK] = {"task", ", ", read_task, write_task},
    [WEIGHTS] = {"weights", ", ", read_weights, write_weights},
    [COUNTS] = {"counts", ", ", read_counts, write_counts},
    [PARTS] = {"parts", ", ", read_parts, write_parts},
    [ROUNDED] = {"rounded", ", ", read_rounded, write_rounded},
    [GRID] = {"grid", ", ", read_grid, write_grid},
    [MODES] = {"modes", ",\n  ", read_modes, write_modes},
    [LIMITS] = {"limits", ", ", read_limits, write_limits},
    [PRICES] = {"prices", ", ", read_prices, write_prices},
    [FLOW] = {"flow", ",\n  ", read_flow, write_flow},
    [TASKS] = {"tasks", ",\n  ", read_tasks, write_tasks},
    [CROSS] = {"cross", ",\n  ", read_cross, write_cross},
    [HEAD] = {"head", ", ", read_head, write_head},
    [TAIL] = {"tail", ", ", read_tail, write_tail},
    [LINES] = {"lines", ",\n  ", read_lines, write_lines},
    [MULTIPLIERS] = {"multipliers", ", ", read_multipliers, write_multipliers},
};

#define HAS(member) (1U << (member))
static const unsigned always = HAS(PROOF) | HAS(LAMBDA);

// What each kind of proof has besides: members that are needed, and some that may be left out.
static const struct {
    unsigned needed;
    unsigned optional;
} kinds[] = {
    [DUET_PROOF_LONGEST] = {HAS(TASK), 0},
    [DUET_PROOF_AREA] = {HAS(WEIGHTS), 0},
    [DUET_PROOF_SHELF] = {HAS(WEIGHTS) | HAS(COUNTS) | HAS(PARTS), 0},
    [DUET_PROOF_TABLE] = {HAS(ROUNDED) | HAS(GRID), 0},
    [DUET_PROOF_KNAPSACK] = {HAS(WEIGHTS), 0},
    [DUET_PROOF_PRICES] = {HAS(MODES) | HAS(LIMITS) | HAS(PRICES), 0},
    [DUET_PROOF_FLOW] = {HAS(WEIGHTS) | HAS(FLOW), HAS(TASKS) | HAS(CROSS)},
    [DUET_PROOF_HEAD_TAIL] = {HAS(WEIGHTS) | HAS(HEAD) | HAS(TAIL), 0},
    [DUET_PROOF_LINES] = {HAS(LINES), 0},
    [DUET_PROOF_MOLDABLE_PRICES] = {HAS(MULTIPLIERS), 0},
    [DUET_PROOF_MOLDABLE_KNAPSACK] = {0, 0},
    [DUET_PROOF_MOLDABLE_STEPS] = {HAS(WEIGHTS) | HAS(LINES), 0},
};

static void read_object(duet_solution_reader *reader, certificate_parts *parts)
{
    const char *names[MEMBERS + 1] = {NULL};
    duet_json *json = &reader->json;
    for (int i = 0; i < MEMBERS; i++) {
        names[i] = members[i].name;
    }
    if (!duet_json_want(json, DUET_JSON_OBJECT, "a certificate, an object")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        if (object.which >= 0 && object.which < MEMBERS) {
            members[object.which].read(reader, parts);
        } else {
            duet_json_skip(json);
        }
    }
    if (object.seen != 0) {
        duet_json_require(json, &object, always | kinds[parts->desc.proof].needed,
                          "the certificate");
    }
}

static duet_code make(certificate_parts *parts, duet_certificate *out, duet_error *error)
{
    duet_certificate_desc *desc = &parts->desc;
    desc->weight = parts->weight;
    desc->count_weight = parts->count_weight;
    desc->count_weight_high = parts->count_weight_high;
    desc->mode = parts->mode;
    desc->limit = parts->limit;
    desc->price = parts->price;
    desc->classes = parts->rows;
    desc->flow = parts->edges.term;
    desc->flows = parts->edges.count;
    desc->flow_task = parts->tasks.term;
    desc->flow_tasks = parts->tasks.count;
    desc->charge = parts->crosses.term;
    desc->charges = parts->crosses.count;
    desc->lines = parts->lines.byte;
    desc->length = parts->lines.length;
    return duet_certificate_init(desc, out, error);
}

void duet_solution_read_certificate(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    certificate_parts parts = {.desc = {.types = reader->instance->types}};
    read_object(reader, &parts);
    if (json->code == DUET_OK) {
        duet_json_note(json, make(&parts, &reader->solution->certificate, json->error));
    }
    duet_free(parts.price);
    duet_free(parts.edges.term);
    duet_free(parts.tasks.term);
    duet_free(parts.crosses.term);
    duet_free(parts.lines.byte);
}

// Of what is shared nothing is written where it is missing, which the checker says; of what is
// optional nothing where it is empty.
static bool is_written(const duet_certificate_desc *desc, int member)
{
    switch (member) {
    case MODES:
    case LIMITS:
    case PRICES:
        return desc->mode != NULL;
    case FLOW:
        return desc->flow != NULL;
    case TASKS:
        return desc->flow_tasks > 0;
    case CROSS:
        return desc->charges > 0;
    default:
        return true;
    }
}

void duet_solution_write_certificate(const duet_solution_writer *writer,
                                     const duet_certificate *certificate)
{
    duet_certificate_desc desc = {.struct_size = sizeof desc};
    duet_certificate_describe(certificate, &desc);
    unsigned has = 0;
    if (desc.proof != DUET_PROOF_NONE) {
        has = always | kinds[desc.proof].needed | kinds[desc.proof].optional;
    }
    fputs(" \"certificate\": {", writer->stream);
    for (int i = 0; i < MEMBERS; i++) {
        if ((has & HAS(i)) != 0 && is_written(&desc, i)) {
            fprintf(writer->stream, "%s\"%s\": ", members[i].before, members[i].name);
            members[i].write(writer, &desc);
        }
    }
    fputs("}}\n", writer->stream);
}
