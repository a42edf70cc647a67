// SPDX-License-Identifier: Apache-2.0
// The collapsed table, V(c, g, N): the least work on the minimised type V over all allocations of
// the first steps with at most c counted on V, at most g on the rounded type R, at most N units on
// R. A step is a task, or several copies of one that move together. "At most" means that a table
// before any step is 0 everywhere and that the answer is one corner.
//
// Each layer keeps only a box of cells. Full boxes are the whole table. Trimmed boxes keep what the
// corner can still see: at most the remaining steps below the capacity, and at most what the steps
// so far can fill, beyond which nothing changes. So an axis no step before has moved along is one
// cell wide, and ordering the steps by class stages the table: steps that are small on both types
// need N alone, and only those counted on both need all three axes.
#ifndef DUET_DP_TABLE_STEPS_H
#define DUET_DP_TABLE_STEPS_H

#include "dp/table/kernel.h"
#include "dp/table/problem.h"

// What one step does on either type; a type it cannot run on is out.
typedef struct duet_step {
    int64_t value;  // work on V
    int64_t weight; // units on R
    int64_t c;      // count on V
    int64_t g;      // count on R
    bool on_v;
    bool on_r;
} duet_step;

typedef struct duet_extent {
    int64_t low;
    int64_t high;
} duet_extent;

typedef struct duet_box {
    duet_extent c, g, n;
} duet_box;

// Steps with the layers between them: box[j] belongs to the layer after j steps.
typedef struct duet_steps {
    duet_step *step;
    duet_box *box; // count + 1
    size_t count;
    int64_t c_cap, g_cap, cap;
    int64_t total; // of the values
} duet_steps;

// Room for `count` steps, to be filled in by the caller along with the capacities and the total.
duet_code duet_steps_create(size_t count, duet_steps *steps, duet_error *error);
void duet_steps_free(duet_steps *steps);
// Sets the boxes.
void duet_steps_full(duet_steps *steps);
// Clears the counts, units and capacity of an axis that is no constraint.
void duet_steps_trim(duet_steps *steps);

// Rows of a layer run along N; they are padded to whole groups of the kernel.
typedef struct duet_layer {
    uint64_t rows;
    uint64_t stride; // cells from row to row
    uint64_t cells;  // padding included
    uint64_t words;  // 32-bit words of decisions of a row
} duet_layer;

// The shape of the layer after `j` steps. Cells saturate at 2^60, far beyond any memory.
duet_layer duet_steps_layer(const duet_steps *steps, size_t j);
// The cells of all layers without padding, and the memory they take; an allocation needs a bit per
// cell on top, all of them at once or those between two checkpoints.
void duet_steps_measure(const duet_steps *steps, bool allocation_wanted, duet_table_size *size);

// One step: layer j + 1 at `target` from layer j at `source`, with the decisions in `bits` (NULL:
// not wanted; set: the step runs on R).
typedef struct duet_pass {
    const duet_step *step;
    duet_box from, to;
    duet_layer old, new;
    const duet_kernel *kernel;
    const char *source;
    char *target;
    uint32_t *bits;
    int64_t extension; // cells behind each row that the next layer reads
} duet_pass;

// Computes the rows begin .. end - 1.
void duet_pass_rows(const duet_pass *pass, uint64_t begin, uint64_t end);
// The row of a layer with this box that holds c and g; what lies beyond the box is its edge.
uint64_t duet_box_row(const duet_box *box, int64_t c, int64_t g);

typedef struct duet_steps_result {
    bool stopped;
    bool feasible;
    int64_t work;
    uint64_t cells; // computed, recomputed ones included
    uint64_t bytes; // at most at once
} duet_steps_result;

// Computes the corner. Where `on_r` is not NULL, it receives for every step whether it goes to R
// (if feasible). `form` names the table in messages.
duet_code duet_steps_solve(const duet_steps *steps, const char *form, const duet_context *context,
                           bool *on_r, duet_steps_result *result, duet_error *error);

#endif
