// SPDX-License-Identifier: Apache-2.0
// The claims of `duet bench exact` against each other and against a known optimum.
#include <inttypes.h>

#include "bench/exact/exact.h"

static bool may_be_right(const duet_exact_row *row)
{
    return !row->faulty && duet_exact_has_schedule(row);
}

// `what` has a schedule of this makespan, which is below the row's bound, or is the optimum.
static void contradict(duet_exact_row *row, const char *what, int64_t makespan)
{
    snprintf(row->note, sizeof row->note,
             "claims bound %" PRId64 " and makespan %" PRId64 ", but %s %" PRId64, row->bound,
             row->makespan, what, makespan);
    row->faulty = true;
}

void duet_exact_cross_check(duet_exact_row *rows, size_t count)
{
    // The shortest schedule: all of them passed the checker.
    const duet_exact_row *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (may_be_right(&rows[i]) && (best == NULL || rows[i].makespan < best->makespan)) {
            best = &rows[i];
        }
    }
    if (best == NULL) {
        return;
    }
    char what[64];
    int64_t makespan = best->makespan;
    snprintf(what, sizeof what, "%.32s has a schedule of", best->algorithm);
    for (size_t i = 0; i < count; i++) {
        duet_exact_row *row = &rows[i];
        bool known = row->optimum >= 0;
        if (!may_be_right(row)) {
            continue;
        }
        if (known && (row->bound > row->optimum || row->makespan < row->optimum)) {
            contradict(row, "the optimum is", row->optimum);
        } else if (row->bound > makespan) {
            contradict(row, what, makespan);
        }
    }
}
