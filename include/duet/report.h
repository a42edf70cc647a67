// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures and traces of a solution.
#ifndef DUET_REPORT_H
#define DUET_REPORT_H

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Draws the schedule: one row per processor grouped by type, kinds in stable colours with a
/// legend, the bound and the makespan as lines. The format follows the ending of `path`: .svg, .png
/// or .pdf. Errors: DUET_E_USAGE (unknown ending), DUET_E_UNSUPPORTED (a build without cairo),
/// DUET_E_OUTPUT, DUET_E_MEMORY. O(n log n); the size of the picture does not grow with the number
/// of tasks.
DUET_API duet_code duet_write_gantt(const char *path, const duet_instance *instance,
                                    const duet_solution *solution, duet_error *error);

/// Writes a trace for a viewer: .json in the Chrome trace-event format, .paje in the Pajé format;
/// or a schedule for StarPU: .rec, as starpu_replay applies it. Errors: DUET_E_USAGE (unknown
/// ending), DUET_E_OUTPUT, DUET_E_MEMORY.
DUET_API duet_code duet_write_trace(const char *path, const duet_instance *instance,
                                    const duet_solution *solution, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
