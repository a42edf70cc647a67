// SPDX-License-Identifier: Apache-2.0
// Price lists: immutable, with counted references.
#include "core/solution/price_list.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_price_list_create_types(size_t types, size_t classes, const duet_price_mode *modes,
                                       const int64_t *limits, const int64_t *prices,
                                       const duet_price_list **out, duet_error *error)
{
    *out = NULL;
    if (types == 0 || types > DUET_MAX_TYPES) {
        return duet_error_set(error, DUET_E_USAGE,
                              "prices for %zu processor types: expected 1 to %d", types,
                              DUET_MAX_TYPES);
    }
    size_t row = types * sizeof *prices;
    DUET_TRY(duet_memory_check(classes, row, 0, "the prices of a certificate", error));
    duet_price_list *list =
        duet_alloc(1, sizeof *list + (classes + 1) * row + types * sizeof *list->mode, error);
    DUET_NEED(list);
    atomic_init(&list->references, 1);
    list->types = types;
    list->classes = classes;
    list->limit = list->price + types * classes;
    list->mode = (duet_price_mode *)(list->limit + types);
    for (size_t t = 0; t < types; t++) {
        list->mode[t] = modes[t];
        list->limit[t] = limits[t];
    }
    if (classes > 0) {
        memcpy(list->price, prices, classes * row);
    }
    *out = list;
    return DUET_OK;
}

duet_code duet_price_list_create(size_t classes, const duet_price_mode *modes,
                                 const int64_t *limits, const int64_t *prices,
                                 const duet_price_list **out, duet_error *error)
{
    return duet_price_list_create_types(2, classes, modes, limits, prices, out, error);
}

// The count is the one thing that changes in a list that is otherwise constant.
static atomic_size_t *references(const duet_price_list *list)
{
    return &((duet_price_list *)list)->references;
}

const duet_price_list *duet_price_list_retain(const duet_price_list *list)
{
    if (list != NULL) {
        atomic_fetch_add_explicit(references(list), 1, memory_order_relaxed);
    }
    return list;
}

void duet_price_list_release(const duet_price_list *list)
{
    // Whoever frees it must see all that others did with it before they let go.
    if (list != NULL && atomic_fetch_sub_explicit(references(list), 1, memory_order_acq_rel) == 1) {
        duet_free((duet_price_list *)list);
    }
}

size_t duet_price_list_types(const duet_price_list *list)
{
    return list->types;
}

size_t duet_price_list_classes(const duet_price_list *list)
{
    return list->classes;
}

duet_price_mode duet_price_list_mode(const duet_price_list *list, size_t type)
{
    return list->mode[type];
}

int64_t duet_price_list_limit(const duet_price_list *list, size_t type)
{
    return list->limit[type];
}

const int64_t *duet_price_list_prices(const duet_price_list *list)
{
    return list->price;
}
