// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/claim_json.h"

#include "core/memory.h"
#include "core/output.h"
#include "instances/formats/formats.h"

enum { ALGORITHM, OPTIONS, LIMIT, SOURCE, RATIO, TEXTS, OPTIMUM = TEXTS, MAKESPAN, REFUTED };
static const char *const members[] = {"algorithm", "options",  "limit",   "source", "ratio",
                                      "optimum",   "makespan", "refuted", NULL};

typedef struct claim_reader {
    duet_json *json;
    duet_error *error;
    char *text[TEXTS];
    duet_read_time optimum, makespan;
    bool refuted;
} claim_reader;

static duet_code read_text(claim_reader *reader, int which)
{
    static const char *const what[TEXTS] = {
        "the algorithm that the claim is about, a string", "the algorithm's options, a string",
        "the formula of the limit, a string", "the claim's source, a string",
        "the claimed ratio, a string"};
    duet_code code = duet_json_want(reader->json, DUET_JSON_STRING, what[which]);
    if (code == DUET_OK) {
        reader->text[which] = duet_copy_string(reader->json->text, reader->error);
        code = reader->text[which] == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

static duet_code read_time(claim_reader *reader, const char *what, duet_read_time *time)
{
    duet_json *json = reader->json;
    duet_code code = duet_json_want(json, DUET_JSON_NUMBER, what);
    return code == DUET_OK ? duet_read_time_text(json->text, json->length, json->input->name,
                                                 json->line, json->column, time, reader->error)
                           : code;
}

static duet_code read_refuted(claim_reader *reader)
{
    duet_json *json = reader->json;
    duet_code code = duet_json_next(json);
    if (code == DUET_OK && json->token != DUET_JSON_TRUE && json->token != DUET_JSON_FALSE) {
        code = duet_json_expected(json, "whether the claim is refuted, true or false");
    }
    reader->refuted = json->token == DUET_JSON_TRUE;
    return code;
}

static duet_code read_member(claim_reader *reader, int which)
{
    if (which >= 0 && which < TEXTS) {
        return read_text(reader, which);
    }
    switch (which) {
    case OPTIMUM:
        return read_time(reader, "the claimed optimum, a number", &reader->optimum);
    case MAKESPAN:
        return read_time(reader, "the claimed makespan, a number", &reader->makespan);
    case REFUTED:
        return read_refuted(reader);
    default:
        return duet_json_skip(reader->json);
    }
}

static duet_code read_members(claim_reader *reader, int line, int column)
{
    unsigned seen = 0;
    int which = -1;
    duet_code code = duet_json_member(reader->json, members, &seen, &which);
    while (code == DUET_OK && which != -2) {
        code = read_member(reader, which);
        if (code == DUET_OK) {
            code = duet_json_member(reader->json, members, &seen, &which);
        }
    }
    return code == DUET_OK ? duet_json_require(reader->json, members, seen,
                                               1U << ALGORITHM | 1U << OPTIMUM | 1U << MAKESPAN,
                                               "the claim", line, column)
                           : code;
}

duet_code duet_read_claim_json(duet_json *json, duet_builder *builder, duet_error *error)
{
    claim_reader reader = {.json = json, .error = error};
    duet_code code = duet_json_want(json, DUET_JSON_OBJECT, "a claim, an object");
    int line = json->line;
    int column = json->column;
    if (code == DUET_OK) {
        code = read_members(&reader, line, column);
    }
    if (code == DUET_OK) {
        duet_read_claim claim = {.algorithm = reader.text[ALGORITHM],
                                 .options = reader.text[OPTIONS],
                                 .limit = reader.text[LIMIT],
                                 .source = reader.text[SOURCE],
                                 .ratio = reader.text[RATIO],
                                 .optimum = reader.optimum.value,
                                 .makespan = reader.makespan.value,
                                 .refuted = reader.refuted,
                                 .line = line,
                                 .column = column};
        code = duet_builder_set_claim(builder, &claim, error);
    }
    for (int i = 0; i < TEXTS; i++) {
        duet_free(reader.text[i]);
    }
    return code;
}

static void write_text(FILE *stream, const char *name, const char *text)
{
    if (text[0] != '\0') {
        fprintf(stream, ", \"%s\": ", name);
        duet_output_json_string(stream, text);
    }
}

void duet_write_claim_json(FILE *stream, const duet_instance *instance)
{
    const duet_claim *claim = duet_instance_claim(instance);
    if (claim == NULL) {
        return;
    }
    char buffer[80];
    fputs(" \"claim\": {\"algorithm\": ", stream);
    duet_output_json_string(stream, claim->algorithm);
    write_text(stream, "options", claim->options);
    fprintf(stream, ", \"optimum\": %s",
            duet_instance_format_time(instance, claim->optimum, buffer));
    fprintf(stream, ", \"makespan\": %s",
            duet_instance_format_time(instance, claim->makespan, buffer));
    fprintf(stream, ",\n           \"ratio\": \"%s\"", duet_claim_ratio(claim, buffer));
    write_text(stream, "limit", claim->limit);
    if (claim->refuted) {
        fputs(", \"refuted\": true", stream);
    }
    if (claim->source[0] != '\0') {
        fputs(",\n           \"source\": ", stream);
        duet_output_json_string(stream, claim->source);
    }
    fputs("},\n", stream);
}
