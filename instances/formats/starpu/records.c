// SPDX-License-Identifier: Apache-2.0
// StarPU's records as tables. The fields of a record tell what it is about. The "%rec:" above it
// does not: tasks.rec has none, and files may be concatenated.
#include "instances/formats/starpu/records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/starpu/recutils.h"

typedef struct collector {
    duet_rec_reader reader;
    duet_starpu_records *records;
    duet_error *error;
} collector;

static int line_of(const collector *c)
{
    return c->reader.fields[0].line;
}

static const char *value_of(const collector *c, const char *name)
{
    const duet_rec_field *field = duet_rec_find(&c->reader, name);
    return field == NULL ? NULL : duet_rec_value(&c->reader, field);
}

static duet_code missing(const collector *c, const char *what, const char *field)
{
    return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, line_of(c), 0,
                             "%s without %s; expected records as StarPU writes them", what, field);
}

// A whole number of at least `least` into *value, which stays where the field is not there.
static duet_code read_whole(const collector *c, const char *name, int64_t least, int64_t most,
                            int64_t *value)
{
    const duet_rec_field *field = duet_rec_find(&c->reader, name);
    if (field == NULL) {
        return DUET_OK;
    }
    const char *text = duet_rec_value(&c->reader, field);
    int64_t number = 0;
    bool whole = text[0] != '\0';
    for (const char *digit = text; *digit != '\0' && whole; digit++) {
        whole = *digit >= '0' && *digit <= '9' && number <= (most - (*digit - '0')) / 10;
        number = whole ? number * 10 + (*digit - '0') : 0;
    }
    if (!whole || number < least) {
        return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, field->line, 0,
                                 "%s \"%.40s\": expected a whole number from %" PRId64
                                 " to %" PRId64,
                                 name, text, least, most);
    }
    *value = number;
    return DUET_OK;
}

static duet_code number_of(const collector *c, duet_names *names, const char *name, size_t *number)
{
    uint32_t found = 0;
    duet_code code = duet_names_add(names, 0, name, &found, c->error);
    *number = found;
    return code;
}

static duet_code find_arch(const collector *c, const char *name, size_t *arch)
{
    duet_starpu_records *records = c->records;
    size_t before = records->arch_names.count;
    DUET_TRY(number_of(c, &records->arch_names, name, arch));
    if (*arch == before) {
        DUET_TRY(duet_vec_grow(records->archs, before, c->error));
        records->archs[*arch] = (duet_starpu_arch){0, DUET_STARPU_NONE};
    }
    return DUET_OK;
}

// The kernel is named by its model and its data's footprint: "gemm:d1f14eba".
static duet_code find_kernel(const collector *c, const char *model, size_t *kernel)
{
    duet_starpu_records *records = c->records;
    const char *footprint = value_of(c, "Footprint");
    size_t digits = footprint == NULL ? 0 : strspn(footprint, "0123456789abcdefABCDEF");
    if (footprint != NULL && (digits == 0 || footprint[digits] != '\0')) {
        return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name,
                                 duet_rec_find(&c->reader, "Footprint")->line, 0,
                                 "Footprint \"%.40s\": expected a hexadecimal number", footprint);
    }
    size_t size = strlen(model) + 10 + digits;
    char *name = duet_alloc(size, 1, c->error);
    DUET_NEED(name);
    // tasks.rec has it without leading zeros, the timings with them.
    size_t zeros = footprint == NULL ? 0 : strspn(footprint, "0");
    int padding = digits - zeros < 8 ? (int)(8 - (digits - zeros)) : 0;
    if (footprint == NULL) {
        snprintf(name, size, "%s", model);
    } else {
        snprintf(name, size, "%s:%.*s%s", model, padding, "00000000", footprint + zeros);
    }
    size_t before = records->kernel_names.count;
    duet_code code = number_of(c, &records->kernel_names, name, kernel);
    duet_free(name);
    if (code == DUET_OK && *kernel == before) {
        code = duet_vec_grow(records->kernels, before, c->error);
        if (code == DUET_OK) {
            records->kernels[*kernel] = (duet_starpu_kernel){line_of(c), 0, 0, DUET_STARPU_NONE, 0};
        }
    }
    return code;
}

// --- memory --------------------------------------------------------------------------------------

static duet_code take_node(const collector *c)
{
    const duet_rec_field *workers = duet_rec_find(&c->reader, "Workers");
    const char *name = value_of(c, "Name");
    int64_t number = 0;
    DUET_TRY(read_whole(c, "MemoryNode", 0, INT32_MAX, &number));
    DUET_TRY(duet_starpu_add_node(&c->records->memory, number, name == NULL ? "" : name,
                                  duet_rec_value(&c->reader, workers),
                                  (duet_place){c->reader.input->name, workers->line, 0}, c->error));
    duet_starpu_memory *memory = &c->records->memory;
    const char *size = value_of(c, "Size");
    if (size != NULL && size[0] != '-') { // StarPU writes -1 where it does not know
        DUET_TRY(
            read_whole(c, "Size", 0, DUET_MAX_WORK, &memory->nodes[memory->node_count - 1].size));
    }
    return DUET_OK;
}

static duet_code read_rate(const collector *c, const char *name, duet_read_time *rate)
{
    const duet_rec_field *field = duet_rec_find(&c->reader, name);
    *rate = (duet_read_time){.forbidden = true};
    if (field == NULL) {
        return DUET_OK;
    }
    const char *text = duet_rec_value(&c->reader, field);
    return duet_starpu_time(text, strlen(text), c->reader.input->name, field->line, rate, c->error);
}

static duet_code take_link(const collector *c)
{
    duet_starpu_link link = {.from = -1, .to = -1};
    DUET_TRY(read_whole(c, "MemoryNodeSrc", 0, INT32_MAX, &link.from));
    DUET_TRY(read_whole(c, "MemoryNodeDst", 0, INT32_MAX, &link.to));
    DUET_TRY(read_rate(c, "Bandwidth", &link.bandwidth));
    DUET_TRY(read_rate(c, "Latency", &link.latency));
    return duet_starpu_add_link(&c->records->memory, &link, c->error);
}

// The next word of a list into `word`, which has `size` bytes; false at its end.
static bool next_word(const char **text, char *word, size_t size)
{
    *text += strspn(*text, " \t\n");
    size_t length = strcspn(*text, " \t\n");
    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *text);
    *text += length;
    return length > 0;
}

// What a task does with its data: Handles, Modes and Sizes have a word for each. Data that are
// reduced or are only scratch come from nobody.
static duet_code take_accesses(const collector *c, duet_starpu_task *task)
{
    duet_starpu_records *records = c->records;
    const char *handles = value_of(c, "Handles");
    const char *modes = value_of(c, "Modes");
    const duet_rec_field *field = duet_rec_find(&c->reader, "Sizes");
    const char *sizes = field == NULL ? NULL : duet_rec_value(&c->reader, field);
    char handle[64];
    char mode[16];
    char size[32];
    task->first_access = records->access_count;
    while (handles != NULL && modes != NULL && sizes != NULL &&
           next_word(&handles, handle, sizeof handle) && next_word(&modes, mode, sizeof mode) &&
           next_word(&sizes, size, sizeof size)) {
        bool reduced = strncasecmp(mode, "redux", 5) == 0;
        size_t digits = strspn(size, "0123456789");
        duet_starpu_access access = {
            .reads = mode[0] == 'R' && !reduced,
            .writes = (mode[0] == 'W' || (mode[0] == 'R' && mode[1] == 'W')) && !reduced};
        if (digits == 0 || digits > 18 || size[digits] != '\0') {
            return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, field->line, 0,
                                     "Sizes \"%.40s\": expected whole numbers of bytes", size);
        }
        access.bytes = strtoll(size, NULL, 10);
        DUET_TRY(duet_names_add(&records->handle_names, 0, handle, &access.handle, c->error));
        DUET_TRY(duet_vec_push(records->accesses, records->access_count, c->error, access));
    }
    task->accesses = records->access_count - task->first_access;
    return DUET_OK;
}

// --- worker counts -----------------------------------------------------------------------------

static duet_code take_workers(const collector *c)
{
    const char *name = value_of(c, "Architecture");
    if (name == NULL || name[0] == '\0') {
        return missing(c, "NbWorkers", "Architecture");
    }
    size_t arch;
    int64_t workers = 0;
    DUET_TRY(read_whole(c, "NbWorkers", 0, DUET_MAX_PROCESSORS, &workers));
    DUET_TRY(find_arch(c, name, &arch));
    if (c->records->archs[arch].order != DUET_STARPU_NONE) {
        return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, line_of(c), 0,
                                 "the workers of %.60s are counted twice; expected one record for "
                                 "each architecture",
                                 name);
    }
    c->records->archs[arch] = (duet_starpu_arch){workers, c->records->counted++};
    return DUET_OK;
}

// --- timings -----------------------------------------------------------------------------------

static duet_code read_mean(const collector *c, duet_read_time *time)
{
    const duet_rec_field *field = duet_rec_find(&c->reader, "Mean");
    const char *text = duet_rec_value(&c->reader, field);
    int64_t samples = 1;
    DUET_TRY(read_whole(c, "Samples", 0, INT64_MAX, &samples));
    duet_code code =
        duet_starpu_time(text, strlen(text), c->reader.input->name, field->line, time, c->error);
    time->forbidden = time->forbidden || samples == 0;
    return code;
}

static duet_code take_timing(const collector *c)
{
    duet_starpu_records *records = c->records;
    duet_starpu_timing timing = {.line = line_of(c)};
    const char *model = value_of(c, "Model");
    const char *arch = value_of(c, "Architecture");
    model = model == NULL ? value_of(c, "Name") : model; // as older versions of StarPU call it
    if (model == NULL || model[0] == '\0') {
        return missing(c, "Mean", "Model");
    }
    if (arch == NULL || arch[0] == '\0') {
        return missing(c, "Mean", "Architecture");
    }
    DUET_TRY(read_mean(c, &timing.time));
    DUET_TRY(find_arch(c, arch, &timing.arch));
    DUET_TRY(find_kernel(c, model, &timing.kernel));
    DUET_TRY(duet_vec_push(records->timings, records->timing_count, c->error, timing));
    return DUET_OK;
}

// --- tasks -------------------------------------------------------------------------------------

static duet_code take_estimate(const collector *c, size_t kernel)
{
    const duet_rec_field *field = duet_rec_find(&c->reader, "EstimatedTime");
    duet_starpu_kernel *of = &c->records->kernels[kernel];
    size_t estimate;
    if (field == NULL) {
        return DUET_OK;
    }
    DUET_TRY(number_of(c, &c->records->estimates, duet_rec_value(&c->reader, field), &estimate));
    if (of->estimate != DUET_STARPU_NONE && of->estimate != estimate) {
        return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, field->line, 0,
                                 "EstimatedTime differs from that of line %d; expected the same "
                                 "for all tasks of %.60s",
                                 of->estimate_line,
                                 duet_names_text(&c->records->kernel_names, kernel));
    }
    if (of->estimate == DUET_STARPU_NONE) {
        of->estimate = estimate;
        of->estimate_line = field->line;
    }
    return DUET_OK;
}

// StarPU writes -1 where there is no MPI.
static duet_code read_rank(const collector *c, int64_t *rank)
{
    const char *text = value_of(c, "MPIRank");
    *rank = -1;
    return text == NULL || strcmp(text, "-1") == 0 ? DUET_OK
                                                   : read_whole(c, "MPIRank", 0, INT32_MAX, rank);
}

static duet_code add_task(const collector *c, const char *model, int64_t rank)
{
    duet_starpu_records *records = c->records;
    duet_starpu_task task = {.rank = rank, .line = line_of(c)};
    const duet_rec_field *order = duet_rec_find(&c->reader, "SubmitOrder");
    task.line = order == NULL ? task.line : order->line;
    DUET_TRY(read_whole(c, "SubmitOrder", 0, DUET_MAX_WORK, &task.submit_order));
    DUET_TRY(find_kernel(c, model, &task.kernel));
    DUET_TRY(take_estimate(c, task.kernel));
    DUET_TRY(take_accesses(c, &task));
    DUET_TRY(duet_vec_grow(records->tasks, records->task_count, c->error));
    duet_starpu_kernel *kernel = &records->kernels[task.kernel];
    kernel->task_line = kernel->tasks == 0 ? line_of(c) : kernel->task_line;
    kernel->tasks++;
    records->tasks[records->task_count++] = task;
    return DUET_OK;
}

// Adds the task of a record with a JobId. Not all are tasks here: some only free data, and of some
// nobody knows how long they take.
static duet_code take_model(const collector *c, int64_t rank)
{
    if (value_of(c, "Control") != NULL) {
        return DUET_OK;
    }
    const char *model = value_of(c, "Model");
    if (model == NULL && value_of(c, "EstimatedTime") != NULL) {
        model = value_of(c, "Name");
    }
    if (model == NULL || model[0] == '\0') {
        c->records->unmodelled++;
        return DUET_OK;
    }
    return add_task(c, model, rank);
}

static duet_code take_task(const collector *c)
{
    duet_starpu_records *records = c->records;
    const duet_rec_field *depends = duet_rec_find(&c->reader, "DependsOn");
    size_t before = records->task_count;
    int64_t rank;
    DUET_TRY(read_rank(c, &rank));
    DUET_TRY(take_model(c, rank));
    const duet_starpu_read_job job = {
        .id = value_of(c, "JobId"),
        .rank = rank,
        .depends = depends == NULL ? NULL : duet_rec_value(&c->reader, depends),
        .task = records->task_count > before ? before : DUET_STARPU_NONE,
        .line = depends == NULL ? line_of(c) : depends->line};
    return duet_starpu_add_job(&records->jobs, &job, c->error);
}

// In recutils a field may be repeated, but none of those that are read here may. A repeated one
// mostly means that the empty line between two records is missing.
static duet_code check_repeated(const collector *c)
{
    static const char *const read[] = {"JobId",         "Control", "Name",         "Model",
                                       "Footprint",     "MPIRank", "Architecture", "NbWorkers",
                                       "Mean",          "Samples", "SubmitOrder",  "DependsOn",
                                       "EstimatedTime", "Handles", "Modes",        "Sizes"};
    enum { READ = sizeof read / sizeof read[0] };
    int first[READ] = {0}; // lines
    for (size_t i = 0; i < c->reader.count; i++) {
        const duet_rec_field *field = &c->reader.fields[i];
        size_t at = 0;
        while (at < READ && strcmp(c->reader.text + field->name, read[at]) != 0) {
            at++;
        }
        if (at < READ && first[at] > 0) {
            return duet_error_set_at(c->error, DUET_E_INPUT, c->reader.input->name, field->line, 0,
                                     "a second %s in one record, after line %d; expected an empty "
                                     "line between records",
                                     read[at], first[at]);
        }
        if (at < READ) {
            first[at] = field->line;
        }
    }
    return DUET_OK;
}

// The fields that StarPU writes, but for those in percent signs.
static const char *const known[] = {"Architecture",
                                    "Bandwidth",
                                    "Color",
                                    "Combinations",
                                    "Control",
                                    "DepLabels",
                                    "DependsOn",
                                    "EndTime",
                                    "EstimatedTime",
                                    "File",
                                    "Flops",
                                    "Footprint",
                                    "From",
                                    "GFlop",
                                    "Handles",
                                    "Iteration",
                                    "JobId",
                                    "Latency",
                                    "Line",
                                    "Mean",
                                    "MemoryNode",
                                    "MemoryNodeDst",
                                    "MemoryNodeSrc",
                                    "Model",
                                    "Modes",
                                    "MPIRank",
                                    "Name",
                                    "NbWorkers",
                                    "NumaNodes",
                                    "Parameters",
                                    "Samples",
                                    "Size",
                                    "Sizes",
                                    "SpecificWorkers",
                                    "StartTime",
                                    "Stddev",
                                    "SubmitOrder",
                                    "SubmitTime",
                                    "Tag",
                                    "To",
                                    "WorkerId",
                                    "Workers",
                                    "X",
                                    "Y",
                                    "Z"};

// Whether StarPU writes a field of that name, which may say nothing of a schedule.
static bool is_known(const char *name)
{
    bool found = name[0] == '%';
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = strcmp(name, known[i]) == 0;
    }
    return found;
}

// Puts what StarPU does not write into the ledger.
static duet_code pass_fields(const collector *c)
{
    duet_input *input = c->reader.input;
    for (size_t i = 0; i < c->reader.count; i++) {
        const duet_rec_field *at = &c->reader.fields[i];
        const duet_field field = {DUET_FIELD_RECORD, c->reader.text + at->name, at->line, 0};
        duet_meaning meaning = duet_field_meaning(field.name);
        if (is_known(field.name)) {
            continue;
        }
        bool guarded = duet_meaning_guarded(meaning);
        const char *why = meaning == DUET_MEANS_PRIORITY
                              ? "it is for StarPU's own policies, and a plan has its own"
                              : NULL;
        DUET_TRY(guarded ? duet_field_guard(input->fields, &field, duet_rec_value(&c->reader, at),
                                            input->name, c->error)
                         : duet_field_pass(input->fields, &field, why, input->name, c->error));
    }
    return DUET_OK;
}

// Whether the record is about a task, workers or a timing. Files also hold other records, such as
// descriptors and memory nodes.
static bool is_ours(const collector *c)
{
    return value_of(c, "JobId") != NULL || value_of(c, "NbWorkers") != NULL ||
           value_of(c, "Mean") != NULL || value_of(c, "EstimatedTime") != NULL;
}

static duet_code take_record(const collector *c)
{
    DUET_TRY(is_ours(c) ? check_repeated(c) : DUET_OK);
    DUET_TRY(pass_fields(c));
    if (value_of(c, "JobId") != NULL) {
        return take_task(c);
    }
    if (value_of(c, "NbWorkers") != NULL) {
        return take_workers(c);
    }
    if (value_of(c, "Mean") != NULL) {
        return take_timing(c);
    }
    if (value_of(c, "EstimatedTime") != NULL) {
        return missing(c, "EstimatedTime", "JobId");
    }
    if (value_of(c, "MemoryNode") != NULL && value_of(c, "Workers") != NULL) {
        return take_node(c);
    }
    if (value_of(c, "MemoryNodeSrc") != NULL) {
        return take_link(c);
    }
    return DUET_OK;
}

duet_code duet_starpu_collect(duet_input *input, duet_starpu_records *records, duet_error *error)
{
    collector c = {{.input = input}, records, error};
    duet_code code = duet_rec_next(&c.reader, error);
    while (code == DUET_OK && c.reader.count > 0) {
        code = take_record(&c);
        DUET_THEN(code, duet_rec_next(&c.reader, error));
    }
    duet_rec_free(&c.reader);
    return code == DUET_OK ? duet_starpu_check_orders(records, input->name, error) : code;
}

duet_code duet_starpu_time(const char *text, size_t length, const char *file, int line,
                           duet_read_time *time, duet_error *error)
{
    static const char *const none[] = {"inf", "nan", "-nan"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        if (strlen(none[i]) == length && memcmp(text, none[i], length) == 0) {
            *time = (duet_read_time){.forbidden = true};
            return DUET_OK;
        }
    }
    duet_code code = duet_read_time_text(text, length, (duet_place){file, line, 0}, time, error);
    time->forbidden = code == DUET_OK && time->value.mantissa == 0;
    return code;
}

size_t duet_starpu_sort_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] >= '0' && name[length - 1] <= '9') {
        length--;
    }
    return length;
}

bool duet_starpu_same_sort(const duet_starpu_records *records, size_t left, size_t right)
{
    if (left == DUET_STARPU_NONE || right == DUET_STARPU_NONE) {
        return left == right;
    }
    const char *a = duet_names_text(&records->arch_names, left);
    const char *b = duet_names_text(&records->arch_names, right);
    size_t length = duet_starpu_sort_length(a);
    return length == duet_starpu_sort_length(b) && memcmp(a, b, length) == 0;
}

void duet_starpu_free(duet_starpu_records *records)
{
    duet_names_free(&records->arch_names);
    duet_free(records->archs);
    duet_names_free(&records->kernel_names);
    duet_free(records->kernels);
    duet_free(records->timings);
    duet_free(records->tasks);
    duet_names_free(&records->estimates);
    duet_names_free(&records->handle_names);
    duet_free(records->accesses);
    duet_starpu_free_memory(&records->memory);
    duet_starpu_free_jobs(&records->jobs);
}
