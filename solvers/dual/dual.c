// SPDX-License-Identifier: Apache-2.0
// The dual-approximation driver: galloping from the lower bound up to a first YES, then bisection.
#include "solvers/dual/dual.h"

#include <stdio.h>

#include "core/system/assert.h"

typedef struct bisection {
    // inputs
    const duet_instance *instance;
    const duet_context *context;
    const duet_dual *dual;
    // the interval of guesses that are open: bound.value .. lambda - 1
    duet_bound bound; // OPT >= bound.value; its prices are a reference of its own
    int64_t lambda;   // the smallest guess with YES so far, or the makespan it began with
    // schedules
    duet_solution *best;  // the caller's
    duet_solution *trial; // for the second and later schedules
    bool found;           // `best` holds a schedule
    // how it went
    int64_t guesses;
    bool stopped; // by the context or a limit, before the interval was empty
} bisection;

// Keeps the schedule of a YES if it is the best so far.
static duet_code keep(bisection *state, duet_error *error)
{
    duet_solution *target = state->found ? state->trial : state->best;
    duet_code code = state->dual->build(state->dual->state, target, error);
    if (code != DUET_OK) {
        return code;
    }
    target->makespan = duet_solution_measure(target, state->instance);
    if (state->found && target->makespan < state->best->makespan) {
        duet_solution_swap_schedules(state->best, target);
    }
    state->found = true;
    return DUET_OK;
}

// Takes over the certificate of a NO, with its prices.
static void raise(bisection *state, int64_t lambda, duet_certificate *certificate)
{
    if (lambda >= state->bound.value) {
        duet_bound_release(&state->bound);
        state->bound.value = lambda + 1;
        state->bound.name = state->dual->name;
        state->bound.certificate = *certificate;
        *certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    }
}

// A guess failed. Where it met a limit and there is a schedule, the search ends with that schedule
// and notes why; else the failure is the search's.
static duet_code give_up(bisection *state, duet_code code, const duet_error *why, duet_error *error)
{
    if (code != DUET_E_LIMIT || !state->found) {
        return duet_error_set(error, code, "%s", why->message);
    }
    state->stopped = true;
    snprintf(state->best->note, sizeof state->best->note, "%s", why->message);
    return DUET_OK;
}

static duet_code ask(bisection *state, int64_t lambda, bool *yes, duet_error *error)
{
    duet_answer answer = {.yes = false};
    duet_error why = DUET_ERROR_INIT;
    duet_code code = state->dual->guess(state->dual->state, lambda, &answer, &why);
    if (code != DUET_OK || answer.stopped) {
        duet_certificate_release(&answer.certificate);
    }
    if (code != DUET_OK) {
        return give_up(state, code, &why, error);
    }
    if (answer.stopped) {
        state->stopped = true;
        return state->found ? DUET_OK : duet_context_stop_error(state->context, error);
    }
    state->guesses++;
    *yes = answer.yes;
    if (answer.yes) {
        state->lambda = lambda;
        code = keep(state, error);
    } else {
        raise(state, lambda, &answer.certificate);
    }
    duet_certificate_release(&answer.certificate);
    duet_context_report(state->context, state->dual->name, state->bound.value,
                        state->found ? state->best->makespan : DUET_FORBIDDEN);
    return code;
}

// Whether the search is to end here. *code is an error where there is no schedule yet.
static bool stop(bisection *state, duet_code *code, duet_error *error)
{
    if (!state->stopped && duet_context_stop(state->context)) {
        state->stopped = true;
        *code = state->found ? DUET_OK : duet_context_stop_error(state->context, error);
    }
    return state->stopped;
}

// Asks guesses above the lower bound, in steps that double, until a YES. The bound is nearly always
// within a few ticks of it.
static duet_code gallop(bisection *state, duet_error *error)
{
    bool yes = false;
    duet_code code = DUET_OK;
    int64_t lambda = state->bound.value;
    for (int64_t step = 1;; step = step > DUET_MAX_WORK / 2 ? step : step * 2) {
        if (state->found && lambda >= state->lambda) {
            return DUET_OK; // bisection goes on below the schedule that is there
        }
        if (stop(state, &code, error)) {
            return code;
        }
        code = ask(state, lambda, &yes, error);
        if (code != DUET_OK || yes || state->stopped) {
            return code;
        }
        if (lambda >= DUET_MAX_WORK) {
            return duet_error_set(error, DUET_E_INTERNAL, "%s: NO at every guess",
                                  state->dual->name);
        }
        lambda = lambda > DUET_MAX_WORK - step ? DUET_MAX_WORK : lambda + step;
    }
}

static duet_code bisect(bisection *state, duet_error *error)
{
    duet_code code = DUET_OK;
    // A YES at or above the best makespan would give no better schedule.
    while (state->bound.value < state->lambda && state->bound.value < state->best->makespan) {
        if (stop(state, &code, error)) {
            break;
        }
        int64_t middle = state->bound.value + (state->lambda - 1 - state->bound.value) / 2;
        DUET_ASSERT(state->bound.value <= middle && middle < state->lambda);
        bool yes = false;
        code = ask(state, middle, &yes, error);
        if (code != DUET_OK || state->stopped) {
            break;
        }
    }
    return code;
}

static duet_code search(bisection *state, const duet_bound *lower, duet_error *error)
{
    duet_solution *solution = state->best;
    state->bound = *lower;
    duet_certificate_retain(&state->bound.certificate);
    duet_code code = duet_solution_create_blank(solution->tasks, &state->trial, error);
    if (code == DUET_OK) {
        code = gallop(state, error);
    }
    if (code == DUET_OK && !state->stopped) {
        code = bisect(state, error);
    }
    duet_solution_free(state->trial);
    if (code == DUET_OK) {
        solution->interrupted = solution->interrupted || state->stopped;
        solution->ratio_void = solution->ratio_void || state->stopped;
        duet_solution_offer_bound(solution, &state->bound);
        duet_solution_count(solution, "guesses", state->guesses);
        duet_solution_count(solution, "lambda", state->lambda);
    }
    duet_bound_release(&state->bound);
    return code;
}

duet_code duet_dual_run(const duet_instance *instance, const duet_context *context,
                        const duet_dual *dual, const duet_bound *lower, duet_solution *solution,
                        duet_error *error)
{
    bisection state = {.instance = instance, .context = context, .dual = dual, .best = solution};
    return search(&state, lower, error);
}

duet_code duet_dual_improve(const duet_instance *instance, const duet_context *context,
                            const duet_dual *dual, const duet_bound *lower, duet_solution *solution,
                            duet_error *error)
{
    bisection state = {.instance = instance, .context = context, .dual = dual, .best = solution};
    solution->makespan = duet_solution_measure(solution, instance);
    state.found = true;
    state.lambda = solution->makespan;
    return search(&state, lower, error);
}
