// SPDX-License-Identifier: Apache-2.0
// Algorithm: template. docs/adding-an-algorithm.md walks through it. It is not in the registry; the
//            tests run it as if it were.
// Method:    each task on a GPU iff it is there at least `factor` times as fast as on a CPU; then
//            longest first on each type.
// Guarantee: max { 2 - 1/k + m/(f k), 1 + f + f (k - 1)/m } with f = factor; on identical
//            processors the schedule is LPT: 4/3 - 1/(3m). Proof above ratio().
// Cost:      O(kinds log kinds + min(n, runs) log(m + k)).
// Memory:    O(kinds + min(n, runs)).
// Reference: ours, for practice.
#include "core/instance/acceleration.h"
#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/rules/rules.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {{.name = "factor",
                                            .type = DUET_OPTION_INTEGER,
                                            .fallback = "4",
                                            .minimum = 1,
                                            .maximum = 1000,
                                            .unit = "",
                                            .text = "to a GPU where that is so many times as fast"},
                                           {.name = NULL}};

// Let the optimum be 1. On a type with c processors, work W and longest task t, the last task to
// end starts when all are busy: it ends by W/c + t (1 - 1/c).
// - GPUs: at most k of work that the optimum has there too; of what it has on CPUs, at most m of
//   work, an f-th of that. No task is longer than 1, as f >= 1.
// - CPUs: at most m of work that the optimum has there too; of what it has on GPUs, at most k of
//   work, f times that. No task is longer than f.
static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_lpt(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    int64_t m = counts[DUET_CPU];
    int64_t k = counts[DUET_GPU];
    int64_t f = duet_option_integer(given, options, "factor");
    duet_ratio gpus = {2 * f * k - f + m, 0, 0, f * k};
    duet_ratio cpus = {m + f * m + f * (k - 1), 0, 0, m};
    bool gpus_last = (duet_int128)gpus.a * cpus.d > (duet_int128)cpus.a * gpus.d;
    *out = gpus_last ? gpus : cpus;
    return true;
}

static bool goes_to_gpu(const duet_instance *instance, size_t kind, int64_t factor)
{
    if (!duet_allowed(instance, kind, DUET_CPU) || !duet_allowed(instance, kind, DUET_GPU)) {
        return duet_allowed(instance, kind, DUET_GPU);
    }
    return (duet_int128)duet_time(instance, kind, DUET_GPU) * factor <=
           duet_time(instance, kind, DUET_CPU);
}

static duet_code allocate(const duet_instance *instance, const duet_context *context,
                          duet_allocation *allocation, duet_error *error)
{
    int64_t factor = duet_option_integer(context->options, options, "factor");
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        size_t type = goes_to_gpu(instance, i, factor) ? DUET_GPU : DUET_CPU;
        allocation->share[2 * i + type] = duet_count(instance, i);
    }
    return DUET_OK;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_allocation allocation;
    duet_code code = duet_allocation_create(instance, &allocation, error);
    DUET_THEN(code, allocate(instance, context, &allocation, error));
    DUET_THEN(code, duet_schedule_longest_first(instance, &allocation, solution, error));
    duet_allocation_free(&allocation);
    return code;
}

const duet_algorithm duet_algorithm_template = {
    .entry = {.name = "template",
              .summary = "GPU for tasks that are so many times as fast there, longest first",
              .guarantee = "max { 2 - 1/k + m/(f k), 1 + f + f (k-1)/m }, f = factor",
              .reference = "",
              .options = options},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
};
