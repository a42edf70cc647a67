// SPDX-License-Identifier: Apache-2.0
// A search tree by several at once, with the same answer and proof for any number of threads.
//
// Method:    the tree begins as one part. All parts go on for a quantum of counted work
//            (core/system/counted.h), which grows with the tree; then those that have ended make
//            room for parts of others: the second child of the outermost node of which nobody has
//            begun it. There are as many parts at once whatever the threads.
// Guarantee: that of the parts: FOUND by the first that has, REFUTED where all are.
// Reference: ramp-up and load balancing in Ralphs, Ladányi, Saltzman, "Parallel branch, cut, and
//            price for large-scale discrete optimization", Mathematical Programming 98, 2003, here
//            at fixed points of counted work.
#ifndef DUET_SOLVERS_EXACT_PARTS_H
#define DUET_SOLVERS_EXACT_PARTS_H

#include "solvers/exact/search.h"

enum { DUET_PARTS = 16 }; // parts at once

// Where the nodes of another part belong in the proof.
typedef struct duet_part_gap {
    size_t length; // of the log by then
    size_t taker;  // the part
} duet_part_gap;

// A part of a tree: the first member of what its kind knows of it.
typedef struct duet_part {
    bool ended;           // there is nothing left to do
    duet_verdict verdict; // what came of a part that has ended
    duet_code code;       // of the last walk
    duet_error error;
    int64_t open;      // leaves of this part that were neither refuted nor scheduled
    int64_t elsewhere; // such leaves of other parts, as of the last exchange
    duet_log *log;     // NULL: there is none
    duet_part_gap *gap;
    size_t gaps;
    size_t seat; // below DUET_PARTS: no other part that has not ended has it
} duet_part;

// What parts of a kind do.
typedef struct duet_part_kind {
    // Goes on until the part has ended or has spent so much.
    duet_code (*walk)(duet_part *part, int64_t most, duet_error *error);
    int64_t (*spent)(const duet_part *part);
    // The depth of the outermost node that can be divided; SIZE_MAX: there is none.
    size_t (*open_depth)(const duet_part *part);
    // The bytes that a part of it takes, about.
    size_t (*bytes)(const duet_part *part, size_t depth);
    // Makes a part of the second child of that node. It is number `taker` and has the seat.
    duet_code (*split)(duet_part *part, size_t depth, size_t taker, size_t seat, duet_part **out,
                       duet_error *error);
    // What a part that has ended needs no more.
    void (*rest)(duet_part *part);
    void (*drop)(duet_part *part);
} duet_part_kind;

typedef struct duet_parts {
    // The caller's.
    const duet_part_kind *kind;
    int64_t most; // that all parts may spend
    int64_t most_open;
    int64_t alone; // counted work before the first is divided: small trees are not
    int64_t least; // counted work of each between two exchanges, at least
    size_t most_bytes;

    // The parts, as they were made; the first is the caller's.
    duet_part **part;
    size_t count;
    duet_part *found; // the one that has a schedule

    int64_t done;    // counted work
    int64_t quantum; // of it, that each does between two exchanges
    size_t working[DUET_PARTS];
    size_t workers;
    int64_t until[DUET_PARTS];
    size_t bytes;
} duet_parts;

// Frees `first` in the end, with the others (duet_parts_free()), whatever comes back.
duet_code duet_parts_run(duet_parts *parts, duet_part *first, duet_verdict *verdict,
                         duet_error *error);
// After DUET_REFUTED: puts the proof of all parts together, in the log of the first.
void duet_parts_gather_proof(const duet_parts *parts);
void duet_parts_free(duet_parts *parts);

#endif
