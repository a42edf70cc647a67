// SPDX-License-Identifier: Apache-2.0
// Draws the intervals. Marks that look alike go into one path, which keeps a vector file small.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/clean_text.h"
#include "report/gantt/draw.h"
#include "report/gantt/text.h"

static const double LEAST_BOX = 6;    // rows at least this high have boxes with outlines
static const double LEAST_LABEL = 13; // rows at least this high have ids in their boxes

duet_colour duet_gantt_idle_colour(void)
{
    return (duet_colour){0.925, 0.933, 0.945};
}

// The strokes across aborted intervals.
static duet_colour lost_colour(void)
{
    return (duet_colour){0.70, 0.06, 0.12};
}

static duet_colour fill_colour(const duet_gantt *gantt, const duet_gantt_mark *mark)
{
    duet_colour colour = gantt->classes.list[mark->class].colour;
    if (mark->aborted) {
        colour = mark->task >= 0 ? duet_colour_mix((duet_colour){1, 1, 1}, colour, 0.35)
                                 : duet_colour_mix((duet_colour){1, 1, 1}, lost_colour(), 0.55);
    }
    return duet_colour_mix(duet_gantt_idle_colour(), colour,
                           (double)mark->level / DUET_GANTT_LEVELS);
}

static bool same_style(const duet_gantt_mark *a, const duet_gantt_mark *b)
{
    return a->class == b->class && a->level == b->level && a->aborted == b->aborted &&
           (a->task >= 0) == (b->task >= 0);
}

static void outline(cairo_t *cr, const duet_gantt_mark *mark)
{
    cairo_rectangle(cr, mark->x0, mark->y, mark->x1 - mark->x0, mark->height);
}

// A thick line takes a third of a rectangle's space in a vector file.
static void draw_as_lines(cairo_t *cr, const duet_gantt_mark *mark, size_t count)
{
    double height = 0;
    for (size_t i = 0; i < count; i++) {
        if (mark[i].height != height) {
            cairo_stroke(cr);
            height = mark[i].height;
            cairo_set_line_width(cr, height);
        }
        cairo_move_to(cr, mark[i].x0, mark[i].y + height / 2);
        cairo_line_to(cr, mark[i].x1, mark[i].y + height / 2);
    }
    cairo_stroke(cr);
}

static void draw_as_boxes(cairo_t *cr, const duet_gantt_mark *mark, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        outline(cr, &mark[i]);
    }
    cairo_fill(cr);
}

static void separate(cairo_t *cr, const duet_gantt *gantt)
{
    // A hair of white between boxes, thinner where boxes are thin.
    const duet_gantt_marks *marks = &gantt->marks;
    cairo_set_source_rgba(cr, 1, 1, 1, 0.9);
    for (int thin = 0; thin < 2; thin++) {
        cairo_set_line_width(cr, thin ? 0.4 : 0.9);
        for (size_t i = 0; i < marks->count; i++) {
            const duet_gantt_mark *mark = &marks->mark[i];
            const duet_gantt_row *row = &gantt->layout.row[mark->row];
            if (mark->task < 0 || (mark->x1 - mark->x0 < 6) != (thin == 1) ||
                row->height < LEAST_BOX) {
                continue;
            }
            cairo_move_to(cr, mark->x1, mark->y);
            cairo_line_to(cr, mark->x1, mark->y + mark->height);
        }
        cairo_stroke(cr);
    }
}

void duet_gantt_hatch(cairo_t *cr, double x, double y, double width, double height)
{
    duet_gantt_ink(cr, lost_colour());
    cairo_set_line_width(cr, 1.1);
    int strokes = (int)((width + height) / 5) + 1;
    for (int i = 0; i < strokes; i++) {
        double at = x - height + 5 * i;
        cairo_move_to(cr, at, y + height);
        cairo_line_to(cr, at + height, y);
    }
    cairo_stroke(cr);
}

static void hatch_aborted(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    size_t found = 0;
    for (size_t i = 0; i < gantt->marks.count; i++) {
        const duet_gantt_mark *mark = &gantt->marks.mark[i];
        if (mark->aborted && mark->task >= 0) {
            outline(cr, mark);
            found++;
        }
    }
    if (found == 0) {
        return;
    }
    cairo_path_t *path = cairo_copy_path(cr);
    cairo_save(cr);
    cairo_clip(cr);
    duet_gantt_hatch(cr, layout->plot_x, layout->plot_y, layout->plot_width, layout->plot_height);
    cairo_restore(cr);
    cairo_append_path(cr, path);
    cairo_path_destroy(path);
    duet_gantt_ink(cr, lost_colour());
    cairo_set_line_width(cr, 0.7);
    cairo_stroke(cr);
}

// The id of a task where it fits into its box; else, of several equal tasks, the number alone: the
// colour tells the kind.
static void label(cairo_t *cr, const duet_gantt *gantt, const duet_gantt_mark *mark, double size)
{
    char id[64];
    char clean[64];
    double room = mark->x1 - mark->x0 - 3;
    if (duet_instance_task_id(gantt->instance, mark->task, id, sizeof id) >= sizeof id) {
        return;
    }
    duet_clean_text(id, sizeof id, clean, sizeof clean);
    const char *shown = clean;
    if (duet_gantt_text_width(cr, clean) > room) {
        shown = strrchr(clean, '#');
        size_t kind = duet_instance_kind_of(gantt->instance, mark->task);
        if (shown == NULL || duet_instance_kind_count(gantt->instance, kind) == 1 ||
            duet_gantt_text_width(cr, ++shown) > room) {
            return;
        }
    }
    bool dark = duet_colour_luminance(fill_colour(gantt, mark)) > 0.20;
    duet_gantt_ink(cr, dark ? (duet_colour){0.08, 0.09, 0.12} : (duet_colour){1, 1, 1});
    duet_gantt_text(cr, (mark->x0 + mark->x1) / 2, mark->y + mark->height / 2 + size * 0.36,
                    DUET_ALIGN_CENTRE, shown);
}

static void label_boxes(cairo_t *cr, const duet_gantt *gantt)
{
    double height = gantt->layout.rows > 0 ? gantt->layout.row[0].height : 0;
    double size = fmin(fmax(height * 0.5, 7.5), 11);
    duet_gantt_font(cr, size, false);
    for (size_t i = 0; i < gantt->marks.count; i++) {
        const duet_gantt_mark *mark = &gantt->marks.mark[i];
        if (mark->task >= 0 && !mark->aborted && mark->x1 - mark->x0 >= size &&
            gantt->layout.row[mark->row].height >= LEAST_LABEL) {
            label(cr, gantt, mark, size);
        }
    }
}

void duet_gantt_draw_boxes(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_marks *marks = &gantt->marks;
    size_t end;
    for (size_t at = 0; at < marks->count; at = end) {
        const duet_gantt_mark *mark = &marks->mark[at];
        for (end = at + 1; end < marks->count && same_style(mark, &marks->mark[end]); end++) {
        }
        duet_gantt_ink(cr, fill_colour(gantt, mark));
        bool boxes = mark->task >= 0 && gantt->layout.row[mark->row].height >= LEAST_BOX;
        (boxes ? draw_as_boxes : draw_as_lines)(cr, mark, end - at);
    }
    separate(cr, gantt);
    hatch_aborted(cr, gantt);
    label_boxes(cr, gantt);
}
