// SPDX-License-Identifier: Apache-2.0
#include "solvers/proof_text.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"

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
