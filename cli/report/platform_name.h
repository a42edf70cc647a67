// SPDX-License-Identifier: Apache-2.0
// One name for a platform that tables tell in different words.
#ifndef DUET_CLI_REPORT_PLATFORM_NAME_H
#define DUET_CLI_REPORT_PLATFORM_NAME_H

#include "cli/report/text.h"
#include "core/names.h"

// "4 cpu + 2 gpu" in place of the text, also for "4+2", "2 GPU, 4 CPUs" and "cpu=4,gpu=2": types in
// lower case, cpu first, then in the order in which they first appeared, which `types` keeps,
// without those that have no processor. What is no list of counts stays as it is. DUET_E_MEMORY.
duet_code duet_cli_name_platform(const char *platform, duet_names *types, duet_cli_text *text,
                                 duet_error *error);

#endif
