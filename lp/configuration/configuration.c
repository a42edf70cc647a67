// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration/configuration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fraction.h"
#include "core/memory.h"
#include "lp/configuration/state.h"

// What a solve is for.
typedef enum purpose {
    DECIDE, // whether the length is refuted, and how much longer ones
    PROBE,  // the first alone, at one node of many
    SETTLE  // the solution of the relaxation
} purpose;

enum {
    DISJOINT = 3, // columns of one type in one round, of disjoint tasks
    BRANCH_STEPS = 5000000,
    SMALL = 11, // bits by which the prices of a node are smaller, or some less
    SMALL_STEP = 2,
    SMALL_ENOUGH = 7, // with fewer the checker takes long
    TRIAL_STEPS = 30, // of the dual simplex method
};

// Whether all tasks of a class have to go to a type that is priced by area: their share of it is a
// constant, unless the program that this one starts from has rows for them.
static bool is_settled(const duet_configuration *c, size_t class, size_t type)
{
    return c->area[type] && c->state->left[class] > 0 &&
           duet_residual_least(c->state, class, type) == c->state->left[class] &&
           (c->start == NULL || c->start->settled[class]);
}

static duet_code add_rows(duet_configuration *c, duet_error *error)
{
    const duet_residual *state = c->state;
    double settled[2] = {0, 0}; // processors
    duet_code code = DUET_OK;
    for (size_t i = 0; i < c->classes->count && code == DUET_OK; i++) {
        class_rows *row = &c->row[i];
        *row = (class_rows){SIZE_MAX, {SIZE_MAX, SIZE_MAX}};
        size_t type = is_settled(c, i, 1);
        c->settled[i] = is_settled(c, i, type);
        if (c->settled[i]) {
            settled[type] += (double)state->left[i] * (double)c->classes->time[type][i] /
                             (double)c->classes->capacity[type];
            continue;
        }
        if (state->low[i] < state->high[i]) {
            row->any = duet_lp_rows(c->lp);
            code = duet_lp_add_row(c->lp, (double)state->left[i], INFINITY, error);
        }
        for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
            int64_t least = duet_residual_least(state, i, t);
            if (least > 0) {
                row->on[t] = duet_lp_rows(c->lp);
                code = duet_lp_add_row(c->lp, (double)least, INFINITY, error);
            }
        }
    }
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        c->processor_row[t] = duet_lp_rows(c->lp);
        code = duet_lp_add_row(c->lp, -INFINITY, -settled[t], error);
    }
    return code;
}

static duet_code add_tasks(duet_configuration *c, size_t column, size_t type, size_t class,
                           double tasks, duet_error *error)
{
    const class_rows *row = &c->row[class];
    duet_code code = DUET_OK;
    if (row->any == SIZE_MAX && row->on[type] == SIZE_MAX && row->on[1 - type] != SIZE_MAX) {
        // Only a column that is closed has such tasks. Its reduced cost stays as it was.
        return duet_lp_add_entry(c->lp, row->on[1 - type], column, tasks, error);
    }
    if (row->any != SIZE_MAX) {
        code = duet_lp_add_entry(c->lp, row->any, column, tasks, error);
    }
    if (code == DUET_OK && row->on[type] != SIZE_MAX) {
        code = duet_lp_add_entry(c->lp, row->on[type], column, tasks, error);
    }
    return code;
}

static duet_code list_pattern(duet_configuration *c, size_t column, size_t type,
                              const duet_pricing_part *part, size_t parts, duet_error *error)
{
    duet_code code =
        duet_grow(&c->pattern, c->patterns, &c->pattern_room, sizeof *c->pattern, error);
    size_t begin = c->contents;
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_grow(&c->content, c->contents, &c->content_room, sizeof *c->content, error);
        if (code == DUET_OK) {
            c->content[c->contents++] = part[p];
        }
    }
    if (code == DUET_OK) {
        c->pattern[c->patterns++] = (pattern_column){column, type, begin, parts, SIZE_MAX};
    }
    return code;
}

// How many tasks of a pattern a tally counts.
static int64_t counted(const duet_configuration *c, const duet_branching_row *branching_row,
                       const duet_pricing_part *part, size_t parts)
{
    int64_t tasks = 0;
    for (size_t p = 0; p < parts; p++) {
        tasks +=
            duet_branching_row_has(c->classes, branching_row, part[p].class) ? part[p].tasks : 0;
    }
    return tasks;
}

// A pattern's entry in the row of a tally.
static duet_code add_counted(duet_configuration *c, const duet_branching_row *branching_row,
                             size_t row, const pattern_column *pattern, duet_error *error)
{
    int64_t tasks = pattern->type != branching_row->type
                        ? 0
                        : counted(c, branching_row, c->content + pattern->begin, pattern->parts);
    return tasks == 0 ? DUET_OK
                      : duet_lp_add_entry(c->lp, row, pattern->column, (double)tasks, error);
}

// A column: a pattern of one processor, or (by area) one task with its share of a processor.
static duet_code add_column(duet_configuration *c, size_t type, const duet_pricing_part *part,
                            size_t parts, double share, duet_error *error)
{
    size_t column = duet_lp_columns(c->lp);
    duet_code code = duet_lp_add_column(c->lp, 0, INFINITY, 0, error);
    if (code == DUET_OK) {
        code = duet_lp_add_entry(c->lp, c->processor_row[type], column, share, error);
    }
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = add_tasks(c, column, type, part[p].class, (double)part[p].tasks, error);
    }
    if (code == DUET_OK && !c->area[type]) {
        code = list_pattern(c, column, type, part, parts, error);
        for (size_t k = 0; k < c->branching_rows && code == DUET_OK; k++) {
            code = add_counted(c, &c->branching_row[k], c->branching_lp_row[k],
                               &c->pattern[c->patterns - 1], error);
        }
    }
    return code;
}

// A column that the program it starts from has in its basis, and that no longer fits: it leaves the
// basis by the dual simplex method.
static duet_code add_closed(duet_configuration *c, size_t type, const duet_pricing_part *part,
                            size_t parts, double share, duet_error *error)
{
    size_t column = duet_lp_columns(c->lp);
    duet_code code = add_column(c, type, part, parts, share, error);
    if (code == DUET_OK) {
        duet_lp_bound_column(c->lp, column, 0, 0);
    }
    return code;
}

// The column of a class's tasks alone.
static duet_code add_single(duet_configuration *c, size_t type, size_t class, duet_error *error)
{
    int64_t most = duet_residual_most(c->state, class, type);
    bool closed = most == 0;
    c->single[type][class] = SIZE_MAX;
    if (c->state->processors[type] == 0 || c->settled[class] ||
        (closed && (c->start == NULL || !c->start->single[type][class]))) {
        return DUET_OK;
    }
    int64_t time = c->classes->time[type][class];
    int64_t fit = c->classes->capacity[type] / time;
    duet_pricing_part part = {class, closed ? 1 : most < fit ? most : fit};
    double share = 1;
    if (c->area[type]) {
        part.tasks = 1;
        share = (double)time / (double)c->classes->capacity[type];
    }
    c->single[type][class] = duet_lp_columns(c->lp);
    return closed ? add_closed(c, type, &part, 1, share, error)
                  : add_column(c, type, &part, 1, share, error);
}

// Column 0 is the factor; then one column per class and type, so that all can be covered.
static duet_code add_first_columns(duet_configuration *c, duet_error *error)
{
    duet_code code = duet_lp_add_column(c->lp, 0, INFINITY, 1, error);
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        if (c->state->processors[t] > 0) {
            code = duet_lp_add_entry(c->lp, c->processor_row[t], 0,
                                     -(double)c->state->processors[t], error);
        }
        for (size_t i = 0; i < c->classes->count && code == DUET_OK; i++) {
            code = add_single(c, t, i, error);
        }
    }
    return code;
}

// The last column is this of the store, if it could be added.
static void note_stored(duet_configuration *c, size_t stored, duet_code code)
{
    if (code == DUET_OK) {
        c->pattern[c->patterns - 1].stored = stored;
    }
}

// The patterns of earlier relaxations that fit this one.
static duet_code add_stored(duet_configuration *c, duet_error *error)
{
    duet_column_store *store = c->store;
    duet_code code = DUET_OK;
    for (size_t i = 0; store != NULL && i < store->columns && code == DUET_OK; i++) {
        const duet_stored_column *column = &store->column[i];
        if (!c->area[column->type] &&
            duet_column_store_fits(store, column, c->classes, c->state, c->part)) {
            code = add_column(c, column->type, c->part, column->parts, 1, error);
            note_stored(c, i, code);
        }
    }
    return code;
}

// Those that it starts from and that no longer fit.
static duet_code add_gone(duet_configuration *c, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t p = 0; c->start != NULL && p < c->start->patterns && code == DUET_OK; p++) {
        size_t i = c->start->stored[p];
        const duet_stored_column *column = &c->store->column[i];
        if (!duet_column_store_fits(c->store, column, c->classes, c->state, c->part)) {
            duet_column_store_read(c->store, column, c->part);
            code = add_closed(c, column->type, c->part, column->parts, 1, error);
            note_stored(c, i, code);
        }
    }
    return code;
}

// Whether a start is of use: its patterns are still there, and of the same types.
static bool may_start(const duet_configuration *c, const duet_configuration_start *start)
{
    return start != NULL && start->classes == c->classes->count && c->store != NULL &&
           c->store->renewals == start->renewals && c->area[0] == start->area[0] &&
           c->area[1] == start->area[1];
}

static duet_code allocate(duet_configuration *c, duet_error *error)
{
    size_t classes = c->classes->count;
    c->settled = duet_alloc(classes, sizeof *c->settled, error);
    c->row = duet_alloc(classes, sizeof *c->row, error);
    c->item = duet_alloc(classes, sizeof *c->item, error);
    c->part = duet_alloc(classes, sizeof *c->part, error);
    bool all = c->settled != NULL && c->row != NULL && c->item != NULL && c->part != NULL;
    for (size_t t = 0; t < 2 && all; t++) {
        c->single[t] = duet_alloc(classes, sizeof *c->single[t], error);
        c->dearest[t] = duet_alloc(classes, sizeof *c->dearest[t], error);
        c->dual[t] = duet_alloc(classes, sizeof *c->dual[t], error);
        c->center[t] = duet_alloc(classes, sizeof *c->center[t], error);
        c->last[t] = duet_alloc(classes, sizeof *c->last[t], error);
        all = c->single[t] != NULL && c->dearest[t] != NULL && c->dual[t] != NULL &&
              c->center[t] != NULL && c->last[t] != NULL;
    }
    return all ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_configuration_create(const duet_classes *classes, const duet_residual *state,
                                    const bool area[2], duet_column_store *store,
                                    const duet_configuration_start *start, duet_configuration **out,
                                    duet_error *error)
{
    *out = NULL;
    duet_configuration *c = duet_alloc(1, sizeof *c, error);
    if (c == NULL) {
        return DUET_E_MEMORY;
    }
    c->store = store;
    c->classes = classes;
    c->state = state;
    for (size_t t = 0; t < 2; t++) {
        c->area[t] = area[t];
        c->branching[t] = true;
    }
    if (store != NULL) {
        duet_column_store_begin(store, classes);
    }
    c->start = may_start(c, start) ? start : NULL;
    duet_code code = allocate(c, error);
    if (code == DUET_OK) {
        code = duet_prices_create(classes, &c->trial, error);
    }
    if (code == DUET_OK) {
        code = duet_pricing_create(&c->pricing, error);
    }
    if (code == DUET_OK) {
        code = duet_branch_create(&c->branch, error);
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
    if (code == DUET_OK) {
        code = add_gone(c, error);
    }
    if (code != DUET_OK) {
        duet_configuration_free(c);
        return code;
    }
    *out = c;
    return DUET_OK;
}

// A row for a tally, with a column for what falls short of it or is beyond.
static duet_code add_tally_row(duet_configuration *c, const duet_branching_row *branching_row,
                               size_t *row, size_t *column, duet_error *error)
{
    const double cost = 1; // of a task: more than any is worth
    *row = duet_lp_rows(c->lp);
    *column = duet_lp_columns(c->lp);
    duet_code code =
        duet_lp_add_row(c->lp, branching_row->at_least ? (double)branching_row->bound : -INFINITY,
                        branching_row->at_least ? INFINITY : (double)branching_row->bound, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(c->lp, 0, INFINITY, cost, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(c->lp, *row, *column, branching_row->at_least ? 1 : -1, error);
    }
    for (size_t i = 0; i < c->patterns && code == DUET_OK; i++) {
        code = add_counted(c, branching_row, *row, &c->pattern[i], error);
    }
    return code;
}

duet_code duet_configuration_add_branching_rows(duet_configuration *c,
                                                const duet_branching_row *branching_row,
                                                size_t branching_rows, duet_error *error)
{
    if (branching_rows == 0) {
        return DUET_OK;
    }
    c->branching_lp_row = duet_alloc(branching_rows, sizeof *c->branching_lp_row, error);
    c->branching_lp_column = duet_alloc(branching_rows, sizeof *c->branching_lp_column, error);
    c->last_branching = duet_alloc(branching_rows, sizeof *c->last_branching, error);
    c->center_branching = duet_alloc(branching_rows, sizeof *c->center_branching, error);
    c->branching_dual = duet_alloc(branching_rows, sizeof *c->branching_dual, error);
    if (c->branching_lp_row == NULL || c->branching_lp_column == NULL ||
        c->last_branching == NULL || c->center_branching == NULL || c->branching_dual == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_prices_make_room(&c->trial, branching_rows, error);
    for (size_t k = 0; k < branching_rows && code == DUET_OK; k++) {
        code = add_tally_row(c, &branching_row[k], &c->branching_lp_row[k],
                             &c->branching_lp_column[k], error);
    }
    c->branching_row = branching_row;
    c->branching_rows = branching_rows;
    c->trial.counts = branching_rows;
    return code;
}

void duet_configuration_free(duet_configuration *c)
{
    if (c != NULL) {
        duet_free(c->settled);
        duet_free(c->row);
        duet_free(c->item);
        duet_free(c->part);
        duet_free(c->dearest[0]);
        duet_free(c->dearest[1]);
        duet_free(c->single[0]);
        duet_free(c->single[1]);
        duet_free(c->dual[0]);
        duet_free(c->dual[1]);
        duet_free(c->center[0]);
        duet_free(c->center[1]);
        duet_free(c->last[0]);
        duet_free(c->last[1]);
        duet_free(c->branching_lp_row);
        duet_free(c->branching_lp_column);
        duet_free(c->last_branching);
        duet_free(c->center_branching);
        duet_free(c->branching_dual);
        duet_free(c->pattern);
        duet_free(c->content);
        duet_prices_free(&c->trial);
        duet_pricing_free(c->pricing);
        duet_branch_free(c->branch);
        duet_lp_free(c->lp);
        duet_free(c);
    }
}

// Dual prices of the last master program, and of a processor of each type. A task's are what it
// adds to a pattern: those of the tallies are in them, and may make it less than nothing.
static void read_duals(duet_configuration *c)
{
    c->factor = duet_lp_objective(c->lp);
    for (size_t k = 0; k < c->branching_rows; k++) {
        double dual = duet_lp_dual(c->lp, c->branching_lp_row[k]);
        c->last_branching[k] = c->branching_row[k].at_least ? fmax(0, dual) : fmin(0, dual);
    }
    for (size_t t = 0; t < 2; t++) {
        double dual = duet_lp_dual(c->lp, c->processor_row[t]);
        c->last_processor[t] = dual < 0 ? -dual : 0;
        for (size_t i = 0; i < c->classes->count; i++) {
            double price = 0;
            if (c->row[i].any != SIZE_MAX) {
                price += fmax(0, duet_lp_dual(c->lp, c->row[i].any));
            }
            if (c->row[i].on[t] != SIZE_MAX) {
                price += fmax(0, duet_lp_dual(c->lp, c->row[i].on[t]));
            }
            for (size_t k = 0; k < c->branching_rows; k++) {
                if (c->branching_row[k].type == t &&
                    duet_branching_row_has(c->classes, &c->branching_row[k], i)) {
                    price += c->last_branching[k];
                }
            }
            // A class that the state keeps off the type is no part of what a tally can be had from.
            bool closed = duet_residual_most(c->state, i, t) == 0;
            c->last[t][i] = closed ? 0 : price;
        }
    }
}

// Duals part of the way from the last ones to the center: they jump about less. Below 0 a task is
// left out of patterns.
static void smooth(duet_configuration *c, double share)
{
    for (size_t t = 0; t < 2; t++) {
        c->processor[t] = share * c->center_processor[t] + (1 - share) * c->last_processor[t];
        for (size_t i = 0; i < c->classes->count; i++) {
            c->dual[t][i] = fmax(0, share * c->center[t][i] + (1 - share) * c->last[t][i]);
        }
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->branching_dual[k] = share * c->center_branching[k] + (1 - share) * c->last_branching[k];
    }
}

static void take_center(duet_configuration *c)
{
    c->centered = true;
    for (size_t t = 0; t < 2; t++) {
        c->center_processor[t] = c->processor[t];
        memcpy(c->center[t], c->dual[t], c->classes->count * sizeof *c->center[t]);
    }
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->center_branching[k] = c->branching_dual[k];
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
static double scale_of(duet_configuration *c, int64_t guess)
{
    const double set_room = (double)(INT64_C(1) << 25);
    const double area_room = (double)(INT64_C(1) << 30);
    const double table_room = (double)(INT64_C(1) << 22);
    double scale = area_room;
    for (size_t t = 0; t < 2; t++) {
        size_t items = list_items(c, t);
        double densest = 0;
        for (size_t i = 0; i < items; i++) {
            double density = c->dual[t][c->item[i].class] / (double)c->item[i].time;
            densest = density > densest ? density : densest;
        }
        if (densest > 0 && c->state->processors[t] > 0) {
            double most = area_room;
            if (!c->area[t]) {
                double table = (double)duet_pricing_scale(c->item, items, guess);
                double fine = fmax(table, fmin(ldexp(table, c->fine), table_room));
                most = c->branching[t] ? set_room : fmin(fine, set_room);
            }
            scale = fmin(scale, 0.98 * most / (densest * (double)guess));
        }
    }
    return scale;
}

// The dearest load of a type, of those worth more than `floor`, and its parts; `floor` and no parts
// where there is none. Where branch and bound takes too long, c->unknown: what is returned then is
// the best found.
static duet_code price_load(duet_configuration *c, size_t type, size_t items, int64_t capacity,
                            int64_t floor, int64_t *value, duet_pricing_part *part, size_t *parts,
                            duet_error *error)
{
    *value = floor;
    *parts = 0;
    if (c->branching[type]) {
        bool exceeded;
        duet_code code = duet_branch_solve(c->branch, c->item, items, capacity, floor,
                                           c->thorough ? BRANCH_STEPS : 0, value, &exceeded, error);
        if (code == DUET_OK) {
            *parts = duet_branch_set(c->branch, part);
        }
        c->unknown = c->unknown || exceeded;
        return code;
    }
    duet_code code = duet_pricing_solve(c->pricing, c->item, items, capacity, error);
    int64_t best = code == DUET_OK ? duet_pricing_value(c->pricing, capacity) : 0;
    if (code == DUET_OK && best > floor) {
        *value = best;
        *parts = duet_pricing_set(c->pricing, capacity, part);
    }
    return code;
}

// The limit of a type for a capacity. By area it is the processor's own dual price, and every task
// is worth as much as that allows: were it the densest task's, the rounding of a tiny one would
// raise it for all.
static duet_code limit_type(duet_configuration *c, size_t type, int64_t capacity, double scale,
                            duet_error *error)
{
    duet_prices *prices = &c->trial;
    size_t items = list_items(c, type);
    prices->area[type] = c->area[type];
    prices->limit[type] = 0;
    for (size_t i = 0; i < items; i++) {
        c->item[i].price = prices->price[type][c->item[i].class];
    }
    if (!c->area[type]) {
        // Loads worth what a processor costs are in the program: a limit below is of no use.
        int64_t floor = (int64_t)(c->processor[type] * scale * (1 - 1e-7));
        return price_load(c, type, items, capacity, floor, &prices->limit[type], c->dearest[type],
                          &c->dearest_parts[type], error);
    }
    prices->limit[type] = (int64_t)ceil(c->processor[type] * scale);
    for (size_t i = 0; i < items; i++) {
        duet_int128 price = (duet_int128)prices->limit[type] * c->item[i].time / capacity;
        prices->price[type][c->item[i].class] = (int64_t)price;
    }
    return DUET_OK;
}

// The duals as integer prices at a scale, valid for a length; *budget is what they leave. Where
// c->unknown, they are not valid and the budget says nothing.
static duet_code round_prices(duet_configuration *c, double scale, int64_t guess,
                              duet_int128 *slack, duet_error *error)
{
    duet_code code = DUET_OK;
    c->unknown = false;
    c->dearest_scale = guess == c->classes->guess ? scale : 0;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        for (size_t i = 0; i < c->classes->count; i++) {
            bool fits = duet_class_fits(c->classes, i, t) && c->state->processors[t] > 0;
            c->trial.price[t][i] = fits ? (int64_t)(c->dual[t][i] * scale + 0.5) : 0;
        }
        code = limit_type(c, t, guess / c->classes->unit[t] * c->classes->unit[t], scale, error);
    }
    const double most = 0x1p30;
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->trial.count[k] = (int64_t)(fmin(fabs(c->branching_dual[k]) * scale, most) + 0.5);
    }
    *slack = c->unknown
                 ? 0
                 : duet_branching_rows_slack(c->classes, c->state, &c->trial, c->branching_row);
    return code;
}

// Whether the load that the limit of a type comes from can be the next pattern: the state allows
// it, and it is the dearest, or the best that was found before that was given up.
static bool has_dearest(const duet_configuration *c, size_t type, double scale)
{
    bool fits = c->dearest_scale == scale && (c->dearest_parts[type] > 0 || !c->unknown);
    for (size_t p = 0; p < c->dearest_parts[type] && fits; p++) {
        const duet_pricing_part *part = &c->dearest[type][p];
        fits = part->tasks <= duet_residual_most(c->state, part->class, type);
    }
    return fits;
}

// The dearest load of a type as the state is, of those worth more than a processor costs, in
// c->part: it may be known.
static duet_code price_state(duet_configuration *c, size_t type, size_t items, double scale,
                             bool known, int64_t *value, size_t *parts, duet_error *error)
{
    if (!known) {
        return price_load(c, type, items, c->classes->capacity[type],
                          (int64_t)(c->processor[type] * scale), value, c->part, parts, error);
    }
    *value = c->trial.limit[type];
    *parts = c->dearest_parts[type];
    if (*parts > 0) {
        memcpy(c->part, c->dearest[type], *parts * sizeof *c->part);
    }
    return DUET_OK;
}

// Adds the dearest patterns that by the last duals are worth more than their processor costs.
// Returns how many in *added.
static duet_code add_patterns(duet_configuration *c, size_t type, double scale, int *added,
                              duet_error *error)
{
    double processor = c->processor[type];
    size_t items = list_items(c, type);
    for (size_t i = 0; i < items; i++) {
        c->item[i].price = (int64_t)(c->dual[type][c->item[i].class] * scale);
        c->item[i].most = duet_residual_most(c->state, c->item[i].class, type);
    }
    for (int round = 0; round < DISJOINT; round++) {
        int64_t value;
        size_t parts;
        bool known = round == 0 && has_dearest(c, type, scale);
        duet_code code = price_state(c, type, items, scale, known, &value, &parts, error);
        if (code != DUET_OK) {
            return code;
        }
        if (parts == 0 || (double)value <= processor * scale * (1 + 1e-9) + 1e-6) {
            break;
        }
        double price = 0;
        for (size_t p = 0; p < parts; p++) {
            price += c->last[type][c->part[p].class] * (double)c->part[p].tasks;
        }
        if (price <= c->last_processor[type] * (1 + 1e-7) + 1e-10) { // all processors are worth 1
            break;
        }
        code = add_column(c, type, c->part, parts, 1, error);
        if (code == DUET_OK && c->store != NULL) {
            size_t before = c->store->columns;
            code = duet_column_store_add(c->store, type, c->part, parts, error);
            note_stored(c, c->store->columns > before ? before : SIZE_MAX, code);
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

// Longer lengths that the same duals refute, in growing steps and back. *length is refuted. The
// factor tells how far it may go; the last millionths of a long length are not worth their cost.
static duet_code jump(duet_configuration *c, const duet_context *context, int64_t *guess,
                      duet_error *error)
{
    const double share = 0.5;
    duet_code code = DUET_OK;
    double reach = (c->factor - 1) * (double)*guess * share;
    reach = fmin(reach, (double)(c->classes->valid - *guess) / 2);
    int64_t step = reach > 1 ? (int64_t)reach : 1;
    int64_t least = c->fine > 0 ? step / 8 : *guess >> 19;
    bool growing = true;
    while (step > least && code == DUET_OK && !duet_context_stop(context)) {
        duet_int128 slack = 0;
        if (step <= c->classes->valid - *guess) {
            code = round_prices(c, scale_of(c, *guess + step), *guess + step, &slack, error);
        }
        if (slack < 0) {
            *guess += step;
            step = growing && step < INT64_MAX / 2 ? step * 2 : step / 2;
        } else {
            growing = false;
            step /= 2;
        }
    }
    return code;
}

// The smallest prices of a refutation that still are one: the checker's knapsack runs over them.
// Who has asked for a stop waits for small ones, which are had at once, and is left without others:
// looking at those again would take longer than finding them did.
static duet_code coarsen(duet_configuration *c, const duet_context *context, duet_prices *prices,
                         duet_configuration_answer *answer, duet_error *error)
{
    enum { shifts = 14 };
    int64_t guess = answer->proven;
    double scale = scale_of(c, guess);
    for (int shift = shifts; shift >= 0; shift--) {
        if (shift < SMALL_ENOUGH && duet_context_stop(context)) {
            answer->refuted = answer->any = false;
            return DUET_OK;
        }
        duet_int128 slack;
        duet_code code = round_prices(c, ldexp(scale, -shift), guess, &slack, error);
        if (code != DUET_OK || slack < 0) {
            duet_prices_copy(c->classes, &c->trial, prices);
            return code;
        }
    }
    answer->proven = c->classes->guess; // what the prices there are refute
    return DUET_OK;
}

size_t duet_configuration_patterns(const duet_configuration *c)
{
    return c->patterns;
}

duet_configuration_pattern duet_configuration_pattern_at(const duet_configuration *c, size_t index)
{
    const pattern_column *column = &c->pattern[index];
    return (duet_configuration_pattern){.type = column->type,
                                        .value = duet_lp_value(c->lp, column->column),
                                        .part = c->content + column->begin,
                                        .parts = column->parts};
}

// The length is refuted: how far that goes, and with which prices.
static duet_code conclude(duet_configuration *c, const duet_context *context, duet_prices *prices,
                          duet_configuration_answer *answer, duet_error *error)
{
    answer->refuted = true;
    duet_code code = jump(c, context, &answer->proven, error);
    return code == DUET_OK ? coarsen(c, context, prices, answer, error) : code;
}

// The relaxation says that there is no schedule but its prices were rounded too much to show it:
// finer ones, which cost more.
static duet_code sharpen(duet_configuration *c, const duet_context *context, duet_prices *prices,
                         duet_configuration_answer *answer, duet_error *error)
{
    enum { once = 2, most = 5 }; // bits
    const double hope = 1 + 1e-8;
    int64_t guess = c->classes->guess;
    duet_code code = DUET_OK;
    bool tables = (!c->area[0] && !c->branching[0]) || (!c->area[1] && !c->branching[1]);
    for (c->fine = once; tables && !duet_context_stop(context) && c->fine <= most &&
                         c->factor > hope && code == DUET_OK && !answer->refuted;
         c->fine += once + 1) {
        duet_int128 slack;
        code = round_prices(c, scale_of(c, guess), guess, &slack, error);
        if (code == DUET_OK && slack < 0) {
            duet_prices_copy(c->classes, &c->trial, prices);
            code = conclude(c, context, prices, answer, error);
        }
    }
    c->fine = 0;
    return code;
}

// Prices that refute the length at a smaller scale, if they do.
static duet_code try_small(duet_configuration *c, double scale, int64_t guess, duet_prices *prices,
                           bool *small, duet_error *error)
{
    duet_code code = DUET_OK;
    for (int shift = SMALL; shift >= SMALL_ENOUGH && code == DUET_OK && !*small;
         shift -= SMALL_STEP) {
        duet_int128 slack;
        code = round_prices(c, ldexp(scale, -shift), guess, &slack, error);
        *small = code == DUET_OK && slack < 0;
    }
    if (*small) {
        duet_prices_copy(c->classes, &c->trial, prices);
    }
    return code;
}

// Whether the program shows that no prices refute the length, and these leave not much more than
// the best would, where that matters: with tallies, the first prices are far from those.
static bool is_enough(const duet_configuration *c, double slack)
{
    const double more = 1.1;
    return c->factor <= 1 &&
           ((c->branching_rows == 0 && !c->precise) || slack <= more * (1 - c->factor));
}

// Column generation until the relaxation is solved or, unless that is the purpose, the prices
// refute the length.
static duet_code generate(duet_configuration *c, int iterations, purpose why,
                          const duet_context *context, duet_prices *prices,
                          duet_configuration_answer *answer, duet_error *error)
{
    int64_t guess = c->classes->guess;
    const bool decide = why != SETTLE;
    *answer = (duet_configuration_answer){.proven = guess};
    double least = INFINITY;
    bool resumed = false;
    duet_code begun = duet_configuration_resume(c, &resumed, error);
    if (begun != DUET_OK) {
        return begun;
    }
    static const double pull = 0.6; // towards the center
    double share = pull;
    while (answer->iterations < iterations) {
        answer->iterations++;
        duet_lp_set_dual(c->lp, resumed && answer->iterations == 1);
        duet_code code = duet_lp_solve(c->lp, false, context, error);
        if (code != DUET_OK || duet_lp_get_status(c->lp) != DUET_LP_OPTIMAL) {
            return code; // stopped, or tasks without processors that no factor can cover
        }
        read_duals(c);
        answer->factor = c->factor;
        bool smoothed = c->centered && share > 0;
        smooth(c, smoothed ? share : 0);
        double scale = scale_of(c, guess);
        duet_int128 slack;
        code = round_prices(c, scale, guess, &slack, error);
        if (code != DUET_OK) {
            return code;
        }
        if (!c->unknown && (double)slack / scale < least) {
            least = (double)slack / scale;
            take_center(c);
            duet_prices_copy(c->classes, &c->trial, prices);
            answer->any = true;
        }
        answer->refuted = slack < 0 || answer->refuted;
        if (slack < 0 && why == DECIDE) {
            return conclude(c, context, prices, answer, error);
        }
        if (why == PROBE && answer->any && is_enough(c, least)) {
            return DUET_OK;
        }
        if (slack < 0 && why == PROBE) {
            bool small = false;
            code = try_small(c, scale, guess, prices, &small, error);
            if (code != DUET_OK || small) {
                return code;
            }
        }
        int added = 0;
        for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
            if (!c->area[t] && c->state->processors[t] > 0) {
                code = add_patterns(c, t, scale, &added, error);
            }
        }
        if (code != DUET_OK) {
            return code;
        }
        share = added == 0 && smoothed ? 0 : pull;
        if (added == 0 && smoothed) {
            continue; // the last duals themselves may price something
        }
        if (added == 0 && (!c->unknown || !decide)) {
            answer->settled = true;
            return decide && !answer->refuted ? sharpen(c, context, prices, answer, error)
                                              : DUET_OK;
        }
        // Where branch and bound cannot tell it takes its time, and then the tables take over for a
        // round.
        c->branching[0] = c->branching[1] = added > 0 || !c->thorough;
        c->thorough = added == 0;
    }
    return DUET_OK;
}

duet_code duet_configuration_solve(duet_configuration *c, int iterations,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error)
{
    return generate(c, iterations, DECIDE, context, prices, answer, error);
}

// Smaller prices than those of the least budget, which are not much weaker.
static duet_code reduce(duet_configuration *c, duet_prices *prices,
                        duet_configuration_answer *answer, duet_error *error)
{
    // Lost is at most 2^-9 of a processor's worth, and a quarter of the budget; or 2^-12 and 2 %.
    const int lost = c->precise ? 12 : 9;
    const double more = c->precise ? 1.02 : 1.25;
    int64_t guess = c->classes->guess;
    double slack =
        (double)duet_branching_rows_slack(c->classes, c->state, prices, c->branching_row);
    double limit = (double)(c->area[0] ? prices->limit[1] : prices->limit[0]);
    smooth(c, 1);
    double scale = scale_of(c, guess);
    for (int shift = SMALL; shift > 0; shift -= SMALL_STEP) {
        duet_int128 left;
        duet_code code = round_prices(c, ldexp(scale, -shift), guess, &left, error);
        if (code != DUET_OK) {
            return code;
        }
        if (!c->unknown && ldexp((double)left, shift) <= slack * more + ldexp(limit, -lost)) {
            duet_prices_copy(c->classes, &c->trial, prices);
            answer->refuted = left < 0;
            return DUET_OK;
        }
    }
    return DUET_OK;
}

duet_code duet_configuration_probe(duet_configuration *c, int iterations, bool precise,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error)
{
    c->precise = precise;
    duet_code code = generate(c, iterations, PROBE, context, prices, answer, error);
    bool stopped = duet_context_stop(context);
    if (code != DUET_OK || !answer->any) {
        return code;
    }
    if (answer->refuted) {
        return answer->settled || stopped ? coarsen(c, context, prices, answer, error) : DUET_OK;
    }
    return stopped ? DUET_OK : reduce(c, prices, answer, error);
}

duet_code duet_configuration_settle(duet_configuration *c, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error)
{
    return generate(c, iterations, SETTLE, context, prices, answer, error);
}

// What the program's factor grows by with a tally, without new patterns.
static duet_code try_tally(duet_configuration *c, const duet_branching_row *branching_row,
                           const duet_lp_position *at, const duet_context *context, double *lift,
                           duet_error *error)
{
    *lift = 0;
    size_t row;
    size_t column;
    duet_code code = add_tally_row(c, branching_row, &row, &column, error);
    duet_lp_take_position(c->lp, at);
    double objective = -INFINITY;
    if (code == DUET_OK) {
        code = duet_lp_try(c->lp, TRIAL_STEPS, context, &objective, error);
    }
    *lift = fmax(0, objective - c->factor); // what cannot be solved promises nothing
    duet_lp_cut(c->lp, at->rows, at->columns);
    return code;
}

duet_code duet_configuration_try(duet_configuration *c, const duet_branching_row *branching_row,
                                 const duet_context *context, double lift[2], duet_error *error)
{
    duet_branching_row side = *branching_row;
    duet_lp_position at;
    duet_code code = duet_lp_note_position(c->lp, &at, error);
    for (int i = 0; i < 2 && code == DUET_OK; i++) {
        side.at_least = i > 0;
        side.bound = branching_row->bound + i;
        code = try_tally(c, &side, &at, context, &lift[i], error);
    }
    if (at.row != NULL) {
        duet_lp_take_position(c->lp, &at);
    }
    duet_lp_position_free(&at);
    return code;
}
