// SPDX-License-Identifier: Apache-2.0
// The optimum of a task graph by lazy clause generation: a search that learns why it failed.
//
// Method:    the guess is one tick below the best schedule. Variables are the tasks' starts and
//            ends, their types, their processors where data take time between two of a type, and
//            which of two tasks ends before the other starts. A decision is propagated along edges,
//            by the order of tasks, by sets of tasks too large for their type and by the priced
//            work of intervals (energetic reasoning), each time with an explanation. A conflict
//            leaves a nogood, which prunes everywhere. Decisions take the variables that conflicts
//            met most, first as in the best schedule. A shorter schedule lowers the guess and keeps
//            all that was learned. Moldable tasks have a type for each number of processors of a
//            cluster (duet_learn_sizes). There a set of tasks is too large if it takes more
//            processors than the cluster has. Then no lines prove the optimum.
// Guarantee: the optimum where it ends, with lines that prove it.
// Cost:      exponential; graphs of up to fifty tasks mostly take less than a second.
// Memory:    O(tasks^2) variables, and at most 64 MiB each of clauses of the model and of learned
//            ones.
// Reference: Ohrimenko, Stuckey, Codish, "Propagation via lazy clause generation", Constraints 14,
//            2009; Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative propagator",
//            Constraints 16, 2011; docs/theory/graphs.md has the rules.
#ifndef DUET_SOLVERS_GRAPH_LEARN_LEARN_H
#define DUET_SOLVERS_GRAPH_LEARN_LEARN_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

// The search takes graphs of at most this many tasks.
enum { DUET_LEARN_TASKS = 200 };

typedef struct duet_learn duet_learn;

// What the types of an instance stand for if tasks are moldable: a number of processors of a
// cluster. Types of one cluster follow each other by rising size.
typedef struct duet_learn_sizes {
    size_t clusters;                    // The number of clusters.
    int64_t processors[DUET_MAX_TYPES]; // Per cluster, its processors.
    int64_t price[DUET_MAX_TYPES];      // Per cluster, the price of a tick of one of its processors
                                        // in the row of all, 0 to DUET_LEARN_PRICE.
    int32_t base[DUET_MAX_TYPES];       // Per type, its cluster.
    int64_t size[DUET_MAX_TYPES];       // Per type, the processors that a task takes on it.
} duet_learn_sizes;

// Creates a search for schedules shorter than that of `solution`, which has placements. Sets `*out`
// to NULL if the graph is too large: more than DUET_LEARN_TASKS tasks, or too many clauses, as
// where data take time between many processors. DUET_E_MEMORY.
duet_code duet_learn_create(const duet_instance *instance, const duet_context *context,
                            const duet_solution *solution, duet_learn **out, duet_error *error);
// The same for moldable tasks, whose data take no time. `sizes` is borrowed as long as the search
// lives. The processors of placements are not read, and are written as 0.
duet_code duet_learn_create_sizes(const duet_instance *instance, const duet_learn_sizes *sizes,
                                  const duet_context *context, const duet_solution *solution,
                                  duet_learn **out, duet_error *error);
void duet_learn_free(duet_learn *learn); // NULL is allowed

// Continues for about `work` operations. Ends earlier if the best schedule is proven optimal or is
// no longer than `lower`, a proven bound, or if the context stops. It first takes over the schedule
// of `solution` if that is shorter than its own, and in the end writes its own there if that is
// shorter. The same for the same calls, whatever the machine, unless the context stops.
// DUET_E_MEMORY: what it has found is in `solution`, and it must not be called again.
duet_code duet_learn_run(duet_learn *learn, int64_t lower, int64_t work, duet_solution *solution,
                         duet_error *error);

// Returns whether it is proven that no schedule is shorter than the best one that it wrote or took.
bool duet_learn_is_proven(const duet_learn *learn);
// Returns whether it has lines that prove that, which it has not if they became too many.
bool duet_learn_has_proof(const duet_learn *learn);
// Makes the bound with these lines as its certificate. The caller releases it. DUET_E_LIMIT (more
// than `most` bytes), DUET_E_MEMORY.
duet_code duet_learn_certify(const duet_learn *learn, const char *name, size_t most,
                             duet_bound *out, duet_error *error);
// Returns about the operations so far, the same on every machine.
int64_t duet_learn_work(const duet_learn *learn);
// Returns the number of conflicts so far.
int64_t duet_learn_conflicts(const duet_learn *learn);

#endif
