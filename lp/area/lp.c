// SPDX-License-Identifier: Apache-2.0
// Bound: area-lp, any number of processor types.
// Method:    minimise A over divisible kinds: share x_it of kind i on type t,
//                sum_i c_i p_it x_it <= m_t A  for every type,   sum_t x_it = 1,   x >= 0.
//            The solver is floating point and only proposes. Its optimal basis says which kinds are
//            shared between which types; each such pair is an exact equation w_t p_it = w_u p_iu
//            between the types' dual weights. The integer weights that follow are evaluated in
//            integers (lp/area/weights.h): a proven bound, whatever the solver did. It is the exact
//            optimum whenever the basis is optimal; with two types a few exact steps see to that,
//            with more a run of the solver's rational simplex (small programs of small times). A
//            simplex that crawls (many kinds of nearly one acceleration factor) is given up after
//            a few seconds, and programs of hundreds of thousands of kinds are not begun: the
//            weights it starts from are evaluated instead, and with two types the same exact steps
//            still end at the optimum.
// Cost:      one linear program of kinds + types rows; O(kinds x types) on top.
// Proof:     the weights (DUET_PROOF_AREA).
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, section 4.2 (two types); duality of linear programming for the weights.
#include "lp/area/lp.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/area/weights.h"
#include "lp/lp.h"

// Programs of at most this many columns, whose times a double holds exactly, are finished in
// rational arithmetic.
enum { EXACT_COLUMNS = 400 };
// Kinds times types beyond which no program is set up, and what the solver takes for each of them.
enum { MAX_CELLS = 400000, BYTES_PER_CELL = 700 };
#define EXACT_WORK (INT64_C(1) << 53)

// The solver is given up after this time.
static const int64_t patience_ns = 2000000000;

// Row t is the capacity of type t; row types + i is kind i; column 0 is A. Kinds that may run on
// one type only are constants of the capacity rows; kinds that take no time somewhere are left out.
typedef struct program {
    const duet_instance *instance;
    duet_lp *lp;
    double scale; // ticks per unit, and processors per unit: powers of two, which round nothing
    double crowd;
    int64_t largest; // largest work of a kind on a type
    int64_t total;   // sum of the kinds' longest works
} program;

// Number of types on which a kind has a variable; 0 where it takes no time on one of them.
static size_t choices(const duet_instance *instance, size_t kind)
{
    size_t count = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            if (duet_time(instance, kind, t) == 0) {
                return 0;
            }
            count++;
        }
    }
    return count;
}

static int64_t kind_work(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_count(instance, kind) * duet_time(instance, kind, type);
}

// The power of two above a value: a unit that makes it about 1.
static double power_of_two(int64_t value)
{
    int exponent = 0;
    frexp((double)value, &exponent);
    return ldexp(1.0, exponent);
}

static void measure(program *p)
{
    const duet_instance *instance = p->instance;
    p->largest = 1;
    p->total = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t longest = 0;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t)) {
                int64_t work = kind_work(instance, i, t);
                longest = duet_max(work, longest);
            }
        }
        p->largest = duet_max(longest, p->largest);
        p->total += longest;
    }
    int64_t processors = 1;
    for (size_t t = 0; t < instance->types; t++) {
        processors = duet_max(instance->processors[t], processors);
    }
    p->scale = power_of_two(p->largest);
    p->crowd = power_of_two(processors);
}

static void add_capacities(program *p)
{
    const duet_instance *instance = p->instance;
    int64_t forced[DUET_MAX_TYPES] = {0};
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types && choices(instance, i) == 1; t++) {
            forced[t] += duet_allowed(instance, i, t) ? kind_work(instance, i, t) : 0;
        }
    }
    size_t makespan = duet_lp_add_column(p->lp, 0.0, INFINITY, 1.0);
    for (size_t t = 0; t < instance->types; t++) {
        size_t row = duet_lp_add_row(p->lp, -INFINITY, -(double)forced[t] / p->scale);
        if (instance->processors[t] > 0) {
            duet_lp_add_entry(p->lp, row, makespan, -(double)instance->processors[t] / p->crowd);
        }
    }
}

static void add_kind(program *p, size_t kind)
{
    const duet_instance *instance = p->instance;
    size_t row = duet_lp_add_row(p->lp, 1.0, 1.0);
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            size_t column = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
            duet_lp_add_entry(p->lp, row, column, 1.0);
            duet_lp_add_entry(p->lp, t, column, (double)kind_work(instance, kind, t) / p->scale);
        }
    }
}

static duet_code build(program *p, duet_error *error)
{
    measure(p);
    add_capacities(p);
    for (size_t i = 0; i < p->instance->kinds; i++) {
        if (choices(p->instance, i) > 1) {
            add_kind(p, i);
        }
    }
    return duet_lp_failure(p->lp, error);
}

// Starts the simplex method from every kind on its cheapest type at prices near the best,
// and A at the load of the fullest: feasible, and near the optimum.
static void start(program *p, const double *price)
{
    const duet_instance *instance = p->instance;
    double load[DUET_MAX_TYPES] = {0.0};
    size_t column = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        size_t number = choices(instance, i);
        size_t best = number > 0 ? duet_area_cheapest(instance, i, price) : 0;
        if (number > 0) {
            load[best] += (double)kind_work(instance, i, best) / (double)instance->processors[best];
        }
        for (size_t t = 0; t < instance->types && number > 1; t++) {
            if (duet_allowed(instance, i, t)) {
                duet_lp_start_column(p->lp, column++, t == best ? DUET_LP_BASIC : DUET_LP_AT_LOWER);
            }
        }
    }
    size_t fullest = 0;
    for (size_t t = 1; t < instance->types; t++) {
        fullest = load[t] > load[fullest] ? t : fullest;
    }
    if (load[fullest] > 0.0) {
        duet_lp_start_column(p->lp, 0, DUET_LP_BASIC);
        duet_lp_start_row(p->lp, fullest, DUET_LP_AT_UPPER);
    }
    for (size_t r = instance->types; r < duet_lp_rows(p->lp); r++) {
        duet_lp_start_row(p->lp, r, DUET_LP_FIXED);
    }
}

// What the basis says about the weights: pairs of types that share a kind, and types whose weight
// is 0 since they have capacity to spare (or since a kind they run has the price 0).
typedef struct reading {
    duet_weight_tie tie[DUET_MAX_TYPES];
    size_t ties;
    bool zero[DUET_MAX_TYPES];
} reading;

static void read_kind(const program *p, size_t kind, size_t row, size_t *column, reading *r)
{
    const duet_instance *instance = p->instance;
    bool free_of_cost = duet_lp_row_basis(p->lp, row) == DUET_LP_BASIC;
    size_t last = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        if (duet_lp_column_basis(p->lp, (*column)++) != DUET_LP_BASIC) {
            continue;
        }
        r->zero[t] = r->zero[t] || free_of_cost;
        if (last < instance->types && r->ties < DUET_MAX_TYPES) {
            r->tie[r->ties++] = (duet_weight_tie){last, t, duet_time(instance, kind, last),
                                                  duet_time(instance, kind, t)};
        }
        last = t;
    }
}

static void read_basis(const program *p, reading *r)
{
    const duet_instance *instance = p->instance;
    *r = (reading){.ties = 0};
    for (size_t t = 0; t < instance->types; t++) {
        r->zero[t] = instance->processors[t] == 0 || duet_lp_row_basis(p->lp, t) == DUET_LP_BASIC;
    }
    size_t row = instance->types;
    size_t column = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (choices(instance, i) > 1) {
            read_kind(p, i, row++, &column, r);
        }
    }
}

// Keeps the better of two sets of weights.
static void offer(const duet_instance *instance, const int64_t *weight, int64_t *best,
                  duet_fraction *best_value)
{
    duet_fraction value = duet_area_value(instance, weight);
    if (duet_fraction_compare(value, *best_value) > 0) {
        *best_value = value;
        memcpy(best, weight, instance->types * sizeof *best);
    }
}

// The weights of every tree of ties that holds no weight of 0 (in an optimal basis there is one
// such tree), and the solver's own duals, rounded.
static void propose(const program *p, int64_t *best, duet_fraction *best_value)
{
    const duet_instance *instance = p->instance;
    size_t types = instance->types;
    reading r;
    read_basis(p, &r);
    bool seen[DUET_MAX_TYPES] = {false};
    int64_t weight[DUET_MAX_TYPES];
    double largest = 0.0;
    for (size_t t = 0; t < types; t++) {
        largest = fmax(largest, fabs(duet_lp_dual(p->lp, t)));
        if (seen[t] || r.zero[t]) {
            continue;
        }
        duet_weights_from_ties(types, r.tie, r.ties, t, weight);
        bool clear = true;
        for (size_t u = 0; u < types; u++) {
            seen[u] = seen[u] || weight[u] > 0;
            clear = clear && !(weight[u] > 0 && r.zero[u]);
        }
        if (clear) {
            offer(instance, weight, best, best_value);
        }
    }
    for (size_t t = 0; t < types && largest > 0.0; t++) {
        double share = fabs(duet_lp_dual(p->lp, t)) / largest;
        weight[t] = instance->processors[t] > 0 ? (int64_t)ldexp(share, 52) : 0;
    }
    if (largest > 0.0) {
        offer(instance, weight, best, best_value);
    }
}

static duet_code stopped(const duet_context *context, duet_error *error)
{
    bool cancelled = duet_cancel_requested(context->cancel);
    return duet_error_set(error, cancelled ? DUET_E_CANCELLED : DUET_E_LIMIT,
                          "%s before the linear program of bound 'area-lp' was solved",
                          cancelled ? "cancelled" : "the time limit came");
}

static duet_code solve(program *p, const duet_context *context, int64_t *weight, duet_error *error)
{
    const duet_instance *instance = p->instance;
    DUET_TRY(build(p, error));
    if (duet_context_stop(context)) {
        return stopped(context, error);
    }
    double price[DUET_MAX_TYPES];
    duet_area_prices(instance, price);
    start(p, price);
    bool exact =
        instance->types > 2 && duet_lp_columns(p->lp) <= EXACT_COLUMNS && p->total <= EXACT_WORK;
    duet_context patient = *context;
    int64_t limit = duet_clock_ns() + patience_ns;
    patient.deadline_ns = duet_min(context->deadline_ns, limit);
    DUET_TRY(exact ? duet_lp_solve(p->lp, true, &patient, error)
                   : duet_lp_attempt(p->lp, &patient, error));
    switch (duet_lp_get_status(p->lp)) {
    case DUET_LP_OPTIMAL: {
        duet_fraction value = {0, 1};
        propose(p, weight, &value);
        duet_weights_polish(instance, weight);
        return DUET_OK;
    }
    case DUET_LP_UNSOLVED:
    case DUET_LP_STOPPED:
        if (duet_context_stop(context)) {
            return stopped(context, error);
        }
        duet_area_weights_of_prices(instance, price, weight);
        duet_weights_polish(instance, weight);
        return DUET_OK;
    default:
        return duet_error_set(error, DUET_E_INTERNAL,
                              "bound 'area-lp': the solver calls a program that always has an "
                              "optimum infeasible or unbounded");
    }
}

duet_code duet_area_lp_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error)
{
    *bound = (duet_bound){.name = "area-lp"};
    program p = {.instance = instance};
    if (instance->kinds > MAX_CELLS / instance->types) {
        duet_bound estimate = duet_area_estimate(instance);
        *bound = estimate;
        bound->name = "area-lp";
        return DUET_OK;
    }
    DUET_TRY(duet_memory_check(instance->kinds * instance->types, BYTES_PER_CELL,
                               context->memory_limit, "a linear program", error));
    DUET_TRY(duet_lp_create(&p.lp, error));
    // Where nothing takes any time, every weight proves the bound 0.
    int64_t weight[DUET_MAX_TYPES] = {0};
    for (size_t t = 0; t < instance->types; t++) {
        weight[t] = instance->processors[t] > 0;
    }
    duet_code code = solve(&p, context, weight, error);
    duet_lp_free(p.lp);
    if (code != DUET_OK) {
        return code;
    }
    *bound = duet_area_bound_of_weights(instance, "area-lp", weight);
    return DUET_OK;
}

const duet_bound_method duet_bound_area_lp = {
    .entry = {.name = "area-lp",
              .summary = "divisible tasks, as a linear program, any number of processor types",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 4.2",
              .needs = DUET_NEEDS_GLPK,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = duet_area_lp_bound,
};
