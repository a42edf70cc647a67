// SPDX-License-Identifier: Apache-2.0
// What a node's prices leave: their slack, the patterns of the pool, and the numbers of tasks that
// reduced-cost fixing does not cut off.
#include "core/system/assert.h"
#include "core/system/try.h"
#include "solvers/exact/branch_and_price/tree_state.h"

// Duals of branching rows are added to task prices, except with a pool, whose patterns carry them.
static bool has_row_prices(const duet_tree *s, const duet_prices *prices)
{
    return prices->rows > 0 && !prices->listed[s->search->divisible[0]];
}

static duet_int128 slack_of(const duet_tree *s, const duet_prices *prices)
{
    if (has_row_prices(s, prices)) {
        DUET_ASSERT(prices->rows <= s->rows);
        return duet_branching_rows_slack(s->classes, s->state, prices, s->row);
    }
    duet_int128 row_term = prices->rows > 0 ? duet_pool_row_term(s->pool, prices) : 0;
    return duet_residual_slack(s->classes, s->state, prices) + row_term;
}

// The price of a task of a class on a type, branching rows included.
duet_int128 duet_tree_price(const duet_tree *s, const duet_prices *prices, size_t class,
                            size_t type)
{
    int64_t more = has_row_prices(s, prices)
                       ? duet_branching_rows_price(s->classes, prices, s->row, class, type)
                       : 0;
    return (duet_int128)prices->price[type][class] + more;
}

// The tasks of at least some time, as what is counted of patterns.
duet_branching_count duet_tree_count_from(int64_t time)
{
    return (duet_branching_count){.time = time, .pair = {SIZE_MAX, SIZE_MAX}};
}

// Makes a pool of the patterns that the node's prices leave, where they are few. After they were
// too many, only a much smaller slack is worth another try.
static duet_code make_pool(duet_tree *s, duet_int128 slack, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    size_t type = s->search->divisible[0];
    if (!duet_tree_has_pool_type(s) || top->prices.limit[type] == 0) {
        return DUET_OK;
    }
    s->width = (double)slack / (double)top->prices.limit[type];
    if (s->width > DUET_TREE_POOL_WIDTH || s->width > s->too_wide / DUET_TREE_POOL_SHRINK) {
        return DUET_OK;
    }
    duet_patterns patterns;
    const duet_patterns_request request = {.type = type,
                                           .slack = (int64_t)slack,
                                           .most = s->search->limits.pool,
                                           .most_bytes = duet_tree_memory(s),
                                           .plain = true};
    duet_code code = duet_patterns_enumerate(s->classes, s->state, &top->prices, &request,
                                             s->search->context, &patterns, error);
    if (code != DUET_OK || patterns.status != DUET_PATTERNS_COMPLETE ||
        duet_context_stop(s->search->context) ||
        duet_pool_more_bytes(&patterns) > duet_tree_memory(s)) {
        s->too_wide = s->width;
        s->stats.wide = true;
        duet_patterns_free(&patterns);
        return code;
    }
    code = duet_pool_create(s->classes, s->search->context, &s->search->stats->programs, &patterns,
                            &s->pool, error);
    if (code == DUET_OK && s->program != NULL) {
        code = duet_pool_seed(s->pool, s->program, error);
    }
    duet_tree_forget_program(s);
    for (size_t i = 0; i < s->rows && code == DUET_OK; i++) {
        const duet_branching_row *open = &s->row[i];
        code = duet_pool_open(s->pool, duet_tree_count_from(open->time), open->at_least,
                              open->bound, error);
    }
    if (code == DUET_OK) {
        top->makes_pool = true;
        duet_log_list(s->search->log, &top->prices, type, duet_pool_count(s->pool));
    }
    return code;
}

// The patterns that the node's prices leave are all that there are below it.
duet_code duet_tree_narrow(duet_tree *s, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    duet_int128 slack = slack_of(s, &top->prices);
    if (s->pool == NULL) {
        return make_pool(s, slack, error);
    }
    duet_code code =
        duet_pool_narrow(s->pool, s->state, &top->prices, slack, &top->pool_mark, error);
    if (code == DUET_OK) {
        top->narrows_pool = true;
        duet_log_list(s->search->log, &top->prices, duet_pool_type(s->pool),
                      duet_pool_count(s->pool));
    }
    return code;
}

// Once it is decided which tasks the pool's type gets, none of its processors is idle for longer
// than all of them are together.
duet_code duet_tree_level(duet_tree *s, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    size_t type = duet_pool_type(s->pool);
    size_t mark;
    DUET_ASSERT(!s->levelled && duet_residual_decided(s->classes, s->state));
    duet_code code =
        duet_pool_narrow(s->pool, s->state, &s->time[type],
                         duet_residual_slack(s->classes, s->state, &s->time[type]), &mark, error);
    if (code == DUET_OK) {
        top->pool_mark = top->narrows_pool ? top->pool_mark : mark;
        top->narrows_pool = s->levelled = true;
        top->by = DUET_TREE_LEVELLED;
        s->decided = 0;
        duet_log_list(s->search->log, &s->time[type], type, duet_pool_count(s->pool));
    }
    return code;
}

// Cuts off the numbers of tasks of a class on the CPUs whose reduced cost exceeds the slack. The
// part cut off is a leaf.
static duet_code fix_class(duet_tree *s, size_t class, duet_int128 slack, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    int64_t low;
    int64_t high;
    duet_int128 slope =
        duet_tree_price(s, &top->prices, class, 0) - duet_tree_price(s, &top->prices, class, 1);
    DUET_ASSERT(slack >= 0);
    duet_residual_fix(s->state, class, slope, slack, &low, &high);
    if (high < s->state->high[0][class]) {
        duet_log_branch(s->search->log, class, high);
        top->after++;
    } else if (low > s->state->low[0][class]) {
        duet_log_branch(s->search->log, class, low - 1);
        duet_log_price(s->search->log, &top->prices);
    } else {
        return DUET_OK;
    }
    return duet_tree_bound(s, class, low, high, error);
}

duet_code duet_tree_fix(duet_tree *s, duet_error *error)
{
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    duet_int128 slack = slack_of(s, prices);
    duet_code code = DUET_OK;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK && slack >= 0; c++) {
        code = fix_class(s, c, slack, error);
    }
    return code;
}

duet_code duet_tree_fix_by_exchange(duet_tree *s, bool *refuted, duet_error *error)
{
    duet_code code = DUET_OK;
    *refuted = false;
    if (!s->search->exchanges) {
        return DUET_OK;
    }
    *refuted = !duet_exchange_narrow(&s->exchange, s->state);
    if (*refuted) {
        duet_log_lose(s->search->log);
    }
    for (size_t c = 0; c < s->classes->count && code == DUET_OK && !*refuted; c++) {
        int64_t low = s->exchange.low[c];
        int64_t high = s->exchange.high[c];
        if (low > s->state->low[0][c] || high < s->state->high[0][c]) {
            duet_log_lose(s->search->log);
            code = duet_tree_bound(s, c, low, high, error);
        }
    }
    return code;
}

// Reduced-cost fixing by the prices of the area comes first. Near the optimum it fixes most
// classes, and the relaxations of the others are that much smaller.
duet_code duet_tree_fix_by_area(duet_tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    int64_t weight[2];
    *verdict = DUET_REFUTED;
    DUET_TRY(duet_classes_weights(s->classes, weight, error));
    duet_prices_by_area(s->classes, weight, &top->prices);
    *leaf = slack_of(s, &top->prices) < 0;
    if (*leaf) {
        duet_log_price(s->search->log, &top->prices);
        return DUET_OK;
    }
    top->by = DUET_TREE_BY_AREA;
    duet_code code = duet_tree_fix(s, error);
    return code == DUET_OK ? duet_tree_fix_by_exchange(s, leaf, error) : code;
}
