// SPDX-License-Identifier: Apache-2.0
// The intervals of a solution, read from JSON: which processor works on which task, and when.
// Whether they make a schedule is for the checker to say; what cannot even be stored is noted for
// it.
#include "core/number/minmax.h"
#include "instances/formats/solution/reader.h"

#include <stdarg.h>
#include <stdio.h>

enum { TASK, TYPE, PROCESSOR, START, END, PROCESSORS, PARTS };

void duet_solution_fine_time(duet_solution_reader *reader, const char *what, duet_int128 *time)
{
    duet_json *json = &reader->json;
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (json->token != DUET_JSON_NUMBER) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s, a number", what);
        duet_json_expected(json, expected);
        return;
    }
    duet_decimal_fault fault = duet_decimal_read_finer(
        json->text, json->length, duet_instance_decimals(reader->instance), time);
    if (fault != DUET_DECIMAL_OK) {
        duet_json_fail(json, "%s %.40s: expected %s", what, json->text,
                       duet_decimal_expected(fault));
    }
}

void duet_solution_time(duet_solution_reader *reader, const char *what, int64_t *ticks)
{
    duet_json *json = &reader->json;
    duet_int128 time = 0;
    duet_solution_fine_time(reader, what, &time);
    if (json->code != DUET_OK) {
        return;
    }
    if (reader->exact && time % DUET_FINE_TICK != 0) {
        duet_solution_fault(reader,
                            "%s %.40s: expected whole ticks, at most %d decimal places as in the "
                            "instance",
                            what, json->text, duet_instance_decimals(reader->instance));
    }
    duet_int128 half = time < 0 ? -DUET_FINE_TICK / 2 : DUET_FINE_TICK / 2;
    *ticks = (int64_t)((time + half) / DUET_FINE_TICK);
}

// Any whole number is kept, cut to 32 bits; the checker knows which processors there are.
static void read_processor(duet_json *json, int32_t *processor)
{
    int64_t value;
    (void)duet_json_whole(json, "the processor", -DUET_MAX_WORK, DUET_MAX_WORK, &value);
    value = duet_min(value, INT32_MAX);
    *processor = (int32_t)duet_max(value, INT32_MIN);
}

static void read_interval_member(duet_solution_reader *reader, int which,
                                 duet_schedule_entry *interval)
{
    switch (which) {
    case TASK:
        duet_solution_read_task(reader, &interval->task);
        break;
    case TYPE:
        duet_solution_read_type(reader, &interval->type);
        break;
    case PROCESSOR:
        read_processor(&reader->json, &interval->processor);
        break;
    case START:
        interval->given |= DUET_ENTRY_START;
        duet_solution_fine_time(reader, "the start", &interval->start);
        break;
    case END:
        interval->given |= DUET_ENTRY_END;
        duet_solution_fine_time(reader, "the end", &interval->end);
        break;
    case PROCESSORS:
        duet_solution_read_processors(reader, interval);
        break;
    case PARTS:
        duet_solution_read_parts(reader, interval);
        break;
    default:
        duet_json_skip(&reader->json);
        break;
    }
}

static void read_interval(duet_solution_reader *reader, bool aborted, duet_schedule_entry *interval)
{
    static const char *const names[] = {"task", "type",       "processor", "start",
                                        "end",  "processors", "parts",     NULL};
    duet_json *json = &reader->json;
    bool sets = reader->instance->moldable != NULL && !aborted;
    unsigned required = 1U << TASK;
    bool parts = reader->use == DUET_ENTRIES_PARTS;
    required |= parts || (!reader->exact && !sets && !aborted) ? 0 : 1U << START;
    duet_json_object object = duet_json_open(json, names);
    *interval =
        (duet_schedule_entry){.aborted = aborted, .line = object.line, .column = object.column};
    while (duet_json_member(json, &object)) {
        read_interval_member(reader, object.which, interval);
    }
    unsigned ways = object.seen & (1U << PROCESSOR | 1U << PROCESSORS | 1U << PARTS);
    if (json->code == DUET_OK && (ways & (ways - 1)) != 0) {
        duet_json_fail(json, "processors in two ways; expected \"processor\", \"processors\" or "
                             "\"parts\" alone");
    }
    if (json->code == DUET_OK && sets &&
        (object.seen & (1U << PARTS | 1U << TYPE)) == (1U << PARTS | 1U << TYPE)) {
        duet_json_fail(json, "a type beside parts, which have types of their own; expected either");
    }
    if (!parts) {
        required |= sets && (ways & 1U << PARTS) != 0 ? 1U << PARTS : 1U << TYPE;
        required |= sets && ways != 0 ? ways : 1U << PROCESSOR;
    }
    interval->given |= (object.seen & (1U << TYPE | 1U << PARTS)) != 0 ? DUET_ENTRY_TYPE : 0U;
    interval->given |= (ways & 1U << PROCESSOR) != 0 ? DUET_ENTRY_PROCESSOR : 0U;
    duet_json_require(json, &object, required | (aborted ? 1U << END : 0),
                      aborted ? "the aborted run" : "the schedule's entry");
    for (size_t i = 0; i < interval->ranges && (ways & 1U << PROCESSORS) != 0; i++) {
        reader->range[interval->range_at + i].type = interval->type;
    }
}

static void read_entry(duet_solution_reader *reader, bool aborted)
{
    duet_json *json = &reader->json;
    duet_schedule_entry interval;
    if (json->token != DUET_JSON_OBJECT) {
        duet_json_expected(json, "an entry, {\"task\": ..., \"type\": ..., "
                                 "\"processor\": ..., \"start\": ...}");
        return;
    }
    read_interval(reader, aborted, &interval);
    if (json->code != DUET_OK || interval.task < 0 || interval.type < 0) {
        return; // an unknown task or type was noted
    }
    duet_json_note(json, duet_solution_add_entry(reader, &interval, json->error));
}

void duet_solution_read_elements(duet_solution_reader *reader, bool aborted)
{
    while (duet_json_element(&reader->json)) {
        read_entry(reader, aborted);
    }
}

void duet_solution_read_intervals(duet_solution_reader *reader, bool aborted)
{
    duet_json *json = &reader->json;
    if (!duet_json_want(json, DUET_JSON_ARRAY,
                        aborted ? "an array of aborted runs" : "an array of placements")) {
        return;
    }
    duet_solution_read_elements(reader, aborted);
}
