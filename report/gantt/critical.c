// SPDX-License-Identifier: Apache-2.0
// Marks the critical path of a task graph's schedule: a frame around each of its boxes that is wide
// enough to be one, and a line from each of its tasks to the next on another processor. Both have
// an edge in the colour of the ground, which sets them apart from any box.
#include <math.h>

#include "report/gantt/draw.h"

static const double EDGE = 2.6;  // widths of frame and line, with their edge
static const double CORE = 1.3;  // and without
static const double LEAST = 4.0; // narrower or lower boxes have no frame
enum { MOST_LINES = 4000 };      // a longer path would only blacken the picture

static double middle_of(const duet_gantt_panel *panel, const duet_interval *interval)
{
    size_t row = duet_gantt_row_of(&panel->layout, interval->type, interval->processor);
    return panel->layout.row[row].y + duet_gantt_inner(&panel->layout, row) / 2;
}

static void add_frame(duet_canvas *canvas, duet_rect place, double width)
{
    double w = fmin(width, fmin(place.width, place.height) / 2);
    canvas->does->add(canvas, (duet_rect){place.x, place.y, place.width, w});
    canvas->does->add(canvas, (duet_rect){place.x, place.y + place.height - w, place.width, w});
    canvas->does->add(canvas, (duet_rect){place.x, place.y, w, place.height});
    canvas->does->add(canvas, (duet_rect){place.x + place.width - w, place.y, w, place.height});
}

// The frames of all critical boxes as one shape.
static void draw_frames(duet_canvas *canvas, const duet_gantt_panel *panel, duet_colour colour,
                        double width)
{
    const duet_gantt_marks *marks = &panel->marks;
    canvas->does->begin(canvas, colour);
    for (size_t i = 0; i < marks->count; i++) {
        const duet_gantt_mark *mark = &marks->mark[i];
        bool framed = mark->task >= 0 && !mark->aborted &&
                      panel->reasons.of[mark->interval].critical && mark->x1 - mark->x0 >= LEAST &&
                      mark->height >= LEAST;
        if (framed) {
            add_frame(canvas, (duet_rect){mark->x0, mark->y, mark->x1 - mark->x0, mark->height},
                      width);
        }
    }
    canvas->does->end(canvas);
}

typedef struct segment {
    double x0;
    double y0;
    double x1;
    double y1;
} segment;

// The line that leads to the i-th task of the path; none where it stays on its processor.
static bool find_line(const duet_gantt_panel *panel, size_t i, segment *line)
{
    const duet_interval *from = &panel->intervals.interval[panel->reasons.path[i - 1]];
    const duet_interval *to = &panel->intervals.interval[panel->reasons.path[i]];
    *line = (segment){duet_gantt_x(&panel->layout, from->end), middle_of(panel, from),
                      duet_gantt_x(&panel->layout, to->start), middle_of(panel, to)};
    return line->y0 != line->y1;
}

static void draw_lines(duet_canvas *canvas, const duet_gantt_panel *panel, duet_colour colour,
                       double width)
{
    const duet_stroke stroke = {width, colour, 1, DUET_DASH_NONE};
    segment line;
    for (size_t i = 1; i < panel->reasons.length; i++) {
        if (find_line(panel, i, &line)) {
            canvas->does->line(canvas, &stroke, line.x0, line.y0, line.x1, line.y1);
        }
    }
}

bool duet_gantt_is_crossed(const duet_gantt_panel *panel, duet_rect place)
{
    segment line;
    for (size_t i = 1; i < panel->reasons.length && panel->reasons.length <= MOST_LINES; i++) {
        if (find_line(panel, i, &line) && fmin(line.x0, line.x1) - EDGE < place.x + place.width &&
            fmax(line.x0, line.x1) + EDGE > place.x &&
            fmin(line.y0, line.y1) < place.y + place.height && fmax(line.y0, line.y1) > place.y) {
            return true;
        }
    }
    return false;
}

void duet_gantt_draw_critical(duet_canvas *canvas, const duet_gantt *gantt,
                              const duet_gantt_panel *panel)
{
    if (panel->reasons.length < 2) {
        return;
    }
    draw_frames(canvas, panel, gantt->theme->page, EDGE);
    draw_frames(canvas, panel, gantt->theme->ink, CORE);
    if (panel->reasons.length <= MOST_LINES) {
        draw_lines(canvas, panel, gantt->theme->page, EDGE);
        draw_lines(canvas, panel, gantt->theme->ink, CORE);
    }
}

void duet_gantt_draw_frame(duet_canvas *canvas, const duet_gantt *gantt, duet_rect place)
{
    canvas->does->begin(canvas, gantt->theme->ink);
    add_frame(canvas, place, CORE);
    canvas->does->end(canvas);
}
