// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/tournament.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_tournament_create(size_t count, duet_tournament *tournament, duet_error *error)
{
    size_t leaves = 1;
    while (leaves < count) {
        leaves *= 2;
    }
    *tournament =
        (duet_tournament){duet_alloc(2 * leaves, sizeof *tournament->node, error), leaves, count};
    DUET_NEED(tournament->node);
    for (size_t i = count; i < leaves; i++) {
        tournament->node[leaves + i] = INT64_MAX;
    }
    for (size_t at = leaves; at-- > 1;) {
        int64_t left = tournament->node[2 * at];
        int64_t right = tournament->node[2 * at + 1];
        tournament->node[at] = duet_min(left, right);
    }
    return DUET_OK;
}

void duet_tournament_free(duet_tournament *tournament)
{
    duet_free(tournament->node);
    tournament->node = NULL;
}

void duet_tournament_copy(duet_tournament *to, const duet_tournament *from)
{
    DUET_ASSERT(to->leaves == from->leaves);
    memcpy(to->node, from->node, 2 * from->leaves * sizeof *from->node);
}
