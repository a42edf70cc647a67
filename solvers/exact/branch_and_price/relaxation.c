// SPDX-License-Identifier: Apache-2.0
// The relaxation of a node: over all patterns, or over the pool.
#include <math.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/configuration/pricing.h"
#include "solvers/exact/branch_and_price/tree_state.h"

// How many tasks of each class the relaxation puts on CPUs.
static void read_shares(duet_tree *s, const duet_configuration *program)
{
    size_t type = s->search->divisible[0]; // one that has patterns
    memset(s->share, 0, s->classes->count * sizeof *s->share);
    for (size_t i = 0; i < duet_configuration_patterns(program); i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        for (size_t p = 0; p < pattern.parts && pattern.type == type; p++) {
            s->share[pattern.part[p].class] += pattern.value * (double)pattern.part[p].tasks;
        }
    }
    for (size_t c = 0; c < s->classes->count && type == 1; c++) {
        s->share[c] = (double)s->state->left[c] - s->share[c];
    }
}

// Fixing may have left a share outside of its range; so may a program that was not solved to its
// end.
void duet_tree_clamp_shares(duet_tree *s)
{
    for (size_t c = 0; c < s->classes->count; c++) {
        s->share[c] = fmax(s->share[c], (double)s->state->low[0][c]);
        s->share[c] = fmin(s->share[c], (double)s->state->high[0][c]);
    }
}

// Whether pools are of use: one type alone has patterns.
bool duet_tree_has_pool_type(const duet_tree *s)
{
    size_t type = s->search->divisible[0];
    return s->search->divisible[0] != s->search->divisible[1] && s->search->pooled[type] &&
           s->state->processors[type] > 0;
}

// Whether the next prices may leave few enough patterns for a pool: precise ones are then worth
// their time.
static bool may_make_pool(const duet_tree *s)
{
    return s->pool == NULL && duet_tree_has_pool_type(s) &&
           s->width <= DUET_TREE_POOL_HOPE * s->too_wide;
}

// It is about the rows and the state as they are: before either changes it has to go.
void duet_tree_forget_program(duet_tree *s)
{
    duet_configuration_free(s->program);
    s->program = NULL;
}

// Solves the relaxation over all patterns, with the open branching rows or without.
duet_code duet_tree_relax_all(duet_tree *s, size_t rows, const duet_configuration_start *start,
                              duet_prices *prices, duet_verdict *verdict, duet_error *error)
{
    duet_configuration_answer answer = {.any = false};
    duet_tree_forget_program(s);
    duet_code code = duet_prices_make_room(prices, rows, error);
    DUET_THEN(code, duet_configuration_create(s->classes, s->state, s->search->divisible,
                                              s->search->store, start, &s->program, error));
    DUET_THEN(code, duet_configuration_add_branching_rows(s->program, s->row, rows, error));
    if (code == DUET_OK) {
        code = duet_configuration_probe(s->program, DUET_TREE_PROGRAM_ROUNDS, may_make_pool(s),
                                        s->search->context, prices, &answer, error);
        s->search->stats->programs += answer.iterations;
    }
    *verdict = answer.refuted ? DUET_REFUTED : DUET_OPEN;
    if (code == DUET_OK && answer.any && !answer.refuted &&
        !duet_context_stop(s->search->context)) {
        read_shares(s, s->program);
        *verdict = DUET_FOUND; // there is something to go on with
    }
    return code;
}

// A share on CPUs as one on the pool's type, or the other way round.
double duet_tree_pool_share(const duet_tree *s, size_t class)
{
    return duet_pool_type(s->pool) == 0 ? s->share[class]
                                        : (double)s->state->left[class] - s->share[class];
}

// Solves the relaxation over the pool.
static duet_code relax_pool(duet_tree *s, const duet_pool_position *from, duet_verdict *verdict,
                            duet_error *error)
{
    duet_tree_node *top = duet_tree_top(s);
    duet_pool_status status;
    duet_pool_resume(s->pool, from);
    duet_code code = duet_pool_relax(s->pool, s->state, &top->prices, s->share, &status, error);
    if (code == DUET_OK && status == DUET_POOL_SOLVED) {
        code = duet_pool_note(s->pool, &top->solved, error);
    }
    for (size_t c = 0; c < s->classes->count; c++) {
        s->share[c] = duet_tree_pool_share(s, c);
    }
    s->stats.pooled++;
    s->stats.decided += s->levelled;
    *verdict = status == DUET_POOL_REFUTED  ? DUET_REFUTED
               : status == DUET_POOL_SOLVED ? DUET_FOUND
                                            : DUET_OPEN;
    return code;
}

// Solves the relaxation of the node on top, which is not the first.
duet_code duet_tree_relax(duet_tree *s, duet_verdict *verdict, duet_error *error)
{
    DUET_ASSERT(s->nodes >= 2);
    duet_tree_node *top = duet_tree_top(s);
    const duet_tree_node *from = &s->node[s->nodes - 2];
    if (s->pool != NULL) {
        return relax_pool(s, &from->solved, verdict, error);
    }
    duet_code code = duet_tree_relax_all(s, s->rows, &from->start, &top->prices, verdict, error);
    return code == DUET_OK && *verdict == DUET_FOUND
               ? duet_configuration_note(s->program, &top->start, error)
               : code;
}
