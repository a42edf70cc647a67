// SPDX-License-Identifier: Apache-2.0
/// @file
/// Platform, kinds, tasks, edges: the problem to schedule.
///
/// A *platform* has Q >= 1 processor types, each a name and a count. A *kind* is an id, a count and
/// one time per type; it stands for `count` equal tasks. Kinds keep the order they were given in,
/// and the tasks of a kind are consecutive: tasks 0 .. count[0]-1 belong to kind 0, and so on. Task
/// ids are derived: the kind's id where the count is 1, "id#0", "id#1", ... otherwise.
///
/// Times are whole *ticks* in int64_t. An instance knows how many decimal places of its unit one
/// tick is (`decimals`), so that 15.6 ms at one decimal is 156 ticks, exactly.
#ifndef DUET_INSTANCE_H
#define DUET_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The time of a kind on a type where it cannot run.
#define DUET_FORBIDDEN INT64_MAX
/// Largest total work of an instance, in ticks: the sum over all tasks of the longest allowed time
/// and over all edges of the highest cost.
/// Instances beyond it are refused, so that no sum of times can overflow.
#define DUET_MAX_WORK (INT64_C(1) << 62)
/// Most decimal places of one tick. (Up to nine places a time in a file is exact, or refused.)
#define DUET_MAX_DECIMALS 18
/// Most processors of one type.
#define DUET_MAX_PROCESSORS INT64_C(2147483647)
/// Most processor types.
#define DUET_MAX_TYPES 64

/// A processor type: its name and how many there are (0 is allowed if another type has some).
typedef struct duet_type {
    const char *name; ///< such as "cpu"
    int64_t count;    ///< processors of this type
} duet_type;

/// What is known of an instance made to be hard: an algorithm's makespan on it beside the optimum.
/// An instance carries it as its file states it; nothing in the library relies on it.
typedef struct duet_claim {
    const char *algorithm; ///< the algorithm that it is about
    const char *options;   ///< what that needs, "key=value key=value"; "" for none
    int64_t optimum;       ///< ticks, at least 1
    int64_t makespan;      ///< of the algorithm, in ticks, at least the optimum
    const char *limit;     ///< formula that the ratio tends to as the instances grow; "" for none
    const char *source;    ///< where it comes from; "" for nowhere
    bool refuted;          ///< published, but the algorithm does not take as long as that
} duet_claim;

/// What an instance may have beyond independent tasks, each on one processor, on a platform of two
/// types. An instance says which of them it has (duet_instance_features()); an algorithm or a bound
/// says which of them it handles (duet_entry, duet_custom). Each is a bit; 0 is none of them.
enum duet_feature {
    DUET_FEATURE_PRECEDENCE = 1,    ///< tasks that start after others have ended
    DUET_FEATURE_COMMUNICATION = 2, ///< times to move results between types
    DUET_FEATURE_MOLDABLE = 4,      ///< tasks that run on several processors at once
    DUET_FEATURE_ANY_TYPES = 8,     ///< one processor type, or more than two
    DUET_FEATURE_MIXED_SETS = 16,   ///< tasks that may use processors of several types at once
    DUET_FEATURE_RELEASES = 32,     ///< tasks that may not start before a time of their own
    DUET_FEATURE_BUSY = 64,         ///< processors that are busy until some time
    DUET_FEATURE_RIGID =
        128, ///< moldable tasks that not all numbers of processors suit, or of 0 ticks
    DUET_FEATURE_FIXED = 256 ///< tasks of which something is given (<duet/replan.h>)
};

/// An edge of a task graph: task `to` starts after task `from` has ended. See <duet/graph.h>.
typedef struct duet_edge {
    int64_t from; ///< task
    int64_t to;   ///< task, another one
    size_t cost;  ///< table of duet_instance_desc.costs; ignored where there are none
} duet_edge;

/// Until when a processor is busy.
typedef struct duet_busy {
    size_t type;       ///< of the platform
    int64_t processor; ///< of that type, counted from 0
    int64_t until;     ///< ticks: nothing runs on it before
} duet_busy;

/// A problem: platform, kinds and edges. Immutable but for duet_instance_set_counts(),
/// duet_instance_set_busy() and what it takes from the first solution that is read
/// (duet_read_solution()); safe to read from several threads.
typedef struct duet_instance duet_instance;

/// What duet_instance_create() copies an instance from. Start from
/// `{.struct_size = sizeof(duet_instance_desc)}`.
typedef struct duet_instance_desc {
    size_t struct_size;        ///< sizeof(duet_instance_desc), so that it can grow
    const char *name;          ///< NULL: "unnamed"
    const char *time_unit;     ///< NULL: no unit
    int decimals;              ///< 0 .. DUET_MAX_DECIMALS: one tick is 10^-decimals units
    size_t types;              ///< Q, 1 .. DUET_MAX_TYPES
    const duet_type *platform; ///< `types` entries; names distinct and not empty
    size_t kinds;              ///< may be 0
    const char *const *ids;    ///< `kinds` distinct non-empty names, or NULL for "t0", "t1", ...
    const int64_t *counts;     ///< `kinds` counts >= 1, or NULL for 1 each
    const int64_t *times;      ///< kinds x types, row-major, ticks >= 0 or DUET_FORBIDDEN. Not
                               ///< looked at where tasks are moldable
    const duet_claim *claim;   ///< NULL: none. Its texts but `algorithm` may be NULL
    size_t edges;              ///< of a task graph without cycles; 0: tasks are independent
    const duet_edge *edge;     ///< `edges` entries, no two between the same tasks
    size_t cost_tables;        ///< 0: no edge costs anything
    const int64_t *costs;      ///< cost_tables x types x types ticks: from type a to type b
    const struct duet_moldable_desc *moldable; ///< <duet/moldable.h>; NULL: tasks are sequential
    const int64_t *releases; ///< `kinds` ticks before which no task of a kind starts; NULL: zeros
    size_t busy_count;       ///< 0: every processor is free from 0
    const duet_busy *busy;   ///< `busy_count` entries, no two of the same processor
} duet_instance_desc;

/// Copies and checks a problem. On success `*out` is owned by the caller (duet_instance_free()); on
/// failure it is NULL. Errors: DUET_E_USAGE and DUET_E_UNSUPPORTED (`struct_size`),
/// DUET_E_INPUT (names the kind, the edge or the cycle at fault),
/// DUET_E_INFEASIBLE (a kind that is forbidden on every type), DUET_E_MEMORY. O(kinds x types +
/// edges) expected time, and with edges O(tasks).
DUET_API duet_code duet_instance_create(const duet_instance_desc *desc, duet_instance **out,
                                        duet_error *error);

/// Frees an instance. NULL is allowed.
DUET_API void duet_instance_free(duet_instance *instance);

/// Sets the number of processors of the first `types` types: all of them, or DUET_E_USAGE. Counts
/// are 0 .. DUET_MAX_PROCESSORS, not all 0, the same as before where something is given of the
/// tasks (duet_replan()), and none below the processors of which it is known until when they are
/// busy. Afterwards the platform is known. A claim is about one platform: other counts drop it.
DUET_API duet_code duet_instance_set_counts(duet_instance *instance, size_t types,
                                            const int64_t *counts, duet_error *error);

/// Says until when the processors of a type are busy: processor p until `until[p]`, those from
/// `count` on not at all. What was known of the type before is forgotten. DUET_E_USAGE where
/// something is given of the instance's tasks (duet_replan()), where the
/// platform is known and has fewer processors of the type, or a time is below 0 or, with all work,
/// beyond ::DUET_MAX_WORK. O(types + count).
DUET_API duet_code duet_instance_set_busy(duet_instance *instance, size_t type, size_t count,
                                          const int64_t *until, duet_error *error);

/// Says at which time of day time 0 of the instance is, for pictures, tables and traces: a day and
/// a time (ISO 8601) such as "2026-11-27T09:00", with seconds, and `Z` or an offset behind, or not,
/// or another form of dates (docs/formats.md) that can be read in one way; NULL: not known.
/// DUET_E_USAGE where it is none, or the instance's unit of time is not known.
DUET_API duet_code duet_instance_set_start(duet_instance *instance, const char *start,
                                           duet_error *error);

/// Writes what time 0 of the instance is, as duet_instance_set_start() takes it and with seconds,
/// into `buffer` of at least 64 bytes; returns `buffer`, NULL where it is not known.
DUET_API char *duet_instance_start(const duet_instance *instance, char *buffer);

/// Whether processor counts are known (a CSV file has none until they are set).
DUET_API bool duet_instance_has_platform(const duet_instance *instance);

/// The instance's name; "unnamed" where it has none.
DUET_API const char *duet_instance_name(const duet_instance *instance);
/// The unit of the instance's times, "" where it has none.
DUET_API const char *duet_instance_time_unit(const duet_instance *instance);
/// Decimal places of one tick: 10^-decimals units.
DUET_API int duet_instance_decimals(const duet_instance *instance);
/// Number of processor types, Q.
DUET_API size_t duet_instance_types(const duet_instance *instance);
/// What the instance has that an algorithm must handle: OR of ::duet_feature.
DUET_API unsigned duet_instance_features(const duet_instance *instance);
/// Whether a task may use processors of several types at once (<duet/moldable.h>).
DUET_API bool duet_instance_mixed_sets(const duet_instance *instance);
/// Name of a processor type.
DUET_API const char *duet_instance_type_name(const duet_instance *instance, size_t type);
/// Processors of a type; 0 for every type while the platform is unknown.
DUET_API int64_t duet_instance_type_count(const duet_instance *instance, size_t type);
/// Number of kinds.
DUET_API size_t duet_instance_kinds(const duet_instance *instance);
/// Id of a kind.
DUET_API const char *duet_instance_kind_id(const duet_instance *instance, size_t kind);
/// Number of equal tasks that a kind stands for.
DUET_API int64_t duet_instance_kind_count(const duet_instance *instance, size_t kind);
/// Time of a kind on a type in ticks, or DUET_FORBIDDEN.
DUET_API int64_t duet_instance_time(const duet_instance *instance, size_t kind, size_t type);
/// The time before which no task of a kind starts, in ticks; 0 where nothing was said.
DUET_API int64_t duet_instance_release(const duet_instance *instance, size_t kind);
/// When the tasks of a kind are to have ended, in ticks, rounded down; DUET_FORBIDDEN where nothing
/// was said. A schedule with late tasks is valid, and no algorithm looks at it: lateness is
/// reported, not minimised.
DUET_API int64_t duet_instance_deadline(const duet_instance *instance, size_t kind);
/// The group of the tasks of a kind, as the input says it; NULL where it says nothing. No algorithm
/// looks at it: pictures, summaries and noise do, which else go by what ids begin with.
DUET_API const char *duet_instance_group(const duet_instance *instance, size_t kind);
/// The time until which a processor of a type is busy, in ticks; 0 where nothing was said.
DUET_API int64_t duet_instance_busy(const duet_instance *instance, size_t type, int64_t processor);
/// The name of a processor of a type, such as its host; NULL where it has none.
DUET_API const char *duet_instance_processor_name(const duet_instance *instance, size_t type,
                                                  int64_t processor);
/// Number of tasks, n: the sum of the kinds' counts.
DUET_API int64_t duet_instance_tasks(const duet_instance *instance);
/// The kind of task `task`, 0 <= task < n. O(log kinds).
DUET_API size_t duet_instance_kind_of(const duet_instance *instance, int64_t task);
/// Writes the id of a task into `buffer`, cut to `size` bytes with the final NUL; returns the
/// length it needs without the NUL, as snprintf does.
DUET_API size_t duet_instance_task_id(const duet_instance *instance, int64_t task, char *buffer,
                                      size_t size);
/// Something the reader left out and the user should know (such as "54 tasks have predecessors,
/// which are ignored"), or NULL.
DUET_API const char *duet_instance_notice(const duet_instance *instance);

/// What the instance claims about itself, or NULL. Belongs to the instance.
DUET_API const duet_claim *duet_instance_claim(const duet_instance *instance);

/// Writes `ticks` exactly in the instance's unit ("15.6", no trailing zeros) into `buffer` of at
/// least 32 bytes; returns `buffer`.
DUET_API char *duet_instance_format_time(const duet_instance *instance, int64_t ticks,
                                         char *buffer);

#ifdef __cplusplus
}
#endif

#endif
