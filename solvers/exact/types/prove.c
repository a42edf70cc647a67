// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/prove.h"

#include "solvers/exact/raise.h"
#include "solvers/exact/types/climb.h"
#include "solvers/exact/types/hands.h"
#include "solvers/exact/types/tree.h"

enum { NODES = 100000 }; // of the tree

duet_code duet_exact_prove_by_area(duet_exact *e, bool *proven, duet_error *error)
{
    duet_classes classes;
    duet_code code = duet_classes_create(e->instance, e->bound.value - 1, &classes, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t weight[DUET_MAX_TYPES] = {0};
    duet_prices prices = {.id = -1};
    duet_residual state = {.left = NULL};
    duet_log_start(&e->proof, &classes, DUET_EXACT_PROOF_BYTES);
    *proven = classes.nowhere != SIZE_MAX;
    if (*proven) {
        duet_log_nowhere(&e->proof, classes.nowhere);
    } else {
        code = duet_classes_weights(&classes, weight, error);
        code = code == DUET_OK ? duet_prices_create(&classes, &prices, error) : code;
        code = code == DUET_OK ? duet_residual_create(&classes, &state, error) : code;
        if (code == DUET_OK) {
            duet_prices_by_area(&classes, weight, &prices);
            *proven = duet_residual_slack(&classes, &state, &prices) < 0;
        }
        if (code == DUET_OK && *proven) {
            duet_log_price(&e->proof, &prices);
        }
        duet_residual_free(&state);
        duet_prices_free(&prices);
    }
    duet_classes_free(&classes);
    return code;
}

// The searches on a bound of one less, as if the best schedule were as long as the bound.
static duet_code search_again(duet_exact *again, duet_error *error)
{
    static const duet_exact_effort effort = {.nodes = DUET_EXACT_PROOF_NODES,
                                             .patterns = DUET_EXACT_PROOF_PATTERNS,
                                             .allocations = DUET_EXACT_PROOF_ALLOCATIONS};
    duet_types s = {.exact = again};
    int64_t guess = again->bound.value;
    duet_code code = duet_types_prepare(&s, error);
    if (code == DUET_OK && s.program != NULL) {
        code = duet_types_climb(&s, error);
    }
    if (code == DUET_OK && s.program != NULL && again->bound.value <= guess) {
        duet_verdict verdict;
        code = duet_types_tree(&s, guess, NODES, &effort, &verdict, error);
        if (code == DUET_OK && verdict == DUET_REFUTED) {
            duet_types_claim_searched(&s, guess, true);
        }
    }
    duet_types_free_hands(&s);
    duet_types_free(&s);
    return code;
}

static duet_code prove_by_search(duet_exact *e, bool *proven, duet_error *error)
{
    duet_exact again = {.instance = e->instance,
                        .context = e->context,
                        .doing = e->doing,
                        .searchable = true,
                        .proving = {.wanted = true},
                        .bound = {.value = e->bound.value - 1}};
    duet_random_seed(&again.random, 0);
    duet_code code = duet_solution_create_blank(0, &again.best, error);
    if (code == DUET_OK) {
        again.best->makespan = e->bound.value;
        code = search_again(&again, error);
    }
    *proven = code == DUET_OK && again.bound.value >= e->bound.value;
    if (*proven && again.proof_of >= e->bound.value) {
        duet_log proof = e->proof;
        e->proof = again.proof;
        again.proof = proof;
    } else if (*proven) {
        code = duet_exact_log_bound(e, &again.bound, error);
    }
    duet_bound_release(&again.bound);
    duet_solution_free(again.best);
    duet_exact_free(&again);
    return code;
}

duet_code duet_types_prove(duet_exact *exact, bool *proven, duet_error *error)
{
    *proven = exact->bound.certificate.proof == DUET_PROOF_PRICES;
    if (*proven) {
        return duet_exact_log_bound(exact, &exact->bound, error);
    }
    duet_code code = duet_exact_prove_by_area(exact, proven, error);
    return code == DUET_OK && !*proven ? prove_by_search(exact, proven, error) : code;
}
