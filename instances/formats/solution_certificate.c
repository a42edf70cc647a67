// SPDX-License-Identifier: Apache-2.0
// The certificate of a solution, read from JSON. Whether it proves anything is for the checker to
// say.
#include <string.h>

#include "core/fraction.h"
#include "core/memory.h"
#include "instances/formats/solution_reader.h"

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
    PRICES
};

// The members of a price list, which may come in any order.
typedef struct price_members {
    duet_price_mode modes[2];
    int64_t limits[2];
    int64_t *prices; // a pair per class
    size_t count;
    size_t capacity;
} price_members;

static duet_code read_weights(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    size_t types = reader->instance->types;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of weights");
    for (size_t t = 0; t < types && code == DUET_OK; t++) {
        code = duet_json_whole(json, "a weight for each processor type", -DUET_MAX_WORK,
                               DUET_MAX_WORK, &certificate->weight[t]);
    }
    certificate->types = types;
    return code == DUET_OK ? duet_json_want(json, DUET_JSON_ARRAY_END, "no more weights than types")
                           : code;
}

// A whole number up to 2^124 - 1 (as a string where it is beyond 64 bits), in two parts as the
// certificate has it.
static duet_code read_count(duet_json *json, int64_t *low, int64_t *high)
{
    static const char what[] = "a count for each processor type, a whole number below 2^124";
    duet_code code = duet_json_next(json);
    if (code != DUET_OK) {
        return code;
    }
    if (json->token != DUET_JSON_NUMBER && json->token != DUET_JSON_STRING) {
        return duet_json_expected(json, what);
    }
    bool negative = json->text[0] == '-';
    const char *digits = json->text + negative;
    size_t length = strlen(digits);
    if (length == 0 || length > 38 || strspn(digits, "0123456789") != length) {
        return duet_json_expected(json, what);
    }
    duet_uint128 value = 0; // below 10^38 < 2^127
    for (; *digits != '\0'; digits++) {
        value = value * 10U + (unsigned)(*digits - '0');
    }
    if (value >> 124 != 0) {
        return duet_json_expected(json, what);
    }
    *low = (int64_t)(value & (((duet_uint128)1 << 62) - 1));
    *high = (int64_t)(value >> 62);
    *low = negative ? -*low : *low; // the checker refuses it
    *high = negative ? -*high : *high;
    return DUET_OK;
}

static duet_code read_counts(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of counts");
    for (size_t t = 0; t < reader->instance->types && code == DUET_OK; t++) {
        code = read_count(json, &certificate->count_weight[t], &certificate->count_weight_high[t]);
    }
    return code == DUET_OK ? duet_json_want(json, DUET_JSON_ARRAY_END, "no more counts than types")
                           : code;
}

static duet_code read_proof(duet_json *json, duet_proof *proof)
{
    static const char what[] = "the proof \"longest\", \"area\", \"shelf\", \"table\", "
                               "\"knapsack\" or \"prices\"";
    static const struct {
        const char *name;
        duet_proof proof;
    } proofs[] = {{"longest", DUET_PROOF_LONGEST},   {"area", DUET_PROOF_AREA},
                  {"shelf", DUET_PROOF_SHELF},       {"table", DUET_PROOF_TABLE},
                  {"knapsack", DUET_PROOF_KNAPSACK}, {"prices", DUET_PROOF_PRICES}};
    duet_code code = duet_json_want(json, DUET_JSON_STRING, what);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++) {
        if (strcmp(json->text, proofs[i].name) == 0) {
            *proof = proofs[i].proof;
            return DUET_OK;
        }
    }
    return duet_json_expected(json, what);
}

static duet_code read_parts(duet_json *json, int *parts)
{
    int64_t value = 0;
    duet_code code = duet_json_whole(json, "the number of parts", 2, 3, &value);
    *parts = (int)value;
    return code;
}

// A type that is unknown is noted, so what is stored does not matter.
static duet_code read_rounded(duet_solution_reader *reader, size_t *rounded)
{
    int32_t type = -1;
    duet_code code = duet_solution_read_type(reader, &type);
    *rounded = type < 0 ? 0 : (size_t)type;
    return code;
}

static duet_code read_modes(duet_json *json, price_members *members)
{
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of two modes");
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_json_want(json, DUET_JSON_STRING, "the mode \"set\" or \"area\"");
        if (code == DUET_OK && strcmp(json->text, "set") != 0 && strcmp(json->text, "area") != 0) {
            return duet_json_expected(json, "the mode \"set\" or \"area\"");
        }
        members->modes[t] =
            code == DUET_OK && json->text[0] == 'a' ? DUET_PRICE_AREA : DUET_PRICE_SET;
    }
    return code == DUET_OK ? duet_json_want(json, DUET_JSON_ARRAY_END, "no more than two modes")
                           : code;
}

// The rest of an array of two numbers. What is out of range is for the checker to refuse.
static duet_code read_pair(duet_json *json, const char *what, int64_t *pair)
{
    duet_code code = duet_json_whole(json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &pair[0]);
    if (code == DUET_OK) {
        code = duet_json_whole(json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &pair[1]);
    }
    return code == DUET_OK ? duet_json_want(json, DUET_JSON_ARRAY_END, "no more than two numbers")
                           : code;
}

static duet_code read_limits(duet_json *json, price_members *members)
{
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of two limits");
    return code == DUET_OK ? read_pair(json, "a limit for each type", members->limits) : code;
}

static duet_code read_prices(duet_solution_reader *reader, price_members *members)
{
    duet_json *json = &reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_ARRAY, "an array of pairs of prices");
    while (code == DUET_OK) {
        code = duet_json_next(json);
        if (code != DUET_OK || json->token == DUET_JSON_ARRAY_END) {
            return code;
        }
        if (json->token != DUET_JSON_ARRAY) {
            return duet_json_expected(json, "a pair of prices");
        }
        if (members->count == reader->instance->kinds) {
            return duet_json_fail(json,
                                  "more than %zu pairs of prices; expected one for each "
                                  "class of equal tasks",
                                  members->count);
        }
        duet_error why = DUET_ERROR_INIT;
        int64_t pair[2] = {0, 0};
        code = duet_grow(&members->prices, members->count, &members->capacity, sizeof pair, &why);
        if (code != DUET_OK) {
            return duet_error_set(reader->error, code, "%s", why.message);
        }
        code = read_pair(json, "a price for each type", pair);
        memcpy(members->prices + 2 * members->count++, pair, sizeof pair);
    }
    return code;
}

static duet_code read_member(duet_solution_reader *reader, int which, duet_certificate *certificate,
                             price_members *members)
{
    duet_json *json = &reader->json;
    switch (which) {
    case PROOF:
        return read_proof(json, &certificate->proof);
    case LAMBDA:
        return duet_solution_time(reader, "the certificate's lambda", &certificate->lambda);
    case CERTIFIED_TASK:
        return duet_solution_read_task(reader, &certificate->task);
    case WEIGHTS:
        return read_weights(reader, certificate);
    case COUNTS:
        return read_counts(reader, certificate);
    case PARTS:
        return read_parts(json, &certificate->parts);
    case ROUNDED:
        return read_rounded(reader, &certificate->rounded);
    case GRID:
        return duet_json_whole(json, "the grid", 0, DUET_MAX_WORK, &certificate->grid);
    case MODES:
        return read_modes(json, members);
    case LIMITS:
        return read_limits(json, members);
    case PRICES:
        return read_prices(reader, members);
    default:
        return duet_json_skip(json);
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
    case DUET_PROOF_NONE:
        break;
    }
    return 0;
}

static duet_code read_object(duet_solution_reader *reader, price_members *members)
{
    static const char *const names[] = {"proof",   "lambda", "task",  "weights", "counts", "parts",
                                        "rounded", "grid",   "modes", "limits",  "prices", NULL};
    duet_json *json = &reader->json;
    duet_certificate *certificate = &reader->solution->certificate;
    unsigned seen = 0;
    duet_code code = duet_json_want(json, DUET_JSON_OBJECT, "a certificate, an object");
    int line = json->line;
    int column = json->column;
    for (int which = -1; code == DUET_OK;) {
        code = duet_json_member(json, names, &seen, &which);
        if (code != DUET_OK || which == -2) {
            break;
        }
        code = read_member(reader, which, certificate, members);
    }
    if (code != DUET_OK || seen == 0) {
        return code;
    }
    return duet_json_require(json, names, seen,
                             1U << PROOF | 1U << LAMBDA | details(certificate->proof),
                             "the certificate", line, column);
}

duet_code duet_solution_read_certificate(duet_solution_reader *reader)
{
    price_members members = {.prices = NULL};
    duet_certificate *certificate = &reader->solution->certificate;
    duet_code code = read_object(reader, &members);
    if (code == DUET_OK && certificate->proof == DUET_PROOF_PRICES) {
        code = duet_price_list_create(members.count, members.modes, members.limits, members.prices,
                                      &certificate->prices, reader->error);
    }
    duet_free(members.prices);
    return code;
}
