// SPDX-License-Identifier: Apache-2.0
// Algorithm: min-min.
// Method:    again and again, of the tasks that are left the one that could be complete first, on
//            the processor where it would be. Equal completions: the first task in list order; on
//            several types GPU before CPU (option ties). Any number of types.
//            Releases and busy processors: engine/released_rounds.h.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling, shortest first.
// Cost:      O(Q kinds + n (Q + log m)) time, O(Q kinds + m) memory: on each type the task that
//            would be complete first is the shortest one left there, by an order made once.
// Reference: Ibarra, Kim, "Heuristic algorithms for scheduling independent tasks on nonidentical
//            processors", J. ACM 24(2), 1977 (heuristic D); the name: Maheswaran, Ali, Siegel,
//            Hensgen, Freund, J. Parallel and Distributed Computing 59(2), 1999.

#include "core/instance/available.h"
#include "core/instance/order.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/rounds.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, {.name = NULL}};

// The kinds that may run on a type, shortest first.
typedef struct queue {
    duet_ordered *item;
    size_t count;
    size_t next; // kinds before it have no task left
} queue;

typedef struct min_min {
    const duet_instance *instance;
    duet_all_processors all;
    queue queue[DUET_MAX_TYPES];
    int64_t *left; // tasks of each kind
    bool later_first;
} min_min;

static duet_code fill_queue(min_min *state, size_t type, duet_error *error)
{
    const duet_instance *instance = state->instance;
    queue *q = &state->queue[type];
    q->item = duet_alloc(instance->kinds, sizeof *q->item, error);
    DUET_NEED(q->item);
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_allowed(instance, i, type)) {
            uint64_t time = (uint64_t)duet_time(instance, i, type);
            q->item[q->count++] = (duet_ordered){UINT64_MAX - time, i};
        }
    }
    return duet_order_by_key(q->item, q->count, error);
}

static duet_code create(min_min *state, const duet_context *context, duet_error *error)
{
    const duet_instance *instance = state->instance;
    DUET_TRY(duet_memory_check(instance->kinds, instance->types * sizeof(duet_ordered),
                               context->memory_limit, "an order per type", error));
    state->left = duet_alloc(instance->kinds, sizeof *state->left, error);
    DUET_TRY(state->left == NULL ? DUET_E_MEMORY
                                 : duet_all_processors_create(instance, &state->all, error));
    for (size_t i = 0; i < instance->kinds; i++) {
        state->left[i] = duet_count(instance, i);
    }
    for (size_t t = 0; t < instance->types; t++) {
        DUET_TRY(fill_queue(state, t, error));
    }
    return DUET_OK;
}

static void destroy(min_min *state)
{
    for (size_t t = 0; t < state->instance->types; t++) {
        duet_free(state->queue[t].item);
    }
    duet_all_processors_free(&state->all);
    duet_free(state->left);
}

// The type and kind of the task that could be complete first.
static size_t choose(min_min *state, size_t *kind)
{
    size_t best = 0;
    int64_t earliest = INT64_MAX;
    *kind = SIZE_MAX;
    for (size_t t = 0; t < state->instance->types; t++) {
        queue *q = &state->queue[t];
        while (q->next < q->count && state->left[q->item[q->next].kind] == 0) {
            q->next++;
        }
        if (q->next == q->count) {
            continue;
        }
        size_t shortest = q->item[q->next].kind;
        int64_t finish =
            duet_processors_least(&state->all.of[t]) + duet_time(state->instance, shortest, t);
        bool wins = finish < earliest || (finish == earliest && shortest < *kind);
        if (wins || (finish == earliest && shortest == *kind && state->later_first)) {
            best = t;
            earliest = finish;
            *kind = shortest;
        }
    }
    return best;
}

static duet_code place_all(min_min *state, const duet_context *context, duet_solution *solution,
                           duet_error *error)
{
    enum { between_looks = 4096 };
    const duet_instance *instance = state->instance;
    int64_t tasks = duet_tasks(instance);
    for (int64_t placed = 0; placed < tasks; placed++) {
        if (placed % between_looks == 0 && duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        size_t kind;
        size_t type = choose(state, &kind);
        DUET_ASSERT(kind != SIZE_MAX && state->left[kind] > 0);
        int64_t task = instance->first[kind + 1] - state->left[kind]--;
        duet_processors_start(&state->all.of[type], duet_time(instance, kind, type),
                              &solution->placement[task]);
    }
    return DUET_OK;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    min_min state = {
        .instance = instance,
        .later_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU,
    };
    if (!duet_is_available(instance)) {
        return duet_released_rounds_run(instance, context, DUET_ROUND_FIRST, state.later_first,
                                        solution, error);
    }
    duet_code code = create(&state, context, error);
    DUET_THEN(code, place_all(&state, context, solution, error));
    destroy(&state);
    return code;
}

const duet_algorithm duet_algorithm_min_min = {
    .entry = {.name = "min-min",
              .summary = "of all tasks the one that is complete first, where it is",
              .reference = "Ibarra, Kim, J. ACM 24(2), 1977",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_list,
    .run = run,
    .pace = {.most_tasks = 100000, .most_entries = 100000},
};
