// SPDX-License-Identifier: Apache-2.0
// PNG and PDF through cairo.
#ifndef DUET_REPORT_CANVAS_RASTER_H
#define DUET_REPORT_CANVAS_RASTER_H

#include <stdio.h>

#include "report/canvas/canvas.h"

// DUET_E_UNSUPPORTED where this build is without cairo, or it cannot be opened.
duet_code duet_raster_can_draw(const char *path, duet_error *error);
// Draws a PNG or a PDF, by the ending of `path`, which errors name.
duet_code duet_raster_draw(const duet_canvas_page *page, const char *path, FILE *stream,
                           duet_error *error);

#endif
