// SPDX-License-Identifier: Apache-2.0
// Reads what a proof is about, from its lines "types" and "classes". Includes no solver header:
// this is what an outsider trusts.
#include "check/proof/proof_state.h"

#include <inttypes.h>

void duet_proof_read_types(duet_proof_text *text, duet_proof_subject *subject)
{
    int64_t types = duet_proof_text_number(text, "the number of types of the proof");
    if (types < 1 || types > DUET_MAX_TYPES) {
        duet_proof_text_fail(text, "%" PRId64 " types: expected 1 to %d", types, DUET_MAX_TYPES);
        return;
    }
    subject->types = (int)types;
    for (size_t t = 0; t < subject->instance->types; t++) {
        int64_t into = duet_proof_text_number(text, "a number for each type of the platform");
        subject->into[t] = into < types ? (int)into : -1;
        if (into > types || (into == types && subject->instance->processors[t] > 0)) {
            duet_proof_text_fail(text,
                                 "type %zu as %" PRId64 ": expected 0 to %" PRId64 ", or %" PRId64
                                 " where it has no processors",
                                 t, into, types - 1, types);
            return;
        }
    }
    duet_proof_text_finish(text);
}

// "within G", or nothing: the guess
static int64_t read_within(duet_proof_text *text, int64_t guess)
{
    if (!duet_proof_text_more(text)) {
        return guess;
    }
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(text, word, "'within' or the end of the line");
    if (!duet_proof_same_word(word, "within")) {
        duet_proof_text_fail(text, "expected 'within' or the end of the line, found '%s'", word);
    }
    int64_t within = duet_proof_text_number(text, "the longest time that tells classes apart");
    if (within < guess) {
        duet_proof_text_fail(text, "classes within %" PRId64 ": expected at least %" PRId64, within,
                             guess);
    }
    return within;
}

void duet_proof_read_classes(duet_proof_text *text, duet_proof_subject *subject,
                             duet_proof_model *model, duet_watch *watch)
{
    int64_t classes = duet_proof_text_number(text, "the number of classes");
    subject->within = read_within(text, subject->guess);
    duet_proof_text_finish(text);
    if (!duet_proof_text_ok(text)) {
        return;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_proof_text_place(text, duet_proof_model_of(model, subject, watch, &why), &why);
    if ((uint64_t)classes != model->classes) {
        duet_proof_text_fail(text,
                             "%" PRId64 " classes: expected %zu, as the instance has within "
                             "%" PRId64 " ticks",
                             classes, model->classes, subject->within);
    }
}
