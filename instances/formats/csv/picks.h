// SPDX-License-Identifier: Apache-2.0
// Which columns of a table a caller wants, and under which names: "cpu=time_cpu,gpu=time_gpu".
#ifndef DUET_INSTANCES_FORMATS_CSV_PICKS_H
#define DUET_INSTANCES_FORMATS_CSV_PICKS_H

#include <stddef.h>

#include <duet/error.h>
#include <duet/instance.h>

typedef struct duet_csv_pick {
    const char *name;   // that the column gets: "id", "count", "after", or a processor type's
    const char *column; // its name in the header
} duet_csv_pick;

enum { DUET_CSV_MOST_PICKS = DUET_MAX_TYPES + 9 };

typedef struct duet_csv_picks {
    char *text; // owned
    size_t count;
    duet_csv_pick pick[DUET_CSV_MOST_PICKS];
} duet_csv_picks;

// Parses the list. DUET_E_USAGE where it makes no sense; `*picks` is freed by duet_csv_picks_free()
// all the same.
duet_code duet_csv_picks_parse(const char *text, duet_csv_picks *picks, duet_error *error);
void duet_csv_picks_free(duet_csv_picks *picks);

#endif
