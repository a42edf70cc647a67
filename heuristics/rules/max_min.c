// SPDX-License-Identifier: Apache-2.0
// Algorithm: max-min.
// Method:    again and again, of the tasks that are left the one whose earliest completion is the
//            latest, on the processor where it would be complete first. Equal completions: the
//            first task in list order; on several types GPU before CPU (option ties). Any number of
//            types.
// Guarantee: none; on identical processors it is LPT, 4/3 - 1/(3m).
// Cost:      two types: O(n (log kinds + log m)) time, O(kinds + m) memory: where the least loaded
//            processors are ready tells the kinds that finish first on a CPU from the others, a
//            prefix of their order by difference of times. Other numbers of types: O(n (Q kinds +
//            log m)), refused where that is too much.
// Reference: Ibarra, Kim, "Heuristic algorithms for scheduling independent tasks on nonidentical
//            processors", J. ACM 24(2), 1977 (heuristic E); the name: Maheswaran, Ali, Siegel,
//            Hensgen, Freund, J. Parallel and Distributed Computing 59(2), 1999.
#include "core/instance/acceleration.h"
#include "core/instance/available.h"
#include "core/options.h"
#include "heuristics/engine/difference.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/rounds.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, {.name = NULL}};

static size_t place_next(duet_differences *left, duet_all_processors *all, bool gpu_first,
                         duet_solution *solution)
{
    const duet_instance *instance = left->instance;
    int64_t at[2] = {duet_processors_ready(&all->of[DUET_CPU]),
                     duet_processors_ready(&all->of[DUET_GPU])};
    size_t gpu_from = duet_differences_below(left, at[DUET_GPU] - at[DUET_CPU], !gpu_first);
    size_t kind[2] = {duet_differences_range(left, 0, gpu_from).longest[DUET_CPU],
                      duet_differences_range(left, gpu_from, instance->kinds).longest[DUET_GPU]};
    int64_t end[2];
    for (size_t t = 0; t < 2; t++) {
        end[t] = kind[t] == SIZE_MAX ? -1 : at[t] + duet_time(instance, kind[t], t);
    }
    bool on_gpu = end[DUET_GPU] != end[DUET_CPU] ? end[DUET_GPU] > end[DUET_CPU]
                                                 : kind[DUET_GPU] < kind[DUET_CPU];
    size_t type = on_gpu ? DUET_GPU : DUET_CPU;
    duet_differences_start(left, &all->of[type], kind[type], solution);
    return 1;
}

// One round for any number of types: looks at all kinds.
static size_t one_round(duet_rounds *s, bool later_first, duet_solution *solution)
{
    const duet_instance *instance = s->list.instance;
    size_t latest = SIZE_MAX;
    size_t where = 0;
    int64_t end = -1;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (s->left[i] == 0) {
            continue;
        }
        size_t type = duet_earliest_finish(&s->list, i, later_first);
        int64_t finish =
            duet_processors_least(&s->list.all.of[type]) + duet_time(instance, i, type);
        if (finish > end) {
            latest = i;
            where = type;
            end = finish;
        }
    }
    duet_rounds_start(s, latest, where, solution);
    return 1;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    bool gpu_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    if (!duet_is_available(instance)) {
        return duet_released_rounds_run(instance, context, DUET_ROUND_LAST, gpu_first, solution,
                                        error);
    }
    if (instance->types == 2) {
        return duet_differences_run(instance, context, place_next, gpu_first, solution, error);
    }
    return duet_rounds_run(instance, context, "max-min", one_round, gpu_first, solution, error);
}

const duet_algorithm duet_algorithm_max_min = {
    .entry = {.name = "max-min",
              .summary = "of all tasks the one that is complete last, where it is first",
              .guarantee = "4/3 - 1/(3m) without GPUs",
              .reference = "Ibarra, Kim, J. ACM 24(2), 1977",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_lpt,
    .run = run,
    .pace = {.most_tasks = 100000, .most_entries = 10000},
};
