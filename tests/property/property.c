// SPDX-License-Identifier: Apache-2.0
#include "tests/property/property.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/run/exhaustive.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/solution/solution.h"

enum { MOST_PROOF = 1 << 16, PROOFS = 6, EFFORT = 300000 };

// The best that is accepted of each side.
typedef struct sides {
    int64_t shortest;    // schedule; DUET_FORBIDDEN: none
    int64_t highest;     // bound
    const char *refused; // what must be accepted and is not; NULL: nothing
} sides;

// The latest end of what can run where it is.
static int64_t latest_end(const duet_instance *instance, const duet_solution *solution)
{
    int64_t latest = 0;
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        const duet_placement *placed = &solution->placement[j];
        bool exists = placed->type >= 0 && (size_t)placed->type < instance->types &&
                      placed->start >= 0 && placed->start < DUET_MAX_WORK;
        duet_processor_range one;
        int64_t time =
            !exists ? 0
            : instance->moldable != NULL
                ? duet_moldable_duration(instance, kind, duet_solution_set(solution, j, &one))
                : duet_time(instance, kind, (size_t)placed->type);
        int64_t end = exists && time != DUET_FORBIDDEN ? placed->start + time : 0;
        latest = end > latest ? end : latest;
    }
    return latest;
}

static void try_schedules(draws *d, const duet_instance *instance, int schedules,
                          property_counts *counts, sides *found)
{
    for (int i = 0; i < schedules; i++) {
        bool whole = false;
        duet_solution *solution = property_schedule(d, instance, &whole);
        if (solution == NULL) {
            continue;
        }
        counts->schedules++;
        // The claims of the schedule itself are true: they are not what is tried here.
        solution->makespan = latest_end(instance, solution);
        solution->lower_bound = 0;
        solution->status = DUET_FEASIBLE;
        if (duet_check_solution(instance, solution, NULL, NULL, NULL) == DUET_OK) {
            counts->accepted_schedules++;
            found->shortest =
                solution->makespan < found->shortest ? solution->makespan : found->shortest;
        } else if (whole) {
            found->refused = "a valid schedule is refused";
        }
        duet_solution_free(solution);
    }
}

static void try_claims(draws *d, const duet_instance *instance, int claims, property_counts *counts,
                       sides *found)
{
    property_claims list = {.certificate = NULL};
    property_make_claims(instance, &list);
    size_t made = list.count;
    for (int i = 0; i < claims; i++) {
        property_forge_claim(d, instance, made, &list);
    }
    for (size_t i = 0; i < list.count; i++) {
        int64_t bound = property_accepted_bound(&list.certificate[i], instance);
        counts->claims++;
        if (bound < 0 && i < made && list.certificate[i].proof != DUET_PROOF_NONE) {
            const duet_certificate *own = &list.certificate[i];
            duet_error why = DUET_ERROR_INIT;
            duet_certificate_check(own, instance, NULL, &why);
            printf("%s, %" PRId64 ": %s\n", duet_proof_name(own->proof), own->lambda, why.message);
            found->refused = "a certificate of the library's own is refused";
        }
        counts->accepted_claims += bound >= 0;
        found->highest = bound > found->highest ? bound : found->highest;
    }
    property_free_claims(&list);
}

// --- proofs by search ----------------------------------------------------------------------------

static const char *in_memory(char *path, size_t room, int *file)
{
    *file = memfd_create("duet-property", 0);
    snprintf(path, room, "/proc/self/fd/%d", *file);
    return path;
}

// The proof that `exact` writes; returns its length, 0 where there is none.
static size_t write_proof(const duet_instance *instance, char *text)
{
    char path[64];
    char option[80];
    int file;
    duet_params params = DUET_PARAMS_INIT;
    duet_options *options = NULL;
    duet_solution *solution = NULL;
    size_t length = 0;
    snprintf(option, sizeof option, "proof=%s", in_memory(path, sizeof path, &file));
    params.threads = 1;
    params.time_limit = 0.3;
    if (duet_options_create(&options, NULL) == DUET_OK &&
        duet_options_add(options, option, NULL) == DUET_OK) {
        params.options = options;
        if (duet_solve(instance, "exact", &params, &solution, NULL) == DUET_OK) {
            ssize_t read = pread(file, text, MOST_PROOF - 1, 0);
            length = read > 0 && read < MOST_PROOF - 1 ? (size_t)read : 0;
        }
    }
    duet_solution_free(solution);
    duet_options_free(options);
    close(file);
    text[length] = '\0';
    return length;
}

static int64_t accepted_by_proof(const duet_instance *instance, const char *text, size_t length)
{
    char path[64];
    int file;
    duet_proof_stats stats = {.is_proof = false};
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = (size_t)256 << 20;
    in_memory(path, sizeof path, &file);
    bool whole = write(file, text, length) == (ssize_t)length;
    duet_code code =
        whole ? duet_verify_proof(instance, path, 1, &params, &stats, NULL) : DUET_E_OUTPUT;
    int64_t bound = stats.is_proof ? stats.bound : 1;
    if (whole && bound > 1) { // it claims another one than 1
        code = duet_verify_proof(instance, path, bound, &params, &stats, NULL);
    }
    close(file);
    return code == DUET_OK ? bound : -1;
}

// Raises the bound that the proof claims by one, or changes a digit of it.
static void change_proof(draws *d, char *text, size_t length)
{
    char *bound = strstr(text, "\nbound ");
    size_t at = bound != NULL && draw_once(d, 2) ? (size_t)(bound - text) + strlen("\nbound ")
                                                 : (size_t)draw(d, 0, (int64_t)length - 1);
    at += bound != NULL && at == (size_t)(bound - text) + strlen("\nbound ")
              ? strspn(text + at, "0123456789") - 1
              : 0;
    for (; at < length; at++) {
        if (text[at] >= '0' && text[at] <= '9') {
            text[at] = text[at] < '9' && draw_once(d, 2) ? (char)(text[at] + 1)
                                                         : (char)('0' + draw(d, 0, 9));
            return;
        }
    }
}

static void try_proofs(draws *d, const duet_instance *instance, property_counts *counts,
                       sides *found)
{
    static const unsigned moldable = DUET_FEATURE_MOLDABLE;
    char *text = (duet_instance_features(instance) & moldable) == 0 && draw_once(d, 4)
                     ? malloc(2 * MOST_PROOF)
                     : NULL;
    size_t length = text == NULL ? 0 : write_proof(instance, text);
    for (int i = 0; i < PROOFS && length > 0; i++) {
        char *other = text + MOST_PROOF;
        memcpy(other, text, length + 1);
        for (int64_t changes = i == 0 ? 0 : draw(d, 1, 3); changes > 0; changes--) {
            change_proof(d, other, length);
        }
        int64_t bound = accepted_by_proof(instance, other, length);
        counts->proofs++;
        counts->accepted_proofs += bound >= 0;
        found->highest = bound > found->highest ? bound : found->highest;
    }
    free(text);
}

// --- pairs ---------------------------------------------------------------------------------------

const char *property_try(draws *d, int schedules, int claims, property_counts *counts,
                         duet_instance **instance)
{
    static char message[160];
    property_counts before = *counts;
    sides found = {.shortest = DUET_FORBIDDEN, .highest = -1};
    *instance = property_instance(d);
    if (*instance == NULL || duet_tasks(*instance) == 0) {
        return NULL;
    }
    counts->instances++;
    counts->mixed += duet_instance_mixed_sets(*instance);
    try_schedules(d, *instance, schedules, counts, &found);
    try_claims(d, *instance, claims, counts, &found);
    try_proofs(d, *instance, counts, &found);
    counts->pairs += (counts->schedules - before.schedules) *
                     (counts->claims - before.claims + counts->proofs - before.proofs);
    if (found.refused != NULL) {
        return found.refused;
    }
    if (found.highest > found.shortest) {
        snprintf(message, sizeof message,
                 "a bound of %" PRId64 " and a schedule of %" PRId64 " are accepted", found.highest,
                 found.shortest);
        return message;
    }
    // And the optimum, where it is found quickly, lies between the two.
    int64_t optimum =
        found.highest < 0 ? 0 : duet_exhaustive_within(*instance, found.highest - 1, EFFORT);
    if (optimum >= 0 && optimum < found.highest) {
        snprintf(message, sizeof message,
                 "a bound of %" PRId64 " is accepted, and the optimum is %" PRId64, found.highest,
                 optimum);
        return message;
    }
    return NULL;
}
