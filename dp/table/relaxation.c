// SPDX-License-Identifier: Apache-2.0
#include "dp/table/relaxation.h"

#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { UNITS, ON_V, ON_R }; // the rows

static duet_int128 cost_on_v(const duet_multipliers *prices, const duet_table_item *item)
{
    return prices->v * item->value + prices->c * item->c;
}

static duet_int128 cost_on_r(const duet_multipliers *prices, const duet_table_item *item)
{
    return prices->r * item->weight + prices->g * item->g;
}

duet_int128 duet_price_difference(const duet_multipliers *prices, const duet_table_item *item)
{
    return cost_on_v(prices, item) - cost_on_r(prices, item);
}

// The price of all tasks on their cheaper types less that of the capacities: above 0, it proves NO.
// O(kinds).
static duet_int128 price_excess(const duet_table_problem *problem, const duet_multipliers *prices)
{
    duet_int128 excess = -prices->v * problem->limit - prices->r * problem->cap -
                         prices->c * problem->c_cap - prices->g * problem->g_cap;
    for (size_t i = 0; i < problem->kinds; i++) {
        const duet_table_item *item = &problem->items[i];
        duet_int128 v = cost_on_v(prices, item);
        duet_int128 r = cost_on_r(prices, item);
        bool to_v = item->on_v && (!item->on_r || v <= r);
        excess += (to_v ? v : r) * item->count;
    }
    return excess;
}

static double at_least_one(int64_t value)
{
    return value > 0 ? (double)value : 1.0;
}

// Prices in floating point, per tick, unit and count.
typedef struct proposal {
    double v, r, c, g;
    double r_tick; // of a tick on R, for the certificate
} proposal;

// Work in units of lambda, so that all terms are about as large.
static proposal propose(const duet_table_problem *problem, double objective, const double *rows)
{
    double lambda = at_least_one(problem->guess->lambda);
    double span = problem->unit_steps > 0 ? (double)problem->unit_steps : lambda;
    return (proposal){objective / lambda, rows[UNITS] / span, rows[ON_V], rows[ON_R],
                      rows[UNITS] / lambda};
}

// The largest power of two with `price` times it below 2^bits.
static int room(double price, double bits)
{
    return price > 0 ? (int)floor(bits - log2(price)) - 1 : 200;
}

// Scales to integers as large as the sums allow. Prices are below 2^60 (counts: 2^121), times and
// units add up to at most 2^62; a count adds at most 2 per task or processor; capacities are
// bounded with all processors, as the certificate has it.
static int scale_of(const duet_table_problem *problem, const proposal *p)
{
    const duet_instance *instance = problem->guess->instance;
    double lambda = log2(at_least_one(problem->guess->lambda));
    double v_size = log2(at_least_one(instance->processors[problem->minimised]));
    double r_size = log2(at_least_one(instance->processors[problem->guess->rounded]));
    double tasks = log2(at_least_one(problem->tasks));
    int scale = duet_min(room(p->v, 60), room(p->v, 121 - lambda - v_size));
    scale = duet_min(scale, duet_min(room(p->r, 60), room(p->r_tick, 60)));
    scale = duet_min(scale, room(p->r_tick, 121 - lambda - r_size));
    scale = duet_min(scale, room(p->c, 119 - fmax(tasks, v_size)));
    return duet_min(scale, room(p->g, 119 - fmax(tasks, r_size)));
}

static duet_multipliers prices_of(const proposal *p, int scale)
{
    return (duet_multipliers){(duet_int128)ldexp(p->v, scale), (duet_int128)ldexp(p->r, scale),
                              (duet_int128)ldexp(p->c, scale), (duet_int128)ldexp(p->g, scale)};
}

// The same prices per tick of true time. Units are rounded down, so true times cost at least as
// much; what the prices lose by becoming integers may still spoil a narrow proof.
static void certify(const duet_table_problem *problem, const proposal *p, int scale,
                    duet_certificate *out)
{
    static const duet_int128 low = ((duet_int128)1 << 62) - 1;
    duet_multipliers prices = prices_of(p, scale);
    size_t v = problem->minimised;
    size_t r = problem->guess->rounded;
    duet_certificate certificate = {
        .proof = DUET_PROOF_SHELF, .lambda = problem->guess->lambda + 1, .types = 2, .parts = 3};
    certificate.weight[v] = (int64_t)prices.v;
    certificate.weight[r] = (int64_t)ldexp(p->r_tick, scale);
    certificate.count_weight[v] = (int64_t)(prices.c & low);
    certificate.count_weight[r] = (int64_t)(prices.g & low);
    certificate.count_weight_high[v] = (int64_t)(prices.c >> 62);
    certificate.count_weight_high[r] = (int64_t)(prices.g >> 62);
    if (prices.c == 0 && prices.g == 0) {
        certificate.proof = DUET_PROOF_AREA;
    }
    if (duet_certificate_check(&certificate, problem->guess->instance, NULL, NULL) == DUET_OK) {
        *out = certificate;
    }
}

// Tries prices as a proof of NO.
static void conclude(const duet_table_problem *problem, const proposal *p, duet_relaxation *out)
{
    int scale = scale_of(problem, p);
    duet_multipliers prices = prices_of(p, scale);
    duet_int128 excess = price_excess(problem, &prices);
    out->no = excess > 0;
    if (out->no) {
        certify(problem, p, scale, &out->certificate);
    } else {
        out->prices = prices;
        out->gap = -excess;
    }
}

// The program over the kinds that may go either way: x is the number on V.
static void fill(const duet_table_problem *problem, duet_simplex *program, size_t *kind_of)
{
    double lambda = at_least_one(problem->guess->lambda);
    double span = problem->unit_steps > 0 ? (double)problem->unit_steps : lambda;
    duet_int128 units = problem->cap;
    duet_int128 c = problem->c_cap;
    duet_int128 g = problem->g_cap;
    for (size_t i = 0; i < problem->kinds; i++) {
        const duet_table_item *item = &problem->items[i];
        if (item->on_r) { // on R unless x says otherwise
            units -= (duet_int128)item->weight * item->count;
            g -= (duet_int128)item->g * item->count;
        } else {
            c -= (duet_int128)item->c * item->count;
        }
        if (item->on_v && item->on_r) {
            kind_of[program->count] = i;
            program->column[program->count++] =
                (duet_simplex_column){.cost = (double)item->value / lambda,
                                      .row = {-(double)item->weight / span, item->c, -item->g},
                                      .bound = (double)item->count};
        }
    }
    program->rhs[UNITS] = (double)units / span;
    program->rhs[ON_V] = (double)c;
    program->rhs[ON_R] = (double)g;
}

// Whole tasks from the solution; a kind in the basis is divided, its share on V rounded up.
static void take_shares(const duet_table_problem *problem, const duet_simplex *program,
                        const size_t *kind_of, duet_relaxation *out)
{
    out->solved = true;
    for (size_t i = 0; i < problem->kinds; i++) {
        out->on_r[i] = problem->items[i].on_r ? problem->items[i].count : 0;
    }
    for (size_t j = 0; j < program->count; j++) {
        if (program->place[j] == DUET_AT_UPPER) {
            out->on_r[kind_of[j]] = 0;
        }
    }
    for (int r = 0; r < DUET_SIMPLEX_ROWS; r++) {
        if (program->basis[r] >= program->count) {
            continue;
        }
        size_t kind = kind_of[program->basis[r]];
        int64_t count = problem->items[kind].count;
        double on_v = ceil(program->value[r] - 1e-6);
        int64_t whole = on_v <= 0 ? 0 : (on_v >= (double)count ? count : (int64_t)on_v);
        out->on_r[kind] = count - whole;
        if (whole > 0) {
            out->divided[out->divided_count++] = kind;
        }
    }
}

static duet_code solve(const duet_table_problem *problem, duet_simplex *program,
                       const size_t *kind_of, duet_relaxation *out, duet_error *error)
{
    DUET_TRY(duet_simplex_solve(program, error));
    if (program->infeasible) {
        proposal ray = propose(problem, 0, program->ray);
        conclude(problem, &ray, out);
    }
    if (!out->no) {
        proposal optimum = propose(problem, 1, program->multiplier);
        conclude(problem, &optimum, out);
    }
    if (!out->no && program->optimal) {
        take_shares(problem, program, kind_of, out);
    }
    duet_simplex_free(program);
    return DUET_OK;
}

duet_code duet_relaxation_solve(const duet_table_problem *problem, duet_relaxation *out,
                                duet_error *error)
{
    *out = (duet_relaxation){.no = false};
    duet_simplex program = {.count = 0};
    program.column = duet_alloc(problem->kinds, sizeof *program.column, error);
    size_t *kind_of = duet_alloc(problem->kinds, sizeof *kind_of, error);
    out->on_r = duet_alloc(problem->kinds, sizeof *out->on_r, error);
    duet_code code = DUET_E_MEMORY;
    if (program.column != NULL && kind_of != NULL && out->on_r != NULL) {
        fill(problem, &program, kind_of);
        code = solve(problem, &program, kind_of, out, error);
    }
    duet_free(program.column);
    duet_free(kind_of);
    if (code != DUET_OK) {
        duet_relaxation_free(out);
    }
    return code;
}

void duet_relaxation_free(duet_relaxation *relaxation)
{
    duet_free(relaxation->on_r);
    relaxation->on_r = NULL;
}
