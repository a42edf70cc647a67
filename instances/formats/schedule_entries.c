// SPDX-License-Identifier: Apache-2.0
// The entries of a schedule, turned into placements.
//
// Other software adds up times in floating point, and writes 0.30000000000000004 for the end of a
// task of 0.1 behind one of 0.2. Where some time is no whole number of ticks, all are rounded to
// the nearest tick, and a task that began when the one before it on its processor ended does so
// again, exactly. A schedule whose times are whole ticks is taken as it is.
#include <stdlib.h>

#include "core/memory.h"
#include "instances/formats/solution_reader.h"

void duet_solution_fault_at_task(duet_solution_reader *reader, int line, int column, int64_t task,
                                 const char *what)
{
    char id[64];
    duet_instance_task_id(reader->instance, task, id, sizeof id);
    duet_error_set_at(&reader->solution->fault, DUET_E_INPUT, reader->file, line, column,
                      "task \"%s\" %s", id, what);
}

// The processors of an entry; *one has room for one.
static duet_processor_set set_of(const duet_solution_reader *reader,
                                 const duet_schedule_entry *entry, duet_processor_range *one)
{
    if (entry->ranges > 0) {
        return (duet_processor_set){reader->range + entry->range_at, entry->ranges};
    }
    *one = (duet_processor_range){entry->type, entry->processor, entry->processor};
    return (duet_processor_set){one, 1};
}

static int64_t time_of(const duet_solution_reader *reader, const duet_schedule_entry *entry)
{
    size_t kind = duet_instance_kind_of(reader->instance, entry->task);
    duet_processor_range one;
    return reader->instance->moldable == NULL
               ? duet_time(reader->instance, kind, (size_t)entry->type)
               : duet_moldable_duration(reader->instance, kind, set_of(reader, entry, &one));
}

duet_code duet_solution_put(duet_solution_reader *reader, const duet_schedule_entry *entry,
                            duet_error *error)
{
    duet_placement *placement = &reader->solution->placement[entry->task];
    if (placement->type >= 0) {
        duet_solution_fault_at_task(reader, entry->line, entry->column, entry->task,
                                    "is placed twice; expected once");
    }
    int64_t time = time_of(reader, entry);
    // The difference cannot overflow: both lie within 2^62 of zero.
    if (entry->has_end && time != DUET_FORBIDDEN && entry->end - entry->start != time) {
        char expected[32];
        char message[96];
        snprintf(message, sizeof message, "ends at a wrong time; expected its start + %s",
                 duet_instance_format_time(reader->instance, time, expected));
        duet_solution_fault_at_task(reader, entry->line, entry->column, entry->task, message);
    }
    if (reader->instance->moldable != NULL) {
        duet_processor_range one;
        return duet_solution_place_set(reader->solution, entry->task, entry->start,
                                       set_of(reader, entry, &one), error);
    }
    *placement = (duet_placement){entry->start, entry->processor, entry->type};
    return DUET_OK;
}

duet_code duet_solution_add_entry(duet_solution_reader *reader, const duet_schedule_entry *entry,
                                  duet_error *error)
{
    duet_code code =
        duet_grow(&reader->entry, reader->entries, &reader->entry_capacity, sizeof *entry, error);
    if (code == DUET_OK) {
        reader->entry[reader->entries++] = *entry;
    }
    return code;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

// By processor, then by start, then those without a start in the order of the file, which is what
// their lines and columns tell.
static int by_processor(const void *left, const void *right)
{
    const duet_schedule_entry *a = left;
    const duet_schedule_entry *b = right;
    int order = compare(a->type, b->type);
    order = order != 0 ? order : compare(a->processor, b->processor);
    order = order != 0 ? order : compare(b->has_start, a->has_start);
    if (order == 0 && a->has_start) {
        order = compare(a->start, b->start);
    }
    order = order != 0 ? order : compare(a->line, b->line);
    return order != 0 ? order : compare(a->column, b->column);
}

// What times may be off: a tick, or what sums of doubles lose. Those of at most 15 digits lose
// nothing.
static int64_t tolerance_of(const duet_solution_reader *reader)
{
    static const int64_t digits = 1000000000000000;
    int64_t latest = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        latest = reader->entry[i].start > latest ? reader->entry[i].start : latest;
    }
    return reader->inexact ? 1 + latest / 1000000000 : latest > digits ? latest / 1000000000 : 0;
}

static bool near(int64_t a, int64_t b, int64_t tolerance)
{
    return a - b <= tolerance && b - a <= tolerance;
}

// What is known of the processor on which an entry runs, as the entries before it leave it.
typedef struct row {
    int64_t said;  // when the last one ends, by the file
    int64_t exact; // and by its start here
} row;

static void settle(duet_solution_reader *reader, duet_schedule_entry *entry, int64_t tolerance,
                   row *before)
{
    int64_t time = time_of(reader, entry);
    int64_t length = time == DUET_FORBIDDEN ? 0 : time;
    int64_t said = entry->has_start ? entry->start : before->exact;
    bool room = said <= DUET_MAX_WORK && said >= -DUET_MAX_WORK; // else the checker says so
    int64_t said_end = !room ? said : entry->has_end ? entry->end : said + length;
    bool touches = near(said, before->said, tolerance);
    bool pushed = said < before->exact && (touches || said >= before->said);
    bool follows = !entry->has_start || (tolerance > 0 && (pushed || (reader->inexact && touches)));
    entry->start = follows ? before->exact : said;
    if (entry->has_end && near(said_end, said + length, 2 * tolerance)) {
        entry->end = entry->start + length;
    }
    *before = (row){said_end, room ? entry->start + length : entry->start};
}

// Whether the file says no start at all.
static bool has_order_alone(const duet_solution_reader *reader)
{
    for (size_t i = 0; i < reader->entries; i++) {
        if (reader->entry[i].has_start || reader->entry[i].has_end) {
            return false;
        }
    }
    return reader->entries > 0;
}

static void settle_all(duet_solution_reader *reader)
{
    int64_t tolerance = tolerance_of(reader);
    row before = {0, 0};
    for (size_t i = 0; i < reader->entries; i++) {
        duet_schedule_entry *entry = &reader->entry[i];
        bool first =
            i == 0 || entry[-1].type != entry->type || entry[-1].processor != entry->processor;
        before = first ? (row){0, 0} : before;
        settle(reader, entry, tolerance, &before);
    }
}

static duet_code find_starts(duet_solution_reader *reader, duet_error *error)
{
    if (reader->entries > 0) {
        qsort(reader->entry, reader->entries, sizeof *reader->entry, by_processor);
    }
    if (reader->instance->graph != NULL && has_order_alone(reader)) {
        return duet_solution_start_in_order(reader, error);
    }
    settle_all(reader);
    return DUET_OK;
}

duet_code duet_solution_settle_entries(duet_solution_reader *reader, duet_error *error)
{
    // Every entry of a moldable task says when it starts.
    duet_code code = reader->instance->moldable == NULL ? find_starts(reader, error) : DUET_OK;
    for (size_t i = 0; i < reader->entries && code == DUET_OK; i++) {
        code = duet_solution_put(reader, &reader->entry[i], error);
    }
    return code;
}
