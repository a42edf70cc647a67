// SPDX-License-Identifier: Apache-2.0
// Column generation: solve the master program, round its duals to integer prices, add the dearest
// patterns, until the price of no pattern is above that of its processor.
#include <math.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// What a solve is for.
typedef enum purpose {
    DECIDE, // whether the guess is refuted, and how much longer ones
    REFUTE, // the same, but where it cannot be, the prices are of no use
    PROBE,  // the first alone, at one node of many
    FINISH  // the solution of the relaxation
} purpose;

enum {
    DISJOINT = 3, // columns of one type in one round, of disjoint tasks
    // Where the program lasts, one for each processor and some more, so that they could be a
    // solution.
    DISJOINT_MORE = 2,
    DISJOINT_MOST = 40,
    SHARES = 64 // columns of a divisible type in one round
};
static const double PULL = 0.6; // share of the center in smoothed duals

// Whether the price of a load is above that of its processor, by the smoothed duals at their scale
// and by the last ones.
static bool improves(const duet_configuration *c, size_t type, double scale,
                     const duet_pricing_load *found)
{
    double processor = c->smoothing.dual.processor[type] * scale;
    return found->parts > 0 && (double)found->value > processor * (1 + 1e-9) + 1e-6 &&
           duet_duals_are_above(c, type, found->part, found->parts);
}

// A pattern becomes a column, and is stored where there is room.
static duet_code add_pattern(duet_configuration *c, size_t type, const duet_pricing_load *found,
                             int *added, duet_error *error)
{
    size_t before = c->patterns;
    size_t stored = c->store != NULL ? c->store->columns : 0;
    if (c->lasts) {
        size_t index;
        DUET_TRY(duet_generation_add(c, type, found->part, found->parts, &index, error));
    } else {
        DUET_TRY(duet_master_add_column(c, type, found->part, found->parts, 1, error));
    }
    *added += c->patterns > before;
    if (c->store != NULL) {
        DUET_TRY(duet_column_store_add(c->store, type, found->part, found->parts, error));
        if (c->store->columns > stored) {
            c->pattern[c->patterns - 1].stored = stored;
        }
    }
    return DUET_OK;
}

// The tasks of a load get no price any more: the next one is of others.
static void leave_out(pricing_desk *desk, const duet_pricing_load *found)
{
    for (size_t p = 0; p < found->parts; p++) {
        for (size_t i = 0; i < desk->items; i++) {
            duet_pricing_item *item = &desk->item[i];
            item->price = item->class == found->part[p].class ? 0 : item->price;
        }
    }
}

// Lists what a pattern may have that the residual problem allows.
static void list_items(const duet_configuration *c, pricing_desk *desk, size_t type, double scale)
{
    duet_loads_list(c, desk, type, c->capacity[type]);
    for (size_t i = 0; i < desk->items; i++) {
        duet_pricing_item *item = &desk->item[i];
        double dual = c->smoothing.dual.task[pair_of(c, type, item->class)];
        item->price = c->lasts ? c->trial.price[type][item->class] : (int64_t)(dual * scale);
        item->most = c->lasts ? item->most : duet_residual_most(c->state, item->class, type);
    }
}

static duet_code keep_load(priced_loads *priced, const duet_pricing_load *found, duet_error *error)
{
    for (size_t p = 0; p < found->parts; p++) {
        DUET_TRY(duet_vec_push(priced->part, priced->parts, error, found->part[p]));
    }
    return duet_vec_push(priced->end, priced->loads, error, priced->parts);
}

// Lists the dearest patterns of a type that improve the program, the first that of the type's limit
// where it may be.
static duet_code price_patterns(duet_configuration *c, pricing_desk *desk, size_t type,
                                double scale, duet_error *error)
{
    int64_t most = duet_min(c->classes->processors[type], DISJOINT_MOST - DISJOINT_MORE);
    most = c->lasts ? most + DISJOINT_MORE : DISJOINT;
    list_items(c, desk, type, scale);
    for (int64_t round = 0; round < most; round++) {
        duet_pricing_load found = c->dearest[type];
        if (round > 0 || !(c->lasts || duet_rounding_has_dearest(c, type, scale))) {
            int64_t floor = (int64_t)(c->smoothing.dual.processor[type] * scale);
            int64_t limit;
            found.part = desk->part;
            DUET_TRY(
                duet_loads_price(c, desk, type, c->capacity[type], floor, &found, &limit, error));
            desk->unknown = desk->unknown || limit > found.value;
        }
        if (!improves(c, type, scale, &found) ||
            (c->context != NULL && duet_context_stop(c->context))) {
            break;
        }
        DUET_TRY(keep_load(&c->priced[type], &found, error));
        leave_out(desk, &found);
    }
    return DUET_OK;
}

// Adds the patterns that were listed. *added grows by their number.
static duet_code add_patterns(duet_configuration *c, size_t type, int *added, duet_error *error)
{
    const priced_loads *priced = &c->priced[type];
    for (size_t i = 0, begin = 0; i < priced->loads; begin = priced->end[i++]) {
        const duet_pricing_load load = {.part = priced->part + begin,
                                        .parts = priced->end[i] - begin};
        DUET_TRY(add_pattern(c, type, &load, added, error));
    }
    return DUET_OK;
}

// Adds columns of a divisible type that improve the program.
static void add_shares(duet_configuration *c, size_t type, int *added)
{
    int here = 0;
    for (size_t i = 0; i < c->count && here < SHARES; i++) {
        if (c->single[pair_of(c, type, i)] != SIZE_MAX ||
            most_on_one(c, type, i, c->capacity[type]) == 0) {
            continue;
        }
        double share = (double)c->classes->time[type][i] / (double)c->capacity[type];
        if (c->smoothing.last.task[pair_of(c, type, i)] >
            c->smoothing.last.processor[type] * share * (1 + 1e-7)) {
            duet_generation_share_class(c, type, i);
            here++;
        }
    }
    *added += here;
}

// Columns of all types. *added: how many.
static duet_code extend_master(duet_configuration *c, double scale, int *added, duet_error *error)
{
    *added = c->lasts ? duet_generation_rest(c) : 0;
    for (size_t t = 0; t < c->types; t++) {
        c->priced[t].parts = c->priced[t].loads = 0;
    }
    DUET_TRY(duet_desks_price(c, price_patterns, scale, error));
    for (size_t t = 0; t < c->types; t++) {
        if (c->state->processors[t] > 0 && !c->divisible[t]) {
            DUET_TRY(add_patterns(c, t, added, error));
        } else if (c->state->processors[t] > 0 && c->lasts) {
            add_shares(c, t, added);
        }
    }
    return duet_lp_failure(c->lp, error);
}

// Whether the program shows that no prices refute the guess, and these leave not much more slack
// than the best would, where that matters: with branching rows, the first prices are far from
// those.
static bool is_enough(const duet_configuration *c, double slack)
{
    const double more = 1.1;
    return c->factor <= 1 &&
           ((c->branching_rows == 0 && !c->precise) || slack <= more * (1 - c->factor));
}

// Whether a solve has gone on long enough since the program showed, at the iteration `met` (0: not
// yet), that nothing can be refuted: what follows only tightens prices.
static bool is_settled(const duet_configuration_answer *answer, purpose why, int met)
{
    enum { times = 3, more = 20 };
    bool settled = met > 0 && answer->any && answer->iterations >= times * met + more;
    return (why == DECIDE && settled) || (why == REFUTE && met > 0);
}

// Column generation under way.
typedef struct column_generation {
    purpose why;
    const duet_context *context;
    duet_prices *prices;
    duet_configuration_answer *answer;
    bool resumed; // from a basis that another problem left dual feasible
    double least; // the least slack so far, in units of the program
    double share; // of the center in the duals
    int met;      // the iteration that showed that nothing can be refuted; 0: none yet
    bool ended;
} column_generation;

// Solves the program, and rounds its duals, smoothed, to prices. *slack is what these leave.
static duet_code price_master(duet_configuration *c, column_generation *g, double *scale,
                              duet_int128 *slack, duet_error *error)
{
    duet_configuration_answer *answer = g->answer;
    duet_lp_set_dual(c->lp, g->resumed && answer->iterations == 1);
    DUET_TRY(duet_lp_attempt(c->lp, g->context, error));
    if (duet_lp_get_status(c->lp) != DUET_LP_OPTIMAL) {
        g->ended = true; // stopped, unsolved, or tasks without processors that no factor can cover
        return DUET_OK;
    }
    duet_duals_read(c);
    answer->factor = c->factor;
    // Where a program lasts and nothing is refuted, the last duals leave the least slack, and are
    // wanted at a node alone.
    bool within = c->lasts && c->factor <= 1;
    g->ended = within && g->why != PROBE;
    if (g->ended) {
        return DUET_OK;
    }
    g->share = c->smoothing.centered && !within ? g->share : 0;
    duet_duals_smooth(c, g->share);
    *scale = duet_rounding_scale(c, c->guess);
    DUET_TRY(duet_rounding_prices(c, *scale, c->guess, slack, error));
    // Limits that are not known to be the least still hold: what they refute is refuted.
    bool known = *slack < 0 || (c->lasts ? *slack < INT64_MAX : !c->effort.unknown);
    if (known && (double)*slack / *scale < g->least) {
        g->least = (double)*slack / *scale;
        duet_duals_center(c);
        duet_prices_copy(c->classes, &c->trial, g->prices);
        answer->any = true;
    }
    return DUET_OK;
}

// Ends where the prices are what is wanted of them.
static duet_code judge_prices(duet_configuration *c, column_generation *g, double scale,
                              duet_int128 slack, duet_error *error)
{
    duet_configuration_answer *answer = g->answer;
    answer->refuted = slack < 0 || answer->refuted;
    if (slack < 0 && (g->why == DECIDE || g->why == REFUTE)) {
        g->ended = true;
        return duet_certify_refutation(c, g->context, g->prices, answer, error);
    }
    g->met = g->met == 0 && c->factor <= 1 ? answer->iterations : g->met;
    if (c->lasts) {
        g->ended = slack < 0 || (g->met > 0 && answer->any);
    } else if (is_settled(answer, g->why, g->met)) {
        answer->finished = true;
        g->ended = true;
    } else if (g->why == PROBE && answer->any && is_enough(c, g->least)) {
        g->ended = true;
    } else if (slack < 0 && g->why == PROBE) {
        return duet_certify_small(c, scale, g->prices, &g->ended, error);
    }
    return DUET_OK;
}

// A program that lasts refutes the guess, and its rounded prices do not: those of a finer scale
// may.
static duet_code refine(duet_configuration *c, column_generation *g, duet_error *error)
{
    duet_int128 slack = 0;
    if (c->factor > 1) {
        c->effort.fine = 1;
        double scale = duet_rounding_scale(c, c->guess);
        duet_code code = duet_rounding_prices(c, scale, c->guess, &slack, error);
        c->effort.fine = 0;
        DUET_TRY(code);
    }
    if (slack >= 0) {
        return DUET_OK;
    }
    duet_prices_copy(c->classes, &c->trial, g->prices);
    g->answer->any = g->answer->refuted = true;
    return g->why == DECIDE ? duet_certify_refutation(c, g->context, g->prices, g->answer, error)
                            : DUET_OK;
}

// Adds the patterns that improve the program, or ends where there are none.
static duet_code add_columns(duet_configuration *c, column_generation *g, double scale,
                             duet_error *error)
{
    const bool decide = g->why != FINISH;
    bool smoothed = g->share > 0;
    bool unknown = c->effort.unknown; // of the limits, not of the patterns to come
    int added;
    DUET_TRY(extend_master(c, scale, &added, error));
    g->share = added == 0 && smoothed ? 0 : PULL;
    if (added == 0 && smoothed) {
        return DUET_OK; // by the last duals themselves there may be a pattern
    }
    if (c->lasts && added == 0 && (!unknown || c->effort.thorough)) {
        g->ended = true;
        g->answer->finished = !unknown;
        return refine(c, g, error);
    }
    if (!c->lasts && added == 0 && (!c->effort.unknown || !decide)) {
        g->ended = true;
        g->answer->finished = true;
        return decide && !g->answer->refuted
                   ? duet_certify_finer(c, g->context, g->prices, g->answer, error)
                   : DUET_OK;
    }
    // Where branch and bound gave up it takes its time in the next round, and where it gives up
    // again the tables take over for a round.
    c->effort.by_table = !c->lasts && added == 0 && c->effort.thorough;
    c->effort.thorough = added == 0 || (c->lasts && c->effort.thorough);
    return DUET_OK;
}

// Column generation until the relaxation is solved or, unless that is the purpose, the prices
// refute the guess.
static duet_code generate(duet_configuration *c, int iterations, purpose why,
                          const duet_context *context, duet_prices *prices,
                          duet_configuration_answer *answer, duet_error *error)
{
    *answer = (duet_configuration_answer){.proven = c->guess};
    column_generation g = {.why = why,
                           .context = context,
                           .prices = prices,
                           .answer = answer,
                           .least = INFINITY,
                           .share = PULL,
                           .resumed = !c->widened};
    c->widened = false;
    duet_code code =
        c->lasts ? duet_generation_fit(c, error) : duet_configuration_resume(c, &g.resumed, error);
    while (code == DUET_OK && !g.ended && answer->iterations < iterations) {
        double scale = 0;
        duet_int128 slack = 0;
        answer->iterations++;
        code = price_master(c, &g, &scale, &slack, error);
        if (code == DUET_OK && !g.ended) {
            code = judge_prices(c, &g, scale, slack, error);
        }
        if (code == DUET_OK && !g.ended) {
            code = add_columns(c, &g, scale, error);
        }
    }
    return code;
}

duet_code duet_configuration_solve(duet_configuration *c, int iterations,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error)
{
    return generate(c, iterations, DECIDE, context, prices, answer, error);
}

duet_code duet_generation_solve(duet_generation *generation, const duet_residual *state,
                                duet_generation_request request, const duet_context *context,
                                duet_prices *prices, duet_configuration_answer *answer,
                                duet_error *error)
{
    static const purpose why[] = {[DUET_GENERATION_REFUTE] = DECIDE,
                                  [DUET_GENERATION_NODE] = PROBE,
                                  [DUET_GENERATION_SOLVE] = FINISH};
    duet_configuration *c = generation;
    c->state = state;
    c->context = context;
    c->effort.thorough = false;
    memset(c->effort.given_up, 0, c->types * sizeof *c->effort.given_up);
    DUET_TRY(duet_prices_make_room(prices, c->trial.rows, error));
    DUET_TRY(generate(c, request.iterations, why[request.purpose], context, prices, answer, error));
    if (duet_lp_get_status(c->lp) == DUET_LP_OPTIMAL) {
        duet_generation_read(c);
    }
    return DUET_OK;
}

duet_code duet_configuration_refute(duet_configuration *c, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error)
{
    return generate(c, iterations, REFUTE, context, prices, answer, error);
}

duet_code duet_configuration_probe(duet_configuration *c, int iterations, bool precise,
                                   const duet_context *context, duet_prices *prices,
                                   duet_configuration_answer *answer, duet_error *error)
{
    c->precise = precise;
    duet_code code = generate(c, iterations, PROBE, context, prices, answer, error);
    bool stopped = duet_context_stop(context);
    if (code != DUET_OK || !answer->any) {
        return code;
    }
    if (answer->refuted) {
        return answer->finished || stopped
                   ? duet_certify_smallest(c, context, prices, answer, error)
                   : DUET_OK;
    }
    return stopped ? DUET_OK : duet_certify_reduced(c, prices, answer, error);
}

duet_code duet_configuration_finish(duet_configuration *c, int iterations,
                                    const duet_context *context, duet_prices *prices,
                                    duet_configuration_answer *answer, duet_error *error)
{
    return generate(c, iterations, FINISH, context, prices, answer, error);
}
