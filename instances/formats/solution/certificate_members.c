// SPDX-License-Identifier: Apache-2.0
// The members of a certificate in JSON, each with its reader and its writer.
#include "instances/formats/solution/certificate_members.h"

#include <inttypes.h>
#include <string.h>

#include <duet/graph.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/vec.h"

const char *const duet_certificate_names[DUET_MEMBERS + 1] = {[DUET_MEMBER_PROOF] = "proof",
                                                              [DUET_MEMBER_LAMBDA] = "lambda",
                                                              [DUET_MEMBER_TASK] = "task",
                                                              [DUET_MEMBER_WEIGHTS] = "weights",
                                                              [DUET_MEMBER_COUNTS] = "counts",
                                                              [DUET_MEMBER_PARTS] = "parts",
                                                              [DUET_MEMBER_ROUNDED] = "rounded",
                                                              [DUET_MEMBER_GRID] = "grid",
                                                              [DUET_MEMBER_MODES] = "modes",
                                                              [DUET_MEMBER_LIMITS] = "limits",
                                                              [DUET_MEMBER_PRICES] = "prices",
                                                              [DUET_MEMBER_FLOW] = "flow",
                                                              [DUET_MEMBER_TASKS] = "tasks",
                                                              [DUET_MEMBER_CROSS] = "cross",
                                                              [DUET_MEMBER_HEAD] = "head",
                                                              [DUET_MEMBER_TAIL] = "tail",
                                                              [DUET_MEMBER_FROM] = "from",
                                                              [DUET_MEMBER_LINES] = "lines",
                                                              [DUET_MEMBER_MULTIPLIERS] =
                                                                  "multipliers",
                                                              [DUET_MEMBERS] = NULL};

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

static void read_proof(duet_certificate_input *in)
{
    char what[256];
    list_proofs(what, sizeof what);
    if (!duet_json_want(in->json, DUET_JSON_STRING, what)) {
        return;
    }
    for (duet_proof proof = DUET_PROOF_LONGEST; proof <= DUET_PROOF_MOLDABLE_STEPS; proof++) {
        if (strcmp(in->json->text, duet_proof_name(proof)) == 0) {
            in->desc.proof = proof;
            return;
        }
    }
    duet_json_expected(in->json, what);
}

static void write_proof(const duet_certificate_output *out)
{
    fprintf(out->stream, "\"%s\"", duet_proof_name(out->desc.proof));
}

// Lambda, head, tail and from.
static void read_time(duet_certificate_input *in)
{
    char what[40];
    snprintf(what, sizeof what, "the certificate's %s", duet_certificate_names[in->member]);
    duet_solution_time(in->reader, what,
                       in->member == DUET_MEMBER_LAMBDA ? &in->desc.lambda
                       : in->member == DUET_MEMBER_HEAD ? &in->desc.head
                       : in->member == DUET_MEMBER_FROM ? &in->desc.from
                                                        : &in->desc.tail);
}

static void write_time(const duet_certificate_output *out)
{
    duet_solution_write_time(out->writer, "",
                             out->member == DUET_MEMBER_LAMBDA ? out->desc.lambda
                             : out->member == DUET_MEMBER_HEAD ? out->desc.head
                             : out->member == DUET_MEMBER_FROM ? out->desc.from
                                                               : out->desc.tail);
}

static void read_task(duet_certificate_input *in)
{
    duet_solution_read_task(in->reader, &in->desc.task);
}

static void write_task(const duet_certificate_output *out)
{
    duet_solution_write_task(out->writer, "", out->desc.task);
}

// A row of numbers, one per type.
static void write_row(FILE *stream, const int64_t *row, size_t types)
{
    for (size_t t = 0; t < types; t++) {
        fprintf(stream, "%s%" PRId64, t == 0 ? "" : ", ", row[t]);
    }
    fputc(']', stream);
}

static void read_weights(duet_certificate_input *in)
{
    (void)duet_json_want(in->json, DUET_JSON_ARRAY, "an array of weights");
    for (size_t t = 0; t < in->types; t++) {
        (void)duet_json_whole(in->json, "a weight for each processor type", -DUET_MAX_WORK,
                              DUET_MAX_WORK, &in->weight[t]);
    }
    (void)duet_json_want(in->json, DUET_JSON_ARRAY_END, "no more weights than types");
}

static void write_weights(const duet_certificate_output *out)
{
    fputc('[', out->stream);
    write_row(out->stream, out->desc.weight, out->desc.types);
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

static void read_counts(duet_certificate_input *in)
{
    (void)duet_json_want(in->json, DUET_JSON_ARRAY, "an array of counts");
    for (size_t t = 0; t < in->types; t++) {
        read_count(in->json, &in->count_weight[t], &in->count_weight_high[t]);
    }
    (void)duet_json_want(in->json, DUET_JSON_ARRAY_END, "no more counts than types");
}

static void write_counts(const duet_certificate_output *out)
{
    fputc('[', out->stream);
    for (size_t t = 0; t < out->desc.types; t++) {
        char digits[40];
        duet_uint128 count = ((duet_uint128)out->desc.count_weight_high[t] << 62) +
                             (duet_uint128)out->desc.count_weight[t];
        // Readers that stop at 64 bits get what is larger as a string.
        const char *quote = out->desc.count_weight_high[t] == 0 ? "" : "\"";
        fprintf(out->stream, "%s%s%s%s", t == 0 ? "" : ", ", quote,
                duet_uint128_format(count, digits), quote);
    }
    fputc(']', out->stream);
}

static void read_parts(duet_certificate_input *in)
{
    int64_t value;
    (void)duet_json_whole(in->json, "the number of parts", 2, 3, &value);
    in->desc.parts = (int)value;
}

static void write_parts(const duet_certificate_output *out)
{
    fprintf(out->stream, "%d", out->desc.parts);
}

// A type that is unknown is noted, so what is stored does not matter.
static void read_rounded(duet_certificate_input *in)
{
    int32_t type = -1;
    duet_solution_read_type(in->reader, &type);
    in->desc.rounded = type < 0 ? 0 : (size_t)type;
}

static void write_rounded(const duet_certificate_output *out)
{
    duet_solution_write_name(out->writer, "", out->writer->instance->type_names[out->desc.rounded]);
}

static void read_grid(duet_certificate_input *in)
{
    (void)duet_json_whole(in->json, "the grid", 0, DUET_MAX_WORK, &in->desc.grid);
}

static void write_grid(const duet_certificate_output *out)
{
    fprintf(out->stream, "%" PRId64, out->desc.grid);
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

// The words of a message: of two types there are others.
static const char *words(const duet_certificate_input *in, const char *of_two, const char *of_any)
{
    return in->types == 2 ? of_two : of_any;
}

static void read_modes(duet_certificate_input *in)
{
    (void)duet_json_want(in->json, DUET_JSON_ARRAY,
                         words(in, "an array of two modes", "an array of modes"));
    for (size_t t = 0; t < in->types; t++) {
        read_mode(in->json, &in->mode[t]);
    }
    (void)duet_json_want(in->json, DUET_JSON_ARRAY_END,
                         words(in, "no more than two modes", "no more modes than types"));
}

static void write_modes(const duet_certificate_output *out)
{
    for (size_t t = 0; t < out->desc.types; t++) {
        fprintf(out->stream, "%s\"%s\"", t == 0 ? "[" : ", ",
                out->desc.mode[t] == DUET_PRICE_AREA ? "area" : "set");
    }
    fputc(']', out->stream);
}

// The rest of an array of a number for each type. What is out of range is for the checker to
// refuse.
static void read_row(duet_certificate_input *in, const char *what, int64_t *row)
{
    for (size_t t = 0; t < in->types; t++) {
        (void)duet_json_whole(in->json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &row[t]);
    }
    (void)duet_json_want(in->json, DUET_JSON_ARRAY_END,
                         words(in, "no more than two numbers", "no more numbers than types"));
}

static void read_limits(duet_certificate_input *in)
{
    (void)duet_json_want(in->json, DUET_JSON_ARRAY,
                         words(in, "an array of two limits", "an array of limits"));
    read_row(in, "a limit for each type", in->limit);
}

static void write_limits(const duet_certificate_output *out)
{
    fputc('[', out->stream);
    write_row(out->stream, out->desc.limit, out->desc.types);
}

static void read_price(duet_certificate_input *in)
{
    duet_json *json = in->json;
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, words(in, "a pair of prices", "a row of prices"));
        return;
    }
    if (in->rows == in->reader->instance->kinds) {
        duet_json_fail(json,
                       "more than %zu %s of prices; expected one for each class of equal tasks",
                       in->rows, words(in, "pairs", "rows"));
        return;
    }
    duet_json_note(json, duet_vec_grow_bytes(&in->price, in->rows, in->types * sizeof *in->price,
                                             json->error));
    if (json->code == DUET_OK) {
        read_row(in, "a price for each type", in->price + in->types * in->rows++);
    }
}

static void read_prices(duet_certificate_input *in)
{
    if (duet_json_want(in->json, DUET_JSON_ARRAY,
                       words(in, "an array of pairs of prices", "an array of rows of prices"))) {
        while (duet_json_element(in->json)) {
            read_price(in);
        }
    }
}

// What stands before an element of a long array, ten of which make a line.
static const char *before(size_t index)
{
    return index == 0 ? "[" : index % 10 == 0 ? ",\n   [" : ", [";
}

static void write_prices(const duet_certificate_output *out)
{
    fputc('[', out->stream);
    for (size_t c = 0; c < out->desc.classes; c++) {
        fputs(before(c), out->stream);
        write_row(out->stream, out->desc.price + out->desc.types * c, out->desc.types);
    }
    fputc(']', out->stream);
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

// At most one pair for each edge, or task, of the instance.
static void read_terms(duet_certificate_input *in)
{
    duet_json *json = in->json;
    duet_certificate_terms *list = &in->list[in->member - DUET_MEMBER_FLOW];
    int64_t most = in->member == DUET_MEMBER_TASKS ? duet_instance_tasks(in->reader->instance)
                                                   : duet_instance_edges(in->reader->instance);
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of pairs");
    while (duet_json_element(json)) {
        if ((int64_t)list->count == most) {
            duet_json_fail(json, "more than %zu pairs; expected at most one for each", list->count);
            return;
        }
        duet_json_note(json, duet_vec_grow(list->term, list->count, json->error));
        if (json->code == DUET_OK) {
            read_term(json, &list->term[list->count++]);
        }
    }
}

const duet_flow_list *duet_certificate_list_of(const duet_certificate_desc *desc, int member)
{
    return member == DUET_MEMBER_FLOW    ? &desc->flow.edges
           : member == DUET_MEMBER_TASKS ? &desc->flow.tasks
                                         : &desc->flow.charges;
}

static void write_terms(const duet_certificate_output *out)
{
    const duet_flow_list *list = duet_certificate_list_of(&out->desc, out->member);
    fputc('[', out->stream);
    for (size_t i = 0; i < list->count; i++) {
        fprintf(out->stream, "%s%" PRId64 ", %" PRId64 "]", before(i), list->term[i].at,
                list->term[i].value);
    }
    fputc(']', out->stream);
}

// An array of strings, one a line.
static void read_lines(duet_certificate_input *in)
{
    duet_json *json = in->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of lines");
    while (duet_json_element_of(json, DUET_JSON_STRING, "a line, a string")) {
        size_t length = in->length + json->length + 1;
        duet_json_note(json, duet_vec_reserve(in->line, length, json->error));
        if (json->code == DUET_OK) {
            memcpy(in->line + in->length, json->text, json->length);
            in->line[length - 1] = '\n';
            in->length = length;
        }
    }
}

// A proof is made of words and numbers, its comments of anything.
static void write_lines(const duet_certificate_output *out)
{
    fputs("[\"", out->stream);
    for (size_t i = 0; i < out->desc.length; i++) {
        unsigned char byte = (unsigned char)out->desc.lines[i];
        if (byte == '\n') {
            fputs(i + 1 < out->desc.length ? "\",\n   \"" : "", out->stream);
        } else if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\') {
            fputc(byte, out->stream);
        } else {
            fprintf(out->stream, "\\u%04x", byte);
        }
    }
    fputs("\"]", out->stream);
}

// Two for each type, of area and of long tasks; four where there are fewer than two types.
static void read_multipliers(duet_certificate_input *in)
{
    int64_t unused;
    (void)duet_json_want(in->json, DUET_JSON_ARRAY, "an array of multipliers");
    for (size_t i = 0; i < 2 * in->types || i < 4; i++) {
        int64_t *multiplier = i >= 2 * in->types ? &unused
                              : i % 2 == 0       ? &in->weight[i / 2]
                                                 : &in->count_weight[i / 2];
        (void)duet_json_whole(in->json, "two multipliers for each processor type, at least four",
                              -DUET_MAX_WORK, DUET_MAX_WORK, multiplier);
    }
    (void)duet_json_want(in->json, DUET_JSON_ARRAY_END,
                         "no more than two multipliers for each type");
}

static void write_multipliers(const duet_certificate_output *out)
{
    for (size_t t = 0; t < out->desc.types || t < 2; t++) {
        bool there = t < out->desc.types;
        fprintf(out->stream, "%s%" PRId64 ", %" PRId64, t == 0 ? "[" : ", ",
                there ? out->desc.weight[t] : 0, there ? out->desc.count_weight[t] : 0);
    }
    fputc(']', out->stream);
}

const duet_certificate_member duet_certificate_members[DUET_MEMBERS] = {
    [DUET_MEMBER_PROOF] = {"", read_proof, write_proof},
    [DUET_MEMBER_LAMBDA] = {", ", read_time, write_time},
    [DUET_MEMBER_TASK] = {", ", read_task, write_task},
    [DUET_MEMBER_WEIGHTS] = {", ", read_weights, write_weights},
    [DUET_MEMBER_COUNTS] = {", ", read_counts, write_counts},
    [DUET_MEMBER_PARTS] = {", ", read_parts, write_parts},
    [DUET_MEMBER_ROUNDED] = {", ", read_rounded, write_rounded},
    [DUET_MEMBER_GRID] = {", ", read_grid, write_grid},
    [DUET_MEMBER_MODES] = {",\n  ", read_modes, write_modes},
    [DUET_MEMBER_LIMITS] = {", ", read_limits, write_limits},
    [DUET_MEMBER_PRICES] = {", ", read_prices, write_prices},
    [DUET_MEMBER_FLOW] = {",\n  ", read_terms, write_terms},
    [DUET_MEMBER_TASKS] = {",\n  ", read_terms, write_terms},
    [DUET_MEMBER_CROSS] = {",\n  ", read_terms, write_terms},
    [DUET_MEMBER_HEAD] = {", ", read_time, write_time},
    [DUET_MEMBER_TAIL] = {", ", read_time, write_time},
    [DUET_MEMBER_FROM] = {", ", read_time, write_time},
    [DUET_MEMBER_LINES] = {",\n  ", read_lines, write_lines},
    [DUET_MEMBER_MULTIPLIERS] = {", ", read_multipliers, write_multipliers},
};
