// SPDX-License-Identifier: Apache-2.0
// The optimum of a task graph by a search that learns why it failed.
//
// Method:    the guess is one tick below the best schedule. Variables are the tasks' starts and
//            ends, their types, their processors where data take time between two of a type, and
//            which of two tasks ends before the other starts. What a supposition implies is
//            concluded along edges, from the order of tasks, from sets of tasks too large for their
//            type and from the priced work of intervals, each with the literals it follows from.
//            A conflict leaves a nogood, which prunes everywhere. Suppositions are the variables
//            that conflicts met most, first as in the best schedule; a shorter schedule lowers the
//            guess and keeps all that was learned.
// Guarantee: the optimum where it ends, with lines that prove it.
// Cost:      exponential; graphs of up to fifty tasks mostly take less than a second.
// Memory:    O(tasks^2) variables and at most 64 MiB of clauses of the model and as much of what is
//            learned.
//            Moldable tasks have a type for each number of processors of a cluster
//            (duet_learn_sizes); a task then counts as often as it takes processors, and sets of
//            tasks are too large where their sizes are in sum. Nothing of that has lines.
// Reference: Ohrimenko, Stuckey, Codish, "Propagation via lazy clause generation", Constraints 14,
//            2009; Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative propagator",
//            Constraints 16, 2011; docs/theory/graphs.md has the rules.
#ifndef DUET_SOLVERS_GRAPH_LEARN_LEARN_H
#define DUET_SOLVERS_GRAPH_LEARN_LEARN_H

#include "core/instance/instance.h"
#include "core/solution/certificate.h"
#include "core/solution/solution.h"
#include "core/system/context.h"

enum { DUET_LEARN_TASKS = 200 };

typedef struct duet_learn duet_learn;

// What the types of an instance are if tasks are moldable: `size[t]` processors of a cluster,
// `base[t]`. Types of one cluster follow each other by rising size.
typedef struct duet_learn_sizes {
    size_t clusters;
    int64_t processors[DUET_MAX_TYPES]; // Of each cluster.
    int64_t price[DUET_MAX_TYPES];      // Of a processor of each cluster, 0 to DUET_LEARN_PRICE.
    int32_t base[DUET_MAX_TYPES];
    int64_t size[DUET_MAX_TYPES];
} duet_learn_sizes;

// For schedules shorter than `solution`, which has placements. *out is NULL where the graph is too
// large: more than DUET_LEARN_TASKS tasks, or too many processors for the clauses that data which
// take time need. DUET_E_MEMORY.
duet_code duet_learn_create(const duet_instance *instance, const duet_context *context,
                            const duet_solution *solution, duet_learn **out, duet_error *error);
// The same for moldable tasks, whose data take no time. `sizes` is the caller's, and must outlive
// it. Of placements, processors are not looked at, and are 0 in those that it writes.
duet_code duet_learn_create_sizes(const duet_instance *instance, const duet_learn_sizes *sizes,
                                  const duet_context *context, const duet_solution *solution,
                                  duet_learn **out, duet_error *error);
void duet_learn_free(duet_learn *learn); // NULL is allowed

// Goes on for about `work` operations, until no schedule is shorter than the best, that is no
// longer than `lower`, a proven bound, or the context stops. First it takes the schedule of
// `solution`, if that is shorter than its own, and at the end it writes its own there, if it is
// shorter than that. The same for the same calls, whatever the machine, unless the context stops.
// DUET_E_MEMORY: what it has found is in `solution`, and it must not be called again.
duet_code duet_learn_run(duet_learn *learn, int64_t lower, int64_t work, duet_solution *solution,
                         duet_error *error);

// No schedule is shorter than the one it wrote last or was given last.
bool duet_learn_is_proven(const duet_learn *learn);
// Whether there are lines that prove that: not if they would be too long.
bool duet_learn_has_proof(const duet_learn *learn);
// The bound with these lines as its certificate, of at most `most` bytes. The caller releases it.
// DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_learn_certify(const duet_learn *learn, const char *name, size_t most,
                             duet_bound *out, duet_error *error);
// Operations and conflicts so far.
int64_t duet_learn_work(const duet_learn *learn);
int64_t duet_learn_conflicts(const duet_learn *learn);

#endif
