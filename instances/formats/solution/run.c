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
#include "instances/formats/starpu/recutils.h"

// A key and what it stands for.
typedef struct pair {
    int64_t key;
    int64_t value;
} pair;

typedef struct run_reader {
    duet_rec_reader rec;
    const duet_instance *instance;
    duet_ran *ran;
    duet_error *error;
    pair *order; // SubmitOrder and task
    size_t orders;
    pair *worker; // a worker, and its place among all processors
    size_t workers;
    bool *seen; // per task
} run_reader;

static int compare_pairs(const void *left, const void *right)
{
    const pair *a = left;
    const pair *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

// What a key stands for; -1: nothing.
static int64_t find(const pair *pairs, size_t count, int64_t key)
{
    const pair wanted = {key, 0};
    const pair *found =
        count == 0 ? NULL : bsearch(&wanted, pairs, count, sizeof *pairs, compare_pairs);
    return found == NULL ? -1 : found->value;
}

static duet_code list_orders(run_reader *r)
{
    const duet_instance *instance = r->instance;
    int64_t tasks = duet_tasks(instance);
    r->order = duet_alloc((size_t)tasks, sizeof *r->order, r->error);
    r->seen = duet_alloc((size_t)tasks, sizeof *r->seen, r->error);
    DUET_NEED(r->order != NULL && r->seen != NULL);
    for (int64_t i = 0; i < tasks; i++) {
        r->seen[i] = false;
        if (instance->origin->submit_order[i] > 0) {
            r->order[r->orders++] = (pair){instance->origin->submit_order[i], i};
        }
    }
    qsort(r->order, r->orders, sizeof *r->order, compare_pairs);
    return DUET_OK;
}

// Workers as the file of the instance has them, or type by type.
static duet_code list_workers(run_reader *r)
{
    const duet_instance *instance = r->instance;
    const duet_origin *origin = instance->origin;
    size_t total = (size_t)duet_all_counts(instance);
    size_t ranked[DUET_MAX_TYPES] = {0};
    bool known = origin->worker != NULL;
    r->worker = duet_alloc(total, sizeof *r->worker, r->error);
    DUET_NEED(r->worker);
    for (size_t type = 0; type < instance->types; type++) {
        ranked[origin->worker_rank[type]] = type;
        known = known && origin->worker_first[type + 1] - origin->worker_first[type] ==
                             (size_t)instance->processors[type];
    }
    int64_t number = 0;
    for (size_t rank = 0; rank < instance->types; rank++) {
        size_t type = ranked[rank];
        int64_t place = 0;
        for (size_t before = 0; before < type; before++) {
            place += instance->processors[before];
        }
        for (int64_t i = 0; i < instance->processors[type]; i++, number++) {
            int64_t worker =
                known ? origin->worker[origin->worker_first[type] + (size_t)i] : number;
            r->worker[r->workers++] = (pair){worker, place + i};
        }
    }
    qsort(r->worker, r->workers, sizeof *r->worker, compare_pairs);
    return DUET_OK;
}

static duet_code fail(const run_reader *r, const duet_rec_field *field, const char *expected)
{
    const duet_rec_reader *rec = &r->rec;
    return duet_error_set_at(r->error, DUET_E_INPUT, rec->input->name, field->line, 0,
                             "%s \"%.40s\": expected %s", rec->text + field->name,
                             duet_rec_value(rec, field), expected);
}

static duet_code read_whole(const run_reader *r, const duet_rec_field *field, int64_t *value)
{
    const char *text = duet_rec_value(&r->rec, field);
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18 || text[digits] != '\0') {
        return fail(r, field, "a whole number");
    }
    *value = strtoll(text, NULL, 10);
    return DUET_OK;
}

// Milliseconds, in ticks of the instance, whose unit is microseconds.
static duet_code read_instant(const run_reader *r, const duet_rec_field *field, int64_t *ticks)
{
    enum { THOUSAND_PLACES = 3 };
    const char *text = duet_rec_value(&r->rec, field);
    duet_read_time time;
    duet_uint128 off;
    DUET_TRY(duet_read_time_text(
        text, strlen(text), (duet_place){r->rec.input->name, field->line, 0}, &time, r->error));
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

static duet_code take_record(run_reader *r)
{
    const duet_rec_field *order = duet_rec_find(&r->rec, "SubmitOrder");
    const duet_rec_field *worker = duet_rec_find(&r->rec, "WorkerId");
    const duet_rec_field *start = duet_rec_find(&r->rec, "StartTime");
    const duet_rec_field *end = duet_rec_find(&r->rec, "EndTime");
    int64_t number = 0;
    duet_ran_task task;
    if (order == NULL || worker == NULL || start == NULL || end == NULL) {
        return DUET_OK;
    }
    DUET_TRY(read_whole(r, order, &number));
    task.task = find(r->order, r->orders, number);
    if (task.task < 0) {
        return DUET_OK; // it has no model, and so is none of the instance
    }
    if (r->seen[task.task]) {
        return fail(r, order, "each task once");
    }
    DUET_TRY(read_whole(r, worker, &number));
    int64_t place = find(r->worker, r->workers, number);
    if (place < 0) {
        return fail(r, worker, "a worker that the instance's platform has");
    }
    name_processor(r->instance, place, &task);
    DUET_TRY(read_instant(r, start, &task.start));
    DUET_TRY(read_instant(r, end, &task.end));
    r->seen[task.task] = true;
    return duet_vec_push(r->ran->task, r->ran->count, r->error, task);
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

// Tasks without a SubmitOrder are main memory, which is no task of StarPU's.
static duet_code check_all(const run_reader *r)
{
    char id[100];
    for (size_t i = 0; i < r->orders; i++) {
        if (!r->seen[r->order[i].value]) {
            duet_instance_task_id(r->instance, r->order[i].value, id, sizeof id);
            return duet_error_set_at(r->error, DUET_E_INPUT, r->rec.input->name, 0, 0,
                                     "task '%s' (SubmitOrder %" PRId64 ") did not run; expected "
                                     "WorkerId, StartTime and EndTime of each, as StarPU's "
                                     "tasks.rec has them",
                                     id, r->order[i].key);
        }
    }
    return DUET_OK;
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

static duet_code read_records(run_reader *r)
{
    duet_code code = list_orders(r);
    DUET_THEN(code, list_workers(r));
    DUET_THEN(code, duet_rec_next(&r->rec, r->error));
    while (code == DUET_OK && r->rec.count > 0) {
        code = take_record(r);
        DUET_THEN(code, duet_rec_next(&r->rec, r->error));
    }
    DUET_THEN(code, check_all(r));
    return code;
}

duet_code duet_read_run(const char *path, const duet_read_params *params,
                        const duet_instance *instance, duet_ran *ran, duet_error *error)
{
    run_reader r = {.instance = instance, .ran = ran, .error = error};
    duet_read_params known;
    duet_context limits;
    duet_memory_scope scope;
    *ran = (duet_ran){.count = 0};
    if (instance->origin == NULL || instance->origin->submit_order == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s' is a run of StarPU's: expected the records of its tasks and "
                              "models as the instance, in which tasks have a SubmitOrder",
                              path);
    }
    duet_code code = duet_reading_limits(params, &known, &limits, &scope, error);
    DUET_THEN(code, duet_input_open(&r.rec.input, path, error));
    if (code == DUET_OK) {
        r.rec.input->context = &limits;
        code = read_records(&r);
    }
    if (code == DUET_OK) {
        finish(ran);
    } else {
        duet_free(ran->task);
        *ran = (duet_ran){.count = 0};
    }
    duet_input_close(r.rec.input);
    duet_rec_free(&r.rec);
    duet_free(r.order);
    duet_free(r.worker);
    duet_free(r.seen);
    duet_memory_end(&scope);
    return code;
}

bool duet_is_run(const char *path)
{
    duet_input *input = NULL;
    bool run = false;
    if (strcmp(path, "-") != 0 && duet_input_open(&input, path, NULL) == DUET_OK) {
        bool comment = true;
        while (comment) {
            duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
            comment = duet_input_peek(input) == '#' || duet_input_peek(input) == '\n';
            for (int byte = comment ? 0 : '\n'; byte >= 0 && byte != '\n';) {
                byte = duet_input_next(input);
            }
        }
        size_t left = input->filled - input->at;
        run = duet_rec_begins(input->buffer + input->at,
                              duet_min(left, (size_t)DUET_INPUT_LOOKAHEAD));
    }
    duet_input_close(input);
    return run;
}

duet_code duet_run_order(duet_instance *instance, const duet_ran *ran, duet_solution **out,
                         duet_error *error)
{
    duet_context limits;
    duet_solution_reader reader = {.instance = instance, .keeps = true, .file = "the run"};
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
