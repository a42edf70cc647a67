// SPDX-License-Identifier: Apache-2.0
// The rules of list scheduling, each in the file of its name.
#ifndef DUET_HEURISTICS_RULES_RULES_H
#define DUET_HEURISTICS_RULES_RULES_H

#include "core/algorithm.h"
#include "heuristics/engine/rule.h"

extern const duet_rule duet_rule_eft;
extern const duet_rule duet_rule_er_ls;
extern const duet_rule duet_rule_heft;
extern const duet_rule duet_rule_imreh;
extern const duet_rule duet_rule_imreh_greedy;
extern const duet_rule duet_rule_mixeft;
extern const duet_rule duet_rule_qa;
extern const duet_rule duet_rule_quickest;
extern const duet_rule duet_rule_ratio;

// Which of several types that suit a task equally well.
typedef enum duet_tie {
    DUET_TIE_LATER,   // GPU before CPU
    DUET_TIE_EARLIER, // CPU before GPU
    DUET_TIE_LARGER   // that with more processors, the earlier of those
} duet_tie;

// The type with the smallest time; `tie` is LATER or EARLIER.
size_t duet_least_time(const duet_instance *instance, size_t kind, duet_tie tie);
// Smallest time; the later type (GPU) at equal times. Any number of types.
size_t duet_allocate_quickest(const duet_instance *instance, size_t kind);
// The type with the smallest p_t / m_t, where the time is shared among all of its processors.
size_t duet_least_share(const duet_instance *instance, size_t kind, duet_tie tie);
// Smallest p_t / m_t; the later type (GPU) when equal: GPU iff p/q >= m/k. Any number of types.
size_t duet_allocate_ratio(const duet_instance *instance, size_t kind);
// The type with the smallest p_t / sqrt(m_t); `tie` is LATER or EARLIER.
size_t duet_least_root_share(const duet_instance *instance, size_t kind, duet_tie tie);
// Smallest p_t / sqrt(m_t); the earlier type (CPU) when equal: CPU iff p/q <= sqrt(m/k). Any number
// of types.
size_t duet_allocate_qa(const duet_instance *instance, size_t kind);

// guarantee.c
// Any list schedule on identical processors: 2 - 1/m (Graham 1966). No ratio elsewhere.
bool duet_ratio_list(size_t types, const int64_t *counts, const duet_options *options,
                     duet_ratio *ratio);

// Longest processing time first on identical processors: 4/3 - 1/(3m) (Graham 1969).
bool duet_ratio_lpt(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio);

// 2 on two types; on identical processors that of longest processing time first.
bool duet_ratio_two(size_t types, const int64_t *counts, const duet_options *options,
                    duet_ratio *ratio);

#endif
