// SPDX-License-Identifier: Apache-2.0
// Entries of a schedule, or parts of them, read for what they say: a plan that is under way, and
// parts that stay.
#include <duet/replan.h>

#include <string.h>

#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/reading.h"
#include "instances/formats/solution/reader.h"

struct duet_fixes {
    duet_fix *fix;
    size_t count;
    int finer;
    duet_processor_range *range; // of all of them
};

const duet_fix *duet_fixes_entries(const duet_fixes *fixes, size_t *count, int *finer)
{
    *count = fixes->count;
    *finer = fixes->finer;
    return fixes->fix;
}

void duet_fixes_free(duet_fixes *fixes)
{
    if (fixes != NULL) {
        duet_free(fixes->fix);
        duet_free(fixes->range);
        duet_free(fixes);
    }
}

static bool has(const duet_schedule_entry *entry, unsigned part)
{
    return (entry->given & part) != 0;
}

// The fewest finer places with which all starts and ends are whole.
static int find_places(const duet_solution_reader *reader)
{
    duet_int128 unit = DUET_FINE_TICK; // all are multiples of it
    int places = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        while ((has(entry, DUET_ENTRY_START) && entry->start % unit != 0) ||
               (has(entry, DUET_ENTRY_END) && entry->end % unit != 0)) {
            unit /= 10;
            places++;
        }
    }
    return places;
}

// A time in ticks of `places` places; *fits becomes false where it is too long for that.
static int64_t in_ticks(duet_int128 time, int places, bool *fits)
{
    duet_int128 exact = time / (DUET_FINE_TICK / duet_finer_scale(places));
    *fits = *fits && exact <= DUET_MAX_WORK && exact >= -DUET_MAX_WORK;
    return *fits ? (int64_t)exact : 0;
}

static duet_code take_entry(const duet_solution_reader *reader, const duet_schedule_entry *entry,
                            duet_fixes *to, size_t *ranges, duet_error *error)
{
    size_t types = reader->instance->types;
    bool fits = true;
    bool typed = has(entry, DUET_ENTRY_TYPE) || types == 1;
    duet_fix fix = {.task = entry->task,
                    .type = typed ? entry->type : -1,
                    .range = to->range + *ranges,
                    .start = DUET_FORBIDDEN,
                    .end = DUET_FORBIDDEN};
    bool placed = entry->ranges > 0 || has(entry, DUET_ENTRY_PROCESSOR);
    if (placed && !typed) {
        return duet_error_set_at(error, DUET_E_INPUT, reader->file, entry->line, entry->column,
                                 "a processor without its type; expected the type, too");
    }
    for (size_t r = 0; r < entry->ranges; r++) {
        duet_processor_range range = reader->range[entry->range_at + r];
        to->range[(*ranges)++] = range;
    }
    if (entry->ranges == 0 && has(entry, DUET_ENTRY_PROCESSOR)) {
        to->range[(*ranges)++] =
            (duet_processor_range){entry->type, entry->processor, entry->processor};
    }
    fix.ranges = (size_t)(to->range + *ranges - fix.range);
    fix.start = has(entry, DUET_ENTRY_START) ? in_ticks(entry->start, to->finer, &fits) : fix.start;
    fix.end = has(entry, DUET_ENTRY_END) ? in_ticks(entry->end, to->finer, &fits) : fix.end;
    to->fix[to->count++] = fix;
    return fits ? DUET_OK
                : duet_error_set_at(error, DUET_E_INPUT, reader->file, entry->line, entry->column,
                                    "a time is too large: expected at most 2^62 ticks");
}

static duet_code take_entries(const duet_solution_reader *reader, duet_fixes *to, duet_error *error)
{
    size_t ranges = 0;
    to->finer = find_places(reader);
    to->fix = duet_alloc(reader->entries, sizeof *to->fix, error);
    to->range = duet_alloc(reader->ranges + reader->entries, sizeof *to->range, error);
    DUET_NEED(to->fix != NULL && to->range != NULL);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < reader->entries && code == DUET_OK; i++) {
        code = take_entry(reader, &reader->entry[i], to, &ranges, error);
    }
    return code;
}

// Entries that all say nothing but a task's name are another table, such as that of the instance.
static duet_code refuse_silence(const duet_solution_reader *reader, duet_error *error)
{
    bool silent = reader->entries > 0;
    for (size_t i = 0; i < reader->entries && silent; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        silent = entry->ranges == 0 && !has(entry, DUET_ENTRY_TYPE | DUET_ENTRY_PROCESSOR |
                                                       DUET_ENTRY_START | DUET_ENTRY_END);
    }
    return silent ? duet_error_set_at(error, DUET_E_INPUT, reader->file, 0, 0,
                                      "nothing is said of any task; expected the type, processor, "
                                      "start or end of some")
                  : DUET_OK;
}

// What is no entry at all was noted for the checker of schedules.
static duet_code refuse_faults(const duet_solution_reader *reader, duet_error *error)
{
    const duet_error *fault = &reader->solution->fault;
    return fault->code == DUET_OK ? DUET_OK
                                  : duet_error_set_at(error, DUET_E_INPUT, fault->file, fault->line,
                                                      fault->column, "%s", fault->message);
}

static duet_code read_file(const char *path, const duet_read_params *params,
                           const duet_context *limits, duet_instance *instance, duet_fixes *to,
                           duet_error *error)
{
    duet_solution_reader reader = {
        .instance = instance, .watch = {.context = limits}, .use = DUET_ENTRIES_PARTS};
    duet_input *input = NULL;
    duet_code code = duet_input_open(&input, path, error);
    if (code == DUET_OK) {
        input->report = params->progress;
        input->user = params->user;
        input->context = limits;
        reader.file = input->name;
        code = duet_task_map_create(&reader.tasks, instance, error);
    }
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(instance), &reader.solution, error));
    DUET_THEN(code, duet_solution_refuse_other(input, "entries of a schedule", error));
    DUET_THEN(code, duet_solution_is_table(input) ? duet_solution_read_csv(&reader, input, error)
                                                  : duet_solution_read_json(&reader, input, error));
    DUET_THEN(code, refuse_faults(&reader, error));
    DUET_THEN(code, refuse_silence(&reader, error));
    DUET_THEN(code, take_entries(&reader, to, error));
    duet_solution_free(reader.solution);
    duet_free(reader.unit);
    duet_free(reader.entry);
    duet_free(reader.range);
    duet_task_map_free(&reader.tasks);
    duet_input_close(input);
    return code;
}

duet_code duet_read_fixes(const char *path, const duet_read_params *params, duet_instance *instance,
                          duet_fixes **out, duet_error *error)
{
    duet_read_params known;
    duet_context context;
    duet_memory_scope scope;
    duet_code code = duet_reading_limits(params, &known, &context, &scope, error);
    *out = NULL;
    if (code == DUET_OK) {
        *out = duet_alloc(1, sizeof **out, error);
        code =
            *out == NULL ? DUET_E_MEMORY : read_file(path, &known, &context, instance, *out, error);
    }
    if (code != DUET_OK) {
        duet_fixes_free(*out);
        *out = NULL;
    }
    duet_memory_end(&scope);
    return code;
}
