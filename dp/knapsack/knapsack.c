// SPDX-License-Identifier: Apache-2.0
// The integer knapsack over both types: creation, release, and what is asked of its lists.
#include "dp/knapsack/knapsack.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack_state.h"

void duet_knapsack_free_lists(duet_knapsack *problem)
{
    if (problem != NULL) {
        duet_free(problem->free);
        duet_free(problem->begin);
        duet_free(problem->states);
        duet_free(problem->spans);
        duet_free(problem->fixed);
        duet_free(problem);
    }
}

static duet_code solve(const duet_classes *classes, const int64_t weight[2], int64_t *on_cpu,
                       duet_knapsack *problem, duet_knapsack_answer *answer, duet_error *error)
{
    work_state root;
    problem->classes = classes;
    problem->weight[0] = weight[0];
    problem->weight[1] = weight[1];
    duet_int128 slack = duet_knapsack_allocate_cheapest(problem, &root);
    if (slack < 0) {
        return DUET_OK;
    }
    problem->free = duet_alloc(classes->count, sizeof *problem->free, error);
    problem->begin = duet_alloc(classes->count + 1, sizeof *problem->begin, error);
    DUET_NEED(problem->free != NULL && problem->begin != NULL);
    duet_knapsack_find_free(problem, slack);
    return duet_knapsack_answer_from(problem, &root, on_cpu, answer, error);
}

static duet_code create(const duet_classes *classes, const int64_t weight[2],
                        const duet_context *context, int64_t *on_cpu, duet_knapsack **out,
                        duet_knapsack_answer *answer, duet_error *error)
{
    *out = NULL;
    *answer = (duet_knapsack_answer){.fits = false};
    if (classes->nowhere != SIZE_MAX) {
        return DUET_OK;
    }
    duet_knapsack *problem = duet_alloc(1, sizeof *problem, error);
    DUET_NEED(problem);
    problem->context = context;
    duet_code code = solve(classes, weight, on_cpu, problem, answer, error);
    if (code == DUET_OK && answer->fits) {
        *out = problem;
    } else {
        duet_knapsack_free_lists(problem);
    }
    return code;
}

duet_code duet_knapsack_create(const duet_classes *classes, const int64_t weight[2],
                               duet_knapsack **out, duet_knapsack_answer *answer, duet_error *error)
{
    return create(classes, weight, NULL, NULL, out, answer, error);
}

duet_code duet_knapsack_decide(const duet_classes *classes, const int64_t weight[2],
                               const duet_context *context, int64_t *on_cpu,
                               duet_knapsack_answer *answer, duet_error *error)
{
    duet_knapsack *problem;
    duet_code code = create(classes, weight, context, on_cpu, &problem, answer, error);
    duet_knapsack_free_lists(problem);
    return code;
}

size_t duet_knapsack_free_count(const duet_knapsack *problem)
{
    return problem->free_count;
}

duet_knapsack_free duet_knapsack_free_at(const duet_knapsack *problem, size_t index)
{
    const free_class *f = &problem->free[index];
    return (duet_knapsack_free){f->class, f->cheaper, f->most};
}

// In a list the CPU work grows and the GPU work falls: of the states whose CPU work fits, the last
// has the least GPU work.
bool duet_knapsack_can_fit(const duet_knapsack *problem, size_t index, const int64_t work[2])
{
    DUET_ASSERT(index <= problem->free_count);
    size_t low = problem->begin[index];
    size_t end = index < problem->free_count ? problem->begin[index + 1] : problem->count;
    size_t high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((duet_int128)problem->states[middle].work[0] + work[0] <= problem->capacity[0]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > problem->begin[index] &&
           (duet_int128)problem->states[low - 1].work[1] + work[1] <= problem->capacity[1];
}
