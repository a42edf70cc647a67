// SPDX-License-Identifier: Apache-2.0
// What to branch on.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "solvers/exact/branch_and_price/tree_state.h"
#include "solvers/exact/branching_row.h"

size_t duet_tree_divided(const duet_tree *s)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t c = 0; c < s->classes->count; c++) {
        double whole = floor(s->share[c]);
        double part = fmin(s->share[c] - whole, whole + 1 - s->share[c]);
        if (part > DUET_TREE_DIVIDED && s->state->low[0][c] < s->state->high[0][c] && part > most) {
            most = part;
            best = c;
        }
    }
    return best;
}

size_t duet_tree_undecided(const duet_tree *s)
{
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    size_t best = SIZE_MAX;
    duet_int128 least = INT64_MAX;
    for (size_t c = 0; c < s->classes->count; c++) {
        duet_int128 off = duet_tree_price(s, prices, c, 0) - duet_tree_price(s, prices, c, 1);
        off = off < 0 ? -off : off;
        if (s->state->low[0][c] < s->state->high[0][c] && off < least) {
            least = off;
            best = c;
        }
    }
    return best;
}

// Deciding these soon leaves one allocation alone, and of the patterns those of its tasks.
size_t duet_tree_last_undecided(const duet_tree *s)
{
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    size_t best = SIZE_MAX;
    size_t count = 0;
    duet_int128 most = -1;
    for (size_t c = 0; c < s->classes->count; c++) {
        duet_int128 off = duet_tree_price(s, prices, c, 0) - duet_tree_price(s, prices, c, 1);
        off = off < 0 ? -off : off;
        if (s->state->low[0][c] < s->state->high[0][c]) {
            count++;
            best = off > most ? c : best;
            most = duet_max(off, most);
        }
    }
    return count <= DUET_TREE_FEW_UNDECIDED ? best : SIZE_MAX;
}

// Whether the relaxation over all patterns divides a number of tasks.
static duet_code choose_row(duet_tree *s, bool *divided, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    duet_branching_row row = {.type = s->search->divisible[0]};
    const duet_relaxed relaxed = {s->program, s->share, s->row, s->rows};
    duet_code code = duet_branching_row_choose(s->search, &relaxed, &row, divided, error);
    top->count = duet_tree_count_from(row.time);
    top->most = row.bound;
    return code;
}

// What the solution over the pool divides, where that promises more than branching on the class.
static duet_code choose_pool_row(duet_tree *s, size_t class, bool *divided, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    duet_pool_division division = {.found = false};
    double share = class == SIZE_MAX ? 0 : duet_tree_pool_share(s, class);
    duet_code code = duet_pool_choose_row(s->pool, s->state, class, share, &division, error);
    *divided = division.found;
    if (division.found) {
        top->count = division.count;
        top->most = division.most;
    }
    return code;
}

duet_code duet_tree_choose(duet_tree *s, size_t *class, duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    duet_code code = DUET_OK;
    bool divided = false;
    bool decides = false; // one of the last classes
    if (s->pool == NULL) {
        if (s->too_wide < INFINITY && duet_tree_has_pool_type(s)) {
            code = choose_row(s, &divided, error);
        }
        duet_tree_forget_program(s);
    } else if (*class == SIZE_MAX) {
        *class = duet_tree_last_undecided(s);
        decides = *class != SIZE_MAX;
    }
    if (s->pool != NULL && !decides && !top->makes_pool) {
        code = choose_pool_row(s, *class, &divided, error);
    }
    top->by = divided ? DUET_TREE_BY_ROW : DUET_TREE_BY_CLASS;
    return code;
}

void duet_tree_branch(duet_tree *s, size_t class)
{
    duet_tree_node *top = duet_tree_top(s);
    if (top->by == DUET_TREE_BY_ROW) {
        for (size_t c = 0; c < s->classes->count; c++) {
            s->counted[c] = duet_pool_has(s->classes, s->search->divisible[0], &top->count, c);
        }
        const duet_log_counted count = {.type = s->search->divisible[0],
                                        .tasks = top->count.tasks,
                                        .most = top->most,
                                        .has = s->counted};
        duet_log_count(s->search->log, &count);
        return;
    }
    int64_t whole = (int64_t)floor(s->share[class] + DUET_TREE_WHOLE);
    DUET_ASSERT(s->state->low[0][class] <= whole && whole <= s->state->high[0][class]);
    DUET_ASSERT(s->state->low[0][class] < s->state->high[0][class]);
    top->class = class;
    top->most = whole < s->state->high[0][class] ? whole : whole - 1;
    duet_log_branch(s->search->log, top->class, top->most);
}
