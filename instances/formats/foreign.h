// SPDX-License-Identifier: Apache-2.0
// Files in formats that are not read, and what makes one of them that is.
#ifndef DUET_INSTANCES_FORMATS_FOREIGN_H
#define DUET_INSTANCES_FORMATS_FOREIGN_H

#include "instances/formats/input.h"

// DUET_E_INPUT where the file is compressed, a spreadsheet, UTF-16 or text of another program, such
// as YAML: names the command that makes of it what is read, or the formats that there are.
duet_code duet_refuse_foreign(duet_input *input, duet_error *error);
// The same of text alone.
duet_code duet_refuse_foreign_text(duet_input *input, duet_error *error);
// Whether a command would read the file from standard input.
bool duet_input_is_piped(const duet_input *input);

#endif
