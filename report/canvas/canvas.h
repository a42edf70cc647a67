// SPDX-License-Identifier: Apache-2.0
// What pictures of schedules and charts are drawn on, and the files that become of it.
//
//   svg.c      writes SVG itself
//   raster.c   has cairo make PNG and PDF; cairo.c opens it when the first one is asked for
//   write.c    takes one of them by the ending of the file's name
#ifndef DUET_REPORT_CANVAS_CANVAS_H
#define DUET_REPORT_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

#include "report/palette.h"

typedef struct duet_point {
    double x;
    double y;
} duet_point;

typedef struct duet_rect {
    double x;
    double y;
    double width;
    double height;
} duet_rect;

// Where the given point is within a text.
typedef enum duet_align {
    DUET_ALIGN_LEFT,
    DUET_ALIGN_CENTRE,
    DUET_ALIGN_RIGHT,
    DUET_ALIGN_UPWARDS // its centre, where the text runs from the bottom to the top
} duet_align;

typedef struct duet_letters {
    double size;
    bool bold;
    duet_colour colour;
} duet_letters;

typedef enum duet_dash {
    DUET_DASH_NONE,
    DUET_DASH_LONG,
    DUET_DASH_DOTS,
    DUET_DASH_MIXED,
    DUET_DASHES
} duet_dash;

typedef struct duet_stroke {
    double width;
    duet_colour colour;
    double opacity;
    duet_dash dash;
} duet_stroke;

typedef struct duet_canvas duet_canvas;

// Texts and titles are valid UTF-8 without control characters. A title is what is told of a shape
// that is pointed at, where the format has such; NULL: nothing.
typedef struct duet_canvas_methods {
    void (*rectangle)(duet_canvas *canvas, duet_colour fill, duet_rect place, const char *title);
    // Many rectangles of one colour, as one shape: begin, add each, end.
    void (*begin)(duet_canvas *canvas, duet_colour fill);
    void (*add)(duet_canvas *canvas, duet_rect place);
    void (*end)(duet_canvas *canvas);
    // Strokes across a rectangle and around it, over what is there.
    void (*hatch)(duet_canvas *canvas, duet_colour colour, duet_rect place, const char *title);
    void (*line)(duet_canvas *canvas, const duet_stroke *stroke, double x0, double y0, double x1,
                 double y1);
    // A line through `count` >= 1 points.
    void (*path)(duet_canvas *canvas, const duet_stroke *stroke, const duet_point *points,
                 size_t count);
    // A filled outline through `count` >= 3 points.
    void (*polygon)(duet_canvas *canvas, duet_colour fill, const duet_point *points, size_t count);
    void (*circle)(duet_canvas *canvas, duet_colour fill, duet_point centre, double radius);
    // What is drawn up to the next call belongs together under a title; NULL ends that.
    void (*group)(duet_canvas *canvas, const char *title);
    // With its base line at y.
    void (*text)(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_align align, const char *text);
} duet_canvas_methods;

struct duet_canvas {
    const duet_canvas_methods *does;
};

// Strokes of the hatching: their distance and width.
static const double DUET_HATCH_STEP = 5;
static const double DUET_HATCH_WIDTH = 1.1;

// Lengths of a dash's parts, drawn and left out in turn.
typedef struct duet_dash_lengths {
    size_t count; // 0: the line has no gaps
    double length[4];
} duet_dash_lengths;
extern const duet_dash_lengths duet_dashes[DUET_DASHES];

// A whole picture.
typedef struct duet_canvas_page {
    double width; // of what is drawn, in units
    double height;
    double scale;              // pixels per unit
    bool sized;                // a PNG has just these pixels, not more for screens with fine dots
    const char *title;         // of the whole
    const char *text;          // what a reader who does not see it is told
    const duet_colour *ground; // NULL: transparent
    const duet_colour *hatch;  // of all hatchings; NULL: there is none
    void (*draw)(duet_canvas *canvas, const void *picture);
    const void *picture; // what `draw` is given
} duet_canvas_page;

// DUET_E_USAGE for a path that does not end in .svg, .png or .pdf; DUET_E_UNSUPPORTED where this
// build or, for want of cairo, this machine draws SVG alone.
duet_code duet_canvas_can_write(const char *path, duet_error *error);
// Draws a page into a file, whole or not at all. Errors: as above, DUET_E_OUTPUT, DUET_E_MEMORY.
duet_code duet_canvas_write(const char *path, const duet_canvas_page *page, duet_error *error);

#endif
