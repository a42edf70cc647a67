// SPDX-License-Identifier: Apache-2.0
// What each worker runs next. By default it waits for the task that is next in the plan, but only
// while a task of ours runs somewhere: so whatever the plan did not know of, something goes on.
#include <stdlib.h>

#include "starpu/policy_state.h"

static duet_starpu_job *job_at(const duet_starpu_line *line, size_t at)
{
    return &duet_starpu.jobs.job[line->job[at]];
}

static struct starpu_task *begin(duet_starpu_job *job)
{
    job->state = DUET_STARPU_RUNS;
    duet_starpu.running++;
    return job->task;
}

struct starpu_task *duet_starpu_lines_take(int worker)
{
    duet_starpu_line *line = &duet_starpu.line[worker];
    while (line->next < line->count && job_at(line, line->next)->state >= DUET_STARPU_IS_BASES) {
        line->next++;
    }
    bool waits = duet_starpu.strict && duet_starpu.running > 0;
    for (size_t i = line->next; i < line->count; i++) {
        duet_starpu_job *job = job_at(line, i);
        bool held = line->job[i] + 1 == duet_starpu.held;
        if (job->state == DUET_STARPU_IS_READY && !held) {
            return begin(job);
        }
        if (waits && (held || job->state == DUET_STARPU_WAITS)) {
            return NULL;
        }
    }
    return NULL;
}

void duet_starpu_lines_clear(void)
{
    for (size_t i = 0; i < STARPU_NMAXWORKERS; i++) {
        duet_starpu.line[i].count = 0;
        duet_starpu.line[i].next = 0;
    }
}

void duet_starpu_lines_free(void)
{
    for (size_t i = 0; i < STARPU_NMAXWORKERS; i++) {
        free(duet_starpu.line[i].job);
        duet_starpu.line[i] = (duet_starpu_line){.job = NULL};
    }
}
