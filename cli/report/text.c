// SPDX-License-Identifier: Apache-2.0
// A text that grows, for names put together from several columns.
#include "cli/report/report.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static duet_code put_byte(duet_cli_text *text, char byte, duet_error *error)
{
    DUET_TRY(duet_vec_grow(text->chars, text->used, error));
    text->chars[text->used] = byte;
    return DUET_OK;
}

duet_code duet_cli_text_put_bytes(duet_cli_text *text, const char *more, size_t length,
                                  duet_error *error)
{
    for (size_t i = 0; i < length; i++) {
        DUET_TRY(put_byte(text, more[i], error));
        text->used++;
    }
    return put_byte(text, '\0', error);
}

duet_code duet_cli_text_put(duet_cli_text *text, const char *more, duet_error *error)
{
    return duet_cli_text_put_bytes(text, more, strlen(more), error);
}

duet_code duet_cli_text_put_value(duet_cli_text *text, const char *before, const char *value,
                                  const char *after, duet_error *error)
{
    if (value[0] == '\0') {
        return DUET_OK;
    }
    DUET_TRY(duet_cli_text_put(text, before, error));
    DUET_TRY(duet_cli_text_put(text, value, error));
    return duet_cli_text_put(text, after, error);
}

void duet_cli_text_free(duet_cli_text *text)
{
    duet_free(text->chars);
    *text = (duet_cli_text){0};
}
