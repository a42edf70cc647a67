// SPDX-License-Identifier: Apache-2.0
// Nodes of a DOT file with their attributes: which of these are times, and the tasks that they
// make.
#ifndef DUET_INSTANCES_FORMATS_DOT_VALUES_H
#define DUET_INSTANCES_FORMATS_DOT_VALUES_H

#include "core/instance/moment.h"
#include "core/names.h"
#include "instances/formats/dot/lexer.h"

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

#endif
