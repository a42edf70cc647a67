// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration.h"

#include <math.h>
#include <stdlib.h>

#include "core/exact.h"
#include "core/memory.h"
#include "lp/lp.h"
#include "lp/pricing.h"

enum {
    DISJOINT = 3,
    STORED = 6000
}; // DISJOINT: columns of one type in one round, of disjoint tasks. STORED: columns kept at most.

// Rows of a class: every task on some type, and those that are forced onto one. SIZE_MAX: no row.
typedef struct class_rows {
    size_t any;
    size_t on[2];
} class_rows;

typedef struct duet_stored_part {
    uint32_t class;
    uint32_t tasks;
} duet_stored_part;

typedef struct duet_stored_column {
    size_t type;
    size_t begin; // of its parts
    size_t parts;
} duet_stored_column;

struct duet_configuration {
    duet_column_store *store; // NULL: none
    const duet_classes *classes;
    const duet_remainder *state;
    bool area[2];
    duet_lp *lp;
    class_rows *row;
    size_t machine_row[2];
    duet_pricing *pricing;
    duet_pricing_item *item; // of the type being priced
    duet_pricing_part *part;
    double *dual[2];   // price of a task of a class on a type
    double *center[2]; // the best duals so far: smoothing pulls towards them
    double center_value;
    duet_prices trial;
};

void duet_configuration_modes(const duet_classes *classes, const int64_t weight[2], double most,
                              bool area[2], double tasks[2])
{
    double count[2] = {0, 0};
    for (size_t c = 0; c < classes->count; c++) {
        bool on_gpu = !duet_class_fits(classes, c, 0);
        if (!on_gpu && duet_class_fits(classes, c, 1)) {
            on_gpu = (duet_int128)weight[1] * classes->time[1][c] <
                     (duet_int128)weight[0] * classes->time[0][c];
        }
        count[on_gpu] += (double)classes->tasks[c];
    }
    for (size_t t = 0; t < 2; t++) {
        double machines = (double)classes->machines[t];
        count[t] = machines > 0 ? count[t] / machines : 0;
        area[t] = machines == 0 || count[t] > most;
        if (tasks != NULL) {
            tasks[t] = count[t];
        }
    }
}

static duet_code add_rows(duet_configuration *c, duet_error *error)
{
    const duet_remainder *state = c->state;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < c->classes->count && code == DUET_OK; i++) {
        class_rows *row = &c->row[i];
        *row = (class_rows){SIZE_MAX, {SIZE_MAX, SIZE_MAX}};
        if (state->low[i] < state->high[i]) {
            row->any = duet_lp_rows(c->lp);
            code = duet_lp_add_row(c->lp, (double)state->left[i], INFINITY, error);
        }
        for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
            int64_t least = duet_remainder_least(state, i, t);
            if (least > 0) {
                row->on[t] = duet_lp_rows(c->lp);
                code = duet_lp_add_row(c->lp, (double)least, INFINITY, error);
            }
        }
    }
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        c->machine_row[t] = duet_lp_rows(c->lp);
        code = duet_lp_add_row(c->lp, -INFINITY, 0, error);
    }
    return code;
}

static duet_code add_tasks(duet_configuration *c, size_t column, size_t type, size_t class,
                           double tasks, duet_error *error)
{
    const class_rows *row = &c->row[class];
    duet_code code = DUET_OK;
    if (row->any != SIZE_MAX) {
        code = duet_lp_add_entry(c->lp, row->any, column, tasks, error);
    }
    if (code == DUET_OK && row->on[type] != SIZE_MAX) {
        code = duet_lp_add_entry(c->lp, row->on[type], column, tasks, error);
    }
    return code;
}

// A column: a pattern of one processor, or (by area) one task with its share of a processor.
static duet_code add_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                            size_t parts, double share, duet_error *error)
{
    size_t column = duet_lp_columns(c->lp);
    duet_code code = duet_lp_add_column(c->lp, 0, INFINITY, 0, error);
    if (code == DUET_OK) {
        code = duet_lp_add_entry(c->lp, c->machine_row[type], column, share, error);
    }
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = add_tasks(c, column, type, part[p].class, (double)part[p].tasks, error);
    }
    return code;
}

// Column 0 is the factor; then one column per class and type, so that all can be covered.
static duet_code add_first_columns(duet_configuration *c, duet_error *error)
{
    duet_code code = duet_lp_add_column(c->lp, 0, INFINITY, 1, error);
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        if (c->state->machines[t] > 0) {
            code = duet_lp_add_entry(c->lp, c->machine_row[t], 0, -(double)c->state->machines[t],
                                     error);
        }
        for (size_t i = 0; i < c->classes->count && code == DUET_OK; i++) {
            int64_t most = duet_remainder_most(c->state, i, t);
            if (most == 0 || c->state->machines[t] == 0) {
                continue;
            }
            int64_t time = c->classes->time[t][i];
            int64_t fit = c->classes->capacity[t] / time;
            duet_pricing_part part = {i, most < fit ? most : fit};
            double share = 1;
            if (c->area[t]) {
                part.tasks = 1;
                share = (double)time / (double)c->classes->capacity[t];
            }
            code = add_column(c, t, &part, 1, share, error);
        }
    }
    return code;
}

void duet_column_store_free(duet_column_store *store)
{
    free(store->part);
    free(store->column);
    *store = (duet_column_store){.columns = 0};
}

// Remembers a pattern. Beyond a number it starts afresh: the oldest are the least useful.
static duet_code store_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                              size_t parts, duet_error *error)
{
    duet_column_store *store = c->store;
    if (store == NULL || store->columns >= STORED) {
        return DUET_OK;
    }
    duet_code code = duet_grow(&store->column, store->columns, &store->column_room,
                               sizeof *store->column, error);
    size_t begin = store->parts;
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_grow(&store->part, store->parts, &store->part_room, sizeof *store->part, error);
        if (code == DUET_OK) {
            store->part[store->parts++] =
                (duet_stored_part){(uint32_t)part[p].class, (uint32_t)part[p].tasks};
        }
    }
    if (code == DUET_OK) {
        store->column[store->columns++] = (duet_stored_column){type, begin, parts};
    }
    return code;
}

// The patterns of earlier relaxations that fit this one.
static duet_code add_stored(duet_configuration *c, duet_error *error)
{
    duet_column_store *store = c->store;
    if (store == NULL) {
        return DUET_OK;
    }
    if (store->classes != c->classes->count || store->valid != c->classes->valid ||
        store->columns >= STORED) {
        store->columns = store->parts = 0;
        store->classes = c->classes->count;
        store->valid = c->classes->valid;
    }
    duet_code code = DUET_OK;
    for (size_t i = 0; i < store->columns && code == DUET_OK; i++) {
        const duet_stored_column *column = &store->column[i];
        const duet_stored_part *part = store->part + column->begin;
        int64_t time = 0;
        bool fits = !c->area[column->type] && c->state->machines[column->type] > 0;
        for (size_t p = 0; p < column->parts && fits; p++) {
            c->part[p] = (duet_pricing_part){part[p].class, part[p].tasks};
            time += c->classes->time[column->type][part[p].class] * part[p].tasks;
            fits = duet_remainder_most(c->state, part[p].class, column->type) >= part[p].tasks;
        }
        if (fits && time <= c->classes->capacity[column->type]) {
            code = add_column(c, column->type, c->part, column->parts, 1, error);
        }
    }
    return code;
}

duet_code duet_configuration_create(const duet_classes *classes, const duet_remainder *state,
                                    const bool area[2], duet_column_store *store,
                                    duet_configuration **out, duet_error *error)
{
    *out = NULL;
    duet_configuration *c = duet_alloc(1, sizeof *c, error);
    if (c == NULL) {
        return DUET_E_MEMORY;
    }
    c->store = store;
    c->classes = classes;
    c->state = state;
    c->area[0] = area[0];
    c->area[1] = area[1];
    c->row = duet_alloc(classes->count, sizeof *c->row, error);
    c->item = duet_alloc(classes->count, sizeof *c->item, error);
    c->part = duet_alloc(classes->count, sizeof *c->part, error);
    duet_code code = c->row != NULL && c->item != NULL && c->part != NULL ? DUET_OK : DUET_E_MEMORY;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        c->dual[t] = duet_alloc(classes->count, sizeof *c->dual[t], error);
        c->center[t] = duet_alloc(classes->count, sizeof *c->center[t], error);
        code = c->dual[t] != NULL && c->center[t] != NULL ? DUET_OK : DUET_E_MEMORY;
    }
    if (code == DUET_OK) {
        code = duet_prices_create(classes, &c->trial, error);
    }
    if (code == DUET_OK) {
        code = duet_pricing_create(&c->pricing, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_create(&c->lp, error);
    }
    if (code == DUET_OK) {
        code = add_rows(c, error);
    }
    if (code == DUET_OK) {
        code = add_first_columns(c, error);
    }
    if (code == DUET_OK) {
        code = add_stored(c, error);
    }
    if (code != DUET_OK) {
        duet_configuration_free(c);
        return code;
    }
    *out = c;
    return DUET_OK;
}

void duet_configuration_free(duet_configuration *c)
{
    if (c != NULL) {
        free(c->row);
        free(c->item);
        free(c->part);
        free(c->dual[0]);
        free(c->dual[1]);
        free(c->center[0]);
        free(c->center[1]);
        duet_prices_free(&c->trial);
        duet_pricing_free(c->pricing);
        duet_lp_free(c->lp);
        free(c);
    }
}

// Dual prices of the last master program, and of a processor of each type.
static void read_duals(duet_configuration *c, double machine[2])
{
    for (size_t t = 0; t < 2; t++) {
        double dual = duet_lp_dual(c->lp, c->machine_row[t]);
        machine[t] = dual < 0 ? -dual : 0;
        for (size_t i = 0; i < c->classes->count; i++) {
            double price = 0;
            if (c->row[i].any != SIZE_MAX) {
                price += fmax(0, duet_lp_dual(c->lp, c->row[i].any));
            }
            if (c->row[i].on[t] != SIZE_MAX) {
                price += fmax(0, duet_lp_dual(c->lp, c->row[i].on[t]));
            }
            c->dual[t][i] = price;
        }
    }
}

// The items of a type at no price yet.
static size_t list_items(duet_configuration *c, size_t type)
{
    size_t items = 0;
    for (size_t i = 0; i < c->classes->count; i++) {
        // The root's counts: the prices then hold at every node.
        if (duet_class_fits(c->classes, i, type)) {
            c->item[items++] =
                (duet_pricing_item){i, c->classes->time[type][i], 0, c->classes->tasks[i]};
        }
    }
    return items;
}

// What a unit of price is in integers, such that no load of a processor of either type is worth
// more than the tables can take.
static double scale_of(duet_configuration *c, int64_t length)
{
    const double room = (double)(INT64_C(1) << 25);
    double scale = room;
    for (size_t t = 0; t < 2; t++) {
        size_t items = list_items(c, t);
        double densest = 0;
        for (size_t i = 0; i < items; i++) {
            double density = c->dual[t][c->item[i].class] / (double)c->item[i].time;
            densest = density > densest ? density : densest;
        }
        if (densest > 0 && c->state->machines[t] > 0) {
            double most = c->area[t] ? room : (double)duet_pricing_scale(c->item, items, length);
            scale = fmin(scale, 0.98 * most / (densest * (double)length));
        }
    }
    return scale;
}

// The limit of a type for a capacity. By area it is the densest task's, and every task is then
// worth as much as that allows.
static duet_code limit_type(duet_configuration *c, size_t type, int64_t capacity, duet_error *error)
{
    duet_prices *prices = &c->trial;
    size_t items = list_items(c, type);
    prices->area[type] = c->area[type];
    prices->limit[type] = 0;
    for (size_t i = 0; i < items; i++) {
        c->item[i].price = prices->price[type][c->item[i].class];
    }
    if (!c->area[type]) {
        duet_code code = duet_pricing_solve(c->pricing, c->item, items, capacity, error);
        if (code == DUET_OK) {
            prices->limit[type] = duet_pricing_value(c->pricing, capacity);
        }
        return code;
    }
    for (size_t i = 0; i < items; i++) {
        duet_int128 needed = (duet_int128)c->item[i].price * capacity;
        int64_t limit = (int64_t)((needed + c->item[i].time - 1) / c->item[i].time);
        prices->limit[type] = limit > prices->limit[type] ? limit : prices->limit[type];
    }
    for (size_t i = 0; i < items; i++) {
        duet_int128 worth = (duet_int128)prices->limit[type] * c->item[i].time / capacity;
        prices->price[type][c->item[i].class] = (int64_t)worth;
    }
    return DUET_OK;
}

// The duals as integer prices at a scale, valid for a length; *budget is what they leave.
static duet_code round_prices(duet_configuration *c, double scale, int64_t length,
                              duet_int128 *budget, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        for (size_t i = 0; i < c->classes->count; i++) {
            bool fits = duet_class_fits(c->classes, i, t) && c->state->machines[t] > 0;
            c->trial.price[t][i] = fits ? (int64_t)(c->dual[t][i] * scale + 0.5) : 0;
        }
        code = limit_type(c, t, length / c->classes->unit[t] * c->classes->unit[t], error);
    }
    *budget = duet_remainder_budget(c->classes, c->state, &c->trial);
    return code;
}

// Adds patterns that are worth more than their processor costs. Returns how many in *added.
static duet_code add_patterns(duet_configuration *c, size_t type, double machine, double scale,
                              int *added, duet_error *error)
{
    int64_t capacity = c->classes->capacity[type];
    size_t items = list_items(c, type);
    for (size_t i = 0; i < items; i++) {
        c->item[i].price = (int64_t)(c->dual[type][c->item[i].class] * scale);
        c->item[i].most = duet_remainder_most(c->state, c->item[i].class, type);
    }
    for (int round = 0; round < DISJOINT; round++) {
        duet_code code = duet_pricing_solve(c->pricing, c->item, items, capacity, error);
        if (code != DUET_OK) {
            return code;
        }
        int64_t value = duet_pricing_value(c->pricing, capacity);
        if ((double)value <= machine * scale * (1 + 1e-9) + 1e-6) {
            break;
        }
        size_t parts = duet_pricing_set(c->pricing, capacity, c->part);
        double worth = 0;
        for (size_t p = 0; p < parts; p++) {
            worth += c->dual[type][c->part[p].class] * (double)c->part[p].tasks;
        }
        if (worth <= machine * (1 + 1e-7)) {
            break;
        }
        code = add_column(c, type, c->part, parts, 1, error);
        if (code == DUET_OK) {
            code = store_column(c, type, c->part, parts, error);
        }
        if (code != DUET_OK) {
            return code;
        }
        (*added)++;
        for (size_t p = 0; p < parts; p++) {
            for (size_t i = 0; i < items; i++) {
                c->item[i].price = c->item[i].class == c->part[p].class ? 0 : c->item[i].price;
            }
        }
    }
    return DUET_OK;
}

// Longer lengths that the same duals refute, in growing steps and back. *length is refuted.
static duet_code jump(duet_configuration *c, int64_t *length, duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t step = 1;
    bool growing = true;
    while (step > 0 && code == DUET_OK) {
        int64_t next = *length + step;
        duet_int128 budget = 0;
        if (next <= c->classes->valid) {
            code = round_prices(c, scale_of(c, next), next, &budget, error);
        }
        if (budget < 0) {
            *length = next;
            step = growing ? step * 2 : step / 2;
        } else {
            growing = false;
            step /= 2;
        }
    }
    return code;
}

// The smallest prices of a refutation that still are one: the checker's knapsack runs over them.
static duet_code coarsen(duet_configuration *c, int64_t length, duet_prices *prices,
                         duet_error *error)
{
    enum { shifts = 14 };
    double scale = scale_of(c, length);
    for (int shift = shifts; shift >= 0; shift--) {
        duet_int128 budget;
        duet_code code = round_prices(c, ldexp(scale, -shift), length, &budget, error);
        if (code != DUET_OK || budget < 0) {
            duet_prices_copy(c->classes, &c->trial, prices);
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_configuration_solve(duet_configuration *c, int iterations,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error)
{
    int64_t length = c->classes->length;
    *answer = (duet_configuration_answer){.proven = length};
    double least = INFINITY;
    while (answer->iterations < iterations) {
        answer->iterations++;
        duet_code code = duet_lp_solve(c->lp, false, context, error);
        if (code != DUET_OK || duet_lp_get_status(c->lp) != DUET_LP_OPTIMAL) {
            return code; // stopped, or tasks without processors that no factor can cover
        }
        double machine[2];
        read_duals(c, machine);
        double scale = scale_of(c, length);
        duet_int128 budget;
        code = round_prices(c, scale, length, &budget, error);
        if (code != DUET_OK) {
            return code;
        }
        if ((double)budget / scale < least) {
            least = (double)budget / scale;
            duet_prices_copy(c->classes, &c->trial, prices);
            answer->any = true;
        }
        if (budget < 0) {
            answer->refuted = true;
            code = jump(c, &answer->proven, error);
            return code == DUET_OK ? coarsen(c, answer->proven, prices, error) : code;
        }
        int added = 0;
        for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
            if (!c->area[t] && c->state->machines[t] > 0) {
                code = add_patterns(c, t, machine[t], scale, &added, error);
            }
        }
        if (code != DUET_OK) {
            return code;
        }
        if (added == 0) {
            answer->settled = true;
            return DUET_OK;
        }
    }
    return DUET_OK;
}
