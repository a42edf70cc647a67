// SPDX-License-Identifier: Apache-2.0
// min-min, max-min and sufferage where tasks have releases and processors are busy at first.
//
// Method:    as without them, but a round is about the tasks that are released by the instant at
//            which the first task that is left could start, and a task completes no earlier than
//            its time after its release. So no processor waits for a task while another one could
//            run there.
// Cost:      O(n Q kinds), refused where that is too much.
// Memory:    O(kinds + processors).
#include "heuristics/engine/rounds.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/processors.h"

#define MAX_LOOKS INT64_C(4000000000)

typedef struct rounds {
    const duet_instance *instance;
    duet_round_rule rule;
    bool later_first;
    duet_all_processors all;
    int64_t *left; // tasks of a kind
} rounds;

// A task of a kind on the type where it is complete first.
typedef struct candidate {
    size_t kind; // SIZE_MAX: none
    size_t type;
    int64_t end;
    int64_t loss; // without that processor
} candidate;

// When a task of a kind could start on a type, where `load` is the end of what its processor has.
static int64_t start_at(const rounds *s, size_t kind, int64_t load)
{
    int64_t release = duet_release(s->instance, kind);
    return duet_max(release, load);
}

// The instant at which the first task that is left could start.
static int64_t first_start(const rounds *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->instance->kinds; i++) {
        for (size_t t = 0; s->left[i] > 0 && t < s->instance->types; t++) {
            if (duet_allowed(s->instance, i, t)) {
                int64_t start = start_at(s, i, duet_processors_least(&s->all.of[t]));
                first = duet_min(start, first);
            }
        }
    }
    return first;
}

// The load of the second least loaded processor of a type; -1: there is none.
static int64_t second_load(const duet_processors *processors)
{
    int64_t second = processors->count > 1 ? processors->heap[1].load : -1;
    return processors->count > 2 ? duet_min(second, processors->heap[2].load) : second;
}

static candidate look_at(const rounds *s, size_t kind)
{
    candidate best = {.kind = kind, .end = INT64_MAX, .loss = INT64_MAX};
    int64_t other = INT64_MAX; // the earliest end elsewhere
    for (size_t t = 0; t < s->instance->types; t++) {
        if (!duet_allowed(s->instance, kind, t)) {
            continue;
        }
        int64_t time = duet_time(s->instance, kind, t);
        int64_t end = start_at(s, kind, duet_processors_least(&s->all.of[t])) + time;
        int64_t second = second_load(&s->all.of[t]);
        if (end < best.end || (end == best.end && s->later_first)) {
            other = duet_min(best.end, other);
            best.type = t;
            best.end = end;
        } else {
            other = duet_min(end, other);
        }
        if (second >= 0) {
            int64_t next = start_at(s, kind, second) + time;
            other = duet_min(next, other);
        }
    }
    best.loss = other < INT64_MAX ? other - best.end : INT64_MAX;
    return best;
}

static bool wins(const rounds *s, const candidate *one, const candidate *best)
{
    switch (s->rule) {
    case DUET_ROUND_FIRST:
        return best->kind == SIZE_MAX || one->end < best->end;
    case DUET_ROUND_LAST:
        return best->kind == SIZE_MAX || one->end > best->end;
    case DUET_ROUND_SUFFERING:
        break;
    }
    return best->kind == SIZE_MAX || one->loss > best->loss;
}

static void place(rounds *s, const candidate *chosen, duet_solution *solution)
{
    size_t kind = chosen->kind;
    int64_t task = s->instance->first[kind + 1] - s->left[kind]--;
    int64_t time = duet_time(s->instance, kind, chosen->type);
    duet_processors_start_from(&s->all.of[chosen->type], duet_release(s->instance, kind), time,
                               &solution->placement[task]);
}

// Returns how many tasks the round places.
static int64_t one_round(rounds *s, duet_solution *solution)
{
    candidate best[DUET_MAX_TYPES];
    int64_t now = first_start(s);
    int64_t placed = 0;
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        best[t].kind = SIZE_MAX;
    }
    for (size_t i = 0; i < s->instance->kinds; i++) {
        if (s->left[i] > 0 && duet_release(s->instance, i) <= now) {
            candidate one = look_at(s, i);
            candidate *of = &best[s->rule == DUET_ROUND_SUFFERING ? one.type : 0];
            *of = wins(s, &one, of) ? one : *of;
        }
    }
    for (size_t t = 0; t < s->instance->types; t++) {
        if (best[t].kind != SIZE_MAX) {
            place(s, &best[t], solution);
            placed++;
        }
    }
    DUET_ASSERT(placed > 0);
    return placed;
}

static duet_code run(rounds *s, const duet_context *context, duet_solution *solution,
                     duet_error *error)
{
    int64_t tasks = duet_tasks(s->instance);
    DUET_TRY(duet_all_processors_create_busy(s->instance, &s->all, error));
    s->left = duet_alloc(s->instance->kinds, sizeof *s->left, error);
    DUET_NEED(s->left);
    for (size_t i = 0; i < s->instance->kinds; i++) {
        s->left[i] = duet_count(s->instance, i);
    }
    for (int64_t placed = 0; placed < tasks;) {
        if (duet_context_stop(context)) {
            return duet_context_stop_error(context, error);
        }
        placed += one_round(s, solution);
    }
    return DUET_OK;
}

duet_code duet_released_rounds_run(const duet_instance *instance, const duet_context *context,
                                   duet_round_rule rule, bool later_first, duet_solution *solution,
                                   duet_error *error)
{
    duet_int128 looks = (duet_int128)duet_tasks(instance) * (int64_t)instance->kinds;
    if (looks * (int64_t)instance->types > MAX_LOOKS) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "with releases or busy processors the rule takes tasks times kinds "
                              "times types steps: expected at most %" PRId64 " of them",
                              MAX_LOOKS);
    }
    rounds s = {.instance = instance, .rule = rule, .later_first = later_first};
    duet_code code = run(&s, context, solution, error);
    duet_all_processors_free(&s.all);
    duet_free(s.left);
    return code;
}
