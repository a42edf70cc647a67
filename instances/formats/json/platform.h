// SPDX-License-Identifier: Apache-2.0
// The platform of an instance in JSON: its types, and the network between them.
#ifndef DUET_INSTANCES_FORMATS_JSON_PLATFORM_H
#define DUET_INSTANCES_FORMATS_JSON_PLATFORM_H

#include "instances/formats/json/given.h"
#include "instances/formats/json/machines.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/task.h"

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
