// SPDX-License-Identifier: Apache-2.0
// Columns of moldable tasks in a table of tasks: "cpu:1,cpu:2,cpu:4" are times on one, two and four
// processors of the type cpu, "cpu:work,cpu:alpha" is Amdahl's law, and "work,alpha" that law on a
// type called cpu. Numbers of processors that are left out take the time of the next smaller one: a
// task may leave processors idle.
#ifndef DUET_INSTANCES_FORMATS_CSV_MOLDABLE_H
#define DUET_INSTANCES_FORMATS_CSV_MOLDABLE_H

#include "core/instance/instance.h"
#include "instances/formats/csv/columns.h"
#include "instances/formats/csv/csv.h"

// time.c
// Who knows what --columns would say so that a field that is no time is passed over, "id=job,cpu";
// "" where there is nothing to say.
typedef struct duet_csv_adviser {
    void (*advise)(const void *user, char *advice, size_t size);
    const void *user;
} duet_csv_adviser;

// What the numbers read so far say of their decimal mark and of their unit.
typedef struct duet_csv_marks {
    int point_line; // of the first number with a point; 0: none
    int comma_line; // of the first number with a comma; 0: none
    int comma_column;
    bool comma_is_mark; // some comma cannot separate thousands
    duet_csv_adviser adviser;
    const char *own; // the name of the column that is read, where it is no type; NULL: it is one
    bool durations;  // some time is written as 1h 2m or 00:01:30: all are in seconds
} duet_csv_marks;

// Reads the time in a field: a number, or nothing (also nan, NA, inf and the like) where the task
// cannot run. `type` is the processor type that the column is. DUET_E_INPUT names the place and how
// to mend it.
duet_code duet_csv_read_time(const duet_csv *csv, size_t field, const char *type,
                             duet_csv_marks *marks, duet_read_time *time);
// Likewise a time of the task itself, in the column of that name: nothing says nothing.
duet_code duet_csv_read_own_time(const duet_csv *csv, size_t field, const char *name,
                                 duet_csv_marks *marks, duet_read_time *time);
// Whether a field may be a time, or says that there is none.
bool duet_csv_may_be_time(const duet_csv *csv, size_t field);
// At the end of the table: whether its commas can only be decimal marks.
duet_code duet_csv_check_marks(const duet_csv *csv, const duet_csv_marks *marks);

// moldable.c
// Takes a column of moldable tasks and its type, which it adds unless it is there; *taken says
// whether it is one.
duet_code duet_csv_take_moldable(const duet_csv *csv, duet_builder *builder,
                                 duet_csv_columns *columns, const char *name, size_t column,
                                 bool *taken);
// Every law has its work, and every table a column for one processor.
// Whether the name says that the column is one of moldable tasks.
bool duet_csv_is_moldable(const duet_csv *csv, const char *name);
duet_code duet_csv_check_moldable(const duet_csv *csv, const duet_csv_columns *columns);

// The times of the tables of a record.
typedef struct duet_csv_values {
    duet_read_time *value;
    size_t count;
} duet_csv_values;

// Reads what the current record says of a type with a table or a law: *time is forbidden where it
// says nothing.
duet_code duet_csv_read_table(const duet_csv *csv, const duet_csv_columns *columns, size_t type,
                              const char *type_name, duet_csv_marks *marks, duet_csv_values *values,
                              duet_read_time *time, duet_read_table *table);

#endif
