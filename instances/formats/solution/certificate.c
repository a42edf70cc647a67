// SPDX-License-Identifier: Apache-2.0
// The certificate of a solution, in JSON. One table has the members, how each is read and written
// (certificate_members.h); another says which of them a kind of proof has. Whether it proves
// anything is for the checker to say.
#include "core/system/memory.h"
#include "instances/formats/solution/certificate_members.h"

#define HAS(member) (1U << (member))
static const unsigned always = HAS(DUET_MEMBER_PROOF) | HAS(DUET_MEMBER_LAMBDA);
static const unsigned optional =
    HAS(DUET_MEMBER_TASKS) | HAS(DUET_MEMBER_CROSS) | HAS(DUET_MEMBER_FROM); // of a kind with them

// What each kind of proof has besides.
static const unsigned kinds[] = {
    [DUET_PROOF_LONGEST] = HAS(DUET_MEMBER_TASK),
    [DUET_PROOF_AREA] = HAS(DUET_MEMBER_WEIGHTS) | HAS(DUET_MEMBER_FROM),
    [DUET_PROOF_SHELF] =
        HAS(DUET_MEMBER_WEIGHTS) | HAS(DUET_MEMBER_COUNTS) | HAS(DUET_MEMBER_PARTS),
    [DUET_PROOF_TABLE] = HAS(DUET_MEMBER_ROUNDED) | HAS(DUET_MEMBER_GRID),
    [DUET_PROOF_KNAPSACK] = HAS(DUET_MEMBER_WEIGHTS),
    [DUET_PROOF_PRICES] =
        HAS(DUET_MEMBER_MODES) | HAS(DUET_MEMBER_LIMITS) | HAS(DUET_MEMBER_PRICES),
    [DUET_PROOF_FLOW] = HAS(DUET_MEMBER_WEIGHTS) | HAS(DUET_MEMBER_FLOW) | HAS(DUET_MEMBER_TASKS) |
                        HAS(DUET_MEMBER_CROSS),
    [DUET_PROOF_HEAD_TAIL] =
        HAS(DUET_MEMBER_WEIGHTS) | HAS(DUET_MEMBER_HEAD) | HAS(DUET_MEMBER_TAIL),
    [DUET_PROOF_LINES] = HAS(DUET_MEMBER_LINES),
    [DUET_PROOF_MOLDABLE_PRICES] = HAS(DUET_MEMBER_MULTIPLIERS),
    [DUET_PROOF_MOLDABLE_KNAPSACK] = 0,
    [DUET_PROOF_MOLDABLE_STEPS] = HAS(DUET_MEMBER_WEIGHTS) | HAS(DUET_MEMBER_LINES),
};

static void read_object(duet_certificate_input *in)
{
    if (!duet_json_want(in->json, DUET_JSON_OBJECT, "a certificate, an object")) {
        return;
    }
    duet_json_object object = duet_json_open(in->json, duet_certificate_names);
    while (duet_json_member(in->json, &object)) {
        in->member = object.which;
        if (in->member >= 0) {
            duet_certificate_members[in->member].read(in);
        } else {
            duet_json_skip(in->json);
        }
    }
    if (object.seen != 0) {
        unsigned needed = always | (kinds[in->desc.proof] & ~optional);
        duet_json_require(in->json, &object, needed, "the certificate");
    }
}

static duet_code make(duet_certificate_input *in, duet_certificate *certificate, duet_error *error)
{
    duet_certificate_desc *desc = &in->desc;
    desc->types = in->types;
    desc->weight = in->weight;
    desc->count_weight = in->count_weight;
    desc->count_weight_high = in->count_weight_high;
    desc->mode = in->mode;
    desc->limit = in->limit;
    desc->price = in->price;
    desc->classes = in->rows;
    desc->flow.edges = (duet_flow_list){in->list[0].term, in->list[0].count};
    desc->flow.tasks = (duet_flow_list){in->list[1].term, in->list[1].count};
    desc->flow.charges = (duet_flow_list){in->list[2].term, in->list[2].count};
    desc->lines = in->line;
    desc->length = in->length;
    return duet_certificate_init(desc, certificate, error);
}

void duet_solution_read_certificate(duet_solution_reader *reader, duet_certificate *certificate)
{
    duet_json *json = &reader->json;
    duet_certificate_input in = {.reader = reader, .json = json, .types = reader->instance->types};
    read_object(&in);
    duet_json_then(json, make(&in, certificate, json->error));
    duet_free(in.price);
    for (size_t i = 0; i < sizeof in.list / sizeof *in.list; i++) {
        duet_free(in.list[i].term);
    }
    duet_free(in.line);
}

// What is shared is left out where it is missing, which the checker says, and what is optional
// where it is empty.
static bool is_written(const duet_certificate_desc *desc, int member)
{
    if (member == DUET_MEMBER_FROM) {
        return desc->from > 0;
    }
    if ((HAS(member) & optional) != 0) {
        return duet_certificate_list_of(desc, member)->count > 0;
    }
    return desc->proof == DUET_PROOF_PRICES
               ? desc->mode != NULL || member <= DUET_MEMBER_LAMBDA
               : member != DUET_MEMBER_FLOW || desc->flow.edges.term != NULL;
}

void duet_solution_write_certificate(const duet_solution_writer *writer,
                                     const duet_certificate *certificate)
{
    duet_certificate_output out = {
        .writer = writer, .stream = writer->stream, .desc = {.struct_size = sizeof out.desc}};
    duet_certificate_describe(certificate, &out.desc);
    unsigned has = out.desc.proof == DUET_PROOF_NONE ? 0 : always | kinds[out.desc.proof];
    fputs("\"certificate\": {", out.stream);
    for (int i = 0; i < DUET_MEMBERS; i++) {
        if ((has & HAS(i)) != 0 && is_written(&out.desc, i)) {
            fprintf(out.stream, "%s\"%s\": ", duet_certificate_members[i].before,
                    duet_certificate_names[i]);
            out.member = i;
            duet_certificate_members[i].write(&out);
        }
    }
    fputs("}", out.stream);
}
