// SPDX-License-Identifier: Apache-2.0
#include "starpu/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <starpu_scheduler.h>

bool duet_starpu_grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    void *old;
    memcpy(&old, array, sizeof old);
    size_t wanted = *room == 0 ? 64 : *room * 2;
    void *grown = realloc(old, wanted * size);
    if (grown == NULL) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

// --- workers -------------------------------------------------------------------------------------

void duet_starpu_jobs_begin(duet_starpu_jobs *jobs)
{
    *jobs = (duet_starpu_jobs){.archs = 0};
    int workers = (int)starpu_worker_get_count();
    for (int w = 0; w < workers; w++) {
        enum starpu_worker_archtype type = starpu_worker_get_type(w);
        int device = type == STARPU_CPU_WORKER ? 0 : starpu_worker_get_devid(w);
        size_t a = 0;
        while (a < jobs->archs && (jobs->arch[a].type != type || jobs->arch[a].device != device)) {
            a++;
        }
        if (a == jobs->archs && a < DUET_STARPU_MOST_ARCHS) {
            jobs->arch[jobs->archs++] = (duet_starpu_arch){type, device, w};
        }
        jobs->arch_of[w] = a < DUET_STARPU_MOST_ARCHS ? (int)a : -1;
    }
}

static void free_times(duet_starpu_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        free(jobs->job[i].time);
    }
}

void duet_starpu_jobs_free(duet_starpu_jobs *jobs)
{
    free_times(jobs);
    free(jobs->job);
    free(jobs->access);
    free(jobs->slot);
    *jobs = (duet_starpu_jobs){.archs = 0};
}

// --- by task -------------------------------------------------------------------------------------

static size_t hash(const struct starpu_task *task, size_t slots)
{
    uint64_t bits = (uint64_t)(uintptr_t)task * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(bits >> 20) & (slots - 1);
}

static void insert(duet_starpu_jobs *jobs, size_t index)
{
    size_t at = hash(jobs->job[index].task, jobs->slots);
    while (jobs->slot[at] != 0) {
        at = (at + 1) & (jobs->slots - 1);
    }
    jobs->slot[at] = index + 1;
}

// A table that is at most half full, of all that is not done.
static bool rebuild(duet_starpu_jobs *jobs)
{
    size_t slots = 256;
    while (slots < 4 * (jobs->count + 1)) {
        slots *= 2;
    }
    size_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    free(jobs->slot);
    jobs->slot = slot;
    jobs->slots = slots;
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->job[i].state != DUET_STARPU_IS_DONE) {
            insert(jobs, i);
        }
    }
    return true;
}

duet_starpu_job *duet_starpu_jobs_find(const duet_starpu_jobs *jobs, const struct starpu_task *task)
{
    if (jobs->slots == 0) {
        return NULL;
    }
    for (size_t at = hash(task, jobs->slots); jobs->slot[at] != 0;
         at = (at + 1) & (jobs->slots - 1)) {
        duet_starpu_job *job = &jobs->job[jobs->slot[at] - 1];
        if (job->task == task && job->state != DUET_STARPU_IS_DONE) {
            return job;
        }
    }
    return NULL;
}

// --- times ---------------------------------------------------------------------------------------

static double ask(struct starpu_task *task, int worker)
{
    unsigned implementation;
    if (!starpu_worker_can_execute_task_first_impl((unsigned)worker, task, &implementation)) {
        return -1;
    }
    double us = starpu_task_expected_length(
        task, starpu_worker_get_perf_archtype(worker, task->sched_ctx), implementation);
    return isfinite(us) && us > 0 ? us : 0;
}

void duet_starpu_jobs_time(const duet_starpu_jobs *jobs, duet_starpu_job *job)
{
    bool somewhere = false;
    job->timed = true;
    for (size_t a = 0; a < jobs->archs; a++) {
        if (job->time[a] == 0) {
            job->time[a] = ask(job->task, jobs->arch[a].first);
        }
        job->timed = job->timed && job->time[a] != 0;
        somewhere = somewhere || job->time[a] > 0;
    }
    job->timed = job->timed && somewhere;
}

// --- jobs ----------------------------------------------------------------------------------------

bool duet_starpu_is_ours(const struct starpu_task *task)
{
    const struct starpu_codelet *codelet = task->cl;
    return codelet != NULL && codelet->where != STARPU_NOWHERE && task->where != STARPU_NOWHERE &&
           codelet->type == STARPU_SEQ && codelet->model != NULL &&
           !task->execute_on_a_specific_worker && !task->regenerate &&
           // A copy of StarPU's own, whose end no policy is told.
           (codelet->model->symbol == NULL ||
            strcmp(codelet->model->symbol, "starpu_data_cpy") != 0);
}

static bool take_accesses(duet_starpu_jobs *jobs, duet_starpu_job *job)
{
    unsigned buffers = STARPU_TASK_GET_NBUFFERS(job->task);
    job->first_access = jobs->access_count;
    for (unsigned i = 0; i < buffers; i++) {
        starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(job->task, i);
        enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(job->task, i);
        if (!duet_starpu_grow(&jobs->access, jobs->access_count, &jobs->access_room,
                              sizeof *jobs->access)) {
            return false;
        }
        jobs->access[jobs->access_count++] =
            (duet_starpu_access){handle, starpu_data_get_size(handle), (mode & STARPU_R) != 0,
                                 (mode & (STARPU_W | STARPU_REDUX)) != 0};
    }
    job->accesses = buffers;
    return true;
}

bool duet_starpu_jobs_add(duet_starpu_jobs *jobs, struct starpu_task *task)
{
    duet_starpu_job job = {.task = task, .worker = -1};
    if (!duet_starpu_grow(&jobs->job, jobs->count, &jobs->room, sizeof *jobs->job) ||
        (4 * (jobs->count + 1) > jobs->slots && !rebuild(jobs)) || !take_accesses(jobs, &job)) {
        return false;
    }
    job.time = calloc(jobs->archs, sizeof *job.time);
    if (job.time == NULL) {
        return false;
    }
    duet_starpu_jobs_time(jobs, &job);
    jobs->job[jobs->count] = job;
    insert(jobs, jobs->count++);
    jobs->unfinished++;
    return true;
}

void duet_starpu_jobs_done(duet_starpu_jobs *jobs, duet_starpu_job *job)
{
    job->state = DUET_STARPU_IS_DONE;
    jobs->unfinished--;
}

bool duet_starpu_jobs_compact(duet_starpu_jobs *jobs)
{
    size_t kept = 0;
    size_t accesses = 0;
    for (size_t i = 0; i < jobs->count; i++) {
        duet_starpu_job *job = &jobs->job[i];
        if (job->state == DUET_STARPU_IS_DONE) {
            free(job->time);
            continue;
        }
        memmove(&jobs->access[accesses], &jobs->access[job->first_access],
                job->accesses * sizeof *jobs->access);
        job->first_access = accesses;
        accesses += job->accesses;
        jobs->job[kept++] = *job;
    }
    jobs->count = kept;
    jobs->access_count = accesses;
    if (!rebuild(jobs)) {
        jobs->slots = 0; // nothing is found any more
        return false;
    }
    return true;
}
