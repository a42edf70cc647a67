// SPDX-License-Identifier: Apache-2.0
// Worst cases on task graphs.
//
// Family worst-heteroprio-graph: HeteroPrio has no constant ratio on task graphs.
// Instance:  1 CPU + 1 GPU; three tasks (N, 1), (N, 1), (1, N), the second before the third.
// Optimum:   2: the second task on the GPU, then the first one there beside the third on the CPU.
//            It takes 2 to run the second and the third after one another.
// HeteroPrio: the GPU takes the second task, which has the higher rank, the CPU the first one until
//            N. At 1 the GPU is free and takes the third task, which is ready now, for N: N + 1.
//            The CPU, free at N, would end it at N + 1, not earlier.
//
// Family worst-qa-graph: QA on m CPUs and k <= m GPUs reaches 2 tau + 1 - 1/k, tau = sqrt(m/k), up
// to the rounding of two times.
// Instance:  in this order, with s ticks per 1/k of the optimum: k (k-1) tasks (-, s); m k tasks
//            (s, q), q the largest time with s/q > tau; one task (-, 1), and behind it one of
//            (p, k s), p the longest time with p/(k s) <= tau.
// Optimum:   k s + 1: the last two tasks on a GPU of their own, which take that long anywhere; the
//            first ones on k - 1 GPUs, the next on the CPUs.
// QA:        all on the GPUs, level until (k-1) s + m q; then the last but one, and the last on a
//            CPU: (k-1) s + m q + 1 + p.
// Reference: Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 5.
#include <inttypes.h>

#include "core/system/try.h"
#include "instances/worst/worst.h"

static const duet_option_spec options[] = {
    DUET_OPTION_TICKS(2, "1000", "ticks of a k-th of the optimum by tau rounded up"),
    DUET_OPTIONS_END};

// Of tasks by their numbers.
static void add_edge(duet_worst *worst, int64_t from, int64_t to)
{
    const duet_read_edge edge = {.from = {.task = from}, .to = {.task = to}};
    DUET_THEN(worst->code, duet_builder_add_edge(worst->builder, &edge, worst->error));
}

static duet_code generate_qa(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    duet_int128 m = request->cpus;
    duet_int128 k = request->gpus;
    duet_int128 s;
    duet_int128 q;
    duet_worst_lure(request, &s, &q);
    duet_int128 p = duet_worst_root(k * s * s * m); // p^2 k <= (k s)^2 m
    duet_worst worst = duet_worst_begin(builder, error, "worst-qa-graph-%" PRId64 "-%" PRId64,
                                        request->cpus, request->gpus);
    duet_worst_add(&worst, "gpu-only", -1, k * (k - 1), DUET_WORST_FORBIDDEN, s);
    duet_worst_add(&worst, "lured", -1, m * k, s, q);
    duet_worst_add(&worst, "gate", -1, 1, DUET_WORST_FORBIDDEN, 1);
    duet_worst_add(&worst, "last", -1, 1, p, k * s);
    add_edge(&worst, duet_builder_tasks(builder) - 2, duet_builder_tasks(builder) - 1);
    duet_read_claim claim = {.algorithm = "qa",
                             .limit = "2 tau + 1 - 1/k",
                             .source = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, "
                                       "theorem 5"};
    return duet_worst_end(&worst, &claim, k * s + 1, (k - 1) * s + m * q + 1 + p);
}

const duet_family duet_family_worst_qa_graph = {
    {.name = "worst-qa-graph",
     .summary = "qa on a task graph, on m CPUs and k <= m GPUs",
     .guarantee = "towards 2 tau + 1 - 1/k, tau = sqrt(m/k)",
     .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, theorem 5",
     .options = options},
    0,
    0,
    generate_qa,
    duet_worst_more_cpus};

static duet_code platform(duet_family_request *request, duet_error *error)
{
    return duet_worst_fixed_platform(request, 1, 1, error);
}

static duet_code generate_heteroprio(duet_family_request *request, duet_builder *builder,
                                     duet_error *error)
{
    int64_t n = request->n;
    duet_worst worst = duet_worst_begin(builder, error, "worst-heteroprio-graph-%" PRId64, n);
    duet_worst_add(&worst, "a", -1, 1, n, 1);
    duet_worst_add(&worst, "b", -1, 1, n, 1);
    duet_worst_add(&worst, "c", -1, 1, 1, n);
    add_edge(&worst, 1, 2);
    duet_read_claim claim = {.algorithm = "heteroprio", .limit = "unbounded", .source = "Duet"};
    return duet_worst_end(&worst, &claim, 2, n + 1);
}

const duet_family duet_family_worst_heteroprio_graph = {
    {.name = "worst-heteroprio-graph",
     .summary = "heteroprio on a task graph of three tasks, on 1 CPU + 1 GPU; N is a time",
     .guarantee = "(N+1)/2, unbounded",
     .reference = ""},
    100,
    1000000000,
    generate_heteroprio,
    platform};
