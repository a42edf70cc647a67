// SPDX-License-Identifier: Apache-2.0
// Rounding by shares: gives divided tasks to one of their types each.
#ifndef DUET_SOLVERS_DUAL_LST_SHARE_H
#define DUET_SOLVERS_DUAL_LST_SHARE_H

#include "core/instance/instance.h"

// Chooses a type for every task. share[i * types + t] is the share of task i that type t has; those
// of a task add up to 1. Tasks and types, joined where a share is positive, are a forest. A task
// without any share gets the number of types. Errors: DUET_E_MEMORY.
duet_code duet_lst_share(const duet_instance *instance, const double *share, size_t tasks,
                         size_t *type, duet_error *error);

#endif
