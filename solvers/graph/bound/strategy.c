// SPDX-License-Identifier: Apache-2.0
// Which branching strategy the next tree uses; see strategy.h.
#include "solvers/graph/bound/strategy.h"

#include "core/number/minmax.h"
#include "solvers/graph/bound/tuning.h"

// The strategies that are tried, in the order of their first phases. Few tasks have no programs.
// Shaving, the last one, is left out if it would take too long.
static const duet_strategy *strategies_of(const duet_strategy_choice *choice, int *count)
{
    static const duet_strategy few[] = {DUET_STRATEGY_PLAIN, DUET_STRATEGY_SHAVING};
    static const duet_strategy some[] = {DUET_STRATEGY_PROGRAM, DUET_STRATEGY_PLAIN,
                                         DUET_STRATEGY_TIME_INDEXED, DUET_STRATEGY_SHAVING};
    static const duet_strategy unlike[] = {DUET_STRATEGY_PLAIN, DUET_STRATEGY_PROGRAM,
                                           DUET_STRATEGY_TIME_INDEXED, DUET_STRATEGY_SHAVING};
    static const duet_strategy many[] = {DUET_STRATEGY_TIME_INDEXED, DUET_STRATEGY_PROGRAM,
                                         DUET_STRATEGY_PLAIN};
    int64_t tasks = choice->tasks;
    *count = tasks <= DUET_STRATEGY_FEW_TASKS ? 2 : tasks <= DUET_STRATEGY_SHAVED_TASKS ? 4 : 3;
    if (choice->plain_first) {
        return unlike;
    }
    return tasks <= DUET_STRATEGY_FEW_TASKS ? few : tasks <= DUET_STRATEGY_SOME_TASKS ? some : many;
}

bool duet_strategy_are_alike(int64_t tasks, int64_t kinds)
{
    return kinds <= tasks / DUET_STRATEGY_ALIKE;
}

void duet_strategy_begin(duet_strategy_choice *choice, int64_t tasks, int64_t kinds)
{
    int count;
    *choice =
        (duet_strategy_choice){.tasks = tasks, .alike = duet_strategy_are_alike(tasks, kinds)};
    choice->plain_first =
        !choice->alike && tasks > DUET_STRATEGY_FEW_TASKS && tasks <= DUET_STRATEGY_SHAVED_TASKS;
    choice->current = strategies_of(choice, &count)[0];
}

int64_t duet_strategy_nodes(const duet_strategy_choice *choice)
{
    int64_t tasks = choice->tasks;
    int64_t nodes = tasks > DUET_STRATEGY_USUAL_TASKS
                        ? (int64_t)DUET_STRATEGY_FIRST_NODES * DUET_STRATEGY_USUAL_TASKS / tasks
                        : DUET_STRATEGY_FIRST_NODES;
    nodes = duet_max(nodes, 1);
    for (int i = 0; i < choice->times[choice->current] && nodes < INT64_C(1) << 40; i++) {
        nodes *= DUET_BOUND_GROWTH;
    }
    if (choice->current == DUET_STRATEGY_TIME_INDEXED && !choice->alike) {
        nodes = nodes / DUET_STRATEGY_TIMED_NODE + 1;
    }
    if (choice->current == DUET_STRATEGY_SHAVING) {
        nodes /= tasks;
    }
    return nodes;
}

// Of few tasks both strategies take turns: what they cost is alike.
void duet_strategy_note(duet_strategy_choice *choice, int64_t work, int64_t nodes, bool refuted)
{
    int64_t *vain = &choice->vain[choice->current];
    int64_t kept = choice->plain_first ? 0 : *vain / 2; // where it refutes
    choice->full = choice->plain_first && refuted && nodes > duet_strategy_nodes(choice) / 2;
    if (choice->tasks <= DUET_STRATEGY_FEW_TASKS) {
        return;
    }
    work *= choice->alike && choice->current != DUET_STRATEGY_TIME_INDEXED
                ? DUET_STRATEGY_ALIKE_WEIGHT
                : 1;
    *vain = refuted ? kept : *vain + work;
}

// Whether one strategy comes before another.
static bool is_before(const duet_strategy_choice *choice, duet_strategy one, duet_strategy other)
{
    return choice->vain[one] != choice->vain[other] ? choice->vain[one] < choice->vain[other]
                                                    : choice->times[one] < choice->times[other];
}

void duet_strategy_next(duet_strategy_choice *choice, bool left_out)
{
    int count;
    const duet_strategy *list = strategies_of(choice, &count);
    int64_t *vain = &choice->vain[choice->current];
    choice->times[choice->current]++;
    if (choice->full) { // it goes on with more nodes
        choice->full = false;
        return;
    }
    for (int i = 0; i < count && left_out; i++) { // its turn is over
        *vain = duet_max(choice->vain[list[i]], *vain);
    }
    choice->current = list[0];
    for (int i = 1; i < count; i++) {
        choice->current = is_before(choice, list[i], choice->current) ? list[i] : choice->current;
    }
}
