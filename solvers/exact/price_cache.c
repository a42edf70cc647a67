// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/price_cache.h"

#include <string.h>

bool duet_price_cache_recall(const duet_exact *s, duet_search *search, duet_prices *prices)
{
    for (size_t i = 0; i < DUET_EXACT_CACHE; i++) {
        const duet_exact_cached *entry = &s->cache[i];
        if (entry->used && entry->guess == search->classes->guess &&
            entry->divisible[0] == search->divisible[0] &&
            entry->divisible[1] == search->divisible[1]) {
            duet_prices_copy(search->classes, &entry->prices, prices);
            memcpy(search->pooled, entry->pooled, sizeof entry->pooled);
            return true;
        }
    }
    return false;
}

duet_code duet_price_cache_keep(duet_exact *s, const duet_search *search, const duet_prices *prices,
                                duet_error *error)
{
    duet_exact_cached *entry = &s->cache[s->cached++ % DUET_EXACT_CACHE];
    duet_prices_free(&entry->prices);
    entry->used = false;
    duet_code code = duet_prices_create(search->classes, &entry->prices, error);
    if (code == DUET_OK) {
        duet_prices_copy(search->classes, prices, &entry->prices);
        entry->guess = search->classes->guess;
        memcpy(entry->divisible, search->divisible, sizeof entry->divisible);
        memcpy(entry->pooled, search->pooled, sizeof entry->pooled);
        entry->used = true;
    }
    return code;
}
