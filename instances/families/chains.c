// SPDX-License-Identifier: Apache-2.0
// Family chains: n tasks in chains of equal length, nothing between them.
#include "instances/families/graph.h"

static const duet_option_spec options[] = {{"chains", DUET_OPTION_INTEGER, "10", 1,
                                            DUET_FAMILY_GRAPH_MAX_TASKS, NULL, "",
                                            "how many chains"},
                                           DUET_FAMILY_GRAPH_OPTIONS,
                                           {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

void duet_chains_join(duet_family_draft *draft, int64_t chains)
{
    for (int64_t j = chains; j < draft->tasks && draft->code == DUET_OK; j++) {
        duet_family_draft_join(draft, j - chains, j);
    }
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_family_draft draft = duet_family_draft_begin(request, builder, "chains", error);
    duet_chains_join(&draft, duet_family_integer(request, "chains"));
    return duet_family_draft_end(&draft);
}

const duet_family duet_family_chains = {
    {.name = "chains",
     .summary = "task graphs: chains of equal length",
     .reference = "",
     .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
     .options = options},
    DUET_FAMILY_GRAPH_TASKS,
    DUET_FAMILY_GRAPH_MAX_TASKS,
    generate,
    NULL};
