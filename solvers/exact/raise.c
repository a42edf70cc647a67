// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/raise.h"

#include "core/system/memory.h"
#include "core/system/try.h"

// The prices of a certificate, as the classes of its guess have them.
static void read_prices(const duet_price_list *list, const duet_classes *classes,
                        duet_prices *prices)
{
    for (size_t t = 0; t < classes->types; t++) {
        for (size_t c = 0; c < classes->count; c++) {
            prices->price[t][c] = list->price[classes->types * c + t];
        }
        prices->limit[t] = list->limit[t];
        prices->divisible[t] = list->mode[t] == DUET_PRICE_AREA;
        prices->listed[t] = false;
    }
}

duet_code duet_exact_log_bound(duet_exact *s, const duet_bound *bound, duet_error *error)
{
    duet_classes classes;
    DUET_TRY(duet_classes_create(s->instance, bound->value - 1, &classes, error));
    duet_prices prices;
    duet_code code = duet_prices_create(&classes, &prices, error);
    if (code == DUET_OK) {
        read_prices(bound->certificate.prices, &classes, &prices);
        duet_log_start(&s->proof, &classes, s->proving.wanted ? DUET_EXACT_PROOF_BYTES : 0);
        duet_log_price(s->proving.wanted ? &s->proof : NULL, &prices);
        duet_prices_free(&prices);
    }
    duet_classes_free(&classes);
    return code;
}

// What the method has refuted, with a certificate.
static duet_code take_bound(duet_exact *s, duet_error *error)
{
    duet_bound bound;
    duet_code code = duet_volume_certify(s->volume, s->context, &bound, error);
    bool raised = code == DUET_OK && bound.value > s->bound.value &&
                  bound.certificate.proof == DUET_PROOF_PRICES;
    if (raised && s->instance->types == 2) { // others make it in the end
        code = duet_exact_log_bound(s, &bound, error);
    }
    if (raised && code == DUET_OK) {
        duet_bound old = s->bound;
        s->bound = bound;
        s->proof_of = s->instance->types == 2 ? bound.value : s->proof_of;
        bound = old;
    }
    duet_bound_release(&bound);
    return code;
}

// Whether the method's tables take no more than a part of the memory.
static bool is_affordable(const duet_exact *s)
{
    enum { of_class = 20 * sizeof(int64_t), of_pair = 16 * sizeof(int64_t), share = 4 };
    size_t limit = s->context->memory_limit;
    size_t bytes = s->instance->kinds * (of_class + s->instance->types * of_pair);
    return limit == 0 || bytes <= limit / share;
}

duet_code duet_exact_raise(duet_exact *s, int64_t iterations, duet_error *error)
{
    if (!s->searchable || !is_affordable(s) || !duet_exact_is_open(s) || s->bound.value <= 0) {
        return DUET_OK;
    }
    duet_code code = DUET_OK;
    s->doing = "prices";
    if (s->volume == NULL) {
        code =
            duet_volume_create(s->instance, s->bound.value, s->best->makespan, &s->volume, error);
        if (code == DUET_OK) {
            duet_volume_share(s->volume, &s->columns);
        }
    } else {
        duet_volume_set_upper(s->volume, s->best->makespan);
    }
    if (code == DUET_OK && !duet_volume_stalled(s->volume)) {
        code = duet_volume_run(s->volume, iterations, s->context, error);
    }
    bool raised = code == DUET_OK && duet_volume_bound(s->volume) > s->bound.value;
    if (raised) {
        code = take_bound(s, error);
    } else if (code == DUET_OK && s->instance->types == 2) {
        duet_column_store_clear(&s->columns); // where area is the bound they are of no use
    }
    return code;
}
