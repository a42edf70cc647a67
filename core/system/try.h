// SPDX-License-Identifier: Apache-2.0
// Leaving at the first error. For functions that own nothing: who owns something has one exit, where
// it is taken back.
//
//     DUET_TRY(duet_reader_open(reader, path, error));
//     return duet_reader_run(reader, error);
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

#endif
