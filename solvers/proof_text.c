// SPDX-License-Identifier: Apache-2.0
#include "solvers/proof_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/moved.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

void duet_proof_writer_free(duet_proof_writer *writer)
{
    duet_free(writer->text);
    *writer = (duet_proof_writer){.text = NULL};
}

bool duet_proof_begin(duet_proof_writer *writer, size_t bytes)
{
    if (writer->lost) {
        return false;
    }
    if (writer->room - writer->length >= bytes) {
        return true;
    }
    size_t room = 2 * writer->room + bytes;
    char *grown = room > writer->limit ? NULL : duet_resize(writer->text, room, 1, NULL);
    writer->lost = grown == NULL;
    if (grown != NULL) {
        writer->text = grown;
        writer->room = room;
    }
    return grown != NULL;
}

void duet_proof_put(duet_proof_writer *writer, const char *text)
{
    duet_proof_put_text(writer, text, strlen(text));
}

void duet_proof_put_text(duet_proof_writer *writer, const char *text, size_t length)
{
    DUET_ASSERT(writer->room - writer->length >= length);
    if (length > 0) {
        memcpy(writer->text + writer->length, text, length);
        writer->length += length;
    }
}

void duet_proof_put_number(duet_proof_writer *writer, int64_t value)
{
    char digits[DUET_PROOF_NUMBER];
    size_t at = sizeof digits;
    uint64_t rest = (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    DUET_ASSERT(value >= 0 && writer->room - writer->length > sizeof digits - at);
    writer->text[writer->length++] = ' ';
    memcpy(writer->text + writer->length, digits + at, sizeof digits - at);
    writer->length += sizeof digits - at;
}

void duet_proof_rewind(duet_proof_writer *writer, size_t length)
{
    if (!writer->lost) {
        DUET_ASSERT(length <= writer->length);
        writer->length = length;
    }
}

static size_t moved_headers(int64_t bound, char *text)
{
    return (size_t)snprintf(text, DUET_PROOF_HEADERS, "duet-proof 1\nbound %" PRId64 "\nreleased\n",
                            bound - DUET_MOVED_TICKS);
}

size_t duet_proof_graph_headers(const duet_proof_graph_claim *claim, char *text)
{
    size_t length = claim->moved
                        ? moved_headers(claim->bound, text)
                        : (size_t)snprintf(text, DUET_PROOF_HEADERS,
                                           "duet-proof 1\nbound %" PRId64 "\n", claim->bound);
    return length + (size_t)snprintf(text + length, DUET_PROOF_HEADERS - length,
                                     "graph %" PRId64 " %" PRId64 "\n", claim->tasks, claim->edges);
}

// Writes the headers of the proof that lines about a moved instance become, and finds what follows
// them: what is behind the bound there.
static size_t move(const duet_proof_lines *lines, char *headers, const char **behind)
{
    char *end;
    const char *bound = strchr(lines->text, '\n') + sizeof "bound";
    int64_t value = strtoll(bound, &end, 10);
    *behind = end + 1;
    return moved_headers(value, headers);
}

duet_code duet_proof_moved_lines(const duet_proof_lines *lines, const duet_proof_lines **out,
                                 duet_error *error)
{
    const char *behind;
    char headers[DUET_PROOF_HEADERS];
    size_t length = move(lines, headers, &behind);
    size_t rest = lines->length - (size_t)(behind - lines->text);
    char *text = duet_alloc_raw(length + rest + 1, 1, error);
    DUET_NEED(text);
    memcpy(text, headers, length);
    memcpy(text + length, behind, rest + 1);
    duet_code code = duet_proof_lines_create(text, length + rest, out, error);
    duet_free(text);
    return code;
}

duet_code duet_proof_lines_write(const duet_proof_lines *lines, bool moved, duet_output *output,
                                 duet_error *error)
{
    const char *from = lines->text;
    if (moved) {
        char headers[DUET_PROOF_HEADERS];
        size_t length = move(lines, headers, &from);
        fwrite(headers, 1, length, output->stream);
    }
    fwrite(from, 1, lines->length - (size_t)(from - lines->text), output->stream);
    return duet_output_commit(output, error);
}
