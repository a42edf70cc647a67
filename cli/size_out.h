// SPDX-License-Identifier: Apache-2.0
// What duet size says: as text, JSON, CSV and as a picture.
#ifndef DUET_CLI_SIZE_OUT_H
#define DUET_CLI_SIZE_OUT_H

#include <stdio.h>

#include <duet/duet.h>

#include "console/args.h"
#include "console/given_time.h"
#include "console/price.h"

typedef struct duet_cli_sized {
    duet_instance *instance; // owned by the command, as the sizing is
    duet_sizing *sizing;
    duet_cli_given_time due;
    duet_cli_price price;
    bool varied[DUET_MAX_TYPES];
    bool searches; // the algorithm does: more time may decide a platform that is open
} duet_cli_sized;

// The platforms along the border, and the answer.
void duet_cli_sized_print(const duet_cli_sized *sized, FILE *stream);
// All platforms.
void duet_cli_sized_json(const duet_cli_sized *sized, FILE *stream);
duet_code duet_cli_sized_csv(const duet_cli_sized *sized, const char *path, duet_error *error);
// Of two varied types the border between them, all others at their most; of one, makespan and
// bound.
duet_code duet_cli_sized_chart(const duet_cli_sized *sized, const char *path,
                               const duet_cli_chart *look, duet_error *error);

#endif
