// SPDX-License-Identifier: Apache-2.0
// The text of a proof under way, in memory: lines are put at its end, and taken back where a search
// gives up what they belong to. The first failure sticks: a text that ran out of room or memory is
// lost, and what is written to it afterwards goes nowhere. The caller asks once, at the end.
#ifndef DUET_SOLVERS_PROOF_TEXT_H
#define DUET_SOLVERS_PROOF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/solution/certificate.h"
#include "core/system/output.h"

// Bytes of a number with the blank before it, at most.
enum { DUET_PROOF_NUMBER = 24 };

typedef struct duet_proof_writer {
    char *text;
    size_t length;
    size_t room;
    size_t limit; // bytes; beyond it the proof is given up
    bool lost;
} duet_proof_writer;

// Room for the headers of a proof about a graph.
enum { DUET_PROOF_HEADERS = 192 };

// What a proof about a graph is of.
typedef struct duet_proof_graph_claim {
    int64_t bound;
    int64_t tasks;
    int64_t edges;
    bool moved; // The graph is a moved instance (core/instance/moved.h): the proof is about the one
                // that it was made of, whose bound is a tick less.
} duet_proof_graph_claim;

// Writes the headers into DUET_PROOF_HEADERS bytes. Their length.
size_t duet_proof_graph_headers(const duet_proof_graph_claim *claim, char *text);
// Makes of lines that prove a bound of a moved instance those that prove it of the one that it was
// made of. DUET_E_MEMORY, DUET_E_LIMIT.
duet_code duet_proof_moved_lines(const duet_proof_lines *lines, const duet_proof_lines **out,
                                 duet_error *error);
// Writes lines about a graph, as those where that is a moved instance, and puts the file in place.
duet_code duet_proof_lines_write(const duet_proof_lines *lines, bool moved, duet_output *output,
                                 duet_error *error);

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
