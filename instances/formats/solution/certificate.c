// SPDX-License-Identifier: Apache-2.0
// The certificate of a solution, read from JSON. Whether it proves anything is for the checker to
// say.
#include <string.h>

#include <duet/graph.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "instances/formats/solution/reader.h"

enum {
    PROOF,
    LAMBDA,
    CERTIFIED_TASK,
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
    MULTIPLIERS
};

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

// The members of a price list, a flow and a text, which may come in any order.
typedef struct shared_members {
    duet_price_mode modes[DUET_MAX_TYPES];
    int64_t limits[DUET_MAX_TYPES];
    int64_t *prices; // a row of one per type for each class
    size_t rows;
    size_t capacity;
    flow_list edges, tasks, crosses;
    lines_text lines;
} shared_members;

static void read_weights(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of weights");
    for (size_t t = 0; t < types; t++) {
        (void)duet_json_whole(json, "a weight for each processor type", -DUET_MAX_WORK,
                              DUET_MAX_WORK, &certificate->weight[t]);
    }
    certificate->types = types;
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more weights than types");
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

static void read_counts(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of counts");
    for (size_t t = 0; t < reader->instance->types; t++) {
        read_count(json, &certificate->count_weight[t], &certificate->count_weight_high[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more counts than types");
}

// Two for each type, of area and of long tasks; four where there are fewer than two types.
static void read_multipliers(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    int64_t unused;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of multipliers");
    for (size_t i = 0; i < 2 * types || i < 4; i++) {
        int64_t *multiplier = i >= 2 * types ? &unused
                              : i % 2 == 0   ? &certificate->weight[i / 2]
                                             : &certificate->count_weight[i / 2];
        (void)duet_json_whole(json, "two multipliers for each processor type, at least four",
                              -DUET_MAX_WORK, DUET_MAX_WORK, multiplier);
    }
    certificate->types = types;
    (void)duet_json_want(json, DUET_JSON_ARRAY_END, "no more than two multipliers for each type");
}

static void read_proof(duet_json *json, duet_proof *proof)
{
    static const char what[] = "the proof \"longest\", \"area\", \"shelf\", \"table\", "
                               "\"knapsack\", \"prices\", \"flow\", \"head-tail\", \"lines\", "
                               "\"moldable-prices\", \"moldable-knapsack\" or \"moldable-steps\"";
    static const struct {
        const char *name;
        duet_proof proof;
    } proofs[] = {{"longest", DUET_PROOF_LONGEST},
                  {"area", DUET_PROOF_AREA},
                  {"shelf", DUET_PROOF_SHELF},
                  {"table", DUET_PROOF_TABLE},
                  {"knapsack", DUET_PROOF_KNAPSACK},
                  {"prices", DUET_PROOF_PRICES},
                  {"flow", DUET_PROOF_FLOW},
                  {"head-tail", DUET_PROOF_HEAD_TAIL},
                  {"lines", DUET_PROOF_LINES},
                  {"moldable-prices", DUET_PROOF_MOLDABLE_PRICES},
                  {"moldable-knapsack", DUET_PROOF_MOLDABLE_KNAPSACK},
                  {"moldable-steps", DUET_PROOF_MOLDABLE_STEPS}};
    if (!duet_json_want(json, DUET_JSON_STRING, what)) {
        return;
    }
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++) {
        if (strcmp(json->text, proofs[i].name) == 0) {
            *proof = proofs[i].proof;
            return;
        }
    }
    duet_json_expected(json, what);
}

static void read_parts(duet_json *json, int *parts)
{
    int64_t value;
    (void)duet_json_whole(json, "the number of parts", 2, 3, &value);
    *parts = (int)value;
}

// A type that is unknown is noted, so what is stored does not matter.
static void read_rounded(duet_solution_reader *reader, size_t *rounded)
{
    int32_t type = -1;
    duet_solution_read_type(reader, &type);
    *rounded = type < 0 ? 0 : (size_t)type;
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

static void read_modes(duet_solution_reader *reader, shared_members *members)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY,
                         is_pair(reader) ? "an array of two modes" : "an array of modes");
    for (size_t t = 0; t < reader->instance->types; t++) {
        read_mode(json, &members->modes[t]);
    }
    (void)duet_json_want(json, DUET_JSON_ARRAY_END,
                         is_pair(reader) ? "no more than two modes" : "no more modes than types");
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

static void read_limits(duet_solution_reader *reader, shared_members *members)
{
    (void)duet_json_want(&reader->json, DUET_JSON_ARRAY,
                         is_pair(reader) ? "an array of two limits" : "an array of limits");
    read_row(reader, "a limit for each type", members->limits);
}

static void read_price(duet_solution_reader *reader, shared_members *members)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    const char *rows = is_pair(reader) ? "pairs" : "rows";
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, is_pair(reader) ? "a pair of prices" : "a row of prices");
        return;
    }
    if (members->rows == reader->instance->kinds) {
        duet_json_fail(json,
                       "more than %zu %s of prices; expected one for each class of equal tasks",
                       members->rows, rows);
        return;
    }
    duet_json_note(json, duet_grow(&members->prices, members->rows, &members->capacity,
                                   types * sizeof *members->prices, json->error));
    if (json->code == DUET_OK) {
        read_row(reader, "a price for each type", members->prices + types * members->rows++);
    }
}

static void read_prices(duet_solution_reader *reader, shared_members *members)
{
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_ARRAY,
                        is_pair(reader) ? "an array of pairs of prices"
                                        : "an array of rows of prices")) {
        return;
    }
    while (duet_json_element(json)) {
        read_price(reader, members);
    }
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

// An array of strings, one a line.
static void read_lines(duet_json *json, lines_text *lines)
{
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

static void read_member(duet_solution_reader *reader, int which, shared_members *members)
{
    duet_json *json = &reader->json;
    duet_certificate *certificate = &reader->solution->certificate;
    switch (which) {
    case PROOF:
        read_proof(json, &certificate->proof);
        break;
    case LAMBDA:
        duet_solution_time(reader, "the certificate's lambda", &certificate->lambda);
        break;
    case CERTIFIED_TASK:
        duet_solution_read_task(reader, &certificate->task);
        break;
    case WEIGHTS:
        read_weights(reader, certificate);
        break;
    case COUNTS:
        read_counts(reader, certificate);
        break;
    case PARTS:
        read_parts(json, &certificate->parts);
        break;
    case ROUNDED:
        read_rounded(reader, &certificate->rounded);
        break;
    case GRID:
        (void)duet_json_whole(json, "the grid", 0, DUET_MAX_WORK, &certificate->grid);
        break;
    case MODES:
        read_modes(reader, members);
        break;
    case LIMITS:
        read_limits(reader, members);
        break;
    case PRICES:
        read_prices(reader, members);
        break;
    case FLOW:
        read_terms(json, &members->edges, duet_instance_edges(reader->instance));
        break;
    case TASKS:
        read_terms(json, &members->tasks, duet_instance_tasks(reader->instance));
        break;
    case CROSS:
        read_terms(json, &members->crosses, duet_instance_edges(reader->instance));
        break;
    case HEAD:
        duet_solution_time(reader, "the certificate's head", &certificate->head);
        break;
    case TAIL:
        duet_solution_time(reader, "the certificate's tail", &certificate->tail);
        break;
    case LINES:
        read_lines(json, &members->lines);
        break;
    case MULTIPLIERS:
        read_multipliers(reader, certificate);
        break;
    default:
        duet_json_skip(json);
        break;
    }
}

// The members a proof of that kind needs besides its name and lambda.
static unsigned details(duet_proof proof)
{
    switch (proof) {
    case DUET_PROOF_LONGEST:
        return 1U << CERTIFIED_TASK;
    case DUET_PROOF_AREA:
        return 1U << WEIGHTS;
    case DUET_PROOF_SHELF:
        return 1U << WEIGHTS | 1U << COUNTS | 1U << PARTS;
    case DUET_PROOF_TABLE:
        return 1U << ROUNDED | 1U << GRID;
    case DUET_PROOF_KNAPSACK:
        return 1U << WEIGHTS;
    case DUET_PROOF_PRICES:
        return 1U << MODES | 1U << LIMITS | 1U << PRICES;
    case DUET_PROOF_FLOW:
        return 1U << WEIGHTS | 1U << FLOW;
    case DUET_PROOF_LINES:
        return 1U << LINES;
    case DUET_PROOF_HEAD_TAIL:
        return 1U << WEIGHTS | 1U << HEAD | 1U << TAIL;
    case DUET_PROOF_MOLDABLE_PRICES:
        return 1U << MULTIPLIERS;
    case DUET_PROOF_MOLDABLE_STEPS:
        return 1U << WEIGHTS | 1U << LINES;
    case DUET_PROOF_MOLDABLE_KNAPSACK:
    case DUET_PROOF_NONE:
        break;
    }
    return 0;
}

static void read_object(duet_solution_reader *reader, shared_members *members)
{
    static const char *const names[] = {"proof",  "lambda",  "task",        "weights", "counts",
                                        "parts",  "rounded", "grid",        "modes",   "limits",
                                        "prices", "flow",    "tasks",       "cross",   "head",
                                        "tail",   "lines",   "multipliers", NULL};
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_OBJECT, "a certificate, an object")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    while (duet_json_member(json, &object)) {
        read_member(reader, object.which, members);
    }
    if (object.seen != 0) {
        unsigned needed = details(reader->solution->certificate.proof);
        duet_json_require(json, &object, 1U << PROOF | 1U << LAMBDA | needed, "the certificate");
    }
}

// Makes the price list, the flow or the text of its members.
static duet_code finish(const duet_solution_reader *reader, const shared_members *members,
                        duet_certificate *certificate, duet_error *error)
{
    if (certificate->proof == DUET_PROOF_PRICES) {
        return duet_price_list_create_types(reader->instance->types, members->rows, members->modes,
                                            members->limits, members->prices, &certificate->prices,
                                            error);
    }
    if (certificate->proof == DUET_PROOF_FLOW) {
        const duet_flow_desc desc = {.struct_size = sizeof desc,
                                     .edge = members->edges.term,
                                     .edges = members->edges.count,
                                     .task = members->tasks.term,
                                     .tasks = members->tasks.count,
                                     .cross = members->crosses.term,
                                     .crosses = members->crosses.count};
        return duet_flow_create(&desc, &certificate->flow, error);
    }
    if (certificate->proof == DUET_PROOF_LINES || certificate->proof == DUET_PROOF_MOLDABLE_STEPS) {
        return duet_proof_lines_create(members->lines.byte, members->lines.length,
                                       &certificate->lines, error);
    }
    return DUET_OK;
}

void duet_solution_read_certificate(duet_solution_reader *reader)
{
    duet_json *json = &reader->json;
    shared_members members = {.prices = NULL};
    read_object(reader, &members);
    if (json->code == DUET_OK) {
        duet_json_note(json, finish(reader, &members, &reader->solution->certificate, json->error));
    }
    duet_free(members.prices);
    duet_free(members.edges.term);
    duet_free(members.tasks.term);
    duet_free(members.crosses.term);
    duet_free(members.lines.byte);
}
