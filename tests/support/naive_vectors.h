// SPDX-License-Identifier: Apache-2.0
// What the naive prover knows of a node, and price vectors that refute it.
#ifndef DUET_TESTS_SUPPORT_NAIVE_VECTORS_H
#define DUET_TESTS_SUPPORT_NAIVE_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/naive_prover.h"

enum {
    DUET_NAIVE_TYPES = 5,
    DUET_NAIVE_CLASSES = 16,
    DUET_NAIVE_VECTORS = 64,
    DUET_NAIVE_COUNTS = 3,
    DUET_NAIVE_LISTS = 6
};

__extension__ typedef __int128 duet_naive_wide;

typedef struct duet_naive_pattern {
    int64_t a[DUET_NAIVE_CLASSES];
    duet_naive_wide price;
} duet_naive_pattern;

// An open list: the patterns that a processor of the type may hold.
typedef struct duet_naive_listing {
    duet_naive_pattern *pattern;
    int patterns;
} duet_naive_listing;

// An open count: the sum over the processors of type t of what counted() says of their patterns is
// at most, or at least, the bound.
typedef struct duet_naive_count {
    int t;
    int64_t h;
    bool has[DUET_NAIVE_CLASSES];
    bool at_least;
    int64_t bound;
    int covers; // open when it was
} duet_naive_count;

typedef struct duet_naive_node {
    int64_t processors[DUET_NAIVE_TYPES];
    int64_t n[DUET_NAIVE_CLASSES], lo[DUET_NAIVE_TYPES][DUET_NAIVE_CLASSES],
        hi[DUET_NAIVE_TYPES][DUET_NAIVE_CLASSES];
    const duet_naive_listing *list[DUET_NAIVE_TYPES]; // the innermost; NULL: none
    int lists;
    duet_naive_count count[DUET_NAIVE_COUNTS];
    int counts;
    int covers;
} duet_naive_node;

typedef struct duet_naive_vector {
    bool area;
    bool by_density[DUET_NAIVE_TYPES];
    int64_t weight[DUET_NAIVE_TYPES];
    duet_naive_wide u[DUET_NAIVE_TYPES][DUET_NAIVE_CLASSES];
    duet_naive_wide most[DUET_NAIVE_TYPES];
    bool listed[DUET_NAIVE_TYPES]; // the limit is one of listed patterns
    int counts;                    // so many counts have prices
    int64_t g[DUET_NAIVE_COUNTS];
} duet_naive_vector;

typedef struct duet_naive_prover {
    FILE *out;
    const duet_naive_style *style;
    duet_random *random;
    int types;
    int classes;
    int64_t count[DUET_NAIVE_CLASSES];
    int64_t time[DUET_NAIVE_TYPES][DUET_NAIVE_CLASSES]; // -1: unusable
    int64_t capacity[DUET_NAIVE_TYPES];
    duet_naive_vector vector[DUET_NAIVE_VECTORS];
    int vectors;
    int nodes;
    int lies;
} duet_naive_prover;

int64_t duet_naive_draw(duet_naive_prover *p, int64_t low, int64_t high);
// How a proof names a type.
const char *duet_naive_name_of(const duet_naive_prover *p, int t);
void duet_naive_find_classes(duet_naive_prover *p, const duet_instance *instance, int64_t length);
// Narrows the ranges of a class to what some choice has; 1 to 0 where there is none.
void duet_naive_narrow(const duet_naive_prover *p, duet_naive_node *s, int c);
// Whether a vector means anything in a state.
bool duet_naive_holds(const duet_naive_prover *p, const duet_naive_vector *v,
                      const duet_naive_node *s);
// Whether it is for any set of tasks.
bool duet_naive_is_plain(const duet_naive_vector *v);
void duet_naive_draw_prices(duet_naive_prover *p, duet_naive_vector *v, const duet_naive_node *s);
void duet_naive_print_prices(duet_naive_prover *p, const duet_naive_vector *v);
void duet_naive_declare(duet_naive_prover *p, const duet_naive_node *s);
duet_naive_wide duet_naive_find_budget(const duet_naive_prover *p, const duet_naive_vector *v,
                                       const duet_naive_node *s);
// Of two types: whether the work of the classes from c on can be divided within the room.
bool duet_naive_divides(const duet_naive_prover *p, const duet_naive_node *s, int c,
                        duet_naive_wide cpu, duet_naive_wide gpu);
// All patterns, counted through like an odometer: those with a task of a class for a cover; for a
// list (class -1) those of any tasks that are in the list above.
duet_naive_pattern *duet_naive_list_patterns(const duet_naive_prover *p, const duet_naive_node *s,
                                             const duet_naive_vector *v, int t, int class,
                                             int *count);

#endif
