// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/prices.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/moldable/ascent.h"
#include "lp/moldable/crossings.h"

duet_certificate duet_mode_prices_certificate(const duet_modes *modes,
                                              const duet_mode_prices *multipliers)
{
    duet_certificate certificate = {.proof = DUET_PROOF_MOLDABLE_PRICES,
                                    .lambda = modes->guess + 1,
                                    .types = modes->instance->types};
    memcpy(certificate.weight, multipliers->area, sizeof multipliers->area);
    memcpy(certificate.count_weight, multipliers->width, sizeof multipliers->width);
    return certificate;
}

// The type that has processors; `types` where there are several, or none.
static size_t only_type(const duet_instance *instance)
{
    size_t only = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->processors[t] > 0) {
            if (only < instance->types) {
                return instance->types;
            }
            only = t;
        }
    }
    return only;
}

duet_code duet_mode_prices_find(const duet_modes *modes, duet_priced priced,
                                const duet_context *context, duet_mode_prices *multipliers,
                                bool *refuted, duet_error *error)
{
    size_t only = only_type(modes->instance);
    duet_code code = DUET_OK;
    if (modes->nowhere < SIZE_MAX) { // whatever the multipliers
        *multipliers = (duet_mode_prices){.area = {1}};
        *refuted = true;
        return DUET_OK;
    }
    if (only == modes->instance->types) {
        code = duet_ascend(modes, priced, context, multipliers, error);
    } else {
        memset(multipliers, 0, sizeof *multipliers);
        multipliers->area[only] = 1;
        if (priced == DUET_PRICED_ALL && !duet_mode_prices_refute(modes, multipliers)) {
            code = duet_best_crossing(modes, only, multipliers, error);
        }
    }
    *refuted = code == DUET_OK && duet_mode_prices_refute(modes, multipliers);
    return code;
}

// The search for the largest guess that is refuted.
typedef struct price_search {
    duet_modes modes;
    duet_priced priced;
    const duet_context *context;
    duet_mode_prices current; // where the next search starts
    duet_bound *bound;        // the best so far
} price_search;

static duet_code ask(price_search *search, int64_t guess, bool *refuted, duet_error *error)
{
    DUET_TRY(duet_modes_list(&search->modes, guess, error));
    DUET_TRY(duet_mode_prices_find(&search->modes, search->priced, search->context,
                                   &search->current, refuted, error));
    if (*refuted) {
        search->bound->value = guess + 1;
        search->bound->certificate = duet_mode_prices_certificate(&search->modes, &search->current);
    }
    return DUET_OK;
}

// All work at its least area on all processors at once: where the search begins.
static int64_t first_guess(const duet_modes *modes)
{
    const duet_instance *instance = modes->instance;
    duet_int128 area = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t least = INT64_MAX;
        for (size_t t = 0; t < instance->types; t++) {
            duet_time_table table = duet_table_of(instance, i, t);
            int64_t size = duet_cheapest_size(table, modes->monotone[i], INT64_MAX);
            if (size > 0 && duet_area_at(table, size) < least) {
                least = duet_area_at(table, size);
            }
        }
        area += (duet_int128)least * duet_count(instance, i);
    }
    int64_t processors = duet_all_counts(instance);
    duet_int128 guess = processors > 0 ? area / processors : 0;
    return guess > DUET_MAX_WORK ? DUET_MAX_WORK : (int64_t)guess;
}

// Doubles the steps up to a guess that is not refuted, then halves the interval.
static duet_code climb(price_search *search, duet_error *error)
{
    int64_t guess = first_guess(&search->modes);
    int64_t limit = INT64_MAX; // the least guess that was not refuted
    guess = duet_max(guess, search->bound->value);
    for (int64_t step = 1; search->bound->value < limit && !duet_context_stop(search->context);) {
        bool refuted = false;
        DUET_TRY(ask(search, guess, &refuted, error));
        limit = refuted ? limit : guess;
        int64_t lower = search->bound->value;
        if (limit < INT64_MAX) {
            guess = lower + (limit - lower) / 2;
        } else {
            guess = lower > DUET_MAX_WORK - step ? DUET_MAX_WORK : lower + step;
            step *= 2;
        }
    }
    return DUET_OK;
}

duet_code duet_moldable_bound(const duet_instance *instance, duet_priced priced,
                              const duet_context *context, duet_bound *bound, duet_error *error)
{
    duet_code code = duet_longest_bound(instance, context, bound, error);
    bound->name = priced == DUET_PRICED_ALL ? "prices" : "area";
    bound->exact[0] = '\0';
    if (code != DUET_OK || instance->kinds == 0) {
        return code;
    }
    price_search search = {.priced = priced, .context = context, .bound = bound};
    code = duet_modes_create(instance, &search.modes, error);
    DUET_THEN(code, climb(&search, error));
    duet_modes_free(&search.modes);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context, duet_bound *bound,
                     duet_error *error)
{
    return duet_moldable_bound(instance, DUET_PRICED_ALL, context, bound, error);
}

const duet_bound_method duet_bound_prices = {
    .entry = {.name = "prices",
              .summary = "moldable tasks: areas, and what is longer than half the makespan at once",
              .reference = "",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_GRAPHS | DUET_FEATURE_RIGID},
    .run = run,
};
