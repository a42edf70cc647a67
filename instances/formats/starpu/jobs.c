// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/starpu/jobs.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/starpu/flows.h"

// --- records -------------------------------------------------------------------------------------

static duet_code find_name(duet_starpu_jobs *jobs, int64_t rank, const char *id, uint32_t *name,
                           duet_error *error)
{
    size_t before = jobs->names.count;
    duet_code code = duet_names_add(&jobs->names, (uint32_t)(rank + 1), id, name, error);
    if (code != DUET_OK || *name < before) {
        return code;
    }
    DUET_TRY(duet_vec_grow(jobs->job_of, before, error));
    DUET_TRY(duet_vec_grow(jobs->twice, before, error));
    jobs->job_of[before] = DUET_STARPU_NONE;
    jobs->twice[before] = false;
    return DUET_OK;
}

// Keeps the names in a text, which has blanks between them.
static duet_code keep_after(duet_starpu_jobs *jobs, int64_t rank, const char *text,
                            duet_error *error)
{
    char *copy = duet_copy_string(text, error);
    DUET_NEED(copy);
    duet_code code = DUET_OK;
    char *rest = NULL;
    for (char *id = strtok_r(copy, " \t\n", &rest); id != NULL && code == DUET_OK;
         id = strtok_r(NULL, " \t\n", &rest)) {
        uint32_t name;
        code = duet_vec_grow(jobs->after, jobs->after_count, error);
        DUET_THEN(code, find_name(jobs, rank, id, &name, error));
        if (code == DUET_OK) {
            jobs->after[jobs->after_count++] = name;
        }
    }
    duet_free(copy);
    return code;
}

duet_code duet_starpu_add_job(duet_starpu_jobs *jobs, const duet_starpu_read_job *read,
                              duet_error *error)
{
    uint32_t name;
    DUET_TRY(find_name(jobs, read->rank, read->id, &name, error));
    DUET_TRY(duet_vec_grow(jobs->jobs, jobs->count, error));
    jobs->twice[name] = jobs->job_of[name] != DUET_STARPU_NONE;
    jobs->job_of[name] = jobs->count;
    jobs->jobs[jobs->count++] = (duet_starpu_job){read->task, jobs->after_count, read->line};
    return read->depends == NULL ? DUET_OK : keep_after(jobs, read->rank, read->depends, error);
}

// --- edges ---------------------------------------------------------------------------------------

// A walk over what a task waits for, through the jobs that are no tasks.
typedef struct walk {
    const duet_starpu_jobs *jobs;
    const int64_t *number;
    duet_starpu_flows *flows; // NULL: no data
    size_t tasks;
    const char *file;
    duet_builder *builder;
    duet_error *error;
    size_t *seen;    // per name: 1 + the job that has met it last
    uint32_t *after; // per name: where the chain that begins here leads, as far as it is known
    uint32_t *stack; // names
    size_t height;
} walk;

// The entries of a job in jobs->after.
static size_t end_of(const duet_starpu_jobs *jobs, size_t job)
{
    return job + 1 < jobs->count ? jobs->jobs[job + 1].after : jobs->after_count;
}

// A chain ends where it comes back to itself.
#define END_OF_CIRCLE UINT32_MAX

// Whether a name is that of a job without a task that waits for a single other one.
static bool is_link(const walk *w, uint32_t name)
{
    const duet_starpu_jobs *jobs = w->jobs;
    size_t job = jobs->job_of[name];
    return !jobs->twice[name] && job != DUET_STARPU_NONE && w->after[name] != END_OF_CIRCLE &&
           jobs->jobs[job].task == DUET_STARPU_NONE &&
           end_of(jobs, job) == jobs->jobs[job].after + 1;
}

// What comes behind a link, or later in its chain.
static uint32_t behind(const walk *w, uint32_t name)
{
    const duet_starpu_jobs *jobs = w->jobs;
    return w->after[name] != name ? w->after[name]
                                  : jobs->after[jobs->jobs[jobs->job_of[name]].after];
}

// The first name that is no link of the chain that begins at `name`. Every link is passed once:
// then it knows where the chain leads.
static uint32_t follow(walk *w, uint32_t name)
{
    uint32_t last = name;
    for (size_t steps = 0; is_link(w, last); steps++) {
        if (steps == w->jobs->names.count) {
            w->after[last] = END_OF_CIRCLE;
            break;
        }
        last = behind(w, last);
    }
    while (name != last) {
        uint32_t next = behind(w, name);
        w->after[name] = last;
        name = next;
    }
    return last;
}

// Puts what a job waits for on the stack, the first on top.
static void push_after(walk *w, size_t from, size_t job)
{
    const duet_starpu_jobs *jobs = w->jobs;
    for (size_t i = end_of(jobs, from); i > jobs->jobs[from].after; i--) {
        uint32_t name = follow(w, jobs->after[i - 1]);
        if (w->seen[name] != job + 1) {
            w->seen[name] = job + 1;
            w->stack[w->height++] = name;
        }
    }
}

static duet_code refuse_twice(const walk *w, size_t job, uint32_t name)
{
    return duet_error_set_at(w->error, DUET_E_INPUT, w->file, w->jobs->jobs[job].line, 0,
                             "DependsOn %.60s, a JobId that two records have; expected each once",
                             duet_names_text(&w->jobs->names, name));
}

// An edge between two tasks, `from` DUET_STARPU_NONE for main memory. Data: NULL for none.
static duet_code add_edge(const walk *w, size_t from, size_t job, const duet_starpu_flow *flow)
{
    const duet_read_time data = {.value = {flow == NULL ? 0 : flow->bytes, 0}};
    const duet_read_edge edge = {
        .from = {.task = w->number[from == DUET_STARPU_NONE ? w->tasks : from]},
        .to = {.task = w->number[w->jobs->jobs[job].task]},
        .form = flow == NULL ? DUET_COST_NONE : DUET_COST_DATA,
        .cost = &data,
        .cost_count = flow == NULL ? 0 : 1,
        .line = w->jobs->jobs[job].line};
    return duet_builder_add_edge(w->builder, &edge, w->error);
}

// The data that a task has from another one, which have an edge from now on; NULL: none.
static duet_starpu_flow *take_flow(const walk *w, size_t from, size_t task)
{
    for (size_t i = w->flows == NULL ? 0 : w->flows->first[task];
         w->flows != NULL && i < w->flows->end[task]; i++) {
        if (w->flows->flow[i].from == from) {
            w->flows->flow[i].joined = true;
            return &w->flows->flow[i];
        }
    }
    return NULL;
}

// Data of tasks that DependsOn does not name, and those from main memory.
static duet_code add_other_flows(const walk *w, size_t job)
{
    size_t task = w->jobs->jobs[job].task;
    for (size_t i = w->flows->first[task]; i < w->flows->end[task]; i++) {
        const duet_starpu_flow *flow = &w->flows->flow[i];
        DUET_TRY(flow->joined ? DUET_OK : add_edge(w, flow->from, job, flow));
    }
    return DUET_OK;
}

static duet_code add_edges_of(walk *w, size_t job)
{
    const duet_starpu_jobs *jobs = w->jobs;
    duet_code code = DUET_OK;
    w->height = 0;
    push_after(w, job, job);
    while (w->height > 0 && code == DUET_OK) {
        uint32_t name = w->stack[--w->height];
        size_t other = jobs->job_of[name];
        if (jobs->twice[name]) {
            code = refuse_twice(w, job, name);
        } else if (other != DUET_STARPU_NONE && jobs->jobs[other].task == DUET_STARPU_NONE) {
            push_after(w, other, job);
        } else if (other != DUET_STARPU_NONE) {
            size_t from = jobs->jobs[other].task;
            code = add_edge(w, from, job, take_flow(w, from, jobs->jobs[job].task));
        }
    }
    return code == DUET_OK && w->flows != NULL ? add_other_flows(w, job) : code;
}

duet_code duet_starpu_add_edges(const duet_starpu_jobs *jobs, const int64_t *number,
                                duet_starpu_flows *flows, const char *file, duet_builder *builder,
                                duet_error *error)
{
    walk w = {.jobs = jobs,
              .number = number,
              .flows = flows,
              .file = file,
              .builder = builder,
              .error = error};
    if (jobs->after_count == 0 && flows == NULL) {
        return DUET_OK;
    }
    for (size_t job = 0; job < jobs->count; job++) {
        w.tasks += jobs->jobs[job].task != DUET_STARPU_NONE;
    }
    w.seen = duet_alloc(jobs->names.count, sizeof *w.seen, error);
    w.after = duet_alloc(jobs->names.count, sizeof *w.after, error);
    w.stack = duet_alloc(jobs->names.count, sizeof *w.stack, error);
    duet_code code = w.seen == NULL || w.after == NULL || w.stack == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t name = 0; name < jobs->names.count && code == DUET_OK; name++) {
        w.after[name] = (uint32_t)name;
    }
    for (size_t job = 0; job < jobs->count && code == DUET_OK; job++) {
        code = jobs->jobs[job].task == DUET_STARPU_NONE ? DUET_OK : add_edges_of(&w, job);
    }
    duet_free(w.seen);
    duet_free(w.after);
    duet_free(w.stack);
    return code;
}

size_t duet_starpu_unknown_jobs(const duet_starpu_jobs *jobs)
{
    size_t unknown = 0;
    for (size_t name = 0; name < jobs->names.count; name++) {
        unknown += jobs->job_of[name] == DUET_STARPU_NONE;
    }
    return unknown;
}

void duet_starpu_free_jobs(duet_starpu_jobs *jobs)
{
    duet_names_free(&jobs->names);
    duet_free(jobs->job_of);
    duet_free(jobs->twice);
    duet_free(jobs->jobs);
    duet_free(jobs->after);
}
