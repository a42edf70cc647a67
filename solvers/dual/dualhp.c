// SPDX-License-Identifier: Apache-2.0
// Algorithm: dualhp.
// Method:    dual approximation. At guess lambda a task that is longer than lambda on both types
//            means NO; one that is longer on one type is fixed to the other. NO if the work fixed
//            to the GPUs exceeds k lambda. The other tasks, by decreasing acceleration factor, go
//            to the GPUs while the work there is below k lambda; the rest goes to the CPUs. NO if
//            the CPU work exceeds m lambda. Each type runs its longest task first, but the task
//            that overshot k lambda last. On task graphs: dualhp_graph.c.
// Guarantee: 2. A task starts when all processors of its type are busy, so before lambda, and takes
//            at most lambda. On identical processors the schedule is LPT: 4/3 - 1/(3m).
//            None on task graphs.
// Cost:      O(kinds) per guess, O(kinds log kinds + min(n, runs) log(m + k)) per schedule.
// Memory:    O(kinds + min(n, runs)).
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6 (DualHP); Hochbaum, Shmoys,
//            "Using dual approximation algorithms for scheduling problems", J. ACM 34(1), 1987.

#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "solvers/dual/dualhp_graph.h"
#include "solvers/dual/two_types.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {DUET_OPTION_READY_RANK("avg"), {.name = NULL}};

typedef struct dualhp {
    const duet_instance *instance;
    duet_acceleration_order order;
    duet_allocation allocation;
} dualhp;

// Fixes the kinds that fit on one type only. Returns false on NO.
static bool fix(dualhp *state, int64_t lambda, duet_int128 *cpu_work, duet_int128 *gpu_work,
                duet_answer *answer)
{
    const duet_instance *instance = state->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        bool on_cpu = duet_fits_within(instance, i, DUET_CPU, lambda);
        bool on_gpu = duet_fits_within(instance, i, DUET_GPU, lambda);
        if (!on_cpu && !on_gpu) {
            duet_refuse_by_weights(answer, lambda, 1, 1);
            return false;
        }
        if (!on_cpu) {
            *gpu_work += (duet_int128)duet_time(instance, i, DUET_GPU) * duet_count(instance, i);
            duet_allocate_two(instance, &state->allocation, i, duet_count(instance, i));
        } else if (!on_gpu) {
            *cpu_work += (duet_int128)duet_time(instance, i, DUET_CPU) * duet_count(instance, i);
            duet_allocate_two(instance, &state->allocation, i, 0);
        }
    }
    if (*gpu_work > (duet_int128)lambda * instance->processors[DUET_GPU]) {
        duet_refuse_by_weights(answer, lambda, 0, 1);
        return false;
    }
    return true;
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    (void)error;
    dualhp *state = opaque;
    const duet_instance *instance = state->instance;
    duet_int128 cpu_work = 0;
    duet_int128 gpu_work = 0;
    if (!fix(state, lambda, &cpu_work, &gpu_work, answer)) {
        return DUET_OK;
    }
    duet_int128 gpu_room = (duet_int128)lambda * instance->processors[DUET_GPU];
    state->allocation.last[DUET_GPU] = SIZE_MAX;
    // The most accelerated kind that leaves tasks to the CPUs: the weights of a NO are its times.
    size_t threshold = SIZE_MAX;
    for (size_t at = state->order.flexible_begin; at < state->order.flexible_end; at++) {
        size_t kind = state->order.items[at].kind;
        if (!duet_fits_within(instance, kind, DUET_CPU, lambda) ||
            !duet_fits_within(instance, kind, DUET_GPU, lambda)) {
            continue;
        }
        int64_t count = duet_count(instance, kind);
        int64_t q = duet_time(instance, kind, DUET_GPU);
        int64_t on_gpu = duet_start_below(gpu_room - gpu_work, q, count);
        bool overshoots = gpu_work <= gpu_room && gpu_work + (duet_int128)q * on_gpu > gpu_room;
        gpu_work += (duet_int128)q * on_gpu;
        if (overshoots) {
            state->allocation.last[DUET_GPU] = kind;
        }
        if ((overshoots || on_gpu < count) && threshold == SIZE_MAX) {
            threshold = kind;
        }
        cpu_work += (duet_int128)duet_time(instance, kind, DUET_CPU) * (count - on_gpu);
        duet_allocate_two(instance, &state->allocation, kind, on_gpu);
    }
    answer->yes = cpu_work <= (duet_int128)lambda * instance->processors[DUET_CPU];
    if (!answer->yes && threshold == SIZE_MAX) { // all the CPU work is fixed there
        duet_refuse_by_weights(answer, lambda, 1, 0);
    } else if (!answer->yes) {
        duet_refuse_by_weights(answer, lambda, duet_time(instance, threshold, DUET_GPU),
                               duet_time(instance, threshold, DUET_CPU));
    }
    return DUET_OK;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    dualhp *state = opaque;
    return duet_schedule_longest_first(state->instance, &state->allocation, solution, error);
}

static duet_code prepare(dualhp *state, const duet_context *context, duet_bound *bound,
                         duet_error *error)
{
    DUET_TRY(duet_allocation_create(state->instance, &state->allocation, error));
    DUET_TRY(duet_acceleration_order_create(state->instance, &state->order, error));
    return duet_first_bound(state->instance, &state->order, context, bound, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    if (instance->graph != NULL || context->reality != NULL) {
        int rank = duet_option_choice(context->options, options, "rank");
        return duet_dualhp_graph(instance, context, (duet_dualhp_rank)rank, NULL, solution, error);
    }
    dualhp state = {.instance = instance};
    duet_bound bound;
    duet_code code = prepare(&state, context, &bound, error);
    if (code == DUET_OK) {
        duet_dual dual = {"dualhp", &state, guess, build};
        code = duet_dual_run(instance, context, &dual, &bound, solution, error);
    }
    duet_acceleration_order_free(&state.order);
    duet_allocation_free(&state.allocation);
    return code;
}

const duet_algorithm duet_algorithm_dualhp = {
    .entry = {.name = "dualhp",
              .summary = "dual approximation: the most accelerated fill the GPUs",
              .guarantee = "2",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6",
              .handles = DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = duet_ratio_two,
    .run = run,
    .online = true,
    .makes_runs = true,
};
