// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reading and writing instances and solutions. The path "-" is standard input or output. Files are
/// written whole or not at all: to a temporary file beside the target, then renamed. CSV and DOT
/// have names exactly, but on a terminal, which is shown escapes for what it would act on.
#ifndef DUET_IO_H
#define DUET_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>
#include <duet/params.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far a file is read.
typedef struct duet_read_progress {
    int64_t bytes; ///< so far
    int64_t total; ///< of the file; 0 where that is not known, as of a pipe
} duet_read_progress;

/// How to read an instance. Start from DUET_READ_PARAMS_INIT; every 0 or NULL means the default.
typedef struct duet_read_params {
    size_t struct_size; ///< sizeof(duet_read_params), so that it can grow
    /// The columns of CSV, members of JSON or attributes of DOT that count,
    /// "cpu=time_cpu,gpu=time_gpu" (NAME alone: NAME=NAME): the processor types in this order; also
    /// "id", "count" and "after", and of edges "cost" and "data". A name with a comma or '=' stands
    /// in double quotes. NULL: by their names.
    const char *columns;
    bool exact_times; ///< refuse times that would have to be rounded
    /// Called now and then while the file is read; NULL: not wanted.
    void (*progress)(void *user, const duet_read_progress *progress);
    void *user; ///< handed to `progress`
    /// The unit of the times of a file that names none, such as a CSV file ("ms"), or none that is
    /// known; a file that names another known one is refused. NULL: the file's.
    const char *time_unit;
    /// Of duet_reading_options(), such as "gpu=15" or "edges=false"; NULL: none. Borrowed.
    const duet_options *options;
    /// Bytes that the call may hold at any time, the instance included; beyond it is DUET_E_MEMORY
    /// or DUET_E_LIMIT. 0: 1 GiB, or 1,000 times the bytes that are read where that is more.
    size_t memory_limit;
    double time_limit;         ///< seconds; <= 0 or infinite: none; not NaN
    const duet_cancel *cancel; ///< may be NULL
    /// A field of the file that is not used is an error, not a part of the notice.
    bool strict_input;
    /// Processor types that the caller names, "cpus=4,gpus=2" (counts do not matter here): a field
    /// of that name is a type even where it is a word for something else. NULL: none.
    const char *types;
    /// A table (CSV) of edges beside the file: columns "from", "to" and perhaps "cost", or a matrix
    /// whose first row and column name the tasks and whose cells are costs (nothing, 0 and -1: no
    /// edge). NULL: none.
    const char *edges;
    /// Significant digits of every time that are kept, 1 to 18: the nearest number, halves up. 0:
    /// all of them.
    int digits;
    /// How many times as long all times may become, as those that duet_simulator_run() draws: where
    /// times have to be rounded, the tick is so much larger. 0: 1.
    int room;
    /// Until when processors are busy, "gpu=3,0,cpu=2": a time for each processor of a type in the
    /// unit of the file, those that are left out are free from 0. In place of what the file says of
    /// that type. NULL: the file's.
    const char *busy;
    /// The day and the time of day of time 0, "2026-11-27T09:00": releases and deadlines that are
    /// dates are told from it, and the instance has it as by duet_instance_set_start(), where its
    /// unit is known. NULL: the earliest of these dates, if a release is one.
    const char *start;
} duet_read_params;

/// Every default.
#define DUET_READ_PARAMS_INIT                                                                      \
    {                                                                                              \
        sizeof(duet_read_params), NULL, false, NULL, NULL, NULL, NULL, 0, 0.0, NULL, false, NULL,  \
            NULL, 0, 0, NULL, NULL                                                                 \
    }

/// Reads an instance in any known format, recognised from its content, as `params` says (NULL:
/// every default). On success `*out` is owned by the caller; duet_instance_notice() says what was
/// left out or rounded. Errors: DUET_E_INPUT with file, line, column and what was expected;
/// DUET_E_INFEASIBLE for a task that is forbidden everywhere; DUET_E_USAGE (`params`: its size,
/// `columns` that make no sense or are wanted of a format whose fields have no names, another
/// `time_unit` than the file's, `digits` out of range, `options` that are unknown or do not fit the
/// file, a time limit that is no number); DUET_E_UNSUPPORTED (random factors in a build without
/// GSL); DUET_E_MEMORY; DUET_E_LIMIT and DUET_E_CANCELLED where the file is not read by then. They
/// are asked with each 64 KiB of the file; the first ones are read whatever the time. O(size of the
/// file) expected; memory O(kinds), with edges O(tasks), with laws O(the root of their ticks).
DUET_API duet_code duet_read_instance(const char *path, const duet_read_params *params,
                                      duet_instance **out, duet_error *error);

/// What a column, a member or an attribute of that name says of a task, whatever the format: "id",
/// "after" (what comes before it), "before" (what waits for it), "release", "cores", "deadline",
/// "count" (how many such tasks there are), "priority", "weight", "setup", "memory" (or another
/// resource), "group", "remark", "run" (how it was run once), "limit" (how long it may run) or
/// "timed" (a release or a deadline in a unit that the name says: "ready_s"). Case, blanks and
/// signs do not count, nor do parts of a name that change nothing, such as "task" in "task
/// priority". "length": how long a task takes, "duration"; one such column of a table is a type of
/// processors. NULL: nothing is known of the name, and a column of numbers is the time on a type of
/// processors of that name, which a notice says. "type": the name is one of processors, as
/// "gpu_big" and "a100" are. The text is static.
DUET_API const char *duet_field_word(const char *name);

/// Writes an instance in the format of that name ("json", "csv", "dot"; NULL: by the ending of
/// `path`, else json). Errors: DUET_E_USAGE (unknown format, or one that cannot hold the instance),
/// DUET_E_OUTPUT.
DUET_API duet_code duet_write_instance(const char *path, const char *format,
                                       const duet_instance *instance, duet_error *error);

/// Reads a solution of `instance`, JSON or CSV (docs/formats.md), recognised from its content.
/// Tasks are matched by id. If the instance has no platform yet, it takes the solution's, which a
/// CSV file has none of; likewise the unit of the times. What the file claims is stored, not
/// believed: check it with duet_check_solution(). A CSV file claims nothing: its makespan is
/// measured. So does JSON without "format", of which only "schedule" is needed: what other software
/// made may be rounded, and start tasks between ticks (docs/problem.md; duet_solution_finer()).
///
/// Of `params` (may be NULL) the limits of memory and time, the cancellation and the progress
/// count, and `room`: beyond 1 the instance was read with it, the file's times may be as far off as
/// those of other software, and the bound that it claims, of other times, is left out. Nothing
/// else. A file too short to place each of the tasks, for
/// which there is no room either, is read as a schedule that places none. Errors as
/// duet_read_instance().
DUET_API duet_code duet_read_solution(const char *path, const duet_read_params *params,
                                      duet_instance *instance, duet_solution **out,
                                      duet_error *error);

/// Writes a solution as JSON; where `path` ends in ".csv", its schedule alone, as a table.
DUET_API duet_code duet_write_solution(const char *path, const duet_instance *instance,
                                       const duet_solution *solution, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
