// SPDX-License-Identifier: Apache-2.0
/// @file
/// Planning in a running world: a plan is half executed, parts are to stay, processors fail.
///
/// What is given becomes part of an instance (duet_replan()); duet_solve(), duet_compute_bound()
/// and the checkers then speak of all schedules that keep it. docs/problem.md defines that under I6
/// and I7.
#ifndef DUET_REPLAN_H
#define DUET_REPLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/io.h>
#include <duet/moldable.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is said of a task: a part of a schedule's entry.
typedef struct duet_fix {
    int64_t task;                      ///< of the instance
    int32_t type;                      ///< index of its type; below 0: not said
    const duet_processor_range *range; ///< its processors, in ascending order
    size_t ranges;                     ///< 0: not said
    int64_t start;                     ///< DUET_FORBIDDEN: not said
    int64_t end;                       ///< DUET_FORBIDDEN: not said, it takes its time
} duet_fix;

/// What is given. Start from `{.struct_size = sizeof(duet_replan_desc), .now = DUET_FORBIDDEN}`.
typedef struct duet_replan_desc {
    size_t struct_size; ///< sizeof(duet_replan_desc), so that it can grow
    /// Decimal places, 0 .. 9, that all times here have beyond those of the instance's ticks.
    int finer;
    int64_t now; ///< nothing that has not begun starts before; DUET_FORBIDDEN: no such time
    const duet_fix *plan; ///< the plan that is under way: type, processors and start of each task
    size_t plans;         ///< entries of `plan`; tasks that it lacks are new
    const duet_fix *fix;  ///< parts that stay
    size_t fixes;         ///< entries of `fix`
    const duet_processor_range *without; ///< processors that take no more tasks
    size_t withouts;                     ///< ranges of `without`
} duet_replan_desc;

/// Entries of a schedule that were read.
typedef struct duet_fixes duet_fixes;

/// Reads entries of a schedule of `instance`, JSON or CSV (docs/formats.md), of which each says of
/// its task what it does: type, processor or processors, start, end. Nothing is judged but that the
/// tasks and the types are known. The instance takes platform and unit as from
/// duet_read_solution(). On success `*out` is the caller's (duet_fixes_free()). Errors: as
/// duet_read_solution(), and DUET_E_INPUT where a task or a type is unknown.
DUET_API duet_code duet_read_fixes(const char *path, const duet_read_params *params,
                                   duet_instance *instance, duet_fixes **out, duet_error *error);
/// The entries. They belong to `fixes`. `*finer` receives the places that their times have beyond
/// ticks.
DUET_API const duet_fix *duet_fixes_entries(const duet_fixes *fixes, size_t *count, int *finer);
/// NULL is allowed.
DUET_API void duet_fixes_free(duet_fixes *fixes);

/// Makes the instance in which something is given. Times are those of `desc`:
///
/// - With `now`: a task of `plan` that ended by then, or started before it and has not ended, stays
///   as it was (its end is what the entry says, else its start and what it takes); unless it runs
///   on a processor of `without`: then it starts anew. All other tasks start at `now` or later.
/// - What an entry of `fix` says of its task holds: its type, its processors, its start. An end
///   says that the task has begun to run, and when it really ends: then the entry, with that of
///   `plan`, says the rest, too.
/// - Processors of `without` take no task but what has ended there.
///
/// Where times are between ticks the new instance has finer ones; of moldable tasks they are
/// rounded to the nearest tick, which its notice says.
///
/// `*out` is the caller's, and needs `instance` no more. `*continued` (NULL: not wanted) receives
/// the plan, continued: each processor goes on with its tasks in the order of `plan`, each task as
/// early as it can; tasks that have none come last. NULL where there is no `plan`, or it cannot go
/// on as what is given asks. It is a valid schedule of `*out`, for duet_params.start_from, and the
/// caller's.
///
/// Errors: DUET_E_USAGE (`struct_size`, no platform, `finer`), DUET_E_INPUT (names the task: what
/// is said of it contradicts the instance or the rest), DUET_E_LIMIT, DUET_E_MEMORY.
DUET_API duet_code duet_replan(const duet_instance *instance, const duet_replan_desc *desc,
                               duet_instance **out, duet_solution **continued, duet_error *error);

/// The `now` of duet_replan(), which JSON files keep for pictures, in ticks, rounded down; 0: there
/// was none.
DUET_API int64_t duet_instance_now(const duet_instance *instance);
/// Whether a processor of a type takes no more tasks, as one of `without`.
DUET_API bool duet_instance_is_lost(const duet_instance *instance, size_t type, int64_t processor);

#ifdef __cplusplus
}
#endif

#endif
