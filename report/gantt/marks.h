// SPDX-License-Identifier: Apache-2.0
// What is drawn in the rows of a picture. Intervals wide enough to be seen are boxes of their own;
// the others are merged per column of pixels, so that there is a bound on the number of marks
// whatever the number of tasks. A row that stands for several processors shows how many of them run
// each class, stacked from the bottom.
#ifndef DUET_REPORT_GANTT_MARKS_H
#define DUET_REPORT_GANTT_MARKS_H

#include "report/gantt/classes.h"
#include "report/gantt/layout.h"

// How much of a merged mark's time is busy, in steps.
enum { DUET_GANTT_LEVELS = 8 };

typedef struct duet_gantt_mark {
    double x0;
    double x1;
    double y;
    double height;
    size_t row;
    int64_t task;    // -1 for a merged mark
    size_t interval; // of a mark that is no merged one: its number in the intervals
    uint8_t class;   // the one with most time where several were merged
    uint8_t level;   // 1 .. DUET_GANTT_LEVELS: how much of a merged mark is busy
    bool aborted;
    int32_t beside; // more rows below `row` that a box covers: a moldable task on neighbours
} duet_gantt_mark;

typedef struct duet_gantt_marks {
    size_t count;
    duet_gantt_mark *mark; // merged ones first, then by look
} duet_gantt_marks;

duet_code duet_gantt_marks_create(const duet_gantt_layout *layout,
                                  const duet_gantt_classes *classes,
                                  const duet_intervals *intervals, duet_gantt_marks *marks,
                                  duet_error *error);
void duet_gantt_marks_free(duet_gantt_marks *marks);

#endif
