// SPDX-License-Identifier: Apache-2.0
// The optimum of a narrow task graph by dynamic programming over its ideals.
//
// Method:    tasks are appended in the order of their starts, each as early as it may start on its
//            processor. What the rest of a schedule depends on is the set of tasks so far, an ideal
//            of the graph; when each processor is idle; and when data of finished tasks are where
//            they may be read. No time of these counts as earlier than the last start, as all
//            other tasks start no earlier. Of two states of one ideal the one goes that is no
//            better in any time (dominance). States are made ideal size by ideal size. One goes if
//            its longest remaining path, or the remaining work at the prices of the area bound,
//            cannot end within the guess, which is one tick below the best schedule. A task is not
//            appended if another one could be done, with its data sent, before it starts (active
//            schedules). Interchangeable tasks come in the order of their numbers.
// Guarantee: the optimum where it ends. A line says so, upon which a checker runs its own program.
// Cost:      O(states (tasks + processors) branches); a graph of few chains has few states.
// Memory:    DUET_IDEALS_BYTES at most.
// Reference: dynamic programming over ideals: Lawler, Moore, Management Science 16(1), 1969;
//            Steiner, Networks 20, 1990; active schedules: Giffler, Thompson, Operations Research
//            8(4), 1960.
#ifndef DUET_SOLVERS_GRAPH_IDEALS_IDEALS_H
#define DUET_SOLVERS_GRAPH_IDEALS_IDEALS_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

typedef struct duet_ideals duet_ideals;

// Creates a search for schedules shorter than `most`. Sets `*out` to NULL if the graph has too many
// tasks or processors. DUET_E_MEMORY.
duet_code duet_ideals_create(const duet_instance *instance, const duet_context *context,
                             int64_t most, duet_ideals **out, duet_error *error);
void duet_ideals_free(duet_ideals *ideals); // NULL is allowed

// Continues for about `work` operations, for a schedule shorter than that of `solution`, which has
// placements, and writes one there if it ends with one. The same for the same calls, whatever the
// machine, unless the context stops. DUET_E_LIMIT (too many states: it must not be called again),
// DUET_E_MEMORY (likewise).
duet_code duet_ideals_run(duet_ideals *ideals, int64_t work, duet_solution *solution,
                          duet_error *error);

// Returns about the operations so far, the same on every machine.
int64_t duet_ideals_work(const duet_ideals *ideals);

// Returns whether the search will hardly end, judged by how many states there are of one size.
bool duet_ideals_is_wide(const duet_ideals *ideals);
// Returns whether it is proven that no schedule is shorter than the one that the last call left.
bool duet_ideals_is_proven(const duet_ideals *ideals);
// Makes the bound that is proven, with lines, which tell a checker how many states there are; *out
// is left as it was on an error. Free it. DUET_E_MEMORY.
duet_code duet_ideals_certify(const duet_ideals *ideals, const char *name, duet_bound *out,
                              duet_error *error);

#endif
