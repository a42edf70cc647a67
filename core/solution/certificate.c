// SPDX-License-Identifier: Apache-2.0
// Certificates and bounds as handles of callers.
#include "core/solution/certificate.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

const char *duet_proof_name(duet_proof proof)
{
    static const char *const names[] = {
        // in the order of the enum
        "none",          "longest", "area",      "shelf", "table",           "knapsack",
        "prices",        "flow",    "head-tail", "lines", "moldable-prices", "moldable-knapsack",
        "moldable-steps"};
    return names[(size_t)proof < sizeof names / sizeof *names ? proof : DUET_PROOF_NONE];
}

bool duet_proof_is_deep(duet_proof proof)
{
    return proof == DUET_PROOF_TABLE || proof == DUET_PROOF_MOLDABLE_KNAPSACK;
}

// Copies a number for each type; none: they stay 0.
static void take_numbers(int64_t *to, const int64_t *from, size_t types)
{
    if (from != NULL) {
        memcpy(to, from, types * sizeof *to);
    }
}

// Makes the list, the flow or the text of the kinds that have one.
static duet_code take_lists(const duet_certificate_desc *desc, duet_certificate *out,
                            duet_error *error)
{
    switch (desc->proof) {
    case DUET_PROOF_PRICES:
        return duet_price_list_create(desc->types, desc->classes, desc->mode, desc->limit,
                                      desc->price, &out->prices, error);
    case DUET_PROOF_FLOW:
        return duet_flow_create(&desc->flow, &out->flow, error);
    case DUET_PROOF_LINES:
    case DUET_PROOF_MOLDABLE_STEPS:
        return duet_proof_lines_create(desc->lines, desc->length, &out->lines, error);
    default:
        return DUET_OK;
    }
}

duet_code duet_certificate_init(const duet_certificate_desc *desc, duet_certificate *out,
                                duet_error *error)
{
    *out = (duet_certificate){.proof = DUET_PROOF_NONE};
    if (desc->types > DUET_MAX_TYPES) {
        return duet_error_set(error, DUET_E_USAGE,
                              "a certificate of %zu processor types: expected at most %d",
                              desc->types, DUET_MAX_TYPES);
    }
    *out = (duet_certificate){.proof = desc->proof,
                              .lambda = desc->lambda,
                              .task = desc->task,
                              .types = desc->types,
                              .parts = desc->parts,
                              .rounded = desc->rounded,
                              .grid = desc->grid,
                              .head = desc->head,
                              .from = desc->from,
                              .tail = desc->tail};
    take_numbers(out->weight, desc->weight, desc->types);
    take_numbers(out->count_weight, desc->count_weight, desc->types);
    take_numbers(out->count_weight_high, desc->count_weight_high, desc->types);
    return take_lists(desc, out, error);
}

duet_code duet_certificate_create(const duet_certificate_desc *given, duet_certificate **out,
                                  duet_error *error)
{
    *out = NULL;
    duet_certificate_desc desc = {.struct_size = 0};
    DUET_TRY(
        duet_struct_take(&desc, sizeof desc, sizeof desc, given, "duet_certificate_desc", error));
    duet_certificate *certificate = duet_alloc(1, sizeof *certificate, error);
    duet_code code =
        certificate == NULL ? DUET_E_MEMORY : duet_certificate_init(&desc, certificate, error);
    if (code != DUET_OK) {
        duet_free(certificate);
        return code;
    }
    *out = certificate;
    return DUET_OK;
}

void duet_certificate_free(duet_certificate *certificate)
{
    if (certificate != NULL) {
        duet_certificate_release(certificate);
        duet_free(certificate);
    }
}

duet_proof duet_certificate_proof(const duet_certificate *certificate)
{
    return certificate->proof;
}

int64_t duet_certificate_lambda(const duet_certificate *certificate)
{
    return certificate->lambda;
}

// Describes the list, the flow or the text of a certificate that has one.
static void describe_lists(const duet_certificate *certificate, duet_certificate_desc *desc)
{
    if (certificate->prices != NULL) {
        const duet_price_list *list = certificate->prices;
        desc->types = list->types;
        desc->mode = list->mode;
        desc->limit = list->limit;
        desc->price = list->price;
        desc->classes = list->classes;
    }
    if (certificate->flow != NULL) {
        desc->flow = certificate->flow->list;
    }
    if (certificate->lines != NULL) {
        desc->lines = certificate->lines->text;
        desc->length = certificate->lines->length;
    }
}

void duet_certificate_describe(const duet_certificate *certificate, duet_certificate_desc *desc)
{
    size_t size = desc->struct_size;
    size_t least = certificate->proof == DUET_PROOF_KNAPSACK ? 2 : 0;
    duet_certificate_desc whole = {.struct_size = size,
                                   .proof = certificate->proof,
                                   .lambda = certificate->lambda,
                                   .task = certificate->task,
                                   .types = duet_max(certificate->types, least),
                                   .weight = certificate->weight,
                                   .count_weight = certificate->count_weight,
                                   .count_weight_high = certificate->count_weight_high,
                                   .parts = certificate->parts,
                                   .rounded = certificate->rounded,
                                   .grid = certificate->grid,
                                   .head = certificate->head,
                                   .from = certificate->from,
                                   .tail = certificate->tail};
    describe_lists(certificate, &whole);
    memcpy(desc, &whole, duet_min(size, sizeof whole));
}

void duet_bound_free(duet_bound *bound)
{
    duet_bound_release(bound);
    duet_free(bound);
}

const char *duet_bound_name(const duet_bound *bound)
{
    return bound->name;
}

int64_t duet_bound_value(const duet_bound *bound)
{
    return bound->value;
}

const char *duet_bound_exact(const duet_bound *bound)
{
    return bound->exact;
}

const duet_certificate *duet_bound_certificate(const duet_bound *bound)
{
    return &bound->certificate;
}
