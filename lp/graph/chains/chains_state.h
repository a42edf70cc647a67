// SPDX-License-Identifier: Apache-2.0
// What the parts of the bound by chains share. A file calls only those before it in this order:
//   simplex    steps of the dual simplex method
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
#include "lp/graph/chains/simplex.h"
#include "lp/graph/network.h"

enum { DUET_CHAINS_BUCKETS = 4096 };

// The place of a row that the program does not have.
#define DUET_CHAINS_LEFT_OUT SIZE_MAX

// A row: between two points there is at least the time of a path's tasks, or of the work of all
// tasks that must run in between.
typedef struct duet_chains_row {
    int32_t from;     // The point at which it begins.
    int32_t to;       // The point at which it ends.
    int32_t weights;  // A row of work has the prices weight[weights]; -1: it is a row of a path.
    int64_t capacity; // The sum of the prices of all processors; 1 for a path.
    size_t first;     // The place of a path's first task in `listed`.
    size_t count;     // The number of tasks of a path.
    size_t place;     // Its constraint in the program; DUET_CHAINS_LEFT_OUT: it has none.
    int32_t next;     // The next row of the same hash; -1: it is the last.
} duet_chains_row;

// A chain: tasks each of which is a descendant of the one before. Branching is on how many of them
// run on the type.
typedef struct duet_chains_set {
    size_t first; // The place of its first task in `listed`.
    size_t count; // The number of its tasks.
    size_t place; // The constraint of the program that counts them.
} duet_chains_set;

// What comes next at a leaf of the search.
typedef enum duet_chains_next {
    DUET_CHAINS_EXPAND, // It gets two children.
    DUET_CHAINS_RESUME, // Its program is solved on: it was left once its objective was high enough.
    DUET_CHAINS_NOTHING // Nothing is left to branch on.
} duet_chains_next;

// The multiplier of a row, above 0.
typedef struct duet_chains_price {
    int32_t row;
    int64_t price;
} duet_chains_price;

// A node of branch and bound. What its parent branched on is a task, which is on the type or not,
// or a chain, of which at most `most` tasks are on the type or more.
typedef struct duet_chains_node {
    int32_t parent;   // The number of its parent; -1: it is the root.
    int32_t child[2]; // The numbers of its children; 0: there is none yet.
    bool is_count;    // The branching is on a chain.
    bool second;      // It is the second child: the task is on the type, or more than `most` are.
    int32_t what;     // The task or the chain.
    int32_t most;     // The largest count of the first child.
    double objective; // The objective of its linear program, in units of time.
    int64_t proven; // Its multipliers prove that no schedule is shorter than this; INT64_MAX: there
                    // is no schedule.
    int64_t value;  // The larger of `proven` and the lesser value of its children.
    duet_chains_price *price; // The multipliers of rows, in their order.
    size_t prices;            // The number of these.
    int64_t *counts;          // Per count on the path from here to the root, its multiplier.
    size_t depth;             // The number of these counts.
    duet_chains_next next;    // What comes next if it is a leaf.
    uint8_t *side; // Where constraints stand at the vertex at which its children begin: a
                   // duet_chains_side per column and per set.
    int32_t *held; // The rows that are active there.
    size_t helds;  // The number of these.
} duet_chains_node;

// The pseudocosts of a task or chain, for the first and the second child.
typedef struct duet_chains_gain {
    double sum[2];    // The sum of the gains of the objective, each by the distance it rounds.
    int32_t count[2]; // The number of these gains.
} duet_chains_gain;

typedef struct duet_chains {
    duet_arena arena; // It holds the arrays per task and per point.
    const duet_instance *instance;
    const duet_context *context;
    duet_network network;
    int64_t tasks;
    size_t type; // The type on which tasks are counted: all tasks together take longest there.

    // Points: the beginning, the start and the end of each task of a long path, and the end.
    int32_t *spine; // The tasks of the path, or some of them.
    int32_t spines; // Their number.
    int32_t end;    // The last point, 2 spines + 1; point 0 is the beginning.
    int32_t *from;  // Per task, the last point that is known to be no later than its start.
    int32_t *to;    // Per task, the first point that is known to be no earlier than its end.

    // Variables: whether a task is on the type.
    int32_t *model;    // Per task, the number of its variable; -1: it has none.
    int32_t *modelled; // Per variable, its task.
    size_t models;     // The number of variables.

    // Prices of work.
    int64_t weight[3][DUET_MAX_TYPES]; // Per vector and type, the price of a tick of work.
    int64_t capacity[3];               // Per vector, the sum of the prices of all processors.
    int weights;                       // The number of vectors.

    // Rows and chains.
    int32_t *listed; // The tasks of all rows of paths and of all chains.
    size_t listeds;  // The length of `listed`.
    duet_chains_row *row;
    size_t rows; // The number of rows, also of those that the program does not have.
    duet_chains_set *set;
    size_t sets; // The number of chains.

    // The program. Its columns are the points and the variables.
    duet_chains_simplex lp;
    size_t kept;        // The number of its constraints when rows were last left out.
    double limit;       // Its objective need not be known beyond this.
    double unit;        // The ticks of its unit of time: the bound at the beginning.
    int64_t past_steps; // The steps of the simplex method in programs that were made before.
    int32_t bucket[DUET_CHAINS_BUCKETS]; // Per hash, the last row that has it, and 1; 0: none.
    double *dual;                        // Per constraint, its multiplier at the last solution.
    uint8_t *taken; // Workspace: per constraint, the side at which it is to be.

    // Workspace of separation.
    double *cost;    // Per task, its time at the solution, in units.
    double *reach;   // Per task, the longest path from a point to its end; -1: there is none.
    int32_t *before; // Per task, the one before it on that path; -1: it is the first.
    double *sum;     // Per pair of points, the priced work between them.

    // Workspace of rounded multipliers.
    duet_int128 *priced; // Per task and type, what the task costs there.
    duet_int128 *pass;   // Per point, the multipliers of the rows that end there less those of the
                         // rows that begin there.
    uint64_t *modes;     // Per task, its types at a node, a bit each.

    // The search.
    int64_t known;          // The bound that it is to raise.
    int64_t begun_ns;       // The clock when it began.
    int64_t enough;         // If the root proves less than this there is no branching.
    duet_chains_gain *gain; // Per variable, and then per chain, its pseudocosts.
    duet_chains_node *node;
    size_t nodes; // The number of nodes.
} duet_chains;

// model.c: finds the path, the variables, the prices and the chains. DUET_E_MEMORY.
duet_code duet_chains_model(duet_chains *c, duet_error *error);
// Returns the time of a task on a type; -1: it does not run there.
int64_t duet_chains_time(const duet_chains *c, int64_t task, size_t type);
// Returns the least priced work of a task on the other types than the counted one; -1: it runs on
// none of them.
int64_t duet_chains_other(const duet_chains *c, int64_t task, const int64_t *weight);

// program.c: makes the program of the chains and of the rows of single tasks of the path.
duet_code duet_chains_make_program(duet_chains *c, duet_error *error);
// Solves the program and adds the rows that are violated, for at most `rounds` rounds.
duet_code duet_chains_solve(duet_chains *c, int rounds, duet_error *error);
// Makes the program again, of the rows of single tasks of the path alone, if it has grown.
duet_code duet_chains_purge(duet_chains *c, duet_error *error);
// Returns the steps of the simplex method so far.
int64_t duet_chains_steps(const duet_chains *c);
// Notes the vertex in a node; DUET_E_MEMORY.
duet_code duet_chains_note(const duet_chains *c, duet_chains_node *node, duet_error *error);
// Goes to the vertex of a node, with the rows that are active there.
duet_code duet_chains_take(duet_chains *c, const duet_chains_node *node, duet_error *error);

// exact.c: rounds the multipliers of the program's last solution into the node, and finds what they
// prove with the branching on its path to the root.
duet_code duet_chains_round(duet_chains *c, duet_chains_node *leaf, duet_error *error);

// tree.c: branch and bound, until c->steps reaches `steps`. The value of the root, node 0, is the
// bound.
duet_code duet_chains_search(duet_chains *c, int64_t steps, duet_error *error);
void duet_chains_free_nodes(duet_chains *c);

// proof.c: makes the lines that prove that no schedule is shorter than `value`. DUET_E_MEMORY.
duet_code duet_chains_prove(const duet_chains *c, int64_t value, const duet_proof_lines **out,
                            duet_error *error);

#endif
