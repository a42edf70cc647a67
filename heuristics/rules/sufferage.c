// SPDX-License-Identifier: Apache-2.0
// Algorithm: sufferage.
// Method:    in passes, as printed: each task that is left asks for the processor where it would
//            be complete first; of those that ask for the same one it goes to the task that would
//            suffer most elsewhere, that is whose completion on the second best processor (of any
//            type, another one of the same type too) is the latest after that on its best. Nothing
//            becomes ready within a pass; at equal sufferage the first task in list order. All ask
//            for the first of the least loaded processors of a type, so a pass places at most one
//            task per type. A task that has no second processor suffers without limit. Equal
//            completions on several types: GPU before CPU (option ties). Any number of types.
//            Releases and busy processors: engine/released_rounds.h.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      two types: O(n (log kinds + log m)) time, O(kinds + m) memory: in the order by
//            difference of times the tasks that suffer most are at the ends. Other numbers of
//            types: O(n (Q kinds + log m)), refused where that is too much.
// Reference: Maheswaran, Ali, Siegel, Hensgen, Freund, "Dynamic mapping of a class of independent
//            tasks onto heterogeneous computing systems", J. Parallel and Distributed Computing
//            59(2), 1999.
#include "core/instance/acceleration.h"
#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "heuristics/engine/difference.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/rounds.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, {.name = NULL}};

// How much later the second least loaded processor of a type is ready; INT64_MAX without a second
// one.
static int64_t step(const duet_processors *processors)
{
    if (processors->count < 2) {
        return INT64_MAX;
    }
    int64_t second = processors->heap[1].load;
    second = processors->count > 2 && processors->heap[2].load < second ? processors->heap[2].load
                                                                        : second;
    return second - processors->heap[0].load;
}

// The kinds before `gpu_from` would finish first on a CPU. Of these the one that suffers most: all
// that lose more on a GPU than on the next CPU suffer alike; else it is the one that loses most.
static size_t most_on_cpu(const duet_differences *left, size_t gpu_from, int64_t gap, int64_t step)
{
    size_t first = duet_differences_first(left, 0, gpu_from);
    if (first == SIZE_MAX) {
        return SIZE_MAX;
    }
    if (step < INT64_MAX) {
        size_t alike = duet_differences_below(left, gap - step, true);
        alike = duet_min(alike, gpu_from);
        if (alike > first) {
            return duet_differences_range(left, first, alike).first;
        }
    }
    return left->order[first].kind; // the first of those with the same difference
}

// The same of the kinds from `gpu_from` on, which would finish first on a GPU.
static size_t most_on_gpu(const duet_differences *left, size_t gpu_from, int64_t gap, int64_t step)
{
    size_t end = left->instance->kinds;
    size_t last = duet_differences_last(left, gpu_from, end);
    if (last == SIZE_MAX) {
        return SIZE_MAX;
    }
    size_t alike = duet_differences_alike(left, last);
    if (step < INT64_MAX) {
        size_t from = duet_differences_below(left, gap + step, false);
        alike = duet_min(from, alike);
    }
    return duet_differences_range(left, duet_max(alike, gpu_from), end).first;
}

static size_t pass(duet_differences *left, duet_all_processors *all, bool gpu_first,
                   duet_solution *solution)
{
    int64_t gap =
        duet_processors_ready(&all->of[DUET_GPU]) - duet_processors_ready(&all->of[DUET_CPU]);
    size_t gpu_from = duet_differences_below(left, gap, !gpu_first);
    size_t kind[2] = {most_on_cpu(left, gpu_from, gap, step(&all->of[DUET_CPU])),
                      most_on_gpu(left, gpu_from, gap, step(&all->of[DUET_GPU]))};
    size_t placed = 0;
    for (size_t t = 0; t < 2; t++) {
        if (kind[t] != SIZE_MAX) {
            duet_differences_start(left, &all->of[t], kind[t], solution);
            placed++;
        }
    }
    return placed;
}

// How much a task suffers that does not get the best processor of `type`, its best.
static int64_t suffers(const duet_rounds *s, size_t kind, size_t type)
{
    const duet_instance *instance = s->list.instance;
    int64_t end = duet_processors_least(&s->list.all.of[type]) + duet_time(instance, kind, type);
    int64_t least = step(&s->list.all.of[type]);
    for (size_t t = 0; t < instance->types; t++) {
        if (t == type || !duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t later =
            duet_processors_least(&s->list.all.of[t]) + duet_time(instance, kind, t) - end;
        least = duet_min(later, least);
    }
    return least;
}

// One pass for any number of types: looks at all kinds.
static size_t one_round(duet_rounds *s, bool later_first, duet_solution *solution)
{
    const duet_instance *instance = s->list.instance;
    size_t holder[DUET_MAX_TYPES];
    int64_t most[DUET_MAX_TYPES] = {0};
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        holder[t] = SIZE_MAX;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        if (s->left[i] == 0) {
            continue;
        }
        size_t type = duet_earliest_finish(&s->list, i, later_first);
        int64_t value = suffers(s, i, type);
        if (holder[type] == SIZE_MAX || value > most[type]) {
            holder[type] = i;
            most[type] = value;
        }
    }
    size_t placed = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (holder[t] != SIZE_MAX) {
            duet_rounds_start(s, holder[t], t, solution);
            placed++;
        }
    }
    return placed;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    bool gpu_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    if (!duet_is_available(instance)) {
        return duet_released_rounds_run(instance, context, DUET_ROUND_SUFFERING, gpu_first,
                                        solution, error);
    }
    if (instance->types == 2) {
        return duet_differences_run(instance, context, pass, gpu_first, solution, error);
    }
    return duet_rounds_run(instance, context, "sufferage", one_round, gpu_first, solution, error);
}

const duet_algorithm duet_algorithm_sufferage = {
    .entry = {.name = "sufferage",
              .summary = "the task that would suffer most without its best processor first",
              .reference = "Maheswaran, Ali, Siegel, Hensgen, Freund, JPDC 59(2), 1999",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_list,
    .run = run,
    .pace = {.most_tasks = 100000, .most_entries = 10000},
};
