// SPDX-License-Identifier: Apache-2.0
// Completion of command lines, from the tables that the command itself reads. The shells' scripts
// (cli/completion) ask and show; what fits is decided here.
//
// The answer is a line per candidate: the whole word, and behind a tab what it means. A word that
// ends in '=' goes on. The line ":files" stands for names of files, of what follows the last '='.
#ifndef DUET_CONSOLE_COMPLETE_H
#define DUET_CONSOLE_COMPLETE_H

#include "console/options.h"
#include "console/registry_text.h"

// `duet complete -- duet WORD...`: what the last word may become. argv[0] is "complete". Returns
// the exit code.
int duet_cli_complete(int argc, char **argv);

// The same within a command: words[count - 1] is to be completed, the others stand before it.
void duet_cli_complete_command(const duet_cli_syntax *syntax, int count, char **words);

// complete_value.c
enum { DUET_COMPLETE_WORDS = 1024 }; // longer command lines are not completed

// Prints head + word as a candidate where it begins with `typed`, which begins with head. `text`
// (one line; may be NULL) says what it means.
void duet_complete_offer(const char *typed, const char *head, const char *word, const char *text);
// Each word of "a|b|c", up to a ']' or the end.
void duet_complete_choices(const char *typed, const char *head, const char *choices);
// The names of a registry's entries; `head` ends where `value` begins. In a list separated by
// commas those that stand there already are left out.
void duet_complete_names(const char *typed, const char *head, const char *value,
                         const duet_cli_registry *registry);
// Names of files.
void duet_complete_files(void);

// The values of `option` of command `name`: `value` is the end of `typed`, the word that is being
// completed; the `count` words stand before it.
void duet_complete_value(const duet_cli_option *option, const char *name, int count, char **words,
                         const char *typed, const char *value);

#endif
