// SPDX-License-Identifier: Apache-2.0
// The tuning constants of the search of task graphs. They change how good a schedule is after some
// work, never whether it is one. Units of counted work stand beside the
// code that counts them.
//
// docs/tuning.csv has what half and twice of each give on the sets random and tiles of
// scripts/tuning.py, seeds 1 to 4, by two rounds of graph-search. Some that do nothing there
// were tried on its set varied, too. The brackets behind the comments are its verdicts; a constant
// without one is not measured yet.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_TUNING_H
#define DUET_HEURISTICS_GRAPH_SEARCH_TUNING_H

#include <stdint.h>

// The search as a whole.
enum {
    // A round has this number of searches if the result must not depend on the number of threads.
    // [kept]
    DUET_GRAPH_SEARCH_SEARCHES = 16,
    // Together these do the work of two whole ones. [kept, doubled]
    DUET_GRAPH_SEARCH_WHOLE = 2,
    // Searches of a round exchange walks ten times. [kept]
    DUET_GRAPH_SEARCH_EXCHANGES = 10,
    // The first eighth of the walks goes on in place of the last one, too. [kept]
    DUET_GRAPH_SEARCH_WINNERS = 8,
    // A round has at most 64 searches; further threads stay idle. [fixed]
    DUET_GRAPH_SEARCH_MOST_SEARCHES = 64,
    // Acts where another schedule is improved without a deadline, in this number of rounds.
    // [nothing]
    DUET_GRAPH_SEARCH_IMPROVING_ROUNDS = 4,
    // Dispatches take at most 1/8 of a round's work. [kept, halved]
    DUET_GRAPH_SEARCH_DISPATCH_SHARE = 8,
};

// Rounds.
enum {
    // Annealing places 16,000 tasks for each task of the graph in the first round. [kept, doubled]
    DUET_GRAPH_ROUND_TASKS_EACH = 16000,
    // Guards the size of numbers: the work of a round doubles at most 30 times. [nothing]
    DUET_GRAPH_ROUND_MOST_DOUBLINGS = 30,
    // The first four rounds try both directions. [halved, kept]
    DUET_GRAPH_ROUND_TRIALS = 4,
    // The first two rounds of a large graph try both directions. Acts from the third round on.
    // [nothing]
    DUET_GRAPH_ROUND_LARGE_TRIALS = 2,
    // The tasks of a large graph are of few kinds where each has 16 of them or more in the mean.
    // Acts in larger graphs, from the second round on. [nothing]
    DUET_GRAPH_ROUND_UNIFORM_TASKS = 16,
    // There, the second of each three rounds tries an allocation. [nothing, nothing, kept]
    DUET_GRAPH_ROUND_TRIAL_PERIOD = 3,
    // If time is limited, the first two of these rounds, one of lists and one of allocations, take
    // a fourth of it each. Acts under a deadline. [nothing]
    DUET_GRAPH_ROUND_TRIAL_PARTS = 4,
    // If data take time, each of the first four rounds has at most a sixth of it, so that pins are
    // tried. Chosen on 17 mixed graphs with costs in 0.1 and 0.5 s. Acts under a deadline.
    // [nothing]
    DUET_GRAPH_ROUND_PIN_PARTS = 6,
    // A graph of more than 1,000 tasks is large. Acts in larger graphs. [nothing, nothing, kept]
    DUET_GRAPH_ROUND_LARGE_TASKS = 1000,
    // The first round of a large graph takes 1/3 of the usual work. [nothing, nothing, doubled]
    DUET_GRAPH_ROUND_LARGE_FIRST_SHARE = 3,
    // A graph of fewer than 24 tasks is searched until it counts as exhausted. [doubled, nothing]
    DUET_GRAPH_ROUND_SMALL_TASKS = 24,
    // In the first round a small graph places each task at most 8 times for each set of its tasks.
    // It is exhausted after 8 moves for each such set and each task. Acts in graphs of fewer than
    // 12 tasks, and where a small one is searched for many rounds. [nothing]
    DUET_GRAPH_ROUND_MOVES_A_SET = 8,
    // It is exhausted after 4 times as many moves if data take time: then each processor matters.
    // Acts where a small graph is searched for many rounds. [nothing]
    DUET_GRAPH_ROUND_COST_FACTOR = 4,
    // A round that shortened the best schedule by less than 1/1000 was in vain. Acts from the third
    // round of a large graph on. [nothing]
    DUET_GRAPH_ROUND_LEAST_GAIN_SHARE = 1000,
    // A round in vain counts as 4, so that the other direction is tried sooner. Acts from the third
    // round of a large graph on. [nothing]
    DUET_GRAPH_ROUND_VAIN_FACTOR = 4,
    // A trial round of a large graph is the last one if the time left is less than two rounds of
    // its length. Acts under a deadline. [nothing]
    DUET_GRAPH_ROUND_ONE_MORE = 2,
    // A later round of a large graph that should try both directions is the last one if the time
    // left is less than three rounds of its length: itself and one twice as long. Acts under a
    // deadline. [nothing]
    DUET_GRAPH_ROUND_DOUBLING = 3,
    // Any other round is the last one if the time left is less than seven rounds of its length:
    // itself and two that double. Acts under a deadline. [nothing]
    DUET_GRAPH_ROUND_DOUBLING_TWICE = 7,
    // Where all rounds anneal allocations, each direction is tried in 1/8 of the time left. Acts
    // under a deadline. [nothing]
    DUET_GRAPH_ROUND_TRIAL_SHARE = 8,
    // Such a round is four times as fast as all that went before it, by which its work is
    // estimated. Acts under a deadline. [nothing]
    DUET_GRAPH_ROUND_FASTER = 4,
    // 1/20 of a round's work re-optimises windows. Acts where a round has one search, as one under
    // a deadline has on one thread. [nothing]
    DUET_GRAPH_ROUND_WINDOW_SHARE = 20,
    // 1/80 of it does in large graphs, whose annealing gains more. Acts where a round has one
    // search. [nothing]
    DUET_GRAPH_ROUND_LARGE_WINDOW_SHARE = 80,
    // 1/40 of it does where searches share it, as none of them goes on beside windows. [kept,
    // halved]
    DUET_GRAPH_ROUND_SHARED_WINDOW_SHARE = 40,
    // Guards against vain work: windows are left out where their share is less than four passes
    // over all tasks. [nothing]
    DUET_GRAPH_ROUND_LEAST_SWEEPS = 4,
};
// Guards time: annealing places at most 30 million tasks in the first round. [nothing]
#define DUET_GRAPH_ROUND_FIRST_TASKS INT64_C(30000000)
// Annealing places 0.03 tasks a nanosecond until the pace of this search is known. Acts under a
// deadline. [nothing]
#define DUET_GRAPH_ROUND_USUAL_PACE 0.03
// A schedule whose annealed part is more than 0.4 of it loses time widely. Acts under a deadline.
// [nothing]
#define DUET_GRAPH_ROUND_WIDE_LOSS 0.4

// Temperatures, as shares of the makespan. Annealing begins at this temperature where there are
// moves enough for each task. [kept]
#define DUET_COOLING_HOTTEST 0.01
// It never begins below this temperature. [nothing, nothing, either]
#define DUET_COOLING_COOLEST 0.0003
// This number of moves for each task is enough for the hottest temperature. [nothing, nothing,
// kept]
#define DUET_COOLING_MOVES_EACH 40.0
// The last temperature is this share of the first one. [halved, doubled]
#define DUET_COOLING_COLD 0.02

// Annealing.
enum {
    // The clock is looked at after 256 moves. [kept]
    DUET_ANNEAL_LOOK_MOVES = 256,
    // Guards the deadline: the clock is looked at after 400,000 positions that were read. [nothing]
    DUET_ANNEAL_LOOK_WORK = 400000,
    // The list is sorted by starts after every 4,096 moves. [kept]
    DUET_ANNEAL_SORT_MOVES = 4096,
    // A task moves at most 64 positions in the list. [kept]
    DUET_ANNEAL_FARTHEST = 64,
    // The partner of a task is looked for at most 12 positions away. [kept]
    DUET_ANNEAL_NEAR = 12,
    // A partner is looked for four times. [kept]
    DUET_ANNEAL_TRIES = 4,
    // The processors' weighted work is looked at 16 positions after a change. [kept]
    DUET_ANNEAL_AREA_POSITIONS = 16,
    // The target is 1/200 below the best schedule, also that of window re-optimisation. [kept]
    DUET_ANNEAL_TARGET_SHARE = 200,
    // The share of moves that pick a tardy task, whatever the move is. [halved, kept]
    DUET_ANNEAL_TARDY_PERCENT = 50,
    // The share of moves that change the type, or the processor, of a task. [kept]
    DUET_ANNEAL_FLIP_PERCENT = 50,
    // The share of moves that exchange two tasks of the list; the rest shift one. [kept]
    DUET_ANNEAL_EXCHANGE_PERCENT = 20,
    // The share of changes of a type, or a processor, that look for a partner, which changes the
    // other way. [kept]
    DUET_ANNEAL_PAIR_PERCENT = 90,
    // The share of changes of a processor that take that of a neighbour in the graph. Acts where
    // data take time, from the third round on. [nothing]
    DUET_ANNEAL_NEIGHBOUR_PERCENT = 50,
};
// A change may raise the processors' weighted work by at most half a temperature. [kept]
#define DUET_ANNEAL_AREA_SHARE 0.5

// Annealing of allocations. Chosen on Cholesky of 20 tiles, double precision, tile 960, on 15 CPUs
// and one H200.
enum {
    // Tasks are in 126 classes by the ratio of their time away to that at home, two an octave.
    // [fixed]
    DUET_ALLOCATION_CLASSES = 126,
    // From this class on tasks take 64 times as long away from home. No node of K40s has such. Acts
    // on graphs of more than 1,000 such tasks. [nothing, nothing, halved]
    DUET_ALLOCATION_MUCH = 12,
    // A task that an evaluation places costs as much as six that annealing of lists places.
    // [nothing, nothing, halved]
    DUET_ALLOCATION_TASK_WORK = 6,
    // The bottom levels of three tasks cost as much as one of these. [nothing, nothing, kept]
    DUET_ALLOCATION_TASKS_A_LEVEL = 3,
    // Shares of moves, in percent: a task changes its type; one comes home and another goes in its
    // place; the rest bring those home that lose much. Chosen on Cholesky of 18 and 20
    // tiles, row hopper-double-960, on 12 and 17 CPUs and one GPU. [nothing, nothing, doubled]
    DUET_ALLOCATION_FLIP_PERCENT = 20,
    DUET_ALLOCATION_SWAP_PERCENT = 40, // [nothing, nothing, doubled]
    // The share of draws from the class of which a part is away where loads are about equal.
    // [nothing, nothing, either]
    DUET_ALLOCATION_MARGINAL_PERCENT = 60,
    // The share of exchanges within a class. [nothing, nothing, either]
    DUET_ALLOCATION_SAME_CLASS_PERCENT = 90,
    // The share of exchanges of tasks that start at about the same time. [nothing, nothing, halved]
    DUET_ALLOCATION_NEAR_PERCENT = 60,
    // The share of exchanges with the first task of a class on a walk of up to four edges.
    // [nothing, nothing, either]
    DUET_ALLOCATION_LINKED_PERCENT = 40,
    DUET_ALLOCATION_STEPS = 4, // [nothing, nothing, doubled]
    // An exchange by starts draws 12 tasks and takes the one that starts nearest. [nothing,
    // nothing, either]
    DUET_ALLOCATION_DRAWS = 12,
    // The first task that a move brings home is the one that loses most of six that were drawn.
    // [nothing, nothing, either]
    DUET_ALLOCATION_RIVALS = 6,
    // A fourth of a round polishes the list of the allocation. Acts in trials of graphs that are
    // not large, from the third round on. [nothing]
    DUET_ALLOCATION_POLISH_SHARE = 4,
    // A 1/32 of it does in large graphs, whose lists gain next to nothing by then. [nothing,
    // nothing, halved]
    DUET_ALLOCATION_LARGE_POLISH_SHARE = 32,
    // A move that brings a task home draws a second one to bring home, too. It draws again with
    // this probability each time, and takes the one that starts nearest. [nothing, nothing, halved]
    DUET_ALLOCATION_TWO_PERCENT = 60,
};
// Annealing of allocations begins at this temperature, as a share of the makespan. [nothing,
// nothing, halved]
#define DUET_ALLOCATION_HOT 0.001
// Its last temperature is this share of the first one. [nothing, nothing, either]
#define DUET_ALLOCATION_COLD 0.05

// Lists.
enum {
    // Guards time: processors of a type are searched one by one up to this number, and sorted
    // beyond it, with the same result. [nothing]
    DUET_ACTIVITY_FEW = 8,
    // Checkpoints are at least 8 positions apart. [kept, halved]
    DUET_ACTIVITY_LEAST_STRIDE = 8,
    // Guards memory: all checkpoints together, two copies of each, take about twice this many
    // entries a task. [nothing]
    DUET_ACTIVITY_CHECKPOINT_ENTRIES = 3,
    // Weighted work is not looked at where fewer than 8 tasks are left for each processor.
    // [nothing, kept]
    DUET_ACTIVITY_BUSY_TASKS = 8,
    // The end of a change is looked for again after 1/8 of the distance that it has reached. [kept,
    // doubled]
    DUET_ACTIVITY_SETTLING_SHARE = 8,
};

// Dispatches.
enum {
    // Each draw of parameters is dispatched four times, by the ends of the schedule before. [kept,
    // doubled]
    DUET_DISPATCH_TURNS = 4,
    // A dispatched task costs as much as five tasks that annealing places. [kept, halved]
    DUET_DISPATCH_TASK_WORK = 5,
};
// Guards against ties: what is behind a task decides between losses that differ by less than this
// share. [nothing]
#define DUET_DISPATCH_TIE 1e-6

// Window re-optimisation.
enum {
    // A window has six tasks. [fixed]
    DUET_SWEEP_TASKS = 6,
    // The branch and bound of a window has at most 2,000 nodes. [kept]
    DUET_SWEEP_NODES = 2000,
    // A node takes the work of one task, and of one more for every 16 processors. [nothing, kept]
    DUET_SWEEP_PROCESSORS_A_TASK = 16,
    // Guards time: windows are left out on more processors, which are sorted for each. [nothing]
    DUET_SWEEP_MOST_PROCESSORS = 4096,
};

// The idle profile of a schedule.
enum {
    // The profile divides the schedule's time into 100 parts. [fixed]
    DUET_IDLE_PARTS = 100,
};
// A round anneals the shortest end with 85 % of what its half loses. [nothing, nothing, either]
#define DUET_IDLE_MOST_SHARE 0.85

#endif
