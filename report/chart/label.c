// SPDX-License-Identifier: Apache-2.0
#include "report/chart/label.h"

#include <math.h>

// What of the line, from 0 at its start to 1 at its end, lies between two coordinates, within what
// did so far. False: nothing, as it is outside and parallel.
static bool clip(double from, double way, double least, double most, double part[2])
{
    if (way == 0) {
        return from > least && from < most;
    }
    part[0] = fmax(part[0], fmin((least - from) / way, (most - from) / way));
    part[1] = fmin(part[1], fmax((least - from) / way, (most - from) / way));
    return true;
}

bool duet_label_is_crossed(duet_rect box, duet_point a, duet_point b)
{
    double part[2] = {0, 1};
    return clip(a.x, b.x - a.x, box.x, box.x + box.width, part) &&
           clip(a.y, b.y - a.y, box.y, box.y + box.height, part) && part[0] < part[1];
}
