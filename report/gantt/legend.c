// SPDX-License-Identifier: Apache-2.0
// Draws the legend of a picture.
#include "report/gantt/draw.h"

#include <stdio.h>

#include "report/gantt/text.h"

// Where the next entry of the legend goes.
typedef struct pen {
    double x;
    double y;
    double left;
    double right;
} pen;

static void advance(pen *at, double width)
{
    if (at->x > at->left && at->x + width > at->right) {
        at->x = at->left;
        at->y += 20;
    }
}

static void draw_entry(cairo_t *cr, pen *at, duet_colour colour, bool hatched, char *text,
                       size_t size)
{
    duet_gantt_fit(cr, text, size, (at->right - at->left) / 3);
    double width = 18 + duet_gantt_text_width(cr, text) + 20;
    advance(at, width - 20);
    duet_gantt_ink(cr, colour);
    cairo_rectangle(cr, at->x, at->y - 9, 12, 11);
    cairo_fill(cr);
    if (hatched) {
        cairo_save(cr);
        cairo_rectangle(cr, at->x, at->y - 9, 12, 11);
        cairo_clip(cr);
        duet_gantt_hatch(cr, at->x, at->y - 9, 12, 11);
        cairo_restore(cr);
    }
    duet_gantt_ink(cr, DUET_GANTT_INK);
    duet_gantt_text(cr, at->x + 18, at->y, DUET_ALIGN_LEFT, text);
    at->x += width;
}

static void entry_text(const duet_gantt_classes *classes, const duet_gantt_class *class, char *text,
                       size_t size)
{
    if (class->tasks > 1 && classes->heading[0] == '\0') {
        snprintf(text, size, "%s \xC3\x97%lld", class->label, (long long)class->tasks);
    } else {
        snprintf(text, size, "%s", class->label);
    }
}

// Whether some merged marks are only partly busy.
static bool has_pale(const duet_gantt *gantt)
{
    for (size_t i = 0; i < gantt->marks.count; i++) {
        if (gantt->marks.mark[i].level < DUET_GANTT_LEVELS) {
            return true;
        }
    }
    return false;
}

double duet_gantt_draw_legend(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    const duet_gantt_classes *classes = &gantt->classes;
    double right = layout->plot_x + layout->plot_width;
    pen at = {layout->plot_x, layout->plot_y + layout->plot_height + 62, layout->plot_x, right};
    char text[DUET_GANTT_LABEL + 32];
    duet_gantt_font(cr, 11.5, false);
    if (classes->heading[0] != '\0') {
        duet_gantt_ink(cr, DUET_GANTT_SOFT);
        duet_gantt_text(cr, at.x, at.y, DUET_ALIGN_LEFT, classes->heading);
        at.x += duet_gantt_text_width(cr, classes->heading) + 14;
    }
    for (size_t i = 0; i < classes->count; i++) {
        if (classes->list[i].tasks > 0) {
            entry_text(classes, &classes->list[i], text, sizeof text);
            draw_entry(cr, &at, classes->list[i].colour, false, text, sizeof text);
        }
    }
    snprintf(text, sizeof text, "idle");
    draw_entry(cr, &at, duet_colour_mix(duet_gantt_idle_colour(), DUET_GANTT_INK, 0.06), false,
               text, sizeof text);
    if (has_pale(gantt)) {
        advance(&at, 120);
        duet_gantt_ink(cr, DUET_GANTT_SOFT);
        duet_gantt_text(cr, at.x, at.y, DUET_ALIGN_LEFT, "(paler: idle in part)");
        at.x += 140;
    }
    if (gantt->solution->aborted_count > 0) {
        snprintf(text, sizeof text, "aborted");
        draw_entry(cr, &at, (duet_colour){0.97, 0.93, 0.93}, true, text, sizeof text);
    }
    return at.y;
}
