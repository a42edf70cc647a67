// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/crew.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { TASK = 256 }; // units of work of a task that joins or starts

static bool earlier(const void *none, int64_t a, int64_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(wakes, int64_t, void, earlier)

static bool comes_sooner(const void *none, duet_crew_later a, duet_crew_later b)
{
    (void)none;
    return a.time != b.time   ? a.time < b.time
           : a.task != b.task ? a.task < b.task
                              : a.worker < b.worker;
}

DUET_HEAP(laters, duet_crew_later, void, comes_sooner)

static duet_code create_processors(duet_crew *crew, duet_error *error)
{
    const duet_instance *instance = crew->workers.instance;
    size_t count[DUET_MAX_TYPES] = {0};
    for (size_t w = 0; w < crew->workers.count; w++) {
        count[duet_workers_type(&crew->workers, w)]++;
    }
    size_t at = 0;
    for (size_t t = instance->types; t-- > 0;) { // the last type's come first
        crew->worker_at[t] = at;
        at += count[t];
        DUET_TRY(duet_tournament_create(count[t], &crew->busy[t], error));
    }
    return DUET_OK;
}

duet_code duet_crew_create(const duet_instance *instance, const duet_context *context,
                           const duet_task_source *source, duet_solution *solution, duet_crew *crew,
                           duet_error *error)
{
    duet_reality *reality = context->reality;
    *crew = (duet_crew){.kind = duet_kinds_of_tasks(instance, error),
                        .source = source,
                        .watch = {.context = reality == NULL ? NULL : context}};
    DUET_TRY(crew->kind == NULL ? DUET_E_MEMORY : DUET_OK);
    DUET_TRY(duet_workers_create(instance, reality, solution, &crew->workers, error));
    if (instance->graph != NULL && source == NULL) {
        DUET_TRY(duet_waits_create(instance->graph, &crew->waits, error));
    }
    DUET_TRY(create_processors(crew, error));
    crew->gone = duet_alloc(crew->workers.count, sizeof *crew->gone, error);
    DUET_NEED(crew->gone);
    if (reality != NULL) {
        crew->next_gone = duet_reality_next_gone(reality, 0);
        crew->done = duet_alloc((size_t)duet_tasks(instance), sizeof *crew->done, error);
        return crew->done == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return DUET_OK;
}

void duet_crew_free(duet_crew *crew)
{
    duet_free(crew->kind);
    duet_workers_free(&crew->workers);
    duet_waits_free(&crew->waits);
    duet_ready_free(&crew->revealed);
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_tournament_free(&crew->busy[t]);
    }
    duet_free(crew->wakes);
    duet_free(crew->later);
    duet_free(crew->done);
    duet_free(crew->gone);
}

// --- tasks ---------------------------------------------------------------------------------------

static void set_busy(duet_crew *crew, size_t worker, bool busy)
{
    size_t type = duet_workers_type(&crew->workers, worker);
    duet_tournament_set(&crew->busy[type], worker - crew->worker_at[type], busy);
}

duet_code duet_crew_start_at(duet_crew *crew, size_t type, size_t processor, int64_t task,
                             int64_t start, duet_error *error)
{
    size_t worker = crew->worker_at[type] + processor;
    DUET_ASSERT(start >= crew->workers.now);
    if (duet_watch_spend(&crew->watch, TASK)) {
        return duet_watch_code(&crew->watch, error);
    }
    set_busy(crew, worker, true);
    if (crew->waits.graph != NULL) {
        duet_waits_expect(&crew->waits, task);
    }
    return duet_workers_start_at(&crew->workers, worker, (size_t)crew->kind[task], task, start,
                                 error);
}

duet_code duet_crew_start(duet_crew *crew, size_t type, int64_t task, duet_error *error)
{
    size_t processor = duet_tournament_first(&crew->busy[type], 0);
    return duet_crew_start_at(crew, type, processor, task, crew->workers.now, error);
}

duet_code duet_crew_abort(duet_crew *crew, size_t worker, duet_error *error)
{
    set_busy(crew, worker, false);
    return duet_workers_abort(&crew->workers, worker, error);
}

duet_code duet_crew_wake(duet_crew *crew, int64_t instant, duet_error *error)
{
    DUET_TRY(duet_vec_grow(crew->wakes, crew->wake_count, error));
    wakes_push(NULL, crew->wakes, &crew->wake_count, instant);
    return DUET_OK;
}

// How long a task takes where it runs or has run.
static int64_t time_taken(const duet_crew *crew, int64_t task, size_t type)
{
    const duet_workers *workers = &crew->workers;
    return workers->reality == NULL ? duet_time(workers->instance, (size_t)crew->kind[task], type)
                                    : duet_time(&workers->reality->executed, (size_t)task, type);
}

int64_t duet_crew_arrival(const duet_crew *crew, int64_t task, size_t type, size_t processor)
{
    const duet_graph *graph = crew->waits.graph;
    int64_t latest = crew->workers.now;
    if (graph == NULL || graph->transfer == NULL) {
        return latest;
    }
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int32_t before = graph->tail[edge];
        const duet_placement *placed = &crew->workers.solution->placement[before];
        bool here = (size_t)placed->type == type && (size_t)placed->processor == processor;
        int64_t there = placed->start + time_taken(crew, before, (size_t)placed->type);
        there += here ? 0 : duet_graph_cost(graph, edge, (size_t)placed->type, type);
        latest = duet_max(there, latest);
    }
    return latest;
}

// --- losses --------------------------------------------------------------------------------------

static duet_code lose(duet_crew *crew, const duet_disturbance *gone,
                      const duet_crew_rule *functions, void *rule, duet_error *error)
{
    duet_workers *workers = &crew->workers;
    duet_code code = duet_reality_lose(workers->reality, gone, crew->done, error);
    size_t used = crew->busy[gone->type].count;
    if (code != DUET_OK || (size_t)gone->processor >= used) {
        return code;
    }
    size_t index = crew->worker_at[gone->type] + (size_t)gone->processor;
    duet_worker held = workers->worker[index];
    if (held.busy) {
        code = duet_workers_abort(workers, index, error);
    }
    set_busy(crew, index, true); // it will never be idle
    crew->gone[index] = true;
    if (code == DUET_OK && functions->lose != NULL) {
        code = functions->lose(rule, gone->type, (size_t)gone->processor, error);
    }
    return code == DUET_OK && held.busy ? functions->join(rule, held.task, error) : code;
}

// Takes away the processors that are gone by now.
static duet_code lose_all(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                          duet_error *error)
{
    const duet_reality *reality = crew->workers.reality;
    duet_code code = DUET_OK;
    while (reality != NULL && crew->next_gone < reality->disturbances && code == DUET_OK &&
           reality->disturbance[crew->next_gone].at <= crew->workers.now) {
        code = lose(crew, &reality->disturbance[crew->next_gone], functions, rule, error);
        crew->next_gone = duet_reality_next_gone(reality, crew->next_gone + 1);
    }
    return code;
}

// --- releases and busy processors ----------------------------------------------------------------

static duet_code add_later(duet_crew *crew, duet_crew_later later, duet_error *error)
{
    DUET_TRY(duet_vec_grow(crew->later, crew->later_count, error));
    laters_push(NULL, crew->later, &crew->later_count, later);
    return DUET_OK;
}

// A task that waits for no other joins when it is released.
static duet_code join(duet_crew *crew, int64_t task, const duet_crew_rule *functions, void *rule,
                      duet_error *error)
{
    int64_t release = duet_release(crew->workers.instance, (size_t)crew->kind[task]);
    return release > crew->workers.now ? add_later(crew, (duet_crew_later){release, task, 0}, error)
                                       : functions->join(rule, task, error);
}

static duet_code add_busy(duet_crew *crew, duet_error *error)
{
    for (size_t w = 0; w < crew->workers.count; w++) {
        const duet_worker *worker = &crew->workers.worker[w];
        int64_t until =
            duet_busy_until(crew->workers.instance, (size_t)worker->type, worker->processor);
        if (until > 0) {
            set_busy(crew, w, true);
            DUET_TRY(add_later(crew, (duet_crew_later){until, -1, w}, error));
        }
    }
    return DUET_OK;
}

// What has come by now. A processor that is gone stays busy.
static duet_code take_later(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                            duet_error *error)
{
    duet_code code = DUET_OK;
    while (crew->later_count > 0 && crew->later[0].time <= crew->workers.now && code == DUET_OK) {
        duet_crew_later later = laters_pop(NULL, crew->later, &crew->later_count);
        if (later.task >= 0) {
            code = functions->join(rule, later.task, error);
        } else if (!crew->gone[later.worker]) {
            set_busy(crew, later.worker, false);
        }
    }
    return code;
}

// --- time ----------------------------------------------------------------------------------------

// What the source reveals joins.
static duet_code reveal(duet_crew *crew, const int32_t *done, const duet_crew_rule *functions,
                        void *rule, duet_error *error)
{
    duet_code code = crew->source->reveal(crew->source->user, done, done != NULL, crew->workers.now,
                                          &crew->revealed, error);
    while (crew->revealed.count > 0 && code == DUET_OK) {
        code = functions->join(rule, duet_ready_take(&crew->revealed), error);
    }
    return code;
}

// Those that wait no longer join.
static duet_code release(duet_crew *crew, int64_t done, const duet_crew_rule *functions, void *rule,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    if (crew->done != NULL) {
        crew->done[done] = true;
    }
    if (crew->source != NULL) {
        const int32_t task = (int32_t)done;
        return reveal(crew, &task, functions, rule, error);
    }
    if (crew->waits.graph == NULL) {
        return DUET_OK;
    }
    int64_t at = crew->waits.graph->leave_at[done];
    for (int64_t task; (task = duet_waits_next(&crew->waits, done, &at)) >= 0;) {
        (void)duet_watch_spend(&crew->watch, TASK);
        DUET_THEN(code, join(crew, task, functions, rule, error));
    }
    return code;
}

static duet_code begin(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                       duet_error *error)
{
    DUET_TRY(add_busy(crew, error));
    DUET_TRY(lose_all(crew, functions, rule, error)); // gone from the beginning
    if (crew->source != NULL) {
        DUET_TRY(reveal(crew, NULL, functions, rule, error));
        return functions->act(rule, error);
    }
    for (int64_t j = 0; j < duet_tasks(crew->workers.instance); j++) {
        if (crew->waits.left == NULL || crew->waits.left[j] == 0) {
            DUET_TRY(join(crew, j, functions, rule, error));
        }
        if (duet_watch_spend(&crew->watch, TASK)) {
            DUET_TRY(duet_watch_code(&crew->watch, error));
        }
    }
    return functions->act(rule, error);
}

// The next instant that no completion makes: a wake, or the loss of a processor. Only while a
// worker is busy is a loss of interest. INT64_MAX: there is none.
static int64_t next_other(const duet_crew *crew)
{
    const duet_reality *reality = crew->workers.reality;
    int64_t next = crew->wake_count > 0 ? crew->wakes[0] : INT64_MAX;
    if (crew->later_count > 0) {
        next = duet_min(crew->later[0].time, next);
    }
    bool loses = reality != NULL && crew->next_gone < reality->disturbances;
    if (loses && (next < INT64_MAX || crew->workers.completion_count > 0)) {
        int64_t loss = reality->disturbance[crew->next_gone].at;
        next = duet_min(loss, next);
    }
    return next;
}

// All completions of the next instant, and what they release. *ended: there is no such instant.
static duet_code advance(duet_crew *crew, const duet_crew_rule *functions, void *rule, bool *ended,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t other = next_other(crew);
    size_t worker = duet_workers_complete(&crew->workers, other);
    *ended = worker == SIZE_MAX && other == INT64_MAX;
    if (worker == SIZE_MAX && !*ended) {
        crew->workers.now = other;
    }
    while (worker != SIZE_MAX && code == DUET_OK) {
        set_busy(crew, worker, false);
        code = release(crew, crew->workers.worker[worker].task, functions, rule, error);
        worker = duet_workers_complete(&crew->workers, crew->workers.now);
    }
    while (crew->wake_count > 0 && crew->wakes[0] <= crew->workers.now) {
        wakes_pop(NULL, crew->wakes, &crew->wake_count);
    }
    if (!*ended) {
        DUET_THEN(code, take_later(crew, functions, rule, error));
        DUET_THEN(code, lose_all(crew, functions, rule, error));
    }
    return code;
}

duet_code duet_crew_run(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                        duet_error *error)
{
    duet_code code = begin(crew, functions, rule, error);
    for (bool ended = false; code == DUET_OK;) {
        code = advance(crew, functions, rule, &ended, error);
        if (ended) {
            return code;
        }
        DUET_THEN(code, functions->act(rule, error));
    }
    return code;
}
