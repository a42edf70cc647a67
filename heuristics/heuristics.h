// SPDX-License-Identifier: Apache-2.0
// The list and online schedulers (list itself is in solvers/graph/), in the order of the registry:
// one line each, which declares the row duet_algorithm_NAME and puts it into the table of
// solvers/registry.c.
#ifndef DUET_HEURISTICS_HEURISTICS_H
#define DUET_HEURISTICS_HEURISTICS_H

#include "core/algorithm.h"

#define DUET_HEURISTICS(ROW)                                                                       \
    ROW(balanced_estimate)                                                                         \
    ROW(balanced_makespan)                                                                         \
    ROW(eft)                                                                                       \
    ROW(heft)                                                                                      \
    ROW(min_min)                                                                                   \
    ROW(max_min)                                                                                   \
    ROW(sufferage)                                                                                 \
    ROW(quickest)                                                                                  \
    ROW(ratio)                                                                                     \
    ROW(qa)                                                                                        \
    ROW(er_ls)                                                                                     \
    ROW(imreh)                                                                                     \
    ROW(mixeft)                                                                                    \
    ROW(heteroprio)                                                                                \
    ROW(lpt)                                                                                       \
    ROW(heft_min)                                                                                  \
    ROW(heft_wm)                                                                                   \
    ROW(hoft)                                                                                      \
    ROW(hoft_wm)                                                                                   \
    ROW(heft_nc)                                                                                   \
    ROW(heft_lookahead)                                                                            \
    ROW(peft)                                                                                      \
    ROW(cpop)                                                                                      \
    ROW(list)                                                                                      \
    ROW(cpa)                                                                                       \
    ROW(hcpa)                                                                                      \
    ROW(s_hcpa)                                                                                    \
    ROW(m_heft)                                                                                    \
    ROW(seq)

DUET_HEURISTICS(DUET_DECLARE_ALGORITHM)

#endif
