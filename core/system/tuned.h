// SPDX-License-Identifier: Apache-2.0
// The constants of all tuning.h as variables, in builds with DUET_TUNING (cmake/Tuning.cmake). No
// other build has them: there they are constants.
#ifndef DUET_CORE_SYSTEM_TUNED_H
#define DUET_CORE_SYSTEM_TUNED_H

#include <stddef.h>
#include <stdint.h>

enum duet_tuned_kind { DUET_TUNED_INT, DUET_TUNED_LONG, DUET_TUNED_REAL };

typedef struct {
    const char *name;          // As in its tuning.h.
    enum duet_tuned_kind kind; // Of the variable.
    void *variable;            // An `int`, a number of 64 bits or a `double`.
} duet_tuned_constant;

// All that may change, and a row without a name at the end.
extern const duet_tuned_constant duet_tuned_constants[];

#endif
