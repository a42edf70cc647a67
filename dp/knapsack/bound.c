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

// A guess that was refuted, and the weights that show it.
typedef struct refuted {
    int64_t guess;
    int64_t weight[2];
} refuted;

// Whether whole tasks fit into a guess, with the weights that a certificate needs.
static duet_code ask(const duet_instance *instance, const duet_context *context, int64_t guess,
                     int64_t weight[2], duet_knapsack_answer *answer, duet_error *error)
{
    duet_classes classes;
    DUET_TRY(duet_classes_create(instance, guess, &classes, error));
    duet_code code = duet_classes_weights(&classes, weight, error);
    DUET_THEN(code, duet_knapsack_decide(&classes, weight, context, NULL, answer, error));
    duet_classes_free(&classes);
    return code;
}

// Asks about a guess, and notes it where it is refuted.
static duet_code try_guess(const duet_instance *instance, const duet_context *context,
                           int64_t guess, refuted *last, duet_knapsack_answer *answer,
                           duet_error *error)
{
    int64_t weight[2];
    DUET_TRY(ask(instance, context, guess, weight, answer, error));
    if (!answer->fits && !answer->exceeded) {
        *last = (refuted){guess, {weight[0], weight[1]}};
    }
    return DUET_OK;
}

// The guess after the last one that was refuted becomes the bound.
static void conclude(const refuted *last, duet_bound *bound)
{
    int64_t lambda = last->guess + 1;
    if (lambda > bound->value) {
        *bound = (duet_bound){.name = "knapsack",
                              .value = lambda,
                              .certificate = {.proof = DUET_PROOF_KNAPSACK,
                                              .lambda = lambda,
                                              .weight = {last->weight[0], last->weight[1]},
                                              .types = 2}};
        duet_fraction_format((duet_fraction){(duet_uint128)lambda, 1}, bound->exact);
    }
}

duet_code duet_knapsack_raise(const duet_instance *instance, const duet_context *context,
                              int64_t below, duet_bound *bound, duet_error *error)
{
    int64_t lambda = bound->value;
    int64_t step = 1;
    refuted last = {.guess = -1};
    duet_knapsack_answer answer;
    while (lambda < below && !duet_context_stop(context)) {
        int64_t guess = step < below - lambda ? lambda + step - 1 : below - 1;
        DUET_TRY(try_guess(instance, context, guess, &last, &answer, error));
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
    // An allocation that fits may have raised it beyond that, which takes one more refutation.
    if (lambda > bound->value && last.guess < lambda - 1) {
        DUET_TRY(try_guess(instance, context, lambda - 1, &last, &answer, error));
    }
    conclude(&last, bound);
    return DUET_OK;
}
