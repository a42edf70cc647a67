// SPDX-License-Identifier: Apache-2.0
// Nodes of a DOT file with their attributes: which of these are times, and the tasks that they
// make.
#ifndef DUET_INSTANCES_FORMATS_DOT_VALUES_H
#define DUET_INSTANCES_FORMATS_DOT_VALUES_H

#include <stdbool.h>

#include "core/instance/moment.h"
#include "core/names.h"
#include "instances/formats/dot/lexer.h"
#include "instances/formats/fields.h"

// What the values of an attribute are. The first one decides.
typedef enum duet_dot_kind {
    DUET_DOT_UNKNOWN,
    DUET_DOT_TIMES,
    DUET_DOT_TEXTS,   // not used, as the ledger says
    DUET_DOT_GUARDED, // refused unless they change nothing
    DUET_DOT_GROUPS,  // what tasks belong to
    DUET_DOT_RELEASES,
    DUET_DOT_DEADLINES,
    DUET_DOT_PRIORITIES,
    DUET_DOT_DRAWING // left out: it says how Graphviz draws
} duet_dot_kind;

// What a node says beside its times, zeroed where it does not.
typedef struct duet_dot_own {
    duet_read_when release;
    duet_read_when deadline;
    uint32_t released; // 1 + the attribute that says the release; 0: none
    uint32_t due;      // 1 + the attribute that says the deadline; 0: none
    duet_decimal priority;
} duet_dot_own;

typedef struct duet_dot_node {
    int line;         // that names it first
    size_t last;      // 1 + its last value; 0: it has none
    int64_t cores;    // 0: nothing is said
    size_t group;     // 1 + its number; 0: nothing is said
    size_t own;       // 1 + its number among `owns`; 0: nothing is said
    uint32_t grouped; // 1 + the attribute that says the group
} duet_dot_node;

typedef struct duet_dot_value {
    uint32_t attribute;
    duet_read_time time;
    size_t before; // 1 + the value of the same node that came before; 0: none
} duet_dot_value;

// Zeroed but for the first two it is empty and ready.
typedef struct duet_dot_values {
    duet_dot_lexer *lexer; // failures are recorded there
    duet_builder *builder;
    duet_names names; // of nodes
    duet_dot_node *nodes;
    duet_names attributes;
    duet_dot_kind *kinds; // of attributes
    duet_names groups;
    duet_dot_own *owns;
    size_t own_count;
    size_t declared; // how many of the names are types by the graph's attribute "platform": the
                     // first ones
    duet_dot_value *values;
    size_t count;
    bool weights; // once it is built: the times are weights
    bool lengths; // some time is a length of time, in seconds
} duet_dot_values;

// The number of a node, which is added unless it is there.
size_t duet_dot_find_node(duet_dot_values *values, const char *name, int line);
// Takes the platform, "cpu=20,gpu=4" or "cpu,gpu": the current token of the lexer.
void duet_dot_take_platform(duet_dot_values *values);
// Takes an attribute of a node: its name, and its value, which is the current token.
void duet_dot_take_value(duet_dot_values *values, size_t node, const char *attribute);
// Makes types of the attributes and tasks of the nodes.
void duet_dot_build(duet_dot_values *values);
void duet_dot_free_values(duet_dot_values *values);

// drawing.c
// Of a node; of anything, where it is not. "size" and "weight", which Graphviz has for graphs and
// for edges, are not among them.
bool duet_dot_draws_nodes(const char *name);
bool duet_dot_draws(const char *name);

// own.c
// Each takes the current token of the lexer, the value of an attribute of a node. `field` is the
// attribute, for messages.
void duet_dot_take_group(duet_dot_values *values, size_t node, uint32_t attribute,
                         const duet_field *field);
// A release, a deadline or a priority. Nothing at all says nothing.
void duet_dot_take_own(duet_dot_values *values, size_t node, uint32_t attribute,
                       const duet_field *field);
void duet_dot_take_cores(duet_dot_values *values, size_t node, const duet_field *field);

// Where "cpus" is none of the types, which are these attributes, it says on how many processors a
// node runs at once.
void duet_dot_settle_cpus(duet_dot_values *values, const uint32_t *types, size_t count);

#endif
