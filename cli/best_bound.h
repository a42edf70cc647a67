// SPDX-License-Identifier: Apache-2.0
// The best of all bounds in little time: the yardstick of compare and show.
#ifndef DUET_CLI_BEST_BOUND_H
#define DUET_CLI_BEST_BOUND_H

#include <duet/duet.h>

// Whether an algorithm or a bound that fails so is left out without spoiling the rest.
bool duet_cli_may_skip(duet_code code);
// Computes every bound, each for one second at most (`given` may say less), and hands those that
// are there to `take`, which copies what it wants. Where `deadline_ns` has passed on the clock of
// duet_clock_ns(), those that are left are left out. Errors: those of a bound that may not be left
// out.
duet_code duet_cli_best_bound(const duet_instance *instance, const duet_params *given,
                              int64_t deadline_ns,
                              void (*take)(void *user, const duet_bound *bound), void *user,
                              duet_error *error);

#endif
