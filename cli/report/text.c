// SPDX-License-Identifier: Apache-2.0
#include "cli/report/text.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/vec.h"

static duet_code put_byte(duet_cli_text *text, char byte, duet_error *error)
{
    duet_code code = duet_vec_grow(text->chars, text->used, error);
    if (code == DUET_OK) {
        text->chars[text->used] = byte;
    }
    return code;
}

duet_code duet_cli_text_put_bytes(duet_cli_text *text, const char *more, size_t length,
                                  duet_error *error)
{
    for (size_t i = 0; i < length; i++) {
        duet_code code = put_byte(text, more[i], error);
        if (code != DUET_OK) {
            return code;
        }
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
    duet_code code = duet_cli_text_put(text, before, error);
    code = code == DUET_OK ? duet_cli_text_put(text, value, error) : code;
    return code == DUET_OK ? duet_cli_text_put(text, after, error) : code;
}

void duet_cli_text_free(duet_cli_text *text)
{
    duet_free(text->chars);
    *text = (duet_cli_text){0};
}
