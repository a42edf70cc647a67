// SPDX-License-Identifier: Apache-2.0
// Texts of proofs in certificates: immutable, with counted references.
#include <stdatomic.h>
#include <string.h>

#include <duet/bound.h>

#include "core/system/memory.h"
#include "core/system/try.h"

struct duet_proof_lines {
    atomic_size_t references;
    size_t length;
    char text[];
};

duet_code duet_proof_lines_create(const char *text, size_t length, const duet_proof_lines **out,
                                  duet_error *error)
{
    *out = NULL;
    DUET_TRY(duet_memory_check(length, 1, 0, "the text of a proof", error));
    duet_proof_lines *lines = duet_alloc_raw(1, sizeof *lines + length + 1, error);
    DUET_NEED(lines);
    atomic_init(&lines->references, 1);
    lines->length = length;
    if (length > 0) {
        memcpy(lines->text, text, length);
    }
    lines->text[length] = '\0';
    *out = lines;
    return DUET_OK;
}

// The count is the one thing that changes in a text that is otherwise constant.
static atomic_size_t *references(const duet_proof_lines *lines)
{
    return &((duet_proof_lines *)lines)->references;
}

const duet_proof_lines *duet_proof_lines_retain(const duet_proof_lines *lines)
{
    if (lines != NULL) {
        atomic_fetch_add_explicit(references(lines), 1, memory_order_relaxed);
    }
    return lines;
}

void duet_proof_lines_release(const duet_proof_lines *lines)
{
    // Whoever frees it must see all that others did with it before they let go.
    if (lines != NULL &&
        atomic_fetch_sub_explicit(references(lines), 1, memory_order_acq_rel) == 1) {
        duet_free((duet_proof_lines *)lines);
    }
}

const char *duet_proof_lines_text(const duet_proof_lines *lines, size_t *length)
{
    *length = lines->length;
    return lines->text;
}
