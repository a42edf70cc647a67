// SPDX-License-Identifier: Apache-2.0
// Moldable tasks, each on one processor.
#ifndef DUET_SOLVERS_MOLDABLE_SEQUENTIAL_H
#define DUET_SOLVERS_MOLDABLE_SEQUENTIAL_H

#include "core/solution/solution.h"
#include "core/system/context.h"

// Offers the best schedule in which each task is on one processor to `solution`, so that the
// freedom to take more makes no schedule longer. First rules alone; where these are not much longer
// than the schedule that there is, searches, too, in a part of the time or with an end of their
// own. Nothing is offered where a task must take several processors, data move, or something fails.
void duet_moldable_offer_sequential(const duet_instance *instance, const duet_context *context,
                                    duet_solution *solution);
// Where the best schedule has each task on one processor, searches for a shorter one of that kind
// from there on, in half of the time that is left.
void duet_moldable_search_sequential(const duet_instance *instance, const duet_context *context,
                                     duet_solution *solution);

#endif
