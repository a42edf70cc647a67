// SPDX-License-Identifier: Apache-2.0
// Prices of processors for the work of intervals; see learn_state.h.
// Method:    each type, or cluster, alone, each processor of types on which tasks have one alone,
//            and all types at about the prices of the area bound.
// Cost:      O(tasks types) a row.
// Memory:    that of the state.
// Reference: docs/theory/graphs.md.
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "heuristics/graph_search/model.h"
#include "solvers/graph/learn/learn_state.h"

static void add_row(duet_learn *s, const duet_learn_row *row)
{
    s->row[s->rows++] = *row;
}

static void add_single_rows(duet_learn *s)
{
    for (size_t t = 0; t < s->types; t++) {
        int64_t *price = s->price + t * s->types;
        int32_t count = duet_learn_count(s, t);
        price[t] = 1;
        if (count > 0 && count < s->tasks) {
            add_row(s, &(duet_learn_row){price, count, (int32_t)t, -1});
        }
        for (int32_t p = s->begin[t]; p < s->begin[t + 1] && duet_learn_is_placed(s, t); p++) {
            add_row(s, &(duet_learn_row){price, 1, (int32_t)t, p});
        }
    }
}

// Work at these prices, and what all processors could do, stay below 2^62.
static int64_t choose_scale(const duet_learn *s)
{
    const duet_learn_sizes *z = s->sizes;
    int64_t processors = z == NULL ? s->processors : 0;
    for (size_t c = 0; z != NULL && c < z->clusters; c++) {
        processors += z->processors[c];
    }
    duet_int128 most = 1 + (duet_int128)s->best.makespan * processors;
    for (int32_t j = 0; j < s->tasks; j++) {
        for (size_t t = 0; t < s->types; t++) {
            duet_int128 size = z == NULL ? 1 : z->size[t];
            most += duet_learn_allows(s, j, t) ? size * duet_learn_time(s, j, t) : 0;
        }
    }
    duet_int128 room = (INT64_C(1) << 62) / most;
    return room < DUET_LEARN_PRICE ? (int64_t)room : DUET_LEARN_PRICE;
}

// Of moldable tasks: each cluster alone, and all of them; a type costs as many as it has. None
// where the least prices make too large numbers.
static void add_cluster_rows(duet_learn *s)
{
    const duet_learn_sizes *z = s->sizes;
    int64_t scale = choose_scale(s);
    for (size_t c = 0; c <= z->clusters && scale > 0; c++) {
        bool all = c == z->clusters;
        int64_t *price =
            s->price + s->rows * s->types; // of a row that is left out it is used again
        duet_learn_row row = {price, all ? 0 : z->processors[c], -1, -1};
        for (size_t d = 0; d < z->clusters; d++) {
            int64_t each = z->price[d] * scale / DUET_LEARN_PRICE;
            row.supply += all ? each * z->processors[d] : 0;
        }
        bool used = false; // of a cluster that no task may use there is no type
        DUET_ASSERT(s->rows <= s->types);
        for (size_t t = 0; t < s->types; t++) {
            int64_t each =
                all ? z->price[z->base[t]] * scale / DUET_LEARN_PRICE : (size_t)z->base[t] == c;
            price[t] = each * z->size[t];
            used = used || price[t] > 0;
        }
        if (row.supply > 0 && used && (!all || z->clusters > 1)) {
            add_row(s, &row);
        }
    }
}

static void add_row_of_all(duet_learn *s, const double *weight)
{
    int64_t *price = s->price + s->types * s->types;
    int64_t scale = choose_scale(s);
    duet_learn_row row = {price, 0, -1, -1};
    double most = 0;
    for (size_t t = 0; t < s->types; t++) {
        most = duet_max(weight[t], most);
    }
    for (size_t t = 0; t < s->types; t++) {
        price[t] = duet_learn_count(s, t) > 0 ? (int64_t)((double)scale * weight[t] / most) : 0;
        row.supply += price[t] * duet_learn_count(s, t);
    }
    if (row.supply > 0) {
        add_row(s, &row);
    }
}

// All orders of tasks begin with that of their numbers.
static void begin_orders(duet_learn *s)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        s->by_start[j] = j;
        s->by_end[j] = j;
        for (size_t r = 0; r < s->rows; r++) {
            s->by_late[r * (size_t)s->tasks + (size_t)j] = j;
            s->by_gain[r * (size_t)s->tasks + (size_t)j] = j;
        }
    }
}

static duet_code add_rows(duet_learn *s, duet_error *error)
{
    if (s->sizes != NULL) {
        add_cluster_rows(s);
        return DUET_OK;
    }
    add_single_rows(s);
    if (s->types == 1) {
        return DUET_OK;
    }
    duet_graph_search_model model;
    duet_code code = duet_graph_search_model_create(s->instance, s->context, &model, error);
    if (code == DUET_OK) {
        add_row_of_all(s, model.weight);
        duet_graph_search_model_free(&model);
    }
    return code;
}

duet_code duet_learn_choose_rows(duet_learn *s, duet_error *error)
{
    duet_code code = add_rows(s, error);
    begin_orders(s);
    return code;
}

// --- jobs ----------------------------------------------------------------------------------------

void duet_learn_sort_again(const duet_learn *s, int32_t *order)
{
    const int64_t *key = s->key;
    for (int32_t i = 1; i < s->tasks; i++) {
        int32_t task = order[i];
        int32_t at = i;
        for (; at > 0; at--) {
            int32_t other = order[at - 1];
            if (key[other] < key[task] || (key[other] == key[task] && other < task)) {
                break;
            }
            order[at] = other;
        }
        order[at] = task;
    }
}

// The tasks by their latest starts: on the row's type, or on the type of the shortest time.
static const int32_t *sort_by_late(duet_learn *s, const duet_learn_row *row)
{
    int32_t *order = s->by_late + (size_t)(row - s->row) * (size_t)s->tasks;
    for (int32_t j = 0; j < s->tasks; j++) {
        int64_t least = INT64_MAX;
        for (size_t t = 0; t < s->types; t++) {
            bool counts = (row->type < 0 || (size_t)row->type == t) && duet_learn_allows(s, j, t);
            least = counts ? duet_min(duet_learn_time(s, j, t), least) : least;
        }
        s->key[j] = least == INT64_MAX ? INT64_MAX : duet_learn_latest(s, j) - least;
    }
    duet_learn_sort_again(s, order);
    return order;
}

// What holds if the task counts in a row of one type or processor.
static duet_learn_literal guard_of(const duet_learn *s, const duet_learn_row *row, int32_t task)
{
    if (row->processor < 0) {
        return duet_learn_on(s, task, (size_t)row->type);
    }
    int32_t at = duet_learn_at(s, task, row->processor);
    return at < 0 ? duet_learn_not(duet_learn_yes(0)) : duet_learn_yes(at);
}

static void add_option(duet_learn *s, duet_learn_job *job, size_t type, int64_t price)
{
    int64_t time = duet_learn_time(s, job->task, type);
    s->option[job->options_at + (size_t)job->options++] =
        (duet_learn_option){time, price, (int32_t)type};
    job->late = duet_max(job->latest - time, job->late);
    job->counts = job->counts && time > 0 && price > 0;
}

bool duet_learn_list_jobs(duet_learn *s, const duet_learn_row *row)
{
    size_t options = 0;
    bool any = false;
    const int32_t *order = sort_by_late(s, row);
    s->jobs = 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t j = order[i];
        s->job_of[j] = -1;
        duet_learn_job job = {.guard = {0, -1},
                              .options_at = options,
                              .task = j,
                              .counts = true,
                              .changed = s->changed[j],
                              .earliest = duet_learn_earliest(s, j),
                              .latest = duet_learn_latest(s, j),
                              .late = INT64_MIN};
        if (row->type >= 0) {
            job.guard = guard_of(s, row, j);
            if (duet_learn_fails(&s->engine, job.guard)) {
                continue;
            }
            job.counts = duet_learn_holds(&s->engine, job.guard);
            add_option(s, &job, (size_t)row->type, 1);
        } else {
            for (size_t t = 0; t < s->types; t++) {
                if (duet_learn_allows(s, j, t)) {
                    add_option(s, &job, t, row->price[t]);
                }
            }
        }
        options += (size_t)job.options;
        any = any || job.counts;
        s->job_of[j] = (int32_t)s->jobs;
        s->job[s->jobs++] = job;
    }
    s->engine.work += s->tasks;
    return any;
}
