// SPDX-License-Identifier: Apache-2.0
// What the parts of the solution reader share.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_READER_H
#define DUET_INSTANCES_FORMATS_SOLUTION_READER_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"
#include "core/system/watch.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/task_map.h"

// Times of a schedule that is read have nine decimal places more than ticks (docs/problem.md). This
// is a tick in their unit.
#define DUET_FINE_TICK ((duet_int128)1000000000)
// What a task takes where it cannot run.
#define DUET_NO_LENGTH ((duet_int128)-1)

// What an entry says of itself. Without a start it follows the entry before it on its processor;
// without a type or a processor, as parts of entries may be, it may have any.
enum {
    DUET_ENTRY_TYPE = 1,
    DUET_ENTRY_PROCESSOR = 2,
    DUET_ENTRY_START = 4,
    DUET_ENTRY_END = 8,
};

// A task of a schedule, or an aborted run of one.
typedef struct duet_schedule_entry {
    int64_t task;
    duet_int128 start; // at DUET_FINER_PLACES more places, and so is the end
    duet_int128 end;
    int32_t type;
    int32_t processor;
    size_t range_at; // where its processors begin in `range` of the reader
    size_t ranges;   // 0: it is on the one processor
    unsigned given;  // DUET_ENTRY_TYPE and the others
    bool aborted;
    int line;
    int column;
} duet_schedule_entry;

// What becomes of the entries of a schedule.
typedef enum duet_entries_use {
    DUET_ENTRIES_PLACED, // They are placed as they come.
    DUET_ENTRIES_KEPT,   // They are kept until all are there: times may be rounded, or between
                         // ticks.
    DUET_ENTRIES_PARTS   // They are parts of entries, kept, and nothing else is read.
} duet_entries_use;

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
    bool has_makespan;
    duet_int128 makespan; // as claimed, at DUET_FINER_PLACES more places, and so is the bound
    duet_int128 lower_bound;
    duet_int128 certified; // the bound beside it that is certified
    // The file calls itself a solution of Duet's: nothing is rounded, unless the instance is.
    bool exact;
    int room; // of the instance (duet_read_params); beyond 1 its ticks may be larger than the
              // file's
    duet_entries_use use;
    duet_int128 tolerance; // by which times may be off
    duet_watch watch;      // what snapping spends from
    duet_schedule_entry *entry;
    size_t entries;
    // Sets of processors, those of all entries that are kept.
    duet_processor_range *range;
    size_t ranges;
} duet_solution_reader;

// Index of the type of that name, or -1.
int32_t duet_solution_type(const duet_solution_reader *reader, const char *name);
// Notes something that no schedule can be, at the current token, for the checker to report. The
// reader goes on: the file is readable, only wrong.
void duet_solution_fault(duet_solution_reader *reader, const char *format, ...) DUET_PRINTF(2, 3);

// Each of these reads a value. A file that is not readable is a failure of `json`.

// Reads the next token as a time in whole ticks of the instance, the nearest ones where the file is
// not exact. A time below 0 is kept: it is for the checker to judge.
void duet_solution_time(duet_solution_reader *reader, const char *what, int64_t *ticks);
// The same at DUET_FINER_PLACES more places.
void duet_solution_fine_time(duet_solution_reader *reader, const char *what, duet_int128 *time);
// Reads the next token as the id of a task, or as the name of a type; -1 where there is no such
// one, which is noted.
void duet_solution_read_task(duet_solution_reader *reader, int64_t *task);
void duet_solution_read_type(duet_solution_reader *reader, int32_t *type);
// Reads the array of placements, or of aborted runs.
void duet_solution_read_intervals(duet_solution_reader *reader, bool aborted);
// The same where the array has begun.
void duet_solution_read_elements(duet_solution_reader *reader, bool aborted);
void duet_solution_read_certificate(duet_solution_reader *reader, duet_certificate *certificate);
// Reads the ranges of a set, [[0, 15], [20, 20]], whose type is patched in later; or a set over
// several types, [{"type": ..., "processors": ...}, ...], which leaves the entry's type at its
// first.
void duet_solution_read_processors(duet_solution_reader *reader, duet_schedule_entry *entry);
void duet_solution_read_parts(duet_solution_reader *reader, duet_schedule_entry *entry);
// One more range of the entry that is being read.
duet_code duet_solution_add_range(duet_solution_reader *reader, duet_schedule_entry *entry,
                                  duet_processor_range range, duet_error *error);

// Whether what follows is the header of a table; else it is JSON.
bool duet_solution_is_table(duet_input *input);
// DUET_E_INPUT where it is neither, or a file of another kind; `expected` says what would do.
duet_code duet_solution_refuse_other(duet_input *input, const char *expected, duet_error *error);
// Reads a whole document, JSON or CSV.
duet_code duet_solution_read_json(duet_solution_reader *reader, duet_input *input,
                                  duet_error *error);
duet_code duet_solution_read_csv(duet_solution_reader *reader, duet_input *input,
                                 duet_error *error);

// Notes at a place of the file that something is wrong with a task. The schedule has a fault then,
// which the checker reports.
void duet_solution_fault_at_task(duet_solution_reader *reader, int line, int column, int64_t task,
                                 const char *what);
// Takes one more entry: places it, or keeps it. Faults: a place already, a wrong end.
// DUET_E_MEMORY.
duet_code duet_solution_add_entry(duet_solution_reader *reader, const duet_schedule_entry *entry,
                                  duet_error *error);
// Places the entries that were kept, once all are there.
duet_code duet_solution_place_entries(duet_solution_reader *reader, duet_error *error);
// Sets makespan and lower bound of the solution from what the file claims, and the makespan that
// was measured.
void duet_solution_take_claims(duet_solution_reader *reader, int64_t measured);
// The processors of an entry; *one has room for one.
duet_processor_set duet_schedule_entry_set(const duet_solution_reader *reader,
                                           const duet_schedule_entry *entry,
                                           duet_processor_range *one);
// S4: when its task and all these processors are there, at DUET_FINER_PLACES more places.
duet_int128 duet_schedule_entry_available(const duet_solution_reader *reader,
                                          const duet_schedule_entry *entry);
// What its task takes there, at DUET_FINER_PLACES more places, or how long it was until it was
// aborted; DUET_NO_LENGTH where it cannot run there.
duet_int128 duet_schedule_entry_length(const duet_solution_reader *reader,
                                       const duet_schedule_entry *entry);
// How long the data of an edge take between the processors of two entries, at as many more places.
duet_int128 duet_schedule_edge_time(const duet_solution_reader *reader, int32_t edge,
                                    const duet_schedule_entry *from, const duet_schedule_entry *to);
// Gives each entry of a task graph the earliest start that the order on its processor and the edges
// allow; a fault if no start fits. The entries are sorted by processor. O(entries + edges).
duet_code duet_solution_start_in_order(duet_solution_reader *reader, duet_error *error);

// snap.c
// Steps 1 to 3 of "Between ticks" in docs/problem.md, on all entries: the starts are then those
// that are judged, and the reader has the tolerance. O(n log n + edges), and the processors of all
// tasks where these are moldable.
duet_code duet_schedule_snap(duet_solution_reader *reader, duet_error *error);
// The nearest whole tick, halves up.
duet_int128 duet_schedule_round_to_tick(duet_int128 time);
// The tolerance of the reader, from the starts that its entries have.
void duet_schedule_find_tolerance(duet_solution_reader *reader);
// Sorts the entries by processor, those of one in the order of the file.
void duet_schedule_sort(duet_solution_reader *reader);

#endif
