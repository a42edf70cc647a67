// SPDX-License-Identifier: Apache-2.0
// Inside of branch and price (solvers/exact/branch_and_price/branch_and_price.h): the tree and what
// its parts share. Calls run one way: branch_and_price.c, split.c, tree.c, primal.c, branching.c,
// fixing.c, relaxation.c, nodes.c.
#ifndef DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_TREE_STATE_H
#define DUET_SOLVERS_EXACT_BRANCH_AND_PRICE_TREE_STATE_H

#include "lp/configuration/configuration.h"
#include "solvers/exact/branch_and_price/branch_and_price.h"
#include "solvers/exact/exchange.h"
#include "solvers/exact/parts.h"
#include "solvers/exact/pool/pool.h"
#include "solvers/exact/tuning.h"

// The numbers of a class before they were fixed or branched on.
typedef struct duet_tree_change {
    size_t class;
    int64_t low, high;
} duet_tree_change;

// What divides a node.
typedef enum duet_tree_branching {
    DUET_TREE_BY_CLASS, // at most `most` tasks of `class` on CPUs, or more
    DUET_TREE_BY_ROW,   // `count` is at most `most`, or more
    DUET_TREE_BY_AREA,  // nothing: one child, with what area fixes
    DUET_TREE_LEVELLED  // nothing: one child, with the patterns that are full enough
} duet_tree_branching;

// A node on the way down.
typedef struct duet_tree_node {
    // What it is.
    duet_prices prices;
    duet_tree_branching by;
    int children; // begun so far
    size_t taker; // the part that the second child is; 0: none
    int64_t most; // of the branch
    size_t class;
    duet_branching_count count;

    // What it changed, to be taken back.
    size_t changes;       // made before it
    int64_t after;        // leaves by its prices that follow what is below it
    size_t rows_before;   // branching rows over all patterns
    size_t counts_before; // branching rows over the pool
    bool makes_pool, narrows_pool;
    size_t pool_mark; // before the pool was narrowed

    // Where the children's programs begin.
    duet_pool_position solved;      // over the pool
    duet_configuration_start start; // over all patterns
    size_t bytes;                   // of the node
} duet_tree_node;

// What a part of a tree has of its own, and the first one from its caller.
typedef struct duet_tree_own {
    duet_residual state;
    duet_random random;
    duet_column_store store;
    duet_loads loads;
    duet_search_stats counted;
    duet_log log;
} duet_tree_own;

typedef struct duet_tree {
    duet_part part;

    // Inputs.
    duet_search *search;         // its own copy
    const duet_classes *classes; // of the search
    duet_residual *state;        // of the search
    duet_prices time[2];         // by time alone
    duet_exchange exchange;      // where the search has exchanges

    // Limits and counters.
    duet_tree_stats stats;
    size_t bytes;    // of the nodes on the way down
    int64_t decided; // nodes since the pool was levelled

    duet_tree_own own;
    duet_search copy; // that `search` is

    // The way down.
    bool fresh; // the node on top is not begun
    duet_tree_node *node;
    size_t nodes;
    duet_tree_change *change;
    size_t changes;

    // The relaxation over all patterns.
    duet_configuration *program; // the last one, until the state or its rows change; or NULL
    duet_branching_row *row;     // branching rows from before there was a pool
    size_t rows;
    duet_prices any_set; // prices that hold for any set of tasks, at nodes with rows or a pool

    // The relaxation over the pool.
    duet_pool *pool; // of the patterns that are left; NULL: not yet, they are too many
    double width;    // of the last prices: the slack in limits of the pool's type
    double too_wide; // of the last ones that left too many patterns
    bool levelled;   // the pool was narrowed by time alone

    // Workspace, per class.
    double *share;       // tasks on CPUs, in the last relaxation
    int64_t *allocation; // the last that was tried: tasks on CPUs
    int64_t *given;      // its tasks on the pool's type
    bool *counted;       // it is in the set that is branched on
} duet_tree;

static inline duet_tree_node *duet_tree_top(duet_tree *s)
{
    return &s->node[s->nodes - 1];
}

// A part of a tree (tree.c), which begins with everything that the search has.
duet_code duet_tree_create(const duet_search *search, duet_tree **out, duet_error *error);
void duet_tree_free(duet_part *part);
// What it took so far, in nodes that have a pool and all types decided.
int64_t duet_tree_spent(const duet_part *part);
duet_code duet_tree_walk(duet_part *part, int64_t most, duet_error *error);
// Begins the next child of the node on top.
duet_code duet_tree_descend(duet_tree *s, duet_error *error);

// Parts of it (split.c), as duet_part_kind says.
size_t duet_tree_open_depth(const duet_part *part);
size_t duet_tree_split_bytes(const duet_part *part, size_t depth);
duet_code duet_tree_split(duet_part *part, size_t depth, size_t taker, size_t seat, duet_part **out,
                          duet_error *error);

// The nodes (nodes.c).
duet_code duet_tree_push(duet_tree *s, duet_error *error);
void duet_tree_pop(duet_tree *s);
void duet_tree_free_node(duet_tree_node *at);
// Counts what the node on top takes from now on.
void duet_tree_count_bytes(duet_tree *s);
// Bytes for the nodes on the way down, for a pool, and for what is left of it further down.
size_t duet_tree_memory(const duet_tree *s);
// Gives a class other numbers for the node on top; and returns to what there was.
duet_code duet_tree_bound(duet_tree *s, size_t class, int64_t low, int64_t high, duet_error *error);
void duet_tree_return(duet_tree *s, size_t changes);
// Opens a branching row for the node on top.
duet_code duet_tree_open_row(duet_tree *s, duet_branching_count count, bool at_least, int64_t bound,
                             duet_error *error);

// The relaxation (relaxation.c) of the node on top, which is not the first: REFUTED by the node's
// prices, FOUND where it has shares to go on with, or OPEN.
duet_code duet_tree_relax(duet_tree *s, duet_verdict *verdict, duet_error *error);
// Solves the relaxation over all patterns, with the first `rows` branching rows.
duet_code duet_tree_relax_all(duet_tree *s, size_t rows, const duet_configuration_start *start,
                              duet_prices *prices, duet_verdict *verdict, duet_error *error);
// The program is about the rows and the state as they are: before either changes it has to go.
void duet_tree_forget_program(duet_tree *s);
// Brings the shares into the range of their classes.
void duet_tree_clamp_shares(duet_tree *s);
// Whether pools are of use: one type alone has patterns.
bool duet_tree_has_pool_type(const duet_tree *s);
// The share of a class on the pool's type, from that on CPUs; or the other way round.
double duet_tree_pool_share(const duet_tree *s, size_t class);

// What prices leave (fixing.c). A node with its pool, if it can have one, and with reduced-cost
// fixing.
duet_code duet_tree_narrow(duet_tree *s, duet_error *error);
duet_code duet_tree_fix(duet_tree *s, duet_error *error);
// What exchanges of two tasks fix, or refute (*refuted).
duet_code duet_tree_fix_by_exchange(duet_tree *s, bool *refuted, duet_error *error);
// The first node: what area alone fixes, or refutes (*leaf).
duet_code duet_tree_fix_by_area(duet_tree *s, bool *leaf, duet_verdict *verdict, duet_error *error);
// Narrows the pool to the patterns that are full enough for the node's allocation.
duet_code duet_tree_level(duet_tree *s, duet_error *error);
// The price of a task of a class on a type, branching rows included.
duet_int128 duet_tree_price(const duet_tree *s, const duet_prices *prices, size_t class,
                            size_t type);
// The tasks of at least some time, as what is counted of patterns.
duet_branching_count duet_tree_count_from(int64_t time);

// What to branch on (branching.c). The class that the relaxation divides most; SIZE_MAX: none.
size_t duet_tree_divided(const duet_tree *s);
// The undecided class with the least difference of prices; SIZE_MAX: all are decided.
size_t duet_tree_undecided(const duet_tree *s);
// Where few classes are undecided, the one with the greatest; SIZE_MAX: none is, or too many are.
size_t duet_tree_last_undecided(const duet_tree *s);
// Chooses a branching row for the node on top, or else a class: *class, at first the divided one.
duet_code duet_tree_choose(duet_tree *s, size_t *class, duet_error *error);
// Branches on what was chosen.
void duet_tree_branch(duet_tree *s, size_t class);

// Schedules (primal.c). Tries the allocation that the relaxation proposes: FOUND, or OPEN.
duet_code duet_tree_try_allocation(duet_tree *s, duet_verdict *verdict, duet_error *error);
// Dives now and then at nodes whose pool is levelled: FOUND, or REFUTED by what is below.
duet_code duet_tree_dive_levelled(duet_tree *s, duet_verdict *verdict, duet_error *error);

#endif
