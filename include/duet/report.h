// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures and traces of a solution.
#ifndef DUET_REPORT_H
#define DUET_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Longest side of a picture, in pixels.
enum { DUET_GANTT_MAX_SIZE = 16384 };

/// How a picture looks. Members that are 0 keep the usual look.
typedef struct duet_gantt_options {
    size_t struct_size; ///< sizeof(duet_gantt_options)
    int width;          ///< pixels, 0: 1200. A PNG has just these, its usual size has two a unit
    int height;         ///< pixels, 0 with `width`: as much as the rows need
    const char *title;  ///< NULL: the instance's name
    bool dark;          ///< light letters on a dark ground
    bool transparent;   ///< no ground: whatever is behind the picture shows
    /// Tasks that a processor runs one after another, without idle time between them, are drawn in
    /// the order of their kinds. That is another schedule of independent tasks with the same
    /// makespan. Aborted runs stay where they are.
    bool by_kind;
    /// Another schedule of the same instance, drawn below on the same time axis; NULL: none.
    const duet_solution *beside;
} duet_gantt_options;

/// Draws the schedule: one row per processor grouped by type, kinds in stable colours with a
/// legend, makespan, bound and claimed optimum as lines; `options` may be NULL. The format follows
/// the ending of `path`: .svg, .png or .pdf. An SVG's texts are texts, and up to 8,000 boxes have a
/// title with task, processor and times. Errors: DUET_E_USAGE (unknown ending; a size too small for
/// the schedule, `beside` belongs to another instance, or tasks to be drawn by kind wait for
/// others), DUET_E_UNSUPPORTED (.png and .pdf where cairo cannot be opened, or in a build without
/// it), DUET_E_OUTPUT, DUET_E_MEMORY. O(n log n); the size of the picture does not grow with the
/// number of tasks.
DUET_API duet_code duet_write_gantt(const char *path, const duet_instance *instance,
                                    const duet_solution *solution,
                                    const duet_gantt_options *options, duet_error *error);

/// Is told the colour of a kind, such as "#2e63e8", and what it means: the name of the group that
/// has it, below a heading, which is "" where names need none. All for as long as the call lasts.
typedef void duet_colour_taker(void *user, size_t kind, const char *heading, const char *name,
                               const char *colour);

/// Tells `take` of the colours that pictures of this schedule have: of groups that the input says
/// (duet_instance_group()), else of up to twelve by what ids begin with; of up to twelve kinds of
/// which nothing is said each has its own; of what no names tell apart they mean times. Once for
/// each kind, in order. Errors: DUET_E_USAGE (the solution belongs to another instance),
/// DUET_E_MEMORY. O(letters of all ids + tasks).
DUET_API duet_code duet_colour_kinds(const duet_instance *instance, const duet_solution *solution,
                                     duet_colour_taker *take, void *user, duet_error *error);

/// Writes a trace for a viewer: .json in the Chrome trace-event format, .paje in the Pajé format;
/// or a schedule for StarPU: .rec, as starpu_replay applies it. Errors: DUET_E_USAGE (unknown
/// ending), DUET_E_OUTPUT, DUET_E_MEMORY.
DUET_API duet_code duet_write_trace(const char *path, const duet_instance *instance,
                                    const duet_solution *solution, duet_error *error);

/// Sizes of metrics.
enum {
    DUET_METRIC_NAME = 128, ///< bytes of the longest name of a metric, the 0 at its end included
    DUET_OTHER_METRICS = 7  ///< metrics that a solution has beside two for each type
};

/// A figure by which a schedule is judged.
typedef struct duet_metric {
    char name[DUET_METRIC_NAME]; ///< such as "slr", with a 0 at its end
    double value;                ///< NaN where it is not defined
} duet_metric;

/// What they need beside the schedule. Members that are 0 or NULL are not known.
typedef struct duet_metrics_options {
    size_t struct_size;       ///< sizeof(duet_metrics_options)
    int64_t lower_bound;      ///< ticks; 0: the solution's own
    const double *watts;      ///< of a processor of each type while it works; NULL: the instance's
    const double *idle_watts; ///< and while it does not; NULL: likewise, or none
} duet_metrics_options;

/// Writes the metrics of a schedule into `metrics`, which has room for two for each type and
/// DUET_OTHER_METRICS more, and how many they are into `*count`: `equivalent_acceleration_TYPE`,
/// `normalised_idle_TYPE`, `transfers`, `transfer_volume`, `slr`, `speedup`, `ccr`, `peak_power`,
/// `average_power`. `options` may be NULL. Errors: DUET_E_USAGE (no processor counts),
/// DUET_E_MEMORY. O(edges + n log n).
DUET_API duet_code duet_solution_metrics(const duet_instance *instance,
                                         const duet_solution *solution,
                                         const duet_metrics_options *options, duet_metric *metrics,
                                         size_t *count, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
