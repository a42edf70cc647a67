// SPDX-License-Identifier: Apache-2.0
// Simulated annealing on complete schedules of independent tasks, on any number of types.
//
// Method:    a limit just below the best schedule is set. The cost of a schedule is the work above
//            the limit, by processor and weighted by type, plus a small share of all weighted work.
//            The weights are about those of the area bound, so that work is not moved to where it
//            is dear. Moves: a task goes elsewhere, two tasks change places, one changes places
//            with two, or one takes the place of another, which goes to a third processor. A task
//            mostly goes to types where its weighted time is little more than the least
//            (annealing/tables.c), and a share of the moves begin at the longer of two processors,
//            as near the target few are above it. No temperature serves all instances: each run
//            draws its parameters, often near those of the runs that ended best
//            (annealing/draws.c). Where ticks are coarse and processors have few tasks, half of the
//            moves go to runs that divide the tasks of two processors anew (annealing/pairs.c).
//            Where most processors are alone of their type, runs of cyclic exchanges
//            (annealing/cycles.c) come first, with more or less moves than all others by how near
//            they end.
// Guarantee: the schedule is never longer than the one it began with. Loads and makespans are
//            counted in ticks; floating point only guides the walk.
// Cost:      some tens of millions of proposed moves a second while the tables are in cache.
//            O(kinds types) for the tables, also in memory, beside O(tasks), 1 MiB for runs over
//            pairs, and O(tasks processors) for cyclic exchanges of up to 64 processors.
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983;
//            few types for each task: Fanjul-Peyro, Ruiz, "Size-reduction heuristics for the
//            unrelated parallel machines scheduling problem", EJOR 207, 2010. The cost is ours.
#ifndef DUET_HEURISTICS_IMPROVE_ANNEALING_ANNEALING_H
#define DUET_HEURISTICS_IMPROVE_ANNEALING_ANNEALING_H

#include "core/solution/solution.h"
#include "core/system/context.h"

// The tables of an instance, and what earlier runs have taught. Free with duet_annealer_free().
typedef struct duet_annealer duet_annealer;

typedef struct duet_annealed {
    int64_t before; // the makespan
    int64_t after;
    int64_t moves; // proposed
    bool stopped;  // by the context, before the moves were spent
} duet_annealed;

// The seed is that of the context. Every task must have somewhere to run. Errors: DUET_E_LIMIT
// (more than 2^32 - 1 tasks or processors in use, or more than there is memory for), DUET_E_MEMORY.
duet_code duet_annealer_create(const duet_instance *instance, const duet_context *context,
                               duet_annealer **out, duet_error *error);
void duet_annealer_free(duet_annealer *annealer); // NULL is allowed

// Looks for a schedule shorter than the one in `solution`, which must be complete, until it is no
// longer than `target` (a proven bound, or what is asked for), `moves` are spent or the context
// stops. A shorter one replaces it, without idle gaps and without aborted runs; else it stays as it
// is. The result depends on the seed, the schedule and the calls before, and on nothing else.
// Errors: DUET_E_MEMORY; the schedule is then as it was.
duet_code duet_annealer_run(duet_annealer *annealer, const duet_context *context, int64_t target,
                            int64_t moves, duet_solution *solution, duet_annealed *annealed,
                            duet_error *error);

#endif
