// SPDX-License-Identifier: Apache-2.0
// The claim of an instance in the native JSON format.
#include "instances/formats/json/members.h"
#include "instances/formats/json/parts.h"

#include "core/system/memory.h"
#include "core/system/output.h"
#include "instances/formats/formats.h"

enum { ALGORITHM, OPTIONS, LIMIT, SOURCE, RATIO, TEXTS, OPTIMUM = TEXTS, MAKESPAN, REFUTED };
static const char *const members[] = {"algorithm", "options",  "limit",   "source", "ratio",
                                      "optimum",   "makespan", "refuted", NULL};

typedef struct claim_reader {
    duet_json *json;
    char *text[TEXTS];
    duet_read_time optimum, makespan;
    bool refuted;
} claim_reader;

static void read_text(claim_reader *reader, int which)
{
    static const char *const what[TEXTS] = {
        "the algorithm that the claim is about, a string", "the algorithm's options, a string",
        "the formula of the limit, a string", "the claim's source, a string",
        "the claimed ratio, a string"};
    duet_json *json = reader->json;
    if (duet_json_want(json, DUET_JSON_STRING, what[which])) {
        reader->text[which] = duet_copy_string(json->text, json->error);
        duet_json_note(json, reader->text[which] == NULL ? DUET_E_MEMORY : DUET_OK);
    }
}

static void read_time(duet_json *json, const char *what, duet_read_time *time)
{
    if (duet_json_want(json, DUET_JSON_NUMBER, what)) {
        duet_json_note(json, duet_read_exact_time_text(
                                 json->text, json->length,
                                 (duet_place){json->input->name, json->line, json->column}, time,
                                 json->error));
    }
}

static void read_member(claim_reader *reader, int which)
{
    switch (which) {
    case ALGORITHM:
    case OPTIONS:
    case LIMIT:
    case SOURCE:
    case RATIO:
        read_text(reader, which);
        break;
    case OPTIMUM:
        read_time(reader->json, "the claimed optimum, a number", &reader->optimum);
        break;
    case MAKESPAN:
        read_time(reader->json, "the claimed makespan, a number", &reader->makespan);
        break;
    case REFUTED:
        duet_json_boolean(reader->json, "whether the claim is refuted, true or false",
                          &reader->refuted);
        break;
    default:
        duet_json_pass(reader->json, DUET_FIELD_PART, NULL);
        break;
    }
}

void duet_read_claim_json(duet_json *json, duet_builder *builder)
{
    claim_reader reader = {.json = json};
    if (!duet_json_want(json, DUET_JSON_OBJECT, "a claim, an object")) {
        return;
    }
    duet_json_object object = duet_json_open(json, members);
    while (duet_json_said(json, &object, 0)) {
        read_member(&reader, object.which);
    }
    duet_json_require(json, &object, 1U << ALGORITHM | 1U << OPTIMUM | 1U << MAKESPAN, "the claim");
    if (json->code == DUET_OK) {
        duet_read_claim claim = {.algorithm = reader.text[ALGORITHM],
                                 .options = reader.text[OPTIONS],
                                 .limit = reader.text[LIMIT],
                                 .source = reader.text[SOURCE],
                                 .ratio = reader.text[RATIO],
                                 .optimum = reader.optimum.value,
                                 .makespan = reader.makespan.value,
                                 .refuted = reader.refuted,
                                 .line = object.line,
                                 .column = object.column};
        duet_json_note(json, duet_builder_set_claim(builder, &claim, json->error));
    }
    for (int i = 0; i < TEXTS; i++) {
        duet_free(reader.text[i]);
    }
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
