// SPDX-License-Identifier: Apache-2.0
// The readers and writers of the instance formats; instance_io.c chooses among them.
#ifndef DUET_INSTANCES_FORMATS_FORMATS_H
#define DUET_INSTANCES_FORMATS_FORMATS_H

#include <stdio.h>

#include "core/instance.h"
#include "instances/formats/input.h"

// Each reads the whole input into a builder whose file and name are set.
typedef duet_code duet_read_format(duet_input *input, duet_builder *builder, duet_error *error);

duet_read_format duet_read_instance_json;
duet_read_format duet_read_instance_csv;
duet_read_format duet_read_instance_text;
duet_read_format duet_read_instance_rec;
duet_read_format duet_read_instance_rcmax;

// Whether text begins as R||Cmax does: two lines with a whole number each.
bool duet_rcmax_begins(const unsigned char *text, size_t length);

// Each writes to a stream whose state the caller checks.
typedef void duet_write_format(FILE *stream, const duet_instance *instance);

duet_write_format duet_write_instance_json;
duet_write_format duet_write_instance_csv;

// Parses a time; on a fault records DUET_E_INPUT at line and column, naming `text`.
duet_code duet_read_time_text(const char *text, size_t length, const char *file, int line,
                              int column, duet_read_time *time, duet_error *error);

#endif
