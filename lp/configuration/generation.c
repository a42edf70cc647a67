// SPDX-License-Identifier: Apache-2.0
// Column generation: solve the master program, round its duals to integer prices, add the dearest
// patterns, until the price of no pattern is above that of its processor.
#include <math.h>
#include <string.h>

#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"

// What a solve is for.
typedef enum purpose {
    DECIDE, // whether the guess is refuted, and how much longer ones
    REFUTE, // the same, but where it cannot be, the prices are of no use
    PROBE,  // the first alone, at one node of many
    FINISH  // the solution of the relaxation
} purpose;

enum { DISJOINT = 3 };          // columns of one type in one round, of disjoint tasks
static const double PULL = 0.6; // share of the center in smoothed duals

// The dearest load of a type that the residual problem allows, in c->part. `known`: the one that
// the limit comes from is it.
static duet_code next_load(duet_configuration *c, size_t type, double scale, bool known,
                           duet_pricing_load *out, duet_error *error)
{
    *out = (duet_pricing_load){.part = c->part};
    if (!known) {
        return duet_loads_price(c, type, c->classes->capacity[type],
                                (int64_t)(c->smoothing.dual.processor[type] * scale), out, error);
    }
    out->value = c->dearest[type].value;
    out->parts = c->dearest[type].parts;
    if (out->parts > 0) {
        memcpy(out->part, c->dearest[type].part, out->parts * sizeof *out->part);
    }
    return DUET_OK;
}

// Whether the price of a load is above that of its processor, by the smoothed duals at their scale
// and by the last ones.
static bool improves(const duet_configuration *c, size_t type, double scale,
                     const duet_pricing_load *found)
{
    double processor = c->smoothing.dual.processor[type];
    if (found->parts == 0 || (double)found->value <= processor * scale * (1 + 1e-9) + 1e-6) {
        return false;
    }
    double price = 0;
    for (size_t p = 0; p < found->parts; p++) {
        price += c->smoothing.last.task[type][found->part[p].class] * (double)found->part[p].tasks;
    }
    return price > c->smoothing.last.processor[type] * (1 + 1e-7) +
                       1e-10; // all processors together have the price 1
}

// A pattern becomes a column, and is stored where there is room.
static duet_code add_pattern(duet_configuration *c, size_t type, const duet_pricing_load *found,
                             duet_error *error)
{
    duet_code code = duet_master_add_column(c, type, found->part, found->parts, 1, error);
    if (code == DUET_OK && c->store != NULL) {
        size_t before = c->store->columns;
        code = duet_column_store_add(c->store, type, found->part, found->parts, error);
        if (code == DUET_OK && c->store->columns > before) {
            c->pattern[c->patterns - 1].stored = before;
        }
    }
    return code;
}

// Adds the dearest patterns of a type that improve the program. *added grows by their number.
static duet_code add_patterns(duet_configuration *c, size_t type, double scale, int *added,
                              duet_error *error)
{
    duet_loads_list(c, type);
    for (size_t i = 0; i < c->items; i++) {
        c->item[i].price = (int64_t)(c->smoothing.dual.task[type][c->item[i].class] * scale);
        c->item[i].most = duet_residual_most(c->state, c->item[i].class, type);
    }
    for (int round = 0; round < DISJOINT; round++) {
        duet_pricing_load found;
        bool known = round == 0 && duet_rounding_has_dearest(c, type, scale);
        DUET_TRY(next_load(c, type, scale, known, &found, error));
        if (!improves(c, type, scale, &found)) {
            break;
        }
        duet_code code = add_pattern(c, type, &found, error);
        if (code != DUET_OK) {
            return code;
        }
        (*added)++;
        for (size_t p = 0; p < found.parts; p++) {
            for (size_t i = 0; i < c->items; i++) {
                c->item[i].price = c->item[i].class == found.part[p].class ? 0 : c->item[i].price;
            }
        }
    }
    return DUET_OK;
}

// Patterns of all types. *added: how many.
static duet_code extend_master(duet_configuration *c, double scale, int *added, duet_error *error)
{
    duet_code code = DUET_OK;
    *added = 0;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        if (!c->divisible[t] && c->state->processors[t] > 0) {
            code = add_patterns(c, t, scale, added, error);
        }
    }
    return code == DUET_OK ? duet_lp_failure(c->lp, error) : code;
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
typedef struct generation {
    purpose why;
    const duet_context *context;
    duet_prices *prices;
    duet_configuration_answer *answer;
    bool resumed; // from a basis of another program
    double least; // the least slack so far, in units of the program
    double share; // of the center in the duals
    int met;      // the iteration that showed that nothing can be refuted; 0: none yet
    bool ended;
} generation;

// Solves the program, and rounds its duals, smoothed, to prices. *slack is what these leave.
static duet_code price_master(duet_configuration *c, generation *g, double *scale,
                              duet_int128 *slack, duet_error *error)
{
    duet_configuration_answer *answer = g->answer;
    duet_lp_set_dual(c->lp, g->resumed && answer->iterations == 1);
    DUET_TRY(duet_lp_solve(c->lp, false, g->context, error));
    if (duet_lp_get_status(c->lp) != DUET_LP_OPTIMAL) {
        g->ended = true; // stopped, or tasks without processors that no factor can cover
        return DUET_OK;
    }
    duet_duals_read(c);
    answer->factor = c->factor;
    g->share = c->smoothing.centered ? g->share : 0;
    duet_duals_smooth(c, g->share);
    *scale = duet_rounding_scale(c, c->classes->guess);
    DUET_TRY(duet_rounding_prices(c, *scale, c->classes->guess, slack, error));
    if (!c->unknown && (double)*slack / *scale < g->least) {
        g->least = (double)*slack / *scale;
        duet_duals_center(c);
        duet_prices_copy(c->classes, &c->trial, g->prices);
        answer->any = true;
    }
    return DUET_OK;
}

// Ends where the prices are what is wanted of them.
static duet_code judge_prices(duet_configuration *c, generation *g, double scale, duet_int128 slack,
                              duet_error *error)
{
    duet_configuration_answer *answer = g->answer;
    answer->refuted = slack < 0 || answer->refuted;
    if (slack < 0 && (g->why == DECIDE || g->why == REFUTE)) {
        g->ended = true;
        return duet_certify_refutation(c, g->context, g->prices, answer, error);
    }
    g->met = g->met == 0 && c->factor <= 1 ? answer->iterations : g->met;
    if (is_settled(answer, g->why, g->met)) {
        answer->finished = true;
        g->ended = true;
    } else if (g->why == PROBE && answer->any && is_enough(c, g->least)) {
        g->ended = true;
    } else if (slack < 0 && g->why == PROBE) {
        return duet_certify_small(c, scale, g->prices, &g->ended, error);
    }
    return DUET_OK;
}

// Adds the patterns that improve the program, or ends where there are none.
static duet_code add_columns(duet_configuration *c, generation *g, double scale, duet_error *error)
{
    const bool decide = g->why != FINISH;
    bool smoothed = g->share > 0;
    int added;
    DUET_TRY(extend_master(c, scale, &added, error));
    g->share = added == 0 && smoothed ? 0 : PULL;
    if (added == 0 && smoothed) {
        return DUET_OK; // by the last duals themselves there may be a pattern
    }
    if (added == 0 && (!c->unknown || !decide)) {
        g->ended = true;
        g->answer->finished = true;
        return decide && !g->answer->refuted
                   ? duet_certify_finer(c, g->context, g->prices, g->answer, error)
                   : DUET_OK;
    }
    // Where branch and bound gave up it takes its time in the next round, and where it gives up
    // again the tables take over for a round.
    c->effort.by_branching[0] = c->effort.by_branching[1] = added > 0 || !c->effort.thorough;
    c->effort.thorough = added == 0;
    return DUET_OK;
}

// Column generation until the relaxation is solved or, unless that is the purpose, the prices
// refute the guess.
static duet_code generate(duet_configuration *c, int iterations, purpose why,
                          const duet_context *context, duet_prices *prices,
                          duet_configuration_answer *answer, duet_error *error)
{
    *answer = (duet_configuration_answer){.proven = c->classes->guess};
    generation g = {.why = why,
                    .context = context,
                    .prices = prices,
                    .answer = answer,
                    .least = INFINITY,
                    .share = PULL};
    duet_code code = duet_configuration_resume(c, &g.resumed, error);
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
