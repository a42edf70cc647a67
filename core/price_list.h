// SPDX-License-Identifier: Apache-2.0
// Inside of a price list, for the library's own modules.
#ifndef DUET_CORE_PRICE_LIST_H
#define DUET_CORE_PRICE_LIST_H

#include <stdatomic.h>

#include <duet/bound.h>

enum { DUET_PRICE_TYPES = 2 };

struct duet_price_list {
    atomic_size_t references;
    size_t classes;
    duet_price_mode mode[DUET_PRICE_TYPES];
    int64_t limit[DUET_PRICE_TYPES];
    int64_t price[]; // classes x DUET_PRICE_TYPES
};

#endif
