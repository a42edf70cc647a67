// SPDX-License-Identifier: Apache-2.0
// Algorithm: lst (Lenstra, Shmoys, Tardos).
// Method:    dual approximation. At guess lambda a time above lambda is forbidden. The linear
//            program allocates the tasks, as divisible ones, to the types so that the largest work
//            per processor is least: NO if that exceeds lambda. A vertex of the program divides few
//            tasks (one at most on two types). A matching gives these to types whole, at most one
//            to each. Then longest first on each type. Processors of a type are alike, so that the
//            program has a row per type where the paper's has one per processor. On two types the
//            vertex is in closed form, in integers. On more, a solver proposes it (lst_program.c)
//            and integers decide.
//            With rounding=share the divided task of two types goes to the CPUs iff its share there
//            is at least m / (m + k); of more types, to a type whose share makes up for what the
//            type gets of other divided tasks (lst_share.c).
// Guarantee: 2. A type's work is at most m lambda and one task t <= lambda more. Its last task l
//            starts when all processors are busy and ends by lambda + t/m + l (1 - 1/m), at most
//            2 lambda. With rounding=share 2 - 1/M on M processors of all types: a type of m_t gets
//            e <= 1 - m_t/M of divided tasks beyond its shares and ends by 2 lambda -
//            (1 - e) lambda/m_t. On identical processors the schedule is LPT: 4/3 -
//            1/(3m).
// Cost:      two types: O(kinds) per guess, then one schedule in O(kinds log kinds + min(n, runs)
//            log(m + k)). More: a program of O(kinds Q) columns per guess.
// Memory:    O(kinds Q + min(n, runs)), and the solver's.
// Reference: Lenstra, Shmoys, Tardos, "Approximation algorithms for scheduling unrelated parallel
//            machines", Mathematical Programming 46, 1990, theorems 1 and 2. The ratio 2 - 1/m on m
//            machines: Shchepin, Vakhania, "An optimal rounding gives a better approximation for
//            scheduling unrelated machines", Operations Research Letters 33, 2005; the rounding is
//            ours.
#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "solvers/dual/lst_program.h"
#include "solvers/dual/two_types.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "rounding",
     .type = DUET_OPTION_CHOICE,
     .fallback = "sooner",
     .choices = "sooner|share",
     .unit = "",
     .text = "divided tasks go to types by a matching, on two types to where they end sooner; or "
             "by their shares: ratio 2 - 1/M on M processors"},
    {.name = NULL}};
enum { ROUNDING_SOONER };

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_lpt(types, counts, given, out)) {
        return true;
    }
    *out = (duet_ratio){2, 0, 0, 1};
    if (duet_option_choice(given, options, "rounding") != ROUNDING_SOONER) {
        int64_t processors = 0;
        for (size_t t = 0; t < types; t++) {
            processors += counts[t];
        }
        *out = (duet_ratio){2 * processors - 1, 0, 0, processors};
    }
    return true;
}

typedef struct lst {
    const duet_instance *instance;
    const duet_context *context;
    duet_acceleration_order order; // two types
    duet_lst_vertex vertex;
} lst;

// Allocates every kind to a type that it fits on, to the CPUs where it fits on both. False where a
// kind fits nowhere.
static bool start(lst *state, int64_t lambda, int64_t work[2])
{
    const duet_instance *instance = state->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        bool on_cpu = duet_fits_within(instance, i, DUET_CPU, lambda);
        if (!on_cpu && !duet_fits_within(instance, i, DUET_GPU, lambda)) {
            return false;
        }
        size_t type = on_cpu ? DUET_CPU : DUET_GPU;
        work[type] += duet_time(instance, i, type) * duet_count(instance, i);
        duet_allocate_two(instance, &state->vertex.allocation, i,
                          on_cpu ? 0 : duet_count(instance, i));
    }
    return true;
}

// Whether the divided task goes to the CPUs: where the work per processor and the whole task add up
// to less than on the GPUs.
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

// Divides a kind so that both types have the same work per processor, and allocates its tasks: at
// most one of them is divided. False where that work is above lambda. `work` counts the kind on the
// CPUs.
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
        bool on_cpu = state->vertex.by_share ? k * step >= (m + k) * (gap % step)
                                             : sooner_on_cpu(instance, kind, apart);
        on_gpu += !on_cpu;
    }
    duet_allocate_two(instance, &state->vertex.allocation, kind, on_gpu);
    return true;
}

// Answers a guess on two types by the vertex in closed form: from an allocation with all tasks on
// the CPUs that fit there, the most accelerated go to the GPUs until both types have the same work
// per processor.
static void guess_two(lst *state, int64_t lambda, duet_answer *answer)
{
    const duet_instance *instance = state->instance;
    int64_t work[2] = {0, 0};
    duet_int128 m = instance->processors[DUET_CPU];
    duet_int128 k = instance->processors[DUET_GPU];
    if (!start(state, lambda, work)) {
        duet_refuse_by_weights(answer, lambda, 1, 1);
        return;
    }
    for (size_t at = state->order.flexible_begin; at < state->order.flexible_end; at++) {
        size_t kind = state->order.items[at].kind;
        int64_t p = duet_time(instance, kind, DUET_CPU);
        int64_t q = duet_time(instance, kind, DUET_GPU);
        int64_t count = duet_count(instance, kind);
        if (k * work[DUET_CPU] <= m * work[DUET_GPU]) {
            break; // before any kind has moved: the GPUs have more work per processor as it is
        }
        if (p == 0 || p > lambda || q > lambda) {
            continue;
        }
        if (k * (work[DUET_CPU] - p * count) <= m * (work[DUET_GPU] + q * count)) {
            answer->yes = divide(state, kind, lambda, work);
            if (!answer->yes) {
                duet_refuse_by_weights(answer, lambda, q, p);
            }
            return;
        }
        work[DUET_CPU] -= p * count;
        work[DUET_GPU] += q * count;
        duet_allocate_two(instance, &state->vertex.allocation, kind, count);
    }
    bool cpus_later = k == 0 || k * work[DUET_CPU] > m * work[DUET_GPU];
    answer->yes = cpus_later ? work[DUET_CPU] <= lambda * m : work[DUET_GPU] <= lambda * k;
    if (!answer->yes) {
        duet_refuse_by_weights(answer, lambda, cpus_later, !cpus_later);
    }
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    lst *state = opaque;
    if (state->instance->types == 2) {
        guess_two(state, lambda, answer);
        return DUET_OK;
    }
    return duet_lst_program(state->instance, state->context, lambda, &state->vertex, answer, error);
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    lst *state = opaque;
    return duet_schedule_longest_first(state->instance, &state->vertex.allocation, solution, error);
}

// The order that two types need, and the bound to start from.
static duet_code prepare_two(lst *state, duet_bound *bound, duet_error *error)
{
    DUET_TRY(duet_acceleration_order_create(state->instance, &state->order, error));
    return duet_first_bound(state->instance, &state->order, state->context, bound, error);
}

// The bound to start from on other numbers of types.
static duet_code prepare_any(lst *state, duet_bound *bound, duet_error *error)
{
    DUET_TRY(duet_longest_bound(state->instance, state->context, bound, error));
    duet_bound area = duet_area_estimate(state->instance);
    *bound = area.value >= bound->value ? area : *bound;
    return DUET_OK;
}

static duet_code prepare(lst *state, duet_bound *bound, duet_error *error)
{
    DUET_TRY(duet_allocation_create(state->instance, &state->vertex.allocation, error));
    return (state->instance->types == 2 ? prepare_two : prepare_any)(state, bound, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    lst state = {.instance = instance, .context = context};
    state.vertex.by_share =
        duet_option_choice(context->options, options, "rounding") != ROUNDING_SOONER;
    duet_bound bound;
    duet_code code = prepare(&state, &bound, error);
    if (code == DUET_OK) {
        duet_dual dual = {"lst", &state, guess, build};
        code = duet_dual_run(instance, context, &dual, &bound, solution, error);
    }
    if (code == DUET_OK && state.vertex.unproven) {
        solution->ratio_void = true;
    }
    duet_acceleration_order_free(&state.order);
    duet_allocation_free(&state.vertex.allocation);
    return code;
}

const duet_algorithm duet_algorithm_lst = {
    .entry = {.name = "lst",
              .summary = "dual approximation: a vertex of the linear program, rounded",
              .guarantee = "2; 2 - 1/M on M processors with rounding=share",
              .reference = "Lenstra, Shmoys, Tardos, Mathematical Programming 46, 1990",
              .handles = DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
    .pace = {.most_entries = 3000},
};
