// SPDX-License-Identifier: Apache-2.0
// The interval program without a solver.
// Method:    the program as a game: starts and shares against the multipliers of its rows, those of
//            intervals with a sum of 1, whose common value is z. Both sides take small steps along
//            their gradients, the multipliers with the last step of the others counted twice, each
//            step as long as the row or column allows (primal-dual hybrid gradients). Duals of any
//            quality are a proof, so that their line is evaluated now and then.
// Cost:      O(rows of intervals x tasks + other rows) a step, 8 bytes for each row of an interval
//            and task.
// Reference: Chambolle, Pock, "A first-order primal-dual algorithm for convex problems", Journal of
//            Mathematical Imaging and Vision 40, 2011; Pock, Chambolle, "Diagonal preconditioning
//            for first order primal-dual algorithms in convex optimization", ICCV 2011.
#include <math.h>
#include <string.h>

#include "core/system/memory.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

typedef struct descent {
    duet_interval_program *p;
    const duet_interval_guess *guess;
    double unit; // the guess: times are divided by it
    size_t tasks, types;

    // Columns, each per task; shares per task and type.
    double *start, *share;           // where they are
    double *start_next, *share_next; // twice the next place less the last one
    double *start_pull, *share_pull; // gradients
    double *start_step, *share_step;
    double *pass; // what the rows of paths put on a tick of a task
    double *share_sum;

    // Rows.
    double *dual, *dual_sum;
    double *price; // room for the multipliers of intervals
    double **work; // of a row of an interval: the least work of each task per processor; else NULL
    double *works; // all of these
    double work_step;
    int steps; // that the sums are of
} descent;

// --- setting up ----------------------------------------------------------------------------------

static double time_of(const descent *d, int64_t task, size_t type)
{
    return (double)duet_interval_time(d->p, task, type) / d->unit;
}

static double room_of(const descent *d, const duet_interval_row *row)
{
    return (double)(d->guess->guess - row->after - row->before) / d->unit;
}

static void weigh_row(descent *d, const duet_interval_row *row, double *work)
{
    const duet_lp_interval interval = {.after = row->after, .before = row->before};
    double machines = (double)d->p->net->instance->processors[row->type];
    for (size_t j = 0; j < d->tasks; j++) {
        work[j] = 0.0;
        if (duet_interval_may_run(d->p->net, d->guess, (int64_t)j, row->type)) {
            work[j] =
                (double)duet_interval_overlap(d->guess->guess, &interval, d->guess->window[j].start,
                                              d->guess->window[j].tail,
                                              duet_interval_time(d->p, (int64_t)j, row->type)) /
                d->unit / machines;
        }
    }
}

static bool is_interval(const descent *d, const duet_interval_row *row)
{
    return row->kind == DUET_INTERVAL_WORK && row->after <= d->guess->guess - row->before;
}

// One over the sum of a row's, or a column's, numbers.
static void set_steps(descent *d)
{
    duet_interval_program *p = d->p;
    const duet_graph *graph = p->net->graph;
    double *per_task = d->pass; // rows that the task's time is in
    double largest = 1e-3;
    memset(d->start_step, 0, d->tasks * sizeof *d->start_step);
    memset(d->share_step, 0, d->tasks * d->types * sizeof *d->share_step);
    memset(per_task, 0, d->tasks * sizeof *per_task);
    for (size_t r = 0; r < p->rows; r++) {
        const duet_interval_row *row = &p->row[r];
        if (row->kind == DUET_INTERVAL_WORK) {
            double sum = 0.0;
            for (size_t j = 0; j < d->tasks && d->work[r] != NULL; j++) {
                sum += d->work[r][j];
                d->share_step[j * d->types + row->type] += d->work[r][j];
            }
            largest = fmax(largest, sum);
            continue;
        }
        int32_t task = row->kind == DUET_INTERVAL_EDGE ? graph->tail[row->at] : row->at;
        d->start_step[task] += 1.0;
        per_task[task] += 1.0;
        if (row->kind == DUET_INTERVAL_EDGE) {
            d->start_step[graph->head[row->at]] += 1.0;
        }
    }
    d->work_step = 1.0 / largest;
    for (size_t j = 0; j < d->tasks; j++) {
        double most = 1e-6;
        for (size_t t = 0; t < d->types; t++) {
            if (duet_interval_may_run(p->net, d->guess, (int64_t)j, t)) {
                double sum = d->share_step[j * d->types + t];
                most = fmax(most, sum + per_task[j] * time_of(d, (int64_t)j, t));
            }
        }
        d->share_step[j * d->types] = 1.0 / most;
        d->start_step[j] = 1.0 / fmax(1.0, d->start_step[j]);
    }
}

// Begins at the shares of the last solution, where there are any, the starts at the heads, and the
// duals of the last round.
static void begin(descent *d)
{
    duet_interval_program *p = d->p;
    double duals = 0.0;
    size_t intervals = 0;
    for (size_t j = 0; j < d->tasks; j++) {
        double *share = &d->share[j * d->types];
        double sum = 0.0;
        size_t last = 0;
        d->start[j] = (double)d->guess->window[j].start / d->unit;
        for (size_t t = 0; t < d->types; t++) {
            bool may = duet_interval_may_run(p->net, d->guess, (int64_t)j, t);
            share[t] = may ? p->share[j * d->types + t] : 0.0;
            sum += share[t];
            last = may ? t : last;
        }
        share[last] += 1.0 - sum;
    }
    for (size_t r = 0; r < p->rows; r++) {
        d->work[r] = NULL;
        d->dual[r] = p->row[r].dual;
        d->dual_sum[r] = 0.0;
        if (is_interval(d, &p->row[r])) {
            d->work[r] = d->works + intervals++ * d->tasks;
            weigh_row(d, &p->row[r], d->work[r]);
            duals += d->dual[r];
        } else if (p->row[r].kind == DUET_INTERVAL_WORK) {
            d->dual[r] = 0.0;
        }
    }
    for (size_t r = 0; r < p->rows; r++) {
        if (d->work[r] != NULL) {
            d->dual[r] = duals > 0.0 ? d->dual[r] / duals : 1.0 / (double)intervals;
        }
    }
    memset(d->share_sum, 0, d->tasks * d->types * sizeof *d->share_sum);
}

// --- steps ---------------------------------------------------------------------------------------

// Moves `value`, of which the members with `live` count (NULL: all), to the nearest point with a
// sum of 1 and nothing negative: by shifting what is positive until nothing becomes negative.
static void to_simplex(double *value, const bool *live, size_t count)
{
    bool negative = true;
    for (size_t i = 0; i < count; i++) {
        value[i] = live == NULL || live[i] ? value[i] : -INFINITY;
    }
    while (negative) {
        double sum = 0.0;
        size_t members = 0;
        for (size_t i = 0; i < count; i++) {
            sum += value[i] > -INFINITY ? value[i] : 0.0;
            members += value[i] > -INFINITY;
        }
        double shift = members > 0 ? (sum - 1.0) / (double)members : 0.0;
        negative = false;
        for (size_t i = 0; i < count; i++) {
            value[i] -= shift;
            if (value[i] < 0.0 && value[i] > -INFINITY) {
                value[i] = -INFINITY; // it is 0 at the nearest point
                negative = true;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        value[i] = fmax(0.0, value[i]);
    }
}

static void pull(descent *d)
{
    duet_interval_program *p = d->p;
    const duet_graph *graph = p->net->graph;
    memset(d->start_pull, 0, d->tasks * sizeof *d->start_pull);
    memset(d->pass, 0, d->tasks * sizeof *d->pass);
    memset(d->share_pull, 0, d->tasks * d->types * sizeof *d->share_pull);
    for (size_t r = 0; r < p->rows; r++) {
        const duet_interval_row *row = &p->row[r];
        if (d->dual[r] == 0.0) {
            continue;
        }
        if (row->kind == DUET_INTERVAL_WORK) {
            for (size_t j = 0; j < d->tasks; j++) {
                d->share_pull[j * d->types + row->type] += d->dual[r] * d->work[r][j];
            }
            continue;
        }
        int32_t task = row->kind == DUET_INTERVAL_EDGE ? graph->tail[row->at] : row->at;
        d->start_pull[task] += d->dual[r];
        d->pass[task] += d->dual[r];
        if (row->kind == DUET_INTERVAL_EDGE) {
            d->start_pull[graph->head[row->at]] -= d->dual[r];
        }
    }
}

// Starts and shares go down their gradients.
static void move_columns(descent *d)
{
    for (size_t j = 0; j < d->tasks; j++) {
        bool live[DUET_MAX_TYPES];
        double next[DUET_MAX_TYPES];
        double shortest = INFINITY;
        double *share = &d->share[j * d->types];
        for (size_t t = 0; t < d->types; t++) {
            live[t] = duet_interval_may_run(d->p->net, d->guess, (int64_t)j, t);
            next[t] = share[t];
            if (live[t]) {
                double time = time_of(d, (int64_t)j, t);
                next[t] -= d->share_step[j * d->types] *
                           (d->share_pull[j * d->types + t] + d->pass[j] * time);
                shortest = fmin(shortest, time);
            }
        }
        to_simplex(next, live, d->types);
        for (size_t t = 0; t < d->types; t++) {
            d->share_next[j * d->types + t] = 2.0 * next[t] - share[t];
            share[t] = next[t];
            d->share_sum[j * d->types + t] += next[t];
        }
        double least = (double)d->guess->window[j].start / d->unit;
        double most = 1.0 - (double)d->guess->window[j].tail / d->unit - shortest;
        double start = fmin(most, fmax(least, d->start[j] - d->start_step[j] * d->start_pull[j]));
        d->start_next[j] = 2.0 * start - d->start[j];
        d->start[j] = start;
    }
}

static double duration(const descent *d, int64_t task)
{
    double time = 0.0;
    for (size_t t = 0; t < d->types; t++) {
        if (duet_interval_may_run(d->p->net, d->guess, task, t)) {
            time += d->share_next[(size_t)task * d->types + t] * time_of(d, task, t);
        }
    }
    return time;
}

// How far a row is violated.
static double violation(const descent *d, size_t r)
{
    const duet_graph *graph = d->p->net->graph;
    const duet_interval_row *row = &d->p->row[r];
    double sum = 0.0;
    switch (row->kind) {
    case DUET_INTERVAL_EDGE: {
        int32_t tail = graph->tail[row->at];
        return d->start_next[tail] + duration(d, tail) - d->start_next[graph->head[row->at]];
    }
    case DUET_INTERVAL_TAIL:
        return d->start_next[row->at] + duration(d, row->at) - 1.0 +
               (double)d->guess->window[row->at].tail / d->unit;
    case DUET_INTERVAL_WORK:
        for (size_t j = 0; j < d->tasks; j++) {
            sum += d->work[r][j] * d->share_next[j * d->types + row->type];
        }
        return sum - room_of(d, row);
    case DUET_INTERVAL_TRANSFER:
    case DUET_INTERVAL_MIX:
        break; // there are none here
    }
    return 0.0;
}

// Multipliers go up with what violates their rows; those of intervals keep a sum of 1.
static void move_rows(descent *d)
{
    size_t intervals = 0;
    for (size_t r = 0; r < d->p->rows; r++) {
        if (d->work[r] != NULL) {
            d->price[intervals++] = d->dual[r] + d->work_step * violation(d, r);
        } else if (d->p->row[r].kind != DUET_INTERVAL_WORK) {
            d->dual[r] = fmax(0.0, d->dual[r] + DUET_DESCENT_PATH_STEP * violation(d, r));
        }
    }
    to_simplex(d->price, NULL, intervals);
    intervals = 0;
    for (size_t r = 0; r < d->p->rows; r++) {
        if (d->work[r] != NULL) {
            d->dual[r] = d->price[intervals++];
        }
        d->dual_sum[r] += d->dual[r];
    }
    d->steps++;
}

// --- all of it -----------------------------------------------------------------------------------

// Judges the line of the means of the duals so far.
static duet_code look(descent *d, bool *refuted, duet_error *error)
{
    for (size_t r = 0; r < d->p->rows; r++) {
        d->p->row[r].dual = d->dual_sum[r] / d->steps;
    }
    return duet_interval_judge(d->p, d->guess, refuted, error);
}

// Leaves the mean of the shares, by which rows are added, and of the multipliers' value.
static void leave(const descent *d)
{
    duet_interval_program *p = d->p;
    double value = 0.0;
    for (size_t i = 0; i < d->tasks * d->types; i++) {
        p->share[i] = d->share_sum[i] / d->steps;
    }
    memset(p->through, 0, d->tasks * sizeof *p->through);
    for (size_t r = 0; r < p->rows; r++) {
        duet_interval_row *row = &p->row[r];
        row->idle = row->dual > 1e-6 ? 0 : row->idle;
        if (d->work[r] != NULL) {
            double sum = -room_of(d, row);
            for (size_t j = 0; j < d->tasks; j++) {
                sum += d->work[r][j] * p->share[j * d->types + row->type];
            }
            value += row->dual * sum;
        } else if (row->kind != DUET_INTERVAL_WORK) {
            int32_t edge = row->at;
            p->through[row->kind == DUET_INTERVAL_EDGE ? p->net->graph->tail[edge] : edge] +=
                row->dual;
        }
    }
    p->objective = fmin(value, 0.0);
}

static duet_code allocate(descent *d, double **room, duet_error *error)
{
    size_t rows = d->p->rows;
    size_t shares = d->tasks * d->types;
    size_t intervals = 0;
    for (size_t r = 0; r < rows; r++) {
        intervals += is_interval(d, &d->p->row[r]);
    }
    *room = duet_alloc(5 * d->tasks + 5 * shares + 3 * rows + intervals * d->tasks, sizeof **room,
                       error);
    d->work = duet_alloc(rows, sizeof(double *), error);
    if (*room == NULL || d->work == NULL) {
        return DUET_E_MEMORY;
    }
    double **part[] = {&d->start, &d->start_next, &d->start_pull, &d->start_step, &d->pass};
    double *next = *room;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++, next += d->tasks) {
        *part[i] = next;
    }
    double **of_share[] = {&d->share, &d->share_next, &d->share_pull, &d->share_step,
                           &d->share_sum};
    for (size_t i = 0; i < sizeof of_share / sizeof *of_share; i++, next += shares) {
        *of_share[i] = next;
    }
    d->dual = next;
    d->dual_sum = next + rows;
    d->price = next + 2 * rows;
    d->works = next + 3 * rows;
    return DUET_OK;
}

duet_code duet_interval_descend(duet_interval_program *program, const duet_interval_guess *guess,
                                const duet_context *context, bool *refuted, duet_error *error)
{
    descent d = {.p = program,
                 .guess = guess,
                 .unit = (double)guess->guess,
                 .tasks = (size_t)program->net->tasks,
                 .types = program->types};
    double *room = NULL;
    duet_code code = allocate(&d, &room, error);
    *refuted = false;
    if (code == DUET_OK) {
        begin(&d);
        set_steps(&d);
        for (int step = 1; step <= DUET_DESCENT_STEPS && code == DUET_OK && !*refuted; step++) {
            if (step > 1 && duet_context_stop(context)) {
                break;
            }
            program->work += 4 * (int64_t)(d.tasks + program->rows);
            pull(&d);
            move_columns(&d);
            move_rows(&d);
            if (step % DUET_DESCENT_LOOK == 0) {
                code = look(&d, refuted, error);
            }
        }
        leave(&d);
    }
    duet_free(room);
    duet_free(d.work);
    return code;
}
