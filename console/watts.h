// SPDX-License-Identifier: Apache-2.0
// Power of the processor types, as users give it: --watts cpu=100,gpu=250.
#ifndef DUET_CONSOLE_WATTS_H
#define DUET_CONSOLE_WATTS_H

#include <duet/error.h>
#include <duet/instance.h>

// What the command line says; NULL: nothing.
typedef struct duet_cli_watts {
    const char *busy;
    const char *idle;
} duet_cli_watts;

// The watts of every type of an instance, which `text` names each once. DUET_E_USAGE, with `option`
// before it.
duet_code duet_cli_read_watts(const char *option, const char *text, const duet_instance *instance,
                              double watts[DUET_MAX_TYPES], duet_error *error);

#endif
