// SPDX-License-Identifier: Apache-2.0
// Certificates of any content: one that is accepted claims no more than the optimum.

#include <duet/graph.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/solution/certificate.h"
#include "tests/fuzz/fuzz.h"

// Mostly small numbers, now and then any.
static int64_t number(fuzz_input *input)
{
    uint64_t kind = fuzz_take(input, 1);
    if (kind < 200) {
        return (int64_t)(kind % 40);
    }
    return kind < 240 ? fuzz_between(input, 0, 65535) : (int64_t)fuzz_take(input, 8);
}

static const duet_price_list *prices(fuzz_input *input, const duet_instance *instance)
{
    size_t classes = duet_instance_kinds(instance);
    uint64_t shift = fuzz_take(input, 1);
    classes = shift >= 250 ? (size_t)fuzz_between(input, 0, 9) : classes;
    size_t types = duet_instance_types(instance);
    duet_price_mode modes[DUET_SHAPE_TYPES];
    int64_t limits[DUET_SHAPE_TYPES];
    int64_t price[16 * DUET_SHAPE_TYPES] = {0}; // a row per class
    for (size_t t = 0; t < types; t++) {
        modes[t] = fuzz_between(input, 0, 1) == 0 ? DUET_PRICE_SET : DUET_PRICE_AREA;
        limits[t] = number(input);
    }
    for (size_t i = 0; i < 16 * types; i++) {
        price[i] = number(input);
    }
    const duet_price_list *list = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_price_list_create(types, classes, modes, limits, price, &list, &error);
    fuzz_check_error(code, &error);
    return list;
}

// Entries of edges or tasks, mostly of such that there are.
static size_t terms(fuzz_input *input, int64_t below, duet_flow_term *list)
{
    size_t count = (size_t)fuzz_between(input, 0, 8);
    for (size_t i = 0; i < count; i++) {
        list[i].at = fuzz_between(input, 0, below);
        list[i].value = number(input);
        list[i].value = fuzz_between(input, 0, 3) == 0 ? ~list[i].value : list[i].value;
    }
    return count;
}

static const duet_flow *flow(fuzz_input *input, const duet_instance *instance)
{
    duet_flow_term edge[8];
    duet_flow_term task[8];
    duet_flow_term cross[8];
    duet_flow_lists list = {{edge, 0}, {task, 0}, {cross, 0}};
    list.edges.count = terms(input, duet_instance_edges(instance), edge);
    list.tasks.count = terms(input, duet_instance_tasks(instance), task);
    list.charges.count = terms(input, duet_instance_edges(instance), cross);
    const duet_flow *made = NULL;
    duet_error error = DUET_ERROR_INIT;
    fuzz_check_error(duet_flow_create(&list, &made, &error), &error);
    return made;
}

// The instance with edges between its tasks, from lower to higher ones, at some costs.
static duet_instance *with_edges(fuzz_input *input, duet_instance *instance)
{
    enum { tasks = 6, types = 2 };
    if (duet_instance_types(instance) != types || duet_instance_kinds(instance) == 0 ||
        duet_instance_tasks(instance) > tasks) {
        return instance;
    }
    int64_t times[tasks * types];
    int64_t costs[types * types];
    duet_type platform[types];
    duet_edge edge[tasks * tasks];
    size_t count = 0;
    size_t n = (size_t)duet_instance_tasks(instance);
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){duet_instance_type_name(instance, t),
                                  duet_instance_type_count(instance, t)};
        costs[2 * t] = fuzz_between(input, 0, 9);
        costs[2 * t + 1] = fuzz_between(input, 0, 9);
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t t = 0; t < types; t++) {
            times[j * types + t] =
                duet_instance_time(instance, duet_instance_kind_of(instance, (int64_t)j), t);
        }
        for (size_t i = 0; i < j; i++) {
            if (fuzz_between(input, 0, 2) == 0) {
                edge[count++] = (duet_edge){.from = (int64_t)i, .to = (int64_t)j};
            }
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = n,
                               .times = times,
                               .edges = count,
                               .edge = edge,
                               .cost_tables = 1,
                               .costs = costs};
    duet_instance *made = NULL;
    if (duet_instance_create(&desc, &made, NULL) != DUET_OK) { // such as too much work
        return instance;
    }
    duet_instance_free(instance);
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    duet_instance *instance = fuzz_typed_instance(&input);
    duet_certificate certificate = {.proof = (duet_proof)fuzz_between(&input, 0, 8)};
    if (certificate.proof >= DUET_PROOF_FLOW) {
        instance = with_edges(&input, instance);
    }
    certificate.lambda = number(&input);
    certificate.task = number(&input);
    certificate.types =
        fuzz_between(&input, 0, 15) == 0 ? (size_t)number(&input) : duet_instance_types(instance);
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        certificate.weight[t] = number(&input);
        certificate.count_weight[t] = number(&input);
        certificate.count_weight_high[t] = fuzz_between(&input, 0, 15) == 0 ? number(&input) : 0;
    }
    certificate.parts = (int)fuzz_between(&input, 0, 4);
    certificate.rounded = (size_t)fuzz_between(&input, 0, 2);
    certificate.grid = number(&input);
    if (certificate.proof == DUET_PROOF_PRICES) {
        certificate.prices = prices(&input, instance);
    }
    if (certificate.proof == DUET_PROOF_HEAD_TAIL) {
        certificate.head = fuzz_between(&input, 0, 40);
        certificate.tail = fuzz_between(&input, 0, 40);
    }
    if (certificate.proof == DUET_PROOF_FLOW) {
        certificate.flow = flow(&input, instance);
    }
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(&certificate, instance, NULL, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_OK && certificate.proof != DUET_PROOF_NONE &&
        duet_instance_tasks(instance) > 0) {
        fuzz_check(certificate.lambda <= duet_exhaustive_optimum(instance),
                   "a certificate of too much");
    }
    duet_certificate_release(&certificate);
    duet_instance_free(instance);
    return 0;
}
