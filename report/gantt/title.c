// SPDX-License-Identifier: Apache-2.0
// Draws the title of a picture: instance, algorithm, makespan, bound and gap.
#include "report/gantt/draw.h"

#include <stdio.h>
#include <string.h>

#include "report/clean_text.h"
#include "report/gantt/text.h"
#include "report/gap_text.h"

void duet_gantt_time(const duet_instance *instance, int64_t ticks, char *text)
{
    char number[32];
    char unit[40];
    duet_clean_text(instance->time_unit, SIZE_MAX, unit, sizeof unit);
    snprintf(text, 96, "%s%s%s", duet_instance_format_time(instance, ticks, number),
             unit[0] != '\0' ? " " : "", unit);
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? "  \xC2\xB7  " : "", more);
}

static void summary_text(const duet_gantt *gantt, char *text, size_t size)
{
    const duet_solution *solution = gantt->solution;
    char part[256];
    char value[96];
    text[0] = '\0';
    if (solution->algorithm[0] != '\0') {
        duet_clean_text(solution->algorithm, sizeof solution->algorithm, value, sizeof value);
        snprintf(part, sizeof part, "algorithm %s", value);
        append(text, size, part);
    }
    duet_gantt_time(gantt->instance, solution->makespan, value);
    snprintf(part, sizeof part, "makespan %s", value);
    append(text, size, part);
    if (solution->lower_bound > 0) {
        char name[64];
        duet_gantt_time(gantt->instance, solution->lower_bound, value);
        duet_clean_text(solution->bound_name, sizeof solution->bound_name, name, sizeof name);
        snprintf(part, sizeof part, name[0] != '\0' ? "lower bound %s (%s)" : "lower bound %s",
                 value, name);
        append(text, size, part);
    }
    if (solution->status == DUET_OPTIMAL) {
        append(text, size, "optimal");
    } else if (solution->lower_bound > 0 && solution->makespan >= solution->lower_bound) {
        duet_gap_text(solution->makespan, solution->lower_bound, value, sizeof value);
        snprintf(part, sizeof part, "gap %s", value);
        append(text, size, part);
    }
    if (solution->interrupted) {
        append(text, size, "interrupted");
    }
}

void duet_gantt_draw_title(cairo_t *cr, const duet_gantt *gantt)
{
    const duet_gantt_layout *layout = &gantt->layout;
    char text[512];
    char counts[64];
    double right = layout->plot_x + layout->plot_width;
    long long tasks = (long long)duet_tasks(gantt->instance);
    snprintf(counts, sizeof counts, "%lld task%s", tasks, tasks == 1 ? "" : "s");
    duet_gantt_font(cr, 12, false);
    duet_gantt_ink(cr, DUET_GANTT_SOFT);
    double taken = duet_gantt_text_width(cr, counts);
    duet_gantt_text(cr, right, 34, DUET_ALIGN_RIGHT, counts);
    summary_text(gantt, text, sizeof text);
    duet_gantt_fit(cr, text, sizeof text, right - DUET_GANTT_MARGIN);
    duet_gantt_text(cr, DUET_GANTT_MARGIN, 55, DUET_ALIGN_LEFT, text);
    duet_clean_text(gantt->instance->name, SIZE_MAX, text, sizeof text);
    duet_gantt_font(cr, 18, true);
    duet_gantt_ink(cr, DUET_GANTT_INK);
    duet_gantt_fit(cr, text, sizeof text, right - DUET_GANTT_MARGIN - taken - 20);
    duet_gantt_text(cr, DUET_GANTT_MARGIN, 35, DUET_ALIGN_LEFT, text);
}
