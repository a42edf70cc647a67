// SPDX-License-Identifier: Apache-2.0
// What is packed may become far more than it was: it is bounded by the memory that the call may
// take.
#include "instances/formats/packed/packed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { IN = 1 << 16 };

const duet_packed_form *duet_packed_find(const unsigned char *begin, size_t length)
{
    static const duet_packed_form *const forms[] = {&duet_packed_gzip, &duet_packed_xz,
                                                    &duet_packed_zstd, &duet_packed_utf16_little,
                                                    &duet_packed_utf16_big};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (length >= forms[i]->length && memcmp(begin, forms[i]->mark, forms[i]->length) == 0) {
            return forms[i];
        }
    }
    return NULL;
}

// The memory that is left to the call; where nothing bounds it, as much as a call has by default.
static size_t memory_left(const duet_packed *packed)
{
    size_t left = duet_memory_left();
    size_t more = (size_t)packed->taken * DUET_MEMORY_PER_BYTE;
    return left == SIZE_MAX ? duet_max(DUET_MEMORY_DEFAULT, more) : left;
}

duet_code duet_packed_open(duet_packed **out, const duet_packed_form *form,
                           const unsigned char *begin, size_t length, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    duet_packed *packed = *out;
    packed->form = form;
    packed->in = duet_alloc(duet_max((size_t)IN, length), 1, error);
    duet_code code = packed->in == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        memcpy(packed->in, begin, length);
        packed->filled = length;
        packed->taken = (int64_t)length;
        packed->most = memory_left(packed);
        code = form->open(&packed->state, packed->most, error);
    }
    if (code != DUET_OK) {
        packed->state = NULL;
        duet_packed_close(packed);
        *out = NULL;
    }
    return code;
}

void duet_packed_close(duet_packed *packed)
{
    if (packed == NULL) {
        return;
    }
    if (packed->state != NULL) {
        packed->form->close(packed->state);
    }
    duet_free(packed->in);
    duet_free(packed);
}

// Reads packed bytes where none are left. False: the stream failed.
static bool fill(duet_packed *packed, FILE *stream)
{
    if (packed->at < packed->filled || packed->at_end) {
        return true;
    }
    errno = 0;
    packed->at = 0;
    packed->filled = fread(packed->in, 1, IN, stream);
    packed->taken += (int64_t)packed->filled;
    packed->at_end = packed->filled == 0;
    duet_memory_read(packed->filled);
    return !packed->at_end || !ferror(stream);
}

// Whether nothing but zeros, with which tapes are filled, is left of what was read.
static bool has_zeros(const duet_packed *packed)
{
    bool zeros = true;
    for (size_t i = packed->at; i < packed->filled && zeros; i++) {
        zeros = packed->in[i] == 0;
    }
    return zeros;
}

// One step; true: something came, or the end.
static bool advance(duet_packed *packed, duet_packed_step *step, duet_packed_end *end)
{
    step->in = packed->in + packed->at;
    step->in_left = packed->filled - packed->at;
    step->last = packed->at_end;
    if (packed->whole && has_zeros(packed)) {
        packed->at = packed->filled;
        *end = packed->at_end ? DUET_PACKED_ALL : DUET_PACKED_GOES_ON;
        return packed->at_end;
    }
    size_t room = step->out_left;
    duet_packed_state state = packed->form->take(packed->state, step);
    bool stuck = step->in_left == packed->filled - packed->at && step->out_left == room;
    packed->at = packed->filled - step->in_left;
    packed->whole = state == DUET_PACKED_END;
    if (state == DUET_PACKED_DAMAGED || state == DUET_PACKED_MEMORY) {
        *end = state == DUET_PACKED_DAMAGED ? DUET_PACKED_BROKEN : DUET_PACKED_TOO_MUCH;
        return true;
    }
    if (stuck && packed->at_end && !packed->whole) {
        *end = DUET_PACKED_CUT;
        return true;
    }
    return step->out_left < room;
}

size_t duet_packed_read(duet_packed *packed, void *stream, unsigned char *out, size_t room,
                        duet_packed_end *end)
{
    duet_packed_step step = {.out = out, .out_left = room};
    *end = DUET_PACKED_GOES_ON;
    do {
        if (!fill(packed, stream)) {
            *end = DUET_PACKED_FAULT;
            break;
        }
    } while (!advance(packed, &step, end));
    size_t got = room - step.out_left;
    packed->written += (int64_t)got;
    if (packed->written > 0 &&
        (uint64_t)packed->written > duet_max(packed->most, memory_left(packed))) {
        *end = DUET_PACKED_TOO_MUCH;
        return 0;
    }
    return got;
}
