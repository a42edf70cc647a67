// SPDX-License-Identifier: Apache-2.0
// Solutions read from files: recognises the format, and measures what claims no makespan.
#include <duet/io.h>

#include <stdio.h>
#include <string.h>

#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/own_files.h"
#include "instances/formats/reading.h"
#include "instances/formats/solution/reader.h"

bool duet_solution_is_table(duet_input *input)
{
    duet_input_fill(input, DUET_INPUT_LINE);
    const char *next = (const char *)input->buffer + input->at;
    size_t left = input->filled - input->at;
    size_t line = 0;
    for (; left > 0 && (*next == ' ' || *next == '\n' || *next == '\r'); left--) {
        next++;
    }
    return left > 0 && *next != '{' && *next != '[' && duet_csv_sniff(next, left, &line) != '\0';
}

duet_code duet_solution_refuse_other(duet_input *input, const char *expected, duet_error *error)
{
    DUET_TRY(duet_refuse_own(input, DUET_OWN_SCHEDULE | DUET_OWN_SOLUTION, expected, error));
    duet_input_fill(input, DUET_INPUT_LINE);
    size_t at = input->at;
    while (at < input->filled && strchr(" \n\r\t", input->buffer[at]) != NULL) {
        at++;
    }
    bool json = at < input->filled && (input->buffer[at] == '{' || input->buffer[at] == '[');
    return json || duet_solution_is_table(input)
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_INPUT, input->name, 1, 1,
                                   "expected %s: JSON, or CSV with the columns task, type, "
                                   "processor and start",
                                   expected);
}

// The latest completion of the tasks that have a place, in the ticks of the solution.
static int64_t measure(const duet_instance *instance, const duet_solution *solution)
{
    int64_t makespan = 0;
    int64_t scale = duet_finer_scale(solution->finer);
    for (size_t kind = 0; kind < instance->kinds && solution->placement != NULL; kind++) {
        for (int64_t task = instance->first[kind]; task < instance->first[kind + 1]; task++) {
            const duet_placement *at = &solution->placement[task];
            if (at->type < 0 || at->start > DUET_MAX_WORK) {
                continue;
            }
            duet_processor_range one;
            int64_t time = instance->moldable == NULL
                               ? duet_time(instance, kind, (size_t)at->type)
                               : duet_moldable_duration(instance, kind,
                                                        duet_solution_set(solution, task, &one));
            // In finer ticks ends are at most DUET_MAX_WORK, or the reader has noted a fault.
            int64_t end;
            if (time != DUET_FORBIDDEN && !__builtin_mul_overflow(time, scale, &end) &&
                !__builtin_add_overflow(end, at->start, &end) && end > makespan) {
                makespan = end;
            }
        }
    }
    return makespan;
}

static duet_code read_content(duet_solution_reader *reader, duet_input *input, duet_error *error)
{
    DUET_TRY(duet_solution_refuse_other(input, "a solution, or the table of a schedule", error));
    bool table = duet_solution_is_table(input);
    reader->file = input->name;
    DUET_TRY((table ? duet_solution_read_csv : duet_solution_read_json)(reader, input, error));
    DUET_TRY(duet_solution_place_entries(reader, error));
    duet_solution_take_claims(reader, measure(reader->instance, reader->solution));
    return DUET_OK;
}

// Whoever mixed up two files is told so behind what is wrong.
static void say_whose(const duet_solution_reader *reader, duet_error *fault)
{
    const char *name = duet_instance_name(reader->instance);
    if (fault->code != DUET_E_INPUT || reader->about[0] == '\0' ||
        strncmp(reader->about, name, sizeof reader->about - 1) == 0) {
        return;
    }
    size_t used = strlen(fault->message);
    snprintf(fault->message + used, sizeof fault->message - used,
             "; the file is about the instance \"%.80s\", and this one is \"%.80s\"", reader->about,
             name);
}

// Room for a place of each task. A file of fewer bytes than tasks cannot place them all, and where
// there is no room either, the schedule stays without any: what is read of the file is what else it
// says.
static duet_code make_room(duet_solution_reader *reader, const duet_input *input, duet_error *error)
{
    int64_t tasks = duet_tasks(reader->instance);
    bool moldable = reader->instance->moldable != NULL;
    size_t place = sizeof(duet_placement) + (moldable ? sizeof(size_t) + sizeof(uint32_t) : 0);
    bool is_short = input->total > 0 && input->total < tasks;
    if (is_short && duet_memory_check((uint64_t)tasks, place, 0, "", NULL) != DUET_OK) {
        return duet_solution_create_blank(tasks, &reader->solution, error);
    }
    duet_code code = duet_solution_create(tasks, &reader->solution, error);
    return code == DUET_OK && moldable ? duet_solution_hold_sets(reader->solution, error) : code;
}

static duet_code read_file(const char *path, const duet_read_params *params,
                           const duet_context *limits, duet_instance *instance, duet_solution **out,
                           duet_error *error)
{
    duet_solution_reader reader = {
        .instance = instance, .room = params->room, .watch = {.context = limits}};
    duet_input *input = NULL;
    duet_code code = duet_input_open(&input, path, error);
    if (code == DUET_OK) {
        input->report = params->progress;
        input->user = params->user;
        input->context = limits;
        code = duet_task_map_create(&reader.tasks, instance, error);
    }
    DUET_THEN(code, make_room(&reader, input, error));
    DUET_THEN(code, read_content(&reader, input, error));
    if (code == DUET_OK && reader.solution->placement == NULL) {
        duet_error_set_at(&reader.solution->fault, DUET_E_INPUT, input->name, 0, 0,
                          "the file is too short to place each of %lld tasks: expected every task "
                          "to run once",
                          (long long)duet_tasks(instance));
    }
    if (code == DUET_OK) {
        say_whose(&reader, &reader.solution->fault);
        if (params->room > 1) {
            // Times may be rounded further than those that a bound was proven of: its certificate
            // is about other numbers, and a simulation needs no bound.
            duet_solution_drop_bound(reader.solution);
        }
        *out = reader.solution;
    } else {
        say_whose(&reader, error);
        duet_solution_free(reader.solution);
    }
    duet_free(reader.unit);
    duet_free(reader.entry);
    duet_free(reader.range);
    duet_task_map_free(&reader.tasks);
    duet_input_close(input);
    return code;
}

duet_code duet_read_solution(const char *path, const duet_read_params *params,
                             duet_instance *instance, duet_solution **out, duet_error *error)
{
    duet_read_params known;
    duet_context context;
    duet_memory_scope scope;
    duet_code code = duet_reading_limits(params, &known, &context, &scope, error);
    *out = NULL;
    DUET_THEN(code, read_file(path, &known, &context, instance, out, error));
    duet_memory_end(&scope);
    return code;
}
