// SPDX-License-Identifier: Apache-2.0
// Runs every algorithm and bound on small random instances and compares with the exhaustive
// optimum.
#include "bench/ratios/small.h"

#include <inttypes.h>
#include <string.h>

#include "bench/run/exhaustive.h"
#include "bench/run/published.h"
#include "bench/run/random_instance.h"
#include "core/fraction.h"
#include "core/random.h"
#include "core/threads.h"

// Of every run; fixed, so that what is refused for want of memory is so on every machine.
static const size_t memory_limit = (size_t)64 << 20;

static duet_bench_algorithm *add_subject(duet_bench_ratios *ratios, const duet_entry *entry,
                                         bool is_bound, duet_error *error)
{
    if (ratios->count == DUET_BENCH_MAX_SUBJECTS) {
        duet_error_set(error, DUET_E_INTERNAL, "more than %d algorithms, choices and bounds",
                       DUET_BENCH_MAX_SUBJECTS);
        return NULL;
    }
    duet_bench_algorithm *subject = &ratios->subject[ratios->count++];
    *subject = (duet_bench_algorithm){.entry = entry, .is_bound = is_bound};
    return subject;
}

// One subject for every choice of an option but the default.
static duet_code add_choices(duet_bench_ratios *ratios, const duet_entry *entry,
                             const duet_option_spec *spec, duet_error *error)
{
    for (const char *at = spec->choices; *at != '\0';) {
        size_t length = strcspn(at, "|");
        bool fallback = strlen(spec->fallback) == length && memcmp(at, spec->fallback, length) == 0;
        if (!fallback) {
            duet_bench_algorithm *subject = add_subject(ratios, entry, false, error);
            if (subject == NULL) {
                return DUET_E_INTERNAL;
            }
            snprintf(subject->option, sizeof subject->option, "%s=%.*s", spec->name, (int)length,
                     at);
            // The paper's six-index table takes as long as all the others together.
            subject->sparse = strcmp(subject->option, "table=published") == 0;
            duet_code code = duet_options_create(&subject->options, error);
            if (code == DUET_OK) {
                code = duet_options_add(subject->options, subject->option, error);
            }
            if (code != DUET_OK) {
                return code;
            }
        }
        at += length + (at[length] == '|');
    }
    return DUET_OK;
}

static duet_code add_algorithm(duet_bench_ratios *ratios, const duet_entry *entry,
                               duet_error *error)
{
    duet_bench_algorithm *subject = add_subject(ratios, entry, false, error);
    if (subject == NULL) {
        return DUET_E_INTERNAL;
    }
    // Published for accelerated tasks alone: that is where it must be refuted.
    subject->only_accelerated = duet_bench_published(entry->name) != NULL;
    for (const duet_option_spec *o = entry->options; o != NULL && o->name != NULL; o++) {
        duet_code code = DUET_OK;
        if (o->type == DUET_OPTION_CHOICE) {
            code = add_choices(ratios, entry, o, error);
        }
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_bench_ratios_algorithms(duet_bench_ratios *ratios, duet_error *error)
{
    ratios->count = 0;
    for (size_t a = 0; a < duet_algorithm_count(); a++) {
        duet_code code = add_algorithm(ratios, duet_algorithm_entry(a), error);
        if (code != DUET_OK) {
            return code;
        }
    }
    for (size_t b = 0; b < duet_bound_count(); b++) {
        if (add_subject(ratios, duet_bound_entry(b), true, error) == NULL) {
            return DUET_E_INTERNAL;
        }
    }
    return DUET_OK;
}

void duet_bench_ratios_free(duet_bench_ratios *ratios)
{
    for (size_t s = 0; s < ratios->count; s++) {
        duet_options_free(ratios->subject[s].options);
    }
    ratios->count = 0;
}

duet_instance *duet_bench_ratios_instance(uint64_t seed)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_shape shape = {.min_tasks = 3,
                        .max_tasks = 9,
                        .min_processors = seed % 5 == 0 ? 0 : 1,
                        .max_processors = 3,
                        .types = 2};
    return duet_random_instance(&random, &shape);
}

static void note_fault(duet_bench_seen *seen, uint64_t seed, const char *why)
{
    seen->faults++;
    if (seen->fault_seed == 0 || seed < seen->fault_seed) {
        seen->fault_seed = seed;
        snprintf(seen->fault, sizeof seen->fault, "%s", why);
    }
}

// Keeps the larger ratio, of equal ones that of the smaller seed.
static void note_ratio(duet_bench_seen *seen, int64_t makespan, int64_t optimum, uint64_t seed)
{
    if (optimum <= 0 || seed == 0) {
        return;
    }
    int order = 1;
    if (seen->seed != 0) {
        order = duet_fraction_compare(
            (duet_fraction){(uint64_t)makespan, (uint64_t)optimum},
            (duet_fraction){(uint64_t)seen->makespan, (uint64_t)seen->optimum});
    }
    if (order > 0 || (order == 0 && seed < seen->seed)) {
        seen->makespan = makespan;
        seen->optimum = optimum;
        seen->seed = seed;
    }
}

static void merge(duet_bench_seen *into, const duet_bench_seen *from)
{
    into->runs += from->runs;
    into->exceeded += from->exceeded;
    note_ratio(into, from->makespan, from->optimum, from->seed);
    if (from->faults > 0) {
        int64_t faults = into->faults + from->faults;
        note_fault(into, from->fault_seed, from->fault);
        into->faults = faults;
    }
}

// Whether it says anything about the bound: out of memory does not, and ends the measurement.
static bool run_bound(const duet_bench_algorithm *subject, const duet_instance *instance,
                      uint64_t seed, int64_t optimum, duet_bench_seen *seen)
{
    duet_error error = DUET_ERROR_INIT;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    duet_bound bound;
    duet_code code = duet_compute_bound(instance, subject->entry->name, &params, &bound, &error);
    if (code == DUET_E_UNSUPPORTED) {
        return true;
    }
    if (code == DUET_E_MEMORY) {
        return false;
    }
    seen->runs++;
    if (code != DUET_OK) {
        note_fault(seen, seed, error.message);
        return true;
    }
    seen->exceeded += bound.value > optimum;
    note_ratio(seen, optimum, bound.value, seed);
    if (bound.certificate.proof != DUET_PROOF_NONE) {
        code = duet_certificate_check(&bound.certificate, instance, &error);
    }
    duet_bound_release(&bound);
    if (code != DUET_OK && code != DUET_E_UNSUPPORTED && code != DUET_E_MEMORY) {
        note_fault(seen, seed, error.message);
    }
    return code != DUET_E_MEMORY;
}

// A search that a limit ended has a schedule and a bound to be checked, but no ratio to keep: it
// does not count as a run.
static bool judge(const duet_bench_algorithm *subject, const duet_instance *instance, uint64_t seed,
                  int64_t optimum, const duet_solution *solution, duet_bench_seen *seen)
{
    duet_error error = DUET_ERROR_INIT;
    int64_t makespan = duet_solution_makespan(solution);
    int64_t counts[2] = {duet_instance_type_count(instance, 0),
                         duet_instance_type_count(instance, 1)};
    duet_code code = duet_check_solution(instance, solution, NULL, &error);
    if (code == DUET_E_MEMORY) {
        return false;
    }
    if (code != DUET_OK) {
        note_fault(seen, seed, error.message);
    } else if (makespan < optimum) {
        note_fault(seen, seed, "its schedule is shorter than the optimum");
    } else if (duet_solution_lower_bound(solution) > optimum) {
        note_fault(seen, seed, "its lower bound is above the optimum");
    }
    if (duet_solution_note(solution) != NULL) {
        return true;
    }
    seen->runs++;
    seen->exceeded += duet_guarantee_holds(subject->entry->name, 2, counts, subject->options,
                                           makespan, optimum) == 0;
    note_ratio(seen, makespan, optimum, seed);
    return true;
}

static bool run_algorithm(const duet_bench_algorithm *subject, const duet_instance *instance,
                          uint64_t seed, int64_t optimum, duet_bench_seen *seen)
{
    if ((subject->only_accelerated && !duet_bench_all_accelerated(instance)) ||
        (subject->sparse && seed % 10 != 0)) {
        return true;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.memory_limit = memory_limit;
    params.options = subject->options;
    duet_solution *solution;
    duet_code code = duet_solve(instance, subject->entry->name, &params, &solution, &error);
    // A table that would not fit into memory is refused, as it should be.
    if (code == DUET_E_UNSUPPORTED || code == DUET_E_LIMIT) {
        return true;
    }
    if (code == DUET_E_MEMORY) {
        return false;
    }
    if (code != DUET_OK) {
        seen->runs++;
        note_fault(seen, seed, error.message);
        return true;
    }
    bool judged = judge(subject, instance, seed, optimum, solution, seen);
    duet_solution_free(solution);
    return judged;
}

static bool run_seed(const duet_bench_ratios *ratios, uint64_t seed, duet_bench_seen *seen)
{
    duet_instance *instance = duet_bench_ratios_instance(seed);
    if (instance == NULL) {
        return false;
    }
    int64_t optimum = duet_exhaustive_optimum(instance);
    bool said = true;
    for (size_t s = 0; s < ratios->count && said; s++) {
        const duet_bench_algorithm *subject = &ratios->subject[s];
        said = (subject->is_bound ? run_bound : run_algorithm)(subject, instance, seed, optimum,
                                                               &seen[s]);
    }
    duet_instance_free(instance);
    return said;
}

duet_code duet_bench_ratios_run(duet_bench_ratios *ratios, duet_error *error)
{
    memset(ratios->seen, 0, sizeof ratios->seen);
    bool failed = false;
#ifdef DUET_WITH_OPENMP
#pragma omp parallel num_threads(duet_threads_startable(ratios->threads))
#endif
    {
        duet_bench_seen own[DUET_BENCH_MAX_SUBJECTS];
        bool own_failed = false;
        memset(own, 0, sizeof own);
#ifdef DUET_WITH_OPENMP
#pragma omp for schedule(dynamic, 8)
#endif
        for (int64_t i = 0; i < ratios->instances; i++) {
            own_failed = !run_seed(ratios, ratios->first_seed + (uint64_t)i, own) || own_failed;
        }
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_bench_merge)
#endif
        {
            failed = failed || own_failed;
            for (size_t s = 0; s < ratios->count; s++) {
                merge(&ratios->seen[s], &own[s]);
            }
        }
    }
    return failed ? duet_error_set(error, DUET_E_MEMORY, "out of memory") : DUET_OK;
}
