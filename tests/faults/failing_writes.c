// SPDX-License-Identifier: Apache-2.0
// Preloaded (LD_PRELOAD) into the command, it makes one call fail among those that write: to files
// below a folder, and to standard output. tests/faults/test_writes.py says which.
//
//   DUET_FAULT          KIND:N:ERROR, or KIND:N:ERROR:on for that call and all of its kind after
//   it.
//                       Of kind short, which writes half, other calls to files are interrupted.
//   DUET_FAULT_FOLDER   the folder; relative paths count as below it
//   DUET_FAULT_MARK     a file that is made when the call comes; at the end, where DUET_FAULT is
//                       "count", one with the number of calls of each kind
//   DUET_FAULT_NAMED    set where files without a name shall be unknown to the file system
//
// What stdio writes to standard output does not pass through write() where this could see it: the
// stream is replaced by one that does.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

typedef enum kind { OPEN, WRITE, SHORT, PART, SYNC, NAME, RENAME, CLOSE, KINDS } kind;
static const char *const kind_name[KINDS] = {"open", "write", "short",  "part",
                                             "sync", "name",  "rename", "close"};

static kind wanted = KINDS;
static bool counting;
static long first;
static int number;
static bool lasting;
static const char *folder = "";
static const char *mark;
static bool named;
static _Atomic long seen[KINDS];
static _Atomic long low;                     // files that got the number of a standard stream
static _Atomic bool written_to[DESCRIPTORS]; // descriptors that count

static void leave_mark(const char *text)
{
    int file =
        mark == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, text, strlen(text));
        syscall(SYS_close, file);
    }
}

// Whether this call of its kind fails; errno is set then.
static bool fails(kind of)
{
    long turn = ++seen[of];
    if (of != wanted || (lasting ? turn < first : turn != first)) {
        return false;
    }
    leave_mark("");
    errno = number;
    return true;
}

static bool counts(const char *path)
{
    size_t length = strlen(folder);
    return path[0] != '/' || (length > 0 && strncmp(path, folder, length) == 0);
}

static bool is_written(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS && written_to[descriptor];
}

static int note(int descriptor, bool counted)
{
    if (descriptor >= 0 && descriptor < DESCRIPTORS) {
        written_to[descriptor] = counted;
    }
    return descriptor;
}

static int open_file(int at, const char *path, int flags, mode_t mode)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY && at == AT_FDCWD && counts(path);
    if (writes && named && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (writes && fails(OPEN)) {
        return -1;
    }
    int descriptor = (int)syscall(SYS_openat, at, path, flags, mode);
    low += writes && descriptor >= 0 && descriptor <= STDERR_FILENO;
    return note(descriptor, writes);
}

#define MODE_OF(flags, mode)                                                                       \
    mode_t mode = 0;                                                                               \
    if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) {                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

// What FORTIFY makes of them.
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return open_file(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return open_file(AT_FDCWD, path, flags, 0);
}

static int copy_descriptor(int descriptor, int command, int least)
{
    if (is_written(descriptor) && fails(OPEN)) {
        return -1;
    }
    return note((int)syscall(SYS_fcntl, descriptor, command, least), is_written(descriptor));
}

static int control(int descriptor, int command, void *argument)
{
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC
               ? copy_descriptor(descriptor, command, (int)(long)argument)
               : (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int fcntl(int descriptor, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    return control(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...);
int fcntl64(int descriptor, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    return control(descriptor, command, argument);
}

int dup(int descriptor)
{
    return copy_descriptor(descriptor, F_DUPFD, 0);
}

ssize_t write(int descriptor, const void *text, size_t length)
{
    if (is_written(descriptor) && fails(WRITE)) {
        return -1;
    }
    if (is_written(descriptor) && fails(SHORT)) {
        if (seen[SHORT] % 2 == 0 && descriptor != STDOUT_FILENO) {
            errno = EINTR;
            return -1;
        }
        length = (length + 1) / 2;
    }
    if (is_written(descriptor) && fails(PART)) {
        if (seen[PART] > first) {
            return -1;
        }
        length = (length + 1) / 2;
    }
    return syscall(SYS_write, descriptor, text, length);
}

int fsync(int descriptor)
{
    return is_written(descriptor) && fails(SYNC) ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor)
{
    return is_written(descriptor) && fails(SYNC) ? -1 : (int)syscall(SYS_fdatasync, descriptor);
}

int linkat(int from, const char *path, int to, const char *name, int flags)
{
    return counts(name) && fails(NAME) ? -1 : (int)syscall(SYS_linkat, from, path, to, name, flags);
}

int rename(const char *path, const char *name)
{
    return counts(name) && fails(RENAME)
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, 0);
}

// A descriptor is closed whatever is said of it, as by the kernel.
int close(int descriptor)
{
    bool counted = is_written(descriptor);
    note(descriptor, false);
    int closed = (int)syscall(SYS_close, descriptor);
    return counted && fails(CLOSE) ? -1 : closed;
}

// As stdio writes: a short write is gone on with, and an error is one.
static ssize_t put(void *unused, const char *text, size_t length)
{
    (void)unused;
    size_t done = 0;
    while (done < length) {
        ssize_t now = write(STDOUT_FILENO, text + done, length - done);
        if (now < 0) {
            break;
        }
        done += (size_t)now;
    }
    return (ssize_t)done;
}

static kind find_kind(const char *text, size_t length)
{
    kind k = OPEN;
    while (k < KINDS &&
           (strlen(kind_name[k]) != length || strncmp(text, kind_name[k], length) != 0)) {
        k++;
    }
    return k;
}

__attribute__((constructor)) static void prepare(void)
{
    const char *text = getenv("DUET_FAULT");
    if (text == NULL) {
        return;
    }
    size_t length = strcspn(text, ":");
    counting = strcmp(text, "count") == 0;
    wanted = find_kind(text, length);
    if (wanted < KINDS) {
        char *end = NULL;
        first = strtol(text + length + 1, &end, 10);
        number = (int)strtol(end + 1, &end, 10);
        lasting = strcmp(end, ":on") == 0;
    } else if (!counting) {
        abort();
    }
    const char *below = getenv("DUET_FAULT_FOLDER");
    folder = below == NULL ? "" : below;
    mark = getenv("DUET_FAULT_MARK");
    named = getenv("DUET_FAULT_NAMED") != NULL;
    unsetenv("LD_PRELOAD"); // programs that the command starts are not meant
    written_to[STDOUT_FILENO] = true;
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
    if (stream == NULL) {
        abort();
    }
    stdout = stream;
}

__attribute__((destructor)) static void tell_counts(void)
{
    char text[256] = "";
    for (kind k = OPEN; k < KINDS && counting; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s %ld\n", kind_name[k], seen[k]);
    }
    if (counting) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "low %ld\n", low);
        leave_mark(text);
    }
}
