// SPDX-License-Identifier: Apache-2.0
// What `duet help WORD` says of words that are no command and stand in no list.
#ifndef DUET_CLI_TOPICS_H
#define DUET_CLI_TOPICS_H

#include <stdbool.h>

// Prints what the readers make of a field that is called so; false: they know no such word.
bool duet_cli_print_topic(const char *word);

#endif
