// SPDX-License-Identifier: Apache-2.0
// The knapsack bound.
// Method:    the smallest guess at which whole tasks can be allocated to the two types so that the
//            work of each fits into its processors' time (dp/knapsack/knapsack.h). Guesses grow by
//            doubling steps. Where one fits, the best allocation gives a lower bound on the
//            makespan of all, so few guesses are needed.
// Guarantee: a lower bound on the makespan.
// Cost:      a few of duet_knapsack_decide().
// Memory:    that of one of them.
// Reference: that of dp/knapsack/knapsack.h.
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"

// Whether whole tasks fit into a guess, with the weights that a certificate needs.
static duet_code ask(const duet_instance *instance, int64_t guess, int64_t weight[2],
                     duet_knapsack_answer *answer, duet_error *error)
{
    duet_classes classes;
    DUET_TRY(duet_classes_create(instance, guess, &classes, error));
    duet_code code = duet_classes_weights(&classes, weight, error);
    DUET_THEN(code, duet_knapsack_decide(&classes, weight, NULL, answer, error));
    duet_classes_free(&classes);
    return code;
}

// Makes lambda the bound if one more answer, with the weights of its certificate, refutes the guess
// below.
static duet_code conclude(const duet_instance *instance, int64_t lambda, duet_bound *bound,
                          duet_error *error)
{
    duet_knapsack_answer answer;
    duet_certificate certificate = {.proof = DUET_PROOF_KNAPSACK, .lambda = lambda, .types = 2};
    DUET_TRY(ask(instance, lambda - 1, certificate.weight, &answer, error));
    if (!answer.fits && !answer.exceeded) {
        *bound = (duet_bound){.name = "knapsack", .value = lambda, .certificate = certificate};
        duet_fraction_format((duet_fraction){(duet_uint128)lambda, 1}, bound->exact);
    }
    return DUET_OK;
}

duet_code duet_knapsack_raise(const duet_instance *instance, const duet_context *context,
                              int64_t below, duet_bound *bound, duet_error *error)
{
    int64_t lambda = bound->value;
    int64_t step = 1;
    while (lambda < below && !duet_context_stop(context)) {
        int64_t guess = step < below - lambda ? lambda + step - 1 : below - 1;
        int64_t weight[2];
        duet_knapsack_answer answer;
        DUET_TRY(ask(instance, guess, weight, &answer, error));
        if (answer.exceeded || (answer.fits && guess == lambda)) {
            break;
        }
        if (answer.fits) {
            lambda = duet_max(answer.guess, lambda);
            step = 1;
        } else {
            lambda = guess + 1;
            step *= 2;
        }
    }
    return lambda > bound->value ? conclude(instance, lambda, bound, error) : DUET_OK;
}
