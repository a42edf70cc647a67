// SPDX-License-Identifier: Apache-2.0
// The file of a sweep: it only grows, by whole lines, and one process at a time appends to it.
// Unlike every other file of Duet it is not written under another name first: what is there when a
// process is killed is what the next one goes on with.
#include "bench/run/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console/exact_names.h"
#include "core/system/context.h"
#include "core/system/utf8.h"

static const int64_t flush_ns = 1000000000;

static duet_code cannot(const duet_sweep_file *file, const char *what, const char *why,
                        duet_error *error)
{
    return duet_error_set_at(error, DUET_E_OUTPUT, file->path, 0, 0, "cannot %s: %s", what, why);
}

static duet_code open_standard_output(duet_sweep_file *file, duet_error *error)
{
    fflush(stdout);
    file->path = "standard output";
    file->descriptor = dup(STDOUT_FILENO);
    if (file->descriptor < 0) {
        return cannot(file, "write", strerror(errno), error);
    }
    file->terminal = isatty(file->descriptor);
    return DUET_OK;
}

static duet_code lock(const duet_sweep_file *file, duet_error *error)
{
    // Where the file system has no locks, nothing is lost but the warning.
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return duet_error_set_at(error, DUET_E_OUTPUT, file->path, 0, 0,
                                 "another process is appending to it: expected a file of its own "
                                 "for each (--shard), or wait for it to end");
    }
    return DUET_OK;
}

static duet_code prepare(duet_sweep_file *file, bool resume, duet_error *error)
{
    struct stat status;
    if (fstat(file->descriptor, &status) != 0) {
        return cannot(file, "write", strerror(errno), error);
    }
    file->regular = S_ISREG(status.st_mode);
    file->terminal = isatty(file->descriptor);
    if (!file->regular) {
        return DUET_OK;
    }
    duet_code code = lock(file, error);
    // Only now: another process may have appended until it gave the lock up.
    if (code == DUET_OK && fstat(file->descriptor, &status) != 0) {
        code = cannot(file, "write", strerror(errno), error);
    }
    file->size = status.st_size;
    if (code == DUET_OK && file->size > 0 && !resume) {
        code = duet_error_set_at(error, DUET_E_USAGE, file->path, 0, 0,
                                 "the file is there already: --resume goes on with it; remove it "
                                 "to begin anew");
    }
    return code;
}

duet_code duet_sweep_file_open(duet_sweep_file *file, const char *path, bool resume,
                               duet_error *error)
{
    *file = (duet_sweep_file){.path = path, .descriptor = -1, .flushed_ns = duet_clock_ns()};
    if (strcmp(path, "-") == 0) {
        return open_standard_output(file, error);
    }
    // For writing alone: who has a named pipe open for reading, too, is its own reader, and waits
    // for ever once the other one is gone.
    file->descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file->descriptor < 0 &&
        errno == EACCES) { // another user's pipe in /tmp: it is there already
        file->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    }
    if (file->descriptor < 0) {
        return cannot(file, "write", strerror(errno), error);
    }
    duet_code code = prepare(file, resume, error);
    if (code != DUET_OK) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    return code;
}

// Mostly one write(); a short one is gone on with.
static int write_all(int descriptor, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            errno = written == 0 ? EIO : errno;
            return -1;
        }
    }
    return 0;
}

// Lines for a terminal, with escapes for what it would act on; no field has a line break in it.
static int write_shown(int descriptor, const char *text, size_t length)
{
    char part[512];
    size_t used = 0;
    int failed = 0;
    for (size_t at = 0; at < length && failed == 0;) {
        char shown[DUET_SHOWN] = "\n";
        size_t step = text[at] == '\n'
                          ? 1
                          : duet_utf8_show((const unsigned char *)text + at, length - at, shown);
        if (shown[0] != text[at]) {
            duet_cli_saw_escape();
        }
        for (const char *c = shown; *c != '\0'; c++) {
            part[used++] = *c;
        }
        at += step;
        if (used + DUET_SHOWN > sizeof part || at == length) {
            failed = write_all(descriptor, part, used);
            used = 0;
        }
    }
    return failed;
}

duet_code duet_sweep_file_append(duet_sweep_file *file, const char *text, size_t length,
                                 duet_error *error)
{
    int failed = file->terminal ? write_shown(file->descriptor, text, length)
                                : write_all(file->descriptor, text, length);
    int why = errno;
    int64_t now = duet_clock_ns();
    if (!failed && file->regular && now - file->flushed_ns > flush_ns) {
        failed = fdatasync(file->descriptor);
        why = errno;
        file->flushed_ns = duet_clock_ns();
    }
    if (!failed) {
        file->size += (int64_t)length;
        return DUET_OK;
    }
    if (file->regular && ftruncate(file->descriptor, file->size) != 0) {
        // What is there of the last line is cut off when the file is resumed.
    }
    return cannot(file, "write", strerror(why), error);
}

FILE *duet_sweep_file_read(const duet_sweep_file *file, duet_error *error)
{
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (stream == NULL) {
        duet_error_set_at(error, DUET_E_INPUT, file->path, 0, 0, "cannot read: %s",
                          strerror(errno));
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
    return stream;
}

duet_code duet_sweep_file_cut(duet_sweep_file *file, int64_t size, duet_error *error)
{
    if (ftruncate(file->descriptor, size) != 0) {
        return cannot(file, "cut off its last line", strerror(errno), error);
    }
    file->size = size;
    return DUET_OK;
}

duet_code duet_sweep_file_close(duet_sweep_file *file, duet_error *error)
{
    if (file->descriptor < 0) {
        return DUET_OK;
    }
    int failed = file->regular ? fdatasync(file->descriptor) : 0;
    int why = errno;
    if (close(file->descriptor) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    file->descriptor = -1;
    return failed ? cannot(file, "write", strerror(why), error) : DUET_OK;
}
