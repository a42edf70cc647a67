// SPDX-License-Identifier: Apache-2.0
// Runs CBC: a temporary folder with the program, a process without a shell in a group of its own
// (so that Ctrl-C reaches it through us alone), and a clock that kills it.
#include "bench/exact/cbc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/run/measure.h"
#include "core/context.h"
#include "solvers/cheap_bounds.h"

enum { PATH_SIZE = 512 };

typedef struct files {
    char folder[PATH_SIZE];
    char program[PATH_SIZE + 16];
    char solution[PATH_SIZE + 16];
    char log[PATH_SIZE + 16];
} files;

bool duet_cbc_available(void)
{
    const char *path = getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    for (const char *at = path; at != NULL && *at != '\0';) {
        char name[4096];
        size_t length = strcspn(at, ":");
        int size = snprintf(name, sizeof name, "%.*s/cbc", (int)length, at);
        if (length > 0 && size > 0 && (size_t)size < sizeof name && access(name, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

static duet_code create_files(files *f, duet_error *error)
{
    const char *folder = duet_bench_temporary_folder();
    int length = snprintf(f->folder, sizeof f->folder, "%s/duet-cbc-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof f->folder || mkdtemp(f->folder) == NULL) {
        f->folder[0] = '\0';
        return duet_error_set_at(error, DUET_E_OUTPUT, folder, 0, 0,
                                 "cannot make a temporary folder: %s", strerror(errno));
    }
    snprintf(f->program, sizeof f->program, "%s/program.mps", f->folder);
    snprintf(f->solution, sizeof f->solution, "%s/solution", f->folder);
    snprintf(f->log, sizeof f->log, "%s/log", f->folder);
    return DUET_OK;
}

static void remove_files(const files *f)
{
    if (f->folder[0] != '\0') {
        unlink(f->program);
        unlink(f->solution);
        unlink(f->log);
        rmdir(f->folder);
    }
}

static duet_code start_process(const files *f, double seconds, int threads, pid_t *child,
                               duet_error *error)
{
    char limit[32];
    char thread_count[16];
    snprintf(limit, sizeof limit, "%.6g", seconds);
    snprintf(thread_count, sizeof thread_count, "%d", threads);
    // The limits come before -solve; -timeMode elapsed: by the wall clock, as everyone else.
    const char *words[] = {"cbc",           f->program,  "-ratioGap", "0",
                           "-allowableGap", "0",         "-timeMode", "elapsed",
                           "-seconds",      limit,       "-threads",  thread_count,
                           "-solve",        "-solution", f->solution, NULL};
    enum { WORDS = sizeof words / sizeof *words };
    if (threads <= 1) { // its default, without a thread beside the main one
        memmove(&words[10], &words[12], (WORDS - 12) * sizeof *words);
    }
    char *arguments[WORDS];
    memcpy(arguments, words, sizeof arguments); // it takes them as not const, and leaves them alone
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, f->log, O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawnp(child, "cbc", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0
               ? DUET_OK
               : duet_error_set(error, DUET_E_OUTPUT, "cannot run cbc: %s", strerror(failed));
}

// Waits for the process. It writes its solution after its time is up: it gets a while for that.
static bool await(pid_t child, double seconds, const duet_cancel *cancel, duet_cbc_answer *answer)
{
    static const double grace = 2;
    int64_t start = duet_clock_ns();
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        answer->seconds = duet_bench_since(start);
        if (ended == child) {
            return !answer->killed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        if (ended < 0 && errno != EINTR) {
            return false;
        }
        bool late = answer->seconds > seconds * 1.1 + grace;
        if (!answer->killed && (late || (cancel != NULL && duet_cancel_requested(cancel)))) {
            kill(child, SIGKILL);
            answer->killed = true;
        }
        // Short looks at first, so that short runs are timed well.
        struct timespec pause = {0, answer->seconds < 0.1 ? 200000 : 2000000};
        nanosleep(&pause, NULL);
    }
}

static duet_code run_in(const files *f, const duet_program *program, double seconds, int threads,
                        const duet_cancel *cancel, duet_cbc_answer *answer, duet_error *error)
{
    pid_t child;
    duet_code code = duet_program_write(program, DUET_PROGRAM_MPS, f->program, error);
    if (code == DUET_OK) {
        code = start_process(f, seconds, threads, &child, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    if (!await(child, seconds, cancel, answer)) {
        return answer->killed ? DUET_OK
                              : duet_error_set(error, DUET_E_INPUT, "cbc failed or crashed");
    }
    code = duet_cbc_read_solution(f->solution, program, answer, error);
    if (code == DUET_OK) {
        code = duet_cbc_read_log(f->log, answer, error);
    }
    if (code != DUET_OK) {
        duet_solution_free(answer->solution);
        answer->solution = NULL;
    }
    return code;
}

// The least whole makespan that a claimed bound leaves, with a millionth taken off for its
// tolerances; at least what the program started from.
static int64_t lowered(double claimed, int64_t least)
{
    static const double margin = 1e-6;
    double safe = ceil(claimed - fabs(claimed) * margin);
    int64_t bound = safe > 0 && safe < 0x1p62 ? (int64_t)safe : 0;
    return bound > least ? bound : least;
}

duet_code duet_cbc_run(const duet_instance *instance, double seconds, int threads,
                       const duet_cancel *cancel, duet_cbc_answer *answer, duet_error *error)
{
    *answer = (duet_cbc_answer){.claimed = -1};
    files f = {.folder = ""};
    duet_program program;
    duet_code code = duet_program_create(instance, 0, &program, error);
    if (code != DUET_OK) {
        return code;
    }
    code = duet_cheap_bound(instance, &program.lower_bound, error);
    if (code == DUET_OK) {
        code = create_files(&f, error);
    }
    if (code == DUET_OK) {
        code = run_in(&f, &program, seconds, threads, cancel, answer, error);
    }
    answer->bound = lowered(answer->claimed, program.lower_bound);
    remove_files(&f);
    duet_program_free(&program);
    return code;
}
