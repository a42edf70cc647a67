// SPDX-License-Identifier: Apache-2.0
// The intervals of a schedule as boxes for a page: equal tasks one after another are one box, and
// where that is still too many, boxes stand for more, so that the page stays bounded.
#ifndef DUET_REPORT_PAGE_BOXES_H
#define DUET_REPORT_PAGE_BOXES_H

#include "report/gantt/classes.h"
#include "report/intervals.h"

enum { DUET_HTML_BOXES = 200000, DUET_HTML_ROWS = 4096 };

// How much a box stands for.
typedef enum duet_box_level {
    DUET_BOX_TASKS, // successive tasks of a kind, one after another: nothing is lost
    DUET_BOX_KINDS, // tasks of a kind one after another: their ids are lost
    DUET_BOX_MIXED  // what a processor does within a stretch of time, in the colour of most of it
} duet_box_level;

typedef struct duet_html_box {
    int64_t start;
    int64_t end;
    int64_t task;  // the first, without its kind's first
    int64_t count; // of intervals
    size_t kind;   // that of most of the time
    bool aborted;
} duet_html_box;

typedef struct duet_box_row {
    int32_t type;
    int32_t processor;
    size_t first; // box
    size_t count;
    int64_t busy; // ticks in complete intervals
    double lost;  // ticks in aborted intervals; a wrong solution may claim any number of them
} duet_box_row;

typedef struct duet_boxes {
    duet_box_level level;
    duet_html_box *box;
    size_t count;
    duet_box_row *row; // processors that run something
    size_t rows;
    size_t hidden; // processors that run something and have no row
} duet_boxes;

// `intervals` are sorted. At most about `most` boxes in at most `most_rows` rows.
duet_code duet_boxes_create(const duet_instance *instance, const duet_intervals *intervals,
                            const duet_gantt_classes *classes, size_t most, size_t most_rows,
                            duet_boxes *boxes, duet_error *error);
void duet_boxes_free(duet_boxes *boxes);

#endif
