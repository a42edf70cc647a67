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

    // The first member that is not read and may have been meant for edges; "": none.
    char unread[32];
    bool unread_of_task;
    int unread_line;
    duet_unread_cost unread_cost; // likewise for what an edge costs

    // Values of a table of costs.
    duet_read_time *values;
    size_t value_count;
    duet_negative_cost negative; // of the current edge
} duet_json_edges;

void duet_json_edges_free(duet_json_edges *edges);
// Looks at the name of a member that this format does not know, of a task or of the instance.
// Whether other programs have predecessors there: then duet_json_edges_notice() will say so.
bool duet_json_is_unread_edge(duet_json_edges *edges, const char *name, bool of_task);
// Adds a notice of such a member, and of one of an edge.
duet_code duet_json_edges_notice(const duet_json_edges *edges, duet_error *error);
// Reads the value of "edges": an array of edges, or null.
void duet_json_read_edges(duet_json_edges *edges);
// Reads the value of "transfer": how long data take.
void duet_json_read_transfer(duet_json_edges *edges);
// Reads the value of a task's "after" and keeps the ids: an array of them, or a text in which
// semicolons stand between them.
void duet_json_read_after(duet_json_edges *edges);
// Adds the edges from the tasks of the kept ids to each of `count` tasks from `first` on.
void duet_json_add_after(duet_json_edges *edges, int64_t first, int64_t count);

#endif
