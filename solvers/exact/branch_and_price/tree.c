// SPDX-License-Identifier: Apache-2.0
// A tree: its nodes depth first, and what each of them is asked.
#include <math.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "solvers/exact/branch_and_price/tree_state.h"
#include "solvers/exact/cover/cover.h"

// Prices for a cover search at the node on top: they must hold for any set of tasks. They may
// refute the node.
static duet_code certify_prices(duet_tree *s, duet_prices **prices, duet_verdict *verdict,
                                duet_error *error)
{
    *prices = &duet_tree_top(s)->prices;
    if (s->pool == NULL && s->rows == 0) {
        return DUET_OK;
    }
    *prices = &s->any_set;
    duet_code code = duet_tree_relax_all(s, 0, NULL, &s->any_set, verdict, error);
    duet_tree_clamp_shares(s); // which are new
    duet_tree_forget_program(s);
    if (code == DUET_OK && *verdict == DUET_REFUTED) {
        duet_log_price(s->search->log, &s->any_set);
    }
    return code;
}

// Covers the node on top, where the relaxation divides nothing and its allocation was not
// scheduled.
static duet_code certify(duet_tree *s, duet_verdict *verdict, duet_error *error)
{
    duet_prices *prices = NULL;
    *verdict = DUET_FOUND; // prices there are
    duet_code code = certify_prices(s, &prices, verdict, error);
    if (code != DUET_OK || *verdict != DUET_FOUND) {
        return code;
    }
    duet_search cover = *s->search;
    cover.limits.nodes += cover.stats->nodes; // of this search alone
    duet_log_mark mark = duet_log_here(s->search->log);
    code = duet_cover_search(&cover, prices, error);
    *verdict = cover.verdict;
    if (*verdict != DUET_REFUTED) {
        duet_log_rewind(s->search->log, mark);
    }
    return code;
}

int64_t duet_tree_spent(const duet_part *part)
{
    const int64_t whole = DUET_TREE_DECIDED;
    const int64_t pooled = DUET_TREE_DECIDED / DUET_TREE_POOLED;
    const duet_tree_stats *all = &((const duet_tree *)part)->stats;
    return whole * (all->nodes - all->pooled) + pooled * (all->pooled - all->decided) +
           all->decided;
}

// Whether it may do no more.
static bool is_over(const duet_tree *s)
{
    return s->bytes > duet_tree_memory(s) || duet_context_stop(s->search->context) ||
           (s->pool != NULL && duet_pool_bytes(s->pool) > duet_tree_memory(s));
}

// A node that the relaxation does not refute: a leaf at once, or a branch.
static duet_code expand(duet_tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    bool refuted = false;
    duet_code code = duet_tree_narrow(s, error);
    DUET_THEN(code, duet_tree_fix(s, error));
    DUET_THEN(code, duet_tree_fix_by_exchange(s, &refuted, error));
    if (refuted) {
        *verdict = DUET_REFUTED;
        return code;
    }
    duet_tree_clamp_shares(s);
    size_t class = duet_tree_divided(s);
    // The allocation first: strong branching loses the solution.
    if (code == DUET_OK && class == SIZE_MAX) {
        code = duet_tree_try_allocation(s, verdict, error);
    }
    if (code != DUET_OK || *verdict == DUET_FOUND) {
        return code;
    }
    *leaf = false;
    *verdict = DUET_REFUTED; // by what is below it
    if (s->pool != NULL && !s->levelled && duet_residual_decided(s->classes, s->state)) {
        return duet_tree_level(s, error);
    }
    code = duet_tree_choose(s, &class, error);
    if (code == DUET_OK && s->levelled) {
        code = duet_tree_dive_levelled(s, verdict, error);
        *leaf = *verdict == DUET_FOUND;
    }
    if (*leaf) {
        return code;
    }
    bool by_row = duet_tree_top(s)->by == DUET_TREE_BY_ROW;
    if (code == DUET_OK && class == SIZE_MAX && !by_row) {
        code = certify(s, verdict, error);
        *leaf = code != DUET_OK || *verdict != DUET_OPEN;
        class = *leaf ? SIZE_MAX : duet_tree_undecided(s);
        if (!*leaf && class == SIZE_MAX) { // the allocation stays open; a schedule may be elsewhere
            s->part.open++;
            *leaf = true;
            *verdict = s->part.open < DUET_TREE_OPEN_ALLOCATIONS ? DUET_REFUTED : DUET_OPEN;
        }
    }
    if (code == DUET_OK && !*leaf) {
        duet_tree_branch(s, class);
    }
    return code;
}

// A node: a leaf at once, or a branch. *verdict is FOUND or OPEN where the search ends, REFUTED
// otherwise.
static duet_code begin(duet_tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    *leaf = true;
    *verdict = DUET_OPEN;
    if (s->nodes == 1) {
        return duet_tree_fix_by_area(s, leaf, verdict, error);
    }
    s->stats.nodes++;
    if (is_over(s)) {
        return DUET_OK;
    }
    duet_code code = duet_tree_relax(s, verdict, error);
    duet_tree_count_bytes(s);
    if (code != DUET_OK || *verdict == DUET_OPEN) {
        return code;
    }
    if (*verdict == DUET_REFUTED) {
        duet_log_price(s->search->log, &duet_tree_top(s)->prices);
        return DUET_OK;
    }
    *verdict = DUET_OPEN;
    return expand(s, leaf, verdict, error);
}

// Whether a node only changes what there is for the one below it.
static bool has_one_child(const duet_tree_node *at)
{
    return at->by == DUET_TREE_BY_AREA || at->by == DUET_TREE_LEVELLED;
}

duet_code duet_tree_descend(duet_tree *s, duet_error *error)
{
    bool first = duet_tree_top(s)->children++ == 0;
    const duet_tree_node from = *duet_tree_top(s); // the nodes may move
    duet_code code = duet_tree_push(s, error);
    if (code != DUET_OK || has_one_child(&from)) {
        return code;
    }
    if (from.by == DUET_TREE_BY_ROW) {
        return duet_tree_open_row(s, from.count, !first, first ? from.most : from.most + 1, error);
    }
    int64_t low = first ? s->state->low[0][from.class] : from.most + 1;
    int64_t high = first ? from.most : s->state->high[0][from.class];
    return duet_tree_bound(s, from.class, low, high, error);
}

// The second child of the node on top is elsewhere.
static duet_code leave_gap(duet_tree *s, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    top->children = 2;
    return duet_vec_push(s->part.gap, s->part.gaps, error,
                         (duet_part_gap){duet_log_here(s->search->log).length, top->taker});
}

// One step: the node on top is begun, or one below it, or it is left.
static duet_code step(duet_tree *s, duet_error *error)
{
    bool leaf = false;
    if (s->fresh) {
        duet_code code = begin(s, &leaf, &s->part.verdict, error);
        if (code != DUET_OK || (leaf && s->part.verdict != DUET_REFUTED)) {
            s->part.ended = true;
            return code;
        }
    }
    duet_tree_node *top = duet_tree_top(s);
    s->fresh = !leaf && top->children < (has_one_child(top) ? 1 : 2);
    if (s->fresh && top->children == 1 && top->taker > 0) {
        s->fresh = false;
        return leave_gap(s, error);
    }
    if (s->fresh) {
        return duet_tree_descend(s, error);
    }
    duet_tree_pop(s);
    return DUET_OK;
}

duet_code duet_tree_walk(duet_part *part, int64_t most, duet_error *error)
{
    duet_tree *s = (duet_tree *)part;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !s->part.ended && !(s->fresh && duet_tree_spent(part) >= most)) {
        code = step(s, error);
        if (s->nodes == 0) {
            s->part.ended = true;
            s->part.verdict = DUET_REFUTED;
        }
    }
    return code;
}

static duet_code prepare(duet_tree *s, duet_error *error)
{
    size_t classes = s->classes->count;
    s->share = duet_alloc(classes, sizeof *s->share, error);
    s->allocation = duet_alloc(classes, sizeof *s->allocation, error);
    s->given = duet_alloc(classes, sizeof *s->given, error);
    s->counted = duet_alloc(classes, sizeof *s->counted, error);
    DUET_NEED(s->share != NULL && s->allocation != NULL && s->given != NULL && s->counted != NULL);
    for (size_t c = 0; c < classes; c++) {
        s->allocation[c] = -1;
    }
    duet_code code = duet_prices_create(s->classes, &s->any_set, error);
    DUET_THEN(code, duet_prices_create_by_time(s->classes, s->time, error));
    return code == DUET_OK && s->search->exchanges
               ? duet_exchange_create(s->classes, &s->exchange, error)
               : code;
}

duet_code duet_tree_create(const duet_search *search, duet_tree **out, duet_error *error)
{
    *out = NULL;
    duet_tree *s = duet_alloc(1, sizeof *s, error);
    DUET_NEED(s);
    s->part.log = search->log;
    s->copy = *search;
    s->search = &s->copy;
    s->classes = search->classes;
    s->state = search->state;
    s->width = 1;
    s->too_wide = INFINITY;
    s->fresh = true;
    s->part.error = (duet_error)DUET_ERROR_INIT;
    duet_code code = prepare(s, error);
    if (code != DUET_OK) {
        duet_tree_free(&s->part);
        return code;
    }
    *out = s;
    return DUET_OK;
}

void duet_tree_free(duet_part *part)
{
    duet_tree *s = (duet_tree *)part;
    while (s->nodes > 0) {
        duet_tree_free_node(&s->node[--s->nodes]);
    }
    duet_pool_free(s->pool);
    duet_configuration_free(s->program);
    duet_tree_return(s, 0); // the state is the caller's again
    duet_prices_free(&s->any_set);
    duet_prices_free(&s->time[0]);
    duet_prices_free(&s->time[1]);
    duet_exchange_free(&s->exchange);
    duet_residual_free(&s->own.state);
    duet_column_store_free(&s->own.store);
    duet_loads_free(&s->own.loads);
    duet_log_free(&s->own.log);
    duet_free(s->row);
    duet_free(s->node);
    duet_free(s->change);
    duet_free(s->share);
    duet_free(s->allocation);
    duet_free(s->given);
    duet_free(s->counted);
    duet_free(s);
}
