// SPDX-License-Identifier: Apache-2.0
// The command duet: finds the command that is meant and runs it.
#define _GNU_SOURCE // pthread_setattr_default_np()
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/commands.h"
#include "console/complete.h"
#include "console/exact_names.h"
#include "console/exit_code.h"
#include "console/manual.h"
#include "console/print.h"
#include "console/registry_text.h"
#include "console/signals.h"
#include "console/tuning.h"
#include "core/system/shell_word.h"

static void print_help(void)
{
    puts("Usage: duet COMMAND [OPTION...]\n"
         "Optimal or provably bounded schedules for CPUs and GPUs, or any processor types.\n");
    for (const duet_cli_command *c = duet_cli_commands; c->name != NULL; c++) {
        duet_cli_print(stdout, "  %-9s %s\n", c->name, c->summary);
    }
    puts("\n"
         "  duet help COMMAND and duet COMMAND --help say more, with examples.\n"
         "  duet help NAME says what an algorithm, a bound, a family or a format is, or a field\n"
         "  of tasks such as release and deadline.\n"
         "  duet help --man [PAGE] prints a page of the manual, or which there are.\n"
         "  duet --version prints the version and what it was built with.\n"
         "\n"
         "A first schedule:\n"
         "  duet generate chol -n 10 -m 20 -k 4 -o chol.json\n"
         "  duet solve chol.json -o schedule.json --gantt schedule.svg\n"
         "  duet verify chol.json schedule.json\n"
         "\n"
         "Files are recognised by their content; '-' is standard input or output.\n"
         "\n"
         "Exit codes:");
    for (const duet_cli_exit *e = duet_cli_exits; e->meaning != NULL; e++) {
        duet_cli_print(stdout, "  %2d  %s\n", e->code, e->meaning);
    }
}

static void print_version(void)
{
    const char *features = duet_features();
    duet_cli_print(stdout, "duet %s (%s)\n", duet_version(),
                   features[0] == '\0' ? "no optional parts" : features);
}

// The list that has an algorithm, a bound, a family or a format of that name; NULL: none has.
static const duet_cli_registry *list_of(const char *name)
{
    for (size_t i = 0; i < DUET_CLI_REGISTRIES; i++) {
        if (duet_cli_find_entry(&duet_cli_registries[i], name) != NULL) {
            return &duet_cli_registries[i];
        }
    }
    return NULL;
}

// What may have been meant: a command with a slip or two, what a list has, or a file without one.
static void write_meant(const char *name, char *hint, size_t size)
{
    duet_nearest nearest = duet_nearest_to(name);
    const duet_cli_registry *list = list_of(name);
    hint[0] = '\0';
    for (const duet_cli_command *c = duet_cli_commands; c->name != NULL; c++) {
        duet_nearest_offer(&nearest, c->name);
    }
    if (list == NULL && nearest.best != NULL) {
        snprintf(hint, size, "; did you mean %s?", nearest.best);
        return;
    }
    for (size_t i = 0; i < DUET_CLI_REGISTRIES && list == NULL; i++) {
        duet_cli_offer_entries(&duet_cli_registries[i], &nearest);
    }
    const char *entry = list != NULL ? name : nearest.best;
    char slip[64] = "";
    if (list == NULL && entry != NULL) {
        snprintf(slip, sizeof slip, "did you mean %.40s? ", entry);
        list = list_of(entry);
    }
    if (list != NULL && strcmp(list->name, "algorithms") == 0) {
        snprintf(hint, size,
                 "; %s%.40s is an algorithm: 'duet solve FILE -a %.40s' runs it, "
                 "'duet list algorithms %.40s' says what it is",
                 slip, entry, entry, entry);
    } else if (list != NULL) {
        snprintf(hint, size, "; %s'duet list %s %.60s' says what it is", slip, list->name, entry);
    } else if (strpbrk(name, "./") != NULL) {
        char path[DUET_SHELL_WORD];
        snprintf(hint, size, "; for a file, 'duet solve %s'", duet_shell_path(name, path));
    }
}

static int unknown_command(const char *name)
{
    char meant[300];
    duet_error error = DUET_ERROR_INIT;
    char known[256] = "";
    for (const duet_cli_command *c = duet_cli_commands; c->name != NULL; c++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used == 0 ? "" : ", ", c->name);
    }
    const char *hint = strcmp(name, "gantt") == 0 || strcmp(name, "draw") == 0
                           ? "; pictures: 'duet show FILE SCHEDULE --gantt F.svg', or --gantt of "
                             "'duet solve'"
                           : meant;
    write_meant(name, meant, sizeof meant);
    duet_error_set(&error, DUET_E_USAGE, "unknown command '%s': expected one of %s%s", name, known,
                   hint);
    return duet_cli_fail(&error);
}

static int unknown_topic(const char *word)
{
    char meant[300];
    duet_error error = DUET_ERROR_INIT;
    write_meant(word, meant, sizeof meant);
    duet_error_set(&error, DUET_E_USAGE,
                   "no help on '%.60s': expected a command, an algorithm, a bound, a family, a "
                   "format, a field of tasks such as release, or one of the lists algorithms, "
                   "bounds, families and formats%s",
                   word, meant);
    return duet_cli_fail(&error);
}

// duet help [COMMAND | NAME | --man [PAGE]]
static int help(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--man") == 0) {
        return duet_cli_manual(argc - 1, argv + 1);
    }
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return DUET_CLI_OK;
    }
    const duet_cli_command *found = duet_cli_find_command(duet_cli_commands, argv[1]);
    const duet_cli_registry *list = found == NULL ? list_of(argv[1]) : NULL;
    if (list != NULL) {
        char command[] = "list";
        char of[32];
        snprintf(of, sizeof of, "%s", list->name);
        char *words[] = {command, of, argv[1], NULL};
        return duet_cli_list(3, words);
    }
    if (found == NULL && duet_cli_find_registry(argv[1]) != NULL) {
        char command[] = "list";
        char *words[] = {command, argv[1], NULL};
        return duet_cli_list(2, words);
    }
    if (found == NULL) {
        return duet_cli_print_topic(argv[1]) ? DUET_CLI_OK : unknown_topic(argv[1]);
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
    if (strcmp(first, "complete") == 0) {
        return duet_cli_complete(argc - 1, argv + 1);
    }
    const duet_cli_command *found = duet_cli_find_command(duet_cli_commands, first);
    if (found == NULL) {
        return unknown_command(first);
    }
    return duet_cli_tune(&argc, argv) ? found->run(argc - 1, argv + 1)
                                      : duet_cli_exit_code(DUET_E_USAGE);
}

// A descriptor of 0 .. 2 that the parent closed is taken, so that no file gets its number and, with
// it, what is meant for a person. Reading standard input, or writing the others, fails as before.
static void hold_standard_streams(void)
{
    for (int d = STDIN_FILENO; d <= STDERR_FILENO; d++) {
        if (fcntl(d, F_GETFD) < 0) {
            (void)!open("/dev/null", d == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

// Takes the address space for calls at once: where it is limited (`ulimit -v`) there may be none
// left for them later, which would end the process without a word.
static void reserve_stack(void)
{
    enum { ROOM = 256 * 1024, PAGE = 4096 };
    volatile char room[ROOM];
    for (size_t i = 0; i < ROOM; i += PAGE) {
        room[i] = 0;
    }
    (void)room;
}

typedef struct call {
    int argc;
    char **argv;
    sigset_t signals; // as the process was started
    int code;
} call;

static void *dispatch_in_thread(void *opaque)
{
    call *c = opaque;
    pthread_sigmask(SIG_SETMASK, &c->signals, NULL);
    c->code = dispatch(c->argc, c->argv);
    return NULL;
}

// Runs the command in a thread with a stack of its own, as threads that it starts get, too. Signals
// are that thread's: it may wait for one. False where no thread can be made.
static bool dispatch_on_own_stack(call *c, size_t bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool sized = pthread_attr_setstacksize(&attributes, bytes) == 0;
    if (sized) {
        pthread_setattr_default_np(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &all, &c->signals);
    bool made = sized && pthread_create(&thread, &attributes, dispatch_in_thread, c) == 0;
    if (made) {
        pthread_join(thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &c->signals, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

// `ulimit -s 64` is enough for the process to start in, and not for a search.
static int dispatch_on_enough_stack(int argc, char **argv)
{
    static const size_t enough = (size_t)1 << 20;
    static const size_t usual = (size_t)8 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < enough) {
        call c = {.argc = argc, .argv = argv};
        return dispatch_on_own_stack(&c, usual) ? c.code : dispatch(argc, argv);
    }
    reserve_stack();
    return dispatch(argc, argv);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    duet_cli_signals_begin();
    // A reader that closes the pipe early ends the command as it ends any other, whatever the
    // parent process made of the signal.
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    // A file that grows beyond `ulimit -f` is an output that cannot be written, like a full disk.
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, NULL);

    int code = dispatch_on_enough_stack(argc, argv);
    duet_cli_note_names();
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
