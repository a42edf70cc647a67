// SPDX-License-Identifier: Apache-2.0
// One call after another, until the first that fails.
//
// A function that owns nothing leaves there:
//
//     DUET_TRY(duet_reader_open(reader, path, error));
//     return duet_reader_run(reader, error);
//
// One that owns something has one exit, where it is taken back; the first error stays until then:
//
//     duet_code code = duet_reader_open(&reader, path, error);
//     DUET_THEN(code, duet_reader_run(&reader, error));
//     duet_reader_close(&reader);
//     return code;
#ifndef DUET_CORE_SYSTEM_TRY_H
#define DUET_CORE_SYSTEM_TRY_H

#include <duet/error.h>

// Returns the code of a call that fails from the function that this stands in.
#define DUET_TRY(call)                                                                             \
    do {                                                                                           \
        const duet_code duet_tried = (call);                                                       \
        if (duet_tried != DUET_OK) {                                                               \
            return duet_tried;                                                                     \
        }                                                                                          \
    } while (0)

// Leaves with DUET_E_MEMORY unless an allocation, which records that itself, gave something.
#define DUET_NEED(block)                                                                           \
    do {                                                                                           \
        if (!(block)) {                                                                            \
            return DUET_E_MEMORY;                                                                  \
        }                                                                                          \
    } while (0)

// Makes a call unless one before it has failed: `code` is that of the first one that fails.
#define DUET_THEN(code, call)                                                                      \
    do {                                                                                           \
        if ((code) == DUET_OK) {                                                                   \
            (code) = (call);                                                                       \
        }                                                                                          \
    } while (0)

#endif
