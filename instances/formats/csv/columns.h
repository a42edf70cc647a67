// SPDX-License-Identifier: Apache-2.0
// What each column of a table of tasks is, as its header and the caller say.
#ifndef DUET_INSTANCES_FORMATS_CSV_COLUMNS_H
#define DUET_INSTANCES_FORMATS_CSV_COLUMNS_H

#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/csv/picks.h"

enum { DUET_CSV_NO_COLUMN = -1, DUET_CSV_MOST_COLUMNS = 4096 };

// A column of times on a number of processors.
typedef struct duet_csv_cell {
    int32_t processors;
    uint16_t column;
    uint16_t type;
} duet_csv_cell;

// What is said of a first line that names one of several columns.
#define DUET_CSV_TITLE                                                                             \
    "one name for several columns; expected a header in the first line, such as id,cpu,gpu: "      \
    "delete what stands above it, or begin those lines with #"

enum { DUET_CSV_KEPT_NAME = 256 }; // bytes of a name for messages

typedef struct duet_csv_columns {
    size_t named; // columns with a name; those behind them must be empty
    int end_line; // where the first one behind them begins in the header, 0: there is none
    int end_column;
    int id; // columns, or DUET_CSV_NO_COLUMN
    int count;
    int after;
    int before;     // the ids of the tasks that wait
    size_t repeats; // columns with the name of one of these two, which say more of the same
    uint16_t repeat[DUET_CSV_MOST_COLUMNS];
    bool repeat_before[DUET_CSV_MOST_COLUMNS];
    int release;  // the time before which a task does not start
    int deadline; // the time by which a task is to have ended
    int priority; // also among those that are passed, since most rules do not use it
    int group;    // what a task belongs to
    char count_name[DUET_CSV_KEPT_NAME]; // for messages
    char release_name[DUET_CSV_KEPT_NAME];
    char deadline_name[DUET_CSV_KEPT_NAME];
    char after_name[DUET_CSV_KEPT_NAME];
    char before_name[DUET_CSV_KEPT_NAME];
    char group_name[DUET_CSV_KEPT_NAME];
    int cores;    // that the caller has picked, also among those that are passed
    size_t types; // times, in the order of the instance's types
    int time[DUET_MAX_TYPES];
    // Where a type has no column of its own: those of its law, or of its table.
    int work[DUET_MAX_TYPES];
    int alpha[DUET_MAX_TYPES];
    size_t cells;
    duet_csv_cell cell[DUET_CSV_MOST_COLUMNS]; // those of a type by number of processors
    duet_names passed;                         // columns that are not used
    uint16_t pass[DUET_CSV_MOST_COLUMNS];      // where they are, by their numbers
} duet_csv_columns;

// Reads the header, which is the current record, and adds the types. `picks` is NULL where the
// header alone decides.
duet_code duet_csv_read_columns(duet_csv *csv, const duet_csv_picks *picks, duet_builder *builder,
                                duet_csv_columns *columns);
// Puts what the current record has in columns that are not used into the ledger of the input.
// DUET_E_INPUT where that is refused.
duet_code duet_csv_pass_columns(const duet_csv *csv, const duet_csv_columns *columns);
void duet_csv_free_columns(duet_csv_columns *columns);

#endif
