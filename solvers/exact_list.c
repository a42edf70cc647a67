// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact_list.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "lp/lp.h"

enum {
    ROUNDS = 400,    // of columns at one node
    MOST_ADDED = 20, // columns in a round
    CANDIDATES = 64, // to choose them from
    MOST_COLUMNS = 4000,
};

static const double least_gain = 1e-9; // of a column, in processors of the other type

// A pattern that the duals would like in the program.
typedef struct candidate {
    double gain;
    uint32_t pattern;
} candidate;

// What the last program says, in processors of the other type.
typedef struct duals {
    double machine; // a processor of the list's type
    double most;    // that a pattern gains beyond it
} duals;

struct duet_list {
    const duet_classes *classes;
    size_t type;
    duet_pool_patterns patterns;
    duet_lp *lp;
    size_t machine_row;
    size_t *row;      // of a class; SIZE_MAX: no pattern has it
    double *work;     // of a task of a class on the other type, in processors; 0: not there
    double *price;    // of a task of a class on the list's type
    bool *listed;     // a pattern that is left has the class
    uint32_t *column; // pattern of each of the program's columns from `extra` on
    size_t columns, column_room;
    size_t extra;      // the first columns: tasks that no pattern has, or one has to spare
    double short_cost; // of the former
    uint32_t *pick; // the patterns of the nodes on the way down, node after node
    size_t picks, pick_room;
    size_t *from; // where each of them begins
    size_t levels, level_room;
    candidate best[CANDIDATES];
    size_t candidates;
    bool *taken; // per class: a new column has it
};

size_t duet_list_type(const duet_list *list)
{
    return list->type;
}

static size_t begin_of(const duet_list *list)
{
    return list->levels == 0 ? 0 : list->from[list->levels - 1];
}

size_t duet_list_count(const duet_list *list)
{
    return list->picks - begin_of(list);
}

static bool fits(const duet_list *list, uint32_t pattern, const duet_remainder *state)
{
    const duet_pool_patterns *all = &list->patterns;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        const duet_pattern_part *part = &all->part[i];
        if (part->tasks > duet_remainder_most(state, part->class, list->type)) {
            return false;
        }
    }
    return true;
}

// A row for each class that a pattern has, with a column for tasks that cannot be placed and one for
// tasks that a pattern has to spare: as those save nothing, no task is worth less than nothing.
static duet_code add_rows(duet_list *list, duet_error *error)
{
    duet_code code = duet_lp_create(&list->lp, error);
    for (size_t c = 0; c < list->classes->count && code == DUET_OK; c++) {
        if (list->row[c] != SIZE_MAX) {
            list->row[c] = duet_lp_rows(list->lp);
            code = duet_lp_add_row(list->lp, 0, 0, error);
        }
    }
    list->extra = code == DUET_OK ? 2 * duet_lp_rows(list->lp) : 0;
    for (size_t c = 0; c < list->classes->count && code == DUET_OK; c++) {
        for (int spare = 0; spare < 2 && list->row[c] != SIZE_MAX && code == DUET_OK; spare++) {
            size_t column = duet_lp_columns(list->lp);
            code = duet_lp_add_column(list->lp, 0, INFINITY,
                                      spare ? list->work[c] : list->short_cost, error);
            if (code == DUET_OK) {
                code = duet_lp_add_entry(list->lp, list->row[c], column, spare ? -1 : 1, error);
            }
        }
    }
    list->machine_row = list->extra / 2;
    return code == DUET_OK ? duet_lp_add_row(list->lp, -INFINITY, 0, error) : code;
}

static void read_classes(duet_list *list)
{
    const duet_classes *classes = list->classes;
    size_t other = 1 - list->type;
    double all = 0;
    for (size_t c = 0; c < classes->count; c++) {
        list->row[c] = SIZE_MAX;
        if (duet_class_fits(classes, c, other)) {
            list->work[c] = (double)classes->time[other][c] / (double)classes->capacity[other];
        }
        all += list->work[c] * (double)classes->tasks[c];
    }
    for (size_t i = 0; i < list->patterns.begin[list->patterns.count]; i++) {
        list->row[list->patterns.part[i].class] = 0;
    }
    // A task that is not placed refutes the state.
    list->short_cost = all + (double)classes->machines[other] + 1;
}

duet_code duet_list_create(const duet_classes *classes, duet_pool_patterns *patterns,
                           duet_list **out, duet_error *error)
{
    *out = NULL;
    duet_list *list = duet_alloc(1, sizeof *list, error);
    if (list == NULL) {
        duet_pool_patterns_free(patterns);
        return DUET_E_MEMORY;
    }
    list->classes = classes;
    list->type = patterns->type;
    list->patterns = *patterns;
    *patterns = (duet_pool_patterns){.count = 0};
    list->row = duet_alloc(classes->count, sizeof *list->row, error);
    list->work = duet_alloc(classes->count, sizeof *list->work, error);
    list->price = duet_alloc(classes->count, sizeof *list->price, error);
    list->listed = duet_alloc(classes->count, sizeof *list->listed, error);
    list->taken = duet_alloc(classes->count, sizeof *list->taken, error);
    duet_code code = DUET_E_MEMORY;
    if (list->row != NULL && list->work != NULL && list->price != NULL && list->listed != NULL &&
        list->taken != NULL) {
        code = duet_reserve(&list->pick, list->patterns.count, &list->pick_room, sizeof *list->pick,
                            error);
    }
    if (code == DUET_OK) {
        for (size_t i = 0; i < list->patterns.count; i++) {
            list->pick[list->picks++] = (uint32_t)i;
        }
        read_classes(list);
        code = add_rows(list, error);
    }
    if (code != DUET_OK) {
        duet_list_free(list);
        return code;
    }
    *out = list;
    return DUET_OK;
}

void duet_list_free(duet_list *list)
{
    if (list != NULL) {
        duet_pool_patterns_free(&list->patterns);
        duet_lp_free(list->lp);
        duet_free(list->row);
        duet_free(list->work);
        duet_free(list->price);
        duet_free(list->listed);
        duet_free(list->taken);
        duet_free(list->column);
        duet_free(list->pick);
        duet_free(list->from);
        duet_free(list);
    }
}

static duet_code add_column(duet_list *list, uint32_t pattern, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t column = duet_lp_columns(list->lp);
    double saved = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        saved += list->work[all->part[i].class] * (double)all->part[i].tasks;
    }
    duet_code code =
        duet_grow(&list->column, list->columns, &list->column_room, sizeof *list->column, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(list->lp, 0, INFINITY, -saved, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(list->lp, list->machine_row, column, 1, error);
    }
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1] && code == DUET_OK; i++) {
        code = duet_lp_add_entry(list->lp, list->row[all->part[i].class], column,
                                 (double)all->part[i].tasks, error);
    }
    if (code == DUET_OK) {
        list->column[list->columns++] = pattern;
    }
    return code;
}

// A program that has grown large starts afresh with the columns that its solution takes.
static duet_code renew(duet_list *list, duet_error *error)
{
    if (list->columns <= MOST_COLUMNS) {
        return DUET_OK;
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->columns; i++) {
        if (duet_lp_value(list->lp, list->extra + i) > 0) {
            list->column[kept++] = list->column[i];
        }
    }
    duet_lp_free(list->lp);
    list->lp = NULL;
    duet_code code = add_rows(list, error);
    list->columns = 0;
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        code = add_column(list, list->column[i], error); // which stands at i or after it
    }
    return code;
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
        double most = fits(list, list->column[i], state) ? INFINITY : 0;
        duet_lp_bound_column(list->lp, list->extra + i, 0, most);
    }
}

static void read_duals(duet_list *list, duals *read)
{
    read->machine = fmax(0, -duet_lp_dual(list->lp, list->machine_row));
    for (size_t c = 0; c < list->classes->count; c++) {
        // Patterns that have a class are worth what it saves, but for its row.
        list->price[c] = 0;
        if (list->row[c] != SIZE_MAX) {
            list->price[c] = fmax(0, list->work[c] + duet_lp_dual(list->lp, list->row[c]));
        }
    }
}

// Keeps the best candidates, as a heap with the least at its top.
static void propose(duet_list *list, double gain, uint32_t pattern)
{
    candidate *heap = list->best;
    size_t at = 0;
    if (list->candidates < CANDIDATES) {
        at = list->candidates++;
        for (; at > 0 && heap[(at - 1) / 2].gain > gain; at = (at - 1) / 2) {
            heap[at] = heap[(at - 1) / 2];
        }
    } else if (gain <= heap[0].gain) {
        return;
    } else {
        for (size_t child; (child = 2 * at + 1) < CANDIDATES; at = child) {
            child += child + 1 < CANDIDATES && heap[child + 1].gain < heap[child].gain;
            if (heap[child].gain >= gain) {
                break;
            }
            heap[at] = heap[child];
        }
    }
    heap[at] = (candidate){gain, pattern};
}

// Goes through the patterns: the best of those that the duals would like.
static void price_all(duet_list *list, const duet_remainder *state, duals *read)
{
    const duet_pool_patterns *all = &list->patterns;
    list->candidates = 0;
    read->most = 0;
    for (size_t i = begin_of(list); i < list->picks; i++) {
        uint32_t pattern = list->pick[i];
        double worth = 0;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            worth += list->price[all->part[p].class] * (double)all->part[p].tasks;
        }
        double gain = worth - read->machine;
        if (gain > least_gain && (list->candidates < CANDIDATES || gain > list->best[0].gain) &&
            fits(list, pattern, state)) {
            read->most = fmax(read->most, gain);
            propose(list, gain, pattern);
        }
    }
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
    for (int added = 0; added < MOST_ADDED && list->candidates > 0 && code == DUET_OK;) {
        size_t best = 0;
        for (size_t i = 1; i < list->candidates; i++) {
            best = list->best[i].gain > list->best[best].gain ? i : best;
        }
        uint32_t pattern = list->best[best].pattern;
        list->best[best] = list->best[--list->candidates];
        if (added > 0 && shared(list, pattern) > 1) {
            continue;
        }
        code = add_column(list, pattern, error);
        added++;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
            list->taken[all->part[p].class] = true;
        }
    }
    return code;
}

// What a processor of the other type is in integers, such that all prices are below 2^31.
static double scale_of(const duet_list *list, const duals *read)
{
    const double room = 0x1p30;
    double most = fmax(1, read->machine + read->most);
    for (size_t c = 0; c < list->classes->count; c++) {
        most = fmax(most, list->price[c]);
    }
    return room / most;
}

// The classes that patterns which fit still have.
static void mark_listed(duet_list *list, const duet_remainder *state)
{
    const duet_pool_patterns *all = &list->patterns;
    memset(list->listed, 0, list->classes->count * sizeof *list->listed);
    for (size_t i = begin_of(list); i < list->picks; i++) {
        if (fits(list, list->pick[i], state)) {
            for (size_t p = all->begin[list->pick[i]]; p < all->begin[list->pick[i] + 1]; p++) {
                list->listed[all->part[p].class] = true;
            }
        }
    }
}

static int64_t worth_of(const duet_list *list, const duet_prices *prices, uint32_t pattern)
{
    const duet_pool_patterns *all = &list->patterns;
    duet_int128 worth = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        worth += (duet_int128)prices->price[list->type][all->part[p].class] * all->part[p].tasks;
    }
    return worth < INT64_MAX ? (int64_t)worth : INT64_MAX;
}

// The duals in integers. Classes that no pattern has are dear on the list's type: they cost
// nothing there. False where a limit does not fit.
static bool round_prices(duet_list *list, const duet_remainder *state, double scale,
                         duet_prices *prices)
{
    const int64_t most = (INT64_C(1) << 31) - 1;
    const duet_classes *classes = list->classes;
    size_t type = list->type;
    size_t other = 1 - type;
    prices->id = -1;
    prices->weight[0] = prices->weight[1] = -1;
    prices->area[type] = prices->listed[other] = false;
    prices->area[other] = prices->listed[type] = true;
    prices->limit[other] = (int64_t)scale;
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
    for (size_t i = begin_of(list); i < list->picks; i++) {
        int64_t worth = worth_of(list, prices, list->pick[i]);
        if (worth > limit && fits(list, list->pick[i], state)) {
            limit = worth;
        }
    }
    prices->limit[type] = limit;
    return limit <= most;
}

// Prices in integers, and the budget they leave.
static duet_int128 conclude(duet_list *list, const duet_remainder *state, const duals *read,
                            duet_prices *prices)
{
    double scale = scale_of(list, read);
    while (!round_prices(list, state, scale, prices)) {
        scale /= 2;
    }
    return duet_remainder_budget(list->classes, state, prices);
}

static void read_shares(const duet_list *list, double *share)
{
    const duet_pool_patterns *all = &list->patterns;
    memset(share, 0, list->classes->count * sizeof *share);
    for (size_t i = 0; i < list->columns; i++) {
        double value = duet_lp_value(list->lp, list->extra + i);
        uint32_t pattern = list->column[i];
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1] && value > 0; p++) {
            share[all->part[p].class] += value * (double)all->part[p].tasks;
        }
    }
}

// What the tasks would take of the other type were all there that may be, less what it has: the
// program has to save so much.
static double wanted_saving(const duet_list *list, const duet_remainder *state)
{
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

duet_code duet_list_relax(duet_list *list, const duet_remainder *state, const duet_context *context,
                          duet_prices *prices, bool *refuted, bool *any, double *share,
                          int64_t *programs, duet_error *error)
{
    *refuted = *any = false;
    duet_code code = renew(list, error);
    if (code != DUET_OK) {
        return code;
    }
    set_state(list, state);
    mark_listed(list, state);
    double wanted = wanted_saving(list, state);
    for (int round = 0; round < ROUNDS && !duet_context_stop(context); round++) {
        duet_lp_set_dual(list->lp, round == 0 && *programs > 0);
        code = duet_lp_solve(list->lp, false, context, error);
        ++*programs;
        if (code != DUET_OK || duet_lp_get_status(list->lp) != DUET_LP_OPTIMAL) {
            return code;
        }
        duals read;
        read_duals(list, &read);
        price_all(list, state, &read);
        double saved = -duet_lp_objective(list->lp);
        bool settled = list->candidates == 0;
        // The duals, with all that the patterns gain beyond them, may refute it before.
        if (settled || saved + read.most * (double)state->machines[list->type] < wanted) {
            *refuted = conclude(list, state, &read, prices) < 0;
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

duet_code duet_list_narrow(duet_list *list, const duet_remainder *state, const duet_prices *prices,
                           duet_int128 budget, size_t *mark, duet_error *error)
{
    *mark = list->levels;
    size_t begin = begin_of(list);
    size_t end = list->picks;
    duet_code code =
        duet_grow(&list->from, list->levels, &list->level_room, sizeof *list->from, error);
    if (code == DUET_OK) {
        code =
            duet_reserve(&list->pick, 2 * end - begin, &list->pick_room, sizeof *list->pick, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = begin; i < end; i++) {
        uint32_t pattern = list->pick[i];
        if (prices->limit[list->type] - worth_of(list, prices, pattern) <= budget &&
            fits(list, pattern, state)) {
            list->pick[list->picks++] = pattern;
        }
    }
    list->from[list->levels++] = end;
    return DUET_OK;
}

void duet_list_back(duet_list *list, size_t mark)
{
    if (list->levels > mark) {
        list->picks = list->from[mark];
        list->levels = mark;
    }
}
