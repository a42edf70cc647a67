// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/solution/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"
#include "instances/formats/reading.h"
#include "instances/formats/solution/reader.h"
#include "instances/formats/starpu/known.h"
#include "instances/formats/starpu/paje.h"
#include "instances/formats/starpu/recutils.h"

// A field of the file.
typedef struct run_field {
    const char *name, *text;
    int line;
} run_field;

// What a processor runs in a Paje trace.
typedef struct run_open {
    int line; // where it began; 0: nothing
    duet_ran_task task;
} run_open;

typedef struct run_reader {
    duet_input *input;
    duet_rec_reader rec;
    duet_paje_reader paje;
    run_open *open; // per place among all processors; NULL: the file is no Paje trace
    const duet_instance *instance;
    duet_ran *ran;
    duet_error *error;
    duet_starpu_known known;
    bool *seen; // per task
} run_reader;

static duet_code fail(const run_reader *r, run_field field, const char *expected)
{
    return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, field.line, 0,
                             "%s \"%.40s\": expected %s", field.name, field.text, expected);
}

static duet_code read_whole(const run_reader *r, run_field field, int64_t *value)
{
    size_t digits = strspn(field.text, "0123456789");
    if (digits == 0 || digits > 18 || field.text[digits] != '\0') {
        return fail(r, field, "a whole number");
    }
    *value = strtoll(field.text, NULL, 10);
    return DUET_OK;
}

// Milliseconds, in ticks of the instance, whose unit is microseconds.
static duet_code read_instant(const run_reader *r, run_field field, int64_t *ticks)
{
    enum { THOUSAND_PLACES = 3 };
    duet_read_time time;
    duet_uint128 off;
    DUET_TRY(duet_read_time_text(field.text, strlen(field.text),
                                 (duet_place){r->input->name, field.line, 0}, &time, r->error));
    if (!duet_decimal_round(time.value, time.tail, r->instance->decimals + THOUSAND_PLACES, ticks,
                            &off)) {
        return fail(r, field, "milliseconds that fit into the ticks of the instance");
    }
    return DUET_OK;
}

// The place of a processor among all as its type and number there.
static void name_processor(const duet_instance *instance, int64_t place, duet_ran_task *task)
{
    size_t type = 0;
    while (place >= instance->processors[type]) {
        place -= instance->processors[type++];
    }
    task->type = (int32_t)type;
    task->processor = (int32_t)place;
}

// The task and the place of its worker; a task of -1 has no model, and so is none of the instance.
static duet_code find_task(run_reader *r, run_field order, run_field worker, int64_t *task,
                           int64_t *place)
{
    int64_t number = 0;
    DUET_TRY(read_whole(r, order, &number));
    *task = duet_starpu_find_number(r->known.order, r->known.orders, number);
    if (*task < 0) {
        return DUET_OK;
    }
    if (r->seen[*task]) {
        return fail(r, order, "each task once");
    }
    r->seen[*task] = true;
    DUET_TRY(read_whole(r, worker, &number));
    *place = duet_starpu_find_number(r->known.worker, r->known.workers, number);
    return *place < 0 ? fail(r, worker, "a worker that the instance's platform has") : DUET_OK;
}

// --- tasks.rec -----------------------------------------------------------------------------------

static run_field find_field(const run_reader *r, const char *name)
{
    const duet_rec_field *field = duet_rec_find(&r->rec, name);
    return field == NULL ? (run_field){.name = NULL}
                         : (run_field){name, duet_rec_value(&r->rec, field), field->line};
}

static duet_code take_record(run_reader *r)
{
    run_field order = find_field(r, "SubmitOrder");
    run_field worker = find_field(r, "WorkerId");
    run_field start = find_field(r, "StartTime");
    run_field end = find_field(r, "EndTime");
    int64_t place = 0;
    duet_ran_task task;
    if (order.name == NULL || worker.name == NULL || start.name == NULL || end.name == NULL) {
        return DUET_OK;
    }
    DUET_TRY(find_task(r, order, worker, &task.task, &place));
    if (task.task < 0) {
        return DUET_OK;
    }
    name_processor(r->instance, place, &task);
    DUET_TRY(read_instant(r, start, &task.start));
    DUET_TRY(read_instant(r, end, &task.end));
    return duet_vec_push(r->ran->task, r->ran->count, r->error, task);
}

static duet_code read_records(run_reader *r)
{
    duet_code code = duet_rec_next(&r->rec, r->error);
    while (code == DUET_OK && r->rec.count > 0) {
        code = take_record(r);
        DUET_THEN(code, duet_rec_next(&r->rec, r->error));
    }
    return code;
}

// --- paje.trace ----------------------------------------------------------------------------------

// A worker's next state ends what it has run.
static duet_code take_state(run_reader *r, const duet_paje_state *state)
{
    run_field worker = {"Container", state->worker, state->line};
    int64_t number = 0;
    int64_t instant = 0;
    DUET_TRY(read_whole(r, worker, &number));
    DUET_TRY(read_instant(r, (run_field){"Time", state->time, state->line}, &instant));
    int64_t place = duet_starpu_find_number(r->known.worker, r->known.workers, number);
    if (place >= 0 && r->open[place].line != 0) {
        r->open[place].line = 0;
        r->open[place].task.end = instant;
        DUET_TRY(duet_vec_push(r->ran->task, r->ran->count, r->error, r->open[place].task));
    }
    if (state->order != NULL) {
        duet_ran_task task = {.start = instant};
        run_field order = {"SubmitOrder", state->order, state->line};
        DUET_TRY(find_task(r, order, worker, &task.task, &place));
        if (task.task >= 0) {
            name_processor(r->instance, place, &task);
            r->open[place] = (run_open){state->line, task};
        }
    }
    return DUET_OK;
}

static duet_code read_states(run_reader *r)
{
    duet_paje_state state;
    DUET_TRY(duet_paje_next(&r->paje, &state, r->error));
    while (state.line != 0) {
        DUET_TRY(take_state(r, &state));
        DUET_TRY(duet_paje_next(&r->paje, &state, r->error));
    }
    for (size_t i = 0; i < r->known.workers; i++) {
        if (r->open[i].line != 0) {
            return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, r->open[i].line, 0,
                                     "a task that does not end; expected another state of its "
                                     "worker below");
        }
    }
    return DUET_OK;
}

// --- both ----------------------------------------------------------------------------------------

// Tasks without a SubmitOrder are main memory, which is no task of StarPU's.
static duet_code check_all(const run_reader *r)
{
    char id[100];
    for (size_t i = 0; i < r->known.orders; i++) {
        if (!r->seen[r->known.order[i].means]) {
            duet_instance_task_id(r->instance, r->known.order[i].means, id, sizeof id);
            return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, 0, 0,
                                     "task '%s' (SubmitOrder %" PRId64 ") did not run; expected %s",
                                     id, r->known.order[i].number,
                                     r->open != NULL ? "a state of a worker with that SubmitOrder, "
                                                       "as StarPU's paje.trace has them"
                                                     : "WorkerId, StartTime and EndTime of each, "
                                                       "as StarPU's tasks.rec has them");
        }
    }
    return DUET_OK;
}

static int compare_starts(const void *left, const void *right)
{
    const duet_ran_task *a = left;
    const duet_ran_task *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    return (a->task > b->task) - (a->task < b->task);
}

// The first task begins at 0.
static void finish(duet_ran *ran)
{
    int64_t first = ran->count == 0 ? 0 : INT64_MAX;
    ran->span = 0;
    for (size_t i = 0; i < ran->count; i++) {
        first = duet_min(ran->task[i].start, first);
    }
    for (size_t i = 0; i < ran->count; i++) {
        ran->task[i].start -= first;
        ran->task[i].end -= first;
        ran->span = duet_max(ran->task[i].end, ran->span);
    }
    if (ran->count > 0) {
        qsort(ran->task, ran->count, sizeof *ran->task, compare_starts);
    }
}

static duet_code read_tasks(run_reader *r)
{
    r->seen = duet_alloc((size_t)duet_tasks(r->instance), sizeof *r->seen, r->error);
    DUET_NEED(r->seen);
    DUET_TRY(duet_starpu_list_known(r->instance, &r->known, r->error));
    if (duet_rec_at(r->input, duet_paje_begins)) {
        r->open = duet_alloc(r->known.workers, sizeof *r->open, r->error);
        DUET_NEED(r->open);
        DUET_TRY(read_states(r));
    } else {
        DUET_TRY(read_records(r));
    }
    return check_all(r);
}

duet_code duet_read_run(const char *path, const duet_read_params *params,
                        const duet_instance *instance, duet_ran *ran, duet_error *error)
{
    run_reader r = {.instance = instance, .ran = ran, .error = error};
    duet_read_params known;
    duet_context limits;
    duet_memory_scope scope;
    *ran = (duet_ran){.count = 0};
    if (!duet_starpu_is_origin(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s' is a run of StarPU's: expected the records of its tasks and "
                              "models as the instance, in which tasks have a SubmitOrder",
                              path);
    }
    duet_code code = duet_reading_limits(params, &known, &limits, &scope, error);
    DUET_THEN(code, duet_input_open(&r.input, path, error));
    if (code == DUET_OK) {
        r.input->context = &limits;
        r.rec.input = r.input;
        r.paje.input = r.input;
        code = read_tasks(&r);
    }
    if (code == DUET_OK) {
        finish(ran);
    } else {
        duet_free(ran->task);
        *ran = (duet_ran){.count = 0};
    }
    duet_input_close(r.input);
    duet_rec_free(&r.rec);
    duet_paje_free(&r.paje);
    duet_starpu_free_known(&r.known);
    duet_free(r.seen);
    duet_free(r.open);
    duet_memory_end(&scope);
    return code;
}

bool duet_is_run(const char *path)
{
    duet_input *input = NULL;
    bool run = false;
    if (strcmp(path, "-") != 0 && duet_input_open(&input, path, NULL) == DUET_OK) {
        run = duet_rec_at(input, duet_rec_begins) || duet_rec_at(input, duet_paje_begins);
    }
    duet_input_close(input);
    return run;
}

duet_code duet_run_order(duet_instance *instance, const duet_ran *ran, duet_solution **out,
                         duet_error *error)
{
    duet_context limits;
    duet_solution_reader reader = {
        .instance = instance, .use = DUET_ENTRIES_KEPT, .file = "the run"};
    duet_code code = duet_context_init(&limits, NULL, error);
    reader.watch.context = &limits;
    *out = NULL;
    DUET_THEN(code, duet_solution_create(duet_tasks(instance), &reader.solution, error));
    for (int64_t i = 0; i < duet_tasks(instance) && code == DUET_OK; i++) {
        const duet_schedule_entry memory = {.task = i}; // which StarPU has as no task
        code = instance->origin->submit_order[i] == 0
                   ? duet_solution_add_entry(&reader, &memory, error)
                   : DUET_OK;
    }
    for (size_t i = 0; i < ran->count && code == DUET_OK; i++) {
        const duet_schedule_entry entry = {.task = ran->task[i].task,
                                           .type = ran->task[i].type,
                                           .processor = ran->task[i].processor,
                                           .line = (int)duet_min(i + 1, (size_t)INT32_MAX)};
        code = duet_solution_add_entry(&reader, &entry, error);
    }
    DUET_THEN(code, duet_solution_place_entries(&reader, error));
    if (code == DUET_OK) {
        duet_solution_finish(reader.solution, instance);
        snprintf(reader.solution->algorithm, sizeof reader.solution->algorithm, "StarPU");
        *out = reader.solution;
    } else {
        duet_solution_free(reader.solution);
    }
    duet_free(reader.unit);
    duet_free(reader.entry);
    duet_free(reader.range);
    return code;
}
