// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/bound/strategy.h"

#include "core/number/minmax.h"

enum {
    FIRST_NODES = 100,  // of the first stage of a way, for up to
    USUAL_TASKS = 100,  // so many tasks; fewer for more,
    LEAST_NODES = 8,    // but so many
    NODE_FACTOR = 4,    // from stage to stage
    SHAVED_NODE = 4,    // plain nodes for one that is shaved, for each task, without programs
    TIMED_NODE = 4,     // for one with prices, unless tasks are alike
    SHAVED_TASKS = 160, // up to so many tasks the nodes of a way are shaved,
    SOME_TASKS = 300,   // and up to so many the program comes before prices over time
    ALIKE = 4,          // so many tasks of a kind, in the mean, are many:
    ALIKE_WEIGHT = 8    // work in vain on cases of single tasks without prices counts so much
};

// The ways that are tried, in the order of their first stages. Few tasks have no programs, and
// shaving, the last of some, is left out where it would take too long.
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
    *count = tasks <= DUET_STRATEGY_FEW_TASKS ? 2 : tasks <= SHAVED_TASKS ? 4 : 3;
    if (choice->plain_first) {
        return unlike;
    }
    return tasks <= DUET_STRATEGY_FEW_TASKS ? few : tasks <= SOME_TASKS ? some : many;
}

bool duet_strategy_are_alike(int64_t tasks, int64_t kinds)
{
    return kinds <= tasks / ALIKE;
}

void duet_strategy_begin(duet_strategy_choice *choice, int64_t tasks, int64_t kinds)
{
    int count;
    *choice =
        (duet_strategy_choice){.tasks = tasks, .alike = duet_strategy_are_alike(tasks, kinds)};
    choice->plain_first =
        !choice->alike && tasks > DUET_STRATEGY_FEW_TASKS && tasks <= SHAVED_TASKS;
    choice->current = strategies_of(choice, &count)[0];
}

int64_t duet_strategy_nodes(const duet_strategy_choice *choice)
{
    int64_t tasks = choice->tasks;
    int64_t nodes = tasks > USUAL_TASKS ? (int64_t)FIRST_NODES * USUAL_TASKS / tasks : FIRST_NODES;
    nodes = duet_max(nodes, LEAST_NODES);
    for (int i = 0; i < choice->times[choice->current] && nodes < INT64_C(1) << 40; i++) {
        nodes *= NODE_FACTOR;
    }
    if (choice->current == DUET_STRATEGY_TIME_INDEXED && !choice->alike) {
        nodes = nodes / TIMED_NODE + 1;
    }
    if (choice->current == DUET_STRATEGY_SHAVING) {
        nodes /= tasks > DUET_STRATEGY_FEW_TASKS ? tasks : SHAVED_NODE * tasks;
    }
    return nodes;
}

// Of few tasks both ways take turns: what they cost is alike.
void duet_strategy_note(duet_strategy_choice *choice, int64_t work, int64_t nodes, bool refuted)
{
    int64_t *vain = &choice->vain[choice->current];
    int64_t kept = choice->plain_first ? 0 : *vain / 2; // where it refutes
    choice->full = choice->plain_first && refuted && nodes > duet_strategy_nodes(choice) / 2;
    if (choice->tasks <= DUET_STRATEGY_FEW_TASKS) {
        return;
    }
    work *= choice->alike && choice->current != DUET_STRATEGY_TIME_INDEXED ? ALIKE_WEIGHT : 1;
    *vain = refuted ? kept : *vain + work;
}

// Whether one way comes before another.
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
