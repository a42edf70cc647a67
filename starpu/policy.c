// SPDX-License-Identifier: Apache-2.0
// The scheduling policy "duet": hooks around those of a base policy.
//
// What is submitted is noted down; a thread plans it once the application waits, or when enough has
// come. Until its plan is there, and for whatever is not in it, the base policy decides. A task of
// the plan goes to its worker's line (lines.c) when it is ready; when it has run, what it wrote is
// fetched to where it is needed next. Where more is submitted, or a run departs from the plan, what
// still waits is planned anew.
#include <duet/starpu.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starpu_scheduler.h>

#include "starpu/policy_state.h"
#include "starpu/tags.h"

static struct starpu_sched_policy policy;
static unsigned contexts;

static void lock(void)
{
    starpu_worker_relax_on();
    STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
    starpu_worker_relax_off();
}

static void unlock(void)
{
    STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
}

static bool is_planned_context(unsigned context)
{
    return duet_starpu.active && context == duet_starpu.context;
}

// --- submission ----------------------------------------------------------------------------------

// Whether a task is StarPU's own that takes data to pieces or puts them together.
static bool is_partition(const struct starpu_task *task)
{
    return task->cl != NULL && task->cl->where == STARPU_NOWHERE && task->cl->name != NULL &&
           strcmp(task->cl->name, "data_partition_switch") == 0;
}

static void submit_hook(struct starpu_task *task)
{
    if (duet_starpu.base->submit_hook != NULL) {
        duet_starpu.base->submit_hook(task);
    }
    if (!is_planned_context(task->sched_ctx)) {
        return;
    }
    if (!duet_starpu_is_ours(task)) {
        if (is_partition(task)) {
            lock();
            duet_starpu.partitioned = true;
            unlock();
        }
        return;
    }
    lock();
    // Indices stay while a plan is made or in force; between them what is done goes.
    duet_starpu_jobs *jobs = &duet_starpu.jobs;
    if (jobs->unfinished == 0 && jobs->count > 0 && !duet_starpu.planner.busy) {
        duet_starpu_lines_clear();
        duet_starpu.fetches = 0;
        duet_starpu.earlies = 0;
        duet_starpu.planner.broken = !duet_starpu_jobs_compact(jobs) || duet_starpu.planner.broken;
    }
    if (!duet_starpu.planner.broken && !duet_starpu_jobs_add(jobs, task)) {
        fprintf(stderr, "duet: out of memory: from now on the policy '%s' decides\n",
                duet_starpu.settings.base);
        duet_starpu.planner.broken = true;
    }
    long enough = (long)jobs->unfinished / 2;
    enough = enough > duet_starpu.settings.batch ? enough : duet_starpu.settings.batch;
    // A plan of what comes while it is made is soon of no use: so it is only made where the
    // application goes on submitting for as long as that takes.
    double now = starpu_timing_now();
    duet_starpu.first_unplanned = duet_starpu.unplanned == 0 ? now : duet_starpu.first_unplanned;
    if (++duet_starpu.unplanned >= enough && !duet_starpu.planner.busy &&
        now - duet_starpu.first_unplanned >= duet_starpu.settings.seconds * 1e6) {
        duet_starpu_want_plan();
    }
    unlock();
}

static void do_schedule(unsigned context)
{
    if (duet_starpu.base->do_schedule != NULL) {
        duet_starpu.base->do_schedule(context);
    }
    if (is_planned_context(context)) {
        lock();
        if (duet_starpu.unplanned > 0) {
            duet_starpu_want_plan();
        }
        unlock();
    }
}

// --- tasks that are ready ------------------------------------------------------------------------

// The worker of a task by the plan; negative: it has none.
static int planned_worker(struct starpu_task *task, unsigned *implementation)
{
    const duet_starpu_job *job = duet_starpu_jobs_find(&duet_starpu.jobs, task);
    return job != NULL && job->rank > 0 && !duet_starpu.planner.broken &&
                   starpu_worker_can_execute_task_first_impl((unsigned)job->worker, task,
                                                             implementation)
               ? job->worker
               : -1;
}

// Asks for what a task reads where it is to run. This is done before it is in a line: from there it
// may end, and its pointer with it. The plan may change meanwhile.
static void prefetch_input(struct starpu_task *task)
{
    unsigned implementation;
    lock();
    int worker = planned_worker(task, &implementation);
    const duet_starpu_job *job = duet_starpu_jobs_find(&duet_starpu.jobs, task);
    int priority = worker < 0 ? 0 : -job->rank;
    unlock();
    if (worker >= 0) {
        starpu_idle_prefetch_task_input_for_prio(task, (unsigned)worker, priority);
    }
}

// Puts a task into the line of its worker, if it is planned.
static bool take_over(struct starpu_task *task, int *worker)
{
    unsigned implementation;
    lock();
    *worker = planned_worker(task, &implementation);
    duet_starpu_job *job = duet_starpu_jobs_find(&duet_starpu.jobs, task);
    if (*worker >= 0) {
        starpu_task_set_implementation(task, implementation);
        starpu_push_task_end(task);
        job->state = DUET_STARPU_IS_READY;
    } else if (job != NULL) {
        job->state = DUET_STARPU_IS_BASES;
    }
    unlock();
    return *worker >= 0;
}

static int push_task(struct starpu_task *task)
{
    int worker;
    if (!is_planned_context(task->sched_ctx)) {
        return duet_starpu.base->push_task(task);
    }
    if (duet_starpu.settings.prefetch) {
        prefetch_input(task);
    }
    if (!take_over(task, &worker)) {
        return duet_starpu.base->push_task(task);
    }
    starpu_wake_worker_relax_light(worker);
    return 0;
}

static struct starpu_task *pop_task(unsigned context)
{
    struct starpu_task *task = NULL;
    int worker = starpu_worker_get_id();
    if (is_planned_context(context) && worker >= 0) {
        lock();
        task = duet_starpu_lines_take(worker);
        if (task != NULL) {
            duet_starpu.figures.popped[worker] = starpu_timing_now();
        }
        unlock();
    }
    if (task == NULL && duet_starpu.base->pop_task != NULL) {
        task = duet_starpu.base->pop_task(context);
    }
    return task;
}

static void push_task_notify(struct starpu_task *task, int worker, int perf_worker,
                             unsigned context)
{
    if (duet_starpu.base->push_task_notify != NULL) {
        duet_starpu.base->push_task_notify(task, worker, perf_worker, context);
    }
}

// --- tasks that run ------------------------------------------------------------------------------

static bool is_bases(const duet_starpu_job *job)
{
    return job == NULL || job->rank == 0 || job->state != DUET_STARPU_RUNS;
}

static void pre_exec_hook(struct starpu_task *task, unsigned context)
{
    bool bases = true;
    int worker = starpu_worker_get_id();
    if (is_planned_context(context) && worker >= 0) {
        lock();
        duet_starpu_job *job = duet_starpu_jobs_find(&duet_starpu.jobs, task);
        bases = is_bases(job);
        if (job != NULL) {
            job->worker = worker;
            job->began = starpu_timing_now();
        }
        duet_starpu_note_begin(worker);
        unlock();
    }
    if (bases && duet_starpu.base->pre_exec_hook != NULL) {
        duet_starpu.base->pre_exec_hook(task, context);
    }
}

// Whether the run is so far from its plan that what waits is planned anew.
static bool departs(const duet_starpu_job *job)
{
    double late = fabs(starpu_timing_now() - job->planned_end);
    long enough = (long)duet_starpu.jobs.unfinished / 4 + 8;
    return late > duet_starpu.settings.depart * duet_starpu.rest && duet_starpu.since > enough &&
           duet_starpu.jobs.unfinished > 8;
}

enum { MOST_FETCHES = 32 };

// Notes the end of one of ours; the mutex is held. Returns what is to be fetched.
static size_t end_job(duet_starpu_job *job, duet_starpu_fetch *fetch)
{
    size_t count = 0;
    if (job->rank > 0 && job->state == DUET_STARPU_RUNS) {
        duet_starpu.running--;
        duet_starpu.since++;
        size_t index = (size_t)(job - duet_starpu.jobs.job);
        count =
            duet_starpu.partitioned ? 0 : duet_starpu_fetches_behind(index, fetch, MOST_FETCHES);
        if (departs(job) && !duet_starpu.planner.busy) {
            duet_starpu_want_plan();
        }
    }
    duet_starpu.figures.untimed += !job->timed;
    duet_starpu_jobs_done(&duet_starpu.jobs, job);
    if (duet_starpu_is_fetch_due()) {
        STARPU_PTHREAD_COND_SIGNAL(&duet_starpu.planner.wanted);
    }
    if (duet_starpu.jobs.unfinished == 0) {
        duet_starpu_note_span_over();
    }
    return count;
}

static void post_exec_hook(struct starpu_task *task, unsigned context)
{
    bool bases = true;
    bool idle = false;
    size_t count = 0;
    duet_starpu_fetch fetch[MOST_FETCHES];
    int worker = starpu_worker_get_id();
    if (is_planned_context(context) && worker >= 0) {
        lock();
        duet_starpu_job *job = duet_starpu_jobs_find(&duet_starpu.jobs, task);
        bases = is_bases(job);
        duet_starpu_note_end(worker);
        count = job == NULL ? 0 : end_job(job, fetch);
        idle = duet_starpu.running == 0 && duet_starpu.strict;
        unlock();
        if (task->use_tag) {
            duet_starpu_tags_done(task->tag_id);
        }
    }
    if (bases && duet_starpu.base->post_exec_hook != NULL) {
        duet_starpu.base->post_exec_hook(task, context);
    }
    for (size_t i = 0; i < count; i++) {
        starpu_data_idle_prefetch_on_node_prio(fetch[i].handle, fetch[i].node, 1,
                                               fetch[i].priority);
    }
    if (idle) {
        duet_starpu_wake_all();
    }
}

// --- beginning and end ---------------------------------------------------------------------------

// Why nothing is planned; NULL: it is.
static const char *reason_to_leave(void)
{
    if (dlsym(RTLD_DEFAULT, "starpu_mpi_world_rank") != NULL) {
        return "with StarPU-MPI tasks wait for messages, which no plan knows of";
    }
    return contexts > 1 ? "of several contexts the first one is planned" : NULL;
}

static void begin_planning(unsigned context)
{
    struct starpu_sched_policy *base = duet_starpu.base;
    duet_starpu_settings settings = duet_starpu.settings;
    duet_starpu = (duet_starpu_state_all){.base = base, .settings = settings, .context = context};
    duet_starpu.figures.began = -1;
    STARPU_PTHREAD_MUTEX_INIT(&duet_starpu.mutex, NULL);
    STARPU_PTHREAD_COND_INIT(&duet_starpu.planner.wanted, NULL);
    duet_starpu.cancel = duet_cancel_create();
    duet_starpu.active = true;
}

static void init_sched(unsigned context)
{
    contexts++;
    const char *reason = reason_to_leave();
    if (reason != NULL) {
        fprintf(stderr, "duet: %s: the policy '%s' decides\n", reason,
                duet_starpu.base->policy_name);
    } else {
        begin_planning(context);
    }
    duet_starpu.base->init_sched(context);
}

// The workers are known once they are added.
static void add_workers(unsigned context, int *workers, unsigned count)
{
    if (duet_starpu.base->add_workers != NULL) {
        duet_starpu.base->add_workers(context, workers, count);
    }
    if (is_planned_context(context) && duet_starpu.planner.life == DUET_PLANNER_ABSENT) {
        duet_starpu_jobs_begin(&duet_starpu.jobs);
        duet_starpu.planner.life = DUET_PLANNER_RUNS;
        STARPU_PTHREAD_CREATE(&duet_starpu.planner.thread, NULL, duet_starpu_planner, NULL);
    }
}

static void end_planning(void)
{
    if (duet_starpu.planner.life != DUET_PLANNER_ABSENT) {
        duet_cancel_request(duet_starpu.cancel);
        STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
        duet_starpu.planner.life = DUET_PLANNER_ENDS;
        STARPU_PTHREAD_COND_SIGNAL(&duet_starpu.planner.wanted);
        STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
        STARPU_PTHREAD_JOIN(duet_starpu.planner.thread, NULL);
    }
    duet_starpu_note_span_over();
    duet_starpu_summary();
    duet_starpu.active = false;
    duet_starpu.planner.life = DUET_PLANNER_ABSENT;
    duet_cancel_free(duet_starpu.cancel);
    duet_starpu_jobs_free(&duet_starpu.jobs);
    duet_starpu_lines_free();
    duet_starpu_fetches_free();
    duet_starpu_tags_free();
    STARPU_PTHREAD_MUTEX_DESTROY(&duet_starpu.mutex);
    STARPU_PTHREAD_COND_DESTROY(&duet_starpu.planner.wanted);
}

static void deinit_sched(unsigned context)
{
    contexts--;
    if (is_planned_context(context)) {
        end_planning();
    }
    if (duet_starpu.base->deinit_sched != NULL) {
        duet_starpu.base->deinit_sched(context);
    }
}

static struct starpu_sched_policy *find_base(const char *name)
{
    struct starpu_sched_policy **all = starpu_sched_get_predefined_policies();
    struct starpu_sched_policy *first = *all;
    for (; *all != NULL; all++) {
        if ((*all)->policy_name != NULL && strcmp((*all)->policy_name, name) == 0) {
            return *all;
        }
        if ((*all)->policy_name != NULL && strcmp((*all)->policy_name, "dmdas") == 0) {
            first = *all;
        }
    }
    fprintf(stderr, "duet: DUET_BASE=%s: StarPU has no such policy, so it is %s\n", name,
            first->policy_name);
    return first;
}

struct starpu_sched_policy *duet_starpu_policy(void)
{
    if (contexts == 0) {
        duet_starpu.settings = duet_starpu_read_settings();
        duet_starpu.base = find_base(duet_starpu.settings.base);
        duet_starpu.settings.base = duet_starpu.base->policy_name;
        policy = *duet_starpu.base;
        policy.policy_name = "duet";
        policy.policy_description = "plans with libduet what is submitted";
        policy.init_sched = init_sched;
        policy.deinit_sched = deinit_sched;
        policy.add_workers = add_workers;
        policy.submit_hook = submit_hook;
        policy.do_schedule = do_schedule;
        policy.push_task = push_task;
        policy.push_task_notify = push_task_notify;
        policy.pop_task = pop_task;
        policy.pre_exec_hook = pre_exec_hook;
        policy.post_exec_hook = post_exec_hook;
    }
    return &policy;
}

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    return strcmp(name, "duet") == 0 ? duet_starpu_policy() : NULL;
}

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
    static struct starpu_sched_policy *list[2];
    list[0] = duet_starpu_policy();
    return list;
}
