// SPDX-License-Identifier: Apache-2.0
// The runs of algorithms that a report is about, as its tables give them.
#ifndef DUET_REPORT_PAGE_RESULTS_H
#define DUET_REPORT_PAGE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "report/page/joins.h"
#include "report/page/known.h"

typedef enum duet_run_status {
    DUET_RUN_UNSAID, // no column says it
    DUET_RUN_OPTIMAL,
    DUET_RUN_OPEN, // a schedule, not proven to be optimal
    DUET_RUN_FAILED,
    DUET_RUN_SKIPPED // it was not tried: the algorithm cannot run there
} duet_run_status;

// What a ratio is measured against.
typedef enum duet_reference {
    DUET_REFERENCE_NONE,
    DUET_REFERENCE_BOUND,
    DUET_REFERENCE_OPTIMUM
} duet_reference;

typedef enum duet_result_verdict {
    DUET_VERDICT_NONE,
    DUET_VERDICT_RESPECTED,
    DUET_VERDICT_EXCEEDED
} duet_result_verdict;

// One run. Texts are borrowed, "" where unknown; whole numbers -1, others NAN where unknown.
typedef struct duet_result {
    const char *series; // algorithm, with what sets its runs apart
    const char *set;
    const char *family;
    const char *platform;
    const char *instance; // tells the instances of one source apart
    // By which other sources may know it on that platform, the surest first; none: by `instance`.
    const char *label[DUET_INSTANCE_LABELS];
    size_t labels;
    const char *reason; // why it failed
    int64_t n;
    int64_t m;
    int64_t k;
    duet_decimal makespan;
    duet_decimal bound;   // the best lower bound of the row
    duet_decimal optimum; // of the instance
    double ratio;         // NAN: to be found out
    double proven;
    double seconds;
    double cells;
    double bytes;
    uint32_t file; // number of the source
    duet_run_status status;
    duet_reference reference;      // NONE: to be found out
    duet_result_verdict respected; // as the table says
} duet_result;

// A run as it is kept.
typedef struct duet_kept_result {
    uint32_t series;
    uint32_t file;
    uint32_t set;
    uint32_t family;
    uint32_t platform;
    uint32_t instance;
    uint32_t reason;
    uint8_t status;
    uint8_t reference;
    uint8_t respected;
    bool below; // its ratio is below 1: makespan or reference is wrong
    int64_t n;
    duet_decimal makespan;
    double ratio;
    double proven;
    double seconds;
    double cells;
    double bytes;
} duet_kept_result;

typedef struct duet_platform_processors {
    int64_t m;
    int64_t k;
} duet_platform_processors;

typedef struct duet_results {
    size_t count;
    duet_kept_result *run;
    duet_names files; // names of the sources, in order
    duet_names series;
    duet_names sets;
    duet_names families;
    duet_names platforms;
    duet_names instances;
    duet_names reasons;
    duet_names types;                     // of processors, in lower case: names of platforms
    duet_known *known;                    // per instance, by its own source
    duet_joins joins;                     // which instances of several sources are the same
    duet_platform_processors *processors; // per platform
} duet_results;

// A table with more different series than this does not list algorithms, and is refused.
enum { DUET_MAX_SERIES = 256 };

// Starts another source; its number is in *file.
duet_code duet_results_source(duet_results *results, const char *name, uint32_t *file,
                              duet_error *error);
// DUET_E_LIMIT beyond DUET_MAX_SERIES or the memory, DUET_E_MEMORY.
duet_code duet_results_add(duet_results *results, const duet_result *result, duet_error *error);
// Called once all runs are there. A ratio or reference that no table gives is found from all runs
// of the same instance in the table; where these tell no optimum, from another table's optimum of
// that instance, and where they tell nothing, from its bound. A proven ratio that no table has
// judged is judged. O(runs), and what duet_joins_settle() takes.
duet_code duet_results_settle(duet_results *results, duet_error *error);

// Runs of a source that have a schedule and no ratio, since no source knows an optimum or a bound.
typedef struct duet_unreferred {
    size_t count;
    uint32_t series;   // of the first
    uint32_t instance; // of the first
    char why[640];     // what keeps the first from what other sources know
} duet_unreferred;
// Of settled results. O(runs + instances).
duet_unreferred duet_results_unreferred(const duet_results *results, uint32_t file);
void duet_results_free(duet_results *results);

#endif
