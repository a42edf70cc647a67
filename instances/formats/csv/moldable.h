// SPDX-License-Identifier: Apache-2.0
// Columns of moldable tasks in a table of tasks: "cpu:1,cpu:2,cpu:4" are times on one, two and four
// processors of the type cpu, "cpu:work,cpu:alpha" is Amdahl's law, and "work,alpha" that law on a
// type called cpu. Numbers of processors that are left out take the time of the next smaller one: a
// task may leave processors idle.
#ifndef DUET_INSTANCES_FORMATS_CSV_MOLDABLE_H
#define DUET_INSTANCES_FORMATS_CSV_MOLDABLE_H

#include "instances/formats/csv/columns.h"
#include "instances/formats/csv/time.h"

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
