// SPDX-License-Identifier: Apache-2.0
// The answer of the knapsack: the best state of the last list, and back through the lists to the
// allocation that reaches it.
#include <stdlib.h>

#include "core/assert.h"
#include "dp/knapsack/state.h"

// What the makespan is at least with the work of a state.
static int64_t makespan_of(const duet_knapsack *problem, const work_state *s)
{
    int64_t makespan = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t processors = problem->classes->processors[t];
        if (processors > 0) {
            int64_t rounded = s->work[t] / processors + (s->work[t] % processors != 0);
            makespan = rounded > makespan ? rounded : makespan;
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

// Tasks of a class on the CPUs when none has left its cheaper type.
static int64_t at_first(const duet_knapsack *problem, size_t class)
{
    if (problem->fixed != NULL) {
        return problem->fixed[class];
    }
    return duet_knapsack_cheaper(problem, class) == 0 ? problem->classes->tasks[class] : 0;
}

// Walks back through the lists from a final state.
static void trace(const duet_knapsack *problem, work_state at, int64_t *on_cpu)
{
    const duet_classes *classes = problem->classes;
    for (size_t c = 0; c < classes->count; c++) {
        on_cpu[c] = at_first(problem, c);
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

// The best state of the last list.
static void conclude(const duet_knapsack *problem, int64_t *on_cpu, duet_knapsack_answer *answer)
{
    const work_state *best = NULL;
    for (size_t i = problem->begin[problem->free_count]; i < problem->count; i++) {
        const work_state *s = &problem->states[i];
        if (s->work[0] > problem->capacity[0] || s->work[1] > problem->capacity[1]) {
            continue;
        }
        if (best == NULL || makespan_of(problem, s) < makespan_of(problem, best)) {
            best = s;
        }
    }
    answer->fits = best != NULL;
    if (best != NULL) {
        answer->guess = makespan_of(problem, best);
        if (on_cpu != NULL) {
            trace(problem, *best, on_cpu);
        }
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
