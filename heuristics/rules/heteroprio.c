// SPDX-License-Identifier: Apache-2.0
// Algorithm: heteroprio.
// Method:    discrete-event simulation. Tasks queue by decreasing acceleration factor, of equal
//            ones by falling priority from factor 1 on, by rising one below; an idle GPU takes the
//            first, an idle CPU the last. When the queue is empty, an idle
//            processor *spoliates*: among the tasks running on the other type, latest completion
//            first, it restarts one that it would finish earlier; the work done there is lost and
//            recorded as aborted. At equal times GPUs act before CPUs, lower processors first.
//            With spoliation=false nothing is taken over: S_NS of the paper, with T_FirstIdle as
//            the counter first_idle, in ticks.
//            On other numbers of types each has a queue of its own, by acceleration against the
//            best alternative. Independent tasks: heteroprio_types.c. On task graphs:
//            heteroprio_graph.c.
// Guarantee: with spoliation (1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1) and (1,k); 2+sqrt(2)
//            elsewhere. 2 - 1/m on identical processors, where it is list scheduling. None on more
//            than two types, none on task graphs.
// Cost:      O(kinds log kinds + (n + m + k) log(m + k)) time, O(kinds + m + k) memory. On Q types
//            with m processors O(Q^2 kinds log kinds + (n + Q m) Q log m) time, O(Q (kinds + m))
//            memory, and O(Q n) more where types run out of tasks early.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, algorithm 1, section 5.

#include "core/instance/available.h"
#include "core/options.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/heteroprio_graph.h"
#include "heuristics/rules/heteroprio_types.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    {.name = "rank",
     .type = DUET_OPTION_CHOICE,
     .fallback = "min",
     .choices = "min|avg|given",
     .unit = "",
     .text = "on task graphs: rank by bottom levels of shortest or of mean times, or by the "
             "priorities of the instance"},
    {.name = "ties",
     .type = DUET_OPTION_CHOICE,
     .fallback = "highest",
     .choices = "highest|published",
     .unit = "",
     .text = "on task graphs, at equal acceleration: all take the highest rank, or as published, "
             "GPUs the first and CPUs the last of one queue"},
    {.name = "spoliation",
     .type = DUET_OPTION_BOOLEAN,
     .fallback = "true",
     .unit = "",
     .text = "whether an idle processor takes over a task that another type runs"},
    {.name = NULL}};

enum { RANK_MIN, RANK_AVG, RANK_GIVEN };

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, given, out)) {
        return true;
    }
    if (types != 2 || !duet_option_boolean(given, options, "spoliation")) {
        return false;
    }
    if (counts[0] == 1 && counts[1] == 1) {
        *out = (duet_ratio){1, 1, 5, 2};
    } else if (counts[0] == 1 || counts[1] == 1) {
        *out = (duet_ratio){3, 1, 5, 2};
    } else {
        *out = (duet_ratio){2, 1, 2, 1};
    }
    return true;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_code code;
    bool keeps = !duet_option_boolean(context->options, options, "spoliation");
    if (instance->graph != NULL || context->reality != NULL || !duet_is_available(instance)) {
        int rank = duet_option_choice(context->options, options, "rank");
        duet_heteroprio_choices choices = {
            .rank = rank == RANK_AVG ? DUET_LEVEL_MEAN : DUET_LEVEL_LEAST,
            .given = rank == RANK_GIVEN || instance->graph == NULL,
            .ties = (duet_heteroprio_ties)duet_option_choice(context->options, options, "ties"),
            .keeps = keeps};
        code = duet_heteroprio_graph(instance, context, &choices, solution, error);
    } else {
        code = duet_heteroprio_types(instance, keeps, solution, error);
    }
    duet_solution_count(solution, "spoliations", (int64_t)solution->aborted_count);
    return code;
}

const duet_algorithm duet_algorithm_heteroprio = {
    .entry = {.name = "heteroprio",
              .summary = "each type takes what it accelerates most; then spoliation",
              .guarantee = "(1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1); else 2+sqrt(2)",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017",
              .needs = DUET_NEEDS_TWO_TYPES_WITH_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = ratio,
    .run = run,
    .online = true,
};
