// SPDX-License-Identifier: Apache-2.0
// The figures by which papers judge a schedule, in one place.
#ifndef DUET_REPORT_METRICS_H
#define DUET_REPORT_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/instance.h>
#include <duet/report.h>
#include <duet/solution.h>

// Power of a processor of each type, in watts, and while it is idle; NULL: as the instance says.
typedef struct duet_watts {
    const double *busy;
    const double *idle;
} duet_watts;

// NaN: not defined.
typedef struct duet_metrics {
    size_t types;
    double equivalent_acceleration[DUET_MAX_TYPES];
    double idle[DUET_MAX_TYPES]; // ticks of a processor in the mean, what was given up included
    double transfers;
    double transfer_volume;
    double slr;
    double speedup;
    double ccr;
    double peak_power;
    double average_power;
} duet_metrics;

// Errors of duet_intervals_collect(). O(edges + n log n).
duet_code duet_metrics_create(const duet_instance *instance, const duet_solution *solution,
                              const duet_watts *watts, duet_metrics *metrics, duet_error *error);

// The figures by name, 2 types + 7 of them: what a bound of 0 leaves undefined is NaN. Returns how
// many there are.
size_t duet_metrics_list(const duet_metrics *metrics, const duet_instance *instance, int64_t bound,
                         duet_metric *list);

// All tasks on one processor of the best type that may run them all; -1: there is none.
int64_t duet_metrics_serial(const duet_instance *instance);

#endif
