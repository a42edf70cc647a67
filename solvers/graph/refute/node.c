// SPDX-License-Identifier: Apache-2.0
// The propagators of a node.
// Method:    each propagator describes itself in a row: what it costs, when it is called, on which
//            graphs. The loop runs down the table, round by round, until none narrows a window.
// Guarantee: each conclusion is a line of the proof, and propagated before the next row.
// Cost:      that of the rows.
// Memory:    none of its own.
// Reference: Achterberg, "SCIP: solving constraint integer programs", Mathematical Programming
//            Computation 1, 2009, for propagators that state priority and frequency as data.
#include "solvers/graph/refute/node.h"

#include "solvers/graph/refute/tuning.h"

bool duet_refute_stop(const duet_refuter *refuter)
{
    duet_windows_tell(&refuter->windows);
    return refuter->code != DUET_OK || refuter->windows.code != DUET_OK ||
           refuter->windows.proof.lost || duet_context_stop(refuter->context);
}

// Heads and tails along the edges.
static bool narrow_by_edges(duet_refuter *refuter)
{
    duet_windows_propagate(&refuter->windows);
    return false; // Nothing is left to follow.
}

static bool narrow_by_energy(duet_refuter *refuter)
{
    return duet_energy_delay(&refuter->energy);
}

static bool narrow_by_shift(duet_refuter *refuter)
{
    bool any = duet_windows_shift(&refuter->windows);
    duet_windows_propagate(&refuter->windows);
    return any;
}

static bool narrow_by_one_machine(duet_refuter *refuter)
{
    return duet_one_machine_narrow(&refuter->machine);
}

static bool narrow_by_colocation(duet_refuter *refuter)
{
    return duet_colocation_narrow(&refuter->colocation);
}

static bool look_at_intervals(duet_refuter *refuter)
{
    if (refuter->points > 0) {
        duet_energy_overload(&refuter->energy, refuter->points);
    }
    return false; // It refutes, or says nothing.
}

const duet_propagator duet_propagators[DUET_PROPAGATORS] = {
    {.name = "edges",
     .cost = "O(edges) a pass",
     .when = DUET_BEFORE_ROUNDS,
     .priority = 100,
     .first_tasks = INT64_MAX,
     .tasks = INT64_MAX,
     .narrow = narrow_by_edges},
    {.name = "ancestors' work",
     .cost = "O(closure x prices) for the tasks behind a change",
     .when = DUET_IN_ROUNDS,
     .priority = 90,
     .first_tasks = INT64_MAX,
     .tasks = INT64_MAX,
     .narrow = narrow_by_energy},
    {.name = "left shift",
     .cost = "O(tasks^2)",
     .when = DUET_IN_ROUNDS,
     .priority = 80,
     .first_tasks = DUET_REFUTE_SHIFTED_TASKS,
     .tasks = DUET_REFUTE_SHIFTED_TASKS,
     .narrow = narrow_by_shift},
    {.name = "edge finding",
     .cost = "O(tasks^2) for a type with one processor",
     .when = DUET_IN_ROUNDS,
     .priority = 70,
     .first_tasks = INT64_MAX,
     .tasks = INT64_MAX,
     .narrow = narrow_by_one_machine},
    {.name = "co-location",
     .cost = "O(tasks x types x edges into 128 tasks), where data take time",
     .when = DUET_IN_ROUNDS,
     .priority = 60,
     .first_tasks = INT64_MAX,
     .tasks = DUET_REFUTE_COLOCATED_TASKS,
     .narrow = narrow_by_colocation},
    {.name = "overloaded intervals",
     .cost = "O(points^2 x tasks x prices)",
     .when = DUET_AFTER_ROUNDS,
     .priority = 50,
     .first_tasks = INT64_MAX,
     .tasks = INT64_MAX,
     .narrow = look_at_intervals},
};

// Calls the propagators of a timing in a round. Whether any of them narrowed a window.
static bool call_all(duet_refuter *refuter, duet_propagator_timing when, int round)
{
    int64_t tasks = refuter->windows.tasks;
    bool any = false;
    for (size_t i = 0; i < DUET_PROPAGATORS; i++) {
        const duet_propagator *row = &duet_propagators[i];
        if (row->when == when && tasks <= (round == 0 ? row->first_tasks : row->tasks)) {
            any = row->narrow(refuter) || any;
        }
    }
    return any;
}

void duet_refute_propagate(duet_refuter *refuter, int rounds, size_t points)
{
    bool any = true;
    refuter->points = points;
    call_all(refuter, DUET_BEFORE_ROUNDS, 0);
    for (int i = 0; i < rounds && any && !refuter->windows.refuted && !duet_refute_stop(refuter);
         i++) {
        any = call_all(refuter, DUET_IN_ROUNDS, i);
    }
    call_all(refuter, DUET_AFTER_ROUNDS, 0);
}
