// SPDX-License-Identifier: Apache-2.0
// The text of a proof under way, in memory: lines are put at its end, and taken back where a search
// gives up what they belong to. The first failure sticks: a text that ran out of room or memory is
// lost, and what is written to it afterwards goes nowhere. The caller asks once, at the end.
#ifndef DUET_SOLVERS_PROOF_TEXT_H
#define DUET_SOLVERS_PROOF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of a number with the blank before it, at most.
enum { DUET_PROOF_NUMBER = 24 };

typedef struct duet_proof_writer {
    char *text;
    size_t length;
    size_t room;
    size_t limit; // bytes; beyond it the proof is given up
    bool lost;
} duet_proof_writer;

void duet_proof_writer_free(duet_proof_writer *writer);

// Makes room for `bytes` bytes more. Whether the text is there; if not, nothing may be put.
bool duet_proof_begin(duet_proof_writer *writer, size_t bytes);
// Into room that is there: a word, some bytes, and a number of at least 0 behind a blank.
void duet_proof_put(duet_proof_writer *writer, const char *text);
void duet_proof_put_text(duet_proof_writer *writer, const char *text, size_t length);
void duet_proof_put_number(duet_proof_writer *writer, int64_t value);

// Takes back what was put since the text had this length.
void duet_proof_rewind(duet_proof_writer *writer, size_t length);

#endif
