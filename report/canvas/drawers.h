// SPDX-License-Identifier: Apache-2.0
// What draws a canvas: write.c asks one by the ending of the file.
#ifndef DUET_REPORT_CANVAS_DRAWERS_H
#define DUET_REPORT_CANVAS_DRAWERS_H

#include <stdio.h>

#include "report/canvas/canvas.h"

// raster.c
// DUET_E_UNSUPPORTED where this build is without cairo, or it cannot be opened.
duet_code duet_raster_can_draw(const char *path, duet_error *error);
// Draws a PNG or a PDF, by the ending of `path`, which errors name.
duet_code duet_raster_draw(const duet_canvas_page *page, const char *path, FILE *stream,
                           duet_error *error);

// svg.c
void duet_svg_draw(const duet_canvas_page *page, FILE *stream);

#endif
