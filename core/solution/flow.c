// SPDX-License-Identifier: Apache-2.0
// Flows of certificates: immutable, with counted references.
#include "core/solution/flow.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

static int compare_terms(const void *left, const void *right)
{
    const duet_flow_term *a = left;
    const duet_flow_term *b = right;
    return 2 * duet_order(a->at, b->at) + duet_order(a->value, b->value);
}

// Copies a list and sorts it, unless it is sorted as most are. Returns where the next one goes.
static duet_flow_term *take_list(duet_flow_term *to, const duet_flow_term *from, size_t count)
{
    if (count == 0) {
        return to;
    }
    memcpy(to, from, count * sizeof *to);
    size_t sorted = 1;
    while (sorted < count && to[sorted - 1].at < to[sorted].at) {
        sorted++;
    }
    if (sorted < count) {
        qsort(to, count, sizeof *to, compare_terms);
    }
    return to + count;
}

duet_code duet_flow_create(const duet_flow_desc *given, const duet_flow **out, duet_error *error)
{
    duet_flow_desc desc = {.struct_size = sizeof desc};
    *out = NULL;
    DUET_TRY(duet_struct_take(&desc, sizeof desc, sizeof desc, given, "duet_flow_desc", error));
    size_t terms = desc.edges + desc.tasks + desc.crosses;
    DUET_TRY(
        duet_memory_check(terms, sizeof(duet_flow_term), 0, "the flow of a certificate", error));
    duet_flow *flow = duet_alloc_raw(1, sizeof *flow + terms * sizeof *flow->term, error);
    DUET_NEED(flow);
    atomic_init(&flow->references, 1);
    flow->edges = desc.edges;
    flow->tasks = desc.tasks;
    flow->crosses = desc.crosses;
    duet_flow_term *next = take_list(flow->term, desc.edge, desc.edges);
    next = take_list(next, desc.task, desc.tasks);
    take_list(next, desc.cross, desc.crosses);
    *out = flow;
    return DUET_OK;
}

// The count is the one thing that changes in a flow that is otherwise constant.
static atomic_size_t *references(const duet_flow *flow)
{
    return &((duet_flow *)flow)->references;
}

const duet_flow *duet_flow_retain(const duet_flow *flow)
{
    if (flow != NULL) {
        atomic_fetch_add_explicit(references(flow), 1, memory_order_relaxed);
    }
    return flow;
}

void duet_flow_release(const duet_flow *flow)
{
    // Whoever frees it must see all that others did with it before they let go.
    if (flow != NULL && atomic_fetch_sub_explicit(references(flow), 1, memory_order_acq_rel) == 1) {
        duet_free((duet_flow *)flow);
    }
}

const duet_flow_term *duet_flow_edges(const duet_flow *flow, size_t *count)
{
    *count = flow->edges;
    return flow->term;
}

const duet_flow_term *duet_flow_tasks(const duet_flow *flow, size_t *count)
{
    *count = flow->tasks;
    return flow->term + flow->edges;
}

const duet_flow_term *duet_flow_crosses(const duet_flow *flow, size_t *count)
{
    *count = flow->crosses;
    return flow->term + flow->edges + flow->tasks;
}

void duet_certificate_retain(const duet_certificate *certificate)
{
    duet_price_list_retain(certificate->prices);
    duet_flow_retain(certificate->flow);
    duet_proof_lines_retain(certificate->lines);
}

void duet_certificate_release(const duet_certificate *certificate)
{
    duet_price_list_release(certificate->prices);
    duet_flow_release(certificate->flow);
    duet_proof_lines_release(certificate->lines);
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
