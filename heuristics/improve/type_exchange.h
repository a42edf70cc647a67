// SPDX-License-Identifier: Apache-2.0
// Two types trade tasks wholesale: for schedules whose tasks are on the wrong type by the hundred.
//
// Method:    the tasks on both types by how much faster one runs them than the other; those before
//            the point where both types have the same work per processor belong on the faster one.
//            Only tasks that change their type leave their processors; they go, longest first, to
//            the least loaded ones.
// Cost:      O(n + moved log m) time, O(n) memory.
#ifndef DUET_HEURISTICS_IMPROVE_TYPE_EXCHANGE_H
#define DUET_HEURISTICS_IMPROVE_TYPE_EXCHANGE_H

#include "heuristics/improve/task_lists.h"

// Trades between two types that have lanes, if the longest lane of both gets shorter by it.
// `*moved`: how many tasks changed their type; 0 where it did not pay. On an error the lanes hold
// no schedule any more.
duet_code duet_type_exchange(duet_task_lists *lanes, size_t a, size_t b, int64_t *moved,
                             duet_error *error);

#endif
