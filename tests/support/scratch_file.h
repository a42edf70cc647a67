// SPDX-License-Identifier: Apache-2.0
// A file of a test program's own, for texts that a reader is given.
//
//     return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
#ifndef DUET_TESTS_SUPPORT_SCRATCH_FILE_H
#define DUET_TESTS_SUPPORT_SCRATCH_FILE_H

#include <stddef.h>

// Where files that are written by the thousand belong: a file system forces what is written over an
// older file to its disk, and memory has none. /dev/shm, or /tmp where that is missing.
const char *duet_scratch_root(void);

// Its path, from duet_scratch_make() on.
extern char duet_scratch_path[];

// Set-up and tear-down of a group of tests.
int duet_scratch_make(void **state);
int duet_scratch_remove(void **state);

// The bytes of any file, with a NUL behind them, the caller's (free()); `length` may be NULL. Fails
// the test where it cannot be read.
char *duet_file_text(const char *path, size_t *length);
// Makes any file hold these bytes and nothing else; fails the test where that cannot be.
void duet_file_put(const char *path, const char *text, size_t length);
// Makes the file hold these bytes and nothing else; fails the test where that cannot be.
void duet_scratch_put(const char *text, size_t length);

#endif
