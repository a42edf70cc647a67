// SPDX-License-Identifier: Apache-2.0
// Algorithm: accel-published.
// Method:    binary search on a guess lambda. Tasks of at most lambda/2 on a CPU start there (C2),
//            the longer ones on the GPUs (G1); more than k + m of those: the guess is rejected.
//            Both sets are in order of decreasing p - q. At most m + 1 times, while the CPU work
//            exceeds m lambda + lambda/2 or the GPU work exceeds k lambda + lambda/2: while the GPU
//            work is at most k lambda, the first of C2 moves to the GPUs; then, with less than m
//            tasks moved so far, the first of G1 of at most lambda on a CPU moves there. Works that
//            still exceed: rejected. Then longest tasks first on each type.
//            That is the text as printed, kept to be refuted. Where it is silent: a task forbidden
//            on a type (or without processors there) stays on the other and is not counted in G1;
//            tasks that are slower on a GPU are treated like all.
// Guarantee: none. The paper's 3/2 for accelerated tasks does not hold: a task longer than lambda/2
//            on a CPU may be short on a GPU, so that k + m does not limit how many there are (three
//            tasks p = 100, q = 1 on 1 + 1: optimum 3, answer 300); and decreasing p - q does not
//            leave least CPU work. A rejected guess proves nothing, so that the algorithm claims no
//            bound. shelf-3-2 repairs it.
// Cost:      O(kinds + m + k) per guess, O(kinds log kinds + min(n, runs) log(m + k)) besides.
// Memory:    O(kinds + min(n, runs)).
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27(6), 2015, section 4.

#include "core/instance/acceleration.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/longest_first.h"
#include "lp/area/area.h"
#include "solvers/solvers.h"

// A position in the order of kinds, with the tasks of that kind that may still move.
typedef struct cursor {
    size_t at;
    int64_t left;
} cursor;

typedef struct accel {
    const duet_instance *instance;
    duet_ordered *order; // by decreasing p - q
    duet_allocation allocation;
    int64_t lambda;
    duet_int128 cpu_work, gpu_work;
} accel;

static bool both(const accel *state, size_t kind)
{
    return duet_allowed(state->instance, kind, DUET_CPU) &&
           duet_allowed(state->instance, kind, DUET_GPU);
}

static bool is_long(const accel *state, size_t kind)
{
    int64_t p = duet_time(state->instance, kind, DUET_CPU);
    return p > state->lambda - p; // 2 p > lambda
}

// Whether tasks of the kind may move: from C2 (from the CPUs), or from G1.
static bool movable(const accel *state, size_t kind, bool from_cpu)
{
    return both(state, kind) && is_long(state, kind) != from_cpu &&
           (from_cpu || duet_time(state->instance, kind, DUET_CPU) <= state->lambda);
}

// Goes on to the next kind with tasks that may move; false at the end.
static bool ready(const accel *state, cursor *next, bool from_cpu)
{
    while (next->left == 0 && next->at < state->instance->kinds) {
        size_t kind = state->order[next->at].kind;
        if (movable(state, kind, from_cpu)) {
            next->left = duet_count(state->instance, kind);
        } else {
            next->at++;
        }
    }
    return next->left > 0;
}

static void move(accel *state, cursor *next, size_t to, int64_t tasks)
{
    size_t kind = state->order[next->at].kind;
    int64_t to_gpu = to == DUET_GPU ? tasks : -tasks;
    state->allocation.share[2 * kind + DUET_CPU] -= to_gpu;
    state->allocation.share[2 * kind + DUET_GPU] += to_gpu;
    state->cpu_work -= (duet_int128)to_gpu * duet_time(state->instance, kind, DUET_CPU);
    state->gpu_work += (duet_int128)to_gpu * duet_time(state->instance, kind, DUET_GPU);
    next->left -= tasks;
    next->at += next->left == 0;
}

// The allocation to begin with. Returns the number of tasks in G1.
static int64_t allocate(accel *state)
{
    const duet_instance *instance = state->instance;
    int64_t in_g1 = 0;
    state->cpu_work = 0;
    state->gpu_work = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t count = duet_count(instance, i);
        bool flexible = both(state, i);
        bool on_gpu = flexible ? is_long(state, i) : duet_allowed(instance, i, DUET_GPU);
        in_g1 += flexible && on_gpu ? count : 0;
        state->allocation.share[2 * i + DUET_CPU] = on_gpu ? 0 : count;
        state->allocation.share[2 * i + DUET_GPU] = on_gpu ? count : 0;
        if (on_gpu) {
            state->gpu_work += (duet_int128)count * duet_time(instance, i, DUET_GPU);
        } else {
            state->cpu_work += (duet_int128)count * duet_time(instance, i, DUET_CPU);
        }
    }
    return in_g1;
}

// Whether a type's work exceeds (processors + 1/2) lambda.
static bool exceeds(const accel *state, size_t type)
{
    duet_int128 work = type == DUET_CPU ? state->cpu_work : state->gpu_work;
    return 2 * work > (duet_int128)state->lambda * (2 * state->instance->processors[type] + 1);
}

static bool too_much(const accel *state)
{
    return exceeds(state, DUET_CPU) || exceeds(state, DUET_GPU);
}

// "While the GPU work is at most k lambda, assign the first task of C2 to the GPUs." Returns
// whether there was one.
static bool fill_gpus(accel *state, cursor *c2)
{
    bool moved = false;
    duet_int128 room = (duet_int128)state->lambda * state->instance->processors[DUET_GPU];
    while (state->gpu_work <= room && ready(state, c2, true)) {
        int64_t q = duet_time(state->instance, state->order[c2->at].kind, DUET_GPU);
        duet_int128 starts = q == 0 ? c2->left : (room - state->gpu_work) / q + 1;
        move(state, c2, DUET_GPU, starts < c2->left ? (int64_t)starts : c2->left);
        moved = true;
    }
    return moved;
}

static bool accepts(accel *state, int64_t lambda)
{
    const int64_t *processors = state->instance->processors;
    state->lambda = lambda;
    if (allocate(state) > processors[DUET_CPU] + processors[DUET_GPU]) {
        return false;
    }
    cursor c2 = {0, 0};
    cursor g1 = {0, 0};
    int64_t in_c1 = 0;
    bool moved = true; // false: no further round would move anything
    for (int64_t round = 0; round <= processors[DUET_CPU] && too_much(state) && moved; round++) {
        moved = fill_gpus(state, &c2);
        if (in_c1 < processors[DUET_CPU] && ready(state, &g1, false)) {
            move(state, &g1, DUET_CPU, 1);
            in_c1++;
            moved = true;
        }
    }
    return !too_much(state);
}

// Doubles the step until a guess is accepted, then bisects as if the answers were monotone. The
// allocation of the smallest accepted guess is left in the state.
static duet_code search(accel *state, const duet_context *context, int64_t lower,
                        duet_solution *solution, duet_error *error)
{
    int64_t guesses = 1;
    int64_t low = lower; // smallest guess not rejected
    int64_t high = lower;
    for (int64_t step = 1; !accepts(state, high); step *= 2, guesses++) {
        if (duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        if (high >= DUET_MAX_WORK) {
            return duet_error_set(error, DUET_E_INTERNAL, "accel-published: no guess accepted");
        }
        low = high + 1;
        high = high > DUET_MAX_WORK - step ? DUET_MAX_WORK : high + step;
    }
    for (; low < high && !duet_context_stop(context); guesses++) {
        int64_t middle = low + (high - low) / 2;
        if (accepts(state, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    solution->interrupted = low < high;
    accepts(state, high);
    duet_solution_count(solution, "guesses", guesses);
    duet_solution_count(solution, "lambda", high);
    return DUET_OK;
}

static duet_ordered *order_by_gain(const duet_instance *instance, duet_error *error)
{
    duet_ordered *order = duet_alloc(instance->kinds, sizeof *order, error);
    if (order == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        // Kinds that may run on one type never move. The difference of the others is within 2^62
        // of 0.
        bool flexible = duet_allowed(instance, i, DUET_CPU) && duet_allowed(instance, i, DUET_GPU);
        int64_t gain =
            flexible ? duet_time(instance, i, DUET_CPU) - duet_time(instance, i, DUET_GPU) : 0;
        order[i] = (duet_ordered){(uint64_t)gain + (uint64_t)DUET_MAX_WORK, i};
    }
    if (duet_order_by_key(order, instance->kinds, error) != DUET_OK) {
        duet_free(order);
        return NULL;
    }
    return order;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    accel state = {.instance = instance};
    duet_bound bound;
    duet_code code = duet_first_bound(instance, NULL, context, &bound, error);
    DUET_THEN(code, duet_allocation_create(instance, &state.allocation, error));
    if (code == DUET_OK) {
        state.order = order_by_gain(instance, error);
        code = state.order == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    DUET_THEN(code, search(&state, context, bound.value, solution, error));
    DUET_THEN(code, duet_schedule_longest_first(instance, &state.allocation, solution, error));
    duet_free(state.order);
    duet_allocation_free(&state.allocation);
    return code;
}

const duet_algorithm duet_algorithm_accel_published = {
    .entry = {.name = "accel-published",
              .summary =
                  "a published 3/2 for accelerated tasks that does not hold; kept to be refuted",
              .reference = "Bleuse et al., CCPE 27(6), 2015, section 4"},
    .run = run,
    .makes_runs = true,
};
