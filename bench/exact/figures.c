// SPDX-License-Identifier: Apache-2.0
// Figures over the runs of `duet bench exact`. Gaps are fractions, compared in integers.
#include <inttypes.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "bench/run/statistics.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_exact_limits duet_exact_limits_within(double seconds)
{
    static const double usual[] = {1, 10, 60};
    duet_exact_limits limits = {.count = 0};
    for (size_t i = 0; i < sizeof usual / sizeof *usual && usual[i] <= seconds; i++) {
        limits.seconds[limits.count++] = usual[i];
    }
    if (limits.count == 0 || limits.seconds[limits.count - 1] < seconds) {
        limits.seconds[limits.count++] = seconds;
    }
    return limits;
}

bool duet_exact_solved_within(const duet_exact_row *row, double seconds)
{
    return row->outcome == DUET_EXACT_PROVEN && !row->faulty && row->seconds <= seconds;
}

duet_fraction duet_exact_gap(const duet_exact_row *row)
{
    if (row->makespan <= row->bound) {
        return (duet_fraction){0, 1};
    }
    if (row->bound <= 0) {
        return (duet_fraction){1, 0};
    }
    return (duet_fraction){(duet_uint128)(row->makespan - row->bound), (duet_uint128)row->bound};
}

char *duet_exact_format_gap(duet_fraction gap, char *buffer)
{
    enum { SIZE = 48 };
    if (gap.den == 0) {
        snprintf(buffer, SIZE, "unknown");
    } else if (gap.num == 0) {
        snprintf(buffer, SIZE, "0 %%");
    } else {
        // Up to 2^62 * 10^6 fits; more than a million percent says as much as no bound.
        duet_uint128 parts = (gap.num * 1000000 + gap.den - 1) / gap.den;
        if (parts / 10000 > 1000000) {
            snprintf(buffer, SIZE, "> 1000000 %%");
        } else {
            snprintf(buffer, SIZE, "%" PRIu64 ".%04" PRIu64 " %%", (uint64_t)(parts / 10000),
                     (uint64_t)(parts % 10000));
        }
    }
    return buffer;
}

bool duet_exact_is_algorithm(const duet_exact_row *row, const void *name)
{
    return strcmp(row->algorithm, name) == 0;
}

static void count_row(const duet_exact_row *row, const duet_exact_limits *limits,
                      duet_exact_figures *figures)
{
    figures->runs++;
    figures->proven += row->outcome == DUET_EXACT_PROVEN && !row->faulty;
    figures->failed += row->outcome == DUET_EXACT_FAILED || row->faulty;
    for (size_t i = 0; i < limits->count; i++) {
        figures->within[i] += duet_exact_solved_within(row, limits->seconds[i]);
    }
}

duet_code duet_exact_figures_of(const duet_exact_plan *plan, duet_exact_filter *filter,
                                const void *key, duet_exact_figures *figures, duet_error *error)
{
    duet_exact_limits limits = duet_exact_limits_within(plan->settings.seconds);
    *figures = (duet_exact_figures){.median_gap = {0, 1}, .largest_gap = {0, 1}};
    duet_fraction *gaps = duet_alloc(plan->row_count, sizeof *gaps, error);
    DUET_NEED(gaps);
    for (size_t i = 0; i < plan->row_count; i++) {
        const duet_exact_row *row = &plan->rows[i];
        if (row->outcome == DUET_EXACT_NOT_RUN || !filter(row, key)) {
            continue;
        }
        count_row(row, &limits, figures);
        if (row->outcome == DUET_EXACT_OPEN && !row->faulty) {
            gaps[figures->open++] = duet_exact_gap(row);
        }
    }
    if (figures->open > 0) {
        duet_sort_fractions(gaps, figures->open);
        figures->median_gap = gaps[figures->open / 2];
        figures->largest_gap = gaps[figures->open - 1];
    }
    duet_free(gaps);
    return DUET_OK;
}
