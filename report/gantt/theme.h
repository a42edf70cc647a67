// SPDX-License-Identifier: Apache-2.0
// The colours of a picture beside those of the kinds, in light and dark. They are the page's of
// `duet report` (page/web/page.css), so that bound and makespan look alike in both.
#ifndef DUET_REPORT_GANTT_THEME_H
#define DUET_REPORT_GANTT_THEME_H

#include <stdbool.h>

#include "report/palette.h"

typedef struct duet_gantt_theme {
    duet_colour page;
    duet_colour ink;  // text that matters
    duet_colour soft; // text of less weight
    duet_colour grid;
    duet_colour idle;
    duet_colour bound;
    duet_colour optimum; // as the instance claims it
    duet_colour makespan;
    duet_colour lost; // strokes across aborted intervals
} duet_gantt_theme;

const duet_gantt_theme *duet_gantt_theme_of(bool dark);

#endif
