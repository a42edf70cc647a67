// SPDX-License-Identifier: Apache-2.0
// Makespan, lower bound, claimed optimum and the instant from which a plan goes on as lines across
// the rows, with labels above them that keep clear of each other.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <duet/replan.h>

#include "core/number/minmax.h"
#include "report/gantt/clock_axis.h"
#include "report/gantt/draw.h"

static duet_letters label_letters(const duet_gantt *gantt)
{
    return (duet_letters){11.5, true, gantt->theme->ink};
}

// Adds a limit; where one is there at the same time, its label says both.
static void add_limit(duet_gantt_panel *panel, int64_t at, const char *name, duet_colour colour,
                      duet_dash dash)
{
    for (size_t i = 0; i < panel->limits; i++) {
        if (panel->limit[i].at == at) {
            size_t used = strlen(panel->limit[i].text);
            snprintf(panel->limit[i].text + used, sizeof panel->limit[i].text - used, " = %s",
                     name);
            return;
        }
    }
    duet_gantt_limit *limit = &panel->limit[panel->limits++];
    *limit = (duet_gantt_limit){.at = at, .colour = colour, .dash = dash};
    snprintf(limit->text, sizeof limit->text, "%s", name);
}

// From the right to the left, as labels are placed.
static void sort_limits(duet_gantt_panel *panel)
{
    for (size_t i = 1; i < panel->limits; i++) {
        duet_gantt_limit limit = panel->limit[i];
        size_t at = i;
        for (; at > 0 && panel->limit[at - 1].at < limit.at; at--) {
            panel->limit[at] = panel->limit[at - 1];
        }
        panel->limit[at] = limit;
    }
}

// Puts the labels on the lowest line where they are free, from the right to the left.
static void place_labels(const duet_gantt *gantt, duet_gantt_panel *panel)
{
    const duet_letters letters = label_letters(gantt);
    double taken[DUET_GANTT_LIMITS]; // left end of what each line has so far
    double page_right = gantt->width - gantt->margin / 2;
    panel->limit_lines = 0;
    for (size_t i = 0; i < panel->limits; i++) {
        duet_gantt_limit *limit = &panel->limit[i];
        char value[96];
        size_t used = strlen(limit->text);
        duet_gantt_time(gantt->instance, limit->at, value);
        snprintf(limit->text + used, sizeof limit->text - used, " %s", value);
        if (duet_clock_is_known(gantt->instance)) {
            used = strlen(limit->text);
            duet_gantt_axis_text(gantt->instance, gantt->horizon, limit->at, value);
            snprintf(limit->text + used, sizeof limit->text - used, " (%s)", value);
        }
        duet_gantt_fit(&letters, limit->text, sizeof limit->text, page_right - gantt->margin);
        double width = duet_gantt_text_width(&letters, limit->text);
        double x = gantt->plot_x +
                   gantt->plot_width * ((double)limit->at / (double)gantt->horizon) - width / 2;
        limit->left = fmax(fmin(x, page_right - width), gantt->margin);
        while (limit->line < panel->limit_lines && limit->left + width + 18 > taken[limit->line]) {
            limit->line++;
        }
        if (limit->line == panel->limit_lines) {
            panel->limit_lines++;
        }
        taken[limit->line] = limit->left;
    }
}

void duet_gantt_find_limits(const duet_gantt *gantt, duet_gantt_panel *panel)
{
    const duet_gantt_theme *theme = gantt->theme;
    const duet_solution *solution = panel->solution;
    int64_t bound = duet_gantt_bounded(gantt, panel)->lower_bound;
    int64_t claimed = duet_gantt_claimed_optimum(gantt->instance);
    int64_t now = duet_instance_now(gantt->instance);
    panel->limits = 0;
    add_limit(panel, duet_max(solution->makespan, 0), "makespan", theme->makespan, DUET_DASH_NONE);
    if (bound > 0 && bound <= gantt->horizon) {
        add_limit(panel, bound, "lower bound", theme->bound, DUET_DASH_LONG);
    }
    if (claimed > 0 && claimed <= gantt->horizon) {
        add_limit(panel, claimed, "claimed optimum", theme->optimum, DUET_DASH_DOTS);
    }
    if (now > 0 && now <= gantt->horizon) {
        add_limit(panel, now, "now", theme->soft, DUET_DASH_MIXED);
    }
    sort_limits(panel);
    place_labels(gantt, panel);
}

static void draw_line(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel,
                      const duet_gantt_limit *limit)
{
    const duet_gantt_layout *layout = &panel->layout;
    double x = duet_gantt_x(layout, limit->at);
    double top = layout->plot_y - 6;
    double bottom = layout->plot_y + layout->plot_height + 5;
    // An edge in the colour of the page keeps the line visible on any box.
    const duet_stroke halo = {4, gantt->theme->page, 0.75, DUET_DASH_NONE};
    const duet_stroke stroke = {1.8, limit->colour, 1, limit->dash};
    canvas->does->line(canvas, &halo, x, top, x, bottom);
    canvas->does->line(canvas, &stroke, x, top, x, bottom);
}

void duet_gantt_draw_limits(duet_canvas *canvas, const duet_gantt *gantt,
                            const duet_gantt_panel *panel)
{
    duet_letters letters = label_letters(gantt);
    for (size_t i = panel->limits; i-- > 0;) { // the makespan on top of the others
        const duet_gantt_limit *limit = &panel->limit[i];
        draw_line(canvas, gantt, panel, limit);
        letters.colour = limit->colour;
        canvas->does->text(canvas, &letters, limit->left,
                           panel->layout.plot_y - 11 - (double)limit->line * DUET_GANTT_LIMIT_LINE,
                           DUET_ALIGN_LEFT, limit->text);
    }
}
