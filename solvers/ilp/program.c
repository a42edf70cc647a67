// SPDX-License-Identifier: Apache-2.0
// The integer program of algorithm ilp: built for schedules better than the best known, watched
// while the solver searches, and read back in integers.
//
// Equal processors are told apart by rank: with the tasks of a type in order of decreasing time,
// processor i holds none of the first i (any schedule's processors can be renumbered by their first
// task). That takes no rows, only bounds.
// Reference: Kaibel, Pfetsch, "Packing and partitioning orbitopes", Math. Programming 114 (2008).
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/lp.h"
#include "solvers/ilp/ilp.h"

enum { MAX_COLUMNS = 200000 };
static const double MARGIN = 1e-6; // what a bound of the solver is lowered by, relative

// Column 0 is C, in units of `scale` so that it is about 1; `column` has the column of every kind
// and slot, 0: the slot has no column.
typedef struct program {
    duet_ilp *s;
    duet_lp *lp;
    double scale;
    double top; // upper bound of C, units
    int32_t *column;
    int64_t *amount; // a candidate: tasks per kind and slot
    int64_t *load;   // scratch, per slot, units
    int64_t *limit;  // scratch, per kind: tasks ranked before it
} program;

// What a value of C, in units, proves: the least whole makespan that is not below it.
static int64_t proven(double value)
{
    double safe = ceil(value - fabs(value) * MARGIN);
    return safe < 0x1p62 ? (int64_t)safe : INT64_C(1) << 62;
}

static void raise_bound(program *p, double value)
{
    duet_ilp *s = p->s;
    int64_t bound = value < 0x1p62 ? proven(value) : s->best;
    bound = duet_min(bound, s->best);
    s->bound = duet_max(bound, s->bound);
}

// Below this makespan, in units, schedules are of interest.
static double cutoff(const program *p)
{
    return (double)p->s->best - 0.5;
}

static duet_code allocate(program *p, duet_error *error)
{
    duet_ilp *s = p->s;
    size_t kinds = s->instance->kinds;
    if (kinds > MAX_COLUMNS || s->slots > MAX_COLUMNS || kinds * s->slots > MAX_COLUMNS) {
        return duet_error_set(
            error, DUET_E_LIMIT,
            "ilp: %zu kinds x %zu processors, expected at most %d columns: choose "
            "another algorithm",
            kinds, s->slots, (int)MAX_COLUMNS);
    }
    p->column = duet_alloc(kinds * s->slots, sizeof *p->column, error);
    p->amount = duet_alloc(kinds * s->slots, sizeof *p->amount, error);
    p->load = duet_alloc(s->slots, sizeof *p->load, error);
    p->limit = duet_alloc(kinds, sizeof *p->limit, error);
    DUET_NEED(p->column != NULL && p->amount != NULL && p->load != NULL && p->limit != NULL);
    return duet_lp_create(&p->lp, error);
}

// Tasks of a type ranked before each kind, longest first.
static duet_code rank_kinds(program *p, size_t type, duet_error *error)
{
    const duet_instance *instance = p->s->instance;
    duet_ordered *order = duet_alloc(instance->kinds, sizeof *order, error);
    DUET_NEED(order);
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_allowed(instance, i, type)) {
            order[count++] = (duet_ordered){(uint64_t)duet_time(instance, i, type), i};
        }
    }
    duet_code code = duet_order_by_key(order, count, error);
    int64_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        p->limit[order[i].kind] = rank;
        rank += duet_count(instance, order[i].kind);
    }
    duet_free(order);
    return code;
}

// Most tasks of a kind that processor `index` of a type may hold in a schedule below the cutoff.
static int64_t most(const program *p, size_t kind, size_t type, size_t index)
{
    const duet_ilp *s = p->s;
    int64_t count = duet_count(s->instance, kind);
    int64_t ranked = p->limit[kind] + count - (int64_t)index;
    int64_t time = duet_ilp_units(s, kind, type);
    int64_t target = s->warm ? s->best - 1 : s->best;
    int64_t fitting = time > 0 ? target / time : count;
    int64_t least = duet_min(ranked, fitting);
    return duet_min(least, count);
}

static void add_variable(program *p, size_t kind, size_t type, size_t slot)
{
    duet_ilp *s = p->s;
    int64_t upper = most(p, kind, type, slot - s->first_slot[type]);
    if (upper > 0) {
        size_t column = duet_lp_add_column(p->lp, 0.0, (double)upper, 0.0);
        double time = (double)duet_ilp_units(s, kind, type) / p->scale;
        duet_lp_set_integer(p->lp, column);
        duet_lp_add_entry(p->lp, kind, column, 1.0);
        duet_lp_add_entry(p->lp, s->instance->kinds + slot, column, time);
        p->column[kind * s->slots + slot] = (int32_t)column;
    }
}

static duet_code add_type(program *p, size_t type, duet_error *error)
{
    duet_ilp *s = p->s;
    DUET_TRY(rank_kinds(p, type, error));
    for (size_t i = 0; i < s->instance->kinds; i++) {
        if (duet_allowed(s->instance, i, type)) {
            for (size_t slot = s->first_slot[type]; slot < s->first_slot[type + 1]; slot++) {
                add_variable(p, i, type, slot);
            }
        }
    }
    return DUET_OK;
}

static duet_code build(program *p, duet_error *error)
{
    duet_ilp *s = p->s;
    p->scale = (double)s->best;
    p->top = s->warm ? cutoff(p) : (double)s->best + 0.5;
    duet_lp_add_column(p->lp, fmin((double)s->bound, p->top) / p->scale, p->top / p->scale, 1.0);
    for (size_t i = 0; i < s->instance->kinds; i++) {
        double count = (double)duet_count(s->instance, i);
        duet_lp_add_row(p->lp, count, count);
    }
    for (size_t i = 0; i < s->slots; i++) {
        size_t row = duet_lp_add_row(p->lp, -INFINITY, 0.0);
        duet_lp_add_entry(p->lp, row, 0, -1.0);
    }
    duet_code code = DUET_OK;
    for (size_t t = 0; t < s->instance->types && code == DUET_OK; t++) {
        code = add_type(p, t, error);
    }
    s->columns = (int64_t)duet_lp_columns(p->lp);
    s->rows = (int64_t)duet_lp_rows(p->lp);
    return code == DUET_OK ? duet_lp_failure(p->lp, error) : code;
}

// The slot where one more task of a kind ends first.
static size_t earliest(const program *p, size_t kind, int64_t *finish)
{
    const duet_ilp *s = p->s;
    size_t best = 0;
    *finish = INT64_MAX;
    for (size_t t = 0; t < s->instance->types; t++) {
        if (!duet_allowed(s->instance, kind, t)) {
            continue;
        }
        int64_t time = duet_ilp_units(s, kind, t);
        for (size_t i = s->first_slot[t]; i < s->first_slot[t + 1]; i++) {
            if (p->load[i] + time < *finish) {
                *finish = p->load[i] + time;
                best = i;
            }
        }
    }
    return best;
}

// Assigns the whole parts of the values. Returns their makespan; `left` (per kind) receives the
// tasks that are not assigned. Values off by a rounding error count as whole.
static int64_t assign_whole(program *p, const double *values, int64_t *left)
{
    const duet_ilp *s = p->s;
    int64_t makespan = 0;
    memset(p->load, 0, s->slots * sizeof *p->load);
    for (size_t i = 0; i < s->instance->kinds; i++) {
        left[i] = duet_count(s->instance, i);
        for (size_t t = 0; t < s->instance->types; t++) {
            for (size_t k = s->first_slot[t]; k < s->first_slot[t + 1]; k++) {
                size_t at = i * s->slots + k;
                double value = p->column[at] > 0 ? values[p->column[at]] : 0.0;
                int64_t whole = value > 0.0 ? (int64_t)floor(value + 1e-6) : 0;
                whole = duet_min(whole, left[i]);
                p->amount[at] = whole;
                left[i] -= whole;
                if (whole > 0) {
                    p->load[k] += whole * duet_ilp_units(s, i, t);
                    makespan = duet_max(p->load[k], makespan);
                }
            }
        }
    }
    return makespan;
}

// Keeps the candidate as the best schedule: the tasks of a kind go to its slots in order.
static void keep(program *p, int64_t makespan)
{
    duet_ilp *s = p->s;
    for (size_t i = 0; i < s->instance->kinds; i++) {
        int64_t task = s->instance->first[i];
        for (size_t k = 0; k < s->slots; k++) {
            for (int64_t c = p->amount[i * s->slots + k]; c > 0; c--) {
                s->slot[task++] = (int32_t)k;
            }
        }
    }
    s->best = makespan;
}

// Makes a schedule of the values, in integers: their whole parts, then each task that is left, by
// decreasing time, where it ends first. Returns whether it is the best so far.
static bool round_values(program *p, const double *values)
{
    duet_ilp *s = p->s;
    int64_t *left = p->limit; // no longer needed once the program is built
    int64_t makespan = assign_whole(p, values, left);
    for (size_t i = 0; i < s->instance->kinds && makespan < s->best; i++) {
        size_t kind = s->order[i].kind;
        for (; left[kind] > 0 && makespan < s->best; left[kind]--) {
            int64_t finish;
            size_t slot = earliest(p, kind, &finish);
            p->load[slot] = finish;
            p->amount[kind * s->slots + slot]++;
            makespan = duet_max(finish, makespan);
        }
    }
    if (makespan >= s->best) {
        return false;
    }
    keep(p, makespan);
    return true;
}

static double visit(void *user, const double *values, double bound, bool integral)
{
    program *p = user;
    (void)integral;
    bool better = round_values(p, values);
    // Every node that has left the tree was cut off at or above the cutoff.
    raise_bound(p, fmin(bound * p->scale, cutoff(p)));
    duet_ilp_report(p->s, better);
    if (duet_ilp_near(p->s) && !duet_ilp_closed(p->s)) {
        duet_cancel_request(p->s->halt);
    }
    return cutoff(p) / p->scale;
}

static duet_code solve(program *p, duet_error *error)
{
    duet_ilp *s = p->s;
    DUET_TRY(duet_lp_solve_integer(p->lp, visit, p, s->context, error));
    s->nodes = duet_lp_nodes(p->lp);
    switch (duet_lp_get_status(p->lp)) {
    case DUET_LP_OPTIMAL:
        raise_bound(p, fmin(duet_lp_objective(p->lp) * p->scale, p->top));
        return DUET_OK;
    case DUET_LP_INFEASIBLE:
        raise_bound(p, p->top);
        return DUET_OK;
    case DUET_LP_STOPPED:
        s->interrupted = true;
        return DUET_OK;
    default:
        return duet_error_set(error, DUET_E_INTERNAL,
                              "ilp: the solver calls the program unbounded");
    }
}

duet_code duet_ilp_branch(duet_ilp *s, duet_error *error)
{
    program p = {.s = s};
    duet_code code = allocate(&p, error);
    DUET_THEN(code, build(&p, error));
    DUET_THEN(code, solve(&p, error));
    duet_lp_free(p.lp);
    duet_free(p.column);
    duet_free(p.amount);
    duet_free(p.load);
    duet_free(p.limit);
    return code;
}

void duet_ilp_report(duet_ilp *s, bool now)
{
    enum { every_ns = 200000000 };
    int64_t time = duet_clock_ns();
    if (now || time - s->reported_ns >= every_ns) {
        s->reported_ns = time;
        duet_context_report(s->context, "ilp", s->bound * s->unit, s->best * s->unit);
    }
}
