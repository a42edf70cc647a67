// SPDX-License-Identifier: Apache-2.0
// Column generation over a pool, at one node.
#include <string.h>

#include "core/system/try.h"
#include "solvers/exact/pool/pool_state.h"

// The patterns of the node that fit the state, and the classes that they have.
static void mark_present(duet_pool *pool, const duet_residual *state)
{
    pool->relaxation++;
    pool->lives = 0;
    memset(pool->class_present, 0, pool->classes->count * sizeof *pool->class_present);
    duet_pool_bar_items(pool, state);
    for (size_t i = duet_pool_begin(pool); i < pool->picks; i++) {
        uint32_t pattern = pool->pick[i];
        if (duet_pool_allows(pool, pattern, state)) {
            pool->present[pattern] = pool->relaxation;
            pool->live[pool->lives++] = pattern;
            for (size_t t = pool->task[pattern]; t < pool->task[pattern + 1]; t++) {
                pool->class_present[pool->item_class[pool->item[t]]] = true;
            }
        }
    }
}

static void read_shares(const duet_pool *pool, double *share)
{
    const duet_patterns *all = &pool->patterns;
    memset(share, 0, pool->classes->count * sizeof *share);
    for (size_t i = 0; i < pool->columns; i++) {
        double value = duet_lp_value(pool->lp, pool->column[i].lp_column);
        uint32_t pattern = pool->column[i].pattern;
        for (size_t p = all->begin[pattern]; p < all->begin[pattern + 1] && value > 0; p++) {
            share[all->part[p].class] += value * (double)all->part[p].tasks;
        }
    }
}

// A relaxation on its way.
typedef struct relaxation {
    duet_pool *pool;
    const duet_residual *state;
    double required; // the saving
    duet_prices *prices;
    int passes;
    int same;     // rounds since the last pass
    bool settled; // no pattern gains: the prices are those of the relaxation's end
    bool refuted; // the prices leave no slack
} relaxation;

// A pass over the patterns. The prices are made where no pattern gains, and before, where what the
// patterns gain at most cannot lift the saving to what is required.
static duet_code pass_over_all(relaxation *r, double processor, duet_error *error)
{
    duet_pool *pool = r->pool;
    duet_pool_duals duals = {.processor = processor,
                             .gain = duet_pool_find_candidates(pool, processor)};
    double saved = -duet_lp_objective(pool->lp);
    double most = saved + duals.gain * (double)r->state->processors[pool->type];
    r->passes++;
    r->same = 0;
    r->settled = pool->candidates == 0;
    return r->settled || most < r->required
               ? duet_pool_round_duals(pool, r->state, &duals, r->prices, &r->refuted, error)
               : DUET_OK;
}

// After the program was solved: reads the duals, and looks for patterns that gain.
static duet_code price_patterns(relaxation *r, duet_error *error)
{
    double processor;
    DUET_TRY(duet_pool_read_duals(r->pool, &processor, error));
    if (r->same < DUET_POOL_SAME_ROUNDS && duet_pool_review_candidates(r->pool, processor)) {
        r->same++;
        return DUET_OK;
    }
    return pass_over_all(r, processor, error);
}

// Solves the program. The first time, the dual simplex method comes first: only bounds and costs
// have changed since the last relaxation.
static duet_code solve(duet_pool *pool, bool first, bool *solved, duet_error *error)
{
    duet_lp_set_dual(pool->lp, first && *pool->programs > 0);
    duet_code code = duet_lp_attempt(pool->lp, pool->context, error);
    ++*pool->programs;
    *solved = code == DUET_OK && duet_lp_get_status(pool->lp) == DUET_LP_OPTIMAL;
    return code;
}

// Rounds until no pattern gains or the prices refute the state. *ended: neither a limit nor the
// context came first.
static duet_code generate(relaxation *r, bool *ended, duet_error *error)
{
    duet_pool *pool = r->pool;
    bool first = true;
    *ended = false;
    while (r->passes < DUET_POOL_MOST_PASSES && !duet_context_stop(pool->context)) {
        bool solved;
        duet_code code = solve(pool, first, &solved, error);
        if (!solved) {
            return code;
        }
        first = false;
        DUET_TRY(price_patterns(r, error));
        if (r->settled && !r->refuted && duet_pool_raise_short_cost(pool, r->state)) {
            r->settled = false;
            continue;
        }
        *ended = r->settled || r->refuted;
        if (*ended) {
            return DUET_OK;
        }
        DUET_TRY(duet_pool_add_candidates(pool, error));
    }
    return DUET_OK;
}

duet_code duet_pool_relax(duet_pool *pool, const duet_residual *state, duet_prices *prices,
                          double *share, duet_pool_status *status, duet_error *error)
{
    *status = DUET_POOL_STOPPED;
    DUET_TRY(duet_pool_renew_master(pool, error));
    duet_pool_set_objective(pool, state);
    duet_pool_reset_short_cost(pool);
    mark_present(pool, state);
    duet_pool_set_bounds(pool, state);
    pool->candidates = 0;
    relaxation r = {.pool = pool,
                    .state = state,
                    .required = duet_pool_required_saving(pool, state),
                    .prices = prices};
    bool ended;
    duet_code code = generate(&r, &ended, error);
    if (ended) {
        *status = r.refuted ? DUET_POOL_REFUTED : DUET_POOL_SOLVED;
        read_shares(pool, share);
    }
    return code;
}
