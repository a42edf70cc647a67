// SPDX-License-Identifier: Apache-2.0
// The best bound by a flow over all prices of two types.
// Method:    with the best flow for them the bound depends on the ratio of the two prices alone,
//            and has one maximum: it is a concave function divided by a linear one. Each ratio that
//            is tried leaves a way to divide the tasks, whose paths are no longer than the best
//            bound B so far. If its work fits into B on both types, B is the optimum. Else one type
//            has too much, and its price must rise: no ratio on the other side has a better bound.
//            For the two such ways of the narrowest interval, ratio r and works W, the bound is at
//            most (W_C + r W_G) / (m + r k), for the smaller of both; the next ratio is the one
//            where both say the same. (Kelley's method of cutting planes, in one dimension.)
// Cost:      few ratios; the first is that of the area bound, which ends it where that is best.
// Reference: Kelley, "The cutting-plane method for solving convex programs", Journal of SIAM 8(4),
//            1960.
#include "lp/graph/ratio.h"

#include <math.h>

#include "core/instance/acceleration.h"
#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/tuning.h"

// A side of the interval: a ratio, and how the tasks are divided there.
typedef struct side {
    bool there;
    duet_crash_prices prices;
    duet_crash_shares shares;
} side;

typedef struct ratio_search {
    const duet_network *net;
    duet_crash *crash;
    int64_t work;
    double processors[2];

    duet_fraction best; // the bound so far
    duet_bound *bound;

    side low, high; // the price of the GPU is too low there, or too high
    side now;
    size_t step; // in candidates, while there is one side only
    bool optimal;

    // The ratios of the kinds' times, where kinds change their cheaper type; rising.
    duet_crash_prices *candidate;
    size_t candidates;
} ratio_search;

static double as_double(duet_fraction value)
{
    return (double)value.num / (double)value.den;
}

// Prices as integers, as large as they may be.
static duet_crash_prices round_prices(double cpu, double gpu)
{
    double unit = (double)DUET_MAX_CRASH_PRICE / fmax(cpu, gpu);
    return (duet_crash_prices){llround(cpu * unit), llround(gpu * unit)};
}

// Prices in proportion to two numbers, exactly where these are not too large.
static duet_crash_prices scale_prices(int64_t cpu, int64_t gpu)
{
    int64_t largest = duet_max(cpu, gpu);
    if (largest > DUET_MAX_CRASH_PRICE || largest == 0) {
        return round_prices((double)cpu, fmax(1.0, (double)gpu));
    }
    int64_t unit = DUET_MAX_CRASH_PRICE / largest;
    return (duet_crash_prices){cpu * unit, gpu * unit};
}

// Keeps what the last flow proves, if it is more. The search goes by what it is without releases
// and busy processors; what is kept has them.
static duet_code offer(ratio_search *s, duet_error *error)
{
    duet_dual_flow *dual = duet_crash_flow(s->crash);
    duet_fraction value = duet_dual_flow_value(s->net, dual, false);
    bool better = duet_fraction_compare(value, s->best) > 0;
    s->best = better ? value : s->best;
    if (!duet_is_available(s->net->instance)) {
        value = duet_dual_flow_value(s->net, dual, true);
        better = (int64_t)duet_fraction_ceil(value) > s->bound->value;
    }
    if (!better) {
        return DUET_OK;
    }
    duet_bound bound;
    DUET_TRY(duet_dual_flow_bound(s->net, dual, value, "graph", &bound, error));
    duet_bound_release(s->bound);
    *s->bound = bound;
    return DUET_OK;
}

// -1: these shares give the GPU too much, 1: the CPU, 0: neither.
static int overloaded(const ratio_search *s, const duet_crash_shares *shares)
{
    double best = as_double(s->best) * (1.0 + DUET_RATIO_CLOSE_ENOUGH);
    bool cpu = shares->work[0] > best * s->processors[0];
    bool gpu = shares->work[1] > best * s->processors[1];
    return cpu - gpu;
}

static void exchange(side *a, side *b)
{
    side kept = *a;
    *a = *b;
    *b = kept;
}

// Makes the shares of this round a side of the interval.
static void take_side(ratio_search *s, int heavy)
{
    exchange(&s->now, heavy < 0 ? &s->low : &s->high);
    s->now.there = false;
}

// Makes the ratio that was tried a side of the interval. True: it is the best.
static duet_code narrow(ratio_search *s, bool *is_best, duet_error *error)
{
    duet_crash_prices prices = s->now.prices;
    int heavy = overloaded(s, &s->now.shares);
    take_side(s, heavy);
    *is_best = heavy == 0;
    if (heavy == 0) {
        s->low.there = false;
        return DUET_OK;
    }
    duet_code code = duet_crash_stretch(s->crash, s->best, &s->now.shares, error);
    int stretched = code == DUET_OK ? overloaded(s, &s->now.shares) : heavy;
    if (stretched != heavy) { // a mixture of both is best
        s->now.there = true;
        s->now.prices = prices;
        take_side(s, -heavy);
        *is_best = true;
    }
    return code;
}

static bool same_ratio(duet_crash_prices a, duet_crash_prices b)
{
    return (duet_int128)a.cpu * b.gpu == (duet_int128)b.cpu * a.gpu;
}

// Whether the GPU costs more in a than in b, compared with the CPU.
static bool is_above(duet_crash_prices a, duet_crash_prices b)
{
    return (duet_int128)a.gpu * b.cpu > (duet_int128)b.gpu * a.cpu;
}

// The first candidate that is not below (`above`: that is above) some prices.
static size_t find_candidate(const ratio_search *s, duet_crash_prices prices, bool above)
{
    size_t low = 0;
    size_t high = s->candidates;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = above ? !is_above(s->candidate[middle], prices)
                            : is_above(prices, s->candidate[middle]);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// The next ratio where there is one side only: candidates ever further away, then only one type has
// a price.
static duet_crash_prices move_out(ratio_search *s)
{
    size_t step = s->step;
    s->step *= 2;
    if (s->low.there) {
        size_t next = find_candidate(s, s->low.prices, true);
        return next + step - 1 < s->candidates ? s->candidate[next + step - 1]
                                               : (duet_crash_prices){0, DUET_MAX_CRASH_PRICE};
    }
    size_t next = find_candidate(s, s->high.prices, false);
    return next >= step ? s->candidate[next - step] : (duet_crash_prices){DUET_MAX_CRASH_PRICE, 0};
}

// The candidate within the interval that is next to some prices, or these.
static duet_crash_prices snap(const ratio_search *s, duet_crash_prices prices)
{
    size_t next = find_candidate(s, prices, false);
    if (next < s->candidates && is_above(s->high.prices, s->candidate[next])) {
        return s->candidate[next];
    }
    if (next > 0 && is_above(s->candidate[next - 1], s->low.prices)) {
        return s->candidate[next - 1];
    }
    return prices;
}

// The next ratio between both sides. False: none has a better bound.
static bool move_between(ratio_search *s, duet_crash_prices *next)
{
    const double *low = s->low.shares.work;
    const double *high = s->high.shares.work;
    double cpu = low[1] - high[1];
    double gpu = high[0] - low[0];
    if (!(cpu > 0.0) || !(gpu > 0.0)) {
        return false;
    }
    double most = (cpu * low[0] + gpu * low[1]) / (cpu * s->processors[0] + gpu * s->processors[1]);
    *next = snap(s, round_prices(cpu, gpu));
    return most > as_double(s->best) * (1.0 + DUET_RATIO_CLOSE_ENOUGH) &&
           is_above(*next, s->low.prices) && is_above(s->high.prices, *next);
}

static bool next_ratio(ratio_search *s, duet_crash_prices *prices)
{
    if (!s->low.there || !s->high.there) {
        const side *from = s->low.there ? &s->low : &s->high;
        *prices = move_out(s);
        return !same_ratio(*prices, from->prices);
    }
    s->optimal = !move_between(s, prices);
    return !s->optimal;
}

static duet_code search_ratio(ratio_search *s, duet_crash_prices prices, duet_error *error)
{
    for (int round = 0; round < DUET_RATIO_ROUNDS; round++) {
        bool is_best = false;
        s->now.there = true;
        s->now.prices = prices;
        duet_code code = duet_crash_run(s->crash, prices, s->best, &s->work, &s->now.shares, error);
        DUET_THEN(code, offer(s, error));
        DUET_THEN(code, narrow(s, &is_best, error));
        bool done = duet_crash_is_done(s->crash);
        if (code != DUET_OK || is_best || !done || !next_ratio(s, &prices)) {
            s->optimal = done && (is_best || s->optimal);
            return code;
        }
    }
    return DUET_OK;
}

// The shares of both sides, mixed so that the types have equally much to do.
static void mix_shares(const ratio_search *s, double *cpu)
{
    const side *low = s->low.there ? &s->low : &s->high;
    const side *high = s->high.there ? &s->high : &s->low;
    double at_low = low->shares.work[1] / s->processors[1] - low->shares.work[0] / s->processors[0];
    double at_high =
        high->shares.work[0] / s->processors[0] - high->shares.work[1] / s->processors[1];
    double of_low =
        at_low + at_high > 0.0 ? fmin(1.0, fmax(0.0, at_high / (at_low + at_high))) : 1.0;
    for (int64_t j = 0; j < s->net->tasks; j++) {
        cpu[j] = of_low * low->shares.share[j] + (1.0 - of_low) * high->shares.share[j];
    }
}

// Three ways to divide the tasks.
static duet_code make_room(ratio_search *s, double **room, duet_error *error)
{
    size_t tasks = (size_t)s->net->tasks;
    duet_code code = duet_memory_check(3 * tasks, sizeof **room, 0, "the shares of tasks", error);
    *room = code == DUET_OK ? duet_alloc_raw(3 * tasks, sizeof **room, error) : NULL;
    if (*room == NULL) {
        return code == DUET_OK ? DUET_E_MEMORY : code;
    }
    s->low.shares.share = *room;
    s->high.shares.share = *room + tasks;
    s->now.shares.share = *room + 2 * tasks;
    return DUET_OK;
}

// The ratios that the kinds name; the first prices are those of the area bound.
static duet_code list_candidates(ratio_search *s, duet_crash_prices *first, duet_error *error)
{
    const duet_instance *instance = s->net->instance;
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    duet_fractional area = duet_fractional_assignment(instance, &order);
    bool any = area.weight[0] > 0 || area.weight[1] > 0;
    *first = any ? scale_prices(area.weight[0], area.weight[1]) : scale_prices(1, 1);
    bool waits = !duet_is_available(instance); // what they add to the bound is left out here
    if (waits || s->bound->certificate.proof == DUET_PROOF_AREA) { // its value is rounded up
        s->best = area.makespan;
    }
    s->candidate = duet_alloc_raw(order.count, sizeof *s->candidate, error);
    duet_code code = s->candidate == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = order.flexible_end; code == DUET_OK && i-- > order.flexible_begin;) {
        size_t kind = order.items[i].kind;
        duet_crash_prices prices =
            scale_prices(duet_time(instance, kind, 1), duet_time(instance, kind, 0));
        if (s->candidates == 0 || is_above(prices, s->candidate[s->candidates - 1])) {
            s->candidate[s->candidates++] = prices;
        }
    }
    duet_acceleration_order_free(&order);
    return code;
}

duet_code duet_lp_graph_flow_bound(const duet_network *network, const duet_context *context,
                                   int64_t work, duet_bound *bound, bool *optimal, double *share,
                                   duet_error *error)
{
    const duet_instance *instance = network->instance;
    ratio_search s = {.net = network, .work = work, .bound = bound, .step = 1};
    s.best = (duet_fraction){(duet_uint128)bound->value, 1};
    s.processors[0] = (double)instance->processors[0];
    s.processors[1] = (double)instance->processors[1];
    double *room = NULL;
    duet_crash_prices prices;
    duet_code code = list_candidates(&s, &prices, error);
    if (code == DUET_OK && share != NULL) {
        code = make_room(&s, &room, error);
    }
    DUET_THEN(code, duet_crash_create(network, context, &s.crash, error));
    DUET_THEN(code, search_ratio(&s, prices, error));
    if (code == DUET_OK && share != NULL) {
        mix_shares(&s, share);
    }
    *optimal = s.optimal && duet_is_available(instance);
    duet_crash_free(s.crash);
    duet_free(s.candidate);
    duet_free(room);
    return code;
}
