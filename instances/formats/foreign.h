// SPDX-License-Identifier: Apache-2.0
// Files that are no text of any format, and what makes one of them.
#ifndef DUET_INSTANCES_FORMATS_FOREIGN_H
#define DUET_INSTANCES_FORMATS_FOREIGN_H

#include "instances/formats/input.h"

// DUET_E_INPUT where the file is compressed, a spreadsheet, UTF-16 or YAML: names the command
// that makes text of it, or the formats that there are.
duet_code duet_refuse_foreign(duet_input *input, duet_error *error);

#endif
