// SPDX-License-Identifier: Apache-2.0
// The choice of processors of hoft and hoft-wm.
#ifndef DUET_HEURISTICS_RULES_HOFT_H
#define DUET_HEURISTICS_RULES_HOFT_H

#include "heuristics/engine/graph_list.h"

// The options of both: those of graph_list.h, and "formula".
extern const duet_option_spec duet_hoft_options[];

// Optimistic finish times into list->own, two per task: how early it could end on each type if
// there were processors enough; INT64_MAX where it may not run. list->order is topological.
duet_code duet_hoft_prepare(duet_graph_list *list, duet_error *error);
void duet_hoft_end(duet_graph_list *list);
// The processor where the task ends first, unless that is of its slower type and makes its
// successors later by more than it saves.
duet_code duet_hoft_choose(duet_graph_list *list, int32_t task, duet_choice *choice,
                           duet_error *error);
// The ranks of hoft, by the times that duet_hoft_prepare() has found.
void duet_hoft_rank(duet_graph_list *list);
// What it counts: tasks that would end earlier on their slower type and go to the faster one.
#define DUET_HOFT_COUNTER "to_faster_type"

#endif
