// SPDX-License-Identifier: Apache-2.0
// What a picture is drawn on: an SVG file of its own, or cairo's surfaces for PNG and PDF.
#ifndef DUET_REPORT_GANTT_CANVAS_H
#define DUET_REPORT_GANTT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/palette.h"

typedef struct duet_rect {
    double x;
    double y;
    double width;
    double height;
} duet_rect;

// Where the given x is within a text.
typedef enum duet_gantt_align {
    DUET_ALIGN_LEFT,
    DUET_ALIGN_CENTRE,
    DUET_ALIGN_RIGHT
} duet_gantt_align;

typedef struct duet_letters {
    double size;
    bool bold;
    duet_colour colour;
} duet_letters;

typedef enum duet_dash { DUET_DASH_NONE, DUET_DASH_LONG, DUET_DASH_DOTS } duet_dash;

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
    // With its base line at y.
    void (*text)(duet_canvas *canvas, const duet_letters *letters, double x, double y,
                 duet_gantt_align align, const char *text);
} duet_canvas_methods;

struct duet_canvas {
    const duet_canvas_methods *does;
};

// Strokes of the hatching: their distance and width.
static const double DUET_HATCH_STEP = 5;
static const double DUET_HATCH_WIDTH = 1.1;
// Lengths of dashes and of what is between them, by duet_dash.
static const double DUET_DASHES[][2] = {{0, 0}, {6, 3}, {2, 3}};

#endif
