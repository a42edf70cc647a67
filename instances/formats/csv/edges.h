// SPDX-License-Identifier: Apache-2.0
// Edges in a table of their own: a matrix with a row and a column for each task, or a list.
#ifndef DUET_INSTANCES_FORMATS_CSV_EDGES_H
#define DUET_INSTANCES_FORMATS_CSV_EDGES_H

#include "core/instance/instance.h"
#include "instances/formats/csv/csv.h"

// Adds the edges of the file to a builder that has all tasks. DUET_E_INPUT with the place in it.
duet_code duet_csv_read_edges(duet_input *input, duet_builder *builder, duet_error *error);

#endif
