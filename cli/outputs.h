// SPDX-License-Identifier: Apache-2.0
// The files that solve and show make of a solution.
#ifndef DUET_CLI_OUTPUTS_H
#define DUET_CLI_OUTPUTS_H

#include <stdbool.h>

#include <duet/duet.h>

#include "console/args.h"

typedef struct duet_cli_outputs {
    const char *solution; // -o; NULL, as each of these: none
    const char *trace;
    const char *proof;     // what an algorithm's option writes
    bool json;             // the solution goes to standard output
    duet_solution *beside; // the schedule of --gantt-beside, owned by the command
    const char *bus;       // --bus: the machine that judges what goes to StarPU
    bool rules;            // quick rules are judged, too
} duet_cli_outputs;

// Reports a failure of one output of several. *code becomes its exit code where it is the first.
void duet_cli_note_failure(duet_code failed, const duet_error *error, int *code);
// Whether a path is standard output.
bool duet_cli_is_stdout(const char *path);
// What can be wrong with the outputs, and with --gantt, before minutes of work go into them. No
// output may be one of the inputs. Errors: DUET_E_USAGE, DUET_E_UNSUPPORTED, DUET_E_OUTPUT.
duet_code duet_cli_check_outputs(const duet_cli_args *args, const duet_cli_outputs *outputs,
                                 duet_error *error);
// Writes them all, and the picture of --gantt, each whole or not at all, and whatever becomes of
// the others. Returns the exit code of the first that failed.
int duet_cli_write_outputs(const duet_cli_args *args, const duet_cli_outputs *outputs,
                           const duet_instance *instance, const duet_solution *solution);

// judge.c
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
