// SPDX-License-Identifier: Apache-2.0
// Shared libraries that are opened when they are needed: BLAS and LAPACK for `duet measure`, cairo
// for PNG and PDF. Nothing is linked with them, so that none has to be there to build Duet, or to
// run what does not ask for them.
#ifndef DUET_CORE_SYSTEM_LOADER_H
#define DUET_CORE_SYSTEM_LOADER_H

#include <stdbool.h>
#include <stddef.h>

// A function of a library, and where the pointer to it goes in a struct of such pointers.
typedef struct duet_loader_symbol {
    const char *name;
    size_t offset;
} duet_loader_symbol;

// Functions of a library whose names begin and end alike, less that beginning and end.
typedef struct duet_loader_symbols {
    const char *before;
    const char *after;
    const duet_loader_symbol *symbol;
    size_t count;
} duet_loader_symbols;

// Why a library is of no use, in the words of the system's loader.
typedef struct duet_loader_fault {
    char text[160];
    bool memory; // the cause is that it does not fit into the memory that is left
} duet_loader_fault;

// Opens a library for as long as the process runs: the threads and caches of some libraries do not
// outlive being unloaded. All its symbols are bound at once, so that what does not fit together is
// found here. NULL, and *fault says why, where that fails.
void *duet_loader_open(const char *file, duet_loader_fault *fault);

// A function of a library, into `to`, which is a pointer to a function. False where it has none.
bool duet_loader_find(void *library, const char *name, void *to);

// All these functions, into the struct `functions`. False, and *fault names it, at the first that
// is not there.
bool duet_loader_find_all(void *library, const duet_loader_symbols *symbols, void *functions,
                          duet_loader_fault *fault);

#endif
