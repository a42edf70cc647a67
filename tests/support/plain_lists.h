// SPDX-License-Identifier: Apache-2.0
// The list schedulers of task graphs once more, as plainly as they can be written: they scan all
// tasks, processors and edges at every step.
#ifndef DUET_TESTS_SUPPORT_PLAIN_LISTS_H
#define DUET_TESTS_SUPPORT_PLAIN_LISTS_H

#include <stdbool.h>

#include <duet/instance.h>
#include <duet/solution.h>

enum { DUET_PLAIN_TASKS = 60, DUET_PLAIN_TYPES = 4 }; // at most

// Schedules a small instance as algorithm `name` does, with options ties=gpu iff `gpu_first` and
// topo=stack iff `stack`. Times and costs stay below 2^20 for the weighted mean, else below 2^60.
void duet_plain_schedule(const duet_instance *instance, const char *name, bool gpu_first,
                         bool stack, duet_placement *out);

#endif
