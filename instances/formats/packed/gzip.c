// SPDX-License-Identifier: Apache-2.0
// gzip, by zlib. What of zlib's headers is needed stands here: its layout is as old as the library.
#include "instances/formats/packed/packed.h"

static const unsigned char mark[] = {0x1f, 0x8b};

#ifdef DUET_WITH_ZLIB

#include <limits.h>

#include "core/number/minmax.h"
#include "core/system/loader.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// z_stream of zlib.h
typedef struct zlib_stream {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned, unsigned);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} zlib_stream;

// Of zlib.h: results, and 15 bits of window for gzip's format.
enum { Z_OK = 0, Z_STREAM_END = 1, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5, WINDOW = 15 + 16 };

typedef struct zlib {
    int (*Init2_)(zlib_stream *stream, int window, const char *version, int size);
    int (*inflate)(zlib_stream *stream, int flush);
    int (*Reset)(zlib_stream *stream);
    int (*End)(zlib_stream *stream);
    zlib_stream stream;
    bool ended; // a part has; the next one needs a reset
} zlib;

static duet_code open_zlib(void **state, size_t memory, duet_error *error)
{
    static const duet_loader_symbol symbol[] = {{"Init2_", offsetof(zlib, Init2_)},
                                                {"", offsetof(zlib, inflate)},
                                                {"Reset", offsetof(zlib, Reset)},
                                                {"End", offsetof(zlib, End)}};
    static const duet_loader_symbols symbols = {"inflate", "", symbol,
                                                sizeof symbol / sizeof *symbol};
    duet_loader_fault fault = {.memory = false};
    zlib *z = duet_alloc(1, sizeof *z, error);
    DUET_NEED(z);
    (void)memory; // it takes some 50 KB
    void *library = duet_loader_open("libz.so.1", &fault);
    bool found = library != NULL && duet_loader_find_all(library, &symbols, z, &fault);
    if (!found || z->Init2_(&z->stream, WINDOW, "1", (int)sizeof z->stream) != Z_OK) {
        duet_free(z);
        return found || fault.memory
                   ? duet_error_set(error, DUET_E_MEMORY, "out of memory while opening zlib")
                   : duet_error_set(error, DUET_E_UNSUPPORTED, "%s", fault.text);
    }
    *state = z;
    return DUET_OK;
}

static duet_packed_state take(void *state, duet_packed_step *step)
{
    zlib *z = state;
    unsigned in = (unsigned)duet_min(step->in_left, (size_t)INT_MAX);
    unsigned out = (unsigned)duet_min(step->out_left, (size_t)INT_MAX);
    if (z->ended && in > 0) {
        z->Reset(&z->stream);
        z->ended = false;
    }
    z->stream.next_in = step->in;
    z->stream.avail_in = in;
    z->stream.next_out = step->out;
    z->stream.avail_out = out;
    int code = z->inflate(&z->stream, 0);
    step->in_left -= in - z->stream.avail_in;
    step->out_left -= out - z->stream.avail_out;
    step->out += out - z->stream.avail_out;
    z->ended = code == Z_STREAM_END;
    return code == Z_STREAM_END                  ? DUET_PACKED_END
           : code == Z_OK || code == Z_BUF_ERROR ? DUET_PACKED_MORE
           : code == Z_MEM_ERROR                 ? DUET_PACKED_MEMORY
                                                 : DUET_PACKED_DAMAGED;
}

static void close_zlib(void *state)
{
    zlib *z = state;
    z->End(&z->stream);
    duet_free(z);
}

const duet_packed_form duet_packed_gzip = {"gzip",    "zlib", "DUET_WITH_ZLIB", mark, sizeof mark,
                                           open_zlib, take,   close_zlib};

#else

const duet_packed_form duet_packed_gzip = {
    "gzip", "zlib", "DUET_WITH_ZLIB", mark, sizeof mark, NULL, NULL, NULL};

#endif
