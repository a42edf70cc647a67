// SPDX-License-Identifier: Apache-2.0
// Times for people: at most six significant digits, in the unit that reads best. Files, and what
// programs read, keep all digits (duet_instance_format_time()).
#ifndef DUET_CORE_INSTANCE_TIME_TEXT_H
#define DUET_CORE_INSTANCE_TIME_TEXT_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"

enum { DUET_TIME_TEXT = 150 };

// "15.6 ms" into `text` of DUET_TIME_TEXT bytes, which it returns. A number from 0.1 to below 1000
// keeps the unit of the instance, as does a unit that is not known. "35515.44 us" is "35.5154 ms",
// and "5712 s" is "1 h 35 min 12 s". `finer`: how many decimal places the ticks have beyond those
// of the instance.
char *duet_time_text(const duet_instance *instance, int finer, duet_uint128 ticks, char *text);
// number * 10^-places alone: "644.51", "1.23457e7".
char *duet_number_text(duet_uint128 number, int places, char *text);

#endif
