// SPDX-License-Identifier: Apache-2.0
#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

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

static duet_code open_temporary(duet_output *output, const char *path, duet_error *error)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    output->temporary = duet_alloc(length + sizeof suffix, 1, error);
    if (output->temporary == NULL) {
        return DUET_E_MEMORY;
    }
    memcpy(output->temporary, path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        const char *why = strerror(errno);
        free(output->temporary);
        output->temporary = NULL;
        return cannot_write(path, why, error);
    }
    // mkstemp() gives 0600; a result file gets what the user's mask allows.
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(descriptor, 0666 & ~mask);
    output->stream = fdopen(descriptor, "w");
    if (output->stream == NULL) {
        const char *why = strerror(errno);
        close(descriptor);
        return cannot_write(path, why, error);
    }
    return DUET_OK;
}

duet_code duet_output_open(duet_output *output, const char *path, duet_error *error)
{
    *output = (duet_output){NULL, NULL, NULL};
    output->target = duet_copy_string(strcmp(path, "-") == 0 ? "standard output" : path, error);
    if (output->target == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = DUET_OK;
    struct stat status;
    if (strcmp(path, "-") == 0) {
        code = open_standard_output(output, error);
    } else if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->stream = S_ISDIR(status.st_mode) ? NULL : fopen(path, "w");
        if (output->stream == NULL) {
            code = cannot_write(path, S_ISDIR(status.st_mode) ? "it is a folder" : strerror(errno),
                                error);
        }
    } else {
        code = open_temporary(output, path, error);
    }
    if (code != DUET_OK) {
        duet_output_abandon(output);
    }
    return code;
}

duet_code duet_output_commit(duet_output *output, duet_error *error)
{
    duet_code code = DUET_OK;
    int failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
    int why = errno;
    if (fclose(output->stream) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    output->stream = NULL;
    if (failed) {
        code = cannot_write(output->target, strerror(why), error);
    } else if (output->temporary != NULL && rename(output->temporary, output->target) != 0) {
        code = cannot_write(output->target, strerror(errno), error);
    } else {
        free(output->temporary); // renamed: nothing to remove
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
    if (output->temporary != NULL) {
        unlink(output->temporary);
        free(output->temporary);
    }
    free(output->target);
    *output = (duet_output){NULL, NULL, NULL};
}

void duet_output_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
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
    fputc('"', stream);
}
