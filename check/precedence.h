// SPDX-License-Identifier: Apache-2.0
// The checker of edges; for schedule.c alone.
#ifndef DUET_CHECK_PRECEDENCE_H
#define DUET_CHECK_PRECEDENCE_H

#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/solution/solution.h"

// Every task starts when its predecessors have ended and their data are there, and so did every run
// that was given up. The placements have been checked one by one. The first fault is DUET_E_INPUT
// with both tasks and the instant.
duet_code duet_check_precedence(const duet_instance *instance, const duet_solution *solution,
                                duet_watch *watch, duet_error *error);

// How many of the ticks of a solution make one of its instance: more than 1 where it starts tasks
// between ticks. Computed here and not by the core, as all that is judged.
int64_t duet_check_tick(const duet_solution *solution);

// Writes a time in these ticks in the unit of the instance; returns `buffer`, of 32 bytes.
char *duet_check_format(const duet_instance *instance, const duet_solution *solution, int64_t ticks,
                        char *buffer);

#endif
