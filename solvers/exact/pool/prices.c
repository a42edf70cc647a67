// SPDX-License-Identifier: Apache-2.0
// Prices in integers from the duals of a program over a list.
#include <math.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

// What a processor of the other type is in integers, such that all prices are below 2^31.
static double scale_of(const duet_list *list, const duet_list_duals *read)
{
    const double room = 0x1p30;
    double most = fmax(1, read->machine + read->most);
    for (size_t c = 0; c < list->classes->count; c++) {
        most = fmax(most, list->price[c]);
    }
    for (size_t p = 0; p < list->properties; p++) {
        most = fmax(most, fabs(list->property[p].dual));
    }
    // Whole multiples of the times lose nothing.
    double capacity = (double)list->classes->capacity[1 - list->type];
    double ticks = floor(room / most / capacity);
    return ticks >= 1 ? ticks * capacity : room / most;
}

// The duals of the counts in integers: each is that of the tightest bound on its side.
static duet_code round_counts(duet_list *list, double scale, duet_prices *prices, duet_error *error)
{
    prices->counts = 0;
    for (size_t i = 0; i < list->opened; i++) {
        duet_code code =
            duet_grow(&prices->count, i, &prices->count_room, sizeof *prices->count, error);
        if (code != DUET_OK) {
            return code;
        }
        const duet_list_bound *open = &list->open[i];
        double dual = list->property[open->property].dual;
        bool tightest = open->at_least ? dual > 0 : dual < 0;
        for (size_t j = 0; j < list->opened && tightest; j++) {
            const duet_list_bound *other = &list->open[j];
            bool same = other->property == open->property && other->at_least == open->at_least;
            int64_t tighter =
                open->at_least ? other->bound - open->bound : open->bound - other->bound;
            tightest = !same || tighter < 0 || (tighter == 0 && j >= i);
        }
        prices->count[prices->counts++] = tightest ? (int64_t)(fabs(dual) * scale + 0.5) : 0;
    }
    return DUET_OK;
}

duet_int128 duet_list_relief(const duet_list *list, const duet_prices *prices)
{
    duet_int128 relief = 0;
    for (size_t i = 0; i < prices->counts; i++) {
        duet_int128 part = (duet_int128)prices->count[i] * list->open[i].bound;
        relief += list->open[i].at_least ? -part : part;
    }
    return relief;
}

// The duals in integers. Classes that no pattern has are dear on the list's type: they cost
// nothing there. *fits: so does the limit.
static duet_code round_prices(duet_list *list, double scale, duet_prices *prices, bool *fits,
                              duet_error *error)
{
    const int64_t most = (INT64_C(1) << 31) - 1;
    const duet_classes *classes = list->classes;
    size_t type = list->type;
    size_t other = 1 - type;
    prices->id = -1;
    prices->weight[0] = prices->weight[1] = -1;
    prices->area[type] = prices->listed[other] = false;
    prices->area[other] = prices->listed[type] = true;
    prices->limit[other] = list->fitting ? 0 : (int64_t)scale;
    for (size_t c = 0; c < classes->count; c++) {
        prices->price[0][c] = prices->price[1][c] = 0;
        if (duet_class_fits(classes, c, other)) {
            prices->price[other][c] = (int64_t)((duet_int128)prices->limit[other] *
                                                classes->time[other][c] / classes->capacity[other]);
        }
        if (duet_class_fits(classes, c, type)) {
            prices->price[type][c] =
                list->listed[c] ? (int64_t)(list->price[c] * scale + 0.5) : most;
        }
    }
    int64_t limit = 0;
    duet_code code = duet_list_read_worths(list, prices, error);
    for (size_t i = 0; i < list->lives && code == DUET_OK; i++) {
        int64_t worth = duet_list_worth(list, list->live[i]);
        limit = worth > limit ? worth : limit;
    }
    prices->limit[type] = limit;
    *fits = limit <= most;
    return code;
}

// Prices in integers, and whether they refute the state.
duet_code duet_list_conclude(duet_list *list, const duet_remainder *state,
                             const duet_list_duals *read, duet_prices *prices, bool *refuted,
                             duet_error *error)
{
    duet_code code = DUET_OK;
    bool fits = false;
    double scale = scale_of(list, read);
    while (code == DUET_OK && !fits) {
        code = round_counts(list, scale, prices, error);
        if (code == DUET_OK) {
            code = round_prices(list, scale, prices, &fits, error);
        }
        scale = floor(scale / 2);
    }
    *refuted =
        code == DUET_OK &&
        duet_remainder_budget(list->classes, state, prices) + duet_list_relief(list, prices) < 0;
    return code;
}
