// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG, without any library: texts are texts, and shapes have titles, so that
// a picture can be searched, read aloud, pointed at, and edited.
#ifndef DUET_REPORT_GANTT_SVG_H
#define DUET_REPORT_GANTT_SVG_H

#include <stdio.h>

#include "report/gantt/canvas.h"

enum { DUET_SVG_STYLE = 160 };

typedef struct duet_svg {
    duet_canvas canvas;
    FILE *stream;
    char style[DUET_SVG_STYLE]; // attributes of the group that is open; "": none is
} duet_svg;

typedef struct duet_svg_page {
    double width; // of the picture
    double height;
    double scale;       // pixels of it per unit of what is drawn
    const char *title;  // of the whole
    const char *text;   // what a reader who does not see it is told
    duet_colour hatch;  // colour of all hatchings
    const char *ground; // NULL: transparent; "#rrggbb"
} duet_svg_page;

void duet_svg_open(duet_svg *svg, FILE *stream, const duet_svg_page *page);
void duet_svg_close(duet_svg *svg);

#endif
