// SPDX-License-Identifier: Apache-2.0
// What the parts of the bound by chains share. A file calls only those before it in this order:
//   model      the path, the points on it, and which tasks have a variable
//   program    the linear program and its rows
//   exact      what rounded multipliers prove
//   tree       branch and bound
//   proof      the lines
//   bound      the bound
#ifndef DUET_LP_GRAPH_CHAINS_CHAINS_STATE_H
#define DUET_LP_GRAPH_CHAINS_CHAINS_STATE_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/system/arena.h"
#include "core/system/context.h"
#include "lp/graph/network.h"
#include "lp/lp.h"

#define DUET_CHAINS_LEFT_OUT SIZE_MAX

// Between two points there is at least the time of a path's tasks, or of the work in between.
typedef struct duet_chains_row {
    int32_t from, to;    // points
    int32_t weights;     // number of the prices of its work; -1: a path
    int64_t capacity;    // of the processors, by these prices; 1 of a path
    size_t first, count; // a path's tasks, in `listed`
    size_t place;        // in the program; DUET_CHAINS_LEFT_OUT: not there
} duet_chains_row;

// Tasks that follow each other, of which the number on the type is counted.
typedef struct duet_chains_set {
    size_t first, count; // in `listed`
    size_t place;        // its row in the program
} duet_chains_set;

// What comes next at a leaf of the search.
typedef enum duet_chains_next {
    DUET_CHAINS_EXPAND, // its cases are distinguished
    DUET_CHAINS_RESUME, // its program goes on, which was left once its objective was high enough
    DUET_CHAINS_NOTHING // nothing is left to distinguish
} duet_chains_next;

// A case of the search: what its parent's case distinction chose.
typedef struct duet_chains_node {
    int32_t parent;   // -1: the root
    int32_t child[2]; // 0: none yet
    bool is_count;
    bool second;  // the type for a task, `most` + 1 or more for a set; else not, or `most`
    int32_t what; // a task, or a set
    int32_t most;
    double objective; // of the linear program, in units
    // What its multipliers prove: no schedule is shorter. INT64_MAX: there is none at all.
    int64_t proven;
    int64_t value;  // what it proves by itself, or all its cases together
    int64_t *price; // of each row that was there; multipliers, whole
    size_t prices;
    int64_t *counts; // of each count on the way from here to the root
    size_t depth;    // counts on that way
    duet_chains_next next;
    duet_lp_position position; // where its children begin
    int made;                  // the program that the position is of
} duet_chains_node;

// By how much the two cases of a distinction have raised the objective so far, a whole one.
typedef struct duet_chains_gain {
    double sum[2];
    int32_t count[2];
} duet_chains_gain;

typedef struct duet_chains {
    duet_arena arena; // It holds the arrays per task.
    const duet_instance *instance;
    const duet_context *context;
    duet_network network;
    int64_t tasks;
    size_t type; // on which tasks are counted
    // Points:
    int32_t *spine;
    int32_t spines;
    int32_t end;        // The last point; 0 is the beginning.
    int32_t *from, *to; // of each task: the points that it starts after, and ends before
    // Variables: a task is on the type, or not.
    int32_t *model;    // of each task: the number of its variable, or -1
    int32_t *modelled; // the tasks that have one
    size_t models;
    int64_t weight[3][DUET_MAX_TYPES]; // prices of work
    int64_t capacity[3];               // of the processors, by these
    int weights;
    // Rows and sets:
    int32_t *listed; // tasks of paths and sets
    size_t listeds;
    duet_chains_row *row;
    size_t rows;
    duet_chains_set *set;
    size_t sets;
    // The program:
    duet_lp *lp;
    size_t kept;     // rows that were left when the program was made
    int made;        // how often that was
    double unit;     // ticks of its unit of time
    int64_t steps;   // of the simplex method, trials included
    double *cost;    // room per task
    double *reach;   // room per task
    int32_t *before; // room per task
    double *sum;     // room per pair of points
    // Rounded multipliers:
    duet_int128 *priced; // room per task and type
    duet_int128 *pass;   // room per point
    uint64_t *modes;     // of each task: its types in a case
    // The search:
    int64_t enough;         // Where the root proves less, there are no cases.
    duet_chains_gain *gain; // of each task with a variable, then of each set
    duet_chains_node *node;
    size_t nodes;
} duet_chains;

// model.c: finds the path, the variables, the prices and the sets. DUET_E_MEMORY.
duet_code duet_chains_model(duet_chains *c, duet_error *error);
// The time of a task on a type; -1: it does not run there.
int64_t duet_chains_time(const duet_chains *c, int64_t task, size_t type);
// The least price of a task's work on the types but that which is counted; -1: there is none.
int64_t duet_chains_other(const duet_chains *c, int64_t task, const int64_t *weight);

// program.c: makes the program; solves it, adds the rows that are violated, and so on.
duet_code duet_chains_make_program(duet_chains *c, duet_error *error);
duet_code duet_chains_solve(duet_chains *c, int rounds, duet_error *error);
// Makes the program again with the rows alone that have a multiplier at a node, and without a
// basis.
duet_code duet_chains_purge(duet_chains *c, const int64_t *price, size_t prices, duet_error *error);

// exact.c: rounds the multipliers of the program's last solution, and finds what they prove with
// the case distinctions of a node.
duet_code duet_chains_round(duet_chains *c, duet_chains_node *leaf, duet_error *error);

// tree.c: branch and bound, up to `steps` steps of the simplex method. The root's value is the
// bound.
duet_code duet_chains_search(duet_chains *c, int64_t steps, duet_error *error);
void duet_chains_free_nodes(duet_chains *c);

// proof.c: the proof that no schedule is shorter than `value`. DUET_E_MEMORY.
duet_code duet_chains_prove(const duet_chains *c, int64_t value, const duet_proof_lines **out,
                            duet_error *error);

#endif
