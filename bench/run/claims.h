// SPDX-License-Identifier: Apache-2.0
// What was promised or published, what these runs found, and the verdict.
#ifndef DUET_BENCH_RUN_CLAIMS_H
#define DUET_BENCH_RUN_CLAIMS_H

#include <stdbool.h>
#include <stdio.h>

#include <duet/export.h>

#include "console/json.h"

enum { DUET_CLAIMS = 20 };
typedef struct duet_claims {
    size_t count;
    struct {
        char what[96];
        char held[48]; // what the verdict is held to: "" where the statement says it all
        char found[160];
        const char *verdict; // a constant
        bool by_one;         // a single run refutes it, and so any part of the runs
    } claim[DUET_CLAIMS];
} duet_claims;

void duet_claims_add(duet_claims *claims, const char *verdict, const char *what, const char *found,
                     ...) DUET_PRINTF(4, 5);
// What the verdict of the last one was held to.
void duet_claims_hold(duet_claims *claims, const char *held);
// A single run refutes the last one.
void duet_claims_by_one(duet_claims *claims);
// `heads`: three, as duet_cells_begin() takes them, or four where the third is over `held`; NULL:
// none, and without `held`.
void duet_claims_print(const duet_claims *claims, const char *heads, int indent, FILE *stream);
// As the array `list` of objects whose first member is `what`.
void duet_claims_json(const duet_claims *claims, const char *list, const char *what,
                      duet_cli_json *json);

#endif
