// SPDX-License-Identifier: Apache-2.0
// The one boundary around GLPK, which ends the process on a fatal error unless it is hooked.
//
// GLPK keeps an environment per thread, and all its memory belongs to it. Work behind the guard
// always gets an environment of its own, destroyed afterwards: in the calling thread where that has
// none, else (the caller uses GLPK itself, or we were called from inside a solve) in a helper
// thread. So a fatal error is survived by dropping the environment as a whole, a thread that ends
// leaves nothing behind, and nothing of a caller's own GLPK state (problems, hooks, terminal
// output) is touched.
#ifndef DUET_LP_GLPK_GUARD_H
#define DUET_LP_GLPK_GUARD_H

#include <stdbool.h>

#include "core/system/context.h"

// Work that calls GLPK. It may be left at any GLPK call (longjmp), so it must own nothing that
// GLPK's environment does not: whatever it needs is allocated by the caller of the guard.
typedef void duet_glpk_work(void *data);

// Runs `work`. GLPK prints nothing. `*stopped` tells whether the context's deadline or cancellation
// cut it short; GLPK is asked every other millisecond in loops that report progress (message level
// GLP_MSG_ON, out_frq DUET_GLPK_TICK_MS). Errors: DUET_E_MEMORY; DUET_E_INTERNAL with GLPK's
// message; DUET_E_UNSUPPORTED where this GLPK is not safe to use from threads.
duet_code duet_glpk_run(duet_glpk_work *work, void *data, const duet_context *context,
                        bool *stopped, duet_error *error);

enum { DUET_GLPK_TICK_MS = 2 };

#endif
