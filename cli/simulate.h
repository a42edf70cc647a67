// SPDX-License-Identifier: Apache-2.0
// The parts of duet simulate: plans on a machine with a bus, and what is said of runs.
#ifndef DUET_CLI_SIMULATE_H
#define DUET_CLI_SIMULATE_H

#include "console/args.h"

// simulate_bus.c
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

// simulate_out.c
enum { DUET_CLI_MOST_DISTURBANCES = 8 };

// Options that may be given several times.
typedef struct duet_cli_texts {
    const char *text[DUET_CLI_MOST_DISTURBANCES];
    size_t count;
} duet_cli_texts;

// One run.
typedef struct duet_cli_simulated {
    int64_t makespan;
    int64_t lower_bound;
    int64_t lost;
    int64_t kept;  // makespan of the plan that is kept
    int64_t plans; // how often it was planned again
} duet_cli_simulated;

typedef struct duet_cli_simulation {
    const duet_instance *instance;
    const char *by;       // the algorithm, or the file of the plan
    const char *keep;     // "order", "allocation"; NULL: a rule
    bool from_file;       // the plan is one
    int64_t planned;      // makespan
    duet_cli_texts noise; // as given
    duet_cli_texts slow;
    duet_cli_texts fail;
    uint64_t seed;
    const char *replan; // by what it is planned again; NULL: it is not
    const char *every;  // at the multiples of which time; NULL: where it is not as planned
    duet_cli_simulated *run;
    size_t runs;
    size_t asked; // more than `runs` where it was stopped
} duet_cli_simulation;

duet_code duet_cli_simulation_print(const duet_cli_simulation *simulation, duet_error *error);
duet_code duet_cli_simulation_json(const duet_cli_simulation *simulation, duet_error *error);
// To files, whole or not at all.
duet_code duet_cli_simulation_csv(const duet_cli_simulation *simulation, const char *path,
                                  duet_error *error);
duet_code duet_cli_simulation_chart(const duet_cli_simulation *simulation, const char *path,
                                    const duet_cli_chart *look, duet_error *error);

#endif
