// SPDX-License-Identifier: Apache-2.0
// Types that are priced beside each other. The first one that begins does so in the room of the
// program, as all do where they come one after the other; those that find it taken make room of
// their own until they have ended, so that more threads take more memory. With releases they come
// one after the other: each may read the table that the one before has left.
#include <stdatomic.h>

#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"

// A round of pricing.
typedef struct desks {
    const duet_configuration *start;
    duet_desk_job *job;
    double scale;
    size_t type[DUET_MAX_TYPES];
    bool unknown[DUET_MAX_TYPES];
    duet_code code[DUET_MAX_TYPES];

    atomic_flag taken; // the room of the program
} desks;

static duet_code make_room(duet_configuration *own)
{
    own->pricing = NULL;
    own->branch = NULL;
    own->core = NULL;
    own->item = duet_alloc(own->count, sizeof *own->item, NULL);
    own->part = duet_alloc(own->count, sizeof *own->part, NULL);
    own->core_part = duet_alloc(own->count, sizeof *own->core_part, NULL);
    if (own->item == NULL || own->part == NULL || own->core_part == NULL) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(duet_pricing_create(&own->pricing, NULL));
    DUET_TRY(duet_branch_create(&own->branch, NULL));
    return duet_pricing_core_create(&own->core, NULL);
}

static void free_room(duet_configuration *own)
{
    duet_pricing_free(own->pricing);
    duet_branch_free(own->branch);
    duet_pricing_core_free(own->core);
    duet_free(own->item);
    duet_free(own->part);
    duet_free(own->core_part);
}

static void price_type(void *of, size_t i)
{
    desks *d = of;
    duet_configuration own = *d->start;
    bool first = !atomic_flag_test_and_set(&d->taken);
    duet_code code = DUET_OK;
    if (!first) {
        code = make_room(&own);
    }
    DUET_THEN(code, d->job(&own, d->type[i], d->scale, NULL));
    d->code[i] = code;
    d->unknown[i] = own.effort.unknown;
    if (first) {
        atomic_flag_clear(&d->taken);
    } else {
        free_room(&own);
    }
}

static duet_code price_in_turn(duet_configuration *c, duet_desk_job *job, double scale,
                               duet_error *error)
{
    for (size_t t = 0; t < c->types; t++) {
        if (c->state->processors[t] > 0 && !c->divisible[t]) {
            DUET_TRY(job(c, t, scale, error));
        }
    }
    return DUET_OK;
}

duet_code duet_desks_price(duet_configuration *c, duet_desk_job *job, double scale,
                           duet_error *error)
{
    if (has_releases(c)) {
        return price_in_turn(c, job, scale, error);
    }
    const duet_configuration start = *c;
    desks d = {.start = &start, .job = job, .scale = scale, .taken = ATOMIC_FLAG_INIT};
    size_t count = 0;
    for (size_t t = 0; t < c->types; t++) {
        if (c->state->processors[t] > 0 && !c->divisible[t]) {
            d.type[count++] = t;
        }
    }
    duet_tasks_share(count, price_type, &d);
    for (size_t i = 0; i < count; i++) {
        c->effort.unknown = c->effort.unknown || d.unknown[i];
        if (d.code[i] != DUET_OK) {
            return duet_error_set(error, d.code[i], "exact: out of memory");
        }
    }
    return DUET_OK;
}
