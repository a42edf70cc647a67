// SPDX-License-Identifier: Apache-2.0
// What is promised of the first algorithm on task graphs: gaps to the proven bound after a time.
// Each promise is about some sizes of one family on one platform, and judged by the runs on these
// that are there, where the time limit is its own.
#include <string.h>

#include "bench/exact/exact.h"

typedef struct promise {
    const char *family;
    int64_t m, k;
    int64_t from, to; // sizes
    double seconds;
    duet_fraction gap; // at most
} promise;

static const promise promises[] = {
    {"chol", 20, 4, 4, 8, 1, {3, 1000}},      {"chol", 20, 4, 10, 20, 10, {60, 1000}},
    {"chol", 20, 4, 10, 20, 60, {45, 1000}},  {"chol", 20, 4, 24, 24, 60, {25, 1000}},
    {"chol", 20, 4, 32, 32, 10, {10, 1000}},  {"chol", 20, 4, 48, 48, 10, {5, 1000}},
    {"chol", 20, 4, 64, 64, 10, {25, 10000}}, {"chol", 28, 4, 64, 64, 10, {33, 10000}},
    {"chol", 7, 1, 5, 5, 10, {0, 1}},         {"chol", 7, 1, 6, 6, 10, {15, 1000}},
    {"chol", 7, 1, 4, 64, 10, {80, 1000}},    {"chol", 20, 2, 8, 8, 10, {50, 1000}},
    {"chol", 20, 2, 4, 64, 10, {80, 1000}},   {"chol", 28, 4, 4, 64, 10, {80, 1000}},
    {"lu", 20, 4, 4, 15, 1, {3, 1000}},       {"lu", 20, 4, 20, 24, 60, {80, 1000}},
    {"lu", 20, 4, 32, 32, 60, {50, 1000}},    {"qr", 20, 4, 8, 15, 10, {70, 1000}},
    {"qr", 20, 4, 20, 64, 10, {25, 1000}},    {"layered", 7, 1, 10, 30, 10, {20, 1000}},
};
enum { PROMISES = sizeof promises / sizeof *promises };

static double percent(duet_fraction gap)
{
    return 100 * (double)gap.num / (double)gap.den;
}

static bool is_about(const promise *p, const duet_exact_row *row)
{
    const duet_exact_case *origin = &row->origin;
    return origin->m == p->m && origin->k == p->k && origin->size >= p->from &&
           origin->size <= p->to && strcmp(origin->name, p->family) == 0;
}

// The largest gap of the first algorithm's runs that a promise is about; how many these are.
static duet_fraction largest_gap(const duet_exact_plan *plan, const promise *p, size_t *runs)
{
    duet_fraction largest = {0, 1};
    *runs = 0;
    for (size_t r = 0; r < plan->row_count; r += plan->settings.algorithm_count) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome == DUET_EXACT_NOT_RUN || !is_about(p, row)) {
            continue;
        }
        bool has = duet_exact_has_schedule(row) && !row->faulty;
        duet_fraction gap = has ? duet_exact_gap(row) : (duet_fraction){1, 0};
        largest = duet_fraction_compare(gap, largest) > 0 ? gap : largest;
        *runs += 1;
    }
    return largest;
}

static void judge(const duet_exact_plan *plan, const promise *p, duet_claims *targets)
{
    size_t runs;
    duet_fraction largest = largest_gap(plan, p, &runs);
    char what[192];
    char gap[48];
    if (runs == 0 || plan->settings.seconds != p->seconds) {
        return;
    }
    bool kept = duet_fraction_compare(largest, p->gap) <= 0;
    char sizes[48];
    snprintf(sizes, sizeof sizes, p->from == p->to ? "%lld" : "%lld to %lld", (long long)p->from,
             (long long)p->to);
    snprintf(what, sizeof what, "%s %s on (%lld,%lld): gap at most %g %% in %g s", p->family, sizes,
             (long long)p->m, (long long)p->k, percent(p->gap), p->seconds);
    duet_claims_add(targets,
                    plan->summary.interrupted ? "not judged"
                    : kept                    ? "ok"
                                              : DUET_EXACT_MISSED,
                    what, "%s", duet_exact_format_gap(largest, gap));
}

void duet_exact_judge_graphs(const duet_exact_plan *plan, duet_claims *targets)
{
    for (size_t i = 0; i < PROMISES; i++) {
        judge(plan, &promises[i], targets);
    }
}
