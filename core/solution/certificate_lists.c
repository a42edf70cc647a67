// SPDX-License-Identifier: Apache-2.0
// What certificates share: lists of prices, flows and texts, immutable, with counted references.
#include "core/solution/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"

// A block with one reference: `head` bytes, and `count` entries of `size` behind them.
static duet_code create(size_t head, size_t count, size_t size, const char *what,
                        atomic_size_t **out, duet_error *error)
{
    *out = NULL;
    duet_code code = duet_memory_check(count, size, 0, what, error);
    if (code != DUET_OK) {
        return code;
    }
    *out = duet_alloc_raw(1, head + count * size, error);
    if (*out == NULL) {
        return DUET_E_MEMORY;
    }
    atomic_init(*out, 1);
    return DUET_OK;
}

duet_code duet_price_list_create(size_t types, size_t classes, const duet_price_mode *modes,
                                 const int64_t *limits, const int64_t *prices,
                                 const duet_price_list **out, duet_error *error)
{
    *out = NULL;
    if (types == 0 || types > DUET_MAX_TYPES) {
        return duet_error_set(error, DUET_E_USAGE,
                              "prices for %zu processor types: expected 1 to %d", types,
                              DUET_MAX_TYPES);
    }
    atomic_size_t *block;
    size_t row = types * sizeof *prices;
    duet_code code = create(sizeof(duet_price_list) + row + types * sizeof *modes, classes, row,
                            "the prices of a certificate", &block, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_price_list *list = (duet_price_list *)block;
    list->types = types;
    list->classes = classes;
    list->limit = list->price + types * classes;
    list->mode = (duet_price_mode *)(list->limit + types);
    memcpy(list->mode, modes, types * sizeof *modes);
    memcpy(list->limit, limits, row);
    if (classes > 0) {
        memcpy(list->price, prices, classes * row);
    }
    *out = list;
    return DUET_OK;
}

static int compare_terms(const void *left, const void *right)
{
    const duet_flow_term *a = left;
    const duet_flow_term *b = right;
    return 2 * duet_order(a->at, b->at) + duet_order(a->value, b->value);
}

// Copies a list to `to` and sorts it, unless it is sorted as most are. Returns where the next goes.
static duet_flow_term *take_list(const duet_flow_list *from, duet_flow_term *to,
                                 duet_flow_list *out)
{
    size_t count = from->count;
    *out = (duet_flow_list){to, count};
    if (count == 0) {
        return to;
    }
    memcpy(to, from->term, count * sizeof *to);
    size_t sorted = 1;
    while (sorted < count && to[sorted - 1].at < to[sorted].at) {
        sorted++;
    }
    if (sorted < count) {
        qsort(to, count, sizeof *to, compare_terms);
    }
    return to + count;
}

duet_code duet_flow_create(const duet_flow_lists *list, const duet_flow **out, duet_error *error)
{
    *out = NULL;
    atomic_size_t *block;
    size_t count = list->edges.count + list->tasks.count + list->charges.count;
    duet_code code = create(sizeof(duet_flow), count, sizeof(duet_flow_term),
                            "the flow of a certificate", &block, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_flow *flow = (duet_flow *)block;
    duet_flow_term *next = take_list(&list->edges, flow->term, &flow->list.edges);
    next = take_list(&list->tasks, next, &flow->list.tasks);
    take_list(&list->charges, next, &flow->list.charges);
    *out = flow;
    return DUET_OK;
}

duet_code duet_proof_lines_create(const char *text, size_t length, const duet_proof_lines **out,
                                  duet_error *error)
{
    *out = NULL;
    atomic_size_t *block;
    duet_code code =
        create(sizeof(duet_proof_lines) + 1, length, 1, "the text of a proof", &block, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_proof_lines *lines = (duet_proof_lines *)block;
    lines->length = length;
    if (length > 0) {
        memcpy(lines->text, text, length);
    }
    lines->text[length] = '\0';
    *out = lines;
    return DUET_OK;
}

static void retain(const void *block)
{
    if (block != NULL) {
        atomic_fetch_add_explicit((atomic_size_t *)block, 1, memory_order_relaxed);
    }
}

static void release(const void *block)
{
    // Whoever frees it must see all that others did with it before they let go.
    if (block != NULL &&
        atomic_fetch_sub_explicit((atomic_size_t *)block, 1, memory_order_acq_rel) == 1) {
        duet_free((void *)block);
    }
}

void duet_certificate_retain(const duet_certificate *certificate)
{
    retain(certificate->prices);
    retain(certificate->flow);
    retain(certificate->lines);
}

void duet_certificate_release(const duet_certificate *certificate)
{
    release(certificate->prices);
    release(certificate->flow);
    release(certificate->lines);
}

void duet_bound_release(duet_bound *bound)
{
    if (bound != NULL) {
        duet_certificate_release(&bound->certificate);
        bound->certificate.prices = NULL;
        bound->certificate.flow = NULL;
        bound->certificate.lines = NULL;
    }
}
