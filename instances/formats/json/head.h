// SPDX-License-Identifier: Apache-2.0
// Members of an instance in JSON that are single values, and what graphs of networkx say of
// themselves. Each reads the value of its member.
#ifndef DUET_INSTANCES_FORMATS_JSON_HEAD_H
#define DUET_INSTANCES_FORMATS_JSON_HEAD_H

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

void duet_json_read_tick(duet_json *json, duet_builder *builder);
void duet_json_read_mixed_sets(duet_json *json, duet_builder *builder);
// Whether a graph is one of arrows; another one is refused.
void duet_json_read_directed(duet_json *json);
void duet_json_read_multigraph(duet_json *json, duet_builder *builder);
// What a graph has beside its nodes and edges: its name, and what goes into the ledger.
void duet_json_read_attributes(duet_json *json, duet_builder *builder);

#endif
