// SPDX-License-Identifier: Apache-2.0
// What a user may ask of every reader of instances: times on a second type where the file knows
// one, how long data take, and independent tasks.
#ifndef DUET_INSTANCES_FORMATS_READING_H
#define DUET_INSTANCES_FORMATS_READING_H

#include <duet/io.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "core/system/memory.h"

typedef struct duet_reading {
    bool drop_edges;
    bool drop_data;    // of StarPU's records
    bool strict_order; // of schedules for StarPU
    // Devices of one sort whose times differ by at most this share of their mean, in billionths,
    // become one type: with their mean times, or with the least.
    int64_t merge;
    bool least;
    bool has_time; // of tasks that have none
    duet_read_time time;
    const char *busy;    // "gpu=3,0": until when processors are busy; NULL: nothing
    const char *ignored; // names of fields that are passed over, with commas between; NULL: none
    bool says_mixed_sets, mixed_sets; // whatever the file says
    // The time on a CPU is a factor times that on a GPU: one factor, or one drawn for each kind.
    bool two_types;
    bool drawn;
    duet_long_decimal factor;
    double mean, deviation; // of those that are drawn
    duet_random random;
    // Data take a latency and a time per unit.
    bool transfer;
    duet_read_time latency, per_unit;
} duet_reading;

// Takes the parameters of a reader (NULL: none), and starts its clock and its share of memory,
// which duet_memory_end() ends, whatever was returned. DUET_E_UNSUPPORTED: a member that is not
// known.
duet_code duet_reading_limits(const duet_read_params *params, duet_read_params *known,
                              duet_context *limits, duet_memory_scope *scope, duet_error *error);

// Takes the options (NULL: none). DUET_E_USAGE names the one that makes no sense;
// DUET_E_UNSUPPORTED: random factors in a build without GSL.
duet_code duet_reading_create(const duet_options *options, duet_reading *reading,
                              duet_error *error);
// What is asked before a file is read, and behind it.
void duet_reading_begin(const duet_reading *reading, duet_builder *builder);
duet_code duet_reading_end(duet_reading *reading, duet_builder *builder, duet_error *error);

#endif
