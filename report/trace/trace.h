// SPDX-License-Identifier: Apache-2.0
// The trace formats behind duet_write_trace().
#ifndef DUET_REPORT_TRACE_TRACE_H
#define DUET_REPORT_TRACE_TRACE_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "report/intervals.h"

// Up to this many processors of a type are listed in a trace even where they stay idle; of larger
// types only those that run something.
enum { DUET_TRACE_LISTED = 4096 };

// All write to `stream`; whether that worked is seen when the output is committed. `intervals`
// comes sorted.
duet_code duet_trace_chrome(FILE *stream, const duet_instance *instance,
                            const duet_solution *solution, const duet_intervals *intervals,
                            duet_error *error);
duet_code duet_trace_paje(FILE *stream, const duet_instance *instance,
                          const duet_solution *solution, const duet_intervals *intervals,
                          duet_error *error);

duet_code duet_trace_starpu(FILE *stream, const duet_instance *instance,
                            const duet_solution *solution, const duet_intervals *intervals,
                            duet_error *error);

// Calls `visit` for each processor to list: see DUET_TRACE_LISTED.
void duet_trace_processors(const duet_instance *instance, const duet_intervals *intervals,
                           void (*visit)(FILE *stream, const duet_instance *instance, size_t type,
                                         int64_t processor),
                           FILE *stream);

#endif
