// SPDX-License-Identifier: Apache-2.0
// Where things are in a picture: rows, groups of rows, the time axis. In pixels of a picture shown
// at its natural size; y grows downwards.
#ifndef DUET_REPORT_GANTT_LAYOUT_H
#define DUET_REPORT_GANTT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "core/instance/instance.h"
#include "report/intervals.h"

// One processor, or several neighbours of a type where there are too many to draw each.
typedef struct duet_gantt_row {
    size_t group;
    int64_t first;      // processor
    int64_t processors; // in this row
    double y;
    double height;
} duet_gantt_row;

// The rows of one processor type.
typedef struct duet_gantt_group {
    size_t type;
    size_t first_row;
    size_t rows;
    int64_t bundle; // processors per row; the last row may have fewer
    double y;
    double height;
    double idle; // part of its processor time up to the last end, 0 .. 1
    double lost; // part of its processor time in aborted intervals, 0 .. 1
} duet_gantt_group;

typedef struct duet_gantt_layout {
    double width;
    double plot_x;
    double plot_y;
    double plot_width;
    double plot_height;
    double gap;      // between rows, part of a row's height
    int64_t horizon; // ticks across the plot, >= 1
    bool empty;      // nothing takes any time: the horizon stands for 0
    size_t rows;
    duet_gantt_row *row;
    size_t groups; // types that have processors
    duet_gantt_group group[DUET_MAX_TYPES];
    size_t group_of_type[DUET_MAX_TYPES];
} duet_gantt_layout;

// Where a plot goes on a page.
typedef struct duet_gantt_place {
    double page_width;
    double x;
    double y;
    double width;
    double height; // aimed at
    bool fill;     // take that height, as far as rows can be seen; else rows have whole heights
} duet_gantt_place;

// Lays out the plot; its height is then in `layout`. `horizon` is the time at the right edge.
duet_code duet_gantt_layout_create(const duet_instance *instance, const duet_intervals *intervals,
                                   int64_t horizon, const duet_gantt_place *place,
                                   duet_gantt_layout *layout, duet_error *error);
// Moves it to where its upper edge is at `y`.
void duet_gantt_layout_move(duet_gantt_layout *layout, double y);
void duet_gantt_layout_free(duet_gantt_layout *layout);

// The row that shows a processor.
size_t duet_gantt_row_of(const duet_gantt_layout *layout, int32_t type, int32_t processor);
// Height of a row's contents: without the gap to the next row.
double duet_gantt_inner(const duet_gantt_layout *layout, size_t row);
// Horizontal place of a time.
double duet_gantt_x(const duet_gantt_layout *layout, int64_t ticks);
// Distance in ticks between labelled times: 1, 2 or 5 times a power of ten, at least 1, such that
// neighbours are at least `distance` apart.
int64_t duet_gantt_tick_step(const duet_gantt_layout *layout, double distance);

#endif
