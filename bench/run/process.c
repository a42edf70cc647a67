// SPDX-License-Identifier: Apache-2.0
#include "bench/run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/run/measure.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_process_files_create(const char *name, const char *const names[DUET_PROCESS_FILES],
                                    duet_process_files *files, duet_error *error)
{
    const char *where = duet_bench_temporary_folder();
    char *folder = files->folder;
    int length = snprintf(folder, sizeof files->folder, "%s/duet-%s-XXXXXX", where, name);
    if (length < 0 || (size_t)length >= sizeof files->folder || mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return duet_error_set_at(error, DUET_E_OUTPUT, where, 0, 0,
                                 "cannot make a temporary folder: %s", strerror(errno));
    }
    for (size_t i = 0; i < DUET_PROCESS_FILES; i++) {
        snprintf(files->path[i], sizeof files->path[i], "%s/%s", folder, names[i]);
    }
    return DUET_OK;
}

void duet_process_files_remove(const duet_process_files *files)
{
    for (size_t i = 0; i < DUET_PROCESS_FILES && files->folder[0] != '\0'; i++) {
        unlink(files->path[i]);
    }
    if (files->folder[0] != '\0') {
        rmdir(files->folder);
    }
}

duet_code duet_process_file(const char *name, char *path, size_t size, duet_error *error)
{
    const char *where = duet_bench_temporary_folder();
    int length = snprintf(path, size, "%s/duet-%s-XXXXXX", where, name);
    int file = length < 0 || (size_t)length >= size ? -1 : mkstemp(path);
    if (file < 0) {
        path[0] = '\0';
        return duet_error_set_at(error, DUET_E_OUTPUT, where, 0, 0,
                                 "cannot make a temporary file: %s", strerror(errno));
    }
    close(file);
    return DUET_OK;
}

static duet_code start(const duet_process *process, pid_t *child, duet_error *error)
{
    size_t words = 0;
    while (process->words[words] != NULL) {
        words++;
    }
    char **arguments = duet_alloc(words + 1, sizeof *arguments, error);
    DUET_NEED(arguments);
    // It takes them as not const, and leaves them alone.
    memcpy(arguments, process->words, words * sizeof *arguments);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, process->output, O_WRONLY | O_CREAT,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    duet_free(arguments);
    return failed == 0 ? DUET_OK
                       : duet_error_set(error, DUET_E_OUTPUT, "cannot run %.200s: %s",
                                        process->words[0], strerror(failed));
}

// Whether it is to be killed now. It may write its answer after its time is up: it gets a while.
static bool is_late(const duet_process *process)
{
    static const double grace = 2;
    bool late = process->seconds > 0 && process->took > process->seconds * 1.1 + grace;
    return late || (process->cancel != NULL && duet_cancel_requested(process->cancel));
}

static void await(duet_process *process, pid_t child)
{
    int64_t begin = duet_clock_ns();
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        process->took = duet_bench_since(begin);
        if (ended == child) {
            process->well = !process->killed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            return;
        }
        if (ended < 0 && errno != EINTR) {
            return;
        }
        if (!process->killed && is_late(process)) {
            kill(child, SIGKILL);
            process->killed = true;
        }
        // Short looks at first, so that short runs are timed well.
        struct timespec pause = {0, process->took < 0.1 ? 200000 : 2000000};
        nanosleep(&pause, NULL);
    }
}

duet_code duet_process_run(duet_process *process, duet_error *error)
{
    pid_t child;
    process->took = 0;
    process->killed = process->well = false;
    DUET_TRY(start(process, &child, error));
    await(process, child);
    return DUET_OK;
}
