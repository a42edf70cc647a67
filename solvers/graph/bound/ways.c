// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/bound/ways.h"

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
static const duet_way *ways_of(const duet_ways *ways, int *count)
{
    static const duet_way few[] = {DUET_WAY_PLAIN, DUET_WAY_SHAVED};
    static const duet_way some[] = {DUET_WAY_RELAXED, DUET_WAY_PLAIN, DUET_WAY_TIMED,
                                    DUET_WAY_SHAVED};
    static const duet_way unlike[] = {DUET_WAY_PLAIN, DUET_WAY_RELAXED, DUET_WAY_TIMED,
                                      DUET_WAY_SHAVED};
    static const duet_way many[] = {DUET_WAY_TIMED, DUET_WAY_RELAXED, DUET_WAY_PLAIN};
    int64_t tasks = ways->tasks;
    *count = tasks <= DUET_WAYS_FEW_TASKS ? 2 : tasks <= SHAVED_TASKS ? 4 : 3;
    if (ways->plain_first) {
        return unlike;
    }
    return tasks <= DUET_WAYS_FEW_TASKS ? few : tasks <= SOME_TASKS ? some : many;
}

bool duet_ways_are_alike(int64_t tasks, int64_t kinds)
{
    return kinds <= tasks / ALIKE;
}

void duet_ways_begin(duet_ways *ways, int64_t tasks, int64_t kinds)
{
    int count;
    *ways = (duet_ways){.tasks = tasks, .alike = duet_ways_are_alike(tasks, kinds)};
    ways->plain_first = !ways->alike && tasks > DUET_WAYS_FEW_TASKS && tasks <= SHAVED_TASKS;
    ways->way = ways_of(ways, &count)[0];
}

int64_t duet_ways_nodes(const duet_ways *ways)
{
    int64_t tasks = ways->tasks;
    int64_t nodes = tasks > USUAL_TASKS ? (int64_t)FIRST_NODES * USUAL_TASKS / tasks : FIRST_NODES;
    nodes = duet_max(nodes, LEAST_NODES);
    for (int i = 0; i < ways->times[ways->way] && nodes < INT64_C(1) << 40; i++) {
        nodes *= NODE_FACTOR;
    }
    if (ways->way == DUET_WAY_TIMED && !ways->alike) {
        nodes = nodes / TIMED_NODE + 1;
    }
    if (ways->way == DUET_WAY_SHAVED) {
        nodes /= tasks > DUET_WAYS_FEW_TASKS ? tasks : SHAVED_NODE * tasks;
    }
    return nodes;
}

// Of few tasks both ways take turns: what they cost is alike.
void duet_ways_note(duet_ways *ways, int64_t work, int64_t nodes, bool refuted)
{
    int64_t *vain = &ways->vain[ways->way];
    int64_t kept = ways->plain_first ? 0 : *vain / 2; // where it refutes
    ways->full = ways->plain_first && refuted && nodes > duet_ways_nodes(ways) / 2;
    if (ways->tasks <= DUET_WAYS_FEW_TASKS) {
        return;
    }
    work *= ways->alike && ways->way != DUET_WAY_TIMED ? ALIKE_WEIGHT : 1;
    *vain = refuted ? kept : *vain + work;
}

// Whether one way comes before another.
static bool is_before(const duet_ways *ways, duet_way one, duet_way other)
{
    return ways->vain[one] != ways->vain[other] ? ways->vain[one] < ways->vain[other]
                                                : ways->times[one] < ways->times[other];
}

void duet_ways_next(duet_ways *ways, bool left_out)
{
    int count;
    const duet_way *list = ways_of(ways, &count);
    int64_t *vain = &ways->vain[ways->way];
    ways->times[ways->way]++;
    if (ways->full) { // it goes on with more nodes
        ways->full = false;
        return;
    }
    for (int i = 0; i < count && left_out; i++) { // its turn is over
        *vain = duet_max(ways->vain[list[i]], *vain);
    }
    ways->way = list[0];
    for (int i = 1; i < count; i++) {
        ways->way = is_before(ways, list[i], ways->way) ? list[i] : ways->way;
    }
}
