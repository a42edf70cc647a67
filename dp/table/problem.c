// SPDX-License-Identifier: Apache-2.0
#include "dp/table/problem.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Beyond this no sum of units or of work is meaningful: total work is at most 2^62 ticks.
static const int64_t most = DUET_MAX_WORK;

static int64_t at_most(duet_int128 value)
{
    return value > most ? most : (int64_t)value;
}

static int class_of(const duet_table_guess *guess, int64_t time)
{
    if (guess->relaxed) {
        return 0;
    }
    duet_int128 triple = (duet_int128)3 * time;
    return triple > (duet_int128)2 * guess->lambda ? 2 : triple > guess->lambda;
}

static int64_t units_of(const duet_table_problem *problem, int64_t time)
{
    if (problem->unit_steps == 0) {
        return time;
    }
    int64_t lambda = problem->guess->lambda;
    return lambda == 0 ? 0 : (int64_t)((duet_int128)problem->unit_steps * time / lambda);
}

static bool fits(const duet_table_guess *guess, size_t kind, size_t type)
{
    return duet_allowed(guess->instance, kind, type) &&
           duet_time(guess->instance, kind, type) <= guess->lambda;
}

static duet_table_item make_item(const duet_table_problem *problem, size_t kind)
{
    const duet_table_guess *guess = problem->guess;
    duet_table_item item = {.count = duet_count(guess->instance, kind)};
    item.on_v = fits(guess, kind, problem->minimised);
    item.on_r = fits(guess, kind, guess->rounded);
    if (item.on_v) {
        item.value = duet_time(guess->instance, kind, problem->minimised);
        item.c = class_of(guess, item.value);
    }
    if (item.on_r) {
        int64_t time = duet_time(guess->instance, kind, guess->rounded);
        item.weight = units_of(problem, time);
        item.g = class_of(guess, time);
    }
    return item;
}

// Steps of the grid per lambda and the capacities. Processors beyond the number of tasks change no
// answer: every task takes at most lambda.
static duet_code set_capacities(duet_table_problem *problem, duet_error *error)
{
    const duet_table_guess *guess = problem->guess;
    int64_t tasks = problem->tasks;
    int64_t processors[2];
    for (size_t t = 0; t < 2; t++) {
        int64_t count = guess->instance->processors[t];
        processors[t] = duet_min(count, tasks);
    }
    int64_t v = processors[problem->minimised];
    int64_t r = processors[guess->rounded];
    int64_t per_task = guess->relaxed ? 1 : 3;
    if (guess->grid > 0 &&
        (tasks > most / per_task || guess->grid > most / per_task / (tasks + 1))) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "the grid of %lld steps is too fine for %lld tasks: expected steps "
                              "times tasks below 2^60",
                              (long long)guess->grid, (long long)tasks);
    }
    problem->unit_steps = guess->grid > 0 ? per_task * tasks * guess->grid : 0;
    problem->c_cap = guess->relaxed ? 0 : at_most((duet_int128)2 * v);
    problem->g_cap = guess->relaxed ? 0 : at_most((duet_int128)2 * r);
    int64_t span = guess->grid > 0 ? problem->unit_steps : guess->lambda;
    problem->cap = at_most((duet_int128)span * r);
    problem->limit = at_most((duet_int128)guess->lambda * v);
    return DUET_OK;
}

duet_code duet_table_problem_create(const duet_table_guess *guess, duet_table_problem *problem,
                                    duet_error *error)
{
    *problem = (duet_table_problem){.guess = guess,
                                    .minimised = 1 - guess->rounded,
                                    .kinds = guess->instance->kinds,
                                    .tasks = duet_tasks(guess->instance),
                                    .misfit = -1};
    DUET_TRY(set_capacities(problem, error));
    problem->items = duet_alloc(problem->kinds, sizeof *problem->items, error);
    DUET_NEED(problem->items);
    duet_int128 units = 0;
    for (size_t i = 0; i < problem->kinds; i++) {
        duet_table_item item = make_item(problem, i);
        problem->items[i] = item;
        problem->total += item.value * item.count;
        units += (duet_int128)item.weight * item.count;
        if (!item.on_v && !item.on_r && problem->misfit < 0) {
            problem->misfit = (int64_t)i;
        }
    }
    if (units > most) {
        duet_table_problem_free(problem);
        return duet_error_set(error, DUET_E_LIMIT,
                              "the grid of %lld steps is too fine for %lld tasks: expected less "
                              "than 2^62 units of work",
                              (long long)guess->grid, (long long)problem->tasks);
    }
    return DUET_OK;
}

void duet_table_problem_free(duet_table_problem *problem)
{
    duet_free(problem->items);
    problem->items = NULL;
}

void duet_table_allocate(const duet_table_problem *problem, const int64_t *on_r,
                         duet_table_answer *answer)
{
    if (answer->on_gpu == NULL) {
        return;
    }
    bool gpu_rounded = problem->guess->rounded == DUET_GPU;
    for (size_t i = 0; i < problem->kinds; i++) {
        answer->on_gpu[i] = gpu_rounded ? on_r[i] : problem->items[i].count - on_r[i];
    }
}

uint64_t duet_table_memory(const duet_context *context, uint64_t wanted)
{
    static const uint64_t always_fine = 1 << 20; // asking the system costs more
    if (context->memory_limit > 0) {
        return context->memory_limit;
    }
    return wanted <= always_fine ? wanted : duet_memory_available() / 2;
}

duet_code duet_table_refuse(const char *form, uint64_t least, uint64_t memory, duet_error *error)
{
    bool adaptive = strcmp(form, "adaptive") == 0;
    return duet_error_set(error, DUET_E_LIMIT,
                          "the %s table takes at least %llu MiB of memory and %llu MiB are "
                          "allowed: expected a larger --memory, or -O %s",
                          form, (unsigned long long)(least >> 20) + 1,
                          (unsigned long long)(memory >> 20),
                          adaptive ? "grid=1" : "table=adaptive");
}
