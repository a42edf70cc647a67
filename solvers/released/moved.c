// SPDX-License-Identifier: Apache-2.0
// A task graph with releases and busy processors, searched as one without.
//
// Method:    the searches for graphs whose data take time (solvers/graph/exact.h) find the optimum
//            of the moved instance (core/instance/moved.h), which is that of this one a tick later.
//            Lines that prove a bound there prove it here, behind the line "released".
// Guarantee: optimal where it ends.
// Cost:      exponential.
// Memory:    O(tasks + edges + tables of costs x types^2), and that of the search.
#include <stdio.h>
#include <string.h>

#include "core/instance/graph.h"
#include "core/instance/moved.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/graph/exact.h"
#include "solvers/graph/search.h"
#include "solvers/proof_text.h"
#include "solvers/released/released.h"

enum { MOST_TASKS = 12000 };

// What is searched, and what is asked for.
typedef struct question {
    const duet_instance *from;
    duet_moved moved;
    const duet_released_wanted *wanted;
} question;

// --- schedules -----------------------------------------------------------------------------------

// The processors of a type behind the first so many are free from the start.
static int64_t listed(const duet_instance *instance, size_t type)
{
    return duet_min(instance->busy_count[type], instance->processors[type]);
}

// Whether a processor of the type of a class is of that class.
static bool is_of(const question *q, size_t class, int64_t processor)
{
    const duet_moved_class *of = &q->moved.class[class];
    return duet_busy_until(q->from, of->type, processor) == of->until;
}

static size_t class_of(const question *q, size_t type, int64_t processor)
{
    size_t at = 0;
    while (q->moved.class[at].type != type || !is_of(q, at, processor)) {
        at++;
    }
    return at;
}

// The number of a processor among those of its class.
static int32_t within_class(const question *q, size_t class, int64_t processor)
{
    int64_t known = duet_min(processor, listed(q->from, q->moved.class[class].type));
    int64_t before = processor - known; // all of the same class
    for (int64_t p = 0; p < known; p++) {
        before += is_of(q, class, p);
    }
    return (int32_t)before;
}

// The processor of its type that has that number in a class.
static int32_t within_type(const question *q, size_t class, int32_t number)
{
    int64_t known = listed(q->from, q->moved.class[class].type);
    int64_t left = number;
    int64_t p = 0;
    while (p < known && (left > 0 || !is_of(q, class, p))) {
        left -= is_of(q, class, p);
        p++;
    }
    return (int32_t)(p + left);
}

// The schedule of the moved instance, without a bound.
static duet_code move_there(const question *q, const duet_solution *from, duet_solution **out,
                            duet_error *error)
{
    int64_t tasks = duet_tasks(q->from);
    size_t at = 0;
    DUET_TRY(duet_solution_create_blank(tasks + 1, out, error));
    DUET_TRY(duet_solution_hold_placements(*out, error));
    for (int64_t j = 0; j < tasks; j++) {
        duet_placement place = duet_solution_place(from, j, &at);
        size_t class = class_of(q, (size_t)place.type, place.processor);
        (*out)->placement[j] =
            (duet_placement){.start = place.start + DUET_MOVED_TICKS,
                             .processor = within_class(q, class, place.processor),
                             .type = (int32_t) class};
    }
    (*out)->placement[tasks] = (duet_placement){.type = (int32_t)q->moved.classes};
    (*out)->makespan = from->makespan + DUET_MOVED_TICKS;
    return DUET_OK;
}

// Takes a shorter schedule, all of it as much earlier as the source ends.
static duet_code move_schedule_back(const question *q, const duet_solution *from, duet_solution *to,
                                    duet_error *error)
{
    int64_t tasks = duet_tasks(q->from);
    int64_t begin = from->placement[tasks].start + DUET_MOVED_TICKS;
    if (from->makespan - begin >= to->makespan) {
        return DUET_OK;
    }
    DUET_TRY(duet_solution_hold_placements(to, error));
    for (int64_t j = 0; j < tasks; j++) {
        duet_placement place = from->placement[j];
        const duet_moved_class *class = &q->moved.class[place.type];
        to->placement[j] =
            (duet_placement){.start = place.start - begin,
                             .processor = within_type(q, (size_t)place.type, place.processor),
                             .type = (int32_t) class->type};
    }
    to->makespan = from->makespan - begin;
    to->found_by[0] = '\0'; // by the algorithm that runs
    return DUET_OK;
}

// --- bounds --------------------------------------------------------------------------------------

// Whether a bound has lines that prove it.
static bool has_lines(const duet_solution *solution)
{
    const duet_certificate *certificate = &solution->certificate;
    return certificate->proof == DUET_PROOF_LINES && certificate->lambda == solution->lower_bound;
}

// Whether the proof that is asked for is in its file.
static bool has_proof(const question *q, const duet_solution *found)
{
    return q->wanted->proof != NULL && !found->output_failed;
}

// Takes a higher bound, or an equal one that alone is proven; also a lower one, which the file of
// the proof proves.
static duet_code move_bound_back(const question *q, const duet_solution *from, duet_solution *to,
                                 duet_error *error)
{
    duet_bound bound = {.name = "exact", .value = from->lower_bound - DUET_MOVED_TICKS};
    if (bound.value < to->lower_bound && has_proof(q, from)) {
        char known[64];
        duet_instance_format_time(q->from, to->lower_bound, known);
        snprintf(to->note, sizeof to->note,
                 "the proof is of less than is known without one: %s, by the bound %s", known,
                 to->bound_name);
        duet_certificate_release(&to->certificate);
        to->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
        to->lower_bound = bound.value;
    }
    bool proven = to->certificate.proof != DUET_PROOF_NONE;
    if (bound.value < to->lower_bound || (bound.value == to->lower_bound && proven)) {
        return DUET_OK;
    }
    if (has_lines(from) && bound.value > 0) {
        bound.certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound.value};
        DUET_TRY(duet_proof_moved_lines(from->certificate.lines, &bound.certificate.lines, error));
    }
    duet_solution_offer_bound(to, &bound);
    duet_bound_release(&bound);
    return DUET_OK;
}

// --- the search ----------------------------------------------------------------------------------

// Tells the search of the bound that is known, where it need not prove it again.
static void tell_bound(const question *q, const duet_solution *solution, duet_solution *known)
{
    if (q->wanted->proof == NULL && solution->certificate.proof != DUET_PROOF_NONE) {
        known->lower_bound = solution->lower_bound + DUET_MOVED_TICKS;
        snprintf(known->bound_name, sizeof known->bound_name, "%s", solution->bound_name);
    }
}

static duet_code run(const question *q, const duet_context *context, duet_solution *found,
                     duet_error *error)
{
    const duet_released_wanted *wanted = q->wanted;
    const duet_graph_proof proof = {.output = wanted->proof, .moved = true};
    return wanted->schedule ? duet_graph_search_solve(q->moved.instance, context, wanted->rounds,
                                                      wanted->searches, found, error)
                            : duet_graph_exact(q->moved.instance, context, wanted->rounds,
                                               wanted->proof == NULL ? NULL : &proof, found, error);
}

static duet_code search(const question *q, const duet_context *context, duet_solution *solution,
                        duet_error *error)
{
    duet_solution *known = NULL;
    duet_solution *found = NULL;
    duet_context inner = *context;
    inner.options = NULL;
    inner.progress = NULL;
    inner.start_from = NULL;
    inner.due = context->due > 0 ? context->due + DUET_MOVED_TICKS : 0;
    duet_code code = move_there(q, solution, &known, error);
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(q->moved.instance), &found, error));
    if (code == DUET_OK) {
        tell_bound(q, solution, known);
        inner.known = known;
        inner.known_from = DUET_KNOWN_GIVEN;
        code = run(q, &inner, found, error);
    }
    DUET_THEN(code, move_schedule_back(q, found, solution, error));
    DUET_THEN(code, move_bound_back(q, found, solution, error));
    if (code == DUET_OK && found->output_failed) {
        solution->output_failed = true;
        memcpy(solution->note, found->note, sizeof solution->note);
    }
    duet_solution_free(found);
    duet_solution_free(known);
    return code;
}

bool duet_released_moves(const duet_instance *instance)
{
    return instance->graph != NULL && instance->moldable == NULL &&
           duet_tasks(instance) <= MOST_TASKS &&
           duet_moved_obstacle_of(instance) == DUET_MOVED_FREE;
}

duet_code duet_released_moved(const duet_instance *instance, const duet_context *context,
                              const duet_released_wanted *wanted, duet_solution *solution,
                              duet_error *error)
{
    question q = {.from = instance, .wanted = wanted};
    duet_error why = DUET_ERROR_INIT;
    if (!duet_released_moves(instance)) {
        return DUET_OK;
    }
    duet_code code = duet_moved_create(instance, context->memory_limit, &q.moved, &why);
    if (code == DUET_OK) {
        code = search(&q, context, solution, error);
    } else if (code == DUET_E_LIMIT || code == DUET_E_MEMORY) { // too large to be searched so
        code = DUET_OK;
    } else {
        code = duet_error_set(error, code, "%s", why.message);
    }
    duet_moved_free(&q.moved);
    return code;
}
