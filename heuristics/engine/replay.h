// SPDX-License-Identifier: Apache-2.0
// A plan that is carried out while real times differ from planned ones.
//
// Method:    simulation by events (engine/crew.h).
//            - Its order is kept (DUET_KEEP_ORDER): every processor runs its tasks in the planned
//              order, each as soon as the data of its predecessors are there.
//            - Its allocation is kept (DUET_KEEP_ALLOCATION): an idle processor takes, of the tasks
//              of its type whose data are there, the one of earliest planned start.
//            Equal planned starts: in an order in which the plan can be carried out, lowest index
//            first. The tasks of a processor that goes are for those of its type that are left: the
//            order gives each, by planned start, to the one with the least planned work to do.
//            Where the last one of a type goes, each task is for the type where it takes least.
// Cost:      O((n + e + events) (log n + m)) time, O(n + m) memory.
#ifndef DUET_HEURISTICS_ENGINE_REPLAY_H
#define DUET_HEURISTICS_ENGINE_REPLAY_H

#include <duet/simulate.h>

#include "core/algorithm.h"
#include "core/instance/reality.h"

// Carries out `plan`, a valid schedule of the instance of which `reality` is one; aborted runs of
// the plan are left out. `solution` has room for all placements. DUET_E_INFEASIBLE: no processor
// that a task may run on is left.
duet_code duet_replay(const duet_context *context, const duet_solution *plan, duet_keep keep,
                      duet_solution *solution, duet_error *error);

#endif
