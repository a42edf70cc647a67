// SPDX-License-Identifier: Apache-2.0
// The walk through the tree of a proof, and the table of all kinds of node. Includes no solver
// header: this is what an outsider trusts.
//
// Method: the state is that of the node under way. A node with children is kept open on a stack.
// When a child is proven, its changes of the state are taken back through the journal, and the next
// child is entered. When the last one is, the node itself is proven, and so on upwards.
#include "check/proof/tree/walk.h"

#include "check/proof/text.h"
#include "check/proof/tree/nodes.h"
#include "core/system/assert.h"
#include "core/system/try.h"

enum { MAX_ARGUMENTS = 5 };

// A kind of node. enter and leave may be NULL: leaves have no children, and not all have to tidy
// up.
typedef struct node_kind {
    const char *keyword;
    duet_proof_argument arguments[MAX_ARGUMENTS + 1]; // with the end of the line
    duet_proof_begin *begin;
    duet_proof_enter *enter;
    duet_proof_leave *leave;
} node_kind;

static const node_kind kinds[DUET_NODE_KINDS] = {
    [DUET_NODE_NOWHERE] = {"nowhere", {DUET_LINE_CLASS}, duet_proof_nowhere_begin, NULL, NULL},
    [DUET_NODE_PRICE] = {"price", {DUET_LINE_VECTOR}, duet_proof_price_begin, NULL, NULL},
    [DUET_NODE_KNAPSACK] = {"knapsack", {DUET_LINE_VECTOR}, duet_proof_knapsack_begin, NULL, NULL},
    [DUET_NODE_BRANCH] = {"branch",
                          {DUET_LINE_BRANCH_TYPE, DUET_LINE_CLASS, DUET_LINE_SPLIT, DUET_LINE_MORE},
                          duet_proof_branch_begin,
                          duet_proof_branch_enter,
                          NULL},
    [DUET_NODE_LIST] = {"list",
                        {DUET_LINE_VECTOR, DUET_LINE_TYPE, DUET_LINE_PATTERNS},
                        duet_proof_list_begin,
                        duet_proof_list_enter,
                        duet_proof_list_leave},
    [DUET_NODE_COUNT] = {"count",
                         {DUET_LINE_TYPE, DUET_LINE_TASKS, DUET_LINE_PATTERN_SPLIT,
                          DUET_LINE_CLASSES, DUET_LINE_MORE},
                         duet_proof_count_begin,
                         duet_proof_count_enter,
                         duet_proof_count_leave},
    [DUET_NODE_COVER] = {"cover",
                         {DUET_LINE_VECTOR, DUET_LINE_TYPE, DUET_LINE_CLASS, DUET_LINE_CHILDREN},
                         duet_proof_cover_begin,
                         duet_proof_cover_enter,
                         duet_proof_cover_leave},
};

duet_proof_kind duet_proof_find_kind(const char *keyword)
{
    int kind = 0;
    while (kind < DUET_NODE_KINDS && !duet_proof_same_word(keyword, kinds[kind].keyword)) {
        kind++;
    }
    return (duet_proof_kind)kind;
}

const duet_proof_argument *duet_proof_arguments(duet_proof_kind kind)
{
    return kinds[kind].arguments;
}

// Into the child under way of the deepest open node.
static duet_code enter(duet_proof_tree *tree, duet_error *error)
{
    const duet_proof_frame *frame = &tree->frame[tree->depth - 1];
    DUET_ASSERT(frame->next < frame->children && frame->mark == tree->state.changes);
    return kinds[frame->kind].enter(tree, frame, error);
}

// The node under way is proven: goes on to the next child of the deepest node that has one.
static duet_code close_node(duet_proof_tree *tree, duet_error *error)
{
    while (tree->depth > 0) {
        duet_proof_frame *frame = &tree->frame[tree->depth - 1];
        duet_proof_state_undo(&tree->state, frame->mark);
        if (++frame->next < frame->children) {
            return enter(tree, error);
        }
        if (kinds[frame->kind].leave != NULL) {
            kinds[frame->kind].leave(tree, frame);
        }
        tree->depth--;
    }
    tree->done = true;
    return DUET_OK;
}

// Before each node: whether one may come, and now and then whether to stop.
static duet_code count_node(duet_proof_tree *tree, duet_error *error)
{
    if (tree->done) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a node after the last: expected 'end', the tree is complete");
    }
    tree->nodes++;
    if ((int64_t)tree->depth >= tree->deepest) {
        tree->deepest = (int64_t)tree->depth + 1;
    }
    enum { NODE = 64, STEP = 4 }; // units of a node, and of what it looks at
    int64_t units = NODE + STEP * (int64_t)(tree->work - tree->spent);
    tree->spent = tree->work;
    DUET_TRY(tree->nodes % 1024 == 0 ? duet_proof_check_memory(tree, error) : DUET_OK);
    return duet_check_spend(tree->watch, units, error);
}

duet_code duet_proof_visit(duet_proof_tree *tree, const duet_proof_node *node, duet_error *error)
{
    const node_kind *kind = &kinds[node->kind];
    duet_code code = count_node(tree, error);
    if (code != DUET_OK) {
        return code;
    }
    if (kind->enter == NULL) {
        code = kind->begin(tree, node, NULL, error);
        return code == DUET_OK ? close_node(tree, error) : code;
    }
    duet_proof_frame frame = {.kind = node->kind,
                              .type = node->type,
                              .class = (size_t)node->class,
                              .split = node->split,
                              .more_first = node->more_first,
                              .vector = (size_t)node->vector};
    DUET_TRY(kind->begin(tree, node, &frame, error));
    if (frame.children == 0) {
        return close_node(tree, error);
    }
    DUET_TRY(duet_proof_push(tree, &frame, error));
    return enter(tree, error);
}

duet_code duet_proof_begin_alone(duet_proof_tree *tree, duet_error *error)
{
    return count_node(tree, error);
}

duet_code duet_proof_end_alone(duet_proof_tree *tree, duet_error *error)
{
    return close_node(tree, error);
}
