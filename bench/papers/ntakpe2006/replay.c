// SPDX-License-Identifier: Apache-2.0
// A schedule simulated by another program, such as tests/simgrid/replay_moldable.c: it is given the
// instance and the solution as files, and says "simulated SECONDS".
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "bench/run/measure.h"

enum { PATH_SIZE = 512 };

typedef struct files {
    char folder[PATH_SIZE];
    char instance[PATH_SIZE + 16];
    char solution[PATH_SIZE + 16];
    char answer[PATH_SIZE + 16];
} files;

static duet_code create_files(files *f, duet_error *error)
{
    const char *folder = duet_bench_temporary_folder();
    int length = snprintf(f->folder, sizeof f->folder, "%s/duet-replay-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof f->folder || mkdtemp(f->folder) == NULL) {
        f->folder[0] = '\0';
        return duet_error_set_at(error, DUET_E_OUTPUT, folder, 0, 0,
                                 "cannot make a temporary folder: %s", strerror(errno));
    }
    snprintf(f->instance, sizeof f->instance, "%s/instance.json", f->folder);
    snprintf(f->solution, sizeof f->solution, "%s/solution.json", f->folder);
    snprintf(f->answer, sizeof f->answer, "%s/answer", f->folder);
    return DUET_OK;
}

static void remove_files(const files *f)
{
    if (f->folder[0] != '\0') {
        unlink(f->instance);
        unlink(f->solution);
        unlink(f->answer);
        rmdir(f->folder);
    }
}

// Runs the program to its end. *well: it said so.
static duet_code run_program(const files *f, const char *program, bool *well, duet_error *error)
{
    const char *words[] = {program, f->instance, f->solution, NULL};
    char *arguments[sizeof words / sizeof *words];
    memcpy(arguments, words, sizeof arguments); // it takes them as not const, and leaves them alone
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, f->answer, O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        return duet_error_set(error, DUET_E_OUTPUT, "--replay: cannot run %.200s: %s", program,
                              strerror(failed));
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return DUET_OK;
        }
    }
    *well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return DUET_OK;
}

// What stands behind "simulated", in ticks; 0: nothing does.
static int64_t read_answer(const char *path)
{
    static const double ticks = 1e6; // per second
    static const char word[] = "simulated ";
    char line[256] = "";
    FILE *file = fopen(path, "r");
    bool any = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    const char *at = any ? strstr(line, word) : NULL;
    double seconds = at == NULL ? 0 : strtod(at + sizeof word - 1, NULL);
    return seconds > 0 && seconds < (double)DUET_MAX_WORK / ticks ? llround(seconds * ticks) : 0;
}

duet_code duet_ntakpe_replay(const char *program, const duet_instance *instance,
                             const duet_solution *solution, int64_t *makespan, duet_error *error)
{
    files f = {.folder = ""};
    bool well = false;
    *makespan = 0;
    duet_code code = create_files(&f, error);
    code = code == DUET_OK ? duet_write_instance(f.instance, "json", instance, error) : code;
    code = code == DUET_OK ? duet_write_solution(f.solution, instance, solution, error) : code;
    code = code == DUET_OK ? run_program(&f, program, &well, error) : code;
    if (code == DUET_OK && well) {
        *makespan = read_answer(f.answer);
    }
    remove_files(&f);
    return code;
}
