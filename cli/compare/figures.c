// SPDX-License-Identifier: Apache-2.0
// What duet compare derives from its measurements.

#include "cli/compare/compare.h"
#include "console/texts.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"

bool duet_cli_is_optimal(const duet_cli_comparison *file, const duet_cli_result *result)
{
    // Another algorithm's bound may prove it.
    return result->makespan == file->bound;
}

static int64_t best_makespan(const duet_cli_comparison *file)
{
    int64_t best = DUET_FORBIDDEN;
    for (size_t i = 0; i < file->count; i++) {
        const duet_cli_result *result = &file->results[i];
        if (result->skipped.code == DUET_OK && result->makespan < best) {
            best = result->makespan;
        }
    }
    return best;
}

double duet_cli_ratio(const duet_cli_comparison *file, const duet_cli_result *result)
{
    double gap = duet_cli_gap(result->makespan, file->bound);
    return gap < 0 ? -1.0 : 1.0 + gap / 100.0;
}

bool duet_cli_is_timed(const duet_cli_result *result)
{
    return !result->given || result->seconds > 0;
}

duet_cli_summary duet_cli_summarise(const duet_cli_comparison *files, size_t count,
                                    size_t algorithm)
{
    duet_cli_summary sum = {.index = algorithm};
    double *gaps = duet_alloc(count, sizeof *gaps, NULL);
    for (size_t f = 0; f < count; f++) {
        const duet_cli_comparison *file = &files[f];
        if (algorithm >= file->count || file->results[algorithm].skipped.code != DUET_OK) {
            continue;
        }
        const duet_cli_result *result = &file->results[algorithm];
        double gap = duet_cli_gap(result->makespan, file->bound);
        sum.solved++;
        sum.optimal += duet_cli_is_optimal(file, result);
        sum.wins += result->makespan == best_makespan(file);
        if (gap >= 0 && gaps != NULL) {
            gaps[sum.with_gap++] = gap;
            sum.gap_sum += gap;
            sum.gap_max = duet_max(gap, sum.gap_max);
        }
    }
    if (sum.with_gap > 0) {
        duet_sort_doubles(gaps, sum.with_gap);
        sum.gap_median = gaps[(sum.with_gap - 1) / 2];
        sum.gap_q90 = gaps[(9 * sum.with_gap + 9) / 10 - 1];
    }
    duet_free(gaps);
    return sum;
}

const duet_cli_comparison *duet_cli_longest(const duet_cli_comparison *files, size_t count)
{
    const duet_cli_comparison *found = files;
    for (size_t f = 1; f < count; f++) {
        found = files[f].count > found->count ? &files[f] : found;
    }
    return found;
}

const char *duet_cli_status_text(const duet_cli_comparison *file, const duet_cli_result *result)
{
    if (duet_cli_is_optimal(file, result)) {
        return "optimal";
    }
    if (result->given) {
        return "bounded";
    }
    return result->ending != NULL ? result->ending : duet_status_name(result->status);
}
