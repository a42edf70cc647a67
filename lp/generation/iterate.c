// SPDX-License-Identifier: Apache-2.0
// Column generation: solve the master program, round its duals to integer prices, add the dearest
// patterns of every type, until the price of no pattern is above that of its processor.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "lp/generation/state.h"

enum {
    // Patterns of one type in one round, of disjoint tasks: one for each processor and some more,
    // so that they could be a solution.
    DISJOINT_MORE = 2,
    DISJOINT_MOST = 40,
    SHARES = 64 // columns of a divisible type in one round
};

// Whether the price of a load is above that of its processor, by the smoothed duals at their scale
// and by the last ones.
static bool improves(const duet_generation *c, size_t type, double scale, const load *found)
{
    double processor = c->dual.processor[type];
    if (found->parts == 0 || (double)found->value <= processor * scale * (1 + 1e-9) + 1e-6) {
        return false;
    }
    double price = 0;
    for (size_t p = 0; p < found->parts; p++) {
        price +=
            c->last.task[pair_of(c, type, found->part[p].class)] * (double)found->part[p].tasks;
    }
    return price > c->last.processor[type] * (1 + 1e-7) + 1e-10; // all have the price 1 together
}

// The tasks of a load get no price any more: the next one is of others.
static void leave_out(duet_generation *c, const load *found)
{
    for (size_t p = 0; p < found->parts; p++) {
        for (size_t i = 0; i < c->items; i++) {
            c->item[i].price = c->item[i].class == found->part[p].class ? 0 : c->item[i].price;
        }
    }
}

// Adds the dearest patterns of a type that improve the program. The first is that of its limit.
static duet_code add_patterns(duet_generation *c, size_t type, double scale, int *added,
                              duet_error *error)
{
    duet_generation_list(c, type, c->capacity[type]);
    for (size_t i = 0; i < c->items; i++) {
        c->item[i].price = c->trial.price[type][c->item[i].class];
    }
    load found = c->dearest[type];
    int64_t most = c->classes->processors[type] + DISJOINT_MORE;
    most = most < DISJOINT_MOST ? most : DISJOINT_MOST;
    for (int64_t round = 0; round < most && improves(c, type, scale, &found); round++) {
        size_t before = c->patterns;
        size_t index;
        duet_code code = duet_generation_push(c, type, found.part, found.parts, &index, error);
        if (code != DUET_OK) {
            return code;
        }
        *added += c->patterns > before;
        leave_out(c, &found);
        found = (load){.part = c->part};
        code = round + 1 == most ? DUET_OK
                                 : duet_generation_price(c, c->capacity[type],
                                                         (int64_t)(c->dual.processor[type] * scale),
                                                         &found, error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

// Adds columns of a divisible type that improve the program.
static void add_shares(duet_generation *c, size_t type, int *added)
{
    int here = 0;
    for (size_t i = 0; i < c->count && here < SHARES; i++) {
        if (c->share[pair_of(c, type, i)] != SIZE_MAX ||
            most_on_one(c, type, i, c->capacity[type]) == 0) {
            continue;
        }
        double share = (double)c->classes->time[type][i] / (double)c->capacity[type];
        if (c->last.task[pair_of(c, type, i)] > c->last.processor[type] * share * (1 + 1e-7)) {
            duet_generation_share_class(c, type, i);
            here++;
        }
    }
    *added += here;
}

static duet_code extend_master(duet_generation *c, double scale, int *added, duet_error *error)
{
    duet_code code = DUET_OK;
    *added = 0;
    for (size_t t = 0; t < c->types && code == DUET_OK; t++) {
        if (c->classes->processors[t] > 0 && c->divisible[t]) {
            add_shares(c, t, added);
        } else if (c->classes->processors[t] > 0) {
            code = add_patterns(c, t, scale, added, error);
        }
    }
    return code == DUET_OK ? duet_lp_failure(c->lp, error) : code;
}

// What a solve remembers from one iteration to the next.
typedef struct progress {
    duet_generation_purpose purpose;
    double least; // slack, in duals
    double share; // of the center in the duals to price with
    bool done;    // the answer is complete
} progress;

static const double PULL = 0.6; // towards the center

// The prices of the duals, kept where they leave the least slack so far.
static duet_code round_duals(duet_generation *c, progress *at, double *scale, duet_prices *prices,
                             duet_generation_answer *answer, duet_error *error)
{
    duet_int128 slack;
    *scale = duet_generation_scale(c, c->guess);
    duet_code code = duet_generation_round(c, *scale, c->guess, &slack, error);
    if (code == DUET_OK && !c->unknown && (double)slack / *scale < at->least) {
        at->least = (double)slack / *scale;
        duet_generation_recenter(c);
        duet_prices_copy(c->classes, &c->trial, prices);
        answer->any = true;
    }
    answer->refuted = code == DUET_OK && slack < 0;
    return code;
}

// One iteration.
static duet_code iterate(duet_generation *c, progress *at, const duet_context *context,
                         duet_prices *prices, duet_generation_answer *answer, duet_error *error)
{
    at->done = true;
    duet_lp_set_dual(c->lp, answer->iterations == 1 && !c->widened);
    c->widened = false;
    duet_code code = duet_lp_solve(c->lp, false, context, error);
    if (code != DUET_OK || duet_lp_get_status(c->lp) != DUET_LP_OPTIMAL) {
        return code;
    }
    duet_generation_duals(c);
    answer->factor = c->factor;
    if (c->factor <= 1 && at->purpose != DUET_GENERATION_NODE) {
        return DUET_OK; // no prices refute the guess
    }
    bool smoothed = c->centered && at->share > 0;
    duet_generation_smooth(c, smoothed ? at->share : 0);
    double scale;
    code = round_duals(c, at, &scale, prices, answer, error);
    if (code != DUET_OK || answer->refuted || (c->factor <= 1 && answer->any)) {
        return code;
    }
    int added;
    code = extend_master(c, scale, &added, error);
    at->share = added == 0 && smoothed ? 0 : PULL;
    if (code == DUET_OK && added == 0 && !smoothed) {
        if (!c->unknown || c->thorough) {
            answer->finished = !c->unknown;
            return code;
        }
        c->thorough = true; // where branch and bound gave up it takes its time
    }
    at->done = false;
    return code;
}

duet_code duet_generation_solve(duet_generation *c, const duet_residual *state,
                                duet_generation_request request, const duet_context *context,
                                duet_prices *prices, duet_generation_answer *answer,
                                duet_error *error)
{
    *answer = (duet_generation_answer){.proven = c->guess};
    c->state = state;
    c->thorough = false;
    progress at = {.purpose = request.purpose, .least = INFINITY, .share = PULL};
    duet_code code = duet_generation_fit(c, error);
    while (code == DUET_OK && !at.done && answer->iterations < request.iterations) {
        answer->iterations++;
        code = iterate(c, &at, context, prices, answer, error);
    }
    if (code == DUET_OK && answer->refuted && request.purpose == DUET_GENERATION_REFUTE) {
        code = duet_generation_certify(c, context, prices, answer, error);
    }
    if (code == DUET_OK && duet_lp_get_status(c->lp) == DUET_LP_OPTIMAL) {
        duet_generation_read(c);
    }
    return code;
}
