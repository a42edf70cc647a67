// SPDX-License-Identifier: Apache-2.0
// Power of the processor types, as users give it: --watts cpu=100,gpu=250.
#ifndef DUET_CLI_WATTS_H
#define DUET_CLI_WATTS_H

#include <duet/error.h>
#include <duet/instance.h>

#include "report/metrics.h"

// What the command line says; NULL: nothing.
typedef struct duet_cli_watts {
    const char *busy;
    const char *idle;
} duet_cli_watts;

// What it means for an instance. Not to be copied: `watts` points into it.
typedef struct duet_cli_power {
    double busy[DUET_MAX_TYPES];
    double idle[DUET_MAX_TYPES];
    duet_watts watts;
} duet_cli_power;

// Reads the watts of every type of an instance, each of which a text names once. DUET_E_USAGE, with
// the option before it.
duet_code duet_cli_read_power(const duet_cli_watts *given, const duet_instance *instance,
                              duet_cli_power *power, duet_error *error);

#endif
