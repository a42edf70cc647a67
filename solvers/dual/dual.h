// SPDX-License-Identifier: Apache-2.0
// The dual-approximation driver (Hochbaum, Shmoys, J. ACM 34(1), 1987). A g-dual approximation
// takes a guess lambda. It answers YES with a schedule of makespan at most g lambda, or NO: a proof
// that no schedule has a makespan of at most lambda. Bisection in integers ends at a lambda* with
// YES and with NO at lambda* - 1, or with lambda* the lower bound that it began with. So OPT >=
// lambda*, and the schedule found at lambda* is within g of the optimum, exactly. Answers need not
// be monotone: every NO is a proof by itself.
#ifndef DUET_SOLVERS_DUAL_DUAL_H
#define DUET_SOLVERS_DUAL_DUAL_H

#include "core/algorithm.h"

// The answer to a guess.
typedef struct duet_answer {
    bool yes;
    bool stopped;                 // the context stopped before the answer
    duet_certificate certificate; // Of lambda + 1, on NO; its proof may be NONE. Its prices are a
                                  // reference that the caller releases.
} duet_answer;

typedef struct duet_dual {
    const char *name; // of the algorithm: progress, and the bound it proves
    void *state;
    // Answers a guess; on YES the state keeps what build() needs.
    duet_code (*guess)(void *state, int64_t lambda, duet_answer *answer, duet_error *error);
    // Places every task, for the last YES. The solution may be blank (makes_runs, algorithm.h).
    duet_code (*build)(void *state, duet_solution *solution, duet_error *error);
} duet_dual;

// Runs the bisection. `lower` is any proven lower bound to start from. The best schedule over all
// guesses goes to `solution`, with the bound and the counters guesses, lambda. Where the context
// stops before the first YES, `solution` has no schedule and the code says why. Where it stops
// later, or a guess fails with DUET_E_LIMIT after a YES, the solution is marked interrupted; after
// a limit its note holds the reason.
duet_code duet_dual_run(const duet_instance *instance, const duet_context *context,
                        const duet_dual *dual, const duet_bound *lower, duet_solution *solution,
                        duet_error *error);

// The same from a schedule that `solution` holds: only guesses below its makespan are asked, and it
// stays where no guess gives a better one. Fails neither because the context stops nor for a limit.
duet_code duet_dual_improve(const duet_instance *instance, const duet_context *context,
                            const duet_dual *dual, const duet_bound *lower, duet_solution *solution,
                            duet_error *error);

#endif
