// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written to a temporary file in the target's folder (one
// without a name where the file system has such), flushed to the disk, then renamed. A symbolic
// link is followed, also one to a file that is not there yet; an old file's mode is kept. "-" is
// standard output. Devices and pipes are written directly.
#ifndef DUET_CORE_SYSTEM_OUTPUT_H
#define DUET_CORE_SYSTEM_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/error.h>

// While it is open it stays where it is in memory: its stream knows it.
typedef struct duet_output {
    FILE *stream;    // write here
    int descriptor;  // what the stream writes to; -1 where none is open
    int why;         // error number of the first write that failed; 0 where none did
    char *target;    // the path, through links
    char *temporary; // NULL where the target is written directly
    bool nameless;   // the temporary file has no name yet
} duet_output;

duet_code duet_output_open(duet_output *output, const char *path, duet_error *error);
// Checks that everything was written and puts the file in place; on any failure nothing is left.
duet_code duet_output_commit(duet_output *output, duet_error *error);
// Gives the file up. Safe after commit and after a failed open.
void duet_output_abandon(duet_output *output);

// A JSON string with quotes and escapes: also of what duet_utf8_is_control() names. What is no
// UTF-8 becomes U+FFFD.
void duet_output_json_string(FILE *stream, const char *text);
// The same without the quotes around it.
void duet_output_json_text(FILE *stream, const char *text);

// A name in a format without escapes of its own (CSV, DOT), exactly, but for what a terminal would
// act on: where the stream is one, that is shown by duet_utf8_show(). `mark` stands before each
// quote: '"', '\\', or NUL for nothing.
void duet_output_quoted(FILE *stream, const char *text, char mark);
// Whether it is not written exactly.
bool duet_output_escapes(FILE *stream, const char *text);

// output_path.c
// The path without the symbolic links that its last part may name, whether or not a file is there.
// False, and errno says why, where there are too many links or the path is too long.
bool duet_output_resolve(const char *path, char resolved[PATH_MAX]);

// The folder of a path. False where it is too long.
bool duet_output_folder(const char *path, char folder[PATH_MAX]);

// A name for a temporary file beside `target`, at most as long as any file system takes; NULL where
// there is no memory. It is the caller's to free.
char *duet_output_temporary(const char *target, duet_error *error);
// Gives it another end, where that name is taken.
void duet_output_rename_temporary(char *temporary);

enum { DUET_OUTPUT_SELF = 40 };
// The name of an open file below /proc. Returns `path`.
char *duet_output_self(int descriptor, char path[DUET_OUTPUT_SELF]);

#endif
