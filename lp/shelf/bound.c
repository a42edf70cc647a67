// SPDX-License-Identifier: Apache-2.0
// Bound: shelf.
// Method:    the smallest lambda at which the shelf relaxation (lp/shelf/shelf.h) is feasible with
//            CPU work of at most m lambda. A larger lambda only makes long tasks short and
//            capacities larger, so the answers are monotone: doubling steps up from the longest
//            task and the area bound, then bisection, find it.
// Cost:      O(kinds log kinds) for the order, then expected O(kinds) per guess and multiplier (few
//            of each); O(kinds) memory.
// Proof:     weights on work and on long tasks (DUET_PROOF_SHELF); where the longest task or the
//            area bound is as good, theirs.
// Reference: ours; the shelves are those of Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram,
//            "Scheduling independent tasks on multi-cores with GPU accelerators", CCPE 27(6), 2015.
#include <inttypes.h>
#include <stdio.h>

#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/shelf/shelf_state.h"

// Answers a guess; on NO the bound becomes what that proves.
static bool guess(duet_shelf *shelf, int64_t lambda, duet_bound *lower, duet_shelf_answer *answer)
{
    duet_shelf_decide(shelf, lambda, answer);
    if (!answer->yes) {
        lower->name = "shelf";
        lower->value = lambda + 1;
        lower->certificate = answer->certificate;
    }
    return answer->yes;
}

// The area bound's weights are a multiplier, and mostly the right one.
static void warm_up(duet_shelf *shelf, const duet_bound *lower)
{
    const duet_certificate *known = &lower->certificate;
    if (shelf->warm.cpu == 0 && known->proof == DUET_PROOF_AREA && known->weight[DUET_CPU] > 0) {
        shelf->warm = (duet_multiplier){known->weight[DUET_CPU], known->weight[DUET_GPU]};
    }
}

void duet_shelf_search(duet_shelf *shelf, const duet_context *context, duet_bound *lower,
                       duet_shelf_answer *answer)
{
    int64_t yes = lower->value;
    warm_up(shelf, lower);
    // YES at 2^62 at the latest.
    for (int64_t step = 1; !guess(shelf, yes, lower, answer); step *= 2) {
        if (duet_context_stop(context)) {
            return;
        }
        yes = yes > DUET_MAX_WORK - step ? DUET_MAX_WORK : yes + step;
    }
    while (lower->value < yes) {
        answer->yes = false;
        if (duet_context_stop(context)) {
            return;
        }
        int64_t middle = lower->value + (yes - 1 - lower->value) / 2;
        yes = guess(shelf, middle, lower, answer) ? middle : yes;
    }
    duet_shelf_solve(shelf, yes, answer);
}

duet_code duet_shelf_raise(const duet_instance *instance, const duet_acceleration_order *order,
                           const duet_context *context, duet_bound *bound, duet_error *error)
{
    duet_shelf *shelf;
    DUET_TRY(duet_shelf_create(instance, order, &shelf, error));
    duet_shelf_answer answer;
    duet_shelf_search(shelf, context, bound, &answer);
    snprintf(bound->exact, sizeof bound->exact, "%" PRId64, bound->value);
    duet_shelf_free(shelf);
    return DUET_OK;
}

duet_code duet_shelf_bound(const duet_instance *instance, const duet_context *context,
                           duet_bound *bound, duet_error *error)
{
    duet_acceleration_order order;
    DUET_TRY(duet_acceleration_order_create(instance, &order, error));
    duet_code code = duet_first_bound(instance, &order, context, bound, error);
    if (code == DUET_OK) {
        code = duet_shelf_raise(instance, &order, context, bound, error);
        bound->name = "shelf";
    }
    duet_acceleration_order_free(&order);
    return code;
}

const duet_bound_method duet_bound_shelf = {
    .entry = {.name = "shelf",
              .summary =
                  "divisible tasks, but at most one longer than half the bound per processor",
              .reference = "after Bleuse et al., CCPE 27(6), 2015",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS},
    .run = duet_shelf_bound,
};
