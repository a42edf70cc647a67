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

// A new folder for files that are handed over, named duet-NAME-XXXXXX in the temporary folder; the
// caller removes it. Where that fails, *folder is "".
duet_code duet_process_folder(const char *name, char *folder, size_t size, duet_error *error);

// Likewise an empty file; where that fails, *path is "".
duet_code duet_process_file(const char *name, char *path, size_t size, duet_error *error);

#endif
