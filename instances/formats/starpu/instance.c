// SPDX-License-Identifier: Apache-2.0
// Instances from StarPU's records: a kind per model and footprint, as often as there are tasks of
// it (once where the file has no tasks), its times from EstimatedTime, else from the timings.
//
// Neighbouring columns that are nearly equal in all kinds, of devices of one sort, become one
// processor type. CPUs, which StarPU numbers last, become the first type, as Duet wants it.
#include <stdio.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/formats.h"
#include "instances/formats/starpu/build.h"

static const char *arch_name(const duet_starpu_build *b, size_t arch)
{
    return duet_names_text(&b->records.arch_names, arch);
}

static bool same_times(const duet_starpu_build *b, size_t left, size_t right)
{
    for (size_t row = 0; row < b->times.rows; row++) {
        const duet_read_time *a = &b->times.cells[row * b->times.column_count + left].time;
        const duet_read_time *other = &b->times.cells[row * b->times.column_count + right].time;
        if (a->forbidden != other->forbidden ||
            (!a->forbidden && (a->value.mantissa != other->value.mantissa ||
                               a->value.places != other->value.places || a->tail != other->tail))) {
            return false;
        }
    }
    return true;
}

static bool is_counted(const duet_starpu_build *b, size_t at)
{
    size_t arch = b->times.columns[at].arch;
    return arch == DUET_STARPU_NONE || b->records.archs[arch].order != DUET_STARPU_NONE;
}

static bool is_cpu(const duet_starpu_build *b, size_t type)
{
    size_t arch = b->times.columns[b->first[type]].arch;
    if (arch == DUET_STARPU_NONE) {
        return type + 1 == b->types;
    }
    return duet_starpu_sort_length(arch_name(b, arch)) == 3 &&
           memcmp(arch_name(b, arch), "cpu", 3) == 0;
}

static void order_types(duet_starpu_build *b)
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

// Whether a column is of the type of the one before it.
static bool joins(duet_starpu_build *b, size_t column)
{
    return column > 0 &&
           duet_starpu_same_sort(&b->records, b->times.columns[column - 1].arch,
                                 b->times.columns[column].arch) &&
           is_counted(b, column - 1) == is_counted(b, column) &&
           (duet_starpu_blend_join(b, column) ||
            (!b->blend.differs && same_times(b, column - 1, column)));
}

static duet_code group_columns(duet_starpu_build *b)
{
    DUET_TRY(duet_starpu_blend_create(b));
    for (size_t i = 0; i < b->times.column_count; i++) {
        if (!joins(b, i)) {
            if (i > 0) {
                duet_starpu_blend_end(b, b->first[b->types - 1]);
            }
            duet_starpu_blend_begin(b, i);
            if (b->types == DUET_MAX_TYPES) {
                return duet_error_set_at(
                    b->error, DUET_E_INPUT, b->times.file, 0, 0,
                    "more than 64 sorts of workers; expected workers with equal times "
                    "(STARPU_PERF_MODEL_HOMOGENEOUS_CPU, _CUDA, ... make them so)");
            }
            b->first[b->types++] = i;
        }
    }
    duet_starpu_blend_end(b, b->first[b->types - 1]);
    b->first[b->types] = b->times.column_count;
    order_types(b);
    return DUET_OK;
}

// Whether no other type is of the same sort of device.
static bool is_alone(const duet_starpu_build *b, size_t type)
{
    size_t arch = b->times.columns[b->first[type]].arch;
    for (size_t other = 0; other < b->types; other++) {
        size_t there = b->times.columns[b->first[other]].arch;
        if (other != type && duet_starpu_same_sort(&b->records, arch, there)) {
            return false;
        }
    }
    return true;
}

// "cpu", "cuda"; "cuda0", "cuda1" where there are several types of that sort. As long as it is, and
// the caller's (duet_free()); NULL without memory.
static char *name_type(const duet_starpu_build *b, size_t type)
{
    size_t arch = b->times.columns[b->first[type]].arch;
    if (arch != DUET_STARPU_NONE) {
        char *name = duet_copy_string(arch_name(b, arch), b->error);
        if (name != NULL && is_alone(b, type)) {
            name[duet_starpu_sort_length(name)] = '\0';
        }
        return name;
    }
    char name[32];
    if (is_cpu(b, type)) {
        snprintf(name, sizeof name, "cpu");
    } else if (b->types == 2) {
        snprintf(name, sizeof name, "gpu");
    } else {
        snprintf(name, sizeof name, "gpu%zu", type);
    }
    return duet_copy_string(name, b->error);
}

static duet_code add_types(duet_starpu_build *b)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < b->types && code == DUET_OK; t++) {
        int64_t workers = 0;
        for (size_t i = b->first[b->order[t]]; i < b->first[b->order[t] + 1]; i++) {
            workers += b->times.columns[i].workers;
        }
        char *name = name_type(b, b->order[t]);
        code = name == NULL ? DUET_E_MEMORY
                            : duet_builder_add_type(b->builder, name, workers, 0, 0, b->error);
        duet_free(name);
    }
    return code;
}

// --- the instance ------------------------------------------------------------------------------

static duet_code add_kind(duet_starpu_build *b, size_t kernel)
{
    duet_read_time times[DUET_MAX_TYPES];
    const duet_starpu_kernel *of = &b->records.kernels[kernel];
    const char *name = duet_names_text(&b->records.kernel_names, kernel);
    const duet_starpu_cell *row = &b->times.cells[b->times.row_of[kernel] * b->times.column_count];
    bool timed = false;
    for (size_t t = 0; t < b->types; t++) {
        times[t] = row[b->first[b->order[t]]].time;
        timed = timed || !times[t].forbidden;
    }
    if (of->tasks == 0 && !timed) {
        b->untimed++; // a model without a measured time yet
        return DUET_OK;
    }
    const duet_read_kind kind = {.id = name,
                                 .id_length = strlen(name),
                                 .count = of->tasks == 0 ? 1 : of->tasks,
                                 .times = times,
                                 .time_count = b->types,
                                 .line = of->tasks == 0 ? of->line : of->task_line};
    return duet_builder_add_kind(b->builder, &kind, b->error);
}

static duet_code add_kinds(duet_starpu_build *b)
{
    for (size_t i = 0; i < b->records.kernel_names.count; i++) {
        DUET_TRY(b->times.row_of[i] == DUET_STARPU_NONE ? DUET_OK : add_kind(b, i));
    }
    return DUET_OK;
}

// What the instance calls each task: it numbers them kind by kind, main memory last. The caller's
// (duet_free()); NULL without memory.
static int64_t *number_tasks(const duet_starpu_build *b)
{
    const duet_starpu_records *records = &b->records;
    int64_t *next = duet_alloc(records->kernel_names.count, sizeof *next, b->error);
    int64_t *number = duet_alloc(records->task_count + 1, sizeof *number, b->error);
    int64_t at = 0;
    for (size_t i = 0; next != NULL && i < records->kernel_names.count; i++) {
        next[i] = at;
        at += records->kernels[i].tasks;
    }
    for (size_t i = 0; next != NULL && number != NULL && i < records->task_count; i++) {
        number[i] = next[records->tasks[i].kernel]++;
    }
    if (next == NULL) {
        duet_free(number);
        return NULL;
    }
    if (number != NULL) {
        number[records->task_count] = at;
    }
    duet_free(next);
    return number;
}

// The tasks' order of submission, and what they wait for.
static duet_code list_tasks(duet_starpu_build *b, duet_origin *origin)
{
    const duet_starpu_records *records = &b->records;
    if (records->task_count == 0) {
        return DUET_OK;
    }
    int64_t *number = number_tasks(b);
    bool memory = b->data && b->flows.first_reads;
    origin->submit_order = duet_alloc(records->task_count + memory, sizeof(int64_t), b->error);
    if (number == NULL || origin->submit_order == NULL) {
        duet_free(number);
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < records->task_count; i++) {
        origin->submit_order[number[i]] = records->tasks[i].submit_order;
    }
    if (memory) {
        origin->submit_order[number[records->task_count]] = 0;
    }
    duet_code code = duet_starpu_add_edges(&records->jobs, number, b->data ? &b->flows : NULL,
                                           b->times.file, b->builder, b->error);
    DUET_THEN(code, duet_starpu_set_tiles(b, number, origin));
    duet_free(number);
    return code;
}

// Which of the instance's types a group of columns has become.
static size_t type_of(const duet_starpu_build *b, size_t group)
{
    size_t type = 0;
    while (b->order[type] != group) {
        type++;
    }
    return type;
}

// Workers are numbered as the file counts them. Accelerators that it does not count would stand
// before the CPUs.
static void rank_workers(const duet_starpu_build *b, size_t *rank)
{
    size_t next = 0;
    bool before_cpus = true;
    for (size_t group = 0; group <= b->types; group++) {
        bool last = group == b->types;
        if (before_cpus && (last || is_cpu(b, group))) {
            before_cpus = false;
            for (size_t other = 0; other < b->types; other++) {
                if (!is_counted(b, b->first[other]) && !is_cpu(b, other)) {
                    rank[type_of(b, other)] = next++;
                }
            }
        }
        if (!last && (is_counted(b, b->first[group]) || is_cpu(b, group))) {
            rank[type_of(b, group)] = next++;
        }
    }
}

static duet_code set_origin(duet_starpu_build *b)
{
    duet_origin *origin = duet_alloc(1, sizeof *origin, b->error);
    DUET_NEED(origin);
    rank_workers(b, origin->worker_rank);
    origin->dependent = duet_starpu_unknown_jobs(&b->records.jobs) > 0;
    duet_builder_set_origin(b->builder, origin);
    DUET_TRY(duet_starpu_place_workers(b, origin));
    DUET_TRY(duet_starpu_set_data(b, origin));
    return list_tasks(b, origin);
}

static void add_notice(char *notice, size_t size, size_t count, const char *what, const char *rest)
{
    size_t length = strlen(notice);
    if (count > 0) {
        snprintf(notice + length, size - length, "%s%zu %s%s", length > 0 ? "; " : "", count, what,
                 rest);
    }
}

// What a claim about merged devices says.
static duet_code note_merged(const duet_starpu_build *b)
{
    char notice[400];
    long long spread = b->blend.spread;
    snprintf(
        notice, sizeof notice,
        "devices whose times differ by at most %lld.%lld %% are one type (-O merge=0 keeps them "
        "apart) with %s",
        spread / 10, spread % 10,
        b->reading->merged == DUET_MERGED_LEAST
            ? "the least time of any, so that bounds hold for the devices as they are"
            : "their mean times, which bounds and \"optimal\" are about; 'duet bound' takes the "
              "least times, so that its bounds hold for the devices as they are");
    return duet_builder_add_notice(b->builder, notice, b->error);
}

static duet_code set_notice(duet_starpu_build *b)
{
    char notice[512] = "";
    size_t unknown = duet_starpu_unknown_jobs(&b->records.jobs);
    size_t unmodelled = b->records.unmodelled;
    bool waits = b->records.jobs.after_count > 0;
    add_notice(notice, sizeof notice, unknown, unknown == 1 ? "job" : "jobs",
               " that others depend on and that the file does not have left out");
    add_notice(notice, sizeof notice, unmodelled, unmodelled == 1 ? "task" : "tasks",
               waits ? " without a performance model left out: what depends on them depends on "
                       "their predecessors"
                     : " without a performance model left out");
    add_notice(notice, sizeof notice, b->untimed, b->untimed == 1 ? "model" : "models",
               " without a measured time left out");
    size_t divided = 0;
    for (size_t type = 0; type < b->types; type++) {
        bool known = b->times.columns[b->first[type]].arch != DUET_STARPU_NONE;
        divided += known && !is_alone(b, type);
    }
    add_notice(notice, sizeof notice, divided, "types",
               " are of one sort of device with other times: STARPU_PERF_MODEL_HOMOGENEOUS_CUDA=1 "
               "(..._OPENCL, ..._CPU) has StarPU measure them as one");
    DUET_TRY(notice[0] == '\0' ? DUET_OK : duet_builder_add_notice(b->builder, notice, b->error));
    return b->blend.types > 0 ? note_merged(b) : DUET_OK;
}

static duet_code build(duet_starpu_build *b)
{
    static duet_code (*const steps[])(duet_starpu_build *) = {group_columns, add_types, add_kinds,
                                                              set_origin, set_notice};
    DUET_TRY(duet_builder_set_time_unit(b->builder, "us", b->error));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        DUET_TRY(steps[i](b));
    }
    return DUET_OK;
}

duet_code duet_read_instance_rec(duet_input *input, duet_builder *builder, duet_error *error)
{
    static const duet_reading nothing = {.drop = DUET_DROP_NOTHING};
    duet_starpu_build b = {.reading = input->reading == NULL ? &nothing : input->reading,
                           .builder = builder,
                           .error = error};
    duet_code code = duet_starpu_collect(input, &b.records, error);
    DUET_THEN(code, duet_starpu_times_create(&b.times, &b.records, input->name, error));
    DUET_THEN(code, build(&b));
    duet_starpu_blend_free(&b.blend);
    duet_starpu_free_flows(&b.flows);
    duet_starpu_times_free(&b.times);
    duet_starpu_free(&b.records);
    return code;
}
