// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "lp/lp.h"

enum {
    ROUNDS = 400,    // of columns at one node
    MOST_ADDED = 20, // columns in a round
    CANDIDATES = 64, // to choose them from
    MOST_COLUMNS = 4000,
    MOST_PROPERTIES = 100,
    CHOICES = 12, // of what to branch on
};

// A count that is so far from a whole number is branched on.
static const double DIVIDED = 0.05;

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

// What the program has a row for.
typedef struct property {
    duet_list_property count;
    uint32_t ranks; // tasks of a lower rank are at least as long as counted
    size_t row;
    size_t column; // of what falls short
    double dual;
} property;

// A bound of a property.
typedef struct open_count {
    size_t property;
    bool at_least;
    int64_t bound;
} open_count;

// A pattern's column.
typedef struct taken_column {
    uint32_t pattern;
    size_t column;
} taken_column;

struct duet_list {
    const duet_classes *classes;
    size_t type;
    duet_pool_patterns patterns;
    duet_lp *lp;
    size_t machine_row;
    size_t *row;   // of a class; SIZE_MAX: no pattern has it
    double *work;  // of a task of a class on the other type, in processors; 0: not there
    double *price; // of a task of a class on the list's type
    bool *listed;  // a pattern that is left has the class
    taken_column *column;
    size_t columns, column_room;
    double short_cost;  // of a task that no pattern has, and of a count that falls short
    double first_cost;  // what that begins with: a high cost makes for prices that are far apart
    double enough_cost; // and is certain to be enough
    size_t *by_time;    // the classes, the longest on the list's type first
    uint32_t *rank_of;  // of a class: how many are longer
    uint32_t *rank;     // of each task of each pattern, the longest first
    size_t *task;       // where a pattern's begin in `rank`; one more at the end
    property *property;
    size_t properties, property_room;
    open_count *open;
    size_t opened, open_room;
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

bool duet_list_has(const duet_list *list, const duet_list_property *what, size_t class)
{
    if (what->pair[0] != SIZE_MAX) {
        return class == what->pair[0] || class == what->pair[1];
    }
    return duet_class_fits(list->classes, class, list->type) &&
           list->classes->time[list->type][class] >= what->time;
}

// How many tasks of a set a pattern has.
static int64_t count_tasks(const duet_list *list, const property *p, uint32_t pattern)
{
    const duet_pool_patterns *all = &list->patterns;
    int64_t found = 0;
    for (size_t i = all->begin[pattern]; i < all->begin[pattern + 1]; i++) {
        const duet_pattern_part *part = &all->part[i];
        found +=
            part->class == p->count.pair[0] || part->class == p->count.pair[1] ? part->tasks : 0;
    }
    return found;
}

// What a pattern counts.
static inline int64_t counted(const duet_list *list, const property *p, uint32_t pattern)
{
    const uint32_t *rank = list->rank + list->task[pattern];
    int64_t tasks = (int64_t)(list->task[pattern + 1] - list->task[pattern]);
    if (p->count.pair[0] != SIZE_MAX) {
        return count_tasks(list, p, pattern) >= p->count.tasks;
    }
    if (p->count.tasks > 0) {
        return p->count.tasks <= tasks && rank[p->count.tasks - 1] < p->ranks;
    }
    int64_t found = 0;
    while (found < tasks && rank[found] < p->ranks) {
        found++;
    }
    return found;
}

// A row for each class that a pattern has, with a column for tasks that cannot be placed and one
// for tasks that a pattern has to spare: as those save nothing, no task is worth less than nothing.
static duet_code add_rows(duet_list *list, duet_error *error)
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
                                      spare ? list->work[c] : list->short_cost, error);
            if (code == DUET_OK) {
                code = duet_lp_add_entry(list->lp, list->row[c], column, spare ? -1 : 1, error);
            }
        }
    }
    return code == DUET_OK ? duet_lp_add_row(list->lp, -INFINITY, 0, error) : code;
}

static void read_classes(duet_list *list)
{
    const duet_classes *classes = list->classes;
    size_t other = 1 - list->type;
    double all = 0;
    double longest = 0;
    for (size_t c = 0; c < classes->count; c++) {
        list->row[c] = SIZE_MAX;
        if (duet_class_fits(classes, c, other)) {
            list->work[c] = (double)classes->time[other][c] / (double)classes->capacity[other];
        }
        longest = fmax(longest, list->work[c]);
        all += list->work[c] * (double)classes->tasks[c];
    }
    for (size_t i = 0; i < list->patterns.begin[list->patterns.count]; i++) {
        list->row[list->patterns.part[i].class] = 0;
    }
    // One task at this cost is more than there can be.
    list->enough_cost = all + (double)classes->machines[other] + 1;
    list->short_cost = list->first_cost = fmin(4 * longest, list->enough_cost);
}

// A class by its time, for sorting.
typedef struct timed_class {
    int64_t time;
    size_t class;
} timed_class;

static int longest_first(const void *a, const void *b)
{
    return duet_order(((const timed_class *)b)->time, ((const timed_class *)a)->time);
}

// Equal times have equal ranks: as many as are longer.
static duet_code rank_classes(duet_list *list, duet_error *error)
{
    size_t count = list->classes->count;
    timed_class *sorted = duet_alloc(count, sizeof *sorted, error);
    if (sorted == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < count; c++) {
        bool fits = duet_class_fits(list->classes, c, list->type);
        sorted[c] = (timed_class){fits ? list->classes->time[list->type][c] : 0, c};
    }
    qsort(sorted, count, sizeof *sorted, longest_first);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && sorted[i].time == sorted[i - 1].time;
        list->by_time[i] = sorted[i].class;
        list->rank_of[sorted[i].class] = same ? list->rank_of[sorted[i - 1].class] : (uint32_t)i;
    }
    duet_free(sorted);
    return DUET_OK;
}

// The ranks of each pattern's tasks in order.
static duet_code rank_tasks(duet_list *list, duet_error *error)
{
    const duet_pool_patterns *all = &list->patterns;
    size_t tasks = 0;
    for (size_t i = 0; i < all->begin[all->count]; i++) {
        tasks += all->part[i].tasks;
    }
    list->rank = duet_alloc(tasks, sizeof *list->rank, error);
    list->task = duet_alloc(all->count + 1, sizeof *list->task, error);
    if (list->rank == NULL || list->task == NULL) {
        return DUET_E_MEMORY;
    }
    size_t end = 0;
    for (size_t i = 0; i < all->count; i++) {
        list->task[i] = end;
        for (size_t p = all->begin[i]; p < all->begin[i + 1]; p++) {
            uint32_t rank = list->rank_of[all->part[p].class];
            for (uint32_t j = 0; j < all->part[p].tasks; j++) {
                size_t at = end++;
                for (; at > list->task[i] && list->rank[at - 1] > rank; at--) {
                    list->rank[at] = list->rank[at - 1];
                }
                list->rank[at] = rank;
            }
        }
    }
    list->task[all->count] = end;
    return DUET_OK;
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
    list->rank_of = duet_alloc(classes->count, sizeof *list->rank_of, error);
    list->by_time = duet_alloc(classes->count, sizeof *list->by_time, error);
    duet_code code = DUET_E_MEMORY;
    if (list->row != NULL && list->work != NULL && list->price != NULL && list->listed != NULL &&
        list->taken != NULL && list->rank_of != NULL && list->by_time != NULL) {
        code = duet_reserve(&list->pick, list->patterns.count, &list->pick_room, sizeof *list->pick,
                            error);
    }
    if (code == DUET_OK) {
        code = rank_classes(list, error);
    }
    if (code == DUET_OK) {
        code = rank_tasks(list, error);
    }
    if (code == DUET_OK) {
        for (size_t i = 0; i < list->patterns.count; i++) {
            // A processor without tasks is none of the list's patterns.
            if (list->patterns.begin[i + 1] > list->patterns.begin[i]) {
                list->pick[list->picks++] = (uint32_t)i;
            }
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
        duet_free(list->rank_of);
        duet_free(list->rank);
        duet_free(list->task);
        duet_free(list->property);
        duet_free(list->open);
        duet_free(list->by_time);
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
    for (size_t p = 0; p < list->properties && code == DUET_OK; p++) {
        int64_t number = counted(list, &list->property[p], pattern);
        if (number > 0) {
            code =
                duet_lp_add_entry(list->lp, list->property[p].row, column, (double)number, error);
        }
    }
    if (code == DUET_OK) {
        list->column[list->columns++] = (taken_column){pattern, column};
    }
    return code;
}

// A row of its own for a property, with a column for what falls short of it.
static duet_code add_property_row(duet_list *list, property *p, duet_error *error)
{
    p->row = duet_lp_rows(list->lp);
    size_t column = duet_lp_columns(list->lp);
    p->column = column;
    duet_code code = duet_lp_add_row(list->lp, -INFINITY, INFINITY, error);
    if (code == DUET_OK) {
        code = duet_lp_add_column(list->lp, 0, INFINITY, list->short_cost, error);
    }
    if (code == DUET_OK) {
        code = duet_lp_add_entry(list->lp, p->row, column, 1, error);
    }
    for (size_t i = 0; i < list->columns && code == DUET_OK; i++) {
        int64_t number = counted(list, p, list->column[i].pattern);
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
        for (size_t i = 0; i < list->opened; i++) {
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
    if (list->columns <= MOST_COLUMNS && list->properties <= MOST_PROPERTIES + list->opened) {
        return DUET_OK;
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->columns; i++) {
        if (duet_lp_value(list->lp, list->column[i].column) > 0) {
            list->column[kept++] = list->column[i];
        }
    }
    forget_properties(list);
    duet_lp_free(list->lp);
    list->lp = NULL;
    list->columns = 0;
    duet_code code = add_rows(list, error);
    for (size_t p = 0; p < list->properties && code == DUET_OK; p++) {
        code = add_property_row(list, &list->property[p], error);
    }
    for (size_t i = 0; i < kept && code == DUET_OK; i++) {
        code = add_column(list, list->column[i].pattern, error); // it stands at i or below
    }
    return code;
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
static bool is_short(const duet_list *list)
{
    const double least = 1e-6;
    double sum = 0;
    for (size_t r = 0; r < list->machine_row; r++) {
        sum += duet_lp_value(list->lp, 2 * r);
    }
    for (size_t p = 0; p < list->properties; p++) {
        sum += duet_lp_value(list->lp, list->property[p].column);
    }
    return sum > least && list->short_cost < list->enough_cost;
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
        double most = fits(list, list->column[i].pattern, state) ? INFINITY : 0;
        duet_lp_bound_column(list->lp, list->column[i].column, 0, most);
    }
    for (size_t p = 0; p < list->properties; p++) {
        double low = -INFINITY;
        double high = INFINITY;
        for (size_t i = 0; i < list->opened; i++) {
            const open_count *open = &list->open[i];
            low = open->property == p && open->at_least ? fmax(low, (double)open->bound) : low;
            high = open->property == p && !open->at_least ? fmin(high, (double)open->bound) : high;
        }
        duet_lp_bound_row(list->lp, list->property[p].row, low, high);
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
    for (size_t p = 0; p < list->properties; p++) {
        list->property[p].dual = duet_lp_dual(list->lp, list->property[p].row);
    }
}

// What a pattern is worth by the duals.
static inline double dual_worth(const duet_list *list, uint32_t pattern)
{
    const duet_pool_patterns *all = &list->patterns;
    double worth = 0;
    for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1]; p++) {
        worth += list->price[all->part[p].class] * (double)all->part[p].tasks;
    }
    for (size_t p = 0; p < list->properties; p++) {
        if (list->property[p].dual != 0) {
            worth += list->property[p].dual * (double)counted(list, &list->property[p], pattern);
        }
    }
    return worth;
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
    list->candidates = 0;
    read->most = 0;
    for (size_t i = begin_of(list); i < list->picks; i++) {
        uint32_t pattern = list->pick[i];
        double gain = dual_worth(list, pattern) - read->machine;
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
    for (size_t p = 0; p < list->properties; p++) {
        most = fmax(most, fabs(list->property[p].dual));
    }
    // Whole multiples of the times lose nothing.
    double capacity = (double)list->classes->capacity[1 - list->type];
    double ticks = floor(room / most / capacity);
    return ticks >= 1 ? ticks * capacity : room / most;
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
    for (size_t i = 0; i < prices->counts; i++) {
        const open_count *open = &list->open[i];
        if (prices->count[i] > 0) {
            duet_int128 part = (duet_int128)prices->count[i] *
                               counted(list, &list->property[open->property], pattern);
            worth += open->at_least ? part : -part;
        }
    }
    return worth < INT64_MAX ? (int64_t)worth : INT64_MAX;
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
        const open_count *open = &list->open[i];
        double dual = list->property[open->property].dual;
        bool tightest = open->at_least ? dual > 0 : dual < 0;
        for (size_t j = 0; j < list->opened && tightest; j++) {
            const open_count *other = &list->open[j];
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

// Prices in integers, and whether they refute the state.
static duet_code conclude(duet_list *list, const duet_remainder *state, const duals *read,
                          duet_prices *prices, bool *refuted, duet_error *error)
{
    double scale = scale_of(list, read);
    duet_code code = round_counts(list, scale, prices, error);
    while (code == DUET_OK && !round_prices(list, state, scale, prices)) {
        scale = floor(scale / 2);
        code = round_counts(list, scale, prices, error);
    }
    *refuted =
        code == DUET_OK &&
        duet_remainder_budget(list->classes, state, prices) + duet_list_relief(list, prices) < 0;
    return code;
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
    const double more = 16;
    set_short_cost(list, list->first_cost);
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
            code = conclude(list, state, &read, prices, refuted, error);
        }
        if (code != DUET_OK) {
            return code;
        }
        if (settled && !*refuted && is_short(list)) {
            set_short_cost(list, fmin(list->short_cost * more, list->enough_cost));
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

// The ranks of tasks at least as long.
static uint32_t ranks_of(const duet_list *list, int64_t time)
{
    uint32_t ranks = 0;
    for (size_t i = 0; i < list->classes->count; i++) {
        size_t c = list->by_time[i];
        if (!duet_class_fits(list->classes, c, list->type) ||
            list->classes->time[list->type][c] < time) {
            break;
        }
        ranks = list->rank_of[c] + 1;
    }
    return ranks;
}

static duet_code find_property(duet_list *list, duet_list_property count, size_t *found,
                               duet_error *error)
{
    for (*found = 0; *found < list->properties; ++*found) {
        const duet_list_property *other = &list->property[*found].count;
        if (other->time == count.time && other->tasks == count.tasks &&
            other->pair[0] == count.pair[0] && other->pair[1] == count.pair[1]) {
            return DUET_OK;
        }
    }
    property made = {.count = count,
                     .ranks = count.pair[0] == SIZE_MAX ? ranks_of(list, count.time) : 0};
    duet_code code = duet_grow(&list->property, list->properties, &list->property_room,
                               sizeof *list->property, error);
    if (code == DUET_OK) {
        code = add_property_row(list, &made, error);
    }
    if (code == DUET_OK) {
        list->property[list->properties++] = made;
    }
    return code;
}

duet_code duet_list_open(duet_list *list, duet_list_property count, bool at_least, int64_t bound,
                         duet_error *error)
{
    duet_code code =
        duet_grow(&list->open, list->opened, &list->open_room, sizeof *list->open, error);
    size_t found = 0;
    if (code == DUET_OK) {
        code = find_property(list, count, &found, error);
    }
    if (code == DUET_OK) {
        list->open[list->opened++] = (open_count){found, at_least, bound};
    }
    return code;
}

size_t duet_list_open_counts(const duet_list *list)
{
    return list->opened;
}

void duet_list_close(duet_list *list, size_t mark)
{
    list->opened = mark;
}

// A property that the solution divides.
typedef struct choice {
    property property;
    int64_t most;
    double key; // how promising it looks
} choice;

// What the solution takes, and how often.
typedef struct support {
    uint32_t pattern;
    double value;
} support;

static duet_code read_support(duet_list *list, support **out, size_t *count, duet_error *error)
{
    const double least = 1e-9;
    *count = 0;
    *out = duet_alloc(list->columns, sizeof **out, error);
    if (*out == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < list->columns; i++) {
        double value = duet_lp_value(list->lp, list->column[i].column);
        if (value > least) {
            (*out)[(*count)++] = (support){list->column[i].pattern, value};
        }
    }
    return DUET_OK;
}

// The best choices so far, the most promising first.
static void offer(choice *best, size_t *choices, const choice *made)
{
    size_t at = *choices;
    if (*choices < CHOICES) {
        ++*choices;
    } else if (best[--at].key >= made->key) {
        return;
    }
    for (; at > 0 && best[at - 1].key < made->key; at--) {
        best[at] = best[at - 1];
    }
    best[at] = *made;
}

// The properties of tasks at least as long as a class, which the next shorter ones that are listed
// are well below: else one is exchanged for the other at next to no cost.
static void offer_class(const duet_list *list, const support *taken, size_t count, int64_t time,
                        int64_t shorter, choice *best, size_t *choices)
{
    enum { tasks_most = 6 };
    const double wide = 0.05; // of the capacity
    double gap = (double)(time - shorter) / (double)list->classes->capacity[list->type];
    for (int64_t tasks = 0; tasks <= tasks_most; tasks++) {
        choice made = {.property = {.count = {tasks, time, {SIZE_MAX, SIZE_MAX}}}};
        made.property.ranks = ranks_of(list, time);
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += taken[i].value * (double)counted(list, &made.property, taken[i].pattern);
        }
        made.most = (int64_t)floor(sum);
        double part = fmin(sum - floor(sum), floor(sum) + 1 - sum);
        made.key = part * fmin(gap, wide);
        if (part > DIVIDED) {
            offer(best, choices, &made);
        }
    }
}

static void list_choices(const duet_list *list, const support *taken, size_t count, choice *best,
                         size_t *choices)
{
    *choices = 0;
    const int64_t *time = list->classes->time[list->type];
    int64_t last = INT64_MAX; // time
    for (size_t i = 0; i < list->classes->count; i++) {
        size_t c = list->by_time[i]; // the longest first
        if (!list->listed[c]) {
            continue;
        }
        if (last != INT64_MAX && time[c] < last) {
            offer_class(list, taken, count, last, time[c], best, choices);
        }
        last = time[c];
    }
    if (last != INT64_MAX) {
        offer_class(list, taken, count, last, 0, best, choices);
    }
}

// Two tasks that are together in a part of the patterns only.
static void offer_pair(const duet_list *list, const support *taken, size_t count, size_t one,
                       size_t two, choice *best, size_t *choices)
{
    const double even = 1e-3; // below all that is counted otherwise
    choice made = {.property = {.count = {2, 0, {one, two}}}};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += taken[i].value * (double)counted(list, &made.property, taken[i].pattern);
    }
    made.most = (int64_t)floor(sum + 1e-6);
    double part = fmin(fabs(sum - (double)made.most), (double)made.most + 1 - sum);
    made.key = even * part;
    if (part > 1e-4) {
        offer(best, choices, &made);
    }
}

static void list_pairs(const duet_list *list, const support *taken, size_t count, choice *best,
                       size_t *choices)
{
    const duet_pool_patterns *all = &list->patterns;
    for (size_t i = 0; i < count; i++) {
        size_t begin = all->begin[taken[i].pattern];
        size_t end = all->begin[taken[i].pattern + 1];
        if (taken[i].value > 1 - 1e-4) {
            continue;
        }
        for (size_t p = begin; p < end; p++) {
            for (size_t q = p; q < end; q++) {
                if (q > p || all->part[p].tasks > 1) {
                    offer_pair(list, taken, count, all->part[p].class, all->part[q].class, best,
                               choices);
                }
            }
        }
    }
}

// How much less the program saves once a property is bounded, without new columns.
static duet_code try_bound(duet_list *list, size_t row, double low, double high, double saved,
                           const duet_context *context, double *loss, duet_error *error)
{
    duet_lp_bound_row(list->lp, row, low, high);
    duet_code code = duet_lp_solve(list->lp, false, context, error);
    *loss = 0;
    if (code == DUET_OK && duet_lp_get_status(list->lp) == DUET_LP_OPTIMAL) {
        *loss = fmax(0, saved + duet_lp_objective(list->lp));
    }
    return code;
}

// Where the simplex method stands.
typedef struct position {
    duet_lp_basis *row, *column;
} position;

static duet_code note_position(const duet_list *list, position *out, duet_error *error)
{
    size_t rows = duet_lp_rows(list->lp);
    size_t columns = duet_lp_columns(list->lp);
    out->row = duet_alloc(rows, sizeof *out->row, error);
    out->column = duet_alloc(columns, sizeof *out->column, error);
    if (out->row == NULL || out->column == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < rows; i++) {
        out->row[i] = duet_lp_row_basis(list->lp, i);
    }
    for (size_t i = 0; i < columns; i++) {
        out->column[i] = duet_lp_column_basis(list->lp, i);
    }
    return DUET_OK;
}

static void take_position(duet_list *list, const position *at, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        duet_lp_start_row(list->lp, i, at->row[i]);
    }
    for (size_t i = 0; i < columns; i++) {
        duet_lp_start_column(list->lp, i, at->column[i]);
    }
}

// How much a choice lifts both sides, as a product; sides that end at once count as the whole gap
// and half of it more.
static duet_code judge(duet_list *list, const choice *made, const position *at, double saved,
                       double gap, const duet_context *context, double *score, duet_error *error)
{
    const double least = 1e-6;
    size_t rows = duet_lp_rows(list->lp);
    size_t columns = duet_lp_columns(list->lp);
    property tried = made->property;
    double loss[2] = {0, 0};
    duet_code code = add_property_row(list, &tried, error);
    for (int side = 0; side < 2 && code == DUET_OK; side++) {
        take_position(list, at, rows, columns);
        duet_lp_start_row(list->lp, rows, DUET_LP_BASIC);
        duet_lp_start_column(list->lp, columns, DUET_LP_AT_LOWER);
        code = side == 0 ? try_bound(list, rows, -INFINITY, (double)made->most, saved, context,
                                     &loss[side], error)
                         : try_bound(list, rows, (double)made->most + 1, INFINITY, saved, context,
                                     &loss[side], error);
        loss[side] = fmin(loss[side], 1.5 * gap);
    }
    duet_lp_cut(list->lp, rows, columns);
    take_position(list, at, rows, columns);
    *score = (loss[0] + least * gap) * (loss[1] + least * gap);
    return code;
}

// The same of the type of a class's tasks.
static duet_code judge_class(duet_list *list, const duet_remainder *state, size_t class,
                             double share, const position *at, double saved, double gap,
                             const duet_context *context, double *score, duet_error *error)
{
    const double least = 1e-6;
    size_t rows = duet_lp_rows(list->lp);
    size_t columns = duet_lp_columns(list->lp);
    size_t row = list->row[class];
    double low = (double)duet_remainder_least(state, class, list->type);
    double high = (double)duet_remainder_most(state, class, list->type);
    double loss[2];
    duet_code code = try_bound(list, row, low, floor(share), saved, context, &loss[0], error);
    take_position(list, at, rows, columns);
    if (code == DUET_OK) {
        code = try_bound(list, row, floor(share) + 1, high, saved, context, &loss[1], error);
    }
    if (code == DUET_OK) {
        *score =
            (fmin(loss[0], 1.5 * gap) + least * gap) * (fmin(loss[1], 1.5 * gap) + least * gap);
    }
    duet_lp_bound_row(list->lp, row, low, high);
    take_position(list, at, rows, columns);
    return code;
}

duet_code duet_list_divided(duet_list *list, const duet_remainder *state,
                            const duet_context *context, size_t class, double share,
                            duet_list_property *count, int64_t *most, bool *divided,
                            int64_t *programs, duet_error *error)
{
    choice best[CHOICES];
    size_t choices = 0;
    support *taken = NULL;
    size_t count_taken = 0;
    *divided = false;
    double saved = -duet_lp_objective(list->lp);
    double gap = fmax(0, saved - wanted_saving(list, state));
    duet_code code = read_support(list, &taken, &count_taken, error);
    if (code == DUET_OK) {
        list_choices(list, taken, count_taken, best, &choices);
        if (class == SIZE_MAX && choices == 0) {
            list_pairs(list, taken, count_taken, best, &choices);
        }
    }
    duet_free(taken);
    position at = {NULL, NULL};
    if (code == DUET_OK && choices > 0) {
        code = note_position(list, &at, error);
        duet_lp_set_dual(list->lp, true);
    }
    double most_score = -1;
    if (code == DUET_OK && choices > 0 && class != SIZE_MAX && list->row[class] != SIZE_MAX) {
        code = judge_class(list, state, class, share, &at, saved, gap, context, &most_score, error);
        *programs += 2;
    }
    for (size_t i = 0; i < choices && code == DUET_OK && !duet_context_stop(context); i++) {
        double score;
        code = judge(list, &best[i], &at, saved, gap, context, &score, error);
        *programs += 2;
        if (code == DUET_OK && score > most_score) {
            most_score = score;
            *count = best[i].property.count;
            *most = best[i].most;
            *divided = true;
        }
    }
    duet_free(at.row);
    duet_free(at.column);
    return code;
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
            for (size_t p = begin; p < begin + parts; p++) {
                left[all->part[p].class] -= all->part[p].tasks;
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
