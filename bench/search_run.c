// SPDX-License-Identifier: Apache-2.0
// The restarts of the adversarial search: independent of each other, so that threads share them out
// as they come.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/search.h"
#include "core/context.h"
#include "core/memory.h"

// What the threads share.
typedef struct search_run {
    const duet_search_settings *settings;
    const duet_cancel *cancel;
    int64_t start_ns;
    int64_t deadline_ns; // INT64_MAX: none
    atomic_int_fast64_t next; // restart
    atomic_int_fast64_t done; // evaluations
    // The first restart that found what ends the search; those before it go on.
    atomic_int_fast64_t last;
    bool progress;
    duet_search_result *result; // guarded by the critical section
} search_run;

// What one thread has.
typedef struct search_worker {
    search_run *run;
    duet_search_judge *judge;
    int64_t restart;
    int64_t counted; // evaluations that the others know of
    int64_t shown_ns;
    bool shows;
} search_worker;

// 1 1 2 1 1 2 4 1 1 2 ...: of Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms",
// Information Processing Letters 47, 1993.
static int64_t luby(int64_t index)
{
    for (int64_t power = 1;; power *= 2) {
        if (index == 2 * power - 2) {
            return power;
        }
        if (index < 2 * power - 2) {
            return luby(index - (power - 1));
        }
    }
}

int64_t duet_search_restart_length(int64_t index)
{
    enum { shortest = 2000 };
    return shortest * luby(index);
}

static void show(search_worker *worker)
{
    static const int64_t period_ns = 200000000;
    search_run *run = worker->run;
    int64_t now = duet_clock_ns();
    if (now - worker->shown_ns < period_ns) {
        return;
    }
    worker->shown_ns = now;
    duet_search_value best;
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_search_result)
#endif
    best = run->result->found.value;
    char ratio[32] = "-";
    if (best.outcome >= DUET_SEARCH_RATIO && best.optimum > 0) {
        snprintf(ratio, sizeof ratio, "%.4f", (double)best.makespan / (double)best.optimum);
    }
    fprintf(stderr, "\r%s: %lld evaluations, restart %lld, ratio %s, %.0f s\033[K",
            run->settings->algorithm->entry.name, (long long)atomic_load(&run->done),
            (long long)atomic_load(&run->next), ratio, duet_bench_since(run->start_ns));
    fflush(stderr);
}

static bool stop(void *opaque)
{
    search_worker *worker = opaque;
    search_run *run = worker->run;
    enum { batch = 64 };
    if (worker->judge->evaluations - worker->counted >= batch) {
        atomic_fetch_add(&run->done, worker->judge->evaluations - worker->counted);
        worker->counted = worker->judge->evaluations;
    }
    if (worker->shows) {
        show(worker);
    }
    return duet_cancel_requested(run->cancel) || worker->restart > atomic_load(&run->last) ||
           (run->deadline_ns != INT64_MAX && duet_clock_ns() >= run->deadline_ns);
}

// Of equal ratios that of fewer tasks, then that of the earlier restart: whoever finds it.
static bool is_better(const duet_search_find *a, const duet_search_find *b)
{
    int order = duet_search_compare(&a->value, &b->value);
    if (order != 0 || a->value.outcome < DUET_SEARCH_RATIO) {
        return order > 0;
    }
    int64_t tasks_a = duet_search_tasks(&a->point);
    int64_t tasks_b = duet_search_tasks(&b->point);
    return tasks_a < tasks_b || (tasks_a == tasks_b && a->restart < b->restart);
}

static void take(search_run *run, const duet_search_find *find)
{
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_search_result)
#endif
    {
        run->result->restarts++;
        bool ends = find->value.outcome > DUET_SEARCH_RATIO;
        if (ends && find->restart < atomic_load(&run->last)) {
            atomic_store(&run->last, find->restart);
            run->result->found = *find;
        } else if (!ends && is_better(find, &run->result->found)) {
            run->result->found = *find;
        }
    }
}

// Evaluations left to restart `index` of the number given; 0: none.
static int64_t share(const duet_search_settings *settings, int64_t index, int64_t *before)
{
    // `before`: evaluations of the restarts before, as far as summed up; before[1]: how far.
    while (before[1] < index) {
        before[0] += duet_search_restart_length(before[1]++);
    }
    int64_t length = duet_search_restart_length(index);
    if (settings->restarts > 0 && index >= settings->restarts) {
        return 0;
    }
    if (settings->evaluations > 0 && length > settings->evaluations - before[0]) {
        length = settings->evaluations - before[0];
    }
    return length < 0 ? 0 : length;
}

static uint64_t seed_of(const search_run *run, int64_t restart)
{
    return run->settings->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)restart;
}

static void work(search_run *run, duet_search_judge *judge)
{
    const duet_search_settings *settings = run->settings;
    search_worker worker = {.run = run, .judge = judge};
    int64_t before[2] = {0, 0};
    for (;;) {
        worker.restart = atomic_fetch_add(&run->next, 1);
        // Whoever has the first restart keeps the progress line.
        worker.shows = worker.shows || (run->progress && worker.restart == 0);
        int64_t length = share(settings, worker.restart, before);
        if (length == 0 || stop(&worker)) {
            break;
        }
        duet_search_find find = {.restart = worker.restart};
        duet_search_anneal(&settings->space, judge, seed_of(run, worker.restart), length, stop,
                           &worker, &find);
        take(run, &find);
    }
    if (worker.shown_ns != 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

static duet_code run_restarts(search_run *run, duet_error *error)
{
    const duet_search_settings *settings = run->settings;
    bool failed = false;
#ifdef DUET_WITH_OPENMP
#pragma omp parallel num_threads(settings->threads)
#endif
    {
        duet_search_judge *judge = duet_alloc(1, sizeof *judge, NULL);
        if (judge != NULL) {
            duet_search_judge_init(judge, settings->algorithm, settings->options);
            work(run, judge);
        }
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_search_result)
#endif
        {
            failed = failed || judge == NULL;
            run->result->evaluations += judge == NULL ? 0 : judge->evaluations;
            run->result->unknown += judge == NULL ? 0 : judge->unknown;
        }
        free(judge);
    }
    return failed ? duet_error_set(error, DUET_E_MEMORY, "out of memory") : DUET_OK;
}

static duet_code shrink(search_run *run, duet_error *error)
{
    const duet_search_settings *settings = run->settings;
    duet_search_result *result = run->result;
    duet_search_judge *judge = duet_alloc(1, sizeof *judge, error);
    if (judge == NULL) {
        return DUET_E_MEMORY;
    }
    duet_search_judge_init(judge, settings->algorithm, settings->options);
    search_worker worker = {.run = run, .judge = judge, .restart = -1};
    result->small = result->found;
    duet_search_shrink(&settings->space, judge,
                       (duet_fraction){(uint64_t)settings->loss, 1000000}, stop, &worker,
                       &result->small);
    result->evaluations += judge->evaluations;
    result->unknown += judge->unknown;
    free(judge);
    return DUET_OK;
}

static void set_deadline(search_run *run, double part)
{
    double seconds = run->settings->seconds * part;
    if (seconds > 0 && seconds < 9e9) {
        run->deadline_ns = run->start_ns + (int64_t)(seconds * 1e9);
    }
}

duet_code duet_search_run(const duet_search_settings *settings, const duet_cancel *cancel,
                          duet_search_result *result, duet_error *error)
{
    static const double search_part = 0.95; // the rest is for shrinking
    *result = (duet_search_result){.restarts = 0};
    search_run run = {.settings = settings,
                      .cancel = cancel,
                      .start_ns = duet_clock_ns(),
                      .deadline_ns = INT64_MAX,
                      .progress = !settings->quiet && isatty(STDERR_FILENO),
                      .result = result};
    atomic_init(&run.next, 0);
    atomic_init(&run.done, 0);
    atomic_init(&run.last, INT64_MAX);
    set_deadline(&run, search_part);
    duet_code code = run_restarts(&run, error);
    result->interrupted = duet_cancel_requested(cancel);
    if (code == DUET_OK && result->found.value.outcome < DUET_SEARCH_RATIO) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "the search ended before any candidate had a ratio: expected more "
                              "time, smaller candidates, or an algorithm that takes these platforms");
    }
    set_deadline(&run, 1);
    if (code == DUET_OK) {
        code = shrink(&run, error);
    }
    result->seconds = duet_bench_since(run.start_ns);
    return code;
}
