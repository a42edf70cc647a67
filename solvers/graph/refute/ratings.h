// SPDX-License-Identifier: Apache-2.0
// Which starts are worth a case: those whose cases have narrowed most so far, or were refuted.
// Reference: Vilim, Laborie, Shaw, "Failure-directed search for constraint-based scheduling",
//            CPAIOR 2015.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_RATINGS_H
#define DUET_SOLVERS_GRAPH_REFUTE_RATINGS_H

#include "solvers/graph/propagate/windows.h"

enum { DUET_RATED_DEPTHS = 256 };

// Of each case: 0 where it was always refuted, DUET_RATING where it does what all do in the mean.
enum { DUET_RATING = 1 << 20 };

typedef struct duet_task_rating {
    int64_t early, late; // it starts by some time, or after it
} duet_task_rating;

typedef struct duet_ratings {
    duet_task_rating *task;
    int64_t mean[DUET_RATED_DEPTHS]; // by suppositions that are open
} duet_ratings;

// DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_ratings_create(duet_ratings *ratings, int64_t tasks, duet_error *error);
void duet_ratings_free(duet_ratings *ratings);

// After a statement about a start or an end was taken for true and propagated. `narrowed` is what
// windows->narrowed was before.
void duet_ratings_learn(duet_ratings *ratings, const duet_windows *windows,
                        const duet_task_statement *what, int64_t narrowed);

#endif
