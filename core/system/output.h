// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written to a temporary file in the target's folder (one
// without a name where the file system has such), flushed to the disk, then renamed. A symbolic
// link is followed, also one to a file that is not there yet; an old file's mode is kept. "-" is
// standard output. Devices and pipes are written directly.
#ifndef DUET_CORE_SYSTEM_OUTPUT_H
#define DUET_CORE_SYSTEM_OUTPUT_H

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

#endif
