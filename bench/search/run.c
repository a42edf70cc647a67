// SPDX-License-Identifier: Apache-2.0
// The restarts of the adversarial search.
//
// Method: rounds of eight restarts each, all of a length. Every other one begins at a random
// candidate, hot; the others go on from the worst instance of all rounds so far, or of the round
// before, less hot. Threads share out the restarts of a round and wait for each other at its end,
// so that they change nothing. Rounds last 1 1 2 1 1 2 4 1 1 2 ... (Luby, Sinclair, Zuckerman,
// "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47, 1993).
#include <stdatomic.h>
#include <unistd.h>

#include "bench/run/progress.h"
#include "bench/search/search.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"

enum { ROUND = 8, SHORTEST = 4000 };

// What the threads share.
typedef struct search_run {
    const duet_search_settings *settings;
    const duet_cancel *cancel;
    int64_t start_ns;
    int64_t deadline_ns;        // INT64_MAX: none
    atomic_int_fast64_t done;   // evaluations
    atomic_int_fast64_t due_ns; // of the next progress line; INT64_MAX: none is wanted
    duet_search_find best;      // of the rounds before
    duet_search_find latest;    // of the last round
} search_run;

// A restart, and what comes of it.
typedef struct search_slot {
    search_run *run;
    duet_search_judge judge;
    duet_search_find find;
    int64_t length;  // evaluations it may take; 0: it is not run
    int64_t counted; // of its evaluations, what run->done knows of
} search_slot;

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

static double seconds_of(const search_run *run)
{
    return (double)(duet_clock_ns() - run->start_ns) * 1e-9;
}

static void show(search_run *run, int64_t now)
{
    static const int64_t period_ns = 200000000;
    int64_t due = atomic_load(&run->due_ns);
    if (now < due || !atomic_compare_exchange_strong(&run->due_ns, &due, now + period_ns)) {
        return; // not yet, or another thread does
    }
    const duet_search_value *best = &run->best.value;
    char ratio[32] = "-";
    if (best->optimum > 0) {
        snprintf(ratio, sizeof ratio, "%.4f", (double)best->makespan / (double)best->optimum);
    }
    char line[160];
    snprintf(line, sizeof line, "%s: ratio %s, %lld candidates, %.0f s",
             run->settings->algorithm->entry.name, ratio, (long long)atomic_load(&run->done),
             seconds_of(run));
    duet_progress_line(line);
}

static bool stop(void *opaque)
{
    enum { batch = 16 }; // evaluations between progress lines and what the threads share
    search_slot *slot = opaque;
    search_run *run = slot->run;
    int64_t fresh = slot->judge.evaluations - slot->counted;
    if (fresh > 0 && fresh < batch) {
        return duet_context_stop(&slot->judge.context); // which knows no progress line
    }
    atomic_fetch_add(&run->done, fresh);
    slot->counted += fresh;
    int64_t now = duet_clock_ns();
    show(run, now);
    return duet_cancel_requested(run->cancel) || now >= run->deadline_ns;
}

// Of equal ratios that of fewer tasks, then the earlier one.
static bool is_better(const duet_search_find *a, const duet_search_find *b)
{
    int order = duet_search_compare(&a->value, &b->value);
    return order > 0 || (order == 0 && a->value.outcome >= DUET_SEARCH_RATIO &&
                         duet_search_tasks(&a->point) < duet_search_tasks(&b->point));
}

static void prepare(search_run *run, search_slot *slot, int64_t restart, int64_t length)
{
    slot->run = run;
    slot->length = length;
    slot->counted = 0;
    slot->find = (duet_search_find){.restart = restart};
    duet_search_judge_init(&slot->judge, run->settings->algorithm, run->settings->options,
                           run->settings->memory);
    duet_search_judge_limit(&slot->judge, run->deadline_ns, run->cancel);
}

static void run_slot(search_slot *slot)
{
    const search_run *run = slot->run;
    static const duet_search_find none = {.restart = 0};
    int64_t position = slot->find.restart % ROUND;
    const duet_search_find *from = position % 2 == 0   ? &none
                                   : position % 4 == 1 ? &run->best
                                                       : &run->latest;
    // Another seed for every restart: duet_random_seed() tells neighbours well apart.
    uint64_t seed =
        run->settings->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)slot->find.restart;
    const duet_search_restart restart = {from, seed, slot->length};
    duet_search_anneal(&run->settings->space, &slot->judge, &restart, stop, slot, &slot->find);
}

// Takes over what a round found, in order. Returns whether that ends the search.
static bool take_round(search_run *run, const search_slot *slots, duet_search_result *result)
{
    run->latest = (duet_search_find){.restart = 0};
    for (int i = 0; i < ROUND; i++) {
        result->evaluations += slots[i].judge.evaluations;
        result->unknown += slots[i].judge.unknown;
        result->restarts += slots[i].judge.evaluations > 0;
        if (slots[i].length > 0 && is_better(&slots[i].find, &run->latest)) {
            run->latest = slots[i].find;
        }
    }
    if (is_better(&run->latest, &run->best)) {
        run->best = run->latest;
    }
    return run->best.value.outcome > DUET_SEARCH_RATIO;
}

// Shares the evaluations left out to the restarts of a round. Returns whether there are any.
static bool plan_round(search_run *run, int64_t round, int64_t *left, search_slot *slots)
{
    const duet_search_settings *settings = run->settings;
    bool any = false;
    for (int i = 0; i < ROUND; i++) {
        int64_t restart = round * ROUND + i;
        int64_t length = SHORTEST * luby(round);
        length = duet_min(length, *left);
        length = settings->restarts > 0 && restart >= settings->restarts ? 0 : length;
        *left -= length;
        any = any || length > 0;
        prepare(run, &slots[i], restart, length);
    }
    return any;
}

static void run_rounds(search_run *run, search_slot *slots, duet_search_result *result)
{
    const duet_search_settings *settings = run->settings;
    int64_t left = settings->evaluations > 0 ? settings->evaluations : INT64_MAX;
    for (int64_t round = 0; plan_round(run, round, &left, slots); round++) {
#ifdef DUET_WITH_OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(duet_threads_startable(settings->threads))
#endif
        for (int i = 0; i < ROUND; i++) {
            if (slots[i].length > 0) {
                run_slot(&slots[i]);
            }
        }
        if (take_round(run, slots, result) || duet_cancel_requested(run->cancel) ||
            duet_clock_ns() >= run->deadline_ns) {
            break;
        }
    }
    if (atomic_load(&run->due_ns) != INT64_MAX) {
        duet_progress_line("");
    }
}

static void shrink(search_run *run, search_slot *slot, duet_search_result *result)
{
    const duet_search_settings *settings = run->settings;
    prepare(run, slot, 0, 0);
    atomic_store(&run->due_ns, INT64_MAX); // too short for a progress line
    result->small = result->found;
    duet_search_shrink(&settings->space, &slot->judge,
                       (duet_fraction){(uint64_t)settings->loss, 1000000}, stop, slot,
                       &result->small);
    result->evaluations += slot->judge.evaluations;
    result->unknown += slot->judge.unknown;
}

static void set_deadline(search_run *run, double part)
{
    double seconds = run->settings->seconds * part;
    if (seconds > 0 && seconds < 9e9) {
        run->deadline_ns = run->start_ns + (int64_t)(seconds * 1e9);
    }
}

static void begin(search_run *run, const duet_search_settings *settings, const duet_cancel *cancel)
{
    static const double search_part = 0.95; // the rest is for shrinking
    *run = (search_run){.settings = settings,
                        .cancel = cancel,
                        .start_ns = duet_clock_ns(),
                        .deadline_ns = INT64_MAX};
    bool wanted = !settings->quiet && isatty(STDERR_FILENO);
    atomic_init(&run->done, 0);
    atomic_init(&run->due_ns, wanted ? run->start_ns : INT64_MAX);
    set_deadline(run, search_part);
}

duet_code duet_search_run(const duet_search_settings *settings, const duet_cancel *cancel,
                          duet_search_result *result, duet_error *error)
{
    *result = (duet_search_result){.restarts = 0};
    search_run run;
    begin(&run, settings, cancel);
    search_slot *slots = duet_alloc(ROUND, sizeof *slots, error);
    DUET_NEED(slots);
    run_rounds(&run, slots, result);
    result->found = run.best;
    duet_code code = DUET_OK;
    if (result->found.value.outcome < DUET_SEARCH_RATIO) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "the search ended before any candidate had a ratio: expected more "
                              "time, fewer tasks, or an algorithm that takes such platforms");
    } else {
        set_deadline(&run, 1);
        shrink(&run, &slots[0], result);
    }
    duet_free(slots);
    result->interrupted = duet_cancel_requested(cancel);
    result->seconds = seconds_of(&run);
    return code;
}
