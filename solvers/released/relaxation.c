// SPDX-License-Identifier: Apache-2.0
// The relaxation of a node: its prices, and what they refute.
#include <math.h>

#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/released/tree.h"

enum { ROUNDS = 300 }; // of column generation

// The prices of the last relaxation as the proof has them: those of the counts that are open, of
// which the last on each side of a number has the bound that the program knew.
static duet_code show_prices(duet_released_tree *s)
{
    size_t opens = s->covering ? 0 : s->opens;
    DUET_TRY(duet_vec_reserve(s->open_price, opens + 1, s->error));
    s->shown = s->prices;
    s->shown.id = -1;
    s->shown.row = s->open_price;
    s->shown.rows = opens;
    for (size_t i = 0; i < opens; i++) {
        bool last = true;
        for (size_t j = i + 1; j < opens; j++) {
            last = last && !(s->opened[j].count == s->opened[i].count &&
                             s->opened[j].more == s->opened[i].more);
        }
        size_t row = 2 * s->opened[i].count + (s->opened[i].more ? 1 : 0);
        s->open_price[i] = last && row < s->prices.rows ? s->prices.row[row] : 0;
    }
    return DUET_OK;
}

// Solves the relaxation of a node. *verdict: DUET_REFUTED where its prices say so, with the leaf.
duet_code duet_released_relax(duet_released_tree *s, const duet_residual *left, duet_int128 *slack,
                              bool *usable, duet_verdict *verdict)
{
    duet_configuration_answer answer;
    const duet_generation_request request = {DUET_GENERATION_NODE, ROUNDS};
    DUET_TRY(duet_generation_solve(s->program, &s->state, request, s->context, &s->prices, &answer,
                                   s->error));
    *usable = answer.any && answer.factor > 0;
    s->factor = answer.factor;
    if (!answer.any) {
        return DUET_OK;
    }
    DUET_TRY(show_prices(s));
    *slack =
        duet_branching_rows_slack(&s->classes, left, &s->prices, duet_generation_rows(s->program));
    if (*slack < 0) {
        duet_log_price(s->log, &s->shown);
        *verdict = DUET_REFUTED;
    }
    return DUET_OK;
}
// Whether the solution of the relaxation is a schedule: its patterns are whole, and those of the
// cover among them.
duet_code duet_released_try(duet_released_tree *s, duet_verdict *verdict)
{
    duet_released_patterns all = {.count = 0};
    bool whole = true;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < duet_configuration_patterns(s->program) && whole && code == DUET_OK;
         i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(s->program, i);
        double times = floor(pattern.value + DUET_RELEASED_WHOLE);
        whole = pattern.value - times <= DUET_RELEASED_WHOLE;
        for (int64_t k = 0; whole && k < (int64_t)times && code == DUET_OK; k++) {
            code = duet_released_patterns_push(&all, pattern.type, pattern.part, pattern.parts,
                                               s->error);
        }
    }
    if (code == DUET_OK && whole) {
        bool found = false;
        code = duet_released_patterns_place(&all, s->question->model, &s->classes, s->solution,
                                            &found, s->error);
        *verdict = found ? DUET_FOUND : *verdict;
    }
    duet_released_patterns_free(&all);
    return code;
}
