// SPDX-License-Identifier: Apache-2.0
// What a user may ask of every reader of instances: times on a second type where the file knows
// one, how long data take, and independent tasks.
#ifndef DUET_INSTANCES_FORMATS_READING_H
#define DUET_INSTANCES_FORMATS_READING_H

#include <duet/io.h>

#include "core/instance/instance.h"
#include "core/instance/moment.h"
#include "core/number/random.h"
#include "core/system/context.h"
#include "core/system/memory.h"

// What of a file's edges is left out.
typedef enum duet_reading_drop {
    DUET_DROP_NOTHING,
    DUET_DROP_DATA, // of StarPU's records
    DUET_DROP_EDGES
} duet_reading_drop;

// Which times a type has that several devices became.
typedef enum duet_reading_merged { DUET_MERGED_MEAN, DUET_MERGED_LEAST } duet_reading_merged;

// Whether sets of processors are of several types.
typedef enum duet_reading_mixed {
    DUET_MIXED_AS_SAID, // by the file
    DUET_MIXED_NO,
    DUET_MIXED_YES
} duet_reading_mixed;

// Where a file has one time of each task: the time on a CPU as a multiple of that on a GPU.
typedef enum duet_reading_other {
    DUET_OTHER_NONE,   // there is one type
    DUET_OTHER_FACTOR, // `factor` times
    DUET_OTHER_DRAWN   // a factor drawn for each kind
} duet_reading_other;

typedef struct duet_reading {
    duet_reading_drop drop;
    duet_sched_form sched; // of schedules for StarPU
    // Devices of one sort whose times differ by at most this share of their mean, in billionths,
    // become one type.
    int64_t merge;
    duet_reading_merged merged;
    bool has_time;         // `time` is given
    duet_read_time time;   // of tasks that have none
    duet_date_order dates; // of days and months
    const char *busy;      // "gpu=3,0": until when processors are busy; NULL: nothing
    const char *ignored;   // names of fields that are passed over, with commas between; NULL: none
    duet_reading_mixed mixed_sets;
    duet_reading_other other;
    duet_long_decimal factor;
    double mean, deviation; // of factors that are drawn
    duet_random random;
    bool transfer; // data take a latency and a time per unit
    duet_read_time latency, per_unit;
    bool records; // the file is one of StarPU's
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
// Behind all of the file, before duet_reading_end(): a notice for each of the options that changes
// nothing of such a file. `dated`: the file has dates.
duet_code duet_reading_note(const duet_reading *reading, const duet_options *options, bool dated,
                            duet_builder *builder, duet_error *error);

#endif
