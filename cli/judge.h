// SPDX-License-Identifier: Apache-2.0
// Which plan goes to StarPU, and how it is said: judged by what a runtime makes of it on a machine
// with a bus.
#ifndef DUET_CLI_JUDGE_H
#define DUET_CLI_JUDGE_H

#include <duet/duet.h>

#include "console/args.h"

typedef struct duet_cli_judge {
    const duet_cli_args *args;
    const char *bus; // a file; NULL: the one of the instance, where it says what machine it is
    bool rules;      // quick rules plan, too
} duet_cli_judge;

// The best of the schedule, the same relocated, and of what quick rules plan, in the form that
// serves it best. *judged stays NULL where nothing is to be judged: a trace that is none for
// StarPU, -O sched=, or no word on memory nodes. The caller frees it.
duet_code duet_cli_judge_trace(const duet_cli_judge *judge, const char *trace,
                               const duet_instance *instance, const duet_solution *solution,
                               duet_solution **judged, duet_error *error);

#endif
