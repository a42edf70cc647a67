// SPDX-License-Identifier: Apache-2.0
// A task graph with prices over time (lp/graph/timed/), for tests. What fails, fails the test.
#ifndef DUET_TESTS_SUPPORT_PRICED_H
#define DUET_TESTS_SUPPORT_PRICED_H

#include "core/number/random.h"
#include "lp/graph/timed/timed_state.h"

typedef struct duet_priced {
    duet_network network;
    duet_instance *instance; // owned
    duet_context context;
    int64_t *head, *tail; // of each task, on shortest paths
    duet_window *window;
    duet_window *known;      // of each task, as the mixing rows have taken it
    duet_interval_line line; // the first prices: a flow of 0 on every edge, and no interval
    duet_lp_interval whole;  // from 0 to the guess, after duet_priced_add_row()
    int64_t tick[DUET_MAX_TYPES];
    duet_mixing *mixing; // NULL: no mixing row
    duet_mixing_row row;
    int64_t row_price;
    duet_timed *timed; // after duet_priced_begin()
} duet_priced;

// Takes the instance over.
void duet_priced_create(duet_priced *s, duet_instance *instance);
void duet_priced_free(duet_priced *s);

// Draws graphs from the seed after *seed on until one has paths and times of few ticks, of which
// plain sums are made tick by tick; *seed is its seed.
void duet_priced_draw_small(duet_priced *s, duet_random *random, uint64_t *seed, int least,
                            int most);

// The least guess at which every task has a start on some type.
int64_t duet_priced_least_guess(const duet_priced *s);

// The windows of a guess: heads and tails, and all types on which a task fits between them.
void duet_priced_set_windows(duet_priced *s, int64_t guess);

// Before duet_priced_begin(): a mixing row between two tasks, or from the beginning or to the
// guess, of the tasks between them on their slowest types; and a price of every tick.
void duet_priced_add_row(duet_priced *s, duet_random *random, int64_t guess);

// Windows, and prices of the line on the first grid.
void duet_priced_begin(duet_priced *s, int64_t guess);

// Random prices of edges and processors, a part of them 0, with their sums for each task.
void duet_priced_draw(duet_priced *s, duet_random *random);

// Asks for a refutation of a guess within the windows that there are, and takes what is left of
// them.
duet_timed_result duet_priced_refute(duet_priced *s, int64_t guess, int steps);

// The starts of a task on a type in a window; none where the first is behind the last.
duet_timed_starts duet_priced_starts(const duet_priced *s, const duet_window *window, int64_t task,
                                     size_t type);

#endif
