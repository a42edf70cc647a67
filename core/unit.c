// SPDX-License-Identifier: Apache-2.0
#include "core/unit.h"

#include <stddef.h>
#include <string.h>

bool duet_unit_find(const char *name, duet_unit *unit)
{
    static const struct {
        const char *names[6];
        duet_unit unit;
    } known[] = {
        {{"ns", "nanosecond", "nanoseconds"}, {1, -3}},
        {{"us", "\xC2\xB5s" /* micro sign */, "\xCE\xBCs" /* Greek mu */, "microsecond",
          "microseconds"},
         {1, 0}},
        {{"ms", "millisecond", "milliseconds"}, {1, 3}},
        {{"s", "sec", "secs", "second", "seconds"}, {1, 6}},
        {{"min", "mins", "minute", "minutes"}, {60, 6}},
        {{"h", "hr", "hrs", "hour", "hours"}, {3600, 6}},
        {{"d", "day", "days"}, {86400, 6}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (size_t n = 0; n < 6 && known[i].names[n] != NULL; n++) {
            if (strcmp(known[i].names[n], name) == 0) {
                *unit = known[i].unit;
                return true;
            }
        }
    }
    return false;
}
