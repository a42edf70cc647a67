// SPDX-License-Identifier: Apache-2.0
#include "console/csv.h"

#include <string.h>

void duet_cli_csv_field(const char *text, FILE *stream)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, stream);
    }
    fputc('"', stream);
}
