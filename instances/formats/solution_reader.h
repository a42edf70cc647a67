// SPDX-License-Identifier: Apache-2.0
// What the parts of the solution reader share.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_READER_H
#define DUET_INSTANCES_FORMATS_SOLUTION_READER_H

#include "core/instance.h"
#include "core/solution.h"
#include "instances/formats/json_pull.h"
#include "instances/formats/task_map.h"

// One line of a schedule that claims nothing.
typedef struct duet_schedule_entry {
    int64_t task;
    int64_t start;
    int64_t end;
    int32_t type;
    int32_t processor;
    size_t range_at; // where its processors begin in `range` of the reader
    size_t ranges;   // 0: it is on the one processor
    bool has_start;  // else it follows the entry before it on its processor
    bool has_end;
    int line;
    int column;
} duet_schedule_entry;

typedef struct duet_solution_reader {
    duet_json json;
    const char *file; // for messages
    char about[100];  // the name of the instance that the file is about; "" where it says none
    char *unit;       // of its times, for an instance that has none; owned
    duet_instance *instance;
    duet_solution *solution;
    duet_task_map tasks;
    int64_t counts[DUET_MAX_TYPES]; // of the solution's platform, by the instance's types
    bool counted[DUET_MAX_TYPES];
    // A schedule of other software: it need not claim anything, and its times may be those of
    // floating-point arithmetic. Its entries are kept until all are there (schedule_entries.c).
    bool lenient;
    bool has_makespan;
    bool inexact; // some time is no whole number of ticks
    duet_schedule_entry *entry;
    size_t entries;
    size_t entry_capacity;
    // Sets of processors, those of all entries that are kept.
    duet_processor_range *range;
    size_t ranges;
    size_t range_capacity;
} duet_solution_reader;

// Index of the type of that name, or -1.
int32_t duet_solution_type(const duet_solution_reader *reader, const char *name);
// Notes something that no schedule can be, at the current token, for the checker to report. The
// reader goes on: the file is readable, only wrong.
void duet_solution_fault(duet_solution_reader *reader, const char *format, ...) DUET_PRINTF(2, 3);

// Each of these reads a value. A file that is not readable is a failure of `json`.

// Reads the next token as a time in whole ticks of the instance. A time below 0 is kept: it is for
// the checker to judge.
void duet_solution_time(duet_solution_reader *reader, const char *what, int64_t *ticks);
// Reads the next token as the id of a task, or as the name of a type; -1 where there is no such
// one, which is noted.
void duet_solution_read_task(duet_solution_reader *reader, int64_t *task);
void duet_solution_read_type(duet_solution_reader *reader, int32_t *type);
// Reads the array of placements, or of aborted runs.
void duet_solution_read_intervals(duet_solution_reader *reader, bool aborted);
void duet_solution_read_certificate(duet_solution_reader *reader);
// Reads the ranges of a set, [[0, 15], [20, 20]], whose type is patched in later; or a set over
// several types, [{"type": ..., "processors": ...}, ...], which leaves the entry's type at its
// first.
void duet_solution_read_processors(duet_solution_reader *reader, duet_schedule_entry *entry);
void duet_solution_read_parts(duet_solution_reader *reader, duet_schedule_entry *entry);
// One more range of the entry that is being read.
duet_code duet_solution_add_range(duet_solution_reader *reader, duet_schedule_entry *entry,
                                  duet_processor_range range, duet_error *error);

// Reads a whole document, JSON or CSV.
duet_code duet_solution_read_json(duet_solution_reader *reader, duet_input *input,
                                  duet_error *error);
duet_code duet_solution_read_csv(duet_solution_reader *reader, duet_input *input,
                                 duet_error *error);

// Notes at a place of the file that something is wrong with a task. The schedule has a fault then,
// which the checker reports.
void duet_solution_fault_at_task(duet_solution_reader *reader, int line, int column, int64_t task,
                                 const char *what);
// Places a task; a fault where it has a place already or its end is wrong. DUET_E_MEMORY.
duet_code duet_solution_put(duet_solution_reader *reader, const duet_schedule_entry *entry,
                            duet_error *error);
// Keeps an entry; and, once all are there, places them.
duet_code duet_solution_add_entry(duet_solution_reader *reader, const duet_schedule_entry *entry,
                                  duet_error *error);
duet_code duet_solution_settle_entries(duet_solution_reader *reader, duet_error *error);
// Gives each entry of a task graph the earliest start that the order on its processor and the edges
// allow; a fault where there is none. The entries are sorted by processor. O(entries + edges).
duet_code duet_solution_start_in_order(duet_solution_reader *reader, duet_error *error);

#endif
