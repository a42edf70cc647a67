// SPDX-License-Identifier: Apache-2.0
// The answer of the knapsack: the least makespan of the states of the last list, and from the most
// hopeful of them back through the lists to the allocation that reaches it.
#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "dp/knapsack/knapsack_state.h"

// What the makespan is at least with the work of a state.
static int64_t makespan_of(const duet_knapsack *problem, const work_state *s)
{
    int64_t makespan = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t processors = problem->classes->processors[t];
        if (processors > 0) {
            int64_t rounded = s->work[t] / processors + (s->work[t] % processors != 0);
            makespan = duet_max(rounded, makespan);
        }
    }
    return makespan;
}

static bool in_list(const duet_knapsack *problem, size_t begin, size_t end,
                    const work_state *wanted)
{
    return bsearch(wanted, problem->states + begin, end - begin, sizeof *wanted,
                   duet_knapsack_by_work) != NULL;
}

// Walks back through the lists from a final state.
static void trace(const duet_knapsack *problem, work_state at, int64_t *on_cpu)
{
    const duet_classes *classes = problem->classes;
    for (size_t c = 0; c < classes->count; c++) {
        on_cpu[c] = duet_knapsack_at_first(problem, c);
    }
    for (size_t i = problem->free_count; i-- > 0;) {
        const free_class *f = &problem->free[i];
        size_t away = 1 - f->cheaper;
        bool found = false;
        for (int64_t y = 0; y <= f->most && !found; y++) {
            work_state before = at;
            before.work[f->cheaper] += classes->time[f->cheaper][f->class] * y;
            before.work[away] -= classes->time[away][f->class] * y;
            found = in_list(problem, problem->begin[i], problem->begin[i + 1], &before);
            if (found) {
                on_cpu[f->class] += f->cheaper == 0 ? -y : y;
                at = before;
            }
        }
        DUET_ASSERT(found);
    }
}

// Of the states of the last list that fit.
static void conclude(const duet_knapsack *problem, int64_t *on_cpu, duet_knapsack_answer *answer)
{
    const work_state *chosen = NULL;
    knapsack_holding of[2];
    duet_knapsack_measure(problem, of);
    for (size_t i = problem->begin[problem->free_count]; i < problem->count; i++) {
        const work_state *s = &problem->states[i];
        if (s->work[0] > problem->capacity[0] || s->work[1] > problem->capacity[1]) {
            continue;
        }
        int64_t makespan = makespan_of(problem, s);
        double hope = on_cpu != NULL ? duet_knapsack_hope(problem, of, s) : 0;
        answer->guess = chosen == NULL || makespan < answer->guess ? makespan : answer->guess;
        if (chosen == NULL || hope > answer->hope) {
            chosen = s;
            answer->hope = hope;
        }
    }
    answer->fits = chosen != NULL;
    if (chosen != NULL && on_cpu != NULL) {
        trace(problem, *chosen, on_cpu);
    }
}

duet_code duet_knapsack_answer_from(duet_knapsack *problem, const work_state *root, int64_t *on_cpu,
                                    duet_knapsack_answer *answer, duet_error *error)
{
    bool within;
    duet_code code = duet_knapsack_extend_all(problem, root, &within, error);
    answer->states = problem->count;
    answer->exceeded = !within;
    if (code == DUET_OK && within) {
        conclude(problem, on_cpu, answer);
    }
    return code;
}
