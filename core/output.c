// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // O_TMPFILE
#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/random.h"

enum { SUFFIX = 8 };

static duet_code cannot_write(const char *path, const char *why, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot write: %s", why);
}

// Standard output is duplicated, so that closing the stream leaves the process's own open.
static duet_code open_standard_output(duet_output *output, duet_error *error)
{
    fflush(stdout);
    int descriptor = dup(STDOUT_FILENO);
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (output->stream == NULL) {
        const char *why = strerror(errno);
        if (descriptor >= 0) {
            close(descriptor);
        }
        return cannot_write("standard output", why, error);
    }
    return DUET_OK;
}

// Random enough for a name beside the target; a taken one is tried again.
static void random_suffix(char *suffix, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    duet_random random;
    duet_random_seed(&random, (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
    for (size_t i = 0; i < length; i++) {
        suffix[i] = letters[duet_random_between(&random, 0, (int64_t)sizeof letters - 2)];
    }
}

// The folder of a path, in place of the path.
static void cut_to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
        memcpy(path, ".", 2);
    } else {
        slash[slash == path] = '\0';
    }
}

// A file without a name in the target's folder: nothing is left even if the process is killed. -1
// where the file system has no such files.
static int open_nameless(const char *target, mode_t mode)
{
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    if (strlen(target) + 2 > sizeof folder) {
        return -1;
    }
    memcpy(folder, target, strlen(target) + 1);
    cut_to_folder(folder);
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#else
    (void)target;
    (void)mode;
    return -1;
#endif
}

// Room for the temporary name; its last letters are still to be chosen.
static duet_code make_temporary_name(duet_output *output, duet_error *error)
{
    size_t length = strlen(output->target);
    output->temporary = duet_alloc(length + SUFFIX + 2, 1, error);
    if (output->temporary == NULL) {
        return DUET_E_MEMORY;
    }
    memcpy(output->temporary, output->target, length);
    output->temporary[length] = '.';
    random_suffix(output->temporary + length + 1, SUFFIX);
    return DUET_OK;
}

static duet_code open_temporary(duet_output *output, mode_t mode, duet_error *error)
{
    duet_code code = make_temporary_name(output, error);
    if (code != DUET_OK) {
        return code;
    }
    int descriptor = open_nameless(output->target, mode);
    output->nameless = descriptor >= 0;
    if (!output->nameless) {
        descriptor = open(output->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    }
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (output->stream != NULL) {
        return DUET_OK;
    }
    const char *why = strerror(errno);
    if (descriptor >= 0) {
        close(descriptor);
    } else {
        duet_free(output->temporary); // not ours to remove
        output->temporary = NULL;
    }
    return cannot_write(output->target, why, error);
}

// What is no plain file is written as it is: devices, pipes, and whatever /dev and /proc name.
static bool written_directly(const char *path, const struct stat *status)
{
    return !S_ISREG(status->st_mode) || strncmp(path, "/dev/", 5) == 0 ||
           strncmp(path, "/proc/", 6) == 0;
}

// A pipe is waited for until somebody reads it, or a signal comes that the process catches: open()
// itself would go on waiting after that. Signals are let in during the pause alone, so that none
// comes just before it and is missed.
static int wait_for_reader(const char *path)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    sigset_t all;
    sigset_t own;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    while (descriptor < 0 && errno == ENXIO && pselect(0, NULL, NULL, NULL, &pause, &own) == 0) {
        descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    int why = errno;
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    errno = why;
    return descriptor;
}

static FILE *open_pipe(const char *path)
{
    int descriptor = wait_for_reader(path);
    if (descriptor < 0) {
        return NULL;
    }
    int flags = fcntl(descriptor, F_GETFL);
    bool waits = flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0;
    FILE *stream = waits ? fdopen(descriptor, "w") : NULL;
    if (stream == NULL) {
        close(descriptor);
    }
    return stream;
}

static duet_code open_directly(duet_output *output, const char *path, bool is_pipe,
                               duet_error *error)
{
    output->stream = is_pipe ? open_pipe(path) : fopen(path, "w");
    if (output->stream == NULL) {
        return cannot_write(path,
                            is_pipe && errno == EINTR ? "interrupted before anybody read the pipe"
                                                      : strerror(errno),
                            error);
    }
    return DUET_OK;
}

duet_code duet_output_open(duet_output *output, const char *path, duet_error *error)
{
    *output = (duet_output){NULL, NULL, NULL, false};
    if (strcmp(path, "-") == 0) {
        output->target = duet_copy_string("standard output", error);
        duet_code code =
            output->target == NULL ? DUET_E_MEMORY : open_standard_output(output, error);
        if (code != DUET_OK) {
            duet_output_abandon(output);
        }
        return code;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    // Through a symbolic link: the file it names is replaced, not the link.
    char resolved[PATH_MAX];
    bool linked = exists && realpath(path, resolved) != NULL;
    bool direct = exists && written_directly(path, &status);
    output->target = duet_copy_string(linked && !direct ? resolved : path, error);
    if (output->target == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = DUET_OK;
    if (exists && S_ISDIR(status.st_mode)) {
        code = cannot_write(path, "it is a folder", error);
    } else if (direct) {
        code = open_directly(output, path, S_ISFIFO(status.st_mode), error);
    } else {
        code = open_temporary(output, exists ? status.st_mode & 0777 : 0666, error);
    }
    if (code != DUET_OK) {
        duet_output_abandon(output);
    }
    return code;
}

// A nameless file gets its temporary name, so that it can be renamed over the target.
static int name_file(const duet_output *output)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(output->stream));
    return linkat(AT_FDCWD, self, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
}

duet_code duet_output_commit(duet_output *output, duet_error *error)
{
    int failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
    int why = errno;
    if (!failed && output->temporary != NULL &&
        (fsync(fileno(output->stream)) != 0 || (output->nameless && name_file(output) != 0))) {
        failed = 1;
        why = errno;
    }
    output->nameless = output->nameless && failed;
    if (fclose(output->stream) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    output->stream = NULL;
    if (!failed && output->temporary != NULL && rename(output->temporary, output->target) != 0) {
        failed = 1;
        why = errno;
    }
    duet_code code = DUET_OK;
    if (failed) {
        code = cannot_write(output->target, strerror(why), error);
    } else {
        duet_free(output->temporary); // renamed: nothing to remove
        output->temporary = NULL;
    }
    duet_output_abandon(output);
    return code;
}

void duet_output_abandon(duet_output *output)
{
    if (output->stream != NULL) {
        fclose(output->stream);
    }
    if (output->temporary != NULL && !output->nameless) {
        unlink(output->temporary);
    }
    duet_free(output->temporary);
    duet_free(output->target);
    *output = (duet_output){NULL, NULL, NULL, false};
}

void duet_output_json_text(FILE *stream, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', stream);
            fputc(*c, stream);
        } else if (*c < 0x20) {
            fprintf(stream, "\\u%04x", *c);
        } else {
            fputc(*c, stream);
        }
    }
}

void duet_output_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    duet_output_json_text(stream, text);
    fputc('"', stream);
}
