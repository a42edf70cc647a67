// SPDX-License-Identifier: Apache-2.0
#include "cli/watts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console/price.h"

// The watts of every type of an instance, each of which `text` names once.
static duet_code read_watts(const char *option, const char *text, const duet_instance *instance,
                            double watts[DUET_MAX_TYPES], duet_error *error)
{
    size_t types = duet_instance_types(instance);
    for (size_t t = 0; t < types; t++) {
        watts[t] = -1;
    }
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        size_t type = duet_cli_find_type(instance, at, length);
        char *end = NULL;
        double value = at[length] == '=' ? strtod(at + length + 1, &end) : -1;
        if (type == types || end == NULL || end == at + length + 1 || (*end != ',' && *end != 0) ||
            !isfinite(value) || value < 0 || watts[type] >= 0) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "%s: expected each type once, TYPE=WATTS,..., got '%s'", option,
                                  at);
        }
        watts[type] = value;
        at = end;
    }
    for (size_t t = 0; t < types; t++) {
        if (watts[t] < 0) {
            return duet_error_set(error, DUET_E_USAGE, "%s: expected the watts of type %s, too",
                                  option, duet_instance_type_name(instance, t));
        }
    }
    return DUET_OK;
}

duet_code duet_cli_read_power(const duet_cli_watts *given, const duet_instance *instance,
                              duet_cli_power *power, duet_error *error)
{
    duet_code code = DUET_OK;
    power->watts = (duet_watts){NULL, NULL};
    if (given->busy != NULL) {
        code = read_watts("--watts", given->busy, instance, power->busy, error);
        power->watts.busy = power->busy;
    }
    if (given->idle != NULL && code == DUET_OK) {
        code = read_watts("--idle-watts", given->idle, instance, power->idle, error);
        power->watts.idle = power->idle;
    }
    return code;
}
