// SPDX-License-Identifier: Apache-2.0
// The linear program: the least time of the last point, with a column per point and per task that
// has a variable. Rows are added where the solution violates them: the most violated of all pairs
// of points, by sums over the tasks between them, and by longest paths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/chains/chains_state.h"
#include "lp/graph/chains/tuning.h"

static const int64_t one[DUET_MAX_TYPES] = {[0 ... DUET_MAX_TYPES - 1] = 1};

static size_t column_of(const duet_chains *c, int32_t model)
{
    return (size_t)c->end + 1 + (size_t)model;
}

static double share_of(const duet_chains *c, int64_t task)
{
    return c->model[task] < 0 ? 0 : c->lp.x[column_of(c, c->model[task])];
}

// What a task costs at the prices of a row: `fixed`, and `more` on the type, if it has a variable.
static void cost_of(const duet_chains *c, int64_t task, const int64_t *weight, double *fixed,
                    double *more)
{
    int64_t time = duet_chains_time(c, task, c->type);
    int64_t other = duet_chains_other(c, task, weight);
    int64_t here = time < 0 ? -1 : weight[c->type] * time;
    *more = 0;
    if (c->model[task] >= 0) {
        *fixed = (double)other;
        *more = (double)here - (double)other;
    } else {
        *fixed = (double)(here < 0 || (other >= 0 && other < here) ? other : here);
    }
}

static const int64_t *weight_of(const duet_chains *c, const duet_chains_row *row)
{
    return row->weights < 0 ? one : c->weight[row->weights];
}

// Whether the task is one of the row's; a path's are listed.
static bool is_between(const duet_chains *c, const duet_chains_row *row, int64_t task)
{
    return c->from[task] >= row->from && c->to[task] <= row->to;
}

static duet_code add_entries(duet_chains *c, duet_chains_row *row, duet_error *error)
{
    double scale = (double)row->capacity * c->unit;
    double right = 0;
    int64_t members = row->weights < 0 ? (int64_t)row->count : c->tasks;
    DUET_TRY(duet_chains_simplex_add_row(&c->lp, 0, INFINITY, &row->place, error));
    DUET_TRY(duet_chains_simplex_add_entry(&c->lp, (size_t)row->to, 1, error));
    DUET_TRY(duet_chains_simplex_add_entry(&c->lp, (size_t)row->from, -1, error));
    for (int64_t i = 0; i < members; i++) {
        int64_t j = row->weights < 0 ? c->listed[row->first + (size_t)i] : i;
        double fixed;
        double more;
        if (row->weights >= 0 && !is_between(c, row, j)) {
            continue;
        }
        cost_of(c, j, weight_of(c, row), &fixed, &more);
        right += fixed / scale;
        if (more < 0 || more > 0) {
            DUET_TRY(duet_chains_simplex_add_entry(&c->lp, column_of(c, c->model[j]), -more / scale,
                                                   error));
        }
    }
    duet_chains_simplex_bound(&c->lp, row->place, right, INFINITY);
    return DUET_OK;
}

static uint32_t hash_of(const duet_chains *c, const duet_chains_row *row)
{
    static const uint32_t factor = 16777619;
    uint32_t hash = ((uint32_t)row->from * factor ^ (uint32_t)row->to) * factor;
    hash ^= (uint32_t)(row->weights + 1);
    for (size_t i = 0; i < row->count; i++) {
        hash = hash * factor ^ (uint32_t)c->listed[row->first + i];
    }
    return (hash ^ hash >> 16) % DUET_CHAINS_BUCKETS;
}

static bool are_equal(const duet_chains *c, const duet_chains_row *a, const duet_chains_row *b)
{
    return a->from == b->from && a->to == b->to && a->weights == b->weights &&
           a->count == b->count &&
           (a->count == 0 ||
            memcmp(&c->listed[a->first], &c->listed[b->first], a->count * sizeof *c->listed) == 0);
}

// A row, whose tasks are the last ones that were listed, comes into the program. It may have been
// there before.
static duet_code add_row(duet_chains *c, duet_chains_row row, duet_error *error)
{
    int32_t *bucket = &c->bucket[hash_of(c, &row)];
    row.capacity = row.weights < 0 ? 1 : c->capacity[row.weights];
    row.place = DUET_CHAINS_LEFT_OUT;
    for (int32_t r = *bucket - 1; r >= 0; r = c->row[r].next) {
        if (are_equal(c, &c->row[r], &row)) {
            c->listeds = row.count > 0 ? row.first : c->listeds;
            return c->row[r].place == DUET_CHAINS_LEFT_OUT ? add_entries(c, &c->row[r], error)
                                                           : DUET_OK;
        }
    }
    row.next = *bucket - 1;
    DUET_TRY(duet_vec_push(c->row, c->rows, error, row));
    *bucket = (int32_t)c->rows;
    return add_entries(c, &c->row[c->rows - 1], error);
}

// The task of the path at each place takes its time.
static duet_code add_spine(duet_chains *c, duet_error *error)
{
    for (int32_t k = 0; k < c->spines; k++) {
        duet_chains_row row = {
            .from = 2 * k + 1, .to = 2 * k + 2, .weights = -1, .first = c->listeds, .count = 1};
        DUET_TRY(duet_vec_push(c->listed, c->listeds, error, c->spine[k]));
        DUET_TRY(add_row(c, row, error));
    }
    return DUET_OK;
}

// Columns of points and tasks, and a row for each set.
static duet_code begin_program(duet_chains *c, duet_error *error)
{
    size_t points = (size_t)c->end + 1;
    c->past_steps += c->lp.steps;
    duet_chains_simplex_free(&c->lp);
    DUET_TRY(duet_chains_simplex_create(&c->lp, points + c->models, error));
    c->lp.cost[c->end] = 1;
    duet_chains_simplex_bound(&c->lp, 0, 0, 0);
    for (size_t i = 0; i < c->models; i++) {
        duet_chains_simplex_bound(&c->lp, points + i, 0, 1);
    }
    for (size_t s = 0; s < c->sets; s++) {
        DUET_TRY(duet_chains_simplex_add_row(&c->lp, -INFINITY, INFINITY, &c->set[s].place, error));
        for (size_t i = 0; i < c->set[s].count; i++) {
            int32_t task = c->listed[c->set[s].first + i];
            DUET_TRY(duet_chains_simplex_add_entry(&c->lp, column_of(c, c->model[task]), 1, error));
        }
    }
    return DUET_OK;
}

duet_code duet_chains_make_program(duet_chains *c, duet_error *error)
{
    c->limit = INFINITY;
    DUET_TRY(begin_program(c, error));
    return add_spine(c, error);
}

duet_code duet_chains_purge(duet_chains *c, duet_error *error)
{
    if (c->lp.constraints <= c->kept + DUET_CHAINS_GROWTH) {
        return DUET_OK;
    }
    DUET_TRY(begin_program(c, error));
    for (size_t r = 0; r < c->rows; r++) {
        c->row[r].place = DUET_CHAINS_LEFT_OUT;
        if (r < (size_t)c->spines) {
            DUET_TRY(add_entries(c, &c->row[r], error));
        }
    }
    c->kept = c->lp.constraints;
    return DUET_OK;
}

int64_t duet_chains_steps(const duet_chains *c)
{
    return c->past_steps + c->lp.steps;
}

// --- vertices ------------------------------------------------------------------------------------

// The row's constraint; NULL: it is not in the program.
static const duet_chains_constraint *constraint_of(const duet_chains *c, size_t row)
{
    size_t place = c->row[row].place;
    return place == DUET_CHAINS_LEFT_OUT ? NULL : &c->lp.constraint[place];
}

duet_code duet_chains_note(const duet_chains *c, duet_chains_node *node, duet_error *error)
{
    size_t first = c->lp.columns + c->sets;
    DUET_TRY(duet_vec_reserve(node->side, first, error));
    for (size_t i = 0; i < first; i++) {
        node->side[i] = c->lp.constraint[i].side;
    }
    node->helds = 0;
    for (size_t r = 0; r < c->rows; r++) {
        const duet_chains_constraint *row = constraint_of(c, r);
        if (row != NULL && row->side != DUET_CHAINS_INACTIVE) {
            DUET_TRY(duet_vec_push(node->held, node->helds, error, (int32_t)r));
        }
    }
    return DUET_OK;
}

duet_code duet_chains_take(duet_chains *c, const duet_chains_node *node, duet_error *error)
{
    DUET_TRY(duet_chains_purge(c, error));
    for (size_t i = 0; i < node->helds; i++) {
        duet_chains_row *row = &c->row[node->held[i]];
        if (row->place == DUET_CHAINS_LEFT_OUT) {
            DUET_TRY(add_entries(c, row, error));
        }
    }
    DUET_TRY(duet_vec_reserve(c->taken, c->lp.constraints, error));
    memset(c->taken, DUET_CHAINS_INACTIVE, c->lp.constraints);
    memcpy(c->taken, node->side, c->lp.columns + c->sets);
    for (size_t i = 0; i < node->helds; i++) {
        c->taken[c->row[node->held[i]].place] = DUET_CHAINS_AT_LOW;
    }
    duet_chains_simplex_take(&c->lp, c->taken, c->lp.constraints);
    return DUET_OK;
}

// --- separation ----------------------------------------------------------------------------------

typedef struct violation {
    double by;
    int32_t from, to;
} violation;

static int compare_violations(const void *left, const void *right)
{
    const violation *a = left;
    const violation *b = right;
    if (a->by != b->by) {
        return a->by < b->by ? 1 : -1;
    }
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
                              : (a->to > b->to) - (a->to < b->to);
}

static double gap(const duet_chains *c, int32_t from, int32_t to)
{
    return c->lp.x[to] - c->lp.x[from];
}

// The costs between each two points, at the prices `w`: sums over the tasks that start after the
// one and end before the other.
static void sum_costs(duet_chains *c, int w)
{
    int32_t points = c->end + 1;
    memset(c->sum, 0, (size_t)points * (size_t)points * sizeof *c->sum);
    for (int64_t j = 0; j < c->tasks; j++) {
        double fixed;
        double more;
        cost_of(c, j, c->weight[w], &fixed, &more);
        c->sum[c->from[j] * points + c->to[j]] += fixed + more * share_of(c, j);
    }
    for (int32_t a = c->end; a >= 0; a--) {
        double row = 0;
        for (int32_t b = 0; b <= c->end; b++) {
            row += c->sum[a * points + b];
            c->sum[a * points + b] = row + (a < c->end ? c->sum[(a + 1) * points + b] : 0);
        }
    }
}

// The pairs of points whose work at the prices `w` does not fit between them; no two are of the
// same beginning and about the same violation.
static duet_code add_work(duet_chains *c, int w, int64_t *added, duet_error *error)
{
    violation *found = NULL;
    size_t count = 0;
    duet_code code = DUET_OK;
    sum_costs(c, w);
    for (int32_t a = 0; a < c->end; a += 2) {
        for (int32_t b = a + 1; b <= c->end && code == DUET_OK; b += 2) {
            double work = c->sum[a * (c->end + 1) + b] / ((double)c->capacity[w] * c->unit);
            double by = work - gap(c, a, b);
            if (by > DUET_CHAINS_TOLERANCE) {
                code = duet_vec_push(found, count, error, (violation){by, a, b});
            }
        }
    }
    if (count > 0) {
        qsort(found, count, sizeof *found, compare_violations);
    }
    for (size_t i = 0; i < duet_min(count, (size_t)DUET_CHAINS_ROWS) && code == DUET_OK; i++) {
        code = add_row(c, (duet_chains_row){.from = found[i].from, .to = found[i].to, .weights = w},
                       error);
        ++*added;
    }
    duet_free(found);
    return code;
}

// The longest paths from a point on, at the solution: `reach` ends with each task, which comes
// behind the task `before`.
static void find_paths(duet_chains *c, int32_t from)
{
    const duet_graph *graph = c->network.graph;
    for (int64_t i = 0; i < c->tasks; i++) {
        int32_t j = c->network.order[i];
        c->reach[j] = -1;
        c->before[j] = -1;
        if (c->from[j] < from) {
            continue;
        }
        double most = 0;
        for (int64_t e = graph->enter_at[j]; e < graph->enter_at[j + 1]; e++) {
            int32_t k = graph->tail[graph->entering[e]];
            if (c->reach[k] > most) {
                most = c->reach[k];
                c->before[j] = k;
            }
        }
        c->reach[j] = most + c->cost[j];
    }
}

static duet_code add_path(duet_chains *c, int32_t from, int32_t to, int32_t last, duet_error *error)
{
    duet_chains_row row = {.from = from, .to = to, .weights = -1, .first = c->listeds};
    for (int32_t j = last; j >= 0; j = c->before[j]) {
        DUET_TRY(duet_vec_push(c->listed, c->listeds, error, j));
        row.count++;
    }
    for (size_t i = 0; i < row.count / 2; i++) {
        int32_t *a = &c->listed[row.first + i];
        int32_t *b = &c->listed[row.first + row.count - 1 - i];
        int32_t swap = *a;
        *a = *b;
        *b = swap;
    }
    return add_row(c, row, error);
}

// From each point the path that is longest against the time up to where it ends.
static duet_code add_paths(duet_chains *c, int64_t *added, duet_error *error)
{
    for (int64_t j = 0; j < c->tasks; j++) {
        double fixed;
        double more;
        cost_of(c, j, one, &fixed, &more);
        c->cost[j] = (fixed + more * share_of(c, j)) / c->unit;
    }
    for (int32_t a = 0; a < c->end; a += 2) {
        int32_t last = -1;
        double most = DUET_CHAINS_TOLERANCE;
        find_paths(c, a);
        for (int64_t j = 0; j < c->tasks; j++) {
            double by = c->reach[j] < 0 ? -1 : c->reach[j] - gap(c, a, c->to[j]);
            if (c->to[j] % 2 == 1 && by > most) {
                most = by;
                last = (int32_t)j;
            }
        }
        if (last >= 0) {
            DUET_TRY(add_path(c, a, c->to[last], last, error));
            ++*added;
        }
    }
    return DUET_OK;
}

// Adds rows that the solution violates; says how many.
static duet_code separate(duet_chains *c, int64_t *added, duet_error *error)
{
    *added = 0;
    if (c->lp.constraints - c->lp.columns >= DUET_CHAINS_MOST_ROWS) {
        return DUET_OK;
    }
    DUET_TRY(add_paths(c, added, error));
    for (int w = 0; w < c->weights; w++) {
        DUET_TRY(add_work(c, w, added, error));
    }
    return DUET_OK;
}

duet_code duet_chains_solve(duet_chains *c, int rounds, duet_error *error)
{
    int64_t added = 0;
    for (int r = 0; r <= rounds; r++) {
        DUET_TRY(duet_chains_simplex_solve(&c->lp, INT64_MAX, c->limit, c->context, error));
        if (c->lp.status != DUET_CHAINS_OPTIMAL || r == rounds) {
            break;
        }
        DUET_TRY(separate(c, &added, error));
        if (added == 0) {
            break;
        }
    }
    return DUET_OK;
}
