// SPDX-License-Identifier: Apache-2.0
// Algorithm: dualhp.
// Method:    dual approximation. At guess lambda a task longer than lambda on both types means NO;
//            one longer on one type is fixed to the other; NO if the work fixed to the GPUs exceeds
//            k lambda. The others, by decreasing acceleration factor, go to the GPUs while their
//            work is below k lambda, the rest to the CPUs; NO if the CPU work exceeds m lambda.
//            Each type runs its longest task first, but the task that overshot k lambda last.
// Guarantee: 2 (a task starts when all processors of its type are busy, so before lambda, and takes
//            at most lambda). On identical processors the schedule is LPT: 4/3 - 1/(3m).
// Cost:      O(kinds) per guess, O(kinds log kinds + min(n, runs) log(m + k)) per schedule;
//            O(kinds + min(n, runs)) memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6 (DualHP); Hochbaum, Shmoys,
//            "Using dual approximation algorithms for scheduling problems", J. ACM 34(1), 1987.

#include "core/acceleration.h"
#include "core/memory.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/rules/guarantee.h"
#include "lp/area/area.h"
#include "solvers/dual/dual.h"
#include "solvers/solvers.h"

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_lpt(types, counts, options, out)) {
        return true;
    }
    *out = (duet_ratio){2, 0, 0, 1};
    return types == 2;
}

typedef struct dualhp {
    const duet_instance *instance;
    duet_acceleration_order order;
    duet_allocation allocation;
} dualhp;

// A proof of NO at lambda by weights on the types: work that the weights count does not fit.
static void prove(duet_answer *answer, int64_t lambda, int64_t cpu_weight, int64_t gpu_weight)
{
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA,
        .lambda = lambda + 1,
        .types = 2,
        .weight = {cpu_weight, gpu_weight},
    };
}

static bool fits(const duet_instance *instance, size_t kind, size_t type, int64_t lambda)
{
    return duet_allowed(instance, kind, type) && duet_time(instance, kind, type) <= lambda;
}

static void give(dualhp *state, size_t kind, int64_t on_gpu)
{
    state->allocation.share[2 * kind + DUET_CPU] = duet_count(state->instance, kind) - on_gpu;
    state->allocation.share[2 * kind + DUET_GPU] = on_gpu;
}

// Fixes the kinds that fit on one type only. Returns false on NO.
static bool fix(dualhp *state, int64_t lambda, duet_int128 *cpu_work, duet_int128 *gpu_work,
                duet_answer *answer)
{
    const duet_instance *instance = state->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        bool on_cpu = fits(instance, i, DUET_CPU, lambda);
        bool on_gpu = fits(instance, i, DUET_GPU, lambda);
        if (!on_cpu && !on_gpu) {
            prove(answer, lambda, 1, 1);
            return false;
        }
        if (!on_cpu) {
            *gpu_work += (duet_int128)duet_time(instance, i, DUET_GPU) * duet_count(instance, i);
            give(state, i, duet_count(instance, i));
        } else if (!on_gpu) {
            *cpu_work += (duet_int128)duet_time(instance, i, DUET_CPU) * duet_count(instance, i);
            give(state, i, 0);
        }
    }
    if (*gpu_work > (duet_int128)lambda * instance->processors[DUET_GPU]) {
        prove(answer, lambda, 0, 1);
        return false;
    }
    return true;
}

// How many of `count` tasks of `time` start below the room that is left: the last one may
// overshoot.
static int64_t start_below(duet_int128 room, int64_t time, int64_t count)
{
    if (time == 0) {
        return count; // free: a NO must not rest on leaving it out
    }
    if (room <= 0) {
        return 0;
    }
    duet_int128 starts = (room + time - 1) / time;
    return starts < count ? (int64_t)starts : count;
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
    // The most accelerated kind that leaves tasks to the CPUs: its ratio prices a NO.
    size_t threshold = SIZE_MAX;
    for (size_t at = state->order.flexible_begin; at < state->order.flexible_end; at++) {
        size_t kind = state->order.items[at].kind;
        if (!fits(instance, kind, DUET_CPU, lambda) || !fits(instance, kind, DUET_GPU, lambda)) {
            continue;
        }
        int64_t count = duet_count(instance, kind);
        int64_t q = duet_time(instance, kind, DUET_GPU);
        int64_t on_gpu = start_below(gpu_room - gpu_work, q, count);
        bool overshoots = gpu_work <= gpu_room && gpu_work + (duet_int128)q * on_gpu > gpu_room;
        gpu_work += (duet_int128)q * on_gpu;
        if (overshoots) {
            state->allocation.last[DUET_GPU] = kind;
        }
        if ((overshoots || on_gpu < count) && threshold == SIZE_MAX) {
            threshold = kind;
        }
        cpu_work += (duet_int128)duet_time(instance, kind, DUET_CPU) * (count - on_gpu);
        give(state, kind, on_gpu);
    }
    answer->yes = cpu_work <= (duet_int128)lambda * instance->processors[DUET_CPU];
    if (!answer->yes && threshold == SIZE_MAX) {
        prove(answer, lambda, 1, 0);
    } else if (!answer->yes) {
        prove(answer, lambda, duet_time(instance, threshold, DUET_GPU),
              duet_time(instance, threshold, DUET_CPU));
    }
    return DUET_OK;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    dualhp *state = opaque;
    return duet_schedule_longest_first(state->instance, &state->allocation, solution, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    dualhp state = {.instance = instance};
    duet_code code = duet_allocation_create(instance, &state.allocation, error);
    if (code == DUET_OK) {
        code = duet_acceleration_order_create(instance, &state.order, error);
    }
    duet_bound bound;
    if (code == DUET_OK) {
        code = duet_first_bound(instance, &state.order, context, &bound, error);
    }
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
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6"},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
};
