// SPDX-License-Identifier: Apache-2.0
// duet simulate --bus: plans on a machine with a bus, and the best of them.
#ifndef DUET_CLI_SIMULATE_BUS_H
#define DUET_CLI_SIMULATE_BUS_H

#include "console/args.h"

typedef struct duet_cli_bus_run {
    const duet_cli_args *shared;
    const char *bus;           // the file
    const char *algorithms;    // names, commas between them; NULL: the plan counts
    const char *solution;      // the file of the plan
    const duet_solution *plan; // of that file
    const char *output;        // where the best goes; NULL: nowhere
    const duet_cancel *cancel;
} duet_cli_bus_run;

// Carries out each plan as it is and relocated, tells how long that takes, and writes the best.
duet_code duet_cli_simulate_bus(const duet_cli_bus_run *run, const duet_instance *instance,
                                duet_error *error);

#endif
