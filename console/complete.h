// SPDX-License-Identifier: Apache-2.0
// Completion of command lines, from the tables that the command itself reads. The shells' scripts
// (cli/completion) ask and show; what fits is decided here.
//
// The answer is a line per candidate: the whole word, and behind a tab what it means. A word that
// ends in '=' goes on. The line ":files" stands for names of files, of what follows the last '='.
#ifndef DUET_CONSOLE_COMPLETE_H
#define DUET_CONSOLE_COMPLETE_H

#include "console/options.h"

// `duet complete -- duet WORD...`: what the last word may become. argv[0] is "complete". Returns
// the exit code.
int duet_cli_complete(int argc, char **argv);

// The same within a command: words[count - 1] is to be completed, the others stand before it.
void duet_cli_complete_command(const duet_cli_syntax *syntax, int count, char **words);

#endif
