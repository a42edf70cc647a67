// SPDX-License-Identifier: Apache-2.0
// Instances from StarPU's records: a kind per model and footprint, as often as there are tasks of
// it (once where the file has no tasks), its times from EstimatedTime, else from the timings.
//
// Times come in columns: one per worker where tasks have estimates, else one per architecture.
// Neighbouring columns that are equal in all kinds, of devices of one sort, become one processor
// type. CPUs, which StarPU numbers last, become the first type, as Duet wants it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "instances/formats.h"
#include "instances/starpu_records.h"

enum { MAX_COLUMNS = 1 << 16 };

typedef struct cell {
    duet_read_time time;
    int line; // 0: nothing was said
} cell;

typedef struct column {
    size_t arch;     // DUET_STARPU_NONE: nobody says what this worker is
    int64_t workers; // -1: unknown
    size_t type;     // its group, in the order of the workers
} column;

typedef struct rec_builder {
    duet_starpu_records records;
    duet_builder *builder;
    const char *file;
    duet_error *error;
    column *columns;
    size_t column_count;
    bool by_worker;
    size_t *row_of; // per kernel of the records: its row, DUET_STARPU_NONE where it has no tasks
    size_t rows;
    cell *cells; // rows x columns
    size_t types;
    size_t first[DUET_MAX_TYPES]; // column of each type, in the order of the workers
    size_t order[DUET_MAX_TYPES]; // of the instance's types: which of the above
} rec_builder;

static duet_code fail(const rec_builder *b, int line, const char *what)
{
    return duet_error_set_at(b->error, DUET_E_INPUT, b->file, line, 0, "%s", what);
}

static const char *arch_name(const rec_builder *b, size_t arch)
{
    return duet_names_text(&b->records.arch_names, arch);
}

// Length of "cuda" in "cuda12": what sort of device it is.
static size_t sort_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] >= '0' && name[length - 1] <= '9') {
        length--;
    }
    return length;
}

static bool same_sort(const rec_builder *b, size_t left, size_t right)
{
    if (left == DUET_STARPU_NONE || right == DUET_STARPU_NONE) {
        return left == right;
    }
    const char *a = arch_name(b, left);
    const char *other = arch_name(b, right);
    size_t length = sort_length(a);
    return length == sort_length(other) && memcmp(a, other, length) == 0;
}

// --- rows --------------------------------------------------------------------------------------

static duet_code choose_rows(rec_builder *b)
{
    const duet_starpu_records *records = &b->records;
    size_t kernels = records->kernel_names.count;
    b->row_of = duet_alloc(kernels, sizeof *b->row_of, b->error);
    if (b->row_of == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < kernels; i++) {
        bool used = records->task_count == 0 || records->kernels[i].tasks > 0;
        b->row_of[i] = used ? b->rows++ : DUET_STARPU_NONE;
        b->by_worker = b->by_worker || (used && records->kernels[i].estimate != DUET_STARPU_NONE);
    }
    if (b->rows == 0) {
        return fail(b, 0,
                    "no tasks and no timings; expected tasks.rec with EstimatedTime, or what "
                    "starpu_perfmodel_recdump prints");
    }
    return DUET_OK;
}

// --- columns -----------------------------------------------------------------------------------

static duet_code add_columns(rec_builder *b, size_t count, size_t arch, int64_t workers)
{
    if (count > MAX_COLUMNS - b->column_count) {
        return fail(b, 0, "too many workers; expected at most 65536");
    }
    for (size_t i = 0; i < count; i++) {
        b->columns[b->column_count++] = (column){arch, workers, 0};
    }
    return DUET_OK;
}

static size_t count_values(const char *text)
{
    size_t count = 0;
    for (text += strspn(text, " \t\n"); *text != '\0'; text += strspn(text, " \t\n")) {
        count++;
        text += strcspn(text, " \t\n");
    }
    return count;
}

// In the order of their records, those without one at the end. `by_order` has room for all.
static void sort_archs(const rec_builder *b, size_t *by_order)
{
    size_t rest = b->records.counted;
    for (size_t i = 0; i < b->records.arch_names.count; i++) {
        size_t order = b->records.archs[i].order;
        by_order[order == DUET_STARPU_NONE ? rest++ : order] = i;
    }
}

// Columns of the workers; `values` of them have estimates.
static duet_code add_worker_columns(rec_builder *b, const size_t *by_order, size_t values)
{
    duet_code code = DUET_OK;
    int64_t workers = 0;
    if (b->records.counted == 0) {
        return add_columns(b, values, DUET_STARPU_NONE, 1);
    }
    for (size_t i = 0; i < b->records.counted; i++) {
        workers += b->records.archs[by_order[i]].workers;
    }
    for (size_t i = 0; i < b->records.counted && code == DUET_OK; i++) {
        code = add_columns(b, (size_t)b->records.archs[by_order[i]].workers, by_order[i], 1);
    }
    if (code == DUET_OK && (size_t)workers != values) {
        return duet_error_set_at(b->error, DUET_E_INPUT, b->file, 0, 0,
                                 "EstimatedTime has %zu values for the %lld workers that are "
                                 "counted; expected one for each",
                                 values, (long long)workers);
    }
    return code;
}

// Columns of the architectures. One that has timings but no workers here has 0 of them.
static duet_code add_arch_columns(rec_builder *b, const size_t *by_order)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < b->records.arch_names.count && code == DUET_OK; i++) {
        int64_t workers = b->records.archs[by_order[i]].workers;
        code = add_columns(b, 1, by_order[i], b->records.counted == 0 ? -1 : workers);
    }
    return code;
}

static duet_code choose_columns(rec_builder *b)
{
    const duet_starpu_records *records = &b->records;
    b->columns = duet_alloc(MAX_COLUMNS, sizeof *b->columns, b->error);
    size_t *by_order = duet_alloc(records->arch_names.count, sizeof *by_order, b->error);
    duet_code code = b->columns == NULL || by_order == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        sort_archs(b, by_order);
        size_t values = records->estimates.count > 0
                            ? count_values(duet_names_text(&records->estimates, 0))
                            : 0;
        code =
            b->by_worker ? add_worker_columns(b, by_order, values) : add_arch_columns(b, by_order);
    }
    free(by_order);
    return code;
}

// --- cells -------------------------------------------------------------------------------------

static duet_code read_estimate(const rec_builder *b, const duet_starpu_kernel *kernel, cell *row)
{
    const char *text = duet_names_text(&b->records.estimates, kernel->estimate);
    size_t values = count_values(text);
    if (values != b->column_count) {
        return duet_error_set_at(b->error, DUET_E_INPUT, b->file, kernel->estimate_line, 0,
                                 "EstimatedTime has %zu values; expected %zu, one per worker",
                                 values, b->column_count);
    }
    for (size_t i = 0; i < values; i++) {
        text += strspn(text, " \t\n");
        size_t length = strcspn(text, " \t\n");
        row[i].line = kernel->estimate_line;
        row[i].time.forbidden = duet_starpu_no_time(text, length);
        duet_code code = row[i].time.forbidden
                             ? DUET_OK
                             : duet_read_time_text(text, length, b->file, kernel->estimate_line, 0,
                                                   &row[i].time, b->error);
        if (code != DUET_OK) {
            return code;
        }
        text += length;
    }
    return DUET_OK;
}

static duet_code place_timing(const rec_builder *b, const duet_starpu_timing *timing)
{
    size_t row = b->row_of[timing->kernel];
    if (row == DUET_STARPU_NONE ||
        b->records.kernels[timing->kernel].estimate != DUET_STARPU_NONE) {
        return DUET_OK;
    }
    for (size_t i = 0; i < b->column_count; i++) {
        cell *at = &b->cells[row * b->column_count + i];
        if (b->columns[i].arch != timing->arch) {
            continue;
        }
        if (at->line != 0) {
            return duet_error_set_at(b->error, DUET_E_INPUT, b->file, timing->line, 0,
                                     "second timing of %.60s on %.60s, after line %d; expected one",
                                     duet_names_text(&b->records.kernel_names, timing->kernel),
                                     arch_name(b, timing->arch), at->line);
        }
        *at = (cell){timing->time, timing->line};
    }
    return DUET_OK;
}

static duet_code check_row(const rec_builder *b, size_t kernel)
{
    const cell *row = &b->cells[b->row_of[kernel] * b->column_count];
    for (size_t i = 0; i < b->column_count; i++) {
        if (row[i].line != 0) {
            return DUET_OK;
        }
    }
    return duet_error_set_at(b->error, DUET_E_INPUT, b->file, b->records.kernels[kernel].task_line,
                             0,
                             "no time of %.60s; expected EstimatedTime (starpu_tasks_rec_complete "
                             "adds it) or its timings in the same file (starpu_perfmodel_recdump)",
                             duet_names_text(&b->records.kernel_names, kernel));
}

static duet_code fill_cells(rec_builder *b)
{
    const duet_starpu_records *records = &b->records;
    duet_code code = duet_memory_check((uint64_t)b->rows * b->column_count, sizeof *b->cells, 0,
                                       "times of workers", b->error);
    if (code != DUET_OK) {
        return code;
    }
    b->cells = duet_alloc(b->rows * b->column_count, sizeof *b->cells, b->error);
    if (b->cells == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < b->rows * b->column_count; i++) {
        b->cells[i].time.forbidden = true;
    }
    for (size_t i = 0; i < records->kernel_names.count && code == DUET_OK; i++) {
        if (b->row_of[i] != DUET_STARPU_NONE && records->kernels[i].estimate != DUET_STARPU_NONE) {
            code =
                read_estimate(b, &records->kernels[i], &b->cells[b->row_of[i] * b->column_count]);
        }
    }
    for (size_t i = 0; i < records->timing_count && code == DUET_OK; i++) {
        code = place_timing(b, &records->timings[i]);
    }
    for (size_t i = 0; i < records->kernel_names.count && code == DUET_OK; i++) {
        code = b->row_of[i] != DUET_STARPU_NONE ? check_row(b, i) : DUET_OK;
    }
    return code;
}

// --- types -------------------------------------------------------------------------------------

static bool same_times(const rec_builder *b, size_t left, size_t right)
{
    for (size_t row = 0; row < b->rows; row++) {
        const duet_read_time *a = &b->cells[row * b->column_count + left].time;
        const duet_read_time *other = &b->cells[row * b->column_count + right].time;
        if (a->forbidden != other->forbidden ||
            (!a->forbidden && (a->value.mantissa != other->value.mantissa ||
                               a->value.places != other->value.places))) {
            return false;
        }
    }
    return true;
}

static bool is_counted(const rec_builder *b, size_t at)
{
    size_t arch = b->columns[at].arch;
    return arch == DUET_STARPU_NONE || b->records.archs[arch].order != DUET_STARPU_NONE;
}

static duet_code group_columns(rec_builder *b)
{
    for (size_t i = 0; i < b->column_count; i++) {
        bool joins = i > 0 && same_sort(b, b->columns[i - 1].arch, b->columns[i].arch) &&
                     is_counted(b, i - 1) == is_counted(b, i) && same_times(b, i - 1, i);
        if (!joins) {
            if (b->types == DUET_MAX_TYPES) {
                return fail(b, 0,
                            "more than 64 sorts of workers; expected workers with equal times "
                            "(STARPU_PERF_MODEL_HOMOGENEOUS_CPU, _CUDA, ... make them so)");
            }
            b->first[b->types++] = i;
        }
        b->columns[i].type = b->types - 1;
    }
    return DUET_OK;
}

static bool is_cpu(const rec_builder *b, size_t type)
{
    size_t arch = b->columns[b->first[type]].arch;
    if (arch == DUET_STARPU_NONE) {
        return type + 1 == b->types;
    }
    return sort_length(arch_name(b, arch)) == 3 && memcmp(arch_name(b, arch), "cpu", 3) == 0;
}

static void order_types(rec_builder *b)
{
    size_t at = 0;
    for (int cpu = 1; cpu >= 0; cpu--) {
        for (size_t type = 0; type < b->types; type++) {
            if (is_cpu(b, type) == (cpu == 1)) {
                b->order[at++] = type;
            }
        }
    }
}

// "cpu", "cuda"; "cuda0", "cuda1" where there are several types of that sort.
static void name_type(const rec_builder *b, size_t type, char *name, size_t size)
{
    size_t arch = b->columns[b->first[type]].arch;
    bool alone = true;
    for (size_t other = 0; other < b->types; other++) {
        alone = alone && (other == type || !same_sort(b, arch, b->columns[b->first[other]].arch));
    }
    if (arch != DUET_STARPU_NONE) {
        const char *text = arch_name(b, arch);
        snprintf(name, size, "%.*s", (int)(alone ? sort_length(text) : strlen(text)), text);
    } else if (is_cpu(b, type)) {
        snprintf(name, size, "cpu");
    } else if (b->types == 2) {
        snprintf(name, size, "gpu");
    } else {
        snprintf(name, size, "gpu%zu", type);
    }
}

static duet_code add_types(const rec_builder *b)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < b->types && code == DUET_OK; t++) {
        char name[256];
        int64_t workers = 0;
        for (size_t i = b->first[b->order[t]];
             i < b->column_count && b->columns[i].type == b->order[t]; i++) {
            workers += b->columns[i].workers;
        }
        name_type(b, b->order[t], name, sizeof name);
        code = duet_builder_add_type(b->builder, name, workers, 0, 0, b->error);
    }
    return code;
}

// --- the instance ------------------------------------------------------------------------------

static duet_code add_kinds(const rec_builder *b)
{
    const duet_starpu_records *records = &b->records;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < records->kernel_names.count && code == DUET_OK; i++) {
        duet_read_time times[DUET_MAX_TYPES];
        if (b->row_of[i] == DUET_STARPU_NONE) {
            continue;
        }
        for (size_t t = 0; t < b->types; t++) {
            times[t] = b->cells[b->row_of[i] * b->column_count + b->first[b->order[t]]].time;
        }
        const duet_starpu_kernel *kernel = &records->kernels[i];
        const char *name = duet_names_text(&records->kernel_names, i);
        code = duet_builder_add_kind(
            b->builder, name, strlen(name), records->task_count == 0 ? 1 : kernel->tasks, times,
            b->types, kernel->tasks == 0 ? kernel->line : kernel->task_line, 0, b->error);
    }
    return code;
}

// The tasks' order of submission, kind by kind as the instance numbers them.
static duet_code list_tasks(const rec_builder *b, duet_origin *origin)
{
    const duet_starpu_records *records = &b->records;
    if (records->task_count == 0) {
        return DUET_OK;
    }
    size_t *next = duet_alloc(records->kernel_names.count, sizeof *next, b->error);
    origin->submit_order = duet_alloc(records->task_count, sizeof(int64_t), b->error);
    if (next == NULL || origin->submit_order == NULL) {
        free(next);
        return DUET_E_MEMORY;
    }
    size_t at = 0;
    for (size_t i = 0; i < records->kernel_names.count; i++) {
        next[i] = at;
        at += (size_t)records->kernels[i].tasks;
    }
    for (size_t i = 0; i < records->task_count; i++) {
        origin->submit_order[next[records->tasks[i].kernel]++] = records->tasks[i].submit_order;
    }
    free(next);
    return DUET_OK;
}

static duet_code set_origin(const rec_builder *b)
{
    duet_origin *origin = duet_alloc(1, sizeof *origin, b->error);
    if (origin == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t t = 0; t < b->types; t++) {
        origin->worker_rank[t] = b->order[t];
    }
    origin->dependent = b->records.dependent > 0;
    duet_builder_set_origin(b->builder, origin);
    return list_tasks(b, origin);
}

static duet_code set_notice(const rec_builder *b)
{
    char dependent[128] = "";
    char unmodelled[128] = "";
    char notice[260];
    size_t waiting = b->records.dependent;
    size_t unknown = b->records.unmodelled;
    if (waiting > 0) {
        snprintf(dependent, sizeof dependent,
                 "%zu task%s predecessors, which are ignored: all tasks are taken as independent",
                 waiting, waiting == 1 ? " has" : "s have");
    }
    if (unknown > 0) {
        snprintf(unmodelled, sizeof unmodelled, "%zu task%s no performance model and %s left out",
                 unknown, unknown == 1 ? " has" : "s have", unknown == 1 ? "is" : "are");
    }
    if (waiting == 0 && unknown == 0) {
        return DUET_OK;
    }
    snprintf(notice, sizeof notice, "%s%s%s", dependent, waiting > 0 && unknown > 0 ? "; " : "",
             unmodelled);
    return duet_builder_set_notice(b->builder, notice, b->error);
}

duet_code duet_read_instance_rec(duet_input *input, duet_builder *builder, duet_error *error)
{
    rec_builder b = {.builder = builder, .file = input->name, .error = error};
    static duet_code (*const steps[])(rec_builder *) = {choose_rows, choose_columns, fill_cells,
                                                        group_columns};
    static duet_code (*const writes[])(const rec_builder *) = {add_types, add_kinds, set_origin,
                                                               set_notice};
    duet_code code = duet_starpu_collect(input, &b.records, error);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && code == DUET_OK; i++) {
        code = steps[i](&b);
    }
    if (code == DUET_OK) {
        order_types(&b);
        code = duet_builder_set_time_unit(builder, "us", error);
    }
    for (size_t i = 0; i < sizeof writes / sizeof writes[0] && code == DUET_OK; i++) {
        code = writes[i](&b);
    }
    duet_starpu_free(&b.records);
    free(b.columns);
    free(b.row_of);
    free(b.cells);
    return code;
}
