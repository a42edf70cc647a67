// SPDX-License-Identifier: Apache-2.0
// What the replay in SimGrid holds the simulation to: the runs and edges of an instance and its
// solution, as their files say. Read here without Duet.
#ifndef DUET_TESTS_SIMGRID_CLAIMS_H
#define DUET_TESTS_SIMGRID_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include <simgrid/forward.h>

typedef struct run {
    const char *task;
    size_t type;
    size_t processor;
    double start; // claimed, in ticks
    double end;
    double length;       // the instance's time, in ticks
    struct run *aborted; // the run of the same task that this one takes over
    bool gives_up;
    sg_actor_t actor;
    bool complete;
    double began; // simulated
    double ended;
} run;

// An edge of a task graph, between the runs that count.
typedef struct edge {
    run *from;
    run *to;
    long cost;     // ticks on the way; 0: none, or on the same processor
    sg_sem_t sent; // the first task has ended
    sg_comm_t data;
    void *received;
    bool here; // the data have arrived
} edge;

// All of it; SimGrid's actors are given no pointers.
typedef struct claims {
    run *runs; // by processor, in the order in which each executes them
    size_t run_count;
    edge *edges;
    size_t edge_count;
    double makespan; // ticks
} claims;
extern claims all;

// Reads both files; ends the program where they cannot be.
void read_claims(const char *instance, const char *solution);
void free_claims(void);
_Noreturn void fail(const char *what, const char *about);

#endif
