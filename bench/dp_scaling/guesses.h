// SPDX-License-Identifier: Apache-2.0
// The guesses on which the forms of the 4/3 table are timed, and the timing.
#ifndef DUET_BENCH_DP_SCALING_GUESSES_H
#define DUET_BENCH_DP_SCALING_GUESSES_H

#include "dp/table/table.h"

enum { DUET_BENCH_GUESSES = 5, DUET_BENCH_FORMS = 3, DUET_BENCH_SETTLED = 5 };

// "published", "collapsed", "adaptive", indexed by duet_table_form; NULL at the end.
extern const char *const duet_bench_form_names[DUET_BENCH_FORMS + 1];

// An instance and the guesses around the best bound L that costs little: L - 1, L, L + 1, L + 3 and
// L + ceil(L/100), which is how a dual approximation climbs. lambda[0] is L itself.
typedef struct duet_bench_guesses {
    const char *family; // that the instance is of, with this seed
    uint64_t seed;
    duet_instance *instance;
    int64_t lambda[DUET_BENCH_GUESSES];
} duet_bench_guesses;

duet_code duet_bench_guesses_create(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                                    uint64_t seed, duet_bench_guesses *guesses, duet_error *error);
void duet_bench_guesses_free(duet_bench_guesses *guesses);

typedef struct duet_bench_how {
    duet_table_form form;
    int count; // number of guesses, from the first on
    int threads;
    bool allocation;      // with what is needed to name the tasks of each side
    double least_seconds; // repeat until that long
} duet_bench_how;

// Means over the guesses, but for bytes.
typedef struct duet_bench_decided {
    double seconds;
    double cells;
    size_t bytes;                    // of the largest table
    int yes;                         // guesses that got one
    unsigned answers;                // bit i: guess i got YES
    int settled[DUET_BENCH_SETTLED]; // guesses by duet_settled_by
} duet_bench_decided;

// Times one form. Rounded: the GPUs' work, on the paper's grid.
duet_code duet_bench_decide(const duet_bench_guesses *guesses, const duet_bench_how *how,
                            duet_bench_decided *decided, duet_error *error);

// Times a form by the cell rate of a smaller case where a guess would take longer than `whole`
// seconds, or its table does not fit into memory; else sets *by_rate false and times nothing.
// `decided` receives cells, bytes and seconds.
duet_code duet_bench_by_rate(const duet_bench_guesses *guesses, const duet_bench_how *how,
                             double whole, bool *by_rate, duet_bench_decided *decided,
                             duet_error *error);

#endif
