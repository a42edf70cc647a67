// SPDX-License-Identifier: Apache-2.0
// Texts as files: read well, refused where it is expected, cut anywhere.
#ifndef DUET_TESTS_SUPPORT_READ_TEXT_H
#define DUET_TESTS_SUPPORT_READ_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

// A text, and where and how it is refused.
typedef struct duet_bad_text {
    const char *text;
    int line;
    const char *message;
} duet_bad_text;

// Reads a file with options "key=value key=value"; NULL: none.
duet_code duet_read_scratch_file(const char *file, const char *settings, duet_instance **out,
                                 duet_error *error);

// The instance in a text, which is put into the scratch file; the caller frees it.
duet_instance *duet_read_text_with(const char *text, const char *settings);
duet_instance *duet_read_text(const char *text);

void duet_expect_refused(const duet_bad_text *files, size_t count);

// A text cut anywhere is an error or a smaller instance, never a crash.
void duet_cut_anywhere(const char *text);

void duet_expect_edge(const duet_instance *instance, int64_t edge, int64_t from, int64_t to);

// The time of a kind as text.
void duet_expect_time(const duet_instance *instance, size_t kind, size_t type, const char *time);

#endif
