// SPDX-License-Identifier: Apache-2.0
// What came of the runs: counted as they come in, in any order; the figures are taken in the order
// of the instances, and the largest ratio in integers, so that nothing depends on that order.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/published.h"
#include "bench/run/statistics.h"
#include "core/memory.h"

static size_t first_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The larger ratio; of equal ones that of the smaller job.
static void note_worst(duet_ratios_seen *seen, duet_fraction ratio, size_t job)
{
    int order = seen->worst_job == SIZE_MAX ? 1 : duet_fraction_compare(ratio, seen->worst);
    if (order > 0 || (order == 0 && job < seen->worst_job)) {
        seen->worst = ratio;
        seen->worst_job = job;
    }
}

void duet_ratios_note(duet_ratios *ratios, size_t job, size_t algorithm,
                      const duet_run_result *result)
{
    size_t group = (size_t)(duet_ratios_group_of(ratios, job) - ratios->groups);
    duet_ratios_seen *seen = &ratios->seen[algorithm * ratios->group_count + group];
    double proven = strtod(result->proven, NULL);
    if (strcmp(result->status, "fault") == 0) {
        seen->faults++;
        seen->fault_job = first_of(seen->fault_job, job);
    }
    if (result->unreferred) {
        seen->unreferred++;
        seen->unreferred_job = first_of(seen->unreferred_job, job);
    }
    if (strcmp(result->status, "skipped") == 0) {
        return;
    }
    if (result->makespan < 0) {
        seen->failed++;
        return;
    }
    seen->runs++;
    seen->open += !result->is_optimum && !result->unreferred;
    seen->judged += proven > 0;
    seen->proven = proven > seen->proven ? proven : seen->proven;
    seen->unclear += proven > 0 && result->respected < 0;
    if (result->respected == 0) {
        seen->exceeded++;
        seen->exceeded_job = first_of(seen->exceeded_job, job);
    }
    if (result->reference > 0 && strcmp(result->status, "fault") != 0) {
        ratios->ratio[algorithm * ratios->jobs + job] =
            (double)result->makespan / (double)result->reference;
        note_worst(seen, (duet_fraction){(uint64_t)result->makespan, (uint64_t)result->reference},
                   job);
    }
}

bool duet_ratios_may_refute(const duet_ratios *ratios, size_t algorithm,
                            const duet_run_result *result)
{
    return result->is_optimum && result->makespan >= 0 && result->reference > 0 &&
           strcmp(result->status, "fault") != 0 &&
           duet_bench_refutes(
               ratios->settings.algorithm[algorithm].name,
               (duet_fraction){(uint64_t)result->makespan, (uint64_t)result->reference});
}

void duet_ratios_note_refuted(duet_ratios *ratios, size_t job, size_t algorithm)
{
    size_t group = (size_t)(duet_ratios_group_of(ratios, job) - ratios->groups);
    duet_ratios_seen *seen = &ratios->seen[algorithm * ratios->group_count + group];
    seen->refuted++;
    seen->refuted_job = first_of(seen->refuted_job, job);
}

static void merge(duet_ratios_seen *into, const duet_ratios_seen *from)
{
    into->runs += from->runs;
    into->failed += from->failed;
    into->open += from->open;
    into->unclear += from->unclear;
    into->exceeded += from->exceeded;
    into->faults += from->faults;
    into->unreferred += from->unreferred;
    into->unreferred_job = first_of(into->unreferred_job, from->unreferred_job);
    into->refuted += from->refuted;
    into->refuted_job = first_of(into->refuted_job, from->refuted_job);
    into->exceeded_job = first_of(into->exceeded_job, from->exceeded_job);
    into->fault_job = first_of(into->fault_job, from->fault_job);
    into->judged += from->judged;
    into->proven = from->proven > into->proven ? from->proven : into->proven;
    if (from->worst_job != SIZE_MAX) {
        note_worst(into, from->worst, from->worst_job);
    }
}

duet_code duet_ratios_figures_of(const duet_ratios *ratios, size_t algorithm,
                                 duet_ratios_filter *counts, const void *key,
                                 duet_ratios_figures *figures, duet_error *error)
{
    double *values = duet_alloc(ratios->jobs, sizeof *values, error);
    size_t count = 0;
    if (values == NULL) {
        return DUET_E_MEMORY;
    }
    *figures = (duet_ratios_figures){.seen = {.worst_job = SIZE_MAX,
                                              .exceeded_job = SIZE_MAX,
                                              .fault_job = SIZE_MAX,
                                              .unreferred_job = SIZE_MAX,
                                              .refuted_job = SIZE_MAX}};
    for (size_t p = 0; p < ratios->group_count; p++) {
        const duet_ratios_group *group = &ratios->groups[p];
        if (counts != NULL && !counts(group, key)) {
            continue;
        }
        merge(&figures->seen, &ratios->seen[algorithm * ratios->group_count + p]);
        const double *ratio = &ratios->ratio[algorithm * ratios->jobs + group->first];
        for (size_t i = 0; i < group->count; i++) {
            if (ratio[i] > 0) {
                values[count++] = ratio[i];
            }
        }
    }
    duet_statistics found = duet_statistics_of(values, count);
    figures->with_ratio = found.count;
    figures->mean = found.mean;
    figures->median = found.median;
    figures->q90 = found.q90;
    figures->q99 = found.q99;
    figures->largest = found.largest;
    duet_free(values);
    return DUET_OK;
}

bool duet_ratios_is_unrefuted(const duet_ratios *ratios, size_t algorithm)
{
    enum { ENOUGH = 5000 }; // fewer instances may miss a violation by chance
    const duet_ratios_settings *s = &ratios->settings;
    size_t small = 0;
    size_t refuted = 0;
    for (size_t g = 0; g < ratios->group_count; g++) {
        const duet_ratios_seen *seen = &ratios->seen[algorithm * ratios->group_count + g];
        small += strcmp(ratios->groups[g].family, "small") == 0 ? seen->runs : 0;
        refuted += seen->refuted;
    }
    return s->each_option && duet_bench_published(s->algorithm[algorithm].name) != NULL &&
           small >= ENOUGH && refuted == 0;
}

bool duet_ratios_is_good(const duet_ratios *ratios)
{
    for (size_t a = 0; a < ratios->settings.algorithm_count; a++) {
        if (duet_ratios_is_unrefuted(ratios, a)) {
            return false;
        }
    }
    for (size_t i = 0; i < ratios->settings.algorithm_count * ratios->group_count; i++) {
        const duet_ratios_seen *seen = &ratios->seen[i];
        if (seen->exceeded + seen->faults + seen->unreferred > 0) {
            return false;
        }
    }
    return true;
}
