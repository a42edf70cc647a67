// SPDX-License-Identifier: Apache-2.0
// A file read byte by byte through a fixed buffer, with line and column of the next byte.
#include "instances/formats/input.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "core/system/memory.h"
#include "core/system/try.h"

static void skip_byte_order_mark(duet_input *input)
{
    static const unsigned char mark[3] = {0xEF, 0xBB, 0xBF};
    duet_input_fill(input, sizeof mark);
    if (input->filled - input->at >= sizeof mark &&
        memcmp(input->buffer + input->at, mark, sizeof mark) == 0) {
        input->at += sizeof mark;
    }
}

// What cannot be unpacked is left as it is: whoever asks what the file is names the command that
// unpacks it.
static duet_code begin_unpacking(duet_input *input, duet_error *error)
{
    duet_error why = {.code = DUET_OK};
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    const duet_packed_form *form = duet_packed_find(input->buffer, input->filled);
    if (form == NULL) {
        return DUET_OK;
    }
    if (form->open == NULL) {
        snprintf(input->not_unpacked, sizeof input->not_unpacked,
                 "this build is without %s, -D%s=OFF", form->library, form->option);
        return DUET_OK;
    }
    duet_code code = duet_packed_open(&input->packed, form, input->buffer, input->filled, &why);
    if (code == DUET_E_UNSUPPORTED) {
        snprintf(input->not_unpacked, sizeof input->not_unpacked, "%s cannot be opened: %.150s",
                 form->library, why.message);
        return DUET_OK;
    }
    if (code != DUET_OK) {
        return duet_error_set(error, code, "%s", why.message);
    }
    input->filled = 0;
    input->at_end = false;
    return DUET_OK;
}

duet_code duet_input_wrap(duet_input **out, FILE *stream, const char *name, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    duet_input *input = *out;
    input->stream = stream;
    input->name = name;
    input->line = 1;
    duet_code code = begin_unpacking(input, error);
    if (code == DUET_OK) {
        skip_byte_order_mark(input);
        code = duet_input_check(input, error);
    }
    if (code != DUET_OK) {
        duet_input_close(input);
        *out = NULL;
    }
    return code;
}

duet_code duet_input_open(duet_input **out, const char *path, duet_error *error)
{
    *out = NULL;
    if (strcmp(path, "-") == 0) {
        return duet_input_wrap(out, stdin, "standard input", error);
    }
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                 "cannot read: %s; expected a readable file", strerror(errno));
    }
    duet_code code = duet_input_wrap(out, stream, path, error);
    if (code != DUET_OK) {
        fclose(stream);
        return code;
    }
    struct stat state;
    (*out)->owned = true;
    bool known = fstat(fileno(stream), &state) == 0 && S_ISREG(state.st_mode);
    (*out)->total = known && (*out)->packed == NULL ? state.st_size : 0;
    return DUET_OK;
}

void duet_input_close(duet_input *input)
{
    if (input == NULL) {
        return;
    }
    duet_packed_close(input->packed);
    if (input->owned) {
        fclose(input->stream);
    }
    duet_free(input);
}

// Reads bytes behind those that there are. Returns how many; 0: there is nothing more.
static size_t read_more(duet_input *input)
{
    unsigned char *out = input->buffer + input->filled;
    size_t room = sizeof input->buffer - input->filled;
    if (input->packed != NULL) {
        return duet_packed_read(input->packed, input->stream, out, room, &input->packed_end);
    }
    size_t got = fread(out, 1, room, input->stream);
    duet_memory_read(got);
    return got;
}

void duet_input_fill(duet_input *input, size_t wanted)
{
    DUET_ASSERT(wanted <= DUET_INPUT_LINE);
    if (input->filled - input->at >= wanted || input->at_end) {
        return;
    }
    memmove(input->buffer, input->buffer + input->at, input->filled - input->at);
    input->base += (int64_t)input->at;
    input->filled -= input->at;
    input->at = 0;
    // A small file is read whatever the time.
    bool begun = input->base + (int64_t)input->filled >= (int64_t)sizeof input->buffer;
    const duet_context *context = input->context;
    if (context != NULL &&
        (duet_cancel_requested(context->cancel) || (begun && duet_context_stop(context)))) {
        input->at_end = input->stopped = true;
    }
    while (input->filled < wanted && !input->at_end) {
        errno = 0;
        size_t got = read_more(input);
        input->filled += got;
        if (got == 0) {
            input->at_end = true;
            if (ferror(input->stream)) {
                input->fault = errno != 0 ? errno : EIO;
            }
        }
    }
    if (input->report != NULL) {
        const duet_read_progress progress = {input->base + (int64_t)input->filled, input->total};
        input->report(input->user, &progress);
    }
}

void duet_input_break_line(duet_input *input)
{
    if (input->line < INT_MAX) {
        input->line++;
    }
    input->line_at = input->base + (int64_t)input->at;
}

int duet_input_column(const duet_input *input)
{
    int64_t column = input->base + (int64_t)input->at - input->line_at + 1;
    return column < INT_MAX ? (int)column : INT_MAX;
}

static duet_code refuse_packed(const duet_input *input, duet_error *error)
{
    const char *name = input->packed->form->name;
    if (input->packed_end == DUET_PACKED_TOO_MUCH) {
        return duet_error_set_at(error, DUET_E_LIMIT, input->name, 0, 0,
                                 "%s data that unpack to more than memory may hold, after %" PRId64
                                 " MiB" DUET_MEMORY_RAISE,
                                 name, input->packed->written >> 20);
    }
    if (input->packed->form->library == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, 0, 0,
                                 "text in %s that %s; expected a whole file, or UTF-8", name,
                                 input->packed_end == DUET_PACKED_CUT
                                     ? "ends within a character"
                                     : "has half a character alone");
    }
    return duet_error_set_at(error, DUET_E_INPUT, input->name, 0, 0,
                             "%s data that %s; expected a whole file, as %s -t finds it", name,
                             input->packed_end == DUET_PACKED_CUT ? "end too early" : "are damaged",
                             name);
}

duet_code duet_input_check(const duet_input *input, duet_error *error)
{
    if (input->stopped) {
        bool cancelled = duet_cancel_requested(input->context->cancel);
        return duet_error_set_at(error, cancelled ? DUET_E_CANCELLED : DUET_E_LIMIT, input->name, 0,
                                 0, "%s before the file was read",
                                 cancelled ? "cancelled" : "the time limit came");
    }
    if (input->packed_end > DUET_PACKED_FAULT) {
        return refuse_packed(input, error);
    }
    if (input->fault == 0) {
        return DUET_OK;
    }
    if (input->fault == EISDIR) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, 0, 0,
                                 "cannot read: it is a folder; expected a file, such as those of "
                                 "%.100s/*",
                                 input->name);
    }
    return duet_error_set_at(error, DUET_E_INPUT, input->name, 0, 0,
                             "cannot read: %s; expected a readable file", strerror(input->fault));
}

const char *duet_input_describe(int byte, char *buffer)
{
    enum { size = 32 };
    if (byte < 0) {
        snprintf(buffer, size, "the end of the file");
    } else if (byte == '\n' || byte == '\r') {
        snprintf(buffer, size, "the end of the line");
    } else if (byte >= 0x20 && byte < 0x7f) {
        snprintf(buffer, size, "'%c'", byte);
    } else {
        snprintf(buffer, size, "byte 0x%02x", (unsigned)byte);
    }
    return buffer;
}
