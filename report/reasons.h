// SPDX-License-Identifier: Apache-2.0
// Why each interval of a schedule starts when it does: what had to end just then. From the makespan
// back that is the critical path of the schedule.
#ifndef DUET_REPORT_REASONS_H
#define DUET_REPORT_REASONS_H

#include "report/intervals.h"

typedef enum duet_reason_form {
    DUET_REASON_PAUSE,     // nothing that the schedule shows
    DUET_REASON_START,     // the schedule begins
    DUET_REASON_PROCESSOR, // the interval before it on its processor ends
    DUET_REASON_DATA       // a predecessor ends, or its data arrive
} duet_reason_form;

typedef struct duet_reason {
    duet_reason_form form;
    bool critical; // the interval is on the critical path
    size_t other;  // the interval that decides; of DUET_REASON_PROCESSOR and DUET_REASON_DATA
    int32_t edge;  // of DUET_REASON_DATA
} duet_reason;

typedef struct duet_reasons {
    duet_reason *of; // of each interval
    size_t *path;    // the critical path: intervals in order of time
    size_t length;
} duet_reasons;

// `intervals` are those of the solution, sorted (duet_intervals_sort()). All intervals of a
// moldable task have one reason. Free with duet_reasons_free(), also after an error. O(intervals +
// edges). DUET_E_MEMORY.
duet_code duet_reasons_create(const duet_instance *instance, const duet_solution *solution,
                              const duet_intervals *intervals, duet_reasons *reasons,
                              duet_error *error);
void duet_reasons_free(duet_reasons *reasons);

// "starts as gemm#2 ends on its processor" into `text`, cut to `size`; "" for a pause.
void duet_reason_text(const duet_instance *instance, const duet_intervals *intervals,
                      const duet_reason *reason, char *text, size_t size);

#endif
