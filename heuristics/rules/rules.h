// SPDX-License-Identifier: Apache-2.0
// The rules of list scheduling, each in the file of its name.
#ifndef DUET_HEURISTICS_RULES_RULES_H
#define DUET_HEURISTICS_RULES_RULES_H

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

// Smallest time; the later type (GPU) at equal times. Any number of types.
size_t duet_allocate_quickest(const duet_instance *instance, size_t kind);
// The type with the smallest p_t / m_t, where the time is shared among all of its processors. When
// equal the later type, or, `larger`, that with more processors and the earlier of those.
size_t duet_least_share(const duet_instance *instance, size_t kind, bool larger);
// Smallest p_t / m_t; the later type (GPU) when equal: GPU iff p/q >= m/k. Any number of types.
size_t duet_allocate_ratio(const duet_instance *instance, size_t kind);
// Smallest p_t / sqrt(m_t); the earlier type (CPU) when equal: CPU iff p/q <= sqrt(m/k). Any number
// of types.
size_t duet_allocate_qa(const duet_instance *instance, size_t kind);

#endif
