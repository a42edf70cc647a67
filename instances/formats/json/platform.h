// SPDX-License-Identifier: Apache-2.0
// The platform of an instance in JSON: its types, and the network between them.
#ifndef DUET_INSTANCES_FORMATS_JSON_PLATFORM_H
#define DUET_INSTANCES_FORMATS_JSON_PLATFORM_H

#include "core/instance/builder/speeds.h"
#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/json/given.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/task.h"

// machines.c
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

// platform.c
// Where a processor's name is.
typedef struct duet_json_processor {
    size_t name; // in the text of the reader
    int line, column;
} duet_json_processor;

typedef struct duet_json_platform {
    duet_json *json;             // borrowed
    duet_builder *builder;       // borrowed
    duet_json_task_reader *task; // borrowed; the names of types pass through it
    duet_json_given *given;      // borrowed

    // Of the type being read: until when its processors are busy, and those that have names.
    duet_read_time *busy;
    size_t busy_count;
    duet_json_processor *processor;
    size_t processors;
    char *text; // of these names, each with its final NUL
    size_t text_used;

    // Types that tasks before the platform have named, and which of these it has.
    size_t named;
    bool had[DUET_MAX_TYPES];

    duet_json_machines machines; // where the network is one of machines
} duet_json_platform;

// Frees what the reader holds.
void duet_json_platform_free(duet_json_platform *reader);
// Reads the value of "platform" into the builder.
void duet_json_read_platform(duet_json_platform *reader);
// Reads the value of "network" into the builder.
void duet_json_read_network(duet_json_platform *reader);

#endif
