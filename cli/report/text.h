// SPDX-License-Identifier: Apache-2.0
// A text that grows, for names put together from several columns.
#ifndef DUET_CLI_REPORT_TEXT_H
#define DUET_CLI_REPORT_TEXT_H

#include <stddef.h>

#include <duet/error.h>

typedef struct duet_cli_text {
    char *chars; // ends in NUL once something was put there
    size_t used; // without the NUL
} duet_cli_text;

// Each: DUET_E_MEMORY.
duet_code duet_cli_text_put_bytes(duet_cli_text *text, const char *more, size_t length,
                                  duet_error *error);
duet_code duet_cli_text_put(duet_cli_text *text, const char *more, duet_error *error);
// A value between what stands before and after it; nothing where it is empty.
duet_code duet_cli_text_put_value(duet_cli_text *text, const char *before, const char *value,
                                  const char *after, duet_error *error);
void duet_cli_text_free(duet_cli_text *text);

#endif
