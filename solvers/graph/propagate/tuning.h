// SPDX-License-Identifier: Apache-2.0
// The tuning constants of propagators. They change how long a refutation takes and what it leaves
// open, never what a proof says.
//
// docs/tuning.csv has what half and twice of each give on the sets plain and costs of
// scripts/tuning.py, seeds 1 to 4, by the bounds propagation and shaving. The brackets behind the
// comments are its verdicts; a constant without one is not measured yet.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_TUNING_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_TUNING_H

enum {
    // Guards memory and files: a longer proof is given up, also one of the learning search.
    // [nothing]
    DUET_WINDOWS_PROOF_BYTES = 256 << 20,
    // Guards memory: a transitive closure of more pairs is not listed. [nothing]
    DUET_CLOSURE_PAIRS = 1 << 24,
    DUET_ENERGY_CANDIDATES = 12,     // At most this many price vectors are tried. [fixed]
    DUET_ENERGY_KIND_CANDIDATES = 6, // This many of them are taken from kinds. [kept, nothing]
    // Guards the size of numbers: prices are integers below two to the power of this. [nothing]
    DUET_ENERGY_PRICE_BITS = 20,
    // Guards time: suppositions look at this many intervals, the fullest. Judged on layered graphs
    // of 40 tasks on 2 CPUs and 1 GPU, and of 50 tasks on 7 CPUs and 1 GPU. [nothing]
    DUET_ENERGY_KEPT = 32,
    DUET_ENERGY_KEPT_POINTS =
        8, // These are chosen among intervals between as many times. [kept, nothing]
    // Guards time: insertion sort gives way to merging after these steps a task, with the same
    // result. [nothing]
    DUET_ENERGY_SORT_STEPS = 8,
    // Guards the deadline: operations between two looks at the context. [nothing]
    DUET_ENERGY_GLANCE = 1000000,
    // The tasks of larger graphs are delayed level by level, so that threads can share them. Acts
    // on graphs of more than 500 tasks. [nothing]
    DUET_ENERGY_LEVELLED_TASKS = 500,
    // Delays of at most this many tasks, none of which is before another, are found at the same
    // time. [fixed]
    DUET_ENERGY_BATCH = 64,
    // Threads share a batch of at least this many operations, about a tenth of a millisecond. Acts
    // where there are several threads. [nothing]
    DUET_ENERGY_BATCH_WORK = 150000,
    // At most this many threads share it, and as many are counted on. [fixed]
    DUET_ENERGY_THREADS = 16,
    // Guards time and memory: types where more tasks may run have no edge finding. [nothing]
    DUET_ONE_MACHINE_TASKS = 512,
    // Guards time and memory: a question gathers at most this many tasks. [nothing]
    DUET_COLOCATION_TASKS = 128,
    // Guards the deadline: tasks between two looks at the context. [nothing]
    DUET_COLOCATION_GLANCE = 64,
};

#endif
