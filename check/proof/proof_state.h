// SPDX-License-Identifier: Apache-2.0
// A proof of a search while it is read: what its file (proof.c) and the items of its tree (items.c)
// share.
#ifndef DUET_CHECK_PROOF_PROOF_STATE_H
#define DUET_CHECK_PROOF_PROOF_STATE_H

#include "check/proof/graph/graph.h"
#include "check/proof/text.h"
#include "check/proof/tree/model.h"
#include "check/proof/tree/walk.h"

typedef struct duet_proof_level {
    duet_proof_model model;
    duet_proof_tree tree;
} duet_proof_level;

// The first failure stands in `text`, which reads nothing after it.
typedef struct duet_proof_check {
    const duet_instance *instance;
    duet_watch *watch;
    duet_proof_text text;
    duet_proof_level level[2]; // the instance, and below a node `alone` one type of it
    duet_proof_model *model;   // of the level under way
    duet_proof_tree *tree;
    bool is_proof;                 // the file says that it is one
    bool is_graph;                 // it is about a task graph: lines instead of a tree
    bool is_moved;                 // and that graph is the moved instance (core/instance/moved.h)
    int64_t bound;                 // of the file
    duet_proof_graph_counts lines; // of a proof about a task graph
    int64_t *numbers;              // of a line: one per class and type
    int64_t inner_vectors;         // of trees below nodes `alone`
    duet_error why;                // what failed in a node or a vector, without a line of the file
} duet_proof_check;

// Reads an item of a tree, with its first word taken: a vector, or a node, which it visits.
void duet_proof_read_item(duet_proof_check *check, const char *word);

// subject.c
// Of the line "types Q a b ...", its word taken: the numbers that the types of the platform have in
// the proof.
void duet_proof_read_types(duet_proof_text *text, duet_proof_subject *subject);

// Of the line "classes N", its word taken, perhaps with "within G": makes the model. `subject` has
// instance, guess and types.
void duet_proof_read_classes(duet_proof_text *text, duet_proof_subject *subject,
                             duet_proof_model *model, duet_watch *watch);

#endif
