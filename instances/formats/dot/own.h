// SPDX-License-Identifier: Apache-2.0
// What nodes of a DOT file say beside their times: groups, releases, deadlines, priorities and on
// how many processors a task runs at once.
#ifndef DUET_INSTANCES_FORMATS_DOT_OWN_H
#define DUET_INSTANCES_FORMATS_DOT_OWN_H

#include "instances/formats/dot/values.h"
#include "instances/formats/fields.h"

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
