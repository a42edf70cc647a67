// SPDX-License-Identifier: Apache-2.0
// The lines of text at the top of a picture: its title; of each schedule the algorithm, makespan,
// bound, and how far it is from the best.
#include <stdio.h>
#include <string.h>

#include "core/instance/time_text.h"
#include "core/number/fraction.h"
#include "report/gantt/draw.h"
#include "report/texts.h"

enum { MOST_PARTS = 8, PART = 200 };

// What the summary says, in order.
typedef struct parts {
    size_t count;
    char text[MOST_PARTS][PART];
} parts;

static char *next(parts *all)
{
    return all->text[all->count++];
}

void duet_gantt_time(const duet_instance *instance, int64_t ticks, char *text)
{
    char time[DUET_TIME_TEXT];
    duet_time_text(instance, 0, (duet_uint128)ticks, time);
    duet_clean_text(time, SIZE_MAX, text, 96);
}

int64_t duet_gantt_claimed_optimum(const duet_instance *instance)
{
    return instance->claim == NULL ? 0 : instance->claim->claim.optimum;
}

static void add_algorithm(const duet_solution *solution, parts *all)
{
    char name[64];
    char by[64];
    if (solution->algorithm[0] == '\0') {
        return;
    }
    duet_clean_text(solution->algorithm, sizeof solution->algorithm, name, sizeof name);
    duet_clean_text(solution->found_by, sizeof solution->found_by, by, sizeof by);
    if (by[0] != '\0') {
        snprintf(next(all), PART, "algorithm %s (schedule by %s)", name, by);
    } else {
        snprintf(next(all), PART, "algorithm %s", name);
    }
}

const duet_solution *duet_gantt_bounded(const duet_gantt *gantt, const duet_gantt_panel *panel)
{
    const duet_solution *own = panel->solution;
    if (gantt->panels < 2) {
        return own;
    }
    const duet_solution *other = gantt->panel[panel == &gantt->panel[0] ? 1 : 0].solution;
    bool holds = other->lower_bound <= own->makespan && other->lower_bound <= other->makespan;
    return holds && other->lower_bound > own->lower_bound ? other : own;
}

static void add_bound(const duet_gantt *gantt, const duet_solution *solution, parts *all)
{
    char value[96];
    char name[64];
    if (solution->lower_bound <= 0) {
        return;
    }
    duet_gantt_time(gantt->instance, solution->lower_bound, value);
    duet_clean_text(solution->bound_name, sizeof solution->bound_name, name, sizeof name);
    snprintf(next(all), PART, name[0] != '\0' ? "lower bound %s (%s)" : "lower bound %s", value,
             name);
}

// "4.5": a factor of at least 1, rounded up in the fourth decimal place.
static void factor_text(int64_t makespan, int64_t of, char *text, size_t size)
{
    duet_uint128 units =
        duet_fraction_ceil((duet_fraction){(duet_uint128)makespan * 10000, (duet_uint128)of});
    snprintf(text, size, "%llu.%04u", (unsigned long long)(units / 10000),
             (unsigned)(units % 10000));
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

// How many times the best a schedule takes: the optimum that the instance claims, or the makespan
// of the other schedule where that is shorter.
static void add_factor(const duet_gantt *gantt, const duet_gantt_panel *panel, parts *all)
{
    char factor[40];
    char value[96];
    int64_t makespan = panel->solution->makespan;
    int64_t claimed = duet_gantt_claimed_optimum(gantt->instance);
    if (claimed > 0 && makespan > claimed) {
        factor_text(makespan, claimed, factor, sizeof factor);
        duet_gantt_time(gantt->instance, claimed, value);
        snprintf(next(all), PART, "%s times the claimed optimum %s", factor, value);
    } else if (claimed == 0 && gantt->panels > 1) {
        bool first = panel == &gantt->panel[0];
        const duet_solution *other = gantt->panel[first ? 1 : 0].solution;
        if (other->makespan > 0 && makespan > other->makespan) {
            factor_text(makespan, other->makespan, factor, sizeof factor);
            snprintf(next(all), PART, "%s times the one %s", factor, first ? "below" : "above");
        }
    }
}

static void find_parts(const duet_gantt *gantt, const duet_gantt_panel *panel, parts *all)
{
    const duet_solution *solution = panel->solution;
    const duet_solution *bounded = duet_gantt_bounded(gantt, panel);
    bool met = bounded->lower_bound > 0 && solution->makespan == bounded->lower_bound;
    char value[96];
    all->count = 0;
    long long tasks = (long long)duet_tasks(gantt->instance);
    if (panel == &gantt->panel[0]) {
        snprintf(next(all), PART, "%lld task%s", tasks, tasks == 1 ? "" : "s");
    }
    add_algorithm(solution, all);
    duet_gantt_time(gantt->instance, solution->makespan, value);
    snprintf(next(all), PART, "makespan %s", value);
    add_bound(gantt, bounded, all);
    add_factor(gantt, panel, all);
    if (solution->status == DUET_OPTIMAL || (bounded != solution && met)) {
        snprintf(next(all), PART, "optimal");
    } else if (bounded->lower_bound > 0 && solution->makespan >= bounded->lower_bound) {
        duet_gap_text(solution->makespan, bounded->lower_bound, value, sizeof value);
        snprintf(next(all), PART, "gap %s", value);
    }
    if (duet_solution_ending(solution) != NULL) {
        snprintf(next(all), PART, "%s", duet_solution_ending(solution));
    }
}

void duet_gantt_summary_text(const duet_gantt *gantt, const duet_gantt_panel *panel, char *text,
                             size_t size)
{
    parts all;
    find_parts(gantt, panel, &all);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < all.count && used < size; i++) {
        int written = snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", all.text[i]);
        used += written > 0 ? (size_t)written : 0;
    }
}

// A line of the summary as one text, so that its parts are evenly apart in any font. NULL: none is
// drawn.
static void draw_line(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel,
                      size_t number, const char *text)
{
    const duet_letters letters = {12, false, gantt->theme->soft};
    if (canvas != NULL) {
        canvas->does->text(canvas, &letters, gantt->margin,
                           panel->head_y + (double)number * DUET_GANTT_SUMMARY_LINE - 4,
                           DUET_ALIGN_LEFT, text);
    }
}

size_t duet_gantt_draw_summary(duet_canvas *canvas, const duet_gantt *gantt,
                               const duet_gantt_panel *panel)
{
    // Viewers of SVG show two spaces as one, but not if one of them is a no-break space.
    static const char dot[] = " \xC2\xA0\xC2\xB7\xC2\xA0 ";
    const duet_letters letters = {12, false, gantt->theme->soft};
    double room = gantt->width - 2 * gantt->margin;
    double between = duet_gantt_text_width(&letters, "     ");
    char line[MOST_PARTS * (PART + sizeof dot)];
    double x = 0;
    size_t lines = 1;
    size_t used = 0;
    parts all;
    find_parts(gantt, panel, &all);
    for (size_t i = 0; i < all.count; i++) {
        duet_gantt_fit(&letters, all.text[i], PART, room);
        double width = duet_gantt_text_width(&letters, all.text[i]);
        if (x > 0 && x + between + width > room) {
            draw_line(canvas, gantt, panel, lines++, line);
            x = 0;
            used = 0;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", x > 0 ? dot : "",
                                 all.text[i]);
        x += (x > 0 ? between : 0) + width;
    }
    draw_line(canvas, gantt, panel, lines, line);
    return lines;
}

void duet_gantt_draw_title(duet_canvas *canvas, const duet_gantt *gantt)
{
    char text[DUET_GANTT_TEXT];
    const duet_letters letters = {gantt->width < 600 ? 15 : 18, true, gantt->theme->ink};
    memcpy(text, gantt->title, sizeof text);
    duet_gantt_fit(&letters, text, sizeof text, gantt->width - 2 * gantt->margin);
    canvas->does->text(canvas, &letters, gantt->margin, 35, DUET_ALIGN_LEFT, text);
}
