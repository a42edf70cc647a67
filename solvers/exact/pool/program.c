// SPDX-License-Identifier: Apache-2.0
// The program over a list: columns from the list, duals, and prices from them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

enum {
    ROUNDS = 400,         // passes over the patterns at one node
    MOST_ADDED = 20,      // columns in a round
    MOST_CONSIDERED = 64, // of the candidates, for them
    SAME_ROUNDS = 8,      // that make do with the candidates of one pass over the patterns
    MOST_PROPERTIES = 100,
};

static const double least_gain = 1e-9; // of a column, in processors of the other type

// What a task of a class is worth to the program by itself.
static double work_of(const duet_list *list, size_t class)
{
    return list->fitting ? 0 : list->work[class];
}

// What a pattern costs.
static double cost_of(const duet_list *list, double work)
{
    return list->fitting ? 1 : -work;
}

// A row for each class that a pattern has, with a column for tasks that cannot be placed and one
// for tasks that a pattern has to spare: as those save nothing, no task is worth less than nothing.
duet_code duet_list_add_rows(duet_list *list, duet_error *error)
{
    duet_code code = duet_lp_create(&list->lp, error);
    for (size_t c = 0; c < list->classes->count && code == DUET_OK; c++) {
        if (list->row[c] != SIZE_MAX) {
            list->row[c] = duet_lp_rows(list->lp);
            code = duet_lp_add_row(list->lp, 0, 0, error);
        }
    }
    list->machine_row = code == DUET_OK ? duet_lp_rows(list->lp) : 0;
    for (size_t c = 0; c < list->classes->count && code == DUET_OK; c++) {
        for (int spare = 0; spare < 2 && list->row[c] != SIZE_MAX && code == DUET_OK; spare++) {
            size_t column = duet_lp_columns(list->lp);
            code = duet_lp_add_column(list->lp, 0, INFINITY,
                                      spare ? work_of(list, c) : list->short_cost, error);
            if (code == DUET_OK) {
                code = duet_lp_add_entry(list->lp, list->row[c], column, spare ? -1 : 1, error);
            }
        }
    }
    return code == DUET_OK ? duet_lp_add_row(list->lp, -INFINITY, 0, error) : code;
}

duet_code duet_list_add_column(duet_list *list, uint32_t pattern, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t column = duet_lp_columns(list->lp);
    double work = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        work += list->work[all->part[i].class] * (double)all->part[i].tasks;
    }
    duet_code code =
        duet_grow(&list->column, list->columns, &list->column_room, sizeof *list->column, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(list->lp, 0, INFINITY, cost_of(list, work), error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(list->lp, list->machine_row, column, 1, error);
    }
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1] && code == DUET_OK; i++) {
        code = duet_lp_add_entry(list->lp, list->row[all->part[i].class], column,
                                 (double)all->part[i].tasks, error);
    }
    for (size_t p = 0; p < list->properties && code == DUET_OK; p++) {
        int64_t number = duet_list_counted(list, &list->property[p], pattern);
        if (number > 0) {
            code =
                duet_lp_add_entry(list->lp, list->property[p].row, column, (double)number, error);
        }
    }
    if (code == DUET_OK) {
        list->column[list->columns++] = (duet_list_column){pattern, column, work};
        list->has_column[pattern] = true;
    }
    return code;
}

// A row of its own for a property, with a column for what falls short of it.
duet_code duet_list_add_property(duet_list *list, duet_list_row *p, duet_error *error)
{
    p->row = duet_lp_rows(list->lp);
    p->column = duet_lp_columns(list->lp);
    duet_code code = duet_lp_add_row(list->lp, -INFINITY, INFINITY, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(list->lp, 0, INFINITY, list->short_cost, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(list->lp, p->row, p->column, 1, error);
    }
    for (size_t i = 0; i < list->columns && code == DUET_OK; i++) {
        int64_t number = duet_list_counted(list, p, list->column[i].pattern);
        if (number > 0) {
            code =
                duet_lp_add_entry(list->lp, p->row, list->column[i].column, (double)number, error);
        }
    }
    return code;
}

// Forgets the properties that no open count is about.
static void forget_properties(duet_list *list)
{
    size_t kept = 0;
    for (size_t p = 0; p < list->properties; p++) {
        bool used = false;
        for (size_t i = 0; i < list->opened + list->hidden; i++) {
            if (list->open[i].property == p) {
                list->open[i].property = kept; // not above p: not met again
                used = true;
            }
        }
        if (used) {
            list->property[kept++] = list->property[p];
        }
    }
    list->properties = kept;
}

// A program that has grown large starts afresh with the columns that its solution takes.
static duet_code renew(duet_list *list, duet_error *error)
{
    if (list->columns <= list->most_columns &&
        list->properties <= MOST_PROPERTIES + list->opened + list->hidden) {
        return DUET_OK;
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->columns; i++) {
        if (duet_lp_value(list->lp, list->column[i].column) > 0) {
            list->column[kept++] = list->column[i];
        }
    }
    memset(list->has_column, 0, list->patterns.count * sizeof *list->has_column);
    forget_properties(list);
    duet_lp_free(list->lp);
    list->lp = NULL;
    list->columns = 0;
    list->renewals++;
    duet_code code = duet_list_add_rows(list, error);
    for (size_t p = 0; p < list->properties && code == DUET_OK; p++) {
        code = duet_list_add_property(list, &list->property[p], error);
    }
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        code =
            duet_list_add_column(list, list->column[i].pattern, error); // it stands at i or below
    }
    return code;
}

duet_code duet_list_note(const duet_list *list, duet_list_position *out, duet_error *error)
{
    out->renewals = list->renewals;
    return duet_lp_note_position(list->lp, &out->at, error);
}

void duet_list_position_free(duet_list_position *position)
{
    duet_lp_position_free(&position->at);
}

void duet_list_resume(duet_list *list, const duet_list_position *position)
{
    if (position->at.row != NULL && position->renewals == list->renewals) {
        duet_lp_take_position(list->lp, &position->at);
    }
}

// Whether every task's type is decided, and the other type has room for its own. What is saved
// there then says nothing about how the patterns fit.
static bool is_fitting(const duet_list *list, const duet_remainder *state)
{
    const duet_classes *classes = list->classes;
    size_t other = 1 - list->type;
    duet_int128 room = (duet_int128)classes->capacity[other] * state->machines[other];
    return duet_remainder_decided(classes, state) &&
           duet_remainder_work(classes, state, other) <= room;
}

// What the program is to save.
static void set_purpose(duet_list *list, bool fitting)
{
    if (fitting == list->fitting) {
        return;
    }
    list->fitting = fitting;
    for (size_t c = 0; c < list->classes->count; c++) {
        if (list->row[c] != SIZE_MAX) {
            duet_lp_price_column(list->lp, 2 * list->row[c] + 1, work_of(list, c));
        }
    }
    for (size_t i = 0; i < list->columns; i++) {
        duet_lp_price_column(list->lp, list->column[i].column, cost_of(list, list->column[i].work));
    }
}

// What a task costs that cannot be placed: to begin with, and so much that it is certain to be
// enough.
static double first_cost(const duet_list *list)
{
    const double few = 4;
    return list->fitting ? few : list->first_cost;
}

static double enough_cost(const duet_list *list, const duet_remainder *state)
{
    return list->fitting ? (double)state->machines[list->type] + 1 : list->enough_cost;
}

static void set_short_cost(duet_list *list, double cost)
{
    list->short_cost = cost;
    for (size_t r = 0; r < list->machine_row; r++) {
        duet_lp_price_column(list->lp, 2 * r, cost);
    }
    for (size_t p = 0; p < list->properties; p++) {
        duet_lp_price_column(list->lp, list->property[p].column, cost);
    }
}

// Whether the solution leaves tasks out or falls short of a count, which a higher cost may mend.
static bool is_short(const duet_list *list, double enough)
{
    const double least = 1e-6;
    double sum = 0;
    for (size_t r = 0; r < list->machine_row; r++) {
        sum += duet_lp_value(list->lp, 2 * r);
    }
    for (size_t p = 0; p < list->properties; p++) {
        sum += duet_lp_value(list->lp, list->property[p].column);
    }
    return sum > least && list->short_cost < enough;
}

// The bounds of a state.
static void set_state(duet_list *list, const duet_remainder *state)
{
    for (size_t c = 0; c < list->classes->count; c++) {
        if (list->row[c] != SIZE_MAX) {
            duet_lp_bound_row(list->lp, list->row[c],
                              (double)duet_remainder_least(state, c, list->type),
                              (double)duet_remainder_most(state, c, list->type));
        }
    }
    duet_lp_bound_row(list->lp, list->machine_row, -INFINITY, (double)state->machines[list->type]);
    for (size_t i = 0; i < list->columns; i++) {
        bool present = list->present[list->column[i].pattern] == list->now;
        double most = present ? INFINITY : 0;
        duet_lp_bound_column(list->lp, list->column[i].column, 0, most);
    }
    for (size_t p = 0; p < list->properties; p++) {
        double low = -INFINITY;
        double high = INFINITY;
        for (size_t i = 0; i < list->opened; i++) {
            const duet_list_bound *open = &list->open[i];
            low = open->property == p && open->at_least ? fmax(low, (double)open->bound) : low;
            high = open->property == p && !open->at_least ? fmin(high, (double)open->bound) : high;
        }
        duet_lp_bound_row(list->lp, list->property[p].row, low, high);
    }
}

static duet_code read_duals(duet_list *list, duet_list_duals *read, duet_error *error)
{
    read->machine = fmax(0, -duet_lp_dual(list->lp, list->machine_row)) + (list->fitting ? 1 : 0);
    for (size_t c = 0; c < list->classes->count; c++) {
        // Patterns that have a class are worth what it saves, but for its row.
        list->price[c] = 0;
        if (list->row[c] != SIZE_MAX) {
            list->price[c] = fmax(0, work_of(list, c) + duet_lp_dual(list->lp, list->row[c]));
        }
    }
    for (size_t p = 0; p < list->properties; p++) {
        list->property[p].dual = duet_lp_dual(list->lp, list->property[p].row);
    }
    return duet_list_read_prices(list, error);
}

// Keeps the best candidates, as a heap with the least at its top.
static void propose(duet_list *list, double gain, uint32_t pattern)
{
    duet_list_candidate *heap = list->best;
    size_t at = 0;
    if (list->candidates < DUET_LIST_CANDIDATES) {
        at = list->candidates++;
        for (; at > 0 && heap[(at - 1) / 2].gain > gain; at = (at - 1) / 2) {
            heap[at] = heap[(at - 1) / 2];
        }
    } else if (gain <= heap[0].gain) {
        return;
    } else {
        for (size_t child; (child = 2 * at + 1) < DUET_LIST_CANDIDATES; at = child) {
            child += child + 1 < DUET_LIST_CANDIDATES && heap[child + 1].gain < heap[child].gain;
            if (heap[child].gain >= gain) {
                break;
            }
            heap[at] = heap[child];
        }
    }
    heap[at] = (duet_list_candidate){gain, pattern};
}

static int by_gain(const void *a, const void *b)
{
    const duet_list_candidate *x = a;
    const duet_list_candidate *y = b;
    if (x->gain != y->gain) {
        return x->gain > y->gain ? -1 : 1;
    }
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

// Goes through the patterns: the best of those that the duals would like.
static void price_all(duet_list *list, duet_list_duals *read)
{
    list->candidates = 0;
    read->most = 0;
    double least = least_gain;
    for (size_t i = 0; i < list->lives; i++) {
        uint32_t pattern = list->live[i];
        double gain = duet_list_price(list, pattern) - read->machine;
        if (gain > least && !list->has_column[pattern]) {
            read->most = fmax(read->most, gain);
            propose(list, gain, pattern);
            least = list->candidates < DUET_LIST_CANDIDATES ? least_gain : list->best[0].gain;
        }
    }
    if (list->candidates > 0) {
        qsort(list->best, list->candidates, sizeof *list->best, by_gain);
    }
}

// Goes through the candidates of an earlier round again. Returns whether the duals would like one.
static bool price_candidates(duet_list *list, const duet_list_duals *read)
{
    for (size_t i = 0; i < list->candidates; i++) {
        duet_list_candidate *at = &list->best[i];
        at->gain =
            list->has_column[at->pattern] ? 0 : duet_list_price(list, at->pattern) - read->machine;
    }
    if (list->candidates > 0) {
        qsort(list->best, list->candidates, sizeof *list->best, by_gain);
    }
    return list->candidates > 0 && list->best[0].gain > least_gain;
}

static int64_t shared(const duet_list *list, uint32_t pattern)
{
    const duet_pool_patterns *all = &list->patterns;
    int64_t shared = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        shared += list->taken[all->part[p].class] ? 1 : 0;
    }
    return shared;
}

// Adds the best candidates that have little in common.
static duet_code add_columns(duet_list *list, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    duet_code code = DUET_OK;
    memset(list->taken, 0, list->classes->count * sizeof *list->taken);
    int added = 0;
    for (size_t i = 0; i < list->candidates && i < MOST_CONSIDERED && added < MOST_ADDED &&
                       list->best[i].gain > least_gain && code == DUET_OK;
         i++) {
        uint32_t pattern = list->best[i].pattern;
        if (added > 0 && shared(list, pattern) > 1) {
            continue;
        }
        code = duet_list_add_column(list, pattern, error);
        added++;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            list->taken[all->part[p].class] = true;
        }
    }
    return code;
}

// The patterns that are left, and the classes that they have.
static void mark_listed(duet_list *list, const duet_remainder *state)
{
    list->now++;
    list->lives = 0;
    memset(list->listed, 0, list->classes->count * sizeof *list->listed);
    duet_list_close_items(list, state);
    for (size_t i = duet_list_begin(list); i < list->picks; i++) {
        uint32_t pattern = list->pick[i];
        if (duet_list_is_open(list, pattern, state)) {
            list->present[pattern] = list->now;
            list->live[list->lives++] = pattern;
            for (size_t t = list->task[pattern]; t < list->task[pattern + 1]; t++) {
                list->listed[list->item_class[list->item[t]]] = true;
            }
        }
    }
}

static void read_shares(const duet_list *list, double *share)
{
    const duet_pool_patterns *all = &list->patterns;
    memset(share, 0, list->classes->count * sizeof *share);
    for (size_t i = 0; i < list->columns; i++) {
        double value = duet_lp_value(list->lp, list->column[i].column);
        uint32_t pattern = list->column[i].pattern;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1] && value > 0; p++) {
            share[all->part[p].class] += value * (double)all->part[p].tasks;
        }
    }
}

// What the tasks would take of the other type were all there that may be, less what it has: the
// program has to save so much.
double duet_list_wanted(const duet_list *list, const duet_remainder *state)
{
    if (list->fitting) {
        return -(double)state->machines[list->type];
    }
    size_t other = 1 - list->type;
    double wanted = -(double)state->machines[other];
    for (size_t c = 0; c < list->classes->count; c++) {
        // Forced tasks whose class has a row are dealt with there.
        int64_t tasks =
            list->row[c] != SIZE_MAX ? state->left[c] : duet_remainder_most(state, c, other);
        wanted += list->work[c] * (double)tasks;
    }
    return wanted;
}

// A pass over the patterns. Where the duals would like none, *settled, and there are prices; the
// duals, with all that the patterns gain beyond them, may refute the state before.
static duet_code look_at_all(duet_list *list, const duet_remainder *state, double wanted,
                             duet_list_duals *read, duet_prices *prices, bool *settled,
                             bool *refuted, duet_error *error)
{
    price_all(list, read);
    double saved = -duet_lp_objective(list->lp);
    double most = saved + read->most * (double)state->machines[list->type];
    *settled = list->candidates == 0;
    return *settled || most < wanted ? duet_list_conclude(list, state, read, prices, refuted, error)
                                     : DUET_OK;
}

duet_code duet_list_relax(duet_list *list, const duet_remainder *state, const duet_context *context,
                          duet_prices *prices, bool *refuted, bool *any, double *share,
                          int64_t *programs, duet_error *error)
{
    *refuted = *any = false;
    duet_code code = renew(list, error);
    if (code != DUET_OK) {
        return code;
    }
    const double more = 16;
    set_purpose(list, is_fitting(list, state));
    double enough = enough_cost(list, state);
    set_short_cost(list, first_cost(list));
    mark_listed(list, state);
    set_state(list, state);
    double wanted = duet_list_wanted(list, state);
    list->candidates = 0;
    int same = 0; // rounds since the last pass
    bool begun = false;
    for (int pass = 0; pass < ROUNDS && !duet_context_stop(context);) {
        duet_lp_set_dual(list->lp, !begun && *programs > 0);
        begun = true;
        code = duet_lp_solve(list->lp, false, context, error);
        ++*programs;
        if (code != DUET_OK || duet_lp_get_status(list->lp) != DUET_LP_OPTIMAL) {
            return code;
        }
        duet_list_duals read;
        code = read_duals(list, &read, error);
        if (code != DUET_OK) {
            return code;
        }
        bool settled = false;
        if (same < SAME_ROUNDS && price_candidates(list, &read)) {
            same++;
        } else {
            same = 0;
            pass++;
            code = look_at_all(list, state, wanted, &read, prices, &settled, refuted, error);
        }
        if (code != DUET_OK) {
            return code;
        }
        if (settled && !*refuted && is_short(list, enough)) {
            set_short_cost(list, fmin(list->short_cost * more, enough));
            continue;
        }
        if (settled || *refuted) {
            *any = true;
            read_shares(list, share);
            return DUET_OK;
        }
        code = add_columns(list, error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

// Takes the tasks of the last load out of what is left, and what is not left out of the load: a
// pattern may have tasks to spare.
static void drop_spare(duet_loads *loads, int64_t *left)
{
    duet_load *load = &loads->load[loads->loads - 1];
    size_t kept = load->begin;
    for (size_t p = load->begin; p < load->begin + load->parts; p++) {
        duet_pattern_part part = loads->part[p];
        if ((int64_t)part.tasks > left[part.class]) {
            part.tasks = (uint32_t)left[part.class];
        }
        left[part.class] -= part.tasks;
        loads->part[kept] = part;
        kept += part.tasks > 0;
    }
    load->parts = kept - load->begin;
    loads->parts = kept;
}

duet_code duet_list_take(const duet_list *list, const int64_t *deal, duet_loads *loads, bool *taken,
                         duet_error *error)
{
    const double near = 1e-4;
    const duet_pool_patterns *all = &list->patterns;
    size_t before = loads->loads;
    size_t parts_before = loads->parts;
    *taken = true;
    int64_t *left = duet_alloc(list->classes->count, sizeof *left, error);
    if (left == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < list->classes->count; c++) {
        left[c] = deal[c];
    }
    duet_code code = DUET_OK;
    for (size_t i = 0; i < list->columns && code == DUET_OK; i++) {
        double value = duet_lp_value(list->lp, list->column[i].column);
        uint32_t pattern = list->column[i].pattern;
        size_t begin = all->begin[pattern];
        size_t parts = all->begin[pattern + 1] - begin;
        *taken = *taken && fabs(value - floor(value + 0.5)) < near;
        for (int64_t times = (int64_t)(value + 0.5); times > 0 && code == DUET_OK && *taken;
             times--) {
            code = duet_loads_push(loads, list->type, all->part + begin, parts, error);
            if (code == DUET_OK) {
                drop_spare(loads, left);
            }
        }
    }
    for (size_t c = 0; c < list->classes->count; c++) {
        *taken = *taken && left[c] == 0;
    }
    if (!*taken) {
        loads->loads = before;
        loads->parts = parts_before;
    }
    duet_free(left);
    return code;
}
