// SPDX-License-Identifier: Apache-2.0
// A network of machines as SAGA writes it: {"nodes": [{"name": "n0", "speed": 2}], "edges":
// [{"source": "n0", "target": "n1", "speed": 0.5}]}. Each machine is a processor type of its own,
// on which a task takes its cost divided by the speed; data take their size divided by the speed of
// the link.
#ifndef DUET_INSTANCES_FORMATS_JSON_MACHINES_H
#define DUET_INSTANCES_FORMATS_JSON_MACHINES_H

#include "core/instance/builder/speeds.h"
#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/json/pull.h"

// Between two machines; which they are is known once all have been read.
typedef struct duet_json_link {
    uint32_t from, to; // numbers of names
    bool free;         // data take no time
    duet_read_time speed;
    int line, column;
} duet_json_link;

typedef struct duet_json_machines {
    duet_json *json;       // borrowed
    duet_builder *builder; // borrowed
    duet_names names;
    uint32_t of[DUET_MAX_TYPES]; // name of each machine
    duet_read_speed speeds[DUET_MAX_TYPES];
    size_t count;
    duet_json_link *links;
    size_t link_count;
} duet_json_machines;

void duet_json_machines_free(duet_json_machines *machines);
// Read the values of "nodes" and of "edges", arrays, whose first token comes next.
void duet_json_read_machines(duet_json_machines *machines);
void duet_json_read_machine_links(duet_json_machines *machines);
// Once all tasks are read: makes them types. Nothing where there is no machine.
void duet_json_settle_machines(duet_json_machines *machines);

#endif
