// SPDX-License-Identifier: Apache-2.0
#include "core/solution/solution.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/instance.h"
#include "core/instance/lateness.h"
#include "core/solution/certificate.h"
#include "core/system/memory.h"
#include "core/system/vec.h"

duet_code duet_solution_create(int64_t tasks, duet_solution **out, duet_error *error)
{
    *out = NULL;
    if (tasks < 0) {
        return duet_error_set(error, DUET_E_USAGE, "expected at least 0 tasks");
    }
    duet_solution *solution;
    duet_code code = duet_solution_create_blank(tasks, &solution, error);
    if (code == DUET_OK) {
        code = duet_solution_hold_placements(solution, error);
        if (code != DUET_OK) {
            duet_solution_free(solution);
            return code;
        }
        *out = solution;
    }
    return code;
}

void duet_solution_free(duet_solution *solution)
{
    while (solution != NULL) {
        duet_solution *earlier = solution->earlier;
        duet_free(solution->placement);
        duet_free(solution->run);
        duet_free(solution->set_at);
        duet_free(solution->set_count);
        duet_free(solution->range);
        duet_free(solution->aborted);
        duet_certificate_release(&solution->certificate);
        duet_certificate_release(&solution->certified.certificate);
        duet_free(solution);
        solution = earlier;
    }
}

int64_t duet_solution_tasks(const duet_solution *solution)
{
    return solution->tasks;
}

const duet_aborted *duet_solution_aborted(const duet_solution *solution, size_t *count)
{
    *count = solution->aborted_count;
    return solution->aborted;
}

int64_t duet_solution_makespan(const duet_solution *solution)
{
    return solution->makespan;
}

int64_t duet_solution_lower_bound(const duet_solution *solution)
{
    return solution->lower_bound;
}

const char *duet_solution_bound_name(const duet_solution *solution)
{
    return solution->bound_name;
}

duet_status duet_solution_status(const duet_solution *solution)
{
    return solution->status;
}

const char *duet_status_name(duet_status status)
{
    switch (status) {
    case DUET_OPTIMAL:
        return "optimal";
    case DUET_BOUNDED:
        return "bounded";
    case DUET_FEASIBLE:
        break;
    }
    return "feasible";
}

const char *duet_solution_algorithm(const duet_solution *solution)
{
    return solution->algorithm;
}

const char *duet_solution_found_by(const duet_solution *solution)
{
    return solution->found_by;
}

const char *duet_solution_guarantee(const duet_solution *solution)
{
    return solution->guarantee[0] == '\0' ? NULL : solution->guarantee;
}

double duet_solution_seconds(const duet_solution *solution)
{
    return solution->seconds;
}

bool duet_solution_interrupted(const duet_solution *solution)
{
    return solution->interrupted;
}

// By duet_ending.
static const char *const endings[] = {"time limit reached", "limit reached", "interrupted",
                                      "gap reached", "deadline decided"};

const char *duet_solution_ending(const duet_solution *solution)
{
    bool ended = solution->interrupted || solution->ending >= DUET_ENDED_BY_GAP;
    return ended ? endings[solution->ending] : NULL;
}

void duet_solution_set_ending(duet_solution *solution, bool cancelled)
{
    bool limit = solution->note[0] != '\0' && !solution->output_failed;
    if (solution->ending >= DUET_ENDED_BY_GAP) {
        return;
    }
    solution->ending = cancelled ? DUET_ENDED_BY_CALL
                       : limit   ? DUET_ENDED_BY_LIMIT
                                 : DUET_ENDED_BY_TIME;
}

duet_feasibility duet_solution_meets(const duet_solution *solution, int64_t deadline)
{
    return solution->makespan <= deadline     ? DUET_YES
           : solution->lower_bound > deadline ? DUET_NO
                                              : DUET_UNDECIDED;
}

void duet_solution_set_deadline(duet_solution *solution, const duet_instance *instance,
                                int64_t deadline, const char *text)
{
    char digits[32];
    solution->deadline = deadline;
    snprintf(solution->deadline_text, sizeof solution->deadline_text, "%s",
             text != NULL ? text : duet_instance_format_time(instance, deadline, digits));
}

bool duet_solution_late(const duet_instance *instance, const duet_solution *solution, int64_t task,
                        duet_decimal *by)
{
    size_t at = 0;
    size_t kind = duet_instance_kind_of(instance, task);
    duet_placement place = {.type = -1};
    if (duet_has_deadline(instance, kind)) {
        place = duet_solution_place(solution, task, &at);
    }
    bool runs = place.type >= 0 && (size_t)place.type < instance->types &&
                (instance->moldable != NULL ||
                 duet_time(instance, kind, (size_t)place.type) != DUET_FORBIDDEN);
    return runs && duet_lateness(instance, task, duet_solution_end(solution, instance, task), by);
}

bool duet_solution_find_ending(const char *text, duet_ending *ending)
{
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(text, endings[i]) == 0) {
            *ending = (duet_ending)i;
            return true;
        }
    }
    return false;
}

bool duet_solution_output_failed(const duet_solution *solution)
{
    return solution->output_failed;
}

const char *duet_solution_note(const duet_solution *solution)
{
    return solution->note[0] == '\0' ? NULL : solution->note;
}

const duet_counter *duet_solution_counters(const duet_solution *solution, size_t *count)
{
    *count = solution->counters;
    return solution->counter;
}

const duet_certificate *duet_solution_certificate(const duet_solution *solution)
{
    return &solution->certificate;
}

duet_code duet_solution_add_aborted(duet_solution *solution, duet_aborted run, duet_error *error)
{
    return duet_vec_push(solution->aborted, solution->aborted_count, error, run);
}

void duet_solution_count(duet_solution *solution, const char *name, int64_t value)
{
    for (size_t i = 0; i < solution->counters; i++) {
        if (strcmp(solution->counter[i].name, name) == 0) {
            solution->counter[i].value = value;
            return;
        }
    }
    if (solution->counters < DUET_MAX_COUNTERS) {
        solution->counter[solution->counters++] = (duet_counter){name, value};
    }
}

// How much a certificate can be relied on; CHECKED: the checker confirms it by itself.
enum { CHECKED = 2 };
static int firmness(const duet_certificate *certificate)
{
    return certificate->proof == DUET_PROOF_NONE    ? 0
           : duet_proof_is_deep(certificate->proof) ? 1
                                                    : CHECKED;
}

// Keeps a bound that can be checked beside a higher one that cannot.
static void keep_certified(duet_solution *solution, const duet_bound *bound)
{
    bool first = solution->certified.certificate.proof == DUET_PROOF_NONE;
    if (firmness(&bound->certificate) < CHECKED ||
        (!first && bound->value <= solution->certified.value)) {
        return;
    }
    const duet_certificate replaced = solution->certified.certificate;
    solution->certified.value = bound->value;
    solution->certified.certificate = bound->certificate;
    duet_certificate_retain(&bound->certificate); // first: they may hold the same
    duet_certificate_release(&replaced);
    snprintf(solution->certified.name, sizeof solution->certified.name, "%s", bound->name);
}

void duet_solution_drop_certified(duet_solution *solution)
{
    duet_certificate_release(&solution->certified.certificate);
    solution->certified.certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
}

void duet_solution_offer_bound(duet_solution *solution, const duet_bound *bound)
{
    bool better = bound->value > solution->lower_bound;
    // At equal value a bound that can be checked is worth more.
    bool firmer = bound->value == solution->lower_bound &&
                  (firmness(&bound->certificate) > firmness(&solution->certificate) ||
                   solution->bound_name[0] == '\0');
    if (better || firmer) {
        char name[sizeof solution->bound_name];
        snprintf(name, sizeof name, "%s", solution->bound_name);
        const duet_bound replaced = {
            .name = name, .value = solution->lower_bound, .certificate = solution->certificate};
        solution->lower_bound = bound->value;
        solution->certificate = bound->certificate;
        duet_certificate_retain(&solution->certificate); // first: they may hold the same
        keep_certified(solution, &replaced);
        duet_certificate_release(&replaced.certificate);
        snprintf(solution->bound_name, sizeof solution->bound_name, "%s", bound->name);
    } else {
        keep_certified(solution, bound);
    }
    if (firmness(&solution->certificate) == CHECKED) {
        duet_solution_drop_certified(solution); // it can be checked itself
    }
}

void duet_solution_drop_bound(duet_solution *solution)
{
    duet_solution_drop_certified(solution);
    duet_certificate_release(&solution->certificate);
    solution->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    solution->lower_bound = 0;
    solution->bound_name[0] = '\0';
    solution->status = DUET_FEASIBLE;
}

void duet_solution_finish(duet_solution *solution, const duet_instance *instance)
{
    solution->makespan = duet_solution_measure(solution, instance);
    if (solution->lower_bound == solution->makespan) {
        solution->status = DUET_OPTIMAL;
    } else {
        solution->status = solution->bound_name[0] == '\0' ? DUET_FEASIBLE : DUET_BOUNDED;
    }
}

int64_t duet_solution_measure(const duet_solution *solution, const duet_instance *instance)
{
    int64_t makespan = 0;
    if (solution->placement == NULL) {
        for (size_t r = 0; r < solution->runs; r++) {
            const duet_task_run *run = &solution->run[r];
            makespan = duet_max(makespan, run->start + run->count * run->time);
        }
        return makespan;
    }
    for (int64_t j = 0; j < solution->tasks && solution->set_at != NULL; j++) {
        makespan = duet_max(makespan, duet_solution_end(solution, instance, j));
    }
    for (size_t i = 0; i < instance->kinds && solution->set_at == NULL; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            const duet_placement *placed = &solution->placement[j];
            makespan =
                duet_max(makespan, placed->start + duet_time(instance, i, (size_t)placed->type));
        }
    }
    return makespan;
}
