// SPDX-License-Identifier: Apache-2.0
#include "starpu/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "starpu/tags.h"

// Devices of one kind whose times differ by no more than this part are one type of workers.
static const double NEARLY_EQUAL = 0.15;

enum { MOST_SUCCESSORS = 4096, MOST_DEPTH = 32 };

void duet_starpu_snapshot_free(duet_starpu_snapshot *snapshot)
{
    free(snapshot->job);
    free(snapshot->task);
    free(snapshot->time);
    free(snapshot->release);
    free(snapshot->access_at);
    free(snapshot->access);
    free(snapshot->edge);
    free(snapshot->worker);
    *snapshot = (duet_starpu_snapshot){.tasks = 0};
}

// --- dependencies --------------------------------------------------------------------------------

typedef struct tagged {
    starpu_tag_t tag;
    int32_t task; // in the snapshot
} tagged;

typedef struct walk {
    duet_starpu_snapshot *snapshot;
    const duet_starpu_jobs *jobs;
    int32_t *index; // of a job in the snapshot, or -1
    int32_t from;   // -1: it has begun
    double end;     // us until it ends, if it has begun
    tagged *tagged; // by their tags
    size_t tags;
} walk;

static void add_edge(duet_starpu_snapshot *s, int32_t from, int32_t to)
{
    if (from == to) {
        return;
    }
    if (!duet_starpu_grow(&s->edge, s->edges, &s->edge_room, sizeof *s->edge)) {
        s->failed = true;
        return;
    }
    s->edge[s->edges++] = (duet_starpu_edge){from, to, 0};
}

// What waits for a task, through tasks of StarPU's own.
static void follow(walk *w, struct starpu_task *task, int depth)
{
    struct starpu_task *few[64];
    struct starpu_task **found = few;
    int count = starpu_task_get_task_succs(task, 64, few);
    if (count >= 64) {
        found = calloc(MOST_SUCCESSORS, sizeof(struct starpu_task *));
        if (found == NULL) {
            w->snapshot->failed = true;
            return;
        }
        count = starpu_task_get_task_succs(task, MOST_SUCCESSORS, found);
    }
    for (int i = 0; i < count; i++) {
        const duet_starpu_job *job = duet_starpu_jobs_find(w->jobs, found[i]);
        int32_t to = job == NULL ? -1 : w->index[job - w->jobs->job];
        if (to >= 0 && w->from < 0) {
            w->snapshot->release[to] = fmax(w->snapshot->release[to], w->end);
        } else if (to >= 0) {
            add_edge(w->snapshot, w->from, to);
        } else if (job == NULL && depth < MOST_DEPTH) {
            follow(w, found[i], depth + 1);
        }
    }
    if (found != few) {
        free(found);
    }
}

static int compare_tags(const void *x, const void *y)
{
    const tagged *a = x;
    const tagged *b = y;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int32_t task_of(const walk *w, starpu_tag_t tag)
{
    const tagged key = {.tag = tag};
    const tagged *found = bsearch(&key, w->tagged, w->tags, sizeof key, compare_tags);
    return found == NULL ? -1 : found->task;
}

static void take_tag(void *user, duet_starpu_tag_edge edge)
{
    walk *w = user;
    int32_t from = task_of(w, edge.before);
    int32_t to = task_of(w, edge.after);
    if (from >= 0 && to >= 0) {
        add_edge(w->snapshot, from, to);
    }
}

// Tags of tasks that wait. StarPU is not asked whose a tag is: it knows tasks that are no more.
static void take_tags(walk *w)
{
    duet_starpu_snapshot *s = w->snapshot;
    w->tagged = calloc(s->tasks + 1, sizeof *w->tagged);
    if (w->tagged == NULL) {
        s->failed = true;
        return;
    }
    for (size_t i = 0; i < s->tasks; i++) {
        if (s->task[i]->use_tag) {
            w->tagged[w->tags++] = (tagged){s->task[i]->tag_id, (int32_t)i};
        }
    }
    qsort(w->tagged, w->tags, sizeof *w->tagged, compare_tags);
    duet_starpu_tags_visit(take_tag, w);
    free(w->tagged);
}

static int compare_edges(const void *x, const void *y)
{
    const duet_starpu_edge *a = x;
    const duet_starpu_edge *b = y;
    int by_from = (a->from > b->from) - (a->from < b->from);
    return by_from != 0 ? by_from : (a->to > b->to) - (a->to < b->to);
}

static size_t carried(const duet_starpu_snapshot *s, int32_t from, int32_t to)
{
    size_t size = 0;
    for (size_t i = s->access_at[from]; i < s->access_at[from + 1]; i++) {
        for (size_t k = s->access_at[to]; s->access[i].writes && k < s->access_at[to + 1]; k++) {
            bool same = s->access[i].handle == s->access[k].handle && s->access[k].reads;
            size += same ? s->access[i].size : 0;
        }
    }
    return size;
}

static void sort_edges(duet_starpu_snapshot *s)
{
    size_t kept = 0;
    if (s->edges > 0) {
        qsort(s->edge, s->edges, sizeof *s->edge, compare_edges);
    }
    for (size_t i = 0; i < s->edges; i++) {
        if (i == 0 || compare_edges(&s->edge[i], &s->edge[kept - 1]) != 0) {
            s->edge[kept] = s->edge[i];
            s->edge[kept].size = carried(s, s->edge[i].from, s->edge[i].to);
            kept++;
        }
    }
    s->edges = kept;
}

// --- workers -------------------------------------------------------------------------------------

static bool nearly_equal(const duet_starpu_snapshot *s, const duet_starpu_jobs *jobs, size_t a,
                         size_t b)
{
    if (jobs->arch[a].type != jobs->arch[b].type) {
        return false;
    }
    for (size_t i = 0; i < s->tasks; i++) {
        double x = s->time[i * jobs->archs + a];
        double y = s->time[i * jobs->archs + b];
        if ((x < 0) != (y < 0) || fabs(x - y) > NEARLY_EQUAL * fmax(x, y)) {
            return false;
        }
    }
    return true;
}

// Types, each of workers that take nearly as long; CPUs are first, as StarPU numbers them.
static bool make_types(duet_starpu_snapshot *s, const duet_starpu_jobs *jobs)
{
    size_t leader[DUET_STARPU_MOST_ARCHS];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t a = 0; a < jobs->archs; a++) {
            size_t t = 0;
            if ((jobs->arch[a].type == STARPU_CPU_WORKER) != (pass == 0)) {
                continue;
            }
            while (t < s->types && !nearly_equal(s, jobs, leader[t], a)) {
                t++;
            }
            if (t == s->types) {
                leader[s->types++] = a;
            }
            s->type_of[a] = (int)t;
        }
    }
    int workers = (int)starpu_worker_get_count();
    s->worker = calloc((size_t)workers + 1, sizeof *s->worker);
    if (s->worker == NULL) {
        return false;
    }
    size_t at = 0;
    for (size_t t = 0; t < s->types; t++) {
        s->worker_at[t] = at;
        for (int w = 0; w < workers; w++) {
            if (jobs->arch_of[w] >= 0 && s->type_of[jobs->arch_of[w]] == (int)t) {
                s->worker[at++] = w;
            }
        }
    }
    s->worker_at[s->types] = at;
    return true;
}

// A time of a type is the mean of its devices'.
static bool merge_times(duet_starpu_snapshot *s, const duet_starpu_jobs *jobs)
{
    double *merged = calloc(s->tasks * s->types + 1, sizeof *merged);
    if (merged == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->tasks; i++) {
        for (size_t t = 0; t < s->types; t++) {
            double sum = 0;
            int devices = 0;
            for (size_t a = 0; a < jobs->archs; a++) {
                if (s->type_of[a] == (int)t) {
                    sum += s->time[i * jobs->archs + a];
                    devices++;
                }
            }
            merged[i * s->types + t] = sum / devices;
        }
    }
    free(s->time);
    s->time = merged;
    return true;
}

// --- taking it -----------------------------------------------------------------------------------

static bool has_begun(const duet_starpu_job *job)
{
    return job->state == DUET_STARPU_RUNS || (job->state == DUET_STARPU_IS_BASES && job->began > 0);
}

static bool is_taken(const duet_starpu_job *job)
{
    return job->timed && job->state != DUET_STARPU_IS_DONE && !has_begun(job);
}

static bool make_room(duet_starpu_snapshot *s, const duet_starpu_jobs *jobs)
{
    size_t most = jobs->count + 1;
    s->job = calloc(most, sizeof *s->job);
    s->task = calloc(most, sizeof(struct starpu_task *));
    s->time = calloc(most * jobs->archs + 1, sizeof *s->time);
    s->release = calloc(most, sizeof *s->release);
    s->access_at = calloc(most + 1, sizeof *s->access_at);
    s->access = calloc(jobs->access_count + 1, sizeof *s->access);
    return s->job != NULL && s->task != NULL && s->time != NULL && s->release != NULL &&
           s->access_at != NULL && s->access != NULL;
}

static void take_job(duet_starpu_snapshot *s, const duet_starpu_jobs *jobs, size_t index)
{
    const duet_starpu_job *job = &jobs->job[index];
    size_t at = s->access_at[s->tasks];
    s->job[s->tasks] = index;
    s->task[s->tasks] = job->task;
    memcpy(&s->time[s->tasks * jobs->archs], job->time, jobs->archs * sizeof *job->time);
    memcpy(&s->access[at], &jobs->access[job->first_access], job->accesses * sizeof *s->access);
    for (unsigned i = 0; i < job->accesses; i++) {
        unsigned mode = (unsigned)STARPU_TASK_GET_MODE(job->task, i);
        s->unordered = s->unordered || (mode & (STARPU_COMMUTE | STARPU_REDUX)) != 0;
    }
    s->access_at[++s->tasks] = at + job->accesses;
}

// What has begun keeps its worker busy, and others wait for it, as long as the models say. What a
// worker has taken beforehand runs after the one that it has begun.
static void take_begun(walk *w, bool beforehand)
{
    double now = starpu_timing_now();
    for (size_t i = 0; i < w->jobs->count; i++) {
        const duet_starpu_job *job = &w->jobs->job[i];
        int arch = job->worker < 0 ? -1 : w->jobs->arch_of[job->worker];
        if (!has_begun(job) || (job->began > 0) == beforehand || arch < 0) {
            continue;
        }
        double *busy = &w->snapshot->busy[job->worker];
        double passed = beforehand ? 0 : now - job->began;
        *busy += fmax(job->time[arch] - passed, 0);
        w->end = *busy;
        follow(w, job->task, 0);
    }
}

bool duet_starpu_snapshot_take(duet_starpu_snapshot *snapshot, duet_starpu_jobs *jobs)
{
    duet_starpu_snapshot *s = snapshot;
    *s = (duet_starpu_snapshot){.tasks = 0};
    int32_t *index = calloc(jobs->count + 1, sizeof *index);
    if (index == NULL || !make_room(s, jobs)) {
        free(index);
        return false;
    }
    for (size_t i = 0; i < jobs->count; i++) {
        duet_starpu_job *job = &jobs->job[i];
        if (job->state == DUET_STARPU_WAITS && !job->timed) {
            duet_starpu_jobs_time(jobs, job);
        }
        index[i] = is_taken(job) ? (int32_t)s->tasks : -1;
        if (is_taken(job)) {
            take_job(s, jobs, i);
        }
    }
    walk w = {.snapshot = s, .jobs = jobs, .index = index, .from = -1};
    take_begun(&w, false);
    take_begun(&w, true);
    for (size_t i = 0; i < s->tasks; i++) {
        w.from = (int32_t)i;
        follow(&w, s->task[i], 0);
    }
    take_tags(&w);
    free(index);
    sort_edges(s);
    return make_types(s, jobs) && merge_times(s, jobs) && !s->failed;
}
