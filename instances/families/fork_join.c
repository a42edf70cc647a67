// SPDX-License-Identifier: Apache-2.0
// Family fork-join: a task forks into many, which join in one, which forks again.
#include "instances/families/graph.h"

static const duet_option_spec options[] = {{"width", DUET_OPTION_INTEGER, "20", 1,
                                            DUET_FAMILY_GRAPH_MAX_TASKS, NULL, "",
                                            "tasks between a fork and its join"},
                                           DUET_FAMILY_GRAPH_OPTIONS,
                                           {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

void duet_fork_join(duet_family_draft *draft, int64_t width)
{
    int64_t stage = width + 1;
    for (int64_t j = 1; j < draft->tasks && draft->code == DUET_OK; j++) {
        int64_t fork = (j - 1) / stage * stage;
        if (j % stage != 0 && j < draft->tasks - 1) {
            duet_family_draft_join(draft, fork, j);
            continue;
        }
        for (int64_t i = fork + 1; i < j; i++) { // a join, or the last task of all
            duet_family_draft_join(draft, i, j);
        }
        if (fork + 1 == j) {
            duet_family_draft_join(draft, fork, j);
        }
    }
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_family_draft draft = duet_family_draft_begin(request, builder, "fork-join", error);
    duet_fork_join(&draft, duet_family_integer(request, "width"));
    return duet_family_draft_end(&draft);
}

const duet_family duet_family_fork_join = {
    {.name = "fork-join",
     .summary = "task graphs: forks and joins, one stage after another",
     .reference = "",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
     .options = options},
    DUET_FAMILY_GRAPH_TASKS,
    DUET_FAMILY_GRAPH_MAX_TASKS,
    generate,
    NULL};
