// SPDX-License-Identifier: Apache-2.0
// Inside of a builder of instances (core/instance.h): what its parts share.
//
// claims.c, platform.c, kinds.c: what is read, checked piece by piece. ids.c, times.c: checks of
// the whole. builder.c: creation, names, and the instance at the end. describe.c: from arrays.
#ifndef DUET_CORE_BUILDER_STATE_H
#define DUET_CORE_BUILDER_STATE_H

#include "core/instance.h"

struct duet_builder {
    // Inputs.
    const char *file;        // for messages
    bool exact;              // refuse what must be rounded
    duet_instance *instance; // filled as we go; kinds and first[] only at the end

    // Platform.
    bool counts_known; // of processors

    // Kinds, an entry each.
    size_t kinds;
    int64_t *count;
    int32_t *line;
    size_t count_capacity, line_capacity, id_capacity; // the last of instance->id_at

    // Their times, kinds x times_per_kind.
    size_t times_per_kind; // of the first kind; 0 before it
    int64_t *mantissa;     // DUET_FORBIDDEN where it cannot run
    uint8_t *places;       // and tail; see duet_builder_time()
    size_t mantissa_capacity, places_capacity;

    // Their ids, one after another, each with its final NUL.
    char *ids;
    size_t ids_used, ids_capacity;

    // Claim.
    int claim_line, claim_column;
    int claim_places; // decimal places of its times
};

// Places and tail share a byte: there may be millions of them.
enum { DUET_BUILDER_PLACES = 64 };

static inline uint8_t duet_builder_pack_places(int places, duet_decimal_tail tail)
{
    return (uint8_t)(places + DUET_BUILDER_PLACES * (int)tail);
}

// Time `at` as it was read; its mantissa is DUET_FORBIDDEN where the kind cannot run.
static inline duet_decimal duet_builder_time(const duet_builder *builder, size_t at,
                                             duet_decimal_tail *tail)
{
    *tail = (duet_decimal_tail)(builder->places[at] / DUET_BUILDER_PLACES);
    return (duet_decimal){builder->mantissa[at], builder->places[at] % DUET_BUILDER_PLACES};
}

// Errors of all: DUET_E_INPUT with the place in the file; DUET_E_MEMORY.

// claims.c

// A claim is about one platform.
duet_code duet_builder_check_claim(const duet_builder *builder, duet_error *error);
// Turns its times into ticks of a scale.
duet_code duet_builder_scale_claim(duet_builder *builder, int decimals, duet_error *error);

// platform.c

// The types are there, as many as times per kind, with some processor if their counts are known.
// Without types, the default ones are added.
duet_code duet_builder_check_platform(duet_builder *builder, duet_error *error);

// ids.c

// No two tasks have the same id.
duet_code duet_builder_check_ids(const duet_builder *builder, duet_error *error);

// times.c

// Turns mantissas into ticks of the common scale, in place. What must be rounded gets a notice.
duet_code duet_builder_scale_times(duet_builder *builder, duet_error *error);
// The longest allowed times of all tasks must add up to at most DUET_MAX_WORK.
duet_code duet_builder_check_work(const duet_builder *builder, duet_error *error);

#endif
