// SPDX-License-Identifier: Apache-2.0
// Which inequalities the last solution of the interval program violates: paths that are longer than
// their window with the times of the solution, and intervals that hold more work than fits. All in
// floating point: rows only guide, the line decides.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/interval_state.h"
#include "lp/graph/tuning.h"

bool *duet_interval_active(const duet_interval_program *program, const duet_interval_row *row)
{
    switch (row->kind) {
    case DUET_INTERVAL_EDGE:
        return &program->edge_active[row->at];
    case DUET_INTERVAL_TRANSFER:
        return &program->transfer_active[(size_t)row->at * program->types + row->type];
    case DUET_INTERVAL_TAIL:
        return &program->tail_active[row->at];
    case DUET_INTERVAL_WORK:
    case DUET_INTERVAL_MIX:
        break;
    }
    return NULL;
}

duet_code duet_interval_add_row(duet_interval_program *program, const duet_interval_row *row,
                                duet_error *error)
{
    bool *active = duet_interval_active(program, row);
    if (active != NULL && *active) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_grow(program->row, program->rows, error));
    program->row[program->rows] = *row;
    program->row[program->rows++].basis = DUET_LP_BASIC;
    if (active != NULL) {
        *active = true;
    }
    return DUET_OK;
}

int64_t duet_interval_shortest(const duet_interval_program *program,
                               const duet_interval_guess *guess, int64_t task)
{
    int64_t least = DUET_FORBIDDEN;
    for (size_t t = 0; t < program->types; t++) {
        if (duet_interval_may_run(program->net, guess, task, t)) {
            int64_t time = duet_interval_time(program, task, t);
            least = duet_min(time, least);
        }
    }
    return least;
}

// --- paths ---------------------------------------------------------------------------------------

// What a task takes by its shares.
static double duration_of(const duet_interval_program *p, const duet_interval_guess *guess,
                          int64_t task)
{
    double time = 0.0;
    for (size_t t = 0; t < p->types; t++) {
        if (duet_interval_may_run(p->net, guess, task, t)) {
            time += p->share[(size_t)task * p->types + t] * (double)duet_interval_time(p, task, t);
        }
    }
    return time;
}

// First-order steps do not know rows of inter-type transfers.
static bool has_transfers(const duet_interval_program *p)
{
    return p->transfer != NULL && p->lp != NULL;
}

// How long the data of each edge are on their way at least, by the shares, and from which type.
static void measure_transfers(duet_interval_program *p, const duet_interval_guess *guess)
{
    const duet_graph *graph = p->net->graph;
    for (int64_t e = 0; has_transfers(p) && e < p->net->edges; e++) {
        const double *from = &p->share[(size_t)graph->tail[e] * p->types];
        const double *to = &p->share[(size_t)graph->head[e] * p->types];
        p->transfer[e] = 0.0;
        for (size_t t = 0; t < p->types; t++) {
            double part = from[t] - to[t];
            if (part > 1e-9) {
                double time = part * (double)duet_interval_transfer(p->net, guess, e, t);
                p->transfer_type[e] = time > p->transfer[e] ? t : p->transfer_type[e];
                p->transfer[e] = fmax(p->transfer[e], time);
            }
        }
    }
}

static double transfer_of(const duet_interval_program *p, int32_t edge)
{
    return has_transfers(p) ? p->transfer[edge] : 0.0;
}

static duet_code add_edge(duet_interval_program *p, int32_t edge, duet_error *error)
{
    duet_interval_row row = {.kind = DUET_INTERVAL_EDGE, .at = edge};
    if (transfer_of(p, edge) > 0.0) {
        row.kind = DUET_INTERVAL_TRANSFER;
        row.type = p->transfer_type[edge];
    }
    return duet_interval_add_row(p, &row, error);
}

// Earliest starts, and longest ways from the ends on, with these durations.
static void measure(duet_interval_program *p, const duet_interval_guess *guess)
{
    const duet_graph *graph = p->net->graph;
    measure_transfers(p, guess);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        p->duration[j] = duration_of(p, guess, j);
        p->early[j] = (double)guess->window[j].start;
        p->late[j] = (double)guess->window[j].tail;
        p->covered[j] = false;
    }
    for (int64_t i = 0; i < p->net->tasks; i++) {
        int32_t task = p->net->order[i];
        double end = p->early[task] + p->duration[task];
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            double *next = &p->early[graph->head[graph->leaving[at]]];
            *next = fmax(*next, end + transfer_of(p, graph->leaving[at]));
        }
    }
    for (int64_t i = p->net->tasks - 1; i >= 0; i--) {
        int32_t task = p->net->order[i];
        double rest = p->late[task] + p->duration[task];
        for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
            double *before = &p->late[graph->tail[graph->entering[at]]];
            *before = fmax(*before, rest + transfer_of(p, graph->entering[at]));
        }
    }
}

// Makes rows of the longest path through a task, back to where a head begins it and on to where a
// tail ends it. Returns how many of them are new; negative: no memory.
static int add_path(duet_interval_program *p, const duet_interval_guess *guess, int64_t task,
                    duet_error *error)
{
    const duet_graph *graph = p->net->graph;
    size_t before = p->rows;
    duet_code code = DUET_OK;
    int64_t last = task;
    p->covered[task] = true;
    while (code == DUET_OK && p->early[task] > (double)guess->window[task].start) {
        int64_t at = graph->enter_at[task];
        for (; at + 1 < graph->enter_at[task + 1]; at++) {
            int32_t tail = graph->tail[graph->entering[at]];
            double end = p->early[tail] + p->duration[tail];
            if (end + transfer_of(p, graph->entering[at]) >= p->early[task]) {
                break;
            }
        }
        code = add_edge(p, graph->entering[at], error);
        task = graph->tail[graph->entering[at]];
        p->covered[task] = true;
    }
    while (code == DUET_OK && p->late[last] > (double)guess->window[last].tail) {
        int64_t at = graph->leave_at[last];
        for (; at + 1 < graph->leave_at[last + 1]; at++) {
            int32_t head = graph->head[graph->leaving[at]];
            double rest = p->late[head] + p->duration[head];
            if (rest + transfer_of(p, graph->leaving[at]) >= p->late[last]) {
                break;
            }
        }
        code = add_edge(p, graph->leaving[at], error);
        last = graph->head[graph->leaving[at]];
        p->covered[last] = true;
    }
    if (code == DUET_OK) {
        duet_interval_row row = {.kind = DUET_INTERVAL_TAIL, .at = (int32_t)last};
        code = duet_interval_add_row(p, &row, error);
    }
    return code == DUET_OK ? (int)(p->rows - before) : -1;
}

static double length_through(const duet_interval_program *p, int64_t task)
{
    return p->early[task] + p->duration[task] + p->late[task];
}

int duet_interval_add_paths(duet_interval_program *program, const duet_interval_guess *guess,
                            duet_error *error)
{
    int added = 0;
    measure(program, guess);
    double limit = (double)guess->guess * (1.0 + DUET_INTERVAL_TOLERANCE);
    for (int paths = 0; paths < DUET_INTERVAL_PATHS; paths++) {
        int64_t worst = -1;
        double longest = limit;
        for (int64_t j = 0; j < program->net->tasks; j++) {
            if (!program->covered[j] && length_through(program, j) > longest) {
                longest = length_through(program, j);
                worst = j;
            }
        }
        if (worst < 0) {
            break;
        }
        int more = add_path(program, guess, worst, error);
        if (more < 0) {
            return more;
        }
        added += more;
    }
    return added;
}

// --- intervals -----------------------------------------------------------------------------------

// An interval and what its work exceeds the processors by, as a share of the guess.
typedef struct candidate {
    double excess;
    int64_t after, before;
    size_t type;
} candidate;

// Keeps the largest excesses, the smallest of them in front.
typedef struct best_list {
    candidate entry[64];
    int count, most;
} best_list;

static void offer(best_list *list, candidate found)
{
    if (list->count == list->most) {
        if (found.excess <= list->entry[0].excess) {
            return;
        }
        memmove(&list->entry[0], &list->entry[1], (size_t)--list->count * sizeof found);
    }
    int at = list->count++;
    for (; at > 0 && list->entry[at - 1].excess > found.excess; at--) {
        list->entry[at] = list->entry[at - 1];
    }
    list->entry[at] = found;
}

// At most `most` of the different starts or tails, by rising order, which are returned; denser at
// the least ones: the work of large graphs is between heads and tails that are short for their
// number.
static size_t choose_points(const duet_window *window, bool tails, int64_t count, size_t most,
                            int64_t *room, int64_t *points)
{
    for (int64_t j = 0; j < count; j++) {
        room[j] = tails ? window[j].tail : window[j].start;
    }
    size_t different = duet_sort_distinct(room, (size_t)count);
    size_t chosen = duet_min(different, most);
    for (size_t i = 0; i < chosen; i++) {
        double part = (double)i / (double)chosen;
        size_t rank = (size_t)((double)different * part * part);
        points[i] = room[duet_max(rank, i)];
    }
    return chosen;
}

// The work of all types within an interval, by the shares of the last solution.
static void weigh(const duet_interval_program *p, const duet_interval_guess *guess,
                  const duet_lp_interval *interval, double *work)
{
    memset(work, 0, p->types * sizeof *work);
    for (int64_t j = 0; j < p->net->tasks; j++) {
        const double *share = &p->share[(size_t)j * p->types];
        for (size_t t = 0; t < p->types; t++) {
            if (share[t] > 1e-9 && duet_interval_may_run(p->net, guess, j, t)) {
                int64_t overlap =
                    duet_interval_overlap(guess->guess, interval, guess->window[j].start,
                                          guess->window[j].tail, duet_interval_time(p, j, t));
                work[t] += share[t] * (double)overlap;
            }
        }
    }
}

static void judge(const duet_interval_program *p, const duet_interval_guess *guess,
                  const duet_lp_interval *interval, best_list *list)
{
    double work[DUET_MAX_TYPES];
    double room = (double)(guess->guess - interval->after - interval->before);
    weigh(p, guess, interval, work);
    for (size_t t = 0; t < p->types; t++) {
        double machines = (double)p->net->instance->processors[t];
        if (machines > 0.0) {
            double excess = (work[t] / machines - room) / (double)guess->guess - p->objective;
            if (excess > DUET_INTERVAL_TOLERANCE) {
                offer(list, (candidate){.excess = excess,
                                        .after = interval->after,
                                        .before = interval->before,
                                        .type = t});
            }
        }
    }
}

static bool is_there(const duet_interval_program *p, const candidate *c)
{
    for (size_t r = 0; r < p->rows; r++) {
        const duet_interval_row *row = &p->row[r];
        if (row->kind == DUET_INTERVAL_WORK && row->after == c->after && row->before == c->before &&
            row->type == c->type) {
            return true;
        }
    }
    return false;
}

int duet_interval_add_work(duet_interval_program *program, const duet_interval_guess *guess,
                           size_t points, int most, duet_error *error)
{
    enum { most_points = 64 };
    int64_t after[most_points];
    int64_t before[most_points];
    best_list list = {.most = most};
    points = duet_min(points, most_points);
    int64_t tasks = program->net->tasks;
    size_t afters = choose_points(guess->window, false, tasks, points, program->points, after);
    size_t befores = choose_points(guess->window, true, tasks, points, program->points, before);
    for (size_t a = 0; a < afters; a++) {
        for (size_t b = 0; b < befores && after[a] < guess->guess - before[b]; b++) {
            duet_lp_interval interval = {.after = after[a], .before = before[b]};
            judge(program, guess, &interval, &list);
        }
    }
    int added = 0;
    for (int i = list.count - 1; i >= 0; i--) {
        const candidate *c = &list.entry[i];
        duet_interval_row row = {
            .kind = DUET_INTERVAL_WORK, .type = c->type, .after = c->after, .before = c->before};
        if (!is_there(program, c)) {
            if (duet_interval_add_row(program, &row, error) != DUET_OK) {
                return -1;
            }
            added++;
        }
    }
    return added;
}
