// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "core/system/context.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

struct duet_cancel {
    atomic_int requested;
};

duet_cancel *duet_cancel_create(void)
{
    duet_cancel *cancel = duet_alloc_raw(1, sizeof *cancel, NULL);
    if (cancel != NULL) {
        atomic_init(&cancel->requested, 0);
    }
    return cancel;
}

void duet_cancel_free(duet_cancel *cancel)
{
    duet_free(cancel);
}

void duet_cancel_request(duet_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, 1, memory_order_relaxed);
}

bool duet_cancel_requested(const duet_cancel *cancel)
{
    return cancel != NULL && atomic_load_explicit(&cancel->requested, memory_order_relaxed) != 0;
}

int64_t duet_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// The processors this process may use, not those the machine has.
static int usable_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

static duet_code read_params(const duet_params *params, duet_params *given, duet_error *error)
{
    DUET_TRY(duet_struct_take(given, sizeof *given, DUET_SIZE_UNTIL(duet_params, registry), params,
                              "duet_params", error));
    if (isnan(given->time_limit)) {
        return duet_error_set(error, DUET_E_USAGE, "the time limit is no number");
    }
    if (given->deadline < 0 || given->deadline > DUET_MAX_WORK) {
        return duet_error_set(error, DUET_E_USAGE, "the deadline is no time of 0 to 2^62 ticks");
    }
    return DUET_OK;
}

// Within less one thread does the work: where the machine has other things to do, starting others
// and waiting for them takes as long.
static const double LEAST_FOR_THREADS = 0.1; // seconds

duet_code duet_context_init(duet_context *context, const duet_params *params, duet_error *error)
{
    const duet_params none = DUET_PARAMS_INIT;
    duet_params given = none;
    duet_code code = params == NULL ? DUET_OK : read_params(params, &given, error);
    if (code != DUET_OK) {
        given = none;
    }
    size_t left = duet_memory_left();
    size_t memory = given.memory_limit;
    *context = (duet_context){
        .start_ns = duet_clock_ns(),
        .deadline_ns = INT64_MAX,
        .threads = given.threads > 0 ? given.threads : usable_processors(),
        .memory_limit = left < SIZE_MAX && (memory == 0 || left < memory) ? left : memory,
        .seed = given.seed,
        .options = given.options,
        .cancel = given.cancel,
        .progress = given.progress,
        .user = given.user,
        .registry = given.registry,
        .due = given.deadline,
        .start_from = given.start_from,
    };
    if (given.time_limit > 0 && given.time_limit < 9e9) {
        context->deadline_ns = context->start_ns + (int64_t)(given.time_limit * 1e9);
        context->threads = given.time_limit < LEAST_FOR_THREADS ? 1 : context->threads;
    }
    return code;
}

duet_code duet_context_limit_memory(duet_memory_scope *scope, const duet_params *params,
                                    duet_error *error)
{
    const duet_params none = DUET_PARAMS_INIT;
    duet_params given = none;
    *scope = (duet_memory_scope){.meter = NULL};
    if (params == NULL || read_params(params, &given, NULL) != DUET_OK || given.memory_limit == 0) {
        return DUET_OK;
    }
    return duet_memory_begin(scope, given.memory_limit, error);
}

double duet_context_seconds(const duet_context *context)
{
    return (double)(duet_clock_ns() - context->start_ns) * 1e-9;
}

bool duet_context_stop(const duet_context *context)
{
    return duet_cancel_requested(context->cancel) || duet_cancel_requested(context->halt) ||
           (context->series != NULL && !duet_succession_goes_on(context->series, context->seat)) ||
           (context->deadline_ns != INT64_MAX && duet_clock_ns() >= context->deadline_ns);
}

duet_code duet_context_stop_error(const duet_context *context, duet_error *error)
{
    if (duet_cancel_requested(context->cancel)) {
        return duet_error_set(error, DUET_E_CANCELLED, "cancelled before any schedule was found");
    }
    return duet_error_set(error, DUET_E_LIMIT, "the time limit came before any schedule was found");
}

double duet_context_seconds_left(const duet_context *context)
{
    if (context->deadline_ns == INT64_MAX) {
        return 1e9;
    }
    return (double)(context->deadline_ns - duet_clock_ns()) * 1e-9;
}

duet_context duet_context_part(const duet_context *context, int parts)
{
    duet_context part = *context;
    if (context->deadline_ns != INT64_MAX) {
        int64_t now = duet_clock_ns();
        part.deadline_ns = now + (context->deadline_ns - now) / parts;
    }
    return part;
}

int64_t duet_context_target(const duet_context *context, int64_t bound)
{
    if (context->due > 0 && bound > context->due) {
        return DUET_MAX_WORK;
    }
    duet_int128 target = bound + (duet_int128)bound * context->gap / DUET_BILLION;
    int64_t near = target < INT64_MAX ? (int64_t)target : INT64_MAX;
    return duet_max(near, context->due);
}

void duet_context_report(const duet_context *context, const char *phase, int64_t lower_bound,
                         int64_t best)
{
    if (context->progress != NULL) {
        duet_progress progress = {phase, lower_bound, best, duet_context_seconds(context)};
        context->progress(context->user, &progress);
    }
}
