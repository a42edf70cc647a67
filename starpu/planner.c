// SPDX-License-Identifier: Apache-2.0
// The thread that plans while tasks run, and how its plan becomes the one that counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starpu_scheduler.h>

#include "starpu/plan.h"
#include "starpu/policy_state.h"

void duet_starpu_want_plan(void)
{
    if (!duet_starpu.planner.broken && duet_starpu.planner.life != DUET_PLANNER_ABSENT) {
        duet_starpu.planner.asked = true;
        STARPU_PTHREAD_COND_SIGNAL(&duet_starpu.planner.wanted);
    }
}

// --- a plan begins to count ----------------------------------------------------------------------

static bool place_job(const duet_starpu_place *place, size_t index, double now, int32_t rank)
{
    duet_starpu_line *line = &duet_starpu.line[place->worker];
    duet_starpu_job *job = &duet_starpu.jobs.job[index];
    if (job->state >= DUET_STARPU_IS_BASES) {
        return true; // it began meanwhile
    }
    if (!duet_starpu_grow(&line->job, line->count, &line->room, sizeof *line->job)) {
        return false;
    }
    duet_starpu.figures.planned += job->rank == 0;
    job->rank = rank;
    job->worker = place->worker;
    job->planned_start = now + place->start;
    job->planned_end = now + place->end;
    line->job[line->count++] = index;
    return true;
}

// The mutex is held. False: no memory, and nothing is planned any more.
static bool install(const duet_starpu_snapshot *s, const duet_starpu_plan *plan)
{
    int *worker_of = calloc(s->tasks + 1, sizeof *worker_of);
    if (worker_of == NULL) {
        return false;
    }
    double now = starpu_timing_now();
    bool fine = true;
    duet_starpu_lines_clear();
    for (size_t i = 0; i < s->tasks; i++) {
        const duet_starpu_place *place = &plan->place[i];
        worker_of[place->task] = place->worker;
        fine = fine && place_job(place, s->job[place->task], now, (int32_t)i + 1);
    }
    duet_starpu.strict = duet_starpu.settings.strict && !s->unordered;
    duet_starpu.rest = plan->makespan;
    fine = fine && duet_starpu_plan_fetches(s, worker_of);
    free(worker_of);
    duet_starpu.since = 0;
    duet_starpu.figures.plans++;
    if (plan->bound > duet_starpu.figures.bound) {
        duet_starpu.figures.bound = plan->bound;
    }
    return fine;
}

// --- the thread ----------------------------------------------------------------------------------

void duet_starpu_wake_all(void)
{
    for (int w = 0; w < (int)starpu_worker_get_count(); w++) {
        starpu_wake_worker_relax_light(w);
    }
}

static void give_up(const char *why)
{
    fprintf(stderr, "duet: %s: from now on the policy '%s' decides\n", why,
            duet_starpu.settings.base);
    duet_starpu.planner.broken = true;
    duet_starpu.strict = false;
    duet_starpu_lines_clear();
}

// What was ready by a plan that counts no more goes to the base policy. The mutex is held before
// and after.
static void hand_back(void)
{
    for (size_t i = 0; i < duet_starpu.jobs.count; i++) {
        duet_starpu_job *job = &duet_starpu.jobs.job[i];
        if (job->state == DUET_STARPU_IS_READY) {
            struct starpu_task *task = job->task;
            job->state = DUET_STARPU_IS_BASES;
            STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
            duet_starpu.base->push_task(task);
            STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
        }
    }
}

static void tell(const duet_starpu_snapshot *s, const duet_starpu_plan *plan)
{
    if ((duet_starpu.settings.says & DUET_STARPU_SAYS_REFUSALS) && plan->left_out[0] != '\0') {
        fprintf(stderr, "duet: DUET_ALGORITHMS: left out: %s\n", plan->left_out);
        duet_starpu.settings.says &= ~(unsigned)DUET_STARPU_SAYS_REFUSALS; // it is said once
    }
    if (duet_starpu.settings.says & DUET_STARPU_SAYS_PLANS) {
        fprintf(stderr,
                "duet: plan of %zu tasks, %zu dependencies, %zu types: %.3f ms by %s%s, at least "
                "%.3f ms, planned in %.3f s\n",
                s->tasks, s->edges, s->types, plan->makespan / 1000, plan->algorithm,
                plan->relocated ? ", relocated" : "", plan->bound / 1000, plan->seconds);
    }
}

// Takes a snapshot, plans without the mutex, and puts the plan in force. The mutex is held before
// and after.
static void plan_once(void)
{
    duet_starpu_snapshot snapshot = {.tasks = 0};
    duet_starpu_plan plan = {.place = NULL};
    duet_error error = DUET_ERROR_INIT;
    duet_starpu.planner.asked = false;
    duet_starpu.unplanned = 0;
    // Lines and fetches have indices: they are made anew with every plan, or go with this one.
    bool taken = duet_starpu_snapshot_take(&snapshot, &duet_starpu.jobs);
    if (!taken) {
        give_up("out of memory");
    }
    if (taken && snapshot.tasks > 1) {
        duet_starpu.planner.busy = true;
        STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
        duet_code code = duet_starpu_make_plan(&snapshot, &duet_starpu.settings, duet_starpu.cancel,
                                               &plan, &error);
        STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
        duet_starpu.planner.busy = false;
        if (code == DUET_OK && !install(&snapshot, &plan)) {
            give_up("out of memory");
        } else if (code == DUET_OK) {
            tell(&snapshot, &plan);
        } else if (code != DUET_E_CANCELLED) {
            give_up(error.message);
        }
    }
    duet_starpu_plan_free(&plan);
    duet_starpu_snapshot_free(&snapshot);
}

void *duet_starpu_planner(void *unused)
{
    (void)unused;
    STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
    while (duet_starpu.planner.life != DUET_PLANNER_ENDS) {
        duet_starpu_fetch_early();
        if (!duet_starpu.planner.asked) {
            STARPU_PTHREAD_COND_WAIT(&duet_starpu.planner.wanted, &duet_starpu.mutex);
            continue;
        }
        plan_once();
        if (duet_starpu.planner.broken) {
            hand_back();
        }
        STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
        duet_starpu_wake_all();
        STARPU_PTHREAD_MUTEX_LOCK(&duet_starpu.mutex);
    }
    STARPU_PTHREAD_MUTEX_UNLOCK(&duet_starpu.mutex);
    return NULL;
}
