// SPDX-License-Identifier: Apache-2.0
// The linear program of lst. Column 0 is A, the largest work per processor in units of the guess.
// Then every kind that fits on several types has a column per type: its share there. Row r is the
// work of the r-th type that has processors. The next rows add the shares of a kind up to 1. Kinds
// that fit on one type are constants.
#include "solvers/dual/lst_program.h"

#include <math.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/lp.h"
#include "solvers/dual/lst_share.h"

// Kinds times types beyond which no program is set up, and what the solver takes for each of them.
enum { MAX_CELLS = 400000, BYTES_PER_CELL = 700 };

static const double SLACK = 1e-7; // a share of a task below this is none

typedef struct program {
    const duet_instance *instance;
    int64_t lambda;
    duet_allocation *allocation;
    duet_lp *lp;
    size_t row[DUET_MAX_TYPES]; // of a type with processors
    size_t rows;                // of types
    int64_t forced[DUET_MAX_TYPES];
    size_t *divided; // kinds of which tasks are left over, in order
    size_t *column;  // the first column of each
    size_t divisions;
    bool by_share; // how the tasks left over are rounded
    bool matches;  // rounding errors leave no vertex of least work: a matching, as without shares
} program;

static bool fits(const program *p, size_t kind, size_t type)
{
    return duet_allowed(p->instance, kind, type) && duet_time(p->instance, kind, type) <= p->lambda;
}

// How many types a kind fits on, with the last of them in *type; 1 where it takes no time on one.
static size_t choices(const program *p, size_t kind, size_t *type)
{
    size_t count = 0;
    for (size_t t = 0; t < p->instance->types; t++) {
        if (fits(p, kind, t)) {
            *type = t;
            count++;
            if (duet_time(p->instance, kind, t) == 0) {
                return 1;
            }
        }
    }
    return count;
}

static int64_t *share_of(const program *p, size_t kind)
{
    return p->allocation->share + kind * p->instance->types;
}

// Allocates the kinds that fit on one type. Returns how many fit on several, or SIZE_MAX where one
// fits nowhere.
static size_t force(program *p)
{
    const duet_instance *instance = p->instance;
    memset(p->allocation->share, 0,
           instance->kinds * instance->types * sizeof *p->allocation->share);
    size_t flexible = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type = 0;
        size_t number = choices(p, i, &type);
        if (number == 0) {
            return SIZE_MAX;
        }
        flexible += number > 1;
        if (number == 1) {
            share_of(p, i)[type] = duet_count(instance, i);
            p->forced[type] += duet_count(instance, i) * duet_time(instance, i, type);
        }
    }
    return flexible;
}

// Work of a kind on a type, in units of what the type can do within the guess.
static double part(const program *p, int64_t work, size_t type)
{
    return (double)work / ((double)p->lambda * (double)p->instance->processors[type]);
}

static void add_types(program *p)
{
    const duet_instance *instance = p->instance;
    size_t makespan = duet_lp_add_column(p->lp, 0.0, INFINITY, 1.0);
    for (size_t t = 0; t < instance->types; t++) {
        if (instance->processors[t] > 0) {
            p->row[t] = duet_lp_add_row(p->lp, -INFINITY, -part(p, p->forced[t], t));
            p->rows++;
            duet_lp_add_entry(p->lp, p->row[t], makespan, -1.0);
        }
    }
}

static void add_kind(program *p, size_t kind)
{
    size_t row = duet_lp_add_row(p->lp, 1.0, 1.0);
    for (size_t t = 0; t < p->instance->types; t++) {
        if (fits(p, kind, t)) {
            size_t column = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
            int64_t work = duet_count(p->instance, kind) * duet_time(p->instance, kind, t);
            duet_lp_add_entry(p->lp, row, column, 1.0);
            duet_lp_add_entry(p->lp, p->row[t], column, part(p, work, t));
        }
    }
}

static duet_code set_up(program *p, duet_error *error)
{
    add_types(p);
    for (size_t i = 0; i < p->instance->kinds; i++) {
        size_t type;
        if (choices(p, i, &type) > 1) {
            add_kind(p, i);
        }
    }
    return duet_lp_failure(p->lp, error);
}

// Whether the weighted work does not fit into the guess, in exact arithmetic. A kind may use the
// types that it fits on.
static bool refutes(const program *p, const int64_t *weight)
{
    const duet_instance *instance = p->instance;
    duet_fraction value = {0, 0};
    for (size_t t = 0; t < instance->types; t++) {
        value.den += (duet_uint128)(uint64_t)weight[t] * (uint64_t)instance->processors[t];
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_uint128 least = ~(duet_uint128)0;
        for (size_t t = 0; t < instance->types; t++) {
            duet_uint128 cost = (duet_uint128)(uint64_t)duet_count(instance, i) *
                                (uint64_t)duet_time(instance, i, t) * (uint64_t)weight[t];
            least = fits(p, i, t) && cost < least ? cost : least;
        }
        value.num += least;
    }
    return value.den > 0 &&
           duet_fraction_compare(value, (duet_fraction){(uint64_t)p->lambda, 1}) > 0;
}

static void refuse(const program *p, const int64_t *weight, duet_answer *answer)
{
    answer->yes = false;
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA, .lambda = p->lambda + 1, .types = p->instance->types};
    memcpy(answer->certificate.weight, weight, p->instance->types * sizeof *weight);
}

// Answers NO where the duals, as integers, prove it, or a type that cannot do what fits on it
// alone.
static bool refuse_by_weights(const program *p, duet_answer *answer)
{
    size_t types = p->instance->types;
    int64_t weight[DUET_MAX_TYPES] = {0};
    double price[DUET_MAX_TYPES] = {0.0};
    double dearest = 0.0;
    for (size_t t = 0; t < types && p->lp != NULL; t++) {
        if (p->instance->processors[t] > 0) {
            price[t] = fabs(duet_lp_dual(p->lp, p->row[t])) / (double)p->instance->processors[t];
            dearest = fmax(dearest, price[t]);
        }
    }
    for (size_t t = 0; t < types && dearest > 0.0; t++) {
        weight[t] = (int64_t)ldexp(price[t] / dearest, 52);
    }
    if (refutes(p, weight)) {
        refuse(p, weight, answer);
        return true;
    }
    for (size_t t = 0; t < types; t++) {
        if (p->forced[t] > (duet_int128)p->lambda * p->instance->processors[t]) {
            memset(weight, 0, sizeof weight);
            weight[t] = 1;
            refuse(p, weight, answer);
            return true;
        }
    }
    return false;
}

// Rounds every share down to whole tasks, and notes the kinds with tasks left over. A share that is
// positive and has no whole task is kept as -1: it marks the type as one of the kind's.
static void round_down(program *p)
{
    const duet_instance *instance = p->instance;
    size_t column = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type;
        if (choices(p, i, &type) < 2) {
            continue;
        }
        double count = (double)duet_count(instance, i);
        int64_t left = duet_count(instance, i);
        size_t first = column;
        for (size_t t = 0; t < instance->types; t++) {
            if (!fits(p, i, t)) {
                continue;
            }
            double share = duet_lp_value(p->lp, column++) * count;
            int64_t whole = (int64_t)floor(share + SLACK + 1e-9 * count);
            whole = duet_min(whole, left);
            share_of(p, i)[t] = whole <= 0 && share > SLACK ? -1 : duet_max(whole, 0);
            left -= duet_max(whole, 0);
        }
        if (left > 0) {
            p->column[p->divisions] = first;
            p->divided[p->divisions++] = i;
        }
    }
}

static int64_t left_over(const program *p, size_t kind)
{
    int64_t left = duet_count(p->instance, kind);
    for (size_t t = 0; t < p->instance->types; t++) {
        int64_t share = share_of(p, kind)[t];
        left -= duet_max(share, 0);
    }
    return left;
}

// Finds a type for one more task of the d-th divided kind: one of the kind's types that has none,
// or one whose kind can go elsewhere. At most one call deep per type.
static bool match(const program *p, size_t d, size_t *owner, bool *seen)
{
    for (size_t t = 0; t < p->instance->types; t++) {
        if (share_of(p, p->divided[d])[t] == 0 || seen[t]) {
            continue;
        }
        seen[t] = true;
        if (owner[t] == SIZE_MAX || match(p, owner[t], owner, seen)) {
            owner[t] = d;
            return true;
        }
    }
    return false;
}

// The matching of the paper: gives the tasks left over to types of their kinds, at most one to
// each.
static void match_all(const program *p, size_t *owner)
{
    for (size_t t = 0; t < p->instance->types; t++) {
        owner[t] = SIZE_MAX;
    }
    for (size_t d = 0; d < p->divisions; d++) {
        int64_t left = left_over(p, p->divided[d]);
        bool found = true;
        for (; left > 0 && found; left--) {
            bool seen[DUET_MAX_TYPES] = {false};
            found = match(p, d, owner, seen);
        }
    }
}

// Makes shares of the marks again. A task without a type in the matching goes to the kind's first
// type; after an exact vertex there is no such task.
static void round_up(program *p)
{
    size_t types = p->instance->types;
    size_t owner[DUET_MAX_TYPES];
    match_all(p, owner);
    for (size_t d = 0; d < p->divisions; d++) {
        int64_t *share = share_of(p, p->divided[d]);
        int64_t left = left_over(p, p->divided[d]);
        size_t first = types;
        for (size_t t = types; t-- > 0;) {
            first = share[t] != 0 ? t : first;
            share[t] = duet_max(share[t], 0) + (owner[t] == d);
            left -= owner[t] == d;
        }
        share[first] += left;
    }
}

// Lists the parts of tasks that whole tasks leave of a divided kind: type by type they fill one
// task after the other. The last gets what rounding errors leave.
static void list_parts(const program *p, size_t d, double *share, size_t tasks)
{
    const duet_instance *instance = p->instance;
    size_t kind = p->divided[d];
    size_t column = p->column[d];
    double room = 1.0;
    for (size_t t = 0; t < instance->types; t++) {
        if (!fits(p, kind, t)) {
            continue;
        }
        double whole = (double)duet_max(share_of(p, kind)[t], 0);
        double part = duet_lp_value(p->lp, column++) * (double)duet_count(instance, kind) - whole;
        while (part > SLACK) {
            double piece = tasks > 1 ? fmin(part, room) : part;
            share[t] += piece;
            part -= piece;
            room -= piece;
            if (room <= SLACK && tasks > 1) {
                share += instance->types;
                tasks--;
                room = 1.0;
            }
        }
    }
}

static size_t first_fitting(const program *p, size_t kind)
{
    size_t type = 0;
    while (!fits(p, kind, type)) {
        type++;
    }
    return type;
}

// Gives the tasks left over to types by their shares, in place of the matching.
static duet_code round_by_share(program *p, size_t tasks, double *share, size_t *type,
                                duet_error *error)
{
    size_t types = p->instance->types;
    size_t at = 0;
    for (size_t d = 0; d < p->divisions; d++) {
        size_t left = (size_t)left_over(p, p->divided[d]);
        list_parts(p, d, share + at * types, left);
        at += left;
    }
    DUET_TRY(duet_lst_share(p->instance, share, tasks, type, error));
    for (size_t d = 0; d < p->divisions; d++) {
        int64_t *whole = share_of(p, p->divided[d]);
        int64_t left = left_over(p, p->divided[d]);
        for (size_t t = 0; t < types; t++) {
            whole[t] = duet_max(whole[t], 0);
        }
        for (; left > 0; left--, type++) {
            whole[*type < types ? *type : first_fitting(p, p->divided[d])]++;
        }
    }
    return DUET_OK;
}

static duet_code share_all(program *p, duet_error *error)
{
    size_t tasks = 0;
    for (size_t d = 0; d < p->divisions; d++) {
        tasks += (size_t)left_over(p, p->divided[d]);
    }
    double *share = duet_alloc(tasks, p->instance->types * sizeof *share, error);
    size_t *type = duet_alloc(tasks, sizeof *type, error);
    duet_code code = share != NULL && type != NULL ? round_by_share(p, tasks, share, type, error)
                                                   : DUET_E_MEMORY;
    duet_free(share);
    duet_free(type);
    return code;
}

// Whether every list schedule of the allocation ends by 2 lambda, or by 2 - 1 / M of it where tasks
// are rounded by their shares. In integers.
static bool holds(const program *p)
{
    const duet_instance *instance = p->instance;
    duet_uint128 all = 0;
    for (size_t t = 0; t < instance->types; t++) {
        all += (uint64_t)instance->processors[t];
    }
    duet_fraction ratio = p->by_share ? (duet_fraction){2 * all - 1, all} : (duet_fraction){2, 1};
    for (size_t t = 0; t < instance->types; t++) {
        int64_t longest = 0;
        duet_int128 work = 0;
        for (size_t i = 0; i < instance->kinds; i++) {
            int64_t share = share_of(p, i)[t];
            int64_t time = share > 0 ? duet_time(instance, i, t) : 0;
            work += (duet_int128)share * time;
            longest = duet_max(time, longest);
        }
        duet_int128 processors = instance->processors[t];
        duet_fraction end = {(duet_uint128)(work + (processors - 1) * longest),
                             (duet_uint128)(processors * p->lambda)};
        if (work > 0 && duet_fraction_compare(end, ratio) > 0) {
            return false;
        }
    }
    return true;
}

static duet_code round_vertex(program *p, duet_error *error)
{
    p->divided = duet_alloc(p->instance->kinds, sizeof *p->divided, error);
    p->column = duet_alloc(p->instance->kinds, sizeof *p->column, error);
    DUET_NEED(p->divided);
    DUET_NEED(p->column);
    round_down(p);
    // Kinds that are not divided may hold marks, too.
    for (size_t i = 0; i < p->instance->kinds; i++) {
        for (size_t t = 0; t < p->instance->types && left_over(p, i) == 0; t++) {
            share_of(p, i)[t] = duet_max(share_of(p, i)[t], 0);
        }
    }
    if (p->by_share && !p->matches) {
        return share_all(p, error);
    }
    round_up(p);
    return DUET_OK;
}

// Among the vertices that keep the guess, takes one of least work. There, kinds and types are a
// forest: work could be moved around a circle of them so that one type has less to do and the
// others as much as before.
static duet_code take_least_work(program *p, const duet_context *context, duet_error *error)
{
    const duet_instance *instance = p->instance;
    size_t column = 1;
    duet_lp_bound_column(p->lp, 0, 0.0, fmax(1.0, duet_lp_value(p->lp, 0)));
    duet_lp_price_column(p->lp, 0, 0.0);
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t type;
        bool flexible = choices(p, i, &type) > 1;
        for (size_t t = 0; t < instance->types && flexible; t++) {
            if (fits(p, i, t)) {
                int64_t work = duet_count(instance, i) * duet_time(instance, i, t);
                duet_lp_price_column(p->lp, column++, part(p, work, t));
            }
        }
    }
    DUET_TRY(duet_lp_failure(p->lp, error));
    return duet_lp_solve(p->lp, false, context, error);
}

// Whether the solver has a vertex; else it was stopped, which the answer says.
static duet_code has_vertex(const program *p, duet_answer *answer, duet_error *error)
{
    answer->stopped = duet_lp_get_status(p->lp) == DUET_LP_STOPPED;
    if (answer->stopped || duet_lp_get_status(p->lp) == DUET_LP_OPTIMAL) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INTERNAL,
                          "lst: the solver finds no optimum of a program that always has one");
}

// Sets the program up and solves it.
static duet_code find_vertex(program *p, const duet_context *context, duet_answer *answer,
                             duet_error *error)
{
    duet_lp_free(p->lp);
    p->lp = NULL;
    p->rows = 0;
    DUET_TRY(duet_lp_create(&p->lp, error));
    DUET_TRY(set_up(p, error));
    DUET_TRY(duet_lp_solve(p->lp, false, context, error));
    return has_vertex(p, answer, error);
}

static duet_code solve(program *p, const duet_context *context, duet_answer *answer, bool *unproven,
                       duet_error *error)
{
    const duet_instance *instance = p->instance;
    if (!duet_lp_available()) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "lst on %zu types needs GLPK, and this build has none "
                              "(-DDUET_WITH_GLPK=ON); on two it does not",
                              instance->types);
    }
    if (instance->kinds > MAX_CELLS / instance->types) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "lst: %zu kinds on %zu types make too large a linear program: "
                              "expected at most %d kinds times types",
                              instance->kinds, instance->types, MAX_CELLS);
    }
    DUET_TRY(duet_memory_check(instance->kinds * instance->types, BYTES_PER_CELL,
                               context->memory_limit, "a linear program", error));
    DUET_TRY(find_vertex(p, context, answer, error));
    if (answer->stopped || refuse_by_weights(p, answer)) {
        return DUET_OK;
    }
    if (p->by_share) {
        DUET_TRY(take_least_work(p, context, error));
        duet_lp_status status = duet_lp_get_status(p->lp);
        p->matches = status != DUET_LP_OPTIMAL && status != DUET_LP_STOPPED;
        DUET_TRY(p->matches ? find_vertex(p, context, answer, error)
                            : has_vertex(p, answer, error));
        if (answer->stopped) {
            return DUET_OK;
        }
    }
    duet_code code = round_vertex(p, error);
    answer->yes = true;
    *unproven = code == DUET_OK && !holds(p);
    return code;
}

duet_code duet_lst_program(const duet_instance *instance, const duet_context *context,
                           int64_t lambda, duet_lst_vertex *vertex, duet_answer *answer,
                           duet_error *error)
{
    program p = {.instance = instance,
                 .lambda = lambda,
                 .allocation = &vertex->allocation,
                 .by_share = vertex->by_share};
    bool unproven = false;
    size_t flexible = force(&p);
    if (flexible == SIZE_MAX) {
        int64_t weight[DUET_MAX_TYPES];
        for (size_t t = 0; t < instance->types; t++) {
            weight[t] = instance->processors[t] > 0;
        }
        refuse(&p, weight, answer);
        return DUET_OK;
    }
    if (flexible == 0) {
        answer->yes = !refuse_by_weights(&p, answer);
        return DUET_OK;
    }
    duet_code code = solve(&p, context, answer, &unproven, error);
    vertex->unproven = vertex->unproven || unproven;
    duet_lp_free(p.lp);
    duet_free(p.divided);
    duet_free(p.column);
    return code;
}
