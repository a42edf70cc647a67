// SPDX-License-Identifier: Apache-2.0
// Processors that differ in speed, for readers of files that say how fast each is.
#ifndef DUET_CORE_INSTANCE_BUILDER_SPEEDS_H
#define DUET_CORE_INSTANCE_BUILDER_SPEEDS_H

#include "core/instance/instance.h"

// A processor of its own speed, above 0.
typedef struct duet_read_speed {
    const char *name;
    duet_read_time speed;
    int line, column;
} duet_read_speed;

// Makes a type of each of at least one processor: the one time of each kind is what it takes at
// speed 1. DUET_E_INPUT where kinds have more times, or one becomes too long.
duet_code duet_builder_set_speeds(duet_builder *builder, const duet_read_speed *speeds,
                                  size_t count, duet_error *error);

#endif
