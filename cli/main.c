// SPDX-License-Identifier: Apache-2.0
// The command duet: finds the command that is meant and runs it.
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/common.h"

typedef struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"solve", "find a schedule and prove how good it is", duet_cli_solve},
    {"bound", "compute lower bounds on the makespan", duet_cli_bound},
    {"verify", "check a schedule and what it claims", duet_cli_verify},
    {"generate", "make an instance of a family", duet_cli_generate},
    {"measure", "time the kernels of factorisations on this machine", duet_cli_measure},
    {"compare", "run several algorithms on the same instances", duet_cli_compare},
    {"bench", "run the benchmark harness", duet_bench_main},
    {"report", "make a page of HTML from results and schedules", duet_cli_report},
    {"list", "list algorithms, bounds, families and formats", duet_cli_list},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    puts("Usage: duet COMMAND [OPTION...]\n"
         "Optimal or provably bounded schedules for task sets on CPU+GPU machines.\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    }
    puts("\n"
         "  duet help COMMAND and duet COMMAND --help say more, with examples.\n"
         "  duet --version prints the version and what it was built with.\n"
         "\n"
         "A first schedule:\n"
         "  duet generate chol -n 10 -m 20 -k 4 -o chol.json\n"
         "  duet solve chol.json -o schedule.json --gantt schedule.svg\n"
         "  duet verify chol.json schedule.json\n"
         "\n"
         "Files are recognised by their content; '-' is standard input or output.\n"
         "\n"
         "Exit codes: 0 done; 1 a check said no; 2 wrong usage; 3 unreadable or invalid\n"
         "input; 4 no schedule exists; 5 a limit (time, memory, disk) came before the\n"
         "result; 70 a bug in Duet.");
}

static void print_version(void)
{
    const char *features = duet_features();
    printf("duet %s (%s)\n", duet_version(), features[0] == '\0' ? "no optional parts" : features);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    duet_error error = DUET_ERROR_INIT;
    char known[256] = "";
    for (size_t i = 0; i < COMMANDS; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ", commands[i].name);
    }
    duet_error_set(&error, DUET_E_USAGE, "unknown command '%s': expected one of %s", name, known);
    return duet_cli_fail(&error);
}

static int help(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        print_help();
        return DUET_CLI_OK;
    }
    const command *found = find_command(argv[1]);
    if (found == NULL) {
        return unknown_command(argv[1]);
    }
    char option[] = "--help";
    char *arguments[] = {argv[1], option, NULL};
    return found->run(2, arguments);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        duet_error error = DUET_ERROR_INIT;
        duet_error_set(&error, DUET_E_USAGE,
                       "no command given: expected one such as 'duet solve FILE'; "
                       "'duet --help' lists them");
        return duet_cli_fail(&error);
    }
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        print_version();
        return DUET_CLI_OK;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_help();
        return DUET_CLI_OK;
    }
    if (strcmp(first, "help") == 0) {
        return help(argc - 1, argv + 1);
    }
    const command *found = find_command(first);
    return found == NULL ? unknown_command(first) : found->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    // A reader that closes the pipe early ends the command as it ends any other, whatever the
    // parent process made of the signal.
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);

    int code = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        duet_error error = DUET_ERROR_INIT;
        duet_error_set_at(&error, DUET_E_OUTPUT, "standard output", 0, 0, "cannot write: %s",
                          errno != 0 ? strerror(errno) : "an earlier write failed");
        int failed = duet_cli_fail(&error);
        code = code == DUET_CLI_OK ? failed : code;
    }
    return code;
}
