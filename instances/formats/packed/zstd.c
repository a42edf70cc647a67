// SPDX-License-Identifier: Apache-2.0
// zstd, by libzstd. What of its header is needed stands here: version 1 keeps it.
#include "instances/formats/packed/packed.h"

static const unsigned char mark[] = {0x28, 0xb5, 0x2f, 0xfd};

#ifdef DUET_WITH_ZSTD

#include <string.h>

#include "core/system/loader.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// ZSTD_inBuffer and ZSTD_outBuffer of zstd.h
typedef struct zstd_in {
    const void *bytes;
    size_t size, at;
} zstd_in;
typedef struct zstd_out {
    void *bytes;
    size_t size, at;
} zstd_out;

// Of zstd.h: the window of a frame is at most 2^27 bytes unless more is allowed, and never below
// 2^10.
enum { WINDOW_LOG_MAX = 100, LARGEST_WINDOW = 27, LEAST_WINDOW = 10 };

typedef struct zstd {
    void *(*createDStream)(void);
    size_t (*freeDStream)(void *stream);
    size_t (*decompressStream)(void *stream, zstd_out *out, zstd_in *in);
    size_t (*DCtx_setParameter)(void *stream, int parameter, int value);
    unsigned (*isError)(size_t code);
    const char *(*getErrorName)(size_t code);
    void *stream;
} zstd;

static duet_code open_zstd(void **state, size_t memory, duet_error *error)
{
    static const duet_loader_symbol symbol[] = {
        {"createDStream", offsetof(zstd, createDStream)},
        {"freeDStream", offsetof(zstd, freeDStream)},
        {"decompressStream", offsetof(zstd, decompressStream)},
        {"DCtx_setParameter", offsetof(zstd, DCtx_setParameter)},
        {"isError", offsetof(zstd, isError)},
        {"getErrorName", offsetof(zstd, getErrorName)}};
    static const duet_loader_symbols symbols = {"ZSTD_", "", symbol,
                                                sizeof symbol / sizeof *symbol};
    duet_loader_fault fault = {.memory = false};
    zstd *z = duet_alloc(1, sizeof *z, error);
    DUET_NEED(z);
    int window = LEAST_WINDOW;
    while (window < LARGEST_WINDOW && memory >> (window + 1) > 1) {
        window++;
    }
    void *library = duet_loader_open("libzstd.so.1", &fault);
    bool found = library != NULL && duet_loader_find_all(library, &symbols, z, &fault);
    z->stream = found ? z->createDStream() : NULL;
    if (z->stream == NULL) {
        duet_free(z);
        return found || fault.memory
                   ? duet_error_set(error, DUET_E_MEMORY, "out of memory while opening libzstd")
                   : duet_error_set(error, DUET_E_UNSUPPORTED, "%s", fault.text);
    }
    (void)z->DCtx_setParameter(z->stream, WINDOW_LOG_MAX, window);
    *state = z;
    return DUET_OK;
}

static duet_packed_state take(void *state, duet_packed_step *step)
{
    zstd *z = state;
    zstd_in in = {step->in, step->in_left, 0};
    zstd_out out = {step->out, step->out_left, 0};
    size_t code = z->decompressStream(z->stream, &out, &in);
    step->in_left -= in.at;
    step->out_left -= out.at;
    step->out += out.at;
    if (z->isError(code)) {
        // "Frame requires too much memory for decoding", "Allocation error : not enough memory"
        return strstr(z->getErrorName(code), "memory") != NULL ? DUET_PACKED_MEMORY
                                                               : DUET_PACKED_DAMAGED;
    }
    return code == 0 ? DUET_PACKED_END : DUET_PACKED_MORE;
}

static void close_zstd(void *state)
{
    zstd *z = state;
    z->freeDStream(z->stream);
    duet_free(z);
}

const duet_packed_form duet_packed_zstd = {
    "zstd", "libzstd", "DUET_WITH_ZSTD", mark, sizeof mark, open_zstd, take, close_zstd};

#else

const duet_packed_form duet_packed_zstd = {
    "zstd", "libzstd", "DUET_WITH_ZSTD", mark, sizeof mark, NULL, NULL, NULL};

#endif
