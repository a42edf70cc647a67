// SPDX-License-Identifier: Apache-2.0
// The tree of a proof as the checker walks through it: the nodes that are open, and what they
// share.
//
// A file of check/proof calls only those before it in this order:
//   text           reads words and numbers of the file
//   model          the classes of the instance within the guess
//   subject        which types are one, and how many classes there are
//   core_knapsack  whether any set of tasks that fits is priced above a limit
//   vector         price vectors
//   state          the residual problem of the node under way
//   pricing        the pricing problem of a vector and a type
//   patterns       enumerates patterns
//   pool           pattern pools of covers
//   knapsack       divides work between the types
//   tree           the open nodes, their vectors and stacks, and the memory they take
//   rows           the branching rows that are open, and the node `count`, which opens one
//   slack          demand and slack of the state under way
//   list           the listed patterns, and the node `list`, which lists them
//   cover          the node `cover`
//   leaves         the nodes `nowhere`, `price`, `knapsack`, and `branch`
//   walk           the table of all kinds of node, and the walk from node to node
//   proof          reads a proof and walks
#ifndef DUET_CHECK_PROOF_TREE_TREE_H
#define DUET_CHECK_PROOF_TREE_TREE_H

#include "check/proof/tree/pool.h"

#define DUET_PROOF_NO_FRAME SIZE_MAX

typedef enum duet_proof_kind {
    DUET_NODE_COVER,
    DUET_NODE_PRICE,
    DUET_NODE_BRANCH,
    DUET_NODE_LIST,
    DUET_NODE_COUNT,
    DUET_NODE_KNAPSACK,
    DUET_NODE_NOWHERE,
    DUET_NODE_KINDS
} duet_proof_kind;

// A node as the file states it. What its kind does not have is 0.
typedef struct duet_proof_node {
    duet_proof_kind kind;
    int type;
    int64_t vector;
    int64_t class;
    int64_t tasks;          // of a count: h, the tasks that make a pattern count
    int64_t split;          // of a branch or a count: a
    int64_t size;           // N: the children of a cover, the patterns of a list
    bool more_first;        // of a branch or a count: the child with more comes first
    const int64_t *classes; // of a count; borrowed
    size_t class_count;
} duet_proof_node;

// What the covers by one vector on one type share.
typedef struct duet_proof_covering {
    duet_proof_pricing *pricing; // NULL: not made, or given up for memory
    duet_proof_pool *pool;       // the narrowest of the open nodes; NULL: none
    size_t last;                 // the deepest open cover
    size_t first;                // the first open cover below the pool's own: the next pool's
} duet_proof_covering;

// A vector of the proof.
typedef struct duet_proof_priced {
    duet_proof_vector vector;
    duet_proof_covering *covering; // per type
    // The open node where its limits of listed patterns were held against them, and its serial.
    size_t held_frame;
    uint64_t held_serial; // 0: nowhere
    // Where a limit holds for the state that the vector stands at: the open nodes above that, and
    // the child of the last of them that the state is.
    size_t depth;
    uint64_t serial;
    int64_t child;
} duet_proof_priced;

// The listed patterns of a type, from its first open `list` on. The patterns of each open list are
// a stretch of `pick`.
typedef struct duet_proof_listing {
    bool open;
    duet_proof_item *item;
    size_t *first;   // per pattern of the first list: where its items begin; one more at the end
    size_t patterns; // of the first list
    size_t bytes;
    uint32_t *pick; // the patterns of the open lists
    size_t picks;
    size_t from; // where those of the last list begin; they end at `picks`
} duet_proof_listing;

// A branching row: over the processors of a type, it sums what their patterns count. A pattern
// counts 1 where it has at least `tasks` tasks of some classes; where `tasks` is 0, it counts these
// tasks.
typedef struct duet_proof_row {
    int type;
    int64_t tasks;
    bool *has;     // per class
    bool at_least; // the sum is at least the bound; else at most
    int64_t bound;
    size_t covers; // that were open: below a further cover it sums over other processors
} duet_proof_row;

// The demand of a state by a vector.
typedef struct duet_proof_known {
    size_t key; // the vector's number + 1; 0: nothing is known
    duet_int128 demand;
} duet_proof_known;
enum { DUET_PROOF_KNOWN = 4 };

// The tasks of a child of a cover whose patterns are its own.
typedef struct duet_proof_child {
    size_t first;
    size_t length;
} duet_proof_child;

// What only a cover has.
typedef struct duet_proof_cover_frame {
    const duet_proof_pool *pool; // where the children are from; NULL: patterns of its own
    duet_proof_pool *made;       // the pool of this node's scope, NULL: none
    size_t above;                // the cover above by the same vector on the same type
    size_t pick_mark;            // where its own begin in `pick`, `child`, `item` and `bits`
    size_t child_mark;
    size_t item_mark;
    size_t bit_mark;
    int64_t slack;     // its own, and its scope's
    uint64_t work;     // done before it
    uint64_t patience; // work below it before its own pool is tried
} duet_proof_cover_frame;

// What only a list has.
typedef struct duet_proof_list_frame {
    bool is_first; // of its type
    size_t from;   // where the list above begins
    size_t mark;   // where the list above ends
} duet_proof_list_frame;

// An open node: one with children to come.
typedef struct duet_proof_frame {
    duet_proof_kind kind;
    uint64_t serial; // no other node has the same
    int type;        // cover, list, count
    size_t class;    // branch, cover
    int64_t split;   // branch, count: a
    size_t mark;     // changes of the state when the node was met
    int64_t children;
    int64_t next;                             // the child under way
    duet_proof_known known[DUET_PROOF_KNOWN]; // of the node's own state
    int turn;                                 // index in `known` of the entry that is replaced next
    bool more_first;                          // branch, count
    size_t vector;                            // cover, list
    duet_proof_cover_frame cover;
    duet_proof_list_frame list;
} duet_proof_frame;

typedef struct duet_proof_tree {
    const duet_proof_model *model;
    duet_watch *watch;
    size_t memory_limit; // bytes
    // The walk:
    duet_proof_state state; // of the node under way
    duet_proof_frame *frame;
    size_t depth;
    bool done; // the root is proven
    int64_t nodes;
    int64_t deepest;
    uint64_t opened; // nodes with children so far
    // Vectors:
    duet_proof_priced *priced;
    size_t vectors;
    size_t vector_bytes; // of their prices
    // Listed patterns and branching rows:
    duet_proof_listing listing[DUET_MAX_TYPES]; // per type
    duet_proof_row *row;                        // the open ones
    size_t rows;
    size_t *priced_row; // those that the vector whose patterns are looked at has prices of
    size_t priced_rows;
    // Covers, and the stacks of the open ones:
    size_t covers; // that are open
    uint32_t *pick;
    size_t picks;
    duet_proof_child *child;
    size_t children;
    duet_proof_item *item;
    size_t items;
    uint64_t *bits;
    size_t bit_words;
    // Enumeration:
    duet_proof_patterns patterns;
    size_t pricing_bytes; // of all pricing problems
    size_t pool_bytes;    // of all pools
    uint64_t work;        // patterns looked at and steps taken
    uint64_t spent;       // of that work
    uint64_t *seen;       // per class: the question it was last asked in
    uint64_t question;
} duet_proof_tree;

// A tree with its root to come. Free it whatever comes back. DUET_E_MEMORY.
duet_code duet_proof_tree_init(duet_proof_tree *tree, const duet_proof_model *model,
                               size_t memory_limit, duet_watch *watch, duet_error *error);
void duet_proof_tree_free(duet_proof_tree *tree);

// Adds a vector, which the tree then owns. DUET_E_MEMORY; it is the caller's then.
duet_code duet_proof_tree_add_vector(duet_proof_tree *tree, const duet_proof_vector *vector,
                                     duet_error *error);

// DUET_E_INPUT unless there is such a vector, or class.
duet_code duet_proof_check_vector(const duet_proof_tree *tree, int64_t vector, duet_error *error);
duet_code duet_proof_check_class(const duet_proof_tree *tree, int64_t class, duet_error *error);

// Makes the pricing problem of a vector and a type where it is not there. All of them together keep
// to a quarter of the memory. DUET_E_MEMORY, or what the watch says.
duet_code duet_proof_require_pricing(duet_proof_tree *tree, size_t vector, int type,
                                     duet_error *error);

// DUET_E_LIMIT where the tree takes more than its memory.
duet_code duet_proof_check_memory(const duet_proof_tree *tree, duet_error *error);

// Whether the child under way of a branch or a count is the one with more.
static inline bool duet_proof_is_more(const duet_proof_frame *frame)
{
    return (frame->next > 0) != frame->more_first;
}

// Puts an open node below the deepest one, and gives it a serial. DUET_E_MEMORY.
duet_code duet_proof_push(duet_proof_tree *tree, const duet_proof_frame *frame, duet_error *error);

#endif
