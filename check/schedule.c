// SPDX-License-Identifier: Apache-2.0
// The checker of schedules and claimed numbers. Includes no solver header: this is what an outsider
// trusts.
#include <duet/check.h>

#include <inttypes.h>

#include "check/certificates.h"
#include "check/schedules.h"
#include "check/verdict.h"
#include "core/instance/instance.h"
#include "core/instance/rest.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { RUN = 32 }; // units of work of one of these

// An execution of a task on a processor, or of several equal tasks one after another.
typedef struct run {
    int64_t start;
    int64_t end;
    int64_t task; // the first
    int64_t time; // of each of several; 0 where it is one task
    int32_t type;
    int32_t processor;
} run;

static duet_code fault(const duet_instance *instance, int64_t task, duet_error *error,
                       const char *why)
{
    char id[128];
    duet_instance_task_id(instance, task, id, sizeof id);
    return duet_error_set(error, DUET_E_INPUT, "task '%s': %s", id, why);
}

// S1 and S4: a processor that exists, of a type on which the task may run, and a start that is not
// negative, nor before both are there.
static duet_code check_position(const duet_instance *instance, const duet_solution *solution,
                                size_t kind, const run *placed, duet_error *error)
{
    if (placed->type < 0) {
        return fault(instance, placed->task, error,
                     "is not scheduled: expected every task to run once");
    }
    if ((size_t)placed->type >= instance->types) {
        return fault(instance, placed->task, error, "runs on an unknown processor type");
    }
    if (placed->processor < 0 || placed->processor >= instance->processors[placed->type]) {
        return fault(instance, placed->task, error, "runs on a processor that does not exist");
    }
    if (duet_time(instance, kind, (size_t)placed->type) == DUET_FORBIDDEN) {
        return fault(instance, placed->task, error, "runs on a type where it is forbidden");
    }
    if (placed->start < 0 || placed->start >= DUET_MAX_WORK) { // ends stay below 2^63
        return fault(instance, placed->task, error,
                     "starts outside the schedule: expected 0 to 2^62 ticks");
    }
    const duet_processor_range range = {placed->type, placed->processor, placed->processor};
    return duet_check_available(instance, solution, placed->task, placed->start, range, error);
}

// S1: one processor, a start, and an end behind the time there.
static duet_code collect_placements(const duet_instance *instance, const duet_solution *solution,
                                    run *runs, duet_error *error)
{
    int64_t tick = duet_check_tick(solution);
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            const duet_placement *placed = &solution->placement[j];
            runs[j] = (run){placed->start, 0, j, 0, placed->type, placed->processor};
            DUET_TRY(check_position(instance, solution, i, &runs[j], error));
            int64_t time;
            if (__builtin_mul_overflow(duet_time(instance, i, (size_t)placed->type), tick, &time) ||
                __builtin_add_overflow(placed->start, time, &runs[j].end)) {
                return fault(instance, j, error, "takes too long for starts between ticks");
            }
        }
    }
    return DUET_OK;
}

// S1: a schedule held as runs is checked without expanding it. The runs come in task order and hold
// every task once. The tasks of a run are of one kind, and take the time of that kind.
static duet_code collect_runs(const duet_instance *instance, const duet_solution *solution,
                              run *runs, duet_error *error)
{
    int64_t next = 0; // the first task that no run has held so far
    size_t kind = 0;
    for (size_t r = 0; r < solution->runs; r++) {
        const duet_task_run *given = &solution->run[r];
        if (given->first != next || given->count < 1 || given->count > solution->tasks - next) {
            return fault(instance, next, error, "is not the next one of the runs");
        }
        for (; instance->first[kind + 1] <= next; kind++) {
        }
        runs[r] = (run){given->start, 0, next, given->time, given->type, given->processor};
        DUET_TRY(check_position(instance, solution, kind, &runs[r], error));
        if (given->count > instance->first[kind + 1] - next ||
            given->time != duet_time(instance, kind, (size_t)given->type)) {
            return fault(instance, next, error, "begins a run of tasks that are not equal");
        }
        runs[r].end = given->start + given->count * given->time;
        next += given->count;
    }
    return next == solution->tasks
               ? DUET_OK
               : fault(instance, next, error, "is not scheduled: expected every task to run once");
}

// S6: the aborted run of a spoliated task takes less than the whole task, and ends before the run
// that counts begins.
static duet_code collect_aborted(const duet_instance *instance, const duet_solution *solution,
                                 run *runs, duet_error *error)
{
    int64_t tick = duet_check_tick(solution);
    for (size_t a = 0; a < solution->aborted_count; a++) {
        const duet_aborted *given = &solution->aborted[a];
        if (given->task < 0 || given->task >= solution->tasks) {
            return duet_error_set(error, DUET_E_INPUT, "aborted run %zu: expected a known task", a);
        }
        size_t kind = duet_instance_kind_of(instance, given->task);
        runs[a] = (run){given->start, given->end, given->task, 0, given->type, given->processor};
        DUET_TRY(check_position(instance, solution, kind, &runs[a], error));
        if (given->end < given->start ||
            given->end - given->start >=
                (duet_int128)duet_time(instance, kind, (size_t)given->type) * tick) {
            return fault(instance, given->task, error,
                         "has an aborted run that lasts as long as the task itself");
        }
        size_t at = 0;
        if (given->end > duet_solution_place(solution, given->task, &at).start) {
            return fault(instance, given->task, error,
                         "is restarted before its aborted run was given up");
        }
    }
    return DUET_OK;
}

static int compare_runs(const void *left, const void *right)
{
    const run *a = left;
    const run *b = right;
    return 8 * duet_order(a->type, b->type) + 4 * duet_order(a->processor, b->processor) +
           2 * duet_order(a->start, b->start) + duet_order(a->end, b->end);
}

// S2: no processor has two at once.
static duet_code check_overlap(const duet_instance *instance, run *runs, size_t count,
                               duet_watch *watch, duet_error *error)
{
    DUET_TRY(duet_check_sort(runs, count, sizeof *runs, compare_runs, watch, error));
    for (size_t r = 1; r < count; r++) {
        const run *before = &runs[r - 1];
        const run *after = &runs[r];
        if (before->type == after->type && before->processor == after->processor &&
            before->end > after->start) {
            char first[128];
            char second[128];
            // Of equal tasks the one that is running when the other starts.
            int64_t into = before->time > 0 ? (after->start - before->start) / before->time : 0;
            duet_instance_task_id(instance, before->task + into, first, sizeof first);
            duet_instance_task_id(instance, after->task, second, sizeof second);
            return duet_error_set(error, DUET_E_INPUT,
                                  "tasks '%s' and '%s' overlap on processor %" PRId32 " of type %s",
                                  first, second, after->processor,
                                  instance->type_names[after->type]);
        }
        DUET_TRY(duet_check_spend(watch, RUN, error));
    }
    return DUET_OK;
}

// S1 to S6; *makespan receives S5.
static duet_code check_schedule(const duet_instance *instance, const duet_solution *solution,
                                duet_watch *watch, int64_t *makespan, duet_error *error)
{
    if (instance->moldable != NULL) {
        return duet_check_moldable(instance, solution, watch, makespan, error);
    }
    bool compact = solution->placement == NULL;
    size_t count = compact ? solution->runs : (size_t)solution->tasks;
    if (duet_watch_spend(watch, RUN * (int64_t)count)) {
        return duet_check_stopped(watch, error);
    }
    run *runs = duet_alloc(count + solution->aborted_count, sizeof *runs, error);
    DUET_NEED(runs);
    duet_code code = compact ? collect_runs(instance, solution, runs, error)
                             : collect_placements(instance, solution, runs, error);
    *makespan = 0;
    for (size_t r = 0; r < count && code == DUET_OK; r++) {
        *makespan = duet_max(runs[r].end, *makespan);
    }
    DUET_THEN(code, collect_aborted(instance, solution, runs + count, error));
    DUET_THEN(code, check_overlap(instance, runs, count + solution->aborted_count, watch, error));
    duet_free(runs);
    return code == DUET_OK ? duet_check_precedence(instance, solution, watch, error) : code;
}

// S5: the makespan is the latest end.
static duet_code check_makespan(const duet_instance *instance, const duet_solution *solution,
                                int64_t makespan, duet_error *error)
{
    char claimed[32];
    char found[32];
    return solution->makespan == makespan
               ? DUET_OK
               : duet_error_set(error, DUET_E_INPUT,
                                "claimed makespan %s: the latest completion is %s",
                                duet_check_format(instance, solution, solution->makespan, claimed),
                                duet_check_format(instance, solution, makespan, found));
}

// C2: the bound is no larger than the makespan, and the same where it is called optimal.
static duet_code check_numbers(const duet_instance *instance, const duet_solution *solution,
                               int64_t makespan, duet_error *error)
{
    char claimed[32];
    char found[32];
    duet_check_format(instance, solution, solution->lower_bound, claimed);
    duet_check_format(instance, solution, makespan, found);
    if (solution->lower_bound < 0 || solution->lower_bound > makespan) {
        return duet_error_set(error, DUET_E_INPUT,
                              "claimed lower bound %s: expected 0 to the makespan %s", claimed,
                              found);
    }
    if (solution->status == DUET_OPTIMAL && solution->lower_bound != makespan) {
        return duet_error_set(error, DUET_E_INPUT,
                              "claimed optimal: the lower bound %s is below the makespan %s",
                              claimed, found);
    }
    return DUET_OK;
}

// C1: the certificate proves at least the bound, in ticks of `tick`.
static duet_code check_certificate(const duet_instance *instance, const duet_solution *solution,
                                   const duet_certificate *certificate, duet_int128 lower_bound,
                                   duet_watch *watch, duet_bound_check *bound, duet_error *error)
{
    if (certificate->proof == DUET_PROOF_NONE) {
        return DUET_OK;
    }
    if ((duet_int128)certificate->lambda * duet_check_tick(solution) < lower_bound) {
        char claimed[32];
        char proven[32];
        return duet_error_set(error, DUET_E_INPUT,
                              "claimed lower bound %s: its certificate proves only %s",
                              duet_check_format(instance, solution, (int64_t)lower_bound, claimed),
                              duet_instance_format_time(instance, certificate->lambda, proven));
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check_watched(certificate, instance, watch, &why);
    if (code == DUET_E_UNSUPPORTED && duet_proof_is_deep(certificate->proof)) {
        *bound = lower_bound > 0 ? DUET_BOUND_DEEP : DUET_BOUND_NONE;
        return DUET_OK;
    }
    if (code != DUET_OK) {
        return duet_error_set(error, code, "%s", why.message);
    }
    *bound = DUET_BOUND_CERTIFIED;
    return DUET_OK;
}

// Where tasks are given: their ends are a bound, and a certificate is about the rest.
static duet_code check_bound_of_rest(const duet_instance *instance, const duet_solution *solution,
                                     const duet_certificate *certificate, int64_t lower_bound,
                                     duet_watch *watch, duet_bound_check *bound, duet_error *error)
{
    duet_rest rest;
    duet_int128 tick = duet_check_tick(solution);
    duet_code code = duet_rest_create(instance, &rest, error);
    if (code == DUET_OK && lower_bound > 0 && lower_bound <= tick * rest.end) {
        *bound = DUET_BOUND_CERTIFIED;
    } else if (code == DUET_OK) {
        duet_int128 left = lower_bound - tick * rest.origin;
        bool idle = rest.tasks > 0 && left <= 0 && lower_bound > 0;
        *bound = idle ? DUET_BOUND_CERTIFIED : *bound;
        duet_certificate own = *certificate;
        own.task = duet_rest_number(&rest, own.task);
        code = idle ? DUET_OK
                    : check_certificate(rest.instance, solution, &own, left, watch, bound, error);
    }
    duet_rest_free(&rest);
    return code;
}

static duet_code check_bound(const duet_instance *instance, const duet_solution *solution,
                             const duet_certificate *certificate, int64_t lower_bound,
                             duet_watch *watch, duet_bound_check *bound, duet_error *error)
{
    *bound = lower_bound > 0 ? DUET_BOUND_UNPROVEN : DUET_BOUND_NONE;
    return instance->pins == NULL ? check_certificate(instance, solution, certificate, lower_bound,
                                                      watch, bound, error)
                                  : check_bound_of_rest(instance, solution, certificate,
                                                        lower_bound, watch, bound, error);
}

// The bound that is claimed to have a certificate beside a higher one that has none.
static duet_code check_certified(const duet_instance *instance, const duet_solution *solution,
                                 duet_watch *watch, duet_error *error)
{
    const duet_certificate *certificate = &solution->certified.certificate;
    duet_bound_check proven;
    duet_error why = DUET_ERROR_INIT;
    if (certificate->proof == DUET_PROOF_NONE) {
        return DUET_OK;
    }
    duet_code code = check_bound(instance, solution, certificate, solution->certified.value, watch,
                                 &proven, &why);
    return code == DUET_OK
               ? DUET_OK
               : duet_error_set(error, code, "the bound beside that is certified: %s", why.message);
}

// Whether there is something to judge: a solution of this instance, which could be read.
static duet_code check_subject(const duet_instance *instance, const duet_solution *solution,
                               duet_error *error)
{
    if (solution->fault.code != DUET_OK) {
        const duet_error *found = &solution->fault;
        return duet_error_set_at(error, found->code, found->file, found->line, found->column, "%s",
                                 found->message);
    }
    if (solution->finer < 0 || solution->finer > DUET_FINER_PLACES) {
        return duet_error_set(error, DUET_E_INPUT,
                              "expected at most %d places more than the instance has",
                              DUET_FINER_PLACES);
    }
    if (!instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no platform: expected processor counts (-m, -k)");
    }
    return solution->tasks == duet_tasks(instance)
               ? DUET_OK
               : duet_error_set(error, DUET_E_INPUT,
                                "the solution has %" PRId64 " tasks: expected %" PRId64,
                                solution->tasks, duet_tasks(instance));
}

// One clause after another, the schedule first.
static duet_code judge(const duet_instance *instance, const duet_solution *solution,
                       duet_watch *watch, duet_bound_check *bound, duet_solution_verdict *verdict,
                       duet_error *error)
{
    int64_t makespan = 0;
    *verdict = DUET_REFUSES_SCHEDULE;
    DUET_TRY(check_subject(instance, solution, error));
    DUET_TRY(check_schedule(instance, solution, watch, &makespan, error));
    DUET_TRY(duet_check_given(instance, solution, error));
    DUET_TRY(check_makespan(instance, solution, makespan, error));
    *verdict = DUET_REFUSES_NUMBERS;
    DUET_TRY(check_numbers(instance, solution, makespan, error));
    *verdict = DUET_REFUSES_CERTIFICATE;
    DUET_TRY(duet_check_stopped(watch, error));
    DUET_TRY(check_bound(instance, solution, &solution->certificate, solution->lower_bound, watch,
                         bound, error));
    DUET_TRY(check_certified(instance, solution, watch, error));
    *verdict = DUET_ACCEPTS;
    return DUET_OK;
}

duet_code duet_judge_solution(const duet_instance *instance, const duet_solution *solution,
                              const duet_params *params, duet_bound_check *bound,
                              duet_solution_verdict *verdict, duet_error *error)
{
    duet_context context;
    duet_watch watch = {.context = &context};
    size_t size = duet_certificate_size(&solution->certificate) +
                  duet_certificate_size(&solution->certified.certificate);
    *bound = DUET_BOUND_NONE;
    *verdict = DUET_NOT_JUDGED;
    DUET_TRY(duet_check_begin(&context, params, size, error));
    duet_code code = judge(instance, solution, &watch, bound, verdict, error);
    if (watch.stopped) { // What a stopped check has found counts for nothing.
        code = duet_check_stopped(&watch, error);
    }
    if (code != DUET_OK && code != DUET_E_INPUT) {
        *verdict = DUET_NOT_JUDGED;
    }
    return code;
}

duet_code duet_check_solution(const duet_instance *instance, const duet_solution *solution,
                              const duet_params *params, duet_bound_check *bound, duet_error *error)
{
    duet_bound_check unused;
    duet_solution_verdict verdict;
    return duet_judge_solution(instance, solution, params, bound == NULL ? &unused : bound,
                               &verdict, error);
}
