// SPDX-License-Identifier: Apache-2.0
// Attributes by which Graphviz draws: no schedule depends on them.
#ifndef DUET_INSTANCES_FORMATS_DOT_DRAWING_H
#define DUET_INSTANCES_FORMATS_DOT_DRAWING_H

#include <stdbool.h>

// Of a node; of anything, where it is not. "size" and "weight", which Graphviz has for graphs and
// for edges, are not among them.
bool duet_dot_draws_nodes(const char *name);
bool duet_dot_draws(const char *name);

#endif
