// SPDX-License-Identifier: Apache-2.0
#include "console/given_time.h"

#include <string.h>

#include "core/number/decimal.h"

duet_code duet_cli_read_given_time(const char *option, const char *text,
                                   const duet_instance *instance, duet_cli_given_time *given,
                                   duet_error *error)
{
    duet_decimal value;
    duet_decimal_tail tail;
    bool exact;
    duet_decimal_fault fault = duet_decimal_read(text, strlen(text), &value, &tail);
    if (fault == DUET_DECIMAL_OK &&
        !duet_decimal_raise(value, tail, duet_instance_decimals(instance), &given->ticks, &exact)) {
        fault = DUET_DECIMAL_RANGE;
    }
    if (fault != DUET_DECIMAL_OK) {
        return duet_error_set(error, DUET_E_USAGE, "%s %.60s: expected %s", option, text,
                              duet_decimal_expected(fault));
    }
    given->ticks -= exact ? 0 : 1;
    bool short_enough = value.places <= DUET_MAX_DECIMALS && tail == DUET_DECIMAL_NO_TAIL;
    duet_decimal_format(short_enough ? value.mantissa : given->ticks,
                        short_enough ? value.places : duet_instance_decimals(instance),
                        given->text);
    return DUET_OK;
}
