// SPDX-License-Identifier: Apache-2.0
// A file read byte by byte through a fixed buffer, with line and column of the next byte.
#ifndef DUET_INSTANCES_FORMATS_INPUT_H
#define DUET_INSTANCES_FORMATS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/error.h>
#include <duet/io.h>

#include "core/system/assert.h"
#include "core/system/context.h"
#include "instances/formats/packed/packed.h"

enum { DUET_INPUT_BUFFER = 1 << 16, DUET_INPUT_LOOKAHEAD = 64, DUET_INPUT_LINE = 1 << 15 };

// What is said of text in another encoding.
#define DUET_UTF8_ADVICE ": save the file as UTF-8, or convert it with iconv -f LATIN1 -t UTF-8"

struct duet_field_uses;
struct duet_reading;

typedef struct duet_input {
    FILE *stream;
    const char *name; // for messages; borrowed
    bool owned;       // close the stream at the end
    bool at_end;      // the stream has nothing more
    int fault;        // errno of a failed read, 0 where there was none
    int line;         // of the next byte, from 1; stays at INT_MAX
    int64_t base;     // offset in the file of buffer[0]
    int64_t total;    // bytes of the file; 0: not known
    int64_t line_at;  // offset in the file where the line begins
    size_t at;        // next byte in the buffer
    size_t filled;
    unsigned char buffer[DUET_INPUT_BUFFER];

    // What unpacks the stream; NULL: nothing has to, or nothing can, and then why.
    struct duet_packed *packed;
    char not_unpacked[200];
    enum duet_packed_end packed_end;

    // Asked with each buffer whether to stop. NULL: nothing stops it. What follows then is no end
    // of the file, see duet_input_check().
    const duet_context *context;
    bool stopped;

    // What readers of instances did not use of the file, and what the caller says of it. NULL: no
    // ledger is kept. Borrowed.
    struct duet_field_uses *fields;
    // What the caller asks of readers of instances. NULL: nothing. Borrowed.
    const struct duet_reading *reading;
    // Where readers of instances keep what is given of tasks. NULL: it is nowhere. Borrowed.
    struct duet_json_given *given;

    // Whoever wants to know how far it is: called with each buffer. NULL: nobody.
    void (*report)(void *user, const duet_read_progress *progress);
    void *user;
} duet_input;

// Opens `path` ("-": standard input), unpacks it where it is packed or in UTF-16
// (packed/packed.h), and skips a byte order mark. `*out` is closed by duet_input_close(). `path` is
// borrowed for messages.
duet_code duet_input_open(duet_input **out, const char *path, duet_error *error);
// As duet_input_open() over a stream that stays the caller's.
duet_code duet_input_wrap(duet_input **out, FILE *stream, const char *name, duet_error *error);
void duet_input_close(duet_input *input); // NULL is allowed

// Makes at least `wanted` (<= DUET_INPUT_LINE) bytes available at buffer[at], fewer at the end
// of the file.
void duet_input_fill(duet_input *input, size_t wanted);
// Counts a line break that has just been taken.
void duet_input_break_line(duet_input *input);

// The next byte without taking it; -1 at the end of the file or after a failed read.
static inline int duet_input_peek(duet_input *input)
{
    if (input->at == input->filled) {
        duet_input_fill(input, 1);
        if (input->at == input->filled) {
            return -1;
        }
    }
    return input->buffer[input->at];
}

// Takes the byte that duet_input_peek() has shown.
static inline void duet_input_take(duet_input *input)
{
    DUET_ASSERT(input->at < input->filled);
    if (input->buffer[input->at++] == '\n') {
        duet_input_break_line(input);
    }
}

// Takes and returns the next byte, or -1.
static inline int duet_input_next(duet_input *input)
{
    int byte = duet_input_peek(input);
    if (byte >= 0) {
        duet_input_take(input);
    }
    return byte;
}

// Column of the next byte, from 1, in bytes.
int duet_input_column(const duet_input *input);

// Records DUET_E_INPUT for a failed read, or returns DUET_OK where all reads went well.
duet_code duet_input_check(const duet_input *input, duet_error *error);

// What a byte is called in a message: "'x'", "byte 0x07", "the end of the line", "the end of the
// file" (-1). `buffer` has at least 32 bytes; returns it.
const char *duet_input_describe(int byte, char *buffer);

#endif
