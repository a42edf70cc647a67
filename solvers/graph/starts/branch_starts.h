// SPDX-License-Identifier: Apache-2.0
// The optimum of a small task graph, also where data take time, by branching on which task starts
// next and where.
//
// Method:    some optimal schedule starts each task as soon as the tasks that started before it and
//            its data allow; its tasks in the order of their starts are a sequence of decisions. A
//            node has such a sequence's beginning; its children are the tasks that may come next,
//            on each type, no earlier than the last one. A node is pruned if the least time behind
//            a task, or the weighted work that remains, does not fit below the best makespan, with
//            the windows that the guess just below it leaves. It is dominated if an earlier node
//            had started the same tasks, with all processors free and all data there no later,
//            wherever processors of a type may change places. If no data take time it is pruned,
//            too, if some task could end before the next one starts. Of interchangeable tasks the
//            first one starts first.
// Guarantee: the optimum where it ends.
// Cost:      exponential; about a million nodes a second.
// Memory:    what earlier nodes are remembered by, at most 64 MiB.
// Reference: Giffler, Thompson, Operations Research 8(4), 1960, for starts behind a possible end;
//            dominance by sets of started tasks as in Held, Karp, SIAM J. 10(1), 1962.
#ifndef DUET_SOLVERS_GRAPH_STARTS_BRANCH_STARTS_H
#define DUET_SOLVERS_GRAPH_STARTS_BRANCH_STARTS_H

#include "core/solution/solution.h"
#include "core/system/context.h"

// Larger graphs are not branched on: sets of tasks are the bits of one word.
enum { DUET_BRANCH_STARTS_TASKS = 64 };

// Looks for a schedule shorter than that of `solution`, which it replaces, until there is none,
// `nodes` are spent, `lower` (a proven bound) is met or the context stops. There may be at most
// DUET_BRANCH_STARTS_TASKS tasks. Sets `*spent` to the nodes visited, and `*proven` to whether no
// schedule is shorter. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_branch_starts(const duet_instance *instance, const duet_context *context,
                             int64_t lower, int64_t nodes, duet_solution *solution, int64_t *spent,
                             bool *proven, duet_error *error);

#endif
