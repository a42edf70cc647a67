// SPDX-License-Identifier: Apache-2.0
// The search as an improvement of a schedule that another algorithm made; search.h says how long.
#include "core/system/try.h"
#include "heuristics/graph_search/search.h"
#include "heuristics/graph_search/tuning.h"

duet_code duet_graph_search_improve(const duet_instance *instance, const duet_context *context,
                                    int64_t target, duet_solution *solution,
                                    duet_improved *improved, duet_error *error)
{
    duet_graph_search *search;
    *improved = (duet_improved){.before = duet_solution_measure(solution, instance)};
    improved->after = improved->before;
    duet_graph_search_plan plan = {
        .rounds = context->deadline_ns == INT64_MAX ? DUET_GRAPH_SEARCH_IMPROVING_ROUNDS : 0,
        .fixed = context->deadline_ns == INT64_MAX,
        .shortest = target,
        .lower_bound = solution->lower_bound,
        .phase = "improve"};
    DUET_TRY(duet_graph_search_create(instance, context, &search, error));
    duet_code code = duet_graph_search_offer(search, solution, error);
    DUET_THEN(code, duet_graph_search_run(search, context, &plan, error));
    if (code == DUET_OK && duet_graph_search_best(search) < improved->before) {
        code = duet_graph_search_write(search, solution, error);
    }
    if (code == DUET_OK) {
        improved->after = duet_graph_search_best(search);
        improved->exchanges = duet_graph_search_moves(search);
        improved->stopped = duet_context_stop(context) && improved->after > target;
    }
    duet_graph_search_free(search);
    return code;
}
