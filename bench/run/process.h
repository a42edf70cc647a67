// SPDX-License-Identifier: Apache-2.0
// Another program, run without a shell in a process group of its own, so that Ctrl-C reaches it
// through us alone; a clock and a request to stop kill it.
#ifndef DUET_BENCH_RUN_PROCESS_H
#define DUET_BENCH_RUN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>
#include <duet/solve.h>

typedef struct duet_process {
    // Inputs.
    const char *const *words;  // the program, sought in the PATH, its arguments, and NULL
    const char *output;        // the file that takes what it prints
    double seconds;            // after a tenth more and two seconds it is killed; 0: never
    const duet_cancel *cancel; // may be NULL

    // What came of it.
    double took; // seconds
    bool killed;
    bool well; // it ended by itself, with exit code 0
} duet_process;

// Runs it to its end. DUET_E_OUTPUT where it cannot be started, and DUET_E_MEMORY.
duet_code duet_process_run(duet_process *process, duet_error *error);

// Files that are handed over, in a new folder duet-NAME-XXXXXX of the temporary folder.
enum { DUET_PROCESS_FILES = 3 };
typedef struct duet_process_files {
    char folder[512]; // "": it could not be made
    char path[DUET_PROCESS_FILES][544];
} duet_process_files;
duet_code duet_process_files_create(const char *name, const char *const names[DUET_PROCESS_FILES],
                                    duet_process_files *files, duet_error *error);
void duet_process_files_remove(const duet_process_files *files);

// An empty file there, named likewise; where that fails, *path is "".
duet_code duet_process_file(const char *name, char *path, size_t size, duet_error *error);

#endif
