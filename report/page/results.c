// SPDX-License-Identifier: Apache-2.0
#include "report/page/results.h"

#include <math.h>

#include "core/fraction.h"
#include "core/memory.h"

// Tables round their ratios, so ratios are compared with this margin.
static const double MARGIN = 1e-6;

static bool is_time(duet_decimal value)
{
    return value.mantissa >= 0;
}

static duet_fraction as_fraction(duet_decimal value)
{
    duet_fraction fraction = {(duet_uint128)value.mantissa, 1};
    for (int i = 0; i < value.places; i++) {
        fraction.den *= 10;
    }
    return fraction;
}

static int compare_times(duet_decimal a, duet_decimal b)
{
    return duet_fraction_compare(as_fraction(a), as_fraction(b));
}

static double divide(duet_decimal a, duet_decimal b)
{
    return (double)a.mantissa / (double)b.mantissa * pow(10, b.places - a.places);
}

duet_code duet_results_source(duet_results *results, const char *name, uint32_t *file,
                              duet_error *error)
{
    // Two sources may have the same name: the salt keeps them apart.
    return duet_names_add(&results->files, (uint32_t)results->files.count, name, file, error);
}

static void learn(duet_known *known, const duet_result *result)
{
    if (is_time(result->makespan) &&
        (!is_time(known->makespan) || compare_times(result->makespan, known->makespan) < 0)) {
        known->makespan = result->makespan;
    }
    if (is_time(result->bound) &&
        (!is_time(known->bound) || compare_times(result->bound, known->bound) > 0)) {
        known->bound = result->bound;
    }
    if (is_time(result->optimum)) {
        known->optimum = result->optimum;
    }
}

// Whether two sources say different things of one instance.
static bool contradicts(const duet_known *known, const duet_result *result)
{
    return is_time(result->optimum) && is_time(known->optimum) &&
           compare_times(result->optimum, known->optimum) != 0;
}

enum { BY_NAME, BY_ALIAS };

// The entry that all sources share for a name or an alias.
static duet_code share(duet_results *results, uint32_t salt, const char *name, uint32_t *number,
                       duet_error *error)
{
    size_t before = results->shared_names.count;
    duet_code code = duet_grow(&results->shared, before, &results->shared_capacity,
                               sizeof *results->shared, error);
    if (code == DUET_OK) {
        code = duet_names_add(&results->shared_names, salt, name, number, error);
    }
    if (code == DUET_OK && results->shared_names.count > before) {
        results->shared[before] =
            (duet_shared){.known = {DUET_NO_TIME, DUET_NO_TIME, DUET_NO_TIME}, .file = UINT32_MAX};
        results->distinct += salt == BY_NAME;
    }
    return code;
}

static duet_code share_instance(duet_results *results, const duet_result *result, uint32_t number,
                                duet_error *error)
{
    const char *alias = result->alias == NULL ? result->instance : result->alias;
    duet_code code = duet_grow(&results->by_name, number, &results->by_name_capacity,
                               sizeof *results->by_name, error);
    if (code == DUET_OK) {
        code = duet_grow(&results->by_alias, number, &results->by_alias_capacity,
                         sizeof *results->by_alias, error);
    }
    if (code == DUET_OK) {
        code = share(results, BY_NAME, result->instance, &results->by_name[number], error);
    }
    return code == DUET_OK ? share(results, BY_ALIAS, alias, &results->by_alias[number], error)
                           : code;
}

static void learn_shared(duet_shared *shared, const duet_result *result, uint32_t instance)
{
    bool other = shared->file == result->file && shared->instance != instance;
    shared->ambiguous = shared->ambiguous || other || contradicts(&shared->known, result);
    shared->file = result->file;
    shared->instance = instance;
    learn(&shared->known, result);
}

static duet_code add_instance(duet_results *results, const duet_result *result, uint32_t *number,
                              duet_error *error)
{
    size_t before = results->instances.count;
    duet_code code =
        duet_grow(&results->known, before, &results->known_capacity, sizeof *results->known, error);
    if (code == DUET_OK) {
        code = duet_names_add(&results->instances, result->file, result->instance, number, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    if (results->instances.count > before) {
        results->known[before] = (duet_known){DUET_NO_TIME, DUET_NO_TIME, DUET_NO_TIME};
        code = share_instance(results, result, *number, error);
    }
    if (code == DUET_OK) {
        learn(&results->known[*number], result);
        learn_shared(&results->shared[results->by_name[*number]], result, *number);
        learn_shared(&results->shared[results->by_alias[*number]], result, *number);
    }
    return code;
}

static duet_code add_platform(duet_results *results, const duet_result *result, uint32_t *number,
                              duet_error *error)
{
    size_t before = results->platforms.count;
    duet_code code = duet_grow(&results->processors, before, &results->processors_capacity,
                               sizeof *results->processors, error);
    if (code == DUET_OK) {
        code = duet_names_add(&results->platforms, 0, result->platform, number, error);
    }
    if (code == DUET_OK && results->platforms.count > before) {
        results->processors[before] = (duet_platform_processors){result->m, result->k};
    }
    return code;
}

static duet_code add_names(duet_results *results, const duet_result *result, duet_kept_result *run,
                           duet_error *error)
{
    duet_code code = duet_names_add(&results->series, 0, result->series, &run->series, error);
    if (code == DUET_OK && results->series.count > DUET_MAX_SERIES) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "more than %d different algorithms; expected fewer in one report",
                              DUET_MAX_SERIES);
    }
    code =
        code == DUET_OK ? duet_names_add(&results->sets, 0, result->set, &run->set, error) : code;
    if (code == DUET_OK) {
        code = duet_names_add(&results->families, 0, result->family, &run->family, error);
    }
    if (code == DUET_OK) {
        code = duet_names_add(&results->reasons, 0, result->reason, &run->reason, error);
    }
    code = code == DUET_OK ? add_platform(results, result, &run->platform, error) : code;
    return code == DUET_OK ? add_instance(results, result, &run->instance, error) : code;
}

static duet_code make_room(duet_results *results, duet_error *error)
{
    if (results->count == results->capacity) {
        duet_code code = duet_memory_check(results->count + results->count / 2 + 16,
                                           sizeof *results->run, 0, "runs of a report", error);
        if (code != DUET_OK) {
            return code;
        }
    }
    return duet_grow(&results->run, results->count, &results->capacity, sizeof *results->run,
                     error);
}

duet_code duet_results_add(duet_results *results, const duet_result *result, duet_error *error)
{
    duet_kept_result run = {.file = result->file,
                            .status = (uint8_t)result->status,
                            .reference = (uint8_t)result->reference,
                            .respected = (uint8_t)result->respected,
                            .n = result->n,
                            .makespan = result->makespan,
                            .ratio = result->ratio,
                            .proven = result->proven,
                            .seconds = result->seconds,
                            .cells = result->cells,
                            .bytes = result->bytes};
    duet_code code = make_room(results, error);
    code = code == DUET_OK ? add_names(results, result, &run, error) : code;
    if (code == DUET_OK) {
        results->run[results->count++] = run;
    }
    return code;
}

// Whether the optimum of an instance is known.
static bool optimum_known(const duet_known *known)
{
    return is_time(known->optimum) || (is_time(known->makespan) && is_time(known->bound) &&
                                       compare_times(known->makespan, known->bound) == 0);
}

static void find_ratio(duet_kept_result *run, const duet_known *known)
{
    duet_decimal reference = is_time(known->optimum) ? known->optimum : known->bound;
    if (isnan(run->ratio) && is_time(run->makespan) && reference.mantissa > 0) {
        run->ratio = divide(run->makespan, reference);
    }
    if (!isnan(run->ratio) && run->reference == DUET_REFERENCE_NONE) {
        run->reference = optimum_known(known) ? DUET_REFERENCE_OPTIMUM : DUET_REFERENCE_BOUND;
    }
}

// Only the optimum can refute a proven ratio. Against a lower bound, a larger ratio refutes
// nothing.
static void judge(duet_kept_result *run)
{
    if (isnan(run->ratio)) {
        return;
    }
    run->below = run->ratio < 1 - MARGIN;
    if (run->respected == DUET_VERDICT_NONE && !isnan(run->proven) &&
        run->reference == DUET_REFERENCE_OPTIMUM) {
        run->respected = run->ratio > run->proven * (1 + MARGIN) ? DUET_VERDICT_EXCEEDED
                                                                 : DUET_VERDICT_RESPECTED;
    }
}

// What counts for an instance: what its own source knows; where that has no optimum, another's;
// where it has nothing, another's bound.
static duet_known known_of(const duet_results *results, uint32_t instance)
{
    const duet_known *own = &results->known[instance];
    const duet_shared *entries[] = {&results->shared[results->by_name[instance]],
                                    &results->shared[results->by_alias[instance]]};
    for (size_t i = 0; i < 2 && !optimum_known(own); i++) {
        if (!entries[i]->ambiguous && is_time(entries[i]->known.optimum)) {
            return entries[i]->known;
        }
        if (!entries[i]->ambiguous && (!is_time(own->bound) || optimum_known(&entries[i]->known)) &&
            is_time(entries[i]->known.bound)) {
            return entries[i]->known;
        }
    }
    return *own;
}

void duet_results_settle(duet_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        duet_kept_result *run = &results->run[i];
        duet_known known = known_of(results, run->instance);
        find_ratio(run, &known);
        judge(run);
    }
}

size_t duet_results_unreferred(const duet_results *results, uint32_t file, uint32_t *series)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const duet_kept_result *run = &results->run[i];
        if (run->file == file && is_time(run->makespan) && isnan(run->ratio)) {
            if (count++ == 0 && series != NULL) {
                *series = run->series;
            }
        }
    }
    return count;
}

void duet_results_free(duet_results *results)
{
    duet_free(results->run);
    duet_free(results->known);
    duet_free(results->shared);
    duet_free(results->by_name);
    duet_free(results->by_alias);
    duet_names_free(&results->shared_names);
    duet_free(results->processors);
    duet_names_free(&results->files);
    duet_names_free(&results->series);
    duet_names_free(&results->sets);
    duet_names_free(&results->families);
    duet_names_free(&results->platforms);
    duet_names_free(&results->instances);
    duet_names_free(&results->reasons);
    *results = (duet_results){0};
}
