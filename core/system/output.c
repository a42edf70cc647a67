// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // O_TMPFILE, fopencookie()
#include "core/system/output.h"

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

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/utf8.h"

enum { NAMES = 100 }; // temporary names that are tried where others are taken

static duet_code cannot_write(const char *path, const char *why, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_OUTPUT, path, 0, 0, "cannot write: %s", why);
}

// Writes to the descriptor. The first failure sticks, with its cause: whatever comes later fails,
// too, and duet_output_commit() says why. Returns what was written; less is an error.
static ssize_t put(void *opaque, const char *text, size_t length)
{
    duet_output *output = opaque;
    size_t done = 0;
    while (done < length && output->why == 0) {
        ssize_t written = write(output->descriptor, text + done, length - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            output->why = written == 0 ? EIO : errno;
        }
    }
    if (done < length) {
        errno = output->why;
    }
    return (ssize_t)done;
}

// A stream of the C library, of which duet_output_escapes() can tell that it is a terminal.
static FILE *open_terminal(int descriptor)
{
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = own < 0 ? NULL : fdopen(own, "w");
    if (stream == NULL && own >= 0) {
        close(own);
    }
    return stream;
}

// The stream of the output's descriptor, which is closed where there is no memory for one. On
// failure, also where the descriptor is -1, errno says why.
static bool make_stream(duet_output *output)
{
    if (output->descriptor >= 0) {
        output->stream = isatty(output->descriptor)
                             ? open_terminal(output->descriptor)
                             : fopencookie(output, "w", (cookie_io_functions_t){.write = put});
    }
    if (output->stream == NULL && output->descriptor >= 0) {
        int why = errno;
        close(output->descriptor);
        output->descriptor = -1;
        errno = why;
    }
    return output->stream != NULL;
}

// Standard output is duplicated, so that closing the stream leaves the process's own open.
static duet_code open_standard_output(duet_output *output, duet_error *error)
{
    fflush(stdout);
    output->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return make_stream(output) ? DUET_OK : cannot_write("standard output", strerror(errno), error);
}

// A file without a name in the target's folder: nothing is left even if the process is killed. -1
// where the file system has no such files, or where none could be named later, for want of /proc.
static int open_nameless(const char *target, mode_t mode)
{
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    if (!duet_output_folder(target, folder)) {
        return -1;
    }
    int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    char self[DUET_OUTPUT_SELF];
    if (descriptor >= 0 && access(duet_output_self(descriptor, self), F_OK) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
#else
    (void)target;
    (void)mode;
    return -1;
#endif
}

static int open_named(const duet_output *output, mode_t mode)
{
    int descriptor = -1;
    for (int i = 0; descriptor < 0 && i < NAMES && (i == 0 || errno == EEXIST); i++) {
        duet_output_rename_temporary(output->temporary);
        descriptor = open(output->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    }
    return descriptor;
}

// The file beside the target; it gets `old`'s mode where there is an old one.
static duet_code open_temporary(duet_output *output, const struct stat *old, duet_error *error)
{
    mode_t mode = old != NULL ? old->st_mode & 0777 : 0666;
    output->temporary = duet_output_temporary(output->target, error);
    DUET_NEED(output->temporary);
    output->descriptor = open_nameless(output->target, mode);
    output->nameless = output->descriptor >= 0;
    if (!output->nameless) {
        output->descriptor = open_named(output, mode);
    }
    if (output->descriptor < 0) {
        int why = errno;
        duet_free(output->temporary); // not ours to remove
        output->temporary = NULL;
        errno = why;
    } else if (old != NULL && fchmod(output->descriptor, mode) != 0) {
        // It keeps the mode that the process gives its files.
    }
    return make_stream(output) ? DUET_OK : cannot_write(output->target, strerror(errno), error);
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

static int open_pipe(const char *path)
{
    int descriptor = wait_for_reader(path);
    if (descriptor < 0) {
        return -1;
    }
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        int why = errno;
        close(descriptor);
        errno = why;
        return -1;
    }
    return descriptor;
}

static duet_code open_directly(duet_output *output, const char *path, bool is_pipe,
                               duet_error *error)
{
    output->descriptor =
        is_pipe ? open_pipe(path) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return make_stream(output)
               ? DUET_OK
               : cannot_write(path,
                              is_pipe && errno == EINTR ? "interrupted before anybody read the pipe"
                                                        : strerror(errno),
                              error);
}

static duet_code open_path(duet_output *output, const char *path, duet_error *error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    bool direct = exists && written_directly(path, &status);
    // Through a symbolic link: the file it names is replaced or made, not the link.
    char resolved[PATH_MAX];
    if (!direct && !duet_output_resolve(path, resolved)) {
        return cannot_write(path, strerror(errno), error);
    }
    output->target = duet_copy_string(direct ? path : resolved, error);
    DUET_NEED(output->target);
    if (exists && S_ISDIR(status.st_mode)) {
        return cannot_write(path, "it is a folder", error);
    }
    return direct ? open_directly(output, path, S_ISFIFO(status.st_mode), error)
                  : open_temporary(output, exists ? &status : NULL, error);
}

static const duet_output nothing = {.descriptor = -1};

duet_code duet_output_open(duet_output *output, const char *path, duet_error *error)
{
    *output = nothing;
    duet_code code = DUET_OK;
    if (strcmp(path, "-") == 0) {
        output->target = duet_copy_string("standard output", error);
        code = output->target == NULL ? DUET_E_MEMORY : open_standard_output(output, error);
    } else {
        code = open_path(output, path, error);
    }
    if (code != DUET_OK) {
        duet_output_abandon(output);
    }
    return code;
}

// Each step returns 0, or the error number of what failed.

static int flush(duet_output *output)
{
    bool failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
    return failed && output->why == 0 ? EIO : output->why;
}

static int sync_file(int descriptor)
{
    int failed;
    do {
        failed = fsync(descriptor);
    } while (failed != 0 && errno == EINTR);
    return failed != 0 ? errno : 0;
}

// A nameless file gets its temporary name, so that it can be renamed over the target.
static int name_file(duet_output *output)
{
    char self[DUET_OUTPUT_SELF];
    duet_output_self(output->descriptor, self);
    int failed = -1;
    for (int i = 0; failed != 0 && i < NAMES && (i == 0 || errno == EEXIST); i++) {
        duet_output_rename_temporary(output->temporary);
        failed = linkat(AT_FDCWD, self, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW);
    }
    output->nameless = failed != 0;
    return failed != 0 ? errno : 0;
}

// Where a signal comes, the descriptor is closed all the same.
static int close_file(duet_output *output)
{
    int failed = fclose(output->stream);
    output->stream = NULL;
    int why = failed != 0 ? (output->why != 0 ? output->why : errno) : 0;
    if (close(output->descriptor) != 0 && errno != EINTR && why == 0) {
        why = errno;
    }
    output->descriptor = -1;
    return why;
}

duet_code duet_output_commit(duet_output *output, duet_error *error)
{
    int why = flush(output);
    if (why == 0 && output->temporary != NULL) {
        why = sync_file(output->descriptor);
        why = why == 0 && output->nameless ? name_file(output) : why;
    }
    int closed = close_file(output);
    why = why != 0 ? why : closed;
    if (why == 0 && output->temporary != NULL && rename(output->temporary, output->target) != 0) {
        why = errno;
    }
    duet_code code = DUET_OK;
    if (why != 0) {
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
        close_file(output);
    }
    if (output->temporary != NULL && !output->nameless) {
        unlink(output->temporary);
    }
    duet_free(output->temporary);
    duet_free(output->target);
    *output = nothing;
}

void duet_output_json_text(FILE *stream, const char *text)
{
    const unsigned char *from = (const unsigned char *)text; // what is still to be written
    const unsigned char *c = from;
    while (*c != '\0') {
        unsigned long point = 0xFFFD; // the replacement character, of bytes that are no UTF-8
        size_t length = duet_utf8_decode(c, SIZE_MAX, &point);
        bool escaped = length == 0 || duet_utf8_is_control(point);
        if (escaped || point == '"' || point == '\\') {
            fwrite(from, 1, (size_t)(c - from), stream);
            if (escaped) {
                fprintf(stream, "\\u%04lx", point);
            } else {
                fprintf(stream, "\\%c", *c);
            }
            from = c + (length > 0 ? length : 1);
        }
        c += length > 0 ? length : 1;
    }
    fwrite(from, 1, (size_t)(c - from), stream);
}

void duet_output_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    duet_output_json_text(stream, text);
    fputc('"', stream);
}

bool duet_output_escapes(FILE *stream, const char *text)
{
    return !duet_utf8_is_plain(text) && isatty(fileno(stream));
}

void duet_output_quoted(FILE *stream, const char *text, char mark)
{
    bool escapes = duet_output_escapes(stream, text);
    if (!escapes && (mark == '\0' || strchr(text, '"') == NULL)) {
        fputs(text, stream);
        return;
    }
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        char shown[DUET_SHOWN] = {(char)*c, '\0'};
        if (*c == '"' && mark != '\0') {
            fputc(mark, stream);
        }
        c += escapes ? duet_utf8_show(c, SIZE_MAX, shown) : 1;
        fputs(shown, stream);
    }
}
