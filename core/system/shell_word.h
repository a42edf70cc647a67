// SPDX-License-Identifier: Apache-2.0
// Words of commands that messages print: what a shell takes as one word, as it is.
#ifndef DUET_CORE_SYSTEM_SHELL_WORD_H
#define DUET_CORE_SYSTEM_SHELL_WORD_H

#include <stdbool.h>
#include <stddef.h>

enum { DUET_SHELL_WORD = 240 }; // bytes of a word that a message has room for, with its end

// Whether a shell would not take the text as it is.
bool duet_shell_is_special(const char *text);

// `text` as one word of a shell, in quotes where it needs them. What is empty, too long for `size`
// bytes, or could not be shown as it is, is `otherwise`: a word cut would name something else.
// Returns `buffer`.
const char *duet_shell_word(const char *text, const char *otherwise, char *buffer, size_t size);

// Whether a name cannot stand in a list of names, as below, as it is.
bool duet_list_is_special(const char *name);
// A name as an item of a list such as "NAME=COLUMN,NAME": in double quotes, doubled where it holds
// one, where it would end or be cut otherwise. Returns `buffer`, which may be cut.
const char *duet_listed_name(const char *name, char *buffer, size_t size);

// The word of a file: FILE where it cannot be printed.
const char *duet_shell_path(const char *path, char buffer[DUET_SHELL_WORD]);

#endif
