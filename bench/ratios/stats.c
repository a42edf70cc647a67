// SPDX-License-Identifier: Apache-2.0
// What came of the runs: counted as they come in, in any order; the figures are taken in the order
// of the instances, and the largest ratio in integers, so that nothing depends on that order.
#include <stdlib.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/published.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static duet_ratios_seen *seen_of(const duet_ratios *ratios, size_t algorithm, size_t job)
{
    size_t group = (size_t)(duet_ratios_group_of(ratios, job) - ratios->groups);
    return &ratios->seen[algorithm * ratios->group_count + group];
}

static void add_failures(duet_ratios_failed *failures, duet_ratios_failed of)
{
    if (of.count > 0 && (failures->count == 0 || of.job < failures->job)) {
        failures->job = of.job;
    }
    failures->count += of.count;
}

void duet_ratios_note_failure(duet_ratios *ratios, size_t job, size_t algorithm,
                              duet_ratios_failure failure)
{
    add_failures(&seen_of(ratios, algorithm, job)->failures[failure], (duet_ratios_failed){1, job});
}

// The larger ratio; of equal ones that of the smaller job.
static void note_worst(duet_ratios_seen *seen, duet_fraction ratio, size_t job)
{
    int order = seen->worst.den == 0 ? 1 : duet_fraction_compare(ratio, seen->worst);
    if (order > 0 || (order == 0 && job < seen->worst_job)) {
        seen->worst = ratio;
        seen->worst_job = job;
    }
}

// What is at fault has none.
static duet_fraction ratio_of(const duet_run_result *result)
{
    bool none =
        result->makespan < 0 || result->reference <= 0 || strcmp(result->status, "fault") == 0;
    return none ? (duet_fraction){0, 0}
                : (duet_fraction){(uint64_t)result->makespan, (uint64_t)result->reference};
}

void duet_ratios_note(duet_ratios *ratios, size_t job, size_t algorithm,
                      const duet_run_result *result)
{
    duet_ratios_seen *seen = seen_of(ratios, algorithm, job);
    duet_fraction ratio = ratio_of(result);
    double proven = strtod(result->proven, NULL);
    if (strcmp(result->status, "fault") == 0) {
        duet_ratios_note_failure(ratios, job, algorithm, DUET_RATIOS_FAULT);
    }
    if (result->unreferred) {
        duet_ratios_note_failure(ratios, job, algorithm, DUET_RATIOS_UNREFERRED);
    }
    if (strcmp(result->status, "skipped") == 0) {
        seen->skipped++;
        return;
    }
    if (result->makespan < 0) {
        seen->failed++;
        return;
    }
    seen->runs++;
    seen->open += !result->is_optimum && !result->unreferred;
    seen->judged += proven > 0;
    seen->proven = duet_max(proven, seen->proven);
    seen->unclear += proven > 0 && result->respected < 0;
    if (result->respected == 0) {
        duet_ratios_note_failure(ratios, job, algorithm, DUET_RATIOS_EXCEEDED);
    }
    if (ratio.den > 0) {
        ratios->ratio[algorithm * ratios->jobs + job] = (double)ratio.num / (double)ratio.den;
        note_worst(seen, ratio, job);
    }
}

bool duet_ratios_may_refute(const duet_ratios *ratios, size_t algorithm,
                            const duet_run_result *result)
{
    duet_fraction ratio = ratio_of(result);
    return result->is_optimum && ratio.den > 0 &&
           duet_bench_refutes(ratios->settings.algorithm[algorithm].name, ratio);
}

static void merge(duet_ratios_seen *into, const duet_ratios_seen *from)
{
    into->skipped += from->skipped;
    into->runs += from->runs;
    into->failed += from->failed;
    into->open += from->open;
    into->unclear += from->unclear;
    into->judged += from->judged;
    into->proven = duet_max(from->proven, into->proven);
    for (int c = 0; c < DUET_RATIOS_FAILURES; c++) {
        add_failures(&into->failures[c], from->failures[c]);
    }
    if (from->worst.den > 0) {
        note_worst(into, from->worst, from->worst_job);
    }
}

duet_code duet_ratios_figures_of(const duet_ratios *ratios, size_t algorithm,
                                 duet_ratios_filter *counts, const void *key,
                                 duet_ratios_figures *figures, duet_error *error)
{
    double *values = duet_alloc(ratios->jobs, sizeof *values, error);
    size_t count = 0;
    DUET_NEED(values);
    *figures = (duet_ratios_figures){0};
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
    figures->ratio = duet_statistics_of(values, count);
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
        refuted += seen->failures[DUET_RATIOS_REFUTED].count;
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
        const duet_ratios_failed *failures = ratios->seen[i].failures;
        if (failures[DUET_RATIOS_EXCEEDED].count + failures[DUET_RATIOS_FAULT].count +
                failures[DUET_RATIOS_UNREFERRED].count >
            0) {
            return false;
        }
    }
    return true;
}
