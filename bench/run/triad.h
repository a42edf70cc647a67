// SPDX-License-Identifier: Apache-2.0
// A min-plus triad, a[i] = min(b[i], c[i] + s) on 32-bit cells: the inner loop of every knapsack
// table and nothing else, so the cell rate that the machine allows.
#ifndef DUET_BENCH_RUN_TRIAD_H
#define DUET_BENCH_RUN_TRIAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct duet_triad {
    int32_t *cells;  // three arrays behind each other
    size_t stride;   // cells from one array to the next
    size_t length;   // cells of each
    int threads;     // each works on a contiguous part
    int64_t repeats; // passes per timing
} duet_triad;

// Cells of one timing: some milliseconds on any machine of today, or just enough to try.
enum { DUET_TRIAD_CELLS = 40000000, DUET_TRIAD_FEW_CELLS = 100000 };

// Arrays of `bytes` together (at least a few cache lines), first touched by the threads that will
// work on them; a timing makes about `cells` cells. False when out of memory.
bool duet_triad_create(duet_triad *triad, size_t bytes, int threads, size_t cells);
void duet_triad_free(duet_triad *triad);
// One timing: cells per second.
double duet_triad_rate(duet_triad *triad);

#endif
