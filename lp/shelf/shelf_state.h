// SPDX-License-Identifier: Apache-2.0
// Inside of the shelf relaxation: what its parts share (shelf.c: guesses and multipliers,
// shelf/rows.c: the two counting rows for a given multiplier, shelf/walk.c: through the ties to a
// solution with few divided tasks, shelf/proof.c: certificates).
#ifndef DUET_LP_SHELF_SHELF_STATE_H
#define DUET_LP_SHELF_SHELF_STATE_H

#include "core/system/arena.h"
#include "lp/shelf/shelf.h"

typedef struct duet_shelf_item {
    int64_t p, q, count;
    size_t kind;
} duet_shelf_item;

// A multiplier u = gpu / cpu of the area row; cpu = 0 stands for infinity. Terms up to 2^62, so a
// weighted time cpu p - gpu q is below 2^125.
typedef struct duet_multiplier {
    int64_t cpu, gpu;
} duet_multiplier;

// Which of the solutions that are optimal for a multiplier: the one with least GPU work, or (for
// u > 0) the one with most.
typedef enum duet_shelf_tie { DUET_TIE_LEAST_GPU, DUET_TIE_MOST_GPU } duet_shelf_tie;

// Whole tasks assigned: A by its order, the rest by number on the CPUs.
typedef struct duet_shelf_point {
    size_t a_gpu;     // entries of A that are on the GPUs with all tasks: the first ones
    int64_t a_split;  // tasks of the entry behind them that are on the GPUs
    int64_t *on_cpu;  // per member
    int64_t cpu_work; // without fixed kinds
    int64_t gpu_work;
} duet_shelf_point;

// A candidate for a place in a counting row: weighted time, tie-break, then index.
typedef struct duet_shelf_key {
    duet_int128 weighted;
    int64_t tie;
    int64_t count;
    size_t member;
} duet_shelf_key;

enum { DUET_MEMBER_B, DUET_MEMBER_C, DUET_MEMBER_D, DUET_MEMBER_CLASSES };

struct duet_shelf {
    // Inputs.
    duet_arena arena; // It holds the arrays.
    const duet_instance *instance;
    size_t kinds;
    duet_shelf_item *item; // by decreasing acceleration factor; flexible ones are [begin, end)
    size_t begin, end;
    bool decide; // any solution that fits will do

    // At the current guess: capacities.
    int64_t lambda;
    int64_t cpu_slots, gpu_slots;   // for long tasks, besides fixed ones
    duet_int128 cpu_room, gpu_room; // m lambda and k lambda less fixed work

    // At the current guess: classes.
    size_t a_count;                        // class A in order, with sums of work before each entry
    size_t *a;                             // items
    int64_t *a_cpu, *a_gpu;                // a_count + 1 entries
    size_t first[DUET_MEMBER_CLASSES + 1]; // members of B, C, D are [first[c], first[c + 1])
    size_t *member;                        // items
    int64_t c_total;                       // tasks in C

    // Multipliers and points.
    duet_multiplier warm; // the last optimal multiplier
    duet_shelf_point point[3];
    duet_shelf_point *left, *right, *trial; // more and at most gpu_room of GPU work

    // Workspace.
    duet_shelf_key *key; // one per member
};

static inline duet_int128 duet_shelf_weighted(duet_multiplier u, const duet_shelf_item *item)
{
    return (duet_int128)u.cpu * item->p - (duet_int128)u.gpu * item->q;
}

// The class (A, B, C, D) of a member.
static inline duet_shelf_class duet_shelf_member_class(const duet_shelf *shelf, size_t member)
{
    return member < shelf->first[DUET_MEMBER_C]   ? DUET_SHELF_B
           : member < shelf->first[DUET_MEMBER_D] ? DUET_SHELF_C
                                                  : DUET_SHELF_D;
}

// An optimal assignment for a multiplier under the two counting rows, which must be feasible.
void duet_shelf_evaluate(duet_shelf *shelf, duet_multiplier u, duet_shelf_tie tie,
                         duet_shelf_point *point);

// Moves `right` towards `left`, both optimal for one multiplier, until the GPU work is gpu_room;
// `answer` receives the tasks divided there.
void duet_shelf_walk(duet_shelf *shelf, duet_shelf_answer *answer);

// NO: weights u and the prices of the counting rows for which `point` is optimal.
void duet_shelf_prove(const duet_shelf *shelf, duet_multiplier u, const duet_shelf_point *point,
                      duet_certificate *certificate);
// NO because of counts alone.
void duet_shelf_prove_counts(const duet_shelf *shelf, int64_t cpu, int64_t gpu,
                             duet_certificate *certificate);

#endif
