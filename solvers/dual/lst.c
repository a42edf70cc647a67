// SPDX-License-Identifier: Apache-2.0
// Algorithm: lst (Lenstra, Shmoys, Tardos).
// Method:    dual approximation. At guess lambda a time above lambda is forbidden, and the linear
//            program deals the tasks, as divisible ones, to the types so that the largest work per
//            processor is least: NO if that exceeds lambda. A vertex of the program divides few
//            tasks (one at most on two types); a matching gives them to types whole, at most one to
//            each. Then longest first on each type. Processors of a type are alike, so the program
//            has a row per type where the paper's has one per processor. Two types: the vertex in
//            closed form, in integers. More: a solver proposes it (lst_program.c), integers decide.
// Guarantee: 2. A type's work is at most m lambda and one task t <= lambda more; its last task l
//            starts when all processors are busy and ends by lambda + t/m + l (1 - 1/m), at most
//            2 lambda. On identical processors the schedule is LPT: 4/3 - 1/(3m).
// Cost:      two types: O(kinds) per guess, then one schedule in O(kinds log kinds + min(n, runs)
//            log(m + k)). More: a program of O(kinds Q) columns per guess.
// Reference: Lenstra, Shmoys, Tardos, "Approximation algorithms for scheduling unrelated parallel
//            machines", Mathematical Programming 46, 1990, theorems 1 and 2.
#include "core/acceleration.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/rules/guarantee.h"
#include "lp/area/area.h"
#include "solvers/dual/dual.h"
#include "solvers/dual/lst_program.h"
#include "solvers/solvers.h"

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (!duet_ratio_lpt(types, counts, options, out)) {
        *out = (duet_ratio){2, 0, 0, 1};
    }
    return true;
}

typedef struct lst {
    const duet_instance *instance;
    const duet_context *context;
    duet_acceleration_order order; // two types
    duet_allocation allocation;
    bool unproven; // a YES that integers could not confirm
} lst;

static bool fits(const duet_instance *instance, size_t kind, size_t type, int64_t lambda)
{
    return duet_allowed(instance, kind, type) && duet_time(instance, kind, type) <= lambda;
}

static void refuse(duet_answer *answer, int64_t lambda, int64_t cpu_weight, int64_t gpu_weight)
{
    answer->certificate = (duet_certificate){
        .proof = DUET_PROOF_AREA,
        .lambda = lambda + 1,
        .types = 2,
        .weight = {cpu_weight, gpu_weight},
    };
}

static void give(lst *state, size_t kind, int64_t on_gpu)
{
    state->allocation.share[2 * kind + DUET_CPU] = duet_count(state->instance, kind) - on_gpu;
    state->allocation.share[2 * kind + DUET_GPU] = on_gpu;
}

// Every kind where it fits, on the CPUs where it fits on both. False where one fits nowhere.
static bool start(lst *state, int64_t lambda, int64_t work[2])
{
    const duet_instance *instance = state->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        bool on_cpu = fits(instance, i, DUET_CPU, lambda);
        if (!on_cpu && !fits(instance, i, DUET_GPU, lambda)) {
            return false;
        }
        size_t type = on_cpu ? DUET_CPU : DUET_GPU;
        work[type] += duet_time(instance, i, type) * duet_count(instance, i);
        give(state, i, on_cpu ? 0 : duet_count(instance, i));
    }
    return true;
}

// Whether an undivided task is better on the CPUs than on the GPUs: where the work per processor
// and the task itself add up to less.
static bool sooner_on_cpu(const duet_instance *instance, size_t kind, const int64_t work[2])
{
    duet_fraction end[2];
    for (size_t t = 0; t < 2; t++) {
        uint64_t processors = (uint64_t)instance->processors[t];
        end[t].den = processors;
        end[t].num =
            (uint64_t)work[t] + (duet_uint128)(uint64_t)duet_time(instance, kind, t) * processors;
    }
    return duet_fraction_compare(end[DUET_CPU], end[DUET_GPU]) < 0;
}

// Divides a kind so that both types are even, and deals its tasks: at most one of them is divided.
// False where even means above lambda. `work` counts the kind on the CPUs.
static bool divide(lst *state, size_t kind, int64_t lambda, int64_t work[2])
{
    const duet_instance *instance = state->instance;
    int64_t p = duet_time(instance, kind, DUET_CPU);
    int64_t q = duet_time(instance, kind, DUET_GPU);
    duet_int128 m = instance->processors[DUET_CPU];
    duet_int128 k = instance->processors[DUET_GPU];
    duet_int128 gap = k * work[DUET_CPU] - m * work[DUET_GPU];
    duet_int128 step = m * q + k * p;
    duet_fraction even = {
        (duet_uint128)((duet_int128)q * work[DUET_CPU] + (duet_int128)p * work[DUET_GPU]),
        (duet_uint128)step};
    if (duet_fraction_compare(even, (duet_fraction){(uint64_t)lambda, 1}) > 0) {
        return false;
    }
    int64_t on_gpu = (int64_t)(gap / step);
    if (gap % step != 0) {
        int64_t apart[2] = {work[DUET_CPU] - p * (on_gpu + 1), work[DUET_GPU] + q * on_gpu};
        on_gpu += !sooner_on_cpu(instance, kind, apart);
    }
    give(state, kind, on_gpu);
    return true;
}

// The vertex for two types: from all that may on the CPUs, the most accelerated to the GPUs until
// both are even.
static void guess_two(lst *state, int64_t lambda, duet_answer *answer)
{
    const duet_instance *instance = state->instance;
    int64_t work[2] = {0, 0};
    duet_int128 m = instance->processors[DUET_CPU];
    duet_int128 k = instance->processors[DUET_GPU];
    if (!start(state, lambda, work)) {
        refuse(answer, lambda, 1, 1);
        return;
    }
    for (size_t at = state->order.flexible_begin; at < state->order.flexible_end; at++) {
        size_t kind = state->order.items[at].kind;
        int64_t p = duet_time(instance, kind, DUET_CPU);
        int64_t q = duet_time(instance, kind, DUET_GPU);
        int64_t count = duet_count(instance, kind);
        if (k * work[DUET_CPU] <= m * work[DUET_GPU]) {
            break; // before anything has moved: the GPUs are the later ones as it is
        }
        if (p == 0 || p > lambda || q > lambda) {
            continue;
        }
        if (k * (work[DUET_CPU] - p * count) <= m * (work[DUET_GPU] + q * count)) {
            answer->yes = divide(state, kind, lambda, work);
            if (!answer->yes) {
                refuse(answer, lambda, q, p);
            }
            return;
        }
        work[DUET_CPU] -= p * count;
        work[DUET_GPU] += q * count;
        give(state, kind, count);
    }
    bool cpus_later = k == 0 || k * work[DUET_CPU] > m * work[DUET_GPU];
    answer->yes = cpus_later ? work[DUET_CPU] <= lambda * m : work[DUET_GPU] <= lambda * k;
    if (!answer->yes) {
        refuse(answer, lambda, cpus_later, !cpus_later);
    }
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    lst *state = opaque;
    if (state->instance->types == 2) {
        guess_two(state, lambda, answer);
        return DUET_OK;
    }
    bool unproven = false;
    duet_code code = duet_lst_program(state->instance, state->context, lambda, &state->allocation,
                                      answer, &unproven, error);
    state->unproven = state->unproven || unproven;
    return code;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    lst *state = opaque;
    return duet_schedule_longest_first(state->instance, &state->allocation, solution, error);
}

// The bound to start from, and the order that two types need.
static duet_code prepare(lst *state, duet_bound *bound, duet_error *error)
{
    const duet_instance *instance = state->instance;
    duet_code code = duet_allocation_create(instance, &state->allocation, error);
    if (code == DUET_OK && instance->types == 2) {
        code = duet_acceleration_order_create(instance, &state->order, error);
        return code == DUET_OK
                   ? duet_first_bound(instance, &state->order, state->context, bound, error)
                   : code;
    }
    if (code == DUET_OK) {
        code = duet_longest_bound(instance, state->context, bound, error);
    }
    if (code == DUET_OK) {
        duet_bound area = duet_area_estimate(instance);
        *bound = area.value >= bound->value ? area : *bound;
    }
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    lst state = {.instance = instance, .context = context};
    duet_bound bound;
    duet_code code = prepare(&state, &bound, error);
    if (code == DUET_OK) {
        duet_dual dual = {"lst", &state, guess, build};
        code = duet_dual_run(instance, context, &dual, &bound, solution, error);
    }
    if (code == DUET_OK && state.unproven) {
        solution->ratio_void = true;
    }
    duet_acceleration_order_free(&state.order);
    duet_allocation_free(&state.allocation);
    return code;
}

const duet_algorithm duet_algorithm_lst = {
    .entry = {.name = "lst",
              .summary = "dual approximation: a vertex of the linear program, rounded",
              .guarantee = "2",
              .reference = "Lenstra, Shmoys, Tardos, Mathematical Programming 46, 1990",
              .handles = DUET_HANDLES_ANY_TYPES},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
};
