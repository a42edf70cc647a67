// SPDX-License-Identifier: Apache-2.0
// Files that Duet writes, where another kind of file is asked for: an instance, a solution, a
// proof, a table and so on stand in the place of one another easily.
#ifndef DUET_INSTANCES_FORMATS_OWN_FILES_H
#define DUET_INSTANCES_FORMATS_OWN_FILES_H

#include "instances/formats/input.h"

// Kinds of files, a bit each.
enum {
    DUET_OWN_INSTANCE = 1,
    DUET_OWN_SOLUTION = 2,
    DUET_OWN_PROOF = 4,
    DUET_OWN_RESULTS = 8,
    DUET_OWN_TIMINGS = 16,
    DUET_OWN_BUS = 32,
    DUET_OWN_TRACE = 64,
    DUET_OWN_DRAWING = 128,
    DUET_OWN_PROGRAM = 256,
    DUET_OWN_SCHEDULE = 512, // the table alone
    DUET_OWN_TABLES = DUET_OWN_SCHEDULE | DUET_OWN_RESULTS | DUET_OWN_TIMINGS,
};

// DUET_E_INPUT where the file is one of Duet's own of another kind than `allowed` (bits): says what
// it is, what takes it, and what is `expected` here. Takes no byte of `input`.
duet_code duet_refuse_own(duet_input *input, unsigned allowed, const char *expected,
                          duet_error *error);

#endif
