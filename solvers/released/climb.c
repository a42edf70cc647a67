// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/climb.h"

#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"
#include "lp/area/released.h"
#include "solvers/exact/tuning.h"
#include "solvers/released/decide.h"

enum {
    FIRST_NODES = 50,
    GROWTH = 4,
    MOST_NODES = INT32_MAX,
    BRANCHES = 100,   // nodes of the search over all schedules for one of a tree
    FIRST_ROUNDS = 2, // of local search
    FIRST_DIVES = 4,
    FIRST_SHARE = 16,   // of the time: local search before anything else
    SECOND_SHARE = 8,   // and once the bound has been raised, which it may reach
    DIVIDE_SHARE = 8,   // whole tasks on more than two types
    MANY_CLASSES = 200, // from there on that is a third
    DIVED = 3,          // guesses above the bound that are dived for
    PROOF_NODES = 100000,
    MOST_CLASSES = 400,
    MOST_TASKS = 5000
};

typedef struct climb {
    const duet_instance *instance;
    const duet_context *context;
    duet_solution *solution;
    duet_error *error;
    duet_released_model model;
    duet_log log;     // of the guess under way
    duet_log proof;   // of the bound
    int64_t proof_of; // the bound that it proves; 0: none
    int64_t trees;
    duet_random random;
} climb;

static bool is_open(const climb *s)
{
    return s->solution->makespan > duet_context_target(s->context, s->solution->lower_bound) &&
           !duet_context_stop(s->context);
}

static void take_proof(climb *s, int64_t bound)
{
    duet_log proof = s->proof;
    s->proof = s->log;
    s->log = proof;
    s->proof_of = bound;
}

// The proof of the bound as a certificate, where it is short.
static duet_code claim(climb *s, int64_t bound, const char *name)
{
    duet_bound found = {.name = name, .value = bound};
    const duet_log_claim said = {bound, DUET_RELEASED_LINE};
    duet_code code = DUET_OK;
    take_proof(s, bound);
    if (!s->proof.out.lost && s->proof.out.length <= DUET_EXACT_LINES_BYTES) {
        char *text;
        size_t length;
        DUET_TRY(duet_log_text(&s->proof, &said, &text, &length, s->error));
        found.certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound};
        code = duet_proof_lines_create(text, length, &found.certificate.lines, s->error);
        duet_free(text);
    }
    if (code == DUET_OK) {
        duet_solution_offer_bound(s->solution, &found);
    }
    duet_bound_release(&found);
    return code;
}

static duet_code ask(climb *s, int64_t guess, int64_t nodes, int64_t dives, const char *name,
                     duet_verdict *verdict)
{
    const duet_context *context = s->context;
    const duet_released_question question = {&s->model, guess, nodes, dives, &s->random};
    s->trees++;
    DUET_TRY(duet_released_decide(&question, context, &s->log, verdict, s->solution, s->error));
    if (*verdict == DUET_FOUND) {
        s->solution->found_by[0] = '\0'; // by the algorithm that runs
    }
    return *verdict == DUET_REFUTED ? claim(s, guess + 1, name) : DUET_OK;
}

// The relaxation alone.
static duet_code raise_bound(climb *s)
{
    int64_t low = s->solution->lower_bound;
    int64_t high = s->solution->makespan - 1;
    while (low <= high && is_open(s)) {
        duet_verdict verdict;
        int64_t guess = low + (high - low) / 2;
        DUET_TRY(ask(s, guess, 1, 0, "configuration", &verdict));
        low = verdict == DUET_REFUTED ? guess + 1 : low;
        high = verdict == DUET_REFUTED ? high : guess - 1;
        duet_context_report(s->context, "exact", s->solution->lower_bound, s->solution->makespan);
    }
    return DUET_OK;
}

// Dives for schedules well below the best one, then local search.
static duet_code improve(climb *s, int64_t dives, int64_t tries, int64_t pass)
{
    duet_verdict verdict = DUET_OPEN;
    for (int64_t k = 1; k <= DIVED && verdict == DUET_OPEN && is_open(s); k++) {
        int64_t low = s->solution->lower_bound;
        int64_t guess = low + (s->solution->makespan - 1 - low) * k / DIVED;
        DUET_TRY(ask(s, guess, 0, dives, "exact", &verdict));
    }
    return verdict == DUET_OPEN
               ? duet_released_improve(s->instance, s->context, tries, pass, s->solution, s->error)
               : DUET_OK;
}

// Trees, of guesses further and further above the bound while they are refuted: times may be of any
// size, and most guesses are no load. Once that of the bound itself stays open, all schedules of
// few tasks are tried, since prices are too coarse for some times, and then larger trees.
static duet_code grow_trees(climb *s, int64_t rounds)
{
    int64_t nodes = FIRST_NODES;
    int64_t tries = FIRST_ROUNDS;
    int64_t dives = FIRST_DIVES;
    int64_t step = 0;
    for (int64_t i = 0; is_open(s) && (rounds == 0 || i < rounds); i++) {
        duet_verdict verdict;
        int64_t low = s->solution->lower_bound;
        step = duet_min(step, s->solution->makespan - 1 - low);
        DUET_TRY(ask(s, low + step, nodes, dives, "exact", &verdict));
        if (verdict == DUET_OPEN && step == 0) {
            DUET_TRY(improve(s, dives, tries, i + 2));
            DUET_TRY(duet_released_branch(s->instance, s->context, nodes * BRANCHES, s->solution,
                                          s->error));
            nodes = duet_min(GROWTH * nodes, MOST_NODES);
            dives *= 2;
            tries *= 2;
        }
        step = verdict == DUET_REFUTED ? 2 * step + 1 : step / 2;
        duet_context_report(s->context, "exact", s->solution->lower_bound, s->solution->makespan);
    }
    return DUET_OK;
}

// The proof of a bound that came without a tree: the guess below is refuted once more.
static duet_code write_proof(climb *s, duet_output *output)
{
    duet_context context = *s->context;
    int64_t deadline = duet_clock_ns() + DUET_EXACT_PROOF_NANOSECONDS;
    context.deadline_ns = duet_max(context.deadline_ns, deadline);
    int64_t bound = s->solution->lower_bound;
    if (s->proof_of < bound && bound > 0) {
        duet_verdict verdict;
        const duet_released_question question = {&s->model, bound - 1, PROOF_NODES, 0, NULL};
        DUET_TRY(
            duet_released_decide(&question, &context, &s->log, &verdict, s->solution, s->error));
        if (verdict == DUET_REFUTED) {
            take_proof(s, bound);
        }
    }
    if ((bound > 0 && s->proof_of < bound) || s->proof.out.lost) {
        snprintf(s->solution->note, sizeof s->solution->note,
                 "no proof was written: the bound has none as a tree");
        s->solution->output_failed = true;
        duet_output_abandon(output);
        return DUET_OK;
    }
    const duet_log_claim said = {bound, DUET_RELEASED_LINE};
    return duet_log_write(&s->proof, output, &said, s->error);
}

static duet_code run(climb *s, int64_t rounds, duet_output *proof)
{
    int64_t first = s->context->deadline_ns == INT64_MAX ? FIRST_ROUNDS : 0;
    duet_context part =
        duet_context_part(s->context, s->instance->kinds > MANY_CLASSES ? 3 : FIRST_SHARE);
    duet_code code = DUET_OK;
    if (is_open(s)) {
        code = duet_released_improve(s->instance, &part, first, 0, s->solution, s->error);
    }
    // No tree proves it. Of more types and few classes the relaxation costs less.
    bool divides = s->instance->types == 2 || s->instance->kinds > MANY_CLASSES;
    if (code == DUET_OK && is_open(s) && proof == NULL && divides) {
        code = duet_released_offer_divided(s->instance, s->context, s->solution, s->error);
    }
    DUET_THEN(code, raise_bound(s));
    if (code == DUET_OK && is_open(s)) {
        part = duet_context_part(s->context, SECOND_SHARE);
        code = duet_released_improve(s->instance, &part, first, 1, s->solution, s->error);
    }
    DUET_THEN(code, grow_trees(s, rounds));
    if (code == DUET_OK && proof != NULL) {
        code = write_proof(s, proof);
    }
    duet_solution_count(s->solution, "lengths", s->trees);
    int64_t target = duet_context_target(s->context, s->solution->lower_bound);
    s->solution->interrupted =
        s->solution->makespan > target && duet_context_stop(s->context); // not by its rounds
    return code;
}

duet_code duet_released_climb(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_output *proof, bool *possible,
                              duet_solution *solution, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    climb s = {.instance = instance, .context = context, .solution = solution, .error = &why};
    duet_random_seed(&s.random, context->seed);
    *possible = instance->kinds <= MOST_CLASSES && solution->tasks <= MOST_TASKS;
    if (!*possible) {
        return DUET_OK;
    }
    duet_code code = duet_released_model_create(instance, &s.model, &why);
    DUET_THEN(code, run(&s, rounds, proof));
    duet_released_model_free(&s.model);
    duet_log_free(&s.log);
    duet_log_free(&s.proof);
    if (code == DUET_E_UNSUPPORTED) {
        *possible = false;
        return DUET_OK;
    }
    if (code != DUET_OK && error != NULL) {
        *error = why;
    }
    return code;
}

duet_code duet_released_divide(const duet_instance *instance, const duet_context *context,
                               int64_t below, duet_bound *bound, duet_error *error)
{
    duet_bound area;
    DUET_TRY(duet_released_area_bound(instance, context, &area, error));
    int64_t weight[DUET_MAX_TYPES];
    memcpy(weight, area.certificate.weight, sizeof weight);
    if (area.value > bound->value) {
        duet_bound_release(bound);
        *bound = area;
    } else {
        duet_bound_release(&area);
    }
    return duet_knapsack_raise_released(instance, context, weight, below, bound, error);
}

duet_code duet_released_offer_divided(const duet_instance *instance, const duet_context *context,
                                      duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.value = solution->lower_bound};
    duet_context part = duet_context_part(context, instance->types == 2 ? 1 : DIVIDE_SHARE);
    duet_code code = duet_released_divide(instance, &part, solution->makespan, &bound, error);
    if (code == DUET_OK && bound.certificate.proof != DUET_PROOF_NONE) {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_bound_release(&bound);
    return code;
}

// A solution without a schedule, with the bound, and a makespan beyond which nothing is asked.
static duet_code create_open(const duet_instance *instance, const duet_bound *bound,
                             duet_solution **out, duet_error *error)
{
    DUET_TRY(duet_solution_create_blank(duet_tasks(instance), out, error));
    (*out)->makespan = bound->value < (instance->latest + instance->work) / 2
                           ? 2 * bound->value + 1
                           : instance->latest + instance->work + 1;
    duet_solution_offer_bound(*out, bound);
    return DUET_OK;
}

duet_code duet_released_raise(const duet_instance *instance, const duet_context *context,
                              duet_bound *bound, bool *possible, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    climb s = {.instance = instance, .context = context, .error = &why};
    duet_random_seed(&s.random, context->seed);
    *possible = instance->kinds <= MOST_CLASSES && duet_tasks(instance) <= MOST_TASKS;
    if (!*possible) {
        return DUET_OK;
    }
    duet_code code = create_open(instance, bound, &s.solution, &why);
    DUET_THEN(code, duet_released_model_create(instance, &s.model, &why));
    DUET_THEN(code, raise_bound(&s));
    if (code == DUET_OK && s.solution->lower_bound > bound->value) {
        duet_bound_release(bound);
        *bound = (duet_bound){.name = "configuration",
                              .value = s.solution->lower_bound,
                              .certificate = s.solution->certificate};
        duet_certificate_retain(&bound->certificate);
    }
    duet_released_model_free(&s.model);
    duet_solution_free(s.solution);
    duet_log_free(&s.log);
    duet_log_free(&s.proof);
    if (code == DUET_E_UNSUPPORTED) {
        *possible = false;
        return DUET_OK;
    }
    if (code != DUET_OK && error != NULL) {
        *error = why;
    }
    return code;
}
