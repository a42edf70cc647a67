// SPDX-License-Identifier: Apache-2.0
// Files packed by gzip, xz or zstd, which are unpacked while they are read, and text in UTF-16. The
// libraries that unpack are opened then (core/system/loader.h): zlib, liblzma and libzstd, each an
// option of the build.
#ifndef DUET_INSTANCES_FORMATS_PACKED_PACKED_H
#define DUET_INSTANCES_FORMATS_PACKED_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

// How a step of unpacking went.
typedef enum duet_packed_state {
    DUET_PACKED_MORE,    // there may be more
    DUET_PACKED_END,     // of a whole part; another one may follow
    DUET_PACKED_DAMAGED, // these are no packed data
    DUET_PACKED_MEMORY   // it needs more memory than there is
} duet_packed_state;

// Packed bytes that are left to take, and room for what they become.
typedef struct duet_packed_step {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
    bool last; // no more packed bytes will come
} duet_packed_step;

// A library that unpacks.
typedef struct duet_packed_form {
    const char *name;          // of the program that packs so
    const char *library;       // "zlib"; NULL: it takes none
    const char *option;        // of the build
    const unsigned char *mark; // what such files begin with
    size_t length;
    // Opens the library and begins to unpack; NULL where this build has no such. `memory` is the
    // most that it may take. DUET_E_UNSUPPORTED with the loader's words, DUET_E_MEMORY.
    duet_code (*open)(void **state, size_t memory, duet_error *error);
    duet_packed_state (*take)(void *state, duet_packed_step *step);
    void (*close)(void *state);
} duet_packed_form;

// Those of this build, and those that it has not.
extern const duet_packed_form duet_packed_gzip, duet_packed_xz, duet_packed_zstd;
// Text that becomes UTF-8, by the order of its bytes.
extern const duet_packed_form duet_packed_utf16_little, duet_packed_utf16_big;

// The form of a file by its first bytes; NULL: it is not packed, or in none of these.
const duet_packed_form *duet_packed_find(const unsigned char *begin, size_t length);

// Something that is being unpacked.
typedef struct duet_packed {
    const duet_packed_form *form;
    void *state;
    unsigned char *in; // packed bytes that were read; IN of them
    size_t at, filled;
    bool at_end;     // of the stream
    bool whole;      // a part has ended, and no other has begun
    int64_t taken;   // packed bytes
    int64_t written; // what they became
    size_t most;     // of these, at least
} duet_packed;

// Begins with the bytes that were read of the stream. DUET_E_UNSUPPORTED where the library cannot
// be opened, DUET_E_MEMORY.
duet_code duet_packed_open(duet_packed **out, const duet_packed_form *form,
                           const unsigned char *begin, size_t length, duet_error *error);
void duet_packed_close(duet_packed *packed); // NULL is allowed

// Why there is nothing more.
typedef enum duet_packed_end {
    DUET_PACKED_GOES_ON,
    DUET_PACKED_ALL,     // this is the end of the file
    DUET_PACKED_FAULT,   // the stream could not be read: errno says why
    DUET_PACKED_BROKEN,  // the packed data are damaged
    DUET_PACKED_CUT,     // the packed data end too early
    DUET_PACKED_TOO_MUCH // it unpacks to more than the memory that the call may take
} duet_packed_end;

// Unpacks into `out` as much as has room; returns how much that was. `*end` says why it was
// nothing.
size_t duet_packed_read(duet_packed *packed, void *stream, unsigned char *out, size_t room,
                        duet_packed_end *end);

#endif
