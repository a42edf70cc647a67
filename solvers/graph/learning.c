// SPDX-License-Identifier: Apache-2.0
// The learning search's part of `exact`; see learning.h.
#include "solvers/graph/learning.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/graph/propagate/tuning.h"
#include "solvers/graph/tuning.h"

#define EXACT "exact"

void duet_learning_free(duet_learning *learning)
{
    duet_certificate_release(&learning->certificate);
    duet_bound_release(&learning->counted);
    duet_learn_free(learning->search);
    duet_ideals_free(learning->ideals);
    duet_lift_free(&learning->lift);
    duet_solution_free(learning->own);
    *learning = (duet_learning){.search = NULL};
}

int64_t duet_learning_price(const duet_instance *instance)
{
    int64_t tasks = duet_min(duet_tasks(instance), DUET_LEARN_TASKS + 1); // it refuses more
    int64_t times = instance->graph->transfer != NULL ? DUET_GRAPH_LEARN_BEGIN_COSTS : 1;
    return tasks * tasks * times * DUET_GRAPH_LEARN_BEGIN_NS;
}

int64_t duet_learning_least(const duet_context *context, bool counted)
{
    if (counted || context->deadline_ns == INT64_MAX) {
        return DUET_GRAPH_LEARN_WORK;
    }
    double part = (double)(context->deadline_ns - context->start_ns) / DUET_GRAPH_LEARN_TURNS;
    double work = part * 1e-3 * (double)(DUET_GRAPH_PLACED_A_MICROSECOND * DUET_GRAPH_PLACING_WORK);
    return work < DUET_GRAPH_LEARN_WORK ? (int64_t)work + 1 : DUET_GRAPH_LEARN_WORK;
}

static void copy_schedule(const duet_solution *from, duet_solution *to)
{
    memcpy(to->placement, from->placement, (size_t)to->tasks * sizeof *to->placement);
    to->makespan = from->makespan;
    to->aborted_count = 0;
}

duet_code duet_learning_take(duet_learning *learning, duet_solution *best, duet_error *error)
{
    DUET_TRY(duet_solution_hold_placements(best, error));
    if (learning->own == NULL) {
        DUET_TRY(duet_solution_create(best->tasks, &learning->own, error));
    }
    copy_schedule(best, learning->own);
    learning->own->lower_bound = best->lower_bound;
    return DUET_OK;
}

bool duet_learning_give(duet_learning *learning, duet_solution *best, bool asked)
{
    bool shorter = learning->own->makespan < best->makespan;
    const duet_bound bound = {.name = EXACT, .value = learning->lift.lower};
    bool may = !asked || duet_lift_has_proof(&learning->lift, bound.value);
    if (bound.value > best->lower_bound && may) {
        duet_solution_offer_bound(best, &bound);
    }
    if (shorter) {
        copy_schedule(learning->own, best);
    }
    return shorter;
}

static duet_code begin(duet_learning *learning, const duet_instance *instance,
                       const duet_context *context, duet_error *why)
{
    duet_code code = duet_learn_create(instance, context, learning->own, &learning->search, why);
    learning->over = learning->search == NULL;
    return code;
}

// Continues the search over ideals. It is over if it fails.
static void run_ideals(duet_learning *learning, const duet_instance *instance,
                       const duet_context *context, int64_t work)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = DUET_OK;
    if (learning->ideals == NULL) {
        code =
            duet_ideals_create(instance, context, learning->own->makespan, &learning->ideals, &why);
    }
    if (code == DUET_OK && learning->ideals != NULL) {
        work /= duet_ideals_is_wide(learning->ideals) ? DUET_GRAPH_WIDE_PART : 1;
        int64_t before = duet_ideals_work(learning->ideals);
        code = duet_ideals_run(learning->ideals, work, learning->own, &why);
        learning->work += duet_ideals_work(learning->ideals) - before;
    }
    bool done =
        code == DUET_OK && learning->ideals != NULL && duet_ideals_is_proven(learning->ideals);
    if (done) {
        code = duet_ideals_certify(learning->ideals, EXACT, &learning->counted, &why);
        learning->proven = code == DUET_OK ? DUET_LEARNING_BY_IDEALS : DUET_LEARNING_UNPROVEN;
    }
    learning->ideals_over = done || code != DUET_OK || learning->ideals == NULL;
    if (learning->ideals_over) {
        duet_ideals_free(learning->ideals);
        learning->ideals = NULL;
    }
}

// Continues the searches at lower guesses, once the search has not ended soon.
static void run_lift(duet_learning *learning, const duet_instance *instance,
                     const duet_context *context, int64_t work)
{
    int64_t before = learning->lift.work;
    if (duet_learn_work(learning->search) >= DUET_GRAPH_LIFT_FROM) {
        duet_lift_run(&learning->lift, instance, context, work / DUET_GRAPH_LIFT_PART,
                      learning->own);
        learning->work += learning->lift.work - before;
    }
}

void duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                        const duet_context *context, int64_t work)
{
    duet_error why = DUET_ERROR_INIT;
    int64_t start = duet_clock_ns();
    const duet_solution *own = learning->own;
    duet_code code = DUET_OK;
    if (learning->search == NULL) {
        code = begin(learning, instance, context, &why);
    }
    if (code == DUET_OK && learning->search != NULL) {
        int64_t before = duet_learn_work(learning->search);
        code = duet_learn_run(learning->search, own->lower_bound, work, learning->own, &why);
        bool lines = code == DUET_OK && duet_learn_is_proven(learning->search);
        learning->proven = lines ? DUET_LEARNING_BY_LINES : DUET_LEARNING_UNPROVEN;
        learning->work += duet_learn_work(learning->search) - before;
        learning->conflicts = duet_learn_conflicts(learning->search);
    }
    if (code == DUET_OK && learning->search != NULL && learning->proven == DUET_LEARNING_UNPROVEN) {
        run_lift(learning, instance, context, work);
    }
    if (code == DUET_OK && learning->proven == DUET_LEARNING_UNPROVEN && !learning->ideals_over &&
        own->makespan > duet_context_target(context, own->lower_bound)) {
        run_ideals(learning, instance, context, work);
    }
    learning->ns += duet_clock_ns() - start;
    if (code != DUET_OK) { // all else goes on without it
        duet_learn_free(learning->search);
        learning->search = NULL;
        learning->over = true;
    }
}

// Keeps the lines for a file. Those that are too long for a solution are left out of the bound.
static void keep_lines(duet_learning *learning, duet_bound *bound)
{
    duet_certificate_retain(&bound->certificate);
    learning->certificate = bound->certificate;
    if (bound->certificate.lines->length > DUET_GRAPH_PROOF_BYTES) {
        duet_bound plain = {.name = bound->name, .value = bound->value};
        duet_bound_release(bound);
        *bound = plain;
    }
}

bool duet_learning_has_proof(const duet_learning *learning)
{
    return learning->counted.value > 0 ||
           (learning->proven == DUET_LEARNING_BY_LINES && duet_learn_has_proof(learning->search));
}

// The search whose lines prove a bound; NULL: there is none.
static const duet_learn *find_proof(const duet_learning *learning, int64_t bound)
{
    return learning->proven == DUET_LEARNING_BY_LINES && duet_learn_has_proof(learning->search)
               ? learning->search
           : duet_lift_has_proof(&learning->lift, bound) ? learning->lift.refuted
                                                         : NULL;
}

// The bound that is proven, with lines if there are any.
static duet_code make_bound(const duet_learning *learning, int64_t value, bool asked,
                            duet_bound *bound, duet_error *error)
{
    const duet_bound plain = {.name = EXACT, .value = value};
    const duet_learn *search = find_proof(learning, value);
    duet_code code = DUET_OK;
    *bound = plain;
    if (learning->counted.value == value) {
        *bound = learning->counted;
        duet_certificate_retain(&bound->certificate);
    } else if (search != NULL) {
        size_t most = asked ? DUET_WINDOWS_PROOF_BYTES : DUET_GRAPH_PROOF_BYTES;
        code = duet_learn_certify(search, EXACT, most, bound, error);
        *bound = code == DUET_OK ? *bound : plain;
    }
    return code == DUET_E_MEMORY ? code : DUET_OK;
}

// Whether there are lines that prove a bound.
static bool has_lines(const duet_learning *learning, int64_t bound)
{
    return learning->counted.value == bound || find_proof(learning, bound) != NULL;
}

// The bound to claim: the makespan of the best schedule if that is proven, or the present one if
// there may be lines for it; 0: neither.
static int64_t choose_bound(const duet_learning *learning, const duet_solution *best, bool asked)
{
    bool proven = learning->proven != DUET_LEARNING_UNPROVEN && best->lower_bound < best->makespan;
    bool firmer = best->certificate.proof == DUET_PROOF_NONE &&
                  duet_lift_has_proof(&learning->lift, best->lower_bound);
    return proven && (!asked || has_lines(learning, best->makespan)) ? best->makespan
           : firmer                                                  ? best->lower_bound
                                                                     : 0;
}

duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error)
{
    duet_bound bound;
    int64_t value = choose_bound(learning, best, asked);
    if (value == 0) {
        return DUET_OK;
    }
    DUET_TRY(make_bound(learning, value, asked, &bound, error));
    if (asked && bound.certificate.proof == DUET_PROOF_LINES) {
        keep_lines(learning, &bound);
    }
    if (!asked || learning->certificate.proof == DUET_PROOF_LINES) {
        duet_solution_offer_bound(best, &bound);
    }
    duet_bound_release(&bound);
    return DUET_OK;
}
