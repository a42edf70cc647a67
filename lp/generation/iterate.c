// SPDX-License-Identifier: Apache-2.0
// Column generation: solve the master program, round its duals to integer prices, add the dearest
// patterns of every type, until the price of no pattern is above that of its processor.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "lp/generation/generation_state.h"

enum {
    // Patterns of one type in one round, of disjoint tasks: one for each processor and some more,
    // so that they could be a solution.
    DISJOINT_MORE = 2,
    DISJOINT_MOST = 40,
    SHARES = 64 // columns of a divisible type in one round
};

// Whether the price of a load is above that of its processor, by the smoothed duals at their scale
// and by the last ones.
static bool improves(const duet_generation *generation, size_t type, double scale,
                     const duet_pricing_load *found)
{
    double processor = generation->smoothing.dual.processor[type];
    if (found->parts == 0 || (double)found->value <= processor * scale * (1 + 1e-9) + 1e-6) {
        return false;
    }
    double price = 0;
    for (size_t p = 0; p < found->parts; p++) {
        price += generation->smoothing.last.task[pair_of(generation, type, found->part[p].class)] *
                 (double)found->part[p].tasks;
    }
    return price > generation->smoothing.last.processor[type] * (1 + 1e-7) +
                       1e-10; // all have the price 1 together
}

// The tasks of a load get no price any more: the next one is of others.
static void leave_out(duet_generation *generation, const duet_pricing_load *found)
{
    for (size_t p = 0; p < found->parts; p++) {
        for (size_t i = 0; i < generation->items; i++) {
            generation->item[i].price =
                generation->item[i].class == found->part[p].class ? 0 : generation->item[i].price;
        }
    }
}

// Adds the dearest patterns of a type that improve the program. The first is that of its limit.
static duet_code add_patterns(duet_generation *generation, size_t type, double scale, int *added,
                              duet_error *error)
{
    duet_generation_list(generation, type, generation->capacity[type]);
    for (size_t i = 0; i < generation->items; i++) {
        generation->item[i].price = generation->trial.price[type][generation->item[i].class];
    }
    duet_pricing_load found = generation->dearest[type];
    int64_t most = generation->classes->processors[type] + DISJOINT_MORE;
    most = duet_min(most, DISJOINT_MOST);
    for (int64_t round = 0; round < most && improves(generation, type, scale, &found) &&
                            !duet_context_stop(generation->context);
         round++) {
        size_t before = generation->patterns;
        size_t index;
        duet_code code =
            duet_generation_add(generation, type, found.part, found.parts, &index, error);
        if (code != DUET_OK) {
            return code;
        }
        *added += generation->patterns > before;
        leave_out(generation, &found);
        found = (duet_pricing_load){.part = generation->part};
        int64_t limit;
        code = round + 1 == most
                   ? DUET_OK
                   : duet_generation_price(
                         generation, type, generation->capacity[type],
                         (int64_t)(generation->smoothing.dual.processor[type] * scale), &found,
                         &limit, error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

// Adds columns of a divisible type that improve the program.
static void add_shares(duet_generation *generation, size_t type, int *added)
{
    int here = 0;
    for (size_t i = 0; i < generation->count && here < SHARES; i++) {
        if (generation->share[pair_of(generation, type, i)] != SIZE_MAX ||
            most_on_one(generation, type, i, generation->capacity[type]) == 0) {
            continue;
        }
        double share =
            (double)generation->classes->time[type][i] / (double)generation->capacity[type];
        if (generation->smoothing.last.task[pair_of(generation, type, i)] >
            generation->smoothing.last.processor[type] * share * (1 + 1e-7)) {
            duet_generation_share_class(generation, type, i);
            here++;
        }
    }
    *added += here;
}

static duet_code extend_master(duet_generation *generation, double scale, int *added,
                               duet_error *error)
{
    duet_code code = DUET_OK;
    *added = duet_generation_rest(generation);
    for (size_t t = 0; t < generation->types && code == DUET_OK; t++) {
        if (generation->classes->processors[t] > 0 && generation->divisible[t]) {
            add_shares(generation, t, added);
        } else if (generation->classes->processors[t] > 0) {
            code = add_patterns(generation, t, scale, added, error);
        }
    }
    return code == DUET_OK ? duet_lp_failure(generation->lp, error) : code;
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
static duet_code round_duals(duet_generation *generation, progress *at, double *scale,
                             duet_prices *prices, duet_generation_answer *answer, duet_error *error)
{
    duet_int128 slack;
    *scale = duet_generation_scale(generation, generation->guess);
    duet_code code = duet_generation_round(generation, *scale, generation->guess, &slack, error);
    if (code == DUET_OK && slack < INT64_MAX && (double)slack / *scale < at->least) {
        at->least = (double)slack / *scale;
        duet_generation_recenter(generation);
        duet_prices_copy(generation->classes, &generation->trial, prices);
        answer->any = true;
    }
    answer->refuted = code == DUET_OK && slack < 0;
    return code;
}

// The program refutes the guess, and its rounded prices do not: those of a finer scale may.
static duet_code refine(duet_generation *generation, duet_prices *prices,
                        duet_generation_answer *answer, duet_error *error)
{
    duet_int128 slack = 0;
    duet_code code = DUET_OK;
    if (generation->factor > 1) {
        generation->effort.fine = true;
        double scale = duet_generation_scale(generation, generation->guess);
        code = duet_generation_round(generation, scale, generation->guess, &slack, error);
        generation->effort.fine = false;
    }
    if (code == DUET_OK && slack < 0) {
        duet_prices_copy(generation->classes, &generation->trial, prices);
        answer->any = answer->refuted = true;
    }
    return code;
}

// One iteration.
static duet_code iterate(duet_generation *generation, progress *at, const duet_context *context,
                         duet_prices *prices, duet_generation_answer *answer, duet_error *error)
{
    at->done = true;
    duet_lp_set_dual(generation->lp, answer->iterations == 1 && !generation->widened);
    generation->widened = false;
    duet_code code = duet_lp_solve(generation->lp, false, context, error);
    if (code != DUET_OK || duet_lp_get_status(generation->lp) != DUET_LP_OPTIMAL) {
        return code;
    }
    duet_generation_duals(generation);
    answer->factor = generation->factor;
    if (generation->factor <= 1 && at->purpose != DUET_GENERATION_NODE) {
        return DUET_OK; // no prices refute the guess
    }
    // Where nothing is refuted, the last duals leave the least slack.
    bool smoothed = generation->smoothing.centered && at->share > 0 && generation->factor > 1;
    duet_generation_smooth(generation, smoothed ? at->share : 0);
    double scale;
    code = round_duals(generation, at, &scale, prices, answer, error);
    if (code != DUET_OK || answer->refuted || (generation->factor <= 1 && answer->any)) {
        return code;
    }
    const bool unknown = generation->unknown; // of the limits, not of the patterns to come
    int added;
    code = extend_master(generation, scale, &added, error);
    at->share = added == 0 && smoothed ? 0 : PULL;
    if (code == DUET_OK && added == 0 && !smoothed) {
        if (!unknown || generation->effort.thorough) {
            answer->finished = !unknown;
            return refine(generation, prices, answer, error);
        }
        generation->effort.thorough = true; // where branch and bound gave up it takes its time
    }
    at->done = false;
    return code;
}

duet_code duet_generation_solve(duet_generation *generation, const duet_residual *state,
                                duet_generation_request request, const duet_context *context,
                                duet_prices *prices, duet_generation_answer *answer,
                                duet_error *error)
{
    *answer = (duet_generation_answer){.proven = generation->guess};
    generation->state = state;
    generation->context = context;
    generation->effort.thorough = false;
    memset(generation->effort.given_up, 0, generation->types * sizeof *generation->effort.given_up);
    progress at = {.purpose = request.purpose, .least = INFINITY, .share = PULL};
    duet_code code = duet_prices_make_room(prices, generation->trial.rows, error);
    code = code == DUET_OK ? duet_generation_fit(generation, error) : code;
    while (code == DUET_OK && !at.done && answer->iterations < request.iterations) {
        answer->iterations++;
        code = iterate(generation, &at, context, prices, answer, error);
    }
    if (code == DUET_OK && answer->refuted && request.purpose == DUET_GENERATION_REFUTE) {
        code = duet_generation_certify(generation, context, prices, answer, error);
    }
    if (code == DUET_OK && duet_lp_get_status(generation->lp) == DUET_LP_OPTIMAL) {
        duet_generation_read(generation);
    }
    return code;
}
