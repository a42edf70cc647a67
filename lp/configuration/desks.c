// SPDX-License-Identifier: Apache-2.0
// Types that are priced beside each other. The first one that begins does so at the desk of the
// program, as all do where they come one after the other; those that find it taken have one of
// their own until they have ended, so that more threads take more memory. With releases they come
// one after the other: each may read the table that the one before has left.
#include <stdatomic.h>

#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"

// A round of pricing.
typedef struct desks {
    duet_configuration *of;
    duet_desk_job *job;
    double scale;
    size_t type[DUET_MAX_TYPES];
    bool unknown[DUET_MAX_TYPES];
    duet_code code[DUET_MAX_TYPES];

    atomic_flag taken; // the desk of the program
} desks;

duet_code duet_desk_create(pricing_desk *desk, size_t classes, duet_error *error)
{
    *desk = (pricing_desk){.items = 0};
    desk->item = duet_alloc(classes, sizeof *desk->item, error);
    desk->part = duet_alloc(classes, sizeof *desk->part, error);
    desk->core_part = duet_alloc(classes, sizeof *desk->core_part, error);
    DUET_NEED(desk->item != NULL && desk->part != NULL && desk->core_part != NULL);
    DUET_TRY(duet_pricing_create(&desk->pricing, error));
    DUET_TRY(duet_branch_create(&desk->branch, error));
    return duet_pricing_core_create(&desk->core, error);
}

void duet_desk_free(pricing_desk *desk)
{
    duet_pricing_free(desk->pricing);
    duet_branch_free(desk->branch);
    duet_pricing_core_free(desk->core);
    duet_free(desk->item);
    duet_free(desk->part);
    duet_free(desk->core_part);
}

static void price_at(desks *d, pricing_desk *desk, size_t i)
{
    duet_configuration *c = d->of;
    desk->unknown = c->context != NULL && duet_context_stop(c->context);
    d->code[i] = desk->unknown ? DUET_OK : d->job(c, desk, d->type[i], d->scale, NULL);
    d->unknown[i] = desk->unknown;
}

static void price_type(void *of, size_t i)
{
    desks *d = of;
    if (!atomic_flag_test_and_set(&d->taken)) {
        price_at(d, &d->of->desk, i);
        atomic_flag_clear(&d->taken);
        return;
    }
    pricing_desk own;
    d->code[i] = duet_desk_create(&own, d->of->count, NULL);
    if (d->code[i] == DUET_OK) {
        price_at(d, &own, i);
    }
    duet_desk_free(&own);
}

duet_code duet_desks_price(duet_configuration *c, duet_desk_job *job, double scale,
                           duet_error *error)
{
    desks d = {.of = c, .job = job, .scale = scale, .taken = ATOMIC_FLAG_INIT};
    size_t count = 0;
    for (size_t t = 0; t < c->types; t++) {
        if (c->state->processors[t] > 0 && !c->divisible[t]) {
            d.type[count++] = t;
        }
    }
    if (has_releases(c)) {
        for (size_t i = 0; i < count; i++) {
            price_type(&d, i);
        }
    } else {
        duet_tasks_share(count, price_type, &d);
    }
    for (size_t i = 0; i < count; i++) {
        c->effort.unknown = c->effort.unknown || d.unknown[i];
        if (d.code[i] != DUET_OK) {
            return duet_error_set(error, d.code[i], "out of memory for the prices of a type");
        }
    }
    return DUET_OK;
}
