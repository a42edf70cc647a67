// SPDX-License-Identifier: Apache-2.0
// Lengths of time as tools print them: "1h 2m", "58.3s", "00:01:30", "1-02:03:04", "0 days
// 00:01:30", and those of ISO 8601, "PT1H2M".
#ifndef DUET_CORE_INSTANCE_DURATION_H
#define DUET_CORE_INSTANCE_DURATION_H

#include "core/instance/instance.h"

// The seconds of such a text, exactly. False where it is none; a number without a unit is none, nor
// is "01:30", which may be minutes or hours.
bool duet_duration_read(const char *text, size_t length, duet_read_time *seconds);

#endif
