// SPDX-License-Identifier: Apache-2.0
// The tree by several at once.
#include "solvers/exact/branch_and_price/branch_and_price.h"

#include "core/system/assert.h"
#include "core/system/try.h"
#include "solvers/exact/branch_and_price/tree_state.h"

static void rest(duet_part *part)
{
    duet_tree *tree = (duet_tree *)part;
    duet_pool_free(tree->pool);
    tree->pool = NULL;
}

static const duet_part_kind trees = {.walk = duet_tree_walk,
                                     .spent = duet_tree_spent,
                                     .open_depth = duet_tree_open_depth,
                                     .bytes = duet_tree_split_bytes,
                                     .split = duet_tree_split,
                                     .rest = rest,
                                     .drop = duet_tree_free};

// What the parts counted, and the schedule of the one that has it.
static void collect(const duet_parts *parts, duet_search *search, duet_tree_stats *stats)
{
    for (size_t i = 0; i < parts->count; i++) {
        const duet_tree *tree = (const duet_tree *)parts->part[i];
        stats->nodes += tree->stats.nodes;
        stats->pooled += tree->stats.pooled;
        stats->decided += tree->stats.decided;
        stats->wide = stats->wide || tree->stats.wide;
        if (i > 0) {
            duet_search_count(search->stats, &tree->own.counted);
        }
    }
    if (parts->found != NULL && parts->found != parts->part[0]) {
        duet_tree *tree = (duet_tree *)parts->found;
        duet_loads loads = *search->loads;
        *search->loads = tree->own.loads;
        tree->own.loads = loads;
    }
}

duet_code duet_branch_and_price(duet_search *search, int64_t most, duet_tree_stats *stats,
                                duet_error *error)
{
    duet_tree *first;
    duet_verdict verdict = DUET_OPEN;
    DUET_ASSERT(duet_search_is_whole(search));
    DUET_TRY(duet_tree_create(search, &first, error));
    duet_code code = duet_tree_push(first, error);
    duet_parts parts = {.kind = &trees,
                        .most = code == DUET_OK ? most * DUET_TREE_DECIDED : 0,
                        .alone = search->limits.divided ? 1 : DUET_TREE_ALONE,
                        .least = search->limits.divided ? 1 : DUET_TREE_QUANTUM,
                        .most_open = DUET_TREE_OPEN_ALLOCATIONS,
                        .most_bytes = duet_tree_memory(first)};
    if (code == DUET_OK) {
        code = duet_parts_run(&parts, &first->part, &verdict, error);
    } else {
        duet_tree_free(&first->part);
    }
    if (verdict == DUET_REFUTED) {
        duet_parts_gather_proof(&parts);
    }
    collect(&parts, search, stats);
    duet_parts_free(&parts);
    search->verdict = verdict;
    DUET_ASSERT(duet_search_is_whole(search));
    return code;
}
