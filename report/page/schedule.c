// SPDX-License-Identifier: Apache-2.0
// A schedule as JSON. What is told of it as a whole is text, exact. Times of boxes are whole ticks,
// which a browser rounds to 53 bits: beyond 2^53 the page marks what it derives from them.
#include <inttypes.h>

#include <duet/replan.h>

#include "core/instance/clock.h"
#include "core/instance/instance.h"
#include "core/instance/pins.h"
#include "core/instance/unit.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/gantt/clock_axis.h"
#include "report/page/boxes.h"
#include "report/page/page.h"
#include "report/page/parts.h"
#include "report/summary.h"
#include "report/texts.h"

static void put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "\"%s\":", key);
    duet_html_name(stream, text);
    fputs(",\n", stream);
}

// Makespan, bound and gap, "" for what is not known; and whether the first two are the same.
static void put_facts(FILE *stream, const duet_instance *instance, const duet_solution *solution,
                      const duet_solution *bounded)
{
    char text[DUET_TIME_TEXT];
    int64_t makespan = solution->makespan;
    int64_t bound = bounded->lower_bound;
    put_text(stream, "makespanText", duet_time_text(instance, 0, (duet_uint128)makespan, text));
    put_text(stream, "boundText",
             bound > 0 ? duet_time_text(instance, 0, (duet_uint128)bound, text) : "");
    text[0] = '\0';
    if (bound > 0 && makespan >= bound) {
        duet_gap_text(makespan, bound, text, sizeof text);
    }
    put_text(stream, "gap", text);
    fprintf(stream, "\"same\":%s,\n\"makespan\":%" PRId64 ",\n\"bound\":%" PRId64 ",\n",
            makespan == bound ? "true" : "false", makespan, bound);
}

enum { EPOCH = 719468 };                   // 1970-01-01, in the days of a clock
static const double LAST_SECOND = 8.64e12; // from then on that a browser knows
static const double MICROSECONDS_PER_SECOND = 1e6;

// The seconds that a tick takes. A unit of time must be known.
static double tick_seconds(const duet_instance *instance)
{
    duet_unit unit = {1, 0};
    (void)duet_unit_find(instance->time_unit, &unit);
    double tick = unit.factor / MICROSECONDS_PER_SECOND;
    for (int i = unit.exponent - instance->decimals; i != 0; i += i < 0 ? 1 : -1) {
        tick = i < 0 ? tick / 10 : tick * 10;
    }
    return tick;
}

// When time 0 is, as seconds from 1970 on in the zone of the start, and how long a tick is. null
// where times of day are not known.
static void put_clock(FILE *stream, const duet_instance *instance, const duet_solution *solution)
{
    char text[DUET_CLOCK_TEXT] = "";
    const duet_clock *clock = &instance->clock;
    double from = (double)(clock->day - EPOCH) * DUET_CLOCK_DAY + clock->second;
    double tick = clock->known ? tick_seconds(instance) : 0;
    if (!clock->known || from + (double)solution->makespan * tick > LAST_SECOND) {
        fputs("\"clock\":null,\n", stream);
        return;
    }
    put_text(stream, "endsAt", duet_clock_tell(instance, solution->makespan, text));
    fprintf(stream, "\"clock\":{\"from\":%.0f,\"tick\":%.17g,\"zone\":", from, tick);
    duet_html_name(stream, clock->zone);
    fputs("},\n", stream);
}

static void put_head(FILE *stream, const duet_page_schedule *schedule)
{
    const duet_instance *instance = schedule->instance;
    const duet_solution *solution = schedule->solution;
    const duet_solution *bounded = schedule->bounded == NULL ? solution : schedule->bounded;
    put_text(stream, "name", schedule->name);
    put_text(stream, "instance", instance->name);
    put_text(stream, "algorithm", solution->algorithm);
    put_text(stream, "foundBy", solution->found_by);
    put_text(stream, "boundName", bounded->bound_name);
    bool met = bounded != solution && bounded->lower_bound == solution->makespan;
    put_text(stream, "status", duet_status_name(met ? DUET_OPTIMAL : solution->status));
    const char *ending = duet_solution_ending(solution);
    put_text(stream, "ending", ending == NULL ? "" : ending);
    put_text(stream, "unit", instance->time_unit);
    // What people read is in the unit that the pictures have.
    put_text(stream, "axisUnit", duet_gantt_axis_unit(instance, solution->makespan));
    put_text(stream, "fault", schedule->fault == NULL ? "" : schedule->fault);
    put_facts(stream, instance, solution, bounded);
    put_clock(stream, instance, solution);
    bool transfers = (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0;
    fprintf(stream,
            "\"tasks\":%" PRId64 ",\n\"decimals\":%d,\n\"axisDecimals\":%d,\n\"transfers\":%s,\n",
            duet_tasks(instance), instance->decimals,
            instance->decimals + duet_gantt_axis_shift(instance, solution->makespan),
            transfers ? "true" : "false");
}

// The names of the first processors of a type, as far as they may have a row.
static void put_names(FILE *stream, const duet_instance *instance, size_t type)
{
    size_t count = duet_min(instance->names[type].count, (size_t)DUET_HTML_ROWS);
    fputs("[", stream);
    for (size_t p = 0; p < count; p++) {
        fputs(p == 0 ? "" : ",", stream);
        duet_html_name(stream, duet_processor_name(instance, type, (int64_t)p));
    }
    fputs("]", stream);
}

// Time in intervals of each type, over all its processors, whether they have a row or not, and the
// names of its processors.
static void put_types(FILE *stream, const duet_instance *instance, const duet_intervals *intervals)
{
    double busy[DUET_MAX_TYPES] = {0};
    double lost[DUET_MAX_TYPES] = {0};
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *interval = &intervals->interval[i];
        (interval->aborted ? lost : busy)[interval->type] +=
            (double)(interval->end - interval->start);
    }
    fputs("\"types\":[", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputs(t == 0 ? "[" : ",[", stream);
        duet_html_name(stream, instance->type_names[t]);
        fprintf(stream, ",%" PRId64 ",%.17g,%.17g,", instance->processors[t], busy[t], lost[t]);
        put_names(stream, instance, t);
        fputs("]", stream);
    }
    fputs("],\n", stream);
}

// When processors take no tasks, [type, processor, from, to, why]: they are busy at first, or lost,
// of which no end is known (-1). At most as many as a page has rows.
static void put_closed(FILE *stream, const duet_instance *instance, const duet_intervals *intervals)
{
    size_t count = 0;
    fprintf(stream, "\"now\":%" PRId64 ",\n\"closed\":[", duet_instance_now(instance));
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < instance->processors[t] && count < DUET_HTML_ROWS; p++) {
            int64_t until = duet_busy_until(instance, t, p);
            if (until > 0) {
                fprintf(stream, "%s[%zu,%" PRId64 ",0,%" PRId64 ",\"busy\"]",
                        count++ > 0 ? "," : "", t, p, until);
            }
            if (duet_is_lost(instance, t, p)) {
                fprintf(stream, "%s[%zu,%" PRId64 ",%" PRId64 ",-1,\"lost\"]",
                        count++ > 0 ? "," : "", t, p,
                        duet_intervals_lost_from(instance, intervals, t, p));
            }
        }
    }
    fputs("],\n", stream);
}

// What the schedule does: a row for each kind or name of kinds, [name, kinds, tasks, [tasks by
// type]], and what limits it.
static duet_code put_summary(FILE *stream, const duet_page_schedule *schedule, duet_error *error)
{
    duet_summary *summary = duet_alloc(1, sizeof *summary, error);
    DUET_NEED(summary);
    duet_code code = duet_summary_create(schedule->instance, schedule->solution, summary, error);
    fputs("\"summary\":[", stream);
    for (size_t r = 0; r < summary->rows && code == DUET_OK; r++) {
        const duet_summary_row *row = &summary->row[r];
        fputs(r == 0 ? "[" : ",[", stream);
        duet_html_name(stream, row->name);
        fprintf(stream, ",%zu,%" PRId64 ",[", row->kinds, row->tasks);
        for (size_t t = 0; t < summary->types; t++) {
            fprintf(stream, "%s%" PRId64, t == 0 ? "" : ",", row->count[t]);
        }
        fputs("]]", stream);
    }
    int load = code == DUET_OK ? duet_summary_load(summary, summary->bottleneck) : 0;
    bool busy = code == DUET_OK && summary->limit != DUET_LIMIT_NOTHING;
    fprintf(stream, "],\n\"bottleneck\":[%zu,\"%d.%02d\",%zu],\n", busy ? summary->bottleneck : 0,
            load / 100, load % 100, code == DUET_OK ? summary->chain : 0);
    if (code == DUET_OK) {
        duet_summary_free(summary);
    }
    duet_free(summary);
    return code;
}

static void put_classes(FILE *stream, const duet_gantt_classes *classes)
{
    put_text(stream, "heading", classes->heading);
    fputs("\"classes\":[", stream);
    for (size_t i = 0; i < classes->count; i++) {
        char colour[8];
        fputs(i == 0 ? "[" : ",[", stream);
        duet_html_name(stream, classes->list[i].label);
        fprintf(stream, ",\"%s\",%" PRId64 "]", duet_colour_hex(classes->list[i].colour, colour),
                classes->list[i].tasks);
    }
    fputs("],\n", stream);
}

// Only the kinds that occur: [id, class, whether it has several tasks, its first task]. *number
// receives what each is called in the boxes.
static duet_code put_kinds(FILE *stream, const duet_instance *instance, const duet_boxes *boxes,
                           const duet_gantt_classes *classes, size_t **number, duet_error *error)
{
    *number = duet_alloc(instance->kinds, sizeof **number, error);
    DUET_NEED(*number);
    size_t count = 0;
    fputs("\"kinds\":[", stream);
    for (size_t i = 0; i < boxes->count; i++) {
        size_t kind = boxes->box[i].kind;
        if ((*number)[kind] > 0) {
            continue;
        }
        (*number)[kind] = ++count;
        fputs(count == 1 ? "[" : ",[", stream);
        duet_html_name(stream, duet_instance_kind_id(instance, kind));
        fprintf(stream, ",%d,%d,%" PRId64 "]", classes->of_kind[kind],
                duet_count(instance, kind) > 1, instance->first[kind]);
    }
    fputs("],\n", stream);
    return DUET_OK;
}

// Of each box: the gap before it, its length, kind, first task, and number of intervals, 0 for an
// aborted one.
static void put_row(FILE *stream, const duet_boxes *boxes, const duet_box_row *row,
                    const size_t *number)
{
    int64_t last = 0;
    fprintf(stream, "[%d,%d,%" PRId64 ",%.17g,[", (int)row->type, (int)row->processor, row->busy,
            row->lost);
    for (size_t i = 0; i < row->count; i++) {
        const duet_html_box *box = &boxes->box[row->first + i];
        fprintf(stream, "%s%" PRId64 ",%" PRId64 ",%zu,%" PRId64 ",%" PRId64, i == 0 ? "" : ",",
                box->start - last, box->end - box->start, number[box->kind] - 1, box->task,
                box->aborted ? 0 : box->count);
        last = box->end;
    }
    fputs("]]", stream);
}

static void put_rows(FILE *stream, const duet_boxes *boxes, const size_t *number)
{
    fprintf(stream, "\"level\":%d,\n\"hidden\":%zu,\n\"rows\":[", (int)boxes->level, boxes->hidden);
    for (size_t i = 0; i < boxes->rows; i++) {
        fputs(i == 0 ? "\n" : ",\n", stream);
        put_row(stream, boxes, &boxes->row[i], number);
    }
    fputs("]", stream);
}

static duet_code put_intervals(FILE *stream, const duet_page_schedule *schedule,
                               duet_intervals *intervals, duet_error *error)
{
    duet_gantt_classes classes;
    duet_boxes boxes;
    size_t *number = NULL;
    duet_intervals_sort(intervals);
    DUET_TRY(duet_gantt_classes_create(schedule->instance, intervals, &classes, error));
    duet_code code = duet_boxes_create(schedule->instance, intervals, &classes, DUET_HTML_BOXES,
                                       DUET_HTML_ROWS, &boxes, error);
    if (code == DUET_OK) {
        fputs("{", stream);
        put_head(stream, schedule);
        put_types(stream, schedule->instance, intervals);
        put_closed(stream, schedule->instance, intervals);
        code = put_summary(stream, schedule, error);
    }
    if (code == DUET_OK) {
        put_classes(stream, &classes);
        code = put_kinds(stream, schedule->instance, &boxes, &classes, &number, error);
    }
    DUET_THEN(code,
              duet_html_graph(stream, schedule->instance, schedule->solution, intervals, error));
    if (code == DUET_OK) {
        put_rows(stream, &boxes, number);
        fputs("}", stream);
    }
    duet_free(number);
    duet_boxes_free(&boxes);
    duet_gantt_classes_free(&classes);
    return code;
}

duet_code duet_html_schedule(FILE *stream, const duet_page_schedule *schedule, duet_error *error)
{
    if (schedule->solution->aborted_count > DUET_HTML_ABORTED) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%zu aborted runs; expected at most %d for a page",
                              schedule->solution->aborted_count, DUET_HTML_ABORTED);
    }
    duet_intervals intervals;
    duet_code code =
        duet_intervals_collect(schedule->instance, schedule->solution, &intervals, error);
    if (code == DUET_OK) {
        code = put_intervals(stream, schedule, &intervals, error);
        duet_intervals_free(&intervals);
    }
    return code;
}
