// SPDX-License-Identifier: Apache-2.0
// xz, by liblzma. What of its headers is needed stands here: version 5 keeps the layout.
#include "instances/formats/packed/packed.h"

static const unsigned char mark[] = {0xfd, '7', 'z', 'X', 'Z', 0};

#ifdef DUET_WITH_LZMA

#include "core/number/minmax.h"
#include "core/system/loader.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// lzma_stream of lzma/base.h
typedef struct lzma_stream {
    const unsigned char *next_in;
    size_t avail_in;
    uint64_t total_in;
    unsigned char *next_out;
    size_t avail_out;
    uint64_t total_out;
    const void *allocator;
    void *internal;
    void *reserved_pointer[4];
    uint64_t reserved_number[2];
    size_t reserved_size[2];
    int reserved_enum[2];
} lzma_stream;

// Of lzma/base.h and lzma/container.h.
enum { LZMA_OK = 0, LZMA_STREAM_END = 1, LZMA_MEM = 5, LZMA_MEMLIMIT = 6, LZMA_BUF = 10 };
enum { LZMA_CONCATENATED = 8, LZMA_RUN = 0, LZMA_FINISH = 3 };

typedef struct lzma {
    int (*stream_decoder)(lzma_stream *stream, uint64_t memory, uint32_t flags);
    int (*code)(lzma_stream *stream, int action);
    void (*end)(lzma_stream *stream);
    lzma_stream stream;
} lzma;

static duet_code open_lzma(void **state, size_t memory, duet_error *error)
{
    static const duet_loader_symbol symbol[] = {{"stream_decoder", offsetof(lzma, stream_decoder)},
                                                {"code", offsetof(lzma, code)},
                                                {"end", offsetof(lzma, end)}};
    static const duet_loader_symbols symbols = {"lzma_", "", symbol,
                                                sizeof symbol / sizeof *symbol};
    duet_loader_fault fault = {.memory = false};
    lzma *l = duet_alloc(1, sizeof *l, error);
    DUET_NEED(l);
    void *library = duet_loader_open("liblzma.so.5", &fault);
    bool found = library != NULL && duet_loader_find_all(library, &symbols, l, &fault);
    if (!found ||
        l->stream_decoder(&l->stream, duet_max(memory, (size_t)1), LZMA_CONCATENATED) != LZMA_OK) {
        duet_free(l);
        return found || fault.memory
                   ? duet_error_set(error, DUET_E_MEMORY, "out of memory while opening liblzma")
                   : duet_error_set(error, DUET_E_UNSUPPORTED, "%s", fault.text);
    }
    *state = l;
    return DUET_OK;
}

static duet_packed_state take(void *state, duet_packed_step *step)
{
    lzma *l = state;
    l->stream.next_in = step->in;
    l->stream.avail_in = step->in_left;
    l->stream.next_out = step->out;
    l->stream.avail_out = step->out_left;
    int code = l->code(&l->stream, step->last ? LZMA_FINISH : LZMA_RUN);
    step->in_left = l->stream.avail_in;
    step->out_left = l->stream.avail_out;
    step->out = l->stream.next_out;
    return code == LZMA_STREAM_END                     ? DUET_PACKED_END
           : code == LZMA_OK || code == LZMA_BUF       ? DUET_PACKED_MORE
           : code == LZMA_MEM || code == LZMA_MEMLIMIT ? DUET_PACKED_MEMORY
                                                       : DUET_PACKED_DAMAGED;
}

static void close_lzma(void *state)
{
    lzma *l = state;
    l->end(&l->stream);
    duet_free(l);
}

const duet_packed_form duet_packed_xz = {"xz",      "liblzma", "DUET_WITH_LZMA", mark, sizeof mark,
                                         open_lzma, take,      close_lzma};

#else

const duet_packed_form duet_packed_xz = {"xz", "liblzma", "DUET_WITH_LZMA", mark, sizeof mark, NULL,
                                         NULL, NULL};

#endif
