// SPDX-License-Identifier: Apache-2.0
/// @file
/// A schedule with what is proven about it.
#ifndef DUET_SOLUTION_H
#define DUET_SOLUTION_H

#include <stddef.h>
#include <stdint.h>

#include <duet/certificate.h>
#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where and when a task runs. Its end is start + its time on that type.
typedef struct duet_placement {
    int64_t start;     ///< ticks, >= 0
    int32_t processor; ///< from 0 within its type
    int32_t type;      ///< index of the type; -1 where the task is not placed
} duet_placement;

/// Equal tasks one after another on one processor: tasks first .. first + count - 1, of which the
/// i-th starts at start + i * time.
typedef struct duet_task_run {
    int64_t first;     ///< task
    int64_t count;     ///< >= 1, all of one kind
    int64_t start;     ///< ticks, >= 0
    int64_t time;      ///< of each task on that type, ticks
    int32_t processor; ///< from 0 within its type
    int32_t type;      ///< index of the type
} duet_task_run;

/// A run that was started and given up (spoliated): its work is lost.
typedef struct duet_aborted {
    int64_t task;      ///< which was run again elsewhere
    int64_t start;     ///< ticks, >= 0
    int64_t end;       ///< when it was given up
    int32_t processor; ///< from 0 within its type
    int32_t type;      ///< index of the type
} duet_aborted;

/// What is known of a schedule.
typedef enum duet_status {
    DUET_FEASIBLE, ///< a valid schedule, no lower bound worth the name
    DUET_BOUNDED,  ///< lower_bound <= OPT <= makespan
    DUET_OPTIMAL   ///< lower_bound = makespan
} duet_status;

/// A named figure an algorithm reports ("guesses", "nodes", "spoliations", ...).
typedef struct duet_counter {
    const char *name; ///< static string
    int64_t value;    ///< its value at the end
} duet_counter;

/// A solution. Owns all it points to.
typedef struct duet_solution duet_solution;

/// An unplaced solution for `tasks` tasks. Owned by the caller
/// (duet_solution_free()). The size is checked before anything is allocated. Errors:
/// DUET_E_LIMIT (more tasks than memory can hold), DUET_E_MEMORY.
DUET_API duet_code duet_solution_create(int64_t tasks, duet_solution **out, duet_error *error);
/// NULL is allowed.
DUET_API void duet_solution_free(duet_solution *solution);

/// Decimal places beyond those of the instance that the times of the solution have: its starts,
/// ends, makespan and lower bound are in ticks of 10^-(duet_instance_decimals() + this) units. 0
/// but for a schedule that was read from a file and starts tasks between ticks (docs/problem.md);
/// duet_solution_to_ticks() makes it 0.
DUET_API int duet_solution_finer(const duet_solution *solution);

/// Number of tasks, n.
DUET_API int64_t duet_solution_tasks(const duet_solution *solution);
/// The placements, one per task in task order; valid until the solution is freed. A schedule of
/// many equal tasks is held as runs and expanded by the first call, O(n) time and memory: NULL
/// where there is no memory for that. The first call on a solution is therefore not safe beside
/// another call on the same solution; later ones are.
DUET_API const duet_placement *duet_solution_placements(const duet_solution *solution);
/// The schedule in compact form: runs of equal tasks, in task order; `*count` receives how many,
/// far less than tasks. NULL and 0 where the algorithm placed task by task. Valid until the
/// solution is freed, and after duet_solution_placements() too.
DUET_API const duet_task_run *duet_solution_runs(const duet_solution *solution, size_t *count);
/// The spoliated runs; `*count` receives how many.
DUET_API const duet_aborted *duet_solution_aborted(const duet_solution *solution, size_t *count);
/// Latest completion in ticks; 0 without tasks.
DUET_API int64_t duet_solution_makespan(const duet_solution *solution);
/// Best proven lower bound in ticks; 0 where none is known.
DUET_API int64_t duet_solution_lower_bound(const duet_solution *solution);
/// Name of the bound or algorithm that proved the lower bound; "" where none.
DUET_API const char *duet_solution_bound_name(const duet_solution *solution);
/// What is known of the schedule.
DUET_API duet_status duet_solution_status(const duet_solution *solution);
/// "optimal", "bounded" or "feasible".
DUET_API const char *duet_status_name(duet_status status);
/// Name of the algorithm that made it; "" where unknown.
DUET_API const char *duet_solution_algorithm(const duet_solution *solution);
/// Where the algorithm ran several others (auto): the one whose schedule this is; else "".
DUET_API const char *duet_solution_found_by(const duet_solution *solution);
/// The algorithm's proven ratio on this platform ("4/3", "(1+sqrt(5))/2"), or NULL.
DUET_API const char *duet_solution_guarantee(const duet_solution *solution);
/// How long the algorithm ran.
DUET_API double duet_solution_seconds(const duet_solution *solution);
/// True where a deadline, a cancellation or a memory limit ended the search early.
DUET_API bool duet_solution_interrupted(const duet_solution *solution);
/// Rounds the starts and ends of a valid schedule of `instance` down to whole ticks, so that
/// duet_solution_finer() is 0: a valid schedule again, which is not longer. Its claims go. Nothing
/// happens where it is in ticks. O(tasks).
DUET_API void duet_solution_to_ticks(duet_solution *solution, const duet_instance *instance);
/// Makes the same instance in the ticks of the solution, in which duet_solution_finer() of it is 0
/// from then on; its claims go where it was more. `*out` is the caller's, and has no notice and no
/// claim; solution and outputs are about it. Errors, and nothing is changed: DUET_E_UNSUPPORTED
/// (moldable tasks, or more than DUET_MAX_DECIMALS places), DUET_E_LIMIT, DUET_E_INPUT (times too
/// long for so fine ticks), DUET_E_MEMORY. O(tasks + edges).
DUET_API duet_code duet_solution_refine(duet_solution *solution, const duet_instance *instance,
                                        duet_instance **out, duet_error *error);
/// What ended the search early, in the words that all of Duet uses: "time limit reached", "limit
/// reached" (another than that of time: duet_solution_note() says which), "interrupted" (by a
/// cancellation), "gap reached" (the makespan is within option `gap` of the bound, which is no
/// interruption), "deadline decided" (it is known whether duet_params.deadline can be met, which is
/// none either); NULL where nothing did.
DUET_API const char *duet_solution_ending(const duet_solution *solution);

/// An answer to a question.
typedef enum duet_feasibility {
    DUET_NO,
    DUET_YES,
    DUET_UNDECIDED ///< nothing is proven either way
} duet_feasibility;

/// Whether some schedule of the instance has a makespan of at most `deadline` ticks: yes where this
/// one has, no where the lower bound is above. O(1).
DUET_API duet_feasibility duet_solution_meets(const duet_solution *solution, int64_t deadline);
/// Why it ended early where neither deadline nor cancellation did: a limit that a guess would have
/// exceeded, with what to do about it; or why what was asked for beside the schedule is not there.
/// NULL where there is nothing to say.
DUET_API const char *duet_solution_note(const duet_solution *solution);
/// True where the schedule is whole but a file that an option of the algorithm names (the proof of
/// "exact") could not be made or written; duet_solution_note() says which and why.
DUET_API bool duet_solution_output_failed(const duet_solution *solution);
/// The algorithm's figures; `*count` receives how many. Valid until the solution is freed.
DUET_API const duet_counter *duet_solution_counters(const duet_solution *solution, size_t *count);
/// The certificate of the lower bound, of DUET_PROOF_NONE where it has none. Belongs to the
/// solution.
DUET_API const duet_certificate *duet_solution_certificate(const duet_solution *solution);

#ifdef __cplusplus
}
#endif

#endif
