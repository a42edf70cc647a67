// SPDX-License-Identifier: Apache-2.0
// The file of a sweep: it only grows, by whole lines, and one process at a time appends to it.
// Unlike every other file of Duet it is not written under another name first: what is there when a
// process is killed is what the next one goes on with.
#ifndef DUET_BENCH_RUN_FILE_H
#define DUET_BENCH_RUN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/error.h>

typedef struct duet_sweep_file {
    const char *path; // the caller's
    int descriptor;   // -1: closed
    bool regular;     // a plain file, not a device or a pipe: it can be cut and flushed to the disk
    bool terminal;    // names are shown with escapes
    int64_t size;     // bytes, while this process holds it
    int64_t flushed_ns;
} duet_sweep_file;

// Opens and locks `path` ("-": standard output). A file that has something in it is refused
// (DUET_E_USAGE) unless `resume`; one that is locked already is DUET_E_OUTPUT.
duet_code duet_sweep_file_open(duet_sweep_file *file, const char *path, bool resume,
                               duet_error *error);

// Appends all of `text`, and flushes to the disk once a second. Where that fails, the file is as it
// was before: DUET_E_OUTPUT.
duet_code duet_sweep_file_append(duet_sweep_file *file, const char *text, size_t length,
                                 duet_error *error);

// A stream over what is there, from the beginning, to be closed by the caller; NULL with
// DUET_E_INPUT.
FILE *duet_sweep_file_read(const duet_sweep_file *file, duet_error *error);
// Cuts the file to its first `size` bytes.
duet_code duet_sweep_file_cut(duet_sweep_file *file, int64_t size, duet_error *error);

// Flushes and closes. Safe on a closed one. DUET_E_OUTPUT.
duet_code duet_sweep_file_close(duet_sweep_file *file, duet_error *error);

#endif
