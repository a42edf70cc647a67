// SPDX-License-Identifier: Apache-2.0
// Certificates of instances with mixed sets (C4 of docs/problem.md): what bounds sets of one type
// alone is no bound there.
#ifndef DUET_CHECK_MIXED_H
#define DUET_CHECK_MIXED_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/system/watch.h"

// Checks a certificate in integers: `longest`, `area`, or `flow` without prices, the longest path.
// DUET_E_INPUT where it does not hold, or is of another kind.
duet_code duet_check_mixed(const duet_certificate *certificate, const duet_instance *instance,
                           duet_watch *watch, duet_error *error);
// The least time of a kind over its best mixes: for each type on which it may run, all processors
// of such types that are no slower, at the speed of that type. DUET_FORBIDDEN where it may not run
// at all.
int64_t duet_check_best_mix(const duet_instance *instance, size_t kind, duet_watch *watch);

#endif
