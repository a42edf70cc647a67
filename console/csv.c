// SPDX-License-Identifier: Apache-2.0
// Fields of CSV files (RFC 4180).
#include "console/table.h"

#include <string.h>

#include "console/exact_names.h"
#include "core/system/output.h"

void duet_cli_csv_field(const char *text, FILE *stream)
{
    const char *quote = strpbrk(text, ",\"\r\n") == NULL ? "" : "\"";
    fputs(quote, stream);
    duet_output_quoted(stream, text, '"');
    fputs(quote, stream);
    duet_cli_saw_name(stream, text);
}
