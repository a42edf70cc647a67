// SPDX-License-Identifier: Apache-2.0
// Edges of instances in JSON; of the files of this folder alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_EDGES_H
#define DUET_INSTANCES_FORMATS_JSON_EDGES_H

#include "instances/formats/edge_costs.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/pull.h"

// What a task says of its order: the ids that come before it, or those that wait for it.
typedef struct duet_json_order {
    size_t begin, end; // in the ids
    size_t kept;       // Ids that were read, of one text or of a list.
    bool list;         // they are one text
    int line, column;
} duet_json_order;

enum { DUET_JSON_BEFORE_IT, DUET_JSON_BEHIND_IT, DUET_JSON_ORDERS };

// Members that say the same end of it, in other words; more are not read.
enum { DUET_JSON_MOST_ORDERS = 4 };

// Zero is an empty one. What it holds is freed by duet_json_edges_free().
typedef struct duet_json_edges {
    duet_json *json;       // borrowed
    duet_builder *builder; // borrowed

    // Ids while other members are parsed, each with its final NUL.
    char *ids;
    size_t ids_used;
    duet_json_order order[DUET_JSON_ORDERS][DUET_JSON_MOST_ORDERS]; // of the current task
    size_t orders[DUET_JSON_ORDERS];                                // how many of these are given
    bool given[DUET_JSON_ORDERS];                                   // by some task

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
// Behind a list of edges that has some: its name is one of those that say the order.
void duet_json_take_list(duet_json_edges *edges, const char *name);
// Reads the edge whose first token is the current one.
void duet_json_read_edge(duet_json_edges *edges);
// Once all is read: where nothing says how long data take, they take no time, and the sizes of
// edges go into the ledger.
void duet_json_pass_sizes(duet_json_edges *edges);
// Reads the value of "transfer": how long data take.
void duet_json_read_transfer(duet_json_edges *edges);
// Reads what the current task says of one of its orders and keeps the ids: an array of them, or a
// text in which semicolons stand between them.
void duet_json_read_order(duet_json_edges *edges, int which);
// Adds the edges that the current task says to `count` tasks from `first` on, and forgets them.
void duet_json_add_orders(duet_json_edges *edges, int64_t first, int64_t count);
// Forgets what was said of an order.
void duet_json_forget_orders(duet_json_edges *edges);

#endif
