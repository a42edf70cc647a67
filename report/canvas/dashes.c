// SPDX-License-Identifier: Apache-2.0
// The dashes of lines.
#include "report/canvas/canvas.h"

const duet_dash_lengths duet_dashes[DUET_DASHES] = {
    [DUET_DASH_LONG] = {2, {7, 5}},
    [DUET_DASH_DOTS] = {2, {2, 4}},
    [DUET_DASH_MIXED] = {4, {9, 4, 2, 4}},
};
