// SPDX-License-Identifier: Apache-2.0
// The linear program of the rows that there are. All times are divided by the guess. Columns: z,
// the start of each task within its window, its shares on the types beyond its base.
#include <math.h>
#include <string.h>

#include "core/system/try.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

static size_t shares_of(const duet_interval_program *p, int64_t task)
{
    return p->share_column[task + 1] - p->share_column[task];
}

static size_t start_column(int64_t task)
{
    return 1 + (size_t)task;
}

static size_t base_of(const duet_interval_program *p, int64_t task)
{
    return p->base[p->net->kind[task]];
}

static bool allowed(const duet_interval_program *p, int64_t task, size_t type)
{
    return duet_allowed(p->net->instance, (size_t)p->net->kind[task], type);
}

// --- columns -------------------------------------------------------------------------------------

static void add_columns(duet_interval_program *p, const duet_interval_guess *guess)
{
    double unit = (double)guess->guess;
    duet_lp_add_column(p->lp, -1.0, INFINITY, 1.0);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        int64_t latest = guess->guess - guess->window[j].tail - duet_interval_shortest(p, guess, j);
        duet_lp_add_column(p->lp, (double)guess->window[j].start / unit, (double)latest / unit,
                           0.0);
    }
    for (int64_t j = 0; j < p->net->tasks; j++) {
        size_t base = base_of(p, j);
        bool must = !duet_interval_may_run(p->net, guess, j, base); // the shares are all of it
        for (size_t t = base + 1; t < p->types; t++) {
            if (allowed(p, j, t)) {
                double most = duet_interval_may_run(p->net, guess, j, t) ? 1.0 : 0.0;
                double least = must && shares_of(p, j) == 1 ? most : 0.0;
                duet_lp_add_column(p->lp, least, most, 0.0);
            }
        }
    }
}

// Tasks of three types or more: their shares are at most 1 in sum.
static void add_sums(duet_interval_program *p, const duet_interval_guess *guess)
{
    for (int64_t j = 0; j < p->net->tasks; j++) {
        if (shares_of(p, j) > 1) {
            bool must = !duet_interval_may_run(p->net, guess, j, base_of(p, j));
            size_t row = duet_lp_add_row(p->lp, must ? 1.0 : -INFINITY, 1.0);
            for (size_t c = p->share_column[j]; c < p->share_column[j + 1]; c++) {
                duet_lp_add_entry(p->lp, row, c, 1.0);
            }
        }
    }
}

// --- rows ----------------------------------------------------------------------------------------

// sign * what a task takes, and `more` where it runs on a type, into a row; returns the constant
// part of it.
static double add_duration_and(duet_interval_program *p, const duet_interval_guess *guess,
                               size_t row, int64_t task, double sign, size_t type, double more)
{
    double unit = (double)guess->guess;
    size_t base = base_of(p, task);
    double own = (double)duet_interval_time(p, task, base) / unit + (base == type ? more : 0.0);
    size_t column = p->share_column[task];
    for (size_t t = base + 1; t < p->types; t++) {
        if (allowed(p, task, t)) {
            double time = (double)duet_interval_time(p, task, t) / unit + (t == type ? more : 0.0);
            if (time != own) {
                duet_lp_add_entry(p->lp, row, column, sign * (time - own));
            }
            column++;
        }
    }
    return sign * own;
}

static double add_duration(duet_interval_program *p, const duet_interval_guess *guess, size_t row,
                           int64_t task, double sign)
{
    return add_duration_and(p, guess, row, task, sign, 0, 0.0);
}

// factor * a task's share of a type, likewise.
static double add_share(duet_interval_program *p, size_t row, int64_t task, size_t type,
                        double factor)
{
    bool base = base_of(p, task) == type; // then it is what the others leave
    size_t column = p->share_column[task];
    for (size_t t = base_of(p, task) + 1; t < p->types && factor != 0.0; t++) {
        if (allowed(p, task, t)) {
            if (base || t == type) {
                duet_lp_add_entry(p->lp, row, column, base ? -factor : factor);
            }
            column++;
        }
    }
    return base ? factor : 0.0;
}

static void add_edge(duet_interval_program *p, const duet_interval_guess *guess, int32_t edge)
{
    const duet_graph *graph = p->net->graph;
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    duet_lp_add_entry(p->lp, row, start_column(graph->head[edge]), 1.0);
    duet_lp_add_entry(p->lp, row, start_column(graph->tail[edge]), -1.0);
    double own = add_duration(p, guess, row, graph->tail[edge], -1.0);
    duet_lp_bound_row(p->lp, row, -own, INFINITY);
}

// The tail's end, and the cost of the edge where it runs on the type and the head does not, come
// before the head's start.
static void add_transfer(duet_interval_program *p, const duet_interval_guess *guess, int32_t edge,
                         size_t type)
{
    const duet_graph *graph = p->net->graph;
    int32_t from = graph->tail[edge];
    int32_t to = graph->head[edge];
    double cost = (double)duet_interval_transfer(p->net, guess, edge, type) / (double)guess->guess;
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    duet_lp_add_entry(p->lp, row, start_column(to), 1.0);
    duet_lp_add_entry(p->lp, row, start_column(from), -1.0);
    double own = add_duration_and(p, guess, row, from, -1.0, type, cost);
    own += add_share(p, row, to, type, cost);
    duet_lp_bound_row(p->lp, row, -own, INFINITY);
}

static void add_tail(duet_interval_program *p, const duet_interval_guess *guess, int32_t task)
{
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    double unit = (double)guess->guess;
    duet_lp_add_entry(p->lp, row, start_column(task), 1.0);
    double own = add_duration(p, guess, row, task, 1.0);
    duet_lp_bound_row(p->lp, row, -INFINITY,
                      (double)(guess->guess - guess->window[task].tail) / unit - own);
}

// The least work of a task in an interval, per processor; 0 where it may not run on the type.
static double least_work(const duet_interval_program *p, const duet_interval_guess *guess,
                         const duet_interval_row *row, int64_t task)
{
    if (!duet_interval_may_run(p->net, guess, task, row->type)) {
        return 0.0;
    }
    const duet_lp_interval interval = {.after = row->after, .before = row->before};
    int64_t overlap =
        duet_interval_overlap(guess->guess, &interval, guess->window[task].start,
                              guess->window[task].tail, duet_interval_time(p, task, row->type));
    return (double)overlap / (double)guess->guess / (double)p->net->instance->processors[row->type];
}

static void add_work(duet_interval_program *p, const duet_interval_guess *guess,
                     const duet_interval_row *what)
{
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    double fixed = 0.0;
    if (what->after > guess->guess - what->before) {
        return; // within this guess there is no such interval
    }
    duet_lp_add_entry(p->lp, row, 0, -1.0);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        double work = least_work(p, guess, what, j);
        if (work == 0.0) {
            continue;
        }
        size_t base = base_of(p, j);
        size_t column = p->share_column[j];
        fixed += base == what->type ? work : 0.0;
        for (size_t t = base + 1; t < p->types; t++) {
            if (allowed(p, j, t)) {
                if (base == what->type || t == what->type) {
                    duet_lp_add_entry(p->lp, row, column, base == what->type ? -work : work);
                }
                column++;
            }
        }
    }
    double room = (double)(guess->guess - what->after - what->before) / (double)guess->guess;
    duet_lp_bound_row(p->lp, row, -INFINITY, room - fixed);
}

// What a task takes at least as long as on a type: its share of these types, into a row; returns
// the constant part.
static double add_longer(duet_interval_program *p, size_t row, const duet_mixing_item *item,
                         double factor)
{
    int64_t least = duet_interval_time(p, item->task, item->type);
    size_t base = base_of(p, item->task);
    bool all = duet_interval_time(p, item->task, base) >= least; // but those that are shorter
    size_t column = p->share_column[item->task];
    for (size_t t = base + 1; t < p->types; t++) {
        if (allowed(p, item->task, t)) {
            bool longer = duet_interval_time(p, item->task, t) >= least;
            if (longer != all) {
                duet_lp_add_entry(p->lp, row, column, longer ? factor : -factor);
            }
            column++;
        }
    }
    return all ? factor : 0.0;
}

// The end of `from`, less the start of `to`, and what the items add, is at most 0 less the length.
static void add_mix(duet_interval_program *p, const duet_interval_guess *guess,
                    const duet_mixing_row *mix)
{
    double unit = (double)guess->guess;
    size_t row = duet_lp_add_row(p->lp, -INFINITY, INFINITY);
    double fixed = (double)mix->length / unit;
    if (mix->from != DUET_MIXING_OUTSIDE) {
        duet_lp_add_entry(p->lp, row, start_column(mix->from), 1.0);
        fixed += add_duration(p, guess, row, mix->from, 1.0);
    }
    if (mix->to != DUET_MIXING_OUTSIDE) {
        duet_lp_add_entry(p->lp, row, start_column(mix->to), -1.0);
    }
    for (int32_t i = 0; i < mix->items; i++) {
        if (mix->item[i].more > 0) {
            fixed += add_longer(p, row, &mix->item[i], (double)mix->item[i].more / unit);
        }
    }
    duet_lp_bound_row(p->lp, row, -INFINITY, (mix->to == DUET_MIXING_OUTSIDE ? 1.0 : 0.0) - fixed);
}

static void add_row(duet_interval_program *p, const duet_interval_guess *guess,
                    const duet_interval_row *row)
{
    switch (row->kind) {
    case DUET_INTERVAL_EDGE:
        add_edge(p, guess, row->at);
        break;
    case DUET_INTERVAL_TRANSFER:
        add_transfer(p, guess, row->at, row->type);
        break;
    case DUET_INTERVAL_TAIL:
        add_tail(p, guess, row->at);
        break;
    case DUET_INTERVAL_WORK:
        add_work(p, guess, row);
        break;
    case DUET_INTERVAL_MIX:
        add_mix(p, guess, &p->mix[row->at]);
        break;
    }
}

// Rows of the linear program in front of those of the list.
static size_t sums(const duet_interval_program *p)
{
    return duet_lp_rows(p->lp) > p->rows ? duet_lp_rows(p->lp) - p->rows : 0;
}

duet_code duet_interval_build(duet_interval_program *program, const duet_interval_guess *guess,
                              duet_error *error)
{
    duet_interval_program *p = program;
    DUET_TRY(duet_lp_create(&p->lp, error));
    add_columns(p, guess);
    add_sums(p, guess);
    for (size_t r = 0; r < p->rows; r++) {
        add_row(p, guess, &p->row[r]);
    }
    p->columns = duet_lp_columns(p->lp);
    for (size_t c = 0; c < p->columns && p->has_basis; c++) {
        duet_lp_start_column(p->lp, c, p->column_basis[c]);
    }
    size_t front = sums(p);
    for (size_t r = 0; r < p->rows && p->has_basis; r++) {
        duet_lp_start_row(p->lp, front + r, p->row[r].basis);
    }
    duet_lp_set_dual(p->lp, true);
    return duet_lp_failure(p->lp, error);
}

// --- solving -------------------------------------------------------------------------------------

static void read_shares(duet_interval_program *p)
{
    for (int64_t j = 0; j < p->net->tasks; j++) {
        size_t base = base_of(p, j);
        double *share = &p->share[(size_t)j * p->types];
        double rest = 1.0;
        size_t column = p->share_column[j];
        memset(share, 0, p->types * sizeof *share);
        for (size_t t = base + 1; t < p->types; t++) {
            if (allowed(p, j, t)) {
                share[t] = fmin(1.0, fmax(0.0, duet_lp_value(p->lp, column++)));
                rest -= share[t];
            }
        }
        share[base] = fmax(0.0, rest);
        p->start[j] = duet_lp_value(p->lp, start_column(j));
    }
}

// The task whose end a row speaks of; negative: of none.
static int32_t leaves_from(const duet_interval_program *p, const duet_interval_row *row)
{
    switch (row->kind) {
    case DUET_INTERVAL_EDGE:
    case DUET_INTERVAL_TRANSFER:
        return p->net->graph->tail[row->at];
    case DUET_INTERVAL_TAIL:
        return row->at;
    case DUET_INTERVAL_MIX:
        return p->mix[row->at].from;
    case DUET_INTERVAL_WORK:
        break;
    }
    return -1;
}

static void read_duals(duet_interval_program *p)
{
    size_t front = sums(p);
    memset(p->through, 0, (size_t)p->net->tasks * sizeof *p->through);
    for (size_t r = 0; r < p->rows; r++) {
        duet_interval_row *row = &p->row[r];
        double dual = duet_lp_dual(p->lp, front + r);
        bool at_least = row->kind == DUET_INTERVAL_EDGE || row->kind == DUET_INTERVAL_TRANSFER;
        row->dual = fmax(0.0, at_least ? dual : -dual);
        row->basis = duet_lp_row_basis(p->lp, front + r);
        row->idle = row->dual > 0.0 ? 0 : row->idle;
        int32_t task = leaves_from(p, row);
        if (task >= 0) {
            p->through[task] += row->dual;
        }
    }
    for (size_t c = 0; c < p->columns; c++) {
        p->column_basis[c] = duet_lp_column_basis(p->lp, c);
    }
    p->has_basis = true;
}

// A step looks at the whole program; so does the solver when it is given one.
static void count_work(duet_interval_program *p, int64_t steps)
{
    enum { own = 20, each = 8 };
    p->work += each * (steps + own) * (int64_t)(duet_lp_rows(p->lp) + p->columns);
}

duet_code duet_interval_solve(duet_interval_program *program, const duet_interval_guess *guess,
                              const duet_context *context, bool *solved, duet_error *error)
{
    duet_interval_program *p = program;
    *solved = false;
    for (size_t r = duet_lp_rows(p->lp) - sums(p); r < p->rows; r++) {
        add_row(p, guess, &p->row[r]);
    }
    duet_lp_set_limit(p->lp, DUET_INTERVAL_ENOUGH);
    int64_t before = duet_lp_steps(p->lp);
    duet_code code = duet_lp_attempt(p->lp, context, error);
    count_work(p, duet_lp_steps(p->lp) - before);
    duet_lp_status status = duet_lp_get_status(p->lp);
    if (code != DUET_OK || (status != DUET_LP_OPTIMAL && status != DUET_LP_BEYOND)) {
        return code;
    }
    *solved = true;
    p->objective = duet_lp_objective(p->lp);
    read_duals(p);
    if (status == DUET_LP_OPTIMAL) {
        read_shares(p);
    }
    return DUET_OK;
}

void duet_interval_leave(duet_interval_program *program)
{
    duet_lp_free(program->lp);
    program->lp = NULL;
}
