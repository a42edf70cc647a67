// SPDX-License-Identifier: Apache-2.0
// Inside of a price list, for the library's own modules.
#ifndef DUET_CORE_SOLUTION_PRICE_LIST_H
#define DUET_CORE_SOLUTION_PRICE_LIST_H

#include <stdatomic.h>

#include <duet/bound.h>

struct duet_price_list {
    atomic_size_t references;
    size_t types;
    size_t classes;
    int64_t *limit;        // per type
    duet_price_mode *mode; // per type
    int64_t price[];       // a row of one per type for each class; then the limits and modes
};

#endif
