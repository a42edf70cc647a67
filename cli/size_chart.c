// SPDX-License-Identifier: Apache-2.0
// The chart of `duet size`.
#include <math.h>
#include <stdio.h>

#include "cli/size_out.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/chart/chart.h"

// The varied types of the axes; `y` is `types` where one type varies.
typedef struct axes {
    size_t types;
    size_t x;
    size_t y;
} axes;

static axes choose_axes(const duet_cli_sized *sized)
{
    axes a = {.types = duet_instance_types(sized->instance)};
    while (a.x + 1 < a.types && !sized->varied[a.x]) {
        a.x++;
    }
    a.y = a.x + 1;
    while (a.y < a.types && !sized->varied[a.y]) {
        a.y++;
    }
    return a;
}

static double in_units(const duet_cli_sized *sized, int64_t ticks)
{
    return ticks == DUET_FORBIDDEN
               ? NAN
               : (double)ticks * pow(10, -duet_instance_decimals(sized->instance));
}

// Whether a platform has the most processors of all types but those of the axes.
static bool is_shown(const duet_sized *platform, const duet_sized *last, const axes *a)
{
    bool shown = true;
    for (size_t t = 0; t < a->types; t++) {
        shown = shown && (t == a->x || t == a->y || platform->counts[t] == last->counts[t]);
    }
    return shown;
}

// Points along x: of one varied type makespan and bound, where that is known; of two the fewest of
// the second that make it, and the most that do not.
static size_t collect(const duet_cli_sized *sized, const axes *a, double *x, double *first,
                      double *second)
{
    size_t cells = duet_sizing_platforms(sized->sizing);
    duet_sized last = duet_sizing_platform(sized->sizing, cells - 1);
    duet_sized least = duet_sizing_platform(sized->sizing, 0);
    size_t count = (size_t)(last.counts[a->x] - least.counts[a->x]) + 1;
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)(least.counts[a->x] + (int64_t)i);
        first[i] = NAN;
        second[i] = NAN;
    }
    for (size_t i = 0; i < cells; i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        size_t at = (size_t)(platform.counts[a->x] - least.counts[a->x]);
        if (!is_shown(&platform, &last, a)) {
            continue;
        }
        if (a->y == a->types) {
            first[at] = in_units(sized, platform.makespan);
            second[at] = platform.lower_bound > 0 ? in_units(sized, platform.lower_bound) : NAN;
        } else if (platform.feasible == DUET_YES) {
            double y = (double)platform.counts[a->y];
            first[at] = isnan(first[at]) || y < first[at] ? y : first[at];
        } else if (platform.feasible == DUET_NO) {
            double y = (double)platform.counts[a->y];
            second[at] = isnan(second[at]) || y > second[at] ? y : second[at];
        }
    }
    return count;
}

duet_code duet_cli_sized_chart(const duet_cli_sized *sized, const char *path,
                               const duet_cli_chart *look, duet_error *error)
{
    size_t cells = duet_sizing_platforms(sized->sizing);
    const axes a = choose_axes(sized);
    double *room = duet_alloc(3 * cells, sizeof *room, error);
    DUET_NEED(room);
    double *first = room + cells;
    double *second = room + 2 * cells;
    size_t count = collect(sized, &a, room, first, second);
    char title[220];
    char due[DUET_CLI_GIVEN_TEXT];
    char y_label[100];
    const char *unit = duet_instance_time_unit(sized->instance);
    bool border = a.y < a.types;
    snprintf(title, sizeof title, "%.120s: to end by %s", duet_instance_name(sized->instance),
             duet_cli_given_text(&sized->due, sized->instance, due));
    snprintf(y_label, sizeof y_label, "%.60s%.2s%.30s%s",
             border ? duet_instance_type_name(sized->instance, a.y) : "time",
             border || unit[0] == '\0' ? "" : " (", border ? "" : unit,
             border || unit[0] == '\0' ? "" : ")");
    const duet_chart_series series[] = {
        {border ? "the fewest that make it" : "makespan", 0, 0, room, first, count},
        {border ? "the most that do not" : "lower bound", border ? 1 : 0, !border, room, second,
         count}};
    const duet_chart chart = {.title = look->title != NULL ? look->title : title,
                              .width = look->width,
                              .height = look->height,
                              .x_label = duet_instance_type_name(sized->instance, a.x),
                              .y_label = y_label,
                              .linear_x = true,
                              .linear_y = true,
                              .counts = border ? DUET_CHART_COUNTS : DUET_CHART_COUNTS_X,
                              .series = series,
                              .count = 2};
    duet_code code = duet_chart_write(path, &chart, error);
    duet_free(room);
    return code;
}
