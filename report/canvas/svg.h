// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG, without any library: texts are texts, and shapes have titles, so that
// a picture can be searched, read aloud, pointed at, and edited.
#ifndef DUET_REPORT_CANVAS_SVG_H
#define DUET_REPORT_CANVAS_SVG_H

#include <stdio.h>

#include "report/canvas/canvas.h"

void duet_svg_draw(const duet_canvas_page *page, FILE *stream);

#endif
