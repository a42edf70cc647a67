// SPDX-License-Identifier: Apache-2.0
#include "report/page/results.h"

#include <math.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Tables round their ratios, so ratios are compared with this margin.
static const double MARGIN = 1e-6;

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

// An instance that is new in its source.
static duet_code join_instance(duet_results *results, const duet_result *result, uint32_t platform,
                               duet_error *error)
{
    bool told = result->platform[0] != '\0';
    return duet_joins_add(&results->joins, result->file, told ? platform : DUET_NO_PLATFORM,
                          result->labels > 0 ? result->label : &result->instance,
                          result->labels > 0 ? result->labels : 1, error);
}

static duet_code add_instance(duet_results *results, const duet_result *result, uint32_t platform,
                              uint32_t *number, duet_error *error)
{
    size_t before = results->instances.count;
    DUET_TRY(duet_vec_grow(results->known, before, error));
    DUET_TRY(duet_names_add(&results->instances, result->file, result->instance, number, error));
    duet_code code = DUET_OK;
    if (results->instances.count > before) {
        results->known[before] = DUET_NOTHING_KNOWN;
        code = join_instance(results, result, platform, error);
    }
    if (code == DUET_OK) {
        const duet_known told = {result->makespan, result->bound, result->optimum};
        duet_known_learn(&results->known[*number], &told);
    }
    return code;
}

static duet_code add_platform(duet_results *results, const duet_result *result, uint32_t *number,
                              duet_error *error)
{
    size_t before = results->platforms.count;
    DUET_TRY(duet_vec_grow(results->processors, before, error));
    DUET_TRY(duet_names_add(&results->platforms, 0, result->platform, number, error));
    if (results->platforms.count > before) {
        results->processors[before] = (duet_platform_processors){result->m, result->k};
    }
    if (results->processors[*number].m < 0) {
        results->processors[*number] = (duet_platform_processors){result->m, result->k};
    }
    return DUET_OK;
}

static duet_code add_names(duet_results *results, const duet_result *result, duet_kept_result *run,
                           duet_error *error)
{
    DUET_TRY(duet_names_add(&results->series, 0, result->series, &run->series, error));
    if (results->series.count > DUET_MAX_SERIES) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "more than %d different algorithms; expected fewer in one report",
                              DUET_MAX_SERIES);
    }
    DUET_TRY(duet_names_add(&results->sets, 0, result->set, &run->set, error));
    DUET_TRY(duet_names_add(&results->families, 0, result->family, &run->family, error));
    DUET_TRY(duet_names_add(&results->reasons, 0, result->reason, &run->reason, error));
    DUET_TRY(add_platform(results, result, &run->platform, error));
    return add_instance(results, result, run->platform, &run->instance, error);
}

static duet_code make_room(duet_results *results, duet_error *error)
{
    if (results->count == duet_vec_room(results->run)) {
        DUET_TRY(duet_memory_check(results->count + results->count / 2 + 16, sizeof *results->run,
                                   0, "runs of a report", error));
    }
    return duet_vec_grow(results->run, results->count, error);
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
    DUET_TRY(make_room(results, error));
    DUET_TRY(add_names(results, result, &run, error));
    results->run[results->count++] = run;
    return DUET_OK;
}

static void find_ratio(duet_kept_result *run, const duet_known *known)
{
    duet_decimal reference = duet_is_time(known->optimum) ? known->optimum : known->bound;
    if (isnan(run->ratio) && duet_is_time(run->makespan) && reference.mantissa > 0) {
        run->ratio = divide(run->makespan, reference);
    } else if (isnan(run->ratio) && duet_is_time(run->makespan) && run->makespan.mantissa == 0 &&
               reference.mantissa == 0) {
        run->ratio = 1; // nothing is longer than it has to be
    }
    if (!isnan(run->ratio) && run->reference == DUET_REFERENCE_NONE) {
        run->reference = duet_known_optimum(known) ? DUET_REFERENCE_OPTIMUM : DUET_REFERENCE_BOUND;
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
    const duet_known *all = duet_joins_known(&results->joins, instance);
    return !duet_known_optimum(own) && (duet_known_optimum(all) || !duet_is_time(own->bound))
               ? *all
               : *own;
}

duet_code duet_results_settle(duet_results *results, duet_error *error)
{
    DUET_TRY(duet_joins_settle(&results->joins, results->known, error));
    for (size_t i = 0; i < results->count; i++) {
        duet_kept_result *run = &results->run[i];
        duet_known known = known_of(results, run->instance);
        find_ratio(run, &known);
        judge(run);
    }
    return DUET_OK;
}

void duet_results_free(duet_results *results)
{
    duet_free(results->run);
    duet_free(results->known);
    duet_joins_free(&results->joins);
    duet_free(results->processors);
    duet_names_free(&results->files);
    duet_names_free(&results->series);
    duet_names_free(&results->sets);
    duet_names_free(&results->families);
    duet_names_free(&results->platforms);
    duet_names_free(&results->instances);
    duet_names_free(&results->reasons);
    duet_names_free(&results->types);
    *results = (duet_results){0};
}
