// SPDX-License-Identifier: Apache-2.0
// Tables of results, as `duet compare --csv` and `duet bench ... --csv` write them, read for a
// report.
#ifndef DUET_CLI_REPORT_TABLE_H
#define DUET_CLI_REPORT_TABLE_H

#include <stdbool.h>

#include <duet/error.h>

#include "report/page/results.h"

// Adds the runs of a table ("-": standard input). Columns count by name and may come in any order;
// unknown ones are passed over. A last line without a line break, as a run leaves it that was
// killed, is left out, with a note on standard error unless `quiet`. DUET_E_INPUT with line and
// column where it is no such table.
duet_code duet_cli_read_results(const char *path, bool quiet, duet_results *results,
                                duet_error *error);

#endif
