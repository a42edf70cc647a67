// SPDX-License-Identifier: Apache-2.0
// Certificates of any content: one that is accepted claims no more than the optimum.

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
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
    duet_code code =
        duet_price_list_create_types(types, classes, modes, limits, price, &list, &error);
    fuzz_check_error(code, &error);
    return list;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    duet_instance *instance = fuzz_typed_instance(&input);
    duet_certificate certificate = {.proof = (duet_proof)fuzz_between(&input, 0, 6)};
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
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(&certificate, instance, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_OK && certificate.proof != DUET_PROOF_NONE &&
        duet_instance_tasks(instance) > 0) {
        fuzz_check(certificate.lambda <= duet_exhaustive_optimum(instance),
                   "a certificate of too much");
    }
    duet_price_list_release(certificate.prices);
    duet_instance_free(instance);
    return 0;
}
