// SPDX-License-Identifier: Apache-2.0
// Which words may follow "duet": commands, and what they say themselves.
#include "console/complete.h"

#include <string.h>

#include "bench/bench.h"
#include "cli/commands.h"
#include "console/exit_code.h"
#include "console/options.h"

static void offer_commands(const char *word, const duet_cli_command *table)
{
    for (const duet_cli_command *c = table; c->name != NULL; c++) {
        duet_complete_offer(word, "", c->name, c->summary);
    }
}

// Has a command complete its own line: words[0] is its name.
static void ask(const duet_cli_command *command, int count, char **words)
{
    char request[] = DUET_CLI_COMPLETE;
    char *arguments[DUET_COMPLETE_WORDS + 3] = {words[0], request};
    if (count > DUET_COMPLETE_WORDS) {
        return;
    }
    memcpy(arguments + 2, words + 1, (size_t)(count - 1) * sizeof *words);
    command->run(count + 1, arguments);
}

// words[0] is to be found in the table, or completed where nothing follows it.
static void complete(const duet_cli_command *table, int count, char **words)
{
    if (count == 1) {
        offer_commands(words[0], table);
        if (table == duet_cli_commands) {
            duet_complete_offer(words[0], "", "help", "tell about a command");
            duet_complete_offer(words[0], "", "--help", "print an overview");
            duet_complete_offer(words[0], "", "--version", "print the version");
        }
        return;
    }
    const duet_cli_command *found = duet_cli_find_command(table, words[0]);
    if (table == duet_cli_commands && strcmp(words[0], "help") == 0 && count == 2) {
        offer_commands(words[1], table);
    } else if (found != NULL && found->run == duet_bench_main) {
        complete(duet_bench_studies, count - 1, words + 1);
    } else if (found != NULL) {
        ask(found, count, words);
    }
}

int duet_cli_complete(int argc, char **argv)
{
    if (argc < 4 || strcmp(argv[1], "--") != 0) {
        duet_error error = DUET_ERROR_INIT;
        duet_error_set(&error, DUET_E_USAGE,
                       "complete: expected -- and the words of a command line");
        return duet_cli_fail(&error);
    }
    complete(duet_cli_commands, argc - 3, argv + 3);
    return DUET_CLI_OK;
}
