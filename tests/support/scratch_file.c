// SPDX-License-Identifier: Apache-2.0
#include "tests/support/scratch_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

char duet_scratch_path[64];

const char *duet_scratch_root(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

int duet_scratch_make(void **state)
{
    (void)state;
    snprintf(duet_scratch_path, sizeof duet_scratch_path, "%s/duet-scratch-XXXXXX",
             duet_scratch_root());
    int descriptor = mkstemp(duet_scratch_path);
    return descriptor < 0 ? -1 : close(descriptor);
}

int duet_scratch_remove(void **state)
{
    (void)state;
    return unlink(duet_scratch_path);
}

char *duet_file_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    size_t size = (size_t)status.st_size;
    char *text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    text[size] = '\0';
    if (length != NULL) {
        *length = size;
    }
    return text;
}

void duet_file_put(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void duet_scratch_put(const char *text, size_t length)
{
    duet_file_put(duet_scratch_path, text, length);
}
