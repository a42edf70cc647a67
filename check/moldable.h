// SPDX-License-Identifier: Apache-2.0
// The checker of schedules of moldable tasks; for schedule.c alone.
#ifndef DUET_CHECK_MOLDABLE_H
#define DUET_CHECK_MOLDABLE_H

#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/solution/solution.h"

// Every task runs once, on processors that exist, none of them named twice, of one type; of several
// only where the instance has mixed sets. It takes what its table or law says of that number of
// processors. No processor has two tasks at once, and every task starts when its predecessors have
// ended and their data have been redistributed. *makespan receives the latest end. The first fault
// is DUET_E_INPUT with the task. O(n log n) and the processors of all tasks; a law is computed
// anew.
duet_code duet_check_moldable(const duet_instance *instance, const duet_solution *solution,
                              duet_watch *watch, int64_t *makespan, duet_error *error);

#endif
