// SPDX-License-Identifier: Apache-2.0
// Where things are in a picture.
#include "report/gantt/layout.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum {
    MOST_SINGLE = 300, // more rows than this are bundled
    MOST_BUNDLED = 48, // rows of bundles, where the number of types allows it
    KEPT_SINGLE = 16,  // types this small are not bundled
    LEAST_ROW = 3,     // pixels
    MOST_ROW = 30,
    LEAST_GROUP = 16, // pixels: a line of text
    GROUP_GAP = 10
};

static int64_t rows_of(int64_t processors, int64_t bundle)
{
    return (processors - 1) / bundle + 1;
}

static int64_t bundle_of(const duet_gantt_layout *layout, int64_t processors, int64_t bundle)
{
    return layout->groups <= 8 && processors <= KEPT_SINGLE ? 1 : bundle;
}

static int64_t count_rows(const duet_instance *instance, const duet_gantt_layout *layout,
                          int64_t bundle)
{
    int64_t rows = 0;
    for (size_t g = 0; g < layout->groups; g++) {
        int64_t processors = instance->processors[layout->group[g].type];
        rows += rows_of(processors, bundle_of(layout, processors, bundle));
    }
    return rows;
}

// 1, 2, 5, 10, 20, ...
static int64_t next_round(int64_t value)
{
    int64_t power = 1;
    while (value / power >= 10) {
        power *= 10;
    }
    return value / power == 2 ? 5 * power : 2 * value;
}

// `height` is what the plot may take where it is not free to grow; 0: it is.
static int64_t choose_bundle(const duet_instance *instance, const duet_gantt_layout *layout,
                             double height)
{
    int64_t most_single = MOST_SINGLE;
    int64_t most_bundled = MOST_BUNDLED;
    if (height > 0) {
        int64_t fit = (int64_t)(height / LEAST_ROW);
        most_single = duet_min(fit, most_single);
        most_bundled = fit < 4 * most_bundled ? fit / 4 : most_bundled;
    }
    if (count_rows(instance, layout, 1) <= most_single) {
        return 1;
    }
    // What stays single takes its rows whatever the bundle.
    int64_t least = count_rows(instance, layout, DUET_MAX_PROCESSORS);
    int64_t bundle = 2;
    while (bundle < DUET_MAX_PROCESSORS &&
           count_rows(instance, layout, bundle) > least + most_bundled) {
        bundle = next_round(bundle);
    }
    return bundle;
}

static void find_groups(const duet_instance *instance, double height, duet_gantt_layout *layout)
{
    for (size_t type = 0; type < instance->types; type++) {
        if (instance->processors[type] > 0) {
            layout->group_of_type[type] = layout->groups;
            layout->group[layout->groups++].type = type;
        }
    }
    int64_t bundle = choose_bundle(instance, layout, height);
    for (size_t g = 0; g < layout->groups; g++) {
        duet_gantt_group *group = &layout->group[g];
        int64_t processors = instance->processors[group->type];
        group->bundle = bundle_of(layout, processors, bundle);
        group->first_row = layout->rows;
        group->rows = (size_t)rows_of(processors, group->bundle);
        layout->rows += group->rows;
    }
}

// Height of a row.
static double row_height(const duet_gantt_layout *layout, const duet_gantt_place *place)
{
    double rows = (double)(layout->rows > 0 ? layout->rows : 1);
    if (!place->fill) {
        return fmin(fmax(floor(place->height / rows), LEAST_ROW), MOST_ROW);
    }
    double gaps = layout->groups > 1 ? (double)(layout->groups - 1) * GROUP_GAP : 0;
    return fmax((place->height - gaps) / rows, LEAST_ROW);
}

static void place_rows(const duet_instance *instance, const duet_gantt_place *place,
                       duet_gantt_layout *layout)
{
    double height = row_height(layout, place);
    layout->gap = height >= 14 ? 2 : height >= 6 ? 1 : 0;
    double y = place->y;
    for (size_t g = 0; g < layout->groups; g++) {
        duet_gantt_group *group = &layout->group[g];
        double own = fmax(height, ceil((double)LEAST_GROUP / (double)group->rows));
        group->y = y;
        group->height = own * (double)group->rows;
        int64_t processors = instance->processors[group->type];
        for (size_t i = 0; i < group->rows; i++) {
            int64_t first = (int64_t)i * group->bundle;
            int64_t left = processors - first;
            layout->row[group->first_row + i] =
                (duet_gantt_row){g, first, duet_min(left, group->bundle), y + (double)i * own, own};
        }
        y += group->height + GROUP_GAP;
    }
    layout->plot_height = fmax(y - GROUP_GAP - place->y, LEAST_GROUP);
}

void duet_gantt_layout_move(duet_gantt_layout *layout, double y)
{
    double down = y - layout->plot_y;
    layout->plot_y = y;
    for (size_t g = 0; g < layout->groups; g++) {
        layout->group[g].y += down;
    }
    for (size_t i = 0; i < layout->rows; i++) {
        layout->row[i].y += down;
    }
}

static void measure_idle(const duet_instance *instance, const duet_intervals *intervals,
                         duet_gantt_layout *layout)
{
    double busy[DUET_MAX_TYPES] = {0};
    double lost[DUET_MAX_TYPES] = {0};
    int64_t end = 0; // its own: beside a longer schedule it is not idle after that
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        double time = (double)(interval->end - interval->start);
        *(interval->aborted ? &lost[interval->type] : &busy[interval->type]) += time;
        end = duet_max(interval->end, end);
    }
    end = end > 0 ? end : layout->horizon;
    for (size_t g = 0; g < layout->groups; g++) {
        duet_gantt_group *group = &layout->group[g];
        double all = (double)end * (double)instance->processors[group->type];
        group->lost = lost[group->type] / all;
        group->idle = fmax(1 - (busy[group->type] + lost[group->type]) / all, 0);
    }
}

duet_code duet_gantt_layout_create(const duet_instance *instance, const duet_intervals *intervals,
                                   int64_t horizon, const duet_gantt_place *place,
                                   duet_gantt_layout *layout, duet_error *error)
{
    memset(layout, 0, sizeof *layout);
    layout->width = place->page_width;
    layout->plot_x = place->x;
    layout->plot_y = place->y;
    layout->plot_width = place->width;
    layout->horizon = horizon > 0 ? horizon : 1;
    layout->empty = horizon <= 0;
    find_groups(instance, place->fill ? place->height : 0, layout);
    layout->row = duet_alloc(layout->rows, sizeof *layout->row, error);
    DUET_NEED(layout->row);
    place_rows(instance, place, layout);
    measure_idle(instance, intervals, layout);
    return DUET_OK;
}

void duet_gantt_layout_free(duet_gantt_layout *layout)
{
    duet_free(layout->row);
    layout->row = NULL;
}

size_t duet_gantt_row_of(const duet_gantt_layout *layout, int32_t type, int32_t processor)
{
    const duet_gantt_group *group = &layout->group[layout->group_of_type[type]];
    return group->first_row + (size_t)(processor / group->bundle);
}

double duet_gantt_inner(const duet_gantt_layout *layout, size_t row)
{
    double height = layout->row[row].height;
    return height - fmin(layout->gap, height / 4);
}

double duet_gantt_x(const duet_gantt_layout *layout, int64_t ticks)
{
    return layout->plot_x + layout->plot_width * ((double)ticks / (double)layout->horizon);
}

int64_t duet_gantt_tick_step(const duet_gantt_layout *layout, double distance)
{
    double least = distance / layout->plot_width * (double)layout->horizon;
    int64_t step = 1;
    while ((double)step < least && step < INT64_MAX / 10) {
        step = next_round(step);
    }
    return step;
}
