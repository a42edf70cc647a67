// SPDX-License-Identifier: Apache-2.0
// The walk through the tree of a proof: the nodes that are open, and what they share.
#ifndef DUET_CHECK_PROOF_TREE_H
#define DUET_CHECK_PROOF_TREE_H

#include "check/proof/pool.h"

#define DUET_PROOF_NO_FRAME SIZE_MAX

// What covers by one vector on one type share.
typedef struct duet_proof_pricing {
    duet_proof_tariff *tariff; // NULL: not made, or given up for memory
    duet_proof_pool *pool;     // the narrowest of the open nodes; NULL: none
    size_t last;               // the deepest open cover
    size_t first;              // the first open cover below the pool's own, where the next may be
} duet_proof_pricing;

typedef struct duet_proof_priced {
    duet_proof_vector vector;
    duet_proof_pricing pricing[DUET_PROOF_TYPES];
    // Where its limits of listed patterns were held against them: an open node of that number.
    size_t held_frame;
    uint64_t held_serial; // 0: nowhere
} duet_proof_priced;

// The patterns that a processor of a type may still hold, from the first open `list` of the type
// on. Each open list is a stretch of `pick`.
typedef struct duet_proof_listing {
    bool open;
    duet_proof_item *item;
    size_t *first;   // per pattern of the first list: where its items begin; one more at the end
    size_t patterns; // of the first list
    size_t bytes;
    uint32_t *pick; // the patterns of the open lists
    size_t picks;
    size_t pick_capacity;
    size_t from; // where those of the last one begin; they end at `picks`
} duet_proof_listing;

// What a state's tasks fetch at least by a vector.
typedef struct duet_proof_known {
    size_t key; // the vector's number + 1; 0: nothing is known
    duet_int128 need;
} duet_proof_known;
enum { DUET_PROOF_KNOWN = 4 };

// Tasks of a child of a cover whose list is its own.
typedef struct duet_proof_child {
    size_t first;
    size_t length;
} duet_proof_child;

// A node with children to come.
typedef struct duet_proof_frame {
    bool is_cover;
    bool is_list;
    bool is_count;
    uint64_t serial; // no other node has the same
    int type;        // cover, list, count
    size_t class;    // branch, cover
    int64_t split;   // branch, count: a
    size_t mark;     // changes of the state when the node was met
    int64_t children;
    int64_t next;                             // the child under way
    duet_proof_known known[DUET_PROOF_KNOWN]; // of the node's own state
    int turn;                                 // which of them goes next
    // Covers:
    size_t vector;
    const duet_proof_pool *pool; // where the children are from; NULL: a list of their own
    duet_proof_pool *made;       // the pool of this node's scope, NULL: none
    size_t above;                // the cover above by the same vector on the same type
    size_t pick_mark;            // where its own begin in `pick`, `child`, `item` and `bits`
    size_t child_mark;
    size_t item_mark;
    size_t bit_mark;
    int64_t budget;    // and its scope's budget
    uint64_t work;     // done before it
    uint64_t patience; // work below it before its own pool is tried
    // Lists:
    bool is_first;    // of its type
    size_t list_from; // where the list above begins
    size_t list_mark; // and ends
} duet_proof_frame;

typedef struct duet_proof_tree {
    const duet_proof_model *model;
    const duet_context *context;
    size_t memory_limit; // bytes
    duet_proof_state state;
    duet_proof_priced *priced;
    size_t vectors;
    size_t vector_capacity;
    size_t vector_bytes; // of their prices
    duet_proof_frame *frame;
    size_t depth;
    size_t frame_capacity;
    bool done; // the root is proven
    int64_t nodes;
    int64_t deepest;
    uint64_t opened; // nodes with children so far
    duet_proof_listing listing[DUET_PROOF_TYPES];
    struct duet_proof_count *count; // the open ones
    size_t counts;
    size_t count_capacity;
    size_t *priced_count; // those that the vector has prices of whose patterns are looked at
    size_t priced_counts;
    size_t priced_count_capacity;
    size_t covers; // that are open
    // Stacks of the open covers.
    uint32_t *pick;
    size_t picks;
    size_t pick_capacity;
    duet_proof_child *child;
    size_t children;
    size_t child_capacity;
    duet_proof_item *item;
    size_t items;
    size_t item_capacity;
    uint64_t *bits;
    size_t bit_words;
    size_t bit_capacity;
    // For enumeration.
    duet_proof_patterns patterns;
    size_t tariff_bytes; // of all tariffs
    size_t pool_bytes;   // of all pools
    uint64_t work;       // patterns looked at and steps taken
    uint64_t *seen;      // per class: the question it was last asked in
    uint64_t question;
} duet_proof_tree;

static inline size_t duet_proof_list_bytes(const duet_proof_listing *listing)
{
    return listing->bytes + listing->pick_capacity * sizeof *listing->pick;
}

// A bound of what the processors of a type hold: of the patterns with at least so many tasks of
// some classes, or at 0 `tasks` of those tasks themselves, there are at most or at least so many.
typedef struct duet_proof_count {
    int type;
    int64_t tasks;
    bool *has; // per class
    bool at_least;
    int64_t bound;
    size_t covers; // that were open: below a cover it is about other processors
} duet_proof_count;

// A tree with its root to come. Free it whatever comes back.
duet_code duet_proof_tree_init(duet_proof_tree *tree, const duet_proof_model *model,
                               const duet_context *context, duet_error *error);
void duet_proof_tree_free(duet_proof_tree *tree);

// Adds a vector, which the tree then owns. DUET_E_MEMORY; it is the caller's then.
duet_code duet_proof_tree_add_vector(duet_proof_tree *tree, const duet_proof_vector *vector,
                                     duet_error *error);

// The next node in preorder. Each is DUET_OK where the node proves its state, or its children will;
// DUET_E_INPUT where it does not. Errors also: DUET_E_MEMORY, DUET_E_LIMIT, DUET_E_CANCELLED.
duet_code duet_proof_nowhere(duet_proof_tree *tree, int64_t class, duet_error *error);
duet_code duet_proof_price(duet_proof_tree *tree, int64_t vector, duet_error *error);
duet_code duet_proof_divide(duet_proof_tree *tree, int64_t vector, duet_error *error);
duet_code duet_proof_branch(duet_proof_tree *tree, int64_t class, int64_t split, duet_error *error);
duet_code duet_proof_cover(duet_proof_tree *tree, int64_t vector, int type, int64_t class,
                           int64_t children, duet_error *error);
duet_code duet_proof_list(duet_proof_tree *tree, int64_t vector, int type, int64_t patterns,
                          duet_error *error);

// `classes` are those counted.
duet_code duet_proof_count_patterns(duet_proof_tree *tree, int type, int64_t tasks, int64_t split,
                                    const int64_t *classes, size_t count, duet_error *error);

// Within the walk:

// Before each node: whether one may come, and now and then whether to stop.
duet_code duet_proof_begin(duet_proof_tree *tree, duet_error *error);
// DUET_E_INPUT unless there is such a vector, or class.
duet_code duet_proof_check_vector(const duet_proof_tree *tree, int64_t vector, duet_error *error);
duet_code duet_proof_check_class(const duet_proof_tree *tree, int64_t class, duet_error *error);
// B: what the processors left can fetch less what the tasks left fetch at least.
duet_int128 duet_proof_budget(duet_proof_tree *tree, size_t vector);
// The vector's tariff of a type, made where it is not there. DUET_E_MEMORY, or what the context
// says.
duet_code duet_proof_need_tariff(duet_proof_tree *tree, size_t vector, int type, duet_error *error);
// DUET_E_INPUT unless the vector's limits hold for what processors may hold in this state: those
// that say so are held against the listed patterns.
duet_code duet_proof_hold(duet_proof_tree *tree, size_t vector, duet_error *error);
// What the open counts add to what processors can fetch by a vector, which has prices of no others.
duet_int128 duet_proof_relief(const duet_proof_tree *tree, const duet_proof_vector *vector);
// Whether a vector has prices of counts for a type whose limit holds without them: these change
// what the tasks have to fetch.
bool duet_proof_counts_tasks(const duet_proof_tree *tree, const duet_proof_vector *vector);
// The least that all that is left can fetch by such a vector.
duet_int128 duet_proof_counted_need(const duet_proof_tree *tree, const duet_proof_vector *vector);
// What a count counts of a pattern.
static inline int64_t duet_proof_counted(const duet_proof_count *count, const duet_proof_item *item,
                                         size_t length)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < length; i++) {
        tasks += count->has[item[i].class] ? item[i].count : 0;
    }
    return count->tasks == 0 ? tasks : tasks >= count->tasks;
}
// Into a child of a count; out of a count, and of a tree.
void duet_proof_count_enter(duet_proof_tree *tree, const duet_proof_frame *frame);
void duet_proof_count_leave(duet_proof_tree *tree);
// Out of a list, and of a tree.
void duet_proof_list_leave(duet_proof_tree *tree, const duet_proof_frame *frame);
void duet_proof_lists_free(duet_proof_tree *tree);
// Opens a node whose children come next, and goes into the first. DUET_E_MEMORY.
duet_code duet_proof_open(duet_proof_tree *tree, const duet_proof_frame *frame, duet_error *error);
// The node is proven: goes on to the next child of the deepest node that has one.
duet_code duet_proof_close(duet_proof_tree *tree, duet_error *error);
// Into the child of a cover that is under way; out of the cover, with all that is its own.
duet_code duet_proof_cover_enter(duet_proof_tree *tree, const duet_proof_frame *frame,
                                 duet_error *error);
void duet_proof_cover_leave(duet_proof_tree *tree, size_t index);

#endif
