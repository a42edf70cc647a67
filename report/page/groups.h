// SPDX-License-Identifier: Apache-2.0
// Runs of a report in groups of like ones, each with its distributions as few weighted samples, so
// that the page does not grow with the number of runs.
#ifndef DUET_REPORT_PAGE_GROUPS_H
#define DUET_REPORT_PAGE_GROUPS_H

#include "report/page/results.h"

// Up to DUET_GROUPS_EXACT_RUNS runs every value is kept. Beyond it each group keeps quantiles, and
// groups are made coarser until there are few enough.
enum {
    DUET_GROUPS_EXACT_RUNS = 20000,
    DUET_GROUPS_MOST = 4000,
    DUET_GROUPS_POINTS = 60000, // of one measure over all groups, about
    DUET_GROUP_POINTS = 400,
    DUET_GROUP_LEAST_POINTS = 8
};

typedef enum duet_measure {
    DUET_MEASURE_RATIO,
    DUET_MEASURE_SECONDS,
    DUET_MEASURE_SOLVED, // seconds of the runs that ended in a proven optimum
    DUET_MEASURE_CELLS,
    DUET_MEASURE_BYTES,
    DUET_MEASURES
} duet_measure;

// What runs of a group share; UINT32_MAX where groups were made coarser.
typedef enum duet_group_key {
    DUET_KEY_SERIES,
    DUET_KEY_FILE,
    DUET_KEY_SET,
    DUET_KEY_FAMILY,
    DUET_KEY_PLATFORM,
    DUET_KEY_SIZE, // number of a size in `sizes`
    DUET_KEY_REFERENCE,
    DUET_GROUP_KEYS
} duet_group_key;

typedef struct duet_group {
    uint32_t key[DUET_GROUP_KEYS];
    size_t first; // in `order`
    size_t count;
    size_t status[DUET_RUN_SKIPPED + 1];
    size_t exceeded;
    size_t below;
    size_t worst; // run of the largest ratio; SIZE_MAX where none has one
    double least_proven;
    double most_proven; // NAN where nothing is proven
} duet_group;

typedef struct duet_groups {
    const duet_results *results;
    int coarseness; // 0: every number of tasks apart; 1: by powers of two; then without
    size_t points;  // of a group and measure at most; SIZE_MAX: every value is there
    duet_group *group;
    size_t count;
    size_t *order; // runs by group, in their order within it
    int64_t *size; // numbers of tasks, by first appearance
    size_t sizes;
} duet_groups;

// `results` are settled, and outlive the groups.
duet_code duet_groups_create(const duet_results *results, duet_groups *groups, duet_error *error);
void duet_groups_free(duet_groups *groups);

// A value that stands for `weight` values.
typedef struct duet_sample {
    double value;
    size_t weight;
} duet_sample;

// Values of a group in ascending order into `values` (room for its count); returns how many.
size_t duet_group_values(const duet_groups *groups, const duet_group *group, duet_measure measure,
                         double *values);
// At most `points` >= 3 samples for `count` ascending values into `samples` (room for the lesser of
// the two); least and largest value stay as they are, and between them each sample is the median of
// as many neighbours as it weighs. Returns how many.
size_t duet_samples_of(const double *values, size_t count, size_t points, duet_sample *samples);

#endif
