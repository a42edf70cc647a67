// SPDX-License-Identifier: Apache-2.0
// What a proof says of its subject before its tree: which types of the platform it takes for one,
// and how many classes it has.
#ifndef DUET_CHECK_PROOF_TREE_SUBJECT_H
#define DUET_CHECK_PROOF_TREE_SUBJECT_H

#include "check/proof/text.h"
#include "check/proof/tree/model.h"

// Of the line "types Q a b ...", its word taken: the numbers that the types of the platform have in
// the proof.
void duet_proof_read_types(duet_proof_text *text, duet_proof_subject *subject);

// Of the line "classes N", its word taken, perhaps with "within G": makes the model. `subject` has
// instance, guess and types.
void duet_proof_read_classes(duet_proof_text *text, duet_proof_subject *subject,
                             duet_proof_model *model, duet_watch *watch);

#endif
