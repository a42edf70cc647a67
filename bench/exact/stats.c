// SPDX-License-Identifier: Apache-2.0
// Figures over the runs of `duet bench exact`. Gaps are fractions, compared in integers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "core/memory.h"

size_t duet_exact_limits(double seconds, double limits[DUET_EXACT_MAX_LIMITS])
{
    static const double usual[] = {1, 10, 60};
    size_t count = 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && usual[i] <= seconds; i++) {
        limits[count++] = usual[i];
    }
    if (count == 0 || limits[count - 1] < seconds) {
        limits[count++] = seconds;
    }
    return count;
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

static int compare_gaps(const void *left, const void *right)
{
    const duet_fraction *a = left;
    const duet_fraction *b = right;
    return duet_fraction_compare(*a, *b);
}

static void count_row(const duet_exact_row *row, const double *limits, size_t limit_count,
                      duet_exact_tally *tally)
{
    tally->runs++;
    tally->proven += row->outcome == DUET_EXACT_PROVEN && !row->faulty;
    tally->failed += row->outcome == DUET_EXACT_FAILED || row->faulty;
    for (size_t i = 0; i < limit_count; i++) {
        tally->within[i] += duet_exact_solved_within(row, limits[i]);
    }
}

duet_code duet_exact_count(const duet_exact_row *rows, size_t count, duet_exact_filter *filter,
                           const void *key, const double *limits, size_t limit_count,
                           duet_exact_tally *tally, duet_error *error)
{
    *tally = (duet_exact_tally){.median_gap = {0, 1}, .largest_gap = {0, 1}};
    duet_fraction *gaps = duet_alloc(count, sizeof *gaps, error);
    if (gaps == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const duet_exact_row *row = &rows[i];
        if (row->outcome == DUET_EXACT_NOT_RUN || !filter(row, key)) {
            continue;
        }
        count_row(row, limits, limit_count, tally);
        if (row->outcome == DUET_EXACT_OPEN && !row->faulty) {
            gaps[tally->open++] = duet_exact_gap(row);
        }
    }
    if (tally->open > 0) {
        qsort(gaps, tally->open, sizeof *gaps, compare_gaps);
        tally->median_gap = gaps[tally->open / 2];
        tally->largest_gap = gaps[tally->open - 1];
    }
    duet_free(gaps);
    return DUET_OK;
}
