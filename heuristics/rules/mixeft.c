// SPDX-License-Identifier: Apache-2.0
// Algorithm: mixeft.
// Method:    eft, while qa is simulated beside it; from the task that would bring the makespan of
//            eft above lambda times that of qa on, as qa.
// Guarantee: (lambda + 1)(2 tau + 1), tau = sqrt(m/k) with m >= k (the rule is symmetric); 2 - 1/m
//            on identical processors.
// Cost:      O(n log(m + k)) time, O(m + k) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, algorithm 1.
#include "core/options.h"
#include "heuristics/engine/allocation.h"
#include "heuristics/engine/finish.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TIES,
    {.name = "lambda",
     .type = DUET_OPTION_DECIMAL,
     .fallback = "2",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "",
     .text = "how many times longer than qa it may become before it follows qa"},
    {.name = NULL}};

// (L + 1)(2 sqrt(M/K) + 1) = (L + 1)(K + 2 sqrt(M K)) / K, M = max, K = min, L in thousandths.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t scale = duet_option_thousandths(given, options, "lambda") + 1000;
    int64_t least = counts[0] < counts[1] ? counts[0] : counts[1];
    *out = (duet_ratio){scale * least, 2 * scale, counts[0] * counts[1], 1000 * least};
    return true;
}

typedef struct mixeft {
    duet_all_processors actual;
    duet_all_processors qa; // simulated
    int64_t actual_makespan;
    int64_t qa_makespan;
    int64_t lambda; // thousandths
    bool gpu_first;
    bool follows_qa;
} mixeft;

static void place(mixeft *state, const duet_instance *instance, size_t kind,
                  duet_placement *placement)
{
    size_t type = duet_allocate_qa(instance, kind);
    if (!state->follows_qa) {
        duet_placement simulated;
        int64_t end = duet_processors_start(&state->qa.pool[type], duet_time(instance, kind, type),
                                            &simulated);
        state->qa_makespan = end > state->qa_makespan ? end : state->qa_makespan;
        size_t eft = duet_earliest_finish(&state->actual, instance, kind, state->gpu_first);
        end = duet_processors_least(&state->actual.pool[eft]) + duet_time(instance, kind, eft);
        int64_t makespan = end > state->actual_makespan ? end : state->actual_makespan;
        state->follows_qa =
            (duet_int128)makespan * 1000 > (duet_int128)state->qa_makespan * state->lambda;
        type = state->follows_qa ? type : eft;
    }
    int64_t end = duet_processors_start(&state->actual.pool[type], duet_time(instance, kind, type),
                                        placement);
    state->actual_makespan = end > state->actual_makespan ? end : state->actual_makespan;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    mixeft state = {
        .lambda = duet_option_thousandths(context->options, options, "lambda"),
        .gpu_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU,
    };
    duet_code code = duet_all_processors_create(instance, &state.actual, error);
    if (code != DUET_OK) {
        return code;
    }
    code = duet_all_processors_create(instance, &state.qa, error);
    if (code == DUET_OK) {
        for (size_t i = 0; i < instance->kinds; i++) {
            for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
                place(&state, instance, i, &solution->placement[j]);
            }
        }
        duet_solution_count(solution, "followed_qa", state.follows_qa);
        duet_all_processors_free(&state.qa);
    }
    duet_all_processors_free(&state.actual);
    return code;
}

const duet_algorithm duet_algorithm_mixeft = {
    .entry = {.name = "mixeft",
              .summary = "eft until it falls lambda times behind qa, then qa",
              .guarantee = "(lambda + 1)(2 tau + 1), tau = sqrt(m/k)",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, algorithm 1",
              .options = options},
    .ratio = ratio,
    .run = run,
};
