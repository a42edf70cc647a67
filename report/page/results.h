// SPDX-License-Identifier: Apache-2.0
// The runs of algorithms that a report is about, as its tables give them.
#ifndef DUET_REPORT_PAGE_RESULTS_H
#define DUET_REPORT_PAGE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/decimal.h"
#include "core/names.h"

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

// A time that is not there.
#define DUET_NO_TIME ((duet_decimal){-1, 0})

// One run. Texts are borrowed, "" where unknown; whole numbers -1, others NAN where unknown.
typedef struct duet_result {
    const char *series; // algorithm, with what sets its runs apart
    const char *set;
    const char *family;
    const char *platform;
    const char *instance; // tells the instances of one source apart
    const char *alias;    // by which other sources may know it; NULL: by that name alone
    const char *reason;   // why it failed
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

// The best that is known of an instance.
typedef struct duet_known {
    duet_decimal makespan; // shortest
    duet_decimal bound;    // highest
    duet_decimal optimum;
} duet_known;

// What all sources know of the instances of one name, or of one alias.
typedef struct duet_shared {
    duet_known known;
    uint32_t file;     // of the last instance
    uint32_t instance; // that it is
    bool ambiguous;    // a source has two of that alias, or two sources disagree
} duet_shared;

typedef struct duet_platform_processors {
    int64_t m;
    int64_t k;
} duet_platform_processors;

typedef struct duet_results {
    size_t count;
    size_t capacity;
    duet_kept_result *run;
    duet_names files; // names of the sources, in order
    duet_names series;
    duet_names sets;
    duet_names families;
    duet_names platforms;
    duet_names instances;
    duet_names reasons;
    duet_known *known; // per instance
    size_t known_capacity;
    duet_names shared_names; // of instances, and of aliases
    duet_shared *shared;     // per such name
    size_t shared_capacity;
    size_t distinct;   // names of instances, of all sources
    uint32_t *by_name; // per instance: its number there by its name, and by its alias
    size_t by_name_capacity;
    uint32_t *by_alias;
    size_t by_alias_capacity;
    duet_platform_processors *processors; // per platform
    size_t processors_capacity;
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
// an instance of that name, and where they tell nothing, from its bound. A proven ratio that no
// table has judged is judged. O(runs).
void duet_results_settle(duet_results *results);
// Runs of a source that have a schedule and no ratio, since no source knows an optimum or a bound;
// of settled results. *series (may be NULL) receives the algorithm of the first. O(runs).
size_t duet_results_unreferred(const duet_results *results, uint32_t file, uint32_t *series);
void duet_results_free(duet_results *results);

#endif
