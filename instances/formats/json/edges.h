// SPDX-License-Identifier: Apache-2.0
// Edges of instances in JSON; for instance_json.c and instance_json_task.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_EDGES_H
#define DUET_INSTANCES_FORMATS_JSON_EDGES_H

#include "instances/formats/edge_costs.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/pull.h"

// Zero is an empty one. What it holds is freed by duet_json_edges_free().
typedef struct duet_json_edges {
    duet_json *json;       // borrowed
    duet_builder *builder; // borrowed

    // Ids while other members are parsed, each with its final NUL.
    char *ids;
    size_t ids_used;
    // Of a task's "after": how many they are, and where they stand.
    size_t ids_kept;
    bool after_list; // it is one text
    int after_line, after_column;

    size_t sized; // edges with a size of SAGA's, and where the first of them is
    int sized_line, sized_column;
    bool timed; // the file says how long data take

    // Values of a table of costs.
    duet_read_time *values;
    size_t value_count;
    duet_negative_cost negative; // of the current edge
} duet_json_edges;

void duet_json_edges_free(duet_json_edges *edges);
// Reads the value of "edges": an array of edges, or null.
void duet_json_read_edges(duet_json_edges *edges);
// Reads the edge whose first token is the current one.
void duet_json_read_edge(duet_json_edges *edges);
// Once all is read: where nothing says how long data take, they take no time, and the sizes of
// edges go into the ledger.
void duet_json_pass_sizes(duet_json_edges *edges);
// Reads the value of "transfer": how long data take.
void duet_json_read_transfer(duet_json_edges *edges);
// Reads the value of a task's "after" and keeps the ids: an array of them, or a text in which
// semicolons stand between them.
void duet_json_read_after(duet_json_edges *edges);
// Adds the edges from the tasks of the kept ids to each of `count` tasks from `first` on, or with
// `successors` from each of these to them.
void duet_json_add_after(duet_json_edges *edges, int64_t first, int64_t count, bool successors);

#endif
