// SPDX-License-Identifier: Apache-2.0
// Times from StarPU's records: the tables joined into rows and columns.
#include "instances/formats/starpu/build.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"

enum { MAX_ARCHS = 4096 };

static duet_code fail(const duet_starpu_times *t, int line, const char *what)
{
    return duet_error_set_at(t->error, DUET_E_INPUT, t->file, line, 0, "%s", what);
}

// --- rows --------------------------------------------------------------------------------------

static duet_code choose_rows(duet_starpu_times *t)
{
    const duet_starpu_records *records = t->records;
    size_t kernels = records->kernel_names.count;
    t->row_of = duet_alloc(kernels, sizeof *t->row_of, t->error);
    DUET_NEED(t->row_of);
    for (size_t i = 0; i < kernels; i++) {
        bool used = records->task_count == 0 || records->kernels[i].tasks > 0;
        t->row_of[i] = used ? t->rows++ : DUET_STARPU_NONE;
        t->by_worker = t->by_worker || (used && records->kernels[i].estimate != DUET_STARPU_NONE);
    }
    if (t->rows == 0) {
        return fail(t, 0,
                    "no tasks and no timings; expected tasks.rec with EstimatedTime, or what "
                    "starpu_perfmodel_recdump prints");
    }
    return DUET_OK;
}

// --- columns -----------------------------------------------------------------------------------

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
static void sort_archs(const duet_starpu_times *t, size_t *by_order)
{
    size_t rest = t->records->counted;
    for (size_t i = 0; i < t->records->arch_names.count; i++) {
        size_t order = t->records->archs[i].order;
        by_order[order == DUET_STARPU_NONE ? rest++ : order] = i;
    }
}

// Columns of the workers, as many as have estimates.
static duet_code fill_worker_columns(duet_starpu_times *t, const size_t *by_order)
{
    size_t at = 0;
    int64_t workers = 0;
    for (size_t i = 0; i < t->records->counted; i++) {
        workers += t->records->archs[by_order[i]].workers;
    }
    if (t->records->counted > 0 && (uint64_t)workers != t->column_count) {
        return duet_error_set_at(t->error, DUET_E_INPUT, t->file, 0, 0,
                                 "EstimatedTime has %zu values for the %lld workers that are "
                                 "counted; expected one for each",
                                 t->column_count, (long long)workers);
    }
    for (size_t i = 0; i < t->records->counted; i++) {
        for (int64_t w = 0; w < t->records->archs[by_order[i]].workers; w++) {
            t->columns[at++] = (duet_starpu_column){by_order[i], 1};
        }
    }
    while (at < t->column_count) {
        t->columns[at++] = (duet_starpu_column){DUET_STARPU_NONE, 1};
    }
    return DUET_OK;
}

// Columns of the architectures. Of a sort of device that has timings but no workers here, the first
// stands for all, with 0 workers.
static void fill_arch_columns(duet_starpu_times *t, const size_t *by_order)
{
    size_t counted = t->records->counted;
    t->column_count = 0;
    for (size_t i = 0; i < t->records->arch_names.count; i++) {
        bool superfluous = false;
        for (size_t j = 0; j < i && counted > 0 && i >= counted && !superfluous; j++) {
            superfluous = duet_starpu_same_sort(t->records, by_order[i], by_order[j]);
        }
        if (!superfluous) {
            int64_t workers = counted == 0 ? -1 : t->records->archs[by_order[i]].workers;
            t->columns[t->column_count++] = (duet_starpu_column){by_order[i], workers};
        }
    }
}

static duet_code choose_columns(duet_starpu_times *t)
{
    const duet_starpu_records *records = t->records;
    if (records->arch_names.count > MAX_ARCHS) {
        return fail(t, 0, "too many architectures; expected at most 4096");
    }
    t->column_count = t->by_worker ? count_values(duet_names_text(&records->estimates, 0))
                                   : records->arch_names.count;
    t->columns = duet_alloc(t->column_count, sizeof *t->columns, t->error);
    size_t *by_order = duet_alloc(records->arch_names.count, sizeof *by_order, t->error);
    duet_code code = t->columns == NULL || by_order == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        sort_archs(t, by_order);
    }
    if (code == DUET_OK && t->by_worker) {
        code = fill_worker_columns(t, by_order);
    } else if (code == DUET_OK) {
        fill_arch_columns(t, by_order);
    }
    duet_free(by_order);
    return code;
}

// --- cells -------------------------------------------------------------------------------------

static duet_code read_estimate(const duet_starpu_times *t, const duet_starpu_kernel *kernel,
                               duet_starpu_cell *row)
{
    const char *text = duet_names_text(&t->records->estimates, kernel->estimate);
    size_t values = count_values(text);
    if (values != t->column_count) {
        return duet_error_set_at(t->error, DUET_E_INPUT, t->file, kernel->estimate_line, 0,
                                 "EstimatedTime has %zu values; expected %zu, one per worker",
                                 values, t->column_count);
    }
    for (size_t i = 0; i < values; i++) {
        text += strspn(text, " \t\n");
        size_t length = strcspn(text, " \t\n");
        row[i].line = kernel->estimate_line;
        DUET_TRY(
            duet_starpu_time(text, length, t->file, kernel->estimate_line, &row[i].time, t->error));
        text += length;
    }
    return DUET_OK;
}

static duet_code place_timing(const duet_starpu_times *t, const duet_starpu_timing *timing)
{
    size_t row = t->row_of[timing->kernel];
    if (row == DUET_STARPU_NONE ||
        t->records->kernels[timing->kernel].estimate != DUET_STARPU_NONE) {
        return DUET_OK;
    }
    for (size_t i = 0; i < t->column_count; i++) {
        duet_starpu_cell *at = &t->cells[row * t->column_count + i];
        if (t->columns[i].arch != timing->arch) {
            continue;
        }
        if (at->line != 0) {
            return duet_error_set_at(t->error, DUET_E_INPUT, t->file, timing->line, 0,
                                     "second timing of %.60s on %.60s, after line %d; expected one",
                                     duet_names_text(&t->records->kernel_names, timing->kernel),
                                     duet_names_text(&t->records->arch_names, timing->arch),
                                     at->line);
        }
        *at = (duet_starpu_cell){timing->time, timing->line};
    }
    return DUET_OK;
}

static duet_code check_row(const duet_starpu_times *t, size_t kernel)
{
    const duet_starpu_cell *row = &t->cells[t->row_of[kernel] * t->column_count];
    for (size_t i = 0; i < t->column_count; i++) {
        if (row[i].line != 0) {
            return DUET_OK;
        }
    }
    return duet_error_set_at(t->error, DUET_E_INPUT, t->file, t->records->kernels[kernel].task_line,
                             0,
                             "no time of %.60s; expected EstimatedTime (starpu_tasks_rec_complete "
                             "adds it) or its timings in the same file (starpu_perfmodel_recdump)",
                             duet_names_text(&t->records->kernel_names, kernel));
}

static duet_code fill_cells(duet_starpu_times *t)
{
    const duet_starpu_records *records = t->records;
    duet_code code = duet_memory_check((uint64_t)t->rows * t->column_count, sizeof *t->cells, 0,
                                       "times of workers", t->error);
    if (code != DUET_OK) {
        return code;
    }
    t->cells = duet_alloc(t->rows * t->column_count, sizeof *t->cells, t->error);
    DUET_NEED(t->cells);
    for (size_t i = 0; i < t->rows * t->column_count; i++) {
        t->cells[i].time.forbidden = true;
    }
    for (size_t i = 0; i < records->kernel_names.count && code == DUET_OK; i++) {
        if (t->row_of[i] != DUET_STARPU_NONE && records->kernels[i].estimate != DUET_STARPU_NONE) {
            code =
                read_estimate(t, &records->kernels[i], &t->cells[t->row_of[i] * t->column_count]);
        }
    }
    for (size_t i = 0; i < records->timing_count && code == DUET_OK; i++) {
        code = place_timing(t, &records->timings[i]);
    }
    for (size_t i = 0; i < records->kernel_names.count && code == DUET_OK; i++) {
        code = records->kernels[i].tasks > 0 ? check_row(t, i) : DUET_OK;
    }
    return code;
}

duet_code duet_starpu_times_create(duet_starpu_times *times, const duet_starpu_records *records,
                                   const char *file, duet_error *error)
{
    *times = (duet_starpu_times){.records = records, .file = file, .error = error};
    DUET_TRY(choose_rows(times));
    DUET_TRY(choose_columns(times));
    return fill_cells(times);
}

void duet_starpu_times_free(duet_starpu_times *times)
{
    duet_free(times->columns);
    duet_free(times->row_of);
    duet_free(times->cells);
}
